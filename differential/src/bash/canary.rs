//! How is a fragment seen to run? Its verb becomes the name of a program that makes a file when it is started.

use std::ops::Range;

/// Why a command cannot be given canaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoVerb {
    /// Number of the fragment, from 0.
    pub fragment: usize,
}

/// The program that stands for the verb of fragment `at`.
pub fn name(at: usize) -> String {
    format!("cnry{at}")
}

/// The command with each fragment's first word replaced by its canary. The fragments are byte ranges, in order and apart.
///
/// # Errors
///
/// A fragment that lies elsewhere, or does not begin with a word of ASCII letters, digits and `_.+-`.
pub fn command(command: &[u8], fragments: &[Range<usize>]) -> Result<Vec<u8>, NoVerb> {
    let mut replaced = Vec::with_capacity(command.len());
    let mut done = 0;
    for (fragment, range) in fragments.iter().enumerate() {
        let before = command.get(done..range.start);
        let text = command.get(range.clone());
        let (Some(before), Some(text)) = (before, text) else {
            return Err(NoVerb { fragment });
        };
        let verb = text.iter().take_while(|&&byte| is_of_verb(byte)).count();
        if verb == 0 {
            return Err(NoVerb { fragment });
        }
        replaced.extend_from_slice(before);
        replaced.extend_from_slice(name(fragment).as_bytes());
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
        let refused = Err(NoVerb { fragment: 1 });
        assert_eq!(command(b"rm; 'x'", &[0..2, 4..7]), refused);
        assert_eq!(command(b"rm; x", &[0..2, 0..2]), refused);
        assert_eq!(command(b"rm; x", &[0..2, 4..9]), refused);
    }
}
