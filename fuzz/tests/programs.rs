//! Does every program of the table do no more than its entry says? A small part of what `verify` runs.

use differential::sandbox::{Options, Pool, become_worker_if_asked};
use fuzz::property::Failure;
use fuzz::property::programs::{ENTRIES, does_no_more_than_said, generated, invocations};
use libtest_mimic::{Arguments, Trial};
use rayon::prelude::*;
use std::process::ExitCode;

/// Invocations an entry.
const ROUNDS: u64 = 3;

fn main() -> ExitCode {
    become_worker_if_asked();
    let arguments = Arguments::from_args();
    let test = Trial::test("programs_do_no_more_than_their_entries_say", || {
        let options = Options {
            commands: true,
            ..Options::default()
        };
        let pool = Pool::start(2, options).map_err(|unavailable| unavailable.to_string())?;
        let only = std::env::var("ONLY").ok();
        let all: Vec<(usize, u64)> = (0..ENTRIES.len())
            .filter(|&entry| {
                only.as_ref().is_none_or(|only| {
                    only.split(',')
                        .any(|name| ENTRIES[entry].names.contains(&name))
                })
            })
            .flat_map(|entry| {
                let rounds = match std::env::var("ROUNDS").ok() {
                    Some(rounds) => invocations(entry, rounds.parse().expect("a number")),
                    None => ROUNDS,
                };
                (0..rounds).map(move |round| (entry, round))
            })
            .collect();
        let failures: Vec<String> = all
            .par_iter()
            .filter_map(|&(entry, round)| {
                match does_no_more_than_said(&pool, &generated(1, entry, round)) {
                    Err(Failure::Refuted(why)) => Some(format!("{entry} {round}: {why}")),
                    Err(Failure::Undecided(why)) => Some(format!(
                        "UNDECIDED {entry} {round} {}: {why}",
                        generated(1, entry, round).shown()
                    )),
                    _ => None,
                }
            })
            .collect();
        match failures.is_empty() {
            true => Ok(()),
            false => Err(format!(
                "{} of {}\n{}",
                failures.len(),
                all.len(),
                failures.join("\n\n")
            )
            .into()),
        }
    });
    libtest_mimic::run(&arguments, vec![test]).exit_code()
}
