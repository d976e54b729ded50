//! Which fragments ran? One run of the command, and where it is needed one of its `reach` variant and of `bash -n`.

use super::canary::{self, Unmarkable};
use super::fixture::{self, Setting};
use super::programs;
use crate::sandbox::{CANARIES, Call, End, Event, Failure, Observation, Pool, Watch};
use corpus::{FragmentTruth, RegionsCase};
use std::collections::BTreeSet;
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
                let reasons: Vec<String> = names.iter().map(|name| programs::lack(name)).collect();
                f.write_str(&reasons.join("; "))
            }
            Undecided::Unmarkable(Unmarkable { fragment }) => {
                write!(
                    f,
                    "fragment {fragment} does not begin with a verb of its own"
                )
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

/// How often a command is run while a fragment that is stored as running was not seen to run. A canary that ran is proof;
/// one that did not, in the background of a busy machine, may only have come too late.
const ATTEMPTS: usize = 3;

/// What bash does now with each fragment of a case.
///
/// A fragment that did not run is [`FragmentTruth::Unreached`] if it runs in the `reach` variant of the case.
///
/// # Errors
///
/// Why it cannot be said on this machine.
pub fn measure(pool: &Pool, case: &RegionsCase) -> Result<Vec<FragmentTruth>, Undecided> {
    let runs = |truth: FragmentTruth| truth == FragmentTruth::Runs;
    let stored: Vec<bool> = case.fragments.iter().map(|one| runs(one.truth)).collect();
    let mut truths = repeated(&Command::of(case), pool, &stored)?;
    if let Some(reach) = &case.reach {
        let marks = reach.fragments.iter().map(|&(start, end)| start..end);
        let command = Command {
            text: &reach.command.0,
            fragments: marks.collect(),
            terminal: on_terminal(case),
        };
        let wanted: Vec<bool> = case
            .fragments
            .iter()
            .map(|one| one.truth == FragmentTruth::Unreached)
            .collect();
        for (truth, reached) in truths.iter_mut().zip(repeated(&command, pool, &wanted)?) {
            if *truth == FragmentTruth::Text && runs(reached) {
                *truth = FragmentTruth::Unreached;
            }
        }
    }
    Ok(truths)
}

/// What bash does with the fragments of a command, by one run: [`FragmentTruth::Runs`], `Text` or `SyntaxError`. `terminal`
/// gives it a pseudo terminal. A fragment that comes late in the background may be missed.
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
    let fragments = fragments.to_vec();
    let command = Command {
        text,
        fragments,
        terminal,
    };
    command.run(pool)
}

/// What a command does whose fragments are replaced by canaries, by one run.
///
/// # Errors
///
/// Why it cannot be said on this machine.
pub fn observe(
    pool: &Pool,
    text: &[u8],
    fragments: &[Range<usize>],
    terminal: bool,
    watch: Watch,
) -> Result<Observation, Undecided> {
    let fragments = fragments.to_vec();
    let command = Command {
        text,
        fragments,
        terminal,
    };
    Ok(command.observe(pool, watch)?.0)
}

/// The base names of the programs that a case starts, other than bash, `sh` and canaries, by one traced run. What they are
/// decides for which versions the truth of the case holds.
///
/// # Errors
///
/// Why it cannot be said on this machine.
pub fn started(pool: &Pool, case: &RegionsCase) -> Result<BTreeSet<String>, Undecided> {
    let (seen, _) = Command::of(case).observe(pool, Watch::Trace)?;
    let name = |event: Event| match event.call {
        Call::Execute { path, .. } if event.errno == 0 => {
            let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
            Some(String::from_utf8_lossy(name).into_owned())
        }
        _ => None,
    };
    // What comes before bash is the fixture's.
    let names = seen.events.into_iter().filter_map(name);
    let names = names.skip_while(|name| name != "bash").filter(|name| {
        !["bash", "dash", "sh"].contains(&&name[..]) && !CANARIES.contains(&&name[..])
    });
    Ok(names.collect())
}

/// A command whose fragments are asked about.
struct Command<'a> {
    text: &'a [u8],
    fragments: Vec<Range<usize>>,
    terminal: bool,
}

fn on_terminal(case: &RegionsCase) -> bool {
    case.tags.iter().any(|tag| tag == "pty")
}

/// Runs a command until each of the fragments `wanted` was seen to run, or often enough.
fn repeated(
    command: &Command<'_>,
    pool: &Pool,
    wanted: &[bool],
) -> Result<Vec<FragmentTruth>, Undecided> {
    let mut truths = command.run(pool)?;
    for _ in 1..ATTEMPTS {
        let late =
            |(wanted, truth): (&bool, &FragmentTruth)| *wanted && *truth != FragmentTruth::Runs;
        if !wanted.iter().zip(&truths).any(late) {
            break;
        }
        for (truth, again) in truths.iter_mut().zip(command.run(pool)?) {
            if again == FragmentTruth::Runs {
                *truth = again;
            }
        }
    }
    Ok(truths)
}

impl<'a> Command<'a> {
    fn of(case: &'a RegionsCase) -> Self {
        let marks = case.fragments.iter().map(|one| one.start..one.end);
        Command {
            text: &case.command.0,
            fragments: marks.collect(),
            terminal: on_terminal(case),
        }
    }

    /// Runs it once, with canaries; what was seen, and the command that ran.
    fn observe(&self, pool: &Pool, watch: Watch) -> Result<(Observation, Vec<u8>), Undecided> {
        if !pool.takes_commands() {
            return Err(Undecided::Form);
        }
        let replaced =
            canary::command(self.text, &self.fragments).map_err(Undecided::Unmarkable)?;
        let setting = Setting {
            canaries: self.fragments.len(),
            repository: fixture::mentions_git(&replaced),
            terminal: self.terminal,
        };
        let mut job = fixture::job("-c", &replaced, setting);
        job.watch = watch;
        let seen = pool.run(&job).map_err(Undecided::Box)?;
        Ok((seen, replaced))
    }

    /// Runs it once: which of its fragments ran, and what the others are.
    fn run(&self, pool: &Pool) -> Result<Vec<FragmentTruth>, Undecided> {
        let (seen, replaced) = self.observe(pool, Watch::Snapshot)?;
        let mut logged = fixture::logged(&seen);
        let ran: Vec<bool> = CANARIES[..self.fragments.len()]
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
