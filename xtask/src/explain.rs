//! `cargo xtask explain`: what is text in one command, and what does bash really do with it?
//!
//! The scanner answers, `drawing` draws; with `--run` bash runs the command in the box, `account` reads what was seen and
//! `told` tells it. Nothing here judges: whether scanner and bash agree is for `replay` and `verify` to say.

mod account;
mod drawing;
mod parts;
mod said;
mod told;
mod trail;

use crate::cli::{Common, FormWord, Stop};
use crate::interrupt;
use crate::screen::Screen;
use crate::show::visible;
use account::Account;
use differential::bash;
use differential::replay::Form;
use differential::report::text;
use differential::sandbox::{Options, Pool, Watch};
use drawing::{Mark, drawing, union};
use reference::regions::Span;
use reference::shell;
use said::{Said, spans};
use serde_json::json;
use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// One command: which of it is text, and what bash does with it
///
/// Underlines what the scanner calls text, which means that bash runs nothing that starts there, and says of every stretch why
/// it is text or not. Nothing is run without --run; with it bash runs the command in the box, and what it did is told. Exit: 0 answered; 2 the call is wrong; 3 no box or no bash for --run; 130 interrupted.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  cargo xtask explain \"echo 'rm -rf /' # done\"\n  \
    cargo xtask explain --run 'cat f | tee out.txt'\n  \
    cargo xtask explain --tokens --tree 'f() { a | b; }'\n  \
    cargo xtask explain --json -- '-x' | jq .live\n  \
    cargo xtask explain - < script.sh"
)]
pub(crate) struct Explain {
    /// The command, one argument; - reads it from standard input, and -- stands before one that begins with -
    command: OsString,
    /// Run it in the box, among the files of the corpus's `regions` cases, and tell what it did
    #[arg(long)]
    run: bool,
    /// Which scanner answers
    #[arg(long, value_enum, default_value_t = FormWord::Hardened)]
    form: FormWord,
    /// Print the tokens that the front end sees, with their byte offsets
    #[arg(long)]
    tokens: bool,
    /// Print the tree of the command
    #[arg(long)]
    tree: bool,
    #[command(flatten)]
    common: Common,
}

/// Linux hands no longer argument to a program: 32 pages with the byte that ends it.
const LONGEST: usize = 32 * 4096 - 1;
/// At most so many files are named that text is written to.
const DEFERRED: usize = 8;
/// How often one looks whether to stop.
const LOOK: Duration = Duration::from_millis(20);

/// Runs the command and gives its exit code.
pub(crate) fn run(options: &Explain) -> Result<i32, Stop> {
    let screen = Screen::new(options.common.json);
    let (tell, told) = channel();
    let (word, wanted) = (options.command.clone(), options.run);
    let form = Form::from(options.form);
    // What can take long goes on beside, so that one signal is enough: the box ends with this program.
    std::thread::spawn(move || {
        let answer = command(&word).map(|command| {
            let said = Said::of(form, &command);
            let ran = wanted.then(|| observe(&command));
            (command, said, ran)
        });
        // Nobody listens any more once the program was interrupted.
        let _ = tell.send(answer);
    });
    let (command, said, ran) = loop {
        match told.recv_timeout(LOOK) {
            Ok(answer) => break answer?,
            Err(RecvTimeoutError::Timeout) if interrupt::flag().load(Ordering::Relaxed) => {
                return interrupted(&screen, form);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Stop::call("the scanner ended without an answer".to_owned()));
            }
        }
    };
    let live = live(&said.marks, command.len());
    let exit = if matches!(ran, Some(Err(_))) { 3 } else { 0 };
    let mut document = json!({
        "schema": 1, "exit": exit, "command": text(&command), "scanner": form.word(), "regions": spans(&said.regions),
        "live": spans(&live),
    });
    said.add_to(&mut document);
    let colour = screen.colour();
    let paint = |line: &str| match colour {
        true => format!("\x1b[33m{line}\x1b[0m"),
        false => line.to_owned(),
    };
    let mut page = header(form, &ran);
    if let Some(Err(reason)) = &ran {
        page += &format!("INCOMPLETE   {}\n", visible(reason));
        document["reasons"] = json!([reason]);
    }
    page.push('\n');
    page += &drawing(&command, &said.marks, paint);
    page.push('\n');
    page += &summary(&said, &live, &command);
    if options.tokens || options.tree {
        let tree = shell::parse(&command);
        if options.tokens {
            page += &format!("\nTokens:\n\n{}", parts::token_rows(&tree, &command));
            document["tokens"] = parts::token_document(&tree);
        }
        if options.tree {
            page += &format!("\nTree:\n\n{}", parts::tree_rows(&tree, &command));
            document["tree"] = parts::tree_document(&tree);
        }
    }
    match ran {
        None => page += "\nNothing was run; with --run bash runs it in the box.\n",
        Some(Err(_)) => {}
        Some(Ok(ran)) => {
            page += "\nWhat bash did, started as bash -c COMMAND in the box:\n\n";
            page += &told::rows(&ran.account);
            let mut run = told::document(&ran.account);
            run["bash"] = ran.bash.into();
            run["box"] = ran.form.into();
            document["run"] = run;
        }
    }
    screen.put(&page, &document)?;
    Ok(exit)
}

