//! Which piece comes next, given the bytes that are left?
//!
//! A forward decoder: one byte picks the next piece, so that a fuzzer which changes one byte changes one piece, and a
//! shrinker which drops bytes drops pieces. Past the end every byte reads as zero, and zero always means the plainest
//! choice, "no" and "no more": any prefix of an input decodes to a small case. What the pieces are is left to the
//! generators.

use super::construct::{Constructs, Set};
use arbitrary::Unstructured;

/// A cursor over the bytes of one case, its budget of pieces, and the constructs made so far.
pub(super) struct Decoder<'a, C> {
    bytes: Unstructured<'a>,
    budget: usize,
    made: Set<C>,
}

impl<'a, C: Constructs> Decoder<'a, C> {
    /// A cursor at the start of `bytes` that makes at most `budget` pieces.
    pub(super) fn new(bytes: &'a [u8], budget: usize) -> Self {
        Self {
            bytes: Unstructured::new(bytes),
            budget,
            made: Set::default(),
        }
    }

    /// The next byte; zero past the end.
    pub(super) fn byte(&mut self) -> u8 {
        self.bytes.bytes(1).map_or(0, |byte| byte[0])
    }

    /// Up to `count` bytes as they stand; fewer at the end.
    pub(super) fn raw(&mut self, count: usize) -> &'a [u8] {
        let count = count.min(self.bytes.len());
        self.bytes
            .bytes(count)
            .expect("no more is asked for than is left")
    }

    /// A number below `bound` (1 to 256), from one byte.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound
    }

    /// True in `percent` of 100 random inputs; false past the end.
    pub(super) fn chance(&mut self, percent: u16) -> bool {
        u16::from(self.byte()) * 100 >= (100 - percent) * 256
    }

    /// One of `choices`; the first past the end.
    pub(super) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// One of `choices` by weight (at most 256 in sum); the first past the end.
    pub(super) fn weighted<T: Copy>(&mut self, choices: &[(u16, T)]) -> T {
        let sum: u16 = choices.iter().map(|(weight, _)| weight).sum();
        // Scaled, not taken by remainder: a remainder would favour the first choices.
        let mut at = u16::try_from(u32::from(self.byte()) * u32::from(sum) / 256)
            .expect("a byte of the sum is less than the sum");
        for &(weight, choice) in choices {
            if at < weight {
                return choice;
            }
            at -= weight;
        }
        choices[0].1
    }

    /// How often a loop of up to `most` turns goes round: each further turn needs budget and bytes.
    pub(super) fn turns(&mut self, most: usize) -> usize {
        let wanted = self.below(most + 1);
        let turns = wanted.min(self.budget);
        self.budget -= turns;
        if self.is_empty() { turns.min(1) } else { turns }
    }

    /// Takes one piece from the budget; false when nothing is left of it.
    pub(super) fn spend(&mut self) -> bool {
        let left = self.budget > 0;
        self.budget = self.budget.saturating_sub(1);
        left
    }

    /// Nothing but zeros follows.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Notes that the case holds `construct`.
    pub(super) fn mark(&mut self, construct: C) {
        self.made.insert(construct);
    }

    /// What was marked so far.
    pub(super) fn made(&self) -> Set<C> {
        self.made
    }
}

/// The lowest byte by which [`Decoder::weighted`] picks number `index` of `choices`.
pub(super) fn byte_of<T>(choices: &[(u16, T)], index: usize) -> u8 {
    let weight = |choices: &[(u16, T)]| -> u32 {
        choices.iter().map(|(weight, _)| u32::from(*weight)).sum()
    };
    let byte = (weight(&choices[..index]) * 256).div_ceil(weight(choices));
    u8::try_from(byte).expect("what stands before is less than the sum")
}

#[cfg(test)]
mod tests {
    use super::super::Construct;
    use super::byte_of;

    type Decoder<'a> = super::Decoder<'a, Construct>;

    #[test]
    fn past_the_end_everything_is_the_plainest_choice() {
        let mut decoder = Decoder::new(b"", 10);
        assert_eq!(decoder.byte(), 0);
        assert!(!decoder.chance(99));
        assert_eq!(decoder.pick(&["plain", "odd"]), "plain");
        assert_eq!(decoder.weighted(&[(1, "plain"), (200, "odd")]), "plain");
        assert_eq!(decoder.turns(9), 0);
        assert!(decoder.raw(4).is_empty());
    }

    #[test]
    fn chances_and_weights_keep_their_shares() {
        let all: Vec<u8> = (0..=255).collect();
        let mut decoder = Decoder::new(&all, 0);
        assert_eq!((0..256).filter(|_| decoder.chance(25)).count(), 64);
        let mut decoder = Decoder::new(&all, 0);
        assert_eq!(
            (0..256)
                .filter(|_| decoder.weighted(&[(3, false), (1, true)]))
                .count(),
            64
        );
    }

    #[test]
    fn a_choice_has_its_byte() {
        let choices = [(36, 0), (1, 1), (100, 2), (7, 3)];
        for (index, &(_, choice)) in choices.iter().enumerate() {
            let bytes = [byte_of(&choices, index)];
            assert_eq!(Decoder::new(&bytes, 0).weighted(&choices), choice);
        }
    }

    #[test]
    fn loops_end_with_the_budget() {
        let bytes = [255; 64];
        let mut decoder = Decoder::new(&bytes, 5);
        assert_eq!(decoder.turns(3), 3);
        assert_eq!(decoder.turns(3), 2);
        assert_eq!(decoder.turns(3), 0);
        assert!(!decoder.spend());
    }
}
