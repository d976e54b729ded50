//! Which files did a program open, change or execute, and how did each call end? The tracer.
//!
//! A seccomp filter stops a process at the calls of [`calls`] alone; the tracer reads what is asked for, lets the call
//! run, and reads its result (`docs/spec/engineering.md` section 2). It needs no privilege, only that the child descends
//! from the caller. What a call did to the tree is the snapshot's to say; to end the other processes is the caller's.
//!
//! Read an [`Event`] so:
//! - a path is relative to `base`; an empty path means `base` itself (the call was given a descriptor). `base` is empty for
//!   an absolute path, and for a descriptor that is not open (the call fails with `EBADF`);
//! - `to` of a rename or link is as spelled where it is absolute or has the same base, else made absolute. For a symbolic
//!   link, `path` is the link and `to` its text;
//! - the program of an `execveat` with a descriptor is made absolute; one of `execve` is as spelled;
//! - `EINTR`: a signal cut the call short (where the kernel restarts it, the restart is an event of its own), or the call
//!   had not returned when its process or the trace ended, and what it did is not known;
//! - words beyond 128 KiB in one `execve` are replaced by a last word `\0cut`.
//!
//! Not seen: what another filter refuses with an error before it gets here. Two calls that overlap in time may come in
//! either order. A thread that rewrites a path while another is stopped at its call can show a false one.

mod calls;
mod filter;
mod memory;
mod start;
mod tick;
mod together;

#[cfg(test)]
mod tests;

use super::{Call, End, Event};
use nix::errno::Errno;
use nix::libc;
use nix::sys::ptrace;
use nix::unistd::Pid;
use std::collections::HashMap;
use std::io;
use std::time::{Duration, Instant};
use tick::Tick;

pub use calls::traced_calls;
pub(super) use filter::{answer, filter, instruction, jump, search};
pub(super) use memory::{bytes, string};
pub(super) use start::Starter;
pub(super) use together::Together;

/// Longest time between two looks at the deadline and at `stop`.
const TICK: Duration = Duration::from_millis(10);
/// Bytes kept of all events, texts and fixed parts.
const ROOM: usize = 32 << 20;

/// What [`follow`] saw.
pub(super) struct Followed {
    /// How the program ended; [`End::OutputCap`] when `stop` said so, whatever its reason.
    pub(super) end: End,
    /// In the order in which the calls returned; at the end those that never did.
    pub(super) events: Vec<Event>,
}

/// Runs `child`, as [`Starter::start`] gives it, until it has ended, the deadline has come, `stop` (asked about every 10 ms)
/// says so, or more was seen than is kept. What it started is followed on until that has ended too, `linger` longer at most.
///
/// Call it from the thread that started the child and has no other children. A child that has ended is reaped; one that has
/// not, and all other processes, are left running or stopped, as tracees of this thread: the caller kills them (a stopped
/// tracee dies of `SIGKILL` like any other) and waits until `ECHILD`, passing over stops that `waitpid` may still report.
/// They die with the thread at the latest. `stop` and calls after it may be interrupted by a `SIGALRM` without effect.
///
/// # Errors
///
/// When the kernel does not let this thread wait.
pub(super) fn follow(
    child: Pid,
    deadline: Instant,
    linger: Duration,
    stop: &mut dyn FnMut() -> bool,
) -> io::Result<Followed> {
    Follower::new(child, ROOM).run(deadline, linger, stop)
}

/// One thread that is traced.
struct Thread {
    process: u32,
    /// The call it is in.
    pending: Option<Call>,
}

struct Follower {
    child: Pid,
    threads: HashMap<i32, Thread>,
    /// Number of each living thread group.
    numbers: HashMap<i32, u32>,
    next_number: u32,
    events: Vec<Event>,
    room: usize,
}

impl Follower {
    fn new(child: Pid, room: usize) -> Self {
        Self {
            child,
            threads: HashMap::from([(
                child.as_raw(),
                Thread {
                    process: 0,
                    pending: None,
                },
            )]),
            numbers: HashMap::from([(child.as_raw(), 0)]),
            next_number: 1,
            events: Vec::new(),
            room,
        }
    }

