//! Which system calls are of interest, and what does each ask for? One table, read by the filter and by the tracer.
//!
//! Left out on purpose: calls that only look (`stat`, `access`, `readlink`), calls on a descriptor whose opening says as
//! much (`write`, `ftruncate`), and `connect`, for which a socket was made before.

use super::super::Call;
use super::memory;
use nix::libc;
use nix::unistd::Pid;

/// Where a call has its file: numbers of arguments.
#[derive(Clone, Copy)]
enum At {
    /// A path, relative to the working directory.
    Path(usize),
    /// A directory descriptor and a path.
    Dir(usize, usize),
    /// An open descriptor.
    Fd(usize),
}

/// Where a call has its open flags.
#[derive(Clone, Copy)]
enum Flags {
    Argument(usize),
    /// At the beginning of a `struct open_how`.
    How(usize),
    /// In the name of the call.
    Creat,
}

/// What a call asks for.
#[derive(Clone, Copy)]
enum Shape {
    Execute { at: At, argv: usize },
    Open { at: At, flags: Flags },
    Alter(At),
    Pair(At, At),
    Symlink { text: usize, at: At },
    Socket,
}

type Row = (libc::c_long, &'static str, Shape);

/// Calls newer than the `libc` crate; from 403 on all architectures share their numbers.
const SYS_FCHMODAT2: libc::c_long = 452;
const SYS_SETXATTRAT: libc::c_long = 463;
const SYS_REMOVEXATTRAT: libc::c_long = 466;
const SYS_FILE_SETATTR: libc::c_long = 469;

use At::{Dir, Fd, Path};
use Shape::{Alter, Execute, Open, Pair, Socket, Symlink};

const EVERYWHERE: &[Row] = &[
    (
        libc::SYS_execve,
        "execve",
        Execute {
            at: Path(0),
            argv: 1,
        },
    ),
    (
        libc::SYS_execveat,
        "execveat",
        Execute {
            at: Dir(0, 1),
            argv: 2,
        },
    ),
    (
        libc::SYS_openat,
        "openat",
        Open {
            at: Dir(0, 1),
            flags: Flags::Argument(2),
        },
    ),
    (
        libc::SYS_openat2,
        "openat2",
        Open {
            at: Dir(0, 1),
            flags: Flags::How(2),
        },
    ),
    (libc::SYS_truncate, "truncate", Alter(Path(0))),
    (libc::SYS_renameat2, "renameat2", Pair(Dir(0, 1), Dir(2, 3))),
    (libc::SYS_linkat, "linkat", Pair(Dir(0, 1), Dir(2, 3))),
    (
        libc::SYS_symlinkat,
        "symlinkat",
        Symlink {
            text: 0,
            at: Dir(1, 2),
        },
    ),
    (libc::SYS_unlinkat, "unlinkat", Alter(Dir(0, 1))),
    (libc::SYS_mkdirat, "mkdirat", Alter(Dir(0, 1))),
    (libc::SYS_mknodat, "mknodat", Alter(Dir(0, 1))),
    (libc::SYS_fchmod, "fchmod", Alter(Fd(0))),
    (libc::SYS_fchmodat, "fchmodat", Alter(Dir(0, 1))),
    (SYS_FCHMODAT2, "fchmodat2", Alter(Dir(0, 1))),
    (libc::SYS_fchown, "fchown", Alter(Fd(0))),
    (libc::SYS_fchownat, "fchownat", Alter(Dir(0, 1))),
    (libc::SYS_utimensat, "utimensat", Alter(Dir(0, 1))),
    (libc::SYS_setxattr, "setxattr", Alter(Path(0))),
    (libc::SYS_lsetxattr, "lsetxattr", Alter(Path(0))),
    (libc::SYS_fsetxattr, "fsetxattr", Alter(Fd(0))),
    (SYS_SETXATTRAT, "setxattrat", Alter(Dir(0, 1))),
    (libc::SYS_removexattr, "removexattr", Alter(Path(0))),
    (libc::SYS_lremovexattr, "lremovexattr", Alter(Path(0))),
    (libc::SYS_fremovexattr, "fremovexattr", Alter(Fd(0))),
    (SYS_REMOVEXATTRAT, "removexattrat", Alter(Dir(0, 1))),
    (SYS_FILE_SETATTR, "file_setattr", Alter(Dir(0, 1))),
    (libc::SYS_socket, "socket", Socket),
];

#[cfg(target_arch = "x86_64")]
const HERE: &[Row] = &[
    (
        libc::SYS_open,
        "open",
        Open {
            at: Path(0),
            flags: Flags::Argument(1),
        },
    ),
    (
        libc::SYS_creat,
        "creat",
        Open {
            at: Path(0),
            flags: Flags::Creat,
        },
    ),
    (libc::SYS_rename, "rename", Pair(Path(0), Path(1))),
    (libc::SYS_renameat, "renameat", Pair(Dir(0, 1), Dir(2, 3))),
    (libc::SYS_link, "link", Pair(Path(0), Path(1))),
    (
        libc::SYS_symlink,
        "symlink",
        Symlink {
            text: 0,
            at: Path(1),
        },
    ),
    (libc::SYS_unlink, "unlink", Alter(Path(0))),
    (libc::SYS_rmdir, "rmdir", Alter(Path(0))),
    (libc::SYS_mkdir, "mkdir", Alter(Path(0))),
    (libc::SYS_mknod, "mknod", Alter(Path(0))),
    (libc::SYS_chmod, "chmod", Alter(Path(0))),
    (libc::SYS_chown, "chown", Alter(Path(0))),
    (libc::SYS_lchown, "lchown", Alter(Path(0))),
    (libc::SYS_utime, "utime", Alter(Path(0))),
    (libc::SYS_utimes, "utimes", Alter(Path(0))),
    (libc::SYS_futimesat, "futimesat", Alter(Dir(0, 1))),
];

/// The one old call this architecture kept; the `libc` crate lacks its number.
#[cfg(target_arch = "aarch64")]
const HERE: &[Row] = &[(38, "renameat", Pair(Dir(0, 1), Dir(2, 3)))];

fn rows() -> impl Iterator<Item = &'static Row> {
    EVERYWHERE.iter().chain(HERE)
}

