//! Where does what is said go? The page to standard output, or to standard error beside a JSON document.

use crate::cli::Stop;
use differential::report::{Report, text};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};

/// The two streams of one run.
pub(crate) struct Screen {
    json: bool,
}

impl Screen {
    /// With `json`, standard output is kept for one document.
    pub(crate) fn new(json: bool) -> Screen {
        Screen { json }
    }

    /// Colour only on a terminal that knows it, and never with `NO_COLOR`.
    pub(crate) fn colour(&self) -> bool {
        let terminal = if self.json {
            std::io::stderr().is_terminal()
        } else {
            std::io::stdout().is_terminal()
        };
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        terminal && set("NO_COLOR").is_none() && set("TERM").is_some_and(|term| term != "dumb")
    }

    /// Prints prose.
    pub(crate) fn say(&self, prose: &str) -> Result<(), Stop> {
        if self.json {
            written("standard error", std::io::stderr(), prose)
        } else {
            out(prose)
        }
    }

    /// A progress bar over `length` things on a terminal; elsewhere it shows nothing.
    pub(crate) fn bar(&self, what: &str, length: usize) -> ProgressBar {
        if !std::io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{msg:12} [{wide_bar}] {pos}/{len} {eta}")
            .expect("the template is a constant that every run uses");
        ProgressBar::new(length as u64)
            .with_style(style)
            .with_message(what.to_owned())
    }

    /// Prints the page, and the document if one is wanted.
    pub(crate) fn finish(&self, page: &str, report: &Report) -> Result<i32, Stop> {
        self.say(page)?;
        if self.json {
            out(&document(report)?)?;
        }
        Ok(report.exit)
    }

    /// The same for a command whose document is no report.
    pub(crate) fn put(&self, page: &str, document: &Value) -> Result<(), Stop> {
        self.say(page)?;
        if self.json {
            out(&format!("{document}\n"))?;
        }
        Ok(())
    }
}

/// A report as one line of JSON.
pub(crate) fn document(report: &Report) -> Result<String, Stop> {
    serde_json::to_string(report)
        .map(|line| line + "\n")
        .map_err(|error| Stop::call(format!("cannot write the report: {error}")))
}

/// Prints a help text; it was asked for, so this is no failure.
pub(crate) fn helped(prose: &str, json: bool) -> Result<i32, Stop> {
    let document = json!({ "schema": 1, "exit": 0, "help": prose });
    out(&if json {
        format!("{document}\n")
    } else {
        prose.to_owned()
    })
    .map(|()| 0)
}

/// Prints why there is no report.
pub(crate) fn stopped(stop: &Stop, json: bool) -> Result<i32, Stop> {
    let place = match (&stop.file, stop.line) {
        (Some(file), Some(line)) => format!("{}:{line}: ", file.display()),
        (Some(file), None) => format!("{}: ", file.display()),
        (None, _) => String::new(),
    };
    let line = format!(
        "{}\n",
        crate::show::visible(&format!("{place}{}", stop.reason))
    );
    // If standard error is closed, the exit code and the document still say it.
    let _ = std::io::stderr().write_all(stop.prose.as_ref().unwrap_or(&line).as_bytes());
    if json {
        let file = stop.file.as_ref().map_or(Value::Null, |file| {
            text(file.as_os_str().as_encoded_bytes())
        });
        let error = json!({ "file": file, "line": stop.line, "reason": stop.reason });
        out(&format!(
            "{}\n",
            json!({ "schema": 1, "exit": 2, "error": error })
        ))?;
    }
    Ok(2)
}

fn out(prose: &str) -> Result<(), Stop> {
    written("standard output", std::io::stdout(), prose)
}

/// A reader that has seen enough (`| head`) is no failure; a full disk is one.
fn written(name: &str, mut stream: impl Write, prose: &str) -> Result<(), Stop> {
    match stream
        .write_all(prose.as_bytes())
        .and_then(|()| stream.flush())
    {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Stop::call(format!("cannot write to {name}: {error}")))
        }
        _ => Ok(()),
    }
}
