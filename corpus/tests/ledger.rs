//! Is the ledger read strictly, and does it neither hide a miss nor outlive what it knows?

use corpus::{Fault, Judged, Ledger, ledger_file};
use std::fs;

const ENTRY: &str = r#"{"id": "a", "result": "false_alarm", "why": "w"}"#;

fn load(text: &str) -> Result<Ledger, Fault> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ledger.json");
    fs::write(&file, text).expect("a file");
    Ledger::load(&file)
}

/// A judgement of the hardened form under `readonly`.
fn judged(result: &str) -> Judged<'_> {
    Judged {
        id: "a",
        check: "command",
        policy: Some("readonly"),
        form: "hardened",
        result,
    }
}

#[test]
fn the_ledger_of_the_project_loads() {
    let ledger = Ledger::load(&ledger_file().expect("the tests run in the checkout"));
    ledger.unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn every_fault_stops_the_load_at_its_line() {
    for (entry, reason) in [
        (
            r#"{"id": "b", "result": "false_alarm"}"#,
            "field \"why\" is missing",
        ),
        (
            r#"{"id": "b", "result": "false_alarm", "why": " "}"#,
            "has no reason",
        ),
        (
            r#"{"id": "b", "result": "false alarm", "why": "w"}"#,
            "unknown word \"false alarm\"",
        ),
        (
            r#"{"id": "b", "result": "agree", "why": "w"}"#,
            "unknown word \"agree\"",
        ),
        (
            r#"{"id": "b", "result": "invalid", "why": "w"}"#,
            "unknown word \"invalid\"",
        ),
        (
            r#"{"id": "b", "result": "unknown", "why": "w", "policy": "all"}"#,
            "unknown word \"all\"",
        ),
        (
            r#"{"id": "b", "result": "unknown", "why": "w", "form": "soft"}"#,
            "unknown word \"soft\"",
        ),
        (
            r#"{"id": "b", "result": "unknown", "why": "w", "check": "awk"}"#,
            "unknown word \"awk\"",
        ),
        (
            r#"{"id": "b", "result": "unknown", "why": "w", "issue": 1}"#,
            "\"issue\" is unknown",
        ),
        (
            r#"{"id": 1, "result": "unknown", "why": "w"}"#,
            "not a string",
        ),
        (
            r#"{"result": "unknown", "why": "w"}"#,
            "field \"id\" is missing",
        ),
        (
            r#"{"id": "b", "id": "b", "result": "unknown", "why": "w"}"#,
            "stands twice",
        ),
        (
            r#"["b", "unknown", "w"]"#,
            "the entry is an array, not an object",
        ),
        (ENTRY, "id \"a\" stands twice with this result (line 3)"),
        (
            r#"{"id": "a", "form": "literal", "result": "false_alarm", "why": "w"}"#,
            "stands twice",
        ),
        (
            r#"{"id": "b", "result": "miss", "why": "w"}"#,
            "can never be on the ledger",
        ),
        (
            r#"{"id": "b", "form": "hardened", "result": "miss", "why": "w"}"#,
            "can never be",
        ),
    ] {
        let fault = load(&format!("[\n\n  {ENTRY},\n  {entry}\n]\n")).expect_err(entry);
        assert!(
            fault.reason.contains(reason),
            "{} lacks {reason}",
            fault.reason
        );
        assert_eq!(fault.line, Some(4), "{fault}");
    }
    let inner = format!("[{ENTRY},\n{{\"id\": \"b\",\n \"why\": \"w\",\n \"why\": \"w\"}}]");
    assert_eq!(load(&inner).expect_err("a key twice").line, Some(4));
    for text in ["", "{}", "null", "[", "[],", &format!("[{ENTRY},]")] {
        assert!(load(text).is_err(), "{text:?}");
    }
    assert!(Ledger::load("nowhere.json".as_ref()).is_err());
}

#[test]
fn an_entry_lists_what_it_names_and_nothing_else() {
    assert!(!load("[]").expect("it loads").lists(&judged("false_alarm")));
    let wide = load(&format!("[{ENTRY}]")).expect("it loads");
    assert!(wide.lists(&judged("false_alarm")));
    assert!(wide.lists(&Judged {
        form: "literal",
        policy: None,
        ..judged("false_alarm")
    }));
    for result in ["miss", "unknown", "agree"] {
        assert!(!wide.lists(&judged(result)), "{result}");
    }
    assert!(!wide.lists(&Judged {
        id: "b",
        ..judged("false_alarm")
    }));

    let narrow = load(
        r#"[{"id": "a", "check": "command", "policy": "readonly", "form": "literal", "result": "miss", "why": "w"}]"#,
    )
    .expect("it loads");
    let listed = Judged {
        form: "literal",
        ..judged("miss")
    };
    assert!(narrow.lists(&listed));
    assert!(
        !narrow.lists(&judged("miss")),
        "never a miss of the hardened form"
    );
    assert!(!narrow.lists(&Judged {
        check: "sed",
        ..listed
    }));
    assert!(!narrow.lists(&Judged {
        policy: Some("destructive"),
        ..listed
    }));
    assert!(!narrow.lists(&Judged {
        policy: None,
        ..listed
    }));
}

#[test]
fn an_entry_that_is_not_true_any_more_is_stale() {
    let ledger = load(&format!("[\n{ENTRY}]")).expect("it loads");
    let stale = |judged: &[Judged<'static>], known: &[&'static str]| {
        ledger.stale(judged.iter().copied(), known.iter().copied())
    };
    let known = ["a", "b"];
    assert!(stale(&[judged("false_alarm")], &known).is_empty());
    assert!(
        stale(&[judged("agree"), judged("false_alarm")], &known).is_empty(),
        "one of two"
    );
    assert!(stale(&[], &known).is_empty(), "not run, not refuted");
    assert!(
        stale(&[judged("unknown")], &known).is_empty(),
        "not decided, not refuted"
    );
    assert!(
        stale(
            &[Judged {
                id: "b",
                ..judged("agree")
            }],
            &known
        )
        .is_empty()
    );
    for (judged, known, reason) in [
        (&[judged("agree")][..], &known[..], "and now it is agree"),
        (
            &[judged("agree"), judged("miss")],
            &known,
            "and now it is miss",
        ),
        (&[], &["b"], "no case has this id"),
        (&[judged("false_alarm")], &[], "no case has this id"),
    ] {
        let stale = stale(judged, known);
        assert_eq!(stale.len(), 1, "{reason}");
        assert!(
            stale[0].contains(reason) && stale[0].contains("ledger.json:2: "),
            "{}",
            stale[0]
        );
    }
}

#[test]
fn an_entry_of_one_form_is_refuted_by_that_form_only() {
    let entry =
        r#"[{"id": "a", "policy": "readonly", "form": "literal", "result": "miss", "why": "w"}]"#;
    let ledger = load(entry).expect("it loads");
    let literal = |result| Judged {
        form: "literal",
        ..judged(result)
    };
    let stale = |judged: Judged<'static>| ledger.stale([judged], ["a"]).len();
    assert_eq!(stale(judged("agree")), 0, "the other form");
    assert_eq!(stale(literal("miss")), 0);
    assert_eq!(stale(literal("agree")), 1);
    let elsewhere = Judged {
        policy: Some("destructive"),
        ..literal("miss")
    };
    assert_eq!(
        stale(elsewhere),
        1,
        "its case is judged, and never under its policy"
    );
}
