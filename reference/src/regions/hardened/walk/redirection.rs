//! Where do the streams of a command go?

use super::super::descriptors::COUNT;
use super::super::graph::Vertex;
use super::super::hazard;
use super::super::reason::Inert;
use super::super::text::Place;
use super::word::Taken;
use super::{Shell, Walker, Written};
use crate::shell::{Kind, NodeId, Operator, Tree, Value};

/// What the redirections of a command have opened.
pub(super) struct Opened {
    pub(super) shell: Shell,
    /// Streams out of files.
    reads: Vec<Vertex>,
    /// Streams into files, and whether programs or their configuration may be among these; names of files.
    writes: Vec<(Vertex, bool)>,
}

/// A file by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum File {
    /// `/dev/null`
    Nothing,
    /// A descriptor of the shell.
    Descriptor(usize),
    /// Perhaps any descriptor of any process.
    Device,
    /// A file; may it be a program, or the configuration of one?
    Path { is_place: bool },
    /// Any of these.
    Unknown { is_place: bool },
}

impl Walker {
    /// What a file is, by the value of its name.
    pub(super) fn file(&self, name: &Value) -> File {
        let path = &name.prefix[..];
        let of_device = path.strip_prefix(b"/dev/");
        match of_device {
            None if !name.is_known() => File::Unknown {
                is_place: self.mentions_places,
            },
            Some(_) if !name.is_known() => File::Device,
            Some(b"null") => File::Nothing,
            Some(b"stdin" | b"fd/0") => File::Descriptor(0),
            Some(b"stdout" | b"fd/1") => File::Descriptor(1),
            Some(b"stderr" | b"fd/2") => File::Descriptor(2),
            Some(_) => File::Device,
            None if path.starts_with(b"/proc/") => File::Device,
            None if hazard::may_be_device(path, self.changes_folder) => File::Unknown {
                is_place: hazard::is_place_of_programs(path) || self.mentions_places,
            },
            None => File::Path {
                is_place: hazard::is_place_of_programs(path)
                    || self.changes_folder && self.mentions_places,
            },
        }
    }

    /// May it be a file of `/proc`?
    fn tells_processes(&self, name: &Value) -> bool {
        match name.is_known() || name.prefix.starts_with(b"/dev/fd/") {
            true => name.prefix.starts_with(b"/proc"),
            false => self.mentions_processes,
        }
    }

    /// Opens what these redirections say, in order. `feed` is a here-document's body or a here-string that is read as a
    /// program; `both` sends errors where output goes, after all of them.
    pub(super) fn redirections(
        &mut self,
        tree: &Tree,
        nodes: &[NodeId],
        shell: Shell,
        both: bool,
        feed: Option<NodeId>,
    ) -> Opened {
        let mut opened = Opened {
            shell,
            reads: Vec::new(),
            writes: Vec::new(),
        };
        for &node in nodes {
            self.redirection(tree, node, shell, feed, &mut opened);
        }
        if both {
            let output = opened.shell.descriptors.output();
            opened.shell = opened.shell.with(2, output);
        }
        opened
    }

    fn redirection(
        &mut self,
        tree: &Tree,
        node: NodeId,
        outer: Shell,
        feed: Option<NodeId>,
        opened: &mut Opened,
    ) {
        let Kind::Redirection(operator) = tree.kind(node) else {
            return;
        };
        let Some(word) = tree.child(node, Kind::Word) else {
            return;
        };
        let number = tree.child(node, Kind::Descriptor).map(|id| tree.text(id));
        if let Some(name) = number.and_then(|number| number.strip_prefix(b"{")) {
            let chosen = self.graph.vertex();
            self.assign(name.strip_suffix(b"}").unwrap_or(name), chosen, true);
        }
        let is_input = matches!(
            operator,
            Operator::Read
                | Operator::ReadWrite
                | Operator::DuplicateIn
                | Operator::HereDocument
                | Operator::HereDocumentTabs
                | Operator::HereString
        );
        // One that the shell chooses, or a high one, is found among all streams.
        let target = match number {
            None => Some(usize::from(!is_input)),
            Some(digits) => number_of(digits).filter(|&number| number < COUNT),
        };
        let stream = match operator {
            Operator::HereDocument | Operator::HereDocumentTabs => {
                let stream = self.stream();
                match tree.body(node) {
                    Some(body) if feed == Some(body) => self.texts.program(stream, tree.span(body)),
                    Some(body) => {
                        let text = self.body(tree, body, outer, Place::Text(Inert::Body));
                        self.graph.edge(text, stream);
                    }
                    None => {}
                }
                stream
            }
            Operator::HereString => {
                let stream = self.stream();
                match feed == Some(word) {
                    true => self.texts.program(stream, tree.span(word)),
                    false => {
                        let text = self.word(tree, word, outer, Place::Text(Inert::HereString));
                        self.graph.edge(text.vertex, stream);
                    }
                }
                stream
            }
            Operator::DuplicateIn | Operator::DuplicateOut => {
                let value = tree.value(word);
                let is_descriptor = value.is_known() && is_descriptor(&value.prefix);
                if operator == Operator::DuplicateOut
                    && number.is_none()
                    && value.is_known()
                    && !is_descriptor
                {
                    let stream = self.opened_file(tree, word, Operator::Both, outer, opened);
                    opened.shell = opened.shell.with(1, stream).with(2, stream);
                    return;
                }
                self.duplicated(tree, word, &value, outer, opened)
            }
            Operator::Both | Operator::BothAppend => {
                let stream = self.opened_file(tree, word, operator, outer, opened);
                opened.shell = opened.shell.with(1, stream).with(2, stream);
                return;
            }
            Operator::Read
            | Operator::Write
            | Operator::Clobber
            | Operator::Append
            | Operator::ReadWrite => self.opened_file(tree, word, operator, outer, opened),
        };
        if let Some(target) = target {
            opened.shell = opened.shell.with(target, stream);
        }
    }

