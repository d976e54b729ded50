//! Is a recognizer caught that is wrong on purpose? If not, nothing else in a report counts.
//!
//! One always says read-only, one always says worst case. Each must be caught by the stored cases, by the static oracle and
//! (the first) by what really happens; the same properties judge them that judge the reference.

use super::Ground;
use super::sed::sed_cases;
use crate::generate::{random_bytes, sed};
use crate::property::Failure;
use crate::property::sed::{agrees_with_the_static_oracle, names_what_happens};
use differential::report::Verdict;
use differential::sed::judge::{self, Recognizer, Truth};
use reference::sed::{Answer, Effect, Invocation, Sandbox};
use std::collections::BTreeSet;
use std::fmt;

/// A recognizer that is wrong on purpose.
pub struct Canary {
    /// What it does.
    pub name: &'static str,
    /// The recognizer.
    pub recognizer: Recognizer,
    /// It understates: misses must be found, not false alarms.
    understates: bool,
}

/// How often a canary was caught, and by what.
#[derive(Clone, Copy, Debug)]
pub struct Caught {
    understates: bool,
    misses: u64,
    false_alarms: u64,
    by_static_oracle: u64,
    by_execution: u64,
}

impl Caught {
    /// Was it caught in every way in which it is wrong, and in no other?
    pub fn is_complete(&self) -> bool {
        if self.understates {
            self.misses > 0 && self.by_static_oracle > 0 && self.by_execution > 0
        } else {
            self.false_alarms > 0
                && self.misses == 0
                && self.by_static_oracle > 0
                && self.by_execution == 0
        }
    }
}

impl fmt::Display for Caught {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} misses, {} false alarms, {} by sed --sandbox, {} by running",
            self.misses, self.false_alarms, self.by_static_oracle, self.by_execution
        )
    }
}

/// All canaries.
pub fn canaries() -> [Canary; 2] {
    [
        Canary {
            name: "always read-only",
            recognizer: always_read_only,
            understates: true,
        },
        Canary {
            name: "always worst case",
            recognizer: always_worst,
            understates: false,
        },
    ]
}

impl Canary {
    /// Puts it to the stored cases and to generated input, as the reference is.
    pub fn caught(&self, ground: &Ground<'_>) -> Caught {
        let mut caught = Caught {
            understates: self.understates,
            misses: 0,
            false_alarms: 0,
            by_static_oracle: 0,
            by_execution: 0,
        };
        for (_, case) in sed_cases(ground) {
            let answer = judge::ask(self.recognizer, case);
            match judge::compare(&answer, &Truth::of(case), false).0 {
                Verdict::Miss => caught.misses += 1,
                Verdict::FalseAlarm => caught.false_alarms += 1,
                _ => {}
            }
        }
        for index in 0..ground.inputs {
            if ground.stopped() {
                break;
            }
            let made = sed(&random_bytes(ground.seed, index, super::sed::LONGEST));
            let refuted = |failed: bool| u64::from(failed);
            caught.by_static_oracle += refuted(matches!(
                agrees_with_the_static_oracle(ground.pool, self.recognizer, &made),
                Err(Failure::Refuted(_))
            ));
            caught.by_execution += refuted(matches!(
                names_what_happens(ground.pool, self.recognizer, &made),
                Err(Failure::Refuted(_))
            ));
        }
        caught
    }
}

fn constant(effect: Effect, sandbox: Sandbox, worst: Option<&'static str>) -> Answer {
    Answer {
        effect,
        reads: BTreeSet::new(),
        writes: BTreeSet::new(),
        executes: effect == Effect::Executes,
        shell: BTreeSet::new(),
        sandbox,
        worst,
        elsewhere: BTreeSet::new(),
    }
}

/// It names its words as what is read, so that it is caught for what is written and run, not for operands left out.
fn always_read_only(invocation: &Invocation<'_>) -> Answer {
    let reads = invocation.argv.iter().skip(1).cloned().collect();
    Answer {
        reads,
        ..constant(Effect::ReadOnly, Sandbox::Accepts, None)
    }
}

fn always_worst(_: &Invocation<'_>) -> Answer {
    constant(Effect::Executes, Sandbox::Refuses, Some("always"))
}
