//! What is known of a word's value before anything runs?
//!
//! As much of its beginning as stands there, and what kind of thing comes after it.

use super::origin::Program;
use super::tree::{Form, Kind, Node, NodeId, Operator, Quoted, Tree};

/// A word as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The beginning, quotes removed; the whole where `rest` is [`Rest::Nothing`].
    pub prefix: Vec<u8>,
    /// What follows.
    pub rest: Rest,
}

/// What follows the known beginning of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rest {
    /// The word is known.
    Nothing,
    /// Any bytes; it stays one word (`"a$x"`, `~/a`, `<(a)`).
    One,
    /// It becomes one or more words, each with this beginning (`a*`, `a{b,c}`).
    Names,
    /// It becomes any number of words, none too; if any, the first has this beginning, of the others nothing is known (`a$x`).
    Words,
}

impl Value {
    /// A word that is known.
    pub fn known(bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            prefix: bytes.into(),
            rest: Rest::Nothing,
        }
    }

    /// Is it one word of just these bytes?
    pub fn is_known(&self) -> bool {
        self.rest == Rest::Nothing
    }
}

/// See [`Tree::value`].
pub(super) fn value(tree: &Tree, word: NodeId) -> Value {
    let known = Known::of(tree, word);
    Value {
        prefix: known.program.text,
        rest: known.rest,
    }
}

/// See [`Tree::program`].
pub(super) fn program(tree: &Tree, id: NodeId) -> Option<Program> {
    let known = Known::of(tree, id);
    (known.rest == Rest::Nothing).then_some(known.program)
}

/// What has been read of a word.
struct Known<'a> {
    tree: &'a Tree,
    /// Its value, as long as `rest` is nothing.
    program: Program,
    rest: Rest,
    last: Last,
}

/// Where in the text of a word such a byte stands for the last time; 0 where there is none.
#[derive(Default)]
struct Last {
    /// `]`, or what could yield one.
    bracket: usize,
    brace: usize,
    /// `,` or `..`
    comma: usize,
}

impl<'a> Known<'a> {
    fn of(tree: &'a Tree, id: NodeId) -> Self {
        let mut known = Self {
            tree,
            program: Program::default(),
            rest: Rest::Nothing,
            last: Last::default(),
        };
        match tree.kind(id) {
            Kind::HereBody(quoted) => known.body(id, quoted),
            _ => known.word(id),
        }
        known
    }

