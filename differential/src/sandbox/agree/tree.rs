//! Which file does a path name, after the calls so far? A model of the case area, changed call by call.
//!
//! It holds what lies below `/case` and `/tmp`; all else is outside, where nothing can be written. It knows names, kinds and
//! link texts, no content: where a path leads through `/proc` or `/dev/fd` to a descriptor, it does not know where.

use super::super::{CANARIES, CWD, Entry, HOME};
use std::collections::BTreeMap;

/// Links that the kernel follows before it gives up.
const HOPS: usize = 40;
/// What the kernel puts behind the name of an open file that is gone.
const GONE: &[u8] = b" (deleted)";
/// Bytes of a path, without its first slash, in which the snapshot looks.
const LONGEST_PATH: usize = 4096;

/// One file of the area, whatever its kind, and what the calls may have done to it.
#[derive(Default)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// Where it was laid; `None` for what came later.
    pub(super) laid: Option<Vec<u8>>,
    /// It was opened.
    pub(super) opened: bool,
    /// Its content may have been read, or its access time set.
    pub(super) may_be_read: bool,
    /// It was executed, which reads its first bytes.
    pub(super) ran: bool,
    /// Content, mode or times may have been changed.
    pub(super) may_be_changed: bool,
    /// It was truncated by an opening, which moves its time even if it was empty.
    pub(super) truncated: bool,
}

#[derive(Default)]
pub(super) enum Kind {
    /// Names and numbers of what it holds, and the number of the folder it is in.
    Folder(BTreeMap<Vec<u8>, usize>, usize),
    Link(Vec<u8>),
    /// A regular file, a pipe, a socket.
    #[default]
    Other,
}

/// What to do with a link that is the last part of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    Follow,
    Keep,
}

/// Where a path leads.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// To this node.
    Node(usize),
    /// Into this folder, which holds no such name.
    Free(usize, Vec<u8>),
    /// Out of the area.
    Outside,
    /// To nothing: a folder on the way is not there.
    Nowhere,
    /// Through a descriptor: to something that was opened.
    Descriptor,
}

/// The area; node 0 is the root, which holds `case` and `tmp` alone.
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
}

const ROOT: usize = 0;

impl Tree {
    /// The area as it was laid.
    pub(super) fn laid(entries: &[Entry]) -> Self {
        let root = Node {
            kind: Kind::Folder(BTreeMap::new(), ROOT),
            ..Node::default()
        };
        let mut tree = Tree { nodes: vec![root] };
        for folder in [HOME, "/tmp", CWD] {
            tree.lay(folder.as_bytes().to_vec(), folder_kind);
        }
        for entry in entries {
            match entry {
                Entry::Directory(path) => tree.lay(absolute(path), folder_kind),
                Entry::File(path, _) | Entry::Program(path, _) => {
                    tree.lay(absolute(path), |_| Kind::Other);
                }
                Entry::Link(path, text) => tree.lay(absolute(path), |_| Kind::Link(text.clone())),
            }
        }
        tree
    }

    /// Lays one thing and the folders above it.
    fn lay(&mut self, path: Vec<u8>, kind: impl FnOnce(usize) -> Kind) {
        let mut at = ROOT;
        let mut end = 0;
        loop {
            let next = path[end + 1..].iter().position(|&byte| byte == b'/');
            let Some(length) = next else { break };
            let start = end + 1;
            end = start + length;
            let name = &path[start..end];
            at = match self.child(at, name) {
                Some(child) => child,
                None => self.add(at, name, folder_kind(at), Some(path[..end].to_vec())),
            };
        }
        let name = &path[end + 1..];
        if self.child(at, name).is_none() {
            self.add(at, name, kind(at), Some(path.clone()));
        }
    }

    pub(super) fn child(&self, at: usize, name: &[u8]) -> Option<usize> {
        match &self.nodes[at].kind {
            Kind::Folder(names, _) => names.get(name).copied(),
            _ => None,
        }
    }

    fn parent(&self, at: usize) -> usize {
        match self.nodes[at].kind {
            Kind::Folder(_, parent) => parent,
            _ => at,
        }
    }

