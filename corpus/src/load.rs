//! Which files are read, and do their lines go together? Files and folders, streamed line by line and read in parallel.
//!
//! Cases come in the order of the files, then of the lines, and so does the fault that is told: the first one. Memory is
//! that of the cases and of one batch of lines a file.

use crate::fault::Fault;
use crate::form::{self, Line};
use crate::{Body, Case, Check, Place};
use rayon::prelude::*;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

/// Whether lines with an `id` stand sorted by it, bytewise, within each file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// They must: `corpus/cases`.
    Sorted,
    /// They need not: files named on the command line.
    Any,
}

/// The cases of a run. Every name is there once.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// In the order of the files, then of the lines.
    pub cases: Vec<Case>,
    /// The files that were read, in order.
    pub files: Vec<PathBuf>,
}

impl Corpus {
    /// Whether there is no case; whoever selects cases has to refuse that.
    pub fn is_empty(&self) -> bool {
        self.cases.is_empty()
    }
}

/// A longer line is no command that a system would take.
const LONGEST_LINE: usize = 16 << 20;
/// Lines are parsed in batches of at least so many bytes.
const BATCH: usize = 1 << 20;

/// Loads files, and of folders every file below them, in the order of their names.
///
/// A file that is named is read whatever its name ends in. Below a folder everything is a `.jsonl` file or a folder of
/// such, else the load fails: hidden files and links too, so that nothing is passed over.
///
/// # Errors
/// The first [`Fault`]: what cannot be read, what does not keep to its form, a name that is taken (over all files), a
/// line out of order, and after these a twin that no case is named.
pub fn load(paths: &[PathBuf], order: Order) -> Result<Corpus, Fault> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            files_below(path, &mut found);
        } else {
            found.push(Ok(path.clone()));
        }
    }
    let read: Vec<_> = found
        .into_par_iter()
        .map(|file| file.map(read_file))
        .collect();

    let mut corpus = Corpus::default();
    let mut names: HashMap<String, Place> = HashMap::new();
    for file in read {
        let Lines { file, lines, fault } = file?;
        let mut before = String::new();
        for (line, place) in lines {
            let case = named(line, place, order, &mut before)?;
            if let Some(taken) = names.insert(case.name.clone(), case.place.clone()) {
                let reason = format!(
                    "id {:?} is taken ({taken}); give this case its own",
                    case.name
                );
                return Err(Fault::at(&case.place.file, case.place.line, reason));
            }
            corpus.cases.push(case);
        }
        corpus.files.push(file);
        fault.map_or(Ok(()), Err)?;
    }
    for case in &corpus.cases {
        if let Body::Command(command) = &case.body
            && let Some(twin) = &command.twin
            && !names.contains_key(twin)
        {
            let reason = format!("twin {twin:?} does not exist; name the id of the other case");
            return Err(Fault::at(&case.place.file, case.place.line, reason));
        }
    }
    Ok(corpus)
}

/// `corpus/cases` of this checkout, relative to the current directory.
///
/// The checkout is the nearest folder, from the current one upwards, that holds `Cargo.toml` and `corpus/cases`. Nothing
/// is remembered from the build, so a program that was built elsewhere reads the corpus it is called in.
///
/// # Errors
/// A [`Fault`] if no such folder is above the current one.
pub fn cases_folder() -> Result<PathBuf, Fault> {
    in_checkout(CASES)
}

const CASES: &str = "corpus/cases";

/// A path of this checkout, relative to the current directory.
pub(crate) fn in_checkout(path: &str) -> Result<PathBuf, Fault> {
    let fault = |reason: String| Fault::of(Path::new(path), reason);
    let here = std::env::current_dir()
        .map_err(|error| fault(format!("the current directory cannot be read: {error}")))?;
    let up = here
        .ancestors()
        .position(|above| above.join("Cargo.toml").is_file() && above.join(CASES).is_dir())
        .ok_or_else(|| {
            fault("not found here or above; call from within the checkout".to_owned())
        })?;
    Ok(std::iter::repeat_n("..", up).chain([path]).collect())
}

