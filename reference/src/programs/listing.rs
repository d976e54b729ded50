//! What programs and options are in the table? For whoever proves it by execution, or shows it.

use super::Role;
use super::entry::{Choice, Entry, Slot, TABLE, Takes};

/// One entry.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its names; `git log` is a subcommand.
    pub names: Vec<&'static str>,
    /// A shell does it itself.
    pub is_builtin: bool,
    /// There is a program of this name.
    pub is_program: bool,
    /// Its options.
    pub options: Vec<ListedOption>,
    /// What its first operands are, and then every other.
    pub operands: Vec<Expected>,
    /// No word of it is an option.
    pub takes_no_options: bool,
    /// It has an option of which something is run.
    pub has_programs: bool,
}

/// One option.
#[derive(Clone, Debug)]
pub struct ListedOption {
    /// How it may be written, with its dashes.
    pub spellings: Vec<String>,
    /// What its value is; `None`: it takes none.
    pub value: Option<Expected>,
    /// The value is taken only when attached.
    pub only_attached: bool,
    /// Only some versions of the program have it, or have it so.
    pub varies: bool,
}

/// What is expected in the place of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A text or a number.
    Text,
    /// A file to read.
    File,
    /// A file to write.
    Target,
    /// The name of a variable.
    Variable,
    /// A command, a word each.
    Command,
    /// A program, in whatever language.
    Program,
}

/// All entries.
pub fn listing() -> Vec<Listed> {
    TABLE.entries.iter().map(listed).collect()
}

fn listed(entry: &Entry) -> Listed {
    let operands = entry.lead.iter().copied().chain([entry.rest]);
    Listed {
        names: entry.names.clone(),
        is_builtin: entry.builtin,
        is_program: !entry.shell_only,
        options: entry
            .choices
            .iter()
            .map(|choice| option(entry, choice))
            .collect(),
        operands: operands.chain(entry.last).map(expected).collect(),
        takes_no_options: entry.grammar.none,
        has_programs: entry
            .slots(false)
            .any(|slot| expected(slot) == Expected::Program),
    }
}

fn option(entry: &Entry, choice: &Choice) -> ListedOption {
    let dashes = if entry.grammar.single { "-" } else { "--" };
    let letters = choice
        .letters
        .iter()
        .map(|&letter| format!("-{}", char::from(letter)));
    let names = choice.names.iter().map(|name| format!("{dashes}{name}"));
    let (value, only_attached) = match choice.takes {
        Takes::Nothing => (None, false),
        Takes::Value(slot) => (Some(slot), false),
        Takes::Attached(slot) => (Some(slot), true),
    };
    ListedOption {
        spellings: letters.chain(names).collect(),
        value: value.map(expected),
        only_attached,
        varies: choice.varies || entry.varies,
    }
}

fn expected(slot: Slot) -> Expected {
    match slot {
        Slot::Is(Role::Reads) => Expected::File,
        Slot::Is(Role::Writes | Role::ReadsAndWrites) => Expected::Target,
        Slot::Is(Role::Variable) | Slot::Variable | Slot::Name | Slot::Declaration => {
            Expected::Variable
        }
        Slot::Is(Role::Data | Role::Positional | Role::Verb) | Slot::Argument => Expected::Text,
        Slot::Command => Expected::Command,
        Slot::Is(Role::Evaluated | Role::Runs(_) | Role::RunsFile(_)) | Slot::Text => {
            Expected::Program
        }
    }
}
