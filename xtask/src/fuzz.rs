//! `cargo xtask fuzz`: does anything break when libFuzzer looks for it?
//!
//! Builds one target with coverage on the stable toolchain, replays what is stored, then looks for new inputs until time
//! is up or one of them breaks a property. The properties are those of the tests; nothing here judges. What it finds
//! stays below `target/`; the stored seeds are copied, never written back.

mod children;

use crate::cli::Common;
use crate::screen::Screen;
use children::{start, wait};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::SystemTime;

/// Coverage-guided fuzzing on the stable toolchain
///
/// Replays the stored inputs of a target, then looks for new ones until the time is up. Exit: 0 nothing broke; 1 a
/// property broke, the input is kept and shown; 2 there is no such target; 3 there is no C++ compiler; 130 interrupted.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  cargo xtask fuzz --list\n  cargo xtask fuzz sed --seconds 300 --jobs 2"
)]
pub(crate) struct Fuzz {
    /// Which target
    target: Option<String>,
    /// How long to look for new inputs; building and replaying are not counted
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    /// List the targets and what each looks for
    #[arg(long, conflicts_with = "target")]
    list: bool,
    #[command(flatten)]
    common: Common,
}

/// One libFuzzer target.
struct Target {
    name: &'static str,
    about: &'static str,
    /// The input as one would type it.
    show: fn(&[u8]) -> String,
}

/// Every target; the file of each is `fuzz/fuzz_targets/NAME.rs`.
const TARGETS: &[Target] = &[
    Target {
        name: "sed",
        about: "a run of sed: options, script, inputs",
        show: |bytes| ::fuzz::generate::show(&::fuzz::generate::sed(bytes)),
    },
    Target {
        name: "shell",
        about: "a command for the shell: its tree and its regions",
        show: |bytes| ::fuzz::generate::show_command(bytes, &[]),
    },
];

/// What sanitizer coverage needs of a compiler without `-Z`; see the documentation of SanitizerCoverage.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Cllvm-args=-simplifycfg-branch-fold-threshold=0 \
    --cfg fuzzing -Ccodegen-units=1 -Cdebug-assertions";

/// A longer input makes no larger case.
const LONGEST: &str = "-max_len=1024";

/// Seconds after which one input counts as a hang.
const HANG: &str = "-timeout=10";

/// Runs the command and gives its exit code; an error is a wrong call, with the remedy.
pub(crate) fn run(options: &Fuzz) -> Result<i32, String> {
    let screen = Screen::new(options.common.json);
    if options.list {
        for target in TARGETS {
            say(&screen, &format!("{}   {}", target.name, target.about))?;
        }
        let targets: Vec<Value> = TARGETS
            .iter()
            .map(|target| json!({ "name": target.name, "about": target.about }))
            .collect();
        return finish(options, 0, json!({ "targets": targets }));
    }
    let target = choose(options.target.as_deref())?;
    let seed = options.common.seed();
    say(
        &screen,
        &format!("fuzz {}   seed {seed}   {} s", target.name, options.seconds),
    )?;
    if let Err(reason) = compiler() {
        say(&screen, &format!("\nincomplete: {reason}"))?;
        return finish(
            options,
            3,
            json!({ "target": target.name, "seed": seed, "reasons": [reason] }),
        );
    }
    let place = Place::prepare(target)?;
    let end = match place.build(target)? {
        Some(program) => place.look(options, seed, &program)?,
        None => End::Interrupted,
    };
    let (exit, mut document) = match end {
        End::Clean => {
            say(
                &screen,
                &format!(
                    "\nnothing broke: {} inputs in {}",
                    files(&place.corpus).len(),
                    place.corpus.display()
                ),
            )?;
            (0, json!({}))
        }
        End::Interrupted => (130, json!({})),
        End::Crash(file) => {
            let input = fs::read(&file).map_err(|error| at(&file, &error))?;
            let shown = (target.show)(&input);
            let replay = format!("{} {}", place.program(target).display(), file.display());
            say(
                &screen,
                &format!(
                    "\nbroke on this input\n\n{shown}\n\nkept as  {}\nreplay   {replay}",
                    file.display()
                ),
            )?;
            (
                1,
                json!({ "crash": file.display().to_string(), "shown": shown, "replay": replay }),
            )
        }
    };
    document["target"] = target.name.into();
    document["seed"] = seed.into();
    finish(options, exit, document)
}

