//! What does the real sed do? Run in the box, and `sed --sandbox` as a static oracle.
//!
//! The measured fields are those of `docs/spec/sed.md` section 8, taken from the traced system calls of sed itself, the
//! programs it starts, and the tree before and after.

use super::Fixture;
use super::judge::Truth;
use crate::sandbox::{Call, Change, End, Event, Failure, HOME, Job, Observation, Pool, Watch};
use corpus::{SedCase, SedEffect, Text};
use std::collections::BTreeSet;
use std::time::Duration;

/// Where sed is inside the box.
pub const SED: &str = "/usr/bin/sed";
/// The version whose truth the corpus holds.
pub const VERSION: &str = "4.9";
/// Wall time of one run.
const DEADLINE: Duration = Duration::from_secs(5);
/// Bytes of output of one run: a script that prints without end is stopped early.
const OUTPUT: usize = 1 << 20;

/// Why there is no truth.
#[derive(Debug)]
pub enum Undecided {
    /// The box could not run it.
    Box(Failure),
    /// It did not end in its time or printed more than the cap.
    Endless(End),
}

impl std::fmt::Display for Undecided {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Undecided::Box(failure) => write!(f, "{failure}"),
            Undecided::Endless(End::OutputCap) => f.write_str("sed printed more than the cap"),
            Undecided::Endless(_) => f.write_str("sed did not end in its time"),
        }
    }
}

/// What one run did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The strongest effect that happened.
    pub effect: SedEffect,
    /// Paths sed itself tried to open for reading.
    pub reads: BTreeSet<Vec<u8>>,
    /// Paths sed itself opened for writing, renamed, replaced or removed.
    pub writes: BTreeSet<Vec<u8>>,
    /// A program was started.
    pub executes: bool,
    /// The distinct commands given to the shell, in order.
    pub shell: Vec<Vec<u8>>,
    /// Paths that the commands changed.
    pub child_writes: BTreeSet<Vec<u8>>,
    /// Exit status, negative for a signal.
    pub exit: i64,
}

/// The environment of a sed case: the base, overridden by its own.
pub fn environment<'a>(
    own: impl IntoIterator<Item = (&'a [u8], &'a [u8])>,
) -> Vec<(Vec<u8>, Vec<u8>)> {
    let base = [
        ("PATH", "/usr/bin:/bin"),
        ("HOME", HOME),
        ("LC_ALL", "C.UTF-8"),
    ];
    let mut all: Vec<(Vec<u8>, Vec<u8>)> = base
        .iter()
        .map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()))
        .collect();
    for (name, value) in own {
        all.retain(|(taken, _)| taken != name);
        all.push((name.to_vec(), value.to_vec()));
    }
    all
}

/// The environment of a stored case.
pub fn environment_of(case: &SedCase) -> Vec<(Vec<u8>, Vec<u8>)> {
    environment(
        case.env
            .iter()
            .map(|(name, value)| (name.as_bytes(), value.0.as_slice())),
    )
}

/// The job that runs these words; `sandboxed` puts `--sandbox` before them.
fn job(
    argv: &[Vec<u8>],
    env: &[(Vec<u8>, Vec<u8>)],
    fixture: &Fixture,
    sandboxed: bool,
    watch: Watch,
) -> Job {
    let mut words = argv.to_vec();
    if sandboxed {
        words.insert(1, b"--sandbox".to_vec());
    }
    Job {
        program: SED.to_owned(),
        argv: words,
        env: env.to_vec(),
        tree: fixture.tree(),
        stdin: fixture.stdin().to_vec(),
        deadline: DEADLINE,
        output_cap: OUTPUT,
        watch,
    }
}

fn run(pool: &Pool, job: &Job) -> Result<Observation, Undecided> {
    let seen = pool.run(job).map_err(Undecided::Box)?;
    match seen.end {
        End::Exit(_) | End::Signal(_) => Ok(seen),
        end => Err(Undecided::Endless(end)),
    }
}

