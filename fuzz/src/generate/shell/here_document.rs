//! Here-documents (`docs/spec/regions.md`, B-20 to B-30): opener, delimiter, receiver, body and terminator are chosen one by
//! one.

use super::construct::ShellConstruct::{self, *};
use super::draft::{Draft, Forms};
use super::piece::in_body;

/// Construct, the word, what ends the body, and whether the body is left alone.
pub(super) type Delimiter = (ShellConstruct, &'static str, &'static str, bool);

pub(super) const DELIMITERS: [(u16, Delimiter); 21] = [
    (50, (DelimiterPlain, "E", "E", false)),
    (30, (DelimiterPlain, "'E'", "E", true)),
    (14, (DelimiterPlain, "EOF", "EOF", false)),
    (10, (DelimiterPlain, "\"EOF\"", "EOF", true)),
    (10, (DelimiterDotted, "E.", "E.", false)),
    (6, (DelimiterDotted, "E.F", "E.F", false)),
    (6, (DelimiterDotted, "'end.'", "end.", true)),
    (8, (DelimiterDashed, "E-1", "E-1", false)),
    (6, (DelimiterPunctuation, "+++", "+++", false)),
    (6, (DelimiterPunctuation, "!", "!", false)),
    (8, (DelimiterNumber, "1", "1", false)),
    (8, (DelimiterNonAscii, "É", "É", false)),
    (6, (DelimiterEmpty, "''", "", true)),
    (8, (DelimiterBlank, "'A B'", "A B", true)),
    (6, (DelimiterPartQuoted, "E'O'F", "EOF", true)),
    (6, (DelimiterPartQuoted, "E\"\"", "E", true)),
    (6, (DelimiterGlued, "\"E\"x", "Ex", true)),
    (8, (DelimiterDollar, "E$x", "E$x", false)),
    (12, (DelimiterEscaped, "\\E", "E", true)),
    (6, (DelimiterAnsiC, "$'E'", "E", true)),
    (2, (DelimiterAnsiC, "$\"E\"", "E", true)),
];

/// What stands before the opener: for what reads the body, or does not.
pub(super) const RECEIVERS: [(u16, (ShellConstruct, &[&str])); 5] = [
    (
        42,
        (
            HereDocumentRead,
            &[
                "cat",
                "wc -l",
                "sort",
                "tee out",
                "grep x",
                "cat > clean.sh",
                "cat >> notes.md",
                "git commit --allow-empty -qF -",
                "sha256sum",
                "cat -",
            ],
        ),
    ),
    (
        24,
        (
            BodyFedToShell,
            &[
                "sh",
                "bash",
                "%s",
                "env %s",
                ". /dev/stdin",
                "sudo bash",
                "timeout 5 sh",
                "exec sh",
                "S=sh; $S",
                "ssh host",
                "docker exec -i c sh",
                "nohup sh",
                "bash -s a",
            ],
        ),
    ),
    (
        8,
        (
            BodyFedNotRun,
            &["sh -n", "sh -c cat", "bash f", "sh -c 'wc -l'", "bash -c :"],
        ),
    ),
    (
        10,
        (
            BodyFedToInterpreter,
            &[
                "xargs -I{} sh -c '{}'",
                "perl -ne 'system($_)'",
                "sed '1e cat'",
                "while read -r l; do $l; done",
                "busybox sh",
            ],
        ),
    ),
    (
        16,
        (
            HereDocumentIgnored,
            &[":", "true", "nosuch", "cat f", "echo a", "grep x f"],
        ),
    ),
];

const OPENERS: [(u16, (&str, Option<ShellConstruct>)); 6] = [
    (66, (" <<", None)),
    (16, (" <<-", Some(HereDocumentDash))),
    (8, ("<<", None)),
    (4, (" << ", None)),
    (3, (" 0<<", Some(HereDocumentDescriptor))),
    (3, (" 3<<", Some(HereDocumentDescriptor))),
];

/// What ends the body; a terminator that is none has more of the body behind it.
pub(super) const TERMINATORS: [(u16, Option<ShellConstruct>); 8] = [
    (60, None),
    (7, Some(TerminatorTrailingBlank)),
    (7, Some(TerminatorLeadingBlank)),
    (5, Some(TerminatorLeadingTab)),
    (5, Some(TerminatorCarriageReturn)),
    (4, Some(TerminatorJoined)),
    (4, Some(TerminatorAfterJoin)),
    (8, Some(HereDocumentUnterminated)),
];

/// What may follow the opener on its line; the first three do nothing.
const TAILS: &[&str] = &[
    "", "", "", " | cat", " > out", "; %n", "; %c", " && %c", " | sh", " # %x", " \"a b\"",
    " 2>&1", " | %r", " &&\n%c",
];

