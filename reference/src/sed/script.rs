//! What does this piece of a script do? The compiler of sed, piece by piece, in its order.
//!
//! It opens and runs nothing: it notes what sed would open while compiling, and what the commands could do when they
//! run. A refused script keeps what was noted before the error, as sed keeps the files it has opened
//! (`docs/spec/sed.md` sections 3 to 5).

use super::cut::{self, Kind as Cut};
use super::escapes::{self, Place};
use super::notes::Notes;
use super::regex::{self, Syntax};
use super::utf8::{announced, character_length};
use super::{Dialect, Locale};
use std::collections::HashSet;

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

/// A text whose end was not reached yet.
struct OpenText {
    /// Of `e`: what the shell is given.
    is_command: bool,
    /// As it stands in the pieces so far, a backslash at the end of a piece being a newline.
    raw: Vec<u8>,
}

/// Address of a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Address {
    Line(u64),
    /// `N~M` with a step that is not 0, `$`.
    Other,
    Regex {
        empty: bool,
    },
    /// `+N`, `~N` with a number that is not 0: not as the first.
    Relative,
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

    fn address(&mut self) -> Result<Option<Address>, Stop> {
        let extensions = self.mode.dialect != Dialect::Posix;
        let Some(byte) = self.peek() else {
            return Ok(None);
        };
        let address = match byte {
            b'/' | b'\\' => {
                self.at += 1;
                let delimiter = if byte == b'/' {
                    byte
                } else {
                    self.next().ok_or(Stop::Script)?
                };
                let text = self.part(delimiter, Cut::Regex)?;
                let mut modifiers = Modifiers::default();
                loop {
                    self.skip_blanks();
                    match self.peek() {
                        Some(b'I') if extensions => modifiers.ignore_case = true,
                        Some(b'M') if extensions => modifiers.many_lines = true,
                        _ => break,
                    }
                    self.at += 1;
                }
                self.regex(&text, modifiers, None)?;
                Address::Regex {
                    empty: text.is_empty(),
                }
            }
            b'0'..=b'9' => {
                let line = self.number();
                self.skip_blanks();
                if self.peek() == Some(b'~') && extensions {
                    self.at += 1;
                    self.skip_blanks();
                    if self.number() > 0 {
                        Address::Other
                    } else {
                        Address::Line(line)
                    }
                } else {
                    Address::Line(line)
                }
            }
            b'+' | b'~' if extensions => {
                self.at += 1;
                self.skip_blanks();
                // `+` and `~` without a number, or with 0, are an address that holds for every line.
                if self.number() > 0 {
                    Address::Relative
                } else {
                    Address::Other
                }
            }
            b'$' => {
                self.at += 1;
                Address::Other
            }
            _ => return Ok(None),
        };
        Ok(Some(address))
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

    fn execute(&mut self) -> Result<(), Stop> {
        if self.mode.sandbox {
            return Err(Stop::Script);
        }
        self.skip_blanks();
        match self.peek() {
            None | Some(b'\n') => {
                self.next();
                self.notes.execute(None);
                Ok(())
            }
            Some(_) => {
                // The command may yet turn out empty; something is run in any case.
                self.notes.execute(None);
                self.text(true)
            }
        }
    }

    /// The text of `a`, `i`, `c`, `e`, from its first byte that is not blank.
    fn text(&mut self, is_command: bool) -> Result<(), Stop> {
        self.compiler.open_text = Some(OpenText {
            is_command,
            raw: Vec::new(),
        });
        let start = self.at;
        if self.peek() == Some(b'\\') {
            self.at += 1;
            match self.next() {
                None => return self.text_goes_on(),
                Some(b'\n') => return self.text_to_its_end(self.at),
                // The first byte after the backslash is plain, a backslash included.
                Some(_) => return self.text_to_its_end(start + 1),
            }
        }
        if self.mode.dialect == Dialect::Posix {
            return Err(Stop::Script);
        }
        self.text_to_its_end(start)
    }

    /// Reads on to the newline that ends the text; at the end of the piece the text stays open only after a backslash.
    fn text_to_its_end(&mut self, start: usize) -> Result<(), Stop> {
        let mut dangling = false;
        let end = loop {
            match self.next() {
                None => break self.text.len(),
                Some(b'\n') => break self.at - 1,
                Some(b'\\') => {
                    if self.next().is_none() {
                        dangling = true;
                        break self.text.len() - 1;
                    }
                }
                Some(_) => {}
            }
        };
        let Some(text) = &mut self.compiler.open_text else {
            return Ok(());
        };
        text.raw.extend_from_slice(&self.text[start.min(end)..end]);
        if dangling {
            text.raw.push(b'\n');
            return self.text_goes_on();
        }
        let decoded = escapes::decode(&text.raw, Place::Text).map_err(|_| Stop::Script)?;
        if text.is_command {
            self.notes.execute(Some(c_string(&unescaped(&decoded))));
        }
        self.compiler.open_text = None;
        Ok(())
    }

    /// The piece ends after a backslash: the text goes on in the next piece.
    fn text_goes_on(&self) -> Result<(), Stop> {
        if self.mode.dialect == Dialect::Posix {
            Err(Stop::Script)
        } else {
            Ok(())
        }
    }

    fn part(&mut self, delimiter: u8, kind: Cut) -> Result<Vec<u8>, Stop> {
        let wide = self.mode.locale != Locale::C && announced(delimiter) > 1;
        let nul = self.mode.locale == Locale::Utf8 && delimiter == 0;
        if delimiter == b'\n' || wide || nul {
            return Err(Stop::Script);
        }
        let utf8 = self.mode.locale != Locale::C;
        let part = cut::part(self.text, self.at, delimiter, kind, utf8).ok_or(Stop::Script)?;
        self.at = part.end;
        Ok(part.text)
    }

    /// Checks an expression; `reference` is the highest `\N` of a replacement.
    fn regex(
        &mut self,
        text: &[u8],
        modifiers: Modifiers,
        reference: Option<u32>,
    ) -> Result<(), Stop> {
        let Mode {
            extended,
            dialect,
            locale,
            ..
        } = self.mode;
        if text.is_empty() {
            let refused = modifiers != Modifiers::default();
            return if refused { Err(Stop::Script) } else { Ok(()) };
        }
        self.compiler.seen_regex = true;
        let place = if dialect == Dialect::Gnu {
            Place::Regex
        } else {
            Place::PosixRegex
        };
        let decoded = escapes::decode(text, place).map_err(|_| Stop::Script)?;
        match regex::check(
            &decoded,
            Syntax {
                extended,
                ignore_case: modifiers.ignore_case,
                posixly_correct: self.mode.posixly_correct,
                dialect,
                locale,
            },
        ) {
            regex::Verdict::Refused => Err(Stop::Script),
            regex::Verdict::Accepted(groups) | regex::Verdict::Misplaced(groups)
                if dialect == Dialect::Gnu && reference.is_some_and(|number| number > groups) =>
            {
                Err(Stop::Script)
            }
            regex::Verdict::Misplaced(_) => Err(Stop::Odd),
            regex::Verdict::Accepted(_) | regex::Verdict::Unsure => Ok(()),
        }
    }

    /// An empty expression fails when it is used before any other was.
    fn empty_regex(&mut self) {
        if !self.compiler.seen_regex {
            self.notes.fails_at_first_line = true;
        }
    }

    fn substitute(&mut self, certain: bool) -> Result<(), Stop> {
        let delimiter = self.next().ok_or(Stop::Script)?;
        let pattern = self.part(delimiter, Cut::Regex)?;
        let replacement = self.part(delimiter, Cut::Plain)?;
        // The replacement is decoded before the flags open their file, the expression after.
        let decoded = escapes::decode(&replacement, Place::Text).map_err(|_| Stop::Script)?;
        let flags = self.flags()?;
        if pattern.is_empty() && certain {
            self.empty_regex();
        }
        self.regex(&pattern, flags.modifiers, Some(highest_reference(&decoded)))?;
        if flags.evaluates {
            if self.mode.sandbox {
                return Err(Stop::Script);
            }
            self.notes.execute(None);
        }
        Ok(())
    }

    fn flags(&mut self) -> Result<Flags, Stop> {
        let extensions = self.mode.dialect != Dialect::Posix;
        let mut flags = Flags::default();
        loop {
            match self.next() {
                None | Some(b'\n' | b';') => return Ok(flags),
                Some(b' ' | b'\t') => {}
                Some(b'}' | b'#') => {
                    self.at -= 1;
                    return Ok(flags);
                }
                Some(b'\r') if self.peek() == Some(b'\n') => {
                    self.at += 1;
                    return Ok(flags);
                }
                Some(b'i' | b'I') if extensions => flags.modifiers.ignore_case = true,
                Some(b'm' | b'M') if extensions => flags.modifiers.many_lines = true,
                Some(b'e') if extensions => flags.evaluates = true,
                Some(b'g') if !flags.global => flags.global = true,
                Some(b'p') if !flags.print => flags.print = true,
                Some(b'0'..=b'9') if !flags.numbered => {
                    self.at -= 1;
                    flags.numbered = true;
                    if self.number() == 0 {
                        return Err(Stop::Script);
                    }
                }
                Some(b'w') => {
                    self.write()?;
                    return Ok(flags);
                }
                Some(_) => return Err(Stop::Script),
            }
        }
    }

    fn transliterate(&mut self) -> Result<(), Stop> {
        let delimiter = self.next().ok_or(Stop::Script)?;
        let from = self.part(delimiter, Cut::Plain)?;
        let to = self.part(delimiter, Cut::Plain)?;
        let from = escapes::decode(&from, Place::Text).map_err(|_| Stop::Script)?;
        let to = escapes::decode(&to, Place::Text).map_err(|_| Stop::Script)?;
        let count = |text: &[u8]| characters(text, self.mode.locale);
        if count(&from) != count(&to) {
            return Err(Stop::Script);
        }
        self.end_of_command()
    }
}

