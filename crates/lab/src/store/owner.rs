//! The owner of a run folder: one process at a time writes it.
//!
//! The owner holds the lock of a file of its own in the folder, and the lock ends with the process,
//! however that ends. The file stands apart from all others because some systems let nobody else
//! read a locked file. The owner looks before every block it stores whether the file is still there,
//! so an owner whose folder was moved away writes no more.

use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use same_file::Handle;

use super::error::{AtPath, not_locked};
use base::Failure;
use base::files::{self, Disk};

/// The name of the file that is locked.
const NAME: &str = ".etude-lock.tmp";

/// The right to write a folder, given back when the value goes.
#[derive(Debug)]
pub(crate) struct Owner {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    lock: Handle,
}

impl Owner {
    /// Takes `folder`, which must be there.
    pub(crate) fn take(disk: Arc<dyn Disk>, folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(NAME);
        loop {
            let file = files::open_to_lock(&path).at(&path)?;
            lock_soon(&|| disk.lock(&file)).map_err(|error| not_locked(folder, error))?;
            let owner = Self {
                disk: Arc::clone(&disk),
                path: path.clone(),
                lock: Handle::from_file(file).at(&path)?,
            };
            // An earlier owner may have removed the file between its opening and its locking.
            if owner.is_in_place().at(&path)? {
                return Ok(owner);
            }
        }
    }

    /// Refuses a folder that somebody is writing, for someone who only reads it.
    pub(crate) fn check_free(folder: &Path) -> Result<(), Failure> {
        let Ok(file) = files::open(&folder.join(NAME)) else {
            return Ok(());
        };
        match lock_soon(&|| file.try_lock_shared()) {
            Err(held @ TryLockError::WouldBlock) => Err(not_locked(folder, held)),
            // Without locks nobody writes.
            _ => Ok(()),
        }
    }

    /// Refuses to go on if the folder is another's now, or no longer where it was.
    ///
    /// # Errors
    /// If so.
    pub(super) fn check(&self) -> io::Result<()> {
        if self.is_in_place()? {
            return Ok(());
        }
        let message = "the folder or the lock in it was moved or removed during the run";
        Err(io::Error::other(message))
    }

    /// Returns whether the locked file is the one that the folder has.
    fn is_in_place(&self) -> io::Result<bool> {
        match Handle::from_path(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            there => Ok(there? == self.lock),
        }
    }
}

impl Drop for Owner {
    /// The file is removed while it is locked, so that nobody locks it in between, and unlocked rather
    /// than just closed: a program that another thread is about to start may hold it open a moment
    /// longer.
    fn drop(&mut self) {
        if self.check().is_ok() {
            let _ = self.disk.remove(&self.path);
        }
        let _ = self.lock.as_file().unlock();
    }
}

/// Locks a file, after a moment if need be: a program that was just being started holds the lock
/// of an owner that was killed until it has closed its files.
fn lock_soon(lock: &dyn Fn() -> Result<(), TryLockError>) -> Result<(), TryLockError> {
    for _ in 0..10 {
        match lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(20)),
            locked => return locked,
        }
    }
    lock()
}

/// The machine's name, where the system says it.
pub(crate) fn host() -> Option<String> {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    Some(name.trim().to_owned())
}
