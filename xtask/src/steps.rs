//! Which steps does `verify` take, and which library function does each call?
//!
//! A step is one function from the context to what it found. It prints nothing; it returns figures, judgements, claims
//! and causes, and the frame in [`crate::verify`] does the rest.

use crate::cli::Area;
use crate::verify::{Context, Outcome, StepPlan};
use corpus::Case;
use differential::conclude::Cause;
use differential::escape::{self, attempts};
use differential::examine::Examiner;
use differential::replay::{self, Form, How};
use differential::sandbox::{Options, Pool};
use fuzz::claims::{self, Ground};
use fuzz::generate::ConstructCounts;
use fuzz::property::Failure;
use reference::sed::answer;
use std::sync::atomic::Ordering;

/// Cheap steps first. The ledger is judged by what the corpus step found.
pub(crate) const PLAN: &[StepPlan] = &[
    StepPlan {
        name: "format",
        areas: &[],
        run: format,
    },
    StepPlan {
        name: "box",
        areas: &[Area::Box],
        run: attacks,
    },
    StepPlan {
        name: "corpus",
        areas: &[Area::Corpus],
        run: corpus,
    },
    StepPlan {
        name: "ledger",
        areas: &[Area::Corpus],
        run: ledger,
    },
    StepPlan {
        name: "claims",
        areas: &[Area::Sed],
        run: claims,
    },
    StepPlan {
        name: "seeds",
        areas: &[Area::Fuzz],
        run: seeds,
    },
    StepPlan {
        name: "canary",
        areas: &[],
        run: canary,
    },
];

/// The subject with its oracles. Errors: there is no box, and the remedy. A program that is missing in the box is said
/// case by case.
pub(crate) fn subject(execute: bool, jobs: usize) -> Result<Examiner, String> {
    if !execute {
        return Ok(Examiner::without_box(answer));
    }
    Examiner::with_box(answer, jobs).map_err(|unavailable| unavailable.to_string())
}

/// The corpora keep to their form; they would not have been loaded otherwise.
fn format(context: &Context<'_>) -> Outcome {
    let (cases, files) = (context.corpus.cases.len(), context.corpus.files.len());
    let causes = match cases {
        0 => vec![Cause::Wrong(
            "no case was read; corpus/cases is empty".to_owned(),
        )],
        _ => Vec::new(),
    };
    Outcome {
        figures: format!("{cases} cases in {files} files"),
        causes,
        ..Outcome::default()
    }
}

/// Every stored case, its truth measured again.
fn corpus(context: &Context<'_>) -> Outcome {
    let subject = match context.subject {
        Ok(subject) => subject,
        Err(reason) => return incomplete(reason),
    };
    let ours = |at: usize| context.shard.is_none_or(|shard| shard.holds(at as u64));
    let cases: Vec<&Case> = context
        .corpus
        .cases
        .iter()
        .enumerate()
        .filter(|(at, _)| ours(*at))
        .map(|(_, case)| case)
        .collect();
    let bar = context.screen.bar("corpus", cases.len());
    let how = How {
        form: Form::Hardened,
        execute: true,
        jobs: context.jobs,
    };
    let replayed = replay::run(&cases, subject, how, &|| bar.inc(1), context.stop);
    bar.finish_and_clear();
    let mut replayed = match replayed {
        Ok(replayed) => replayed,
        Err(reason) => return incomplete(&reason),
    };
    // What is stale is the ledger step's to say.
    replay::apply_ledger(
        context.ledger,
        Form::Hardened,
        None,
        &mut replayed.judgements,
    );
    Outcome {
        figures: format!("{} of {} cases", replayed.done, cases.len()),
        suites: replayed.suites,
        judgements: replayed.judgements,
        ..Outcome::default()
    }
}

/// Every entry of the ledger is still true.
fn ledger(context: &Context<'_>) -> Outcome {
    let mut judgements = context.so_far.judgements.clone();
    let known = Some(context.corpus.cases.as_slice());
    let causes = replay::apply_ledger(context.ledger, Form::Hardened, known, &mut judgements);
    let figures = format!(
        "{} entries, {} stale",
        context.ledger.entries.len(),
        causes.len()
    );
    Outcome {
        figures,
        causes,
        ..Outcome::default()
    }
}

