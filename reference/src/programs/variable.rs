//! What does a builtin do with a word that names a variable? (`docs/spec/regions.md`, B-42, B-50, B-51.)

use super::environment::is_ordinary;
use super::{Role, Why};
use crate::shell::Rest;

/// Length of the name that a word begins with.
fn name(word: &[u8]) -> usize {
    let is_of_name = |(at, byte): (usize, &u8)| match byte {
        b'0'..=b'9' => at > 0,
        byte => byte.is_ascii_alphabetic() || *byte == b'_',
    };
    let end = word.iter().enumerate().position(|each| !is_of_name(each));
    end.unwrap_or(word.len())
}

/// What comes after a name without a subscript that is a number, which evaluates to itself.
pub(crate) fn behind_index(after: &[u8]) -> &[u8] {
    let inside = after.strip_prefix(b"[").unwrap_or_default();
    let digits = inside.iter().take_while(|byte| byte.is_ascii_digit());
    let digits = digits.count();
    match inside.get(digits) {
        Some(b']') if digits > 0 => &inside[digits + 1..],
        _ => after,
    }
}

/// A variable that gets data.
pub(super) fn gets(word: &[u8], rest: Rest) -> Role {
    match looked_at(word, rest) {
        Role::Data if is_ordinary(&word[..name(word)]) => Role::Variable,
        Role::Data => Role::Runs(Why::Environment),
        role => role,
    }
}

/// A variable that is looked at or taken away: a subscript is evaluated.
pub(super) fn looked_at(word: &[u8], rest: Rest) -> Role {
    let behind = behind_index(&word[name(word)..]);
    match rest == Rest::Nothing && behind.is_empty() {
        true => Role::Data,
        false => Role::Evaluated,
    }
}

/// `name` or `name=value`.
pub(super) fn declared(word: &[u8], rest: Rest) -> Role {
    let end = name(word);
    let (name, after) = word.split_at(end);
    let value = match after {
        [] if rest == Rest::Nothing => b"",
        [b'=', value @ ..] | [b'+', b'=', value @ ..] => value,
        _ => return Role::Evaluated,
    };
    match value {
        // The elements of an array are expanded.
        [b'(', ..] => Role::Evaluated,
        // More words are more declarations.
        _ if rest == Rest::Words => Role::Evaluated,
        _ if is_ordinary(name) => Role::Variable,
        _ => Role::Runs(Why::Environment),
    }
}
