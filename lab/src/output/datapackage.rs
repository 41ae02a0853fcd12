//! `datapackage.json`: the folder's tables described for other programs (Frictionless Data
//! Package, <https://datapackage.org>).

use serde_json::{Value, json};

use crate::config::Experiment;

use super::dictionary::{description, foreign_keys, primary_key};
use super::samples::sample_columns;
use super::summary::PARAM_PREFIX;
use super::table::{Column, ColumnKind, Table};
use crate::task::{ParamKind, ParamSpec};

/// What the description of a parameter's column begins with.
const PARAMETER: &str = "Parameter of the task: ";

/// The licences of the project, either of which the tables may be used under.
const LICENCES: [(&str, &str); 2] = [
    ("MIT", "https://opensource.org/license/mit"),
    ("Apache-2.0", "https://www.apache.org/licenses/LICENSE-2.0"),
];

/// The description of an experiment's tables, and of its samples where they are in the folder.
pub fn datapackage(experiment: &Experiment, tables: &[Table], has_samples: bool) -> Vec<u8> {
    let mut resources: Vec<Value> = tables
        .iter()
        .map(|table| resource(experiment, table.name(), table.columns()))
        .collect();
    if has_samples {
        let columns = sample_columns(&experiment.task.metrics);
        resources.push(resource(experiment, "samples", &columns));
    }
    let package = json!({
        "profile": "tabular-data-package",
        "name": experiment.name,
        "title": experiment.question,
        "licenses": LICENCES.map(|(name, path)| json!({ "name": name, "path": path })),
        "resources": resources,
    });
    written(&package)
}

/// The same description without blanks, and without `samples.csv` where it is dropped; `None` if
/// the text is no description.
pub fn shortened(package: &[u8], drop_samples: bool) -> Option<Vec<u8>> {
    let mut package: Value = serde_json::from_slice(package).ok()?;
    let resources = package.get_mut("resources")?.as_array_mut()?;
    resources.retain(|resource| !(drop_samples && resource["name"] == "samples"));
    Some(written(&package))
}

/// Whether two descriptions say the same. Earlier ones call every parameter a text; such folders
/// are as sound as others.
pub fn is_same_package(one: &[u8], other: &[u8]) -> bool {
    let parse = |text: &[u8]| {
        let mut package: Value = serde_json::from_slice(text).ok()?;
        forget_parameter_types(&mut package);
        Some(package)
    };
    parse(one).is_some_and(|one| Some(one) == parse(other))
}

fn forget_parameter_types(package: &mut Value) {
    let resources = package.get_mut("resources").and_then(Value::as_array_mut);
    for resource in resources.into_iter().flatten() {
        let fields = resource.pointer_mut("/schema/fields");
        for field in fields.and_then(Value::as_array_mut).into_iter().flatten() {
            let description = field.get("description").and_then(Value::as_str);
            if description.is_some_and(|text| text.starts_with(PARAMETER))
                && let Some(kind) = field.get_mut("type")
            {
                *kind = Value::Null;
            }
        }
    }
}

fn written(package: &Value) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(package).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

fn resource(experiment: &Experiment, table: &str, columns: &[Column]) -> Value {
    let fields: Vec<Value> = columns
        .iter()
        .map(|column| field(experiment, table, column))
        .collect();
    let foreign: Vec<Value> = foreign_keys(table)
        .iter()
        .map(|(fields, other)| {
            json!({ "fields": fields, "reference": { "resource": other, "fields": fields } })
        })
        .collect();
    let mut schema = json!({ "fields": fields, "missingValues": [""] });
    if !primary_key(table).is_empty() {
        schema["primaryKey"] = json!(primary_key(table));
    }
    if !foreign.is_empty() {
        schema["foreignKeys"] = json!(foreign);
    }
    json!({
        "profile": "tabular-data-resource",
        "name": table,
        "path": format!("{table}.csv"),
        "schema": schema,
    })
}

fn field(experiment: &Experiment, table: &str, column: &Column) -> Value {
    let param = param_of(experiment, table, &column.name);
    let kind = param.map_or(column.kind, |param| held_by(&param.kind));
    json!({
        "name": column.name,
        "type": kind.frictionless(),
        "description": meaning(experiment, table, column),
    })
}

/// What the column of a parameter holds.
fn held_by(kind: &ParamKind) -> ColumnKind {
    match kind {
        ParamKind::Text | ParamKind::Choice(_) => ColumnKind::Text,
        ParamKind::Integer { .. } => ColumnKind::Integer,
        ParamKind::Number { .. } => ColumnKind::Number,
        ParamKind::Flag => ColumnKind::Flag,
    }
}

/// What a column holds: known of the table, a parameter of the task, or one of its metrics.
fn meaning(experiment: &Experiment, table: &str, column: &Column) -> String {
    let name = column.name.as_str();
    let of_task = match table {
        "samples" => metric(experiment, name),
        _ => param_of(experiment, table, name).map(|param| format!("{PARAMETER}{}", param.summary)),
    };
    of_task.unwrap_or_else(|| description(table, name).to_owned())
}

/// The parameter of the task that a column of the summary holds.
fn param_of<'a>(experiment: &'a Experiment, table: &str, column: &str) -> Option<&'a ParamSpec> {
    if table != "summary" {
        return None;
    }
    let name = column.strip_prefix(PARAM_PREFIX).unwrap_or(column);
    let mut params = experiment.task.params.iter();
    let param = params.find(|param| param.name == name)?;
    // A parameter of the name of a column has the prefix, so the column is not the parameter.
    let is_own = column != name || description("summary", column).is_empty();
    is_own.then_some(param)
}

fn metric(experiment: &Experiment, column: &str) -> Option<String> {
    let (name, end) = column.rsplit_once('_')?;
    let mut metrics = experiment.task.metrics.iter();
    let metric = metrics.find(|metric| metric.name == name)?;
    let end = match end {
        "lo" => "At least",
        "hi" => "At most",
        "log10" => "Decimal logarithm",
        other => other,
    };
    Some(format!("{} ({end})", metric.summary))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_the_same_but_for_the_types_of_parameters() {
        let package = |kind: &str, of: &str| {
            format!(
                "{{\"resources\":[{{\"name\":\"summary\",\"schema\":{{\"fields\":[{{\"name\":\"load\",\
                 \"type\":\"{kind}\",\"description\":\"{of}\"}}]}}}}]}}"
            )
        };
        let same = |one: &str, other: &str| is_same_package(one.as_bytes(), other.as_bytes());
        let (earlier, now) = (package("string", PARAMETER), package("number", PARAMETER));
        assert!(same(&earlier, &now) && same(&now, &format!(" {now}\n")));
        assert!(!same(
            &package("string", "Mean"),
            &package("number", "Mean")
        ));
        assert!(!same(&now, &now.replace("load", "loss")));
        assert!(!same("[]", &now) && !same("null", &now) && !same("", ""));
    }
}
