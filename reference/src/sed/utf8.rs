//! Where does a character of several bytes end, as the C library reads UTF-8?
//!
//! glibc still knows the forms of five and six bytes; overlong forms and surrogates are invalid to it.

/// How many bytes a first byte announces; 1 where it begins no character of several bytes.
pub(super) fn announced(first: u8) -> usize {
    match first {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf7 => 4,
        0xf8..=0xfb => 5,
        0xfc..=0xfd => 6,
        _ => 1,
    }
}

/// Bytes of the first character; an invalid byte counts for one.
pub(super) fn character_length(text: &[u8]) -> usize {
    let length = text.first().map_or(1, |&first| announced(first));
    match text.get(..length) {
        Some(&[first, second, ref rest @ ..]) => {
            let overlong = matches!(
                (first, second),
                (0xe0, ..0xa0) | (0xf0, ..0x90) | (0xf8, ..0x88) | (0xfc, ..0x84)
            );
            let surrogate = first == 0xed && second >= 0xa0;
            let continued = |byte: &u8| matches!(byte, 0x80..=0xbf);
            let valid = continued(&second) && rest.iter().all(continued);
            if valid && !overlong && !surrogate {
                length
            } else {
                1
            }
        }
        _ => 1,
    }
}

/// Follows a text byte by byte and says which bytes are hidden inside a character.
#[derive(Default)]
pub(super) struct Follower {
    /// Offset of the first byte of the character begun, and how many bytes it still lacks.
    begun: usize,
    lacking: usize,
}

impl Follower {
    /// Is the byte at this offset inside a character, so that it stands for nothing by itself? To be asked of each
    /// byte in turn; bytes left out are not looked at.
    pub(super) fn hides(&mut self, text: &[u8], at: usize) -> bool {
        let byte = text[at];
        if self.lacking > 0 && matches!(byte, 0x80..=0xbf) {
            self.lacking -= 1;
            return self.lacking > 0 || character_length(&text[self.begun..]) > 1;
        }
        // What breaks a character off begins none itself.
        let broken = std::mem::take(&mut self.lacking) > 0;
        if !broken {
            self.begun = at;
            self.lacking = announced(byte) - 1;
        }
        self.lacking > 0
    }
}
