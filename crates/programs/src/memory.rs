//! A cap on the memory of a program: by a control group where one can be made, by a limit of the system otherwise.
//!
//! A control group counts a program with all that it starts, and the system ends what needs more. The limit counts the
//! data of each process alone (`RLIMIT_DATA`), and refuses more: the program tells that in its own words, if at all.
//! References: Linux, *Control Group v2* and *Memory Resource Controller*; `getrlimit(2)`.

use wait4::ResourceUsage;

use super::groups::MemoryGroup;
use super::process::Process;
use task::outside::{WorkerError, WorkerErrorKind};

/// The words by which a program says that it was refused memory, in small letters.
const REFUSED: [&str; 8] = [
    "memoryerror",
    "bad_alloc",
    "out of memory",
    "outofmemory",
    "cannot allocate",
    "not enough memory",
    "memory allocation",
    "allocation failed",
];

/// The share of the cap that a program which failed must have held, if it does not say why.
const NEAR: f64 = 0.9;

/// A cap on the memory of a program.
#[derive(Debug)]
pub struct MemoryCap {
    bytes: u64,
    /// The control group; `None` where none can be made.
    group: Option<MemoryGroup>,
}

impl MemoryCap {
    /// A cap of so many bytes.
    ///
    /// # Errors
    /// A sentence, if this system has none.
    pub fn new(bytes: u64) -> Result<Self, String> {
        if cfg!(not(target_os = "linux")) {
            return Err(
                "this system has no cap on another program's memory: remove `memory` from the cap"
                    .to_owned(),
            );
        }
        let group = MemoryGroup::new(bytes);
        Ok(Self { bytes, group })
    }

    /// The means by which memory is capped, for a sentence.
    pub fn means(&self) -> &'static str {
        match self.group {
            Some(_) => "a control group",
            None => "a limit on the data of each process",
        }
    }

    /// Caps a process that was started just now.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn admit(&self, process: &Process) -> Result<(), WorkerError> {
        let admitted = match &self.group {
            Some(group) => group.admit(process.id()),
            None => limit(process.id(), self.bytes),
        };
        admitted.map_err(|error| {
            let told = format!("the memory of a program cannot be capped: {error}");
            WorkerError::new(WorkerErrorKind::Environment, told)
        })
    }

    /// The number of processes that the system has ended at the cap.
    pub fn kills(&self) -> u64 {
        self.group.as_ref().map_or(0, MemoryGroup::kills)
    }

    /// Returns whether a program that gave no answer ran out of memory, where so many had been ended before.
    pub fn is_exhausted(
        &self,
        kills: u64,
        trouble: &WorkerError,
        usage: Option<&ResourceUsage>,
    ) -> bool {
        if self.group.is_some() {
            return self.kills() > kills;
        }
        let broke = [WorkerErrorKind::Crashed, WorkerErrorKind::Killed];
        let said = trouble.message.to_lowercase();
        let is_near = |usage: &ResourceUsage| usage.maxrss as f64 >= NEAR * self.bytes as f64;
        broke.contains(&trouble.kind)
            && (REFUSED.iter().any(|words| said.contains(words)) || usage.is_some_and(is_near))
    }
}

/// Limits the data of a process that runs.
#[cfg(target_os = "linux")]
fn limit(process: u32, bytes: u64) -> std::io::Result<()> {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let most = Rlimit {
        current: Some(bytes),
        maximum: Some(bytes),
    };
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    match prlimit(process, Resource::Data, most) {
        // It has ended already.
        Err(rustix::io::Errno::SRCH) | Ok(_) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Limits nothing, which no caller asks for.
#[cfg(not(target_os = "linux"))]
fn limit(_: u32, _: u64) -> std::io::Result<()> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::process::AnswerLimits;
    use std::time::Duration;
    use task::outside::{Consent, DeclaredProgram};

    const CAP: u64 = 200 << 20;

    /// The end of a program that holds so many bytes under a cap, and whether it ran out of memory.
    fn holding(cap: &MemoryCap, bytes: u64) -> (Result<(), WorkerError>, bool) {
        let script = format!("import time; time.sleep(0.2); x = b'x' * {bytes}; print(1)");
        let program = DeclaredProgram {
            argv: ["python3", "-c", &script].map(str::to_owned).into(),
            folders: vec!["/".into()],
            ..DeclaredProgram::default()
        };
        let consent = Consent::ask([&program], &[], None, false).unwrap();
        let kills = cap.kills();
        let mut process = Process::start(&consent, &program, &program.argv[1..], None).unwrap();
        process.limits = AnswerLimits::default();
        cap.admit(&process).unwrap();
        let patience = Duration::from_secs(60);
        let read = process.receive_all(patience).map(drop);
        let ended = read.and_then(|()| process.finish(&[0]).map(drop));
        let trouble = ended.as_ref().err().cloned();
        let usage = process.usage();
        let is_out = trouble.is_some_and(|told| cap.is_exhausted(kills, &told, usage.as_ref()));
        (ended, is_out)
    }

    #[test]
    fn a_program_that_needs_more_than_its_cap_runs_out_of_memory_by_every_means() {
        let limit = MemoryCap {
            bytes: CAP,
            group: None,
        };
        let best = MemoryCap::new(CAP).unwrap();
        for cap in [&limit, &best] {
            let (small, is_out) = holding(cap, CAP / 8);
            assert!(small.is_ok() && !is_out, "{cap:?}: {small:?}");
            let (large, is_out) = holding(cap, 2 * CAP);
            assert!(large.is_err() && is_out, "{cap:?}: {large:?}");
            let (small, _) = holding(cap, CAP / 8);
            assert!(small.is_ok(), "{cap:?}: {small:?}");
        }
        assert_ne!(limit.means(), "a control group");
    }

    #[test]
    fn a_failure_for_another_reason_is_no_lack_of_memory() {
        let cap = MemoryCap {
            bytes: CAP,
            group: None,
        };
        let crash = WorkerError::new(WorkerErrorKind::Crashed, "it ended with exit status 3");
        assert!(!cap.is_exhausted(0, &crash, None));
        let fault = WorkerError::fault("it wrote `Out of memory` as its last line");
        assert!(!cap.is_exhausted(0, &fault, None));
        let told = WorkerError::new(WorkerErrorKind::Crashed, "it ended\n    MemoryError");
        assert!(cap.is_exhausted(0, &told, None));
    }
}
