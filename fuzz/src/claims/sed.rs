//! The claims about sed: each a group of rules, checked by stored cases and by generated invocations.

use super::{Checked, Claim, Expected, Ground, Kind};
use crate::generate::{ConstructSet, SedInvocation, random_bytes, sed};
use crate::property::Failure;
use crate::property::sed::{
    agrees_with_the_static_oracle, knowing_less_never_says_less, names_what_happens,
};
use crate::shrink::smallest;
use corpus::{Body, SedCase};
use differential::report::Verdict;
use differential::sed::judge::{self, Recognizer, Truth};
use rayon::prelude::*;

/// Longest byte string that one invocation is decoded from.
pub(super) const LONGEST: usize = 512;
/// Calls of the oracle that shrinking may take.
const SHRINKING: usize = 400;

/// A group of rules, checked by its cases and by invocations that hold one of its constructs.
fn group(
    id: &'static str,
    sentence: &'static str,
    tags: &'static [&'static str],
    constructs: &'static [&'static str],
) -> Claim {
    Claim {
        id,
        sentence,
        kind: Kind::Differential,
        source: "sed.md",
        literal: None,
        hardened: Some(Expected::Holds),
        tags,
        constructs,
        check: Box::new(check_group),
    }
}

pub(super) fn claims() -> Vec<Claim> {
    vec![
        group(
            "SED-01",
            "Every path that sed reads or writes and every command it starts is covered by the answer.",
            &[],
            &[],
        ),
        group(
            "SED-02",
            "Options are read as `getopt_long` reads them: clusters, attached and separate arguments, abbreviations, permutation.",
            &["option-spelling", "usage", "bsd"],
            &["option "],
        ),
        group(
            "SED-03",
            "A piece of the script is compiled when it is met: later options do not act on it, later errors do not undo it.",
            &["option-order", "multi-e", "sandbox"],
            &[
                "option sandbox",
                "option posix",
                "option extended",
                "piece several",
                "piece open",
                "option after operand",
            ],
        ),
        group(
            "SED-04",
            "Addresses are accepted and refused as sed does, in every form and with every blank.",
            &["address", "script-error"],
            &["address ", "number large"],
        ),
        group(
            "SED-05",
            "A command ends where sed ends it, in blocks, after labels and in comments too.",
            &["block", "comment", "cmd-v", "near-miss-danger"],
            &[
                "command ",
                "label missing",
                "white space",
                "separator swallowed",
                "near miss in label",
                "near miss in comment",
            ],
        ),
        group(
            "SED-06",
            "The parts of `s`, `y` and expressions are cut byte by byte at their delimiter, brackets respected.",
            &["delimiter", "cmd-y", "near-miss-safe"],
            &[
                "delimiter ",
                "bracket ",
                "y ",
                "replacement ",
                "near miss in regex",
                "near miss in replacement",
            ],
        ),
        group(
            "SED-07",
            "Regular expressions are refused exactly where sed refuses them.",
            &["script-error", "benign"],
            &["regex ", "escape ", "bracket ", "replacement group"],
        ),
        group(
            "SED-08",
            "The flags of `s` are read in any order, and `w` opens its file before the expression is compiled.",
            &["cmd-s"],
            &["s flag "],
        ),
        group(
            "SED-09",
            "The text of `a`, `i`, `c` and `e` ends where sed ends it, over pieces too.",
            &["text", "multi-e"],
            &["text ", "near miss in text", "piece open text"],
        ),
        group(
            "SED-10",
            "A file named by `w` or `W` is written although no line matches, but for the names of sed's own streams.",
            &["cmd-w", "cmd-w-cap", "special-file", "filename", "symlink"],
            &["command w", "command W", "s flag w", "name "],
        ),
        group(
            "SED-11",
            "Operands, `r`, `R` and script files are read, standard input is not opened.",
            &["cmd-r", "cmd-r-cap", "operands", "cmd-w"],
            &["command r", "command R", "operand "],
        ),
        group(
            "SED-12",
            "`e` and the flag `e` of `s` run commands wherever they stand in an accepted piece.",
            &["cmd-e", "public-record"],
            &["command e", "s flag e"],
        ),
        group(
            "SED-13",
            "With `-i` each operand that is a regular file is replaced, and its backup stands where the suffix puts it.",
            &["in-place", "suffix-slash", "option-spelling"],
            &["in-place", "option follow-symlinks"],
        ),
        group(
            "SED-14",
            "A script file is part of the program; one that is not known is the worst case.",
            &["script-file", "stdin-script"],
            &["piece file", "piece standard input"],
        ),
        group(
            "SED-15",
            "`--posix`, `POSIXLY_CORRECT` and the locale change what they change in sed, and nothing else.",
            &["env", "posix"],
            &["env ", "option posix"],
        ),
        Claim {
            id: "SED-16",
            sentence: "With less known of the files the answer never says less, and it is the same each time.",
            kind: Kind::Property,
            source: "sed.md",
            literal: None,
            hardened: Some(Expected::Holds),
            tags: &[],
            constructs: &[],
            check: Box::new(check_knowing_less),
        },
        Claim {
            id: "SED-17",
            sentence: "What another sed would do beyond GNU sed for the same words is said apart.",
            kind: Kind::Differential,
            source: "sed.md",
            literal: None,
            hardened: Some(Expected::Holds),
            tags: &["differs-busybox", "benign"],
            constructs: &[],
            check: Box::new(check_elsewhere),
        },
    ]
}

