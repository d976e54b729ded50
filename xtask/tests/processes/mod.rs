//! What does the program do while it lives? What it writes to a terminal, what runs below it, and what is left of that.

use crate::program::text;
use nix::pty::openpty;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What the program writes to a terminal.
pub(crate) fn on_a_terminal(mut command: Command, no_color: bool) -> String {
    let terminal = openpty(None, None).expect("a terminal");
    command
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .stderr(Stdio::null())
        .stdout(terminal.slave);
    if no_color {
        command.env("NO_COLOR", "1");
    }
    let mut child = command.spawn().expect("the program starts");
    drop(command);
    let mut written = Vec::new();
    let mut part = [0; 4096];
    // Reading fails when the last writer has gone; that is the end.
    while let Ok(1..) = fs::File::read(
        &mut fs::File::from(terminal.master.try_clone().expect("it is open")),
        &mut part,
    )
    .inspect(|read| written.extend_from_slice(&part[..*read]))
    {}
    child.wait().expect("it ends");
    text(&written)
}

/// A process, told from a later one with the same number by its start.
pub(crate) type Process = (i32, String);

/// Every process below this one.
pub(crate) fn below(pid: i32) -> BTreeSet<Process> {
    let mut parents = BTreeMap::new();
    for entry in fs::read_dir("/proc").expect("proc is there").flatten() {
        let Some(pid) = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse::<i32>().ok())
        else {
            continue;
        };
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else {
            continue;
        };
        // The name may hold blanks and brackets; the fields after it do not: state, parent, …, start (22nd of all).
        let fields: Vec<&str> = stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .collect();
        if let (Some(parent), Some(start)) = (
            fields.get(1).and_then(|word| word.parse::<i32>().ok()),
            fields.get(19),
        ) {
            parents.insert((pid, (*start).to_owned()), parent);
        }
    }
    let mut found = BTreeSet::new();
    let mut roots = vec![pid];
    while let Some(root) = roots.pop() {
        for (process, _) in parents.iter().filter(|(_, parent)| **parent == root) {
            if found.insert(process.clone()) {
                roots.push(process.0);
            }
        }
    }
    found
}

pub(crate) fn lives((pid, start): &Process) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        stat.rsplit(')')
            .next()
            .and_then(|rest| rest.split_whitespace().nth(19))
            == Some(start)
    })
}

/// Polls until it holds, or gives up after a time that no working machine needs.
pub(crate) fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let since = Instant::now();
    while !holds() {
        assert!(since.elapsed() < Duration::from_secs(60), "{what}");
        sleep(Duration::from_millis(5));
    }
}