    fn run(
        mut self,
        mut deadline: Instant,
        linger: Duration,
        stop: &mut dyn FnMut() -> bool,
    ) -> io::Result<Followed> {
        let tick = Tick::every(TICK)?;
        let mut look = true;
        let mut ended = None;
        let end = loop {
            look |= tick.has_come();
            if std::mem::take(&mut look) {
                if Instant::now() >= deadline {
                    break ended.unwrap_or(End::Deadline);
                }
                if stop() {
                    break End::OutputCap;
                }
            }
            if self.room == 0 {
                break End::EventCap;
            }
            match wait() {
                Ok((tid, status)) => {
                    if let Some(end) = self.changed(tid, status)? {
                        // Only the first: later the number of the child may be another's.
                        ended.get_or_insert(end);
                        deadline = deadline.min(Instant::now() + linger);
                    }
                }
                Err(Errno::EINTR) => look = true,
                Err(error) => match ended {
                    Some(end) if error == Errno::ECHILD => break end,
                    _ => return Err(error.into()),
                },
            }
        };
        let mut unreturned: Vec<_> = self
            .threads
            .drain()
            .filter_map(|(_, thread)| Some((thread.process, thread.pending?)))
            .collect();
        unreturned.sort_by_key(|(process, _)| *process);
        for (process, call) in unreturned {
            self.keep(process, call, libc::EINTR);
        }
        Ok(Followed {
            end,
            events: self.events,
        })
    }

    /// A thread stopped or ended; how the program ended if that is it.
    fn changed(&mut self, tid: Pid, status: i32) -> io::Result<Option<End>> {
        if !libc::WIFSTOPPED(status) {
            self.ended(tid);
            let end = match libc::WIFEXITED(status) {
                true => End::Exit(libc::WEXITSTATUS(status)),
                false => End::Signal(libc::WTERMSIG(status)),
            };
            return Ok((tid == self.child).then_some(end));
        }
        const EXIT_OF_CALL: i32 = libc::SIGTRAP | 0x80;
        let signal = libc::WSTOPSIG(status);
        match status >> 16 {
            libc::PTRACE_EVENT_SECCOMP => self.entered(tid),
            libc::PTRACE_EVENT_EXEC => self.executed(tid),
            libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_VFORK | libc::PTRACE_EVENT_CLONE => {
                if let Ok(new) = ptrace::getevent(tid) {
                    self.thread(new as i32);
                }
            }
            libc::PTRACE_EVENT_STOP if signal == libc::SIGTRAP => {
                self.thread(tid.as_raw());
            }
            // A group stop: stopped as without a tracer, until a SIGCONT.
            libc::PTRACE_EVENT_STOP => {
                resume(libc::PTRACE_LISTEN, tid, 0);
                return Ok(None);
            }
            _ if signal == EXIT_OF_CALL => self.returned(tid),
            _ => {
                self.go_on(tid, signal);
                return Ok(None);
            }
        }
        self.go_on(tid, 0);
        Ok(None)
    }

    /// The thread is about to make a call of the table.
    fn entered(&mut self, tid: Pid) {
        let Ok(info) = ptrace::syscall_info(tid) else {
            return;
        };
        if info.op != libc::PTRACE_SYSCALL_INFO_SECCOMP {
            return;
        }
        // SAFETY: `op` says that the kernel filled this member.
        let asked = unsafe { info.u.seccomp };
        if let Ok(call) = calls::decode(tid, asked.nr, &asked.args) {
            self.thread(tid.as_raw()).pending = call;
        }
    }

