//! Which files, sockets and processes may a case reach? Landlock rules, made once, that each case puts on before it starts.
//!
//! Every case enters a domain of its own, so that it can signal and trace its own processes alone; nothing of the worker is
//! in such a domain. What Landlock does not know (modes, owners, times, attributes, sockets with a path) is for the filter.

use crate::sandbox::root::Refused;
use nix::errno::Errno;
use nix::fcntl::{OFlag, open};
use nix::libc;
use nix::sys::stat::Mode;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::path::Path;

/// The first ABI that can close signals and abstract sockets.
const LEAST_ABI: i64 = 6;

/// Rights on files, by the numbers of the ABI.
const EXECUTE: u64 = 1 << 0;
const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;
const MAKE_CHAR: u64 = 1 << 6;
const MAKE_BLOCK: u64 = 1 << 11;
const TRUNCATE: u64 = 1 << 14;
const IOCTL_DEV: u64 = 1 << 15;
/// All of ABI 6: what no rule allows is denied.
const EVERYTHING: u64 = (1 << 16) - 1;
/// TCP `bind` and `connect`; no rule allows any.
const TCP: u64 = 0b11;
/// Abstract Unix sockets and signals.
const SCOPED: u64 = 0b11;

/// Programs and libraries of the distribution.
pub(super) const SYSTEM: [&str; 7] = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
];
/// What of `/etc` is the same in both forms.
pub(super) const SETTINGS: [&str; 2] = ["/etc/ld.so.cache", "/etc/alternatives"];
/// What of `/etc` is in both forms and here the machine's own: who is who.
/// `nsswitch.conf` is not: without it the C library asks these files alone, as in the other form.
pub(super) const NAMES: [&str; 4] = ["/etc/passwd", "/etc/group", "/etc/hostname", "/etc/hosts"];
/// Devices that keep nothing.
pub(super) const DEVICES: [&str; 6] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
];

/// Has this kernel what the form is made of?
pub(in crate::sandbox) fn is_there() -> bool {
    create(None, VERSION).is_ok_and(|abi| abi >= LEAST_ABI)
}

/// Asks for the ABI.
const VERSION: u32 = 1;

/// The rules of a worker.
pub(super) struct Rules(OwnedFd);

impl Rules {
    /// Rules by which only this folder can be written.
    ///
    /// # Errors
    ///
    /// When the kernel has no Landlock, has it switched off, or has too old a one.
    pub(super) fn new(own: BorrowedFd<'_>) -> Result<Self, Refused> {
        let refused = |step: String| {
            move |errno: Errno| Refused {
                step,
                errno: errno as i32,
            }
        };
        let abi = create(None, VERSION).map_err(refused("asking for Landlock".into()))?;
        if abi < LEAST_ABI {
            return Err(Refused {
                step: format!("asking for Landlock ABI {LEAST_ABI} (there is {abi})"),
                errno: libc::EOPNOTSUPP,
            });
        }
        let fd = create(Some([EVERYTHING, TCP, SCOPED]), 0)
            .map_err(refused("making Landlock rules".into()))?;
        // SAFETY: the kernel made this descriptor for this call.
        let rules = Self(unsafe { OwnedFd::from_raw_fd(fd as i32) });
        rules
            .allow(own, EVERYTHING & !(MAKE_CHAR | MAKE_BLOCK))
            .map_err(refused("allowing the case area".into()))?;
        let read = SYSTEM
            .iter()
            .chain(&SETTINGS)
            .chain(&NAMES)
            .map(|path| (path, EXECUTE | READ_FILE | READ_DIR));
        let devices = DEVICES
            .iter()
            .map(|path| (path, READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV));
        for (path, rights) in read.chain(devices) {
            let rights = match path.strip_prefix("/etc/") {
                Some(_) => rights & !EXECUTE,
                None => rights,
            };
            let rights = match Path::new(path).is_dir() {
                true => rights,
                false => rights & !READ_DIR,
            };
            match open(*path, OFlag::O_PATH | OFlag::O_CLOEXEC, Mode::empty()) {
                Ok(place) => rules.allow(std::os::fd::AsFd::as_fd(&place), rights),
                Err(Errno::ENOENT) => Ok(()),
                Err(errno) => Err(errno),
            }
            .map_err(refused(format!("allowing {path}")))?;
        }
        Ok(rules)
    }

    fn allow(&self, place: BorrowedFd<'_>, rights: u64) -> nix::Result<()> {
        #[repr(C, packed)]
        struct PathBeneath {
            rights: u64,
            place: i32,
        }
        const PATH_BENEATH: i32 = 1;
        let rule = PathBeneath {
            rights,
            place: place.as_raw_fd(),
        };
        // SAFETY: the structure is that of this kind of rule, and outlives the call.
        let result = unsafe {
            libc::syscall(
                libc::SYS_landlock_add_rule,
                self.0.as_raw_fd(),
                PATH_BENEATH,
                &raw const rule,
                0,
            )
        };
        Errno::result(result).map(drop)
    }

    /// Puts them on for good, in a domain of its own: this thread and what it starts. It must have `no_new_privs`.
    /// Async-signal-safe.
    pub(super) fn put_on(&self) -> nix::Result<()> {
        // SAFETY: takes two plain numbers.
        let result =
            unsafe { libc::syscall(libc::SYS_landlock_restrict_self, self.0.as_raw_fd(), 0) };
        Errno::result(result).map(drop)
    }
}

/// `landlock_create_ruleset`: what is handled of files, of the network, and what is scoped.
fn create(handled: Option<[u64; 3]>, flags: u32) -> nix::Result<i64> {
    let (address, size) = match &handled {
        Some(handled) => (handled.as_ptr(), size_of_val(handled)),
        None => (std::ptr::null(), 0),
    };
    // SAFETY: the structure is three numbers of 64 bits and outlives the call; without one its size is 0.
    Errno::result(unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, address, size, flags) })
}
