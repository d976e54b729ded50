//! One command for `bash -c` from bytes, with marked fragments.
//!
//! A fragment looks like danger; whether bash runs it, is for the oracle to say. Of 100 random commands about 80 follow the
//! grammar, 12 follow it but for a few characters, 8 are two commands put into one another. The grammar is a table of forms
//! for each topic, named by what they show, whose holes nest; it knows bash and nothing of any guard.

mod builtin;
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
mod verb;

pub use construct::{SHELL_CONSTRUCTS, ShellConstruct};
pub use facts::FACTS;
pub use seed::shell_seeds;

use super::{ShellCommand, ShellConstructSet, ShellFragment};
use construct::ShellConstruct::{Crossed, Grammatical, Mutated, OnTerminal, Plain};
use draft::{Draft, Forms};
use piece::Piece;
use std::mem::take;

/// The most constructs of one command.
const BUDGET: usize = 10;

/// The topics of a command by weight; `None` is a here-document, which is no table.
const TOPICS: [(u16, Option<Forms>); 13] = [
    (30, Some(&[(Plain, &["%x"])])),
    (26, Some(comment::FORMS)),
    (22, Some(quote::FORMS)),
    (26, None),
    (16, Some(here_form::FORMS)),
    (20, Some(flow::PIPES)),
    (22, Some(flow::STORES)),
    (14, Some(verb::NAMES)),
    (20, Some(verb::POSITIONS)),
    (10, Some(program::FORMS)),
    (18, Some(builtin::FORMS)),
    (14, Some(compound::FORMS)),
    (20, Some(everyday::FORMS)),
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
    // A terminal costs a process more, and few commands ask for one.
    if draft.bytes.chance(1) {
        draft.bytes.mark(OnTerminal);
        draft.terminal = true;
    }
    ShellCommand {
        text: draft.out.text,
        fragments: draft.out.fragments,
        terminal: draft.terminal,
        constructs: draft.bytes.made(),
    }
}

impl Draft<'_> {
    /// A list, or what is a command only as a whole; it has a fragment.
    fn whole(&mut self, mode: ShellConstruct) {
        if mode != Crossed && self.bytes.chance(6) {
            self.one_of(compound::WHOLE);
        } else {
            self.list();
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
            Some(forms) => self.one_of(forms),
            None => self.here_document(),
        }
    }
}
