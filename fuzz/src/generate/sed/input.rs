//! Operands, and the files that make things happen.
//!
//! Worst case on purpose: more lines than the usual addresses name, a line for each regular expression, and lines that a
//! shell may run without harm.

use super::super::SedInvocation;
use super::Draft;
use super::construct::Construct::*;
use std::collections::BTreeSet;

/// Lines of an input at least; above the usual line addresses.
const LINES: usize = 14;

const BASE: [&[u8]; 11] = [
    b"alpha",
    b"beta",
    b"gamma w out",
    b"true",
    b"echo hi",
    b"aaaaaaaaaaaa",
    b"ab ab",
    b"",
    b"printenv HOME",
    b"x=1",
    b"pwd",
];

impl Draft<'_> {
    /// The operands, of which most exist.
    pub(super) fn operands(&mut self, made: &mut SedInvocation) -> Vec<Vec<u8>> {
        let count = self.bytes.weighted(&[(68, 1), (12, 0), (14, 2), (6, 3)]);
        if count == 0 {
            self.bytes.mark(OperandNone);
        }
        if count > 1 {
            self.bytes.mark(OperandSeveral);
        }
        (0..count).map(|_| self.operand(made)).collect()
    }

    fn operand(&mut self, made: &mut SedInvocation) -> Vec<u8> {
        let kind = self.bytes.weighted(&[
            (62, None),
            (8, Some(OperandMissing)),
            (6, Some(OperandDirectory)),
            (7, Some(OperandLink)),
            (5, Some(OperandEmpty)),
            (5, Some(OperandDash)),
            (4, Some(NameSpecial)),
            (3, Some(NameParent)),
        ]);
        if let Some(kind) = kind {
            self.bytes.mark(kind);
        }
        let name: &[u8] = match kind {
            Some(OperandMissing) => b"nofile",
            Some(OperandDirectory) => {
                self.written.push(b"d/out".to_vec());
                b"d"
            }
            Some(OperandLink) => {
                self.read.push(b"ln".to_vec());
                b"ln"
            }
            Some(OperandEmpty) => {
                made.files.insert(b"empty".to_vec(), Vec::new());
                b"empty"
            }
            Some(OperandDash) => b"-",
            Some(NameSpecial) => self.bytes.pick(&[b"/dev/stdin".as_slice(), b"/dev/null"]),
            Some(_) => self.bytes.pick(&[b"../up".as_slice(), b"../in"]),
            None => {
                let name = self.bytes.pick(&[
                    b"in".as_slice(),
                    b"in",
                    b"in",
                    b"in2",
                    b"d/f",
                    b"my file",
                    b"src/x.c",
                    b"out",
                ]);
                self.read.push(name.to_vec());
                name
            }
        };
        name.to_vec()
    }

    /// Writes the inputs and makes the directories that the names of the case ask for.
    pub(super) fn furnish(&mut self, made: &mut SedInvocation) {
        for word in &mut made.argv {
            word.retain(|byte| *byte != 0);
        }
        for name in std::mem::take(&mut self.read) {
            if name == b"nofile"
                || name == b"d"
                || made.files.contains_key(&name)
                || !is_plain(&name)
            {
                continue;
            }
            let content = self.content();
            if name == b"ln" {
                made.files.entry(b"in".to_vec()).or_insert(content);
                made.links.insert(name, b"in".to_vec());
            } else {
                made.files.insert(name, content);
            }
        }
        if made.stdin.is_empty() && !self.bytes.chance(10) {
            made.stdin = self.content();
        }
        let mut dirs = BTreeSet::new();
        for name in std::mem::take(&mut self.written) {
            if name == b"ln" && !made.files.contains_key(&name) {
                made.links.insert(name, b"out".to_vec());
                continue;
            }
            let Some(cut) = name.iter().rposition(|byte| *byte == b'/') else {
                continue;
            };
            if name != b"nodir/out" && is_plain(&name[..cut]) && !self.bytes.chance(8) {
                dirs.insert(name[..cut].to_vec());
            }
        }
        if made.argv.iter().any(|word| word == b"d") {
            dirs.insert(b"d".to_vec());
        }
        // A name is one thing: what has something below it is a directory.
        let paths: Vec<Vec<u8>> = made
            .files
            .keys()
            .chain(made.links.keys())
            .cloned()
            .collect();
        let is_parent = |path: &[u8]| {
            paths.iter().chain(&dirs).any(|other| {
                other.len() > path.len() && other.starts_with(path) && other[path.len()] == b'/'
            })
        };
        made.files
            .retain(|path, _| !is_parent(path) && !dirs.contains(path));
        made.links
            .retain(|path, _| !is_parent(path) && !dirs.contains(path));
        made.dirs = dirs.into_iter().collect();
    }

    /// Lines of one input.
    fn content(&mut self) -> Vec<u8> {
        let start = self.bytes.below(BASE.len());
        let mut lines: Vec<&[u8]> = BASE[start..]
            .iter()
            .chain(&BASE[..start])
            .copied()
            .collect();
        let samples = self.samples.clone();
        lines.extend(samples.iter().map(Vec::as_slice));
        let mut content = Vec::new();
        for line in lines.iter().cycle().take(lines.len().max(LINES)) {
            content.extend(*line);
            content.push(b'\n');
        }
        match self.bytes.weighted(&[
            (90, b"\n".as_slice()),
            (5, b""),
            (3, b"a\r\n"),
            (2, b"a\0a\n"),
        ]) {
            b"\n" => {}
            end => {
                content.pop();
                content.extend(end);
            }
        }
        content
    }
}

/// Whether a file of this name can be put below the working directory.
fn is_plain(name: &[u8]) -> bool {
    !name.contains(&0)
        && name
            .split(|byte| *byte == b'/')
            .all(|part| !part.is_empty() && part != b"." && part != b"..")
}
