//! What does the table say of one program? The form of an entry, and how the text of the table is read.
//!
//! The text stands in the files of `table/`, much as a synopsis is written. A text that does not keep to its form is an
//! error of this program: its tests find it, never a user.
//!
//! ```text
//! name, other name: OPERAND OPERAND... OPERAND | attribute, attribute
//!   -b --long, -k --key =DATA, -i --in-place [=DATA] +effect, -xyz, as other name
//! ```
//!
//! The operands are the first ones, the one that is repeated, and the last. Of an option there stand its letters and names,
//! what its value is (in brackets if it is taken only when attached), and what it changes. `as` takes over the options of an
//! entry that stands before in the same file.

use super::special::Special;
use super::{Language, Role, Why};
use std::collections::HashMap;
use std::sync::LazyLock;

/// What the table says of one word, before its value is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// This role, whatever the word is.
    Is(Role),
    /// Program text for a shell; several in a row are joined by blanks.
    Text,
    /// What program text finds as `$0`, `$1`, ...
    Argument,
    /// The first word of a command; the rest of the words belong to it.
    Command,
    /// The name of a variable that gets data, perhaps with a subscript.
    Variable,
    /// The name of a variable that is looked at or taken away, perhaps with a subscript.
    Name,
    /// `NAME=value` or `NAME`, as the builtins that declare take it.
    Declaration,
}

/// What a program does besides what its words say, always or with an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// No data on standard output.
    Silent,
    /// Of its data only names of files on standard output.
    Names,
    /// Data on standard output, whatever was said before.
    Prints,
    /// Reads files that no word names.
    Lists,
    /// Keeps data where no word says.
    Writes,
    /// Starts programs of its own choice.
    Opaque,
    /// Runs the hooks of a repository.
    Hooks,
    /// Reaches out.
    Network,
    /// Does not read standard input.
    NoInput,
    /// Runs what it reads from standard input.
    RunsInput,
    /// The first operands are as those after them.
    NoLead,
    /// The last operand is as those before it.
    NoLast,
    /// All operands are such.
    All(Slot),
    /// What it starts goes on when it is done.
    Lasting,
    /// Shows text of the shell itself.
    Shows,
    /// Changes what the rest of the command means.
    Redefines,
    /// What the code of a special entry looks for.
    Mark(&'static str),
}

/// Whether an option takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// None.
    Nothing,
    /// One, attached or as the next word.
    Value(Slot),
    /// One if it is attached.
    Attached(Slot),
}

/// One option.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) letters: Vec<u8>,
    pub(super) names: Vec<&'static str>,
    pub(super) takes: Takes,
    pub(super) effects: Vec<Effect>,
    /// Only some versions have it, or have it so.
    pub(super) varies: bool,
}

/// How options are written, where it is not as GNU programs have it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Grammar {
    /// The first operand ends the options.
    pub(super) in_order: bool,
    /// A long option is spelled in full.
    pub(super) exact: bool,
    /// Options are words of one dash (`-maxdepth`).
    pub(super) single: bool,
    /// No word is an option, `--` neither.
    pub(super) none: bool,
    /// What a word is that begins with `+`, where that is no operand.
    pub(super) plus: Option<Slot>,
}

/// What the table says of one program.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) names: Vec<&'static str>,
    /// The shell itself does it; a program of this name, if there is one, does the same.
    pub(super) builtin: bool,
    /// Only the shell can do it.
    pub(super) shell_only: bool,
    pub(super) grammar: Grammar,
    pub(super) lead: Vec<Slot>,
    pub(super) rest: Slot,
    pub(super) last: Option<Slot>,
    pub(super) effects: Vec<Effect>,
    /// What reads its [`Slot::Text`].
    pub(super) language: Language,
    /// Its [`Slot::Text`] is run some time later.
    pub(super) later: bool,
    /// Code of its own reads the words.
    pub(super) special: Option<Special>,
    pub(super) choices: Vec<Choice>,
    /// There are more options, which may do harm.
    pub(super) partial: bool,
    /// Which options it has depends on the version, or on its operands.
    pub(super) varies: bool,
    /// Names of options, sorted, each with its place in `choices`.
    long: Vec<(&'static str, usize)>,
    short: HashMap<u8, usize>,
}

impl Entry {
    /// The option of this letter.
    pub(super) fn short(&self, letter: u8) -> Option<&Choice> {
        self.short.get(&letter).map(|&at| &self.choices[at])
    }

