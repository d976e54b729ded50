//! What must hold for every input? One function for each promise.
//!
//! A property returns what it saw, so that a run can show that both answers occurred, and says in words what refutes it.

pub mod programs;
pub mod regions;
pub mod scanner;
pub mod sed;
pub mod shell;
pub mod trace;

/// Why a property did not hold for one input, or could not be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It does not hold; in words, what was expected and what happened.
    Refuted(String),
    /// The oracle could not decide: time, output, or a worker that was lost.
    Undecided(String),
    /// The oracle could not be asked: a program is missing, or the input is none for it.
    Unasked(String),
}
