//! Do the marks stand below what they mean, whatever the command holds? Checked by reading the drawing back.

use super::*;

fn mark(start: usize, end: usize) -> Mark {
    Mark {
        span: Span { start, end },
        label: "text",
    }
}

fn drawn(command: &[u8], marks: &[Mark]) -> String {
    drawing(command, marks, str::to_owned)
}

/// The characters of a row that stand above the sign, by columns. A character without width belongs to the one before it.
fn above(row: &str, below: &str, sign: char) -> String {
    let signs: Vec<char> = below.chars().collect();
    let (mut column, mut wide, mut found) = (0, 0, String::new());
    for c in row.chars() {
        let width = c.width().unwrap_or(1);
        if width > 0 {
            column += wide;
            wide = width;
        }
        let here = |at: usize| signs.get(at) == Some(&sign);
        assert!(
            (column..column + wide).all(here) || !(column..column + wide).any(here),
            "half a character is marked: {row:?} {below:?}"
        );
        if here(column) {
            found.push(c);
        }
    }
    found
}

/// What the drawing marks, over all rows.
fn marked(drawing: &str) -> String {
    let lines: Vec<&str> = drawing.lines().collect();
    let pairs = lines.windows(2).filter(|pair| {
        let (row, below) = (pair[0], pair[1]);
        !row.starts_with("       ") && below.starts_with("        ") && below.contains('^')
    });
    pairs
        .map(|pair| above(pair[0], pair[1].trim_end_matches("text"), '^'))
        .collect()
}

#[test]
fn rows_and_marks_are_those_of_a_terminal() {
    for (command, marks, expected) in [
        (
            "echo 'rm' # x",
            vec![mark(5, 9), mark(10, 13)],
            "     1  echo 'rm' # x\n             ^^^^ ^^^  text\n",
        ),
        // A tab reaches to the next stop, as it does at the left edge of a terminal.
        (
            "\techo\t'x'",
            vec![mark(6, 9)],
            "     1          echo    'x'\n                        ^^^  text\n",
        ),
        (
            "日本 'rm'",
            vec![mark(7, 11)],
            "     1  日本 'rm'\n             ^^^^  text\n",
        ),
        (
            "e\u{301}\u{301} 'x'",
            vec![mark(6, 9)],
            "     1  e\u{301}\u{301} 'x'\n          ^^^  text\n",
        ),
        // Regions over several lines, and over each other.
        (
            "a\nbc\nd\ne",
            vec![mark(2, 5), mark(2, 7), mark(3, 5)],
            "     1  a\n     2  bc\n        ^^  text\n     3  d\n        ^  text\n     4  e\n",
        ),
        // A newline that is all there is of a region on a line.
        (
            "a\n\nb",
            vec![mark(2, 3)],
            "     1  a\n     2\n        ^  text\n     3  b\n",
        ),
        (
            "a\n",
            vec![mark(2, 2)],
            "     1  a\n     2\n        |  empty text\n",
        ),
        (
            "ab",
            vec![mark(1, 1), mark(1, 1)],
            "     1  ab\n         |  empty text\n",
        ),
        ("", vec![mark(0, 0)], "     1\n        |  empty text\n"),
        ("", vec![], "     1\n"),
        ("a\n", vec![], "     1  a\n"),
        (
            "\u{202e}'\x1b'",
            vec![mark(3, 6)],
            "     1  <U+202E>'␛'\n                ^^^  text\n",
        ),
    ] {
        assert_eq!(drawn(command.as_bytes(), &marks), expected, "{command:?}");
    }
    let stray = "     1  <FF><C3>'<80>'\n                ^^^^^^  text\n";
    assert_eq!(drawn(b"\xff\xc3'\x80'", &[mark(2, 5)]), stray);
}

