//! What would this command do? The smallest guards that can be right.
//!
//! Pure functions over bytes: no I/O, no clock, no randomness; what a decision needs from the project is passed in.
//! They answer any input, in time linear in its size; only a literal form, which is judged and not relied upon, may be
//! slower. They judge nothing about truth: that is the oracles' work (`differential`), and the claims about them are
//! checked by the properties (`fuzz`).

pub mod programs;
pub mod regions;
pub mod sed;
pub mod shell;
