//! A record of the run folders with programs that this user made here.
//!
//! A folder from elsewhere names programs of its own, and to verify or resume it is to run them.
//! The programs that a run of this user's started are therefore noted in the user's own state
//! folder (XDG Base Directory Specification), which no folder can carry along: the folder's path
//! and the commands, so a folder that is moved, copied or changed is another one.

use std::path::{Path, PathBuf};

use crate::files;
use crate::files::{SystemDisk, write_atomically};

/// Notes that this user ran programs with these identities in `folder`. Where nothing can be noted,
/// the user is asked the next time.
pub fn note(folder: &Path, programs: &[String]) {
    let Some((path, text)) = record(folder, programs) else {
        return;
    };
    let made = path.parent().map(std::fs::create_dir_all);
    if made.is_some_and(|made| made.is_ok()) {
        let _ = write_atomically(&SystemDisk, &path, text.as_bytes());
    }
}

/// Returns whether this user ran programs with these identities in `folder` before.
pub fn is_noted(folder: &Path, programs: &[String]) -> bool {
    let noted = |(path, text): (PathBuf, String)| {
        is_own(&path) && files::read_text(&path).is_ok_and(|stored| stored == text)
    };
    record(folder, programs).is_some_and(noted)
}

/// The file of a folder's record and what it holds; `None` without programs or a state folder.
fn record(folder: &Path, programs: &[String]) -> Option<(PathBuf, String)> {
    let folder = folder.canonicalize().ok()?;
    let name = blake3::hash(folder.as_os_str().as_encoded_bytes()).to_hex();
    if programs.is_empty() {
        return None;
    }
    let text = format!("{folder:?}\n{}\n", programs.join("\n"));
    Some((
        state_folder()?.join("etude/made-here").join(name.as_str()),
        text,
    ))
}

/// Returns the user's state folder, in which programs keep records of their use.
fn state_folder() -> Option<PathBuf> {
    let named = |variable: &str| std::env::var_os(variable).map(PathBuf::from);
    let home = || named("HOME").map(|home| home.join(".local/state"));
    let state = named("XDG_STATE_HOME").filter(|path| path.is_absolute());
    let state = state.or_else(home).or_else(|| named("LOCALAPPDATA"));
    state.filter(|path| path.is_absolute())
}

/// Returns whether a file is this user's: the home may be another's.
fn is_own(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let user = rustix::process::geteuid().as_raw();
        path.metadata().is_ok_and(|metadata| metadata.uid() == user)
    }
    #[cfg(not(unix))]
    path.is_file()
}
