//! Does the oracle of shell regions see that a fragment runs, and that it does not? Commands whose answer is known whatever
//! the version of bash.

use corpus::{Body, Case, Fragment, FragmentTruth, Reach, RegionsCase, Text};
use differential::bash::{
    Accepts, Bash, Recheck, Undecided, Unmarkable, VERSION, accepts, fragments, measure, observe,
    version,
};
use differential::regions::{self, Difference};
use differential::sandbox::{Options, Pool, Watch, become_worker_if_asked};
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use reference::regions::literal;
use std::collections::BTreeMap;
use std::ops::Range;
use std::process::ExitCode;
use std::sync::Arc;

use FragmentTruth::{Runs, SyntaxError, Text as Inert, Unreached};

/// A command with its fragments between `«` and `»`, and what each of them is.
type Row = (&'static str, &'static [FragmentTruth]);

const ROWS: [Row; 27] = [
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
    // What would hide that a fragment ran.
    ("«rm -rf /»; command rm -f ../log/*", &[Runs]),
    ("rmdir ../log; «rm -rf /»", &[Runs]),
    ("chmod 0 ../log; «rm -rf /»", &[Runs]),
    ("cp /usr/bin/true ../bin/cnry0; «rm -rf /»", &[Runs]),
    (
        "i=0; while : >../x$((i++)); do :; done; «rm -rf /»",
        &[Runs],
    ),
    ("exec <&- >&- 2>&-; «rm -rf /»", &[Runs]),
];

/// Commands that keep a fragment from running by what they do to the box, or outlast it.
const DOUBTFUL: [&str; 7] = [
    "chmod 0 ../bin; «rm -rf /»",
    "mv ../bin/cnry0 x; «rm -rf /»",
    "command rm -r ../bin; «rm -rf /»",
    "chmod -x ../bin/cnry0; «rm -rf /»",
    "ulimit -u 0; sh -c ': | «rm -rf /»'",
    "(sleep 3; «rm -rf /») &",
    "(. «rm»); command rm ../log/*",
];

/// Commands and what bash makes of them.
const ACCEPTED: [(&str, Accepts); 46] = [
    ("", Accepts::Whole),
    ("ls", Accepts::Whole),
    ("echo \\", Accepts::Whole),
    ("# (", Accepts::Whole),
    ("case x in x) echo;; esac", Accepts::Whole),
    ("if", Accepts::Nothing),
    (")", Accepts::Nothing),
    (": \"x", Accepts::Nothing),
    ("a=(1 2", Accepts::Nothing),
    ("{ echo }", Accepts::Nothing),
    ("f() {\necho\n", Accepts::Nothing),
    ("[[ a b ]]", Accepts::Nothing),
    ("echo $(if)", Accepts::Nothing),
    // One line after the other (B-60).
    ("echo a; fi", Accepts::Nothing),
    ("echo a\nif", Accepts::UpTo(1)),
    ("echo a\n\n: \"", Accepts::UpTo(2)),
    ("for i in a\ndo echo\ndone\n)", Accepts::UpTo(3)),
    ("for i in a\ndo echo\n)", Accepts::Nothing),
    ("cat <<E\n$(echo)\nE\nif", Accepts::UpTo(3)),
    ("sh <<E\necho\nE\nif", Accepts::UpTo(3)),
    ("if true; then\necho\nfi\n)", Accepts::UpTo(3)),
    ("PATH=/x\nif", Accepts::UpTo(1)),
    ("cd /\nif", Accepts::UpTo(1)),
    ("set -e\n:\nif\necho", Accepts::UpTo(2)),
    // A line that is not complete goes on.
    ("echo a &&", Accepts::Nothing),
    ("echo a &&\nif", Accepts::Nothing),
    ("echo a\necho b |\n)", Accepts::UpTo(1)),
    ("echo a\necho b \\\n)", Accepts::UpTo(1)),
    // A here-document without its end is a warning.
    ("cat <<E", Accepts::Whole),
    ("cat <<E\nif", Accepts::Whole),
    // What an earlier line sets (B-61).
    ("echo !(x)", Accepts::Nothing),
    ("shopt -s extglob; echo !(x)", Accepts::Nothing),
    ("shopt -s extglob\necho !(x)", Accepts::Whole),
    ("alias x=if\nx", Accepts::Whole),
    ("shopt -s expand_aliases\nalias x=if\nx", Accepts::UpTo(2)),
    ("shopt -s expand_aliases; alias x=if; x", Accepts::Whole),
    // Errors of another kind, and of others.
    ("echo $((1+)); [[ a -eq 1+ ]]", Accepts::Whole),
    ("echo ${x y}", Accepts::Whole),
    ("echo `if`", Accepts::Whole),
    ("eval if", Accepts::Whole),
    ("bash -c if; exit", Accepts::Whole),
    ("$0 -c if", Accepts::Whole),
    ("echo 'bash: -c: line 1: syntax error' >&2", Accepts::Whole),
    // It does not come so far, or does not say so.
    ("exit\nif", Accepts::Ended),
    ("echo\nexec bash -c :\nif", Accepts::Ended),
    ("exec 2>/dev/null\nif", Accepts::Ended),
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
    let same = measured
        .as_ref()
        .is_ok_and(|measured| measured.truths == expected);
    check(
        same,
        format!("expected {expected:?}, measured {measured:?}"),
    )
}

