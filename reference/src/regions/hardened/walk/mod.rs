//! What does a command do with its texts? The walk over its tree, which makes the graph.
//!
//! Every command is taken to run, in any order with every other and any number of times, so that the graph holds whatever
//! control flow there is; only files are told apart by when they are written and read ([`Walker::advance`]).

mod builtin;
mod command;
mod compound;
mod constants;
mod expansion;
mod finish;
mod nested;
mod operand;
mod redirection;
mod word;

use self::constants::Constants;
use super::descriptors::Descriptors;
use super::graph::{Graph, Sink, Vertex};
use super::hazard::{self, Setting};
use super::reason::{Inert, Live};
use super::text::{Place, Texts};
use crate::programs::Why;
use crate::regions::Span;
use crate::shell::{Kind, NodeId, Tree, Trouble};
use std::collections::{HashMap, HashSet};

/// Deepest nesting of commands that is followed, those in program texts among them.
const DEEPEST: usize = 220;

/// A shell that runs commands.
#[derive(Clone, Copy, Debug)]
struct Shell {
    descriptors: Descriptors,
    /// It is not bash.
    is_posix: bool,
    /// It is not the one that was given the command, nor made from it.
    is_child: bool,
    /// In how many program texts it stands.
    nesting: usize,
}

impl Shell {
    fn with(mut self, descriptor: usize, stream: Vertex) -> Self {
        self.descriptors = self.descriptors.with(descriptor, stream);
        self
    }
}

/// Between two commands: the files as they are then.
#[derive(Clone, Copy, Debug)]
struct Moment {
    /// Whatever files hold, and what they are called.
    files: Vertex,
    /// Those of them that may stand in the place of a program.
    places: Vertex,
}

/// The streams of a function, whoever calls it.
#[derive(Clone, Copy, Debug)]
struct Function {
    input: Vertex,
    output: Vertex,
    error: Vertex,
}

/// A command whose verb may be a function.
#[derive(Clone, Copy, Debug)]
struct Call {
    arguments: Vertex,
    descriptors: Descriptors,
}

/// A file that is written because its name stands in the command.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    /// Its name.
    pub(super) name: Span,
    /// What is written.
    pub(super) content: Vertex,
}

/// See the module.
pub(super) struct Walker {
    graph: Graph,
    texts: Texts,
    /// The descriptors that the command is given.
    first: Descriptors,
    variables: HashMap<Vec<u8>, Vertex>,
    functions: HashMap<Vec<u8>, Function>,
    constants: Constants,
    /// Functions that are surely defined by now.
    defined: HashSet<Vec<u8>>,
    calls: HashMap<Vec<u8>, Vec<Call>>,
    /// Verbs that are relied upon to be no functions.
    must_be_no_functions: HashSet<Vec<u8>>,
    moments: Vec<Moment>,
    /// Moments from which on something may go on until the end, or begin once more.
    lasting: Vec<usize>,
    written: Vec<Written>,
    depth: usize,
    /// In how many bodies of functions the walk is.
    in_functions: usize,
    /// Nothing can be called text, for this reason.
    given_up: Option<Live>,
    /// A line that was not understood, after all others.
    unread: Option<Trouble>,
    /// The command's own text.
    own_text: Vertex,
    /// `$_`
    last_argument: Vertex,
    /// `$1`, `$2`, ... of every shell and function.
    positional: Vertex,
    /// What any variable holds.
    any_variable: Vertex,
    /// What is exported.
    environment: Vertex,
    /// What comes out of any stream.
    any_read: Vertex,
    /// What goes into any stream.
    any_written: Vertex,
    /// A program of which nothing is known was told something.
    has_unknown: bool,
    /// Any variable may be exported.
    exports_all: bool,
    /// Any variable may be another one.
    has_references: bool,
    /// A function may change where the streams of its caller go.
    redirects_caller: bool,
    /// The working directory is not the first one.
    changes_folder: bool,
    mentions_places: bool,
    mentions_unset: bool,
    /// A verb was taken for a function, and no program.
    relies_on_functions: bool,
    mentions_processes: bool,
    mentions_line_editor: bool,
}

