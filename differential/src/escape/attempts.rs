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
static ATTEMPTS: [Attempt; 69] = [
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
        # A box may have terminals of its own, which nobody else has opened.
        unseen /dev/pts/[0-9]* /dev/tty0 /dev/vda /dev/kmsg
        echo tried"#),

    // What is there beside the box, and everybody may change: `$OPEN`, a folder of the host with files that belong to each of
    // the users that the box runs as. Whether anything happened there the witness sees.
    attempt("outside.read", "reads open files of the host", r#"
        for file in "$OPEN"/? /proc/self/root"$OPEN"/? ~/../../..//"$OPEN"/?; do
            ln -f "$file" own; ln -sf "$file" link; cp "$file" copy
            cat "$file" own link copy 2>/dev/null | grep -q kept && leak "$file"
        done
        cd "$OPEN" 2>/dev/null && cat a b c 2>/dev/null | grep -q kept && leak "from inside"
        echo tried"#),
    attempt("outside.content", "writes and truncates open files of the host", r#"
        for file in "$OPEN"/?; do
            : > "$file"; echo x >> "$file"; : >| "$file"; : <> "$file"; truncate -s 0 "$file"; cp f "$file"; sed -i s/k/x/ "$file"
            ln -sf "$file" link; echo x > link; ln -f "$file" own && echo x > own; dd if=f of="$file" conv=notrunc; tee -a "$file" < f
            ( cd "$OPEN" && echo x > "${file##*/}" )
            FILE=$file perl -e 'truncate($ENV{FILE}, 0); sysopen(my $f, $ENV{FILE}, 0x200); sysopen($f, $ENV{FILE}, 0x201);
                my $name = $ENV{FILE}; syscall($ENV{SYS_openat2} + 0, -100, $name, pack("QQQ", 0x202, 0, 0), 24);
                sysopen(my $p, $ENV{FILE}, 010000000) and open(my $w, ">", "/proc/self/fd/" . fileno $p);
                open(my $w, "+<", "/proc/self/root$ENV{FILE}");'
        done 2>/dev/null >&2
        echo tried"#).needs(&["perl"]),
    attempt("outside.metadata", "changes modes, owners, times and attributes of open files of the host", r#"
        for file in "$OPEN" "$OPEN"/?; do
            ln -sf "$file" link; ln -f "$file" own
            for name in "$file" link own /proc/self/root"$file"; do
                chmod 600 "$name"; chmod u+s "$name"; chown "$(id -u)" "$name"; chown -h "$(id -u):$(id -g)" "$name"; touch "$name"
                touch -h "$name"; touch -a -d 2001-01-01 "$name"; touch -m -r / "$name"
            done
            ( cd "$OPEN" && chmod 600 "${file##*/}" . && touch -d 2001-01-01 "${file##*/}" . )
            FILE=$file perl -e 'sub call { my ($name, @words) = @_; syscall($ENV{"SYS_$name"} + 0, @words) }
                my ($name, $key, $value, $empty) = ($ENV{FILE}, "user.left", "x", "");
                call("setxattr", $name, $key, $value, 1, 0); call("lsetxattr", $name, $key, $value, 1, 0);
                sysopen(my $p, $name, 010000000); my $fd = fileno $p; my $link = "/proc/self/fd/$fd";
                chmod(0600, $link); call("fchmodat2", $fd, $empty, 0600, 0x1000); call("fchmod", $fd, 0600);
                call("fchownat", $fd, $empty, $< + 0, -1, 0x1000); call("utimensat", $fd, $empty, 0, 0x1000);
                utime(1, 1, $link); call("setxattr", $link, $key, $value, 1, 0); call("fsetxattr", $fd, $key, $value, 1, 0);'
        done 2>/dev/null >&2
        echo tried"#).needs(&["perl"]),
    attempt("outside.names", "makes, moves, links and removes names in an open folder of the host", r#"
        mkdir d; echo x > own
        touch "$OPEN/new"; mkdir "$OPEN/dir"; mkfifo "$OPEN/fifo"; ln -s x "$OPEN/link"; mknod "$OPEN/pipe" p; ln own "$OPEN/hard"
        mv own "$OPEN/moved"; mv d "$OPEN/d"; cp f "$OPEN/copy"; mv ~ "$OPEN/home"; mv ~/cwd "$OPEN/cwd"; mv -T ~/.. "$OPEN/box"
        for file in "$OPEN"/?; do
            ln "$file" "stolen-${file##*/}"; mv "$file" .; rm -f "$file"
            FILE=$file perl -e 'my ($own, $file) = ("f", $ENV{FILE}); syscall($ENV{SYS_renameat2} + 0, -100, $own, -100, $file, 2)'
        done
        perl -e 'my ($here, $to) = (".", "$ENV{OPEN}/tmpfile"); sysopen(my $f, $here, 020200002, 0666);
            my $from = "/proc/self/fd/" . fileno $f; syscall($ENV{SYS_linkat} + 0, -100, $from, -100, $to, 0x400)'
        perl -MSocket -e 'socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, 0); bind($a, pack_sockaddr_un("$ENV{OPEN}/bound"));
            socket(my $s, AF_UNIX, SOCK_STREAM, 0) and bind($s, pack_sockaddr_un("$ENV{OPEN}/bound"))'
        ( cd "$OPEN" && touch new && mkdir dir )
        rm -rf "$OPEN"
        [ -d ~/cwd ] || leak "the folder of the case is gone"
        echo tried"#).needs(&["perl"]),
    attempt("outside.socket", "sends to a socket of the host by its path", r#"
        perl -MSocket -e 'for my $path ("$ENV{OPEN}/socket", "/run/systemd/journal/dev-log", "/dev/log") {
                my $to = pack_sockaddr_un($path);
                socket(my $s, AF_UNIX, SOCK_DGRAM, 0) and defined send($s, "hello", 0, $to) and print "LEAK $path\n";
                for my $kind (SOCK_DGRAM, SOCK_STREAM, SOCK_SEQPACKET) {
                    socketpair(my $a, my $b, AF_UNIX, $kind, 0) or next;
                    send($a, "hello", 0, $to); connect($a, $to) and print "LEAK $path from a pair\n";
                }
            } print "tried\n"'"#).needs(&["perl"]),
    attempt("outside.above", "changes the folder above its own", r#"
        for above in ~/.. ~/../..; do
            refused touch "$above/$TOKEN"; refused mkdir "$above/$TOKEN"; refused ln -s x "$above/$TOKEN"
            refused chmod 777 "$above"; refused touch -d 2001-01-01 "$above"; refused mv ~ "$above/$TOKEN"
            refused rmdir ~; refused rm -rf ~; hides || refused ls "$above"
            [ -e "$above/$TOKEN" ] || [ -L "$above/$TOKEN" ] && leak "$above"
        done
        [ -d ~ ] || leak "the folder is gone"
        echo tried"#),
    attempt("leave.memfd", "runs a program that is in no file, and lets it write", r#"
        perl -e '$^F = 99; my $name = "x"; my $fd = syscall($ENV{SYS_memfd_create} + 0, $name, 0); open(my $m, ">&=", $fd) or die;
            open(my $from, "<", "/usr/bin/touch") or die; local $/; print $m scalar <$from>; $m->flush; my $own = "/proc/self/fd/$fd";
            $| = 1; print "tried\n"; exec {$own} "touch", "made", "$ENV{OPEN}/memfd", "/$ENV{TOKEN}", "/usr/$ENV{TOKEN}"' 2>/dev/null
        [ -e made ] || echo "LEAK is not shown: the program did not run""#).needs(&["perl"]),
    attempt("kill.neighbours", "signals the processes and threads with numbers near its own", r#"
        # Where others are hidden, all that it can name are its own.
        hides || for ((pid = PPID - 40; pid < PPID + 40; pid++)); do
            ((pid == $$)) || ! kill -0 "$pid" 2>/dev/null || leak "$pid"
        done
        echo tried"#),
    attempt("kill.by-the-kernel", "lets the kernel send a deadly signal to its parent when a pipe is read", r#"
        PARENT=$PPID perl -e 'sub call { my ($name, @words) = @_; syscall($ENV{"SYS_$name"} + 0, @words) }
            for my $target (map { $_ + 0 } $ENV{PARENT}, $ENV{PARENT} + 1, $ENV{PARENT} + 2, 1) {
                next if $target == $$ || $target == getppid;
                pipe(my $r, my $w) or die; fcntl($r, 10, 9); fcntl($r, 8, $target); fcntl($r, 4, 020000); syswrite($w, "x");
                for my $kind (0, 1) { my $owner = pack("ll", $kind, $target); fcntl($r, 15, $owner); syswrite($w, "x") }
                my $data = "\0" x 128; call("tgkill", $ENV{PARENT} + 0, $target, 9); call("tkill", $target, 9);
                call("rt_sigqueueinfo", $target, 9, $data);
                my $fd = call("pidfd_open", $target, 0x80); call("pidfd_send_signal", $fd, 9, 0, 0);
            } print "tried\n"'"#).needs(&["perl"]),
    attempt("device.push", "puts characters into the input of a terminal", r#"
        perl -e 'my $x = "x"; for my $fd (0 .. 2) { open(my $f, "<&", $fd); ioctl($f, 0x5412, $x) and print "LEAK $fd\n" }
            open(my $t, "+<", "/dev/tty") and print "LEAK tty\n"; print "tried\n"'"#).needs(&["perl"]),

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
    attempt("ptrace.worker", "takes over its parent: attach, memory, descriptors", r#"
        PARENT=$PPID perl -e 'sub call { my ($name, @words) = @_; syscall($ENV{"SYS_$name"} + 0, @words) }
            my $parent = $ENV{PARENT} + 0;
            for my $request (16, 0x4206) { call("ptrace", $request, $parent, 0, 0) == -1 or print "LEAK ptrace $request\n" }
            my $fd = call("pidfd_open", $parent, 0);
            for my $theirs (0 .. 9) { call("pidfd_getfd", $fd, $theirs, 0) == -1 or print "LEAK descriptor $theirs\n" }
            my $room = "\0" x 64; my $vector = pack("P Q", $room, 64);
            for my $name ("process_vm_readv", "process_vm_writev") {
                call($name, $parent, $vector, 1, pack("QQ", 4096, 64), 1, 0) == -1 && $!{EPERM} or print "LEAK $name\n" }
            call("kcmp", $$ + 0, $parent, 0, 0, 0) == -1 or print "LEAK kcmp\n";
            print "tried\n"'"#).needs(&["perl"]),
    attempt("proc.worker", "reads and writes what /proc shows of its parent", r#"
        for entry in mem environ maps auxv stack; do head -c 1 /proc/$PPID/$entry >/dev/null 2>&1 && leak "$entry"; done
        ls /proc/$PPID/fd/ 2>/dev/null | grep -q . && leak fd
        readlink /proc/$PPID/exe >/dev/null 2>&1 && leak exe
        for entry in mem oom_score_adj comm timerslack_ns coredump_filter clear_refs autogroup; do
            ( echo 7 > /proc/$PPID/$entry ) 2>/dev/null && leak "$entry"
        done
        cat /proc/$PPID/fd/3 2>/dev/null && leak socket
        ls /proc/$PPID/root/ /proc/$PPID/cwd/ 2>/dev/null | grep -q . && leak root
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
        perl -e 'for my $pid (syscall($ENV{SYS_clone} + 0, 0x10000011, 0, 0, 0, 0),
                              syscall($ENV{SYS_clone3} + 0, pack("Q8", 0x10000000, 0, 0, 0, 17, 0, 0, 0), 64)) {
            exit if $pid == 0; print "LEAK clone\n" if $pid > 0 }'
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
            call("userfaultfd", 1) == -1 && $!{ENOSYS} or print "LEAK userfaultfd\n";
            call("fanotify_init", 0, 0) == -1 && $!{ENOSYS} or print "LEAK fanotify\n";
            print "tried\n"'"#).needs(&["perl"]),
    attempt("kernel.x32", "makes calls by their x32 numbers, which a filter may not know", r#"
        perl -e 'syscall(0x40000000 + 39) == -1 or print "LEAK x32\n"; print "tried\n"'"#).needs(&["perl"]),

    // More than its share.
    attempt("share.fork-bomb", "forks without end", r#"
        echo tried; bomb() { bomb | bomb & }; bomb; wait; sleep 1"#).ends(Ends::Somehow),
    attempt("share.processes", "fills the process table", r#"
        perl -e '$| = 1; print "tried\n"; my $n = 0; while ($n < 5000) { my $pid = fork; last unless defined $pid; if (!$pid) { sleep 100; exit } $n++ }
            print "LEAK $n processes\n" if $n > 64'"#).ends(Ends::Full).needs(&["perl"]),
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
    attempt("outlive.limits", "sets limits and priorities of its parent, which later cases would inherit", r#"
        PARENT=$PPID perl -e 'sub call { my ($name, @words) = @_; syscall($ENV{"SYS_$name"} + 0, @words) }
            my $parent = $ENV{PARENT} + 0;
            for my $limit (1, 7, 9) { call("prlimit64", $parent, $limit, pack("QQ", 4096, 4096), 0) == -1 or print "LEAK limit $limit\n" }
            call("setpriority", 0, $parent, 19) == -1 or print "LEAK priority\n";
            call("setpriority", 2, 0, 18) == -1 or print "LEAK priority of the user\n";
            call("setpriority", 1, $parent, 17) == -1 or print "LEAK priority of the group\n";
            call("ioprio_set", 1, $parent, 3 << 13) == -1 or print "LEAK disk priority\n";
            call("ioprio_set", 3, 0, 3 << 13) == -1 or print "LEAK disk priority of the user\n";
            call("sched_setscheduler", $parent, 5, pack("L", 0)) == -1 or print "LEAK scheduler\n";
            call("sched_setaffinity", $parent, 8, pack("Q", 1)) == -1 or print "LEAK affinity\n";
            print "tried\n"'"#).needs(&["perl"]),
    attempt("outlive.core", "leaves a core dump", r#"
        ulimit -c unlimited 2>/dev/null; echo tried; kill -SEGV $$"#),
];
