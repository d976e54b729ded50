//! What can files, folders and names over several lines do wrong?

use crate::{COMMAND, PARITY, REGIONS, SED, load_second};
use corpus::{Order, load};
use std::fs;
use std::path::PathBuf;

#[test]
fn a_name_is_taken_once_over_all_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: String| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(&path, text).expect("a file");
        path
    };
    let named = |line: &str, id: &str| line.replace(r#""id": "m""#, &format!("\"id\": \"{id}\""));
    let alone = |line: &str| line.replace(r#", "twin": "m""#, "");
    let sed = write("sed.jsonl", format!("{}\n{SED}\n", named(SED, "b")));
    let truth = write("regions-truth.jsonl", format!("{REGIONS}\n"));
    let parity = write("regions-parity.jsonl", format!("{PARITY}\n"));
    let origin = alone(COMMAND).replace(r#""id": "m""#, r#""origin": "m""#);
    let reports = write("public-reports.jsonl", format!("{origin}\n"));
    let same_line = named(REGIONS, "regions-parity.jsonl:1");
    let same_line = write("regions-truth-2.jsonl", format!("{same_line}\n"));
    let same_name = write("sub/regions-parity.jsonl", format!("{PARITY}\n"));
    for (files, taken_at, id) in [
        ([&sed, &truth], "sed.jsonl:2", "m"),
        ([&truth, &sed], "regions-truth.jsonl:1", "m"),
        ([&sed, &reports], "sed.jsonl:2", "m"),
        ([&sed, &sed], "sed.jsonl:1", "b"),
        (
            [&parity, &same_line],
            "regions-parity.jsonl:1",
            "regions-parity.jsonl:1",
        ),
        (
            [&parity, &same_name],
            "regions-parity.jsonl:1",
            "regions-parity.jsonl:1",
        ),
    ] {
        let fault = load(&files.map(PathBuf::clone), Order::Any).expect_err("a name twice");
        assert_eq!(&fault.file, files[1]);
        let taken = folder.path().join(taken_at);
        let reason = format!(
            "id {id:?} is taken ({}); give this case its own",
            taken.display()
        );
        assert_eq!(fault.reason, reason);
    }
    let twice = load_second(SED, &named(SED, "a")).expect_err("an id twice in one file");
    assert!(twice.reason.contains("id \"a\" is taken"), "{twice}");
    let corpus = load(&[sed, parity], Order::Any).expect("other names");
    let names: Vec<_> = corpus.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["b", "m", "regions-parity.jsonl:1"]);
}

#[test]
fn ids_stand_sorted_bytewise_where_that_is_wanted() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sed.jsonl");
    for (ids, sorted) in [
        (&["a", "b", "c"][..], true),
        (&["B", "a", "é", "\u{fffd}", "😀"], true),
        (&["a", "B"], false),
        (&["a", "c", "b"], false),
        (&["😀", "\u{fffd}"], false),
    ] {
        let lines = ids
            .iter()
            .map(|id| format!("{}\n", SED.replace("\"m\"", &format!("{id:?}"))));
        fs::write(&file, lines.collect::<String>()).expect("a file");
        let any = load(std::slice::from_ref(&file), Order::Any).expect("any order loads");
        assert_eq!(any.cases.len(), ids.len());
        let strict = load(std::slice::from_ref(&file), Order::Sorted);
        assert_eq!(strict.is_ok(), sorted, "{ids:?}");
        if let Err(fault) = strict {
            assert!(fault.reason.contains("sort the lines by id"), "{fault}");
            assert_eq!(fault.line, Some(ids.len()));
        }
    }
}

