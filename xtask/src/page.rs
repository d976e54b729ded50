//! What does a person read? One page of text from a report: exit and reasons, counts, and last what failed.

mod differs;

use crate::show::{compared, underlined, visible};
use differential::report::{ClaimResult, Judgement, Report, Step, Suite, Verdict};
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

/// How many judgements of one kind are shown in full, and how many ids a line names, unless all are asked for.
const SHOWN: usize = 20;
const INDENT: &str = "       ";

/// How the page looks.
pub(crate) struct Page {
    /// With colour.
    pub(crate) colour: bool,
    /// Every judgement in full.
    pub(crate) all: bool,
    /// When the run began.
    pub(crate) started: Instant,
}

/// The first line of every run: what is needed to have the same run again.
pub(crate) fn header(command: &str, report: &Report, jobs: usize) -> String {
    let mut words = vec![
        command.to_owned(),
        format!("seed {}", report.seed),
        report.subject.clone(),
    ];
    words.extend(
        report
            .versions
            .iter()
            .map(|(program, version)| format!("{program} {version}")),
    );
    words.push(format!(
        "box {}",
        report.form.as_deref().unwrap_or("none, nothing is run")
    ));
    words.push(format!(
        "{jobs} {}",
        if jobs == 1 { "thread" } else { "threads" }
    ));
    visible(&words.join("   ")) + "\n"
}

impl Page {
    /// Everything below the header.
    pub(crate) fn of(&self, report: &Report) -> String {
        let mut page = String::new();
        self.reasons(&mut page, report);
        if let Some(steps) = &report.steps {
            page.push('\n');
            steps.iter().for_each(|step| self.step(&mut page, step));
        }
        if let Some(claims) = report.claims.as_ref().filter(|claims| !claims.is_empty()) {
            page.push('\n');
            claims.iter().for_each(|claim| self.claim(&mut page, claim));
        }
        if !report.suites.is_empty() {
            page.push('\n');
            self.suites(&mut page, &report.suites);
        }
        if !report.literal_differs.is_empty() {
            differs::table(&mut page, "literal", &report.literal_differs);
        }
        if !report.hardened_differs.is_empty() {
            differs::table(&mut page, "hardened", &report.hardened_differs);
        }
        self.judgements(&mut page, report);
        let off = report
            .claims
            .iter()
            .flatten()
            .filter(|claim| claim.result != claim.expected);
        for claim in off {
            self.counterexample(&mut page, claim);
        }
        let seconds = self.started.elapsed().as_secs_f64();
        let _ = writeln!(page, "\nexit {} after {seconds:.1} s", report.exit);
        page
    }

    fn reasons(&self, page: &mut String, report: &Report) {
        let word = match report.exit {
            0 => self.paint("ok", GREEN),
            3 => self.paint("INCOMPLETE", YELLOW),
            130 => self.paint("INTERRUPTED", YELLOW),
            _ => self.paint("FAIL", RED),
        };
        let none = "all agree, but for what the ledger knows".to_owned();
        let reasons = if report.reasons.is_empty() {
            std::slice::from_ref(&none)
        } else {
            &report.reasons
        };
        for reason in reasons {
            let _ = writeln!(page, "{word}   {}", visible(reason));
        }
    }

    fn step(&self, page: &mut String, step: &Step) {
        let result = match step.result {
            "ok" => self.paint("ok        ", GREEN),
            "fail" => self.paint("FAIL      ", RED),
            other => self.paint(&format!("{other:<10}"), YELLOW),
        };
        let (name, figures) = (step.name, visible(&step.figures));
        let _ = writeln!(
            page,
            "  {name:<18} {result} {:>7.1} s   {figures}",
            step.seconds
        );
    }

    fn claim(&self, page: &mut String, claim: &ClaimResult) {
        let as_expected = claim.result == claim.expected;
        let result = self.paint(
            &format!("{:<8}", claim.result),
            if as_expected { GREEN } else { RED },
        );
        let note = if as_expected {
            String::new()
        } else {
            format!("(expected {})", claim.expected)
        };
        let ClaimResult {
            id,
            form,
            cases,
            sentence,
            ..
        } = claim;
        let _ = writeln!(
            page,
            "  {id:<10} {form:<8} {result} {cases:>9} cases   {} {note}",
            visible(sentence)
        );
    }

