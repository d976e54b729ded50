//! What does the box cost? Some commands in it, each beside a bare spawn of the same program, as a ratio.
//!
//! Both run the same program with the same words, environment and file. Bare is `posix_spawn` and `waitpid` in a folder
//! made once; boxed is a fresh folder, the snapshot, the deadline, the output cap and the wiping. The machine may be
//! shared, so the modes take turns inside each round, and each figure is the median of the ratios of the rounds.
//! `docs/spec/engineering.md` section 1 has the figures to beat.

use differential::sandbox::{Entry, Form, HOME, Job, Options, Pool, Watch, become_worker_if_asked};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Program, words and locale of each command; all print the first line of `f`. In `C.UTF-8` glibc opens some 25 files more,
/// each of which stops for the tracer twice.
type Row = (&'static str, &'static [&'static str], &'static str);
const COMMANDS: [Row; 3] = [
    ("/usr/bin/sed", &["sed", "-n", "1p", "f"], "C"),
    ("/usr/bin/sed", &["sed", "-n", "1p", "f"], "C.UTF-8"),
    ("/bin/bash", &["bash", "-c", "sed -n 1p f | cat"], "C"),
];
const CONTENT: &str = "alpha\nbeta\n";

fn environment(locale: &str) -> [(&str, &str); 3] {
    [
        ("PATH", "/usr/bin:/bin"),
        ("HOME", HOME),
        ("LC_ALL", locale),
    ]
}

fn main() {
    become_worker_if_asked();
    // `cargo bench` says so; anything else, such as `cargo test --benches`, only wants to see it run.
    let (rounds, cases) = if std::env::args().any(|word| word == "--bench") {
        (15, 200)
    } else {
        (1, 5)
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("f"), CONTENT).expect("a file in the temporary folder");
    println!("{rounds} rounds of {cases} cases a mode");
    let forms = [Form::Namespaces, Form::Landlock];
    for (form, workers) in forms.into_iter().flat_map(|form| [(form, 1), (form, 2)]) {
        let options = Options {
            form: Some(form),
            ..Options::default()
        };
        let pool = match Pool::start(workers, options) {
            Ok(pool) => pool,
            Err(error) => {
                println!("{workers} worker(s): {form} is not measured: {error}");
                continue;
            }
        };
        for command in COMMANDS {
            let modes: [&(dyn Fn() + Sync); 3] = [
                &|| bare(command, folder.path()),
                &|| boxed(command, &pool, Watch::Snapshot),
                &|| boxed(command, &pool, Watch::Trace),
            ];
            let mut times = Vec::new();
            for round in 0..rounds {
                let mut spent = [0.0; 3];
                for turn in 0..modes.len() {
                    let mode = (round + turn) % modes.len();
                    let time = time(workers, cases, modes[mode]);
                    spent[mode] = time.as_secs_f64() * 1e6 / cases as f64;
                }
                times.push(spent);
            }
            print(
                &format!(
                    "{workers} worker(s), LC_ALL={} {}",
                    command.2,
                    command.1.join(" ")
                ),
                pool.form(),
                &times,
            );
        }
    }
}

/// Medians of the microseconds of each mode, and of their ratios to the first.
fn print(what: &str, form: Form, times: &[[f64; 3]]) {
    let median = |figure: &dyn Fn(&[f64; 3]) -> f64| {
        let mut figures: Vec<f64> = times.iter().map(figure).collect();
        figures.sort_by(f64::total_cmp);
        figures[figures.len() / 2]
    };
    println!(
        "{what}: bare {:.0} us, {form} {:.0} us = {:.3}x, traced {:.0} us = {:.3}x",
        median(&|spent| spent[0]),
        median(&|spent| spent[1]),
        median(&|spent| spent[1] / spent[0]),
        median(&|spent| spent[2]),
        median(&|spent| spent[2] / spent[0]),
    );
}

/// How long this many cases take, divided among so many threads.
fn time(threads: usize, cases: usize, case: &(dyn Fn() + Sync)) -> Duration {
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| (0..cases / threads).for_each(|_| case()));
        }
    });
    start.elapsed()
}

fn bare((program, words, locale): Row, folder: &Path) {
    let mut command = Command::new(program);
    command
        .args(&words[1..])
        .env_clear()
        .envs(environment(locale))
        .current_dir(folder);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    assert!(
        command
            .status()
            .expect("the program can be started")
            .success()
    );
}

fn boxed((program, words, locale): Row, pool: &Pool, watch: Watch) {
    let job = Job {
        program: program.into(),
        argv: words.iter().map(|word| word.as_bytes().to_vec()).collect(),
        env: environment(locale)
            .map(|(name, value)| (name.into(), value.into()))
            .to_vec(),
        tree: vec![Entry::File(b"f".to_vec(), CONTENT.into())],
        stdin: Vec::new(),
        deadline: Duration::from_secs(10),
        output_cap: 1 << 20,
        watch,
    };
    let observation = pool.run(&job).expect("the box runs the program");
    assert_eq!(
        (&observation.stdout[..], &observation.read[..]),
        (&b"alpha\n"[..], &[b"f".to_vec()][..])
    );
}
