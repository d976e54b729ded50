//! What cases are there, and what is known of each? The formats of `docs/spec/harness.md` section 4, loaded strictly.
//!
//! Nothing is dropped in silence: every fault stops the load and says file, line and reason. Whether a stored truth is
//! true is not asked here; the oracles do that.

mod case;

pub use case::*;
