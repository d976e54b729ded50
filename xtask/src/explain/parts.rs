//! What does the front end see? The tokens of the command, and its tree.

use super::drawing::fitted;
use differential::report::text;
use reference::shell::{NodeId, Tree, tokens};
use serde_json::{Value, json};
use std::fmt::Write;

/// Columns for what stands there.
const WIDTH: usize = 60;
/// At most so many rows are printed; the document holds them all.
const SHOWN: usize = 400;

/// One row a token: byte offsets, what it is, how it is written.
pub(crate) fn token_rows(tree: &Tree, command: &[u8]) -> String {
    let rows = tokens(tree).into_iter().map(|token| {
        let (start, end) = (token.span.start, token.span.end);
        let written = fitted(&command[start..end], WIDTH);
        format!(
            "  {start:>6}..{end:<6} {:<24} {written}\n",
            token.kind.words()
        )
    });
    cut(rows)
}

/// The same for programs.
pub(crate) fn token_document(tree: &Tree) -> Value {
    tokens(tree)
        .into_iter()
        .map(|token| json!({ "kind": token.kind.words(), "start": token.span.start, "end": token.span.end }))
        .collect()
}

/// One row a node, indented by its depth.
pub(crate) fn tree_rows(tree: &Tree, command: &[u8]) -> String {
    let rows = with_depth(tree).map(|(id, depth)| {
        let (start, end) = (tree.span(id).start, tree.span(id).end);
        let name = format!("{:1$}{2:?}", "", 2 * depth.min(12), tree.kind(id));
        let written = fitted(&command[start..end], WIDTH);
        format!("  {start:>6}..{end:<6} {name:<32} {written}\n")
    });
    let mut rows = cut(rows);
    for (id, why) in tree.troubles() {
        let _ = writeln!(
            rows,
            "  not understood from {} on: {why}",
            tree.span(*id).start
        );
    }
    rows
}

/// The same for programs; a node comes before its children, which are one deeper.
pub(crate) fn tree_document(tree: &Tree) -> Value {
    let node = |(id, depth)| {
        let (span, kind): (_, String) = (tree.span(id), format!("{:?}", tree.kind(id)));
        json!({ "kind": kind, "depth": depth, "start": span.start, "end": span.end, "text": text(tree.text(id)) })
    };
    with_depth(tree).map(node).collect()
}

/// All nodes, and how deep each lies.
fn with_depth(tree: &Tree) -> impl Iterator<Item = (NodeId, usize)> {
    let mut around: Vec<NodeId> = Vec::new();
    tree.all().map(move |id| {
        while around
            .last()
            .is_some_and(|&outer| !tree.is_within(id, outer))
        {
            around.pop();
        }
        around.push(id);
        (id, around.len() - 1)
    })
}

fn cut(mut rows: impl Iterator<Item = String>) -> String {
    let mut page: String = rows.by_ref().take(SHOWN).collect();
    match rows.count() {
        0 => {}
        more => {
            let _ = writeln!(page, "  … {more} more; --json has them all");
        }
    }
    page
}
