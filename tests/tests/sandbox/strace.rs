//! Does strace, an independent tracer, see the same calls with the same results?
//!
//! Both run in the box, from the same tree in the same place; the calls are compared as a bag, since processes that run at
//! the same time have no order. strace tells the directory a path is relative to only where the call names it, so for the
//! old calls without one it is not compared. A command that does not do the same twice under the own tracer is counted, and
//! not compared: what differs then is the command. So is one that has a part in the background and differs.

mod log;

use crate::{bash, check, run};
use differential::sandbox::{Call, End, Event, Job, Pool, Watch, traced_calls};
use fuzz::property::trace;
use libtest_mimic::Failed;
use log::{error_text, lines_of_strace};
use std::time::Duration;

/// Generated commands beside those below.
const GENERATED: u64 = 360;
/// At least so many of all must do the same twice and be compared.
const ENOUGH: usize = 300;
const SEED: u64 = 0x57_2ace;
/// How often a difference must show: a command that races with itself may do the same twice and another thing the third
/// time, a fault of the tracer shows every time.
const ATTEMPTS: usize = 4;

const COMMANDS: &[&str] = &[
    "cat f",
    "cat nofile f",
    "sed -n 1p f",
    "sed -n 'p;w out' f",
    "sed 'r nofile' f",
    "sed '1e echo hi' f",
    "sed -i s/o/0/ f",
    "sed -i.bak s/o/0/ f",
    "sed -n 1p < f | cat | wc -l",
    "cat < f > g; cat f >> g; : <> h",
    "cat <<< word; cat << E\nbody $(cat f)\nE",
    "mv f g; mv g nodir/g",
    "mkdir d; mv f d; mv d/f \"$PWD/g\"",
    "rm f; rm f; rm -f f",
    "mkdir -p a/b/c; rm -r a",
    "ln f g; ln -s f s; ln -s f s; ln -sf g s; cat s",
    "ln -s loop loop; cat loop",
    "cp f g; cp -p f h; cp -r nofile x",
    "cp -a f g; install -m 600 f i",
    "chmod 600 f; chmod +x nofile; chmod -R g-w .",
    "touch g; touch -d 2001-01-01 f; touch -c nofile",
    "truncate -s 3 f; truncate -s 1 nodir/f",
    "mkfifo p; mknod q p; mknod f p",
    "rmdir nodir; mkdir d; rmdir d; mkdir f",
    "(cat f); { cat f; } & wait",
    "for i in 1 2 3; do cat none$i & done; wait",
    "x=$(cat f; cat nofile); echo $x",
    "cat <(sed 2d f) > g",
    "exec sh -c 'exec env cat f'",
    "./f; ./nofile; nosuchcommand; /; env ./f",
    "printf 'a\\nb\\n' | xargs -n1 -P2 cat",
    "find . -name f -exec cat {} \\;",
    "find . -type f -delete",
    "echo '. ./nofile; source ./f' > script; bash script; sh script",
    "printf '#!/bin/sh\\ncat f\\n' > run; chmod +x run; ./run",
    ": < /dev/tcp/127.0.0.1/1",
    "tee a b < f; sort -o f f; split -l 1 f",
    "tar cf t.tar f; rm f; tar xf t.tar; cat f",
    "cd /; cat etc/nofile; cd - ; cat ./f",
    "echo gone > t; rm t; test -e t",
    "mkdir d; cd d; echo 1 > ../g; rm -r ../d; cat f",
    "sh -c 'kill -KILL $$; cat f'; cat f",
    "trap 'cat f' EXIT; exit 3",
    "timeout 5 cat f; nice cat nofile",
];

/// Starts the words after it under strace, with the environment of the job, and prints what strace wrote.
const UNDER_STRACE: &str = "calls=$1; shift
env -u PWD strace -f --seccomp-bpf -qq -v -y -xx -X raw -s 200000 -e signal=none -e trace=\"$calls\" -o /tmp/strace.log \"$@\" 2>&1 |
cat >/dev/null
exec cat /tmp/strace.log";

/// Whether there is a strace to compare with.
pub(crate) fn is_there() -> bool {
    ["/usr/bin/strace", "/bin/strace"]
        .iter()
        .any(|path| std::path::Path::new(path).exists())
}

/// What comes of one command.
enum Outcome {
    /// This many calls, the same ones.
    Same(usize),
    /// It is another each time.
    Fickle,
}

pub(crate) fn sees_the_same_calls(pool: &Pool) -> Result<(), Failed> {
    let fixed = COMMANDS.iter().map(|command| bash(command));
    let generated = (0..GENERATED).map(|index| trace::generated(SEED, index));
    let (mut same, mut calls, mut fickle) = (0, 0, 0);
    for mut job in fixed.chain(generated) {
        // strace has one word for the program and for its name.
        job.argv[0] = job.program.clone().into_bytes();
        match compare(pool, &job)? {
            Outcome::Same(seen) => {
                same += 1;
                calls += seen;
            }
            Outcome::Fickle => fickle += 1,
        }
    }
    println!(
        "{same} commands with {calls} calls the same under strace, {fickle} not the same twice"
    );
    check(same >= ENOUGH, format!("only {same} were compared"))
}

