//! A child process that communicates in lines and cannot outlive etude.
//!
//! The child runs in a process group of its own, so Ctrl-C at a terminal reaches etude alone. The
//! group is led by a guard: a shell that waits for the end of its standard input. When etude ends,
//! for whatever reason, the kernel closes that pipe, and the guard kills the group, including
//! itself. Before that, on Linux, it kills processes that have left the group (`setsid`): it finds
//! them by a mark in their environment, which children inherit. All reading and writing waits with
//! `poll`, so no program can make etude wait longer than its patience or hold more than a bounded
//! line. Knows nothing of any protocol.

use std::io::{self, ErrorKind, Read, Write};
use std::ops::Range;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};

use super::executable::Executable;
use super::tail::LastLines;

/// The longest line a program may write, in bytes.
pub const LONGEST_LINE: usize = 1 << 20;

/// What some systems write before the first line of a text in UTF-8.
pub(super) const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// How long a program may take to end once its input is closed, and again once it is asked to.
const GRACE: Duration = Duration::from_secs(2);

/// How often an ending program is looked at.
const GLANCE: Duration = Duration::from_millis(1);

/// How long a guard may take to end its group.
const SWEEP: Duration = Duration::from_secs(5);

/// The mark of a guard's processes in their environment.
const MARK: &str = "ETUDE_GUARD";

/// What a guard runs, with its mark as `$0`. It is deaf to the signal that ends the others
/// politely. It looks again until there is no marked process, for one may have a child in between.
const GUARD: &str = r#"trap '' TERM INT HUP
read _
for look in 1 2 3 4 5 6 7 8 9; do
    marked=$(grep -lsF "$0" /proc/[0-9]*/environ)
    [ -n "$marked" ] || break
    for path in $marked; do
        path=${path%/environ}
        kill -KILL "${path#/proc/}"
    done
done
kill -KILL 0"#;

/// Guards started by this process.
static GUARDS: AtomicU64 = AtomicU64::new(0);

/// What every program finds in its environment: no chance of its own, no threads of its own, lines
/// that leave at once, text in UTF-8.
const ENVIRONMENT: [(&str, &str); 6] = [
    ("PYTHONHASHSEED", "0"),
    ("PYTHONUNBUFFERED", "1"),
    ("OMP_NUM_THREADS", "1"),
    ("OPENBLAS_NUM_THREADS", "1"),
    ("MKL_NUM_THREADS", "1"),
    ("LC_ALL", "C.UTF-8"),
];

/// Why a conversation broke off.
#[derive(Debug)]
pub enum Lapse {
    /// The program could not be started.
    Unstartable(io::Error),
    /// It wrote nothing for so long.
    Silent(Duration),
    /// It read nothing for so long.
    Deaf(Duration),
    /// It ended, in the middle of a line or not.
    Ended(ExitStatus),
    /// It closed its standard input or output and goes on running.
    Closed(&'static str),
    /// It wrote a line beyond [`LONGEST_LINE`].
    Endless,
}

/// The leader of a process group, which dies with etude and takes the group along.
#[derive(Debug)]
pub struct ProcessGuard {
    shell: Child,
    mark: String,
}

/// A running program with all three of its streams.
#[derive(Debug)]
pub struct Process {
    /// `None` once it was handed on.
    guard: Option<ProcessGuard>,
    child: Child,
    input: Option<ChildStdin>,
    output: OutputLines,
    errors: Option<ChildStderr>,
    tail: LastLines,
    ended: Option<ExitStatus>,
}

/// What has been read and not been asked for yet.
#[derive(Debug)]
struct OutputLines {
    pipe: Option<ChildStdout>,
    /// Read bytes, then room for more.
    buffer: Vec<u8>,
    /// How many of them were read.
    filled: usize,
    /// Where the next line starts.
    start: usize,
    /// Up to where there is no line's end.
    searched: usize,
    /// Whether a line was found before.
    begun: bool,
}

impl ProcessGuard {
    /// Starts a guard, the leader of a new process group.
    ///
    /// # Errors
    /// Where there is no shell or no room for a process.
    pub fn start() -> io::Result<Self> {
        let mark = new_mark();
        let shell = Command::new("/bin/sh")
            .args(["-c", GUARD, &format!("{MARK}={mark}")])
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

    fn group(&self) -> i32 {
        i32::try_from(self.shell.id()).unwrap_or(0)
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = Pid::from_raw(self.group()) {
            // A group that has gone already needs no signal.
            let _ = kill_process_group(group, signal);
        }
    }

    /// Kills every process in the group, and every one that has left it.
    fn kill(&mut self) {
        drop(self.shell.stdin.take());
        let deadline = Instant::now() + SWEEP;
        while matches!(self.shell.try_wait(), Ok(None)) && Instant::now() < deadline {
            std::thread::sleep(GLANCE);
        }
        self.signal(Signal::KILL);
        let _ = self.shell.wait();
    }
}

impl Drop for ProcessGuard {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A mark that no other guard of this machine has.
fn new_mark() -> String {
    let count = GUARDS.fetch_add(1, Ordering::Relaxed);
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanoseconds = now.map_or(0, |now| now.as_nanos());
    format!("{}-{count}-{nanoseconds}", std::process::id())
}

impl Process {
    /// Starts a program.
    ///
    /// # Errors
    /// [`Lapse::Unstartable`].
    pub fn start(program: &Executable) -> Result<Self, Lapse> {
        Self::start_under(None, program)
    }

