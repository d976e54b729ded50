//! How does a program start so that none of its calls is missed, and nothing is made only to be thrown away? A thread that has
//! the filter on starts it in the memory of this process.
//!
//! Until it executes its program, the child uses this process's memory, on a stack of its own, while the thread waits: no
//! memory is copied. It inherits the filter, which so is translated by the kernel once and not for every program. The thread
//! that follows is another one, without the filter: it takes the child before that may go on.

use super::together::Cpus;
use nix::errno::Errno;
use nix::libc;
use nix::sys::prctl;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;
use seccompiler::BpfProgram;
use std::io;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// What the child does after its birth: it ends with `execve`, and comes back only with the error of that or of a call before.
pub(in super::super) type Become<'a> = &'a dyn Fn() -> Errno;

/// Bytes of the stack that a child has until it executes its program.
const STACK: usize = 128 << 10;

/// Steps of a start; between two of them one side waits for the other.
const RESTING: u32 = 0;
const ASKED: u32 = 1;
const BORN: u32 = 2;
const TAKEN: u32 = 3;
const ENDING: u32 = 4;

/// What the thread, the child and the one who follows share.
#[derive(Default)]
struct Shared {
    step: AtomicU32,
    /// Number of the child, written by the kernel before it runs.
    child: AtomicI32,
    /// Why the child could not become its program, or could not be made; else 0.
    failed: AtomicI32,
    request: Mutex<Option<Request>>,
}

struct Request {
    /// Lives until the step is [`RESTING`] again.
    program: *const dyn Fn() -> Errno,
    cpus: Option<Cpus>,
}

// SAFETY: who asked waits until the thread is done with what the pointer leads to, and that is used by one child alone.
unsafe impl Send for Request {}

/// A thread that starts programs, one at a time.
pub(in super::super) struct Starter {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Starter {
    /// Starts the thread. It sets `no_new_privs` on itself.
    ///
    /// # Errors
    ///
    /// When there can be no thread, or the kernel refuses the filter.
    pub(in super::super) fn new(filter: BpfProgram) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let (tell, told) = sync_channel(1);
        let its = Arc::clone(&shared);
        let thread = std::thread::Builder::new().spawn(move || {
            let filtered = seccompiler::apply_filter(&filter).map_err(|error| match error {
                seccompiler::Error::Prctl(error) | seccompiler::Error::Seccomp(error) => error,
                _ => Errno::EINVAL.into(),
            });
            let go_on = filtered.is_ok();
            if tell.send(filtered).is_ok() && go_on {
                its.serve();
            }
        })?;
        told.recv().map_err(io::Error::other)??;
        Ok(Self {
            shared,
            thread: Some(thread),
        })
    }

    /// Starts a child that becomes a program, as a tracee of this thread; `follow` is given its number. What `follow` says,
    /// and why the child could not become the program, if so.
    ///
    /// The child must do nothing but system calls, and none of the tracer's table but the last; it shares this process's memory
    /// and must not use the heap. It runs on the processors of this thread. When `follow` comes back, the child must have
    /// become its program or be dead.
    ///
    /// # Errors
    ///
    /// When there can be no child, the kernel refuses to trace it, or `/proc` does not show it; it is gone then.
    pub(in super::super) fn start<T>(
        &mut self,
        program: Become<'_>,
        follow: impl FnOnce(Pid) -> T,
    ) -> io::Result<(T, Option<Errno>)> {
        let shared = &*self.shared;
        shared.failed.store(0, Ordering::Relaxed);
        // SAFETY: only the lifetime changes; nobody uses it any more when the step is RESTING, for which this function waits.
        let program = unsafe {
            std::mem::transmute::<Become<'_>, *const (dyn Fn() -> Errno + 'static)>(program)
        };
        let cpus = Cpus::of_this_thread().ok();
        *shared.lock() = Some(Request { program, cpus });
        shared.advance(ASKED);
        let failed = |errno| io::Error::from_raw_os_error(errno);
        if shared.wait_while(|step| step == ASKED) == RESTING {
            return Err(failed(shared.failed.load(Ordering::Relaxed)));
        }
        let child = Pid::from_raw(shared.child.load(Ordering::Relaxed));
        let result = take(child).map(|()| {
            shared.advance(TAKEN);
            follow(child)
        });
        if result.is_err() {
            // It waits for its turn, so its number is its own.
            let _ = kill(child, Signal::SIGKILL);
            let _ = waitpid(child, Some(WaitPidFlag::__WALL));
        }
        shared.wait_while(|step| step != RESTING);
        let errno = shared.failed.load(Ordering::Relaxed);
        Ok((result?, (errno != 0).then(|| Errno::from_raw(errno))))
    }
}

