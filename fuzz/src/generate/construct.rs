//! Which named constructs does a generated case hold?
//!
//! A generator that never makes a thing tests nothing about it, and nobody notices. So each construct has a name, is
//! marked where the decoder makes it, and is counted over a run; one that stays at zero fails the run. A mark says that
//! the piece was written, not what sed makes of it: a later mutation may have broken it.

macro_rules! constructs {
    ($($variant:ident $name:literal,)*) => {
        /// A thing that the generator of sed invocations makes on purpose.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Construct {
            $(#[doc = $name] $variant,)*
        }

        /// The names of all constructs, in the order of [`Construct`].
        pub const CONSTRUCTS: &[&str] = &[$($name,)*];
    };
}

constructs! {
    // How the case was made.
    Grammatical "mode grammatical",
    Mutated "mode mutated",
    Hostile "mode hostile",
    MutationDelete "mutation delete",
    MutationInsert "mutation insert",
    MutationReplace "mutation replace",
    MutationDuplicate "mutation duplicate",
    HostilePrintable "hostile printable bytes",
    HostileRaw "hostile raw bytes",
    HostileTokens "hostile tokens",
    HostileArgv "hostile argv",
    // Environment.
    PosixlyEmpty "env POSIXLY_CORRECT empty",
    PosixlySet "env POSIXLY_CORRECT set",
    LocaleC "env LC_ALL C",
    LocaleUtf8 "env LC_ALL C.UTF-8",
    Cols "env COLS",
    // Options.
    ShortFlag "option short",
    ShortCluster "option cluster",
    ShortUnknown "option short unknown",
    ShortArgumentAttached "option short argument attached",
    ShortArgumentSeparate "option short argument separate",
    ShortArgumentInCluster "option argument inside cluster",
    LongFull "option long",
    LongAbbreviated "option long abbreviated",
    LongAmbiguous "option long ambiguous",
    LongUnknown "option long unknown",
    LongValue "option long value",
    LongValueRefused "option long value refused",
    LongArgumentSeparate "option long argument separate",
    ArgumentMissing "option argument missing",
    DoubleDash "option double dash",
    AfterOperand "option after operand",
    HelpOrVersion "option help or version",
    LineLength "option line-length",
    Debug "option debug",
    FollowSymlinks "option follow-symlinks",
    SandboxBefore "option sandbox before a piece",
    SandboxAfter "option sandbox after a piece",
    PosixBefore "option posix before a piece",
    PosixAfter "option posix after a piece",
    ExtendedBefore "option extended before a piece",
    ExtendedAfter "option extended after a piece",
    InPlace "in-place",
    InPlaceLong "in-place long",
    InPlaceSuffix "in-place suffix",
    InPlaceStar "in-place suffix star",
    InPlaceSlash "in-place suffix slash",
    InPlaceParent "in-place suffix parent",
    InPlaceNextWord "in-place suffix next word",
    // Pieces.
    ScriptOperand "piece operand",
    ScriptNone "piece none",
    ScriptEmpty "piece empty",
    ScriptExpression "piece expression",
    ScriptFile "piece file",
    ScriptStdin "piece standard input",
    ScriptFileMissing "piece file missing",
    SeveralPieces "piece several",
    OpenText "piece open text",
    OpenBlock "piece open block",
    HashN "piece hash n",
    Shebang "piece shebang",
    FileCr "piece file with CR",
    FileNul "piece file with NUL",
    FileNoNewline "piece file without final newline",
    // Addresses.
    AddressNumber "address number",
    AddressLast "address last",
    AddressRegex "address regex",
    AddressCustom "address regex custom delimiter",
    AddressFlagI "address regex flag I",
    AddressFlagM "address regex flag M",
    AddressStep "address step",
    AddressStepEmpty "address step without number",
    AddressRange "address range",
    AddressPlus "address plus",
    AddressPlusEmpty "address plus without number",
    AddressMultiple "address multiple",
    AddressMultipleEmpty "address multiple without number",
    AddressZeroRegex "address zero to regex",
    AddressZero "address zero",
    AddressBlanks "address blanks",
    AddressNot "address not",
    AddressNotTwice "address not twice",
    NumberLarge "number large",
    // Commands.
    Block "command {",
    BlockNested "command { nested",
    BlockUnclosed "command { unclosed",
    BlockStray "command } stray",
    LineNumber "command =",
    Append "command a",
    Branch "command b",
    Change "command c",
    Delete "command d",
    DeleteFirst "command D",
    ExecuteSpace "command e",
    ExecuteCommand "command e with text",
    FileNameCommand "command F",
    Get "command g",
    GetAppend "command G",
    Hold "command h",
    HoldAppend "command H",
    Insert "command i",
    List "command l",
    ListOld "command L",
    Next "command n",
    NextAppend "command N",
    Print "command p",
    PrintFirst "command P",
    Quit "command q",
    QuitSilent "command Q",
    Read "command r",
    ReadLine "command R",
    Substitute "command s",
    BranchIf "command t",
    BranchIfNot "command T",
    Version "command v",
    Write "command w",
    WriteFirst "command W",
    Exchange "command x",
    Transliterate "command y",
    Zap "command z",
    Comment "command comment",
    Label "command label",
    UnknownCommand "command unknown",
    LabelMissing "label missing",
    LabelBackward "label backward",
    CommandAfterLabel "command after label",
    CommandAfterVersion "command after v",
    WhiteSpace "white space before command",
    Swallowed "separator swallowed",
    // Text.
    TextOneLine "text one line",
    TextBackslashNewline "text backslash newline",
    TextBackslashText "text backslash text",
    TextBackslashBlank "text backslash blank newline",
    TextDoubleBackslash "text double backslash",
    TextContinued "text continued",
    TextEmptyLine "text empty by newline",
    TextDangling "text dangling",
    // s, y and delimiters.
    DelimiterLetter "delimiter letter",
    DelimiterDigit "delimiter digit",
    DelimiterBlank "delimiter blank",
    DelimiterSyntax "delimiter ; } [ \\ # &",
    DelimiterPunctuation "delimiter other punctuation",
    DelimiterHigh "delimiter above 127",
    DelimiterUtf8 "delimiter UTF-8 letter",
    DelimiterNewline "delimiter newline",
    DelimiterEscaped "delimiter escaped",
    DelimiterInBracket "delimiter in bracket",
    Unterminated "delimiter missing",
    FlagGlobal "s flag g",
    FlagPrint "s flag p",
    FlagNumber "s flag number",
    FlagCase "s flag i",
    FlagMultiline "s flag m",
    FlagExecute "s flag e",
    FlagWrite "s flag w",
    FlagBlank "s flag blank between",
    FlagBad "s flag bad",
    TransliterateEscape "y escape",
    TransliterateUneven "y uneven",
    ReplacementAll "replacement &",
    ReplacementGroup "replacement group",
    ReplacementCase "replacement case",
    ReplacementNewline "replacement escaped newline",
    ReplacementRawNewline "replacement raw newline",
    ReplacementBracket "replacement bracket",
    // Regular expressions.
    RegexEmpty "regex empty",
    RegexGroup "regex group",
    RegexReference "regex reference",
    RegexReferenceMissing "regex reference missing",
    RegexRepeat "regex repeat",
    RegexInterval "regex interval",
    RegexIntervalBad "regex interval bad",
    RegexStarFirst "regex star first",
    RegexAlternation "regex alternation",
    RegexAnchor "regex anchor",
    RegexUnbalanced "regex unbalanced",
    RegexClassLetter "regex class letter",
    RegexBoundary "regex boundary",
    RegexRawNewline "regex raw newline",
    EscapeLetter "escape letter",
    EscapeNumber "escape number",
    EscapeControl "escape control",
    BracketPlain "bracket plain",
    BracketNegated "bracket negated",
    BracketFirstClose "bracket ] first",
    BracketClass "bracket class",
    BracketCollating "bracket collating",
    BracketEquivalence "bracket equivalence",
    BracketBackslash "bracket backslash",
    BracketOpen "bracket unfinished",
    // Text that looks live and is not.
    NearMissRegex "near miss in regex",
    NearMissReplacement "near miss in replacement",
    NearMissText "near miss in text",
    NearMissComment "near miss in comment",
    NearMissLabel "near miss in label",
    // File names.
    NamePlain "name plain",
    NameSubdirectory "name in subdirectory",
    NameParent "name in parent",
    NameInput "name is an input",
    NameLink "name is a link",
    NameSpecial "name special",
    NameNeighbour "name near special",
    NameTrailingBlank "name trailing blank",
    NamePunctuation "name with ; } #",
    NameControl "name with CR",
    NameNul "name with NUL",
    NameDirectoryMissing "name in missing directory",
    NameEmpty "name empty",
    // Inputs.
    OperandNone "operand none",
    OperandSeveral "operand several",
    OperandMissing "operand missing",
    OperandDirectory "operand directory",
    OperandLink "operand link",
    OperandEmpty "operand empty file",
    OperandDash "operand dash",
}

