//! What does one case hold? The four checks as types; the names are those of the fields.

use crate::Text;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// Where a case stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file as it was named or found.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// The question that is put for a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the words of the format")]
pub enum Check {
    Sed,
    Regions,
    Parity,
    Command,
}

impl Check {
    /// The words of the format.
    pub const WORDS: [(&'static str, Check); 4] = [
        ("sed", Check::Sed),
        ("regions", Check::Regions),
        ("parity", Check::Parity),
        ("command", Check::Command),
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Check::Sed => "sed",
            Check::Regions => "regions",
            Check::Parity => "parity",
            Check::Command => "command",
        }
    }
}

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Where it stands.
    pub place: Place,
    /// Its `id`, else its `origin`, else `FILE:LINE` with the file's base name.
    pub name: String,
    /// Its content, by check.
    pub body: Body,
}

impl Case {
    /// What it checks.
    pub fn check(&self) -> Check {
        match self.body {
            Body::Sed(_) => Check::Sed,
            Body::Regions(_) => Check::Regions,
            Body::Parity(_) => Check::Parity,
            Body::Command(_) => Check::Command,
        }
    }

    /// Its tags; a `parity` case has at most one.
    pub fn tags(&self) -> &[String] {
        match &self.body {
            Body::Sed(case) => &case.tags,
            Body::Regions(case) => &case.tags,
            Body::Parity(case) => case.tag.as_slice(),
            Body::Command(case) => &case.tags,
        }
    }
}

/// What a case checks, with its fields.
#[derive(Clone, Debug)]
pub enum Body {
    /// The sed recognizer.
    Sed(Box<SedCase>),
    /// The scanner, fragment by fragment.
    Regions(Box<RegionsCase>),
    /// The literal scanner's exact answer.
    Parity(Box<ParityCase>),
    /// The decision about a whole command.
    Command(Box<CommandCase>),
}

/// The strongest effect that a sed case names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the words of the format")]
pub enum SedEffect {
    ReadOnly,
    Error,
    Writes,
    Executes,
}

/// One sed invocation and what was measured (`docs/spec/sed.md` section 8).
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(
    missing_docs,
    reason = "the fields of the format, explained in the specification"
)]
pub struct SedCase {
    pub argv: Vec<Text>,
    pub files: BTreeMap<String, Text>,
    pub dirs: Vec<Text>,
    pub links: BTreeMap<String, Text>,
    pub stdin: Text,
    pub env: BTreeMap<String, Text>,
    pub effect: SedEffect,
    pub reads: Vec<Text>,
    pub writes: Vec<Text>,
    pub executes: bool,
    pub exit: Option<i64>,
    pub sandbox_accepts: bool,
    pub shell: Option<Vec<Text>>,
    pub child_writes: Option<Vec<Text>>,
    pub may: Option<May>,
    pub may_reads: Option<Vec<Text>>,
    pub worst: Option<Worst>,
    pub why: String,
    pub tags: Vec<String>,
}

/// What other input can make of a sed case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields of the format")]
pub struct May {
    pub writes: bool,
    pub executes: bool,
}

/// The input with which [`May`] was measured: files by name override, standard input replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields of the format")]
pub struct Worst {
    pub files: BTreeMap<String, Text>,
    pub stdin: Option<Text>,
}

/// What bash does with a marked fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the words of the format")]
pub enum FragmentTruth {
    Runs,
    Text,
    Unreached,
    SyntaxError,
}

impl FragmentTruth {
    /// Its word in the format.
    pub fn word(self) -> &'static str {
        match self {
            FragmentTruth::Runs => "runs",
            FragmentTruth::Text => "text",
            FragmentTruth::Unreached => "unreached",
            FragmentTruth::SyntaxError => "syntax_error",
        }
    }
}

/// A marked span of a command: byte offsets, half-open, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields of the format")]
pub struct Fragment {
    pub start: usize,
    pub end: usize,
    pub text: Text,
    pub truth: FragmentTruth,
}

/// A command with marked fragments (`docs/spec/regions.md`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields of the format")]
pub struct RegionsCase {
    pub command: Text,
    pub fragments: Vec<Fragment>,
    /// What the literal scanner says of each fragment: `true` is live.
    pub seed_says: Option<Vec<bool>>,
    pub kind: String,
    pub reach: Option<Reach>,
    pub tags: Vec<String>,
    pub why: String,
}

/// The variant of a command in which its unreached fragments are reached.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields of the format")]
pub struct Reach {
    pub command: Text,
    pub fragments: Vec<(usize, usize)>,
}

/// A command with the literal scanner's exact answer: spans in bytes, sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields of the format")]
pub struct ParityCase {
    pub command: Text,
    pub regions: Vec<(usize, usize)>,
    pub tag: Option<String>,
}

/// Which way a guard went wrong, or what a command is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the words of the format")]
pub enum Direction {
    Bypass,
    FalseAlarm,
    CrashOrHang,
    Other,
    Harmless,
    Harmful,
}

/// The shell a command is given to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the words of the format")]
pub enum Shell {
    #[default]
    Bash,
    Sh,
    Dash,
    Zsh,
}

/// What really happens when a whole command is run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields of the format")]
pub struct CommandTruth {
    pub executes: Vec<Text>,
    pub writes: bool,
    pub reads: Option<Vec<Text>>,
    pub network: Option<bool>,
    pub destroys: Option<bool>,
}

/// A whole command and its truth.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields of the format")]
pub struct CommandCase {
    pub command: Text,
    pub direction: Direction,
    pub truth: CommandTruth,
    pub setup: Option<Text>,
    pub stdin: Text,
    pub shell: Shell,
    pub needs_tty: bool,
    pub declared: bool,
    pub kind: Option<String>,
    pub mechanism: Option<String>,
    pub family: Option<String>,
    pub twin: Option<String>,
    pub what_guard_did: Option<String>,
    pub checked: bool,
    pub why: Option<String>,
    pub notes: Option<String>,
    pub tags: Vec<String>,
}