/// A name, and what must hold.
type Test = (&'static str, fn(&Pool) -> Result<(), Failed>);

const TESTS: [Test; 9] = [
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
        let measured = measure(pool, &case("seq 1 | cat; sh -c '«rm -rf /»'", &[]));
        let named = measured
            .as_ref()
            .is_ok_and(|measured| measured.started.iter().eq(["cat", "seq"]));
        check(named, format!("{measured:?}"))
    }),
    ("a wrong case is wrong on its own versions only", |pool| {
        let wrong = |marked| {
            let mut case = case(marked, &[]);
            case.fragments[1].truth = Runs;
            Bash::of(pool).recheck(pool, &case)
        };
        let ours = version(pool).as_deref() == Some(VERSION);
        for (marked, wrongly) in [
            ("«rm a» | :; : «rm b»", ours),
            ("«rm a» | :; gzip -h : «rm b»", false),
        ] {
            let checked = wrong(marked);
            let differs = matches!(
                &checked,
                Recheck::Differs { now, corpus_is_wrong, .. } if now[..] == [Runs, Inert] && *corpus_is_wrong == wrongly
            );
            check(differs, format!("{marked}: {checked:?}"))?;
        }
        Ok(())
    }),
    ("a command needs no case", |pool| {
        let (text, marks) = unmark("[ -t 1 ] && «rm a»; echo '«rm b»'");
        let marks: Vec<Range<usize>> = marks.iter().map(|&(start, end)| start..end).collect();
        for (terminal, expected) in [(false, [Inert, Inert]), (true, [Runs, Inert])] {
            let truths = fragments(pool, text.as_bytes(), &marks, terminal);
            let same = truths.as_ref().is_ok_and(|truths| truths[..] == expected);
            check(same, format!("terminal: {terminal}, {truths:?}"))?;
        }
        for (watch, traced) in [(Watch::Snapshot, false), (Watch::Trace, true)] {
            let seen = observe(pool, text.as_bytes(), &marks, true, watch)?;
            check(seen.events.is_empty() != traced, format!("{seen:?}"))?;
        }
        Ok(())
    }),
];

