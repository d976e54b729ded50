//! What do `s`, `y` and regular expressions accept, and what do the flags of `s` open and run?
//!
//! `docs/spec/sed.md` section 4.

use super::{Mode, Reader, Stop};
use crate::sed::cut::{self, Kind as Cut};
use crate::sed::escapes::{self, Place};
use crate::sed::regex::{self, Syntax};
use crate::sed::utf8::{announced, character_length};
use crate::sed::{Dialect, Locale};

/// The flags `I` and `M` of an expression.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Modifiers {
    pub(super) ignore_case: bool,
    pub(super) many_lines: bool,
}

#[derive(Default)]
struct Flags {
    global: bool,
    print: bool,
    numbered: bool,
    modifiers: Modifiers,
    evaluates: bool,
}

impl Reader<'_, '_, '_> {
    pub(super) fn part(&mut self, delimiter: u8, kind: Cut) -> Result<Vec<u8>, Stop> {
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
    pub(super) fn regex(
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
    pub(super) fn empty_regex(&mut self) {
        if !self.compiler.seen_regex {
            self.notes.fails_at_first_line = true;
        }
    }

    pub(super) fn substitute(&mut self, certain: bool) -> Result<(), Stop> {
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

    pub(super) fn transliterate(&mut self) -> Result<(), Stop> {
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
