//! Commands that leave the grammar: a character or a token changed, or one command put into another.
//!
//! Fragments stay whole, and no letter comes directly before one: its verb would be another word.

use super::construct::ShellConstruct::*;
use super::draft::Draft;
use super::piece::{Piece, in_double_quotes, in_single_quotes};
use std::mem::take;
use std::ops::Range;

/// What the shell's grammar is made of.
const TOKENS: [&str; 44] = [
    "#", " ", "\"", "'", "\n", "\\", "`", "$(", ")", "(", ";", "|", "&", "<<E", "\nE\n", " #",
    "{ ", "; }", "$", "<<", "<", ">", "\\\n", "$'", "\"\"", "''", "<<-E", "<<'E'", "\t", "\r",
    "${x:-", "}", "&&", "||", " | sh", "#E", "E", "=", "[[ ", " ]]", "((", "))", "\u{a0}", "<<<",
];

/// Bytes that mean something, and a few letters.
const SIGNS: &[u8] = b"#\"'\\`$()<>;|& \n\tEa1{}[]=";

/// Verbs, digits and the like are tokens as long as possible, everything else is one for itself.
fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.+-".contains(&byte) || byte >= 0x80
}

/// Whether a character begins with this byte.
fn is_start(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

/// The token at `at`, where a character begins.
fn token(text: &[u8], at: usize) -> Range<usize> {
    if !is_of_word(text[at]) {
        return at..at + 1;
    }
    let start = text[..at]
        .iter()
        .rposition(|&byte| !is_of_word(byte))
        .map_or(0, |before| before + 1);
    let length = text[at..]
        .iter()
        .take_while(|&&byte| is_of_word(byte))
        .count();
    start..at + length
}

impl Piece {
    /// Puts `with` in the place of `range`; false, and nothing done, if that would change a fragment.
    fn splice(&mut self, range: Range<usize>, with: &[u8]) -> bool {
        let before = with.last().or(self.text[..range.start].last());
        let after = with.first().or(self.text.get(range.end));
        let is_letter = |byte: Option<&u8>| byte.is_some_and(|&byte| is_of_word(byte));
        let changed = self.fragments.iter().any(|one| {
            let one = &one.range;
            let meets = range.start < one.end && one.start < range.end;
            let inside = one.start < range.start && range.start < one.end;
            let joins = one.start == range.end && is_letter(before)
                || one.end == range.start && is_letter(after);
            meets || inside || joins
        });
        if changed {
            return false;
        }
        for one in &mut self.fragments {
            if one.range.start >= range.end {
                let moved = |at: usize| at - range.len() + with.len();
                one.range = moved(one.range.start)..moved(one.range.end);
            }
        }
        self.text.splice(range, with.iter().copied());
        true
    }
}

impl Draft<'_> {
    /// One to three changes outside the fragments.
    pub(super) fn mutate(&mut self) {
        let changes = 1 + self.bytes.below(3);
        self.change(changes);
    }

    /// So many changes outside the fragments.
    pub(super) fn change(&mut self, changes: usize) {
        for _ in 0..changes {
            let kind = self.bytes.weighted(&[
                (20, MutationDelete),
                (26, MutationInsertToken),
                (14, MutationInsert),
                (14, MutationReplace),
                (8, MutationDuplicate),
                (10, MutationDeleteToken),
                (8, MutationDuplicateToken),
            ]);
            let Some(at) = self.somewhere() else {
                return;
            };
            let text = &self.out.text;
            let end = (at + 1..text.len())
                .find(|&at| is_start(text[at]))
                .unwrap_or(text.len());
            let (range, with) = match kind {
                MutationDelete => (at..end, Vec::new()),
                MutationInsert => (at..at, vec![self.bytes.pick(SIGNS)]),
                MutationReplace => (at..end, vec![self.bytes.pick(SIGNS)]),
                MutationDuplicate => (at..at, text[at..end].to_vec()),
                MutationDeleteToken => (token(text, at), Vec::new()),
                MutationDuplicateToken => {
                    let token = token(text, at);
                    (token.start..token.start, text[token].to_vec())
                }
                _ => (at..at, self.bytes.pick(&TOKENS).into()),
            };
            if self.out.splice(range, &with) {
                self.bytes.mark(kind);
            }
        }
    }

    /// Where a character of the text begins.
    fn somewhere(&mut self) -> Option<usize> {
        let length = self.out.text.len();
        let at = usize::from(self.bytes.byte()) * length / 256;
        (at..length).find(|&at| is_start(self.out.text[at]))
    }

    /// Puts another command and the one that is there together.
    pub(super) fn cross(&mut self, other: Piece) {
        match self.bytes.weighted(&[
            (60, CrossedInText),
            (30, CrossedBehind),
            (30, CrossedAround),
            (30, CrossedAsText),
            (30, CrossedInFragment),
        ]) {
            CrossedBehind => {
                let separator = self.bytes.pick(&["\n", "; ", " && ", " || ", " | ", " & "]);
                self.behind(separator);
                self.piece(other);
                self.bytes.mark(CrossedBehind);
            }
            CrossedAround => {
                self.behind("\n");
                self.flow.core = Some(other);
                self.around();
                self.bytes.mark(CrossedAround);
            }
            CrossedAsText => {
                self.behind("\n");
                self.carry(other);
            }
            CrossedInFragment => self.put_in_fragment(other),
            _ => self.put_somewhere(other),
        }
        self.end();
    }

    /// A separator behind what is there, or a newline if nothing else can stand behind it.
    fn behind(&mut self, separator: &str) {
        let there = take(&mut self.out);
        self.piece(there);
        if self.is_at_line_end() {
            self.newline();
        } else {
            self.put(separator);
        }
    }

    /// Puts it in the place of a fragment, as it is or quoted.
    fn put_in_fragment(&mut self, mut other: Piece) {
        let number = self.bytes.below(self.out.fragments.len().clamp(1, 8));
        let Some(hole) = self.out.fragments.get(number).cloned() else {
            return self.put_somewhere(other);
        };
        let quote = self.bytes.below(3);
        if let Some(quote) = [in_single_quotes, in_double_quotes].get(quote.wrapping_sub(1)) {
            other.rewrite(0, quote);
        }
        let mut rest = self.out.split_off(hole.range.start);
        rest.fragments.remove(0);
        let rest = rest.split_off(hole.range.len());
        self.out.append(other);
        self.out.append(rest);
        self.bytes.mark(CrossedInFragment);
    }

    /// Puts it at any place, as it is or as a string.
    fn put_somewhere(&mut self, other: Piece) {
        let Some(at) = self.somewhere() else {
            return;
        };
        let (kind, open, close): (_, &str, &str) = self.bytes.pick(&[
            (CrossedInText, "", ""),
            (CrossedInText, "\n", "\n"),
            (CrossedInText, "; ", "; "),
            (CrossedInText, "$(", ")"),
            (CrossedInText, "(", ")"),
            (CrossedInText, "`", "`"),
            (CrossedInString, " \"", "\" "),
            (CrossedInString, " '", "' "),
            (CrossedInBody, "\ncat <<'E'\n", "\nE\n"),
            (CrossedInBody, "\ncat <<E\n", "\nE\n"),
            (CrossedInBody, "\nsh <<'E F'\n", "\nE F\n"),
        ]);
        let mut inner = other;
        match close.trim() {
            "\"" => inner.rewrite(0, in_double_quotes),
            "'" => inner.rewrite(0, in_single_quotes),
            _ => {}
        }
        // A fragment of the outer command is not cut.
        let cut = self
            .out
            .fragments
            .iter()
            .find(|one| one.range.start < at && at < one.range.end);
        let at = cut.map_or(at, |one| one.range.end);
        let rest = self.out.split_off(at);
        self.out.text.extend(open.as_bytes());
        // A fragment begins with a word of its own, and so does what comes behind it.
        if open.is_empty() {
            self.out.text.push(b' ');
        }
        self.out.append(inner);
        self.out.text.extend(close.as_bytes());
        if close.is_empty() {
            self.out.text.push(b' ');
        }
        self.out.append(rest);
        self.bytes.mark(kind);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ShellConstructSet, ShellFragment};
    use super::{Piece, token};

    fn piece() -> Piece {
        Piece {
            text: "é; rm x; ls".into(),
            fragments: vec![ShellFragment {
                range: 4..8,
                place: ShellConstructSet::default(),
            }],
        }
    }

    #[test]
    fn a_change_before_a_fragment_moves_it() {
        let mut piece = piece();
        assert!(piece.splice(0..2, b"echo"));
        assert!(piece.splice(6..6, b"# "));
        assert!(piece.splice(12..13, b""));
        assert_eq!(piece.text, b"echo; # rm x ls");
        assert_eq!(piece.fragments[0].range, 8..12);
    }

    #[test]
    fn a_fragment_stays_whole_and_its_verb_a_word_of_its_own() {
        let mut piece = piece();
        assert!(!piece.splice(4..5, b""));
        assert!(!piece.splice(6..6, b"\""));
        assert!(!piece.splice(4..4, b"a"));
        assert!(!piece.splice(2..4, b""));
        assert!(!piece.splice(8..8, b"y"));
        assert!(!piece.splice(0..11, b""));
        assert_eq!(piece.text, "é; rm x; ls".as_bytes());
    }

    #[test]
    fn letters_are_one_token_and_signs_are_one_each() {
        let text = "aé1;;".as_bytes();
        assert_eq!(token(text, 1), 0..4);
        assert_eq!(token(text, 4), 4..5);
    }
}
