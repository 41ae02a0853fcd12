//! The JSON Schema of an experiment file, for editors: the keys, and each task's parameters.
//!
//! Draft 2020-12 (<https://json-schema.org/draft/2020-12>). The keys come from the types of the
//! file, the parameters from the tasks' own declarations, so neither can be forgotten.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use task::outside::COMMAND;
use task::{GameSpec, ParamKind, ParamSpec, TaskSpec};

use super::file::ExperimentFile;
use super::sweep::ZIP;

/// The schema of the experiment files over `games`.
pub fn schema(games: &[&'static GameSpec]) -> Value {
    let tasks: Vec<&TaskSpec> = games.iter().flat_map(|game| game.tasks).collect();
    let mut schema = KEYS.clone();
    schema["allOf"] = tasks.iter().copied().map(when).collect();
    let mut names: Vec<Value> = (tasks.iter())
        .map(|task| json!({"const": task.name, "description": task.summary}))
        .collect();
    names.push(json!({
        "const": COMMAND,
        "description": "a simulation in another program, declared by [command]",
    }));
    schema["properties"]["task"]["oneOf"] = names.into();
    schema
}

/// The schema of the file's keys, whatever the task.
pub(super) static KEYS: LazyLock<Value> = LazyLock::new(|| {
    let mut schema = schemars::schema_for!(ExperimentFile).to_value();
    drop_null(&mut schema);
    schema
});

/// Removes null from a schema: TOML has none, a key that says nothing is left out.
fn drop_null(schema: &mut Value) {
    let Value::Object(keys) = schema else {
        return (schema.as_array_mut().into_iter().flatten()).for_each(drop_null);
    };
    keys.retain(|key, value| key != "default" || !value.is_null());
    for list in ["type", "anyOf"] {
        let Some(Value::Array(choices)) = keys.get_mut(list) else {
            continue;
        };
        choices.retain(|choice| *choice != "null" && choice["type"] != "null");
        match choices.as_slice() {
            [Value::Object(only)] => {
                let only = only.clone();
                keys.shift_remove(list);
                keys.extend(only.into_iter().filter(|(key, _)| key != "description"));
            }
            [only] => {
                let only = only.clone();
                keys.insert(list.to_owned(), only);
            }
            _ => {}
        }
    }
    keys.values_mut().for_each(drop_null);
}

/// Returns the condition that the file has this task and these parameters.
fn when(task: &TaskSpec) -> Value {
    let closed = |schema: fn(&ParamSpec) -> Value| {
        let params = task.params.iter();
        let properties = params.map(|spec| (spec.name.to_string(), schema(spec)));
        let properties: Map<String, Value> = properties.collect();
        json!({"type": "object", "properties": properties, "additionalProperties": false})
    };
    let mut sweep = closed(values);
    sweep["properties"][ZIP] = KEYS["$defs"]["SweepTable"]["properties"][ZIP].clone();
    let mut then = json!({"properties": {"params": closed(value), "sweep": sweep}});
    let required: Vec<Value> = task.params.iter().filter_map(given).collect();
    if !required.is_empty() {
        then["allOf"] = required.into();
    }
    json!({
        "if": {"properties": {"task": {"const": task.name}}, "required": ["task"]},
        "then": then,
    })
}

/// The schema of a value of a parameter.
fn value(spec: &ParamSpec) -> Value {
    let mut schema = kind(&spec.kind);
    schema["description"] = json!(spec.summary);
    if let Some(default) = &spec.default {
        schema["default"] = json!(default);
    }
    schema
}

/// The schema of the values of a swept parameter: a list, or of numbers a range.
fn values(spec: &ParamSpec) -> Value {
    let list = json!({
        "type": "array",
        "items": kind(&spec.kind),
        "minItems": 1,
        "uniqueItems": true,
    });
    match spec.kind {
        ParamKind::Integer { .. } | ParamKind::Number { .. } => json!({
            "description": spec.summary,
            "anyOf": [list, {"$ref": "#/$defs/RangeTable"}],
        }),
        _ => {
            let mut list = list;
            list["description"] = json!(spec.summary);
            list
        }
    }
}

fn kind(kind: &ParamKind) -> Value {
    match kind {
        ParamKind::Text => json!({"type": "string"}),
        ParamKind::Choice(words) => {
            json!({"type": "string", "enum": words.iter().collect::<Vec<_>>()})
        }
        ParamKind::Integer { min, max } => {
            json!({"type": "integer", "minimum": min, "maximum": max})
        }
        ParamKind::Number { min, max } => {
            json!({"type": "number", "minimum": min, "maximum": max})
        }
        ParamKind::Flag => json!({"type": "boolean"}),
    }
}

/// A required parameter stands under `[params]` or `[sweep]`.
fn given(spec: &ParamSpec) -> Option<Value> {
    let stands_in = |table: &str| {
        json!({
            "properties": {table: {"required": [spec.name]}},
            "required": [table],
        })
    };
    spec.default
        .is_none()
        .then(|| json!({"anyOf": [stands_in("params"), stands_in("sweep")]}))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coin;

    #[test]
    fn every_key_of_the_file_is_described_and_no_other_is_allowed() {
        let schema = schema(coin::GAMES);
        assert_eq!(schema["additionalProperties"], json!(false));
        assert_eq!(schema["required"], json!(["task", "seed", "stop"]));
        let keys = schema["properties"].as_object().unwrap();
        assert_eq!(keys.len(), 23);
        assert!(keys.values().all(|key| key["description"].is_string()));
    }

    #[test]
    fn a_task_brings_its_parameters_with_kinds_ranges_and_defaults() {
        let schema = schema(coin::GAMES);
        let flip = &schema["allOf"][0];
        assert_eq!(flip["if"]["properties"]["task"]["const"], "coin/flip");
        let params = &flip["then"]["properties"]["params"];
        assert_eq!(params["additionalProperties"], json!(false));
        let p = json!({
            "type": "number",
            "minimum": 0.0,
            "maximum": 1.0,
            "description": "The probability of heads.",
            "default": 0.5,
        });
        assert_eq!(params["properties"]["p"], p);
        let face = &params["properties"]["face"];
        assert_eq!(face["enum"], json!(["heads", "tails"]));
        let sweep = &flip["then"]["properties"]["sweep"]["properties"]["face"];
        assert_eq!(sweep["items"]["enum"], json!(["heads", "tails"]));
    }

    #[test]
    fn a_required_parameter_may_be_set_or_swept() {
        let schema = schema(coin::GAMES);
        let choices = &schema["allOf"][1]["then"]["allOf"][0]["anyOf"];
        assert_eq!(
            choices[0]["properties"]["params"]["required"],
            json!(["turns"])
        );
        assert_eq!(
            choices[1]["properties"]["sweep"]["required"],
            json!(["turns"])
        );
        assert!(schema["allOf"][0]["then"]["allOf"].is_null());
    }
}
