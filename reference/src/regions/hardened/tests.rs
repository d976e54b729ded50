//! The scanner's laws for any bytes, and what each part of it is for. Against the truth of the corpus it is held by `tests`,
//! against real bash by the properties.

use super::*;
use crate::programs::Why;
use quickcheck::quickcheck;

/// What is said of the place of `a b`, which stands in the command once.
fn said(command: &str) -> Result<Inert, Live> {
    let mut places = command.match_indices("a b");
    let (place, _) = places.next().expect("the text is there");
    assert!(
        places.next().is_none(),
        "{command}: the text is there twice"
    );
    scan(command.as_bytes()).why(place)
}

#[track_caller]
fn all_are(commands: &[&str], expected: Result<Inert, Live>) {
    for command in commands {
        assert_eq!(said(command), expected, "{command}");
    }
}

#[track_caller]
fn all_are_live(commands: &[&str]) {
    for command in commands {
        assert!(said(command).is_err(), "{command}");
    }
}

#[test]
fn text_that_gets_nowhere_is_text() {
    all_are(
        &[
            "echo 'a b'",
            "echo x 'a b' > f; ls",
            "make; echo 'a b' >> log",
            "grep -rn \"a b\" . | head -20",
            "git commit -m \"a b\" && ls",
            "if true; then echo 'a b'; fi",
            "f() { echo \"$1\"; }; f 'a b'",
            "sh -c 'echo \"a b\"'",
            "eval \"echo 'a b'\"",
            "trap 'echo \"a b\"' EXIT",
            "X=ls; $X; grep 'a b' f",
        ],
        Ok(Inert::Operand),
    );
    all_are(&["x='a b'; echo \"$x\"", "A='a b' ls"], Ok(Inert::Value));
    all_are(
        &["ls # a b", "sh -c 'ls # a b'", "ls <<E\nE\n# a b"],
        Ok(Inert::Comment),
    );
    all_are(
        &["cat <<'E' > f\na b\nE", "cat <<E\na b\nE"],
        Ok(Inert::Body),
    );
    all_are(&["cat <<< 'a b'"], Ok(Inert::HereString));
    all_are(&["[[ -n 'a b' ]]"], Ok(Inert::Test));
    all_are(&["case x in 'a b') ls;; esac"], Ok(Inert::Pattern));
    all_are(&["for x in 'a b'; do echo $x; done"], Ok(Inert::Item));
    all_are(&["ls > 'a b'"], Ok(Inert::Target));
    all_are(&["'a b' x"], Ok(Inert::NoProgram));
}

#[test]
fn program_text_is_live_wherever_it_stands() {
    let all = [
        "a b",
        "echo $(a b)",
        "cat <<E\n$(a b)\nE",
        "sh -c 'a b'",
        "eval 'a b'",
        "f() { a b; }",
        "trap 'a b' EXIT",
    ];
    all_are(&all, Err(Live::Program));
    all_are(
        &["sh <<E\na b\nE", "x=`a b`", "cat <(a b)", "bash <<< 'a b'"],
        Err(Live::Program),
    );
}

#[test]
fn text_is_followed_to_where_it_is_run() {
    all_are_live(&[
        "echo 'a b' | sh",
        "{ echo 'a b'; } 2>&1 | cat | sh",
        "echo 'a b' > s; . ./s",
        "x='a b'; $x",
        "x='a b'; eval \"$x\"",
        "read x <<< 'a b'; $x",
        "set -- 'a b'; $1",
        "f() { eval \"$1\"; }; f 'a b'",
        "f() { cat; }; echo 'a b' | f | sh",
        "exec > >(sh); echo 'a b'",
        "exec 3> >(sh); echo 'a b' >&3",
        "coproc sh; echo 'a b' >&\"${COPROC[1]}\"",
        "mkfifo p; sh < p & echo 'a b' > p",
        "while :; do sh s; echo 'a b' > s; done",
        "echo 'a b'; $_",
        ": a b; eval \"$BASH_EXECUTION_STRING\"",
        "set -x; exec 2> >(sh); echo 'a b'",
        "echo() { eval \"$@\"; }; echo 'a b'",
        "X='a b' make",
        "x='a b'; echo $((x))",
        "x='a b'; : ${x@P}",
        "PATH=$PWD:$PATH; ls 'a b'",
        "echo 'a b' > ~/bin/ls; ls",
        "tee s <<< 'a b'; sh s",
        "shopt -s expand_aliases\nalias x='a b'\nx",
        "nosuch 'a b'",
    ]);
}

#[test]
fn what_is_cut_off_is_text_again() {
    let all = [
        "echo 'a b' >/dev/null | sh",
        "echo 'a b' >&2 | sh",
        "echo 'a b'; true | sh",
        "sh s; echo 'a b' > s",
    ];
    all_are(&all, Ok(Inert::Operand));
}

#[test]
fn text_that_is_run_in_the_dark_takes_the_rest_along() {
    let within = "x=$(date); echo 'a b'; y='c d'; eval \"$y\"";
    assert_eq!(said(within), Err(Live::Redefined));
    let exposed = "echo 'a b' > f; python3 -c 'import f'";
    assert!(said(exposed).is_err());
}

#[test]
fn a_line_that_bash_refuses_leaves_those_before_it() {
    all_are(&["echo 'a b'\nif"], Ok(Inert::Operand));
    assert!(matches!(
        said("echo 'a b'; if"),
        Err(Live::NotUnderstood(_))
    ));
    assert!(matches!(
        said("echo 'a b' > f\nif"),
        Err(Live::NotUnderstood(_))
    ));
}

