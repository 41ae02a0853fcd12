//! Values that stand in for those of an experiment file, by their keys: `--set params.p=0.5`.

use std::str::FromStr;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{Checked, Problem};

/// A key of an experiment file with a value in place of the file's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// A line of TOML.
    line: String,
}

impl FromStr for Setting {
    type Err = String;

    /// Reads `KEY=VALUE`. The value is one of TOML; what is none is a text, so a name needs no quotes.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            format!("expected KEY=VALUE, such as params.p=0.5 or stop.samples=1000, not `{text}`")
        };
        let (key, value) = text.split_once('=').ok_or_else(expected)?;
        let (key, value) = (key.trim(), value.trim());
        let fits = |line: &str| {
            let table = DeTable::parse(line);
            table.is_ok_and(|table| leaves(table.get_ref()) == 1)
        };
        if value.is_empty() || text.contains('\n') || !fits(&format!("{key} = 0")) {
            return Err(expected());
        }
        let plain = format!("{key} = {value}");
        let line = if DeTable::parse(&plain).is_ok() {
            plain
        } else {
            let quoted = toml::Value::String(value.to_owned());
            format!("{key} = {quoted}")
        };
        Ok(Self { line })
    }
}

/// The values in a table, those of its tables among them.
fn leaves(table: &DeTable) -> usize {
    let values = table.values().map(|value| match value.get_ref() {
        DeValue::Table(table) => leaves(table),
        _ => 1,
    });
    values.sum()
}

/// The settings as text, to stand behind that of a file.
pub(super) fn lines(settings: &[Setting]) -> String {
    settings
        .iter()
        .map(|one| format!("{}\n", one.line))
        .collect()
}

/// Puts the values of `settings`, which begin at byte `start` of `text`, in place of those of a file.
///
/// # Errors
/// If a key leads into what is no table.
pub(super) fn apply<'a>(root: &mut DeTable<'a>, padded: &'a [String]) -> Checked {
    padded.iter().try_for_each(|line| {
        let own = DeTable::parse(line)
            .map_err(|error| Problem::at(error.span(), error.message().to_owned()))?;
        replace(root, own.into_inner())
    })
}

/// The lines of a text that begins at byte `start` of another, each in its place there: their spans are those in
/// both texts one after the other.
pub(super) fn padded(lines: &str, start: usize) -> Vec<String> {
    let mut place = start;
    let pad = |line: &str| {
        let padded = format!("{}{line}", " ".repeat(place));
        place += line.len();
        padded
    };
    lines.split_inclusive('\n').map(pad).collect()
}

fn replace<'a>(table: &mut DeTable<'a>, own: DeTable<'a>) -> Checked {
    for (key, value) in own {
        let known = table.get_mut(key.get_ref().as_ref());
        match (known.map(Spanned::get_mut), value.get_ref()) {
            (Some(DeValue::Table(inner)), DeValue::Table(_)) => {
                if let DeValue::Table(own) = value.into_inner() {
                    replace(inner, own)?;
                }
            }
            (Some(DeValue::Array(items)), DeValue::Table(_)) => {
                let fault = format!("`{}` is a list of {}", key.get_ref(), items.len());
                let problem = Problem::at(key.span(), fault);
                return Err(problem.help("give the whole list: KEY=[...]"));
            }
            _ => {
                table.remove(key.get_ref().as_ref());
                table.insert(key, value);
            }
        }
    }
    Ok(())
}
