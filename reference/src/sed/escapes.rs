//! Which bytes do the escapes `\n \t \f \v \a \r \dNNN \oNNN \xHH \cX` stand for?
//!
//! sed decodes them after a part was cut out, so they never end a part or a command (`docs/spec/sed.md` section 4).

/// Where a text stands; it decides what a decoded special byte becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A regular expression: a decoded byte keeps its special meaning.
    Regex,
    /// A replacement or a text: a decoded `\` or `&` is a literal one.
    Text,
    /// A part of `y`: like a text, but a `\c` at the end stands for nothing.
    Characters,
}

/// `\c\` is followed by something else than a backslash: sed refuses the script.
pub(super) struct RecursiveControl;

/// The text with its escapes decoded; every other backslash pair stays as it is.
pub(super) fn decode(text: &[u8], place: Place) -> Result<Vec<u8>, RecursiveControl> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let byte = text[at];
        let Some(&next) = text.get(at + 1).filter(|_| byte == b'\\') else {
            out.push(byte);
            at += 1;
            continue;
        };
        at += 2;
        let plain = match next {
            b'a' => 0x07,
            b'f' => 0x0c,
            b'n' if place == Place::Regex => b'\n',
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
                    match place {
                        Place::Regex => out.push(b'\\'),
                        Place::Text => out.extend([b'\\', next]),
                        Place::Characters => {}
                    }
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
    if place != Place::Regex && matches!(byte, b'\\' | b'&') {
        out.push(b'\\');
    }
    out.push(byte);
}