/// Every file below the folder, or why something below it is none.
fn files_below(folder: &Path, found: &mut Vec<Result<PathBuf, Fault>>) {
    let listed = fs::read_dir(folder).and_then(|entries| entries.collect::<io::Result<Vec<_>>>());
    let mut entries = match listed {
        Ok(entries) => entries,
        Err(error) => return found.push(Err(unreadable(folder, &error))),
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let reason = match entry.file_type() {
            Err(error) => return found.push(Err(unreadable(&path, &error))),
            Ok(_) if entry.file_name().as_encoded_bytes().starts_with(b".") => {
                "is hidden; give it another name, or take it out of the cases"
            }
            Ok(kind) if kind.is_symlink() => "is a link; put the file itself here",
            Ok(kind) if kind.is_dir() => {
                files_below(&path, found);
                continue;
            }
            Ok(kind) if kind.is_file() && path.extension().is_some_and(|end| end == "jsonl") => {
                found.push(Ok(path));
                continue;
            }
            Ok(_) => "is no case file; name it .jsonl, or take it out of the cases",
        };
        found.push(Err(Fault::of(&path, reason)));
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Fault {
    Fault::of(
        path,
        format_args!("cannot be read: {}", error.to_string().to_lowercase()),
    )
}

/// What one file holds, up to its first fault.
struct Lines {
    file: PathBuf,
    lines: Vec<(Line, Place)>,
    fault: Option<Fault>,
}

fn read_file(file: PathBuf) -> Lines {
    let mut lines = Vec::new();
    let fault = read_lines(&file, &mut lines).err();
    Lines { file, lines, fault }
}

fn read_lines(file: &Path, lines: &mut Vec<(Line, Place)>) -> Result<(), Fault> {
    let default = form::check_of_name(&base_name(file));
    let opened = File::open(file).map_err(|error| unreadable(file, &error))?;
    let mut reader = BufReader::new(opened);
    loop {
        let (batch, cut) = batch(&mut reader);
        let first = lines.len() + 1;
        let parsed: Vec<_> = batch.par_iter().map(|line| parse(line, default)).collect();
        let last = parsed.is_empty();
        for (line, number) in parsed.into_iter().zip(first..) {
            let line = line.map_err(|reason| Fault::at(file, number, reason))?;
            lines.push((
                line,
                Place {
                    file: file.to_path_buf(),
                    line: number,
                },
            ));
        }
        match cut {
            Some(Cut::Failed(error)) => return Err(unreadable(file, &error)),
            Some(Cut::Long) => {
                let reason = format!("longer than {} MiB; shorten the case", LONGEST_LINE >> 20);
                return Err(Fault::at(file, lines.len() + 1, reason));
            }
            None if last => return Ok(()),
            None => {}
        }
    }
}

/// Why a batch ends before the file does.
enum Cut {
    Failed(io::Error),
    Long,
}

/// The next whole lines, each with its newline if it has one; none at the end of the file.
fn batch(reader: &mut impl BufRead) -> (Vec<Vec<u8>>, Option<Cut>) {
    let (mut lines, mut size) = (Vec::new(), 0);
    while size < BATCH {
        let mut line = Vec::new();
        match reader
            .take(LONGEST_LINE as u64 + 1)
            .read_until(b'\n', &mut line)
        {
            Ok(0) => break,
            Ok(read) if read > LONGEST_LINE => return (lines, Some(Cut::Long)),
            Ok(read) => size += read,
            Err(error) => return (lines, Some(Cut::Failed(error))),
        }
        lines.push(line);
    }
    (lines, None)
}

fn parse(line: &[u8], default: Option<Check>) -> Result<Line, String> {
    let Some(line) = line.strip_suffix(b"\n") else {
        return Err("the last line has no newline; end it with one".to_owned());
    };
    if line.trim_ascii().is_empty() {
        return Err("empty line; delete it".to_owned());
    }
    let text = std::str::from_utf8(line).map_err(|error| {
        let at = error.valid_up_to() + 1;
        format!("not UTF-8 (column {at}); write other bytes as {{\"hex\": \"…\"}}")
    })?;
    form::line(text, default)
}

/// The case of a line under its name, if the line stands where its order wants it.
fn named(line: Line, place: Place, order: Order, before: &mut String) -> Result<Case, Fault> {
    if let Some(id) = &line.id {
        if order == Order::Sorted && id < before {
            let reason =
                format!("id {id:?} stands after {before:?}; sort the lines by id, bytewise");
            return Err(Fault::at(&place.file, place.line, reason));
        }
        before.clone_from(id);
    }
    let origin = line.origin.filter(|origin| !origin.is_empty());
    let name = line.id.or(origin);
    let name = name.unwrap_or_else(|| format!("{}:{}", base_name(&place.file), place.line));
    Ok(Case {
        place,
        name,
        body: line.body,
    })
}

fn base_name(file: &Path) -> String {
    file.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
