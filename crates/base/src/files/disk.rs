//! The one seam to the file system: every write goes through it, so that tests can let
//! every operation fail in turn.

use std::fmt::Debug;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use super as files;

/// A file system.
pub trait Disk: Debug + Send + Sync {
    /// Opens a regular file for reading.
    ///
    /// # Errors
    /// The system's, here and below.
    fn open(&self, path: &Path) -> io::Result<Box<dyn ReadFile>>;

    /// Creates a file that must not exist yet, as the umask says.
    #[allow(clippy::missing_errors_doc)]
    fn create(&self, path: &Path) -> io::Result<Box<dyn WriteFile>>;

    /// Opens a file to append to it.
    #[allow(clippy::missing_errors_doc)]
    fn append(&self, path: &Path) -> io::Result<Box<dyn WriteFile>>;

    /// Cuts a file to `length` bytes.
    #[allow(clippy::missing_errors_doc)]
    fn truncate(&self, path: &Path, length: u64) -> io::Result<()>;

    /// Gives a file another name, replacing what had it.
    #[allow(clippy::missing_errors_doc)]
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    #[allow(clippy::missing_errors_doc)]
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Brings the names in a folder to disk, where the file system can.
    #[allow(clippy::missing_errors_doc)]
    fn sync_folder(&self, path: &Path) -> io::Result<()>;

    /// Takes the lock of a file, which ends with the process or with [`File::unlock`].
    #[allow(clippy::missing_errors_doc)]
    fn lock(&self, file: &File) -> Result<(), TryLockError>;
}

/// A file to be read.
pub trait ReadFile: Read + Seek + Send {}

impl<T: Read + Seek + Send> ReadFile for T {}

/// A file to be written.
pub trait WriteFile: Write + Debug + Send {
    /// Waits until everything written has reached the disk.
    ///
    /// # Errors
    /// The system's.
    fn sync(&self) -> io::Result<()>;
}

impl WriteFile for File {
    fn sync(&self) -> io::Result<()> {
        self.sync_data()
    }
}

/// The file system of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemDisk;

impl Disk for SystemDisk {
    fn open(&self, path: &Path) -> io::Result<Box<dyn ReadFile>> {
        Ok(Box::new(files::open(path)?))
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn WriteFile>> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        Ok(Box::new(file))
    }

    fn append(&self, path: &Path) -> io::Result<Box<dyn WriteFile>> {
        Ok(Box::new(OpenOptions::new().append(true).open(path)?))
    }

    /// On Windows a file that is open to be appended to cannot be cut.
    fn truncate(&self, path: &Path, length: u64) -> io::Result<()> {
        OpenOptions::new().write(true).open(path)?.set_len(length)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        use io::ErrorKind::{InvalidInput, Unsupported};
        // Windows opens no folder, and brings names to disk by itself.
        if cfg!(windows) {
            return Ok(());
        }
        match File::open(path)?.sync_all() {
            Err(error) if [InvalidInput, Unsupported].contains(&error.kind()) => Ok(()),
            synced => synced,
        }
    }

    fn lock(&self, file: &File) -> Result<(), TryLockError> {
        file.try_lock()
    }
}
