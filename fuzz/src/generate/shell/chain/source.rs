//! Where does the text of a flow come from?

use super::super::construct::ShellConstruct::*;
use super::super::draft::Forms;
use super::Holders;

/// Commands that print it.
pub(in super::super) const OUTPUT_SOURCES: Forms = &[
    (
        FlowEcho,
        &[
            "%Pecho \"%T\"",
            "%Pecho '%x'",
            "echo %x",
            "echo $'%x'",
            "echo \"\"'%x'",
            "echo -n \"%T\"",
            "echo \"%x\" \"#\"",
            "ec\\%/ho '%x'",
        ],
    ),
    (
        FlowPrintf,
        &[
            "%Pprintf '%%s\\n' \"%T\"",
            "printf '%x\\n'",
            "printf \"%%s\\n\" a \"%x\" b",
            "%Pprintf %%b '%x\\n'",
            "printf '%%s %%s\\n' : '; %x'",
        ],
    ),
    (
        FlowBody,
        &[
            "cat <<'E'%[%T\nE%]",
            "cat <<-\\E%[\t%x\n\tE%]",
            "%Pcat <<\"A B\"%[it's\n%x\nA B%]",
            "head -n 9 <<'E' 2>&1%[%x\n$(ls)\nE%]",
            "{ cat; } <<'E'%[%x\nE%]",
        ],
    ),
    (
        FlowBodyExpanded,
        &[
            "cat <<E%[%T\nE%]",
            "cat <<-E%[a \\\n%x\n\tE%]",
            "cat <<E.F%[# it's $HOME\n%x\nE.F%]",
            "cat <<E%[echo \"\n\"; %x\nE%]",
        ],
    ),
    (
        FlowHereString,
        &[
            "%Pcat <<< \"%T\"",
            "cat <<< '%x'",
            "sed '' <<<\"%x\"",
            "cat<<<$'a\\n%x'",
        ],
    ),
    (
        FlowProgram,
        &[
            "echo %q",
            "printf '%%s\\n' %q",
            "cat <<< %q",
            "cat <<'E'%[%l\nE%]",
        ],
    ),
    (
        FlowDecorated,
        &[
            "echo \"run: %x\" | cut -d: -f2",
            "echo '# %x' | sed 's/^# //'",
            "echo '# %x'",
            "echo \"ls && %x\"",
            "printf '%%s\\n' '- `%x`'",
            "echo \"[$(date +%%s)] %x\" | cut -d] -f2-",
            "printf '<p>%x</p>\\n' | tr '<>' '\\n\\n'",
            "echo '{\"cmd\": \"%x\"}' | jq -r .cmd",
        ],
    ),
    (
        FlowMessage,
        &[
            "ls \"nosuch; %x\" 2>&1 | cut -d';' -f2 | tr -d \"'\"",
            "cd \"; %x #\" 2>&1",
            "(: \"${nosuch:?; %x}\") 2>&1",
            "\"; %x #\" 2>&1",
            "ls \"%x\" 2>&1",
            "{ set -x; : '; %x #'; } 2>&1 | tr -d \"'\"",
            "cat '; %x' 2>&1 | tr -d \"'\"",
        ],
    ),
    (
        FlowOwnText,
        &[
            "alias z=\"%x\"; alias z | cut -d\\' -f2",
            "trap '%x' USR1; trap -p USR1 | cut -d\\' -f2",
            "%j() { %x; }; declare -f %j | sed -n 3p",
            "%U='%x'; declare -p %U | cut -d\\\" -f2",
            "%U='; %x #'; export %U; export -p | grep nosuch",
            "PS4='%x #'; { set -x; :; } 2>&1",
            "complete -W '%x' z; complete -p z | cut -d\\' -f2",
            "%j() { : \"%x\"; }; type %j",
        ],
    ),
    (
        FlowFileName,
        &[
            "mkdir -p e; touch \"e/%y\"; ls e",
            "mkdir -p e; > e/'%y'; (cd e && printf '%%s\\n' *)",
            "mkdir -p e/\"%y\"; basename e/*",
            "mkdir -p e; touch \"e/%y\"; find e -name '* *' | cut -c3-",
            "mkdir -p e; touch e/\"%y\"; echo \"$(cd e; ls)\"",
            "mkdir -p e; touch e/\"%y\"; wc -l e/*",
        ],
    ),
    (
        FlowCommitMessage,
        &[
            "git commit --allow-empty -qm \"%x\"; git log -1 --format=%%s",
            "git tag -am '%x' v9; git tag -l --format='%%(contents)' v9",
            "git commit --allow-empty -qm \"%x\"; git log --oneline",
            "git config note.%U \"%x\"; git config note.%U",
        ],
    ),
    (
        FlowEnvironment,
        &[
            "export %U=\"%x\"; env | sed -n s/^%U=//p",
            "%U='%x' bash -c 'echo \"$%U\"'",
            "env %U=\"%x\" sh -c 'printf \"%%s\\n\" \"$%U\"'",
            "export %U='%x'; env | grep ^%U= | cut -d= -f2-",
            "export %U='%x'; perl -e 'print $ENV{%U}'",
        ],
    ),
];

