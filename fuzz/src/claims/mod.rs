//! Which promises are made, and does each hold? The registry that `cargo test` and `cargo xtask verify` are fed from.
//!
//! A claim stands once here and once in its specification, with the same id and sentence; [`unregistered`] compares the
//! two. A check counts what it ran and which of the answers that its claim tells apart occurred: one that ran nothing,
//! or saw one answer only, is vacuous and fails the run.

mod canary;
mod sed;

pub use canary::{Canary, Caught, canaries};

use corpus::Case;
use differential::report::ClaimResult;
use differential::sandbox::Pool;
use differential::sed::judge::Recognizer;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Kinds of checks (`docs/spec/README.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Holds for generated inputs.
    Property,
    /// Against a real program.
    Differential,
}

impl Kind {
    /// Its word in the specifications.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Property => "property",
            Kind::Differential => "differential",
        }
    }
}

/// What is expected of a form of the subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The claim holds.
    Holds,
    /// A counterexample is known and must be found.
    Refuted,
}

impl Expected {
    /// Its word in the reports.
    pub fn word(self) -> &'static str {
        match self {
            Expected::Holds => "holds",
            Expected::Refuted => "refuted",
        }
    }
}

/// One claim.
pub struct Claim {
    /// Its number, for example `SED-04`; never changes.
    pub id: &'static str,
    /// Its sentence, as the specification has it.
    pub sentence: &'static str,
    /// How it is checked.
    pub kind: Kind,
    /// The specification it stands in.
    pub source: &'static str,
    /// What is expected of the form exactly as described, where there is one.
    pub literal: Option<Expected>,
    /// What is expected of the reference after its decisions.
    pub hardened: Expected,
    /// Tags of the stored cases it is checked by; none: every case.
    pub tags: &'static [&'static str],
    /// How the names of the constructs begin of which a generated input must hold one; none: every input.
    pub constructs: &'static [&'static str],
    check: fn(&Claim, &Ground<'_>) -> Checked,
}

/// What a check stands on.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The box.
    pub pool: &'a Pool,
    /// The subject.
    pub recognizer: Recognizer,
    /// The stored cases.
    pub cases: &'a [Case],
    /// The seed of everything generated.
    pub seed: u64,
    /// Generated inputs put to a static oracle or a pure property.
    pub inputs: u64,
    /// Of these, how many are run for real.
    pub executed: u64,
    /// When it becomes true, the check ends early.
    pub stop: &'a AtomicBool,
    /// Called after each generated input, from any thread.
    pub progress: &'a (dyn Fn() + Sync),
}

impl Ground<'_> {
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// What a check found.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Stored cases judged.
    pub cases: u64,
    /// Generated inputs judged.
    pub inputs: u64,
    /// Of these, run for real.
    pub executed: u64,
    /// Inputs the oracle could not decide.
    pub undecided: u64,
    /// How often each of the answers occurred that the claim tells apart; none may be 0.
    pub answers: BTreeMap<&'static str, u64>,
    /// What became of the generated inputs: how many were accepted, refused, wrote, executed, were answered exactly.
    pub figures: BTreeMap<&'static str, u64>,
    /// How often each construct of the generator occurred, by its index.
    pub constructs: crate::generate::ConstructCounts,
    /// The smallest example against the claim.
    pub counterexample: Option<String>,
}

impl Checked {
    fn count(&mut self, answer: &'static str) {
        *self.answers.entry(answer).or_default() += 1;
    }

    fn result(&self) -> &'static str {
        if self.counterexample.is_some() {
            Expected::Refuted.word()
        } else if self.cases + self.inputs == 0
            || self.answers.len() < 2
            || self.answers.values().any(|&n| n == 0)
        {
            "vacuous"
        } else {
            Expected::Holds.word()
        }
    }
}

impl Claim {
    /// Checks the claim for the reference after its decisions.
    pub fn check(&self, ground: &Ground<'_>) -> (ClaimResult, Checked) {
        let checked = (self.check)(self, ground);
        let result = ClaimResult {
            id: self.id,
            sentence: self.sentence,
            form: "hardened",
            expected: self.hardened.word(),
            result: checked.result(),
            cases: checked.cases + checked.inputs,
            counterexample: checked.counterexample.clone(),
        };
        (result, checked)
    }
}

/// All claims, in the order of the specifications.
pub fn registry() -> Vec<Claim> {
    sed::claims()
}

/// The specifications whose claims are checked so far, with their text.
const SPECIFICATIONS: [(&str, &str); 1] = [("sed.md", include_str!("../../../docs/spec/sed.md"))];

/// What differs between the specifications and the registry: a claim without a check, a check for no claim, another
/// sentence or kind. Empty: they agree.
pub fn unregistered() -> Vec<String> {
    let registered = registry();
    let mut faults = Vec::new();
    let mut written = Vec::new();
    for (file, text) in SPECIFICATIONS {
        for (number, line) in text.lines().enumerate() {
            let Some(claim) = line
                .strip_prefix("- **")
                .and_then(|rest| rest.split_once("** ["))
            else {
                continue;
            };
            let place = format!("docs/spec/{file}:{}", number + 1);
            let (id, rest) = claim;
            let Some((kind, sentence)) = rest.split_once("] ") else {
                faults.push(format!("{place}: claim {id} names no kind"));
                continue;
            };
            let sentence = sentence.split(" — ").next().unwrap_or_default();
            match registered.iter().find(|known| known.id == id) {
                None => faults.push(format!(
                    "{place}: claim {id} has no check; register it in fuzz/src/claims"
                )),
                Some(known) if known.sentence != sentence => {
                    faults.push(format!(
                        "{place}: claim {id} is registered with another sentence: {}",
                        known.sentence
                    ));
                }
                Some(known) if known.kind.word() != kind => {
                    faults.push(format!(
                        "{place}: claim {id} is registered as [{}]",
                        known.kind.word()
                    ));
                }
                Some(known) if known.source != file => {
                    faults.push(format!(
                        "{place}: claim {id} is registered for {}",
                        known.source
                    ));
                }
                Some(_) => {}
            }
            if written.contains(&id) {
                faults.push(format!(
                    "{place}: claim {id} stands twice; give this one its own number"
                ));
            }
            written.push(id);
        }
    }
    for claim in registered
        .iter()
        .filter(|claim| !written.contains(&claim.id))
    {
        faults.push(format!(
            "docs/spec/{}: claim {} is checked and stands nowhere; write it down",
            claim.source, claim.id
        ));
    }
    faults
}