/// The target of that name, or the only one.
fn choose(name: Option<&str>) -> Result<&'static Target, String> {
    let names = || {
        TARGETS
            .iter()
            .map(|target| target.name)
            .collect::<Vec<_>>()
            .join(", ")
    };
    match (name, TARGETS) {
        (Some(name), _) => TARGETS
            .iter()
            .find(|target| target.name == name)
            .ok_or_else(|| format!("there is no target \"{name}\"; the targets are {}", names())),
        (None, [only]) => Ok(only),
        (None, _) => Err(format!("name a target: {}", names())),
    }
}

/// How a run ended.
enum End {
    Clean,
    Interrupted,
    /// The input that broke something.
    Crash(PathBuf),
}

/// The folders of one target, relative to the root of the project where that is the current directory.
struct Place {
    root: PathBuf,
    corpus: PathBuf,
    artifacts: PathBuf,
    dictionary: PathBuf,
    build: PathBuf,
    host: String,
}

impl Place {
    /// Makes the folders and copies the stored seeds.
    fn prepare(target: &Target) -> Result<Place, String> {
        let root = root()?;
        let host = host()?;
        let place = Place {
            corpus: root.join("target/fuzz-corpus").join(target.name),
            artifacts: root.join("target/fuzz-artifacts").join(target.name),
            dictionary: root
                .join("fuzz/dictionaries")
                .join(target.name)
                .with_extension("dict"),
            build: root.join("target/fuzz"),
            root,
            host,
        };
        for folder in [&place.corpus, &place.artifacts] {
            fs::create_dir_all(folder).map_err(|error| at(folder, &error))?;
        }
        for seed in files(&place.root.join("fuzz/seeds").join(target.name)) {
            let name = seed.file_name().expect("a listed file has a name");
            fs::copy(&seed, place.corpus.join(name)).map_err(|error| at(&seed, &error))?;
        }
        Ok(place)
    }

    fn program(&self, target: &Target) -> PathBuf {
        self.build
            .join(&self.host)
            .join("release")
            .join(target.name)
    }

    /// Builds the target; nothing if that was interrupted.
    fn build(&self, target: &Target) -> Result<Option<PathBuf>, String> {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .args([
                "build",
                "--release",
                "--package",
                "fuzz",
                "--features",
                "libfuzzer",
                "--manifest-path",
            ])
            .arg(self.root.join("Cargo.toml"));
        // With a target named, the flags stay off build scripts.
        cargo
            .args(["--bin", target.name, "--target", &self.host, "--target-dir"])
            .arg(&self.build);
        cargo
            .env("RUSTFLAGS", FLAGS)
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .stdout(Stdio::null());
        match wait(vec![start(&mut cargo)?])? {
            None => Ok(None),
            Some(status) if status.success() => Ok(Some(self.program(target))),
            Some(_) => Err(format!(
                "target \"{}\" does not build; cargo says why above",
                target.name
            )),
        }
    }

    /// Replays the corpus, then looks for new inputs.
    fn look(&self, options: &Fuzz, seed: u64, program: &Path) -> Result<End, String> {
        let replay = self.fuzzer(program, &["-runs=0".to_owned()]);
        let end = self.follow(vec![replay])?;
        if !matches!(end, End::Clean) {
            return Ok(end);
        }
        let jobs = (0..options.common.jobs() as u64).map(|job| {
            // libFuzzer takes a seed of 32 bits, and draws its own for zero.
            let seed = (seed.wrapping_add(job) % u64::from(u32::MAX)) + 1;
            let mut fuzzer = self.fuzzer(
                program,
                &[
                    format!("-seed={seed}"),
                    format!("-max_total_time={}", options.seconds),
                ],
            );
            if self.dictionary.exists() {
                fuzzer.arg(format!("-dict={}", self.dictionary.display()));
            }
            if job > 0 {
                // One of them is enough to watch; they share what they find.
                fuzzer.stderr(Stdio::null());
            }
            fuzzer
        });
        self.follow(jobs.collect())
    }

