//! Which scripts and options does sed take, what does it write then, and what reaches the shell?
//!
//! The stored cases tell a story each; these rows pin rules, as short as can be. Each was measured.

mod tables;

use reference::sed::{Answer, Effect, Invocation, Kind, Nothing, Sandbox, World, answer};
use std::borrow::Cow;
use std::collections::BTreeSet;
use tables::{COMMANDS, FAIL_AT_ONCE, GO_ON, GROUPS, LINKS, RUNS};

/// The bytes that a word of the tables stands for.
fn bytes(word: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (index, part) in word.split(['⟨', '⟩']).enumerate() {
        if index % 2 == 0 {
            bytes.extend(part.replace('␣', " ").replace('⏎', "\n").into_bytes());
        } else {
            let digit = |at: usize| part.as_bytes()[at] as char;
            let hex = |at| digit(at).to_digit(16).expect("two hex digits a byte") as u8;
            bytes.extend(
                (0..part.len())
                    .step_by(2)
                    .map(|at| hex(at) << 4 | hex(at + 1)),
            );
        }
    }
    bytes
}

fn words(text: &str) -> Vec<Vec<u8>> {
    text.split_whitespace().map(bytes).collect()
}

/// A script in pieces, each after its `-e`.
fn pieces(script: &str) -> Vec<Vec<u8>> {
    script
        .split('¶')
        .flat_map(|piece| [b"-e".to_vec(), bytes(piece)])
        .collect()
}

fn rows(table: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = table.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| line.split_once("=>").expect("what was put => what sed did"))
}

fn ask(words: Vec<Vec<u8>>, locale: &str, world: &dyn World) -> Answer {
    let argv: Vec<Vec<u8>> = [b"sed".to_vec()].into_iter().chain(words).collect();
    let env = [(b"LC_ALL".to_vec(), locale.as_bytes().to_vec())];
    answer(&Invocation {
        argv: &argv,
        env: &env,
        world,
    })
}

fn none_is(wrong: Vec<String>) {
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn scripts_are_accepted_and_refused_as_sed_does() {
    let mut wrong = Vec::new();
    for group in GROUPS {
        for (scripts, reached) in [(group.reached, true), (group.unreached, false)] {
            for script in scripts.split_whitespace() {
                let own = script.contains("w␣out");
                let whole = [script, if own { "" } else { "⏎w␣out" }].concat();
                let mut words: Vec<_> = group.options.iter().map(|word| bytes(word)).collect();
                words.extend(pieces(&whole));
                let answer = ask(words, group.locale, &Nothing);
                if answer.writes.contains(&b"out"[..]) != reached {
                    wrong.push(format!("{:?} {script} in {}", group.options, group.locale));
                }
            }
        }
    }
    none_is(wrong);
}

#[test]
fn an_error_is_certain_only_where_every_line_brings_it() {
    let mut wrong = Vec::new();
    let certain = (Effect::Error, Sandbox::AcceptsAndFails);
    for (scripts, seen) in [
        (FAIL_AT_ONCE, certain),
        (GO_ON, (Effect::ReadOnly, Sandbox::Accepts)),
    ] {
        for script in scripts.split_whitespace() {
            let answer = ask(words(script), "C", &Nothing);
            if (answer.effect, answer.sandbox) != seen {
                wrong.push(format!("{script}: {answer:?}"));
            }
        }
    }
    none_is(wrong);
}

#[test]
fn the_shell_gets_the_text_of_e_decoded() {
    let mut wrong = Vec::new();
    for (script, commands) in rows(COMMANDS) {
        let answer = ask(pieces(script.trim()), "C", &Nothing);
        if answer.shell != BTreeSet::from_iter(words(commands)) {
            wrong.push(format!("{script}: {:?}", answer.shell));
        }
    }
    none_is(wrong);
}

#[test]
fn a_text_must_end_under_posix_only() {
    for (put, effect) in [
        ("--posix a\\⏎x\\", Effect::Error),
        ("--posix a\\", Effect::Error),
        ("a\\⏎x\\", Effect::ReadOnly),
    ] {
        assert_eq!(ask(words(put), "C", &Nothing).effect, effect, "{put}");
    }
}

/// The folder of [`RUNS`].
struct Folder;

impl World for Folder {
    fn script(&self, path: &[u8]) -> Option<Cow<'_, [u8]>> {
        (path == b"s").then_some(Cow::Borrowed(&b"w out\n"[..]))
    }

    fn kind(&self, path: &[u8]) -> Kind {
        let mut links = LINKS.split(' ').filter_map(|link| link.split_once('='));
        if let Some((_, text)) = links.find(|(name, _)| name.as_bytes() == path) {
            return Kind::Link(bytes(text));
        }
        match path {
            b"f" | b"./f" | b"s" | b"-" | b"d/g" | b"/t/f" | b"d/../f" => Kind::File,
            b"." | b"/" | b"/t" | b"/dev" | b"d" | b"d/.." => Kind::Directory,
            b"/dev/null" => Kind::Other,
            _ => Kind::Missing,
        }
    }
}

