//! `datapackage.json`: the folder's tables described for other programs (Frictionless Data
//! Package).

use serde_json::{Value, json};

use super::table::Table;

/// The description of the tables of the experiment `name`.
pub fn datapackage(name: &str, question: &str, tables: &[Table]) -> Vec<u8> {
    let resources: Vec<Value> = tables.iter().map(resource).collect();
    let package = json!({
        "profile": "tabular-data-package",
        "name": name,
        "title": question,
        "resources": resources,
    });
    let mut bytes = serde_json::to_vec_pretty(&package).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

fn resource(table: &Table) -> Value {
    let fields: Vec<Value> = table
        .columns()
        .iter()
        .map(|column| json!({ "name": column.name, "type": column.kind.frictionless() }))
        .collect();
    json!({
        "profile": "tabular-data-resource",
        "name": table.name(),
        "path": format!("{}.csv", table.name()),
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "schema": { "fields": fields, "missingValues": [""] },
    })
}
