//! How does text come from its source to an interpreter, or to an end where it stays text (`docs/spec/regions.md`, B-31 to
//! B-38, B-50 to B-53, C-1 to C-8)?
//!
//! A flow is written from its end: a sink or a harmless end asks for standard output, a file or a value, and a source makes
//! it, or a carrier, which asks again. So what comes up is not in any table, only its steps are. Beside the holes of
//! [`Draft::form`], the forms of steps have
//!
//! - `%C` `%D` `%B`: commands, the last of which prints the text; as they are, in `$( )`, in backticks;
//! - `%F`: commands that leave it in a file; then `%N` is the file, spelled in some way, and `%M` its plain name;
//! - `%V`: the value, to be expanded; what holds it is around the form;
//! - `%O` `%U` `%j`: the own file, variable and function of the step, and `%>` in a holder what uses the value;
//! - `%T` `%y`: the text at its source, as a file name too; `%G` the text that was given;
//! - `%Z`: a shell by one of its names; `%P`: what may stand before a program.
//!
//! Outside their quotes `; ` and ` | ` are written in other ways too: with comments, newlines, continuations.

mod around;
mod carrier;
mod end;
mod separator;
mod sink;
mod source;
mod store;

pub(super) use around::AROUND;
pub(super) use carrier::OUTPUT_CARRIERS;
pub(super) use end::ENDS;
pub(super) use separator::Quotes;
pub(super) use sink::SINKS;
pub(super) use source::{FILE_SOURCES, OUTPUT_SOURCES, VALUE_SOURCES};
pub(super) use store::{FILE_CARRIERS, VALUE_CARRIERS};

use super::construct::ShellConstruct::{self, *};
use super::draft::{Draft, Forms};
use super::fragment::{DANGERS, NAMES, SHELL_NAMES};
use super::piece::{Piece, in_backticks, in_single_quotes};
use std::mem::{replace, take};

/// What holds a value: how it is expanded, and the form around its use.
type Holder = (&'static str, &'static str);
/// Constructs and their holders.
pub(super) type Holders = &'static [(ShellConstruct, &'static [Holder])];

/// The most steps between source and end.
const STEPS: usize = 4;
/// The most forms around a flow.
const AROUNDS: usize = 2;

