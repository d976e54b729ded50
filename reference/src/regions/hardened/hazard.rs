//! Which names and paths make a shell or a program do more than it is told? (`docs/spec/regions.md`, B-53, C-7, C-8)

use crate::programs::environment::is_ordinary;
use crate::shell::Value;

/// What setting a variable may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// It keeps its value.
    Plain,
    /// Programs obey it, but none runs or finds anything by it if the value is a word without a slash.
    Obeyed,
    /// Anything.
    Unknown,
}

/// Of a variable of this name. `IFS` parts words, and what they are parted into is never relied upon. Prompts and their like
/// are for interactive shells, which are told apart by their options, and get what is exported to run.
pub(super) fn setting(name: &[u8]) -> Setting {
    const PLAIN: [&[u8]; 13] = [
        b"IFS",
        b"REPLY",
        b"OPTARG",
        b"OPTIND",
        b"SECONDS",
        b"MAPFILE",
        b"PS0",
        b"PS1",
        b"PS2",
        b"PS3",
        b"PROMPT_COMMAND",
        b"HISTTIMEFORMAT",
        b"TMOUT",
    ];
    const OBEYED: [&[u8]; 12] = [
        b"LANG",
        b"LANGUAGE",
        b"TZ",
        b"COLUMNS",
        b"LINES",
        b"GREP_COLOR",
        b"GREP_COLORS",
        b"LS_COLORS",
        b"CLICOLOR",
        b"TIMEFORMAT",
        b"GIT_AUTHOR_DATE",
        b"GIT_COMMITTER_DATE",
    ];
    let is_obeyed = OBEYED.contains(&name)
        || [&b"LC_"[..], b"GIT_AUTHOR_", b"GIT_COMMITTER_"]
            .iter()
            .any(|beginning| name.starts_with(beginning));
    match () {
        () if PLAIN.contains(&name) || is_ordinary(name) => Setting::Plain,
        () if is_obeyed => Setting::Obeyed,
        () => Setting::Unknown,
    }
}

/// A variable that arithmetic may set, so that something else is found or run.
pub(super) fn is_obeyed_if_set(name: &[u8]) -> bool {
    const NUMBERS: [&[u8]; 7] = [
        b"RANDOM", b"SRANDOM", b"LINENO", b"UID", b"EUID", b"PPID", b"SHLVL",
    ];
    let is_name = name.first().is_some_and(|first| !first.is_ascii_digit());
    is_name && setting(name) == Setting::Unknown && !NUMBERS.contains(&name)
}

/// A variable of the shell whose value is evaluated when it is set.
pub(super) fn is_integer(name: &[u8]) -> bool {
    matches!(name, b"OPTIND" | b"SECONDS")
}

/// Does a variable of this name hold what it was set to until it is set again?
pub(super) fn keeps_its_value(name: &[u8]) -> bool {
    const OTHERS: [&[u8]; 5] = [
        b"FUNCNAME",
        b"MAPFILE",
        b"PIPESTATUS",
        b"EPOCHSECONDS",
        b"EPOCHREALTIME",
    ];
    is_ordinary(name) && !OTHERS.contains(&name)
}

/// Does the shell keep the text of commands in the variable of this name?
pub(super) fn holds_own_text(name: &[u8]) -> bool {
    const OTHERS: [&[u8]; 8] = [
        b"BASH",
        b"BASHPID",
        b"BASHOPTS",
        b"BASH_VERSION",
        b"BASH_VERSINFO",
        b"BASH_SUBSHELL",
        b"BASH_SOURCE",
        b"BASH_REMATCH",
    ];
    name.starts_with(b"BASH") && !OTHERS.contains(&name)
}