/// The bytes of the command.
fn command(word: &OsString) -> Result<Vec<u8>, Stop> {
    let mut command = word.as_bytes().to_vec();
    if command == b"-" {
        command.clear();
        let limit = LONGEST as u64 + 1;
        std::io::stdin()
            .take(limit)
            .read_to_end(&mut command)
            .map_err(|error| Stop::call(format!("cannot read standard input: {error}")))?;
    }
    if command.len() > LONGEST {
        return Err(Stop::call(format!(
            "the command is longer than {LONGEST} bytes, the most that Linux hands to a program; give a part of it"
        )));
    }
    match command.iter().position(|&byte| byte == 0) {
        Some(at) => Err(Stop::call(format!(
            "the command holds a NUL byte at offset {at}, which no argument of a program can hold; leave it out"
        ))),
        None => Ok(command),
    }
}

/// What bash did, and which bash in which box.
struct Ran {
    bash: String,
    form: String,
    account: Account,
}

/// Runs the command in the box.
fn observe(command: &[u8]) -> Result<Ran, String> {
    let options = Options {
        commands: true,
        ..Options::default()
    };
    let pool = Pool::start(1, options).map_err(|error| error.to_string())?;
    let bash = bash::version(&pool)
        .ok_or("no bash in the box: install the packages bash and dash below /usr or /bin")?;
    let observe = |command| {
        bash::observe(&pool, command, &[], false, Watch::Trace)
            .map_err(|undecided| undecided.to_string())
    };
    let (idle, seen) = (observe(b":")?, observe(command)?);
    let form = pool.form().to_string();
    let account = Account::of(&seen, &idle)?;
    Ok(Ran {
        bash,
        form,
        account,
    })
}

fn interrupted(screen: &Screen, form: Form) -> Result<i32, Stop> {
    let reason = "interrupted before the answer was there";
    let document = json!({ "schema": 1, "exit": 130, "scanner": form.word(), "reasons": [reason] });
    screen.put(&format!("INTERRUPTED   {reason}\n"), &document)?;
    Ok(130)
}

/// What no region covers.
fn live(marks: &[Mark], length: usize) -> Vec<Span> {
    let mut live = Vec::new();
    let mut start = 0;
    let behind = Span {
        start: length,
        end: length,
    };
    for span in union(marks).into_iter().chain([behind]) {
        if start < span.start {
            live.push(Span {
                start,
                end: span.start,
            });
        }
        start = span.end;
    }
    live
}

fn header(form: Form, ran: &Option<Result<Ran, String>>) -> String {
    let about = match ran {
        Some(Ok(ran)) => format!("bash {}   box {}", ran.bash, ran.form),
        _ => "box none, nothing is run".to_owned(),
    };
    visible(&format!("explain   reference/{}   {about}", form.word())) + "\n"
}

/// What the drawing means.
fn summary(said: &Said, live: &[Span], command: &[u8]) -> String {
    let bytes = |spans: &[Span]| {
        spans
            .iter()
            .map(|span| span.end - span.start)
            .sum::<usize>()
    };
    let counted = |count: usize, one: &str, many: &str| {
        format!("{count} {}", if count == 1 { one } else { many })
    };
    let (alive, length) = (bytes(live), command.len());
    let text = match said.regions.len() {
        0 => "none".to_owned(),
        count => format!(
            "{}, {} of {}: nothing runs that starts there",
            counted(count, "region", "regions"),
            length - alive,
            counted(length, "byte", "bytes")
        ),
    };
    let live = match live.len() {
        0 => "nothing".to_owned(),
        count => format!(
            "{}, {}: bash could run what starts there",
            counted(count, "stretch", "stretches"),
            counted(alive, "byte", "bytes")
        ),
    };
    let mut page = format!("  text   {text}\n  live   {live}\n");
    for file in said.deferred.iter().take(DEFERRED) {
        let name = drawing::fitted(&command[file.start..file.end], 40);
        page += &format!("  later  text is written to {name}: what runs that file, runs it\n");
    }
    page.push('\n');
    page + &match said.form {
        Form::Literal => {
            "So says the literal scanner, which is judged and not relied upon: bash may run\n\
            what it calls text (docs/spec/regions.md, section 2).\n"
                .to_owned()
        }
        Form::Hardened => said.rows(),
    }
}
