//! The documents lead somewhere: every relative link of the book and of the documents at the root
//! points to a file, and to a heading where it names one; every page of the book is in its summary; every key of an
//! experiment file has a user.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The documents, seen from the root.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in [
        "",
        "book/src",
        "book/src/games",
        "book/src/appendix",
        "examples",
        "results",
    ] {
        let files = std::fs::read_dir(root.join(folder)).unwrap();
        let files = files.map(|file| file.unwrap().path());
        found.extend(files.filter(|file| file.extension().is_some_and(|end| end == "md")));
    }
    found.sort();
    found
}

/// The text with what `{{#include FILE}}` names put in.
fn read(document: &Path) -> String {
    let text = std::fs::read_to_string(document).unwrap();
    match text.trim().strip_prefix("{{#include ") {
        Some(rest) => {
            let name = rest.trim_end_matches('}').trim();
            std::fs::read_to_string(document.with_file_name(name)).unwrap()
        }
        None => text,
    }
}

/// Returns the targets of the links of a document, those in code and in comments left out.
fn links(text: &str) -> Vec<String> {
    let mut parts = text.split("<!--");
    let first = parts.next().unwrap_or_default();
    let after = parts.map(|part| part.split_once("-->").map_or("", |(_, after)| after));
    let text = first.to_owned() + &after.collect::<String>();
    let prose = text.split("```").step_by(2);
    let prose = prose.flat_map(|part| part.split('`').step_by(2));
    let ends = prose.flat_map(|part| {
        let after = part.split("](").skip(1);
        after.filter_map(|rest| rest.split_once(')').map(|(target, _)| target.to_owned()))
    });
    ends.map(|target| target.split_whitespace().collect())
        .collect()
}

/// The name under which a heading is linked to.
fn anchor(heading: &str) -> String {
    // A heading that is a link goes by its text.
    let text = match heading.split_once("](") {
        Some((text, _)) => text.trim_start_matches('['),
        None => heading,
    };
    let kept = text.to_lowercase();
    let kept = kept
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn anchors(text: &str) -> Vec<String> {
    let outside_code = text.split("```").step_by(2);
    let headings = outside_code
        .flat_map(str::lines)
        .filter(|line| line.starts_with('#'));
    headings
        .map(|line| anchor(line.trim_start_matches('#').trim()))
        .collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut faults = Vec::new();
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        // What another document includes is checked where it lies; the built book turns its links.
        for link in links(&text) {
            if link.starts_with("http") || link.starts_with("mailto:") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => document.clone(),
                file => document.with_file_name(file),
            };
            let is_there = target.exists();
            let leads = is_there
                && (heading.is_empty() || anchors(&read(&target)).iter().any(|one| one == heading));
            if !leads {
                faults.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_page_of_the_book_is_in_its_summary() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("book/src");
    let listed = links(&read(&source.join("SUMMARY.md")));
    assert!(listed.len() >= 15, "{listed:?}");
    for document in documents() {
        let Ok(page) = document.strip_prefix(&source) else {
            continue;
        };
        let page = page.to_string_lossy();
        let is_listed = page == "SUMMARY.md" || listed.iter().any(|link| *link == page);
        assert!(is_listed, "{page} is not in SUMMARY.md");
    }
}

#[test]
fn anchors_are_those_of_the_web_pages() {
    assert_eq!(
        anchor("How often intervals miss"),
        "how-often-intervals-miss"
    );
    assert_eq!(
        anchor("[foxes-claim](foxes-claim/summary.csv)"),
        "foxes-claim"
    );
    let text = "a [b](c.md#d) `[x](y)` <!-- [v](w) -->[e](f)";
    assert_eq!(links(text), ["c.md#d", "f"]);
}

/// The keys of an experiment file by their paths, in which `*` is a name that the writer of a file chooses.
struct Keys {
    schema: Value,
}

impl Keys {
    fn read() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/schema.json");
        let text = std::fs::read_to_string(path).unwrap();
        Self {
            schema: serde_json::from_str(&text).unwrap(),
        }
    }

    /// The schemas that a value may have: this one or the one that it refers to, or one of several.
    fn alternatives<'a>(&'a self, schema: &'a Value) -> Vec<&'a Value> {
        let reference = schema["$ref"].as_str().map(|name| &name[1..]);
        let schema = reference.map_or(schema, |path| self.schema.pointer(path).unwrap());
        let several = ["anyOf", "oneOf"]
            .iter()
            .filter_map(|word| schema[*word].as_array());
        let several = several.flatten().flat_map(|one| self.alternatives(one));
        [schema].into_iter().chain(several).collect()
    }

    /// Adds the paths below a path: all that there are, or those that a value has.
    fn add(
        &self,
        schema: &Value,
        value: Option<&toml::Value>,
        path: &str,
        found: &mut BTreeSet<String>,
    ) {
        let below = |name: &str| format!("{path}{}{name}", if path.is_empty() { "" } else { "." });
        for schema in self.alternatives(schema) {
            for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
                let value = value.map(|value| value.get(name));
                if value != Some(None) {
                    found.insert(below(name));
                    self.add(inner, value.flatten(), &below(name), found);
                }
            }
            let items = value.map(|value| value.as_array().into_iter().flatten());
            match items {
                None => self.add_of_any(&schema["items"], None, path, found),
                Some(items) => {
                    for item in items {
                        self.add_of_any(&schema["items"], Some(item), path, found);
                    }
                }
            }
            let inner = &schema["additionalProperties"];
            match value.map(|value| value.as_table().into_iter().flatten()) {
                None => self.add_of_any(inner, None, &below("*"), found),
                Some(table) => {
                    for (_, value) in table {
                        self.add_of_any(inner, Some(value), &below("*"), found);
                    }
                }
            }
        }
    }

    fn add_of_any(
        &self,
        schema: &Value,
        value: Option<&toml::Value>,
        path: &str,
        found: &mut BTreeSet<String>,
    ) {
        if schema.is_object() {
            self.add(schema, value, path, found);
        }
    }

    fn all(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        self.add(&self.schema, None, "", &mut found);
        found
    }

    /// The keys of a TOML text; none of one that is no TOML.
    fn of_text(&self, text: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        if let Ok(value) = toml::from_str(text) {
            self.add(&self.schema, Some(&value), "", &mut found);
        }
        found
    }
}

