//! Does what was seen of a run keep to what the table says of it?

use super::super::Failure;
use super::invocation::{IN_FILES, IN_INPUT, Invocation};
use differential::sandbox::{CANARIES, Call, Change, Event, Observation};
use reference::programs::{Input, Role, Usage};

/// What a run that kept to it showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ran {
    /// The table claims something: not every word may be run.
    pub claims: bool,
    /// A canary was started, as the table says it may.
    pub started: bool,
    /// The program did not stop at its options.
    pub accepted: bool,
}

/// What programs say of an option that they do not have, or that is used otherwise.
const COMPLAINTS: [&str; 15] = [
    "invalid option",
    "unrecognized option",
    "unrecognised option",
    "unknown option",
    "Unknown option",
    "illegal option",
    "wasn't expected",
    "unknown predicate",
    "unknown switch",
    "is ambiguous",
    "doesn't allow an argument",
    "takes no value",
    "requires an argument",
    "requires a value",
    "unrecognized argument",
];

/// Programs that are scripts, or leave packing to another: what they start besides themselves.
const HELPERS: [(&str, &[&str]); 10] = [
    ("egrep", &["grep"]),
    ("fgrep", &["grep"]),
    ("zcat", &["gzip"]),
    ("gunzip", &["gzip"]),
    ("diff", &["pr"]),
    ("lzma", &["xz"]),
    ("locale", &["gzip"]),
    ("xargs", &["echo"]),
    // It asks git which files are ignored.
    ("ag", &["sh", "git"]),
    (
        "tar",
        &[
            "sh", "gzip", "bzip2", "xz", "zstd", "compress", "lzip", "lzma", "lzop",
        ],
    ),
];

pub(super) fn judge(
    invocation: &Invocation,
    said: &Usage,
    seen: &Observation,
) -> Result<Ran, Failure> {
    let refuted = |what: String| {
        Err(Failure::Refuted(format!(
            "{}\nsays  {said:?}\ndid   {what}\nended {:?}\nout   {}\nerr   {}",
            invocation.shown(),
            seen.end,
            seen.stdout.escape_ascii(),
            seen.stderr.escape_ascii(),
        )))
    };
    let from = begin(invocation, seen);
    let Some(from) = from else {
        return Err(Failure::Undecided(format!(
            "{} was not started",
            invocation.shown()
        )));
    };
    let started: Vec<&str> = seen.events[from..].iter().filter_map(execution).collect();
    let is_run = |role: &Role| matches!(role, Role::Runs(_) | Role::RunsFile(_) | Role::Evaluated);
    let runs_something = said.roles.iter().any(is_run)
        || matches!(said.input, Input::Runs(_))
        || said.opaque.is_some();
    // Text that must not be started.
    for (number, name) in CANARIES.iter().enumerate() {
        if !started.contains(name) {
            continue;
        }
        let is_its = |word: &[u8]| word.windows(name.len()).any(|part| part == name.as_bytes());
        let mut words = said.roles.iter().zip(&invocation.words);
        let may = match number {
            IN_FILES => runs_something,
            IN_INPUT => matches!(said.input, Input::Runs(_)) || said.opaque.is_some(),
            _ => {
                said.opaque.is_some()
                    || words
                        .any(|(role, word)| is_its(word) && (is_run(role) || *role == Role::Verb))
            }
        };
        if !may {
            return refuted(format!("started {name}"));
        }
    }
    let ours = |name: &&&str| {
        let is_verb = said
            .roles
            .iter()
            .zip(&invocation.words)
            .any(|(role, word)| {
                *role == Role::Verb
                    && word.rsplit(|&byte| byte == b'/').next() == Some(name.as_bytes())
            });
        let helps = HELPERS.iter().any(|(program, helpers)| {
            invocation.words[0] == program.as_bytes() && helpers.contains(*name)
        });
        is_verb || helps || CANARIES.contains(*name)
    };
    if !runs_something
        && !said.hooks
        && let Some(other) = started.iter().find(|name| !ours(name))
    {
        return refuted(format!("started {other}"));
    }
    if !runs_something {
        if let Some(path) = unsaid_change(invocation, said, seen) {
            return refuted(format!("changed {}", path.escape_ascii()));
        }
        if let Some(path) = unsaid_read(invocation, said, seen) {
            return refuted(format!("read {}", path.escape_ascii()));
        }
    }
    let shows_data = seen.stdout.windows(4).any(|part| part == b"cnry");
    // On a terminal messages of errors come out there too.
    if !said.prints && shows_data && !invocation.on_terminal {
        return refuted("printed data".to_owned());
    }
    let told = match invocation.on_terminal {
        true => &seen.stdout,
        false => &seen.stderr,
    };
    let told = String::from_utf8_lossy(told);
    let unknown = said.opaque.is_some() && said.roles[1..].iter().all(is_run);
    let complaint = COMPLAINTS
        .iter()
        .find(|complaint| told.contains(**complaint));
    if let Some(complaint) = complaint
        && !unknown
        && !runs_something
        && !invocation.varies
    {
        return refuted(format!("complained: {complaint}"));
    }
    Ok(Ran {
        claims: !unknown,
        started: started.iter().any(|name| CANARIES.contains(name)),
        accepted: complaint.is_none(),
    })
}

