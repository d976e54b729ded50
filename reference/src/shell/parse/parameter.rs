//! `${...}` (B-04, B-12, B-13).
//!
//! Bash looks for the closing brace twice, when it reads and when it expands, and not by the same rules. Where the two could
//! differ, it is not understood.

use super::super::class::{FIRST, NAME, is};
use super::super::tree::{Form, Kind, Trouble};
use super::word::Within;
use super::{Read, Reader};
use std::mem::replace;

impl Reader<'_, '_> {
    /// From `start`, where the node begins; `inner` is the offset after the brace.
    pub(super) fn parameter(&mut self, start: usize, inner: usize, within: Within) -> Read {
        let node = self.open(Kind::Parameter(Form::Plain), start)?;
        self.at = inner;
        let form = self.deeper(|reader| reader.form(within))?;
        self.made.nodes[node as usize].kind = Kind::Parameter(form);
        self.close(node);
        Ok(())
    }

    fn form(&mut self, within: Within) -> Read<Form> {
        let mut form = Form::Plain;
        let next = self.byte_at(self.at + 1);
        let names = |byte| is(byte, NAME) || b"@*".contains(&byte);
        match self.byte() {
            b'#' if names(next)
                || (b"?-$!#".contains(&next) && self.byte_at(self.at + 2) == b'}') =>
            {
                form = Form::Length;
                self.at += 1;
            }
            b'!' if names(next) || b"#?$!-".contains(&next) => {
                form = Form::Indirect;
                self.at += 1;
            }
            _ => {}
        }
        let name = self.at;
        match self.byte() {
            byte if is(byte, FIRST) => {
                while is(self.byte(), NAME) {
                    self.at += 1;
                }
            }
            byte if byte.is_ascii_digit() => {
                while self.byte().is_ascii_digit() {
                    self.at += 1;
                }
            }
            byte if b"@*#?-$!".contains(&byte) => self.at += 1,
            _ => form = Form::Unclear,
        }
        if self.joined(self.at) != self.at {
            return Err(Trouble::Unclear);
        }
        // Bash takes the dollar for the beginning of something.
        if self.at > 0 && self.text[self.at - 1] == b'$' && b"({['\"`".contains(&self.byte()) {
            return Err(Trouble::Unclear);
        }
        if self.at > name {
            self.leaf(Kind::Name, name, self.at)?;
            if self.byte() == b'[' {
                self.subscript(true)?;
            }
        }
        if self.byte() != b'}' {
            let is_pattern = b"#%/^,".contains(&self.byte());
            let node = self.open(Kind::Operand, self.at)?;
            self.operand(within, is_pattern)?;
            self.close(node);
            if form == Form::Plain {
                form = Form::Operated;
            }
        }
        self.at += 1;
        Ok(form)
    }

    /// To the closing brace.
    fn operand(&mut self, within: Within, is_pattern: bool) -> Read {
        let is_word = within == Within::Word;
        loop {
            match self.byte() {
                0 if self.at >= self.end => return Err(Trouble::Unclosed),
                b'}' => return Ok(()),
                b'\'' if is_word || is_pattern => self.single_quoted()?,
                b'\'' => self.quoted_and_expanded()?,
                b'"' => self.double_quoted(Kind::DoubleQuoted, self.at, self.at + 1)?,
                // In a pattern also within double quotes.
                b'<' | b'>'
                    if (is_word || is_pattern) && self.byte_at(self.after(self.at)) == b'(' =>
                {
                    let start = self.at;
                    self.process_substitution()?;
                    let inside = &self.text[start..self.at];
                    if inside.iter().any(|byte| b"}'\"\\`$#".contains(byte)) {
                        return Err(Trouble::Unclear);
                    }
                }
                b'$' if !is_word && self.byte_at(self.after(self.at)) == b'\'' => {
                    return Err(Trouble::Unclear);
                }
                b'\\' if !is_word && b"'\"}".contains(&self.byte_at(self.at + 1)) => {
                    let start = self.at;
                    self.at += 2;
                    self.leaf(Kind::Escaped, start, self.at)?;
                }
                b'`' if !is_word => {
                    let start = self.at;
                    self.backquoted(Within::Here)?;
                    let inside = &self.text[start..self.at];
                    if inside.windows(2).any(|pair| pair == b"\\\"") {
                        return Err(Trouble::Unclear);
                    }
                }
                _ => self.piece(within)?,
            }
        }
    }

    /// Single quotes that hide a brace, and nothing else (B-13).
    fn quoted_and_expanded(&mut self) -> Read {
        let end = self.find(b'\'', self.at + 1)?;
        let outer = replace(&mut self.end, end);
        self.at += 1;
        while self.at < self.end {
            match self.byte() {
                b'"' => return Err(Trouble::Unclear),
                b'\\' => return Err(Trouble::Unclear),
                _ => self.piece(Within::Here).map_err(|_| Trouble::Unclear)?,
            }
        }
        self.end = outer;
        self.at = end + 1;
        Ok(())
    }
}