/// The names of a step: file, variable, function.
type Names = (&'static str, &'static str, &'static str);

const STEP_NAMES: [Names; STEPS + 2] = [
    ("s", "x", "f"),
    ("job.sh", "y", "g"),
    ("t", "z", "h"),
    ("out.log", "v", "k"),
    ("note.txt", "w", "m"),
    ("u", "q", "n"),
];

/// What comes first in random commands: a sink, or an end. Of the sinks not all are reached.
pub(super) const LAST: [(u16, bool); 2] = [(58, true), (42, false)];

/// The flow under construction.
#[derive(Default)]
pub(super) struct Flow {
    /// Steps between this form and the end.
    step: usize,
    /// Where its names begin: a flow in the text of another has other names.
    names: usize,
    /// Forms around it.
    arounds: usize,
    /// How its value is expanded, without the dollar; empty: it is the text itself.
    value: String,
    /// What stands in the place of a flow, inside of the forms around.
    pub(super) core: Option<Piece>,
    /// A text to carry, as it stands in single quotes.
    text: Option<Piece>,
}

impl Draft<'_> {
    /// A whole flow.
    pub(super) fn chain(&mut self) {
        let outer = take(&mut self.flow);
        self.flow.names = outer.names + 2;
        self.surrounded();
        self.flow = outer;
    }

    /// A flow, or what stands in its place, in forms around it.
    pub(super) fn surrounded(&mut self) {
        if self.flow.arounds < AROUNDS && self.bytes.chance(34) {
            return self.around();
        }
        match self.flow.core.take() {
            Some(piece) => self.piece(piece),
            None => {
                let runs = self.bytes.weighted(&LAST);
                let (construct, forms) = self.bytes.pick(if runs { SINKS } else { ENDS });
                let form = self.bytes.pick(forms);
                self.within(construct, |draft| draft.step(form));
            }
        }
    }

    /// A form around a flow, or what stands in its place.
    pub(super) fn around(&mut self) {
        self.flow.arounds += 1;
        let (construct, forms) = self.bytes.pick(AROUND);
        let form = self.bytes.pick(forms);
        self.within(construct, |draft| draft.loose_form(form));
    }

    /// A flow whose text is another command.
    pub(super) fn carry(&mut self, mut text: Piece) {
        text.rewrite(0, in_single_quotes);
        self.flow.text = Some(text);
        self.surrounded();
        self.flow = Flow::default();
        self.bytes.mark(CrossedAsText);
    }

    /// A form, inside of what holds its value.
    fn step(&mut self, form: &'static str) {
        if form.contains("%V") {
            self.held(&mut |draft| draft.loose_form(form));
        } else {
            self.loose_form(form);
        }
    }

    /// Whether another carrier stands before the source.
    fn goes_on(&mut self) -> bool {
        self.flow.step <= STEPS && self.bytes.chance(52) && self.bytes.spend()
    }

    /// Commands that print the text, or leave it in a file.
    fn made(&mut self, carriers: Forms, sources: Forms, given: &'static str) {
        self.flow.step += 1;
        if self.goes_on() {
            self.one_step(carriers);
        } else if self.flow.text.is_some() {
            self.loose_form(given);
        } else {
            self.one_step(sources);
        }
        self.flow.step -= 1;
    }

    fn one_step(&mut self, forms: Forms) {
        let (construct, forms) = self.bytes.pick(forms);
        let form = self.bytes.pick(forms);
        self.within(construct, |draft| draft.step(form));
    }

    /// What `rest` writes, inside of what holds the value that it expands.
    fn held(&mut self, rest: &mut dyn FnMut(&mut Self)) {
        self.flow.step += 1;
        let (construct, (value, form)) = if self.goes_on() {
            self.holder(VALUE_CARRIERS)
        } else if self.flow.text.is_some() {
            (FlowAssigned, ("%U", "%U=%G; %>"))
        } else {
            self.holder(VALUE_SOURCES)
        };
        let (before, after) = form.split_once("%>").expect("a holder has a rest");
        let value = value.replace("%U", self.name(self.flow.step).1);
        let mut write = |draft: &mut Self| {
            draft.loose_form(before);
            let inner = replace(&mut draft.flow.value, value.clone());
            draft.flow.step -= 1;
            rest(draft);
            draft.flow.step += 1;
            draft.flow.value = inner;
            draft.loose_form(after);
        };
        self.within(construct, |draft| {
            if form.contains("%V") {
                draft.held(&mut write);
            } else {
                write(draft);
            }
        });
        self.flow.step -= 1;
    }

    fn holder(&mut self, holders: Holders) -> (ShellConstruct, Holder) {
        let (construct, holders) = self.bytes.pick(holders);
        (construct, self.bytes.pick(holders))
    }

    /// The holes of steps.
    pub(super) fn hole_of_step(&mut self, hole: char) {
        let (own, next) = (self.flow.step, self.flow.step + 1);
        match hole {
            'C' => self.made(OUTPUT_CARRIERS, OUTPUT_SOURCES, "echo %G"),
            'D' => self.level(|draft| draft.hole_of_step('C')),
            'B' => self.quoted(in_backticks, |draft| draft.hole_of_step('C')),
            'F' => self.made(FILE_CARRIERS, FILE_SOURCES, "echo %G > %O"),
            'N' => self.spelled(self.name(next).0),
            'M' => self.put(self.name(next).0),
            'O' => self.put(self.name(own).0),
            'U' => self.put(self.name(own).1),
            'j' => self.put(self.name(own).2),
            'V' => self.value(),
            'G' => self.given(),
            'T' => self.fragment(&DANGERS),
            'y' => self.fragment(&NAMES),
            'Z' => {
                let shell = self.bytes.weighted(&SHELL_NAMES);
                self.put(shell);
            }
            'P' => {
                let prefix = self.bytes.weighted(&PREFIXES);
                if !prefix.is_empty() {
                    self.bytes.mark(FlowPrefix);
                }
                self.put(prefix);
            }
            'W' => self.surrounded(),
            'Y' => self.level(Self::surrounded),
            'K' => self.quoted(in_backticks, Self::surrounded),
            'Q' => self.quoted_word(Self::surrounded),
            other => unreachable!("no form has the hole {other}"),
        }
    }

    /// The file, the variable and the function of a step.
    fn name(&self, step: usize) -> Names {
        STEP_NAMES[(self.flow.names + step) % STEP_NAMES.len()]
    }

    fn value(&mut self) {
        if self.flow.value.is_empty() {
            return self.fragment(&DANGERS);
        }
        let is_name = self.flow.value.bytes().all(|byte| byte != b'[');
        let value = if is_name && !self.bytes.chance(30) {
            format!("${}", self.flow.value)
        } else {
            format!("${{{}}}", self.flow.value)
        };
        self.put(&value);
    }

    /// The text that was given, as a word.
    fn given(&mut self) {
        let text = self.flow.text.take().unwrap_or_default();
        self.put("'");
        self.out.append(text);
        self.put("'");
    }

    /// A file of this name.
    fn spelled(&mut self, name: &str) {
        let spelling = self.bytes.weighted(&SPELLINGS);
        if spelling != "@" {
            self.bytes.mark(FlowSpelling);
        }
        let (begin, end) = name.split_at(name.len() - 1);
        let spelled = spelling.replace("@", name).replace("<", begin);
        self.put(&spelled.replace(">", end));
    }

    /// A command that was made elsewhere.
    pub(super) fn piece(&mut self, piece: Piece) {
        // A terminator, a comment: nothing of ours may follow on its line.
        let ends = piece.text.iter().any(|byte| b"\n#<".contains(byte));
        self.put("");
        self.out.append(piece);
        if ends {
            self.end_line();
        }
    }

    /// A form of a flow, its separators in one of their forms.
    pub(super) fn loose_form(&mut self, form: &'static str) {
        self.written(form, true);
    }
}

/// What may stand before a program; builtins may have it too.
const PREFIXES: [(u16, &str); 10] = [
    (150, ""),
    (6, "A=1 "),
    (6, "2>&1 "),
    (6, "command "),
    (5, "env "),
    (4, "</dev/null "),
    (4, "time "),
    (4, "! "),
    (4, "A='x y' 3>&1 "),
    (3, "\\"),
];

/// How a file is named: `@` is the name, `<` and `>` its letters but the last, and the last.
const SPELLINGS: [(u16, &str); 14] = [
    (130, "@"),
    (14, "./@"),
    (10, "d/../@"),
    (10, "\"$PWD\"/@"),
    (8, "<[>]"),
    (6, "'@'"),
    (6, "\"@\""),
    (5, "~+/@"),
    (5, "<\\>"),
    (5, "${nosuch:-@}"),
    (5, "$(echo @)"),
    (5, "\"${n:=@}\""),
    (4, "<\"\">"),
    (4, ".//@"),
];
