//! What did the command do? The observation of one traced run, put into the words of a report.
//!
//! Paths are relative to the working directory, cleaned of `.` and `..` without a look at links. What the fixture did before
//! bash started is no part of it. Reads of the loader, the locale and the process's own entries are counted only
//! (`docs/spec/harness.md` section 8).

use differential::bash::Undecided;
use differential::sandbox::{CWD, Call, Change, End, Event, HOME, Observation};
use nix::fcntl::OFlag;
use std::collections::BTreeSet;

/// Folders and files that every program reads, and the devices that hold nothing.
const AMBIENT: [&[u8]; 8] = [
    b"/etc/ld.so.",
    b"/usr/lib/locale/",
    b"/usr/share/locale",
    b"/usr/share/i18n/",
    b"/proc/",
    b"/dev/fd/",
    b"/dev/null",
    b"/dev/tty",
];

/// What one run did.
pub(crate) struct Account {
    /// How bash ended.
    pub(crate) end: End,
    /// The programs that bash and what it started executed, or tried to, in order.
    pub(crate) programs: Vec<Program>,
    /// Why some of them did not do their work: they are not in the box, or it cannot run them.
    pub(crate) missing: Option<String>,
    /// Files opened for their content.
    pub(crate) read: BTreeSet<Vec<u8>>,
    /// Folders opened for their names.
    pub(crate) listed: BTreeSet<Vec<u8>>,
    /// Not there before.
    pub(crate) created: BTreeSet<Vec<u8>>,
    /// Other content, mode or link text.
    pub(crate) changed: BTreeSet<Vec<u8>>,
    /// From, to.
    pub(crate) renamed: BTreeSet<(Vec<u8>, Vec<u8>)>,
    /// Not there any more.
    pub(crate) removed: BTreeSet<Vec<u8>>,
    /// Made, opened for writing or altered, and nothing is left of it.
    pub(crate) no_trace: BTreeSet<Vec<u8>>,
    /// What it wanted and did not get.
    pub(crate) failed: BTreeSet<Failed>,
    /// Sockets asked for: address family and error number, or 0.
    pub(crate) sockets: BTreeSet<(i32, i32)>,
    /// How many reads are counted only.
    pub(crate) ambient: usize,
    /// Standard output and standard error, up to the cap.
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

/// A program that was executed, or was to be.
pub(crate) struct Program {
    /// Number of the process.
    pub(crate) process: u32,
    /// The path that was handed to the kernel.
    pub(crate) path: Vec<u8>,
    /// Its words.
    pub(crate) argv: Vec<Vec<u8>>,
    /// 0 or the error number.
    pub(crate) errno: i32,
}

/// A file that was not opened or altered.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Failed {
    /// Which.
    pub(crate) path: Vec<u8>,
    /// The system call, or what the file was to be opened for.
    pub(crate) what: String,
    /// The error number.
    pub(crate) errno: i32,
}

impl Account {
    /// Reads the observation; `None`: bash was not started.
    pub(crate) fn of(seen: Observation) -> Option<Account> {
        let start = seen.events.iter().position(is_bash)?;
        let (before, after) = (&seen.events[..start], &seen.events[start + 1..]);
        let mut account = Account {
            end: seen.end,
            programs: after.iter().filter_map(program).collect(),
            missing: None,
            read: BTreeSet::new(),
            listed: BTreeSet::new(),
            created: BTreeSet::new(),
            changed: BTreeSet::new(),
            renamed: BTreeSet::new(),
            removed: BTreeSet::new(),
            no_trace: BTreeSet::new(),
            failed: BTreeSet::new(),
            sockets: BTreeSet::new(),
            ambient: 0,
            stdout: seen.stdout,
            stderr: seen.stderr,
        };
        let fixture = touched(before);
        let own = touched(after);
        account.opens(after);
        account.changes(&seen.changes, &fixture, &own);
        for Event { call, errno, .. } in after {
            match call {
                Call::Alter {
                    call, base, path, ..
                } if *errno != 0 => {
                    account.failed.insert(Failed {
                        path: relative(base, path),
                        what: call.clone(),
                        errno: *errno,
                    });
                }
                Call::Socket { family } => {
                    account.sockets.insert((*family, *errno));
                }
                _ => {}
            }
        }
        Some(account)
    }

    /// What was opened, and what was to be.
    fn opens(&mut self, events: &[Event]) {
        let executed: BTreeSet<Vec<u8>> = self
            .programs
            .iter()
            .filter(|program| program.errno == 0)
            .map(|program| relative(CWD.as_bytes(), &program.path))
            .collect();
        for Event { call, errno, .. } in events {
            let Call::Open { base, path, flags } = call else {
                continue;
            };
            let flags = OFlag::from_bits_truncate(*flags);
            let path = relative(base, path);
            // A script is opened by its interpreter.
            if is_ambient(&path) || executed.contains(&path) {
                self.ambient += 1;
            } else if *errno != 0 {
                let what = if writes(flags) {
                    "open for writing"
                } else {
                    "open"
                };
                self.failed.insert(Failed {
                    path,
                    what: what.to_owned(),
                    errno: *errno,
                });
            } else if flags.contains(OFlag::O_DIRECTORY) {
                self.listed.insert(path);
            } else if flags & OFlag::O_ACCMODE != OFlag::O_WRONLY && !flags.contains(OFlag::O_PATH)
            {
                self.read.insert(path);
            }
        }
    }

