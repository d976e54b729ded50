//! What do other parsers say of the same command? Each byte gets a mark, in words that all of them have.

use reference::shell::{Kind, NodeId, TokenKind, Tree, tokens};
use std::ops::Range;

/// What a byte belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A comment.
    Comment,
    /// The body of a here-document.
    Body,
    /// The word that begins at this offset.
    Word(usize),
    /// Blanks, operators, reserved words.
    Other,
    /// The peer has no such thing: not compared.
    Skip,
}

impl Mark {
    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Mark::Comment => "comment",
            Mark::Body => "body",
            Mark::Word(_) => "word",
            Mark::Other => "no word",
            Mark::Skip => "skipped",
        }
    }
}

/// Another parser.
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    /// Its marks; `None` where it refuses the command.
    pub(crate) marks: fn(&str, &Tree) -> Option<Vec<Mark>>,
    /// Ours, as far as they can be compared with its.
    pub(crate) ours: fn(&str, &Tree) -> Vec<Mark>,
}

pub(crate) const PEERS: [Peer; 2] = [
    Peer {
        name: "brush-parser",
        marks: brush,
        ours: ours_of_tokens,
    },
    Peer {
        name: "tree-sitter-bash",
        marks: tree_sitter,
        ours: ours_at_all_depths,
    },
];

fn paint(marks: &mut [Mark], range: Range<usize>, mark: Mark) {
    marks[range].fill(mark);
}

/// Tokens of the command itself; what is in words is in words.
fn ours_of_tokens(text: &str, tree: &Tree) -> Vec<Mark> {
    let mut marks = vec![Mark::Other; text.len()];
    for token in tokens(tree) {
        let (start, end) = (token.span.start, token.span.end);
        let mark = match token.kind {
            TokenKind::Word | TokenKind::Assignment => Mark::Word(start),
            TokenKind::Comment => Mark::Comment,
            TokenKind::HereBody => Mark::Body,
            _ => Mark::Other,
        };
        paint(&mut marks, start..end, mark);
    }
    // The peer parts what is in them.
    for id in tree.all() {
        if matches!(
            tree.kind(id),
            Kind::Array | Kind::Arithmetic | Kind::Conditional
        ) {
            let span = tree.span(id);
            paint(&mut marks, span.start..span.end, Mark::Skip);
        }
    }
    marks
}

fn brush(text: &str, tree: &Tree) -> Option<Vec<Mark>> {
    let found = brush_parser::tokenize_str(text).ok()?;
    // Its offsets count characters.
    let mut offsets: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    offsets.push(text.len());
    let mut marks = vec![Mark::Other; text.len()];
    let other: Vec<_> = tokens(tree)
        .into_iter()
        .filter(|token| !matches!(token.kind, TokenKind::Word | TokenKind::Assignment))
        .collect();
    let mut done = 0;
    // After `<<` come the delimiter, the body and the last line, in order of the bodies.
    for token in found {
        let place = token.location();
        let range = offsets[place.start.index]..offsets[place.end.index.min(offsets.len() - 1)];
        if range.start >= done {
            comments(text, done..range.start, &mut marks);
            done = range.end;
        }
        let span = |one: &reference::shell::Token| one.span.start..one.span.end;
        let same = other.iter().find(|one| span(one) == range);
        let is_word = matches!(token, brush_parser::Token::Word(..));
        let mark = match same.map(|one| one.kind) {
            _ if !is_word => Mark::Other,
            Some(TokenKind::HereBody) => Mark::Body,
            Some(_) => Mark::Other,
            None => Mark::Word(range.start),
        };
        paint(&mut marks, range, mark);
    }
    comments(text, done..text.len(), &mut marks);
    Some(marks)
}

/// It drops comments: they are what begins with `#` between its tokens.
fn comments(text: &str, gap: Range<usize>, marks: &mut [Mark]) {
    let mut at = gap.start;
    while let Some(length) = text[at..gap.end].find('#') {
        let start = at + length;
        let rest = &text[start..gap.end];
        let end = rest.find('\n').map_or(gap.end, |length| start + length);
        paint(marks, start..end, Mark::Comment);
        at = end;
    }
}

/// Words of simple commands, comments and bodies, wherever they stand.
fn ours_at_all_depths(text: &str, tree: &Tree) -> Vec<Mark> {
    let mut marks = vec![Mark::Other; text.len()];
    ours_below(tree, tree.root(), &mut marks);
    marks
}

fn ours_below(tree: &Tree, id: NodeId, marks: &mut [Mark]) {
    let is_simple = tree.kind(id) == Kind::Simple;
    for child in tree.children(id) {
        let span = tree.span(child);
        let mark = match tree.kind(child) {
            Kind::Word if is_simple => Some(Mark::Word(span.start)),
            Kind::Word | Kind::Assignment | Kind::Redirection(_) | Kind::Arithmetic => {
                Some(Mark::Skip)
            }
            Kind::Conditional | Kind::ExtendedPattern => Some(Mark::Skip),
            Kind::Comment => Some(Mark::Comment),
            Kind::HereBody(_) => Some(Mark::Body),
            Kind::CommandSubstitution | Kind::Backquoted | Kind::ProcessIn | Kind::ProcessOut => {
                Some(Mark::Other)
            }
            _ => None,
        };
        if let Some(mark) = mark {
            paint(marks, span.start..span.end, mark);
        }
        ours_below(tree, child, marks);
    }
}

fn tree_sitter(text: &str, _: &Tree) -> Option<Vec<Mark>> {
    let mut parser = tree_sitter::Parser::new();
    let language = tree_sitter_bash::LANGUAGE.into();
    parser
        .set_language(&language)
        .expect("the grammar is made for this version");
    let tree = parser.parse(text, None)?;
    if tree.root_node().has_error() {
        return None;
    }
    let mut marks = vec![Mark::Other; text.len()];
    theirs_below(&mut tree.walk(), &mut marks);
    Some(marks)
}

fn theirs_below(cursor: &mut tree_sitter::TreeCursor<'_>, marks: &mut [Mark]) {
    let node = cursor.node();
    let range = node.byte_range();
    let mark = match (node.kind(), cursor.field_name()) {
        ("comment", _) => Some(Mark::Comment),
        ("heredoc_body", _) => Some(Mark::Body),
        ("command_name", _) | (_, Some("argument")) => Some(Mark::Word(range.start)),
        ("command_substitution" | "process_substitution", _) => Some(Mark::Other),
        _ => None,
    };
    if let Some(mark) = mark {
        paint(marks, range, mark);
    }
    if cursor.goto_first_child() {
        loop {
            theirs_below(cursor, marks);
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        cursor.goto_parent();
    }
}
