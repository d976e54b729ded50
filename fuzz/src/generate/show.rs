//! How would a person type this run, or this command, in bash?
//!
//! Of a run of sed the files, directories and links come first, then the run itself. Nothing is left out and nothing is escaped twice: what is
//! printed, pasted into bash, gives the same run. What a failure means is left to its reporter.

use super::SedInvocation;
use std::fmt::Write;
use std::ops::Range;

/// The lines that set up and start `case`.
pub fn show(case: &SedInvocation) -> String {
    let mut lines = String::new();
    let mut parents: Vec<&[u8]> = case.dirs.iter().map(Vec::as_slice).collect();
    let made = case.files.keys().chain(case.links.keys());
    parents.extend(made.filter_map(|path| {
        path.iter()
            .rposition(|byte| *byte == b'/')
            .map(|cut| &path[..cut])
    }));
    parents.sort_unstable();
    parents.dedup();
    if !parents.is_empty() {
        lines.push_str("mkdir -p");
        for parent in parents {
            lines.push(' ');
            lines.push_str(&quote(parent));
        }
        lines.push('\n');
    }
    for (path, content) in &case.files {
        writeln!(lines, "printf {} > {}", format_string(content), quote(path))
            .expect("a string takes everything");
    }
    for (path, target) in &case.links {
        writeln!(lines, "ln -s {} {}", quote(target), quote(path))
            .expect("a string takes everything");
    }
    if !case.stdin.is_empty() {
        write!(lines, "printf {} | ", format_string(&case.stdin))
            .expect("a string takes everything");
    }
    for (name, value) in &case.env {
        let value = if value.is_empty() {
            String::new()
        } else {
            quote(value)
        };
        write!(lines, "{}={value} ", String::from_utf8_lossy(name))
            .expect("a string takes everything");
    }
    let words: Vec<String> = case.argv.iter().map(|word| quote(word)).collect();
    lines.push_str(&words.join(" "));
    if case.stdin.is_empty() {
        lines.push_str(" < /dev/null");
    }
    lines
}

/// A shell command as one would type it, with carets below its fragments (ranges of its bytes): its lines as they are when
/// they can be read and pasted, else `bash -c $'…'`.
pub fn show_command(text: &[u8], fragments: &[Range<usize>]) -> String {
    let marks = fragments.iter().cloned();
    match std::str::from_utf8(text)
        .ok()
        .filter(|text| text.chars().all(is_plain))
    {
        Some(text) => underlined(text, &Vec::from_iter(marks)),
        None => {
            let escaped = |part: &[u8]| escape(part, |byte| format!("\\x{byte:02x}"));
            let open = "bash -c $'";
            let at = |end: usize| open.len() + escaped(&text[..end]).len();
            let marks = Vec::from_iter(marks.map(|one| at(one.start)..at(one.end)));
            underlined(&format!("{open}{}'", escaped(text)), &marks)
        }
    }
}

/// Whether what is seen is what is there: no control character, and no blank or mark that looks like another or like nothing.
fn is_plain(character: char) -> bool {
    match character {
        '\n' | '\t' => true,
        '\u{ad}'
        | '\u{feff}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' => false,
        other => !other.is_control() && (other == ' ' || !other.is_whitespace()),
    }
}

/// Each line, and below it a line of carets where a mark (bytes of `text`) covers it; one column a character.
fn underlined(text: &str, marks: &[Range<usize>]) -> String {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        lines.push(line.to_owned());
        let column = |(at, character): (usize, char)| {
            if marks.iter().any(|mark| mark.contains(&(start + at))) {
                '^'
            } else if character == '\t' {
                '\t'
            } else {
                ' '
            }
        };
        let row: String = line.char_indices().map(column).collect();
        if row.contains('^') {
            lines.push(row.trim_end().to_owned());
        }
        start += line.len() + 1;
    }
    lines.join("\n")
}

/// One word: bare if it may stand so, `'…'` if that can be read, else `$'…'`.
fn quote(word: &[u8]) -> String {
    let text = std::str::from_utf8(word)
        .ok()
        .filter(|text| !text.chars().any(char::is_control));
    match text {
        Some(text)
            if !text.is_empty()
                && text
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"-_./,:=+@%".contains(&byte)) =>
        {
            text.to_owned()
        }
        Some(text) if !text.contains('\'') => format!("'{text}'"),
        _ => format!("$'{}'", escape(word, |byte| format!("\\x{byte:02x}"))),
    }
}

