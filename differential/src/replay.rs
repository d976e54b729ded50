//! What do all these cases say about the subject? Selects them, has each examined, counts, applies the ledger.
//!
//! It knows no check: an [`Examine`] judges one case, the front ends print. Its answers come in the order of the
//! corpus, whatever the number of threads.

use crate::conclude::Cause;
use crate::report::{Judgement, Suite, Verdict};
use corpus::{Body, Case, Judged, Ledger, Text};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// Somebody who judges a case: a subject with the oracles that know the truth.
pub trait Examine: Sync {
    /// Judges one case, every check, fragment and policy that applies. With `execute` its truth is measured again,
    /// else the stored truth holds.
    fn examine(&self, case: &Case, execute: bool) -> Vec<Judgement>;
    /// The programs that were asked, with their versions.
    fn versions(&self) -> BTreeMap<String, String>;
    /// The form of the box in force; `None` when nothing is run.
    fn form(&self) -> Option<String>;
}

/// Which cases.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// A part of the name.
    pub filter: Option<String>,
    /// One of the tags.
    pub tag: Option<String>,
}

impl Selection {
    /// Is this case among them?
    pub fn holds(&self, case: &Case) -> bool {
        self.filter
            .as_ref()
            .is_none_or(|text| case.name.contains(text.as_str()))
            && self
                .tag
                .as_ref()
                .is_none_or(|tag| case.tags().contains(tag))
    }

    /// The cases selected, in order. Errors: nothing is selected (a wrong call).
    pub fn of<'c>(&self, cases: &'c [Case]) -> Result<Vec<&'c Case>, String> {
        let selected: Vec<&Case> = cases.iter().filter(|case| self.holds(case)).collect();
        if !selected.is_empty() {
            return Ok(selected);
        }
        let mut what = String::new();
        if let Some(text) = &self.filter {
            what.push_str(&format!(" whose name contains \"{text}\""));
        }
        if let Some(tag) = &self.tag {
            what.push_str(&format!(" with the tag \"{tag}\""));
        }
        Err(format!(
            "no case{what} among the {} read; widen the selection",
            cases.len()
        ))
    }
}

/// Which form of the reference is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// After the decisions of its specification.
    #[default]
    Hardened,
    /// Exactly as described, holes included.
    Literal,
}

impl Form {
    /// The word of the command line and the reports.
    pub fn word(self) -> &'static str {
        match self {
            Form::Hardened => "hardened",
            Form::Literal => "literal",
        }
    }
}

/// How a replay is done.
#[derive(Clone, Copy, Debug)]
pub struct How {
    /// The form judged; it stands in the call that runs a case again.
    pub form: Form,
    /// Measure every truth again.
    pub execute: bool,
    /// Number of threads, at least 1.
    pub jobs: usize,
}

/// What a replay gave.
#[derive(Clone, Debug, Default)]
pub struct Replayed {
    /// Counts by file, check and policy, in the order of the corpus.
    pub suites: Vec<Suite>,
    /// Every judgement, in the order of the corpus.
    pub judgements: Vec<Judgement>,
    /// Cases examined; fewer than selected after an interruption.
    pub done: usize,
}

/// Examines the cases on `how.jobs` threads and counts. `progress` is called after each case, from any thread. When
/// `stop` becomes true, no further case is begun. Errors: the threads cannot be started.
pub fn run(
    cases: &[&Case],
    examine: &dyn Examine,
    how: How,
    progress: &(dyn Fn() + Sync),
    stop: &AtomicBool,
) -> Result<Replayed, String> {
    let How {
        form,
        execute,
        jobs,
    } = how;
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build()
        .map_err(|error| format!("cannot start {jobs} threads: {error}; pass a smaller --jobs"))?;
    let one = |case: &&Case| {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut judgements = examined(case, examine, execute);
        if form == Form::Literal {
            judgements
                .iter_mut()
                .for_each(|one| one.rerun.push_str(" --form literal"));
        }
        progress();
        Some(judgements)
    };
    let judged: Vec<Option<Vec<Judgement>>> =
        threads.install(|| cases.par_iter().with_max_len(1).map(one).collect());
    Ok(Replayed {
        suites: count(cases, &judged),
        done: judged.iter().flatten().count(),
        judgements: judged.into_iter().flatten().flatten().collect(),
    })
}

/// A check that panics gave no answer, and a host takes a guard that crashes for one that objects to nothing: a miss.
fn examined(case: &Case, examine: &dyn Examine, execute: bool) -> Vec<Judgement> {
    catch_unwind(AssertUnwindSafe(|| examine.examine(case, execute))).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or(panic.downcast_ref::<&str>().copied());
        let mut judgement = Judgement::of(case);
        judgement.result = Verdict::Miss;
        judgement.got = "panic".into();
        judgement.why = format!("the check panicked: {}", text.unwrap_or("no text"));
        vec![judgement]
    })
}

