//! The JSON Schema of an experiment file, for editors: the keys, and each task's parameters.
//!
//! Draft 2020-12 (<https://json-schema.org/draft/2020-12>). The keys come from the mirror of the
//! file, the parameters from the tasks' own declarations, so neither can be forgotten.

use serde_json::{Map, Value, json};

use crate::task::{GameSpec, ParamDefault, ParamKind, ParamSpec, TaskSpec};

use super::wire::ExperimentFile;

/// The schema of the experiment files over `games`.
pub fn schema(games: &[&'static GameSpec]) -> Value {
    let tasks: Vec<&TaskSpec> = games.iter().flat_map(|game| game.tasks).collect();
    let mut schema = schemars::schema_for!(ExperimentFile);
    schema.insert(
        "allOf".to_owned(),
        tasks.iter().copied().map(when).collect(),
    );
    let mut schema = schema.to_value();
    let names: Vec<Value> = (tasks.iter())
        .map(|task| json!({"const": task.name, "description": task.summary}))
        .collect();
    if let Some(task) = schema
        .pointer_mut("/properties/task")
        .and_then(Value::as_object_mut)
    {
        task.insert("oneOf".to_owned(), names.into());
    }
    schema
}

/// With this task, these parameters.
fn when(task: &TaskSpec) -> Value {
    let params = task
        .params
        .iter()
        .map(|spec| (spec.name.to_owned(), value(spec)));
    let sweep = task
        .params
        .iter()
        .map(|spec| (spec.name.to_owned(), values(spec)));
    let mut then = json!({
        "properties": {
            "params": closed(params.collect()),
            "sweep": closed(sweep.collect()),
        },
    });
    let required: Vec<Value> = task.params.iter().filter_map(given).collect();
    if let (false, Some(then)) = (required.is_empty(), then.as_object_mut()) {
        then.insert("allOf".to_owned(), required.into());
    }
    json!({
        "if": {"properties": {"task": {"const": task.name}}, "required": ["task"]},
        "then": then,
    })
}

fn closed(properties: Map<String, Value>) -> Value {
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

/// One value of a parameter.
fn value(spec: &ParamSpec) -> Value {
    let mut schema = kind(spec.kind);
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("description".to_owned(), spec.summary.into());
        match spec.default {
            ParamDefault::Required => None,
            ParamDefault::Text(text) => schema.insert("default".to_owned(), text.into()),
            ParamDefault::Integer(integer) => schema.insert("default".to_owned(), integer.into()),
            ParamDefault::Number(number) => schema.insert("default".to_owned(), number.into()),
            ParamDefault::Flag(flag) => schema.insert("default".to_owned(), flag.into()),
        };
    }
    schema
}

/// A list of values of a parameter.
fn values(spec: &ParamSpec) -> Value {
    json!({
        "type": "array",
        "description": spec.summary,
        "items": kind(spec.kind),
        "minItems": 1,
        "uniqueItems": true,
    })
}

fn kind(kind: ParamKind) -> Value {
    match kind {
        ParamKind::Text => json!({"type": "string"}),
        ParamKind::Choice(words) => json!({"type": "string", "enum": words}),
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
    (spec.default == ParamDefault::Required)
        .then(|| json!({"anyOf": [stands_in("params"), stands_in("sweep")]}))
}
