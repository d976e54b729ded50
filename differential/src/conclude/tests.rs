//! Is every row of the exit rules kept, alone and in pairs?

use super::*;
use crate::report::{ClaimResult, Suite};
use serde_json::Value;
use std::path::PathBuf;

fn judgement(id: &str, result: Verdict) -> Judgement {
    Judgement {
        file: PathBuf::from("a.jsonl"),
        line: 1,
        id: id.to_owned(),
        fragment: None,
        check: "sed",
        policy: None,
        result,
        expected: Value::Null,
        got: Value::Null,
        why: String::new(),
        command: String::new(),
        span: None,
        truth: None,
        rerun: String::new(),
        corpus_is_wrong: false,
        listed: false,
    }
}

fn claim(expected: &'static str, result: &'static str) -> ClaimResult {
    let (id, sentence, form) = ("SED-01", "…", "literal");
    ClaimResult {
        id,
        sentence,
        form,
        expected,
        result,
        cases: 1,
        counterexample: None,
    }
}

/// One ingredient of a run: how it changes the report, the causes, and the exit code it alone leads to.
type Ingredient = (&'static str, fn(&mut Report), fn() -> Vec<Cause>, i32);

fn nothing(_: &mut Report) {}

fn failing(report: &mut Report, change: fn(&mut Judgement), result: Verdict) {
    let mut one = judgement("x", result);
    change(&mut one);
    report.failures.push(one);
}

fn suite(report: &mut Report, verdicts: &[Verdict]) {
    let mut suite = Suite {
        file: "b.jsonl".into(),
        check: "sed",
        cases: 1,
        ..Suite::default()
    };
    verdicts.iter().for_each(|verdict| suite.count(*verdict));
    report.suites.push(suite);
}

/// Every row of the exit rules.
const INGREDIENTS: &[Ingredient] = &[
    ("all agree", |r| suite(r, &[Verdict::Agree]), Vec::new, 0),
    ("a miss", |r| failing(r, |_| {}, Verdict::Miss), Vec::new, 1),
    (
        "a miss of the literal form, listed",
        |r| failing(r, |one| one.listed = true, Verdict::Miss),
        Vec::new,
        0,
    ),
    (
        "an unlisted false alarm",
        |r| failing(r, |_| {}, Verdict::FalseAlarm),
        Vec::new,
        1,
    ),
    (
        "a listed false alarm",
        |r| failing(r, |one| one.listed = true, Verdict::FalseAlarm),
        Vec::new,
        0,
    ),
    (
        "a claim off",
        |r| r.claims = Some(vec![claim("holds", "refuted")]),
        Vec::new,
        1,
    ),
    (
        "a literal form without its counterexample",
        |r| r.claims = Some(vec![claim("refuted", "holds")]),
        Vec::new,
        1,
    ),
    (
        "a vacuous claim",
        |r| r.claims = Some(vec![claim("holds", "vacuous")]),
        Vec::new,
        1,
    ),
    (
        "a claim refuted as expected",
        |r| r.claims = Some(vec![claim("refuted", "refuted")]),
        Vec::new,
        0,
    ),
    (
        "an attack that got through",
        nothing,
        || vec![Cause::Off("attack".to_owned())],
        1,
    ),
    (
        "a stale ledger",
        nothing,
        || vec![Cause::Wrong("stale".to_owned())],
        2,
    ),
    (
        "a wrong truth",
        |r| failing(r, |one| one.corpus_is_wrong = true, Verdict::Invalid),
        Vec::new,
        2,
    ),
    (
        "no box",
        nothing,
        || vec![Cause::Incomplete("no box".to_owned())],
        3,
    ),
    (
        "a suite of unknowns",
        |r| suite(r, &[Verdict::Unknown, Verdict::Invalid]),
        Vec::new,
        3,
    ),
    (
        "a suite of unscored",
        |r| suite(r, &[Verdict::Unscored]),
        Vec::new,
        0,
    ),
    (
        "a suite of unscored and unknown",
        |r| suite(r, &[Verdict::Unscored, Verdict::Unknown]),
        Vec::new,
        3,
    ),
    ("a suite without judgement", |r| suite(r, &[]), Vec::new, 3),
    (
        "a suite partly unknown",
        |r| suite(r, &[Verdict::Unknown, Verdict::Agree]),
        Vec::new,
        0,
    ),
    (
        "one unknown",
        |r| failing(r, |_| {}, Verdict::Unknown),
        Vec::new,
        0,
    ),
    (
        "one invalid for this version",
        |r| failing(r, |_| {}, Verdict::Invalid),
        Vec::new,
        0,
    ),
    (
        "one unscored",
        |r| failing(r, |_| {}, Verdict::Unscored),
        Vec::new,
        0,
    ),
    (
        "a signal",
        nothing,
        || vec![Cause::Interrupted("signal".to_owned())],
        130,
    ),
];

fn concluded(ingredients: &[&Ingredient], strict: bool) -> Report {
    let mut report = Report::default();
    let mut causes = Vec::new();
    for (_, change, more, _) in ingredients {
        let claims = report.claims.take().unwrap_or_default();
        change(&mut report);
        report.claims.get_or_insert_default().extend(claims);
        causes.extend(more());
    }
    conclude(&mut report, causes, strict);
    report
}

#[test]
fn each_alone_leads_to_its_exit() {
    for ingredient in INGREDIENTS {
        let report = concluded(&[ingredient], false);
        assert_eq!(report.exit, ingredient.3, "{}", ingredient.0);
        assert_eq!(
            report.reasons.len(),
            usize::from(ingredient.3 != 0),
            "{}: {:?}",
            ingredient.0,
            report.reasons
        );
    }
}

#[test]
fn of_two_the_weightier_holds_and_both_are_said() {
    let weight = |exit: i32| [0, 3, 1, 2, 130].iter().position(|one| *one == exit);
    for one in INGREDIENTS {
        for other in INGREDIENTS {
            let pair = format!("{} and {}", one.0, other.0);
            let report = concluded(&[one, other], false);
            let expected = if weight(one.3) > weight(other.3) {
                one.3
            } else {
                other.3
            };
            assert_eq!(report.exit, expected, "{pair}");
            // A suite that was not reached is no second reason.
            let hidden = |this: &Ingredient, that: &Ingredient| {
                that.3 == 130 && this.0.starts_with("a suite")
            };
            if one.0 != other.0 && !hidden(one, other) && !hidden(other, one) {
                let both = concluded(&[one], false).reasons.len()
                    + concluded(&[other], false).reasons.len();
                assert_eq!(report.reasons.len(), both, "{pair}: {:?}", report.reasons);
            }
            if one.0 != other.0 && expected != 0 {
                let weighty = [one, other]
                    .into_iter()
                    .filter(|ingredient| ingredient.3 == expected);
                let mut first =
                    weighty.flat_map(|ingredient| concluded(&[ingredient], false).reasons);
                assert!(
                    first.any(|reason| reason == report.reasons[0]),
                    "{pair}: {:?}",
                    report.reasons
                );
            }
        }
    }
}

#[test]
fn strict_counts_single_open_cases() {
    for ingredient in INGREDIENTS {
        let report = concluded(&[ingredient], true);
        let open = ["one unknown", "one invalid for this version"].contains(&ingredient.0);
        assert_eq!(
            report.exit,
            if open { 3 } else { ingredient.3 },
            "{}",
            ingredient.0
        );
    }
    let wrong_and_unknown: Vec<&Ingredient> = INGREDIENTS
        .iter()
        .filter(|one| ["a wrong truth", "one unknown"].contains(&one.0))
        .collect();
    let report = concluded(&wrong_and_unknown, true);
    assert_eq!(
        (report.exit, report.reasons.len()),
        (2, 2),
        "{:?}",
        report.reasons
    );
}

#[test]
fn reasons_name_the_first_cases_and_count_all() {
    let failures = ["a", "b", "c", "d"]
        .map(|id| judgement(id, Verdict::Miss))
        .into();
    let mut report = Report {
        failures,
        ..Report::default()
    };
    conclude(&mut report, Vec::new(), false);
    assert_eq!(report.reasons, ["4 missed: a, b, c, …"]);
}
