//! Are jobs run as they say, or refused with a reason?

use crate::observe::{shown, unfaithful};
use crate::{bash, check, run};
use differential::sandbox::{CWD, End, Entry, Failure, Form, HOME, Job, Pool, Watch};
use libtest_mimic::Failed;
use std::time::Duration;

pub(crate) type Test = fn(&Pool) -> Result<(), Failed>;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("streams are kept apart", |pool| {
        let seen = run(
            pool,
            &bash("cat; echo err >&2; pwd; echo $HOME; env | sort | head -c 5"),
        )?;
        let expected = format!("input\n{CWD}\n{HOME}\nHOME=");
        check(
            (&seen.stdout[..], &seen.stderr[..]) == (expected.as_bytes(), b"err\n"),
            format!("{seen:?}"),
        )
    }),
    ("standard files", |pool| {
        let seen = run(
            pool,
            &bash(
                "sed p /dev/stdin | sed -n 'w /dev/stdout'; echo e > /dev/stderr; cat < <(echo sub) /dev/fd/0",
            ),
        )?;
        check(
            (&seen.stdout[..], &seen.stderr[..]) == (b"input\ninput\nsub\n", b"e\n"),
            format!("{seen:?}"),
        )
    }),
    ("devices", |pool| {
        let list = match pool.form() {
            Form::Namespaces => "echo /dev/*",
            Form::Landlock => {
                unfaithful(pool, &bash("echo /dev/*"), "open of /dev")?;
                "echo $(printf '/dev/%s ' fd full null random stderr stdin stdout tty urandom zero)"
            }
        };
        let seen = run(
            pool,
            &bash(&format!(
                "{list}; head -c 4 /dev/urandom | wc -c; head -c 2 /dev/zero | wc -c; echo x > /dev/null; echo x > /dev/full"
            )),
        )?;
        let terminals = match pool.form() == Form::Namespaces && pool.takes_commands() {
            true => " /dev/ptmx /dev/pts",
            false => "",
        };
        let expected = format!(
            "/dev/fd /dev/full /dev/null{terminals} /dev/random /dev/stderr /dev/stdin /dev/stdout /dev/tty /dev/urandom \
             /dev/zero\n4\n2\n"
        );
        check(
            seen.stdout == expected.as_bytes() && seen.end == End::Exit(1),
            format!("{seen:?}"),
        )
    }),
    ("alternatives", |pool| {
        let seen = run(pool, &bash("awk 'BEGIN { print 1 }'"))?;
        check(seen.stdout == b"1\n", format!("{seen:?}"))
    }),
    ("deadline", |pool| {
        for watch in [Watch::Snapshot, Watch::Trace] {
            let job = Job {
                deadline: Duration::from_millis(100),
                watch,
                ..bash("echo x > made; sleep 100")
            };
            let seen = shown(&run(pool, &job)?);
            check(seen == "Deadline +made", seen)?;
        }
        Ok(())
    }),
    ("output cap", |pool| {
        for watch in [Watch::Snapshot, Watch::Trace] {
            for (script, end) in [
                ("printf 1234", End::Exit(0)),
                ("printf 12345", End::OutputCap),
                ("yes >&2", End::OutputCap),
            ] {
                let seen = run(
                    pool,
                    &Job {
                        output_cap: 4,
                        watch,
                        ..bash(script)
                    },
                )?;
                check(
                    seen.end == end && seen.stdout.len() + seen.stderr.len() == 4,
                    format!("{script}: {seen:?}"),
                )?;
            }
        }
        Ok(())
    }),
    ("standard input", |pool| {
        for watch in [Watch::Snapshot, Watch::Trace] {
            for length in [0, 1, 65_536, 65_537, 1 << 20] {
                let seen = run(
                    pool,
                    &Job {
                        stdin: vec![b'x'; length],
                        watch,
                        ..bash("wc -c")
                    },
                )?;
                check(
                    seen.stdout == format!("{length}\n").as_bytes(),
                    format!("{length}: {seen:?}"),
                )?;
            }
        }
        refused(
            pool,
            &Job {
                stdin: vec![b'x'; (1 << 20) + 1],
                ..bash(":")
            },
            "1048577 bytes",
        )
    }),
    ("jobs that cannot be run", |pool| {
        for watch in [Watch::Snapshot, Watch::Trace] {
            let job = Job { watch, ..bash(":") };
            refused(
                pool,
                &Job {
                    program: "/usr/bin/none".into(),
                    ..job.clone()
                },
                "starting /usr/bin/none: No such file",
            )?;
            refused(
                pool,
                &Job {
                    program: "/etc/passwd".into(),
                    ..job.clone()
                },
                "starting /etc/passwd: Permission denied",
            )?;
            refused(
                pool,
                &Job {
                    argv: vec![b"a\0b".to_vec()],
                    ..job.clone()
                },
                "",
            )?;
        }
        for path in [
            "",
            "/etc/x",
            "../../x",
            "a/../b",
            "./a",
            "a//b",
            "f",
            "l/x",
            &"a/".repeat(100),
        ] {
            let mut job = bash(":");
            job.tree.push(Entry::File(path.into(), Vec::new()));
            refused(pool, &job, "laying")?;
        }
        Ok(())
    }),
    ("the tree is laid", |pool| {
        let mut job = bash("cd ..; find . | sort; cat up cwd/a/b/c; readlink cwd/x");
        job.tree
            .push(Entry::File(b"../up".to_vec(), b"up\n".to_vec()));
        job.tree
            .push(Entry::File(b"a/b/c".to_vec(), b"deep\n".to_vec()));
        job.tree.push(Entry::Directory(b"a/e".to_vec()));
        job.tree.push(Entry::Link(b"x".to_vec(), b"../up".to_vec()));
        let seen = run(pool, &job)?;
        let expected = ".\n./cwd\n./cwd/a\n./cwd/a/b\n./cwd/a/b/c\n./cwd/a/e\n./cwd/d\n./cwd/d/g\n./cwd/f\n./cwd/l\n./cwd/x\n./up\n\
                        up\ndeep\n../up\n";
        check(
            seen.stdout == expected.as_bytes(),
            format!("{}", String::from_utf8_lossy(&seen.stdout)),
        )?;
        check(shown(&seen) == "exit 0 read:../up read:a/b/c", shown(&seen))
    }),
    ("words and environment in any bytes", |pool| {
        for watch in [Watch::Snapshot, Watch::Trace] {
            let mut job = Job {
                watch,
                ..bash("printf '%s|' \"$0\" \"$@\" \"$X\"")
            };
            job.argv
                .extend([b"a\xff".to_vec(), Vec::new(), b"-n *".to_vec()]);
            job.env.push((b"X".to_vec(), b"\xfe=".to_vec()));
            let seen = run(pool, &job)?;
            check(seen.stdout == b"a\xff||-n *|\xfe=|", format!("{seen:?}"))?;
        }
        Ok(())
    }),
    ("many callers", |pool| {
        let seen: Result<Vec<_>, Failure> = std::thread::scope(|scope| {
            let callers: Vec<_> = (0..6)
                .map(|number| {
                    scope.spawn(move || {
                        (0..10)
                            .map(|turn| pool.run(&bash(&format!("echo {number} {turn}; ls"))))
                            .collect::<Result<Vec<_>, _>>()
                    })
                })
                .collect();
            callers
                .into_iter()
                .map(|caller| caller.join().expect("a caller does not panic"))
                .collect()
        });
        let seen = seen?;
        for (number, of_one) in seen.iter().enumerate() {
            for (turn, observation) in of_one.iter().enumerate() {
                let expected = format!("{number} {turn}\nd\nf\nl\n");
                check(
                    observation.stdout == expected.as_bytes(),
                    format!("{observation:?}"),
                )?;
            }
        }
        Ok(())
    }),
];

fn refused(pool: &Pool, job: &Job, reason: &str) -> Result<(), Failed> {
    match pool.run(job) {
        Err(Failure::Job(text)) if text.contains(reason) => Ok(()),
        other => {
            Err(format!("expected a failure of the job with {reason:?}, got {other:?}").into())
        }
    }
}
