//! Which steps does `verify` take, and which library function does each call?
//!
//! A step is one function from the context to what it found. It prints nothing; it returns figures, judgements, claims
//! and causes, and the frame in [`crate::verify`] does the rest.

use crate::cli::Area;
use crate::verify::{Context, Outcome, StepPlan};
use corpus::Case;
use differential::conclude::Cause;
use differential::replay::{self, Examine, Form, How, NoSubject};

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
        name: "claims",
        areas: &[Area::Sed],
        run: claims,
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
        name: "generated",
        areas: &[Area::Sed],
        run: generated,
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

/// The subject with its oracles. Errors: what is missing (no box, no bash, no GNU sed), and the remedy.
pub(crate) fn subject(
    _form: Form,
    _execute: bool,
    _jobs: usize,
) -> Result<Box<dyn Examine>, String> {
    Ok(Box::new(NoSubject))
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

/// The escape attempts against the box.
fn attacks(_: &Context<'_>) -> Outcome {
    incomplete("not built yet")
}

/// Every claim of the registry, both forms.
fn claims(_: &Context<'_>) -> Outcome {
    incomplete("not built yet")
}

/// Generated commands, reference against the real program.
fn generated(_: &Context<'_>) -> Outcome {
    incomplete("not built yet")
}

/// The stored inputs of the fuzz targets.
fn seeds(_: &Context<'_>) -> Outcome {
    incomplete("not built yet")
}

/// A subject that allows everything has to be caught, else nothing else counts.
fn canary(_: &Context<'_>) -> Outcome {
    incomplete("not built yet")
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
