//! What does a command do through all its wrappers? From the first verb down to the commands that it starts.
//!
//! Words are looked at in stretches, each the words of one command; a wrapper adds the stretch of the command that it
//! starts. A stretch is read once, and wrappers are followed only so deep, so the cost is linear in the words.

use super::effects::{as_input, input};
use super::entry::{Effect, Entry, Slot, TABLE};
use super::read::{MORE, Reading, Use, Words, join, read};
use super::variable;
use super::{Input, ProgramText, Role, Usage, When, Why};
use crate::shell::{Rest, Value};
use std::ops::Range;

/// How many wrappers may stand one in another.
const DEEPEST: usize = 16;

/// The words of one command.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    /// The verb first.
    pub(super) words: Range<usize>,
    /// Any number of words that are not known come after them.
    pub(super) more: bool,
    /// A shell looks up the verb, so that it may be a builtin.
    pub(super) by_shell: bool,
    /// What its standard input is.
    pub(super) feed: Feed,
    /// How many wrappers it stands in.
    pub(super) depth: usize,
}

/// Where the standard input of the whole goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feed {
    /// Into this command.
    Passed,
    /// Into its words: into [`Stretch::more`] and those that are named by [`Work::filled`].
    IntoWords,
    /// Elsewhere.
    Nowhere,
}

/// What is known so far.
pub(super) struct Work {
    pub(super) words: Vec<Value>,
    pub(super) usage: Usage,
    pub(super) pending: Vec<Stretch>,
    /// Words with a part that a wrapper fills in (`{}`).
    pub(super) filled: Vec<bool>,
    /// Words that say which files are named to a command (`find DIR`, `xargs -a FILE`).
    pub(super) sources: Vec<usize>,
    /// What it does with such names.
    pub(super) named: Role,
}

/// What [`super::usage`] says.
pub(super) fn usage(words: &[Value]) -> Usage {
    let mut work = Work {
        words: words.to_vec(),
        usage: Usage::nothing(words.len()),
        pending: Vec::new(),
        filled: vec![false; words.len()],
        sources: Vec::new(),
        named: Role::Data,
    };
    work.pending.push(Stretch {
        words: 0..words.len(),
        more: false,
        by_shell: true,
        feed: Feed::Passed,
        depth: 0,
    });
    while let Some(stretch) = work.pending.pop() {
        work.command(&stretch);
    }
    for at in work.sources {
        let role = &mut work.usage.roles[at];
        *role = join(*role, of_named(work.named));
    }
    work.usage
}

/// What becomes of a file whose name a command gets as a word of this role.
fn of_named(role: Role) -> Role {
    match role {
        Role::Runs(why) | Role::RunsFile(why) => Role::RunsFile(why),
        Role::Writes | Role::ReadsAndWrites => Role::ReadsAndWrites,
        _ => Role::Reads,
    }
}

