//! Why is there no box, or no observation? With what helps.

use super::Form;
use nix::errno::Errno;
use std::{fmt, io};

/// Why there is no box: nothing may be run.
#[derive(Clone, Debug)]
pub struct Unavailable {
    /// The step of building the box that failed.
    pub step: String,
    /// What the kernel said.
    pub reason: String,
    /// What helps.
    pub remedy: String,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no box: {}: {}; {}", self.step, self.reason, self.remedy)
    }
}

impl std::error::Error for Unavailable {}

impl Unavailable {
    pub(super) fn refused(form: Form, step: String, errno: i32) -> Self {
        let remedy = match Errno::from_raw(errno) {
            _ if form == Form::Landlock => {
                "use Linux 6.12 or newer with Landlock (lsm=landlock,…) and a seccomp profile that allows it, and a temporary \
                 folder that runs programs and keeps access times"
            }
            Errno::ENOSYS => "use Linux 5.12 or newer",
            Errno::ENOSPC => "raise user.max_user_namespaces",
            _ => {
                "allow unprivileged user namespaces (kernel.unprivileged_userns_clone=1, \
                 kernel.apparmor_restrict_unprivileged_userns=0), or run as root in a virtual machine; \
                 a container needs an unmasked /proc and a seccomp profile that allows unshare and mount"
            }
        };
        Self {
            step,
            reason: text(errno),
            remedy: remedy.into(),
        }
    }

    /// Neither form could be built.
    pub(super) fn neither(namespaces: Self, landlock: Self) -> Self {
        Self {
            step: format!(
                "{}: {}: {}; {}",
                Form::Namespaces,
                namespaces.step,
                namespaces.reason,
                Form::Landlock
            ),
            reason: format!("{}: {}", landlock.step, landlock.reason),
            remedy: format!("{}; or {}", namespaces.remedy, landlock.remedy),
        }
    }

    pub(super) fn start(error: &io::Error) -> Self {
        Self {
            step: "starting a worker".into(),
            reason: error.to_string(),
            remedy: "the program must be able to start itself (/proc/self/exe)".into(),
        }
    }

    pub(super) fn silent(error: &io::Error) -> Self {
        Self {
            step: "starting a worker".into(),
            reason: format!("it ended or went silent before its box stood ({error})"),
            remedy: "the first line of main must be sandbox::become_worker_if_asked()".into(),
        }
    }
}

/// `Operation not permitted (EPERM)`.
pub(super) fn text(errno: i32) -> String {
    let errno = Errno::from_raw(errno);
    format!("{} ({errno:?})", errno.desc())
}

/// Why a job has no observation.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The job cannot be run as it stands: its program is missing, its tree or standard input cannot be laid.
    Job(String),
    /// The worker was lost on it, or there is none any more.
    Worker(String),
    /// The form of the box in force cannot run it faithfully: what it needed.
    Form(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Job(reason) => write!(f, "job: {reason}"),
            Failure::Worker(reason) => write!(f, "box worker: {reason}"),
            Failure::Form(needs) => {
                write!(f, "the box in force cannot run it as it stands: {needs}")
            }
        }
    }
}

impl std::error::Error for Failure {}
