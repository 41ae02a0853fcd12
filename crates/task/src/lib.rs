#![doc = include_str!("../README.md")]

mod application;
mod cell;
pub mod coin;
pub mod laws;
mod metric;
mod origin;
pub mod outside;
mod params;
mod replay;
mod row;
mod row_check;
mod script;
mod simple;
mod source;
mod tally;
mod timed;
mod verb;
mod workspace;

pub use application::{Application, BuiltIn};
pub use cell::TableCell;
/// The command-line parser, whose `Args` declares the options of a game's [`Verb`].
pub use clap;
pub use metric::{Metric, MetricKind, UNITLESS};
pub use origin::Origin;
pub use params::{ParamError, ParamKind, ParamSpec, ParamValue, Params, Words};
pub use replay::{Frame, Replay};
pub use row::{Row, Value};
pub use script::Script;
pub use simple::worker_of;
pub use source::SampleSource;
pub use tally::{Tally, decode_tallies, encode_tallies};
pub use timed::{AnswerValues, Entrant, Spent, TimedAnswer, TimingState};
pub use verb::{Console, Verb, VerbOptions, by_name};
pub use workspace::Workspace;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use kit::rng::Streams;
use kit::search::Budget;

/// Everything a game offers, as one static value.
#[derive(Debug)]
pub struct GameSpec {
    /// The game's name on the command line and before the slash of a task's name.
    pub name: &'static str,
    /// A line that says what the game is and where it comes from.
    pub summary: &'static str,
    /// The game's random experiments.
    pub tasks: &'static [TaskSpec],
    /// The verbs for one instance of it.
    pub verbs: &'static [Verb],
    /// The game's named players, if it is a match game.
    pub players: &'static [PlayerSpec],
}

/// A named player, as `list players` shows it.
#[derive(Clone, Copy, Debug)]
pub struct PlayerSpec {
    /// Name, with its parameters' shape: `search(depth)`.
    pub name: &'static str,
    /// The side it plays.
    pub side: &'static str,
    /// A sentence that says how it chooses.
    pub summary: &'static str,
}

/// A random experiment. A game's are constants; others may come from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskSpec {
    /// `game/task`.
    pub name: Cow<'static, str>,
    /// A sentence that says what is measured.
    pub summary: Cow<'static, str>,
    /// The description of one sample: "one shuffled deal, solved".
    pub sample: Cow<'static, str>,
    /// The noun for a sample, in the singular: "deal".
    pub noun: Cow<'static, str>,
    /// True if a sample depends on chance. Without it all are alike, so one is drawn, and what it
    /// says is exact.
    pub is_random: bool,
    /// The parameters it accepts.
    pub params: Cow<'static, [ParamSpec]>,
    /// The metrics of each sample, in the order of its [`Row`].
    pub metrics: Cow<'static, [Metric]>,
    /// Set where a sample is a match between two sides.
    pub contest: Option<Contest>,
    /// The builder of the task; see [`TaskSpec::build`].
    pub build: Build,
}

impl TaskSpec {
    /// The task with these parameters, already checked against `params` by name, kind and range.
    ///
    /// # Errors
    /// [`ParamError`] for a parameter that the task cannot accept, alone or beside the others.
    pub fn build(&self, params: &Params) -> Result<Box<dyn Task>, ParamError> {
        match &self.build {
            Build::By(build) => build(params),
            Build::With(build) => build(params),
        }
    }
}

/// The builder of a task.
#[derive(Clone)]
pub enum Build {
    /// A function.
    By(fn(&Params) -> Result<Box<dyn Task>, ParamError>),
    /// A function with what it knows from a file.
    With(Arc<Builder>),
}

/// A function that builds a task.
type Builder = dyn Fn(&Params) -> Result<Box<dyn Task>, ParamError> + Send + Sync;

/// Tasks are compared by what they declare: builders are all alike.
impl PartialEq for Build {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Build")
    }
}

/// The parameters that name the two sides of a match, and the metrics that hold its outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contest {
    /// The parameter naming the first side's player.
    pub first: &'static str,
    /// The parameter naming the second side's player.
    pub second: &'static str,
    /// A flag metric: the first side won.
    pub win: &'static str,
    /// A flag metric: nobody won.
    pub draw: &'static str,
}

