//! Does `explain --run` say what bash did, and does it leave nothing when it is stopped? The program as built.

mod explaining;
mod processes;
mod program;

use explaining::{assert_harmless, call, explain};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use processes::{below, eventually, lives, on_a_terminal};
use program::{document, text};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Output, Stdio};

/// What bash did, with the page.
fn ran(command: &str) -> (Value, String) {
    let output = explain(&[b"--run", b"--json", b"--", command.as_bytes()]);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{command}: {}",
        text(&output.stderr)
    );
    (document(&output)["run"].clone(), text(&output.stderr))
}

#[test]
fn what_bash_did_is_told() {
    let (run, page) = ran(
        "cat f nosuch >made; mv list lst; rm d/b.txt; echo x >>notes.md; touch t; rm t; ./f; exit 7",
    );
    assert_eq!(run["end"], json!({ "exit": 7 }), "{page}");
    let argv: Vec<&Value> = run["programs"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|one| &one["argv"])
        .collect();
    let expected = [
        json!(["cat", "f", "nosuch"]),
        json!(["mv", "list", "lst"]),
        json!(["rm", "d/b.txt"]),
        json!(["touch", "t"]),
        json!(["rm", "t"]),
        json!(["./f"]),
    ];
    assert!(argv.into_iter().eq(&expected), "{run}");
    assert_eq!(run["programs"][5]["error"], "Permission denied", "{run}");
    assert_eq!(run["programs"][0].get("error"), None, "{run}");
    for (list, paths) in [
        ("read", json!(["f"])),
        ("created", json!(["made"])),
        ("changed", json!(["notes.md"])),
        ("renamed", json!([["list", "lst"]])),
        ("removed", json!(["d/b.txt"])),
        ("no_trace", json!(["t"])),
        ("sockets", json!([])),
        ("stdout", json!("")),
    ] {
        assert_eq!(run[list], paths, "{list} of {run}");
    }
    let failed = json!({ "path": "nosuch", "what": "open", "error": "No such file or directory" });
    assert!(
        run["failed"]
            .as_array()
            .is_some_and(|all| all.contains(&failed)),
        "{run}"
    );
    for line in [
        "  end        exit status 7\n",
        "  programs   cat f nosuch\n",
        "             not started: Permission denied: ./f\n",
        "  created    made\n",
        "  renamed    list -> lst\n",
        "  removed    d/b.txt\n",
        "  no trace   t\n",
    ] {
        assert!(page.contains(line), "{line:?} in {page}");
    }
}

#[test]
fn what_is_written_without_a_program_is_seen() {
    let (run, _) = ran("echo hello; echo oops >&2; : </etc/passwd; echo >/etc/made; kill -TERM $$");
    assert_eq!(run["end"], json!({ "signal": 15 }));
    assert_eq!(
        (&run["stdout"], &run["programs"]),
        (&json!("hello\n"), &json!([]))
    );
    assert!(
        run["stderr"]
            .as_str()
            .is_some_and(|said| said.starts_with("oops\n")),
        "{run}"
    );
    assert_eq!(run["read"], json!(["/etc/passwd"]), "{run}");
    assert_eq!(run["failed"][0]["path"], "/etc/made", "{run}");
    let (run, _) = ran("echo x >/proc/self/oom_score_adj; : </proc/1/status >/dev/null");
    assert_eq!(run["read"], json!(["/proc/1/status"]), "{run}");
    assert!(
        run["failed"]
            .as_array()
            .into_iter()
            .flatten()
            .chain(run["no_trace"].as_array().into_iter().flatten())
            .any(|one| one.to_string().contains("oom_score_adj")),
        "{run}"
    );
    let (run, _) = ran("exec 3<>/dev/tcp/127.0.0.1/9");
    assert_eq!(run["sockets"][0]["family"], "inet", "{run}");
}

#[test]
fn what_went_on_in_the_background_is_said_to_be_killed() {
    let (run, page) = ran("sleep 100 & exit 0");
    assert_eq!(
        (&run["end"], &run["killed"]),
        (&json!({ "exit": 0 }), &json!(true)),
        "{run}"
    );
    assert!(page.contains("processes were killed"), "{page}");
    let (run, page) = ran("sleep 0 & wait");
    assert_eq!(run["killed"], json!(false), "{run}");
    assert!(!page.contains("processes were killed"), "{page}");
}

#[test]
fn an_idle_command_does_nothing() {
    let (run, page) = ran("");
    for list in [
        "programs", "read", "listed", "created", "changed", "removed", "no_trace", "failed",
        "sockets",
    ] {
        assert_eq!(run[list], json!([]), "{list} of {run}");
    }
    assert!(
        page.contains("  none       programs  missing  read"),
        "{page}"
    );
}

#[test]
fn the_repository_of_the_fixture_is_no_work_of_the_command() {
    let command = "git --version >/dev/null; echo x >made; rm .git/HEAD";
    let output = explain(&[b"--run", b"--json", command.as_bytes()]);
    let document = document(&output);
    if output.status.code() == Some(3) {
        // A machine without git.
        assert_eq!(
            document["reasons"],
            json!(["no git is in the box; install the package git"])
        );
        return;
    }
    let run = &document["run"];
    assert_eq!(run["created"], json!(["made"]), "{run}");
    assert_eq!(
        (&run["changed"], &run["no_trace"]),
        (&json!([]), &json!([])),
        "{run}"
    );
    assert_eq!(run["removed"], json!([".git/HEAD"]), "{run}");
}

