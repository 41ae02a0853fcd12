//! Control groups of Linux that count memory, of either version, where this process may make them.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Groups that this process has made.
static GROUPS: AtomicU64 = AtomicU64::new(0);

/// The looks at a group whose last process may still be ending, and the time between two.
const LOOKS: u32 = 20;
const BETWEEN: Duration = Duration::from_millis(10);

/// The files of a version of control groups.
#[derive(Debug)]
struct GroupFiles {
    limit: &'static str,
    /// The file of the limit that counts swapped memory, too: of it nothing may be used.
    swap: &'static str,
    /// True if the limit of swapped memory counts all memory.
    swap_counts_all: bool,
    /// The file with the number of processes that were ended.
    events: &'static str,
}

const FIRST: GroupFiles = GroupFiles {
    limit: "memory.limit_in_bytes",
    swap: "memory.memsw.limit_in_bytes",
    swap_counts_all: true,
    events: "memory.oom_control",
};

const SECOND: GroupFiles = GroupFiles {
    limit: "memory.max",
    swap: "memory.swap.max",
    swap_counts_all: false,
    events: "memory.events",
};

/// A control group with a limit of memory, which goes with it.
#[derive(Debug)]
pub(crate) struct MemoryGroup {
    folder: PathBuf,
    files: &'static GroupFiles,
}

impl MemoryGroup {
    /// A new group with a limit in bytes; `None` where none can be made.
    pub(crate) fn new(bytes: u64) -> Option<Self> {
        let number = GROUPS.fetch_add(1, Ordering::Relaxed);
        let name = format!("etude-{}-{number}", std::process::id());
        let parents = parents().into_iter();
        let mut made = parents.filter_map(|(parent, files)| {
            let folder = parent.join(&name);
            std::fs::create_dir(&folder).ok()?;
            let group = Self { folder, files };
            group.limit(bytes).ok()?;
            Some(group)
        });
        made.next()
    }

    fn limit(&self, bytes: u64) -> io::Result<()> {
        let write = |file: &str, number: u64| {
            let path = self.folder.join(file);
            // The file is there where the group counts memory: no other is made.
            std::fs::OpenOptions::new().write(true).open(&path)?;
            std::fs::write(path, number.to_string())
        };
        write(self.files.limit, bytes)?;
        // A system may count no swapped memory.
        let _ = write(
            self.files.swap,
            if self.files.swap_counts_all { bytes } else { 0 },
        );
        Ok(())
    }

    /// The file to which a process writes its number to be moved into the group.
    pub(crate) fn members(&self) -> PathBuf {
        self.folder.join("cgroup.procs")
    }

    /// The number of its processes that the system has ended for lack of memory.
    pub(crate) fn kills(&self) -> u64 {
        let events = std::fs::read_to_string(self.folder.join(self.files.events));
        let events = events.unwrap_or_default();
        let mut lines = events.lines();
        let kills = lines.find_map(|line| line.strip_prefix("oom_kill "));
        kills
            .and_then(|number| number.trim().parse().ok())
            .unwrap_or(0)
    }
}

impl Drop for MemoryGroup {
    fn drop(&mut self) {
        for _ in 0..LOOKS {
            if std::fs::remove_dir(&self.folder).is_ok() {
                return;
            }
            std::thread::sleep(BETWEEN);
        }
    }
}

/// The groups below which one may perhaps be made: that of this process, and the one around it, as a group of the second
/// version that has processes has no groups with limits.
fn parents() -> Vec<(PathBuf, &'static GroupFiles)> {
    let [own, mounts] = ["/proc/self/cgroup", "/proc/self/mounts"]
        .map(|file| std::fs::read_to_string(file).unwrap_or_default());
    let mut parents = Vec::new();
    for line in own.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else {
            continue;
        };
        let mut controllers = controllers.split(',');
        let (kind, files) = match controllers.clone().next() {
            Some("") => ("cgroup2", &SECOND),
            _ if controllers.any(|name| name == "memory") => ("cgroup", &FIRST),
            _ => continue,
        };
        let Some(root) = mount(&mounts, kind) else {
            continue;
        };
        let group = root.join(path.trim_start_matches('/'));
        let around = group.parent().filter(|parent| parent.starts_with(&root));
        parents.extend(around.map(|around| (around.to_owned(), files)));
        parents.insert(0, (group, files));
    }
    parents
}

/// The place where the groups of a version are, those of the first version for memory.
fn mount(mounts: &str, kind: &str) -> Option<PathBuf> {
    let found = mounts.lines().find_map(|line| {
        let fields: Vec<&str> = line.split(' ').collect();
        let [_, place, of_kind, options, ..] = fields.as_slice() else {
            return None;
        };
        let counts = kind == "cgroup2" || options.split(',').any(|option| option == "memory");
        (*of_kind == kind && counts).then_some(*place)
    });
    found.map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_groups_of_memory_are_found_among_all() {
        let mounts = "cgroup /sys/cpu cgroup rw,cpu 0 0\ncgroup /sys/memory cgroup rw,memory 0 0\n\
                      none /sys/unified cgroup2 rw 0 0\n";
        assert_eq!(mount(mounts, "cgroup"), Some("/sys/memory".into()));
        assert_eq!(mount(mounts, "cgroup2"), Some("/sys/unified".into()));
        assert_eq!(mount("", "cgroup2"), None);
    }
}
