//! Who has a box to spare? The caller's side: a fixed number of workers, each a process in a box of its own.

use super::failure::{Failure, Unavailable, text};
use super::wire::{Hello, Reply, Wire};
use super::{Job, Observation, landlock, worker};
use nix::errno::Errno;
use nix::unistd::Uid;
use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a worker may take to build its box.
const BUILDING: Duration = Duration::from_secs(20);
/// How long a worker may take beyond the deadline of a job, to lay and wipe.
const GRACE: Duration = Duration::from_secs(20);

/// How the pool is started.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Starts the workers as this ordinary user, so that root can show what an ordinary user gets. Only root can.
    pub as_user: Option<u32>,
    /// This form and no other. `None`: the first that can be built, in the order of [`Form`].
    pub form: Option<Form>,
    /// Boxes for whole commands: with pseudo terminals below `/dev/pts`, and with `/usr/local/sbin` leading to what a case
    /// lays in `../bin` under the names of [`super::CANARIES`], so that they are found without `PATH` too. The form *landlock*
    /// has neither: a case that asks for them is a [`Failure::Form`].
    pub commands: bool,
}

/// The form of the box in force (`docs/spec/harness.md` section 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Private user, mount, process, network, IPC, host name and cgroup namespaces, and a private root.
    Namespaces,
    /// Landlock rules (ABI 6) and system-call filters: nothing else of the machine is written or reached, but what of it is
    /// not shown is denied, not hidden. What cannot be run faithfully so is a [`Failure::Form`].
    ///
    /// Faithful is it to what a case does with files, devices, programs and its own processes. Other than in the form
    /// *namespaces* are, unnoticed: the number of its user, the host's name, the numbers of processes, the errors of signals
    /// to processes that are not its own, the longer name behind [`super::HOME`] where a program measures it.
    Landlock,
}

impl Form {
    /// Has this kernel the parts that the form is made of? Only building it says whether they may be used.
    pub fn is_there(self) -> bool {
        match self {
            Form::Namespaces => std::path::Path::new("/proc/self/ns/user").exists(),
            Form::Landlock => landlock::is_there(),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Form::Namespaces => "namespaces",
            Form::Landlock => "landlock",
        })
    }
}

/// Workers, each in a box. Dropping it ends them all.
pub struct Pool {
    /// With the form in force.
    options: Options,
    form: Form,
    state: Mutex<State>,
    freed: Condvar,
}

struct State {
    free: Vec<Worker>,
    /// Workers that live: free or busy.
    alive: usize,
    /// Workers that were lost and replaced.
    replaced: usize,
}

impl Pool {
    /// Starts this many workers, at least one, each in a box of its own, all of one form.
    ///
    /// # Errors
    ///
    /// [`Unavailable`] when one box cannot be built; of both forms, if none is asked for.
    pub fn start(workers: usize, options: Options) -> Result<Self, Unavailable> {
        if worker::asked() {
            return Err(Unavailable {
                step: "starting a pool".into(),
                reason: "this process was itself started as a worker".into(),
                remedy: "the first line of main must be sandbox::become_worker_if_asked()".into(),
            });
        }
        let first = |form| Worker::spawn(options, form).and_then(Worker::ready);
        let (form, first) = match options.form {
            Some(form) => (form, first(form)?),
            None => match first(Form::Namespaces) {
                Ok(worker) => (Form::Namespaces, worker),
                Err(namespaces) => match first(Form::Landlock) {
                    Ok(worker) => (Form::Landlock, worker),
                    Err(landlock) => return Err(Unavailable::neither(namespaces, landlock)),
                },
            },
        };
        let young = (1..workers)
            .map(|_| Worker::spawn(options, form))
            .collect::<Result<Vec<_>, _>>()?;
        let mut free = vec![first];
        for worker in young {
            free.push(worker.ready()?);
        }
        let state = State {
            alive: free.len(),
            free,
            replaced: 0,
        };
        Ok(Self {
            options,
            form,
            state: Mutex::new(state),
            freed: Condvar::new(),
        })
    }

    /// The form of the box in force.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Are its boxes made for whole commands ([`Options::commands`])?
    pub fn takes_commands(&self) -> bool {
        self.options.commands
    }

    /// How many workers there are.
    pub fn workers(&self) -> usize {
        self.lock().alive
    }

    /// How many workers were lost and replaced so far.
    pub fn replaced(&self) -> usize {
        self.lock().replaced
    }

    /// Runs a job on a free worker; waits until one is free.
    ///
    /// # Errors
    ///
    /// [`Failure::Job`] when the job cannot be run, [`Failure::Worker`] when its worker was lost; another takes its place.
    /// [`Failure::Form`] when it was run, but not as it would have been in the form *namespaces*.
    pub fn run(&self, job: &Job) -> Result<Observation, Failure> {
        match self.run_anyway(job)? {
            (observation, lacks) if lacks.is_empty() => Ok(observation),
            (_, lacks) => Err(Failure::Form(Vec::from_iter(lacks).join(", "))),
        }
    }

