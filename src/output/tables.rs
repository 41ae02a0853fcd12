//! The tables of a run folder, as columns with types and rows of text.
//!
//! A missing value is an empty field. Every interval names its level, its method and what it is
//! valid under.

use crate::config::{ClaimSpec, Experiment, Subject, Target};
use crate::harness::{
    BlockTally, Checkpoint, ClaimOutcome, KnownTruth, Laboratory, Outcome, PairOutcome, Tally,
    known_truths,
};
use crate::stats::{Bounded, Estimate, Histogram};
use crate::task::Metric;

use super::elo::elo_table;
use super::number::number;
use super::ratings::ratings_table;
use super::variance::variance_table;
use super::weights::weights_table;

/// A table of a run folder.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    name: &'static str,
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What its fields hold.
    pub kind: ColumnKind,
}

/// What the fields of a column hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Text.
    Text,
    /// Integers.
    Integer,
    /// Numbers.
    Number,
    /// `true` or `false`.
    Flag,
}

impl ColumnKind {
    /// The type's name in a Frictionless table schema.
    pub fn frictionless(self) -> &'static str {
        match self {
            ColumnKind::Text => "string",
            ColumnKind::Integer => "integer",
            ColumnKind::Number => "number",
            ColumnKind::Flag => "boolean",
        }
    }
}

impl Table {
    /// The file's name without `.csv`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The file's bytes.
    pub fn to_csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        // Writing to memory cannot fail.
        let _ = writer.write_record(self.columns.iter().map(|column| &column.name));
        for row in &self.rows {
            let _ = writer.write_record(row);
        }
        writer.into_inner().unwrap_or_default()
    }

    /// Adds a row, of one field for each column.
    pub(super) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// A table whose columns are spelled `name`, `name:integer`, `name:number` or `name:flag`.
    pub(super) fn new<'a>(name: &'static str, columns: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            name,
            columns: columns.into_iter().map(column).collect(),
            rows: Vec::new(),
        }
    }
}

fn column(spelled: &str) -> Column {
    let (name, kind) = match spelled.split_once(':') {
        Some((name, "integer")) => (name, ColumnKind::Integer),
        Some((name, "flag")) => (name, ColumnKind::Flag),
        Some((name, _)) => (name, ColumnKind::Number),
        None => (spelled, ColumnKind::Text),
    };
    Column {
        name: name.to_owned(),
        kind,
    }
}

const ESTIMATE: [&str; 12] = [
    "n:integer",
    "n_unresolved:integer",
    "mean:number",
    "mean_lo:number",
    "mean_hi:number",
    "sd:number",
    "mcse:number",
    "ci_lo:number",
    "ci_hi:number",
    "ci_level:number",
    "ci_method",
    "valid_under",
];

/// Every table of an experiment's outcome. `stop_reason` says why sampling stopped.
pub fn outcome_tables(
    experiment: &Experiment,
    laboratory: &Laboratory,
    outcome: &Outcome,
    claims: &[ClaimOutcome],
    stop_reason: &str,
) -> Vec<Table> {
    let mut tables = vec![
        summary(experiment, outcome, stop_reason),
        histograms(experiment, &outcome.tally),
    ];
    if !experiment.claims.is_empty() {
        tables.push(claims_table(experiment, claims));
    }
    if !laboratory.pairs().is_empty() {
        tables.push(pairs(experiment, &outcome.pairs));
    }
    let known = known_truths(laboratory, outcome);
    if !known.is_empty() {
        tables.push(truths(experiment, outcome, &known));
    }
    tables.extend(variance_table(experiment, laboratory, outcome));
    tables.extend(elo_table(experiment, outcome, stop_reason));
    tables.extend(ratings_table(experiment, &outcome.tally, stop_reason));
    tables.extend(weights_table(experiment, &outcome.tally));
    tables
}

