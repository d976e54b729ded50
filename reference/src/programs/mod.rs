//! What does a program do with the words it is given, and with its standard input?
//!
//! One table, an entry a program or builtin. The question is put for a simple command whose verb has been found to be a
//! name (a function of that name is for the caller to see): [`usage`] goes through wrappers (`env`, `timeout`, `xargs`,
//! `find -exec`) down to the command they start, and answers for every word at once. Each entry that claims something
//! harmless is proved by execution. What is not in the table, or is given an option that is not in its entry, is unknown,
//! and everything it gets may be run.
//!
//! The entries are texts in `table/` (their form: `entry`), read by `read`; what no entry can say (`find`, `sed`, `git`, ...) is
//! code in `special`; `resolve` goes through the wrappers.
//!
//! A program's *data* is what it may copy: to its standard output where [`Usage::prints`], and always to standard error
//! and to every file that it writes.

mod effects;
mod entry;
pub mod environment;
pub mod listing;
mod read;
mod resolve;
mod special;
#[cfg(test)]
mod tests;
pub(crate) mod variable;

use crate::shell::Value;
use std::fmt;
use std::ops::Range;

/// What a program does with one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The verb of a command: its own, or of the command that a wrapper starts.
    Verb,
    /// Data, and nothing else.
    Data,
    /// Names a file or folder that is read: what is in it is data, and so is the name.
    Reads,
    /// Names a file, folder or link that is made or changed: data gets into it, and its name may be found by whoever lists files.
    Writes,
    /// Both.
    ReadsAndWrites,
    /// Names a shell variable that gets data (`read x`, `printf -v x`, `mapfile a`); what a subscript in it would do is said by
    /// [`Role::Evaluated`] instead.
    Variable,
    /// Becomes one of the positional parameters (`set -- a b`).
    Positional,
    /// Evaluated as arithmetic or as a subscript, which runs substitutions and reads variables (B-50).
    Evaluated,
    /// Run as a program, in whatever language.
    Runs(Why),
    /// Names a file that is run, or read as a program.
    RunsFile(Why),
}

/// What a program does with its standard input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// Not read.
    Ignored,
    /// Data.
    Data,
    /// Run as a program.
    Runs(Why),
}

/// What one invocation does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// One for each word, the verb first.
    pub roles: Vec<Role>,
    /// For each word the offset in its value at which the operand or the option's value begins: 9 of `--output=f`, 2 of `-of`.
    pub starts: Vec<usize>,
    /// Standard input.
    pub input: Input,
    /// What shell reads its program from standard input, where [`Usage::input`] is run because of that.
    pub input_language: Option<Language>,
    /// May data appear on standard output? Not where a program counts, compares or is silent.
    pub prints: bool,
    /// Reads files that no word names (`ls`, `grep -r` without a folder, `git log`): their content or names are data.
    pub reads: bool,
    /// Keeps data where no word names it (`git commit`).
    pub writes: bool,
    /// Runs the hooks of the repository: no program of others as long as nobody wrote one.
    pub hooks: bool,
    /// Reaches out to other machines.
    pub network: bool,
    /// Starts programs that are not in the words, or may do anything that the user can do: files and exported variables of this
    /// command may be run by it.
    pub opaque: Option<Why>,
    /// A builtin after which the rest of the command may mean something else (`eval`, `source`, `alias`, `hash`, `enable`, `exec`
    /// without a command, `shopt`, `set -o`, ...).
    pub redefines: Option<Why>,
    /// A builtin that shows the text of the shell itself (`declare -f`, `alias`, `set`, `trap -p`, `history`, `fc`): everything
    /// in the command is its data.
    pub shows_itself: bool,
    /// What it starts may go on, beside the commands that come after it.
    pub lasting: bool,
    /// The words that are program text of a shell: their role is [`Role::Runs`] (so is that of its arguments) for whoever does
    /// not read them. What such a program finds as standard input is that of the command.
    pub programs: Vec<ProgramText>,
}

/// Program text of a shell among the words. Where it is not read it may do anything, as if [`Usage::opaque`] were set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramText {
    /// The words that it consists of, joined by blanks (`eval a b`, `ssh host a b`); one for `sh -c`.
    pub words: Range<usize>,
    /// The words that it finds as `$0`, `$1`, ...
    pub arguments: Range<usize>,
    /// Which shell reads it.
    pub language: Language,
    /// It runs in the shell that runs this command (`eval`, `trap`), not in a new one.
    pub own_shell: bool,
    /// When it runs.
    pub when: When,
}

/// A shell language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Bash.
    Bash,
    /// `sh`: dash, or bash as one calls it so.
    Posix,
    /// Another shell, or one that is not known (that of the user, or of another machine).
    Other,
}

/// When program text runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// By this command.
    Now,
    /// At a signal, at the end, before each command...
    Later,
}

/// Why something may be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// Not in the table.
    UnknownProgram,
    /// An option that its entry does not have, or a word that could be such an option.
    UnknownOption,
    /// A verb that is not known before the command runs.
    UnknownVerb,
    /// A shell, or another program that reads a program.
    Interpreter,
    /// An option whose value is a program.
    ProgramOption,
    /// `eval`, `source`, `trap`, `mapfile -C` and the like.
    ShellBuiltin,
    /// An environment variable that makes programs run something, or be found elsewhere.
    Environment,
    /// Starts programs named in files (`make`, package managers, hooks).
    StartsOthers,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownProgram => "a program that is not in the table",
            Self::UnknownOption => {
                "an option that is not in the program's entry, or a word that may become one"
            }
            Self::UnknownVerb => "a program whose name is not known before the command runs",
            Self::Interpreter => "a program that runs what it is given",
            Self::ProgramOption => "an option whose value is run",
            Self::ShellBuiltin => "a builtin that evaluates what it is given",
            Self::Environment => "an environment variable that programs obey",
            Self::StartsOthers => "a program that starts others",
        })
    }
}

/// What the program `words[0]` does with its words. Never empty: a command without a verb is not asked about.
pub fn usage(words: &[Value]) -> Usage {
    resolve::usage(words)
}

impl Usage {
    /// Of a program about which nothing is known.
    pub fn unknown(words: usize, why: Why) -> Self {
        let mut roles = vec![Role::Runs(why); words];
        if let Some(verb) = roles.first_mut() {
            *verb = Role::Verb;
        }
        Self {
            roles,
            input: Input::Runs(why),
            prints: true,
            reads: true,
            writes: true,
            hooks: true,
            network: true,
            opaque: Some(why),
            ..Self::nothing(words)
        }
    }
}
