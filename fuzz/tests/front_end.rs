//! Is there a tree for any bytes, and is it whole?

use fuzz::generate::shell;
use fuzz::property::shell::tree_is_whole;
use proptest::prelude::*;

/// What the syntax is made of: random bytes are mostly plain words.
const PIECES: &[&str] = &[
    "a",
    " ",
    "\n",
    "'",
    "\"",
    "\\",
    "`",
    "$(",
    ")",
    "(",
    "${",
    "}",
    "$((",
    "))",
    "<<a",
    "<<-'a'",
    "\na\n",
    "\n\ta\n",
    "#",
    ";",
    "&",
    "|",
    "<",
    ">",
    "if ",
    "then ",
    "fi",
    "for ",
    "in ",
    "do ",
    "done",
    "case ",
    "esac",
    "[[ ",
    " ]]",
    "[",
    "]",
    "=",
    "{ ",
    "$'",
    "$",
    "x",
    "\t",
    "!",
    "@(",
    "=~",
    "\0",
    "1",
    "\\\n",
    "\\`",
    "\\\\\\`",
    "é",
    "coproc ",
    "f() ",
    "function ",
    "time ",
    "${x-",
    "\"${x-'",
    "&>",
    "<<<",
    "{a}>",
    "a=(",
    "a[",
    "select ",
    "while ",
    "until ",
    "else ",
    "elif ",
];

fn command() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        19 => proptest::sample::select(PIECES).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn holds(command: &[u8]) -> Result<(), TestCaseError> {
    tree_is_whole(command).map_err(|why| TestCaseError::fail(format!("{why:?}")))?;
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 5_000,
        // A run that fails is kept by hand, as a case.
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_command_has_a_tree(command in command()) {
        holds(&command)?;
    }

    #[test]
    fn any_bytes_have_a_tree(bytes: Vec<u8>) {
        holds(&bytes)?;
    }

    #[test]
    fn any_generated_command_has_a_tree(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        holds(&shell(&bytes).text)?;
    }
}

#[test]
fn both_answers_occur() {
    assert_eq!(tree_is_whole(b"echo a | b"), Ok(true));
    assert_eq!(tree_is_whole(b"echo a | )"), Ok(false));
}
