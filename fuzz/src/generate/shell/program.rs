//! Programs that run an operand, an option or a setting of theirs, or do not.

use super::construct::ShellConstruct::*;
use super::draft::Forms;

pub(super) const FORMS: Forms = &[
    (
        ScriptOfShell,
        &[
            "sh -c \"%x\"",
            "bash -c %q",
            "sh -c 'echo \"%x\"'",
            "sh -c 'eval \"$1\"' a '%x'",
            "sh -c 'echo \"$1\"' a \"%x\"",
            "bash -c '%x #' ",
            "bash -c '# %x'",
            "sh -c %q a b",
            "bash -c 'bash -c \"%x\"'",
        ],
    ),
    (
        ProgramOf,
        &[
            "perl -e 'system(\"%x\")'",
            "sed '1e %x' f",
            "awk 'BEGIN{system(\"%x\")}'",
            "sed '1s/.*/%v/e' f",
            "awk '/%v/' f",
            "sed 's/%v/a/' f",
            "perl -ne 'print if /%v/' f",
            "perl -e 'print \"%x\"'",
            "awk 'BEGIN{print \"%x\"}'",
            "perl -e 'print `%x`'",
            "awk 'BEGIN{\"%x\" | getline}'",
            "sed -n '$!N;$!D;e %x' f",
        ],
    ),
    (
        ScriptOfProgram,
        &[
            "find . -name '%x'",
            "find . -name f -exec sh -c '%x' \\;",
            "xargs sh -c '%x' < list",
            "echo x | xargs -I{} sh -c 'echo \"{} %x\"'",
            "flock f -c '%x'",
            "script -qc '%x' out",
            "split --filter='%x' f",
            "tar --checkpoint=1 --checkpoint-action=exec='%x' -cf a f",
            "make --eval='x:;%x'",
            "busybox sh -c '%x'",
            "env -S 'echo %x'",
            "bash --norc -c '%x' -- a",
        ],
    ),
    (
        Setting,
        &[
            "git -c alias.z='!%x' z",
            "git -c core.fsmonitor='%x' status",
            "GIT_EDITOR='%x' git commit --allow-empty",
            "GIT_PAGER='%x' git log -1",
            "git -c core.pager='%x' log -1",
            "%tgit -c core.pager='%x' log -1",
            "EDITOR='%x' git commit --allow-empty -m a",
            "git config note.x '%x'",
            "git config note.x '%x'; $(git config note.x)",
            "complete -C '%x' z",
            "git -c user.name='%x' commit --allow-empty -m a",
        ],
    ),
];
