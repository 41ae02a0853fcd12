//! A child process that communicates in lines and cannot outlive etude.
//!
//! The child and all that it starts end when etude ends, and Ctrl-C at a terminal reaches etude
//! alone. No program can make etude wait longer than its patience or hold more than a bounded line.
//! Knows nothing of any protocol; the parts that differ between systems are in `unix` and
//! `windows`.

mod ending;
mod exchange;

use std::fmt::Display;
use std::io;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use wait4::ResourceUsage;

use super::Watchdog;
use super::memory::MemoryCap;
use super::output_lines::{LONGEST_LINE, OutputLines};
use super::system::{Pipes, ProcessTree, is_of_system};
use super::tail::LastLines;
use super::usage::{TreeTime, tree_time};
use task::outside::{Consent, DeclaredProgram, Executable, WorkerError, WorkerErrorKind, excerpt};

/// The time between two looks at an ending program.
pub(super) const GLANCE: Duration = Duration::from_millis(1);

/// The time that a program has to end once its input is closed, and again once it is asked to.
pub(super) const GRACE: Duration = Duration::from_secs(2);

/// The environment of every program: no randomness of its own, no threads of its own, lines that
/// leave at once, text in UTF-8.
const ENVIRONMENT: [(&str, &str); 6] = [
    ("PYTHONHASHSEED", "0"),
    ("PYTHONUNBUFFERED", "1"),
    ("OMP_NUM_THREADS", "1"),
    ("OPENBLAS_NUM_THREADS", "1"),
    ("MKL_NUM_THREADS", "1"),
    ("LC_ALL", "C.UTF-8"),
];

/// A running program with all three of its streams.
#[derive(Debug)]
pub struct Process {
    /// The program as messages name it.
    name: String,
    tree: ProcessTree,
    pipes: Pipes,
    output: OutputLines,
    tail: LastLines,
    /// The limits of what is waited for.
    pub(crate) limits: AnswerLimits,
}

/// The surroundings that a process is started in.
#[derive(Debug, Default)]
pub struct Surroundings<'a> {
    /// The watchdog whose group it joins; a new one if `None`.
    pub(crate) watchdog: Option<Watchdog>,
    /// The cap on its memory.
    pub(crate) memory: Option<&'a MemoryCap>,
}

/// The limits of what a program is waited for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AnswerLimits {
    /// The time after which nothing more is waited for, whatever the program writes.
    pub(crate) deadline: Option<Instant>,
    /// The seconds of the processor that it and all that it started may have used in the end.
    pub(crate) allowance: Option<f64>,
    /// True if an answer is whole once the program has ended, even if what it started keeps its output open.
    pub(crate) ends_alone: bool,
    /// The most bytes of an output that is received as a whole; `None` where its end will do.
    pub(crate) whole: Option<usize>,
}

impl Process {
    /// Starts a program with these arguments. No other function starts other people's programs.
    ///
    /// # Errors
    /// If nobody gave leave to start it, or it cannot be started.
    pub fn start(
        consent: &Consent,
        program: &DeclaredProgram,
        arguments: &[String],
        surroundings: Surroundings,
    ) -> Result<Self, WorkerError> {
        let executable = consent.of(program)?.executable()?;
        let name = program.title();
        Self::spawn(executable, arguments, &name, surroundings).map_err(|error| {
            let kind = if is_of_system(&error) {
                WorkerErrorKind::Environment
            } else {
                WorkerErrorKind::Fault
            };
            WorkerError::new(kind, format!("{name} cannot be started: {error}"))
        })
    }

    fn spawn(
        executable: &Executable,
        arguments: &[String],
        name: &str,
        surroundings: Surroundings,
    ) -> io::Result<Self> {
        let Surroundings { watchdog, memory } = surroundings;
        let path = &executable.path;
        let mut command = memory.map_or_else(|| Command::new(path), |cap| cap.command(path));
        command
            .args(arguments)
            .current_dir(&executable.folder)
            .envs(ENVIRONMENT)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let (tree, pipes) = ProcessTree::start(watchdog, &mut command)?;
        Ok(Self {
            name: name.to_owned(),
            tree,
            pipes,
            output: OutputLines::default(),
            tail: LastLines::default(),
            limits: AnswerLimits::default(),
        })
    }

    /// The process's number in the system.
    pub(crate) fn id(&self) -> u32 {
        self.tree.process.child.id()
    }

    /// The time and the memory of it and of all that it waited for; `None` before its end.
    pub fn usage(&self) -> Option<ResourceUsage> {
        self.tree.process.known_end().map(|ended| ended.rusage)
    }

    /// Seconds of the processor that it has used, with all that it started and waited for, or that still
    /// runs; `None` where the system does not tell.
    pub(crate) fn seconds(&self) -> Option<f64> {
        self.used().map(|used| used.seconds)
    }

    /// The resources that it has used, with all that it started and waited for, or that still runs; `None` where the
    /// system does not tell.
    pub(crate) fn used(&self) -> Option<TreeTime> {
        let ended = self.usage().map(|usage| TreeTime {
            seconds: (usage.utime + usage.stime).as_secs_f64(),
            faults: 0,
        });
        ended.or_else(|| tree_time(self.id()))
    }

    /// An error of the program, of which `problem` is said, with the last lines of its standard
    /// error.
    pub(super) fn error(&self, kind: WorkerErrorKind, problem: impl Display) -> WorkerError {
        let (name, mut words) = (&self.name, self.tail.to_string());
        if !words.is_empty() {
            words.insert_str(0, "\n  its standard error ended with:");
        }
        let problem = excerpt(&problem.to_string());
        WorkerError::new(kind, format!("{name} {problem}{words}"))
    }

