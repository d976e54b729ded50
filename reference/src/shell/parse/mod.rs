//! From bytes to the tree: the reader, and what all of it shares.
//!
//! Recursive descent; [`DEEPEST`] bounds it. Each function begins where its construct begins and stops right behind it. Where
//! bash refuses more than is refused here, it refuses the whole line, and nothing of it runs.

mod arithmetic;
mod command;
mod compound;
mod here;
mod parameter;
mod redirection;
mod substitution;
mod test;
mod word;

use super::class::{BLANK, is};
use super::origin::Program;
use super::tree::{Kind, Node, NodeId, Tree, Trouble};
use super::{DEEPEST, MOST_NODES};
use here::Pending;
use std::collections::{HashMap, HashSet};
use std::mem::{replace, take};

/// What a function of the reader returns: an error ends the line, or the text that is read by itself.
type Read<T = ()> = Result<T, Trouble>;

/// Most nodes that there is room for before the first is made.
const MOST_AT_FIRST: usize = 1 << 12;

/// Longest text that has offsets of four bytes.
const LONGEST: usize = u32::MAX as usize - 2;

/// See [`super::parse`].
pub(super) fn parse(program: Program) -> Tree {
    // Short texts, which most commands are, are not to make any of them grow.
    let mut made = Made {
        nodes: Vec::with_capacity((program.text.len() / 3).clamp(16, MOST_AT_FIRST)),
        open: Vec::with_capacity(DEEPEST.min(64)),
        ..Made::default()
    };
    // Its place among the texts: it comes there when it has been read.
    made.buffers.push(Program::default());
    let mut reader = Reader::new(&program.text, 0, &program, &mut made);
    reader.script();
    made.buffers[0] = program;
    let mut bodies: Vec<_> = made
        .openers
        .iter()
        .map(|&(body, redirection)| (redirection, body))
        .collect();
    bodies.sort_unstable();
    Tree {
        nodes: made.nodes,
        buffers: made.buffers,
        bodies,
        openers: made.openers,
        troubles: made.troubles,
    }
}

/// What has been made so far, of all texts.
#[derive(Default)]
struct Made {
    nodes: Vec<Node>,
    buffers: Vec<Program>,
    /// Bodies of here-documents, rising, and their redirections.
    openers: Vec<(NodeId, NodeId)>,
    troubles: Vec<(NodeId, Trouble)>,
    /// Nodes that are not closed yet.
    open: Vec<u32>,
    depth: usize,
    /// Where `((` has been found to be two parentheses: text and offset. Else nested ones would be tried again and again.
    no_arithmetic: HashSet<(u16, usize)>,
    /// Where the parenthesis of `$((` and `<((` is closed, for the same reason.
    closed: HashMap<(u16, usize), usize>,
}

/// Numbers of things made; see [`Reader::mark`].
struct Mark {
    open: usize,
    nodes: usize,
    buffers: usize,
    openers: usize,
    troubles: usize,
}

/// Reads one text.
struct Reader<'t, 'm> {
    text: &'t [u8],
    /// Number of the text among the buffers.
    buffer: u16,
    program: &'t Program,
    at: usize,
    /// The text is taken to end here.
    end: usize,
    made: &'m mut Made,
    /// Here-documents whose body begins after the next newline.
    pending: Vec<Pending>,
    /// Directly within `$( )` or `<( )`, where a line that begins with the delimiter may end a here-document (B-26).
    in_substitution: bool,
    /// Extended patterns may be on: a line before may have set the option (B-61).
    patterns: bool,
}

/// How far a list goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    /// To the newline that ends a complete command.
    One,
    /// To a token that begins no command.
    Many,
}

impl<'t, 'm> Reader<'t, 'm> {
    fn new(text: &'t [u8], buffer: u16, program: &'t Program, made: &'m mut Made) -> Self {
        Self {
            text,
            buffer,
            program,
            at: 0,
            end: text.len(),
            made,
            pending: Vec::new(),
            in_substitution: false,
            patterns: false,
        }
    }

    /// The whole text, line by line.
    fn script(&mut self) {
        let mark = self.made.open.len();
        if let Err(why) = self.lines() {
            self.end = self.text.len().min(LONGEST);
            self.give_up(mark + 1, why);
        }
        let root = self.made.open[mark];
        self.close(root);
    }

    fn lines(&mut self) -> Read {
        self.open(Kind::Script, 0)?;
        if self.end > LONGEST {
            return Err(Trouble::TooLarge);
        }
        self.newlines()?;
        while self.at < self.end {
            self.list(Lines::One)?;
            self.blanks()?;
            if self.at < self.end && self.byte() != b'\n' {
                return Err(Trouble::Unexpected);
            }
            self.newlines()?;
            self.patterns = true;
        }
        Ok(())
    }

    /// A text that is read when it is expanded: what is wrong in it stays in it.
    fn program_to_the_end(&mut self) {
        let mark = self.made.open.len();
        let end = self.end;
        let pending = take(&mut self.pending);
        let in_substitution = replace(&mut self.in_substitution, false);
        let read = self.list(Lines::Many).and_then(|()| self.is_at_end());
        if let Err(why) = read {
            self.end = end;
            self.give_up(mark, why);
        }
        self.pending = pending;
        self.in_substitution = in_substitution;
    }

