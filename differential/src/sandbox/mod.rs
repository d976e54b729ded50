//! What did this program do, run where it can do no harm? The box.
//!
//! `docs/spec/harness.md` section 7 says what holds whatever is run; `docs/spec/engineering.md` sections 1 and 2 say how.

mod agree;
mod failure;
mod ground;
mod landlock;
mod limits;
mod pool;
mod root;
mod run;
mod snapshot;
mod streams;
mod trace;
mod tree;
mod wire;
mod worker;

pub use agree::{Compared, agreement};
pub use failure::{Failure, Unavailable};
pub use pool::{Form, Options, Pool};
pub use trace::traced_calls;
pub use worker::become_worker_if_asked;

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// One program to run in a fresh directory.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// Absolute path of the program inside the box, for example `/usr/bin/sed`.
    pub program: String,
    /// The words, `argv[0]` included.
    pub argv: Vec<Vec<u8>>,
    /// The whole environment; nothing is inherited. `HOME` of the box's fresh folder is [`HOME`].
    pub env: Vec<(Vec<u8>, Vec<u8>)>,
    /// What the working directory holds, laid in this order; missing parents are made.
    pub tree: Vec<Entry>,
    /// Standard input.
    pub stdin: Vec<u8>,
    /// Wall time after which everything is killed.
    pub deadline: Duration,
    /// Bytes of standard output and of standard error, each, after which everything is killed.
    pub output_cap: usize,
    /// How it is watched.
    pub watch: Watch,
}

/// The folder above the working directory of every case, inside the box: fresh for each case.
pub const HOME: &str = "/case";
/// The working directory of every case, inside the box.
pub const CWD: &str = "/case/cwd";

/// Names of programs that a box for whole commands ([`Options::commands`]) finds without `PATH`, if the case lays them in
/// `../bin`.
pub const CANARIES: [&str; 8] = [
    "cnry0", "cnry1", "cnry2", "cnry3", "cnry4", "cnry5", "cnry6", "cnry7",
];

/// One thing of a [`Job::tree`]; paths are relative to the working directory and may begin with `../` once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Entry {
    /// A directory.
    Directory(Vec<u8>),
    /// A regular file with its content.
    File(Vec<u8>, Vec<u8>),
    /// A regular file with its content that may be executed.
    Program(Vec<u8>, Vec<u8>),
    /// A symbolic link and its text.
    Link(Vec<u8>, Vec<u8>),
}

/// How a job is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Watch {
    /// The tree before and after, with access times: free.
    Snapshot,
    /// The snapshot, and every system call that opens, changes or executes.
    Trace,
}

/// What a job did.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Observation {
    /// How it ended.
    pub end: End,
    /// Standard output, up to the cap.
    pub stdout: Vec<u8>,
    /// Standard error, up to the cap.
    pub stderr: Vec<u8>,
    /// What differs below the fresh folder; paths are relative to the working directory (`../x` is seen). Sorted.
    pub changes: Vec<Change>,
    /// Entries that were there before and whose content was read, by access time. Sorted, relative as above. Both forms know
    /// it: the form *landlock* takes no place where access times do not move.
    pub read: Vec<Vec<u8>>,
    /// System calls in order; empty with [`Watch::Snapshot`]. In the form *landlock* those that change modes, owners, times or
    /// attributes of its own files are not among them; the changes show what they did.
    pub events: Vec<Event>,
    /// Processes of the job were killed before they had ended: what they would have done is not known.
    pub killed: bool,
}

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// The program exited with this status.
    Exit(i32),
    /// The program was ended by this signal.
    Signal(i32),
    /// The deadline came first.
    Deadline,
    /// The output cap came first; in the form *landlock* also the cap of the case area, which is a [`Failure::Form`] then.
    OutputCap,
    /// More system calls than the tracer keeps came first.
    EventCap,
}

/// One difference between the tree before and after.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Change {
    /// Was not there before.
    Created(Vec<u8>),
    /// Other content, mode, link text or file.
    Changed(Vec<u8>),
    /// The same file (inode) under another name: from, to.
    Renamed(Vec<u8>, Vec<u8>),
    /// Is not there any more.
    Removed(Vec<u8>),
}

/// One system call of a traced job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Number of the process (thread group), counted from 0 in order of appearance; 0 is the program of the job.
    pub process: u32,
    /// What it asked for.
    pub call: Call,
    /// 0 or the error number.
    pub errno: i32,
}

/// What a traced process asked the kernel for. Paths are as spelled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Call {
    /// A program was started.
    Execute {
        /// Its path.
        path: Vec<u8>,
        /// Its words.
        argv: Vec<Vec<u8>>,
    },
    /// A file was opened.
    Open {
        /// The directory that the path is relative to, absolute; empty for an absolute path.
        base: Vec<u8>,
        /// The path.
        path: Vec<u8>,
        /// The flags of `open`.
        flags: i32,
    },
    /// Something at a path was made, changed or removed.
    Alter {
        /// The name of the system call.
        call: String,
        /// The directory that the path is relative to, absolute; empty for an absolute path.
        base: Vec<u8>,
        /// The path.
        path: Vec<u8>,
        /// The second path of a rename or a link.
        to: Option<Vec<u8>>,
    },
    /// A socket was made.
    Socket {
        /// Its address family.
        family: i32,
    },
}
