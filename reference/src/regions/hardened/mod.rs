//! Which stretches of a command are text, so that nothing bash could run starts there?
//!
//! The sound scanner (`docs/spec/regions.md`, sections 3 and 4): a place is called text only if it follows from the tree of
//! the command ([`crate::shell`]) and from what is known of programs ([`crate::programs`]) that nothing runs it. The walk over
//! the tree makes a graph of where texts get to (`walk`), and a search in it finds those that may be run (`graph`). It rests on
//! a clean environment (C-9); what a later command does with a file that this one writes is not asked here, only told
//! ([`Answer::deferred`], C-10).
//!
//! Linear in the size of the command, in time and memory, whatever its bytes.

mod descriptors;
mod graph;
mod hazard;
mod reason;
mod text;
mod walk;

#[cfg(test)]
mod tests;

pub use reason::{Inert, Live};

use super::Span;
use crate::shell;
use walk::Walker;

/// What the scanner says of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// In order and apart.
    stretches: Vec<(Span, Result<Inert, Live>)>,
    given_up: Option<Live>,
    deferred: Vec<Span>,
}

/// Reads a command.
pub fn scan(command: &[u8]) -> Answer {
    let tree = shell::parse(command);
    let mut walker = Walker::new(command, &tree);
    walker.walk(&tree);
    let verdict = walker.finish();
    Answer {
        stretches: verdict.stretches,
        given_up: verdict.given_up,
        deferred: verdict.written,
    }
}

/// The regions of a command, in order and apart.
pub fn regions(command: &[u8]) -> Vec<Span> {
    scan(command).regions().map(|(region, _)| region).collect()
}

impl Answer {
    /// The stretches that are text, and what each is; in order and apart.
    pub fn regions(&self) -> impl Iterator<Item = (Span, Inert)> + '_ {
        let inert = |&(span, verdict): &(Span, Result<Inert, Live>)| Some((span, verdict.ok()?));
        let none = self.given_up.is_some();
        self.stretches
            .iter()
            .filter(move |_| !none)
            .filter_map(inert)
    }

    /// Could bash run what starts at this byte?
    pub fn is_live(&self, offset: usize) -> bool {
        self.why(offset).is_err()
    }

    /// Why the place of this byte is text, or, as the error, why it is not.
    pub fn why(&self, offset: usize) -> Result<Inert, Live> {
        let after = self
            .stretches
            .partition_point(|(span, _)| span.start <= offset);
        let found = self.stretches[..after]
            .last()
            .filter(|(span, _)| span.contains(offset));
        let why = found.map_or(Err(Live::Program), |&(_, why)| why);
        match self.given_up {
            Some(given_up) => Err(why
                .err()
                .filter(|&live| live != Live::Program)
                .unwrap_or(given_up)),
            None => why,
        }
    }

    /// Names of files, as they stand in the command, into which it writes text that a later one could run (C-10).
    pub fn deferred(&self) -> &[Span] {
        &self.deferred
    }
}
