//! What must hold for the regions of every command, whatever its bytes; and is the answer right, as bash sees it?
//!
//! That an answer is one needs no shell (`docs/spec/regions.md` section 1). That it is right is asked of real bash, fragment
//! by fragment. The literal scanner is not always right, and which of its errors speaks against which claim is for
//! [`crate::claims`].

use super::Failure;
use crate::generate::{ShellCommand, ShellFragment, show_command};
use corpus::FragmentTruth;
use differential::bash::{self, Undecided};
use differential::regions::Scanner;
use differential::sandbox::Pool;
use reference::regions::{Span, literal};
use std::ops::Range;

/// What bash does with one fragment, and what the scanner says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Measured.
    pub truth: FragmentTruth,
    /// The scanner's answer for the fragment's first byte.
    pub live: bool,
}

impl Pair {
    /// Called inert, and bash ran it.
    pub fn is_miss(self) -> bool {
        self.truth == FragmentTruth::Runs && !self.live
    }

    /// Called live, and bash took it for text.
    pub fn is_false_alarm(self) -> bool {
        self.truth == FragmentTruth::Text && self.live
    }

    /// Both in words.
    pub fn words(self) -> &'static str {
        match (self.truth, self.live) {
            (FragmentTruth::Runs, true) => "runs, live",
            (FragmentTruth::Runs, false) => "runs, inert",
            (FragmentTruth::Text, true) => "text, live",
            (FragmentTruth::Text, false) => "text, inert",
            (FragmentTruth::Unreached, true) => "unreached, live",
            (FragmentTruth::Unreached, false) => "unreached, inert",
            (FragmentTruth::SyntaxError, true) => "syntax error, live",
            (FragmentTruth::SyntaxError, false) => "syntax error, inert",
        }
    }
}

/// Asks both about each fragment (byte ranges, in order and apart) of a command.
///
/// # Errors
///
/// The oracle could not decide, or could not be asked.
pub fn asked(
    pool: &Pool,
    scanner: Scanner,
    text: &[u8],
    fragments: &[Range<usize>],
    terminal: bool,
) -> Result<Vec<Pair>, Failure> {
    let truths = bash::fragments(pool, text, fragments, terminal).map_err(|why| match why {
        Undecided::Endless(_) => Failure::Undecided(why.to_string()),
        _ => Failure::Unasked(format!("{why}\n{}", show_command(text, fragments))),
    })?;
    let regions = scanner(text);
    let pair = |(truth, range): (FragmentTruth, &Range<usize>)| Pair {
        truth,
        live: literal::is_live(&regions, range.start),
    };
    Ok(truths.into_iter().zip(fragments).map(pair).collect())
}

/// No fragment of the command runs that the scanner calls inert, none is text that it calls live. Returns what was seen of
/// each.
///
/// # Errors
///
/// The fragments that refute it, as [`against`] shows them; or those of [`asked`].
pub fn literal_agrees_with_bash(
    pool: &Pool,
    scanner: Scanner,
    made: &ShellCommand,
) -> Result<Vec<Pair>, Failure> {
    nothing_is(pool, scanner, made, |pair| {
        pair.is_miss() || pair.is_false_alarm()
    })
}

/// No fragment of the command runs that the scanner calls inert. Returns what was seen of each.
///
/// # Errors
///
/// The fragments that refute it, as [`against`] shows them; or those of [`asked`].
pub fn scanner_is_sound(
    pool: &Pool,
    scanner: Scanner,
    made: &ShellCommand,
) -> Result<Vec<Pair>, Failure> {
    nothing_is(pool, scanner, made, Pair::is_miss)
}

fn nothing_is(
    pool: &Pool,
    scanner: Scanner,
    made: &ShellCommand,
    wrong: fn(Pair) -> bool,
) -> Result<Vec<Pair>, Failure> {
    let pairs = asked(pool, scanner, &made.text, &ranges(made), made.terminal)?;
    let numbers: Vec<usize> = (0..pairs.len()).filter(|&at| wrong(pairs[at])).collect();
    match numbers.is_empty() {
        true => Ok(pairs),
        false => Err(Failure::Refuted(against(made, &pairs, &numbers))),
    }
}

