//! How often does the literal scanner differ from bash? A figure, not a judgement (`docs/spec/regions.md` section 5).

use corpus::{Body, Case, FragmentTruth};
use reference::regions::literal;
use std::collections::BTreeMap;

/// How the literal answer fares against the stored truth, in fragments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// All of them.
    pub fragments: usize,
    /// Called inert, and bash runs it, or would if control flow reached it.
    pub runs_called_inert: usize,
    /// Called live, and bash takes it for text.
    pub text_called_live: usize,
}

/// The figures of the `regions` cases among these, by kind. Quirks count too.
pub fn differs_from_truth<'c>(
    cases: impl IntoIterator<Item = &'c Case>,
) -> BTreeMap<&'c str, Difference> {
    let mut by_kind: BTreeMap<&str, Difference> = BTreeMap::new();
    for case in cases {
        let Body::Regions(case) = &case.body else {
            continue;
        };
        let regions = literal::regions(&case.command.0);
        let figure = by_kind.entry(&case.kind).or_default();
        for fragment in &case.fragments {
            figure.fragments += 1;
            match (fragment.truth, literal::is_live(&regions, fragment.start)) {
                (FragmentTruth::Runs | FragmentTruth::Unreached, false) => {
                    figure.runs_called_inert += 1;
                }
                (FragmentTruth::Text, true) => figure.text_called_live += 1,
                _ => {}
            }
        }
    }
    by_kind
}

#[cfg(test)]
mod tests {
    use super::*;
    use FragmentTruth::{Runs, SyntaxError, Text, Unreached};
    use corpus::{Fragment, ParityCase, Place, RegionsCase};

    /// A case whose fragments are single bytes of `echo 'x' y`: 6 is inert, 9 is live.
    fn case(kind: &str, fragments: &[(usize, FragmentTruth)]) -> Case {
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
        placed(Body::Regions(Box::new(body)))
    }

    fn placed(body: Body) -> Case {
        let place = Place {
            file: "a.jsonl".into(),
            line: 1,
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
                "a",
                &[(6, Runs), (6, Unreached), (6, Text), (6, SyntaxError)],
            ),
            case(
                "b",
                &[(9, Runs), (9, Unreached), (9, Text), (9, SyntaxError)],
            ),
            case("a", &[(9, Text)]),
            placed(Body::Parity(Box::new(parity))),
        ];
        let figure = |fragments, runs_called_inert, text_called_live| Difference {
            fragments,
            runs_called_inert,
            text_called_live,
        };
        let expected = BTreeMap::from([("a", figure(5, 2, 1)), ("b", figure(4, 0, 1))]);
        assert_eq!(differs_from_truth(&cases), expected);
    }
}
