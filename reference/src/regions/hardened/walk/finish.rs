//! What follows when all has been walked? Edges that need the whole, and the verdict on each text.

use super::super::graph::{Reached, Sink, Vertex};
use super::super::reason::{Inert, Live};
use super::super::text::{Content, Piece, Place};
use super::{Call, Function, Walker};
use crate::programs::Why;
use crate::regions::Span;

/// The verdict on the texts of a command.
pub(in super::super) struct Verdict {
    /// Stretches in order and apart, each with why it is text or live. What is in none is program text.
    pub(in super::super) stretches: Vec<(Span, Result<Inert, Live>)>,
    /// Everything is live for this reason, whatever the stretches say.
    pub(in super::super) given_up: Option<Live>,
    /// Names of files into which text gets.
    pub(in super::super) written: Vec<Span>,
}

impl Walker {
    pub(in super::super) fn finish(mut self) -> Verdict {
        self.lasts();
        self.calls();
        self.shares();
        let back = self.graph.backwards();
        let within = back.reach(self.graph.sinks(Sink::Within));
        let evaluated = back.reach(self.graph.sinks(Sink::Evaluated));
        let apart = back.reach(self.graph.sinks(Sink::Apart));
        let of_own_text = [&within, &evaluated, &apart]
            .iter()
            .any(|reached| reached.at(self.own_text).is_some());
        if of_own_text {
            self.give_up(Live::OwnText);
        }
        let texts = self.texts.items.iter().map(|item| (item.vertex, ()));
        let text = self.graph.forwards().reach(texts);
        let mut is_run = false;
        let mut dark = Vec::new();
        for item in std::mem::take(&mut self.texts.items) {
            let more_than_number = item.content == Content::Any;
            let here = within.at(item.vertex);
            let here = here.or_else(|| evaluated.at(item.vertex).filter(|_| more_than_number));
            let there = apart.at(item.vertex);
            if let Some(why) = here {
                self.give_up(why);
            }
            dark.extend(item.program.zip(there));
            is_run |= there.is_some() && more_than_number;
        }
        let apart = match is_run {
            true => {
                if self.mentions_processes {
                    self.give_up(Live::OwnText);
                }
                let files = self.moments[self.now()].files;
                let exposed = [files, self.environment].map(|at| (at, Live::Exposed));
                back.reach(self.graph.sinks(Sink::Apart).chain(exposed))
            }
            false => apart,
        };
        let named = back.reach(self.graph.sinks(Sink::Named));
        let mut stretches = self.stretches(&[&within, &apart, &named]);
        darken(&mut stretches, dark);
        let written = self
            .written
            .iter()
            .filter(|file| text.at(file.content).is_some());
        Verdict {
            written: written.map(|file| file.name).collect(),
            stretches,
            given_up: self.given_up,
        }
    }

    /// What goes on beside the rest, or comes later, finds the files of the end.
    fn lasts(&mut self) {
        for moment in std::mem::take(&mut self.lasting) {
            self.again(moment);
        }
    }

    /// Verbs that are functions.
    fn calls(&mut self) {
        if self
            .must_be_no_functions
            .iter()
            .any(|verb| self.functions.contains_key(verb))
        {
            self.give_up(Live::Environment);
        }
        if self.relies_on_functions && self.mentions_unset {
            self.give_up(Live::AnyFunction);
        }
        let handler = self
            .functions
            .get(&b"command_not_found_handle"[..])
            .copied();
        for (name, calls) in std::mem::take(&mut self.calls) {
            let function = self.functions.get(&name).copied();
            for call in &calls {
                for function in [function, handler].into_iter().flatten() {
                    self.call(call, function);
                }
            }
        }
    }

    fn call(&mut self, call: &Call, function: Function) {
        let descriptors = call.descriptors;
        self.graph.edge(call.arguments, self.positional);
        let mut pairs = vec![
            (descriptors.input(), function.input),
            (function.output, descriptors.output()),
            (function.error, descriptors.error()),
        ];
        // Higher ones are the first of all in the body.
        let both = self.first.all().into_iter().zip(descriptors.all());
        for (first, other) in both.skip(3).filter(|(first, other)| first != other) {
            pairs.extend([(first, other), (other, first)]);
        }
        for (from, to) in pairs {
            self.graph.edge(from, to);
            if self.redirects_caller {
                self.graph.edge(to, from);
            }
        }
    }

    fn shares(&mut self) {
        if self.has_unknown {
            let files = self.moments[self.now()].files;
            self.graph
                .sink(files, Sink::Apart, Live::Run(Why::UnknownProgram));
        }
        if self.exports_all {
            self.graph.edge(self.any_variable, self.environment);
            if !self.functions.is_empty() {
                self.graph.edge(self.own_text, self.environment);
            }
        }
        if self.has_references {
            self.graph
                .sink(self.any_variable, Sink::Evaluated, Live::Evaluated);
            self.graph.edge(self.own_text, self.any_variable);
            for &variable in self.variables.values() {
                self.graph.edge(self.any_variable, variable);
            }
        }
        if let Some(trouble) = self.unread {
            let files = self.moments[self.now()].files;
            let mut found = vec![files, self.any_variable, self.positional, self.environment];
            found.extend(self.functions.values().map(|function| function.output));
            for at in found {
                self.graph
                    .sink(at, Sink::Within, Live::NotUnderstood(trouble));
            }
        }
    }

    fn stretches(&mut self, reached: &[&Reached<Live>]) -> Vec<(Span, Result<Inert, Live>)> {
        let why = |at: Vertex| reached.iter().find_map(|reached| reached.at(at));
        let verdict = |piece: &Piece| match piece.place {
            Place::Live(why) => Err(why),
            Place::Text(inert) => why(piece.vertex).map_or(Ok(inert), Err),
        };
        let mut stretches: Vec<_> = self
            .texts
            .pieces
            .iter()
            .map(|piece| (piece.span, verdict(piece)))
            .collect();
        stretches.sort_by_key(|&(span, _)| span);
        stretches
    }
}

/// What stands in these places is live.
fn darken(stretches: &mut [(Span, Result<Inert, Live>)], mut places: Vec<(Span, Live)>) {
    places.sort_by_key(|&(span, _)| span);
    let mut places = places.into_iter().peekable();
    let mut reached: Option<(usize, Live)> = None;
    for (span, verdict) in stretches {
        while let Some((place, why)) = places.next_if(|(place, _)| place.start <= span.start) {
            let further = reached.is_none_or(|(end, _)| end < place.end);
            reached = if further {
                Some((place.end, why))
            } else {
                reached
            };
        }
        if let Some((_, why)) = reached.filter(|&(end, _)| span.start < end) {
            *verdict = verdict.and(Err(why));
        }
    }
}
