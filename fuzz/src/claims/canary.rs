//! Is a subject caught that is wrong on purpose? If not, nothing else in a report counts.
//!
//! A recognizer that always says read-only and one that always says worst case; a scanner that calls everything text and one
//! that calls nothing so. Each must be caught by the stored cases, and by each oracle that its error shows to; the same
//! properties judge them that judge the reference.

use super::Ground;
use super::sed::sed_cases;
use crate::generate::{random_bytes, sed, shell};
use crate::property::Failure;
use crate::property::regions::{Pair, literal_agrees_with_bash};
use crate::property::sed::{agrees_with_the_static_oracle, names_what_happens};
use corpus::Body;
use differential::regions::Scanner;
use differential::report::Verdict;
use differential::sed::judge::{self, Recognizer, Truth};
use reference::regions::Span;
use reference::regions::literal::is_live;
use reference::sed::{Answer, Effect, Invocation, Sandbox};
use std::collections::BTreeSet;
use std::fmt;

/// A subject that is wrong on purpose.
pub struct Canary {
    /// What it does.
    pub name: &'static str,
    /// It understates: misses must be found, not false alarms.
    understates: bool,
    subject: Subject,
}

enum Subject {
    Recognizer(Recognizer),
    Scanner(Scanner),
}

/// How often a canary was caught, and by what.
#[derive(Clone, Copy, Debug)]
pub struct Caught {
    understates: bool,
    misses: u64,
    false_alarms: u64,
    /// By `sed --sandbox`; `None`: it is not asked about such a subject.
    by_static_oracle: Option<u64>,
    by_execution: u64,
    /// What it overstates does not show when it is run.
    is_silent: bool,
}

impl Caught {
    /// Was it caught in every way in which it is wrong, and in no other?
    pub fn is_complete(&self) -> bool {
        let right_way = match self.understates {
            true => self.misses > 0,
            false => self.false_alarms > 0 && self.misses == 0,
        };
        right_way && self.by_static_oracle != Some(0) && (self.by_execution > 0) != self.is_silent
    }
}

impl fmt::Display for Caught {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} misses, {} false alarms, ",
            self.misses, self.false_alarms
        )?;
        if let Some(count) = self.by_static_oracle {
            write!(f, "{count} by sed --sandbox, ")?;
        }
        write!(f, "{} by running", self.by_execution)
    }
}

/// All canaries.
pub fn canaries() -> [Canary; 4] {
    [
        (
            "always read-only",
            true,
            Subject::Recognizer(always_read_only),
        ),
        (
            "always worst case",
            false,
            Subject::Recognizer(always_worst),
        ),
        ("everything inert", true, Subject::Scanner(everything_inert)),
        ("everything live", false, Subject::Scanner(everything_live)),
    ]
    .map(|(name, understates, subject)| Canary {
        name,
        understates,
        subject,
    })
}

impl Canary {
    /// Puts it to the stored cases and to generated input, as the reference is. The subjects of the ground are not asked.
    pub fn caught(&self, ground: &Ground<'_>) -> Caught {
        let mut caught = Caught {
            understates: self.understates,
            misses: 0,
            false_alarms: 0,
            by_static_oracle: None,
            by_execution: 0,
            is_silent: false,
        };
        match self.subject {
            Subject::Recognizer(recognizer) => {
                caught.is_silent = !self.understates;
                try_recognizer(recognizer, ground, &mut caught);
            }
            Subject::Scanner(scanner) => try_scanner(scanner, ground, &mut caught),
        }
        caught
    }
}

/// The bytes of the generated inputs.
fn inputs(ground: &Ground<'_>) -> impl Iterator<Item = Vec<u8>> {
    (0..ground.inputs)
        .take_while(|_| !ground.stopped())
        .map(|index| random_bytes(ground.seed, index, super::sed::LONGEST))
}

fn is_refuted<T>(result: &Result<T, Failure>) -> u64 {
    u64::from(matches!(result, Err(Failure::Refuted(_))))
}

fn try_recognizer(recognizer: Recognizer, ground: &Ground<'_>, caught: &mut Caught) {
    for (_, case) in sed_cases(ground) {
        let answer = judge::ask(recognizer, case);
        match judge::compare(&answer, &Truth::of(case), false).0 {
            Verdict::Miss => caught.misses += 1,
            Verdict::FalseAlarm => caught.false_alarms += 1,
            _ => {}
        }
    }
    let mut by_static_oracle = 0;
    for bytes in inputs(ground) {
        let made = sed(&bytes);
        by_static_oracle += is_refuted(&agrees_with_the_static_oracle(
            ground.pool,
            recognizer,
            &made,
        ));
        caught.by_execution += is_refuted(&names_what_happens(ground.pool, recognizer, &made));
    }
    caught.by_static_oracle = Some(by_static_oracle);
}

fn try_scanner(scanner: Scanner, ground: &Ground<'_>, caught: &mut Caught) {
    for case in ground.cases {
        let Body::Regions(case) = &case.body else {
            continue;
        };
        let regions = scanner(&case.command.0);
        for fragment in &case.fragments {
            let live = is_live(&regions, fragment.start);
            let truth = fragment.truth;
            caught.misses += u64::from(Pair { truth, live }.is_miss());
            caught.false_alarms += u64::from(Pair { truth, live }.is_false_alarm());
        }
    }
    for bytes in inputs(ground) {
        caught.by_execution += is_refuted(&literal_agrees_with_bash(
            ground.pool,
            scanner,
            &shell(&bytes),
        ));
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

fn everything_inert(command: &[u8]) -> Vec<Span> {
    let end = command.len();
    vec![Span { start: 0, end }]
}

fn everything_live(_: &[u8]) -> Vec<Span> {
    Vec::new()
}
