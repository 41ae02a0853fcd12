//! The failures of a run folder.

use std::fmt::Display;
use std::fs::TryLockError;
use std::io;
use std::path::Path;

use base::Failure;

/// Another process holds the folder, or its file system cannot lock files.
pub(super) fn not_locked(folder: &Path, error: TryLockError) -> Failure {
    let path = folder.display();
    match error {
        TryLockError::WouldBlock => {
            Failure::usage(format!("{path}: another run is using this folder"))
                .with_help("wait for it to end, or choose another folder with --out")
        }
        TryLockError::Error(error) => Failure::failed(format!(
            "{path}: files cannot be locked there ({error}), and without a lock two runs could write one folder"
        ))
        .with_help(
            "choose a folder on another file system with --out; Lustre has locks where it is mounted with `flock`",
        ),
    }
}

/// The path holds something else than a run.
pub(super) fn foreign(path: &Path, what: &str) -> Failure {
    Failure::usage(format!("{}: {what}", path.display()))
        .with_help("choose another folder with --out, or empty this one yourself")
}

/// The journal at `path` is sound but useless to the experiment.
pub(super) fn mismatch(path: &Path, reason: impl Display) -> Failure {
    Failure::usage(format!("{}: {reason}", path.display()))
        .with_help("choose another folder with --out; nothing was changed in this one")
}

/// A result of the system, which says nothing of the file that was accessed.
pub(super) trait AtPath<T> {
    /// The result with the path of the file in its error.
    fn at(self, path: &Path) -> Result<T, Failure>;
}

impl<T> AtPath<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T, Failure> {
        self.map_err(|error| {
            let help = match error.kind() {
                io::ErrorKind::InvalidData => "restore the file from a copy, or choose another folder with --out",
                _ => "check that the folder is writable and that the disk has room; everything stored earlier is safe",
            };
            Failure::failed(format!("{}: {error}", path.display())).with_help(help)
        })
    }
}
