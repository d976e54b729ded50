//! `cargo xtask`: the front end of everything. Parses, calls, renders; it holds no logic of its own.

mod cli;
mod explain;
mod export;
mod fuzz;
mod interrupt;
mod page;
mod replay;
mod screen;
mod show;
mod steps;
mod survey;
mod verify;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    differential::sandbox::become_worker_if_asked();
    // What stands behind `--` is no option.
    let json = std::env::args_os()
        .take_while(|word| word != "--")
        .any(|word| word == "--json");
    let result = match cli::Cli::try_parse() {
        Ok(cli) => {
            interrupt::install();
            match &cli.command {
                cli::Command::Verify(options) => verify::run(options),
                cli::Command::Replay(options) => replay::run(options),
                cli::Command::Explain(options) => explain::run(options),
                cli::Command::Survey(options) => survey::run(options),
                cli::Command::Fuzz(options) => fuzz::run(options).map_err(cli::Stop::call),
            }
        }
        Err(error) => cli::refused(&error, json),
    };
    let exit = result.or_else(|stop| screen::stopped(&stop, json));
    ExitCode::from(u8::try_from(exit.unwrap_or(2)).unwrap_or(2))
}
