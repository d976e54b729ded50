//! Generators of input, properties over it, and the registry of claims.
//!
//! A property is a plain function, called by proptest, by libFuzzer and by `cargo xtask verify` alike. A claim of a
//! specification is registered once, with its check; the front ends only choose how much input it gets.

pub mod claims;
pub mod generate;
pub mod property;
pub mod shrink;
