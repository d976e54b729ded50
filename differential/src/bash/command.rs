//! What does bash do with the marked fragments of one command, in one run?

use super::canary::{self, Unmarkable};
use super::evidence::{self, Evidence};
use super::fixture::{self, Setting};
use super::{accepts, programs};
use crate::sandbox::{End, Failure, Observation, Pool, Watch};
use corpus::FragmentTruth;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

/// A command whose fragments are asked about.
#[derive(Clone, Copy)]
pub(super) struct Command<'a> {
    /// As it is handed to `bash -c`.
    pub(super) text: &'a [u8],
    /// Byte ranges of its fragments, in order and apart.
    pub(super) fragments: &'a [Range<usize>],
    /// Runs with a pseudo terminal as standard output, standard error and controlling terminal.
    pub(super) terminal: bool,
}

/// What was seen in one run.
pub(super) struct Seen {
    /// For each fragment [`FragmentTruth::Runs`], `Text` or `SyntaxError`.
    pub(super) truths: Vec<FragmentTruth>,
    /// The base names of the programs that were started, other than bash, `sh` and canaries.
    pub(super) started: BTreeSet<String>,
}

/// What bash does with the marked fragments of a command (byte ranges, in order and apart), by one run: for each
/// [`FragmentTruth::Runs`], `Text` or `SyntaxError`. With `terminal`, standard output and standard error are a pseudo
/// terminal that controls it.
///
/// # Errors
///
/// Why it cannot be said on this machine.
pub fn fragments(
    pool: &Pool,
    text: &[u8],
    fragments: &[Range<usize>],
    terminal: bool,
) -> Result<Vec<FragmentTruth>, Undecided> {
    let command = Command {
        text,
        fragments,
        terminal,
    };
    Ok(command.run(pool)?.truths)
}

/// What a command does when its fragments are replaced by canaries, by one run; see [`fragments`]. Its standard output is
/// shown, which is a pipe then.
///
/// # Errors
///
/// Why it cannot be run on this machine.
pub fn observe(
    pool: &Pool,
    text: &[u8],
    fragments: &[Range<usize>],
    terminal: bool,
    watch: Watch,
) -> Result<Observation, Undecided> {
    let command = Command {
        text,
        fragments,
        terminal,
    };
    Ok(command.trial(pool, watch, true)?.0)
}

/// Why there is no truth.
#[derive(Debug)]
pub enum Undecided {
    /// The boxes of the pool are not made for whole commands (`Options::commands`).
    Form,
    /// The box could not run it.
    Box(Failure),
    /// It did not end in its time, or within another cap, and a fragment had not run by then.
    Endless(End),
    /// It asked for programs that are not there, or that the box cannot run: their names.
    Programs(Vec<String>),
    /// A fragment cannot be marked.
    Unmarkable(Unmarkable),
    /// A fragment was not seen to run, and that may be for another reason than its command.
    Doubt(String),
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undecided::Box(failure) => write!(f, "{failure}"),
            Undecided::Endless(End::OutputCap) => {
                f.write_str("the command printed more than the cap")
            }
            Undecided::Endless(End::EventCap) => {
                f.write_str("the command made more system calls than are kept")
            }
            Undecided::Endless(_) => f.write_str("the command did not end in its time"),
            Undecided::Form => f.write_str("the box is not made for whole commands"),
            Undecided::Programs(names) => {
                let reasons: Vec<String> = names.iter().map(|name| programs::lack(name)).collect();
                f.write_str(&reasons.join("; "))
            }
            Undecided::Unmarkable(Unmarkable { fragment }) => {
                write!(
                    f,
                    "fragment {fragment} does not begin with a verb of its own"
                )
            }
            Undecided::Doubt(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Undecided {}

impl Command<'_> {
    /// Runs it once: which of its fragments ran, and what the others are. One that comes late in the background may be
    /// missed.
    pub(super) fn run(&self, pool: &Pool) -> Result<Seen, Undecided> {
        let (seen, replaced) = self.trial(pool, Watch::Trace, false)?;
        let evidence = Evidence::of(&seen, self.fragments.len());
        if !evidence.missing.is_empty() {
            return Err(Undecided::Programs(evidence.missing.into_iter().collect()));
        }
        let all_ran = evidence.ran.iter().all(|ran| *ran);
        if !all_ran && !matches!(seen.end, End::Exit(_) | End::Signal(_)) {
            return Err(Undecided::Endless(seen.end));
        }
        if let Some(why) = evidence.doubt.filter(|_| !all_ran) {
            return Err(Undecided::Doubt(why));
        }
        let otherwise = match !all_ran && accepts::rejects(pool, &replaced, &seen)? {
            true => FragmentTruth::SyntaxError,
            false => FragmentTruth::Text,
        };
        let truth = |ran: &bool| if *ran { FragmentTruth::Runs } else { otherwise };
        Ok(Seen {
            truths: evidence.ran.iter().map(truth).collect(),
            started: evidence::started(&seen),
        })
    }

    /// What was seen, and the command that ran.
    fn trial(
        &self,
        pool: &Pool,
        watch: Watch,
        shown: bool,
    ) -> Result<(Observation, Vec<u8>), Undecided> {
        let replaced = canary::command(self.text, self.fragments).map_err(Undecided::Unmarkable)?;
        let setting = Setting {
            canaries: self.fragments.len(),
            repository: fixture::mentions_git(&replaced),
            terminal: self.terminal,
            shown,
            name: None,
        };
        let seen = put(pool, "-c", &replaced, setting, watch)?;
        Ok((seen, replaced))
    }
}

/// Runs bash with an option and a command.
pub(super) fn put(
    pool: &Pool,
    option: &str,
    command: &[u8],
    setting: Setting,
    watch: Watch,
) -> Result<Observation, Undecided> {
    if !pool.takes_commands() {
        return Err(Undecided::Form);
    }
    let mut job = fixture::job(option, command, setting);
    job.watch = watch;
    pool.run(&job).map_err(Undecided::Box)
}
