//! The machine that took the time, and the sessions in which it did.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::run::Timing;

/// The machine that took the time, and how it was taken.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub struct MachineFacts {
    /// The processor's model.
    pub model: String,
    /// The machine's cores.
    pub cores: usize,
    /// Operating system and processor family.
    pub platform: String,
    /// The governor of its frequency, where it can be read.
    pub governor: Option<String>,
    /// Threads that measured side by side.
    pub threads: u16,
    /// Answers in a row of one timing.
    pub repeats: u32,
    /// Times that all contenders were started.
    pub starts: u64,
    /// The grain of the clock in seconds.
    pub grain: f64,
    /// The sessions: what was measured before and after an interruption is kept apart here.
    pub sessions: Vec<RaceSession>,
}

/// One session of a benchmark.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct RaceSession {
    /// The session's first instance.
    pub first: u64,
    /// The instance after its last one.
    pub end: u64,
    /// Seconds since 1970 at its start.
    pub started_unix: u64,
    /// The load of the machine at its start: processes that run or wait, over a minute.
    pub load_before: Option<f64>,
    /// The load at its end.
    pub load_after: Option<f64>,
}

impl MachineFacts {
    /// Describes this machine.
    pub fn here() -> Self {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let cpus = read("/proc/cpuinfo");
        let model = cpus
            .lines()
            .find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        let governor = read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
        Self {
            model: model.map_or_else(String::new, |(_, model)| model.trim().to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            platform: platform(),
            governor: Some(governor.trim().to_owned()).filter(|text| !text.is_empty()),
            ..Self::default()
        }
    }

    /// Ends the last session, which may not have said so itself, before the instance `end`; `timings` are
    /// those of all sessions.
    pub fn end_session(&mut self, timings: &[Timing], end: u64) {
        self.starts = timings.iter().map(|timing| timing.start).max().unwrap_or(0);
        let last = self.sessions.last_mut();
        last.into_iter().for_each(|session| session.end = end);
    }
}

/// The load of the machine over a minute, where the system tells.
pub fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

impl RaceSession {
    /// A session that begins now with this instance.
    pub fn from(first: u64) -> Self {
        Self {
            first,
            end: first,
            started_unix: unix(SystemTime::now()),
            load_before: load(),
            load_after: None,
        }
    }
}

/// The operating system and the processor family.
pub fn platform() -> String {
    format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)
}

/// Seconds since 1970-01-01 UTC at a time.
pub fn unix(time: SystemTime) -> u64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or_default().as_secs()
}
