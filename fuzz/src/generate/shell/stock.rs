//! New commands from stored ones: changed, crossed with one another and with commands of the generator.
//!
//! Grammar alone shares the blind spots of its author; what somebody stored was found in another way. The fragments are kept
//! whole, and where they lie stays true. Reading what is stored is left to the caller.

use super::construct::ShellConstruct::{Crossed, Mutated};
use super::draft::Draft;
use super::piece::Piece;
use super::{BUDGET, MARKS, ShellCommand, shell};
use std::mem::{replace, swap, take};
use std::ops::Range;

/// Longest text of a stored command that is used.
const LONGEST: usize = 4096;

/// A command made of one or two of the stock by these bytes; one of the generator if none of them can be used. No bytes and
/// zeros make the first as it is. What can be used is UTF-8 without NUL, of at most 4,096 bytes, and its fragments are as
/// [`ShellCommand`] says.
pub fn shell_from(bytes: &[u8], stock: &[ShellCommand]) -> ShellCommand {
    let mut draft = Draft::new(bytes, BUDGET);
    let Some(first) = draft.stored(stock) else {
        return shell(bytes);
    };
    let mut constructs = first.constructs;
    draft.terminal = first.terminal;
    draft.out = piece(first);
    // How many changes, and whether it is crossed with another of the stock or of the generator.
    let (changes, crossed) = draft.bytes.weighted(&[
        (10, (0, None)),
        (90, (1, None)),
        (60, (0, Some(true))),
        (30, (1, Some(true))),
        (40, (0, Some(false))),
        (20, (1, Some(false))),
    ]);
    let other = match crossed {
        None => None,
        Some(true) => draft.stored(stock).map(|second| {
            constructs = constructs.union(second.constructs);
            draft.terminal |= second.terminal;
            piece(second)
        }),
        Some(false) => {
            let first = take(&mut draft.out);
            draft.whole(Crossed);
            Some(replace(&mut draft.out, first))
        }
    };
    if let Some(mut other) = other {
        if draft.bytes.chance(50) {
            swap(&mut other, &mut draft.out);
        }
        draft.bytes.mark(Crossed);
        draft.cross(other);
    }
    if changes > 0 {
        draft.bytes.mark(Mutated);
        let more = draft.bytes.below(changes + 1);
        draft.change(1 + more);
    }
    let mut made = draft.finished();
    made.constructs = made.constructs.union(constructs);
    made
}

impl Draft<'_> {
    /// One of the stock that can be used.
    fn stored<'s>(&mut self, stock: &'s [ShellCommand]) -> Option<&'s ShellCommand> {
        let at = usize::from(self.bytes.byte()) << 8 | usize::from(self.bytes.byte());
        let at = at.checked_rem(stock.len())?;
        let mut all = stock[at..].iter().chain(&stock[..at]);
        all.find(|one| is_usable(one))
    }
}

fn piece(command: &ShellCommand) -> Piece {
    Piece {
        text: command.text.clone(),
        fragments: command.fragments.clone(),
    }
}

/// Whether it is such a command as the generator makes.
fn is_usable(command: &ShellCommand) -> bool {
    let text = std::str::from_utf8(&command.text);
    let Some(text) = text
        .ok()
        .filter(|text| text.len() <= LONGEST && !text.contains('\0'))
    else {
        return false;
    };
    let mut done = 0;
    let mut is_apart = |range: &Range<usize>| {
        let begins_with_verb = text
            .get(range.clone())
            .is_some_and(|text| text.starts_with(|first: char| first.is_ascii_alphabetic()));
        let apart = done <= range.start && begins_with_verb;
        done = range.end;
        apart
    };
    (1..=MARKS).contains(&command.fragments.len())
        && command.fragments.iter().all(|one| is_apart(&one.range))
}

#[cfg(test)]
mod tests {
    use super::super::{ShellConstructSet, ShellFragment};
    use super::{ShellCommand, shell, shell_from};
    use crate::generate::random_bytes;

    fn command(text: &str, fragments: &[(usize, usize)]) -> ShellCommand {
        let fragment = |&(start, end): &(usize, usize)| ShellFragment {
            range: start..end,
            place: ShellConstructSet::default(),
        };
        ShellCommand {
            text: text.into(),
            fragments: fragments.iter().map(fragment).collect(),
            terminal: false,
            constructs: ShellConstructSet::default(),
        }
    }

    fn stock() -> Vec<ShellCommand> {
        vec![
            command("echo \"mkfs.ext4 /dev/sdb1\" # é", &[(6, 25)]),
            command("cat <<E\nrm -rf /\nE", &[(8, 16)]),
            command("x='rm a'; git push", &[(3, 7), (10, 18)]),
        ]
    }

    #[test]
    fn zeros_make_the_first_as_it_is() {
        assert_eq!(shell_from(&[], &stock()).text, stock()[0].text);
        let made = shell_from(&[0; 64], &stock());
        assert_eq!(made.text, stock()[0].text);
        assert_eq!(made.fragments[0].range, 6..25);
    }

    #[test]
    fn fragments_stay_whole_and_marked() {
        let stock = stock();
        let whole = ["mkfs.ext4 /dev/sdb1", "rm -rf /", "rm a", "git push"];
        for index in 0..20_000 {
            let made = shell_from(&random_bytes(7, index, 128), &stock);
            assert!((1..=8).contains(&made.fragments.len()), "{index}");
            let text = std::str::from_utf8(&made.text).expect("it is UTF-8");
            let mut done = 0;
            for one in &made.fragments {
                assert!(done <= one.range.start, "{index}");
                done = one.range.end;
                let marked = &text[one.range.clone()];
                // Those of the generator are checked where it is.
                let known = whole.contains(&marked) || !made.constructs.names().all(is_of_stock);
                assert!(known, "{index}: {marked}");
            }
        }
    }

    fn is_of_stock(name: &str) -> bool {
        let random = ["mode", "mutation", "crossing", "around", "on a terminal"];
        random.iter().any(|begin| name.starts_with(begin))
    }

    #[test]
    fn what_cannot_be_used_is_passed_over() {
        let odd = [
            command("rm \0", &[(0, 2)]),
            command("rm", &[(0, 9)]),
            command("rm x; rm y", &[(6, 8), (0, 2)]),
            command("'rm'", &[(0, 4)]),
            command("é; rm", &[(1, 5)]),
            command("ls", &[]),
        ];
        for index in 0..500 {
            let bytes = random_bytes(9, index, 64);
            assert_eq!(shell_from(&bytes, &odd), shell(&bytes));
            assert_eq!(shell_from(&bytes, &[]), shell(&bytes));
        }
        let both = [&odd[..], &stock()[..1]].concat();
        assert_eq!(shell_from(&[], &both).text, stock()[0].text);
    }
}
