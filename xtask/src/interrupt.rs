//! Has somebody asked us to stop? INT, TERM and HUP set one flag; the second of them ends the program at once.
//!
//! Who runs things looks at the flag between two of them, ends its workers and reports what was done so far.

use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// Installs the handler; once a program.
pub(crate) fn install() {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    })
    .expect("this is the only handler, and it is installed once");
}

/// True from the first signal on.
pub(crate) fn flag() -> &'static AtomicBool {
    &STOP
}