#[test]
fn what_the_box_cannot_start_is_named() {
    let (run, page) = ran("nsenter -t 1 true");
    let missing = run["missing"].as_str().unwrap_or_default();
    assert!(missing.contains("nsenter"), "{run}");
    assert!(page.contains("  missing    "), "{page}");
}

#[test]
fn an_endless_command_is_stopped_and_so_is_a_flood() {
    let (run, page) = ran("while :; do :; done");
    assert_eq!(run["end"], json!({ "stopped": "time" }));
    assert!(
        page.contains("did not end in its time, and was stopped"),
        "{page}"
    );
    let (run, page) = ran("while :; do echo y; done");
    assert_eq!(run["end"], json!({ "stopped": "output" }));
    assert!(page.contains("more lines; "), "{page}");
}

/// The program with room for so few open files that it can start no box.
fn starved(words: &str) -> Output {
    let mut shell = Command::new("/bin/sh");
    shell.args([
        "-c",
        &format!("ulimit -n 5; exec \"$0\" explain {words}"),
        env!("CARGO_BIN_EXE_xtask"),
    ]);
    shell.stdin(Stdio::null()).output().expect("a shell starts")
}

#[test]
fn without_a_box_nothing_is_run_and_the_regions_are_told() {
    let output = starved("--run \"echo 'x'\" --json");
    let document = document(&output);
    assert_eq!(
        (output.status.code(), &document["exit"]),
        (Some(3), &json!(3)),
        "{document}"
    );
    assert!(
        document["reasons"][0]
            .as_str()
            .is_some_and(|reason| reason.starts_with("no box: ")),
        "{document}"
    );
    assert_eq!(
        (&document["regions"], document.get("run")),
        (&json!([[5, 8]]), None)
    );
    let page = text(&starved("--run \"echo 'x'\"").stdout);
    assert!(
        page.lines()
            .nth(1)
            .is_some_and(|line| line.starts_with("INCOMPLETE   no box: ")),
        "{page}"
    );
    assert!(page.contains("             ^^^  operand\n"), "{page}");
    // Who runs nothing needs no box.
    assert_eq!(starved("ls").status.code(), Some(0));
}

#[test]
fn colour_is_in_the_marks_alone() {
    let page = on_a_terminal(call(&[b"echo '\x1b[2J'"]), false);
    let bare = page
        .replace("\x1b[33m", "")
        .replace("\x1b[0m", "")
        .replace("\r\n", "\n");
    assert_eq!(page.matches('\x1b').count(), 2, "{page:?}");
    assert_harmless(bare.as_bytes(), "on a terminal");
    assert!(!on_a_terminal(call(&[b"echo '\x1b[2J'"]), true).contains('\x1b'));
}

#[test]
fn a_signal_ends_a_long_run_and_leaves_nothing() {
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let scratch = tempfile::tempdir().expect("a temporary folder");
        let mut call = call(&[b"--run", b"--json", b"sleep 5 & while :; do :; done"]);
        call.env("TMPDIR", scratch.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = call.spawn().expect("the program starts");
        let pid = child.id() as i32;
        let mut seen = BTreeSet::new();
        // The worker, the first process of its box, bash and sleep.
        eventually("the command was never seen", || {
            seen.extend(below(pid));
            seen.len() >= 4 || child.try_wait().expect("it can be asked").is_some()
        });
        assert!(
            child.try_wait().expect("it can be asked").is_none(),
            "it ended before it was interrupted"
        );
        kill(Pid::from_raw(pid), signal).expect("it lives");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(
            output.status.code(),
            Some(130),
            "{signal}: {}",
            text(&output.stderr)
        );
        let document = document(&output);
        assert_eq!(
            (&document["exit"], document.get("run")),
            (&json!(130), None)
        );
        assert!(
            document["reasons"][0]
                .as_str()
                .is_some_and(|reason| reason.starts_with("interrupted"))
        );
        eventually("a process is left", || !seen.iter().any(lives));
        assert_eq!(
            fs::read_dir(scratch.path()).map(Iterator::count).ok(),
            Some(0),
            "{signal} left a file"
        );
    }
}

#[test]
fn a_signal_ends_the_wait_for_a_command() {
    let mut call = call(&[b"-"]);
    call.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = call.spawn().expect("the program starts");
    let waits = || {
        let threads = fs::read_dir(format!("/proc/{}/task", child.id()));
        threads
            .map(Iterator::count)
            .is_ok_and(|threads| threads >= 3)
    };
    // The first thread, that of the handler and the one that reads.
    eventually("it never waited", waits);
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).expect("it lives");
    let input = child.stdin.take();
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(
        text(&output.stdout),
        "INTERRUPTED   interrupted before the answer was there\n"
    );
    drop(input);
}

#[test]
fn nothing_that_a_command_prints_steers_a_terminal() {
    let command = br#"printf '\033[2J\r\b\007\302\233\342\200\256\377\t|\n'
        printf '\033]0;x\007\n' >&2; >$'a\e[1m\nb'; env $'x\e[1m'=1 $'true' $'\u202e'; printf '%05000d' 0"#;
    let output = explain(&[b"--run", command]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_harmless(&output.stdout, "what a command prints");
    let page = text(&output.stdout);
    assert!(
        page.contains("stdout     ␛[2J␍␈␇<U+009B><U+202E><FF>"),
        "{page}"
    );
    assert!(page.contains("stderr     ␛]0;x␇"), "{page}");
}
