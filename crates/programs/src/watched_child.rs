//! A child process whose end is asked of the system once, and kept.

use std::io;
use std::process::{Child, Command};
use std::time::Instant;

use wait4::{ResUse, Wait4};

use super::process::{GLANCE, GRACE};

/// A child process, and how it ended once that is known.
#[derive(Debug)]
pub(super) struct WatchedChild {
    pub(crate) child: Child,
    ended: Option<ResUse>,
}

impl WatchedChild {
    /// Starts a command.
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        let child = command.spawn()?;
        Ok(Self { child, ended: None })
    }

    /// Returns how it ended, asking the system unless somebody did before.
    pub(crate) fn ended(&mut self) -> Option<ResUse> {
        if self.ended.is_none() {
            self.ended = self.child.try_wait4().ok().flatten();
        }
        self.ended
    }

    /// Returns how it ended, if that is known already.
    pub(crate) fn known_end(&self) -> Option<ResUse> {
        self.ended
    }

    /// Kills it and waits for its end. One that was waited for is not there any more.
    pub(crate) fn kill(&mut self) {
        if self.ended.is_some() {
            return;
        }
        let _ = self.child.kill();
        let killed = Instant::now();
        while self.ended().is_none() && killed.elapsed() < GRACE {
            std::thread::sleep(GLANCE);
        }
    }
}
