//! Does every claim hold as far as it is expected to? One named test a claim and form; what `cargo xtask verify` runs with
//! more input.

use corpus::{Body, Case, Order};
use differential::replay::Form;
use differential::sandbox::{Options, Pool, become_worker_if_asked};
use differential::sed::oracle;
use fuzz::claims::{self, Checked, Claim, Expected, Ground, Kind};
use fuzz::generate::{CONSTRUCTS, SHELL_CONSTRUCTS, shell};
use fuzz::property::regions::literal_agrees_with_bash;
use fuzz::property::{Failure, sed as property};
use libtest_mimic::{Arguments, Failed, Trial};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use reference::regions::{hardened, literal};
use reference::sed::answer;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

/// Generated inputs of a claim about sed, each put to the static oracle and run.
const INPUTS: u64 = 256;
/// Commands of a claim about regions, each run by bash: they cost more. A claim that is refuted may take more of them.
const COMMANDS: u64 = 48;
/// A run that fails is run again with the same input.
const SEED: u64 = 20_240_229;

/// What all tests of this program share.
struct Shared {
    pool: Pool,
    cases: Vec<Case>,
}

static SHARED: LazyLock<Result<Shared, String>> = LazyLock::new(|| {
    let options = Options {
        commands: true,
        ..Options::default()
    };
    let pool = Pool::start(2, options).map_err(|error| error.to_string())?;
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
        scanner: literal::regions,
        hardened: hardened::regions,
        form: Form::Literal,
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
    let claims = claims::registry().into_iter().map(Arc::new);
    let mut trials: Vec<Trial> = claims.flat_map(tests_of).collect();
    trials.extend([
        Trial::test("the_specification_and_the_registry_agree", agree),
        Trial::test("what_a_claim_names_is_there", named),
        Trial::test("every_claim_has_a_case", cases),
        Trial::test("a_subject_wrong_on_purpose_is_caught", caught),
        Trial::test(
            "what_the_literal_scanner_gets_wrong_is_found_and_shrunk",
            wrong,
        ),
        Trial::test("a_check_without_input_is_vacuous", vacuous),
        Trial::test("nothing_happens_that_is_not_named", || {
            shrinking(|shared, bytes| property::all(&shared.pool, answer, bytes))
        }),
        Trial::test("stored_inputs_break_nothing", stored),
    ]);
    libtest_mimic::run(&arguments, trials).exit();
}

fn tests_of(claim: Arc<Claim>) -> Vec<Trial> {
    let test = |(form, expected): (Form, Expected)| {
        let claim = Arc::clone(&claim);
        let name = format!("{} ({}): {}", claim.id, form.word(), claim.sentence);
        Trial::test(name, move || {
            let mut ground = ground(shared()?);
            if claim.source == "regions.md" {
                ground.inputs = COMMANDS;
            }
            let (result, checked) = claim.check((form, expected), &ground);
            if result.result != result.expected {
                let (is, expected) = (result.result, result.expected);
                let Checked {
                    counterexample,
                    answers,
                    unasked,
                    ..
                } = checked;
                return Err(format!(
                    "{is}, expected {expected}: {answers:?} {unasked:?}\n{}",
                    counterexample.unwrap_or_default()
                )
                .into());
            }
            Ok(())
        })
    };
    claim.forms().map(test).collect()
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
    let of_sed = |case: &&Case| matches!(case.body, Body::Sed(_));
    let of_regions = |case: &&Case| matches!(case.body, Body::Regions(_));
    for claim in claims::registry() {
        let cases = shared()?.cases.iter();
        let (tags, constructs): (Vec<&String>, &[&str]) = match claim.source {
            "sed.md" => (
                cases.filter(of_sed).flat_map(Case::tags).collect(),
                CONSTRUCTS,
            ),
            _ => (
                cases.filter(of_regions).flat_map(Case::tags).collect(),
                SHELL_CONSTRUCTS,
            ),
        };
        for tag in claim.tags {
            if !tags.iter().any(|there| there == tag) {
                return Err(format!("{}: no case has the tag {tag}", claim.id).into());
            }
        }
        for begin in claim.constructs {
            if !constructs.iter().any(|name| name.starts_with(begin)) {
                return Err(format!("{}: no construct begins with \"{begin}\"", claim.id).into());
            }
        }
    }
    Ok(())
}

/// What bash decides about regions is shown by at least one case, tagged with the number of the claim.
fn cases() -> Result<(), Failed> {
    let claims = claims::registry();
    let decided = claims
        .iter()
        .filter(|claim| claim.source == "regions.md" && claim.kind == Kind::Differential);
    for claim in decided {
        let of_claim = |case: &Case| case.tags().iter().any(|tag| tag == claim.id);
        if !shared()?.cases.iter().any(of_claim) {
            return Err(format!("{}: no case has its number as a tag", claim.id).into());
        }
    }
    Ok(())
}

fn caught() -> Result<(), Failed> {
    for canary in claims::canaries() {
        let caught = canary.caught(&Ground {
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
        for asked in claim.forms() {
            let (result, _) = claim.check(
                asked,
                &Ground {
                    cases: &[],
                    inputs: 0,
                    ..ground(shared()?)
                },
            );
            if result.result != "vacuous" {
                return Err(format!("{} without input: {}", claim.id, result.result).into());
            }
        }
    }
    Ok(())
}

/// The scanner differs from bash: the property that says it does not has to break, and on something short.
fn wrong() -> Result<(), Failed> {
    let broken = shrinking(|shared, bytes| {
        literal_agrees_with_bash(&shared.pool, literal::regions, &shell(bytes)).map(drop)
    });
    match broken {
        Ok(()) => Err("no command was found on which the literal scanner differs from bash".into()),
        Err(_) => Ok(()),
    }
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
                Err(Failure::Undecided(why) | Failure::Unasked(why)) => {
                    Err(TestCaseError::reject(why))
                }
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
