//! The commands of a script, and what stands between them.

use super::Draft;
use super::construct::Construct::{self, *};

/// What ends the command written last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// Nothing need follow: the start of a piece or of a block.
    Open,
    /// `;`, newline, `}` or a comment.
    Command,
    /// A label or a version: a blank will do, and then another command may follow.
    Word,
    /// Only a newline: file names, text and comments take everything else.
    Line,
}

/// Commands with their weights; those that read, write or execute are a fifth.
const COMMANDS: [(u16, Construct); 37] = [
    (33, Print),
    (60, Substitute),
    (16, Delete),
    (14, Write),
    (8, ExecuteCommand),
    (5, ExecuteSpace),
    (6, Read),
    (4, ReadLine),
    (4, WriteFirst),
    (10, Append),
    (7, Insert),
    (6, Change),
    (12, Block),
    (8, Transliterate),
    (3, Quit),
    (2, QuitSilent),
    (4, Next),
    (4, NextAppend),
    (2, Get),
    (2, GetAppend),
    (2, Hold),
    (2, HoldAppend),
    (2, Exchange),
    (2, DeleteFirst),
    (2, PrintFirst),
    (4, LineNumber),
    (3, List),
    (1, ListOld),
    (2, FileNameCommand),
    (2, Zap),
    (5, Label),
    (3, Branch),
    (3, BranchIf),
    (1, BranchIfNot),
    (3, Version),
    (6, Comment),
    (3, UnknownCommand),
];

const LABELS: [&[u8]; 6] = [b"a", b"end", b"w", b"w_out", b"e", b"1"];

/// Text that would write, run or stop if it stood where a command may begin.
pub(super) const NEAR_MISSES: [&[u8]; 8] = [
    b"w out",
    b"e echo hi",
    b"1e true",
    b"w out }",
    b"}",
    b";w out",
    b"s/a/b/w out",
    b"r inc",
];

