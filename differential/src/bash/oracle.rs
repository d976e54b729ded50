//! What is the truth of a stored case now? The command, run until what is stored as running was seen to run, and its `reach`
//! variant.

use super::command::{Command, Seen, Undecided};
use crate::sandbox::Pool;
use corpus::{FragmentTruth, RegionsCase};
use std::collections::BTreeSet;
use std::ops::Range;

/// How often a command is run while a fragment that is stored as running was not seen to run. A canary that ran is proof;
/// one that did not, in the background of a busy machine, may only have come too late.
const ATTEMPTS: usize = 3;

/// What was measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// What bash does with each fragment. One that did not run is [`FragmentTruth::Unreached`] if it runs in the `reach`
    /// variant.
    pub truths: Vec<FragmentTruth>,
    /// The base names of the programs that the case starts, other than bash, `sh` and canaries. What they are decides for
    /// which versions its truth holds.
    pub started: BTreeSet<String>,
}

/// Measures a case.
///
/// # Errors
///
/// Why it cannot be said on this machine.
pub fn measure(pool: &Pool, case: &RegionsCase) -> Result<Measured, Undecided> {
    let terminal = case.tags.iter().any(|tag| tag == "pty");
    let are = |truth| {
        case.fragments
            .iter()
            .map(|one| one.truth == truth)
            .collect()
    };
    let marks = case.fragments.iter().map(|one| one.start..one.end);
    let fragments: Vec<Range<usize>> = marks.collect();
    let command = Command {
        text: &case.command.0,
        fragments: &fragments,
        terminal,
    };
    let wanted: Vec<bool> = are(FragmentTruth::Runs);
    let Seen {
        mut truths,
        mut started,
    } = repeated(&command, pool, &wanted)?;
    if let Some(reach) = &case.reach {
        let marks = reach.fragments.iter().map(|&(start, end)| start..end);
        let fragments: Vec<Range<usize>> = marks.collect();
        let command = Command {
            text: &reach.command.0,
            fragments: &fragments,
            terminal,
        };
        let wanted: Vec<bool> = are(FragmentTruth::Unreached);
        let reached = repeated(&command, pool, &wanted)?;
        for (truth, reached) in truths.iter_mut().zip(reached.truths) {
            if *truth == FragmentTruth::Text && reached == FragmentTruth::Runs {
                *truth = FragmentTruth::Unreached;
            }
        }
        started.extend(reached.started);
    }
    Ok(Measured { truths, started })
}

/// Runs a command until each of the fragments `wanted` was seen to run, or often enough.
fn repeated(command: &Command<'_>, pool: &Pool, wanted: &[bool]) -> Result<Seen, Undecided> {
    let mut seen = doubted(command, pool)?;
    for _ in 1..ATTEMPTS {
        let late =
            |(wanted, truth): (&bool, &FragmentTruth)| *wanted && *truth != FragmentTruth::Runs;
        if !wanted.iter().zip(&seen.truths).any(late) {
            break;
        }
        let again = doubted(command, pool)?;
        for (truth, again) in seen.truths.iter_mut().zip(again.truths) {
            if again == FragmentTruth::Runs {
                *truth = again;
            }
        }
        seen.started.extend(again.started);
    }
    Ok(seen)
}

/// Runs a command until there is no doubt, or often enough: a busy machine is a reason for doubt that may pass.
fn doubted(command: &Command<'_>, pool: &Pool) -> Result<Seen, Undecided> {
    let mut seen = command.run(pool);
    for _ in 1..ATTEMPTS {
        if !matches!(seen, Err(Undecided::Doubt(_))) {
            break;
        }
        seen = command.run(pool);
    }
    seen
}
