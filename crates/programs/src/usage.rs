//! The processor time of a process with all that it started, while it runs, and the memory that it took.
//!
//! A process that runs has a clock of its own, exact to the nanosecond (`clock_getcpuclockid`). What its
//! children used counts once it has waited for them, in the system's ticks of a hundredth of a second;
//! before that, each child has a clock itself. A process that left its parents, or whose parent did not
//! wait for it, is seen nowhere.

/// Seconds of a tick in `/proc`.
const TICK: f64 = 0.01;

/// The resources that a process and all that it started have used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TreeTime {
    /// Seconds of the processor.
    pub(crate) seconds: f64,
    /// Page faults of the children that were waited for. No child has none, so that more of them tell that
    /// time was counted in ticks, even where it was less than one.
    pub(crate) faults: u64,
}

/// Time of the processor that was used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct UsedTime {
    /// Seconds.
    pub(crate) seconds: f64,
    /// The seconds by which they may be off.
    pub step: f64,
}

impl TreeTime {
    fn and(self, other: Self) -> Self {
        Self {
            seconds: self.seconds + other.seconds,
            faults: self.faults + other.faults,
        }
    }

    /// Returns the time since an earlier look, off by a tick at most where a child was waited for.
    pub(crate) fn since(self, before: Self) -> UsedTime {
        let is_stepped = self.faults != before.faults;
        // A child that was waited for counts in whole ticks from then on, and so for a little less.
        let seconds = (self.seconds - before.seconds).max(0.0);
        let step = if is_stepped { TICK } else { 0.0 };
        UsedTime { seconds, step }
    }
}

/// The resources that a process and all that it started have used, as far as the system tells; `None` where it tells
/// nothing of the process.
pub(crate) fn tree_time(process: u32) -> Option<TreeTime> {
    let own = TreeTime {
        seconds: own_seconds(process)?,
        faults: 0,
    };
    let running = children(process).into_iter().filter_map(tree_time);
    Some(running.fold(own.and(waited_for(process)), TreeTime::and))
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

/// The resources used by the children for which a process has waited.
fn waited_for(process: u32) -> TreeTime {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name stands in brackets, and may hold any.
    let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let sum = |places: [usize; 2]| -> u64 {
        let numbers = places
            .iter()
            .filter_map(|&at| fields.get(at)?.parse::<u64>().ok());
        numbers.sum()
    };
    TreeTime {
        // In the program and in the system.
        seconds: sum([13, 14]) as f64 * TICK,
        // Small and large ones.
        faults: sum([8, 10]),
    }
}

/// The most memory that a process has held, in bytes; `None` where the system does not tell.
pub(crate) fn process_peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// The bytes by which the counters of the system may differ.
const VAGUE: u64 = 4 << 20;

/// The most memory that a process has held which has ended, by the figure that the system gives of it; `None` where it does
/// not tell. On Linux, that figure has the memory of who started it in it, from before the program was loaded: one that is
/// not larger than all that this process has ever held says nothing.
pub(crate) fn own_peak(told: u64) -> Option<u64> {
    let starter = process_peak(std::process::id());
    let is_known = match starter {
        Some(starter) => told > starter + VAGUE,
        None => !cfg!(target_os = "linux") && told > 0,
    };
    is_known.then_some(told)
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
            found = tree_time(id).unwrap().seconds;
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
        assert_eq!(tree_time(u32::MAX), None);
    }

    #[test]
    fn time_is_counted_in_ticks_once_a_child_was_waited_for() {
        let script = "read a; /bin/true; echo; read a";
        let mut child = Command::new("sh")
            .args(["-c", script])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let before = tree_time(child.id()).unwrap();
        let none = UsedTime {
            seconds: 0.0,
            step: 0.0,
        };
        assert_eq!(before.since(before), none);
        let mut input = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut input, b"\n").unwrap();
        let mut said = [0];
        let output = child.stdout.as_mut().unwrap();
        std::io::Read::read_exact(output, &mut said).unwrap();
        let after = tree_time(child.id()).unwrap();
        assert_eq!(after.since(before).step, TICK);
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn children_count_whichever_thread_started_them() {
        let started = base::threads::spawn("starter", || {
            let mut child = Command::new("sleep").arg("30").spawn().unwrap();
            let is_listed = children(std::process::id()).contains(&child.id());
            child.kill().unwrap();
            child.wait().unwrap();
            is_listed
        });
        assert!(started.unwrap().join().unwrap());
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
    /// This process holds 64 MB; `true` holds next to nothing, and a list of 200 MB more.
    #[test]
    fn a_small_program_has_no_memory_of_its_starter() {
        let held = vec![1u8; 64 << 20];
        let told = |program: &str, arguments: &[&str]| {
            use wait4::Wait4;
            let child = Command::new(program).args(arguments).spawn().unwrap();
            child.wait4().unwrap().rusage.maxrss
        };
        let small = told("true", &[]);
        assert!(
            held.iter().all(|&byte| byte == 1) && small > 32 << 20,
            "{small}"
        );
        assert_eq!(own_peak(small), None);
        let large = told(
            "python3",
            &["-c", "print(len(b'x' * (400 << 20)) // 2**20)"],
        );
        assert!(own_peak(large) >= Some(400 << 20), "{large}");
    }
}
