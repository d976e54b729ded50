//! Where does a worker keep its cases? A fresh folder that only its user can enter.
//!
//! In memory if there is a place, else in the temporary folder. The place must run programs and move access times. The worker
//! and its keeper hold a lock on the folder; one whose lock is free outlived them both, and the next of its user removes it.

use crate::sandbox::root::Refused;
use crate::sandbox::tree;
use nix::errno::Errno;
use nix::libc;
use nix::sys::stat::{UtimensatFlags, utimensat};
use nix::sys::statvfs::{FsFlags, statvfs};
use nix::sys::time::TimeSpec;
use nix::unistd::{Uid, mkdtemp};
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the name of the folder of a worker begins with.
const NAME: &str = "guardproof-box-";
/// Age after which a folder that nobody has locked is not one that is being made.
const STALE: Duration = Duration::from_secs(60);

/// The folder of one worker. It holds `case`, the fresh folder of the cases, and nothing else.
pub(super) struct Place {
    path: PathBuf,
    /// Released when the last process that has it ends.
    lock: Option<File>,
}

impl Place {
    /// Makes it in the first place that is fit.
    ///
    /// # Errors
    ///
    /// Why the last place is not fit.
    pub(super) fn make() -> Result<Self, Refused> {
        let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
        let places = [
            Some(PathBuf::from("/dev/shm")),
            runtime,
            Some(std::env::temp_dir()),
        ];
        let mut last = None;
        for place in places
            .into_iter()
            .flatten()
            .filter(|place| place.is_absolute())
        {
            match Self::make_in(&place) {
                Ok(place) => return Ok(place),
                Err(errno) => {
                    last = Some(Refused {
                        step: format!("making a fresh folder in {}", place.display()),
                        errno: errno as i32,
                    });
                }
            }
        }
        Err(last.unwrap_or(Refused {
            step: "looking for a temporary folder".into(),
            errno: libc::ENOENT,
        }))
    }

    fn make_in(place: &Path) -> nix::Result<Self> {
        let flags = statvfs(place)?.flags();
        if flags.contains(FsFlags::ST_NOEXEC) {
            return Err(Errno::ENOEXEC);
        }
        remove_stale(place);
        let path = mkdtemp(&place.join(format!("{NAME}XXXXXX")))?;
        let lock = lock(&path);
        let made = Self { path, lock };
        let fit = made.moves_access_times().and_then(|moves| {
            let case = fs::DirBuilder::new().mode(0o755).create(made.case());
            case.map_err(errno)?;
            match moves && made.lock.is_some() {
                true => Ok(()),
                false => Err(Errno::EOPNOTSUPP),
            }
        });
        match fit {
            Ok(()) => Ok(made),
            Err(errno) => {
                made.remove();
                Err(errno)
            }
        }
    }

    /// Does reading a file that seems not to have been read for a long time show?
    fn moves_access_times(&self) -> nix::Result<bool> {
        let file = self.path.join("probe");
        fs::write(&file, "x").map_err(errno)?;
        utimensat(
            nix::fcntl::AT_FDCWD,
            &file,
            &TimeSpec::new(tree::OLD, 0),
            &TimeSpec::UTIME_OMIT,
            UtimensatFlags::NoFollowSymlink,
        )?;
        fs::read(&file).map_err(errno)?;
        let moved = fs::metadata(&file).map_err(errno)?.atime() != tree::OLD;
        fs::remove_file(&file).map_err(errno)?;
        Ok(moved)
    }

    /// The one that was made at this path.
    pub(super) fn at(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            lock: None,
        }
    }

    /// The fresh folder of every case.
    pub(super) fn case(&self) -> PathBuf {
        self.path.join("case")
    }

    /// Removes the folder and all in it; nothing runs there any more.
    pub(super) fn remove(&self) {
        let case = self.case();
        if let Ok(area) = tree::Area::open(&[("case", &case, 0o755)]) {
            let _ = area.wipe();
        }
        let _ = fs::remove_dir(case);
        let _ = fs::remove_file(self.path.join("probe"));
        let _ = fs::remove_dir(&self.path);
    }
}

/// Locks a folder, unless somebody has.
fn lock(folder: &Path) -> Option<File> {
    let folder = File::open(folder).ok()?;
    folder.try_lock().is_ok().then_some(folder)
}

/// Removes the folders of this user whose workers and keepers were killed together.
fn remove_stale(place: &Path) {
    let user = Uid::effective().as_raw();
    for folder in fs::read_dir(place).into_iter().flatten().flatten() {
        let is_one = folder.file_name().as_bytes().starts_with(NAME.as_bytes());
        let Some(status) = folder.metadata().ok().filter(|_| is_one) else {
            continue;
        };
        let age = status.modified().ok().and_then(|made| made.elapsed().ok());
        if status.is_dir() && status.uid() == user && age.is_some_and(|age| age > STALE) {
            let path = folder.path();
            if let Some(lock) = lock(&path) {
                let lock = Some(lock);
                Place { path, lock }.remove();
            }
        }
    }
}

fn errno(error: std::io::Error) -> Errno {
    Errno::from_raw(error.raw_os_error().unwrap_or(libc::EIO))
}
