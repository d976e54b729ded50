//! Does the answer depend on what it must not depend on, and how often is it wrong on the stored cases?

use super::super::{Checked, Claim, Expected, Ground, Kind};
use super::SOURCE;
use super::shell::{Inputs, run, stored};
use crate::generate::ShellCommand;
use crate::property::regions::{Pair, against, asked, ranges};
use corpus::{Body, FragmentTruth};
use reference::regions::literal::is_live;
use std::ops::Range;

/// How often a command is run again that went otherwise: one that races with its own background may do so.
const AGAIN: usize = 4;

/// So many commands of all kinds are run for each that a claim about some kind lets bash run: nested, mutated and crossed ones
/// are among these alone.
const ANY: u64 = 25;
/// Commands run before an interruption is looked for.
const ROUND: u64 = 256;

type Check = fn(&Claim, Expected, &Ground<'_>) -> Checked;

pub(super) fn claims() -> Vec<Claim> {
    let claim = |tags: &'static [&'static str], id, sentence, kind, check: Check| Claim {
        id,
        sentence,
        kind,
        source: SOURCE,
        literal: Some(Expected::Holds),
        hardened: matches!(id, "R-32").then_some(Expected::Holds),
        tags,
        constructs: &[],
        check: Box::new(check),
    };
    vec![
        claim(
            &[],
            "R-31",
            "The shell knows nothing of control flow here, and errors stay bounded.",
            Kind::Measured,
            |_, _, ground| rates(ground, FragmentTruth::Unreached, FragmentTruth::Unreached),
        ),
        claim(
            &["R-32"],
            "R-32",
            "Where the fragment starts decides; its end does not matter.",
            Kind::Differential,
            |claim, _, ground| every_command(claim, ground, ground.inputs, other_with_other_ends),
        ),
        claim(
            &["R-33"],
            "R-33",
            "A fragment whose verb is outside every region is live whatever follows.",
            Kind::Differential,
            |claim, _, ground| {
                every_command(claim, ground, ground.inputs * ANY, inert_by_what_follows)
            },
        ),
        claim(
            &[],
            "R-36",
            "Overlooking a region (the seed says \"miss\") costs one judge call, inventing one skips only the un-waivable tier.",
            Kind::Measured,
            |_, _, ground| rates(ground, FragmentTruth::Runs, FragmentTruth::Text),
        ),
    ]
}

/// How often the answer is inert for what is of the one truth, and live for what is of the other, among the fragments of the
/// stored cases (`docs/spec/regions.md` section 5). Both have to occur.
fn rates(ground: &Ground<'_>, inert: FragmentTruth, live: FragmentTruth) -> Checked {
    let mut checked = Checked::default();
    let wanted = [(inert, false), (live, true)].map(|(truth, live)| Pair { truth, live });
    checked.answers = wanted.map(|pair| (pair.words(), 0)).into();
    for case in ground.cases {
        let Body::Regions(body) = &case.body else {
            continue;
        };
        // The examples of the claims were chosen for what they show.
        if body.kind == "claim" {
            continue;
        }
        let regions = (ground.scanner)(&body.command.0);
        for fragment in &body.fragments {
            let live = is_live(&regions, fragment.start);
            let truth = fragment.truth;
            if wanted.iter().any(|pair| pair.truth == truth) {
                checked.cases += 1;
                checked.count(Pair { truth, live }.words());
            }
        }
    }
    checked
}

/// A command and what was seen of it, put to a question; what it answers refutes the claim: the number of a fragment, and why.
type Question = fn(&Ground<'_>, &ShellCommand, &[Pair]) -> Option<(usize, String)>;

/// Puts every generated command to a question.
fn every_command(claim: &Claim, ground: &Ground<'_>, most: u64, question: Question) -> Checked {
    let mut checked = Checked::default();
    stored(|_, _, _| false, claim, ground, &mut checked);
    let mut inputs = Inputs::of(ground, claim.id);
    while checked.inputs < most && checked.counterexample.is_none() && !ground.stopped() {
        let next = inputs.next(ROUND.min(most - checked.inputs) as usize, |_| true);
        let decided = run(ground, next, &mut checked);
        checked.counterexample = decided.iter().find_map(|(_, made, pairs)| {
            let (at, why) = question(ground, made, pairs)?;
            Some(format!("{}\n{why}", against(made, pairs, &[at])))
        });
    }
    checked
}

/// With its fragments ending after their first letter, or as late as they can, nothing is another.
fn other_with_other_ends(
    ground: &Ground<'_>,
    made: &ShellCommand,
    pairs: &[Pair],
) -> Option<(usize, String)> {
    let starts: Vec<usize> = ranges(made).iter().map(|range| range.start).collect();
    let next = starts.iter().skip(1).copied().chain([made.text.len()]);
    let late: Vec<Range<usize>> = starts
        .iter()
        .zip(next)
        .map(|(&start, end)| start..end)
        .collect();
    let is_of_verb = |byte: &&u8| byte.is_ascii_alphabetic();
    let verb =
        |&start: &usize| start..start + made.text[start..].iter().take_while(is_of_verb).count();
    let early: Vec<Range<usize>> = starts.iter().map(verb).collect();
    let mut differing = None;
    for other in [late, early] {
        for _ in 0..AGAIN {
            let seen = asked(
                ground.pool,
                ground.scanner,
                &made.text,
                &other,
                made.terminal,
            )
            .ok()?;
            differing = (0..pairs.len()).find(|&at| seen[at] != pairs[at]);
            if differing.is_none() {
                break;
            }
        }
    }
    differing.map(|at| (at, "with another end it is another answer".to_owned()))
}

/// What is outside every region stays live when more follows at the end of the command.
fn inert_by_what_follows(
    ground: &Ground<'_>,
    made: &ShellCommand,
    _: &[Pair],
) -> Option<(usize, String)> {
    let regions = (ground.scanner)(&made.text);
    let outside = |at: usize| !regions.iter().any(|region| region.contains(at));
    let starts = ranges(made)
        .into_iter()
        .map(|range| range.start)
        .enumerate();
    for (at, start) in starts.filter(|(_, start)| outside(*start)) {
        for tail in [
            "",
            " # ok",
            "\n#",
            " && echo \"a\"",
            " \"$(cat list)\"",
            "'",
            "\"",
            "<<E\nE",
            "\nE\n",
        ] {
            let more = [&made.text, tail.as_bytes()].concat();
            if !is_live(&(ground.scanner)(&more), start) {
                return Some((at, format!("inert with {tail:?} behind the command")));
            }
        }
    }
    None
}
