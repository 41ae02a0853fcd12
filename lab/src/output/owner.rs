//! The owner of a run folder: one process at a time writes it, on any file system.
//!
//! A lock ends with its process, so it is taken first. Some file systems have no locks (Lustre
//! without `flock`), and some keep them to one machine. The owner therefore also creates a file
//! that only one process can create, and changes it as long as it lives. A file that changes has a
//! living owner; one that does not is left over. The owner checks its file before every block it
//! stores, so an owner that was stopped and overtaken, or whose folder was moved away, writes no
//! more.

use std::fs::{File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::atomic::{temporary_in, write_atomically};
use super::disk::Disk;
use crate::files;

/// The owner's file.
const NAME: &str = ".etude-owner.tmp";
/// The file that is locked where a folder cannot be.
const LOCK: &str = ".etude-lock.tmp";

/// The time between two heartbeats of an owner, and the time that another waits for one.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// The time between two signs of life.
    pub beat: Duration,
    /// The time without one after which an owner is given up.
    pub patience: Duration,
}

impl Pace {
    /// Slow enough for any disk, fast enough for a person who waits.
    pub const USUAL: Pace = Pace {
        beat: Duration::from_secs(2),
        patience: Duration::from_secs(10),
    };
}

/// An error: a folder cannot be owned.
#[derive(Debug)]
pub enum Refusal {
    /// Another process has it: ` (host ..., process ...)`, or nothing where that is not known.
    Busy(String),
    /// The system refused.
    Io(io::Error),
}

/// The right to write a folder, given back when the value goes.
#[derive(Debug)]
pub struct Owner {
    disk: Arc<dyn Disk>,
    folder: PathBuf,
    /// The text that the owner's file begins with; `None` on a disk that nobody can write.
    token: Option<String>,
    beat: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
    _lock: Option<HeldLock>,
}

/// A locked file. It is unlocked rather than just closed, for a program that another thread is about
/// to start may hold the file open a moment longer.
#[derive(Debug)]
struct HeldLock(File);

impl Drop for HeldLock {
    fn drop(&mut self) {
        // A lock that cannot be given back ends with the file.
        let _ = self.0.unlock();
    }
}

/// The result of an attempt to lock a folder.
enum Lock {
    Taken(HeldLock),
    Impossible,
}

impl Owner {
    /// Takes `folder`, which must be there.
    pub fn take(disk: Arc<dyn Disk>, folder: &Path, pace: Pace) -> Result<Self, Refusal> {
        let lock = take_lock(disk.as_ref(), folder)?;
        let token = token();
        let mut owner = Self {
            folder: folder.to_owned(),
            token: None,
            beat: None,
            _lock: None,
            disk,
        };
        if owner.claim(&token, &lock, pace)? {
            owner.token = Some(token.clone());
            owner.beat = Some(owner.start_beating(token, pace).map_err(Refusal::Io)?);
        }
        if let Lock::Taken(file) = lock {
            owner._lock = Some(file);
        }
        Ok(owner)
    }

    /// Returns whether nobody is writing `folder`, for someone who only reads it.
    pub fn check_free(disk: &dyn Disk, folder: &Path, pace: Pace) -> Result<(), Refusal> {
        match take_lock(disk, folder)? {
            Lock::Taken(_) => Ok(()),
            Lock::Impossible => match read(disk, &folder.join(NAME)) {
                Ok(found) => outwait(disk, &folder.join(NAME), found, pace),
                Err(_) => Ok(()),
            },
        }
    }

