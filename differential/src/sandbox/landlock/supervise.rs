//! What is answered to a case that asks for what Landlock does not know? A thread of the worker that makes some calls in its
//! stead, and notes what this form cannot do faithfully.
//!
//! A call that changes a file is made here, on a descriptor whose place was looked at, so that nothing can be put in between.
//! A call that only looks is answered that nothing is there where the form *namespaces* has nothing; else it goes on by itself.
//! That decides what the case sees, not what it can reach: a thread that changes the path meanwhile sees a part of the machine.

use super::calls::{self, Ask, At, Times};
use super::listener::{Answer, Listener};
use super::paths::Paths;
use crate::sandbox::trace::{bytes, string};
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag, OpenHow, ResolveFlag, open, openat2, readlink};
use nix::libc;
use nix::sys::stat::Mode;
use nix::unistd::{Gid, Pid, Uid, fchownat};
use std::collections::BTreeSet;
use std::ffi::{CString, OsString};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// What the cases did that this form cannot run faithfully.
#[derive(Clone, Default)]
pub(super) struct Notes(Arc<Mutex<BTreeSet<String>>>);

impl Notes {
    /// What was noted of the case that has ended. All its processes are gone, so nothing of it is noted later.
    pub(super) fn take(&self) -> BTreeSet<String> {
        std::mem::take(&mut self.lock())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers one case after another; their filters come over this socket.
pub(super) fn supervise(socket: &OwnedFd, paths: &Paths, notes: &Notes) {
    while let Some(listener) = Listener::receive(socket) {
        while listener.is_asked() {
            if let Some(request) = listener.next() {
                // Held to the end: when the case is over, no call is half made, and none is made after it.
                let mut noted = notes.lock();
                if listener.is_valid(&request) {
                    let (answer, note) = judge(&request, paths);
                    noted.extend(note);
                    listener.reply(&request, answer);
                }
            }
        }
    }
}

/// The type of a socket without its flags.
const KIND_OF_SOCKET: i32 = 0xf;

fn judge(request: &libc::seccomp_notif, paths: &Paths) -> (Answer, Option<String>) {
    let Some((name, ask)) = calls::find(request.data.nr.into()) else {
        return (Answer::Result(Err(Errno::ENOSYS)), None);
    };
    let case = Case {
        tid: Pid::from_raw(request.pid as i32),
        arguments: request.data.args,
        paths,
    };
    match ask {
        Ask::Look(at) => case.look(at),
        Ask::Refused => (Answer::Result(Err(Errno::EACCES)), Some(name.to_owned())),
        // A path or an address would be looked at too late. What the C library asks for users is in neither form.
        Ask::Socket(family, kind) => {
            let [family, kind] = [family, kind].map(|at| case.arguments[at] as i32);
            let of_library = libc::SOCK_STREAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
            (
                Answer::Result(Err(Errno::EACCES)),
                (family != libc::AF_UNIX || kind != of_library)
                    .then(|| format!("a socket of family {family}")),
            )
        }
        // One of the others can send to any path although it is connected.
        Ask::Pair(kind) => match case.arguments[kind] as i32 & KIND_OF_SOCKET {
            libc::SOCK_STREAM | libc::SOCK_SEQPACKET => (Answer::GoOn, None),
            _ => (
                Answer::Result(Err(Errno::EACCES)),
                Some("a pair of datagram sockets".to_owned()),
            ),
        },
        Ask::Mode(at, _) | Ask::Owner(at, _) | Ask::Times(at, _) | Ask::Attribute(at, _) => {
            match case.place(at) {
                Ok(file) => {
                    let done = case.change(ask, file.as_fd());
                    let note = (done == Err(Errno::EPERM)).then(|| name.to_owned());
                    (Answer::Result(done), note)
                }
                Err(Missed::Elsewhere(path)) => (
                    Answer::Result(Err(Errno::EPERM)),
                    Some(format!("{name} of {path}")),
                ),
                Err(Missed::Error(errno)) => (
                    Answer::Result(Err(errno)),
                    matches!(errno, Errno::EACCES | Errno::ELOOP).then(|| name.to_owned()),
                ),
            }
        }
    }
}

/// A thread of a case that waits for an answer.
struct Case<'a> {
    tid: Pid,
    arguments: [u64; 6],
    paths: &'a Paths,
}

/// Why a file is not one that the case may change.
enum Missed {
    Elsewhere(String),
    Error(Errno),
}

impl Case<'_> {
    /// The file, if it is in the case area; opened without rights, so that it stays the one that was looked at.
    fn place(&self, at: At) -> Result<OwnedFd, Missed> {
        let file = self.open(at).map_err(Missed::Error)?;
        let path = path_of(file.as_fd()).map_err(Missed::Error)?;
        if self.paths.is_own(&path) {
            Ok(file)
        } else {
            Err(Missed::Elsewhere(self.paths.shown(&path)))
        }
    }

