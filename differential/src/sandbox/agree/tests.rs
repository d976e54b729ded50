//! Contradictions are found, and what is not known is not decided. Observations by hand; real ones are in `tests/sandbox`.

use super::super::{Call, Event};
use super::*;

fn open(process: u32, path: &str, flags: i32) -> Event {
    Event {
        process,
        call: Call::Open {
            base: b"/case/cwd".to_vec(),
            path: path.into(),
            flags,
        },
        errno: 0,
    }
}

fn alter(process: u32, call: &str, base: &str, path: &str, to: Option<&str>) -> Event {
    Event {
        process,
        call: Call::Alter {
            call: call.to_owned(),
            base: base.into(),
            path: path.into(),
            to: to.map(Into::into),
        },
        errno: 0,
    }
}

const CWD: &str = "/case/cwd";
const MADE: i32 = nix::libc::O_CREAT | nix::libc::O_WRONLY;
const READ: i32 = nix::libc::O_RDONLY;

fn tree() -> Vec<Entry> {
    vec![
        Entry::File(b"f".to_vec(), b"x".to_vec()),
        Entry::File(b"d/g".to_vec(), b"y".to_vec()),
        Entry::Link(b"l".to_vec(), b"d".to_vec()),
    ]
}

fn created(path: &str) -> Change {
    Change::Created(path.into())
}

/// What is said of a run with these events, changes and reads, under the tree above.
fn said(events: Vec<Event>, changes: Vec<Change>, read: &[&str]) -> Result<Compared, String> {
    let seen = Observation {
        end: End::Exit(0),
        killed: false,
        stdout: Vec::new(),
        stderr: Vec::new(),
        changes,
        read: read.iter().map(|&path| path.into()).collect(),
        events,
    };
    agreement(&tree(), &seen)
}

#[test]
fn a_link_on_the_way_is_followed() {
    let made = said(vec![open(0, "l/n", MADE)], vec![created("d/n")], &[]);
    assert_eq!(made.map(|compared| compared.calls), Ok(1));
    said(vec![open(0, "l/n", MADE)], vec![created("l/n")], &[]).expect_err("not there");
    said(vec![open(0, "l/g", READ)], vec![], &["d/g"]).expect("it was opened");
    said(vec![open(0, "l/g", READ)], vec![], &["f"]).expect_err("not it");
}

#[test]
fn calls_of_other_processes_may_be_told_late() {
    let (made, folder) = (open(1, "n/x", MADE), alter(0, "mkdir", CWD, "n", None));
    let moved = alter(1, "rename", CWD, "n/x", Some("y"));
    let changes = vec![created("n"), created("y")];
    said(vec![made.clone(), moved, folder], changes, &[]).expect("in another order it fits");
    said(vec![made], vec![], &[]).expect_err("the folder never comes");
}

#[test]
fn what_comes_and_goes_leaves_nothing() {
    let events = || vec![open(0, "t", MADE), alter(0, "unlink", CWD, "t", None)];
    said(events(), vec![], &[]).expect("it is gone");
    said(events(), vec![created("t")], &[]).expect_err("it is not there");
}

#[test]
fn a_removed_working_directory_still_has_a_parent() {
    let gone = "/case/cwd/e (deleted)";
    let events = || {
        vec![
            alter(0, "mkdir", CWD, "e", None),
            alter(0, "rmdir", CWD, "e", None),
            alter(0, "mkdir", gone, "../n", None),
        ]
    };
    said(events(), vec![created("n")], &[]).expect("made beside it");
    said(events(), vec![created("../n")], &[]).expect_err("not that high");
}

#[test]
fn a_truncated_file_differs_unless_its_time_was_set() {
    let truncated = || open(0, "f", nix::libc::O_WRONLY | nix::libc::O_TRUNC);
    let set = alter(0, "utimensat", CWD, "f", None);
    let changed = || vec![Change::Changed(b"f".to_vec())];
    said(vec![truncated()], changed(), &[]).expect("it was truncated");
    said(vec![truncated()], vec![], &[]).expect_err("its time moved");
    said(vec![truncated(), set], vec![], &[]).expect("the time may be the old one");
    said(vec![open(0, "f", READ)], changed(), &[]).expect_err("it was only read");
}

#[test]
fn a_descriptor_explains_only_what_was_open() {
    let again = || Event {
        process: 0,
        call: Call::Open {
            base: Vec::new(),
            path: b"/dev/stdin".to_vec(),
            flags: READ,
        },
        errno: 0,
    };
    let seen = said(
        vec![open(0, "f", nix::libc::O_WRONLY), again()],
        vec![],
        &["f"],
    );
    assert_eq!(seen.map(|compared| compared.skipped), Ok(1));
    said(vec![again()], vec![], &["f"]).expect_err("nothing had opened it");
}

#[test]
fn a_call_that_may_have_happened_decides_nothing() {
    let mut event = alter(0, "mkdir", CWD, "n", None);
    event.errno = nix::libc::EINTR;
    let seen = said(vec![event.clone()], vec![], &[]);
    assert!(seen.is_ok_and(|compared| compared.undecided));
    event.errno = nix::libc::EEXIST;
    said(vec![event], vec![created("n")], &[]).expect_err("it failed");
}
