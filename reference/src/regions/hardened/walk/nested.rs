//! Which texts are programs that can be read here as well, and what do they do?
//!
//! `sh -c`, `eval`, `trap` and a shell that is fed by a here-document, where the text is known to the last byte and read the
//! same by the shell that gets it. It is then program text like all other; what is not read is run in the dark.

use super::super::descriptors::Descriptors;
use super::{Shell, Walker};
use crate::programs::{Input, Language, ProgramText, Usage, When};
use crate::shell::{Form, Kind, NodeId, Operator, Program, Tree, parse_within};
use std::ops::Range;

/// Deepest nesting of programs in programs.
const DEEPEST: usize = 6;

/// A program within a command.
pub(super) struct Nested {
    tree: Tree,
    /// The words that it consists of.
    words: Range<usize>,
    arguments: Range<usize>,
    /// The body or here-string that it is instead.
    feed: Option<NodeId>,
    language: Language,
    in_own_shell: bool,
    when: When,
}

impl Nested {
    pub(super) fn words(&self) -> Range<usize> {
        self.words.clone()
    }

    /// The words that it finds as `$0`, `$1`, ...
    pub(super) fn arguments(&self) -> Range<usize> {
        self.arguments.clone()
    }

    pub(super) fn feed(&self) -> Option<NodeId> {
        self.feed
    }
}

impl Walker {
    /// The programs of a command that can be read.
    pub(super) fn nested(
        &mut self,
        tree: &Tree,
        words: &[NodeId],
        redirections: &[NodeId],
        usage: &Usage,
        shell: Shell,
    ) -> Vec<Nested> {
        // Options of shells change how they read, and files that are read first what it means.
        let has_options = words
            .iter()
            .map(|&word| tree.text(word))
            .any(|text| matches!(text, [b'-' | b'+', letters @ ..] if letters.contains(&b'O')));
        if shell.nesting >= DEEPEST || has_options || usage.opaque.is_some() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for text in &usage.programs {
            let parts: Option<Vec<Program>> = words[text.words.clone()]
                .iter()
                .map(|&word| tree.program(word))
                .collect();
            let language = language(text, shell);
            if let Some(program) = parts.map(Program::join)
                && let Some(tree) = readable(program, language)
            {
                found.push(Nested {
                    tree,
                    words: text.words.clone(),
                    arguments: text.arguments.clone(),
                    feed: None,
                    language,
                    in_own_shell: text.own_shell,
                    when: text.when,
                });
            }
        }
        if let (Input::Runs(_), Some(language)) = (usage.input, usage.input_language)
            && let Some(feed) = feed(tree, redirections)
            && let Some(program) = tree.program(feed)
            && let Some(tree) = readable(program, language)
        {
            found.push(Nested {
                tree,
                words: 0..0,
                arguments: 0..0,
                feed: Some(feed),
                language,
                in_own_shell: false,
                when: When::Now,
            });
        }
        found
    }

    /// Walks a program; `shell` is what it is run from.
    pub(super) fn walk_nested(&mut self, nested: Nested, shell: Shell) {
        // Its text is told where it is wrong.
        let told = self.graph.vertex();
        self.texts
            .program(told, nested.tree.span(nested.tree.root()));
        self.graph.edge(told, shell.descriptors.error());
        let descriptors = match nested.when {
            When::Now => shell.descriptors,
            // It has the streams of whatever runs then.
            When::Later => {
                let descriptors = Descriptors::new(|| self.graph.vertex());
                for stream in descriptors.all() {
                    self.graph.edge(self.any_read, stream);
                    self.graph.edge(stream, self.any_written);
                }
                descriptors
            }
        };
        let inner = Shell {
            descriptors,
            nesting: shell.nesting + 1,
            is_posix: nested.language != Language::Bash,
            is_child: shell.is_child || !nested.in_own_shell,
        };
        if nested.when == When::Later {
            self.lasting.push(self.now());
        }
        self.script(&nested.tree, inner);
    }
}

/// What reads the text: `eval` is of the shell that runs it.
fn language(text: &ProgramText, shell: Shell) -> Language {
    match text.own_shell && shell.is_posix {
        true => Language::Posix,
        false => text.language,
    }
}

/// What feeds standard input, where it is a here-document or a here-string.
fn feed(tree: &Tree, redirections: &[NodeId]) -> Option<NodeId> {
    let mut feed = None;
    for &node in redirections {
        let Kind::Redirection(operator) = tree.kind(node) else {
            continue;
        };
        let number = tree.child(node, Kind::Descriptor).map(|id| tree.text(id));
        let is_output = matches!(
            operator,
            Operator::Write
                | Operator::Clobber
                | Operator::Append
                | Operator::DuplicateOut
                | Operator::Both
                | Operator::BothAppend
        );
        if number.is_some_and(|number| number != b"0") || number.is_none() && is_output {
            continue;
        }
        feed = match operator {
            Operator::HereDocument | Operator::HereDocumentTabs => tree.body(node),
            Operator::HereString => tree.child(node, Kind::Word),
            _ => None,
        };
    }
    feed
}

/// The tree of a program, if the shell that reads it reads it so.
fn readable(program: Program, language: Language) -> Option<Tree> {
    if language == Language::Other {
        return None;
    }
    let tree = parse_within(program);
    (tree.is_understood() && (language == Language::Bash || is_posix(&tree))).then_some(tree)
}

/// Is there nothing in it that only bash reads so?
fn is_posix(tree: &Tree) -> bool {
    tree.all().all(|id| match tree.kind(id) {
        Kind::AnsiQuoted
        | Kind::LocaleQuoted
        | Kind::Conditional
        | Kind::ArithmeticCommand
        | Kind::ForArithmetic
        | Kind::Select(_)
        | Kind::Coproc
        | Kind::ProcessIn
        | Kind::ProcessOut
        | Kind::Array
        | Kind::ExtendedPattern
        | Kind::Subscript
        | Kind::PipeBoth
        | Kind::Time => false,
        Kind::Redirection(Operator::HereString | Operator::Both | Operator::BothAppend) => false,
        Kind::Redirection(Operator::DuplicateOut | Operator::DuplicateIn) => {
            let target = tree
                .child(id, Kind::Word)
                .and_then(|word| tree.literal(word));
            target.is_some_and(|target| matches!(&target[..], b"-" | [b'0'..=b'9']))
        }
        Kind::Descriptor => tree.text(id).len() == 1,
        Kind::Function => !tree.text(id).starts_with(b"function"),
        Kind::Assignment => {
            let name = tree
                .child(id, Kind::Name)
                .map_or(0, |name| tree.text(name).len());
            !tree.text(id)[name..].starts_with(b"+")
        }
        Kind::CaseItem => !tree.text(id).ends_with(b"&"),
        Kind::Parameter(Form::Indirect | Form::Unclear) => false,
        Kind::Operand => !matches!(tree.text(id), [b'@' | b'/' | b'^' | b',', ..]),
        Kind::Arithmetic => tree.text(id).starts_with(b"$(("),
        // Words are the same, but for the names that are reserved in bash alone, and braces, which stay as they are.
        _ => true,
    })
}
