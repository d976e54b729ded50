//! Does the sed recognizer say what sed does? The oracle, and the judgement of one case.
//!
//! [`Fixture`] is the world of a case, [`oracle`] measures with the real program, [`judge`] compares. What the recognizer
//! may answer is `docs/spec/sed.md`; how it is judged is section 8 there and `docs/spec/harness.md` section 4.

mod fixture;
pub mod judge;
pub mod oracle;

pub use fixture::Fixture;