/// What is read too much does no harm: operands after an error.
#[test]
fn options_operands_and_names_are_opened_as_sed_opens_them() {
    let mut wrong = Vec::new();
    for (put, seen) in rows(RUNS) {
        let (writes, reads) = seen.split_once('|').expect("written | read");
        let answer = ask(words(put), "C", &Folder);
        let exact = answer.writes == BTreeSet::from_iter(words(writes)) && answer.worst.is_none();
        if !exact || !answer.reads.is_superset(&BTreeSet::from_iter(words(reads))) {
            wrong.push(format!("{put}: {answer:?}"));
        }
    }
    none_is(wrong);
}

/// Standard input holds `{`.
struct Input;

impl World for Input {
    fn script(&self, path: &[u8]) -> Option<Cow<'_, [u8]>> {
        matches!(path, b"-" | b"/dev/stdin").then_some(Cow::Borrowed(&b"{\n"[..]))
    }

    fn kind(&self, _: &[u8]) -> Kind {
        Kind::Unknown
    }
}

/// Whether `/dev/stdin` begins anew depends on what it is.
#[test]
fn standard_input_is_a_script_once() {
    for (put, known) in [
        ("-f - -e }", true),
        ("-f - -f - -e }", true),
        ("-f /dev/stdin -e }", true),
        ("-f - -f /dev/stdin -e }", false),
        ("-f /dev/stdin -f - -e }", false),
    ] {
        let answer = ask(words(put), "C", &Input);
        assert_eq!(answer.worst.is_none(), known, "{put}");
        assert_eq!(answer.effect == Effect::ReadOnly, known, "{put}");
    }
}

/// Both ways of saying where it was written lead to the same file.
#[test]
fn a_script_file_that_was_written_is_not_known() {
    for (put, known) in [
        ("-e w␣out -f s", true),
        ("-e w␣s -f s", false),
        ("-i -e w␣./s -f s f", false),
    ] {
        assert_eq!(
            ask(words(put), "C", &Folder).worst.is_none(),
            known,
            "{put}"
        );
    }
}

/// Without a word about the files everything may be there, but nobody says what a script file holds.
#[test]
fn who_knows_nothing_is_told_the_worst() {
    for unknown in ["-f s f", "-f - f", "--follow-symlinks -i p f"] {
        let answer = ask(words(unknown), "C", &Nothing);
        assert!(
            answer.worst.is_some() && answer.may_write(),
            "{unknown}: {answer:?}"
        );
        assert_eq!(
            (answer.executes, answer.effect),
            (true, Effect::Executes),
            "{unknown}"
        );
    }
    let edits = ask(words("-i.b p d/f"), "C", &Nothing);
    assert_eq!((edits.worst, edits.writes.len()), (None, 2));
    assert!(edits.may_write() && !ask(words("p f"), "C", &Nothing).may_write());
}

#[test]
fn an_unknown_locale_matters_only_to_bytes_above_127() {
    for (script, worst) in [("p", false), ("s/[a-z]/b/", false), ("s/é/b/", true)] {
        let answer = ask(words(script), "de_DE", &Nothing);
        assert_eq!(answer.worst.is_some(), worst, "{script}");
    }
    for (variables, known) in [
        ("LC_ALL=C LANG=de_DE", true),
        ("LC_ALL= LC_CTYPE=C.utf8 LANG=C", true),
        ("LC_ALL=C.UTF-8 LC_CTYPE=de_DE", true),
        ("LC_CTYPE=C.utf8 LANG=de_DE", false),
        ("LC_COLLATE=de_DE", false),
        ("LC_CTYPE=de_DE LANG=C", false),
        ("LANG=POSIX", true),
        ("", true),
    ] {
        let pairs = variables
            .split_whitespace()
            .filter_map(|pair| pair.split_once('='));
        let env: Vec<_> = pairs
            .map(|(name, value)| (bytes(name), bytes(value)))
            .collect();
        let answer = answer(&Invocation {
            argv: &words("sed s/é/b/"),
            env: &env,
            world: &Nothing,
        });
        assert_eq!(answer.worst.is_none(), known, "{variables:?}");
    }
}

