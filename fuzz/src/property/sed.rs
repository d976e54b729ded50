//! What must hold for every sed invocation?
//!
//! Claims kept here: SED-01 to SED-17 of `docs/spec/sed.md` section 9.

use super::Failure;
use crate::generate::{SedInvocation, show};
use differential::report::Verdict;
use differential::sandbox::Pool;
use differential::sed::Fixture;
use differential::sed::judge::{self, Recognizer, Truth};
use differential::sed::oracle::{self, StaticAnswer, Undecided};
use reference::sed::{Answer, Effect, Invocation, Kind, Nothing, Sandbox, World};
use std::borrow::Cow;

/// What one run showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// sed wrote something.
    pub wrote: bool,
    /// sed ran a command.
    pub executed: bool,
    /// The answer was exact in what it writes and runs: no false alarm for this input.
    pub exact: bool,
}

fn fixture(made: &SedInvocation) -> Fixture {
    Fixture::new(
        made.dirs.clone(),
        made.files.clone(),
        made.links.clone(),
        made.stdin.clone(),
    )
}

/// The fixture with every input empty, so that nothing happens after compiling.
fn without_input(made: &SedInvocation) -> Fixture {
    let kept = |path: &Vec<u8>| made.scripts.contains(path);
    let files = made.files.iter().map(|(path, text)| {
        (
            path.clone(),
            if kept(path) { text.clone() } else { Vec::new() },
        )
    });
    let stdin = if made.scripts.contains(b"-".as_slice()) {
        made.stdin.clone()
    } else {
        Vec::new()
    };
    Fixture::new(
        made.dirs.clone(),
        files.collect(),
        made.links.clone(),
        stdin,
    )
}

fn environment(made: &SedInvocation) -> Vec<(Vec<u8>, Vec<u8>)> {
    oracle::environment(
        made.env
            .iter()
            .map(|(name, value)| (name.as_slice(), value.as_slice())),
    )
}

fn ask(recognizer: Recognizer, made: &SedInvocation, world: &dyn World) -> Answer {
    recognizer(&Invocation {
        argv: &made.argv,
        env: &environment(made),
        world,
    })
}

fn undecided(reason: Undecided) -> Failure {
    Failure::Undecided(reason.to_string())
}

/// The static oracle says what the recognizer says it would: `true` if it accepts.
pub fn agrees_with_the_static_oracle(
    pool: &Pool,
    recognizer: Recognizer,
    made: &SedInvocation,
) -> Result<bool, Failure> {
    let fixture = without_input(made);
    let answer = ask(recognizer, made, &fixture);
    let said =
        oracle::sandbox_says(pool, &made.argv, &environment(made), &fixture).map_err(undecided)?;
    let accepts = said != StaticAnswer::Refuses;
    if accepts != (answer.sandbox != Sandbox::Refuses) {
        let word = |accepts: bool| if accepts { "accepts" } else { "refuses" };
        return Err(Failure::Refuted(format!(
            "`sed --sandbox` {} it, the recognizer says it {} it\n{}",
            word(accepts),
            word(!accepts),
            show(made)
        )));
    }
    Ok(accepts)
}

/// Nothing happens that the answer does not name.
pub fn names_what_happens(
    pool: &Pool,
    recognizer: Recognizer,
    made: &SedInvocation,
) -> Result<Seen, Failure> {
    let fixture = fixture(made);
    let answer = ask(recognizer, made, &fixture);
    let run = oracle::measure(pool, &made.argv, &environment(made), &fixture).map_err(undecided)?;
    let truth = Truth {
        effect: run.effect,
        reads: run.reads,
        writes: run.writes,
        executes: run.executes,
        may_write: false,
        may_execute: false,
        sandbox_accepts: answer.sandbox == Sandbox::Accepts,
    };
    let (verdict, why) = judge::compare(&answer, &truth, false);
    if verdict == Verdict::Miss {
        let (said, seen) = (judge::answer_json(&answer), truth.to_json());
        return Err(Failure::Refuted(format!(
            "{why}\n{}\nsaid      {said}\nhappened  {seen}",
            show(made)
        )));
    }
    Ok(Seen {
        wrote: !truth.writes.is_empty(),
        executed: truth.executes,
        exact: verdict == Verdict::Agree,
    })
}

/// A file system of which only the content of scripts is known.
struct ScriptsOnly<'a>(&'a Fixture);

impl World for ScriptsOnly<'_> {
    fn script(&self, path: &[u8]) -> Option<Cow<'_, [u8]>> {
        self.0.script(path)
    }
    fn kind(&self, _: &[u8]) -> Kind {
        Kind::Unknown
    }
}

/// The recognizer answers, the same each time and consistent in itself, and knowing less of the files never makes it
/// say less. Returns whether the answer is harmless.
pub fn knowing_less_never_says_less(
    recognizer: Recognizer,
    made: &SedInvocation,
) -> Result<bool, Failure> {
    let fixture = fixture(made);
    let known = ask(recognizer, made, &fixture);
    let refuted = |what: &str, other: &Answer| {
        Err(Failure::Refuted(format!(
            "{what}\n{}\nsaid  {known:?}\nthen  {other:?}",
            show(made)
        )))
    };
    if known != ask(recognizer, made, &fixture) {
        return refuted("it answers differently the second time", &known);
    }
    let strongest = match (known.executes, known.may_write()) {
        (true, _) => known.effect == Effect::Executes,
        (false, true) => known.effect == Effect::Writes,
        (false, false) => known.effect <= Effect::Error,
    };
    if !strongest {
        return refuted("its effect is not the strongest of what it names", &known);
    }
    let worlds: [&dyn World; 2] = [&ScriptsOnly(&fixture), &Nothing];
    for world in worlds {
        let less = ask(recognizer, made, world);
        let covers = less.worst.is_some()
            || (less.reads.is_superset(&known.reads)
                && less.writes.is_superset(&known.writes)
                && less.executes >= known.executes
                && known.worst.is_none());
        if !covers {
            return refuted("with less known of the files it says less", &less);
        }
    }
    Ok(!known.executes && !known.may_write())
}

/// All of them, for the invocation that these bytes decode to.
pub fn all(pool: &Pool, recognizer: Recognizer, bytes: &[u8]) -> Result<(), Failure> {
    let made = crate::generate::sed(bytes);
    knowing_less_never_says_less(recognizer, &made)?;
    agrees_with_the_static_oracle(pool, recognizer, &made)?;
    names_what_happens(pool, recognizer, &made)?;
    Ok(())
}
