//! The argument list: options in every spelling, pieces, operands, and their order.

use super::super::SedInvocation;
use super::Draft;
use super::construct::Construct::{self, *};
use super::pieces::Piece;

/// Long options, and whether each takes an argument: never, always, or only after `=`.
const LONG: [(&[u8], Takes); 19] = [
    (b"quiet", Takes::Nothing),
    (b"silent", Takes::Nothing),
    (b"separate", Takes::Nothing),
    (b"unbuffered", Takes::Nothing),
    (b"binary", Takes::Nothing),
    (b"null-data", Takes::Nothing),
    (b"zero-terminated", Takes::Nothing),
    (b"follow-symlinks", Takes::Nothing),
    (b"debug", Takes::Nothing),
    (b"posix", Takes::Nothing),
    (b"sandbox", Takes::Nothing),
    (b"regexp-extended", Takes::Nothing),
    (b"help", Takes::Nothing),
    (b"version", Takes::Nothing),
    (b"in-place", Takes::Optional),
    (b"line-length", Takes::Word),
    (b"expression", Takes::Word),
    (b"file", Takes::Word),
    (b"Quiet", Takes::Nothing),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Word,
    Optional,
}

const SUFFIXES: [(Option<Construct>, &[u8]); 13] = [
    (None, b""),
    (None, b""),
    (Some(InPlaceSuffix), b".bak"),
    (Some(InPlaceSuffix), b"n"),
    (Some(InPlaceSuffix), b"e"),
    (Some(InPlaceSuffix), b"E"),
    (Some(InPlaceSuffix), b"=.bak"),
    (Some(InPlaceStar), b"o_*_*"),
    (Some(InPlaceStar), b"*.o"),
    (Some(InPlaceSlash), b"bak/*"),
    (Some(InPlaceSlash), b"/x"),
    (Some(InPlaceParent), b"../*"),
    (Some(InPlaceParent), b"../b*"),
];

/// Words of an argument list.
pub(super) type Words = Vec<Vec<u8>>;

