//! Trees as they should be, each form written as bash reads it (`docs/spec/regions.md` section 3, by number).

use super::{Kind, NodeId, Rest, Tree, Value, parse, parse_within};
use quickcheck::quickcheck;

/// The tree on one line: plain words as they stand, what has parts as `Kind(parts)`, lists without their wrapping.
fn shown(command: &str) -> String {
    let tree = parse(command.as_bytes());
    let mut out = String::new();
    for child in tree.children(tree.root()) {
        show(&tree, child, &mut out);
        out.push('\n');
    }
    out.trim_end().to_owned()
}

fn show(tree: &Tree, id: NodeId, out: &mut String) {
    let text = String::from_utf8_lossy(tree.text(id)).into_owned();
    let has_children = tree.children(id).next().is_some();
    match tree.kind(id) {
        Kind::Comment | Kind::And | Kind::Or | Kind::Pipe | Kind::PipeBoth | Kind::Background => {
            *out += text.trim();
        }
        Kind::Then => *out += ";",
        Kind::Word if !has_children => *out += &text,
        Kind::List | Kind::Pipeline | Kind::Simple => parts(tree, id, out),
        kind => {
            let name = format!("{kind:?}");
            *out += name.split('(').next().unwrap_or_default();
            match has_children {
                true => {
                    out.push('(');
                    parts(tree, id, out);
                    out.push(')');
                }
                false => *out += &format!("<{text}>"),
            }
        }
    }
}

fn parts(tree: &Tree, id: NodeId, out: &mut String) {
    for (number, child) in tree.children(id).enumerate() {
        if number > 0 {
            out.push(' ');
        }
        show(tree, child, out);
    }
}

#[track_caller]
fn reads(command: &str, tree: &str) {
    assert_eq!(shown(command), tree, "{command}");
}

#[test]
fn a_complete_line_is_a_list() {
    reads("a b; c & d\ne", "a b ; c & d\ne");
    reads("a && b ||\n\n c | d |& e", "a && b || c | d |& e");
}

#[test]
fn comments_begin_where_a_token_begins_b_01_to_b_07() {
    reads("echo x;#a", "echo x ; #a");
    reads("(ls)#a", "Subshell(ls) #a");
    reads("ls |#a\ncat", "ls | #a cat");
    reads("echo a\\ #b", "echo Word(Escaped<\\ >)");
    reads("echo $(date)#b", "echo Word(CommandSubstitution(date))");
    reads("echo a\\\n#b", "echo Word(Continuation<\\\n>)");
    reads("echo a \\\n#b", "echo a #b");
    reads(
        "echo ${x%% #*}; b",
        "echo Word(Parameter(Name<x> Operand<%% #*>)) ; b",
    );
    reads("echo a \r#b", "echo a \r#b");
    reads("# a \\\nb", "# a \\\nb");
    reads("# it's\nb", "# it\'s\nb");
    reads(
        "echo `date #now`; b",
        "echo Word(Backquoted(date #now)) ; b",
    );
    reads(
        "echo $(date #)\n)",
        "echo Word(CommandSubstitution(date #) ;))",
    );
    reads("echo a#b", "echo a#b");
    reads(": \"# x\"", ": Word(DoubleQuoted<\"# x\">)");
}

#[test]
fn quotes_b_10_to_b_13() {
    reads(
        "echo \"a\\\"b\" c",
        "echo Word(DoubleQuoted(Escaped<\\\">)) c",
    );
    reads(
        "echo \"\\\\$(b)\"",
        "echo Word(DoubleQuoted(Escaped<\\\\> CommandSubstitution(b)))",
    );
    reads("echo $'a\\'b' c", "echo Word(AnsiQuoted<$\'a\\\'b\'>) c");
    reads("echo \"$'\" c", "echo Word(DoubleQuoted<\"$\'\">) c");
    reads(
        "echo $\"a $b\"",
        "echo Word(LocaleQuoted(Parameter(Name<b>)))",
    );
    reads(
        "echo \"$(: \"a\"; b)\"",
        "echo Word(DoubleQuoted(CommandSubstitution(: Word(DoubleQuoted<\"a\">) ; b)))",
    );
    reads(
        "echo \"${x:-\"a b\"}\" c",
        "echo Word(DoubleQuoted(Parameter(Name<x> Operand(DoubleQuoted<\"a b\">)))) c",
    );
    reads(
        "echo \"${x:-'$(a)'}\"",
        "echo Word(DoubleQuoted(Parameter(Name<x> Operand(CommandSubstitution(a)))))",
    );
    reads(
        "echo ${x:-'$(a)'}",
        "echo Word(Parameter(Name<x> Operand(SingleQuoted<\'$(a)\'>)))",
    );
    reads(
        "echo a'b'\"c\"d",
        "echo Word(SingleQuoted<\'b\'> DoubleQuoted<\"c\">)",
    );
}

