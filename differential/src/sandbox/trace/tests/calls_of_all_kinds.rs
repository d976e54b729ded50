//! What is seen of openings, changes and starts.

use super::*;

#[test]
fn a_file_that_sed_reads_is_opened_where_it_stands() {
    let folder = folder();
    let run = trace(folder.path(), &["/usr/bin/sed", "-n", "p", "f"]);
    assert_eq!(
        (run.end, run.stdout.as_str()),
        (End::Exit(0), "one\ntwo\nthree\n")
    );
    let base = folder
        .path()
        .canonicalize()
        .expect("it exists")
        .into_os_string()
        .into_encoded_bytes();
    let opening = Call::Open {
        base,
        path: b"f".to_vec(),
        flags: libc::O_RDONLY,
    };
    assert!(
        run.events.contains(&Event {
            process: 0,
            call: opening,
            errno: 0
        }),
        "{:?}",
        run.events
    );
    let start = Call::Execute {
        path: b"/usr/bin/sed".to_vec(),
        argv: ["/usr/bin/sed", "-n", "p", "f"].map(Vec::from).to_vec(),
    };
    assert_eq!(
        run.events[0],
        Event {
            process: 0,
            call: start,
            errno: 0
        }
    );
}

#[test]
fn a_missing_file_is_seen_with_its_error() {
    let run = trace(folder().path(), &["/usr/bin/sed", "-n", "p", "nofile"]);
    assert_eq!(run.opened("nofile"), [libc::ENOENT]);
    assert_eq!(run.end, End::Exit(2));
}

#[test]
fn sed_commands_that_read_write_and_run_are_seen() {
    assert_eq!(
        trace(folder().path(), &["/usr/bin/sed", "r nofile", "f"]).opened("nofile"),
        [libc::ENOENT; 3]
    );

    let write = trace(folder().path(), &["/usr/bin/sed", "w out", "f"]);
    assert_eq!(write.opened("out"), [0]);

    let run = trace(folder().path(), &["/usr/bin/sed", "1e echo hi", "f"]);
    let shell = run.started().pop().expect("a shell");
    assert!(
        shell == "sh -c echo hi" || shell == "sh -c -- echo hi",
        "{shell}"
    );
    assert!(run.stdout.starts_with("hi\none\n"));
}

#[test]
fn sed_in_place_makes_a_file_and_renames_it() {
    let run = trace(folder().path(), &["/usr/bin/sed", "-i", "s/o/0/", "f"]);
    let temporary = run.events.iter().find_map(|event| match &event.call {
        Call::Open { path, flags, .. } if *flags & libc::O_EXCL != 0 => {
            Some(String::from_utf8_lossy(path).into_owned())
        }
        _ => None,
    });
    let temporary = temporary.expect("a temporary file");
    assert!(
        run.altered().contains(&format!("rename {temporary} f")),
        "{:?}",
        run.altered()
    );
    let mode = |change: &String| change.starts_with("fchmod") || change.starts_with("fsetxattr");
    assert!(run.altered().iter().any(mode), "{:?}", run.altered());
}

#[test]
fn redirections_are_seen_with_their_flags() {
    let run = bash(": < f; : > g; : >> h; : <> i; : < j");
    let flags = |name: &str| {
        run.events.iter().find_map(|event| match &event.call {
            Call::Open { path, flags, .. } if path == name.as_bytes() => Some(*flags),
            _ => None,
        })
    };
    assert_eq!(flags("f"), Some(libc::O_RDONLY));
    assert_eq!(
        flags("g"),
        Some(libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC)
    );
    assert_eq!(
        flags("h"),
        Some(libc::O_WRONLY | libc::O_CREAT | libc::O_APPEND)
    );
    assert_eq!(flags("i"), Some(libc::O_RDWR | libc::O_CREAT));
    assert_eq!(run.opened("j"), [libc::ENOENT]);
}

#[test]
fn changes_of_the_tree_are_seen_in_order() {
    let run = bash(
        "mv f g; ln -s g l; ln g h; mkdir d; chmod 600 g; mknod p p; touch g; truncate -s 1 h; rm l h; rmdir d",
    );
    assert_eq!(
        run.altered(),
        [
            "renameat2 f g",
            "symlinkat l g",
            "linkat g h",
            "mkdir d",
            "fchmodat g",
            "mknodat p",
            "utimensat ",
            "unlinkat l",
            "unlinkat h",
            "rmdir d",
        ]
    );
    let refused = bash("mkdir f");
    assert_eq!(
        refused.results(|call| matches!(call, Call::Alter { .. })),
        [libc::EEXIST]
    );
}

