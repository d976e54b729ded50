//! Where are the bodies of here-documents? Section 1.1: over the whole text, blind to quotes and comments.

use super::{end_of_line, is_quote, is_space, length_while, name_length};
use crate::regions::Span;

/// What announces a body.
struct Opener<'t> {
    name: &'t [char],
    indented: bool,
    /// Where the search goes on.
    end: usize,
}

/// One body for each opener that a line follows, in the order of the openers.
pub(super) fn bodies(text: &[char]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let Some(opener) = opener(text, at) else {
            at += 1;
            continue;
        };
        at = opener.end;
        let newline = end_of_line(text, at);
        if newline < text.len() {
            let start = newline + 1;
            let end = end_of_body(text, start, &opener);
            found.push(Span { start, end });
        }
    }
    found
}

/// The opener that begins exactly here.
fn opener(text: &[char], at: usize) -> Option<Opener<'_>> {
    let rest = text[at..].strip_prefix(&['<', '<'])?;
    let indented = rest.first() == Some(&'-');
    let mut rest = &rest[usize::from(indented)..];
    rest = &rest[length_while(rest, is_space)..];
    let quote = rest.first().copied().filter(|&unit| is_quote(unit));
    rest = &rest[usize::from(quote.is_some())..];
    let (name, mut rest) = rest.split_at(name_length(rest));
    if name.is_empty() {
        return None;
    }
    if let Some(quote) = quote {
        rest = rest.strip_prefix(&[quote])?;
    }
    Some(Opener {
        name,
        indented,
        end: text.len() - rest.len(),
    })
}

/// The start of the line that ends the body, before its indentation; the end of the text if no line does.
fn end_of_body(text: &[char], start: usize, opener: &Opener<'_>) -> usize {
    let mut line = start;
    loop {
        let rest = &text[line..];
        if terminates(rest, opener) {
            return line;
        }
        match rest.iter().position(|&unit| is_line_break(unit)) {
            Some(length) => line += length + 1,
            None => return text.len(),
        }
    }
}

fn terminates(mut line: &[char], opener: &Opener<'_>) -> bool {
    let is_blank = |unit| matches!(unit, ' ' | '\t');
    if opener.indented {
        line = &line[length_while(line, is_blank)..];
    }
    line.strip_prefix(opener.name).is_some_and(|rest| {
        let after = rest.get(length_while(rest, is_blank));
        after.is_none_or(|&unit| is_line_break(unit))
    })
}

/// LINEBREAK.
fn is_line_break(unit: char) -> bool {
    matches!(unit, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}
