//! Is a wrong call or corpus told with its place, and is nothing done? The program as built.

mod checkout;
mod program;

use checkout::{Checkout, lines, sed};
use program::{document, text};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;

fn regions(id: &str, start: usize, end: usize) -> Value {
    let fragments = json!([{ "start": start, "end": end, "text": "é", "truth": "text" }]);
    json!({ "id": id, "command": "echo 'é'", "fragments": fragments, "kind": "quoted", "tags": [], "why": "quoted" })
}

/// A wrong call or corpus and what has to be said of it.
struct Wrong {
    what: &'static str,
    prepare: fn(&Checkout),
    words: &'static [&'static str],
    file: Option<&'static str>,
    line: Option<u64>,
    reason: &'static str,
}

fn nothing(_: &Checkout) {}

const WRONG: &[Wrong] = &[
    Wrong {
        what: "malformed JSON",
        prepare: |at| at.write("x/sed-x.jsonl", &(lines(&[sed("a")]) + "{\"id\": \n")),
        words: &["replay", "x/sed-x.jsonl"],
        file: Some("x/sed-x.jsonl"),
        line: Some(2),
        reason: "",
    },
    Wrong {
        what: "unknown field",
        prepare: |at| {
            let mut case = sed("a");
            case["colour"] = "red".into();
            at.write("x/sed-x.jsonl", &lines(&[sed("b"), sed("c"), case]));
        },
        words: &["replay", "x"],
        file: Some("x/sed-x.jsonl"),
        line: Some(3),
        reason: "colour",
    },
    Wrong {
        what: "duplicate id over two files",
        prepare: |at| {
            at.write("x/sed-1.jsonl", &lines(&[sed("a")]));
            at.write("x/sed-2.jsonl", &lines(&[sed("b"), sed("a")]));
        },
        words: &["replay", "x/sed-1.jsonl", "x/sed-2.jsonl"],
        file: Some("x/sed-2.jsonl"),
        line: Some(2),
        reason: "\"a\"",
    },
    Wrong {
        what: "offset inside a character",
        prepare: |at| {
            at.write(
                "x/regions-truth.jsonl",
                &lines(&[regions("a", 6, 8), regions("b", 7, 8)]),
            )
        },
        words: &["replay", "x/regions-truth.jsonl"],
        file: Some("x/regions-truth.jsonl"),
        line: Some(2),
        reason: "7",
    },
    Wrong {
        what: "missing file",
        prepare: nothing,
        words: &["replay", "gone.jsonl"],
        file: Some("gone.jsonl"),
        line: None,
        reason: "no such file",
    },
    Wrong {
        what: "dangling link",
        prepare: |at| symlink("gone", at.path().join("dangling")).expect("links can be made"),
        words: &["replay", "dangling"],
        file: Some("dangling"),
        line: None,
        reason: "no such file",
    },
    Wrong {
        what: "looping link",
        prepare: |at| symlink("loop", at.path().join("loop")).expect("links can be made"),
        words: &["replay", "loop"],
        file: Some("loop"),
        line: None,
        reason: "too many levels",
    },
    Wrong {
        what: "link to itself among the cases",
        prepare: |at| {
            symlink(".", at.path().join("corpus/cases/again")).expect("links can be made")
        },
        words: &["verify"],
        file: Some("corpus/cases/again"),
        line: None,
        reason: "link",
    },
    Wrong {
        what: "cases out of order",
        prepare: |at| at.write("corpus/cases/sed.jsonl", &lines(&[sed("two"), sed("one")])),
        words: &["verify"],
        file: Some("corpus/cases/sed.jsonl"),
        line: Some(2),
        reason: "sort",
    },
    Wrong {
        what: "ledger entry without a reason",
        prepare: |at| {
            at.write(
                "corpus/ledger.json",
                "[\n{\"id\": \"one\", \"result\": \"false_alarm\", \"why\": \"\"}]",
            )
        },
        words: &["replay"],
        file: Some("corpus/ledger.json"),
        line: Some(2),
        reason: "reason",
    },
    Wrong {
        what: "ledger entry for a miss of the hardened reference",
        prepare: |at| {
            at.write(
                "corpus/ledger.json",
                "[{\"id\": \"one\", \"result\": \"miss\", \"why\": \"so\"}]",
            )
        },
        words: &["verify"],
        file: Some("corpus/ledger.json"),
        line: Some(1),
        reason: "never be on the ledger",
    },
    Wrong {
        what: "report folder that is a file",
        prepare: nothing,
        words: &["verify", "--report", "Cargo.toml"],
        file: Some("Cargo.toml"),
        line: None,
        reason: "cannot be written",
    },
    Wrong {
        what: "empty selection by name",
        prepare: nothing,
        words: &["replay", "--filter", "zzz"],
        file: None,
        line: None,
        reason: "zzz",
    },
    Wrong {
        what: "empty selection by tag",
        prepare: nothing,
        words: &["replay", "--tag", "zzz"],
        file: None,
        line: None,
        reason: "zzz",
    },
    Wrong {
        what: "folder without cases",
        prepare: |at| fs::create_dir(at.path().join("empty")).expect("folders can be made"),
        words: &["replay", "empty"],
        file: None,
        line: None,
        reason: "no case",
    },
    Wrong {
        what: "unknown option",
        prepare: nothing,
        words: &["replay", "--frobnicate"],
        file: None,
        line: None,
        reason: "--frobnicate",
    },
    Wrong {
        what: "unknown command",
        prepare: nothing,
        words: &["frobnicate"],
        file: None,
        line: None,
        reason: "frobnicate",
    },
    Wrong {
        what: "no command",
        prepare: nothing,
        words: &[],
        file: None,
        line: None,
        reason: "command",
    },
    Wrong {
        what: "unknown form",
        prepare: nothing,
        words: &["replay", "--form", "soft"],
        file: None,
        line: None,
        reason: "soft",
    },
    Wrong {
        what: "shard without seed",
        prepare: nothing,
        words: &["verify", "--shard", "1/2"],
        file: None,
        line: None,
        reason: "--seed",
    },
    Wrong {
        what: "shard out of range",
        prepare: nothing,
        words: &["verify", "--seed", "1", "--shard", "3/2"],
        file: None,
        line: None,
        reason: "K from 1 to N",
    },
    Wrong {
        what: "unknown area",
        prepare: nothing,
        words: &["verify", "--only", "everything"],
        file: None,
        line: None,
        reason: "everything",
    },
    Wrong {
        what: "no threads",
        prepare: nothing,
        words: &["replay", "--jobs", "0"],
        file: None,
        line: None,
        reason: "--jobs",
    },
];

