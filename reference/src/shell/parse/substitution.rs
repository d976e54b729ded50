//! Programs within a word: `$( )`, backquotes, `<( )`.

use super::super::origin::Program;
use super::super::tree::{Kind, Trouble};
use super::word::Within;
use super::{Lines, Read, Reader};
use std::mem::{replace, take};

/// Most texts that are not a stretch of the command.
const MOST_BUFFERS: usize = u16::MAX as usize;

impl Reader<'_, '_> {
    /// From `start`, where the node begins; `open` is the offset of the parenthesis.
    pub(super) fn command_substitution(&mut self, start: usize, open: usize) -> Read {
        self.substitution(Kind::CommandSubstitution, start, open)
    }

    /// `<(` or `>(`.
    pub(super) fn process_substitution(&mut self) -> Read {
        let kind = match self.byte() {
            b'<' => Kind::ProcessIn,
            _ => Kind::ProcessOut,
        };
        let open = self.after(self.at);
        self.substitution(kind, self.at, open)
    }

    fn substitution(&mut self, kind: Kind, start: usize, open: usize) -> Read {
        match self.byte_at(self.after(open)) {
            b'(' => self.counted(open, |reader| reader.program(kind, start, open)),
            _ => self.program(kind, start, open),
        }
    }

    fn program(&mut self, kind: Kind, start: usize, open: usize) -> Read {
        let node = self.open(kind, start)?;
        self.at = open + 1;
        self.deeper(|reader| {
            let pending = take(&mut reader.pending);
            let in_substitution = replace(&mut reader.in_substitution, true);
            reader.list(Lines::Many)?;
            reader.expect(b')')?;
            // Bash takes its body from the lines after the command, or from somewhere else.
            if !reader.pending.is_empty() {
                return Err(Trouble::Unclear);
            }
            reader.pending = pending;
            reader.in_substitution = in_substitution;
            Ok(())
        })?;
        self.close(node);
        Ok(())
    }

    /// Backquotes: they end at the next one that no backslash precedes, whatever stands between (B-07).
    pub(super) fn backquoted(&mut self, within: Within) -> Read {
        let start = self.at;
        let end = self.closing_backquote(start + 1)?;
        let node = self.open(Kind::Backquoted, start)?;
        self.deeper(|reader| {
            match reader.has_backslash_to_remove(start + 1, end, within) {
                false => {
                    let outer = replace(&mut reader.end, end);
                    reader.at = start + 1;
                    reader.program_to_the_end();
                    reader.end = outer;
                }
                true => {
                    let inside = reader.without_backslashes(start + 1, end, within);
                    reader.in_buffer(inside, |inner| inner.program_to_the_end())?;
                }
            }
            reader.at = end + 1;
            Ok(())
        })?;
        self.close(node);
        Ok(())
    }

    fn closing_backquote(&self, from: usize) -> Read<usize> {
        let mut at = from;
        loop {
            match self.byte_at(at) {
                b'`' => return Ok(at),
                0 if at >= self.end => return Err(Trouble::Unclosed),
                0 => return Err(Trouble::StrangeByte),
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
    }

    /// Whether the backslash at `at` is not part of the program. That before a newline is not, even within single quotes, and
    /// takes the newline along.
    fn is_removed(&self, at: usize, within: Within) -> bool {
        self.text[at] == b'\\'
            && match self.byte_at(at + 1) {
                b'$' | b'`' | b'\\' | b'\n' => true,
                b'"' => within == Within::Double,
                _ => false,
            }
    }

    fn has_backslash_to_remove(&self, start: usize, end: usize, within: Within) -> bool {
        (start..end).any(|at| self.is_removed(at, within))
    }

    fn without_backslashes(&self, start: usize, end: usize, within: Within) -> Program {
        let mut inside = Program::default();
        let mut at = start;
        while at < end {
            if self.is_removed(at, within) {
                at += 1;
                if self.text[at] == b'\n' {
                    at += 1;
                    continue;
                }
            }
            inside.push(&self.text[at..at + 1], self.program.source(at));
            at += 1;
        }
        inside
    }

    /// Reads another text, whose nodes come here.
    pub(super) fn in_buffer(
        &mut self,
        program: Program,
        read: impl FnOnce(&mut Reader<'_, '_>),
    ) -> Read {
        let number = self.made.buffers.len();
        if number >= MOST_BUFFERS {
            return Err(Trouble::TooLarge);
        }
        self.made.buffers.push(Program::default());
        let mut inner = Reader::new(&program.text, number as u16, &program, self.made);
        inner.patterns = self.patterns;
        read(&mut inner);
        self.made.buffers[number] = program;
        Ok(())
    }
}
