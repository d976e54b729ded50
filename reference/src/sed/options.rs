//! Which options and operands does this argv hold, in the order in which sed meets them?
//!
//! The rules of `getopt_long` with permutation, as sed calls it (`docs/spec/sed.md` section 2). Order is meaning: sed
//! compiles a piece of the script the moment it meets it, so the caller gets one event after the other.

use std::ops::ControlFlow;

/// One step of reading the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event<'a> {
    /// `-e TEXT`: a piece of the script.
    Expression(&'a [u8]),
    /// `-f FILE`: a piece of the script in a file.
    File(&'a [u8]),
    /// `-i[SUFFIX]`: edit in place; the last one counts.
    InPlace(&'a [u8]),
    /// `-E`, `-r`: extended regular expressions in the pieces after it.
    Extended,
    /// `--posix`: no GNU extensions in the pieces after it.
    Posix,
    /// `--sandbox`: no `e`, `r`, `w` in the pieces after it.
    Sandbox,
    /// `--follow-symlinks`.
    FollowSymlinks,
    /// An option without influence on files.
    Plain,
    /// `--help` or `--version`: sed ends here, with success.
    Done,
    /// An option that sed does not know or that is used wrongly: sed ends here, with the usage text.
    Usage,
}

/// What an option takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Argument,
    /// Only attached: `-iSUFFIX`, `--in-place=SUFFIX`.
    Attached,
}

/// The long options with the short letter that means the same, or a letter of our own above the printable ones.
const LONG: &[(&str, Takes, u8)] = &[
    ("binary", Takes::Nothing, b'b'),
    ("regexp-extended", Takes::Nothing, b'E'),
    ("debug", Takes::Nothing, DEBUG),
    ("expression", Takes::Argument, b'e'),
    ("file", Takes::Argument, b'f'),
    ("in-place", Takes::Attached, b'i'),
    ("line-length", Takes::Argument, b'l'),
    ("null-data", Takes::Nothing, b'z'),
    ("zero-terminated", Takes::Nothing, b'z'),
    ("quiet", Takes::Nothing, b'n'),
    ("silent", Takes::Nothing, b'n'),
    ("posix", Takes::Nothing, POSIX),
    ("sandbox", Takes::Nothing, SANDBOX),
    ("separate", Takes::Nothing, b's'),
    ("unbuffered", Takes::Nothing, b'u'),
    ("version", Takes::Nothing, VERSION),
    ("help", Takes::Nothing, HELP),
    ("follow-symlinks", Takes::Nothing, FOLLOW),
];
const DEBUG: u8 = 128;
const POSIX: u8 = 129;
const SANDBOX: u8 = 130;
const VERSION: u8 = 131;
const HELP: u8 = 132;
const FOLLOW: u8 = 133;

/// What a short letter takes; `None`: unknown.
fn short(letter: u8) -> Option<Takes> {
    match letter {
        b'b' | b's' | b'n' | b'r' | b'z' | b'u' | b'E' => Some(Takes::Nothing),
        b'e' | b'f' | b'l' => Some(Takes::Argument),
        b'i' => Some(Takes::Attached),
        _ => None,
    }
}

fn event(letter: u8, argument: &[u8]) -> Event<'_> {
    match letter {
        b'e' => Event::Expression(argument),
        b'f' => Event::File(argument),
        b'i' => Event::InPlace(argument),
        b'E' | b'r' => Event::Extended,
        POSIX => Event::Posix,
        SANDBOX => Event::Sandbox,
        FOLLOW => Event::FollowSymlinks,
        VERSION | HELP => Event::Done,
        _ => Event::Plain,
    }
}

/// The long option that `name` means, exactly or as the only one it begins.
fn long(name: &[u8]) -> Option<(Takes, u8)> {
    let mut found: Option<(Takes, u8)> = None;
    for &(full, takes, letter) in LONG {
        if full.as_bytes() == name {
            return Some((takes, letter));
        }
        if full.as_bytes().starts_with(name) {
            if found.is_some_and(|before| before != (takes, letter)) {
                return None;
            }
            found = Some((takes, letter));
        }
    }
    found
}

/// Reads `words` (without `argv[0]`), hands each event to `meet` until it breaks, and returns the operands in order.
///
/// With `stop_at_operand` (`POSIXLY_CORRECT` is set) the first operand ends the options.
pub(super) fn read<'a>(
    words: &'a [Vec<u8>],
    stop_at_operand: bool,
    mut meet: impl FnMut(Event<'a>) -> ControlFlow<()>,
) -> ControlFlow<(), Vec<&'a [u8]>> {
    let mut operands: Vec<&[u8]> = Vec::new();
    let mut rest = words.iter().map(Vec::as_slice);
    while let Some(word) = rest.next() {
        if word == b"--" {
            break;
        }
        if let Some(option) = word.strip_prefix(b"--") {
            let (name, value) = match option.iter().position(|&b| b == b'=') {
                Some(at) => (&option[..at], Some(&option[at + 1..])),
                None => (option, None),
            };
            let next = match (long(name), value) {
                (None, _) | (Some((Takes::Nothing, _)), Some(_)) => Event::Usage,
                (Some((Takes::Argument, letter)), None) => rest
                    .next()
                    .map_or(Event::Usage, |argument| event(letter, argument)),
                (Some((_, letter)), value) => event(letter, value.unwrap_or_default()),
            };
            meet(next)?;
        } else if word.len() > 1 && word[0] == b'-' {
            let mut at = 1;
            while at < word.len() {
                let letter = word[at];
                at += 1;
                let next = match short(letter) {
                    None => Event::Usage,
                    Some(Takes::Nothing) => event(letter, b""),
                    Some(Takes::Argument) if at == word.len() => rest
                        .next()
                        .map_or(Event::Usage, |argument| event(letter, argument)),
                    Some(_) => {
                        let argument = &word[at..];
                        at = word.len();
                        event(letter, argument)
                    }
                };
                meet(next)?;
            }
        } else {
            operands.push(word);
            if stop_at_operand {
                break;
            }
        }
    }
    operands.extend(rest);
    ControlFlow::Continue(operands)
}
