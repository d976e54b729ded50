//! Programs started and waited for, together: none outlives the run, whether one fails or somebody asks us to stop.

use crate::interrupt;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::Duration;

/// Starts a program, or says how to get it.
pub(super) fn start(command: &mut Command) -> Result<Child, String> {
    command
        .spawn()
        .map_err(|error| format!("cannot start {}: {error}", command.get_program().display()))
}

/// Waits for all children; the first that fails, or a signal, ends the others. Nothing if there was a signal.
pub(super) fn wait(mut children: Vec<Child>) -> Result<Option<ExitStatus>, String> {
    let mut running = children.len();
    let mut ended = vec![false; running];
    let outcome = loop {
        let mut last = None;
        for (child, ended) in children
            .iter_mut()
            .zip(&mut ended)
            .filter(|(_, ended)| !**ended)
        {
            if let Some(status) = child
                .try_wait()
                .map_err(|error| format!("cannot wait for a child: {error}"))?
            {
                (*ended, last) = (true, Some(status));
                running -= 1;
                if !status.success() {
                    break;
                }
            }
        }
        // A signal to the whole group ends the children too, and is no failure of theirs.
        if interrupt::flag().load(Ordering::SeqCst) {
            break None;
        }
        match last {
            Some(status) if running == 0 || !status.success() => break Some(status),
            _ => sleep(Duration::from_millis(50)),
        }
    };
    for (child, ended) in children.iter_mut().zip(ended) {
        if !ended {
            // It may have ended by itself since.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
    Ok(outcome)
}
