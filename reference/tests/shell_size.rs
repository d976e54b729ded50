//! Does the shell front end read commands of any size, in bounded memory?

#[path = "../benches/hostile_shell/mod.rs"]
mod hostile_shell;

use hostile_shell::FAMILIES;
use reference::shell::parse;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts what each thread holds, so that tests may run side by side.
struct Counting;

thread_local! {
    /// Bytes allocated and not yet freed.
    static HELD: Cell<isize> = const { Cell::new(0) };
    /// The most there ever were.
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(more: usize, less: usize) {
    // Old and new exist at once while a vector grows.
    let most = HELD.get() + more as isize;
    HELD.set(most - less as isize);
    PEAK.set(PEAK.get().max(most));
}

// SAFETY: every request goes unchanged to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller keeps the contract of `dealloc`, and `System` made this memory.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        // SAFETY: the caller keeps the contract of `realloc`, and `System` made this memory.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that a tree may take at one time for each byte of a command of a mebibyte: two nodes of 16 bytes, and thrice that
/// while their vector grows.
const SMALL: usize = 100;
/// The same at 64 mebibytes, where the number of nodes is bounded.
const LARGE: usize = 12;
/// The smallest vectors and tables.
const ALWAYS: usize = 64 << 10;

/// What is above the bound.
fn excess(name: &str, command: &[u8], most: usize) -> Option<String> {
    let before = HELD.get();
    PEAK.set(before);
    let size = parse(command).size();
    let peak = usize::try_from(PEAK.get() - before).expect("a peak is not below its begin");
    let bytes = command.len();
    (peak > most * bytes + ALWAYS).then(|| {
        let times = peak as f64 / bytes as f64;
        format!("{name}: {peak} bytes for {bytes} ({times:.1} times), {size} nodes")
    })
}

fn all_in_bounds(size: usize, most: usize) {
    let above = FAMILIES
        .iter()
        .filter_map(|family| excess(family.name, &(family.command)(size), most));
    let above: Vec<String> = above.collect();
    assert!(above.is_empty(), "{}", above.join("\n"));
}

#[test]
fn every_family_is_read_at_a_mebibyte() {
    all_in_bounds(1 << 20, SMALL);
}

/// Gigabytes, and minutes: `cargo test -p reference --test shell_size -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn every_family_is_read_at_64_mebibytes() {
    all_in_bounds(64 << 20, LARGE);
}
