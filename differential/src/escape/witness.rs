//! Did anything get out? What can be seen on the host: listeners, files, processes, settings.

use nix::sys::socket::{AddressFamily, MsgFlags, SockFlag, SockType, UnixAddr, bind, recv, socket};
use nix::unistd::User;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::net::{TcpListener, UdpSocket};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

/// Settings of the whole machine that no case may change.
const SETTINGS: [&str; 4] = [
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/kernel/hostname",
    "/proc/sys/user/max_user_namespaces",
    "/proc/sys/kernel/pid_max",
];

/// Stands on the host while an attempt runs. What it hears and finds names the attempt by a token that only the attempt
/// knows.
pub struct Witness {
    token: String,
    tcp: TcpListener,
    udp: UdpSocket,
    /// Datagrams to a name in the abstract name space, which no file permission guards.
    abstract_socket: OwnedFd,
    /// A process of the caller that attempts must neither see nor end.
    bystander: Child,
    settings: Vec<Option<Vec<u8>>>,
    places: BTreeSet<PathBuf>,
    open: Open,
}

/// A folder that everybody may write, with files that everybody may write and that belong to several users.
struct Open {
    folder: TempDir,
    /// Datagrams to a name in it.
    socket: UnixDatagram,
    /// How it looked at first.
    picture: Vec<String>,
}

/// Content of those files.
const KEPT: &str = "kept\n";

impl Open {
    fn new() -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        let nobody = User::from_name("nobody").ok().flatten();
        let nobody = nobody.map(|user| user.uid.as_raw());
        for (name, user) in [("a", None), ("b", Some(super::ORDINARY)), ("c", nobody)] {
            let file = folder.path().join(name);
            fs::write(&file, KEPT)?;
            fs::set_permissions(&file, fs::Permissions::from_mode(0o666))?;
            if let Some(user) = user.filter(|_| super::from_root()) {
                std::os::unix::fs::chown(&file, Some(user), Some(user))?;
            }
        }
        let path = folder.path().join("socket");
        let socket = UnixDatagram::bind(&path)?;
        socket.set_nonblocking(true)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o666))?;
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777))?;
        let picture = picture(folder.path());
        Ok(Self {
            folder,
            socket,
            picture,
        })
    }
}

/// Everything in a folder: names, kinds and modes, owners, links, sizes, times of change, attributes, content.
fn picture(folder: &Path) -> Vec<String> {
    let entry = |path: PathBuf| {
        let status = path.symlink_metadata();
        let status = status.map_or_else(
            |error| error.to_string(),
            |status| {
                let (mode, links, size) = (status.mode(), status.nlink(), status.size());
                let (user, group, inode) = (status.uid(), status.gid(), status.ino());
                let changed = (status.mtime(), status.ctime(), status.ctime_nsec());
                format!("{mode:o} {links} {size} {user}:{group} {inode} {changed:?}")
            },
        );
        // Reading what is no file could wait without end.
        let content = path.is_file().then(|| fs::read(&path).unwrap_or_default());
        let content = String::from_utf8_lossy(&content.unwrap_or_default()).into_owned();
        format!("{} {status} {content:?}", path.display())
    };
    let inner = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<String> = inner.map(|inner| entry(inner.path())).collect();
    entries.push(entry(folder.to_owned()));
    entries.sort();
    entries
}

