//! Does the box hold? Attempts to get out of it, to outlive it, and to leave something for the next case.
//!
//! Each attempt is a script that bash runs in the box; it says `tried` when it got to try, and `LEAK` when it sees that it
//! got through. What it cannot see itself is looked for afterwards: by [`Witness`] on the host, and by a probe, a case on
//! the same worker, whose picture of the box must be the one from before. `docs/spec/harness.md` section 7 says what holds.

mod attempts;
mod witness;

pub use attempts::attempts;
pub use witness::Witness;

use crate::sandbox::{
    End, Entry, Failure, Form, HOME, Job, Observation, Options, Pool, Unavailable, Watch,
};
use nix::libc;
use std::collections::BTreeSet;
use std::time::Duration;

/// One attempt.
pub struct Attempt {
    /// Its name.
    pub id: &'static str,
    /// What it tries.
    pub tries: &'static str,
    /// What bash runs, after [`PRELUDE`].
    pub script: &'static str,
    /// How it must end for the box to hold.
    pub ends: Ends,
    /// Programs without which it cannot be tried.
    pub needs: &'static [&'static str],
}

/// How an attempt must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// By itself.
    Itself,
    /// By the deadline.
    Deadline,
    /// By the output cap.
    OutputCap,
    /// By itself, or because its folder holds more than it may.
    Full,
    /// In any of these ways.
    Somehow,
}

/// What became of an attempt.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// It was tried, and got nowhere.
    pub held: bool,
    /// It could be tried: the programs it needs are there.
    pub tried: bool,
    /// What was seen; for the reader.
    pub detail: String,
}

/// How long an attempt that does not end by itself may take.
const SHORT: Duration = Duration::from_millis(700);
/// How long a probe, or an attempt that ends by itself, may take on a busy machine.
const LONG: Duration = Duration::from_secs(10);

/// What every script can use: `leak` tells of a success, `refused COMMAND…` of a command that should fail, `unseen PATH…` of
/// what should not be there or, where the form of the box denies and does not hide (`hides`), should not be readable.
pub const PRELUDE: &str = r#"
leak() { echo "LEAK $*"; }
hides() { [ "$HOME" = /case ]; }
unseen() {
    for path; do
        if hides; then if [ -e "$path" ]; then leak "$path is there"; fi
        elif head -c 1 "$path" >/dev/null 2>&1 || ls "$path/" >/dev/null 2>&1; then leak "$path can be read"; fi
    done
}
refused() { if "$@" >/dev/null 2>&1; then leak "$*"; fi; }
"#;

