//! Which paths mean the same in this form as in the form *namespaces*? The case area has another place, and the machine is
//! denied, not hidden.
//!
//! Texts are carried over: [`HOME`] becomes the place of the case area on the way in, and back on the way out. What a case
//! does with other paths either ends as it would there (nothing is at the path, or a program is read), or is noted: then the
//! case cannot be run faithfully. An error of the first kind is one that both forms give.

use super::rules;
use crate::sandbox::{CANARIES, Call, Entry, Event, HOME, Job};
use nix::errno::Errno;
use nix::libc;
use nix::unistd::Uid;
use std::ffi::OsStr;
use std::fs::{self, canonicalize};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Folders that are in both forms, and what of them is looked at tells nothing.
const FOLDERS: [&[u8]; 5] = [b"/", b"/etc", b"/dev", b"/proc", b"/tmp"];
/// What libraries open in programs that did not ask for it, the same to them whether it is absent, as in the form *namespaces*,
/// or denied: `libselinux`, who to ask for users, the time zone, the size of the stack (the last also without `O_CLOEXEC`).
const LIBRARIES: [&[u8]; 5] = [
    b"/proc/filesystems",
    b"/proc/mounts",
    b"/etc/nsswitch.conf",
    b"/etc/localtime",
    STACK,
];
const USERS: &[u8] = b"/etc/passwd";
const STACK: &[u8] = b"/proc/self/maps";

/// The paths of one worker.
#[derive(Clone)]
pub(super) struct Paths {
    /// Where the case area is.
    case: Vec<u8>,
    /// Cases expect to find their canaries without `PATH`, and pseudo terminals.
    for_commands: bool,
    /// The user of the cases has a name, as in the form *namespaces*.
    has_name: bool,
}

impl Paths {
    pub(super) fn new(case: &Path, for_commands: bool) -> Self {
        Self {
            case: case.as_os_str().as_bytes().to_vec(),
            for_commands,
            has_name: has_name(),
        }
    }

    /// What is at this path in boxes for whole commands of the form *namespaces* alone.
    pub(super) fn lack_at(&self, path: &[u8]) -> Option<String> {
        let name = path.strip_prefix(b"/usr/local/sbin/");
        let is_canary = |name| CANARIES.iter().any(|canary| name == canary.as_bytes());
        if !self.for_commands {
            None
        } else if name.is_some_and(is_canary) {
            Some("a canary without PATH".into())
        } else {
            let is_terminal = path == b"/dev/ptmx" || is_in(path, b"/dev/pts");
            is_terminal.then(|| "a pseudo terminal".into())
        }
    }

    /// Is it the case area, or in it?
    pub(super) fn is_own(&self, path: &[u8]) -> bool {
        is_in(path, &self.case)
    }

    /// Is it there in both forms?
    pub(super) fn is_shown(&self, path: &[u8]) -> bool {
        // Shells look at each folder above their own.
        let is_above = is_in(&self.case, path);
        let tells_nothing = is_above || FOLDERS.contains(&path) || LIBRARIES.contains(&path);
        self.is_own(path) || is_system(path) || is_name_file(path) || tells_nothing
    }

    /// Is nothing at this path, which is not shown, in the form *namespaces*? There a case sees its own processes alone.
    pub(super) fn is_hidden(&self, path: &[u8]) -> bool {
        let process = path.strip_prefix(b"/proc/").and_then(<[u8]>::first);
        !process.is_some_and(u8::is_ascii_digit) && path.starts_with(b"/")
    }

    /// Is it, as spelled, a descriptor of the case itself, or its program?
    pub(super) fn is_standard(&self, path: &[u8]) -> bool {
        const STREAMS: [&[u8]; 3] = [b"/dev/stdin", b"/dev/stdout", b"/dev/stderr"];
        const DESCRIPTORS: [&[u8]; 2] = [b"/dev/fd/", b"/proc/self/fd/"];
        STREAMS.contains(&path)
            || path == b"/proc/self/exe"
            || DESCRIPTORS.iter().any(|begin| path.starts_with(begin))
    }

    /// A path as the case knows it.
    pub(super) fn shown(&self, path: &[u8]) -> String {
        String::from_utf8_lossy(&self.outward(path)).into_owned()
    }

    /// A text that a case has made, in the words of the job.
    pub(super) fn outward(&self, text: &[u8]) -> Vec<u8> {
        replace(text, &self.case, HOME.as_bytes(), false)
    }

    fn inward(&self, text: &[u8]) -> Vec<u8> {
        replace(text, HOME.as_bytes(), &self.case, true)
    }