    fn suites(&self, page: &mut String, suites: &[Suite]) {
        let name = |suite: &Suite| visible(&suite.file.display().to_string());
        let width = suites
            .iter()
            .map(|suite| name(suite).chars().count())
            .max()
            .unwrap_or(0);
        let _ = writeln!(
            page,
            "  {:width$}  {:19} {:>7} {:>7} {:>7} {:>6} {:>11} {:>7} {:>7} {:>8}",
            "",
            "",
            "cases",
            "judged",
            "agree",
            "miss",
            "false alarm",
            "unknown",
            "invalid",
            "unscored"
        );
        for suite in suites {
            let what = [suite.check, suite.policy.unwrap_or("")].join(" ");
            let miss = format!("{:>6}", suite.miss);
            let Suite {
                cases,
                judged,
                agree,
                false_alarm,
                unknown,
                invalid,
                unscored,
                ..
            } = suite;
            let _ = writeln!(
                page,
                "  {:width$}  {what:19} {cases:>7} {judged:>7} {agree:>7} {} {false_alarm:>11} {unknown:>7} \
                 {invalid:>7} {unscored:>8}",
                name(suite),
                if suite.miss > 0 {
                    self.paint(&miss, RED)
                } else {
                    miss
                },
            );
        }
    }

    /// What weighs least first: the end of the page stays on the screen.
    fn judgements(&self, page: &mut String, report: &Report) {
        let mut blocks: Vec<&Judgement> = report.agreed.iter().flatten().collect();
        let in_short = |one: &&Judgement| {
            !self.all
                && matches!(
                    weight(one),
                    Weight::Unscored | Weight::Open | Weight::Listed
                )
        };
        let (short, mut full): (Vec<&Judgement>, Vec<&Judgement>) =
            report.failures.iter().partition(in_short);
        self.groups(page, &short);
        full.sort_by_key(|one| weight(one));
        blocks.extend(full);
        for kind in blocks.chunk_by(|one, next| weight(one) == weight(next)) {
            let shown = if self.all {
                kind.len()
            } else {
                kind.len().min(SHOWN)
            };
            if shown < kind.len() {
                let hidden = kind.len() - shown;
                let _ = writeln!(
                    page,
                    "\n{hidden} {} more are not shown here; --show or --json gives all",
                    name(kind[0])
                );
            }
            kind[..shown].iter().for_each(|one| self.block(page, one));
        }
    }

    /// One line for all that have the same result and the same reason.
    fn groups(&self, page: &mut String, judgements: &[&Judgement]) {
        let mut groups: Vec<(Weight, String, &str, Vec<&str>)> = Vec::new();
        for one in judgements {
            let (weight, name) = (weight(one), name(one));
            match groups
                .iter_mut()
                .find(|group| group.1 == name && group.2 == one.why)
            {
                Some(group) => group.3.push(&one.id),
                None => groups.push((weight, name, &one.why, vec![&one.id])),
            }
        }
        groups.sort_by_key(|group| group.0);
        for (_, name, why, ids) in groups {
            let more = if ids.len() > SHOWN {
                format!(", … (--json names all {})", ids.len())
            } else {
                String::new()
            };
            let ids_shown = ids
                .iter()
                .take(SHOWN)
                .copied()
                .collect::<Vec<_>>()
                .join(", ");
            let _ = writeln!(
                page,
                "\n{}   {} × {}",
                self.paint(&name, YELLOW),
                ids.len(),
                visible(why)
            );
            let _ = writeln!(page, "{INDENT}{}{more}", visible(&ids_shown));
        }
    }

