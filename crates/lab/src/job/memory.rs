//! Checks before a run whether its tables fit into the memory of this machine.
//!
//! Free memory is the smaller of what the kernel calls available and what the control groups of
//! this process still allow (proc(5), the kernel's cgroup-v2 document).

use std::path::Path;

use crate::run::{BlockTally, CompiledExperiment};

use crate::failure::Failure;

/// Bytes of memory that this process holds.
pub fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    kilobytes(&status, "VmRSS:")
}

/// Bytes as people say them, to two digits or more: `437 KB`, `11 MB`, `2.4 GB`.
pub fn sized(bytes: u64) -> String {
    match bytes as f64 {
        b if b < 999_500.0 => format!("{:.0} KB", (b / 1e3).max(1.0)),
        b if b < 9.95e6 => format!("{:.1} MB", b / 1e6),
        b if b < 999.5e6 => format!("{:.0} MB", b / 1e6),
        b => format!("{:.1} GB", b / 1e9),
    }
}

/// Refuses to start a run that may grow past what is free.
///
/// # Errors
/// If the run needs more memory than there is.
pub fn check_fit(compiled: &CompiledExperiment, threads: usize) -> Result<(), Failure> {
    // For the tables of the tasks, and for the tallies that are filled.
    let tally = BlockTally::memory(compiled, u64::MAX).saturating_mul(2);
    let per_thread = compiled.memory_per_thread().saturating_add(tally);
    check_fit_in(free().unwrap_or(u64::MAX), per_thread, threads)?;
    let left = space_left().unwrap_or(u64::MAX);
    check_space_in(left, per_thread, threads, reserve())
}

/// Returns the bytes of address space that the allocator is known to reserve for each thread: glibc
/// gives a thread an arena of its own, and without room for it asks the system again at every
/// allocation, which makes a run fifty times slower (mallopt(3), `M_ARENA_MAX`).
fn reserve() -> u64 {
    const ARENA: u64 = 64 << 20;
    let is_bounded = std::env::var_os("MALLOC_ARENA_MAX").is_some();
    let reserves = cfg!(target_env = "gnu") && !is_bounded;
    if reserves { ARENA } else { 0 }
}

/// Refuses to start a run that would not fit into the address space, or be slow in it.
fn check_space_in(left: u64, per_thread: u64, threads: usize, reserve: u64) -> Result<(), Failure> {
    /// Threads that draw no samples.
    const OTHERS: u64 = 3;
    /// The stack of a thread, and what a run allocates besides its tables.
    const STACK: u64 = 2 << 20;
    const BASE: u64 = 16 << 20;
    let threads = threads as u64;
    let stacks = (threads + OTHERS) * STACK;
    let arenas = |reserve: u64| (threads + 1) * reserve;
    let tables = per_thread.saturating_mul(threads);
    let needed = |reserve: u64| tables.saturating_add(stacks + arenas(reserve) + BASE);
    if needed(reserve) <= left {
        return Ok(());
    }
    let help = if reserve > 0 && needed(0) <= left {
        "raise the limit, or set MALLOC_ARENA_MAX=1 in the environment"
    } else {
        "raise the limit, or use fewer --threads"
    };
    Err(Failure::usage(format!(
        "{} of the address space are left (ulimit -v), and a run on {threads} threads may need {}",
        sized(left),
        sized(needed(reserve))
    ))
    .with_help(help))
}

/// Bytes of address space that this process may still take; `None` where there is no limit.
fn space_left() -> Option<u64> {
    let limit = rustix::process::getrlimit(rustix::process::Resource::As).current?;
    let status = std::fs::read_to_string("/proc/self/status").ok();
    let used = status.and_then(|status| kilobytes(&status, "VmSize:"));
    Some(limit.saturating_sub(used.unwrap_or(0)))
}

fn check_fit_in(free: u64, per_thread: u64, threads: usize) -> Result<(), Failure> {
    let needed = per_thread.saturating_mul(threads as u64);
    if needed <= free {
        return Ok(());
    }
    let help = match free / per_thread.max(1) {
        0 => "use a machine with more memory, or set a smaller [budget]".to_owned(),
        fitting => format!("run it with --threads {fitting}"),
    };
    Err(Failure::usage(format!(
        "the run may need {} MB for the tables of {threads} threads, but {} MB are free",
        needed.div_ceil(1_000_000),
        free / 1_000_000
    ))
    .with_help(help))
}

