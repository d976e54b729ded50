//! Calls that no everyday program makes: this test program, started again as the program that is traced.

use super::*;
use std::process::Command;

/// Names the act to the program that is traced.
const ACT: &str = "TRACE_TEST_ACT";

/// This test program traced, playing one of the acts below.
pub(super) fn play(folder: &Path, act: &str) -> Run {
    let program = std::env::current_exe().expect("this program has a path");
    let program = program.to_str().expect("plain path");
    let name = concat!(module_path!(), "::acts")
        .split_once("::")
        .expect("the crate comes first")
        .1;
    let words = [program, "--exact", name, "--nocapture"];
    let environment = [ENVIRONMENT.as_slice(), &[(ACT, act)]].concat();
    let run = trace_with(folder, &words, &environment, |child| {
        follow(child, Instant::now() + LONG, Duration::ZERO, &mut || false)
    });
    assert!(
        run.events.iter().any(|event| event.process == 0),
        "{act} ran"
    );
    run
}

/// Plays the act the environment names; without one, which is how the test runner calls it, none.
#[test]
fn acts() {
    let Ok(act) = std::env::var(ACT) else { return };
    match act.as_str() {
        "threads" => {
            let thread = |i: u32| {
                move || {
                    File::open(format!("none{i}")).expect_err("no such file");
                    Command::new("/bin/true")
                        .arg(i.to_string())
                        .status()
                        .expect("it runs");
                }
            };
            let threads: Vec<_> = (0..8).map(|i| std::thread::spawn(thread(i))).collect();
            threads
                .into_iter()
                .for_each(|thread| thread.join().expect("no panic"));
        }
        "start from a thread" => {
            use std::os::unix::process::CommandExt;
            let start = || {
                Command::new("/bin/sh")
                    .args(["-c", "cat < none; exit 5"])
                    .exec()
            };
            std::thread::spawn(start).join().expect("never back");
        }
        "descriptors" => descriptors(),
        "odd memory" => odd_memory(),
        "all changes" => table::make_all_changes(),
        "many words" => {
            let words = ["x".repeat(100_000), "y".repeat(100_000), "z".to_owned()];
            Command::new("/bin/true")
                .args(words)
                .status()
                .expect("it runs");
        }
        #[cfg(target_arch = "x86_64")]
        "other architecture" => {
            // SAFETY: `getpid` of the 32-bit table; it touches no memory.
            unsafe { std::arch::asm!("int 0x80", inout("eax") 20 => _) };
        }
        other => panic!("no act {other}"),
    }
}

fn descriptors() {
    use nix::fcntl::{AT_FDCWD, AtFlags, OpenHow, open, openat, openat2, renameat};
    use nix::sys::stat::Mode;
    use nix::unistd::execveat;
    let directory = open("d", OFlag::O_DIRECTORY, Mode::empty()).expect("a directory");
    openat(&directory, "inside", OFlag::O_RDONLY, Mode::empty()).expect_err("no such file");
    openat2(&directory, "how", OpenHow::new().flags(OFlag::O_PATH)).expect_err("no such file");
    renameat(AT_FDCWD, "f", &directory, "g").expect("it is moved");
    let program = open("/bin/true", OFlag::O_PATH, Mode::empty()).expect("a program");
    let words = [c"by descriptor"];
    let Err(error) = execveat(
        program,
        c"",
        &words,
        &[] as &[CString],
        AtFlags::AT_EMPTY_PATH,
    );
    panic!("{error}");
}

