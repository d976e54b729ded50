//! Who runs the cases? A worker: a process of this program that became PID 1 of a box, and a loop.
//!
//! It is started afresh by `execve`, and one thread while it forks and changes users, so that both are safe. Later there is a
//! second one, which starts the programs that are traced, and in the form *landlock* two more.

use super::ground::{Ground, Namespaces};
use super::root::{self, Refused};
use super::tree::Area;
use super::wire::{Hello, Reply, Wire};
use super::{HOME, Job, Observation, Watch, landlock, limits, run, snapshot};
use nix::errno::Errno;
use nix::libc;
use nix::sys::prctl;
use nix::sys::signal::{SigHandler, SigSet, Signal, signal};
use nix::sys::stat::{Mode, umask};
use nix::sys::wait::waitpid;
use nix::unistd::{ForkResult, fork, setsid};
use std::collections::BTreeSet;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::exit;

/// `argv[0]` of a worker.
pub(super) const NAME: &str = "guardproof-box-worker";

/// The word that asks for a box of Landlock.
pub(super) const LANDLOCK: &str = "landlock";

/// The word that asks for a box for whole commands.
pub(super) const COMMANDS: &str = "commands";

/// Whether this process was started to be a worker.
pub(super) fn asked() -> bool {
    std::env::args_os().next().is_some_and(|name| name == NAME)
}

/// Becomes a worker if the pool of this program started the process as one, and does not come back then.
///
/// The first line of `main` of every program that uses the box.
pub fn become_worker_if_asked() {
    if asked() {
        let wire = Wire::new(socket());
        let ended = if is_asked_for(LANDLOCK) {
            landlock::enter(wire, is_asked_for(COMMANDS))
        } else {
            enter(wire)
        };
        exit(i32::from(ended.is_err()));
    }
}

fn is_asked_for(word: &str) -> bool {
    std::env::args_os().skip(1).any(|asked| asked == word)
}

/// The socket, which is standard input at the start; the standard descriptors then lead nowhere, all others are closed.
fn socket() -> UnixStream {
    // SAFETY: closes descriptors that nothing in this young process owns.
    unsafe { libc::close_range(3, libc::c_uint::MAX, 0) };
    // SAFETY: standard input is the socket, and nothing else owns it.
    let socket = unsafe { OwnedFd::from_raw_fd(0) };
    let socket_copy = socket.try_clone();
    let Ok(copy) = socket_copy else { exit(1) };
    let Ok(null) = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open("/dev/null")
    else {
        exit(1)
    };
    // SAFETY: replaces the descriptor 0, which stays open for the life of the process.
    unsafe { libc::dup2(null.as_raw_fd(), 0) };
    std::mem::forget(socket);
    UnixStream::from(copy)
}

/// Builds a box of namespaces, and works in it until the pool is gone.
fn enter(mut wire: Wire) -> std::io::Result<()> {
    match separate() {
        Ok(ForkResult::Parent { child }) => {
            drop(wire);
            // The process that the pool knows lives as long as the box.
            while waitpid(child, None) == Err(Errno::EINTR) {}
            Ok(())
        }
        Ok(ForkResult::Child) => match inside() {
            Ok(area) => {
                wire.send(&Hello::Ready)?;
                work(&mut wire, &Namespaces::new(area))
            }
            Err(Refused { step, errno }) => wire.send(&Hello::Refused { step, errno }),
        },
        Err(Refused { step, errno }) => wire.send(&Hello::Refused { step, errno }),
    }
}

/// From the caller's world into namespaces: the child is PID 1 of them.
fn separate() -> Result<ForkResult, Refused> {
    default_signals();
    umask(Mode::from_bits_truncate(0o022));
    root::leave_root_for_namespaces()?;
    // Away from the terminal and from signals to the caller's group. Fails only for a leader, which is away already.
    let _ = setsid();
    root::enter_namespaces()?;
    // SAFETY: the process has one thread.
    unsafe { fork() }.map_err(|errno| Refused {
        step: "starting PID 1".into(),
        errno: errno as i32,
    })
}

/// PID 1 makes itself at home.
fn inside() -> Result<Area, Refused> {
    let refused = |step: &str| {
        let step = step.to_owned();
        move |errno: Errno| Refused {
            step,
            errno: errno as i32,
        }
    };
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(refused("tying PID 1 to its parent"))?;
    let _ = setsid();
    root::build(is_asked_for(COMMANDS))?;
    let area = Area::open(&[
        ("case", Path::new(HOME), 0o755),
        ("tmp", Path::new("/tmp"), 0o1777),
    ])
    .map_err(refused("opening the case area"))?;
    limits::set().map_err(refused("setting limits"))?;
    // A case cannot reach the descriptors or the memory of PID 1, although it has the same user.
    prctl::set_dumpable(false).map_err(refused("hiding PID 1"))?;
    limits::filter().map_err(|error| Refused {
        step: format!("filtering system calls ({error})"),
        errno: libc::EINVAL,
    })?;
    Ok(area)
}

/// Signals as at the start of a fresh session: what the caller ignores or blocks is not inherited. A default action does
/// not touch PID 1, so no process of a case can end it.
pub(super) fn default_signals() {
    for each in Signal::iterator() {
        if !matches!(each, Signal::SIGKILL | Signal::SIGSTOP | Signal::SIGPIPE) {
            // SAFETY: the default action runs no code of this process.
            let _ = unsafe { signal(each, SigHandler::SigDfl) };
        }
    }
    let _ = SigSet::empty().thread_set_mask();
}

/// Runs the jobs of the pool until it is gone, or the ground cannot be used again.
pub(super) fn work(wire: &mut Wire, ground: &dyn Ground) -> std::io::Result<()> {
    loop {
        let job: Job = wire.receive()?;
        let (outcome, spent) = run_one(job, wire, ground);
        let done = spent.is_some();
        wire.send(&Reply { outcome, spent })?;
        if done {
            return Ok(());
        }
    }
}

/// What was seen, and what the ground could not do as the form *namespaces* does; or why the job could not be run.
type Outcome = Result<(Observation, BTreeSet<String>), String>;

/// Runs one job; its outcome, and why the ground cannot be used again.
pub(super) fn run_one(mut job: Job, wire: &Wire, ground: &dyn Ground) -> (Outcome, Option<String>) {
    let mut lacks = ground.carry_in(&mut job);
    let area = ground.area();
    let outcome = area.lay(&job.tree).and_then(|before| {
        let ran = run::run(&job, wire.socket(), ground)?;
        let mut seen = Observation {
            end: ran.end,
            stdout: ran.stdout,
            stderr: ran.stderr,
            changes: Vec::new(),
            read: Vec::new(),
            events: ran.events,
            killed: ran.killed,
        };
        ground.carry_out(&mut seen, &mut lacks);
        (seen.changes, seen.read) = snapshot::compare(area, &before)
            .map_err(|error| format!("reading the tree: {error}"))?;
        if job.watch == Watch::Snapshot {
            seen.events.clear();
        }
        Ok((seen, lacks))
    });
    let wiped = area.wipe();
    let spent = wiped.err();
    (
        outcome,
        spent.map(|error| format!("wiping the case area: {error}")),
    )
}
