use corpus::{FragmentTruth, Order, cases_folder, load};
use differential::sandbox::{Options, Pool, become_worker_if_asked};
use fuzz::property::Failure;
use fuzz::property::scanner::Commands;
use reference::regions::hardened;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
fn main() {
    become_worker_if_asked();
    let arg: Vec<u64> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let (seconds, seed) = (arg[0], arg[1]);
    let cases = load(&[cases_folder().unwrap()], Order::Sorted).unwrap_or_else(|f| panic!("{f}")).cases;
    let pool = Pool::start(1, Options { commands: true, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"));
    let commands = Commands::of(seed, &cases);
    let began = Instant::now();
    let mut told = Instant::now();
    let mut figures: BTreeMap<&str, u64> = BTreeMap::new();
    let mut at = 0;
    while began.elapsed() < Duration::from_secs(seconds) {
        let found = std::panic::catch_unwind(|| commands.put(at, &pool, hardened::regions));
        let mut add = |name, holds: bool| *figures.entry(name).or_default() += u64::from(holds);
        add("commands", true);
        match found {
            Err(_) => { add("panics", true); println!("PANIC {at}") }
            Ok(Ok((_, pairs))) => {
                add("with runs", pairs.iter().any(|p| p.truth == FragmentTruth::Runs));
                add("with text", pairs.iter().any(|p| p.truth == FragmentTruth::Text));
                add("with text called inert", pairs.iter().any(|p| p.truth == FragmentTruth::Text && !p.live));
                add("syntax errors", pairs.iter().any(|p| p.truth == FragmentTruth::SyntaxError));
                for p in &pairs {
                    add("text fragments", p.truth == FragmentTruth::Text);
                    add("false alarms", p.is_false_alarm());
                }
            }
            Ok(Err(Failure::Refuted(why))) => { add("misses", true); println!("MISS {at}\n{why}\n") }
            Ok(Err(Failure::Undecided(_))) => add("undecided", true),
            Ok(Err(Failure::Unasked(_))) => add("not asked", true),
        }
        at += 1;
        if told.elapsed() > Duration::from_secs(60) { told = Instant::now(); println!("{:?} {figures:?}", began.elapsed()); }
    }
    println!("END {:?} {figures:?}", began.elapsed());
}
