//! One command for `bash -c` from bytes, with marked fragments.
//!
//! A fragment looks like danger; whether bash runs it, is for the oracle to say. Of 100 random commands about 80 follow the
//! grammar, 12 follow it but for a few characters, 8 are two commands put into one another. The grammar is a table of forms
//! for each topic, named by what they show, whose holes nest, and flows of text made step by step (`chain`); it knows bash and
//! nothing of any guard. Commands that somebody stored are changed and crossed in the same ways (`stock`).

mod builtin;
mod chain;
mod comment;
mod compound;
mod construct;
mod draft;
mod everyday;
mod facts;
mod flow;
mod fragment;
mod here_document;
mod here_form;
mod mutate;
mod piece;
mod program;
mod quote;
mod seed;
mod stock;
mod verb;

pub use construct::{SHELL_CONSTRUCTS, ShellConstruct};
pub use facts::FACTS;
pub use seed::shell_seeds;
pub use stock::shell_from;

use super::{ShellCommand, ShellConstructSet, ShellFragment};
use construct::ShellConstruct::{Crossed, Grammatical, Mutated, OnTerminal, Plain};
use draft::{Draft, Forms};
use piece::Piece;
use std::mem::take;

/// The most constructs of one command.
const BUDGET: usize = 10;
/// The most marked fragments of one command.
const MARKS: usize = 8;

/// What a whole command is.
#[derive(Clone, Copy)]
enum Kind {
    List,
    Flow,
    /// What is a command only as a whole.
    Whole,
}

const KINDS: [(u16, Kind); 3] = [(130, Kind::List), (110, Kind::Flow), (15, Kind::Whole)];

/// What a command in it shows.
#[derive(Clone, Copy)]
enum Topic {
    Of(Forms),
    HereDocument,
    Flow,
}

/// The topics of a command by weight.
const TOPICS: [(u16, Topic); 14] = [
    (26, Topic::Of(&[(Plain, &["%x"])])),
    (22, Topic::Of(comment::FORMS)),
    (20, Topic::Of(quote::FORMS)),
    (24, Topic::HereDocument),
    (14, Topic::Of(here_form::FORMS)),
    (18, Topic::Of(flow::PIPES)),
    (20, Topic::Of(flow::STORES)),
    (13, Topic::Of(verb::NAMES)),
    (18, Topic::Of(verb::POSITIONS)),
    (10, Topic::Of(program::FORMS)),
    (16, Topic::Of(builtin::FORMS)),
    (13, Topic::Of(compound::FORMS)),
    (18, Topic::Of(everyday::FORMS)),
    (24, Topic::Flow),
];

/// Decodes any bytes to one command; no bytes and zeros are the smallest, `rm -rf /`. Random bytes reach every construct.
pub fn shell(bytes: &[u8]) -> ShellCommand {
    let mut draft = Draft::new(bytes, BUDGET);
    let mode = draft
        .bytes
        .weighted(&[(80, Grammatical), (12, Mutated), (8, Crossed)]);
    draft.bytes.mark(mode);
    let mut other = Piece::default();
    if mode == Crossed {
        draft.whole(mode);
        other = take(&mut draft.out);
        draft.fragments = 0;
    }
    draft.whole(mode);
    match mode {
        Mutated => draft.mutate(),
        Crossed => draft.cross(other),
        _ => {}
    }
    draft.finished()
}

impl Draft<'_> {
    /// The command.
    fn finished(mut self) -> ShellCommand {
        // A terminal costs a process more, and few commands ask for one.
        if self.bytes.chance(1) {
            self.bytes.mark(OnTerminal);
            self.terminal = true;
        }
        self.out.fragments.truncate(MARKS);
        ShellCommand {
            text: self.out.text,
            fragments: self.out.fragments,
            terminal: self.terminal,
            constructs: self.bytes.made(),
        }
    }

    /// A list, or what is a command only as a whole; it has a fragment.
    fn whole(&mut self, mode: ShellConstruct) {
        match self.bytes.weighted(&KINDS) {
            Kind::Whole if mode != Crossed => self.one_of(compound::WHOLE),
            Kind::Flow => self.chain(),
            _ => self.list(),
        }
        self.end();
        if self.out.fragments.is_empty() {
            self.newline();
            self.form("%x");
        }
    }

    /// A construct of any topic.
    fn any_topic(&mut self) {
        match self.bytes.weighted(&TOPICS) {
            Topic::Of(forms) => self.one_of(forms),
            Topic::HereDocument => self.here_document(),
            Topic::Flow => self.chain(),
        }
    }
}
