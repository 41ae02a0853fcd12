//! A proof among the runs: a folder with a statement instead of estimates.
//!
//! `proof.toml` holds the statement, how it was checked and how to check it again. Its counts are
//! in a table of the same folder, a row for each layer of the proof. Knows no game.

use std::iter;
use std::path::Path;

use serde::Deserialize;

use super::fit::folded;
use super::format::count;
use super::html::{StatedPage, TitledLines};
use super::results::bad;
use super::sheet::Sheet;
use crate::failure::Failure;
use crate::files::{self, Records};
use crate::tables::RecordFields;
use crate::task::visible;

/// A proof's statement, its counts and its checks.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatedProof {
    /// The name of its folder.
    #[serde(skip)]
    name: String,
    /// The game that it is about.
    game: String,
    /// The question that it answers.
    question: String,
    /// The proved statement, in a sentence.
    statement: String,
    /// One number of it, for an index.
    number: String,
    /// The ways in which it was checked, a sentence each.
    checked: Vec<String>,
    /// The commands that make it and check it again.
    commands: Vec<String>,
    /// The table of its counts.
    counts: CountsTable,
    /// The counts of every layer, in the order of the table.
    #[serde(skip)]
    layers: Vec<CountRow>,
    /// The counts of each group of layers, and of all.
    #[serde(skip)]
    groups: Vec<CountRow>,
}

/// The table of a proof's counts: a column that groups its layers, one that numbers them in a
/// group, and those with counts.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CountsTable {
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
#[derive(Clone, Debug)]
struct CountRow {
    /// The group, the layer, or both.
    label: String,
    sums: Vec<u64>,
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
        let path = folder.join(counts.unwrap_or_default());
        proof
            .read_counts(&path)
            .map_err(|error| bad(&path, error))?;
        Ok(proof)
    }

    fn read_counts(&mut self, path: &Path) -> Result<(), String> {
        let CountsTable { group, layer, .. } = &self.counts;
        let wrong = |error: csv::Error| error.to_string();
        let mut records = Records::open(path).map_err(|error| error.to_string())?;
        let header = records.header().map_err(wrong)?;
        let mut groups: Vec<String> = Vec::new();
        for record in records {
            let record = record.map_err(wrong)?;
            let fields = RecordFields::new(&header, &record);
            let sums = self.counts.sums.iter();
            let sums = sums.map(|column| fields.count(column)).collect();
            let (of, number) = (fields.text(group), fields.text(layer));
            if let Some(fault) = fields.fault() {
                return Err(fault);
            }
            let label = format!("{of} {group}, {layer} {number}");
            self.layers.push(CountRow { label, sums });
            groups.push(of);
        }
        let mut start = 0;
        for of in groups.chunk_by(|one, next| one == next) {
            let label = format!("{} {group}, {} layers", of[0], of.len());
            let layers = &self.layers[start..start + of.len()];
            self.groups.push(self.counts.summed(label, layers));
            start += of.len();
        }
        self.groups
            .push(self.counts.summed("all".to_owned(), &self.layers));
        Ok(())
    }

    /// The proof as a page.
    pub fn to_page(&self) -> StatedPage {
        let of = self.counts.sums.first().map_or("", String::as_str);
        let all = self.groups.last().and_then(|all| all.sums.first());
        let (total, layers) = (
            all.map_or(String::new(), |&all| count(all)),
            self.layers.len(),
        );
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
        let sums = self.counts.sums.iter().map(|name| format!("={name}"));
        let fields = |row: &CountRow| {
            let sums = row.sums.iter().map(|&sum| count(sum));
            iter::once(row.label.clone()).chain(sums).collect()
        };
        let names = iter::once("layers".to_owned()).chain(sums);
        Sheet::new(title, names, rows.iter().map(fields).collect())
    }

    /// The proof as text, with every layer on request; for a terminal of so many columns.
    pub fn to_text(&self, width: Option<u16>, all: bool) -> String {
        let rows = if all { &self.layers } else { &self.groups };
        let listed = |lines: &[String]| -> String {
            let lines = lines.iter();
            lines.map(|line| format!("  {line}\n")).collect()
        };
        let fold = |text: String| width.map_or(text.clone(), |width| folded(&text, width.into()));
        let (name, question, statement) = (&self.name, &self.question, &self.statement);
        let text = format!(
            "{}\n{}\n{}\nCheck it again\n{}",
            fold(format!("{name}: {question}\n\n{statement}\n")),
            self.sheet("Counts", rows).first_rows(usize::MAX, width),
            fold(format!("How it was checked\n{}", listed(&self.checked))),
            listed(&self.commands)
        );
        visible(&text)
    }
}

impl CountsTable {
    /// The sums of several layers.
    fn summed(&self, label: String, layers: &[CountRow]) -> CountRow {
        let sum = |column: usize| {
            let counts = layers.iter().map(|row| row.sums[column]);
            counts.fold(0, u64::saturating_add)
        };
        let sums = (0..self.sums.len()).map(sum).collect();
        CountRow { label, sums }
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
