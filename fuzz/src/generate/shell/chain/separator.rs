//! How are two commands of a flow parted?
//!
//! A form says `; ` or ` | `; outside of quotes it is written in one of the ways that mean the same.

use super::super::construct::ShellConstruct::{self, *};
use super::super::draft::Draft;
use std::ops::Range;

const SEPARATORS: [(u16, Option<(ShellConstruct, &str)>); 8] = [
    (150, None),
    (26, Some((FlowNewline, "\n"))),
    (8, Some((FlowTight, ";"))),
    (6, Some((FlowTight, "  ;\t"))),
    (8, Some((FlowContinued, "; \\%/"))),
    (8, Some((FlowComment, " # it's\n"))),
    (6, Some((FlowComment, "\n# \"$(\n"))),
    (5, Some((FlowBetween, "; %n; "))),
];

const PIPES: [(u16, Option<(ShellConstruct, &str)>); 6] = [
    (150, None),
    (12, Some((FlowTight, "|"))),
    (10, Some((FlowNewline, " |\n"))),
    (8, Some((FlowContinued, " \\%/| "))),
    (6, Some((FlowComment, " | # it's\n"))),
    (4, Some((FlowTight, " |& "))),
];

impl Draft<'_> {
    /// Text of a form; with its quotes so far, the separators outside of them may change.
    pub(in super::super) fn literal(&mut self, text: &str, quotes: Option<&mut Quotes>) {
        let mut rest = text;
        if let Some(quotes) = quotes {
            while let Some(separator) = quotes.separator(rest) {
                self.put(&rest[..separator.start]);
                let behind = &rest[separator.end..];
                self.loose(&rest[separator.clone()], behind);
                rest = behind;
            }
        }
        self.put(rest);
    }

    /// What parts two commands, the second of which begins so.
    fn loose(&mut self, separator: &str, behind: &str) {
        let odd = match separator {
            "; " if self.is_at_line_end() => return self.newline(),
            "; " => self.bytes.weighted(&SEPARATORS),
            _ => self.bytes.weighted(&PIPES),
        };
        // A condition may not become another, nor a function call itself.
        let is_one = ["do", "}"].iter().any(|word| behind.starts_with(word));
        match odd.filter(|(construct, _)| *construct != FlowBetween || !is_one) {
            None => self.put(separator),
            Some((construct, text)) => {
                self.bytes.mark(construct);
                self.form(text);
            }
        }
    }
}

/// Which quotes are open in a form.
#[derive(Default)]
pub(in super::super) struct Quotes(Option<u8>);

impl Quotes {
    /// The first `; ` or ` | ` of a text that stands in no quotes, that of `;; ` not meant.
    fn separator(&mut self, text: &str) -> Option<Range<usize>> {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            match (bytes[at], self.0) {
                (b'\\', None | Some(b'"')) => at += 1,
                (quote @ (b'\'' | b'"'), None) => self.0 = Some(quote),
                (quote, Some(open)) if quote == open => self.0 = None,
                (b';', None) if bytes[at..].starts_with(b"; ") && !bytes[..at].ends_with(b";") => {
                    return Some(at..at + 2);
                }
                (b' ', None) if bytes[at..].starts_with(b" | ") => return Some(at..at + 3),
                _ => {}
            }
            at += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Quotes;

    #[test]
    fn separators_stand_outside_of_quotes() {
        let first = |text| Quotes::default().separator(text);
        assert_eq!(first("a; b | c"), Some(1..3));
        assert_eq!(first("a | b; c"), Some(1..4));
        assert_eq!(first("case a in b) ;; esac"), None);
        assert_eq!(first("'a; b' \"c | d\" '"), None);
        assert_eq!(first("\\\"; a"), Some(2..4));
    }

    #[test]
    fn quotes_stay_open_over_holes() {
        let mut quotes = Quotes::default();
        assert_eq!(quotes.separator("echo \"a; "), None);
        assert_eq!(quotes.separator("; b\"; c"), Some(4..6));
    }
}
