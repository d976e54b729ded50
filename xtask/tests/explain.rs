//! Does `explain` say what the scanner and bash say, and nothing that harms a terminal? The program as built.

mod program;

use corpus::Text;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use program::{below, document, eventually, lives, on_a_terminal, text};
use reference::regions::{Span, literal};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Output, Stdio};
use unicode_width::UnicodeWidthStr;

fn call(words: &[&[u8]]) -> Command {
    let mut call = Command::new(env!("CARGO_BIN_EXE_xtask"));
    call.arg("explain")
        .args(words.iter().map(|word| OsStr::from_bytes(word)))
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::null());
    call
}

fn explain(words: &[&[u8]]) -> Output {
    call(words).output().expect("the program starts")
}

/// The command on standard input.
fn explain_input(command: &[u8], words: &[&[u8]]) -> Output {
    let mut call = call(&[words, &[b"-"]].concat());
    call.stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = call.spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("it is piped");
    // A program that refuses early reads no more.
    let _ = input.write_all(command);
    drop(input);
    child.wait_with_output().expect("it ends")
}

/// Commands that would steer a terminal, hide something, or flood it.
fn hostile() -> Vec<Vec<u8>> {
    let quotes = "'x' ".repeat(20_000);
    let texts = [
        "",
        "\n",
        "\n\n'",
        "echo 'a' # b",
        "echo \x1b[2J\x1b]0;title\x07 '\x1b[31m' \x08\x08\r#\x7f",
        "echo '\u{9b}31m\u{85}' \u{90}x\u{9c} # \u{80}",
        "echo \u{202e}'rm\u{202c}' \u{2066}# x\u{2069}\u{61c}\u{200e}",
        "echo 'a\u{200b}\u{200d}\u{feff}\u{ad}' \u{2060}\u{e0001}\u{fe0f}\u{3164}\u{180e}",
        "echo '\u{2028}' \u{2029} # x",
        "\techo\t'a\tb'\t# x\t",
        "echo '日本' e\u{301} # \u{1f600}",
        "cat <<E\n\x1b[1m\n\t$(X)\nE\necho 'x'",
        "cat <<A <<A <<B\nA\n\nA\nB\n",
        "cat <<E\nE",
        "cat <<E\r\nx\r\nE\r\n",
        "<<a\n<<a\n<<b\n<<a\n",
        "\u{301}\u{301}'\u{301}'",
        &format!(
            "echo {}'rm' {}# end",
            "日 ".repeat(3000),
            "b\t".repeat(3000)
        ),
        &format!("echo {quotes}"),
        &format!("echo '{}'", "e\u{301}".repeat(20_000)),
        &"ls 'x' # y\n".repeat(5000),
        &format!("cat <<E\n{}E\n", "x\n".repeat(20_000)),
    ];
    let bytes: [&[u8]; 4] = [
        b"echo '\xff\xfe' \x80# \xc3",
        b"\xe2\x80",
        b"echo '\xf0\x9f\x98\n' \xed\xa0\x80",
        &[0xff; 5000],
    ];
    let texts = texts.iter().map(|text| text.as_bytes());
    texts.chain(bytes).map(<[u8]>::to_vec).collect()
}

/// Nothing but newlines, and characters that show themselves where they stand; no line wider than a terminal.
fn assert_harmless(output: &[u8], what: &str) {
    let page = std::str::from_utf8(output).unwrap_or_else(|error| panic!("{what}: {error}"));
    let steers = |c: &char| {
        c.is_control() && *c != '\n'
            || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
    };
    let found = page.chars().find(steers);
    assert_eq!(found, None, "{what}");
    let widest = page.lines().map(UnicodeWidthStr::width).max();
    assert!(widest <= Some(80), "{what}: {widest:?} columns");
    assert!(
        page.lines().count() < 250 && page.len() < 100_000,
        "{what}: {} bytes",
        page.len()
    );
}

#[test]
fn nothing_printed_steers_a_terminal() {
    for command in hostile() {
        let what = String::from_utf8_lossy(&command[..command.len().min(60)]).into_owned();
        let output = explain_input(&command, &[]);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{what}: {}",
            text(&output.stderr)
        );
        assert!(output.stderr.is_empty(), "{what}: {}", text(&output.stderr));
        assert_harmless(&output.stdout, &what);
        if command.len() < 1000 {
            let again = explain(&[b"--", &command]);
            assert_eq!(
                text(&again.stdout),
                text(&output.stdout),
                "{what}: as an argument"
            );
        }
    }
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