#[test]
fn a_descriptor_names_its_file() {
    let run = bash("touch g");
    let base = run.events.iter().find_map(|event| match &event.call {
        Call::Alter {
            call,
            base,
            path,
            to: None,
        } if call == "utimensat" && path.is_empty() => Some(base.clone()),
        _ => None,
    });
    assert_eq!(
        base,
        Some(run.folder.join("g").into_os_string().into_encoded_bytes())
    );
}

#[test]
fn a_second_path_with_another_base_is_made_absolute() {
    let run = bash("mkdir d; mv f d; mv d/f \"$PWD/g\"; mv \"$PWD/g\" h");
    let moved = |name: &str| run.folder.join(name).to_string_lossy().into_owned();
    let renames: Vec<String> = run
        .altered()
        .into_iter()
        .filter(|change| change.starts_with("rename"))
        .collect();
    assert_eq!(
        renames,
        [
            format!("renameat2 f {}", moved("d/f")),
            format!("renameat2 d/f {}", moved("g")),
            format!("renameat2 {} {}", moved("g"), moved("h")),
        ]
    );
}

#[test]
fn a_file_that_leaves_no_trace_is_seen() {
    let run = bash("echo secret > gone; rm gone");
    assert_eq!(run.opened("gone"), [0]);
    assert!(run.altered().contains(&"unlinkat gone".to_owned()));
    assert!(!run.folder.exists());
}

#[test]
fn a_change_of_directory_changes_the_base() {
    let run = bash("mkdir d; cd d; : < ../f; cd /; : < nofile");
    let base = |name: &str| {
        run.events.iter().find_map(|event| match &event.call {
            Call::Open { path, base, .. } if path == name.as_bytes() => Some(base.clone()),
            _ => None,
        })
    };
    assert_eq!(
        base("../f"),
        Some(run.folder.join("d").into_os_string().into_encoded_bytes())
    );
    assert_eq!(base("nofile"), Some(b"/".to_vec()));
}

#[test]
fn processes_are_numbered_as_they_appear() {
    let run = bash(": < a; (: < b); (: < c); : < d");
    assert_eq!(
        ["a", "b", "c", "d"].map(|name| run.opener(name)),
        [0, 1, 2, 0]
    );
    let pipeline = bash("(: < a) | (: < b) | (: < c)");
    assert_eq!(["a", "b", "c"].map(|name| pipeline.opener(name)), [1, 2, 3]);
    let background = bash("(: < a) & wait; : < b");
    assert_eq!(["a", "b"].map(|name| background.opener(name)), [1, 0]);
}

#[test]
fn many_children_at_once_are_all_seen() {
    let run = bash("for i in 1 2 3 4 5 6 7 8; do (: < none$i; /bin/true $i) & done; wait");
    for i in 1..=8 {
        assert_eq!(run.opened(&format!("none{i}")), [libc::ENOENT]);
        assert_eq!(
            run.started()
                .iter()
                .filter(|words| **words == format!("/bin/true {i}"))
                .count(),
            1
        );
    }
    let xargs = bash("printf '%s\\n' 1 2 3 4 5 6 7 8 | xargs -P 8 -I{} cat none{}");
    for i in 1..=8 {
        assert_eq!(xargs.opened(&format!("none{i}")), [libc::ENOENT]);
    }
    assert_eq!(xargs.end, End::Exit(123));
}

#[test]
fn a_socket_is_seen_with_its_family() {
    let run = bash("exec 3<> /dev/tcp/127.0.0.1/1");
    let families: Vec<i32> = run
        .events
        .iter()
        .filter_map(|event| match event.call {
            Call::Socket { family } => Some(family),
            _ => None,
        })
        .collect();
    assert_eq!(families, [libc::AF_INET]);
}

#[test]
fn a_chain_of_programs_stays_one_process() {
    let run = bash("exec sh -c 'exec env sed -n 1p f'");
    assert_eq!(
        run.started(),
        [
            "/bin/bash -c exec sh -c 'exec env sed -n 1p f'",
            "sh -c exec env sed -n 1p f",
            "env sed -n 1p f",
            "sed -n 1p f"
        ]
    );
    assert!(run.events.iter().all(|event| event.process == 0));
    assert_eq!(run.stdout, "one\n");
}

#[test]
fn a_program_that_cannot_be_started_is_seen_with_its_error() {
    let missing = bash("./missing; ./f");
    let started = |run: &Run, name: &str| {
        run.results(|call| matches!(call, Call::Execute { path, .. } if path == name.as_bytes()))
    };
    assert_eq!(started(&missing, "./missing"), [libc::ENOENT]);
    assert_eq!(started(&missing, "./f"), [libc::EACCES]);
    let first = trace(folder().path(), &["/nonexistent/program", "word"]);
    assert_eq!(
        (first.end, first.failed),
        (End::Exit(127), Some(Errno::ENOENT))
    );
    assert_eq!(missing.failed, None);
    assert_eq!(started(&first, "/nonexistent/program"), [libc::ENOENT]);
}