    /// The call of the thread returned.
    fn returned(&mut self, tid: Pid) {
        let thread = self.thread(tid.as_raw());
        let (process, Some(call)) = (thread.process, thread.pending.take()) else {
            return;
        };
        let Ok(info) = ptrace::syscall_info(tid) else {
            // Killed before it could be asked.
            self.keep(process, call, libc::EINTR);
            return;
        };
        // SAFETY: at the exit of a call the kernel fills this member.
        let result = unsafe { info.u.exit };
        match if result.is_error == 0 {
            0
        } else {
            -result.sval
        } {
            RESTARTED => {}
            errno if INTERRUPTED.contains(&errno) => self.keep(process, call, libc::EINTR),
            errno => self.keep(process, call, errno as i32),
        }
    }

    /// A program was started. The thread that did it, whichever it was, goes by the number of the group from now on.
    fn executed(&mut self, tid: Pid) {
        let Ok(former) = ptrace::getevent(tid) else {
            return;
        };
        let Some(thread) = self.threads.remove(&(former as i32)) else {
            return;
        };
        if let Some(call) = thread.pending {
            self.keep(thread.process, call, 0);
        }
        self.threads.insert(
            tid.as_raw(),
            Thread {
                process: thread.process,
                pending: None,
            },
        );
    }

    fn ended(&mut self, tid: Pid) {
        let thread = self.threads.remove(&tid.as_raw());
        if let Some(Thread {
            process,
            pending: Some(call),
        }) = thread
        {
            self.keep(process, call, libc::EINTR);
        }
        self.numbers.remove(&tid.as_raw());
    }

    /// The thread of this number, new or not: its own first stop and the report of its parent come in either order.
    fn thread(&mut self, tid: i32) -> &mut Thread {
        self.threads.entry(tid).or_insert_with(|| {
            let process = *self.numbers.entry(memory::group(tid)).or_insert_with(|| {
                self.next_number += 1;
                self.next_number - 1
            });
            Thread {
                process,
                pending: None,
            }
        })
    }

    /// Lets a thread go on, to the end of its call if it is in one.
    fn go_on(&self, tid: Pid, signal: i32) {
        let in_call = self
            .threads
            .get(&tid.as_raw())
            .is_some_and(|thread| thread.pending.is_some());
        resume(
            if in_call {
                libc::PTRACE_SYSCALL
            } else {
                libc::PTRACE_CONT
            },
            tid,
            signal,
        );
    }

    fn keep(&mut self, process: u32, call: Call, errno: i32) {
        let text = match &call {
            Call::Execute { path, argv } => {
                path.len()
                    + argv
                        .iter()
                        .map(|word| size_of_val(word) + word.len())
                        .sum::<usize>()
            }
            Call::Open { base, path, .. } => base.len() + path.len(),
            Call::Alter {
                call,
                base,
                path,
                to,
            } => call.len() + base.len() + path.len() + to.as_ref().map_or(0, Vec::len),
            Call::Socket { .. } => 0,
        };
        self.room = self.room.saturating_sub(size_of::<Event>() + text);
        self.events.push(Event {
            process,
            call,
            errno,
        });
    }
}

/// `ERESTARTNOINTR`: nothing has happened yet, and the kernel makes the call again in any case.
const RESTARTED: i64 = 513;
/// `ERESTARTSYS`, `ERESTARTNOHAND`, `ERESTART_RESTARTBLOCK`: the process sees `EINTR`, or the call is made again.
const INTERRUPTED: [i64; 3] = [512, 514, 516];

/// The next change of a child or tracee of this thread.
fn wait() -> nix::Result<(Pid, i32)> {
    let mut status = 0;
    // SAFETY: `status` outlives the call. The wrapper of nix is not total: it drops stops by a real-time signal.
    let tid = unsafe {
        libc::waitpid(
            -1,
            &mut status,
            libc::__WALL | libc::__WNOTHREAD | libc::WUNTRACED,
        )
    };
    Errno::result(tid).map(|tid| (Pid::from_raw(tid), status))
}

/// Resumes a stopped thread. One that was killed meanwhile cannot be resumed, and its end is reported next.
fn resume(request: libc::c_uint, tid: Pid, signal: i32) {
    // SAFETY: these requests take two plain numbers and touch no memory of this process.
    unsafe { libc::ptrace(request, tid.as_raw(), 0, libc::c_long::from(signal)) };
}
