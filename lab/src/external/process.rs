//! A child process that communicates in lines and cannot outlive etude.
//!
//! The child runs in a process group of its own, so Ctrl-C at a terminal reaches etude alone; a
//! guard kills the group when etude ends. All reading and writing waits with `poll`, so no program
//! can make etude wait longer than its patience or hold more than a bounded line. Knows nothing of
//! any protocol.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;

use super::executable::Executable;
use super::guard::{GLANCE, MARK, ProcessGuard};
use super::output_lines::{LONGEST_LINE, OutputLines};
use super::tail::LastLines;

/// The time that a program has to end once its input is closed, and again once it is asked to.
const GRACE: Duration = Duration::from_secs(2);

/// The environment of every program: no randomness of its own, no threads of its own, lines that
/// leave at once, text in UTF-8.
const ENVIRONMENT: [(&str, &str); 6] = [
    ("PYTHONHASHSEED", "0"),
    ("PYTHONUNBUFFERED", "1"),
    ("OMP_NUM_THREADS", "1"),
    ("OPENBLAS_NUM_THREADS", "1"),
    ("MKL_NUM_THREADS", "1"),
    ("LC_ALL", "C.UTF-8"),
];

/// An error: a conversation broke off.
#[derive(Debug)]
pub enum Lapse {
    /// The program could not be started.
    Unstartable(io::Error),
    /// The program wrote nothing for this time.
    Silent(Duration),
    /// The program ended, and a process that it started keeps its standard output open.
    Held(ExitStatus),
    /// The program read nothing for this time.
    Deaf(Duration),
    /// The program ended, in the middle of a line or not.
    Ended(ExitStatus),
    /// The program closed its standard input or output and goes on running.
    Closed(&'static str),
    /// The program wrote a line beyond [`LONGEST_LINE`].
    Endless,
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

    /// The line that was received last; empty where more was read or sent since.
    pub fn last_line(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.output.last())
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
        self.output.forget_last();
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
    /// [`Lapse::Silent`] or [`Lapse::Held`] where nothing comes for `patience`, [`Lapse::Ended`],
    /// [`Lapse::Endless`].
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
                return Err(self.silent(patience));
            }
            if self.wait(left, false)? {
                last = Instant::now();
            }
        }
    }

    /// Returns all bytes that the program writes until it closes its output; of more than a line's
    /// bound the end.
    ///
    /// # Errors
    /// [`Lapse::Silent`], [`Lapse::Held`].
    pub fn receive_all(&mut self, patience: Duration) -> Result<&[u8], Lapse> {
        let mut last = Instant::now();
        while self.output.pipe.is_some() {
            let left = patience.saturating_sub(last.elapsed());
            if left.is_zero() {
                return Err(self.silent(patience));
            }
            if self.wait(left, false)? {
                last = Instant::now();
            }
            self.output.keep_end();
        }
        Ok(self.output.rest())
    }

    /// Returns the lapse of a program that wrote nothing for `patience`.
    fn silent(&mut self, patience: Duration) -> Lapse {
        self.ended = self.ended.or(self.child.try_wait().ok().flatten());
        self.ended.map_or(Lapse::Silent(patience), Lapse::Held)
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

    /// Returns whether standard output and standard error can be read, once one of them can, there is room
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
