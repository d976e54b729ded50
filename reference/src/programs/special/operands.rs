//! What do the operands of `dd`, `printf`, `flock`, `busybox` mean, and of programs with subcommands?

use crate::programs::entry::{Entry, TABLE};
use crate::programs::read::{Reading, read};
use crate::programs::resolve::{Stretch, Work};
use crate::programs::{Input, Language, ProgramText, Role, Usage, When, Why};
use crate::shell::{Rest, Value};

/// `dd`: `if=FILE of=FILE`, and numbers.
pub(super) fn dd(work: &mut Work, stretch: &Stretch) {
    let mut usage = Usage {
        input: Input::Data,
        prints: true,
        ..Usage::nothing(0)
    };
    for at in stretch.words.start + 1..stretch.words.end {
        let word = &work.words[at];
        let equals = word.prefix.iter().position(|&byte| byte == b'=');
        let role = match (equals.map(|equals| &word.prefix[..equals]), word.rest) {
            (None, Rest::One | Rest::Names) | (_, Rest::Words) => Role::ReadsAndWrites,
            (Some(b"if"), _) => Role::Reads,
            (Some(b"of"), _) => Role::Writes,
            _ => Role::Data,
        };
        if let Some(equals) = equals {
            work.usage.starts[at] = equals + 1;
            usage.prints &= role != Role::Writes;
        }
        work.role(stretch, at, role);
    }
    if stretch.more {
        work.role(stretch, stretch.words.end, Role::ReadsAndWrites);
    }
    work.merge(stretch, &usage);
}

/// `printf`: `-v` is an option only before the format (B-42).
pub(super) fn printf(work: &mut Work, stretch: &Stretch, entry: &Entry) {
    let words = work.after_verb(stretch);
    let alone = words.get(0).filter(|_| words.len() == 1);
    match alone {
        // The program has no `-v`.
        _ if !stretch.by_shell => {
            let prints = Usage {
                prints: true,
                ..Usage::nothing(0)
            };
            work.merge(stretch, &prints);
        }
        // A format, or `-v` without a name.
        Some(word) if word.rest == Rest::One => {
            let prints = Usage {
                prints: true,
                ..Usage::nothing(0)
            };
            work.merge(stretch, &prints);
        }
        _ => work.by_entry(stretch, entry),
    }
}

/// `flock FILE COMMAND...`, or `flock FILE -c TEXT`.
pub(super) fn flock(work: &mut Work, stretch: &Stretch, entry: &Entry) {
    let Reading::Exact {
        uses,
        effects,
        command,
    } = read(entry, work.after_verb(stretch))
    else {
        return work.unknown(stretch, Why::UnknownOption);
    };
    let option = command.map(|number| stretch.words.start + 1 + number);
    let is_text =
        |word: &Value| word.is_known() && matches!(&word.prefix[..], b"-c" | b"--command");
    let text = option
        .filter(|&at| work.words[..stretch.words.end].get(at).is_some_and(is_text))
        .map(|at| at + 1);
    let Some(text) = text else {
        return work.exact(stretch, entry, &uses, &effects, command);
    };
    if text + 1 != stretch.words.end || stretch.more {
        return work.unknown(stretch, Why::Interpreter);
    }
    work.exact(stretch, entry, &uses, &effects, None);
    work.role(stretch, text, Role::Runs(Why::Interpreter));
    work.program(ProgramText {
        words: text..text + 1,
        arguments: text + 1..text + 1,
        language: Language::Other,
        own_shell: false,
        when: When::Now,
    });
    let runs = Usage {
        input: Input::Runs(Why::Interpreter),
        prints: true,
        ..Usage::nothing(0)
    };
    work.merge(stretch, &runs);
}

/// `busybox APPLET`: shells, and applets that have no more options than the program of their name.
pub(super) fn busybox(work: &mut Work, stretch: &Stretch) {
    const APPLETS: [&[u8]; 12] = [
        b"sh",
        b"ash",
        b"cat",
        b"echo",
        b"true",
        b"false",
        b"head",
        b"wc",
        b"rev",
        b"tac",
        b"basename",
        b"dirname",
    ];
    let at = stretch.words.start + 1;
    let is_applet = work.words[..stretch.words.end]
        .get(at)
        .is_some_and(|word| word.is_known() && APPLETS.contains(&&word.prefix[..]));
    if !is_applet {
        return work.unknown(stretch, Why::UnknownProgram);
    }
    work.pending.push(Stretch {
        words: at..stretch.words.end,
        by_shell: false,
        depth: stretch.depth + 1,
        ..stretch.clone()
    });
}

/// How many words may name a subcommand (`gh pr create`).
const LONGEST_NAME: usize = 3;

/// A program whose first operands say what it does; each such name is an entry.
pub(super) fn subcommand(work: &mut Work, stretch: &Stretch, entry: &Entry) {
    let Reading::Exact {
        uses,
        effects,
        command,
    } = read(entry, work.after_verb(stretch))
    else {
        return work.unknown(stretch, Why::UnknownOption);
    };
    let first = stretch.words.start + 1 + command.unwrap_or(uses.len());
    let mut name = entry.names[0].as_bytes().to_vec();
    for at in first..stretch.words.end.min(first + LONGEST_NAME) {
        let word = &work.words[at];
        if !word.is_known() {
            break;
        }
        name.push(b' ');
        name.extend_from_slice(&word.prefix);
        if let Some(subcommand) = TABLE.named(&name) {
            work.exact(stretch, entry, &uses, &effects, None);
            for verb in first..=at {
                work.role(stretch, verb, Role::Verb);
            }
            let inner = Stretch {
                words: at..stretch.words.end,
                by_shell: false,
                ..stretch.clone()
            };
            return work.by_entry(&inner, subcommand);
        }
    }
    work.unknown(stretch, Why::UnknownProgram);
}
