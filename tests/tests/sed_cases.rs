//! Does the recognizer's answer agree with the stored truth of every sed case, and is it exact where only one is possible?
//!
//! Nothing is run: the truth is what was measured when the case was stored (`docs/spec/sed.md` section 8). Whether it still
//! holds is for the runs that measure.

use corpus::{Body, Corpus, Order, SedCase, SedEffect, cases_folder, load};
use differential::report::Verdict;
use differential::sed::judge::{Truth, ask, compare};
use reference::sed::{Answer, Effect, answer};
use std::collections::BTreeSet;

fn cases() -> Corpus {
    let folder = cases_folder().expect("the cases stand in the workspace");
    load(&[folder], Order::Sorted).unwrap_or_else(|fault| panic!("{fault}"))
}

fn has_tag(case: &SedCase, tag: &str) -> bool {
    case.tags.iter().any(|own| own == tag)
}

/// Puts every case for which `question` has an answer, and fails with all that `question` finds wrong.
fn every_case(mut question: impl FnMut(&SedCase, &Answer) -> Option<String>) {
    let corpus = cases();
    let mut asked = 0;
    let wrong: Vec<String> = corpus
        .cases
        .iter()
        .filter_map(|case| match &case.body {
            Body::Sed(sed) => Some((&case.name, sed)),
            _ => None,
        })
        .inspect(|_| asked += 1)
        .filter_map(|(name, sed)| {
            let why = question(sed, &ask(answer, sed))?;
            Some(format!("{name}: {why}"))
        })
        .collect();
    assert!(asked > 0, "no sed case is stored");
    assert!(
        wrong.is_empty(),
        "{} of {asked} cases:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_answer_agrees_with_the_stored_truth() {
    every_case(|case, answer| {
        let unreachable = has_tag(case, "unreachable");
        let (verdict, why) = compare(answer, &Truth::of(case), unreachable);
        (verdict != Verdict::Agree).then_some(why)
    });
}

/// Other input changes what a `conditional` script does, and what is `unreachable` may be answered either way; everything
/// else has one right answer.
#[test]
fn answers_are_exact_where_only_one_is_right() {
    every_case(|case, answer| {
        if has_tag(case, "conditional") || has_tag(case, "unreachable") {
            return None;
        }
        let truth = Truth::of(case);
        let effect = match answer.effect {
            Effect::ReadOnly => SedEffect::ReadOnly,
            Effect::Error => SedEffect::Error,
            Effect::Writes => SedEffect::Writes,
            Effect::Executes => SedEffect::Executes,
        };
        let said = (effect, &answer.reads, &answer.writes, answer.executes);
        let seen = (truth.effect, &truth.reads, &truth.writes, truth.executes);
        (said != seen).then(|| format!("said {said:?}, seen {seen:?}"))
    });
}

/// The input decides what else the shell gets.
#[test]
fn commands_named_for_the_shell_reach_it() {
    every_case(|case, answer| {
        if has_tag(case, "conditional") || has_tag(case, "unreachable") {
            return None;
        }
        let seen: BTreeSet<&[u8]> = case
            .shell
            .iter()
            .flatten()
            .map(|text| &text.0[..])
            .collect();
        let invented = answer
            .shell
            .iter()
            .find(|command| !seen.contains(&command[..]))?;
        Some(format!(
            "{:?} does not reach it",
            String::from_utf8_lossy(invented)
        ))
    });
}
