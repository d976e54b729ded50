//! Which words, files and input does a program get?

use super::ENTRIES;
use crate::generate::random_bytes;
use arbitrary::Unstructured;
use differential::sandbox::{CANARIES, Entry, HOME, Job, Watch};
use reference::programs::listing::{Expected, Listed, ListedOption};
use std::time::Duration;

/// Wall time of one run: some programs never end, and are judged by what they did.
const DEADLINE: Duration = Duration::from_millis(1_500);
/// Bytes of output of one run.
const OUTPUT: usize = 1 << 18;
/// The most bytes that an invocation is decoded from.
const LONGEST: usize = 96;
/// The canaries of the words; those after them stand in files and in standard input.
const IN_WORDS: usize = 6;
pub(super) const IN_FILES: usize = 6;
pub(super) const IN_INPUT: usize = 7;

/// One invocation of so many has a terminal.
const TERMINAL: u64 = 6;

/// The words of `$1` with standard output and standard error on a terminal. Standard input is a file beside the working
/// directory; that of `script` is a pipe which never ends, because at an end `script` waits two seconds for somebody to read it.
const ON_TERMINAL: &str =
    "mkfifo ../never && exec script -qec \"$1 <../stdin\" /dev/null 0<>../never";

/// What a program finds in its working directory; `@` stands for the canary of files.
const FILES: [(&str, &str); 8] = [
    ("f", "alpha\n@\nbeta x\n"),
    ("g", "alpha\n$(@)\n"),
    ("list", "one\n@\n`@`\n"),
    ("notes.md", "# notes\n$(@)\n;@\n"),
    ("data.json", "{\"a\":\"@\"}\n"),
    ("src/a.txt", "x marks\n|@\n"),
    ("d/b.txt", "x\n@\n"),
    ("s.sh", "@\n"),
];

/// A repository with two commits.
const REPOSITORY: &str = "{ git init -q && git add -A && git commit -qm one && git commit -q --allow-empty -m two && echo s >staged.txt \
    && git add staged.txt; } </dev/null >/dev/null 2>&1 || exit 99\n";
const GIT_CONFIG: &str = "[user]\nname=u\nemail=u@example.invalid\n[init]\ndefaultBranch=main\n[advice]\ndetachedHead=false\n";

/// What stands for the operands of programs that have a language of their own, by the name of the entry: `@` is a canary.
const OPERANDS: &[(&str, &[&str])] = &[
    (
        "find",
        &[
            ". -name @",
            "d -o -print",
            ". -exec echo @ {} ;",
            "src d -type f -exec cat {} +",
            ". -execdir printf %s {} ;",
            "f ( -name x ) , ! -true",
            "-path @",
            "d -ok echo @ ;",
            ". -fprintf out @",
            ". -printf @",
            "d -delete",
        ],
    ),
    (
        "sed",
        &[
            "p f",
            "s/a/@/ f",
            "s/a/@/w_out f",
            "$!d f list",
            "y/a/b/",
            "1i\\@ f",
            "e_@ f",
            "r_g f",
        ],
    ),
    (
        "awk",
        &[
            "{print} f",
            "BEGIN{print_\"@\"}",
            "{print>\"out\"} f",
            "$1==\"@\" f list",
            "{print|\"@\"} f",
            "/a||b/ f x=@ g",
            "{print_$1,$2} f",
        ],
    ),
    (
        "jq",
        &[
            ". data.json",
            ".a data.json",
            "\"@\" data.json",
            "-n \"@\"",
            "--arg x @ $x data.json",
        ],
    ),
    (
        "dd",
        &[
            "if=f of=out",
            "if=f",
            "of=out bs=1",
            "if=list count=1 status=none",
            "of=@",
        ],
    ),
    (
        "tar",
        &[
            "cf out f d",
            "-cf out f",
            "czf out list",
            "-c f",
            "tf data.json",
            "-xf f",
        ],
    ),
    (
        "test",
        &[
            "-n @",
            "@ = x",
            "-f f",
            "-v x",
            "-v a[$(@)]",
            "! -e @",
            "1 -eq 1",
            "@",
            "-z @ -a -n @",
            "a[$(@)] -eq 1",
        ],
    ),
    ("[", &["-n @ ]", "@ = x ]", "a[$(@)] -eq 1 ]", "-f f ]"]),
    ("git", &["log", "status", "diff", "log -1 --format=@"]),
    ("timeout", &["1 echo @", "1 cat f", "1 tee out"]),
    ("chrt", &["1 echo @"]),
    ("taskset", &["1 echo @"]),
    ("env", &["X=@ echo @", "echo @", "cat f", "X=@", "-u X cat"]),
    ("flock", &["out echo @", "out -c @", "d cat f"]),
    (
        "git config",
        &[
            "user.name @",
            "--get user.name",
            "alias.x !@",
            "core.pager @",
            "-l",
        ],
    ),
    ("chmod", &["644 f", "u+x f d"]),
    ("chown", &["0 f"]),
    ("expr", &["1 + 1", "@ : a", "length @"]),
    ("seq", &["3", "1 2"]),
    ("csplit", &["f 2", "f /beta/"]),
    ("patch", &["f g", "f"]),
    ("gawk", &["{print} f"]),
];

