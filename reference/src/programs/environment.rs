//! Which variables are just variables?

use crate::shell::Value;

/// Names that a shell or a program of the table obeys, though most that begin so are nobody's.
const NAMES: &[&str] = &[
    "AUTO_RESUME",
    "BLOCKSIZE",
    "CC",
    "CDPATH",
    "CFLAGS",
    "CHILD_MAX",
    "CLASSPATH",
    "COLUMNS",
    "COMP_WORDBREAKS",
    "COMPREPLY",
    "CPPFLAGS",
    "CXX",
    "DISPLAY",
    "EDITOR",
    "EMACS",
    "ENV",
    "EXECIGNORE",
    "FCEDIT",
    "FIGNORE",
    "FPATH",
    "FUNCNEST",
    "GCONV_PATH",
    "GLOBIGNORE",
    "GZIP",
    "HOME",
    "HOSTALIASES",
    "HOSTFILE",
    "IFS",
    "IGNOREEOF",
    "INPUTRC",
    "KSH_VERSION",
    "LINES",
    "LOCALDOMAIN",
    "LOCPATH",
    "LOGNAME",
    "LANG",
    "LANGUAGE",
    "LINENO",
    "MAKE",
    "MAKEFILES",
    "MAKEFLAGS",
    "MAKELEVEL",
    "MFLAGS",
    "MAIL",
    "MAILCHECK",
    "MAILPATH",
    "MALLOC_TRACE",
    "MANLESS",
    "MANOPT",
    "MANPAGER",
    "MANPATH",
    "MANROFFOPT",
    "MANROFFSEQ",
    "MANSECT",
    "MANWIDTH",
    "NLSPATH",
    "NODE_OPTIONS",
    "OLDPWD",
    "OPTARG",
    "OPTERR",
    "OPTIND",
    "PATH",
    "PATHEXT",
    "POSIXLY_CORRECT",
    "PPID",
    "PROMPT",
    "PROMPT_COMMAND",
    "PROMPT_DIRTRIM",
    "PWD",
    "RANDOM",
    "RESOLV_HOST_CONF",
    "RES_OPTIONS",
    "RSYNC_RSH",
    "CVS_RSH",
    "SECONDS",
    "SED",
    "SHELL",
    "SHELLOPTS",
    "SHLVL",
    "SRANDOM",
    "SUDO_ASKPASS",
    "SVN_EDITOR",
    "SYSTEMD_EDITOR",
    "SYSTEMD_PAGER",
    "TAPE",
    "TAR_OPTIONS",
    "TERM",
    "TERMCAP",
    "TERMINFO",
    "TERMINFO_DIRS",
    "TIMEFORMAT",
    "TMOUT",
    "TMPDIR",
    "TMP",
    "TEMP",
    "TMPPREFIX",
    "TZ",
    "TZDIR",
    "UID",
    "EUID",
    "GROUPS",
    "UNZIP",
    "USER",
    "VIMINIT",
    "EXINIT",
    "VIM",
    "VIMRUNTIME",
    "WGETRC",
    "XAUTHORITY",
    "XZ_OPT",
    "XZ_DEFAULTS",
    "ZIPOPT",
    "ZDOTDIR",
    "_",
];

/// Beginnings of names of which there are many.
const BEGINNINGS: &[&str] = &[
    "ACK",
    "ANT_",
    "AWK",
    "BASH",
    "BUNDLE",
    "BZIP",
    "CARGO",
    "CLICOLOR",
    "COMP_",
    "COPROC",
    "COREPACK",
    "CURL_",
    "DEBUGINFOD",
    "DIFF_",
    "DIRSTACK",
    "DOCKER",
    "DYLD_",
    "EXTENDED_",
    "FC_",
    "GAWK",
    "GCC_",
    "GDB",
    "GEM_",
    "GH_",
    "GIT",
    "GLIBC_",
    "GNUPG",
    "GO",
    "GRADLE",
    "GREP_",
    "GTK_",
    "GZIP_",
    "HG",
    "HIST",
    "JAVA",
    "JDK_",
    "JQ_",
    "KUBE",
    "LC_",
    "LD_",
    "LESS",
    "LS_",
    "LUA",
    "MAVEN_",
    "MORE",
    "MYSQL",
    "NODE_",
    "NPM_",
    "npm_",
    "OPENSSL_",
    "PAGER",
    "PERL",
    "PG",
    "PHP",
    "PIP_",
    "PKG_",
    "PS0",
    "PS1",
    "PS2",
    "PS3",
    "PS4",
    "PSQL_",
    "PYTHON",
    "QT_",
    "READLINE_",
    "RIPGREP_",
    "RUBY",
    "RUST",
    "RUSTC",
    "SQLITE_",
    "SSH_",
    "SSL_",
    "TCL",
    "TEXTDOMAIN",
    "TMUX",
    "UV_",
    "VISUAL",
    "XDG_",
    "YARN_",
    "ZSH",
    "http_",
    "https_",
    "all_proxy",
    "no_proxy",
    "HTTP_",
    "HTTPS_",
    "ALL_PROXY",
    "NO_PROXY",
];

