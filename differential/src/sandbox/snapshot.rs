//! What differs in the tree, and which files were read? Two looks at it, before and after.
//!
//! The area moves access times and is laid with old ones, so a file whose access time moved was read, or `touch`ed.
//! Not seen: a file that was read without moving it (`O_NOATIME`) or is gone (as after `sed -i`), what came and went, and
//! attributes other than the mode. The second look itself moves nothing.

use super::Change;
use super::tree::{Area, Known, Laid, OLD, walk};
use nix::errno::Errno;
use nix::fcntl::{OFlag, openat};
use nix::libc;
use nix::sys::stat::{FchmodatFlags, FileStat, Mode, fchmodat, fstat};
use nix::unistd::read;
use std::collections::{HashMap, HashSet};
use std::os::fd::BorrowedFd;

/// One entry of the second look.
struct Seen {
    path: Vec<u8>,
    inode: u64,
    /// It was laid, and differs now in more than its name.
    altered: bool,
}

/// The changes, and the files that were read; both sorted.
pub(super) fn compare(area: &Area, laid: &Laid<'_>) -> nix::Result<(Vec<Change>, Vec<Vec<u8>>)> {
    let mut seen = Vec::new();
    let mut read = Vec::new();
    let mut changes = Vec::new();
    let mut buffer = Vec::new();
    for part in area.parts() {
        if fstat(&part.folder)?.st_mode & 0o7777 != part.mode.bits() {
            changes.push(Change::Changed(shown(part.name.as_bytes())));
        }
        walk(part, &mut |folder, path, name, stat| {
            let mut altered = false;
            if let Some(known) = laid.get(&stat.st_ino) {
                if regular(stat) && stat.st_atime != OLD {
                    read.push(shown(&known.path));
                }
                altered = differs(known, stat)
                    || regular(stat) && !holds(folder, name, known.content, &mut buffer)?;
            }
            seen.push(Seen {
                path: path.to_vec(),
                inode: stat.st_ino,
                altered,
            });
            Ok(())
        })?;
    }
    judge(laid, seen, &mut changes);
    read.sort();
    read.dedup();
    Ok((changes, read))
}

fn regular(stat: &FileStat) -> bool {
    stat.st_mode & libc::S_IFMT == libc::S_IFREG
}

fn differs(known: &Known<'_>, stat: &FileStat) -> bool {
    let before = &known.stat;
    before.st_mode != stat.st_mode
        || regular(stat)
            && (before.st_size, before.st_mtime, before.st_mtime_nsec)
                != (stat.st_size, stat.st_mtime, stat.st_mtime_nsec)
}

/// Whether a file has this content: it may differ although size and times, which a case can set, are the same.
fn holds(
    folder: BorrowedFd<'_>,
    name: &[u8],
    content: &[u8],
    buffer: &mut Vec<u8>,
) -> nix::Result<bool> {
    let flags = OFlag::O_RDONLY
        | OFlag::O_NOATIME
        | OFlag::O_NOFOLLOW
        | OFlag::O_NONBLOCK
        | OFlag::O_CLOEXEC;
    let open = || openat(folder, name, flags, Mode::empty());
    let file = match open() {
        Err(Errno::EACCES) => {
            fchmodat(folder, name, Mode::S_IRUSR, FchmodatFlags::FollowSymlink)?;
            open()?
        }
        file => file?,
    };
    buffer.resize((content.len() + 1).min(64 << 10), 0);
    let mut rest = content;
    loop {
        let got = read(&file, buffer)?;
        match rest.strip_prefix(&buffer[..got]) {
            Some(rest) if got == 0 => return Ok(rest.is_empty()),
            Some(more) => rest = more,
            None => return Ok(false),
        }
    }
}

/// Sorts out what was made, changed, renamed and removed.
fn judge(laid: &Laid<'_>, mut seen: Vec<Seen>, changes: &mut Vec<Change>) {
    // A folder comes before what is in it.
    seen.sort_by(|a, b| a.path.cmp(&b.path));
    let before: HashMap<&[u8], u64> = laid
        .iter()
        .map(|(inode, known)| (&known.path[..], *inode))
        .collect();
    let stayed = |entry: &&Seen| before.get(&entry.path[..]) == Some(&entry.inode);
    let in_place: HashSet<u64> = seen
        .iter()
        .filter(stayed)
        .map(|entry| entry.inode)
        .collect();
    let mut moved: HashMap<u64, &[u8]> = HashMap::new();
    for entry in &seen {
        let path = &entry.path[..];
        let new_name = !before.contains_key(path);
        if !new_name && !stayed(&entry)
            || entry.altered && (stayed(&entry) || !in_place.contains(&entry.inode))
        {
            changes.push(Change::Changed(shown(path)));
        }
        match laid.get(&entry.inode) {
            Some(known)
                if !in_place.contains(&entry.inode) && !moved.contains_key(&entry.inode) =>
            {
                let (from, to) = (parent(&known.path), parent(path));
                let carried = from.1 == to.1
                    && before.get(from.0).and_then(|folder| moved.get(folder)) == Some(&to.0);
                if !carried {
                    changes.push(Change::Renamed(shown(&known.path), shown(path)));
                }
                moved.insert(entry.inode, path);
            }
            _ if new_name => changes.push(Change::Created(shown(path))),
            _ => {}
        }
    }
    let present: HashSet<&[u8]> = seen.iter().map(|entry| &entry.path[..]).collect();
    let gone = laid
        .iter()
        .filter(|(inode, known)| !moved.contains_key(inode) && !present.contains(&known.path[..]));
    changes.extend(gone.map(|(_, known)| Change::Removed(shown(&known.path))));
    changes.sort();
    changes.dedup();
}

/// The folder and the last name of a path.
fn parent(path: &[u8]) -> (&[u8], &[u8]) {
    let slash = path.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
    (&path[..slash], &path[slash..])
}

/// The path as a case would write it in its working directory.
fn shown(path: &[u8]) -> Vec<u8> {
    let relative = match path {
        b"case/cwd" => return b".".to_vec(),
        b"case" => return b"..".to_vec(),
        _ => path,
    };
    match (
        relative.strip_prefix(b"case/cwd/"),
        relative.strip_prefix(b"case/"),
    ) {
        (Some(inner), _) => inner.to_vec(),
        (None, Some(beside)) => [b"../", beside].concat(),
        (None, None) => [b"../../", relative].concat(),
    }
}
