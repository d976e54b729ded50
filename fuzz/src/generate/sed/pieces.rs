//! Pieces of a script: what each holds, how it is spelled in the argument list, what stays open between two.

use super::super::SedInvocation;
use super::Draft;
use super::construct::Construct::*;
use super::options::Words;

/// One `-e` or `-f` piece.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) text: Vec<u8>,
    pub(super) in_file: bool,
}

impl Draft<'_> {
    /// The whole script, piece by piece; text and blocks may stay open from one to the next.
    pub(super) fn pieces(&mut self) -> Vec<Piece> {
        let count = self.bytes.weighted(&[(76, 1), (17, 2), (7, 3)]);
        let mut pieces = Vec::new();
        let mut blocks = 0;
        for index in 0..count {
            self.in_file = self.bytes.chance(18);
            let mut text = Vec::new();
            if index == 0 {
                self.first_line(&mut text);
            }
            let ends = self.commands(&mut text, 0);
            if index + 1 < count {
                match self.bytes.weighted(&[
                    (60, None),
                    (25, Some(OpenText)),
                    (15, Some(OpenBlock)),
                ]) {
                    Some(OpenText) => {
                        self.separate(&mut text, ends);
                        let open: &[u8] = self.bytes.pick(&[
                            b"a\\".as_slice(),
                            b"i\\",
                            b"1e\\",
                            b"$a x\\",
                            b"a \\",
                            b"c\\\ntext\\",
                        ]);
                        text.extend(open);
                        self.bytes.mark(OpenText);
                    }
                    Some(_) => {
                        self.separate(&mut text, ends);
                        text.extend(b"1,9{");
                        self.bytes.mark(OpenBlock);
                        blocks += 1;
                    }
                    None => {}
                }
            } else {
                self.finish(&mut text, blocks);
            }
            if self.in_file {
                self.file_endings(&mut text);
            }
            pieces.push(Piece {
                text,
                in_file: self.in_file,
            });
        }
        if count > 1 {
            self.bytes.mark(SeveralPieces);
        }
        pieces
    }

    /// The first line has two meanings of its own.
    fn first_line(&mut self, text: &mut Vec<u8>) {
        match self
            .bytes
            .weighted(&[(94, None), (3, Some(HashN)), (3, Some(Shebang))])
        {
            Some(HashN) => {
                self.bytes.mark(HashN);
                let line: &[u8] = self.bytes.pick(&[
                    b"#n\n".as_slice(),
                    b"#no such line\n",
                    b"#n w out\n",
                    b" #n\n",
                ]);
                text.extend(line);
            }
            Some(_) => {
                self.bytes.mark(Shebang);
                text.extend(b"#!/bin/sed -nf\n");
            }
            None => {}
        }
    }

    /// Closes what is open and defines the labels that were branched to, mostly.
    fn finish(&mut self, text: &mut Vec<u8>, blocks: usize) {
        for _ in 0..blocks {
            if self.bytes.chance(5) {
                self.bytes.mark(BlockUnclosed);
            } else {
                text.extend(b"\n}");
            }
        }
        for label in std::mem::take(&mut self.labels) {
            if self.bytes.chance(16) {
                self.bytes.mark(LabelMissing);
            } else {
                text.extend(b"\n:");
                text.extend(label);
            }
        }
    }

    /// What only a file can hold, and how it ends.
    fn file_endings(&mut self, text: &mut Vec<u8>) {
        match self.bytes.weighted(&[
            (60, None),
            (24, Some(FileNoNewline)),
            (8, Some(FileCr)),
            (8, Some(FileNul)),
        ]) {
            Some(FileNoNewline) => self.bytes.mark(FileNoNewline),
            Some(special) => {
                self.bytes.mark(special);
                let at = if text.is_empty() {
                    0
                } else {
                    self.bytes.below(256) % text.len()
                };
                if special == FileNul {
                    text.insert(at, 0);
                } else {
                    let at = text[at..]
                        .iter()
                        .position(|byte| *byte == b'\n')
                        .map_or(text.len(), |line| at + line);
                    text.insert(at, b'\r');
                }
                text.push(b'\n');
            }
            None => text.push(b'\n'),
        }
    }

    /// One `-e` or `-f` in any spelling.
    pub(super) fn piece(&mut self, words: &mut Words, made: &mut SedInvocation, piece: Piece) {
        let (letter, name, argument): (u8, &[u8], Vec<u8>) = if piece.in_file {
            (b'f', b"file", self.script_file(made, piece.text))
        } else {
            self.bytes.mark(ScriptExpression);
            if self.bytes.chance(3) {
                self.bytes.mark(ScriptEmpty);
                (b'e', b"expression", Vec::new())
            } else {
                (b'e', b"expression", piece.text)
            }
        };
        let form = self.bytes.weighted(&[
            (38, ShortArgumentSeparate),
            (18, ShortArgumentAttached),
            (18, ShortArgumentInCluster),
            (12, LongValue),
            (6, LongArgumentSeparate),
            (8, LongAbbreviated),
        ]);
        self.bytes.mark(form);
        match form {
            ShortArgumentAttached => words.push([[b'-', letter].as_slice(), &argument].concat()),
            ShortArgumentInCluster => {
                let mut word = b"-".to_vec();
                self.cluster(&mut word);
                word.push(letter);
                if self.bytes.chance(40) {
                    word.extend(argument);
                    words.push(word);
                } else {
                    words.extend([word, argument]);
                }
            }
            LongValue => words.push([b"--", name, b"=", &argument].concat()),
            LongArgumentSeparate => words.extend([[b"--", name].concat(), argument]),
            LongAbbreviated => {
                let mut word = self.abbreviation(name, if letter == b'f' { 2 } else { 1 });
                word.push(b'=');
                word.extend(argument);
                words.push(word);
            }
            _ => words.extend([vec![b'-', letter], argument]),
        }
    }

    /// Stores a script as a file, or on standard input, and gives its name.
    fn script_file(&mut self, made: &mut SedInvocation, text: Vec<u8>) -> Vec<u8> {
        let place =
            self.bytes
                .weighted(&[(86, ScriptFile), (9, ScriptStdin), (5, ScriptFileMissing)]);
        self.bytes.mark(place);
        match place {
            ScriptStdin => {
                made.stdin = text;
                made.scripts.insert(b"-".to_vec());
                b"-".to_vec()
            }
            ScriptFileMissing => b"nofile.sed".to_vec(),
            _ => {
                let names = [b"s.sed".as_slice(), b"d/x.sed", b"my script", b"t.sed"];
                let start = self.bytes.below(names.len());
                let free = (0..names.len())
                    .map(|step| names[(start + step) % names.len()])
                    .find(|name| !made.files.contains_key(*name));
                let name = free.expect("there are fewer pieces than names").to_vec();
                made.files.insert(name.clone(), text);
                made.scripts.insert(name.clone());
                name
            }
        }
    }
}
