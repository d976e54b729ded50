//! Real programs under the tracer, harmless and in a folder of their own.

mod calls_of_all_kinds;
mod ends;
mod stops_and_signals;
mod subject;
mod table;

use super::*;
use nix::fcntl::OFlag;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use seccompiler::BpfProgram;
use std::ffi::CString;
use std::fs::{self, File};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The environment of every program here, traced or not.
const ENVIRONMENT: [(&str, &str); 4] = [
    ("PATH", "/usr/bin:/bin"),
    ("HOME", "/nonexistent"),
    ("SHELL", "/bin/bash"),
    ("LC_ALL", "C"),
];
/// Far beyond what any of these programs takes.
const LONG: Duration = Duration::from_secs(60);

/// A folder with one file, `f`, of three lines.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("f"), "one\ntwo\nthree\n").expect("its file");
    folder
}

/// What a traced program did.
struct Run {
    end: End,
    events: Vec<Event>,
    stdout: String,
    folder: PathBuf,
    /// Why the program could not be started.
    failed: Option<Errno>,
}

impl Run {
    /// Results of the openings of a path, in order.
    fn opened(&self, name: &str) -> Vec<i32> {
        self.results(|call| matches!(call, Call::Open { path, .. } if path == name.as_bytes()))
    }

    /// Words of the programs that were started.
    fn started(&self) -> Vec<String> {
        let words = self
            .events
            .iter()
            .filter(|event| event.errno == 0)
            .filter_map(|event| match &event.call {
                Call::Execute { argv, .. } => Some(argv.join(&b' ')),
                _ => None,
            });
        words
            .map(|words| String::from_utf8(words).expect("plain words"))
            .collect()
    }

    /// `call path` or `call path to` of what was changed with success, in order.
    fn altered(&self) -> Vec<String> {
        let changes = self
            .events
            .iter()
            .filter(|event| event.errno == 0)
            .filter_map(|event| match &event.call {
                Call::Alter { call, path, to, .. } => {
                    let to = to
                        .as_ref()
                        .map(|to| format!(" {}", String::from_utf8_lossy(to)))
                        .unwrap_or_default();
                    Some(format!("{call} {}{to}", String::from_utf8_lossy(path)))
                }
                _ => None,
            });
        changes.collect()
    }

    fn results(&self, wanted: impl Fn(&Call) -> bool) -> Vec<i32> {
        self.events
            .iter()
            .filter(|event| wanted(&event.call))
            .map(|event| event.errno)
            .collect()
    }

    /// Number of the first process that opened a path.
    fn opener(&self, name: &str) -> u32 {
        let of_path = |event: &&Event| matches!(&event.call, Call::Open { path, .. } if path == name.as_bytes());
        self.events
            .iter()
            .find(of_path)
            .expect("the path was opened")
            .process
    }
}

/// A program traced in a folder, with the limits of `follower`.
fn trace_with(
    folder: &Path,
    argv: &[&str],
    environment: &[(&str, &str)],
    follower: impl FnOnce(Pid) -> io::Result<Followed> + Send,
) -> Run {
    let words: Vec<CString> = argv
        .iter()
        .map(|word| CString::new(*word).expect("no zero byte"))
        .collect();
    let environment: Vec<CString> = environment
        .iter()
        .map(|(name, value)| CString::new(format!("{name}={value}")).expect("no zero byte"))
        .collect();
    let directory = CString::new(folder.as_os_str().as_bytes()).expect("no zero byte");
    let filter = filter().expect("this architecture is known");
    let null = File::open("/dev/null").expect("the null device");
    let out = tempfile::tempfile().expect("a file for the output");
    let pointers = |words: &[CString]| -> Vec<usize> {
        let pointers = words.iter().map(|word| word.as_ptr() as usize);
        pointers.chain([0]).collect()
    };
    let (argv, envp) = (pointers(&words), pointers(&environment));
    let become_it = || {
        // SAFETY: plain system calls on valid descriptors and strings.
        unsafe {
            libc::chdir(directory.as_ptr());
            libc::signal(libc::SIGPIPE, libc::SIG_DFL);
            libc::dup2(null.as_raw_fd(), 0);
            libc::dup2(out.as_raw_fd(), 1);
            libc::dup2(null.as_raw_fd(), 2);
            libc::execve(
                words[0].as_ptr(),
                argv.as_ptr().cast(),
                envp.as_ptr().cast(),
            );
        }
        Errno::last()
    };
    let follow_and_kill = |child| {
        let followed = follower(child).expect("it can be traced");
        if !matches!(followed.end, End::Exit(_) | End::Signal(_)) {
            kill(child, Signal::SIGKILL).expect("the child was not reaped");
            let status =
                waitpid(child, Some(WaitPidFlag::__WALL)).expect("the child was not reaped");
            assert_eq!(
                status,
                WaitStatus::Signaled(child, Signal::SIGKILL, false),
                "what was traced can be killed"
            );
        }
        followed
    };
    // A thread of its own: it sees only its own children, and what it traced dies with it.
    let (followed, failed) = std::thread::scope(|scope| {
        let tracer = scope.spawn(|| {
            let mut starter = Starter::new(filter).expect("a thread with the filter");
            starter.start(&become_it, follow_and_kill).expect("a child")
        });
        tracer.join().expect("the tracer does not panic")
    });
    Run {
        end: followed.end,
        events: followed.events,
        stdout: text_of(&out),
        folder: folder.to_owned(),
        failed,
    }
}

fn text_of(file: &File) -> String {
    use std::os::unix::fs::FileExt;
    let mut bytes = vec![0; file.metadata().expect("an open file").len() as usize];
    file.read_exact_at(&mut bytes, 0).expect("its content");
    String::from_utf8_lossy(&bytes).into_owned()
}

fn trace(folder: &Path, argv: &[&str]) -> Run {
    trace_with(folder, argv, &ENVIRONMENT, |child| {
        follow(child, Instant::now() + LONG, Duration::ZERO, &mut || false)
    })
}

/// A script traced in a fresh folder, which is gone afterwards.
fn bash(script: &str) -> Run {
    trace(folder().path(), &["/bin/bash", "-c", script])
}

/// The same script without a tracer: exit status or signal, and standard output.
fn untraced(script: &str) -> (End, String) {
    use std::os::unix::process::ExitStatusExt;
    let folder = folder();
    let mut command = std::process::Command::new("/bin/bash");
    command
        .args(["-c", script])
        .current_dir(folder.path())
        .env_clear()
        .envs(ENVIRONMENT);
    let output = command
        .stdin(std::process::Stdio::null())
        .output()
        .expect("bash");
    let end = match output.status.signal() {
        Some(signal) => End::Signal(signal),
        None => End::Exit(output.status.code().expect("a status or a signal")),
    };
    (end, String::from_utf8_lossy(&output.stdout).into_owned())
}