/// Bytes that this process may still use; `None` where the system does not say.
pub fn free() -> Option<u64> {
    let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
    let available = kilobytes(&meminfo, "MemAvailable:")?;
    let group = std::fs::read_to_string("/proc/self/cgroup").ok();
    let allowed = group.and_then(|text| allowed(Path::new("/sys/fs/cgroup"), &text));
    Some(allowed.map_or(available, |allowed| allowed.min(available)))
}

/// The bytes of a line such as `MemAvailable:  12345 kB`.
pub fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Returns the memory left in the group named by the line `0::/path` and in the groups around it.
fn allowed(root: &Path, cgroup: &str) -> Option<u64> {
    let group = cgroup.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let innermost = root.join(group);
    let around = innermost
        .ancestors()
        .take_while(|group| group.starts_with(root));
    let left_in = |group: &Path| {
        let text = |name: &str| std::fs::read_to_string(group.join(name)).ok();
        let number = |name: &str| text(name)?.trim().parse::<u64>().ok();
        Some(number("memory.max")?.saturating_sub(number("memory.current")?))
    };
    around.filter_map(left_in).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_would_not_fit_is_refused_with_what_would() {
        assert!(check_fit_in(1_000_000_000, 100_000_000, 10).is_ok());
        let refused = format!("{:?}", check_fit_in(1_000_000_000, 100_000_000, 11));
        assert!(
            refused.contains("1100 MB for the tables of 11 threads"),
            "{refused}"
        );
        assert!(refused.contains("--threads 10"), "{refused}");
        let never = format!("{:?}", check_fit_in(1_000, 100_000_000, 1));
        assert!(never.contains("more memory"), "{never}");
        assert!(check_fit_in(0, 0, 8).is_ok());
        assert!(check_fit_in(1_000, u64::MAX, 8).is_err());
    }

    #[test]
    fn a_run_that_would_crawl_in_its_address_space_is_refused_with_the_remedy() {
        let arena = 64 << 20;
        assert!(check_space_in(u64::MAX, 1 << 20, 2, arena).is_ok());
        assert!(check_space_in(400 << 20, 1 << 20, 2, arena).is_ok());
        let slow = format!("{:?}", check_space_in(100 << 20, 1 << 20, 2, arena));
        assert!(slow.contains("MALLOC_ARENA_MAX=1"), "{slow}");
        assert!(check_space_in(100 << 20, 1 << 20, 2, 0).is_ok());
        let small = format!("{:?}", check_space_in(20 << 20, 1 << 20, 2, 0));
        assert!(small.contains("--threads"), "{small}");
    }

    #[test]
    fn sizes_have_two_digits_or_more() {
        let said = [0, 437_203, 999_600, 11_246_964, 999_600_000, 67_139_000_000].map(sized);
        assert_eq!(
            said,
            ["1 KB", "437 KB", "1.0 MB", "11 MB", "1.0 GB", "67.1 GB"]
        );
    }

    #[test]
    fn the_tightest_limit_counts() {
        let meminfo = "MemTotal: 200 kB\nMemAvailable:    100 kB\n";
        assert_eq!(kilobytes(meminfo, "MemAvailable:"), Some(102_400));
        assert_eq!(kilobytes("MemTotal: 200 kB\n", "MemAvailable:"), None);
        let root = tempfile::tempdir().unwrap();
        let inner = root.path().join("a/b");
        std::fs::create_dir_all(&inner).unwrap();
        std::fs::write(inner.join("memory.max"), "max\n").unwrap();
        std::fs::write(inner.join("memory.current"), "5\n").unwrap();
        assert_eq!(allowed(root.path(), "0::/a/b\n"), None);
        std::fs::write(root.path().join("a/memory.max"), "70\n").unwrap();
        std::fs::write(root.path().join("a/memory.current"), "30\n").unwrap();
        assert_eq!(allowed(root.path(), "0::/a/b\n"), Some(40));
        assert_eq!(allowed(root.path(), "3:cpu:/\n"), None);
    }
}
