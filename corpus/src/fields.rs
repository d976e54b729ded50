//! Which fields does this object hold, each of the right type and none left over? Readers that strict forms are made of.

use crate::Text;
use crate::json::Json;
use std::collections::BTreeMap;

/// What is wrong with a value, and where within the line.
#[derive(Debug)]
pub(crate) struct Wrong {
    /// For example `fragments[0].start`; empty for the whole line.
    path: String,
    cause: String,
}

/// What a reader gives.
pub(crate) type Read<T> = Result<T, Wrong>;

impl Wrong {
    /// The same, seen from the object or array that holds the value.
    pub(crate) fn within(self, outer: &str) -> Self {
        let joint = if self.path.is_empty() || self.path.starts_with('[') {
            ""
        } else {
            "."
        };
        Wrong {
            path: format!("{outer}{joint}{}", self.path),
            cause: self.cause,
        }
    }

    /// In one sentence.
    pub(crate) fn reason(self) -> String {
        match self.path.as_str() {
            "" => self.cause,
            path => format!("field {} {}", quote(path), self.cause),
        }
    }
}

impl From<String> for Wrong {
    fn from(cause: String) -> Self {
        Wrong {
            path: String::new(),
            cause,
        }
    }
}

/// Goes on only where the rule holds.
pub(crate) fn need(holds: bool, cause: impl FnOnce() -> String) -> Read<()> {
    if holds { Ok(()) } else { Err(cause().into()) }
}

/// A text as a message names it: quoted, and cut where it is long.
pub(crate) fn quote(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// The fields of one object that were not read yet.
pub(crate) struct Fields {
    left: BTreeMap<String, Json>,
    known: Vec<&'static str>,
}

impl Fields {
    pub(crate) fn of(value: Json) -> Read<Fields> {
        match value {
            Json::Object(left) => Ok(Fields {
                left,
                known: Vec::new(),
            }),
            other => Err(format!("is {}, not an object", other.kind()).into()),
        }
    }

    /// The field, which must be there.
    pub(crate) fn required<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Json) -> Read<T>,
    ) -> Read<T> {
        let missing = || Wrong::from("is missing; add it".to_owned()).within(name);
        self.optional(name, read)?.ok_or_else(missing)
    }

    /// The field, if it is there; `null` is a value, and of no right type.
    pub(crate) fn optional<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Json) -> Read<T>,
    ) -> Read<Option<T>> {
        self.known.push(name);
        let value = self.left.remove(name);
        value
            .map(read)
            .transpose()
            .map_err(|wrong| wrong.within(name))
    }

    /// Refuses what is left over.
    pub(crate) fn end(self) -> Read<()> {
        let Some(name) = self.left.keys().next() else {
            return Ok(());
        };
        let known = self.known.join(", ");
        Err(Wrong::from(format!("is unknown; here may stand {known}")).within(name))
    }
}

/// Checks every item of a list that was read.
pub(crate) fn each<T>(name: &str, items: &[T], check: impl Fn(&T) -> Read<()>) -> Read<()> {
    items.iter().enumerate().try_for_each(|(n, item)| {
        check(item).map_err(|wrong| wrong.within(&format!("{name}[{n}]")))
    })
}

fn other_type<T>(value: &Json, wanted: &str) -> Read<T> {
    Err(format!("is {}, not {wanted}", value.kind()).into())
}

pub(crate) fn boolean(value: Json) -> Read<bool> {
    match value {
        Json::Bool(truth) => Ok(truth),
        other => other_type(&other, "a boolean"),
    }
}

pub(crate) fn integer(value: Json) -> Read<i64> {
    match value {
        Json::Int(number) => Ok(number),
        other => other_type(&other, "a whole number"),
    }
}

pub(crate) fn text(value: Json) -> Read<Text> {
    Ok(Text::try_from(value)?)
}

/// A text for people. What is no UTF-8 is kept as it is shown.
pub(crate) fn label(value: Json) -> Read<String> {
    let text = text(value)?;
    Ok(String::from_utf8(text.0).unwrap_or_else(|e| Text(e.into_bytes()).to_string()))
}

/// A string that something else is found by; hex is none.
pub(crate) fn name(value: Json) -> Read<String> {
    match value {
        Json::String(name) => Ok(name),
        other => other_type(&other, "a string"),
    }
}

/// One of the words of a field.
pub(crate) fn word<T: Copy, const N: usize>(
    words: [(&'static str, T); N],
) -> impl Fn(Json) -> Read<T> {
    move |value| {
        let given = name(value)?;
        let found = words.iter().find(|(word, _)| *word == given);
        found.map(|(_, meaning)| *meaning).ok_or_else(|| {
            let words = words.map(|(word, _)| word).join(", ");
            format!("is the unknown word {}; take one of {words}", quote(&given)).into()
        })
    }
}

/// An array, item by item.
pub(crate) fn list<T>(read: impl Fn(Json) -> Read<T>) -> impl Fn(Json) -> Read<Vec<T>> {
    move |value| match value {
        Json::Array(items) => items
            .into_iter()
            .enumerate()
            .map(|(n, item)| read(item).map_err(|wrong| wrong.within(&format!("[{n}]"))))
            .collect(),
        other => other_type(&other, "an array"),
    }
}

/// An object with names of its own and a text for each.
pub(crate) fn texts_by_name(value: Json) -> Read<BTreeMap<String, Text>> {
    match value {
        Json::Object(pairs) => pairs
            .into_iter()
            .map(|(name, value)| {
                let text = text(value).map_err(|wrong| wrong.within(&name))?;
                Ok((name, text))
            })
            .collect(),
        other => other_type(&other, "an object"),
    }
}
