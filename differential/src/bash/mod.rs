//! What does real bash do with a marked fragment? The oracle of the `regions` cases (`docs/spec/regions.md`, head).
//!
//! The question is answered by running the command, never by reading it: each fragment's verb is replaced by a program of
//! its own that leaves a trace (`canary`), `bash -c` runs the result in the box, among the files, programs and
//! stand-ins of `fixture` and `programs`, and the traced calls say what ran (`evidence`). What the answer is worth for a
//! guard is for others to say.

mod accepts;
mod canary;
mod command;
mod evidence;
mod fixture;
mod oracle;
mod programs;
mod recheck;
mod versions;

pub use accepts::{Accepts, accepts};
pub use canary::Unmarkable;
pub use command::{Undecided, fragments, observe};
pub use oracle::{Measured, measure};
pub use recheck::{Bash, Recheck};
pub use versions::{VERSION, version};
