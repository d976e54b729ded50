//! What does a command do besides what its words say, the shell's own commands before all?

use super::super::graph::Sink;
use super::super::hazard;
use super::super::reason::Live;
use super::command::Invocation;
use super::nested::Nested;
use super::operand::variable_of;
use super::redirection::Opened;
use super::word::Taken;
use super::{Shell, Walker};
use crate::programs::{Input, Usage, Why};
use crate::shell::{Rest, Value};

impl Walker {
    /// `$_`: the last word, and those before it as long as one may vanish.
    pub(super) fn last_argument(&mut self, of: &Invocation<'_>, taken: &[Option<Taken>]) {
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

    /// What the command does besides.
    pub(super) fn behaves(&mut self, of: &Invocation<'_>, opened: &Opened, nested: &[Nested]) {
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
            // It may be told where in ways that are not known.
            let is_anywhere = self.changes_folder || usage.opaque.is_some();
            self.keep(data, is_anywhere && self.mentions_places, of.after);
        }
        // It may leave something behind.
        self.has_unknown |= usage.opaque == Some(Why::UnknownProgram) && of.values.len() > 1;
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
        if usage.lasting {
            self.lasting.push(of.before);
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
    pub(super) fn builtin(&mut self, of: &Invocation<'_>, taken: &[Option<Taken>]) {
        let options = || {
            of.operands()
                .iter()
                .take_while(|value| !value.is_known() || value.prefix.starts_with(b"-"))
        };
        let has_option =
            |letter: u8| options().any(|value| !value.is_known() || value.prefix.contains(&letter));
        match of.program() {
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
            b"getopts" => {
                let variable = self.variable(b"OPTARG");
                self.graph.edge(of.data, variable);
            }
            b"export" => {
                // A function goes as its text.
                if has_option(b'f') {
                    self.graph.edge(self.own_text, self.environment);
                }
                self.exports(of);
            }
            b"declare" | b"typeset" | b"local" | b"readonly" => {
                if has_option(b'n') {
                    self.has_references = true;
                }
                if has_option(b'x') {
                    if has_option(b'f') {
                        self.graph.edge(self.own_text, self.environment);
                    }
                    self.exports(of);
                }
                if has_option(b'i') {
                    for taken in taken.iter().flatten() {
                        self.graph
                            .sink(taken.vertex, Sink::Evaluated, Live::Evaluated);
                    }
                    for name in of
                        .operands()
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
        for value in of.operands() {
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
pub(super) fn has_no_aliases(shell: Shell) -> bool {
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
        // Without PATH programs are looked for in the working directory.
        b"unset" => words
            .iter()
            .all(|word| word.is_known() && !word.prefix.starts_with(b"PATH")),
        b"export" => words.iter().all(Value::is_known),
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
