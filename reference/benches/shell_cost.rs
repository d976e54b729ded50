//! Does the shell front end stay linear? Instructions per byte of 4 KiB and of 1 MiB of hostile commands, counted by valgrind.
//!
//! `cargo bench -p reference --bench shell_cost [-- NAME]`; NAME: only families whose name holds it. Exit 1: a family costs
//! more than 1.3 times as much a byte at 1 MiB, or none is so named; 3: it could not be counted.

mod hostile_shell;

use hostile_shell::{FAMILIES, Family};
use reference::shell::parse;
use std::env;
use std::hint::black_box;
use std::process::{Command, ExitCode};

const SMALL: usize = 4 << 10;
const LARGE: usize = 1 << 20;
const MOST: f64 = 1.3;
/// The empty command: what every answer costs.
const EMPTY: Family = Family {
    name: "empty command",
    command: |_| Vec::new(),
};
/// The word that makes this program the counted one.
const COUNTED: &str = "--counted";
/// The fastest of valgrind's tools whose totals are exact.
const VALGRIND: [&str; 3] = [
    "--tool=cachegrind",
    "--cache-sim=no",
    "--cachegrind-out-file=/dev/null",
];

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if let [COUNTED, family, size, answers] = words[..] {
        run(family, size, answers);
        return ExitCode::SUCCESS;
    }
    if !words.contains(&"--bench") {
        println!("nothing is counted in a test run; use `cargo bench`");
        return ExitCode::SUCCESS;
    }
    let named = |family: &&Family| {
        let mut names = words.iter().filter(|word| !word.starts_with('-'));
        names.all(|name| family.name.contains(name))
    };
    match compare(&FAMILIES.iter().filter(named).collect::<Vec<_>>()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(3)
        }
    }
}

/// The counted program: makes the command, and reads it once or not at all.
fn run(family: &str, size: &str, answers: &str) {
    let family = FAMILIES
        .iter()
        .chain([&EMPTY])
        .find(|own| own.name == family)
        .expect("the caller takes names from the table");
    let size = size.parse().expect("the caller passes a number");
    let command = black_box((family.command)(size));
    if answers == "1" {
        black_box(parse(&command));
    }
}

/// Prints a line a family. `false`: one costs too much, or there is none.
fn compare(families: &[&Family]) -> Result<bool, String> {
    let empty = cost(&EMPTY, 0)?;
    let per_byte = |family: &Family, size| -> Result<f64, String> {
        let bytes = (family.command)(size).len();
        Ok((cost(family, size)? - empty) / bytes as f64)
    };
    println!("instructions per byte              4 KiB      1 MiB   ratio");
    let mut costly = Vec::new();
    for family in families {
        let (small, large) = (per_byte(family, SMALL)?, per_byte(family, LARGE)?);
        let ratio = large / small;
        println!(
            "{:<28} {small:>11.2} {large:>10.2} {ratio:>7.2}",
            family.name
        );
        if !(0.0..=MOST).contains(&ratio) {
            costly.push(family.name);
        }
    }
    println!(
        "{} families, {} above {MOST}: {}",
        families.len(),
        costly.len(),
        costly.join(", ")
    );
    Ok(costly.is_empty() && !families.is_empty())
}

/// Instructions of one answer.
fn cost(family: &Family, size: usize) -> Result<f64, String> {
    Ok(count(family, size, "1")? - count(family, size, "0")?)
}

/// Instructions of a whole run of this program.
fn count(family: &Family, size: usize, answers: &str) -> Result<f64, String> {
    let own = env::current_exe()
        .map_err(|error| format!("where this program stands is not known: {error}"))?;
    let output = Command::new("valgrind")
        .args(VALGRIND)
        .arg(own)
        .args([COUNTED, family.name, &size.to_string(), answers])
        .output()
        .map_err(|error| format!("valgrind: {error}; install the package valgrind"))?;
    let report = String::from_utf8_lossy(&output.stderr);
    report
        .lines()
        .find_map(|line| line.split_once("I   refs:"))
        .filter(|_| output.status.success())
        .and_then(|(_, count)| count.trim().replace(',', "").parse().ok())
        .ok_or_else(|| {
            format!(
                "valgrind: no count of {} ({size} bytes):\n{report}",
                family.name
            )
        })
}