impl Work {
    /// The words after the verb.
    pub(super) fn after_verb(&self, stretch: &Stretch) -> Words<'_> {
        Words {
            known: &self.words[stretch.words.start + 1..stretch.words.end],
            more: stretch.more,
        }
    }

    fn command(&mut self, stretch: &Stretch) {
        if stretch.words.is_empty() {
            // Nothing but words that are not known.
            return self.unknown(stretch, Why::UnknownVerb);
        }
        let verb = stretch.words.start;
        self.usage.roles[verb] = Role::Verb;
        if !self.words[verb].is_known() {
            if self.filled[verb] {
                self.role(stretch, verb, Role::Runs(Why::UnknownVerb));
            }
            return self.unknown(stretch, Why::UnknownVerb);
        }
        if stretch.depth >= DEEPEST {
            return self.unknown(stretch, Why::StartsOthers);
        }
        let name = &self.words[verb].prefix;
        let Some(entry) = entry(name, stretch.by_shell) else {
            return self.unknown(stretch, Why::UnknownProgram);
        };
        match entry.special {
            Some(special) => special.command(self, stretch, entry),
            None => self.by_entry(stretch, entry),
        }
    }

    /// What the entry says.
    pub(super) fn by_entry(&mut self, stretch: &Stretch, entry: &Entry) {
        match read(entry, self.after_verb(stretch)) {
            Reading::Exact {
                uses,
                effects,
                command,
            } => self.exact(stretch, entry, &uses, &effects, command),
            Reading::Loose(before) => self.loose(stretch, entry, &before),
            Reading::Unknown => self.unknown(stretch, Why::UnknownOption),
        }
    }

    /// All that a program may do about which nothing is known.
    pub(super) fn unknown(&mut self, stretch: &Stretch, why: Why) {
        let words = stretch.words.clone();
        for at in words.skip(1) {
            self.role(stretch, at, Role::Runs(why));
        }
        let unknown = Usage::unknown(0, why);
        self.merge(stretch, &unknown);
        if stretch.more {
            self.role(stretch, stretch.words.end, Role::Runs(why));
        }
    }

    /// Sets the role of a word of the stretch, where one past the last is [`Stretch::more`].
    pub(super) fn role(&mut self, stretch: &Stretch, at: usize, role: Role) {
        let is_there = at < stretch.words.end;
        if is_there {
            self.usage.roles[at] = role;
        }
        if !is_there || self.filled[at] {
            self.named = join(self.named, role);
            if stretch.feed == Feed::IntoWords {
                self.usage.input = input(self.usage.input, as_input(role));
                self.usage.writes |= matches!(role, Role::Writes | Role::ReadsAndWrites);
            }
        }
    }

    /// Adds what a command does but for its words.
    pub(super) fn merge(&mut self, stretch: &Stretch, other: &Usage) {
        let usage = &mut self.usage;
        if stretch.feed == Feed::Passed {
            usage.input = input(usage.input, other.input);
            usage.input_language = usage.input_language.or(other.input_language);
        }
        usage.prints |= other.prints;
        usage.reads |= other.reads;
        usage.writes |= other.writes;
        usage.hooks |= other.hooks;
        usage.network |= other.network;
        usage.opaque = usage.opaque.or(other.opaque);
        usage.redefines = usage.redefines.or(other.redefines);
        usage.shows_itself |= other.shows_itself;
        usage.lasting |= other.lasting;
    }

    /// Some word may be an option: whatever the entry has may be meant, in any place.
    pub(super) fn loose(&mut self, stretch: &Stretch, entry: &Entry, before: &[Effect]) {
        let is_data = |effect: Effect| !matches!(effect, Effect::Opaque | Effect::RunsInput);
        let is_changed = before.iter().any(|effect| matches!(effect, Effect::All(_)));
        let role = entry
            .slots(is_changed)
            .try_fold(Role::Data, |whole, slot| match slot {
                Slot::Is(role) => Some(join(whole, role)),
                _ => None,
            });
        let role = role
            .filter(|role| !matches!(role, Role::Runs(_) | Role::RunsFile(_) | Role::Evaluated));
        let Some(role) = role.filter(|_| !entry.partial && entry.all_effects().all(is_data)) else {
            return self.unknown(stretch, Why::UnknownOption);
        };
        let end = stretch.words.end + usize::from(stretch.more);
        for at in stretch.words.start + 1..end {
            self.role(stretch, at, role);
        }
        let has = |effect| entry.all_effects().any(|other| other == effect);
        let other = Usage {
            input: Input::Data,
            prints: true,
            reads: has(Effect::Lists),
            writes: has(Effect::Writes),
            hooks: has(Effect::Hooks),
            network: has(Effect::Network),
            shows_itself: has(Effect::Shows),
            lasting: has(Effect::Lasting),
            redefines: has(Effect::Redefines).then_some(Why::ShellBuiltin),
            ..Usage::nothing(0)
        };
        self.merge(stretch, &other);
    }

    /// Every word is known for what it is.
    pub(super) fn exact(
        &mut self,
        stretch: &Stretch,
        entry: &Entry,
        uses: &[Use],
        effects: &[Effect],
        command: Option<usize>,
    ) {
        let first = stretch.words.start + 1;
        let mut texts: Option<Range<usize>> = None;
        let mut arguments: Option<Range<usize>> = None;
        for (number, one) in uses.iter().enumerate() {
            let at = first + number;
            if at < stretch.words.end {
                self.usage.starts[at] = one.start;
            }
            match one.slot {
                // Text with words that are not known is not shown as one.
                _ if at >= stretch.words.end => texts = None,
                Slot::Text => match &mut texts {
                    Some(range) if range.end == at => range.end += 1,
                    _ => {
                        self.text(entry, texts.take(), arguments.take());
                        texts = Some(at..at + 1);
                    }
                },
                Slot::Argument => match &mut arguments {
                    Some(range) => range.end = at + 1,
                    None => arguments = Some(at..at + 1),
                },
                _ => {}
            }
            let role = match self.words.get(at).filter(|_| at < stretch.words.end) {
                Some(word) => role_of(one, word),
                None => role_of(one, &MORE),
            };
            self.role(stretch, at, role);
        }
        self.text(entry, texts, arguments);
        let mut done = Usage::of(effects, uses);
        if !entry.later && uses.iter().any(|one| one.slot == Slot::Text) {
            done.input = Input::Runs(Why::Interpreter);
        }
        match command {
            Some(number) => {
                let inner = Stretch {
                    words: first + number..stretch.words.end,
                    by_shell: entry.shell_only && stretch.by_shell,
                    depth: stretch.depth + 1,
                    ..stretch.clone()
                };
                self.merge(stretch, &done.without_streams());
                if inner.words.is_empty() {
                    self.role(&inner, inner.words.end, Role::Runs(Why::UnknownVerb));
                }
                self.pending.push(inner);
            }
            None => self.merge(stretch, &done),
        }
    }

    fn text(
        &mut self,
        entry: &Entry,
        words: Option<Range<usize>>,
        arguments: Option<Range<usize>>,
    ) {
        let Some(words) = words else { return };
        let end = words.end;
        self.program(ProgramText {
            words,
            arguments: arguments.unwrap_or(end..end),
            language: entry.language,
            own_shell: entry.builtin,
            when: if entry.later { When::Later } else { When::Now },
        });
    }

    /// Adds a text that is run, unless a wrapper fills a part of it in: it is then not what stands there.
    pub(super) fn program(&mut self, text: ProgramText) {
        if !self.filled[text.words.clone()].contains(&true) {
            self.usage.programs.push(text);
        }
    }
}

