//! What does `xargs` start, and where does its input go?

use crate::programs::entry::{Effect, Entry};
use crate::programs::read::{Kind, Reading, read};
use crate::programs::resolve::{Feed, Stretch, Work};
use crate::programs::{Input, Usage, Why};
use crate::shell::Rest;

/// Bytes of the longest string to replace that is followed.
const LONGEST_HOLE: usize = 64;

pub(super) fn command(work: &mut Work, stretch: &Stretch, entry: &Entry) {
    let (uses, effects, command) = match read(entry, work.after_verb(stretch)) {
        Reading::Exact {
            uses,
            effects,
            command,
        } => (uses, effects, command),
        Reading::Loose(_) | Reading::Unknown => return work.unknown(stretch, Why::UnknownOption),
    };
    let first = stretch.words.start + 1;
    let mut fill: Option<Vec<u8>> = effects
        .contains(&Effect::Mark("braces"))
        .then(|| b"{}".to_vec());
    let mut from_file = false;
    for (number, one) in uses.iter().enumerate() {
        let at = first + number;
        match one.kind {
            Kind::Value(Some("fill" | "braces")) if at < stretch.words.end => {
                let word = &work.words[at];
                let length = word.prefix.len().saturating_sub(one.start);
                if !word.is_known() || !(1..=LONGEST_HOLE).contains(&length) {
                    return work.unknown(stretch, Why::UnknownOption);
                }
                fill = Some(word.prefix[one.start..].to_vec());
            }
            Kind::Value(Some("file")) if at < stretch.words.end => {
                from_file = true;
                work.sources.push(at);
            }
            _ => {}
        }
    }
    let end = stretch.words.end;
    let Some(command) = command.filter(|number| first + number < end || stretch.more) else {
        work.exact(stretch, entry, &uses, &effects, None);
        return work.merge(
            stretch,
            &Usage {
                input: Input::Data,
                prints: true,
                ..Usage::nothing(0)
            },
        );
    };
    work.exact(stretch, entry, &uses, &effects, None);
    if let Some(fill) = &fill {
        for at in first + command..end {
            work.fill(at, fill, b"", Rest::One);
        }
    }
    let feed = match stretch.feed {
        // The command itself gets an empty input, or that of the whole.
        Feed::Passed if !from_file => Feed::IntoWords,
        other => other,
    };
    work.pending.push(Stretch {
        words: first + command..end,
        more: stretch.more || fill.is_none(),
        by_shell: false,
        feed,
        depth: stretch.depth + 1,
    });
}
