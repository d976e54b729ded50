//! What stands in the memory of a stopped thread, and which files do its descriptors name? Bounded reads.
//!
//! An address that is not readable ends a text there: the kernel refuses such a call itself. Only a thread that is gone is
//! an error (`ESRCH`).

use nix::errno::Errno;
use nix::libc;
use nix::sys::uio::{RemoteIoVec, process_vm_readv};
use nix::unistd::Pid;
use std::io::IoSliceMut;
use std::os::unix::ffi::OsStringExt;

/// Bytes after which the kernel refuses a path.
pub(super) const PATH_MAX: usize = libc::PATH_MAX as usize;
/// Bytes kept of the words of one `execve`, counting one for the end of each.
const WORDS_MAX: usize = 128 * 1024;
/// Stands for the words left out; no real word holds a zero byte.
const CUT: &[u8] = b"\0cut";
/// No page is smaller, so a read that stays inside such a block meets one page alone.
const PAGE: usize = 4096;

/// The text at an address up to its zero byte, or its first `limit` bytes.
pub(in super::super) fn string(tid: Pid, mut address: u64, limit: usize) -> nix::Result<Vec<u8>> {
    let mut text = Vec::new();
    let mut block = [0; PAGE];
    while text.len() < limit {
        let want = (PAGE - address as usize % PAGE).min(limit - text.len());
        let got = read(tid, address, &mut block[..want])?;
        if let Some(end) = block[..got].iter().position(|byte| *byte == 0) {
            text.extend(&block[..end]);
            break;
        }
        text.extend(&block[..got]);
        if got < want {
            break;
        }
        address = address.wrapping_add(got as u64);
    }
    Ok(text)
}

/// The words of a null-ended array of pointers; [`CUT`] is the last when not all were kept.
pub(super) fn words(tid: Pid, mut address: u64) -> nix::Result<Vec<Vec<u8>>> {
    let mut words = Vec::new();
    let mut left = WORDS_MAX;
    let mut block = [0; PAGE];
    loop {
        let whole = (PAGE - address as usize % PAGE) / 8 * 8;
        let want = whole.max(8);
        let got = read(tid, address, &mut block[..want])?;
        for pointer in block[..got].chunks_exact(8) {
            let pointer = u64::from_ne_bytes(pointer.try_into().expect("chunks of eight"));
            if pointer == 0 {
                return Ok(words);
            }
            let word = string(tid, pointer, left)?;
            let cut = word.len() == left;
            left = left.saturating_sub(word.len() + 1);
            words.push(word);
            if cut || left == 0 {
                words.push(CUT.to_vec());
                return Ok(words);
            }
        }
        if got < want {
            return Ok(words);
        }
        address = address.wrapping_add(got as u64);
    }
}

/// So many bytes at an address, or fewer when the rest is not readable.
pub(in super::super) fn bytes(tid: Pid, mut address: u64, length: usize) -> nix::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    let mut have = 0;
    while have < length {
        let end = length.min(have + (PAGE - address as usize % PAGE));
        match read(tid, address, &mut bytes[have..end])? {
            0 => break,
            got => {
                have += got;
                address = address.wrapping_add(got as u64);
            }
        }
    }
    bytes.truncate(have);
    Ok(bytes)
}

/// Eight bytes at an address, or 0.
pub(super) fn number(tid: Pid, address: u64) -> nix::Result<u64> {
    let mut bytes = [0; 8];
    read(tid, address, &mut bytes)?;
    Ok(u64::from_ne_bytes(bytes))
}

/// The absolute path of an open descriptor, of the working directory for `AT_FDCWD`; empty when it is not open.
pub(super) fn descriptor(tid: Pid, fd: i32) -> Vec<u8> {
    let link = match fd {
        libc::AT_FDCWD => format!("/proc/{tid}/cwd"),
        fd => format!("/proc/{tid}/fd/{fd}"),
    };
    std::fs::read_link(link)
        .map(|path| path.into_os_string().into_vec())
        .unwrap_or_default()
}

/// The thread group of a thread; itself when nothing says so.
pub(super) fn group(tid: i32) -> i32 {
    // Signal 0 is only asked about, and only of a thread that is in this group: most lead one, and `/proc` takes longer.
    // SAFETY: takes three plain numbers.
    if unsafe { libc::syscall(libc::SYS_tgkill, tid, tid, 0) } == 0 {
        return tid;
    }
    let status = std::fs::read_to_string(format!("/proc/{tid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("Tgid:"));
    line.and_then(|number| number.trim().parse().ok())
        .unwrap_or(tid)
}

/// How many bytes could be read, 0 when the address is not readable.
fn read(tid: Pid, address: u64, into: &mut [u8]) -> nix::Result<usize> {
    let remote = [RemoteIoVec {
        base: address as usize,
        len: into.len(),
    }];
    match process_vm_readv(tid, &mut [IoSliceMut::new(into)], &remote) {
        Err(Errno::ESRCH) => Err(Errno::ESRCH),
        read => Ok(read.unwrap_or(0)),
    }
}
