//! The time of other processes, and the memory that one took.

use std::time::Instant;

use task::Spent;
use wait4::ResourceUsage;

use super::process::Process;

/// The time since an instant in a process that has used so many seconds of the processor meanwhile, known to
/// a step. The wall's clock stands in for its own where the system does not tell that.
pub fn spent_in(process: &Process, begun: Instant, used: Option<(f64, f64)>) -> Spent {
    let spent = Spent::on_the_wall(begun);
    let (user, step) = used.unwrap_or((spent.wall, 0.0));
    Spent {
        user,
        step,
        peak_bytes: process_peak(process.id()),
        ..spent
    }
}

/// The time of a process that began at an instant and has ended, and had used `running` seconds
/// with all that it started before it was killed: it did not wait for those.
pub fn spent_of_ended(usage: ResourceUsage, begun: Instant, running: f64) -> Spent {
    let system = usage.stime.as_secs_f64();
    Spent {
        user: usage.utime.as_secs_f64().max(running - system),
        system,
        // None where the system does not tell.
        peak_bytes: Some(usage.maxrss).filter(|&bytes| bytes > 0),
        ..Spent::on_the_wall(begun)
    }
}

/// The most memory that a process has held, in bytes; `None` where the system does not tell.
fn process_peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_memory_of_another_process_is_read() {
        let mut child = std::process::Command::new("sleep")
            .arg("30")
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(50));
        let peak = process_peak(child.id());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(peak > Some(10_000), "{peak:?}");
    }
}