    /// Starts a program in the group of a guard, or of a new one.
    ///
    /// # Errors
    /// [`Lapse::Unstartable`].
    pub fn start_under(guard: Option<ProcessGuard>, program: &Executable) -> Result<Self, Lapse> {
        let guard = match guard {
            Some(guard) => guard,
            None => ProcessGuard::start().map_err(Lapse::Unstartable)?,
        };
        let mut child = Command::new(&program.path)
            .args(&program.arguments)
            .current_dir(&program.folder)
            .envs(ENVIRONMENT)
            .env(MARK, &guard.mark)
            .process_group(guard.group())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(Lapse::Unstartable)?;
        let input = child.stdin.take();
        if let Some(input) = &input {
            rustix::io::ioctl_fionbio(input, true).map_err(|e| Lapse::Unstartable(e.into()))?;
        }
        Ok(Self {
            guard: Some(guard),
            input,
            output: OutputLines::of(child.stdout.take()),
            errors: child.stderr.take(),
            child,
            tail: LastLines::default(),
            ended: None,
        })
    }

    /// The last lines of its standard error.
    pub fn last_words(&self) -> String {
        self.tail.to_string()
    }

    /// The line that it has begun and not ended.
    pub fn unfinished(&self) -> String {
        String::from_utf8_lossy(self.output.rest()).into_owned()
    }

    /// Writes `bytes`, taking in meanwhile what the program writes.
    ///
    /// # Errors
    /// [`Lapse::Deaf`] where it reads nothing for `patience`, [`Lapse::Ended`] where it has closed
    /// its input, [`Lapse::Endless`].
    pub fn send(&mut self, mut bytes: &[u8], patience: Duration) -> Result<(), Lapse> {
        let mut last = Instant::now();
        while !bytes.is_empty() {
            let Some(input) = &mut self.input else {
                return Err(self.ended("input"));
            };
            match input.write(bytes) {
                Ok(0) => return Err(self.ended("input")),
                Ok(count) => {
                    bytes = &bytes[count..];
                    last = Instant::now();
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    let left = patience.saturating_sub(last.elapsed());
                    if left.is_zero() {
                        return Err(Lapse::Deaf(patience));
                    }
                    self.wait(left, true)?;
                }
                Err(_) => return Err(self.ended("input")),
            }
        }
        Ok(())
    }

    /// The next line that is not blank, without its end.
    ///
    /// # Errors
    /// [`Lapse::Silent`] where nothing comes for `patience`, [`Lapse::Ended`], [`Lapse::Endless`].
    pub fn receive(&mut self, patience: Duration) -> Result<&[u8], Lapse> {
        let (mut last, mut blank) = (Instant::now(), 0);
        loop {
            if let Some(range) = self.output.next_line() {
                if !self.output.buffer[range.clone()].trim_ascii().is_empty() {
                    return Ok(&self.output.buffer[range]);
                }
                blank += 1;
                if blank > LONGEST_LINE {
                    return Err(Lapse::Endless);
                }
                continue;
            }
            if self.output.is_endless() {
                return Err(Lapse::Endless);
            }
            if self.output.pipe.is_none() {
                return Err(self.ended("output"));
            }
            let left = patience.saturating_sub(last.elapsed());
            if left.is_zero() {
                return Err(Lapse::Silent(patience));
            }
            if self.wait(left, false)? {
                last = Instant::now();
            }
        }
    }

    /// Everything it writes until it closes its output; of more than a line's bound the end.
    ///
    /// # Errors
    /// [`Lapse::Silent`].
    pub fn receive_all(&mut self, patience: Duration) -> Result<&[u8], Lapse> {
        let mut last = Instant::now();
        while self.output.pipe.is_some() {
            let left = patience.saturating_sub(last.elapsed());
            if left.is_zero() {
                return Err(Lapse::Silent(patience));
            }
            if self.wait(left, false)? {
                last = Instant::now();
            }
            self.output.keep_end();
        }
        Ok(self.output.rest())
    }