/// What the machine or the locale decides is not taken for refused, whatever stands after it.
#[test]
fn an_expression_that_cannot_be_judged_is_taken_for_accepted() {
    let groups = |count| "(".repeat(count);
    for (expression, locale, judged) in [
        (groups(200), "C", true),
        (groups(201), "C", false),
        ("a{20000}(".to_owned(), "C", true),
        ("a{20001}(".to_owned(), "C", false),
        ("(a{100}){200}(".to_owned(), "C", true),
        ("(a{100}){201}(".to_owned(), "C", false),
        ("a{15000}b{5001}(".to_owned(), "C", false),
        ("[[.ab.]]".to_owned(), "C", true),
        ("[[.ab.]]".to_owned(), "de_DE", false),
        ("[b-a]".to_owned(), "de_DE", false),
        ("[[.a.]](".to_owned(), "de_DE", true),
        // The reference to a group that is not there.
        ("b/\\1/;s/a".to_owned(), "C", true),
        ("a{20001}/\\1/;s/a".to_owned(), "C", false),
    ] {
        let script = format!("s/{expression}/b/\nw out").into_bytes();
        let answer = ask(
            vec![b"-E".to_vec(), b"-e".to_vec(), script],
            locale,
            &Nothing,
        );
        assert_eq!(
            answer.effect == Effect::Error,
            judged,
            "{expression} in {locale}"
        );
    }
}

#[test]
fn what_loads_other_code_or_tables_is_the_worst_case() {
    for (variable, worst) in [
        ("LD_PRELOAD=x", true),
        ("LOCPATH=x", true),
        ("GCONV_PATH=x", true),
        ("LD_PRELOAD=", false),
        ("OLD_PATH=x", false),
    ] {
        let (name, value) = variable.split_once('=').expect("name=value");
        let env = [(bytes(name), bytes(value))];
        let answer = answer(&Invocation {
            argv: &words("sed p"),
            env: &env,
            world: &Nothing,
        });
        assert_eq!(answer.worst.is_some(), worst, "{variable}");
    }
}

#[test]
fn what_another_sed_does_is_said_apart() {
    for (put, more) in [
        ("p f", false),
        ("w␣/dev/stdout", true),
        ("R␣/dev/stdin", true),
        ("k f", true),
        ("-i.b p f", false),
        ("-i*.b p f", true),
    ] {
        assert_eq!(
            !ask(words(put), "C", &Folder).elsewhere.is_empty(),
            more,
            "{put}"
        );
    }
}

/// Lines of a text and a number each.
fn numbered(before: &str, count: usize) -> Vec<u8> {
    (0..count)
        .flat_map(|number| format!("{before}{number}\n").into_bytes())
        .collect()
}

#[test]
fn more_names_than_are_kept_are_the_worst_case() {
    for command in ["w ", "R ", "e "] {
        let worst = |count| ask(vec![numbered(command, count)], "C", &Nothing).worst;
        assert_eq!(worst(10_000), None, "{command}");
        assert!(worst(10_001).is_some(), "{command}");
    }
    // A name that is there already is no new one.
    let twice = numbered("w ", 10_000).repeat(2);
    assert_eq!(ask(vec![twice], "C", &Nothing).worst, None);
}

#[test]
fn no_label_is_missed_where_not_all_are_kept() {
    let effect = |labels| {
        let script = [numbered(":", labels), b"bmissing\n".to_vec()].concat();
        ask(vec![script], "C", &Nothing).effect
    };
    assert_eq!(effect(99_999), Effect::Error);
    assert_eq!(effect(100_000), Effect::ReadOnly);
}

/// The kernel takes a path of 4095 bytes.
#[test]
fn a_backup_with_a_name_too_long_is_not_made() {
    let operand = "./".repeat(1000) + "f";
    for (stars, others) in [("", 2001), ("**", 4002)] {
        for (length, written) in [(4095, 2), (4096, 0)] {
            let suffix = format!("-i{stars}{}", "b".repeat(length - others));
            let answer = ask(words(&format!("{suffix} p {operand}")), "C", &Nothing);
            assert_eq!(answer.writes.len(), written, "{stars:?} {length}");
        }
    }
}

#[test]
fn an_operand_that_cannot_be_opened_is_not_edited() {
    for (length, written) in [(0, 0), (1, 1), (4095, 1), (4096, 0)] {
        let answer = ask(
            vec![b"-i".to_vec(), b"p".to_vec(), vec![b'f'; length]],
            "C",
            &Nothing,
        );
        assert_eq!(answer.writes.len(), written, "{length} bytes");
    }
}
