//! Do tracer and snapshot tell the same story, and is it seen when one of them leaves something out?

use crate::jobs::Test;
use crate::{bash, check, run};
use differential::sandbox::{
    Call, Change, Compared, Entry, Event, Job, Observation, Pool, Watch, agreement,
};
use fuzz::property::{Failure, trace};
use libtest_mimic::Failed;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("what was left out is found", omissions_are_found),
    ("what was made up is found", inventions_are_found),
    ("generated commands", generated),
];

/// Generated commands in a test; `verify` takes more.
const COMMANDS: u64 = 450;
const SEED: u64 = 0x7_2ace;

/// The flag of `open` that makes a file.
const O_CREAT: i32 = 0o100;

/// Scripts of which every call that names something below the working directory, and every change, is needed.
#[rustfmt::skip]
const NEEDED: &[&str] = &[
    "> new", "mkdir a; > a/b", "mkdir -p a/b/c", "rm f", "rm -r d", "rmdir d || rm d/g && rmdir d", "mv f g", "mv d e", "mv f d/g",
    "ln f g", "ln -s x y", "mkfifo p", "mv d e; mv e/g e/h", "echo x > ../up", "ln f g; rm f", "rm f; mkdir f", "echo x > /tmp/t",
    "cd d; mv g ..; > new", "mkdir a; cd a; rmdir ../a; mv ../f ../g", "mv l m", "rm l",
];

/// Whether the call is one of those that change names.
fn needed(event: &Event) -> bool {
    event.errno == 0
        && match &event.call {
            Call::Open { base, path, flags } => {
                flags & O_CREAT != 0 && (base.starts_with(b"/case") || path.starts_with(b"/case"))
            }
            Call::Alter { .. } => true,
            _ => false,
        }
}

/// Takes each needed call and each change out, and turns each of them to another path; all of it must be found. How often.
fn mutations(tree: &[Entry], seen: &Observation) -> Result<usize, String> {
    let mut found = 0;
    let mut must_contradict = |what: String, seen: &Observation| match agreement(tree, seen) {
        Err(_) => {
            found += 1;
            Ok(())
        }
        Ok(compared) => Err(format!("{what}: not found, {compared:?}")),
    };
    for at in (0..seen.events.len()).filter(|&at| needed(&seen.events[at])) {
        let mut less = seen.clone();
        let event = less.events.remove(at);
        must_contradict(format!("without {event:?}"), &less)?;
        let mut failed = seen.clone();
        failed.events[at].errno = 1;
        must_contradict(format!("{event:?} failed"), &failed)?;
        let mut elsewhere = seen.clone();
        if let Call::Open { path, .. } | Call::Alter { path, .. } = &mut elsewhere.events[at].call {
            path.extend(b"0");
        }
        must_contradict(format!("another path in {event:?}"), &elsewhere)?;
    }
    for at in 0..seen.changes.len() {
        let mut less = seen.clone();
        let change = less.changes.remove(at);
        must_contradict(format!("without {change:?}"), &less)?;
        let mut elsewhere = seen.clone();
        let (Change::Created(path)
        | Change::Changed(path)
        | Change::Renamed(_, path)
        | Change::Removed(path)) = &mut elsewhere.changes[at];
        path.extend(b"0");
        must_contradict(format!("another path in {change:?}"), &elsewhere)?;
    }
    Ok(found)
}

/// What was left out or turned is found.
fn omissions_are_found(pool: &Pool) -> Result<(), Failed> {
    let mut found = 0;
    for script in NEEDED {
        let job = Job {
            watch: Watch::Trace,
            ..bash(script)
        };
        let seen = run(pool, &job)?;
        agreement(&job.tree, &seen)?;
        let one = mutations(&job.tree, &seen).map_err(|text| format!("{script}: {text}"))?;
        check(
            one > 0,
            format!("{script}: nothing to leave out in {seen:?}"),
        )?;
        found += one;
    }
    println!("{found} omissions found in {} runs", NEEDED.len());
    Ok(())
}

/// What was read or changed without a call is found, and so is a program that ran and was not read.
fn inventions_are_found(pool: &Pool) -> Result<(), Failed> {
    let mut job = Job {
        watch: Watch::Trace,
        ..bash("cat f; echo x >> d/g; ./run")
    };
    job.tree.push(Entry::Program(
        b"run".to_vec(),
        b"#!/bin/sh\necho ran\n".to_vec(),
    ));
    let seen = run(pool, &job)?;
    agreement(&job.tree, &seen)?;
    type Twist = fn(&mut Observation);
    let twisted: [(&str, Twist); 6] = [
        ("no opening of f", |seen| {
            seen.events
                .retain(|event| !matches!(&event.call, Call::Open { path, .. } if path == b"f"));
        }),
        ("no opening of d/g", |seen| {
            seen.events
                .retain(|event| !matches!(&event.call, Call::Open { path, .. } if path == b"d/g"));
        }),
        ("run not read", |seen| {
            seen.read.retain(|path| path != b"run")
        }),
        ("d/g read", |seen| seen.read.push(b"d/g".to_vec())),
        ("f changed", |seen| {
            seen.changes.push(Change::Changed(b"f".to_vec()));
        }),
        ("l removed", |seen| {
            seen.changes.push(Change::Removed(b"l".to_vec()));
        }),
    ];
    for (what, twist) in twisted {
        let mut other = seen.clone();
        twist(&mut other);
        check(
            agreement(&job.tree, &other).is_err(),
            format!("not found: {what} in {other:?}"),
        )?;
    }
    Ok(())
}

/// They agree on generated commands, most of which show something.
fn generated(pool: &Pool) -> Result<(), Failed> {
    let mut sum = Compared::default();
    let mut undecided = 0;
    for index in 0..COMMANDS {
        let job = trace::generated(SEED, index);
        match trace::tracer_and_snapshot_agree(pool, &job) {
            Ok(compared) => {
                undecided += u64::from(compared.undecided);
                sum += compared;
            }
            Err(failure) => {
                let text = match failure {
                    Failure::Refuted(text) => text,
                    other => format!("{other:?}"),
                };
                return Err(format!("command {index} of seed {SEED:#x}: {text}").into());
            }
        }
    }
    let Compared {
        explained,
        calls,
        skipped,
        ..
    } = sum;
    println!(
        "{COMMANDS} commands: {explained} changes and reads explained, {calls} calls played, {skipped} skipped, {undecided} \
         runs undecided"
    );
    check(
        explained as u64 > COMMANDS && calls as u64 > COMMANDS && undecided * 20 < COMMANDS,
        "too little was compared".into(),
    )
}
