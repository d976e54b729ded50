//! Does bash print the words, redirections and operators that the front end read?
//!
//! A command becomes the body of a function, bash prints what it has read (`declare -f`; nothing of the body is run), and
//! both texts are read by the front end and compared in one canonical form. Every blank is doubled first: bash prints one
//! where it parts words and keeps two where they belong to a word, so that a boundary in the wrong place shows although the
//! same reader reads both. For the same reason a comment in the print, where bash leaves none, is an error.

use crate::acceptance::line_trouble;
use crate::bash::{self, Said};
use crate::canonical::{canonical, delimiter};
use crate::inputs;
use differential::sandbox::Pool;
use libtest_mimic::Failed;
use reference::shell::{Kind, NodeId, Tree, parse};
use std::collections::BTreeMap;

/// What became of one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Bash has read what we have read.
    Same,
    /// It cannot be asked, or we do not say: why.
    Open(&'static str),
    /// What differs: ours, then bash's.
    Differs(String),
}

/// Blanks doubled: whether one belongs to a word shows then.
pub(crate) fn doubled(command: &[u8]) -> Vec<u8> {
    let times = |&byte: &u8| if byte == b' ' { 2 } else { 1 };
    let doubled = command
        .iter()
        .flat_map(|byte| std::iter::repeat_n(*byte, times(byte)));
    doubled.collect()
}

/// With the last lines of here-documents that the end of the text ends.
fn ended(mut command: Vec<u8>) -> Vec<u8> {
    if command.ends_with(b"\\") {
        return command;
    }
    let tree = parse(&command);
    let bodies = tree
        .all()
        .filter(|&id| matches!(tree.kind(id), Kind::HereBody(_)));
    let open: Vec<_> = bodies
        .filter(|&id| tree.span(id).end == command.len())
        .collect();
    for opener in open.into_iter().filter_map(|body| tree.opener(body)) {
        let word = tree.child(opener, Kind::Word);
        command.push(b'\n');
        command.extend(word.map(|word| delimiter(&tree, word)).unwrap_or_default());
    }
    command
}

/// Commands, and the programs in their backquotes, which bash keeps as they are.
pub(crate) fn with_backquoted(commands: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = commands.to_vec();
    for command in commands {
        let tree = parse(command);
        let lists = tree.all().filter(|&id| tree.kind(id) == Kind::Backquoted);
        all.extend(lists.flat_map(|id| {
            let list = tree.child(id, Kind::List);
            list.map(|list| tree.text(list).to_vec())
        }));
    }
    all.sort();
    all.dedup();
    all
}

/// Asks about each.
pub(crate) fn outcomes(pool: &Pool, commands: &[Vec<u8>]) -> Result<Vec<Outcome>, Failed> {
    let commands: Vec<Vec<u8>> = commands
        .iter()
        .map(|command| ended(doubled(command)))
        .collect();
    let reads = bash::reads(pool, "", &commands)?;
    let prints = bash::prints(pool, &commands)?;
    let texts: Vec<Vec<u8>> = prints.iter().map(|print| print.text.clone()).collect();
    let again = bash::reads(pool, "", &texts)?;
    let all = commands.iter().zip(&reads).zip(prints.iter().zip(&again));
    Ok(all
        .map(|((command, reads), (print, again))| outcome(command, reads, print, again))
        .collect())
}

/// `again`: what bash says of its own print.
fn outcome(command: &[u8], reads: &Said, print: &Said, again: &Said) -> Outcome {
    if !reads.accepts() {
        return Outcome::Open("bash refuses it");
    }
    let tree = parse(&bash::wrapped(command));
    if line_trouble(&tree).is_some() {
        return Outcome::Open(match reads.warns() || command.ends_with(b"\\") {
            true => "it goes on over its end",
            false => "we do not understand it",
        });
    }
    if !print.accepts() {
        return Outcome::Differs(format!("bash prints nothing\n{}", canonical_text(&tree)));
    }
    if !again.accepts() {
        return Outcome::Open("bash prints what it would refuse");
    }
    let printed = parse(&print.text);
    let comment = printed.all().find(|&id| printed.kind(id) == Kind::Comment);
    if let Some(comment) = comment.filter(|&id| !is_kept(&printed, id)) {
        let text = printed.text(comment).escape_ascii();
        return Outcome::Differs(format!("we take for a comment what bash printed: {text}"));
    }
    let (ours, theirs) = (canonical(&tree), canonical(&printed));
    if ours == theirs {
        return Outcome::Same;
    }
    if let Some(why) = misprinted(&tree) {
        return Outcome::Open(why);
    }
    let at = ours.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    let word = |tokens: &[Vec<u8>]| match tokens.get(at) {
        Some(token) => token.escape_ascii().to_string(),
        None => "nothing".to_owned(),
    };
    Outcome::Differs(format!(
        "read {}, printed {}\n    print: {}",
        word(&ours),
        word(&theirs),
        print.text.escape_ascii()
    ))
}

