//! The errors of a run folder.

use std::io;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, FailureKind};

/// An error: a run folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Another process holds it.
    #[error("{path}: another run is using this folder", path = .0.display())]
    Busy(PathBuf),
    /// The file system of the folder cannot lock files.
    #[error(
        "{path}: files cannot be locked there ({error}), and without a lock two runs could write one folder",
        path = .0.display(), error = .1
    )]
    NoLocks(PathBuf, #[source] io::Error),
    /// The folder holds files, and they are not a run's.
    #[error("{path}: the folder is not empty and is not a run folder", path = .0.display())]
    Foreign(PathBuf),
    /// The path is that of a file.
    #[error("{path}: not a folder", path = .0.display())]
    NotAFolder(PathBuf),
    /// The journal is sound but useless to the experiment.
    #[error("{path}: {reason}", path = .path.display())]
    Mismatch {
        /// The journal.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The system refused.
    #[error("{path}: {source}", path = .path.display())]
    Io {
        /// The file or folder that was accessed.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

impl FolderError {
    /// The journal at `path` is useless for this reason.
    pub(super) fn mismatch(path: &Path, reason: impl Into<String>) -> Self {
        FolderError::Mismatch {
            path: path.to_owned(),
            reason: reason.into(),
        }
    }
}

/// A result of the system, which says nothing of the file that was accessed.
pub(super) trait AtPath<T> {
    /// The result with the path of the file in its error.
    fn at(self, path: &Path) -> Result<T, FolderError>;
}

impl<T> AtPath<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T, FolderError> {
        self.map_err(|source| FolderError::Io {
            path: path.to_owned(),
            source,
        })
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        let (kind, help) = match &error {
            FolderError::Busy(..) => (
                FailureKind::Usage,
                "wait for it to end, or choose another folder with --out",
            ),
            FolderError::NoLocks(..) => (
                FailureKind::Failed,
                "choose a folder on another file system with --out; Lustre has locks where it is mounted with \
                 `flock`",
            ),
            FolderError::Foreign(_) | FolderError::NotAFolder(_) => (
                FailureKind::Usage,
                "choose another folder with --out, or empty this one yourself",
            ),
            FolderError::Mismatch { .. } => (
                FailureKind::Usage,
                "choose another folder with --out; nothing was changed in this one",
            ),
            FolderError::Io { .. } => (
                FailureKind::Failed,
                "check that the folder is writable and that the disk has room; everything stored earlier is safe",
            ),
        };
        Self {
            kind,
            ..Self::failed(error).with_help(help)
        }
    }
}
