//! Does real bash ever run what the hardened scanner calls text? Generated commands, all of them run.

use super::{incomplete, with_bash};
use crate::verify::{Context, Outcome};
use corpus::FragmentTruth;
use differential::conclude::Cause;
use fuzz::generate::{ShellCommand, ShellConstructCounts};
use fuzz::property::Failure;
use fuzz::property::regions::Pair;
use fuzz::property::scanner::Commands;
use reference::regions::hardened;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Commands of a whole run, unless asked otherwise, and of a quick one.
const COMMANDS: u64 = 20_000;
const COMMANDS_QUICK: u64 = 600;
/// Of the inputs asked for, one in so many.
const SHARE: u64 = 20;
/// From so many commands on, so many in a hundred have to hold a fragment that runs, and as many text that is called inert.
const ENOUGH: u64 = 5_000;
const PERCENT: u64 = 30;
/// At most so many counterexamples are told.
const TOLD: usize = 20;

/// What was seen so far.
#[derive(Default)]
struct Seen {
    commands: u64,
    figures: BTreeMap<&'static str, u64>,
    constructs: ShellConstructCounts,
    misses: Vec<String>,
    unasked: Option<String>,
}

pub(super) fn is_sound(context: &Context<'_>) -> Outcome {
    let pool = match with_bash(context) {
        Ok((_, pool)) => pool,
        Err(reason) => return incomplete(&reason),
    };
    let count = match (context.generated, context.quick) {
        (Some(inputs), _) => (inputs / SHARE).max(1),
        (None, true) => COMMANDS_QUICK,
        (None, false) => COMMANDS,
    };
    let ours = |at| context.shard.is_none_or(|shard| shard.holds(at));
    let total = (0..count).filter(|&at| ours(at)).count();
    let bar = context.screen.bar("scanner", total);
    let commands = Commands::of(context.seed, &context.corpus.cases);
    let (next, seen) = (AtomicU64::new(0), Mutex::new(Seen::default()));
    std::thread::scope(|scope| {
        for _ in 0..context.jobs {
            scope.spawn(|| {
                while !context.stop.load(Ordering::Relaxed) {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= count {
                        break;
                    }
                    if !ours(at) {
                        continue;
                    }
                    let found = commands.put(at, pool, hardened::regions);
                    bar.inc(1);
                    seen.lock()
                        .expect("no thread panics with it")
                        .add(at, found);
                }
            });
        }
    });
    bar.finish_and_clear();
    let seen = seen.into_inner().expect("no thread panicked with it");
    seen.outcome(context.shard.is_none() && !context.stop.load(Ordering::Relaxed))
}

impl Seen {
    fn add(&mut self, at: u64, found: Result<(ShellCommand, Vec<Pair>), Failure>) {
        self.commands += 1;
        match found {
            Ok((made, pairs)) => {
                self.constructs.add(made.constructs);
                let any = |holds: &dyn Fn(&Pair) -> bool| pairs.iter().any(holds);
                let is = |truth| move |pair: &Pair| pair.truth == truth;
                self.count("with runs", any(&is(FragmentTruth::Runs)));
                self.count("with text", any(&is(FragmentTruth::Text)));
                let is_inert = |pair: &Pair| pair.truth == FragmentTruth::Text && !pair.live;
                self.count("with text called inert", any(&is_inert));
                self.count("syntax errors", any(&is(FragmentTruth::SyntaxError)));
                for pair in &pairs {
                    self.count("fragments that run", pair.truth == FragmentTruth::Runs);
                    self.count("fragments that are text", pair.truth == FragmentTruth::Text);
                    self.count("false alarms", pair.is_false_alarm());
                }
            }
            Err(Failure::Refuted(why)) => {
                self.count("misses", true);
                self.misses.push(format!(
                    "bash runs what the hardened scanner calls text, in generated command {at}:\n{why}"
                ));
            }
            Err(Failure::Undecided(_)) => self.count("undecided", true),
            Err(Failure::Unasked(why)) => {
                self.count("not asked", true);
                self.unasked.get_or_insert(why);
            }
        }
    }

    fn count(&mut self, figure: &'static str, holds: bool) {
        *self.figures.entry(figure).or_default() += u64::from(holds);
    }

    fn figure(&self, name: &str) -> u64 {
        self.figures.get(name).copied().unwrap_or_default()
    }

    /// `whole`: the run was neither interrupted nor shared with others.
    fn outcome(self, whole: bool) -> Outcome {
        let mut outcome = Outcome {
            figures: format!(
                "{} commands run: {} with a fragment that runs, {} with text, {} with text called inert, {} syntax errors, \
                 {} undecided, {} not asked (a change made a verb of a program that is not there); {} misses; {} false alarms of {} text fragments",
                self.commands,
                self.figure("with runs"),
                self.figure("with text"),
                self.figure("with text called inert"),
                self.figure("syntax errors"),
                self.figure("undecided"),
                self.figure("not asked"),
                self.figure("misses"),
                self.figure("false alarms"),
                self.figure("fragments that are text"),
            ),
            ..Outcome::default()
        };
        if whole && self.commands >= ENOUGH {
            for name in ["with runs", "with text called inert"] {
                let (found, of) = (self.figure(name), self.commands);
                if found * 100 < of * PERCENT {
                    let cause =
                        format!("of {of} commands only {found} are {name}; {PERCENT} % have to be");
                    outcome.causes.push(Cause::Off(cause));
                }
            }
            let missing = self.constructs.missing();
            if !missing.is_empty() {
                let cause = format!("the generator never made: {}", missing.join(", "));
                outcome.causes.push(Cause::Off(cause));
            }
        }
        let not_asked = self.figure("not asked");
        if let Some(why) = self
            .unasked
            .as_ref()
            .filter(|_| not_asked * 100 > self.commands)
        {
            let cause = format!(
                "{not_asked} of {} commands could not be asked about, the first: {why}",
                self.commands
            );
            outcome.causes.push(Cause::Incomplete(cause));
        }
        let misses = self.misses.into_iter().take(TOLD);
        outcome.causes.extend(misses.map(Cause::Off));
        for (name, count) in self.figures {
            outcome.generator.insert(format!("scanner: {name}"), count);
        }
        outcome
    }
}
