//! How is a fragment seen to run? Its verb becomes the name of a program that makes a file when it is started.

use crate::sandbox::CANARIES;
use std::ops::Range;

/// A fragment that no canary can stand in: it begins with no verb, lies in or before the one before it or outside the
/// command, or there are more fragments than canaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmarkable {
    /// Number of the fragment, from 0.
    pub fragment: usize,
}

/// The command with the verb of each fragment, its leading ASCII letters, digits and `_.+-`, replaced by the canary of the
/// same number. The fragments are byte ranges, in order and apart.
///
/// # Errors
///
/// The first fragment that cannot be replaced.
pub(super) fn command(command: &[u8], fragments: &[Range<usize>]) -> Result<Vec<u8>, Unmarkable> {
    let mut replaced = Vec::with_capacity(command.len());
    let mut done = 0;
    for (fragment, range) in fragments.iter().enumerate() {
        let before = command.get(done..range.start);
        let text = command.get(range.clone());
        let canary = CANARIES.get(fragment);
        let (Some(before), Some(text), Some(canary)) = (before, text, canary) else {
            return Err(Unmarkable { fragment });
        };
        let verb = text.iter().take_while(|&&byte| is_of_verb(byte)).count();
        if verb == 0 {
            return Err(Unmarkable { fragment });
        }
        replaced.extend_from_slice(before);
        replaced.extend_from_slice(canary.as_bytes());
        done = range.start + verb;
    }
    replaced.extend_from_slice(&command[done..]);
    Ok(replaced)
}

fn is_of_verb(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.+-".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_of_each_fragment_is_replaced() {
        let text = "é; mkfs.ext4 /dev/sdb1; echo 'rm'";
        let replaced = command(text.as_bytes(), &[4..23, 31..33]);
        assert_eq!(replaced, Ok("é; cnry0 /dev/sdb1; echo 'cnry1'".into()));
    }

    #[test]
    fn a_fragment_without_a_verb_is_refused() {
        let refused = Err(Unmarkable { fragment: 1 });
        assert_eq!(command(b"rm; 'x'", &[0..2, 4..7]), refused);
        assert_eq!(command(b"rm; x", &[0..2, 0..2]), refused);
        assert_eq!(command(b"rm; x", &[0..2, 4..9]), refused);
    }
}
