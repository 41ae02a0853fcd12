//! A run's folder: opened by one run at a time, never shared by two experiments.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::atomic::write_atomically;
use super::journal::{Journal, JournalError, Mismatch, Schema};
use crate::harness::{Laboratory, Plan};

/// A run folder, locked for as long as the value lives.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    state: FolderState,
    // The lock is on the folder itself where that is possible: it leaves no file behind, and it
    // ends with the process.
    _lock: File,
}

/// What a folder held when it was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FolderState {
    /// Nothing.
    Empty,
    /// A run of the experiment with this resolved configuration.
    Run {
        /// The text of its `config.toml`.
        config: String,
    },
}

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Another process holds it.
    #[error("{path}: another run is using this folder", path = .0.display())]
    Busy(PathBuf),
    /// It holds files, and they are not a run's.
    #[error("{path}: the folder is not empty and holds no run", path = .0.display())]
    Foreign(PathBuf),
    /// It is a file.
    #[error("{path}: not a folder", path = .0.display())]
    NotAFolder(PathBuf),
    /// Its journal is sound and of no use to the experiment.
    #[error("{path}: {source}", path = .path.display())]
    Mismatch {
        /// The journal.
        path: PathBuf,
        /// Why not.
        source: Mismatch,
    },
    /// The system refused.
    #[error("{path}: {source}", path = .path.display())]
    Io {
        /// What was accessed.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

impl RunFolder {
    /// Opens `path` for a run, creating it where it does not exist.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        let refuse = |source| FolderError::Io {
            path: path.to_owned(),
            source,
        };
        if path.exists() && !path.is_dir() {
            return Err(FolderError::NotAFolder(path.to_owned()));
        }
        std::fs::create_dir_all(path).map_err(refuse)?;
        let lock = match take_lock(path) {
            Ok(lock) => lock,
            Err(TryLockError::WouldBlock) => return Err(FolderError::Busy(path.to_owned())),
            Err(TryLockError::Error(source)) => return Err(refuse(source)),
        };
        Ok(Self {
            state: look_inside(path)?,
            path: path.to_owned(),
            _lock: lock,
        })
    }

    /// Where the folder is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it held when it was opened.
    pub fn state(&self) -> &FolderState {
        &self.state
    }

    /// The path of one of its files.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes one of its files whole.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        let path = self.file(name);
        write_atomically(&path, bytes).map_err(|source| FolderError::Io { path, source })
    }

    /// Its journal, as far as it holds rows of `schema`'s experiment.
    ///
    /// # Errors
    /// If it cannot be read, or holds samples of something else.
    pub fn journal(
        &self,
        laboratory: &Laboratory,
        plan: &Plan,
        schema: &Schema,
    ) -> Result<Journal, FolderError> {
        let path = self.file("blocks.csv");
        Journal::read(&path, laboratory, plan, schema).map_err(|error| match error {
            JournalError::Io(source) => FolderError::Io { path, source },
            JournalError::Mismatch(source) => FolderError::Mismatch { path, source },
        })
    }

    /// Removes one of its files, if it is there.
    pub fn remove(&self, name: &str) -> Result<(), FolderError> {
        let path = self.file(name);
        match std::fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(FolderError::Io { path, source })
            }
            _ => Ok(()),
        }
    }
}

/// Locks a folder. Where the file system locks no folders (NFS) a file in it is locked, and where
/// it locks nothing (some of Lustre) the folder is used without.
fn take_lock(path: &Path) -> Result<File, TryLockError> {
    let folder = File::open(path).map_err(TryLockError::Error)?;
    match folder.try_lock() {
        Ok(()) => Ok(folder),
        Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
        Err(TryLockError::Error(_)) => match lock_file_in(path) {
            Err(TryLockError::Error(_)) => Ok(folder),
            locked => locked,
        },
    }
}

/// Locks a file that counts as no content of the folder.
fn lock_file_in(path: &Path) -> Result<File, TryLockError> {
    let mut options = File::options();
    options.create(true).write(true).truncate(false);
    let file = options
        .open(path.join(".etude-lock.tmp"))
        .map_err(TryLockError::Error)?;
    file.try_lock().map(|()| file)
}

fn look_inside(path: &Path) -> Result<FolderState, FolderError> {
    let config = path.join("config.toml");
    match std::fs::read_to_string(&config) {
        Ok(config) => Ok(FolderState::Run { config }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if is_empty(path)? {
                Ok(FolderState::Empty)
            } else {
                Err(FolderError::Foreign(path.to_owned()))
            }
        }
        Err(source) => Err(FolderError::Io {
            path: config,
            source,
        }),
    }
}

/// Whether a folder holds nothing but leftovers of interrupted atomic writes.
fn is_empty(path: &Path) -> Result<bool, FolderError> {
    let refuse = |source| FolderError::Io {
        path: path.to_owned(),
        source,
    };
    for entry in std::fs::read_dir(path).map_err(refuse)? {
        let name = entry.map_err(refuse)?.file_name();
        let name = name.to_string_lossy();
        if !(name.starts_with(".etude-") && name.ends_with(".tmp")) {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_serves_one_run_at_a_time() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a/b");
        let first = RunFolder::open(&path).unwrap();
        assert!(matches!(RunFolder::open(&path), Err(FolderError::Busy(_))));
        drop(first);
        assert_eq!(RunFolder::open(&path).unwrap().state(), &FolderState::Empty);
    }

    #[test]
    fn a_locked_file_serves_where_folders_cannot_be_locked() {
        let root = tempfile::tempdir().unwrap();
        let first = lock_file_in(root.path()).unwrap();
        let second = lock_file_in(root.path());
        assert!(matches!(second, Err(TryLockError::WouldBlock)));
        drop(first);
        assert!(lock_file_in(root.path()).is_ok());
        assert!(is_empty(root.path()).unwrap());
    }

    #[test]
    fn folders_of_others_are_left_alone() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("thesis.tex"), "x").unwrap();
        assert!(matches!(
            RunFolder::open(root.path()),
            Err(FolderError::Foreign(_))
        ));
        let file = root.path().join("thesis.tex");
        assert!(matches!(
            RunFolder::open(&file),
            Err(FolderError::NotAFolder(_))
        ));
    }

    #[test]
    fn a_run_is_recognised_by_its_configuration() {
        let root = tempfile::tempdir().unwrap();
        let folder = RunFolder::open(root.path()).unwrap();
        folder.write("config.toml", b"seed = 1\n").unwrap();
        drop(folder);
        let again = RunFolder::open(root.path()).unwrap();
        let config = "seed = 1\n".to_owned();
        assert_eq!(again.state(), &FolderState::Run { config });
    }
}
