//! Can a program of `awk` start another, or write a file? Told by words that it cannot do without.

use crate::programs::entry::{Effect, Entry};
use crate::programs::read::{Kind, Reading, read};
use crate::programs::resolve::{Stretch, Work};
use crate::programs::{Role, Usage, Why};

pub(super) fn command(work: &mut Work, stretch: &Stretch, entry: &Entry) {
    let Reading::Exact { uses, effects, .. } = read(entry, work.after_verb(stretch)) else {
        return work.unknown(stretch, Why::UnknownOption);
    };
    let first = stretch.words.start + 1;
    let has_program = effects.contains(&Effect::NoLead);
    let operand = uses.iter().position(|one| one.kind == Kind::Operand);
    let texts = uses
        .iter()
        .enumerate()
        .filter(|&(number, one)| match one.kind {
            Kind::Operand => !has_program && Some(number) == operand,
            Kind::Value(mark) => mark == Some("program"),
            Kind::Option => false,
        });
    let mut writes = false;
    let mut texts_known = Vec::new();
    for (number, one) in texts {
        let word = work
            .words
            .get(first + number)
            .filter(|word| word.is_known());
        let Some(word) = word.filter(|_| first + number < stretch.words.end) else {
            return work.unknown(stretch, Why::Interpreter);
        };
        let text = &word.prefix[one.start.min(word.prefix.len())..];
        if may_start(text) {
            return work.unknown(stretch, Why::Interpreter);
        }
        writes |= text.contains(&b'>');
        texts_known.push(first + number);
    }
    work.exact(stretch, entry, &uses, &effects, None);
    for at in texts_known {
        work.role(stretch, at, Role::Data);
    }
    work.merge(
        stretch,
        &Usage {
            writes,
            ..Usage::nothing(0)
        },
    );
}

/// May a text start a program? A pipe, `system`, and calls of functions whose name is a value (`@f()`).
fn may_start(text: &[u8]) -> bool {
    let holds = |word: &[u8]| text.windows(word.len()).any(|part| part == word);
    let mut bars = text.split(|&byte| byte == b'|');
    // Two bars in a row are "or": every other piece between them is empty.
    bars.next();
    let pieces: Vec<&[u8]> = bars.collect();
    let is_or =
        pieces.len().is_multiple_of(2) && pieces.iter().step_by(2).all(|piece| piece.is_empty());
    holds(b"system") || holds(b"getline") || text.contains(&b'@') || !is_or
}
