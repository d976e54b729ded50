//! Does every claim fare as it is expected to, and did the generators make what they are there for?
//!
//! One step a specification. A claim that is off its expectation is for the frame to say; here is what speaks against the
//! run as a whole: a construct that never occurred, commands of which too few run, an oracle that could not be asked.

use super::{ground, incomplete, with_bash, with_sed};
use crate::verify::{Context, Outcome};
use differential::conclude::Cause;
use differential::sandbox::Pool;
use fuzz::claims::{Checked, Kind, check_all, registry, unregistered};
use fuzz::generate::{Constructs, Counts};
use std::sync::atomic::Ordering;

/// Generated inputs of a whole run put to the static oracle, unless asked otherwise; a twentieth of them is run.
const GENERATED: u64 = 110_000;
const GENERATED_QUICK: u64 = 12_000;
const EXECUTED: u64 = 20;
/// Generated commands of a whole run, unless asked otherwise, all of which bash runs; else a twentieth of what is asked.
const COMMANDS: u64 = 8_200;
const COMMANDS_QUICK: u64 = 200;
/// With fewer inputs than this a rare construct may be missing by chance.
const ALL_CONSTRUCTS: u64 = 50_000;
/// From so many commands on, of all claims together, each construct has to occur in one that bash ran; a quarter of them has to
/// hold a fragment that runs, and a quarter one that is text.
const ENOUGH: u64 = 5_000;

/// The claims of `docs/spec/sed.md`.
pub(super) fn sed(context: &Context<'_>) -> Outcome {
    let (_, pool) = match with_sed(context) {
        Ok(both) => both,
        Err(reason) => return incomplete(&reason),
    };
    let whole = if context.quick {
        GENERATED_QUICK
    } else {
        GENERATED
    };
    let total = context.generated.unwrap_or(whole);
    let (mut outcome, all) = check(context, pool, "sed.md", total, EXECUTED);
    outcome.add_figures("sed", &all);
    if all.inputs >= ALL_CONSTRUCTS {
        outcome.causes.extend(never_made(&all.constructs));
    }
    outcome.add_constructs("construct", &all.constructs);
    outcome.figures = format!(
        "{}; {} generated: {} accepted, {} refused; {} run: {} wrote, {} executed, {} harmless, {} of them exact; \
         {} undecided",
        outcome.figures,
        all.inputs,
        all.figure("accepted"),
        all.figure("refused"),
        all.executed,
        all.figure("wrote"),
        all.figure("executed"),
        all.figure("harmless"),
        all.figure("exact"),
        all.undecided,
    );
    outcome
}

/// The claims of `docs/spec/regions.md`.
pub(super) fn regions(context: &Context<'_>) -> Outcome {
    let (_, pool) = match with_bash(context) {
        Ok(both) => both,
        Err(reason) => return incomplete(&reason),
    };
    let whole = if context.quick {
        COMMANDS_QUICK
    } else {
        COMMANDS
    };
    let total = context.generated.map_or(whole, |asked| asked / EXECUTED);
    let (mut outcome, all) = check(context, pool, "regions.md", total, 1);
    outcome.add_figures("regions", &all);
    if context.shard.is_none() && all.executed >= ENOUGH {
        outcome.causes.extend(never_made(&all.shell_constructs));
    }
    outcome.add_constructs("shell construct", &all.shell_constructs);
    for figure in ["with runs", "with text"] {
        let count = all.figure(figure);
        if context.shard.is_none() && all.executed >= ENOUGH && count * 4 < all.executed {
            let run = all.executed;
            let cause = format!(
                "of {run} generated commands only {count} are {figure}; a quarter has to be"
            );
            outcome.causes.push(Cause::Off(cause));
        }
    }
    outcome.figures = format!(
        "{}; {} generated commands run: {} accepted, {} with a fragment that runs, {} with one that is text, \
         {} syntax errors, {} undecided; of {} fragments {} misses and {} false alarms of the literal scanner",
        outcome.figures,
        all.executed,
        all.figure("accepted"),
        all.figure("with runs"),
        all.figure("with text"),
        all.figure("syntax errors"),
        all.undecided,
        all.figure("fragments"),
        all.figure("misses"),
        all.figure("false alarms"),
    );
    outcome
}

/// Checks the claims of a specification that are ours, with `total` generated inputs for all of them, of which a part
/// `1/run` is run. What was found, and the sum of all checks.
fn check(
    context: &Context<'_>,
    pool: &Pool,
    source: &str,
    total: u64,
    run: u64,
) -> (Outcome, Checked) {
    let mut outcome = Outcome::default();
    outcome
        .causes
        .extend(unregistered().into_iter().map(Cause::Wrong));
    let registry = registry();
    let of_source = registry.iter().filter(|claim| claim.source == source);
    let share = (total / of_source.count().max(1) as u64).max(1);
    let ours: Vec<_> = registry
        .iter()
        .enumerate()
        .filter(|(_, claim)| claim.source == source)
        .filter(|(at, _)| context.shard.is_none_or(|shard| shard.holds(*at as u64)))
        .flat_map(|(_, claim)| claim.forms().map(move |form| (claim, form)))
        .collect();
    let bar = context.screen.bar("claims", share as usize * ours.len());
    let progress = || bar.inc(1);
    let ground = ground(context, pool, share, share.div_ceil(run), &progress);
    let checked = check_all(&ours, &ground);
    bar.finish_and_clear();
    let mut all = Checked::default();
    for (claim, result, checked) in checked {
        all.add(&checked);
        if claim.kind == Kind::Measured {
            for (answer, count) in &checked.answers {
                let figure = format!("{}: {answer}", claim.id);
                *outcome.generator.entry(figure).or_default() += count;
            }
        }
        // A check that was interrupted says nothing.
        if !context.stop.load(Ordering::Relaxed) {
            outcome.claims.push(result);
        }
    }
    if let Some(why) = &all.unasked {
        outcome.causes.push(Cause::Incomplete(format!(
            "a generated input could not be asked about: {why}"
        )));
    }
    let as_expected = outcome
        .claims
        .iter()
        .filter(|claim| claim.result == claim.expected)
        .count();
    outcome.figures = format!(
        "{as_expected} of {} claims as expected",
        outcome.claims.len()
    );
    (outcome, all)
}

/// The constructs that a whole run did not make.
fn never_made<C: Constructs>(counts: &Counts<C>) -> Option<Cause> {
    let missing = counts.missing();
    let cause = || Cause::Off(format!("the generator never made: {}", missing.join(", ")));
    (!missing.is_empty()).then(cause)
}

impl Outcome {
    fn add_figures(&mut self, area: &str, checked: &Checked) {
        for (name, count) in &checked.figures {
            *self.generator.entry(format!("{area}: {name}")).or_default() += count;
        }
    }

    fn add_constructs<C: Constructs>(&mut self, word: &str, counts: &Counts<C>) {
        let named = counts
            .iter()
            .map(|(name, count)| (format!("{word}: {name}"), count));
        self.generator.extend(named);
    }
}
