//! What does this piece of a script do? The compiler of sed, piece by piece, in its order.
//!
//! It opens and runs nothing: it notes what sed would open while compiling, and what the commands could do when they
//! run. A refused script keeps what was noted before the error, as sed keeps the files it has opened
//! (`docs/spec/sed.md` sections 3 to 5).

mod address;
mod substitute;
mod text;

use super::notes::Notes;
use super::{Dialect, Locale};
use address::Address;
use std::collections::HashSet;
use text::OpenText;

/// Why sed stops before it reads its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// A script error.
    Script,
    /// An error whose message is not of the form of a script error.
    Odd,
}

/// Options that act on the pieces after them.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    pub(super) extended: bool,
    pub(super) sandbox: bool,
    pub(super) dialect: Dialect,
    /// `POSIXLY_CORRECT` is in the environment.
    pub(super) posixly_correct: bool,
    pub(super) locale: Locale,
}

/// More labels than this are not kept: then every jump is taken to have its label.
const MOST_LABELS: usize = 100_000;

/// The state that goes on from piece to piece.
#[derive(Default)]
pub(super) struct Compiler {
    open_blocks: usize,
    open_text: Option<OpenText>,
    labels: HashSet<Vec<u8>>,
    jumps: HashSet<Vec<u8>>,
    uncounted_labels: bool,
    /// A non-empty expression stands before, so that an empty one may refer to it.
    seen_regex: bool,
    /// A command before may have ended the cycle or jumped, so that the next one need not be reached.
    may_be_skipped: bool,
}

impl Compiler {
    /// Compiles one piece. NUL bytes may stand in it (a script file).
    pub(super) fn piece(
        &mut self,
        text: &[u8],
        mode: Mode,
        notes: &mut Notes<'_>,
    ) -> Result<Mode, Stop> {
        let mut reader = Reader {
            text,
            at: 0,
            mode,
            notes,
            compiler: self,
        };
        reader.run()?;
        Ok(reader.mode)
    }

    /// What is wrong with the whole, after the last piece.
    pub(super) fn finish(&mut self, notes: &mut Notes<'_>) -> Result<(), Stop> {
        // A text that stays open is taken as it stands, without its last newline.
        if let Some(OpenText {
            is_command: true,
            raw,
        }) = self.open_text.take()
        {
            notes.execute(Some(c_string(raw.strip_suffix(b"\n").unwrap_or(&raw))));
        }
        if self.open_blocks > 0 {
            return Err(Stop::Script);
        }
        if !self.uncounted_labels && !self.jumps.is_subset(&self.labels) {
            return Err(Stop::Script);
        }
        Ok(())
    }
}

struct Reader<'a, 'n, 'w> {
    text: &'a [u8],
    at: usize,
    mode: Mode,
    notes: &'n mut Notes<'w>,
    compiler: &'n mut Compiler,
}

