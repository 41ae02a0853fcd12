//! A program to be started: its location and the folder that it runs in.

use std::path::{Path, PathBuf};

/// A program that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executable {
    /// The executable file.
    pub path: PathBuf,
    /// The folder it runs in.
    pub folder: PathBuf,
}

impl Executable {
    /// Finds the program `argv`, which runs in `folder`: a name with a slash is a file there, any
    /// other is looked for on the `PATH`. On Windows a backslash is a slash, and the endings of
    /// `PATHEXT` may be left out.
    ///
    /// # Errors
    /// A sentence that says where it was looked for.
    pub fn find(argv: &[String], folder: &Path) -> Result<Self, String> {
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        let name = argv.first().ok_or("the command is empty")?;
        Ok(Self {
            path: locate(name, folder)?,
            folder: folder.to_owned(),
        })
    }
}

fn locate(name: &str, folder: &Path) -> Result<PathBuf, String> {
    if name.contains(std::path::is_separator) {
        let path = folder.join(name);
        let path = std::path::absolute(&path).unwrap_or(path);
        let (tried, is_there) = (path.display().to_string(), path.is_file());
        return executable(path).ok_or_else(|| {
            if cfg!(unix) && is_there {
                format!("`{name}` may not be executed: to allow that, chmod +x {tried}")
            } else {
                missing(name, &tried)
            }
        });
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let file = std::env::split_paths(&path).find_map(|folder| executable(folder.join(name)));
    file.ok_or_else(|| missing(name, &format!("the PATH, {}", path.to_string_lossy())))
}

fn missing(name: &str, tried: &str) -> String {
    format!("there is no program `{name}`: tried {tried}")
}

/// The path, if there is a file that can be started.
#[cfg(unix)]
fn executable(path: PathBuf) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let data = path.metadata().ok()?;
    (data.is_file() && data.permissions().mode() & 0o111 != 0).then_some(path)
}

/// The path, as it is or with an ending of `PATHEXT`, if there is a file that can be started.
#[cfg(not(unix))]
fn executable(path: PathBuf) -> Option<PathBuf> {
    let known = std::env::var("PATHEXT").unwrap_or_else(|_| ".EXE;.BAT;.CMD".to_owned());
    let endings = known
        .split(';')
        .map(|ending| ending.trim_start_matches('.'));
    let ended = endings.clone().map(|ending| {
        let mut name = path.clone().into_os_string();
        name.push(".");
        name.push(ending.to_ascii_lowercase());
        PathBuf::from(name)
    });
    let own = path.extension().is_some_and(|own| {
        endings
            .clone()
            .any(|ending| own.eq_ignore_ascii_case(ending))
    });
    let whole = own.then(|| path.clone());
    whole.into_iter().chain(ended).find(|path| path.is_file())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_may_not_be_executed_is_told_from_one_that_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("kurt.sh"), "#!/bin/sh\n").unwrap();
        let told = |name: &str| Executable::find(&[name.to_owned()], folder.path()).unwrap_err();
        assert!(
            told("./kurt.sh")
                .starts_with("`./kurt.sh` may not be executed: to allow that, chmod +x /")
        );
        assert!(told("./nora.sh").starts_with("there is no program `./nora.sh`"));
    }
}