/// A path that crosses the end of a page, one that runs into memory that is not there, and a null one.
fn odd_memory() {
    const PAGE: usize = 65536;
    // SAFETY: two fresh pages, the second given back; all writes are inside the first.
    unsafe {
        let pages = libc::mmap(
            std::ptr::null_mut(),
            2 * PAGE,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
        .cast::<libc::c_char>();
        assert_ne!(pages.cast(), libc::MAP_FAILED);
        let across = pages.add(4096 - 3);
        c"across".as_ptr().copy_to(across, 7);
        libc::open(across, libc::O_RDONLY);
        libc::munmap(pages.add(PAGE).cast(), PAGE);
        let over = pages.add(PAGE - 4);
        c"over".as_ptr().copy_to(over, 4);
        libc::open(over, libc::O_RDONLY);
        libc::open(std::ptr::null(), libc::O_WRONLY);
    }
}

#[test]
fn eight_threads_are_one_process_and_their_children_eight() {
    let run = play(folder().path(), "threads");
    assert_eq!(run.end, End::Exit(0));
    for i in 0..8 {
        assert_eq!(run.opened(&format!("none{i}")), [libc::ENOENT]);
        assert_eq!(run.opener(&format!("none{i}")), 0);
    }
    let children: std::collections::BTreeSet<u32> = run
        .events
        .iter()
        .filter(|event| matches!(&event.call, Call::Execute { path, .. } if path == b"/bin/true"))
        .map(|event| event.process)
        .collect();
    assert_eq!(children, (1..=8).collect());
}

#[test]
fn a_program_started_by_a_thread_is_the_same_process() {
    let run = play(folder().path(), "start from a thread");
    assert_eq!(run.end, End::Exit(5));
    assert_eq!(
        run.started().last().map(String::as_str),
        Some("/bin/sh -c cat < none; exit 5")
    );
    assert_eq!(
        (run.opened("none"), run.opener("none")),
        (vec![libc::ENOENT], 0)
    );
}

#[test]
fn paths_relative_to_a_descriptor_have_it_as_base() {
    let folder = folder();
    fs::create_dir(folder.path().join("d")).expect("a directory");
    let run = play(folder.path(), "descriptors");
    assert_eq!(run.end, End::Exit(0));
    let base = folder
        .path()
        .join("d")
        .into_os_string()
        .into_encoded_bytes();
    for (name, wanted) in [("inside", libc::O_RDONLY), ("how", libc::O_PATH)] {
        let found = run.events.iter().find_map(|event| match &event.call {
            Call::Open { base, path, flags } if path == name.as_bytes() => {
                Some((base.clone(), *flags, event.errno))
            }
            _ => None,
        });
        assert_eq!(found, Some((base.clone(), wanted, libc::ENOENT)), "{name}");
    }
    assert_eq!(
        run.altered(),
        [format!(
            "renameat f {}/g",
            folder.path().join("d").display()
        )]
    );
    let last = run.events.iter().rev().find_map(|event| match &event.call {
        Call::Execute { path, argv } => Some((path.clone(), argv.clone())),
        _ => None,
    });
    let program = Path::new("/bin/true")
        .canonicalize()
        .expect("it exists")
        .into_os_string()
        .into_encoded_bytes();
    assert_eq!(last, Some((program, vec![b"by descriptor".to_vec()])));
}

#[test]
fn paths_are_read_across_pages_and_up_to_missing_memory() {
    let run = play(folder().path(), "odd memory");
    assert_eq!(run.end, End::Exit(0));
    assert_eq!(run.opened("across"), [libc::ENOENT]);
    assert_eq!(run.opened("over"), [libc::EFAULT]);
    assert_eq!(run.opened(""), [libc::EFAULT]);
}

#[test]
fn words_beyond_the_bound_are_cut_and_the_cut_is_marked() {
    let run = play(folder().path(), "many words");
    let words = run.events.iter().rev().find_map(|event| match &event.call {
        Call::Execute { path, argv } if path == b"/bin/true" => Some(argv),
        _ => None,
    });
    let lengths: Vec<usize> = words
        .expect("it was started")
        .iter()
        .map(Vec::len)
        .collect();
    assert_eq!(lengths, [9, 100_000, 128 * 1024 - 10 - 100_001, 4]);
    assert!(words.is_some_and(|words| words.last().is_some_and(|word| word == b"\0cut")));
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_call_of_another_architecture_kills() {
    assert_eq!(
        play(folder().path(), "other architecture").end,
        End::Signal(libc::SIGSYS)
    );
}
