//! Lists, pipelines, simple commands and definitions of functions.

use super::super::class::{BREAK, FIRST, NAME, is};
use super::super::tree::{Kind, Trouble};
use super::compound::Reserved;
use super::word::Sort;
use super::{Lines, Read, Reader};

/// Builtins whose operands are read as assignments, arrays too.
const DECLARING: [&[u8]; 8] = [
    b"alias",
    b"declare",
    b"eval",
    b"export",
    b"let",
    b"local",
    b"readonly",
    b"typeset",
];

/// What a simple command has had so far.
#[derive(Default)]
struct Seen {
    /// Words, the verb too.
    words: usize,
    /// Anything else.
    others: usize,
    /// Operands may be assignments.
    declares: bool,
}

impl Reader<'_, '_> {
    /// Pipelines and what connects them, up to what begins no command.
    pub(super) fn list(&mut self, lines: Lines) -> Read {
        let node = self.open(Kind::List, self.at)?;
        self.between(lines)?;
        while self.begins_command() {
            self.pipeline()?;
            if !self.connector(lines)? {
                break;
            }
        }
        self.close(node);
        Ok(())
    }

    fn between(&mut self, lines: Lines) -> Read {
        match lines {
            Lines::One => self.blanks(),
            Lines::Many => self.newlines(),
        }
    }

    /// `&&`, `||`, `;`, `&` or a newline; false where there is none, or where it ends the list.
    fn connector(&mut self, lines: Lines) -> Read<bool> {
        self.blanks()?;
        let start = self.at;
        let next = self.after(start);
        let (kind, end) = match (self.byte(), self.byte_at(next)) {
            (b'&', b'&') => (Kind::And, next + 1),
            (b'|', b'|') => (Kind::Or, next + 1),
            (b'&', _) => (Kind::Background, start + 1),
            (b';', b';' | b'&') => return Ok(false),
            (b';', _) => (Kind::Then, start + 1),
            (b'\n', _) if lines == Lines::Many => (Kind::Then, start + 1),
            _ => return Ok(false),
        };
        self.leaf(kind, start, end)?;
        if self.byte() == b'\n' {
            self.newline()?;
        } else {
            self.at = end;
        }
        if matches!(kind, Kind::And | Kind::Or) {
            self.newlines()?;
            self.must_begin_command()?;
        } else {
            self.between(lines)?;
        }
        Ok(true)
    }

    fn must_begin_command(&self) -> Read {
        match self.begins_command() {
            true => Ok(()),
            false if self.at >= self.end => Err(Trouble::Unclosed),
            false => Err(Trouble::Unexpected),
        }
    }

    /// After blanks: is this no end of a list?
    fn begins_command(&self) -> bool {
        match self.byte() {
            0 => self.at < self.end,
            b')' | b';' | b'|' | b'\n' => false,
            b'&' => self.byte_at(self.after(self.at)) == b'>',
            _ => self.reserved().is_none_or(|(word, _)| !word.ends_list()),
        }
    }

    /// A newline, `;` or the end: what may follow `!` or `time` alone.
    fn is_at_terminator(&self) -> bool {
        match self.byte() {
            b';' => !b";&".contains(&self.byte_at(self.after(self.at))),
            b'\n' => true,
            _ => self.at >= self.end,
        }
    }

    /// A list that has a command, of any number of lines.
    pub(super) fn commands(&mut self) -> Read {
        let list = self.made.nodes.len();
        self.list(Lines::Many)?;
        let mut at = list + 1;
        while let Some(node) = self.made.nodes.get(at) {
            match node.kind {
                Kind::Comment | Kind::HereBody(_) => at = node.next as usize,
                _ => return Ok(()),
            }
        }
        Err(match self.at < self.end {
            true => Trouble::Unexpected,
            false => Trouble::Unclosed,
        })
    }

    fn pipeline(&mut self) -> Read {
        let node = self.open(Kind::Pipeline, self.at)?;
        let has_prefix = self.prefix()?;
        if !has_prefix || self.begins_command() {
            self.command()?;
        } else if !self.is_at_terminator() {
            return Err(Trouble::Unexpected);
        }
        loop {
            let start = self.behind_blanks();
            let next = self.after(start);
            let (kind, end) = match (self.byte_at(start), self.byte_at(next)) {
                (b'|', b'|') => break,
                (b'|', b'&') => (Kind::PipeBoth, next + 1),
                (b'|', _) => (Kind::Pipe, start + 1),
                _ => break,
            };
            self.leaf(kind, start, end)?;
            self.at = end;
            self.newlines()?;
            self.prefix()?;
            self.must_begin_command()?;
            self.command()?;
        }
        self.close(node);
        Ok(())
    }

    /// `!` and `time`, as many as there are.
    fn prefix(&mut self) -> Read<bool> {
        let mut has_prefix = false;
        while let Some((word @ (Reserved::Bang | Reserved::Time), end)) = self.reserved() {
            has_prefix = true;
            let start = self.at;
            self.at = end;
            if word == Reserved::Bang {
                self.leaf(Kind::Bang, start, end)?;
                // Where extended patterns are on, it is one.
                if self.patterns && self.byte() == b'(' {
                    return Err(Trouble::DependsOnOptions);
                }
            } else {
                for option in [b"-p", b"--"] {
                    let option_at = self.behind_blanks();
                    let is_there = self.text[option_at..self.end].starts_with(option);
                    let after = option_at + option.len();
                    if is_there && (after >= self.end || is(self.text[after], BREAK)) {
                        self.at = after;
                    }
                }
                self.leaf(Kind::Time, start, self.at)?;
            }
            self.blanks()?;
        }
        Ok(has_prefix)
    }

