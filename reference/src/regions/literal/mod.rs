//! What does the seed's scanner answer, exactly, holes included?
//!
//! Section 1 of `docs/spec/regions.md`, part by part: here-document bodies (1.1, `bodies`), words and the regions made
//! from them (1.3 and 1.4, `words`), comments (1.5). It is judged and not relied upon: where it differs from bash is
//! section 2 there. Its time grows like the original's, with the product of a command's length and its number of bodies;
//! its memory with the command and the answer.

mod bodies;
mod words;

#[cfg(test)]
mod tests;

use super::Span;

/// The regions of a command that it calls text, sorted; repeated and empty ones are kept.
///
/// Any bytes: the rules are those for code points, and a byte that belongs to none is a unit by itself, of no class.
pub fn regions(command: &[u8]) -> Vec<Span> {
    let (text, borders) = units(command);
    let bodies = bodies::bodies(&text);
    let runs = words::quoted_text(&words::words(&text, &bodies));
    let comments = comments(&text, &bodies);
    let mut regions: Vec<Span> = [bodies, runs, comments]
        .concat()
        .iter()
        .map(|region| Span {
            start: borders[region.start],
            end: borders[region.end],
        })
        .collect();
    regions.sort_unstable();
    regions
}

/// Is what starts at this byte of the command outside every region?
pub fn is_live(regions: &[Span], offset: usize) -> bool {
    !regions.iter().any(|region| region.contains(offset))
}

/// The command as units, which everything below counts in; and the byte offset where each begins, then the end.
fn units(command: &[u8]) -> (Vec<char>, Vec<usize>) {
    let mut text = Vec::new();
    let mut borders = Vec::new();
    let mut at = 0;
    for chunk in command.utf8_chunks() {
        let invalid = chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER);
        for unit in chunk.valid().chars() {
            text.push(unit);
            borders.push(at);
            at += unit.len_utf8();
        }
        for unit in invalid {
            text.push(unit);
            borders.push(at);
            at += 1;
        }
    }
    borders.push(at);
    (text, borders)
}

/// WS.
fn is_space(unit: char) -> bool {
    matches!(
        unit,
        '\t'..='\r'
            | ' '
            | '\u{a0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200a}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}'
            | '\u{feff}'
    )
}

/// WORDEND.
fn ends_word(unit: char) -> bool {
    is_space(unit) || matches!(unit, ';' | '|' | '&' | '<' | '>' | '(' | ')')
}

fn is_quote(unit: char) -> bool {
    matches!(unit, '\'' | '"')
}

/// How many units at the start make a NAME; 0 where none does.
fn name_length(text: &[char]) -> usize {
    let starts = |unit: char| unit.is_ascii_alphabetic() || unit == '_';
    match text.first() {
        Some(&first) if starts(first) => {
            length_while(text, |unit| starts(unit) || unit.is_ascii_digit())
        }
        _ => 0,
    }
}

/// How many units at the start are of a class.
fn length_while(text: &[char], class: impl Fn(char) -> bool) -> usize {
    text.iter().take_while(|&&unit| class(unit)).count()
}

/// The first newline at or after this place, or the end.
fn end_of_line(text: &[char], from: usize) -> usize {
    from + length_while(&text[from..], |unit| unit != '\n')
}

/// Past every body that this place is in. Empty bodies hold no place.
fn skip(bodies: &[Span], mut at: usize) -> usize {
    while let Some(body) = bodies.iter().find(|body| body.contains(at)) {
        at = body.end;
    }
    at
}

/// The quoted run that begins with the quote character at this place, and what lies between its quotes (1.2).
fn quoted_run(text: &[char], start: usize) -> (Span, &[char]) {
    let quote = text[start];
    let inner = &text[start + 1..];
    let inner = &inner[..length_while(inner, |unit| unit != quote)];
    let close = start + 1 + inner.len();
    let end = (close + 1).min(text.len());
    (Span { start, end }, inner)
}

/// Comments: a walk of its own, blind to words (1.5).
fn comments(text: &[char], bodies: &[Span]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    loop {
        at = skip(bodies, at);
        match text.get(at) {
            None => return found,
            Some(&unit) if is_quote(unit) => at = quoted_run(text, at).0.end,
            Some('\\') => at += 2,
            Some('#') if at == 0 || ends_word(text[at - 1]) => {
                let end = end_of_line(text, at);
                found.push(Span { start: at, end });
                at = end;
            }
            Some(_) => at += 1,
        }
    }
}
