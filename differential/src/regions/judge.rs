//! Does a scanner answer what it has to answer?
//!
//! The literal one is held against the seed, never against bash: where those two differ is a figure ([`super::Difference`]).
//! The hardened one is held against bash: what runs must be live, what is text should be inert.

use crate::bash::Recheck;
use crate::report::{Judgement, Verdict};
use corpus::{Case, FragmentTruth, ParityCase, RegionsCase};
use reference::regions::{Span, literal::is_live};
use serde_json::{Value, json};

/// A scanner under test: the reference, or a canary. Its answer is sorted.
pub type Scanner = fn(&[u8]) -> Vec<Span>;

/// Judges a case that holds the seed's exact answer.
pub fn parity(scanner: Scanner, case: &Case, body: &ParityCase) -> Judgement {
    let expected = body
        .regions
        .iter()
        .map(|&(start, end)| Span { start, end })
        .collect::<Vec<_>>();
    let got = scanner(&body.command.0);
    let why = first_difference(&expected, &got);
    Judgement {
        result: agree_if(why.is_none()),
        expected: spans(&expected),
        got: spans(&got),
        why: why.unwrap_or_default(),
        ..Judgement::of(case)
    }
}

/// Judges each fragment of a case by what bash does with it, and the literal scanner by what the seed says of it (a miss where
/// they differ); unscored where the truth holds for one build of bash only.
pub fn against_bash(
    scanner: Scanner,
    literal: Scanner,
    case: &Case,
    body: &RegionsCase,
) -> Vec<Judgement> {
    let regions = scanner(&body.command.0);
    let by_seed = fragments(literal, case, body);
    let one = |(mut judgement, fragment): (Judgement, &corpus::Fragment)| {
        if judgement.result == Verdict::Miss || is_quirk(body) {
            return judgement;
        }
        let live = is_live(&regions, fragment.start);
        judgement.expected = fragment.truth.word().into();
        judgement.got = word(live).into();
        (judgement.result, judgement.why) = by_truth(fragment.truth, live);
        judgement
    };
    by_seed.into_iter().zip(&body.fragments).map(one).collect()
}

fn by_truth(truth: FragmentTruth, live: bool) -> (Verdict, String) {
    let (result, why) = match (truth, live) {
        (FragmentTruth::Runs, false) => (Verdict::Miss, "bash runs it, and it is called inert"),
        (FragmentTruth::Unreached, false) => (
            Verdict::Miss,
            "bash would run it if control flow came there, and it is called inert",
        ),
        (FragmentTruth::Text, true) => (
            Verdict::FalseAlarm,
            "bash takes it for text, and it is called live",
        ),
        _ => (Verdict::Agree, ""),
    };
    (result, why.to_owned())
}

fn is_quirk(body: &RegionsCase) -> bool {
    body.tags.iter().any(|tag| tag == "quirk")
}

/// Judges each fragment of a case by what the seed says of it; unscored where it says nothing, or holds for one build
/// of bash only.
pub fn fragments(scanner: Scanner, case: &Case, body: &RegionsCase) -> Vec<Judgement> {
    let regions = scanner(&body.command.0);
    let quirk = is_quirk(body);
    let judge = |(at, fragment): (usize, &corpus::Fragment)| {
        let got = is_live(&regions, fragment.start);
        let expected = body.seed_says.as_ref().map(|says| says[at]);
        let (result, why) = match expected {
            None => (
                Verdict::Unscored,
                "the case does not say what the seed answers".to_owned(),
            ),
            Some(_) if quirk => (
                Verdict::Unscored,
                "true for this build or user only (quirk)".to_owned(),
            ),
            Some(expected) if expected == got => (Verdict::Agree, String::new()),
            Some(expected) => (
                Verdict::Miss,
                format!(
                    "the seed calls it {}, the literal scanner {}",
                    word(expected),
                    word(got)
                ),
            ),
        };
        Judgement {
            fragment: Some(at),
            result,
            expected: expected.map_or(Value::Null, |live| word(live).into()),
            got: word(got).into(),
            why,
            // A command that is no UTF-8 is shown in other bytes than its own.
            span: body.command.as_str().map(|_| fragment.start..fragment.end),
            truth: Some(fragment.truth),
            ..Judgement::of(case)
        }
    };
    body.fragments.iter().enumerate().map(judge).collect()
}

