//! What input do the properties see?
//!
//! Generators turn bytes into cases: [`sed`] makes one run of GNU sed, with its files, [`shell`] one command for bash,
//! with fragments marked in it. They know the grammar of what
//! they make and nothing of the reference, so that they cannot share its blind spots. All of a case comes from the bytes:
//! any input can be replayed, shrunk and kept. What a case must show is left to the properties, and where it may run to
//! the box: a name or a command made here is meant to be harmless, but only the box makes sure.

mod construct;
mod decoder;
mod files;
mod sed;
mod shell;
mod show;

pub use construct::{Constructs, Counts, Set};
pub use files::files;
pub use sed::{CONSTRUCTS, Construct, sed};
pub use shell::{FACTS, SHELL_CONSTRUCTS, ShellConstruct, shell, shell_from, shell_seeds};
pub use show::{show, show_command};

/// Constructs of a run of sed.
pub type ConstructSet = Set<Construct>;
/// How many runs of sed held each construct.
pub type ConstructCounts = Counts<Construct>;
/// Constructs of a shell command.
pub type ShellConstructSet = Set<ShellConstruct>;
/// How many shell commands held each construct.
pub type ShellConstructCounts = Counts<ShellConstruct>;

use arbitrary::{Arbitrary, Unstructured};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// One run of sed and everything it is given. Paths are relative to the working directory and stay inside it, but for
/// the operands and names in `argv`, which may begin with `../`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SedInvocation {
    /// The words, `sed` first; none holds a NUL.
    pub argv: Vec<Vec<u8>>,
    /// Variables set beside the base environment.
    pub env: Vec<(Vec<u8>, Vec<u8>)>,
    /// Inputs and scripts: content by path.
    pub files: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Directories beside the parents of files and links.
    pub dirs: Vec<Vec<u8>>,
    /// Symbolic links: target by path.
    pub links: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Standard input.
    pub stdin: Vec<u8>,
    /// Which of the files are meant as scripts; `-` is standard input.
    pub scripts: BTreeSet<Vec<u8>>,
    /// What the generator put in.
    pub constructs: ConstructSet,
}

impl<'a> Arbitrary<'a> for SedInvocation {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(sed(bytes.bytes(bytes.len())?))
    }

    fn size_hint(_depth: usize) -> (usize, Option<usize>) {
        (0, None)
    }
}

/// One command for `bash -c`, with fragments marked in it. It is UTF-8 without NUL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellCommand {
    /// The command.
    pub text: Vec<u8>,
    /// What is asked about: in order and apart, 1 to 8; each begins with a verb of ASCII letters.
    pub fragments: Vec<ShellFragment>,
    /// It shows what it is made for on a pseudo terminal only.
    pub terminal: bool,
    /// What the generator put in.
    pub constructs: ShellConstructSet,
}

/// A stretch of a command that looks like danger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellFragment {
    /// Bytes of the command.
    pub range: Range<usize>,
    /// The constructs that it was put into or directly behind, in the forms of which it stands.
    pub place: ShellConstructSet,
}

impl<'a> Arbitrary<'a> for ShellCommand {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(shell(bytes.bytes(bytes.len())?))
    }

    fn size_hint(_depth: usize) -> (usize, Option<usize>) {
        (0, None)
    }
}

/// Fewer bytes than this hardly make a case.
const SHORTEST: usize = 8;