    /// The stream that `>&` or `<&` makes another name of.
    fn duplicated(
        &mut self,
        tree: &Tree,
        word: NodeId,
        value: &Value,
        outer: Shell,
        opened: &mut Opened,
    ) -> Vertex {
        let digits = value.prefix.strip_suffix(b"-").unwrap_or(&value.prefix);
        let stream = match number_of(digits) {
            Some(number) if value.is_known() => opened.shell.descriptors.get(number),
            None if value.is_known() => return self.graph.vertex(),
            _ => None,
        };
        let taken = self.word_of(tree, word, outer, Place::Text(Inert::Target), value);
        stream.unwrap_or_else(|| {
            // Any stream; a file, where the word names one.
            let stream = self.stream();
            self.graph.edge(self.any_read, stream);
            self.graph.edge(stream, self.any_written);
            self.graph.edge(taken.vertex, stream);
            if !value.is_known() {
                opened.writes.push((stream, self.mentions_places));
            }
            stream
        })
    }

    fn opened_file(
        &mut self,
        tree: &Tree,
        word: NodeId,
        operator: Operator,
        outer: Shell,
        opened: &mut Opened,
    ) -> Vertex {
        let value = self.value_of(tree, word, outer);
        let taken = self.word_of(tree, word, outer, Place::Text(Inert::Target), &value);
        // What cannot be opened is told.
        for error in [outer, opened.shell] {
            self.graph.edge(taken.vertex, error.descriptors.error());
        }
        let file = self.file(&value);
        let stream = match file {
            File::Nothing => return self.graph.vertex(),
            File::Descriptor(number) => match opened.shell.descriptors.get(number) {
                Some(stream) => return stream,
                None => self.stream(),
            },
            _ => self.stream(),
        };
        let reads = matches!(operator, Operator::Read | Operator::ReadWrite);
        let writes = operator != Operator::Read;
        let is_any = !matches!(file, File::Path { .. });
        if reads {
            opened.reads.push(stream);
            if is_any {
                self.graph.edge(taken.vertex, stream);
                self.graph.edge(self.any_read, stream);
            }
            if self.tells_processes(&value) {
                self.graph.edge(self.own_text, stream);
            }
        }
        if writes {
            let is_place = matches!(
                file,
                File::Path { is_place: true } | File::Unknown { is_place: true }
            );
            opened.writes.push((stream, is_place));
            opened.writes.push((taken.vertex, is_place));
            self.written.push(Written {
                name: tree.span(word),
                content: stream,
            });
            if is_any {
                self.graph.edge(stream, self.any_written);
            }
            if let Some(outlet) = taken.outlet {
                self.graph.edge(stream, outlet);
            }
        }
        stream
    }

    /// Files are read as they are at these moments, and are written from that one on.
    pub(super) fn settle(&mut self, opened: &Opened, read: &[usize], written: usize) {
        for &stream in &opened.reads {
            for &moment in read {
                self.graph.edge(self.moments[moment].files, stream);
            }
        }
        for &(stream, is_place) in &opened.writes {
            self.keep(stream, is_place, written);
        }
    }

    /// This gets into files at that moment.
    pub(super) fn keep(&mut self, text: Vertex, is_place: bool, moment: usize) {
        let moment = self.moments[moment];
        self.graph.edge(text, moment.files);
        if is_place {
            self.graph.edge(text, moment.places);
        }
    }

    /// What a program does with a file that a word of it names: `data` are read from it, or written to it.
    pub(super) fn uses_file(
        &mut self,
        taken: Taken,
        name: &Value,
        data: Vertex,
        shell: Shell,
        writes: bool,
    ) {
        let (file, descriptors) = (self.file(name), shell.descriptors);
        if name.prefix == b"-" {
            match writes {
                true => self.graph.edge(data, descriptors.output()),
                false => self.graph.edge(descriptors.input(), data),
            }
        }
        let any = match file {
            File::Nothing | File::Path { .. } => None,
            File::Descriptor(number) => descriptors.get(number),
            File::Device | File::Unknown { .. } => Some(if writes {
                self.any_written
            } else {
                self.any_read
            }),
        };
        if !writes && self.tells_processes(name) {
            self.graph.edge(self.own_text, data);
        }
        match (any, writes) {
            (Some(any), true) => self.graph.edge(data, any),
            (Some(any), false) => self.graph.edge(any, data),
            (None, _) => {}
        }
        if let Some(outlet) = taken.outlet.filter(|_| writes) {
            self.graph.edge(data, outlet);
        }
    }
}

/// `1`, `-`, `1-`
fn is_descriptor(text: &[u8]) -> bool {
    text == b"-" || number_of(text.strip_suffix(b"-").unwrap_or(text)).is_some()
}

fn number_of(digits: &[u8]) -> Option<usize> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}
