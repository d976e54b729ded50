//! How is the box built? A process gives up what it can, enters namespaces of its own, and stands in a private root.
//!
//! `docs/spec/engineering.md` section 1 has the traps: root must leave its user first, and the inner user must not be 0.

use super::{CANARIES, HOME};
use nix::errno::Errno;
use nix::libc;
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::unistd::{Gid, Uid, User, chdir, pivot_root, sethostname};
use std::ffi::CString;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

/// The user inside. Not 0, so that `execve` drops the capabilities that PID 1 keeps.
const USER: u32 = 1000;
/// Whom root becomes before it enters the namespaces: nobody's number, yet mapped in common containers.
const NOBODY: u32 = 65_533;
/// Bytes and entries of the case area.
const AREA: &str = "mode=755,size=64m,nr_inodes=4096";
/// Highest process number inside: a second belt, on kernels that have it for each namespace.
const PID_MAX: &str = "1024";

/// A step of building the box that failed.
pub(super) struct Refused {
    pub(super) step: String,
    pub(super) errno: i32,
}

/// Names the step of an operation.
pub(super) trait Step<T> {
    fn step(self, step: impl Into<String>) -> Result<T, Refused>;
}

impl<T> Step<T> for nix::Result<T> {
    fn step(self, step: impl Into<String>) -> Result<T, Refused> {
        self.map_err(|errno| Refused {
            step: step.into(),
            errno: errno as i32,
        })
    }
}

impl<T> Step<T> for io::Result<T> {
    fn step(self, step: impl Into<String>) -> Result<T, Refused> {
        self.map_err(|error| Refused {
            step: step.into(),
            errno: error.raw_os_error().unwrap_or(libc::EIO),
        })
    }
}

/// Leaves root for good, if the process is root, and keeps nothing of it. It becomes `nobody` if there is one: programs ask for
/// the name of their user, which is not to be seen to by namespaces then.
pub(super) fn leave_root_entirely() -> Result<(), Refused> {
    let nobody = User::from_name("nobody").ok().flatten();
    let nobody = nobody.filter(|user| !user.uid.is_root());
    let number = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    leave_root_for(nobody.map_or(number, |user| (user.uid, user.gid)), false)
}

/// Leaves root for good, if the process is root, to enter namespaces.
pub(super) fn leave_root_for_namespaces() -> Result<(), Refused> {
    leave_root_for((Uid::from_raw(NOBODY), Gid::from_raw(NOBODY)), true)
}

fn leave_root_for((uid, gid): (Uid, Gid), for_namespaces: bool) -> Result<(), Refused> {
    if !Uid::effective().is_root() {
        return Ok(());
    }
    nix::unistd::setgroups(&[]).step("dropping groups")?;
    nix::unistd::setresgid(gid, gid, gid).step("leaving the group of root")?;
    prctl::set_keepcaps(for_namespaces).step("leaving root")?;
    nix::unistd::setresuid(uid, uid, uid).step("leaving root")?;
    if for_namespaces {
        // Not every root has it to keep.
        let _ = keep_one_capability();
    }
    // A process that changed its user owns nothing in its own /proc until it says so.
    prctl::set_dumpable(true).step("owning /proc/self again")
}

/// Keeps `CAP_SYS_ADMIN` of the root that was, and nothing else. Distributions that restrict user namespaces want to see it
/// from the process that makes one; the new namespace then takes it away.
fn keep_one_capability() -> nix::Result<()> {
    #[repr(C)]
    struct Header {
        version: u32,
        pid: i32,
    }
    #[repr(C)]
    #[derive(Default)]
    struct Sets {
        effective: u32,
        permitted: u32,
        inheritable: u32,
    }
    /// `_LINUX_CAPABILITY_VERSION_3`: two words a set.
    const VERSION: u32 = 0x2008_0522;
    const CAP_SYS_ADMIN: u32 = 1 << 21;
    let header = Header {
        version: VERSION,
        pid: 0,
    };
    let one = Sets {
        effective: CAP_SYS_ADMIN,
        permitted: CAP_SYS_ADMIN,
        inheritable: 0,
    };
    let sets = [one, Sets::default()];
    // SAFETY: the structures are those of this version, and outlive the call.
    let result = unsafe { libc::syscall(libc::SYS_capset, &raw const header, sets.as_ptr()) };
    Errno::result(result).map(drop)
}

