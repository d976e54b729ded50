//! Does the recognizer's answer agree with the truth of a case?
//!
//! A miss is what the answer leaves out: a path read or written, a command run, a refusal of `sed --sandbox`. A false
//! alarm is what it adds to writes and commands. Reads it adds do no harm (operands after an error or a `q`), and neither
//! does calling an error read-only.

use super::Fixture;
use crate::report::{Verdict, text};
use corpus::{SedCase, SedEffect, Text};
use reference::sed::{Answer, Effect, Invocation, Sandbox};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A recognizer under test: the reference, or a canary.
pub type Recognizer = fn(&Invocation<'_>) -> Answer;

/// What is known to happen: of one run, and of other input where a case asks about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    /// The strongest effect.
    pub effect: SedEffect,
    /// Paths sed tried to open for reading, with any input measured.
    pub reads: BTreeSet<Vec<u8>>,
    /// Paths sed wrote.
    pub writes: BTreeSet<Vec<u8>>,
    /// A command was run.
    pub executes: bool,
    /// Other input makes it write, whatever the path.
    pub may_write: bool,
    /// Other input makes it run a command.
    pub may_execute: bool,
    /// `sed --sandbox` gets past options and script.
    pub sandbox_accepts: bool,
}

fn set(list: &[Text]) -> BTreeSet<Vec<u8>> {
    list.iter().map(|text| text.0.clone()).collect()
}

impl Truth {
    /// The truth that a case stores.
    pub fn of(case: &SedCase) -> Self {
        let mut reads = set(&case.reads);
        reads.extend(case.may_reads.iter().flatten().map(|text| text.0.clone()));
        Truth {
            effect: case.effect,
            reads,
            writes: set(&case.writes),
            executes: case.executes,
            may_write: case.may.is_some_and(|may| may.writes),
            may_execute: case.may.is_some_and(|may| may.executes),
            sandbox_accepts: case.sandbox_accepts,
        }
    }

    /// In the words of the case format.
    pub fn to_json(&self) -> Value {
        let mut value = json!({
            "effect": effect_word(self.effect), "reads": paths(&self.reads), "writes": paths(&self.writes),
            "executes": self.executes, "sandbox_accepts": self.sandbox_accepts,
        });
        if self.may_write || self.may_execute {
            value["may"] = json!({"writes": self.may_write, "executes": self.may_execute});
        }
        value
    }
}

fn paths(set: &BTreeSet<Vec<u8>>) -> Value {
    set.iter().map(|path| text(path)).collect()
}

/// The word of an effect.
pub fn effect_word(effect: SedEffect) -> &'static str {
    match effect {
        SedEffect::ReadOnly => "read_only",
        SedEffect::Error => "error",
        SedEffect::Writes => "writes",
        SedEffect::Executes => "executes",
    }
}

/// An answer in the words of the case format.
pub fn answer_json(answer: &Answer) -> Value {
    let effect = match answer.effect {
        Effect::ReadOnly => "read_only",
        Effect::Error => "error",
        Effect::Writes => "writes",
        Effect::Executes => "executes",
    };
    let mut value = json!({
        "effect": effect, "reads": paths(&answer.reads), "writes": paths(&answer.writes),
        "executes": answer.executes, "sandbox_accepts": answer.sandbox == Sandbox::Accepts,
    });
    if let Some(reason) = answer.worst {
        value["worst"] = reason.into();
    }
    if !answer.elsewhere.is_empty() {
        value["elsewhere"] = answer.elsewhere.iter().copied().collect();
    }
    value
}

/// Puts a case to a recognizer.
///
/// A case that asks about other input too withholds that input; what `sed --sandbox` says was measured with it.
pub fn ask(recognizer: Recognizer, case: &SedCase) -> Answer {
    let argv: Vec<Vec<u8>> = case.argv.iter().map(|word| word.0.clone()).collect();
    let env = super::oracle::environment_of(case);
    let fixture = Fixture::of(case);
    let put = |world: &Fixture| {
        recognizer(&Invocation {
            argv: &argv,
            env: &env,
            world,
        })
    };
    let mut answer = put(&fixture);
    answer.sandbox = put(&fixture.closed()).sandbox;
    answer
}

/// Compares; with the reason in a sentence unless they agree. `unreachable`: saying that it executes is also right.
pub fn compare(answer: &Answer, truth: &Truth, unreachable: bool) -> (Verdict, String) {
    if let Some(why) = missed(answer, truth) {
        return (Verdict::Miss, why);
    }
    match overstated(answer, truth, unreachable) {
        Some(why) => (Verdict::FalseAlarm, why),
        None => (Verdict::Agree, String::new()),
    }
}

/// What the answer leaves out.
pub fn missed(answer: &Answer, truth: &Truth) -> Option<String> {
    if (truth.executes || truth.may_execute) && !answer.executes {
        return Some("it runs a command".to_owned());
    }
    if truth.may_write && !answer.may_write() {
        return Some("it writes with other input".to_owned());
    }
    if answer.worst.is_none() {
        if let Some(path) = truth.writes.difference(&answer.writes).next() {
            return Some(format!("it writes {}", Text(path.clone())));
        }
        if let Some(path) = truth.reads.difference(&answer.reads).next() {
            return Some(format!("it reads {}", Text(path.clone())));
        }
    }
    (answer.sandbox == Sandbox::Accepts && !truth.sandbox_accepts)
        .then(|| "`sed --sandbox` refuses it".to_owned())
}

/// What the answer adds.
fn overstated(answer: &Answer, truth: &Truth, unreachable: bool) -> Option<String> {
    if answer.executes && !truth.executes && !truth.may_execute && !unreachable {
        return Some("it runs no command".to_owned());
    }
    if !truth.may_write {
        if let Some(path) = answer.writes.difference(&truth.writes).next() {
            return Some(format!("it does not write {}", Text(path.clone())));
        }
        if answer.may_write() && truth.writes.is_empty() && !unreachable {
            return Some("it writes nothing".to_owned());
        }
    }
    (answer.sandbox != Sandbox::Accepts && truth.sandbox_accepts)
        .then(|| "`sed --sandbox` accepts it".to_owned())
}
