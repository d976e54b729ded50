//! libFuzzer target: any bytes, as a run of sed.
#![no_main]

use fuzz::generate;
use fuzz::property::{Failure, sed};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let result = sed::knowing_less_never_says_less(reference::sed::answer, &generate::sed(bytes));
    if let Err(Failure::Refuted(why) | Failure::Undecided(why)) = result {
        panic!("{why}");
    }
});
