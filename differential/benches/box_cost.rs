//! The box, and what it costs beside a bare spawn.
fn main() {}