    /// Lets it look at what both forms show, and hides what this one does not hide by itself.
    fn look(&self, at: At) -> (Answer, Option<String>) {
        let note = |path: &[u8]| Some(format!("a look at {}", self.paths.shown(path)));
        let Some(spelled) = self.spelled(at) else {
            return (Answer::GoOn, None);
        };
        if self.paths.is_standard(&spelled) {
            return (Answer::GoOn, None);
        }
        if let Some(lack) = self.paths.lack_at(&spelled) {
            return (Answer::GoOn, Some(lack));
        }
        let path = match self.open(at).and_then(|file| path_of(file.as_fd())) {
            Ok(path) => path,
            // A folder on the way denies it; where nothing else is, it is not there.
            Err(Errno::EACCES) => return (Answer::Result(Err(Errno::ENOENT)), None),
            Err(Errno::ELOOP) => return (Answer::GoOn, note(&spelled)),
            Err(_) => return (Answer::GoOn, None),
        };
        if self.paths.is_shown(&path) {
            (Answer::GoOn, None)
        } else if self.paths.is_hidden(&path) {
            (Answer::Result(Err(Errno::ENOENT)), None)
        } else {
            (Answer::GoOn, note(&path))
        }
    }

    /// The path as spelled.
    fn spelled(&self, at: At) -> Option<Vec<u8>> {
        match at {
            At::Path(path, _) | At::Dir(_, path, _) => {
                string(self.tid, self.arguments[path], libc::PATH_MAX as usize).ok()
            }
            At::Fd(_) => None,
        }
    }

    fn open(&self, at: At) -> nix::Result<OwnedFd> {
        let (directory, path, follow) = match at {
            At::Fd(fd) => return self.descriptor(self.arguments[fd] as i32),
            At::Path(path, follow) => (libc::AT_FDCWD, path, follow),
            At::Dir(directory, path, flags) => {
                let flags = flags.map_or(0, |flags| self.arguments[flags] as i32);
                let follow = flags & libc::AT_SYMLINK_NOFOLLOW == 0;
                (self.arguments[directory] as i32, path, follow)
            }
        };
        if self.arguments[path] == 0 {
            return self.descriptor(directory);
        }
        let path = string(self.tid, self.arguments[path], libc::PATH_MAX as usize)?;
        if path.is_empty() {
            return match at {
                At::Dir(_, _, Some(flags))
                    if self.arguments[flags] as i32 & libc::AT_EMPTY_PATH != 0 =>
                {
                    self.descriptor(directory)
                }
                _ => Err(Errno::ENOENT),
            };
        }
        // Its own links into /proc are not those of the supervisor.
        let base = match path[0] {
            b'/' => None,
            _ => Some(self.descriptor(directory)?),
        };
        let flags = OFlag::O_PATH | OFlag::O_CLOEXEC;
        let how = OpenHow::new()
            .flags(if follow {
                flags
            } else {
                flags | OFlag::O_NOFOLLOW
            })
            .resolve(ResolveFlag::RESOLVE_NO_MAGICLINKS);
        match base {
            Some(base) => openat2(base, &path[..], how),
            None => openat2(AT_FDCWD, &path[..], how),
        }
    }

    /// What an open descriptor of the case, or its working directory, leads to.
    fn descriptor(&self, fd: i32) -> nix::Result<OwnedFd> {
        let link = match fd {
            libc::AT_FDCWD => format!("/proc/{}/cwd", self.tid),
            fd => format!("/proc/{}/fd/{fd}", self.tid),
        };
        open(&link[..], OFlag::O_PATH | OFlag::O_CLOEXEC, Mode::empty()).map_err(
            |errno| match errno {
                Errno::ENOENT => Errno::EBADF,
                other => other,
            },
        )
    }

