//! Which fragments ran? One run of the command, and where it is needed one of its `reach` variant and of `bash -n`.

use super::canary::{self, Unmarkable};
use super::fixture::{self, Setting};
use super::programs;
use crate::sandbox::{CANARIES, End, Failure, Pool};
use corpus::{FragmentTruth, RegionsCase};
use std::fmt;
use std::ops::Range;

/// Why there is no truth.
#[derive(Debug)]
pub enum Undecided {
    /// The boxes of the pool are not made for whole commands (`Options::commands`).
    Form,
    /// The box could not run it.
    Box(Failure),
    /// It did not end in its time, or printed more than the cap, and a fragment had not run by then.
    Endless(End),
    /// It asked for programs that are not there, or that the box cannot run: their names.
    Programs(Vec<String>),
    /// A fragment cannot be marked.
    Unmarkable(Unmarkable),
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undecided::Box(failure) => write!(f, "{failure}"),
            Undecided::Endless(End::OutputCap) => {
                f.write_str("the command printed more than the cap")
            }
            Undecided::Endless(_) => f.write_str("the command did not end in its time"),
            Undecided::Form => f.write_str("the box is not made for whole commands"),
            Undecided::Programs(names) => {
                let reason = |name: &String| match programs::is_refused(name) {
                    true => format!("{name} needs privileges that the box does not give"),
                    false => {
                        let package = programs::package(name);
                        format!("no {name} is in the box; install the package {package}")
                    }
                };
                let reasons: Vec<String> = names.iter().map(reason).collect();
                f.write_str(&reasons.join("; "))
            }
            Undecided::Unmarkable(Unmarkable { fragment }) => {
                write!(f, "fragment {fragment} does not begin with a verb of its own")
            }
        }
    }
}

/// The version of bash in the box, for example `5.2.15`; `None`: there is none that could be asked.
pub fn version(pool: &Pool) -> Option<String> {
    let ask = b"echo \"${BASH_VERSION%%(*}\" >&2";
    let seen = pool
        .run(&fixture::job("-c", ask, Setting::default()))
        .ok()?;
    let said = String::from_utf8(seen.stderr).ok()?;
    let version = said.trim_end();
    (seen.end == End::Exit(0) && !version.is_empty()).then(|| version.to_owned())
}

/// What bash does now with each fragment of a case.
///
/// A fragment that did not run is [`FragmentTruth::Unreached`] if it runs in the `reach` variant of the case.
///
/// # Errors
///
/// Why it cannot be said on this machine.
pub fn measure(pool: &Pool, case: &RegionsCase) -> Result<Vec<FragmentTruth>, Undecided> {
    if !pool.takes_commands() {
        return Err(Undecided::Form);
    }
    let terminal = case.tags.iter().any(|tag| tag == "pty");
    let marks = case.fragments.iter().map(|one| one.start..one.end);
    let mut truths = run(pool, &case.command.0, &marks.collect::<Vec<_>>(), terminal)?;
    if let Some(reach) = &case.reach {
        let marks = reach.fragments.iter().map(|&(start, end)| start..end);
        let reached = run(pool, &reach.command.0, &marks.collect::<Vec<_>>(), terminal)?;
        for (truth, reached) in truths.iter_mut().zip(reached) {
            if (*truth, reached) == (FragmentTruth::Text, FragmentTruth::Runs) {
                *truth = FragmentTruth::Unreached;
            }
        }
    }
    Ok(truths)
}

/// Runs a command once: which of its fragments ran, and what the others are.
fn run(
    pool: &Pool,
    command: &[u8],
    fragments: &[Range<usize>],
    terminal: bool,
) -> Result<Vec<FragmentTruth>, Undecided> {
    let replaced = canary::command(command, fragments).map_err(Undecided::Unmarkable)?;
    let setting = Setting {
        canaries: fragments.len(),
        repository: fixture::mentions_git(&replaced),
        terminal,
    };
    let seen = pool
        .run(&fixture::job("-c", &replaced, setting))
        .map_err(Undecided::Box)?;
    let mut logged = fixture::logged(&seen);
    let ran: Vec<bool> = CANARIES[..fragments.len()]
        .iter()
        .map(|name| logged.remove(*name))
        .collect();
    if !logged.is_empty() {
        return Err(Undecided::Programs(logged.into_iter().collect()));
    }
    if ran.iter().all(|ran| *ran) {
        return Ok(vec![FragmentTruth::Runs; ran.len()]);
    }
    if !matches!(seen.end, End::Exit(_) | End::Signal(_)) {
        return Err(Undecided::Endless(seen.end));
    }
    let said = [&seen.stdout[..], &seen.stderr].concat();
    let otherwise = match says_syntax_error(&said) && is_refused(pool, &replaced)? {
        true => FragmentTruth::SyntaxError,
        false => FragmentTruth::Text,
    };
    let truth = |ran| if ran { FragmentTruth::Runs } else { otherwise };
    Ok(ran.into_iter().map(truth).collect())
}

/// `bash -n` alone misjudges options that an earlier line sets, so the run itself must have said so too.
fn says_syntax_error(said: &[u8]) -> bool {
    let said = String::from_utf8_lossy(said);
    ["syntax error", "unexpected EOF", "unexpected end of file"]
        .iter()
        .any(|text| said.contains(text))
}

fn is_refused(pool: &Pool, command: &[u8]) -> Result<bool, Undecided> {
    let job = fixture::job("-nc", command, Setting::default());
    let seen = pool.run(&job).map_err(Undecided::Box)?;
    match seen.end {
        End::Exit(status) => Ok(status != 0),
        end => Err(Undecided::Endless(end)),
    }
}
