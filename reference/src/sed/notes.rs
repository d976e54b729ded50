//! What would be opened, renamed or run? The notes that the compiler and the options leave.

use super::{Kind, World};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

/// More names than this are not kept; the answer is then the worst case.
const MOST_NAMES: usize = 10_000;
/// Bytes of a path with its final NUL (`PATH_MAX`).
const LONGEST_PATH: usize = 4096;
/// Links that the kernel follows before it gives up (`ELOOP`).
const MOST_LINKS: usize = 40;

pub(super) struct Notes<'a> {
    world: &'a dyn World,
    // Unordered: to put a name in order costs more the more there are.
    pub(super) reads: HashSet<Vec<u8>>,
    /// Read by a command when it runs.
    pub(super) late_reads: HashSet<Vec<u8>>,
    pub(super) writes: HashSet<Vec<u8>>,
    /// The last components of what was written, links followed: another path to the same file ends with the same one.
    made: HashSet<Vec<u8>>,
    pub(super) shell: HashSet<Vec<u8>>,
    pub(super) executes: bool,
    pub(super) elsewhere: BTreeSet<&'static str>,
    /// The first line of input makes sed fail.
    pub(super) fails_at_first_line: bool,
    /// A link that was not looked at may lead what is written anywhere.
    pub(super) unknown_target: bool,
    /// More was named than is kept.
    pub(super) overflow: bool,
}

impl<'a> Notes<'a> {
    pub(super) fn new(world: &'a dyn World) -> Self {
        Notes {
            world,
            reads: HashSet::new(),
            late_reads: HashSet::new(),
            writes: HashSet::new(),
            made: HashSet::new(),
            shell: HashSet::new(),
            executes: false,
            elsewhere: BTreeSet::new(),
            fails_at_first_line: false,
            unknown_target: false,
            overflow: false,
        }
    }

    fn note(set: &mut HashSet<Vec<u8>>, name: &[u8], overflow: &mut bool) {
        if !*overflow && !set.contains(name) {
            if set.len() >= MOST_NAMES {
                *overflow = true;
            } else {
                set.insert(name.to_vec());
            }
        }
    }

    /// A path is opened for reading.
    pub(super) fn read(&mut self, path: &[u8]) {
        Self::note(&mut self.reads, path, &mut self.overflow);
    }

    /// A path is opened for reading by a command, if sed gets to run it.
    pub(super) fn read_when_run(&mut self, path: &[u8]) {
        Self::note(&mut self.late_reads, path, &mut self.overflow);
    }

    /// A path is created or truncated; `false`: that fails for certain, and sed ends.
    pub(super) fn create(&mut self, path: &[u8]) -> bool {
        let fails = path.is_empty()
            || self.resolve(path).is_none_or(|(behind, kind)| {
                kind == Kind::Directory
                    || [path, &behind].iter().any(|path| {
                        matches!(
                            self.leads_to(parent(path)),
                            Kind::Missing | Kind::File | Kind::Other
                        )
                    })
            });
        if !fails {
            self.write(path);
        }
        !fails
    }

    /// The shell is started, with a command from the script or with one that the input decides.
    pub(super) fn execute(&mut self, command: Option<&[u8]>) {
        self.executes = true;
        // In place of an empty command the input is run.
        if let Some(command) = command.filter(|command| !command.is_empty()) {
            Self::note(&mut self.shell, command, &mut self.overflow);
        }
    }

    /// A name that GNU sed takes for one of its own streams.
    pub(super) fn special_name(&mut self) {
        self.elsewhere
            .insert("another sed opens /dev/stdout and /dev/stderr by path");
    }

