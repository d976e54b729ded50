//! What does a simple command do with its words?

use super::super::descriptors::Descriptors;
use super::super::graph::Vertex;
use super::super::hazard::{self, Setting};
use super::super::reason::{Inert, Live};
use super::super::text::Place;
use super::builtin::has_no_aliases;
use super::nested::Nested;
use super::operand::place;
use super::word::Taken;
use super::{Call, Shell, Walker};
use crate::programs::{self, Input, Role, Usage, Why};
use crate::shell::{Kind, NodeId, Rest, Tree, Value};

/// The parts of a simple command.
pub(super) struct Parts {
    /// Assignments before the verb.
    pub(super) assignments: Vec<NodeId>,
    /// Words, the verb first; assignments among the operands of a builtin that declares.
    pub(super) words: Vec<NodeId>,
    /// Which of them are known by a variable.
    pub(super) by_variable: Vec<bool>,
    pub(super) redirections: Vec<NodeId>,
}

impl Parts {
    fn of(tree: &Tree, command: NodeId) -> Self {
        let mut parts = Self {
            assignments: Vec::new(),
            words: Vec::new(),
            by_variable: Vec::new(),
            redirections: Vec::new(),
        };
        for child in tree.children(command) {
            match tree.kind(child) {
                Kind::Assignment if parts.words.is_empty() => parts.assignments.push(child),
                Kind::Assignment | Kind::Word => parts.words.push(child),
                Kind::Redirection(_) => parts.redirections.push(child),
                _ => {}
            }
        }
        parts
    }
}

/// A simple command whose words are known for what they are.
pub(super) struct Invocation<'t> {
    pub(super) tree: &'t Tree,
    pub(super) parts: Parts,
    pub(super) values: Vec<Value>,
    pub(super) usage: Usage,
    /// What its data are: whatever it may copy.
    pub(super) data: Vertex,
    pub(super) before: usize,
    pub(super) after: usize,
}

impl Invocation<'_> {
    /// Where the innermost verb stands.
    pub(super) fn innermost(&self) -> usize {
        let verb = self
            .usage
            .roles
            .iter()
            .rposition(|&role| role == Role::Verb);
        verb.unwrap_or(0)
    }

    /// The innermost verb.
    pub(super) fn program(&self) -> &[u8] {
        &self.values[self.innermost()].prefix
    }

    /// What the innermost verb gets.
    pub(super) fn operands(&self) -> &[Value] {
        &self.values[self.innermost() + 1..]
    }

    /// Does it set the variables that it evaluates the subscripts of?
    pub(super) fn sets_elements(&self) -> bool {
        matches!(
            self.program(),
            b"read"
                | b"printf"
                | b"mapfile"
                | b"readarray"
                | b"wait"
                | b"getopts"
                | b"declare"
                | b"typeset"
                | b"local"
                | b"export"
                | b"readonly"
        )
    }

    /// Is a program that it starts run for one line or file after the other?
    fn repeats(&self) -> bool {
        self.values
            .iter()
            .zip(&self.usage.roles)
            .any(|(value, &role)| {
                let name = value.prefix.rsplit(|&byte| byte == b'/').next();
                role == Role::Verb
                    && matches!(
                        name,
                        Some(b"xargs" | b"find" | b"watch" | b"mapfile" | b"readarray")
                    )
            })
    }

    /// Does the shell itself do it?
    pub(super) fn is_builtin(&self) -> bool {
        hazard::is_builtin(self.program())
    }

    /// The verb, if it is known.
    pub(super) fn verb(&self) -> Option<&[u8]> {
        self.values[0].is_known().then_some(&self.values[0].prefix)
    }
}

