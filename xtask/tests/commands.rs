//! Are wrong calls and wrong corpora refused as said, and does an interrupted run leave nothing? The program as built.

mod program;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use program::{below, document, eventually, lives, on_a_terminal, text};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;
use tempfile::TempDir;

/// A checkout of its own: what the program looks for, and nothing else.
struct Checkout(TempDir);

impl Checkout {
    fn new() -> Checkout {
        let checkout = Checkout(tempfile::tempdir().expect("a temporary folder"));
        checkout.write("Cargo.toml", "");
        checkout.write("corpus/ledger.json", "[]\n");
        checkout.write("corpus/cases/sed.jsonl", &lines(&[sed("one"), sed("two")]));
        checkout
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, content: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("names have a folder"))
            .expect("folders can be made");
        fs::write(path, content).expect("files can be written");
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command
            .args(words)
            .current_dir(self.path())
            .stdin(Stdio::null());
        command
    }

    fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("the program starts")
    }

    /// Every path below with its kind, size, content and time of change.
    fn listing(&self) -> BTreeMap<PathBuf, String> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)
                .expect("folders can be read")
                .map(|entry| entry.expect("so can entries"))
            {
                let meta = fs::symlink_metadata(entry.path()).expect("entries have metadata");
                let content = if meta.is_file() {
                    fs::read(entry.path()).expect("files can be read")
                } else {
                    Vec::new()
                };
                let time = meta.modified().expect("times are kept");
                found.insert(
                    entry.path(),
                    format!("{:?} {time:?} {content:?}", meta.file_type()),
                );
                folders.extend(meta.is_dir().then(|| entry.path()));
            }
        }
        found
    }
}

/// A case that everybody judges in the same way.
fn sed(id: &str) -> Value {
    json!({
        "id": id, "argv": ["sed", "-n", "p", "in"], "files": { "in": "a\n" }, "effect": "read_only", "reads": ["in"],
        "writes": [], "executes": false, "exit": 0, "sandbox_accepts": true, "why": "prints", "tags": ["plain"],
    })
}

fn regions(id: &str, start: usize, end: usize) -> Value {
    let fragments = json!([{ "start": start, "end": end, "text": "é", "truth": "text" }]);
    json!({ "id": id, "command": "echo 'é'", "fragments": fragments, "kind": "quoted", "tags": [], "why": "quoted" })
}

fn lines(cases: &[Value]) -> String {
    cases.iter().map(|case| format!("{case}\n")).collect()
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

#[test]
fn a_stale_ledger_is_told_with_the_report() {
    let at = Checkout::new();
    at.write(
        "corpus/ledger.json",
        "[{\"id\": \"gone\", \"result\": \"false_alarm\", \"why\": \"so\"}]",
    );
    let calls: [&[&str]; 2] = [
        &["replay", "--json"],
        &["verify", "--only", "corpus", "--json"],
    ];
    for words in calls {
        let output = at.run(words);
        let document = document(&output);
        assert_eq!(
            (output.status.code(), &document["exit"]),
            (Some(2), &json!(2)),
            "{document}"
        );
        assert!(
            document["reasons"][0]
                .as_str()
                .is_some_and(|reason| reason.contains("\"gone\"")),
            "{document}"
        );
    }
}

#[test]
fn bytes_outside_utf_8_stand_as_hex() {
    let at = Checkout::new();
    let mut command = at.command(&["replay", "--json"]);
    command.arg(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"sed-\xff.jsonl"));
    let document = document(&command.output().expect("the program starts"));
    assert_eq!(
        document["error"]["file"]["hex"], "7365642dff2e6a736f6e6c",
        "{document}"
    );
}

#[test]
fn the_document_stands_alone_and_its_counts_add_up() {
    let at = Checkout::new();
    let before = at.listing();
    let output = at.run(&[
        "replay",
        "--json",
        "--no-execute",
        "--seed",
        "18446744073709551615",
        "--jobs",
        "2",
    ]);
    let document = document(&output);
    assert_eq!(document["seed"], json!(u64::MAX));
    assert_eq!(document["subject"], "reference/hardened");
    assert_eq!(
        output.status.code().map(i64::from),
        document["exit"].as_i64()
    );
    let suite = &document["suites"][0];
    let count = |name: &str| {
        suite[name]
            .as_u64()
            .unwrap_or_else(|| panic!("no count {name}: {suite}"))
    };
    let results = [
        "agree",
        "miss",
        "false_alarm",
        "unknown",
        "invalid",
        "unscored",
    ]
    .map(count);
    assert_eq!((count("cases"), count("judged")), (2, results.iter().sum()));
    assert_eq!(
        document["failures"].as_array().map(Vec::len),
        Some(results[1..].iter().sum::<u64>() as usize)
    );
    assert!(text(&output.stderr).contains("seed 18446744073709551615"));
    assert_eq!(at.listing(), before);
}