    fn is_at_end(&self) -> Read {
        match self.at < self.end {
            true => Err(Trouble::Unexpected),
            false => Ok(()),
        }
    }

    /// Nothing is understood from here to the end; closes what was opened since `mark`.
    fn give_up(&mut self, mark: usize, why: Trouble) {
        let start = self.at.min(self.end);
        let id = self.made.nodes.len() as u32;
        self.push(Kind::NotUnderstood, start, self.end);
        self.made.troubles.push((NodeId(id), why));
        self.at = self.end;
        while self.made.open.len() > mark {
            let node = self.made.open[self.made.open.len() - 1];
            self.close(node);
        }
    }

    // The tree.

    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        let next = self.made.nodes.len() as u32 + 1;
        self.made.nodes.push(Node {
            kind,
            buffer: self.buffer,
            start: start as u32,
            end: end as u32,
            next,
        });
    }

    /// A node without children.
    fn leaf(&mut self, kind: Kind, start: usize, end: usize) -> Read {
        if self.made.nodes.len() >= MOST_NODES {
            return Err(Trouble::TooLarge);
        }
        self.push(kind, start, end);
        Ok(())
    }

    /// A node whose children come now.
    fn open(&mut self, kind: Kind, start: usize) -> Read<u32> {
        let id = self.made.nodes.len() as u32;
        self.leaf(kind, start, start)?;
        self.made.open.push(id);
        Ok(id)
    }

    /// The innermost open node ends here.
    fn close(&mut self, id: u32) {
        let next = self.made.nodes.len() as u32;
        let node = &mut self.made.nodes[id as usize];
        node.end = self.at.max(node.start as usize) as u32;
        node.next = next;
        self.made.open.pop();
    }

    /// How much has been made.
    fn mark(&self) -> Mark {
        Mark {
            open: self.made.open.len(),
            nodes: self.made.nodes.len(),
            buffers: self.made.buffers.len(),
            openers: self.made.openers.len(),
            troubles: self.made.troubles.len(),
        }
    }

    /// As if nothing had been made since.
    fn back_to(&mut self, mark: &Mark) {
        self.made.open.truncate(mark.open);
        self.made.nodes.truncate(mark.nodes);
        self.made.buffers.truncate(mark.buffers);
        self.made.openers.truncate(mark.openers);
        self.made.troubles.truncate(mark.troubles);
    }

    /// One level down.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.made.depth >= DEEPEST {
            return Err(Trouble::TooDeep);
        }
        self.made.depth += 1;
        let result = read(self);
        self.made.depth -= 1;
        result
    }

    // The text.

    /// The byte here; 0 at the end.
    #[inline]
    fn byte(&self) -> u8 {
        self.byte_at(self.at)
    }

    #[inline]
    fn byte_at(&self, at: usize) -> u8 {
        if at < self.end { self.text[at] } else { 0 }
    }

    /// The next offset that is no continuation (B-14).
    #[inline]
    fn joined(&self, mut at: usize) -> usize {
        while self.byte_at(at) == b'\\' && self.byte_at(at + 1) == b'\n' {
            at += 2;
        }
        at
    }

    /// The offset of the next byte that counts, after `at`.
    #[inline]
    fn after(&self, at: usize) -> usize {
        self.joined(at + 1)
    }

    /// The next offset that is neither blank nor continuation.
    #[inline]
    fn behind_blanks(&self) -> usize {
        let mut at = self.at;
        loop {
            match self.byte_at(at) {
                byte if is(byte, BLANK) => at += 1,
                b'\\' if self.byte_at(at + 1) == b'\n' => at += 2,
                _ => return at,
            }
        }
    }

    /// Blanks, continuations and a comment: what may stand before a token (B-01, B-03, B-06).
    #[inline]
    fn blanks(&mut self) -> Read {
        self.at = self.behind_blanks();
        match self.byte() {
            b'#' => self.comment(),
            _ => Ok(()),
        }
    }

    fn comment(&mut self) -> Read {
        let rest = &self.text[self.at..self.end];
        let length = rest.iter().position(|&byte| byte == b'\n');
        let end = length.map_or(self.end, |length| self.at + length);
        self.leaf(Kind::Comment, self.at, end)?;
        self.at = end;
        Ok(())
    }

    /// Blanks, comments and newlines.
    fn newlines(&mut self) -> Read {
        self.blanks()?;
        while self.byte() == b'\n' {
            self.newline()?;
            self.blanks()?;
        }
        Ok(())
    }

    /// A newline token: here the bodies of here-documents begin (B-23).
    fn newline(&mut self) -> Read {
        self.at += 1;
        match self.pending.is_empty() {
            true => Ok(()),
            false => self.bodies(),
        }
    }

    /// This byte, after blanks.
    fn expect(&mut self, byte: u8) -> Read {
        self.blanks()?;
        if self.at >= self.end {
            return Err(Trouble::Unclosed);
        }
        if self.byte() != byte {
            return Err(Trouble::Unexpected);
        }
        self.at += 1;
        Ok(())
    }
}
