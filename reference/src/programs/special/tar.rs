//! What does `tar` do with its operands? It depends on what it is to do, and its first word may be options without a dash.

use crate::programs::entry::{Effect, Entry, Slot, Takes};
use crate::programs::read::{Kind, Reading, Words, read};
use crate::programs::resolve::{Stretch, Work};
use crate::programs::{Role, Usage, Why};
use crate::shell::Value;

/// What it is to do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Creates,
    Changes,
    Extracts,
    Lists,
}

pub(super) fn command(work: &mut Work, stretch: &Stretch, entry: &Entry) {
    let first = stretch.words.start + 1;
    let mut effects: Vec<Effect> = Vec::new();
    // Letters without a dash: their values follow in the same order.
    let mut archive: Vec<usize> = Vec::new();
    let mut taken = 0;
    if let Some(word) = work.words[..stretch.words.end]
        .get(first)
        .filter(|word| !word.prefix.starts_with(b"-"))
    {
        if !word.is_known() {
            return work.unknown(stretch, Why::UnknownOption);
        }
        taken = 1;
        for letter in word.prefix.clone() {
            let Some(choice) = entry.short(letter) else {
                return work.unknown(stretch, Why::UnknownOption);
            };
            effects.extend(&choice.effects);
            if let Takes::Value(slot) = choice.takes {
                let at = first + taken;
                if !work.words[..stretch.words.end]
                    .get(at)
                    .is_some_and(Value::is_known)
                {
                    return work.unknown(stretch, Why::UnknownOption);
                }
                match slot {
                    _ if letter == b'f' => archive.push(at),
                    Slot::Is(role) => work.role(stretch, at, role),
                    _ => {}
                }
                taken += 1;
            }
        }
    }
    let rest = Words {
        known: &work.words[first + taken..stretch.words.end],
        more: stretch.more,
    };
    let Reading::Exact {
        uses,
        effects: more,
        ..
    } = read(entry, rest)
    else {
        return work.unknown(stretch, Why::UnknownOption);
    };
    effects.extend(more);
    let is = |mark| effects.contains(&Effect::Mark(mark));
    let mode = match (is("create"), is("change"), is("extract")) {
        (true, false, false) => Mode::Creates,
        (false, false, true) => Mode::Extracts,
        (false, false, false) => Mode::Lists,
        _ => Mode::Changes,
    };
    for (number, one) in uses.iter().enumerate() {
        let at = first + taken + number;
        match one.kind {
            Kind::Value(Some("archive")) => archive.push(at),
            Kind::Operand => {
                let role = match mode {
                    Mode::Creates | Mode::Changes if is("removes") => Role::ReadsAndWrites,
                    Mode::Creates | Mode::Changes => Role::Reads,
                    Mode::Extracts => Role::Writes,
                    Mode::Lists => Role::Data,
                };
                work.role(stretch, at, role);
            }
            Kind::Value(_) => {
                if let Slot::Is(role) = one.slot {
                    work.role(stretch, at, role);
                }
            }
            Kind::Option => {}
        }
        if at < stretch.words.end {
            work.usage.starts[at] = one.start;
        }
    }
    let mut usage = Usage::of(&effects, &uses);
    for at in archive {
        // `host:file` is on another machine.
        usage.network |= work
            .words
            .get(at)
            .is_none_or(|word| !word.is_known() || word.prefix.contains(&b':'));
        let role = match mode {
            Mode::Creates => Role::Writes,
            Mode::Changes => Role::ReadsAndWrites,
            Mode::Extracts | Mode::Lists => Role::Reads,
        };
        work.role(stretch, at, role);
    }
    usage.writes |= mode == Mode::Extracts;
    if usage.network {
        // It starts `rsh` or what the environment names.
        usage.opaque = Some(Why::StartsOthers);
    }
    work.merge(stretch, &usage);
}
