//! `cargo xtask replay`: what do the stored cases say about the reference?

use crate::cli::{Replay, Stop};
use crate::page::{self, Page};
use crate::screen::Screen;
use crate::{interrupt, steps};
use corpus::{Corpus, Ledger, Order};
use differential::conclude::{Cause, conclude};
use differential::regions::differs_from_truth;
use differential::replay::{self, Examine, Form, How, Selection};
use differential::report::{Report, Verdict};
use reference::regions::{hardened, literal};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Runs the command and gives its exit code.
pub(crate) fn run(options: &Replay) -> Result<i32, Stop> {
    let started = Instant::now();
    let (corpus, whole) = load(options)?;
    let ledger = match corpus::ledger_file() {
        Ok(file) => Ledger::load(&file)?,
        // Files of somebody who is in no checkout: nothing is known of them.
        Err(_) if !whole => Ledger::default(),
        Err(fault) => return Err(fault.into()),
    };
    let selection = Selection {
        filter: options.filter.clone(),
        tag: options.tag.clone(),
    };
    let cases = selection.of(&corpus.cases).map_err(Stop::call)?;
    let form = Form::from(options.form);
    let how = How {
        form,
        execute: !options.no_execute,
        jobs: options.common.jobs(),
    };
    let screen = Screen::new(options.common.json);

    let mut report = Report::of(form, options.common.seed());
    let mut causes = Vec::new();
    match steps::subject(form, how.execute, how.jobs) {
        Err(reason) => {
            screen.say(&page::header("replay", &report, how.jobs))?;
            causes.push(Cause::Incomplete(reason));
        }
        Ok(subject) => {
            report.versions = subject.versions();
            report.form = subject.form();
            screen.say(&page::header("replay", &report, how.jobs))?;
            let bar = screen.bar("replay", cases.len());
            let mut replayed =
                replay::run(&cases, &subject, how, &|| bar.inc(1), interrupt::flag())
                    .map_err(Stop::call)?;
            bar.finish_and_clear();
            if interrupt::flag().load(Ordering::Relaxed) {
                let done = replayed.done;
                causes.push(Cause::Interrupted(format!(
                    "interrupted after {done} of {} cases",
                    cases.len()
                )));
            }
            let known = whole.then_some(corpus.cases.as_slice());
            causes.extend(replay::apply_ledger(
                &ledger,
                form,
                known,
                &mut replayed.judgements,
            ));
            let differs = |scanner| differs_from_truth(scanner, &cases, &replayed.judgements);
            report.literal_differs = differs(literal::regions);
            if form == Form::Hardened {
                report.hardened_differs = differs(hardened::regions);
            }
            report.suites = replayed.suites;
            let (agreed, failures) = replayed
                .judgements
                .into_iter()
                .partition(|one| one.result == Verdict::Agree);
            report.failures = failures;
            report.agreed = options.show.then_some(agreed);
        }
    }
    conclude(&mut report, causes, options.strict);
    let page = Page {
        colour: screen.colour(),
        all: options.show,
        started,
    };
    screen.finish(&page.of(&report), &report)
}

/// The cases asked for, and whether these are the whole corpus.
fn load(options: &Replay) -> Result<(Corpus, bool), Stop> {
    if options.paths.is_empty() {
        return Ok((corpus::load(&[corpus::cases_folder()?], Order::Any)?, true));
    }
    Ok((corpus::load(&options.paths, Order::Any)?, false))
}
