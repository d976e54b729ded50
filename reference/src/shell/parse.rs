//! From bytes to the tree.

use super::origin::Program;
use super::tree::{Kind, Node, NodeId, Tree, Trouble};

/// See [`super::parse`].
pub(super) fn parse(program: Program) -> Tree {
    let end = program.text.len() as u32;
    let node = |kind, next| Node {
        kind,
        buffer: 0,
        start: 0,
        end,
        next,
    };
    Tree {
        nodes: vec![node(Kind::Script, 2), node(Kind::NotUnderstood, 2)],
        buffers: vec![program],
        bodies: Vec::new(),
        troubles: vec![(NodeId(1), Trouble::Unclear)],
    }
}
