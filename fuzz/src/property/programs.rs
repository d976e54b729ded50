//! What must hold for every invocation of a program of the table (`reference::programs`)? What it is said not to do, it does not
//! do.
//!
//! Invocations are made from the entries themselves, because an entry is what is to be proved: its options in their
//! spellings, with canaries in the words, in the files and in standard input. They are run under the real programs; the
//! traced calls say which canary was started, what was written and read, and what came out.

mod invocation;
mod judge;

pub use invocation::{Invocation, generated};
pub use judge::Ran;

use super::Failure;
use differential::sandbox::{Form, Pool};
use reference::programs::Usage;
use reference::programs::listing::{Listed, listing};
use reference::shell::Value;
use std::sync::LazyLock;

/// What is asked: what a program does with its words.
pub type Table = fn(&[Value]) -> Usage;

/// The entries of the table, by number.
pub static ENTRIES: LazyLock<Vec<Listed>> = LazyLock::new(listing);

/// How many invocations it takes to use each option of an entry twice, but at least `least`.
pub fn invocations(entry: usize, least: u64) -> u64 {
    (2 * ENTRIES[entry].options.len() as u64).max(least)
}

/// Is the program of an invocation on this machine?
pub fn is_installed(invocation: &Invocation) -> bool {
    const FOLDERS: [&str; 6] = [
        "/usr/local/bin",
        "/usr/bin",
        "/bin",
        "/usr/sbin",
        "/sbin",
        "/usr/games",
    ];
    let name = String::from_utf8_lossy(&invocation.words[0]).into_owned();
    invocation.by_shell
        || FOLDERS
            .iter()
            .any(|folder| std::path::Path::new(folder).join(&name).exists())
}

/// Runs an invocation; it does nothing that the table says it does not, and takes the options that the entry has.
///
/// # Errors
///
/// [`Failure::Refuted`] with the invocation and what it did; [`Failure::Unasked`] when the program is not installed;
/// [`Failure::Undecided`] when the box could not run it.
pub fn does_no_more_than_said(
    pool: &Pool,
    table: Table,
    invocation: &Invocation,
) -> Result<Ran, Failure> {
    if !is_installed(invocation) {
        let name = String::from_utf8_lossy(&invocation.words[0]).into_owned();
        return Err(Failure::Unasked(name));
    }
    if invocation.on_terminal && !(pool.takes_commands() && pool.form() == Form::Namespaces) {
        return Err(Failure::Undecided("a terminal".to_owned()));
    }
    let words: Vec<Value> = invocation.words.iter().cloned().map(Value::known).collect();
    let said = table(&words);
    let seen = pool
        .run(&invocation.job())
        .map_err(|failure| Failure::Undecided(failure.to_string()))?;
    judge::judge(invocation, &said, &seen)
}
