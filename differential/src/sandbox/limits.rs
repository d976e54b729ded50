//! How much may a case use, and which system calls could leave something behind? Limits and filters.
//!
//! They are set once, on PID 1 or on the worker, and inherited: by every process of every case.

use nix::errno::Errno;
use nix::libc;
use nix::sys::resource::{Resource, setrlimit};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, sock_filter,
};
use std::collections::BTreeMap;

/// What one process may use, or, for `RLIMIT_NPROC`, all of them.
const LIMITS: [(Resource, u64); 9] = [
    (Resource::RLIMIT_AS, 512 << 20),
    (Resource::RLIMIT_NPROC, 64),
    (Resource::RLIMIT_FSIZE, 8 << 20),
    (Resource::RLIMIT_NOFILE, 256),
    (Resource::RLIMIT_STACK, 8 << 20),
    (Resource::RLIMIT_MEMLOCK, 64 << 10),
    (Resource::RLIMIT_SIGPENDING, 256),
    (Resource::RLIMIT_MSGQUEUE, 0),
    (Resource::RLIMIT_CORE, 0),
];

/// Answered as by a kernel without them.
const ABSENT: [(i64, &str); 15] = [
    (
        libc::SYS_add_key,
        "keyrings belong to the user and outlive a case",
    ),
    (
        libc::SYS_request_key,
        "the same, and asks a program outside",
    ),
    (libc::SYS_keyctl, "the same"),
    (libc::SYS_shmget, "System V memory outlives the case"),
    (libc::SYS_semget, "System V semaphores outlive the case"),
    (libc::SYS_msgget, "System V queues outlive the case"),
    (libc::SYS_mq_open, "message queues outlive the case"),
    (libc::SYS_io_uring_setup, "makes calls that no tracer sees"),
    (libc::SYS_io_uring_enter, "the same"),
    (libc::SYS_io_uring_register, "the same"),
    (libc::SYS_bpf, "programs in the kernel; no case needs one"),
    (
        libc::SYS_perf_event_open,
        "watches the kernel; no case needs it",
    ),
    (
        libc::SYS_userfaultfd,
        "stalls the kernel, and a tracer, in the middle of a read",
    ),
    (
        libc::SYS_open_by_handle_at,
        "opens by number, past the tree that is watched",
    ),
    (
        libc::SYS_fanotify_init,
        "can hold up every process that opens a file",
    ),
];

/// Refused when they are aimed at another process: PID 1 has the same user, and would pass the change on to later cases.
const AIMED: [(i64, &[Condition]); 9] = [
    (
        libc::SYS_prlimit64,
        &[Condition::Not(0, 0), Condition::NotNull(2)],
    ),
    (libc::SYS_setpriority, &[Condition::Not(1, 0)]),
    (
        libc::SYS_setpriority,
        &[Condition::Not(0, libc::PRIO_PROCESS as u64)],
    ),
    (libc::SYS_ioprio_set, &[Condition::Not(1, 0)]),
    (
        libc::SYS_ioprio_set,
        &[Condition::Not(0, IOPRIO_WHO_PROCESS)],
    ),
    (libc::SYS_sched_setaffinity, &[Condition::Not(0, 0)]),
    (libc::SYS_sched_setscheduler, &[Condition::Not(0, 0)]),
    (libc::SYS_sched_setparam, &[Condition::Not(0, 0)]),
    (libc::SYS_sched_setattr, &[Condition::Not(0, 0)]),
];

const IOPRIO_WHO_PROCESS: u64 = 1;

/// Every way into another namespace.
const NAMESPACES: [(i64, &[Condition]); 17] = [
    (libc::SYS_setns, &[]),
    (
        libc::SYS_unshare,
        &[Condition::Has(0, libc::CLONE_NEWUSER as u64)],
    ),
    (
        libc::SYS_unshare,
        &[Condition::Has(0, libc::CLONE_NEWNS as u64)],
    ),
    (
        libc::SYS_unshare,
        &[Condition::Has(0, libc::CLONE_NEWPID as u64)],
    ),
    (
        libc::SYS_unshare,
        &[Condition::Has(0, libc::CLONE_NEWNET as u64)],
    ),
    (
        libc::SYS_unshare,
        &[Condition::Has(0, libc::CLONE_NEWIPC as u64)],
    ),
    (
        libc::SYS_unshare,
        &[Condition::Has(0, libc::CLONE_NEWUTS as u64)],
    ),
    (
        libc::SYS_unshare,
        &[Condition::Has(0, libc::CLONE_NEWCGROUP as u64)],
    ),
    (libc::SYS_unshare, &[Condition::Has(0, CLONE_NEWTIME)]),
    (
        libc::SYS_clone,
        &[Condition::Has(0, libc::CLONE_NEWUSER as u64)],
    ),
    (
        libc::SYS_clone,
        &[Condition::Has(0, libc::CLONE_NEWNS as u64)],
    ),
    (
        libc::SYS_clone,
        &[Condition::Has(0, libc::CLONE_NEWPID as u64)],
    ),
    (
        libc::SYS_clone,
        &[Condition::Has(0, libc::CLONE_NEWNET as u64)],
    ),
    (
        libc::SYS_clone,
        &[Condition::Has(0, libc::CLONE_NEWIPC as u64)],
    ),
    (
        libc::SYS_clone,
        &[Condition::Has(0, libc::CLONE_NEWUTS as u64)],
    ),
    (
        libc::SYS_clone,
        &[Condition::Has(0, libc::CLONE_NEWCGROUP as u64)],
    ),
    (libc::SYS_mount, &[]),
];
/// For `unshare` alone: in the flags of `clone` this bit belongs to the signal.
const CLONE_NEWTIME: u64 = 0x80;

