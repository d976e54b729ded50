//! How many processes may a case have, where the limit counts all those of its user? And how do they all end?
//!
//! They are counted while the case runs; the limit of the kernel only keeps a case from growing without end between two counts.

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, Uid};
use std::fs;

/// Processes of a case, as the form *namespaces* allows them.
const MOST: usize = 64;
/// Room in the limit of the kernel beside what the user of the worker has when it starts: for all workers at once, and for what
/// that user starts meanwhile.
const ROOM: u64 = 2048;

/// `RLIMIT_NPROC` for the cases of a worker that starts now.
pub(super) fn limit() -> u64 {
    of_the_user() + ROOM
}

/// Are there more than a case may have?
pub(super) fn are_too_many() -> bool {
    let mut found = children("self");
    let mut at = 0;
    while at < found.len() && found.len() <= MOST {
        found.extend(children(&found[at].to_string()));
        at += 1;
    }
    found.len() > MOST
}

/// Threads of this user.
fn of_the_user() -> u64 {
    let user = Uid::current().as_raw();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let threads = processes.filter_map(|process| {
        let number = process.file_name();
        number.to_str()?.parse::<u32>().ok()?;
        let status = fs::read_to_string(process.path().join("status")).ok()?;
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_ascii_whitespace().next()?.parse::<u64>().ok()
        };
        (field("Uid:")? == u64::from(user)).then(|| field("Threads:"))?
    });
    threads.sum()
}

/// Kills every process that descends from this one, and waits until none is left. This process is the subreaper: what loses
/// its parent becomes its child, and only a child is killed, so that no number can have become another's. Whether there was
/// one.
pub(super) fn end_all() -> bool {
    let mut killed = false;
    loop {
        match waitpid(None, Some(WaitPidFlag::WNOHANG | WaitPidFlag::__WALL)) {
            Err(Errno::ECHILD) => return killed,
            Ok(WaitStatus::StillAlive) => {
                killed = true;
                let children = children("self");
                for child in &children {
                    let _ = kill(*child, Signal::SIGKILL);
                }
                // The list may miss those that come while it is made.
                if children.is_empty() {
                    std::thread::yield_now();
                } else {
                    let _ = waitpid(None, Some(WaitPidFlag::__WALL));
                }
            }
            _ => {}
        }
    }
}

/// The children of all threads of a process.
fn children(process: &str) -> Vec<Pid> {
    let threads = fs::read_dir(format!("/proc/{process}/task"));
    let threads = threads.into_iter().flatten().flatten();
    let texts =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    texts
        .flat_map(|text| {
            text.split_ascii_whitespace()
                .filter_map(|number| number.parse().ok().map(Pid::from_raw))
                .collect::<Vec<_>>()
        })
        .collect()
}
