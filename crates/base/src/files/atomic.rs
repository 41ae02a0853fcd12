//! Files that are replaced as a whole: either the old content or the new, never a mixture.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super as files;
use super::disk::{Disk, SystemDisk};

/// The beginning and the end of the names of temporary files.
pub const TEMPORARY: (&str, &str) = (".etude-", ".tmp");

/// Files that this process has begun.
static BEGUN: AtomicU64 = AtomicU64::new(0);

/// Refuses to write through a link, which whoever made a folder may have laid to any file.
///
/// # Errors
/// If `path` is a link.
pub fn refuse_link(path: &Path) -> io::Result<()> {
    let message = "it is a link, so writing to it could change any file";
    if path.is_symlink() {
        Err(io::Error::other(message))
    } else {
        Ok(())
    }
}

/// Writes `bytes` to a file that a person named: into pipes and devices as they are, and in place
/// of a regular file with its permissions kept. A link is not followed, but those of the system.
///
/// # Errors
/// If the file is a link, or cannot be written; it is then what it was.
pub fn write_named(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_of_the_system(path) {
        return write_into(path, bytes);
    }
    refuse_link(path)?;
    match std::fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => write_into(path, bytes),
        _ => write_atomically(&SystemDisk, path, bytes),
    }
}

fn write_into(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = std::fs::OpenOptions::new().write(true).open(path)?;
    file.write_all(bytes)
}

/// Names such as `/dev/stdout`, on Windows such as `NUL`, stand for what is open already.
fn is_of_the_system(path: &Path) -> bool {
    if cfg!(windows) {
        let name = path.to_string_lossy().to_ascii_lowercase();
        return files::is_device(&name);
    }
    ["/dev", "/proc"].iter().any(|root| path.starts_with(root))
}

/// Writes `bytes` to `path` through a temporary file in the same folder and a rename.
///
/// # Errors
/// If the file cannot be written; it is then what it was.
pub fn write_atomically(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_atomically_with(disk, path, |file| file.write_all(bytes))
}

/// A function that writes the contents of a file.
pub type Fill<'a> = dyn FnMut(&mut dyn Write) -> io::Result<()> + 'a;

/// Lets `fill` write the file piece by piece; it appears at `path` when all of it is on disk, and
/// its name with it. A file that was there keeps its permissions.
///
/// # Errors
/// If the file cannot be written; it is then what it was.
pub fn write_atomically_with(
    disk: &dyn Disk,
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let folder = beside(path);
    let temporary = temporary_in(folder);
    let mut file = BufWriter::new(disk.create(&temporary)?);
    let written = fill(&mut file)
        .and_then(|()| file.flush())
        .and_then(|()| file.get_ref().sync())
        .and_then(|()| keep_permissions(path, &temporary))
        .and_then(|()| disk.rename(&temporary, path));
    if written.is_err() {
        let _ = disk.remove(&temporary);
    }
    written?;
    disk.sync_folder(folder)
}

/// The folder of a file.
fn beside(path: &Path) -> &Path {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// A name in `folder` that no other process and no other thread uses.
pub(crate) fn temporary_in(folder: &Path) -> PathBuf {
    let (begin, end) = TEMPORARY;
    let (process, number) = (std::process::id(), BEGUN.fetch_add(1, Ordering::Relaxed));
    let moment = std::time::UNIX_EPOCH
        .elapsed()
        .unwrap_or_default()
        .as_nanos();
    folder.join(format!("{begin}{process}-{number}-{moment:x}{end}"))
}

fn keep_permissions(old: &Path, new: &Path) -> io::Result<()> {
    match std::fs::symlink_metadata(old) {
        Ok(metadata) if metadata.is_file() => std::fs::set_permissions(new, metadata.permissions()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_write_replaces_the_first_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("summary.csv");
        write_atomically(&SystemDisk, &path, b"old").unwrap();
        write_atomically(&SystemDisk, &path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed_and_permissions_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [target, link, dangling] =
            ["target", "link", "dangling"].map(|n| folder.path().join(n));
        std::fs::write(&target, "old").unwrap();
        std::fs::set_permissions(&target, PermissionsExt::from_mode(0o600)).unwrap();
        symlink("target", &link).unwrap();
        symlink("elsewhere", &dangling).unwrap();
        for path in [&link, &dangling] {
            let refused = write_named(path, b"new").unwrap_err();
            assert!(refused.to_string().contains("it is a link"), "{refused}");
        }
        assert_eq!(std::fs::read(&target).unwrap(), b"old");
        assert!(!folder.path().join("elsewhere").exists());
        write_named(&target, b"new").unwrap();
        let mode = std::fs::metadata(&target).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(std::fs::read(&target).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if made.is_ok_and(|status| status.success()) {
            let reader = crate::threads::spawn("reader", {
                let pipe = pipe.clone();
                move || std::fs::read(pipe).unwrap()
            })
            .unwrap();
            write_named(&pipe, b"page").unwrap();
            assert_eq!(reader.join().unwrap(), b"page");
            assert!(!std::fs::metadata(&pipe).unwrap().is_file());
        }
        write_named(Path::new("/dev/null"), b"page").unwrap();
        assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    }
}
