//! What do the traced calls of one run say? Which are the command's own, and which paths they touch.

use differential::sandbox::{CWD, Call, Event, HOME, Observation};
use nix::fcntl::OFlag;
use std::collections::BTreeSet;

/// Files and folders that programs read whatever they are for.
const AMBIENT: [&[u8]; 6] = [
    b"/etc/ld.so.",
    b"/usr/lib/locale/",
    b"/usr/share/locale",
    b"/usr/share/i18n/",
    b"/proc/self/",
    b"/proc/filesystems",
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

/// Is this a file that is read whatever a program is for?
pub(super) fn is_ambient(path: &[u8]) -> bool {
    let shared = || {
        let has = |part: &[u8]| path.windows(part.len()).any(|here| here == part);
        has(b".so") || has(b"/gconv/")
    };
    let library = [&b"/lib"[..], b"/usr/lib", b"/usr/local/lib"];
    AMBIENT.iter().any(|start| path.starts_with(start))
        || library.iter().any(|start| path.starts_with(start)) && shared()
}

/// Is this a device that keeps nothing, or a name of what is open already?
pub(super) fn is_void(path: &[u8]) -> bool {
    let open = [&b"/dev/fd/"[..], b"/proc/self/fd/"];
    path == b"/dev/null" || path == b"/dev/tty" || open.iter().any(|start| path.starts_with(start))
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
            "/proc/self/maps",
        ] {
            assert!(is_ambient(ambient.as_bytes()), "{ambient}");
        }
        for own in [
            "/usr/lib/os-release",
            "/proc/1/environ",
            "/etc/passwd",
            "x.so",
            "../libx.so",
        ] {
            assert!(!is_ambient(own.as_bytes()), "{own}");
        }
    }

    fn event(call: Call) -> Event {
        Event {
            process: 0,
            call,
            errno: 0,
        }
    }

    fn alter(call: &str, path: &str, to: Option<&str>) -> Event {
        event(Call::Alter {
            call: call.to_owned(),
            base: CWD.into(),
            path: path.into(),
            to: to.map(Into::into),
        })
    }

    fn open(path: &str, flags: OFlag) -> Event {
        event(Call::Open {
            base: CWD.into(),
            path: path.into(),
            flags: flags.bits(),
        })
    }

    fn words(paths: BTreeSet<Vec<u8>>) -> String {
        let words = paths.iter().map(|path| String::from_utf8_lossy(path));
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_left_is_what_was_made_and_not_taken_away() {
        let made = OFlag::O_CREAT | OFlag::O_WRONLY;
        let refused = Event {
            errno: 13,
            ..open("refused", made)
        };
        let events = [
            open("a", made),
            open("b", made),
            open("only-read", OFlag::O_RDONLY),
            refused,
            alter("mkdir", "d", None),
            alter("rename", "a", Some("d/a")),
            alter("unlinkat", "b", None),
            alter("link", "old", Some("new")),
            alter("symlinkat", "sign", Some("its-text")),
            alter("mkdir", "e", None),
            alter("rmdir", "e", None),
        ];
        let events: Vec<&Event> = events.iter().collect();
        assert_eq!(words(left(&events)), "d d/a new sign");
        assert_eq!(words(touched(&events)), "a b d d/a e new sign");
    }

    #[test]
    fn only_the_usual_beginning_is_left_out() {
        let (passwd, own) = (
            open("/etc/passwd", OFlag::O_RDONLY),
            open("f", OFlag::O_RDONLY),
        );
        let child = Event {
            process: 1,
            ..passwd.clone()
        };
        let all = [&passwd, &child, &own, &passwd];
        assert_eq!(
            without_start(&all, vec![&passwd, &passwd]),
            [&child, &own, &passwd]
        );
        assert_eq!(without_start(&all, vec![]), all);
    }
}
