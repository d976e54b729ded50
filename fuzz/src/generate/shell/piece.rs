//! Where do the fragments lie when text is joined, or quoted anew?

use super::ShellFragment;

/// Text with the fragments in it.
#[derive(Default)]
pub(super) struct Piece {
    pub(super) text: Vec<u8>,
    pub(super) fragments: Vec<ShellFragment>,
}

impl Piece {
    pub(super) fn append(&mut self, other: Piece) {
        let at = self.text.len();
        self.text.extend(other.text);
        self.fragments
            .extend(other.fragments.into_iter().map(|one| ShellFragment {
                range: one.range.start + at..one.range.end + at,
                place: one.place,
            }));
    }

    /// Takes off what lies from `at` on, which is in no fragment.
    pub(super) fn split_off(&mut self, at: usize) -> Piece {
        let first = self.fragments.iter().position(|one| one.range.start >= at);
        let mut fragments = self
            .fragments
            .split_off(first.unwrap_or(self.fragments.len()));
        for one in &mut fragments {
            one.range = one.range.start - at..one.range.end - at;
        }
        let text = self.text.split_off(at);
        Piece { text, fragments }
    }

    /// Writes each byte from `from` on as `write` has it, and moves the fragments with it.
    pub(super) fn rewrite(&mut self, from: usize, write: impl Fn(u8, &mut Vec<u8>)) {
        let old = self.text.split_off(from);
        // Where each byte of the old text begins in the new one.
        let mut places = Vec::with_capacity(old.len() + 1);
        for byte in old {
            places.push(self.text.len());
            write(byte, &mut self.text);
        }
        places.push(self.text.len());
        for one in &mut self.fragments {
            if one.range.start >= from {
                one.range = places[one.range.start - from]..places[one.range.end - from];
            }
        }
    }
}

/// A quote is closed, escaped and opened again.
pub(super) fn in_single_quotes(byte: u8, out: &mut Vec<u8>) {
    match byte {
        b'\'' => out.extend(b"'\\''"),
        _ => out.push(byte),
    }
}

pub(super) fn in_double_quotes(byte: u8, out: &mut Vec<u8>) {
    if b"\"\\$`".contains(&byte) {
        out.push(b'\\');
    }
    out.push(byte);
}

pub(super) fn in_ansi_c_quotes(byte: u8, out: &mut Vec<u8>) {
    match byte {
        b'\n' => out.extend(b"\\n"),
        b'\'' | b'\\' => out.extend([b'\\', byte]),
        _ => out.push(byte),
    }
}

pub(super) fn in_backticks(byte: u8, out: &mut Vec<u8>) {
    if b"\\`".contains(&byte) {
        out.push(b'\\');
    }
    out.push(byte);
}

/// An unquoted body of a here-document that shall come out as it is.
pub(super) fn in_body(byte: u8, out: &mut Vec<u8>) {
    if b"\\$`".contains(&byte) {
        out.push(b'\\');
    }
    out.push(byte);
}