#[test]
fn the_document_has_the_spans_of_the_reference() {
    for command in hostile() {
        let output = explain_input(&command, &[b"--json"]);
        let document = document(&output);
        let stored: Text = serde_json::from_value(document["command"].clone()).expect("a text");
        assert!(stored.0 == command, "{}", document["command"]);
        assert_eq!(
            (&document["schema"], &document["exit"], &document["scanner"]),
            (&json!(1), &json!(0), &json!("literal"))
        );
        let regions = literal::regions(&command);
        let spans: Vec<Value> = regions
            .iter()
            .map(|span| json!([span.start, span.end]))
            .collect();
        assert_eq!(document["regions"], json!(spans), "{stored}");
        let ours: Vec<[usize; 2]> =
            serde_json::from_value(document["live"].clone()).expect("spans");
        let mut live = vec![false; command.len()];
        ours.iter()
            .for_each(|&[start, end]| live[start..end].fill(true));
        assert!(
            ours.is_sorted() && ours.iter().all(|[start, end]| start < end),
            "{ours:?}"
        );
        if command.len() < 10_000 {
            let expected = (0..command.len()).map(|at| literal::is_live(&regions, at));
            assert!(expected.eq(live), "{stored}: {ours:?}");
        }
        let passes = ["bodies", "quoted", "comments"].map(|name| document["passes"][name].clone());
        let mut all: Vec<[usize; 2]> = passes
            .into_iter()
            .flat_map(|pass| serde_json::from_value::<Vec<[usize; 2]>>(pass).expect("spans"))
            .collect();
        all.sort_unstable();
        assert!(
            all.into_iter()
                .eq(regions.iter().map(|&Span { start, end }| [start, end]))
        );
        assert!(document.get("run").is_none());
        assert_harmless(&output.stderr, "beside the document");
    }
}

#[test]
fn marks_stand_below_what_they_name() {
    for (command, rows) in [
        (
            "echo 'rm -rf /' # done",
            "     1  echo 'rm -rf /' # done\n             ^^^^^^^^^^ ^^^^^^  quoted operand, comment\n",
        ),
        (
            "cat <<E\n$(X)\nE\ngit commit -m 'x'",
            "     1  cat <<E\n     2  $(X)\n        ^^^^  here-document body\n     3  E\n     4  git commit -m 'x'\n                      \
             ^^^  quoted operand\n",
        ),
        (
            "echo 日\t'本'",
            "     1  echo 日 '本'\n                ^^^^  quoted operand\n",
        ),
        (
            "ls",
            "     1  ls\n\n  text   none\n  live   1 stretch, 2 bytes",
        ),
        ("", "     1\n\n  text   none\n  live   nothing\n"),
    ] {
        let page = text(&explain(&[command.as_bytes()]).stdout);
        assert!(page.contains(&format!("\n\n{rows}")), "{command:?}\n{page}");
        assert!(
            page.contains("literal scanner, which is judged and not relied upon"),
            "{page}"
        );
        assert!(page.contains("Nothing was run"), "{page}");
    }
}

#[test]
fn wrong_calls_are_refused() {
    let long = vec![b'a'; 131_072];
    let refused = |output: Output, reason: &str| {
        assert_eq!(output.status.code(), Some(2), "{reason}");
        assert!(
            text(&output.stderr).contains(reason),
            "{}",
            text(&output.stderr)
        );
        assert!(output.stdout.is_empty(), "{reason}");
    };
    refused(explain_input(b"a\0b", &[]), "NUL byte at offset 1");
    refused(explain_input(&long, &[]), "longer than 131071 bytes");
    refused(explain(&[]), "COMMAND");
    refused(explain(&[b"ls", b"-l"]), "-l");
    refused(explain(&[b"ls", b"--", b"x"]), "'x'");
    refused(explain(&[b"--x\x1b[2J\xff"]), "--x");
    assert!(!explain(&[b"ls", b"\x1b[2J\xc2\x9b"]).stderr.contains(&0x1b));
    let error = document(&explain_input(b"\0", &[b"--json"]));
    assert_eq!(
        (&error["exit"], &error["error"]["file"]),
        (&json!(2), &Value::Null)
    );

    assert_eq!(explain_input(&long[1..], &[]).status.code(), Some(0));
    let option = explain(&[b"--", b"--json"]);
    assert!(
        text(&option.stdout).contains("     1  --json\n"),
        "{}",
        text(&option.stdout)
    );
    // What stands behind `--` is a command, no option, in wrong calls too.
    assert!(explain(&[b"ls", b"--", b"--json"]).stdout.is_empty());
}

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
    let (run, _) = ran("exec 3<>/dev/tcp/127.0.0.1/9");
    assert_eq!(run["sockets"][0]["family"], "inet", "{run}");
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
    let (run, _) = ran("git --version >/dev/null; echo x >made; rm .git/HEAD");
    if run.get("missing").is_none() {
        assert_eq!(run["created"], json!(["made"]), "{run}");
        assert_eq!(
            (&run["changed"], &run["no_trace"]),
            (&json!([]), &json!([])),
            "{run}"
        );
        assert_eq!(run["removed"], json!([".git/HEAD"]), "{run}");
    }
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
    assert!(
        page.contains("             ^^^  quoted operand\n"),
        "{page}"
    );
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
