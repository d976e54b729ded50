//! Which versions does the stored truth hold for, and which are here? The versions that `corpus/README.md` names for the
//! `regions` cases, and what the programs in the box say of themselves.

use super::command::put;
use super::fixture::Setting;
use super::programs;
use crate::sandbox::{End, Pool, Watch};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// The version of bash whose truth the corpus holds.
pub const VERSION: &str = "5.2.15";

/// Programs that come together, and in which version they were measured.
struct Component {
    name: &'static str,
    /// The first numbers of the version.
    version: &'static str,
    /// The command that prints its version.
    ask: &'static str,
    programs: &'static str,
}

const fn of(
    name: &'static str,
    version: &'static str,
    ask: &'static str,
    programs: &'static str,
) -> Component {
    Component {
        name,
        version,
        ask,
        programs,
    }
}

impl Component {
    fn brings(&self, program: &str) -> bool {
        let mut names = self.programs.split_ascii_whitespace();
        names.any(|name| name == program)
    }
}

const COMPONENTS: [Component; 35] = [
    of(
        "coreutils",
        "9.1",
        "ls --version",
        "[ base64 basename cat chmod chroot comm cp csplit cut date dd dirname echo env expand expr factor false fmt fold \
         head id install ln ls mkdir mkfifo mktemp mv nice nl nohup numfmt od paste printf pwd readlink realpath rm rmdir seq \
         sha256sum shuf sleep sort split stat stdbuf stty sync tac tail tee test timeout touch tr true tty uname uniq wc \
         whoami yes",
    ),
    of("ack", "3.6", "ack --version", "ack"),
    of("ag", "2.2", "ag --version", "ag"),
    of("busybox", "1.35", "busybox", "busybox"),
    of("curl", "7.88", "curl --version", "curl"),
    of("diffutils", "3.8", "diff --version", "diff cmp"),
    of("ed", "1.19", "ed --version", "ed"),
    of("findutils", "4.9", "find --version", "find xargs"),
    of("gawk", "5.2", "gawk --version", "awk gawk"),
    of("gdb", "13.1", "gdb --version", "gdb"),
    of("git", "2.39", "git --version", "git"),
    of("grep", "3.8", "grep --version", "grep egrep fgrep"),
    of("hostname", "3.23", "hostname --version", "hostname"),
    of("jq", "1.6", "jq --version", "jq"),
    of("less", "590", "less --version", "less"),
    of("make", "4.3", "make --version", "make"),
    of("mksh", "59", "mksh -c 'echo \"$KSH_VERSION\"'", "mksh ksh"),
    of("node", "20", "node --version", "node"),
    of("openssl", "3.0", "openssl version", "openssl"),
    of("parallel", "20221122", "parallel --version", "parallel"),
    of("patch", "2.7", "patch --version", "patch"),
    of("perl", "5.36", "perl --version", "perl"),
    of("procps", "4.0", "ps --version", "ps watch kill"),
    of("python3", "3.11", "python3 --version", "python3"),
    of("rg", "15.2", "rg --version", "rg"),
    of("sed", "4.9", "sed --version", "sed"),
    of("sqlite3", "3.40", "sqlite3 --version", "sqlite3"),
    of("ssh", "9.2", "/usr/bin/ssh -V", "ssh"),
    of("tar", "1.34", "tar --version", "tar"),
    of(
        "tclsh",
        "8.6",
        "echo 'puts $tcl_patchLevel' | tclsh",
        "tclsh",
    ),
    of("tmux", "3.3", "tmux -V", "tmux"),
    of(
        "util-linux",
        "2.38",
        "script --version",
        "flock getopt ionice rev script setsid su taskset",
    ),
    of("vim", "9.0", "vim --version", "vim"),
    of("zip", "3.0", "zip -v", "zip"),
    of("zsh", "5.9", "zsh --version", "zsh"),
];

/// The versions of one pool's box, asked for when they are needed.
pub(super) struct Versions {
    here: [OnceLock<Option<String>>; COMPONENTS.len()],
}

