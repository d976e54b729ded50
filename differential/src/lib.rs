//! What really happens? Oracles that run the real program where it can do no harm.
//!
//! [`sandbox`] runs one program in a fresh directory and says what it did. The oracles on it ask one question each.

pub mod bash;
pub mod conclude;
pub mod escape;
pub mod examine;
pub mod regions;
pub mod replay;
pub mod report;
pub mod sandbox;
pub mod sed;
pub mod survey;
