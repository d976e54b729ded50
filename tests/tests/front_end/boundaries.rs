//! Where do words, bodies and comments begin and end? Byte by byte against the peers; where one differs, bash decides.
//!
//! Two answers of bash are used: what it prints of the command (`declared`), and, for each `#`, whether a letter put behind
//! it is printed; in a comment it is not.

use crate::declared::{self, Outcome};
use crate::peers::{Mark, PEERS, Peer};
use crate::{bash, inputs};
use differential::sandbox::Pool;
use libtest_mimic::Failed;
use reference::shell::{Kind, NodeId, Tree, parse};
use std::collections::BTreeMap;

/// Where one peer differs.
struct Difference {
    command: Vec<u8>,
    /// The first position.
    at: usize,
    ours: Mark,
    theirs: Mark,
}

#[derive(Default)]
struct Figures {
    commands: usize,
    /// Commands that the peer refuses although bash takes them.
    refused: usize,
    positions: usize,
    agreed: usize,
}

pub(crate) fn test(pool: &Pool) -> Result<(), Failed> {
    let mut commands = inputs::commands();
    let said = bash::reads(pool, "", &commands)?;
    let mut said = said.iter();
    commands.retain(|_| said.next().is_some_and(bash::Said::accepts));
    let texts: Vec<(&str, Tree)> = commands
        .iter()
        .filter_map(|command| Some((std::str::from_utf8(command).ok()?, parse(command))))
        .filter(|(_, tree)| tree.is_understood())
        .collect();
    let mut wrong = Vec::new();
    for peer in &PEERS {
        let (figures, differences) = compare(peer, &texts);
        println!(
            "{}: {} commands, {} of them refused by it; {} positions compared, {} agreed",
            peer.name, figures.commands, figures.refused, figures.positions, figures.agreed
        );
        wrong.extend(decided(pool, &differences)?);
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("\n").into()),
    }
}

fn compare(peer: &Peer, texts: &[(&str, Tree)]) -> (Figures, Vec<Difference>) {
    let mut figures = Figures::default();
    let mut differences = Vec::new();
    for (text, tree) in texts {
        figures.commands += 1;
        let Some(theirs) = (peer.marks)(text, tree) else {
            figures.refused += 1;
            continue;
        };
        let ours = (peer.ours)(text, tree);
        let both = ours.iter().zip(&theirs).enumerate();
        let mut first = None;
        for (at, (&ours, &theirs)) in both {
            if ours == Mark::Skip || theirs == Mark::Skip {
                continue;
            }
            figures.positions += 1;
            match ours == theirs {
                true => figures.agreed += 1,
                false => first = first.or(Some((at, ours, theirs))),
            }
        }
        differences.extend(first.map(|(at, ours, theirs)| Difference {
            command: text.as_bytes().to_vec(),
            at,
            ours,
            theirs,
        }));
    }
    (figures, differences)
}

/// Asks bash about each; what is wrong with ours.
fn decided(pool: &Pool, differences: &[Difference]) -> Result<Vec<String>, Failed> {
    let commands: Vec<Vec<u8>> = differences.iter().map(|one| one.command.clone()).collect();
    let asked = declared::with_backquoted(&commands);
    let answers: BTreeMap<Vec<u8>, Outcome> = asked
        .iter()
        .cloned()
        .zip(declared::outcomes(pool, &asked)?)
        .collect();
    let mut kinds: BTreeMap<String, (usize, &Difference)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for one in differences {
        let parts = declared::with_backquoted(std::slice::from_ref(&one.command));
        let mut of_parts = parts.iter().filter_map(|part| answers.get(part));
        let answer = of_parts.find(|&answer| *answer != Outcome::Same);
        let word = match answer {
            None => "the peer is wrong",
            Some(Outcome::Open(why)) => why,
            Some(Outcome::Differs(how)) => {
                wrong.push(format!("{}\n    {how}", one.command.escape_ascii()));
                continue;
            }
            Some(Outcome::Same) => continue,
        };
        let kind = format!(
            "ours {}, theirs {}: {word}",
            one.ours.name(),
            one.theirs.name()
        );
        let entry = kinds.entry(kind).or_insert((0, one));
        entry.0 += 1;
        if one.command.len() < entry.1.command.len() {
            entry.1 = one;
        }
    }
    for (kind, (count, smallest)) in kinds {
        println!(
            "  {count:>6}  {kind}, at {} of {}",
            smallest.at,
            smallest.command.escape_ascii()
        );
    }
    Ok(wrong)
}

/// A substitution that bash keeps as it is written, because it begins like arithmetic.
fn is_counted(tree: &Tree, id: NodeId) -> bool {
    let kinds = [Kind::CommandSubstitution, Kind::ProcessIn, Kind::ProcessOut];
    kinds.contains(&tree.kind(id)) && tree.text(id)[1..].starts_with(b"((")
}

/// Each `#` begins or is in a comment exactly if bash drops a letter behind it.
pub(crate) fn hashes(pool: &Pool) -> Result<(), Failed> {
    const LETTER: &[u8] = "Ω".as_bytes();
    let mut probes = Vec::new();
    for command in inputs::commands() {
        let tree = parse(&command);
        let is_asked = |at: usize| {
            !tree.all().any(|id| {
                let kept = matches!(
                    tree.kind(id),
                    Kind::Backquoted | Kind::HereBody(_) | Kind::NotUnderstood
                );
                (kept || is_counted(&tree, id)) && tree.span(id).contains(at)
            })
        };
        let hash = |&at: &usize| command[at] == b'#' && is_asked(at);
        for at in (0..command.len()).filter(hash) {
            let is_comment = tree
                .all()
                .any(|id| tree.kind(id) == Kind::Comment && tree.span(id).contains(at));
            let probe = [&command[..=at], LETTER, &command[at + 1..]].concat();
            probes.push((probe, is_comment));
        }
    }
    let commands: Vec<Vec<u8>> = probes.iter().map(|(probe, _)| probe.clone()).collect();
    let prints = bash::prints(pool, &commands)?;
    let (mut comments, mut others, mut wrong) = (0, 0, Vec::new());
    for ((probe, is_comment), print) in probes.iter().zip(&prints) {
        if print.text.is_empty() {
            continue;
        }
        let is_kept = print.text.windows(LETTER.len()).any(|part| part == LETTER);
        match (is_comment, is_kept) {
            (true, false) => comments += 1,
            (false, true) => others += 1,
            _ => wrong.push(format!("{} (comment: {is_comment})", probe.escape_ascii())),
        }
    }
    println!(
        "of {} signs #, bash drops {comments} and keeps {others} as we say",
        probes.len()
    );
    if wrong.is_empty() && comments > 0 && others > 0 {
        return Ok(());
    }
    Err(format!("{} wrong\n{}", wrong.len(), wrong.join("\n")).into())
}
