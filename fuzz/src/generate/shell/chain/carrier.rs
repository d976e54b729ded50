//! What passes the text of a flow on to standard output?

use super::super::construct::ShellConstruct::*;
use super::super::draft::Forms;

/// Commands that print it.
pub(in super::super) const OUTPUT_CARRIERS: Forms = &[
    (
        FlowFilter,
        &[
            "%C | cat",
            "%C | %f",
            "%C | %f",
            "%C | awk 1",
            "%C | sed -n p",
            "%C | head -n 1",
            "%C | grep -v '^$'",
            "%C | cut -c1-",
            "%C | nl | cut -f2-",
            "%C | sort | uniq",
            "%C | perl -pe 1",
            "%C | dd 2>/dev/null",
            "%C | fold -w 999",
            "%C | wc -l",
            "%C | grep nosuch",
            "%C | tr -d r",
        ],
    ),
    (
        FlowEncoded,
        &[
            "%C | base64 | base64 -d",
            "%C | rev | rev",
            "%C | gzip | gunzip",
            "%C | tr a-z b-za | tr b-za a-z",
            "%C | base64",
            "%C | tac | tac",
        ],
    ),
    (
        FlowTee,
        &[
            "%C | tee %O",
            "%C | tee /dev/stderr 2>&1 >/dev/null",
            "%C | tee >(cat >/dev/null)",
            "%C | tee -a notes.md",
        ],
    ),
    (
        FlowOperands,
        &[
            "%C | xargs echo",
            "%C | xargs -I{} printf '%%s\\n' {}",
            "%C | xargs -d '\\n' echo",
            "%C | xargs",
        ],
    ),
    (
        FlowCompound,
        &[
            "{ %C; }",
            "(%C)",
            "if true; then %C; fi",
            "for i in 1; do %C; done",
            "case a in a) %C;; esac",
            "case a in (b) ;; *) %C; esac",
            "until %C; do break; done",
            "{ %n >/dev/null; %C; }",
            "true && { %C; }",
            "if ! %C; then :; fi",
            "for ((i=0;i<1;i++)); do %C; done",
        ],
    ),
    (
        FlowCompoundInput,
        &[
            "%C | { cat; }",
            "%C | (cat)",
            "%C | if true; then cat; fi",
            "%C | { read -r l; echo \"$l\"; }",
            "%C | while read -r l; do echo \"$l\"; done",
            "%C | for i in 1; do cat; done",
            "%C | case a in a) cat;; esac",
            "%C | { read -r l; }",
        ],
    ),
    (
        FlowFunction,
        &[
            "%j() { %C; }; %j",
            "%j() { cat; }; %C | %j",
            "function %j { %C; }; %j",
            "%j() (%C); %j",
            "%j() { %C; } 2>&1; %j",
            "function %j() { tee; }; %C | %j",
            "%j() { cat; } < <(%D); %j",
            "%j() { %C; }; %n",
        ],
    ),
    (
        FlowSubstituted,
        &[
            "echo \"$(%D)\"",
            "echo `%B`",
            "echo $(%D)",
            "printf '%%s\\n' \"$(%D)\"",
            "echo \"`%B`\"",
            "echo \"${nosuch:-$(%D)}\"",
            "%U=$(%D) bash -c 'echo \"$%U\"'",
            "printf %%q \"$(%D)\"",
        ],
    ),
    (
        FlowReInput,
        &[
            "cat <<< \"$(%D)\"",
            "cat <<E%[$(%D)\nE%]",
            "cat <<E%[`%B`\nE%]",
            "cat <<'E'%[$(%D)\nE%]",
            "cat <<< '$(ls)' <<< \"`%B`\"",
        ],
    ),
    (
        FlowProcess,
        &[
            "cat <(%D)",
            "cat < <(%D)",
            "{ %C > >(cat); } | cat",
            "paste <(%D) /dev/null",
            "sort -m <(%D) <(:)",
            "%C | cat - <(ls)",
        ],
    ),
    (
        FlowDescriptor,
        &[
            "{ %C >&3; } 3>&1",
            "{ exec 3>&1; %C >&3; }",
            "{ %C 1>&2; } 2>&1",
            "{ %C; } 3>&1 1>&2 2>&3 2>&1",
            "exec 4< <(%D); cat <&4",
            "{ %C >&3; } 3>&2",
            "{ %C 3>&1 >&2; } 2>&1",
            "exec {fd}< <(%D); cat <&\"$fd\"",
        ],
    ),
    (
        FlowWaited,
        &["%C & wait $!", "{ %C & wait $!; }", "(%C & wait $!)"],
    ),
    (
        FlowCoproc,
        &[
            "coproc { %C; sleep 0.1; }; exec 4<&\"${COPROC[0]}\"; cat <&4",
            "coproc cat; exec 4<&\"${COPROC[0]}\" 5>&\"${COPROC[1]}\"-; %C >&5; exec 5>&-; cat <&4",
        ],
    ),
    (
        FlowFifo,
        &[
            "mkfifo %O; { %C; } > %O & cat %O",
            "mkfifo %O; { cat %O & { %C; } > %O; wait $!; }",
        ],
    ),
    (
        FlowFilePrinted,
        &[
            "%F; cat %N",
            "%F; cat < %N",
            "%F; tail -n 9 %N",
            "%F; sed '' < %N",
            "%F; grep . %N",
            "%F; dd if=%M 2>/dev/null",
            "%F; echo \"$(<%N)\"",
            "%F; while read -r l; do echo \"$l\"; done < %N",
            "%F; awk '{print}' %N",
            "%F; { cat; } < %N",
            "%F; find . -name %M -exec cat {} \\;",
            "%F; xargs echo < %N",
            "cat %N 2>/dev/null; %F",
        ],
    ),
    (
        FlowFileByDescriptor,
        &[
            "%F; exec 3< %N; cat <&3",
            "%F; cat 3< %N <&3",
            "%F; exec < %N; cat",
            "%F; cat /dev/fd/4 4< %N",
        ],
    ),
    (
        FlowFileFromGit,
        &[
            "%F; git add %N; git show :%M",
            "%F; git diff --no-index /dev/null %M | sed -n 's/^+//p'",
        ],
    ),
    (
        FlowValuePrinted,
        &[
            "%Pecho \"%V\"",
            "printf '%%s\\n' \"%V\"",
            "echo %V",
            "printf \"%V\\n\"",
            "%j() { echo \"$1\"; }; %j \"%V\"",
            "%j() { %Pecho \"$@\"; }; %j %V",
            "echo a; echo \"%V\"",
            "echo \"it's: %V\"",
        ],
    ),
    (
        FlowValueInBody,
        &[
            "cat <<< \"%V\"",
            "cat <<E%[%V\nE%]",
            "cat <<E%[a\n\"%V\"\nE%]",
            "cat <<-E | cat%[%V\n\tE%]",
        ],
    ),
    (
        FlowValueThroughProgram,
        &[
            "bash -c 'echo \"$1\"' a \"%V\"",
            "sh -c 'printf \"%%s\\n\" \"$*\"' a %V",
            "awk -v c=\"%V\" 'BEGIN{print c}'",
            "perl -e 'print \"@ARGV\\n\"' \"%V\"",
            "export %U=\"%V\"; env | sed -n s/^%U=//p",
            "export %U=\"%V\"; sh -c 'echo \"$%U\"'",
            "jq -nr --arg c \"%V\" '$c'",
            "xargs -I{} echo \"%V\" < list",
            "find d -maxdepth 0 -exec echo \"%V\" \\;",
            "env echo \"%V\"",
        ],
    ),
    (
        FlowValueReadBack,
        &[
            "git commit --allow-empty -qm \"%V\"; git log -1 --format=%%s",
            "git config note.%U \"%V\"; git config note.%U",
            "alias z=\"%V\"; alias z | cut -d\\' -f2",
            "trap \"%V\" USR2; trap -p USR2 | cut -d\\' -f2",
            "(: \"${nosuch:?; %V}\") 2>&1",
            "cd \"; %V #\" 2>&1",
            "PS4=\"%V #\"; { set -x; :; } 2>&1",
            "%U=\"%V\"; declare -p %U | cut -d\\\" -f2",
        ],
    ),
];