impl Walker {
    pub(super) fn simple(&mut self, tree: &Tree, id: NodeId, shell: Shell, both: bool) {
        let mut parts = Parts::of(tree, id);
        if parts.words.is_empty() {
            return self.without_verb(tree, &parts, shell, both);
        }
        let values = self.expand(tree, &mut parts, shell);
        let verb = values[0].is_known().then(|| values[0].prefix.clone());
        if verb.as_deref() == Some(b"exec") && values.len() == 1 {
            let descriptors = self.redirects_shell(tree, &parts, shell);
            // A function of this name comes first.
            let arguments = self.graph.vertex();
            let call = Call {
                arguments,
                descriptors,
            };
            return self.calls.entry(b"exec".to_vec()).or_default().push(call);
        }
        let is_function = verb
            .as_ref()
            .is_some_and(|name| self.is_surely_function(name, shell));
        self.relies_on_functions |= is_function;
        self.mentions_unset |= verb.is_none();
        let is_program = verb
            .as_deref()
            .is_none_or(|name| !hazard::names_no_program(name));
        let mut usage = match is_program && !is_function {
            true => programs::usage(&values),
            false => usage_of_no_program(values.len()),
        };
        let is_kept = match verb.as_deref() {
            Some(b"alias") => has_no_aliases(shell),
            Some(b"complete" | b"bind") => self.has_no_line_editor(shell),
            _ => false,
        };
        if is_kept {
            usage.roles[1..].fill(Role::Data);
            usage.redefines = None;
        }
        self.prefix(tree, &parts, &values, shell);
        let nested = self.nested(tree, &parts.words, &parts.redirections, &usage, shell);
        for argument in nested.iter().flat_map(Nested::arguments) {
            usage.roles[argument] = Role::Positional;
        }
        let data = self.graph.vertex();
        let mut places: Vec<Option<Place>> = (0..values.len())
            .map(|at| place(usage.roles[at], &values[at], parts.by_variable[at]))
            .collect();
        if !is_program {
            places[0] = Some(Place::Text(Inert::NoProgram));
        }
        let mut is_read = vec![false; values.len()];
        for one in &nested {
            is_read[one.words()].fill(true);
        }
        let mut taken: Vec<Option<Taken>> = Vec::with_capacity(values.len());
        for (at, &word) in parts.words.iter().enumerate() {
            taken.push(match is_read[at] {
                true => None,
                // Of one word that becomes several.
                false if at > 0 && parts.words[at - 1] == word => taken[at - 1],
                false => Some(self.taken(tree, word, shell, places[at], &values[at])),
            });
        }
        let feed = nested.iter().find_map(Nested::feed);
        let opened = self.redirections(tree, &parts.redirections, shell, both, feed);
        let before = self.now();
        let after = self.advance();
        self.settle(&opened, &[before, after], after);
        let invocation = Invocation {
            tree,
            parts,
            values,
            usage,
            data,
            before,
            after,
        };
        let arguments = self.graph.vertex();
        for (at, taken) in taken.iter().enumerate() {
            if let Some(taken) = taken {
                self.graph.edge(taken.vertex, data);
                if at > 0 {
                    self.graph.edge(taken.vertex, arguments);
                }
                self.operand(&invocation, at, *taken, places[at], &opened);
            }
        }
        self.last_argument(&invocation, &taken);
        if let Some(verb) = verb {
            if !is_function {
                self.behaves(&invocation, &opened, &nested);
                self.builtin(&invocation, &taken);
            }
            let descriptors = opened.shell.descriptors;
            let call = Call {
                arguments,
                descriptors,
            };
            self.calls.entry(verb).or_default().push(call);
        } else {
            self.behaves(&invocation, &opened, &nested);
        }
        for one in nested {
            self.walk_nested(one, opened.shell);
        }
        if invocation.repeats() {
            self.again(before);
        }
    }

    /// What is bound to keys and to completion is run by interactive shells, and where a line is edited.
    fn has_no_line_editor(&self, shell: Shell) -> bool {
        !shell.is_child && !self.mentions_line_editor
    }

    /// What its words become: a word stands as often as it becomes one.
    fn expand(&self, tree: &Tree, parts: &mut Parts, shell: Shell) -> Vec<Value> {
        let mut all = Vec::new();
        for word in std::mem::take(&mut parts.words) {
            let (values, by_variable) = match tree.kind(word) {
                Kind::Assignment => (vec![operand_value(tree, word)], false),
                _ => self.values(tree, word, shell),
            };
            parts.words.resize(parts.words.len() + values.len(), word);
            parts.by_variable.resize(parts.words.len(), by_variable);
            all.extend(values);
        }
        all
    }

    /// Assignments and redirections alone; `< f` is what `$(< f)` yields.
    fn without_verb(&mut self, tree: &Tree, parts: &Parts, shell: Shell, both: bool) {
        for &assignment in &parts.assignments {
            self.assignment(tree, assignment, shell);
        }
        let opened = self.redirections(tree, &parts.redirections, shell, both, None);
        let before = self.now();
        let after = self.advance();
        self.settle(&opened, &[before, after], after);
        let descriptors = opened.shell.descriptors;
        if !parts.redirections.is_empty() {
            self.graph.edge(descriptors.input(), descriptors.output());
        }
    }

    /// `exec` without a command: the streams of the shell go elsewhere, and those before it too, as there is no order.
    fn redirects_shell(&mut self, tree: &Tree, parts: &Parts, shell: Shell) -> Descriptors {
        self.prefix(tree, parts, &[], shell);
        let opened = self.redirections(tree, &parts.redirections, shell, false, None);
        let before = self.now();
        let after = self.advance();
        self.settle(&opened, &[before, after], before);
        let differing: Vec<_> = shell
            .descriptors
            .differing(&opened.shell.descriptors)
            .collect();
        for (old, new) in differing {
            self.graph.edge(old, new);
            self.graph.edge(new, old);
        }
        self.redirects_caller |= self.in_functions > 0;
        opened.shell.descriptors
    }

    /// Assignments before the verb: in the environment of what it starts.
    fn prefix(&mut self, tree: &Tree, parts: &Parts, values: &[Value], shell: Shell) {
        let lasts_short = values
            .first()
            .is_some_and(|verb| verb.is_known() && hazard::obeys_nothing(&verb.prefix));
        for &assignment in &parts.assignments {
            if lasts_short {
                self.assignment_during(tree, assignment, shell, &values[0].prefix);
            } else {
                self.assignment(tree, assignment, shell);
            }
            if let Some(name) = tree
                .child(assignment, Kind::Name)
                .filter(|_| !values.is_empty())
            {
                let variable = self.variable(tree.text(name));
                self.graph.edge(variable, self.environment);
            }
        }
    }

