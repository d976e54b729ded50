//! Is every fact of bash and every safe form of `docs/spec/regions.md` (B-01 to C-8) a named case, with both answers?
//!
//! The cases stand in `corpus/cases/regions-truth-facts.jsonl`, tagged with the number. Their truth is measured on every run as
//! that of all cases is; here stands that none is missing, and that the hardened scanner misses none.

use corpus::{Body, FragmentTruth, Order, cases_folder, load};
use reference::regions::hardened;
use std::collections::{BTreeMap, BTreeSet};

/// Those that are about no command: the environment of one, and what is done later with its traces.
const OF_NO_COMMAND: [&str; 2] = ["C-9", "C-10"];

/// The numbers that a specification lists, each at the beginning of its line.
fn listed(specification: &str) -> BTreeSet<&str> {
    let number = |line| {
        let (number, _) = str::strip_prefix(line, "- ")?.split_once(' ')?;
        let digits = number.strip_prefix("B-").or(number.strip_prefix("C-"))?;
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        (is_number && !OF_NO_COMMAND.contains(&number)).then_some(number)
    };
    specification.lines().filter_map(number).collect()
}

/// What the fragments of each fact are.
fn shown() -> BTreeMap<String, Vec<FragmentTruth>> {
    let folder = cases_folder().expect("the cases stand in the workspace");
    let corpus = load(&[folder], Order::Sorted).unwrap_or_else(|fault| panic!("{fault}"));
    let mut shown: BTreeMap<String, Vec<FragmentTruth>> = BTreeMap::new();
    for case in corpus.cases {
        let Body::Regions(body) = case.body else {
            continue;
        };
        if !case.place.file.ends_with("regions-truth-facts.jsonl") {
            continue;
        }
        let answer = hardened::scan(&body.command.0);
        for fragment in &body.fragments {
            let is_run = fragment.truth == FragmentTruth::Runs;
            assert!(
                !is_run || answer.is_live(fragment.start),
                "{}: bash runs what is called text",
                case.name
            );
        }
        let [fact] = &body.tags[..] else {
            panic!("{}: one fact a case, not {:?}", case.name, body.tags);
        };
        let truths = body.fragments.iter().map(|fragment| fragment.truth);
        shown.entry(fact.clone()).or_default().extend(truths);
    }
    shown
}

/// The facts that do not have both answers: it runs, and it does not.
fn without_both<'a>(
    facts: &BTreeSet<&'a str>,
    shown: &BTreeMap<String, Vec<FragmentTruth>>,
) -> Vec<&'a str> {
    let has_both = |fact: &&&str| {
        let truths = shown.get(**fact).map_or(&[][..], Vec::as_slice);
        let runs = truths.contains(&FragmentTruth::Runs);
        runs && truths.iter().any(|truth| *truth != FragmentTruth::Runs)
    };
    facts
        .iter()
        .filter(|fact| !has_both(fact))
        .copied()
        .collect()
}

#[test]
fn every_fact_is_a_case_with_both_answers() {
    let facts = listed(include_str!("../../docs/spec/regions.md"));
    assert!(facts.contains("B-01") && facts.contains("B-62") && facts.contains("C-7"));
    let mut shown = shown();
    assert_eq!(without_both(&facts, &shown), Vec::<&str>::new());
    let of_no_fact: Vec<_> = shown
        .keys()
        .filter(|fact| !facts.contains(fact.as_str()))
        .collect();
    assert!(of_no_fact.is_empty(), "no such facts: {of_no_fact:?}");

    // One that has a single answer, and one without any case, are noticed.
    shown.insert("B-62".to_owned(), vec![FragmentTruth::Runs]);
    shown.remove("C-7");
    assert_eq!(without_both(&facts, &shown), ["B-62", "C-7"]);
}