#[test]
fn what_is_marked_is_what_the_regions_hold() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut compared = 0;
    let pieces = [
        "a",
        "'",
        " ",
        "#",
        "日",
        "本本",
        "e\u{301}",
        "\n",
        "\u{1f600}",
        "ｗ",
        "Ω",
        "xyz xyz",
    ];
    for _ in 0..3000 {
        let count = random.usize(..120);
        let command: String = (0..count)
            .map(|_| pieces[random.usize(..pieces.len())])
            .collect();
        let mut borders: Vec<usize> = command.char_indices().map(|(at, _)| at).collect();
        borders.retain(|&at| !command[at..].starts_with('\u{301}'));
        borders.push(command.len());
        let marks: Vec<Mark> = (0..random.usize(..6))
            .map(|_| {
                let [one, other] = [(); 2].map(|()| borders[random.usize(..borders.len())]);
                mark(one.min(other), one.max(other))
            })
            .collect();
        let page = drawn(command.as_bytes(), &marks);
        if page.contains('…') {
            continue;
        }
        compared += usize::from(!marks.is_empty());
        let union = union(&marks);
        // A space that ends a row is not printed, so spaces are not compared.
        let expected: String = union
            .iter()
            .map(|span| &command[span.start..span.end])
            .collect();
        let bare = |text: &str| text.replace(['\n', ' '], "");
        assert_eq!(bare(&marked(&page)), bare(&expected), "{page}\n{command:?}");
    }
    assert!(compared > 1000, "{compared} drawings were read back");
}

#[test]
fn what_is_left_out_is_counted_and_says_nothing_new() {
    let command: String = (1..=3000)
        .map(|n| if n % 1000 == 0 { "ls 'x'\n" } else { "ls\n" })
        .collect();
    let marks: Vec<Mark> = command
        .match_indices("'x'")
        .map(|(at, x)| mark(at, at + x.len()))
        .collect();
    let page = drawn(command.as_bytes(), &marks);
    assert_eq!(page.matches("'x'").count(), 3);
    assert!(
        page.contains("     …  997 rows of lines 2 to 998, all of it live\n"),
        "{page}"
    );
    let shown = page
        .lines()
        .filter(|line| line.starts_with(' ') && line.contains("ls"));
    let counted: usize = page
        .lines()
        .filter_map(|line| {
            line.trim_start()
                .strip_prefix("…  ")?
                .split(' ')
                .next()?
                .parse::<usize>()
                .ok()
        })
        .sum();
    assert_eq!(shown.count() + counted, 3000);

    let body = format!("cat <<E\n{}E\n", "text\n".repeat(500));
    let page = drawn(body.as_bytes(), &[mark(8, body.len() - 2)]);
    assert!(
        page.contains("496 rows of lines 4 to 499, all of it text"),
        "{page}"
    );
}

#[test]
fn the_drawing_stays_small() {
    let quotes = format!("echo {}", "'x' ".repeat(30_000));
    let marks: Vec<Mark> = quotes
        .match_indices("'x'")
        .map(|(at, x)| mark(at, at + x.len()))
        .collect();
    let zalgo = format!("e{}", "\u{301}".repeat(60_000));
    for (command, marks) in [
        (quotes.as_bytes(), &marks[..]),
        (zalgo.as_bytes(), &[]),
        (&[0xff; 100_000], &[mark(50_000, 50_001)]),
        (&[b'\n'; 100_000], &[mark(0, 100_000)]),
        (&[b'\t'; 100_000], &[]),
    ] {
        let page = drawn(command, marks);
        assert!(page.len() < 64_000, "{} bytes", page.len());
        assert!(
            page.lines()
                .all(|line| line.chars().filter_map(|c| c.width()).sum::<usize>() <= 80)
        );
    }
}

#[test]
fn a_line_is_cut_where_it_is_too_long() {
    for (text, width, expected) in [
        (&b"abcd"[..], 4, "abcd"),
        (b"abcde", 4, "abc…"),
        ("日本日".as_bytes(), 5, "日本…"),
        ("日本".as_bytes(), 4, "日本"),
        (b"a\tb", 20, "a       b"),
        (b"a\nb\x1b", 20, "a␊b␛"),
        (b"", 4, ""),
    ] {
        assert_eq!(fitted(text, width), expected);
    }
}
