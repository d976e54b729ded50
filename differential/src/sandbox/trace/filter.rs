//! Which calls stop a process? The table of calls as a seccomp program.
//!
//! A search tree, not the chain of comparisons that `seccompiler` makes of rules: when a filter is installed the kernel
//! runs it once for every number of a call, and that took longer than all stops of a short program.

use super::calls;
use nix::libc;
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, sock_filter};
use std::collections::BTreeMap;
use std::io;

/// Where `struct seccomp_data` has the number of the call.
const NUMBER: u32 = 0;

/// The filter that stops a process at each call of the table. A call of another architecture (`int 0x80`) kills.
///
/// # Errors
///
/// When `seccompiler` does not know the architecture.
pub(in super::super) fn filter() -> io::Result<BpfProgram> {
    let arch = std::env::consts::ARCH
        .try_into()
        .map_err(io::Error::other)?;
    let allow_all = SeccompFilter::new(
        BTreeMap::new(),
        SeccompAction::Allow,
        SeccompAction::Trace(0),
        arch,
    );
    let mut program = allow_all
        .and_then(BpfProgram::try_from)
        .map_err(io::Error::other)?;
    // What is left looks at the architecture alone.
    program.pop();
    program.push(instruction(
        libc::BPF_LD | libc::BPF_W | libc::BPF_ABS,
        NUMBER,
    ));
    if cfg!(target_arch = "x86_64") {
        program.extend(no_x32());
    }
    let mut numbers: Vec<u32> = calls::numbers().collect();
    numbers.sort_unstable();
    program.extend(search(&numbers, &|_| vec![answer(libc::SECCOMP_RET_TRACE)]));
    Ok(program)
}

/// Lets a call with the x32 bit fail as on a kernel without x32: it has this architecture, yet other numbers.
fn no_x32() -> [sock_filter; 2] {
    const X32_SYSCALL_BIT: u32 = 0x4000_0000;
    [
        jump(libc::BPF_JSET, X32_SYSCALL_BIT, 0, 1),
        answer(libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
    ]
}

/// Answers the calls of these sorted numbers with what `found` says of each, and allows all others. The number is loaded.
pub(in super::super) fn search(numbers: &[u32], found: &dyn Fn(u32) -> BpfProgram) -> BpfProgram {
    match numbers {
        [] => vec![answer(libc::SECCOMP_RET_ALLOW)],
        [number] => {
            let mut then = found(*number);
            let over = then.len().try_into().expect("an answer is short");
            then.insert(0, jump(libc::BPF_JEQ, *number, 0, over));
            then.push(answer(libc::SECCOMP_RET_ALLOW));
            then
        }
        _ => {
            let (low, high) = numbers.split_at(numbers.len() / 2);
            let mut below = search(low, found);
            let over = below
                .len()
                .try_into()
                .expect("half of the table is below 256 instructions");
            below.insert(0, jump(libc::BPF_JGE, high[0], over, 0));
            below.extend(search(high, found));
            below
        }
    }
}

pub(in super::super) fn jump(test: u32, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter {
        jt,
        jf,
        ..instruction(libc::BPF_JMP | test | libc::BPF_K, k)
    }
}

pub(in super::super) fn answer(action: u32) -> sock_filter {
    instruction(libc::BPF_RET | libc::BPF_K, action)
}

pub(in super::super) fn instruction(code: u32, k: u32) -> sock_filter {
    sock_filter {
        code: code as u16,
        jt: 0,
        jf: 0,
        k,
    }
}