impl Versions {
    /// None asked for yet.
    pub(super) const fn new() -> Self {
        Versions {
            here: [const { OnceLock::new() }; COMPONENTS.len()],
        }
    }

    /// What is here in another version than the named one, of what a case started, or not known to be right: a text
    /// for each.
    pub(super) fn others(&self, pool: &Pool, started: &BTreeSet<String>) -> Vec<String> {
        let used = |component: &Component| started.iter().any(|name| component.brings(name));
        let components = COMPONENTS.iter().zip(&self.here);
        let other = |(component, here): (&Component, &OnceLock<Option<String>>)| {
            let here = here.get_or_init(|| asked(pool, component.ask));
            let (name, version) = (component.name, component.version);
            match here {
                Some(here) if begins(here, version) => None,
                Some(here) => Some(format!("{name} is {here}, the case is for {version}")),
                None => Some(format!(
                    "{name} does not say its version, the case is for {version}"
                )),
            }
        };
        let unnamed = started.iter().filter(|name| {
            programs::is_real(name) && !COMPONENTS.iter().any(|one| one.brings(name))
        });
        components
            .filter(|(component, _)| used(component))
            .filter_map(other)
            .chain(
                unnamed.map(|name| format!("for no version of {name} is the case known to hold")),
            )
            .collect()
    }
}

/// The version of bash in the box, for example `5.2.15`; `None`: there is none that could be asked.
pub fn version(pool: &Pool) -> Option<String> {
    said(pool, "echo \"${BASH_VERSION%%(*}\" >&2").filter(|version| !version.is_empty())
}

fn asked(pool: &Pool, ask: &str) -> Option<String> {
    let said = said(pool, &format!("{{ {ask}; }} >&2"))?;
    number(&said).map(str::to_owned)
}

/// What a command says on standard error when it ends well.
fn said(pool: &Pool, command: &str) -> Option<String> {
    let setting = Setting::default();
    let seen = put(pool, "-c", command.as_bytes(), setting, Watch::Snapshot).ok()?;
    let said = String::from_utf8_lossy(&seen.stderr).trim().to_owned();
    (seen.end == End::Exit(0)).then_some(said)
}

/// The first number with a point in it, else the first number.
fn number(said: &str) -> Option<&str> {
    let numbers = || {
        let part = |c: char| !c.is_ascii_digit() && c != '.';
        let numbers = said.split(part).map(|number| number.trim_matches('.'));
        numbers.filter(|number| !number.is_empty())
    };
    numbers()
        .find(|number| number.contains('.'))
        .or_else(|| numbers().next())
}

/// Is a version the named one, or one that it leaves open?
fn begins(version: &str, named: &str) -> bool {
    version
        .strip_prefix(named)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_from_what_a_program_says() {
        for (said, version) in [
            ("ripgrep 13.0.0", Some("13.0.0")),
            (
                "This is perl 5, version 36, subversion 0 (v5.36.0) built",
                Some("5.36.0"),
            ),
            ("OpenSSH_9.2p1 Debian-2, OpenSSL 3.0.19", Some("9.2")),
            ("@(#)MIRBSD KSH R59 2022/12/01 +Debian", Some("59")),
            ("GNU parallel 20221122.", Some("20221122")),
            ("no number.", None),
        ] {
            assert_eq!(number(said), version, "{said}");
        }
    }

    #[test]
    fn a_named_version_leaves_further_numbers_open() {
        assert!(begins("5.2.1", "5.2") && begins("5.2", "5.2"));
        assert!(!begins("5.21", "5.2") && !begins("5", "5.2") && !begins("15.2", "5.2"));
    }

    #[test]
    fn the_page_names_every_version() {
        let page = include_str!("../../../corpus/README.md");
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        for Component { name, version, .. } in COMPONENTS {
            let named = format!("{name} {version}");
            assert!(
                page.contains(&named),
                "corpus/README.md does not name {named}"
            );
        }
        assert!(page.contains(&format!("bash {VERSION}")));
    }
}
