//! What can one line do wrong?

use crate::table::{FAULTS, NO_FAULTS, REQUIRED};
use crate::{COMMAND, LINES, REGIONS, SED, file_of, load_bytes, load_second, replaced};
use corpus::Check;

#[test]
fn the_lines_of_the_tables_load_as_they_are() {
    for (name, line) in LINES {
        let corpus = load_second(line, line).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(corpus.cases.len(), 2, "{name}");
    }
    for (line, from, to) in NO_FAULTS {
        load_second(line, &replaced(line, from, to))
            .unwrap_or_else(|fault| panic!("{to}: {fault}"));
    }
}

#[test]
fn every_change_of_the_table_stops_the_load_at_its_line() {
    for (line, from, to, reason) in FAULTS {
        let fault = load_second(line, &replaced(line, from, to)).expect_err(to);
        assert!(
            fault.reason.contains(reason),
            "{to}: {} lacks {reason}",
            fault.reason
        );
        assert_eq!(fault.line, Some(2), "{to}: {fault}");
        let shown = fault.to_string();
        assert!(shown.contains(&format!("{}:2: ", file_of(line))), "{shown}");
        assert!(!shown.ends_with('.') && !shown.contains('\n'), "{shown}");
    }
}

#[test]
fn a_required_field_that_is_missing_is_named() {
    for (line, names) in REQUIRED {
        let whole: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(line).expect("JSON");
        for name in whole.keys() {
            let mut less = whole.clone();
            less.remove(name);
            less.remove("may_reads");
            less.remove("may");
            if name == "id" && *line == COMMAND {
                less.insert("origin".to_owned(), "m".into());
            }
            let loaded = load_second(line, &serde_json::to_string(&less).expect("JSON"));
            if names.contains(&name.as_str()) {
                let fault = loaded.expect_err(name);
                assert_eq!(fault.reason, format!("field {name:?} is missing; add it"));
                assert_eq!(fault.line, Some(2));
            } else {
                loaded.unwrap_or_else(|fault| panic!("{name} may be absent: {fault}"));
            }
        }
    }
    for (line, from) in [
        (REGIONS, r#""start": 5, "#),
        (REGIONS, r#", "end": 7"#),
        (REGIONS, r#""text": "rm", "#),
        (REGIONS, r#", "truth": "runs""#),
        (REGIONS, r#""command": "é rm", "#),
        (COMMAND, r#", "writes": true"#),
        (COMMAND, r#""executes": ["rm"], "#),
        (SED, r#"{"writes": true, "#),
    ] {
        let to = if from.starts_with('{') { "{" } else { "" };
        let fault = load_second(line, &replaced(line, from, to)).expect_err(from);
        assert!(fault.reason.contains("is missing"), "{fault}");
    }
}

#[test]
fn what_is_no_line_of_json_stops_the_load() {
    let whole = format!("{SED}\n").into_bytes();
    let with = |from: &str, to: &[u8]| {
        let (before, after) = SED.split_once(from).expect("it stands there");
        [before.as_bytes(), to, after.as_bytes(), b"\n"].concat()
    };
    let deep = |depth: usize| format!("{}{}\n", "[".repeat(depth), "]".repeat(depth)).into_bytes();
    for (bytes, line, reason) in [
        (with("é", b"\xff"), 1, "not UTF-8 (column 64)"),
        (with("é", b"\xed\xa0\x80"), 1, "not UTF-8"),
        ([&b"\xef\xbb\xbf"[..], &whole].concat(), 1, "not JSON"),
        (whole[..whole.len() - 1].to_vec(), 1, "no newline"),
        ([&whole[..], b"{"].concat(), 2, "no newline"),
        ([&whole[..], b"\n"].concat(), 2, "empty line"),
        ([&b" \t\r\n"[..], &whole].concat(), 1, "empty line"),
        ([&whole[..], b"{\n"].concat(), 2, "not JSON"),
        (b"[]\n".to_vec(), 1, "the line is an array, not an object"),
        (b"null\n".to_vec(), 1, "the line is null, not an object"),
        (
            b"\"sed\"\n".to_vec(),
            1,
            "the line is a string, not an object",
        ),
        (deep(100), 1, "the line is an array, not an object"),
        (deep(1_000_000), 1, "not JSON: recursion limit exceeded"),
        (vec![b'['; 3_000_000], 1, "no newline"),
        (vec![b'1'; 17 << 20], 1, "longer than 16 MiB"),
        (
            [&whole[..], &vec![b' '; 17 << 20]].concat(),
            2,
            "longer than 16 MiB",
        ),
    ] {
        let fault = load_bytes("sed.jsonl", &bytes).expect_err(reason);
        assert!(
            fault.reason.contains(reason),
            "{} lacks {reason}",
            fault.reason
        );
        assert_eq!(fault.line, Some(line), "{fault}");
    }
    // Carriage returns are white space of JSON, and an empty file is a file without cases.
    let crlf = format!("{SED}\r\n");
    assert_eq!(
        load_bytes("sed.jsonl", crlf.as_bytes())
            .expect("it loads")
            .cases
            .len(),
        1
    );
    assert!(load_bytes("sed.jsonl", b"").expect("it loads").is_empty());
}

#[test]
fn the_check_is_the_field_or_the_name_of_the_file() {
    for (name, line) in LINES {
        let check = load_bytes(name, format!("{line}\n").as_bytes())
            .expect("it loads")
            .cases[0]
            .check();
        let named = format!("{{\"check\": \"{}\", {}\n", check.word(), &line[1..]);
        let other = if check == Check::Sed {
            "everyday.jsonl"
        } else {
            "sed.jsonl"
        };
        for file in ["more.jsonl", other] {
            let corpus =
                load_bytes(file, named.as_bytes()).unwrap_or_else(|fault| panic!("{fault}"));
            assert_eq!(
                corpus.cases[0].check(),
                check,
                "the field goes before {file}"
            );
        }
        let longer = format!("{}-more.jsonl", name.trim_end_matches(".jsonl"));
        assert!(
            load_bytes(&longer, format!("{line}\n").as_bytes()).is_ok(),
            "{longer}"
        );
        let fault = load_bytes("more.jsonl", format!("{line}\n").as_bytes()).expect_err("no check");
        assert!(
            fault
                .reason
                .contains("neither a field \"check\" nor the file name"),
            "{fault}"
        );
        assert!(
            load_bytes(other, format!("{line}\n").as_bytes()).is_err(),
            "{line} is no {other}"
        );
    }
}
