//! Which lines does a command act on? The addresses before it.
//!
//! `docs/spec/sed.md` section 3.

use super::substitute::Modifiers;
use super::{Reader, Stop};
use crate::sed::Dialect;
use crate::sed::cut::Kind as Cut;

/// Address of a command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Address {
    Line(u64),
    /// `N~M` with a step that is not 0, `$`.
    Other,
    Regex {
        empty: bool,
    },
    /// `+N`, `~N` with a number that is not 0: not as the first.
    Relative,
}

impl Reader<'_, '_, '_> {
    pub(super) fn address(&mut self) -> Result<Option<Address>, Stop> {
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
}