impl Contest {
    /// The names of the metrics that count the forfeits of either side, where players may forfeit.
    pub fn forfeits(&self) -> [String; 2] {
        [self.first, self.second].map(|side| format!("{side}-forfeits"))
    }
}

/// The sample to draw and what it may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The sample's index in the experiment.
    pub index: u64,
    /// The nodes its exact search may visit.
    pub budget: Budget,
}

/// A task with its parameters fixed: shared by all threads, immutable.
///
/// ```
/// use kit::rng::{StreamKey, Streams, below};
/// use etude_task::{Draw, Replay, Row, SampleError, Task, Value, Worker, Workspace};
///
/// struct Die {
///     sides: u64,
/// }
///
/// struct Roller<'task>(&'task Die, StreamKey);
///
/// impl Task for Die {
///     fn worker<'a>(&'a self, streams: &Streams, _: &'a mut Workspace) -> Box<dyn Worker + 'a> {
///         Box::new(Roller(self, streams.key("die")))
///     }
///
///     fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
///         let rolled = below(&mut streams.key("die").stream(draw.index), self.sides) + 1;
///         Ok(Replay {
///             instance: format!("roll {}", draw.index),
///             frames: Vec::new(),
///             outcome: format!("{rolled} pips"),
///         })
///     }
/// }
///
/// impl Worker for Roller<'_> {
///     fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
///         let rolled = below(&mut self.1.stream(draw.index), self.0.sides) + 1;
///         row.push(Value::Exact(rolled as i64));
///         Ok(())
///     }
/// }
/// ```
pub trait Task: Send + Sync {
    /// A worker, to draw some samples on one thread. Making one is cheap: what is not belongs into
    /// the thread's `workspace`, which the workers of all cells borrow in turn.
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        workspace: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task>;

    /// Returns a sample step by step, for a person to read.
    ///
    /// # Errors
    /// [`SampleError`] if the sample cannot be drawn.
    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError>;

    /// An instance as other programs read it: in the game's own notation, or in the form of that name;
    /// `None` where there is none.
    fn instance(&self, streams: &Streams, index: u64, form: Option<&str>) -> Option<String> {
        let _ = (streams, index, form);
        None
    }

    /// Draws some samples twice, where the task cannot be trusted to draw the same each time: for
    /// tasks whose samples other programs draw.
    ///
    /// # Errors
    /// [`SampleError`] for a sample that cannot be drawn, or that differs.
    fn check_repeatable(&self, streams: &Streams, budget: Budget) -> Result<(), SampleError> {
        let _ = (streams, budget);
        Ok(())
    }

    /// Returns whether a program takes part in it that [`check_repeatable`](Self::check_repeatable) of
    /// no cell has met yet.
    fn has_unchecked(&self) -> bool {
        false
    }

    /// The rules of the game in a few short lines, for the reader of a replay; empty of a task without.
    fn rules(&self) -> String {
        String::new()
    }

