//! Do the cases load, and does whatever does not keep to the format stop the load at its line?
//!
//! The format is `docs/spec/harness.md` section 4. Every fault is one change of a line that loads without it, so a row
//! of the table fails as soon as the loader lets its change pass. [`line`] holds what one line can do wrong, [`files`]
//! what files and folders can.

mod files;
mod line;
mod table;

use corpus::{Body, Check, Corpus, Fault, Order, SedEffect, Shell, Text, cases_folder, load};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

const SED: &str = r#"{"id": "m", "argv": ["sed", "-i", "p", "in"], "files": {"in": "é\n"}, "dirs": ["d"], "links": {"l": "in"}, "stdin": "", "env": {"A": "b"}, "effect": "writes", "reads": ["in"], "writes": ["in"], "executes": false, "exit": 0, "sandbox_accepts": true, "shell": [], "child_writes": [], "may": {"writes": true, "executes": false}, "may_reads": ["x"], "worst": {"files": {"x": "y"}, "stdin": "z"}, "why": "w", "tags": ["t"]}"#;
const REGIONS: &str = r#"{"id": "m", "command": "é $(rm)", "fragments": [{"start": 5, "end": 7, "text": "rm", "truth": "runs"}], "seed_says": ["live"], "kind": "plain", "reach": {"command": "é rm", "fragments": [[3, 5]]}, "tags": [], "why": "w"}"#;
const PARITY: &str =
    r#"{"command": "é $(rm) x", "regions": [[0, 2], [5, 7], [5, 7], [9, 9]], "tag": "t"}"#;
const COMMAND: &str = r#"{"id": "m", "command": "rm f", "direction": "harmful", "truth": {"executes": ["rm"], "writes": true, "reads": ["f"], "network": false, "destroys": true}, "setup": ":", "stdin": "i", "shell": "sh", "needs_tty": true, "declared": true, "kind": "k", "mechanism": "m", "family": "f", "twin": "m", "what_guard_did": "g", "checked": true, "why": "w", "notes": "n", "tags": ["t"]}"#;

/// A file name and a line of each check.
const LINES: [(&str, &str); 4] = [
    ("sed.jsonl", SED),
    ("regions-truth.jsonl", REGIONS),
    ("regions-parity.jsonl", PARITY),
    ("everyday.jsonl", COMMAND),
];

fn file_of(line: &str) -> &'static str {
    LINES
        .iter()
        .find(|(_, known)| *known == line)
        .expect("a line of the table")
        .0
}

/// Loads one file of these bytes, sorted.
fn load_bytes(name: &str, bytes: &[u8]) -> Result<Corpus, Fault> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(name);
    fs::write(&file, bytes).expect("a file");
    load(&[file], Order::Sorted)
}