/// A set of constructs, of fixed size.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ConstructSet([u64; 4]);

const _: () = assert!(CONSTRUCTS.len() <= 256);

impl ConstructSet {
    /// Adds `construct`.
    pub fn insert(&mut self, construct: Construct) {
        let index = construct as usize;
        self.0[index / 64] |= 1 << (index % 64);
    }

    /// Whether `construct` is in the set.
    pub fn contains(self, construct: Construct) -> bool {
        self.has(construct as usize)
    }

    fn has(self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    /// All constructs whose names begin with one of these.
    pub fn beginning(begins: &[&str]) -> Self {
        let mut set = Self::default();
        for (index, name) in CONSTRUCTS.iter().enumerate() {
            let wanted = begins.iter().any(|begin| name.starts_with(begin));
            set.0[index / 64] |= u64::from(wanted) << (index % 64);
        }
        set
    }

    /// Whether the two have a construct in common.
    pub fn meets(self, other: Self) -> bool {
        self.0
            .iter()
            .zip(other.0)
            .any(|(ours, theirs)| ours & theirs != 0)
    }

    /// The names in the set, in the order of [`CONSTRUCTS`].
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        CONSTRUCTS
            .iter()
            .enumerate()
            .filter(move |(index, _)| self.has(*index))
            .map(|(_, name)| *name)
    }
}

/// How many cases of a run held each construct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstructCounts(Vec<u64>);

impl Default for ConstructCounts {
    fn default() -> Self {
        Self(vec![0; CONSTRUCTS.len()])
    }
}

impl ConstructCounts {
    /// Counts the constructs of one more case.
    pub fn add(&mut self, made: ConstructSet) {
        for (index, count) in self.0.iter_mut().enumerate() {
            *count += u64::from(made.has(index));
        }
    }

    /// Adds the counts of another part of the same run.
    pub fn merge(&mut self, other: &Self) {
        for (count, more) in self.0.iter_mut().zip(&other.0) {
            *count += more;
        }
    }

    /// Name and number of cases, in the order of [`CONSTRUCTS`].
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        CONSTRUCTS.iter().copied().zip(self.0.iter().copied())
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
    use super::{CONSTRUCTS, Construct, ConstructCounts, ConstructSet};
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_a_set_gives_back_what_was_put_in() {
        assert_eq!(
            CONSTRUCTS.iter().collect::<BTreeSet<_>>().len(),
            CONSTRUCTS.len()
        );
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
