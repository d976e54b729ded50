//! What does `env` start, and with which variables?

use crate::programs::entry::Entry;
use crate::programs::environment::is_harmless;
use crate::programs::read::{Reading, read};
use crate::programs::resolve::{Stretch, Work};
use crate::programs::{Role, Usage, Why};
use crate::shell::{Rest, Value};

pub(super) fn command(work: &mut Work, stretch: &Stretch, entry: &Entry) {
    let words = work.after_verb(stretch);
    let (uses, effects, command) = match read(entry, words) {
        Reading::Exact {
            uses,
            effects,
            command,
        } => (uses, effects, command),
        Reading::Loose(_) | Reading::Unknown => return work.unknown(stretch, Why::UnknownOption),
    };
    let first = stretch.words.start + 1;
    let mut at = first + command.unwrap_or(uses.len());
    while at < stretch.words.end {
        let word = &work.words[at];
        let Some(equals) = word.prefix.iter().position(|&byte| byte == b'=') else {
            // `-` before all is `-i`.
            if word.is_known() && word.prefix == b"-" {
                at += 1;
                continue;
            }
            break;
        };
        if !matches!(word.rest, Rest::Nothing | Rest::One) {
            return work.unknown(stretch, Why::UnknownVerb);
        }
        let value = Value {
            prefix: word.prefix[equals + 1..].to_vec(),
            rest: word.rest,
        };
        let role = match is_harmless(&word.prefix[..equals], &value) {
            true => Role::Data,
            false => Role::Runs(Why::Environment),
        };
        if role != Role::Data {
            work.usage.opaque.get_or_insert(Why::Environment);
        }
        work.role(stretch, at, role);
        at += 1;
    }
    if at < stretch.words.end || stretch.more {
        work.exact(stretch, entry, &uses, &effects, Some(at - first));
    } else {
        work.exact(stretch, entry, &uses, &effects, None);
        work.merge(
            stretch,
            &Usage {
                prints: true,
                ..Usage::nothing(0)
            },
        );
    }
}