#[test]
fn continuations_are_gone_b_14() {
    reads("ba\\\nsh -c a", "Word(Continuation<\\\n>) -c a");
    reads("i\\\nf a; then b; fi", "If(a ; b ;)");
    reads("a &\\\n& b", "a &\\\n& b");
    reads("cat <\\\n<E\nx\nE", "cat Redirection(E)\nHereBody<x\n>");
}

#[test]
fn here_documents_b_20_to_b_26() {
    reads(
        "cat <<E.F\na\nE.F\nb",
        "cat Redirection(E.F)\nHereBody<a\n>\nb",
    );
    reads(
        "cat <<'a b'\n$x\na b\nb",
        "cat Redirection(Word(SingleQuoted<\'a b\'>))\nHereBody<$x\n>\nb",
    );
    reads(
        "cat <<\\E\n$x\nE",
        "cat Redirection(Word(Escaped<\\E>))\nHereBody<$x\n>",
    );
    reads(
        "cat <<$'E'\na\nE\nb",
        "cat Redirection(Word(AnsiQuoted<$\'E\'>))\nHereBody<a\n>\nb",
    );
    reads(
        "cat <<E\nE \n E\nE\nb",
        "cat Redirection(E)\nHereBody<E \n E\n>\nb",
    );
    reads(
        "cat <<-E\n\ta\n\tE\nb",
        "cat Redirection(E)\nHereBody<\ta\n>\nb",
    );
    reads(
        "cat <<E\nEO\\\nF\nE\nb",
        "cat Redirection(E)\nHereBody<EO\\\nF\n>\nb",
    );
    reads(
        "cat <<E \\\n&& a\nb\nE",
        "cat Redirection(E) && a\nHereBody<b\n>",
    );
    reads(
        "cat <<E |\na\nE\nsh",
        "cat Redirection(E) | HereBody<a\n> sh",
    );
    reads(
        "cat <<A <<B\na\nA\nb\nB\nc",
        "cat Redirection(A) Redirection(B)\nHereBody<a\n>\nHereBody<b\n>\nc",
    );
    reads("cat <<<E\nb", "cat Redirection(E)\nb");
    reads("echo $((1<<2))\nb", "echo Word(Arithmetic<$((1<<2))>)\nb");
    reads("echo \"<<E\"\nb", "echo Word(DoubleQuoted<\"<<E\">)\nb");
    reads("cat <<E\na", "cat Redirection(E)\nHereBody<a>");
    reads(
        "x=$(cat <<E\na\nE)\nb",
        "Assignment(Name<x> Word(CommandSubstitution(cat Redirection(E) ; HereBody<a\n>)))\nb",
    );
    reads(
        "cat <<E\n$(a) `b` ${c} \\$(d) 'e' # f\nE",
        "cat Redirection(E)\nHereBody(CommandSubstitution(a) Backquoted(b) Parameter(Name<c>) Escaped<\\$>)",
    );
    reads(
        "cat <<E\n${x:-\"a}b\"}\nE",
        "cat Redirection(E)\nHereBody(Parameter(Name<x> Operand(DoubleQuoted<\"a}b\">)))",
    );
    reads(
        "`cat <<E\na\n`; b",
        "Word(Backquoted(cat Redirection(E) ; HereBody<a\n>)) ; b",
    );
}

