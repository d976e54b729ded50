//! Does `explain` say what the scanner says, and nothing that harms a terminal? The program as built.

mod explaining;
mod program;

use corpus::Text;
use explaining::{assert_harmless, call, explain};
use program::{document, text};
use reference::regions::{Span, literal};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Output, Stdio};

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
fn the_document_has_the_spans_of_the_reference() {
    for command in hostile() {
        let output = explain_input(&command, &[b"--json", b"--form", b"literal"]);
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
        let page = text(&explain(&[b"--form", b"literal", command.as_bytes()]).stdout);
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
