//! Which programs can a command start? One folder of a fixed set: the distribution's, and stand-ins for what must not or
//! cannot be real (`docs/spec/regions.md`, tags `shim:NAME`).

use std::path::Path;
use std::sync::LazyLock;

/// The programs of the distribution that a case may start.
const REAL: &str = "bash dash zsh mksh ksh busybox env true false cat ls cp mv mkdir rmdir touch chmod ln tee wc sort uniq \
    head tail tr cut paste rev nl od seq date sleep basename dirname readlink realpath stat test [ expr printf echo pwd \
    id uname yes xargs find grep egrep fgrep sed gawk mawk git perl python3 make ed jq tar gzip gunzip zcat base64 \
    sha256sum diff cmp comm patch timeout nice nohup setsid stdbuf script watch flock ionice taskset \
    su parallel vim less man gdb sqlite3 tclsh tmux screen rg ack ag mktemp mkfifo kill ps col column fold fmt \
    expand tac split csplit shuf factor numfmt install dd rm which file m4 bc gcc g++ c++ as ld cc chroot sync \
    getopt hostname whoami tty stty mesg curl wget zip unzip openssl go";

/// Programs that need privileges which no box gives.
const REFUSED: [&str; 2] = ["unshare", "nsenter"];

/// Programs that go by another name than their own.
const ALIASES: [(&str, &str); 2] = [("sh", "dash"), ("awk", "gawk")];

/// Where a program of the distribution is looked for, inside the box as outside.
const FOLDERS: [&str; 4] = ["/usr/bin", "/usr/sbin", "/usr/games", "/usr/local/bin"];

/// Packages that bring programs of other names than their own, as Debian calls them.
const PACKAGES: [(&str, &str); 14] = [
    ("ripgrep", "rg"),
    ("silversearcher-ag", "ag"),
    ("nodejs", "node"),
    ("openssh-client", "ssh"),
    ("tcl", "tclsh"),
    ("golang-go", "go"),
    ("man-db", "man"),
    ("findutils", "find xargs"),
    ("diffutils", "cmp"),
    ("bsdutils", "script"),
    ("bsdextrautils", "col column"),
    ("debianutils", "which"),
    ("procps", "ps watch kill"),
    (
        "util-linux",
        "flock setsid rev getopt ionice taskset su mesg unshare nsenter",
    ),
];

/// Drops its own options and executes the rest.
const BY_ANOTHER_USER: &str = r#"#!/usr/bin/dash
while [ $# -gt 0 ]; do
  case $1 in
    -u|-g|-h|-p|-C|-D|-R|-T|-U|-r|-t) shift; shift;;
    --) shift; break;;
    -*) shift;;
    *=*) export "$1"; shift;;
    *) break;;
  esac
done
[ $# -eq 0 ] && exit 0
exec "$@"
"#;

/// The real client where a local program is the way out; else the remote side is played by a local shell.
const ON_ANOTHER_HOST: &str = r#"#!/usr/bin/dash
case "$*" in *ProxyCommand*) exec /usr/bin/ssh "$@";; esac
while [ $# -gt 0 ]; do
  case $1 in
    -[bcDEeFIiJLlmOopQRSWw]) shift; shift;;
    -*) shift;;
    *) break;;
  esac
done
[ $# -eq 0 ] && exit 255
shift
if [ $# -eq 0 ]; then exec sh; fi
exec sh -c "$*"
"#;

/// Executes what is to run in the container.
const IN_A_CONTAINER: &str = r#"#!/usr/bin/dash
sub=$1; shift
case $sub in exec|run) ;; *) exit 0;; esac
for a in "$@"; do [ "$a" = -- ] && dd=1; done
if [ -n "$dd" ]; then while [ "$1" != -- ]; do shift; done; shift; exec "$@"; fi
while [ $# -gt 0 ]; do
  case $1 in
    -e|-u|-w|-v|-p|-n|-c|-m|--name|--entrypoint|--user|--workdir) shift; shift;;
    -*) shift;;
    *) break;;
  esac
