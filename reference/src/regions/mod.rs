//! Which stretches of a command are text, so that the shell runs nothing that starts there?
//!
//! A scanner answers with [`Span`]s, and a fragment is asked about by its first byte alone. What is done about a
//! fragment that is live is left to the policies.

pub mod hardened;
pub mod literal;

/// A stretch of a command: byte offsets, half-open. Ordered by start, then end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of its first byte.
    pub start: usize,
    /// Offset after its last byte; equal to `start` where it is empty.
    pub end: usize,
}

impl Span {
    /// Does it hold the byte at this offset?
    pub fn contains(self, offset: usize) -> bool {
        (self.start..self.end).contains(&offset)
    }
}
