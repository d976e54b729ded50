//! What is known of a word's value before anything runs?
//!
//! As much of its beginning as stands there, and what kind of thing comes after it.

use super::origin::Program;
use super::tree::{NodeId, Tree};

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
    /// Any bytes; it stays one word (`"a$x"`, `~/a`).
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
    let _ = (tree, word);
    Value {
        prefix: Vec::new(),
        rest: Rest::Words,
    }
}

/// See [`Tree::program`].
pub(super) fn program(tree: &Tree, id: NodeId) -> Option<Program> {
    let _ = (tree, id);
    None
}