    /// One command of any kind.
    pub(super) fn command(&mut self) -> Read {
        match self.compound()? {
            true => Ok(()),
            false => self.simple(),
        }
    }

    fn simple(&mut self) -> Read {
        let node = self.open(Kind::Simple, self.at)?;
        let mut seen = Seen::default();
        loop {
            let before = self.at;
            self.at = self.behind_blanks();
            match self.byte() {
                b'(' if seen.words == 1 && seen.others == 0 => {
                    self.made.nodes[node as usize].kind = Kind::Function;
                    self.body_of_function()?;
                    break;
                }
                _ if self.redirection()? => seen.others += 1,
                byte if byte == b'#' || !self.begins_word() => {
                    self.at = before;
                    break;
                }
                _ if seen.words == 0 || seen.declares => self.word_or_assignment(&mut seen)?,
                _ => {
                    self.word(Sort::Plain)?;
                    seen.words += 1;
                }
            }
        }
        self.close(node);
        if seen.words + seen.others == 0 {
            return Err(Trouble::Unexpected);
        }
        Ok(())
    }

    /// From `(` after the name on.
    fn body_of_function(&mut self) -> Read {
        self.at += 1;
        self.expect(b')')?;
        self.newlines()?;
        self.body()
    }

    /// `function name` and perhaps `()`.
    pub(super) fn function(&mut self) -> Read {
        self.blanks()?;
        self.word(Sort::Plain)?;
        self.blanks()?;
        if self.byte() == b'(' && self.byte_at(self.after(self.at)) != b'(' {
            let inside = self.after(self.at);
            if self.byte_at(inside) == b')' {
                self.at = inside + 1;
            }
        }
        self.newlines()?;
        self.body()
    }

    fn body(&mut self) -> Read {
        match self.compound()? {
            true => Ok(()),
            false => Err(Trouble::Unexpected),
        }
    }

    fn word_or_assignment(&mut self, seen: &mut Seen) -> Read {
        let start = self.at;
        let mut end = start;
        if is(self.byte(), FIRST) {
            while is(self.byte_at(end), NAME) {
                end += 1;
            }
        }
        if end > start {
            if let Some(value) = self.value_after(end) {
                seen.others += 1;
                return self.assignment(start, end, value);
            }
            if self.byte_at(end) == b'[' {
                return self.element(start, end, seen);
            }
            // Bash would join the lines, and might find an assignment.
            let joined = self.joined(end);
            if joined != end && self.goes_on_as_assignment(joined) {
                return Err(Trouble::Unclear);
            }
        }
        let word = self.word(Sort::Plain)? as usize;
        if seen.words == 0 {
            let has_pieces = self.made.nodes.len() > word + 1;
            seen.declares = !has_pieces && DECLARING.contains(&&self.text[start..self.at]);
        }
        seen.words += 1;
        Ok(())
    }

    /// After a name: where the value begins, if `=` or `+=` stands there.
    fn value_after(&self, end: usize) -> Option<usize> {
        match (self.byte_at(end), self.byte_at(end + 1)) {
            (b'=', _) => Some(end + 1),
            (b'+', b'=') => Some(end + 2),
            _ => None,
        }
    }

    fn goes_on_as_assignment(&self, mut at: usize) -> bool {
        while is(self.byte_at(at), NAME) {
            at = self.after(at);
        }
        matches!(self.byte_at(at), b'=' | b'[' | b'+')
    }

    fn assignment(&mut self, start: usize, end: usize, value: usize) -> Read {
        let node = self.open(Kind::Assignment, start)?;
        self.leaf(Kind::Name, start, end)?;
        self.at = value;
        self.value()?;
        self.close(node);
        Ok(())
    }

    fn value(&mut self) -> Read {
        if self.byte() == b'(' {
            self.array()?;
            // The word would go on.
            match self.begins_word() {
                true => Err(Trouble::Unclear),
                false => Ok(()),
            }
        } else if self.begins_word() {
            self.word(Sort::Plain).map(drop)
        } else {
            Ok(())
        }
    }

    /// `name[`: an assignment to an element, or a word that begins like one.
    fn element(&mut self, start: usize, end: usize, seen: &mut Seen) -> Read {
        let node = self.open(Kind::Word, start)?;
        self.leaf(Kind::Name, start, end)?;
        self.at = end;
        self.subscript(false)?;
        match self.value_after(self.at) {
            Some(value) => {
                self.made.nodes[node as usize].kind = Kind::Assignment;
                self.at = value;
                self.value()?;
                seen.others += 1;
            }
            None => {
                self.pieces_of_word(Sort::Plain)?;
                seen.words += 1;
            }
        }
        self.close(node);
        Ok(())
    }

    /// `( )` as a value.
    fn array(&mut self) -> Read {
        let node = self.open(Kind::Array, self.at)?;
        self.at += 1;
        self.deeper(|reader| {
            loop {
                reader.newlines()?;
                match reader.byte() {
                    b')' => break,
                    b'[' => {
                        let element = reader.open(Kind::Word, reader.at)?;
                        reader.subscript(false)?;
                        match reader.value_after(reader.at) {
                            Some(value) => {
                                reader.made.nodes[element as usize].kind = Kind::Assignment;
                                reader.at = value;
                                if reader.begins_word() {
                                    reader.word(Sort::Plain)?;
                                }
                            }
                            None => reader.pieces_of_word(Sort::Plain)?,
                        }
                        reader.close(element);
                    }
                    _ => {
                        reader.word(Sort::Plain)?;
                    }
                }
            }
            reader.at += 1;
            Ok(())
        })?;
        self.close(node);
        Ok(())
    }
}
