//! How is the box built where there are no user namespaces? Of Landlock rules, system-call filters, limits, and a process that
//! inherits and kills what a case leaves behind: the form *landlock* (`docs/spec/engineering.md` section 1).
//!
//! Two processes: the *keeper*, which the pool knows, makes the folder of the worker and outlives the *worker*, to kill and
//! remove what a lost worker leaves. Neither is in the Landlock domain of a case: each case enters one of its own between
//! fork and exec, so that it can neither signal nor trace them. Each case is traced, whatever its job says: what this form
//! cannot run faithfully shows in its calls ([`paths`], [`supervise`]).

mod calls;
mod filter;
mod listener;
mod measure;
mod paths;
mod place;
mod processes;
mod rules;
mod supervise;

use super::ground::Ground;
use super::root::{self, Refused, Step};
use super::tree::Area;
use super::wire::{Hello, Wire};
use super::{Change, End, Entry, Job, Observation, Watch, limits, worker};
use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::libc;
use nix::sys::prctl;
use nix::sys::resource::Resource;
use nix::sys::socket::{AddressFamily, SockFlag, SockType, socketpair};
use nix::sys::stat::{Mode, umask};
use nix::sys::wait::waitpid;
use nix::unistd::{ForkResult, Pid, fork, pipe2, read, setsid};
use paths::Paths;
use place::Place;
use rules::Rules;
pub(super) use rules::is_there;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

/// Bytes and entries of the case area, as the form *namespaces* has them.
const BYTES: u64 = 64 << 20;
const ENTRIES: u64 = 4096;

/// Builds the box, and works in it until the pool is gone.
pub(super) fn enter(mut wire: Wire, for_commands: bool) -> std::io::Result<()> {
    let built = match separate() {
        Ok((place, Side::Keeper { worker, alive })) => {
            drop(wire);
            while waitpid(worker, None) == Err(Errno::EINTR) {}
            processes::end_all();
            place.remove();
            drop(alive);
            return Ok(());
        }
        Ok((place, Side::Worker { keeper })) => Landlock::new(&place, keeper, for_commands)
            .and_then(|ground| ground.try_it(&wire).map(|()| ground)),
        Err(refused) => Err(refused),
    };
    match built {
        Ok(ground) => {
            wire.send(&Hello::Ready)?;
            worker::work(&mut wire, &ground)
        }
        Err(Refused { step, errno }) => wire.send(&Hello::Refused { step, errno }),
    }
}

/// Which of the two processes this is.
enum Side {
    /// It holds the write end of a pipe as long as it lives.
    Keeper { worker: Pid, alive: OwnedFd },
    /// It has the read end.
    Worker { keeper: OwnedFd },
}

/// Leaves root, makes the folder and the worker.
fn separate() -> Result<(Place, Side), Refused> {
    worker::default_signals();
    umask(Mode::from_bits_truncate(0o022));
    root::leave_root_entirely()?;
    let _ = setsid();
    prctl::set_child_subreaper(true).step("inheriting what cases leave")?;
    let (keeper, alive) = pipe2(OFlag::O_CLOEXEC).step("making a pipe")?;
    let place = Place::make()?;
    // SAFETY: the process has one thread.
    let side = match unsafe { fork() } {
        Ok(ForkResult::Child) => Side::Worker { keeper },
        Ok(ForkResult::Parent { child: worker }) => Side::Keeper { worker, alive },
        Err(errno) => {
            place.remove();
            return Err(errno).step("starting the worker");
        }
    };
    Ok((place, side))
}

/// A worker of this form.
pub(super) struct Landlock {
    area: Area,
    cwd: CString,
    paths: Paths,
    rules: Rules,
    filter: seccompiler::BpfProgram,
    /// Filters are handed over here.
    supervisor: OwnedFd,
    notes: supervise::Notes,
    /// `RLIMIT_NPROC` of cases.
    processes: u64,
    /// What the case that runs has too much of.
    excess: Cell<Option<&'static str>>,
}

