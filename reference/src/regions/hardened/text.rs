//! Which words and bodies are there, and where do they stand?

use super::graph::Vertex;
use super::reason::{Inert, Live};
use crate::regions::Span;
use crate::shell::Value;

/// How much a text says before anything is expanded in it. What it is expanded to has vertices of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Nothing.
    Empty,
    /// Digits: no program, and none after any decoding that keeps to bytes.
    Number,
    /// Anything.
    Any,
}

impl Content {
    /// Of a word that is known, or of one that is not and has literal parts or none.
    pub(super) fn of(value: &Value, has_literal: bool) -> Self {
        match value.is_known() {
            true => Self::of_bytes(&value.prefix),
            false if has_literal => Self::Any,
            false => Self::Empty,
        }
    }

    pub(super) fn of_bytes(bytes: &[u8]) -> Self {
        // `name=1` sets a variable to a number.
        let value = match bytes.iter().position(|&byte| byte == b'=') {
            Some(at) if is_name(&bytes[..at]) => &bytes[at + 1..],
            _ => bytes,
        };
        match value {
            [] if bytes.is_empty() => Self::Empty,
            _ if value.iter().all(u8::is_ascii_digit) => Self::Number,
            _ => Self::Any,
        }
    }
}

/// Is it the name of a variable?
pub(super) fn is_name(bytes: &[u8]) -> bool {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    bytes.iter().all(is_of_name) && bytes.first().is_some_and(|first| !first.is_ascii_digit())
}

/// How the place of a text is to be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Text, if it turns out that it is run nowhere.
    Text(Inert),
    /// Live in any case.
    Live(Live),
}

/// A text that may be run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) vertex: Vertex,
    pub(super) content: Content,
    /// It is a program, and stands there, that is read here as well: if something else runs it, nothing of it is text.
    pub(super) program: Option<Span>,
}

/// A stretch of the command that is of one item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) span: Span,
    pub(super) place: Place,
    pub(super) vertex: Vertex,
}

/// All texts of a command.
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub(super) items: Vec<Item>,
    pub(super) pieces: Vec<Piece>,
}

impl Texts {
    pub(super) fn item(&mut self, vertex: Vertex, content: Content) {
        if content != Content::Empty {
            let program = None;
            self.items.push(Item {
                vertex,
                content,
                program,
            });
        }
    }

    /// The text of a program that is read here.
    pub(super) fn program(&mut self, vertex: Vertex, place: Span) {
        self.items.push(Item {
            vertex,
            content: Content::Any,
            program: Some(place),
        });
    }

    pub(super) fn piece(&mut self, start: usize, end: usize, place: Place, vertex: Vertex) {
        if start < end {
            let span = Span { start, end };
            self.pieces.push(Piece {
                span,
                place,
                vertex,
            });
        }
    }
}
