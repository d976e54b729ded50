//! `cargo xtask fuzz`: a stand-in until the targets are there.

/// Coverage-guided fuzzing on the stable toolchain
#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo xtask fuzz --list")]
pub struct Fuzz {
    /// List the targets
    #[arg(long)]
    list: bool,
}

/// Runs the command and gives its exit code.
pub fn run(options: &Fuzz) -> Result<i32, String> {
    let _ = options.list;
    Err("there is no fuzz target yet".to_owned())
}