    /// An operand is edited in place. Breaks where sed ends for certain and leaves the operands after it alone.
    pub(super) fn edit(
        &mut self,
        operand: &[u8],
        suffix: &[u8],
        follows_links: bool,
    ) -> ControlFlow<()> {
        self.read(operand);
        let Some((behind, kind)) = self.resolve(operand).filter(|_| !self.overflow) else {
            return ControlFlow::Continue(());
        };
        let stands = self.by_then(operand);
        match stands {
            Kind::Missing => return ControlFlow::Continue(()),
            _ if operand.is_empty() => return ControlFlow::Continue(()),
            Kind::Directory | Kind::Other => return ControlFlow::Break(()),
            _ => {}
        }
        self.unknown_target |= follows_links && kind == Kind::Unknown;
        let target = if follows_links {
            behind
        } else {
            operand.to_vec()
        };
        if !suffix.is_empty() {
            if suffix.iter().take(LONGEST_PATH).any(|&byte| byte == b'*') {
                self.elsewhere
                    .insert("another sed takes `*` in a suffix as it stands");
            }
            // A backup whose name is too long, or whose folder is not there, cannot be made; the operand then stays.
            let made = backup(&target, suffix).filter(|backup| {
                let folder = self.by_then(parent(backup));
                !matches!(folder, Kind::Missing | Kind::File | Kind::Other)
            });
            let Some(backup) = made else {
                // An operand that is not there after all is passed over.
                return if stands == Kind::File {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                };
            };
            self.write(&backup);
        }
        self.write(&target);
        ControlFlow::Continue(())
    }

    /// A path is written, and what it leads to is there from now on.
    fn write(&mut self, path: &[u8]) {
        Self::note(&mut self.writes, path, &mut self.overflow);
        if let Some((behind, _)) = self.resolve(path) {
            Self::note(&mut self.made, last(&behind), &mut self.overflow);
        }
    }

    /// What stands at a path when sed comes to it: what it wrote itself is there, and a command may have changed anything.
    fn by_then(&self, path: &[u8]) -> Kind {
        let Some((behind, kind)) = self.resolve(path) else {
            return Kind::Missing;
        };
        let may_be_made = kind == Kind::Missing && self.made.contains(last(&behind));
        if self.executes || may_be_made {
            Kind::Unknown
        } else {
            kind
        }
    }

    /// May the content of a file be another than it was when sed started, because sed has written it?
    pub(super) fn rewritten(&self, path: &[u8]) -> bool {
        self.resolve(path)
            .is_some_and(|(behind, _)| self.made.contains(last(&behind)))
    }

    /// What a path leads to, links followed.
    pub(super) fn leads_to(&self, path: &[u8]) -> Kind {
        self.resolve(path).map_or(Kind::Missing, |(_, kind)| kind)
    }

    /// The path behind the links at `path` itself, and what stands there. `None`: the kernel gives up, the path or the chain
    /// of links being too long.
    fn resolve(&self, path: &[u8]) -> Option<(Vec<u8>, Kind)> {
        // What is too long is never copied.
        let mut path = Cow::Borrowed(path);
        for _ in 0..=MOST_LINKS {
            if path.len() >= LONGEST_PATH {
                return None;
            }
            match self.world.kind(&path) {
                Kind::Link(target) if target.starts_with(b"/") => path = Cow::Owned(target),
                Kind::Link(target) => {
                    let folder = path
                        .iter()
                        .rposition(|&byte| byte == b'/')
                        .map_or(0, |slash| slash + 1);
                    path = Cow::Owned([&path[..folder], &target].concat());
                }
                kind => return Some((path.into_owned(), kind)),
            }
        }
        None
    }
}

/// The last component of a path.
fn last(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}

/// The folder in which a path stands, `.` for a bare name.
fn parent(path: &[u8]) -> &[u8] {
    match path.iter().rposition(|&byte| byte == b'/') {
        None => b".",
        Some(0) => b"/",
        Some(slash) => &path[..slash],
    }
}

/// The name of a backup: each `*` of the suffix is the whole operand, and without one the suffix is appended.
/// `None`: longer than the kernel takes, so that the rename fails and the operand stays.
fn backup(operand: &[u8], suffix: &[u8]) -> Option<Vec<u8>> {
    // No name gets shorter by its suffix, and a long one is not looked at for every operand.
    if suffix.len() >= LONGEST_PATH {
        return None;
    }
    let stars = suffix.iter().filter(|&&byte| byte == b'*').count();
    if suffix.len() - stars + operand.len().saturating_mul(stars.max(1)) >= LONGEST_PATH {
        return None;
    }
    let pattern = if stars > 0 {
        suffix.to_vec()
    } else {
        [b"*", suffix].concat()
    };
    Some(
        pattern
            .split(|&byte| byte == b'*')
            .collect::<Vec<_>>()
            .join(operand),
    )
}