    /// Returns the reason for which a budget changes no sample; `None` where it may. Experiments with a
    /// budget that changes nothing are refused.
    fn ignores_budget(&self) -> Option<&'static str> {
        Some("a budget limits an exact search, and none decides these samples")
    }

    /// Returns whether other programs draw its samples: then nothing is drawn but by a run and what checks
    /// or shows one.
    fn is_external(&self) -> bool {
        false
    }

    /// Makes a row that of a sample that took longer than it may, and returns whether all of it follows
    /// from that alone: for tasks whose samples other programs draw, with a limit on how long they may
    /// take.
    fn time_out(&self, row: &mut Row) -> bool {
        let _ = row;
        false
    }

    /// Judges a sample by the rows of two draws: returns the row that counts, where a program loses the
    /// sample by differing; `None` where it does not, or nothing tells who did.
    ///
    /// # Errors
    /// [`SampleError`] that names the program at fault, whose faults end the run.
    fn judge(
        &self,
        streams: &Streams,
        draw: Draw,
        rows: [&Row; 2],
    ) -> Result<Option<Row>, SampleError> {
        let _ = (streams, draw, rows);
        Ok(None)
    }

    /// The exact expectation of a metric, where it is known.
    fn truth(&self, metric: &str) -> Option<Truth> {
        let _ = metric;
        None
    }

    /// The exact values that take seconds to be worked out, in words; `None` if nobody has to wait.
    fn awaited_truth(&self) -> Option<&'static str> {
        None
    }

    /// The least and the greatest value of a metric that any sample can have, where both are known
    /// exactly.
    fn support(&self, metric: &str) -> Option<Support> {
        let _ = metric;
        None
    }

    /// Returns whether the samples of a metric of weights can hide most of its mean: draws that avoid what
    /// is large, so rarely met that a sample without it looks even. No rule that looks at the sample
    /// sees it, so such a mean is reported and never trusted: it has no interval and decides nothing.
    fn mean_untrustworthy(&self, metric: &str) -> bool {
        let _ = metric;
        false
    }

    /// The feature of an instance that the estimates may be adjusted by; workers measure it.
    fn control(&self) -> Option<Control> {
        None
    }
}

/// Draws samples, reusing its workspace memory from one to the next.
pub trait Worker {
    /// Draws sample `draw.index` and pushes one value per metric of the task, in order.
    ///
    /// A pure function of the seed, the task's parameters and `draw`: what was drawn before
    /// must not matter.
    ///
    /// # Errors
    /// [`SampleError`] if the sample cannot be drawn. It ends the run and is never counted.
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError>;

    /// Draws the samples from `first.index` on, one for each of the empty `rows`. For workers that
    /// do better with many at a time than with one after another.
    ///
    /// # Errors
    /// [`SampleError`] for the first sample that cannot be drawn.
    fn batch(&mut self, first: Draw, rows: &mut [Row]) -> Result<(), SampleError> {
        one_by_one(first, rows, &mut |draw, row| self.sample(draw, row))
    }

    /// Measures [`Task::control`] on sample `index`; `None` where it cannot be found, which leaves
    /// the estimates unadjusted.
    fn control(&mut self, index: u64) -> Option<i64> {
        let _ = index;
        None
    }
}

/// Draws a sample for each row. Compiled once, and not for each worker.
fn one_by_one(
    first: Draw,
    rows: &mut [Row],
    sample: &mut dyn FnMut(Draw, &mut Row) -> Result<(), SampleError>,
) -> Result<(), SampleError> {
    for (row, offset) in rows.iter_mut().zip(0..) {
        let index = first.index + offset;
        sample(Draw { index, ..first }, row)?;
    }
    Ok(())
}

/// An error: a sample could not be drawn, because an input is gone or a program broke down. A mistake in
/// the task itself is a panic.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SampleError {
    /// The sample's index.
    pub sample: u64,
    /// The fault, as a sentence without its final stop.
    pub message: String,
}

impl SampleError {
    /// Sample `sample` cannot be drawn.
    pub fn new(sample: u64, message: impl Into<String>) -> Self {
        Self {
            sample,
            message: message.into(),
        }
    }
}

/// Usual causes of a sample that differs when it is drawn again.
pub const IMPURE: &str =
    "usual causes are a seed of its own, the clock, and state kept between samples";

/// An exactly known expectation of a metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    /// The expectation, in the metric's unit.
    pub value: f64,
    /// The source of the knowledge.
    pub source: String,
}

/// The ends of what a metric can be, both of which occur.
#[derive(Clone, Debug, PartialEq)]
pub struct Support {
    /// The least value, in the metric's unit.
    pub least: f64,
    /// The greatest value, in the metric's unit.
    pub most: f64,
    /// The source of the knowledge.
    pub source: String,
}

/// A control variate: a feature of an instance whose mean another run knows better.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control {
    /// The parameter's name in experiment files.
    pub name: &'static str,
    /// The quantity and the instances that the run must have measured, equal in all cells.
    pub over: String,
    /// The least and the greatest value that it can have.
    pub limits: (i64, i64),
}

#[cfg(test)]
mod tests;