    /// The long option that is meant: the one of this name, or the only one whose name begins so.
    pub(super) fn long(&self, name: &[u8]) -> Option<&Choice> {
        let from = self
            .long
            .partition_point(|(full, _)| full.as_bytes() < name);
        let mut beginning = self.long[from..]
            .iter()
            .take_while(|(full, _)| full.as_bytes().starts_with(name));
        let (first, at) = beginning.next()?;
        let is_meant = first.len() == name.len()
            || (!self.grammar.exact && beginning.all(|(_, other)| other == at));
        is_meant.then(|| &self.choices[*at])
    }

    /// Everything that a word of it may be; `is_changed`: if an option has said what all operands are.
    pub(super) fn slots(&self, is_changed: bool) -> impl Iterator<Item = Slot> + '_ {
        let values = self.choices.iter().filter_map(|choice| match choice.takes {
            Takes::Nothing => None,
            Takes::Value(slot) | Takes::Attached(slot) => Some(slot),
        });
        let changed = self.all_effects().filter_map(|effect| match effect {
            Effect::All(slot) => Some(slot),
            _ => None,
        });
        let operands = self.lead.iter().copied().chain([self.rest]);
        operands
            .chain(self.last)
            .filter(move |_| !is_changed)
            .chain(self.grammar.plus)
            .chain(values)
            .chain(changed)
    }

    /// Everything that it may do.
    pub(super) fn all_effects(&self) -> impl Iterator<Item = Effect> + '_ {
        let chosen = self.choices.iter().flat_map(|choice| &choice.effects);
        self.effects.iter().chain(chosen).copied()
    }
}

/// The texts of the table, one a topic.
const TEXTS: [&str; 9] = [
    include_str!("table/coreutils.txt"),
    include_str!("table/filters.txt"),
    include_str!("table/search.txt"),
    include_str!("table/git.txt"),
    include_str!("table/builtins.txt"),
    include_str!("table/wrappers.txt"),
    include_str!("table/archives.txt"),
    include_str!("table/system.txt"),
    include_str!("table/tools.txt"),
];

/// The whole table.
pub(super) struct Table {
    pub(super) entries: Vec<Entry>,
    by_name: HashMap<&'static str, usize>,
}

/// The table, read when it is first asked.
pub(super) static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let entries: Vec<Entry> = TEXTS.iter().flat_map(|text| entries(text)).collect();
    let by_name = entries
        .iter()
        .enumerate()
        .flat_map(|(at, entry)| entry.names.iter().map(move |&name| (name, at)))
        .collect();
    Table { entries, by_name }
});

impl Table {
    /// The entry of a program, or, with a blank between, of a subcommand.
    pub(super) fn named(&self, name: &[u8]) -> Option<&Entry> {
        let name = std::str::from_utf8(name).ok()?;
        self.by_name.get(name).map(|&at| &self.entries[at])
    }
}

fn entries(text: &'static str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for line in text.lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some(options) = line.strip_prefix("  ") else {
            entries.push(head(line));
            continue;
        };
        let (entry, before) = entries.split_last_mut().expect("options follow a head");
        for option in options.split(',').map(str::trim) {
            if option.is_empty() {
                continue;
            }
            match option.strip_prefix("as ") {
                Some(name) => {
                    let other = before.iter().find(|entry| entry.names.contains(&name));
                    let other =
                        other.unwrap_or_else(|| panic!("{line}: nothing of this name before it"));
                    entry.choices.extend(other.choices.iter().cloned());
                }
                None => entry.choices.push(choice(option)),
            }
        }
    }
    for entry in &mut entries {
        // Of two options of one name the first counts: `as` stands last.
        for (at, choice) in entry.choices.iter().enumerate() {
            for &letter in &choice.letters {
                entry.short.entry(letter).or_insert(at);
            }
            for &name in &choice.names {
                if entry.long.iter().all(|(other, _)| *other != name) {
                    entry.long.push((name, at));
                }
            }
        }
        entry.long.sort_unstable();
    }
    entries
}