#[test]
fn the_report_is_written_where_asked_and_nowhere_else() {
    let at = Checkout::new();
    let before = at.listing();
    let output = at.run(&[
        "verify", "--only", "corpus", "--report", "out/here", "--json",
    ]);
    let mut after = at.listing();
    let names = ["report.json", "junit.xml", "results.sarif"];
    let written: Vec<String> = names
        .iter()
        .map(|name| {
            fs::read_to_string(at.path().join("out/here").join(name))
                .expect("the three files are there")
        })
        .collect();
    after.retain(|path, _| !path.starts_with(at.path().join("out")));
    assert_eq!(after, before);
    assert_eq!(
        fs::read_dir(at.path().join("out/here"))
            .map(Iterator::count)
            .ok(),
        Some(names.len())
    );
    assert_eq!(
        serde_json::from_str::<Value>(&written[0]).ok(),
        Some(document(&output))
    );
    assert!(
        written[1].contains("<testsuites") && written[1].contains("name=\"two\""),
        "{}",
        written[1]
    );
    let sarif: Value = serde_json::from_str(&written[2]).expect("SARIF is JSON");
    assert_eq!(sarif["version"], "2.1.0");
}

#[test]
fn every_help_has_an_example() {
    let at = Checkout::new();
    let help = text(&at.run(&["--help"]).stdout);
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| *word != "help")
        .collect();
    assert!(
        ["verify", "replay", "explain", "fuzz"]
            .iter()
            .all(|word| commands.contains(word)),
        "{commands:?}"
    );
    assert!(help.contains("Example"), "{help}");
    for command in commands {
        let output = at.run(&[command, "--help"]);
        let help = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0));
        let (_, examples) = help
            .split_once("Example")
            .unwrap_or_else(|| panic!("no example for {command}: {help}"));
        assert!(
            examples.contains(&format!("cargo xtask {command}")),
            "{help}"
        );
        assert!(
            help.contains("--json") && help.contains("--jobs") && help.contains("--seed"),
            "{help}"
        );
        assert!(document(&at.run(&[command, "--help", "--json"]))["help"].is_string());
    }
}

#[test]
fn colour_is_on_a_terminal_only_and_never_with_no_color() {
    let at = Checkout::new();
    let words = ["replay", "--no-execute"];
    assert!(on_a_terminal(at.command(&words), false).contains("\x1b["));
    let plain = on_a_terminal(at.command(&words), true);
    assert!(
        plain.contains("corpus/cases/sed.jsonl") && !plain.contains('\x1b'),
        "{plain:?}"
    );
    for words in [
        &words[..],
        &["replay", "--frobnicate"],
        &["replay", "--help"],
    ] {
        let output = at
            .command(words)
            .env("CLICOLOR_FORCE", "1")
            .env("TERM", "xterm")
            .output()
            .expect("it starts");
        assert!(
            !output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b),
            "{words:?}"
        );
    }
}

#[test]
fn a_signal_ends_a_long_replay_and_leaves_nothing() {
    let at = Checkout::new();
    let many: Vec<Value> = (0..50_000).map(|n| sed(&format!("c{n:05}"))).collect();
    at.write("many/sed-many.jsonl", &lines(&many));
    for (signal, twice) in [
        (Signal::SIGINT, false),
        (Signal::SIGTERM, false),
        (Signal::SIGHUP, false),
        (Signal::SIGINT, true),
    ] {
        let scratch = tempfile::tempdir().expect("a temporary folder");
        let before = at.listing();
        let mut command = at.command(&["replay", "many", "--json", "--jobs", "2"]);
        command
            .env("TMPDIR", scratch.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let pid = child.id() as i32;
        let mut workers = BTreeSet::new();
        // Two workers, each with the first process of its box.
        eventually("the workers were never seen", || {
            workers.extend(below(pid));
            workers.len() >= 4 || child.try_wait().expect("it can be asked").is_some()
        });
        assert!(
            child.try_wait().expect("it can be asked").is_none(),
            "it ended before it was interrupted"
        );
        kill(Pid::from_raw(pid), signal).expect("it lives");
        if twice {
            sleep(Duration::from_millis(20));
            // It may be gone already.
            let _ = kill(Pid::from_raw(pid), signal);
        }
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(
            output.status.code(),
            Some(130),
            "{signal}: {}",
            text(&output.stderr)
        );
        if !twice {
            let document = document(&output);
            assert_eq!(document["exit"], 130);
            assert!(
                document["reasons"][0]
                    .as_str()
                    .is_some_and(|reason| reason.starts_with("interrupted after"))
            );
            let suite = &document["suites"][0];
            assert_eq!(suite["cases"], 50_000);
            assert!(suite["judged"].as_u64() < Some(50_000), "{suite}");
        }
        eventually(&format!("{signal} left a process of {workers:?}"), || {
            !workers.iter().any(lives)
        });
        assert_eq!(
            fs::read_dir(scratch.path()).map(Iterator::count).ok(),
            Some(0),
            "{signal} left a file"
        );
        assert_eq!(at.listing(), before);
    }
}