/// The bytes of case number `index` of the run `seed`: the same every time, of 8 to `longest` bytes (at least 8).
///
/// Sizes are mixed, short ones more often: half of them lie in the first quarter.
pub fn random_bytes(seed: u64, index: u64, longest: usize) -> Vec<u8> {
    // Two cases must not share a stream shifted by one, as seed + index would.
    let mut random =
        fastrand::Rng::with_seed(seed ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31));
    let room = longest.saturating_sub(SHORTEST);
    let size = SHORTEST + (room as f64 * random.f64().powi(2)).round() as usize;
    std::iter::repeat_with(|| random.u8(..))
        .take(size)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{
        ConstructCounts, SedInvocation, ShellCommand, ShellConstructCounts, random_bytes, sed,
        shell,
    };
    use arbitrary::{Arbitrary, Unstructured};

    const SEED: u64 = 0x5ed;

    #[test]
    fn a_full_run_reaches_every_construct() {
        let mut counts = ConstructCounts::default();
        for index in 0..20_000 {
            counts.add(sed(&random_bytes(SEED, index, 512)).constructs);
        }
        assert_eq!(counts.missing(), [""; 0]);
        let mut counts = ShellConstructCounts::default();
        for index in 0..20_000 {
            counts.add(shell(&random_bytes(SEED, index, 256)).constructs);
        }
        assert_eq!(counts.missing(), [""; 0]);
    }

    #[test]
    fn fragments_are_apart_and_each_begins_with_its_verb() {
        for index in 0..20_000 {
            let made = shell(&random_bytes(SEED, index, 256));
            assert!((1..=8).contains(&made.fragments.len()), "{index}");
            assert!(made.text.len() < 4096, "{index}");
            assert!(
                !made.text.contains(&0) && std::str::from_utf8(&made.text).is_ok(),
                "{index}"
            );
            let mut done = 0;
            for one in &made.fragments {
                assert!(done <= one.range.start && one.range.end <= made.text.len());
                let text = &made.text[one.range.clone()];
                let verb: Vec<u8> = text
                    .iter()
                    .copied()
                    .take_while(u8::is_ascii_alphabetic)
                    .collect();
                let known = "rm mkfs dd docker shred git chmod wipefs kubectl terraform shutdown";
                assert!(
                    known.split(' ').any(|known| known.as_bytes() == verb),
                    "{index}"
                );
                done = one.range.end;
            }
        }
    }

    #[test]
    fn random_bytes_depend_on_seed_and_index_alone() {
        assert_eq!(random_bytes(1, 2, 512), random_bytes(1, 2, 512));
        assert_ne!(random_bytes(1, 2, 512), random_bytes(1, 3, 512));
        assert_ne!(random_bytes(1, 2, 512), random_bytes(2, 2, 512));
        let sizes: Vec<usize> = (0..1000)
            .map(|index| random_bytes(SEED, index, 512).len())
            .collect();
        assert!(sizes.iter().all(|size| (8..=512).contains(size)));
        assert!((400..600).contains(&sizes.iter().filter(|size| **size < 134).count()));
        assert_eq!(random_bytes(1, 2, 0).len(), 8);
    }

    #[test]
    fn argv_and_paths_are_such_as_a_system_takes() {
        for index in 0..20_000 {
            let made = sed(&random_bytes(SEED, index, 512));
            assert_eq!(made.argv[0], b"sed");
            assert!(made.argv.iter().all(|word| !word.contains(&0)), "{index}");
            assert!(
                made.argv.iter().map(Vec::len).sum::<usize>() < 8192,
                "{index}"
            );
            let mut taken: Vec<&Vec<u8>> = Vec::new();
            taken.extend(made.files.keys());
            taken.extend(made.links.keys());
            taken.extend(&made.dirs);
            for path in &taken {
                let parts: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
                assert!(parts.iter().all(|part| !part.is_empty()
                    && *part != b"."
                    && *part != b".."
                    && !part.contains(&0)));
                assert_eq!(
                    taken.iter().filter(|other| other == &path).count(),
                    1,
                    "{index}"
                );
            }
            for path in made.files.keys().chain(made.links.keys()) {
                let below = [path.as_slice(), b"/"].concat();
                assert!(
                    !taken.iter().any(|other| other.starts_with(&below)),
                    "{index}"
                );
            }
        }
    }

    #[test]
    fn no_bytes_and_zeros_make_the_smallest_case() {
        let nothing = sed(b"");
        assert_eq!(nothing.argv, [b"sed".as_slice(), b"p", b"in"]);
        assert_eq!(sed(&[0; 300]).argv, nothing.argv);
        for bytes in [&[][..], &[0; 300]] {
            let made = shell(bytes);
            assert_eq!(made.text, b"rm -rf /");
            assert_eq!(made.fragments[0].range, 0..8);
            assert!(made.fragments.len() == 1 && !made.terminal);
        }
    }

    #[test]
    fn arbitrary_takes_all_bytes() {
        let bytes = random_bytes(SEED, 7, 512);
        assert_eq!(
            SedInvocation::arbitrary(&mut Unstructured::new(&bytes)),
            Ok(sed(&bytes))
        );
        assert_eq!(
            ShellCommand::arbitrary(&mut Unstructured::new(&bytes)),
            Ok(shell(&bytes))
        );
    }
}
