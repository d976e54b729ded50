//! Does the box hold? Every escape attempt, in both forms of the box, as whoever runs this and, from root, as an ordinary
//! user too.

use super::incomplete;
use crate::verify::{Context, Outcome};
use differential::conclude::Cause;
use differential::escape::{self, Way, attempts};
use differential::sandbox::Unavailable;
use std::sync::atomic::Ordering;

/// What came of one way to start the box.
#[derive(Default)]
struct Tried {
    held: usize,
    /// What got out, or where a program is missing: said of each attempt.
    got_out: Vec<String>,
    not_tried: Vec<String>,
}

/// The ways go side by side, however many threads there are: most of their time is that of attempts which wait for their
/// deadline.
pub(super) fn attacks(context: &Context<'_>) -> Outcome {
    let (ways, attempts) = (escape::ways(), attempts());
    let bar = context.screen.bar("box", attempts.len() * ways.len());
    let done = &|| bar.inc(1);
    let tried: Result<Vec<Option<Tried>>, Unavailable> = std::thread::scope(|scope| {
        let begin = |way| scope.spawn(move || one_way(way, context, done));
        let running: Vec<_> = ways.iter().map(begin).collect();
        let ended = running.into_iter().map(|way| way.join());
        ended
            .map(|tried| tried.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    bar.finish_and_clear();
    let tried = match tried {
        Ok(tried) => tried,
        Err(unavailable) => return incomplete(&unavailable.to_string()),
    };
    let mut outcome = Outcome::default();
    let mut figures = Vec::new();
    for (way, tried) in ways.iter().zip(&tried) {
        let Some(tried) = tried else {
            figures.push(format!("{}: cannot be built here", way.name));
            continue;
        };
        let held = (tried.held, attempts.len());
        figures.push(format!("{}: {} of {} held", way.name, held.0, held.1));
        let off = tried.got_out.iter().map(|what| Cause::Off(what.clone()));
        outcome.causes.extend(off);
    }
    // One way is enough to say that a program is missing.
    if let Some(tried) = tried.iter().flatten().next() {
        let missing = tried.not_tried.iter().cloned().map(Cause::Incomplete);
        outcome.causes.extend(missing);
    }
    outcome.figures = figures.join("; ");
    outcome
}

fn one_way(
    way: &Way,
    context: &Context<'_>,
    done: &(dyn Fn() + Sync),
) -> Result<Option<Tried>, Unavailable> {
    let Some(pool) = way.start()? else {
        return Ok(None);
    };
    let mut tried = Tried::default();
    for attempt in attempts() {
        if context.stop.load(Ordering::Relaxed) {
            break;
        }
        let seen = escape::run(&pool, attempt);
        done();
        let what = format!(
            "{} ({}, {}): {}",
            attempt.id, way.name, attempt.tries, seen.detail
        );
        match seen {
            escape::Outcome { held: true, .. } => tried.held += 1,
            escape::Outcome { tried: true, .. } => tried.got_out.push(what),
            _ => tried.not_tried.push(what),
        }
    }
    Ok(Some(tried))
}
