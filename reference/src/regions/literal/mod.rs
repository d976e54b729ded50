//! What does the seed's scanner answer, exactly, holes included?
//!
//! Section 1 of `docs/spec/regions.md`, part by part: here-document bodies (1.1, `bodies`), words and the regions made
//! from them (1.3 and 1.4, `words`), comments (1.5). It is judged and not relied upon: where it differs from bash is
//! section 2 there. Its time grows like the original's, with the product of a command's length and its number of bodies
//! (claim R-41); its memory with the command and the answer.

mod bodies;
mod words;

#[cfg(test)]
mod tests;

use super::Span;
use std::cell::Cell;

/// The regions of a command that it calls text, sorted; repeated and empty ones are kept.
///
/// Any bytes: the rules are those for code points, and a byte that belongs to none is a unit by itself, of no class.
pub fn regions(command: &[u8]) -> Vec<Span> {
    let mut regions = Passes::of(command).in_order();
    regions.sort_unstable();
    regions
}

/// What each of the three passes found, in byte offsets and in the order of finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passes {
    /// Here-document bodies (1.1).
    pub bodies: Vec<Span>,
    /// Quoted runs that are text (1.4).
    pub runs: Vec<Span>,
    /// Comments (1.5).
    pub comments: Vec<Span>,
    /// How often a place in the command was compared with a body. This is what grows faster than the command.
    pub comparisons: u64,
}

impl Passes {
    /// Of any bytes.
    pub fn of(command: &[u8]) -> Passes {
        let (text, borders) = units(command);
        let bodies = Bodies {
            spans: bodies::bodies(&text),
            comparisons: Cell::new(0),
        };
        let in_bytes = |spans: &[Span]| {
            let span = |span: &Span| Span {
                start: borders[span.start],
                end: borders[span.end],
            };
            spans.iter().map(span).collect()
        };
        Passes {
            runs: in_bytes(&words::quoted_text(&words::words(&text, &bodies))),
            comments: in_bytes(&comments(&text, &bodies)),
            bodies: in_bytes(&bodies.spans),
            comparisons: bodies.comparisons.get(),
        }
    }

    /// All spans in the order of the original's answer.
    pub fn in_order(&self) -> Vec<Span> {
        [&self.bodies[..], &self.runs, &self.comments].concat()
    }
}

/// The byte offset where the word reader (1.3, rule 5) stops when it is entered at `start`, the offset of a character of
/// the command or its end; there it is `start` itself.
pub fn word_end(command: &[u8], start: usize) -> usize {
    let (text, borders) = units(command);
    let at = borders.partition_point(|&border| border < start);
    borders[words::word_end(&text, at.min(text.len()))]
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

/// The bodies, for the passes that leave them out.
struct Bodies {
    spans: Vec<Span>,
    comparisons: Cell<u64>,
}

impl Bodies {
    /// Past every body that this place is in. Empty bodies hold no place.
    fn skip(&self, mut at: usize) -> usize {
        let holds = |body: &Span, at: usize| {
            self.comparisons.set(self.comparisons.get() + 1);
            body.contains(at)
        };
        while let Some(body) = self.spans.iter().find(|body| holds(body, at)) {
            at = body.end;
        }
        at
    }
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
fn comments(text: &[char], bodies: &Bodies) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    loop {
        at = bodies.skip(at);
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
