//! The instances of a command's samples, which its programs are told as files.

use std::fmt;
use std::path::{Path, PathBuf};

use super::declaration::home;
use super::{Consent, DeclaredProgram, HashedFile};

/// The parameters of a cell with their values, as a program's arguments have them.
pub type Values = Vec<(String, String)>;

/// The instances of a command, one for each sample; those that a program makes may differ between cells.
pub trait Instances: fmt::Debug + Send + Sync {
    /// The number of instances; `None` where every sample has one.
    fn count(&self) -> Option<u64>;

    /// The name of a sample's instance in tables, in a cell of these values.
    ///
    /// # Errors
    /// A sentence: there is none.
    fn name(&self, sample: u64, values: &Values) -> Result<String, String>;

    /// The path of the file that holds a sample's instance, in a cell of these values.
    ///
    /// # Errors
    /// As [`Instances::name`].
    fn path(&self, sample: u64, values: &Values) -> Result<PathBuf, String>;

    /// Holds the instances of cells of these values against what is known of them.
    ///
    /// # Errors
    /// A sentence: one is another by now.
    fn check(&self, cells: &[Values]) -> Result<(), String>;

    /// The program that makes the instances; `None` where they are there.
    fn program(&self) -> Option<&DeclaredProgram> {
        None
    }

    /// Starts that program by this consent from now on.
    fn allow(&self, _: &Consent) {}
}

/// Instances that are files.
#[derive(Debug)]
pub struct InstanceFiles {
    /// The files by sample.
    pub files: Vec<HashedFile>,
    /// The folders that they may be in, the likeliest first.
    pub folders: Vec<PathBuf>,
}

impl InstanceFiles {
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
}

impl Instances for InstanceFiles {
    fn count(&self) -> Option<u64> {
        Some(self.files.len() as u64)
    }

    fn name(&self, sample: u64, _: &Values) -> Result<String, String> {
        self.of(sample).map(|file| file.path.clone())
    }

    /// The path is absolute, as programs may run in another folder.
    fn path(&self, sample: u64, _: &Values) -> Result<PathBuf, String> {
        let path = self.home().join(&self.of(sample)?.path);
        Ok(std::path::absolute(&path).unwrap_or(path))
    }

    fn check(&self, _: &[Values]) -> Result<(), String> {
        let home = self.home();
        self.files.iter().try_for_each(|file| file.check(home))
    }
}
