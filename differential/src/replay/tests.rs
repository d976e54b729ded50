//! Does the engine count, order, stop and excuse as it says?

use super::*;
use corpus::ParityCase;
use std::path::PathBuf;
use std::sync::atomic::AtomicUsize;

fn case(file: &str, line: usize, name: &str, tag: &str) -> Case {
    let command = Text(name.as_bytes().to_vec());
    let body = ParityCase {
        command,
        regions: Vec::new(),
        tag: Some(tag.to_owned()),
    };
    let place = corpus::Place {
        file: PathBuf::from(file),
        line,
    };
    Case {
        place,
        name: name.to_owned(),
        body: Body::Parity(Box::new(body)),
    }
}

/// Judges by the name of the case: each word is one judgement.
struct ByName;

impl Examine for ByName {
    fn examine(&self, case: &Case, _: bool) -> Vec<Judgement> {
        let verdict = |word| match word {
            "agree" => Verdict::Agree,
            "miss" => Verdict::Miss,
            "alarm" => Verdict::FalseAlarm,
            "unknown" => Verdict::Unknown,
            _ => panic!("{word} is no verdict"),
        };
        case.name
            .split('-')
            .skip(1)
            .map(|word| Judgement {
                result: verdict(word),
                ..Judgement::of(case)
            })
            .collect()
    }
    fn versions(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }
    fn form(&self) -> Option<String> {
        None
    }
}

fn replay(cases: &[Case], jobs: usize, stop: &AtomicBool) -> Replayed {
    let cases: Vec<&Case> = cases.iter().collect();
    let how = How {
        form: Form::Hardened,
        execute: false,
        jobs,
    };
    run(&cases, &ByName, how, &|| {}, stop).expect("threads start")
}

fn many() -> Vec<Case> {
    (0..500)
        .map(|n| {
            let results = ["agree", "miss", "alarm-agree", "unknown"][n % 4];
            case(
                if n < 300 { "a" } else { "b" },
                n + 1,
                &format!("c{n:03}-{results}"),
                "t",
            )
        })
        .collect()
}

#[test]
fn the_order_is_that_of_the_corpus_and_the_counts_add_up() {
    let cases = many();
    let replayed = replay(&cases, 8, &AtomicBool::new(false));
    let lines: Vec<usize> = replayed.judgements.iter().map(|one| one.line).collect();
    assert!(lines.is_sorted());
    assert_eq!((replayed.done, lines.len()), (500, 625));
    let files: Vec<_> = replayed
        .suites
        .iter()
        .map(|suite| (suite.file.to_str(), suite.cases))
        .collect();
    assert_eq!(files, [(Some("a"), 300), (Some("b"), 200)]);
    for suite in &replayed.suites {
        assert_eq!(
            suite.judged,
            suite.decided() + suite.unknown + suite.invalid + suite.unscored
        );
        assert_eq!(suite.judged, suite.cases / 4 * 5);
        assert_eq!(
            [suite.miss, suite.false_alarm, suite.unknown],
            [suite.cases / 4; 3]
        );
    }
}

#[test]
fn a_stop_ends_it_between_two_cases() {
    let cases = many();
    let (stop, seen) = (AtomicBool::new(false), AtomicUsize::new(0));
    let progress = || {
        if seen.fetch_add(1, Ordering::SeqCst) == 20 {
            stop.store(true, Ordering::SeqCst);
        }
    };
    let selected: Vec<&Case> = cases.iter().collect();
    let how = How {
        form: Form::Literal,
        execute: false,
        jobs: 4,
    };
    let replayed = run(&selected, &ByName, how, &progress, &stop).expect("threads start");
    assert!((21..=25).contains(&replayed.done), "{}", replayed.done);
    assert_eq!(
        replayed
            .suites
            .iter()
            .map(|suite| suite.cases)
            .sum::<usize>(),
        500
    );
    assert!(
        replayed
            .judgements
            .iter()
            .all(|one| one.rerun.ends_with(" --form literal"))
    );
}

