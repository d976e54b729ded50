//! Does the recognizer answer words of any size, in bounded memory?

#[path = "../benches/hostile/mod.rs"]
mod hostile;

use hostile::{FAMILIES, Family};
use reference::sed::{Answer, Invocation, Kind, Nothing, Sandbox, World, answer};
use std::alloc::{GlobalAlloc, Layout, System};
use std::borrow::Cow;
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

/// What kept names and labels may take beyond the words: 10 000 backups of at most 4096 bytes, and the tables.
const KEPT: usize = 48 << 20;

/// Answers, and fails if more is allocated at one time than four times what the words take, and [`KEPT`].
///
/// Four is what a long command takes: its text, decoded, without its quoting in a vector that doubled, and kept.
fn answers_in_bounds(name: &str, argv: &[Vec<u8>], locale: &str, world: &dyn World) -> Answer {
    let words: usize = argv.iter().map(|word| size_of_val(word) + word.len()).sum();
    let script = world.script(b"-").map_or(0, |text| text.len());
    let env = [(b"LC_ALL".to_vec(), locale.as_bytes().to_vec())];
    let before = HELD.get();
    PEAK.set(before);
    let answer = answer(&Invocation {
        argv,
        env: &env,
        world,
    });
    let peak = usize::try_from(PEAK.get() - before).expect("a peak is not below its begin");
    let bound = 4 * (words + script) + KEPT;
    assert!(
        peak <= bound,
        "{name}: {peak} bytes for {words} and {script}"
    );
    answer
}

fn family_in_bounds(family: &Family, size: usize) {
    answers_in_bounds(family.name, &(family.words)(size), family.locale, &Nothing);
}

/// A script on standard input.
struct Script(Vec<u8>);

impl World for Script {
    fn script(&self, path: &[u8]) -> Option<Cow<'_, [u8]>> {
        (path == b"-").then_some(Cow::Borrowed(&self.0))
    }

    fn kind(&self, _: &[u8]) -> Kind {
        Kind::Unknown
    }
}

/// Bytes without a pattern (xorshift), the same in every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next().to_le_bytes()[3]).collect()
    }

    /// Bytes of `alphabet` only.
    fn of(&mut self, alphabet: &[u8], count: usize) -> Vec<u8> {
        let mut bytes = self.bytes(count);
        for byte in &mut bytes {
            *byte = alphabet[usize::from(*byte) % alphabet.len()];
        }
        bytes
    }
}

const LOCALES: [&str; 3] = ["C", "C.UTF-8", "de_DE"];

#[test]
fn every_family_is_answered_at_a_mebibyte() {
    for family in FAMILIES {
        family_in_bounds(family, 1 << 20);
    }
}

/// One command, one name, one label and one part: nothing is copied more often than these.
#[test]
fn the_greediest_families_are_answered_at_64_mebibytes() {
    let greedy = ["long shell command", "long file", "long label", "escapes"];
    for name in greedy {
        let family = FAMILIES.iter().find(|family| family.name == name);
        family_in_bounds(family.expect("it is in the table"), 64 << 20);
    }
}

/// Gigabytes of words, and minutes: `cargo test -p reference --test size -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn every_family_is_answered_at_64_mebibytes() {
    for family in FAMILIES {
        family_in_bounds(family, 64 << 20);
    }
}

#[test]
fn random_bytes_are_answered_wherever_they_stand() {
    // A newline ends most of these; a part, a bracket or a text reaches further without one.
    let frames: [&[u8]; 12] = [
        b"", b"a ", b"a\\\n", b"e ", b"w ", b"#", b":", b"s/", b"s\xff", b"/[", b"y/", b"s/a/b/",
    ];
    let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
    for locale in LOCALES {
        for frame in frames {
            let bytes = noise.bytes(1 << 20);
            let one_line: Vec<u8> = bytes.iter().copied().filter(|&b| b != b'\n').collect();
            for bytes in [bytes, one_line] {
                let script = Script([frame, &bytes[..]].concat());
                let argv = ["sed", "-f", "-"].map(|word| word.as_bytes().to_vec());
                answers_in_bounds("random bytes", &argv, locale, &script);
            }
        }
    }
}

/// Random bytes soon make a script that is refused; random pieces of scripts get further.
#[test]
fn random_scripts_are_answered() {
    let alphabet = b"{};#!,~+$0129 \t\n\\/|[]()*.:=^-&aAbcdegiIlmMnpqrRstTvwWxyz\xc3\xa9\xff\0";
    let mut noise = Noise(0x2545_f491_4f6c_dd1d);
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..20_000 {
        let mut argv = vec![b"sed".to_vec(), b"-f-".to_vec()];
        argv.extend((0..3).flat_map(|_| [b"-e".to_vec(), noise.of(alphabet, round % 24)]));
        let world = Script(noise.of(alphabet, 8));
        match answers_in_bounds("random script", &argv, LOCALES[round % 3], &world).sandbox {
            Sandbox::Refuses => refused += 1,
            Sandbox::Accepts | Sandbox::AcceptsAndFails => accepted += 1,
        }
    }
    assert!(accepted > 0 && refused > 0, "{accepted} and {refused}");
}