/// Takes into account what measuring the truth again gave: unless it is the stored one, the fragments of the case are
/// unknown or invalid. A miss stays one, and what is true for one build only stays unscored.
pub fn revise(judgements: &mut [Judgement], measured: &Recheck) {
    let (result, why) = match measured {
        Recheck::Holds => return,
        Recheck::Undecided(why) => (Verdict::Unknown, why),
        Recheck::Differs { now, why, .. } => {
            for (judgement, now) in judgements.iter_mut().zip(now) {
                judgement.truth = Some(*now);
                judge_again(judgement, *now);
            }
            (Verdict::Invalid, why)
        }
    };
    for one in judgements {
        match one.result {
            Verdict::Miss => {}
            Verdict::Unscored => one.why = format!("{}; {why}", one.why),
            _ => {
                one.result = result;
                one.why.clone_from(why);
                one.corpus_is_wrong = matches!(
                    measured,
                    Recheck::Differs {
                        corpus_is_wrong: true,
                        ..
                    }
                );
            }
        }
    }
}

/// What is observed now, and not what was stored, decides whether an answer is a miss. What was held against the seed, in
/// whose words it is then, was not held against bash.
fn judge_again(judgement: &mut Judgement, now: FragmentTruth) {
    let is_of_seed = [true, false]
        .map(word)
        .iter()
        .any(|&says| judgement.expected == says);
    let (result, why) = by_truth(now, judgement.got == word(true));
    if !is_of_seed && judgement.result != Verdict::Unscored {
        (judgement.result, judgement.why) = (result, why);
        judgement.expected = now.word().into();
    }
}

fn agree_if(equal: bool) -> Verdict {
    if equal { Verdict::Agree } else { Verdict::Miss }
}

fn word(live: bool) -> &'static str {
    if live { "live" } else { "inert" }
}

fn spans(spans: &[Span]) -> Value {
    spans
        .iter()
        .map(|span| json!([span.start, span.end]))
        .collect()
}