    fn fuzzer(&self, program: &Path, options: &[String]) -> Command {
        let mut fuzzer = Command::new(program);
        fuzzer
            .args([LONGEST, HANG])
            .args(options)
            .arg(format!("-artifact_prefix={}/", self.artifacts.display()));
        fuzzer
            .arg(&self.corpus)
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        fuzzer
    }

    /// Runs the fuzzers until all are done or one is not clean.
    fn follow(&self, mut fuzzers: Vec<Command>) -> Result<End, String> {
        let began = SystemTime::now();
        let children = fuzzers
            .iter_mut()
            .map(start)
            .collect::<Result<Vec<Child>, String>>()?;
        let status = match wait(children)? {
            None => return Ok(End::Interrupted),
            Some(status) if status.success() => return Ok(End::Clean),
            Some(status) => status,
        };
        // An input found in an earlier run is written again, under the same name.
        let newest = files(&self.artifacts).into_iter().filter_map(|file| {
            let written = file.metadata().and_then(|data| data.modified()).ok()?;
            (written >= began && !file.file_name()?.to_string_lossy().starts_with("slow-unit"))
                .then_some((written, file))
        });
        newest
            .max()
            .map(|(_, file)| End::Crash(file))
            .ok_or_else(|| {
                format!("libFuzzer ended with {status} and kept no input; it says why above")
            })
    }
}

/// The root of the project: where cargo says this package lies, else the current directory.
fn root() -> Result<PathBuf, String> {
    let here = std::env::current_dir()
        .map_err(|error| format!("there is no current directory: {error}"))?;
    let root = std::env::var_os("CARGO_MANIFEST_DIR")
        .and_then(|package| Path::new(&package).parent().map(Path::to_owned));
    let root = root.unwrap_or_else(|| here.clone());
    if !root.join("fuzz/fuzz_targets").is_dir() {
        return Err(format!(
            "no fuzz targets below {}; run this in the root of the project",
            root.display()
        ));
    }
    Ok(root
        .strip_prefix(&here)
        .map_or(root.clone(), |below| Path::new(".").join(below)))
}

/// The triple that rustc builds for by itself.
fn host() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(&rustc)
        .arg("-vV")
        .output()
        .map_err(|error| format!("cannot start {}: {error}", rustc.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| format!("{} -vV names no host", rustc.display()))
}

/// libFuzzer is built from its C++ source.
fn compiler() -> Result<(), String> {
    let name = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let found = Command::new(&name)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match found {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!(
            "no C++ compiler: libFuzzer is built from source and \"{name}\" does not run; install g++ or clang++, or name one in CXX"
        )),
    }
}

/// The files of a folder, by name; none if there is no such folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

fn at(file: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", file.display())
}

fn say(screen: &Screen, line: &str) -> Result<(), String> {
    screen.say(&format!("{line}\n")).map_err(|stop| stop.reason)
}

/// The document, if one is wanted, and the exit code.
fn finish(options: &Fuzz, exit: i32, mut document: Value) -> Result<i32, String> {
    document["schema"] = 1.into();
    document["exit"] = exit.into();
    if options.common.json {
        println!("{document}");
    }
    Ok(exit)
}

#[cfg(test)]
mod tests {
    use super::{TARGETS, choose, files};
    use std::path::Path;

    #[test]
    fn every_target_has_its_file_and_every_file_its_target() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/fuzz_targets");
        let stems: Vec<String> = files(&folder)
            .iter()
            .filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned()))
            .collect();
        assert_eq!(
            stems,
            TARGETS.iter().map(|target| target.name).collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_right_ones() {
        let error = choose(Some("awk")).err();
        assert_eq!(
            error.as_deref(),
            Some("there is no target \"awk\"; the targets are sed, shell")
        );
    }
}
