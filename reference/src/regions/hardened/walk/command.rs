//! What does a simple command do with its words?

use super::super::graph::{Sink, Vertex};
use super::super::hazard::{self, Setting};
use super::super::reason::{Inert, Live};
use super::super::text::{Place, is_name};
use super::nested::Nested;
use super::redirection::{File, Opened};
use super::word::Taken;
use super::{Call, Shell, Walker, Written};
use crate::programs::{self, Input, Role, Usage, Why};
use crate::shell::{Kind, NodeId, Rest, Tree, Value};

/// The parts of a simple command.
struct Parts {
    /// Assignments before the verb.
    assignments: Vec<NodeId>,
    /// Words, the verb first; assignments among the operands of a builtin that declares.
    words: Vec<NodeId>,
    /// Which of them are known by a variable.
    by_variable: Vec<bool>,
    redirections: Vec<NodeId>,
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
struct Invocation<'t> {
    tree: &'t Tree,
    parts: Parts,
    values: Vec<Value>,
    usage: Usage,
    /// What its data are: whatever it may copy.
    data: Vertex,
    before: usize,
    after: usize,
}

impl Invocation<'_> {
    /// The innermost verb.
    fn program(&self) -> &[u8] {
        let verb = self
            .usage
            .roles
            .iter()
            .rposition(|&role| role == Role::Verb);
        &self.values[verb.unwrap_or(0)].prefix
    }

    /// Does the shell itself do it?
    fn is_builtin(&self) -> bool {
        hazard::is_builtin(self.program())
    }

    /// The verb, if it is known.
    fn verb(&self) -> Option<&[u8]> {
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
            return self.redirects_shell(tree, &parts, shell);
        }
        let is_function = verb
            .as_ref()
            .is_some_and(|name| self.is_surely_function(name, shell));
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
                self.builtin(&verb, &invocation, &taken);
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
    fn redirects_shell(&mut self, tree: &Tree, parts: &Parts, shell: Shell) {
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
        if let Some(name) = tree.child(id, Kind::Name) {
            self.assign(tree.text(name), vertex, is_word);
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

    /// What the command does with one of its words.
    fn operand(
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
                if !is_name(name) || after.is_empty() && !part.is_known() {
                    self.give_up(Live::AnyVariable);
                }
                let is_word = part.is_known() && !after.contains(&b'/') && !after.is_empty();
                self.assign(name, vertex, is_word);
                self.assign(name, of.data, is_word);
            }
            Role::Positional => self.graph.edge(vertex, self.positional),
            Role::Evaluated if self.is_not_evaluated(of, &part) => {}
            Role::Evaluated => self.evaluated(of.tree, of.parts.words[at], vertex),
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

    /// `$_`: the last word, and those before it as long as one may vanish.
    fn last_argument(&mut self, of: &Invocation<'_>, taken: &[Option<Taken>]) {
        for (at, value) in of.values.iter().enumerate().rev() {
            match taken[at] {
                Some(taken) => self.graph.edge(taken.vertex, self.last_argument),
                // A program, which is not at hand as text.
                None => self.graph.edge(self.own_text, self.last_argument),
            }
            if value.rest <= Rest::One {
                break;
            }
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

    /// What the command does besides.
    fn behaves(&mut self, of: &Invocation<'_>, opened: &Opened, nested: &[Nested]) {
        let Invocation { usage, data, .. } = of;
        let (data, descriptors) = (*data, opened.shell.descriptors);
        let before = self.moments[of.before];
        match usage.input {
            Input::Ignored => {}
            Input::Data => self.graph.edge(descriptors.input(), data),
            // A program that is read says itself what it does with its input.
            Input::Runs(_) if is_read(usage, nested) => {}
            Input::Runs(why) => self.runs(descriptors.input(), why, of.is_builtin()),
        }
        self.graph.edge(self.environment, data);
        if !of.verb().is_some_and(hazard::tells_nothing) {
            self.graph.edge(data, descriptors.error());
        }
        if usage.prints {
            self.graph.edge(data, descriptors.output());
        }
        if usage.reads {
            self.graph.edge(before.files, data);
        }
        if usage.writes {
            self.keep(data, self.changes_folder && self.mentions_places, of.after);
        }
        if let Some(why) = usage.opaque {
            let reached = self.graph.vertex();
            self.runs(reached, why, of.is_builtin());
            for from in [before.files, self.environment] {
                self.graph.edge(from, reached);
            }
            for stream in descriptors.all().into_iter().skip(3) {
                self.graph.edge(stream, reached);
            }
        }
        if usage.shows_itself {
            self.graph.edge(self.own_text, data);
        }
        if redefines(of, nested, opened.shell) {
            self.give_up(Live::Redefined);
        }
        if hazard::tells_processes(of.program()) {
            self.graph.edge(self.own_text, data);
        }
        // What it starts may be another program by now.
        if !of.is_builtin() {
            self.graph.sink(before.places, Sink::Within, Live::Replaced);
        }
    }

    /// What no table of programs says, as it is about the shell that runs the builtin.
    fn builtin(&mut self, verb: &[u8], of: &Invocation<'_>, taken: &[Option<Taken>]) {
        let options = || {
            of.values[1..]
                .iter()
                .take_while(|value| !value.is_known() || value.prefix.starts_with(b"-"))
        };
        let has_option =
            |letter: u8| options().any(|value| !value.is_known() || value.prefix.contains(&letter));
        match verb {
            b"cd" | b"pushd" | b"popd" => {
                self.changes_folder = true;
                for name in [b"PWD", &b"OLDPWD"[..]] {
                    let variable = self.variable(name);
                    self.graph.edge(of.data, variable);
                }
                self.keep(of.data, false, of.after);
            }
            b"read" => {
                let variable = self.variable(b"REPLY");
                self.graph.edge(of.data, variable);
            }
            b"mapfile" | b"readarray" => {
                let variable = self.variable(b"MAPFILE");
                self.graph.edge(of.data, variable);
            }
            // They show what was kept as well.
            b"alias" | b"complete" | b"bind" => self.graph.edge(self.own_text, of.data),
            b"export" => self.exports(of),
            b"declare" | b"typeset" | b"local" | b"readonly" => {
                if has_option(b'n') {
                    self.has_references = true;
                }
                if has_option(b'x') {
                    self.exports(of);
                }
                if has_option(b'i') {
                    for taken in taken.iter().flatten() {
                        self.graph
                            .sink(taken.vertex, Sink::Evaluated, Live::Evaluated);
                    }
                    for name in of.values[1..]
                        .iter()
                        .filter_map(|value| variable_of(&value.prefix))
                    {
                        let variable = self.variable(name);
                        self.graph.sink(variable, Sink::Evaluated, Live::Evaluated);
                    }
                }
            }
            b"set" => {
                if has_option(b'a') || of.values.iter().any(|value| value.prefix == b"allexport") {
                    self.exports_all = true;
                }
                // `set -x` and `set -v` tell what is run.
                if of.usage.shows_itself {
                    self.graph.edge(self.own_text, self.any_written);
                }
            }
            _ => {}
        }
    }

    fn exports(&mut self, of: &Invocation<'_>) {
        for value in &of.values[1..] {
            match variable_of(&value.prefix) {
                Some(name) => {
                    let variable = self.variable(name);
                    self.graph.edge(variable, self.environment);
                }
                None => self.exports_all = true,
            }
        }
    }
}

/// Are all programs that the command runs read here?
fn is_read(usage: &Usage, nested: &[Nested]) -> bool {
    match usage.input_language {
        Some(_) => nested.iter().any(|one| one.feed().is_some()),
        None => !usage.programs.is_empty() && usage.programs.len() == nested.len(),
    }
}

/// Aliases are off as long as no option was set, and setting one is never harmless.
fn has_no_aliases(shell: Shell) -> bool {
    !shell.is_child && !shell.is_posix
}

/// May the rest of the command mean something else after it?
fn redefines(of: &Invocation<'_>, nested: &[Nested], shell: Shell) -> bool {
    let words = &of.values[1..];
    let is_option = |value: &Value| value.is_known() && value.prefix.starts_with(b"-");
    let is_harmless = match of.program() {
        b"eval" => return !words.is_empty() && !is_read(&of.usage, nested),
        b"exec" => false,
        // Functions of one name are taken together, and with the program of that name.
        b"unset" | b"export" => words.iter().all(Value::is_known),
        b"hash" => !words
            .iter()
            .any(|value| !value.is_known() || value.prefix.starts_with(b"-")),
        b"unalias" => has_no_aliases(shell),
        b"shopt" | b"set" => words.iter().all(|value| {
            is_option(value) && matches!(&value.prefix[..], b"-s" | b"-u" | b"-q" | b"-p" | b"-o")
                || value.is_known() && hazard::is_harmless_option(&value.prefix, shell.is_child)
        }),
        // A command that takes the place of the shell.
        _ => of.verb() == Some(b"exec"),
    };
    of.usage.redefines.is_some() && !is_harmless
}

/// The name before `=`, or all of it.
fn variable_of(text: &[u8]) -> Option<&[u8]> {
    let name = text.split(|&byte| byte == b'=').next()?;
    let name = name.strip_suffix(b"+").unwrap_or(name);
    is_name(name).then_some(name)
}

/// How a word is to be called, by what is done with it; nothing of a verb.
fn place(role: Role, value: &Value, by_variable: bool) -> Option<Place> {
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