    fn text(&self, node: &Node) -> &'a Program {
        &self.tree.buffers[usize::from(node.buffer)]
    }

    fn add(&mut self, node: &Node, start: usize, end: usize) {
        if self.rest == Rest::Nothing {
            self.program.copy(self.text(node), start, end);
        }
    }

    fn goes_on(&mut self, rest: Rest) {
        self.rest = self.rest.max(rest);
    }

    /// Pieces, and what lies between them.
    fn word(&mut self, id: NodeId) {
        let node = *self.tree.node(id);
        let mut at = node.start as usize;
        let text = &self.text(&node).text[..node.end as usize];
        for offset in at..text.len() {
            match text[offset] {
                b']' | b'$' | b'`' => self.last.bracket = offset,
                b'}' => self.last.brace = offset,
                b',' => self.last.comma = offset,
                b'.' if offset > 0 && text[offset - 1] == b'.' => self.last.comma = offset,
                _ => {}
            }
        }
        for child in self.tree.children(id) {
            let piece = *self.tree.node(child);
            self.unquoted(&node, at, piece.start as usize);
            self.piece(child, &piece);
            at = piece.end as usize;
        }
        self.unquoted(&node, at, node.end as usize);
    }

    fn piece(&mut self, id: NodeId, piece: &Node) {
        let (start, end) = (piece.start as usize, piece.end as usize);
        match piece.kind {
            Kind::Continuation => {}
            Kind::Escaped => self.add(piece, start + 1, end),
            Kind::Name => self.add(piece, start, end),
            Kind::SingleQuoted => self.add(piece, start + 1, end - 1),
            Kind::AnsiQuoted => self.ansi(piece, start + 2, end - 1),
            Kind::DoubleQuoted => self.double(id, piece),
            Kind::ProcessIn | Kind::ProcessOut => {
                // Its name, but for the number.
                if self.rest == Rest::Nothing {
                    self.program
                        .push(b"/dev/fd/", self.text(piece).source(start));
                }
                self.goes_on(Rest::One);
            }
            Kind::LocaleQuoted => self.goes_on(Rest::One),
            Kind::ExtendedPattern | Kind::Subscript => self.goes_on(Rest::Names),
            _ => self.goes_on(Rest::Words),
        }
    }

    /// Text in which patterns, braces and a tilde are expanded.
    fn unquoted(&mut self, node: &Node, start: usize, end: usize) {
        let text = &self.text(node).text;
        let mut from = start;
        for at in start..end {
            let expands = match text[at] {
                b'*' | b'?' => Rest::Names,
                b'[' if self.last.bracket > at => Rest::Names,
                b'{' if self.last.brace > at && self.last.comma > at => Rest::Names,
                b'~' if at == node.start as usize || b"=:".contains(&text[at - 1]) => Rest::One,
                _ => continue,
            };
            self.add(node, from, at);
            from = at;
            self.goes_on(expands);
            break;
        }
        self.add(node, from, end);
    }

    fn double(&mut self, id: NodeId, node: &Node) {
        let mut at = node.start as usize + 1;
        for child in self.tree.children(id) {
            let piece = *self.tree.node(child);
            self.add(node, at, piece.start as usize);
            match piece.kind {
                Kind::Continuation => {}
                Kind::Escaped => self.add(&piece, piece.start as usize + 1, piece.end as usize),
                _ if self.is_list(child) => self.goes_on(Rest::Words),
                _ => self.goes_on(Rest::One),
            }
            at = piece.end as usize;
        }
        self.add(node, at, node.end as usize - 1);
    }

    /// Does it become several words even in double quotes?
    fn is_list(&self, id: NodeId) -> bool {
        match self.tree.kind(id) {
            Kind::Parameter(Form::Indirect | Form::Unclear) => true,
            Kind::Parameter(_) => self.tree.text(id).contains(&b'@'),
            _ => false,
        }
    }

    /// A body, without the tabs that are not its own and with its lines joined.
    fn body(&mut self, id: NodeId, quoted: Quoted) {
        let node = *self.tree.node(id);
        let opener = self.tree.opener(id).map(|opener| self.tree.kind(opener));
        let strips_tabs = opener == Some(Kind::Redirection(Operator::HereDocumentTabs));
        if quoted == Quoted::Yes && !strips_tabs {
            return self.add(&node, node.start as usize, node.end as usize);
        }
        let mut at = node.start as usize;
        let end = node.end as usize;
        let text = &self.text(&node).text;
        let mut is_line_start = true;
        while at < end {
            match text[at] {
                b'\t' if is_line_start && strips_tabs => {
                    at += 1;
                    continue;
                }
                b'$' | b'`' if quoted == Quoted::No => return self.goes_on(Rest::One),
                b'\\' if quoted == Quoted::No && at + 1 < end => {
                    match text[at + 1] {
                        b'\n' => {}
                        b'$' | b'`' | b'\\' => self.add(&node, at + 1, at + 2),
                        _ => self.add(&node, at, at + 2),
                    }
                    at += 2;
                }
                _ => {
                    self.add(&node, at, at + 1);
                    at += 1;
                }
            }
            is_line_start = text[at - 1] == b'\n';
        }
    }

    /// `$'...'`: the escapes that make one byte.
    fn ansi(&mut self, node: &Node, start: usize, end: usize) {
        let text = &self.text(node).text;
        let mut at = start;
        while at < end {
            let plain = text[at..end].iter().position(|&byte| byte == b'\\');
            let next = plain.map_or(end, |length| at + length);
            self.add(node, at, next);
            at = next;
            if at >= end {
                return;
            }
            let byte = match text[at + 1] {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'e' | b'E' => 0x1b,
                byte @ (b'\\' | b'\'' | b'"' | b'?') => byte,
                // A number, a control character: left unknown.
                _ => return self.goes_on(Rest::One),
            };
            if self.rest == Rest::Nothing {
                self.program.push(&[byte], self.text(node).source(at));
            }
            at += 2;
        }
    }
}
