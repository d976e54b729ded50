//! Do the tracer and the snapshot tell the same story of one run?
//!
//! Two witnesses that share no code: the tracer saw system calls, the snapshot two trees. The calls are played on a model of
//! the tree ([`tree`]), and what it then holds must be what the snapshot says, name by name and node by node: nothing made,
//! moved, replaced or removed that no call explains, and no call that succeeded and left no trace. Of content the calls only
//! say what may be and what must be:
//! - a file that differs was opened for writing, or an [`Call::Alter`] named it; one that was truncated by its opening and
//!   had no times set differs, since truncation moves its time;
//! - a file that was read was opened for reading, executed, or had its times set; one that was executed was read.
//!
//! Not decided, and counted: a path that leads to a descriptor (`/dev/stdin`, `/proc/self/fd`) explains a read or change of
//! any file that was open before; a relative program name, of which the tracer does not say the folder, explains a read of
//! any file of that name. A whole run is not decided when a call whose end is not known (`EINTR`) may have changed names,
//! when names changed through a descriptor, or when more calls came than the tracer keeps.

mod play;
mod tree;

#[cfg(test)]
mod tests;

use super::{Change, End, Entry, Observation};
use play::{Play, Reopened};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use tree::{Node, Tree, absolute};

/// What was compared in one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Changes and reads of the snapshot that calls explain.
    pub explained: usize,
    /// Calls that named something in the case area and succeeded, or were programs.
    pub calls: usize,
    /// Calls of which it is not known what they named.
    pub skipped: usize,
    /// The run as a whole was not decided.
    pub undecided: bool,
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, other: Self) {
        self.explained += other.explained;
        self.calls += other.calls;
        self.skipped += other.skipped;
        self.undecided |= other.undecided;
    }
}

/// Compares the events of a traced run with its changes and reads; `tree` is that of the job.
///
/// # Errors
///
/// Where they contradict each other, in words.
pub fn agreement(tree: &[Entry], seen: &Observation) -> Result<Compared, String> {
    let mut compared = Compared::default();
    let mut play = Play::new(Tree::laid(tree));
    play.all(&seen.events);
    compared.calls = play.calls;
    compared.skipped = play.skipped;
    compared.undecided = play.undecided || seen.end == End::EventCap;
    if compared.undecided {
        return Ok(compared);
    }
    if let Some(event) = play.unplayed() {
        return Err(format!(
            "{event:?} succeeded, and the calls so far do not lead there"
        ));
    }
    names(&play.tree, &seen.changes)?;
    contents(&play.tree, play.reopened, &seen.changes)?;
    reads(&play.tree, play.reopened, &seen.read)?;
    compared.explained = seen.changes.len() + seen.read.len();
    Ok(compared)
}

/// Nodes that were laid, by the path at which they were.
fn laid(tree: &Tree) -> BTreeMap<&[u8], usize> {
    let nodes = tree.nodes.iter().enumerate();
    nodes
        .filter_map(|(number, node)| Some((node.laid.as_deref()?, number)))
        .collect()
}

/// The folder and the last name of a path.
fn split(path: &[u8]) -> (&[u8], &[u8]) {
    let slash = path.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
    path.split_at(slash)
}

/// What stands where at the end: the changes but for those of content.
fn names(tree: &Tree, changes: &[Change]) -> Result<(), String> {
    let (before, after) = (laid(tree), tree.paths());
    let in_place = |number: &usize, node: &Node| {
        node.laid
            .as_ref()
            .is_some_and(|path| after.get(path) == Some(number))
    };
    let mut expected = BTreeSet::new();
    let mut moved: HashMap<usize, &[u8]> = HashMap::new();
    for (path, number) in &after {
        let node = &tree.nodes[*number];
        match &node.laid {
            Some(from) if !in_place(number, node) && !moved.contains_key(number) => {
                let ((folder, name), (to_folder, to_name)) = (split(from), split(path));
                let of_folder = before.get(folder).and_then(|folder| moved.get(folder));
                if name != to_name || of_folder != Some(&to_folder) {
                    expected.insert(Change::Renamed(from.clone(), path.clone()));
                }
                moved.insert(*number, path);
            }
            _ if !before.contains_key(&path[..]) => {
                expected.insert(Change::Created(path.clone()));
            }
            _ => {}
        }
    }
    for (path, number) in before {
        // Of the two folders themselves no name can change.
        let is_root = path == b"/case" || path == b"/tmp";
        if !is_root && !moved.contains_key(&number) && !after.contains_key(path) {
            expected.insert(Change::Removed(path.to_vec()));
        }
    }
    let said: BTreeSet<Change> = changes
        .iter()
        .filter(|change| !matches!(change, Change::Changed(_)))
        .map(in_full)
        .collect();
    if let Some(change) = said.difference(&expected).next() {
        return Err(format!(
            "the snapshot says {}, and no call explains it",
            text(change)
        ));
    }
    match expected.difference(&said).next() {
        Some(change) => Err(format!(
            "by the calls it is {}, and the snapshot does not say so",
            text(change)
        )),
        None => Ok(()),
    }
}