impl Walker {
    pub(super) fn new(command: &[u8], tree: &Tree) -> Self {
        let unquoted: Vec<u8> = command
            .iter()
            .copied()
            .filter(|byte| !b"'\"\\".contains(byte))
            .collect();
        let mut graph = Graph::default();
        let mut vertex = || graph.vertex();
        let first = Descriptors::new(&mut vertex);
        let [
            own_text,
            last_argument,
            positional,
            any_variable,
            environment,
            any_read,
            any_written,
        ] = std::array::from_fn(|_| vertex());
        let start = Moment {
            files: vertex(),
            places: vertex(),
        };
        for stream in first.all() {
            graph.edge(any_written, stream);
            graph.edge(stream, any_read);
        }
        Self {
            graph,
            texts: Texts::default(),
            first,
            variables: HashMap::new(),
            functions: HashMap::new(),
            constants: Constants::new(command, tree),
            defined: HashSet::new(),
            calls: HashMap::new(),
            must_be_no_functions: HashSet::new(),
            moments: vec![start],
            lasting: Vec::new(),
            written: Vec::new(),
            depth: 0,
            in_functions: 0,
            given_up: None,
            unread: None,
            own_text,
            last_argument,
            positional,
            any_variable,
            environment,
            any_read,
            any_written,
            has_unknown: false,
            exports_all: false,
            has_references: false,
            redirects_caller: false,
            changes_folder: false,
            mentions_places: hazard::mentions_places(command),
            mentions_unset: hazard::holds(&unquoted, b"unset"),
            relies_on_functions: false,
            mentions_processes: hazard::mentions_processes(command),
            mentions_line_editor: [&b"read"[..], b"compgen"]
                .iter()
                .any(|word| hazard::holds(command, word)),
        }
    }

    /// Walks the whole command.
    pub(super) fn walk(&mut self, tree: &Tree) {
        let shell = Shell {
            descriptors: self.first,
            is_posix: false,
            is_child: false,
            nesting: 0,
        };
        self.script(tree, shell);
    }

    fn give_up(&mut self, why: Live) {
        self.given_up.get_or_insert(why);
    }

    // Vertices.

    /// A stream that may be found by its number.
    fn stream(&mut self) -> Vertex {
        let stream = self.graph.vertex();
        self.graph.edge(self.any_written, stream);
        self.graph.edge(stream, self.any_read);
        stream
    }

    fn variable(&mut self, name: &[u8]) -> Vertex {
        if let Some(&known) = self.variables.get(name) {
            return known;
        }
        let vertex = self.graph.vertex();
        self.graph.edge(vertex, self.any_variable);
        self.variables.insert(name.to_vec(), vertex);
        vertex
    }

    /// A variable gets what `from` holds; `is_word` says that this is a word without a slash, and known.
    fn assign(&mut self, name: &[u8], from: Vertex, is_word: bool) {
        match hazard::setting(name) {
            Setting::Plain => {}
            Setting::Obeyed if is_word => {}
            Setting::Obeyed | Setting::Unknown => self.give_up(Live::Environment),
        }
        let variable = self.variable(name);
        self.graph.edge(from, variable);
        if hazard::is_integer(name) {
            self.graph.edge(self.any_variable, variable);
            self.graph.sink(variable, Sink::Evaluated, Live::Evaluated);
        }
        // The shell tells of a locale that it does not know, and how long something took.
        if hazard::setting(name) == Setting::Obeyed {
            self.graph.edge(variable, self.any_written);
        }
    }

    /// What gets here is run because of this, by the shell itself or by a program.
    fn runs(&mut self, at: Vertex, why: Why, by_builtin: bool) {
        let sink = match why {
            Why::ShellBuiltin | Why::UnknownVerb | Why::Environment => Sink::Within,
            _ if by_builtin => Sink::Within,
            _ => Sink::Apart,
        };
        self.graph.sink(at, sink, Live::Run(why));
    }

    // Moments.

    fn now(&self) -> usize {
        self.moments.len() - 1
    }

    /// To the next moment: what files hold they go on to hold.
    fn advance(&mut self) -> usize {
        let before = self.moments[self.now()];
        let after = Moment {
            files: self.graph.vertex(),
            places: self.graph.vertex(),
        };
        self.graph.edge(before.files, after.files);
        self.graph.edge(before.places, after.places);
        self.moments.push(after);
        self.now()
    }

    /// What is done now may come before what was done at that moment.
    fn again(&mut self, moment: usize) {
        let (now, then) = (self.moments[self.now()], self.moments[moment]);
        self.graph.edge(now.files, then.files);
        self.graph.edge(now.places, then.places);
    }

    // Lists.

    /// A text that a shell reads line by line.
    fn script(&mut self, tree: &Tree, shell: Shell) {
        let mut troubles = tree.troubles().iter().peekable();
        let mut refused = None;
        for line in tree.children(tree.root()) {
            match troubles.peek() {
                Some(&&(node, trouble)) if tree.is_within(node, line) => {
                    while troubles
                        .next_if(|(node, _)| tree.is_within(*node, line))
                        .is_some()
                    {}
                    self.unread(tree, line, trouble);
                    refused = Some(line);
                }
                _ if tree.kind(line) != Kind::List => {}
                _ if self.unread.is_some() => {
                    self.give_up(Live::NotUnderstood(Trouble::Unexpected))
                }
                _ => self.list(tree, line, shell),
            }
        }
        let comments = tree.all().filter(|&id| tree.kind(id) == Kind::Comment);
        for comment in comments.filter(|&id| refused.is_none_or(|line| !tree.is_within(id, line))) {
            let Span { start, end } = tree.span(comment);
            self.texts
                .piece(start, end, Place::Text(Inert::Comment), self.own_text);
        }
    }

