//! The watchdog of a process group: a shell that kills the group when etude ends.
//!
//! The watchdog leads the group and waits for the end of its standard input. When etude ends, for
//! whatever reason, the kernel closes that pipe, and the watchdog kills the group, including itself.
//! Before that, on Linux, it kills processes that have left the group (`setsid`): it finds them by
//! a mark in their environment, which children inherit.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::process::GLANCE;
use rustix::process::{Pid, Signal, kill_process_group};

/// The longest time that a watchdog may take to end its group.
const SWEEP: Duration = Duration::from_secs(5);

/// The mark of a watchdog's processes in their environment.
pub(super) const MARK: &str = "ETUDE_GUARD";

/// The shell script of a watchdog, with its mark as `$0`. It ignores the signal that ends the others
/// politely. It looks again until there is no marked process, for one may have a child in between.
/// The group dies in the end also where the system has no process left to look with.
const SCRIPT: &str = r#"trap '' TERM INT HUP
trap 'kill -KILL 0' EXIT
read _
for look in 1 2 3 4 5 6 7 8 9; do
    marked=$(grep -lsF "$0" /proc/[0-9]*/environ)
    [ -n "$marked" ] || break
    for path in $marked; do
        path=${path%/environ}
        kill -KILL "${path#/proc/}"
    done
done"#;

/// Watchdogs started by this process.
static WATCHDOGS: AtomicU64 = AtomicU64::new(0);

/// The leader of a process group, which dies with etude and takes the group along.
#[derive(Debug)]
pub(crate) struct Watchdog {
    shell: Child,
    /// The value of [`MARK`] in the environment of the group's processes.
    pub(super) mark: String,
}

impl Watchdog {
    /// Starts a watchdog, the leader of a new process group.
    ///
    /// # Errors
    /// If there is no shell or no room for a process.
    pub(crate) fn start() -> io::Result<Self> {
        let mark = new_mark();
        let shell = Command::new("/bin/sh")
            .args(["-c", SCRIPT, &format!("{MARK}={mark}")])
            // Within a program of another etude it must outlive what bears that one's mark.
            .env_remove(MARK)
            .current_dir("/")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Self { shell, mark })
    }

    pub(super) fn group(&self) -> i32 {
        i32::try_from(self.shell.id()).unwrap_or(0)
    }

    pub(super) fn signal(&self, signal: Signal) {
        if let Some(group) = Pid::from_raw(self.group()) {
            // A group that has gone already needs no signal.
            let _ = kill_process_group(group, signal);
        }
    }

    /// Kills every process in the group, and every one that has left it.
    pub(super) fn kill(&mut self) {
        drop(self.shell.stdin.take());
        let deadline = Instant::now() + SWEEP;
        while matches!(self.shell.try_wait(), Ok(None)) && Instant::now() < deadline {
            std::thread::sleep(GLANCE);
        }
        self.signal(Signal::KILL);
        let _ = self.shell.wait();
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A mark that no other watchdog of this machine has.
fn new_mark() -> String {
    let count = WATCHDOGS.fetch_add(1, Ordering::Relaxed);
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanoseconds = now.map_or(0, |now| now.as_nanos());
    format!("{}-{count}-{nanoseconds}", std::process::id())
}
