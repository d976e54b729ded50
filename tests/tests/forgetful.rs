//! Does a program that forgot the first line of `main` get a clear answer? Its workers are copies of itself that start pools.

use differential::sandbox::{Options, Pool};

fn main() {
    let Err(error) = Pool::start(1, Options::default()) else {
        panic!("a worker that never became one was taken for one")
    };
    assert!(error.remedy.contains("become_worker_if_asked"), "{error}");
}
