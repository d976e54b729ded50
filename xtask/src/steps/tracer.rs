//! Do the tracer and the snapshot tell the same story of generated commands? Both are evidence, and share no code.

use super::{incomplete, with_sed};
use crate::verify::{Context, Outcome};
use differential::conclude::Cause;
use differential::sandbox::{Compared, Form};
use fuzz::property::{Failure, trace};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Commands of a whole run, unless asked otherwise, and of a quick one.
const COMMANDS: u64 = 6_000;
const COMMANDS_QUICK: u64 = 300;
/// Of the inputs asked for, one in so many.
const SHARE: u64 = 20;

/// What was seen so far.
#[derive(Default)]
struct Seen {
    runs: u64,
    undecided: u64,
    compared: Compared,
    causes: Vec<Cause>,
}

pub(super) fn agrees(context: &Context<'_>) -> Outcome {
    let pool = match with_sed(context) {
        Ok((_, pool)) => pool,
        Err(reason) => return incomplete(&reason),
    };
    if pool.form() == Form::Landlock {
        return Outcome {
            figures:
                "not compared: the form landlock does not show the calls that set modes and times"
                    .to_owned(),
            ..Outcome::default()
        };
    }
    let count = match (context.generated, context.quick) {
        (Some(inputs), _) => (inputs / SHARE).max(1),
        (None, true) => COMMANDS_QUICK,
        (None, false) => COMMANDS,
    };
    let ours = |at| context.shard.is_none_or(|shard| shard.holds(at));
    let total = (0..count).filter(|&at| ours(at)).count();
    let bar = context.screen.bar("tracer", total);
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
                    let job = trace::generated(context.seed, at);
                    let found = trace::tracer_and_snapshot_agree(pool, &job);
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
    Outcome {
        figures: format!(
            "{} commands: {} changes and reads explained by {} calls, {} calls not decided, {} commands not decided",
            seen.runs,
            seen.compared.explained,
            seen.compared.calls,
            seen.compared.skipped,
            seen.undecided
        ),
        causes: seen.causes,
        ..Outcome::default()
    }
}

impl Seen {
    fn add(&mut self, at: u64, found: Result<Compared, Failure>) {
        self.runs += 1;
        match found {
            Ok(compared) => {
                self.undecided += u64::from(compared.undecided);
                self.compared += compared;
            }
            Err(Failure::Refuted(why)) => self.causes.push(Cause::Off(format!(
                "tracer and snapshot contradict each other in generated command {at}: {why}"
            ))),
            Err(Failure::Undecided(why) | Failure::Unasked(why)) => {
                self.causes.push(Cause::Incomplete(why));
            }
        }
    }
}
