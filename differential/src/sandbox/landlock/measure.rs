//! Does a case hold more than it may? The area has no size of its own here, so it is looked through while the case runs.

use crate::sandbox::tree::{Area, DEEPEST, FOLDER, list};
use nix::fcntl::{AtFlags, openat};
use nix::sys::stat::{FileStat, Mode, fstatat};
use std::os::fd::OwnedFd;

/// Do files and folders take more bytes, or are they more? They may move meanwhile: a folder is entered by its name, never left
/// by `..`, and one that lies too deep counts as too much.
pub(super) fn holds_more_than(area: &Area, bytes: u64, entries: u64) -> bool {
    let mut room = (bytes, entries);
    !area.parts().iter().all(|part| {
        let top = openat(&part.folder, ".", FOLDER, Mode::empty());
        // One that denies its own user is closed for the case too.
        top.map_or(true, |top| measure(top, &mut room))
    })
}

/// Takes what is below a folder from the room, in bytes and entries; whether there was enough.
fn measure(top: OwnedFd, room: &mut (u64, u64)) -> bool {
    let mut levels = vec![(top, None::<Vec<Vec<u8>>>)];
    while let Some((folder, inner)) = levels.last_mut() {
        let inner = inner.get_or_insert_with(|| {
            let entries = list(folder).unwrap_or_default();
            let mut folders = Vec::new();
            for (name, is_folder) in entries {
                let stat = fstatat(&*folder, &name[..], AtFlags::AT_SYMLINK_NOFOLLOW);
                #[allow(clippy::unnecessary_cast, reason = "the types differ by architecture")]
                let share =
                    |stat: FileStat| stat.st_blocks as u64 * 512 / stat.st_nlink.max(1) as u64;
                let bytes = stat.map_or(0, share);
                room.0 = room.0.saturating_sub(bytes);
                room.1 = room.1.saturating_sub(1);
                if is_folder {
                    folders.push(name);
                }
            }
            folders
        });
        if room.0 == 0 || room.1 == 0 {
            return false;
        }
        let next = inner
            .pop()
            .map(|name| openat(&*folder, &name[..], FOLDER, Mode::empty()));
        match next {
            Some(_) if levels.len() > DEEPEST => return false,
            Some(Ok(folder)) => levels.push((folder, None)),
            // Gone or denied meanwhile.
            Some(Err(_)) => {}
            None => drop(levels.pop()),
        }
    }
    true
}