fn holds_case(claim: &Claim, case: &SedCase) -> bool {
    claim.tags.is_empty()
        || case
            .tags
            .iter()
            .any(|tag| claim.tags.contains(&tag.as_str()))
}

/// The constructs of the claim; all of them if it names none.
fn mask(claim: &Claim) -> ConstructSet {
    // The empty beginning is that of every name.
    ConstructSet::beginning(if claim.constructs.is_empty() {
        &[""]
    } else {
        claim.constructs
    })
}

/// A number for a claim, so that claims see different inputs.
pub(super) fn number(id: &str) -> u64 {
    id.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The generated inputs of a claim that hold one of the constructs, with their bytes: the first `count` of them.
fn generated(ground: &Ground<'_>, claim: &Claim, from: u64, count: u64) -> Vec<Vec<u8>> {
    let (seed, mask) = (ground.seed ^ number(claim.id), mask(claim));
    (from..)
        .map(|index| random_bytes(seed, index, LONGEST))
        .filter(|bytes| sed(bytes).constructs.meets(mask))
        .take(count as usize)
        .collect()
}

/// What one input gave.
struct Judged {
    constructs: ConstructSet,
    answers: Vec<&'static str>,
    figures: Vec<&'static str>,
    executed: bool,
    failure: Option<(Vec<u8>, Failure)>,
}

fn add(
    checked: &mut Checked,
    judged: Vec<Judged>,
    refutes: impl Fn(&SedInvocation) -> Option<String>,
) {
    for one in judged {
        checked.constructs.add(one.constructs);
        checked.inputs += 1;
        checked.executed += u64::from(one.executed);
        for answer in one.answers {
            checked.count(answer);
            *checked.figures.entry(answer).or_default() += 1;
        }
        for figure in one.figures {
            *checked.figures.entry(figure).or_default() += 1;
        }
        match one.failure {
            Some((_, Failure::Undecided(_))) => checked.undecided += 1,
            Some((_, Failure::Unasked(why))) => {
                checked.unasked.get_or_insert(why);
            }
            Some((bytes, Failure::Refuted(_))) if checked.counterexample.is_none() => {
                let small = smallest(&bytes, SHRINKING, |bytes| refutes(&sed(bytes)).is_some());
                checked.counterexample = refutes(&sed(&small));
            }
            Some(_) | None => {}
        }
    }
}

/// The inputs are handed out in rounds, so that an interruption ends the check soon.
const ROUND: u64 = 2_000;

fn rounds(
    ground: &Ground<'_>,
    claim: &Claim,
    checked: &mut Checked,
    judge: impl Fn(Vec<u8>, u64) -> Judged + Sync,
    refutes: impl Fn(&SedInvocation) -> Option<String>,
) {
    let count = ground.inputs;
    let mut done = 0;
    while done < count && !ground.stopped() && checked.counterexample.is_none() {
        let round = ROUND.min(count - done);
        // Far enough apart that no input of one round is met again in the next.
        let inputs = generated(ground, claim, done << 20, round);
        let judged: Vec<Judged> = inputs
            .into_par_iter()
            .enumerate()
            .filter(|_| !ground.stopped())
            .map(|(at, bytes)| {
                let one = judge(bytes, done + at as u64);
                (ground.progress)();
                one
            })
            .collect();
        add(checked, judged, &refutes);
        done += round;
    }
}

/// Cases of the group agree with their stored truth; generated invocations agree with the static oracle, and where they
/// are run nothing happens that is not named.
fn check_group(claim: &Claim, _: Expected, ground: &Ground<'_>) -> Checked {
    let mut checked = Checked::default();
    for case in sed_cases(ground).filter(|(_, case)| holds_case(claim, case)) {
        against_case(ground.recognizer, case, &mut checked);
    }
    let statically = |made: &SedInvocation| match agrees_with_the_static_oracle(
        ground.pool,
        ground.recognizer,
        made,
    ) {
        Ok(accepted) => Ok(if accepted { "accepted" } else { "refused" }),
        Err(failure) => Err(failure),
    };
    let really = |made: &SedInvocation| names_what_happens(ground.pool, ground.recognizer, made);
    let refutes = |made: &SedInvocation| match (statically(made), really(made)) {
        (Err(Failure::Refuted(why)), _) | (_, Err(Failure::Refuted(why))) => Some(why),
        _ => None,
    };
    let judge = |bytes: Vec<u8>, at: u64| {
        let made = sed(&bytes);
        let mut one = Judged {
            constructs: made.constructs,
            answers: Vec::new(),
            figures: Vec::new(),
            executed: at < ground.executed,
            failure: None,
        };
        match statically(&made) {
            Ok(answer) => one.answers.push(answer),
            Err(failure) => one.failure = Some((bytes.clone(), failure)),
        }
        if one.executed {
            match really(&made) {
                Ok(seen) => {
                    one.answers.push(match (seen.executed, seen.wrote) {
                        (true, _) => "executed",
                        (false, true) => "wrote",
                        (false, false) => "harmless",
                    });
                    one.figures
                        .push(if seen.exact { "exact" } else { "overstated" });
                }
                Err(failure) => one.failure = Some((bytes, failure)),
            }
        }
        one
    };
    rounds(ground, claim, &mut checked, judge, refutes);
    checked
}

pub(super) fn sed_cases<'a>(ground: &Ground<'a>) -> impl Iterator<Item = (&'a str, &'a SedCase)> {
    ground.cases.iter().filter_map(|case| match &case.body {
        Body::Sed(sed) => Some((case.name.as_str(), sed.as_ref())),
        _ => None,
    })
}

