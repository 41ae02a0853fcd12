//! The declaration of a program in an experiment file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use base::words::quote;

use super::consent::from_root;
use super::{DeclaredInstances, Executable};
use crate::{Metric, ParamSpec, Row};
use base::files;
use base::visible_line;

/// A simulation in another program, as `[command]` declares it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declaration {
    /// The program, and what determines its numbers.
    pub program: DeclaredProgram,
    /// True if it is started again for every sample, with its arguments filled in.
    pub once: bool,
    /// The standard input of one started for every sample, with places as in its arguments.
    pub stdin: String,
    /// The instances of samples, where the file names any.
    pub instances: Option<DeclaredInstances>,
    /// The names of the seeds of a sample, each independent of all others.
    pub streams: Vec<String>,
    /// Samples asked for in one line at most.
    pub batch: u64,
    /// The program's parameters.
    pub params: Vec<ParamSpec>,
    /// The time without a whole answer after which a sample, drawn alone, counts as unresolved; `None` if
    /// silence ends the run.
    pub timeout: Option<Duration>,
    /// The metrics of each sample, in the order of a row's values.
    pub columns: Vec<Metric>,
}

/// The budget of a move, written as in a file and to an engine: `nodes`, `nodes 500` or `depth 6`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
pub enum Go {
    /// No limit in a match; as many nodes as are named elsewhere.
    #[strum(to_string = "nodes")]
    Nodes,
    /// A fixed number of nodes.
    #[strum(to_string = "nodes {0}")]
    FixedNodes(u64),
    /// A fixed number of plies.
    #[strum(to_string = "depth {0}")]
    Depth(u64),
}

/// A player as `[players.NAME]` declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerDeclaration {
    /// The name that parameters give it.
    pub name: String,
    /// The program.
    pub program: DeclaredProgram,
    /// The budget of a move.
    pub go: Go,
    /// True if its faults lose the match; otherwise they end the run.
    pub loses: bool,
}

/// A program of an experiment file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeclaredProgram {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// The folders it may run in, the likeliest first.
    pub folders: Vec<PathBuf>,
    /// The files that determine its numbers.
    pub files: Vec<HashedFile>,
    /// The program's version, where the file gives one.
    pub version: Option<String>,
    /// The longest time that the program may take for an answer.
    pub patience: Duration,
}

/// A file that a program is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HashedFile {
    /// The file's path, relative to the program's folder.
    pub path: String,
    /// BLAKE3 of its bytes, in hex.
    pub hash: String,
}

impl Declaration {
    /// Makes a row that of a sample that took longer than it may: anywhere within the bounds.
    pub fn time_out(&self, row: &mut Row) {
        row.time_out(self.columns.iter().map(Metric::unknown));
    }

    /// Returns the longest time that the program may take to draw.
    pub fn silence(&self) -> Duration {
        self.timeout.unwrap_or(self.program.patience)
    }
}

/// The names of metrics, in order.
pub fn metric_names(metrics: &[Metric]) -> String {
    let names: Vec<&str> = metrics.iter().map(|metric| &*metric.name).collect();
    names.join(", ")
}

impl DeclaredProgram {
    /// The program as messages name it.
    pub fn title(&self) -> String {
        format!("`{}`", self.argv.join(" "))
    }

    /// The folder it runs in: the first that holds its files.
    pub fn home(&self) -> &Path {
        home(&self.folders, |folder| {
            self.files.iter().all(|file| file.is_in(folder))
        })
    }

    /// The folder it runs in, from the root on.
    pub fn place(&self) -> String {
        from_root(self.home())
    }

    /// The command line with the folder it runs in, as a person is asked about it.
    pub fn command_line(&self) -> String {
        let words = self.argv.iter().map(|word| visible_line(&quote(word)));
        let words: Vec<String> = words.collect();
        format!("`{}` in {}", words.join(" "), visible_line(&self.place()))
    }

    /// Finds the program and the folder it runs in, and holds its files against their hashes.
    ///
    /// # Errors
    /// A sentence: the program is not there, or a file is another one.
    pub fn locate(&self) -> Result<Executable, String> {
        let folder = self.home();
        for file in &self.files {
            file.check(folder)?;
        }
        Executable::find(&self.argv, folder)
    }
}

/// The first of these folders for which something holds; the first of all where it holds for none.
pub(super) fn home(folders: &[PathBuf], holds: impl Fn(&Path) -> bool) -> &Path {
    let folder = folders.iter().find(|folder| holds(folder));
    let folder = folder.or(folders.first());
    folder.map_or(Path::new(""), PathBuf::as_path)
}

impl HashedFile {
    /// Returns whether a folder has a file of this path.
    pub(super) fn is_in(&self, folder: &Path) -> bool {
        folder.join(&self.path).is_file()
    }

    /// A file of a folder, with its hash.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(folder: &Path, path: &str) -> std::io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            hash: files::digest(&folder.join(path))?,
        })
    }

    /// A file of a folder, with its hash; one that cannot be read has the hash `missing`.
    pub fn found(folder: &Path, path: &str) -> Self {
        Self::read(folder, path).unwrap_or_else(|_| Self {
            path: path.to_owned(),
            hash: "missing".to_owned(),
        })
    }

    /// Holds the file in a folder against its hash.
    ///
    /// # Errors
    /// A sentence: it cannot be read, or is another one.
    pub(crate) fn check(&self, folder: &Path) -> Result<(), String> {
        let full = folder.join(&self.path);
        let now = Self::read(folder, &self.path)
            .map_err(|error| format!("{}: {error}", full.display()))?;
        if now.hash == self.hash {
            return Ok(());
        }
        Err(format!(
            "{} has changed: its hash was {}, and is {}",
            full.display(),
            self.hash,
            now.hash
        ))
    }
}
