//! Processes on Windows: a job object for each, which the system ends with its last handle, and so
//! with etude.

use std::io;
use std::os::windows::io::AsRawHandle;
use std::os::windows::process::CommandExt;
use std::process::{Command, ExitStatus};

use win32job::{ExtendedLimitInfo, Job};

pub(super) use super::threaded::Pipes;
use super::watched_child::WatchedChild;

/// A guard that outlives a process; there is none here, where a process has a job object.
#[derive(Debug)]
pub(crate) enum Watchdog {}

/// The creation flag of a process group: Ctrl-C at the terminal reaches etude alone.
const NEW_GROUP: u32 = 0x200;

/// A process with all that it starts.
#[derive(Debug)]
pub(super) struct ProcessTree {
    job: Option<Job>,
    pub(crate) process: WatchedChild,
}

impl ProcessTree {
    /// Starts a command in a job of its own; its streams are piped.
    pub(crate) fn start(_: Option<Watchdog>, command: &mut Command) -> io::Result<(Self, Pipes)> {
        let mut limits = ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let job = Job::create_with_limit_info(&limits).map_err(io::Error::other)?;
        let mut process = WatchedChild::start(command.creation_flags(NEW_GROUP))?;
        let child = &mut process.child;
        let joined = job.assign_process(child.as_raw_handle() as isize);
        // One that has ended already needs no job.
        if let (Err(error), None) = (joined, child.try_wait()?) {
            child.kill()?;
            return Err(io::Error::other(error));
        }
        let pipes = Pipes::of(child)?;
        let tree = Self {
            job: Some(job),
            process,
        };
        Ok((tree, pipes))
    }

    /// Asks nothing: beside the end of its input there is no polite request that every program hears.
    pub(crate) fn terminate(&self) {}

    /// Kills it with all that it started, and waits for its end.
    pub(crate) fn kill(&mut self) {
        drop(self.job.take());
        self.process.kill();
    }

    /// Nothing that another program could use.
    pub(crate) fn release(&mut self) -> Option<Watchdog> {
        None
    }
}

/// No signal: there are none.
pub(super) fn signal(_: ExitStatus) -> Option<i32> {
    None
}

/// Returns whether an error of a start says nothing of the program: there is no room for a process,
/// or somebody writes the file just now.
pub(super) fn is_of_system(error: &io::Error) -> bool {
    // Too many open files; not enough memory, twice; a file in use; no resources; no room to commit.
    let scarce = [4, 8, 14, 32, 1450, 1455];
    error
        .raw_os_error()
        .is_some_and(|code| scarce.contains(&code))
}
