//! How do other programs read a report? JUnit for the list of tests, SARIF for the remarks on lines of the corpus.
//!
//! SARIF is written as JSON by hand: these few fields are all that its readers show, and the crate with the full types
//! generates them from the schema at every clean build.

use crate::screen::document;
use differential::report::{ClaimResult, Judgement, Report, Step, Suite, Verdict, text};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// Writes `report.json`, `junit.xml` and `results.sarif` into a folder that is there. `agreed`: the judgements that the
/// report does not list.
pub(crate) fn write(folder: &Path, report: &Report, agreed: &[Judgement]) -> Result<(), String> {
    let files = [
        ("report.json", document(report).map_err(|stop| stop.reason)?),
        ("junit.xml", junit(report, agreed)?),
        ("results.sarif", format!("{:#}\n", sarif(report))),
    ];
    for (name, content) in files {
        std::fs::write(folder.join(name), content).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

/// One suite a file, check and policy, one test a judgement; then the claims, then the steps.
fn junit(report: &Report, agreed: &[Judgement]) -> Result<String, String> {
    let mut out = quick_junit::Report::new("guardproof");
    for suite in &report.suites {
        let mine = |one: &&Judgement| {
            one.file == suite.file && one.check == suite.check && one.policy == suite.policy
        };
        let mut tests: Vec<&Judgement> =
            agreed.iter().chain(&report.failures).filter(mine).collect();
        tests.sort_by_key(|one| (one.line, one.fragment));
        let name = suite_name(suite);
        let mut of = TestSuite::new(name.as_str());
        of.add_test_cases(tests.into_iter().map(|one| {
            let fragment = one.fragment.map(|n| format!("[{n}]")).unwrap_or_default();
            let mut test = TestCase::new(format!("{}{fragment}", one.id), status(one));
            test.set_classname(name.as_str());
            test
        }));
        out.add_test_suite(of);
    }
    let mut claims = TestSuite::new("claims");
    claims.add_test_cases(report.claims.iter().flatten().map(|claim| {
        let ClaimResult {
            id,
            form,
            expected,
            result,
            sentence,
            counterexample,
            ..
        } = claim;
        let mut status = TestCaseStatus::success();
        if result != expected {
            status = failed(
                NonSuccessKind::Failure,
                result,
                format!("expected {expected}: {sentence}"),
            );
            status.set_description(counterexample.clone().unwrap_or_default());
        }
        TestCase::new(format!("{id} ({form})"), status)
    }));
    let mut steps = TestSuite::new("steps");
    steps.add_test_cases(report.steps.iter().flatten().map(|step| {
        let Step {
            name,
            result,
            figures,
            seconds,
        } = step;
        let status = match *result {
            "ok" => TestCaseStatus::success(),
            "fail" => failed(NonSuccessKind::Failure, result, figures.clone()),
            _ => skipped(format!("{result}: {figures}")),
        };
        let mut test = TestCase::new(*name, status);
        test.set_time(Duration::try_from_secs_f64(*seconds).unwrap_or_default());
        test
    }));
    out.add_test_suites([claims, steps]);
    out.to_string()
        .map_err(|error| format!("junit.xml: {error}"))
}

fn suite_name(suite: &Suite) -> String {
    let what = [Some(suite.check), suite.policy]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ");
    format!("{} {what}", suite.file.display())
}

fn status(one: &Judgement) -> TestCaseStatus {
    let why = one.why.clone();
    let mut status = match one.result {
        Verdict::Agree => return TestCaseStatus::success(),
        _ if one.listed => return skipped(format!("{}, on the ledger: {why}", one.result.word())),
        Verdict::Miss | Verdict::FalseAlarm => {
            failed(NonSuccessKind::Failure, one.result.word(), why)
        }
        Verdict::Invalid if one.corpus_is_wrong => {
            failed(NonSuccessKind::Error, one.result.word(), why)
        }
        Verdict::Unknown | Verdict::Invalid | Verdict::Unscored => {
            return skipped(format!("{}: {why}", one.result.word()));
        }
    };
    let Judgement {
        command,
        expected,
        got,
        rerun,
        ..
    } = one;
    status.set_description(format!(
        "{command}\nreally   {expected}\nsubject  {got}\nrerun    {rerun}"
    ));
    status
}

fn failed(kind: NonSuccessKind, word: &str, message: String) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(word).set_message(message);
    status
}

fn skipped(message: String) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(message);
    status
}

