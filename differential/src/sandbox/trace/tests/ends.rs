//! How following ends.

use super::*;

#[test]
fn the_program_ends_as_without_a_tracer() {
    for script in [
        "exit 0",
        "exit 7",
        "kill -KILL $$",
        "kill -TERM $$",
        "kill -SEGV $$",
        "kill -RTMIN+3 $$",
        "nosuchcommand",
    ] {
        assert_eq!(bash(script).end, untraced(script).0, "{script}");
    }
}

#[test]
fn a_deadline_ends_a_program_that_sleeps_or_spins() {
    for script in [
        "sleep 5",
        "trap '' TERM; while :; do :; done",
        "while :; do : < f; done",
    ] {
        let soon = |child| {
            follow(
                child,
                Instant::now() + Duration::from_millis(100),
                Duration::ZERO,
                &mut || false,
            )
        };
        let run = trace_with(
            folder().path(),
            &["/bin/bash", "-c", script],
            &ENVIRONMENT,
            soon,
        );
        assert_eq!(run.end, End::Deadline, "{script}");
    }
}

#[test]
fn a_deadline_that_has_passed_ends_it_at_once() {
    let run = trace_with(folder().path(), &["/bin/true"], &ENVIRONMENT, |child| {
        follow(child, Instant::now(), Duration::ZERO, &mut || false)
    });
    assert_eq!((run.end, run.events.len()), (End::Deadline, 0));
}

#[test]
fn the_caller_can_stop_it() {
    let mut asked = 0;
    let mut third_time = || {
        asked += 1;
        asked == 3
    };
    let run = trace_with(
        folder().path(),
        &["/bin/sleep", "60"],
        &ENVIRONMENT,
        |child| {
            follow(
                child,
                Instant::now() + LONG,
                Duration::ZERO,
                &mut third_time,
            )
        },
    );
    assert_eq!(run.end, End::OutputCap);
}

#[test]
fn a_background_process_does_not_keep_it_and_dies_with_the_tracer() {
    let run = bash("sleep 60 & echo $!; exit 3");
    assert_eq!(run.end, End::Exit(3));
    let left = Pid::from_raw(run.stdout.trim().parse().expect("a number"));
    let started = Instant::now();
    while kill(left, None).is_ok() {
        assert!(started.elapsed() < LONG / 2, "still there");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn what_it_left_is_followed_while_it_lingers() {
    let script = "(while kill -0 $$; do :; done; : < late) & exit 3";
    let run = trace_with(
        folder().path(),
        &["/bin/bash", "-c", script],
        &ENVIRONMENT,
        |child| follow(child, Instant::now() + LONG, LONG, &mut || false),
    );
    assert_eq!(
        (run.end, run.opened("late")),
        (End::Exit(3), vec![libc::ENOENT])
    );
}

#[test]
fn events_are_bounded() {
    const LITTLE: usize = 64 << 10;
    let run = trace_with(
        folder().path(),
        &["/bin/bash", "-c", "while :; do : < f; done"],
        &ENVIRONMENT,
        |child| {
            Follower::new(child, LITTLE).run(Instant::now() + LONG, Duration::ZERO, &mut || false)
        },
    );
    assert_eq!(run.end, End::EventCap);
    assert!(run.events.len() * size_of::<Event>() <= LITTLE + size_of::<Event>());
}

#[test]
fn a_call_that_never_returned_is_kept() {
    let script = "mkfifo p; cat p & until read -r _ name state _ < /proc/$!/stat && [ \"$name $state\" = '(cat) S' ]; do :; done";
    let killed = bash(&format!("{script}; kill -KILL $!; wait $!; exit $?"));
    assert_eq!(
        (killed.end, killed.opened("p")),
        (End::Exit(137), vec![libc::EINTR])
    );
    let left = bash(script);
    assert_eq!(
        (left.end, left.opened("p")),
        (End::Exit(0), vec![libc::EINTR])
    );
}
