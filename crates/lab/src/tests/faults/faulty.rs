//! A disk on which one operation fails, or all from one on, or nothing can be locked.

use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base::files::{Disk, ReadFile, SystemDisk, WriteFile};

/// The operations that fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failing {
    /// None.
    Never,
    /// The one with this number.
    Once(u64),
    /// The operation of that number and all after it.
    From(u64),
}

/// A disk that fails.
#[derive(Clone, Debug)]
pub(super) struct FaultyDisk {
    failing: Failing,
    locks: bool,
    done: Arc<AtomicU64>,
}

impl FaultyDisk {
    pub(super) fn new(failing: Failing) -> Self {
        Self {
            failing,
            locks: true,
            done: Arc::default(),
        }
    }

    /// A disk like some of Lustre's: everything works but locks.
    pub(super) fn without_locks() -> Self {
        Self {
            locks: false,
            ..Self::new(Failing::Never)
        }
    }

    /// Operations so far.
    pub(super) fn operations(&self) -> u64 {
        self.done.load(Ordering::SeqCst)
    }

    fn pass(&self) -> io::Result<()> {
        let number = self.done.fetch_add(1, Ordering::SeqCst);
        let fails = match self.failing {
            Failing::Never => false,
            Failing::Once(which) => number == which,
            Failing::From(first) => number >= first,
        };
        if fails {
            Err(io::Error::other(format!("injected fault {number}")))
        } else {
            Ok(())
        }
    }

    fn target(&self, file: Box<dyn WriteFile>) -> Box<dyn WriteFile> {
        let disk = self.clone();
        Box::new(FaultyFile { file, disk })
    }
}

impl Disk for FaultyDisk {
    fn open(&self, path: &Path) -> io::Result<Box<dyn ReadFile>> {
        self.pass()?;
        SystemDisk.open(path)
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn WriteFile>> {
        self.pass()?;
        Ok(self.target(SystemDisk.create(path)?))
    }

    fn append(&self, path: &Path) -> io::Result<Box<dyn WriteFile>> {
        self.pass()?;
        Ok(self.target(SystemDisk.append(path)?))
    }

    fn truncate(&self, path: &Path, length: u64) -> io::Result<()> {
        self.pass()?;
        SystemDisk.truncate(path, length)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.pass()?;
        SystemDisk.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.pass()?;
        SystemDisk.remove(path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.pass()?;
        SystemDisk.sync_folder(path)
    }

    fn lock(&self, file: &File) -> Result<(), TryLockError> {
        if self.locks {
            SystemDisk.lock(file)
        } else {
            Err(TryLockError::Error(io::ErrorKind::Unsupported.into()))
        }
    }
}

/// A file whose writes may be cut short and whose syncs may fail.
#[derive(Debug)]
struct FaultyFile {
    file: Box<dyn WriteFile>,
    disk: FaultyDisk,
}

impl Write for FaultyFile {
    /// A write that fails has written the first half.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(error) = self.disk.pass() {
            self.file.write_all(&bytes[..bytes.len() / 2])?;
            return Err(error);
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl WriteFile for FaultyFile {
    fn sync(&self) -> io::Result<()> {
        self.disk.pass()?;
        self.file.sync()
    }
}