/// The first region that only one of two sorted answers holds, or holds once more.
fn first_difference(expected: &[Span], got: &[Span]) -> Option<String> {
    let same = expected
        .iter()
        .zip(got)
        .take_while(|(one, other)| one == other)
        .count();
    let (missing, added) = (expected.get(same), got.get(same));
    let (what, span) = match (missing, added) {
        (None, None) => return None,
        (Some(missing), Some(added)) if added < missing => ("adds", added),
        (Some(missing), _) => ("leaves out", missing),
        (None, Some(added)) => ("adds", added),
    };
    Some(format!("it {what} [{}, {}]", span.start, span.end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use corpus::{Body, Fragment, FragmentTruth, Place, Text};

    fn span(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    fn case(body: Body) -> Case {
        let place = Place {
            file: "a.jsonl".into(),
            line: 1,
        };
        Case {
            place,
            name: "one".to_owned(),
            body,
        }
    }

    fn parity_of(command: &str, regions: &[(usize, usize)], scanner: Scanner) -> Judgement {
        let body = ParityCase {
            command: Text(command.into()),
            regions: regions.to_vec(),
            tag: None,
        };
        parity(scanner, &case(Body::Parity(Box::new(body.clone()))), &body)
    }

    #[test]
    fn parity_wants_the_same_spans_as_often() {
        let twice = |_: &[u8]| vec![span(1, 2), span(1, 2), span(3, 3)];
        let judged = |regions: &[(usize, usize)]| {
            let one = parity_of("abcd", regions, twice);
            (one.result, one.why, one.got)
        };
        let got = json!([[1, 2], [1, 2], [3, 3]]);
        let miss = |why: &str| (Verdict::Miss, why.to_owned(), got.clone());
        assert_eq!(
            judged(&[(1, 2), (1, 2), (3, 3)]),
            (Verdict::Agree, String::new(), got.clone())
        );
        assert_eq!(judged(&[(1, 2), (3, 3)]), miss("it adds [1, 2]"));
        assert_eq!(
            judged(&[(1, 2), (1, 2), (2, 3), (3, 3)]),
            miss("it leaves out [2, 3]")
        );
        assert_eq!(judged(&[(1, 2), (1, 2)]), miss("it adds [3, 3]"));
        assert_eq!(
            judged(&[(1, 2), (1, 2), (3, 3), (4, 4)]),
            miss("it leaves out [4, 4]")
        );
    }

    fn fragments_of(seed_says: Option<Vec<bool>>, tags: &[&str], command: &[u8]) -> Vec<Judgement> {
        let fragment = |start| Fragment {
            start,
            end: start + 1,
            text: Text(command[start..=start].to_vec()),
            // What bash does changes nothing.
            truth: FragmentTruth::Runs,
        };
        let body = RegionsCase {
            command: Text(command.to_vec()),
            fragments: vec![fragment(0), fragment(2)],
            seed_says,
            kind: "plain".to_owned(),
            reach: None,
            tags: tags.iter().map(|&tag| tag.to_owned()).collect(),
            why: String::new(),
        };
        fragments(
            |_| vec![span(2, 3)],
            &case(Body::Regions(Box::new(body.clone()))),
            &body,
        )
    }

    fn results(judgements: &[Judgement]) -> Vec<Verdict> {
        judgements.iter().map(|one| one.result).collect()
    }

    #[test]
    fn a_fragment_is_judged_by_what_the_seed_says() {
        let judged = fragments_of(Some(vec![true, true]), &[], b"abc");
        assert_eq!(results(&judged), [Verdict::Agree, Verdict::Miss]);
        let one = &judged[1];
        assert_eq!((one.fragment, one.span.clone()), (Some(1), Some(2..3)));
        assert_eq!((&one.expected, &one.got), (&json!("live"), &json!("inert")));
        assert_eq!(one.why, "the seed calls it live, the literal scanner inert");
        let judged = fragments_of(Some(vec![false, false]), &[], b"a\xffc");
        assert_eq!(results(&judged), [Verdict::Miss, Verdict::Agree]);
        assert_eq!(judged[0].span, None);
    }

    #[test]
    fn a_truth_that_does_not_hold_is_not_scored_and_excuses_no_miss() {
        let differs = |corpus_is_wrong| Recheck::Differs {
            now: vec![FragmentTruth::Text, FragmentTruth::Runs],
            why: "differs".to_owned(),
            corpus_is_wrong,
        };
        let revised = |measured: &Recheck, tags: &[&str]| {
            let mut judged = fragments_of(Some(vec![true, true]), tags, b"abc");
            revise(&mut judged, measured);
            judged
        };
        let holds = revised(&Recheck::Holds, &[]);
        assert_eq!(results(&holds), [Verdict::Agree, Verdict::Miss]);
        let unknown = revised(&Recheck::Undecided("no bash".to_owned()), &[]);
        assert_eq!(results(&unknown), [Verdict::Unknown, Verdict::Miss]);
        assert_eq!(unknown[0].why, "no bash");
        for wrong in [false, true] {
            let invalid = revised(&differs(wrong), &[]);
            assert_eq!(results(&invalid), [Verdict::Invalid, Verdict::Miss]);
            let marks = invalid.iter().map(|one| one.corpus_is_wrong);
            assert_eq!(marks.collect::<Vec<_>>(), [wrong, false]);
            assert_eq!(invalid[0].truth, Some(FragmentTruth::Text));
            let quirk = revised(&differs(wrong), &["quirk"]);
            assert_eq!(results(&quirk), [Verdict::Unscored; 2]);
            assert!(
                quirk
                    .iter()
                    .all(|one| one.why.ends_with("; differs") && !one.corpus_is_wrong)
            );
        }
    }

    #[test]
    fn what_is_observed_now_decides_whether_it_is_a_miss() {
        let revised = |stored, now: FragmentTruth, inert: bool| {
            let fragment = Fragment {
                start: 0,
                end: 1,
                text: Text(b"a".to_vec()),
                truth: stored,
            };
            let body = RegionsCase {
                command: Text(b"a".to_vec()),
                fragments: vec![fragment],
                seed_says: Some(vec![true]),
                kind: "plain".to_owned(),
                reach: None,
                tags: Vec::new(),
                why: String::new(),
            };
            let scanner: Scanner = match inert {
                true => |_| vec![span(0, 1)],
                false => |_| Vec::new(),
            };
            let case = case(Body::Regions(Box::new(body.clone())));
            let mut judged = against_bash(scanner, |_| Vec::new(), &case, &body);
            let before = judged[0].result;
            let now = vec![now];
            let why = "differs".to_owned();
            revise(
                &mut judged,
                &Recheck::Differs {
                    now,
                    why,
                    corpus_is_wrong: true,
                },
            );
            (before, judged[0].result)
        };
        use FragmentTruth::{Runs, Text as Inert};
        let rows = [
            (Runs, Inert, true, (Verdict::Miss, Verdict::Invalid)),
            (Inert, Runs, true, (Verdict::Agree, Verdict::Miss)),
            (Inert, Runs, false, (Verdict::FalseAlarm, Verdict::Invalid)),
            (Runs, Inert, false, (Verdict::Agree, Verdict::Invalid)),
        ];
        for (stored, now, inert, expected) in rows {
            assert_eq!(revised(stored, now, inert), expected, "{stored:?} {now:?}");
        }
    }

    #[test]
    fn a_quirk_and_a_seed_that_says_nothing_are_unscored() {
        for (says, tags) in [(None, &[][..]), (Some(vec![true, true]), &["quirk"])] {
            let judged = fragments_of(says, tags, b"abc");
            assert_eq!(results(&judged), [Verdict::Unscored; 2]);
            assert!(judged.iter().all(|one| !one.why.is_empty()));
        }
    }
}
