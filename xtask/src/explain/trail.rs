//! What do the traced calls of one run say? Which are the command's own, and which paths they touch.

use differential::sandbox::{CWD, Call, Event, HOME, Observation};
use nix::fcntl::OFlag;
use std::collections::BTreeSet;

/// Folders and files that every program reads, and the devices that hold nothing.
const AMBIENT: [&[u8]; 8] = [
    b"/etc/ld.so.",
    b"/usr/lib/locale/",
    b"/usr/share/locale",
    b"/usr/share/i18n/",
    b"/proc/",
    b"/dev/fd/",
    b"/dev/null",
    b"/dev/tty",
];

/// What came before the start of bash, and after.
pub(super) fn around_bash(seen: &Observation) -> Option<(Vec<&Event>, Vec<&Event>)> {
    let is_bash = |event: &Event| matches!(&event.call, Call::Execute { path, .. } if event.errno == 0 && path.ends_with(b"/bash"));
    let start = seen.events.iter().position(is_bash)?;
    let (before, after) = (&seen.events[..start], &seen.events[start + 1..]);
    Some((before.iter().collect(), after.iter().collect()))
}

/// The events without those with which every bash begins. They are of the first process, in the same order.
pub(super) fn without_start<'a>(all: &[&'a Event], usual: Vec<&Event>) -> Vec<&'a Event> {
    let mut usual = usual.into_iter().peekable();
    let mut starting = true;
    let own = |event: &&&Event| {
        if !starting || event.process != 0 {
            return true;
        }
        starting = usual.next_if_eq(&**event).is_some();
        !starting
    };
    all.iter().filter(own).copied().collect()
}

/// The paths at which a call makes, alters or removes something; of a rename the old one and the new one.
fn places(event: &Event) -> Vec<Vec<u8>> {
    match &event.call {
        _ if event.errno != 0 => Vec::new(),
        Call::Open { base, path, flags } if writes(OFlag::from_bits_truncate(*flags)) => {
            vec![relative(base, path)]
        }
        Call::Alter {
            call,
            base,
            path,
            to,
        } => {
            let path = relative(base, path);
            match to.as_ref().map(|to| relative(base, to)) {
                // A second name leaves the first alone; the second path of a symbolic link is its text.
                Some(to) if call.starts_with("link") => vec![to],
                Some(to) if !call.starts_with("symlink") => vec![path, to],
                _ => vec![path],
            }
        }
        _ => Vec::new(),
    }
}

/// Everything that was made, opened for writing or altered.
pub(super) fn touched(events: &[&Event]) -> BTreeSet<Vec<u8>> {
    events.iter().flat_map(|event| places(event)).collect()
}

/// What of that is there in the end.
pub(super) fn left(events: &[&Event]) -> BTreeSet<Vec<u8>> {
    let mut left = BTreeSet::new();
    for event in events {
        let places = places(event);
        let call = match &event.call {
            Call::Alter { call, .. } => &call[..],
            _ => "",
        };
        let is = |name: &str| call.starts_with(name);
        let (gone, there) = match &places[..] {
            [from, to] if is("rename") => (&[from][..], Some(to)),
            [path] if is("unlink") || is("rmdir") => (&[path][..], None),
            places => (&[][..], places.first()),
        };
        for path in gone {
            left.remove(*path);
        }
        left.extend(there.cloned());
    }
    left
}

/// Do these flags of `open` make or alter a file?
pub(super) fn writes(flags: OFlag) -> bool {
    flags & OFlag::O_ACCMODE != OFlag::O_RDONLY || flags.intersects(OFlag::O_CREAT | OFlag::O_TRUNC)
}

/// Is this a file that every program reads, or a device that holds nothing?
pub(super) fn is_ambient(path: &[u8]) -> bool {
    let shared = || {
        let has = |part: &[u8]| path.windows(part.len()).any(|here| here == part);
        has(b".so") || has(b"/gconv/")
    };
    let library = [&b"/lib"[..], b"/usr/lib", b"/usr/local/lib"];
    AMBIENT.iter().any(|start| path.starts_with(start))
        || library.iter().any(|start| path.starts_with(start)) && shared()
}

/// The path as one would write it in the working directory: `x`, `../x`, or absolute where it lies elsewhere.
pub(super) fn relative(base: &[u8], path: &[u8]) -> Vec<u8> {
    let whole = match path.starts_with(b"/") {
        true => path.to_vec(),
        false => [base, b"/", path].concat(),
    };
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in whole.split(|&byte| byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let clean = [b"/", &parts.join(&b'/')[..]].concat();
    let below = |folder: &str| match clean.strip_prefix(folder.as_bytes())? {
        [] => Some(&b"."[..]),
        [b'/', rest @ ..] => Some(rest),
        _ => None,
    };
    match (below(CWD), below(HOME)) {
        (Some(inner), _) => inner.to_vec(),
        (None, Some(b".")) => b"..".to_vec(),
        (None, Some(beside)) => [b"../", beside].concat(),
        (None, None) => clean,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_the_working_directory() {
        for (base, path, shown) in [
            ("/case/cwd", "f", "f"),
            ("/case/cwd/src", "./../f", "f"),
            ("/case/cwd", ".", "."),
            ("/case/cwd", "..", ".."),
            ("/case/cwd", "../x//y", "../x/y"),
            ("", "/case/cwd2", "../cwd2"),
            ("", "/etc/../tmp/x", "/tmp/x"),
            ("/", "../..", "/"),
        ] {
            let got = relative(base.as_bytes(), path.as_bytes());
            assert_eq!(got, shown.as_bytes(), "{base} {path}");
        }
    }

    #[test]
    fn what_the_loader_reads_is_not_what_the_command_reads() {
        for ambient in [
            "/etc/ld.so.cache",
            "/usr/lib/x86_64-linux-gnu/libc.so.6",
            "/dev/null",
        ] {
            assert!(is_ambient(ambient.as_bytes()), "{ambient}");
        }
        for own in ["/usr/lib/os-release", "/etc/passwd", "x.so", "../libx.so"] {
            assert!(!is_ambient(own.as_bytes()), "{own}");
        }
    }
}