#[test]
fn everything_in_a_folder_is_read_or_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let cases = [folder.path().to_path_buf()];
    fs::create_dir_all(path("b/c")).expect("a folder");
    fs::write(path("b/c/sed.jsonl"), format!("{SED}\n")).expect("a file");
    fs::write(path("regions-parity.jsonl"), format!("{PARITY}\n")).expect("a file");
    let corpus = load(&cases, Order::Sorted).expect("it loads");
    assert_eq!(
        corpus.files,
        [path("b/c/sed.jsonl"), path("regions-parity.jsonl")]
    );
    assert_eq!(corpus.cases.len(), 2);

    let refused = |name: &str, reason: &str| {
        let fault = load(&cases, Order::Sorted).expect_err(name);
        assert_eq!((fault.file, fault.line), (path(name), None));
        assert!(fault.reason.contains(reason), "{}", fault.reason);
    };
    for (name, reason) in [
        ("b/README.md", "is no case file"),
        ("b/sed.json", "is no case file"),
        ("b/c/.sed.jsonl", "is hidden"),
        ("b/.hidden/sed.jsonl", "is hidden"),
        ("b/c/more.jsonl/sed.json", "is no case file"),
    ] {
        fs::create_dir_all(path(name).parent().expect("a parent")).expect("a folder");
        fs::write(path(name), format!("{SED}\n")).expect("a file");
        let named = if name.contains("/.hidden/") {
            "b/.hidden"
        } else {
            name
        };
        refused(named, reason);
        fs::remove_file(path(name)).expect("it was made");
        let _ = fs::remove_dir(path("b/.hidden"));
    }
    for target in ["regions-parity.jsonl", "b/c", "nowhere"] {
        std::os::unix::fs::symlink(path(target), path("b/l.jsonl")).expect("a link");
        refused("b/l.jsonl", "is a link");
        fs::remove_file(path("b/l.jsonl")).expect("it was made");
    }
    assert!(
        load(&cases, Order::Sorted).is_ok(),
        "all that was refused is gone"
    );
    for gone in ["gone", "gone.jsonl"] {
        let fault = load(&[path(gone)], Order::Any).expect_err("nothing there");
        assert!(fault.reason.starts_with("cannot be read: "), "{fault}");
    }
    fs::create_dir(path("empty")).expect("a folder");
    assert!(
        load(&[path("empty")], Order::Any)
            .expect("it loads")
            .is_empty()
    );
}

#[test]
fn a_folder_that_cannot_be_listed_is_a_fault() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let closed = folder.path().join("closed");
    fs::create_dir(&closed).expect("a folder");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).expect("its owner");
    // Root lists it all the same; then there is nothing to tell.
    let listable = fs::read_dir(&closed).is_ok();
    let loaded = load(&[folder.path().to_path_buf()], Order::Any);
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).expect("its owner");
    match loaded {
        Ok(corpus) => assert!(listable && corpus.is_empty()),
        Err(fault) => {
            assert!(
                !listable && fault.reason.starts_with("cannot be read: "),
                "{fault}"
            );
            assert_eq!(fault.file, closed);
        }
    }
}

#[test]
fn the_first_fault_is_told_in_the_order_of_files_and_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = |n: usize| format!("{}\n", SED.replace("\"m\"", &format!("\"{n:05}\"")));
    // Several batches of lines in the second file.
    let many: String = (0..6000).map(line).collect();
    let files: Vec<PathBuf> = [
        ("sed-a.jsonl", line(9000)),
        (
            "sed-b.jsonl",
            many.replacen("\"04000\"", "4", 1)
                .replacen("\"05999\"", "5", 1),
        ),
        ("sed-c.jsonl", "{\n".to_owned()),
    ]
    .into_iter()
    .map(|(name, text)| {
        fs::write(folder.path().join(name), text).expect("a file");
        folder.path().join(name)
    })
    .collect();
    let place = |files: &[PathBuf]| {
        let fault = load(files, Order::Sorted).expect_err("three faults");
        (fault.file, fault.line)
    };
    for _ in 0..20 {
        assert_eq!(place(&files), (files[1].clone(), Some(4001)));
        let turned: Vec<_> = files.iter().rev().cloned().collect();
        assert_eq!(place(&turned), (files[2].clone(), Some(1)));
    }
    fs::write(&files[1], &many).expect("a file");
    let corpus = load(&files[..2], Order::Sorted).expect("it loads");
    let places = corpus
        .cases
        .iter()
        .map(|case| (&case.place.file, case.place.line));
    assert!(places.eq(std::iter::once((&files[0], 1)).chain((1..=6000).map(|n| (&files[1], n)))));
}

#[test]
fn a_twin_may_stand_in_another_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = ["everyday.jsonl", "everyday-2.jsonl"].map(|name| folder.path().join(name));
    fs::write(
        &files[0],
        format!("{}\n", COMMAND.replace(r#""twin": "m""#, r#""twin": "n""#)),
    )
    .expect("a file");
    fs::write(
        &files[1],
        format!("{}\n", COMMAND.replace(r#""id": "m""#, r#""id": "n""#)),
    )
    .expect("a file");
    assert_eq!(
        load(&files, Order::Any)
            .expect("both are there")
            .cases
            .len(),
        2
    );
    assert!(load(&files[..1], Order::Any).is_err());
}
