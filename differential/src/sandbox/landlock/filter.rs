//! Which calls are put to the supervisor? The table of [`calls`] as a seccomp program, and its way to the supervisor.

use super::calls::{self, Ask, At};
use crate::sandbox::trace::{answer, instruction, jump, search};
use nix::errno::Errno;
use nix::libc;
use seccompiler::BpfProgram;
use std::mem::{size_of, zeroed};
use std::os::fd::{AsRawFd, BorrowedFd};

/// Where `struct seccomp_data` has the number of the call, and its arguments of eight bytes, the low half first.
const NUMBER: u32 = 0;
const ARGUMENTS: u32 = 16;

/// The filter. It comes after those of the worker, which look at the architecture.
pub(super) fn filter() -> BpfProgram {
    let mut numbers: Vec<u32> = calls::numbers().collect();
    numbers.sort_unstable();
    let mut program = vec![instruction(
        libc::BPF_LD | libc::BPF_W | libc::BPF_ABS,
        NUMBER,
    )];
    program.extend(search(&numbers, &asked));
    program
}

/// What follows when the number is this one. A look at an open descriptor needs no answer: its opening was seen.
fn asked(number: u32) -> BpfProgram {
    let supervisor = answer(libc::SECCOMP_RET_USER_NOTIF);
    match calls::find(number.into()) {
        Some((_, Ask::Look(At::Dir(_, _, Some(flags))))) => vec![
            instruction(
                libc::BPF_LD | libc::BPF_W | libc::BPF_ABS,
                ARGUMENTS + 8 * flags as u32,
            ),
            jump(libc::BPF_JSET, libc::AT_EMPTY_PATH as u32, 0, 1),
            answer(libc::SECCOMP_RET_ALLOW),
            supervisor,
        ],
        _ => vec![supervisor],
    }
}

/// Puts the filter on for good, and hands the other end of it to the supervisor. Async-signal-safe.
pub(super) fn put_on(filter: &BpfProgram, supervisor: BorrowedFd<'_>) -> nix::Result<()> {
    let program = libc::sock_fprog {
        len: filter.len() as u16,
        filter: filter.as_ptr().cast_mut().cast(),
    };
    // SAFETY: the kernel reads the program, which outlives the call.
    let listener = Errno::result(unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_NEW_LISTENER | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
            &raw const program,
        )
    })? as i32;
    send(supervisor, listener)?;
    // SAFETY: the descriptor was made above and is used no more.
    Errno::result(unsafe { libc::close(listener) }).map(drop)
}

/// Sends a descriptor with one byte, without the heap.
fn send(socket: BorrowedFd<'_>, fd: i32) -> nix::Result<()> {
    #[repr(C, align(8))]
    struct Control([u8; 64]);
    let mut byte = 0u8;
    let mut part = libc::iovec {
        iov_base: (&raw mut byte).cast(),
        iov_len: 1,
    };
    let mut control = Control([0; 64]);
    // SAFETY: a message without anything is all zeros.
    let mut message: libc::msghdr = unsafe { zeroed() };
    message.msg_iov = &raw mut part;
    message.msg_iovlen = 1;
    message.msg_control = (&raw mut control).cast();
    // SAFETY: computes lengths; the header and one descriptor take less than the room given, which is aligned for it.
    unsafe {
        message.msg_controllen = libc::CMSG_SPACE(size_of::<i32>() as u32) as _;
        let header = libc::CMSG_FIRSTHDR(&raw const message);
        (*header).cmsg_level = libc::SOL_SOCKET;
        (*header).cmsg_type = libc::SCM_RIGHTS;
        (*header).cmsg_len = libc::CMSG_LEN(size_of::<i32>() as u32) as _;
        libc::CMSG_DATA(header).cast::<i32>().write_unaligned(fd);
    }
    // SAFETY: all that the message points to outlives the call.
    Errno::result(unsafe { libc::sendmsg(socket.as_raw_fd(), &raw const message, 0) }).map(drop)
}
