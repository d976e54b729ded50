//! What do programs do whose words follow no grammar of options? Each a piece of code on top of its entry.

mod awk;
mod builtin;
mod env;
mod find;
mod git;
mod operands;
mod sed;
mod shell;
mod tar;
mod test;
mod xargs;

use super::entry::Entry;
use super::resolve::{Stretch, Work};

/// Which code reads the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    Alone,
    Awk,
    Busybox,
    Dd,
    Env,
    Find,
    Flock,
    Git,
    GitConfig,
    GitRemote,
    Interpreter,
    Printf,
    Sed,
    Set,
    Shell,
    Shopt,
    Source,
    Subcommand,
    Tar,
    Test,
    Xargs,
}

impl Special {
    /// The one of this name in the table.
    pub(super) fn named(name: &str) -> Self {
        match name {
            "alone" => Self::Alone,
            "awk" => Self::Awk,
            "busybox" => Self::Busybox,
            "dd" => Self::Dd,
            "env" => Self::Env,
            "find" => Self::Find,
            "flock" => Self::Flock,
            "git" => Self::Git,
            "git-config" => Self::GitConfig,
            "git-remote" => Self::GitRemote,
            "interpreter" => Self::Interpreter,
            "printf" => Self::Printf,
            "sed" => Self::Sed,
            "set" => Self::Set,
            "shell" => Self::Shell,
            "shopt" => Self::Shopt,
            "source" => Self::Source,
            "subcommand" => Self::Subcommand,
            "tar" => Self::Tar,
            "test" => Self::Test,
            "xargs" => Self::Xargs,
            other => panic!("{other}: no code of this name"),
        }
    }

    /// Says what the command does.
    pub(super) fn command(self, work: &mut Work, stretch: &Stretch, entry: &Entry) {
        match self {
            Self::Alone => builtin::alone(work, stretch, entry),
            Self::Awk => awk::command(work, stretch, entry),
            Self::Busybox => operands::busybox(work, stretch),
            Self::Dd => operands::dd(work, stretch),
            Self::Env => env::command(work, stretch, entry),
            Self::Find => find::command(work, stretch, entry),
            Self::Flock => operands::flock(work, stretch, entry),
            Self::Git => git::command(work, stretch, entry),
            Self::GitConfig => git::config(work, stretch, entry),
            Self::GitRemote => git::remote(work, stretch, entry),
            Self::Interpreter => shell::interpreter(work, stretch),
            Self::Printf => operands::printf(work, stretch, entry),
            Self::Sed => sed::command(work, stretch, entry),
            Self::Set => builtin::set(work, stretch),
            Self::Shopt => builtin::shopt(work, stretch),
            Self::Source => builtin::source(work, stretch, entry),
            Self::Subcommand => operands::subcommand(work, stretch, entry),
            Self::Shell => shell::command(work, stretch, entry),
            Self::Tar => tar::command(work, stretch, entry),
            Self::Test => test::command(work, stretch),
            Self::Xargs => xargs::command(work, stretch, entry),
        }
    }
}
