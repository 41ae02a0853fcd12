//! The tables of a race that hold times, and what is computed of them.

mod comparison;
mod growth;

use stats::speed::{Speed, SpeedVerdict};
use stats::{ClaimVerdict, Interval, Level, PairStatistic, Span};

use super::row::table_row;
use super::{Column, ColumnKind, RecordFields, RowValue, Table};
use crate::run::Timing;
use experiment::{Cell, Experiment};
use task::outside::InstanceFiles;
use task::{Spent, TableCell, TimingState};

pub use comparison::{Comparison, swept_series};
pub use growth::GrowthStatistic;

table_row! {
    /// A row of `clock.csv`: one timing.
    pub(crate) struct ClockRow in "clock", keys ["instance", "entrant", "start", "position", "state"] {
        /// The instance, from 0.
        instance: u64,
        /// The contender, or `control`.
        entrant: String,
        /// The number of times that all had been started, this one included.
        start: u64,
        /// The position in the order of the instance, from 1; 0 of what counts for nothing: a program's
        /// start, and its first answer.
        position: u64,
        /// `started`, `done`, `capped`, `out-of-memory` or `failed`.
        state: TimingState,
        /// Seconds of the processor in the program.
        user: f64,
        /// Seconds of the processor in the system.
        system: f64,
        /// Seconds on the wall.
        wall: f64,
        /// The most memory of a program, in bytes; empty where it cannot be told from that of its starter.
        peak: Option<u64>,
        /// Seconds of the processor by which a clock that counts in steps may be off, either way; empty of
        /// any other clock.
        step: Option<f64>,
        /// The name of the instance's file.
        name: String,
    }
}

table_row! {
    /// A row of `clock/speed.csv`.
    pub struct SpeedRow in "clock/speed", keys ["first", "second", "statistic"] {
        /// The contender whose time is divided.
        first: String,
        /// The contender that it is divided by; the same one for the control, none for a share decided.
        second: String,
        /// `median`, `total`, `faster` or `decided`; `baseline` of the contender whose time is subtracted.
        statistic: PairStatistic,
        /// The estimate.
        speed: Speed,
        /// `different`, `different within the margin`, `equal` or `open`.
        verdict: SpeedVerdict,
    }
}

table_row! {
    /// A row of `clock/growth.csv`.
    pub struct GrowthRow in "clock/growth", keys ["parameter", "contender", "statistic"] {
        /// The swept parameter.
        parameter: String,
        /// The other swept values.
        contender: String,
        /// `factor`, for each step of 1 of the parameter, or `exponent`.
        statistic: GrowthStatistic,
        /// The estimate.
        estimate: f64,
        /// The interval.
        interval: Option<Interval>,
        /// Values of the parameter.
        values: u64,
        /// Instances of each value.
        n: u64,
        /// True if the medians lie on a straight line, as far as they are known.
        straight: Option<bool>,
    }
}

table_row! {
    /// A row of `clock/claims.csv`.
    pub struct BenchClaimRow in "clock/claims", keys ["holds"] {
        /// The person or text that makes the claim.
        source: String,
        /// The sentence.
        text: String,
        /// The relation.
        holds: String,
        /// The ratio, at the level of the decision.
        speed: Speed,
        /// `supported`, `refuted` or `undecided`.
        verdict: ClaimVerdict,
        /// True if it was written after seeing results.
        post_hoc: Option<bool>,
    }
}

/// The instances of an experiment that are files. To name one that a program makes is to start the program, which
/// no reader of times does.
fn instance_files(experiment: &Experiment) -> Option<&InstanceFiles> {
    experiment.instances()?.files()
}

/// The name of the file that holds an instance; empty where none does.
fn file_name(experiment: &Experiment, instance: u64) -> String {
    let name = instance_files(experiment).and_then(|files| files.name(instance).ok());
    name.unwrap_or_default().to_owned()
}

