//! A cap on the memory of a program: by a control group where one can be made, by a limit of the system otherwise.
//!
//! A control group counts a program with all that it starts, and the system ends what needs more. The limit counts the
//! data of each process alone (`RLIMIT_DATA`), and refuses more: the program tells that in its own words, if at all.
//! A shell caps itself before it becomes the program: what a program holds before it is capped is never counted.
//! References: Linux, *Control Group v2* and *Memory Resource Controller*; `getrlimit(2)`.

use std::path::Path;
use std::process::{Command, Stdio};

use wait4::ResourceUsage;

use super::groups::MemoryGroup;
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
pub(crate) struct MemoryCap {
    bytes: u64,
    /// The control group; `None` where none can be made.
    group: Option<MemoryGroup>,
}

impl MemoryCap {
    /// A cap of so many bytes.
    ///
    /// # Errors
    /// A sentence, if this system has none.
    pub(crate) fn new(bytes: u64) -> Result<Self, String> {
        if cfg!(not(target_os = "linux")) {
            return Err(
                "this system has no cap on another program's memory: remove `memory` from the cap"
                    .to_owned(),
            );
        }
        let by_group = MemoryGroup::new(bytes).map(Some);
        let mut caps = by_group.into_iter().chain([None]);
        let found = caps.find_map(|group| Some(Self { bytes, group }).filter(Self::can_be_taken));
        found.ok_or_else(|| {
            "this system lets nobody cap a program's memory here: remove `memory` from the cap"
                .to_owned()
        })
    }

    /// Returns whether a process can cap itself.
    fn can_be_taken(&self) -> bool {
        let mut shell = self.shell();
        let quiet = shell.stdin(Stdio::null()).stdout(Stdio::null());
        let ended = quiet.stderr(Stdio::null()).status();
        ended.is_ok_and(|status| status.success())
    }

    /// A shell that caps itself, and then becomes the program that its further arguments tell.
    fn shell(&self) -> Command {
        let mut shell = Command::new("/bin/sh");
        match &self.group {
            Some(group) => shell
                .args(["-c", r#"echo $$ > "$0" && exec "$@""#])
                .arg(group.members()),
            None => shell
                .args(["-c", r#"ulimit -d "$0" && exec "$@""#])
                .arg((self.bytes >> 10).to_string()),
        };
        shell
    }

    /// The command that starts a program under the cap.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut shell = self.shell();
        shell.arg(program);
        shell
    }

    /// The means by which memory is capped, for a sentence.
    pub(crate) fn means(&self) -> &'static str {
        match self.group {
            Some(_) => "a control group",
            None => "a limit on the data of each process",
        }
    }

    /// The number of processes that the system has ended at the cap.
    pub(crate) fn kills(&self) -> u64 {
        self.group.as_ref().map_or(0, MemoryGroup::kills)
    }

    /// Returns whether a program that gave no answer ran out of memory, where so many had been ended before.
    pub(crate) fn is_exhausted(
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::process::{Process, Surroundings};
    use std::time::Duration;
    use task::outside::{Consent, DeclaredProgram};

    const CAP: u64 = 200 << 20;

    /// The end of a program that holds so many bytes under a cap, and whether it ran out of memory.
    fn holding(cap: &MemoryCap, bytes: u64) -> (Result<(), WorkerError>, bool) {
        let script = format!("x = b'x' * {bytes}; print(1)");
        let program = DeclaredProgram {
            argv: ["python3", "-c", &script].map(str::to_owned).into(),
            folders: vec!["/".into()],
            ..DeclaredProgram::default()
        };
        let consent = Consent::ask([&program], &[], None, false).unwrap();
        let kills = cap.kills();
        let capped = Surroundings {
            memory: Some(cap),
            ..Surroundings::default()
        };
        let mut process = Process::start(&consent, &program, &program.argv[1..], capped).unwrap();
        // However late this process goes on, the cap holds from the program's first instruction.
        std::thread::sleep(Duration::from_millis(300));
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
