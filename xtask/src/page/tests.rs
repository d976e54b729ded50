//! Does the page say all, the weightiest last, and does it leave the terminal alone?

use super::*;
use differential::replay::Form;
use std::path::PathBuf;

pub(crate) fn judgement(id: &str, result: Verdict) -> Judgement {
    Judgement {
        file: PathBuf::from("cases/a b.jsonl"),
        line: 7,
        id: id.to_owned(),
        fragment: Some(0),
        check: "regions",
        policy: None,
        result,
        expected: "runs".into(),
        got: "inert".into(),
        why: format!("because of {id}\x1b[2J"),
        command: "cat <<E\nrm x\nE".to_owned(),
        span: Some(8..12),
        truth: None,
        rerun: format!("cargo xtask replay --filter {id}"),
        corpus_is_wrong: false,
        listed: false,
    }
}

/// A report with one failure of each kind.
pub(crate) fn report() -> Report {
    let listed = |mut one: Judgement| {
        one.listed = true;
        one
    };
    let wrong = |mut one: Judgement| {
        one.corpus_is_wrong = true;
        one
    };
    let mut report = Report::of(Form::Hardened, 7);
    report.exit = 2;
    report.reasons = vec![
        "the corpus is wrong".to_owned(),
        "1 missed: missed".to_owned(),
    ];
    report.failures = vec![
        judgement("missed", Verdict::Miss),
        judgement("alarming", Verdict::FalseAlarm),
        listed(judgement("known", Verdict::FalseAlarm)),
        judgement("open", Verdict::Unknown),
        wrong(judgement("wrong", Verdict::Invalid)),
        judgement("other-version", Verdict::Invalid),
        judgement("quirk", Verdict::Unscored),
    ];
    let mut suite = Suite {
        file: "cases/a b.jsonl".into(),
        check: "regions",
        cases: 8,
        ..Suite::default()
    };
    suite.count(Verdict::Agree);
    report
        .failures
        .iter()
        .for_each(|one| suite.count(one.result));
    report.suites.push(suite);
    report.claims = Some(vec![ClaimResult {
        id: "SED-01",
        sentence: "it holds",
        form: "hardened",
        expected: "holds",
        result: "refuted",
        cases: 5,
        counterexample: Some("sed e\nsed w".to_owned()),
    }]);
    report.steps = Some(vec![Step {
        name: "corpus",
        result: "fail",
        figures: "8 cases".to_owned(),
        seconds: 0.5,
    }]);
    report
}

fn page(colour: bool, all: bool, report: &Report) -> String {
    Page {
        colour,
        all,
        started: Instant::now(),
    }
    .of(report)
}

#[test]
fn reasons_come_first_and_misses_last() {
    let page = page(false, false, &report());
    let mut lines = page.lines();
    assert_eq!(lines.next(), Some("FAIL   the corpus is wrong"));
    assert_eq!(lines.next(), Some("FAIL   1 missed: missed"));
    let at = |text: &str| {
        page.find(text)
            .unwrap_or_else(|| panic!("\"{text}\" is missing in\n{page}"))
    };
    let order = [
        "unscored   1 ×",
        "unknown   1 ×",
        "invalid for this version   1 ×",
        "false alarm (on the ledger)   1 ×",
        "false alarm   alarming",
        "invalid (the corpus is wrong)   wrong",
        "miss   missed",
        "claim   SED-01",
    ];
    assert!(order.map(at).is_sorted(), "{page}");
}

#[test]
fn a_failure_is_shown_as_a_reviewer_wants_it() {
    let page = page(false, false, &report());
    let block = "\
miss   missed   cases/a b.jsonl:7   regions   fragment 0
       command   cat <<E
                 rm x
                 ^^^^
                 E
       really    runs
       subject   inert
       why       because of missed␛[2J
       rerun     cargo xtask replay --filter missed
";
    assert!(page.contains(block), "{page}");
    assert!(
        page.contains("       example   sed e\n                 sed w\n"),
        "{page}"
    );
}

#[test]
fn counts_are_never_added_together() {
    let page = page(false, false, &report());
    let row = page
        .lines()
        .find(|line| line.contains("regions   "))
        .unwrap_or_default();
    let figures: Vec<&str> = row.split_whitespace().skip(3).collect();
    // cases, judged, agree, miss, false alarm, unknown, invalid, unscored
    assert_eq!(figures, ["8", "8", "1", "1", "2", "1", "2", "1"], "{page}");
}

#[test]
fn colour_is_only_there_when_asked_for() {
    assert!(!page(false, true, &report()).contains('\x1b'));
    let coloured = page(true, true, &report());
    assert!(coloured.contains("\x1b[1;31mmiss\x1b[0m") && !coloured.contains("\x1b[2J"));
}

#[test]
fn what_is_not_shown_is_said() {
    let mut report = report();
    report.failures = (0..SHOWN + 5)
        .map(|n| judgement(&format!("m{n}"), Verdict::Miss))
        .collect();
    assert!(page(false, false, &report).contains("5 miss more are not shown here"));
    assert_eq!(
        page(false, true, &report).matches("\nmiss ").count(),
        SHOWN + 5
    );
}

#[test]
fn long_answers_are_compared_line_by_line() {
    let mut report = report();
    let reads: Vec<String> = (0..20).map(|n| format!("some/file/{n}")).collect();
    report.failures[0].expected = serde_json::json!({ "reads": reads, "executes": true });
    report.failures[0].got = serde_json::json!({ "reads": reads, "executes": false });
    let page = page(false, false, &report);
    assert!(
        page.contains("-  \"executes\": true") && page.contains("+  \"executes\": false"),
        "{page}"
    );
}
