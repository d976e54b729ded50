//! One run of GNU sed from bytes: options, script, inputs.
//!
//! Three kinds of cases: about 60 of 100 follow the grammar, 25 follow it but for a byte or two, 15 are made of bytes
//! that know nothing of it. The grammar here is written from the description of sed, once more and on its own.

mod address;
mod construct;
mod hostile;
mod input;
mod name;
mod options;
mod pieces;
mod regex;
mod script;
mod substitute;
mod text;

pub use construct::{CONSTRUCTS, Construct};

use super::SedInvocation;
use super::decoder::Decoder;

/// The most pieces a case is made of; it bounds argv to a few kilobytes.
const BUDGET: usize = 192;

/// A case under construction: the bytes left, and what the inputs must hold so that things happen.
struct Draft<'a> {
    bytes: Decoder<'a, Construct>,
    /// Regular expressions are written for `-E`.
    extended: bool,
    /// The piece being written goes to a file, which may hold NUL.
    in_file: bool,
    /// Groups of the regular expression written last.
    groups: u8,
    /// Labels that were branched to and are not yet defined.
    labels: Vec<&'static [u8]>,
    /// Lines on which the regular expressions match.
    samples: Vec<Vec<u8>>,
    /// Names that sed may write; their directories should exist.
    written: Vec<Vec<u8>>,
    /// Names that sed may read; they should exist.
    read: Vec<Vec<u8>>,
}

/// Decodes any bytes to one run of sed. Random bytes reach every construct; see the module for the mix.
pub fn sed(bytes: &[u8]) -> SedInvocation {
    let mut draft = Draft {
        bytes: Decoder::new(bytes, BUDGET),
        extended: false,
        in_file: false,
        groups: 0,
        labels: Vec::new(),
        samples: Vec::new(),
        written: Vec::new(),
        read: Vec::new(),
    };
    let mode = draft.bytes.weighted(&[
        (60, Construct::Grammatical),
        (25, Construct::Mutated),
        (15, Construct::Hostile),
    ]);
    draft.bytes.mark(mode);
    let mut made = SedInvocation {
        env: draft.environment(),
        ..SedInvocation::default()
    };
    draft.extended = draft.bytes.chance(25);
    if mode == Construct::Hostile && draft.bytes.chance(20) {
        draft.hostile_argv(&mut made);
    } else {
        let mut pieces = if mode == Construct::Hostile {
            draft.hostile_pieces()
        } else {
            draft.pieces()
        };
        if mode == Construct::Mutated {
            draft.mutate_pieces(&mut pieces);
        }
        let operands = draft.operands(&mut made);
        draft.argv(&mut made, pieces, operands);
        if mode == Construct::Mutated && draft.bytes.chance(15) {
            draft.mutate_argv(&mut made);
        }
    }
    draft.furnish(&mut made);
    made.constructs = draft.bytes.made();
    made
}

impl Draft<'_> {
    /// Variables that change what sed does.
    fn environment(&mut self) -> Vec<(Vec<u8>, Vec<u8>)> {
        use Construct::{Cols, LocaleC, LocaleUtf8, PosixlyEmpty, PosixlySet};
        let mut variables = Vec::new();
        if self.bytes.chance(20) {
            for _ in 0..=self.bytes.below(2) {
                let (variable, name, value): (_, &[u8], &[u8]) = self.bytes.pick(&[
                    (LocaleC, b"LC_ALL".as_slice(), b"C".as_slice()),
                    (LocaleUtf8, b"LC_ALL", b"C.UTF-8"),
                    (PosixlyEmpty, b"POSIXLY_CORRECT", b""),
                    (PosixlySet, b"POSIXLY_CORRECT", b"1"),
                    (Cols, b"COLS", b"20"),
                ]);
                if variables
                    .iter()
                    .all(|(taken, _): &(Vec<u8>, Vec<u8>)| taken != name)
                {
                    self.bytes.mark(variable);
                    variables.push((name.to_vec(), value.to_vec()));
                }
            }
        }
        variables
    }
}