#[test]
fn words_and_expansions() {
    reads(
        "echo $a$1$@${b}${#c}${!d}${e[0]:-f g}${h@P}",
        "echo Word(Parameter(Name<a>) Parameter(Name<1>) Parameter(Name<@>) Parameter(Name<b>) Parameter(Name<c>) Parameter(Name<d>) Parameter(Name<e> Subscript<[0]> Operand<:-f g>) Parameter(Name<h> Operand<@P>))",
    );
    reads(
        "echo $(a $(b) `c`) $((1+$x)) $[y] <(d) >(e)",
        "echo Word(CommandSubstitution(a Word(CommandSubstitution(b)) Word(Backquoted(c)))) Word(Arithmetic(Parameter(Name<x>))) Word(Arithmetic<$[y]>) Word(ProcessIn(d)) Word(ProcessOut(e))",
    );
    reads(
        "echo $((a); b)",
        "echo Word(CommandSubstitution(Subshell(a) ; b))",
    );
    reads(
        "echo `a \\`b \\\\\\`c\\\\\\`\\``",
        "echo Word(Backquoted(a Word(Backquoted(b Word(Backquoted(c))))))",
    );
    reads("echo a{b,c}*?[d] ~/e", "echo a{b,c}*?[d] ~/e");
    reads("$", "$");
    reads("a$ b", "a$ b");
    reads(
        "echo $'a' \"$\" ${x",
        "echo Word(AnsiQuoted<$\'a\'>) Word(DoubleQuoted<\"$\">) Word(Parameter(Name<x> Operand(NotUnderstood<>)))",
    );
    reads(
        "echo ${-} ${##} ${#-} ${x/a b/$c}",
        "echo Word(Parameter(Name<->)) Word(Parameter(Name<#>)) Word(Parameter(Name<->)) Word(Parameter(Name<x> Operand(Parameter(Name<c>))))",
    );
}

#[test]
fn assignments() {
    reads(
        "a=1 b+=2 c[i j]=3 d=(x [1]=y \"z\") cmd e=4",
        "Assignment(Name<a> 1) Assignment(Name<b> 2) Assignment(Name<c> Subscript<[i j]> 3) Assignment(Name<d> Array(x Assignment(Subscript<[1]> y) Word(DoubleQuoted<\"z\">))) cmd e=4",
    );
    reads(
        "declare -a f=(1 2) g",
        "declare -a Assignment(Name<f> Array(1 2)) g",
    );
    reads("a[1 2]", "Word(Name<a> Subscript<[1 2]>)");
    reads("a[1] b", "Word(Name<a> Subscript<[1]>) b");
    reads("=x", "=x");
    reads("1a=b", "1a=b");
    reads("a+b=c", "a+b=c");
    reads(
        "a=$(b)c",
        "Assignment(Name<a> Word(CommandSubstitution(b)))",
    );
}

#[test]
fn redirections() {
    reads(
        ">f <g 2>&1 >>h 3<>i >|j &>k &>>l <&- 4>&- cmd",
        "Redirection(f) Redirection(g) Redirection(Descriptor<2> 1) Redirection(h) Redirection(Descriptor<3> i) Redirection(j) Redirection(k) Redirection(l) Redirection(-) Redirection(Descriptor<4> -) cmd",
    );
    reads(
        "{fd}>f a 12<b a12<b",
        "Redirection(Descriptor<{fd}> f) a Redirection(Descriptor<12> b) a12 Redirection(b)",
    );
    reads("a >b>c<d", "a Redirection(b) Redirection(c) Redirection(d)");
    // After `>&` a dash is the whole target.
    reads(
        ">&-a -b 2<& -3 >&4- 2>&1<<E",
        "Redirection(-) a -b Redirection(Descriptor<2> -) 3 Redirection(4-) Redirection(Descriptor<2> 1) Redirection(E)",
    );
}

#[test]
fn reserved_words_b_44() {
    reads(
        "if a; then b; elif c; then d; else e; fi >f",
        "If(a ; b ; c ; d ; e ; Redirection(f))",
    );
    reads("while a; do b; done", "While(a ; b ;)");
    reads("until a; do b; done | c", "Until(a ; b ;) | c");
    reads("for i in a b; do c; done", "For(i a b c ;)");
    reads("for i\ndo c; done", "For(i c ;)");
    reads(
        "for ((i=0;i<$x;i++)) { c; }",
        "ForArithmetic(Arithmetic(Parameter(Name<x>)) c ;)",
    );
    reads("select i in a; do c; done", "Select(i a c ;)");
    reads(
        "case a$b in x|'y z') c;; (d) ;& *) e; esac",
        "Case(Word(Parameter(Name<b>)) CaseItem(x Word(SingleQuoted<\'y z\'>) c) CaseItem(d ) CaseItem(* e ;))",
    );
    reads("f() { a; } >b", "Function(f Group(a ; Redirection(b)))");
    reads("function f { a; }", "Function(f Group(a ;))");
    reads("function f() (a)", "Function(f Subshell(a))");
    reads("! a | b", "Bang<!> a | b");
    reads("time -p a", "Time<time -p> a");
    reads("coproc a b", "Coproc(a b)");
    reads("coproc N { a; }", "Coproc(N Group(a ;))");
    reads("{ a;} && (b;c)", "Group(a ;) && Subshell(b ; c)");
    reads("echo if then", "echo if then");
    reads("if=1 a", "Assignment(Name<if> 1) a");
    reads("\"if\" a", "Word(DoubleQuoted<\"if\">) a");
}

