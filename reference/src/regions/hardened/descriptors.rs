//! What do the numbered descriptors of a shell stand for?

use super::graph::Vertex;

/// Descriptors that are told apart; whoever uses another one may use any stream.
pub(super) const COUNT: usize = 10;

/// A stream for each descriptor: what is written to it comes out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Descriptors {
    streams: [Vertex; COUNT],
}

impl Descriptors {
    pub(super) fn new(mut stream: impl FnMut() -> Vertex) -> Self {
        Self {
            streams: std::array::from_fn(|_| stream()),
        }
    }

    pub(super) fn all(&self) -> [Vertex; COUNT] {
        self.streams
    }

    pub(super) fn input(&self) -> Vertex {
        self.streams[0]
    }

    pub(super) fn output(&self) -> Vertex {
        self.streams[1]
    }

    pub(super) fn error(&self) -> Vertex {
        self.streams[2]
    }

    /// The stream of a descriptor that is told apart.
    pub(super) fn get(&self, number: usize) -> Option<Vertex> {
        self.streams.get(number).copied()
    }

    /// The same, with another stream for one of them. `number` is less than [`COUNT`].
    pub(super) fn with(mut self, number: usize, stream: Vertex) -> Self {
        self.streams[number] = stream;
        self
    }

    /// Each descriptor for which another one has another stream: what it has, and what the other one has.
    pub(super) fn differing(&self, other: &Self) -> impl Iterator<Item = (Vertex, Vertex)> {
        let pairs = self.streams.into_iter().zip(other.streams);
        pairs.filter(|(one, other)| one != other)
    }
}