/// The escape attempts against the box, as whoever runs this and, from root, as an ordinary user too.
fn attacks(context: &Context<'_>) -> Outcome {
    let mut outcome = Outcome::default();
    let ways: &[Option<u32>] = if escape::from_root() {
        &[None, Some(ORDINARY)]
    } else {
        &[None]
    };
    let attempts = attempts();
    let bar = context.screen.bar("box", attempts.len() * ways.len());
    let mut held = 0;
    for (way, as_user) in ways.iter().enumerate() {
        let pool = match Pool::start(
            1,
            Options {
                as_user: *as_user,
                ..Options::default()
            },
        ) {
            Ok(pool) => pool,
            Err(unavailable) => return incomplete(&unavailable.to_string()),
        };
        for attempt in attempts {
            if context.stop.load(Ordering::Relaxed) {
                break;
            }
            let seen = escape::run(&pool, attempt);
            bar.inc(1);
            let what = format!("{} ({}): {}", attempt.id, attempt.tries, seen.detail);
            match seen {
                escape::Outcome { held: true, .. } => held += 1,
                escape::Outcome { tried: true, .. } => outcome.causes.push(Cause::Off(what)),
                // One way is enough to say that a program is missing.
                _ if way == 0 => outcome.causes.push(Cause::Incomplete(what)),
                _ => {}
            }
        }
    }
    bar.finish_and_clear();
    let users = if ways.len() == 2 {
        "as root and as an ordinary user"
    } else {
        "as an ordinary user only"
    };
    outcome.figures = format!(
        "{held} of {} attempts held, {users}",
        attempts.len() * ways.len()
    );
    outcome
}

/// Generated inputs of a whole run put to the static oracle, unless asked otherwise; a twentieth of them is run.
const GENERATED: u64 = 110_000;
const GENERATED_QUICK: u64 = 12_000;
const EXECUTED: u64 = 20;
/// With fewer inputs than this a rare construct may be missing by chance.
const ALL_CONSTRUCTS: u64 = 50_000;

/// Every claim of the registry, by stored cases and generated input.
fn claims(context: &Context<'_>) -> Outcome {
    let (examiner, pool) = match with_sed(context) {
        Ok(both) => both,
        Err(reason) => return incomplete(&reason),
    };
    let mut outcome = Outcome::default();
    outcome
        .causes
        .extend(claims::unregistered().into_iter().map(Cause::Wrong));
    let registry = claims::registry();
    let total = context.generated.unwrap_or(if context.quick {
        GENERATED_QUICK
    } else {
        GENERATED
    });
    let share = (total / registry.len() as u64).max(1);
    let ours: Vec<_> = registry
        .iter()
        .enumerate()
        .filter(|(at, _)| context.shard.is_none_or(|shard| shard.holds(*at as u64)))
        .map(|(_, claim)| claim)
        .collect();
    let bar = context.screen.bar("claims", share as usize * ours.len());
    let progress = || bar.inc(1);
    let mut constructs = ConstructCounts::default();
    let (mut inputs, mut executed, mut undecided) = (0, 0, 0);
    for claim in ours {
        if context.stop.load(Ordering::Relaxed) {
            break;
        }
        let ground = Ground {
            pool,
            recognizer: examiner.recognizer(),
            cases: &context.corpus.cases,
            seed: context.seed,
            inputs: share,
            executed: share.div_ceil(EXECUTED),
            stop: context.stop,
            progress: &progress,
        };
        let (result, checked) = claim.check(&ground);
        constructs.merge(&checked.constructs);
        inputs += checked.inputs;
        executed += checked.executed;
        undecided += checked.undecided;
        for (name, count) in &checked.figures {
            *outcome.generator.entry(format!("sed: {name}")).or_default() += count;
        }
        if !context.stop.load(Ordering::Relaxed) {
            outcome.claims.push(result);
        }
    }
    bar.finish_and_clear();
    let missing = constructs.missing();
    if inputs >= ALL_CONSTRUCTS && !missing.is_empty() {
        outcome.causes.push(Cause::Off(format!(
            "the generator never made: {}",
            missing.join(", ")
        )));
    }
    for (name, count) in constructs.iter() {
        outcome
            .generator
            .insert(format!("construct: {name}"), count);
    }
    let holds = outcome
        .claims
        .iter()
        .filter(|claim| claim.result == claim.expected)
        .count();
    let figure = |name: &str| {
        outcome
            .generator
            .get(&format!("sed: {name}"))
            .copied()
            .unwrap_or_default()
    };
    outcome.figures = format!(
        "{holds} of {} claims as expected; {inputs} generated: {} accepted, {} refused; {executed} run: {} wrote, \
         {} executed, {} harmless, {} of them exact; {undecided} undecided",
        outcome.claims.len(),
        figure("accepted"),
        figure("refused"),
        figure("wrote"),
        figure("executed"),
        figure("harmless"),
        figure("exact"),
    );
    outcome
}

