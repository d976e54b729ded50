//! A text, and where in the command each byte of it comes from.

/// Program text taken out of a command: quotes, backslashes and tabs that do not belong to it are gone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    pub(super) text: Vec<u8>,
    /// Pieces by their offset here, rising, and the offset in the command that it comes from; the first is at 0.
    pub(super) origin: Vec<(u32, u32)>,
}

impl Program {
    /// A command itself.
    pub fn whole(command: &[u8]) -> Self {
        Self {
            text: command.to_vec(),
            origin: vec![(0, 0)],
        }
    }

    /// Its bytes.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Offset in the command of the byte at `at`.
    pub fn source(&self, at: usize) -> usize {
        let after = self
            .origin
            .partition_point(|&(here, _)| here as usize <= at);
        match after.checked_sub(1) {
            Some(piece) => at - self.origin[piece].0 as usize + self.origin[piece].1 as usize,
            None => at,
        }
    }

    /// Adds bytes that come from `source` on, one for one.
    pub(super) fn push(&mut self, bytes: &[u8], source: usize) {
        let here = self.text.len();
        let goes_on = !self.text.is_empty() && self.source(here) == source;
        if !goes_on && !bytes.is_empty() {
            self.origin.push((here as u32, source as u32));
        }
        self.text.extend_from_slice(bytes);
    }

    /// What `eval` makes of its operands: joined by blanks.
    pub fn join(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut whole = Self::default();
        for part in parts {
            if !whole.text.is_empty() {
                let before = whole.source(whole.text.len() - 1);
                whole.push(b" ", before);
            }
            for (at, &(here, there)) in part.origin.iter().enumerate() {
                let end = part
                    .origin
                    .get(at + 1)
                    .map_or(part.text.len(), |next| next.0 as usize);
                whole.push(&part.text[here as usize..end], there as usize);
            }
        }
        whole
    }
}
