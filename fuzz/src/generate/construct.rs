//! Which named constructs does a generated case hold?
//!
//! A generator that never makes a thing tests nothing about it, and nobody notices. So each construct has a name, is
//! marked where the decoder makes it, and is counted over a run; one that stays at zero fails the run. A mark says that
//! the piece was written, not what the program makes of it: a later mutation may have broken it. Which constructs there
//! are is for each generator to say.

use std::fmt;
use std::marker::PhantomData;

/// The constructs of one generator.
pub trait Constructs: Copy + 'static {
    /// Their names, distinct, at most 384.
    const NAMES: &'static [&'static str];

    /// Where the name of this one is in [`Constructs::NAMES`].
    fn index(self) -> usize;
}

/// The enumeration of a generator's constructs and the list of their names.
macro_rules! constructs {
    (
        $(#[$about:meta])* $kind:ident,
        $(#[$about_names:meta])* $names:ident:
        $($variant:ident $name:literal,)*
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u16)]
        pub enum $kind {
            $(#[doc = $name] $variant,)*
        }

        $(#[$about_names])*
        pub const $names: &[&str] = &[$($name,)*];

        impl $crate::generate::construct::Constructs for $kind {
            const NAMES: &'static [&'static str] = $names;

            fn index(self) -> usize {
                self as usize
            }
        }

        const _: () = assert!($names.len() <= 384);
    };
}

pub(super) use constructs;

/// A set of constructs, of fixed size.
pub struct Set<C> {
    bits: [u64; 6],
    of: PhantomData<C>,
}

impl<C> Default for Set<C> {
    fn default() -> Self {
        Self {
            bits: [0; 6],
            of: PhantomData,
        }
    }
}

impl<C> Clone for Set<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Set<C> {}

impl<C> PartialEq for Set<C> {
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}

impl<C> Eq for Set<C> {}

impl<C: Constructs> fmt::Debug for Set<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

impl<C: Constructs> Set<C> {
    /// Adds `construct`.
    pub fn insert(&mut self, construct: C) {
        self.put(construct.index());
    }

    fn put(&mut self, index: usize) {
        self.bits[index / 64] |= 1 << (index % 64);
    }

    /// Whether `construct` is in the set.
    pub fn contains(self, construct: C) -> bool {
        self.has(construct.index())
    }

    fn has(self, index: usize) -> bool {
        self.bits[index / 64] >> (index % 64) & 1 == 1
    }

    /// All constructs whose names begin with one of these.
    pub fn beginning(begins: &[&str]) -> Self {
        let mut set = Self::default();
        for (index, name) in C::NAMES.iter().enumerate() {
            if begins.iter().any(|begin| name.starts_with(begin)) {
                set.put(index);
            }
        }
        set
    }

    /// Whether the two have a construct in common.
    pub fn meets(self, other: Self) -> bool {
        self.bits
            .iter()
            .zip(other.bits)
            .any(|(ours, theirs)| ours & theirs != 0)
    }

    /// What is in one of the two.
    pub fn union(mut self, other: Self) -> Self {
        for (ours, theirs) in self.bits.iter_mut().zip(other.bits) {
            *ours |= theirs;
        }
        self
    }

    /// The names in the set, in the order of [`Constructs::NAMES`].
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        C::NAMES
            .iter()
            .enumerate()
            .filter(move |(index, _)| self.has(*index))
            .map(|(_, name)| *name)
    }
}

/// How many cases of a run held each construct.
pub struct Counts<C> {
    cases: Vec<u64>,
    of: PhantomData<C>,
}

impl<C: Constructs> Default for Counts<C> {
    fn default() -> Self {
        Self {
            cases: vec![0; C::NAMES.len()],
            of: PhantomData,
        }
    }
}

impl<C> Clone for Counts<C> {
    fn clone(&self) -> Self {
        Self {
            cases: self.cases.clone(),
            of: PhantomData,
        }
    }
}

impl<C> PartialEq for Counts<C> {
    fn eq(&self, other: &Self) -> bool {
        self.cases == other.cases
    }
}

impl<C> Eq for Counts<C> {}

impl<C: Constructs> fmt::Debug for Counts<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<C: Constructs> Counts<C> {
    /// Counts the constructs of one more case.
    pub fn add(&mut self, made: Set<C>) {
        for (index, count) in self.cases.iter_mut().enumerate() {
            *count += u64::from(made.has(index));
        }
    }

    /// Adds the counts of another part of the same run.
    pub fn merge(&mut self, other: &Self) {
        for (count, more) in self.cases.iter_mut().zip(&other.cases) {
            *count += more;
        }
    }

    /// Name and number of cases, in the order of [`Constructs::NAMES`].
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        C::NAMES.iter().copied().zip(self.cases.iter().copied())
    }

    /// The constructs that no case held; a full run fails unless there are none.
    pub fn missing(&self) -> Vec<&'static str> {
        self.iter()
            .filter(|(_, count)| *count == 0)
            .map(|(name, _)| name)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        CONSTRUCTS, Construct, ConstructCounts, ConstructSet, SHELL_CONSTRUCTS, ShellConstruct,
        ShellConstructSet,
    };
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_a_set_gives_back_what_was_put_in() {
        for names in [CONSTRUCTS, SHELL_CONSTRUCTS] {
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        }
        let mut set = ConstructSet::default();
        set.insert(Construct::Grammatical);
        set.insert(Construct::OperandDash);
        assert_eq!(
            set.names().collect::<Vec<_>>(),
            ["mode grammatical", "operand dash"]
        );
        assert!(set.contains(Construct::OperandDash) && !set.contains(Construct::Zap));
    }

    #[test]
    fn a_prefix_selects_and_a_union_holds_both() {
        let modes = ShellConstructSet::beginning(&["mode "]);
        assert!(modes.contains(ShellConstruct::Mutated));
        assert!(!modes.contains(ShellConstruct::Plain));
        let mut plain = ShellConstructSet::default();
        plain.insert(ShellConstruct::Plain);
        assert!(!modes.meets(plain));
        assert!(modes.union(plain).meets(plain));
    }

    #[test]
    fn what_no_case_held_is_missing() {
        let mut counts = ConstructCounts::default();
        assert_eq!(counts.missing().len(), CONSTRUCTS.len());
        let mut set = ConstructSet::default();
        set.insert(Construct::Zap);
        counts.add(set);
        let mut both = counts.clone();
        both.merge(&counts);
        assert_eq!(
            both.iter().find(|(name, _)| *name == "command z"),
            Some(("command z", 2))
        );
        assert_eq!(both.missing().len(), CONSTRUCTS.len() - 1);
    }
}
