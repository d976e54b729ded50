//! What did the command do? The observation of one traced run, put into the words of a report.
//!
//! Paths are relative to the working directory, cleaned of `.` and `..` without a look at links. What the fixture did before
//! bash started is no part of it, nor is what bash does whatever the command is. Reads of the loader, the locale and the
//! process's own entries are counted only (`docs/spec/harness.md` section 8).

use super::trail::{
    around_bash, is_ambient, is_void, left, relative, touched, without_start, writes,
};
use differential::bash::Undecided;
use differential::sandbox::{CWD, Call, Change, End, Event, Observation};
use nix::fcntl::OFlag;
use std::collections::BTreeSet;

/// Where programs that are missing leave a file of their name (`differential::bash`).
const LOG: &[u8] = b"../log/";

/// What one run did.
pub(crate) struct Account {
    /// How bash ended.
    pub(crate) end: End,
    /// Processes were killed before they had ended; what they would have done is not known.
    pub(crate) killed: bool,
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
    /// Reads the observation of a command beside that of an idle one, `:`.
    ///
    /// # Errors
    ///
    /// Why bash was not started.
    pub(crate) fn of(seen: &Observation, idle: &Observation) -> Result<Account, String> {
        let (before, all) = around_bash(seen).ok_or_else(|| {
            missing(&seen.changes)
                .unwrap_or_else(|| format!("bash was not started: {:?}", seen.end))
        })?;
        let usual = around_bash(idle)
            .map(|(_, usual)| usual)
            .unwrap_or_default();
        let after = without_start(&all, usual);
        let mut account = Account {
            end: seen.end,
            killed: seen.killed,
            programs: after.iter().filter_map(program).collect(),
            missing: missing(&seen.changes),
            read: BTreeSet::new(),
            listed: BTreeSet::new(),
            created: BTreeSet::new(),
            changed: BTreeSet::new(),
            renamed: BTreeSet::new(),
            removed: BTreeSet::new(),
            no_trace: BTreeSet::new(),
            failed: BTreeSet::new(),
            sockets: BTreeSet::new(),
            ambient: all.len() - after.len(),
            stdout: seen.stdout.clone(),
            stderr: seen.stderr.clone(),
        };
        account.opens(&after);
        let fixture = Fixture {
            touched: touched(&before),
            left: left(&before),
        };
        account.changes(&seen.changes, &fixture, &touched(&after));
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
        Ok(account)
    }

    /// What was opened, and what was to be.
    fn opens(&mut self, events: &[&Event]) {
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
            let usual = is_ambient(&path) || executed.contains(&path);
            if is_void(&path) || usual && !writes(flags) {
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
    fn changes(&mut self, changes: &[Change], fixture: &Fixture, own: &BTreeSet<Vec<u8>>) {
        let mut there: BTreeSet<&[u8]> = BTreeSet::new();
        for change in changes {
            match change {
                Change::Created(path) => {
                    there.insert(path);
                    if path.starts_with(LOG) {
                        // That is what `missing` is for.
                    } else if !fixture.touched.contains(path) {
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
        let gone = own.iter().filter(|path| !there.contains(&path[..]));
        let gone = gone.filter(|path| !is_void(path) && !path.starts_with(LOG));
        let (removed, no_trace) = gone.cloned().partition(|path| fixture.left.contains(path));
        self.no_trace = no_trace;
        self.removed.extend::<BTreeSet<Vec<u8>>>(removed);
    }
}

/// Why programs did not do their work: those that are not there, or that the box cannot run, leave their names.
fn missing(changes: &[Change]) -> Option<String> {
    let name = |change: &Change| match change {
        Change::Created(path) => String::from_utf8(path.strip_prefix(LOG)?.to_vec()).ok(),
        _ => None,
    };
    let names: Vec<String> = changes.iter().filter_map(name).collect();
    (!names.is_empty()).then(|| Undecided::Programs(names).to_string())
}

/// What the fixture did before bash started.
struct Fixture {
    /// What it made or altered.
    touched: BTreeSet<Vec<u8>>,
    /// What of it was there when bash started.
    left: BTreeSet<Vec<u8>>,
}

fn program(event: &&Event) -> Option<Program> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(changes: &[Change]) -> Observation {
        Observation {
            end: End::Exit(0),
            stdout: Vec::new(),
            stderr: Vec::new(),
            changes: changes.to_vec(),
            read: Vec::new(),
            events: Vec::new(),
            killed: false,
        }
    }

    #[test]
    fn a_bash_that_was_not_started_has_a_reason() {
        let reason = |changes: &[Change]| Account::of(&seen(changes), &seen(&[])).err();
        let git = Undecided::Programs(vec!["git".to_owned()]).to_string();
        assert_eq!(
            reason(&[Change::Created(b"../log/git".to_vec())]),
            Some(git)
        );
        let unknown = "bash was not started: Exit(0)".to_owned();
        assert_eq!(reason(&[]), Some(unknown));
    }
}
