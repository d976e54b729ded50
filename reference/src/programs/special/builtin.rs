//! What do builtins do whose words change the shell? `set`, `shopt`, `source`, and those that show what there is when they are alone.

use crate::programs::entry::Entry;
use crate::programs::read::{Kind, Reading, read};
use crate::programs::resolve::{Stretch, Work};
use crate::programs::{Input, Language, Role, Usage, Why};
use crate::shell::Value;

/// `declare`, `export`, `alias`, `trap`, ...: without operands they show what there is.
pub(super) fn alone(work: &mut Work, stretch: &Stretch, entry: &Entry) {
    if let Reading::Exact { uses, .. } = read(entry, work.after_verb(stretch)) {
        let has_operand = uses.iter().any(|one| one.kind == Kind::Operand);
        let shows_itself = !has_operand;
        work.merge(
            stretch,
            &Usage {
                shows_itself,
                ..Usage::nothing(0)
            },
        );
    }
    work.by_entry(stretch, entry);
}

/// `source FILE`: runs its input if that is the file.
pub(super) fn source(work: &mut Work, stretch: &Stretch, entry: &Entry) {
    let file = work.after_verb(stretch).get(0);
    let is_file = file.is_some_and(|word| {
        let elsewhere = |folder: &[u8]| word.prefix.starts_with(folder);
        word.is_known() && !elsewhere(b"/dev/") && !elsewhere(b"/proc/") && !elsewhere(b"-")
    });
    if !is_file {
        let runs = Usage {
            input: Input::Runs(Why::ShellBuiltin),
            input_language: Some(Language::Bash),
            ..Usage::nothing(0)
        };
        work.merge(stretch, &runs);
    }
    work.by_entry(stretch, entry);
}

/// Options of `set` that change no more than when the shell stops, what it may overwrite, and how jobs are told of.
const SET_LETTERS: &[u8] = b"eufbmhCET";
const SET_NAMES: [&str; 9] = [
    "errexit",
    "nounset",
    "pipefail",
    "notify",
    "monitor",
    "hashall",
    "noclobber",
    "errtrace",
    "functrace",
];

/// `set`: options, and the positional parameters.
pub(super) fn set(work: &mut Work, stretch: &Stretch) {
    let first = stretch.words.start + 1;
    let words = &work.words[first..stretch.words.end];
    let mut usage = Usage {
        prints: true,
        shows_itself: words.is_empty(),
        ..Usage::nothing(0)
    };
    let redefines = Some(Why::ShellBuiltin);
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let (sign, letters) = match &word.prefix[..] {
            [sign @ (b'-' | b'+'), letters @ ..] if word.is_known() => (*sign, letters),
            [b'-' | b'+', ..] | [] if !word.is_known() => {
                // It may be any option.
                usage.redefines = redefines;
                usage.shows_itself = true;
                break;
            }
            _ => break,
        };
        at += 1;
        if letters.is_empty() || letters == b"-" {
            break;
        }
        for letter in letters {
            match letter {
                b'x' | b'v' => usage.shows_itself |= sign == b'-',
                b'o' => {
                    let Some(name) = words.get(at) else { continue };
                    let is = |names: &[&str]| {
                        name.is_known() && names.iter().any(|other| other.as_bytes() == name.prefix)
                    };
                    match (is(&SET_NAMES), is(&["xtrace", "verbose"])) {
                        (true, _) => {}
                        (_, true) => usage.shows_itself |= sign == b'-',
                        _ => usage.redefines = redefines,
                    }
                    at += 1;
                }
                letter if SET_LETTERS.contains(letter) => {}
                _ => usage.redefines = redefines,
            }
        }
    }
    if stretch.more {
        usage.redefines = redefines;
    }
    for number in first + at.min(words.len())..stretch.words.end + usize::from(stretch.more) {
        work.role(stretch, number, Role::Positional);
    }
    work.merge(stretch, &usage);
}

/// Options of `shopt` that change nothing of how a command is read or expanded.
const SHOPT_NAMES: [&str; 8] = [
    "dotglob",
    "globstar",
    "nocaseglob",
    "inherit_errexit",
    "checkwinsize",
    "histappend",
    "xpg_echo",
    "huponexit",
];

/// `shopt`.
pub(super) fn shopt(work: &mut Work, stretch: &Stretch) {
    let words = &work.words[stretch.words.start + 1..stretch.words.end];
    let is_harmless = |word: &Value| {
        let is_name = SHOPT_NAMES
            .iter()
            .any(|name| name.as_bytes() == word.prefix);
        let is_option = matches!(&word.prefix[..], [b'-', letters @ ..] if letters.iter().all(|letter| b"supq".contains(letter)));
        word.is_known() && (is_name || is_option)
    };
    let usage = Usage {
        prints: true,
        redefines: (stretch.more || !words.iter().all(is_harmless)).then_some(Why::ShellBuiltin),
        ..Usage::nothing(0)
    };
    work.merge(stretch, &usage);
}