#[test]
fn what_is_wrong_is_told_with_its_place_and_exit_2() {
    for wrong in WRONG {
        let at = Checkout::new();
        (wrong.prepare)(&at);
        let before = at.listing();

        let prose = at.run(wrong.words);
        let (said, what) = (text(&prose.stderr), wrong.what);
        assert_eq!(prose.status.code(), Some(2), "{what}: {said}");
        assert!(prose.stdout.is_empty(), "{what}: {}", text(&prose.stdout));
        let place = match (wrong.file, wrong.line) {
            (Some(file), Some(line)) => format!("{file}:{line}: "),
            (Some(file), None) => format!("{file}: "),
            _ => String::new(),
        };
        assert!(
            said.starts_with(&place) && said.to_lowercase().contains(&wrong.reason.to_lowercase()),
            "{what}: {said}"
        );

        for json in [
            [wrong.words, &["--json"]].concat(),
            [&["--json"], wrong.words].concat(),
        ] {
            let output = at.run(&json);
            let document = document(&output);
            assert_eq!(output.status.code(), Some(2), "{what}: {document}");
            assert_eq!(
                (&document["schema"], &document["exit"]),
                (&json!(1), &json!(2)),
                "{what}"
            );
            // `--json` before the command is itself a wrong call, which only has to be told as a document.
            if json.first() != Some(&"--json") {
                let error = &document["error"];
                assert_eq!(
                    (&error["file"], &error["line"]),
                    (&json!(wrong.file), &json!(wrong.line)),
                    "{what}"
                );
                let reason = error["reason"].as_str().unwrap_or_default();
                assert!(
                    reason.to_lowercase().contains(&wrong.reason.to_lowercase()),
                    "{what}: {reason}"
                );
                assert!(
                    !reason.is_empty() && !reason.contains('\n'),
                    "{what}: {reason:?}"
                );
            }
        }
        assert_eq!(at.listing(), before, "{what}: something changed on disk");
    }
}
