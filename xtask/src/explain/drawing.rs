//! Where in the command does a region lie? The command in rows, with marks below what is text.
//!
//! A row is a line of the command or, where that is too long for a terminal, a part of one. Every row costs two lines at
//! most, whatever lies in it, and rows that say nothing new are counted and left out: libraries that draw an arrow for each
//! label print megabytes for a few kilobytes of quotes, and let some controls through. Characters are [`show`]'s to make
//! harmless, cell by cell, so that marks stand below what they mean.
//!
//! [`show`]: crate::show

use crate::show::picture;
use reference::regions::Span;
use std::collections::BTreeSet;
use std::fmt::Write;
use unicode_width::UnicodeWidthChar;

/// Columns of a row, without its number.
const WIDTH: usize = 72;
/// A row is also full with this many characters: those without width take no column.
const FULL: usize = 4 * WIDTH;
/// A command of no more rows is shown whole.
const WHOLE: usize = 24;
/// At most so many rows are shown.
const SHOWN: usize = 60;
/// Columns from one tab stop to the next.
const TAB: usize = 8;

/// A region and what it is called.
pub(crate) struct Mark {
    /// Where.
    pub(crate) span: Span,
    /// Which pass of the scanner found it.
    pub(crate) label: &'static str,
}

/// The command with its marks, ready to be printed but for the colour: `paint` gets each line of marks.
pub(crate) fn drawing(command: &[u8], marks: &[Mark], paint: impl Fn(&str) -> String) -> String {
    let borders = borders(marks);
    let covered = union(marks);
    let rows = rows(command, borders.last() == Some(&command.len()));
    let says = |row: &Row| holds_one(&borders, row, command.len());
    let near = |at: usize| (at.saturating_sub(1)..=at + 1).any(|at| rows.get(at).is_some_and(says));
    let kept = |at: &usize| rows.len() <= WHOLE || *at == 0 || near(*at);
    let mut page = String::new();
    let mut next = 0;
    for at in (0..rows.len()).filter(kept).take(SHOWN) {
        page += &gap(&rows[next..at], &covered);
        page += &rows[at].drawn(command, marks, &covered, &paint);
        next = at + 1;
    }
    page + &gap(&rows[next..], &covered)
}

/// The text on one line of at most this many columns, harmless, with `…` where it is cut.
pub(crate) fn fitted(text: &[u8], width: usize) -> String {
    let (mut line, mut column) = (String::new(), 0);
    for (taken, (_, shape)) in cells(text).enumerate() {
        let wide = shape.width(column);
        // The last column is for the mark of the cut.
        if column + wide >= width || taken >= FULL {
            let rest = cells(text).skip(taken);
            let rest: usize = rest.map(|(_, shape)| shape.width(column)).take(width).sum();
            if column + rest > width || taken >= FULL {
                return line + "…";
            }
        }
        shape.push(&mut line, column);
        column += wide;
    }
    line
}

/// What is printed for one character or stray byte.
enum Shape {
    Tab,
    Picture(String),
}

impl Shape {
    fn width(&self, column: usize) -> usize {
        match self {
            Shape::Tab => TAB - column % TAB,
            Shape::Picture(picture) => picture.chars().map(|c| c.width().unwrap_or(1)).sum(),
        }
    }

    fn push(&self, line: &mut String, column: usize) {
        match self {
            Shape::Tab => line.extend(std::iter::repeat_n(' ', self.width(column))),
            Shape::Picture(picture) => line.push_str(picture),
        }
    }
}

/// The offset of each character, or of each byte that belongs to none, and what is printed for it.
fn cells(text: &[u8]) -> impl Iterator<Item = (usize, Shape)> + '_ {
    let mut at = 0;
    text.utf8_chunks().flat_map(move |chunk| {
        let start = at;
        let stray = start + chunk.valid().len();
        at = stray + chunk.invalid().len();
        let valid = chunk.valid().char_indices().map(move |(offset, c)| {
            let shape = match c {
                '\t' => Shape::Tab,
                '\n' => Shape::Picture("␊".to_owned()),
                c => Shape::Picture(picture(c)),
            };
            (start + offset, shape)
        });
        let invalid = chunk.invalid().iter().enumerate();
        valid.chain(
            invalid.map(move |(offset, byte)| {
                (stray + offset, Shape::Picture(format!("<{byte:02X}>")))
            }),
        )
    })
}

/// A line of the command, or a part of one.
struct Row {
    /// Number of the line, from 1.
    line: usize,
    /// First of its line.
    first: bool,
    /// Its bytes, without the newline.
    start: usize,
    end: usize,
    /// Where the next row begins, or the end of the command.
    next: usize,
    /// Its column in the line, for tabs.
    column: usize,
}

/// All rows; with `last`, also the empty one behind a newline at the end.
fn rows(command: &[u8], last: bool) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut start = 0;
    for (number, line) in command.split(|&byte| byte == b'\n').enumerate() {
        let next = start + line.len() + 1;
        if start == command.len() && start > 0 && !last {
            break;
        }
        let mut row = Row {
            line: number + 1,
            first: true,
            start,
            end: start,
            next: start,
            column: 0,
        };
        let (mut column, mut taken) = (0, 0);
        for (offset, shape) in cells(line) {
            let wide = shape.width(column);
            if column + wide - row.column > WIDTH || taken == FULL {
                let at = start + offset;
                row.end = at;
                row.next = at;
                let after = Row {
                    first: false,
                    start: at,
                    column,
                    ..row
                };
                rows.push(std::mem::replace(&mut row, after));
                taken = 0;
            }
            column += wide;
            taken += 1;
        }
        row.end = start + line.len();
        row.next = next.min(command.len());
        rows.push(row);
        start = next;
    }
    rows
}

