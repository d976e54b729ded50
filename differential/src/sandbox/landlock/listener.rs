//! How does the supervisor hear of a call, and how does it answer? The other end of the filter of one case.

use nix::errno::Errno;
use nix::libc;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::{ControlMessageOwned, MsgFlags, recvmsg};
use std::io::IoSliceMut;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};

/// What a call is answered.
pub(super) enum Answer {
    /// The kernel makes it.
    GoOn,
    /// It was made, or is refused.
    Result(nix::Result<()>),
}

/// `SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP`.
const SYNC_WAKE_UP: libc::c_ulong = 1;

/// The other end of a filter.
pub(super) struct Listener(OwnedFd);

impl Listener {
    /// The one of the next case; `None` when the worker ends.
    pub(super) fn receive(socket: &OwnedFd) -> Option<Self> {
        let mut byte = [0];
        let mut parts = [IoSliceMut::new(&mut byte)];
        let mut space = nix::cmsg_space!(i32);
        loop {
            let flags = MsgFlags::MSG_CMSG_CLOEXEC;
            let received = recvmsg::<()>(socket.as_raw_fd(), &mut parts, Some(&mut space), flags);
            let fd = match received {
                Err(Errno::EINTR) => continue,
                Err(_) => return None,
                Ok(message) => message.cmsgs().ok()?.find_map(|control| match control {
                    ControlMessageOwned::ScmRights(fds) => fds.first().copied(),
                    _ => None,
                }),
            };
            // SAFETY: the kernel made this descriptor for this message.
            let listener = Self(unsafe { OwnedFd::from_raw_fd(fd?) });
            // Caller and supervisor take turns, best on one processor; an older kernel does without.
            // SAFETY: takes plain numbers.
            unsafe { libc::ioctl(fd?, libc::SECCOMP_IOCTL_NOTIF_SET_FLAGS, SYNC_WAKE_UP) };
            return Some(listener);
        }
    }

    /// Waits until a call is put or the last process under the filter has ended; whether the first.
    pub(super) fn is_asked(&self) -> bool {
        loop {
            let mut fds = [PollFd::new(self.0.as_fd(), PollFlags::POLLIN)];
            match poll(&mut fds, PollTimeout::NONE) {
                Err(Errno::EINTR) => {}
                Err(_) => return false,
                Ok(_) => {
                    let seen = fds[0].revents().unwrap_or(PollFlags::empty());
                    return seen.contains(PollFlags::POLLIN);
                }
            }
        }
    }

    /// The call that is put; none when its process was killed meanwhile.
    pub(super) fn next(&self) -> Option<libc::seccomp_notif> {
        // SAFETY: the kernel wants the structure all zeros.
        let mut request: libc::seccomp_notif = unsafe { std::mem::zeroed() };
        // SAFETY: the structure is the one of this request and outlives the call.
        let result = unsafe {
            libc::ioctl(
                self.0.as_raw_fd(),
                libc::SECCOMP_IOCTL_NOTIF_RECV,
                &raw mut request,
            )
        };
        (result == 0).then_some(request)
    }

    /// Does the process still wait?
    pub(super) fn is_valid(&self, request: &libc::seccomp_notif) -> bool {
        // SAFETY: the number outlives the call.
        let result = unsafe {
            libc::ioctl(
                self.0.as_raw_fd(),
                libc::SECCOMP_IOCTL_NOTIF_ID_VALID,
                &raw const request.id,
            )
        };
        result == 0
    }

    /// Answers; it fails only when the process was killed meanwhile.
    pub(super) fn reply(&self, request: &libc::seccomp_notif, answer: Answer) {
        let (error, flags) = match answer {
            Answer::GoOn => (0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32),
            Answer::Result(Ok(())) => (0, 0),
            Answer::Result(Err(errno)) => (-(errno as i32), 0),
        };
        let response = libc::seccomp_notif_resp {
            id: request.id,
            val: 0,
            error,
            flags,
        };
        // SAFETY: the structure is the one of this request and outlives the call.
        unsafe {
            libc::ioctl(
                self.0.as_raw_fd(),
                libc::SECCOMP_IOCTL_NOTIF_SEND,
                &raw const response,
            )
        };
    }
}
