//! Do the specifications and the registry say the same claims?
//!
//! A specification writes a claim as a line `- **ID** [kind] sentence — …`, or, in `regions.md`, as a row of a table
//! `| ID | kind | sentence | lines | measured | example |` whose column *measured* says what is expected of the literal form.

use super::{Claim, Expected, registry};

/// The specifications whose claims are checked so far, with their text.
const SPECIFICATIONS: [(&str, &str); 2] = [
    ("regions.md", include_str!("../../../docs/spec/regions.md")),
    ("sed.md", include_str!("../../../docs/spec/sed.md")),
];

/// A claim as a specification has it.
#[derive(Debug, PartialEq, Eq)]
struct Written<'t> {
    id: &'t str,
    kind: &'t str,
    sentence: &'t str,
    /// What the column *measured* says of the literal form, where there is one.
    literal: Option<Expected>,
}

/// What differs between the specifications and the registry: a claim without a check, a check for no claim, another
/// sentence, kind or expectation. Empty: they agree.
pub fn unregistered() -> Vec<String> {
    differences(&SPECIFICATIONS, &registry())
}

fn differences(specifications: &[(&str, &str)], registered: &[Claim]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut written = Vec::new();
    for (file, text) in specifications {
        for (number, line) in text.lines().enumerate() {
            let Some(claim) = read(line) else { continue };
            let place = format!("docs/spec/{file}:{}: claim {}", number + 1, claim.id);
            let known = registered.iter().find(|known| known.id == claim.id);
            faults.extend(difference(&claim, known, file).map(|fault| format!("{place} {fault}")));
            if written.contains(&claim.id) {
                faults.push(format!(
                    "{place} stands twice; give this one its own number"
                ));
            }
            written.push(claim.id);
        }
    }
    let unwritten = registered
        .iter()
        .filter(|claim| !written.contains(&claim.id));
    faults.extend(unwritten.map(|claim| {
        format!(
            "docs/spec/{}: claim {} is checked and stands nowhere; write it down",
            claim.source, claim.id
        )
    }));
    faults
}

fn read(line: &str) -> Option<Written<'_>> {
    if let Some(row) = line.strip_prefix("| ") {
        // A stroke that is part of a cell is escaped.
        let mut cells = row.split(" | ");
        let id = cells.next().filter(|id| is_id(id))?;
        let (kind, sentence, _lines) = (cells.next()?, cells.next()?, cells.next()?);
        let literal = match cells.next()? {
            measured if measured.contains("REFUTES") => Some(Expected::Refuted),
            _ => Some(Expected::Holds),
        };
        return Some(Written {
            id,
            kind,
            sentence,
            literal,
        });
    }
    let (id, rest) = line.strip_prefix("- **")?.split_once("** [")?;
    let (kind, sentence) = rest.split_once("] ").unwrap_or(("", rest));
    Some(Written {
        id,
        kind,
        sentence: sentence.split(" — ").next().unwrap_or_default(),
        literal: None,
    })
}

/// `R-01`, not the head of a table.
fn is_id(cell: &str) -> bool {
    let number = cell.strip_prefix("R-");
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn difference(claim: &Written<'_>, known: Option<&Claim>, file: &str) -> Option<String> {
    let Some(known) = known else {
        return Some("has no check; register it in fuzz/src/claims".to_owned());
    };
    if known.sentence != claim.sentence {
        let sentence = known.sentence;
        return Some(format!("is registered with another sentence: {sentence}"));
    }
    if known.kind.word() != claim.kind {
        return Some(format!("is registered as [{}]", known.kind.word()));
    }
    if known.literal != claim.literal {
        let word = known.literal.map_or("not asked", Expected::word);
        return Some(format!("is registered with another expectation: {word}"));
    }
    (known.source != file).then(|| format!("is registered for {}", known.source))
}

#[cfg(test)]
mod tests {
    use super::{SPECIFICATIONS, differences, read};
    use crate::claims::registry;

    /// What is said when `from` stands as `to` in the specification of regions.
    fn said(from: &str, to: &str) -> Vec<String> {
        let [(file, text), sed] = SPECIFICATIONS;
        assert!(text.contains(from), "{from}");
        differences(&[(file, &text.replacen(from, to, 1)), sed], &registry())
    }

    #[test]
    fn every_kind_of_difference_is_said() {
        for (from, to, fault) in [
            ("| R-02 |", "| R-99 |", "claim R-99 has no check"),
            (
                "| R-02 |",
                "| R-99 |",
                "claim R-02 is checked and stands nowhere",
            ),
            ("| R-02 |", "| R-01 |", "claim R-01 stands twice"),
            (
                "A `#` is treated",
                "A # is treated",
                "registered with another sentence",
            ),
            (
                "| R-02 | differential",
                "| R-02 | property",
                "registered as [differential]",
            ),
            (
                "| REFUTES | `echo \\ #",
                "| REPRODUCES | `echo \\ #",
                "another expectation: refuted",
            ),
        ] {
            let said = said(from, to);
            assert!(
                said.iter().any(|one| one.contains(fault)),
                "{fault}: {said:?}"
            );
        }
    }

    #[test]
    fn other_lines_are_no_claims() {
        for line in [
            "| id | kind | claim | lines |",
            "|---|---|",
            "| plain | 89 | 92 |",
            "- **",
            "text",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
