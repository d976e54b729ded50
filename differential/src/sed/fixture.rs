//! What stands in the working directory of a case, as the recognizer may look at it and as the box lays it?

use crate::sandbox::{Entry, HOME};
use corpus::{SedCase, Text, Worst};
use reference::sed::{Kind, World};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Links followed on the way to a path, as the kernel does.
const MOST_LINKS: usize = 40;

/// The directories, files, links and standard input of a case. Paths are relative to the working directory.
#[derive(Clone, Debug, Default)]
pub struct Fixture {
    dirs: BTreeSet<Vec<u8>>,
    files: BTreeMap<Vec<u8>, Vec<u8>>,
    links: BTreeMap<Vec<u8>, Vec<u8>>,
    stdin: Vec<u8>,
    /// Files whose content, and standard input, other input may replace: they are no part of the question.
    open: BTreeSet<Vec<u8>>,
    open_stdin: bool,
}

fn bytes(map: &BTreeMap<String, Text>) -> BTreeMap<Vec<u8>, Vec<u8>> {
    map.iter()
        .map(|(name, text)| (name.clone().into_bytes(), text.0.clone()))
        .collect()
}

impl Fixture {
    /// A fixture of these directories, files and links.
    pub fn new(
        dirs: impl IntoIterator<Item = Vec<u8>>,
        files: BTreeMap<Vec<u8>, Vec<u8>>,
        links: BTreeMap<Vec<u8>, Vec<u8>>,
        stdin: Vec<u8>,
    ) -> Self {
        Fixture {
            dirs: dirs.into_iter().collect(),
            files,
            links,
            stdin,
            ..Fixture::default()
        }
    }

    /// The fixture of a case. Where the case asks about other input too (`worst`), that input is left open.
    pub fn of(case: &SedCase) -> Self {
        let dirs = case.dirs.iter().map(|dir| dir.0.clone());
        let mut fixture = Fixture::new(
            dirs,
            bytes(&case.files),
            bytes(&case.links),
            case.stdin.0.clone(),
        );
        if let Some(worst) = &case.worst {
            fixture.open = bytes(&worst.files).into_keys().collect();
            fixture.open_stdin = worst.stdin.is_some();
        }
        fixture
    }

    /// The same with nothing left open.
    pub fn closed(&self) -> Self {
        Fixture {
            open: BTreeSet::new(),
            open_stdin: false,
            ..self.clone()
        }
    }

    /// The same with the worst input in place.
    pub fn with(mut self, worst: &Worst) -> Self {
        self.files.extend(bytes(&worst.files));
        if let Some(stdin) = &worst.stdin {
            self.stdin = stdin.0.clone();
        }
        self
    }

    /// Standard input.
    pub fn stdin(&self) -> &[u8] {
        &self.stdin
    }

    /// What the box lays.
    pub fn tree(&self) -> Vec<Entry> {
        let dirs = self.dirs.iter().cloned().map(Entry::Directory);
        let files = self
            .files
            .iter()
            .map(|(path, content)| Entry::File(path.clone(), content.clone()));
        let links = self
            .links
            .iter()
            .map(|(path, target)| Entry::Link(path.clone(), target.clone()));
        dirs.chain(files).chain(links).collect()
    }

    /// Is something below this path in the fixture, so that it is a directory?
    fn is_dir(&self, path: &[u8]) -> bool {
        let prefix = [path, b"/"].concat();
        let mut names = self
            .dirs
            .iter()
            .chain(self.files.keys())
            .chain(self.links.keys());
        self.dirs.contains(path) || names.any(|name| name.starts_with(&prefix))
    }

