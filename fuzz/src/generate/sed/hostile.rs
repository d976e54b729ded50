//! Cases that leave the grammar: a byte or two changed, or bytes that never knew it.

use super::super::SedInvocation;
use super::Draft;
use super::construct::Construct::*;
use super::pieces::Piece;

/// What a script is made of, in no order.
const TOKENS: [&[u8]; 64] = [
    b"w out",
    b"\n",
    b"/",
    b";",
    b"s/",
    b"a",
    b"e",
    b"p",
    b" ",
    b"{",
    b"}",
    b"\\",
    b"1",
    b",",
    b"!",
    b"$",
    b"[",
    b"]",
    b"x",
    b"y/",
    b"#",
    b":",
    b"b",
    b"a\\",
    b"i\\\n",
    b"r inc",
    b"\t",
    b"~",
    b"+",
    b"0",
    b"I",
    b"M",
    b"g",
    b"&",
    b"\\1",
    b"\\n",
    b"[[:",
    b":]",
    b"[.",
    b".]",
    b"[=",
    b"=]",
    b"*",
    b".",
    b"^",
    b"\\(",
    b"\\)",
    b"\\{",
    b"\\}",
    b"(",
    b")",
    b"v",
    b"\x0b",
    b"\x0c",
    b"\r",
    b"\xff",
    b"\xc3\xa9",
    b"e echo hi",
    b"W ../up",
    b"w /dev/stdout",
    b"-i",
    b"q",
    b"c",
    b"n",
];

impl Draft<'_> {
    /// Pieces of bytes that know nothing of the grammar.
    pub(super) fn hostile_pieces(&mut self) -> Vec<Piece> {
        let kind = self
            .bytes
            .pick(&[HostilePrintable, HostileRaw, HostileTokens, HostileTokens]);
        self.bytes.mark(kind);
        (0..=self.bytes.below(2))
            .map(|_| {
                let count = 1 + self.bytes.below(48);
                let text = match kind {
                    HostileRaw => self.bytes.raw(count).to_vec(),
                    HostileTokens => self
                        .bytes
                        .raw(count / 2)
                        .iter()
                        .flat_map(|byte| TOKENS[usize::from(*byte) % TOKENS.len()])
                        .copied()
                        .collect(),
                    _ => self
                        .bytes
                        .raw(count)
                        .iter()
                        .map(|byte| {
                            if byte % 16 == 7 {
                                b'\n'
                            } else {
                                b' ' + byte % 95
                            }
                        })
                        .collect(),
                };
                Piece {
                    text: contained(text),
                    in_file: self.bytes.chance(20),
                }
            })
            .collect()
    }

    /// All that is left is the argument list, words ended by NUL.
    pub(super) fn hostile_argv(&mut self, made: &mut SedInvocation) {
        self.bytes.mark(HostileArgv);
        let rest = self.bytes.raw(usize::MAX);
        made.argv = vec![b"sed".to_vec()];
        made.argv.extend(
            rest.split(|byte| *byte == 0)
                .map(|word| contained(word.to_vec())),
        );
        for name in [b"in".as_slice(), b"d/f", b"inc"] {
            self.read.push(name.to_vec());
        }
        made.files
            .insert(b"s.sed".to_vec(), b"s/a/b/w out\n1e true\n".to_vec());
        made.scripts.extend([b"s.sed".to_vec(), b"-".to_vec()]);
        made.scripts.extend([b"s.sed".to_vec(), b"-".to_vec()]);
        self.written.push(b"bak/d/f".to_vec());
    }

    /// One or two bytes of the pieces deleted, inserted, replaced or duplicated.
    pub(super) fn mutate_pieces(&mut self, pieces: &mut [Piece]) {
        for _ in 0..=self.bytes.below(2) {
            let index = self.bytes.below(pieces.len());
            self.mutate(&mut pieces[index].text);
        }
    }

    /// The same for any word but the first.
    pub(super) fn mutate_argv(&mut self, made: &mut SedInvocation) {
        let words = made.argv.len() - 1;
        if words > 0 {
            let index = 1 + self.bytes.below(words.min(256));
            self.mutate(&mut made.argv[index]);
        }
    }

    fn mutate(&mut self, text: &mut Vec<u8>) {
        if text.is_empty() {
            return;
        }
        let before = text.clone();
        let at = usize::from(self.bytes.byte()) * text.len() / 256;
        let kind = self.bytes.pick(&[
            MutationDelete,
            MutationInsert,
            MutationReplace,
            MutationDuplicate,
        ]);
        self.bytes.mark(kind);
        match kind {
            MutationInsert => {
                let byte = self.mutant();
                text.insert(at, byte);
            }
            MutationReplace => text[at] = self.mutant(),
            MutationDuplicate => text.insert(at, text[at]),
            _ => {
                text.remove(at);
            }
        }
        *text = contained(std::mem::take(text));
        // `w d/out` must not become `w /out`.
        if text.get(at) == Some(&b'/') && (at == 0 || b" \twW".contains(&text[at - 1])) {
            *text = before;
        }
    }

    /// Mostly a byte that means something to sed.
    fn mutant(&mut self) -> u8 {
        if self.bytes.chance(25) {
            self.bytes.byte()
        } else {
            self.bytes.pick(b";\n/\\}{[]we # \tsa1,!$0&p\r-i*(")
        }
    }
}

/// No name leads further out than one level, whatever was put together.
fn contained(mut text: Vec<u8>) -> Vec<u8> {
    while let Some(at) = text.windows(5).position(|window| window == b"../..") {
        text[at + 3] = b'x';
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::sed;
    use std::path::Path;

    /// Chooses the mode, no variables, basic expressions, an argument list.
    const ARGV: &[u8] = b"\xff\0\0\xff";

    #[test]
    fn stored_seeds_are_argument_lists_still() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/sed");
        let mut seeds = 0;
        for entry in folder
            .read_dir()
            .expect("the seeds are part of the project")
        {
            let path = entry.expect("the folder can be read").path();
            let bytes = std::fs::read(&path).expect("a seed can be read");
            let words = bytes
                .strip_prefix(ARGV)
                .expect("a seed begins as an argument list does");
            let argv: Vec<&[u8]> = words.split(|byte| *byte == 0).collect();
            assert_eq!(sed(&bytes).argv[1..], argv, "{}", path.display());
            seeds += 1;
        }
        assert!(seeds > 0);
    }
}
