//! Do the stored truths of the `regions` cases still hold on this machine? Measures them again and prints every one that
//! differs or cannot be decided: `cargo run -p differential --example bash_truth [ID]...`; exit 1 if one differs.

use corpus::{Body, Order, RegionsCase, cases_folder, load};
use differential::bash::{measure, started, version};
use differential::sandbox::{Options, Pool, become_worker_if_asked};
use rayon::prelude::*;
use std::error::Error;
use std::process::ExitCode;

/// What became of a case.
enum Outcome {
    Agrees,
    Differs(String),
    Undecided(String),
}

fn outcome(pool: &Pool, case: &RegionsCase) -> Outcome {
    let stored: Vec<_> = case.fragments.iter().map(|one| one.truth).collect();
    match measure(pool, case) {
        Ok(now) if now == stored => Outcome::Agrees,
        Ok(now) => Outcome::Differs(format!(
            "stored as {stored:?}, measured as {now:?}; it starts {:?}",
            started(pool, case)
        )),
        Err(why) => Outcome::Undecided(why.to_string()),
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    become_worker_if_asked();
    let ids: Vec<String> = std::env::args().skip(1).collect();
    let folder = cases_folder().map_err(|fault| fault.to_string())?;
    let corpus = load(&[folder.join("regions-truth.jsonl")], Order::Sorted)
        .map_err(|fault| fault.to_string())?;
    let options = Options {
        commands: true,
        ..Options::default()
    };
    let pool = Pool::start(rayon::current_num_threads(), options)?;
    let outcomes: Vec<_> = corpus
        .cases
        .par_iter()
        .filter(|case| ids.is_empty() || ids.contains(&case.name))
        .filter_map(|case| match &case.body {
            Body::Regions(body) => Some((&case.name, &body.command, outcome(&pool, body))),
            _ => None,
        })
        .collect();
    let (mut differ, mut undecided) = (0, 0);
    for (name, command, outcome) in &outcomes {
        match outcome {
            Outcome::Agrees => continue,
            Outcome::Differs(why) => {
                differ += 1;
                println!("{name} differs: {why}: {command}");
            }
            Outcome::Undecided(why) => {
                undecided += 1;
                println!("{name} undecided: {why}: {command}");
            }
        }
    }
    let bash = version(&pool).unwrap_or_else(|| "absent".to_owned());
    let (all, agree) = (outcomes.len(), outcomes.len() - differ - undecided);
    println!("bash {bash}: {agree} of {all} agree, {differ} differ, {undecided} undecided");
    Ok(ExitCode::from(u8::from(differ > 0)))
}