/// Shows all that a case could leave for the next: entries, modes, attributes, free blocks and inodes of the area, limits,
/// priorities, signals, capabilities, processes, IPC objects, keys.
const PROBE: &str = r#"
sed -n 1p f
id; pwd; umask; echo "$HOSTNAME"
if hides; then ulimit -a; else ulimit -a | grep -v 'user processes'; fi
nice
trap -p
# Where the machine is denied, not hidden, the rest of these places is its own and moves by itself.
hides && tmp=/tmp || tmp=
find "$HOME" $tmp -printf '%p %y %m %n %s %U %l\n' | sort
[ -z "$tmp" ] || stat -f -c '%f free blocks, %d free inodes' "$HOME"
stat -c '%n %a %F' / "$HOME" /tmp /dev /dev/* /etc/* /usr
set -- /proc/[0-9]*; echo "$# processes"
cat /proc/self/oom_score_adj
grep -E '^(Cap|Sig(Blk|Ign|Cgt)|NoNewPrivs|Seccomp|Cpus_allowed_list)' /proc/self/status
if command -v perl >/dev/null; then perl -e '
    sub number { my ($name, @words) = @_; syscall($ENV{"SYS_$name"} + 0, @words) }
    print "attributes ", number("listxattr", $ENV{HOME}, 0, 0), "\n";
    $ENV{HOME} eq "/case" and print "attributes ", number("listxattr", my $tmp = "/tmp", 0, 0), "\n";
    print "priority ", number("ioprio_get", 1, 0), " ", number("sched_getscheduler", 0), "\n";
    print "ipc ", join(" ", map { defined $_ ? 1 : 0 } shmget(42, 1, 0), msgget(42, 0), semget(42, 1, 0)), "\n";
    print "key ", number("request_key", "user", "left", 0, 0), "\n";
' || exit 1; fi
echo probed
"#;

/// A number that belongs to no user.
const ORDINARY: u32 = 61_234;

/// A form of the box, and who starts it.
pub struct Way {
    /// `namespaces, as root`.
    pub name: String,
    /// How the pool is started; its form is set.
    pub options: Options,
}

impl Way {
    /// A pool of one worker; `None` where the machine does not let this form be built, and lets the other.
    ///
    /// # Errors
    ///
    /// Neither form can be built, or the form *landlock* cannot although the kernel has it.
    pub fn start(&self) -> Result<Option<Pool>, Unavailable> {
        match Pool::start(1, self.options) {
            Ok(pool) => Ok(Some(pool)),
            Err(error)
                if self.options.form == Some(Form::Landlock) && Form::Landlock.is_there() =>
            {
                Err(error)
            }
            Err(_) => {
                let either = Options {
                    form: None,
                    ..self.options
                };
                Pool::start(1, either).map(|_| None)
            }
        }
    }
}

/// Every way to start a box here, made for whole commands as those that cases run in: both forms, and from root also as an
/// ordinary user.
pub fn ways() -> Vec<Way> {
    let users: &[_] = if from_root() {
        &[("root", None), ("an ordinary user", Some(ORDINARY))]
    } else {
        &[("an ordinary user", None)]
    };
    let way = |form: Form, (user, as_user): (&str, Option<u32>)| Way {
        name: format!("{form}, as {user}"),
        options: Options {
            as_user,
            form: Some(form),
            commands: true,
        },
    };
    [Form::Namespaces, Form::Landlock]
        .into_iter()
        .flat_map(|form| users.iter().map(move |user| way(form, *user)))
        .collect()
}

/// Can workers be started by root and by an ordinary user?
pub fn from_root() -> bool {
    nix::unistd::Uid::effective().is_root()
}

/// Tries to get out, watched in each way, and looks everywhere for a sign that it worked. The pool must have one worker, so
/// that the probe runs where the attempt ran.
pub fn run(pool: &Pool, attempt: &Attempt) -> Outcome {
    let mut ended = Vec::new();
    for watch in [Watch::Snapshot, Watch::Trace] {
        match run_watched(pool, attempt, watch) {
            Ok((end, signs)) if signs.is_empty() => ended.push(format!("{watch:?}: {end}")),
            Ok((end, signs)) => {
                let detail = format!("{watch:?}: {end}; {}", signs.join("; "));
                return Outcome {
                    held: false,
                    tried: true,
                    detail,
                };
            }
            Err(detail) => {
                return Outcome {
                    held: false,
                    tried: false,
                    detail,
                };
            }
        }
    }
    Outcome {
        held: true,
        tried: true,
        detail: ended.join(", "),
    }
}

/// How the attempt ended, and every sign that it worked.
///
/// # Errors
///
/// Why it could not be tried.
fn run_watched(
    pool: &Pool,
    attempt: &Attempt,
    watch: Watch,
) -> Result<(String, Vec<String>), String> {
    if pool.workers() != 1 {
        return Err(format!(
            "the pool has {} workers: the probe needs the one of the attempt",
            pool.workers()
        ));
    }
    if let Some(missing) = attempt.needs.iter().find(|program| !has(program)) {
        return Err(format!("{missing} is missing"));
    }
    let witness = Witness::start().map_err(|error| format!("no witness: {error}"))?;
    let before =
        probe(pool, &witness).map_err(|problem| format!("probe before the attempt: {problem}"))?;
    let replaced = pool.replaced();
    let deadline = match attempt.ends {
        Ends::Deadline | Ends::Somehow => SHORT,
        Ends::Itself | Ends::OutputCap | Ends::Full => LONG,
    };
    let job = Job {
        watch,
        ..job(&witness, &[PRELUDE, attempt.script].concat(), deadline)
    };
    // What the form cannot do faithfully says nothing of whether it holds.
    let (end, mut signs) = match pool.run_anyway(&job) {
        Ok((observation, _)) => (
            format!("{:?}", observation.end),
            judge(attempt.ends, &observation),
        ),
        Err(failure) => ("no observation".into(), vec![failure.to_string()]),
    };
    if pool.replaced() != replaced {
        signs.push("the worker was lost".into());
    }
    match probe(pool, &witness) {
        Ok(after) => signs.extend(differences(&before, &after)),
        Err(problem) => signs.push(format!("probe after the attempt: {problem}")),
    }
    signs.extend(witness.signs());
    Ok((end, signs))
}

/// What the attempt itself shows.
fn judge(ends: Ends, observation: &Observation) -> Vec<String> {
    let said = String::from_utf8_lossy(&observation.stdout);
    let mut signs: Vec<_> = said
        .lines()
        .filter(|line| line.contains("LEAK"))
        .map(str::to_owned)
        .collect();
    if !said.lines().any(|line| line == "tried") {
        let errors = String::from_utf8_lossy(&observation.stderr);
        let last = errors.lines().last().unwrap_or("nothing on standard error");
        signs.push(format!(
            "it did not get to try ({:?}, {last})",
            observation.end
        ));
    }
    let as_expected = match ends {
        Ends::Itself => matches!(observation.end, End::Exit(_) | End::Signal(_)),
        Ends::Deadline => observation.end == End::Deadline,
        Ends::OutputCap => observation.end == End::OutputCap,
        Ends::Full => matches!(
            observation.end,
            End::Exit(_) | End::Signal(_) | End::OutputCap
        ),
        Ends::Somehow => true,
    };
    if !as_expected {
        signs.push(format!("it ended with {:?}, not {ends:?}", observation.end));
    }
    signs
}

/// The picture of the box that a fresh case has.
///
/// # Errors
///
/// What went wrong with the probe.
pub fn probe(pool: &Pool, witness: &Witness) -> Result<String, String> {
    picture(pool.run_anyway(&job(witness, &[PRELUDE, PROBE].concat(), LONG)))
}

/// The picture that a case has after it ran this script itself: what one should see if the next case could see it.
///
/// # Errors
///
/// What went wrong with the probe.
pub fn probe_after(pool: &Pool, witness: &Witness, script: &str) -> Result<String, String> {
    picture(pool.run_anyway(&job(witness, &[PRELUDE, script, PROBE].concat(), LONG)))
}

fn picture(run: Result<(Observation, BTreeSet<String>), Failure>) -> Result<String, String> {
    let (observation, _) = run.map_err(|failure| failure.to_string())?;
    let said = String::from_utf8_lossy(&observation.stdout).into_owned();
    if observation.end != End::Exit(0) || !said.contains("alpha\n") || !said.ends_with("probed\n") {
        return Err(format!(
            "{:?}: {said}{}",
            observation.end,
            String::from_utf8_lossy(&observation.stderr)
        ));
    }
    Ok(said)
}

/// What stands in one picture and not in the other.
fn differences(before: &str, after: &str) -> Vec<String> {
    let lines = |one: &str, other: &str, sign: &str| -> Vec<String> {
        let other: Vec<&str> = other.lines().collect();
        one.lines()
            .filter(|line| !other.contains(line))
            .map(|line| format!("next case: {sign} {line}"))
            .collect()
    };
    [
        lines(before, after, "no longer"),
        lines(after, before, "now"),
    ]
    .concat()
}

fn has(program: &str) -> bool {
    ["/usr/local/bin", "/usr/bin", "/usr/sbin", "/bin", "/sbin"]
        .iter()
        .any(|folder| std::path::Path::new(folder).join(program).is_file())
}

/// The numbers of system calls that scripts make through perl. From 403 on all architectures share them.
const CALLS: [(&str, libc::c_long); 46] = [
    ("add_key", libc::SYS_add_key),
    ("bpf", libc::SYS_bpf),
    ("clock_settime", libc::SYS_clock_settime),
    ("clone", libc::SYS_clone),
    ("clone3", libc::SYS_clone3),
    ("fanotify_init", libc::SYS_fanotify_init),
    ("fchmod", libc::SYS_fchmod),
    ("fchmodat2", 452),
    ("fchownat", libc::SYS_fchownat),
    ("fsetxattr", libc::SYS_fsetxattr),
    ("io_uring_setup", libc::SYS_io_uring_setup),
    ("ioprio_get", libc::SYS_ioprio_get),
    ("ioprio_set", libc::SYS_ioprio_set),
    ("kcmp", libc::SYS_kcmp),
    ("keyctl", libc::SYS_keyctl),
    ("linkat", libc::SYS_linkat),
    ("listxattr", libc::SYS_listxattr),
    ("lsetxattr", libc::SYS_lsetxattr),
    ("memfd_create", libc::SYS_memfd_create),
    ("mount", libc::SYS_mount),
    ("mq_open", libc::SYS_mq_open),
    ("open_by_handle_at", libc::SYS_open_by_handle_at),
    ("openat2", libc::SYS_openat2),
    ("perf_event_open", libc::SYS_perf_event_open),
    ("pidfd_getfd", libc::SYS_pidfd_getfd),
    ("pidfd_open", libc::SYS_pidfd_open),
    ("pidfd_send_signal", libc::SYS_pidfd_send_signal),
    ("prlimit64", libc::SYS_prlimit64),
    ("process_vm_readv", libc::SYS_process_vm_readv),
    ("process_vm_writev", libc::SYS_process_vm_writev),
    ("ptrace", libc::SYS_ptrace),
    ("renameat2", libc::SYS_renameat2),
    ("request_key", libc::SYS_request_key),
    ("rt_sigqueueinfo", libc::SYS_rt_sigqueueinfo),
    ("sched_getscheduler", libc::SYS_sched_getscheduler),
    ("sched_setaffinity", libc::SYS_sched_setaffinity),
    ("sched_setscheduler", libc::SYS_sched_setscheduler),
    ("sethostname", libc::SYS_sethostname),
    ("setns", libc::SYS_setns),
    ("setpriority", libc::SYS_setpriority),
    ("setxattr", libc::SYS_setxattr),
    ("tgkill", libc::SYS_tgkill),
    ("tkill", libc::SYS_tkill),
    ("unshare", libc::SYS_unshare),
    ("userfaultfd", libc::SYS_userfaultfd),
    ("utimensat", libc::SYS_utimensat),
];

fn job(witness: &Witness, script: &str, deadline: Duration) -> Job {
    let mut env: Vec<(Vec<u8>, Vec<u8>)> = [
        ("PATH", "/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin"),
        ("HOME", HOME),
        ("LC_ALL", "C"),
    ]
    .map(|(name, value)| (name.into(), value.into()))
    .to_vec();
    env.extend(
        CALLS.map(|(name, number)| (format!("SYS_{name}").into(), number.to_string().into())),
    );
    env.extend(witness.environment());
    Job {
        program: "/bin/bash".into(),
        argv: [&b"bash"[..], b"-c", script.as_bytes()]
            .map(<[u8]>::to_vec)
            .to_vec(),
        env,
        tree: vec![Entry::File(b"f".to_vec(), b"alpha\nbeta\n".to_vec())],
        stdin: Vec::new(),
        deadline,
        output_cap: 256 << 10,
        watch: Watch::Snapshot,
    }
}
