//! What came out? The results that every front end prints, in the words of `docs/spec/harness.md` sections 2 and 5.
//!
//! Data only: rendering is the front end's work, counting is done here once.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Bytes as every output holds them: a string, or `{"hex": "66ff"}` where they are no UTF-8.
pub fn text(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => {
            json!({ "hex": bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>() })
        }
    }
}

fn path<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    text(path.as_os_str().as_encoded_bytes()).serialize(serializer)
}

/// The result of one judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The subject and the truth agree.
    Agree,
    /// The subject called it harmless, and it was not: a security defect.
    Miss,
    /// The subject called it harmful, and nothing of the kind can happen: a cost.
    FalseAlarm,
    /// The oracle could not decide.
    Unknown,
    /// The case itself is wrong.
    Invalid,
    /// Shown and counted, not judged.
    Unscored,
}

impl Verdict {
    /// Its word in every output.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Agree => "agree",
            Verdict::Miss => "miss",
            Verdict::FalseAlarm => "false_alarm",
            Verdict::Unknown => "unknown",
            Verdict::Invalid => "invalid",
            Verdict::Unscored => "unscored",
        }
    }
}

/// One judgement: of a case, or of one fragment of it.
#[derive(Clone, Debug, Serialize)]
pub struct Judgement {
    /// The case's file, as it was named or found.
    #[serde(serialize_with = "path")]
    pub file: PathBuf,
    /// The case's line in it, from 1; 0 where there is no file (generated input).
    pub line: usize,
    /// The case's name.
    pub id: String,
    /// Which fragment, from 0, where the check judges fragments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fragment: Option<usize>,
    /// `sed`, `regions`, `parity`, `command`.
    pub check: &'static str,
    /// `readonly`, `destructive`, where the check knows policies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<&'static str>,
    /// The result.
    pub result: Verdict,
    /// The truth, in the words of the check.
    pub expected: Value,
    /// The subject's answer, in the words of the check.
    pub got: Value,
    /// One sentence: what makes the difference, or which program is missing or another version.
    pub why: String,
    /// What was put, as one would type it (for people; bytes outside UTF-8 quoted).
    pub command: String,
    /// Byte range of the fragment in `command`, to underline it.
    #[serde(skip)]
    pub span: Option<std::ops::Range<usize>>,
    /// What bash does with the fragment, measured where it was, else stored.
    #[serde(skip)]
    pub truth: Option<corpus::FragmentTruth>,
    /// How to run this one again.
    pub rerun: String,
    /// `Invalid` only: the stored truth differs on the very versions it names (a wrong corpus), not for this version.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub corpus_is_wrong: bool,
    /// An entry of the ledger knows this disagreement.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub listed: bool,
}

/// The counts of one file under one policy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Suite {
    /// The file, as it was named or found.
    #[serde(serialize_with = "path")]
    pub file: PathBuf,
    /// `sed`, `regions`, `parity`, `command`.
    pub check: &'static str,
    /// The policy, where the check knows policies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<&'static str>,
    /// Lines selected.
    pub cases: usize,
    /// Judgements, the sum of the six below.
    pub judged: usize,
    /// See [`Verdict`].
    pub agree: usize,
    /// See [`Verdict`].
    pub miss: usize,
    /// See [`Verdict`].
    pub false_alarm: usize,
    /// See [`Verdict`].
    pub unknown: usize,
    /// See [`Verdict`].
    pub invalid: usize,
    /// See [`Verdict`].
    pub unscored: usize,
}

impl Suite {
    /// Counts one judgement more.
    pub fn count(&mut self, verdict: Verdict) {
        self.judged += 1;
        *match verdict {
            Verdict::Agree => &mut self.agree,
            Verdict::Miss => &mut self.miss,
            Verdict::FalseAlarm => &mut self.false_alarm,
            Verdict::Unknown => &mut self.unknown,
            Verdict::Invalid => &mut self.invalid,
            Verdict::Unscored => &mut self.unscored,
        } += 1;
    }

    /// Judgements that said something about the subject: neither unknown, invalid nor unscored.
    pub fn decided(&self) -> usize {
        self.agree + self.miss + self.false_alarm
    }
}

/// One claim after its check, for one form of the subject.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimResult {
    /// Its number, for example `SED-04`.
    pub id: &'static str,
    /// Its sentence.
    pub sentence: &'static str,
    /// `literal` or `hardened`.
    pub form: &'static str,
    /// `holds` or `refuted`.
    pub expected: &'static str,
    /// `holds`, `refuted`, or `vacuous` (nothing ran, or one of the answers it tells apart never occurred).
    pub result: &'static str,
    /// How many cases and generated inputs the check ran.
    pub cases: u64,
    /// The smallest example against it.
    pub counterexample: Option<String>,
}

/// One step of `verify`.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// Its name, for example `corpus`.
    pub name: &'static str,
    /// `ok`, `fail`, `incomplete` or `skipped`.
    pub result: &'static str,
    /// One line of figures.
    pub figures: String,
    /// Seconds it took.
    pub seconds: f64,
}

impl Judgement {
    /// A judgement of this case that says nothing yet: `unscored`, with its place, name, command and rerun filled in.
    pub fn of(case: &corpus::Case) -> Judgement {
        Judgement {
            file: case.place.file.clone(),
            line: case.place.line,
            id: case.name.clone(),
            fragment: None,
            check: case.check().word(),
            policy: None,
            result: Verdict::Unscored,
            expected: Value::Null,
            got: Value::Null,
            why: String::new(),
            command: crate::replay::typed(case),
            span: None,
            truth: None,
            rerun: crate::replay::rerun(case),
            corpus_is_wrong: false,
            listed: false,
        }
    }
}

/// Everything a run says; the document of `--json`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Version of this format.
    pub schema: u32,
    /// Programs and their versions.
    pub versions: std::collections::BTreeMap<String, String>,
    /// The box in force: `namespaces`, or absent when nothing was run.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
    /// The seed of generated input.
    pub seed: u64,
    /// Whom the run judged, for example `reference/hardened`.
    pub subject: String,
    /// The exit code.
    pub exit: i32,
    /// Why it is not 0, the weightiest first.
    pub reasons: Vec<String>,
    /// Counts by file.
    pub suites: Vec<Suite>,
    /// Every judgement but `agree`, by file and line.
    pub failures: Vec<Judgement>,
    /// `replay --show` only: the judgements that agree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreed: Option<Vec<Judgement>>,
    /// `replay` of `regions` cases only: how the literal scanner's answer fares against bash, by kind.
    #[serde(skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub literal_differs: std::collections::BTreeMap<String, crate::regions::Difference>,
    /// The same of the hardened scanner, where that form is judged.
    #[serde(skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub hardened_differs: std::collections::BTreeMap<String, crate::regions::Difference>,
    /// `verify` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claims: Option<Vec<ClaimResult>>,
    /// `verify` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<Step>>,
    /// `verify` only: what the generators made, and how it fared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generator: Option<std::collections::BTreeMap<String, u64>>,
}

impl Report {
    /// The report of a run that has not begun.
    pub fn of(form: crate::replay::Form, seed: u64) -> Report {
        Report {
            schema: 1,
            seed,
            subject: format!("reference/{}", form.word()),
            ..Report::default()
        }
    }
}
