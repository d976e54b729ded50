//! How does a blocking wait come back now and then, without another thread? A timer that interrupts this thread.

use nix::libc;
use nix::sys::signal::{
    SaFlags, SigAction, SigEvent, SigHandler, SigSet, SigevNotify, SigmaskHow, Signal,
    pthread_sigmask, sigaction,
};
use nix::sys::timer::{Expiration, Timer, TimerSetTimeFlags};
use nix::time::ClockId;
use nix::unistd::gettid;
use std::cell::Cell;
use std::io;
use std::time::Duration;

thread_local! {
    /// A tick has come since it was last asked about.
    static COME: Cell<bool> = const { Cell::new(false) };
}

/// While it lives, a blocking system call of the thread that made it ends with `EINTR` after at most `period`.
///
/// A lost tick (one that comes just before the call) is made up by the next. The signal is `SIGALRM`; its handler notes the
/// tick and stays for the life of the process (an `execve` resets it), the mask of the thread is given back.
pub(super) struct Tick {
    mask: SigSet,
    _timer: Timer,
}

impl Tick {
    pub(super) fn every(period: Duration) -> io::Result<Self> {
        extern "C" fn note(_: libc::c_int) {
            COME.set(true);
        }
        let action = SigAction::new(SigHandler::Handler(note), SaFlags::empty(), SigSet::empty());
        // SAFETY: the handler sets a flag of its thread that needs no making; without SA_RESTART it serves to interrupt.
        unsafe { sigaction(Signal::SIGALRM, &action) }?;
        let mut timer = Timer::new(
            ClockId::CLOCK_MONOTONIC,
            SigEvent::new(SigevNotify::SigevThreadId {
                signal: Signal::SIGALRM,
                thread_id: gettid().as_raw(),
                si_value: 0,
            }),
        )?;
        let mut mask = SigSet::empty();
        pthread_sigmask(
            SigmaskHow::SIG_UNBLOCK,
            Some(&SigSet::from(Signal::SIGALRM)),
            Some(&mut mask),
        )?;
        timer.set(
            Expiration::Interval(period.into()),
            TimerSetTimeFlags::empty(),
        )?;
        Ok(Self {
            mask,
            _timer: timer,
        })
    }

    /// Whether there was a tick since the last look: asking costs no look at the clock.
    pub(super) fn has_come(&self) -> bool {
        COME.replace(false)
    }
}

impl Drop for Tick {
    fn drop(&mut self) {
        // The mask is one this thread had, so setting it cannot fail.
        let _ = self.mask.thread_set_mask();
    }
}
