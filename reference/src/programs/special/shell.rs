//! What does a shell run: a text among its words, a file, or its input?

use crate::programs::entry::Entry;
use crate::programs::resolve::{Stretch, Work};
use crate::programs::{Input, Language, ProgramText, Role, Usage, When, Why};
use crate::shell::{Rest, Value};

const RUNS: Role = Role::Runs(Why::Interpreter);

pub(super) fn command(work: &mut Work, stretch: &Stretch, entry: &Entry) {
    let first = stretch.words.start + 1;
    let words = &work.words[first..stretch.words.end];
    let Some(options) = Options::read(words, entry) else {
        return work.unknown(stretch, Why::UnknownOption);
    };
    let mut usage = Usage {
        input: Input::Data,
        prints: true,
        shows_itself: options.shows,
        opaque: match (options.obeys_files, options.changes) {
            (true, _) => Some(Why::StartsOthers),
            (_, true) => Some(Why::UnknownOption),
            _ => None,
        },
        ..Usage::nothing(0)
    };
    let operand = first + options.operands;
    let end = stretch.words.end;
    if stretch.more && !(options.text && operand < end) {
        return work.unknown(stretch, Why::Interpreter);
    }
    for number in options.run_files {
        work.role(stretch, first + number, Role::RunsFile(Why::Interpreter));
    }
    if options.checks_only {
        return work.merge(stretch, &usage);
    }
    for at in operand..end + usize::from(stretch.more) {
        work.role(stretch, at, RUNS);
    }
    if options.text {
        if operand < end {
            if !is_one(&work.words[operand]) {
                return work.unknown(stretch, Why::Interpreter);
            }
            work.program(ProgramText {
                words: operand..operand + 1,
                arguments: operand + 1..end,
                language: entry.language,
                own_shell: false,
                when: When::Now,
            });
            // What it does with its input is for the text to say.
            usage.input = Input::Runs(Why::Interpreter);
        }
    } else if operand == end || options.input {
        usage.input = Input::Runs(Why::Interpreter);
        usage.input_language = Some(entry.language);
    } else {
        let file = &work.words[operand];
        if !is_one(file) {
            return work.unknown(stretch, Why::Interpreter);
        }
        let may_be_input = !file.is_known() || file.prefix.starts_with(b"/");
        // The program in the file has it.
        usage.input = Input::Runs(Why::Interpreter);
        if may_be_input {
            usage.input_language = Some(entry.language);
        }
        usage.opaque = Some(Why::Interpreter);
        work.role(stretch, operand, Role::RunsFile(Why::Interpreter));
    }
    work.merge(stretch, &usage);
}

/// Another interpreter: whatever it gets is run; a program in a file has its standard input.
pub(super) fn interpreter(work: &mut Work, stretch: &Stretch) {
    const VERSIONS: [&[u8]; 4] = [b"--version", b"-V", b"-v", b"-version"];
    let first = stretch.words.start + 1;
    let words = &work.words[first..stretch.words.end];
    let is_version =
        matches!(words, [one] if one.is_known() && VERSIONS.contains(&&one.prefix[..]));
    let is_file = words.first().is_some_and(|word| {
        is_one(word)
            && !matches!(word.prefix[..], [] | [b'-', ..])
            && !word.prefix.starts_with(b"/dev/")
            && !word.prefix.starts_with(b"/proc/")
    });
    if stretch.more || !(is_version || is_file) {
        return work.unknown(stretch, Why::Interpreter);
    }
    let usage = Usage {
        input: match is_file {
            true => Input::Runs(Why::Interpreter),
            false => Input::Ignored,
        },
        prints: true,
        opaque: is_file.then_some(Why::Interpreter),
        ..Usage::nothing(0)
    };
    if is_file {
        work.role(stretch, first, Role::RunsFile(Why::Interpreter));
        for at in first + 1..stretch.words.end {
            work.role(stretch, at, RUNS);
        }
    }
    work.merge(stretch, &usage);
}