/// Returns whether a page speaks of a key: in code as `key = ...` or `[table] key`; or by its name alone, if the page
/// names its table.
fn speaks_of(page: &str, key: &str) -> bool {
    let (table, name) = key.rsplit_once('.').unwrap_or(("", key));
    let named = table.split(".*").next().unwrap_or_default();
    let code: Vec<&str> = page.split('`').skip(1).step_by(2).collect();
    let has_table = named.is_empty()
        || code
            .iter()
            .any(|code| code.starts_with(&format!("[{named}")));
    code.iter().any(|code| {
        let is_named = *code == name && !named.is_empty();
        let is_written = code.starts_with(&format!("{name} = "));
        *code == format!("[{key}]")
            || code.starts_with(&format!("[{table}] {name}"))
            || has_table && (is_named || is_written)
    })
}

/// Files of experiments below a folder.
fn experiments_in(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            experiments_in(&path, found);
        } else if path.extension().is_some_and(|end| end == "toml") {
            found.push(path);
        }
    }
}

#[test]
fn every_key_of_an_experiment_file_is_in_an_experiment_or_on_a_page() {
    let (keys, root) = (Keys::read(), Path::new(env!("CARGO_MANIFEST_DIR")));
    let all = keys.all();
    assert!(
        all.contains("command.params.*.choices") && all.len() <= KEYS,
        "{}: {all:?}",
        all.len()
    );
    let mut files = Vec::new();
    for folder in ["experiments", "examples", "crates/cli/templates"] {
        experiments_in(&root.join(folder), &mut files);
    }
    let texts = files
        .iter()
        .map(|file| std::fs::read_to_string(file).unwrap());
    let mut used: BTreeSet<String> = texts.flat_map(|text| keys.of_text(&text)).collect();
    for document in documents() {
        if document.ends_with("experiment-file.md") || document.ends_with("columns.md") {
            continue;
        }
        let page = read(&document);
        let blocks = page.split("```toml\n").skip(1);
        let blocks = blocks.filter_map(|block| block.split("```").next());
        used.extend(blocks.flat_map(|block| keys.of_text(block)));
        let prose: String = page.split("```").step_by(2).collect();
        used.extend(all.iter().filter(|key| speaks_of(&prose, key)).cloned());
    }
    let unused: Vec<&String> = all.difference(&used).collect();
    assert!(unused.is_empty(), "keys without a user: {unused:?}");
}

/// The most keys that an experiment file may have: a new one takes the place of another.
const KEYS: usize = 131;
