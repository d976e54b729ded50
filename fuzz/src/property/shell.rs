//! What must hold for the tree of every command, whatever its bytes?
//!
//! That a tree is what bash reads is asked of bash, through the scanner that stands on it ([`super::regions`]) and in the tests.

use super::Failure;
use reference::shell::{Kind, parse, tokens};

/// Every node lies in the command and within its parent, children stand in order and apart, every node has one parent; what is
/// said not to be understood has a reason; tokens stand in order. Returns whether everything was understood.
///
/// # Errors
///
/// What speaks against it.
pub fn tree_is_whole(command: &[u8]) -> Result<bool, Failure> {
    let tree = parse(command);
    let refuted = |what: &str| {
        let command = command.escape_ascii();
        Err(Failure::Refuted(format!("{what}\n{command}")))
    };
    let mut parents = vec![0; tree.size()];
    let mut reasons = 0;
    for id in tree.all() {
        let outer = tree.span(id);
        if outer.start > outer.end || outer.end > command.len() {
            return refuted(&format!("a node at {outer:?} lies outside the command"));
        }
        reasons += usize::from(tree.kind(id) == Kind::NotUnderstood);
        let mut before = outer.start;
        for child in tree.children(id) {
            let span = tree.span(child);
            if span.start < before {
                return refuted(&format!("a node at {span:?} overlaps the one before it"));
            }
            if span.end > outer.end {
                return refuted(&format!(
                    "a node at {span:?} is not within its parent at {outer:?}"
                ));
            }
            before = span.end;
            parents[child.index()] += 1;
        }
    }
    if parents.iter().skip(1).any(|&count| count != 1) {
        return refuted("a node has not one parent");
    }
    if reasons != tree.troubles().len() {
        return refuted("something is not understood for no reason");
    }
    let mut before = 0;
    for token in tokens(&tree) {
        if token.span.start < before {
            return refuted(&format!("a token at {:?} comes twice", token.span));
        }
        before = token.span.end;
    }
    Ok(tree.is_understood())
}
