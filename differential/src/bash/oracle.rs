//! Which fragments ran? One run of the command, and where it is needed one of its `reach` variant and of `bash -n`.

use super::canary::{self, NoVerb};
use super::{fixture, programs};
use crate::sandbox::{End, Failure, Observation, Pool};
use corpus::{FragmentTruth, RegionsCase};
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

/// Why there is no truth.
#[derive(Debug)]
pub enum Undecided {
    /// The box could not run it.
    Box(Failure),
    /// It did not end in its time, or printed more than the cap, and a fragment had not run by then.
    Endless(End),
    /// It asked for programs that are not there: their names.
    Missing(Vec<String>),
    /// It needs a pseudo terminal, which the box does not have.
    Terminal,
    /// A fragment has no verb that a canary could replace.
    NoVerb(NoVerb),
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undecided::Box(failure) => write!(f, "{failure}"),
            Undecided::Endless(End::OutputCap) => {
                f.write_str("the command printed more than the cap")
            }
            Undecided::Endless(_) => f.write_str("the command did not end in its time"),
            Undecided::Missing(names) => {
                let packages: BTreeSet<&str> =
                    names.iter().map(|name| programs::package(name)).collect();
                let packages: Vec<&str> = packages.into_iter().collect();
                let (names, packages) = (names.join(", "), packages.join(", "));
                write!(f, "not in the box: {names}; install the package {packages}")
            }
            Undecided::Terminal => {
                f.write_str("the case needs a pseudo terminal, which the box does not have")
            }
            Undecided::NoVerb(NoVerb { fragment }) => {
                write!(f, "fragment {fragment} does not begin with a verb")
            }
        }
    }
}

/// The version of bash in the box, for example `5.2.15`; `None`: there is none that could be asked.
pub fn version(pool: &Pool) -> Option<String> {
    let words = [&b"-c"[..], b"echo \"${BASH_VERSION%%(*}\""];
    let seen = pool.run(&fixture::job(&words, 0, false)).ok()?;
    let said = String::from_utf8(seen.stdout).ok()?;
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
    if case.tags.iter().any(|tag| tag == "pty") {
        return Err(Undecided::Terminal);
    }
    let fragments: Vec<Range<usize>> = case
        .fragments
        .iter()
        .map(|fragment| fragment.start..fragment.end)
        .collect();
    let (mut truths, _) = run(pool, &case.command.0, &fragments)?;
    let Some(reach) = &case.reach else {
        return Ok(truths);
    };
    let fragments: Vec<Range<usize>> = reach
        .fragments
        .iter()
        .map(|&(start, end)| start..end)
        .collect();
    let (reached, _) = run(pool, &reach.command.0, &fragments)?;
    for (truth, reached) in truths.iter_mut().zip(reached) {
        if (*truth, reached) == (FragmentTruth::Text, FragmentTruth::Runs) {
            *truth = FragmentTruth::Unreached;
        }
    }
    Ok(truths)
}

/// Runs a command once.
fn run(
    pool: &Pool,
    command: &[u8],
    fragments: &[Range<usize>],
) -> Result<(Vec<FragmentTruth>, Observation), Undecided> {
    let replaced = canary::command(command, fragments).map_err(Undecided::NoVerb)?;
    let job = fixture::job(
        &[b"-c", &replaced],
        fragments.len(),
        fixture::mentions_git(&replaced),
    );
    let seen = pool.run(&job).map_err(Undecided::Box)?;
    let mut logged = fixture::logged(&seen);
    let ran: Vec<bool> = (0..fragments.len())
        .map(|at| logged.remove(&canary::name(at)))
        .collect();
    if !logged.is_empty() {
        return Err(Undecided::Missing(logged.into_iter().collect()));
    }
    if !ran.contains(&false) {
        return Ok((vec![FragmentTruth::Runs; ran.len()], seen));
    }
    if !matches!(seen.end, End::Exit(_) | End::Signal(_)) {
        return Err(Undecided::Endless(seen.end));
    }
    let otherwise = if says_syntax_error(&seen.stderr) && is_refused(pool, &replaced)? {
        FragmentTruth::SyntaxError
    } else {
        FragmentTruth::Text
    };
    let truths = ran.into_iter().map(|ran| match ran {
        true => FragmentTruth::Runs,
        false => otherwise,
    });
    Ok((truths.collect(), seen))
}

/// `bash -n` alone misjudges options that an earlier line sets, so the run itself must have said so too.
fn says_syntax_error(stderr: &[u8]) -> bool {
    let said = String::from_utf8_lossy(stderr);
    ["syntax error", "unexpected EOF", "unexpected end of file"]
        .iter()
        .any(|text| said.contains(text))
}

fn is_refused(pool: &Pool, command: &[u8]) -> Result<bool, Undecided> {
    let job = fixture::job(&[b"-n", b"-c", command], 0, false);
    let seen = pool.run(&job).map_err(Undecided::Box)?;
    match seen.end {
        End::Exit(status) => Ok(status != 0),
        end => Err(Undecided::Endless(end)),
    }
}