    /// The job with the place of the case area in its environment, links and programs, and whether it names the area where
    /// that cannot be done.
    pub(super) fn carry_in(&self, job: &mut Job) -> Option<String> {
        for (_, value) in &mut job.env {
            *value = self.inward(value);
        }
        job.program = String::from_utf8_lossy(&self.inward(job.program.as_bytes())).into_owned();
        let mut named = job.argv.iter().any(|word| self.inward(word) != *word)
            || self.inward(&job.stdin) != job.stdin;
        for entry in &mut job.tree {
            match entry {
                Entry::Program(_, text) | Entry::Link(_, text) => *text = self.inward(text),
                Entry::File(_, content) => named |= self.inward(content) != *content,
                Entry::Directory(_) => {}
            }
        }
        named.then(|| format!("its words, files or standard input name {HOME}"))
    }

    /// An event in the words of the job.
    pub(super) fn carry_out(&self, event: &mut Event) {
        let texts: Vec<&mut Vec<u8>> = match &mut event.call {
            Call::Execute { path, argv } => std::iter::once(path).chain(argv).collect(),
            Call::Open { base, path, .. } => vec![base, path],
            Call::Alter { base, path, to, .. } => [base, path].into_iter().chain(to).collect(),
            Call::Socket { .. } => Vec::new(),
        };
        for text in texts {
            *text = self.outward(text);
        }
    }

    /// What of this event the form *namespaces* would have answered otherwise. The tree must still be there.
    pub(super) fn foreign(&self, event: &Event) -> Option<String> {
        let errno = Errno::from_raw(event.errno);
        match &event.call {
            Call::Open { base, path, flags } => {
                let reads = flags & libc::O_ACCMODE == libc::O_RDONLY && flags & libc::O_CREAT == 0;
                // The C library looks users up so; programs asked to read a file do not.
                let as_library = reads && flags & libc::O_CLOEXEC != 0;
                let absolute = absolute(base, path);
                let tells_nothing = is_name_file(&absolute) || LIBRARIES.contains(&&absolute[..]);
                if as_library && absolute == USERS && !self.has_name {
                    return Some("a user with a name".into());
                }
                if as_library && tells_nothing || reads && absolute == STACK {
                    return None;
                }
                self.judge("open", base, path, errno, reads)
            }
            Call::Execute { path, .. } => self.judge("execute", b"", path, errno, true),
            Call::Alter {
                call,
                base,
                path,
                to,
            } => {
                let second = match to {
                    Some(to) if !call.starts_with("symlink") => {
                        self.judge(call, base, to, errno, false)
                    }
                    _ => None,
                };
                self.judge(call, base, path, errno, false).or(second)
            }
            Call::Socket { .. } => None,
        }
    }

    fn judge(
        &self,
        call: &str,
        base: &[u8],
        path: &[u8],
        errno: Errno,
        reads: bool,
    ) -> Option<String> {
        if let Some(lack) = self.lack_at(path) {
            return Some(lack);
        }
        let denied = matches!(errno, Errno::EACCES | Errno::EPERM | Errno::EXDEV);
        let absolute = absolute(base, path);
        // A relative path without a base fails before any rule is asked; a relative program is in the case area or was found.
        let faithful = if !absolute.starts_with(b"/") || self.is_standard(&absolute) {
            !denied || !absolute.starts_with(b"/") && self.leads_to_own(path)
        } else if self.is_own(&absolute) {
            !denied || self.leads_to_own(&absolute)
        } else if is_system(&absolute) {
            reads || !denied
        } else {
            matches!(errno, Errno::ENOENT | Errno::ENOTDIR | Errno::ELOOP)
        };
        (!faithful).then(|| format!("{call} of {}", self.shown(&absolute)))
    }

    /// Does a denied path lead into the case area, so that its own modes denied it? One that is not there is judged by its
    /// folder.
    fn leads_to_own(&self, path: &[u8]) -> bool {
        let path = match path.first() {
            Some(b'/') => PathBuf::from(OsStr::from_bytes(path)),
            _ => Path::new(OsStr::from_bytes(&self.case))
                .join("cwd")
                .join(OsStr::from_bytes(path)),
        };
        let place = canonicalize(&path).or_else(|error| match path.parent() {
            Some(folder) if path.symlink_metadata().is_err() => canonicalize(folder),
            _ => Err(error),
        });
        place.is_ok_and(|place| {
            let place = place.into_os_string().into_vec();
            self.is_own(&place) || is_system(&place)
        })
    }
}

/// Is this user in the file of users?
fn has_name() -> bool {
    let user = Uid::current().to_string();
    let users = fs::read_to_string(OsStr::from_bytes(USERS)).unwrap_or_default();
    users
        .lines()
        .any(|line| line.split(':').nth(2) == Some(&user[..]))
}

fn is_in(path: &[u8], folder: &[u8]) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
}

