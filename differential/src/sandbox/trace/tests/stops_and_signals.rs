//! Stops and signals work as without a tracer.

use super::*;

/// The script, traced, gives the same end and output as untraced; its output is this.
fn agrees(script: &str, output: &str) {
    let run = bash(script);
    assert_eq!((run.end, run.stdout.clone()), untraced(script), "{script}");
    assert_eq!(run.stdout, output, "{script}");
}

#[test]
fn a_stopped_child_stands_still_until_it_is_continued() {
    for (signal, status) in [("STOP", 147), ("TSTP", 148), ("TTIN", 149), ("TTOU", 150)] {
        let child = format!("kill -{signal} $$; echo after > late");
        agrees(
            &format!(
                "set -m; sh -c '{child}' & wait %1; echo $?; ls; kill -CONT %1; wait -f %1; echo $?; cat late"
            ),
            &format!("{status}\nf\n0\nafter\n"),
        );
    }
}

#[test]
fn a_whole_group_is_stopped_and_continued() {
    agrees(
        "set -m; (sleep 60 | sleep 60) & kill -STOP %1; wait %1; echo $?; kill -CONT %1; kill -TERM %1; wait -f %1; echo $?",
        "147\n143\n",
    );
}

#[test]
fn a_stopped_child_can_be_killed() {
    // Bash forgets that the job was stopped only when it has seen it end.
    let gone = "while kill -0 $!; do :; done";
    agrees(
        &format!(
            "set -m; sh -c 'kill -STOP $$' & wait %1; echo $?; kill -KILL %1; {gone}; wait $!; echo $?"
        ),
        "147\n137\n",
    );
}

#[test]
fn signals_are_caught_ignored_and_deadly_as_ever() {
    agrees(
        "trap 'echo caught' USR1; kill -USR1 $$; echo on",
        "caught\non\n",
    );
    agrees("trap '' TERM; kill -TERM $$; echo on", "on\n");
    agrees(
        "trap 'echo caught' RTMIN+5; kill -RTMIN+5 $$; echo on",
        "caught\non\n",
    );
    agrees(
        "trap 'echo caught' TRAP; kill -TRAP $$; echo on",
        "caught\non\n",
    );
    agrees(
        "trap 'echo continued' CONT; kill -CONT $$; echo on",
        "continued\non\n",
    );
    agrees(
        "sh -c 'kill -TRAP $$'; echo $?; sh -c 'kill -RTMAX $$'; echo $?",
        "133\n192\n",
    );
    agrees("yes | sed 1q; echo ${PIPESTATUS[*]}", "y\n141 0\n");
}

#[test]
fn a_child_killed_in_the_middle_is_no_trouble() {
    agrees(
        "for i in 1 2 3 4 5 6 7 8; do (while :; do : < f; done) & kill -KILL $!; wait $!; echo $?; done",
        &"137\n".repeat(8),
    );
}

#[test]
fn an_interrupted_call_is_no_success_and_its_restart_is_one() {
    let script = "mkfifo p; cat p & state() { read -r _ name state _ < /proc/$!/stat && [[ \"$name $state\" == \"(cat) \"$1 ]]; }
        until state S; do :; done; kill -STOP $!; until state [tT]; do :; done; kill -CONT $!; echo x > p; wait";
    let run = bash(script);
    assert_eq!((run.end, run.stdout.as_str()), (End::Exit(0), "x\n"));
    let cat: Vec<(i32, i32)> = run
        .events
        .iter()
        .filter_map(|event| match &event.call {
            Call::Open { path, flags, .. } if path == b"p" && event.process != 0 => {
                Some((*flags, event.errno))
            }
            _ => None,
        })
        .collect();
    assert_eq!(cat, [(libc::O_RDONLY, libc::EINTR), (libc::O_RDONLY, 0)]);
}
