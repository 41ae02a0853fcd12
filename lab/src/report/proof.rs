//! A proof among the runs: a folder with a statement instead of estimates.
//!
//! `proof.toml` holds the statement, how it was checked and how to check it again. Its counts are
//! in a table of the same folder, a row for each layer of the proof. Knows no game.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::fit::folded;
use super::format::count;
use super::html::{StatedPage, TitledLines};
use super::results::bad;
use super::sheet::{Sheet, SheetText};
use crate::failure::Failure;
use crate::files::{self, Records};
use crate::tables::RecordFields;
use crate::task::visible;

/// A proof's statement, its counts and its checks.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StatedProof {
    /// The name of its folder.
    #[serde(skip_deserializing)]
    pub name: String,
    /// The game that it is about.
    pub game: String,
    /// The question that it answers.
    pub question: String,
    /// The proved statement, in a sentence.
    pub statement: String,
    /// One number of it, for an index.
    pub number: String,
    /// The ways in which it was checked, a sentence each.
    pub checked: Vec<String>,
    /// The commands that make it and check it again.
    pub commands: Vec<String>,
    /// The table of its counts.
    pub counts: CountsTable,
    /// The counts by group of layers, in the order of the table, and of all.
    #[serde(skip_deserializing)]
    pub groups: Vec<CountRow>,
    /// The counts of every layer.
    #[serde(skip_deserializing)]
    pub layers: Vec<CountRow>,
    /// The first of the counts, of all layers.
    #[serde(skip_deserializing)]
    pub total: String,
}

/// The table of a proof's counts: a column that groups its layers, one that numbers them in a
/// group, and those with counts.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CountsTable {
    /// The file's name.
    file: String,
    /// The column that groups layers.
    group: String,
    /// The column that numbers the layers of a group.
    layer: String,
    /// The columns with counts.
    sums: Vec<String>,
}

/// The counts of a layer, or of several.
#[derive(Clone, Debug, Serialize)]
pub struct CountRow {
    /// The group, the layer, or both.
    label: String,
    #[serde(skip)]
    sums: Vec<u64>,
    /// The counts as people read them.
    shown: Vec<String>,
}

impl CountRow {
    fn new(label: String, sums: Vec<u64>) -> Self {
        let shown = sums.iter().map(|&sum| count(sum)).collect();
        Self { label, sums, shown }
    }

    /// The sums of several rows.
    fn of_all<'row>(label: &str, rows: impl Iterator<Item = &'row Self>, columns: usize) -> Self {
        let mut sums = vec![0_u64; columns];
        for row in rows {
            for (sum, count) in sums.iter_mut().zip(&row.sums) {
                *sum = sum.saturating_add(*count);
            }
        }
        Self::new(label.to_owned(), sums)
    }
}

impl StatedProof {
    /// The name of the file that makes a folder a proof.
    pub const FILE: &str = "proof.toml";