/// What comes before the options where it decides which there are.
const SUBCOMMANDS: &[(&str, &[&str])] = &[
    ("git notes", &["add", "append", "show", "list", "copy"]),
    ("git stash", &["push", "list", "show", "save", "apply"]),
];

/// A run of a program of the table.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// The number of its entry.
    pub entry: usize,
    /// The words, the verb first.
    pub words: Vec<Vec<u8>>,
    /// Bash does it itself, or looks it up.
    pub by_shell: bool,
    /// Its standard output is a terminal.
    pub(super) on_terminal: bool,
    /// It has an option that not every version knows.
    pub(super) varies: bool,
    /// Files that are named by words, besides those that are always there.
    files: Vec<Vec<u8>>,
}

/// Invocation number `round` of an entry: by turns each of its options, with others beside it.
pub fn generated(seed: u64, entry: usize, round: u64) -> Invocation {
    let listed = &ENTRIES[entry];
    let bytes = random_bytes(seed, round.wrapping_mul(4_099) ^ entry as u64, LONGEST);
    let mut maker = Maker {
        from: Unstructured::new(&bytes),
        canary: 0,
        varies: false,
        files: Vec::new(),
    };
    // A decoder that runs out of bytes gives what zeros give.
    let mut words = maker
        .words(listed, round)
        .unwrap_or_else(|_| names(listed, 0));
    let by_shell = listed.is_builtin && (!listed.is_program || !round.is_multiple_of(3));
    if listed.is_builtin && !by_shell {
        words.insert(0, "env".to_owned());
    }
    Invocation {
        entry,
        words: words.into_iter().map(String::into_bytes).collect(),
        by_shell,
        on_terminal: !by_shell && round % TERMINAL == TERMINAL - 1,
        varies: maker.varies,
        files: maker.files,
    }
}

/// The words that name it.
fn names(listed: &Listed, number: usize) -> Vec<String> {
    let name = listed.names[number % listed.names.len()];
    name.split(' ').map(str::to_owned).collect()
}

struct Maker<'a> {
    from: Unstructured<'a>,
    canary: usize,
    varies: bool,
    files: Vec<Vec<u8>>,
}

