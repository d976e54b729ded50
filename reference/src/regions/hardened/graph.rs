//! From where can text get to a place where it is run?
//!
//! A directed graph of everything that holds text while a command runs: words, variables, streams, files. An edge says that
//! the text of the one may become part of the other; it says nothing of when. The search goes backwards from where text is run,
//! and every vertex it comes to is one whose text could be.

use super::reason::Live;

/// Something that holds text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Vertex(u32);

/// How text is run that gets to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sink {
    /// By another process: it can change nothing in the shell.
    Apart,
    /// In the shell itself, so that the rest of the command may mean something else.
    Within,
    /// In the shell, if it is more than a number.
    Evaluated,
    /// As the name of a program, and nothing more; the name is known.
    Named,
}

/// Vertices and edges as they are found.
#[derive(Debug, Default)]
pub(super) struct Graph {
    size: u32,
    edges: Vec<(Vertex, Vertex)>,
    sinks: Vec<(Vertex, Sink, Live)>,
}

impl Graph {
    pub(super) fn vertex(&mut self) -> Vertex {
        self.size += 1;
        Vertex(self.size - 1)
    }

    pub(super) fn edge(&mut self, from: Vertex, to: Vertex) {
        self.edges.push((from, to));
    }

    /// What gets here is run.
    pub(super) fn sink(&mut self, at: Vertex, sink: Sink, why: Live) {
        self.sinks.push((at, sink, why));
    }

    pub(super) fn sinks(&self, of: Sink) -> impl Iterator<Item = (Vertex, Live)> + '_ {
        let wanted = self.sinks.iter().filter(move |(_, sink, _)| *sink == of);
        wanted.map(|&(at, _, why)| (at, why))
    }

    /// Along the edges.
    pub(super) fn forwards(&self) -> Arrows {
        Arrows::new(self.size, self.edges.iter().copied())
    }

    /// Against the edges.
    pub(super) fn backwards(&self) -> Arrows {
        let edges = self.edges.iter().map(|&(from, to)| (to, from));
        Arrows::new(self.size, edges)
    }
}

/// The edges by the vertex that they leave.
#[derive(Debug)]
pub(super) struct Arrows {
    /// Where in `to` those of each vertex begin, then the end.
    first: Vec<u32>,
    to: Vec<Vertex>,
}

/// What reached each vertex first.
pub(super) struct Reached<T>(Vec<Option<T>>);

impl<T: Copy> Reached<T> {
    pub(super) fn at(&self, vertex: Vertex) -> Option<T> {
        self.0[vertex.0 as usize]
    }
}

impl Arrows {
    fn new(size: u32, edges: impl Iterator<Item = (Vertex, Vertex)> + Clone) -> Self {
        let mut first = vec![0; size as usize + 1];
        for (from, _) in edges.clone() {
            first[from.0 as usize + 1] += 1;
        }
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        let mut free = first.clone();
        let mut to = vec![Vertex(0); first[size as usize] as usize];
        for (from, target) in edges {
            let place = &mut free[from.0 as usize];
            to[*place as usize] = target;
            *place += 1;
        }
        Self { first, to }
    }

    /// All that is reached from these, breadth first, with the mark of the one it is reached from.
    pub(super) fn reach<T: Copy>(&self, from: impl Iterator<Item = (Vertex, T)>) -> Reached<T> {
        let mut marks = vec![None; self.first.len() - 1];
        let mut found = Vec::new();
        for (at, mark) in from {
            if marks[at.0 as usize].is_none() {
                marks[at.0 as usize] = Some(mark);
                found.push(at);
            }
        }
        let mut next = 0;
        while let Some(&Vertex(at)) = found.get(next) {
            next += 1;
            let at = at as usize;
            for &target in &self.to[self.first[at] as usize..self.first[at + 1] as usize] {
                if marks[target.0 as usize].is_none() {
                    marks[target.0 as usize] = marks[at];
                    found.push(target);
                }
            }
        }
        Reached(marks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_finds_what_leads_to_a_sink_and_nothing_else() {
        let mut graph = Graph::default();
        let v: Vec<Vertex> = (0..6).map(|_| graph.vertex()).collect();
        for (from, to) in [(0, 1), (1, 2), (2, 0), (3, 1), (1, 4)] {
            graph.edge(v[from], v[to]);
        }
        graph.sink(v[2], Sink::Apart, Live::Exposed);
        graph.sink(v[4], Sink::Within, Live::Redefined);
        let back = graph.backwards();
        let of = |sink| {
            let reached = back.reach(graph.sinks(sink));
            v.iter().map(|&at| reached.at(at)).collect::<Vec<_>>()
        };
        let (some, within) = (Some(Live::Exposed), Some(Live::Redefined));
        assert_eq!(of(Sink::Apart), [some, some, some, some, None, None]);
        assert_eq!(
            of(Sink::Within),
            [within, within, within, within, within, None]
        );
        assert_eq!(of(Sink::Evaluated), [None; 6]);
        let along = graph.forwards().reach([(v[3], ())].into_iter());
        let along: Vec<bool> = v.iter().map(|&at| along.at(at).is_some()).collect();
        assert_eq!(along, [true, true, true, true, true, false]);
    }
}
