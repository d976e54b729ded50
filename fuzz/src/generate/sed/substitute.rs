//! `s` and `y`: delimiters, replacements, flags.

use super::Draft;
use super::construct::Construct::*;
use super::script::{Ends, NEAR_MISSES};
use super::text::COMMANDS;

/// Bytes of a delimiter: one, but for a letter of UTF-8.
pub(super) type Delimiter = &'static [u8];

impl Draft<'_> {
    /// A delimiter of any kind, mostly an ordinary one.
    pub(super) fn delimiter(&mut self) -> Delimiter {
        let kind = self.bytes.weighted(&[
            (40, DelimiterPunctuation),
            (15, DelimiterLetter),
            (6, DelimiterDigit),
            (8, DelimiterBlank),
            (20, DelimiterSyntax),
            (5, DelimiterHigh),
            (4, DelimiterUtf8),
            (2, DelimiterNewline),
        ]);
        self.bytes.mark(kind);
        match kind {
            DelimiterLetter => {
                self.bytes
                    .pick(&[b"w".as_slice(), b"e", b"s", b"a", b"x", b"n", b"I"])
            }
            DelimiterDigit => self.bytes.pick(&[b"1".as_slice(), b"0", b"9"]),
            DelimiterBlank => self.bytes.pick(&[b" ".as_slice(), b"\t", b"\r"]),
            DelimiterSyntax => {
                self.bytes
                    .pick(&[b";".as_slice(), b"}", b"{", b"[", b"]", b"\\", b"#", b"&"])
            }
            DelimiterHigh => self.bytes.pick(&[b"\xff".as_slice(), b"\x80", b"\xc3"]),
            DelimiterUtf8 => "é".as_bytes(),
            DelimiterNewline => b"\n",
            _ => self.bytes.pick(&[
                b"|".as_slice(),
                b",",
                b":",
                b"!",
                b"@",
                b"+",
                b"*",
                b".",
                b"(",
                b"'",
                b"\"",
                b"-",
            ]),
        }
    }

    /// Ends a part; now and then it does not.
    pub(super) fn close(&mut self, text: &mut Vec<u8>, delimiter: Delimiter) {
        if self.bytes.chance(1) {
            self.bytes.mark(Unterminated);
        } else {
            text.extend(delimiter);
        }
    }

    /// `text` as it stands in a part: the delimiter gets a backslash.
    pub(super) fn literal(&mut self, text: &mut Vec<u8>, word: &[u8], delimiter: Delimiter) {
        for byte in word {
            if delimiter == [*byte] {
                self.bytes.mark(DelimiterEscaped);
                text.push(b'\\');
            }
            text.push(*byte);
        }
    }

    /// `s` with all its parts.
    pub(super) fn substitute(&mut self, text: &mut Vec<u8>) -> Ends {
        let delimiter = if self.bytes.chance(35) {
            self.delimiter()
        } else {
            b"/"
        };
        text.push(b's');
        text.extend(delimiter);
        self.regex(text, delimiter);
        self.close(text, delimiter);
        self.replacement(text, delimiter);
        self.close(text, delimiter);
        self.flags(text)
    }

    fn replacement(&mut self, text: &mut Vec<u8>, delimiter: Delimiter) {
        if self.bytes.chance(20) {
            // A line that `e` may run.
            let command = self.bytes.pick(&COMMANDS);
            self.literal(text, command, delimiter);
            return;
        }
        for _ in 0..self.bytes.turns(3) {
            let part = self.bytes.weighted(&[
                (40, NamePlain),
                (15, ReplacementAll),
                (12, ReplacementGroup),
                (8, ReplacementCase),
                (6, EscapeNumber),
                (3, EscapeControl),
                (4, EscapeLetter),
                (4, ReplacementNewline),
                (2, ReplacementRawNewline),
                (4, ReplacementBracket),
                (8, NearMissReplacement),
            ]);
            if part != NamePlain {
                self.bytes.mark(part);
            }
            match part {
                ReplacementAll => text.push(b'&'),
                ReplacementGroup => {
                    let missing = self.bytes.chance(8);
                    let group = if missing || self.groups == 0 {
                        self.bytes.below(10) as u8
                    } else {
                        1
                    };
                    if group > self.groups {
                        // Rare on purpose: sed refuses the whole script.
                        if !missing {
                            continue;
                        }
                        self.bytes.mark(RegexReferenceMissing);
                    }
                    text.extend([b'\\', b'0' + group]);
                }
                ReplacementCase => {
                    let case: &[u8] =
                        self.bytes
                            .pick(&[b"\\U".as_slice(), b"\\L", b"\\u", b"\\l", b"\\E"]);
                    text.extend(case);
                }
                EscapeNumber => self.escape_number(text),
                EscapeControl => self.escape_control(text),
                EscapeLetter => {
                    let escape: &[u8] = self.bytes.pick(&[
                        b"\\n".as_slice(),
                        b"\\t",
                        b"\\f",
                        b"\\v",
                        b"\\a",
                        b"\\r",
                        b"\\q",
                        b"\\&",
                    ]);
                    text.extend(escape);
                }
                ReplacementNewline => {
                    text.extend(b"\\\n");
                    if self.bytes.chance(50) {
                        self.literal(text, b"w out", delimiter);
                    }
                }
                ReplacementRawNewline => text.push(b'\n'),
                ReplacementBracket => {
                    let bracket: &[u8] = self.bytes.pick(&[b"[".as_slice(), b"]", b"[]"]);
                    self.literal(text, bracket, delimiter);
                }
                NearMissReplacement => {
                    let miss = self.bytes.pick(&NEAR_MISSES);
                    self.literal(text, miss, delimiter);
                }
                _ => {
                    let word = self
                        .bytes
                        .pick(&[b"b".as_slice(), b"x y", b"true", b"w", b"e"]);
                    self.literal(text, word, delimiter);
                }
            }
        }
    }

    /// Flags in any order; `w` takes the rest of the line.
    fn flags(&mut self, text: &mut Vec<u8>) -> Ends {
        let (mut global, mut print, mut number) = (false, false, false);
        for _ in 0..self.bytes.weighted(&[(45, 0), (35, 1), (15, 2), (5, 3)]) {
            let flag = self.bytes.weighted(&[
                (30, FlagGlobal),
                (20, FlagPrint),
                (10, FlagNumber),
                (8, FlagCase),
                (4, FlagMultiline),
                (14, FlagExecute),
                (20, FlagWrite),
                (4, FlagBlank),
                (3, FlagBad),
            ]);
            // Twice is an error; leave those to `FlagBad`.
            let again = match flag {
                FlagGlobal => std::mem::replace(&mut global, true),
                FlagPrint => std::mem::replace(&mut print, true),
                FlagNumber => std::mem::replace(&mut number, true),
                _ => false,
            };
            if again {
                continue;
            }
            self.bytes.mark(flag);
            match flag {
                FlagGlobal => text.push(b'g'),
                FlagPrint => text.push(b'p'),
                FlagNumber => {
                    let count: &[u8] = self.bytes.pick(&[b"1".as_slice(), b"2", b"3", b"02", b"9"]);
                    text.extend(count);
                }
                FlagCase => {
                    let case = self.bytes.pick(b"Ii");
                    text.push(case);
                }
                FlagMultiline => {
                    let multiline = self.bytes.pick(b"Mm");
                    text.push(multiline);
                }
                FlagExecute => text.push(b'e'),
                FlagWrite => return self.named_flag(text),
                FlagBlank => text.push(b' '),
                _ => {
                    let bad: &[u8] = self.bytes.pick(&[
                        b"gg".as_slice(),
                        b"pp",
                        b"0",
                        b"1 2",
                        b"k",
                        b"\\",
                        b"ep e",
                        b"/",
                        b"\r",
                    ]);
                    text.extend(bad);
                }
            }
        }
        Ends::Command
    }

    fn named_flag(&mut self, text: &mut Vec<u8>) -> Ends {
        text.push(b'w');
        if self.bytes.chance(80) {
            text.push(b' ');
        }
        let name = self.written_name();
        text.extend(name);
        Ends::Line
    }

    /// `y` with parts of the same length, mostly.
    pub(super) fn transliterate(&mut self, text: &mut Vec<u8>) -> Ends {
        let delimiter = if self.bytes.chance(30) {
            self.delimiter()
        } else {
            b"/"
        };
        text.push(b'y');
        text.extend(delimiter);
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for _ in 0..=self.bytes.turns(3) {
            let (escape, one, other): (bool, &[u8], &[u8]) = self.bytes.pick(&[
                (false, b"a".as_slice(), b"b".as_slice()),
                (false, b"w", b"e"),
                (false, b"[", b"]"),
                (false, b"x", b" "),
                (true, b"\\n", b"n"),
                (true, b"\\t", b"\\\\"),
                (true, b"\\x41", b"\\o102"),
                (false, b";", b"}"),
                (false, b"l", b"/"),
            ]);
            if escape {
                self.bytes.mark(TransliterateEscape);
                from.extend(one);
                to.extend(other);
            } else {
                self.literal(&mut from, one, delimiter);
                self.literal(&mut to, other, delimiter);
            }
        }
        if self.bytes.chance(9) {
            self.bytes.mark(TransliterateUneven);
            to.extend(b" w out");
        }
        text.extend(from);
        self.close(text, delimiter);
        text.extend(to);
        self.close(text, delimiter);
        Ends::Command
    }
}