impl Draft<'_> {
    /// A few commands in a row; says what ends the last.
    pub(super) fn commands(&mut self, text: &mut Vec<u8>, depth: usize) -> Ends {
        let mut ends = Ends::Open;
        for _ in 0..=self.bytes.turns(if depth == 0 { 3 } else { 2 }) {
            self.separate(text, ends);
            ends = self.command(text, depth);
        }
        ends
    }

    /// What stands between two commands.
    pub(super) fn separate(&mut self, text: &mut Vec<u8>, after: Ends) {
        let between: &[u8] = match after {
            Ends::Open => b"",
            Ends::Command => self.bytes.weighted(&[
                (50, b"\n".as_slice()),
                (38, b";"),
                (6, b" ; "),
                (3, b"#w out\n"),
                (3, b" # x\\\n"),
            ]),
            Ends::Word => {
                self.bytes
                    .weighted(&[(60, b"\n".as_slice()), (20, b" "), (17, b";"), (3, b"}")])
            }
            Ends::Line => self.bytes.weighted(&[
                (92, b"\n".as_slice()),
                (3, b";"),
                (2, b" "),
                (2, b"}"),
                (1, b"\r\n"),
            ]),
        };
        text.extend(between);
        if after == Ends::Line && between != b"\n" {
            self.bytes.mark(Swallowed);
        }
        if after == Ends::Word && between == b" " {
            self.bytes.mark(CommandAfterLabel);
        }
        if self.bytes.chance(8) {
            self.bytes.mark(WhiteSpace);
            let space: &[u8] = self.bytes.pick(&[
                b" ".as_slice(),
                b"\t",
                b"\n\n",
                b"\x0b",
                b"\x0c",
                b"\r",
                b";;",
                b" ; \n\t",
            ]);
            text.extend(space);
        }
    }

    /// One command with its addresses.
    fn command(&mut self, text: &mut Vec<u8>, depth: usize) -> Ends {
        let command = if self.bytes.spend() {
            self.bytes.weighted(&COMMANDS)
        } else {
            Print
        };
        self.bytes.mark(command);
        let most = match command {
            Label | Comment => 0,
            Quit | QuitSilent => 1,
            _ => 2,
        };
        self.addresses(text, most);
        match command {
            Print => self.plain(text, b'p'),
            Delete => self.plain(text, b'd'),
            DeleteFirst => self.plain(text, b'D'),
            FileNameCommand => self.plain(text, b'F'),
            Get => self.plain(text, b'g'),
            GetAppend => self.plain(text, b'G'),
            Hold => self.plain(text, b'h'),
            HoldAppend => self.plain(text, b'H'),
            Next => self.plain(text, b'n'),
            NextAppend => self.plain(text, b'N'),
            PrintFirst => self.plain(text, b'P'),
            Exchange => self.plain(text, b'x'),
            Zap => self.plain(text, b'z'),
            LineNumber => self.plain(text, b'='),
            List => self.counted(text, b'l'),
            ListOld => self.counted(text, b'L'),
            Quit => self.counted(text, b'q'),
            QuitSilent => self.counted(text, b'Q'),
            Write => self.named(text, b'w'),
            WriteFirst => self.named(text, b'W'),
            Read => self.named(text, b'r'),
            ReadLine => self.named(text, b'R'),
            Append => self.text_command(text, b'a'),
            Insert => self.text_command(text, b'i'),
            Change => self.text_command(text, b'c'),
            ExecuteCommand => self.execute(text),
            ExecuteSpace => self.plain(text, b'e'),
            Substitute => self.substitute(text),
            Transliterate => self.transliterate(text),
            Branch => self.branch(text, b'b'),
            BranchIf => self.branch(text, b't'),
            BranchIfNot => self.branch(text, b'T'),
            Label => self.label(text),
            Version => self.version(text),
            Comment => self.comment(text),
            Block => self.block(text, depth),
            _ => self.unknown(text),
        }
    }

    fn plain(&mut self, text: &mut Vec<u8>, letter: u8) -> Ends {
        text.push(letter);
        if letter == b'e' {
            Ends::Line
        } else {
            Ends::Command
        }
    }

    fn counted(&mut self, text: &mut Vec<u8>, letter: u8) -> Ends {
        text.push(letter);
        let number: &[u8] = self.bytes.weighted(&[
            (60, b"".as_slice()),
            (20, b"5"),
            (10, b" 1"),
            (5, b"0"),
            (5, b"99999999999"),
        ]);
        text.extend(number);
        Ends::Command
    }

    fn named(&mut self, text: &mut Vec<u8>, letter: u8) -> Ends {
        text.push(letter);
        let blank: &[u8] =
            self.bytes
                .weighted(&[(75, b" ".as_slice()), (15, b""), (5, b"\t"), (5, b"  ")]);
        text.extend(blank);
        let name = if letter.eq_ignore_ascii_case(&b'w') {
            self.written_name()
        } else {
            self.read_name()
        };
        text.extend(name);
        Ends::Line
    }

    fn branch(&mut self, text: &mut Vec<u8>, letter: u8) -> Ends {
        text.push(letter);
        if self.bytes.chance(60) {
            let label = self.bytes.pick(&LABELS);
            if self.bytes.chance(50) {
                text.push(b' ');
            }
            text.extend(label);
            if !self.labels.contains(&label) {
                self.labels.push(label);
            }
        }
        Ends::Word
    }

    fn label(&mut self, text: &mut Vec<u8>) -> Ends {
        let label: &[u8] =
            match self
                .bytes
                .weighted(&[(50, Label), (30, NearMissLabel), (20, LabelBackward)])
            {
                NearMissLabel => {
                    self.bytes.mark(NearMissLabel);
                    self.bytes.pick(&[
                        b":w_out".as_slice(),
                        b":w",
                        b":e",
                        b": w out",
                        b":a;w out",
                        b":we/out",
                    ])
                }
                // Branches back where it can be seen to end: other loops would only cost time.
                LabelBackward => {
                    self.bytes.mark(LabelBackward);
                    self.bytes.pick(&[
                        b":loop;N;$!bloop".as_slice(),
                        b":again\ns/a/x/\ntagain",
                        b": loop\n$!{N\nb loop\n}\n:end2",
                    ])
                }
                _ => self.bytes.pick(&[
                    b":start".as_slice(),
                    b":start1",
                    b":start2",
                    b":start3",
                    b": start4",
                    b":\tstart5",
                ]),
            };
        text.extend(label);
        Ends::Word
    }

    fn version(&mut self, text: &mut Vec<u8>) -> Ends {
        text.push(b'v');
        let version: &[u8] = self.bytes.weighted(&[
            (50, b"".as_slice()),
            (40, b" 4.2"),
            (5, b" 99.0"),
            (5, b"x"),
        ]);
        text.extend(version);
        if self.bytes.chance(30) {
            self.bytes.mark(CommandAfterVersion);
            text.push(b' ');
            return Ends::Open;
        }
        Ends::Word
    }

    fn comment(&mut self, text: &mut Vec<u8>) -> Ends {
        text.push(b'#');
        if self.bytes.chance(50) {
            self.bytes.mark(NearMissComment);
            let comment = self.bytes.pick(&NEAR_MISSES);
            text.extend(comment);
        }
        if self.bytes.chance(15) {
            text.push(b'\\');
        }
        Ends::Line
    }

    fn block(&mut self, text: &mut Vec<u8>, depth: usize) -> Ends {
        if depth > 0 {
            self.bytes.mark(BlockNested);
        }
        text.push(b'{');
        let ends = if depth < 3 {
            self.commands(text, depth + 1)
        } else {
            Ends::Open
        };
        match ends {
            Ends::Line => self.separate(text, ends),
            Ends::Word => text.push(b'\n'),
            Ends::Open | Ends::Command => {
                let before: &[u8] = self.bytes.weighted(&[
                    (50, b"".as_slice()),
                    (20, b";"),
                    (20, b"\n"),
                    (10, b" "),
                ]);
                text.extend(before);
            }
        }
        match self
            .bytes
            .weighted(&[(88, b"}".as_slice()), (6, b""), (6, b"}}")])
        {
            b"" => self.bytes.mark(BlockUnclosed),
            b"}}" => {
                self.bytes.mark(BlockStray);
                text.extend(b"}}");
            }
            close => text.extend(close),
        }
        Ends::Command
    }

    fn unknown(&mut self, text: &mut Vec<u8>) -> Ends {
        let command: &[u8] = self.bytes.pick(&[
            b"k".as_slice(),
            b"E",
            b"pw out",
            b"dw out",
            b"\xd0\xb5 id",
            b"\\w out",
            b"p\\",
            b"\xc2\xa0p",
            b"u",
            b"W",
            b"w",
        ]);
        text.extend(command);
        Ends::Command
    }
}
