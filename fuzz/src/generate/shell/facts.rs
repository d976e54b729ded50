//! Which constructs show which fact of bash? A fact of `docs/spec/regions.md` section 3 without a construct fails a test.

/// The facts of `docs/spec/regions.md` sections 3 and 4 that running can show, and the names of the constructs that show
/// each: between them they hold fragments that run and fragments that do not, where the fact has both.
pub const FACTS: &[(&str, &[&str])] = &[
    (
        "B-01",
        &[
            "comment after blank",
            "comment at line start",
            "comment after operator",
            "comment before code",
        ],
    ),
    (
        "B-02",
        &[
            "hash after substitution",
            "hash after quote",
            "hash in word",
        ],
    ),
    (
        "B-03",
        &[
            "hash after escape",
            "hash after continued word",
            "comment after continued blank",
        ],
    ),
    (
        "B-04",
        &[
            "hash in parameter",
            "hash in test",
            "hash in pattern",
            "hash after redirection",
            "hash in arithmetic",
            "hash in subscript",
        ],
    ),
    ("B-05", &["hash after odd blank", "comment after blank"]),
    (
        "B-06",
        &[
            "comment with backslash",
            "comment with quote",
            "comment with substitution",
        ],
    ),
    (
        "B-07",
        &[
            "comment in backticks",
            "comment in substitution",
            "comment in compound",
        ],
    ),
    ("B-08", &["comment interactive"]),
    (
        "B-10",
        &[
            "escape in double quotes",
            "double quotes expand",
            "backticks expand",
        ],
    ),
    (
        "B-11",
        &[
            "ansi-c quote",
            "ansi-c quote in double quotes",
            "locale quote",
            "single quotes",
        ],
    ),
    (
        "B-12",
        &[
            "quotes in substitution",
            "quotes in backticks",
            "quotes in parameter",
            "quotes joined",
            "brace in parameter",
        ],
    ),
    (
        "B-13",
        &["single quotes in parameter", "body quoted expansion"],
    ),
    ("B-14", &["line continuation", "here-document opener split"]),
    (
        "B-20",
        &[
            "here-document delimiter plain",
            "here-document delimiter dotted",
            "here-document delimiter dashed",
            "here-document delimiter punctuation",
            "here-document delimiter number",
            "here-document delimiter non-ascii",
            "here-document delimiter empty",
            "here-document delimiter with blank",
            "here-document delimiter part quoted",
            "here-document delimiter glued",
            "here-document delimiter dollar",
            "here-document delimiter escaped",
            "here-document delimiter ansi-c",
            "here-document quoted",
        ],
    ),
    (
        "B-21",
        &[
            "here-document terminator trailing blank",
            "here-document terminator leading blank",
            "here-document terminator leading tab",
            "here-document terminator carriage return",
            "here-document dash",
            "here-document behind",
        ],
    ),
    (
        "B-22",
        &[
            "here-document terminator joined",
            "here-document terminator after joined line",
        ],
    ),
    (
        "B-23",
        &[
            "here-document line continued",
            "here-document line quoted",
            "here-document line in pipeline",
        ],
    ),
    ("B-24", &["here-document two on a line"]),
    ("B-25", &["here-document phantom", "body with opener"]),
    (
        "B-26",
        &[
            "here-document unterminated",
            "here-document in substitution",
            "here-document in subshell",
            "here-document no newline",
        ],
    ),
    (
        "B-27",
        &[
            "body expands",
            "body escaped",
            "body with hash",
            "body with odd quote",
            "here-document with odd quote",
            "body with fence",
        ],
    ),
    (
        "B-28",
        &[
            "here-document ignored",
            "here-document after failing redirection",
            "here-document two on a line",
        ],
    ),
    ("B-29", &["body plain value"]),
    ("B-30", &["body pattern removal"]),
    (
        "B-31",
        &[
            "pipe to shell",
            "pipe to shell that does not read",
            "pipe to interpreter",
            "body fed to shell",
            "body fed and not run",
            "body fed to interpreter",
            "here-string fed to shell",
            "flow into input of shell",
            "flow into interpreter",
            "flow into make",
            "flow ends in shell that does not run it",
        ],
    ),
    (
        "B-32",
        &[
            "pipe to wrapped shell",
            "pipe to shell in compound",
            "pipe to shell in variable",
            "flow into wrapped shell",
            "flow into shell in compound",
        ],
    ),
    (
        "B-33",
        &[
            "pipe through filter",
            "pipe to reader",
            "flow through filter",
            "flow through encoding",
        ],
    ),
    (
        "B-34",
        &[
            "pipe far",
            "pipe on the next line",
            "coproc",
            "flow into descriptor of shell",
            "flow through fifo",
            "flow through descriptor",
        ],
    ),
    (
        "B-35",
        &[
            "redirected away",
            "redirected along",
            "flow ends cut off",
            "flow through descriptor",
        ],
    ),
    (
        "B-36",
        &[
            "file written then run",
            "file written then run by tool",
            "file written then read at start",
            "file written then read",
            "file written",
            "flow into script file",
            "flow into source",
            "flow into tool that starts a file",
            "flow ends in file",
            "flow ends in file read",
        ],
    ),
    (
        "B-37",
        &[
            "substitution as command",
            "substitution as operand",
            "variable as command",
            "variable quoted as command",
            "process substitution run",
            "flow into verb",
            "flow into operand of shell",
            "flow through variable",
        ],
    ),
    (
        "B-38",
        &[
            "message read back",
            "message read by hook",
            "message of git commit",
            "flow from commit message",
            "flow ends committed",
        ],
    ),
    (
        "B-40",
        &[
            "function redefines verb",
            "function exported",
            "alias",
            "alias by BASH_ALIASES",
            "verb hashed",
            "verb disabled",
            "verb by path",
            "verb from PATH",
            "verb not found handled",
            "trap",
            "flow into name of a program",
            "flow into function",
            "flow into alias",
        ],
    ),
    (
        "B-41",
        &[
            "searcher option",
            "searcher pager",
            "quoted operand of grep",
        ],
    ),
    ("B-42", &["printf -v", "printf without -v"]),
    ("B-43", &["message option of another program"]),
    (
        "B-44",
        &[
            "reserved word",
            "assignment prefix",
            "redirection before verb",
            "wrapper",
            "case body",
            "coproc",
            "around reserved word",
            "flow into wrapper",
        ],
    ),
    (
        "B-45",
        &[
            "redirection target",
            "operand of test",
            "case pattern",
            "array element",
        ],
    ),
    ("B-46", &["verb in backticks"]),
    ("B-47", &["quoted verb"]),
    (
        "B-50",
        &[
            "subscript",
            "subscript not evaluated",
            "arithmetic",
            "indirect",
            "flow into arithmetic",
            "flow into subscript",
        ],
    ),
    (
        "B-51",
        &["associative key", "associative key expanded once"],
    ),
    (
        "B-52",
        &[
            "eval",
            "eval of text",
            "trap",
            "mapfile callback",
            "prompt string",
            "prompt string not shown",
            "startup variable",
            "flow into eval",
            "flow into callback",
            "flow into prompt",
            "flow into startup file",
        ],
    ),
    (
        "B-53",
        &[
            "self-reference",
            "flow from the shell's own text",
            "flow from last argument",
        ],
    ),
    (
        "B-60",
        &[
            "syntax error on a later line",
            "syntax error on the same line",
        ],
    ),
    (
        "B-61",
        &[
            "alias on the same line",
            "alias",
            "extglob on an earlier line",
            "extglob on the same line",
        ],
    ),
    ("B-62", &["background", "coproc", "process substitution"]),
    (
        "C-1",
        &[
            "harmless echo",
            "flow ends printed",
            "flow ends in reader",
            "flow ends discarded",
        ],
    ),
    ("C-2", &["harmless search"]),
    ("C-3", &["harmless message", "flow ends committed"]),
    ("C-4", &["harmless quoted here-document"]),
    ("C-5", &["harmless unquoted here-document"]),
    ("C-6", &["harmless comment"]),
    (
        "C-7",
        &[
            "harmless other",
            "flow ends in case word",
            "flow ends compared",
            "flow ends unused",
        ],
    ),
    ("C-8", &["harmless beside doubt"]),
];

