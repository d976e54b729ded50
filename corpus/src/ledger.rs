//! Which disagreements are known? `corpus/ledger.json`, strict both ways: what agrees again may not stay on it.
//!
//! An array of `{"id", "check"?, "policy"?, "form"?, "result", "why"}`; a field that is absent stands for every value.
//! A miss can be on it only for the literal form (`"form": "literal"`): its holes are the description's. A miss of the
//! hardened reference can never be on the ledger, and such an entry does not load.

use crate::fields::{Fields, Read, Wrong, label, name, need, quote, word};
use crate::json::Json;
use crate::load::in_checkout;
use crate::{Check, Fault};
use serde_json::value::RawValue;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// One known disagreement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name of the case.
    pub id: String,
    /// The check under which it is judged.
    pub check: Option<Check>,
    /// `readonly` or `destructive`.
    pub policy: Option<&'static str>,
    /// `hardened` or `literal`.
    pub form: Option<&'static str>,
    /// `miss`, `false_alarm` or `unknown`.
    pub result: &'static str,
    /// The reason, for a reviewer.
    pub why: String,
    /// The line on which it begins, from 1.
    pub line: usize,
}

/// One judgement of the reference, in the words of the reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged<'a> {
    /// The name of the case.
    pub id: &'a str,
    /// `sed`, `regions`, `parity` or `command`.
    pub check: &'a str,
    /// `readonly` or `destructive`, where the check knows policies.
    pub policy: Option<&'a str>,
    /// `hardened` or `literal`.
    pub form: &'a str,
    /// `agree`, `miss`, `false_alarm`, `unknown`, `invalid` or `unscored`.
    pub result: &'a str,
}

/// The known disagreements of the reference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// The file, as it was named.
    pub file: PathBuf,
    /// In the order of the file.
    pub entries: Vec<Entry>,
}

/// A ledger on one page is far below this size in bytes.
const LARGEST: u64 = 16 << 20;

const RESULTS: [(&str, &str); 3] = [
    ("miss", "miss"),
    ("false_alarm", "false_alarm"),
    ("unknown", "unknown"),
];
const POLICIES: [(&str, &str); 2] = [("readonly", "readonly"), ("destructive", "destructive")];
const FORMS: [(&str, &str); 2] = [("hardened", "hardened"), ("literal", "literal")];

/// `corpus/ledger.json` of this checkout, found as [`cases_folder`](crate::cases_folder) is.
///
/// # Errors
/// A [`Fault`] if the current directory is in no checkout.
pub fn ledger_file() -> Result<PathBuf, Fault> {
    in_checkout("corpus/ledger.json")
}

