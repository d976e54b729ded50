//! libFuzzer target.
fn main() {}
