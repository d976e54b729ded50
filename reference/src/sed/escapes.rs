//! Which bytes do the escapes `\n \t \f \v \a \r \dNNN \oNNN \xHH \cX` stand for?
//!
//! sed decodes them after a part was cut out, so they never end a part or a command (`docs/spec/sed.md` section 4).

/// Where a text stands; it decides what a decoded special byte becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A regular expression: a decoded byte keeps its special meaning.
    Regex,
    /// The same without GNU's extensions: in a bracket expression nothing is decoded.
    PosixRegex,
    /// A replacement, a text, or a part of `y`: a decoded `\` or `&` is a literal one.
    Text,
}

/// `\c\` is followed by something else than a backslash: sed refuses the script.
pub(super) struct RecursiveControl;

/// Where sed believes to be in an expression without extensions; it does not know that a first `]` is literal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Nothing,
    List,
    /// In `[:`, `[.` or `[=`.
    Name(u8),
}

impl Inside {
    /// The state after the byte at this offset; `saved`: bytes by which the text before it became shorter.
    fn then(self, text: &[u8], at: usize, saved: usize) -> Self {
        let before = |distance| at.checked_sub(distance).map(|at| text[at]);
        match (self, text[at]) {
            (Inside::Nothing, b'[') => Inside::List,
            (Inside::List, mark @ (b':' | b'.' | b'=')) if before(1) == Some(b'[') => {
                Inside::Name(mark)
            }
            (Inside::List, b']') => Inside::Nothing,
            // sed decodes in place: with one byte saved it finds the byte before in place of the one before that.
            (Inside::Name(mark), b']')
                if before(1) == Some(mark) && before(2) != Some(mark) && saved != 1 =>
            {
                Inside::List
            }
            _ => self,
        }
    }
}

/// The text with its escapes decoded; every other backslash pair stays as it is.
pub(super) fn decode(text: &[u8], place: Place) -> Result<Vec<u8>, RecursiveControl> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    let mut inside = Inside::Nothing;
    while at < text.len() {
        let byte = text[at];
        let escapes = byte == b'\\' && inside == Inside::Nothing;
        let Some(&next) = text.get(at + 1).filter(|_| escapes) else {
            if place == Place::PosixRegex {
                inside = inside.then(text, at, at - out.len());
            }
            out.push(byte);
            at += 1;
            continue;
        };
        at += 2;
        let plain = match next {
            b'a' => 0x07,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 0x0b,
            b'c' => match text.get(at) {
                Some(b'\\') if text.get(at + 1) != Some(&b'\\') => return Err(RecursiveControl),
                Some(&byte) => {
                    at += if byte == b'\\' { 2 } else { 1 };
                    push(&mut out, byte.to_ascii_uppercase() ^ 0x40, place);
                    continue;
                }
                None => {
                    // Elsewhere than in an expression nothing is left of it.
                    out.extend((place != Place::Text).then_some(b'\\'));
                    continue;
                }
            },
            b'd' | b'o' | b'x' => {
                let (radix, most) = match next {
                    b'd' => (10, 3),
                    b'o' => (8, 3),
                    _ => (16, 2),
                };
                let digits = text[at..]
                    .iter()
                    .take(most)
                    .map_while(|&b| char::from(b).to_digit(radix));
                let (count, value) = digits.fold((0, 0_u32), |(count, value), digit| {
                    (count + 1, value * radix + digit)
                });
                at += count;
                let byte = if count == 0 {
                    next
                } else {
                    (value & 0xff) as u8
                };
                push(&mut out, byte, place);
                continue;
            }
            _ => {
                out.extend([b'\\', next]);
                continue;
            }
        };
        out.push(plain);
    }
    Ok(out)
}

fn push(out: &mut Vec<u8>, byte: u8, place: Place) {
    if place == Place::Text && matches!(byte, b'\\' | b'&') {
        out.push(b'\\');
    }
    out.push(byte);
}