    /// Reads the folder of a proof.
    ///
    /// # Errors
    /// The first file that cannot be read or understood, and why.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(Self::FILE);
        let text = files::read_text(&path).map_err(|error| bad(&path, &error))?;
        let mut proof: Self = toml::from_str(&text).map_err(|error| bad(&path, error.message()))?;
        proof.name = files::folder_name(folder);
        // A name alone: no file of another folder.
        let counts = Path::new(&proof.counts.file).file_name();
        proof.read_counts(&folder.join(counts.unwrap_or_default()))?;
        Ok(proof)
    }

    fn read_counts(&mut self, path: &Path) -> Result<(), Failure> {
        let wrong = |error: &dyn std::fmt::Display| bad(path, error);
        let CountsTable {
            group, layer, sums, ..
        } = &self.counts;
        let mut records = Records::open(path).map_err(|error| wrong(&error))?;
        let header = records.header().map_err(|error| wrong(&error))?;
        let mut groups: Vec<(String, Vec<CountRow>)> = Vec::new();
        for record in records {
            let record = record.map_err(|error| wrong(&error))?;
            let fields = RecordFields::new(&header, &record);
            let counts = sums.iter().map(|column| fields.count(column)).collect();
            let (of, label) = (fields.text(group), fields.text(layer));
            if let Some(fault) = fields.fault() {
                return Err(wrong(&fault));
            }
            let row = CountRow::new(format!("{of} {group}, {layer} {label}"), counts);
            match groups.last_mut().filter(|(last, _)| *last == of) {
                Some((_, rows)) => rows.push(row),
                None => groups.push((of, vec![row])),
            }
        }
        let columns = sums.len();
        let sum = |(of, rows): &(String, Vec<CountRow>)| {
            let label = format!("{of} {group}, {} layers", rows.len());
            CountRow::of_all(&label, rows.iter(), columns)
        };
        self.groups = groups.iter().map(sum).collect();
        self.layers = groups.into_iter().flat_map(|(_, rows)| rows).collect();
        let all = CountRow::of_all("all", self.groups.iter(), columns);
        self.total = all.shown.first().cloned().unwrap_or_default();
        self.groups.push(all);
        Ok(())
    }

    /// The proof as a page.
    pub fn to_page(&self) -> StatedPage {
        let sums = &self.counts.sums;
        let (total, layers) = (&self.total, self.layers.len());
        let of = sums.first().map_or("", String::as_str);
        StatedPage {
            name: self.name.clone(),
            game: self.game.clone(),
            question: self.question.clone(),
            number: self.number.clone(),
            statement: self.statement.clone(),
            certainty: format!("A proof, not an estimate: {total} {of} in {layers} layers"),
            tables: vec![
                self.sheet("Counts by group of layers", &self.groups),
                self.sheet("Counts of every layer", &self.layers),
            ],
            how: TitledLines {
                title: "How it was checked",
                lines: self.checked.clone(),
            },
            commands: self.commands.clone(),
            ..StatedPage::default()
        }
    }

    fn sheet(&self, title: &str, rows: &[CountRow]) -> Sheet {
        let sums: Vec<_> = (self.counts.sums.iter().enumerate())
            .map(|(at, name)| {
                (format!("={name}"), move |row: &&CountRow| {
                    row.shown[at].clone()
                })
            })
            .collect();
        let mut columns: Vec<SheetText<'_, &CountRow>> = vec![("layers", &|row| row.label.clone())];
        for (name, text) in &sums {
            columns.push((name, text));
        }
        Sheet::of(title, rows, &columns)
    }

    /// The proof as text, with every layer on request; for a terminal of so many columns.
    pub fn to_text(&self, width: Option<u16>, all: bool) -> String {
        let rows = if all { &self.layers } else { &self.groups };
        let checked: String = self
            .checked
            .iter()
            .map(|line| format!("  {line}\n"))
            .collect();
        let commands: String = self
            .commands
            .iter()
            .map(|line| format!("  {line}\n"))
            .collect();
        let before = format!("{}: {}\n\n{}\n", self.name, self.question, self.statement);
        let after = format!("How it was checked\n{checked}");
        let fold = |text: String| width.map_or(text.clone(), |width| folded(&text, width.into()));
        let text = format!(
            "{}\n{}\n{}\nCheck it again\n{commands}",
            fold(before),
            self.sheet("Counts", rows).to_long_text(width),
            fold(after)
        );
        visible(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROOF: &str = r#"
game = "coins"
question = "Who wins?"
statement = "The first player wins."
number = "proved"
checked = ["Twice."]
commands = ["prove it"]
counts = { file = "layers.csv", group = "coins", layer = "height", sums = ["positions"] }
"#;

    #[test]
    fn a_proof_is_told_with_its_counts_by_group() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(StatedProof::FILE), PROOF).unwrap();
        let layers = "coins,height,positions\n1,2,1500\n1,1,500\n2,1,7\n";
        std::fs::write(folder.path().join("layers.csv"), layers).unwrap();
        let proof = StatedProof::read(folder.path()).unwrap();
        let text = proof.to_text(None, false);
        for part in [
            ": Who wins?",
            "1 coins, 2 layers",
            "2,000",
            "2,007",
            "  prove it",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert!(proof.to_text(None, true).contains("1 coins, height 2"));
        let layers = "coins,height,positions\n1,2,many\n";
        std::fs::write(folder.path().join("layers.csv"), layers).unwrap();
        let error = StatedProof::read(folder.path()).unwrap_err().to_string();
        assert!(
            error.contains("layers.csv") && error.contains("many"),
            "{error}"
        );
    }
}