/// Can no program be called so? Bare names of programs keep to these characters.
pub(super) fn names_no_program(name: &[u8]) -> bool {
    let is_usual = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.+-[:@%,=^~!".contains(byte);
    let begins = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.[:".contains(byte);
    let is_name = name.first().is_some_and(begins) && name.iter().all(is_usual);
    !is_name && !name.contains(&b'/')
}

/// Does the shell itself do what this verb says, if it is no function?
pub(super) fn is_builtin(verb: &[u8]) -> bool {
    const NAMES: &str = " . : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs \
        disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd \
        printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit \
        umask unalias unset wait ";
    NAMES.split_whitespace().any(|name| name.as_bytes() == verb)
}

/// A builtin that is done with its environment when it is done, and finds and runs nothing by it.
pub(super) fn obeys_nothing(verb: &[u8]) -> bool {
    matches!(
        verb,
        b"echo" | b"printf" | b"true" | b"false" | b":" | b"test" | b"[" | b"pwd"
    )
}

/// A program that tells how others were started.
pub(super) fn tells_processes(verb: &[u8]) -> bool {
    matches!(
        verb,
        b"ps" | b"pgrep" | b"top" | b"htop" | b"pstree" | b"w" | b"lsof" | b"fuser"
    )
}

/// A builtin that never tells its operands as an error.
pub(super) fn tells_nothing(verb: &[u8]) -> bool {
    matches!(verb, b"echo" | b":" | b"true" | b"false")
}

/// A program that puts nothing into the files that it changes.
pub(super) fn makes_no_content(verb: &[u8]) -> bool {
    matches!(
        verb,
        b"rm" | b"rmdir" | b"unlink" | b"chmod" | b"chown" | b"chgrp" | b"touch" | b"mkdir"
    )
}

/// An option of `shopt` or `set -o` that changes nothing of what is relied upon here. Comments are an option of interactive
/// shells.
pub(super) fn is_harmless_option(name: &[u8], may_be_interactive: bool) -> bool {
    match name {
        b"extglob" | b"nocasematch" | b"failglob" => true,
        b"interactive_comments" | b"interactive-comments" => !may_be_interactive,
        _ => false,
    }
}

/// A word that an unknown program could at most take for the name of a program or file.
pub(super) fn is_simple(value: &Value) -> bool {
    let is_usual = |byte: &u8| byte.is_ascii_alphanumeric() || b"_./:=,@%+-~".contains(byte);
    value.is_known() && value.prefix.iter().all(is_usual) && !holds(&value.prefix, b"proc")
}

/// Does the command name what tells a process what another one was started with?
pub(super) fn mentions_processes(command: &[u8]) -> bool {
    let words: [&[u8]; 5] = [b"/proc", b"cmdline", b"PPID", b"BASH", b"ps "];
    words.iter().any(|word| holds(command, word))
}

/// Does the command name, or ask for, a place where programs or their configuration are?
pub(super) fn mentions_places(command: &[u8]) -> bool {
    let words: [&[u8]; 10] = [
        b"bin/",
        b"/bin",
        b".git",
        b"hooks",
        b"PATH",
        b"which",
        b"command -v",
        b"git-dir",
        b"/.",
        b"~",
    ];
    words.iter().any(|word| holds(command, word))
}

/// May a path that does not begin with `/dev/` or `/proc/` lead there all the same?
pub(super) fn may_be_device(path: &[u8], is_elsewhere: bool) -> bool {
    const NAMES: [&[u8]; 6] = [b"dev", b"proc", b"fd", b"stdin", b"stdout", b"stderr"];
    let components = || path.split(|&byte| byte == b'/');
    let is_indirect = match path.strip_prefix(b"/") {
        Some(rest) => {
            let mut parts = rest.split(|&byte| byte == b'/');
            parts.any(|one| matches!(one, b"" | b"." | b".."))
        }
        None => is_elsewhere || components().any(|one| one == b".."),
    };
    is_indirect && components().any(|one| NAMES.contains(&one))
}

/// May what is written there be run later, or obeyed, by a program that is not told so?
pub(super) fn is_place_of_programs(path: &[u8]) -> bool {
    const HARMLESS: [&[u8]; 9] = [
        b".",
        b".gitignore",
        b".gitattributes",
        b".github",
        b".gitlab-ci.yml",
        b".dockerignore",
        b".editorconfig",
        b".env",
        b".vscode",
    ];
    let is_absolute = path.starts_with(b"/");
    let is_temporary = path.starts_with(b"/tmp/") || path.starts_with(b"/var/tmp/");
    let mut components = path.split(|&byte| byte == b'/');
    is_absolute && !is_temporary
        || components
            .any(|one| one.ends_with(b"bin") || one.starts_with(b".") && !HARMLESS.contains(&one))
}

/// Is the part in the text?
pub(super) fn holds(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}
