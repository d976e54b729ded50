//! Which subcommand of `git` is meant, and with which configuration?

use crate::programs::entry::{Effect, Entry, TABLE};
use crate::programs::read::{Kind, Reading, read};
use crate::programs::resolve::{Stretch, Work};
use crate::programs::{Role, Usage, Why};

/// Keys of the configuration whose values are data. A value of any other may be a program or name one.
const KEYS: [&str; 22] = [
    "user.name",
    "user.email",
    "init.defaultbranch",
    "color.ui",
    "color.diff",
    "color.status",
    "color.branch",
    "core.autocrlf",
    "core.quotepath",
    "core.safecrlf",
    "core.filemode",
    "core.abbrev",
    "commit.gpgsign",
    "tag.gpgsign",
    "advice.detachedhead",
    "log.showsignature",
    "pull.rebase",
    "merge.conflictstyle",
    "diff.renames",
    "diff.context",
    "push.default",
    "fetch.prune",
];

pub(super) fn command(work: &mut Work, stretch: &Stretch, entry: &Entry) {
    let Reading::Exact {
        uses,
        effects,
        command,
    } = read(entry, work.after_verb(stretch))
    else {
        return work.unknown(stretch, Why::UnknownOption);
    };
    let first = stretch.words.start + 1;
    let settings: Vec<usize> = uses
        .iter()
        .enumerate()
        .filter(|(_, one)| one.kind == Kind::Value(Some("setting")))
        .map(|(number, _)| first + number)
        .collect();
    let is_harmless = |at: &usize| {
        work.words.get(*at).is_some_and(|word| {
            let equals = word.prefix.iter().position(|&byte| byte == b'=');
            equals.is_some_and(|equals| is_data(&word.prefix[..equals]))
                || (word.is_known() && is_data(&word.prefix))
        })
    };
    if !settings.iter().all(is_harmless) {
        return work.unknown(stretch, Why::ProgramOption);
    }
    let Some(number) = command.filter(|&number| first + number < stretch.words.end) else {
        if stretch.more {
            return work.unknown(stretch, Why::UnknownVerb);
        }
        return work.exact(stretch, entry, &uses, &effects, None);
    };
    let at = first + number;
    let verb = &work.words[at];
    let name = [b"git ", &verb.prefix[..]].concat();
    let subcommand = TABLE.named(&name).filter(|_| verb.is_known());
    let Some(subcommand) = subcommand else {
        // An alias, or a program `git-NAME`.
        return work.unknown(stretch, Why::UnknownProgram);
    };
    work.exact(stretch, entry, &uses, &effects, None);
    let done = Usage::of(&effects, &uses).without_streams();
    work.merge(stretch, &done);
    let inner = Stretch {
        words: at..stretch.words.end,
        ..stretch.clone()
    };
    work.role(stretch, at, Role::Verb);
    match subcommand.special {
        Some(special) => special.command(work, &inner, subcommand),
        None => work.by_entry(&inner, subcommand),
    }
}

/// `git config`: what it writes may name programs.
pub(super) fn config(work: &mut Work, stretch: &Stretch, entry: &Entry) {
    let Reading::Exact { uses, effects, .. } = read(entry, work.after_verb(stretch)) else {
        return work.unknown(stretch, Why::UnknownOption);
    };
    let first = stretch.words.start + 1;
    let operands: Vec<usize> = uses
        .iter()
        .enumerate()
        .filter(|(_, one)| one.kind == Kind::Operand)
        .map(|(number, _)| first + number)
        .collect();
    let words = |at: &usize| work.words.get(*at).filter(|_| *at < stretch.words.end);
    let known: Option<Vec<&[u8]>> = operands
        .iter()
        .map(|at| {
            words(at)
                .filter(|word| word.is_known())
                .map(|word| &word.prefix[..])
        })
        .collect();
    let reads = effects.contains(&Effect::Mark("reads"));
    let is_read = match known.as_deref() {
        Some([b"get" | b"list", ..]) => true,
        Some([key]) => key.contains(&b'.'),
        Some([] | [..]) => reads,
        None => reads,
    };
    let key = operands
        .iter()
        .filter_map(words)
        .find(|word| word.prefix.contains(&b'.'));
    let is_data = key.is_some_and(|key| key.is_known() && is_data(&key.prefix));
    if !is_read && !is_data {
        return work.unknown(stretch, Why::ProgramOption);
    }
    work.exact(stretch, entry, &uses, &effects, None);
    work.merge(
        stretch,
        &Usage {
            writes: !is_read,
            ..Usage::nothing(0)
        },
    );
}

/// `git remote`: it shows, or it writes the configuration.
pub(super) fn remote(work: &mut Work, stretch: &Stretch, entry: &Entry) {
    let shows = work.after_verb(stretch).known.iter().all(|word| {
        word.is_known()
            && matches!(
                &word.prefix[..],
                b"-v" | b"--verbose" | b"get-url" | b"origin" | b"upstream"
            )
    });
    match shows && !stretch.more {
        true => work.by_entry(stretch, entry),
        false => work.unknown(stretch, Why::UnknownOption),
    }
}

fn is_data(key: &[u8]) -> bool {
    KEYS.iter()
        .any(|known| known.as_bytes().eq_ignore_ascii_case(key))
}