fn against_case(recognizer: Recognizer, (name, case): (&str, &SedCase), checked: &mut Checked) {
    let answer = judge::ask(recognizer, case);
    let truth = Truth::of(case);
    let unreachable = case.tags.iter().any(|tag| tag == "unreachable");
    let (verdict, why) = judge::compare(&answer, &truth, unreachable);
    checked.cases += 1;
    checked.count(if truth.executes || truth.may_execute {
        "executed"
    } else if truth.may_write || !truth.writes.is_empty() {
        "wrote"
    } else {
        "harmless"
    });
    if verdict != Verdict::Agree && checked.counterexample.is_none() {
        checked.counterexample = Some(format!("case {name}: {why}"));
    }
}

fn check_knowing_less(claim: &Claim, _: Expected, ground: &Ground<'_>) -> Checked {
    let mut checked = Checked::default();
    let refutes = |made: &SedInvocation| match knowing_less_never_says_less(ground.recognizer, made)
    {
        Err(Failure::Refuted(why)) => Some(why),
        _ => None,
    };
    let judge = |bytes: Vec<u8>, _: u64| {
        let made = sed(&bytes);
        let (answers, failure) = match knowing_less_never_says_less(ground.recognizer, &made) {
            Ok(harmless) => (vec![if harmless { "harmless" } else { "harmful" }], None),
            Err(failure) => (Vec::new(), Some((bytes, failure))),
        };
        Judged {
            constructs: made.constructs,
            answers,
            figures: Vec::new(),
            executed: false,
            failure,
        }
    };
    rounds(ground, claim, &mut checked, judge, refutes);
    checked
}

/// Cases in which another sed does more are marked as such, everyday ones are not.
fn check_elsewhere(claim: &Claim, _: Expected, ground: &Ground<'_>) -> Checked {
    let mut checked = Checked::default();
    for (name, case) in sed_cases(ground).filter(|(_, case)| holds_case(claim, case)) {
        let differs = case.tags.iter().any(|tag| tag == "differs-busybox");
        checked.cases += 1;
        checked.count(if differs { "more" } else { "the same" });
        let says = !judge::ask(ground.recognizer, case).elsewhere.is_empty();
        if says != differs && checked.counterexample.is_none() {
            let does = if differs {
                "does more"
            } else {
                "does the same"
            };
            checked.counterexample = Some(format!("case {name}: another sed {does}"));
        }
    }
    checked
}