/// Counts judgements by file, check and policy. A case that was not reached counts as a line of its file.
fn count(cases: &[&Case], judged: &[Option<Vec<Judgement>>]) -> Vec<Suite> {
    let mut suites: Vec<Suite> = Vec::new();
    let mut places = BTreeMap::new();
    for (case, judgements) in cases.iter().zip(judged) {
        let judgements = judgements.as_deref().unwrap_or_default();
        let mut of_this_line: Vec<usize> = Vec::new();
        let results = judgements
            .iter()
            .map(|one| (one.check, one.policy, Some(one.result)));
        for (check, policy, result) in results.chain(
            judgements
                .is_empty()
                .then(|| (case.check().word(), None, None)),
        ) {
            let file = &case.place.file;
            let at = *places.entry((file, check, policy)).or_insert_with(|| {
                suites.push(Suite {
                    file: file.clone(),
                    check,
                    policy,
                    ..Suite::default()
                });
                suites.len() - 1
            });
            if !of_this_line.contains(&at) {
                of_this_line.push(at);
                suites[at].cases += 1;
            }
            if let Some(result) = result {
                suites[at].count(result);
            }
        }
    }
    suites
}

/// Marks the judgements that the ledger knows, and says which of its entries are not true any more. `known` holds the
/// names of all cases; `None` when only some files were loaded, and then no entry is blamed for naming no case.
pub fn apply_ledger(
    ledger: &Ledger,
    form: Form,
    known: Option<&[Case]>,
    judgements: &mut [Judgement],
) -> Vec<Cause> {
    for one in judgements.iter_mut() {
        one.listed = one.result != Verdict::Agree && ledger.lists(&judged(one, form));
    }
    let listed = ledger
        .entries
        .iter()
        .map(|entry| entry.id.as_str())
        .filter(|_| known.is_none());
    let names = known
        .unwrap_or_default()
        .iter()
        .map(|case| case.name.as_str())
        .chain(listed);
    ledger
        .stale(judgements.iter().map(|one| judged(one, form)), names)
        .into_iter()
        .map(Cause::Wrong)
        .collect()
}

/// A judgement in the words of the ledger. Parity is asked of the literal scanner whatever the form.
fn judged(one: &Judgement, form: Form) -> Judged<'_> {
    let form = if one.check == "parity" {
        Form::Literal
    } else {
        form
    };
    Judged {
        id: &one.id,
        check: one.check,
        policy: one.policy,
        form: form.word(),
        result: one.result.word(),
    }
}

/// What the case puts to the subject, as one would type it.
pub fn typed(case: &Case) -> String {
    match &case.body {
        Body::Sed(case) => case
            .argv
            .iter()
            .map(|word| quoted(&word.0))
            .collect::<Vec<_>>()
            .join(" "),
        Body::Regions(case) => verbatim(&case.command),
        Body::Parity(case) => verbatim(&case.command),
        Body::Command(case) => verbatim(&case.command),
    }
}

/// The call that runs one case again.
pub fn rerun(case: &Case) -> String {
    let file = quoted(case.place.file.as_os_str().as_encoded_bytes());
    format!(
        "cargo xtask replay {file} --filter {}",
        quoted(case.name.as_bytes())
    )
}

/// A command as it stands; one that is no UTF-8 is quoted whole.
fn verbatim(command: &Text) -> String {
    std::str::from_utf8(&command.0)
        .map(str::to_owned)
        .unwrap_or_else(|_| quoted(&command.0))
}

/// A word as bash would take it back: bare where it can stand so, else in `'…'`, or in `$'…'` if it holds bytes outside
/// UTF-8 or control characters.
pub fn quoted(word: &[u8]) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"%+,-./:=@_".contains(byte);
    match std::str::from_utf8(word) {
        Ok(text) if !text.is_empty() && word.iter().all(plain) => text.to_owned(),
        Ok(text) if !text.contains(|c: char| c.is_control() && c != '\n') => {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
        _ => {
            let inside: String = word
                .utf8_chunks()
                .flat_map(|chunk| {
                    let text = chunk.valid().chars().map(|c| match c {
                        '\'' | '\\' => format!("\\{c}"),
                        c if c.is_control() => c
                            .to_string()
                            .bytes()
                            .map(|byte| format!("\\x{byte:02x}"))
                            .collect(),
                        c => c.to_string(),
                    });
                    let rest = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
                    text.chain(rest).collect::<Vec<_>>()
                })
                .collect();
            format!("$'{inside}'")
        }
    }
}

/// Nobody: the judge of a check that has no subject yet.
pub struct NoSubject;

impl Examine for NoSubject {
    fn examine(&self, case: &Case, _: bool) -> Vec<Judgement> {
        let mut judgement = Judgement::of(case);
        judgement.why = "no subject for this check yet".to_owned();
        vec![judgement]
    }
    fn versions(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }
    fn form(&self) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests;
