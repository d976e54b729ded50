//! What did the program say? For every test that starts it.

use serde_json::Value;
use std::process::Output;

/// For messages.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The one document on standard output.
pub(crate) fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!(
            "no document: {error}\n{}\n{}",
            text(&output.stdout),
            text(&output.stderr)
        )
    })
}
