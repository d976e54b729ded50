//! How often does a scanner differ from bash? A figure, not a judgement (`docs/spec/regions.md` section 5).

use super::Scanner;
use crate::report::Judgement;
use corpus::{Body, Case, FragmentTruth};
use reference::regions::literal::is_live;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// How a scanner's answer fares against bash, in fragments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// All of them.
    pub fragments: usize,
    /// Bash runs it.
    pub runs: usize,
    /// Bash takes it for text.
    pub text: usize,
    /// Bash would run it if control flow reached it.
    pub unreached: usize,
    /// Of those that run, called inert.
    pub runs_called_inert: usize,
    /// Of those that are text, called live.
    pub text_called_live: usize,
    /// Of those that are not reached, called inert.
    pub unreached_called_inert: usize,
}

impl Difference {
    /// All kinds together.
    pub fn total<'d>(kinds: impl IntoIterator<Item = &'d Difference>) -> Difference {
        kinds
            .into_iter()
            .fold(Difference::default(), |sum, one| Difference {
                fragments: sum.fragments + one.fragments,
                runs: sum.runs + one.runs,
                text: sum.text + one.text,
                unreached: sum.unreached + one.unreached,
                runs_called_inert: sum.runs_called_inert + one.runs_called_inert,
                text_called_live: sum.text_called_live + one.text_called_live,
                unreached_called_inert: sum.unreached_called_inert + one.unreached_called_inert,
            })
    }

    fn count(&mut self, truth: FragmentTruth, live: bool) {
        self.fragments += 1;
        match truth {
            FragmentTruth::Runs => {
                self.runs += 1;
                self.runs_called_inert += usize::from(!live);
            }
            FragmentTruth::Text => {
                self.text += 1;
                self.text_called_live += usize::from(live);
            }
            FragmentTruth::Unreached => {
                self.unreached += 1;
                self.unreached_called_inert += usize::from(!live);
            }
            FragmentTruth::SyntaxError => {}
        }
    }
}

/// A scanner's figures for the judged fragments of the `regions` cases among these, by kind: against the measured truth, or, where
/// nothing was measured, the stored one. Quirks count too.
pub fn differs_from_truth(
    scanner: Scanner,
    cases: &[&Case],
    judgements: &[Judgement],
) -> BTreeMap<String, Difference> {
    let mut of_lines: HashMap<(&Path, usize), Vec<FragmentTruth>> = HashMap::new();
    for one in judgements {
        let place = (one.file.as_path(), one.line);
        of_lines.entry(place).or_default().extend(one.truth);
    }
    let mut by_kind: BTreeMap<String, Difference> = BTreeMap::new();
    for case in cases {
        let place = (case.place.file.as_path(), case.place.line);
        let (Body::Regions(body), Some(truths)) = (&case.body, of_lines.get(&place)) else {
            continue;
        };
        let regions = scanner(&body.command.0);
        let figure = by_kind.entry(body.kind.clone()).or_default();
        for (fragment, truth) in body.fragments.iter().zip(truths) {
            figure.count(*truth, is_live(&regions, fragment.start));
        }
    }
    by_kind
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regions::fragments;
    use FragmentTruth::{Runs, SyntaxError, Text, Unreached};
    use corpus::{Fragment, ParityCase, Place, RegionsCase};
    use reference::regions::literal;

    /// A case whose fragments are single bytes of `echo 'x' y`: 6 is inert, 9 is live.
    fn case(line: usize, kind: &str, fragments: &[(usize, FragmentTruth)]) -> Case {
        let command = corpus::Text(b"echo 'x' y".to_vec());
        let fragments = fragments.iter().map(|&(start, truth)| Fragment {
            start,
            end: start + 1,
            text: corpus::Text(command.0[start..=start].to_vec()),
            truth,
        });
        let body = RegionsCase {
            fragments: fragments.collect(),
            command,
            seed_says: None,
            kind: kind.to_owned(),
            reach: None,
            tags: Vec::new(),
            why: String::new(),
        };
        placed(line, Body::Regions(Box::new(body)))
    }

    fn placed(line: usize, body: Body) -> Case {
        let place = Place {
            file: "a.jsonl".into(),
            line,
        };
        Case {
            place,
            name: String::new(),
            body,
        }
    }

    #[test]
    fn both_ways_are_counted_apart_and_by_kind() {
        let parity = ParityCase {
            command: corpus::Text(Vec::new()),
            regions: Vec::new(),
            tag: None,
        };
        let cases = [
            case(
                1,
                "a",
                &[(6, Runs), (6, Unreached), (6, Text), (6, SyntaxError)],
            ),
            case(
                2,
                "b",
                &[(9, Runs), (9, Unreached), (9, Text), (9, SyntaxError)],
            ),
            case(3, "a", &[(9, Text)]),
            case(4, "c", &[(9, Text)]),
            placed(5, Body::Parity(Box::new(parity))),
        ];
        let cases: Vec<&Case> = cases.iter().collect();
        let mut judged: Vec<Judgement> = cases[..3]
            .iter()
            .flat_map(|case| match &case.body {
                Body::Regions(body) => fragments(literal::regions, case, body),
                _ => Vec::new(),
            })
            .collect();
        judged.push(Judgement::of(cases[4]));
        let line = |runs, text, unreached, called: [usize; 3], fragments| Difference {
            fragments,
            runs,
            text,
            unreached,
            runs_called_inert: called[0],
            text_called_live: called[1],
            unreached_called_inert: called[2],
        };
        let (a, b) = (line(1, 2, 1, [1, 1, 1], 5), line(1, 1, 1, [0, 1, 0], 4));
        let figures = differs_from_truth(literal::regions, &cases, &judged);
        assert_eq!(
            figures,
            BTreeMap::from([("a".to_owned(), a), ("b".to_owned(), b)])
        );
        assert_eq!(
            Difference::total(figures.values()),
            line(2, 3, 2, [1, 2, 1], 9)
        );
        // What was measured goes before what is stored.
        judged[0].truth = Some(Text);
        let figures = differs_from_truth(literal::regions, &cases, &judged);
        assert_eq!(figures["a"], line(0, 3, 1, [0, 1, 1], 5));
    }
}
