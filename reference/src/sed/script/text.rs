//! Where does the text of `a`, `i`, `c` and `e` end, and what does the shell get of it?
//!
//! `docs/spec/sed.md` section 5.

use super::{Reader, Stop, c_string};
use crate::sed::Dialect;
use crate::sed::escapes::{self, Place};

/// A text whose end was not reached yet.
pub(super) struct OpenText {
    /// Of `e`: what the shell is given.
    pub(super) is_command: bool,
    /// As it stands in the pieces so far, a backslash at the end of a piece being a newline.
    pub(super) raw: Vec<u8>,
}

impl Reader<'_, '_, '_> {
    pub(super) fn execute(&mut self) -> Result<(), Stop> {
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
    pub(super) fn text(&mut self, is_command: bool) -> Result<(), Stop> {
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
    pub(super) fn text_to_its_end(&mut self, start: usize) -> Result<(), Stop> {
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
