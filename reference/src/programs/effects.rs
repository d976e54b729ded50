//! What does a program do besides what its words say? From what its entry and its options say to a [`Usage`].

use super::entry::{Effect, Slot};
use super::read::{Kind, Use};
use super::{Input, Role, Usage, Why};

/// What standard input is if what is read becomes words of this role.
pub(super) fn as_input(role: Role) -> Input {
    match role {
        Role::Runs(why) | Role::RunsFile(why) => Input::Runs(why),
        Role::Evaluated => Input::Runs(Why::ShellBuiltin),
        _ => Input::Data,
    }
}

/// The input that covers both.
pub(super) fn input(one: Input, other: Input) -> Input {
    match (one, other) {
        (runs @ Input::Runs(_), _) | (_, runs @ Input::Runs(_)) => runs,
        (Input::Data, _) | (_, Input::Data) => Input::Data,
        _ => Input::Ignored,
    }
}

impl Usage {
    /// What a program does that got by its options to all that it was asked.
    pub(super) fn of(effects: &[Effect], uses: &[Use]) -> Self {
        let mut usage = Usage {
            input: Input::Data,
            prints: true,
            ..Usage::nothing(0)
        };
        let names_files = || {
            let is_file = |one: &Use| {
                matches!(
                    one.slot,
                    Slot::Is(Role::Reads | Role::Writes | Role::ReadsAndWrites)
                )
            };
            uses.iter().any(is_file)
        };
        for effect in effects {
            match effect {
                Effect::Silent => usage.prints = false,
                Effect::Names => usage.prints &= names_files(),
                Effect::Prints => usage.prints = true,
                Effect::Lists => usage.reads = true,
                Effect::Writes => usage.writes = true,
                Effect::Opaque => usage.opaque = Some(Why::StartsOthers),
                Effect::Hooks => usage.hooks = true,
                Effect::Network => usage.network = true,
                Effect::NoInput if usage.input == Input::Data => usage.input = Input::Ignored,
                Effect::RunsInput => usage.input = Input::Runs(Why::Interpreter),
                Effect::Lasting => usage.lasting = true,
                Effect::Shows => usage.shows_itself = true,
                Effect::Redefines => usage.redefines = Some(Why::ShellBuiltin),
                Effect::NoInput
                | Effect::NoLead
                | Effect::NoLast
                | Effect::All(_)
                | Effect::Mark(_) => {}
            }
        }
        // What it starts may get all that it reads.
        let started = uses.iter().find_map(|one| match (one.slot, one.kind) {
            (Slot::Is(Role::Runs(why) | Role::RunsFile(why)), Kind::Value(_)) => Some(why),
            _ => None,
        });
        if let Some(why) = started {
            usage.input = Input::Runs(why);
            usage.opaque = Some(why);
        }
        // What it starts has its input.
        if let (Some(why), Input::Data) = (usage.opaque, usage.input) {
            usage.input = Input::Runs(why);
        }
        usage
    }

    /// The same of a wrapper, which leaves input and output to the command that it starts.
    pub(super) fn without_streams(mut self) -> Self {
        if self.input == Input::Data {
            self.input = Input::Ignored;
        }
        self.prints = false;
        self
    }

    /// Of a command that does nothing.
    pub(super) fn nothing(words: usize) -> Self {
        Self {
            roles: vec![Role::Data; words],
            starts: vec![0; words],
            input: Input::Ignored,
            input_language: None,
            prints: false,
            reads: false,
            writes: false,
            hooks: false,
            network: false,
            opaque: None,
            redefines: None,
            shows_itself: false,
            lasting: false,
            programs: Vec::new(),
        }
    }
}
