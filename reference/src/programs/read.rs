//! Which option, value or operand is each word? The words of one program, read by its entry.
//!
//! Options as GNU `getopt_long` has them unless the entry says otherwise: clusters, attached values, `--`, options after
//! operands, beginnings of long names. A word that is not known may become an option, or several words: then nothing is
//! said but that the reading is [`Reading::Loose`].

use super::entry::{Choice, Effect, Entry, Slot, Takes};
use super::{Role, Why};
use crate::shell::{Rest, Value};

/// The words of a program without its verb, and perhaps any number of words more.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) known: &'a [Value],
    pub(super) more: bool,
}

/// Any number of words of which nothing is known.
pub(super) static MORE: Value = Value {
    prefix: Vec::new(),
    rest: Rest::Words,
};

impl<'a> Words<'a> {
    /// How many, the unknown ones counted as one.
    pub(super) fn len(&self) -> usize {
        self.known.len() + usize::from(self.more)
    }

    /// Word number `at`.
    pub(super) fn get(&self, at: usize) -> Option<&'a Value> {
        match self.known.get(at) {
            None if self.more && at == self.known.len() => Some(&MORE),
            word => word,
        }
    }
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Use {
    pub(super) slot: Slot,
    /// Offset in the word of the operand or value.
    pub(super) start: usize,
    /// What it is.
    pub(super) kind: Kind,
}

/// The kind of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Options without a value in it, or `--`.
    Option,
    /// The value of an option, perhaps with the option, and the mark of that.
    Value(Option<&'static str>),
    /// No option and no value of one.
    Operand,
}

/// What came of reading.
#[derive(Debug)]
pub(super) enum Reading {
    /// Each word is known for what it is.
    Exact {
        /// One a word; after the first word of a command that is started there are none.
        uses: Vec<Use>,
        /// What the options and the entry say, in order.
        effects: Vec<Effect>,
        /// The word with which a command begins.
        command: Option<usize>,
    },
    /// Any of what the entry has, after these.
    Loose(Vec<Effect>),
    /// An option that it does not have.
    Unknown,
}

const OPTION: Use = Use {
    slot: Slot::Is(Role::Data),
    start: 0,
    kind: Kind::Option,
};

/// What a word in the place of an option is.
enum Form<'a> {
    Operand,
    End,
    Options(&'a [u8]),
    Long(&'a [u8], Option<usize>),
    Plus(Slot),
    Uncertain,
}

fn form<'a>(entry: &Entry, word: &'a Value) -> Form<'a> {
    let prefix = &word.prefix[..];
    let is_one = matches!(word.rest, Rest::Nothing | Rest::One);
    let ends_options = entry.grammar.in_order && !matches!(prefix, [] | [b'-', ..]);
    match (prefix, entry.grammar.plus) {
        ([b'+', _, ..], Some(slot)) if is_one => return Form::Plus(slot),
        ([b'+'], Some(_)) if !word.is_known() => return Form::Uncertain,
        _ => {}
    }
    match (prefix, word.rest) {
        (_, Rest::Words) if !ends_options => Form::Uncertain,
        ([] | [b'-'] | [b'-', b'-'], Rest::One | Rest::Names | Rest::Words) => Form::Uncertain,
        ([b'-', b'-'], Rest::Nothing) => Form::End,
        ([b'-', b'-', long @ ..], rest) => match long.iter().position(|&byte| byte == b'=') {
            Some(at) => Form::Long(&long[..at], Some(at + 3)),
            None if rest == Rest::Nothing => Form::Long(long, None),
            None => Form::Uncertain,
        },
        ([b'-', letters @ ..], _) if !letters.is_empty() => Form::Options(letters),
        _ => Form::Operand,
    }
}

/// Reads the words of a program.
pub(super) fn read(entry: &Entry, words: Words<'_>) -> Reading {
    let mut reader = Reader {
        entry,
        words,
        uses: Vec::with_capacity(words.len()),
        effects: entry.effects.clone(),
        operands: Vec::new(),
    };
    let mut options = !entry.grammar.none;
    while let Some(word) = words.get(reader.uses.len()) {
        let form = match options {
            true => form(entry, word),
            false => Form::Operand,
        };
        let step = match form {
            Form::Uncertain => return loose(reader),
            Form::End => {
                options = false;
                reader.uses.push(OPTION);
                Ok(())
            }
            Form::Plus(slot) => {
                reader.operand(slot);
                Ok(())
            }
            Form::Options(letters) => reader.options(letters, word),
            Form::Long(name, value) => reader.long(name, value),
            Form::Operand => {
                options &= !entry.grammar.in_order;
                if reader.begins_command() {
                    // A later `--` may be the beginning of the command.
                    if options && reader.has_end_of_options() {
                        return Reading::Unknown;
                    }
                    break;
                }
                reader.operands.push(reader.uses.len());
                reader.operand(Slot::Is(Role::Data));
                Ok(())
            }
        };
        match step {
            Err(Reading::Loose(_)) => return loose(reader),
            Err(reading) => return reading,
            Ok(()) => {}
        }
    }
    reader.finish()
}

