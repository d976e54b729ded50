//! Does each rule of section 1 hold where one would not expect it?

use super::*;

/// The stretches of the command that are called text.
fn text(command: &str) -> Vec<&str> {
    regions(command.as_bytes())
        .iter()
        .map(|region| &command[region.start..region.end])
        .collect()
}

#[track_caller]
fn check(cases: &[(&str, &[&str])]) {
    for (command, expected) in cases {
        assert_eq!(text(command), *expected, "{command:?}");
    }
}

const NONE: &[&str] = &[];

#[test]
fn an_opener_is_at_most_one_dash_any_white_space_and_a_name_bare_or_in_two_equal_quotes() {
    check(&[
        ("cat <<E\na\nE\nb", &["a\n"]),
        ("cat <<'E'\na\nE", &["a\n"]),
        ("cat << \u{3000}\n\"E_1\"\na\nE_1", &["a\n"]),
        ("cat <<E.\na\nE.", &["a\nE."]),
        ("cat <<<E\na\nE", &["a\n"]),
        ("cat <<--E\na\nE", NONE),
        ("cat <<'E\"\na\nE", NONE),
        ("cat <<'E F'\na\nE", NONE),
        ("cat <<1E\na\nE", NONE),
        ("cat <<\\E\na\nE", NONE),
        ("cat <<\u{85}E\na\nE", NONE),
        ("cat <<É\na\nE", NONE),
    ]);
}

#[test]
fn openers_count_in_quotes_comments_and_bodies_too() {
    check(&[
        ("x \"<<E\"\na\nE", &["a\n"]),
        ("x #<<E\na\nE", &["#<<E", "a\n"]),
        ("<<A\n<<B\nA\nb\nB", &["<<B\n", "A\nb\n"]),
        ("<<A <<A\na\nA", &["a\n", "a\n"]),
    ]);
}

#[test]
fn a_body_begins_after_a_newline_and_only_that() {
    check(&[("<<E", NONE), ("<<E\r", NONE), ("<<E \\\n;\nE", &[";\n"])]);
}

#[test]
fn a_body_ends_at_the_first_line_that_fits_or_at_the_end() {
    check(&[
        ("<<E\nE", &[""]),
        ("<<E\n", &[""]),
        ("<<E\nEF\n E\nE;\nE \t\nb", &["EF\n E\nE;\n"]),
        ("<<-E\na\n \t E\nb", &["a\n"]),
        ("<<- E\na\n\u{a0}E\nb", &["a\n\u{a0}E\nb"]),
        ("<<E\na\rE\rb", &["a\r"]),
        ("<<E\na\u{2028}E\u{2029}b", &["a\u{2028}"]),
        ("<<E\na\u{85}E\nb", &["a\u{85}E\nb"]),
    ]);
}