    fn block(&self, page: &mut String, one: &Judgement) {
        let colour = match weight(one) {
            Weight::Agree => GREEN,
            Weight::Corpus | Weight::Miss => RED,
            _ => YELLOW,
        };
        let place = if one.line > 0 {
            format!("{}:{}", one.file.display(), one.line)
        } else {
            shown(&one.file)
        };
        let what = [Some(one.check), one.policy]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ");
        let fragment = one
            .fragment
            .map(|n| format!("   fragment {n}"))
            .unwrap_or_default();
        let name = self.paint(&name(one), colour);
        let _ = writeln!(
            page,
            "\n{name}   {}   {}   {what}{fragment}",
            visible(&one.id),
            visible(&place)
        );
        let mut label = "command";
        for (line, carets) in underlined(&one.command, one.span.clone()) {
            let _ = writeln!(page, "{INDENT}{label:<9} {line}");
            label = "";
            if let Some(carets) = carets {
                let _ = writeln!(page, "{INDENT}{label:<9} {}", self.paint(&carets, colour));
            }
        }
        if !(one.expected.is_null() && one.got.is_null()) {
            let (really, subject) = pair(&one.expected, &one.got);
            for line in compared(("really", "subject"), (&really, &subject)) {
                let _ = writeln!(page, "{INDENT}{line}");
            }
        }
        for (label, line) in [("why", &one.why), ("rerun", &one.rerun)] {
            if !line.is_empty() {
                let _ = writeln!(page, "{INDENT}{label:<9} {}", visible(line));
            }
        }
    }

    fn counterexample(&self, page: &mut String, claim: &ClaimResult) {
        let ClaimResult {
            id,
            form,
            expected,
            result,
            sentence,
            ..
        } = claim;
        let _ = writeln!(page, "\n{}   {id}   {form}", self.paint("claim", RED));
        for (label, line) in [
            ("sentence", *sentence),
            ("expected", *expected),
            ("result", *result),
        ] {
            let _ = writeln!(page, "{INDENT}{label:<9} {}", visible(line));
        }
        let mut label = "example";
        for (line, _) in claim
            .counterexample
            .iter()
            .flat_map(|example| underlined(example, None))
        {
            let _ = writeln!(page, "{INDENT}{label:<9} {line}");
            label = "";
        }
    }

    fn paint(&self, word: &str, colour: &str) -> String {
        if self.colour {
            format!("\x1b[{colour}m{word}\x1b[0m")
        } else {
            word.to_owned()
        }
    }
}

const RED: &str = "1;31";
const GREEN: &str = "32";
const YELLOW: &str = "33";

/// The order on the page.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Agree,
    Unscored,
    /// Unknown, or invalid for this version.
    Open,
    Listed,
    FalseAlarm,
    Corpus,
    Miss,
}

fn weight(one: &Judgement) -> Weight {
    match one.result {
        Verdict::Agree => Weight::Agree,
        Verdict::Unscored => Weight::Unscored,
        _ if one.listed => Weight::Listed,
        Verdict::Invalid if one.corpus_is_wrong => Weight::Corpus,
        Verdict::Unknown | Verdict::Invalid => Weight::Open,
        Verdict::FalseAlarm => Weight::FalseAlarm,
        Verdict::Miss => Weight::Miss,
    }
}

/// The result in words.
fn name(one: &Judgement) -> String {
    let word = one.result.word().replace('_', " ");
    match one.result {
        Verdict::Invalid if one.corpus_is_wrong => "invalid (the corpus is wrong)".to_owned(),
        Verdict::Invalid => "invalid for this version".to_owned(),
        _ if one.listed => format!("{word} (on the ledger)"),
        _ => word,
    }
}

fn shown(file: &Path) -> String {
    file.display().to_string()
}

/// Truth and answer as texts: on one line each where they fit, else over lines that can be compared.
fn pair(expected: &Value, got: &Value) -> (String, String) {
    let flat = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    let (one, other) = (flat(expected), flat(got));
    if one.len() <= 120 && other.len() <= 120 {
        return (one, other);
    }
    let tall = |value: &Value| match value {
        Value::String(text) => text.clone() + "\n",
        value => format!("{value:#}\n"),
    };
    (tall(expected), tall(got))
}

#[cfg(test)]
pub(crate) mod tests;