    /// Makes the call on a file of the case.
    fn change(&self, ask: Ask, file: BorrowedFd<'_>) -> nix::Result<()> {
        let fd = file.as_raw_fd();
        match ask {
            Ask::Mode(_, mode) => {
                // SAFETY: the path is an empty C string.
                let result = unsafe {
                    libc::syscall(
                        calls::SYS_FCHMODAT2,
                        fd,
                        c"".as_ptr(),
                        self.arguments[mode] as libc::mode_t,
                        libc::AT_EMPTY_PATH,
                    )
                };
                Errno::result(result).map(drop)
            }
            Ask::Owner(_, at) => {
                let id = |argument: u64| match argument as u32 {
                    u32::MAX => None,
                    id => Some(id),
                };
                let user = id(self.arguments[at]).map(Uid::from_raw);
                let group = id(self.arguments[at + 1]).map(Gid::from_raw);
                fchownat(file, "", user, group, AtFlags::AT_EMPTY_PATH)
            }
            Ask::Times(_, times) => {
                let times = self.times(times)?;
                let times = times
                    .as_ref()
                    .map_or(std::ptr::null(), |times| times.as_ptr());
                // SAFETY: the path is an empty C string; the times are two, or none, and outlive the call.
                let result =
                    unsafe { libc::utimensat(fd, c"".as_ptr(), times, libc::AT_EMPTY_PATH) };
                Errno::result(result).map(drop)
            }
            Ask::Attribute(_, at) => self.set_attribute(at, fd),
            Ask::Look(_) | Ask::Socket(..) | Ask::Pair(_) | Ask::Refused => Err(Errno::ENOSYS),
        }
    }

    fn times(&self, times: Times) -> nix::Result<Option<[libc::timespec; 2]>> {
        let (Times::Nanoseconds(at) | Times::Microseconds(at) | Times::Seconds(at)) = times;
        if self.arguments[at] == 0 {
            return Ok(None);
        }
        let numbers = if matches!(times, Times::Seconds(_)) {
            2
        } else {
            4
        };
        let read = bytes(self.tid, self.arguments[at], numbers * 8)?;
        let numbers: Vec<i64> = read
            .chunks_exact(8)
            .map(|chunk| i64::from_ne_bytes(chunk.try_into().expect("chunks of eight")))
            .collect();
        let time = |tv_sec, tv_nsec| libc::timespec { tv_sec, tv_nsec };
        match (times, &numbers[..]) {
            (Times::Nanoseconds(_), &[s, ns, t, nt]) => Ok(Some([time(s, ns), time(t, nt)])),
            (Times::Microseconds(_), &[s, us, t, ut])
                if [us, ut].iter().all(|part| (0..1_000_000).contains(part)) =>
            {
                Ok(Some([time(s, us * 1000), time(t, ut * 1000)]))
            }
            (Times::Microseconds(_), &[_, _, _, _]) => Err(Errno::EINVAL),
            (Times::Seconds(_), &[s, t]) => Ok(Some([time(s, 0), time(t, 0)])),
            _ => Err(Errno::EFAULT),
        }
    }

    fn set_attribute(&self, at: usize, fd: i32) -> nix::Result<()> {
        /// The longest name and value that the kernel takes.
        const NAME: usize = 256;
        const VALUE: usize = 64 << 10;
        let [name, value, size, flags] = [0, 1, 2, 3].map(|next| self.arguments[at + next]);
        let name = CString::new(string(self.tid, name, NAME)?).map_err(|_| Errno::EINVAL)?;
        let size = usize::try_from(size)
            .ok()
            .filter(|size| *size <= VALUE)
            .ok_or(Errno::E2BIG)?;
        let value = bytes(self.tid, value, size)?;
        if value.len() < size {
            return Err(Errno::EFAULT);
        }
        let path = CString::new(format!("/proc/self/fd/{fd}")).map_err(|_| Errno::EINVAL)?;
        // SAFETY: the strings and the value, of the size given, outlive the call.
        Errno::result(unsafe {
            libc::setxattr(
                path.as_ptr(),
                name.as_ptr(),
                value.as_ptr().cast(),
                value.len(),
                flags as i32,
            )
        })
        .map(drop)
    }
}

/// The absolute path of a descriptor.
fn path_of(fd: BorrowedFd<'_>) -> nix::Result<Vec<u8>> {
    let link = format!("/proc/self/fd/{}", fd.as_raw_fd());
    readlink(Path::new(&link)).map(OsString::into_vec)
}