impl Landlock {
    fn new(place: &Place, keeper: OwnedFd, for_commands: bool) -> Result<Self, Refused> {
        let case = place.case();
        let area = Area::open(&[("case", &case, 0o755)]).step("opening the case area")?;
        prctl::set_child_subreaper(true).step("inheriting what cases leave")?;
        // When memory runs out, the kernel ends what runs in the box first. Raising it needs no privilege.
        std::fs::write("/proc/self/oom_score_adj", "1000")
            .step("offering the box to the out-of-memory killer")?;
        std::fs::read_to_string("/proc/thread-self/children").step("listing child processes")?;
        let rules = Rules::new(area.parts()[0].folder.as_fd())?;
        limits::set_for_one_process().step("setting limits")?;
        prctl::set_dumpable(false).step("hiding the worker")?;
        limits::filter()
            .and_then(|()| limits::filter_namespaces())
            .map_err(|error| Refused {
                step: format!("filtering system calls ({error})"),
                errno: libc::EINVAL,
            })?;
        let (supervisor, theirs) = socketpair(
            AddressFamily::Unix,
            SockType::SeqPacket,
            None,
            SockFlag::SOCK_CLOEXEC,
        )
        .step("making a socket for the supervisor")?;
        let (paths, notes) = (Paths::new(&case, for_commands), supervise::Notes::default());
        let (its_paths, its_notes) = (paths.clone(), notes.clone());
        std::thread::Builder::new()
            .spawn(move || supervise::supervise(&theirs, &its_paths, &its_notes))
            .step("starting the supervisor")?;
        let folder = case.clone();
        std::thread::Builder::new()
            .spawn(move || follow_keeper(&keeper, &folder))
            .step("watching the keeper")?;
        let cwd = CString::new(case.join("cwd").as_os_str().as_bytes())
            .map_err(|_| Errno::EINVAL)
            .step("naming the working directory")?;
        Ok(Self {
            area,
            cwd,
            paths,
            rules,
            filter: filter::filter(),
            supervisor,
            notes,
            processes: processes::limit(),
            excess: Cell::new(None),
        })
    }

    /// Runs a case that needs each part of the form; what is missing shows now.
    fn try_it(&self, wire: &Wire) -> Result<(), Refused> {
        let words = ["sh", "-c", ": < f > g && [ -e /proc ] && exec chmod 600 g"];
        let job = Job {
            program: "/bin/sh".into(),
            argv: words.map(|word| word.as_bytes().to_vec()).to_vec(),
            env: vec![(b"PATH".to_vec(), b"/usr/bin:/bin".to_vec())],
            tree: vec![Entry::File(b"f".to_vec(), b"x".to_vec())],
            stdin: Vec::new(),
            deadline: Duration::from_secs(10),
            output_cap: 1 << 10,
            watch: Watch::Snapshot,
        };
        let tried = worker::run_one(job, wire, self);
        let as_expected = matches!(
            &tried,
            (Ok((seen, lacks)), None) if seen.end == End::Exit(0)
                && seen.changes == [Change::Created(b"g".to_vec())]
                && lacks.is_empty()
        );
        let refused = || Refused {
            step: format!("trying the box ({tried:?})"),
            errno: libc::EOPNOTSUPP,
        };
        as_expected.then_some(()).ok_or_else(refused)
    }
}

/// When the keeper is gone, nobody would kill what the worker leaves: it ends here, with all that it started.
fn follow_keeper(keeper: &OwnedFd, case: &std::path::Path) {
    while read(keeper, &mut [0]) == Err(Errno::EINTR) {}
    processes::end_all();
    if let Some(place) = case.parent() {
        Place::at(place).remove();
    }
    std::process::exit(0)
}

impl Ground for Landlock {
    fn area(&self) -> &Area {
        &self.area
    }

    fn cwd(&self) -> &CStr {
        &self.cwd
    }

    fn traces_all(&self) -> bool {
        true
    }

    fn carry_in(&self, job: &mut Job) -> BTreeSet<String> {
        // Of a job that could not be started.
        drop(self.notes.take());
        self.excess.set(None);
        self.paths.carry_in(job).into_iter().collect()
    }

    fn enter(&self) -> nix::Result<()> {
        limits::lower((Resource::RLIMIT_NPROC, self.processes))?;
        filter::put_on(&self.filter, self.supervisor.as_fd())?;
        self.rules.put_on()
    }

    fn is_full(&self) -> bool {
        if processes::are_too_many() {
            self.excess.set(Some("more processes than a case may have"));
        } else if measure::holds_more_than(&self.area, BYTES, ENTRIES) {
            self.excess
                .set(Some("more files, or bytes in them, than a case may have"));
        }
        self.excess.get().is_some()
    }

    fn end_all(&self) -> bool {
        processes::end_all()
    }

    fn carry_out(&self, seen: &mut Observation, lacks: &mut BTreeSet<String>) {
        lacks.extend(self.notes.take());
        lacks.extend(
            seen.events
                .iter()
                .filter_map(|event| self.paths.foreign(event)),
        );
        // It may have ended between two looks.
        self.is_full();
        lacks.extend(self.excess.get().map(str::to_owned));
        if seen.end == End::EventCap {
            lacks.insert("more system calls than the tracer keeps".into());
        }
        for event in &mut seen.events {
            self.paths.carry_out(event);
        }
        for text in [&mut seen.stdout, &mut seen.stderr] {
            *text = self.paths.outward(text);
        }
    }
}
