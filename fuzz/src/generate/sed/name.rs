//! Names of files, for commands that write and commands that read.
//!
//! No name leads further out than `../`, and none is absolute but under `/dev`.

use super::Draft;
use super::construct::Construct::*;

impl Draft<'_> {
    /// A name after `w`, `W` or the flag `w`.
    pub(super) fn written_name(&mut self) -> Vec<u8> {
        let name = self.name(&[
            b"out".as_slice(),
            b"out",
            b"out2",
            b".zshenv",
            b"w",
            b"\"out\"",
            b"o ut",
            b"-i",
            b"out\\",
        ]);
        self.written.push(name.clone());
        name
    }

    /// A name after `r` or `R`.
    pub(super) fn read_name(&mut self) -> Vec<u8> {
        let name = self.name(&[b"inc".as_slice(), b"inc", b"nofile", b"d", b"inc2", b"o ut"]);
        self.read.push(name.clone());
        name
    }

    fn name(&mut self, plain: &[&'static [u8]]) -> Vec<u8> {
        // Only a file can hold a NUL.
        let nul = if self.in_file { 16 } else { 0 };
        let kind = self.bytes.weighted(&[
            (40, NamePlain),
            (10, NameSubdirectory),
            (7, NameParent),
            (8, NameInput),
            (4, NameLink),
            (10, NameSpecial),
            (6, NameNeighbour),
            (4, NameTrailingBlank),
            (8, NamePunctuation),
            (2, NameControl),
            (nul, NameNul),
            (3, NameDirectoryMissing),
            (3, NameEmpty),
        ]);
        self.bytes.mark(kind);
        let name: &[u8] = match kind {
            NameSubdirectory => self.bytes.pick(&[
                b"d/out".as_slice(),
                b"sub/deep/out",
                b"./out",
                b"d//out",
                b"d/../out",
                b".claude/settings.json",
            ]),
            NameParent => self
                .bytes
                .pick(&[b"../up".as_slice(), b"../in", b"d/../../up"]),
            NameInput => self
                .bytes
                .pick(&[b"in".as_slice(), b"in2", b"d/f", b"my file"]),
            NameLink => b"ln",
            NameSpecial => self.bytes.pick(&[
                b"/dev/stdout".as_slice(),
                b"/dev/stderr",
                b"/dev/stdin",
                b"/dev/null",
            ]),
            NameNeighbour => self.bytes.pick(&[
                b"/dev//stdout".as_slice(),
                b"/dev/fd/1",
                b"dev/stdout",
                b"/dev/stdout ",
                b"/dev/stdou",
                b"/dev/./stderr",
                b"./dev/stdout",
            ]),
            NameTrailingBlank => self.bytes.pick(&[b"out ".as_slice(), b"out\t", b"out  "]),
            NamePunctuation => self.bytes.pick(&[
                b"out}".as_slice(),
                b"out;p",
                b"out # log",
                b"out;}",
                b"#out",
                b"}",
                b"out;w out2",
            ]),
            NameControl => b"out\r",
            NameNul => b"out\0hidden",
            NameDirectoryMissing => b"nodir/out",
            NameEmpty => b"",
            _ => self.bytes.pick(plain),
        };
        name.to_vec()
    }
}