/// Flags of an inode (`chattr`), refused as by a file system that has none: those of the fresh folder outlive the case.
const FLAGS: [(i64, &[Condition]); 2] = [
    (libc::SYS_ioctl, &[Condition::Is(1, 0x4008_6602)]), // FS_IOC_SETFLAGS
    (libc::SYS_ioctl, &[Condition::Is(1, 0x401c_5820)]), // FS_IOC_FSSETXATTR
];

/// Address families that know no network namespace, such as the way from a virtual machine to its host, or that are parts
/// of the kernel in disguise. Left are Unix, IPv4, IPv6 and netlink.
const FAMILIES: [(i64, &[Condition]); 2] = [
    (libc::SYS_socket, &OTHER_FAMILY),
    (libc::SYS_socketpair, &OTHER_FAMILY),
];
const OTHER_FAMILY: [Condition; 4] = [
    Condition::Not(0, libc::AF_UNIX as u64),
    Condition::Not(0, libc::AF_INET as u64),
    Condition::Not(0, libc::AF_INET6 as u64),
    Condition::Not(0, libc::AF_NETLINK as u64),
];

/// What an argument, by its number, must be for the call to be refused.
enum Condition {
    Is(u8, u64),
    Not(u8, u64),
    Has(u8, u64),
    NotNull(u8),
}

/// Sets all limits on this process.
pub(super) fn set() -> nix::Result<()> {
    LIMITS.iter().copied().try_for_each(lower)
}

/// Sets all limits but `RLIMIT_NPROC`, which counts other processes too where the user is not the box's own.
pub(super) fn set_for_one_process() -> nix::Result<()> {
    let mut limits = LIMITS.iter().copied();
    limits.try_for_each(|limit| match limit {
        (Resource::RLIMIT_NPROC, _) => Ok(()),
        limit => lower(limit),
    })
}

/// Sets one limit for good.
pub(super) fn lower((resource, limit): (Resource, u64)) -> nix::Result<()> {
    match setrlimit(resource, limit, limit) {
        // The host allows less already.
        Err(Errno::EPERM) => Ok(()),
        result => result,
    }
}

/// Filters the system calls of this process and of all it starts. Sets `no_new_privs`.
pub(super) fn filter() -> Result<(), Box<dyn std::error::Error>> {
    let absent = ABSENT.iter().map(|(call, _)| (*call, Vec::new())).collect();
    for (rules, errno) in [
        (absent, libc::ENOSYS),
        (rules(&AIMED)?, libc::EPERM),
        (rules(&FLAGS)?, libc::EOPNOTSUPP),
        (rules(&FAMILIES)?, libc::EAFNOSUPPORT),
    ] {
        let refuse = SeccompAction::Errno(errno as u32);
        apply(rules, refuse)?;
    }
    if cfg!(target_arch = "x86_64") {
        seccompiler::apply_filter(&no_x32())?;
    }
    Ok(())
}

/// Refuses new namespaces, which a box that is not made of them does not hold.
pub(super) fn filter_namespaces() -> Result<(), Box<dyn std::error::Error>> {
    apply(
        rules(&NAMESPACES)?,
        SeccompAction::Errno(libc::EPERM as u32),
    )?;
    // Its flags are in memory; programs then take `clone`.
    let clone3 = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    apply(clone3, SeccompAction::Errno(libc::ENOSYS as u32))
}

/// Answers the calls of these rules so, and allows all others.
fn apply(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    answer: SeccompAction,
) -> Result<(), Box<dyn std::error::Error>> {
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Allow,
        answer,
        std::env::consts::ARCH.try_into()?,
    )?;
    Ok(seccompiler::apply_filter(&BpfProgram::try_from(filter)?)?)
}

fn rules(
    table: &[(i64, &[Condition])],
) -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for (call, conditions) in table {
        let conditions: Vec<_> = conditions
            .iter()
            .map(|condition| match *condition {
                Condition::Is(at, value) => {
                    SeccompCondition::new(at, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
                }
                Condition::Not(at, value) => {
                    SeccompCondition::new(at, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, value)
                }
                Condition::Has(at, bit) => SeccompCondition::new(
                    at,
                    SeccompCmpArgLen::Dword,
                    SeccompCmpOp::MaskedEq(bit),
                    bit,
                ),
                Condition::NotNull(at) => {
                    SeccompCondition::new(at, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)
                }
            })
            .collect::<Result<_, _>>()?;
        let of_call = rules.entry(*call).or_default();
        // A call without rules is refused whatever its arguments.
        if !conditions.is_empty() {
            of_call.push(SeccompRule::new(conditions)?);
        }
    }
    Ok(rules)
}

/// The x32 calls have this architecture, yet other numbers: as on a kernel without them.
fn no_x32() -> BpfProgram {
    const X32_SYSCALL_BIT: u32 = 0x4000_0000;
    let instruction = |code: u32, jt, jf, k| sock_filter {
        code: code as u16,
        jt,
        jf,
        k,
    };
    vec![
        instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        instruction(
            libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K,
            0,
            1,
            X32_SYSCALL_BIT,
        ),
        instruction(
            libc::BPF_RET | libc::BPF_K,
            0,
            0,
            libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32,
        ),
        instruction(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
}
