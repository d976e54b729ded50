//! What is the exit code of a run, and why?
//!
//! The table of `docs/spec/harness.md` section 5, in one place: 0 all agree, 1 the subject is off, 2 the call or the
//! corpus is wrong, 3 incomplete, 130 interrupted. If several hold, 130 goes before 2, 2 before 1, 1 before 3, and all
//! are said. What counts as a miss is decided by the judges, what the ledger knows by [`crate::replay`].

use crate::report::{Judgement, Report, Verdict};

/// One thing that keeps a run from exit 0, with its sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Stopped by a signal: 130.
    Interrupted(String),
    /// The call, a corpus or the ledger is wrong: 2.
    Wrong(String),
    /// The subject or the box is off: 1.
    Off(String),
    /// Something could not be run: 3.
    Incomplete(String),
}

/// The exit codes that are not 0, the weightiest first.
const BY_WEIGHT: [i32; 4] = [130, 2, 1, 3];
/// How many ids one reason names; the failures hold them all.
const NAMED: usize = 3;

impl Cause {
    /// The exit code it leads to when it stands alone.
    pub fn exit(&self) -> i32 {
        match self {
            Cause::Interrupted(_) => 130,
            Cause::Wrong(_) => 2,
            Cause::Off(_) => 1,
            Cause::Incomplete(_) => 3,
        }
    }

    /// The same, said by a step of that name.
    pub fn of_step(self, step: &str) -> Cause {
        let said = |text| format!("{step}: {text}");
        match self {
            Cause::Interrupted(text) => Cause::Interrupted(said(text)),
            Cause::Wrong(text) => Cause::Wrong(said(text)),
            Cause::Off(text) => Cause::Off(said(text)),
            Cause::Incomplete(text) => Cause::Incomplete(said(text)),
        }
    }

    /// Its sentence.
    pub fn sentence(&self) -> &str {
        match self {
            Cause::Interrupted(text)
            | Cause::Wrong(text)
            | Cause::Off(text)
            | Cause::Incomplete(text) => text,
        }
    }
}

/// Sets `exit` and `reasons` of a report from its counts, failures and claims, and from what they do not show
/// (`more`). With `strict`, single unknown and invalid cases are incomplete.
pub fn conclude(report: &mut Report, more: Vec<Cause>, strict: bool) {
    let interrupted = more
        .iter()
        .any(|cause| matches!(cause, Cause::Interrupted(_)));
    let mut causes = more;
    causes.extend(of_failures(&report.failures, strict));
    for claim in report
        .claims
        .iter()
        .flatten()
        .filter(|claim| claim.result != claim.expected)
    {
        let (id, form, result, expected) = (claim.id, claim.form, claim.result, claim.expected);
        causes.push(Cause::Off(format!(
            "claim {id} ({form}): {result}, expected {expected}"
        )));
    }
    // An interrupted run says nothing about the suites it did not reach.
    for suite in report
        .suites
        .iter()
        .filter(|suite| !interrupted && suite.cases > 0 && suite.decided() == 0)
        // What is unscored was not to be judged; that is no failure to judge.
        .filter(|suite| suite.judged == 0 || suite.unscored < suite.judged)
    {
        let policy = suite
            .policy
            .map(|policy| format!(" under {policy}"))
            .unwrap_or_default();
        let counts = [
            (suite.unknown, "unknown"),
            (suite.invalid, "invalid"),
            (suite.unscored, "unscored"),
        ];
        let counts: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        causes.push(Cause::Incomplete(format!(
            "nothing of {}{policy} could be judged: {}",
            suite.file.display(),
            if counts.is_empty() {
                "no judgement".to_owned()
            } else {
                counts.join(", ")
            }
        )));
    }
    // Stable: causes of one weight stay in the order of the run.
    causes.sort_by_key(|cause| BY_WEIGHT.iter().position(|exit| *exit == cause.exit()));
    report.exit = causes.first().map_or(0, Cause::exit);
    report.reasons = causes
        .iter()
        .map(|cause| cause.sentence().to_owned())
        .collect();
}

/// What single judgements lead to, one cause a kind.
fn of_failures(failures: &[Judgement], strict: bool) -> Vec<Cause> {
    let named = |what: &str, holds: &dyn Fn(&Judgement) -> bool| -> Option<String> {
        let ids: Vec<&str> = failures
            .iter()
            .filter(|one| holds(one))
            .map(|one| one.id.as_str())
            .collect();
        let shown = ids
            .iter()
            .take(NAMED)
            .copied()
            .collect::<Vec<_>>()
            .join(", ");
        let more = if ids.len() > NAMED { ", …" } else { "" };
        (!ids.is_empty()).then(|| format!("{} {what}: {shown}{more}", ids.len()))
    };
    let unlisted = |one: &Judgement, verdict: Verdict| one.result == verdict && !one.listed;
    let mut causes = Vec::new();
    causes.extend(
        named(
            "invalid, the stored truth is not what these very versions do",
            &|one| one.corpus_is_wrong,
        )
        .map(Cause::Wrong),
    );
    causes.extend(named("missed", &|one| unlisted(one, Verdict::Miss)).map(Cause::Off));
    causes.extend(
        named("false alarm not on the ledger", &|one| {
            unlisted(one, Verdict::FalseAlarm)
        })
        .map(Cause::Off),
    );
    if strict {
        causes.extend(
            named("unknown (--strict)", &|one| one.result == Verdict::Unknown)
                .map(Cause::Incomplete),
        );
        causes.extend(
            named("invalid for this version (--strict)", &|one| {
                one.result == Verdict::Invalid && !one.corpus_is_wrong
            })
            .map(Cause::Incomplete),
        );
    }
    causes
}

#[cfg(test)]
mod tests;
