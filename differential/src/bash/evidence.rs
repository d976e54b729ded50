//! What does a traced run say of its canaries? Which ran, which programs were missing, and whether the rest can be believed.
//!
//! A canary ran if the call that starts it was seen, or the file that it makes. A command may remove that file, fill the
//! disk, or kill the canary before it makes one; it cannot take back the call. That a canary did *not* run is believed only
//! while what starts and records canaries is as it was laid.

use super::programs;
use crate::sandbox::{CANARIES, Call, Change, Event, HOME, Observation};
use nix::errno::Errno;
use std::collections::BTreeSet;

/// Words of programs that could not start another for want of room in the box.
const STARVED: [&str; 3] = [
    "Cannot fork",
    "Cannot allocate memory",
    "Resource temporarily unavailable",
];

/// What a traced run says.
pub(super) struct Evidence {
    /// For each canary, whether it ran.
    pub(super) ran: Vec<bool>,
    /// Programs that were asked for, and are not there or cannot be run in the box.
    pub(super) missing: BTreeSet<String>,
    /// Why it does not follow that the other canaries were not to run.
    pub(super) doubt: Option<String>,
}

impl Evidence {
    /// Reads a run that was watched with [`crate::sandbox::Watch::Trace`].
    pub(super) fn of(seen: &Observation, canaries: usize) -> Self {
        let logged = logged(seen);
        let executed: BTreeSet<&str> = attempts(seen)
            .filter(|(_, errno)| *errno == 0)
            .map(|(path, _)| path)
            .collect();
        let names = &CANARIES[..canaries];
        let started: BTreeSet<&str> = executed.iter().map(|path| base(path)).collect();
        let ran = names
            .iter()
            .map(|name| logged.contains(*name) || started.contains(name))
            .collect();
        let folder = format!("{HOME}/bin/");
        let asked = executed
            .iter()
            .filter_map(|path| path.strip_prefix(&folder))
            .filter(|name| programs::is_absent(name));
        let missing = logged
            .into_iter()
            .filter(|name| !CANARIES.contains(&&name[..]))
            .chain(asked.map(str::to_owned))
            .collect();
        Evidence {
            ran,
            missing,
            doubt: failed(seen)
                .or_else(|| tampered(seen))
                .or_else(|| starved(seen))
                .or_else(|| left(seen)),
        }
    }
}

/// The base names of the programs that bash started, other than bash, `sh` and canaries.
pub(super) fn started(seen: &Observation) -> BTreeSet<String> {
    let is_ours = |name: &str| ["bash", "dash", "sh"].contains(&name) || CANARIES.contains(&name);
    // What comes before bash is the fixture's.
    attempts(seen)
        .filter(|(_, errno)| *errno == 0)
        .map(|(path, _)| base(path))
        .skip_while(|name| *name != "bash")
        .filter(|name| !is_ours(name))
        .map(str::to_owned)
        .collect()
}

