//! What do all these cases say about the subject? Selects them, has each examined, counts, applies the ledger.
//!
//! It knows no check: an [`Examine`] judges one case, the front ends print. Its answers come in the order of the
//! corpus, whatever the number of threads.

use crate::conclude::Cause;
use crate::report::{Judgement, Suite, Verdict};
use corpus::{Body, Case, Text};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

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
        let tags: &[String] = match &case.body {
            Body::Sed(case) => &case.tags,
            Body::Regions(case) => &case.tags,
            Body::Command(case) => &case.tags,
            Body::Parity(case) => case.tag.as_slice(),
        };
        self.filter.as_ref().is_none_or(|text| case.name.contains(text.as_str()))
            && self.tag.as_ref().is_none_or(|tag| tags.contains(tag))
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
        Err(format!("no case{what} among the {} read; widen the selection", cases.len()))
    }
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

/// Examines the cases on `jobs` threads and counts. `progress` is called after each case, from any thread. When `stop`
/// becomes true, no further case is begun.
pub fn run(
    cases: &[&Case],
    examine: &dyn Examine,
    execute: bool,
    jobs: usize,
    progress: &(dyn Fn() + Sync),
    stop: &AtomicBool,
) -> Result<Replayed, String> {
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build()
        .map_err(|error| format!("cannot start {jobs} threads: {error}; pass a smaller --jobs"))?;
    let done = AtomicUsize::new(0);
    let one = |case: &&Case| {
        if stop.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let judgements = examined(case, examine, execute);
        done.fetch_add(1, Ordering::Relaxed);
        progress();
        judgements
    };
    let judged: Vec<Vec<Judgement>> = threads.install(|| cases.par_iter().with_max_len(1).map(one).collect());
    let suites = count(cases, &judged);
    Ok(Replayed { suites, judgements: judged.into_iter().flatten().collect(), done: done.into_inner() })
}

/// A check that panics gave no answer, and a host takes a guard that crashes for one that objects to nothing: a miss.
fn examined(case: &Case, examine: &dyn Examine, execute: bool) -> Vec<Judgement> {
    catch_unwind(AssertUnwindSafe(|| examine.examine(case, execute))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        let mut judgement = Judgement::of(case);
        judgement.result = Verdict::Miss;
        judgement.got = "panic".into();
        judgement.why = format!("the check panicked: {}", text.unwrap_or("no text"));
        vec![judgement]
    })
}

/// Counts judgements by file, check and policy. A case without a judgement (not reached) still counts as a line.
fn count(cases: &[&Case], judged: &[Vec<Judgement>]) -> Vec<Suite> {
    let mut suites: Vec<Suite> = Vec::new();
    let mut place = BTreeMap::new();
    for (case, judgements) in cases.iter().zip(judged) {
        let mut lines = Vec::new();
        let file = case.place.file.to_string_lossy();
        let unreached = (check(case), None);
        let keys = judgements.iter().map(|one| ((one.check, one.policy), Some(one.result)));
        let keys = keys.chain(judgements.is_empty().then_some((unreached, None)));
        for ((check, policy), result) in keys {
            let at = *place.entry((file.to_string(), check, policy)).or_insert_with(|| {
                suites.push(Suite { file: file.to_string(), check, policy, ..Suite::default() });
                suites.len() - 1
            });
            if !lines.contains(&at) {
                suites[at].cases += 1;
                lines.push(at);
            }
            if let Some(result) = result {
                suites[at].count(result);
            }
        }
    }
    suites
}

/// The check of a case, as reports name it.
pub fn check(case: &Case) -> &'static str {
    match &case.body {
        Body::Sed(_) => "sed",
        Body::Regions(_) => "regions",
        Body::Parity(_) => "parity",
        Body::Command(_) => "command",
    }
}

/// What the case puts to the subject, as one would type it.
pub fn typed(case: &Case) -> String {
    match &case.body {
        Body::Sed(case) => case.argv.iter().map(|word| quoted(&word.0)).collect::<Vec<_>>().join(" "),
        Body::Regions(case) => verbatim(&case.command),
        Body::Parity(case) => verbatim(&case.command),
        Body::Command(case) => verbatim(&case.command),
    }
}

/// The call that runs one case again.
pub fn rerun(case: &Case) -> String {
    let file = quoted(case.place.file.as_os_str().as_encoded_bytes());
    format!("cargo xtask replay {file} --filter {}", quoted(case.name.as_bytes()))
}

/// A command as it stands; one that is no UTF-8 is quoted whole.
fn verbatim(command: &Text) -> String {
    std::str::from_utf8(&command.0).map(str::to_owned).unwrap_or_else(|_| quoted(&command.0))
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
                        c if c.is_control() => {
                            c.to_string().bytes().map(|byte| format!("\\x{byte:02x}")).collect()
                        }
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