impl Draft<'_> {
    /// Puts the words together: options, `pieces` in order, `operands`.
    pub(super) fn argv(
        &mut self,
        made: &mut SedInvocation,
        mut pieces: Vec<Piece>,
        mut operands: Words,
    ) {
        let mut head: Words = vec![b"sed".to_vec()];
        let mut tail = Words::new();
        let none = self.bytes.chance(3);
        let as_operand = !none && pieces.len() == 1 && !pieces[0].in_file && !self.bytes.chance(40);
        self.switches(&mut head, false);
        if self.extended {
            let placed = self.bytes.weighted(&[
                (85, Some(ExtendedBefore)),
                (10, Some(ExtendedAfter)),
                (5, None),
            ]);
            if let Some(placed) = placed {
                self.bytes.mark(placed);
                let option: &[u8] =
                    self.bytes
                        .pick(&[b"-E".as_slice(), b"-r", b"--regexp-extended", b"--reg"]);
                if placed == ExtendedBefore {
                    &mut head
                } else {
                    &mut tail
                }
                .push(option.to_vec());
            }
        }
        if none {
            self.bytes.mark(ScriptNone);
            pieces.clear();
        } else if as_operand {
            self.bytes.mark(ScriptOperand);
            operands.insert(0, pieces.remove(0).text);
        }
        for piece in pieces {
            if self.bytes.chance(8) {
                self.bytes.mark(AfterOperand);
                self.piece(&mut tail, made, piece);
            } else {
                self.piece(&mut head, made, piece);
                if self.bytes.chance(20) {
                    self.switches(&mut head, true);
                }
            }
        }
        if self.bytes.chance(6) {
            self.bytes.mark(DoubleDash);
            head.push(b"--".to_vec());
        }
        if self.bytes.chance(20) {
            self.bytes.mark(AfterOperand);
            self.switches(&mut tail, !as_operand);
        }
        let mut last = Words::new();
        if self.bytes.chance(4) {
            self.bytes.mark(ArgumentMissing);
            let option: &[u8] = self.bytes.pick(&[
                b"-e".as_slice(),
                b"-f",
                b"-l",
                b"--expression",
                b"--fi",
                b"-nse",
            ]);
            last.push(option.to_vec());
        }
        let split = if tail.is_empty() {
            0
        } else {
            operands.len() - self.bytes.below(2).min(operands.len())
        };
        made.argv = head;
        made.argv.extend(operands.drain(..split));
        made.argv.append(&mut tail);
        made.argv.append(&mut operands);
        made.argv.append(&mut last);
    }

    /// A few options that are no pieces; `after` some piece.
    fn switches(&mut self, words: &mut Words, after: bool) {
        for _ in 0..self.bytes.weighted(&[(38, 0), (38, 1), (16, 2), (8, 3)]) {
            self.switch(words, after);
        }
    }

    fn switch(&mut self, words: &mut Words, after: bool) {
        let kind = self.bytes.weighted(&[
            (30, ShortFlag),
            (10, ShortCluster),
            (16, InPlace),
            (5, InPlaceLong),
            (14, LongFull),
            (9, LongAbbreviated),
            (7, LongValueRefused),
            (6, LongUnknown),
            (6, ShortUnknown),
            (4, LineLength),
            (if after { 16 } else { 3 }, SandboxBefore),
            (if after { 16 } else { 4 }, PosixBefore),
            (2, Debug),
            (2, FollowSymlinks),
            (1, InPlaceNextWord),
        ]);
        match kind {
            ShortFlag | ShortUnknown | Debug | FollowSymlinks | LineLength | InPlaceNextWord => {
                self.bytes.mark(kind)
            }
            SandboxBefore => self
                .bytes
                .mark(if after { SandboxAfter } else { SandboxBefore }),
            PosixBefore => self
                .bytes
                .mark(if after { PosixAfter } else { PosixBefore }),
            _ => {}
        }
        match kind {
            ShortCluster => {
                let mut cluster = b"-".to_vec();
                self.cluster(&mut cluster);
                words.push(cluster);
            }
            InPlace => self.in_place(words),
            InPlaceLong => self.in_place_long(words),
            LongFull => self.long(words, false, false),
            LongAbbreviated => self.long(words, true, false),
            LongValueRefused => self.long(words, false, true),
            LineLength => self.line_length(words),
            InPlaceNextWord => words.extend([
                b"-i".to_vec(),
                self.bytes.pick(&[b"".as_slice(), b".bak"]).to_vec(),
            ]),
            _ => {
                let flag: &[u8] = match kind {
                    LongUnknown => {
                        self.bytes.mark(LongUnknown);
                        self.bytes.pick(&[
                            b"--inplace".as_slice(),
                            b"--In-place",
                            b"--x",
                            b"--=p",
                            b"--expression-file=x",
                        ])
                    }
                    ShortUnknown => self.bytes.pick(&[
                        b"-Z".as_slice(),
                        b"-nI",
                        b"-h",
                        b"-1",
                        b"-Vx",
                        b"-n5,10p",
                        b"-p",
                    ]),
                    SandboxBefore => self.bytes.pick(&[b"--sandbox".as_slice(), b"--sa"]),
                    PosixBefore => self.bytes.pick(&[b"--posix".as_slice(), b"--p"]),
                    Debug => b"--debug",
                    FollowSymlinks => self.bytes.pick(&[b"--follow-symlinks".as_slice(), b"--fo"]),
                    _ => self
                        .bytes
                        .pick(&[b"-n".as_slice(), b"-n", b"-s", b"-u", b"-z", b"-b"]),
                };
                words.push(flag.to_vec());
            }
        }
    }

    pub(super) fn cluster(&mut self, word: &mut Vec<u8>) {
        self.bytes.mark(ShortCluster);
        for _ in 0..=self.bytes.below(3) {
            let letter = self.bytes.pick(b"nsunbz");
            word.push(letter);
        }
    }

    fn suffix(&mut self) -> &'static [u8] {
        let (kind, suffix) = self.bytes.pick(&SUFFIXES);
        if let Some(kind) = kind {
            self.bytes.mark(kind);
        }
        if kind == Some(InPlaceSlash) {
            self.written
                .extend([b"bak/d/f".to_vec(), b"bak/src/x.c".to_vec()]);
        }
        suffix
    }

    /// `-i` alone, with a suffix, or at the end of a cluster.
    fn in_place(&mut self, words: &mut Words) {
        self.bytes.mark(InPlace);
        let mut word = b"-".to_vec();
        if self.bytes.chance(30) {
            self.cluster(&mut word);
        }
        word.push(b'i');
        word.extend(self.suffix());
        words.push(word);
    }

    fn in_place_long(&mut self, words: &mut Words) {
        self.bytes.mark(InPlaceLong);
        let mut word = self.abbreviation(b"in-place", 1);
        let suffix = self.suffix();
        if !suffix.is_empty() || self.bytes.chance(20) {
            word.push(b'=');
            word.extend(suffix);
        }
        words.push(word);
    }

    fn line_length(&mut self, words: &mut Words) {
        let length: &[u8] = self.bytes.weighted(&[
            (50, b"5".as_slice()),
            (20, b"0"),
            (20, b"5i"),
            (5, b"x"),
            (5, b""),
        ]);
        match self.bytes.below(3) {
            0 => words.push([b"-l", length].concat()),
            1 => words.extend([b"-l".to_vec(), length.to_vec()]),
            _ => words.push([b"--line-length=", length].concat()),
        }
    }

    /// A long option, whole or as a prefix of any length; with a value it does not take if `refused`.
    fn long(&mut self, words: &mut Words, abbreviated: bool, refused: bool) {
        let (name, takes) = self.bytes.pick(&LONG);
        let mut word = if abbreviated {
            self.abbreviation(name, 1)
        } else {
            [b"--", name].concat()
        };
        match name {
            b"help" | b"version" => self.bytes.mark(HelpOrVersion),
            b"Quiet" => self.bytes.mark(LongUnknown),
            _ => self.bytes.mark(LongFull),
        }
        match takes {
            // A piece of its own, or a number.
            Takes::Word => word.extend(if name == b"line-length" {
                b"=9".as_slice()
            } else if name == b"file" {
                b"=s.sed".as_slice()
            } else {
                b"=p"
            }),
            Takes::Nothing if refused => {
                self.bytes.mark(LongValueRefused);
                word.extend(b"=x");
            }
            Takes::Nothing | Takes::Optional => {}
        }
        words.push(word);
    }

    /// `--` and a prefix of `name` of at least `least` letters.
    pub(super) fn abbreviation(&mut self, name: &[u8], least: usize) -> Vec<u8> {
        // Short prefixes are where two names meet.
        let longest = if self.bytes.chance(40) {
            least + 1
        } else {
            name.len()
        };
        let length = longest - self.bytes.below(longest - least + 1);
        let prefix = &name[..length];
        let meant = LONG
            .iter()
            .filter(|(other, _)| other.starts_with(prefix))
            .count();
        self.bytes.mark(match (length == name.len(), meant) {
            (true, _) => LongFull,
            (false, 1) => LongAbbreviated,
            _ => LongAmbiguous,
        });
        [b"--", prefix].concat()
    }
}
