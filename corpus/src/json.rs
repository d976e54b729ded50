//! What does this JSON text say, with nothing lost? The value that strict forms are read from.
//!
//! `serde_json` reads the text and bounds its depth. A key that stands twice is an error here, at any depth, and a
//! number is kept only if it is a whole one; a negative zero is none.

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Int(i64),
    /// A number that no field of any form takes: a fraction, or beyond 64 bits.
    OtherNumber,
    String(String),
    Array(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

/// Why a text is no JSON that is taken.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct JsonError {
    /// The line within the text, from 1.
    pub(crate) line: usize,
    pub(crate) reason: String,
}

impl Json {
    /// Reads one value and nothing after it.
    pub(crate) fn parse(text: &str) -> Result<Json, JsonError> {
        serde_json::from_str(text).map_err(JsonError::from)
    }

    /// What it is, for people.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "a boolean",
            Json::Int(_) => "a whole number",
            Json::OtherNumber => "a number that is no whole one of 64 bits",
            Json::String(_) => "a string",
            Json::Array(_) => "an array",
            Json::Object(_) => "an object",
        }
    }
}

impl From<serde_json::Error> for JsonError {
    fn from(error: serde_json::Error) -> Self {
        let text = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let cause = text.strip_suffix(&place).unwrap_or(&text);
        let prefix = if error.is_data() { "" } else { "not JSON: " };
        JsonError {
            line: error.line().max(1),
            reason: format!("{prefix}{cause} (column {})", error.column()),
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(i64::try_from(value).map_or(Json::OtherNumber, Json::Int))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Json, E> {
        Ok(Json::OtherNumber)
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element()? {
            array.push(item);
        }
        Ok(Json::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Json, A::Error> {
        let mut object = BTreeMap::new();
        while let Some((key, value)) = pairs.next_entry::<String, Json>()? {
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!(
                    "field {key:?} stands twice; keep one of them"
                )));
            }
            object.insert(key, value);
        }
        Ok(Json::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_an_error_is_counted_within_the_text() {
        let error = Json::parse("{\"a\":\n\n1,,}").expect_err("two commas are no JSON");
        assert_eq!(error.line, 3);
        assert!(error.reason.starts_with("not JSON: "), "{}", error.reason);
    }

    #[test]
    fn only_whole_numbers_of_64_bits_are_kept() {
        assert_eq!(Json::parse("-9223372036854775808"), Ok(Json::Int(i64::MIN)));
        for text in [
            "9223372036854775808",
            "1.0",
            "1e2",
            "-0",
            "123456789012345678901234567890",
        ] {
            assert_eq!(Json::parse(text), Ok(Json::OtherNumber), "{text}");
        }
        assert!(Json::parse("1e999").is_err());
    }
}
