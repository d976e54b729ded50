//! What does a log of strace say? Each call as the line that the tracer's event becomes.

use super::{CREAT, masked, opening, place};
use std::collections::HashMap;
use std::io;

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
pub(super) fn lines_of_strace(log: &str) -> Vec<String> {
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
        ("symlink", [Text(to), Text(path)]) => {
            format!(
                "{call} {} {}",
                place(call, b"", path),
                String::from_utf8_lossy(to)
            )
        }
        ("setxattr" | "lsetxattr" | "removexattr" | "lremovexattr", [Text(path), ..]) => {
            format!("{call} {}", place(call, b"", path))
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
    match (result.strip_prefix("-1 E"), result.starts_with('?')) {
        (_, true) => format!("{asked} = {}", error_text(EINTR)),
        (Some(error), _) => {
            let text = error
                .split_once('(')
                .and_then(|(_, text)| text.strip_suffix(')'));
            format!("{asked} = {}", text.expect("an error and what it means"))
        }
        (None, _) => format!("{asked} = OK"),
    }
}

/// Also what the tracer says of a call that did not come back.
const EINTR: i32 = 4;

/// `No such file or directory`, as strace has it too.
pub(super) fn error_text(errno: i32) -> String {
    let text = io::Error::from_raw_os_error(errno).to_string();
    text.split(" (os error")
        .next()
        .unwrap_or_default()
        .to_owned()
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
    let (text, gone) = match text.strip_suffix("(deleted)") {
        Some(text) => (text, &b" (deleted)"[..]),
        None => (text, &b""[..]),
    };
    match text.strip_suffix('>').and_then(|text| text.split_once('<')) {
        Some((_, path)) => Argument::Descriptor([&name(path), gone].concat()),
        None if text == "NULL" => Argument::Null,
        None => Argument::Other(text.to_owned()),
    }
}

/// The name of a descriptor; that of a pipe or socket is no escapes.
fn name(text: &str) -> Vec<u8> {
    match text.starts_with("\\x") {
        true => bytes(text),
        false => text.as_bytes().to_vec(),
    }
}

/// `\x41\x42` as bytes.
fn bytes(escapes: &str) -> Vec<u8> {
    let pairs = escapes.split("\\x").skip(1);
    pairs
        .map(|pair| u8::from_str_radix(pair, 16).expect("two hexadecimal digits"))
        .collect()
}
