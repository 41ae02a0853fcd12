//! The processor time of a process with all that it started, while it runs.
//!
//! A process that runs has a clock of its own, exact to the nanosecond (`clock_getcpuclockid`). What its
//! children used counts once it has waited for them, in the system's ticks of a hundredth of a second;
//! before that, each child has a clock itself. A process that left its parents, or whose parent did not
//! wait for it, is seen nowhere.

/// Seconds of a tick in `/proc`.
const TICK: f64 = 0.01;

/// Seconds of the processor that a process and all that it started have used, as far as the system
/// tells; `None` where it tells nothing of the process.
pub fn tree_seconds(process: u32) -> Option<f64> {
    let own = own_seconds(process)?;
    let running = children(process).into_iter().filter_map(tree_seconds);
    Some(own + waited_for_seconds(process) + running.sum::<f64>())
}

/// The running children of a process: a child is listed with the thread that started it.
fn children(process: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task"));
    let threads = threads.into_iter().flatten().flatten();
    let lists = threads.map(|thread| std::fs::read_to_string(thread.path().join("children")));
    let lists: Vec<String> = lists.flatten().collect();
    let ids = lists.iter().flat_map(|list| list.split_whitespace());
    ids.filter_map(|id| id.parse().ok()).collect()
}

/// Seconds of the processor that a process has used itself.
#[cfg(target_os = "linux")]
fn own_seconds(process: u32) -> Option<f64> {
    use nix::{time::ClockId, unistd::Pid};
    let process = Pid::from_raw(i32::try_from(process).ok()?);
    let clock = ClockId::pid_cpu_clock_id(process).ok()?;
    let now: std::time::Duration = clock.now().ok()?.into();
    Some(now.as_secs_f64())
}

/// No other system tells another process's time while it runs.
#[cfg(not(target_os = "linux"))]
fn own_seconds(_: u32) -> Option<f64> {
    None
}

/// Seconds that the children used for which a process has waited.
fn waited_for_seconds(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name stands in brackets, and may hold any.
    let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks = rest.split_whitespace().skip(13).take(2);
    let ticks: u64 = ticks.filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    ticks as f64 * TICK
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::process::Command;
    use std::time::Duration;

    /// The seconds of a shell that runs a script, once they are at least so many.
    fn seconds_of(script: &str, least: f64) -> f64 {
        let mut child = Command::new("sh").args(["-c", script]).spawn().unwrap();
        let id = child.id();
        let until = std::time::Instant::now() + Duration::from_secs(20);
        let mut found = 0.0;
        while found < least && std::time::Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
            found = tree_seconds(id).unwrap();
        }
        let _ = Command::new("pkill").args(["-P", &id.to_string()]).status();
        child.kill().unwrap();
        child.wait().unwrap();
        found
    }

    #[test]
    fn children_count_while_they_run_and_once_they_were_waited_for() {
        let running = "sh -c 'while :; do :; done'; true";
        assert!(seconds_of(running, 0.03) >= 0.03);
        let ended = "sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'; sleep 30";
        assert!(seconds_of(ended, 0.02) >= 0.02);
        assert_eq!(tree_seconds(u32::MAX), None);
    }

    #[test]
    fn children_count_whichever_thread_started_them() {
        let started = task::threads::spawn("starter", || {
            let mut child = Command::new("sleep").arg("30").spawn().unwrap();
            let is_listed = children(std::process::id()).contains(&child.id());
            child.kill().unwrap();
            child.wait().unwrap();
            is_listed
        });
        assert!(started.unwrap().join().unwrap());
    }
}
