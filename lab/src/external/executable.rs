//! A program to be started: its location, arguments and folder, and the files that determine its
//! numbers.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A program that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executable {
    /// The executable file.
    pub path: PathBuf,
    /// The words after the program's name.
    pub arguments: Vec<String>,
    /// The folder it runs in.
    pub folder: PathBuf,
}

/// A program that is nowhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no program `{name}`: tried {tried}")]
pub struct Missing {
    /// Its name as given.
    pub name: String,
    /// The path that was tried, or the `PATH`.
    pub tried: String,
}

impl Executable {
    /// Finds the program `argv`, which runs in `folder`: a name with a slash is a file there, any
    /// other is looked for on the `PATH`.
    ///
    /// # Errors
    /// Where there is no such executable file.
    pub fn find(argv: &[String], folder: &Path) -> Result<Self, Missing> {
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        let (name, arguments) = argv.split_first().ok_or_else(|| Missing {
            name: String::new(),
            tried: "nothing".to_owned(),
        })?;
        Ok(Self {
            path: locate(name, folder)?,
            arguments: arguments.to_vec(),
            folder: folder.to_owned(),
        })
    }
}

fn locate(name: &str, folder: &Path) -> Result<PathBuf, Missing> {
    if name.contains('/') {
        let path = folder.join(name);
        let absolute = std::path::absolute(&path).unwrap_or(path);
        return if is_executable(&absolute) {
            Ok(absolute)
        } else {
            Err(Missing {
                name: name.to_owned(),
                tried: absolute.display().to_string(),
            })
        };
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|path| is_executable(path));
    found.ok_or_else(|| Missing {
        name: name.to_owned(),
        tried: format!("the PATH, {}", path.to_string_lossy()),
    })
}

fn is_executable(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
