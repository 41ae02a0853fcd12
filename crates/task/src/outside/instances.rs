//! The instances of a command's samples, as an experiment file declares them.

use std::path::{Path, PathBuf};

use super::declaration::home;
use super::{Declaration, DeclaredProgram, HashedFile};

/// The parameters of a cell with their values, as a program's arguments have them.
pub type Values = Vec<(String, String)>;

/// The instances of a command, one for each sample.
#[derive(Clone, Debug, PartialEq)]
pub enum DeclaredInstances {
    /// Files.
    Files(InstanceFiles),
    /// The output of a program, which may differ between cells; it is started for each sample, with the seeds of the
    /// experiment.
    Made(Box<Declaration>),
}

impl DeclaredInstances {
    /// The files; `None` where a program makes the instances.
    pub fn files(&self) -> Option<&InstanceFiles> {
        match self {
            DeclaredInstances::Files(files) => Some(files),
            DeclaredInstances::Made(_) => None,
        }
    }

    /// The program that makes the instances; `None` where they are there.
    pub fn program(&self) -> Option<&DeclaredProgram> {
        match self {
            DeclaredInstances::Files(_) => None,
            DeclaredInstances::Made(made) => Some(&made.program),
        }
    }
}

/// Instances that are files.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceFiles {
    /// The files by sample.
    pub files: Vec<HashedFile>,
    /// The folders that they may be in, the likeliest first.
    pub folders: Vec<PathBuf>,
}

impl InstanceFiles {
    /// The number of files.
    pub fn count(&self) -> u64 {
        self.files.len() as u64
    }

    /// The first folder that holds an instance.
    fn home(&self) -> &Path {
        home(&self.folders, |folder| {
            self.files.iter().any(|file| file.is_in(folder))
        })
    }

    fn of(&self, sample: u64) -> Result<&HashedFile, String> {
        let file = usize::try_from(sample).ok();
        let file = file.and_then(|at| self.files.get(at));
        file.ok_or_else(|| format!("there are {} instances", self.files.len()))
    }

    /// The name of a sample's instance in tables.
    ///
    /// # Errors
    /// A sentence: there is none.
    pub fn name(&self, sample: u64) -> Result<&str, String> {
        self.of(sample).map(|file| &*file.path)
    }

    /// The path of the file that holds a sample's instance, which is absolute, as programs may run in another folder.
    ///
    /// # Errors
    /// As [`InstanceFiles::name`].
    pub fn path(&self, sample: u64) -> Result<PathBuf, String> {
        let path = self.home().join(&self.of(sample)?.path);
        Ok(std::path::absolute(&path).unwrap_or(path))
    }

    /// Holds the files against their hashes.
    ///
    /// # Errors
    /// A sentence: one is another by now.
    pub fn check(&self) -> Result<(), String> {
        let home = self.home();
        self.files.iter().try_for_each(|file| file.check(home))
    }
}