/// Commands that leave it in a file.
pub(in super::super) const FILE_SOURCES: Forms = &[
    (
        FlowWritten,
        &[
            "%Pecho \"%T\" > %O",
            "> %O echo '%x'",
            "echo \"%x\" >> %O",
            "printf '%%s\\n' '%T' >| %O",
            "echo \"%x\" >\"%O\" 2>&1",
            "echo \"%x\" &> ./%O",
        ],
    ),
    (
        FlowBodyWritten,
        &[
            "cat > %O <<'E'%[%T\nE%]",
            "cat <<E > %O%[%x\nE%]",
            "tee %O <<\\E >/dev/null%[%T\nE%]",
            "cat <<'EOF' >> %O%[#!/bin/sh\n%x\nEOF%]",
            "{ cat; } > %O <<'E'%[%x\nE%]",
        ],
    ),
    (
        FlowToolWrites,
        &[
            "tee %O <<< \"%T\" >/dev/null",
            "sed 's/.*/%v x/' list > %O",
            "awk 'BEGIN{print \"%x\" > \"%O\"}'",
            "perl -e 'open F, q(>%O); print F q(%x)'",
            "dd of=%O 2>/dev/null <<< '%x'",
            "sed '1w %O' <<< \"%x\" >/dev/null",
        ],
    ),
];

/// What holds it as a value.
pub(in super::super) const VALUE_SOURCES: Holders = &[
    (FlowLiteral, &[("", "%>")]),
    (
        FlowAssigned,
        &[
            ("%U", "%U=\"%x\"; %>"),
            ("%U", "%U='%T'; %>"),
            ("%U", "%U=a B=1 %U=\"%x\"; %>"),
            ("%U", "declare %U=\"%x\"; %>"),
            ("%U", "export %U='%x'; %>"),
            ("%U", "%U=; %U+=\"%x\"; %>"),
            ("%U", "readonly %U=\"%x\" 2>/dev/null; %>"),
            ("%U", ": \"${%U:=%x}\"; %>"),
        ],
    ),
    (
        FlowArray,
        &[
            ("%U[0]", "%U=(\"%x\"); %>"),
            ("%U[@]", "%U=(%x); %>"),
            ("%U[1]", "%U=(a '%x' b); %>"),
            ("%U[k]", "declare -A %U=([k]=\"%x\"); %>"),
            ("%U[*]", "%U=(%x); %>"),
            ("%U[5]", "%U[5]='%x'; %>"),
        ],
    ),
    (
        FlowPositional,
        &[
            ("1", "set -- \"%x\"; %>"),
            ("*", "set -- %x; %>"),
            ("@", "set -- %x; %>"),
            ("2", "set a '%x'; %>"),
        ],
    ),
    (
        FlowReadIn,
        &[
            ("%U", "read -r %U <<< \"%x\"; %>"),
            ("%U[0]", "mapfile -t %U <<< '%x'; %>"),
            ("REPLY", "read -r <<< \"%x\"; %>"),
            ("%U", "IFS= read -r %U <<'E'%[%x\nE%]; %>"),
            ("%U[*]", "read -ra %U <<< \"%x\"; %>"),
        ],
    ),
    (
        FlowLastArgument,
        &[
            ("_", ": \"%x\"; %>"),
            ("_", "echo \"%x\" >/dev/null; %>"),
            ("_", "echo a '%x'; %>"),
        ],
    ),
    (
        FlowFunctionArgument,
        &[
            ("1", "%j() { %>; }; %j \"%x\""),
            ("@", "function %j { %>; }; %j %x"),
            ("2", "%j() { %>; }; %j a '%x'"),
            ("1", "%j() ( %>; ); %j \"%x\" | cat"),
        ],
    ),
    (
        FlowLoopVariable,
        &[
            ("%U", "for %U in \"%x\"; do %>; done"),
            ("%U", "for %U in a '%x'; do %>; done"),
            ("%U", "while read -r %U; do %>; done <<< \"%x\""),
            ("%U", "select %U in '%x'; do %>; break; done <<< 1"),
        ],
    ),
    (
        FlowPrintfVariable,
        &[
            ("%U", "printf -v %U \"%x\"; %>"),
            ("%U", "printf -v %U '%%s %%s' '%x' ''; %>"),
            ("%U", "printf -v %U %%s \"%x\"; %>"),
        ],
    ),
    (
        FlowAliasTable,
        &[
            ("BASH_ALIASES[z]", "alias z=\"%x\"; %>"),
            ("BASH_ALIASES[z]", "BASH_ALIASES[z]='%x'; %>"),
        ],
    ),
];
