//! Does strace, an independent tracer, see the same calls with the same results?
//!
//! Both runs start from the same tree in the same place; the calls are compared as a bag, since processes that run at the
//! same time have no order. strace tells the directory a path is relative to only where the call names it, so for the old
//! calls without one it is not compared.

use super::*;
use std::process::{Command, Stdio};

const COMMANDS: &[&str] = &[
    "cat f",
    "cat nofile f",
    "sed -n 1p f",
    "sed -n 'p;w out' f",
    "sed 'r nofile' f",
    "sed '1e echo hi' f",
    "sed -i s/o/0/ f",
    "sed -i.bak s/o/0/ f",
    "sed -n 1p < f | cat | wc -l",
    "cat < f > g; cat f >> g; : <> h",
    "cat <<< word; cat << E\nbody $(cat f)\nE",
    "mv f g; mv g nodir/g",
    "mkdir d; mv f d; mv d/f \"$PWD/g\"",
    "rm f; rm f; rm -f f",
    "mkdir -p a/b/c; rm -r a",
    "ln f g; ln -s f s; ln -s f s; ln -sf g s; cat s",
    "ln -s loop loop; cat loop",
    "cp f g; cp -p f h; cp -r nofile x",
    "cp -a f g; install -m 600 f i",
    "chmod 600 f; chmod +x nofile; chmod -R g-w .",
    "touch g; touch -d 2001-01-01 f; touch -c nofile",
    "truncate -s 3 f; truncate -s 1 nodir/f",
    "mkfifo p; mknod q p; mknod f p",
    "rmdir nodir; mkdir d; rmdir d; mkdir f",
    "(cat f); { cat f; } & wait",
    "for i in 1 2 3; do cat none$i & done; wait",
    "x=$(cat f; cat nofile); echo $x",
    "cat <(sed 2d f) > g",
    "exec sh -c 'exec env cat f'",
    "./f; ./nofile; nosuchcommand; /; env ./f",
    "printf 'a\\nb\\n' | xargs -n1 -P2 cat",
    "find . -name f -exec cat {} \\;",
    "find . -type f -delete",
    "echo '. ./nofile; source ./f' > script; bash script; sh script",
    "printf '#!/bin/sh\\ncat f\\n' > run; chmod +x run; ./run",
    ": < /dev/tcp/127.0.0.1/1",
    "tee a b < f; sort -o f f; split -l 1 f",
    "tar cf t.tar f; rm f; tar xf t.tar; cat f",
    "cd /; cat etc/nofile; cd - ; cat ./f",
    "echo gone > t; rm t; test -e t",
    "mkdir d; cd d; echo 1 > ../g; rm -r ../d; cat f",
    "sh -c 'kill -KILL $$; cat f'; cat f",
    "trap 'cat f' EXIT; exit 3",
    "timeout 5 cat f; nice cat nofile",
];

#[test]
fn strace_sees_the_same_calls() {
    if Command::new("strace").arg("-V").output().is_err() {
        eprintln!("NOT COMPARED: strace is not installed");
        return;
    }
    let outer = tempfile::tempdir().expect("a temporary folder");
    let log = outer.path().join("log");
    for command in COMMANDS {
        let words = ["/bin/bash", "-c", command];
        let run = in_fresh(outer.path(), |folder| trace(folder, &words));
        in_fresh(outer.path(), |folder| {
            let mut strace = Command::new("strace");
            strace.args([
                "-f",
                "-qq",
                "-v",
                "-y",
                "-xx",
                "-X",
                "raw",
                "-s",
                "200000",
                "-e",
                "signal=none",
                "-o",
            ]);
            let names: Vec<String> = calls::names().map(|name| format!("?{name}")).collect();
            strace
                .arg(&log)
                .arg("-e")
                .arg(format!("trace={}", names.join(",")));
            strace
                .args(words)
                .current_dir(folder)
                .env_clear()
                .envs(ENVIRONMENT);
            strace
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .expect("strace runs");
        });
        let mut ours: Vec<String> = run.events.iter().map(line_of_event).collect();
        let mut theirs = lines_of_strace(&fs::read_to_string(&log).expect("the log of strace"));
        assert!(theirs.len() > 3, "{command}: strace saw {theirs:#?}");
        ours.sort();
        theirs.sort();
        if ours != theirs {
            let only = |one: &[String], other: &[String]| {
                one.iter()
                    .filter(|line| !other.contains(line))
                    .cloned()
                    .collect::<Vec<_>>()
            };
            panic!(
                "{command}\nonly here: {:#?}\nonly strace: {:#?}\n{} and {} calls",
                only(&ours, &theirs),
                only(&theirs, &ours),
                ours.len(),
                theirs.len()
            );
        }
    }
}

