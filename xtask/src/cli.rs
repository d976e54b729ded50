//! What was asked? The words of the command line, and what is wrong with them.

use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand, ValueEnum};
use differential::replay::Form;
use std::path::PathBuf;
use std::str::FromStr;

/// A harness for the guards that decide which shell commands a coding agent may run unasked.
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    disable_version_flag = true,
    after_help = "Example:\n  cargo xtask verify --quick"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands that are there.
#[derive(Subcommand)]
pub(crate) enum Command {
    Verify(Verify),
    Replay(Replay),
    Explain(crate::explain::Explain),
    Fuzz(crate::fuzz::Fuzz),
    Survey(crate::survey::Survey),
}

/// What every command knows.
#[derive(Args)]
pub(crate) struct Common {
    /// Print one JSON document on standard output, everything else on standard error
    #[arg(long)]
    pub(crate) json: bool,
    /// Number of threads [default: one a processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Seed of everything generated, decimal [default: a new one, printed first]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl Common {
    /// Number of threads.
    pub(crate) fn jobs(&self) -> usize {
        self.jobs.map_or_else(
            || std::thread::available_parallelism().map_or(1, usize::from),
            usize::from,
        )
    }

    /// The seed asked for, or a new one short enough to be typed.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| fastrand::u64(..1 << 32))
    }
}

/// The main job: corpora, claims, generated runs, stored fuzz inputs, the ledger
///
/// Every step runs, cheap ones first; what failed is printed last. Exit: 0 all agree; 1 a miss, an unlisted false
/// alarm, a claim off its expectation; 2 the call or a corpus is wrong; 3 incomplete; 130 interrupted.
#[derive(Args)]
#[command(after_help = "Examples:\n  cargo xtask verify --quick\n  \
    cargo xtask verify --only sed --generated 100000 --seed 7 --shard 1/4\n  \
    cargo xtask verify --report target/report --json > target/verify.json")]
pub(crate) struct Verify {
    /// Fewer generated runs: the check before a commit
    #[arg(long)]
    pub(crate) quick: bool,
    /// Only this area; may be given several times
    #[arg(long, value_name = "AREA")]
    pub(crate) only: Vec<Area>,
    /// How many generated inputs each differential run takes
    #[arg(long, value_name = "N")]
    pub(crate) generated: Option<u64>,
    /// The K-th of N equal parts of the work, for several machines with one seed
    #[arg(long, value_name = "K/N", requires = "seed")]
    pub(crate) shard: Option<Shard>,
    /// Also write report.json, junit.xml and results.sarif into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<PathBuf>,
    /// Unknown cases, and cases invalid for this version, make the run incomplete (exit 3)
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Judges stored cases; their truth is measured again
///
/// Exit: 0 all agree; 1 a miss or an unlisted false alarm; 2 the call or a corpus is wrong; 3 incomplete; 130
/// interrupted.
#[derive(Args)]
#[command(after_help = "Examples:\n  cargo xtask replay\n  \
    cargo xtask replay corpus/cases/sed.jsonl --filter write-flag --show\n  \
    cargo xtask replay --form literal --tag quirk --json")]
pub(crate) struct Replay {
    /// Files and folders of cases [default: corpus/cases]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only cases whose name contains this text
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,
    /// Only cases with this tag
    #[arg(long, value_name = "T")]
    pub(crate) tag: Option<String>,
    /// Which form of the reference is judged
    #[arg(long, value_enum, default_value_t = FormWord::Hardened)]
    pub(crate) form: FormWord,
    /// Run nothing: the stored truth is taken as it is
    #[arg(long)]
    pub(crate) no_execute: bool,
    /// Show every judgement in full, those that agree too
    #[arg(long)]
    pub(crate) show: bool,
    /// Unknown cases, and cases invalid for this version, make the run incomplete (exit 3)
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// The words of `--form`.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum FormWord {
    /// After the decisions of its specification
    Hardened,
    /// Exactly as described, holes included
    Literal,
}

impl From<FormWord> for Form {
    fn from(word: FormWord) -> Form {
        match word {
            FormWord::Hardened => Form::Hardened,
            FormWord::Literal => Form::Literal,
        }
    }
}

/// The words of `--only`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "the words of the specification")]
pub(crate) enum Area {
    Box,
    Corpus,
    Regions,
    Sed,
    Decide,
    Schema,
    Workspace,
    Gate,
    Rules,
    Sessions,
    Fuzz,
}

/// One of several equal parts of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    /// Which, from 0.
    index: u64,
    /// Of how many.
    of: u64,
}

impl Shard {
    /// Is this item, counted from 0, in this part?
    pub(crate) fn holds(self, item: u64) -> bool {
        item % self.of == self.index
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(words: &str) -> Result<Shard, String> {
        let parts = words
            .split_once('/')
            .and_then(|(k, n)| Some((k.parse::<u64>().ok()?, n.parse::<u64>().ok()?)));
        match parts {
            Some((k, n)) if (1..=n).contains(&k) => Ok(Shard {
                index: k - 1,
                of: n,
            }),
            _ => Err("not K/N with K from 1 to N; for example 1/4".to_owned()),
        }
    }
}

/// Why a command ended before it had a report: exit 2.
#[derive(Debug)]
pub(crate) struct Stop {
    /// The file to blame.
    pub(crate) file: Option<PathBuf>,
    /// Its line, from 1.
    pub(crate) line: Option<usize>,
    /// Cause and remedy.
    pub(crate) reason: String,
    /// What is printed for people, where that is more than place and reason.
    pub(crate) prose: Option<String>,
}

impl Stop {
    /// The call is wrong.
    pub(crate) fn call(reason: String) -> Stop {
        Stop {
            file: None,
            line: None,
            reason,
            prose: None,
        }
    }
}

impl From<corpus::Fault> for Stop {
    fn from(fault: corpus::Fault) -> Stop {
        Stop {
            file: Some(fault.file),
            line: fault.line,
            reason: fault.reason,
            prose: None,
        }
    }
}

/// What clap would not take: a wrong call, or a question for help.
pub(crate) fn refused(error: &clap::Error, json: bool) -> Result<i32, Stop> {
    // It repeats words of the call.
    let prose = crate::show::visible(&error.render().to_string());
    if error.kind() == ErrorKind::DisplayHelp {
        return crate::screen::helped(&prose, json);
    }
    // Cause and tips stand before the usage, in paragraphs.
    let body = prose.strip_prefix("error: ").unwrap_or(&prose);
    let paragraphs = body
        .split("\n\n")
        .take_while(|paragraph| !paragraph.starts_with("Usage:"));
    let words = |paragraph: &str| paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let reason = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            "no command; see cargo xtask --help".to_owned()
        }
        _ => paragraphs.map(words).collect::<Vec<_>>().join("; "),
    };
    Err(Stop {
        file: None,
        line: None,
        reason,
        prose: Some(prose),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_hold_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn shards_are_a_partition() {
        for n in 1..=5 {
            let shards: Vec<Shard> = (1..=n)
                .map(|k| format!("{k}/{n}").parse().expect("K from 1 to N"))
                .collect();
            for item in 0..50 {
                assert_eq!(
                    shards.iter().filter(|shard| shard.holds(item)).count(),
                    1,
                    "item {item} of {n} shards"
                );
            }
        }
        for wrong in ["", "1", "0/4", "5/4", "1/0", "-1/4", "a/b", "1/4/2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
