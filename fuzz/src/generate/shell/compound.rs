//! Compound commands, the order of events, and lines that bash refuses (`docs/spec/regions.md`, B-60 to B-62).

use super::construct::ShellConstruct::*;
use super::draft::Forms;

pub(super) const FORMS: Forms = &[
    (Group, &["{ %l }", "{ %l }%o", "{ %n; %l } 2>&1"]),
    (
        Subshell,
        &["(%c%;)", "( %l )", "(%n; %l) | cat", "(cd d && %l)"],
    ),
    (
        If,
        &[
            "if %n; then %l fi",
            "if %l then %l fi",
            "if %n; then %n; else %l fi",
            "if [ -f f ]; then %l fi",
            "if ! %n; then :; else %l fi",
        ],
    ),
    (
        Loop,
        &[
            "for i in 1; do %l done",
            "for i in a b; do %l done",
            "while %n; do %l break; done",
            "for ((i=0;i<1;i++)); do %l done",
            "until %n; do break; done; %c",
            "while read -r l; do %l done < list",
            "for f in \"$(ls \"d\")\"; do %l done",
            "select x in a b; do %l break; done <<< 1",
        ],
    ),
    (
        Function,
        &[
            "f() { %l }; f",
            "f() (%c%;)\nf",
            "function f { %l }; f a",
            "f() { %l } >&2; f",
            "f() { %l }; f | cat",
        ],
    ),
    (
        FunctionNotCalled,
        &["f() { %l }", "f() { %x; }; %n", "function f { %x; }"],
    ),
    (
        ArithmeticCommand,
        &[
            "((1)) && %c",
            "((0)) || %c",
            "((x=1<<2)); %c",
            "(( $(%x) 1 ))",
            "for ((;1<<0;)); do %l break; done",
            "((1 > 0)); %c",
            "(( a[0]='1' )); %c",
        ],
    ),
    (
        Pipeline,
        &[
            "%x | cat",
            "%n | %c",
            "%n |& %x",
            "%x | %r",
            "! %n | %c",
            "{ %l } | %r",
            "%n | while read -r l; do %l done",
        ],
    ),
    (
        NotReached,
        &[
            "false && %c",
            "true || %x",
            "if false; then %l fi",
            "while false; do %l done",
            "for x in; do %l done",
            "exit; %x",
            "return; %x",
            "false && echo \"%x\" | sh",
            "[ -e nosuch ] && %x",
            "set -e; false; %x",
        ],
    ),
    (
        Background,
        &[
            "%x &%!",
            "%x & wait",
            "(sleep 0.1; %x) &%!",
            "%e &%!",
            "%n & %c",
        ],
    ),
    (
        ParenthesesAmbiguous,
        &[
            "((%n); %x)",
            "echo $((%n); %x)",
            "( (%n); %x)",
            "((%n) | %x)",
            "echo $( (%n); %x)",
            "echo $((1)); (%x)",
            "echo $(((1))); %c",
            "((x=(1))); %c",
        ],
    ),
    (
        OperatorTight,
        &[
            "ls;%x",
            "ls&&%x",
            "ls|%x",
            "echo \"a\";%x",
            "echo \"a\"&&%x",
            "echo 'a'|%x",
            "! %x|cat",
            "!%x",
            "ls>out;%x",
            "{ ls;%x;}",
            "echo a>out&&%x",
            "(ls);%x",
            "(ls)|%x",
        ],
    ),
];

/// Commands that are one as a whole: lines that bash refuses take their neighbours with them, and a shell that runs its own
/// text again must not run what stood before.
pub(super) const WHOLE: Forms = &[
    (
        SyntaxErrorLater,
        &[
            "%x\n: \"",
            "%c\nfi",
            "%c\n%n )",
            "%x\nif true; then",
            "%c\n%x; fi",
            "%n\n%x; ;; %c",
            "cat <<E%[$(%x)\nE%]\nfi",
            "%x\ndone",
        ],
    ),
    (
        SyntaxErrorSame,
        &[
            "%x; fi",
            "%x )",
            "{ %x",
            "if true; then %x",
            "%x | | cat",
            "echo a; %x; done",
            "(%x",
            "%n && && %x",
        ],
    ),
    (
        ExtglobEarlier,
        &[
            "shopt -s extglob\necho @(a|#b); %c",
            "shopt -s extglob\nls !(%v|x)",
            "shopt -s extglob\nx=ab; echo ${x//+( |#)/}; %c",
        ],
    ),
    (
        ExtglobSame,
        &[
            "shopt -s extglob; echo @(a|#b); %x",
            "shopt -s extglob; ls !(%v|x)",
        ],
    ),
    (
        SelfReference,
        &[
            "# %x; exit\neval \"${BASH_EXECUTION_STRING#\\# }\"",
            ": <<'E'%[%x\nE%]\neval \"$(sed -n 2p <<< \"$BASH_EXECUTION_STRING\")\"",
            "# %x%/tr '\\0' '\\n' < /proc/$$/cmdline | sed -n 's/^# //p' | sh",
            "# %x\necho \"$BASH_EXECUTION_STRING\"",
        ],
    ),
];
