//! Does the box see what programs do?

use crate::{bash, check, run};
use differential::sandbox::{Change, End, Failure, Form, Job, Observation, Pool, Watch};
use libtest_mimic::Failed;

/// The observation of a row, under both ways of watching.
pub(crate) fn row(pool: &Pool, watch: Watch, script: &str, expected: &str) -> Result<(), Failed> {
    if pool.form() == Form::Landlock && script.contains("/tmp/") {
        return unfaithful(
            pool,
            &Job {
                watch,
                ..bash(script)
            },
            "open of /tmp/t",
        );
    }
    let seen = shown(&run(
        pool,
        &Job {
            watch,
            ..bash(script)
        },
    )?);
    check(
        seen == expected,
        format!("{script}\n   expected {expected}\n   observed {seen}"),
    )
}

/// The form in force says what of the job it cannot run faithfully.
pub(crate) fn unfaithful(pool: &Pool, job: &Job, needs: &str) -> Result<(), Failed> {
    let failure = pool.run(job);
    check(
        matches!(&failure, Err(Failure::Form(text)) if text == needs),
        format!("expected a failure of the form with {needs:?}, got {failure:?}"),
    )
}

/// `exit 0, +made ~changed -gone from>to, read f`, as the rows of [`OBSERVATIONS`] have it.
pub(crate) fn shown(observation: &Observation) -> String {
    let text = |path: &[u8]| String::from_utf8_lossy(path).into_owned();
    let mut words = vec![match observation.end {
        End::Exit(status) => format!("exit {status}"),
        End::Signal(signal) => format!("signal {signal}"),
        other => format!("{other:?}"),
    }];
    words.extend(observation.changes.iter().map(|change| match change {
        Change::Created(path) => format!("+{}", text(path)),
        Change::Changed(path) => format!("~{}", text(path)),
        Change::Renamed(from, to) => format!("{}>{}", text(from), text(to)),
        Change::Removed(path) => format!("-{}", text(path)),
    }));
    words.extend(
        observation
            .read
            .iter()
            .map(|path| format!("read:{}", text(path))),
    );
    words.join(" ")
}

/// Name, script, and what is seen of it.
#[rustfmt::skip]
pub(crate) const OBSERVATIONS: &[(&str, &str, &str)] = &[
    ("nothing", ":", "exit 0"),
    ("stat and list only", "ls -lan . d; [ -s f ]; [ -r f ]; readlink l", "exit 0"),
    ("sed reads", "sed -n p f", "exit 0 read:f"),
    ("read through a link", "cat l", "exit 0 read:f"),
    ("read of an inner file", "cat d/g", "exit 0 read:d/g"),
    ("read of nothing", "head -c 0 f", "exit 0"),
    ("bash reads", "IFS= read -r x < f", "exit 0 read:f"),
    ("mapped", "grep -c alpha f", "exit 0 read:f"),
    ("script runs", "printf '#!/bin/sh\\n' > s; chmod +x s; ./s", "exit 0 +s"),
    ("sed error", "sed -n 's/' f", "exit 1"),
    ("sed no such file", "sed -n p none", "exit 2"),
    ("exit status", "exit 77", "exit 77"),
    ("signal", "kill -TERM $$", "signal 15"),
    ("created", "touch new; mkdir -p a/b; ln -s x link", "exit 0 +a +a/b +link +new"),
    ("created above", "echo x > ../up", "exit 0 +../up"),
    ("created in tmp", "echo x > /tmp/t", "exit 0 +../../tmp/t"),
    ("created by sed w", "sed -n 'w out' f", "exit 0 +out read:f"),
    ("hard link", "ln f g", "exit 0 +g"),
    ("copy", "cp f g", "exit 0 +g read:f"),
    ("appended", "echo x >> f", "exit 0 ~f"),
    ("truncated", ": > f", "exit 0 ~f"),
    ("touched", "touch f", "exit 0 ~f read:f"),
    ("access time alone", "touch -a f", "exit 0 read:f"),
    ("mode", "chmod 600 f", "exit 0 ~f"),
    ("mode of a folder", "chmod 700 d", "exit 0 ~d"),
    ("mode of the home", "chmod 700 ..", "exit 0 ~.."),
    ("rewritten the same", "printf 'alpha\\nbeta\\n' > f", "exit 0 ~f"),
    ("same size, times put back", "touch -r f ../t; printf 'ALPHA\\nbeta\\n' > f; touch -r ../t f; rm ../t", "exit 0 ~f"),
    ("link turned", "ln -sfn d l", "exit 0 ~l"),
    ("sed -i", "sed -i s/a/b/ f", "exit 0 ~f"),
    ("sed -i with a copy", "sed -i.bak s/a/b/ f", "exit 0 ~f f>f.bak read:f"),
    ("renamed", "mv f g", "exit 0 f>g"),
    ("renamed and changed", "mv f g; echo x >> g", "exit 0 ~g f>g"),
    ("renamed over", "mv f d/g", "exit 0 ~d/g f>d/g"),
    ("folder renamed", "mv d e", "exit 0 d>e"),
    ("folder renamed, content too", "mv d e; mv e/g e/h", "exit 0 d>e d/g>e/h"),
    ("folder of the case renamed", "mv ../cwd ../other", "exit 0 .>../other"),
    ("removed", "rm f", "exit 0 -f"),
    ("removed all", "rm -rf -- *", "exit 0 -d -d/g -f -l"),
    ("removed the folder of the case", "rm -rf ../cwd", "exit 0 -. -d -d/g -f -l"),
    ("replaced by another kind", "rm f; mkdir f", "exit 0 ~f"),
    ("come and gone", "echo x > t; rm t", "exit 0"),
    ("in the background", "(sleep 0.05; echo x > late) & exit 3", "exit 3 +late"),
    ("in a process substitution", "echo x > >(cat > late)", "exit 0 +late"),
    ("very deep", "perl -e 'for (1 .. 30) { mkdir \"d\" x 200; chdir \"d\" x 200 }' >/dev/null; rm -rf dddd*", "exit 0"),
];