/// The bytes at which a region begins or that are its last, sorted.
fn borders(marks: &[Mark]) -> Vec<usize> {
    let ends = |span: Span| [span.start, span.end.saturating_sub(1).max(span.start)];
    let mut borders: Vec<usize> = marks.iter().flat_map(|mark| ends(mark.span)).collect();
    borders.sort_unstable();
    borders.dedup();
    borders
}

/// Does a border lie in the row?
fn holds_one(borders: &[usize], row: &Row, length: usize) -> bool {
    let first = borders.partition_point(|&border| border < row.start);
    let border = borders.get(first);
    border.is_some_and(|&border| border < row.next || row.end == length && border == length)
}

/// What the spans cover: apart and in order.
pub(crate) fn union(marks: &[Mark]) -> Vec<Span> {
    let mut spans: Vec<Span> = marks.iter().map(|mark| mark.span).collect();
    spans.retain(|span| span.start < span.end);
    spans.sort_unstable();
    let mut union: Vec<Span> = Vec::new();
    for span in spans {
        match union.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => union.push(span),
        }
    }
    union
}

/// Is this byte in one of the spans, which are apart and in order?
fn holds(union: &[Span], offset: usize) -> bool {
    let after = union.partition_point(|span| span.start <= offset);
    after > 0 && union[after - 1].contains(offset)
}

/// What is said of rows that are not shown.
fn gap(rows: &[Row], covered: &[Span]) -> String {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return String::new();
    };
    let lines = match first.line == last.line {
        true => format!("line {}", first.line),
        false => format!("lines {} to {}", first.line, last.line),
    };
    let begins = covered.partition_point(|span| span.end <= first.start);
    let what = match covered.get(begins) {
        Some(span) if span.start <= first.start && last.next <= span.end => "all of it text",
        Some(span) if span.start < last.next => "with more regions; --json has all",
        _ => "all of it live",
    };
    let count = rows.len();
    let noun = if count == 1 { "row" } else { "rows" };
    format!("     …  {count} {noun} of {lines}, {what}\n")
}

impl Row {
    /// The row and, where there is something to mark, what stands below it.
    fn drawn(
        &self,
        command: &[u8],
        marks: &[Mark],
        covered: &[Span],
        paint: &impl Fn(&str) -> String,
    ) -> String {
        let length = command.len();
        let is_here = |mark: &&Mark| match mark.span {
            Span { start, end } if start == end => {
                (self.start..self.next).contains(&start) || start == length && self.end == length
            }
            Span { start, end } => start < self.next.max(self.start + 1) && self.start < end,
        };
        let here: Vec<&Mark> = marks.iter().filter(is_here).collect();
        let number = if self.first {
            self.line.to_string()
        } else {
            "+".to_owned()
        };
        let (text, below) = self.cells_and_marks(&command[self.start..self.end], &here, covered);
        let mut drawn = format!("{number:>6}  {text}");
        drawn.truncate(drawn.trim_end_matches(' ').len());
        drawn.push('\n');
        if here.is_empty() {
            return drawn;
        }
        let mut labels: Vec<String> = Vec::new();
        for mark in here {
            let empty = mark.span.start == mark.span.end;
            let label = [if empty { "empty " } else { "" }, mark.label].concat();
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        let labels = labels.join(", ");
        let below = below.trim_end();
        let room = below.len() + 2 + labels.len() <= WIDTH;
        let (same, another) = if room {
            (&labels[..], "")
        } else {
            ("", &labels[..])
        };
        let line = format!("{:8}{}  {same}", "", paint(below));
        let _ = writeln!(drawn, "{}", line.trim_end());
        if !another.is_empty() {
            let indent = below.len() - below.trim_start().len();
            let indent = 8 + indent.min(WIDTH.saturating_sub(another.len()));
            let _ = writeln!(drawn, "{:indent$}{another}", "");
        }
        drawn
    }

    /// What is printed for the bytes of the row, and the marks below: `^` where a region covers them, `|` where an empty
    /// one lies between them.
    fn cells_and_marks(&self, bytes: &[u8], here: &[&Mark], covered: &[Span]) -> (String, String) {
        let spans = here.iter().map(|mark| mark.span);
        let empties = spans.filter(|span| span.start == span.end);
        let empties: BTreeSet<usize> = empties.map(|span| span.start).collect();
        let (mut text, mut below) = (String::new(), String::new());
        let mut column = self.column;
        for (offset, shape) in cells(bytes) {
            let offset = self.start + offset;
            let wide = shape.width(column);
            shape.push(&mut text, column);
            let is_covered = holds(covered, offset);
            for at in 0..wide {
                below.push(match is_covered {
                    true => '^',
                    false if at == 0 && empties.contains(&offset) => '|',
                    false => ' ',
                });
            }
            column += wide;
        }
        // A newline has no column of its own: it is marked where nothing before it is.
        if empties.contains(&self.end) {
            below.push('|');
        } else if !here.is_empty() && below.trim().is_empty() {
            below.push('^');
        }
        (text, below)
    }
}

#[cfg(test)]
mod tests;
