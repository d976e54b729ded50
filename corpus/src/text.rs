//! How do bytes that may be no UTF-8 stand in JSON, and how are they shown to people?

use crate::json::Json;
use serde::de::Error as _;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Bytes that stand in JSON as a string, or as `{"hex": "66ff"}` where they are no UTF-8.
///
/// Both forms are read for any bytes; upper case and white space between the pairs of digits are read too. Shown to
/// people as typed; what a terminal or an eye would take for something else stands in the shell's `$'…'`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(pub Vec<u8>);

impl Text {
    /// The bytes as a string, if they are UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text(text.as_bytes().to_vec())
    }
}

impl TryFrom<Json> for Text {
    type Error = String;

    fn try_from(value: Json) -> Result<Self, String> {
        match value {
            Json::String(text) => Ok(Text(text.into_bytes())),
            Json::Object(object) => {
                let mut pairs = object.into_iter();
                match (pairs.next(), pairs.next()) {
                    (Some((key, Json::String(digits))), None) if key == "hex" => {
                        unhex(&digits).map(Text)
                    }
                    _ => Err("is an object other than {\"hex\": \"…\"}".to_owned()),
                }
            }
            other => Err(format!(
                "is {}, not a string or {{\"hex\": \"…\"}}",
                other.kind()
            )),
        }
    }
}

fn unhex(digits: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(digits.len() / 2);
    let mut rest = digits.chars();
    while let Some(high) = rest.find(|c| !matches!(c, '\t'..='\r' | ' ')) {
        let pair = high
            .to_digit(16)
            .zip(rest.next().and_then(|low| low.to_digit(16)));
        let (high, low) =
            pair.ok_or("holds hex that is no pairs of digits; give two for each byte")?;
        bytes.push(u8::try_from(high * 16 + low).expect("two hexadecimal digits are one byte"));
    }
    Ok(bytes)
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(text) = self.as_str() {
            return serializer.serialize_str(text);
        }
        let mut map = serializer.serialize_map(Some(1))?;
        let hex: String = self.0.iter().map(|byte| format!("{byte:02x}")).collect();
        map.serialize_entry("hex", &hex)?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for Text {
    /// Reads self-describing formats only, as JSON is.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Text::try_from(Json::deserialize(deserializer)?)
            .map_err(|reason| D::Error::custom(format_args!("the text {reason}")))
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            // A text that looks quoted is quoted, so that what is shown has one meaning.
            Some(text) if !text.starts_with("$'") && !text.chars().any(misleads) => {
                f.write_str(text)
            }
            _ => write_quoted(f, &self.0),
        }
    }
}

/// Controls, and characters that show nothing or turn the direction of writing.
fn misleads(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn write_quoted(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    let escaped = |f: &mut fmt::Formatter<'_>, bytes: &[u8]| {
        bytes.iter().try_for_each(|byte| write!(f, "\\x{byte:02x}"))
    };
    f.write_str("$'")?;
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => f.write_str("\\\\")?,
                '\'' => f.write_str("\\'")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                '\r' => f.write_str("\\r")?,
                _ if misleads(c) => escaped(f, c.encode_utf8(&mut [0; 4]).as_bytes())?,
                _ => write!(f, "{c}")?,
            }
        }
        escaped(f, chunk.invalid())?;
    }
    f.write_str("'")
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn reading_what_was_written_gives_the_same_bytes(bytes: Vec<u8>) -> bool {
            let text = Text(bytes);
            let json = serde_json::to_string(&text).expect("a text is JSON");
            serde_json::from_str::<Text>(&json).ok() == Some(text)
        }

        fn reading_what_was_written_gives_the_same_string(string: String) -> bool {
            let json = serde_json::to_string(&Text(string.clone().into_bytes())).expect("JSON");
            json.starts_with('"') && serde_json::from_str::<Text>(&json).ok() == Some(string.as_str().into())
        }

        fn hex_is_read_for_any_bytes(bytes: Vec<u8>) -> bool {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            serde_json::from_str::<Text>(&format!("{{\"hex\": \"{hex}\"}}")).ok() == Some(Text(bytes))
        }

        fn what_is_shown_of_bytes_has_one_meaning(bytes: Vec<u8>) -> bool {
            unquote(&Text(bytes.clone()).to_string()) == bytes
        }

        fn what_is_shown_of_a_string_has_one_meaning(string: String, quoted: bool) -> bool {
            let string = if quoted { format!("$'{string}'") } else { string };
            let shown = Text::from(string.as_str()).to_string();
            unquote(&shown) == string.as_bytes() && !shown.chars().any(misleads)
        }
    }

    /// The inverse of what is shown.
    fn unquote(shown: &str) -> Vec<u8> {
        let Some(inner) = shown.strip_prefix("$'").and_then(|s| s.strip_suffix('\'')) else {
            return shown.as_bytes().to_vec();
        };
        let (mut bytes, mut rest) = (Vec::new(), inner.bytes());
        while let Some(byte) = rest.next() {
            bytes.push(match byte {
                b'\\' => match rest.next().expect("an escape is whole") {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'r' => b'\r',
                    b'x' => {
                        let pair: Vec<u8> = rest.by_ref().take(2).collect();
                        let pair = std::str::from_utf8(&pair).expect("two digits");
                        u8::from_str_radix(pair, 16).expect("two digits")
                    }
                    other => other,
                },
                other => other,
            });
        }
        bytes
    }

    #[test]
    fn bytes_are_shown_as_typed_or_quoted() {
        for (bytes, shown) in [
            (&b"sed -n 'p' x\\n"[..], "sed -n 'p' x\\n"),
            ("é ü".as_bytes(), "é ü"),
            (b"a\nb\x1b'\\", "$'a\\nb\\x1b\\'\\\\'"),
            (b"f\xff", "$'f\\xff'"),
            ("a\u{202e}b".as_bytes(), "$'a\\xe2\\x80\\xaeb'"),
            (b"$'x'", "$'$\\'x\\''"),
        ] {
            assert_eq!(Text(bytes.to_vec()).to_string(), shown);
        }
    }

    #[test]
    fn other_json_is_refused() {
        for json in [
            "null",
            "1",
            "[]",
            "{}",
            r#"{"hex": "6"}"#,
            r#"{"hex": "6g"}"#,
            r#"{"hex": "6 6"}"#,
            r#"{"hex": "66", "a": ""}"#,
            r#"{"hex": "66", "hex": "66"}"#,
            r#"{"hex": null}"#,
            r#"{"Hex": "66"}"#,
            r#"{"hex": "é"}"#,
            r#""\ud800""#,
        ] {
            assert!(serde_json::from_str::<Text>(json).is_err(), "{json}");
        }
        let read = |json| serde_json::from_str::<Text>(json).expect("hexadecimal");
        assert_eq!(read(r#"{"hex": "66 FF"}"#), Text(b"f\xff".to_vec()));
    }
}