impl Maker<'_> {
    fn words(&mut self, listed: &Listed, round: u64) -> arbitrary::Result<Vec<String>> {
        let number = self.from.int_in_range(0..=listed.names.len() - 1)?;
        let mut words = names(listed, number);
        let subcommands = SUBCOMMANDS
            .iter()
            .find(|(name, _)| listed.names.contains(name));
        if let Some((_, subcommands)) = subcommands {
            words.push((*self.from.choose(subcommands)?).to_owned());
        }
        let mut options: Vec<Vec<String>> = Vec::new();
        if !listed.options.is_empty() {
            let turn = &listed.options[(round % listed.options.len() as u64) as usize];
            options.push(self.option(turn)?);
            for _ in 0..self.from.int_in_range(0..=2)? {
                let other = self.from.choose(&listed.options)?;
                let words = self.option(other)?;
                options.push(words);
            }
        }
        let operands = self.operands(listed)?;
        // Where the program takes them: before, after, or with all behind `--`.
        match self.from.int_in_range(0..=9)? {
            0 | 1 => words.extend(operands.into_iter().chain(options.into_iter().flatten())),
            2 if listed.names != ["git"] => {
                words.extend(options.into_iter().flatten());
                words.push("--".to_owned());
                words.extend(operands);
            }
            _ => {
                words.extend(options.into_iter().flatten());
                words.extend(operands);
            }
        }
        Ok(words)
    }

    fn option(&mut self, option: &ListedOption) -> arbitrary::Result<Vec<String>> {
        self.varies |= option.varies;
        let spelling = self.from.choose(&option.spellings)?.clone();
        let Some(value) = option.value else {
            return Ok(vec![spelling]);
        };
        let is_long = spelling.starts_with("--");
        if option.only_attached && self.from.ratio(1, 3)? {
            return Ok(vec![spelling]);
        }
        let value = self.word(value)?;
        let attached = option.only_attached || self.from.ratio(1, 3)?;
        Ok(match (attached, is_long) {
            (true, true) => vec![format!("{spelling}={value}")],
            (true, false) if spelling.len() == 2 => vec![format!("{spelling}{value}")],
            _ => vec![spelling, value],
        })
    }

    fn operands(&mut self, listed: &Listed) -> arbitrary::Result<Vec<String>> {
        let own = OPERANDS
            .iter()
            .find(|(name, _)| listed.names.contains(name));
        if let Some((_, forms)) = own {
            let form = self.from.choose(forms)?;
            return Ok(form
                .split(' ')
                .map(|word| self.filled(&word.replace('_', " ")))
                .collect());
        }
        let mut words = Vec::new();
        let last = listed.operands.len() - 1;
        for number in 0..self.from.int_in_range(0..=last + 2)? {
            match listed.operands[number.min(last)] {
                Expected::Command => {
                    let form = self.from.choose(&[
                        "echo @",
                        "cat f",
                        "printf %s @",
                        "tee out",
                        "true",
                        "sort list",
                    ])?;
                    words.extend(form.split(' ').map(|word| self.filled(word)));
                    break;
                }
                expected => words.push(self.word(expected)?),
            }
        }
        Ok(words)
    }

    /// A form with its canaries.
    fn filled(&mut self, form: &str) -> String {
        match form.contains('@') {
            true => form.replace('@', self.next()),
            false => form.to_owned(),
        }
    }

    fn next(&mut self) -> &'static str {
        self.canary += 1;
        CANARIES[(self.canary - 1) % IN_WORDS]
    }

    fn word(&mut self, expected: Expected) -> arbitrary::Result<String> {
        const TEXTS: [&str; 10] = [
            "1", "2", "x", "@", "$(@)", "`@`", "x;@", "|@", "!@", "a[$(@)]",
        ];
        const PATHS: [&str; 12] = [
            "|@",
            "@ |",
            "f",
            "f",
            "g",
            "list",
            "notes.md",
            "data.json",
            "d",
            "src/a.txt",
            "s.sh",
            "@.txt",
        ];
        const TARGETS: [&str; 7] = ["|@", "out", "f", "out;@", "$(@)", "d", "new"];
        const VARIABLES: [&str; 5] = ["x", "y", "a[$(@)]", "x=$(@)", "x=@"];
        const PROGRAMS: [&str; 4] = ["@", "echo @", "s.sh", "$(@)"];
        let forms: &[&str] = match expected {
            Expected::Text => &TEXTS,
            Expected::File => &PATHS,
            Expected::Target => &TARGETS,
            Expected::Variable => &VARIABLES,
            Expected::Program => &PROGRAMS,
            Expected::Command => &["echo"],
        };
        let form = *self.from.choose(forms)?;
        let word = self.filled(form);
        if expected == Expected::File && form == "@.txt" {
            self.files.push(word.clone().into_bytes());
        }
        Ok(word)
    }
}

