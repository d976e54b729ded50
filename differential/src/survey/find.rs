//! Which files below a folder are shell scripts?
//!
//! A regular file that begins with `#!` and a shell that bash can stand for, or is called `*.sh` or `*.bash`. Links are not
//! followed, so that nothing is read twice or for ever.

use super::Place;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Bytes of a file that is read; a longer one is no script that a person wrote.
const LONGEST: u64 = 4 << 20;
/// Bytes that show what a file is.
const HEAD: u64 = 128;
/// Shells whose scripts bash reads.
const SHELLS: [&[u8]; 3] = [b"sh", b"bash", b"dash"];

/// A script.
#[derive(Clone, Debug)]
pub struct Script {
    /// Where it was found.
    pub path: PathBuf,
    /// What is in it.
    pub text: Vec<u8>,
}

impl Script {
    /// The place of an offset.
    pub fn place(&self, at: usize) -> Place {
        let before = &self.text[..at.min(self.text.len())];
        Place {
            file: self.path.clone(),
            line: before.iter().filter(|&&byte| byte == b'\n').count() + 1,
        }
    }
}

/// The scripts below these paths, by path. What may not be read below them is passed over.
///
/// # Errors
///
/// A path that is not there, or cannot be read.
pub fn find(paths: &[PathBuf]) -> Result<Vec<Script>, (PathBuf, io::Error)> {
    let mut scripts = Vec::new();
    for path in paths {
        let named = |error| (path.clone(), error);
        let is_folder = fs::metadata(path).map_err(named)?.is_dir();
        match is_folder {
            true => {
                fs::read_dir(path).map_err(named)?;
                below(path, &mut scripts);
            }
            false => scripts.extend(script(path).map_err(named)?),
        }
    }
    scripts.sort_by(|one, other| one.path.cmp(&other.path));
    scripts.dedup_by(|one, other| one.path == other.path);
    Ok(scripts)
}

fn below(folder: &Path, scripts: &mut Vec<Script>) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(kind) if kind.is_file() => {
                    scripts.extend(script(&entry.path()).ok().flatten());
                }
                _ => {}
            }
        }
    }
}

fn script(path: &Path) -> io::Result<Option<Script>> {
    if !fs::metadata(path)?.is_file() {
        return Ok(None);
    }
    let mut file = fs::File::open(path)?;
    let mut text = Vec::new();
    file.by_ref().take(HEAD).read_to_end(&mut text)?;
    let is_named = path
        .extension()
        .is_some_and(|end| end == "sh" || end == "bash");
    if !is_named && !names_shell(&text) {
        return Ok(None);
    }
    file.take(LONGEST).read_to_end(&mut text)?;
    let is_whole = (text.len() as u64) < LONGEST;
    // Bash takes a file with a zero byte in it for a program.
    let is_text = !text.contains(&0);
    Ok((is_whole && is_text).then(|| Script {
        path: path.to_owned(),
        text,
    }))
}

/// Does the first line name one of [`SHELLS`], alone or behind `env`?
fn names_shell(head: &[u8]) -> bool {
    let Some(line) = head.strip_prefix(b"#!") else {
        return false;
    };
    let line = line.split(|&byte| byte == b'\n').next().unwrap_or(line);
    let words = line
        .split(|byte| b" \t\r".contains(byte))
        .filter(|word| !word.is_empty());
    let names = words.map(|word| word.rsplit(|&byte| byte == b'/').next().unwrap_or(word));
    let first = names.into_iter().find(|name| *name != b"env");
    first.is_some_and(|name| SHELLS.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::names_shell;

    #[test]
    fn the_first_line_names_a_shell() {
        for line in [
            "#!/bin/sh\n",
            "#! /usr/bin/env bash\n",
            "#!/bin/dash -e",
            "#!sh",
        ] {
            assert!(names_shell(line.as_bytes()), "{line}");
        }
        for line in [
            "",
            "#",
            "#!",
            "/bin/sh",
            "#!/usr/bin/zsh",
            "#!/usr/bin/perl -w",
            "#!/usr/bin/env python3 sh",
        ] {
            assert!(!names_shell(line.as_bytes()), "{line}");
        }
    }
}