    /// Refuses to go on if the folder is another's now, or no longer where it was.
    ///
    /// # Errors
    /// If so.
    pub fn check(&self) -> io::Result<()> {
        let Some(token) = &self.token else {
            return Ok(());
        };
        let message = match read(self.disk.as_ref(), &self.folder.join(NAME)) {
            Ok(found) if found.starts_with(token.as_str()) => return Ok(()),
            Ok(_) => "another run has taken over this folder",
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                "the folder was moved or removed during the run"
            }
            Err(error) => return Err(error),
        };
        Err(io::Error::other(message))
    }

    /// Makes the owner's file; `false` where no file can be made.
    fn claim(&self, token: &str, lock: &Lock, pace: Pace) -> Result<bool, Refusal> {
        let path = self.folder.join(NAME);
        let disk = self.disk.as_ref();
        match create(disk, &path, token) {
            Ok(()) => return Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) if is_read_only(&error) => return Ok(false),
            Err(error) => return Err(Refusal::Io(error)),
        }
        let found = read(disk, &path).map_err(Refusal::Io)?;
        let is_ours = found.lines().next() == token.lines().next();
        if !(is_ours && matches!(lock, Lock::Taken(_))) {
            outwait(disk, &path, found, pace)?;
        }
        let text = format!("{token}{}", sign(0));
        write_atomically(disk, &path, text.as_bytes()).map_err(Refusal::Io)?;
        // Of two that give up the same owner, the later one stays.
        if matches!(lock, Lock::Impossible) {
            std::thread::sleep(pace.beat / 2);
        }
        let now = read(disk, &path).map_err(Refusal::Io)?;
        if now.starts_with(token) {
            Ok(true)
        } else {
            Err(busy(&now))
        }
    }

    /// Changes the owner's file again and again, until it is no longer this owner's.
    fn start_beating(
        &self,
        token: String,
        pace: Pace,
    ) -> io::Result<(mpsc::Sender<()>, JoinHandle<()>)> {
        let (stop, stopped) = mpsc::channel();
        let path = self.folder.join(NAME);
        // Held open, so that an owner that was overtaken cannot touch its successor's file.
        let mut file = File::options().write(true).open(&path)?;
        let thread = std::thread::spawn(move || {
            let mut beats = 0;
            while stopped.recv_timeout(pace.beat) == Err(mpsc::RecvTimeoutError::Timeout) {
                let own = files::read_text(&path);
                if own.is_ok_and(|found| !found.starts_with(&token)) {
                    return;
                }
                beats += 1;
                // A sign of life that fails is made up for by the next.
                let _ = file
                    .seek(SeekFrom::Start(token.len() as u64))
                    .and_then(|_| file.write_all(sign(beats).as_bytes()))
                    .and_then(|()| file.sync_data());
            }
        });
        Ok((stop, thread))
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.beat.take() {
            drop(stop);
            let _ = thread.join();
        }
        if self.token.is_some() && self.check().is_ok() {
            let _ = self.disk.remove(&self.folder.join(NAME));
        }
    }
}

/// Locks a folder. Where the file system locks no folders (NFS) a file in it is locked.
fn take_lock(disk: &dyn Disk, folder: &Path) -> Result<Lock, Refusal> {
    let refused = || busy(&read(disk, &folder.join(NAME)).unwrap_or_default());
    match disk.lock(folder) {
        Ok(file) => return Ok(Lock::Taken(HeldLock(file))),
        Err(TryLockError::WouldBlock) => return Err(refused()),
        Err(TryLockError::Error(_)) => {}
    }
    let path = folder.join(LOCK);
    let _ = disk.create(&path);
    match disk.lock(&path) {
        Ok(file) => Ok(Lock::Taken(HeldLock(file))),
        Err(TryLockError::WouldBlock) => Err(refused()),
        Err(TryLockError::Error(_)) => {
            let _ = disk.remove(&path);
            Ok(Lock::Impossible)
        }
    }
}

/// Waits for the owner of a file to show that it lives; returns if it does not.
fn outwait(disk: &dyn Disk, path: &Path, found: String, pace: Pace) -> Result<(), Refusal> {
    let began = Instant::now();
    while began.elapsed() < pace.patience {
        std::thread::sleep(pace.beat / 4);
        match read(disk, path) {
            Ok(now) if now == found => {}
            Ok(now) => return Err(busy(&now)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(Refusal::Io(error)),
        }
    }
    Ok(())
}

fn create(disk: &dyn Disk, path: &Path, token: &str) -> io::Result<()> {
    let mut file = disk.create(path)?;
    let written = file.write_all(format!("{token}{}", sign(0)).as_bytes());
    if written.is_err() {
        let _ = disk.remove(path);
    }
    written
}

/// A sign of life, of the same length each time: it is written over the last.
fn sign(beats: u64) -> String {
    format!("beat {beats:020}\n")
}

fn read(disk: &dyn Disk, path: &Path) -> io::Result<String> {
    let bytes = files::read_whole(disk.open(path)?)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The refusal that names an owner by its file.
fn busy(file: &str) -> Refusal {
    let mut lines = file.lines();
    let host = lines.next().and_then(|line| line.strip_prefix("host "));
    let process = lines.next().and_then(|line| line.strip_prefix("process "));
    let process = process.and_then(|text| text.split(' ').next());
    Refusal::Busy(match host.zip(process) {
        Some((host, process)) => format!(" (host {host}, process {process})"),
        None => String::new(),
    })
}

fn is_read_only(error: &io::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    [PermissionDenied, ReadOnlyFilesystem].contains(&error.kind())
}

/// Names the machine, then the process and this very attempt.
fn token() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = temporary_in(Path::new(""));
    let process = std::process::id();
    format!(
        "host {}\nprocess {process} {}\n",
        host.trim(),
        name.display()
    )
}
