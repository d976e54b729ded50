//! What would GNU sed do with this argv: read, write, execute, or stop with an error?
//!
//! One argv and its environment in, effects out (`docs/spec/sed.md`). The answer never claims less than what can
//! happen: what is not understood is the worst case, with its reason. It leaves to others where an argv comes from
//! (the shell front end) and what may be done about it (the policies).

mod cut;
mod escapes;
mod notes;
mod options;
mod regex;
mod script;
mod utf8;

use notes::Notes;
use options::Event;
use script::{Compiler, Mode, Stop};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// One call of sed, and what its answer may depend on.
#[derive(Clone, Copy)]
pub struct Invocation<'a> {
    /// The words, `argv[0]` being the program's name, which is not looked at. Any bytes but NUL.
    pub argv: &'a [Vec<u8>],
    /// The environment as name and value. `POSIXLY_CORRECT`, `LC_*` and `LANG` matter; with `LD_*`, `LOCPATH` and
    /// `GCONV_PATH` the answer is the worst case.
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
    /// Nobody looked, or it may be something else by the time sed opens it.
    Unknown,
    /// Nothing is there, and nothing will be when sed opens it.
    Missing,
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

/// What becomes of `sed --sandbox` with the same words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sandbox {
    /// It stops at its options or its script.
    Refuses,
    /// It gets past both.
    Accepts,
    /// It gets past both, and fails on the first line of input.
    AcceptsAndFails,
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
    /// What the static oracle would say.
    pub sandbox: Sandbox,
    /// Why this is the worst case: anything may be read, written or executed. `None`: every path is named.
    pub worst: Option<&'static str>,
    /// What another sed (busybox, toybox) may do beyond this answer for the same words; empty: nothing more.
    pub elsewhere: BTreeSet<&'static str>,
}

impl Answer {
    /// May a file be written?
    pub fn may_write(&self) -> bool {
        !self.writes.is_empty() || self.worst.is_some()
    }
}

/// Which extensions sed accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    /// All.
    Gnu,
    /// All, but no special file names (`POSIXLY_CORRECT` is set).
    Correct,
    /// None (`--posix`).
    Posix,
}

/// How sed reads bytes above 127.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Locale {
    /// As single bytes.
    C,
    /// As UTF-8, without an order of characters.
    Utf8,
    /// Not known: another character set, another order, or a name that is not installed.
    Other,
}

/// Says what sed would do.
pub fn answer(invocation: &Invocation<'_>) -> Answer {
    // One run at a time: each may keep as much as the words hold.
    let sandbox = Run::of(invocation, true).under_sandbox();
    Run::of(invocation, false).into_answer(sandbox)
}

/// How sed ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// At a wrong option or without a script, or without the operand that `-i` needs.
    Usage,
    /// With `--help` or `--version`.
    Done,
    /// At its script.
    Refused(Stop),
    /// It gets to its input.
    Reads,
    /// It depends on what is not known.
    Unknown(&'static str),
}

/// One run through the words, in the order in which sed takes them.
struct Run<'a> {
    world: &'a dyn World,
    mode: Mode,
    compiler: Compiler,
    notes: Notes<'a>,
    has_script: bool,
    /// How standard input was named when a piece of the script was read from it.
    stdin_read: Option<&'a [u8]>,
    suffix: Option<&'a [u8]>,
    follows_links: bool,
    changed_program: bool,
    end: End,
}

