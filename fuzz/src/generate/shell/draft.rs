//! How does a form become text? The engine: holes, levels, bodies of here-documents, and where the fragments lie.
//!
//! A form is the text of a command with holes, each a `%` and a character (see [`Draft::hole`]). A newline in a form is
//! the token: the bodies of the here-documents opened on its line follow it. What the forms are is left to the topics.

use super::chain::{Flow, Quotes};
use super::construct::ShellConstruct::{self, *};
use super::fragment::{
    DANGERS, EMITTERS, FILTERS, HARMLESS, OPERANDS, OUTPUTS, QUOTED, READERS, SHELLS, VERBS, WORDS,
};
use super::piece::{Piece, in_ansi_c_quotes, in_backticks, in_double_quotes, in_single_quotes};
use super::{ShellConstructSet, ShellFragment};
use crate::generate::decoder::Decoder;
use std::mem::take;

/// Constructs and their forms; the first form is the shortest.
pub(super) type Forms = &'static [(ShellConstruct, &'static [&'static str])];

/// Commands in one another.
const DEPTH: usize = 4;
/// Commands behind another in a list.
const MORE: usize = 3;
/// Fragments of one command.
const FRAGMENTS: usize = 4;

/// A command under construction.
pub(super) struct Draft<'a> {
    pub(super) bytes: Decoder<'a, ShellConstruct>,
    pub(super) out: Piece,
    /// The constructs that are open.
    pub(super) place: ShellConstructSet,
    depth: usize,
    /// Fragments so far, asides included.
    pub(super) fragments: usize,
    /// Bodies that follow the next newline token.
    pending: Vec<Piece>,
    /// A comment or a terminator is open: a newline has to come before anything else.
    must_end: bool,
    pub(super) terminal: bool,
    pub(super) flow: Flow,
}

impl<'a> Draft<'a> {
    pub(super) fn new(bytes: &'a [u8], budget: usize) -> Self {
        Self {
            bytes: Decoder::new(bytes, budget),
            out: Piece::default(),
            place: ShellConstructSet::default(),
            depth: 0,
            fragments: 0,
            pending: Vec::new(),
            must_end: false,
            terminal: false,
            flow: Flow::default(),
        }
    }

    /// Writes inside `construct`.
    pub(super) fn within(&mut self, construct: ShellConstruct, write: impl FnOnce(&mut Self)) {
        let outer = self.place;
        self.bytes.mark(construct);
        self.place.insert(construct);
        write(self);
        self.place = outer;
    }

    /// Text as it stands.
    pub(super) fn put(&mut self, text: &str) {
        for byte in text.bytes() {
            self.put_byte(byte);
        }
    }

    fn put_byte(&mut self, byte: u8) {
        if take(&mut self.must_end) {
            self.newline();
        }
        self.out.text.push(byte);
    }

    /// The token, and the bodies that it brings.
    pub(super) fn newline(&mut self) {
        self.must_end = false;
        self.out.text.push(b'\n');
        for body in take(&mut self.pending) {
            self.out.append(body);
            self.out.text.push(b'\n');
        }
    }

    /// A newline has to come next.
    pub(super) fn end_line(&mut self) {
        self.must_end = true;
    }

    /// Whether one has to.
    pub(super) fn is_at_line_end(&self) -> bool {
        self.must_end
    }

    /// Text that is parsed by itself: the here-documents opened in it have their bodies in it.
    pub(super) fn level(&mut self, write: impl FnOnce(&mut Self)) {
        let pending = take(&mut self.pending);
        let must_end = take(&mut self.must_end);
        write(self);
        if self.must_end || !self.pending.is_empty() {
            self.newline();
        }
        self.pending = pending;
        self.must_end = must_end;
    }

    /// The end of the command: what is pending comes, without a last newline.
    pub(super) fn end(&mut self) {
        if !self.pending.is_empty() {
            self.newline();
            self.out.text.pop();
        }
        self.must_end = false;
        // Bodies were written before the rest of their line.
        self.out.fragments.sort_by_key(|one| one.range.start);
    }

    /// Writes beside the text; what was written stands after the next newline token.
    pub(super) fn body(&mut self, write: impl FnOnce(&mut Self)) {
        let out = take(&mut self.out);
        self.level(write);
        let body = std::mem::replace(&mut self.out, out);
        self.pending.push(body);
    }

