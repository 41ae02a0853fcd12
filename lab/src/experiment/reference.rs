//! The reference of an experiment file in Markdown, from its JSON Schema.

use serde_json::Value;

const HEAD: &str = "# The experiment file

An experiment is a TOML file. This page is generated from the JSON Schema of the file by
`etude schema --markdown`. Unknown keys are errors.

## Keys of the file
";

/// The reference of the files that `schema` describes.
pub fn reference(schema: &Value) -> String {
    let mut page = format!("{HEAD}{}", keys(schema, schema, ""));
    page.push_str("\n## Tasks and their parameters\n");
    for rule in schema["allOf"].as_array().into_iter().flatten() {
        page.push_str(&task(schema, rule));
    }
    page
}

/// The keys of a table of the file, and the tables within it, whose names begin with `path`.
fn keys(schema: &Value, owner: &Value, path: &str) -> String {
    let is_table = |(_, key): &(&str, &Value)| target(schema, key)["properties"].is_object();
    let (tables, plain): (Vec<_>, Vec<_>) = entries(&owner["properties"]).partition(is_table);
    let mut text = table(schema, owner, plain.into_iter());
    for (name, key) in tables {
        let name = format!("{path}{name}");
        let header = match key["type"].as_str() {
            Some("array") => format!("[[{name}]]"),
            _ => format!("[{name}]"),
        };
        let inner = keys(schema, target(schema, key), &format!("{name}."));
        text += &format!("\n## `{header}`\n\n{}\n{inner}", meaning(schema, key));
    }
    text
}

/// The parameters of a task.
fn task(schema: &Value, rule: &Value) -> String {
    let name = rule["if"]["properties"]["task"]["const"].as_str();
    let name = name.unwrap_or_default();
    let tasks = schema["properties"]["task"]["oneOf"].as_array();
    let known = tasks.and_then(|tasks| tasks.iter().find(|task| task["const"] == name));
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
    match (&key["minimum"], &key["maximum"]) {
        (Value::Number(least), Value::Number(most)) => format!("{kind} from {least} to {most}"),
        (Value::Number(least), _) => format!("{kind} from {least}"),
        _ => kind.to_owned(),
    }
}

/// Returns the schema that a key refers to, or the key itself.
fn target<'schema>(schema: &'schema Value, key: &'schema Value) -> &'schema Value {
    let place = key["$ref"].as_str().or(key["items"]["$ref"].as_str());
    let pointer = place.and_then(|place| place.strip_prefix('#'));
    let definition = pointer.and_then(|pointer| schema.pointer(pointer));
    definition.unwrap_or(key)
}

fn meaning(schema: &Value, key: &Value) -> String {
    let own = key["description"].as_str();
    sentence(own.unwrap_or_else(|| text(target(schema, key), "description")))
}

/// Returns the text on one line, with a capital letter and a full stop.
pub fn sentence(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut letters = text.chars();
    let Some(first) = letters.next() else {
        return String::new();
    };
    let stop = if text.ends_with(['.', '?']) { "" } else { "." };
    format!("{}{}{stop}", first.to_uppercase(), letters.as_str())
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
