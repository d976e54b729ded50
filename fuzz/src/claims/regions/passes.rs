//! What do the three passes of the literal scanner do, seen from inside, and what do they cost? No shell is asked.

use super::super::{Checked, Claim, Expected, Ground, Kind};
use super::SOURCE;
use super::shell::Inputs;
use crate::generate::{shell, show_command};
use crate::shrink::smallest;
use corpus::Body;
use reference::regions::Span;
use reference::regions::literal::{Passes, word_end};
use std::slice::from_ref;

/// So many commands are looked at for each that another claim lets bash run, and at least so many in all: they cost next to
/// nothing, and what refutes a claim may be rare.
const CHEAP: u64 = 64;
const AT_LEAST: u64 = 20_000;
/// Commands that shrinking may look at.
const SHRINKING: usize = 10_000;

pub(super) fn claims() -> Vec<Claim> {
    let claim =
        |id, sentence, kind, expected, check: fn(&Claim, Expected, &Ground<'_>) -> Checked| Claim {
            id,
            sentence,
            kind,
            source: SOURCE,
            literal: Some(expected),
            hardened: None,
            tags: &[],
            constructs: &[],
            check: Box::new(check),
        };
    vec![
        claim(
            "R-29",
            "A word reader entered on a non-blank always advances.",
            Kind::Property,
            Expected::Refuted,
            |claim, _, ground| every_command(claim, ground, word_reader_stays),
        ),
        claim(
            "R-30",
            "Both walks agree on where quotes end and therefore on structure.",
            Kind::Property,
            Expected::Refuted,
            |claim, _, ground| every_command(claim, ground, walks_disagree),
        ),
        claim(
            "R-37",
            "Spans may overlap and are unsorted.",
            Kind::Property,
            Expected::Holds,
            spans_of_all_kinds,
        ),
        claim(
            "R-41",
            "(implied) The scan's cost grows with the length of the command.",
            Kind::Measured,
            Expected::Refuted,
            cost,
        ),
    ]
}