/// Lines of a body that nothing but the delimiter's quoting can make live.
pub(super) const LINES: Forms = &[
    (BodyLine, &["%x", "  %x", "a; %x", "text"]),
    (
        BodyExpands,
        &[
            "$(%x)",
            "`%x`",
            "a $(%n; %x) b",
            "${x:-$(%x)}",
            "$((a[$(%x)]))",
            "$[ $(%x) + 1 ]",
            "\\\\$(%x)",
            "\"$(%x)\"",
            "${x:=`%x`}",
            "%$",
        ],
    ),
    (
        BodyEscaped,
        &["\\$(%x)", "\\`%x\\`", "<(%x)", "$\\(%x)", "{a,%x}", "~ *"],
    ),
    (
        BodyQuoted,
        &["'$(%x)'", "'`%x`'", "\"%x\"", "\"`%x`\"", "$'%x'"],
    ),
    (BodyValue, &["$x", "$HOME ${HOME}", "$1 %x"]),
    (BodyHash, &["# $(%x)", "# %x", "#", "a # `%x`"]),
    (BodyOddQuote, &["it's", "say \"%x", "echo 's", "\\"]),
    (
        BodyOpener,
        &[
            "cat <<F\n%x",
            "<<F\n$(%x)",
            "cat <<E",
            "<<'E'\n`%x`",
            "<<-E",
        ],
    ),
    (
        BodyFence,
        &["```\n%x\n```", "```sh\n$(%x)\n```", "``` `%x`"],
    ),
    (
        BodyPatternRemoval,
        &["${x#$(%x)}", "${x/$(%x)/y}", "${x%%`%x`}"],
    ),
];

impl Draft<'_> {
    /// One here-document, piece by piece.
    pub(super) fn here_document(&mut self) {
        let (construct, receivers) = self.bytes.weighted(&RECEIVERS);
        let receiver = self.bytes.pick(receivers);
        let delimiter = self.bytes.weighted(&DELIMITERS);
        let (kind, _, _, quoted) = delimiter;
        let expansion = if quoted {
            HereDocumentQuoted
        } else {
            HereDocumentUnquoted
        };
        self.within(construct, |draft| {
            draft.within(expansion, |draft| {
                draft.within(kind, |draft| {
                    draft.one_here_document(construct, receiver, delimiter)
                });
            });
        });
    }

    fn one_here_document(
        &mut self,
        construct: ShellConstruct,
        receiver: &str,
        delimiter: Delimiter,
    ) {
        let (_, word, end, quoted) = delimiter;
        self.form(receiver);
        let (opener, opening) = self.bytes.weighted(&OPENERS);
        let outer = self.place;
        if let Some(opening) = opening {
            self.bytes.mark(opening);
            self.place.insert(opening);
        }
        self.put(opener);
        self.put(word);
        let tail = self.bytes.pick(TAILS);
        let terminator = self.bytes.weighted(&TERMINATORS);
        if let Some(odd) = terminator {
            self.bytes.mark(odd);
            self.place.insert(odd);
        }
        self.body(|draft| {
            draft.body_lines(construct, quoted);
            draft.put(&match terminator {
                None => end.to_owned(),
                Some(TerminatorTrailingBlank) => format!("{end} \n"),
                Some(TerminatorLeadingBlank) => format!(" {end}\n"),
                Some(TerminatorLeadingTab) => format!("\t{end}\n"),
                Some(TerminatorCarriageReturn) => format!("{end}\r\n"),
                Some(TerminatorJoined) => match end.char_indices().nth(1) {
                    Some((cut, _)) => format!("{}\\\n{}", &end[..cut], &end[cut..]),
                    None => format!("\\\n{end}"),
                },
                Some(TerminatorAfterJoin) => format!("a\\\n{end}\n"),
                Some(_) => String::new(),
            });
            let goes_on = !matches!(
                terminator,
                None | Some(TerminatorJoined | HereDocumentUnterminated)
            );
            if goes_on {
                draft.form("%x\n");
                if draft.bytes.chance(75) {
                    draft.put(end);
                }
            }
        });
        self.form(tail);
        if self.bytes.chance(40) {
            self.bytes.mark(HereDocumentBehind);
            self.place.insert(HereDocumentBehind);
            self.newline();
            self.command();
        } else {
            self.end_line();
        }
        self.place = outer;
    }

    /// One to three lines, each with its newline.
    fn body_lines(&mut self, construct: ShellConstruct, quoted: bool) {
        let runs = matches!(construct, BodyFedToShell | BodyFedNotRun);
        for _ in 0..=self.bytes.weighted(&[(60, 0), (28, 1), (12, 2)]) {
            if runs && self.bytes.chance(60) {
                self.within(construct, |draft| {
                    if quoted || draft.bytes.chance(30) {
                        draft.level(Self::list);
                    } else {
                        draft.quoted(in_body, Self::list);
                    }
                });
            } else {
                let (line, forms) = if self.bytes.chance(60) {
                    self.bytes.pick(LINES)
                } else {
                    LINES[0]
                };
                let form = self.bytes.pick(forms);
                self.within(line, |draft| draft.form(form));
            }
            self.newline();
        }
    }
}