/// Returns whether any contender goes on running, so that what its children use is counted in steps.
fn has_workers(experiment: &Experiment) -> bool {
    let mut programs = experiment.cells.iter().filter_map(Cell::program);
    programs.any(|program| !program.once)
}

/// `clock.csv` of these timings. It names instances that are files, and has the steps of workers' clocks.
pub(crate) fn clock_table<'run>(
    experiment: &'run Experiment,
    timings: impl IntoIterator<Item = Timing, IntoIter: 'run>,
) -> Table<'run> {
    let are_named = instance_files(experiment).is_some();
    let are_stepped = has_workers(experiment);
    let is_kept = move |column: &str| match column {
        "name" => are_named,
        "step" => are_stepped,
        _ => true,
    };
    let rows = timings.into_iter();
    let rows = rows.map(|timing| ClockRow::of(experiment, &timing));
    Table::of_columns(is_kept, rows)
}

impl ClockRow {
    /// The row of a timing.
    fn of(experiment: &Experiment, timing: &Timing) -> Self {
        let mut entrants = experiment.entrants();
        let name = entrants.nth(timing.entrant).map_or("", |(_, name)| name);
        Self {
            instance: timing.instance,
            entrant: name.to_owned(),
            start: timing.start,
            position: timing.position,
            state: timing.state,
            user: timing.spent.user,
            system: timing.spent.system,
            wall: timing.spent.wall,
            peak: timing.spent.peak_bytes,
            step: Some(timing.spent.step).filter(|&step| step > 0.0),
            name: file_name(experiment, timing.instance),
        }
    }

    /// The timing; `None` if there is no such instance or entrant, or a time is negative.
    pub(crate) fn timing(&self, experiment: &Experiment) -> Option<Timing> {
        let step = self.step.unwrap_or_default();
        let times = [self.user, self.system, self.wall, step];
        let is_named = self.name == file_name(experiment, self.instance);
        if !is_named || times.iter().any(|seconds| *seconds < 0.0) {
            return None;
        }
        let mut entrants = experiment.entrants();
        Some(Timing {
            instance: self.instance,
            entrant: entrants.position(|(_, name)| *name == self.entrant)?,
            start: self.start,
            position: self.position,
            state: self.state,
            spent: Spent {
                user: self.user,
                system: self.system,
                wall: self.wall,
                peak_bytes: self.peak,
                step,
            },
        })
    }
}

impl RowValue for Speed {
    fn columns(name: &str, meaning: &str) -> Vec<Column> {
        let open = "The estimate; empty where stopped answers leave it open.";
        let cut = "Instances that count and have a time that was cut off.";
        let mut columns = vec![Column::new("estimate", ColumnKind::Number, open)];
        // Either end is empty where it is open.
        columns.extend(Option::<Interval>::columns(name, meaning));
        columns.extend(u64::columns("n", "Instances that count."));
        columns.extend(u64::columns("n_censored", cut));
        columns
    }

    fn write(&self, cells: &mut Vec<TableCell>) {
        let level = self.interval.map(|found| found.level.get());
        let (method, validity) = self.interval.map_or(("", ""), |found| {
            (found.method.into(), found.validity.into())
        });
        cells.extend([self.value, self.lo(), self.hi(), level].map(TableCell::from));
        cells.extend([method, validity].map(TableCell::from));
        cells.extend([self.n, self.censored].map(TableCell::from));
    }

    fn read(fields: &RecordFields<'_>, _: &str) -> Self {
        let limits = Span::new(
            fields.number("ci_lo").unwrap_or(f64::NEG_INFINITY),
            fields.number("ci_hi").unwrap_or(f64::INFINITY),
        );
        let interval = fields.number("ci_level").and_then(|level| {
            let method = fields.known("ci_method", |name| name.parse().ok());
            let validity = fields.known("valid_under", |name| name.parse().ok());
            Interval::half_open(limits, Level::stated(level)?, method?, validity?)
        });
        Self {
            value: fields.number("estimate"),
            interval,
            ..Self::none(fields.count("n"), fields.count("n_censored"))
        }
    }
}
