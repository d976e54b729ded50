//! What keeps the text of a flow for later: files and values.

use super::super::construct::ShellConstruct::*;
use super::super::draft::Forms;
use super::Holders;

/// Commands that leave it in a file.
pub(in super::super) const FILE_CARRIERS: Forms = &[
    (
        FlowRedirected,
        &[
            "%C > %O",
            "%C >> %O",
            "%C >| %O",
            "%C &> %O",
            "%C > ./%O",
            "%C > \"$PWD\"/%O",
            "%C 3> %O 1>&3",
            "%C > /dev/null > %O",
            "%C > %O > /dev/null",
            "%C >\"%O\" 2>&1",
        ],
    ),
    (
        FlowToolOutput,
        &[
            "%C | tee %O >/dev/null",
            "%C | dd of=%O 2>/dev/null",
            "%C | sort -o %O",
            "%C | sed -n 'w %O'",
            "%C | awk '{print > \"%O\"}'",
            "%C | cat > %O",
            "cp <(%D) %O",
            "%C | tee -a %O",
            "tee %O <<< \"$(%D)\"",
        ],
    ),
    (
        FlowCompoundToFile,
        &[
            "{ %C; } > %O",
            "(%C) > %O",
            "for i in 1; do %C; done > %O",
            "%j() { %C; } > %O; %j",
            "exec 3> %O; %C >&3",
            "if true; then %C; fi > %O",
            "exec {fd}> %O; %C >&$fd",
            "cat <(%D) > %O",
            "{ %n; %C; } >> %O",
        ],
    ),
    (
        FlowCopied,
        &[
            "%F; cp %N %O",
            "%F; cat %N > %O",
            "%F; dd if=%M of=%O 2>/dev/null",
            "%F; install %N %O",
            "%F; tee %O < %N >/dev/null",
            "%F; cat %N >> %O",
            "%F; cp %N d; mv d/%M %O",
            "%F; cp -t d %N; cp d/%M %O",
            "%F; sed -n 'w %O' %N",
            "cp %N %O 2>/dev/null; %F",
        ],
    ),
    (
        FlowMoved,
        &[
            "%F; mv %N %O",
            "mkdir -p e; %F; mv %N e; mv e/* %O",
            "%F; ls; mv -f %N %O",
            "%F; mv -T %N %O",
        ],
    ),
    (
        FlowLinked,
        &[
            "%F; ln %N %O",
            "%F; ln -s %M %O",
            "ln -s %M %O; %F",
            "%F; ln -sf \"$PWD\"/%M %O",
            "%F; cp -s %M %O",
        ],
    ),
    (
        FlowArchived,
        &[
            "%F; tar -cf a.tar %M; tar -xOf a.tar > %O",
            "%F; gzip -c %N | gunzip > %O",
            "%F; base64 %N > b; base64 -d b > %O",
            "%F; diff -u /dev/null %M | sed -n 's/^+\\([^+]\\)/\\1/p' > %O",
        ],
    ),
    (
        FlowEdited,
        &[
            "%F; sed -i s/q/q/ %N; mv %N %O",
            "%F; echo ls >> %N; cp %N %O",
            "%F; { echo '#!/bin/sh'; cat %N; } > %O",
            "%F; sed 's/^/# /' %N > %O",
            "%F; perl -pi -e 1 %N; cp %N %O",
        ],
    ),
    (
        FlowValueWritten,
        &[
            "echo \"%V\" > %O",
            "printf '#!/bin/sh\\n%%s\\n' \"%V\" > %O",
            "cat > %O <<E%[%V\nE%]",
            "tee %O <<< \"%V\"",
            "echo \"%V\" | tee %O",
        ],
    ),
];

/// What holds it as a value.
pub(in super::super) const VALUE_CARRIERS: Holders = &[
    (
        FlowToVariable,
        &[
            ("%U", "%U=$(%D); %>"),
            ("%U", "%U=`%B`; %>"),
            ("%U", "%U=\"$(%D)\"; %>"),
            ("%U", "declare %U=\"$(%D)\"; %>"),
            ("%U", "printf -v %U %%s \"$(%D)\"; %>"),
            ("%U", "%U+=$(%D); %>"),
            ("%U", ": ${%U:=$(%D)}; %>"),
        ],
    ),
    (
        FlowToRead,
        &[
            ("%U", "read -r %U < <(%D); %>"),
            ("%U", "%C | while read -r %U; do %>; done"),
            ("%U", "%C | { read -r %U; %>; }"),
            ("%U", "shopt -s lastpipe; %C | read -r %U; %>"),
            ("%U", "%C | read -r %U; %>"),
            ("%U", "while read -r %U; do %>; done < <(%D)"),
            ("%U", "read -r %U <<< \"$(%D)\"; %>"),
            ("REPLY", "IFS= read -rd '' < <(%D); %>"),
        ],
    ),
    (
        FlowToArray,
        &[
            ("%U[0]", "mapfile -t %U < <(%D); %>"),
            ("%U[0]", "%U=(\"$(%D)\"); %>"),
            ("%U[@]", "%U=($(%D)); %>"),
            ("%U[k]", "declare -A %U; %U[k]=$(%D); %>"),
            ("MAPFILE[0]", "readarray < <(%D); %>"),
        ],
    ),
    (
        FlowToPositional,
        &[
            ("@", "set -- $(%D); %>"),
            ("1", "set -- \"$(%D)\"; %>"),
            ("1", "%j() { %>; }; %j \"$(%D)\""),
            ("*", "%j() { %>; }; %j $(%D)"),
        ],
    ),
    (
        FlowToLoop,
        &[
            ("%U", "for %U in \"$(%D)\"; do %>; done"),
            ("%U", "for %U in $(%D); do %>; done"),
            ("%U", "%C | while IFS= read -r %U; do %>; done"),
        ],
    ),
    (
        FlowFileToValue,
        &[
            ("%U", "%F; %U=$(<%N); %>"),
            ("%U", "%F; %U=$(cat %N); %>"),
            ("%U", "%F; read -r %U < %N; %>"),
            ("%U[0]", "%F; mapfile -t %U < %N; %>"),
            ("%U", "%F; while read -r %U; do %>; done < %N"),
            ("%U", "%F; exec 3< %N; read -r -u 3 %U; %>"),
            ("%U", "%F; { read -r %U; %>; } < %N"),
            ("%U", "%F; for %U in \"$(cat %N)\"; do %>; done"),
        ],
    ),
    (
        FlowVariableToVariable,
        &[
            ("%U", "%U=%V; %>"),
            ("%U", "%U=\"%V\"; %>"),
            ("%U", "%U=${nosuch:-%V}; %>"),
            ("%U", "%U=a; %U=\"%V\"; %>"),
            ("%U", "printf -v %U %%s \"%V\"; %>"),
            ("%U", "read -r %U <<< \"%V\"; %>"),
            ("%U", "for %U in \"%V\"; do %>; done"),
            ("%U", "eval \"%U='%V'\"; %>"),
        ],
    ),
    (
        FlowVariableToArray,
        &[
            ("%U[0]", "%U=(\"%V\"); %>"),
            ("%U[@]", "%U=(%V); %>"),
            ("%U[k]", "declare -A %U=([k]=\"%V\"); %>"),
        ],
    ),
    (
        FlowVariableToPositional,
        &[
            ("1", "set -- \"%V\"; %>"),
            ("@", "set -- %V; %>"),
            ("1", "%j() { %>; }; %j \"%V\""),
            ("@", "%j() { %>; }; %j %V"),
            ("_", ": \"%V\"; %>"),
        ],
    ),
];
