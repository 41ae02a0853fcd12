//! A program's hello: the facts it gives of itself, compared with the declaration in the experiment
//! file.
//!
//! The file declares, hello confirms. Whatever hello omits is not compared; everything else must
//! agree with the file.

use serde_json::{Map, Value, json};

use super::declaration::{Declaration, metric_names};
use super::wire::{PROTOCOL, plain};
use crate::task::{Metric, UNITLESS};

/// A program's answer to hello.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hello {
    /// The program's own name; empty where it gives none.
    pub name: String,
    /// Its version; empty where it gives none.
    pub version: String,
    /// True if it tells samples as stories.
    pub can_replay: bool,
    /// All facts of the answer.
    pub said: Map<String, Value>,
}

/// A thing that the file and the program say differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The key of the file: `metrics.wait.decimals`; relative to its table `[command]`.
    pub key: String,
    /// The message, with both values.
    pub message: String,
}

impl Hello {
    /// Reads the line that answers hello; `None` where it is none.
    pub fn read(line: &[u8]) -> Option<Self> {
        let value: Value = serde_json::from_slice(line).ok()?;
        let said = value.get("hello")?.as_object()?.clone();
        let text = |key: &str| match said.get(key) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Null) | None => String::new(),
            Some(other) => other.to_string(),
        };
        let skills = said.get("can").and_then(Value::as_array);
        Some(Self {
            name: text("name"),
            version: text("version"),
            can_replay: skills.is_some_and(|skills| skills.contains(&"replay".into())),
            said,
        })
    }

    /// The protocol it wants to speak, as it says it.
    pub fn protocol(&self) -> Option<&Value> {
        self.said.get("protocol")
    }

    /// The streams, parameters or metrics that it names, with what it says of each.
    pub fn entries(&self, key: &str) -> Vec<(String, Value)> {
        self.said.get(key).map(named).unwrap_or_default()
    }

    /// Returns whether it speaks this protocol.
    pub fn speaks_protocol(&self) -> bool {
        let protocol = self.protocol();
        protocol.is_some_and(|protocol| same(protocol, &PROTOCOL.into()))
    }

    /// Returns all differences between the hello and the file.
    pub fn differences(&self, file: &Declaration) -> Vec<Disagreement> {
        let mut all = Vec::new();
        if let (Some(declared), false) = (&file.program.version, self.version.is_empty()) {
            all.extend(compare("version", declared, &self.version));
        }
        if let Some(streams) = self.said.get("streams").map(named) {
            all.extend(compare(
                "streams",
                &file.streams.join(", "),
                &names(&streams),
            ));
        }
        if let Some(params) = self.said.get("params").map(named) {
            all.extend(compare_params(file, &params));
        }
        if let Some(metrics) = self.said.get("metrics").map(named) {
            all.extend(compare_metrics(file, &metrics));
        }
        all
    }
}

/// Returns the streams, parameters or metrics of a hello with their names: it lists names alone,
/// objects with a name, or an object by name.
pub fn named(value: &Value) -> Vec<(String, Value)> {
    match value {
        Value::Object(map) => map.iter().map(|(k, v)| (k.clone(), v.clone())).collect(),
        Value::Array(items) => items
            .iter()
            .map(|item| (name_of(item), item.clone()))
            .collect(),
        _ => Vec::new(),
    }
}

fn name_of(item: &Value) -> String {
    let name = item.as_str().or_else(|| item.get("name")?.as_str());
    name.unwrap_or_default().to_owned()
}

fn names(entries: &[(String, Value)]) -> String {
    let names: Vec<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
    names.join(", ")
}

fn compare_params(file: &Declaration, said: &[(String, Value)]) -> Vec<Disagreement> {
    let mut all = Vec::new();
    for (name, facts) in said {
        match file.params.iter().find(|spec| spec.name == **name) {
            Some(spec) => all.extend(facts_of(
                &format!("params.{name}"),
                facts,
                &json!(spec.table()),
            )),
            None => all.push(Disagreement {
                key: "params".to_owned(),
                message: format!("the program has a parameter `{name}`, the file has none"),
            }),
        }
    }
    let is_said = |name: &str| said.iter().any(|(said, _)| said == name);
    let missing = file.params.iter().filter(|spec| !is_said(&spec.name));
    all.extend(missing.map(|spec| Disagreement {
        key: format!("params.{}", spec.name),
        message: format!(
            "the file has a parameter `{}`, the program has none",
            spec.name
        ),
    }));
    all
}

fn compare_metrics(file: &Declaration, said: &[(String, Value)]) -> Vec<Disagreement> {
    let differing = compare("metrics", &metric_names(&file.columns), &names(said));
    if differing.is_some() {
        return differing.into_iter().collect();
    }
    let facts = |(column, (name, facts)): (&Metric, &(String, Value))| {
        let mut declared = json!(column.table());
        declared["unit"] = json!(column.unit);
        facts_of(&format!("metrics.{name}"), facts, &declared)
    };
    file.columns.iter().zip(said).flat_map(facts).collect()
}

/// Compares what hello says of one thing, key by key; keys it leaves out agree, and prose may
/// differ.
fn facts_of(key: &str, said: &Value, declared: &Value) -> Vec<Disagreement> {
    let facts = declared.as_object().into_iter().flatten();
    let facts = facts.filter_map(|(fact, declared)| {
        let said = said.get(fact).filter(|_| !declared.is_null())?;
        let is_unitless = fact == "unit" && said == "" && declared == UNITLESS;
        let is_told = fact == "summary" || is_unitless || same(said, declared);
        let key = format!("{key}.{fact}");
        compare(&key, &plain(declared), &plain(said)).filter(|_| !is_told)
    });
    facts.collect()
}

/// Equal, where 2 and 2.0 are equal.
fn same(a: &Value, b: &Value) -> bool {
    a == b || a.as_f64().is_some() && a.as_f64() == b.as_f64()
}

fn compare(key: &str, declared: &str, said: &str) -> Option<Disagreement> {
    (declared != said).then(|| Disagreement {
        key: key.to_owned(),
        message: format!("`{key}` is {declared} in the file, {said} in the program"),
    })
}