/// Runs one invocation, traced.
pub fn measure(
    pool: &Pool,
    argv: &[Vec<u8>],
    env: &[(Vec<u8>, Vec<u8>)],
    fixture: &Fixture,
) -> Result<Measured, Undecided> {
    Ok(read(&run(
        pool,
        &job(argv, env, fixture, false, Watch::Trace),
    )?))
}

/// What `sed --sandbox` with the same words says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StaticAnswer {
    /// It stops at its options or its script.
    Refuses,
    /// It gets past both, and then fails with a message of the same form.
    AcceptsAndFails,
    /// It gets past both.
    Accepts,
}

/// Asks the static oracle. Only what it accepts runs; that may edit files in place and read, nothing else.
pub fn sandbox_says(
    pool: &Pool,
    argv: &[Vec<u8>],
    env: &[(Vec<u8>, Vec<u8>)],
    fixture: &Fixture,
) -> Result<StaticAnswer, Undecided> {
    let seen = run(pool, &job(argv, env, fixture, true, Watch::Snapshot))?;
    // Messages of the running program that look like those of the compiler.
    let late = [
        &b": no previous regular expression"[..],
        b"char 0: invalid reference",
        b"INTERNAL ERROR",
    ];
    let fails = |line: &[u8]| {
        late.iter()
            .any(|text| line.windows(text.len()).any(|part| part == *text))
    };
    Ok(match refused(&seen) {
        false => StaticAnswer::Accepts,
        true if seen.stderr.split(|&byte| byte == b'\n').any(fails) => {
            StaticAnswer::AcceptsAndFails
        }
        true => StaticAnswer::Refuses,
    })
}

/// All measured fields of a case, by as many runs as it takes.
pub struct CaseTruth {
    /// The run with the case's own input.
    pub run: Measured,
    /// The run with the worst input, if there is one.
    pub worst: Option<Measured>,
    /// `sed --sandbox` ran without a message of the form of a refusal.
    pub sandbox_accepts: bool,
}

impl CaseTruth {
    /// Measures a case.
    pub fn of(pool: &Pool, case: &SedCase) -> Result<Self, Undecided> {
        let argv: Vec<Vec<u8>> = case.argv.iter().map(|word| word.0.clone()).collect();
        let env = environment_of(case);
        let fixture = Fixture::of(case);
        let worst = case
            .worst
            .as_ref()
            .map(|worst| measure(pool, &argv, &env, &fixture.clone().with(worst)));
        Ok(CaseTruth {
            run: measure(pool, &argv, &env, &fixture)?,
            worst: worst.transpose()?,
            sandbox_accepts: sandbox_says(pool, &argv, &env, &fixture)? == StaticAnswer::Accepts,
        })
    }

    /// What is known now.
    pub fn truth(&self) -> Truth {
        let worst = self.worst.as_ref();
        let mut reads = self.run.reads.clone();
        reads.extend(worst.iter().flat_map(|run| run.reads.iter().cloned()));
        Truth {
            effect: self.run.effect,
            reads,
            writes: self.run.writes.clone(),
            executes: self.run.executes,
            may_write: worst.is_some_and(|run| !run.writes.is_empty()),
            may_execute: worst.is_some_and(|run| run.executes),
            sandbox_accepts: self.sandbox_accepts,
        }
    }

