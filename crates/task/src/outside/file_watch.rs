//! The files that a program is made of, held against their hashes at each start of a process.

use std::path::Path;
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use super::HashedFile;
use base::threads::lock;

/// Seconds for which a file must have been left alone before its marks stand for its contents: no
/// file system counts time more coarsely.
const COARSEST: i64 = 3;

/// The marks of a program's files when each had the hash that the experiment names. A file is only
/// read again if its marks are others, so a process for every sample costs no reading.
#[derive(Debug, Default)]
pub(crate) struct FileWatch(Mutex<Vec<Option<Marks>>>);

/// The marks of a file that change with its contents.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Marks {
    /// The numbers of its device and of the file there; zeros on Windows.
    place: [u64; 2],
    size: u64,
    /// The time of its last change, in seconds and nanoseconds.
    changed: (i64, i64),
}

impl FileWatch {
    /// Holds files against their hashes, each in a folder; they are the same ones each time.
    ///
    /// # Errors
    /// A sentence: one of them is another file by now.
    pub(super) fn check<'a>(
        &self,
        files: impl Iterator<Item = (&'a HashedFile, &'a Path)>,
    ) -> Result<(), String> {
        let mut seen = lock(&self.0);
        for (at, (file, folder)) in files.enumerate() {
            let marks = Marks::of(&folder.join(&file.path));
            if seen.len() == at {
                seen.push(None);
            }
            if marks.is_none() || marks != seen[at] {
                file.check(folder)?;
                seen[at] = marks.filter(Marks::are_settled);
            }
        }
        Ok(())
    }
}

impl Marks {
    #[cfg(unix)]
    fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let data = path.metadata().ok()?;
        Some(Self {
            place: [data.dev(), data.ino()],
            size: data.size(),
            changed: (data.ctime(), data.ctime_nsec()),
        })
    }

    /// A program could set the time of a file back; nothing else tells a change on Windows.
    #[cfg(not(unix))]
    fn of(path: &Path) -> Option<Self> {
        let data = path.metadata().ok()?;
        let changed = data.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(Self {
            place: [0; 2],
            size: data.len(),
            changed: (changed.as_secs() as i64, i64::from(changed.subsec_nanos())),
        })
    }

    /// Returns whether any later change will give other marks.
    fn are_settled(&self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        now.is_ok_and(|now| self.changed.0.saturating_add(COARSEST) < now.as_secs() as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_settled_once_no_file_system_could_give_them_again() {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let now = now.as_secs() as i64;
        for (changed, is_settled) in [(now - 60, true), (now, false), (i64::MAX, false)] {
            let marks = Marks {
                place: [1, 2],
                size: 3,
                changed: (changed, 4),
            };
            assert_eq!(marks.are_settled(), is_settled, "{changed} at {now}");
        }
    }
}
