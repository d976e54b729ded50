//! What must hold for every traced run? Tracer and snapshot tell the same story ([`agreement`]).

use super::Failure;
use crate::generate::{self, SedInvocation, random_bytes};
use differential::sandbox::{Compared, Entry, HOME, Job, Pool, Watch, agreement};
use differential::sed::{Fixture, oracle};
use std::time::Duration;

/// Wall time of one run: a command that waits for ever is compared as far as it came.
const DEADLINE: Duration = Duration::from_secs(2);
/// Bytes of output of one run.
const OUTPUT: usize = 1 << 20;
/// How often a contradiction must show: two calls that overlap in time may come in either order, so a command whose parts
/// race may contradict itself once; a fault shows every time.
const ATTEMPTS: usize = 4;
/// The most bytes that a command is decoded from.
const LONGEST: usize = 512;
/// What a command finds in its working directory.
const FILES: [(&str, &str); 6] = [
    ("f", "alpha\nbeta x\n"),
    ("list", "one\ntwo\n"),
    ("notes.md", "# notes\n"),
    ("data.json", "{\"a\":1}\n"),
    ("src/a.txt", "x marks\n"),
    ("d/b.txt", "x\n"),
];

/// Command number `index` of the run `seed`, by turns: sed, a command of the shell with its dangerous fragments, which only
/// the box keeps from doing harm, and a script of file operations.
pub fn generated(seed: u64, index: u64) -> Job {
    let bytes = random_bytes(seed, index, LONGEST);
    match index % 3 {
        0 => of_sed(&generate::sed(&bytes)),
        1 => of_script(&generate::shell(&bytes).text),
        _ => of_script(generate::files(&bytes).as_bytes()),
    }
}

/// The traced run of an invocation of sed, with its files.
fn of_sed(made: &SedInvocation) -> Job {
    let env = made.env.iter().map(|(name, value)| (&name[..], &value[..]));
    let fixture = Fixture::new(
        made.dirs.clone(),
        made.files.clone(),
        made.links.clone(),
        made.stdin.clone(),
    );
    Job {
        program: oracle::SED.to_owned(),
        argv: made.argv.clone(),
        env: oracle::environment(env),
        tree: fixture.tree(),
        stdin: made.stdin.clone(),
        deadline: DEADLINE,
        output_cap: OUTPUT,
        watch: Watch::Trace,
    }
}

/// The traced run of a script under bash.
fn of_script(text: &[u8]) -> Job {
    let file = |(path, content): &(&str, &str)| Entry::File((*path).into(), (*content).into());
    let mut tree: Vec<Entry> = FILES.iter().map(file).collect();
    tree.push(Entry::Link(b"l".to_vec(), b"f".to_vec()));
    let env = [
        ("PATH", "/usr/bin:/bin"),
        ("HOME", HOME),
        ("LC_ALL", "C.UTF-8"),
    ];
    Job {
        program: "/usr/bin/bash".to_owned(),
        argv: vec![b"bash".to_vec(), b"-c".to_vec(), text.to_vec()],
        env: env
            .map(|(name, value)| (name.into(), value.into()))
            .to_vec(),
        tree,
        stdin: Vec::new(),
        deadline: DEADLINE,
        output_cap: OUTPUT,
        watch: Watch::Trace,
    }
}

/// Runs a job that is traced; its calls, and the changes and reads of the snapshot, explain each other. What was compared.
///
/// # Errors
///
/// [`Failure::Refuted`] with the command and the first contradiction; [`Failure::Undecided`] when the box could not run it.
pub fn tracer_and_snapshot_agree(pool: &Pool, job: &Job) -> Result<Compared, Failure> {
    let mut found = agree_once(pool, job);
    for _ in 1..ATTEMPTS {
        if !matches!(found, Err(Failure::Refuted(_))) {
            break;
        }
        found = agree_once(pool, job);
    }
    found
}

fn agree_once(pool: &Pool, job: &Job) -> Result<Compared, Failure> {
    let seen = pool
        .run(job)
        .map_err(|failure| Failure::Undecided(failure.to_string()))?;
    agreement(&job.tree, &seen).map_err(|contradiction| {
        let words: Vec<String> = job
            .argv
            .iter()
            .map(|word| word.escape_ascii().to_string())
            .collect();
        Failure::Refuted(format!(
            "{contradiction}\nargv  {words:?}\nended {:?}\ncalls {:#?}\nchanges {:?}\nread {:?}",
            seen.end,
            seen.events
                .iter()
                .filter(|event| event.errno == 0)
                .collect::<Vec<_>>(),
            seen.changes,
            seen.read
        ))
    })
}