    /// The first stored field that differs from what was measured, with both values; `None`: the truth stands.
    pub fn difference(&self, case: &SedCase) -> Option<String> {
        let set = |list: &[Text]| {
            list.iter()
                .map(|text| text.0.clone())
                .collect::<BTreeSet<_>>()
        };
        let show = |set: &BTreeSet<Vec<u8>>| {
            let names: Vec<String> = set
                .iter()
                .map(|path| Text(path.clone()).to_string())
                .collect();
            format!("[{}]", names.join(", "))
        };
        let differs = |field: &str, stored: String, now: String| {
            (stored != now)
                .then(|| format!("`{field}` is stored as {stored} and measured as {now}"))
        };
        let words = super::judge::effect_word;
        let run = &self.run;
        let stored_shell: Vec<Vec<u8>> = case
            .shell
            .iter()
            .flatten()
            .map(|text| text.0.clone())
            .collect();
        let list = |texts: &[Vec<u8>]| {
            format!(
                "{:?}",
                texts
                    .iter()
                    .map(|text| Text(text.clone()).to_string())
                    .collect::<Vec<_>>()
            )
        };
        differs(
            "effect",
            words(case.effect).to_owned(),
            words(run.effect).to_owned(),
        )
        .or_else(|| differs("reads", show(&set(&case.reads)), show(&run.reads)))
        .or_else(|| differs("writes", show(&set(&case.writes)), show(&run.writes)))
        .or_else(|| {
            differs(
                "executes",
                case.executes.to_string(),
                run.executes.to_string(),
            )
        })
        .or_else(|| differs("shell", list(&stored_shell), list(&run.shell)))
        .or_else(|| {
            let stored = set(case.child_writes.as_deref().unwrap_or_default());
            differs("child_writes", show(&stored), show(&run.child_writes))
        })
        .or_else(|| {
            case.exit
                .and_then(|exit| differs("exit", exit.to_string(), run.exit.to_string()))
        })
        .or_else(|| {
            differs(
                "sandbox_accepts",
                case.sandbox_accepts.to_string(),
                self.sandbox_accepts.to_string(),
            )
        })
        .or_else(|| {
            let now = self.truth();
            let may = case.may?;
            differs(
                "may.writes",
                may.writes.to_string(),
                now.may_write.to_string(),
            )
            .or_else(|| {
                differs(
                    "may.executes",
                    may.executes.to_string(),
                    now.may_execute.to_string(),
                )
            })
        })
        .or_else(|| {
            let stored = set(case.may_reads.as_deref().unwrap_or(&case.reads));
            self.worst
                .as_ref()
                .and_then(|worst| differs("may_reads", show(&stored), show(&worst.reads)))
        })
    }
}

/// Files of the loader, the locale and the kernel: not counted as reads.
const SYSTEM: [&[u8]; 10] = [
    b"/lib/",
    b"/lib64/",
    b"/usr/lib/",
    b"/etc/ld.so",
    b"/usr/share/locale",
    b"/proc/",
    b"/sys/",
    b"/etc/selinux",
    b"/usr/share/i18n",
    b"/selinux",
];

fn read(seen: &Observation) -> Measured {
    let (mut reads, mut writes) = (BTreeSet::new(), BTreeSet::new());
    let mut shell: Vec<Vec<u8>> = Vec::new();
    let mut executes = false;
    for Event {
        process,
        call,
        errno,
    } in &seen.events
    {
        match call {
            Call::Open { path, flags, .. } if *process == 0 => {
                if SYSTEM.iter().any(|system| path.starts_with(system)) {
                    continue;
                }
                let access = flags & nix::libc::O_ACCMODE;
                if access == nix::libc::O_RDONLY {
                    reads.insert(path.clone());
                } else if *errno == 0 && !(flags & nix::libc::O_EXCL != 0 && is_temporary(path)) {
                    writes.insert(path.clone());
                }
            }
            Call::Alter { call, path, to, .. }
                if *process == 0 && *errno == 0 && changes_names(call) =>
            {
                writes.extend(
                    [Some(path), to.as_ref()]
                        .into_iter()
                        .flatten()
                        .filter(|path| !is_temporary(path))
                        .cloned(),
                );
            }
            Call::Execute { path, argv } if *process != 0 && *errno == 0 => {
                executes = true;
                if path == b"/bin/sh" && argv.len() >= 3 && argv[0] == b"sh" && argv[1] == b"-c" {
                    let command = argv.last().cloned().unwrap_or_default();
                    if !shell.contains(&command) {
                        shell.push(command);
                    }
                }
            }
            _ => {}
        }
    }
    let child_writes = seen
        .changes
        .iter()
        .flat_map(changed)
        .filter(|path| !writes.iter().any(|own| same(own, path)));
    let child_writes = if executes {
        child_writes.collect()
    } else {
        BTreeSet::new()
    };
    let effect = if executes {
        SedEffect::Executes
    } else if !writes.is_empty() {
        SedEffect::Writes
    } else if refused(seen) {
        SedEffect::Error
    } else {
        SedEffect::ReadOnly
    };
    let exit = match seen.end {
        End::Exit(status) => i64::from(status),
        End::Signal(signal) => -i64::from(signal),
        End::Deadline | End::OutputCap | End::EventCap => unreachable!("such runs have no truth"),
    };
    Measured {
        effect,
        reads,
        writes,
        executes,
        shell,
        child_writes,
        exit,
    }
}

