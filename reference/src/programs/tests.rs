//! The table against what `docs/spec/regions.md` says of sections 3.4 to 3.6 and 4, and its laws for any words.

use super::entry::TABLE;
use super::{Input, Role, Usage, Why, usage};
use crate::shell::{Rest, Value};
use quickcheck::{Arbitrary, Gen, quickcheck};

/// Words as one would write them, with `?` for what is not known: `a?` one word, `a*` names, `a@` any number of words. A word in
/// `<>` is taken as it is.
fn words(text: &str) -> Vec<Value> {
    let value = |word: &str| {
        let (prefix, rest) = match word.as_bytes() {
            [b'<', .., b'>'] => (&word[1..word.len() - 1], Rest::Nothing),
            [.., b'?'] => (&word[..word.len() - 1], Rest::One),
            [.., b'*'] => (&word[..word.len() - 1], Rest::Names),
            [.., b'@'] => (&word[..word.len() - 1], Rest::Words),
            _ => (word, Rest::Nothing),
        };
        Value {
            prefix: prefix.replace('_', " ").into_bytes(),
            rest,
        }
    };
    text.split(' ').map(value).collect()
}

fn of(text: &str) -> Usage {
    usage(&words(text))
}

/// The roles of the words after the verb, a letter each.
fn roles(text: &str) -> String {
    let letter = |role: &Role| match role {
        Role::Verb => 'v',
        Role::Data => 'd',
        Role::Reads => 'r',
        Role::Writes => 'w',
        Role::ReadsAndWrites => 'b',
        Role::Variable => 'n',
        Role::Positional => 'p',
        Role::Evaluated => 'e',
        Role::Runs(_) => 'X',
        Role::RunsFile(_) => 'F',
    };
    of(text).roles[1..].iter().map(letter).collect()
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(roles(text), *expected, "{text}");
    }
}