impl Drop for Starter {
    fn drop(&mut self) {
        self.shared.advance(ENDING);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Request>> {
        self.request.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The thread: one child after another.
    fn serve(&self) {
        let mut stack = vec![0u8; STACK];
        while self.wait_while(|step| step == RESTING) != ENDING {
            let Some(request) = self.lock().take() else {
                return;
            };
            if let Some(cpus) = request.cpus {
                // The child inherits them.
                let _ = cpus.put_on_this_thread();
            }
            let birth = Birth {
                shared: self,
                program: request.program,
            };
            let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PARENT_SETTID;
            // SAFETY: the child runs on a stack of its own, aligned as the platform wants it, and this thread stands still until
            // the child has another memory or is gone, so all that is pointed to outlives its use.
            let born = unsafe {
                let top = stack.as_mut_ptr().add(STACK);
                let top = top.sub(top as usize % 16);
                libc::clone(
                    be_born,
                    top.cast(),
                    flags | libc::SIGCHLD,
                    (&raw const birth).cast_mut().cast(),
                    self.child.as_ptr(),
                )
            };
            if let Err(errno) = Errno::result(born) {
                self.failed.store(errno as i32, Ordering::Relaxed);
            }
            self.advance(RESTING);
        }
    }

    fn advance(&self, step: u32) {
        self.step.store(step, Ordering::Release);
        // SAFETY: wakes whoever waits for this word, and touches no memory.
        unsafe {
            libc::syscall(
                libc::SYS_futex,
                self.step.as_ptr(),
                libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG,
                i32::MAX,
            )
        };
    }

    /// Waits until the step is none of these; the step then.
    fn wait_while(&self, waits: impl Fn(u32) -> bool) -> u32 {
        loop {
            let step = self.step.load(Ordering::Acquire);
            if !waits(step) {
                return step;
            }
            // SAFETY: the word outlives the call; without a time limit no other argument is read.
            unsafe {
                libc::syscall(
                    libc::SYS_futex,
                    self.step.as_ptr(),
                    libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
                    step,
                    std::ptr::null::<libc::timespec>(),
                )
            };
        }
    }
}

struct Birth<'a> {
    shared: &'a Shared,
    program: *const dyn Fn() -> Errno,
}

/// The child, in the memory of its parent.
extern "C" fn be_born(birth: *mut libc::c_void) -> libc::c_int {
    // SAFETY: it is what `serve` handed over, and `serve` waits.
    let birth = unsafe { &*birth.cast::<Birth<'_>>() };
    birth.shared.advance(BORN);
    birth.shared.wait_while(|step| step != TAKEN);
    // SAFETY: who asked keeps it until the child is another program or gone.
    let errno = unsafe { (*birth.program)() };
    birth.shared.failed.store(errno as i32, Ordering::Relaxed);
    // SAFETY: ends the child without running what belongs to the parent.
    unsafe { libc::_exit(127) }
}

/// Makes the child, which waits, a tracee of this thread.
fn take(child: Pid) -> io::Result<()> {
    let options = Options::PTRACE_O_TRACESECCOMP
        | Options::PTRACE_O_TRACEFORK
        | Options::PTRACE_O_TRACEVFORK
        | Options::PTRACE_O_TRACECLONE
        | Options::PTRACE_O_TRACEEXEC
        | Options::PTRACE_O_EXITKILL
        | Options::PTRACE_O_TRACESYSGOOD;
    // What is hidden cannot be traced, and the child has our memory. Nobody runs yet from whom to hide.
    let shown = prctl::get_dumpable()?;
    prctl::set_dumpable(true)?;
    let taken = ptrace::seize(child, options)
        .map_err(io::Error::from)
        // Without it no relative path could be placed.
        .and_then(|()| std::fs::read_link(format!("/proc/{child}/cwd")));
    prctl::set_dumpable(shown)?;
    taken.map(drop)
}