fn summary(experiment: &Experiment, outcome: &Outcome, stop_reason: &str) -> Table {
    let params = experiment.task.params.iter();
    let params: Vec<String> = params.map(|param| param_column(param.name)).collect();
    let params = params.iter().map(String::as_str);
    let columns = ["experiment", "cell"].into_iter().chain(params);
    let columns = columns.chain(["metric", "unit"]).chain(ESTIMATE);
    let mut table = Table::new("summary", columns.chain(["stop_reason"]));
    for (cell, estimates) in experiment.cells.iter().zip(&outcome.cells) {
        let params = experiment.task.params.iter().map(|param| {
            let value = cell.params.get(param.name);
            value.map_or(String::new(), ToString::to_string)
        });
        let head: Vec<String> = [experiment.name.clone(), cell.name.clone()]
            .into_iter()
            .chain(params)
            .collect();
        for (metric, estimate) in experiment.task.metrics.iter().zip(estimates) {
            let mut row = head.clone();
            row.extend([metric.name.to_owned(), metric.unit.to_owned()]);
            row.extend(estimate_fields(estimate));
            row.push(stop_reason.to_owned());
            table.rows.push(row);
        }
    }
    table
}

/// What comes before the name of a parameter that a column of every summary has already, as `n`.
pub const PARAM_PREFIX: &str = "param_";

fn param_column(name: &str) -> String {
    let own = ESTIMATE.iter().map(|spelled| column(spelled).name);
    let own = own.chain(["experiment", "cell", "metric", "unit", "stop_reason"].map(String::from));
    match own.into_iter().any(|column| column == name) {
        true => format!("{PARAM_PREFIX}{name}"),
        false => name.to_owned(),
    }
}

/// What `ci_method` says where weights are too concentrated for an interval.
pub const UNTRUSTED: &str = "untrusted";

fn estimate_fields(estimate: &Estimate) -> Vec<String> {
    let interval = estimate.interval;
    let no_method = if estimate.untrusted { UNTRUSTED } else { "" };
    vec![
        estimate.n.to_string(),
        estimate.unresolved.to_string(),
        number(estimate.value),
        number(estimate.lower),
        number(estimate.upper),
        number(estimate.sd),
        number(estimate.mcse),
        number(interval.map(|interval| interval.lo)),
        number(interval.map(|interval| interval.hi)),
        number(interval.map(|interval| interval.level.get())),
        interval
            .map_or(no_method, |interval| interval.method.name())
            .into(),
        interval
            .map_or("", |interval| interval.validity.name())
            .into(),
    ]
}

/// Counts of every value of the metrics that keep a histogram. Unresolved samples are counted at
/// both of their ends.
fn histograms(experiment: &Experiment, tally: &BlockTally) -> Table {
    let mut table = Table::new(
        "histograms",
        [
            "experiment",
            "cell",
            "metric",
            "value:number",
            "count:integer",
            "unresolved_from:integer",
            "unresolved_to:integer",
        ],
    );
    for (index, cell) in experiment.cells.iter().enumerate() {
        for (metric, tally) in experiment.task.metrics.iter().zip(tally.cell(index)) {
            let Tally::Counts(counts) = tally else {
                continue;
            };
            for fields in histogram_rows(metric, counts) {
                let mut row = vec![
                    experiment.name.clone(),
                    cell.name.clone(),
                    metric.name.to_owned(),
                ];
                row.extend(fields);
                table.rows.push(row);
            }
        }
    }
    table
}

fn histogram_rows(metric: &Metric, counts: &Bounded<Histogram>) -> Vec<[String; 4]> {
    let mut values: Vec<i64> = [counts.resolved(), counts.lows(), counts.highs()]
        .iter()
        .flat_map(|ends| ends.iter().map(|(value, _)| value))
        .collect();
    values.sort_unstable();
    values.dedup();
    let row = |value: i64| {
        [
            number(Some(value as f64 / f64::from(metric.per))),
            counts.resolved().count_of(value).to_string(),
            counts.lows().count_of(value).to_string(),
            counts.highs().count_of(value).to_string(),
        ]
    };
    values.into_iter().map(row).collect()
}