/// Any bytes, NUL too, as the format of `printf`.
fn format_string(content: &[u8]) -> String {
    let body = escape(content, |byte| format!("\\{byte:03o}"))
        .replace('%', "%%")
        .replace("\\'", "\\047");
    // A first `-` would be an option.
    match body.strip_prefix('-') {
        Some(rest) => format!("'\\055{rest}'"),
        None => format!("'{body}'"),
    }
}

/// Escapes that `$'…'` and `printf` share; `other` writes the bytes that have no letter.
fn escape(bytes: &[u8], other: fn(u8) -> String) -> String {
    let mut out = String::new();
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '\r' => out.push_str("\\r"),
                '\\' => out.push_str("\\\\"),
                '\'' => out.push_str("\\'"),
                hidden if !is_plain(hidden) => hidden
                    .to_string()
                    .bytes()
                    .for_each(|byte| out.push_str(&other(byte))),
                plain => out.push(plain),
            }
        }
        chunk
            .invalid()
            .iter()
            .for_each(|byte| out.push_str(&other(*byte)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::SedInvocation;
    use super::{show, show_command};

    fn words(words: &[&[u8]]) -> Vec<Vec<u8>> {
        words.iter().map(|word| word.to_vec()).collect()
    }

    #[test]
    fn plain_words_stand_bare_and_odd_ones_are_quoted() {
        let argv = words(&[
            b"sed",
            b"-n",
            b"",
            b"s/a/b/w out",
            b"it's",
            b"a\n\xff1",
            "é".as_bytes(),
            b"~",
            b"{a,b}",
            b"\\'\x1b",
        ]);
        let case = SedInvocation {
            argv,
            ..SedInvocation::default()
        };
        assert_eq!(
            show(&case),
            r"sed -n '' 's/a/b/w out' $'it\'s' $'a\n\xff1' 'é' '~' '{a,b}' $'\\\'\x1b' < /dev/null"
        );
    }

    #[test]
    fn files_come_first_and_hold_any_bytes() {
        let mut case = SedInvocation {
            argv: words(&[b"sed", b"p", b"d/f"]),
            env: vec![
                (b"POSIXLY_CORRECT".to_vec(), Vec::new()),
                (b"LC_ALL".to_vec(), b"C".to_vec()),
            ],
            dirs: words(&[b"sub/deep"]),
            stdin: b"-50%\n".to_vec(),
            ..SedInvocation::default()
        };
        case.files
            .insert(b"d/f".to_vec(), b"a\x00001\\n'\xff\n".to_vec());
        case.files.insert(b"empty".to_vec(), Vec::new());
        case.links.insert(b"ln".to_vec(), b"my file".to_vec());
        assert_eq!(
            show(&case),
            [
                r"mkdir -p d sub/deep",
                r"printf 'a\000001\\n\047\377\n' > d/f",
                r"printf '' > empty",
                r"ln -s 'my file' ln",
                r"printf '\05550%%\n' | POSIXLY_CORRECT= LC_ALL=C sed p d/f",
            ]
            .join("\n")
        );
    }

    #[test]
    fn a_command_is_shown_as_typed_with_carets_below_its_fragments() {
        let (one, verb) = (8..16, 0..2);
        assert_eq!(
            show_command(
                "é=1 \"€\"; rm -rf /\nls\n\trm".as_bytes(),
                &[12..20, 25..27]
            ),
            "é=1 \"€\"; rm -rf /\n         ^^^^^^^^\nls\n\trm\n\t^^"
        );
        assert_eq!(
            show_command(b"echo \r#; rm -rf /", std::slice::from_ref(&one)),
            "bash -c $'echo \\r#; rm -rf /'\n                   ^^^^^^^^"
        );
        assert_eq!(
            show_command("rm\u{2028}'\n".as_bytes(), std::slice::from_ref(&verb)),
            "bash -c $'rm\\xe2\\x80\\xa8\\'\\n'\n          ^^"
        );
    }
}
