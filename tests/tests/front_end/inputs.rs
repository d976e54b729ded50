//! Which commands are asked about? The stored ones, and generated ones.

use corpus::{Body, Order, cases_folder, load};
use fuzz::generate::{random_bytes, shell};
use std::collections::BTreeSet;

/// The seed of the generated commands.
const SEED: u64 = 0x0b5e;
/// How many are generated.
pub(crate) const GENERATED: u64 = 6_000;
/// Bytes that one is made of, at most.
const LONGEST: usize = 256;
/// How many more are thrown together from [`TOKENS`].
const THROWN: usize = 6_000;

/// What makes a shell's reader change its mind. Plain concatenation: most are refused, and some are read in a way that
/// nobody would write.
const TOKENS: [&str; 72] = [
    " ", " ", " ", " ", " ", "\n", "\n", ";", "&", "&&", "||", "|", "|&", "a", "b", "if ", "then ",
    "fi", "case ", " in ", "esac", ";;", "{ ", "}", "do ", "done", "for ", "while ", "(", ")",
    "((", "))", "$((", "$(", "${", "${x-", "`", "\"", "'", "$'", "$\"", "\\", "\\\n", "#", " #",
    "<", ">", ">&", "<&", "-", "2", "<<E", "<<-'E'", "<<<", "\nE\n", "\n\tE\n", "E", "<(", ">(",
    "&>", "[[ ", " ]]", "=", "a=", "a=(", "a[", "]", "!", "*(", "@", "f()", "~",
];

/// Every command of the stored `regions` and `parity` cases, and the generated ones; none twice.
pub(crate) fn commands() -> Vec<Vec<u8>> {
    let folder = cases_folder().expect("the cases stand in the workspace");
    let corpus = load(&[folder], Order::Sorted).unwrap_or_else(|fault| panic!("{fault}"));
    let mut commands = BTreeSet::new();
    for case in &corpus.cases {
        match &case.body {
            Body::Regions(case) => {
                commands.insert(case.command.0.clone());
                commands.extend(case.reach.iter().map(|reach| reach.command.0.clone()));
            }
            Body::Parity(case) => {
                commands.insert(case.command.0.clone());
            }
            Body::Sed(_) | Body::Command(_) => {}
        }
    }
    assert!(!commands.is_empty(), "no command is stored");
    commands.extend((0..GENERATED).map(|index| shell(&random_bytes(SEED, index, LONGEST)).text));
    let mut random = fastrand::Rng::with_seed(SEED);
    commands.extend((0..THROWN).map(|_| {
        let count = random.usize(2..14);
        let thrown: Vec<&str> = (0..count).filter_map(|_| random.choice(TOKENS)).collect();
        thrown.concat().into_bytes()
    }));
    // No argument of a program can hold a zero byte.
    commands.retain(|command| !command.contains(&0));
    commands.into_iter().collect()
}
