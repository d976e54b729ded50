//! Brackets that are matched before anything is known of what is in them: arithmetic, subscripts, patterns.

use super::super::tree::{Kind, Trouble};
use super::word::Within;
use super::{Read, Reader};
use std::mem::replace;

impl Reader<'_, '_> {
    /// From an opening bracket to behind the one that closes it; quotes and expansions in it are pieces.
    pub(super) fn matched(&mut self, open: u8, close: u8) -> Read {
        self.at += 1;
        self.deeper(|reader| {
            let mut level = 1;
            while level > 0 {
                level = reader.step(open, close, level)?;
            }
            Ok(())
        })
    }

    /// `[ ]` after a name. Within `${ }` bash looks for the brace first, and programs are read before the bracket.
    pub(super) fn subscript(&mut self, in_braces: bool) -> Read {
        let node = self.open(Kind::Subscript, self.at)?;
        self.at += 1;
        self.deeper(|reader| {
            let mut level = 1;
            while level > 0 {
                let begins_program = reader.byte_at(reader.after(reader.at)) == b'(';
                match reader.byte() {
                    b'}' if in_braces => return Err(Trouble::Unclear),
                    b'<' | b'>' if begins_program => return Err(Trouble::Unclear),
                    _ => level = reader.step(b'[', b']', level)?,
                }
            }
            Ok(())
        })?;
        self.close(node);
        Ok(())
    }

    /// One step in brackets; returns how many are open then.
    fn step(&mut self, open: u8, close: u8, level: usize) -> Read<usize> {
        if self.at >= self.end {
            return Err(Trouble::Unclosed);
        }
        match self.byte() {
            byte if byte == close => {
                self.at += 1;
                return Ok(level - 1);
            }
            byte if byte == open => {
                self.at += 1;
                return Ok(level + 1);
            }
            b'\'' => self.single_quoted()?,
            b'"' => self.double_quoted(Kind::DoubleQuoted, self.at, self.at + 1)?,
            b'$' if self.byte_at(self.after(self.at)) == b'{' => {
                let start = self.at;
                self.piece(Within::Word)?;
                // To bash its brackets are those of what it stands in.
                if !is_balanced(&self.text[start..self.at], open, close) {
                    return Err(Trouble::Unclear);
                }
            }
            _ => self.piece(Within::Word)?,
        }
        Ok(level)
    }

    /// `$((` or `((` from `start`, the second parenthesis at `second`. False, and nothing is done, where it is not
    /// arithmetic: the two parentheses that end it have to stand together.
    pub(super) fn arithmetic(&mut self, start: usize, second: usize) -> Read<bool> {
        let place = (self.buffer, start);
        if self.made.no_arithmetic.contains(&place) {
            return Ok(false);
        }
        let before = self.mark();
        let node = self.open(Kind::Arithmetic, start)?;
        self.at = second + 1;
        let (end, is_arithmetic) = self.deeper(|reader| {
            let mut level = 2;
            while level > 1 {
                // A comment, when bash looks for the end once more.
                if reader.byte() == b'#' && reader.at > second + 1 && reader.is_after_blank() {
                    return Err(Trouble::Unclear);
                }
                level = reader.step(b'(', b')', level)?;
            }
            let end = reader.at - 1;
            let last = reader.joined(reader.at);
            reader.at = last + 1;
            Ok((end, reader.byte_at(last) == b')'))
        })?;
        if !is_arithmetic && self.made.openers.len() > before.openers {
            // Bash reads its lines again, but no longer as a body.
            return Err(Trouble::Unclear);
        }
        if !is_arithmetic {
            self.back_to(&before);
            self.made.no_arithmetic.insert(place);
            self.at = start;
            return Ok(false);
        }
        // Bash counts once more, less carefully, and takes it for commands where the parentheses are not balanced.
        if self.text[start] == b'$' && !is_balanced(&self.text[second + 1..end], b'(', b')') {
            return Err(Trouble::Unclear);
        }
        self.close(node);
        Ok(true)
    }

    /// A substitution whose first command begins with a parenthesis, at `open` before it: bash only counts parentheses, and
    /// reads what is in them when it expands it. Where that could end elsewhere, it is not understood.
    pub(super) fn counted(&mut self, open: usize, read: impl FnOnce(&mut Self) -> Read) -> Read {
        let start = self.at;
        let place = (self.buffer, open);
        let end = match self.made.closed.get(&place) {
            Some(&end) => end,
            None => {
                let before = self.mark();
                self.at = open;
                self.matched(b'(', b')')?;
                self.back_to(&before);
                self.made.closed.insert(place, self.at);
                replace(&mut self.at, start)
            }
        };
        match read(self) {
            Ok(()) if self.at == end => Ok(()),
            _ => Err(Trouble::Unclear),
        }
    }

    fn is_after_blank(&self) -> bool {
        matches!(self.text[self.at - 1], b' ' | b'\t' | b'\n')
    }
}

/// Are the brackets balanced, if those within quotes and behind backslashes are none?
fn is_balanced(text: &[u8], open: u8, close: u8) -> bool {
    let mut level = 0_usize;
    let mut quote = None;
    let mut at = 0;
    while at < text.len() {
        match (text[at], quote) {
            (b'\\', None | Some(b'"')) => at += 1,
            (byte, Some(begun)) if byte == begun => quote = None,
            (_, Some(_)) => {}
            (byte @ (b'\'' | b'"'), None) => quote = Some(byte),
            (byte, None) if byte == open => level += 1,
            (byte, None) if byte == close && level == 0 => return false,
            (byte, None) if byte == close => level -= 1,
            _ => {}
        }
        at += 1;
    }
    level == 0
}