fn compare(pool: &Pool, job: &Job) -> Result<Outcome, Failed> {
    let mut differences = String::new();
    for _ in 0..ATTEMPTS {
        let (ours, again) = (own(pool, job)?, own(pool, job)?);
        let (Some(ours), Some(again)) = (ours, again) else {
            return Ok(Outcome::Fickle);
        };
        if ours != again {
            return Ok(Outcome::Fickle);
        }
        let theirs = of_strace(pool, job)?;
        if ours == theirs {
            return Ok(Outcome::Same(ours.len()));
        }
        differences = format!(
            "only here: {:#?}\nonly strace: {:#?}\n{} and {} calls",
            without(&ours, &theirs),
            without(&theirs, &ours),
            ours.len(),
            theirs.len()
        );
    }
    if has_background(job) {
        return Ok(Outcome::Fickle);
    }
    let words: Vec<String> = job
        .argv
        .iter()
        .map(|word| word.escape_ascii().to_string())
        .collect();
    Err(format!("{words:?}\n{differences}").into())
}

/// Whether a part of the command runs in the background, and races with the rest: on the one processor of a traced job it may
/// lose every time, under strace win every time.
fn has_background(job: &Job) -> bool {
    let text = job.argv.last().map_or(&b""[..], |word| word);
    let at = |at: usize| text.get(at).copied().unwrap_or_default();
    (0..text.len()).any(|i| {
        at(i) == b'&'
            && at(i + 1) != b'&'
            && !(i > 0 && b"&<>|".contains(&at(i - 1)))
            && at(i + 1) != b'>'
    })
}

/// The lines of a sorted bag that another does not hold, or holds less often.
fn without(one: &[String], other: &[String]) -> Vec<String> {
    let mut left = other.to_vec();
    let mut only = Vec::new();
    for line in one {
        match left.iter().position(|there| there == line) {
            Some(at) => drop(left.swap_remove(at)),
            None => only.push(line.clone()),
        }
    }
    only
}

/// What the tracer of the box sees, sorted; `None` when the job did not end by itself.
fn own(pool: &Pool, job: &Job) -> Result<Option<Vec<String>>, Failed> {
    let seen = run(
        pool,
        &Job {
            watch: Watch::Trace,
            ..job.clone()
        },
    )?;
    let mut lines: Vec<String> = seen.events.iter().map(line_of_event).collect();
    lines.sort();
    let ended = matches!(seen.end, End::Exit(_) | End::Signal(_)) && !seen.killed;
    Ok(ended.then_some(lines))
}

fn of_strace(pool: &Pool, job: &Job) -> Result<Vec<String>, Failed> {
    let calls: Vec<String> = traced_calls().map(|name| format!("?{name}")).collect();
    let mut argv = ["sh", "-c", UNDER_STRACE, "sh", &calls.join(",")]
        .map(|word| word.as_bytes().to_vec())
        .to_vec();
    argv.extend(job.argv.iter().cloned());
    let seen = run(
        pool,
        &Job {
            program: "/usr/bin/dash".into(),
            argv,
            deadline: Duration::from_secs(30),
            output_cap: 16 << 20,
            watch: Watch::Snapshot,
            ..job.clone()
        },
    )?;
    let mut lines = lines_of_strace(&String::from_utf8_lossy(&seen.stdout));
    check(!lines.is_empty(), format!("strace saw nothing: {seen:?}"))?;
    lines.sort();
    Ok(lines)
}

/// Names as `base|path`; the base unknown to strace where the call names none.
fn place(call: &str, base: &[u8], path: &[u8]) -> String {
    let named = call.trim_end_matches('2').ends_with("at") || path.is_empty();
    let base = if path.starts_with(b"/") {
        b""
    } else if named {
        base
    } else {
        b"?"
    };
    let text = |bytes| masked(&String::from_utf8_lossy(bytes));
    format!("{}|{}", text(base), text(path))
}

/// What `creat` stands for. It names no base, so for an `openat` with these flags none is compared either.
const CREAT: i32 = 0o1101;

fn opening(base: &[u8], path: &[u8], flags: i32) -> String {
    let call = if flags == CREAT { "open" } else { "openat" };
    format!("open {} {flags:#x}", place(call, base, path))
}

/// Without what differs from run to run: the random part of the temporary files of `sed -i`, `ln -f` and `mktemp`, and the
/// number of a pipe or socket.
fn masked(path: &str) -> String {
    for kind in ["pipe:[", "socket:["] {
        if path.starts_with(kind) {
            return kind.to_owned();
        }
    }
    let name = path.rfind('/').map_or(0, |slash| slash + 1);
    let kept = path.len().saturating_sub(6);
    let is_random = path.is_char_boundary(kept)
        && path[kept..]
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric())
        && kept > name
        && (path[name..kept].ends_with('.') || ["sed", "Cu"].contains(&&path[name..kept]));
    match is_random {
        true => format!("{}XXXXXX", &path[..kept]),
        false => path.to_owned(),
    }
}

fn line_of_event(event: &Event) -> String {
    let asked = match &event.call {
        Call::Execute { path, argv } => {
            format!(
                "execve {} {:?}",
                String::from_utf8_lossy(path),
                argv.iter()
                    .map(|word| String::from_utf8_lossy(word))
                    .collect::<Vec<_>>()
            )
        }
        Call::Open { base, path, flags } => opening(base, path, *flags),
        Call::Alter {
            call,
            base,
            path,
            to,
        } => {
            let to = to
                .as_ref()
                .map(|to| format!(" {}", masked(&String::from_utf8_lossy(to))))
                .unwrap_or_default();
            format!("{call} {}{to}", place(call, base, path))
        }
        Call::Socket { family } => format!("socket {family:#x}"),
    };
    match event.errno {
        0 => format!("{asked} = OK"),
        errno => format!("{asked} = {}", error_text(errno)),
    }
}