/// The flags `I` and `M` of an expression.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Modifiers {
    ignore_case: bool,
    many_lines: bool,
}

#[derive(Default)]
struct Flags {
    global: bool,
    print: bool,
    numbered: bool,
    modifiers: Modifiers,
    evaluates: bool,
}

/// White space before a command: blank, tab, newline, VT, FF, CR.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// What C sees of a text: up to its first NUL.
pub(super) fn c_string(text: &[u8]) -> &[u8] {
    text.split(|&byte| byte == 0).next().unwrap_or_default()
}

/// A text without the backslashes that quote in it.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        plain.push(if byte == b'\\' {
            bytes.next().copied().unwrap_or(byte)
        } else {
            byte
        });
    }
    plain
}

/// The highest `\N` in a replacement.
fn highest_reference(text: &[u8]) -> u32 {
    let mut highest = 0;
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        if byte == b'\\'
            && let Some(&digit @ b'0'..=b'9') = bytes.next()
        {
            highest = highest.max(u32::from(digit - b'0'));
        }
    }
    highest
}

/// How many characters a part of `y` stands for; a backslash and what follows are one.
fn characters(text: &[u8], locale: Locale) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < text.len() {
        if text[at] == b'\\' && at + 1 < text.len() {
            at += 1;
        }
        at += if locale == Locale::C {
            1
        } else {
            character_length(&text[at..])
        };
        count += 1;
    }
    count
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
