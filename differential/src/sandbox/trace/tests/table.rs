//! Is every row of the table right? Its number in the filter, its arguments in what is told.

use super::subject::play;
use super::*;

/// What the filter answers to a call, as the kernel works it out.
fn answer(program: &BpfProgram, architecture: u32, number: u32) -> u32 {
    let (mut at, mut loaded) = (0, 0);
    loop {
        let step = &program[at];
        let holds = match u32::from(step.code) {
            0x20 => {
                loaded = if step.k == 0 { number } else { architecture };
                at += 1;
                continue;
            }
            0x06 => return step.k,
            0x15 => loaded == step.k,
            0x35 => loaded >= step.k,
            0x45 => loaded & step.k != 0,
            code => panic!("instruction {code:#x} is not used"),
        };
        at += 1 + usize::from(if holds { step.jt } else { step.jf });
    }
}

#[test]
fn the_filter_traces_the_calls_of_the_table_and_allows_the_others() {
    let program = filter().expect("this architecture is known");
    let here = program
        .iter()
        .find(|step| step.code == 0x15)
        .expect("a look at the architecture")
        .k;
    let table: Vec<u32> = calls::numbers().collect();
    for number in 0..2000 {
        let wanted = match table.contains(&number) {
            true => libc::SECCOMP_RET_TRACE,
            false => libc::SECCOMP_RET_ALLOW,
        };
        assert_eq!(answer(&program, here, number), wanted, "{number}");
        assert_eq!(
            answer(&program, here ^ 1, number),
            libc::SECCOMP_RET_KILL_PROCESS,
            "{number}"
        );
        #[cfg(target_arch = "x86_64")]
        assert_eq!(
            answer(&program, here, number | 0x4000_0000),
            libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32,
            "{number}"
        );
    }
}

