//! The one door to files: regular files are read, of bounded size or in a stream, and written so
//! that nobody sees a half of one.
//!
//! A folder may come from anybody. A pipe in the place of a table would never be opened, a device
//! never end, and a sparse file of gigabytes fit no memory. Knows no other module.

mod atomic;
mod disk;
mod records;

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

pub use atomic::{
    Fill, TEMPORARY, refuse_link, write_atomically, write_atomically_with, write_named,
};
pub use disk::{Disk, ReadFile, SystemDisk, WriteFile};
/// The path of what is there, from the root on and without links; on Windows as programs there take it, not in the
/// form `\\?\C:\folder`.
pub use dunce::canonicalize;
pub use records::Records;

/// Bytes of a file that is read whole, at most: thousands of times what a run writes.
pub const LARGEST: u64 = 64 << 20;
/// Bytes of a line or of a row of a table, at most.
pub const LONGEST_LINE: u64 = 16 << 20;

/// The name of a folder, also of one that is given as `.`.
pub fn folder_name(folder: &Path) -> String {
    let path = canonicalize(folder).ok();
    let name = path.as_deref().unwrap_or(folder).file_name();
    name.unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns whether Windows keeps a name, in small letters, for a device: no file or folder has it.
pub fn is_device(name: &str) -> bool {
    let numbered = ["com", "lpt"].iter().any(|device| {
        let number = name.strip_prefix(device).map(str::as_bytes);
        matches!(number, Some([b'1'..=b'9']))
    });
    numbered || ["aux", "con", "nul", "prn"].contains(&name)
}

/// Opens a regular file, or a link to one.
///
/// # Errors
/// If it is none, or cannot be opened.
pub fn open(path: &Path) -> io::Result<File> {
    check_regular(&std::fs::metadata(path)?)?;
    let file = open_at_once(path)?;
    // Another file may have taken its place.
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// Opens whatever is there, without waiting for the other end of a pipe.
///
/// # Errors
/// The system's.
fn open_at_once(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    options.read(true).open(path)
}

/// Opens a regular file to be locked, and makes it where there is none. A link is not followed.
///
/// # Errors
/// If it is a link or no regular file, or cannot be opened or made.
pub fn open_to_lock(path: &Path) -> io::Result<File> {
    refuse_link(path)?;
    if let Ok(there) = std::fs::metadata(path) {
        check_regular(&there)?;
    }
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true);
    options.truncate(false).open(path)
}

/// The bytes of a regular file.
///
/// # Errors
/// If it is none, cannot be read, or is larger than [`LARGEST`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    check_size(file.metadata()?.len())?;
    read_whole(file)
}

/// The bytes of what is open already, up to its end.
///
/// # Errors
/// If it cannot be read, or is larger than [`LARGEST`].
pub fn read_whole(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(LARGEST + 1).read_to_end(&mut bytes)?;
    check_size(bytes.len() as u64).map(|()| bytes)
}

fn check_size(bytes: u64) -> io::Result<()> {
    let most = LARGEST >> 20;
    match bytes {
        ..=LARGEST => Ok(()),
        _ => Err(io::Error::other(format!("it is larger than {most} MB"))),
    }
}

/// The text of a regular file.
///
/// # Errors
/// The errors of [`read`], or if it is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    text(read(path)?)
}

/// The text of a file that somebody named on a command line, read once and up to its end; `-` is standard input. Who
/// names a pipe here means what is written to it.
///
/// # Errors
/// If it cannot be read, is too large or is not UTF-8.
pub fn read_named(path: &str) -> io::Result<String> {
    let bytes = match path {
        "-" => read_whole(io::stdin())?,
        path => read_whole(File::open(path)?)?,
    };
    text(bytes)
}

/// The text that the bytes of a file are.
///
/// # Errors
/// If it is not UTF-8.
fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error().to_string()))
}

/// The BLAKE3 hash of a regular file in hex, whatever its size.
///
/// # Errors
/// If it is none, or cannot be read.
pub fn digest(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(open(path)?)?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// The BLAKE3 hash of a regular file in hex, if it could be read whole.
///
/// # Errors
/// As [`digest`], or if it is larger than [`LARGEST`]: a sparse file of terabytes would be hashed for hours.
pub fn small_digest(path: &Path) -> io::Result<String> {
    check_size(open(path)?.metadata()?.len())?;
    digest(path)
}

/// The BLAKE3 hash of a regular file of at most so many bytes in hex; `None` of a larger one, which is not read: a sparse
/// file of terabytes would be hashed for hours.
///
/// # Errors
/// As [`digest`].
pub fn digest_within(path: &Path, most: u64) -> io::Result<Option<String>> {
    let is_larger = open(path)?.metadata()?.len() > most;
    (!is_larger).then(|| digest(path)).transpose()
}

fn check_regular(metadata: &std::fs::Metadata) -> io::Result<()> {
    let message = match metadata {
        metadata if metadata.is_file() => return Ok(()),
        metadata if metadata.is_dir() => "this is a directory, not a file",
        _ => "not a regular file",
    };
    Err(io::Error::other(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The other end writes slowly, and only once.
    #[cfg(unix)]
    #[test]
    fn a_pipe_is_read_once_up_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let path = pipe.to_str().unwrap();
        let read = std::thread::scope(|scope| {
            let reader = crate::threads::spawn_scoped(scope, || read_named(path)).unwrap();
            let mut writer = File::create(&pipe).unwrap();
            for part in ["deal\n", "AC\n"] {
                std::thread::sleep(std::time::Duration::from_millis(20));
                io::Write::write_all(&mut writer, part.as_bytes()).unwrap();
            }
            drop(writer);
            reader.join().unwrap()
        });
        assert_eq!(read.unwrap(), "deal\nAC\n");
        let folder = folder.path().to_str().unwrap();
        assert!(read_named(folder).is_err());
        assert!(read_named("/dev/zero").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn pipes_devices_links_to_them_and_folders_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let [pipe, link] = ["pipe", "link"].map(|name| folder.path().join(name));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        for path in [&pipe, &link, folder.path()] {
            assert!(open(path).is_err(), "{}", path.display());
            assert!(digest(path).is_err());
        }
        assert!(open_at_once(&pipe).is_ok());
    }

    #[test]
    fn a_file_too_large_to_be_read_whole_is_refused_and_hashed_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sparse");
        File::create(&path).unwrap().set_len(LARGEST).unwrap();
        assert_eq!(read(&path).unwrap().len() as u64, LARGEST);
        File::create(&path).unwrap().set_len(LARGEST + 1).unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("64 MB"));
        assert_eq!(digest(&path).unwrap().len(), 64);
        assert!(
            small_digest(&path)
                .unwrap_err()
                .to_string()
                .contains("64 MB")
        );
    }
}
