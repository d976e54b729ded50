//! Is a claim about fragments refuted? By the stored cases of its number, measured again, and by generated commands that
//! hold nothing but what the claim speaks of.
//!
//! Of a claim that is refuted both are wanted: the stored counterexample still shows, and another is found from an empty
//! start. It is shrunk, so that what is reported is as short as one would write it.

use super::super::sed::number;
use super::super::{Checked, Claim, Expected, Ground};
use super::{PLAIN, Row};
use crate::generate::{ShellCommand, ShellConstructSet, random_bytes, shell};
use crate::property::Failure;
use crate::property::regions::{Pair, against, asked, ranges};
use crate::shrink::smallest;
use corpus::{Body, FragmentTruth, RegionsCase};
use rayon::prelude::*;
use std::ops::Range;

/// Longest byte string that one command is decoded from.
const LONGEST: usize = 128;
/// Commands that a search makes before it gives up on the next that fits.
const PATIENCE: u64 = 4_000_000;
/// Commands made, and commands run, before an interruption is looked for.
const MADE: u64 = 20_000;
const ROUND: u64 = 16;
/// Commands that are run to find the counterexample of a claim that is refuted, however few were asked for.
const SEARCH: u64 = 256;
/// Commands that shrinking may make; it may run as many as the claim is given, within these bounds.
const SHRINKING: usize = 20_000;
const SHRINKING_RUNS: (u64, u64) = (10, 50);

/// Checks a claim by its cases and by commands of its own.
pub(super) fn check(row: &Row, claim: &Claim, expected: Expected, ground: &Ground<'_>) -> Checked {
    let mut checked = Checked::default();
    let refutes = |text: &[u8], at, pair| (row.which)(text, at) && (row.against)(pair);
    let stored = stored(refutes, claim, ground, &mut checked);
    let most = match expected {
        Expected::Refuted if ground.inputs > 0 => ground.inputs.max(SEARCH),
        _ => ground.inputs,
    };
    let found = generated(row, claim, ground, most, &mut checked);
    checked.counterexample = if row.is_example {
        let nothing = stored.is_none() && found.is_none() && checked.cases + checked.inputs > 0;
        nothing.then(|| "no example was found".to_owned())
    } else if expected == Expected::Refuted && checked.cases > 0 && checked.inputs > 0 {
        stored.and(found)
    } else {
        stored.or(found)
    };
    checked
}

/// The first case against the claim. A case whose programs are not there is left to the replay, which names them.
pub(super) fn stored(
    refutes: impl Fn(&[u8], usize, Pair) -> bool,
    claim: &Claim,
    ground: &Ground<'_>,
    checked: &mut Checked,
) -> Option<String> {
    let mut example = None;
    for (name, case) in cases(claim, ground) {
        if ground.stopped() {
            break;
        }
        let terminal = case.tags.iter().any(|tag| tag == "pty");
        let marks = case.fragments.iter().map(|one| one.start..one.end);
        let marks: Vec<Range<usize>> = marks.collect();
        let text = &case.command.0;
        let Ok(pairs) = asked(ground.pool, ground.scanner, text, &marks, terminal) else {
            continue;
        };
        checked.cases += 1;
        for (pair, mark) in pairs.into_iter().zip(&marks) {
            checked.count(pair.words());
            if refutes(text, mark.start, pair) {
                let words = pair.words();
                example.get_or_insert_with(|| format!("case {name}: {words}\n{}", case.command));
            }
        }
    }
    example
}

fn cases<'a>(
    claim: &Claim,
    ground: &Ground<'a>,
) -> impl Iterator<Item = (&'a str, &'a RegionsCase)> {
    let tags = claim.tags;
    ground
        .cases
        .iter()
        .filter_map(move |case| match &case.body {
            Body::Regions(body) if body.tags.iter().any(|tag| tags.contains(&tag.as_str())) => {
                Some((case.name.as_str(), body.as_ref()))
            }
            _ => None,
        })
}

/// The smallest generated command against the claim.
fn generated(
    row: &Row,
    claim: &Claim,
    ground: &Ground<'_>,
    most: u64,
    checked: &mut Checked,
) -> Option<String> {
    let selection = Selection::of(row);
    let mut inputs = Inputs::of(ground, claim.id);
    let mut refuting: Option<(Vec<u8>, ShellCommand, Vec<Pair>)> = None;
    while checked.inputs < most && (checked.inputs < ground.inputs || refuting.is_none()) {
        let round = ROUND.min(most - checked.inputs);
        let next = inputs.next(round as usize, |made| selection.holds(made));
        if next.is_empty() || ground.stopped() {
            break;
        }
        for (bytes, made, pairs) in run(ground, next, checked) {
            let is_smaller =
                |(_, other, _): &(_, ShellCommand, _)| made.text.len() < other.text.len();
            if !selection.against(&made, &pairs).is_empty()
                && refuting.as_ref().is_none_or(is_smaller)
            {
                refuting = Some((bytes, made, pairs));
            }
        }
    }
    let (bytes, made, pairs) = refuting?;
    Some(selection.shrunk(ground, &bytes, &made, &pairs))
}

/// The commands of one claim, one after the other.
pub(super) struct Inputs<'a> {
    ground: &'a Ground<'a>,
    seed: u64,
    index: u64,
    left: Vec<Vec<u8>>,
}

impl<'a> Inputs<'a> {
    pub(super) fn of(ground: &'a Ground<'a>, id: &str) -> Self {
        Inputs {
            ground,
            seed: ground.seed ^ number(id),
            index: 0,
            left: Vec::new(),
        }
    }

