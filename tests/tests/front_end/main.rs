//! Does the shell front end read commands as bash does? Second opinions on `reference::shell`.
//!
//! Two parsers that know nothing of it (`peers`), `bash -n` (`acceptance`), and bash's own print of what it has read
//! (`declared`). Where a peer differs, bash decides. Nothing here judges what a command does.

mod acceptance;
mod bash;
mod boundaries;
mod canonical;
mod declared;
mod inputs;
mod peers;

use differential::sandbox::{Options, Pool, become_worker_if_asked};
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;
use std::sync::Arc;

/// A name, and what must hold.
type Test = (&'static str, fn(&Pool) -> Result<(), Failed>);

const TESTS: [Test; 5] = [
    ("bash accepts what is understood", acceptance::test),
    ("bash prints what was read", declared::test),
    ("the print shows a wrong reading", declared::control),
    ("a comment is what bash drops", boundaries::hashes),
    ("bash decides between us and the peers", boundaries::test),
];

fn main() -> ExitCode {
    become_worker_if_asked();
    let pool = Pool::start(2, Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let pool = Arc::new(pool);
    let trials = TESTS.into_iter().map(|(name, test)| {
        let pool = Arc::clone(&pool);
        Trial::test(name, move || test(&pool))
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}
