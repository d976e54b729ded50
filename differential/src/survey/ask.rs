//! Does `bash -n` accept these scripts? Many in one run.

use super::Script;
use crate::sandbox::{End, Entry, Job, Pool, Watch};
use std::time::Duration;

/// Scripts of one run.
pub(super) const AT_ONCE: usize = 32;

/// A line for each script; of an error in `[[ ]]` bash tells, and exits with 0.
const EACH: &str = "for script in ../scripts/*; do
  said=$(bash -n \"$script\" 2>&1) && case $said in
    *': line '*': '*) case $said in *' warning: '*) echo yes;; *) echo no;; esac;;
    *) echo yes;;
  esac || echo no
done";

/// One answer a script, in order.
pub(super) fn accepts(pool: &Pool, scripts: &[Script]) -> Result<Vec<bool>, String> {
    let laid = scripts.iter().enumerate().map(|(number, script)| {
        let path = format!("../scripts/{number:04}").into_bytes();
        Entry::File(path, script.text.clone())
    });
    let job = Job {
        program: "/usr/bin/dash".to_owned(),
        argv: ["sh", "-c", EACH]
            .map(|word| word.as_bytes().to_vec())
            .to_vec(),
        env: [("PATH", "/usr/bin:/bin"), ("LC_ALL", "C.UTF-8")]
            .map(|(name, value)| (name.into(), value.into()))
            .to_vec(),
        tree: laid.collect(),
        stdin: Vec::new(),
        deadline: Duration::from_secs(60),
        output_cap: 1 << 20,
        watch: Watch::Snapshot,
    };
    let seen = pool.run(&job).map_err(|failure| failure.to_string())?;
    let said: Vec<bool> = seen
        .stdout
        .split_inclusive(|&byte| byte == b'\n')
        .map(|line| line == b"yes\n")
        .collect();
    match seen.end {
        End::Exit(0) if said.len() == scripts.len() => Ok(said),
        end => Err(format!(
            "bash -n gave {} answers to {} scripts and ended with {end:?}",
            said.len(),
            scripts.len()
        )),
    }
}
