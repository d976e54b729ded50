//! How many processes may a case have, where the limit counts all those of its user? And how do they all end?

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, Uid};
use std::cell::Cell;
use std::fs;

/// Processes of a case, beside those that its user has anyway.
const OWN: u64 = 64;
/// How far the number of processes of the machine may move before those of the user are counted again.
const DRIFT: u64 = 16;

/// The count of the processes of this user.
pub(super) struct Room {
    /// Processes of the machine when it was taken, and of the user.
    counted: Cell<(u64, u64)>,
    /// Most processes of the machine seen while the case ran.
    most: Cell<u64>,
}

impl Room {
    pub(super) fn new() -> Self {
        Self {
            counted: Cell::new((0, 0)),
            most: Cell::new(0),
        }
    }

    /// `RLIMIT_NPROC` for the case that begins.
    pub(super) fn limit(&self) -> u64 {
        let all = of_the_machine();
        let (then, mut own) = self.counted.get();
        if own == 0 || all.abs_diff(then) > DRIFT {
            own = of_the_user();
            self.counted.set((all, own));
        }
        self.most.set(all);
        own + OWN
    }

    /// Looks how many there are now. To be asked often while the case runs.
    pub(super) fn look(&self) {
        self.most.set(self.most.get().max(of_the_machine()));
    }

    /// Has so much been started meanwhile, by whomever, that the case may have been refused what it would have got?
    pub(super) fn was_taken(&self) -> bool {
        self.look();
        self.most.get() > self.counted.get().0 + OWN / 2
    }
}

/// Threads of the whole machine: the fourth word of `/proc/loadavg`, `running/all`.
fn of_the_machine() -> u64 {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let all = text
        .split(' ')
        .nth(3)
        .and_then(|word| word.split('/').nth(1));
    all.and_then(|number| number.parse().ok()).unwrap_or(0)
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
                let children = children();
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

/// The children of all threads of this process.
fn children() -> Vec<Pid> {
    let threads = fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
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