impl Invocation {
    /// Is it one of `git`?
    pub(super) fn is_git(&self) -> bool {
        self.words[0] == b"git"
    }

    /// The traced run.
    pub(super) fn job(&self) -> Job {
        let content = |text: &str| text.replace('@', CANARIES[IN_FILES]).into_bytes();
        let mut tree: Vec<Entry> = FILES
            .iter()
            .map(|(path, text)| Entry::File((*path).into(), content(text)))
            .collect();
        tree.extend(
            self.files
                .iter()
                .map(|path| Entry::File(path.clone(), content("x\n@\n"))),
        );
        tree.extend(CANARIES.iter().map(|name| {
            Entry::Program(
                format!("../bin/{name}").into_bytes(),
                b"#!/usr/bin/dash\nexit 0\n".to_vec(),
            )
        }));
        tree.push(Entry::Directory(b"../home".to_vec()));
        let mut start = String::new();
        if self.is_git() {
            tree.push(Entry::File(
                b"../home/.gitconfig".to_vec(),
                GIT_CONFIG.into(),
            ));
            start += REPOSITORY;
        }
        start += match (self.by_shell, self.on_terminal) {
            (true, _) => "exec bash -c '\"$@\"' bash \"$@\"",
            (_, true) => ON_TERMINAL,
            _ => "exec \"$@\"",
        };
        let mut argv: Vec<Vec<u8>> = ["sh", "-c", &start, "sh"]
            .map(|word| word.as_bytes().to_vec())
            .to_vec();
        match self.on_terminal {
            true => argv.push(self.quoted()),
            false => argv.extend(self.words.iter().cloned()),
        }
        let path = format!("{HOME}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/usr/games");
        let home = format!("{HOME}/home");
        let env = [
            ("PATH", &path[..]),
            ("HOME", &home),
            ("LC_ALL", "C.UTF-8"),
            ("TERM", "xterm"),
        ];
        let input = "one\n@\n$(@)\n`@`\n;@\n".replace('@', CANARIES[IN_INPUT]);
        tree.push(Entry::File(
            b"../stdin".to_vec(),
            input.clone().into_bytes(),
        ));
        Job {
            program: "/usr/bin/dash".to_owned(),
            argv,
            env: env
                .map(|(name, value)| (name.into(), value.into()))
                .to_vec(),
            tree,
            stdin: input.into_bytes(),
            deadline: DEADLINE,
            output_cap: OUTPUT,
            watch: Watch::Trace,
        }
    }

    /// The words for a shell that starts nothing else.
    fn quoted(&self) -> Vec<u8> {
        let mut text = b"exec".to_vec();
        for word in &self.words {
            text.extend_from_slice(b" '");
            for &byte in word {
                match byte {
                    b'\'' => text.extend_from_slice(b"'\\''"),
                    byte => text.push(byte),
                }
            }
            text.push(b'\'');
        }
        text
    }

    /// The regular files that it finds.
    pub(super) fn file_names(&self) -> impl Iterator<Item = &[u8]> {
        let fixed = FILES.iter().map(|(path, _)| path.as_bytes());
        fixed.chain(self.files.iter().map(|path| &path[..]))
    }

    /// As one would type it.
    pub fn shown(&self) -> String {
        let quoted = |word: &Vec<u8>| {
            let text = word.escape_ascii().to_string();
            let plain = !text.is_empty()
                && text
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"-_./=:,+%".contains(&byte));
            if plain { text } else { format!("'{text}'") }
        };
        Vec::from_iter(self.words.iter().map(quoted)).join(" ")
    }
}