/// The role of a word that is used so.
fn role_of(one: &Use, word: &Value) -> Role {
    let part = word.prefix.get(one.start..).unwrap_or_default();
    match one.slot {
        Slot::Is(role) => role,
        Slot::Text | Slot::Argument | Slot::Command => Role::Runs(Why::Interpreter),
        Slot::Variable => variable::gets(part, word.rest),
        Slot::Name => variable::looked_at(part, word.rest),
        Slot::Declaration => variable::declared(part, word.rest),
    }
}

/// The entry of a verb as it is looked up.
pub(super) fn entry(name: &[u8], by_shell: bool) -> Option<&'static Entry> {
    const FOLDERS: [&[u8]; 6] = [
        b"/bin/",
        b"/usr/bin/",
        b"/sbin/",
        b"/usr/sbin/",
        b"/usr/local/bin/",
        b"/usr/games/",
    ];
    let in_folder = FOLDERS.iter().find_map(|folder| name.strip_prefix(*folder));
    let base = in_folder.unwrap_or(name);
    if base.contains(&b'/') || base.contains(&b' ') {
        return None;
    }
    let entry = TABLE.named(base)?;
    let is_there = !entry.shell_only || (by_shell && in_folder.is_none());
    is_there.then_some(entry)
}

impl Work {
    /// In a word of a command `hole` is replaced by something that begins with `beginning`.
    pub(super) fn fill(&mut self, at: usize, hole: &[u8], beginning: &[u8], rest: Rest) {
        let word = &mut self.words[at];
        let found = word
            .prefix
            .windows(hole.len())
            .position(|part| part == hole);
        let Some(found) = found else {
            // What is not known may hold it.
            self.filled[at] |= !word.is_known();
            return;
        };
        word.prefix.truncate(found);
        word.prefix.extend_from_slice(beginning);
        word.rest = rest.max(word.rest);
        self.filled[at] = true;
    }
}
