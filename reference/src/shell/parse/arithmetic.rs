//! Brackets that are matched before anything is known of what is in them: arithmetic, subscripts, patterns.

use super::super::tree::{Kind, Trouble};
use super::word::Within;
use super::{Read, Reader};

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
        let before = (
            self.made.nodes.len(),
            self.made.buffers.len(),
            self.made.openers.len(),
            self.made.troubles.len(),
        );
        let node = self.open(Kind::Arithmetic, start)?;
        self.at = second + 1;
        let is_arithmetic = self.deeper(|reader| {
            let mut level = 2;
            while level > 1 {
                // A comment, when bash looks for the end once more.
                if reader.byte() == b'#' && reader.at > second + 1 && reader.is_after_blank() {
                    return Err(Trouble::Unclear);
                }
                level = reader.step(b'(', b')', level)?;
            }
            let last = reader.joined(reader.at);
            reader.at = last + 1;
            Ok(reader.byte_at(last) == b')')
        })?;
        if is_arithmetic {
            self.close(node);
            return Ok(true);
        }
        self.made.open.pop();
        self.made.nodes.truncate(before.0);
        self.made.buffers.truncate(before.1);
        self.made.openers.truncate(before.2);
        self.made.troubles.truncate(before.3);
        self.made.no_arithmetic.insert(place);
        self.at = start;
        Ok(false)
    }

    fn is_after_blank(&self) -> bool {
        matches!(self.text[self.at - 1], b' ' | b'\t' | b'\n')
    }
}
