//! An experiment file for a program of somebody else, written from what the program says of itself.

use std::path::Path;

use serde_json::Value;

use super::hello::Hello;

/// The experiment of a program, to be written into `folder`, from the program's hello.
pub fn experiment_of(name: &str, folder: &Path, argv: &[String], hello: &Hello) -> String {
    let (argv, files) = seen_from(folder, argv);
    let mut text = format!("question = \"What does {name} say?\"\ntask = \"command\"\nseed = 1\n");
    text += &format!("\n[command]\nrun = {}\n", toml_list(&argv));
    text += &match (files.as_slice(), hello.version.as_str()) {
        ([], "") => "version = \"1\"\n".to_owned(),
        ([], version) => format!("version = {}\n", quoted_toml(version)),
        (files, _) => format!("files = {}\n", toml_list(files)),
    };
    let streams = hello.entries("streams");
    let streams: Vec<String> = streams.into_iter().map(|(name, _)| name).collect();
    if !streams.is_empty() {
        text += &format!("streams = {}\n", toml_list(&streams));
    }
    for (table, keys) in [("params", PARAM_FACTS), ("metrics", METRIC_FACTS)] {
        let entries = hello.entries(table);
        if !entries.is_empty() {
            text += &format!("\n[command.{table}]\n");
        }
        for (name, facts) in entries {
            text += &format!("{} = {}\n", key(&name), facts_of(&facts, keys));
        }
    }
    text + "\n[stop]\nsamples = 1000\n"
}

/// The keys that a hello may have for a parameter.
const PARAM_FACTS: &[&str] = &["kind", "min", "max", "choices", "default", "summary"];

/// The keys that a hello may have for a metric.
const METRIC_FACTS: &[&str] = &["kind", "unit", "min", "max", "decimals", "summary", "truth"];

/// A command line as a file in `folder` writes it, with the files that it names.
fn seen_from(folder: &Path, argv: &[String]) -> (Vec<String>, Vec<String>) {
    let mut files = Vec::new();
    let mut word = |(place, word): (usize, &String)| {
        let is_program = place == 0;
        if !Path::new(word).is_file() || is_program && !word.contains('/') {
            return word.clone();
        }
        let path = Path::new(word.trim_start_matches("./"));
        let path = match path.strip_prefix(folder) {
            Ok(inside) => inside.to_owned(),
            Err(_) => std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
        };
        let written = |path: &Path| path.to_string_lossy().into_owned();
        files.push(written(&path));
        if is_program {
            written(&Path::new(".").join(path))
        } else {
            written(&path)
        }
    };
    let argv = argv.iter().enumerate().map(&mut word).collect();
    (argv, files)
}

/// A text as TOML writes it.
pub fn quoted_toml(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// A name as a key of TOML.
pub fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if !name.is_empty() && name.bytes().all(is_bare) {
        name.to_owned()
    } else {
        quoted_toml(name)
    }
}

/// Words as a list in TOML.
pub fn toml_list(words: &[String]) -> String {
    toml::Value::from(words.to_vec()).to_string()
}

/// Returns the facts of a parameter or a metric that are in the hello, or its default alone. If the
/// hello gives no kind, the kind is that of the default, or a number.
fn facts_of(said: &Value, keys: &[&str]) -> String {
    let fact = |key: &str| match said {
        Value::Object(facts) => facts.get(key).filter(|fact| !fact.is_null()),
        Value::Number(_) | Value::Bool(_) | Value::String(_) => (key == "default").then_some(said),
        _ => None,
    };
    let kind = fact("kind").cloned().unwrap_or_else(|| {
        let default = fact("default").unwrap_or(&Value::Null);
        let kind = match default {
            Value::Bool(_) => "flag",
            Value::String(_) => "text",
            _ if default.is_i64() => "integer",
            _ => "number",
        };
        kind.into()
    });
    let toml = |fact: &Value| Some(toml::Value::try_from(fact).ok()?.to_string());
    let pair = |&name: &&str| {
        let fact = if name == "kind" { &kind } else { fact(name)? };
        Some(format!("{name} = {}", toml(fact)?))
    };
    let pairs: Vec<String> = keys.iter().filter_map(pair).collect();
    format!("{{ {} }}", pairs.join(", "))
}
