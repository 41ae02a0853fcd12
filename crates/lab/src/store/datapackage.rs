//! `datapackage.json`: the folder's tables described for other programs (Frictionless Data
//! Package, <https://datapackage.org>).

use serde_json::{Value, json};

use experiment::Experiment;

use crate::tables::{Column, Keys, SampleTable, Table};

/// The licences of the project, either of which the tables may be used under.
const LICENCES: [(&str, &str); 2] = [
    ("MIT", "https://opensource.org/license/mit"),
    ("Apache-2.0", "https://www.apache.org/licenses/LICENSE-2.0"),
];

/// The description of an experiment's tables, and of its samples with these columns where they are in
/// the folder. It names no profile: the one for tables would have to stand at every table too.
pub(crate) fn datapackage(
    experiment: &Experiment,
    tables: &[Table<'_>],
    samples: Option<&[Column]>,
) -> Vec<u8> {
    let mut resources: Vec<Value> = tables
        .iter()
        .map(|table| resource(table.name(), table.columns(), table.keys()))
        .collect();
    if let Some(columns) = samples {
        let keys = Keys {
            primary: &["sample", "cell"],
            foreign: &[],
        };
        resources.push(resource(SampleTable::NAME, columns, keys));
    }
    let package = json!({
        "name": experiment.name(),
        "title": experiment.file.question,
        "licenses": LICENCES.map(|(name, path)| json!({ "name": name, "path": path })),
        "resources": resources,
    });
    let mut bytes = serde_json::to_vec(&package).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

fn resource(table: &str, columns: &[Column], keys: Keys) -> Value {
    let fields: Vec<Value> = columns.iter().map(field).collect();
    let mut schema = json!({ "fields": fields });
    if !keys.primary.is_empty() {
        schema["primaryKey"] = json!(keys.primary);
    }
    if let [(fields, other)] = keys.foreign {
        let reference = json!({ "resource": other, "fields": fields });
        schema["foreignKeys"] = json!([{ "fields": fields, "reference": reference }]);
    }
    json!({
        "name": table,
        "path": format!("{table}.csv"),
        "schema": schema,
    })
}

/// A column's name, its type and, where no other run has the same column, its meaning. The others are
/// described once, in the book.
fn field(column: &Column) -> Value {
    let mut field = json!({ "name": column.name, "type": column.kind.frictionless() });
    if column.is_of_task {
        field["description"] = json!(column.meaning);
    }
    field
}