#[test]
fn conditions_and_arithmetic() {
    reads(
        "[[ -f a && ! ( b == c*(d) ) || $e =~ ^(a b|c)$ ]]",
        "Conditional(TestOperator<-f> a TestOperator<&&> TestOperator<!> TestOperator<(> b TestOperator<==> Word(ExtendedPattern<*(d)>) TestOperator<)> TestOperator<||> Word(Parameter(Name<e>)) TestOperator<=~> ^(a b|c)$)",
    );
    reads("[[ a<b ]]; c", "Conditional(a TestOperator<<> b) ; c");
    reads(
        "((a+b)) && c",
        "ArithmeticCommand(Arithmetic<((a+b))>) && c",
    );
    reads("((a); (b))", "Subshell(Subshell(a) ; Subshell(b))");
    reads(
        "[[ a -eq b[$(c)] ]]",
        "Conditional(a TestOperator<-eq> Word(CommandSubstitution(c)))",
    );
}

/// Bash finds the end of `$((a); b)` by counting parentheses, whatever they stand in.
#[test]
fn two_parentheses_end_where_they_are_counted() {
    for command in [
        "echo $((a); cat <<E\n)\nb\nE\n)",
        "cat <((a); cat <<E\n)\nb\nE\n)",
        "echo $((a); case b in c) d;; esac)",
        "echo $((a); case b in c) d;; esac))",
        "echo $((a) # )\nb)",
        "echo $(( $(case a in b) c;; esac) + 1 ))",
        "echo $((a) { )",
    ] {
        assert!(!parse(command.as_bytes()).is_understood(), "{command}");
    }
    reads(
        "echo $((a); \\) \")\") $((b(c)))",
        "echo Word(CommandSubstitution(Subshell(a) ; Word(Escaped<\\)>) Word(DoubleQuoted<\")\">))) Word(Arithmetic<$((b(c)))>)",
    );
}

/// Bash finds these ends by other rules than those of the text inside.
#[test]
fn brackets_that_bash_matches_otherwise() {
    for command in [
        "false && echo ${a[}]; b}",
        "echo $[ ${x-] ; b; : } ]",
        "echo $(( ${x-)} ))",
        "a[${x-]=1; b; : }]=1",
        "[[ a == *(${x-) ]]; b; : }) ]]",
        "a[<( ] )]=1",
        "echo ${$( }; b )}",
        "a=(1)#; b",
        "((a; b < <(cat <<E\nc\nE\n)) )",
    ] {
        assert!(!parse(command.as_bytes()).is_understood(), "{command}");
    }
    reads(
        "a[${b[1]}]=${c[$d]} $((${e:-(1)}))",
        "Assignment(Name<a> Subscript(Parameter(Name<b> Subscript<[1]>)) Word(Parameter(Name<c> Subscript(Parameter(Name<d>))))) Word(Arithmetic(Parameter(Name<e> Operand<:-(1)>)))",
    );
    reads("if>(a); b", "Word(ProcessOut(a)) ; b");
}