#[test]
fn a_panic_is_a_miss_of_that_case_alone() {
    let cases = [
        case("a", 1, "x-nonsense", "t"),
        case("a", 2, "y-agree", "t"),
    ];
    let replayed = replay(&cases, 1, &AtomicBool::new(false));
    let results: Vec<Verdict> = replayed.judgements.iter().map(|one| one.result).collect();
    assert_eq!(results, [Verdict::Miss, Verdict::Agree]);
    assert!(
        replayed.judgements[0]
            .why
            .contains("nonsense is no verdict")
    );
}

#[test]
fn selections_meet_and_may_not_be_empty() {
    let cases = [
        case("a", 1, "ab", "t"),
        case("a", 2, "bc", "t"),
        case("a", 3, "bd", "u"),
    ];
    let select = |filter: &str, tag: &str| {
        let some = |word: &str| (!word.is_empty()).then(|| word.to_owned());
        let selected = Selection {
            filter: some(filter),
            tag: some(tag),
        }
        .of(&cases);
        selected.map(|cases| cases.iter().map(|case| case.place.line).collect::<Vec<_>>())
    };
    assert_eq!(select("", ""), Ok(vec![1, 2, 3]));
    assert_eq!(select("b", "t"), Ok(vec![1, 2]));
    assert_eq!(
        select("c", "u").map_err(|error| error.contains("\"c\"") && error.contains("\"u\"")),
        Err(true)
    );
    assert!(Selection::default().of(&[]).is_err());
}

/// The outcome of one ledger entry: judgements listed, entries stale.
fn ledger(entry: &str, cases: &[Case], whole: bool) -> (usize, usize) {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), format!("[{entry}]")).expect("it can be written");
    let ledger = Ledger::load(file.path()).expect("the entry keeps to the form");
    let mut judgements = replay(cases, 1, &AtomicBool::new(false)).judgements;
    let causes = apply_ledger(
        &ledger,
        Form::Hardened,
        whole.then_some(cases),
        &mut judgements,
    );
    assert!(causes.iter().all(|cause| matches!(cause, Cause::Wrong(_))));
    (
        judgements.iter().filter(|one| one.listed).count(),
        causes.len(),
    )
}

#[test]
fn the_ledger_is_strict_both_ways() {
    let entry = |id: &str| format!(r#"{{"id": "{id}", "result": "false_alarm", "why": "known"}}"#);
    let cases = ["a-alarm", "b-agree", "c-unknown", "d-miss"].map(|name| case("a", 1, name, "t"));
    assert_eq!(
        ledger(&entry("a-alarm"), &cases, true),
        (1, 0),
        "a known false alarm"
    );
    assert_eq!(
        ledger(&entry("b-agree"), &cases, true),
        (0, 1),
        "it agrees now"
    );
    assert_eq!(
        ledger(&entry("d-miss"), &cases, true),
        (0, 1),
        "it is worse now"
    );
    assert_eq!(
        ledger(&entry("c-unknown"), &cases, true),
        (0, 0),
        "nobody can tell"
    );
    assert_eq!(ledger(&entry("gone"), &cases, true), (0, 1), "no such case");
    assert_eq!(
        ledger(&entry("gone"), &cases, false),
        (0, 0),
        "it may stand in a file that was not loaded"
    );
    assert_eq!(
        ledger(&entry("b-agree"), &cases, false),
        (0, 1),
        "it agrees now, whatever was loaded"
    );
    let miss = r#"{"id": "d-miss", "form": "literal", "result": "miss", "why": "known"}"#;
    assert_eq!(
        ledger(miss, &cases, true),
        (1, 0),
        "parity is of the literal form"
    );
}

#[test]
fn words_are_quoted_as_bash_reads_them() {
    assert_eq!(quoted(b"s/a/b/"), "s/a/b/");
    assert_eq!(quoted(b""), "''");
    assert_eq!(quoted(b"it's \n"), "'it'\\''s \n'");
    assert_eq!(quoted(b"a\xff\x1b'"), "$'a\\xff\\x1b\\''");
    let words: [&[u8]; 5] = [b"~", b"a b$(c)", "é\u{85}".as_bytes(), b"\xfe0\\", b"\t\n'"];
    for word in words {
        let script = format!("printf %s {}", quoted(word));
        let output = std::process::Command::new("bash")
            .arg("-c")
            .arg(script)
            .output()
            .expect("bash is there");
        assert_eq!(output.stdout, word);
    }
}
