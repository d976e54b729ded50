//! Does every program of the table do no more than its entry says, and is a table noticed that is wrong? A small part of what
//! `verify` runs.

use differential::sandbox::{Options, Pool, become_worker_if_asked};
use fuzz::property::Failure;
use fuzz::property::programs::{
    ENTRIES, Invocation, Table, does_no_more_than_said, generated, invocations,
};
use libtest_mimic::{Arguments, Failed, Trial};
use rayon::prelude::*;
use reference::programs::{Input, Role, Usage, usage};
use reference::shell::Value;
use std::process::ExitCode;

/// Invocations an entry.
const ROUNDS: u64 = 2;

/// The first invocations of each entry that `wanted` takes, each with why it is refuted, if it is.
fn refuted(
    pool: &Pool,
    table: Table,
    rounds: u64,
    wanted: impl Fn(&Invocation) -> bool + Sync,
) -> (usize, Vec<String>) {
    let all: Vec<Invocation> = (0..ENTRIES.len())
        .flat_map(|entry| (0..rounds).map(move |round| generated(1, entry, round)))
        .filter(|invocation| wanted(invocation))
        .collect();
    let refuted = all.par_iter().filter_map(|invocation| {
        match does_no_more_than_said(pool, table, invocation) {
            Err(Failure::Refuted(why)) => Some(why),
            _ => None,
        }
    });
    (all.len(), refuted.collect())
}

/// A table for which nothing does anything.
fn harmless(words: &[Value]) -> Usage {
    let mut said = usage(words);
    said.roles
        .iter_mut()
        .skip(1)
        .for_each(|role| *role = Role::Data);
    said.input = Input::Ignored;
    (
        said.prints,
        said.reads,
        said.writes,
        said.hooks,
        said.opaque,
    ) = (false, false, false, false, None);
    said
}

/// Names of which an invocation is wanted, and what it does that [`harmless`] denies.
const DENIED: [(&str, &str); 5] = [
    ("eval", "started cnry"),
    ("cat", "printed data"),
    ("tee", "changed "),
    ("wc", "read "),
    ("xargs", "started "),
];

fn nothing_is_refuted(pool: &Pool) -> Result<(), Failed> {
    let (runs, refuted) = refuted(pool, usage, ROUNDS, |_| true);
    match &refuted[..] {
        [] if runs > ENTRIES.len() => Ok(()),
        refuted => Err(format!("{} of {runs}\n{}", refuted.len(), refuted.join("\n\n")).into()),
    }
}

fn a_wrong_table_is_refuted(pool: &Pool) -> Result<(), Failed> {
    for (name, what) in DENIED {
        let is_it = |invocation: &Invocation| ENTRIES[invocation.entry].names.contains(&name);
        let (runs, refuted) = refuted(pool, harmless, invocations(0, 20), is_it);
        if !refuted
            .iter()
            .any(|why| why.contains(&format!("did   {what}")))
        {
            return Err(format!("{name}: none of {runs} runs showed \"{what}\"").into());
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    become_worker_if_asked();
    let arguments = Arguments::from_args();
    let with_pool = |test: fn(&Pool) -> Result<(), Failed>| {
        move || {
            let options = Options {
                commands: true,
                ..Options::default()
            };
            let pool = Pool::start(2, options).map_err(|unavailable| unavailable.to_string())?;
            test(&pool)
        }
    };
    let tests = vec![
        Trial::test(
            "programs_do_no_more_than_their_entries_say",
            with_pool(nothing_is_refuted),
        ),
        Trial::test(
            "a_table_that_is_wrong_is_noticed",
            with_pool(a_wrong_table_is_refuted),
        ),
    ];
    libtest_mimic::run(&arguments, tests).exit_code()
}