/// The stored inputs of the fuzz targets, each put to every property.
fn seeds(context: &Context<'_>) -> Outcome {
    let (examiner, pool) = match with_sed(context) {
        Ok(both) => both,
        Err(reason) => return incomplete(&reason),
    };
    let folder = std::path::Path::new("fuzz/seeds/sed");
    let stored: Result<Vec<(String, Vec<u8>)>, std::io::Error> = std::fs::read_dir(folder)
        .and_then(|entries| {
            entries
                .map(|entry| {
                    let path = entry?.path();
                    Ok((path.display().to_string(), std::fs::read(&path)?))
                })
                .collect()
        });
    let stored = match stored {
        Ok(stored) if !stored.is_empty() => stored,
        Ok(_) => return wrong(&format!("{}: holds no stored input", folder.display())),
        Err(error) => {
            return wrong(&format!(
                "{}: cannot be read: {error}; run from the checkout",
                folder.display()
            ));
        }
    };
    let mut outcome = Outcome::default();
    for (path, bytes) in &stored {
        if let Err(why) = fuzz::property::sed::all(pool, examiner.recognizer(), bytes) {
            outcome.causes.push(match why {
                Failure::Refuted(why) => Cause::Off(format!("{path}: {why}")),
                Failure::Undecided(why) => Cause::Incomplete(format!("{path}: {why}")),
            });
        }
    }
    outcome.figures = format!("{} stored inputs", stored.len());
    outcome
}

/// Recognizers that are wrong on purpose have to be caught, else nothing else counts.
fn canary(context: &Context<'_>) -> Outcome {
    let (_, pool) = match with_sed(context) {
        Ok(both) => both,
        Err(reason) => return incomplete(&reason),
    };
    let mut outcome = Outcome::default();
    let mut figures = Vec::new();
    for canary in claims::canaries() {
        let ground = Ground {
            pool,
            recognizer: canary.recognizer,
            cases: &context.corpus.cases,
            seed: context.seed,
            inputs: CANARY_INPUTS,
            executed: CANARY_INPUTS,
            stop: context.stop,
            progress: &|| {},
        };
        let caught = canary.caught(&ground);
        figures.push(format!("{}: {caught}", canary.name));
        if !caught.is_complete() && !context.stop.load(Ordering::Relaxed) {
            outcome.causes.push(Cause::Off(format!(
                "{} was not caught everywhere: {caught}",
                canary.name
            )));
        }
    }
    outcome.figures = figures.join("; ");
    outcome
}

/// Generated inputs for each of the canaries.
const CANARY_INPUTS: u64 = 64;
/// An ordinary user without a name.
const ORDINARY: u32 = 61_234;

/// The subject and the box, where there is a GNU sed in it.
fn with_sed<'a>(context: &Context<'a>) -> Result<(&'a Examiner, &'a Pool), String> {
    let examiner = context.subject.map_err(str::to_owned)?;
    match examiner.pool() {
        Some(pool) if examiner.has_sed() => Ok((examiner, pool)),
        _ => Err("no GNU sed in the box; install the package sed".to_owned()),
    }
}

/// A step that found the checkout itself wrong.
fn wrong(reason: &str) -> Outcome {
    let causes = vec![Cause::Wrong(reason.to_owned())];
    Outcome {
        figures: reason.to_owned(),
        causes,
        ..Outcome::default()
    }
}

/// A step that could not be taken.
fn incomplete(reason: &str) -> Outcome {
    let causes = vec![Cause::Incomplete(reason.to_owned())];
    Outcome {
        figures: reason.to_owned(),
        causes,
        ..Outcome::default()
    }
}
