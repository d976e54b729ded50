//! What is tried? The table of attempts.

use super::{Attempt, Ends};

/// Every attempt.
pub fn attempts() -> &'static [Attempt] {
    &ATTEMPTS
}

const fn attempt(id: &'static str, tries: &'static str, script: &'static str) -> Attempt {
    Attempt {
        id,
        tries,
        script,
        ends: Ends::Itself,
        needs: &[],
    }
}

impl Attempt {
    const fn ends(self, ends: Ends) -> Self {
        Self { ends, ..self }
    }

    const fn needs(self, needs: &'static [&'static str]) -> Self {
        Self { needs, ..self }
    }
}

#[rustfmt::skip]
static ATTEMPTS: [Attempt; 59] = [
    // Files of the host.
    attempt("write.places", "makes a file in many folders of the host", r#"
        for folder in / /usr /usr/bin /usr/local/bin /bin /lib /etc /etc/alternatives /dev /dev/fd/.. /dev/shm /proc \
                      /proc/self /sys /var /var/tmp /run /opt /srv /mnt /root /home; do
            ( : > "$folder/$TOKEN" ) 2>/dev/null && leak "$folder"
            mkdir "$folder/$TOKEN" 2>/dev/null && leak "$folder"
        done
        echo tried"#),
    attempt("write.system", "changes, replaces and removes files of the system", r#"
        for file in /usr/bin/sed /etc/passwd /etc/ld.so.cache; do
            refused chmod u+w "$file"; refused touch "$file"; refused mv "$file" "$file.old"; refused rm -f "$file"
            refused ln -sf x "$file"; refused cp -f f "$file.new"
        done
        for folder in /usr /etc /etc/alternatives ~ /tmp; do refused mv "$folder" "$folder.old"; refused rmdir "$folder"; done
        ( echo x >> /usr/bin/sed ) 2>/dev/null && leak append
        [ -x /usr/bin/sed ] || leak gone
        echo tried"#),
    attempt("write.project", "reads and writes the project folder of the host", r#"
        case $PROJECT in
            /usr|/usr/*) ;;
            *) if hides; then [ "$(stat -c %d:%i "$PROJECT" 2>&1)" = "$PROJECT_IS" ] && leak "$PROJECT"; else unseen "$PROJECT"; fi ;;
        esac
        : > "$PROJECT/$TOKEN"; mkdir -p "$PROJECT" && : > "$PROJECT/$TOKEN"
        echo tried"#),
    attempt("read.secrets", "reads what belongs to the host", r#"
        unseen /etc/shadow /etc/ssh /root /home /var/lib /run /boot /sys/kernel /proc/kcore /proc/keys /dev/mem /dev/sda
        echo tried"#),
    attempt("leave.dotdot", "goes up and up", r#"
        cd ../../../../../../.. && ( : > "$TOKEN" ) 2>/dev/null && leak "$PWD"
        cd /proc/self/cwd/../../.. && ( : > "$TOKEN" ) 2>/dev/null && leak "$PWD"
        [ /.. -ef / ] || leak "the root has a parent"
        echo tried"#),
    attempt("leave.chroot", "changes the root", r#"
        mkdir -p in/bin; refused chroot in /; refused chroot / true
        refused perl -e 'chroot("in") or exit 1'
        echo tried"#).needs(&["perl"]),
    attempt("leave.proc-root", "writes through /proc/self/root and /proc/1/root", r#"
        for root in /proc/self/root /proc/1/root /proc/1/cwd "/proc/$PPID/root"; do
            ( : > "$root/$TOKEN" ) 2>/dev/null && leak "$root"
            ( : > "$root/usr/bin/$TOKEN" ) 2>/dev/null && leak "$root"
        done
        refused ls /proc/1/root/; refused ls /proc/1/cwd/
        echo tried"#),
    attempt("leave.descriptors", "looks for descriptors that were left open", r#"
        for fd in /proc/$$/fd/*; do
            case ${fd##*/} in 0|1|2|255) ;; *) [ -e "$fd" ] && leak "$fd $(readlink "$fd")" ;; esac
        done
        for fd in 0 1 2; do case $(readlink /proc/$$/fd/$fd) in pipe:*) ;; *) leak "$fd is no pipe" ;; esac; done
        echo tried"#),
    attempt("leave.handle", "opens files by number, past any path", r#"
        refused perl -e 'exit(syscall($ENV{SYS_open_by_handle_at} + 0, 0, "\0" x 128, 0) == -1 && $!{ENOSYS})'
        echo tried"#).needs(&["perl"]),
    attempt("device.make", "makes devices", r#"
        refused mknod mem c 1 1; refused mknod disk b 8 0; refused mknod null c 1 3
        [ -e mem ] || [ -e disk ] && leak made
        echo tried"#),
    attempt("device.change", "changes, removes and replaces devices", r#"
        for name in null zero full random urandom tty; do
            refused chmod 777 /dev/$name; refused touch /dev/$name; refused rm -f /dev/$name; refused mv /dev/$name x
        done
        refused ln -s x /dev/x
        echo tried"#),
    attempt("device.terminal", "reaches the terminal of the caller", r#"
        ( : < /dev/tty ) 2>/dev/null && leak /dev/tty
        ( echo x > /dev/console ) 2>/dev/null && leak /dev/console
        unseen /dev/pts /dev/ptmx /dev/tty0 /dev/vda /dev/kmsg
        echo tried"#),

    // The network.
    attempt("network.tcp", "connects to a listener on the loopback of the host", r#"
        ( exec 3<>/dev/tcp/127.0.0.1/$TCP && echo hello >&3 ) 2>/dev/null && leak tcp
        echo tried"#),
    attempt("network.udp", "sends a datagram over the loopback of the host", r#"
        ( exec 3<>/dev/udp/127.0.0.1/$UDP && echo hello >&3 ) 2>/dev/null && leak udp
        echo tried"#),
    attempt("network.abstract", "sends to an abstract socket of the host, which no file guards", r#"
        perl -MSocket -e 'my $to = pack("S a*", AF_UNIX, "\0$ENV{TOKEN}");
            socket(my $s, AF_UNIX, SOCK_DGRAM, 0) and send($s, "hello", 0, $to) and print "LEAK abstract\n";
            socketpair(my $a, my $b, AF_UNIX, SOCK_DGRAM, 0) and send($a, "hello", 0, $to) and print "LEAK abstract, from a pair\n";
            socket($s, AF_UNIX, SOCK_STREAM, 0) and connect($s, $to) and print "LEAK abstract stream\n";
            print "tried\n"'"#).needs(&["perl"]),
    attempt("network.outside", "reaches an address outside", r#"
        ( exec 3<>/dev/tcp/192.0.2.1/80 ) 2>/dev/null && leak tcp
        ( exec 3<>/dev/udp/192.0.2.1/53 && echo x >&3 ) 2>/dev/null && leak udp
        ( exec 3<>/dev/tcp/::1/$TCP ) 2>/dev/null && leak tcp6
        echo tried"#),
    attempt("network.raw", "opens raw and packet sockets", r#"
        perl -MSocket -e 'socket(my $r, AF_INET, SOCK_RAW, 1) and print "LEAK raw\n";
            socket(my $p, 17, SOCK_RAW, 768) and print "LEAK packet\n"; print "tried\n"'"#).needs(&["perl"]),

    attempt("network.families", "opens sockets of families that no network namespace holds", r#"
        perl -e 'for my $family (1, 16) {
                $ENV{HOME} ne "/case" or socket(my $s, $family, 2, 0) or print "LEAK $family is refused, which is too much\n" }
            for my $family (38, 40, 42, 44) { socket(my $s, $family, $_, 0) and print "LEAK $family\n" for 1, 2, 3, 5 }
            print "tried\n"'"#).needs(&["perl"]),

    // Other processes.
    attempt("kill.all", "kills everything it may", r#"
        echo tried; sleep 100 & kill -9 -1; kill -9 -1"#),
    attempt("kill.parent", "sends every signal to its parent and to PID 1", r#"
        for signal in {1..31} {34..64}; do kill -$signal $PPID; kill -$signal 1; done 2>/dev/null
        hides && { kill -0 1 || leak "PID 1 is gone"; }
        kill -9 1; kill -9 $PPID; kill -STOP 1
        echo tried"#),
    attempt("kill.bystander", "kills and sees a process of the host", r#"
        refused kill -9 "$BYSTANDER_PID"; refused kill -0 "$BYSTANDER_PID"
        hides && [ -e "/proc/$BYSTANDER_PID" ] && leak "/proc/$BYSTANDER_PID"
        unseen "/proc/$BYSTANDER_PID/environ" "/proc/$BYSTANDER_PID/mem" "/proc/$BYSTANDER_PID/root" "/proc/$BYSTANDER_PID/fd"
        cat /proc/[0-9]*/environ "/proc/$BYSTANDER_PID/environ" 2>/dev/null | tr '\0' '\n' | grep -q "secret-$TOKEN" && leak environment
        echo tried"#),
    attempt("kill.group", "signals its process group", r#"
        echo tried; kill -9 0"#),
    attempt("kill.stop", "stops itself", r#"
        echo tried; kill -STOP $$"#).ends(Ends::Deadline),
    attempt("ptrace.worker", "takes over PID 1: attach, memory, descriptors", r#"
        perl -e 'sub call { my ($name, @words) = @_; syscall($ENV{"SYS_$name"} + 0, @words) }
            for my $request (16, 0x4206) { call("ptrace", $request, 1, 0, 0) == -1 or print "LEAK ptrace $request\n" }
            my $fd = call("pidfd_open", 1, 0);
            for my $theirs (0 .. 9) { call("pidfd_getfd", $fd, $theirs, 0) == -1 or print "LEAK descriptor $theirs\n" }
            my $room = "\0" x 64; my $vector = pack("P Q", $room, 64);
            call("process_vm_readv", 1, $vector, 1, pack("QQ", 4096, 64), 1, 0) == -1 && $!{EPERM} or print "LEAK memory\n";
            print "tried\n"'"#).needs(&["perl"]),
    attempt("proc.worker", "reads and writes what /proc shows of PID 1", r#"
        for entry in mem environ maps auxv stack; do head -c 1 /proc/1/$entry >/dev/null 2>&1 && leak "$entry"; done
        ls /proc/1/fd/ 2>/dev/null | grep -q . && leak fd
        readlink /proc/1/exe >/dev/null 2>&1 && leak exe
        for entry in mem oom_score_adj comm timerslack_ns coredump_filter clear_refs autogroup; do
            ( echo 7 > /proc/1/$entry ) 2>/dev/null && leak "$entry"
        done
        cat /proc/1/fd/3 2>/dev/null && leak socket
        echo tried"#),
    attempt("proc.settings", "writes settings of the machine", r#"
        for name in kernel/core_pattern kernel/hostname kernel/pid_max vm/drop_caches user/max_user_namespaces; do
            ( echo "|/bin/false" > /proc/sys/$name ) 2>/dev/null && leak "$name"
        done
        ( echo b > /proc/sysrq-trigger ) 2>/dev/null && leak sysrq
        unseen /proc/sys /proc/kallsyms /proc/bus /proc/irq /proc/meminfo /sys/kernel /sys/fs/cgroup
        echo tried"#),

    // Privilege.
    attempt("privilege.setuid", "runs the set-user-id programs of the system", r#"
        me=$(id -u); [ "$me" != 0 ] || leak root
        for program in "su -c id" "newgrp root -c id" "sudo -n id" "mount -t tmpfs x /tmp" "passwd -d root" "chsh -s /bin/sh root"; do
            refused timeout -s KILL 0.05 $program </dev/null
        done
        cp /usr/bin/id own; chmod 6755 own; [ "$(./own -u)" = "$me" ] || leak own
        hides && { [ "$me" = 1000 ] || leak id; }
        perl -e '$< = $> = 0; $( = $) = 0; print "LEAK user\n" if $< == 0 || $> == 0 || $( == 0 || $) == 0'
        grep -q '^CapEff:.*[1-9a-f]$' /proc/self/status && leak capabilities
        echo tried"#),
    attempt("privilege.user-namespace", "makes a user namespace, in which it would be root", r#"
        refused unshare -U true; refused unshare -Ur true; refused unshare -Urmpf true
        refused perl -e 'exit(syscall($ENV{SYS_unshare} + 0, 0x10000000) != 0)'
        echo tried"#).needs(&["perl", "unshare"]),
    attempt("privilege.namespaces", "makes and enters other namespaces", r#"
        for kind in -m -p -n -i -u -C; do refused unshare $kind true; done
        for kind in user mnt pid net ipc uts; do
            refused nsenter --$kind=/proc/1/ns/$kind true
            refused perl -e 'open(my $f, "<", "/proc/self/ns/$ARGV[0]") or exit 1; exit(syscall($ENV{SYS_setns} + 0, fileno $f, 0) != 0)' $kind
        done
        echo tried"#).needs(&["perl", "unshare"]),
    attempt("privilege.mount", "mounts, binds, remounts, unmounts", r#"
        mkdir m
        refused mount -t tmpfs x m; refused mount --bind /usr m; refused mount -o remount,rw /usr; refused mount -t proc x m
        refused umount /proc; refused umount -l /usr; refused umount ~
        refused perl -e 'exit(syscall($ENV{SYS_mount} + 0, "x", "m", "tmpfs", 0, 0) != 0)'
        echo tried"#).needs(&["perl"]),
    attempt("privilege.host-name", "names the host, and sets its clock", r#"
        refused hostname evil
        perl -e 'sub call { my ($name, @words) = @_; syscall($ENV{"SYS_$name"} + 0, @words) }
            my $name = "evil"; call("sethostname", $name, 4) == -1 or print "LEAK name\n";
            call("clock_settime", 0, pack("qq", 0, 0)) == -1 or print "LEAK clock\n"'
        refused date -s 2001-01-01
        echo tried"#).needs(&["perl"]),
    attempt("privilege.limits", "raises its own limits", r#"
        for limit in -u -f -v -n -c -q; do
            ( ulimit $limit unlimited ) 2>/dev/null && leak "$limit"
            ( ulimit -H $limit 1000000000 ) 2>/dev/null && leak "$limit"
        done
        echo tried"#),
    attempt("kernel.surfaces", "asks for parts of the kernel that no case needs", r#"
        perl -e 'sub call { my ($name, @words) = @_; syscall($ENV{"SYS_$name"} + 0, @words) }
            call("io_uring_setup", 8, "\0" x 128) == -1 && $!{ENOSYS} or print "LEAK io_uring\n";
            call("bpf", 0, "\0" x 128, 128) == -1 && $!{ENOSYS} or print "LEAK bpf\n";
            call("perf_event_open", "\0" x 128, 0, -1, -1, 0) == -1 && $!{ENOSYS} or print "LEAK perf\n";
            print "tried\n"'"#).needs(&["perl"]),
    attempt("kernel.x32", "makes calls by their x32 numbers, which a filter may not know", r#"
        perl -e 'syscall(0x40000000 + 39) == -1 or print "LEAK x32\n"; print "tried\n"'"#).needs(&["perl"]),

    // More than its share.
    attempt("share.fork-bomb", "forks without end", r#"
        echo tried; bomb() { bomb | bomb & }; bomb; wait; sleep 1"#).ends(Ends::Somehow),
    attempt("share.processes", "fills the process table", r#"
        perl -e 'my $n = 0; while ($n < 200) { my $pid = fork; last unless defined $pid; if (!$pid) { sleep 100; exit } $n++ }
            print "LEAK $n processes\n" if $n > 64; print "tried\n"'"#).needs(&["perl"]),
    attempt("share.loop", "loops, deaf to every signal it can be deaf to", r#"
        trap '' TERM HUP INT QUIT ALRM USR1 USR2; echo tried; while :; do :; done"#).ends(Ends::Deadline),
    attempt("share.sleep", "outlives its deadline asleep", r#"
        echo tried; sleep 1000"#).ends(Ends::Deadline),
    attempt("share.disk", "fills the disk with files", r#"
        echo tried
        for i in {1..400}; do head -c 4M /dev/zero > big$i || break; done 2>/dev/null
        used=$(du -sk . | cut -f1); [ "$used" -gt 70000 ] && leak "$used KiB""#).ends(Ends::Full),
    attempt("share.file", "makes one huge file", r#"
        ( trap '' XFSZ; head -c 100M /dev/zero > big ) 2>/dev/null
        [ "$(stat -c %s big)" -gt 8388608 ] && leak size
        echo tried"#),
    attempt("share.inodes", "makes more files than there is room for", r#"
        echo tried
        ( : > {1..6000} ) 2>/dev/null
        perl -e 'for (1 .. 100000) { open(my $f, ">", "n$_") or last } opendir(my $d, "."); my $n = () = readdir $d;
            print "LEAK $n files\n" if $n > 4200'"#).ends(Ends::Full).needs(&["perl"]),
    attempt("share.memory", "takes more memory than one process may", r#"
        perl -e '$x = "a" x (1 << 30); print "LEAK memory\n"' 2>/dev/null
        echo tried"#).needs(&["perl"]),
    attempt("share.output", "writes without end to standard output", r#"
        echo tried; yes"#).ends(Ends::OutputCap),
    attempt("share.errors", "writes without end to standard error", r#"
        echo tried; yes >&2"#).ends(Ends::OutputCap),
    attempt("share.silent", "closes its outputs and goes on", r#"
        echo tried; exec >&- 2>&-; while :; do :; done"#).ends(Ends::Deadline),
    attempt("share.pipes", "opens pipes until there are none, and fills them", r#"
        perl -e 'my @pipes; my $n = 0;
            while ($n < 2000) { pipe(my $r, my $w) or last; fcntl($w, 1031, 1 << 20); push @pipes, $r, $w; $n++ }
            print "LEAK $n pipes\n" if $n > 130; print "tried\n"'"#).needs(&["perl"]),
    attempt("share.stdin", "writes into its own standard input", r#"
        echo left > /proc/self/fd/0
        perl -e 'open(my $f, "+<", "/proc/self/fd/0"); fcntl($f, 4, 2048); fcntl($f, 1031, 4096)'
        echo tried"#).needs(&["perl"]),

    // Left for later.
    attempt("outlive.daemon", "leaves daemons: setsid, double fork, disown, nohup", r#"
        setsid sleep 1000 &
        ( ( sleep 1000 & ) & )
        sleep 1000 & disown -a
        nohup sleep 1000 >/dev/null 2>&1 &
        echo tried"#),
    attempt("outlive.deaf", "leaves a busy process that no signal ends and that holds the outputs", r#"
        (trap '' TERM HUP INT; while :; do echo x > beat; done) & disown
        setsid bash -c 'trap "" TERM HUP; exec 5>&1; while :; do :; done' &
        echo tried"#),
    attempt("outlive.stopped", "leaves stopped processes", r#"
        sleep 1000 & kill -STOP $!
        bash -c 'kill -STOP $$' &
        echo tried"#),
    attempt("outlive.files", "leaves files of every kind, everywhere it can", r#"
        for folder in . .. /tmp ~; do
            echo x > "$folder/left"; ln -s /usr "$folder/link"; mkfifo "$folder/fifo"; mkdir -p "$folder/.hidden/deep"
            ln "$folder/left" "$folder/again"; echo x > "$folder/-rf"; echo x > "$folder/$(printf 'a\nb\377')"
        done
        perl -MSocket -e 'socket(my $s, AF_UNIX, SOCK_STREAM, 0); bind($s, pack_sockaddr_un("/tmp/socket"))'
        mv ~/cwd ~/moved; mkdir ~/cwd
        echo tried"#).needs(&["perl"]),
    attempt("outlive.modes", "makes files and folders that cannot be removed", r#"
        mkdir -p a/b/c /tmp/a/b; echo x > a/b/c/x; chmod 444 a/b/c/x; chmod 000 a/b/c a/b a /tmp/a/b /tmp/a
        chmod 000 . .. /tmp; chmod 3000 ~
        echo tried"#),
    attempt("outlive.attributes", "sets attributes, access lists and flags on the folders that stay", r#"
        perl -e 'sub call { my ($name, @words) = @_; syscall($ENV{"SYS_$name"} + 0, @words) }
            my ($name, $value) = ("user.left", "x");
            for my $folder ($ENV{HOME}, "/tmp") {
                call("setxattr", $folder, $name, $value, 1, 0);
                my $deny = pack("L SSL SSL SSL", 2, 1, 0, -1, 4, 0, -1, 32, 0, -1);
                call("setxattr", $folder, "system.posix_acl_$_", $deny, length $deny, 0) for "default", "access";
                open(my $f, "<", $folder); my $flags = pack("Q", 0x40); ioctl($f, 0x40086602, $flags) and print "LEAK flags\n";
            }
            print "tried\n"'"#).needs(&["perl"]),
    attempt("outlive.deep", "makes a very deep folder", r#"
        echo tried
        perl -e 'my $name = "d" x 200; for (1 .. 3000) { mkdir $name or last; chdir $name or last } open(my $f, ">", "end")'"#).ends(Ends::Full).needs(&["perl"]),
    attempt("outlive.wide", "makes very many files, links and folders", r#"
        perl -e 'for (1 .. 2000) { mkdir "d$_"; symlink "d$_", "l$_"; open(my $f, ">", "/tmp/$_") or last } print "tried\n"'"#).needs(&["perl"]),
    attempt("outlive.ipc", "leaves shared memory, semaphores and message queues", r#"
        perl -e 'sub call { my ($name, @words) = @_; syscall($ENV{"SYS_$name"} + 0, @words) }
            defined shmget(42, 4096, 01666) and print "LEAK shared memory\n";
            defined semget(42, 1, 01666) and print "LEAK semaphores\n";
            defined msgget(42, 01666) and print "LEAK queue\n";
            my $name = "left"; call("mq_open", $name, 0102, 0666, 0) == -1 or print "LEAK message queue\n";
            print "tried\n"'"#).needs(&["perl"]),
    attempt("outlive.keys", "leaves keys in the keyrings of its user", r#"
        perl -e 'sub call { my ($name, @words) = @_; syscall($ENV{"SYS_$name"} + 0, @words) }
            my ($type, $name, $value) = ("user", "left", "x");
            for my $ring (-3, -4, -5) { call("add_key", $type, $name, $value, 1, $ring) == -1 or print "LEAK key $ring\n" }
            call("keyctl", 0, -4, 1) == -1 or print "LEAK keyring\n";
            print "tried\n"'"#).needs(&["perl"]),
    attempt("outlive.limits", "sets limits and priorities of PID 1, which later cases would inherit", r#"
        perl -e 'sub call { my ($name, @words) = @_; syscall($ENV{"SYS_$name"} + 0, @words) }
            for my $limit (1, 7, 9) { call("prlimit64", 1, $limit, pack("QQ", 4096, 4096), 0) == -1 or print "LEAK limit $limit\n" }
            call("setpriority", 0, 1, 19) == -1 or print "LEAK priority\n";
            call("setpriority", 2, 0, 18) == -1 or print "LEAK priority of the user\n";
            call("setpriority", 1, 1, 17) == -1 or print "LEAK priority of the group\n";
            call("ioprio_set", 1, 1, 3 << 13) == -1 or print "LEAK disk priority\n";
            call("sched_setscheduler", 1, 5, pack("L", 0)) == -1 or print "LEAK scheduler\n";
            call("sched_setaffinity", 1, 8, pack("Q", 1)) == -1 or print "LEAK affinity\n";
            print "tried\n"'"#).needs(&["perl"]),
    attempt("outlive.core", "leaves a core dump", r#"
        ulimit -c unlimited 2>/dev/null; echo tried; kill -SEGV $$"#),
];