/// One result for every judgement that says something is open or off, and every claim off its expectation (SARIF 2.1.0).
fn sarif(report: &Report) -> Value {
    let of_claims = report
        .claims
        .iter()
        .flatten()
        .filter(|claim| claim.result != claim.expected);
    let open = report
        .failures
        .iter()
        .filter(|one| one.result != Verdict::Unscored);
    let results: Vec<Value> =
        open.map(remark).chain(of_claims.map(|claim| {
            let ClaimResult { id, form, expected, result, sentence, counterexample, .. } = claim;
            let example = counterexample.as_deref().map(|text| format!("; {text}")).unwrap_or_default();
            json!({
                "ruleId": "claim",
                "level": "error",
                "message": { "text": format!("{id} ({form}) {result}, expected {expected}: {sentence}{example}") },
            })
        })).collect();
    let rules = [
        ("miss", "called harmless, and it was not"),
        (
            "false_alarm",
            "called harmful, and nothing of the kind can happen",
        ),
        ("unknown", "the oracle could not decide"),
        (
            "invalid",
            "the case itself is wrong, or was measured on another version",
        ),
        ("claim", "a claim off its expectation"),
    ]
    .map(|(id, text)| json!({ "id": id, "shortDescription": { "text": text } }));
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "guardproof", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "properties": { "seed": report.seed, "subject": report.subject, "exit": report.exit, "reasons": report.reasons },
            "invocations": [{ "executionSuccessful": matches!(report.exit, 0 | 1), "exitCode": report.exit }],
            "results": results,
        }],
    })
}

fn remark(one: &Judgement) -> Value {
    let level = match one.result {
        Verdict::Miss => "error",
        Verdict::Invalid if one.corpus_is_wrong => "error",
        Verdict::FalseAlarm => "warning",
        _ => "note",
    };
    let Judgement {
        id,
        command,
        expected,
        got,
        why,
        rerun,
        ..
    } = one;
    let message = format!(
        "{id}: {why}\ncommand: {command}\nreally: {expected}\nsubject: {got}\nrerun: {rerun}"
    );
    let mut result = json!({
        "ruleId": one.result.word(),
        "level": level,
        "message": { "text": message },
        "partialFingerprints": { "case/v1": format!("{id}/{}/{}", one.fragment.unwrap_or(0), one.policy.unwrap_or("")) },
    });
    // A path outside UTF-8 has no URI that every reader takes; the message names the case all the same.
    if let (Value::String(path), 1..) = (text(one.file.as_os_str().as_encoded_bytes()), one.line) {
        result["locations"] = json!([{ "physicalLocation": {
            "artifactLocation": { "uri": uri(&path) },
            "region": { "startLine": one.line },
        } }]);
    }
    if one.listed {
        result["suppressions"] = json!([{ "kind": "external", "justification": "on the ledger" }]);
    }
    result
}

/// A path as a URI reference: everything outside the unreserved characters and `/` percent-encoded.
fn uri(path: &str) -> String {
    path.bytes().fold(String::new(), |mut uri, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte.into())
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
        uri
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::tests::{judgement, report};

    #[test]
    fn junit_counts_every_judgement_once() {
        let agreed = [judgement("fine", Verdict::Agree)];
        let xml = junit(&report(), &agreed).expect("every text can be written");
        let head = xml.lines().nth(1).unwrap_or_default();
        // 8 judgements, 1 claim, 1 step; the miss, the unlisted false alarm, the claim and the step failed.
        assert_eq!(
            head,
            r#"<testsuites name="guardproof" tests="10" skipped="4" failures="4" errors="1">"#
        );
        assert!(
            !xml.contains('\x1b'),
            "XML 1.0 has no place for control characters"
        );
    }

    #[test]
    fn sarif_places_each_remark_on_its_line() {
        let sarif = sarif(&report());
        let results = sarif["runs"][0]["results"].as_array().expect("an array");
        let levels: Vec<_> = results
            .iter()
            .map(|one| one["level"].as_str().unwrap_or_default())
            .collect();
        assert_eq!(
            levels,
            [
                "error", "warning", "warning", "note", "error", "note", "error"
            ]
        );
        let place = &results[0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "cases/a%20b.jsonl");
        assert_eq!(place["region"]["startLine"], 7);
        assert!(results[2]["suppressions"].is_array() && results[1]["suppressions"].is_null());
    }
}