    /// Closes its input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for anything to read, or with `to_write` for room to write; takes in what there is.
    /// Returns whether standard output had any.
    fn wait(&mut self, patience: Duration, to_write: bool) -> Result<bool, Lapse> {
        let [output, errors] = self.readable(patience, to_write);
        if errors {
            self.hear_errors();
        }
        if output {
            if to_write && self.output.is_endless() {
                return Err(Lapse::Endless);
            }
            self.output.read();
        }
        Ok(output)
    }

    /// Whether standard output and standard error can be read, once one of them can, there is room
    /// to write, or the time is over.
    fn readable(&self, patience: Duration, to_write: bool) -> [bool; 2] {
        let mut places = [None; 2];
        let mut fds: Vec<PollFd> = Vec::with_capacity(3);
        if let Some(pipe) = &self.output.pipe {
            places[0] = Some(fds.len());
            fds.push(PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN));
        }
        if let Some(pipe) = &self.errors {
            places[1] = Some(fds.len());
            fds.push(PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN));
        }
        if let (true, Some(pipe)) = (to_write, &self.input) {
            fds.push(PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::OUT));
        }
        if poll(&mut fds, Some(&timespec(patience))).is_err() {
            return [false; 2];
        }
        places.map(|place| place.is_some_and(|place| !fds[place].revents().is_empty()))
    }

    fn hear_errors(&mut self) {
        let mut bytes = [0; 1 << 14];
        match self.errors.as_mut().map(|pipe| pipe.read(&mut bytes)) {
            Some(Ok(count)) if count > 0 => self.tail.push(&bytes[..count]),
            Some(Err(error)) if error.kind() == ErrorKind::Interrupted => {}
            _ => self.errors = None,
        }
    }

    /// The conversation is over: hears the program out and waits a little for its end.
    fn ended(&mut self, closed: &'static str) -> Lapse {
        self.input = None;
        self.await_end(GRACE);
        self.ended.map_or(Lapse::Closed(closed), Lapse::Ended)
    }

    /// Waits for the program to end, taking in what it still writes.
    fn await_end(&mut self, grace: Duration) -> bool {
        let deadline = Instant::now() + grace;
        loop {
            self.ended = self.ended.or(self.child.try_wait().ok().flatten());
            let [output, errors] = self.readable(Duration::ZERO, false);
            if errors {
                self.hear_errors();
            }
            if output {
                self.output.read();
                self.output.keep_end();
            }
            if self.ended.is_some() && !errors {
                return true;
            }
            if Instant::now() >= deadline {
                return self.ended.is_some();
            }
            if !output && !errors {
                std::thread::sleep(GLANCE);
            }
        }
    }

    /// Ends it: by the end of its input, else by TERM, else by KILL, to its whole group. Returns
    /// how it ended.
    pub fn stop(mut self) -> Option<ExitStatus> {
        self.input = None;
        if !self.await_end(GRACE) {
            if let Some(guard) = &self.guard {
                guard.signal(Signal::TERM);
            }
            self.await_end(GRACE);
        }
        self.ended
    }

    /// Waits a little for it to end by itself, and says how it did.
    pub fn await_status(&mut self) -> Option<ExitStatus> {
        self.await_end(GRACE);
        self.ended
    }

