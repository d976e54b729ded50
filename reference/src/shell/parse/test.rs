//! `[[ ]]`

use super::super::class::{BREAK, is};
use super::super::tree::{Kind, Trouble};
use super::word::Sort;
use super::{Read, Reader};

/// Operators with one operand, after the dash.
const UNARY: &[u8] = b"abcdefghknoprstuvwxzGLNORS";
/// Operators with two operands.
const BINARY: [&[u8]; 12] = [
    b"=", b"==", b"!=", b"=~", b"-eq", b"-ne", b"-lt", b"-le", b"-gt", b"-ge", b"-nt", b"-ot",
];

impl Reader<'_, '_> {
    /// After `[[`.
    pub(super) fn conditional(&mut self) -> Read {
        let mut level = 0_usize;
        loop {
            // A term, or what stands before one.
            self.newlines()?;
            if self.byte() == b'(' {
                self.leaf(Kind::TestOperator, self.at, self.at + 1)?;
                self.at += 1;
                level += 1;
                continue;
            }
            if self.is_word(b"]]") {
                return Err(Trouble::Unexpected);
            }
            let word = self.word(Sort::Plain)?;
            if self.text_of(word) == b"!" {
                self.becomes_operator(word);
                continue;
            }
            self.term(word)?;
            // What stands after one.
            self.newlines()?;
            while self.byte() == b')' && level > 0 {
                self.leaf(Kind::TestOperator, self.at, self.at + 1)?;
                self.at += 1;
                level -= 1;
                self.newlines()?;
            }
            let next = self.after(self.at);
            match (self.byte(), self.byte_at(next)) {
                (b'&', b'&') | (b'|', b'|') => {
                    self.leaf(Kind::TestOperator, self.at, next + 1)?;
                    self.at = next + 1;
                }
                _ if self.is_word(b"]]") && level == 0 => {
                    self.at += 2;
                    return Ok(());
                }
                _ if self.at >= self.end => return Err(Trouble::Unclosed),
                _ => return Err(Trouble::Unexpected),
            }
        }
    }

    /// The rest of a term that begins with this word.
    fn term(&mut self, word: u32) -> Read {
        self.blanks()?;
        let text = self.text_of(word);
        if let [b'-', letter] = text
            && UNARY.contains(letter)
        {
            self.becomes_operator(word);
            return self.word(Sort::Plain).map(drop);
        }
        match self.byte() {
            b'<' | b'>' if self.byte_at(self.after(self.at)) != b'(' => {
                self.leaf(Kind::TestOperator, self.at, self.at + 1)?;
                self.at += 1;
                self.blanks()?;
                self.word(Sort::Plain).map(drop)
            }
            _ if !self.begins_word() || self.is_word(b"]]") => Ok(()),
            _ => {
                let operator = self.word(Sort::Plain)?;
                let sort = match self.text_of(operator) {
                    b"=" | b"==" | b"!=" => Sort::Pattern,
                    b"=~" => Sort::Regex,
                    b"-ef" => Sort::Plain,
                    text if BINARY.contains(&text) => Sort::Plain,
                    _ => return Err(Trouble::Unexpected),
                };
                self.becomes_operator(operator);
                self.blanks()?;
                self.word(sort).map(drop)
            }
        }
    }

    fn is_word(&self, word: &[u8]) -> bool {
        let end = self.at + word.len();
        self.text[self.at.min(self.end)..self.end].starts_with(word)
            && (end >= self.end || is(self.text[end], BREAK))
    }

    fn text_of(&self, node: u32) -> &[u8] {
        let node = &self.made.nodes[node as usize];
        &self.text[node.start as usize..node.end as usize]
    }

    fn becomes_operator(&mut self, node: u32) {
        self.made.nodes[node as usize].kind = Kind::TestOperator;
    }
}