    /// A line that is not understood. If bash refuses it and comes to no other, it does nothing; what it could do all the
    /// same with what was there before, it does at the end.
    fn unread(&mut self, tree: &Tree, line: NodeId, trouble: Trouble) {
        let is_refused = matches!(trouble, Trouble::Unclosed | Trouble::Unexpected);
        if !is_refused || self.unread.is_some() {
            self.give_up(Live::NotUnderstood(trouble));
        }
        self.unread = Some(trouble);
        let Span { start, end } = tree.span(line);
        let place = Place::Live(Live::NotUnderstood(trouble));
        self.texts.piece(start, end, place, self.own_text);
    }

    fn lists(&mut self, tree: &Tree, parent: NodeId, shell: Shell) {
        for list in tree
            .children(parent)
            .filter(|&id| tree.kind(id) == Kind::List)
        {
            self.list(tree, list, shell);
        }
    }

    fn list(&mut self, tree: &Tree, list: NodeId, shell: Shell) {
        let mut start = self.now();
        let mut before = Kind::Then;
        let mut alone = None;
        for child in tree.children(list) {
            match tree.kind(child) {
                Kind::Pipeline => {
                    self.happened(tree, alone.take());
                    self.pipeline(tree, child, shell);
                    alone = (before == Kind::Then && self.depth == 0).then_some(child);
                }
                Kind::Background => {
                    self.lasting.push(start);
                    start = self.now();
                    alone = None;
                }
                Kind::Then => start = self.now(),
                _ => {}
            }
            before = tree.kind(child);
        }
        self.happened(tree, alone);
    }

    /// A command of its own that nothing skips has been run, and not in the background.
    fn happened(&mut self, tree: &Tree, pipeline: Option<NodeId>) {
        if let Some(pipeline) = pipeline {
            self.defined.extend(defined_alone(tree, pipeline));
            self.constants.note(tree, pipeline);
        }
    }

    /// Does the verb mean a function, and no program?
    fn is_surely_function(&self, verb: &[u8], shell: Shell) -> bool {
        !shell.is_child && self.defined.contains(verb) && !self.mentions_unset
    }

    fn pipeline(&mut self, tree: &Tree, pipeline: NodeId, shell: Shell) {
        let start = self.now();
        let is_part = |id: &NodeId| {
            !matches!(
                tree.kind(*id),
                Kind::Bang | Kind::Time | Kind::Comment | Kind::HereBody(_)
            )
        };
        let mut parts = tree.children(pipeline).filter(is_part).peekable();
        let mut inner = shell;
        while let Some(part) = parts.next() {
            let pipe = parts.next().map(|pipe| tree.kind(pipe));
            let mut next = shell;
            if pipe.is_some() {
                let stream = self.stream();
                inner = inner.with(1, stream);
                next = next.with(0, stream);
            }
            self.command(tree, part, inner, pipe == Some(Kind::PipeBoth));
            inner = next;
            if pipe.is_some() && parts.peek().is_some() {
                // They run at once.
                self.again(start);
            }
        }
        if tree
            .children(pipeline)
            .any(|id| matches!(tree.kind(id), Kind::Pipe | Kind::PipeBoth))
        {
            self.again(start);
        }
    }

    /// A command of any kind. `both`: its errors go where its output goes.
    fn command(&mut self, tree: &Tree, id: NodeId, shell: Shell, both: bool) {
        if self.depth >= DEEPEST {
            return self.give_up(Live::TooDeep);
        }
        self.depth += 1;
        match tree.kind(id) {
            Kind::Simple => self.simple(tree, id, shell, both),
            Kind::Function => self.function(tree, id, shell),
            Kind::Coproc => self.coproc(tree, id, shell),
            _ => self.compound(tree, id, shell, both),
        }
        self.depth -= 1;
    }
}

/// The function that a pipeline defines, if it does nothing else.
fn defined_alone(tree: &Tree, pipeline: NodeId) -> Option<Vec<u8>> {
    let mut parts = tree.children(pipeline);
    let only = parts
        .next()
        .filter(|&only| tree.kind(only) == Kind::Function)?;
    match parts.next() {
        Some(_) => None,
        None => tree.literal(tree.child(only, Kind::Word)?),
    }
}