/// The table of `docs/spec/regions.md` section 5 holds what the literal scanner answers to the stored cases.
fn figures() -> Result<(), Failed> {
    let file = corpus::cases_folder()?.join("regions-truth.jsonl");
    let corpus = corpus::load(&[file], corpus::Order::Sorted)?;
    let cases: Vec<&Case> = corpus.cases.iter().collect();
    let judged = cases.iter().flat_map(|case| match &case.body {
        Body::Regions(body) => regions::fragments(literal::regions, case, body),
        _ => Vec::new(),
    });
    let mut figures =
        regions::differs_from_truth(literal::regions, &cases, &judged.collect::<Vec<_>>());
    figures.insert("**all**".to_owned(), Difference::total(figures.values()));
    let of = |count: usize, of: usize| format!("{count} of {of}");
    let row = |(kind, figure): (&String, &Difference)| {
        let cells = [
            figure.fragments.to_string(),
            figure.runs.to_string(),
            figure.text.to_string(),
            figure.unreached.to_string(),
            of(figure.runs_called_inert, figure.runs),
            of(figure.text_called_live, figure.text),
            figure.unreached_called_inert.to_string(),
        ];
        (kind.clone(), cells.to_vec())
    };
    let measured: BTreeMap<String, Vec<String>> = figures.iter().map(row).collect();
    let page = include_str!("../../docs/spec/regions.md");
    let rows = page
        .split("\n## ")
        .filter(|section| section.starts_with("5. "))
        .flat_map(str::lines)
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"))
        .skip(1);
    let row = |line: &str| {
        let mut cells = line.split(" | ").map(str::to_owned);
        let kind = cells.next().unwrap_or_default();
        (kind, cells.skip(1).collect())
    };
    let written: BTreeMap<String, Vec<String>> = rows.map(row).collect();
    check(
        measured == written,
        format!("measured {measured:#?}\nwritten {written:#?}"),
    )
}

fn main() -> ExitCode {
    become_worker_if_asked();
    let options = Options {
        commands: true,
        ..Options::default()
    };
    let pool = Arc::new(Pool::start(2, options).unwrap_or_else(|error| panic!("{error}")));
    let rows = ROWS.into_iter().map(|(marked, expected)| {
        let pool = Arc::clone(&pool);
        Trial::ignorable_test(format!("truth::{marked}"), move || {
            let case = case(marked, &[]);
            match measure(&pool, &case) {
                Err(why @ Undecided::Programs(_)) if why.to_string().contains("install") => {
                    Ok(Completion::ignored_with(why))
                }
                _ => is(&pool, &case, expected).map(|()| Completion::Completed),
            }
        })
    });
    let tests = TESTS.into_iter().map(|(name, test)| {
        let pool = Arc::clone(&pool);
        Trial::test(name, move || test(&pool))
    });
    let doubtful = DOUBTFUL.into_iter().map(|marked| {
        let pool = Arc::clone(&pool);
        Trial::test(format!("doubt::{marked}"), move || {
            let measured = measure(&pool, &case(marked, &[]));
            check(
                matches!(measured, Err(Undecided::Doubt(_))),
                format!("{measured:?}"),
            )
        })
    });
    let accepted = ACCEPTED.into_iter().map(|(text, expected)| {
        let pool = Arc::clone(&pool);
        Trial::test(format!("accepts::{text:?}"), move || {
            let accepted = accepts(&pool, text.as_bytes())?;
            check(
                accepted == expected,
                format!("expected {expected:?}, measured {accepted:?}"),
            )
        })
    });
    let mut trials: Vec<Trial> = rows.chain(tests).chain(doubtful).chain(accepted).collect();
    trials.push(Trial::test("the figures are those of the page", figures));
    trials.push(Trial::test("another box is refused", || {
        let pool = Pool::start(1, Options::default())?;
        let measured = measure(&pool, &case("«rm -rf /»", &[]));
        check(
            matches!(measured, Err(Undecided::Form)),
            format!("{measured:?}"),
        )?;
        // There is no bash that could be asked.
        let checked = Bash::of(&pool).recheck(&pool, &case("«rm -rf /»", &[]));
        check(
            matches!(&checked, Recheck::Undecided(why) if why.contains("package bash")),
            format!("{checked:?}"),
        )
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
