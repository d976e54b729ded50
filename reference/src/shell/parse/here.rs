//! Bodies of here-documents (B-20 to B-28).

use super::super::origin::Program;
use super::super::tree::{Kind, NodeId, Quoted, Trouble};
use super::word::Within;
use super::{Read, Reader};
use std::mem::{replace, take};

/// Most here-documents that wait for their bodies at the same time; bash gives up at one more.
const MOST: usize = 16;

/// A here-document whose body has not been read.
#[derive(Debug)]
pub(super) struct Pending {
    redirection: u32,
    delimiter: Vec<u8>,
    quoted: Quoted,
    strips_tabs: bool,
}

/// One line, or several that continuations join.
struct Line {
    /// Offset after its newline, or the end.
    next: usize,
    is_delimiter: bool,
    /// Offset after the delimiter with which it begins, where more follows and a parenthesis is in it.
    closes_substitution: Option<usize>,
}

impl Reader<'_, '_> {
    /// Notes a here-document with this delimiter.
    pub(super) fn opener(&mut self, redirection: u32, word: u32, strips_tabs: bool) -> Read {
        if self.pending.len() >= MOST {
            return Err(Trouble::Unexpected);
        }
        let node = &self.made.nodes[word as usize];
        let (delimiter, quoted) = delimiter(&self.text[node.start as usize..node.end as usize])?;
        self.pending.push(Pending {
            redirection,
            delimiter,
            quoted,
            strips_tabs,
        });
        Ok(())
    }

    /// The bodies, in order, from the beginning of a line.
    pub(super) fn bodies(&mut self) -> Read {
        for pending in take(&mut self.pending) {
            self.body_of(&pending)?;
        }
        Ok(())
    }

    fn body_of(&mut self, pending: &Pending) -> Read {
        let start = self.at;
        let mut end = start;
        let mut next = self.end;
        while end < self.end {
            let line = self.line(end, pending);
            if line.is_delimiter || line.closes_substitution.is_some() {
                next = line.closes_substitution.unwrap_or(line.next);
                break;
            }
            end = line.next;
        }
        let node = self.open(Kind::HereBody(pending.quoted), start)?;
        let pair = (NodeId(node), NodeId(pending.redirection));
        self.made.openers.push(pair);
        if pending.quoted == Quoted::No {
            self.inside(start, end, pending)?;
        }
        self.at = end;
        self.close(node);
        self.at = next;
        Ok(())
    }

    /// What is expanded in a body.
    fn inside(&mut self, start: usize, end: usize, pending: &Pending) -> Read {
        let body = &self.text[start..end];
        let changes = |two: &[u8]| two == b"\\\n" || pending.strips_tabs && two == b"\n\t";
        let begins_with_tab = pending.strips_tabs && body.starts_with(b"\t");
        let is_itself = !begins_with_tab && !body.windows(2).any(changes);
        if is_itself {
            let outer = replace(&mut self.end, end);
            self.at = start;
            self.pieces_of_body();
            self.end = outer;
            return Ok(());
        }
        let joined = self.joined_lines(start, end, pending.strips_tabs);
        self.in_buffer(joined, |reader| reader.pieces_of_body())
    }

    /// An error in it stays in it: it is expanded when the command runs.
    fn pieces_of_body(&mut self) {
        let mark = self.made.open.len();
        let end = self.end;
        while self.at < self.end {
            let rest = &self.text[self.at..self.end];
            let plain = rest.iter().position(|byte| b"\0\\$`".contains(byte));
            self.at += plain.unwrap_or(rest.len());
            let pending = take(&mut self.pending);
            let in_substitution = replace(&mut self.in_substitution, false);
            let piece = match self.at < self.end {
                true => self.piece(Within::Here),
                false => Ok(()),
            };
            self.pending = pending;
            self.in_substitution = in_substitution;
            if let Err(why) = piece {
                self.end = end;
                self.give_up(mark, why);
            }
        }
    }

