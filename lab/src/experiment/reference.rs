//! The reference of an experiment file in Markdown, from its JSON Schema.

use serde_json::Value;

const HEAD: &str = "# The experiment file

An experiment is a TOML file. This page is generated from the JSON Schema of the file by
`etude schema --markdown`. Unknown keys are errors.

## Keys of the file
";

/// The reference of the files that `schema` describes.
pub fn reference(schema: &Value) -> String {
    let mut page = HEAD.to_owned();
    let is_table = |key: &Value| !fields(schema, key).is_empty();
    let keys: Vec<_> = entries(&schema["properties"]).collect();
    let plain = keys.iter().filter(|(_, key)| !is_table(key));
    page.push_str(&table(schema, schema, plain.copied()));
    for (name, key) in keys.iter().filter(|(_, key)| is_table(key)) {
        page.push_str(&section(schema, name, key));
    }
    page.push_str("\n## Tasks and their parameters\n");
    for rule in schema["allOf"].as_array().into_iter().flatten() {
        page.push_str(&task(schema, rule));
    }
    page
}

/// A table of the file, and the tables within it.
fn section(schema: &Value, name: &str, key: &Value) -> String {
    let header = if key["type"] == "array" {
        format!("[[{name}]]")
    } else {
        format!("[{name}]")
    };
    let inner = fields(schema, key);
    let is_table = |key: &Value| !fields(schema, key).is_empty();
    let plain = inner.iter().filter(|(_, key)| !is_table(key)).copied();
    let mut text = format!("\n## `{header}`\n\n{}\n", meaning(schema, key));
    text.push_str(&table(schema, target(schema, key), plain));
    for (inside, key) in inner.iter().filter(|(_, key)| is_table(key)) {
        text.push_str(&section(schema, &format!("{name}.{inside}"), key));
    }
    text
}

/// The parameters of a task.
fn task(schema: &Value, rule: &Value) -> String {
    let name = rule["if"]["properties"]["task"]["const"].as_str();
    let name = name.unwrap_or_default();
    let tasks = schema["properties"]["task"]["oneOf"].as_array();
    let known = tasks
        .into_iter()
        .flatten()
        .find(|task| task["const"] == name);
    let summary = known.map_or("", |task| text(task, "description"));
    let params = &rule["then"]["properties"]["params"];
    let mut page = format!("\n### `{name}`\n\n{}\n", sentence(summary));
    if entries(&params["properties"]).next().is_some() {
        page.push_str(&table(schema, params, entries(&params["properties"])));
    }
    page
}

fn table<'key>(
    schema: &Value,
    owner: &Value,
    keys: impl Iterator<Item = (&'key str, &'key Value)>,
) -> String {
    let required = |name: &str| {
        let names = owner["required"].as_array();
        names.is_some_and(|names| names.iter().any(|known| known == name))
    };
    let row = |(name, key): (&str, &Value)| {
        let default = match &key["default"] {
            Value::Null if required(name) => "(required)".to_owned(),
            Value::Null => String::new(),
            value => format!("`{value}`"),
        };
        let fields = [
            format!("`{name}`"),
            values(key),
            default,
            meaning(schema, key),
        ];
        format!(
            "| {} |\n",
            fields.map(|field| field.replace('|', "\\|")).join(" | ")
        )
    };
    let rows: String = keys.map(row).collect();
    if rows.is_empty() {
        String::new()
    } else {
        format!("\n| key | values | default | meaning |\n|---|---|---|---|\n{rows}")
    }
}

/// Describes the values that a key takes.
fn values(key: &Value) -> String {
    let words = key["oneOf"].as_array().filter(|_| key["type"].is_null());
    let words = words.map(|words| words.iter().map(|word| &word["const"]).collect());
    let words = words.or_else(|| Some(key["enum"].as_array()?.iter().collect()));
    if let Some::<Vec<&Value>>(words) = words {
        let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        return words.join(", ");
    }
    let kind = match key["type"].as_str() {
        Some("string") => "text",
        Some("boolean") => "`true` or `false`",
        Some("array") => "list",
        Some("object") => "table",
        Some(kind) => kind,
        None => "number or list",
    };
    match (number(&key["minimum"]), number(&key["maximum"])) {
        (Some(least), Some(most)) => format!("{kind} from {least} to {most}"),
        (Some(least), None) => format!("{kind} from {least}"),
        _ => kind.to_owned(),
    }
}

fn number(value: &Value) -> Option<String> {
    value.is_number().then(|| value.to_string())
}

/// The keys of a table or of the tables in a list.
fn fields<'schema>(
    schema: &'schema Value,
    key: &'schema Value,
) -> Vec<(&'schema str, &'schema Value)> {
    entries(&target(schema, key)["properties"]).collect()
}

/// Returns the schema that a key refers to, or the key itself.
fn target<'schema>(schema: &'schema Value, key: &'schema Value) -> &'schema Value {
    let place = key["$ref"]
        .as_str()
        .or_else(|| key["items"]["$ref"].as_str());
    let pointer = place.and_then(|place| place.strip_prefix('#'));
    pointer
        .and_then(|pointer| schema.pointer(pointer))
        .unwrap_or(key)
}

fn meaning(schema: &Value, key: &Value) -> String {
    let own = text(key, "description");
    let own = if own.is_empty() {
        text(target(schema, key), "description")
    } else {
        own
    };
    sentence(own)
}

/// Returns the text on one line, with a capital letter and a full stop.
pub fn sentence(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut letters = text.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    let stop = if text.is_empty() || text.ends_with(['.', '?']) {
        ""
    } else {
        "."
    };
    format!("{}{}{stop}", first.unwrap_or_default(), letters.as_str())
}

fn text<'value>(value: &'value Value, key: &str) -> &'value str {
    value[key].as_str().unwrap_or_default()
}

fn entries(properties: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let map = properties.as_object().into_iter().flatten();
    map.map(|(name, key)| (name.as_str(), key))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_key_has_a_row_in_the_section_of_its_table() {
        let schema = json!({
            "properties": {
                "seed": { "type": "integer", "minimum": 0, "description": "the root\nof all" },
                "stop": { "type": "object", "description": "when", "properties": {
                    "claims": { "$ref": "#/$defs/Claims" } } },
                "task": { "type": "string", "oneOf": [{ "const": "a/b", "description": "a task" }] },
            },
            "required": ["seed"],
            "$defs": { "Claims": { "description": "decided", "properties": {
                "max": { "type": "integer" } }, "required": ["max"] } },
            "allOf": [{ "if": { "properties": { "task": { "const": "a/b" } } },
                "then": { "properties": { "params": { "properties": {
                    "p": { "enum": ["x", "y"], "default": "x", "description": "x | y" } } } } } }],
        });
        let page = reference(&schema);
        for part in [
            "| `seed` | integer from 0 | (required) | The root of all. |",
            "## `[stop]`\n\nWhen.",
            "## `[stop.claims]`\n\nDecided.",
            "| `max` | integer | (required) |  |",
            "### `a/b`\n\nA task.",
            "| `p` | `\"x\"`, `\"y\"` | `\"x\"` | X \\| y. |",
        ] {
            assert!(page.contains(part), "{part} is not in\n{page}");
        }
    }
}
