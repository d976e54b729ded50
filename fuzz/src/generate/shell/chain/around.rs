//! In which syntax does a flow stand? `%W` is the flow, `%Y` `%K` `%Q` the flow in `$( )`, in backticks, as a quoted word.

use super::super::construct::ShellConstruct::*;
use super::super::draft::Forms;

/// What stands around a flow; most of it lets it do what it does.
pub(in super::super) const AROUND: Forms = &[
    (
        AroundEarlier,
        &[
            "%n\n%W",
            "# it's\n%W",
            "echo \"a # b\"; %W",
            ": <<'E'%[it's \"$(\nE%]\n%W",
            "x='a\nb'; %W",
            "cat <<A > a%[)\nA%]; %W",
            "set -e; %W",
            "echo \"<<E\"; %W",
            "echo $((1<<2)); %W",
            "cd d; cd ..; %W",
        ],
    ),
    (
        AroundLater,
        &[
            "%W; %n",
            "%W\n%n",
            "%W; cat f # it's%!",
            "%W && %n",
            "%W || %n",
            "%W; exit",
        ],
    ),
    (
        AroundGroup,
        &[
            "{ %W; }",
            "{ %W; } 2>&1",
            "{ %W; } < /dev/null",
            "{ %n; %W\n}",
        ],
    ),
    (
        AroundSubshell,
        &[
            "(%W)",
            "( %W )",
            "(cd d; cd ..; %W)",
            "((%W) )",
            "(set -e; %W)",
        ],
    ),
    (
        AroundIf,
        &[
            "if true; then %W; fi",
            "if %W; then :; fi",
            "if false; then :; else %W; fi",
            "if false; then :; elif %W; then :; fi",
            "[ -f f ] && { %W; }",
            "if ! false\nthen\n%W\nfi",
            "if false; then %W; fi",
        ],
    ),
    (
        AroundLoop,
        &[
            "for i in 1; do %W; done",
            "for i in a b; do %W; done",
            "for ((i=0;i<1;i++)); do %W; done",
            "for ((i=0;i<1;i++)) { %W; }",
            "for i in 1\ndo\n%W\ndone",
            "while true; do %W; break; done",
            "until %W; do break; done",
            "while read -r l; do %W; done <<< a",
            "select i in a; do %W; break; done <<< 1",
        ],
    ),
    (
        AroundCase,
        &[
            "case a in a) %W;; esac",
            "case a in (a) %W;; esac",
            "case a in b|a ) %W; esac",
            "case \"a)\" in a\\)) %W\n;; esac",
            "case a in b) ;; *) %W;; esac",
            "case a in a) ;& b) %W;; esac",
            "case esac in (esac) ;; *) ;; esac; %W",
            "case a in b) %W;; esac",
        ],
    ),
    (
        AroundCaseInSubstitution,
        &[
            "echo \"$(case a in a) %W;; esac)\"",
            "x=$(case a in b) ;; *) %W\n esac)",
            "echo $(case a in (a) %W;; esac)",
            "echo `case a in a) %K;; esac`",
        ],
    ),
    (
        AroundFunction,
        &[
            "run() { %W; }; run",
            "run()\n{\n%W\n}\nrun",
            "function run { %W; }; run",
            "function run() { %W; }; run",
            "run() ( %W ); run",
            "run() if true; then %W; fi; run",
            "run() { %W; } 2>&1; run",
            "function run ( %W ); run a",
            "run() { %W; }; %n",
        ],
    ),
    (
        AroundSubstitution,
        &[
            "echo \"$(%Y)\"",
            "x=$(%Y)",
            "echo $(%Y\n)",
            ": \"${x:-$(%Y)}\"",
            "echo $(( $(%Y) + 1 ))",
            "cat <(%Y)",
            "echo \"a $(echo \"b $(%Y)\") c\"",
            "[[ -n $(%Y) ]]",
        ],
    ),
    (
        AroundBackticks,
        &["echo `%K`", "x=`%K`", "echo \"`%K`\"", ": `: \"a\"; %K`"],
    ),
    (
        AroundString,
        &[
            "eval %Q",
            "bash -c %Q",
            "sh -c %Q",
            "bash -c %Q a b",
            "trap %Q EXIT",
            "eval : a\\; %Q",
            "echo %Q",
            "x=%Q; eval \"$x\"",
            ": %Q",
        ],
    ),
    (
        AroundBody,
        &[
            "cat <<E%[$(%Y)\nE%]",
            "bash <<'EOF'%[%Y\nEOF%]",
            "sh <<'A B'%[%Y\nA B%]",
            "cat <<'E'%[%Y\nE%]",
            "echo \"$(cat <<E\n$(%Y)\nE\n)\"",
            "echo \"$(cat <<'E'\n%Y\nE\n)\"",
            ": <<'E'%[%Y\nE%]",
            "cat <<E%[`%K`\nE%]",
        ],
    ),
    (
        AroundReserved,
        &[
            "time %W",
            "! %W",
            "time -p { %W; }",
            "! { %W; }",
            "coproc { %W; }; wait $!",
            "{ %W; } & wait $!",
            "true && %W",
            "false || %W",
            "false && { %W; }",
        ],
    ),
];