/// Enters namespaces of its own, as the user [`USER`] of them. Children will be in the new process namespace.
pub(super) fn enter_namespaces() -> Result<(), Refused> {
    let (uid, gid) = (Uid::effective(), Gid::effective());
    let flags = CloneFlags::CLONE_NEWUSER
        | CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS
        | CloneFlags::CLONE_NEWCGROUP;
    unshare(flags).step("entering namespaces (unshare)")?;
    fs::write("/proc/self/setgroups", "deny").step("denying setgroups")?;
    fs::write("/proc/self/uid_map", format!("{USER} {uid} 1")).step("mapping the user")?;
    fs::write("/proc/self/gid_map", format!("{USER} {gid} 1")).step("mapping the group")
}

/// Builds the private root and stands in it. For PID 1 of the new namespaces.
pub(super) fn build(for_commands: bool) -> Result<(), Refused> {
    sethostname("box").step("naming the host")?;
    mount(
        None::<&str>,
        "/",
        None::<&str>,
        MsFlags::MS_REC | MsFlags::MS_PRIVATE,
        None::<&str>,
    )
    .step("making mounts private")?;
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    // Any folder would do as a place to stand; what it hides is not needed.
    let root = Path::new("/tmp");
    mount(Some("box"), root, Some("tmpfs"), flags, Some("mode=755")).step("mounting the root")?;
    system(root)?;
    settings(root)?;
    devices(root)?;
    if for_commands {
        terminals(root)?;
        canaries(root)?;
    }
    proc(root)?;
    area(root)?;
    chdir(root).step("entering the root")?;
    pivot_root(".", ".").step("changing the root")?;
    umount2(".", MntFlags::MNT_DETACH).step("leaving the old root")?;
    chdir("/").step("entering the new root")?;
    freeze(
        Path::new("/"),
        libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV,
        0,
    )
    .step("making the root read-only")
}

/// The programs and libraries of the distribution, read-only.
fn system(root: &Path) -> Result<(), Refused> {
    for name in ["usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32"] {
        let (host, inside) = (Path::new("/").join(name), root.join(name));
        match fs::read_link(&host) {
            Ok(target) => symlink(target, &inside).step(format!("linking /{name}"))?,
            Err(_) if host.is_dir() => {
                fs::create_dir(&inside).step(format!("making /{name}"))?;
                bind(&host, &inside, libc::MOUNT_ATTR_NODEV)?;
            }
            Err(_) => {}
        }
    }
    Ok(())
}

/// The least of `/etc`: who one is, how names are looked up, where the libraries and the alternatives are.
fn settings(root: &Path) -> Result<(), Refused> {
    let etc = root.join("etc");
    fs::create_dir(&etc).step("making /etc")?;
    let files = [
        (
            "passwd",
            "root:x:0:0:root:/root:/bin/bash\nuser:x:1000:1000:user:/case:/bin/bash\nnobody:x:65534:65534:nobody:/:/bin/false\n",
        ),
        ("group", "root:x:0:\nuser:x:1000:\nnogroup:x:65534:\n"),
        ("hostname", "box\n"),
        ("hosts", "127.0.0.1 localhost box\n::1 localhost\n"),
        (
            "nsswitch.conf",
            "passwd: files\ngroup: files\nhosts: files\n",
        ),
    ];
    for (name, text) in files {
        fs::write(etc.join(name), text).step(format!("writing /etc/{name}"))?;
    }
    for name in ["ld.so.cache", "alternatives"] {
        let (host, inside) = (Path::new("/etc").join(name), etc.join(name));
        if host.is_dir() {
            fs::create_dir(&inside).step(format!("making /etc/{name}"))?;
        } else if host.is_file() {
            fs::write(&inside, "").step(format!("making /etc/{name}"))?;
        } else {
            continue;
        }
        bind(&host, &inside, libc::MOUNT_ATTR_NODEV)?;
    }
    Ok(())
}

fn devices(root: &Path) -> Result<(), Refused> {
    let dev = root.join("dev");
    fs::create_dir(&dev).step("making /dev")?;
    for name in ["null", "zero", "full", "random", "urandom", "tty"] {
        let inside = dev.join(name);
        fs::write(&inside, "").step(format!("making /dev/{name}"))?;
        // Read-only guards the node; what is written to the device goes through.
        bind(&Path::new("/dev").join(name), &inside, 0)?;
    }
    for (name, target) in [
        ("fd", "fd"),
        ("stdin", "fd/0"),
        ("stdout", "fd/1"),
        ("stderr", "fd/2"),
    ] {
        symlink(Path::new("/proc/self").join(target), dev.join(name))
            .step(format!("linking /dev/{name}"))?;
    }
    Ok(())
}