    /// Makes a node with a name in a folder.
    pub(super) fn add(
        &mut self,
        at: usize,
        name: &[u8],
        kind: Kind,
        laid: Option<Vec<u8>>,
    ) -> usize {
        self.nodes.push(Node {
            kind,
            laid,
            ..Node::default()
        });
        let new = self.nodes.len() - 1;
        self.name(at, name, new);
        new
    }

    /// Gives a node a name; what had it loses it.
    pub(super) fn name(&mut self, at: usize, name: &[u8], node: usize) {
        if let Kind::Folder(names, _) = &mut self.nodes[at].kind {
            names.insert(name.to_vec(), node);
        }
        if let Kind::Folder(_, parent) = &mut self.nodes[node].kind {
            *parent = at;
        }
    }

    pub(super) fn forget(&mut self, at: usize, name: &[u8]) {
        if let Kind::Folder(names, _) = &mut self.nodes[at].kind {
            names.remove(name);
        }
    }

    pub(super) fn is_link(&self, node: usize) -> bool {
        matches!(self.nodes[node].kind, Kind::Link(_))
    }

    pub(super) fn is_full_folder(&self, node: usize) -> bool {
        matches!(&self.nodes[node].kind, Kind::Folder(names, _) if !names.is_empty())
    }

    /// Where a path leads from a base, as an event has them.
    pub(super) fn find(&self, base: &[u8], path: &[u8], last: Last) -> Place {
        self.walk(base, path, last).0
    }

    /// The folder and the name that a path ends with; for calls that make, move or remove a name.
    pub(super) fn find_name(&self, base: &[u8], path: &[u8]) -> Result<(usize, Vec<u8>), Place> {
        let kept = path.len() - path.iter().rev().take_while(|&&byte| byte == b'/').count();
        match self.walk(base, &path[..kept], Last::Keep) {
            (Place::Free(at, name), _) => Ok((at, name)),
            (Place::Node(_), Some((at, name))) => Ok((at, name)),
            (Place::Node(_), None) => Err(Place::Nowhere),
            (place, _) => Err(place),
        }
    }

    /// Where a path leads, and the folder and name by which its last step went.
    ///
    /// The kernel shows a folder that was removed with the name it had; from there it only goes up.
    fn walk(&self, base: &[u8], path: &[u8], last: Last) -> (Place, Option<(usize, Vec<u8>)>) {
        let (mut base, mut path) = (base.to_vec(), path);
        while base.ends_with(GONE) && !matches!(self.steps(&base, b"", last).0, Place::Node(_)) {
            base.truncate(base.len() - GONE.len());
            let part = path.split(|&byte| byte == b'/').next().unwrap_or_default();
            let rest = &path[(part.len() + 1).min(path.len())..];
            match part {
                b"" | b"." if rest.is_empty() => return (Place::Outside, None),
                b"" | b"." => base.extend(GONE),
                b".." => {
                    let slash = base.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
                    base.truncate(slash);
                    if !matches!(self.steps(&base, b"", last).0, Place::Node(_)) {
                        base.extend(GONE);
                    }
                }
                _ => return (Place::Nowhere, None),
            }
            path = rest;
        }
        self.steps(&base, path, last)
    }

