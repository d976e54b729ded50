//! Does bash accept a command, and if not, what has run before it says so?
//!
//! `bash -c` parses and runs one complete line after the other (`docs/spec/regions.md` B-60), so `bash -n`, which runs
//! nothing, misjudges what depends on an earlier line: options, aliases (B-61), an `exit`. Here the real run is asked first,
//! and where it stopped is seen by a canary on a line of its own.

use super::command::{Undecided, put};
use super::evidence::Evidence;
use super::fixture::Setting;
use crate::sandbox::{CANARIES, End, HOME, Observation, Pool, Watch};

/// What bash makes of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepts {
    /// No syntax error.
    Whole,
    /// A syntax error after this many lines, which have run.
    UpTo(usize),
    /// A syntax error, and nothing has run.
    Nothing,
    /// `bash -n` refuses it, but the run ended before it came there, or with its messages closed or redirected.
    Ended,
}

/// `$0` of the run. It leads to bash, and no shell that the command starts is called so by itself: whose messages are
/// whose is known.
const NAME: &str = "../bin/bash";

/// Runs a command as it is and, where it may be refused, with a canary after each of its lines, last first.
///
/// # Errors
///
/// Why it cannot be said on this machine.
pub fn accepts(pool: &Pool, text: &[u8]) -> Result<Accepts, Undecided> {
    let seen = put(pool, "-c", text, named(0), Watch::Snapshot)?;
    let complains = complains(&seen, NAME);
    if !complains && !matches!(seen.end, End::Exit(_) | End::Signal(_)) {
        return Err(Undecided::Endless(seen.end));
    }
    let refused = refused(pool, text)?;
    // Where they disagree, a run that comes to the end decides.
    if !complains && !refused || complains != refused && runs_on(pool, text, b"")? {
        return Ok(Accepts::Whole);
    }
    if !complains {
        return Ok(Accepts::Ended);
    }
    let ends: Vec<usize> = (0..text.len()).filter(|at| text[*at] == b'\n').collect();
    for (before, &end) in ends.iter().enumerate().rev() {
        if runs_on(pool, &text[..end], &text[end..])? {
            return Ok(Accepts::UpTo(before + 1));
        }
    }
    Ok(Accepts::Nothing)
}

fn named(canaries: usize) -> Setting {
    Setting {
        canaries,
        name: Some(NAME),
        ..Setting::default()
    }
}

/// Has the run complained about the command itself? The real run alone may quote such a message, `bash -n` alone misjudges.
pub(super) fn rejects(pool: &Pool, text: &[u8], seen: &Observation) -> Result<bool, Undecided> {
    Ok(complains(seen, "bash") && refused(pool, text)?)
}

/// Does the parser of the shell of this name say that something is wrong with the text given to `-c`?
fn complains(seen: &Observation, name: &str) -> bool {
    let said = [&seen.stdout[..], &seen.stderr].concat();
    let sign = format!("{name}: -c: line ").into_bytes();
    said.windows(sign.len()).any(|part| part == sign)
}

/// What `bash -n` says.
fn refused(pool: &Pool, text: &[u8]) -> Result<bool, Undecided> {
    let seen = put(pool, "-nc", text, Setting::default(), Watch::Snapshot)?;
    match seen.end {
        End::Exit(status) => Ok(status != 0),
        end => Err(Undecided::Endless(end)),
    }
}

/// Is the line after `head` one that bash comes to and takes for a command of its own, before `tail`?
fn runs_on(pool: &Pool, head: &[u8], tail: &[u8]) -> Result<bool, Undecided> {
    let canary = format!("{HOME}/bin/{}", CANARIES[0]);
    let longer = [head, b"\n", canary.as_bytes()].concat();
    let seen = put(
        pool,
        "-c",
        &[&longer, tail].concat(),
        named(1),
        Watch::Trace,
    )?;
    let evidence = Evidence::of(&seen, 1);
    match (evidence.ran[0], evidence.doubt) {
        // After `&&` or `|` the canary is what was missing.
        (true, _) => Ok(!refused(pool, head)? || refused(pool, &longer)?),
        (false, None) => Ok(false),
        (false, Some(why)) => Err(Undecided::Doubt(why)),
    }
}