impl<'a> Run<'a> {
    fn of(invocation: &Invocation<'a>, sandbox: bool) -> Self {
        let variable = |name: &[u8]| {
            invocation
                .env
                .iter()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value.as_slice())
        };
        let correct = variable(b"POSIXLY_CORRECT").is_some();
        let mut run = Run {
            world: invocation.world,
            mode: Mode {
                extended: false,
                sandbox,
                dialect: if correct {
                    Dialect::Correct
                } else {
                    Dialect::Gnu
                },
                posixly_correct: correct,
                locale: locale(&variable),
            },
            compiler: Compiler::default(),
            notes: Notes::new(invocation.world),
            has_script: false,
            stdin_read: None,
            suffix: None,
            follows_links: false,
            changed_program: invocation.env.iter().any(changes_program),
            end: End::Reads,
        };
        let words = invocation.argv.get(1..).unwrap_or_default();
        if let ControlFlow::Continue(operands) =
            options::read(words, correct, |event| run.meet(event))
        {
            run.after_options(&operands);
        }
        run
    }

    fn stop(&mut self, end: End) -> ControlFlow<()> {
        self.end = end;
        ControlFlow::Break(())
    }

    fn meet(&mut self, event: Event<'a>) -> ControlFlow<()> {
        match event {
            Event::Expression(text) => return self.piece(text),
            Event::File(path) => return self.script_file(path),
            Event::InPlace(suffix) => self.suffix = Some(suffix),
            Event::Extended => self.mode.extended = true,
            Event::Posix => self.mode.dialect = Dialect::Posix,
            Event::Sandbox => self.mode.sandbox = true,
            Event::FollowSymlinks => self.follows_links = true,
            Event::Plain => {}
            Event::Done => return self.stop(End::Done),
            Event::Usage => return self.stop(End::Usage),
        }
        ControlFlow::Continue(())
    }

    fn piece(&mut self, text: &[u8]) -> ControlFlow<()> {
        self.has_script = true;
        if self.mode.locale == Locale::Other && !text.is_ascii() {
            return self.stop(End::Unknown(
                "the script has bytes above 127 and the locale is not known",
            ));
        }
        match self.compiler.piece(text, self.mode, &mut self.notes) {
            Ok(mode) => {
                self.mode = mode;
                ControlFlow::Continue(())
            }
            Err(stop) => self.stop(End::Refused(stop)),
        }
    }

    fn script_file(&mut self, path: &'a [u8]) -> ControlFlow<()> {
        if path == b"-" || path == b"/dev/stdin" {
            match self.stdin_read.replace(path) {
                None => {}
                Some(b"-") if path == b"-" => return self.piece(b""),
                // A pipe is at its end, a file is not when it is opened again.
                Some(_) => return self.stop(End::Unknown("standard input is read twice")),
            }
        }
        if path != b"-" {
            self.notes.read(path);
            if self.notes.rewritten(path) {
                return self.stop(End::Unknown("a script file is written before it is read"));
            }
            match self.notes.leads_to(path) {
                Kind::Missing => return self.stop(End::Refused(Stop::Script)),
                // sed reads nothing from it and goes on.
                Kind::Directory => return self.piece(b""),
                _ => {}
            }
        }
        match self.world.script(path) {
            Some(text) => self.piece(&text),
            None => self.stop(End::Unknown("a part of the script is not known")),
        }
    }

    fn after_options(&mut self, operands: &[&'a [u8]]) {
        let mut inputs = operands;
        if !self.has_script {
            let Some((script, rest)) = operands.split_first() else {
                self.end = End::Usage;
                return;
            };
            inputs = rest;
            if self.piece(script).is_break() {
                return;
            }
        }
        if let Err(stop) = self.compiler.finish(&mut self.notes) {
            self.end = End::Refused(stop);
            return;
        }
        if self.suffix.is_some() && inputs.is_empty() {
            self.end = End::Usage;
            return;
        }
        for &input in inputs {
            if let Some(suffix) = self.suffix {
                if self
                    .notes
                    .edit(input, suffix, self.follows_links)
                    .is_break()
                {
                    break;
                }
            } else if input != b"-" {
                self.notes.read(input);
            }
        }
    }

    /// What the static oracle says, if this is its run.
    fn under_sandbox(&self) -> Sandbox {
        match self.end {
            End::Refused(Stop::Script) | End::Usage | End::Unknown(_) => Sandbox::Refuses,
            End::Reads if self.notes.fails_at_first_line => Sandbox::AcceptsAndFails,
            End::Refused(Stop::Odd) | End::Done | End::Reads => Sandbox::Accepts,
        }
    }

    fn into_answer(mut self, sandbox: Sandbox) -> Answer {
        let mut elsewhere = self.notes.elsewhere;
        if matches!(self.end, End::Reads | End::Unknown(_)) {
            self.notes.reads.extend(self.notes.late_reads);
        } else {
            // No command runs of a script that sed does not get to run; what compiling opens stays opened.
            self.notes.executes = false;
            self.notes.shell.clear();
        }
        if self.end == End::Refused(Stop::Script) {
            elsewhere.insert("GNU sed refuses this script, another sed may run it");
        }
        let worst = match self.end {
            _ if self.changed_program => Some("the environment makes the program load other code"),
            End::Unknown(reason) => Some(reason),
            _ if self.notes.unknown_target => Some("it follows links that were not looked at"),
            _ if self.notes.overflow => Some("the script names more files than are kept"),
            _ => None,
        };
        let executes = self.notes.executes || worst.is_some();
        let effect = if executes {
            Effect::Executes
        } else if !self.notes.writes.is_empty() {
            Effect::Writes
        } else {
            match self.end {
                End::Usage | End::Refused(Stop::Script) => Effect::Error,
                _ if self.notes.fails_at_first_line => Effect::Error,
                _ => Effect::ReadOnly,
            }
        };
        Answer {
            effect,
            reads: self.notes.reads.into_iter().collect(),
            writes: self.notes.writes.into_iter().collect(),
            executes,
            shell: self.notes.shell.into_iter().collect(),
            sandbox,
            worst,
            elsewhere,
        }
    }
}

/// The categories of a locale. If the name of one is not installed, all are those of `C`.
const CATEGORIES: [&[u8]; 12] = [
    b"LC_CTYPE",
    b"LC_NUMERIC",
    b"LC_TIME",
    b"LC_COLLATE",
    b"LC_MONETARY",
    b"LC_MESSAGES",
    b"LC_PAPER",
    b"LC_NAME",
    b"LC_ADDRESS",
    b"LC_TELEPHONE",
    b"LC_MEASUREMENT",
    b"LC_IDENTIFICATION",
];

fn locale<'a>(variable: &dyn Fn(&[u8]) -> Option<&'a [u8]>) -> Locale {
    let set = |name: &[u8]| variable(name).filter(|value| !value.is_empty());
    let named = CATEGORIES.map(|category| {
        let name = set(b"LC_ALL")
            .or_else(|| set(category))
            .or_else(|| set(b"LANG"));
        match name.unwrap_or(b"C") {
            b"C" | b"POSIX" => Locale::C,
            b"C.UTF-8" | b"C.utf8" => Locale::Utf8,
            _ => Locale::Other,
        }
    });
    if named.contains(&Locale::Other) {
        Locale::Other
    } else {
        named[0]
    }
}

/// Variables with which the loader and the C library take code or tables from elsewhere.
fn changes_program((name, value): &(Vec<u8>, Vec<u8>)) -> bool {
    let steers = name.starts_with(b"LD_") || name == b"LOCPATH" || name == b"GCONV_PATH";
    steers && !value.is_empty()
}
