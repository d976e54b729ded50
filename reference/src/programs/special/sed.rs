//! What does `sed` do with its words? The recognizer of its scripts is asked.

use crate::programs::entry::{Effect, Entry};
use crate::programs::read::{Kind, Reading, read};
use crate::programs::resolve::{Stretch, Work};
use crate::programs::{Input, Role, Usage, Why};
use crate::sed::{Answer, Invocation, Nothing, answer};
use crate::shell::Value;

pub(super) fn command(work: &mut Work, stretch: &Stretch, entry: &Entry) {
    let Reading::Exact { uses, effects, .. } = read(entry, work.after_verb(stretch)) else {
        return work.unknown(stretch, Why::UnknownOption);
    };
    let has_script = uses
        .iter()
        .any(|one| matches!(one.kind, Kind::Value(Some("script"))));
    let first = stretch.words.start + 1;
    let mut argv = vec![b"sed".to_vec()];
    let mut operands = Vec::new();
    for (number, one) in uses.iter().enumerate() {
        let Some(word) = work
            .words
            .get(first + number)
            .filter(|_| first + number < stretch.words.end)
        else {
            continue;
        };
        let is_file = one.kind == Kind::Operand && (has_script || !operands.is_empty());
        if one.kind == Kind::Operand {
            operands.push(number);
        }
        match (word.is_known(), is_file) {
            (true, _) => argv.push(word.prefix.clone()),
            // Any name will do: the script decides what becomes of it.
            (false, true) => argv.push(some_name(word)),
            (false, false) => return work.unknown(stretch, Why::Interpreter),
        }
    }
    let inputs = &operands[operands.len().min(usize::from(!has_script))..];
    let mut usage = Usage {
        input: Input::Data,
        prints: true,
        ..Usage::nothing(0)
    };
    let in_place = effects.contains(&Effect::Mark("in-place"));
    for locale in [&b"C"[..], b"C.UTF-8"] {
        let said = said(&argv, locale);
        if said.executes || said.worst.is_some() {
            return work.unknown(stretch, Why::Interpreter);
        }
        usage.reads |= said.reads.len() > inputs.len() || in_place;
        usage.writes |= said.may_write();
    }
    work.exact(stretch, entry, &uses, &effects, None);
    for &number in inputs {
        let role = if in_place {
            Role::ReadsAndWrites
        } else {
            Role::Reads
        };
        work.role(stretch, first + number, role);
    }
    work.merge(stretch, &usage);
}

fn said(argv: &[Vec<u8>], locale: &[u8]) -> Answer {
    answer(&Invocation {
        argv,
        env: &[(b"LC_ALL".to_vec(), locale.to_vec())],
        world: &Nothing,
    })
}

/// A name that such a word may become, and that is no option.
fn some_name(word: &Value) -> Vec<u8> {
    [&word.prefix[..], b"x"].concat()
}
