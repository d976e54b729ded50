//! Does the reference understand the shell scripts of this machine, and the calls of sed in them?
//!
//! What was written for other reasons than to test us. The survey that `cargo xtask survey` prints, with the shares that are
//! wanted. A machine with fewer than [`FEWEST`] scripts or calls cannot answer, and fails.

use differential::sandbox::{Options, Pool, become_worker_if_asked};
use differential::survey::{find, survey};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

/// Where a distribution keeps scripts.
const FOLDERS: [&str; 6] = [
    "/usr/bin",
    "/usr/sbin",
    "/usr/share",
    "/usr/lib",
    "/var/lib/dpkg/info",
    "/etc",
];
/// Scripts, and calls of sed, that a share can be told from. The smallest Debian has more.
const FEWEST: (usize, usize) = (100, 20);
/// Of 1000.
const WANTED: usize = 995;

fn the_machine() -> Result<(), Failed> {
    let there = |path: &PathBuf| path.is_dir();
    let folders: Vec<PathBuf> = FOLDERS
        .map(PathBuf::from)
        .into_iter()
        .filter(there)
        .collect();
    let scripts = find(&folders).map_err(|(path, error)| format!("{}: {error}", path.display()))?;
    let pool = Pool::start(2, Options::default())?;
    let found = survey(&pool, &scripts, &|| (), &AtomicBool::new(false))?;
    let (calls, contradictions) = (found.constant.len(), found.contradictions().count());
    println!(
        "{} of {} scripts understood; {} of {calls} calls of sed, {contradictions} contradictions",
        found.understood(),
        found.accepted,
        found.understood_calls(),
    );
    let holds = found.accepted >= FEWEST.0
        && calls >= FEWEST.1
        && found.undecided.is_empty()
        && found.understood() * 1000 >= found.accepted * WANTED
        && found.understood_calls() * 1000 >= calls * WANTED
        && contradictions == 0;
    match holds {
        true => Ok(()),
        false => Err(format!("{found:#?}").into()),
    }
}

fn main() -> ExitCode {
    become_worker_if_asked();
    let trial = Trial::test("the scripts of this machine are understood", the_machine);
    libtest_mimic::run(&Arguments::from_args(), vec![trial]).exit_code()
}
