//! How does text that anybody may have written look on a terminal? Harmless, aligned, and otherwise verbatim.

use similar::TextDiff;
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// The text with everything that could steer a terminal or hide itself made visible; tabs and newlines stay.
pub(crate) fn visible(text: &str) -> String {
    text.chars().map(picture).collect()
}

/// The text as lines, each with the line of carets that stands below it where the span (bytes of `text`) covers it. An
/// empty span is one caret.
pub(crate) fn underlined(text: &str, span: Option<Range<usize>>) -> Vec<(String, Option<String>)> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        let end = start + line.len();
        let meets = |span: &&Range<usize>| span.start <= end && start <= span.end;
        let row = span.as_ref().filter(meets).map(|span| {
            let within = span.start.saturating_sub(start)..(span.end - start).min(line.len());
            // Only a span that is empty itself gets a caret where it covers nothing.
            if within.is_empty() && !span.is_empty() {
                String::new()
            } else {
                carets(line, within)
            }
        });
        lines.push((visible(line), row.filter(|row| !row.is_empty())));
        start = end + 1;
    }
    lines
}

/// Blanks as wide as what stands before the span, then carets as wide as what it covers.
fn carets(line: &str, span: Range<usize>) -> String {
    let mut row = String::new();
    for (at, c) in line.char_indices().take_while(|(at, _)| *at < span.end) {
        let covered = span.contains(&at);
        let width: usize = picture(c).chars().map(|c| c.width().unwrap_or(1)).sum();
        match c {
            '\t' if !covered => row.push('\t'),
            _ => row.extend(std::iter::repeat_n(if covered { '^' } else { ' ' }, width)),
        }
    }
    if span.is_empty() {
        row.push('^');
    }
    row
}

/// One character as it may be printed.
pub(crate) fn picture(c: char) -> String {
    match c {
        '\t' | '\n' => c.to_string(),
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32)
            .unwrap_or('\u{fffd}')
            .to_string(),
        '\u{7f}' => '\u{2421}'.to_string(),
        // C1 controls; marks that turn the direction of writing; what ends a line elsewhere; characters that show nothing
        // (Unicode's Default_Ignorable_Code_Point, and the marks of interlinear notes).
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => format!("<U+{:04X}>", c as u32),
        c => c.to_string(),
    }
}

/// Two texts: side by side when they are short, else what changes from the first to the second, line by line.
pub(crate) fn compared(names: (&str, &str), texts: (&str, &str)) -> Vec<String> {
    let short = |text: &str| text.len() <= 120 && !text.contains('\n');
    if short(texts.0) && short(texts.1) {
        return [(names.0, texts.0), (names.1, texts.1)]
            .map(|(name, text)| format!("{name:<9} {}", visible(text)))
            .into();
    }
    TextDiff::from_lines(texts.0, texts.1)
        .unified_diff()
        .context_radius(3)
        .missing_newline_hint(false)
        .header(names.0, names.1)
        .to_string()
        .lines()
        .map(visible)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, span: Option<Range<usize>>) -> Vec<String> {
        underlined(text, span)
            .into_iter()
            .flat_map(|(line, carets)| [Some(line), carets])
            .flatten()
            .collect()
    }

    #[test]
    fn carets_stand_below_what_they_mean() {
        assert_eq!(
            rows("echo rm -rf x", Some(5..11)),
            ["echo rm -rf x", "     ^^^^^^"]
        );
        assert_eq!(
            rows("a\n\tbc d\ne", Some(3..5)),
            ["a", "\tbc d", "\t^^", "e"]
        );
        assert_eq!(rows("日本 rm", Some(7..9)), ["日本 rm", "     ^^"]);
        assert_eq!(rows("ab\ncd", Some(1..4)), ["ab", " ^", "cd", "^"]);
        assert_eq!(rows("ab\ncd\nef", Some(2..6)), ["ab", "cd", "^^", "ef"]);
        assert_eq!(rows("ab", Some(2..2)), ["ab", "  ^"]);
        assert_eq!(rows("ab", None), ["ab"]);
    }

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(visible("a\x1b[2Jb\r\0\x7f"), "a␛[2Jb␍␀␡");
        assert_eq!(
            visible("x\u{9b}\u{202e}y\u{200b}"),
            "x<U+009B><U+202E>y<U+200B>"
        );
        assert_eq!(
            rows("\x1b\u{202e}rm", Some(4..6)),
            ["␛<U+202E>rm", "         ^^"]
        );
        let all: String = (0..0x3000).filter_map(char::from_u32).collect();
        assert!(
            !visible(&all)
                .chars()
                .any(|c| c.is_control() && c != '\t' && c != '\n')
        );
    }

    #[test]
    fn long_texts_are_compared_by_lines() {
        let short = compared(("really", "subject"), ("runs", "inert"));
        assert_eq!(short, ["really    runs", "subject   inert"]);
        let long = compared(("really", "subject"), ("a\nb\nc\n", "a\nx\nc\n"));
        assert_eq!(long[..2], ["--- really", "+++ subject"]);
        assert!(long.contains(&"-b".to_owned()) && long.contains(&"+x".to_owned()));
    }
}
