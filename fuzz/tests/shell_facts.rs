//! Do the forms of the generator show what they are made for? Each is run by itself under real bash: a fact of
//! `docs/spec/regions.md` that tells two things apart has fragments that run and fragments that do not.

use corpus::FragmentTruth;
use differential::bash::{Undecided, fragments};
use differential::sandbox::{Options, Pool, become_worker_if_asked};
use fuzz::generate::{
    FACTS, SHELL_CONSTRUCTS, ShellCommand, ShellConstructSet, shell, shell_seeds, show_command,
};
use libtest_mimic::{Arguments, Failed, Trial};
use rayon::prelude::*;
use std::ops::Range;
use std::process::ExitCode;

use FragmentTruth::{Runs, SyntaxError, Text};

/// The fact that a fragment does not run where bash refuses its line.
const ORDER: &str = "B-60";

/// Forms that bash refuses, on purpose.
const REFUSED: [&str; 9] = [
    "syntax error",
    "quote unbalanced",
    "extglob on the same line",
    "here-document in subshell",
    "here-document opener split",
    "hash in test",
    "hash after redirection",
    "brace in parameter",
    "single quotes in parameter",
];

/// A command, and what its fragments are.
type Measured = (ShellCommand, Vec<FragmentTruth>);

fn ranges(command: &ShellCommand) -> Vec<Range<usize>> {
    let ranges = command.fragments.iter().map(|one| one.range.clone());
    ranges.collect()
}

fn shown(command: &ShellCommand) -> String {
    show_command(&command.text, &ranges(command))
}

/// Every form, measured; those that want a program that is not there are left out.
fn measured(pool: &Pool) -> Result<Vec<Measured>, Failed> {
    let all: Result<Vec<_>, Failed> = shell_seeds()
        .par_iter()
        .map(|seed| {
            let command = shell(seed);
            match fragments(pool, &command.text, &ranges(&command), command.terminal) {
                Ok(truths) => Ok(Some((command, truths))),
                Err(Undecided::Programs(names)) => {
                    eprintln!("left out, for {names:?}: {}", shown(&command));
                    Ok(None)
                }
                Err(why) => Err(format!("{why}\n{}", shown(&command)).into()),
            }
        })
        .collect();
    let all: Vec<Measured> = all?.into_iter().flatten().collect();
    assert!(all.len() > 500, "only {} forms could be run", all.len());
    Ok(all)
}

/// What the fragments are that stand in one of the constructs.
fn truths_of(measured: &[Measured], names: &[&str]) -> Vec<FragmentTruth> {
    let wanted = ShellConstructSet::beginning(names);
    let fragments = measured
        .iter()
        .flat_map(|(command, truths)| command.fragments.iter().zip(truths));
    fragments
        .filter(|(one, _)| one.place.meets(wanted))
        .map(|(_, truth)| *truth)
        .collect()
}

/// A fact of bash has both answers.
fn both_answers(measured: &[Measured], fact: &str, names: &[&str]) -> Result<(), Failed> {
    let seen = truths_of(measured, names);
    let other = if fact == ORDER { SyntaxError } else { Text };
    for answer in [Runs, other] {
        if !seen.contains(&answer) {
            return Err(format!("{fact}: no {answer:?} in {seen:?}").into());
        }
    }
    Ok(())
}

/// The harmless forms are.
fn only_text(measured: &[Measured], fact: &str, names: &[&str]) -> Result<(), Failed> {
    let seen = truths_of(measured, names);
    if seen.is_empty() || seen.iter().any(|truth| *truth != Text) {
        return Err(format!("{fact}: not harmless, or nothing: {seen:?}").into());
    }
    Ok(())
}

/// Each source and each carrier brings text to a shell in some form, each sink runs it in some, no end in any.
fn flows(measured: &[Measured]) -> Result<(), Failed> {
    let steps = ["flow from ", "flow through ", "flow into ", "flow ends "];
    for name in SHELL_CONSTRUCTS {
        let Some(step) = steps.iter().find(|step| name.starts_with(**step)) else {
            continue;
        };
        let seen = truths_of(measured, &[name]);
        let wrong = match *step {
            "flow ends " => seen.iter().any(|truth| *truth != Text),
            _ => !seen.contains(&Runs),
        };
        if wrong || seen.is_empty() {
            return Err(format!("{name}: {seen:?}").into());
        }
    }
    Ok(())
}

/// What is not meant to be refused is accepted.
fn accepted(measured: &[Measured]) -> Result<(), Failed> {
    let refused = ShellConstructSet::beginning(&REFUSED);
    for (command, truths) in measured {
        if truths.contains(&SyntaxError) && !command.constructs.meets(refused) {
            return Err(format!("bash refuses it:\n{}", shown(command)).into());
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    become_worker_if_asked();
    let arguments = Arguments::from_args();
    let options = Options {
        commands: true,
        ..Options::default()
    };
    let measured = if arguments.list {
        Vec::new()
    } else {
        let pool = Pool::start(rayon::current_num_threads(), options)
            .unwrap_or_else(|why| panic!("{why}"));
        measured(&pool).unwrap_or_else(|why| panic!("{}", why.message().unwrap_or("failed")))
    };
    let measured: &'static [Measured] = measured.leak();
    let mut trials = vec![
        Trial::test("forms_are_accepted", || accepted(measured)),
        Trial::test("flows_reach_sinks_and_no_ends", || flows(measured)),
    ];
    trials.extend(
        FACTS
            .iter()
            .map(|&(fact, names)| match fact.strip_prefix("C-") {
                None => Trial::test(format!("{fact}_is_shown_both_ways"), move || {
                    both_answers(measured, fact, names)
                }),
                Some(_) => Trial::test(format!("{fact}_is_harmless"), move || {
                    only_text(measured, fact, names)
                }),
            }),
    );
    libtest_mimic::run(&arguments, trials).exit_code()
}
