//! Where does a case write? The case area: laid fresh before each case, wiped completely after it.
//!
//! The caller has killed every process of the case, so nothing moves while the tree is walked. PID 1 may pass over modes; a
//! worker without that right owns what is there and gives itself what it needs, when the mode was looked at. A hostile tree
//! may be deep and wide: one directory is open at a time, and nothing recurses.

use super::Entry;
use nix::NixPath;
use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, open, openat};
use nix::libc;
use nix::sys::stat::{
    FchmodatFlags, FileStat, Mode, fchmod, fchmodat, fstat, fstatat, futimens, mkdirat,
};
use nix::sys::time::TimeSpec;
use nix::unistd::{UnlinkatFlags, symlinkat, unlinkat, write};
use std::collections::HashMap;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Access time of what is laid: a later one says that the content was read.
pub(super) const OLD: i64 = 1;
/// Levels below the fresh folder that a job may lay.
pub(super) const DEEPEST: usize = 64;
/// Bytes of paths in which a walk tells what it sees; what lies deeper is passed over.
const LONGEST_PATH: usize = libc::PATH_MAX as usize;

/// How a folder is opened.
pub(super) const FOLDER: OFlag = OFlag::O_RDONLY
    .union(OFlag::O_DIRECTORY)
    .union(OFlag::O_NOFOLLOW)
    .union(OFlag::O_CLOEXEC);
const FOLDER_MODE: Mode = Mode::from_bits_truncate(0o755);
const FILE_MODE: Mode = Mode::from_bits_truncate(0o644);
const PROGRAM_MODE: Mode = Mode::from_bits_truncate(0o755);

/// The folders that a case can write. They outlive the case; the first is that of the cases.
pub(super) struct Area {
    parts: Vec<Part>,
}

pub(super) struct Part {
    /// Its path, as cases know it, without the leading `/`.
    pub(super) name: &'static str,
    pub(super) folder: OwnedFd,
    pub(super) mode: Mode,
}

/// What was laid, by inode number.
pub(super) type Laid<'a> = HashMap<u64, Known<'a>>;

/// One entry that was laid.
pub(super) struct Known<'a> {
    /// Without the leading `/`.
    pub(super) path: Vec<u8>,
    pub(super) stat: FileStat,
    /// For a regular file.
    pub(super) content: &'a [u8],
}

impl Area {
    /// Opens folders, at least one: name, path, mode.
    pub(super) fn open(parts: &[(&'static str, &Path, libc::mode_t)]) -> nix::Result<Self> {
        let part = |&(name, path, mode): &(&'static str, &Path, libc::mode_t)| {
            Ok(Part {
                name,
                folder: open(path, FOLDER, Mode::empty())?,
                mode: Mode::from_bits_truncate(mode),
            })
        };
        let parts = parts.iter().map(part).collect::<nix::Result<_>>()?;
        Ok(Self { parts })
    }

    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Makes the working directory and what it holds.
    pub(super) fn lay<'a>(&self, tree: &'a [Entry]) -> Result<Laid<'a>, String> {
        let home = &self.parts[0].folder;
        let mut laid = Laid::with_capacity(tree.len() + 1);
        let made = folder(home.as_fd(), b"cwd").and_then(|cwd| Ok((fstat(&cwd)?, cwd)));
        let (stat, cwd) =
            made.map_err(|errno| format!("making the working directory: {}", errno.desc()))?;
        note(&mut laid, b"case/cwd".to_vec(), stat, &[]);
        for entry in tree {
            let (Entry::Directory(path)
            | Entry::File(path, _)
            | Entry::Program(path, _)
            | Entry::Link(path, _)) = entry;
            self.lay_one(&mut laid, &cwd, entry, path)
                .map_err(|reason| {
                    format!("laying {:?}: {reason}", String::from_utf8_lossy(path))
                })?;
        }
        Ok(laid)
    }

