//! Does the sound scanner call text what bash takes for text, and nothing else?
//!
//! Against the stored truth of every fragment: a fragment that runs, or that control flow alone skips, is live. Of the fragments
//! of `regions-truth.jsonl`, which were drawn without a look at this scanner, few that are text may be. `cargo test -p tests --test hardened -- --nocapture` shows the figures and each false alarm.

use corpus::{Body, Corpus, FragmentTruth, Order, cases_folder, load};
use reference::regions::hardened;
use std::collections::BTreeMap;

/// Kinds that are about how bash reads a command, and not about what a program does.
const OF_SYNTAX: [&str; 16] = [
    "reserved-word",
    "assignment-prefix",
    "heredoc-expands",
    "heredoc-phantom",
    "heredoc-misparse",
    "heredoc-line",
    "herestring",
    "hash",
    "dquote-escape",
    "ansi-c-quote",
    "nested-quote",
    "backtick",
    "continuation",
    "redirect",
    "compound",
    "whitespace",
];

/// The file of which the shares are asserted.
const DRAWN: &str = "regions-truth.jsonl";

/// Fragments of one kind.
#[derive(Default)]
struct Figure {
    program: usize,
    misses: Vec<String>,
    text: usize,
    false_alarms: Vec<String>,
}

fn cases() -> Corpus {
    let folder = cases_folder().expect("the cases stand in the workspace");
    load(&[folder], Order::Sorted).unwrap_or_else(|fault| panic!("{fault}"))
}

fn figures() -> BTreeMap<String, Figure> {
    let mut figures: BTreeMap<String, Figure> = BTreeMap::new();
    for case in &cases().cases {
        let Body::Regions(body) = &case.body else {
            continue;
        };
        // What holds for one build of bash or one user only is not scored.
        if body.tags.iter().any(|tag| tag == "quirk") {
            continue;
        }
        let answer = hardened::scan(&body.command.0);
        let figure = figures.entry(body.kind.clone()).or_default();
        for fragment in &body.fragments {
            let why = answer.why(fragment.start);
            let shown = || {
                let said = match why {
                    Ok(inert) => inert.to_string(),
                    Err(live) => live.to_string(),
                };
                let command = String::from_utf8_lossy(&body.command.0);
                format!("{} {command:?} at {}: {said}", case.name, fragment.start)
            };
            match fragment.truth {
                FragmentTruth::Runs | FragmentTruth::Unreached => {
                    figure.program += 1;
                    if why.is_ok() {
                        figure.misses.push(shown());
                    }
                }
                FragmentTruth::Text if case.place.file.ends_with(DRAWN) => {
                    figure.text += 1;
                    if why.is_err() {
                        figure.false_alarms.push(shown());
                    }
                }
                FragmentTruth::Text | FragmentTruth::SyntaxError => {}
            }
        }
    }
    assert!(!figures.is_empty(), "no case was read");
    figures
}

/// Of the kinds that are chosen, in parts of a thousand.
fn share_of_false_alarms(
    figures: &BTreeMap<String, Figure>,
    chosen: impl Fn(&str) -> bool,
) -> usize {
    let chosen = figures
        .iter()
        .filter(|(kind, _)| chosen(kind))
        .map(|(_, figure)| figure);
    let (alarms, text) = chosen.fold((0, 0), |(alarms, text), figure| {
        (alarms + figure.false_alarms.len(), text + figure.text)
    });
    assert!(text > 0, "no text of these kinds");
    1000 * alarms / text
}

#[test]
fn what_runs_is_live_and_few_texts_are() {
    let figures = figures();
    let mut misses = Vec::new();
    for (kind, figure) in &figures {
        let Figure { program, text, .. } = figure;
        let (missed, alarms) = (figure.misses.len(), figure.false_alarms.len());
        println!("{kind:18} {missed} of {program} missed, {alarms} of {text} false alarms");
        for alarm in &figure.false_alarms {
            println!("    {alarm}");
        }
        misses.extend(&figure.misses);
    }
    assert!(misses.is_empty(), "{} misses\n{misses:#?}", misses.len());
    let share = |chosen: &dyn Fn(&str) -> bool| share_of_false_alarms(&figures, chosen);
    let all = share(&|_| true);
    let of_syntax = share(&|kind| OF_SYNTAX.contains(&kind));
    println!(
        "{all} of 1000 texts are live, {of_syntax} of 1000 of the kinds that are about syntax"
    );
    assert_eq!(share(&|kind| kind == "plain"), 0);
    assert!(all <= 100, "{all}");
    assert!(of_syntax <= 20, "{of_syntax}");
}
