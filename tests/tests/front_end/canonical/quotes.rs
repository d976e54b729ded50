//! What does bash make of quotes and continuations while it reads?

/// Backslashes before newlines, and these, are gone.
pub(super) fn without_continuations(text: &[u8]) -> Vec<u8> {
    let mut joined = Vec::new();
    let mut at = 0;
    while at < text.len() {
        match (text[at], text.get(at + 1)) {
            (b'\\', Some(b'\n')) => at += 2,
            (b'\\', Some(&next)) => {
                joined.extend([b'\\', next]);
                at += 2;
            }
            (byte, _) => {
                joined.push(byte);
                at += 1;
            }
        }
    }
    joined
}

/// Without quotes and the backslashes that quote.
pub(super) fn removed(text: Vec<u8>) -> Vec<u8> {
    let mut bare = Vec::new();
    let mut quote = None;
    let mut bytes = text.into_iter();
    while let Some(byte) = bytes.next() {
        match (byte, quote) {
            (b'\\', None) => bare.extend(bytes.next()),
            (byte, Some(open)) if byte == open => quote = None,
            (b'\'' | b'"', None) => quote = Some(byte),
            _ => bare.push(byte),
        }
    }
    bare
}

/// `$'...'` in the single quotes that bash puts its value in.
pub(super) fn requoted(text: &[u8]) -> Vec<u8> {
    let mut value = Vec::new();
    let start = text
        .iter()
        .position(|&byte| byte == b'\'')
        .map_or(0, |at| at + 1);
    let text = &text[start..text.len().saturating_sub(1).max(start)];
    let mut at = 0;
    while at < text.len() {
        let next = text.get(at + 1).copied();
        if text[at] != b'\\' || next.is_none() {
            value.push(text[at]);
            at += 1;
            continue;
        }
        at += 2;
        let mut number = |base: u32, most: usize| {
            let rest = &text[at..];
            let digits = rest
                .iter()
                .take(most)
                .take_while(|&&byte| char::from(byte).is_digit(base));
            let digits = &rest[..digits.count()];
            at += digits.len();
            let digits = digits
                .iter()
                .map(|&byte| char::from(byte).to_digit(base).unwrap_or(0));
            digits.fold(0, |sum, digit| sum * base + digit)
        };
        match next.unwrap_or(0) {
            b'a' => value.push(7),
            b'b' => value.push(8),
            b'e' | b'E' => value.push(27),
            b'f' => value.push(12),
            b'n' => value.push(b'\n'),
            b'r' => value.push(b'\r'),
            b't' => value.push(b'\t'),
            b'v' => value.push(11),
            byte @ (b'\\' | b'\'' | b'"' | b'?') => value.push(byte),
            b'x' => value.push(number(16, 2) as u8),
            unit @ (b'u' | b'U') => {
                let code = number(16, if unit == b'u' { 4 } else { 8 });
                let sign = char::from_u32(code).unwrap_or('?');
                value.extend(sign.to_string().into_bytes());
            }
            b'0'..=b'7' => {
                at -= 1;
                let rest = &text[at..];
                let digits = rest
                    .iter()
                    .take(3)
                    .take_while(|byte| (b'0'..=b'7').contains(byte));
                let count = digits.count();
                let sum = rest[..count]
                    .iter()
                    .fold(0_u32, |sum, digit| sum * 8 + u32::from(digit - b'0'));
                value.push(sum as u8);
                at += count;
            }
            b'c' if at < text.len() => {
                value.push(text[at] & 0x1f);
                at += 1;
            }
            byte => value.extend([b'\\', byte]),
        }
    }
    // What comes after a zero byte is lost.
    let end = value
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(value.len());
    if value[..end] == *b"'" {
        return b"\\'".to_vec();
    }
    let parts: Vec<&[u8]> = value[..end].split(|&byte| byte == b'\'').collect();
    [b"'", &parts.join(&b"'\\''"[..])[..], b"'"].concat()
}
