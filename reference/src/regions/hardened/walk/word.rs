//! What gets into a word, and where does its own text stand?

use super::super::graph::Vertex;
use super::super::text::{Content, Place};
use super::{Shell, Walker};
use crate::regions::Span;
use crate::shell::{Kind, NodeId, Tree, Value};

/// A word that has been walked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    /// Its value, and whatever can be read under this name.
    pub(super) vertex: Vertex,
    /// Where that goes which is written under this name (`>( )`).
    pub(super) outlet: Option<Vertex>,
}

/// A word that is being walked.
pub(super) struct Making {
    pub(super) taken: Taken,
    place: Place,
    /// Where the text of its own goes on.
    gap: usize,
    pub(super) has_literal: bool,
}

impl Making {
    /// Nothing of it has been walked; its text begins at `start`.
    pub(super) fn new(vertex: Vertex, place: Place, start: usize) -> Self {
        Self {
            taken: Taken {
                vertex,
                outlet: None,
            },
            place,
            gap: start,
            has_literal: false,
        }
    }
}

impl Walker {
    pub(super) fn word(&mut self, tree: &Tree, word: NodeId, shell: Shell, place: Place) -> Taken {
        let value = tree.value(word);
        self.word_of(tree, word, shell, place, &value)
    }

    /// The same, where its value has been looked at before.
    pub(super) fn word_of(
        &mut self,
        tree: &Tree,
        word: NodeId,
        shell: Shell,
        place: Place,
        value: &Value,
    ) -> Taken {
        let making = self.text(tree, word, shell, place);
        let vertex = making.taken.vertex;
        // What is known by a variable has its text there.
        let content = match making.has_literal {
            true => Content::of(value, true),
            false => Content::Empty,
        };
        self.texts.item(vertex, content);
        if matches!(
            value.rest,
            crate::shell::Rest::Names | crate::shell::Rest::Words
        ) {
            // A pattern finds the names of files.
            let files = self.moments[self.now()].files;
            self.graph.edge(files, vertex);
        }
        making.taken
    }

    /// The body of a here-document.
    pub(super) fn body(&mut self, tree: &Tree, body: NodeId, shell: Shell, place: Place) -> Vertex {
        let making = self.text(tree, body, shell, place);
        let vertex = making.taken.vertex;
        let is_number = |stretch: &[u8]| {
            stretch
                .iter()
                .all(|byte| byte.is_ascii_digit() || *byte == b'\n')
        };
        let content = match () {
            () if !making.has_literal => Content::Empty,
            () if tree.plain(body).all(is_number) => Content::Number,
            () => Content::Any,
        };
        self.texts.item(vertex, content);
        vertex
    }

    fn text(&mut self, tree: &Tree, id: NodeId, shell: Shell, place: Place) -> Making {
        let Span { start, end } = tree.span(id);
        let vertex = self.graph.vertex();
        let mut making = Making::new(vertex, place, start);
        self.pieces(tree, id, shell, &mut making);
        self.texts.piece(making.gap, end, place, vertex);
        making
    }

    /// All that a word or a part of it consists of.
    pub(super) fn pieces(&mut self, tree: &Tree, id: NodeId, shell: Shell, making: &mut Making) {
        making.has_literal |= has_literal(tree, id);
        let vertex = making.taken.vertex;
        for piece in tree.children(id) {
            match tree.kind(piece) {
                Kind::SingleQuoted => making.has_literal |= tree.text(piece).len() > 2,
                Kind::AnsiQuoted => making.has_literal |= tree.text(piece).len() > 3,
                Kind::Escaped => making.has_literal = true,
                Kind::DoubleQuoted
                | Kind::LocaleQuoted
                | Kind::ExtendedPattern
                | Kind::Subscript => {
                    self.pieces(tree, piece, shell, making);
                }
                Kind::Name => making.has_literal = true,
                Kind::Parameter(form) => self.parameter(tree, piece, form, shell, making),
                Kind::CommandSubstitution | Kind::Backquoted => {
                    self.cut(tree, piece, making);
                    let output = self.stream();
                    self.graph.edge(output, vertex);
                    self.lists(tree, piece, shell.with(1, output));
                }
                Kind::ProcessIn => {
                    self.cut(tree, piece, making);
                    let output = self.stream();
                    self.graph.edge(output, vertex);
                    self.beside(tree, piece, shell.with(1, output));
                }
                Kind::ProcessOut => {
                    self.cut(tree, piece, making);
                    let input = self.stream();
                    let outlet = match making.taken.outlet {
                        Some(outlet) => outlet,
                        None => self.graph.vertex(),
                    };
                    making.taken.outlet = Some(outlet);
                    self.graph.edge(outlet, input);
                    self.beside(tree, piece, shell.with(0, input));
                }
                Kind::Arithmetic => {
                    self.cut(tree, piece, making);
                    self.arithmetic(tree, piece, shell);
                }
                _ => {}
            }
        }
    }

    /// This piece is no text of the word.
    pub(super) fn cut(&mut self, tree: &Tree, piece: NodeId, making: &mut Making) {
        let Span { start, end } = tree.span(piece);
        let vertex = making.taken.vertex;
        self.texts.piece(making.gap, start, making.place, vertex);
        making.gap = end;
    }

    /// Commands that go on beside the others.
    fn beside(&mut self, tree: &Tree, id: NodeId, shell: Shell) {
        self.lasting.push(self.now());
        self.lists(tree, id, shell);
    }
}

/// Has it text of its own beside quotes?
fn has_literal(tree: &Tree, id: NodeId) -> bool {
    let quotes = match tree.kind(id) {
        Kind::DoubleQuoted => 2,
        Kind::LocaleQuoted => 3,
        _ => 0,
    };
    tree.plain(id).map(<[u8]>::len).sum::<usize>() > quotes
}
