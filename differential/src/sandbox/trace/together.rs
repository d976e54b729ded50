//! How is the way between tracer and traced kept short? Both stay on one processor while it lasts, so that a stop is a switch
//! there, and no message to another one: half of what a stop costs.

use nix::sched::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
use nix::unistd::Pid;

/// While it lives, this thread stays on the processor where it is, and so does what it forks, even longer: that sees one
/// processor (`nproc`). Where the kernel does not allow it, nothing changes.
pub(in super::super) struct Together {
    before: Option<CpuSet>,
}

/// The calling thread.
const OWN: Pid = Pid::from_raw(0);

impl Together {
    /// Chosen anew each time, so that two tracers do not wait for the same one.
    pub(in super::super) fn here() -> Self {
        let stay = || {
            let before = sched_getaffinity(OWN)?;
            let mut one = CpuSet::new();
            one.set(sched_getcpu()?)?;
            sched_setaffinity(OWN, &one)?;
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
            let _ = sched_setaffinity(OWN, before);
        }
    }
}
