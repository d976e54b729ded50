//! How is `explain` called, and what may it never print?

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Output, Stdio};
use unicode_width::UnicodeWidthStr;

pub(crate) fn call(words: &[&[u8]]) -> Command {
    let mut call = Command::new(env!("CARGO_BIN_EXE_xtask"));
    call.arg("explain")
        .args(words.iter().map(|word| OsStr::from_bytes(word)))
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::null());
    call
}

pub(crate) fn explain(words: &[&[u8]]) -> Output {
    call(words).output().expect("the program starts")
}

/// Nothing but newlines, and characters that show themselves where they stand; no line wider than a terminal.
pub(crate) fn assert_harmless(output: &[u8], what: &str) {
    let page = std::str::from_utf8(output).unwrap_or_else(|error| panic!("{what}: {error}"));
    let steers = |c: &char| {
        c.is_control() && *c != '\n'
            || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
    };
    let found = page.chars().find(steers);
    assert_eq!(found, None, "{what}");
    let widest = page.lines().map(UnicodeWidthStr::width).max();
    assert!(widest <= Some(80), "{what}: {widest:?} columns");
    assert!(
        page.lines().count() < 250 && page.len() < 100_000,
        "{what}: {} bytes",
        page.len()
    );
}
