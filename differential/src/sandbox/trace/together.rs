//! How is the way between tracer and traced kept short? Both stay on one processor while it lasts, so that a stop is a switch
//! there, and no message to another one: half of what a stop costs.

use nix::sched::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
use nix::unistd::Pid;

/// Processors on which a thread may run.
#[derive(Clone, Copy)]
pub(super) struct Cpus(CpuSet);

impl Cpus {
    pub(super) fn of_this_thread() -> nix::Result<Self> {
        sched_getaffinity(OWN).map(Self)
    }

    pub(super) fn put_on_this_thread(&self) -> nix::Result<()> {
        sched_setaffinity(OWN, &self.0)
    }
}

/// While it lives, this thread stays on the processor where it is, and so does what it starts, even longer: that sees one
/// processor (`nproc`). Where the kernel does not allow it, nothing changes.
pub(in super::super) struct Together {
    before: Option<Cpus>,
}

/// The calling thread.
const OWN: Pid = Pid::from_raw(0);

impl Together {
    /// Chosen anew each time, so that two tracers do not wait for the same one.
    pub(in super::super) fn here() -> Self {
        let stay = || {
            let before = Cpus::of_this_thread()?;
            let mut one = CpuSet::new();
            one.set(sched_getcpu()?)?;
            Cpus(one).put_on_this_thread()?;
            nix::Result::Ok(before)
        };
        Together {
            before: stay().ok(),
        }
    }
}

impl Drop for Together {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            // It was allowed before.
            let _ = before.put_on_this_thread();
        }
    }
}
