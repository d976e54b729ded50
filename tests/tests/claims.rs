//! Does every claim hold? One named test a claim, each with 256 generated inputs; what `cargo xtask verify` runs with more.

use corpus::{Body, Case, Order};
use differential::sandbox::{Options, Pool, become_worker_if_asked};
use differential::sed::oracle;
use fuzz::claims::{self, Claim, Ground};
use fuzz::generate::CONSTRUCTS;
use fuzz::property::{Failure, sed as property};
use libtest_mimic::{Arguments, Failed, Trial};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use reference::sed::answer;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

/// Generated inputs of a claim, each put to the static oracle and run.
const INPUTS: u64 = 256;
/// A run that fails is run again with the same input.
const SEED: u64 = 20_240_229;

/// What all tests of this program share.
struct Shared {
    pool: Pool,
    cases: Vec<Case>,
}

static SHARED: LazyLock<Result<Shared, String>> = LazyLock::new(|| {
    let pool = Pool::start(2, Options::default()).map_err(|error| error.to_string())?;
    if oracle::version(&pool).is_none() {
        return Err("no GNU sed in the box; install the package sed".to_owned());
    }
    let folder = corpus::cases_folder().map_err(|fault| fault.to_string())?;
    let cases = corpus::load(&[folder], Order::Sorted)
        .map_err(|fault| fault.to_string())?
        .cases;
    Ok(Shared { pool, cases })
});

fn shared() -> Result<&'static Shared, Failed> {
    SHARED.as_ref().map_err(Failed::from)
}

static GO_ON: AtomicBool = AtomicBool::new(false);

fn ground(shared: &Shared) -> Ground<'_> {
    Ground {
        pool: &shared.pool,
        recognizer: answer,
        cases: &shared.cases,
        seed: SEED,
        inputs: INPUTS,
        executed: INPUTS,
        stop: &GO_ON,
        progress: &|| {},
    }
}

fn main() {
    become_worker_if_asked();
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = claims::registry()
        .into_iter()
        .map(Arc::new)
        .map(test_of)
        .collect();
    trials.extend([
        Trial::test("the_specification_and_the_registry_agree", agree),
        Trial::test("what_a_claim_names_is_there", named),
        Trial::test("a_recognizer_wrong_on_purpose_is_caught", caught),
        Trial::test("a_check_without_input_is_vacuous", vacuous),
        Trial::test("nothing_happens_that_is_not_named", || {
            shrinking(|shared, bytes| property::all(&shared.pool, answer, bytes))
        }),
        Trial::test("stored_inputs_break_nothing", stored),
    ]);
    libtest_mimic::run(&arguments, trials).exit();
}

fn test_of(claim: Arc<Claim>) -> Trial {
    let name = format!("{}: {}", claim.id, claim.sentence);
    Trial::test(name, move || {
        let (result, checked) = claim.check(&ground(shared()?));
        if result.result != result.expected {
            return Err(format!(
                "{}, expected {}: {:#?}",
                result.result, result.expected, checked.counterexample
            )
            .into());
        }
        Ok(())
    })
}

fn agree() -> Result<(), Failed> {
    let faults = claims::unregistered();
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults.join("\n").into())
    }
}

/// A tag that no case has, or a beginning that no construct has, would make a claim smaller in silence.
fn named() -> Result<(), Failed> {
    let tags: Vec<&String> = shared()?
        .cases
        .iter()
        .filter(|case| matches!(case.body, Body::Sed(_)))
        .flat_map(Case::tags)
        .collect();
    for claim in claims::registry() {
        for tag in claim.tags {
            if !tags.iter().any(|there| there == tag) {
                return Err(format!("{}: no case has the tag {tag}", claim.id).into());
            }
        }
        for begin in claim.constructs {
            if !CONSTRUCTS.iter().any(|name| name.starts_with(begin)) {
                return Err(format!("{}: no construct begins with \"{begin}\"", claim.id).into());
            }
        }
    }
    Ok(())
}

fn caught() -> Result<(), Failed> {
    for canary in claims::canaries() {
        let caught = canary.caught(&Ground {
            recognizer: canary.recognizer,
            inputs: 64,
            ..ground(shared()?)
        });
        if !caught.is_complete() {
            return Err(format!("{}: {caught}", canary.name).into());
        }
    }
    Ok(())
}

fn vacuous() -> Result<(), Failed> {
    for claim in claims::registry() {
        let (result, _) = claim.check(&Ground {
            cases: &[],
            inputs: 0,
            ..ground(shared()?)
        });
        if result.result != "vacuous" {
            return Err(format!("{} without input: {}", claim.id, result.result).into());
        }
    }
    Ok(())
}

/// Puts a property to proptest, which shrinks the bytes of what breaks it. What the oracle cannot decide is passed over.
fn shrinking(holds: fn(&Shared, &[u8]) -> Result<(), Failure>) -> Result<(), Failed> {
    let shared = shared()?;
    let config = Config {
        cases: INPUTS as u32,
        failure_persistence: None,
        ..Config::default()
    };
    // The same inputs each time; new ones are looked for by `verify` and by libFuzzer.
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
        .run(&vec(any::<u8>(), 0..512), |bytes| {
            match holds(shared, &bytes) {
                Ok(()) => Ok(()),
                Err(Failure::Refuted(why)) => Err(TestCaseError::fail(why)),
                Err(Failure::Undecided(why)) => Err(TestCaseError::reject(why)),
            }
        })
        .map_err(|error| error.to_string().into())
}

/// The inputs kept for the fuzz targets are decoded and judged.
fn stored() -> Result<(), Failed> {
    let shared = shared()?;
    let folder = corpus::cases_folder()
        .map_err(|fault| fault.to_string())?
        .join("../../fuzz/seeds/sed");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder)? {
        let path = entry?.path();
        let bytes = std::fs::read(&path)?;
        if let Err(Failure::Refuted(why)) = property::all(&shared.pool, answer, &bytes) {
            return Err(format!("{}: {why}", path.display()).into());
        }
        count += 1;
    }
    if count == 0 {
        return Err(format!("{}: holds no stored input", folder.display()).into());
    }
    Ok(())
}
