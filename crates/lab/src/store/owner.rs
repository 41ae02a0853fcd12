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

use super::error::{AtPath, FolderError};
use crate::files::{self, Disk, temporary_in, write_atomically};
use crate::threads;

/// The owner's file.
const NAME: &str = ".etude-owner.tmp";
/// The file that is locked where a folder cannot be.
const LOCK: &str = ".etude-lock.tmp";

/// The time between two heartbeats of an owner, and the time that another waits for one.
#[derive(Clone, Copy, Debug)]
pub struct Heartbeat {
    /// The time between two signs of life.
    pub interval: Duration,
    /// The time without one after which an owner is given up.
    pub patience: Duration,
}

impl Heartbeat {
    /// Slow enough for any disk, fast enough for a person who waits.
    pub const USUAL: Heartbeat = Heartbeat {
        interval: Duration::from_secs(2),
        patience: Duration::from_secs(10),
    };
}

/// The right to write a folder, given back when the value goes.
#[derive(Debug)]
pub struct Owner {
    disk: Arc<dyn Disk>,
    folder: PathBuf,
    /// The text that the owner's file begins with; `None` on a disk that nobody can write.
    token: Option<String>,
    beat: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
    /// `None` on a file system without locks.
    lock: Option<HeldLock>,
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

impl Owner {
    /// Takes `folder`, which must be there.
    pub fn take(
        disk: Arc<dyn Disk>,
        folder: &Path,
        heartbeat: Heartbeat,
    ) -> Result<Self, FolderError> {
        let token = token();
        let mut owner = Self {
            lock: take_lock(disk.as_ref(), folder)?,
            folder: folder.to_owned(),
            token: None,
            beat: None,
            disk,
        };
        if owner.claim(&token, heartbeat)? {
            owner.token = Some(token.clone());
            let beat = owner.start_beating(token, heartbeat);
            owner.beat = Some(beat.at(folder)?);
        }
        Ok(owner)
    }

    /// Refuses a folder that somebody is writing, for someone who only reads it.
    pub fn check_free(
        disk: &dyn Disk,
        folder: &Path,
        heartbeat: Heartbeat,
    ) -> Result<(), FolderError> {
        let is_locked = take_lock(disk, folder)?.is_some();
        match read(disk, &folder.join(NAME)) {
            Ok(claim) if !is_locked => outwait(disk, folder, claim, heartbeat),
            _ => Ok(()),
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
            Ok(claim) if claim.starts_with(token.as_str()) => return Ok(()),
            Ok(_) => "another run has taken over this folder",
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                "the folder was moved or removed during the run"
            }
            Err(error) => return Err(error),
        };
        Err(io::Error::other(message))
    }

    /// Makes the owner's file; `false` where no file can be made.
    fn claim(&self, token: &str, heartbeat: Heartbeat) -> Result<bool, FolderError> {
        let (disk, folder) = (self.disk.as_ref(), self.folder.as_path());
        let path = folder.join(NAME);
        match create(disk, &path, token) {
            Ok(()) => return Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) if is_read_only(&error) => return Ok(false),
            Err(error) => return Err(error).at(folder),
        }
        let claim = read(disk, &path).at(folder)?;
        let is_ours = claim.lines().next() == token.lines().next();
        if !(is_ours && self.lock.is_some()) {
            outwait(disk, folder, claim, heartbeat)?;
        }
        let text = format!("{token}{}", sign(0));
        write_atomically(disk, &path, text.as_bytes()).at(folder)?;
        // Of two that give up the same owner, the later one stays.
        if self.lock.is_none() {
            std::thread::sleep(heartbeat.interval / 2);
        }
        let now = read(disk, &path).at(folder)?;
        if now.starts_with(token) {
            Ok(true)
        } else {
            Err(busy(folder, &now))
        }
    }

    /// Changes the owner's file again and again, until it is no longer this owner's.
    fn start_beating(
        &self,
        token: String,
        heartbeat: Heartbeat,
    ) -> io::Result<(mpsc::Sender<()>, JoinHandle<()>)> {
        let (stop, stopped) = mpsc::channel();
        let path = self.folder.join(NAME);
        // Held open, so that an owner that was overtaken cannot touch its successor's file.
        let mut file = File::options().write(true).open(&path)?;
        let thread = threads::spawn("heartbeat", move || {
            let mut beats = 0;
            while stopped.recv_timeout(heartbeat.interval) == Err(mpsc::RecvTimeoutError::Timeout) {
                let own = files::read_text(&path);
                if own.is_ok_and(|claim| !claim.starts_with(&token)) {
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
        Ok((stop, thread?))
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

/// Locks a folder; `None` where nothing can be locked. Where the file system locks no folders (NFS)
/// a file in it is locked.
fn take_lock(disk: &dyn Disk, folder: &Path) -> Result<Option<HeldLock>, FolderError> {
    let refused = |_| busy(folder, &read(disk, &folder.join(NAME)).unwrap_or_default());
    match lock_soon(disk, folder) {
        Err(TryLockError::Error(_)) => {}
        locked => return locked.map(Some).map_err(refused),
    }
    let path = folder.join(LOCK);
    let _ = disk.create(&path);
    match lock_soon(disk, &path) {
        Err(TryLockError::Error(_)) => {
            let _ = disk.remove(&path);
            Ok(None)
        }
        locked => locked.map(Some).map_err(refused),
    }
}

/// Locks a file, after a moment if need be: a program that was just being started holds the lock
/// of an owner that was killed until it has closed its files.
fn lock_soon(disk: &dyn Disk, path: &Path) -> Result<HeldLock, TryLockError> {
    for _ in 0..10 {
        match disk.lock(path) {
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(20)),
            locked => return locked.map(HeldLock),
        }
    }
    disk.lock(path).map(HeldLock)
}

/// Waits for the owner of a folder, whose file held `found`, to show that it lives; returns if it
/// does not.
fn outwait(
    disk: &dyn Disk,
    folder: &Path,
    claim: String,
    heartbeat: Heartbeat,
) -> Result<(), FolderError> {
    let began = Instant::now();
    while began.elapsed() < heartbeat.patience {
        std::thread::sleep(heartbeat.interval / 4);
        match read(disk, &folder.join(NAME)) {
            Ok(now) if now == claim => {}
            Ok(now) => return Err(busy(folder, &now)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error).at(folder),
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
fn busy(folder: &Path, file: &str) -> FolderError {
    let mut lines = file.lines();
    let host = lines.next().and_then(|line| line.strip_prefix("host "));
    let process = lines.next().and_then(|line| line.strip_prefix("process "));
    let process = process.and_then(|text| text.split(' ').next());
    let owner = host.zip(process);
    let owner = owner.map(|(host, process)| format!(" (host {host}, process {process})"));
    FolderError::Busy(folder.to_owned(), owner.unwrap_or_default())
}

fn is_read_only(error: &io::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    [PermissionDenied, ReadOnlyFilesystem].contains(&error.kind())
}

/// The machine's name, where the system says it.
pub fn host() -> Option<String> {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    Some(name.trim().to_owned())
}

/// Names the machine, then the process and this very attempt.
fn token() -> String {
    let host = host().unwrap_or_default();
    let name = temporary_in(Path::new(""));
    let process = std::process::id();
    format!("host {host}\nprocess {process} {}\n", name.display())
}
