//! Redirections, with what stands before the operator.

use super::super::class::{BREAK, FIRST, NAME, is};
use super::super::tree::{Kind, Operator, Trouble};
use super::word::Sort;
use super::{Read, Reader};
use Operator::*;

/// Most digits of a descriptor; bash takes a larger number for a word.
const MOST_DIGITS: usize = 9;

impl Reader<'_, '_> {
    /// All that stand here.
    pub(super) fn redirections(&mut self) -> Read {
        loop {
            let before = self.at;
            self.at = self.behind_blanks();
            if !self.redirection()? {
                self.at = before;
                return Ok(());
            }
        }
    }

    /// A redirection; false where none begins here.
    pub(super) fn redirection(&mut self) -> Read<bool> {
        if !matches!(self.byte(), b'<' | b'>' | b'&' | b'{' | b'0'..=b'9') {
            return Ok(false);
        }
        let start = self.at;
        let descriptor = self.descriptor()?;
        let Some((operator, end)) = self.operator(descriptor) else {
            return Ok(false);
        };
        let node = self.open(Kind::Redirection(operator), start)?;
        if descriptor > start {
            self.leaf(Kind::Descriptor, start, descriptor)?;
        }
        self.at = end;
        self.blanks()?;
        let word = match operator {
            DuplicateIn | DuplicateOut => self.duplicated()?,
            _ => self.target()?,
        };
        self.close(node);
        if matches!(operator, HereDocument | HereDocumentTabs) {
            self.opener(node, word, operator == HereDocumentTabs)?;
        }
        Ok(true)
    }

    /// A number that another redirection follows belongs to that one.
    fn target(&mut self) -> Read<u32> {
        match self.descriptor()? > self.at {
            true => Err(Trouble::Unexpected),
            false => self.word(Sort::Plain),
        }
    }

    /// After `<&` or `>&` a number is one whatever follows it, and a dash is the whole word.
    fn duplicated(&mut self) -> Read<u32> {
        match self.byte() {
            b'-' => {
                let node = self.open(Kind::Word, self.at)?;
                self.at += 1;
                self.close(node);
                Ok(node)
            }
            b'0'..=b'9' => self.word(Sort::Plain),
            _ => self.target(),
        }
    }

    /// Where a number or `{name}` before an operator ends; here, where there is none.
    fn descriptor(&self) -> Read<usize> {
        let mut end = self.at;
        match self.byte() {
            b'0'..=b'9' => {
                while self.byte_at(end).is_ascii_digit() {
                    end += 1;
                }
            }
            b'{' => {
                end += 1;
                if is(self.byte_at(end), FIRST) {
                    while is(self.byte_at(end), NAME) {
                        end += 1;
                    }
                }
                match self.byte_at(end) {
                    b'}' => end += 1,
                    // `{a[1]}>f`, perhaps.
                    b'[' if end > self.at + 1 => return self.element_as_descriptor(),
                    _ => return Ok(self.at),
                }
            }
            _ => return Ok(self.at),
        }
        let joined = self.joined(end);
        if !matches!(self.byte_at(joined), b'<' | b'>') {
            return Ok(self.at);
        }
        if end - self.at > MOST_DIGITS && self.byte() != b'{' || joined != end {
            return Err(Trouble::Unclear);
        }
        Ok(end)
    }

    fn element_as_descriptor(&self) -> Read<usize> {
        let mut end = self.at;
        while end < self.end && !is(self.text[end], BREAK) {
            end += 1;
        }
        match self.byte_at(end) {
            b'<' | b'>' if self.text[end - 1] == b'}' => Err(Trouble::Unclear),
            _ => Ok(self.at),
        }
    }

    /// The operator at `at`, and where it ends.
    fn operator(&self, at: usize) -> Option<(Operator, usize)> {
        let second = self.after(at);
        let third = self.after(second);
        let (one, two) = (self.byte_at(at), self.byte_at(second));
        Some(match (one, two, self.byte_at(third)) {
            (b'<', b'<', b'<') => (HereString, third + 1),
            (b'<', b'<', b'-') => (HereDocumentTabs, third + 1),
            (b'<', b'<', _) => (HereDocument, second + 1),
            (b'<', b'&', _) => (DuplicateIn, second + 1),
            (b'<', b'>', _) => (ReadWrite, second + 1),
            (b'>', b'>', _) => (Append, second + 1),
            (b'>', b'&', _) => (DuplicateOut, second + 1),
            (b'>', b'|', _) => (Clobber, second + 1),
            // A process substitution, which is a word; but not after a number.
            (b'<' | b'>', b'(', _) if at == self.at => return None,
            (b'<', _, _) => (Read, at + 1),
            (b'>', _, _) => (Write, at + 1),
            (b'&', b'>', b'>') if at == self.at => (BothAppend, third + 1),
            (b'&', b'>', _) if at == self.at => (Both, second + 1),
            _ => return None,
        })
    }
}
