//! What would GNU sed do with this argv: read, write, execute, or stop with an error?
//!
//! One argv and its environment in, effects out (`docs/spec/sed.md`). The answer never claims less than what can
//! happen: what is not understood is the worst case, with its reason. It leaves to others where an argv comes from
//! (the shell front end) and what may be done about it (the policies).

use std::borrow::Cow;
use std::collections::BTreeSet;

/// One call of sed, and what its answer may depend on.
#[derive(Clone, Copy)]
pub struct Invocation<'a> {
    /// The words, `argv[0]` being the program's name, which is not looked at. Any bytes but NUL.
    pub argv: &'a [Vec<u8>],
    /// The environment as name and value. `POSIXLY_CORRECT`, `LC_ALL`, `LC_CTYPE` and `LANG` matter.
    pub env: &'a [(Vec<u8>, Vec<u8>)],
    /// The files below the working directory, as far as they are known.
    pub world: &'a dyn World,
}

/// What the caller knows of the file system. Paths are as sed would open them, relative to the working directory.
///
/// A caller that knows nothing passes [`Nothing`]; the answer is then right for every file system.
pub trait World {
    /// The content of a script file (`-f`), `-` and `/dev/stdin` being standard input; `None`: not known.
    fn script(&self, path: &[u8]) -> Option<Cow<'_, [u8]>>;
    /// What stands at a path.
    fn kind(&self, path: &[u8]) -> Kind;
}

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nobody looked, or nothing is there yet: it may be anything by the time sed opens it.
    Unknown,
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link and its text.
    Link(Vec<u8>),
    /// A device, a pipe, a socket.
    Other,
}

/// A file system of which nothing is known.
pub struct Nothing;

impl World for Nothing {
    fn script(&self, _: &[u8]) -> Option<Cow<'_, [u8]>> {
        None
    }
    fn kind(&self, _: &[u8]) -> Kind {
        Kind::Unknown
    }
}

/// The strongest effect, as the `sed` cases name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Reads operands and script files only.
    ReadOnly,
    /// A usage, script or run-time error, nothing written and nothing run.
    Error,
    /// Creates, truncates, renames or replaces a file.
    Writes,
    /// Starts `/bin/sh`.
    Executes,
}

/// What one call of sed can do at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The strongest effect.
    pub effect: Effect,
    /// Paths opened for reading, as sed spells them.
    pub reads: BTreeSet<Vec<u8>>,
    /// Paths opened for writing, renamed or replaced, as sed spells them.
    pub writes: BTreeSet<Vec<u8>>,
    /// The shell may be started.
    pub executes: bool,
    /// Command texts handed to the shell that stand in the script itself.
    pub shell: BTreeSet<Vec<u8>>,
    /// Would `sed --sandbox` with the same words get past its options and its script?
    pub sandbox_accepts: bool,
    /// Why this is the worst case: anything may be read, written or executed. `None`: the answer is exact enough to
    /// name every path.
    pub worst: Option<String>,
    /// What another sed (busybox, toybox) would do beyond this answer for the same words; empty: nothing more.
    pub elsewhere: BTreeSet<String>,
}
