//! A record of the run folders with programs that this user made here.
//!
//! A folder from elsewhere names programs of its own, and to verify or resume it is to run them.
//! The programs that a run of this user's started are therefore noted in the user's own state
//! folder (XDG Base Directory Specification), which no folder can carry along: the folder's path
//! and the commands, so a folder that is moved, copied or changed is another one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use base::files::{self, SystemDisk, write_atomically};

/// Notes that this user ran programs with these identities in `folder`, beside those noted before. Where
/// nothing can be noted, the user is asked the next time.
pub(crate) fn note(folder: &Path, programs: &[String]) {
    let Some((path, head)) = record(folder).filter(|_| !programs.is_empty()) else {
        return;
    };
    let known = noted(&path, &head).into_iter();
    let all: BTreeSet<String> = known.chain(programs.iter().cloned()).collect();
    let text = head + &all.into_iter().map(|one| one + "\n").collect::<String>();
    let made = path.parent().map(std::fs::create_dir_all);
    if made.is_some_and(|made| made.is_ok()) {
        let _ = write_atomically(&SystemDisk, &path, text.as_bytes());
    }
}

/// The identities of the programs that this user ran in `folder` before; `None` where the user ran none.
pub(crate) fn programs(folder: &Path) -> Option<BTreeSet<String>> {
    let (path, head) = record(folder)?;
    Some(noted(&path, &head)).filter(|known| !known.is_empty())
}

/// The programs that a folder's record names, if this user wrote it for the folder that `head` names.
fn noted(path: &Path, head: &str) -> BTreeSet<String> {
    let text = files::read_text(path).ok().filter(|_| is_own(path));
    let text = text.unwrap_or_default();
    let programs = text.strip_prefix(head).unwrap_or_default();
    programs.lines().map(str::to_owned).collect()
}

/// The file of a folder's record and its first line; `None` without a state folder.
fn record(folder: &Path) -> Option<(PathBuf, String)> {
    let folder = files::canonicalize(folder).ok()?;
    let name = blake3::hash(folder.as_os_str().as_encoded_bytes()).to_hex();
    let path = state_folder()?.join("etude/made-here").join(name.as_str());
    Some((path, format!("{folder:?}\n")))
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
pub(crate) fn is_own(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let user = rustix::process::geteuid().as_raw();
        path.metadata()
            .is_ok_and(|file| file.is_file() && file.uid() == user)
    }
    #[cfg(not(unix))]
    path.is_file()
}