/// What bash is known to print in another way than it read it.
fn misprinted(tree: &Tree) -> Option<&'static str> {
    let with_body = |outer: NodeId| {
        let mut bodies = tree
            .all()
            .filter(|&id| matches!(tree.kind(id), Kind::HereBody(_)));
        bodies.any(|id| tree.is_within(id, outer))
    };
    let is_verb = |id: &NodeId| matches!(tree.kind(*id), Kind::Word | Kind::Assignment);
    tree.all().find_map(|id| match tree.kind(id) {
        Kind::If | Kind::While | Kind::Until => tree
            .children(id)
            .any(|child| tree.kind(child) == Kind::List && with_body(child))
            .then_some("bash prints a body after the command that follows it"),
        Kind::CommandSubstitution | Kind::ProcessIn | Kind::ProcessOut => {
            with_body(id).then_some("bash prints no operator after a body in a substitution")
        }
        // In double quotes it is text; bash has read it as a program all the same, and prints that.
        Kind::Operand => tree
            .plain(id)
            .any(|plain| {
                [b"<(", b">("]
                    .iter()
                    .any(|open| plain.windows(2).any(|two| two == *open))
            })
            .then_some("bash prints the text of a parameter as a program"),
        Kind::Simple => {
            let first = tree.children(id).next().filter(|child| !is_verb(child));
            let verb = first.and_then(|_| tree.children(id).find(is_verb));
            let is_prefix = |&verb: &NodeId| matches!(tree.text(verb), b"!" | b"time");
            let is_prefix = verb.as_ref().is_some_and(is_prefix);
            is_prefix
                .then_some("bash prints a reserved word before the redirection that made it none")
        }
        _ => None,
    })
}

/// Does it stand in what bash keeps as it is written?
fn is_kept(tree: &Tree, id: NodeId) -> bool {
    let mut outer = tree.all();
    outer.any(|outer| {
        matches!(tree.kind(outer), Kind::Backquoted | Kind::HereBody(_))
            && tree.is_within(id, outer)
    })
}

fn canonical_text(tree: &Tree) -> String {
    canonical(tree).join(&b' ').escape_ascii().to_string()
}

pub(crate) fn test(pool: &Pool) -> Result<(), Failed> {
    let commands = with_backquoted(&inputs::commands());
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut differ = Vec::new();
    for (command, outcome) in commands.iter().zip(outcomes(pool, &commands)?) {
        match outcome {
            Outcome::Same => *counts.entry("same").or_default() += 1,
            Outcome::Open(why) => *counts.entry(why).or_default() += 1,
            Outcome::Differs(how) => differ.push((command, how)),
        }
    }
    println!("declare -f of {} commands", commands.len());
    for (what, count) in &counts {
        println!("  {count:>6}  {what}");
    }
    differ.sort_by_key(|(command, _)| command.len());
    let shown = differ
        .iter()
        .take(12)
        .map(|(command, how)| format!("{}\n    {how}", command.escape_ascii()));
    match differ.len() {
        0 => Ok(()),
        count => Err(format!("{count} differ\n{}", shown.collect::<Vec<_>>().join("\n")).into()),
    }
}

/// A command read as another one is seen.
pub(crate) fn control(pool: &Pool) -> Result<(), Failed> {
    let pairs: [(&[u8], &[u8]); 6] = [
        (b"echo a #b", b"echo a#b"),
        (b"echo 'a b' c", b"echo 'a' b c"),
        (b"a && b; c", b"a && b c"),
        (b"cat <<E\n x\nE", b"cat <<'E'\n x\nE"),
        (b"echo a >b", b"echo a 2>b"),
        (b"a | { b; }", b"a | ( b; )"),
    ];
    for (one, other) in pairs {
        let reads = &bash::reads(pool, "", &[one.to_vec()])?[0];
        let print = &bash::prints(pool, &[other.to_vec()])?[0];
        let again = &bash::reads(pool, "", std::slice::from_ref(&print.text))?[0];
        if !matches!(outcome(one, reads, print, again), Outcome::Differs(_)) {
            return Err(
                format!("{} passes for {}", one.escape_ascii(), other.escape_ascii()).into(),
            );
        }
    }
    Ok(())
}
