//! How does one program run? Started in the working directory, listened to, and ended with all that it started.

use super::ground::Ground;
use super::streams::Streams;
use super::trace::{self, Starter};
use super::{End, Event, Job, Watch};
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::libc;
use nix::sys::signal::{SigHandler, Signal, signal};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, chdir, pipe2, setpgid, write};
use std::ffi::{CStr, CString, OsStr, c_char};
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long other processes may go on when the program has ended: what a process in the background, or one of `>( )`, still
/// writes is an effect of the job. After that they are killed.
const LINGER: Duration = Duration::from_millis(200);
/// How often one looks for the end of those.
const LOOK: Duration = Duration::from_millis(2);
/// Bytes that a pipe holds, as it is made and at most.
const PIPE: usize = 64 << 10;
const WIDEST_PIPE: usize = 1 << 20;

/// What ran.
pub(super) struct Ran {
    pub(super) end: End,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    pub(super) events: Vec<Event>,
    pub(super) killed: bool,
}

/// Runs the program of a job on its ground. When the pool hangs up, this process ends at once, and the box with it.
///
/// # Errors
///
/// Why the program could not be started. No process of the job is left in any case.
pub(super) fn run(job: &Job, pool: &UnixStream, ground: &dyn Ground) -> Result<Ran, String> {
    let deadline = Instant::now() + job.deadline;
    let (stdout, stderr) = (pipe()?, pipe()?);
    let standard = [input(&job.stdin)?, stdout.1, stderr.1];
    let mut streams = Streams::new([stdout.0, stderr.0], job.output_cap, pool);
    let (ran, killed) = match job.watch {
        Watch::Snapshot if !ground.traces_all() => {
            let ran = spawn(job, standard, ground)
                .and_then(|main| Ok((watch(main, deadline, &mut streams)?, Vec::new())));
            (ran, ground.end_all())
        }
        Watch::Snapshot | Watch::Trace => follow(job, standard, deadline, &mut streams, ground)?,
    };
    let (end, events) = ran?;
    let within = streams.drain();
    let [stdout, stderr] = streams.into_bytes();
    Ok(Ran {
        end: if within { end } else { End::OutputCap },
        stdout,
        stderr,
        events,
        killed,
    })
}

/// A pipe that holds the whole standard input, its other end closed.
fn input(bytes: &[u8]) -> Result<OwnedFd, String> {
    let (reader, writer) = pipe()?;
    if bytes.len() > WIDEST_PIPE {
        return Err(format!(
            "standard input has {} bytes; a pipe holds {WIDEST_PIPE}",
            bytes.len()
        ));
    }
    if bytes.is_empty() {
        return Ok(reader);
    }
    let failed = |errno: Errno| format!("filling standard input: {}", errno.desc());
    if bytes.len() > PIPE {
        fcntl(&writer, FcntlArg::F_SETPIPE_SZ(WIDEST_PIPE as i32)).map_err(failed)?;
    }
    // A pipe that turns out too small must not stop the worker.
    fcntl(&writer, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).map_err(failed)?;
    match write(&writer, bytes).map_err(failed)? {
        written if written == bytes.len() => Ok(reader),
        written => Err(format!(
            "standard input has {} bytes; the pipe took {written}",
            bytes.len()
        )),
    }
}

fn pipe() -> Result<(OwnedFd, OwnedFd), String> {
    pipe2(OFlag::O_CLOEXEC).map_err(|errno| format!("making a pipe: {}", errno.desc()))
}

/// Starts the program as a group of its own. Nothing needs doing between fork and exec, so the cheap way is taken.
fn spawn(
    job: &Job,
    [stdin, stdout, stderr]: [OwnedFd; 3],
    ground: &dyn Ground,
) -> Result<Pid, String> {
    let mut command = Command::new(&job.program);
    if let Some((name, words)) = job.argv.split_first() {
        command
            .arg0(OsStr::from_bytes(name))
            .args(words.iter().map(|word| OsStr::from_bytes(word)));
    }
    command.env_clear().envs(
        job.env
            .iter()
            .map(|(name, value)| (OsStr::from_bytes(name), OsStr::from_bytes(value))),
    );
    command
        .current_dir(OsStr::from_bytes(ground.cwd().to_bytes()))
        .process_group(0)
        .stdin(stdin)
        .stdout(stdout)
        .stderr(stderr);
    let child = command
        .spawn()
        .map_err(|error| format!("starting {}: {error}", job.program))?;
    Ok(Pid::from_raw(child.id() as i32))
}

/// Waits until the program and what it started have ended, or must be.
fn watch(main: Pid, deadline: Instant, streams: &mut Streams<'_>) -> Result<End, String> {
    let process =
        descriptor(main).map_err(|errno| format!("watching the program: {}", errno.desc()))?;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(End::Deadline);
        }
        let ended = streams.listen(Some(process.as_fd()), left)?;
        if streams.over() {
            return Ok(End::OutputCap);
        }
        if ended {
            break;
        }
    }
    let end = match waitpid(main, None) {
        Ok(WaitStatus::Exited(_, status)) => End::Exit(status),
        Ok(WaitStatus::Signaled(_, signal, _)) => End::Signal(signal as i32),
        other => return Err(format!("waiting for the program: {other:?}")),
    };
    linger(deadline, streams)?;
    Ok(end)
}

