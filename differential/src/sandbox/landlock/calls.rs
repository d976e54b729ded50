//! Which calls does the supervisor answer, and what does each ask for? One table, read by the filter and by the supervisor.
//!
//! Landlock does not know the calls that change modes, owners, times and attributes, nor those that only look at a path, nor
//! sockets with a path. The tracer does not see what stands here.

use nix::libc;

/// Where a call has its file: numbers of arguments.
#[derive(Clone, Copy)]
pub(super) enum At {
    /// A path, relative to the working directory; whether a link at its end is followed.
    Path(usize, bool),
    /// A directory descriptor, a path, and the flags if there are any.
    Dir(usize, usize, Option<usize>),
    /// An open descriptor.
    Fd(usize),
}

/// How a call says the times it sets; the argument.
#[derive(Clone, Copy)]
pub(super) enum Times {
    /// Two `struct timespec`.
    Nanoseconds(usize),
    /// Two `struct timeval`.
    Microseconds(usize),
    /// Two `time_t`.
    Seconds(usize),
}

/// What a call asks for.
#[derive(Clone, Copy)]
pub(super) enum Ask {
    /// It only looks.
    Look(At),
    /// It sets the mode of this argument.
    Mode(At, usize),
    /// It sets the user and the group, the second argument after it.
    Owner(At, usize),
    /// It sets access and change time.
    Times(At, Times),
    /// It sets an attribute: name, value, size and flags from this argument on.
    Attribute(At, usize),
    /// It makes a socket of this family and type.
    Socket(usize, usize),
    /// It makes two that are connected, of this type.
    Pair(usize),
    /// The form *namespaces* lets it through, this one cannot.
    Refused,
}

use Ask::{Attribute, Look, Mode, Owner, Refused};
use At::{Dir, Fd, Path};

type Row = (libc::c_long, &'static str, Ask);

/// Calls newer than the `libc` crate; from 403 on all architectures share their numbers.
pub(super) const SYS_FCHMODAT2: libc::c_long = 452;
const SYS_SETXATTRAT: libc::c_long = 463;
const SYS_REMOVEXATTRAT: libc::c_long = 466;
const SYS_FILE_SETATTR: libc::c_long = 469;

#[rustfmt::skip]
const EVERYWHERE: &[Row] = &[
    (libc::SYS_fchmod, "fchmod", Mode(Fd(0), 1)),
    (libc::SYS_fchmodat, "fchmodat", Mode(Dir(0, 1, None), 2)),
    (SYS_FCHMODAT2, "fchmodat2", Mode(Dir(0, 1, Some(3)), 2)),
    (libc::SYS_fchown, "fchown", Owner(Fd(0), 1)),
    (libc::SYS_fchownat, "fchownat", Owner(Dir(0, 1, Some(4)), 2)),
    (libc::SYS_utimensat, "utimensat", Ask::Times(Dir(0, 1, Some(3)), Times::Nanoseconds(2))),
    (libc::SYS_setxattr, "setxattr", Attribute(Path(0, true), 1)),
    (libc::SYS_lsetxattr, "lsetxattr", Attribute(Path(0, false), 1)),
    (libc::SYS_fsetxattr, "fsetxattr", Attribute(Fd(0), 1)),
    (libc::SYS_removexattr, "removexattr", Refused),
    (libc::SYS_lremovexattr, "lremovexattr", Refused),
    (libc::SYS_fremovexattr, "fremovexattr", Refused),
    (SYS_SETXATTRAT, "setxattrat", Refused),
    (SYS_REMOVEXATTRAT, "removexattrat", Refused),
    (SYS_FILE_SETATTR, "file_setattr", Refused),
    (libc::SYS_socket, "socket", Ask::Socket(0, 1)),
    (libc::SYS_socketpair, "socketpair", Ask::Pair(1)),
    (libc::SYS_newfstatat, "newfstatat", Look(Dir(0, 1, Some(3)))),
    (libc::SYS_statx, "statx", Look(Dir(0, 1, Some(2)))),
    (libc::SYS_faccessat, "faccessat", Look(Dir(0, 1, None))),
    (libc::SYS_faccessat2, "faccessat2", Look(Dir(0, 1, Some(3)))),
    (libc::SYS_readlinkat, "readlinkat", Look(Dir(0, 1, None))),
    (libc::SYS_chdir, "chdir", Look(Path(0, true))),
    (libc::SYS_statfs, "statfs", Look(Path(0, true))),
    (libc::SYS_getxattr, "getxattr", Look(Path(0, true))),
    (libc::SYS_lgetxattr, "lgetxattr", Look(Path(0, false))),
    (libc::SYS_listxattr, "listxattr", Look(Path(0, true))),
    (libc::SYS_llistxattr, "llistxattr", Look(Path(0, false))),
    (libc::SYS_inotify_add_watch, "inotify_add_watch", Look(Path(1, true))),
];

#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
const HERE: &[Row] = &[
    (libc::SYS_chmod, "chmod", Mode(Path(0, true), 1)),
    (libc::SYS_chown, "chown", Owner(Path(0, true), 1)),
    (libc::SYS_lchown, "lchown", Owner(Path(0, false), 1)),
    (libc::SYS_utime, "utime", Ask::Times(Path(0, true), Times::Seconds(1))),
    (libc::SYS_utimes, "utimes", Ask::Times(Path(0, true), Times::Microseconds(1))),
    (libc::SYS_futimesat, "futimesat", Ask::Times(Dir(0, 1, None), Times::Microseconds(2))),
    (libc::SYS_stat, "stat", Look(Path(0, true))),
    (libc::SYS_lstat, "lstat", Look(Path(0, false))),
    (libc::SYS_access, "access", Look(Path(0, true))),
    (libc::SYS_readlink, "readlink", Look(Path(0, false))),
];

#[cfg(not(target_arch = "x86_64"))]
const HERE: &[Row] = &[];

fn rows() -> impl Iterator<Item = &'static Row> {
    EVERYWHERE.iter().chain(HERE)
}

/// Numbers of the calls of the table, in no order.
pub(super) fn numbers() -> impl Iterator<Item = u32> {
    rows().map(|row| u32::try_from(row.0).expect("numbers of calls are small"))
}

/// Name and meaning of a call of the table.
pub(super) fn find(number: libc::c_long) -> Option<(&'static str, Ask)> {
    rows().find(|row| row.0 == number).map(|row| (row.1, row.2))
}
