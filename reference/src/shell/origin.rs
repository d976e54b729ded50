//! A text, and where in the command each byte of it comes from.

/// Program text taken out of a command: quotes, backslashes and tabs that do not belong to it are gone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    pub(super) text: Vec<u8>,
    /// Pieces by their offset here, rising, and the offset in the command that it comes from.
    origin: Vec<(u32, u32)>,
}

impl Program {
    /// A command itself.
    pub fn whole(command: &[u8]) -> Self {
        Self {
            text: command.to_vec(),
            origin: Vec::new(),
        }
    }

    /// Its bytes.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Number of the piece that holds the byte at `at`; none in a command itself.
    fn piece(&self, at: usize) -> Option<usize> {
        self.origin
            .partition_point(|&(here, _)| here as usize <= at)
            .checked_sub(1)
    }

    /// Offset in the command of the byte at `at`.
    pub fn source(&self, at: usize) -> usize {
        match self.piece(at) {
            Some(piece) => at - self.origin[piece].0 as usize + self.origin[piece].1 as usize,
            None => at,
        }
    }

    /// Adds bytes that come from `source` on, one for one.
    pub(super) fn push(&mut self, bytes: &[u8], source: usize) {
        let here = self.text.len();
        let goes_on = self
            .origin
            .last()
            .is_some_and(|&(from, to)| here - from as usize + to as usize == source);
        if !goes_on && !bytes.is_empty() {
            self.origin.push((here as u32, source as u32));
        }
        self.text.extend_from_slice(bytes);
    }

    /// Adds a stretch of another program.
    pub(super) fn copy(&mut self, from: &Self, start: usize, end: usize) {
        let mut at = start;
        while at < end {
            let next = match from.piece(at) {
                Some(piece) => from.origin.get(piece + 1).map(|&(here, _)| here as usize),
                None => None,
            };
            let next = next.unwrap_or(end).min(end);
            self.push(&from.text[at..next], from.source(at));
            at = next;
        }
    }

    /// What `eval` makes of its operands: joined by blanks.
    pub fn join(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut whole = Self::default();
        for (number, part) in parts.into_iter().enumerate() {
            if number > 0 {
                let before = whole.text.len().checked_sub(1);
                let source = before.map_or(0, |before| whole.source(before));
                whole.push(b" ", source);
            }
            whole.copy(&part, 0, part.text.len());
        }
        whole
    }
}
