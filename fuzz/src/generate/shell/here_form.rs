//! Here-documents with a shape of their own: how the opener's line ends, what only looks like an opener, what is closed by
//! something else (`docs/spec/regions.md`, B-20 to B-30).

use super::construct::ShellConstruct::*;
use super::draft::Forms;

pub(super) const FORMS: Forms = &[
    (
        HereDocumentPhantom,
        &[
            "echo \"<<E\"\n%c",
            ": #<<E\n%c",
            ": $((1<<E))\n%c",
            "cat <<<E\n%c",
            "((1<<2))\n%c",
            "a[1<<2]=x\n%c",
            "x=abc; echo ${x:1<<0}\n%c",
            "let \"x=1<<n\"\n%c",
            "for ((;1<<n;)); do break; done\n%c",
            "echo '<<E'\n%c",
            "echo \\<<E%[%x\nE%]%!",
            "echo \\<\\<E\n%c",
            "cat <<< a\n%c",
            "grep '<<<< HEAD' f\n%c",
            "case \"$x\" in \"<<a\") ;; esac\n%c",
            "echo \"1 <<%/foo\"\n%c",
            "if grep -rn \"<<<<<<< HEAD\" src; then exit 1; fi\n%c",
            "%n # see <<HERE\n%c",
            "git log --grep='<<x'\n%c",
        ],
    ),
    (
        HereDocumentLine,
        &[
            "cat <<E \\%/&& %x%[hi\nE%]%!",
            "cat <<E \\%/; %x%[hi\nE%]%!",
            "cat <<E \\%/| sh%[%x\nE%]%!",
            "cat <<E \\%/%[%x\nE%]%!",
            "cat <<A; cat <<B \\%/&& %x%[a\nA%]%[b\nB%]%!",
            "cat <<E # c \\%[%x\nE%]%!",
        ],
    ),
    (
        HereDocumentLineQuoted,
        &[
            "cat <<E; echo 'a%/%x%/b'%[hi\nE%]%!",
            "cat <<E \"%/$(%x)\"%[hi\nE%]%!",
            "cat <<E $((1+%/1)); %x%[hi\nE%]%!",
            "cat <<E $(:%/%x)%[hi\nE%]%!",
            "cat <<E ${x:-a%/b}; %x%[hi\nE%]%!",
        ],
    ),
    (
        HereDocumentPipeline,
        &[
            "cat <<E |%[%x\nE%]\nsh",
            "cat <<E &&%[%x\nE%]\n%c",
            "cat <<E ||%[%x\nE%]\n%c",
            "cat <<E | cat |%[%x\nE%]\n%s",
            "cat <<E |%[%x\nE%]\ncat",
            "if cat <<E; then%[%x\nE%]\n%l fi",
        ],
    ),
    (
        HereDocumentTwo,
        &[
            "cat <<A <<B%[%x\nA%]%[b\nB%]%!",
            "cat <<A <<B%[$(%x)\nA%]%[b\nB%]%!",
            "cat <<A; sh <<B%[%x\nA%]%[%x\nB%]%!",
            "cat <<A <<B%[B\nA%]%[A\n%x\nB%]\n%c",
            "cat <<A | sh <<'B'%[%x\nA%]%[%x\nB%]%!",
            "cat <<A; cat <<A%[a\nA%]%[%x\nA%]\n%c",
        ],
    ),
    (
        HereDocumentSubstitution,
        &[
            "x=$(cat <<E%/%x%/E)",
            "x=$(cat <<E%/%x%/E%/)",
            "x=$(cat <<E%/$(%x)%/E%/); %c",
            "echo \"$(cat <<'E'%/it's $(%x)%/E%/)\"",
            "x=$(cat <<E%/a%/E); %c",
            "eval \"$(cat <<'E'%/%x%/E%/)\"",
            "x=$(cat <<E%/a)%/%x%/E%/)",
            "echo `cat <<E%/%x%/E%/`",
            "echo `cat <<E%/a%/`; %c",
            "x=$(cat <<'E'%/)%/E%/); %c",
            "x=$(cat <<'E'%/it's (%/E%/); %c",
            "x=$(cat <<E%/)%/$(%x)%/E%/)",
            "echo \"$(cat <<E%/\"%/E%/)\"; %c",
        ],
    ),
    (
        HereDocumentSubshell,
        &[
            "(cat <<E%/%x%/E%/)",
            "(cat <<E%/a%/E)%/%x",
            "{ cat <<E%/%x%/E%/}",
            "(cat <<E)%[%x\nE%]%!",
            "f() { cat <<E%/$(%x)%/E%/}%/f",
        ],
    ),
    (
        HereDocumentOpenerSplit,
        &[
            "cat <\\%/<E%[%x\nE%]%!",
            "cat <<\\%/E%[%x\nE%]%!",
            "cat <<E\\%/F%[%x\nEF%]\n%c",
            "cat < <E%[%x\nE%]%!",
        ],
    ),
    (
        HereDocumentOddQuote,
        &[
            "cat <<\\E%[echo 's\nE%]\n%x",
            "cat <<\\E%[echo 's\nE%]\n%x\n#'%!",
            "cat <<'E'%[it's\nE%]\n%c",
            "cat <<E%[say \"hi\nE%]\n%c",
            "cat <<\\E%[echo \"a\nE%]\n%c\necho \"b\"",
            "cat <<E%[echo 's\nE%]\n%c # '%!",
            "cat <<E.F%[grep \"x\nE.F%]\n%c\nls \"d\"",
            "cat <<'A B'%[it's %x\nA B%]%!",
        ],
    ),
    (BodyExpands, &["x='$(%x)'; cat <<E%[${x@P}\nE%]%!"]),
    (
        BodyValue,
        &["x='$(%x)'; cat <<E%[$x\nE%]%!", "x='%x'; sh <<E%[$x\nE%]%!"],
    ),
    (
        BodyPatternRemoval,
        &[
            "x=a; cat <<E%[${x#`%x`}\nE%]%!",
            "x=a; cat <<E%[${x#$(%x)}\nE%]%!",
        ],
    ),
    (
        HereDocumentNoNewline,
        &[
            "cat <<E %x",
            "cat <<E # %x",
            "cat <<E; %x",
            "cat <<'E' && %x",
        ],
    ),
    (
        HereDocumentFails,
        &[
            "cat < nosuch <<E%[$(%x)\nE%]%!",
            "cat > /nodir/x <<E%[$(%x)\nE%]%!",
            "cat <<E < nosuch%[$(%x)\nE%]%!",
            "false && cat <<E%[$(%x)\nE%]%!",
            "nosuch <<E%[$(%x)\nE%]%!",
        ],
    ),
];
