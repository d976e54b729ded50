//! Who judges a stored case? The reference, with the oracles that measure its truth again.
//!
//! One arm a check; a check without a subject is unscored, by name.

use crate::regions;
use crate::replay::Examine;
use crate::report::{Judgement, Verdict};
use crate::sandbox::{Options, Pool, Unavailable};
use crate::sed::judge::{self, Recognizer, Truth};
use crate::sed::oracle::{self, CaseTruth};
use corpus::{Body, Case, SedCase};
use reference::regions::literal;
use std::collections::BTreeMap;

/// The subject and its oracles.
pub struct Examiner {
    recognizer: Recognizer,
    /// `None`: nothing is run, the stored truth holds.
    pool: Option<Pool>,
    sed: Option<String>,
}

impl Examiner {
    /// Judges a recognizer with `jobs` workers. Errors: there is no box.
    pub fn with_box(recognizer: Recognizer, jobs: usize) -> Result<Self, Unavailable> {
        let pool = Pool::start(jobs, Options::default())?;
        let sed = oracle::version(&pool);
        Ok(Examiner {
            recognizer,
            pool: Some(pool),
            sed,
        })
    }

    /// Judges a recognizer by stored truth alone.
    pub fn without_box(recognizer: Recognizer) -> Self {
        Examiner {
            recognizer,
            pool: None,
            sed: None,
        }
    }

    /// Whom it judges.
    pub fn recognizer(&self) -> Recognizer {
        self.recognizer
    }

    /// The box, if there is one.
    pub fn pool(&self) -> Option<&Pool> {
        self.pool.as_ref()
    }

    /// Is there a GNU sed in the box?
    pub fn has_sed(&self) -> bool {
        self.sed.is_some()
    }

    fn sed(&self, case: &SedCase, execute: bool, judgement: &mut Judgement) {
        let answer = judge::ask(self.recognizer, case);
        let stored = Truth::of(case);
        judgement.expected = stored.to_json();
        judgement.got = judge::answer_json(&answer);
        let unreachable = case.tags.iter().any(|tag| tag == "unreachable");
        let (mut result, mut why) = judge::compare(&answer, &stored, unreachable);
        if let Some(pool) = self.pool.as_ref().filter(|_| execute) {
            if self.sed.is_none() {
                (result, why) = (
                    Verdict::Unknown,
                    "no GNU sed is in the box; install the package sed".to_owned(),
                );
            } else {
                match CaseTruth::of(pool, case) {
                    Err(undecided) => (result, why) = (Verdict::Unknown, undecided.to_string()),
                    Ok(now) => {
                        let seen = now.truth();
                        if let Some(missed) = judge::missed(&answer, &seen) {
                            judgement.expected = seen.to_json();
                            (result, why) = (Verdict::Miss, missed);
                        } else if let Some(differs) = now.difference(case) {
                            judgement.corpus_is_wrong =
                                self.sed.as_deref() == Some(oracle::VERSION);
                            (result, why) = (Verdict::Invalid, self.invalid(differs));
                        }
                    }
                }
            }
        }
        judgement.result = result;
        judgement.why = why;
    }

    fn invalid(&self, differs: String) -> String {
        match self.sed.as_deref() {
            Some(oracle::VERSION) | None => differs,
            Some(other) => format!(
                "{differs}; the case is for sed {}, this is sed {other}",
                oracle::VERSION
            ),
        }
    }
}

impl Examine for Examiner {
    fn examine(&self, case: &Case, execute: bool) -> Vec<Judgement> {
        let mut judgement = Judgement::of(case);
        match &case.body {
            Body::Sed(sed) => self.sed(sed, execute, &mut judgement),
            Body::Regions(body) => return regions::fragments(literal::regions, case, body),
            Body::Parity(body) => return vec![regions::parity(literal::regions, case, body)],
            Body::Command(_) => judgement.why = "no subject for this check yet".to_owned(),
        }
        vec![judgement]
    }

    fn versions(&self) -> BTreeMap<String, String> {
        self.sed
            .iter()
            .map(|version| ("GNU sed".to_owned(), version.clone()))
            .collect()
    }

    fn form(&self) -> Option<String> {
        self.pool.as_ref().map(|pool| pool.form().to_string())
    }
}