fn head(line: &'static str) -> Entry {
    let (names, rest) = line
        .split_once(": ")
        .unwrap_or_else(|| panic!("{line}: no colon and blank"));
    let (operands, attributes) = rest.split_once('|').unwrap_or((rest, ""));
    let mut entry = Entry {
        names: names.split(", ").collect(),
        builtin: false,
        shell_only: false,
        grammar: Grammar::default(),
        lead: Vec::new(),
        rest: Slot::Is(Role::Data),
        last: None,
        effects: Vec::new(),
        language: Language::Other,
        later: false,
        special: None,
        choices: Vec::new(),
        partial: false,
        varies: false,
        long: Vec::new(),
        short: HashMap::new(),
    };
    let mut repeated = false;
    for operand in operands.split_whitespace() {
        match operand.strip_suffix("...") {
            Some(name) => {
                repeated = true;
                entry.rest = slot(name, Why::Interpreter);
            }
            None if repeated => entry.last = Some(slot(operand, Why::Interpreter)),
            None => entry.lead.push(slot(operand, Why::Interpreter)),
        }
    }
    for attribute in attributes.split(',').map(str::trim) {
        match attribute {
            "" => {}
            "builtin" => entry.builtin = true,
            "shell" => (entry.builtin, entry.shell_only) = (true, true),
            "in order" => entry.grammar.in_order = true,
            "exact" => entry.grammar.exact = true,
            "single" => entry.grammar.single = true,
            "no options" => entry.grammar.none = true,
            "sh" => entry.language = Language::Posix,
            "bash" => entry.language = Language::Bash,
            "partial" => entry.partial = true,
            "varies" => entry.varies = true,
            "later" => entry.later = true,
            other => match other.split_once(' ') {
                Some(("plus", name)) => entry.grammar.plus = Some(slot(name, Why::ProgramOption)),
                Some(("special", name)) => entry.special = Some(Special::named(name)),
                _ => entry.effects.push(effect(other)),
            },
        }
    }
    if entry.builtin {
        entry.language = Language::Bash;
    }
    entry
}

fn choice(text: &'static str) -> Choice {
    let mut choice = Choice {
        letters: Vec::new(),
        names: Vec::new(),
        takes: Takes::Nothing,
        effects: Vec::new(),
        varies: false,
    };
    for part in text.split_whitespace() {
        if let Some(name) = part.strip_prefix("--") {
            choice.names.push(name);
        } else if let Some(letters) = part.strip_prefix('-') {
            choice.letters.extend(letters.bytes());
        } else if let Some(name) = part.strip_prefix('=') {
            choice.takes = Takes::Value(slot(name, Why::ProgramOption));
        } else if let Some(name) = part.strip_prefix("[=") {
            let name = name
                .strip_suffix(']')
                .unwrap_or_else(|| panic!("{text}: no ]"));
            choice.takes = Takes::Attached(slot(name, Why::ProgramOption));
        } else if part == "+varies" {
            choice.varies = true;
        } else if let Some(name) = part.strip_prefix('+') {
            choice.effects.push(effect(name));
        } else {
            panic!("{text}: what is {part}?");
        }
    }
    choice
}

fn slot(name: &str, why: Why) -> Slot {
    Slot::Is(match name {
        "DATA" => Role::Data,
        "READS" => Role::Reads,
        "WRITES" => Role::Writes,
        "CHANGES" => Role::ReadsAndWrites,
        "POSITIONAL" => Role::Positional,
        "EVALUATED" => Role::Evaluated,
        "RUNS" => Role::Runs(why),
        "FILE" => Role::RunsFile(why),
        "OTHERS" => Role::Runs(Why::StartsOthers),
        "TEXT" => return Slot::Text,
        "ARGUMENT" => return Slot::Argument,
        "COMMAND" => return Slot::Command,
        "VARIABLE" => return Slot::Variable,
        "NAME" => return Slot::Name,
        "DECLARATION" => return Slot::Declaration,
        other => panic!("{other}: no kind of word"),
    })
}

fn effect(name: &'static str) -> Effect {
    match name {
        "silent" => Effect::Silent,
        "names" => Effect::Names,
        "prints" => Effect::Prints,
        "lists" => Effect::Lists,
        "writes" => Effect::Writes,
        "opaque" => Effect::Opaque,
        "hooks" => Effect::Hooks,
        "network" => Effect::Network,
        "noinput" => Effect::NoInput,
        "runsinput" => Effect::RunsInput,
        "nolead" => Effect::NoLead,
        "nolast" => Effect::NoLast,
        "lasting" => Effect::Lasting,
        "shows" => Effect::Shows,
        "redefines" => Effect::Redefines,
        other => match (other.strip_prefix("all="), other.strip_prefix('!')) {
            (Some(name), _) => Effect::All(slot(name, Why::ProgramOption)),
            (_, Some(mark)) => Effect::Mark(mark),
            _ => panic!("{other}: no effect"),
        },
    }
}
