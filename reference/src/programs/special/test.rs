//! Which operands of `test` are evaluated? Those of `-v` and `-R` alone (`docs/spec/regions.md`, B-50).

use crate::programs::resolve::{Stretch, Work};
use crate::programs::variable;
use crate::programs::{Role, Usage};
use crate::shell::{Rest, Value};

/// Operators that stand between two operands.
const BETWEEN: [&[u8]; 16] = [
    b"=", b"==", b"!=", b"<", b">", b"-eq", b"-ne", b"-lt", b"-le", b"-gt", b"-ge", b"-nt", b"-ot",
    b"-ef", b"-a", b"-o",
];

pub(super) fn command(work: &mut Work, stretch: &Stretch) {
    let first = stretch.words.start + 1;
    let end = stretch.words.end;
    let words = &work.words[first..end];
    let is_compared = match words {
        // What stands between two operands decides, whatever they are.
        [left, operator, right, ..] if words.len() <= 4 => {
            is_one(left)
                && is_one(right)
                && operator.is_known()
                && BETWEEN.contains(&&operator.prefix[..])
                && words.get(3).is_none_or(closes)
        }
        _ => false,
    };
    let counts = words.iter().all(is_one) && !stretch.more;
    let operands = words.len() - usize::from(words.last().is_some_and(closes));
    let mut roles = vec![Role::Data; words.len()];
    let is_plain = is_compared || (counts && operands == 1);
    if !is_plain {
        let mut may_name = false;
        for (word, role) in words[..operands].iter().zip(&mut roles) {
            let may_be_operator = match word.rest {
                Rest::Nothing => matches!(&word.prefix[..], b"-v" | b"-R"),
                _ => b"-v".starts_with(&word.prefix) || b"-R".starts_with(&word.prefix),
            };
            if may_name || !is_one(word) {
                *role = variable::looked_at(&word.prefix, word.rest);
            }
            may_name = may_be_operator || (may_name && !is_one(word)) || word.rest == Rest::Words;
        }
    }
    for (number, role) in roles.into_iter().enumerate() {
        work.role(stretch, first + number, role);
    }
    if stretch.more {
        work.role(stretch, end, Role::Evaluated);
    }
    work.merge(stretch, &Usage::nothing(0));
}

fn is_one(word: &Value) -> bool {
    matches!(word.rest, Rest::Nothing | Rest::One)
}

fn closes(word: &Value) -> bool {
    word.is_known() && word.prefix == b"]"
}
