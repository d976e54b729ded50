//! Re-measures stored truths of `regions` cases and prints every difference: `bash_truth [FILE] [ID]...`.

use corpus::{Body, Order, cases_folder, load};
use differential::bash;
use differential::sandbox::{Options, Pool, become_worker_if_asked};
use rayon::prelude::*;

fn main() {
    become_worker_if_asked();
    let ids: Vec<String> = std::env::args().skip(1).collect();
    let file = cases_folder().expect("the cases stand in the workspace").join("regions-truth.jsonl");
    let corpus = load(&[file], Order::Sorted).unwrap_or_else(|fault| panic!("{fault}"));
    let jobs = std::env::var("JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(2);
    let pool = Pool::start(jobs, Options { commands: true, ..Options::default() }).unwrap_or_else(|error| panic!("{error}"));
    println!("bash {:?}", bash::version(&pool));
    let threads = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().expect("threads");
    let count = |what: &str, lines: Vec<String>| {
        println!("{}: {what}", lines.len());
    };
    let results: Vec<(u8, String)> = threads.install(|| {
        corpus.cases.par_iter().filter(|case| ids.is_empty() || ids.contains(&case.name)).filter_map(|case| {
            let Body::Regions(body) = &case.body else { return None };
            let stored: Vec<_> = body.fragments.iter().map(|fragment| fragment.truth).collect();
            let (kind, line) = match bash::measure(&pool, body) {
                Ok(now) if now == stored => (0, String::new()),
                Ok(now) => (1, format!("{} DIFFERS stored {stored:?} now {now:?} {}", case.name, body.command)),
                Err(why) => (2, format!("{} UNDECIDED {why} stored {stored:?} {}", case.name, body.command)),
            };
            if kind > 0 { println!("{line}"); }
            Some((kind, line))
        }).collect()
    });
    for (kind, what) in [(0, "agree"), (1, "differ"), (2, "undecided")] {
        count(what, results.iter().filter(|one| one.0 == kind).map(|one| one.1.clone()).collect());
    }
}
