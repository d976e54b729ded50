//! Does a worker live as long as it should, and no longer? Do the signs by which escapes are judged show?

use crate::observe::shown;
use crate::{HOLD, SIMULATE, bash, check, run, start};
use differential::escape::{self, Witness};
use differential::sandbox::{Failure, Form, Job, Options, Pool};
use libtest_mimic::Failed;
use nix::libc;
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio, exit};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What a case could leave, and the probe must see when it is there.
#[rustfmt::skip]
const LEFTOVERS: &[(&str, &str)] = &[
    ("file above", "touch ../left"),
    ("file in tmp", "touch /tmp/left"),
    ("link", "ln -s / /tmp/left"),
    ("mode", "chmod 700 ~"),
    ("process", "sleep 100 & exec 5>&1"),
    ("limit", "ulimit -S -n 100"),
    ("priority", "[ -n \"$NICED\" ] || NICED=1 exec nice -n 5 bash -c \"$BASH_EXECUTION_STRING\""),
    ("mask", "umask 077"),
    ("ignored signal", "trap '' USR1"),
    ("blocks", "head -c 100k /dev/zero > f2; rm f2; head -c 100k /dev/zero > /tmp/x"),
    ("attribute", "perl -e 'syscall($ENV{SYS_setxattr} + 0, my $c = $ENV{HOME}, my $n = \"user.left\", my $v = \"x\", 1, 0) == 0 or die'"),
];

/// The rows that make sense in a form: in one of them `/tmp` is the machine's, where nothing can be left, and cases do not see
/// the processes of others.
pub(crate) fn leftovers(
    form: Option<Form>,
) -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    let hides = form != Some(Form::Landlock);
    LEFTOVERS
        .iter()
        .filter(move |(name, script)| hides || *name != "process" && !script.contains("/tmp"))
}

pub(crate) fn leftover(pool: &Mutex<Pool>, script: &str) -> Result<(), Failed> {
    let pool = pool.lock().unwrap_or_else(PoisonError::into_inner);
    let witness = Witness::start()?;
    let (clean, again) = (
        escape::probe(&pool, &witness)?,
        escape::probe(&pool, &witness)?,
    );
    check(
        clean == again,
        format!("two fresh cases differ:\n{clean}\n{again}"),
    )?;
    let left = escape::probe_after(&pool, &witness, &format!("{script}\n"))?;
    check(clean != left, format!("the probe does not see it:\n{left}"))
}

/// Each sign that the witness looks for shows when there is reason.
pub(crate) fn witness_hears_and_finds() -> Result<(), Failed> {
    let witness = Witness::start()?;
    let told = |name: &str| {
        let environment = witness.environment();
        let value = environment
            .iter()
            .find(|(key, _)| key == name.as_bytes())
            .map(|(_, value)| value.clone());
        String::from_utf8(value.unwrap_or_default()).unwrap_or_default()
    };
    check(
        witness.heard().is_empty() && witness.survivors().is_empty(),
        "the witness is not silent at the start".into(),
    )?;
    let token = told("TOKEN");
    TcpStream::connect(format!("127.0.0.1:{}", told("TCP")))?;
    UdpSocket::bind("127.0.0.1:0")?.send_to(b"hello", format!("127.0.0.1:{}", told("UDP")))?;
    UnixDatagram::unbound()?.send_to_addr(b"hello", &SocketAddr::from_abstract_name(&token)?)?;
    let open = PathBuf::from(told("OPEN"));
    UnixDatagram::unbound()?.send_to(b"hello", open.join("socket"))?;
    std::fs::write(open.join("a"), "other")?;
    let file = std::env::temp_dir().join(&token);
    std::fs::write(&file, "")?;
    let mut survivor = Command::new("sleep")
        .arg("100")
        .env("TOKEN", &token)
        .spawn()?;
    Command::new("kill")
        .args(["-9", &told("BYSTANDER_PID")])
        .status()?;
    let bystander: u32 = told("BYSTANDER_PID").parse()?;
    wait_until(|| !witness.survivors().is_empty() && !lives(&bystander));
    let signs = witness.signs();
    survivor.kill()?;
    survivor.wait()?;
    std::fs::remove_file(&file)?;
    for sign in [
        "TCP",
        "UDP",
        "abstract",
        "was made",
        "lives on",
        "bystander",
        "a socket with a path",
        "/a 100666 1 5",
        "no longer",
    ] {
        check(
            signs.iter().any(|text| text.contains(sign)),
            format!("{sign} is not among {signs:?}"),
        )?;
    }
    check(signs.len() == 9, format!("{signs:?}"))
}