/// Does something in a folder that has always the same path and tree.
fn in_fresh<T>(outer: &Path, act: impl FnOnce(&Path) -> T) -> T {
    let folder = outer.join("fresh");
    fs::create_dir(&folder).expect("it is new");
    fs::write(folder.join("f"), "one\ntwo\nthree\n").expect("its file");
    let done = act(&folder);
    fs::remove_dir_all(&folder).expect("it goes");
    done
}

/// Names as `base|path`; the base unknown to strace where the call names none.
fn place(call: &str, base: &[u8], path: &[u8]) -> String {
    let named = call.contains("at") && call != "truncate" || path.is_empty();
    let base = if path.starts_with(b"/") {
        b""
    } else if named {
        base
    } else {
        b"?"
    };
    let text = |bytes| masked(&String::from_utf8_lossy(bytes));
    format!("{}|{}", text(base), text(path))
}

/// What `creat` stands for. It names no base, so for an `openat` with these flags none is compared either.
const CREAT: i32 = libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC;

fn opening(base: &[u8], path: &[u8], flags: i32) -> String {
    let call = if flags == CREAT { "open" } else { "openat" };
    format!("open {} {flags:#x}", place(call, base, path))
}

/// Without the random part of the temporary files of `sed -i` and `ln -f`.
fn masked(path: &str) -> String {
    let name = path.rfind('/').map_or(0, |slash| slash + 1);
    match ["sed", "Cu"]
        .into_iter()
        .find(|start| path[name..].starts_with(start) && path.len() - name == start.len() + 6)
    {
        Some(start) => format!("{}{start}XXXXXX", &path[..name]),
        None => path.to_owned(),
    }
}

fn line_of_event(event: &Event) -> String {
    let asked = match &event.call {
        Call::Execute { path, argv } => {
            format!(
                "execve {} {:?}",
                String::from_utf8_lossy(path),
                argv.iter()
                    .map(|word| String::from_utf8_lossy(word))
                    .collect::<Vec<_>>()
            )
        }
        Call::Open { base, path, flags } => opening(base, path, *flags),
        Call::Alter {
            call,
            base,
            path,
            to,
        } => {
            let to = to
                .as_ref()
                .map(|to| format!(" {}", masked(&String::from_utf8_lossy(to))))
                .unwrap_or_default();
            format!("{call} {}{to}", place(call, base, path))
        }
        Call::Socket { family } => format!("socket {family:#x}"),
    };
    match event.errno {
        0 => format!("{asked} = OK"),
        errno => format!("{asked} = {:?}", Errno::from_raw(errno)),
    }
}

/// An argument as strace prints it.
#[derive(Debug)]
enum Argument {
    Text(Vec<u8>),
    Words(Vec<Vec<u8>>),
    Descriptor(Vec<u8>),
    Null,
    Other(String),
}

/// The calls of a log of `strace -f`, each on one line.
fn lines_of_strace(log: &str) -> Vec<String> {
    let mut begun: HashMap<&str, String> = HashMap::new();
    let mut lines = Vec::new();
    for line in log.lines() {
        let (pid, text) = line.split_once(' ').expect("a process number");
        let text = text.trim_start();
        if let Some(begin) = text.strip_suffix(" <unfinished ...>") {
            begun.insert(pid, begin.to_owned());
        } else if let Some((_, rest)) = text
            .strip_prefix("<... ")
            .map(|text| text.split_once(" resumed>").expect("resumed"))
        {
            let begin = begun.remove(pid).expect("it was begun");
            lines.push(line_of_strace(&format!("{begin}{rest}")));
        } else if !text.starts_with("+++") {
            lines.push(line_of_strace(text));
        }
    }
    lines.extend(
        begun
            .into_values()
            .map(|begin| line_of_strace(&format!("{begin}) = ?"))),
    );
    lines
}

