//! Does the stored truth of a case still hold, and if not, whose fault is that?

use super::oracle::{Measured, measure};
use super::versions::{VERSION, Versions, version};
use crate::sandbox::Pool;
use corpus::{FragmentTruth, RegionsCase};

/// The bash of one pool's box.
pub struct Bash {
    version: Option<String>,
    versions: Versions,
}

/// What measuring a case again gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recheck {
    /// The stored truth.
    Holds,
    /// Another truth.
    Differs {
        /// What bash does with each fragment now.
        now: Vec<FragmentTruth>,
        /// What differs, and which program has another version than the one that the case is for.
        why: String,
        /// No program has: the case itself is wrong.
        corpus_is_wrong: bool,
    },
    /// It cannot be said on this machine: why, and what helps.
    Undecided(String),
}

impl Bash {
    /// Asks which bash is in the box.
    pub fn of(pool: &Pool) -> Self {
        Bash {
            version: version(pool),
            versions: Versions::new(),
        }
    }

    /// Its version; `None`: there is none.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// Measures a case again.
    pub fn recheck(&self, pool: &Pool, case: &RegionsCase) -> Recheck {
        let Some(bash) = &self.version else {
            return Recheck::Undecided(
                "no bash is in the box; install the package bash".to_owned(),
            );
        };
        let Measured { truths, started } = match measure(pool, case) {
            Ok(measured) => measured,
            Err(why) => return Recheck::Undecided(why.to_string()),
        };
        let mut pairs = case.fragments.iter().map(|one| one.truth).zip(&truths);
        let Some((at, (stored, now))) = pairs
            .by_ref()
            .enumerate()
            .find(|(_, (stored, now))| stored != *now)
        else {
            return Recheck::Holds;
        };
        let differs = format!(
            "fragment {at} is stored as {} and measured as {}",
            stored.word(),
            now.word()
        );
        let mut others = self.versions.others(pool, &started);
        if bash != VERSION {
            others.insert(0, format!("bash is {bash}, the case is for {VERSION}"));
        }
        let why: Vec<String> = std::iter::once(differs).chain(others.clone()).collect();
        Recheck::Differs {
            why: why.join("; "),
            corpus_is_wrong: others.is_empty(),
            now: truths,
        }
    }
}
