//! What does real bash do with a marked fragment? The oracle of the `regions` cases (`docs/spec/regions.md`, head).
//!
//! The question is answered by running the command, never by reading it: each fragment's verb is replaced by a program of
//! its own that leaves a trace (`canary`), and `bash -c` runs the result in the box, among the files, programs and
//! stand-ins of `fixture` and `programs`. What the answer is worth for a guard is for others to say.

mod canary;
mod fixture;
mod oracle;
mod programs;

pub use canary::Unmarkable;
pub use fixture::VERSION;
pub use oracle::{Undecided, fragments, measure, observe, started, version};
