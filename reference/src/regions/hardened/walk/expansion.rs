//! What gets into a word by `${ }`, and what is evaluated on the way?

use super::super::graph::{Sink, Vertex};
use super::super::hazard;
use super::super::reason::{Inert, Live};
use super::super::text::{Content, Place};
use super::word::Making;
use super::{Shell, Walker};
use crate::shell::{Form, Kind, NodeId, Tree, Trouble};

impl Walker {
    /// What a parameter holds, if any text can be in it.
    pub(super) fn parameter_value(&mut self, name: &[u8]) -> Option<Vertex> {
        match name {
            b"@" | b"*" => Some(self.positional),
            [first, ..] if first.is_ascii_digit() => Some(self.positional),
            b"#" | b"?" | b"-" | b"$" | b"!" | b"" => None,
            b"OPTARG" => {
                let variable = self.variable(name);
                self.graph.edge(self.positional, variable);
                Some(variable)
            }
            b"_" => Some(self.last_argument),
            _ if hazard::holds_own_text(name) => Some(self.own_text),
            _ => Some(self.variable(name)),
        }
    }

    /// `$x`, `${...}` as a piece of a word.
    pub(super) fn parameter(
        &mut self,
        tree: &Tree,
        id: NodeId,
        form: Form,
        shell: Shell,
        making: &mut Making,
    ) {
        let name = tree
            .child(id, Kind::Name)
            .map_or(&b""[..], |name| tree.text(name));
        let subscript = tree.child(id, Kind::Subscript);
        let operand = tree.child(id, Kind::Operand);
        let operator = operand.map_or(&b""[..], |operand| tree.text(operand));
        let vertex = making.taken.vertex;
        let is_all =
            subscript.is_some_and(|subscript| matches!(tree.text(subscript), b"[@]" | b"[*]"));
        let value = self.parameter_value(name);
        if let Some(subscript) = subscript.filter(|_| !is_all) {
            self.cut(tree, subscript, making);
            self.subscript(tree, subscript, name, shell);
        }
        match (form, value) {
            (Form::Unclear, _) => self.give_up(Live::NotUnderstood(Trouble::Unclear)),
            // Names of variables, or keys.
            (Form::Indirect, _) if matches!(operator, b"*" | b"@") && subscript.is_none() => {}
            (Form::Indirect, Some(value)) if is_all && operand.is_none() => {
                self.graph.edge(value, vertex)
            }
            (Form::Indirect, value) => {
                if let Some(value) = value {
                    self.graph.sink(value, Sink::Evaluated, Live::Evaluated);
                }
                for any in [self.any_variable, self.positional, self.own_text] {
                    self.graph.edge(any, vertex);
                }
                if operator.starts_with(b"@") {
                    self.graph
                        .sink(self.any_variable, Sink::Within, Live::Prompted);
                }
            }
            (Form::Plain | Form::Operated, Some(value)) => {
                self.graph.edge(value, vertex);
                if operator.starts_with(b"@") && operator.contains(&b'P') {
                    self.graph.sink(value, Sink::Within, Live::Prompted);
                }
            }
            _ => {}
        }
        let is_joined =
            name == b"*" || subscript.is_some_and(|subscript| tree.text(subscript) == b"[*]");
        if is_joined {
            let separator = self.variable(b"IFS");
            self.graph.edge(separator, vertex);
        }
        if let Some(operand) = operand {
            self.operand_of_expansion(tree, operand, name, shell, making);
        }
    }

    fn operand_of_expansion(
        &mut self,
        tree: &Tree,
        operand: NodeId,
        name: &[u8],
        shell: Shell,
        making: &mut Making,
    ) {
        let vertex = making.taken.vertex;
        let had_literal = making.has_literal;
        match tree.text(operand) {
            // An offset and a length.
            [b':', next, ..] if !b"-=?+".contains(next) => {
                self.cut(tree, operand, making);
                return self.arithmetic(tree, operand, shell);
            }
            [b':', b'=', ..] | [b'=', ..] => self.assign(name, vertex, false),
            [b':', b'?', ..] | [b'?', ..] => self.graph.edge(vertex, shell.descriptors.error()),
            _ => {}
        }
        self.pieces(tree, operand, shell, making);
        let text = tree.text(operand);
        let is_pattern = matches!(text.first(), Some(b'#' | b'%' | b'^' | b',' | b'@'));
        let is_empty = matches!(text, [b':', _] | [b'-' | b'=' | b'?' | b'+']);
        if is_pattern || is_empty {
            making.has_literal = had_literal;
        }
    }

