//! Which promises are made, and does each hold? The registry that `cargo test` and `cargo xtask verify` are fed from.
//!
//! A claim stands once here and once in its specification, with the same id, sentence and kind; [`unregistered`] compares
//! the two. It is checked for each form of the subject of which something is expected. A check counts what it ran and which of the answers that its claim tells apart occurred: one that ran nothing,
//! or saw one answer only, is vacuous and fails the run.

mod canary;
mod regions;
mod sed;
mod written;

pub use canary::{Canary, Caught, canaries};
pub use written::unregistered;

use crate::generate::{ConstructCounts, ShellConstructCounts};
use corpus::Case;
use differential::regions::Scanner;
use differential::replay::Form;
use differential::report::ClaimResult;
use differential::sandbox::Pool;
use differential::sed::judge::Recognizer;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Kinds of checks (`docs/spec/README.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Holds for generated inputs.
    Property,
    /// Against a real program.
    Differential,
    /// A figure is reported; it was measured if the run met both kinds of what it counts.
    Measured,
}

impl Kind {
    /// Its word in the specifications.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Property => "property",
            Kind::Differential => "differential",
            Kind::Measured => "measured",
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
    /// What is expected of the form exactly as described; `None`: there is no such form, or it is not asked.
    pub literal: Option<Expected>,
    /// What is expected of the form after the decisions of the specification; `None`: there is none yet.
    pub hardened: Option<Expected>,
    /// Tags of the stored cases it is checked by; none: every case, or no case of its own.
    pub tags: &'static [&'static str],
    /// How the names of the constructs begin of which a generated input must hold one; none: every input.
    pub constructs: &'static [&'static str],
    check: Check,
}

/// A check of the form that the ground holds and of which this is expected.
type Check = Box<dyn Fn(&Claim, Expected, &Ground<'_>) -> Checked + Send + Sync>;

/// What a check stands on.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The box.
    pub pool: &'a Pool,
    /// The subject of the claims about sed.
    pub recognizer: Recognizer,
    /// The subject of the claims about regions: the literal one, and within a check that of the form that is asked about.
    pub scanner: Scanner,
    /// The hardened one.
    pub hardened: Scanner,
    /// The form that is asked about.
    pub form: Form,
    /// The stored cases.
    pub cases: &'a [Case],
    /// The seed of everything generated.
    pub seed: u64,
    /// Generated inputs put to a static oracle or a pure property; commands for bash are all run.
    pub inputs: u64,
    /// Of runs of sed, how many of these are run for real.
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
    /// Inputs the oracle could not decide in its time.
    pub undecided: u64,
    /// Why the oracle could not be asked about an input at all; the first reason.
    pub unasked: Option<String>,
    /// How often each of the answers occurred that the claim tells apart; none may be 0.
    pub answers: BTreeMap<&'static str, u64>,
    /// What became of the generated inputs: how many were accepted, refused, wrote, executed, were answered exactly.
    pub figures: BTreeMap<&'static str, u64>,
    /// How often each construct occurred in what the generator of runs of sed made.
    pub constructs: ConstructCounts,
    /// How often each construct of the generator of shell commands occurred in what bash ran.
    pub shell_constructs: ShellConstructCounts,
    /// The smallest example against the claim.
    pub counterexample: Option<String>,
}

impl Checked {
    fn count(&mut self, answer: &'static str) {
        *self.answers.entry(answer).or_default() += 1;
    }

    /// Adds what the check of another claim found, but for what refutes it.
    pub fn add(&mut self, other: &Checked) {
        self.cases += other.cases;
        self.inputs += other.inputs;
        self.executed += other.executed;
        self.undecided += other.undecided;
        self.unasked = self.unasked.take().or_else(|| other.unasked.clone());
        for (name, count) in &other.figures {
            *self.figures.entry(name).or_default() += count;
        }
        self.constructs.merge(&other.constructs);
        self.shell_constructs.merge(&other.shell_constructs);
    }

    /// A figure; 0 if it never occurred.
    pub fn figure(&self, name: &str) -> u64 {
        self.figures.get(name).copied().unwrap_or_default()
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
    /// The forms of which something is expected, and what.
    pub fn forms(&self) -> impl Iterator<Item = (Form, Expected)> {
        let of = |form, expected: Option<Expected>| expected.map(|expected| (form, expected));
        let forms = [
            of(Form::Literal, self.literal),
            of(Form::Hardened, self.hardened),
        ];
        forms.into_iter().flatten()
    }

    /// Checks the claim for one of its forms, whose subjects the ground holds.
    pub fn check(
        &self,
        (form, expected): (Form, Expected),
        ground: &Ground<'_>,
    ) -> (ClaimResult, Checked) {
        let scanner = match form {
            Form::Literal => ground.scanner,
            Form::Hardened => ground.hardened,
        };
        let checked = (self.check)(
            self,
            expected,
            &Ground {
                scanner,
                form,
                ..*ground
            },
        );
        let result = ClaimResult {
            id: self.id,
            sentence: self.sentence,
            form: form.word(),
            expected: expected.word(),
            result: checked.result(),
            cases: checked.cases + checked.inputs,
            counterexample: checked.counterexample.clone(),
        };
        (result, checked)
    }
}

/// Checks claims, several at a time; those that are left when the ground is to be left are not begun, and have no result.
pub fn check_all<'c>(
    claims: &[(&'c Claim, (Form, Expected))],
    ground: &Ground<'_>,
) -> Vec<(&'c Claim, ClaimResult, Checked)> {
    claims
        .par_iter()
        .filter(|_| !ground.stopped())
        .map(|(claim, form)| {
            let (result, checked) = claim.check(*form, ground);
            (*claim, result, checked)
        })
        .collect()
}

/// All claims, in the order of the specifications.
pub fn registry() -> Vec<Claim> {
    let mut claims = sed::claims();
    claims.extend(regions::claims());
    claims
}
