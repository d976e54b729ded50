//! Which variables are just variables?

/// Does no shell or program of the table run something, or find its programs elsewhere, because of this variable?
/// (`docs/spec/regions.md`, C-7.)
pub fn is_ordinary(name: &[u8]) -> bool {
    let _ = name;
    false
}