impl<'a> Reader<'a, '_, '_> {
    fn run(&mut self) -> Result<(), Stop> {
        if self.compiler.open_text.is_some() {
            self.text_to_its_end(0)?;
        }
        loop {
            while self
                .peek()
                .is_some_and(|byte| byte == b';' || is_space(byte))
            {
                self.at += 1;
            }
            if self.at == self.text.len() {
                return Ok(());
            }
            self.command()?;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    fn command(&mut self) -> Result<(), Stop> {
        let first = self.address()?;
        let mut second = None;
        if first.is_some() {
            if first == Some(Address::Relative) {
                return Err(Stop::Script);
            }
            self.skip_blanks();
            if self.peek() == Some(b',') {
                self.at += 1;
                self.skip_blanks();
                second = Some(self.address()?.ok_or(Stop::Script)?);
                self.skip_blanks();
            }
            let posix = self.mode.dialect == Dialect::Posix;
            let regex_follows = matches!(second, Some(Address::Regex { .. })) && !posix;
            let before_file = self.peek() == Some(b'r') && second.is_none() && !posix;
            if first == Some(Address::Line(0)) && !regex_follows && !before_file {
                return Err(Stop::Script);
            }
        }
        let mut negated = false;
        if self.peek() == Some(b'!') {
            negated = true;
            self.at += 1;
            self.skip_blanks();
            if self.peek() == Some(b'!') {
                return Err(Stop::Script);
            }
        }
        let letter = self.next().ok_or(Stop::Script)?;
        self.allowed(letter, first.is_some(), second.is_some())?;
        let reached = !self.compiler.may_be_skipped;
        let certain = reached && first.is_none() && !negated;
        if reached && first == Some(Address::Regex { empty: true }) {
            self.empty_regex();
        }
        self.act(letter, certain)?;
        let stays = !b"btTdDqQnNc{".contains(&letter) || (letter == b'{' && certain);
        self.compiler.may_be_skipped |= !stays;
        Ok(())
    }

    /// Which commands the dialect and the addresses allow.
    fn allowed(&self, letter: u8, addressed: bool, range: bool) -> Result<(), Stop> {
        let posix = self.mode.dialect == Dialect::Posix;
        let refused = match letter {
            b'#' | b':' | b'}' => addressed,
            b'q' | b'Q' if range => true,
            b'e' | b'F' | b'v' | b'z' | b'L' | b'Q' | b'T' | b'R' | b'W' => posix,
            b'a' | b'i' | b'l' | b'=' | b'r' => posix && range,
            _ => false,
        };
        if refused { Err(Stop::Script) } else { Ok(()) }
    }

    /// Reads the rest of a command; `certain`: it runs for the first line, whatever that holds.
    fn act(&mut self, letter: u8, certain: bool) -> Result<(), Stop> {
        match letter {
            b'{' => {
                self.compiler.open_blocks += 1;
                Ok(())
            }
            b'}' => {
                self.compiler.open_blocks = self
                    .compiler
                    .open_blocks
                    .checked_sub(1)
                    .ok_or(Stop::Script)?;
                self.end_of_command()
            }
            b'=' | b'd' | b'D' | b'F' | b'g' | b'G' | b'h' | b'H' | b'n' | b'N' | b'p' | b'P'
            | b'x' | b'z' => self.end_of_command(),
            b'l' | b'L' | b'q' | b'Q' => {
                self.skip_blanks();
                if self.mode.dialect != Dialect::Posix {
                    self.number();
                }
                self.end_of_command()?;
                if letter == b'L' && certain {
                    self.notes.fails_at_first_line = true;
                }
                Ok(())
            }
            b'#' => {
                while self.next().is_some_and(|byte| byte != b'\n') {}
                Ok(())
            }
            b':' => {
                let label = self.label();
                if label.is_empty() {
                    return Err(Stop::Script);
                }
                self.remember(label, true);
                Ok(())
            }
            b'b' | b't' | b'T' => {
                let label = self.label();
                if !label.is_empty() {
                    self.remember(label, false);
                }
                Ok(())
            }
            b'v' => {
                let version = self.label();
                if is_newer(version) {
                    return Err(Stop::Script);
                }
                self.mode.dialect = Dialect::Gnu;
                Ok(())
            }
            b's' => self.substitute(certain),
            b'y' => self.transliterate(),
            b'a' | b'i' | b'c' => {
                self.skip_blanks();
                if self.peek().is_none() {
                    return Err(Stop::Script);
                }
                self.text(false)
            }
            b'e' => self.execute(),
            b'r' => {
                let name = self.file_name()?;
                self.notes.read_when_run(name);
                Ok(())
            }
            b'R' => {
                let name = self.file_name()?;
                if !self.is_special(name) {
                    self.notes.read(name);
                }
                Ok(())
            }
            b'w' | b'W' => self.write(),
            _ => Err(Stop::Script),
        }
    }

    fn end_of_command(&mut self) -> Result<(), Stop> {
        self.skip_blanks();
        match self.peek() {
            None | Some(b'}' | b'#') => Ok(()),
            Some(b'\n' | b';') => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(Stop::Script),
        }
    }

    /// The digits from here on, modulo 2⁶⁴ as sed counts; none is 0.
    fn number(&mut self) -> u64 {
        let mut number = 0_u64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            number = number
                .wrapping_mul(10)
                .wrapping_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        number
    }

    /// A label or version word; whatever follows it may be a command.
    fn label(&mut self) -> &'a [u8] {
        self.skip_blanks();
        let start = self.at;
        while self
            .peek()
            .is_some_and(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'}' | b'#'))
        {
            self.at += 1;
        }
        c_string(&self.text[start..self.at])
    }

    fn remember(&mut self, label: &[u8], defined: bool) {
        let compiler = &mut *self.compiler;
        if compiler.labels.len() + compiler.jumps.len() >= MOST_LABELS {
            compiler.uncounted_labels = true;
            return;
        }
        let names = if defined {
            &mut compiler.labels
        } else {
            &mut compiler.jumps
        };
        if !names.contains(label) {
            names.insert(label.to_vec());
        }
    }

    /// Everything up to the newline, without escapes.
    fn file_name(&mut self) -> Result<&'a [u8], Stop> {
        if self.mode.sandbox {
            return Err(Stop::Script);
        }
        self.skip_blanks();
        let start = self.at;
        while self.peek().is_some_and(|byte| byte != b'\n') {
            self.at += 1;
        }
        let name = &self.text[start..self.at];
        if name.is_empty() {
            Err(Stop::Script)
        } else {
            Ok(c_string(name))
        }
    }

    /// A name that stands for one of sed's own streams, so that nothing is opened.
    fn is_special(&mut self, name: &[u8]) -> bool {
        let special = matches!(name, b"/dev/stdin" | b"/dev/stdout" | b"/dev/stderr");
        if special {
            self.notes.special_name();
        }
        special && self.mode.dialect == Dialect::Gnu
    }

    fn write(&mut self) -> Result<(), Stop> {
        let name = self.file_name()?;
        if !self.is_special(name) && !self.notes.create(name) {
            return Err(Stop::Script);
        }
        Ok(())
    }
}

/// White space before a command: blank, tab, newline, VT, FF, CR.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// What C sees of a text: up to its first NUL.
pub(super) fn c_string(text: &[u8]) -> &[u8] {
    text.split(|&byte| byte == 0).next().unwrap_or_default()
}

/// Is the version that `v` asks for newer than 4.9, as `strverscmp` orders them?
fn is_newer(version: &[u8]) -> bool {
    const OURS: &[u8] = b"4.9";
    let at = |text: &[u8], index: usize| text.get(index).copied().unwrap_or(0);
    let mut differs = 0;
    let mut digits = 0;
    while at(version, differs) == at(OURS, differs) {
        if differs == OURS.len() {
            return false;
        }
        if !OURS[differs].is_ascii_digit() {
            digits = differs + 1;
        }
        differs += 1;
    }
    let number = |text: &[u8]| matches!(at(text, digits), b'1'..=b'9');
    if number(version) && number(OURS) {
        let length = |text: &[u8]| {
            text[differs.min(text.len())..]
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count()
        };
        let (theirs, ours) = (length(version), length(OURS));
        if theirs != ours {
            return theirs > ours;
        }
    }
    at(version, differs) > at(OURS, differs)
}
