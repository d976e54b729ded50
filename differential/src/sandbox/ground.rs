//! What does a case stand on? What the two forms of the box do each in its own way, between a job and its observation.

use super::tree::Area;
use super::{CWD, Job, Observation};
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::collections::BTreeSet;
use std::ffi::{CStr, CString};

/// The ground of a worker.
pub(super) trait Ground {
    /// Where cases write.
    fn area(&self) -> &Area;
    /// The working directory of cases, for this process.
    fn cwd(&self) -> &CStr;
    /// Is every case to be traced, whatever its job says?
    fn traces_all(&self) -> bool;
    /// Makes the job fit for the ground; what of it does not fit.
    fn carry_in(&self, job: &mut Job) -> BTreeSet<String>;
    /// Shuts a case in: called by its first process, before anything of the case runs. Async-signal-safe.
    fn enter(&self) -> nix::Result<()>;
    /// Does the case have more than it may, files or processes? Asked now and then while it runs.
    fn is_full(&self) -> bool;
    /// Kills every process of the case, and waits until none is left; whether there was one.
    fn end_all(&self) -> bool;
    /// Puts the observation in the words of the job; what the ground could not do as the form *namespaces* does. All
    /// processes are gone, the tree is still there.
    fn carry_out(&self, seen: &mut Observation, lacks: &mut BTreeSet<String>);
}

/// The ground of PID 1 of namespaces: all that a case needs stands already.
pub(super) struct Namespaces {
    area: Area,
    cwd: CString,
}

impl Namespaces {
    pub(super) fn new(area: Area) -> Self {
        Self {
            area,
            cwd: CString::new(CWD).expect("the constant holds no zero byte"),
        }
    }
}

impl Ground for Namespaces {
    fn area(&self) -> &Area {
        &self.area
    }

    fn cwd(&self) -> &CStr {
        &self.cwd
    }

    fn traces_all(&self) -> bool {
        false
    }

    fn carry_in(&self, _: &mut Job) -> BTreeSet<String> {
        BTreeSet::new()
    }

    fn enter(&self) -> nix::Result<()> {
        Ok(())
    }

    /// Its file system has a size.
    fn is_full(&self) -> bool {
        false
    }

    fn end_all(&self) -> bool {
        let mut killed = false;
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG | WaitPidFlag::__WALL)) {
                // All descend from PID 1 and come to it when their parent ends: none is left.
                Err(Errno::ECHILD) => return killed,
                Ok(WaitStatus::StillAlive) => {
                    killed = true;
                    let _ = kill(Pid::from_raw(-1), Signal::SIGKILL);
                    let _ = waitpid(None, Some(WaitPidFlag::__WALL));
                }
                _ => {}
            }
        }
    }

    fn carry_out(&self, _: &mut Observation, _: &mut BTreeSet<String>) {}
}
