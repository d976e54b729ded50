//! Where is the program started? In a checkout with a corpus of the test's own.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A checkout of its own: what the program looks for, and nothing else.
pub(crate) struct Checkout(TempDir);

impl Checkout {
    pub(crate) fn new() -> Checkout {
        let checkout = Checkout(tempfile::tempdir().expect("a temporary folder"));
        checkout.write("Cargo.toml", "");
        checkout.write("corpus/ledger.json", "[]\n");
        checkout.write("corpus/cases/sed.jsonl", &lines(&[sed("one"), sed("two")]));
        checkout
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, content: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("names have a folder"))
            .expect("folders can be made");
        fs::write(path, content).expect("files can be written");
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command
            .args(words)
            .current_dir(self.path())
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("the program starts")
    }

    /// Every path below with its kind, size, content and time of change.
    pub(crate) fn listing(&self) -> BTreeMap<PathBuf, String> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)
                .expect("folders can be read")
                .map(|entry| entry.expect("so can entries"))
            {
                let meta = fs::symlink_metadata(entry.path()).expect("entries have metadata");
                let content = if meta.is_file() {
                    fs::read(entry.path()).expect("files can be read")
                } else {
                    Vec::new()
                };
                let time = meta.modified().expect("times are kept");
                found.insert(
                    entry.path(),
                    format!("{:?} {time:?} {content:?}", meta.file_type()),
                );
                folders.extend(meta.is_dir().then(|| entry.path()));
            }
        }
        found
    }
}

/// A case that everybody judges in the same way.
pub(crate) fn sed(id: &str) -> Value {
    json!({
        "id": id, "argv": ["sed", "-n", "p", "in"], "files": { "in": "a\n" }, "effect": "read_only", "reads": ["in"],
        "writes": [], "executes": false, "exit": 0, "sandbox_accepts": true, "why": "prints", "tags": ["plain"],
    })
}

/// A file of cases.
pub(crate) fn lines(cases: &[Value]) -> String {
    cases.iter().map(|case| format!("{case}\n")).collect()
}