    /// Runs a job, and says what was seen even if it could not be run faithfully, with what it needed for that. For whoever
    /// asks whether the box holds, not what the program does.
    ///
    /// # Errors
    ///
    /// As [`Pool::run`], but for [`Failure::Form`].
    pub fn run_anyway(&self, job: &Job) -> Result<(Observation, BTreeSet<String>), Failure> {
        let mut worker = self.take()?;
        match worker.put(job) {
            Ok(Reply {
                outcome,
                spent: None,
            }) => {
                self.give(worker);
                outcome.map_err(Failure::Job)
            }
            Ok(Reply {
                outcome,
                spent: Some(_),
            }) => {
                drop(worker);
                let replaced = self.replace();
                // The observation is sound: the area failed only afterwards.
                outcome
                    .map_err(Failure::Job)
                    .and_then(|observation| replaced.map(|()| observation))
            }
            Err(error) => {
                drop(worker);
                self.replace()?;
                Err(Failure::Worker(format!(
                    "ended or went silent during the job ({error}) and was replaced"
                )))
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        // The state is changed in single steps, so a panic elsewhere leaves it whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Result<Worker, Failure> {
        let mut state = self.lock();
        loop {
            if let Some(worker) = state.free.pop() {
                return Ok(worker);
            }
            if state.alive == 0 {
                return Err(Failure::Worker(
                    "none is left, and none could be started".into(),
                ));
            }
            state = self
                .freed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn give(&self, worker: Worker) {
        self.lock().free.push(worker);
        self.freed.notify_one();
    }

    fn replace(&self) -> Result<(), Failure> {
        match Worker::spawn(self.options, self.form).and_then(Worker::ready) {
            Ok(worker) => {
                self.lock().replaced += 1;
                self.give(worker);
                Ok(())
            }
            Err(error) => {
                self.lock().alive -= 1;
                self.freed.notify_all();
                Err(Failure::Worker(format!(
                    "lost, and no other could be started: {error}"
                )))
            }
        }
    }
}

/// One worker, as its pool sees it.
struct Worker {
    form: Form,
    process: Child,
    wire: Wire,
}

impl Worker {
    fn spawn(options: Options, form: Form) -> Result<Self, Unavailable> {
        let (ours, theirs) = UnixStream::pair().map_err(|error| Unavailable::start(&error))?;
        let mut command = Command::new("/proc/self/exe");
        command.arg0(worker::NAME).env_clear().current_dir("/");
        command.args((form == Form::Landlock).then_some(worker::LANDLOCK));
        command.args(options.commands.then_some(worker::COMMANDS));
        // Where it may find a place for its cases.
        for name in ["XDG_RUNTIME_DIR", "TMPDIR"] {
            command.envs(std::env::var_os(name).map(|place| (name, place)));
        }
        command
            .stdin(OwnedFd::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        match options.as_user {
            Some(user) if Uid::effective().is_root() => {
                command.uid(user).gid(user);
            }
            Some(user) if Uid::effective().as_raw() != user => {
                return Err(Unavailable {
                    step: format!("starting a worker as user {user}"),
                    reason: text(Errno::EPERM as i32),
                    remedy: "only root can start it as another user".into(),
                });
            }
            _ => {}
        }
        let process = command
            .spawn()
            .map_err(|error| Unavailable::start(&error))?;
        Ok(Self {
            form,
            process,
            wire: Wire::new(ours),
        })
    }

    fn ready(mut self) -> Result<Self, Unavailable> {
        let hello = self
            .wait_at_most(BUILDING)
            .and_then(|()| self.wire.receive());
        match hello {
            Ok(Hello::Ready) => Ok(self),
            Ok(Hello::Refused { step, errno }) => Err(Unavailable::refused(self.form, step, errno)),
            Err(error) => Err(Unavailable::silent(&error)),
        }
    }

    fn put(&mut self, job: &Job) -> io::Result<Reply> {
        self.wait_at_most(job.deadline.saturating_add(GRACE))?;
        self.wire.send(job)?;
        self.wire.receive()
    }

    fn wait_at_most(&self, limit: Duration) -> io::Result<()> {
        self.wire.socket().set_read_timeout(Some(limit))
    }
}

impl Drop for Worker {
    /// PID 1, or the worker of the form *landlock*, sees the socket close and ends, and the box with it.
    fn drop(&mut self) {
        let _ = self.wire.socket().shutdown(Shutdown::Both);
        let patience = Instant::now() + Duration::from_secs(2);
        while let Ok(None) = self.process.try_wait() {
            if Instant::now() > patience {
                let _ = self.process.kill();
                let _ = self.process.wait();
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