/// System calls that make, replace or remove a name; a changed mode or owner is no write.
fn changes_names(call: &str) -> bool {
    ["rename", "unlink", "link", "symlink", "truncate", "mkdir"]
        .iter()
        .any(|name| call.starts_with(name))
}

/// The temporary file of `-i`: `sedXXXXXX` in the operand's directory.
fn is_temporary(path: &[u8]) -> bool {
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    name.len() == 9 && name.starts_with(b"sed") && name[3..].iter().all(u8::is_ascii_alphanumeric)
}

fn changed(change: &Change) -> Vec<Vec<u8>> {
    match change {
        Change::Created(path) | Change::Changed(path) | Change::Removed(path) => vec![path.clone()],
        Change::Renamed(from, to) => vec![from.clone(), to.clone()],
    }
}

/// Does a path as spelled mean this one of the tree?
fn same(spelled: &[u8], path: &[u8]) -> bool {
    let parts = |path: &[u8]| -> Vec<Vec<u8>> {
        path.split(|&byte| byte == b'/')
            .filter(|part| !part.is_empty() && *part != b".")
            .map(<[u8]>::to_vec)
            .collect()
    };
    parts(spelled) == parts(path)
}

/// A usage or script error, by the form of the message: `docs/spec/sed.md` sections 1 and 6.
fn refused(seen: &Observation) -> bool {
    seen.end != End::Exit(0) && seen.stderr.split(|&byte| byte == b'\n').any(is_refusal)
}

fn is_refusal(line: &[u8]) -> bool {
    if line.starts_with(b"Usage: ") {
        return true;
    }
    let word = line
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(line.len());
    let Some(said) = line[..word]
        .ends_with(b"sed:")
        .then(|| &line[(word + 1).min(line.len())..])
    else {
        return false;
    };
    let begins = [
        "can't find label",
        "couldn't open file ",
        "no input files",
        "INTERNAL ERROR",
        "option ",
        "invalid option",
        "unrecognized option",
    ];
    if begins
        .iter()
        .any(|begin| said.starts_with(begin.as_bytes()))
    {
        return true;
    }
    let said = String::from_utf8_lossy(said);
    let numbers = |text: &str| {
        text.split(',')
            .next()
            .is_some_and(|head| head.ends_with(|c: char| c.is_ascii_digit()))
    };
    match said.strip_prefix("-e expression #") {
        Some(rest) => numbers(rest) && rest.contains(", char "),
        None => said.strip_prefix("file ").is_some_and(|rest| {
            rest.split(" line ").skip(1).any(|after| {
                after
                    .trim_start_matches(|c: char| c.is_ascii_digit())
                    .starts_with(": ")
            })
        }),
    }
}

/// The version of the sed in the box, `4.9`. `None`: no GNU sed is there.
pub fn version(pool: &Pool) -> Option<String> {
    let fixture = Fixture::default();
    let argv = [b"sed".to_vec(), b"--version".to_vec()];
    let seen = run(
        pool,
        &job(&argv, &environment([]), &fixture, false, Watch::Snapshot),
    )
    .ok()?;
    let first =
        String::from_utf8_lossy(seen.stdout.split(|&byte| byte == b'\n').next()?).into_owned();
    let version = first.rsplit(' ').next()?.to_owned();
    first.contains("GNU sed").then_some(version)
}
