//! The claims about shell regions (`docs/spec/regions.md` section 2), put to both scanners.
//!
//! Of the hardened one the same is asked each time, of the same fragments: none runs that it calls inert.
//!
//! Most are rows of [`ROWS`]: which fragments of generated commands the claim speaks of, and which answers of bash and of
//! the scanner refute it. How a row is checked is `shell`; the claims of another shape are in `passes` and `answer`.

mod answer;
mod passes;
mod shell;

use super::{Claim, Expected, Kind};
use crate::property::regions::Pair;
use corpus::FragmentTruth;
use differential::replay::Form;

/// A claim of which bash decides, fragment by fragment.
#[derive(Clone, Copy)]
struct Row {
    id: &'static str,
    sentence: &'static str,
    /// Of the literal form.
    expected: Expected,
    /// The fragments it speaks of stand in or directly behind one of these constructs (beginnings of names).
    at: &'static [&'static str],
    /// What else the command may hold, beyond [`PLAIN`] commands: nothing may differ for another reason than the claim's.
    beside: &'static [&'static str],
    /// Which of the fragments there are meant: a command, and where the fragment begins.
    which: fn(&[u8], usize) -> bool,
    /// What refutes it, said of one fragment.
    against: fn(Pair) -> bool,
    /// It says that there is such a fragment: what would refute another claim is its example.
    is_example: bool,
}

/// A fragment that the scanner calls inert runs, and none must.
const HOLDS: Row = Row {
    id: "",
    sentence: "",
    expected: Expected::Holds,
    at: &[],
    beside: &[],
    which: |_, _| true,
    against: Pair::is_miss,
    is_example: false,
};

/// A fragment that the scanner calls inert runs, and one must be found.
const REFUTED: Row = Row {
    expected: Expected::Refuted,
    ..HOLDS
};

/// What any command may hold.
const PLAIN: &[&str] = &["mode grammatical", "plain command", "list"];

/// A here-document with an opener that the scanner knows, and nothing odd about it.
const HERE_DOCUMENT: &[&str] = &[
    "here-document unquoted",
    "here-document quoted",
    "here-document read",
    "here-document ignored",
    "here-document delimiter plain",
    "body line",
];

fn runs(pair: Pair) -> bool {
    pair.truth == FragmentTruth::Runs
}

fn differs(pair: Pair) -> bool {
    pair.is_miss() || pair.is_false_alarm()
}

fn follows_a_hash_on_its_line(command: &[u8], at: usize) -> bool {
    let line = command[..at].rsplit(|&byte| byte == b'\n').next();
    line.is_some_and(|line| line.contains(&b'#'))
}

fn is_on_a_later_line(command: &[u8], at: usize) -> bool {
    command[..at].contains(&b'\n')
}

/// Behind an opener that the scanner does not know.
fn follows_an_escaped_delimiter(command: &[u8], at: usize) -> bool {
    command[..at].windows(3).any(|three| three == b"<<\\")
}

fn follows_backticks(command: &[u8], at: usize) -> bool {
    command[..at].iter().filter(|&&byte| byte == b'`').count() == 2
}

fn begins_a_substitution(command: &[u8], at: usize) -> bool {
    command[..at].ends_with(b"$(") || command[..at].ends_with(b"`")
}

/// The scanner takes an escaped quote for the end of a run, whatever the verb.
fn has_no_escaped_quote(command: &[u8], _: usize) -> bool {
    !command.windows(2).any(|two| two == b"\\\"")
}

fn gives_echo_a_meaning(command: &[u8], at: usize) -> bool {
    let meanings: [&[u8]; 2] = [b"echo() {", b"alias echo="];
    let holds = |meaning: &&[u8]| {
        command[..at]
            .windows(meaning.len())
            .any(|part| part == *meaning)
    };
    meanings.iter().any(holds)
}

fn is_of_one_line(command: &[u8], _: usize) -> bool {
    !command.contains(&b'\n')
}

fn follows_a_single_quote(command: &[u8], at: usize) -> bool {
    let is_quote = |byte: &&u8| matches!(byte, b'\'' | b'"');
    command[..at].iter().rev().find(is_quote) == Some(&b'\'')
}