    /// A subscript after this name.
    pub(super) fn subscript(&mut self, tree: &Tree, id: NodeId, name: &[u8], shell: Shell) {
        if !self.is_associative(name, shell) {
            return self.arithmetic(tree, id, shell);
        }
        // A key, which `${!name[@]}` lists.
        let variable = self.variable(name);
        let key = self.word(tree, id, shell, Place::Text(Inert::Value));
        self.graph.edge(key.vertex, variable);
    }

    /// Something that is evaluated: arithmetic, a subscript, an offset.
    pub(super) fn arithmetic(&mut self, tree: &Tree, id: NodeId, shell: Shell) {
        let vertex = self.graph.vertex();
        self.graph.sink(vertex, Sink::Evaluated, Live::Evaluated);
        self.literals_evaluated(tree, id, vertex);
        let place = Place::Live(Live::Evaluated);
        let mut making = Making::new(vertex, place, tree.span(id).start);
        self.pieces(tree, id, shell, &mut making);
    }

    fn literals_evaluated(&mut self, tree: &Tree, id: NodeId, vertex: Vertex) {
        if may_assign(tree.text(id)) && has_parted_name(tree, id) {
            self.give_up(Live::Environment);
        }
        for plain in tree.plain(id) {
            self.names_evaluated(plain);
        }
        for piece in tree.children(id) {
            let text = tree.text(piece);
            match tree.kind(piece) {
                Kind::DoubleQuoted => self.literals_evaluated(tree, piece, vertex),
                Kind::SingleQuoted if is_readable(&text[1..text.len() - 1]) => {
                    self.names_evaluated(text)
                }
                Kind::SingleQuoted | Kind::AnsiQuoted | Kind::Escaped | Kind::LocaleQuoted => {
                    self.texts.item(vertex, Content::Any);
                }
                _ => {}
            }
        }
    }

    /// Variables that arithmetic names are evaluated in their turn.
    pub(super) fn names_evaluated(&mut self, text: &[u8]) {
        let may_assign = may_assign(text);
        for name in text.split(|byte| !is_of_name(byte)) {
            if may_assign && hazard::is_obeyed_if_set(name) {
                self.give_up(Live::Environment);
            }
            if name.first().is_some_and(|first| !first.is_ascii_digit())
                && let Some(value) = self.parameter_value(name)
            {
                self.graph.sink(value, Sink::Evaluated, Live::Evaluated);
            }
        }
    }

    /// A word that is evaluated as a whole.
    pub(super) fn evaluated(&mut self, tree: &Tree, word: NodeId, vertex: Vertex) {
        match tree.literal(word) {
            Some(text) if is_readable(&text) => self.names_evaluated(&text),
            _ => self.graph.sink(vertex, Sink::Evaluated, Live::Evaluated),
        }
    }
}

fn is_of_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

/// Could arithmetic of this text set a variable?
fn may_assign(text: &[u8]) -> bool {
    [&b"="[..], b"++", b"--"]
        .iter()
        .any(|operator| hazard::holds(text, operator))
}

/// Is there a name of which a part is quoted, expanded or on another line?
fn has_parted_name(tree: &Tree, id: NodeId) -> bool {
    let stretches = Vec::from_iter(tree.plain(id));
    stretches.windows(2).any(|pair| {
        pair[0].last().is_some_and(is_of_name) || pair[1].first().is_some_and(is_of_name)
    }) || stretches[1..]
        .iter()
        .rev()
        .skip(1)
        .any(|between| between.is_empty())
}

/// Does it hold nothing that is expanded when it is evaluated?
pub(super) fn is_readable(text: &[u8]) -> bool {
    !text.iter().any(|byte| b"$`\\'\"".contains(byte))
}