impl Witness {
    /// Opens the listeners and starts the bystander.
    ///
    /// # Errors
    ///
    /// When the host refuses one of them.
    pub fn start() -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let token = format!(
            "guardproof-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let tcp = TcpListener::bind("127.0.0.1:0")?;
        tcp.set_nonblocking(true)?;
        let udp = UdpSocket::bind("127.0.0.1:0")?;
        udp.set_nonblocking(true)?;
        let flags = SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK;
        let abstract_socket = socket(AddressFamily::Unix, SockType::Datagram, flags, None)?;
        bind(
            abstract_socket.as_raw_fd(),
            &UnixAddr::new_abstract(token.as_bytes())?,
        )?;
        let bystander = Command::new("sleep")
            .arg("1000")
            .env("BYSTANDER", format!("secret-{token}"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Self {
            token,
            tcp,
            udp,
            abstract_socket,
            bystander,
            settings: settings(),
            places: places(),
            open: Open::new()?,
        })
    }

    /// What an attempt is told: `TOKEN` (also the name of the abstract socket, and of each file it tries to leave), `TCP`
    /// and `UDP` (ports), `BYSTANDER_PID`, `PROJECT` (a folder of the host) and `PROJECT_IS` (its device and inode), `OPEN` (a
    /// folder of the host that everybody may write).
    pub fn environment(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        let port = |address: io::Result<std::net::SocketAddr>| {
            address.map_or(0, |address| address.port()).to_string()
        };
        let project = std::env::current_dir().unwrap_or_default();
        let identity = project.metadata().map_or_else(
            |error| error.to_string(),
            |folder| format!("{}:{}", folder.dev(), folder.ino()),
        );
        [
            ("TOKEN", OsString::from(&self.token)),
            ("TCP", port(self.tcp.local_addr()).into()),
            ("UDP", port(self.udp.local_addr()).into()),
            ("BYSTANDER_PID", self.bystander.id().to_string().into()),
            ("PROJECT_IS", identity.into()),
            ("PROJECT", project.into()),
            ("OPEN", self.open.folder.path().into()),
        ]
        .map(|(name, value)| (name.into(), value.into_vec()))
        .to_vec()
    }

    /// Every sign that something got out.
    pub fn signs(mut self) -> Vec<String> {
        let mut signs = self.heard();
        let now = picture(self.open.folder.path());
        let changed = now
            .iter()
            .filter(|entry| !self.open.picture.contains(entry));
        signs.extend(changed.map(|entry| format!("host: now {entry}")));
        let gone = self
            .open
            .picture
            .iter()
            .filter(|entry| !now.contains(entry));
        signs.extend(gone.map(|entry| format!("host: no longer {entry}")));
        let left = self
            .places
            .iter()
            .map(|place| place.join(&self.token))
            .filter(|path| path.symlink_metadata().is_ok());
        signs.extend(left.map(|path| format!("host: {} was made", path.display())));
        for ((name, before), now) in SETTINGS.iter().zip(&self.settings).zip(settings()) {
            if *before != now {
                signs.push(format!("host: {name} was changed"));
            }
        }
        if !matches!(self.bystander.try_wait(), Ok(None)) {
            signs.push("host: the bystander was ended".into());
        }
        signs.extend(
            self.survivors()
                .into_iter()
                .map(|process| format!("host: process {process} lives on")),
        );
        signs
    }

    /// What arrived at the listeners.
    pub fn heard(&self) -> Vec<String> {
        let mut signs = Vec::new();
        if self.tcp.accept().is_ok() {
            signs.push("host: a TCP connection arrived".into());
        }
        if self.udp.recv(&mut [0; 64]).is_ok() {
            signs.push("host: a UDP datagram arrived".into());
        }
        if self.open.socket.recv(&mut [0; 64]).is_ok() {
            signs.push("host: a datagram arrived at a socket with a path".into());
        }
        if recv(
            self.abstract_socket.as_raw_fd(),
            &mut [0; 64],
            MsgFlags::empty(),
        )
        .is_ok()
        {
            signs.push("host: a datagram arrived at the abstract socket".into());
        }
        signs
    }

    /// Processes that have the token in their environment, by number. One of another user is seen by root only.
    pub fn survivors(&self) -> Vec<String> {
        let wanted = format!("TOKEN={}", self.token);
        let Ok(processes) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        processes
            .flatten()
            .filter(|process| {
                process
                    .file_name()
                    .as_bytes()
                    .iter()
                    .all(u8::is_ascii_digit)
            })
            .filter(|process| {
                let environment = fs::read(process.path().join("environ")).unwrap_or_default();
                environment
                    .split(|&byte| byte == 0)
                    .any(|word| word == wanted.as_bytes())
            })
            .map(|process| process.file_name().to_string_lossy().into_owned())
            .collect()
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        let _ = self.bystander.kill();
        let _ = self.bystander.wait();
    }
}

fn settings() -> Vec<Option<Vec<u8>>> {
    SETTINGS.iter().map(|name| fs::read(name).ok()).collect()
}

/// Folders of the host where an attempt tries to leave a file.
fn places() -> BTreeSet<PathBuf> {
    let common = [
        "/",
        "/tmp",
        "/var/tmp",
        "/dev/shm",
        "/dev",
        "/etc",
        "/etc/alternatives",
        "/run",
        "/root",
        "/home",
        "/case",
    ];
    let system = [
        "/usr",
        "/usr/bin",
        "/usr/local/bin",
        "/bin",
        "/lib",
        "/opt",
        "/srv",
        "/mnt",
        "/var",
    ];
    let project = std::env::current_dir().unwrap_or_default();
    let own = project
        .ancestors()
        .map(PathBuf::from)
        .chain(std::env::home_dir())
        .collect::<Vec<_>>();
    common
        .iter()
        .chain(&system)
        .map(PathBuf::from)
        .chain(own)
        .collect()
}
