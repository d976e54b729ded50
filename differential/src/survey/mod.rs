//! How much does the reference understand of the shell scripts and sed calls below a folder?
//!
//! [`find`] says which files are scripts, [`Survey`] what became of them. Bash and `sed --sandbox` are asked in the box; of
//! the scripts themselves nothing is run. What shares are good enough is left to the caller.

mod ask;
mod find;

pub use find::{Script, find};

use crate::sandbox::Pool;
use crate::sed::oracle::{StaticAnswer, environment, sandbox_says};
use crate::sed::{Fixture, oracle};
use reference::sed::{Answer, Invocation, Sandbox, answer};
use reference::shell::{Kind, Tree, parse};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// A place in a script.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The script.
    pub file: PathBuf,
    /// Line, from 1.
    pub line: usize,
}

/// A call of sed all of whose words are constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SedCall {
    /// Its words, `sed` first.
    pub argv: Vec<Vec<u8>>,
    /// Where it stands for the first time.
    pub place: Place,
    /// Why nothing is known of it.
    pub worst: Option<String>,
    /// What the reference says that `sed --sandbox` says, where that is not what it says.
    pub contradicts: Option<String>,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Scripts that `bash -n` accepts.
    pub accepted: usize,
    /// Scripts that it refuses: other shells, templates.
    pub refused: Vec<PathBuf>,
    /// Of the accepted ones, those that are not understood: where first, and why.
    pub not_understood: Vec<(Place, String)>,
    /// Words `sed` in the place of a verb.
    pub sed_calls: usize,
    /// Those of them all of whose words are constant, each once, by words.
    pub constant: Vec<SedCall>,
    /// Calls of which `sed --sandbox` said nothing in its time.
    pub undecided: Vec<(Place, String)>,
    /// It was stopped before its end.
    pub interrupted: bool,
}

impl Survey {
    /// Scripts that bash accepts and that are understood.
    pub fn understood(&self) -> usize {
        self.accepted - self.not_understood.len()
    }

    /// Constant calls of sed of which something is known.
    pub fn understood_calls(&self) -> usize {
        self.constant
            .iter()
            .filter(|call| call.worst.is_none())
            .count()
    }

    /// Constant calls of sed of which `sed --sandbox` says something else than the reference expects.
    pub fn contradictions(&self) -> impl Iterator<Item = &SedCall> {
        self.constant
            .iter()
            .filter(|call| call.contradicts.is_some())
    }
}

/// Reads scripts; `progress` is called once for each.
///
/// # Errors
///
/// What the box could not do.
pub fn survey(
    pool: &Pool,
    scripts: &[Script],
    progress: &(dyn Fn() + Sync),
    stop: &AtomicBool,
) -> Result<Survey, String> {
    let mut survey = Survey::default();
    let mut calls: BTreeMap<Vec<Vec<u8>>, Place> = BTreeMap::new();
    for some in scripts.chunks(ask::AT_ONCE) {
        if stop.load(Ordering::Relaxed) {
            survey.interrupted = true;
            return Ok(survey);
        }
        for (script, accepts) in some.iter().zip(ask::accepts(pool, some)?) {
            progress();
            if !accepts {
                survey.refused.push(script.path.clone());
                continue;
            }
            survey.accepted += 1;
            let tree = parse(&script.text);
            if let Some(&(node, why)) = tree.troubles().first() {
                let place = script.place(tree.span(node).start);
                survey.not_understood.push((place, why.to_string()));
            }
            for (at, argv) in sed_calls(&tree) {
                survey.sed_calls += 1;
                if let Some(argv) = argv {
                    calls.entry(argv).or_insert_with(|| script.place(at));
                }
            }
        }
    }
    for (argv, place) in calls {
        if stop.load(Ordering::Relaxed) {
            survey.interrupted = true;
            break;
        }
        match judged(pool, argv, &place) {
            Ok(call) => survey.constant.push(call),
            Err(why) => survey.undecided.push((place, why.to_string())),
        }
    }
    Ok(survey)
}

/// Where `sed` is a verb, and the words of the call if all of them are constant.
fn sed_calls(tree: &Tree) -> Vec<(usize, Option<Vec<Vec<u8>>>)> {
    let simple = tree.all().filter(|&id| tree.kind(id) == Kind::Simple);
    let calls = simple.filter_map(|id| {
        let words = tree
            .children(id)
            .filter(|&child| tree.kind(child) == Kind::Word);
        let mut words = words.map(|word| tree.literal(word));
        let verb = words.next()??;
        let at = tree.span(id).start;
        (verb == b"sed").then(|| (at, [Some(verb)].into_iter().chain(words).collect()))
    });
    calls.collect()
}

/// Puts a call to the reference and to `sed --sandbox`, among no files.
fn judged(pool: &Pool, argv: Vec<Vec<u8>>, place: &Place) -> Result<SedCall, oracle::Undecided> {
    let fixture = Fixture::default();
    let env = environment([]);
    let answer: Answer = answer(&Invocation {
        argv: &argv,
        env: &env,
        world: &fixture,
    });
    let accepts = sandbox_says(pool, &argv, &env, &fixture)? != StaticAnswer::Refuses;
    let expected = answer.sandbox != Sandbox::Refuses;
    let word = if expected { "accepted" } else { "refused" };
    Ok(SedCall {
        argv,
        place: place.clone(),
        worst: answer.worst.map(str::to_owned),
        contradicts: (accepts != expected).then(|| word.to_owned()),
    })
}
