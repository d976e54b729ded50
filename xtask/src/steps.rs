//! Which steps does `verify` take, and which library function does each call?
//!
//! A step is one function from the context to what it found. It prints nothing; it returns figures, judgements, claims
//! and causes, and the frame in [`crate::verify`] does the rest.

mod attacks;
mod claims;
mod programs;
mod scanner;
mod tracer;

use crate::cli::Area;
use crate::verify::{Context, Outcome, StepPlan};
use corpus::Case;
use differential::conclude::Cause;
use differential::examine::Examiner;
use differential::replay::{self, Form, How};
use differential::sandbox::Pool;
use fuzz::claims::{Ground, canaries};
use fuzz::property::Failure;
use reference::regions::{hardened, literal};
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
        run: attacks::attacks,
    },
    StepPlan {
        name: "tracer",
        areas: &[Area::Box],
        run: tracer::agrees,
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
        name: "claims of sed",
        areas: &[Area::Sed],
        run: claims::sed,
    },
    StepPlan {
        name: "claims of regions",
        areas: &[Area::Regions],
        run: claims::regions,
    },
    StepPlan {
        name: "programs",
        areas: &[Area::Regions],
        run: programs::do_no_more_than_said,
    },
    StepPlan {
        name: "scanner",
        areas: &[Area::Regions],
        run: scanner::is_sound,
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
pub(crate) fn subject(form: Form, execute: bool, jobs: usize) -> Result<Examiner, String> {
    if !execute {
        return Ok(Examiner::without_box(answer, form));
    }
    Examiner::with_box(answer, form, jobs).map_err(|unavailable| unavailable.to_string())
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
                Failure::Undecided(why) | Failure::Unasked(why) => {
                    Cause::Incomplete(format!("{path}: {why}"))
                }
            });
        }
    }
    outcome.figures = format!("{} stored inputs", stored.len());
    outcome
}

/// Subjects that are wrong on purpose have to be caught, else nothing else counts.
fn canary(context: &Context<'_>) -> Outcome {
    let pool = match with_sed(context).and_then(|_| with_bash(context)) {
        Ok((_, pool)) => pool,
        Err(reason) => return incomplete(&reason),
    };
    let mut outcome = Outcome::default();
    let mut figures = Vec::new();
    for canary in canaries() {
        let caught = canary.caught(&ground(context, pool, CANARY_INPUTS, CANARY_INPUTS, &|| {}));
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

/// What a check of this run stands on.
fn ground<'a>(
    context: &Context<'a>,
    pool: &'a Pool,
    inputs: u64,
    executed: u64,
    progress: &'a (dyn Fn() + Sync),
) -> Ground<'a> {
    Ground {
        pool,
        recognizer: answer,
        scanner: literal::regions,
        hardened: hardened::regions,
        form: Form::Literal,
        cases: &context.corpus.cases,
        seed: context.seed,
        inputs,
        executed,
        stop: context.stop,
        progress,
    }
}

/// Generated inputs for each of the canaries.
const CANARY_INPUTS: u64 = 64;

/// The subject and the box, where there is a GNU sed in it.
fn with_sed<'a>(context: &Context<'a>) -> Result<(&'a Examiner, &'a Pool), String> {
    let examiner = context.subject.map_err(str::to_owned)?;
    match examiner.pool() {
        Some(pool) if examiner.has_sed() => Ok((examiner, pool)),
        _ => Err("no GNU sed in the box; install the package sed".to_owned()),
    }
}

/// The box, where there is a bash in it.
fn with_bash<'a>(context: &Context<'a>) -> Result<(&'a Examiner, &'a Pool), String> {
    let examiner = context.subject.map_err(str::to_owned)?;
    match examiner.pool() {
        Some(pool) if examiner.has_bash() => Ok((examiner, pool)),
        _ => Err("no bash in the box; install the package bash".to_owned()),
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