/// Number of the event with which the program itself is started.
fn begin(invocation: &Invocation, seen: &Observation) -> Option<usize> {
    seen.events
        .iter()
        .position(|event| match &event.call {
            Call::Execute { argv, .. } if event.errno == 0 => match invocation.by_shell {
                true => {
                    argv.get(1).is_some_and(|word| word == b"-c")
                        && argv.get(3).is_some_and(|word| word == b"bash")
                }
                false => {
                    argv == &invocation.words
                        || argv.ends_with(&invocation.words)
                            && argv.len() <= invocation.words.len() + 2
                }
            },
            _ => false,
        })
        .map(|at| at + 1)
}

/// The base name of a program that was started.
fn execution(event: &Event) -> Option<&str> {
    match &event.call {
        Call::Execute { path, .. } if event.errno == 0 => {
            let path = std::str::from_utf8(path).ok()?;
            path.rsplit('/').next()
        }
        _ => None,
    }
}

/// The operands and values of these roles.
fn named<'a>(
    invocation: &'a Invocation,
    said: &'a Usage,
    roles: &'a [Role],
) -> impl Iterator<Item = &'a [u8]> {
    let words = said.roles.iter().zip(&said.starts).zip(&invocation.words);
    words
        .filter(move |((role, _), _)| roles.contains(role))
        .map(|((_, &start), word)| word.get(start..).unwrap_or_default())
}

/// Something that was made or changed, and is not where the words say.
fn unsaid_change(invocation: &Invocation, said: &Usage, seen: &Observation) -> Option<Vec<u8>> {
    if said.writes {
        return None;
    }
    let paths = seen.changes.iter().flat_map(|change| match change {
        Change::Created(path) | Change::Changed(path) | Change::Removed(path) => vec![path],
        Change::Renamed(from, to) => vec![from, to],
    });
    // What git's fixture makes, and git itself keeps, is no file of the words.
    let is_fixture = |path: &[u8]| {
        let of_git = path.starts_with(b".git") || path.starts_with(b"staged.txt");
        (invocation.is_git() && of_git) || path.starts_with(b"../home") || path == b"../never"
    };
    let mut paths = paths.filter(|path| !is_fixture(path));
    let roles = [Role::Writes, Role::ReadsAndWrites];
    let unsaid = paths.find(|path| {
        !named(invocation, said, &roles).any(|word| {
            let word = word.strip_prefix(b"./").unwrap_or(word);
            path.starts_with(word) || word.starts_with(path) || word == b"."
        })
    });
    unsaid.cloned()
}

/// A file that was read, and no word names it or a folder that it lies in.
fn unsaid_read(invocation: &Invocation, said: &Usage, seen: &Observation) -> Option<Vec<u8>> {
    if said.reads || invocation.is_git() {
        return None;
    }
    let roles = [Role::Reads, Role::ReadsAndWrites, Role::Writes];
    let read = seen
        .read
        .iter()
        .filter(|path| invocation.file_names().any(|name| name == &path[..]));
    let mut unsaid = read.filter(|path| {
        !named(invocation, said, &roles).any(|word| {
            let word = word.strip_prefix(b"./").unwrap_or(word);
            let below = path
                .strip_prefix(word)
                .is_some_and(|rest| matches!(rest, [] | [b'/', ..]));
            below
                || word == b"."
                || word
                    .strip_suffix(b"/")
                    .is_some_and(|word| path.starts_with(word))
        })
    });
    unsaid.next().cloned()
}