    fn lay_one<'a>(
        &self,
        laid: &mut Laid<'a>,
        cwd: &OwnedFd,
        entry: &'a Entry,
        path: &[u8],
    ) -> Result<(), String> {
        let text = |errno: Errno| errno.desc().to_owned();
        let (mut place, mut at, mut known) = match path.strip_prefix(b"../") {
            Some(rest) => (rest, self.parts[0].folder.as_fd(), b"case".to_vec()),
            None => (path, cwd.as_fd(), b"case/cwd".to_vec()),
        };
        if path.len() > LONGEST_PATH || place.iter().filter(|&&byte| byte == b'/').count() > DEEPEST
        {
            return Err(format!(
                "longer than {LONGEST_PATH} bytes or deeper than {DEEPEST} folders"
            ));
        }
        let mut parent;
        loop {
            let (name, rest) = match place.iter().position(|&byte| byte == b'/') {
                Some(slash) => (&place[..slash], Some(&place[slash + 1..])),
                None => (place, None),
            };
            if matches!(name, b"" | b"." | b"..") {
                return Err("a name is empty, `.` or `..`".into());
            }
            known.push(b'/');
            known.extend_from_slice(name);
            let Some(rest) = rest else {
                let (stat, content) = make(at, name, entry).map_err(text)?;
                note(laid, known, stat, content);
                return Ok(());
            };
            parent = folder(at, name).map_err(text)?;
            note(laid, known.clone(), fstat(&parent).map_err(text)?, &[]);
            at = parent.as_fd();
            place = rest;
        }
    }

    /// Removes everything, whatever it is, and what a case may have set on the two folders themselves.
    pub(super) fn wipe(&self) -> nix::Result<()> {
        self.parts.iter().try_for_each(|part| {
            fchmod(&part.folder, part.mode)?;
            empty(&part.folder)?;
            clear_attributes(&part.folder)?;
            fchmod(&part.folder, part.mode)
        })
    }
}

/// Makes a folder, or opens the one that is there.
fn folder(at: BorrowedFd<'_>, name: &[u8]) -> nix::Result<OwnedFd> {
    match mkdirat(at, name, FOLDER_MODE) {
        Ok(()) | Err(Errno::EEXIST) => openat(at, name, FOLDER, Mode::empty()),
        Err(errno) => Err(errno),
    }
}

/// Notes what was laid, unless it is noted already.
fn note<'a>(laid: &mut Laid<'a>, path: Vec<u8>, stat: FileStat, content: &'a [u8]) {
    laid.entry(stat.st_ino).or_insert(Known {
        path,
        stat,
        content,
    });
}

/// Makes one entry; its status, and for a file the content.
fn make<'a>(
    at: BorrowedFd<'_>,
    name: &[u8],
    entry: &'a Entry,
) -> nix::Result<(FileStat, &'a [u8])> {
    Ok(match entry {
        Entry::Directory(_) => (fstat(folder(at, name)?)?, &[]),
        Entry::File(_, content) => (file(at, name, content, FILE_MODE)?, content),
        Entry::Program(_, content) => (file(at, name, content, PROGRAM_MODE)?, content),
        Entry::Link(_, target) => {
            symlinkat(&target[..], at, name)?;
            (fstatat(at, name, AtFlags::AT_SYMLINK_NOFOLLOW)?, &[])
        }
    })
}

/// Makes a file that seems to have been written a second ago, so that every write moves that time however coarse the clock,
/// and not to have been read for a long time.
fn file(at: BorrowedFd<'_>, name: &[u8], content: &[u8], mode: Mode) -> nix::Result<FileStat> {
    let flags =
        OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    let file = openat(at, name, flags, mode)?;
    let mut rest = content;
    while !rest.is_empty() {
        rest = &rest[write(&file, rest)?..];
    }
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let written = now
        .unwrap_or_default()
        .saturating_sub(Duration::from_secs(1));
    futimens(
        &file,
        &TimeSpec::new(OLD, 0),
        &TimeSpec::from_duration(written),
    )?;
    fstat(&file)
}

/// Is shown one entry: the folder it is in, its path, its last name, its status.
pub(super) type Visit<'a> =
    &'a mut dyn FnMut(BorrowedFd<'_>, &[u8], &[u8], &FileStat) -> nix::Result<()>;

/// Shows every entry below a folder, a folder before what it holds. Gives a folder the right to be entered when it was shown.
pub(super) fn walk(part: &Part, visit: Visit<'_>) -> nix::Result<()> {
    fchmod(&part.folder, part.mode)?;
    let mut at = openat(&part.folder, ".", FOLDER, Mode::empty())?;
    let mut path = part.name.as_bytes().to_vec();
    // For each level: the folders to be entered, and the length of the path of the level.
    let mut levels: Vec<(Vec<Vec<u8>>, usize)> = Vec::new();
    loop {
        let mut folders = Vec::new();
        let level = path.len();
        for (name, is_folder) in list(&at)? {
            let stat = fstatat(&at, &name[..], AtFlags::AT_SYMLINK_NOFOLLOW)?;
            path.push(b'/');
            path.extend_from_slice(&name);
            visit(at.as_fd(), &path, &name, &stat)?;
            if is_folder && path.len() < LONGEST_PATH {
                folders.push(name);
            }
            path.truncate(level);
        }
        levels.push((folders, level));
        loop {
            let Some((folders, level)) = levels.last_mut() else {
                return Ok(());
            };
            path.truncate(*level);
            if let Some(name) = folders.pop() {
                at = enter(at.as_fd(), &name)?;
                path.push(b'/');
                path.extend_from_slice(&name);
                break;
            }
            levels.pop();
            if !levels.is_empty() {
                at = openat(&at, "..", FOLDER, Mode::empty())?;
            }
        }
    }
}