    /// Like `error`, where a second try could not be told from chance.
    pub(crate) fn fault(&self, problem: impl Display) -> WorkerError {
        self.error(WorkerErrorKind::Fault, problem)
    }

    /// The line that was received last; empty where more was read or sent since.
    pub(crate) fn last_line(&self) -> &[u8] {
        self.output.last()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(300);
    const LATE: Duration = Duration::from_secs(20);

    fn shell(script: &str) -> Process {
        let program = DeclaredProgram {
            argv: ["sh", "-c", script].map(str::to_owned).into(),
            folders: vec!["/".into()],
            ..DeclaredProgram::default()
        };
        let consent = Consent::ask([&program], &[], None, false).unwrap();
        let alone = Surroundings::default();
        let mut process = Process::start(&consent, &program, &program.argv[1..], alone).unwrap();
        "it".clone_into(&mut process.name);
        process
    }

    #[test]
    fn lines_are_heard_one_by_one_however_they_come() {
        let mut process = shell("read a; printf 'one\\r\\ntw'; sleep 0.1; printf 'o\\n%s\\n' $a");
        process.send(b"three\n", LATE, "read").unwrap();
        assert_eq!(process.receive(LATE, "answer").unwrap(), b"one");
        assert_eq!(process.receive(LATE, "answer").unwrap(), b"two");
        assert_eq!(process.receive(LATE, "answer").unwrap(), b"three");
        let error = process.receive(LATE, "answer").unwrap_err();
        assert_eq!(
            error.message,
            "it ended before it could answer (exit status 0)"
        );
        assert_eq!(error.kind, WorkerErrorKind::Crashed);
    }

    #[test]
    fn a_byte_order_mark_before_the_first_line_is_passed_over() {
        let mut process = shell("printf '\\357\\273\\277one\\n\\357\\273\\277two\\n'");
        assert_eq!(process.receive(LATE, "answer").unwrap(), b"one");
        assert_eq!(
            process.receive(LATE, "answer").unwrap(),
            "\u{feff}two".as_bytes()
        );
        let mut process = shell("printf '\\357\\273\\277'; sleep 0.1; printf '\\n \\r\\nthree\\n'");
        assert_eq!(process.receive(LATE, "answer").unwrap(), b"three");
    }

    #[test]
    fn silent_programs_are_not_waited_for() {
        let mut process = shell("sleep 100");
        let silent = process.receive(SOON, "answer").unwrap_err();
        assert_eq!(silent.kind, WorkerErrorKind::Silent);
        let deaf = process.send(&[b'x'; 1 << 20], SOON, "answer").unwrap_err();
        assert!(deaf.message.starts_with("it read nothing in 0.3 s"));
    }

    #[test]
    fn a_byte_now_and_then_is_no_answer() {
        let mut process = shell("while :; do printf x; sleep 0.05; done");
        let dripping = process.receive(SOON, "answer").unwrap_err();
        assert_eq!(dripping.kind, WorkerErrorKind::Silent);
        assert!(
            dripping
                .message
                .starts_with("it gave no whole answer in 0.3 s")
        );
        let mut process = shell("while :; do printf x; sleep 0.05; done");
        let dripping = process.receive_all(SOON).unwrap_err();
        assert_eq!(dripping.kind, WorkerErrorKind::Silent);
        let mut process = shell("while :; do printf x; sleep 0.05; done");
        let deaf = process.feed(&[b'x'; 1 << 20], SOON).unwrap_err();
        assert_eq!(deaf.kind, WorkerErrorKind::Silent);
    }

    #[test]
    fn what_a_program_said_is_quoted_in_part() {
        let process = shell("cat");
        let fault = process.fault("is ".to_owned() + &"9".repeat(900_000) + ", not an integer");
        assert!(fault.message.len() < 2_000 && fault.message.ends_with(", not an integer"));
        let short = process.fault("is 9, not an integer");
        assert_eq!(short.message, "it is 9, not an integer");
    }

    #[test]
    fn a_line_without_end_takes_bounded_memory() {
        let mut process = shell("yes | tr -d '\\n'");
        let endless = process.receive(LATE, "answer").unwrap_err();
        assert!(endless.message.starts_with("it wrote a line longer"));
        assert!(process.output.buffer.len() < 4 * LONGEST_LINE);
    }

    #[test]
    fn blank_lines_without_end_are_not_waited_out() {
        let mut process = shell("yes ''");
        let endless = process.receive(LATE, "answer").unwrap_err();
        assert!(endless.message.starts_with("it wrote a line longer"));
    }

    #[test]
    fn large_requests_and_answers_do_not_block_each_other() {
        let mut process = shell("while read line; do echo $line; echo $line >&2; done");
        let line = [vec![b'y'; 500_000], b"\n".to_vec()].concat();
        for _ in 0..3 {
            process.send(&line, LATE, "read").unwrap();
            assert_eq!(process.receive(LATE, "answer").unwrap().len(), 500_000);
        }
        assert!(process.tail.to_string().starts_with("\n    yyy"));
        assert_eq!(process.stop("at last"), None);
    }

    #[test]
    fn programs_that_ignore_the_end_of_input_are_terminated() {
        let deaf = || shell("trap '' TERM; while :; do sleep 0.1; done").stop("at last");
        let deaf = base::threads::spawn("deaf", deaf).unwrap();
        let started = Instant::now();
        let remark = shell("exec sleep 100").stop("at last");
        let expected = "it ended with signal 15 (SIGTERM) at last";
        assert_eq!(remark.as_deref(), Some(expected));
        assert!(started.elapsed() < 3 * GRACE);
        let remark = deaf.join().unwrap();
        assert_eq!(remark.unwrap(), "it did not end at last and was killed");
    }
}