fn line_of_strace(text: &str) -> String {
    use Argument::{Descriptor, Null, Other, Text, Words};
    let (call, rest) = text.split_once('(').expect("a call");
    let (arguments, result) = rest.rsplit_once(" = ").expect("a result");
    let arguments = arguments
        .trim_end()
        .strip_suffix(')')
        .expect("a closing bracket");
    let arguments: Vec<Argument> = split(arguments).into_iter().map(argument).collect();
    let asked = match (call, arguments.as_slice()) {
        ("execve", [Text(path), Words(words), ..]) => format!(
            "execve {} {:?}",
            String::from_utf8_lossy(path),
            words
                .iter()
                .map(|word| String::from_utf8_lossy(word))
                .collect::<Vec<_>>()
        ),
        ("openat", [Descriptor(base), Text(path), Other(flags), ..]) => {
            let flags = i32::from_str_radix(flags.trim_start_matches("0x"), 16).expect("flags");
            opening(base, path, flags)
        }
        ("creat", [Text(path), ..]) => opening(b"", path, CREAT),
        ("socket", [Other(family), ..]) => format!("socket {family}"),
        ("symlinkat", [Text(to), Descriptor(base), Text(path)]) => {
            format!(
                "{call} {} {}",
                place(call, base, path),
                String::from_utf8_lossy(to)
            )
        }
        (
            _,
            [
                Descriptor(base),
                Text(path),
                Descriptor(to_base),
                Text(to),
                ..,
            ],
        ) => {
            let to = String::from_utf8_lossy(to);
            let same = base == to_base && !path.starts_with(b"/");
            let to = if same || to.starts_with('/') {
                to.into_owned()
            } else {
                format!("{}/{to}", String::from_utf8_lossy(to_base))
            };
            format!("{call} {} {}", place(call, base, path), masked(&to))
        }
        ("rename" | "link", [Text(path), Text(to)]) => {
            format!(
                "{call} {} {}",
                place(call, b"", path),
                masked(&String::from_utf8_lossy(to))
            )
        }
        ("fsetxattr" | "fremovexattr", [Descriptor(base), ..]) => {
            format!("{call} {}", place(call, base, b""))
        }
        (_, [Descriptor(base), Text(path), ..]) => format!("{call} {}", place(call, base, path)),
        (_, [Descriptor(base), ..]) => format!("{call} {}", place(call, base, b"")),
        (_, [Text(path), Null | Other(_), ..]) => format!("{call} {}", place(call, b"", path)),
        (_, [Text(path)]) => format!("{call} {}", place(call, b"", path)),
        other => panic!("a shape that no command here should show: {other:?}"),
    };
    let error = result
        .split_whitespace()
        .nth(1)
        .filter(|name| result.starts_with("-1") && name.starts_with('E'));
    match (error, result.starts_with('?')) {
        (_, true) => format!("{asked} = EINTR"),
        (Some(error), _) => format!("{asked} = {error}"),
        (None, _) => format!("{asked} = OK"),
    }
}

/// At the commas outside brackets; texts are all escapes, so they hold none.
fn split(arguments: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, byte) in arguments.bytes().enumerate() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(arguments[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(arguments[start..].trim());
    parts
}

fn argument(text: &str) -> Argument {
    let inside = |open: char, close: char| {
        text.strip_prefix(open)
            .and_then(|text| text.strip_suffix(close))
    };
    if let Some(escapes) = inside('"', '"') {
        return Argument::Text(bytes(escapes));
    }
    if let Some(words) = inside('[', ']') {
        let words = words.split(", ").filter(|word| !word.is_empty());
        return Argument::Words(words.map(|word| bytes(word.trim_matches('"'))).collect());
    }
    match text.strip_suffix('>').and_then(|text| text.split_once('<')) {
        Some((_, path)) => Argument::Descriptor(bytes(path)),
        None if text == "NULL" => Argument::Null,
        None => Argument::Other(text.to_owned()),
    }
}

/// `\x41\x42` as bytes.
fn bytes(escapes: &str) -> Vec<u8> {
    let pairs = escapes.split("\\x").skip(1);
    pairs
        .map(|pair| u8::from_str_radix(pair, 16).expect("two hexadecimal digits"))
        .collect()
}