/// Numbers of the calls of the table, in no order.
pub(super) fn numbers() -> impl Iterator<Item = u32> {
    rows().map(|row| u32::try_from(row.0).expect("numbers of calls are small"))
}

/// Names of the system calls that the tracer sees, in no order.
pub fn traced_calls() -> impl Iterator<Item = &'static str> {
    rows().map(|row| row.1)
}

/// What the stopped thread asks for; `None` for a call outside the table.
///
/// # Errors
///
/// `ESRCH` when the thread is gone.
pub(super) fn decode(tid: Pid, number: u64, arguments: &[u64; 6]) -> nix::Result<Option<Call>> {
    let Some((_, name, shape)) = rows().find(|row| u64::try_from(row.0) == Ok(number)) else {
        return Ok(None);
    };
    let place = |at| place(tid, at, arguments);
    let call = match *shape {
        Execute { at, argv } => {
            let (base, path) = place(at)?;
            let from_descriptor =
                matches!(at, Dir(fd, _) if arguments[fd] as i32 != libc::AT_FDCWD);
            let path = if from_descriptor {
                join(base, path)
            } else {
                path
            };
            Call::Execute {
                path,
                argv: memory::words(tid, arguments[argv])?,
            }
        }
        Open { at, flags } => {
            let (base, path) = place(at)?;
            let flags = match flags {
                Flags::Argument(n) => arguments[n] as i32,
                Flags::How(n) => memory::number(tid, arguments[n])? as i32,
                Flags::Creat => libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC,
            };
            Call::Open { base, path, flags }
        }
        Alter(at) => {
            let (base, path) = place(at)?;
            Call::Alter {
                call: (*name).to_owned(),
                base,
                path,
                to: None,
            }
        }
        Pair(from, to) => {
            let (base, path) = place(from)?;
            let (to_base, to) = place(to)?;
            let to = if to_base == base {
                to
            } else {
                join(to_base, to)
            };
            Call::Alter {
                call: (*name).to_owned(),
                base,
                path,
                to: Some(to),
            }
        }
        Symlink { text, at } => {
            let (base, path) = place(at)?;
            let text = memory::string(tid, arguments[text], memory::PATH_MAX)?;
            Call::Alter {
                call: (*name).to_owned(),
                base,
                path,
                to: Some(text),
            }
        }
        Socket => Call::Socket {
            family: arguments[0] as i32,
        },
    };
    Ok(Some(call))
}

/// The directory a path is relative to (empty for an absolute path), and the path as spelled (empty for a descriptor).
fn place(tid: Pid, at: At, arguments: &[u64; 6]) -> nix::Result<(Vec<u8>, Vec<u8>)> {
    let (directory, path) = match at {
        Path(path) => (
            libc::AT_FDCWD,
            memory::string(tid, arguments[path], memory::PATH_MAX)?,
        ),
        Dir(fd, path) => (
            arguments[fd] as i32,
            memory::string(tid, arguments[path], memory::PATH_MAX)?,
        ),
        Fd(fd) => (arguments[fd] as i32, Vec::new()),
    };
    let base = if path.starts_with(b"/") {
        Vec::new()
    } else {
        memory::descriptor(tid, directory)
    };
    Ok((base, path))
}

/// One path from a base and a path relative to it.
fn join(mut base: Vec<u8>, path: Vec<u8>) -> Vec<u8> {
    if base.is_empty() {
        return path;
    }
    if !path.is_empty() {
        base.push(b'/');
        base.extend(path);
    }
    base
}
