//! Generators of input, properties, and the registry of claims.

pub mod generate;