    /// What differs, without what the fixture alone did.
    fn changes(
        &mut self,
        changes: &[Change],
        fixture: &BTreeSet<Vec<u8>>,
        own: &BTreeSet<Vec<u8>>,
    ) {
        let mut names: Vec<&str> = Vec::new();
        let mut there: BTreeSet<&[u8]> = BTreeSet::new();
        for change in changes {
            match change {
                Change::Created(path) => {
                    there.insert(path);
                    // Programs that are not there leave their names.
                    if let Some(name) = path.strip_prefix(b"../log/") {
                        names.extend(std::str::from_utf8(name));
                    } else if !fixture.contains(path) {
                        self.created.insert(path.clone());
                    } else if own.contains(path) {
                        self.changed.insert(path.clone());
                    }
                }
                Change::Changed(path) => {
                    there.insert(path);
                    self.changed.insert(path.clone());
                }
                Change::Renamed(from, to) => {
                    there.extend([&from[..], to]);
                    self.renamed.insert((from.clone(), to.clone()));
                }
                Change::Removed(path) => {
                    there.insert(path);
                    self.removed.insert(path.clone());
                }
            }
        }
        if !names.is_empty() {
            let names = names.into_iter().map(str::to_owned).collect();
            self.missing = Some(Undecided::Programs(names).to_string());
        }
        let left = own.iter().filter(|path| !there.contains(&path[..]));
        let left = left.filter(|path| !is_ambient(path) && !path.starts_with(b"../log/"));
        let (removed, no_trace) = left.cloned().partition(|path| fixture.contains(path));
        self.no_trace = no_trace;
        self.removed.extend::<BTreeSet<Vec<u8>>>(removed);
    }
}

fn is_bash(event: &Event) -> bool {
    matches!(&event.call, Call::Execute { path, .. } if event.errno == 0 && path.ends_with(b"/bash"))
}

fn program(event: &Event) -> Option<Program> {
    match &event.call {
        Call::Execute { path, argv } => Some(Program {
            process: event.process,
            path: path.clone(),
            argv: argv.clone(),
            errno: event.errno,
        }),
        _ => None,
    }
}

/// Everything that was made, opened for writing or altered.
fn touched(events: &[Event]) -> BTreeSet<Vec<u8>> {
    let mut touched = BTreeSet::new();
    for event in events.iter().filter(|event| event.errno == 0) {
        match &event.call {
            Call::Open { base, path, flags } if writes(OFlag::from_bits_truncate(*flags)) => {
                touched.insert(relative(base, path));
            }
            Call::Alter {
                call,
                base,
                path,
                to,
            } => {
                // A second name leaves the first alone; the second path of a symbolic link is its text.
                if !call.starts_with("link") {
                    touched.insert(relative(base, path));
                }
                if let Some(to) = to.as_ref().filter(|_| !call.starts_with("symlink")) {
                    touched.insert(relative(base, to));
                }
            }
            _ => {}
        }
    }
    touched
}

fn writes(flags: OFlag) -> bool {
    flags & OFlag::O_ACCMODE != OFlag::O_RDONLY || flags.intersects(OFlag::O_CREAT | OFlag::O_TRUNC)
}

fn is_ambient(path: &[u8]) -> bool {
    let shared = || {
        let has = |part: &[u8]| path.windows(part.len()).any(|here| here == part);
        has(b".so") || has(b"/gconv/")
    };
    let library = [&b"/lib"[..], b"/usr/lib", b"/usr/local/lib"];
    AMBIENT.iter().any(|start| path.starts_with(start))
        || library.iter().any(|start| path.starts_with(start)) && shared()
}

/// The path as one would write it in the working directory: `x`, `../x`, or absolute where it lies elsewhere.
fn relative(base: &[u8], path: &[u8]) -> Vec<u8> {
    let whole = match path.starts_with(b"/") {
        true => path.to_vec(),
        false => [base, b"/", path].concat(),
    };
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in whole.split(|&byte| byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let clean = [b"/", &parts.join(&b'/')[..]].concat();
    let below = |folder: &str| match clean.strip_prefix(folder.as_bytes())? {
        [] => Some(&b"."[..]),
        [b'/', rest @ ..] => Some(rest),
        _ => None,
    };
    match (below(CWD), below(HOME)) {
        (Some(inner), _) => inner.to_vec(),
        (None, Some(b".")) => b"..".to_vec(),
        (None, Some(beside)) => [b"../", beside].concat(),
        (None, None) => clean,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_the_working_directory() {
        for (base, path, shown) in [
            ("/case/cwd", "f", "f"),
            ("/case/cwd/src", "./../f", "f"),
            ("/case/cwd", ".", "."),
            ("/case/cwd", "..", ".."),
            ("/case/cwd", "../x//y", "../x/y"),
            ("", "/case/cwd2", "../cwd2"),
            ("", "/etc/../tmp/x", "/tmp/x"),
            ("/", "../..", "/"),
        ] {
            let got = relative(base.as_bytes(), path.as_bytes());
            assert_eq!(got, shown.as_bytes(), "{base} {path}");
        }
    }

    #[test]
    fn what_the_loader_reads_is_not_what_the_command_reads() {
        for ambient in [
            "/etc/ld.so.cache",
            "/usr/lib/x86_64-linux-gnu/libc.so.6",
            "/dev/null",
        ] {
            assert!(is_ambient(ambient.as_bytes()), "{ambient}");
        }
        for own in ["/usr/lib/os-release", "/etc/passwd", "x.so", "../libx.so"] {
            assert!(!is_ambient(own.as_bytes()), "{own}");
        }
    }
}