#[cfg(test)]
mod tests {
    use super::super::SHELL_CONSTRUCTS;
    use super::FACTS;
    use std::collections::BTreeSet;

    /// The numbers of the facts as the specification lists them.
    fn written() -> BTreeSet<&'static str> {
        let number = |line: &'static str| {
            let (number, _) = line.strip_prefix("- ")?.split_once(' ')?;
            let digits = number.strip_prefix("B-").or(number.strip_prefix("C-"))?;
            digits.parse::<u8>().is_ok().then_some(number)
        };
        include_str!("../../../../docs/spec/regions.md")
            .lines()
            .filter_map(number)
            .collect()
    }

    #[test]
    fn every_fact_of_the_specification_has_its_constructs() {
        let mut wanted = written();
        // Not about what a command does: the environment, and what is done with its traces later.
        assert!(wanted.remove("C-9") && wanted.remove("C-10"));
        let table: Vec<&str> = FACTS.iter().map(|(fact, _)| *fact).collect();
        assert_eq!(table, Vec::from_iter(wanted), "in order, each once");
    }

    #[test]
    fn every_name_in_the_table_is_a_construct() {
        for (fact, names) in FACTS {
            assert!(!names.is_empty(), "{fact}");
            for name in *names {
                assert!(SHELL_CONSTRUCTS.contains(name), "{fact}: {name}");
            }
        }
    }
}
