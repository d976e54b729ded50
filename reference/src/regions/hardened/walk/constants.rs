//! Which variables surely hold what is written, wherever they are used?
//!
//! A variable that is set once, by a command of its own that nothing skips, and is only expanded otherwise: each place where its
//! name stands in the command is one of these. It is known from there on, as words are.

use super::super::hazard;
use super::{Shell, Walker};
use crate::shell::{Form, Kind, NodeId, Rest, Tree, Value};
use std::collections::HashMap;

/// How often the name of a variable stands somewhere.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// In the text of the command, whatever it means there.
    anywhere: usize,
    assigned: usize,
    expanded: usize,
    /// An expansion may set it.
    is_set_by_expansion: bool,
}

/// What is known of variables so far.
#[derive(Debug, Default)]
pub(super) struct Constants {
    counts: HashMap<Vec<u8>, Count>,
    /// Values: one, or those of an array.
    scalars: HashMap<Vec<u8>, Vec<u8>>,
    arrays: HashMap<Vec<u8>, Vec<Vec<u8>>>,
    /// Arrays whose subscripts are keys, and not evaluated.
    associative: Vec<Vec<u8>>,
    parts_words: bool,
}

impl Constants {
    pub(super) fn new(command: &[u8], tree: &Tree) -> Self {
        let mut counts: HashMap<Vec<u8>, Count> = HashMap::new();
        let names = |kind: fn(Kind) -> bool| {
            let nodes = tree.all().filter(move |&id| kind(tree.kind(id)));
            nodes.filter_map(|id| Some((id, tree.text(tree.child(id, Kind::Name)?))))
        };
        for (_, name) in names(|kind| kind == Kind::Assignment) {
            counts.entry(name.to_vec()).or_default().assigned += 1;
        }
        for (id, name) in names(|kind| matches!(kind, Kind::Parameter(_))) {
            if let Some(count) = counts.get_mut(name) {
                count.expanded += 1;
                let operand = tree
                    .child(id, Kind::Operand)
                    .map(|operand| tree.text(operand));
                count.is_set_by_expansion |= matches!(operand, Some([b'=', ..] | [b':', b'=', ..]))
                    || matches!(
                        tree.kind(id),
                        Kind::Parameter(Form::Indirect | Form::Unclear)
                    );
            }
        }
        for name in command.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_') {
            if let Some(count) = counts.get_mut(name) {
                count.anywhere += 1;
            }
        }
        Self {
            counts,
            parts_words: hazard::holds(command, b"IFS"),
            ..Self::default()
        }
    }

    fn is_set_once(&self, name: &[u8]) -> bool {
        self.counts.get(name).is_some_and(|count| {
            hazard::keeps_its_value(name)
                && count.assigned == 1
                && count.anywhere == 1 + count.expanded
                && !count.is_set_by_expansion
        })
    }

    /// Takes note of a command of its own that sets variables, or declares an array.
    pub(super) fn note(&mut self, tree: &Tree, pipeline: NodeId) {
        let mut parts = tree.children(pipeline);
        let (Some(command), None) = (parts.next(), parts.next()) else {
            return;
        };
        if tree.kind(command) != Kind::Simple {
            return;
        }
        let words: Vec<NodeId> = tree
            .children(command)
            .filter(|&id| tree.kind(id) == Kind::Word)
            .collect();
        if !words.is_empty() {
            return self.declared(tree, &words);
        }
        for assignment in tree
            .children(command)
            .filter(|&id| tree.kind(id) == Kind::Assignment)
        {
            let children: Vec<NodeId> = tree.children(assignment).collect();
            let [name, value] = children[..] else {
                continue;
            };
            let is_plain = tree.plain(assignment).map(<[u8]>::len).sum::<usize>() == 1;
            let name = tree.text(name);
            if !is_plain || !self.is_set_once(name) {
                continue;
            }
            if let Some(text) = tree
                .literal(value)
                .filter(|_| tree.kind(value) == Kind::Word)
            {
                self.scalars.insert(name.to_vec(), text);
            } else if tree.kind(value) == Kind::Array {
                let literal = |element| {
                    (tree.kind(element) == Kind::Word)
                        .then(|| tree.literal(element))
                        .flatten()
                };
                let elements: Option<Vec<_>> = tree.children(value).map(literal).collect();
                if let Some(elements) = elements.filter(|elements| !elements.is_empty()) {
                    self.arrays.insert(name.to_vec(), elements);
                }
            }
        }
    }

    /// `declare -A name`
    fn declared(&mut self, tree: &Tree, words: &[NodeId]) {
        let words: Vec<&[u8]> = words.iter().map(|&word| tree.text(word)).collect();
        if let [b"declare" | b"typeset", b"-A", names @ ..] = &words[..] {
            for &name in names {
                let only_here =
                    |count: &Count| count.anywhere == 1 + count.assigned + count.expanded;
                if self.counts.get(name).is_some_and(only_here) {
                    self.associative.push(name.to_vec());
                }
            }
        }
    }
}

impl Walker {
    /// Are the subscripts of this array keys?
    pub(super) fn is_associative(&self, name: &[u8], shell: Shell) -> bool {
        !shell.is_child && self.constants.associative.iter().any(|other| other == name)
    }

    /// The words that a word surely becomes, and whether that is so by a variable.
    pub(super) fn values(&self, tree: &Tree, word: NodeId, shell: Shell) -> (Vec<Value>, bool) {
        match self.constant(tree, word).filter(|_| !shell.is_child) {
            Some(values) => (values, true),
            None => (vec![tree.value(word)], false),
        }
    }

    /// The one word that it becomes, as far as it is known.
    pub(super) fn value_of(&self, tree: &Tree, word: NodeId, shell: Shell) -> Value {
        let (mut values, _) = self.values(tree, word, shell);
        match values.len() {
            1 => values.remove(0),
            _ => Value {
                prefix: Vec::new(),
                rest: Rest::Words,
            },
        }
    }

    fn constant(&self, tree: &Tree, word: NodeId) -> Option<Vec<Value>> {
        let only = |id: NodeId, quotes: usize| {
            let child = tree.children(id).next()?;
            (tree.text(child).len() + quotes == tree.text(id).len()).then_some(child)
        };
        let piece = only(word, 0)?;
        let is_quoted = tree.kind(piece) == Kind::DoubleQuoted;
        let parameter = if is_quoted { only(piece, 2)? } else { piece };
        if tree.kind(parameter) != Kind::Parameter(Form::Plain) {
            return None;
        }
        let name = tree.text(tree.child(parameter, Kind::Name)?);
        match tree.child(parameter, Kind::Subscript) {
            None => {
                let text = self.constants.scalars.get(name)?;
                let is_whole =
                    |byte: &u8| byte.is_ascii_alphanumeric() || b"_./:=,@%+-".contains(byte);
                let stays =
                    !self.constants.parts_words && !text.is_empty() && text.iter().all(is_whole);
                (is_quoted || stays).then(|| vec![Value::known(text.clone())])
            }
            Some(subscript) if is_quoted && tree.text(subscript) == b"[@]" => {
                let elements = self.constants.arrays.get(name)?;
                Some(
                    elements
                        .iter()
                        .map(|text| Value::known(text.clone()))
                        .collect(),
                )
            }
            Some(_) => None,
        }
    }
}
