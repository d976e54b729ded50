//! libFuzzer target: any bytes, as a command for the shell.
#![no_main]

use fuzz::property::{Failure, regions, shell};
use reference::regions::hardened;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let tree = shell::tree_is_whole(bytes).map(drop);
    let scanner = regions::regions_lie_in_the_command(hardened::regions, bytes).map(drop);
    for result in [tree, scanner] {
        if let Err(Failure::Refuted(why)) = result {
            panic!("{why}");
        }
    }
});
