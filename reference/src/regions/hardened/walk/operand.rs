//! What does a command do with each of its words, by the role that the table of programs gives it?

use super::super::graph::{Sink, Vertex};
use super::super::hazard::{self, Setting};
use super::super::reason::{Inert, Live};
use super::super::text::{Place, is_name};
use super::command::Invocation;
use super::redirection::{File, Opened};
use super::word::Taken;
use super::{Walker, Written};
use crate::programs::{Role, Why, variable};
use crate::shell::Value;

impl Walker {
    /// What the command does with one of its words.
    pub(super) fn operand(
        &mut self,
        of: &Invocation<'_>,
        at: usize,
        taken: Taken,
        place: Option<Place>,
        opened: &Opened,
    ) {
        let (vertex, value) = (taken.vertex, &of.values[at]);
        let start = of.usage.starts.get(at).copied().unwrap_or(0);
        let part = Value {
            prefix: value.prefix.get(start..).unwrap_or_default().to_vec(),
            rest: value.rest,
        };
        if let Some(outlet) = taken.outlet {
            self.graph.edge(of.data, outlet);
        }
        // `env NAME=value`, `sudo NAME=value`, `make NAME=value`; to a builtin it is a word like all others.
        let is_of_builtin = of.is_builtin() && at > of.innermost();
        if let Some(name) = variable_of(&value.prefix)
            .filter(|name| name.len() < value.prefix.len() && !is_of_builtin)
        {
            let variable = self.variable(name);
            self.graph.edge(vertex, variable);
            self.graph.edge(vertex, self.environment);
        }
        let is_live_alone = matches!(place, Some(Place::Live(_)));
        match of.usage.roles[at] {
            Role::Verb if of.parts.by_variable[at] => {
                self.graph.sink(vertex, Sink::Named, Live::Name)
            }
            Role::Verb if value.is_known() => {}
            Role::Verb => self.runs(vertex, Why::UnknownVerb, false),
            Role::Data => {}
            Role::Reads => self.reads(of, taken, &part, opened),
            Role::Writes => self.writes(of, at, taken, &part, opened),
            Role::ReadsAndWrites => {
                self.reads(of, taken, &part, opened);
                self.writes(of, at, taken, &part, opened);
            }
            Role::Variable => {
                let end = part
                    .prefix
                    .iter()
                    .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
                let (name, after) = part.prefix.split_at(end.unwrap_or(part.prefix.len()));
                let after = variable::behind_index(after);
                if !is_name(name) || after.is_empty() && !part.is_known() {
                    self.give_up(Live::AnyVariable);
                }
                let is_word = part.is_known() && !after.contains(&b'/') && !after.is_empty();
                self.assign(name, vertex, is_word);
                self.assign(name, of.data, is_word);
            }
            Role::Positional => self.graph.edge(vertex, self.positional),
            Role::Evaluated if self.is_not_evaluated(of, &part) => {}
            Role::Evaluated => {
                self.evaluated(of.tree, of.parts.words[at], vertex);
                // An element gets what a variable would.
                if let Some(name) = array_of(&part.prefix).filter(|_| of.sets_elements()) {
                    self.assign(name, vertex, false);
                    self.assign(name, of.data, false);
                }
            }
            Role::Runs(_) if is_live_alone => {}
            Role::Runs(Why::Environment) if self.sets_plain_variable(&part, vertex, of.data) => {}
            Role::Runs(why) => self.runs(vertex, why, of.is_builtin()),
            Role::RunsFile(why) => {
                let run = self.graph.vertex();
                self.runs(run, why, of.is_builtin());
                self.uses_file(taken, &part, run, opened.shell, false);
                self.graph.edge(self.moments[of.before].files, run);
                if !is_live_alone {
                    self.graph.edge(vertex, run);
                }
            }
        }
    }

    /// Does the builtin take the word for a name, or refuse it (B-50)?
    fn is_not_evaluated(&self, of: &Invocation<'_>, part: &Value) -> bool {
        let is_only_name = part.is_known() && is_name(&part.prefix);
        match of.program() {
            b"export" | b"readonly" | b"getopts" => part.is_known(),
            b"declare" | b"typeset" => is_only_name,
            // An error outside of functions.
            b"local" => is_only_name || self.in_functions == 0 && self.depth == 1,
            _ => false,
        }
    }

    /// A variable that the table takes for one that shells obey, and that only interactive ones do.
    fn sets_plain_variable(&mut self, part: &Value, word: Vertex, data: Vertex) -> bool {
        let Some(name) =
            variable_of(&part.prefix).filter(|name| hazard::setting(name) != Setting::Unknown)
        else {
            return false;
        };
        let is_word = part.is_known() && !part.prefix.contains(&b'/');
        self.assign(name, word, is_word);
        self.assign(name, data, is_word);
        true
    }

    fn reads(&mut self, of: &Invocation<'_>, taken: Taken, name: &Value, opened: &Opened) {
        self.uses_file(taken, name, of.data, opened.shell, false);
        self.graph.edge(self.moments[of.before].files, of.data);
    }

    fn writes(
        &mut self,
        of: &Invocation<'_>,
        at: usize,
        taken: Taken,
        name: &Value,
        opened: &Opened,
    ) {
        self.uses_file(taken, name, of.data, opened.shell, true);
        let is_place = match self.file(name) {
            File::Path { is_place } | File::Unknown { is_place } => {
                is_place && !hazard::makes_no_content(of.program())
            }
            File::Nothing | File::Descriptor(_) | File::Device => false,
        };
        self.keep(of.data, is_place, of.after);
        self.written.push(Written {
            name: of.tree.span(of.parts.words[at]),
            content: of.data,
        });
    }
}

/// The name before `=`, or all of it.
pub(super) fn variable_of(text: &[u8]) -> Option<&[u8]> {
    let name = text.split(|&byte| byte == b'=').next()?;
    let name = name.strip_suffix(b"+").unwrap_or(name);
    is_name(name).then_some(name)
}

/// The name before a subscript.
fn array_of(text: &[u8]) -> Option<&[u8]> {
    let end = text.iter().position(|&byte| byte == b'[')?;
    Some(&text[..end]).filter(|name| is_name(name))
}

/// How a word is to be called, by what is done with it; nothing of a verb.
pub(super) fn place(role: Role, value: &Value, by_variable: bool) -> Option<Place> {
    match role {
        Role::Verb => None,
        Role::Runs(why @ (Why::UnknownProgram | Why::UnknownOption | Why::UnknownVerb))
        | Role::RunsFile(why)
            if hazard::is_simple(value) && !by_variable =>
        {
            Some(Place::Live(Live::Run(why)))
        }
        _ => Some(Place::Text(Inert::Operand)),
    }
}