/// Waits for something that comes soon, and at most so long that its absence is certain.
fn wait_until(holds: impl Fn() -> bool) {
    let patience = Instant::now() + Duration::from_secs(10);
    while !holds() && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a process runs; one that has ended may wait long for whoever inherited it.
fn lives(process: &u32) -> bool {
    std::fs::read_to_string(format!("/proc/{process}/status"))
        .is_ok_and(|status| !status.contains("State:\tZ"))
}

/// Workers that this process started, by number.
fn workers_of(parent: u32) -> BTreeSet<u32> {
    let status = |process: u32| {
        std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default()
    };
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| number(&entry.file_name().to_string_lossy()))
        .filter(|process| {
            let status = status(*process);
            status
                .lines()
                .any(|line| line.strip_prefix("PPid:").and_then(number) == Some(parent))
                && std::fs::read(format!("/proc/{process}/cmdline"))
                    .is_ok_and(|line| line.starts_with(b"guardproof-box-worker"))
        })
        .collect()
}

/// The folder of the only worker of a pool on the host; none in a form that has none there.
fn folder_of(pool: &Pool) -> Result<Option<PathBuf>, Failed> {
    if pool.form() != Form::Landlock {
        return Ok(None);
    }
    // Without its first byte the path is not taken for the one that cases know.
    let (seen, _) = pool.run_anyway(&bash("d=$(readlink /proc/self/cwd); echo ${d:1}"))?;
    let path = Path::new("/").join(String::from_utf8_lossy(&seen.stdout).trim());
    let folder = path.ancestors().nth(2).map(PathBuf::from);
    check(
        folder.as_ref().is_some_and(|folder| folder.is_dir()),
        format!("{path:?} is not the folder of a case"),
    )?;
    Ok(folder)
}

pub(crate) fn lifecycle(form: Form) -> Result<(), Failed> {
    let own = std::process::id();
    let others = workers_of(own);
    let options = Options {
        form: Some(form),
        ..Options::default()
    };
    let pool = Pool::start(1, options)?;
    let folder = folder_of(&pool)?;
    let is_gone = |folder: &Option<PathBuf>| folder.as_ref().is_none_or(|folder| !folder.exists());
    let first: BTreeSet<_> = workers_of(own).difference(&others).copied().collect();
    check(first.len() == 1, format!("{first:?}"))?;
    let boxes: BTreeSet<_> = first
        .iter()
        .flat_map(|worker| workers_of(*worker))
        .collect();
    for worker in &first {
        Command::new("kill")
            .args(["-9", &worker.to_string()])
            .status()?;
    }
    wait_until(|| !boxes.iter().any(lives) && is_gone(&folder));
    check(is_gone(&folder), format!("{folder:?} outlives its worker"))?;
    let lost = pool.run(&bash(":"));
    check(matches!(lost, Err(Failure::Worker(_))), format!("{lost:?}"))?;
    check(
        (pool.replaced(), pool.workers()) == (1, 1),
        format!("{} replaced", pool.replaced()),
    )?;
    check(
        shown(&run(&pool, &bash("rm f"))?) == "exit 0 -f",
        "the new worker does not work".into(),
    )?;
    let second: BTreeSet<_> = workers_of(own).difference(&others).copied().collect();
    check(
        second.len() == 1 && second != first,
        format!("{first:?} {second:?}"),
    )?;
    let folder = folder_of(&pool)?;
    drop(pool);
    wait_until(|| is_gone(&folder));
    check(is_gone(&folder), format!("{folder:?} outlives its pool"))?;
    // Pools of other tests may end meanwhile.
    let left = workers_of(own);
    check(
        left.is_subset(&others),
        format!("{left:?} are left, {others:?} were there before"),
    )
}