/// The estimates of the first cell as its samples came in.
pub fn convergence_table(experiment: &Experiment, checkpoints: &[Checkpoint]) -> Table {
    let columns = ["experiment", "cell", "metric", "unit", "samples:integer"];
    let mut table = Table::new("convergence", columns.into_iter().chain(ESTIMATE));
    let cell = experiment.cells.first().map_or("", |cell| &cell.name);
    for checkpoint in checkpoints {
        for (metric, estimate) in experiment.task.metrics.iter().zip(&checkpoint.estimates) {
            let mut row = vec![
                experiment.name.clone(),
                cell.to_owned(),
                metric.name.to_owned(),
                metric.unit.to_owned(),
                checkpoint.samples.to_string(),
            ];
            row.extend(estimate_fields(estimate));
            table.rows.push(row);
        }
    }
    table
}

fn claims_table(experiment: &Experiment, claims: &[ClaimOutcome]) -> Table {
    let columns = [
        "experiment",
        "claim:integer",
        "source",
        "text",
        "holds",
        "cell",
        "unit",
    ];
    let columns = columns.into_iter().chain(ESTIMATE);
    let mut table = Table::new("claims", columns.chain(["verdict", "note"]));
    for outcome in claims {
        let claim = &experiment.claims[outcome.claim];
        let mut row = vec![
            experiment.name.clone(),
            (outcome.claim + 1).to_string(),
            claim.source.clone(),
            claim.text.clone(),
            claim.holds.clone(),
            target(experiment, outcome.target),
            claimed_metric(experiment, claim).unit.to_owned(),
        ];
        row.extend(estimate_fields(&outcome.estimate));
        row.extend([outcome.decision.name().to_owned(), outcome.note.clone()]);
        table.rows.push(row);
    }
    table
}

fn claimed_metric(experiment: &Experiment, claim: &ClaimSpec) -> &'static Metric {
    let (Subject::Metric { metric, .. } | Subject::Difference { metric, .. }) = claim.subject;
    &experiment.task.metrics[metric]
}

fn target(experiment: &Experiment, target: Target) -> String {
    let name = |cell: usize| &experiment.cells[cell].name;
    match target {
        Target::Cell(cell) => name(cell).clone(),
        Target::Pair { first, second } => format!("{} - {}", name(first), name(second)),
    }
}

/// Paired differences, first minus second, on the same instances.
fn pairs(experiment: &Experiment, pairs: &[PairOutcome]) -> Table {
    let columns = ["experiment", "first", "second", "metric", "unit"];
    let columns = columns.into_iter().chain(ESTIMATE);
    let last = [
        "correlation:number",
        "variance_reduction:number",
        "mcnemar_p:number",
    ];
    let mut table = Table::new("pairs", columns.chain(last));
    for outcome in pairs {
        let name = |cell: usize| experiment.cells[cell].name.clone();
        for (metric, difference) in experiment.task.metrics.iter().zip(&outcome.differences) {
            if difference.estimate.n == 0 {
                continue;
            }
            let mut row = vec![
                experiment.name.clone(),
                name(outcome.pair.first),
                name(outcome.pair.second),
                metric.name.to_owned(),
                metric.unit.to_owned(),
            ];
            row.extend(estimate_fields(&difference.estimate));
            row.extend([
                number(difference.correlation),
                number(difference.variance_reduction),
                number(difference.mcnemar),
            ]);
            table.rows.push(row);
        }
    }
    table
}

/// What is known exactly, beside its estimate.
fn truths(experiment: &Experiment, outcome: &Outcome, known: &[KnownTruth]) -> Table {
    let columns = ["experiment", "cell", "metric", "unit"];
    let columns = columns.into_iter().chain(ESTIMATE);
    let last = ["truth:number", "covered:flag", "source"];
    let mut table = Table::new("truths", columns.chain(last));
    for known in known {
        let metric = &experiment.task.metrics[known.metric];
        let mut row = vec![
            experiment.name.clone(),
            experiment.cells[known.cell].name.clone(),
            metric.name.to_owned(),
            metric.unit.to_owned(),
        ];
        row.extend(estimate_fields(&outcome.cells[known.cell][known.metric]));
        row.extend([
            number(Some(known.truth.value)),
            known
                .covered
                .map_or(String::new(), |covered| covered.to_string()),
            known.truth.source.clone(),
        ]);
        table.rows.push(row);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_named_as_a_column_is_told_from_it() {
        assert_eq!(param_column("n"), "param_n");
        assert_eq!(param_column("unit"), "param_unit");
        assert_eq!(param_column("layout"), "layout");
    }
}