/// The programs that were to be started, with what came of it. A path that is no UTF-8 is none of ours.
fn attempts(seen: &Observation) -> impl Iterator<Item = (&str, i32)> {
    seen.events.iter().filter_map(|event| match event {
        Event {
            call: Call::Execute { path, .. },
            errno,
            ..
        } => Some((std::str::from_utf8(path).ok()?, *errno)),
        _ => None,
    })
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// The names in `../log`: canaries that ran, and missing programs that were asked for.
fn logged(seen: &Observation) -> BTreeSet<String> {
    let name = |change: &Change| match change {
        Change::Created(path) => {
            let name = path.strip_prefix(b"../log/")?;
            Some(String::from_utf8_lossy(name).into_owned())
        }
        _ => None,
    };
    seen.changes.iter().filter_map(name).collect()
}

/// A canary that was to be started, and could not be although it was found.
fn failed(seen: &Observation) -> Option<String> {
    let not_found = [0, Errno::ENOENT as i32, Errno::ENOTDIR as i32];
    let (_, errno) = attempts(seen)
        .find(|(path, errno)| CANARIES.contains(&base(path)) && !not_found.contains(errno))?;
    let errno = Errno::from_raw(errno);
    Some(format!(
        "the program of a fragment could not be started: {}",
        errno.desc()
    ))
}

/// What starts or records canaries was changed.
fn tampered(seen: &Observation) -> Option<String> {
    let ours = |path: &[u8]| {
        let within = |folder: &[u8]| {
            path.strip_prefix(folder)
                .is_some_and(|rest| matches!(rest, [] | [b'/', ..]))
        };
        path == b".." || within(b"../bin") || within(b"../log")
    };
    let changed = seen.changes.iter().find_map(|change| match change {
        Change::Created(_) => None,
        Change::Changed(path) | Change::Removed(path) | Change::Renamed(path, _) => {
            ours(path).then_some(&path[..])
        }
    });
    let path = changed.or_else(|| unrecorded(seen).then_some(b"../log"))?;
    let path = String::from_utf8_lossy(path);
    Some(format!(
        "the command changed {path}, on which its own programs depend"
    ))
}

/// A record was made and taken away again, which no difference of the tree shows.
fn unrecorded(seen: &Observation) -> bool {
    let log = format!("{HOME}/log/").into_bytes();
    seen.events.iter().any(|event| match &event.call {
        Call::Alter { base, path, .. } if event.errno == 0 => {
            absolute(base, path).starts_with(&log)
        }
        _ => false,
    })
}

/// A path without `.`, `..` and doubled slashes; links are not followed.
fn absolute(base: &[u8], path: &[u8]) -> Vec<u8> {
    let whole = [base, b"/", path].concat();
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in whole.split(|&byte| byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    [b"/", &parts.join(&b'/')[..]].concat()
}

fn starved(seen: &Observation) -> Option<String> {
    let said = [&seen.stdout[..], &seen.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let text = STARVED.iter().find(|text| said.contains(**text))?;
    Some(format!(
        "the box may have been too small for it: it said \"{text}\""
    ))
}

/// Something that the command left in the background was still at work.
fn left(seen: &Observation) -> Option<String> {
    let why = "what it left in the background had not ended when the box was closed";
    seen.killed.then(|| why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::End;

    fn seen(changes: &[Change], executed: &[(&str, i32)]) -> Observation {
        let event = |&(path, errno): &(&str, i32)| Event {
            process: 0,
            call: Call::Execute {
                path: path.into(),
                argv: Vec::new(),
            },
            errno,
        };
        Observation {
            end: End::Exit(0),
            stdout: Vec::new(),
            stderr: Vec::new(),
            changes: changes.to_vec(),
            read: Vec::new(),
            events: executed.iter().map(event).collect(),
            killed: false,
        }
    }

    fn says(changes: &[Change], executed: &[(&str, i32)]) -> (Vec<bool>, bool) {
        let evidence = Evidence::of(&seen(changes, executed), 2);
        (evidence.ran, evidence.doubt.is_some())
    }

    #[test]
    fn a_call_or_a_file_is_proof() {
        let made = Change::Created(b"../log/cnry1".to_vec());
        assert_eq!(says(&[], &[]), (vec![false, false], false));
        assert_eq!(says(&[made], &[]), (vec![false, true], false));
        assert_eq!(
            says(&[], &[("/case/bin/cnry0", 0)]),
            (vec![true, false], false)
        );
        assert_eq!(
            says(&[], &[("/usr/local/sbin/cnry1", 0)]),
            (vec![false, true], false)
        );
        assert_eq!(
            says(&[], &[("/bin/cnry0", Errno::ENOENT as i32)]),
            (vec![false, false], false)
        );
    }

    #[test]
    fn what_could_hide_a_canary_leaves_doubt() {
        for change in [
            Change::Changed(b"..".to_vec()),
            Change::Removed(b"../log".to_vec()),
            Change::Changed(b"../bin".to_vec()),
            Change::Removed(b"../bin/cnry0".to_vec()),
            Change::Renamed(b"../bin/sh".to_vec(), b"x".to_vec()),
        ] {
            assert_eq!(says(&[change], &[]), (vec![false, false], true));
        }
        let taken = |base: &str, path: &str| {
            let mut seen = seen(&[], &[]);
            seen.events.push(Event {
                process: 1,
                call: Call::Alter {
                    call: "unlink".to_owned(),
                    base: base.into(),
                    path: path.into(),
                    to: None,
                },
                errno: 0,
            });
            Evidence::of(&seen, 1).doubt.is_some()
        };
        assert!(taken("/case/cwd", ".././log//cnry0") && taken("/case/log", "cnry0"));
        assert!(taken("", "/case/log/cnry0") && !taken("/case/cwd", "log/cnry0"));
        let refused = [("/case/bin/cnry0", Errno::EACCES as i32)];
        assert_eq!(says(&[], &refused), (vec![false, false], true));
        let mut at_work = seen(&[], &[]);
        at_work.killed = true;
        assert!(Evidence::of(&at_work, 1).doubt.is_some());
        let elsewhere = [
            Change::Removed(b"f".to_vec()),
            Change::Changed(b"../binary".to_vec()),
        ];
        assert_eq!(says(&elsewhere, &[]), (vec![false, false], false));
    }

    #[test]
    fn a_program_that_the_box_cannot_run_is_missing_from_its_folder_alone() {
        let missing = |executed| Evidence::of(&seen(&[], executed), 0).missing;
        assert_eq!(
            missing(&[("/case/bin/nsenter", 0)]),
            BTreeSet::from(["nsenter".to_owned()])
        );
        assert!(missing(&[("/case/cwd/nsenter", 0), ("/case/bin/bash", 0)]).is_empty());
        let made = seen(&[Change::Created(b"../log/git".to_vec())], &[]);
        assert_eq!(
            Evidence::of(&made, 0).missing,
            BTreeSet::from(["git".to_owned()])
        );
    }
}
