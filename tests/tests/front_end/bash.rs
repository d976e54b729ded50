//! What does bash say of many commands? Asked in the box, many in one run; none of them is run.

use differential::sandbox::{End, Job, Pool, Watch};
use libtest_mimic::Failed;
use std::time::Duration;

/// Commands of one run.
const AT_ONCE: usize = 64;
/// Stands after each answer, before the status.
const MARK: &[u8] = b"\x01\x02 status ";

/// One answer.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    /// Exit status of bash.
    pub(crate) status: i32,
    /// Standard output, and standard error where it was asked for.
    pub(crate) text: Vec<u8>,
}

impl Said {
    /// Of an error in `[[ ]]` bash tells, and exits with 0.
    pub(crate) fn accepts(&self) -> bool {
        self.status == 0 && !self.says(b"bash: -c: line ")
    }

    /// A here-document was ended by the end of the text.
    pub(crate) fn warns(&self) -> bool {
        self.says(b"delimited by end-of-file")
    }

    fn says(&self, what: &[u8]) -> bool {
        self.text.windows(what.len()).any(|part| part == what)
    }
}

/// What `bash -n` says of each, with these words before `-c`.
pub(crate) fn reads(pool: &Pool, options: &str, commands: &[Vec<u8>]) -> Result<Vec<Said>, Failed> {
    let each = format!("bash {options} -n -c -- \"$command\" 2>&1");
    ask(pool, &each, commands)
}

/// What `declare -f` prints of each, as the body of a function.
pub(crate) fn prints(pool: &Pool, commands: &[Vec<u8>]) -> Result<Vec<Said>, Failed> {
    let wrapped: Vec<Vec<u8>> = commands
        .iter()
        .map(|command| [wrapped(command), b"\ndeclare -f wrapped".to_vec()].concat())
        .collect();
    ask(pool, "bash -c -- \"$command\" 2>/dev/null", &wrapped)
}

/// The command as the body of a function, which may not be empty.
pub(crate) fn wrapped(command: &[u8]) -> Vec<u8> {
    [b"wrapped() {\n:\n", command, b"\n}"].concat()
}

fn ask(pool: &Pool, each: &str, commands: &[Vec<u8>]) -> Result<Vec<Said>, Failed> {
    let mark = String::from_utf8_lossy(MARK);
    let script = format!("for command do {each}; printf '\\n{mark}%s\\n' $?; done");
    let mut all = Vec::new();
    for commands in commands.chunks(AT_ONCE) {
        let words = ["sh", "-c", &script, "sh"].map(|word| word.as_bytes().to_vec());
        let job = Job {
            program: "/usr/bin/dash".to_owned(),
            argv: words.into_iter().chain(commands.iter().cloned()).collect(),
            env: [("PATH", "/usr/bin:/bin"), ("LC_ALL", "C.UTF-8")]
                .map(|(name, value)| (name.into(), value.into()))
                .to_vec(),
            tree: Vec::new(),
            stdin: Vec::new(),
            deadline: Duration::from_secs(60),
            output_cap: 16 << 20,
            watch: Watch::Snapshot,
        };
        let seen = pool.run(&job)?;
        if seen.end != End::Exit(0) {
            return Err(format!("the run ended with {:?}", seen.end).into());
        }
        let before = all.len();
        let mut rest = &seen.stdout[..];
        while let Some(at) = rest.windows(MARK.len()).position(|part| part == MARK) {
            let (text, after) = (&rest[..at - 1], &rest[at + MARK.len()..]);
            let end = after.iter().position(|&byte| byte == b'\n');
            let end = end.ok_or("a status without its end")?;
            all.push(Said {
                status: std::str::from_utf8(&after[..end])?.parse()?,
                text: text.to_vec(),
            });
            rest = &after[end + 1..];
        }
        if all.len() - before != commands.len() {
            let (got, asked) = (all.len() - before, commands.len());
            return Err(format!("{got} answers to {asked} commands").into());
        }
    }
    Ok(all)
}
