//! `summary.csv`: an estimate of every metric in every cell.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::facts::RunFacts;
use super::from_file::each_row;
use super::record_fields::RecordFields;
use super::row::{Column, ColumnKind, RowValue, TableRow, table_row};
use super::table::Table;
use crate::run::Stopped;
use experiment::Experiment;
use stats::Estimate;
use task::{ParamKind, ParamSpec, TableCell};

table_row! {
    /// A row of `summary.csv`: the estimate of a metric in a cell.
    pub struct SummaryRow in "summary", keys ["cell", "metric"] refers ["metric"] to "metrics" {
        /// Name of the experiment.
        experiment: String,
        /// One combination of the swept parameters.
        cell: String,
        /// The values of the cell's parameters.
        params: CellParams,
        /// Name of the metric.
        metric: String,
        /// Unit of the metric; empty for a share.
        unit: String,
        /// The estimate.
        estimate: Estimate,
        /// The reason why sampling stopped.
        stop_reason: Option<Stopped>,
    }
}

/// The parameters of a cell, each with its value as a text.
#[derive(Clone, Debug, Default)]
pub struct CellParams(Arc<[(String, String)]>);

impl CellParams {
    /// The value of a parameter.
    pub fn get(&self, name: &str) -> Option<&String> {
        let mut params = self.0.iter();
        params.find_map(|(param, value)| (param == name).then_some(value))
    }
}

impl FromIterator<(String, String)> for CellParams {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(params: I) -> Self {
        Self(params.into_iter().collect())
    }
}

/// The columns of the parameters are those of the task, in `table`.
impl RowValue for CellParams {
    fn columns(_: &str, _: &str) -> Vec<Column> {
        Vec::new()
    }

    fn write(&self, cells: &mut Vec<TableCell>) {
        cells.extend(self.0.iter().map(|(_, value)| value.as_str().into()));
    }

    fn read(fields: &RecordFields<'_>, _: &str) -> Self {
        let columns = fields.between("cell", "metric");
        let name = |column: &str| {
            column
                .strip_prefix(PARAM_PREFIX)
                .unwrap_or(column)
                .to_owned()
        };
        columns
            .map(|(column, value)| (name(column), value))
            .collect()
    }
}

/// The prefix of a parameter whose name, such as `n`, is that of a column of every summary.
const PARAM_PREFIX: &str = "param_";

/// The beginning of the description of a parameter's column.
pub(crate) const PARAMETER: &str = "Parameter of the task: ";

/// The rows of a summary; those of a cell share its parameters, of which a wide sweep has very many.
///
/// # Errors
/// If the file cannot be read, or the first field that is not what its column holds.
pub fn read_summary(path: &Path) -> io::Result<Vec<SummaryRow>> {
    let mut rows: Vec<SummaryRow> = Vec::new();
    for row in each_row(path)? {
        let mut row: SummaryRow = row?;
        if let Some(last) = rows.last().filter(|last| last.cell == row.cell) {
            row.params = last.params.clone();
        }
        rows.push(row);
    }
    Ok(rows)
}

/// The table.
pub(super) fn table<'run>(facts: &'run RunFacts<'_>) -> Option<Table<'run>> {
    let rows = facts.metrics().map(|(subject, estimate, _)| SummaryRow {
        experiment: subject.experiment(),
        cell: subject.cell(),
        params: params(facts.experiment, subject.cell),
        metric: subject.metric(),
        unit: subject.unit(),
        estimate: *estimate,
        stop_reason: Some(facts.stopped_in(subject.cell)),
    });
    Some(Table::with_columns(columns(facts.experiment), rows))
}

/// The values of a cell's parameters, in the order of the task.
fn params(experiment: &Experiment, cell: usize) -> CellParams {
    let values = &experiment.cells[cell].params;
    let param = |name: &str| {
        let value = values.get(name).map(ToString::to_string);
        (name.to_owned(), value.unwrap_or_default())
    };
    let params = experiment.task.params.iter();
    params.map(|spec| param(&spec.name)).collect()
}

/// The columns of every summary, and those of the task's parameters after the cell.
fn columns(experiment: &Experiment) -> Vec<Column> {
    let mut columns = SummaryRow::columns();
    let params: Vec<Column> = param_columns(&columns, experiment.task.params.iter()).collect();
    columns.splice(2..2, params);
    columns
}

/// The columns of parameters beside others.
pub(super) fn param_columns<'a>(
    others: &'a [Column],
    params: impl Iterator<Item = &'a ParamSpec>,
) -> impl Iterator<Item = Column> {
    let column = |param: &ParamSpec| {
        let meaning = format!("{PARAMETER}{}", param.summary);
        let name = param_column(others, &param.name);
        Column::of_task(&name, held_by(&param.kind), &meaning)
    };
    params.map(column)
}

/// The column of a parameter beside others.
fn param_column(others: &[Column], name: &str) -> String {
    if others.iter().any(|column| column.name == name) {
        format!("{PARAM_PREFIX}{name}")
    } else {
        name.to_owned()
    }
}

/// Returns the kind of a parameter's column.
fn held_by(kind: &ParamKind) -> ColumnKind {
    match kind {
        ParamKind::Text | ParamKind::Choice(_) => ColumnKind::Text,
        ParamKind::Integer { .. } => ColumnKind::Integer,
        ParamKind::Number { .. } => ColumnKind::Number,
        ParamKind::Flag => ColumnKind::Flag,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_named_as_a_column_is_told_from_it() {
        let own = SummaryRow::columns();
        assert_eq!(param_column(&own, "n"), "param_n");
        assert_eq!(param_column(&own, "unit"), "param_unit");
        assert_eq!(param_column(&own, "layout"), "layout");
    }
}
