//! Where does a command run? The files, the environment and the start of a `regions` case (`corpus/README.md`).
//!
//! Beside the working directory stand `../bin`, the one folder of `PATH`; `../log`, where canaries and programs that are
//! missing leave a file of their name; and `../home`, which is empty.

use super::programs::{self, Behind};
use crate::sandbox::{CANARIES, Entry, HOME, Job, Watch};
use std::sync::LazyLock;
use std::time::Duration;

/// What starts a command: a shell that leaves no variables of its own behind. `sh` of the cases is the same.
const STARTER: &str = "/usr/bin/dash";
/// Wall time of one run, and bytes of its output.
const DEADLINE: Duration = Duration::from_secs(6);
const OUTPUT: usize = 1 << 20;

const FILES: [(&str, &str); 6] = [
    ("f", "alpha\nbeta x\n"),
    ("list", "one\ntwo\n"),
    ("notes.md", "# notes\n"),
    ("data.json", "{\"a\":1}\n"),
    ("src/a.txt", "x marks\n"),
    ("d/b.txt", "x\n"),
];

const GIT_CONFIG: &str = "[user]\nname=u\nemail=u@example.invalid\n[init]\ndefaultBranch=main\n[advice]\ndetachedHead=false\n";

/// Three commits with fixed times, and one file that is staged.
const REPOSITORY: &str = "{
  git init -q && git add -A && (
    export GIT_AUTHOR_DATE='@946684800 +0000' GIT_COMMITTER_DATE='@946684800 +0000'
    git commit -qm one && git commit -q --allow-empty -m two && git commit -q --allow-empty -m three
  ) && echo s >staged.txt && git add staged.txt
} </dev/null >/dev/null 2>&1 || { : >../log/git; exit; }
";

/// Standard input and output are no pipes: some programs would then read no files, or start no pager. The file of standard
/// output is beside the working directory, and standard error is what the box shows.
const RUN: &str = "exec bash \"$@\" </dev/null >>../out";

/// The same with standard output as the box shows it, a pipe. Of the stored truths none depends on the difference.
const RUN_SHOWN: &str = "exec bash \"$@\" </dev/null";

/// The same with standard output and standard error on a pseudo terminal, which controls the command.
const RUN_ON_TERMINAL: &str = "COMMAND=$2 exec script -qec \
'exec env -u COMMAND bash -c \"$COMMAND\" </dev/null' /dev/null </dev/null";

/// The programs, laid in `../bin`.
static PROGRAMS: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let entry = |(name, behind): &(&str, Behind)| {
        let path = format!("../bin/{name}").into_bytes();
        match behind {
            Behind::Program(at) => Entry::Link(path, at.as_bytes().to_vec()),
            Behind::StandIn(text) => Entry::Program(path, text.as_bytes().to_vec()),
            Behind::Missing | Behind::Refused => Entry::Program(path, logging(name, 127)),
        }
    };
    programs::ALL.iter().map(entry).collect()
});

/// A program that leaves a file of its name in `../log`.
fn logging(name: &str, status: u8) -> Vec<u8> {
    format!("#!{STARTER}\n: >{HOME}/log/{name}\nexit {status}\n").into_bytes()
}

/// How a command is started.
#[derive(Clone, Copy, Default)]
pub(super) struct Setting {
    /// How many canaries there are.
    pub(super) canaries: usize,
    /// In a git repository.
    pub(super) repository: bool,
    /// On a pseudo terminal.
    pub(super) terminal: bool,
    /// Standard output is shown too; on a terminal it is in any case.
    pub(super) shown: bool,
    /// `$0` of bash, if it is not `bash`; for a run without terminal.
    pub(super) name: Option<&'static str>,
}

/// The job that starts bash with an option, `-c` or `-nc`, and a command.
pub(super) fn job(option: &str, command: &[u8], setting: Setting) -> Job {
    let text = |text: &str| text.as_bytes().to_vec();
    let mut tree: Vec<Entry> = FILES
        .iter()
        .map(|(path, content)| Entry::File(text(path), text(content)))
        .collect();
    tree.extend(["../home", "../log"].map(|path| Entry::Directory(text(path))));
    tree.extend(PROGRAMS.iter().cloned());
    tree.extend(
        CANARIES[..setting.canaries]
            .iter()
            .map(|name| Entry::Program(format!("../bin/{name}").into_bytes(), logging(name, 0))),
    );
    let mut start = String::new();
    if setting.repository {
        tree.push(Entry::File(text("../home/.gitconfig"), text(GIT_CONFIG)));
        start += REPOSITORY;
    }
    start += match (setting.terminal, setting.shown) {
        (true, _) => RUN_ON_TERMINAL,
        (false, true) => RUN_SHOWN,
        (false, false) => RUN,
    };
    let mut argv = ["sh", "-c", &start, "sh", option].map(text).to_vec();
    argv.push(command.to_vec());
    argv.extend(setting.name.map(text));
    let env = [
        ("PATH", format!("{HOME}/bin")),
        ("HOME", format!("{HOME}/home")),
        ("LC_ALL", "C.UTF-8".to_owned()),
        ("TERM", "xterm".to_owned()),
    ];
    Job {
        program: STARTER.to_owned(),
        argv,
        env: env
            .map(|(name, value)| (text(name), value.into_bytes()))
            .to_vec(),
        tree,
        stdin: Vec::new(),
        deadline: DEADLINE,
        output_cap: OUTPUT,
        watch: Watch::Snapshot,
    }
}

/// Whether the command mentions git.
pub(super) fn mentions_git(command: &[u8]) -> bool {
    let is_word =
        |byte: Option<&u8>| byte.is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b'_');
    command.windows(3).enumerate().any(|(at, word)| {
        word == b"git" && !is_word(command[..at].last()) && !is_word(command.get(at + 3))
    })
}
