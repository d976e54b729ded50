//! Which words are there, and which of their quoted runs are text? Sections 1.3 and 1.4.

use super::{Bodies, end_of_line, ends_word, is_quote, name_length, quoted_run};
use crate::regions::Span;

/// Commands whose quoted operands are taken for text.
const VERBS: [&str; 9] = [
    "echo", "printf", "rg", "grep", "egrep", "fgrep", "ack", "ag", "ripgrep",
];

/// Options whose quoted operand is taken for text, whatever the command.
const MESSAGE_OPTIONS: [&str; 5] = ["-m", "--message", "-am", "--body", "-b"];

/// A word without its quotes and backslashes.
pub(super) struct Word {
    text: Vec<char>,
    runs: Vec<Run>,
    /// It stands first in the command.
    opens: bool,
}

/// A quoted run of a word.
struct Run {
    /// Quotes included.
    span: Span,
    /// EXPANDS: something in it may be run.
    expands: bool,
}

/// The words of a text, bodies left out.
pub(super) fn words(text: &[char], bodies: &Bodies) -> Vec<Word> {
    let mut found = Vec::new();
    let mut opens = true;
    let mut at = 0;
    loop {
        at = bodies.skip(at);
        match text.get(at) {
            None => return found,
            Some('\n' | ';' | '|' | '&' | '(' | ')') => {
                opens = true;
                at += 1;
            }
            Some(' ' | '\t' | '\r') => at += 1,
            Some('#') => at = end_of_line(text, at),
            Some(&unit) if ends_word(unit) => at += 1,
            Some(_) => {
                let (word, end) = word(text, at, opens);
                found.push(word);
                opens = false;
                at = end;
            }
        }
    }
}

/// The word that begins here, and where it ends: bodies do not stop it.
fn word(text: &[char], start: usize, opens: bool) -> (Word, usize) {
    let mut word = Word {
        text: Vec::new(),
        runs: Vec::new(),
        opens,
    };
    let mut at = start;
    loop {
        match text.get(at) {
            Some(&quote) if is_quote(quote) => {
                let (span, inner) = quoted_run(text, at);
                let expands = quote == '"'
                    && (inner.contains(&'`') || inner.windows(2).any(|pair| pair == ['$', '(']));
                word.text.extend(inner);
                word.runs.push(Run { span, expands });
                at = span.end;
            }
            Some('\\') => {
                word.text.extend(text.get(at + 1));
                at = (at + 2).min(text.len());
            }
            Some(&unit) if !ends_word(unit) => {
                word.text.push(unit);
                at += 1;
            }
            _ => return (word, at),
        }
    }
}

/// Where the word ends that begins here; here, if none does.
pub(super) fn word_end(text: &[char], start: usize) -> usize {
    word(text, start, true).1
}

/// The quoted runs that are text: operands of the verbs, and of the message options.
pub(super) fn quoted_text(words: &[Word]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut quoting = false;
    let mut previous: Option<&Word> = None;
    for word in words {
        if word.opens {
            let path = word.text.rsplit(|unit| matches!(unit, '/' | '\\'));
            quoting = path
                .into_iter()
                .next()
                .is_some_and(|name| is_one_of(name, &VERBS));
            previous = None;
            if word.runs.is_empty() && is_assignment(&word.text) {
                quoting = false;
                continue;
            }
        }
        if quoting || previous.is_some_and(|word| is_one_of(&word.text, &MESSAGE_OPTIONS)) {
            let text = word.runs.iter().filter(|run| !run.expands);
            found.extend(text.map(|run| run.span));
        }
        previous = Some(word);
    }
    found
}

fn is_one_of(text: &[char], list: &[&str]) -> bool {
    list.iter().any(|one| one.chars().eq(text.iter().copied()))
}

fn is_assignment(text: &[char]) -> bool {
    let name = name_length(text);
    name > 0 && text.get(name) == Some(&'=')
}
