//! Quotes, escapes and continued lines (`docs/spec/regions.md`, B-10 to B-14, B-47), and blanks that are none.

use super::construct::ShellConstruct::*;
use super::draft::Forms;

pub(super) const FORMS: Forms = &[
    (
        EscapeInDoubleQuotes,
        &[
            "echo \"\\\"\"; %c%; : \"\"",
            "echo \"a\\\"; %x\"",
            "echo \"\\$(%x)\"",
            "echo \"\\\\$(%x)\"",
            "echo \"\\`%x\\`\"",
            "echo \"\\\\\"; %c%; echo \"\\\\\"",
            "echo \"say \\\"%x\\\"\"",
            "echo \"\\\\`%x`\"",
            "echo \\\"; %c%; echo \\\"",
            "echo '\"'; %c%; echo '\"'",
        ],
    ),
    (
        AnsiCQuote,
        &[
            "echo $'\\''; %c%; : ''",
            "echo $'%x'",
            "echo $'a\\'; %x'",
            "echo $'$(%x)'",
            "echo $'\\\\'; %c%; : 'a'",
            "echo '\\'; %c%; : '\\'",
            "bash -c $'ls\\n%x'",
            "echo $'\\x27'; %c%; echo 'x'",
            "printf $'a\\'b\\n'; %c%; printf 'c'",
        ],
    ),
    (
        AnsiCInDoubleQuotes,
        &[
            "echo \"$'\"; %c%; : \"'\"",
            "echo \"$'$(%x)'\"",
            "echo \"$'a\\'%x'\"",
        ],
    ),
    (
        LocaleQuote,
        &[
            "echo $\"$(%x)\"",
            "echo $\"%x\"",
            "echo $\"`%x`\"",
            "echo $\"\\$(%x)\"",
        ],
    ),
    (
        SingleQuotes,
        &[
            "echo '%x'",
            "echo '$(%x)'",
            "echo '`%x`'",
            "echo 'a\\'; %c%; echo '\\'",
            "echo 'say \"%x\"'",
            ": 'it''s'; %c",
        ],
    ),
    (
        DoubleQuotesExpand,
        &[
            "echo \"$(%x)\"",
            "echo \"a %$ b\"",
            "echo \"a $(%n) %x\"",
            "git log -1 --format=\"%$\"",
            "printf '%%s' \"%$\"",
        ],
    ),
    (
        BackticksExpand,
        &[
            "echo `%x`",
            "echo \"`%x`\"",
            "echo %`",
            "echo \\`%x\\`",
            "echo `echo \\`%x\\``",
            "echo \"a %` b\"",
        ],
    ),
    (
        QuotesInSubstitution,
        &[
            "echo \"$(: \"a\"; %c%; : \"b\")\"",
            "echo \"$(ls \"d\")\"; echo \"%x\"",
            "echo \"$(ls \"d\") %x $(ls \"src\")\"",
            "echo \"$(case \"x\" in \"x\") %c%; esac)\"",
            "echo \"$(echo \"%x\")\"",
            "echo \"a $(( $(echo \"1\"; %x) + 1 )) b\"",
            "echo \"$(echo ')'; %c)\"",
        ],
    ),
    (
        QuotesInBackticks,
        &[
            "echo \"`: \"a\"; %x; : \"b\"`\"",
            "echo `: \"a\"`; %c",
            "echo \"`echo \"a\"`\" \"%x\"",
        ],
    ),
    (
        QuotesInParameter,
        &[
            "echo \"${x:-\"%x\"}\"",
            "echo \"${x:-\"a\"}\"; %c%; : \"b\"",
            "echo ${x:-\"%x\"}",
            "echo \"${x:-\"$(%x)\"}\"",
        ],
    ),
    (
        SingleQuotesInParameter,
        &[
            "echo \"${x-'$(%x)'}\"",
            "echo ${x-'$(%x)'}",
            "echo \"${x:-'}\"; %c%; : '",
            "echo \"${x:-'`%x`'}\"",
            "echo \"${x:-it's}\"; %c",
        ],
    ),
    (
        LineContinuation,
        &[
            "ba\\%/sh -c \"%x\"",
            "echo a \\%/ \"%x\"",
            "ls &\\%/& %c",
            "ls && \\%/ %c",
            "cat <\\%/<E%[%x\nE%]%!",
            "echo \"a \\%/%x\"",
            "echo 'a \\%/%x'",
            "echo x \\\\%/%c",
            "echo \"a\" \\%/  %w",
            "echo \"%x\" \\%/ | sh",
            "ec\\%/ho %w",
        ],
    ),
    (
        QuoteUnbalanced,
        &[
            ": \"%x",
            "echo '%x",
            "%x\n: \"",
            "echo `%x",
            "echo $(%x",
            "%x; echo 'a",
        ],
    ),
    (
        QuotedVerb,
        &[
            "\"%v\" -rf /",
            "'%v' /dev/sda",
            "(exec \"%v\" d)",
            "xargs \"%v\" < list",
            "\\%v x",
            "\"%v\"",
            "\"%v x\"",
            ": \"%v\"",
            "command '%v' d",
        ],
    ),
    (
        PlainQuotes,
        &[
            "%X",
            "%X # ok%!",
            "%n && %X",
            "echo \"tidying\" && %X",
            "%X; echo \"%x\"",
            "(%X)",
        ],
    ),
    (
        OddBlank,
        &[
            "echo\t%a",
            "echo\u{a0}%a",
            "\t%x",
            "echo\u{2028}%a",
            "%x\u{a0}",
            "echo \u{1f600}; %c",
            "\u{3000}echo %a",
            "echo\u{b}%a",
            "echo \u{b}%a",
            "\n\n%c\n\n",
            "echo é%a; %c",
        ],
    ),
    (
        CarriageReturn,
        &[
            "echo %a\r\n%c",
            "%n\r\n%x\r\n",
            "\recho %a",
            "echo \r%a",
            "cat <<E\r%[%x\nE\r%]\n%c",
            "cat <<E%[%x\r\nE%]\n%c",
            "%n; \r%x",
        ],
    ),
];
