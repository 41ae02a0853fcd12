//! The contract of tasks, with a task made for it: real numbers are tallied exactly, samples may
//! fail with a sentence, batches are asked for, and a thread has one workspace for all cells.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::run::{CompiledExperiment, Plan, RunError};
use experiment::{Experiment, Overrides};
use kit::rng::{Streams, below};
use task::{
    Build, Draw, GameSpec, Metric, ParamSpec, Params, Replay, Row, SampleError, Task, TaskSpec,
    Value, Worker, Workspace,
};

/// Workspaces that were filled. Tests that look at it count from where it stands.
static FILLED: AtomicUsize = AtomicUsize::new(0);

static QUEUE: GameSpec = GameSpec {
    name: "queue",
    summary: "A queue.",
    tasks: &[TaskSpec {
        name: Cow::Borrowed("queue/wait"),
        summary: Cow::Borrowed("How long customers wait."),
        sample: Cow::Borrowed("one customer"),
        noun: Cow::Borrowed("sample"),
        is_random: true,
        params: Cow::Borrowed(&[
            ParamSpec::integer("server", (0, 10_000), "Its number.").or_integer(0)
        ]),
        metrics: Cow::Borrowed(&[Metric::number("wait", "min", 3, "Waiting.").within(0, 600_000)]),
        contest: None,
        build: Build::By(|params| Ok(Box::new(Queue(params.integer("server")?)))),
    }],
    verbs: &[],
    players: &[],
};

struct Queue(i64);

/// The state of a thread, made once.
struct Counter;

impl Default for Counter {
    fn default() -> Self {
        FILLED.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

struct Customer(Streams, i64);

impl Task for Queue {
    fn worker<'a>(
        &'a self,
        streams: &Streams,
        workspace: &'a mut Workspace,
    ) -> Box<dyn Worker + 'a> {
        let _: &mut Counter = workspace.borrow();
        Box::new(Customer(*streams, self.0))
    }

    fn replay(&self, _: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        Err(SampleError::new(draw.index, "nobody saw it"))
    }
}

impl Worker for Customer {
    /// Server 9,999 breaks down at sample 77, server 9,998 says what it cannot, server 9,997 panics at sample 777,
    /// and server 9,996, where nobody waits for long, breaks down at sample 130.
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        if matches!((self.1, draw.index), (9_999, 77) | (9_996, 130)) {
            return Err(SampleError::new(draw.index, "the server broke down"));
        }
        assert_ne!((self.1, draw.index), (9_997, 777), "the queue is endless");
        let wait = below(&mut self.0.key("wait").stream(draw.index), 600_001) as i64;
        let stray = (self.1, draw.index) == (9_998, 5);
        let wait = if self.1 == 9_996 { wait / 100 } else { wait };
        row.push(Value::Exact(if stray { 600_001 } else { wait }));
        Ok(())
    }
}

fn experiment(rest: &str) -> Experiment {
    let text = format!("question = \"q\"\ntask = \"queue/wait\"\nseed = 8\n{rest}");
    Experiment::parse(&text, "queue.toml", &[&QUEUE], &Overrides::default())
        .unwrap_or_else(|error| panic!("{}", error.render(false)))
}

/// Seed 8: the mean of exact thousandths, by hand.
#[test]
fn numbers_are_tallied_exactly_and_reported_in_their_unit() {
    let experiment = experiment("[stop]\nsamples = 1_000\n");
    let key = Streams::new(8).key("wait");
    let sum: u64 = (0..1_000).map(|i| below(&mut key.stream(i), 600_001)).sum();
    for threads in [1, 3] {
        let outcome = crate::run::run(&experiment, threads).unwrap();
        let estimate = &outcome.cells[0][0];
        let mean = sum as f64 / 1e6;
        assert!((estimate.value.unwrap() - mean).abs() < 1e-9);
        assert!(estimate.interval.unwrap().contains(mean));
    }
}

