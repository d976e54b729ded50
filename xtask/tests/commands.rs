//! Do the commands print and write what is said of them, and does an interrupted run leave nothing? The program as built.

mod checkout;
mod processes;
mod program;

use checkout::{Checkout, lines, sed};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use processes::{below, eventually, lives, on_a_terminal};
use program::{document, text};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

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
