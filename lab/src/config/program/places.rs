//! The spans of a program's keys in the text, for problems that are found with it later.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::config::ConfigError;
use crate::config::error::Problem;
use crate::config::wire::{CommandTable, Item, NamedTables};
use crate::external::hello::Disagreement;

use super::CommandPart;

/// A program's places in the text, by key relative to its table.
pub type Places = BTreeMap<String, Range<usize>>;

impl CommandPart {
    /// Converts the disagreements between hello and the file to problems at their spans in the
    /// file.
    pub fn explain(&self, source_name: &str, text: &str, found: &[Disagreement]) -> ConfigError {
        let problem = |one: &Disagreement| Problem {
            span: place_of(&self.places, &one.key),
            ..Problem::nowhere(&one.message)
        };
        let help = "the file declares, hello confirms: change one of them";
        let problems = found.iter().map(|one| problem(one).help(help));
        ConfigError::new(source_name, text, problems.collect())
    }
}

/// Returns the span of each key.
pub fn places(table: &CommandTable, place: &Range<usize>) -> Places {
    let mut places = Places::from([(String::new(), place.clone())]);
    let mut note = |key: &str, item: &Option<Item>| {
        if let Some(item) = item {
            places.insert(key.to_owned(), item.span());
        }
    };
    note("run", &table.run);
    note("once", &table.once);
    note("version", &table.version);
    note("streams", &table.streams);
    for (key, param) in &table.params.0 {
        let (name, table) = (key.get_ref(), param.get_ref());
        note(&format!("params.{name}.kind"), &table.kind);
        note(&format!("params.{name}.min"), &table.min);
        note(&format!("params.{name}.max"), &table.max);
        note(&format!("params.{name}.default"), &table.default);
        note(&format!("params.{name}.choices"), &table.choices);
    }
    for (key, metric) in &table.metrics.0 {
        let (name, table) = (key.get_ref(), metric.get_ref());
        note(&format!("metrics.{name}.kind"), &table.kind);
        note(&format!("metrics.{name}.unit"), &table.unit);
        note(&format!("metrics.{name}.min"), &table.min);
        note(&format!("metrics.{name}.max"), &table.max);
        note(&format!("metrics.{name}.decimals"), &table.decimals);
    }
    note_keys(&mut places, "params", &table.params);
    note_keys(&mut places, "metrics", &table.metrics);
    places
}

fn note_keys<T>(places: &mut Places, table: &str, entries: &NamedTables<T>) {
    for (key, _) in &entries.0 {
        places.insert(format!("{table}.{}", key.get_ref()), key.span());
    }
    if let Some((key, _)) = entries.0.first() {
        places.insert(table.to_owned(), key.span());
    }
}

/// The place of a key, or of the closest table around it.
fn place_of(places: &Places, key: &str) -> Option<Range<usize>> {
    let mut key = key;
    loop {
        match (places.get(key), key.rsplit_once('.')) {
            (Some(place), _) => return Some(place.clone()),
            (None, Some((outer, _))) => key = outer,
            (None, None) if key.is_empty() => return None,
            (None, None) => key = "",
        }
    }
}