    /// The bytes of the next `count` commands that fit; fewer when none is met for long.
    pub(super) fn next(
        &mut self,
        count: usize,
        fits: impl Fn(&ShellCommand) -> bool + Sync,
    ) -> Vec<Vec<u8>> {
        let mut since = 0;
        while self.left.len() < count && since < PATIENCE && !self.ground.stopped() {
            let found: Vec<Vec<u8>> = (self.index..self.index + MADE)
                .into_par_iter()
                .map(|index| random_bytes(self.seed, index, LONGEST))
                .filter(|bytes| fits(&shell(bytes)))
                .collect();
            self.index += MADE;
            since = if found.is_empty() { since + MADE } else { 0 };
            self.left.extend(found);
        }
        let rest = self.left.split_off(count.min(self.left.len()));
        std::mem::replace(&mut self.left, rest)
    }
}

/// Runs commands and counts what became of them; those that were decided.
pub(super) fn run(
    ground: &Ground<'_>,
    inputs: Vec<Vec<u8>>,
    checked: &mut Checked,
) -> Vec<(Vec<u8>, ShellCommand, Vec<Pair>)> {
    let ran: Vec<_> = inputs
        .into_par_iter()
        .filter(|_| !ground.stopped())
        .map(|bytes| {
            let made = shell(&bytes);
            let pairs = asked(
                ground.pool,
                ground.scanner,
                &made.text,
                &ranges(&made),
                made.terminal,
            );
            (ground.progress)();
            (bytes, made, pairs)
        })
        .collect();
    let mut decided = Vec::new();
    for (bytes, made, pairs) in ran {
        checked.inputs += 1;
        checked.executed += 1;
        checked.shell_constructs.add(made.constructs);
        match pairs {
            Ok(pairs) => {
                count(checked, &pairs);
                decided.push((bytes, made, pairs));
            }
            Err(Failure::Unasked(why)) => {
                checked.unasked.get_or_insert(why);
            }
            Err(_) => checked.undecided += 1,
        }
    }
    decided
}

fn count(checked: &mut Checked, pairs: &[Pair]) {
    let any = |truth| pairs.iter().any(|pair| pair.truth == truth);
    let commands = [
        ("accepted", !any(FragmentTruth::SyntaxError)),
        ("syntax errors", any(FragmentTruth::SyntaxError)),
        ("with runs", any(FragmentTruth::Runs)),
        ("with text", any(FragmentTruth::Text)),
    ];
    for (figure, _) in commands.iter().filter(|(_, holds)| *holds) {
        *checked.figures.entry(figure).or_default() += 1;
    }
    for pair in pairs {
        checked.count(pair.words());
        let fragments = [
            ("fragments", true),
            ("misses", pair.is_miss()),
            ("false alarms", pair.is_false_alarm()),
        ];
        for (figure, _) in fragments.iter().filter(|(_, holds)| *holds) {
            *checked.figures.entry(figure).or_default() += 1;
        }
    }
}

/// The commands and fragments that a row speaks of.
struct Selection<'r> {
    row: &'r Row,
    at: ShellConstructSet,
}

impl<'r> Selection<'r> {
    fn of(row: &'r Row) -> Self {
        Selection {
            row,
            at: ShellConstructSet::beginning(row.at),
        }
    }

    fn holds(&self, made: &ShellCommand) -> bool {
        let Row { at, beside, .. } = self.row;
        let allowed = [PLAIN, at, beside];
        let is_allowed = |name: &str| allowed.iter().any(|names| begins(name, names));
        made.constructs.meets(self.at)
            && made.constructs.names().all(is_allowed)
            && (0..made.fragments.len()).any(|at| self.speaks_of(made, at))
    }

    fn speaks_of(&self, made: &ShellCommand, at: usize) -> bool {
        made.fragments[at].place.meets(self.at)
            && (self.row.which)(&made.text, made.fragments[at].range.start)
    }

    /// The fragments against the claim.
    fn against(&self, made: &ShellCommand, pairs: &[Pair]) -> Vec<usize> {
        (0..pairs.len())
            .filter(|&at| self.speaks_of(made, at) && (self.row.against)(pairs[at]))
            .collect()
    }

    /// The smallest command that these bytes can be shrunk to, as it is reported. Only what is shorter is run.
    fn shrunk(
        &self,
        ground: &Ground<'_>,
        bytes: &[u8],
        made: &ShellCommand,
        pairs: &[Pair],
    ) -> String {
        let (least, most) = SHRINKING_RUNS;
        let mut runs_left = ground.inputs.clamp(least, most);
        let mut best = made.text.clone();
        let mut shown = against(made, pairs, &self.against(made, pairs));
        smallest(bytes, SHRINKING, |bytes| {
            let made = shell(bytes);
            if made.text == best {
                return true;
            }
            if made.text.len() >= best.len() || runs_left == 0 || !self.holds(&made) {
                return false;
            }
            runs_left -= 1;
            let marks = ranges(&made);
            let asked = asked(
                ground.pool,
                ground.scanner,
                &made.text,
                &marks,
                made.terminal,
            );
            let pairs = asked.unwrap_or_default();
            let numbers = self.against(&made, &pairs);
            if numbers.is_empty() || ground.stopped() {
                return false;
            }
            shown = against(&made, &pairs, &numbers);
            best = made.text;
            true
        });
        shown
    }
}

fn begins(name: &str, names: &[&str]) -> bool {
    names.iter().any(|begin| name.starts_with(begin))
}