    /// Its guard, for another program, where it has ended; otherwise it is killed.
    pub fn release(mut self) -> Option<ProcessGuard> {
        self.ended?;
        self.guard.take()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(guard) = &mut self.guard {
            guard.kill();
        }
        // It may have left the group, and its mark.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl OutputLines {
    fn of(pipe: Option<ChildStdout>) -> Self {
        Self {
            pipe,
            buffer: Vec::new(),
            filled: 0,
            start: 0,
            searched: 0,
            begun: false,
        }
    }

    /// What has been read and is no whole line that was asked for.
    fn rest(&self) -> &[u8] {
        &self.buffer[self.start..self.filled]
    }

    /// The next whole line's place.
    fn next_line(&mut self) -> Option<Range<usize>> {
        let end = memchr::memchr(b'\n', &self.buffer[self.searched..self.filled]);
        let Some(end) = end.map(|end| self.searched + end) else {
            self.searched = self.filled;
            return None;
        };
        if !std::mem::replace(&mut self.begun, true) && self.rest().starts_with(BYTE_ORDER_MARK) {
            self.start += BYTE_ORDER_MARK.len();
        }
        let line = &self.buffer[self.start..end];
        let line = self.start..end - usize::from(line.ends_with(b"\r"));
        self.start = end + 1;
        self.searched = self.start;
        Some(line)
    }

    fn is_endless(&self) -> bool {
        self.rest().len() > LONGEST_LINE
    }

    /// Reads once; the pipe is known to have something, or to be closed.
    fn read(&mut self) {
        const ROOM: usize = 1 << 16;
        self.drop_front(self.start);
        if self.buffer.len() < self.filled + ROOM {
            self.buffer.resize(2 * (self.filled + ROOM), 0);
        }
        let room = &mut self.buffer[self.filled..];
        match self.pipe.as_mut().map(|pipe| pipe.read(room)) {
            Some(Ok(count)) if count > 0 => self.filled += count,
            Some(Err(error)) if error.kind() == ErrorKind::Interrupted => {}
            _ => self.pipe = None,
        }
    }

    /// Forgets all but the end of what was read.
    fn keep_end(&mut self) {
        self.drop_front(self.filled.saturating_sub(LONGEST_LINE));
        self.searched = self.start;
    }

    fn drop_front(&mut self, count: usize) {
        self.buffer.copy_within(count..self.filled, 0);
        self.filled -= count;
        self.start = self.start.saturating_sub(count);
        self.searched = self.searched.saturating_sub(count);
    }
}

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: duration.subsec_nanos().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const SOON: Duration = Duration::from_millis(300);
    const LATE: Duration = Duration::from_secs(20);

    fn shell(script: &str) -> Process {
        let argv = ["sh", "-c", script].map(str::to_owned);
        Process::start(&Executable::find(&argv, Path::new("/")).unwrap()).unwrap()
    }

    #[test]
    fn lines_are_heard_one_by_one_however_they_come() {
        let mut process = shell("read a; printf 'one\\r\\ntw'; sleep 0.1; printf 'o\\n%s\\n' $a");
        process.send(b"three\n", LATE).unwrap();
        assert_eq!(process.receive(LATE).unwrap(), b"one");
        assert_eq!(process.receive(LATE).unwrap(), b"two");
        assert_eq!(process.receive(LATE).unwrap(), b"three");
        assert!(matches!(process.receive(LATE), Err(Lapse::Ended(status)) if status.success()));
    }

    #[test]
    fn a_byte_order_mark_before_the_first_line_is_passed_over() {
        let mut process = shell("printf '\\357\\273\\277one\\n\\357\\273\\277two\\n'");
        assert_eq!(process.receive(LATE).unwrap(), b"one");
        assert_eq!(process.receive(LATE).unwrap(), "\u{feff}two".as_bytes());
        let mut process = shell("printf '\\357\\273\\277'; sleep 0.1; printf '\\n \\r\\nthree\\n'");
        assert_eq!(process.receive(LATE).unwrap(), b"three");
    }

    #[test]
    fn silent_programs_are_not_waited_for() {
        let mut process = shell("sleep 100");
        assert!(matches!(process.receive(SOON), Err(Lapse::Silent(_))));
        assert!(matches!(
            process.send(&[b'x'; 1 << 20], SOON),
            Err(Lapse::Deaf(_))
        ));
    }

    #[test]
    fn a_line_without_end_takes_bounded_memory() {
        let mut process = shell("yes | tr -d '\\n'");
        assert!(matches!(process.receive(LATE), Err(Lapse::Endless)));
        assert!(process.output.buffer.len() < 4 * LONGEST_LINE);
    }

    #[test]
    fn blank_lines_without_end_are_not_waited_out() {
        let mut process = shell("yes ''");
        assert!(matches!(process.receive(LATE), Err(Lapse::Endless)));
    }

    #[test]
    fn large_requests_and_answers_do_not_block_each_other() {
        let mut process = shell("while read line; do echo $line; echo $line >&2; done");
        let line = [vec![b'y'; 500_000], b"\n".to_vec()].concat();
        for _ in 0..3 {
            process.send(&line, LATE).unwrap();
            assert_eq!(process.receive(LATE).unwrap().len(), 500_000);
        }
        assert!(process.last_words().starts_with("\n    yyy"));
        assert!(process.stop().unwrap().success());
    }

    #[test]
    fn programs_that_ignore_the_end_of_input_are_terminated() {
        let started = Instant::now();
        let status = shell("exec sleep 100").stop().unwrap();
        assert_eq!(status.to_string(), "signal: 15 (SIGTERM)");
        assert!(started.elapsed() < 3 * GRACE);
        let deaf = shell("trap '' TERM; while :; do sleep 0.1; done");
        assert_eq!(deaf.stop(), None, "killed when it is dropped");
    }
}
