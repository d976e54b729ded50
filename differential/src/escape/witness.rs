//! Did anything get out? What can be seen on the host: listeners, files, processes, settings.

use nix::sys::socket::{AddressFamily, MsgFlags, SockFlag, SockType, UnixAddr, bind, recv, socket};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::net::{TcpListener, UdpSocket};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

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
        })
    }

    /// What an attempt is told: `TOKEN` (also the name of the abstract socket, and of each file it tries to leave), `TCP`
    /// and `UDP` (ports), `BYSTANDER_PID`, `PROJECT` (a folder of the host) and `PROJECT_IS` (its device and inode).
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
        ]
        .map(|(name, value)| (name.into(), value.into_vec()))
        .to_vec()
    }

    /// Every sign that something got out.
    pub fn signs(mut self) -> Vec<String> {
        let mut signs = self.heard();
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
