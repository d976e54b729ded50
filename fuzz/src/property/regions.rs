//! What must hold for the regions of every command, whatever its bytes?
//!
//! That an answer is right is for the stored cases; here it only has to be one (`docs/spec/regions.md` section 1).

use super::Failure;
use differential::regions::Scanner;
use reference::regions::{Span, literal};

fn refuted<T>(command: &[u8], what: &str, regions: &[Span]) -> Result<T, Failure> {
    let command = command.escape_ascii();
    Err(Failure::Refuted(format!(
        "{what}\n{command}\nsaid  {regions:?}"
    )))
}

/// The regions are sorted, lie inside the command, and cut no character; a byte is live where none holds it. Returns
/// whether there is any region.
pub fn regions_lie_in_the_command(scanner: Scanner, command: &[u8]) -> Result<bool, Failure> {
    let regions = scanner(command);
    if !regions.is_sorted() {
        return refuted(command, "its regions are not sorted", &regions);
    }
    let text = std::str::from_utf8(command).ok();
    let is_border = |at| at <= command.len() && text.is_none_or(|text| text.is_char_boundary(at));
    let whole =
        |span: &Span| span.start <= span.end && is_border(span.start) && is_border(span.end);
    if !regions.iter().all(whole) {
        return refuted(
            command,
            "a region is no stretch of characters of it",
            &regions,
        );
    }
    let mut inert = vec![false; command.len()];
    for span in &regions {
        inert[span.start..span.end].fill(true);
    }
    if (0..=command.len())
        .any(|at| literal::is_live(&regions, at) == inert.get(at).is_some_and(|&inert| inert))
    {
        return refuted(command, "is_live does not go by the regions", &regions);
    }
    Ok(!regions.is_empty())
}

/// Another character in the place of one beyond ASCII, of the same class and length in bytes, changes nothing. Returns
/// whether there was one.
pub fn regions_know_characters_by_class(scanner: Scanner, command: &[u8]) -> Result<bool, Failure> {
    let other = of_the_same_classes(command);
    let (before, after) = (scanner(command), scanner(&other));
    if before != after {
        let what = format!(
            "with {} in its place it says {after:?}",
            other.escape_ascii()
        );
        return refuted(command, &what, &before);
    }
    Ok(other != command)
}

fn of_the_same_classes(command: &[u8]) -> Vec<u8> {
    let mut other = Vec::new();
    for chunk in command.utf8_chunks() {
        let valid: String = chunk.valid().chars().map(of_the_same_class).collect();
        other.extend_from_slice(valid.as_bytes());
        other.extend_from_slice(chunk.invalid());
    }
    other
}

/// WS is what an ECMAScript `\s` matches: White_Space without U+0085, and U+FEFF.
fn of_the_same_class(unit: char) -> char {
    match unit {
        '\0'..='\x7f' | '\u{a0}' => unit,
        '\u{2028}' => '\u{2029}',
        '\u{2029}' => '\u{2028}',
        '\u{feff}' => '\u{3000}',
        _ if unit.is_whitespace() && unit != '\u{85}' => '\u{feff}',
        _ => ['ß', '♜', '🂡'][unit.len_utf8() - 2],
    }
}

/// All of them.
pub fn all(scanner: Scanner, command: &[u8]) -> Result<(), Failure> {
    regions_lie_in_the_command(scanner, command)?;
    regions_know_characters_by_class(scanner, command)?;
    Ok(())
}