/// What was seen in one command, and what refutes the claim: in words, and the bytes it is about.
type Seen = (&'static str, Option<(String, Span)>);

/// Puts generated commands to a property, and shrinks the shortest that refutes it.
fn every_command(claim: &Claim, ground: &Ground<'_>, property: fn(&[u8]) -> Seen) -> Checked {
    let mut checked = Checked::default();
    let refuted = |bytes: &[u8]| {
        let text = shell(bytes).text;
        let (what, Span { start, end }) = property(&text).1?;
        Some(format!(
            "{}\n{what}",
            show_command(&text, from_ref(&(start..end)))
        ))
    };
    let mut refuting: Option<(usize, Vec<u8>)> = None;
    for bytes in commands(claim, ground, &mut checked) {
        let text = shell(&bytes).text;
        let (answer, against) = property(&text);
        checked.count(answer);
        let is_smaller = refuting
            .as_ref()
            .is_none_or(|(length, _)| text.len() < *length);
        if against.is_some() && is_smaller {
            refuting = Some((text.len(), bytes));
        }
    }
    if let Some((mut length, bytes)) = refuting {
        // It never grows.
        let small = smallest(&bytes, SHRINKING, |bytes| {
            let text = shell(bytes).text;
            let fails = text.len() <= length && property(&text).1.is_some();
            length = if fails { text.len() } else { length };
            fails
        });
        checked.counterexample = refuted(&small);
    }
    checked
}

fn commands(claim: &Claim, ground: &Ground<'_>, checked: &mut Checked) -> Vec<Vec<u8>> {
    let count = match ground.inputs {
        0 => 0,
        inputs => (inputs * CHEAP).max(AT_LEAST),
    };
    let bytes = Inputs::of(ground, claim.id).next(count as usize, |_| true);
    checked.inputs = bytes.len() as u64;
    (0..ground.inputs).for_each(|_| (ground.progress)());
    bytes
}

/// The walk enters the reader where no blank, separator or comment begins.
fn word_reader_stays(command: &[u8]) -> Seen {
    let text = String::from_utf8_lossy(command);
    let enters = |unit: char| !" \t\r\n;|&()#".contains(unit);
    let stays = text
        .char_indices()
        .find(|&(at, unit)| enters(unit) && word_end(text.as_bytes(), at) == at);
    match stays {
        None => ("advances", None),
        Some((start, unit)) => {
            let end = start + unit.len_utf8();
            let what = format!("entered on {unit:?}, the word reader takes nothing");
            ("stays", Some((what, Span { start, end })))
        }
    }
}

/// What one walk takes for quoted text, the other takes for a comment.
fn walks_disagree(command: &[u8]) -> Seen {
    let passes = Passes::of(command);
    let both = |run: &&Span| passes.comments.iter().any(|comment| overlap(comment, run));
    match passes.runs.iter().find(both) {
        None => ("agree", None),
        Some(&run) => {
            let what = "one walk sees quoted text here, the other a comment".to_owned();
            ("disagree", Some((what, run)))
        }
    }
}

fn overlap(one: &Span, other: &Span) -> bool {
    one.start < other.end && other.start < one.end
}

/// The answers to the stored parity cases and to generated commands hold spans of each of these kinds.
fn spans_of_all_kinds(claim: &Claim, _: Expected, ground: &Ground<'_>) -> Checked {
    let mut checked = Checked::default();
    let stored = ground.cases.iter().filter_map(|case| match &case.body {
        Body::Parity(case) => Some(&case.command.0),
        _ => None,
    });
    for command in stored {
        checked.cases += 1;
        kinds_of(command).for_each(|kind| checked.count(kind));
    }
    for bytes in commands(claim, ground, &mut checked) {
        kinds_of(&shell(&bytes).text).for_each(|kind| checked.count(kind));
    }
    let missing = ["overlapping", "equal", "empty", "unsorted"]
        .iter()
        .find(|kind| !checked.answers.contains_key(**kind));
    if checked.cases + checked.inputs > 0 {
        checked.counterexample = missing.map(|kind| format!("no answer holds {kind} spans"));
    }
    checked
}

fn kinds_of(command: &[u8]) -> impl Iterator<Item = &'static str> {
    let found = Passes::of(command).in_order();
    let mut sorted = found.clone();
    sorted.sort_unstable();
    let pairs = || sorted.windows(2).map(|pair| (pair[0], pair[1]));
    let overlapping = pairs().any(|(one, other)| one != other && overlap(&one, &other));
    let kinds = [
        ("overlapping", overlapping),
        ("equal", pairs().any(|(one, other)| one == other)),
        ("empty", found.iter().any(|span| span.start == span.end)),
        ("unsorted", found != sorted),
        ("sorted and apart", found == sorted && !overlapping),
    ];
    kinds
        .into_iter()
        .filter(|(_, holds)| *holds)
        .map(|(kind, _)| kind)
}

/// A command of `n`, twice and four times as many parts: the comparisons that the scan takes.
fn growth(part: &str) -> [u64; 3] {
    let open = "cat <<E\nx\nE\n";
    [32, 64, 128].map(|n| Passes::of((open.to_owned() + &part.repeat(n)).as_bytes()).comparisons)
}

/// Twice as long a command may cost twice as much, and a little more for what does not grow.
fn cost(_: &Claim, _: Expected, ground: &Ground<'_>) -> Checked {
    let mut checked = Checked::default();
    // Nothing is generated, but a run without input checks nothing.
    let parts: &[&str] = match ground.inputs {
        0 => &[],
        _ => &["echo x\n", "cat <<E\nx\nE\n"],
    };
    for part in parts {
        let [once, twice, four_times] = growth(part);
        checked.cases += 1;
        let grows = twice * 2 > once * 5 && four_times * 2 > twice * 5;
        checked.count(if grows {
            "faster than the length"
        } else {
            "with the length"
        });
        if grows {
            let part = part.escape_default();
            checked.counterexample = Some(format!(
                "32 times {part}: {once} comparisons of a place with a body; 64 times: {twice}; 128 times: {four_times}"
            ));
        }
    }
    checked
}
