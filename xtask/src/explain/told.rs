//! How is an account told? As rows for people, and as the field `run` of the document.

use super::account::{Account, Program};
use super::drawing::fitted;
use differential::bash::Undecided;
use differential::replay::quoted;
use differential::report::text;
use differential::sandbox::{End, HOME};
use nix::errno::Errno;
use nix::sys::signal::Signal;
use nix::sys::socket::AddressFamily;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Columns of what stands behind a label.
const WIDTH: usize = 66;
/// How many of one kind, and how many lines of output, are shown.
const SHOWN: usize = 20;
const LINES: usize = 10;

/// Rows with a label each; what there is none of is named in the last.
pub(super) fn rows(account: &Account) -> String {
    let mut page = String::new();
    let mut none = Vec::new();
    let renamed = account
        .renamed
        .iter()
        .map(|(from, to)| format!("{} -> {}", quoted(from), quoted(to)));
    let failed = account.failed.iter();
    let failed =
        failed.map(|one| format!("{}: {}: {}", one.what, said(one.errno), quoted(&one.path)));
    let paths = |paths: &BTreeSet<Vec<u8>>| paths.iter().map(|path| quoted(path)).collect();
    let lists: [(&str, Vec<String>); 11] = [
        ("programs", account.programs.iter().map(typed).collect()),
        ("missing", account.missing.iter().cloned().collect()),
        ("read", paths(&account.read)),
        ("listed", paths(&account.listed)),
        ("created", paths(&account.created)),
        ("changed", paths(&account.changed)),
        ("renamed", renamed.collect()),
        ("removed", paths(&account.removed)),
        ("no trace", paths(&account.no_trace)),
        ("failed", failed.collect()),
        ("sockets", account.sockets.iter().map(socket).collect()),
    ];
    row(&mut page, "end", &end(account.end));
    if account.killed {
        row(
            &mut page,
            "",
            "processes were killed that had not ended by then",
        );
    }
    for (label, list) in &lists {
        if list.is_empty() {
            none.push(*label);
        }
        let labels = std::iter::once(*label).chain(std::iter::repeat(""));
        for (label, line) in labels.zip(list.iter().take(SHOWN)) {
            row(&mut page, label, line);
        }
        if list.len() > SHOWN {
            row(
                &mut page,
                "",
                &format!("… {} more; --json has all", list.len() - SHOWN),
            );
        }
    }
    for (label, bytes) in [("stdout", &account.stdout), ("stderr", &account.stderr)] {
        if bytes.is_empty() {
            none.push(label);
        }
        output(&mut page, label, bytes);
    }
    for (at, names) in none.chunks(7).enumerate() {
        row(
            &mut page,
            if at == 0 { "none" } else { "" },
            &names.join("  "),
        );
    }
    let ambient = format!(
        "{} calls: start of bash, loader, locale, /proc and the like",
        account.ambient
    );
    row(&mut page, "not shown", &ambient);
    page
}

fn row(page: &mut String, label: &str, line: &str) {
    let line = format!("  {label:<10} {}", fitted(line.as_bytes(), WIDTH));
    let _ = writeln!(page, "{}", line.trim_end());
}

/// The first lines, and how much more there is.
fn output(page: &mut String, label: &str, bytes: &[u8]) {
    let whole = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let mut lines = whole
        .split(|&byte| byte == b'\n')
        .filter(|_| !bytes.is_empty());
    let labels = std::iter::once(label).chain(std::iter::repeat(""));
    for (label, line) in labels.zip(lines.by_ref().take(LINES)) {
        let line = format!("  {label:<10} {}", fitted(line, WIDTH));
        let _ = writeln!(page, "{}", line.trim_end());
    }
    let more = lines.count();
    if more > 0 {
        row(
            page,
            "",
            &format!("… {more} more lines; {} bytes in all", bytes.len()),
        );
    }
}

/// How a run ended, in words.
fn end(end: End) -> String {
    match end {
        End::Exit(status) => format!("exit status {status}"),
        End::Signal(number) => match Signal::try_from(number) {
            Ok(signal) => format!("ended by {signal}"),
            Err(_) => format!("ended by signal {number}"),
        },
        stopped => format!("{}, and was stopped", Undecided::Endless(stopped)),
    }
}

fn said(errno: i32) -> &'static str {
    Errno::from_raw(errno).desc()
}

/// The words of a program; its path where the words do not say it; why it was not started.
fn typed(program: &Program) -> String {
    let words: Vec<String> = program.argv.iter().map(|word| quoted(word)).collect();
    let mut line = words.join(" ");
    let name = program.argv.first().map_or(&b""[..], |word| &word[..]);
    let usual = [format!("{HOME}/bin/").as_bytes(), name].concat();
    if program.path != name && program.path != usual {
        let _ = write!(line, "   as {}", quoted(&program.path));
    }
    if program.errno != 0 {
        line = format!("not started: {}: {line}", said(program.errno));
    }
    line
}

/// `inet`, or the number of an address family that has no name here.
fn family(number: i32) -> String {
    AddressFamily::from_i32(number).map_or_else(
        || number.to_string(),
        |family| format!("{family:?}").to_lowercase(),
    )
}

fn socket((number, errno): &(i32, i32)) -> String {
    match errno {
        0 => family(*number),
        errno => format!("{}: {}", family(*number), said(*errno)),
    }
}

/// The field `run`, without versions.
pub(super) fn document(account: &Account) -> Value {
    let list =
        |paths: &BTreeSet<Vec<u8>>| -> Value { paths.iter().map(|path| text(path)).collect() };
    let error = |errno: i32| (errno != 0).then(|| said(errno));
    let programs = account.programs.iter().map(|program| {
        let argv: Value = program.argv.iter().map(|word| text(word)).collect();
        let mut one =
            json!({ "process": program.process, "path": text(&program.path), "argv": argv });
        if let Some(error) = error(program.errno) {
            one["error"] = error.into();
        }
        one
    });
    let sockets = account.sockets.iter().map(|(number, errno)| {
        let mut one = json!({ "family": family(*number) });
        if let Some(error) = error(*errno) {
            one["error"] = error.into();
        }
        one
    });
    let failed = account
        .failed
        .iter()
        .map(|one| json!({ "path": text(&one.path), "what": one.what, "error": said(one.errno) }));
    let renamed = account
        .renamed
        .iter()
        .map(|(from, to)| json!([text(from), text(to)]));
    let mut run = json!({
        "end": match account.end {
            End::Exit(status) => json!({ "exit": status }),
            End::Signal(number) => json!({ "signal": number }),
            End::Deadline => json!({ "stopped": "time" }),
            End::OutputCap => json!({ "stopped": "output" }),
            End::EventCap => json!({ "stopped": "events" }),
        },
        "killed": account.killed,
        "programs": programs.collect::<Value>(),
        "read": list(&account.read),
        "listed": list(&account.listed),
        "created": list(&account.created),
        "changed": list(&account.changed),
        "renamed": renamed.collect::<Value>(),
        "removed": list(&account.removed),
        "no_trace": list(&account.no_trace),
        "failed": failed.collect::<Value>(),
        "sockets": sockets.collect::<Value>(),
        "stdout": text(&account.stdout),
        "stderr": text(&account.stderr),
        "not_shown": account.ambient,
    });
    if let Some(missing) = &account.missing {
        run["missing"] = missing.as_str().into();
    }
    run
}
