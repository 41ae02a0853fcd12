//! Clocks: the processor time of this thread, of another process, and the memory that one took.
//!
//! Processor time is what an answer costs whatever else the machine does; the wall clock stands
//! beside it. The clock of another process is that of `clock_getcpuclockid`, exact to the
//! nanosecond also while it runs, where `/proc` counts in ticks.

use std::time::{Duration, Instant};

use nix::time::ClockId;
use nix::unistd::Pid;
use wait4::ResourceUsage;

use lab::job::memory::kilobytes;
use lab::job::thread_time;
use programs::process::Process;

/// The time that an answer took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// Seconds of the processor in the program; all of them where the clock does not tell them apart.
    pub user: f64,
    /// Seconds of the processor in the system.
    pub system: f64,
    /// Seconds on the wall.
    pub wall: f64,
    /// The most memory that a child held, in bytes.
    pub peak_bytes: Option<u64>,
}

impl Spent {
    /// Seconds of the processor.
    pub fn processor(&self) -> f64 {
        self.user + self.system
    }

    /// The time on the wall since an instant, and none of the processor.
    pub fn on_the_wall(begun: Instant) -> Self {
        Self {
            wall: begun.elapsed().as_secs_f64(),
            ..Self::default()
        }
    }

    /// The time since an instant at which a process had used `before` seconds of the processor. The
    /// wall's clock stands in for its own where the system does not tell that.
    pub fn in_process(process: &Process, begun: Instant, before: Option<f64>) -> Self {
        let spent = Self::on_the_wall(begun);
        let used = processor_seconds(process).zip(before);
        Self {
            user: used.map_or(spent.wall, |(after, before)| (after - before).max(0.0)),
            peak_bytes: process_peak(process.id()),
            ..spent
        }
    }

    /// The time of a process that began at an instant and has ended, and had used `running` seconds
    /// with all that it started before it was killed: it did not wait for those.
    pub fn of_ended(usage: ResourceUsage, begun: Instant, running: f64) -> Self {
        let system = usage.stime.as_secs_f64();
        Self {
            user: usage.utime.as_secs_f64().max(running - system),
            system,
            peak_bytes: Some(usage.maxrss),
            ..Self::on_the_wall(begun)
        }
    }

    /// The time that `work` takes on this thread, and what it returns.
    pub fn by<T>(work: impl FnOnce() -> T) -> (Self, T) {
        let (begun, before) = (Instant::now(), thread_time());
        let done = work();
        let used = thread_time().saturating_sub(before);
        let spent = Self {
            user: used.as_secs_f64(),
            ..Self::on_the_wall(begun)
        };
        (spent, done)
    }
}

/// Seconds of the processor that a worker has used, by its own clock or, once it ended, by what it
/// left behind; `None` where the system does not tell.
pub fn processor_seconds(process: &Process) -> Option<f64> {
    let ended = process.usage().map(|usage| usage.utime + usage.stime);
    let ended = ended.map(|used| used.as_secs_f64());
    ended.or_else(|| process_seconds(process.id()))
}

/// Seconds of the processor that a process has used; `None` where the system does not tell.
fn process_seconds(process: u32) -> Option<f64> {
    let process = Pid::from_raw(i32::try_from(process).ok()?);
    let clock = ClockId::pid_cpu_clock_id(process).ok()?;
    let now: Duration = clock.now().ok()?.into();
    Some(now.as_secs_f64())
}

/// Seconds of the processor that the processes which run of a process and of all that it started have
/// used, as far as the system tells.
pub fn tree_seconds(process: u32) -> f64 {
    let children = format!("/proc/{process}/task/{process}/children");
    let children = std::fs::read_to_string(children).unwrap_or_default();
    let children = children.split_whitespace().filter_map(|id| id.parse().ok());
    process_seconds(process).unwrap_or_default() + children.map(tree_seconds).sum::<f64>()
}

/// The most memory that a process has held, in bytes; `None` where the system does not tell.
fn process_peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    kilobytes(&status, "VmHWM:")
}

/// The grain of the thread's clock: what two looks at it cost, and so the least difference that is
/// one.
pub fn grain() -> f64 {
    let mut looks: Vec<f64> = (0..101).map(|_| Spent::by(|| ()).0.user).collect();
    looks.sort_by(f64::total_cmp);
    looks[50].max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeping_takes_no_processor_time_and_spinning_does() {
        let (asleep, ()) = Spent::by(|| std::thread::sleep(Duration::from_millis(20)));
        assert!(
            asleep.processor() < 0.01 && asleep.wall >= 0.02,
            "{asleep:?}"
        );
        let until = thread_time() + Duration::from_millis(20);
        let (busy, ()) = Spent::by(|| while thread_time() < until {});
        assert!(busy.processor() >= 0.019 && busy.wall >= 0.019, "{busy:?}");
        assert!(grain() < 1e-4);
    }

    #[test]
    fn the_clock_and_the_memory_of_another_process_are_read() {
        let mut child = std::process::Command::new("sh")
            .args(["-c", "while :; do :; done"])
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(50));
        let (first, peak) = (process_seconds(child.id()), process_peak(child.id()));
        std::thread::sleep(Duration::from_millis(50));
        let second = process_seconds(child.id());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(second > first && first > Some(0.0), "{first:?} {second:?}");
        assert!(peak > Some(10_000), "{peak:?}");
    }
}