    /// Text of its own level, which `quote` then writes anew.
    pub(super) fn quoted(
        &mut self,
        quote: impl Fn(u8, &mut Vec<u8>),
        write: impl FnOnce(&mut Self),
    ) {
        if take(&mut self.must_end) {
            self.newline();
        }
        let from = self.out.text.len();
        self.level(write);
        self.out.rewrite(from, quote);
    }

    /// A marked fragment; when there are enough of them, something harmless.
    pub(super) fn fragment(&mut self, choices: &[&'static str]) {
        if self.fragments == FRAGMENTS {
            return self.put("ls");
        }
        self.fragments += 1;
        let text = self.bytes.pick(choices);
        if take(&mut self.must_end) {
            self.newline();
        }
        let start = self.out.text.len();
        self.put(text);
        self.out.fragments.push(ShellFragment {
            range: start..start + text.len(),
            place: self.place,
        });
    }

    /// One command of any kind.
    pub(super) fn command(&mut self) {
        let inner = self.depth > 0;
        if self.depth == DEPTH || !self.bytes.spend() || inner && self.bytes.chance(35) {
            return self.within(Plain, |draft| draft.fragment(&DANGERS));
        }
        self.depth += 1;
        self.any_topic();
        self.depth -= 1;
    }

    /// One construct of a topic, in one of its forms.
    pub(super) fn one_of(&mut self, forms: Forms) {
        let (construct, forms) = self.bytes.pick(forms);
        let form = self.bytes.pick(forms);
        self.within(construct, |draft| draft.form(form));
    }

    /// Commands in a row, without what ends the last. Whether there is another is asked behind each, so that the ones
    /// before it can be cut off.
    pub(super) fn list(&mut self) {
        self.command();
        for _ in 0..MORE {
            match self
                .bytes
                .weighted(&[(62, None), (28, Some(true)), (10, Some(false))])
            {
                None => break,
                Some(any) => {
                    self.within(List, |draft| {
                        draft.separator();
                        if any {
                            draft.command();
                        } else {
                            draft.form("%n");
                        }
                    });
                }
            }
        }
    }

    fn separator(&mut self) {
        if take(&mut self.must_end) {
            return self.newline();
        }
        match self
            .bytes
            .weighted(&[(45, List), (35, ListNewline), (14, ListAnd), (6, ListOr)])
        {
            ListNewline => {
                self.bytes.mark(ListNewline);
                self.newline();
            }
            ListAnd => {
                self.bytes.mark(ListAnd);
                self.put(" && ");
            }
            ListOr => {
                self.bytes.mark(ListOr);
                self.put(" || ");
            }
            _ => self.put("; "),
        }
    }

    /// Writes a form: text, newline tokens and holes; `%[` to `%]` is the body of a here-document.
    pub(super) fn form(&mut self, form: &str) {
        self.written(form, false);
    }

    /// A form whose separators may be written in other ways, or stand as they are.
    pub(super) fn written(&mut self, form: &str, loose: bool) {
        let mut rest = form;
        let mut quotes = Quotes::default();
        while let Some(at) = rest.find(['%', '\n']) {
            self.literal(&rest[..at], loose.then_some(&mut quotes));
            if rest.as_bytes()[at] == b'\n' {
                self.newline();
                rest = &rest[at + 1..];
                continue;
            }
            let hole = rest[at + 1..].chars().next().expect("a hole has a name");
            rest = &rest[at + 1 + hole.len_utf8()..];
            if hole == '[' {
                let (body, after) = rest.split_once("%]").expect("a body is closed");
                rest = after;
                self.body(|draft| draft.form(body));
            } else {
                self.hole(hole);
            }
        }
        self.literal(rest, loose.then_some(&mut quotes));
    }

    fn hole(&mut self, hole: char) {
        match hole {
            // A sign of its own.
            '%' => self.put("%"),
            // A newline that is no token: after a backslash or in quotes.
            '/' => self.put("\n"),
            '!' => self.end_line(),
            // On a terminal; the construct needs one.
            't' => {
                self.bytes.mark(OnTerminal);
                self.terminal = true;
            }
            // Fragments: of words alone, with quotes of their own, a verb alone.
            'x' => self.fragment(&DANGERS),
            'X' => self.fragment(&QUOTED),
            'v' => self.fragment(&VERBS),
            // A command of any kind, a fragment at the least.
            'c' => self.command(),
            // Commands, and what ends the last of them.
            'l' => {
                self.list();
                self.last_end();
            }
            ';' => self.last_end(),
            // A program as a string.
            'q' => self.string(),
            // Text that is an operand: of echo, of grep, of another.
            'a' => self.within(OperandOfEcho, Self::operand),
            'g' => self.within(OperandOfGrep, Self::operand),
            'w' => self.within(OperandOther, Self::operand),
            'e' => self.emitter(),
            // Substitutions of commands.
            '$' => {
                self.put("$(");
                self.level(Self::list);
                self.put(")");
            }
            '`' => {
                self.put("`");
                self.quoted(in_backticks, Self::list);
                self.put("`");
            }
            // Something harmless: a command, a shell that reads, a filter, a reader, a redirection or pipe, a word.
            'n' => self.choose(&HARMLESS),
            's' => self.choose(&SHELLS),
            'f' => self.choose(&FILTERS),
            'r' => self.choose(&READERS),
            'o' => self.choose(&OUTPUTS),
            'p' => self.choose(&WORDS),
            other => self.hole_of_step(other),
        }
    }

    fn choose(&mut self, choices: &[&'static str]) {
        let text = self.bytes.pick(choices);
        self.put(text);
    }

    /// `;` or a newline.
    fn last_end(&mut self) {
        if take(&mut self.must_end) || self.bytes.chance(25) {
            self.newline();
        } else {
            self.put(";");
        }
    }

    /// A list as one word.
    fn string(&mut self) {
        self.quoted_word(Self::list);
    }

    /// What is written as one word, in one of the ways to quote it.
    pub(super) fn quoted_word(&mut self, write: impl FnOnce(&mut Self)) {
        let (open, quote, close): (_, fn(u8, &mut Vec<u8>), _) = self.bytes.weighted(&[
            (45, ("'", in_single_quotes as fn(u8, &mut Vec<u8>), "'")),
            (45, ("\"", in_double_quotes, "\"")),
            (10, ("$'", in_ansi_c_quotes, "'")),
        ]);
        self.put(open);
        self.quoted(quote, write);
        self.put(close);
    }

    /// A fragment in a quoted word.
    fn operand(&mut self) {
        let form = self.bytes.weighted(&OPERANDS);
        self.form(form);
    }

    /// A command that prints a line, which is a fragment.
    fn emitter(&mut self) {
        let (construct, form) = self.bytes.weighted(&EMITTERS);
        self.within(construct, |draft| draft.form(form));
    }
}

#[cfg(test)]
mod tests {
    use super::{Draft, in_double_quotes};

    fn formed(form: &str) -> String {
        let mut draft = Draft::new(b"", 0);
        draft.form(form);
        draft.end();
        String::from_utf8(draft.out.text).expect("forms are text")
    }

    #[test]
    fn bodies_follow_the_newline_that_ends_their_line() {
        assert_eq!(
            formed("cat <<A%[a\nA%]; cat <<B%[b\nB%] | sh\nls"),
            "cat <<A; cat <<B | sh\na\nA\nb\nB\nls"
        );
        assert_eq!(
            formed("cat <<A \\%/%[a\nA%]&& ls"),
            "cat <<A \\\n&& ls\na\nA"
        );
    }

    #[test]
    fn a_comment_and_a_terminator_end_with_their_line() {
        assert_eq!(formed("{ ls # a%!%; }"), "{ ls # a\n }");
        assert_eq!(formed("ls # a%!; ls"), "ls # a\n; ls");
        assert_eq!(formed("{ ls%; }%!"), "{ ls; }");
    }

    #[test]
    fn a_substitution_holds_the_bodies_that_it_opens() {
        let mut draft = Draft::new(b"", 0);
        draft.form("cat <<A%[a\nA%] $(");
        draft.level(|draft| draft.form("cat <<B%[b\nB%]"));
        draft.form(")");
        draft.end();
        assert_eq!(draft.out.text, b"cat <<A $(cat <<B\nb\nB\n)\na\nA");
    }

    #[test]
    fn quoting_moves_the_fragments_and_keeps_their_verbs() {
        let mut draft = Draft::new(b"", 0);
        draft.form("sh -c \"");
        draft.quoted(in_double_quotes, |draft| draft.form("echo \"$x\"; %x"));
        draft.form("\"; %x");
        assert_eq!(
            draft.out.text,
            b"sh -c \"echo \\\"\\$x\\\"; rm -rf /\"; rm -rf /"
        );
        let marked: Vec<&[u8]> = draft
            .out
            .fragments
            .iter()
            .map(|one| &draft.out.text[one.range.clone()])
            .collect();
        assert_eq!(marked, [b"rm -rf /", b"rm -rf /"]);
    }
}
