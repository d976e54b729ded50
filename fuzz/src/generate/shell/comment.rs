//! Comments, and hashes that open none (`docs/spec/regions.md`, B-01 to B-08).

use super::construct::ShellConstruct::*;
use super::draft::Forms;

pub(super) const FORMS: Forms = &[
    (
        CommentAfterBlank,
        &[
            "%n # %x%!",
            "%n #%x%!",
            "%n\t#%x%!",
            "%n # a; %x%!",
            "%n 'a' #%x%!",
        ],
    ),
    (
        CommentAtLineStart,
        &[
            "# %x\n%n",
            "#%x\n%c",
            "%n\n# %x%!",
            "%n\n  # %x\n%c",
            "#!/bin/sh\n%c",
        ],
    ),
    (
        CommentAfterOperator,
        &[
            "%n;#%x%!",
            "(%n)#%x%!",
            "%n |#%x\ncat",
            "%n &&#%x\n%c",
            "{ %n;}\n#%x%!",
            "%n ||# %x\n%n",
            "%n &#%x\n%n",
            "(#%x\n%c)",
        ],
    ),
    (
        CommentAfterContinuedBlank,
        &["echo a \\%/#%x%!", "%n \\%/# %x\n%c"],
    ),
    (
        CommentBeforeCode,
        &["%n # a\n%c", "# a\n%c", "%n #\n%c", "%n # %x\n%c"],
    ),
    (
        CommentWithQuote,
        &[
            "# it's\n%c",
            "%n # it's\n%c # it's%!",
            "# \"\n%c",
            "%n # say \"hi\n%c\n# \"%!",
            "# `\n%c",
            "# <<E\n%c",
        ],
    ),
    (
        CommentWithBackslash,
        &["# a \\\n%c", "%n # a\\\n%c", "# \\\\\n%c"],
    ),
    (
        CommentWithSubstitution,
        &[
            "%n # $(%x)%!",
            "# `%x`\n%n",
            "%n # ${x:-$(%x)}%!",
            "# \"$(%x)\"\n%n",
        ],
    ),
    (
        CommentInBackticks,
        &[
            "echo `%n #`; %c",
            "echo `%n # %x`",
            "echo `%n #now`; %c",
            "echo `: # %x`; %c",
            "x=`# %x`; %c",
        ],
    ),
    (
        CommentInSubstitution,
        &[
            "echo $(%n # %x\n)",
            "echo $(%n #)\n%c)",
            "echo $(# %x\n%c)",
            "echo \"$(%n # it's \"\n%c)\"",
            "cat <(%n #)\n%c\n)",
        ],
    ),
    (
        CommentInteractive,
        &[
            "bash --norc +O interactive_comments -ic ': # ; %x' 2>/dev/null",
            "bash --norc -ic ': # ; %x' 2>/dev/null",
            "shopt -u interactive_comments\n: # ; %x%!",
        ],
    ),
    (
        HashInWord,
        &[
            "echo a#b; %c",
            "echo a#; %c",
            "echo a#%x",
            "ls -la d#; %c",
            "echo $HOME#; %c",
            "echo -#; %c",
            "echo =#;%c",
        ],
    ),
    (
        HashAfterSubstitution,
        &[
            "echo $(%n)#; %c",
            "echo $((1))#; %c",
            "cat <(%n)#; %c",
            "echo $[1]#; %c",
            "echo ${x}#; %c",
            "echo `%n`#; %c",
            "echo $(%n) #; %x%!",
            "echo \"$(%n)\"#; %c",
            "echo $((1)) #; %x%!",
            "cat <(%n) #; %x%!",
        ],
    ),
    (
        HashAfterQuote,
        &[
            "echo \"\"#; %c",
            "echo 'a'#; %c",
            "echo $'a'#; %c",
            "echo 'a' #; %x%!",
            "echo \"a #\"; %c",
            ": \"# x\"; %c",
        ],
    ),
    (
        HashAfterEscape,
        &[
            "echo \\ #; %c",
            "echo a\\ #b; %c",
            "echo \\;#; %c",
            "echo \\&#; %c",
            "echo \\(#; %c",
            "echo \\\t#; %c",
            "echo \\\\ #; %x%!",
            "echo \\#; %c",
            "echo a\\ #b '%x'",
        ],
    ),
    (
        HashAfterContinuation,
        &["echo a\\%/#b; %c", "echo \\%/a#; %c", "echo a\\%/\\%/#; %c"],
    ),
    (
        HashAfterOddBlank,
        &[
            "echo \r#; %c",
            "echo a \u{b}#b; %c",
            "echo \u{c}#; %c",
            "echo \u{a0}#; %c",
            "echo a\u{2028}#b; %c",
            "echo \u{3000}#; %c",
            "echo \u{feff}#; %c",
            "echo \u{85}#; %c",
            "echo \u{2003}#; %c",
            "echo \u{a0} #; %x%!",
            "echo \r #; %x%!",
        ],
    ),
    (
        HashInParameter,
        &[
            "echo ${x%%%% #}; %c",
            "echo ${x%%%% #*}; %c",
            "echo ${x// #/}; %c",
            "echo ${x/;#/}; %c",
            ": ${x:=(#)}; %c",
            "echo ${#x}; %c",
            "echo ${x:- # }; %c",
            "echo \"${x# #}\"; %c",
            "echo ${x} #; %x%!",
            "echo ${x%%#%x}",
        ],
    ),
    (
        HashInTest,
        &[
            "[[ a =~ (#|a) ]]; %c",
            "[[ a =~ ( #|a) ]]; %c",
            "[[ a = a #]]; %x\n]]; %c",
            "[[ a ]] #; %x%!",
            "[ -n x ] #; %x%!",
        ],
    ),
    (
        HashInPattern,
        &[
            "[[ a == @(#|a) ]]; %c",
            "[[ a == @( #|a) ]]; %c",
            "case a in \\#|a) %c%; esac",
            "case a in a) #%x\n%c%; esac",
        ],
    ),
    (
        HashInArithmetic,
        &[
            "((16#f)); %c",
            "echo $((16#f)); %c",
            "((x=2#1)) #; %x%!",
            "let x=16#f; %c",
            "echo $(( 16#f )); %c",
        ],
    ),
    (
        HashInSubscript,
        &[
            "m=([a]=1 [ #]=2); %c",
            "declare -A m=([ #]=2); %c",
            "declare -A m; m[#]=1; %c",
            "m=(a #%x\n); %c",
        ],
    ),
];
