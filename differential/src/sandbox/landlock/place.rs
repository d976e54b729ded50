//! Where does a worker keep its cases? A fresh folder that only its user can enter.
//!
//! In memory if there is a place, else in the temporary folder. The place must run programs and move access times.

use crate::sandbox::root::Refused;
use crate::sandbox::tree;
use nix::errno::Errno;
use nix::libc;
use nix::sys::stat::{UtimensatFlags, utimensat};
use nix::sys::statvfs::{FsFlags, statvfs};
use nix::sys::time::TimeSpec;
use nix::unistd::mkdtemp;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The folder of one worker. It holds `case`, the fresh folder of the cases, and nothing else.
pub(super) struct Place(PathBuf);

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
        let made = Self(mkdtemp(&place.join("guardproof-box-XXXXXX"))?);
        let fit = made.moves_access_times().and_then(|moves| {
            let made = fs::DirBuilder::new().mode(0o755).create(made.case());
            made.map_err(errno)?;
            if moves {
                Ok(())
            } else {
                Err(Errno::EOPNOTSUPP)
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
        let file = self.0.join("probe");
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
        Self(path.to_owned())
    }

    /// The fresh folder of every case.
    pub(super) fn case(&self) -> PathBuf {
        self.0.join("case")
    }

    /// Removes the folder and all in it; nothing runs there any more.
    pub(super) fn remove(&self) {
        let case = self.case();
        if let Ok(area) = tree::Area::open(&[("case", &case, 0o755)]) {
            let _ = area.wipe();
        }
        let _ = fs::remove_dir(case);
        let _ = fs::remove_file(self.0.join("probe"));
        let _ = fs::remove_dir(&self.0);
    }
}

fn errno(error: std::io::Error) -> Errno {
    Errno::from_raw(error.raw_os_error().unwrap_or(libc::EIO))
}
