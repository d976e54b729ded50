//! Does the box see what programs do, and hold what they try? Everything in both forms, and twice when root runs it: as root
//! starts a worker, and as an ordinary user does.

mod agree;
mod jobs;
mod life;
mod observe;
mod strace;

use differential::escape;
use differential::sandbox::{
    Entry, Form, HOME, Job, Observation, Options, Pool, Watch, become_worker_if_asked,
};
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::{ExitCode, exit};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Starts this program as one that holds a pool and waits to be killed.
const HOLD: &str = "--hold-a-pool";
/// Starts this program as one that starts a pool where the kernel refuses what the forms are made of.
const SIMULATE: &str = "--with-refusals";

fn main() -> ExitCode {
    become_worker_if_asked();
    if std::env::args().any(|word| word == HOLD) {
        life::hold();
    }
    if let Some(at) = std::env::args().position(|word| word == SIMULATE) {
        life::simulate(&std::env::args().nth(at + 1).unwrap_or_default());
    }
    let mut trials = Vec::new();
    if !escape::from_root() {
        eprintln!("run as an ordinary user: how the box holds when root starts it is not shown");
    }
    let mut forms = Vec::new();
    for way in escape::ways() {
        // One worker, and one attempt at a time: the probe of an attempt must run where the attempt ran.
        let pool = match way.start() {
            Ok(Some(pool)) => Arc::new(Mutex::new(pool)),
            Ok(None) => {
                eprintln!("{}: this machine does not let it be built", way.name);
                continue;
            }
            Err(error) => {
                eprintln!("{error}");
                exit(3)
            }
        };
        let escape::Way { name: way, options } = way;
        forms.extend(options.form.filter(|form| !forms.contains(form)));
        for attempt in escape::attempts() {
            let pool = Arc::clone(&pool);
            trials.push(Trial::test(
                format!("{way}::escape::{}", attempt.id),
                move || {
                    let outcome = escape::run(
                        &pool.lock().unwrap_or_else(PoisonError::into_inner),
                        attempt,
                    );
                    check(
                        outcome.held,
                        format!("{}: {}", attempt.tries, outcome.detail),
                    )
                },
            ));
        }
        for row in life::leftovers(options.form) {
            let pool = Arc::clone(&pool);
            trials.push(Trial::test(format!("{way}::probe::{}", row.0), move || {
                life::leftover(&pool, row.1)
            }));
        }
        let pool = Arc::new(start(2, options));
        for (name, script, expected) in observe::OBSERVATIONS {
            for watch in [Watch::Snapshot, Watch::Trace] {
                let pool = Arc::clone(&pool);
                trials.push(Trial::test(
                    format!("{way}::observe::{watch:?}::{name}"),
                    move || observe::row(&pool, watch, script, expected),
                ));
            }
        }
        // The other form does not show the calls that set modes and times.
        let compared = agree::TESTS
            .iter()
            .filter(|_| options.form == Some(Form::Namespaces));
        for (name, test) in compared {
            let pool = Arc::clone(&pool);
            trials.push(Trial::test(format!("{way}::agree::{name}"), move || {
                test(&pool)
            }));
        }
        for (name, test) in jobs::TESTS {
            let pool = Arc::clone(&pool);
            trials.push(Trial::test(format!("{way}::{name}"), move || test(&pool)));
        }
    }
    let trial = Trial::test("strace sees the same calls", || {
        strace::sees_the_same_calls(&start(1, Options::default()))
    });
    // Shown as ignored where there is none.
    trials.push(trial.with_ignored_flag(!strace::is_there()));
    trials.push(Trial::test(
        "witness hears and finds",
        life::witness_hears_and_finds,
    ));
    for form in forms.clone() {
        trials.push(Trial::test(
            format!("{form}::the box dies with its caller"),
            move || life::dies_with_caller(form),
        ));
    }
    let there = forms.clone();
    trials.push(Trial::test("the form is found by building it", move || {
        life::the_form_is_found(&there)
    }));
    // One after the other: each counts the workers of this process.
    trials.push(Trial::test(
        "a lost worker is replaced, a dropped pool is gone",
        move || forms.iter().try_for_each(|form| life::lifecycle(*form)),
    ));
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    conclusion.exit_code()
}

fn start(workers: usize, options: Options) -> Pool {
    Pool::start(workers, options).unwrap_or_else(|error| {
        eprintln!("{error}");
        exit(3)
    })
}

fn check(holds: bool, otherwise: String) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(otherwise.into()) }
}

/// A job under bash, in a folder with `f`, `d/g` and the link `l` to `f`.
fn bash(script: &str) -> Job {
    let env = [
        ("PATH", "/usr/local/bin:/usr/bin:/bin"),
        ("HOME", HOME),
        // Without it bash asks who its user is.
        ("SHELL", "/bin/bash"),
        ("LC_ALL", "C.UTF-8"),
    ];
    Job {
        program: "/bin/bash".into(),
        argv: ["bash", "-c", script]
            .map(|word| word.as_bytes().to_vec())
            .to_vec(),
        env: env
            .map(|(name, value)| (name.into(), value.into()))
            .to_vec(),
        tree: vec![
            Entry::File(b"f".to_vec(), b"alpha\nbeta\n".to_vec()),
            Entry::File(b"d/g".to_vec(), b"gamma\n".to_vec()),
            Entry::Link(b"l".to_vec(), b"f".to_vec()),
        ],
        stdin: b"input\n".to_vec(),
        deadline: Duration::from_secs(20),
        output_cap: 1 << 20,
        watch: Watch::Snapshot,
    }
}

fn run(pool: &Pool, job: &Job) -> Result<Observation, Failed> {
    pool.run(job).map_err(Failed::from)
}
