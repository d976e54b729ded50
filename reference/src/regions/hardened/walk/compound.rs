//! What do loops, tests, functions and the like do with texts?

use super::super::reason::{Inert, Live};
use super::super::text::Place;
use super::{Function, Shell, Walker};
use crate::shell::{Kind, NodeId, Over, Tree};

impl Walker {
    pub(super) fn compound(&mut self, tree: &Tree, id: NodeId, shell: Shell, both: bool) {
        let redirections: Vec<NodeId> = tree
            .children(id)
            .filter(|&child| matches!(tree.kind(child), Kind::Redirection(_)))
            .collect();
        let before = self.now();
        let opened = self.redirections(tree, &redirections, shell, both, None);
        let start = self.advance();
        let inner = opened.shell;
        match tree.kind(id) {
            Kind::While | Kind::Until => {
                self.lists(tree, id, inner);
                self.again(start);
            }
            Kind::For(over) | Kind::Select(over) => {
                self.goes_over(tree, id, over, inner);
                self.lists(tree, id, inner);
                self.again(start);
            }
            Kind::ForArithmetic => {
                self.evaluates(tree, id, inner);
                self.lists(tree, id, inner);
                self.again(start);
            }
            Kind::ArithmeticCommand => self.evaluates(tree, id, inner),
            Kind::Case => self.case(tree, id, inner),
            Kind::Conditional => self.conditional(tree, id, inner),
            _ => self.lists(tree, id, inner),
        }
        let end = self.now();
        self.settle(&opened, &[before, start, end], start);
    }

    fn evaluates(&mut self, tree: &Tree, id: NodeId, shell: Shell) {
        for child in tree
            .children(id)
            .filter(|&child| tree.kind(child) == Kind::Arithmetic)
        {
            self.arithmetic(tree, child, shell);
        }
    }

    /// The name and the values of a loop.
    fn goes_over(&mut self, tree: &Tree, id: NodeId, over: Over, shell: Shell) {
        let mut words = tree
            .children(id)
            .filter(|&child| tree.kind(child) == Kind::Word);
        let name = words.next().and_then(|name| tree.literal(name));
        let Some(name) = name else {
            return self.give_up(Live::AnyVariable);
        };
        if over == Over::Positional {
            self.assign(&name, self.positional, false);
        }
        let values: Vec<NodeId> = words.collect();
        for word in values {
            let taken = self.word(tree, word, shell, Place::Text(Inert::Item));
            self.assign(&name, taken.vertex, false);
            // `select` shows them, and keeps the answer.
            if matches!(tree.kind(id), Kind::Select(_)) {
                self.graph.edge(taken.vertex, shell.descriptors.error());
            }
        }
        if matches!(tree.kind(id), Kind::Select(_)) {
            self.assign(b"REPLY", shell.descriptors.input(), false);
            let prompt = self.variable(b"PS3");
            self.graph.edge(prompt, shell.descriptors.error());
        }
    }

    fn case(&mut self, tree: &Tree, id: NodeId, shell: Shell) {
        for child in tree.children(id) {
            match tree.kind(child) {
                Kind::Word => {
                    self.word(tree, child, shell, Place::Text(Inert::Pattern));
                }
                Kind::CaseItem => {
                    for pattern in tree
                        .children(child)
                        .filter(|&word| tree.kind(word) == Kind::Word)
                    {
                        self.word(tree, pattern, shell, Place::Text(Inert::Pattern));
                    }
                    self.lists(tree, child, shell);
                }
                _ => {}
            }
        }
    }

    /// `[[ ]]`: numbers are evaluated, as is the subscript of a variable that is asked for.
    fn conditional(&mut self, tree: &Tree, id: NodeId, shell: Shell) {
        let parts: Vec<NodeId> = tree
            .children(id)
            .filter(|&child| matches!(tree.kind(child), Kind::Word | Kind::TestOperator))
            .collect();
        let operator = |at: Option<usize>| match at.and_then(|at| parts.get(at)) {
            Some(&part) if tree.kind(part) == Kind::TestOperator => tree.text(part),
            _ => b"",
        };
        for (at, &part) in parts.iter().enumerate() {
            if tree.kind(part) != Kind::Word {
                continue;
            }
            let (before, after) = (operator(at.checked_sub(1)), operator(Some(at + 1)));
            let taken = self.word(tree, part, shell, Place::Text(Inert::Test));
            if after == b"=~" {
                let matched = self.variable(b"BASH_REMATCH");
                self.graph.edge(taken.vertex, matched);
            }
            let compares = |operator: &[u8]| {
                matches!(
                    operator,
                    b"-eq" | b"-ne" | b"-lt" | b"-le" | b"-gt" | b"-ge"
                )
            };
            let is_name = matches!(before, b"-v" | b"-R");
            if compares(before) || compares(after) || is_name {
                self.evaluated(tree, part, taken.vertex);
            }
        }
    }

    pub(super) fn function(&mut self, tree: &Tree, id: NodeId, shell: Shell) {
        let name = tree
            .child(id, Kind::Word)
            .and_then(|name| tree.literal(name));
        let Some(name) = name else {
            return self.give_up(Live::AnyFunction);
        };
        let function = match self.functions.get(&name) {
            Some(&known) => known,
            None => {
                let function = Function {
                    input: self.graph.vertex(),
                    output: self.graph.vertex(),
                    error: self.graph.vertex(),
                };
                self.functions.insert(name, function);
                function
            }
        };
        let inner = Shell {
            descriptors: self.first,
            ..shell
        };
        let inner = inner
            .with(0, function.input)
            .with(1, function.output)
            .with(2, function.error);
        let start = self.advance();
        self.lasting.push(start);
        self.in_functions += 1;
        self.commands(tree, id, inner);
        self.in_functions -= 1;
    }

    pub(super) fn coproc(&mut self, tree: &Tree, id: NodeId, shell: Shell) {
        if let Some(name) = tree
            .child(id, Kind::Word)
            .and_then(|name| tree.literal(name))
        {
            let descriptors = self.graph.vertex();
            self.assign(&name, descriptors, true);
        }
        let (input, output) = (self.stream(), self.stream());
        self.lasting.push(self.now());
        self.commands(tree, id, shell.with(0, input).with(1, output));
    }

    /// The command of a function or a coprocess.
    fn commands(&mut self, tree: &Tree, id: NodeId, shell: Shell) {
        let is_command = |child: &NodeId| {
            !matches!(
                tree.kind(*child),
                Kind::Word | Kind::Comment | Kind::HereBody(_)
            )
        };
        for command in tree.children(id).filter(is_command) {
            self.command(tree, command, shell, false);
        }
    }
}