const ROWS: &[Row] = &[
    Row {
        id: "R-01",
        sentence: "A comment is a place where the shell runs nothing.",
        at: &[
            "comment after",
            "comment at",
            "comment before",
            "comment with",
            "comment in substitution",
        ],
        which: follows_a_hash_on_its_line,
        against: runs,
        ..HOLDS
    },
    Row {
        id: "R-02",
        sentence: "A `#` is treated as a comment only where a word could have started.",
        at: &["hash "],
        ..REFUTED
    },
    Row {
        id: "R-03",
        sentence: "A comment reaches to the end of the line.",
        at: &["comment in backticks"],
        ..REFUTED
    },
    Row {
        id: "R-04",
        sentence: "`a#b` and a quoted `\"# x\"` are not comments.",
        at: &["hash in word", "hash after quote"],
        ..HOLDS
    },
    Row {
        id: "R-05",
        sentence: "A heredoc body is a place where the shell runs nothing.",
        at: &["body fed to shell"],
        beside: HERE_DOCUMENT,
        ..REFUTED
    },
    Row {
        id: "R-06",
        sentence: "The delimiter's quoting makes no difference; an expanded body is written, not run.",
        at: &["body expands"],
        beside: HERE_DOCUMENT,
        ..REFUTED
    },
    Row {
        id: "R-07",
        sentence: "The opener pattern describes heredocs.",
        at: &[
            "here-string",
            "here-document delimiter escaped",
            "here-document delimiter punctuation",
            "here-document delimiter with blank",
        ],
        beside: HERE_DOCUMENT,
        which: is_on_a_later_line,
        against: differs,
        ..REFUTED
    },
    Row {
        id: "R-08",
        sentence: "Bodies can be found in a pass of their own, before quoting is known.",
        at: &["here-document phantom"],
        ..REFUTED
    },
    Row {
        id: "R-09",
        sentence: "Finding bodies first keeps odd quotes in a body from upsetting the rest.",
        at: &["here-document with odd quote"],
        which: follows_an_escaped_delimiter,
        ..REFUTED
    },
    Row {
        id: "R-10",
        sentence: "The body starts after the first newline that follows the opener.",
        at: &["here-document line continued", "here-document line quoted"],
        ..REFUTED
    },
    Row {
        id: "R-11",
        sentence: "The terminator is the bare name, trailing blanks allowed, leading blanks allowed after `<<-`.",
        at: &[
            "here-document terminator trailing",
            "here-document terminator leading",
        ],
        beside: HERE_DOCUMENT,
        against: Pair::is_false_alarm,
        ..REFUTED
    },
    Row {
        id: "R-12",
        sentence: "The name read by the pattern is the delimiter.",
        at: &["here-document behind"],
        beside: &[
            "here-document unquoted",
            "here-document read",
            "here-document ignored",
            "here-document delimiter dotted",
            "here-document delimiter dashed",
            "here-document delimiter dollar",
            "body line",
        ],
        ..REFUTED
    },
    Row {
        id: "R-13",
        sentence: "An opener with no newline after it has no body.",
        at: &["here-document no newline"],
        which: is_of_one_line,
        ..HOLDS
    },
    Row {
        id: "R-14",
        sentence: "A body without its terminator reaches to the end of the text, in the shell too.",
        at: &["here-document in substitution"],
        which: follows_backticks,
        ..REFUTED
    },
    Row {
        id: "R-15",
        sentence: "None of the listed verbs has a documented way to execute its argument.",
        at: &["printf -v", "searcher option", "searcher pager"],
        beside: &["on a terminal"],
        ..REFUTED
    },
    Row {
        id: "R-16",
        sentence: "The quoted argument of such a verb is not run.",
        at: &["quoted operand of echo", "quoted operand of printf"],
        beside: &["pipe to", "file written", "substitution as"],
        ..REFUTED
    },
    Row {
        id: "R-17",
        sentence: "Message text after -m never runs, whatever the verb.",
        at: &["message option of another program"],
        ..REFUTED
    },
    Row {
        id: "R-18",
        sentence: "After `git commit -m` the quoted string is prose.",
        at: &["message of git commit", "harmless message"],
        beside: &["quoted operand of another"],
        which: has_no_escaped_quote,
        ..HOLDS
    },
    Row {
        id: "R-19",
        sentence: "sed, awk and perl can run their quoted program, so they stay off the list.",
        at: &["program of sed, awk or perl"],
        ..HOLDS
    },
    Row {
        id: "R-20",
        sentence: "Only `$(` or a backtick in double quotes can turn a quoted argument back into a program.",
        at: &["printf -v"],
        which: follows_a_single_quote,
        ..REFUTED
    },
    Row {
        id: "R-21",
        sentence: "Single quotes expand nothing.",
        at: &["single quotes in parameter", "body quoted expansion"],
        beside: HERE_DOCUMENT,
        which: follows_a_single_quote,
        against: runs,
        ..REFUTED
    },
    Row {
        id: "R-22",
        sentence: "`\"$(X)\"` in an echo is a real run and stays live.",
        at: &["double quotes expand"],
        which: begins_a_substitution,
        ..HOLDS
    },
    Row {
        id: "R-23",
        sentence: "The path before a verb says nothing new.",
        at: &["verb by path"],
        ..REFUTED
    },
    Row {
        id: "R-24",
        sentence: "After each list or pipeline operator a new verb follows.",
        at: &["redirection target", "operand of test"],
        ..REFUTED
    },
    Row {
        id: "R-25",
        sentence: "After an assignment the next word is read as the verb.",
        at: &["assignment prefix"],
        beside: &["quoted operand of another"],
        against: Pair::is_false_alarm,
        ..REFUTED
    },
    Row {
        id: "R-26",
        sentence: "A quoted assignment is not a verb.",
        at: &["assignment prefix"],
        ..REFUTED
    },
    Row {
        id: "R-27",
        sentence: "A quoted run ends at the next quote of its kind.",
        at: &["escape in double quotes", "ansi-c quote", "quotes in "],
        ..REFUTED
    },
    Row {
        id: "R-28",
        sentence: "An unbalanced quote takes the rest, as a shell that waits for more input.",
        at: &["quote unbalanced"],
        ..HOLDS
    },
    Row {
        id: "R-34",
        sentence: "`rg 'rm -rf /'` and `echo \"rm -rf /\" >> notes.md` are text.",
        at: &["harmless search", "harmless echo"],
        beside: &["quoted operand of"],
        which: has_no_escaped_quote,
        ..HOLDS
    },
    Row {
        id: "R-35",
        sentence: "A command in a variable walks past the scanner.",
        at: &["variable as command", "printf -v"],
        beside: &["quoted operand of"],
        is_example: true,
        ..HOLDS
    },
    Row {
        id: "R-38",
        sentence: "(implied) text in a comment, body or argument cannot become a program later in the same command.",
        at: &["self-reference"],
        ..REFUTED
    },
    Row {
        id: "R-39",
        sentence: "(implied) echo is echo.",
        at: &["function redefines verb", "alias"],
        which: gives_echo_a_meaning,
        ..REFUTED
    },
    Row {
        id: "R-40",
        sentence: "(implied) a verb after a reserved word or wrapper is not needed.",
        at: &["reserved word", "wrapper", "redirection before verb"],
        beside: &["quoted operand of another"],
        which: has_no_escaped_quote,
        ..HOLDS
    },
];

pub(super) fn claims() -> Vec<Claim> {
    let mut claims: Vec<Claim> = ROWS.iter().map(Row::claim).collect();
    claims.extend(answer::claims());
    claims.extend(passes::claims());
    claims.sort_by_key(|claim| claim.id);
    claims
}

impl Row {
    fn claim(&'static self) -> Claim {
        Claim {
            id: self.id,
            sentence: self.sentence,
            kind: Kind::Differential,
            source: SOURCE,
            literal: Some(self.expected),
            hardened: Some(Expected::Holds),
            tags: std::slice::from_ref(&self.id),
            constructs: self.at,
            check: Box::new(|claim, expected, ground| {
                let row = match ground.form {
                    Form::Literal => *self,
                    Form::Hardened => self.sound(),
                };
                shell::check(&row, claim, expected, ground)
            }),
        }
    }

    /// What is asked of the hardened scanner.
    fn sound(&self) -> Row {
        Row {
            at: self.at,
            beside: self.beside,
            ..HOLDS
        }
    }
}

/// Their specification.
const SOURCE: &str = "regions.md";
