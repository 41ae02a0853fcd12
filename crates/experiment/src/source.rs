//! The source of an experiment, which says what is believed of it.

use std::fmt;
use std::path::{Path, PathBuf};

/// The source of an experiment. It is told by whoever reads the text: no name of a file decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file that was written to be run, or standard input, by its path.
    Written(PathBuf),
    /// A file in the folder of a run, which may be a stranger's.
    Stored {
        /// The file's path.
        path: PathBuf,
        /// The folders in which the programs of that run were.
        program_folders: Vec<PathBuf>,
    },
}

impl Source {
    /// The file's path, as errors show it.
    pub fn path(&self) -> &Path {
        match self {
            Source::Written(path) | Source::Stored { path, .. } => path,
        }
    }

    /// The folder of the run that it is stored in; `None` of one that was written.
    pub fn folder(&self) -> Option<&Path> {
        matches!(self, Source::Stored { .. }).then(|| folder_of(self.path()))
    }

    /// The folders that its programs may run in, the likeliest first.
    pub(crate) fn program_folders(&self) -> Vec<PathBuf> {
        let own = self.path().parent().unwrap_or(Path::new("")).to_owned();
        match self {
            Source::Written(_) => vec![own],
            Source::Stored {
                program_folders, ..
            } => [program_folders.as_slice(), &[own]].concat(),
        }
    }
}

/// The folder that a file is in.
pub fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

impl From<&str> for Source {
    fn from(path: &str) -> Self {
        Source::Written(path.into())
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path().display().fmt(f)
    }
}