/// Which entries are not what they were.
fn contents(tree: &Tree, reopened: Reopened, changes: &[Change]) -> Result<(), String> {
    let (before, after) = (laid(tree), tree.paths());
    let changed: BTreeSet<Vec<u8>> = changes
        .iter()
        .filter_map(|change| match change {
            Change::Changed(path) => Some(absolute(path)),
            _ => None,
        })
        .collect();
    for path in &changed {
        let root = before
            .get(&path[..])
            .filter(|_| path == b"/case" || path == b"/tmp");
        let Some(number) = after.get(path).or(root) else {
            return Err(format!(
                "the snapshot says that {} changed, and by the calls it is not there",
                path.escape_ascii()
            ));
        };
        let node = &tree.nodes[*number];
        let is_other = before.get(&path[..]).is_some_and(|there| there != number);
        let altered = node.may_be_changed || node.opened && reopened.writing;
        let explained = is_other || node.laid.is_some() && altered;
        if !explained {
            return Err(format!(
                "the snapshot says that {} changed, and no call could do it",
                path.escape_ascii()
            ));
        }
    }
    for (path, number) in &after {
        let node = &tree.nodes[*number];
        let replaced = before.get(&path[..]).is_some_and(|there| there != number);
        let own = node.laid.as_ref();
        let stays = own.is_some_and(|own| after.get(own) == Some(number));
        let differs = node.truncated && own.is_some_and(|own| own == path || !stays);
        if (replaced || differs) && !changed.contains(path) {
            return Err(format!(
                "by the calls {} changed, and the snapshot does not say so",
                path.escape_ascii()
            ));
        }
    }
    Ok(())
}

/// Which files were read.
fn reads(tree: &Tree, reopened: Reopened, read: &[Vec<u8>]) -> Result<(), String> {
    let before = laid(tree);
    let read: BTreeSet<Vec<u8>> = read.iter().map(|path| absolute(path)).collect();
    for path in &read {
        let node = before.get(&path[..]).map(|number| &tree.nodes[*number]);
        if !node.is_some_and(|node| node.may_be_read || node.opened && reopened.reading) {
            return Err(format!(
                "the snapshot says that {} was read, and no call could do it",
                path.escape_ascii()
            ));
        }
    }
    for number in tree.paths().into_values() {
        let node = &tree.nodes[number];
        if let Some(path) = &node.laid
            && node.ran
            && !read.contains(path)
        {
            return Err(format!(
                "{} was executed, and the snapshot does not say that it was read",
                path.escape_ascii()
            ));
        }
    }
    Ok(())
}

/// The change with absolute paths.
fn in_full(change: &Change) -> Change {
    match change {
        Change::Created(path) => Change::Created(absolute(path)),
        Change::Changed(path) => Change::Changed(absolute(path)),
        Change::Renamed(from, to) => Change::Renamed(absolute(from), absolute(to)),
        Change::Removed(path) => Change::Removed(absolute(path)),
    }
}

fn text(change: &Change) -> String {
    match change {
        Change::Created(path) => format!("created {}", path.escape_ascii()),
        Change::Changed(path) => format!("changed {}", path.escape_ascii()),
        Change::Renamed(from, to) => {
            format!("renamed {} to {}", from.escape_ascii(), to.escape_ascii())
        }
        Change::Removed(path) => format!("removed {}", path.escape_ascii()),
    }
}