#[test]
fn what_bash_refuses_is_not_understood() {
    reads("a\nb )", "a\nb\nNotUnderstood<)>");
    reads("a; fi", "a ;\nNotUnderstood<fi>");
    reads("if a", "If(a NotUnderstood<>)");
    reads("echo 'a", "echo Word(NotUnderstood<\'a>)");
    reads("a;;", "a\nNotUnderstood<;;>");
    reads("a && ; b", "a && NotUnderstood<; b>");
    for command in [
        "{ }",
        "()",
        "if a; then fi",
        "while do b; done",
        "!&",
        "(!)",
        "time|a",
    ] {
        assert!(!parse(command.as_bytes()).is_understood(), "{command}");
    }
    for command in [
        "!",
        "a && !",
        "if ! ; then b; fi",
        "`!`",
        "case a in a) esac",
        "$()",
    ] {
        assert!(parse(command.as_bytes()).is_understood(), "{command}");
    }
    reads("a && ]]", "a && NotUnderstood<]]>");
    reads("a >2>b", "a Redirection(NotUnderstood<2>b>)");
    assert!(parse("<<a".repeat(16).as_bytes()).is_understood());
    assert!(!parse("<<a".repeat(17).as_bytes()).is_understood());
    reads(
        "echo `fi`; b",
        "echo Word(Backquoted( NotUnderstood<fi>)) ; b",
    );
    reads(
        "cat <<E\n$(fi)\nE\nb",
        "cat Redirection(E)\nHereBody(CommandSubstitution( NotUnderstood<fi)\n>))\nb",
    );
    reads(
        "a\nshopt -s extglob\necho !(a)\n!(b)",
        "a\nshopt -s extglob\necho Word(ExtendedPattern<!(a)>)\nBang<!> NotUnderstood<(b)>",
    );
}

#[test]
fn tokens_are_what_the_lexer_sees() {
    let tokens = |command: &str| {
        let tokens = super::tokens(&parse(command.as_bytes()));
        let shown = tokens
            .iter()
            .map(|token| &command[token.span.start..token.span.end]);
        shown.collect::<Vec<_>>().join("·")
    };
    let rows = [
        (
            "if a>b 2>&1;then (c)&fi # d",
            "if·a·>·b·2·>&·1·;·then·(·c·)·&·fi·# d",
        ),
        ("f() { $(a b) \"c d\"; }", "f·(·)·{·$(a b)·\"c d\"·;·}"),
        ("cat <<-E|b\n\ta\n\tE\nc", "cat·<<-·E·|·b·\ta\n·E·c"),
        ("case a in b|c) d;; esac", "case·a·in·b·|·c·)·d·;;·esac"),
        (
            "[[ a && (b == c) ]]||((1+2))",
            "[[·a·&&·(·b·==·c·)·]]·||·((1+2))",
        ),
        ("for i in a b; do c; done", "for·i·in·a·b·;·do·c·;·done"),
    ];
    for (command, expected) in rows {
        assert_eq!(tokens(command), expected, "{command}");
    }
}

#[test]
fn nesting_ends_before_the_stack_does() {
    let openers = [
        "$(",
        "(",
        "{ ",
        "if ",
        "while ",
        "for i in a; do ",
        "case a in a) ",
        "${a-",
        "\"$(",
        "\"${a-",
        "$((",
        "((",
        "$[",
        "a=($(",
        "<(",
        "f() { ",
        "function f ",
        "coproc ",
        "[[ $(",
        "a[$(",
        "x[",
        "! ( ",
        "@(",
        "`$(",
        "`\"",
    ];
    for opener in openers {
        let tree = parse(format!("a\n{}", opener.repeat(5_000)).as_bytes());
        assert!(!tree.is_understood(), "{opener}");
    }
    let pairs = [
        ("$(", ")"),
        ("( ", ")"),
        ("{ ", ";}"),
        ("${a-", "}"),
        ("\"${a-", "}\""),
    ];
    for (opener, closer) in pairs {
        let levels = super::DEEPEST - 1;
        let command = format!(
            "{}a{}",
            opener.repeat(levels / 2),
            closer.repeat(levels / 2)
        );
        assert!(parse(command.as_bytes()).is_understood(), "{opener}");
    }
}

fn word_of(command: &str) -> Value {
    let tree = parse(command.as_bytes());
    let word = tree.all().find(|&id| tree.kind(id) == Kind::Word);
    tree.value(word.expect("there is a word"))
}