fn is_one(word: &Value) -> bool {
    matches!(word.rest, Rest::Nothing | Rest::One)
}

/// What the options say, and where they end.
#[derive(Default)]
struct Options {
    operands: usize,
    /// `-c`
    text: bool,
    /// `-s`
    input: bool,
    /// `-n`
    checks_only: bool,
    /// `-x`, `-v`
    shows: bool,
    /// It reads files of the home (`-l`, `-i`).
    obeys_files: bool,
    /// The text means something else than without the options.
    changes: bool,
    /// Words that name such files.
    run_files: Vec<usize>,
}

/// Letters of options that all shells have and that change nothing here.
const LETTERS: &[u8] = b"befhmptuCPr";

/// Letters of options that change what a text does.
const CHANGING: &[u8] = b"akBEHTd";

/// Names of options that change nothing here.
const NAMES: [&[u8]; 9] = [
    b"errexit",
    b"nounset",
    b"pipefail",
    b"notify",
    b"monitor",
    b"hashall",
    b"noclobber",
    b"noglob",
    b"physical",
];

impl Options {
    /// `None`: an option that is not known.
    fn read(words: &[Value], entry: &Entry) -> Option<Self> {
        let is_bash = entry.language == Language::Bash;
        let mut options = Self::default();
        let mut at = 0;
        // Bash: names first, with one dash or two.
        while let Some(word) = words.get(at).filter(|word| is_bash && word.is_known()) {
            let Some(name) = word.prefix.strip_prefix(b"-") else {
                break;
            };
            let name = name.strip_prefix(b"-").unwrap_or(name);
            match name {
                b"login" => options.obeys_files = true,
                b"verbose" => options.shows = true,
                b"rcfile" | b"init-file" => {
                    at += 1;
                    if let Some(file) = words.get(at) {
                        if !is_one(file) {
                            return None;
                        }
                        options.run_files.push(at);
                    }
                }
                b"debugger" => options.obeys_files = true,
                b"noediting" | b"noprofile" | b"norc" | b"posix" | b"restricted"
                | b"pretty-print" => {}
                b"help" | b"version" | b"dump-strings" | b"dump-po-strings" => {
                    options.checks_only = true
                }
                _ => break,
            }
            at += 1;
        }
        let may_run = options.checks_only;
        let mut interactive = false;
        while let Some(word) = words.get(at) {
            let (sign, letters) = match &word.prefix[..] {
                [] if word.is_known() => break,
                [sign @ (b'-' | b'+'), letters @ ..] => (*sign, letters),
                [_, ..] if word.rest != Rest::Words => break,
                _ => return None,
            };
            if !word.is_known() {
                return None;
            }
            at += 1;
            if sign == b'-' && matches!(letters, [] | [b'-']) {
                break;
            }
            for letter in letters {
                let on = sign == b'-';
                match letter {
                    b'c' => options.text |= on,
                    b's' => options.input |= on,
                    b'n' => options.checks_only = on,
                    b'x' | b'v' => options.shows |= on,
                    b'i' => interactive = true,
                    b'l' => options.obeys_files = true,
                    b'o' | b'O' if *letter == b'o' || is_bash => {
                        let Some(name) = words.get(at) else { continue };
                        if !name.is_known() {
                            return None;
                        }
                        match &name.prefix[..] {
                            b"noexec" => options.checks_only = on,
                            b"xtrace" | b"verbose" => options.shows |= on,
                            name => options.changes |= *letter == b'O' || !NAMES.contains(&name),
                        }
                        at += 1;
                    }
                    b'D' if is_bash => options.checks_only = true,
                    letter if LETTERS.contains(letter) => {}
                    letter if CHANGING.contains(letter) => options.changes = true,
                    _ => return None,
                }
            }
        }
        // An interactive shell ignores `-n`.
        options.checks_only &= !interactive || may_run;
        options.obeys_files |= interactive;
        options.operands = at;
        Some(options)
    }
}