    /// The body as bash has it before it expands it (B-22).
    fn joined_lines(&self, start: usize, end: usize, strips_tabs: bool) -> Program {
        let mut joined = Program::default();
        let mut at = start;
        let mut is_line_start = true;
        while at < end {
            let byte = self.text[at];
            let next = (at + 1 < end).then(|| self.text[at + 1]);
            if byte == b'\\' && next == Some(b'\n') {
                at += 2;
                continue;
            }
            if is_line_start && strips_tabs && byte == b'\t' {
                at += 1;
                continue;
            }
            let length = if byte == b'\\' && next.is_some() {
                2
            } else {
                1
            };
            joined.push(&self.text[at..at + length], self.program.source(at));
            at += length;
            is_line_start = byte == b'\n';
        }
        joined
    }

    /// Compares the line at `start` with the delimiter.
    fn line(&self, start: usize, pending: &Pending) -> Line {
        let joins = pending.quoted == Quoted::No;
        let delimiter = &pending.delimiter;
        let mut at = start;
        if pending.strips_tabs {
            while self.byte_at(at) == b'\t' {
                at += 1;
            }
        }
        let mut same = 0;
        let mut differs = false;
        let mut after_delimiter = None;
        let mut has_parenthesis = false;
        while at < self.end {
            let byte = self.text[at];
            let next = self.byte_at(at + 1);
            if joins && byte == b'\\' && next == b'\n' {
                at += 2;
                continue;
            }
            if byte == b'\n' {
                break;
            }
            if after_delimiter.is_none() && same == delimiter.len() && !differs {
                after_delimiter = Some(at);
            }
            let length = if joins && byte == b'\\' && at + 1 < self.end {
                2
            } else {
                1
            };
            for &byte in &self.text[at..at + length] {
                has_parenthesis |= byte == b')' && after_delimiter.is_some();
                match delimiter.get(same) {
                    Some(&wanted) if wanted == byte => same += 1,
                    Some(_) => differs = true,
                    None => {}
                }
                if differs && !joins {
                    let rest = &self.text[at..self.end];
                    let length = rest.iter().position(|&byte| byte == b'\n');
                    let next = length.map_or(self.end, |length| at + length + 1);
                    return Line {
                        next,
                        is_delimiter: false,
                        closes_substitution: None,
                    };
                }
            }
            at += length;
        }
        let is_whole = !differs && same == delimiter.len();
        Line {
            next: (at + 1).min(self.end),
            is_delimiter: is_whole && after_delimiter.is_none(),
            closes_substitution: after_delimiter
                .filter(|_| is_whole && has_parenthesis && self.in_substitution),
        }
    }
}

/// The delimiter that a word names, and whether any part of it is quoted.
fn delimiter(word: &[u8]) -> Read<(Vec<u8>, Quoted)> {
    let mut delimiter = Vec::new();
    let mut quoted = Quoted::No;
    let mut at = 0;
    while at < word.len() {
        let next = word.get(at + 1).copied();
        match word[at] {
            b'\\' if next == Some(b'\n') => at += 1,
            b'\\' => {
                quoted = Quoted::Yes;
                delimiter.extend(next);
                at += 1;
            }
            quote @ (b'\'' | b'"') => {
                quoted = Quoted::Yes;
                let rest = &word[at + 1..];
                let length = rest.iter().position(|&byte| byte == quote);
                let inside = &rest[..length.ok_or(Trouble::Unclear)?];
                if inside.iter().any(|byte| b"\\\n$`".contains(byte)) && quote == b'"' {
                    return Err(Trouble::Unclear);
                }
                delimiter.extend_from_slice(inside);
                at += inside.len() + 1;
            }
            // Expansions stay as they are written; what bash compares then is another question.
            b'`' | b'(' | b'{' | b'\0' => return Err(Trouble::Unclear),
            // Escapes would be decoded.
            b'$' if next == Some(b'\'') && word.contains(&b'\\') => return Err(Trouble::Unclear),
            b'$' if matches!(next, Some(b'\'' | b'"')) => {}
            byte => delimiter.push(byte),
        }
        at += 1;
    }
    match delimiter.contains(&b'\n') {
        true => Err(Trouble::Unclear),
        false => Ok((delimiter, quoted)),
    }
}
