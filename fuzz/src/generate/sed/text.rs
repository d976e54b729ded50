//! The text of `a`, `i`, `c`, and the command of `e`.

use super::Draft;
use super::construct::Construct::*;
use super::script::{Ends, NEAR_MISSES};

const WORDS: [&[u8]; 6] = [b"x", b"the end", b"  lead", b"a\\tb", b"x # y", b"x;y"];

/// Commands for the shell that do no harm.
pub(super) const COMMANDS: [&[u8]; 5] =
    [b"true", b"echo hi", b"printenv HOME", b"pwd", b"echo a\\tb"];

impl Draft<'_> {
    /// `a`, `i` or `c` with text in one of its forms.
    pub(super) fn text_command(&mut self, text: &mut Vec<u8>, letter: u8) -> Ends {
        text.push(letter);
        self.text_forms(text, Self::text_line)
    }

    /// `e` with a command in one of the forms of text.
    pub(super) fn execute(&mut self, text: &mut Vec<u8>) -> Ends {
        text.push(b'e');
        self.text_forms(text, Self::shell_line)
    }

    fn text_forms(&mut self, text: &mut Vec<u8>, line: fn(&mut Self, &mut Vec<u8>)) -> Ends {
        let form = self.bytes.weighted(&[
            (46, TextOneLine),
            (20, TextBackslashNewline),
            (12, TextBackslashText),
            (6, TextBackslashBlank),
            (6, TextDoubleBackslash),
            (6, TextContinued),
            (3, TextEmptyLine),
            (4, TextDangling),
        ]);
        self.bytes.mark(form);
        match form {
            TextBackslashNewline => {
                let open: &[u8] = self
                    .bytes
                    .weighted(&[(80, b"\\\n".as_slice()), (20, b" \\\n")]);
                text.extend(open);
                line(self, text);
            }
            TextBackslashText => {
                let open: &[u8] = self
                    .bytes
                    .weighted(&[(60, b"\\".as_slice()), (40, b"\\  ")]);
                text.extend(open);
                line(self, text);
            }
            // The blank is the text; what follows is a command.
            TextBackslashBlank => text.extend(b"\\ "),
            TextDoubleBackslash => {
                text.push(b' ');
                line(self, text);
                text.extend(b"\\\\");
            }
            TextContinued => {
                text.push(b' ');
                line(self, text);
                text.extend(b"\\\n");
                line(self, text);
            }
            // What follows is the next command.
            TextEmptyLine => text.push(b' '),
            TextDangling => text.push(b'\\'),
            _ => {
                let blank: &[u8] = self.bytes.weighted(&[(80, b" ".as_slice()), (20, b"")]);
                text.extend(blank);
                line(self, text);
            }
        }
        Ends::Line
    }

    fn text_line(&mut self, text: &mut Vec<u8>) {
        let line = if self.bytes.chance(30) {
            self.bytes.mark(NearMissText);
            self.bytes.pick(&NEAR_MISSES)
        } else {
            self.bytes.pick(&WORDS)
        };
        text.extend(line);
    }

    fn shell_line(&mut self, text: &mut Vec<u8>) {
        let command = self.bytes.pick(&COMMANDS);
        text.extend(command);
        let rest: &[u8] = self.bytes.weighted(&[
            (80, b"".as_slice()),
            (8, b";true"),
            (6, b" }"),
            (6, b" # w out"),
        ]);
        text.extend(rest);
    }
}
