//! Does the literal scanner answer what the seed answers, for every stored case?
//!
//! Spans exactly (`parity`) and fragments by their first byte (`seed_says`). Nothing is run: both are answers, not truths.

use corpus::{Body, Corpus, Order, cases_folder, load};
use differential::examine::Examiner;
use differential::replay::{Examine, Form};
use differential::report::{Judgement, Verdict};

fn cases() -> Corpus {
    let folder = cases_folder().expect("the cases stand in the workspace");
    load(&[folder], Order::Sorted).unwrap_or_else(|fault| panic!("{fault}"))
}

/// Every judgement of the cases of a kind; that there are any is part of the answer.
fn judged(of: impl Fn(&Body) -> bool) -> Vec<Judgement> {
    let examiner = Examiner::without_box(reference::sed::answer, Form::Literal);
    let corpus = cases();
    let cases = corpus.cases.iter().filter(|case| of(&case.body));
    let judgements: Vec<_> = cases
        .flat_map(|case| examiner.examine(case, false))
        .collect();
    assert!(!judgements.is_empty(), "no case of this kind was read");
    judgements
}

#[track_caller]
fn no_miss(judgements: &[Judgement]) {
    let misses: Vec<String> = judgements
        .iter()
        .filter(|one| !matches!(one.result, Verdict::Agree | Verdict::Unscored))
        .map(|one| {
            let Judgement {
                id,
                why,
                expected,
                got,
                command,
                ..
            } = one;
            format!("{id}: {why}\n  {command:?}\n  expected {expected}\n  got      {got}")
        })
        .collect();
    let (count, all) = (misses.len(), judgements.len());
    assert!(
        misses.is_empty(),
        "{count} of {all} differ\n{}",
        misses.join("\n")
    );
}

#[test]
fn every_parity_case_has_exactly_these_regions() {
    let judgements = judged(|body| matches!(body, Body::Parity(_)));
    no_miss(&judgements);
    assert!(judgements.iter().all(|one| one.result == Verdict::Agree));
}

#[test]
fn every_fragment_is_live_or_inert_as_the_seed_says() {
    let judgements = judged(|body| matches!(body, Body::Regions(_)));
    no_miss(&judgements);
    for word in ["live", "inert"] {
        let agreed = |one: &Judgement| one.result == Verdict::Agree && one.got == word;
        assert!(judgements.iter().any(agreed), "no fragment is {word}");
    }
}