    fn steps(&self, base: &[u8], path: &[u8], last: Last) -> (Place, Option<(usize, Vec<u8>)>) {
        if !base.is_empty() && !base.starts_with(b"/") {
            // A pipe or a socket.
            return (Place::Outside, None);
        }
        let mut left: Vec<Vec<u8>> = Vec::new();
        push(&mut left, path);
        push(&mut left, base);
        let mut at = ROOT;
        let mut step = None;
        let mut hops = 0;
        while let Some(name) = left.pop() {
            match &name[..] {
                b"" | b"." => {
                    if !matches!(self.nodes[at].kind, Kind::Folder(..)) {
                        return (Place::Nowhere, None);
                    }
                    continue;
                }
                b".." => {
                    at = self.parent(at);
                    step = None;
                    continue;
                }
                _ => {}
            }
            let Some(child) = self.child(at, &name) else {
                if at == ROOT {
                    left.push(name);
                    match outside(&left) {
                        Ok(place) => return (place, None),
                        Err(inside) => {
                            left = inside;
                            continue;
                        }
                    }
                }
                let is_folder = matches!(self.nodes[at].kind, Kind::Folder(..));
                let is_last = left.iter().all(Vec::is_empty);
                return match is_folder && is_last {
                    true => (Place::Free(at, name), None),
                    false => (Place::Nowhere, None),
                };
            };
            match &self.nodes[child].kind {
                Kind::Link(text) if !left.is_empty() || last == Last::Follow => {
                    hops += 1;
                    if hops > HOPS || text.is_empty() {
                        return (Place::Nowhere, None);
                    }
                    if text.starts_with(b"/") {
                        at = ROOT;
                    }
                    push(&mut left, text);
                }
                _ => {
                    step = Some((at, name));
                    at = child;
                }
            }
        }
        (Place::Node(at), step)
    }

    /// Everything below `/case` and `/tmp` that the snapshot looks at: node by absolute path.
    pub(super) fn paths(&self) -> BTreeMap<Vec<u8>, usize> {
        let mut paths = BTreeMap::new();
        let mut left = vec![(Vec::new(), ROOT)];
        while let Some((path, at)) = left.pop() {
            let Kind::Folder(names, _) = &self.nodes[at].kind else {
                continue;
            };
            for (name, &node) in names {
                let path = [&path[..], b"/", name].concat();
                if path.len() - 1 < LONGEST_PATH {
                    left.push((path.clone(), node));
                }
                if at != ROOT {
                    paths.insert(path, node);
                }
            }
        }
        paths
    }
}

/// Puts the parts of a path before those that are left; the next is the last of the list.
fn push(left: &mut Vec<Vec<u8>>, path: &[u8]) {
    if !path.is_empty() {
        left.extend(path.split(|&byte| byte == b'/').rev().map(<[u8]>::to_vec));
    }
}

pub(super) fn folder_kind(parent: usize) -> Kind {
    Kind::Folder(BTreeMap::new(), parent)
}

/// Where the parts of a path lead that leaves the area at the root; the way back in if that is known.
fn outside(left: &[Vec<u8>]) -> Result<Place, Vec<Vec<u8>>> {
    let parts: Vec<&[u8]> = left.iter().rev().map(Vec::as_slice).collect();
    let parts: Vec<&[u8]> = parts
        .into_iter()
        .filter(|part| !matches!(*part, b"" | b"."))
        .collect();
    let is_canary = |name: &[u8]| CANARIES.iter().any(|canary| canary.as_bytes() == name);
    match &parts[..] {
        [b"usr", b"local", b"sbin", name] if is_canary(name) => {
            return Err(vec![name.to_vec(), b"bin".to_vec(), b"case".to_vec()]);
        }
        [b"dev", b"fd" | b"stdin" | b"stdout" | b"stderr", ..] => return Ok(Place::Descriptor),
        [b"proc", ..] => {
            let leads_back: [&[u8]; 5] = [b"fd", b"cwd", b"root", b"exe", b"map_files"];
            if parts.iter().any(|part| leads_back.contains(part)) {
                return Ok(Place::Descriptor);
            }
        }
        _ => {}
    }
    // Folders of the distribution may be links, so that `..` is not the folder before.
    Ok(match parts.contains(&&b".."[..]) {
        true => Place::Descriptor,
        false => Place::Outside,
    })
}

/// The absolute path of one that is relative to the working directory and may begin with `../`.
pub(super) fn absolute(path: &[u8]) -> Vec<u8> {
    match path {
        b"." => CWD.into(),
        b".." => HOME.into(),
        _ => match (path.strip_prefix(b"../../"), path.strip_prefix(b"../")) {
            (Some(far), _) => [b"/", far].concat(),
            (None, Some(beside)) => [HOME.as_bytes(), b"/", beside].concat(),
            (None, None) => [CWD.as_bytes(), b"/", path].concat(),
        },
    }
}
