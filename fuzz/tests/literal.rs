//! Does the literal scanner answer for any bytes, and do the properties notice a scanner that does not?

use fuzz::property::Failure;
use fuzz::property::regions::{all, regions_know_characters_by_class, regions_lie_in_the_command};
use proptest::prelude::*;
use reference::regions::{Span, literal};

/// What the rules speak of, beyond single bytes.
const PIECES: &[&str] = &[
    "<<", "<<-", "E", "'E'", "\"E\"", "\nE\n", "\n\tE\r", "echo ", "-m ", "/ag ", "A=", "'", "\"",
    "\\", "#", " #", "$(", "`", "\n", ";", "|", "&", "(", ")", "<", ">", " ", "\t", "\r", "a", "é",
    "\u{85}", "\u{a0}", "\u{2028}", "\u{2029}", "\u{200a}", "\u{200b}", "\u{feff}", "😀",
];

fn command() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        9 => proptest::sample::select(PIECES).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn span(start: usize, end: usize) -> Span {
    Span { start, end }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        // A run that fails is kept by hand, as a case.
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_command_has_regions_that_lie_in_it(command in command()) {
        prop_assert_eq!(all(literal::regions, &command), Ok(()));
    }

    #[test]
    fn any_bytes_have_regions_that_lie_in_them(bytes: Vec<u8>) {
        prop_assert_eq!(all(literal::regions, &bytes), Ok(()));
    }
}

#[test]
fn both_answers_occur() {
    for (command, any) in [("echo x", false), ("echo '€'", true)] {
        let command = command.as_bytes();
        assert_eq!(
            regions_lie_in_the_command(literal::regions, command),
            Ok(any)
        );
        assert_eq!(
            regions_know_characters_by_class(literal::regions, command),
            Ok(any)
        );
    }
}

#[test]
fn a_scanner_that_is_wrong_is_noticed() {
    fn refuted<T>(result: Result<T, Failure>) -> bool {
        matches!(result, Err(Failure::Refuted(_)))
    }
    let outside = |_: &[u8]| vec![span(0, 3)];
    let first_byte = |_: &[u8]| vec![span(0, 1)];
    let unsorted = |_: &[u8]| vec![span(1, 1), span(0, 1)];
    assert!(refuted(regions_lie_in_the_command(outside, b"ab")));
    assert!(refuted(regions_lie_in_the_command(unsorted, b"ab")));
    assert!(refuted(regions_lie_in_the_command(
        first_byte,
        "é".as_bytes()
    )));
    assert_eq!(regions_lie_in_the_command(first_byte, b"\xc3"), Ok(true));
    let by_byte = |command: &[u8]| match command {
        [.., 0x9f] => vec![span(0, 2)],
        _ => Vec::new(),
    };
    assert!(refuted(regions_know_characters_by_class(
        by_byte,
        "ü".as_bytes()
    )));
}