/// What is left to say where a word may be an option: is there one that the entry does not have?
fn loose(reader: Reader<'_>) -> Reading {
    let (entry, words) = (reader.entry, reader.words);
    let is_unknown = |word: &Value| match form(entry, word) {
        Form::Long(name, _) => entry.long(name).is_none(),
        Form::Options(letters) if entry.grammar.single => entry.long(letters).is_none(),
        Form::Options(letters) => {
            let mut options = letters
                .iter()
                .map_while(|&letter| match entry.short(letter) {
                    None => Some(true),
                    Some(choice) if choice.takes == Takes::Nothing => Some(false),
                    Some(_) => None,
                });
            options.any(|is_unknown| is_unknown)
        }
        _ => false,
    };
    match words.known.iter().any(is_unknown) && !entry.grammar.none {
        true => Reading::Unknown,
        false => Reading::Loose(reader.effects),
    }
}

struct Reader<'a> {
    entry: &'a Entry,
    words: Words<'a>,
    uses: Vec<Use>,
    effects: Vec<Effect>,
    operands: Vec<usize>,
}

impl Reader<'_> {
    fn operand(&mut self, slot: Slot) {
        self.uses.push(Use {
            slot,
            start: 0,
            kind: Kind::Operand,
        });
    }

    fn value(&mut self, slot: Slot, start: usize, choice: &Choice) {
        let mark = choice.effects.iter().find_map(|effect| match effect {
            Effect::Mark(mark) => Some(*mark),
            _ => None,
        });
        self.uses.push(Use {
            slot,
            start,
            kind: Kind::Value(mark),
        });
    }

    /// Is the operand that comes now the first word of a command?
    fn begins_command(&self) -> bool {
        let (lead, rest, _) = self.operand_slots();
        let slot = lead.get(self.operands.len()).copied().unwrap_or(rest);
        // An operand before it that may be none or several words moves its place.
        slot == Slot::Command && self.operands.iter().all(|&at| self.is_one(at))
    }

    /// May one of the words that are left be `--`?
    fn has_end_of_options(&self) -> bool {
        let mut left = self.words.known.iter().skip(self.uses.len());
        left.any(|word| match word.is_known() {
            true => word.prefix == b"--",
            false => b"--".starts_with(&word.prefix[..]),
        })
    }

    fn is_one(&self, at: usize) -> bool {
        self.words
            .get(at)
            .is_some_and(|word| matches!(word.rest, Rest::Nothing | Rest::One))
    }

    /// The value is the next word.
    fn takes_next(&mut self, slot: Slot, choice: &Choice) -> Result<(), Reading> {
        self.uses.push(OPTION);
        let at = self.uses.len();
        if at < self.words.len() {
            if !self.is_one(at) {
                return Err(Reading::Loose(Vec::new()));
            }
            self.value(slot, 0, choice);
        }
        Ok(())
    }

    fn chosen(&mut self, choice: &Choice) {
        for &effect in &choice.effects {
            // Each once, so that there are never many; the last place counts.
            self.effects.retain(|&other| other != effect);
            self.effects.push(effect);
        }
    }

    fn long(&mut self, name: &[u8], value: Option<usize>) -> Result<(), Reading> {
        let choice = self.entry.long(name).ok_or(Reading::Unknown)?;
        self.chosen(choice);
        match (choice.takes, value) {
            (Takes::Nothing, Some(_)) => return Err(Reading::Unknown),
            (Takes::Nothing | Takes::Attached(_), None) => self.uses.push(OPTION),
            (Takes::Value(slot), None) => return self.takes_next(slot, choice),
            (Takes::Value(slot) | Takes::Attached(slot), Some(start)) => {
                self.value(slot, start, choice)
            }
        }
        Ok(())
    }

    fn options(&mut self, letters: &[u8], word: &Value) -> Result<(), Reading> {
        if self.entry.grammar.single {
            let value = letters.iter().position(|&byte| byte == b'=');
            let name = &letters[..value.unwrap_or(letters.len())];
            return match (self.entry.long(name), &letters[..1]) {
                (Some(_), _) if value.is_some() => self.long(name, value.map(|at| at + 2)),
                (Some(_), _) if word.is_known() => self.long(name, None),
                (Some(_), _) => Err(Reading::Loose(Vec::new())),
                // A letter with its value attached.
                (None, letter) => match self.entry.long(letter).map(|choice| choice.takes) {
                    Some(Takes::Value(_) | Takes::Attached(_)) => self.long(letter, Some(2)),
                    _ => Err(Reading::Unknown),
                },
            };
        }
        for (at, &letter) in letters.iter().enumerate() {
            let choice = self.entry.short(letter).ok_or(Reading::Unknown)?;
            self.chosen(choice);
            let is_last = at + 1 == letters.len();
            match choice.takes {
                Takes::Nothing => {}
                Takes::Value(slot) if is_last => {
                    // What is not known may be empty, and the value the next word.
                    if !word.is_known() {
                        return Err(Reading::Loose(Vec::new()));
                    }
                    return self.takes_next(slot, choice);
                }
                Takes::Attached(_) if is_last && word.is_known() => {}
                Takes::Value(slot) | Takes::Attached(slot) => {
                    self.value(slot, at + 2, choice);
                    return Ok(());
                }
            }
        }
        if !word.is_known() {
            return Err(Reading::Loose(Vec::new()));
        }
        self.uses.push(OPTION);
        Ok(())
    }

    /// The operands before the repeated one, that one, and the last, as the options want them.
    fn operand_slots(&self) -> (&[Slot], Slot, Option<Slot>) {
        let (mut lead, mut rest, mut last) =
            (&self.entry.lead[..], self.entry.rest, self.entry.last);
        for effect in &self.effects {
            match effect {
                Effect::NoLead => lead = &[],
                Effect::NoLast => last = None,
                Effect::All(slot) => (lead, rest, last) = (&[], *slot, None),
                _ => {}
            }
        }
        (lead, rest, last)
    }

    fn finish(mut self) -> Reading {
        let command = (self.uses.len() < self.words.len()).then_some(self.uses.len());
        let count = self.operands.len();
        let (lead, rest, last) = self.operand_slots();
        let surely = self
            .operands
            .iter()
            .position(|&at| !self.is_one(at))
            .unwrap_or(count);
        let mut slots: Vec<Option<Slot>> = (0..count.min(surely))
            .map(|number| Some(lead.get(number).copied().unwrap_or(rest)))
            .collect();
        // From a word on that may be none or several, each may stand in any place.
        let any = lead[lead.len().min(surely)..].iter().copied().map(Some);
        let any = any.fold(Some(rest), joined);
        slots.resize(count, any);
        if let Some(last) = last {
            let mut may_be_last = true;
            for number in (lead.len().min(count)..count).rev() {
                if !may_be_last {
                    break;
                }
                let is_one = self.is_one(self.operands[number]);
                let is_last = number + 1 == count && is_one;
                slots[number] = match is_last {
                    true => Some(last),
                    false => joined(slots[number], Some(last)),
                };
                may_be_last = !is_one && self.is_gone(self.operands[number]);
            }
        }
        for (number, slot) in slots.into_iter().enumerate() {
            match slot {
                Some(slot) => self.uses[self.operands[number]].slot = slot,
                None => return Reading::Loose(self.effects),
            }
        }
        Reading::Exact {
            uses: self.uses,
            effects: self.effects,
            command,
        }
    }

    /// May it become no word at all?
    fn is_gone(&self, at: usize) -> bool {
        self.words
            .get(at)
            .is_some_and(|word| word.rest == Rest::Words && word.prefix.is_empty())
    }
}

/// The slot that covers both; `None` where no single one does.
fn joined(one: Option<Slot>, other: Option<Slot>) -> Option<Slot> {
    match (one?, other?) {
        (one, other) if one == other => Some(one),
        (Slot::Is(one), Slot::Is(other)) => Some(Slot::Is(join(one, other))),
        _ => None,
    }
}

/// The role that covers both.
pub(super) fn join(one: Role, other: Role) -> Role {
    use Role::{
        Data, Evaluated, Positional, Reads, ReadsAndWrites, Runs, RunsFile, Variable, Writes,
    };
    match (one, other) {
        (one, other) if one == other => one,
        (role @ Runs(_), _) | (_, role @ Runs(_)) => role,
        (role @ RunsFile(_), Data | Reads) | (Data | Reads, role @ RunsFile(_)) => role,
        (Data, role) | (role, Data) => role,
        (Reads | Writes | ReadsAndWrites, Reads | Writes | ReadsAndWrites) => ReadsAndWrites,
        (Variable | Evaluated | Positional, Variable | Evaluated | Positional) => Evaluated,
        _ => Runs(Why::UnknownOption),
    }
}
