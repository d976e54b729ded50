//! Which words would cost most if some step were not linear? One family a suspicion.
//!
//! The counter of instructions (`benches/sed_cost.rs`) and the test of memory (`tests/size.rs`) put the same families.

/// Words that grow with a size in one direction.
pub(crate) struct Family {
    /// What it is made of, in one word or two.
    pub(crate) name: &'static str,
    /// The value of `LC_ALL`.
    pub(crate) locale: &'static str,
    /// The words, `argv[0]` included, of about this many bytes; 0 gives the frame alone.
    pub(crate) words: fn(usize) -> Vec<Vec<u8>>,
}

/// Every family.
pub(crate) const FAMILIES: &[Family] = &[
    // The frame of a script.
    c("commands", |n| script(repeat("p;", n))),
    c("empty lines", |n| script(repeat("\n", n))),
    c("comments", |n| script(repeat("#x\n", n))),
    c("one comment", |n| script(around("#", "x", "", n))),
    c("opening braces", |n| script(repeat("{", n))),
    c("blocks", |n| {
        script([repeat("{", n / 2), repeat("}", n / 2)].concat())
    }),
    c("numbers", |n| script(repeat("1,23p;", n))),
    c("one number", |n| script(around("1", "9", "p", n))),
    c("addresses", |n| script(repeat("/a/I,\\,b,p;", n))),
    c("versions", |n| script(repeat("v 4.2\n", n))),
    c("one version", |n| script(around("v 4.", "0", "\n", n))),
    // Names that are kept.
    c("one file", |n| script(repeat("w x\n", n))),
    c("files", |n| script(count("w ", "\n", n))),
    c("files, alike", |n| script(count(ALIKE, "\n", n))),
    c("long file", |n| script(around("w ", "x", "", n))),
    c("read files", |n| script(count("R ", "\n", n))),
    c("written by s", |n| script(count("s/a/b/w ", "\n", n))),
    c("shell commands", |n| script(count("e ", "\n", n))),
    c("long shell command", |n| script(around("e ", "x", "", n))),
    c("escaped shell command", |n| {
        script(around("e ", "\\x41", "", n))
    }),
    c("one label", |n| script(repeat(":a\n", n))),
    c("labels", |n| script(count(":", "\n", n))),
    c("jumps", |n| script(count("b", "\n", n))),
    c("labels and jumps", |n| {
        script([count(":", "\n", n / 2), count("t", "\n", n / 2)].concat())
    }),
    c("long label", |n| script(around(":", "x", "", n))),
    // Parts between delimiters and what is in them.
    c("text", |n| script(around("a ", "\\", "", n))),
    c("text lines", |n| script(around("a\\\n", "x\\\n", "x", n))),
    c("substitutions", |n| script(repeat("s/a/b/;", n))),
    c("flags", |n| script(around("s/a/b/", "I", "", n))),
    c("transliterations", |n| script(repeat("y/ab/xy/;", n))),
    c("long transliteration", |n| {
        let half = repeat("\\\\a", n / 2);
        script([b"y/", &half[..], b"/", &half[..], b"/"].concat())
    }),
    c("replacement", |n| script(around("s/a/", "\\n&", "/", n))),
    c("escapes", |n| script(around("s/", "\\x41", "//", n))),
    c("control escapes", |n| {
        script(around("s/", "\\c\\\\", "//", n))
    }),
    // Expressions.
    c("groups", |n| script(around("/", "\\(a\\)", "/p", n))),
    c("opening groups", |n| script(around("/", "\\(", "/p", n))),
    c("intervals", |n| script(around("/", "a\\{1\\}", "/p", n))),
    c("branches", |n| script(around("/", "a*\\|", "/p", n))),
    c("references", |n| script(around("/\\(a\\)", "\\1", "/p", n))),
    c("classes", |n| script(around("/", "[[:alpha:]]", "/p", n))),
    c("one bracket", |n| script(around("/[", "a-z", "]/p", n))),
    c("open brackets", |n| script(around("s/", "[", "", n))),
    c("open symbols", |n| script(around("s/", "[[.", "", n))),
    c("symbols in a bracket", |n| {
        script(around("/[", "[.a.]", "]/p", n))
    }),
    // Bytes above 127.
    c("high bytes", |n| script(around("s/", "é", "//", n))),
    utf8("characters", |n| script(around("s/[", "é", "]//", n))),
    utf8("lead bytes", |n| {
        bytes(b"s\xff", b"\xfd\xbf\xbf\xbf", b"\xff\xff", n)
    }),
    utf8("continuation bytes", |n| {
        bytes(b"s\xff", b"\xbf", b"\xff\xff", n)
    }),
    utf8("transliterated characters", |n| {
        let half = repeat("é\u{10000}", n / 2);
        script([b"y/", &half[..], b"/", &half[..], b"/"].concat())
    }),
    // Words.
    c("pieces", |n| words(&[], "-ep", n)),
    c("pieces of a text", |n| words(&["-e", "a\\"], "-ex\\", n)),
    c("pieces of a shell command", |n| {
        words(&["-e", "e\\"], "-ex\\", n)
    }),
    c("operands", |n| words(&["p"], "f", n)),
    c("different operands", |n| counted(&["p"], n)),
    c("operands in place", |n| counted(&["-i", "p"], n)),
    c("operands and many stars", |n| {
        counted(&[&stars(n / 2), "p"], n / 2)
    }),
    c("operands and some stars", |n| {
        let root = n.isqrt();
        counted(&[&stars(root), "p"], n - root)
    }),
    c("operands and long backups", |n| {
        let fixed = n.min(1000);
        counted(&[&stars(fixed), "p"], n - fixed)
    }),
    c("one operand and stars", |n| {
        words(&[&stars(n / 2), "p", &"f".repeat(n / 2)], "", 0)
    }),
    c("long operand", |n| words(&["p", &"f".repeat(n)], "", 0)),
    c("long operand in place", |n| {
        words(&["-i", "p", &"f".repeat(n)], "", 0)
    }),
    c("cluster", |n| {
        words(&[&format!("-n{}", "s".repeat(n)), "p"], "", 0)
    }),
    c("options", |n| words(&["p"], "--expression=p", n)),
    c("long option", |n| {
        words(&[&format!("--quiet{}", "t".repeat(n)), "p"], "", 0)
    }),
    c("long argument", |n| {
        words(&[&format!("--in-place={}", "=".repeat(n)), "p", "f"], "", 0)
    }),
];