/// Every call of the table that changes something, on paths without a directory: number, arguments as the manual has them,
/// and what is told.
fn changes() -> Vec<(libc::c_long, [i64; 6], &'static str)> {
    let [p, q, a] = [c"none/p", c"none/q", c"user.a"].map(|text| text.as_ptr() as i64);
    let here = i64::from(libc::AT_FDCWD);
    let closed = 999;
    let mut changes = vec![
        (libc::SYS_truncate, [p, 0, 0, 0, 0, 0], "truncate none/p"),
        (
            libc::SYS_renameat2,
            [here, p, here, q, 0, 0],
            "renameat2 none/p none/q",
        ),
        (
            libc::SYS_linkat,
            [here, p, here, q, 0, 0],
            "linkat none/p none/q",
        ),
        (
            libc::SYS_symlinkat,
            [q, here, p, 0, 0, 0],
            "symlinkat none/p none/q",
        ),
        (libc::SYS_unlinkat, [here, p, 0, 0, 0, 0], "unlinkat none/p"),
        (
            libc::SYS_mkdirat,
            [here, p, 0o700, 0, 0, 0],
            "mkdirat none/p",
        ),
        (
            libc::SYS_mknodat,
            [here, p, 0o010_700, 0, 0, 0],
            "mknodat none/p",
        ),
        (libc::SYS_fchmod, [closed, 0o700, 0, 0, 0, 0], "fchmod "),
        (
            libc::SYS_fchmodat,
            [here, p, 0o700, 0, 0, 0],
            "fchmodat none/p",
        ),
        (452, [here, p, 0o700, 0, 0, 0], "fchmodat2 none/p"),
        (libc::SYS_fchown, [closed, -1, -1, 0, 0, 0], "fchown "),
        (
            libc::SYS_fchownat,
            [here, p, -1, -1, 0, 0],
            "fchownat none/p",
        ),
        (
            libc::SYS_utimensat,
            [here, p, 0, 0, 0, 0],
            "utimensat none/p",
        ),
        (libc::SYS_setxattr, [p, a, a, 1, 0, 0], "setxattr none/p"),
        (libc::SYS_lsetxattr, [p, a, a, 1, 0, 0], "lsetxattr none/p"),
        (libc::SYS_fsetxattr, [closed, a, a, 1, 0, 0], "fsetxattr "),
        (463, [here, p, 0, a, 0, 0], "setxattrat none/p"),
        (
            libc::SYS_removexattr,
            [p, a, 0, 0, 0, 0],
            "removexattr none/p",
        ),
        (
            libc::SYS_lremovexattr,
            [p, a, 0, 0, 0, 0],
            "lremovexattr none/p",
        ),
        (
            libc::SYS_fremovexattr,
            [closed, a, 0, 0, 0, 0],
            "fremovexattr ",
        ),
        (466, [here, p, 0, a, 0, 0], "removexattrat none/p"),
        (469, [here, p, 0, 0, 0, 0], "file_setattr none/p"),
    ];
    #[cfg(target_arch = "x86_64")]
    changes.extend([
        (libc::SYS_rename, [p, q, 0, 0, 0, 0], "rename none/p none/q"),
        (
            libc::SYS_renameat,
            [here, p, here, q, 0, 0],
            "renameat none/p none/q",
        ),
        (libc::SYS_link, [p, q, 0, 0, 0, 0], "link none/p none/q"),
        (
            libc::SYS_symlink,
            [q, p, 0, 0, 0, 0],
            "symlink none/p none/q",
        ),
        (libc::SYS_unlink, [p, 0, 0, 0, 0, 0], "unlink none/p"),
        (libc::SYS_rmdir, [p, 0, 0, 0, 0, 0], "rmdir none/p"),
        (libc::SYS_mkdir, [p, 0o700, 0, 0, 0, 0], "mkdir none/p"),
        (libc::SYS_mknod, [p, 0o010_700, 0, 0, 0, 0], "mknod none/p"),
        (libc::SYS_chmod, [p, 0o700, 0, 0, 0, 0], "chmod none/p"),
        (libc::SYS_chown, [p, -1, -1, 0, 0, 0], "chown none/p"),
        (libc::SYS_lchown, [p, -1, -1, 0, 0, 0], "lchown none/p"),
        (libc::SYS_utime, [p, 0, 0, 0, 0, 0], "utime none/p"),
        (libc::SYS_utimes, [p, 0, 0, 0, 0, 0], "utimes none/p"),
        (
            libc::SYS_futimesat,
            [here, p, 0, 0, 0, 0],
            "futimesat none/p",
        ),
    ]);
    #[cfg(target_arch = "aarch64")]
    changes.push((38, [here, p, here, q, 0, 0], "renameat none/p none/q"));
    changes
}

/// The act of the traced program.
pub(super) fn make_all_changes() {
    for (number, [a, b, c, d, e, f], _) in changes() {
        // SAFETY: texts that live as long as the program, null, and numbers; each call fails.
        let done = unsafe { libc::syscall(number, a, b, c, d, e, f) };
        assert_eq!(done, -1, "call {number}");
    }
}

#[test]
fn every_call_that_changes_something_is_told_with_its_paths() {
    let run = play(folder().path(), "all changes");
    assert_eq!(run.end, End::Exit(0));
    let told = run.events.iter().filter_map(|event| match &event.call {
        Call::Alter { call, path, to, .. } if event.errno != 0 => {
            let to = to
                .as_ref()
                .map(|to| format!(" {}", String::from_utf8_lossy(to)));
            Some(format!(
                "{call} {}{}",
                String::from_utf8_lossy(path),
                to.unwrap_or_default()
            ))
        }
        _ => None,
    });
    let wanted: Vec<&str> = changes().into_iter().map(|change| change.2).collect();
    assert_eq!(told.collect::<Vec<_>>(), wanted);

    let mut rows: Vec<&str> = wanted
        .iter()
        .map(|line| line.split(' ').next().expect("a name"))
        .collect();
    rows.extend(["execve", "execveat", "openat", "openat2", "socket"]);
    #[cfg(target_arch = "x86_64")]
    rows.extend(["open", "creat"]);
    let mut table: Vec<&str> = calls::traced_calls().collect();
    rows.sort_unstable();
    table.sort_unstable();
    assert_eq!(table, rows, "a row is not covered");
}
