//! What a byte means to the lexer (`docs/spec/regions.md`, B-01, B-05).

/// Ends a word.
pub(super) const BREAK: u8 = 1;
/// Ends a run of plain text in a word.
pub(super) const WORD: u8 = 2;
/// Ends a run of plain text in double quotes.
pub(super) const DOUBLE: u8 = 4;
/// Letter, digit or `_`.
pub(super) const NAME: u8 = 8;
/// May begin a name.
pub(super) const FIRST: u8 = 16;
/// Before `(`: begins an extended pattern, where they are on.
pub(super) const PATTERN: u8 = 32;
/// Space or tab.
pub(super) const BLANK: u8 = 64;

static CLASS: [u8; 256] = table();

const fn table() -> [u8; 256] {
    let mut class = [0; 256];
    let marks: [(&[u8], u8); 8] = [
        (b" \t\n;|&<>()", BREAK | WORD),
        (b"\0\\'\"$`", WORD),
        (b"\0\"\\$`", DOUBLE),
        (b"?*+@!", PATTERN),
        (b" \t", BLANK),
        (b"_abcdefghijklmnopqrstuvwxyz", NAME | FIRST),
        (b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", NAME | FIRST),
        (b"0123456789", NAME),
    ];
    let mut mark = 0;
    while mark < marks.len() {
        let mut at = 0;
        while at < marks[mark].0.len() {
            class[marks[mark].0[at] as usize] |= marks[mark].1;
            at += 1;
        }
        mark += 1;
    }
    class
}

/// Is the byte of the class?
#[inline]
pub(super) fn is(byte: u8, class: u8) -> bool {
    CLASS[usize::from(byte)] & class != 0
}
