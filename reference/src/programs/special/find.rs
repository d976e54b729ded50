//! What does the expression of `find` do? Its starting points, tests and actions, and the commands that it starts.

use crate::programs::entry::{Entry, Slot, Takes};
use crate::programs::resolve::{Feed, Stretch, Work};
use crate::programs::{Role, Usage, Why};
use crate::shell::{Rest, Value};

pub(super) fn command(work: &mut Work, stretch: &Stretch, entry: &Entry) {
    if stretch.more {
        return work.unknown(stretch, Why::UnknownOption);
    }
    match (Finder {
        work,
        stretch,
        entry,
        at: stretch.words.start + 1,
    })
    .read()
    {
        Ok(usage) => work.merge(stretch, &usage),
        Err(why) => work.unknown(stretch, why),
    }
}

struct Finder<'a> {
    work: &'a mut Work,
    stretch: &'a Stretch,
    entry: &'a Entry,
    at: usize,
}

impl Finder<'_> {
    fn read(mut self) -> Result<Usage, Why> {
        let points = self.points()?;
        let mut done = Usage {
            prints: true,
            reads: points.is_empty(),
            ..Usage::nothing(0)
        };
        let beginning = self.beginning(&points);
        let mut removes = false;
        while self.at < self.stretch.words.end {
            let word = &self.work.words[self.at];
            // More than one word could be any expression, and so could one that is not known.
            if !word.is_known() {
                return Err(Why::UnknownOption);
            }
            match &word.prefix[..] {
                b"(" | b")" | b"!" | b"," => self.at += 1,
                b"-delete" => {
                    removes = true;
                    self.at += 1;
                }
                b"-exec" | b"-ok" => self.starts(&beginning)?,
                b"-execdir" | b"-okdir" => self.starts(b"./")?,
                b"-fprintf" => {
                    self.value(Role::Writes)?;
                    self.at -= 1;
                    self.value(Role::Data)?;
                }
                [b'-', name @ ..] => {
                    let choice = self.entry.long(name).ok_or(Why::UnknownOption)?;
                    match choice.takes {
                        Takes::Value(Slot::Is(role)) => self.value(role)?,
                        _ => self.at += 1,
                    }
                }
                _ => return Err(Why::UnknownOption),
            }
        }
        for &point in &points {
            self.work.role(
                self.stretch,
                point,
                if removes {
                    Role::ReadsAndWrites
                } else {
                    Role::Reads
                },
            );
        }
        done.writes = removes && points.is_empty();
        self.work.sources.extend(points);
        Ok(done)
    }

    /// The words before the expression, without leading options.
    fn points(&mut self) -> Result<Vec<usize>, Why> {
        let mut points = Vec::new();
        while let Some(word) = self.word() {
            match (&word.prefix[..], word.rest) {
                (b"-H" | b"-L" | b"-P", Rest::Nothing) if points.is_empty() => {}
                (b"-D", Rest::Nothing) if points.is_empty() => self.at += 1,
                ([b'-', b'O', ..] | b"--", Rest::Nothing) if points.is_empty() => {}
                (b"(" | b"!" | b",", Rest::Nothing) | ([b'-', ..], _) => break,
                ([], Rest::One | Rest::Names | Rest::Words) | (_, Rest::Words) => {
                    return Err(Why::UnknownOption);
                }
                _ => points.push(self.at),
            }
            self.at += 1;
        }
        self.at = self.at.min(self.stretch.words.end);
        Ok(points)
    }

    fn word(&self) -> Option<&Value> {
        self.work.words[..self.stretch.words.end].get(self.at)
    }

    /// What the paths that it finds begin with.
    fn beginning(&self, points: &[usize]) -> Vec<u8> {
        let mut all = points.iter().map(|&at| &self.work.words[at].prefix[..]);
        let first = all.next().unwrap_or(b".");
        let common = all.fold(first.len(), |common, other| {
            let same = first
                .iter()
                .zip(other)
                .take_while(|(one, other)| one == other);
            common.min(same.count())
        });
        first[..common].to_vec()
    }

    /// A test or an action with one operand.
    fn value(&mut self, role: Role) -> Result<(), Why> {
        self.at += 1;
        if let Some(word) = self.word() {
            // The first of several is the operand; the others, if they are no part of an expression, are an error.
            let is_one = match word.rest {
                Rest::Nothing | Rest::One => true,
                Rest::Names => {
                    !matches!(word.prefix[..], [] | [b'-' | b'(' | b')' | b'!' | b',', ..])
                }
                Rest::Words => false,
            };
            if !is_one {
                return Err(Why::UnknownOption);
            }
            self.work.role(self.stretch, self.at, role);
            self.at += 1;
        }
        Ok(())
    }

    /// `-exec` and its like: a command up to `;`, or up to `+` after `{}`.
    fn starts(&mut self, beginning: &[u8]) -> Result<(), Why> {
        let first = self.at + 1;
        let mut end = first;
        let mut several = false;
        // Without an end it is an error, and nothing is started.
        while let Some(word) = self.work.words[..self.stretch.words.end].get(end) {
            let before = &self.work.words[end - 1];
            match (&word.prefix[..], word.rest) {
                (b";", Rest::Nothing) => break,
                (b"+", Rest::Nothing)
                    if before.is_known() && before.prefix == b"{}" && end > first =>
                {
                    several = true;
                    break;
                }
                // It could be `;`, and what comes after it the expression.
                (b"" | b";", Rest::One | Rest::Names) | (_, Rest::Words) => {
                    return Err(Why::UnknownOption);
                }
                _ => end += 1,
            }
        }
        let rest = if several { Rest::Names } else { Rest::One };
        for at in first..end {
            self.work.fill(at, b"{}", beginning, rest);
        }
        self.work.pending.push(Stretch {
            words: first..end,
            more: false,
            by_shell: false,
            feed: match self.stretch.feed {
                Feed::IntoWords => Feed::Nowhere,
                other => other,
            },
            depth: self.stretch.depth + 1,
        });
        self.at = (end + 1).min(self.stretch.words.end);
        Ok(())
    }
}
