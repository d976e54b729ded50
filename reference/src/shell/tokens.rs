//! Which tokens does bash's lexer see? The tree, read from left to right.

use super::tree::{Kind, NodeId, Tree};
use crate::regions::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A word, whole.
    Word,
    /// An assignment, whole.
    Assignment,
    /// `;`, `&&`, `(`, `>`, a newline between commands, an operator of `[[ ]]`, ...
    Operator,
    /// `if`, `{`, `[[`, `!`, `time`, ...
    Reserved,
    /// Before a redirection.
    Descriptor,
    /// A comment.
    Comment,
    /// Body of a here-document.
    HereBody,
    /// The line that ends a body.
    Delimiter,
    /// What was not understood.
    NotUnderstood,
}

impl TokenKind {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Word => "word",
            Self::Assignment => "assignment",
            Self::Operator => "operator",
            Self::Reserved => "reserved word",
            Self::Descriptor => "descriptor",
            Self::Comment => "comment",
            Self::HereBody => "here-document body",
            Self::Delimiter => "here-document delimiter",
            Self::NotUnderstood => "not understood",
        }
    }
}

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where.
    pub span: Span,
}

/// The tokens of a command outside its words, in order; what is inside a word (substitutions) belongs to the word.
pub fn tokens(tree: &Tree) -> Vec<Token> {
    let mut tokens = Vec::new();
    inside(tree, tree.root(), &mut tokens);
    tokens
}

/// The kind of a node that is one token.
fn token(kind: Kind) -> Option<TokenKind> {
    Some(match kind {
        Kind::Word => TokenKind::Word,
        Kind::Assignment => TokenKind::Assignment,
        Kind::And | Kind::Or | Kind::Then | Kind::Background => TokenKind::Operator,
        Kind::Pipe | Kind::PipeBoth | Kind::TestOperator => TokenKind::Operator,
        Kind::Arithmetic => TokenKind::Word,
        Kind::Bang | Kind::Time => TokenKind::Reserved,
        Kind::Descriptor => TokenKind::Descriptor,
        Kind::Comment => TokenKind::Comment,
        Kind::HereBody(_) => TokenKind::HereBody,
        Kind::NotUnderstood => TokenKind::NotUnderstood,
        _ => return None,
    })
}

/// Depth is that of commands, which [`super::DEEPEST`] bounds.
fn inside(tree: &Tree, id: NodeId, tokens: &mut Vec<Token>) {
    let node = tree.node(id);
    let mut at = node.start;
    let mut body = None;
    for child in tree.children(id) {
        let inner = tree.node(child);
        between(tree, id, body, at..inner.start, tokens);
        match token(inner.kind) {
            Some(kind) => {
                let span = tree.span(child);
                tokens.push(Token { kind, span });
            }
            None => inside(tree, child, tokens),
        }
        at = inner.end.max(at);
        body = matches!(inner.kind, Kind::HereBody(_)).then_some(child);
    }
    between(tree, id, body, at..node.end, tokens);
}

/// What stands between nodes: reserved words, parentheses, operators, and the last line of a here-document.
fn between(
    tree: &Tree,
    parent: NodeId,
    body: Option<NodeId>,
    range: std::ops::Range<u32>,
    tokens: &mut Vec<Token>,
) {
    let buffer = &tree.buffers[usize::from(tree.node(parent).buffer)];
    let end = range.end as usize;
    let mut at = range.start as usize;
    let mut push = |kind, start: usize, end: usize| {
        let span = Span {
            start: buffer.source(start),
            end: buffer.source(end - 1) + 1,
        };
        tokens.push(Token { kind, span });
    };
    let delimiter = body
        .and_then(|body| tree.opener(body))
        .and_then(|opener| tree.child(opener, Kind::Word))
        .map(|word| tree.value(word).prefix);
    if let Some(delimiter) = delimiter.filter(|delimiter| !delimiter.is_empty()) {
        let tabs = buffer.text[at.min(end)..end]
            .iter()
            .take_while(|&&byte| byte == b'\t');
        let start = at + tabs.count();
        if buffer.text[start.min(end)..end].starts_with(&delimiter) {
            at = start + delimiter.len();
            push(TokenKind::Delimiter, start, at);
        }
    }
    while at < end {
        let start = at;
        let sort = |byte: u8| match byte {
            b' ' | b'\t' | b'\n' | b'\\' => 0,
            b'(' | b')' => 1,
            b';' | b'&' | b'|' | b'<' | b'>' | b'-' => 2,
            _ => 3,
        };
        let first = sort(buffer.text[at]);
        at += 1;
        if first == 0 {
            continue;
        }
        while at < end && first > 1 && sort(buffer.text[at]) == first {
            at += 1;
        }
        let kind = match first {
            3 => TokenKind::Reserved,
            _ => TokenKind::Operator,
        };
        push(kind, start, at);
    }
}
