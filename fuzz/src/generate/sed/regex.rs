//! Regular expressions, basic and extended, and a line on which each matches.

use super::Draft;
use super::construct::Construct::*;
use super::substitute::Delimiter;

const WORDS: [&[u8]; 9] = [
    b"a", b"alpha", b"beta", b"gamma", b"w", b"e", b"true", b"echo hi", b"out",
];

impl Draft<'_> {
    /// Writes a regular expression and keeps a line for the inputs on which it matches, if it can match at all.
    pub(super) fn regex(&mut self, text: &mut Vec<u8>, delimiter: Delimiter) {
        self.groups = 0;
        let mut sample = Vec::new();
        match self.bytes.weighted(&[
            (76, None),
            (14, Some(RegexRepeat)),
            (5, Some(RegexEmpty)),
            (5, Some(RegexStarFirst)),
        ]) {
            Some(RegexRepeat) => text.extend(b".*"),
            Some(RegexEmpty) => {
                self.bytes.mark(RegexEmpty);
                return;
            }
            Some(_) => {
                self.bytes.mark(RegexStarFirst);
                text.extend(b"*a");
                sample.extend(b"*a");
            }
            None => {
                for _ in 0..=self.bytes.turns(2) {
                    self.atom(text, &mut sample, delimiter, 0);
                }
            }
        }
        if !sample.is_empty() {
            self.samples.push(sample);
        }
    }

    fn atom(
        &mut self,
        text: &mut Vec<u8>,
        sample: &mut Vec<u8>,
        delimiter: Delimiter,
        depth: usize,
    ) {
        let kind = self.bytes.weighted(&[
            (110, AddressRegex),
            (34, BracketPlain),
            (16, RegexGroup),
            (14, RegexRepeat),
            (10, RegexInterval),
            (4, RegexIntervalBad),
            (8, RegexAlternation),
            (10, RegexAnchor),
            (6, RegexReference),
            (2, RegexUnbalanced),
            (8, RegexClassLetter),
            (6, RegexBoundary),
            (6, EscapeLetter),
            (6, EscapeNumber),
            (3, EscapeControl),
            (10, NearMissRegex),
            (1, RegexRawNewline),
        ]);
        if kind != AddressRegex && kind != BracketPlain {
            self.bytes.mark(kind);
        }
        match kind {
            BracketPlain => self.bracket(text, sample, delimiter),
            RegexGroup => self.group(text, sample, delimiter, depth),
            RegexRepeat => {
                let repeat: &[u8] = if self.extended {
                    self.bytes
                        .pick(&[b"a*".as_slice(), b"a+", b"b?", b".*", b"."])
                } else {
                    self.bytes
                        .pick(&[b"a*".as_slice(), b"a\\+", b"b\\?", b".*", b"."])
                };
                text.extend(repeat);
                sample.push(b'a');
            }
            RegexInterval => {
                let (open, close) = self.operators(b"{", b"}");
                text.push(b'a');
                text.extend(open);
                let counts: &[u8] =
                    self.bytes
                        .pick(&[b"1".as_slice(), b"1,2", b"2,", b",3", b"0,0"]);
                text.extend(counts);
                text.extend(close);
                sample.extend(b"aa");
            }
            RegexIntervalBad => {
                let (open, close) = self.operators(b"{", b"}");
                let (counts, closed): (&[u8], _) = self.bytes.pick(&[
                    (b"2,1".as_slice(), true),
                    (b"1", false),
                    (b"x", true),
                    (b"99999", true),
                ]);
                text.push(b'a');
                text.extend(open);
                text.extend(counts);
                if closed {
                    text.extend(close);
                }
            }
            RegexAlternation => {
                text.push(b'a');
                text.extend(if self.extended {
                    b"|".as_slice()
                } else {
                    b"\\|"
                });
                text.push(b'b');
                sample.push(b'a');
            }
            RegexAnchor => {
                let anchor: &[u8] = self.bytes.pick(&[b"^".as_slice(), b"$", b"\\`", b"\\'"]);
                text.extend(anchor);
            }
            RegexReference => {
                // Mostly to a group that is there.
                if self.groups == 0 && !self.bytes.chance(15) {
                    self.group(text, sample, delimiter, depth);
                }
                let number = if self.groups == 0 {
                    1 + self.bytes.below(9) as u8
                } else {
                    1
                };
                if number > self.groups {
                    self.bytes.mark(RegexReferenceMissing);
                }
                text.extend([b'\\', b'0' + number]);
            }
            RegexUnbalanced => {
                let (open, close) = self.operators(b"(", b")");
                text.extend(if self.bytes.chance(50) { open } else { close });
            }
            RegexClassLetter => {
                let (letter, byte) =
                    self.bytes
                        .pick(&[(b'w', b'a'), (b'W', b' '), (b's', b' '), (b'S', b'a')]);
                text.extend([b'\\', letter]);
                sample.push(byte);
            }
            RegexBoundary => {
                let boundary: &[u8] = self
                    .bytes
                    .pick(&[b"\\b".as_slice(), b"\\B", b"\\<", b"\\>"]);
                text.extend(boundary);
            }
            EscapeLetter => {
                let escape: &[u8] = self.bytes.pick(&[
                    b"\\n".as_slice(),
                    b"\\t",
                    b"\\f",
                    b"\\v",
                    b"\\.",
                    b"\\*",
                    b"\\[",
                    b"\\]",
                    b"\\/",
                    b"\\q",
                ]);
                text.extend(escape);
            }
            EscapeNumber => self.escape_number(text),
            EscapeControl => self.escape_control(text),
            NearMissRegex => {
                if self.bytes.chance(50) {
                    self.bracket_around(text, delimiter);
                    sample.extend(delimiter);
                }
                self.literal(text, b"w out", delimiter);
                sample.extend(b"w out");
            }
            RegexRawNewline => text.push(b'\n'),
            _ => {
                let word = self.bytes.pick(&WORDS);
                self.literal(text, word, delimiter);
                sample.extend(word);
            }
        }
    }

    fn group(
        &mut self,
        text: &mut Vec<u8>,
        sample: &mut Vec<u8>,
        delimiter: Delimiter,
        depth: usize,
    ) {
        let (open, close) = self.operators(b"(", b")");
        text.extend(open);
        if depth < 3 && self.bytes.spend() {
            self.atom(text, sample, delimiter, depth + 1);
        }
        text.extend(close);
        self.groups += 1;
    }

    /// An operator pair as the syntax wants it: bare when extended, else with a backslash.
    fn operators(
        &mut self,
        open: &'static [u8],
        close: &'static [u8],
    ) -> (&'static [u8], &'static [u8]) {
        match (self.extended, open) {
            (true, _) => (open, close),
            (false, b"(") => (b"\\(", b"\\)"),
            (false, _) => (b"\\{", b"\\}"),
        }
    }

    /// A bracket that holds the delimiter, which does not end anything there.
    fn bracket_around(&mut self, text: &mut Vec<u8>, delimiter: Delimiter) {
        if delimiter == b"\n" || delimiter == b"]" || delimiter == b"[" {
            return;
        }
        self.bytes.mark(DelimiterInBracket);
        text.push(b'[');
        text.extend(delimiter);
        text.push(b']');
    }

    fn bracket(&mut self, text: &mut Vec<u8>, sample: &mut Vec<u8>, delimiter: Delimiter) {
        let kind = self.bytes.weighted(&[
            (30, BracketPlain),
            (14, BracketNegated),
            (10, BracketFirstClose),
            (14, BracketClass),
            (8, BracketCollating),
            (6, BracketEquivalence),
            (8, BracketBackslash),
            (14, DelimiterInBracket),
            (4, BracketOpen),
        ]);
        let (bracket, byte): (&[u8], u8) = match kind {
            BracketPlain => self.bytes.pick(&[
                (b"[ab]".as_slice(), b'a'),
                (b"[a-z]", b'b'),
                (b"[a-]", b'-'),
                (b"[*.$]", b'$'),
                (b"[[]", b'['),
                (b"[w out]", b'w'),
                (b"[z-a]", b'a'),
            ]),
            BracketNegated => self.bytes.pick(&[
                (b"[^b]".as_slice(), b'a'),
                (b"[^]a]", b'b'),
                (b"[^^]", b'a'),
                (b"[^a-c]", b'x'),
            ]),
            BracketFirstClose => self.bytes.pick(&[
                (b"[]]".as_slice(), b']'),
                (b"[]a]", b'a'),
                (b"[]/]", b'/'),
                (b"[^]/]", b'a'),
            ]),
            BracketClass => self.bytes.pick(&[
                (b"[[:alpha:]]".as_slice(), b'a'),
                (b"[[:space:]x]", b'x'),
                (b"[^[:digit:]/]", b'a'),
                (b"[[:upper:]-]", b'A'),
                (b"[[:bad:]]", b'a'),
                (b"[:alpha:]", b'a'),
            ]),
            BracketCollating => self.bytes.pick(&[
                (b"[[.a.]]".as_slice(), b'a'),
                (b"[[.].]]", b']'),
                (b"[[.-.]/]", b'-'),
                (b"[[.space.]]", b' '),
                (b"[[./.]]", b'/'),
            ]),
            BracketEquivalence => self.bytes.pick(&[
                (b"[[=a=]]".as_slice(), b'a'),
                (b"[[=]=]a]", b']'),
                (b"[x[=b=]/]", b'b'),
            ]),
            BracketBackslash => self.bytes.pick(&[
                (b"[\\]".as_slice(), b'\\'),
                (b"[\\n]", b'n'),
                (b"[a\\]", b'a'),
                (b"[\\/]", b'/'),
                (b"[\\]/]", b'\\'),
            ]),
            DelimiterInBracket => {
                self.bracket_around(text, delimiter);
                sample.extend(delimiter);
                return;
            }
            _ => self.bytes.pick(&[
                (b"[a".as_slice(), b'a'),
                (b"[[:w]", b'w'),
                (b"[", b'a'),
                (b"[]", b']'),
                (b"[^]", b'a'),
                (b"[[.a]", b'a'),
                (b"[a\n]", b'a'),
            ]),
        };
        self.bytes.mark(kind);
        text.extend(bracket);
        sample.push(byte);
    }

    /// A byte by its number: decoded after the parts are cut out, so it ends nothing.
    pub(super) fn escape_number(&mut self, text: &mut Vec<u8>) {
        self.bytes.mark(EscapeNumber);
        let escape: &[u8] = self.bytes.pick(&[
            b"\\x41".as_slice(),
            b"\\d065",
            b"\\o101",
            b"\\x2f",
            b"\\x0a",
            b"\\x26",
            b"\\x5c",
            b"\\o073",
            b"\\d010",
            b"\\x5b",
            b"\\xg",
            b"\\d",
            b"\\o9",
            b"\\x",
            b"\\d999",
        ]);
        text.extend(escape);
    }

    /// A control byte by its letter; followed by a backslash it is an error.
    pub(super) fn escape_control(&mut self, text: &mut Vec<u8>) {
        self.bytes.mark(EscapeControl);
        let escape: &[u8] = self.bytes.pick(&[
            b"\\cA".as_slice(),
            b"\\cz",
            b"\\c[",
            b"\\c\\\\",
            b"\\c\\d",
            b"\\c",
            b"\\c/",
            b"\\c;",
        ]);
        text.extend(escape);
    }
}