/// Seed 8: uniform waits have a mean of 5 hours, which is not below 2.
#[test]
fn a_bounded_number_may_stop_a_run() {
    let rule = "[stop.half-width]\nmetric = \"wait\"\ntarget = 40\nmax-samples = 100_000\n";
    let outcome = crate::run::run(&experiment(rule), 2).unwrap();
    let estimate = &outcome.cells[0][0];
    assert!(estimate.n < 100_000, "{}", estimate.n);
    assert!(estimate.interval.unwrap().contains(300.0));
}

#[test]
fn a_sample_that_cannot_be_drawn_is_told_as_what_it_is() {
    let broken = experiment("[params]\nserver = 9_999\n[stop]\nsamples = 1_000\n");
    let Err(RunError::Fault(fault)) = crate::run(&broken, 2) else {
        panic!("the server broke down");
    };
    assert_eq!(
        fault.to_string(),
        "cell 0, sample 77: the server broke down"
    );
    let compiled = CompiledExperiment::of_experiment(&broken).unwrap();
    assert_eq!(
        compiled.source(0).replay(3).unwrap_err().message,
        "nobody saw it"
    );
}

/// The quick server is known well enough before it breaks down, the other one long after: on many threads that sample
/// is drawn before the look at which its cell stops.
#[test]
fn a_cell_that_has_stopped_has_no_fault_on_any_threads() {
    let text = "[sweep]\nserver = [9_996, 0]\n[stop.half-width]\nmetric = \"wait\"\ntarget = 30\n\
                each-cell = true\nmax-samples = 100_000\n";
    let run = |threads| crate::run::run(&experiment(text), threads).unwrap().cells;
    let alone = run(1);
    let [quick, slow] = [0, 1].map(|cell| alone[cell][0].n);
    assert!(quick <= 130 && slow > 2 * quick, "{quick} and {slow}");
    for threads in [2, 5, 5, 5] {
        assert_eq!(run(threads), alone);
    }
}

#[test]
fn a_panic_is_told_with_its_sample() {
    let endless = experiment("[params]\nserver = 9_997\n[stop]\nsamples = 200_000\n");
    let Err(RunError::Fault(fault)) = crate::run(&endless, 1) else {
        panic!("the queue is endless");
    };
    assert_eq!((fault.cell, fault.sample), (0, 777));
}

#[test]
fn a_value_outside_the_declared_limits_is_a_fault() {
    let stray = experiment("[params]\nserver = 9_998\n[stop]\nsamples = 50\n");
    let Err(RunError::Fault(fault)) = crate::run(&stray, 1) else {
        panic!("a wait of more than ten hours");
    };
    assert_eq!(
        fault.to_string(),
        "cell 0, sample 5: metric `wait` is 600.001, not within 0.000 to 600.000"
    );
}

/// Other tests of this file fill workspaces too, each at most three.
#[test]
fn a_thread_has_one_workspace_for_all_cells() {
    let servers: Vec<String> = (0..200).map(|server| server.to_string()).collect();
    let sweep = format!(
        "[stop]\nsamples = 20\n[sweep]\nserver = [{}]\n",
        servers.join(", ")
    );
    let experiment = experiment(&sweep);
    assert_eq!(Plan::of(&experiment).samples(), 20);
    let before = FILLED.load(Ordering::SeqCst);
    crate::run::run(&experiment, 2).unwrap();
    let filled = FILLED.load(Ordering::SeqCst) - before;
    assert!(filled <= 20, "{filled} workspaces for 2 threads");
}

/// A task that a file declares: nothing of it is known when the program is built.
#[test]
fn a_task_may_come_from_a_file() {
    let name = String::from("dice/") + "throw";
    let spec = TaskSpec {
        name: name.into(),
        summary: "read from a file".to_owned().into(),
        sample: "one throw".to_owned().into(),
        noun: "throw".to_owned().into(),
        is_random: true,
        params: Vec::new().into(),
        metrics: vec![Metric {
            name: "pips".to_owned().into(),
            ..Metric::integer("", "", (1, 6), "")
        }]
        .into(),
        contest: None,
        build: Build::With(Arc::new(|_: &Params| {
            Ok(Box::new(Queue(0)) as Box<dyn Task>)
        })),
    };
    assert_eq!(spec.metrics[0].limits(), Some((1, 6)));
    assert!(spec.build(&Params::new()).is_ok());
}
