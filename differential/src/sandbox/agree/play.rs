//! What does each call do to the tree?
//!
//! Calls of different processes may be told in another order than they happened. One that does not fit yet, such as an
//! opening in a folder that is still to come, waits with all that its process did after it.

use super::super::{Call, Event};
use super::tree::{Kind, Last, Place, Tree, folder_kind};
use nix::libc;
use std::collections::{BTreeMap, VecDeque};

/// Whether descriptors were opened again by a path, for reading or writing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reopened {
    pub(super) reading: bool,
    pub(super) writing: bool,
}

/// The tree, and what is known of the calls that were played on it.
pub(super) struct Play<'a> {
    pub(super) tree: Tree,
    pub(super) calls: usize,
    pub(super) skipped: usize,
    pub(super) undecided: bool,
    pub(super) reopened: Reopened,
    waiting: BTreeMap<u32, VecDeque<&'a Event>>,
}

/// The call does not fit the tree as it is now.
struct NotYet;

impl<'a> Play<'a> {
    pub(super) fn new(tree: Tree) -> Self {
        Self {
            tree,
            calls: 0,
            skipped: 0,
            undecided: false,
            reopened: Reopened::default(),
            waiting: BTreeMap::new(),
        }
    }

    /// Plays all events.
    pub(super) fn all(&mut self, events: &'a [Event]) {
        for event in events {
            if let Some(line) = self.waiting.get_mut(&event.process) {
                line.push_back(event);
            } else if self.one(event).is_err() {
                self.waiting.insert(event.process, VecDeque::from([event]));
            } else {
                self.those_that_waited();
            }
        }
    }

