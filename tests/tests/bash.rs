//! Does the oracle of shell regions see that a fragment runs, and that it does not? Commands whose answer is known whatever
//! the version of bash.

use corpus::{Fragment, FragmentTruth, Reach, RegionsCase, Text};
use differential::bash::{Undecided, Unmarkable, measure, started, version};
use differential::sandbox::{Options, Pool, become_worker_if_asked};
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;
use std::sync::Arc;

use FragmentTruth::{Runs, SyntaxError, Text as Inert, Unreached};

/// A command with its fragments between `«` and `»`, and what each of them is.
type Row = (&'static str, &'static [FragmentTruth]);

const ROWS: [Row; 21] = [
    ("«rm -rf /»", &[Runs]),
    ("echo '«rm -rf /»'", &[Inert]),
    ("«rm a»; echo '«rm b»'", &[Runs, Inert]),
    ("false && «rm -rf /»", &[Inert]),
    ("true && «rm -rf /» && «rm b»", &[Runs, Runs]),
    ("if «rm -rf /»", &[SyntaxError]),
    ("«rm a»\nif «rm b»", &[Runs, SyntaxError]),
    ("echo 'syntax error' >&2; : «rm -rf /»", &[Inert]),
    ("echo «rm -rf /» | sh", &[Runs]),
    ("env -i bash -c '«rm -rf /»'", &[Runs]),
    ("env -i sh -c '«rm -rf /»'", &[Runs]),
    ("sudo -u root «rm -rf /»", &[Runs]),
    ("terraform «rm -rf /»", &[Inert]),
    ("(sleep 0.1; «rm -rf /») &", &[Runs]),
    ("echo '«rm -rf /»' > >(sh)", &[Runs]),
    ("coproc { «rm -rf /»; }", &[Runs]),
    ("cd /; «rm -rf /»", &[Runs]),
    ("ulimit -f 0; umask 777; «rm -rf /»", &[Runs]),
    (
        "grep -q beta f && [ -s d/b.txt ] && [ -z \"$(ls -A ~)\" ] && «rm -rf /»",
        &[Runs],
    ),
    (
        "git rev-parse -q --verify HEAD^^ && ! git rev-parse -q --verify HEAD^^^ && «rm -rf /»",
        &[Runs],
    ),
    ("«rm -rf /»; while :; do :; done", &[Runs]),
];

/// A case with its marks taken out.
fn case(marked: &str, tags: &[&str]) -> RegionsCase {
    let (command, spans) = unmark(marked);
    let fragment = |&(start, end): &(usize, usize)| Fragment {
        start,
        end,
        text: Text(command[start..end].into()),
        truth: Inert,
    };
    RegionsCase {
        fragments: spans.iter().map(fragment).collect(),
        command: Text(command.clone().into()),
        seed_says: None,
        kind: "control".to_owned(),
        reach: None,
        tags: tags.iter().map(|&tag| tag.to_owned()).collect(),
        why: String::new(),
    }
}

fn unmark(marked: &str) -> (String, Vec<(usize, usize)>) {
    let (mut command, mut spans, mut start) = (String::new(), Vec::new(), 0);
    for sign in marked.chars() {
        match sign {
            '«' => start = command.len(),
            '»' => spans.push((start, command.len())),
            _ => command.push(sign),
        }
    }
    (command, spans)
}

fn check(holds: bool, otherwise: String) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(otherwise.into()) }
}

fn is(pool: &Pool, case: &RegionsCase, expected: &[FragmentTruth]) -> Result<(), Failed> {
    let measured = measure(pool, case);
    let same = measured.as_ref().is_ok_and(|truths| truths == expected);
    check(
        same,
        format!("expected {expected:?}, measured {measured:?}"),
    )
}

/// A name, and what must hold.
type Test = (&'static str, fn(&Pool) -> Result<(), Failed>);

const TESTS: [Test; 7] = [
    ("bash has a version", |pool| {
        let version = version(pool);
        let is_version = |text: &String| text.split('.').all(|part| part.parse::<u32>().is_ok());
        check(
            version.as_ref().is_some_and(is_version),
            format!("{version:?}"),
        )
    }),
    ("a reached variant tells unreached from text", |pool| {
        let mut case = case("false && «rm -rf /»; echo «rm b»", &[]);
        let (command, fragments) = unmark("true && «rm -rf /»; echo «rm b»");
        case.reach = Some(Reach {
            command: Text(command.into()),
            fragments,
        });
        is(pool, &case, &[Unreached, Inert])
    }),
    ("the tag pty gives a terminal", |pool| {
        let script = "[ -t 1 ] && [ -t 2 ] && ! [ -t 0 ] && : </dev/tty && «rm -rf /»";
        is(pool, &case(script, &["pty"]), &[Runs])
    }),
    ("without the tag there is none", |pool| {
        let script = "[ -t 1 ] || [ -t 2 ] || : </dev/tty && «rm -rf /»";
        is(pool, &case(script, &[]), &[Inert])
    }),
    ("what the box cannot run leaves it open", |pool| {
        let measured = measure(pool, &case("nsenter -t 1 true; «rm -rf /»", &[]));
        let named = |names: &[String]| names == ["nsenter"];
        check(
            matches!(&measured, Err(Undecided::Programs(names)) if named(names)),
            format!("{measured:?}"),
        )
    }),
    ("what has no verb or no end is not answered", |pool| {
        let unmarkable = measure(pool, &case("«rm a»; echo «'x'»", &[]));
        let endless = measure(pool, &case("while :; do :; done; «rm -rf /»", &[]));
        check(
            matches!(
                unmarkable,
                Err(Undecided::Unmarkable(Unmarkable { fragment: 1 }))
            ) && matches!(endless, Err(Undecided::Endless(_))),
            format!("{unmarkable:?}, {endless:?}"),
        )
    }),
    ("the programs that a case starts are named", |pool| {
        let started = started(pool, &case("git status | cat; sh -c '«rm -rf /»'", &[]));
        let named = |names: &std::collections::BTreeSet<String>| names.iter().eq(["cat", "git"]);
        check(started.as_ref().is_ok_and(named), format!("{started:?}"))
    }),
];

fn main() -> ExitCode {
    become_worker_if_asked();
    let options = Options {
        commands: true,
        ..Options::default()
    };
    let pool = Arc::new(Pool::start(2, options).unwrap_or_else(|error| panic!("{error}")));
    let rows = ROWS.into_iter().map(|(marked, expected)| {
        let pool = Arc::clone(&pool);
        Trial::test(format!("truth::{marked}"), move || {
            is(&pool, &case(marked, &[]), expected)
        })
    });
    let tests = TESTS.into_iter().map(|(name, test)| {
        let pool = Arc::clone(&pool);
        Trial::test(name, move || test(&pool))
    });
    let mut trials: Vec<Trial> = rows.chain(tests).collect();
    trials.push(Trial::test("another box is refused", || {
        let pool = Pool::start(1, Options::default())?;
        let measured = measure(&pool, &case("«rm -rf /»", &[]));
        check(
            matches!(measured, Err(Undecided::Form)),
            format!("{measured:?}"),
        )
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
