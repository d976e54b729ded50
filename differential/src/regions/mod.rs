//! How does a scanner of shell regions fare? The judgement of one case, and a figure over many.
//!
//! What the scanner may answer is `docs/spec/regions.md`; how it is judged is `docs/spec/harness.md` section 4.

mod difference;
mod judge;

pub use difference::{Difference, differs_from_truth};
pub use judge::{Scanner, against_bash, fragments, parity, revise};
