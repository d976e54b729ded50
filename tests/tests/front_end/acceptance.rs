//! Is a command understood exactly if bash accepts it?
//!
//! A difference needs one of the reasons below; one without fails.

use crate::{bash, inputs};
use differential::sandbox::Pool;
use libtest_mimic::Failed;
use reference::shell::{Kind, NodeId, Tree, Trouble, parse};
use std::collections::BTreeMap;

/// What stands in backquotes and in bodies is read when it is expanded: an error in it does not keep the command from
/// running.
pub(crate) fn line_trouble(tree: &Tree) -> Option<Trouble> {
    let later: Vec<NodeId> = tree
        .all()
        .filter(|&id| matches!(tree.kind(id), Kind::Backquoted | Kind::HereBody(_)))
        .collect();
    let is_read_later = |id| later.iter().any(|&outer| tree.is_within(id, outer));
    let troubles = tree.troubles().iter();
    let mut of_line = troubles.filter(|&&(id, _)| !is_read_later(id));
    of_line.next().map(|&(_, why)| why)
}

/// Does a substitution begin with `time`?
fn has_time(tree: &Tree) -> bool {
    let is_program = |id: &NodeId| {
        let kinds = [Kind::CommandSubstitution, Kind::ProcessIn, Kind::ProcessOut];
        kinds.contains(&tree.kind(*id))
    };
    let first = |id, kind| tree.child(id, kind);
    tree.all().filter(is_program).any(|id| {
        let pipeline = first(id, Kind::List).and_then(|list| first(list, Kind::Pipeline));
        pipeline.is_some_and(|pipeline| first(pipeline, Kind::Time).is_some())
    })
}

pub(crate) fn test(pool: &Pool) -> Result<(), Failed> {
    let commands = inputs::commands();
    let said = bash::reads(pool, "", &commands)?;
    let patterns = bash::reads(pool, "-O extglob", &commands)?;
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let mut unexplained = Vec::new();
    for ((command, said), patterns) in commands.iter().zip(&said).zip(&patterns) {
        let tree = parse(command);
        let has_pattern = tree.all().any(|id| tree.kind(id) == Kind::ExtendedPattern);
        let reason = match (line_trouble(&tree), said.accepts()) {
            (None, true) => "both accept".to_owned(),
            (Some(_), false) => "both refuse".to_owned(),
            (None, false) if has_pattern && patterns.accepts() => {
                "understood, refused: extended patterns, which an earlier line may switch on"
                    .to_owned()
            }
            (
                Some(why @ (Trouble::Unclear | Trouble::TooDeep | Trouble::DependsOnOptions)),
                true,
            ) => {
                format!("not understood, accepted: {why}")
            }
            (None, false) if has_time(&tree) => {
                "understood, refused: a substitution that begins with time, a word to bash at first"
                    .to_owned()
            }
            // Of `[[ ]]` bash says nothing, and neither goes on nor fails.
            (Some(Trouble::Unexpected), true)
                if bash::prints(pool, std::slice::from_ref(command))?[0]
                    .text
                    .is_empty() =>
            {
                "both refuse, bash in silence".to_owned()
            }
            (trouble, _) => {
                unexplained.push((command.len(), command.clone(), trouble, said.clone()));
                continue;
            }
        };
        *reasons.entry(reason).or_default() += 1;
    }
    println!("acceptance of {} commands", commands.len());
    for (reason, count) in &reasons {
        println!("  {count:>6}  {reason}");
    }
    unexplained.sort_by_key(|one| one.0);
    if unexplained.is_empty() {
        return Ok(());
    }
    let shown = unexplained
        .iter()
        .take(30)
        .map(|(_, command, trouble, said)| {
            format!(
                "{}\n    {trouble:?}, bash: {} {}",
                command.escape_ascii(),
                said.status,
                said.text.escape_ascii()
            )
        });
    let shown: Vec<String> = shown.collect();
    Err(format!("{} unexplained\n{}", unexplained.len(), shown.join("\n")).into())
}
