//! A run's folder: opened by one run at a time, never shared by two experiments.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::{AtPath, foreign};
use super::journal::{Journal, JournalSchema};
use super::owner::Owner;
use base::Failure;
use base::files::{self, Disk, Fill, SystemDisk, TEMPORARY, write_atomically_with};

/// A run folder, owned for as long as the value lives.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    config: Option<String>,
    disk: Arc<dyn Disk>,
    owner: Owner,
    /// Dropped after the owner, whose file is then gone.
    _made: MadeFolder,
}

/// A folder that was made for a run, if it was not there; it goes again where the run wrote nothing.
#[derive(Debug)]
struct MadeFolder(Option<PathBuf>);

impl Drop for MadeFolder {
    fn drop(&mut self) {
        // A folder with files in it stays.
        let _ = self.0.take().map(std::fs::remove_dir);
    }
}

impl RunFolder {
    /// Opens `path` for a run, creating it where it does not exist.
    ///
    /// # Errors
    /// If another run has it, it holds files that are not a run's, or the system refuses.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        Self::open_on(Arc::new(SystemDisk), path)
    }

    /// Opens the folder on any disk.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open).
    pub(crate) fn open_on(disk: Arc<dyn Disk>, path: &Path) -> Result<Self, Failure> {
        if path.exists() && !path.is_dir() {
            return Err(foreign(path, "not a folder"));
        }
        let made = MadeFolder((!path.exists()).then(|| path.to_owned()));
        std::fs::create_dir_all(path).at(path)?;
        let config = look_inside(path)?;
        let owner = Owner::take(Arc::clone(&disk), path)?;
        remove_leftovers(path);
        Ok(Self {
            // Seen by its owner: another may have written meanwhile.
            config: look_inside(path).unwrap_or(config),
            path: path.to_owned(),
            disk,
            owner,
            _made: made,
        })
    }

    /// Refuses if a run is writing the folder at `path`, for someone who only reads it.
    ///
    /// # Errors
    /// If one is, or the system refuses.
    pub(crate) fn check_free(path: &Path) -> Result<(), Failure> {
        Owner::check_free(path)
    }

    /// Refuses to go on if the folder is another's now, or no longer where it was.
    ///
    /// # Errors
    /// If so.
    pub(crate) fn check_owned(&self) -> io::Result<()> {
        self.owner.check()
    }

    /// The disk that the folder is on.
    pub(super) fn disk(&self) -> &Arc<dyn Disk> {
        &self.disk
    }

    /// Returns the path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The text of the run's `config.toml` when the folder was opened; `None` if it was empty.
    pub(crate) fn config(&self) -> Option<&str> {
        self.config.as_deref()
    }

    /// The path of one of its files.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes one of its files whole.
    ///
    /// # Errors
    /// If it cannot be written; what was there before is kept.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        self.write_with(name, &mut |file| file.write_all(bytes))
    }

    /// Lets `fill` write one of its files.
    ///
    /// # Errors
    /// If it cannot be written, or the folder is another process's by now.
    pub(crate) fn write_with(&self, name: &str, fill: &mut Fill<'_>) -> Result<(), Failure> {
        let path = self.file(name);
        let owned = self.check_owned();
        let parent = path.parent().unwrap_or(&self.path);
        // The folder itself may be named by a link; what is in it is its own.
        let is_own = || {
            if parent == self.path {
                Ok(())
            } else {
                files::refuse_link(parent)
            }
        };
        owned
            .and_then(|()| is_own())
            .and_then(|()| std::fs::create_dir_all(parent))
            .and_then(|()| write_atomically_with(self.disk.as_ref(), &path, fill))
            .at(&path)
    }

    /// Reads the journal of the folder, as far as it holds rows of `schema`'s experiment.
    ///
    /// # Errors
    /// If it cannot be read, or holds samples of something else.
    pub(crate) fn journal(&self, schema: &Arc<JournalSchema>) -> Result<Journal, Failure> {
        Journal::read_on(&self.disk, &self.file("blocks.csv"), schema)
    }

    /// Removes one of its files, if it is there.
    ///
    /// # Errors
    /// If it is there and cannot be removed.
    pub(crate) fn remove(&self, name: &str) -> Result<(), Failure> {
        let path = self.file(name);
        match self.disk.remove(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.at(&path),
        }
    }
}

/// Removes what interrupted writes left over; only the owner of the folder writes to it.
fn remove_leftovers(path: &Path) {
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_digit = |c: char| c.is_ascii_digit();
        let is_numbered = name[TEMPORARY.0.len().min(name.len())..].starts_with(is_digit);
        if is_temporary(&name) && is_numbered {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn is_temporary(name: &str) -> bool {
    name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1)
}

/// The text of the `config.toml` in a folder; `None` of an empty folder.
fn look_inside(path: &Path) -> Result<Option<String>, Failure> {
    let config = path.join("config.toml");
    match files::read_text(&config) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if is_empty(path)? {
                Ok(None)
            } else {
                let what = "the folder is not empty and is not a run folder";
                Err(foreign(path, what))
            }
        }
        read => read.map(Some).at(&config),
    }
}

/// The folder of a program that travels with its run, put there before the run begins.
const PROGRAM: &str = "program";

/// Returns whether a folder holds nothing but leftovers of interrupted atomic writes, and a program.
fn is_empty(path: &Path) -> Result<bool, Failure> {
    for entry in std::fs::read_dir(path).at(path)? {
        let name = entry.at(path)?.file_name();
        let name = name.to_string_lossy();
        if !is_temporary(&name) && name != PROGRAM {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_travels_with_its_run_is_there_before_it() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path();
        std::fs::create_dir(path.join(PROGRAM)).unwrap();
        assert_eq!(RunFolder::open(path).unwrap().config(), None);
        std::fs::write(path.join("notes.txt"), "mine").unwrap();
        let refused = RunFolder::open(path).unwrap_err();
        assert!(refused.message.contains("not empty"), "{refused}");
    }

    #[test]
    fn a_folder_serves_one_run_at_a_time() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a/b");
        let first = RunFolder::open(&path).unwrap();
        let refused = RunFolder::open(&path).unwrap_err();
        assert!(refused.message.contains("another run"), "{refused}");
        drop(first);
        assert_eq!(RunFolder::open(&path).unwrap().config(), None);
    }

    #[test]
    fn leftovers_are_removed_and_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        let left = root.path().join(".etude-12-3-4f.tmp");
        std::fs::write(&left, "half a table").unwrap();
        let folder = RunFolder::open(root.path()).unwrap();
        assert!(!left.exists());
        folder.write("config.toml", b"seed = 1\n").unwrap();
        drop(folder);
        let names = std::fs::read_dir(root.path()).unwrap();
        let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["config.toml"]);
    }

    #[test]
    fn folders_of_others_are_left_alone() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("thesis.tex"), "x").unwrap();
        let refused = |path: &Path| RunFolder::open(path).unwrap_err().to_string();
        let told = refused(root.path());
        assert!(told.ends_with("is not a run folder"), "{told}");
        let told = refused(&root.path().join("thesis.tex"));
        assert!(told.ends_with("not a folder"), "{told}");
    }

    #[test]
    fn a_run_is_recognised_by_its_configuration() {
        let root = tempfile::tempdir().unwrap();
        let folder = RunFolder::open(root.path()).unwrap();
        folder.write("config.toml", b"seed = 1\n").unwrap();
        drop(folder);
        let again = RunFolder::open(root.path()).unwrap();
        let config = "seed = 1\n".to_owned();
        assert_eq!(again.config(), Some(config.as_str()));
    }
}