impl Ledger {
    /// Reads a ledger.
    ///
    /// # Errors
    /// The first [`Fault`]: a file that cannot be read or is no array, an entry that does not keep to its form, has no
    /// reason, is a miss of the hardened form, or says again what an earlier one says.
    pub fn load(path: &Path) -> Result<Ledger, Fault> {
        let mut text = String::new();
        File::open(path)
            .and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text))
            .map_err(|error| Fault::of(path, format_args!("cannot be read: {error}")))?;
        if text.len() as u64 > LARGEST {
            return Err(Fault::of(
                path,
                format_args!("larger than {} MiB", LARGEST >> 20),
            ));
        }
        let raw: Vec<&RawValue> = serde_json::from_str(&text).map_err(|error| {
            Fault::at(
                path,
                error.line().max(1),
                format!("not a JSON array: {error}"),
            )
        })?;
        let (mut entries, mut line, mut counted) = (Vec::<Entry>::new(), 1, 0);
        let mut by_id: HashMap<String, Vec<usize>> = HashMap::new();
        for value in raw {
            let start = value.get().as_ptr() as usize - text.as_ptr() as usize;
            line += text[counted..start].matches('\n').count();
            counted = start;
            let json = Json::parse(value.get())
                .map_err(|error| Fault::at(path, line + error.line - 1, error.reason))?;
            let entry = entry(json, line).map_err(|wrong| Fault::at(path, line, wrong.reason()))?;
            let same_id = by_id.entry(entry.id.clone()).or_default();
            if let Some(&n) = same_id.iter().find(|&&n| entry.overlaps(&entries[n])) {
                let (id, taken) = (quote(&entry.id), entries[n].line);
                let reason =
                    format!("id {id} stands twice with this result (line {taken}); keep one");
                return Err(Fault::at(path, line, reason));
            }
            same_id.push(entries.len());
            entries.push(entry);
        }
        Ok(Ledger {
            file: path.to_path_buf(),
            entries,
        })
    }

    /// Whether this judgement is a known disagreement.
    pub fn lists(&self, judged: &Judged<'_>) -> bool {
        self.entries
            .iter()
            .any(|entry| entry.covers(judged) && entry.result == judged.result)
    }

    /// The entries that are not true any more, one sentence each with its line.
    ///
    /// `judged` is what this run judged, agreements included; `known` the names of all cases, run or not. An entry is
    /// stale if it names no case, or if its case was judged in its form and none of those judgements, under its check
    /// and policy, has its result. A judgement that could not be made (`unknown`, `invalid`) refutes nothing.
    pub fn stale<'a>(
        &self,
        judged: impl IntoIterator<Item = Judged<'a>>,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Vec<String> {
        let known: HashSet<&str> = known.into_iter().collect();
        let mut by_id: HashMap<&str, Vec<Judged<'a>>> = self
            .entries
            .iter()
            .map(|entry| (entry.id.as_str(), Vec::new()))
            .collect();
        for judgement in judged {
            if let Some(of_id) = by_id.get_mut(judgement.id) {
                of_id.push(judgement);
            }
        }
        let stale = self.entries.iter().filter_map(|entry| {
            let reason = if known.contains(entry.id.as_str()) {
                entry.refuted_by(&by_id[entry.id.as_str()])?
            } else {
                "no case has this id".to_owned()
            };
            let (file, line, id) = (self.file.display(), entry.line, quote(&entry.id));
            Some(format!(
                "{file}:{line}: entry {id} is stale: {reason}; delete it"
            ))
        });
        stale.collect()
    }
}

impl Entry {
    /// Whether one judgement could be meant by both.
    fn overlaps(&self, other: &Entry) -> bool {
        fn meet<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
            one.is_none() || other.is_none() || one == other
        }
        self.result == other.result
            && meet(self.check, other.check)
            && meet(self.policy, other.policy)
            && meet(self.form, other.form)
    }

    /// Whether the entry is about this judgement, whatever came out.
    fn covers(&self, judged: &Judged<'_>) -> bool {
        self.id == judged.id
            && self.form.is_none_or(|form| form == judged.form)
            && self.check.is_none_or(|check| check.word() == judged.check)
            && self
                .policy
                .is_none_or(|policy| Some(policy) == judged.policy)
    }

    /// What the judgements of its case say against the entry.
    fn refuted_by(&self, judged: &[Judged<'_>]) -> Option<String> {
        let mut of_form = judged
            .iter()
            .filter(|j| self.form.is_none_or(|form| form == j.form))
            .peekable();
        of_form.peek()?;
        let results: Vec<&str> = of_form
            .filter(|j| self.covers(j))
            .map(|j| j.result)
            .collect();
        if results.is_empty() {
            return Some("its case is not judged under this check and policy".to_owned());
        }
        let open =
            |result: &&str| matches!(*result, "unknown" | "invalid") || *result == self.result;
        if results.iter().any(open) {
            return None;
        }
        let worst = results
            .iter()
            .find(|result| **result != "agree")
            .unwrap_or(&"agree");
        Some(format!("{} is listed, and now it is {worst}", self.result))
    }
}

fn entry(json: Json, line: usize) -> Read<Entry> {
    let mut f = match json {
        Json::Object(_) => Fields::of(json)?,
        other => {
            return Err(Wrong::from(format!(
                "the entry is {}, not an object",
                other.kind()
            )));
        }
    };
    let entry = Entry {
        id: f.required("id", name)?,
        check: f.optional("check", word(Check::WORDS))?,
        policy: f.optional("policy", word(POLICIES))?,
        form: f.optional("form", word(FORMS))?,
        result: f.required("result", word(RESULTS))?,
        why: f.required("why", label)?,
        line,
    };
    f.end()?;
    need(!entry.why.trim().is_empty(), || {
        "the entry has no reason; say in why what makes the difference".to_owned()
    })?;
    need(
        entry.result != "miss" || entry.form == Some("literal"),
        || {
            "a miss of the hardened reference can never be on the ledger; mend it, or say \"form\": \"literal\"".to_owned()
        },
    )?;
    Ok(entry)
}
