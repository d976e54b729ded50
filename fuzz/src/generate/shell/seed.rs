//! Which bytes decode to each form by itself? A fuzzer's first inputs, and a way to try every form once.

use super::chain::{
    AROUND, ENDS, FILE_CARRIERS, FILE_SOURCES, Holders, LAST, OUTPUT_CARRIERS, OUTPUT_SOURCES,
    SINKS, VALUE_CARRIERS, VALUE_SOURCES,
};
use super::construct::ShellConstruct::{self, FlowIntoEval, FlowIntoInput, FlowIntoScriptFile};
use super::draft::Forms;
use super::here_document::{DELIMITERS, LINES, RECEIVERS, TERMINATORS};
use super::{KINDS, TOPICS, Topic, compound};
use crate::generate::decoder::byte_of;

/// The mode, and that the command is a list.
const LIST: [u8; 2] = [0, 0];
/// What stands for "no".
const NO: u8 = 0;
/// "Yes" to a chance, and the last of the choices by weight.
const YES: u8 = 255;

/// For each form bytes that make it alone, in its plainest variant.
pub fn shell_seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    let kind = |index| [0, byte_of(&KINDS, index)];
    add_forms(&mut seeds, &kind(2), compound::WHOLE);
    for (index, (_, topic)) in TOPICS.iter().enumerate() {
        let begin = [&LIST[..], &[byte_of(&TOPICS, index)]].concat();
        match topic {
            Topic::Of(forms) => add_forms(&mut seeds, &begin, forms),
            Topic::HereDocument => add_here_documents(&mut seeds, &begin),
            Topic::Flow => seeds.push(begin),
        }
    }
    add_flows(&mut seeds, &kind(1));
    seeds
}

/// The bytes of a flow are whether something is around it, whether it ends in a sink or not, in which, and in which form; then
/// for each step whether it is a carrier, which, and its form.
fn add_flows(seeds: &mut Vec<Vec<u8>>, begin: &[u8]) {
    let with = |rest: &[u8]| [begin, rest].concat();
    add_forms(seeds, &with(&[YES]), AROUND);
    for (last, forms) in [(0, SINKS), (1, ENDS)] {
        add_forms(seeds, &with(&[NO, byte_of(&LAST, last)]), forms);
    }
    let sink = |construct: ShellConstruct, form: u8| {
        let index = SINKS.iter().position(|(one, _)| *one == construct);
        let index = index.expect("it is a sink");
        with(&[NO, NO, number(index), form])
    };
    // `%C | sh`, `%F; sh %N`, `eval "%V"`.
    let output = sink(FlowIntoInput, 0);
    let file = sink(FlowIntoScriptFile, 0);
    let value = sink(FlowIntoEval, 4);
    for (carries, forms) in [(NO, OUTPUT_SOURCES), (YES, OUTPUT_CARRIERS)] {
        add_forms(seeds, &[&output[..], &[carries]].concat(), forms);
    }
    for (carries, forms) in [(NO, FILE_SOURCES), (YES, FILE_CARRIERS)] {
        add_forms(seeds, &[&file[..], &[carries]].concat(), forms);
    }
    for (carries, holders) in [(NO, VALUE_SOURCES), (YES, VALUE_CARRIERS)] {
        add_holders(seeds, &[&value[..], &[carries]].concat(), holders);
    }
}

fn add_holders(seeds: &mut Vec<Vec<u8>>, begin: &[u8], holders: Holders) {
    for (index, (_, holders)) in holders.iter().enumerate() {
        for holder in 0..holders.len() {
            seeds.push([begin, &[number(index), number(holder)]].concat());
        }
    }
}

fn number(index: usize) -> u8 {
    u8::try_from(index).expect("a table has at most 256 entries")
}

fn add_forms(seeds: &mut Vec<Vec<u8>>, begin: &[u8], forms: Forms) {
    for (index, (_, forms)) in forms.iter().enumerate() {
        for form in 0..forms.len() {
            seeds.push([begin, &[number(index), number(form)]].concat());
        }
    }
}

/// The bytes of a here-document are those of its receiver (two), delimiter, opener, tail and terminator, then those of its
/// body: how many lines, whether the line is a special one, which, and its form.
fn add_here_documents(seeds: &mut Vec<Vec<u8>>, begin: &[u8]) {
    let mut add = |rest: &[u8]| seeds.push([begin, rest].concat());
    for (index, (_, (_, receivers))) in RECEIVERS.iter().enumerate() {
        for receiver in 0..receivers.len() {
            add(&[byte_of(&RECEIVERS, index), number(receiver)]);
        }
    }
    for index in 0..DELIMITERS.len() {
        let delimiter = byte_of(&DELIMITERS, index);
        // A line that is expanded, and a command behind the body.
        add(&[0, 0, delimiter, 0, 0, 0, 0, YES, 1, 0]);
        add(&[0, 0, delimiter, 0, 0, 0, 0, 0, 0, 0, YES]);
    }
    for index in 0..TERMINATORS.len() {
        let terminator = byte_of(&TERMINATORS, index);
        add(&[0, 0, 0, 0, 0, terminator]);
        // With `<<-`, closed at last, and a command behind the body.
        add(&[0, 0, 0, 200, 0, terminator, 0, 0, 0, 0, 0, YES, YES]);
    }
    for (index, (_, forms)) in LINES.iter().enumerate() {
        for form in 0..forms.len() {
            for delimiter in [0, byte_of(&DELIMITERS, 1)] {
                add(&[
                    0,
                    0,
                    delimiter,
                    0,
                    0,
                    0,
                    0,
                    YES,
                    number(index),
                    number(form),
                ]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SHELL_CONSTRUCTS, shell};
    use super::shell_seeds;
    use crate::generate::ShellConstructSet;

    #[test]
    fn seeds_hold_every_construct_but_those_of_random_commands() {
        let mut made = ShellConstructSet::default();
        for seed in shell_seeds() {
            made = made.union(shell(&seed).constructs);
        }
        let random = [
            "quoted operand of printf",
            "mode ",
            "mutation ",
            "crossing ",
            "list",
            "flow written",
            "here-document descriptor",
        ];
        let wanted = SHELL_CONSTRUCTS
            .iter()
            .filter(|name| !random.iter().any(|begin| name.starts_with(begin)));
        let missing: Vec<_> = wanted
            .filter(|name| made.names().all(|made| made != **name))
            .collect();
        assert_eq!(missing, [&""; 0]);
    }
}
