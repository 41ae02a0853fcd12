//! Clocks: the processor time of this thread, of another process, and the memory that one took.
//!
//! Processor time is what an answer costs whatever else the machine does; the wall clock stands
//! beside it.

use std::time::Instant;

use wait4::ResourceUsage;

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

    /// The time since an instant in a process that has used so many seconds of the processor meanwhile.
    /// The wall's clock stands in for its own where the system does not tell that.
    pub fn in_process(process: &Process, begun: Instant, used: Option<f64>) -> Self {
        let spent = Self::on_the_wall(begun);
        Self {
            user: used.unwrap_or(spent.wall),
            peak_bytes: process_peak(process.id()),
            ..spent
        }
    }

    /// Both times, and the larger memory.
    pub fn and(self, other: Self) -> Self {
        Self {
            user: self.user + other.user,
            system: self.system + other.system,
            wall: self.wall + other.wall,
            peak_bytes: self.peak_bytes.max(other.peak_bytes),
        }
    }

    /// The time of one of so many answers.
    pub fn of_one(self, answers: u32) -> Self {
        let share = |seconds: f64| seconds / f64::from(answers.max(1));
        Self {
            user: share(self.user),
            system: share(self.system),
            wall: share(self.wall),
            ..self
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

/// The most memory that a process has held, in bytes; `None` where the system does not tell.
fn process_peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
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
    use std::time::Duration;

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
