//! Why is a place text, or why is it not?

use crate::programs::Why;
use crate::shell::Trouble;
use std::fmt;

/// What a region is; nothing runs what starts in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Inert {
    /// `#` to the end of the line.
    Comment,
    /// Body of a here-document.
    Body,
    /// What `<<<` gives to a command.
    HereString,
    /// A word of a command that does not run it.
    Operand,
    /// The value of a variable.
    Value,
    /// The file of a redirection.
    Target,
    /// An operand of `[[ ]]`.
    Test,
    /// The subject or a pattern of a `case`.
    Pattern,
    /// A value of a `for` or `select`.
    Item,
    /// A verb that can be the name of no program.
    NoProgram,
}

impl fmt::Display for Inert {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Comment => "a comment, and nothing reads the text of the command",
            Self::Body => "the body of a here-document, and nothing runs it",
            Self::HereString => "a here-string, and nothing runs it",
            Self::Operand => "an operand, and nothing that gets it runs it",
            Self::Value => "the value of a variable, and nothing runs it",
            Self::Target => "the name of a file, and nothing runs the name",
            Self::Test => "an operand of a test, and nothing runs it",
            Self::Pattern => "a word that is compared, and nothing runs it",
            Self::Item => "a value that a loop goes over, and nothing runs it",
            Self::NoProgram => "a verb that can be the name of no program",
        })
    }
}

/// Why what starts in a place could be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Live {
    /// Program text: a verb, an operator, a substitution, or whatever else is not in a word.
    Program,
    /// It is in, or gets into, what was not understood.
    NotUnderstood(Trouble),
    /// It is, or gets into, what a program runs.
    Run(Why),
    /// It is the name of a program that is run.
    Name,
    /// It gets to where arithmetic or a subscript is evaluated.
    Evaluated,
    /// It gets to where it is expanded like a prompt.
    Prompted,
    /// It gets into a variable that shells or programs obey.
    Environment,
    /// The command changes what the rest of it means.
    Redefined,
    /// A variable is set whose name is not known.
    AnyVariable,
    /// A function has a name that is not known.
    AnyFunction,
    /// The command reads its own text, and runs what it makes of it.
    OwnText,
    /// The command may put a program or its configuration in the place of one that runs later.
    Replaced,
    /// Text that was not read here is run, and could get at this.
    Exposed,
    /// Nested deeper than is followed.
    TooDeep,
}

impl fmt::Display for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Program => "program text",
            Self::NotUnderstood(why) => {
                return write!(f, "it is in what was not understood, or gets there: {why}");
            }
            Self::Run(why) => return write!(f, "it gets to {why}"),
            Self::Name => "it is the name of a program that is run",
            Self::Evaluated => "it gets to where arithmetic or a subscript is evaluated",
            Self::Prompted => "it gets to where it is expanded like a prompt",
            Self::Environment => "a variable is set that shells or programs obey",
            Self::Redefined => "the command changes what the rest of it means",
            Self::AnyVariable => "a variable is set whose name is not known",
            Self::AnyFunction => "a function is defined whose name is not known",
            Self::OwnText => "the command reads its own text and may run what it finds",
            Self::Replaced => "a program or its configuration may have been replaced before",
            Self::Exposed => "text that is run and was not read here could get at it",
            Self::TooDeep => "nested deeper than is followed",
        })
    }
}
