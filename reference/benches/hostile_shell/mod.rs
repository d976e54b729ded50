//! Which commands would cost most if some step of the front end were not linear? One family a suspicion.
//!
//! The counter of instructions (`benches/shell_cost.rs`) and the test of memory (`tests/shell_size.rs`) put the same families.

/// Commands that grow with a size in one direction.
pub(crate) struct Family {
    /// What it is made of.
    pub(crate) name: &'static str,
    /// The command, of about this many bytes.
    pub(crate) command: fn(usize) -> Vec<u8>,
}

const fn f(name: &'static str, command: fn(usize) -> Vec<u8>) -> Family {
    Family { name, command }
}

/// Every family.
pub(crate) const FAMILIES: &[Family] = &[
    f("words", |n| repeat("a ", n)),
    f("one word", |n| repeat("a", n)),
    f("lines", |n| repeat("a\n", n)),
    f("comments", |n| repeat("#a\n", n)),
    f("one comment", |n| around("#", "'", "", n)),
    f("continuations", |n| repeat("\\\n", n)),
    f("joined word", |n| repeat("a\\\n", n)),
    f("blanks", |n| around("a", " ", "b", n)),
    f("flows", |n| around("a", "|a", "", n)),
    f("lists", |n| around("a", "&&a", "", n)),
    f("redirections", |n| repeat("2>a", n)),
    f("long number", |n| around("", "1", ">a", n)),
    // Quotes.
    f("single quotes", |n| repeat("'a' ", n)),
    f("open single quote", |n| around("'", "a", "", n)),
    f("open quotes", |n| around("\"", "'", "", n)),
    f("escapes", |n| repeat("\\a", n)),
    f("ansi-c", |n| around("$'", "\\n", "'", n)),
    // Expansions.
    f("assignments", |n| repeat("x=$x$x\n", n)),
    f("arrays", |n| around("x=(", "a ", ")", n)),
    f("elements", |n| repeat("x[1]=a ", n)),
    f("open subscripts", |n| repeat("x[", n)),
    f("open subscripts, lines", |n| repeat("x[\n", n)),
    f("parameters", |n| repeat("${a-b}", n)),
    f("open parameters", |n| repeat("${a-", n)),
    f("parameters in arithmetic", |n| {
        around("$((", "${a-(b)}", "))", n)
    }),
    f("patterns", |n| around("a\n", "@(b)", "", n)),
    f("braces", |n| repeat("{a,b}", n)),
    // Programs.
    f("substitutions", |n| repeat("$(a)", n)),
    f("open substitutions", |n| repeat("$(", n)),
    f("quoted substitutions", |n| repeat("\"$(", n)),
    f("processes", |n| repeat("<(a) ", n)),
    f("backquotes", |n| repeat("`a`", n)),
    f("escaped backquotes", |n| around("`", "\\`", "`", n)),
    f("doubling backslashes", |n| {
        let mut text = Vec::new();
        let mut escapes = 0;
        while text.len() + escapes < n {
            text.extend(vec![b'\\'; escapes]);
            text.push(b'`');
            escapes = escapes * 2 + 1;
        }
        text.resize(n, b'a');
        text
    }),
    f("backquotes in quotes", |n| {
        around("\"`", "\\\"a\\\" ", "`\"", n)
    }),
    // Parentheses that may be arithmetic.
    f("arithmetic", |n| repeat("$((1))", n)),
    f("no arithmetic", |n| repeat("$((a) )", n)),
    f("open arithmetic", |n| repeat("$((", n)),
    f("no arithmetic, nested", |n| repeat("$((a)", n)),
    f("no arithmetic, closed", |n| {
        let levels = 20;
        let text = ["$((a); ".repeat(levels), ")".repeat(levels)].concat();
        let text = text.into_bytes();
        text.repeat(n / text.len().max(1))
    }),
    f("parentheses", |n| repeat("(", n)),
    f("parentheses, lines", |n| repeat("((a) )\n", n)),
    f("process arithmetic", |n| repeat("<((a) )", n)),
    // Here-documents.
    f("openers", |n| repeat("<<a", n)),
    f("bodies", |n| repeat("<<a\nb\na\n", n)),
    f("long body", |n| around("<<a\n", "b\n", "a\n", n)),
    f("expanded body", |n| around("<<a\n", "$b", "\na\n", n)),
    f("joined body", |n| around("<<a\n", "b\\\n", "\na\n", n)),
    f("like its delimiter", |n| {
        let half = "a".repeat(n / 2);
        format!("<<{half}b\n{half}").into_bytes()
    }),
    f("many like the delimiter", |n| {
        let root = n.isqrt();
        let line = "a".repeat(root);
        format!(
            "<<'{line}b'\n{}",
            format!("{line}\n").repeat(n / (root + 1))
        )
        .into_bytes()
    }),
    f("tabs", |n| around("<<-a\n", "\t", "a\n", n)),
    f("tabbed lines", |n| around("<<-a\n", "\tb$c\n", "a\n", n)),
    f("bodies in substitutions", |n| repeat("$(<<a\nb\na\n)", n)),
    // Compound commands.
    f("case items", |n| {
        around("case a in ", "b) c;;\n", "esac", n)
    }),
    f("case chains", |n| repeat("case a in b) ", n)),
    f("open ifs", |n| repeat("if a;then ", n)),
    f("branches", |n| {
        around("if a; then b; ", "elif a; then b; ", "fi", n)
    }),
    f("functions", |n| repeat("f(){ a;}\n", n)),
    f("groups", |n| repeat("{ ", n)),
    f("conditions", |n| around("[[ a", " && a", " ]]", n)),
    f("bangs", |n| repeat("! ", n)),
    f("coprocesses", |n| repeat("coproc ", n)),
];

fn repeat(unit: &str, size: usize) -> Vec<u8> {
    unit.as_bytes().repeat(size / unit.len())
}

fn around(before: &str, unit: &str, after: &str, size: usize) -> Vec<u8> {
    [before.as_bytes(), &repeat(unit, size), after.as_bytes()].concat()
}