/// Lets what is left of the job go on for a while.
fn linger(deadline: Instant, streams: &mut Streams<'_>) -> Result<(), String> {
    let deadline = deadline.min(Instant::now() + LINGER);
    loop {
        match waitpid(None, Some(WaitPidFlag::WNOHANG | WaitPidFlag::__WALL)) {
            Err(Errno::ECHILD) => return Ok(()),
            Ok(WaitStatus::StillAlive) if Instant::now() < deadline && !streams.over() => {
                streams.listen(None, LOOK)?;
            }
            Ok(WaitStatus::StillAlive) => return Ok(()),
            _ => {}
        }
    }
}

/// A descriptor that becomes readable when the process has ended.
fn descriptor(process: Pid) -> nix::Result<OwnedFd> {
    // SAFETY: takes two plain numbers.
    let fd = Errno::result(unsafe { libc::syscall(libc::SYS_pidfd_open, process.as_raw(), 0) })?;
    // SAFETY: the kernel made this descriptor for this call.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
}

/// The same for every job. Made when it is needed first, which is after the limits were set.
static STARTER: LazyLock<std::io::Result<Mutex<Starter>>> =
    LazyLock::new(|| Ok(Mutex::new(Starter::new(trace::filter()?)?)));

/// How a traced program ended and what it did, or why it could not be run; and whether anything had to be killed.
type Followed = (Result<(End, Vec<Event>), String>, bool);

/// Runs the program with every call of the tracer's table told, and ends all that it started.
fn follow(
    job: &Job,
    standard: [OwnedFd; 3],
    deadline: Instant,
    streams: &mut Streams<'_>,
    ground: &dyn Ground,
) -> Result<Followed, String> {
    let starter = STARTER
        .as_ref()
        .map_err(|error| format!("making ready to trace: {error}"))?;
    let program = CString::new(&job.program[..])
        .map_err(|_| "the name of the program holds a zero byte".to_owned())?;
    let argv = Words::new(&mut job.argv.iter().cloned())?;
    let env = Words::new(
        &mut job
            .env
            .iter()
            .map(|(name, value)| [name, &b"="[..], value].concat()),
    )?;
    let _together = trace::Together::here();
    let descriptors = standard.each_ref().map(AsRawFd::as_raw_fd);
    let become_it = || become_program(descriptors, &program, &argv, &env, ground);
    let mut hung_up = None;
    let mut starter = starter.lock().unwrap_or_else(PoisonError::into_inner);
    let started = starter.start(&become_it, |child| {
        drop(standard);
        let followed = trace::follow(child, deadline, LINGER, &mut || match streams
            .listen(None, Duration::ZERO)
        {
            Ok(_) => streams.over() || ground.is_full(),
            Err(error) => {
                hung_up = Some(error);
                true
            }
        });
        (followed, ground.end_all())
    });
    let ((followed, killed), failed) =
        started.map_err(|error| format!("starting {}: {error}", job.program))?;
    let ran = match (failed, hung_up, followed) {
        (Some(errno), ..) => Err(format!("starting {}: {}", job.program, errno.desc())),
        (None, Some(error), _) => Err(error),
        (None, None, Err(error)) => Err(format!("tracing {}: {error}", job.program)),
        (None, None, Ok(followed)) => Ok((followed.end, followed.events)),
    };
    Ok((ran, killed))
}

/// Words as `execve` takes them, made before there is a child.
struct Words {
    pointers: Vec<*const c_char>,
    _texts: Vec<CString>,
}

impl Words {
    fn new(words: &mut dyn Iterator<Item = Vec<u8>>) -> Result<Self, String> {
        let texts = words
            .map(CString::new)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|_| "a word holds a zero byte".to_owned())?;
        let pointers = texts.iter().map(|text| text.as_ptr());
        Ok(Self {
            pointers: pointers.chain([std::ptr::null()]).collect(),
            _texts: texts,
        })
    }
}

/// What the child does, in the order of [`spawn`]; comes back only with an error. It has the memory of this process: nothing
/// but system calls.
fn become_program(
    standard: [RawFd; 3],
    program: &CStr,
    argv: &Words,
    env: &Words,
    ground: &dyn Ground,
) -> Errno {
    let prepare = || {
        for (number, descriptor) in (0..).zip(standard) {
            // SAFETY: these are descriptors of the child alone, and nothing in it owns them.
            Errno::result(unsafe { libc::dup2(descriptor, number) })?;
        }
        chdir(ground.cwd())?;
        setpgid(Pid::from_raw(0), Pid::from_raw(0))?;
        // SAFETY: the default action runs no code of this process.
        unsafe { signal(Signal::SIGPIPE, SigHandler::SigDfl) }?;
        ground.enter()
    };
    if let Err(errno) = prepare() {
        return errno;
    }
    // SAFETY: a C string and two arrays of them that end with a null pointer.
    unsafe {
        libc::execve(
            program.as_ptr(),
            argv.pointers.as_ptr(),
            env.pointers.as_ptr(),
        )
    };
    Errno::last()
}
