//! How often does a scanner differ from bash? The figures as a table.

use crate::show::visible;
use differential::regions::Difference;
use std::collections::BTreeMap;
use std::fmt::Write;

/// One line a kind, and one for all; `form` is the scanner's.
pub(super) fn table(page: &mut String, form: &str, kinds: &BTreeMap<String, Difference>) {
    let title = format!("{form} scanner against bash");
    let names = kinds.keys().map(|kind| visible(kind).chars().count());
    let width = names.max().unwrap_or(0).max(title.len());
    let _ = writeln!(
        page,
        "\n  {title:width$}  {:>9}  {:>17}  {:>16}  {:>22}",
        "fragments", "runs called inert", "text called live", "unreached called inert"
    );
    let all = Difference::total(kinds.values());
    let rows = kinds.iter().map(|(kind, figure)| (kind.as_str(), figure));
    for (kind, figure) in rows.chain([("all", &all)]) {
        let of = |count: usize, of: usize| format!("{count} of {of}");
        let _ = writeln!(
            page,
            "  {:width$}  {:>9}  {:>17}  {:>16}  {:>22}",
            visible(kind),
            figure.fragments,
            of(figure.runs_called_inert, figure.runs),
            of(figure.text_called_live, figure.text),
            of(figure.unreached_called_inert, figure.unreached),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_line_and_all_are_added() {
        let plain = Difference {
            fragments: 5,
            runs: 2,
            text: 3,
            runs_called_inert: 1,
            ..Difference::default()
        };
        let skipped = Difference {
            fragments: 1,
            unreached: 1,
            unreached_called_inert: 1,
            ..Difference::default()
        };
        let kinds = [("plain", plain), ("a\x1bb", skipped)];
        let kinds = kinds.map(|(kind, figure)| (kind.to_owned(), figure)).into();
        let mut page = String::new();
        table(&mut page, "literal", &kinds);
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let lines: Vec<String> = page.lines().skip(2).map(words).collect();
        assert_eq!(
            lines,
            [
                "a␛b 1 0 of 0 0 of 0 1 of 1",
                "plain 5 1 of 2 0 of 3 0 of 0",
                "all 6 1 of 2 0 of 3 1 of 1"
            ]
        );
    }
}
