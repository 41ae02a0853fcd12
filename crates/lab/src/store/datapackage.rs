//! `datapackage.json`: the folder's tables described for other programs (Frictionless Data
//! Package, <https://datapackage.org>).

use serde_json::{Value, json};

use crate::experiment::Experiment;

use crate::tables::{Column, Keys, PARAMETER, Table};

/// The licences of the project, either of which the tables may be used under.
const LICENCES: [(&str, &str); 2] = [
    ("MIT", "https://opensource.org/license/mit"),
    ("Apache-2.0", "https://www.apache.org/licenses/LICENSE-2.0"),
];

/// The description of an experiment's tables, and of its samples with these columns where they are in
/// the folder. It names no profile: the one for tables would have to stand at every table too.
pub fn datapackage(
    experiment: &Experiment,
    tables: &[Table],
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
        resources.push(resource("samples", columns, keys));
    }
    let package = json!({
        "name": experiment.file.name,
        "title": experiment.file.question,
        "licenses": LICENCES.map(|(name, path)| json!({ "name": name, "path": path })),
        "resources": resources,
    });
    written(&package)
}

/// Returns the description without blanks, and without `samples.csv` if it is dropped; `None` if
/// the text is no description.
pub fn shortened(package: &[u8], drop_samples: bool) -> Option<Vec<u8>> {
    let mut package: Value = serde_json::from_slice(package).ok()?;
    let resources = package.get_mut("resources")?.as_array_mut()?;
    resources.retain(|resource| !(drop_samples && resource["name"] == "samples"));
    Some(written(&package))
}

/// Returns whether a description says all that another does. Earlier ones call every parameter a
/// text, and describe columns that are no longer written; such folders are as sound as others.
pub fn is_same_package(stored: &[u8], given: &[u8]) -> bool {
    let parse = |text: &[u8]| serde_json::from_slice::<Value>(text).ok();
    let both = parse(stored).zip(parse(given));
    both.is_some_and(|(stored, given)| stored.is_object() && says_all_of(&stored, &given))
}

fn says_all_of(stored: &Value, given: &Value) -> bool {
    match (stored, given) {
        (Value::Object(stored), Value::Object(given)) => {
            let described = given.get("description").and_then(Value::as_str);
            let is_parameter = described.is_some_and(|text| text.starts_with(PARAMETER));
            let mut keys = given
                .iter()
                .filter(|(key, _)| !(is_parameter && *key == "type"));
            keys.all(|(key, given)| {
                stored
                    .get(key)
                    .is_some_and(|known| says_all_of(known, given))
            })
        }
        (Value::Array(stored), Value::Array(given)) => {
            let is_said = |given| stored.iter().any(|known| says_all_of(known, given));
            given.iter().all(is_said)
        }
        _ => stored == given,
    }
}

fn written(package: &Value) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(package).unwrap_or_default();
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

fn field(column: &Column) -> Value {
    json!({
        "name": column.name,
        "type": column.kind.frictionless(),
        "description": column.meaning,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_descriptions_have_other_types_of_parameters_and_more_columns() {
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
        assert!(!same("{}", &now) && !same("[]", "[]"));
        let more = now.replace("\"fields\":[", "\"fields\":[{\"name\":\"unit\"},");
        assert!(same(&more, &now) && !same(&now, &more));
        let profiled = now.replacen('{', "{\"profile\":\"tabular-data-package\",", 1);
        assert!(same(&profiled, &now));
    }
}