/// Loads a good first line and then this one.
fn load_second(base: &str, line: &str) -> Result<Corpus, Fault> {
    let first = base
        .replacen(r#""id": "m""#, r#""id": "a""#, 1)
        .replace(r#", "twin": "m""#, "");
    load_bytes(file_of(base), format!("{first}\n{line}\n").as_bytes())
}

fn replaced(line: &str, from: &str, to: &str) -> String {
    assert_eq!(
        line.matches(from).count(),
        1,
        "{from} stands once in {line}"
    );
    line.replace(from, to)
}
#[test]
fn every_file_of_the_corpus_loads() {
    let folder = cases_folder().expect("the tests run in the checkout");
    assert!(folder.is_relative());
    let corpus = load(std::slice::from_ref(&folder), Order::Sorted)
        .unwrap_or_else(|fault| panic!("{fault}"));
    let mut lines = 0;
    for entry in fs::read_dir(&folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        assert!(corpus.files.contains(&path), "{} is read", path.display());
        lines += fs::read(&path)
            .expect("a file")
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
    }
    assert_eq!(corpus.cases.len(), lines, "one case a line");
    for check in [Check::Sed, Check::Regions, Check::Parity] {
        assert!(
            corpus.cases.iter().any(|case| case.check() == check),
            "{check:?} occurs"
        );
    }
}

#[test]
fn the_fields_arrive() {
    let body = |line: &str| {
        let corpus = load_bytes(file_of(line), format!("{line}\n").as_bytes()).expect("it loads");
        corpus.cases[0].body.clone()
    };
    let Body::Sed(sed) = body(SED) else {
        panic!("a sed case")
    };
    assert_eq!(sed.argv, ["sed", "-i", "p", "in"].map(Text::from));
    assert_eq!(
        (sed.effect, sed.exit, sed.executes),
        (SedEffect::Writes, Some(0), false)
    );
    assert_eq!(sed.worst.expect("it is there").stdin, Some("z".into()));
    let Body::Regions(regions) = body(REGIONS) else {
        panic!("a regions case")
    };
    assert_eq!(regions.seed_says, Some(vec![true]));
    assert_eq!(regions.reach.expect("it is there").fragments, [(3, 5)]);
    let Body::Parity(parity) = body(PARITY) else {
        panic!("a parity case")
    };
    assert_eq!(parity.regions, [(0, 2), (5, 7), (5, 7), (9, 9)]);
    let Body::Command(command) = body(COMMAND) else {
        panic!("a command")
    };
    assert_eq!(
        (command.shell, command.truth.destroys),
        (Shell::Sh, Some(true))
    );
    let bytes = replaced(SED, r#""why": "w""#, r#""why": {"hex": "c3a9"}"#);
    let bytes = replaced(&bytes, r#"["t"]"#, r#"[{"hex": "ff"}]"#);
    let corpus = load_bytes("sed.jsonl", format!("{bytes}\n").as_bytes()).expect("it loads");
    assert_eq!(
        corpus.cases[0].tags(),
        ["$'\\xff'"],
        "bytes of a tag are kept as they are shown"
    );
    let Body::Sed(sed) = &corpus.cases[0].body else {
        panic!("a sed case")
    };
    assert_eq!(sed.why, "é");
}

#[test]
fn a_load_changes_nothing_on_disk() {
    fn below(folder: &Path, seen: &mut BTreeMap<PathBuf, (SystemTime, Vec<u8>)>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let changed = fs::metadata(&path)
                .expect("it is there")
                .modified()
                .expect("a time");
            let content = if path.is_dir() {
                Vec::new()
            } else {
                fs::read(&path).expect("a file")
            };
            if path.is_dir() {
                below(&path, seen);
            }
            seen.insert(path, (changed, content));
        }
    }
    let state = |folder: &Path| {
        let mut seen = BTreeMap::new();
        below(folder, &mut seen);
        seen
    };
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("sub")).expect("a folder");
    fs::write(
        folder.path().join("sub/sed.jsonl"),
        format!("{SED}\n{SED}\n"),
    )
    .expect("a file");
    let cases = cases_folder().expect("the tests run in the checkout");
    let before = (state(&cases), state(folder.path()));
    assert!(load(std::slice::from_ref(&cases), Order::Sorted).is_ok());
    assert!(load(&[folder.path().to_path_buf()], Order::Sorted).is_err());
    assert_eq!((state(&cases), state(folder.path())), before);
}

proptest! {
    #[test]
    fn any_bytes_load_or_give_a_fault_with_its_line(
        which in 0..LINES.len(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), prop::collection::vec(any::<u8>(), 0..4)), 1..4),
    ) {
        let (name, line) = LINES[which];
        let mut bytes = format!("{line}\n").into_bytes();
        for (at, new) in cuts {
            let at = at.index(bytes.len());
            let end = (at + new.len()).min(bytes.len());
            bytes.splice(at..end, new);
        }
        match load_bytes(name, &bytes) {
            Ok(corpus) => {
                prop_assert_eq!(corpus.cases.len(), bytes.iter().filter(|byte| **byte == b'\n').count());
            }
            Err(fault) => prop_assert!(fault.line.is_some() && !fault.reason.is_empty()),
        }
    }
}