/// A file name that differs from its neighbours only at its end, and is long enough for 10 000 in a mebibyte.
const ALIKE: &str = "w \
    ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff";

const fn c(name: &'static str, words: fn(usize) -> Vec<Vec<u8>>) -> Family {
    Family {
        name,
        locale: "C",
        words,
    }
}

const fn utf8(name: &'static str, words: fn(usize) -> Vec<Vec<u8>>) -> Family {
    Family {
        name,
        locale: "C.UTF-8",
        words,
    }
}

fn script(text: Vec<u8>) -> Vec<Vec<u8>> {
    vec![b"sed".to_vec(), text]
}

fn repeat(unit: &str, size: usize) -> Vec<u8> {
    unit.as_bytes().repeat(size / unit.len())
}

fn around(before: &str, unit: &str, after: &str, size: usize) -> Vec<u8> {
    [before.as_bytes(), &repeat(unit, size), after.as_bytes()].concat()
}

fn bytes(before: &[u8], unit: &[u8], after: &[u8], size: usize) -> Vec<Vec<u8>> {
    script([before, &unit.repeat(size / unit.len()), after].concat())
}

/// Numbers between two texts, up to the size.
fn count(before: &str, after: &str, size: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(size + before.len() + after.len() + 20);
    for number in 0.. {
        if text.len() >= size {
            break;
        }
        text.extend_from_slice(format!("{before}{number}{after}").as_bytes());
    }
    text
}

/// `sed`, some words, and one word as often as the size takes; each counts for a byte more than it has.
fn words(first: &[&str], again: &str, size: usize) -> Vec<Vec<u8>> {
    let first = first.iter().map(|word| word.as_bytes().to_vec());
    let again = vec![again.as_bytes().to_vec(); size / (again.len() + 1)];
    [b"sed".to_vec()]
        .into_iter()
        .chain(first)
        .chain(again)
        .collect()
}

/// `sed`, some words, and numbers as operands.
fn counted(first: &[&str], size: usize) -> Vec<Vec<u8>> {
    let mut words = words(first, "", 0);
    words.extend(
        count("", " ", size)
            .split(|&byte| byte == b' ')
            .map(<[u8]>::to_vec),
    );
    words
}

fn stars(count: usize) -> String {
    format!("-i{}", "*".repeat(count))
}