/// Pseudo terminals that no other box sees.
fn terminals(root: &Path) -> Result<(), Refused> {
    let terminals = root.join("dev/pts");
    fs::create_dir(&terminals).step("making /dev/pts")?;
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NOEXEC;
    let options = Some("newinstance,ptmxmode=0666,mode=0620");
    mount(Some("devpts"), &terminals, Some("devpts"), flags, options).step("mounting devpts")?;
    symlink("pts/ptmx", root.join("dev/ptmx")).step("linking /dev/ptmx")
}

/// Links to the canaries of a case, in a folder where shells look without `PATH`; distributions leave it empty.
fn canaries(root: &Path) -> Result<(), Refused> {
    let folder = root.join("usr/local/sbin");
    if !fs::symlink_metadata(&folder).is_ok_and(|folder| folder.is_dir()) {
        return Ok(());
    }
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(
        Some("canaries"),
        &folder,
        Some("tmpfs"),
        flags,
        Some("mode=755"),
    )
    .step("mounting /usr/local/sbin")?;
    for name in CANARIES {
        symlink(Path::new(HOME).join("bin").join(name), folder.join(name))
            .step("linking the canaries")?;
    }
    freeze(&folder, libc::MOUNT_ATTR_RDONLY, 0).step("making the canaries read-only")
}

/// Sets what only a whole proc shows, then mounts one of the process entries alone.
fn proc(root: &Path) -> Result<(), Refused> {
    let proc = root.join("proc");
    fs::create_dir(&proc).step("making /proc")?;
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    let attach =
        |options| mount(Some("proc"), &proc, Some("proc"), flags, options).step("mounting proc");
    attach(None::<&str>)?;
    fs::write(proc.join("sys/user/max_user_namespaces"), "0")
        .step("forbidding nested user namespaces")?;
    // Refused where the setting is the whole machine's, which a process without privilege cannot write.
    let _ = fs::write(proc.join("sys/kernel/pid_max"), PID_MAX);
    umount2(&proc, MntFlags::empty()).step("unmounting proc")?;
    attach(Some("subset=pid"))?;
    // When memory runs out, the kernel ends what runs in the box first. Raising it needs no privilege.
    fs::write("/proc/self/oom_score_adj", "1000")
        .step("offering the box to the out-of-memory killer")
}

/// The one place that can be written: a bounded tmpfs, seen as the fresh folder and as `/tmp`.
fn area(root: &Path) -> Result<(), Refused> {
    let (case, tmp) = (root.join("case"), root.join("tmp"));
    for folder in [&case, &tmp] {
        fs::create_dir(folder).step("making the case area")?;
    }
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_STRICTATIME;
    mount(Some("case"), &case, Some("tmpfs"), flags, Some(AREA)).step("mounting the case area")?;
    for (name, mode, place) in [("tmp", 0o1777, &tmp), ("home", 0o755, &case)] {
        let part = case.join(name);
        fs::create_dir(&part).step("making the case area")?;
        fs::set_permissions(&part, fs::Permissions::from_mode(mode))
            .step("making the case area")?;
        mount(
            Some(&part),
            place,
            None::<&str>,
            MsFlags::MS_BIND,
            None::<&str>,
        )
        .step("binding the case area")?;
    }
    Ok(())
}

/// Shows a host file or folder inside, read-only and without set-user-id programs.
fn bind(host: &Path, inside: &Path, attributes: u64) -> Result<(), Refused> {
    let what = host.display();
    mount(
        Some(host),
        inside,
        None::<&str>,
        MsFlags::MS_BIND | MsFlags::MS_REC,
        None::<&str>,
    )
    .step(format!("binding {what}"))?;
    freeze(
        inside,
        attributes | libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID,
        libc::AT_RECURSIVE as u32,
    )
    .step(format!("making {what} read-only"))
}

/// Adds attributes to a mount, or to it and all below it. Takes Linux 5.12.
fn freeze(place: &Path, attributes: u64, flags: u32) -> nix::Result<()> {
    use std::os::unix::ffi::OsStrExt;
    let path = CString::new(place.as_os_str().as_bytes()).map_err(|_| Errno::EINVAL)?;
    let change = libc::mount_attr {
        attr_set: attributes,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    // SAFETY: the path is a C string and the structure of the size given; both outlive the call.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            flags,
            std::ptr::from_ref(&change),
            size_of::<libc::mount_attr>(),
        )
    };
    Errno::result(result).map(drop)
}
