//! What is wrong with the corpus, and where? The one error of this crate.

use std::fmt;
use std::path::{Path, PathBuf};

/// Something that stops a load. Shown as `file:line: reason`, or `file: reason` where no line is to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file or folder, as it was named or found.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The cause and, behind a semicolon, the remedy.
    pub reason: String,
}

impl Fault {
    /// A fault of one line.
    pub(crate) fn at(file: &Path, line: usize, reason: String) -> Self {
        Fault {
            file: file.to_path_buf(),
            line: Some(line),
            reason,
        }
    }

    /// A fault of a whole file or folder.
    pub(crate) fn of(file: &Path, reason: impl fmt::Display) -> Self {
        Fault {
            file: file.to_path_buf(),
            line: None,
            reason: reason.to_string(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file.display(), self.reason),
            None => write!(f, "{}: {}", self.file.display(), self.reason),
        }
    }
}

impl std::error::Error for Fault {}
