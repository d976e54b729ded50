//! `cargo xtask verify`: does everything hold? Every step in turn, cheap ones first, and one report of all.
//!
//! What the steps do stands in [`crate::steps`]; here is only the frame they run in.

use crate::cli::{Area, Shard, Stop, Verify};
use crate::page::{self, Page};
use crate::screen::Screen;
use crate::{export, interrupt, steps};
use clap::ValueEnum;
use corpus::{Corpus, Ledger, Order};
use differential::conclude::{Cause, conclude};
use differential::examine::Examiner;
use differential::replay::{Examine, Form};
use differential::report::{ClaimResult, Judgement, Report, Step, Suite, Verdict};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What a step may use.
pub(crate) struct Context<'a> {
    /// Every case below `corpus/cases`.
    pub(crate) corpus: &'a Corpus,
    /// The known disagreements.
    pub(crate) ledger: &'a Ledger,
    /// The subject with its oracles, or why there is none (no box, no bash): then what needs it is incomplete.
    pub(crate) subject: Result<&'a Examiner, &'a str>,
    /// Fewer generated runs.
    pub(crate) quick: bool,
    /// How many generated inputs were asked for.
    pub(crate) generated: Option<u64>,
    /// The part of the work that is ours.
    pub(crate) shard: Option<Shard>,
    /// The seed of everything generated.
    pub(crate) seed: u64,
    /// Number of threads.
    pub(crate) jobs: usize,
    /// Where progress is shown.
    pub(crate) screen: &'a Screen,
    /// True from the first signal on.
    pub(crate) stop: &'a AtomicBool,
    /// What the steps before found.
    pub(crate) so_far: &'a Outcome,
}

/// What a step found.
#[derive(Default)]
pub(crate) struct Outcome {
    /// One line of figures.
    pub(crate) figures: String,
    /// What its judgements and claims do not show by themselves.
    pub(crate) causes: Vec<Cause>,
    /// Counts by file.
    pub(crate) suites: Vec<Suite>,
    /// Judgements, those that agree too.
    pub(crate) judgements: Vec<Judgement>,
    /// Claims, both forms.
    pub(crate) claims: Vec<ClaimResult>,
    /// What the generators made, and how it fared.
    pub(crate) generator: BTreeMap<String, u64>,
}

/// One step.
pub(crate) struct StepPlan {
    /// Its name in the report.
    pub(crate) name: &'static str,
    /// The areas it belongs to; none: it always runs.
    pub(crate) areas: &'static [Area],
    /// What it does.
    pub(crate) run: fn(&Context<'_>) -> Outcome,
}

/// Runs the command and gives its exit code.
pub(crate) fn run(options: &Verify) -> Result<i32, Stop> {
    let started = Instant::now();
    refuse_empty_areas(&options.only)?;
    let corpus = corpus::load(&[corpus::cases_folder()?], Order::Sorted)?;
    let ledger = Ledger::load(&corpus::ledger_file()?)?;
    if let Some(folder) = &options.report {
        std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    }
    let screen = Screen::new(options.common.json);
    let jobs = options.common.jobs();
    let mut report = Report::of(Form::Hardened, options.common.seed());
    let subject = steps::subject(Form::Hardened, true, jobs);
    if let Ok(subject) = &subject {
        report.versions = subject.versions();
        report.form = subject.form();
    }
    screen.say(&page::header("verify", &report, jobs))?;

    let mut all = Outcome::default();
    let mut done = Vec::new();
    for plan in steps::PLAN
        .iter()
        .filter(|plan| wanted(plan, &options.only))
    {
        if interrupt::flag().load(Ordering::Relaxed) {
            done.push(Step {
                name: plan.name,
                result: "skipped",
                figures: String::new(),
                seconds: 0.0,
            });
            continue;
        }
        let since = Instant::now();
        let outcome = (plan.run)(&Context {
            corpus: &corpus,
            ledger: &ledger,
            subject: subject.as_ref().map_err(String::as_str),
            quick: options.quick,
            generated: options.generated,
            shard: options.shard,
            seed: report.seed,
            jobs,
            screen: &screen,
            stop: interrupt::flag(),
            so_far: &all,
        });
        let result = result(&outcome, options.strict);
        let seconds = since.elapsed().as_secs_f64();
        done.push(Step {
            name: plan.name,
            result,
            figures: outcome.figures.clone(),
            seconds,
        });
        all.add(plan.name, outcome);
    }
    if interrupt::flag().load(Ordering::Relaxed) {
        let left = done.iter().filter(|step| step.result == "skipped").count();
        all.causes.push(Cause::Interrupted(format!(
            "interrupted; {left} of {} steps were not begun",
            done.len()
        )));
    }

    report.suites = all.suites;
    report.claims = Some(all.claims);
    report.steps = Some(done);
    report.generator = Some(all.generator);
    let (agreed, failures) = all
        .judgements
        .into_iter()
        .partition(|one| one.result == Verdict::Agree);
    report.failures = failures;
    conclude(&mut report, all.causes, options.strict);
    if let Some(folder) = &options.report {
        export::write(folder, &report, &agreed).map_err(|error| unwritable(folder, &error))?;
    }
    let page = Page {
        colour: screen.colour(),
        all: false,
        started,
    };
    screen.finish(&page.of(&report), &report)
}

impl Outcome {
    fn add(&mut self, name: &str, step: Outcome) {
        self.causes
            .extend(step.causes.into_iter().map(|cause| cause.of_step(name)));
        self.suites.extend(step.suites);
        self.judgements.extend(step.judgements);
        self.claims.extend(step.claims);
        for (name, count) in step.generator {
            *self.generator.entry(name).or_default() += count;
        }
    }
}

/// The result of one step, by the same rules as that of the run.
fn result(step: &Outcome, strict: bool) -> &'static str {
    let mut part = Report {
        suites: step.suites.clone(),
        failures: step
            .judgements
            .iter()
            .filter(|one| one.result != Verdict::Agree)
            .cloned()
            .collect(),
        claims: Some(step.claims.clone()),
        ..Report::default()
    };
    conclude(&mut part, step.causes.clone(), strict);
    match part.exit {
        0 => "ok",
        3 | 130 => "incomplete",
        _ => "fail",
    }
}

fn wanted(plan: &StepPlan, only: &[Area]) -> bool {
    only.is_empty() || plan.areas.is_empty() || plan.areas.iter().any(|area| only.contains(area))
}

/// An area in which nothing would be checked is a wrong call: it would pass whatever is there.
fn refuse_empty_areas(only: &[Area]) -> Result<(), Stop> {
    let word = |area: &Area| {
        area.to_possible_value()
            .map(|value| value.get_name().to_owned())
            .unwrap_or_default()
    };
    let there: Vec<&Area> = Area::value_variants()
        .iter()
        .filter(|area| steps::PLAN.iter().any(|plan| plan.areas.contains(area)))
        .collect();
    match only.iter().find(|area| !there.contains(area)) {
        None => Ok(()),
        Some(area) => Err(Stop::call(format!(
            "--only {}: nothing is checked there yet; areas with checks: {}",
            word(area),
            there.into_iter().map(word).collect::<Vec<_>>().join(", ")
        ))),
    }
}

fn unwritable(folder: &Path, error: &dyn std::fmt::Display) -> Stop {
    let reason = format!("the report cannot be written here: {error}");
    Stop {
        file: Some(folder.to_owned()),
        line: None,
        reason,
        prose: None,
    }
}