#[test]
fn every_name_is_there_once() {
    let mut names: Vec<&str> = TABLE
        .entries
        .iter()
        .flat_map(|entry| entry.names.iter().copied())
        .collect();
    names.sort_unstable();
    let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

/// The programs of `docs/spec/harness.md`, section 4, but for the builtins.
const READERS: &str = "cat tac nl head tail wc cut paste join comm uniq sort tr fold fmt column expand rev echo printf test [ true \
    false seq basename dirname realpath readlink pwd ls stat file du df tree find grep egrep fgrep rg ag diff cmp md5sum sha1sum \
    sha256sum sha512sum cksum base64 od xxd hexdump strings jq awk gawk sed date uname id whoami hostname nproc env printenv which \
    getconf locale ps git xargs timeout nice stdbuf sleep less more expr bc shuf pr iconv free zcat";

/// What `help -d` of bash lists and is no reserved word.
const BUILTINS: &str = ". : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo \
    enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read \
    readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait";

#[test]
fn readers_and_builtins_are_all_there() {
    for name in READERS
        .split_whitespace()
        .chain(BUILTINS.split_whitespace())
    {
        assert!(TABLE.named(name.as_bytes()).is_some(), "{name}");
    }
}

#[test]
fn options_and_operands_are_told_apart() {
    check(&[
        ("sort -k2 -t: -o out in", "dddwr"),
        ("sort in -oout --output=x", "rww"),
        ("sort -- -o", "dr"),
        ("sort --comp=sh in", "Xr"),
        ("grep -n X f g", "ddrr"),
        ("grep -eX f", "dr"),
        ("grep f -e X", "rdd"),
        ("grep -f list f", "drr"),
        ("head -5 f", "dr"),
        ("head -n 5 f", "ddr"),
        ("tee -a notes", "dw"),
        ("cp a b c", "rrw"),
        ("cp -t d a b", "dwrr"),
        ("mv a b", "bw"),
        ("uniq a b", "rw"),
        ("dd if=a of=b bs=1", "rwd"),
        ("tar czf a.tgz d", "dwr"),
        ("tar -xzf a.tgz", "dr"),
        ("tar tf a.tgz --to-command=x", "drX"),
        ("tar -x -m --to-command=x", "ddX"),
        ("split --filter=x f", "Xr"),
    ]);
}

#[test]
fn an_option_that_is_not_there_makes_all_unknown() {
    check(&[
        ("sort --bogus a", "XX"),
        ("grep --pre=x a b", "XXX"),
        ("cat -q f", "XX"),
        ("nosuch a", "X"),
    ]);
    assert_eq!(of("sort --bogus").input, Input::Runs(Why::UnknownOption));
}

#[test]
fn a_word_that_may_become_an_option() {
    check(&[
        // `--compress-program`, `--pre`, `--pager`, `-O` are among the options.
        ("sort ?", "X"),
        ("sort *", "X"),
        ("rg X ?", "XX"),
        ("rg X -- ?", "ddr"),
        ("git grep X @", "vXX"),
        // No option of these does harm.
        ("cat ?", "r"),
        ("cat *", "r"),
        ("grep X @", "rr"),
        ("grep -e X @", "rrr"),
        ("touch @", "w"),
        ("cp ? ?", "bb"),
        // It begins with no dash, or with a known option.
        ("sort a?", "r"),
        ("sort a@", "X"),
        ("sort -oa?", "w"),
        ("sort -o?", "X"),
        ("sort --output=?", "w"),
        ("git commit --message=?", "vd"),
        ("git commit -m ?", "vdd"),
        ("git commit -m @", "vXX"),
    ]);
}

#[test]
fn searchers() {
    check(&[
        ("rg --pre x f", "dXd"),
        ("rg --hostname-bin=x f", "Xd"),
        ("ag --pager x f", "dXd"),
        ("ack --pager=x f", "Xd"),
        ("ack --pager x y f", "dXdr"),
        ("git grep -O x", "vdd"),
        ("git grep -Ox y", "vXd"),
        ("find . -name X", "rdd"),
        ("find . -exec grep X {} ;", "rdvdrd"),
        ("find . -exec sh {} ;", "FdvFd"),
        ("find . -exec {} ;", "FdXd"),
        ("find -name a -delete", "ddd"),
        ("find d -delete", "bd"),
        ("find d -exec rm {} +", "bdvwd"),
        ("find d -fprintf o %p", "rdwd"),
        ("find d -bogus", "XX"),
        ("find d -name @", "XXX"),
    ]);
    let quiet = of("grep -q X f");
    assert!(!quiet.prints && quiet.input == Input::Data);
    assert!(of("git grep -O x").opaque.is_some());
}

#[test]
fn wrappers() {
    check(&[
        ("env A=1 grep X f", "dvdr"),
        ("env -i PATH=x grep X f", "dXvdr"),
        ("env -S x", "dX"),
        ("timeout 5 nice -n 3 echo X", "dvddvd"),
        ("timeout -k 1 5 sh -c X", "dddvdX"),
        ("git clone -u X a", "vdXd"),
        ("git push -u a X", "vddd"),
        ("xargs echo X", "vd"),
        ("xargs -I{} echo {}", "dvd"),
        ("command echo X", "vd"),
        ("command -v ?", "dd"),
        ("command ? X", "XX"),
        ("xargs sh -c X a", "vdXX"),
        ("git log ? -- f", "vbbb"),
        ("builtin printf X", "vd"),
        ("exec echo X", "vd"),
        ("env eval X", "vX"),
        ("sudo -u root tee f", "ddvw"),
        ("flock l echo X", "wvd"),
        ("flock l -c X", "wdX"),
        ("watch -b X", "dX"),
        ("ssh host echo X", "dXX"),
        ("docker exec -i c echo X", "vddvd"),
        ("kubectl exec p -- sh -c X", "vddvdX"),
        ("kubectl exec p a -- sh -c X", "vXXXXXX"),
        ("? a", "X"),
        ("timeout 5 ? a", "dvX"),
    ]);
    assert_eq!(of("xargs echo").input, Input::Data);
    assert_eq!(of("xargs").input, Input::Data);
    assert!(matches!(of("xargs sh").input, Input::Runs(_)));
    assert!(matches!(of("xargs -I{} sh -c {}").input, Input::Runs(_)));
    assert!(matches!(of("xargs env").input, Input::Runs(_)));
    assert_eq!(of("xargs -I{} cat {}").input, Input::Data);
    assert_eq!(roles("xargs -a f sh"), "dFv");
    assert_eq!(of("timeout 5 cat").input, Input::Data);
}

#[test]
fn shells() {
    check(&[
        ("sh -c X", "dX"),
        ("bash -c -b X a", "ddXX"),
        ("bash -n f", "dd"),
        ("bash -nc X", "dd"),
        ("bash -norc -c X", "ddX"),
        ("bash -o noexec f", "ddd"),
        ("bash f X", "FX"),
        ("sh -s X", "dX"),
        ("sh ?", "X"),
        ("busybox sh -c X", "vdX"),
    ]);
    for text in [
        "sh",
        "bash -s",
        "bash -",
        "bash -x",
        "sh /dev/stdin",
        "bash -e",
    ] {
        assert!(matches!(of(text).input, Input::Runs(_)), "{text}");
        assert!(of(text).input_language.is_some(), "{text}");
    }
    for text in [
        "bash f",
        "bash f X",
        "make",
        "env -S sh",
        "python3 f",
        "awk -f f",
    ] {
        assert!(matches!(of(text).input, Input::Runs(_)), "{text}");
    }
    for text in [
        "bash -ac X",
        "bash -kc X",
        "sh -o allexport -c X",
        "bash -O extglob -c X",
    ] {
        assert!(of(text).opaque.is_some(), "{text}");
    }
    assert!(of("bash -euo pipefail -c X").opaque.is_none());
    for text in ["setsid -f X", "sudo -b sh", "ssh -f host X"] {
        assert!(of(text).lasting, "{text}");
    }
    assert_eq!(of("bash -n").input, Input::Data);
    let text = of("env bash -c X a b");
    assert_eq!(text.programs.len(), 1);
    assert_eq!(
        (
            text.programs[0].words.clone(),
            text.programs[0].arguments.clone()
        ),
        (3..4, 4..6)
    );
}

#[test]
fn builtins() {
    check(&[
        ("printf -v x X", "dnd"),
        ("printf -vx X", "nd"),
        ("printf -v a[0] X", "dnd"),
        ("printf -v a[x] X", "ded"),
        ("printf -- -v X", "ddd"),
        ("printf X -v a[0]", "ddd"),
        ("printf ?", "d"),
        ("printf ? X", "XX"),
        ("test -v x", "dd"),
        ("test -v a[0]", "dd"),
        ("[ a -eq b[0] ]", "dddd"),
        ("[ -n ? ]", "ddd"),
        ("[ ? = ? ]", "dddd"),
        ("[ ? ? ]", "ded"),
        ("[ @ ]", "ed"),
        ("let a=1", "e"),
        ("read x a[0]", "nn"),
        ("read -p X x", "ddn"),
        ("mapfile -C X -c 1 a", "dXddn"),
        ("declare x=X", "n"),
        ("declare -i x=X", "de"),
        ("declare -a x=X", "de"),
        ("declare a[0]=X", "e"),
        ("declare x=(X)", "e"),
        ("export x=X", "n"),
        ("export PATH=X", "X"),
        ("unset x a[0]", "dd"),
        ("wait -n -p a[0]", "ddn"),
        ("getopts ab x", "dn"),
        ("set -- X", "dp"),
        ("eval echo X", "XX"),
        ("trap X EXIT", "Xd"),
        (". f X", "Fp"),
        ("echo -e X @", "ddd"),
        (": ?", "d"),
        ("alias x=X", "X"),
    ]);
    for text in [
        "declare -p",
        "declare",
        "set",
        "export",
        "alias",
        "trap -p",
        "trap",
        "history",
        "fc",
        "declare -f",
        "set -x",
        "set -o xtrace",
    ] {
        assert!(of(text).shows_itself, "{text}");
    }
    for text in [
        "echo x",
        "export x=1",
        "set -e",
        "set -- a",
        "declare x=1",
        "trap x EXIT",
    ] {
        assert!(!of(text).shows_itself, "{text}");
    }
    for text in [
        "eval x",
        ". f",
        "alias x=y",
        "hash -p a b",
        "enable -n x",
        "shopt -s extglob",
        "exec",
        "set -k",
        "shopt -s expand_aliases",
    ] {
        assert!(of(text).redefines.is_some(), "{text}");
    }
    for text in ["set -euo pipefail", "set -- a", "shopt -s globstar", "cd d"] {
        assert!(of(text).redefines.is_none(), "{text}");
    }
    assert!(of("eval x").programs[0].own_shell);
}

#[test]
fn interpreters_and_filters_with_a_language() {
    check(&[
        ("sed -n 1p f", "ddr"),
        ("sed -i s/a/b/ f", "ddb"),
        ("sed s/a/b/e f", "XX"),
        ("sed -b 1e_X f", "XXX"),
        ("sed -f s f", "XXX"),
        ("sed -n 1p ?", "XXX"),
        ("sed -n 1p -- ?", "dddr"),
        ("sed ?", "X"),
        ("awk {print_$1} f", "dr"),
        ("awk -F: -v x=1 $3>5||x f", "ddddr"),
        ("awk BEGIN{system(\"X\")} f", "XX"),
        ("awk {print|\"sh\"} f", "XX"),
        ("awk -f s f", "dFr"),
        ("gawk -b BEGIN{system(\"X\")}", "XX"),
        ("make -b --eval=x", "dX"),
        ("perl -e X", "XX"),
        ("python3 s.py X", "FX"),
        ("python3 -c X", "XX"),
        ("jq -r .a f", "ddr"),
        ("git rebase -m --exec=X", "XXX"),
        ("git -c alias.x=!X log", "XXX"),
        ("git -c user.name=x log", "ddv"),
        ("git config user.name x", "vdd"),
        ("git config alias.x !X", "vXX"),
        ("git config --get alias.x", "vdd"),
        ("gh pr create --title X --body X", "vvdddd"),
    ]);
    for text in [
        "sort --compress-program=x f",
        "split --filter x",
        "tar x --to-command=x",
        "rg --pre x y f",
    ] {
        let said = of(text);
        assert!(
            matches!(said.input, Input::Runs(_)) && said.opaque.is_some(),
            "{text}"
        );
    }
    assert!(matches!(of("make -f -").input, Input::Runs(_)));
    assert!(matches!(of("perl").input, Input::Runs(_)));
    assert!(of("awk {print>\"f\"} f").writes && !of("awk {print} f").writes);
}

#[test]
fn what_prints_nothing_of_its_data() {
    for text in [
        "wc -c",
        "grep -q X f",
        "cmp -s a b",
        "sha256sum",
        "true X",
        "test X",
        "sleep X",
    ] {
        assert!(!of(text).prints, "{text}");
    }
    for text in [
        "wc f",
        "grep X f",
        "cmp a b",
        "sha256sum f",
        "cat",
        "xargs echo",
        "timeout 1 cat",
        "grep -q @",
    ] {
        assert!(of(text).prints, "{text}");
    }
}

/// Any words, most of them like those of the table.
#[derive(Clone, Debug)]
struct Any(Vec<Value>);

impl Arbitrary for Any {
    fn arbitrary(gen_: &mut Gen) -> Self {
        let one = |gen_: &mut Gen| {
            let entry = gen_.choose(&TABLE.entries).expect("there are some");
            let option = gen_.choose(&entry.choices);
            let fixed = [
                "--", "-", "", "{}", ";", "+", "]", "a[0]", "-v", "-c", "x=y", "f", "-exec", "(",
                "-vx", "-",
            ];
            let mut prefix = match u8::arbitrary(gen_) % 8 {
                0..3 => gen_
                    .choose(&entry.names)
                    .expect("an entry has a name")
                    .replace("git ", "")
                    .into_bytes(),
                3..5 => option.map_or(Vec::new(), |option| match option.names.first() {
                    Some(name) => [b"--", name.as_bytes()].concat(),
                    None => [b"-", &option.letters[..]].concat(),
                }),
                5..7 => gen_
                    .choose(&fixed)
                    .expect("there are some")
                    .as_bytes()
                    .to_vec(),
                _ => Vec::arbitrary(gen_),
            };
            if u8::arbitrary(gen_).is_multiple_of(5) {
                prefix.truncate(usize::arbitrary(gen_) % (prefix.len() + 1));
            }
            let rest = match u8::arbitrary(gen_) % 12 {
                0 => Rest::One,
                1 => Rest::Names,
                2 => Rest::Words,
                _ => Rest::Nothing,
            };
            Value { prefix, rest }
        };
        let count = 1 + usize::arbitrary(gen_) % 12;
        Self((0..count).map(|_| one(gen_)).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let words = self.0.clone();
        Box::new((1..words.len()).map(move |without| {
            let mut words = words.clone();
            words.remove(without);
            Self(words)
        }))
    }
}

quickcheck! {
    fn each_word_has_a_role_and_a_start_within_it(any: Any) -> bool {
        let said = usage(&any.0);
        let within = said.starts.iter().zip(&any.0).all(|(&start, word)| start <= word.prefix.len() + 1);
        said.roles.len() == any.0.len() && said.starts.len() == any.0.len() && within && said.roles[0] == Role::Verb
            || !any.0[0].is_known() && said.roles.len() == any.0.len()
    }

    fn program_text_is_among_the_words_and_runs(any: Any) -> bool {
        let said = usage(&any.0);
        said.programs.iter().all(|program| {
            program.words.clone().chain(program.arguments.clone()).all(|at| matches!(said.roles.get(at), Some(Role::Runs(_))))
        })
    }

    /// What is less known is said to do no less: a word that could be anything instead of one of the words.
    fn less_known_is_not_less(any: Any, at: usize) -> bool {
        let at = at % any.0.len();
        let mut vague = any.0.clone();
        vague[at] = Value { prefix: Vec::new(), rest: Rest::Words };
        let (exact, vague) = (usage(&any.0), usage(&vague));
        // An entry is held to be whole: a word that is not known is none of the options that it lacks.
        exact.opaque == Some(Why::UnknownOption) || exact.roles.iter().zip(&vague.roles).enumerate().all(|(number, (one, other))| number == at || covers(*other, *one))
    }
}

/// Is what `other` may do among what `role` may do? A program that runs its words may do anything with them.
fn covers(role: Role, other: Role) -> bool {
    match (role, other) {
        (one, other) if one == other => true,
        (Role::Runs(_), _) | (Role::RunsFile(_), Role::Reads | Role::Data | Role::Positional) => {
            true
        }
        (Role::RunsFile(_), Role::RunsFile(_)) => true,
        (_, Role::Data) => true,
        (Role::ReadsAndWrites, Role::Reads | Role::Writes) => true,
        (Role::Evaluated, Role::Variable) => true,
        _ => false,
    }
}

#[test]
fn words_of_any_number_cost_the_same_each() {
    let mut long = words("sort");
    long.extend((0..200_000).map(|_| Value::known("--key=1")));
    assert_eq!(usage(&long).roles.len(), 200_001);
    let mut nested = words("env");
    nested.extend((0..200_000).map(|_| Value::known("env")));
    assert_eq!(usage(&nested).roles.len(), 200_001);
}
