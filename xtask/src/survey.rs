//! `cargo xtask survey`: how much does the reference understand of the shell scripts and sed calls below a folder?

use crate::cli::{Common, Stop};
use crate::interrupt;
use crate::screen::Screen;
use crate::show::visible;
use differential::report::text;
use differential::sandbox::{Options, Pool};
use differential::survey::{self, Place, find, survey};
use serde_json::{Value, json};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Shell scripts and sed calls below folders: how much is understood, and what not
///
/// A script is a file whose first line names sh, bash or dash, or that is called *.sh or *.bash; none is run. Those that
/// `bash -n` accepts are read, and the calls of sed in them all of whose words are constant are put to `sed --sandbox`.
/// Exit: 0 answered; 1 `sed --sandbox` says another thing than the reference; 2 the call is wrong, or no script is there;
/// 3 no box, no bash or no sed; 130 interrupted.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo xtask survey /usr/bin /etc --json | jq .scripts")]
pub(crate) struct Survey {
    /// Files and folders
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    common: Common,
}

/// Runs the command and gives its exit code.
pub(crate) fn run(options: &Survey) -> Result<i32, Stop> {
    let screen = Screen::new(options.common.json);
    let scripts = find(&options.paths).map_err(|(file, error)| Stop {
        file: Some(file),
        line: None,
        reason: format!("cannot be read: {error}"),
        prose: None,
    })?;
    if scripts.is_empty() {
        return Err(Stop::call(
            "no shell script is below these paths; name others".to_owned(),
        ));
    }
    let bar = screen.bar("survey", scripts.len());
    let found = Pool::start(options.common.jobs(), Options::default())
        .map_err(|error| error.to_string())
        .and_then(|pool| survey(&pool, &scripts, &|| bar.inc(1), interrupt::flag()));
    bar.finish_and_clear();
    let found = match found {
        Ok(found) => found,
        Err(reason) => {
            let document = json!({ "schema": 1, "exit": 3, "reasons": [&reason] });
            screen.put(
                &format!("survey\nINCOMPLETE   {}\n", visible(&reason)),
                &document,
            )?;
            return Ok(3);
        }
    };
    let (exit, reason) = match (found.interrupted, found.contradictions().next()) {
        (true, _) => (130, Some("interrupted before the end")),
        (false, Some(_)) => (
            1,
            Some("`sed --sandbox` says another thing than the reference"),
        ),
        (false, None) => (0, None),
    };
    let mut document = document(&found);
    document["exit"] = exit.into();
    document["reasons"] = reason.into_iter().collect();
    screen.put(&page(&found, reason), &document)?;
    Ok(exit)
}

fn shown(place: &Place) -> String {
    format!("{}:{}", place.file.display(), place.line)
}

fn words(argv: &[Vec<u8>]) -> String {
    let words = argv.iter().map(|word| String::from_utf8_lossy(word));
    words.collect::<Vec<_>>().join(" ")
}

fn page(found: &survey::Survey, reason: Option<&str>) -> String {
    let share = |part: usize, of: usize| match of {
        0 => "0 of 0".to_owned(),
        of => format!("{part} of {of} ({:.2} %)", 100.0 * part as f64 / of as f64),
    };
    let mut page = String::from("survey\n");
    if let Some(reason) = reason {
        page += &format!("{reason}\n");
    }
    page += &format!(
        "\n  scripts      {} accepted by bash understood; {} refused by bash\n",
        share(found.understood(), found.accepted),
        found.refused.len()
    );
    page += &format!(
        "  calls of sed {} constant and different ones understood; {} calls in all, {} not decided\n",
        share(found.understood_calls(), found.constant.len()),
        found.sed_calls,
        found.undecided.len()
    );
    let mut rows = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            page.push_str(&format!("\n{title}\n"));
            for line in lines {
                page.push_str(&format!("  {}\n", visible(&line)));
            }
        }
    };
    let calls = |why: fn(&survey::SedCall) -> Option<&String>| {
        let lines = found.constant.iter().filter_map(|call| {
            why(call).map(|why| format!("{}: {why}: {}", shown(&call.place), words(&call.argv)))
        });
        lines.collect::<Vec<_>>()
    };
    let places = |list: &[(Place, String)]| {
        let lines = list
            .iter()
            .map(|(place, why)| format!("{}: {why}", shown(place)));
        lines.collect::<Vec<_>>()
    };
    rows("scripts not understood", places(&found.not_understood));
    rows(
        "calls of sed not understood",
        calls(|call| call.worst.as_ref()),
    );
    rows(
        "calls of sed that the reference expects to be accepted or refused, and are not",
        calls(|call| call.contradicts.as_ref()),
    );
    rows("calls of sed not decided", places(&found.undecided));
    page
}

fn document(found: &survey::Survey) -> Value {
    let place = |place: &Place, why: &str| json!({ "file": text(place.file.as_os_str().as_bytes()), "line": place.line, "why": why });
    let places = |list: &[(Place, String)]| {
        list.iter()
            .map(|(at, why)| place(at, why))
            .collect::<Value>()
    };
    let calls = found.constant.iter().filter_map(|call| {
        let why = call.contradicts.as_ref().or(call.worst.as_ref())?;
        let mut row = place(&call.place, why);
        row["argv"] = call.argv.iter().map(|word| text(word)).collect();
        row["contradicts"] = call.contradicts.is_some().into();
        Some(row)
    });
    json!({
        "schema": 1,
        "scripts": {
            "accepted": found.accepted, "understood": found.understood(), "refused": found.refused.iter()
                .map(|path| text(path.as_os_str().as_bytes())).collect::<Value>(),
            "not_understood": places(&found.not_understood),
        },
        "sed": {
            "calls": found.sed_calls, "constant": found.constant.len(), "understood": found.understood_calls(),
            "contradictions": found.contradictions().count(), "undecided": places(&found.undecided),
            "not_understood": calls.collect::<Value>(),
        },
    })
}
