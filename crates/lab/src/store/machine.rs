//! The machine that took the time, and the sessions in which it did.

use std::ops::Range;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

/// The file of the machine and its sessions.
pub(crate) const MACHINE: &str = "clock/machine.json";

/// The machine that took the time, and how it was taken: what follows neither from `clock.csv` nor from the
/// manifest.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct MachineFacts {
    /// The processor's model.
    pub model: String,
    /// The machine's cores.
    pub cores: usize,
    /// The governor of its frequency, where it can be read.
    pub(crate) governor: Option<String>,
    /// Answers in a row of one timing.
    pub repeats: u32,
    /// The grain of the clock in seconds.
    pub grain: f64,
    /// The means by which the memory of programs was capped, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_by: Option<String>,
    /// The sessions: what was measured before and after an interruption is kept apart here.
    pub sessions: Vec<RaceSession>,
}

/// A session of a benchmark.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct RaceSession {
    /// The session's first instance; it ends where the next one begins.
    pub(crate) first: u64,
    /// Threads that measured side by side.
    pub threads: u16,
    /// Seconds since 1970 at its start.
    pub(crate) started_unix: u64,
    /// The load of the machine at its start: processes that run or wait, over a minute.
    pub load_before: Option<f64>,
    /// The load at its end.
    pub(crate) load_after: Option<f64>,
}

impl MachineFacts {
    /// Describes this machine.
    pub(crate) fn here() -> Self {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let cpus = read("/proc/cpuinfo");
        let model = cpus
            .lines()
            .find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        let governor = read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
        Self {
            model: model.map_or_else(String::new, |(_, model)| model.trim().to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            governor: Some(governor.trim().to_owned()).filter(|text| !text.is_empty()),
            ..Self::default()
        }
    }

    /// The instances of each session, in a race that has measured so many.
    pub fn parts(&self, instances: u64) -> Vec<Range<u64>> {
        let ends = self.sessions.iter().skip(1).map(|next| next.first);
        let ends = ends.chain([instances]);
        let parts = self.sessions.iter().zip(ends);
        parts.map(|(session, end)| session.first..end).collect()
    }

    /// The first fact that cannot be of a race of so many instances.
    pub(crate) fn contradiction(&self, instances: u64) -> Option<&'static str> {
        let parts = self.parts(instances);
        let begins = parts.first().map_or(1, |part| part.start);
        if begins > 0 || parts.iter().any(|part| part.start > part.end) {
            return Some("its sessions do not follow one another from instance 0 to the last one");
        }
        let times = self.sessions.iter().map(|session| session.started_unix);
        if !times.is_sorted() {
            return Some("a session began before the one that it continues");
        }
        let is_measured = self.grain > 0.0 && self.repeats > 0;
        (!is_measured).then_some("`grain` and `repeats` are numbers above 0")
    }
}

/// The load of the machine over a minute, where the system tells.
pub(crate) fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

impl RaceSession {
    /// A session that begins now with this instance, on so many threads.
    pub(crate) fn from(first: u64, threads: u16) -> Self {
        Self {
            first,
            threads,
            started_unix: unix(SystemTime::now()),
            load_before: load(),
            load_after: None,
        }
    }
}

/// The operating system and the processor family.
pub(crate) fn platform() -> String {
    format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)
}

/// Seconds since 1970-01-01 UTC at a time.
pub(crate) fn unix(time: SystemTime) -> u64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or_default().as_secs()
}
