//! Which generated commands speak against a scanner?
//!
//! By turns one of the grammar and one made of stored cases: changed, or crossed with another. What refutes is shrunk, in its
//! bytes, to what one would write down as a case.

use super::Failure;
use super::regions::{Pair, scanner_is_sound};
use crate::generate::{
    ShellCommand, ShellConstructSet, ShellFragment, random_bytes, shell, shell_from,
};
use crate::shrink::smallest;
use corpus::{Body, Case};
use differential::regions::Scanner;
use differential::sandbox::Pool;

/// Longest byte string that one command is decoded from.
const LONGEST: usize = 192;
/// Commands that shrinking may make, and how many of them it may run.
const SHRINKING: usize = 4_000;
const SHRINKING_RUNS: usize = 250;

/// The commands of a run.
pub struct Commands {
    seed: u64,
    stock: Vec<ShellCommand>,
}

impl Commands {
    /// Those of a seed, with these cases to be changed and crossed.
    pub fn of(seed: u64, cases: &[Case]) -> Self {
        Commands {
            seed,
            stock: cases.iter().filter_map(stored).collect(),
        }
    }

    /// Command number `index`, and the bytes it was decoded from.
    pub fn number(&self, index: u64) -> (Vec<u8>, ShellCommand) {
        let bytes = random_bytes(self.seed, index, LONGEST);
        let made = self.decoded(index, &bytes);
        (bytes, made)
    }

    fn decoded(&self, index: u64, bytes: &[u8]) -> ShellCommand {
        match index % 2 {
            0 => shell(bytes),
            _ => shell_from(bytes, &self.stock),
        }
    }

    /// Does command number `index` speak against the scanner? Returns what was seen of each fragment.
    ///
    /// # Errors
    ///
    /// The smallest command found that refutes it; or those of [`scanner_is_sound`].
    pub fn put(
        &self,
        index: u64,
        pool: &Pool,
        scanner: Scanner,
    ) -> Result<(ShellCommand, Vec<Pair>), Failure> {
        let (bytes, made) = self.number(index);
        match scanner_is_sound(pool, scanner, &made) {
            Ok(pairs) => Ok((made, pairs)),
            Err(Failure::Refuted(why)) => {
                let shrunk = self.shrunk(index, &bytes, made.text, why, pool, scanner);
                Err(Failure::Refuted(shrunk))
            }
            Err(other) => Err(other),
        }
    }

    fn shrunk(
        &self,
        index: u64,
        bytes: &[u8],
        text: Vec<u8>,
        why: String,
        pool: &Pool,
        scanner: Scanner,
    ) -> String {
        let (mut best, mut shown, mut runs) = (text, why, SHRINKING_RUNS);
        smallest(bytes, SHRINKING, |bytes| {
            let made = self.decoded(index, bytes);
            if made.text == best {
                return true;
            }
            if made.text.len() > best.len() || runs == 0 {
                return false;
            }
            runs -= 1;
            match scanner_is_sound(pool, scanner, &made) {
                Err(Failure::Refuted(why)) => {
                    (best, shown) = (made.text, why);
                    true
                }
                _ => false,
            }
        });
        shown
    }
}

/// A stored case as a command; nothing where it is none of regions, or holds for one build of bash only.
fn stored(case: &Case) -> Option<ShellCommand> {
    let Body::Regions(body) = &case.body else {
        return None;
    };
    let has = |tag: &str| body.tags.iter().any(|other| other == tag);
    let fragment = |one: &corpus::Fragment| ShellFragment {
        range: one.start..one.end,
        place: ShellConstructSet::default(),
    };
    (!has("quirk")).then(|| ShellCommand {
        text: body.command.0.clone(),
        fragments: body.fragments.iter().map(fragment).collect(),
        terminal: has("pty"),
        constructs: ShellConstructSet::default(),
    })
}
