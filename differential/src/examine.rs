//! Who judges a stored case? The reference, with the oracles that measure its truth again.
//!
//! One arm a check; a check without a subject is unscored, by name.

use crate::bash::Bash;
use crate::regions;
use crate::replay::{Examine, Form};
use crate::report::{Judgement, Verdict};
use crate::sandbox::{Options, Pool, Unavailable};
use crate::sed::judge::{self, Recognizer, Truth};
use crate::sed::oracle::{self, CaseTruth};
use corpus::{Body, Case, RegionsCase, SedCase};
use reference::regions::{hardened, literal};
use std::collections::BTreeMap;

/// The subject and its oracles.
pub struct Examiner {
    recognizer: Recognizer,
    form: Form,
    /// `None`: nothing is run, the stored truth holds.
    real: Option<Real>,
}

/// What is run.
struct Real {
    pool: Pool,
    /// The version of GNU sed in the box, if there is one.
    sed: Option<String>,
    bash: Bash,
}

impl Examiner {
    /// Judges a form of the reference, its recognizer given, with `jobs` workers. Errors: there is no box.
    pub fn with_box(recognizer: Recognizer, form: Form, jobs: usize) -> Result<Self, Unavailable> {
        let options = Options {
            commands: true,
            ..Options::default()
        };
        let pool = Pool::start(jobs, options)?;
        let real = Real {
            sed: oracle::version(&pool),
            bash: Bash::of(&pool),
            pool,
        };
        Ok(Examiner {
            recognizer,
            form,
            real: Some(real),
        })
    }

    /// Judges by stored truth alone.
    pub fn without_box(recognizer: Recognizer, form: Form) -> Self {
        Examiner {
            recognizer,
            form,
            real: None,
        }
    }

    /// Whom it judges.
    pub fn recognizer(&self) -> Recognizer {
        self.recognizer
    }

    /// The box, if there is one; it is made for whole commands.
    pub fn pool(&self) -> Option<&Pool> {
        self.real.as_ref().map(|real| &real.pool)
    }

    /// Is there a GNU sed in the box?
    pub fn has_sed(&self) -> bool {
        self.real.as_ref().is_some_and(|real| real.sed.is_some())
    }

    /// Is there a bash in the box?
    pub fn has_bash(&self) -> bool {
        let version = |real: &Real| real.bash.version().is_some();
        self.real.as_ref().is_some_and(version)
    }

    fn regions(&self, case: &Case, body: &RegionsCase, execute: bool) -> Vec<Judgement> {
        let mut judgements = match self.form {
            Form::Literal => regions::fragments(literal::regions, case, body),
            Form::Hardened => {
                regions::against_bash(hardened::regions, literal::regions, case, body)
            }
        };
        if let Some(real) = self.real.as_ref().filter(|_| execute) {
            let measured = real.bash.recheck(&real.pool, body);
            regions::revise(&mut judgements, &measured);
        }
        judgements
    }

    fn sed(&self, case: &SedCase, execute: bool, judgement: &mut Judgement) {
        let answer = judge::ask(self.recognizer, case);
        let stored = Truth::of(case);
        judgement.expected = stored.to_json();
        judgement.got = judge::answer_json(&answer);
        let unreachable = case.tags.iter().any(|tag| tag == "unreachable");
        let (mut result, mut why) = judge::compare(&answer, &stored, unreachable);
        match self.real.as_ref().filter(|_| execute) {
            None => {}
            Some(Real { sed: None, .. }) => {
                (result, why) = (
                    Verdict::Unknown,
                    "no GNU sed is in the box; install the package sed".to_owned(),
                );
            }
            Some(Real {
                pool,
                sed: Some(version),
                ..
            }) => match CaseTruth::of(pool, case) {
                Err(undecided) => (result, why) = (Verdict::Unknown, undecided.to_string()),
                Ok(now) => {
                    let seen = now.truth();
                    if let Some(missed) = judge::missed(&answer, &seen) {
                        judgement.expected = seen.to_json();
                        (result, why) = (Verdict::Miss, missed);
                    } else if let Some(differs) = now.difference(case) {
                        judgement.corpus_is_wrong = version == oracle::VERSION;
                        (result, why) = (Verdict::Invalid, invalid(differs, version));
                    }
                }
            },
        }
        judgement.result = result;
        judgement.why = why;
    }
}

fn invalid(differs: String, version: &str) -> String {
    match version {
        oracle::VERSION => differs,
        other => format!(
            "{differs}; the case is for sed {}, this is sed {other}",
            oracle::VERSION
        ),
    }
}

impl Examine for Examiner {
    fn examine(&self, case: &Case, execute: bool) -> Vec<Judgement> {
        let mut judgement = Judgement::of(case);
        match &case.body {
            Body::Sed(sed) => self.sed(sed, execute, &mut judgement),
            Body::Regions(body) => return self.regions(case, body, execute),
            Body::Parity(body) => return vec![regions::parity(literal::regions, case, body)],
            Body::Command(_) => judgement.why = "no subject for this check yet".to_owned(),
        }
        vec![judgement]
    }

    fn versions(&self) -> BTreeMap<String, String> {
        let Some(real) = &self.real else {
            return BTreeMap::new();
        };
        [
            ("GNU sed", real.sed.as_deref()),
            ("bash", real.bash.version()),
        ]
        .into_iter()
        .filter_map(|(name, version)| Some((name.to_owned(), version?.to_owned())))
        .collect()
    }

    fn form(&self) -> Option<String> {
        self.pool().map(|pool| pool.form().to_string())
    }
}