#[test]
fn a_value_is_known_as_far_as_nothing_is_expanded() {
    let rows: [(&str, &str, Rest); 19] = [
        ("a'b c'\"d\\\"e\"\\f", "ab cd\"ef", Rest::Nothing),
        ("a\\\nb", "ab", Rest::Nothing),
        ("$'a\\n\\'b'", "a\n'b", Rest::Nothing),
        ("$'a\\x41'", "a", Rest::One),
        ("\"a$b\"c", "a", Rest::One),
        ("a$b\"c\"", "a", Rest::Words),
        ("\"$@\"", "", Rest::Words),
        ("\"${a[@]}\"", "", Rest::Words),
        ("`a`", "", Rest::Words),
        ("a*b", "a", Rest::Names),
        ("a{b,c}", "a", Rest::Names),
        ("{}", "{}", Rest::Nothing),
        ("a{b}", "a{b}", Rest::Nothing),
        ("[", "[", Rest::Nothing),
        ("[a]", "", Rest::Names),
        ("~/a", "", Rest::One),
        ("a~", "a~", Rest::Nothing),
        ("'*'", "*", Rest::Nothing),
        ("<(a)b", "/dev/fd/", Rest::One),
    ];
    for (command, prefix, rest) in rows {
        let prefix = prefix.as_bytes().to_vec();
        assert_eq!(word_of(command), Value { prefix, rest }, "{command}");
    }
}

#[test]
fn a_program_knows_where_it_comes_from() {
    let command = b"sh -c 'a b'\\''c'\"\\$d\"; cat <<-'E'\n\tx\n\t\ty\n\tE\n";
    let tree = parse(command);
    let program = |id| tree.program(id).expect("nothing is expanded");
    let word = tree.all().filter(|&id| tree.kind(id) == Kind::Word).nth(2);
    let program_of_word = program(word.expect("three words"));
    assert_eq!(program_of_word.text(), b"a b'c$d");
    let source: Vec<usize> = (0..8).map(|at| program_of_word.source(at)).collect();
    assert_eq!(source, [7, 8, 9, 12, 14, 18, 19, 20]);
    let body = tree
        .all()
        .find(|&id| matches!(tree.kind(id), Kind::HereBody(_)));
    let body = program(body.expect("there is a body"));
    assert_eq!(body.text(), b"x\ny\n");
    let inner = parse_within(body);
    let second = inner.children(inner.root()).nth(1).expect("two lines");
    assert_eq!(command[inner.span(second).start], b'y');
}

/// Commands of signs that mean something: random bytes are mostly plain words.
fn of_signs(choices: &[u8]) -> Vec<u8> {
    const SIGNS: &[&[u8]] = &[
        b"a", b" ", b"\n", b"'", b"\"", b"\\", b"`", b"$(", b")", b"(", b"${", b"}", b"$((", b"))",
        b"<<a", b"<<-'a'", b"\na\n", b"#", b";", b"&", b"|", b"<", b">", b"if ", b"then ", b"fi",
        b"for ", b"in ", b"do ", b"done", b"case ", b"esac", b"[[ ", b" ]]", b"[", b"]", b"=",
        b"{ ", b"$'", b"$", b"x", b"\t", b"!", b"@(", b"=~", b"\0", b"\xff", b"1",
    ];
    choices
        .iter()
        .flat_map(|&choice| SIGNS[usize::from(choice) % SIGNS.len()].to_vec())
        .collect()
}

fn is_well_formed(command: &[u8]) -> bool {
    let tree = parse(command);
    let mut ends = vec![0; tree.size()];
    tree.all().all(|id| {
        let outer = tree.span(id);
        let mut before = outer.start;
        let inside = tree.children(id).all(|child| {
            let span = tree.span(child);
            let in_order = tree.kind(child) == Kind::NotUnderstood || span.start >= before;
            before = span.end;
            ends[child.index()] += 1;
            in_order && span.start <= span.end && span.end <= command.len()
        });
        inside && outer.end <= command.len()
    }) && ends.iter().skip(1).all(|&parents| parents == 1)
}

quickcheck! {
    fn any_bytes_give_a_tree(command: Vec<u8>) -> bool {
        is_well_formed(&command)
    }

    fn any_signs_give_a_tree(choices: Vec<u8>) -> bool {
        is_well_formed(&of_signs(&choices))
    }

    fn the_tree_does_not_depend_on_what_comes_after_a_line(choices: Vec<u8>) -> bool {
        let line = of_signs(&choices);
        let whole = [&line[..], b"\necho b\n"].concat();
        let (alone, more) = (parse(&line), parse(&whole));
        !alone.is_understood()
            || !line.is_empty() && line.ends_with(b"\\")
            || !alone.openers.is_empty()
            || more.all().zip(alone.all()).skip(1).all(|(one, other)| more.kind(one) == alone.kind(other))
    }
}
