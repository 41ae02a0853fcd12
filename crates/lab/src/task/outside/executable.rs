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

impl Executable {
    /// Finds the program `argv`, which runs in `folder`: a name with a slash is a file there, any
    /// other is looked for on the `PATH`.
    ///
    /// # Errors
    /// A sentence that says where it was looked for.
    pub fn find(argv: &[String], folder: &Path) -> Result<Self, String> {
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        let (name, arguments) = argv.split_first().ok_or("the command is empty")?;
        Ok(Self {
            path: locate(name, folder)?,
            arguments: arguments.to_vec(),
            folder: folder.to_owned(),
        })
    }
}

fn locate(name: &str, folder: &Path) -> Result<PathBuf, String> {
    if name.contains('/') {
        let path = folder.join(name);
        let path = std::path::absolute(&path).unwrap_or(path);
        let tried = path.display().to_string();
        return Some(path)
            .filter(|path| is_executable(path))
            .ok_or_else(|| missing(name, &tried));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let file = std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|path| is_executable(path));
    file.ok_or_else(|| missing(name, &format!("the PATH, {}", path.to_string_lossy())))
}

fn missing(name: &str, tried: &str) -> String {
    format!("there is no program `{name}`: tried {tried}")
}

fn is_executable(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
