//! What does a job say? Its standard output and standard error, up to a cap, and whether the pool is still there.

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::TimeSpec;
use nix::unistd::read;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::exit;
use std::time::Duration;

/// Standard output and standard error of a job.
pub(super) struct Streams<'a> {
    open: [Option<OwnedFd>; 2],
    bytes: [Vec<u8>; 2],
    cap: usize,
    over: bool,
    pool: &'a UnixStream,
}

impl<'a> Streams<'a> {
    pub(super) fn new(pipes: [OwnedFd; 2], cap: usize, pool: &'a UnixStream) -> Self {
        Self {
            open: pipes.map(Some),
            bytes: Default::default(),
            cap,
            over: false,
            pool,
        }
    }

    /// Whether one of them went over the cap.
    pub(super) fn over(&self) -> bool {
        self.over
    }

    pub(super) fn into_bytes(self) -> [Vec<u8>; 2] {
        self.bytes
    }

    /// Waits at most this long until something is said or the process has ended, and reads what was said. Whether the
    /// process has ended. The pool says nothing during a job: when it is heard, it has hung up, and this process ends at
    /// once, and with it the box.
    pub(super) fn listen(
        &mut self,
        process: Option<BorrowedFd<'_>>,
        limit: Duration,
    ) -> Result<bool, String> {
        let mut fds = vec![PollFd::new(self.pool.as_fd(), PollFlags::POLLIN)];
        fds.extend(process.map(|process| PollFd::new(process, PollFlags::POLLIN)));
        fds.extend(
            self.open
                .iter()
                .flatten()
                .map(|stream| PollFd::new(stream.as_fd(), PollFlags::POLLIN)),
        );
        match ppoll(&mut fds, Some(TimeSpec::from_duration(limit)), None) {
            Ok(_) => {}
            Err(Errno::EINTR) => return Ok(false),
            Err(errno) => return Err(format!("waiting for the program: {}", errno.desc())),
        }
        let mut ready = fds.iter().map(|fd| fd.any().unwrap_or(true));
        if ready.next() == Some(true) {
            exit(0);
        }
        let ended = process.is_some() && ready.next() == Some(true);
        let heard: Vec<bool> = ready.collect();
        let open = (0..self.open.len()).filter(|&at| self.open[at].is_some());
        let heard = open
            .zip(heard)
            .filter_map(|(at, heard)| heard.then_some(at))
            .collect::<Vec<_>>();
        for at in heard {
            self.read(at);
        }
        Ok(ended)
    }

    /// Reads the rest, when nobody is left who could write; whether all of it was within the cap.
    pub(super) fn drain(&mut self) -> bool {
        for at in 0..self.open.len() {
            while self.open[at].is_some() && !self.over {
                self.read(at);
            }
        }
        !self.over
    }

    /// Reads once from a stream that has something.
    fn read(&mut self, at: usize) {
        let Some(stream) = &self.open[at] else { return };
        let mut buffer = [0; 16 << 10];
        match read(stream, &mut buffer) {
            Ok(0) => self.open[at] = None,
            Ok(got) => {
                let bytes = &mut self.bytes[at];
                let kept = got.min(self.cap - bytes.len());
                bytes.extend_from_slice(&buffer[..kept]);
                self.over |= kept < got;
            }
            Err(Errno::EINTR) => {}
            Err(_) => self.open[at] = None,
        }
    }
}