#[test]
fn a_quoted_run_ends_at_the_next_quote_of_its_kind() {
    check(&[
        (r#"echo "a\" b"#, &[r#""a\""#]),
        ("echo 'a\"b' c", &["'a\"b'"]),
        ("echo \"a", &["\"a"]),
        ("echo 'a\nb'", &["'a\nb'"]),
    ]);
}

#[test]
fn a_run_in_double_quotes_may_expand() {
    check(&[(
        r#"echo "$(a)" "`a`" "\$(" '$(' '`' "${a}" "$ (""#,
        &["'$('", "'`'", "\"${a}\"", "\"$ (\""],
    )]);
}

#[test]
fn a_separator_opens_a_command_and_other_marks_do_not() {
    for separator in ['\n', ';', '|', '&', '(', ')'] {
        let command = format!("a{separator}echo 'x'");
        assert_eq!(text(&command), ["'x'"], "{command:?}");
    }
    for other in ["<", ">", " ", "\r", "\u{b}", "\u{feff}", "{ ", "! ", "`"] {
        let command = format!("a {other}echo 'x'");
        assert_eq!(text(&command), NONE, "{command:?}");
    }
    check(&[("a;#b\necho 'x'", &["#b", "'x'"])]);
}

#[test]
fn at_the_start_marks_that_are_no_words_leave_the_next_one_open() {
    for mark in ["<", ">", " ", "\t", "\r", "\u{b}", "\u{3000}", "#y\n"] {
        let command = format!("{mark}echo 'x'");
        assert!(text(&command).contains(&"'x'"), "{command:?}");
    }
    for part in ["\u{85}", "\u{180e}", "\u{200b}", "\u{2060}", "\u{1c}"] {
        let command = format!("{part}echo 'x'");
        assert_eq!(text(&command), NONE, "{command:?}");
    }
}

#[test]
fn a_word_joins_quoted_escaped_and_bare_parts() {
    check(&[
        ("e'c'\"h\"o 'x'", &["'c'", "\"h\"", "'x'"]),
        ("e\\cho 'x'", &["'x'"]),
        ("\\echo 'x'", &["'x'"]),
        ("echo a\\ 'x'", &["'x'"]),
        ("echo a#'x'", &["'x'"]),
        ("\"ec\"ho\\", &["\"ec\""]),
    ]);
}

#[test]
fn a_word_runs_into_a_body_and_words_begin_in_none() {
    check(&[
        ("echo <<E\n'a'\nE\n", &["'a'\n"]),
        ("echo <<E\\\n'a' 'b'\nE\n", &["'a'", "'a' 'b'\n"]),
        ("echo '<<E\na' 'b'\nE\n'c'", &["'<<E\na'", "a' 'b'\n"]),
    ]);
}

#[test]
fn the_verb_is_what_follows_the_last_slash_or_backslash() {
    check(&[
        ("/bin/echo 'x'", &["'x'"]),
        ("'a\\echo' 'x'", &["'a\\echo'", "'x'"]),
        ("echo/ 'x'", NONE),
        ("Echo 'x'", NONE),
        ("sed 'x'", NONE),
        ("echo.exe 'x'", NONE),
    ]);
    for verb in [
        "echo", "printf", "rg", "grep", "egrep", "fgrep", "ack", "ag", "ripgrep",
    ] {
        assert_eq!(text(&format!("{verb} -x a 'x' b \"y\"")), ["'x'", "\"y\""]);
    }
}

#[test]
fn after_an_assignment_no_word_is_the_verb() {
    check(&[
        ("A=1 echo 'x'", NONE),
        ("A=echo 'x'", NONE),
        ("A='/ag' b 'x'", &["'/ag'", "'x'"]),
        ("1=echo 'x'", NONE),
        ("A=-m 'x'", NONE),
        ("-m 'x'", &["'x'"]),
    ]);
}

#[test]
fn the_word_after_a_message_option_is_text_whatever_the_verb() {
    for option in ["-m", "--message", "-am", "--body", "-b"] {
        assert_eq!(
            text(&format!("sh {option} 'x'y\"z\" 'n'")),
            ["'x'", "\"z\""]
        );
    }
    check(&[
        ("sh '-'m 'x'", &["'x'"]),
        ("sh -m; 'x'", NONE),
        ("sh -m > 'x'", &["'x'"]),
        ("sh -m=a 'x'", NONE),
        ("sh -m'x'", NONE),
        ("sh -bm 'x'", NONE),
        ("sh -m \"$(x)\" 'y'", NONE),
    ]);
}

#[test]
fn a_comment_begins_at_the_start_or_after_what_ends_a_word() {
    check(&[
        ("#a\n#b", &["#a", "#b"]),
        ("a#b", NONE),
        ("a\u{feff}#b", &["#b"]),
        ("a\u{85}#b", NONE),
        ("a;#b", &["#b"]),
        ("''#b", NONE),
        ("a \\#b", NONE),
        ("a \\ #b", &["#b"]),
        ("a '#b' \"#c", NONE),
        ("a #'b\n'c #d'", &["#'b"]),
        ("<<E\n#a\nE\n#b", &["#a\n", "#b"]),
        ("<<E\na\u{2028}E#\n#b", &["a\u{2028}E#\n#b"]),
        ("<<E\n#\nE", &["#\n"]),
        ("#a\rb", &["#a\rb"]),
    ]);
}

#[test]
fn words_and_comments_disagree_after_an_escaped_space() {
    check(&[("echo a\\ #b 'X'", &["#b 'X'", "'X'"])]);
}

#[test]
fn only_the_first_byte_of_a_fragment_is_asked_about() {
    let regions = regions(b"echo 'x'; <<E\n");
    assert_eq!(regions.len(), 2);
    let live: Vec<usize> = (0..=15).filter(|&at| is_live(&regions, at)).collect();
    assert_eq!(live, [0, 1, 2, 3, 4, 8, 9, 10, 11, 12, 13, 14, 15]);
}

#[test]
fn offsets_count_bytes_and_a_byte_outside_utf_8_is_a_unit_of_no_class() {
    let span = |start, end| Span { start, end };
    assert_eq!(
        regions("echo 'é€😀' #".as_bytes()),
        [span(5, 16), span(17, 18)]
    );
    // 0xa0 alone is no space, half a space is none, and a backslash takes one byte that is no character.
    assert_eq!(regions(b"\xa0#"), []);
    assert_eq!(regions(b"\xe3\x80#"), []);
    assert_eq!(
        regions(b"echo \xff'\xe3\x80' \\\xff'a'"),
        [span(6, 10), span(13, 16)]
    );
}