    /// The first event that never fitted.
    pub(super) fn unplayed(&self) -> Option<&'a Event> {
        self.waiting.values().find_map(|line| line.front().copied())
    }

    fn those_that_waited(&mut self) {
        let mut went_on = !self.waiting.is_empty();
        while went_on {
            went_on = false;
            let mut waiting = std::mem::take(&mut self.waiting);
            for line in waiting.values_mut() {
                while let Some(event) = line.front()
                    && self.one(event).is_ok()
                {
                    line.pop_front();
                    went_on = true;
                }
            }
            waiting.retain(|_, line| !line.is_empty());
            self.waiting = waiting;
        }
    }

    fn one(&mut self, event: &Event) -> Result<(), NotYet> {
        match &event.call {
            // A program that fails to start may have been looked into.
            Call::Execute { path, .. } => self.execute(path, event.errno == 0),
            _ if event.errno == libc::EINTR => self.unknown(&event.call),
            _ if event.errno != 0 => {}
            Call::Open { base, path, flags } => self.open(base, path, *flags)?,
            Call::Alter {
                call,
                base,
                path,
                to,
            } => self.alter(call, base, path, to.as_deref())?,
            Call::Socket { .. } => {}
        }
        Ok(())
    }

    /// A call of which nobody knows whether it did something.
    fn unknown(&mut self, call: &Call) {
        let (base, path) = match call {
            Call::Open { base, path, flags } if flags & (libc::O_CREAT | libc::O_TRUNC) != 0 => {
                (base, path)
            }
            Call::Alter { base, path, .. } => (base, path),
            _ => return,
        };
        self.undecided |= self.tree.find(base, path, Last::Follow) != Place::Outside;
    }

    /// Counts a place that is not known.
    fn skip(&mut self) {
        self.skipped += 1;
    }

    fn execute(&mut self, path: &[u8], succeeded: bool) {
        let mut nodes = Vec::new();
        if path.starts_with(b"/") {
            match self.tree.find(b"", path, Last::Follow) {
                Place::Node(node) => nodes.push(node),
                Place::Descriptor if succeeded => {
                    self.skip();
                    self.reopened.reading = true;
                }
                _ => {}
            }
        } else {
            // Relative to a folder that the tracer does not say.
            let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
            let paths = self.tree.paths();
            let named = paths
                .iter()
                .filter(|(path, _)| path.rsplit(|&byte| byte == b'/').next() == Some(name));
            nodes = named
                .filter_map(|(path, _)| match self.tree.find(b"", path, Last::Follow) {
                    Place::Node(node) => Some(node),
                    _ => None,
                })
                .collect();
            nodes.sort_unstable();
            nodes.dedup();
            if nodes.len() > 1 {
                self.skip();
            }
        }
        self.calls += usize::from(!nodes.is_empty());
        let certain = succeeded && nodes.len() == 1;
        for node in nodes {
            let node = &mut self.tree.nodes[node];
            node.may_be_read = true;
            node.ran |= certain;
        }
    }

    fn open(&mut self, base: &[u8], path: &[u8], flags: i32) -> Result<(), NotYet> {
        if flags & libc::O_PATH != 0 {
            return Ok(());
        }
        let exclusive = libc::O_CREAT | libc::O_EXCL;
        let keeps_link = flags & libc::O_NOFOLLOW != 0 || flags & exclusive == exclusive;
        let last = if keeps_link { Last::Keep } else { Last::Follow };
        let access = flags & libc::O_ACCMODE;
        let (reading, writing) = (access != libc::O_WRONLY, access != libc::O_RDONLY);
        if flags & libc::O_TMPFILE == libc::O_TMPFILE {
            return Ok(());
        }
        let node = match self.tree.find(base, path, last) {
            Place::Node(node) if flags & exclusive != exclusive => node,
            Place::Free(at, name) if flags & libc::O_CREAT != 0 => {
                self.tree.add(at, &name, Kind::Other, None)
            }
            Place::Outside => return Ok(()),
            Place::Descriptor => {
                self.skip();
                self.reopened.reading |= reading;
                self.reopened.writing |= writing || flags & libc::O_TRUNC != 0;
                return Ok(());
            }
            _ => return Err(NotYet),
        };
        self.calls += 1;
        let node = &mut self.tree.nodes[node];
        node.opened = true;
        node.may_be_read |= reading;
        node.may_be_changed |= writing || flags & libc::O_TRUNC != 0;
        node.truncated |= flags & libc::O_TRUNC != 0 && matches!(node.kind, Kind::Other);
        Ok(())
    }

    fn alter(
        &mut self,
        call: &str,
        base: &[u8],
        path: &[u8],
        to: Option<&[u8]>,
    ) -> Result<(), NotYet> {
        match call {
            "mkdir" | "mkdirat" => self.make(base, path, folder_kind),
            "mknod" | "mknodat" | "bind" => self.make(base, path, |_| Kind::Other),
            "symlink" | "symlinkat" => {
                let text = to.unwrap_or_default().to_vec();
                self.make(base, path, |_| Kind::Link(text))
            }
            "unlink" | "unlinkat" | "rmdir" => self.remove(base, path),
            "rename" | "renameat" | "renameat2" => self.rename(base, path, to.unwrap_or_default()),
            "link" | "linkat" => self.link(base, path, to.unwrap_or_default()),
            _ => self.touch(call, base, path),
        }
    }

    /// The place of a name; `None` when it needs no playing.
    fn place(&mut self, base: &[u8], path: &[u8]) -> Result<Option<(usize, Vec<u8>)>, NotYet> {
        match self.tree.find_name(base, path) {
            Ok(place) => Ok(Some(place)),
            Err(Place::Outside) => Ok(None),
            Err(Place::Descriptor) => {
                self.skip();
                self.undecided = true;
                Ok(None)
            }
            Err(_) => Err(NotYet),
        }
    }

    fn make(
        &mut self,
        base: &[u8],
        path: &[u8],
        kind: impl FnOnce(usize) -> Kind,
    ) -> Result<(), NotYet> {
        let Some((at, name)) = self.place(base, path)? else {
            return Ok(());
        };
        if self.tree.child(at, &name).is_some() {
            return Err(NotYet);
        }
        self.calls += 1;
        self.tree.add(at, &name, kind(at), None);
        Ok(())
    }

    fn remove(&mut self, base: &[u8], path: &[u8]) -> Result<(), NotYet> {
        let Some((at, name)) = self.place(base, path)? else {
            return Ok(());
        };
        let Some(node) = self.tree.child(at, &name) else {
            return Err(NotYet);
        };
        if self.tree.is_full_folder(node) {
            return Err(NotYet);
        }
        self.calls += 1;
        self.tree.forget(at, &name);
        Ok(())
    }

    fn rename(&mut self, base: &[u8], path: &[u8], to: &[u8]) -> Result<(), NotYet> {
        let (Some((at, name)), Some((to_at, to_name))) =
            (self.place(base, path)?, self.place(base_of(base, to), to)?)
        else {
            return Ok(());
        };
        let Some(node) = self.tree.child(at, &name) else {
            return Err(NotYet);
        };
        let there = self.tree.child(to_at, &to_name);
        if there.is_some_and(|there| there != node && self.tree.is_full_folder(there)) {
            return Err(NotYet);
        }
        self.calls += 1;
        if there != Some(node) {
            self.tree.forget(at, &name);
            self.tree.name(to_at, &to_name, node);
        }
        Ok(())
    }

    fn link(&mut self, base: &[u8], path: &[u8], to: &[u8]) -> Result<(), NotYet> {
        let node = match self.tree.find(base, path, Last::Keep) {
            // Whether the link was followed is a flag that the tracer does not tell.
            Place::Node(node) if self.tree.is_link(node) => {
                self.skip();
                self.undecided = true;
                return Ok(());
            }
            Place::Node(node) => node,
            Place::Descriptor => {
                self.skip();
                self.undecided = true;
                return Ok(());
            }
            Place::Outside => return Ok(()),
            Place::Free(..) | Place::Nowhere => return Err(NotYet),
        };
        let Some((at, name)) = self.place(base_of(base, to), to)? else {
            return Ok(());
        };
        if self.tree.child(at, &name).is_some() {
            return Err(NotYet);
        }
        self.calls += 1;
        self.tree.name(at, &name, node);
        Ok(())
    }

    /// A call that changes mode, owner, times or attributes, or truncates.
    fn touch(&mut self, call: &str, base: &[u8], path: &[u8]) -> Result<(), NotYet> {
        // Whether a link was followed is a flag that the tracer does not tell, so both may have been meant.
        let mut nodes = Vec::new();
        for last in [Last::Keep, Last::Follow] {
            match self.tree.find(base, path, last) {
                Place::Node(node) => nodes.push(node),
                Place::Outside => return Ok(()),
                Place::Descriptor => {
                    self.skip();
                    self.reopened.reading = true;
                    self.reopened.writing = true;
                    return Ok(());
                }
                Place::Free(..) | Place::Nowhere => {}
            }
        }
        if nodes.is_empty() {
            return Err(NotYet);
        }
        self.calls += 1;
        let times = call.contains("time");
        for node in nodes {
            let node = &mut self.tree.nodes[node];
            node.may_be_changed = true;
            node.may_be_read |= times;
            node.truncated &= !times;
            node.ran &= !times;
        }
        Ok(())
    }
}

/// The base of the second path of a call: none for one that is absolute.
fn base_of<'b>(base: &'b [u8], to: &[u8]) -> &'b [u8] {
    match to.starts_with(b"/") {
        true => b"",
        false => base,
    }
}