/// A caller that is killed while a case runs takes the worker, PID 1 and the case along.
pub(crate) fn dies_with_caller(form: Form) -> Result<(), Failed> {
    let witness = Witness::start()?;
    let mut caller = Command::new(std::env::current_exe()?)
        .args([HOLD, &form.to_string()])
        .envs(witness.environment().into_iter().map(|(name, value)| {
            (
                String::from_utf8_lossy(&name).into_owned(),
                String::from_utf8_lossy(&value).into_owned(),
            )
        }))
        .stdout(Stdio::piped())
        .spawn()?;
    let mut line = String::new();
    BufReader::new(caller.stdout.take().ok_or("the caller has no output")?).read_line(&mut line)?;
    let folder = line.trim().strip_prefix("holding").unwrap_or_default();
    let folder = Some(folder.trim()).filter(|folder| !folder.is_empty());
    let patience = Instant::now() + Duration::from_secs(10);
    let in_box = || {
        witness
            .survivors()
            .into_iter()
            .filter(|process| *process != caller.id().to_string())
            .count()
    };
    while in_box() == 0 && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(5));
    }
    let outer = workers_of(caller.id());
    let boxes: BTreeSet<_> = outer
        .iter()
        .flat_map(|worker| workers_of(*worker))
        .collect();
    check(
        in_box() > 0 && outer.len() == 1 && boxes.len() == 1,
        format!("{line}: {outer:?} {boxes:?}"),
    )?;
    caller.kill()?;
    caller.wait()?;
    let gone = || {
        let folder_is = folder.is_some_and(|folder| Path::new(folder).exists());
        witness.survivors().is_empty() && !outer.iter().chain(&boxes).any(lives) && !folder_is
    };
    wait_until(gone);
    check(
        gone(),
        format!(
            "{:?} {outer:?} {boxes:?} {folder:?} outlive the caller",
            witness.survivors()
        ),
    )
}

pub(crate) fn hold() -> ! {
    let named = |form: &Form| std::env::args().any(|word| word == form.to_string());
    let form = [Form::Namespaces, Form::Landlock].into_iter().find(named);
    let pool = start(
        1,
        Options {
            form,
            ..Options::default()
        },
    );
    let folder = folder_of(&pool).ok().flatten().unwrap_or_default();
    println!("holding {}", folder.display());
    let _ = std::io::stdout().flush();
    let mut job = Job {
        deadline: Duration::from_secs(100),
        ..bash("sleep 100")
    };
    job.env.push((
        b"TOKEN".to_vec(),
        std::env::var("TOKEN").unwrap_or_default().into(),
    ));
    let _ = pool.run(&job);
    exit(0)
}

/// What a machine refuses in which a pool is started: calls and their errors.
const REFUSALS: [(i64, i32); 2] = [
    (libc::SYS_unshare, libc::EPERM),
    (libc::SYS_landlock_create_ruleset, libc::ENOSYS),
];

/// Starts a pool where so many of [`REFUSALS`] hold, and says of which form it is, or why there is none.
pub(crate) fn simulate(refused: &str) -> ! {
    for (call, errno) in &REFUSALS[..refused.parse().unwrap_or(REFUSALS.len())] {
        let filter = SeccompFilter::new(
            [(*call, Vec::new())].into(),
            SeccompAction::Allow,
            SeccompAction::Errno(*errno as u32),
            std::env::consts::ARCH
                .try_into()
                .expect("the box runs here"),
        );
        let program = filter.and_then(BpfProgram::try_from).expect("it is valid");
        seccompiler::apply_filter(&program).expect("filters are allowed");
    }
    match Pool::start(1, Options::default()) {
        Ok(pool) => println!("{}: {}", pool.form(), shown_or_failed(&pool)),
        Err(error) => println!("{error}"),
    }
    exit(0)
}

fn shown_or_failed(pool: &Pool) -> String {
    match pool.run(&bash("sed -i s/a/b/ f; chmod 600 d/g")) {
        Ok(seen) => shown(&seen),
        Err(failure) => failure.to_string(),
    }
}

/// The form is found by building it, and without any nothing runs. `there`: those that this machine lets be built.
pub(crate) fn the_form_is_found(there: &[Form]) -> Result<(), Failed> {
    let works = |form: &Form| vec![format!("{form}: exit 0 ~d/g ~f")];
    let neither = [
        "no box: namespaces: entering namespaces (unshare): Operation not permitted (EPERM)",
        "landlock: asking for Landlock: Function not implemented (ENOSYS)",
        "allow unprivileged user namespaces",
        "use Linux 6.12 or newer with Landlock",
    ];
    let without_namespaces = match there.contains(&Form::Landlock) {
        true => works(&Form::Landlock),
        false => vec!["no box".to_owned()],
    };
    for (refused, expected) in [
        ("0", works(&there[0])),
        ("1", without_namespaces),
        ("2", neither.map(str::to_owned).to_vec()),
    ] {
        let said = Command::new(std::env::current_exe()?)
            .args([SIMULATE, refused])
            .output()?;
        let said = String::from_utf8_lossy(&said.stdout);
        for part in expected {
            check(said.contains(&part), format!("{refused} refused: {said}"))?;
        }
    }
    Ok(())
}
