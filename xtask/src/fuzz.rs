//! `cargo xtask fuzz`: a stand-in until the targets are there.

use crate::cli::Common;

/// Coverage-guided fuzzing on the stable toolchain
#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo xtask fuzz --json")]
pub(crate) struct Fuzz {
    #[command(flatten)]
    common: Common,
}

/// Runs the command and gives its exit code.
pub(crate) fn run(options: &Fuzz) -> Result<i32, String> {
    let _ = &options.common;
    Err("there is no fuzz target yet".to_owned())
}