#[test]
fn the_name_of_a_program_is_live_where_it_is_kept() {
    let answer = scan(b"e=reboot; $e");
    assert_eq!(answer.why(2), Err(Live::Name));
    let answer = scan(b"mkfs /dev/sda; echo 'a b'");
    assert_eq!(answer.why(5), Err(Live::Run(Why::UnknownProgram)));
    assert_eq!(answer.why(21), Ok(Inert::Operand));
}

#[test]
fn files_that_text_gets_into_are_told() {
    let command = b"echo 'a b' >> ~/.bashrc; ls > /dev/null; tee x <<< y";
    let deferred: Vec<&[u8]> = scan(command)
        .deferred()
        .iter()
        .map(|span| &command[span.start..span.end])
        .collect();
    assert_eq!(deferred, [&b"~/.bashrc"[..], b"x"]);
    assert!(scan(b"echo 'a b' | cat").deferred().is_empty());
}

quickcheck! {
    fn regions_are_in_order_and_apart(bytes: Vec<u8>) -> bool {
        let regions = regions(&bytes);
        let inside = regions.iter().all(|region| region.start < region.end && region.end <= bytes.len());
        inside && regions.windows(2).all(|pair| pair[0].end <= pair[1].start)
    }

    fn a_command_of_pieces_has_regions_in_order_and_apart(numbers: Vec<u8>) -> bool {
        const PIECES: [&str; 40] = [
            "echo ", "'a b'", "\"", "'", "$(", ")", "`", "${x", "}", "<<E\n", "\nE\n", "eval ", "sh -c ", "; ", "\n", "|", "&", "x=",
            "$x", "(", "f() {", "}", " ", "\\", "#", "if ", "then ", "fi", "done", "for i in ", "do ", "$((", "))", "[[ ", " ]]", "<(",
            "> f", "<<< ", "trap ", "$'",
        ];
        let command: String = numbers.iter().map(|&number| PIECES[usize::from(number) % PIECES.len()]).collect();
        let regions = regions(command.as_bytes());
        regions.windows(2).all(|pair| pair[0].end <= pair[1].start)
    }

    fn live_is_what_no_region_holds(bytes: Vec<u8>) -> bool {
        let answer = scan(&bytes);
        let regions: Vec<Span> = answer.regions().map(|(region, _)| region).collect();
        (0..=bytes.len()).all(|at| answer.is_live(at) != regions.iter().any(|region| region.contains(at)))
    }
}

#[test]
fn deep_nesting_needs_no_deep_stack() {
    for (open, close) in [
        ("$(", ")"),
        ("(", ")"),
        ("if ", ";then :;fi"),
        ("\"$(", ")\""),
        ("${x:-", "}"),
        ("<(", ")"),
    ] {
        for depth in [190, 10_000] {
            let command = format!("{}:{}", open.repeat(depth), close.repeat(depth));
            assert!(scan(command.as_bytes()).is_live(0));
        }
    }
}

#[test]
fn what_an_attack_found_is_live() {
    all_are_live(&[
        "env c='a b' sh -c '$c'",
        "getopts o: v -o 'a b'; eval \"$OPTARG\"",
        "builtin builtin command read <<< 'a b'; $REPLY",
        "c='a b'; command export c; env | sh",
        "bash -kc 'sh -c \"\\$c\" c=\"a b\"'",
        "f() { : 'a b'; }; export -f f; env | sh",
        "OPTIND='x[$(a b)]'",
        "OPTIND=x; x='y[$(a b)]'; OPTIND=x",
        "setsid -f sh -c 'sleep 1; sh s'; echo 'a b' > s",
        "printf 'x:' > Makefile; echo 'a b' | make -s",
        "echo sh > s; bash s <<< 'a b'",
        "exec() { sh; }; exec <<< 'a b'",
        "f() { echo 'a b'; } >&3; f 3>&1 | sh",
        "(trap 'echo \"a b\"' EXIT >/dev/null) | sh",
        "TIMEFORMAT='ab'; TIMEFORMAT='a b'; { time :; } 2>&1 | sh",
        "read 'x[0]' <<< 'a b'; ${x[0]}",
        "(exec -a 'a b' sh -c '$0')",
        "echo 'a b' > 1/ls; ((PATH=1)); ls",
        "echo 'a b' > 1/ls; : $((PATH=1)); ls",
        "echo 'a b' > 1/ls; x[PAT\\\nH=1]=y; ls",
        "echo 'a b' > 1/ls; ((PA\"TH\"=1)); ls",
        "echo 'a b' > 1/ls; (( \"PA\"\"TH\" = 1 )); ls",
        "echo 'a b' | xargs -I{} sh -c 'echo {}'",
        "echo 'a b' > ls; chmod +x ls; unset PATH; ls",
        "echo 'a b' > ls; chmod +x ls; unset -v 'PATH[0]'; ls",
        "printf -v 'a[1]' 'a b'; ${a[1]}",
        "cat <<'E' | xargs -IX bash -c \"echo 'X'\"\na b\nE",
        "echo `cat <<'E'O'F'\nE\\\nOF\na b`",
        "echo 'a b' > 10/ls; exec {PATH}</dev/null; ls",
        "cd /dev; echo 'a b' > stdout | sh",
        "cd /; echo 'a b' > dev/stdout | sh",
        "echo 'a b' > ../dev/stdout | sh",
        "echo 'a b' > //dev/stdout | sh",
        "bash //dev/stdin <<< 'a b'",
        "sh -c 'x+=\"a b\"' 2>&1 | sh",
        "xargs -n1 sh -c 'sh s; echo \"a b\" > s' <<< '1 2'",
    ]);
}
