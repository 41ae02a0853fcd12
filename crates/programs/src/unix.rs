//! Processes on Unix: a group that a watchdog ends, and pipes that `poll` waits for.

use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;

use super::watchdog::{MARK, Watchdog};
use super::watched_child::WatchedChild;

/// A process with all that it starts.
#[derive(Debug)]
pub(super) struct ProcessTree {
    /// `None` once it was handed on.
    watchdog: Option<Watchdog>,
    pub(crate) process: WatchedChild,
}

impl ProcessTree {
    /// Starts a command in the group of a watchdog or of a new one; its streams are piped.
    pub(crate) fn start(
        watchdog: Option<Watchdog>,
        command: &mut Command,
    ) -> io::Result<(Self, Pipes)> {
        let watchdog = watchdog.map_or_else(Watchdog::start, Ok)?;
        let command = command.env(MARK, &watchdog.mark);
        let mut process = WatchedChild::start(command.process_group(watchdog.group()))?;
        let child = &mut process.child;
        let input = child.stdin.take();
        if let Some(input) = &input {
            rustix::io::ioctl_fionbio(input, true)?;
        }
        let pipes = Pipes {
            input,
            output: child.stdout.take(),
            errors: child.stderr.take(),
        };
        let tree = Self {
            watchdog: Some(watchdog),
            process,
        };
        Ok((tree, pipes))
    }

    /// Asks all of it to end.
    pub(crate) fn terminate(&self) {
        if let Some(watchdog) = &self.watchdog {
            watchdog.signal(Signal::TERM);
        }
    }

    /// Kills it with all that it started, and waits for its end.
    pub(crate) fn kill(&mut self) {
        if let Some(mut watchdog) = self.watchdog.take() {
            watchdog.kill();
        }
        // It may have left the group, and its mark.
        self.process.kill();
    }

    /// Returns the watchdog of a process that has ended, for another program; kills one that has not.
    pub(crate) fn release(&mut self) -> Option<Watchdog> {
        self.process.known_end()?;
        self.watchdog.take()
    }
}

/// The signal that ended a process, if one did.
pub(super) fn signal(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// Returns whether an error of a start says nothing of the program: there is no room for a process,
/// or somebody writes the file just now.
pub(super) fn is_of_system(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let scarce = [
        Errno::AGAIN,
        Errno::NOMEM,
        Errno::MFILE,
        Errno::NFILE,
        Errno::TXTBSY,
    ];
    Errno::from_io_error(error).is_some_and(|errno| scarce.contains(&errno))
}

/// The ends of a process's streams.
#[derive(Debug)]
pub(super) struct Pipes {
    pub(crate) input: Option<ChildStdin>,
    pub(crate) output: Option<ChildStdout>,
    pub(crate) errors: Option<ChildStderr>,
}

impl Pipes {
    /// Writes what there is room for at once; `None` where there is none now.
    ///
    /// # Errors
    /// If nobody reads any more.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<Option<usize>> {
        let input = self.input.as_mut().ok_or(ErrorKind::BrokenPipe)?;
        match input.write(bytes) {
            Ok(0) => Err(ErrorKind::BrokenPipe.into()),
            Ok(count) => Ok(Some(count)),
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(Some(0)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns whether standard output and standard error can be read, once one of them can, there
    /// is room to write, or the time is over.
    pub(crate) fn readable(&mut self, patience: Duration, to_write: bool) -> [bool; 2] {
        let output = self.output.as_ref().map(ChildStdout::as_fd);
        let errors = self.errors.as_ref().map(ChildStderr::as_fd);
        let input = self.input.as_ref().filter(|_| to_write);
        let input = input.map(|pipe| PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::OUT));
        let to_read = [output, errors].into_iter().flatten();
        let to_read = to_read.map(|pipe| PollFd::from_borrowed_fd(pipe, PollFlags::IN));
        let mut fds: Vec<PollFd> = to_read.chain(input).collect();
        // A time that the system cannot count is no bound.
        if poll(&mut fds, Timespec::try_from(patience).ok().as_ref()).is_err() {
            return [false; 2];
        }
        let mut polled = fds.iter();
        [output, errors].map(|pipe| {
            let polled = pipe.and_then(|_| polled.next());
            polled.is_some_and(|polled| !polled.revents().is_empty())
        })
    }
}
