//! How fast is the shell front end beside other parsers, and beside the least that a lexer can do?
//!
//! `cargo bench -p tests --bench shell_speed`: ratios of medians in one run, all contestants in turns on the same texts, so
//! that what else the machine does slows all of them. Exit 1: one is not reached.

use differential::survey::find;
use fuzz::generate::{random_bytes, shell};
use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Generated commands, and the seed of them.
const COMMANDS: u64 = 20_000;
const SEED: u64 = 0x5ed;
/// Rounds of each contestant.
const ROUNDS: usize = 9;

/// A contestant, and how often as fast as it the front end should be.
struct Contestant {
    name: &'static str,
    wanted: f64,
    run: fn(&[u8]) -> usize,
}

const CONTESTANTS: [Contestant; 4] = [
    Contestant {
        name: "reference::shell",
        wanted: 0.0,
        run: |text| reference::shell::parse(text).size(),
    },
    Contestant {
        name: "brush-parser",
        wanted: 8.0,
        run: brush,
    },
    Contestant {
        name: "tree-sitter-bash",
        wanted: 15.0,
        run: tree_sitter,
    },
    Contestant {
        name: "table[state][byte]",
        wanted: 0.3,
        run: table,
    },
];

fn brush(text: &[u8]) -> usize {
    let mut parser = brush_parser::Parser::new(text, &brush_parser::ParserOptions::default());
    parser
        .parse_program()
        .map_or(0, |program| program.complete_commands.len())
}

fn tree_sitter(text: &[u8]) -> usize {
    thread_local! {
        static PARSER: std::cell::RefCell<tree_sitter::Parser> = {
            let mut parser = tree_sitter::Parser::new();
            let language = tree_sitter_bash::LANGUAGE.into();
            parser.set_language(&language).expect("the grammar is made for this version");
            std::cell::RefCell::new(parser)
        };
    }
    PARSER.with_borrow_mut(|parser| {
        let tree = parser.parse(text, None);
        tree.map_or(0, |tree| tree.root_node().descendant_count())
    })
}

/// One table look-up a byte, each waiting for the one before: quotes, words, blanks, operators, comments.
fn table(text: &[u8]) -> usize {
    static TABLE: [[u8; 256]; 8] = states();
    let mut state = 0;
    let mut sum = 0;
    for &byte in text {
        state = TABLE[usize::from(state)][usize::from(byte)];
        sum += usize::from(state);
    }
    sum
}

/// 0 blank, 1 word, 2 operator, 3 comment, 4 single quotes, 5 double quotes, 6 escaped in a word, 7 escaped in quotes.
const fn states() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let sign = byte as u8;
        let open = match sign {
            b' ' | b'\t' | b'\n' => 0,
            b';' | b'|' | b'&' | b'<' | b'>' | b'(' | b')' => 2,
            b'\'' => 4,
            b'"' => 5,
            b'\\' => 6,
            _ => 1,
        };
        let begin = if sign == b'#' { 3 } else { open };
        table[0][byte] = begin;
        table[1][byte] = open;
        table[2][byte] = begin;
        table[3][byte] = if sign == b'\n' { 0 } else { 3 };
        table[4][byte] = if sign == b'\'' { 1 } else { 4 };
        table[5][byte] = match sign {
            b'"' => 1,
            b'\\' => 7,
            _ => 5,
        };
        table[6][byte] = 1;
        table[7][byte] = 5;
        byte += 1;
    }
    table
}

fn main() -> ExitCode {
    if !std::env::args().any(|word| word == "--bench") {
        println!("nothing is timed in a test run; use `cargo bench`");
        return ExitCode::SUCCESS;
    }
    let commands = (0..COMMANDS).map(|index| shell(&random_bytes(SEED, index, 256)).text);
    let folders = [
        "/usr/bin",
        "/usr/sbin",
        "/usr/share",
        "/usr/lib",
        "/var/lib/dpkg/info",
        "/etc",
    ];
    let there = |path: &PathBuf| path.is_dir();
    let folders: Vec<PathBuf> = folders
        .map(PathBuf::from)
        .into_iter()
        .filter(there)
        .collect();
    let scripts = find(&folders).unwrap_or_default();
    let scripts = scripts.into_iter().map(|script| script.text);
    let sets = [
        ("generated commands", commands.collect::<Vec<_>>()),
        ("scripts of the machine", scripts.collect()),
    ];
    let mut holds = true;
    for (name, texts) in &sets {
        holds &= compare(name, texts);
    }
    match holds {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Prints a line a contestant; whether all is as wanted.
fn compare(name: &str, texts: &[Vec<u8>]) -> bool {
    let bytes: usize = texts.iter().map(Vec::len).sum();
    println!("{name}: {} of {bytes} bytes", texts.len());
    let mut times = CONTESTANTS.map(|_| Vec::new());
    for _ in 0..ROUNDS {
        for (contestant, times) in CONTESTANTS.iter().zip(&mut times) {
            let begin = Instant::now();
            for text in texts {
                black_box((contestant.run)(black_box(text)));
            }
            times.push(begin.elapsed());
        }
    }
    let medians = times.map(|mut times| {
        times.sort();
        times[ROUNDS / 2]
    });
    let ours = medians[0];
    let mut holds = !texts.is_empty();
    for (contestant, &median) in CONTESTANTS.iter().zip(&medians) {
        let ratio = median.as_secs_f64() / ours.max(Duration::from_nanos(1)).as_secs_f64();
        let speed = bytes as f64 / 1e6 / median.as_secs_f64();
        let reached = ratio >= contestant.wanted;
        holds &= reached;
        println!(
            "  {:<20} {speed:>8.1} MB/s; the front end is {ratio:>6.2} times as fast, wanted {:.1}{}",
            contestant.name,
            contestant.wanted,
            if reached { "" } else { ": not reached" }
        );
    }
    holds
}
