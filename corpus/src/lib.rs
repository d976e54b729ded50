//! What cases are there, and what is known of each? The formats of `docs/spec/harness.md` section 4, loaded strictly.
//!
//! Nothing is dropped in silence: every fault stops the load and says file, line and reason. Whether a stored truth is
//! true is not asked here; the oracles do that.

mod case;
mod fault;
mod fields;
mod fixture;
mod form;
mod json;
mod ledger;
mod load;
mod text;

pub use case::*;
pub use fault::Fault;
pub use ledger::{Entry, Judged, Ledger, ledger_file};
pub use load::{Corpus, Order, cases_folder, load};
pub use text::Text;