/// Who is who, in both forms, but not with the same content.
fn is_name_file(path: &[u8]) -> bool {
    rules::NAMES.iter().any(|name| path == name.as_bytes())
}

/// Programs, libraries and devices that are the same in both forms.
fn is_system(path: &[u8]) -> bool {
    rules::SYSTEM
        .iter()
        .chain(&rules::SETTINGS)
        .chain(&rules::DEVICES)
        .any(|shown| is_in(path, shown.as_bytes()))
}

/// An absolute path without `.`, `..` and empty names, links not followed; what it was if it has no base.
fn absolute(base: &[u8], path: &[u8]) -> Vec<u8> {
    let whole = if path.starts_with(b"/") {
        path.to_vec()
    } else {
        [base, b"/", path].concat()
    };
    if !whole.starts_with(b"/") || base.is_empty() && !path.starts_with(b"/") {
        return path.to_vec();
    }
    let mut names: Vec<&[u8]> = Vec::new();
    for name in whole.split(|&byte| byte == b'/') {
        match name {
            b"" | b"." => {}
            b".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    [b"/", &names.join(&b'/')[..]].concat()
}

/// Replaces a path where it stands by itself or begins a longer one; `absolute`: only where no name comes before it.
fn replace(text: &[u8], from: &[u8], to: &[u8], absolute: bool) -> Vec<u8> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let mut replaced = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let begins = !absolute || at == 0 || !is_name(&text[at - 1]) && text[at - 1] != b'/';
        if begins && rest.starts_with(from) && !rest.get(from.len()).is_some_and(is_name) {
            replaced.extend_from_slice(to);
            at += from.len();
        } else {
            replaced.push(rest[0]);
            at += 1;
        }
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASE: &[u8] = b"/dev/shm/box/case";

    #[test]
    fn the_case_area_is_named_by_whole_names_alone() {
        let inward = |text: &str| {
            let text = replace(text.as_bytes(), HOME.as_bytes(), CASE, true);
            String::from_utf8(text).expect("plain text")
        };
        for (job, here) in [
            ("/case", "/dev/shm/box/case"),
            (
                "PATH=/case/bin:/usr/bin:/case/cwd",
                "PATH=/dev/shm/box/case/bin:/usr/bin:/dev/shm/box/case/cwd",
            ),
            (
                "/cases /case-1 x/case //case /case.d",
                "/cases /case-1 x/case //case /case.d",
            ),
            ("", ""),
        ] {
            assert_eq!(inward(job), here);
            assert_eq!(
                replace(here.as_bytes(), CASE, HOME.as_bytes(), false),
                job.as_bytes()
            );
        }
    }

    #[test]
    fn a_path_is_made_absolute_by_its_base() {
        for (base, path, whole) in [
            (&b"/a/b"[..], &b"../c"[..], &b"/a/c"[..]),
            (b"/a", b"", b"/a"),
            (b"/a", b"//x//./y/", b"/x/y"),
            (b"/", b"../..", b"/"),
            (b"", b"x", b"x"),
        ] {
            assert_eq!(absolute(base, path), whole);
        }
    }

    #[test]
    fn what_is_the_same_in_both_forms_is_not_foreign() {
        let paths = Paths {
            case: CASE.to_vec(),
            for_commands: false,
            has_name: true,
        };
        let open = |path: &str, flags, errno: Errno| {
            let call = Call::Open {
                base: b"/dev/shm/box/case/cwd".to_vec(),
                path: path.into(),
                flags,
            };
            paths.foreign(&Event {
                process: 0,
                call,
                errno: errno as i32,
            })
        };
        let none = Errno::from_raw(0);
        let (read, write) = (libc::O_RDONLY, libc::O_WRONLY | libc::O_CREAT);
        for (path, flags, errno, foreign) in [
            ("f", write, none, None),
            ("/usr/bin/sed", read, none, None),
            ("/usr/bin/none", read, Errno::ENOENT, None),
            (
                "/usr/bin/x",
                write,
                Errno::EACCES,
                Some("open of /usr/bin/x"),
            ),
            ("/tmp/x", write, Errno::EACCES, Some("open of /tmp/x")),
            (
                "../../x",
                write,
                Errno::EACCES,
                Some("open of /dev/shm/box/x"),
            ),
            ("/dev//fd/3", write, none, None),
            ("/etc/passwd", read, none, Some("open of /etc/passwd")),
            ("/etc/passwd", read | libc::O_CLOEXEC, none, None),
            ("/root/x", read, Errno::ENOENT, None),
            ("/root/x", read, Errno::EACCES, Some("open of /root/x")),
            ("/root", read | libc::O_PATH, none, Some("open of /root")),
        ] {
            assert_eq!(
                open(path, flags, errno).as_deref(),
                foreign,
                "{path} {errno}"
            );
        }
    }
}