done
[ $# -gt 0 ] && shift
[ $# -eq 0 ] && exit 0
exec "$@"
"#;

/// The real program without the room for compiled code, which is more than the memory of the box.
const NODE: &str = r#"#!/usr/bin/dash
exec /usr/bin/node --jitless --no-expose-wasm "$@"
"#;

/// Accepts anything and does nothing.
const NOTHING: &str = "#!/usr/bin/dash\nexit 0\n";

const STAND_INS: [(&str, &str); 15] = [
    ("sudo", BY_ANOTHER_USER),
    ("doas", BY_ANOTHER_USER),
    ("ssh", ON_ANOTHER_HOST),
    ("docker", IN_A_CONTAINER),
    ("kubectl", IN_A_CONTAINER),
    ("gh", NOTHING),
    ("glab", NOTHING),
    ("hg", NOTHING),
    ("svn", NOTHING),
    ("logger", NOTHING),
    ("mail", NOTHING),
    ("slack", NOTHING),
    ("npm", NOTHING),
    ("aws", NOTHING),
    ("terraform", NOTHING),
];

/// What stands behind a name.
pub(super) enum Behind {
    /// The program at this path.
    Program(String),
    /// This script.
    StandIn(&'static str),
    /// Nothing: the program is not there.
    Missing,
    /// Nothing: the box cannot run the program.
    Refused,
}

/// All names and what stands behind them on this machine; names are distinct.
pub(super) static ALL: LazyLock<Vec<(&str, Behind)>> = LazyLock::new(|| {
    let real = REAL.split(' ').map(|name| (name, name)).chain(ALIASES);
    let real = real.map(|(name, program)| (name, found(program).map(Behind::Program)));
    let node = found("node").map(|_| Behind::StandIn(NODE));
    let refused = REFUSED.map(|name| (name, found(name).map(|_| Behind::Refused)));
    real.chain([("node", node)])
        .chain(refused)
        .map(|(name, behind)| (name, behind.unwrap_or(Behind::Missing)))
        .chain(STAND_INS.map(|(name, text)| (name, Behind::StandIn(text))))
        .collect()
});

/// Is nothing of use behind this name?
pub(super) fn is_absent(name: &str) -> bool {
    matches!(behind(name), Some(Behind::Missing | Behind::Refused))
}

/// Is a program of the distribution behind this name?
pub(super) fn is_real(name: &str) -> bool {
    matches!(behind(name), Some(Behind::Program(_)))
}

fn behind(name: &str) -> Option<&'static Behind> {
    let named = ALL.iter().find(|(other, _)| *other == name);
    named.map(|(_, behind)| behind)
}

/// Where a program of the distribution is.
fn found(program: &str) -> Option<String> {
    FOLDERS
        .iter()
        .map(|folder| format!("{folder}/{program}"))
        .find(|path| Path::new(path).exists())
}

/// Why a program that was asked for did not do its work, and what helps.
pub(super) fn lack(name: &str) -> String {
    match found(alias(name)) {
        None => format!(
            "no {name} is in the box; install the package {}",
            package(name)
        ),
        Some(_) if REFUSED.contains(&name) => {
            format!("{name} needs privileges that the box does not give")
        }
        Some(path) => format!("{path} is in the box, and failed"),
    }
}

/// The name of the program itself.
fn alias(name: &str) -> &str {
    let alias = ALIASES.iter().find(|(other, _)| *other == name);
    alias.map_or(name, |(_, program)| program)
}

/// The package that brings the program of this name.
fn package(name: &str) -> &str {
    let program = alias(name);
    let brings = |(_, programs): &&(&str, &str)| programs.split(' ').any(|one| one == program);
    let package = PACKAGES.iter().find(brings);
    package.map_or(program, |(package, _)| package)
}
