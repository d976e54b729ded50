//! What does danger look like, and what stands around it?
//!
//! Whether any of it runs is for bash to say; when it does, its verb is a canary, or nothing behind it can be harmed.

use super::construct::ShellConstruct::{self, OperandOfEcho, OperandOfPrintf};

/// Commands that a guard has to stop; no quotes, so that they may stand in any.
pub(super) const DANGERS: [&str; 16] = [
    "rm -rf /",
    "mkfs /dev/sda",
    "dd if=x",
    "docker volume rm v",
    "rm -rf ~/work",
    "rm -rf build",
    "shred -u id.key",
    "git push --force",
    "chmod -R 777 /etc",
    "wipefs -a /dev/sdb",
    "kubectl delete namespace prod",
    "terraform destroy -auto-approve",
    "git reset --hard HEAD~3",
    "dd if=/dev/zero of=/dev/sda",
    "shutdown -h now",
    "docker system prune -af",
];

/// The same with quotes, substitutions and comments of their own; each is a whole command.
pub(super) const QUOTED: [&str; 7] = [
    "rm -rf \"$(ls)\"",
    "rm -rf 'a b'",
    "rm -rf \"$HOME/x\"",
    "dd if='x' of=\"y\"",
    "rm -rf a\\ b",
    "rm -rf \"it's\"",
    "rm -rf `pwd`",
];

/// Those that may be names of files.
pub(super) const NAMES: [&str; 8] = [
    "rm -rf build",
    "docker volume rm v",
    "dd if=x",
    "git push --force",
    "shred -u id.key",
    "kubectl delete namespace prod",
    "shutdown -h now",
    "git reset --hard HEAD~3",
];

/// Verbs alone.
pub(super) const VERBS: [&str; 4] = ["rm", "mkfs", "shred", "wipefs"];

/// Words that hold one.
pub(super) const OPERANDS: [(u16, &str); 6] = [
    (40, "\"%x\""),
    (34, "'%x'"),
    (8, "\"a %x b\""),
    (6, "'it: %x'"),
    (6, "\"say \\\"%x\\\"\""),
    (6, "$'%x'"),
];

/// Commands that print one as a line, or at the end of one.
pub(super) const EMITTERS: [(u16, (ShellConstruct, &str)); 6] = [
    (40, (OperandOfEcho, "echo \"%x\"")),
    (25, (OperandOfEcho, "echo '%x'")),
    (15, (OperandOfPrintf, "printf '%%s\\n' \"%x\"")),
    (8, (OperandOfPrintf, "printf '%x\\n'")),
    (6, (OperandOfEcho, "echo \"ls; %x\"")),
    (6, (OperandOfEcho, "echo $'%x'")),
];

/// Commands that end at once and start nothing that could be wanted in a fragment.
pub(super) const HARMLESS: [&str; 20] = [
    "ls",
    "echo x",
    "true",
    "cat f",
    ":",
    "pwd",
    "wc -l f",
    "echo \"a b\"",
    "grep -q x f",
    "echo 'it'",
    "ls -la d",
    "printf '%s\\n' x",
    "x=1",
    "mkdir -p z",
    "[ -d d ]",
    "cat < f",
    "echo \"$(pwd)\"",
    "ls | head -n 1",
    "export Y='a b'",
    "test -f f",
];

/// Shells that read their commands from standard input.
pub(super) const SHELLS: [&str; 8] = [
    "sh",
    "bash",
    "dash",
    "bash -s",
    "sh -",
    "bash -e",
    "bash -x",
    "bash /dev/stdin",
];

/// Shells by their names, in ways to write them.
pub(super) const SHELL_NAMES: [(u16, &str); 12] = [
    (90, "sh"),
    (60, "bash"),
    (20, "dash"),
    (10, "/bin/sh"),
    (10, "env sh"),
    (8, "command bash"),
    (8, "\\sh"),
    (8, "b\"as\"h"),
    (8, "nice sh"),
    (8, "timeout 5 bash"),
    (8, "bash --norc"),
    (6, "A=1 sh"),
];

/// Programs that pass lines on as they are.
pub(super) const FILTERS: [&str; 11] = [
    "cat",
    "tee out",
    "head -n 9",
    "tail -n 9",
    "sort",
    "grep .",
    "sed 's/q/q/'",
    "tr q q",
    "cut -d: -f1",
    "rev | rev",
    "base64 | base64 -d",
];

/// Programs that read and print, and run nothing of it.
pub(super) const READERS: [&str; 8] = [
    "cat",
    "wc -c",
    "grep x",
    "sort",
    "head -n 1",
    "tr a b",
    "tee -a notes.md",
    "sha256sum",
];

/// Where harmless output goes.
pub(super) const OUTPUTS: [&str; 7] = [
    "",
    " >&2",
    " >> notes.md",
    " > out",
    " | wc -c",
    " | sort | uniq",
    " >/dev/null",
];

/// Words that hold what a scanner may stumble over.
pub(super) const WORDS: [&str; 14] = [
    "a",
    "'a b'",
    "\"a\"",
    "a#b",
    "\\#",
    "'#'",
    "\"<<E\"",
    "$HOME",
    "${x:-y}",
    "a\\ b",
    "'\"'",
    "\"'\"",
    "$'a\\'b'",
    "\"$(pwd)\"",
];