    /// What stands at a path without `.`, `..` and links on the way.
    fn at(&self, path: &[u8]) -> Kind {
        let prefix = [path, b"/"].concat();
        if self.open.contains(path)
            || self.open.iter().any(|open| open.starts_with(&prefix)) && !self.is_dir(path)
        {
            return Kind::Unknown;
        }
        if let Some(target) = self.links.get(path) {
            Kind::Link(target.clone())
        } else if self.files.contains_key(path) {
            Kind::File
        } else if self.is_dir(path) {
            Kind::Directory
        } else {
            Kind::Missing
        }
    }

    /// The path of the fixture to which a path as spelled leads, links on the way followed but not one at its end.
    /// Errors: what stands there when it is not in the working directory, or cannot be.
    fn place(&self, spelled: &[u8]) -> Result<Vec<u8>, Kind> {
        let mut rest: Vec<Vec<u8>> = spelled
            .split(|&b| b == b'/')
            .rev()
            .map(<[u8]>::to_vec)
            .collect();
        if spelled.starts_with(b"/") {
            return Err(if spelled == b"/dev/null" {
                Kind::Other
            } else {
                Kind::Unknown
            });
        }
        let mut place: Vec<Vec<u8>> = Vec::new();
        let mut links = 0;
        while let Some(part) = rest.pop() {
            if part.is_empty() || part == b"." {
                continue;
            }
            if part == b".." {
                if place.pop().is_none() {
                    return Err(if rest.is_empty() {
                        Kind::Directory
                    } else {
                        self.above(&rest)
                    });
                }
                continue;
            }
            place.push(part);
            if rest.is_empty() {
                break;
            }
            let path = place.join(&b'/');
            match self.at(&path) {
                Kind::Directory => {}
                Kind::Link(target) if links < MOST_LINKS && !target.starts_with(b"/") => {
                    links += 1;
                    place.pop();
                    rest.extend(target.split(|&b| b == b'/').rev().map(<[u8]>::to_vec));
                }
                Kind::File | Kind::Missing => return Err(Kind::Missing),
                _ => return Err(Kind::Unknown),
            }
        }
        Ok(place.join(&b'/'))
    }

    /// What stands beside the working directory: nothing but itself.
    fn above(&self, rest: &[Vec<u8>]) -> Kind {
        let home = HOME.as_bytes();
        let inside = rest
            .iter()
            .any(|part| part == b".." || home.ends_with(part) || part == b"cwd");
        let nowhere = |part: &Vec<u8>| part.is_empty() || part == b".";
        if inside || rest.iter().all(nowhere) {
            Kind::Unknown
        } else {
            Kind::Missing
        }
    }
}

impl World for Fixture {
    fn script(&self, path: &[u8]) -> Option<Cow<'_, [u8]>> {
        if path == b"-" || path == b"/dev/stdin" {
            return (!self.open_stdin).then_some(Cow::Borrowed(&self.stdin));
        }
        let mut place = self.place(path).ok()?;
        for _ in 0..MOST_LINKS {
            match self.at(&place) {
                Kind::File => {
                    return self
                        .files
                        .get(&place)
                        .map(|text| Cow::Borrowed(text.as_slice()));
                }
                Kind::Link(target) => {
                    let folder = place
                        .iter()
                        .rposition(|&byte| byte == b'/')
                        .map_or(0, |slash| slash + 1);
                    place.truncate(folder);
                    place.extend(target);
                    place = self.place(&place).ok()?;
                }
                _ => return None,
            }
        }
        None
    }

    fn kind(&self, path: &[u8]) -> Kind {
        if path.is_empty() {
            return Kind::Missing;
        }
        match self.place(path) {
            Err(kind) => kind,
            Ok(place) if place.is_empty() => Kind::Directory,
            // A slash at the end asks for a directory.
            Ok(place) if path.ends_with(b"/") => match self.at(&place) {
                Kind::File | Kind::Missing => Kind::Missing,
                Kind::Link(_) | Kind::Unknown | Kind::Other => Kind::Unknown,
                Kind::Directory => Kind::Directory,
            },
            Ok(place) => self.at(&place),
        }
    }
}
