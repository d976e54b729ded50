//! Does each program of the table do no more than its entry says? Invocations made from the entries, run under the real programs.

use super::{incomplete, with_bash};
use crate::verify::{Context, Outcome};
use differential::conclude::Cause;
use fuzz::property::Failure;
use fuzz::property::programs::{self, ENTRIES, Ran};
use reference::programs::usage;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Invocations an entry in a whole run, at least: each option is used twice besides.
const INVOCATIONS: u64 = 20;
/// Of the inputs asked for, one in so many.
const SHARE: u64 = 20;

/// What was seen so far.
#[derive(Default)]
struct Seen {
    runs: u64,
    claims: u64,
    started: u64,
    undecided: BTreeSet<String>,
    absent: BTreeSet<String>,
    /// The entries of which some invocation got past the options.
    exercised: BTreeSet<usize>,
    /// The entries that were tried.
    tried: BTreeSet<usize>,
    causes: Vec<Cause>,
}

pub(super) fn do_no_more_than_said(context: &Context<'_>) -> Outcome {
    let pool = match with_bash(context) {
        Ok((_, pool)) => pool,
        Err(reason) => return incomplete(&reason),
    };
    let rounds = |entry| match (context.generated, context.quick) {
        (Some(inputs), _) => (inputs / SHARE / ENTRIES.len() as u64).max(1),
        (None, true) => 1,
        (None, false) => programs::invocations(entry, INVOCATIONS),
    };
    let ours = |at: usize| context.shard.is_none_or(|shard| shard.holds(at as u64));
    let all: Vec<(usize, u64)> = (0..ENTRIES.len())
        .flat_map(|entry| (0..rounds(entry)).map(move |round| (entry, round)))
        .enumerate()
        .filter(|(at, _)| ours(*at))
        .map(|(_, each)| each)
        .collect();
    let bar = context.screen.bar("programs", all.len());
    let (next, seen) = (AtomicUsize::new(0), Mutex::new(Seen::default()));
    std::thread::scope(|scope| {
        for _ in 0..context.jobs {
            scope.spawn(|| {
                while !context.stop.load(Ordering::Relaxed) {
                    let Some(&(entry, round)) = all.get(next.fetch_add(1, Ordering::Relaxed))
                    else {
                        break;
                    };
                    let invocation = programs::generated(context.seed, entry, round);
                    let found = programs::does_no_more_than_said(pool, usage, &invocation);
                    bar.inc(1);
                    seen.lock()
                        .expect("no thread panics with it")
                        .add(entry, found);
                }
            });
        }
    });
    bar.finish_and_clear();
    let mut seen = seen.into_inner().expect("no thread panicked with it");
    // A part of a run, or a short one, need not get past the options of each.
    if context.shard.is_none()
        && context.generated.is_none()
        && !context.quick
        && !context.stop.load(Ordering::Relaxed)
    {
        seen.missed();
    }
    Outcome {
        figures: seen.figures(),
        causes: seen.causes,
        ..Outcome::default()
    }
}

impl Seen {
    fn add(&mut self, entry: usize, found: Result<Ran, Failure>) {
        match found {
            Ok(ran) => {
                self.runs += 1;
                self.tried.insert(entry);
                self.claims += u64::from(ran.claims);
                self.started += u64::from(ran.started);
                if ran.accepted {
                    self.exercised.insert(entry);
                }
            }
            Err(Failure::Refuted(why)) => {
                self.runs += 1;
                self.causes
                    .push(Cause::Off(format!("the table of programs is wrong: {why}")));
            }
            Err(Failure::Unasked(name)) => {
                self.absent.insert(name);
            }
            Err(Failure::Undecided(why)) => {
                self.tried.insert(entry);
                self.undecided.insert(why);
            }
        }
    }

    /// Entries that were tried and never exercised.
    fn missed(&mut self) {
        for &entry in self.tried.difference(&self.exercised) {
            self.causes.push(Cause::Off(format!(
                "no invocation of {} got past its options",
                ENTRIES[entry].names[0]
            )));
        }
    }

    fn figures(&self) -> String {
        let options: usize = ENTRIES.iter().map(|entry| entry.options.len()).sum();
        let absent = Vec::from_iter(self.absent.iter().map(String::as_str)).join(" ");
        format!(
            "{} invocations of {} entries with {options} options: {} not all unknown, {} started a canary as they may, {} not decided; \
             not installed: {absent}",
            self.runs,
            ENTRIES.len(),
            self.claims,
            self.started,
            self.undecided.len(),
        )
    }
}
