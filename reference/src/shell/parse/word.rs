//! Words: plain text, quotes, escapes, and what begins an expansion (B-10 to B-14).

use super::super::class::{BREAK, DOUBLE, FIRST, NAME, PATTERN, WORD, is};
use super::super::tree::{Form, Kind, Trouble};
use super::{Read, Reader};

/// In what a `$`, a backquote or a quote stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    /// A word.
    Word,
    /// Double quotes.
    Double,
    /// The body of a here-document.
    Here,
}

/// What a word may hold besides.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// Nothing.
    Plain,
    /// Right of `==` in `[[ ]]`: extended patterns are always on.
    Pattern,
    /// Right of `=~`: parentheses and `|`.
    Regex,
}

impl Reader<'_, '_> {
    /// Does a word begin here?
    pub(super) fn begins_word(&self) -> bool {
        let byte = self.byte();
        match byte {
            b'<' | b'>' => self.byte_at(self.after(self.at)) == b'(',
            _ => self.at < self.end && !is(byte, BREAK),
        }
    }

    /// A word that has to be there.
    pub(super) fn word(&mut self, sort: Sort) -> Read<u32> {
        let may_begin = match (sort, self.byte()) {
            (Sort::Regex, b'(' | b'|') => true,
            _ => self.begins_word(),
        };
        if !may_begin {
            return Err(match self.at < self.end {
                true => Trouble::Unexpected,
                false => Trouble::Unclosed,
            });
        }
        let node = self.open(Kind::Word, self.at)?;
        self.pieces_of_word(sort)?;
        self.close(node);
        Ok(node)
    }

    /// The rest of a word, from plain text on.
    pub(super) fn pieces_of_word(&mut self, sort: Sort) -> Read {
        loop {
            let plain = self.at;
            while self.at < self.end && !is(self.text[self.at], WORD) {
                self.at += 1;
            }
            if self.at >= self.end {
                return Ok(());
            }
            match self.text[self.at] {
                b'<' | b'>' if self.byte_at(self.after(self.at)) == b'(' => {
                    self.process_substitution()?
                }
                b'(' if sort == Sort::Regex => self.matched(b'(', b')')?,
                b'|' if sort == Sort::Regex => self.at += 1,
                b'(' if self.at > plain && self.begins_pattern(sort) => self.pattern()?,
                byte if is(byte, BREAK) => return Ok(()),
                b'\'' => self.single_quoted()?,
                b'"' => self.double_quoted(Kind::DoubleQuoted, self.at, self.at + 1)?,
                _ => self.piece(Within::Word)?,
            }
        }
    }

    fn begins_pattern(&self, sort: Sort) -> bool {
        is(self.text[self.at - 1], PATTERN) && (self.patterns || sort == Sort::Pattern)
    }

    /// From the character before `(`.
    fn pattern(&mut self) -> Read {
        let node = self.open(Kind::ExtendedPattern, self.at - 1)?;
        self.matched(b'(', b')')?;
        self.close(node);
        Ok(())
    }

    /// A backslash, a `$` or a backquote; or one byte that is none of these.
    pub(super) fn piece(&mut self, within: Within) -> Read {
        match self.byte() {
            b'\\' => self.escape(within),
            b'$' => self.dollar(within),
            b'`' => self.backquoted(within),
            0 if self.at < self.end => Err(Trouble::StrangeByte),
            _ => {
                self.at += 1;
                Ok(())
            }
        }
    }

    fn escape(&mut self, within: Within) -> Read {
        let next = self.byte_at(self.at + 1);
        let start = self.at;
        let kind = match (within, next) {
            (_, b'\n') => Kind::Continuation,
            (_, 0) if self.at + 1 < self.end => return Err(Trouble::StrangeByte),
            (Within::Word, _) if self.at + 1 < self.end => Kind::Escaped,
            (_, b'$' | b'`' | b'\\') | (Within::Double, b'"') => Kind::Escaped,
            _ => {
                self.at += 1;
                return Ok(());
            }
        };
        self.at += 2;
        self.leaf(kind, start, self.at)
    }

    pub(super) fn single_quoted(&mut self) -> Read {
        let start = self.at;
        let end = self.find(b'\'', start + 1)?;
        self.at = end + 1;
        self.leaf(Kind::SingleQuoted, start, self.at)
    }

    /// Offset of the next such byte, with no zero byte before it.
    pub(super) fn find(&mut self, byte: u8, from: usize) -> Read<usize> {
        let found = self.text[from.min(self.end)..self.end]
            .iter()
            .position(|&other| other == byte || other == 0);
        match found {
            Some(length) if self.text[from + length] == byte => Ok(from + length),
            Some(_) => Err(Trouble::StrangeByte),
            None => Err(Trouble::Unclosed),
        }
    }

    /// From `start`, where the node begins; `inner` is the offset after the quote.
    pub(super) fn double_quoted(&mut self, kind: Kind, start: usize, inner: usize) -> Read {
        let node = self.open(kind, start)?;
        self.at = inner;
        self.deeper(|reader| {
            loop {
                while reader.at < reader.end && !is(reader.text[reader.at], DOUBLE) {
                    reader.at += 1;
                }
                match reader.byte() {
                    b'"' => break,
                    0 if reader.at >= reader.end => return Err(Trouble::Unclosed),
                    _ => reader.piece(Within::Double)?,
                }
            }
            reader.at += 1;
            Ok(())
        })?;
        self.close(node);
        Ok(())
    }

    fn ansi_quoted(&mut self, start: usize, inner: usize) -> Read {
        self.at = inner;
        loop {
            match self.byte() {
                b'\'' => break,
                0 if self.at >= self.end => return Err(Trouble::Unclosed),
                0 => return Err(Trouble::StrangeByte),
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        self.leaf(Kind::AnsiQuoted, start, self.at)
    }

    /// A `$` and what it begins, if anything.
    pub(super) fn dollar(&mut self, within: Within) -> Read {
        let start = self.at;
        let next = self.after(start);
        match self.byte_at(next) {
            b'(' => {
                let second = self.after(next);
                if self.byte_at(second) == b'(' && self.arithmetic(start, second)? {
                    return Ok(());
                }
                self.command_substitution(start, next)
            }
            b'{' => self.parameter(start, next + 1, within),
            b'[' => {
                let node = self.open(Kind::Arithmetic, start)?;
                self.at = next;
                self.matched(b'[', b']')?;
                self.close(node);
                Ok(())
            }
            b'\'' if within == Within::Word => self.ansi_quoted(start, next + 1),
            b'"' if within == Within::Word => {
                self.double_quoted(Kind::LocaleQuoted, start, next + 1)
            }
            byte if is(byte, FIRST) => {
                let mut end = next;
                while is(self.byte_at(end), NAME) {
                    end += 1;
                }
                // The name would go on behind a continuation.
                if self.joined(end) != end && is(self.byte_at(self.joined(end)), NAME) {
                    return Err(Trouble::Unclear);
                }
                self.plain_parameter(start, next, end)
            }
            byte if byte.is_ascii_digit() || b"@*#?-$!".contains(&byte) => {
                self.plain_parameter(start, next, next + 1)
            }
            _ => {
                self.at += 1;
                Ok(())
            }
        }
    }

    fn plain_parameter(&mut self, start: usize, name: usize, end: usize) -> Read {
        let node = self.open(Kind::Parameter(Form::Plain), start)?;
        self.leaf(Kind::Name, name, end)?;
        self.at = end;
        self.close(node);
        Ok(())
    }
}
