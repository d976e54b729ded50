//! Which programs do the `regions` cases start? `cargo run -p differential --example started` prints each with the number of
//! its cases and the first of them: what `.ci/run` installs, and what `corpus/README.md` names with its version.

use corpus::{Body, Order, cases_folder, load};
use differential::bash::measure;
use differential::sandbox::{Options, Pool, become_worker_if_asked};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    become_worker_if_asked();
    let folder = cases_folder().map_err(|fault| fault.to_string())?;
    let corpus = load(&[folder], Order::Sorted).map_err(|fault| fault.to_string())?;
    let options = Options {
        commands: true,
        ..Options::default()
    };
    let pool = Pool::start(rayon::current_num_threads(), options)?;
    let of_cases: Vec<_> = corpus
        .cases
        .par_iter()
        .filter_map(|case| match &case.body {
            Body::Regions(body) => Some((&case.name, measure(&pool, body))),
            _ => None,
        })
        .collect();
    let mut programs: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (case, measured) in of_cases {
        match measured {
            Ok(measured) => measured
                .started
                .into_iter()
                .for_each(|name| programs.entry(name).or_default().push(case)),
            Err(why) => eprintln!("{case}: {why}"),
        }
    }
    for (program, cases) in programs {
        println!("{program}\t{}\t{}", cases.len(), cases[0]);
    }
    Ok(())
}
