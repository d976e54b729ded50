//! Can the files that a sed case lists be laid out? Names that no file system takes, or that two things claim.
//!
//! Names are relative to the working directory and may begin with `../` once: above that ends what a case owns.

use crate::SedCase;
use crate::fields::{Read, need, quote};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Directory,
    File,
    Link,
}

/// Checks every word, name and link text of the case that is handed to the system.
pub(crate) fn check(case: &SedCase) -> Read<()> {
    for word in &case.argv {
        without_nul(&word.0, "a word of argv")?;
    }
    for (name, value) in &case.env {
        without_nul(name.as_bytes(), "a name in env")?;
        without_nul(&value.0, "a value in env")?;
        need(!name.is_empty() && !name.contains('='), || {
            format!(
                "env cannot hold the name {}; give one without \"=\"",
                quote(name)
            )
        })?;
    }
    for (name, text) in &case.links {
        without_nul(&text.0, "the text of a link")?;
        need(!text.0.is_empty(), || {
            format!("link {} points to nothing; give it a text", quote(name))
        })?;
    }
    // The worst input replaces a file of the same name.
    let worst = case.worst.iter().flat_map(|worst| worst.files.keys());
    let worst = worst.filter(|name| !case.files.contains_key(*name));
    let files = case
        .files
        .keys()
        .chain(worst)
        .map(|name| (name.as_bytes(), Kind::File));
    let dirs = case.dirs.iter().map(|name| (&name.0[..], Kind::Directory));
    let links = case.links.keys().map(|name| (name.as_bytes(), Kind::Link));
    let entries = files.chain(dirs).chain(links);
    let mut tree = entries
        .map(|(name, kind)| Ok((components(name, kind)?, kind, name)))
        .collect::<Read<Vec<_>>>()?;
    // Sorted by component, what lies below a name follows it at once.
    tree.sort();
    for pair in tree.windows(2) {
        let ((above, kind, name), (path, other_kind, other)) = (&pair[0], &pair[1]);
        let both_directories = *kind == Kind::Directory && *other_kind == Kind::Directory;
        need(above != path || both_directories, || {
            format!(
                "{} and {} are one name; keep one of them",
                show(name),
                show(other)
            )
        })?;
        need(
            above == path || !path.starts_with(above) || *kind == Kind::Directory,
            || {
                format!(
                    "{} lies below {}, which is no folder; rename one",
                    show(other),
                    show(name)
                )
            },
        )?;
    }
    Ok(())
}

/// The name split at its slashes, without empty parts and dots.
fn components(name: &[u8], kind: Kind) -> Read<Vec<&[u8]>> {
    without_nul(name, "a file name")?;
    need(!name.starts_with(b"/"), || {
        format!(
            "file name {} is absolute; give one below the working directory",
            show(name)
        )
    })?;
    let parts: Vec<_> = name
        .split(|byte| *byte == b'/')
        .filter(|part| !matches!(*part, b"" | b"."))
        .collect();
    need(parts.iter().skip(1).all(|part| *part != b".."), || {
        format!(
            "file name {} goes up later or twice; \"../\" may stand once, in front",
            show(name)
        )
    })?;
    let names_a_file =
        !matches!(parts.last().copied(), None | Some(b"..")) && !name.ends_with(b"/");
    need(kind == Kind::Directory || names_a_file, || {
        format!(
            "file name {} can name a folder only; put it under dirs",
            show(name)
        )
    })?;
    Ok(parts)
}

fn without_nul(bytes: &[u8], what: &str) -> Read<()> {
    need(!bytes.contains(&0), || {
        format!("{what} holds a NUL byte; no system takes it")
    })
}

fn show(name: &[u8]) -> String {
    quote(&String::from_utf8_lossy(name))
}