    fn taken(
        &mut self,
        tree: &Tree,
        id: NodeId,
        shell: Shell,
        place: Option<Place>,
        value: &Value,
    ) -> Taken {
        if tree.kind(id) == Kind::Assignment {
            let vertex = self.assignment(tree, id, shell);
            return Taken {
                vertex,
                outlet: None,
            };
        }
        match place {
            Some(place) => self.word_of(tree, id, shell, place, value),
            // A verb that is known has nothing to be expanded in it.
            None if tree.literal(id).is_some() => {
                let vertex = self.graph.vertex();
                self.verb(tree, id, vertex);
                Taken {
                    vertex,
                    outlet: None,
                }
            }
            None => self.word_of(tree, id, shell, Place::Live(Live::Program), value),
        }
    }

    /// A verb may be run from where it begins, and the name in it after the last slash; behind a blank it is only its rest.
    fn verb(&mut self, tree: &Tree, id: NodeId, vertex: Vertex) {
        let Some(program) = tree.program(id) else {
            return;
        };
        let text = program.text();
        let is_strange = |byte: &u8| byte.is_ascii_control() || *byte == b' ';
        let Some(blank) = text.iter().position(is_strange) else {
            return;
        };
        if !text[..blank].contains(&b'/') {
            let end = tree.span(id).end;
            let place = Place::Text(Inert::NoProgram);
            self.texts.piece(program.source(blank), end, place, vertex);
        }
    }

    /// `name=value`: the value as a vertex.
    pub(super) fn assignment(&mut self, tree: &Tree, id: NodeId, shell: Shell) -> Vertex {
        let (vertex, is_word) = self.value(tree, id, shell);
        if let Some(name) = tree.child(id, Kind::Name).map(|name| tree.text(name)) {
            if hazard::is_integer(name) {
                for word in tree.children(id).filter(|&id| tree.kind(id) == Kind::Word) {
                    self.evaluated(tree, word, vertex);
                }
            } else {
                self.assign(name, vertex, is_word);
            }
        }
        vertex
    }

    /// The same for as long as a builtin runs that obeys nothing; if it is a function, nothing is known.
    fn assignment_during(&mut self, tree: &Tree, id: NodeId, shell: Shell, verb: &[u8]) {
        let (vertex, _) = self.value(tree, id, shell);
        if let Some(name) = tree.child(id, Kind::Name) {
            let variable = self.variable(tree.text(name));
            self.graph.edge(vertex, variable);
            if hazard::setting(tree.text(name)) == Setting::Unknown {
                self.must_be_no_functions.insert(verb.to_vec());
            }
        }
    }

    /// The value of an assignment, and whether it is a known word without a slash.
    fn value(&mut self, tree: &Tree, id: NodeId, shell: Shell) -> (Vertex, bool) {
        let vertex = self.graph.vertex();
        let mut is_word = true;
        for child in tree.children(id) {
            match tree.kind(child) {
                Kind::Subscript => {
                    let name = tree
                        .child(id, Kind::Name)
                        .map_or(&b""[..], |name| tree.text(name));
                    self.subscript(tree, child, name, shell);
                }
                Kind::Word => {
                    let value = tree.value(child);
                    is_word &= value.is_known() && !value.prefix.contains(&b'/');
                    let taken = self.word_of(tree, child, shell, Place::Text(Inert::Value), &value);
                    self.graph.edge(taken.vertex, vertex);
                }
                Kind::Array => {
                    for element in tree.children(child) {
                        let element = match tree.kind(element) {
                            Kind::Assignment => self.assignment(tree, element, shell),
                            Kind::Word => {
                                self.word(tree, element, shell, Place::Text(Inert::Value))
                                    .vertex
                            }
                            _ => continue,
                        };
                        self.graph.edge(element, vertex);
                    }
                    is_word = false;
                }
                _ => {}
            }
        }
        (vertex, is_word)
    }
}

/// The value of an assignment among the operands, whose array is left out.
fn operand_value(tree: &Tree, id: NodeId) -> Value {
    let mut value = Value::known(Vec::new());
    for child in tree.children(id) {
        match tree.kind(child) {
            Kind::Name => value.prefix.extend_from_slice(tree.text(child)),
            Kind::Subscript => {
                value.prefix.push(b'[');
                value.rest = Rest::One;
                return value;
            }
            Kind::Word => {
                let right = tree.value(child);
                value.prefix.push(b'=');
                value.prefix.extend_from_slice(&right.prefix);
                value.rest = right.rest.min(Rest::One);
            }
            _ => {}
        }
    }
    value
}

/// Of a verb that can be the name of no program: the shell says so.
fn usage_of_no_program(words: usize) -> Usage {
    Usage {
        roles: vec![Role::Data; words],
        input: Input::Ignored,
        prints: false,
        reads: false,
        writes: false,
        hooks: false,
        network: false,
        opaque: None,
        ..Usage::unknown(words, Why::UnknownProgram)
    }
}