/// Opens a folder to be entered, whatever its mode was.
fn enter(at: BorrowedFd<'_>, name: &[u8]) -> nix::Result<OwnedFd> {
    fchmodat(at, name, Mode::S_IRWXU, FchmodatFlags::FollowSymlink)?;
    openat(at, name, FOLDER, Mode::empty())
}

/// Removes everything below a folder.
fn empty(folder: &OwnedFd) -> nix::Result<()> {
    let mut at = openat(folder, ".", FOLDER, Mode::empty())?;
    // For each level: the folders to be emptied; the last one of a level is being emptied by the next.
    let mut levels: Vec<Vec<Vec<u8>>> = Vec::new();
    loop {
        let mut folders = Vec::new();
        for (name, is_folder) in list(&at)? {
            match is_folder {
                true => folders.push(name),
                false => unlinkat(&at, &name[..], UnlinkatFlags::NoRemoveDir)?,
            }
        }
        levels.push(folders);
        loop {
            let Some(folders) = levels.last() else {
                return Ok(());
            };
            if let Some(name) = folders.last() {
                at = enter(at.as_fd(), name)?;
                break;
            }
            levels.pop();
            let Some(folders) = levels.last_mut() else {
                return Ok(());
            };
            at = openat(&at, "..", FOLDER, Mode::empty())?;
            if let Some(name) = folders.pop() {
                unlinkat(&at, &name[..], UnlinkatFlags::RemoveDir)?;
            }
        }
    }
}

/// Names of what a folder holds, but for `.` and `..`, and whether each is a folder.
pub(super) fn list(folder: &OwnedFd) -> nix::Result<Vec<(Vec<u8>, bool)>> {
    /// Offsets in `struct linux_dirent64`.
    const RECORD_LENGTH: usize = 16;
    const KIND: usize = 18;
    const NAME: usize = 19;
    let mut entries = Vec::new();
    let mut buffer = [0u8; 8 << 10];
    loop {
        // SAFETY: the kernel writes at most the length given into the buffer, which outlives the call.
        let filled = unsafe {
            libc::syscall(
                libc::SYS_getdents64,
                folder.as_raw_fd(),
                buffer.as_mut_ptr(),
                buffer.len(),
            )
        };
        let mut records = &buffer[..Errno::result(filled)? as usize];
        if records.is_empty() {
            return Ok(entries);
        }
        while !records.is_empty() {
            let length = usize::from(u16::from_ne_bytes([
                records[RECORD_LENGTH],
                records[RECORD_LENGTH + 1],
            ]));
            let name = records[NAME..length]
                .split(|&byte| byte == 0)
                .next()
                .unwrap_or_default();
            if !matches!(name, b"." | b"..") {
                entries.push((name.to_vec(), records[KIND] == libc::DT_DIR));
            }
            records = &records[length..];
        }
    }
}

/// Removes extended attributes and access lists.
fn clear_attributes(folder: &OwnedFd) -> nix::Result<()> {
    let fd = folder.as_raw_fd();
    let mut names: Vec<u8> = Vec::new();
    loop {
        // SAFETY: the kernel writes at most the length given into the buffer, which outlives the call.
        let filled = unsafe { libc::flistxattr(fd, names.as_mut_ptr().cast(), names.len()) };
        match Errno::result(filled) {
            Ok(0) | Err(Errno::EOPNOTSUPP) => return Ok(()),
            // Without a buffer it says how long the list is.
            Ok(length) if names.is_empty() => names.resize(length as usize, 0),
            result => {
                names.truncate(result? as usize);
                break;
            }
        }
    }
    names
        .split_inclusive(|&byte| byte == 0)
        .try_for_each(|name| {
            name[..name.len() - 1].with_nix_path(|name| {
                // SAFETY: the name is a C string that outlives the call.
                Errno::result(unsafe { libc::fremovexattr(fd, name.as_ptr()) }).map(drop)
            })?
        })
}