/// Where the fragments of a command are.
pub fn ranges(made: &ShellCommand) -> Vec<Range<usize>> {
    let range = |one: &ShellFragment| one.range.clone();
    made.fragments.iter().map(range).collect()
}

/// The command as one would type it, the fragments of these numbers underlined, what the scanner said and what happened.
pub fn against(made: &ShellCommand, pairs: &[Pair], numbers: &[usize]) -> String {
    let marked: Vec<Range<usize>> = numbers.iter().map(|&at| ranges(made)[at].clone()).collect();
    let list = |word: fn(&str) -> Option<&str>| -> String {
        let words = numbers.iter().filter_map(|&at| word(pairs[at].words()));
        words.collect::<Vec<_>>().join(", ")
    };
    let said = list(|words| Some(words.split_once(", ")?.1));
    let happened = list(|words| Some(words.split_once(", ")?.0));
    let terminal = if made.terminal {
        "(on a terminal)\n"
    } else {
        ""
    };
    let command = show_command(&made.text, &marked);
    format!("{command}\n{terminal}said      {said}\nhappened  {happened}")
}

fn refuted<T>(command: &[u8], what: &str, regions: &[Span]) -> Result<T, Failure> {
    let command = command.escape_ascii();
    Err(Failure::Refuted(format!(
        "{what}\n{command}\nsaid  {regions:?}"
    )))
}

/// The regions are sorted, lie inside the command, and cut no character; a byte is live where none holds it. Returns
/// whether there is any region.
pub fn regions_lie_in_the_command(scanner: Scanner, command: &[u8]) -> Result<bool, Failure> {
    let regions = scanner(command);
    if !regions.is_sorted() {
        return refuted(command, "its regions are not sorted", &regions);
    }
    let text = std::str::from_utf8(command).ok();
    let is_border = |at| at <= command.len() && text.is_none_or(|text| text.is_char_boundary(at));
    let whole =
        |span: &Span| span.start <= span.end && is_border(span.start) && is_border(span.end);
    if !regions.iter().all(whole) {
        return refuted(
            command,
            "a region is no stretch of characters of it",
            &regions,
        );
    }
    let mut inert = vec![false; command.len()];
    for span in &regions {
        inert[span.start..span.end].fill(true);
    }
    if (0..=command.len())
        .any(|at| literal::is_live(&regions, at) == inert.get(at).is_some_and(|&inert| inert))
    {
        return refuted(command, "is_live does not go by the regions", &regions);
    }
    Ok(!regions.is_empty())
}

/// Another character in the place of one beyond ASCII, of the same class and length in bytes, changes nothing. Returns
/// whether there was one.
pub fn regions_know_characters_by_class(scanner: Scanner, command: &[u8]) -> Result<bool, Failure> {
    let other = of_the_same_classes(command);
    let (before, after) = (scanner(command), scanner(&other));
    if before != after {
        let what = format!(
            "with {} in its place it says {after:?}",
            other.escape_ascii()
        );
        return refuted(command, &what, &before);
    }
    Ok(other != command)
}

fn of_the_same_classes(command: &[u8]) -> Vec<u8> {
    let mut other = Vec::new();
    for chunk in command.utf8_chunks() {
        let valid: String = chunk.valid().chars().map(of_the_same_class).collect();
        other.extend_from_slice(valid.as_bytes());
        other.extend_from_slice(chunk.invalid());
    }
    other
}

/// WS is what an ECMAScript `\s` matches: White_Space without U+0085, and U+FEFF.
fn of_the_same_class(unit: char) -> char {
    match unit {
        '\0'..='\x7f' | '\u{a0}' => unit,
        '\u{2028}' => '\u{2029}',
        '\u{2029}' => '\u{2028}',
        '\u{feff}' => '\u{3000}',
        _ if unit.is_whitespace() && unit != '\u{85}' => '\u{feff}',
        _ => ['ß', '♜', '🂡'][unit.len_utf8() - 2],
    }
}

/// All of them.
pub fn all(scanner: Scanner, command: &[u8]) -> Result<(), Failure> {
    regions_lie_in_the_command(scanner, command)?;
    regions_know_characters_by_class(scanner, command)?;
    Ok(())
}