/// Does no shell or program of the table run something, or find its programs, files or options elsewhere, because of this
/// variable? (`docs/spec/regions.md`, C-7.)
///
/// Not what is no name. What says where a home, a configuration or a library is counts as elsewhere.
pub fn is_ordinary(name: &[u8]) -> bool {
    let is_name = matches!(name, [b'A'..=b'Z' | b'a'..=b'z' | b'_', ..])
        && name
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    is_name
        && !NAMES.iter().any(|other| other.as_bytes() == name)
        && !BEGINNINGS
            .iter()
            .any(|beginning| name.starts_with(beginning.as_bytes()))
}

/// Variables that change how something is shown, named or dated, and nothing else, whatever their value.
const SHOWING: &[&str] = &[
    "COLUMNS",
    "GIT_ADVICE",
    "GIT_AUTHOR_DATE",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_NAME",
    "GIT_COMMITTER_DATE",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_MERGE_AUTOEDIT",
    "GIT_OPTIONAL_LOCKS",
    "GIT_TERMINAL_PROMPT",
    "GREP_COLOR",
    "GREP_COLORS",
    "LINES",
    "LS_COLORS",
    "NPM_CONFIG_YES",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONHASHSEED",
    "PYTHONIOENCODING",
    "PYTHONUNBUFFERED",
    "PYTHONUTF8",
    "RUST_BACKTRACE",
    "RUST_LOG",
];
/// Variables whose value is a program, to which one writes one that does nothing.
const PAGERS: &[&str] = &[
    "GIT_PAGER",
    "GH_PAGER",
    "MANPAGER",
    "PAGER",
    "SYSTEMD_PAGER",
];

/// Is nothing run, and nothing found elsewhere, because this variable has this value? As [`is_ordinary`], and besides the
/// locales that every machine has, a pager that is `cat`, and the like.
pub fn is_harmless(name: &[u8], value: &Value) -> bool {
    let is_one_of = |names: &[&str]| names.iter().any(|other| other.as_bytes() == name);
    let is = |values: &[&str]| {
        value.is_known() && values.iter().any(|other| other.as_bytes() == value.prefix)
    };
    let is_locale = name == b"LANG" || name == b"LANGUAGE" || name.starts_with(b"LC_");
    is_ordinary(name)
        || is_one_of(SHOWING)
        || (is_locale
            && is(&[
                "",
                "C",
                "POSIX",
                "C.UTF-8",
                "C.utf8",
                "en_US.UTF-8",
                "en_US.utf8",
            ]))
        || (is_one_of(PAGERS) && is(&["", "cat"]))
        || (name == b"TZ" && is(&["", "UTC", "UTC0", "GMT"]))
        || (name == b"TERM" && is(&["dumb", "xterm", "xterm-256color", "vt100"]))
}

#[cfg(test)]
mod tests {
    use super::is_ordinary;

    #[test]
    fn names_that_people_choose_are_ordinary() {
        for name in [
            "MSG", "X", "FILE", "DIR", "TITLE", "BODY", "i", "line", "msg", "VERSION", "body",
            "_x", "branch", "name", "PAT",
        ] {
            assert!(is_ordinary(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn names_that_something_obeys_are_not() {
        for name in [
            "PATH",
            "IFS",
            "CDPATH",
            "ENV",
            "BASH_ENV",
            "BASH_FUNC_x%%",
            "PS4",
            "PROMPT_COMMAND",
            "SHELLOPTS",
            "GLOBIGNORE",
            "HISTFILE",
            "EDITOR",
            "VISUAL",
            "PAGER",
            "MANPAGER",
            "LESSOPEN",
            "GIT_EDITOR",
            "SSH_ASKPASS",
            "LD_PRELOAD",
            "RIPGREP_CONFIG_PATH",
            "ACK_PAGER",
            "PYTHONSTARTUP",
            "PERL5OPT",
            "RUBYOPT",
            "NODE_OPTIONS",
            "MAKEFLAGS",
            "TAR_OPTIONS",
            "GREP_OPTIONS",
            "HOME",
            "SHELL",
            "_",
            "",
            "1",
            "a b",
            "x[0]",
            "OPTIND",
        ] {
            assert!(!is_ordinary(name.as_bytes()), "{name}");
        }
    }
}
