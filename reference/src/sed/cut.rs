//! Where does a part between delimiters end? The cutting of `s`, `y` and regular-expression addresses.
//!
//! Byte by byte, before any escape is decoded (`docs/spec/sed.md` section 4).

use super::utf8::Follower;

/// A part without its delimiters, in which `\c` has become `c` for the delimiter `c` and for a newline; and what stands after it.
pub(super) struct Part {
    pub(super) text: Vec<u8>,
    /// Offset of the first byte after the closing delimiter.
    pub(super) end: usize,
}

/// What is cut.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A regular expression: brackets hide the delimiter.
    Regex,
    /// A replacement or a part of `y`.
    Plain,
}

/// Cuts the part that begins at `start`; `utf8`: a delimiter above 127 does not count inside a character. `None`: it does not end before a raw newline or the end of the piece.
pub(super) fn part(
    piece: &[u8],
    start: usize,
    delimiter: u8,
    kind: Kind,
    utf8: bool,
) -> Option<Part> {
    let mut text = Vec::new();
    let mut at = start;
    let mut follower = (utf8 && !delimiter.is_ascii()).then(Follower::default);
    loop {
        let byte = *piece.get(at)?;
        let hidden = follower
            .as_mut()
            .is_some_and(|follower| follower.hides(piece, at));
        at += 1;
        if hidden {
            text.push(byte);
            continue;
        }
        if byte == delimiter {
            return Some(Part { text, end: at });
        }
        match byte {
            b'\n' => return None,
            b'\\' => {
                let next = *piece.get(at)?;
                at += 1;
                // A newline loses its backslash as the delimiter does. In a replacement `\&` stays escaped also where `&` is
                // the delimiter.
                let bare =
                    next == b'\n' || next == delimiter && (kind == Kind::Regex || next != b'&');
                if !bare {
                    text.push(b'\\');
                }
                text.push(next);
            }
            b'[' if kind == Kind::Regex => {
                let end = bracket(piece, at)?;
                text.push(byte);
                text.extend_from_slice(&piece[at..end]);
                at = end;
            }
            _ => text.push(byte),
        }
    }
}

/// Offset after the `]` of a bracket expression whose content begins at `start`; `None`: it does not end.
///
/// sed's own automaton, which is not that of the expression compiler: `[[...]` goes on, for a mark that follows the closing one
/// opens the name again, and `[[.a.[]` ends, for a `[` between the closing mark and its `]` is passed over.
fn bracket(piece: &[u8], start: usize) -> Option<usize> {
    enum Inside {
        List,
        /// After a `[`.
        Opening,
        /// In `[:`, `[.` or `[=`.
        Name(u8),
        /// After what may be the closing mark of the name.
        Closing(u8),
    }
    let mut at = start;
    if piece.get(at) == Some(&b'^') {
        at += 1;
    }
    if piece.get(at) == Some(&b']') {
        at += 1;
    }
    let mut inside = Inside::List;
    loop {
        let byte = *piece.get(at)?;
        at += 1;
        inside = match (inside, byte) {
            (_, b'\n') => return None,
            (Inside::List | Inside::Opening, b']') => return Some(at),
            (Inside::List | Inside::Opening, b'[') => Inside::Opening,
            (Inside::Opening, b':' | b'.' | b'=') => Inside::Name(byte),
            (Inside::List | Inside::Opening, _) => Inside::List,
            (Inside::Name(mark), _) if byte == mark => Inside::Closing(mark),
            (Inside::Closing(_), b']') => Inside::List,
            (Inside::Closing(mark), b'[') => Inside::Closing(mark),
            (Inside::Name(mark) | Inside::Closing(mark), _) => Inside::Name(mark),
        };
    }
}
