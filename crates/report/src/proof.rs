//! A proof among the runs: a folder with a statement instead of estimates.
//!
//! `proof.toml` holds the statement, how it was checked and how to check it again. Beside it are three
//! tables: the counts, a row for each layer of the proof; the value, which is what was proved, in one
//! row; and, where there was a second opinion, the check. A folder that contradicts itself is refused.
//! A run in the folder `matches`, by players that read the proof, gives the page a game to show.
//! Knows no game.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::path::{Path, PathBuf};

use csv::StringRecord;
use indexmap::IndexMap;
use serde::Deserialize;

use super::html::{Picture, ResultPage, Shown};
use super::results::bad;
use figures::plot::{self, IntervalMark, LaneScale, Plot};
use figures::{Sheet, count, folded, quantity, share_digits};
use lab::store::Exhibit;
use lab::tables::RecordFields;
use task::files::{self, Records};
use task::{Failure, Origin, counted, visible};

/// A proof's statement, its counts and its checks.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatedProof {
    /// The folder.
    #[serde(skip)]
    folder: PathBuf,
    /// The text of the statement file.
    #[serde(skip)]
    source: String,
    /// The game that it is about.
    game: String,
    /// The question that it answers.
    question: String,
    /// The proved statement, in a sentence.
    statement: String,
    /// The main number of the proof, for an index.
    number: String,
    /// The ways in which it was checked, a sentence each.
    checked: Vec<String>,
    /// The players of the game that is shown, in words.
    players: Option<String>,
    /// The commands that make it and check it again.
    commands: Vec<String>,
    /// The table of its counts.
    counts: CountsTable,
    /// The table of what was proved.
    value: ValueTable,
    /// The table of a second opinion, where there was one.
    check: Option<CheckTable>,
    /// BLAKE3 of each of these tables.
    files: BTreeMap<String, String>,
    /// A game that the proof plays.
    #[serde(skip)]
    shown: Option<Exhibit>,
    /// The program that made it, and the day.
    #[serde(skip)]
    origin: Option<Origin>,
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
    /// The number of layers.
    rows: u64,
    /// The columns with counts; the first counts all, the others parts of it.
    sums: Vec<String>,
    /// The title of the picture of the shares that the second column has in the first.
    title: String,
    /// The files of the layers.
    layers: LayerFiles,
    /// The counts of every layer, in the order of the table.
    #[serde(skip)]
    every: Vec<CountRow>,
    /// The counts of each group of layers, and of all.
    #[serde(skip)]
    groups: Vec<CountRow>,
}

/// The files of the layers, which are too large for most folders.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LayerFiles {
    /// The name of a layer's file, with the names of columns in braces.
    name: String,
    /// The column with its BLAKE3.
    hash: String,
    /// Name, hash and line of every layer's file.
    #[serde(skip)]
    listed: Vec<(String, String, u64)>,
}

/// The table of what was proved, of one row.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ValueTable {
    /// The file's name.
    file: String,
    /// The fields that make the statement true, by column.
    holds: BTreeMap<String, String>,
    #[serde(skip)]
    fields: FieldTable,
}

/// The table of a second opinion on parts of the proof.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckTable {
    /// The file's name.
    file: String,
    /// The column that no two rows share.
    key: String,
    /// The columns with counts; the first counts all, the others parts of it.
    sums: Vec<String>,
    /// The column that counts disagreements, of which there must be none.
    wrong: String,
    #[serde(skip)]
    fields: FieldTable,
}

/// A table as it is shown.
#[derive(Clone, Debug, Default)]
struct FieldTable {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// The counts of a layer, or of several.
#[derive(Clone, Debug)]
struct CountRow {
    /// The group, the layer, or both.
    label: String,
    sums: Vec<u64>,
}

/// The result of holding the files of a proof's layers against their hashes.
#[derive(Clone, Debug, Default)]
pub struct LayerAudit {
    /// The layers whose files have their hashes.
    pub sound: u64,
    /// The layers whose files are not in the folder.
    pub absent: u64,
    /// The files that differ, a sentence each.
    pub faults: Vec<String>,
}

impl StatedProof {
    /// The name of the file that makes a folder a proof.
    pub const FILE: &str = "proof.toml";

    /// Returns whether a folder holds a proof, and no run.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(Self::FILE).is_file() && !folder.join("config.toml").is_file()
    }

    /// Reads the folder of a proof.
    ///
    /// # Errors
    /// The first file that cannot be read or understood, or contradicts itself or another one, with the
    /// line and what was expected.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(Self::FILE);
        let text = files::read_text(&path).map_err(|error| bad(&path, &error))?;
        let mut proof: Self = toml::from_str(&text).map_err(|error| bad(&path, error.message()))?;
        folder.clone_into(&mut proof.folder);
        proof.source = text;
        let table = proof.table(&proof.counts.file)?;
        let read = proof.counts.read(&table);
        read.map_err(|error| bad(&table, error))?;
        let table = proof.table(&proof.value.file)?;
        let read = proof.value.read(&table);
        read.map_err(|error| bad(&table, error))?;
        if let Some(mut check) = proof.check.take() {
            let table = proof.table(&check.file)?;
            check.read(&table).map_err(|error| bad(&table, error))?;
            proof.check = Some(check);
        }
        let shown = folder.join(MATCHES).join(Exhibit::FILE);
        proof.shown = Exhibit::read(&shown).map_err(|error| bad(&shown, &error))?;
        let origin = Origin::read(folder);
        proof.origin = origin.map_err(|error| bad(&folder.join(Origin::FILE), &error))?;
        let agrees = proof.check_sentences();
        agrees.map_err(|error| bad(&path, error))?;
        Ok(proof)
    }

    /// The path of a file by its name alone: no file of another folder.
    fn path(&self, name: &str) -> PathBuf {
        self.folder
            .join(Path::new(name).file_name().unwrap_or_default())
    }

    /// The path of a table, which must be the one that the proof lists.
    fn table(&self, name: &str) -> Result<PathBuf, Failure> {
        let path = self.path(name);
        let digest = files::small_digest(&path).map_err(|error| bad(&path, &error))?;
        match self.files.get(name) {
            Some(hash) if *hash == digest => Ok(path),
            Some(_) => Err(bad(&path, CHANGED)),
            None => Err(bad(&path, UNLISTED)),
        }
    }

    /// Refuses a sentence with a number that is not in the table that it speaks of: the statement of the
    /// value, a sentence on a check of the check.
    fn check_sentences(&self) -> Result<(), String> {
        let (fields, file) = (&self.value.fields, &self.value.file);
        [&self.statement, &self.number]
            .into_iter()
            .try_for_each(|sentence| check_numbers(sentence, fields, file))?;
        let Some(check) = &self.check else {
            return Ok(());
        };
        let mut told = self
            .checked
            .iter()
            .filter(|text| text.contains(&check.file));
        told.try_for_each(|sentence| check_numbers(sentence, &check.fields, &check.file))
    }

    /// Holds the files of the layers that are in the folder against their hashes.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn audit(&self) -> Result<LayerAudit, Failure> {
        let mut audit = LayerAudit::default();
        for (name, hash, line) in &self.counts.layers.listed {
            let path = self.path(name);
            if path.symlink_metadata().is_err() {
                audit.absent += 1;
            } else if files::digest(&path).map_err(|error| bad(&path, &error))? == *hash {
                audit.sound += 1;
            } else {
                let (file, column) = (&self.counts.file, &self.counts.layers.hash);
                let told = format!("{name} differs from its hash: {file}, line {line}, `{column}`");
                audit.faults.push(told);
            }
        }
        Ok(audit)
    }

    /// The proof in a line: its positions, or whatever is counted, and its layers.
    pub fn size(&self) -> String {
        let of = self.counts.sums.first().map_or("", String::as_str);
        let all = self.counts.groups.last().and_then(|all| all.sums.first());
        let total = all.map_or(String::new(), |&all| count(all));
        format!("{total} {of} in {}", counted(self.counts.rows, "layer"))
    }

    /// The proof as a page.
    pub fn to_page(&self) -> ResultPage {
        let counts = &self.counts;
        let mut tables = vec![
            counts.sheet("Counts by group of layers", &counts.groups),
            self.value.fields.sheet("What was proved"),
        ];
        tables.extend(self.check_sheet());
        tables.push(counts.sheet("Counts of every layer", &counts.every));
        let shares = counts.shares();
        ResultPage {
            name: files::folder_name(&self.folder),
            game: self.game.clone(),
            question: self.question.clone(),
            number: self.number.clone(),
            sentence: self.statement.clone(),
            certainty: format!("A proof, not an estimate: {}", self.size()),
            card: shares.clone(),
            pictures: shares.into_iter().map(Picture::Plot).collect(),
            exhibit: self.shown.as_ref().and_then(|exhibit| {
                let cell = exhibit.cell.replace(',', ", ");
                Shown::of(exhibit, self.players.as_ref().unwrap_or(&cell), "game")
            }),
            tables,
            how: ("How it was checked", self.checked.clone()),
            commands_note: FOREIGN,
            commands: self.commands.clone(),
            cite: self.cited(),
            featured: true,
            source: self.source.clone(),
            ..ResultPage::default()
        }
    }

    /// The proof as a citation names it. The statement lists the hashes of the tables, so its own hash is of all.
    fn cited(&self) -> String {
        let origin = self.origin.as_ref();
        let origin = origin.map_or_else(|| "etude, version not recorded".to_owned(), Origin::cited);
        let (name, hash) = (
            files::folder_name(&self.folder),
            blake3::hash(self.source.as_bytes()),
        );
        format!(
            "{origin}, proof {name}, BLAKE3 of {} {}",
            Self::FILE,
            hash.to_hex()
        )
    }

    fn check_sheet(&self) -> Option<Sheet> {
        let check = self.check.as_ref()?;
        Some(check.fields.sheet("A second opinion"))
    }

    /// The proof as text, with every layer on request; for a terminal of so many columns.
    pub fn to_text(&self, width: Option<u16>, all: bool) -> String {
        let counts = &self.counts;
        let rows = if all { &counts.every } else { &counts.groups };
        let listed = |lines: &[String]| -> String {
            let lines = lines.iter();
            lines.map(|line| format!("  {line}\n")).collect()
        };
        let fold = |text: String| width.map_or(text.clone(), |width| folded(&text, width.into()));
        let (question, statement) = (&self.question, &self.statement);
        let name = files::folder_name(&self.folder);
        let sheets = [
            Some(counts.sheet("Counts", rows)),
            Some(self.value.fields.sheet("What was proved")),
            self.check_sheet(),
        ];
        let sheets = sheets.iter().flatten();
        let sheets = sheets.map(|sheet| sheet.first_rows(usize::MAX, width) + "\n");
        let text = format!(
            "{}\n{}{}\n{FOREIGN}\n{}",
            fold(format!("{name}: {question}\n\n{statement}\n")),
            sheets.collect::<String>(),
            fold(format!("How it was checked\n{}", listed(&self.checked))),
            listed(&self.commands)
        );
        visible(&text)
    }
}

/// The heading of the commands, which are the folder's own words: it may be a stranger's.
const FOREIGN: &str =
    "Commands that its proof.toml names; look at what they do before you type one";

/// The folder of a run in which the proof plays.
const MATCHES: &str = "matches";

/// The fault of a table that is another than the one that the proof lists.
const CHANGED: &str = "its hash differs from the one in proof.toml";

/// The fault of a table that the proof does not list.
const UNLISTED: &str = "`files` in proof.toml has no hash of it";

/// Refuses a number in a sentence that no field of a table is.
fn check_numbers(sentence: &str, table: &FieldTable, file: &str) -> Result<(), String> {
    let known: BTreeSet<u64> = (table.rows.iter().flatten())
        .filter_map(|field| field.parse().ok())
        .collect();
    let words = sentence.split(|c: char| !(c.is_ascii_digit() || c == ','));
    let numbers = words.filter_map(|word| word.replace(',', "").parse::<u64>().ok());
    match numbers.into_iter().find(|number| !known.contains(number)) {
        Some(number) => Err(format!(
            "`{sentence}` speaks of {}, which {file} does not have: {}",
            count(number),
            table.listed()
        )),
        None => Ok(()),
    }
}

/// The rows of a table with its header, each seen by `take`, which notes what is wrong with it.
fn for_each_record(
    path: &Path,
    mut take: impl FnMut(&RecordFields<'_>),
) -> Result<FieldTable, String> {
    let wrong = |error: csv::Error| error.to_string();
    let mut records = Records::open(path).map_err(|error| error.to_string())?;
    let header = records.header().map_err(wrong)?;
    let texts = |record: &StringRecord| record.iter().map(str::to_owned).collect();
    let mut table = FieldTable {
        columns: texts(&header),
        rows: Vec::new(),
    };
    for record in records {
        let record = record.map_err(wrong)?;
        let fields = RecordFields::new(&header, &record);
        take(&fields);
        if let Some(fault) = fields.fault() {
            return Err(fault);
        }
        table.rows.push(texts(&record));
    }
    Ok(table)
}

/// The counts of a row; notes a part that is more than all.
fn read_sums(fields: &RecordFields<'_>, sums: &[String]) -> Vec<u64> {
    let counts: Vec<u64> = sums.iter().map(|column| fields.count(column)).collect();
    let (Some(&all), Some(of)) = (counts.first(), sums.first()) else {
        return counts;
    };
    for (column, &part) in sums.iter().zip(&counts) {
        if part > all {
            let (part, all) = (count(part), count(all));
            fields.note(column, &format!("{part} is more than all {all} (`{of}`)"));
        }
    }
    counts
}

/// The layers of each group by their numbers, in the order of the table.
type Groups = IndexMap<String, BTreeMap<u64, CountRow>>;

impl CountsTable {
    fn read(&mut self, path: &Path) -> Result<(), String> {
        let mut groups = Groups::new();
        for_each_record(path, |fields| {
            let sums = read_sums(fields, &self.sums);
            let (of, number) = (fields.text(&self.group), fields.count(&self.layer));
            let label = format!("{of} {}, {} {number}", self.group, self.layer);
            let named = [(&self.group, of.clone()), (&self.layer, number.to_string())];
            self.layers.list(fields, named);
            let row = CountRow { label, sums };
            self.every.push(row.clone());
            if let Some(before) = groups.entry(of).or_default().insert(number, row) {
                fields.note(&self.layer, &format!("{} has a row already", before.label));
            }
        })?;
        self.check_complete(&groups)?;
        for (of, layers) in &groups {
            let label = format!("{of} {}, {} layers", self.group, layers.len());
            self.groups.push(self.summed(label, layers.values()));
        }
        self.groups
            .push(self.summed("all".to_owned(), self.every.iter()));
        Ok(())
    }

    /// Refuses a table that lacks a layer between two others, or has more or fewer than the proof.
    fn check_complete(&self, groups: &Groups) -> Result<(), String> {
        for (of, layers) in groups {
            let mut pairs = layers.keys().zip(layers.keys().skip(1));
            if let Some((before, _)) = pairs.find(|&(before, next)| next - before > 1) {
                let (group, layer, missing) = (&self.group, &self.layer, before + 1);
                return Err(format!(
                    "there is no row of {of} {group}, {layer} {missing}"
                ));
            }
        }
        match self.every.len() as u64 {
            rows if rows == self.rows => Ok(()),
            rows => Err(format!(
                "{} instead of {}, the `rows` of proof.toml",
                counted(rows, "row"),
                self.rows
            )),
        }
    }

    /// The share of the second count in the first, for each group of layers.
    fn shares(&self) -> Option<Plot> {
        self.sums.get(1)?;
        let mark = |row: &CountRow| {
            let share = row.sums[1] as f64 / row.sums[0].max(1) as f64;
            let (label, _) = row.label.split_once(',')?;
            Some(IntervalMark {
                text: quantity(share, share_digits(share, 2), ""),
                ..IntervalMark::between(label, Some(share), None, None)
            })
        };
        let rows: Vec<IntervalMark> = self.groups.iter().filter_map(mark).collect();
        plot::intervals(&self.title, &rows, "", &[], LaneScale::Whole)
    }

    fn sheet(&self, title: &str, rows: &[CountRow]) -> Sheet {
        let sums = self.sums.iter().map(|name| format!("={name}"));
        let fields = |row: &CountRow| {
            let sums = row.sums.iter().map(|&sum| count(sum));
            iter::once(row.label.clone()).chain(sums).collect()
        };
        let names = iter::once("layers".to_owned()).chain(sums);
        Sheet::new(title, names, rows.iter().map(fields).collect())
    }

    /// The sums of several layers.
    fn summed<'row>(
        &self,
        label: String,
        layers: impl Iterator<Item = &'row CountRow> + Clone,
    ) -> CountRow {
        let sum = |column: usize| {
            let counts = layers.clone().map(|row| row.sums[column]);
            counts.fold(0, u64::saturating_add)
        };
        let sums = (0..self.sums.len()).map(sum).collect();
        CountRow { label, sums }
    }
}

impl LayerFiles {
    /// Lists the file of a layer, whose name has these fields in braces.
    fn list(&mut self, fields: &RecordFields<'_>, named: [(&String, String); 2]) {
        let mut name = self.name.clone();
        for (column, field) in named {
            name = name.replace(&format!("{{{column}}}"), &field);
        }
        let hash = fields.text(&self.hash);
        self.listed.push((name, hash, fields.line()));
    }
}

impl ValueTable {
    fn read(&mut self, path: &Path) -> Result<(), String> {
        self.fields = for_each_record(path, |fields| {
            for (column, expected) in &self.holds {
                let found = fields.text(column);
                if found != *expected {
                    fields.note(
                        column,
                        &format!("`{found}` instead of `{expected}`, which the statement says"),
                    );
                }
            }
        })?;
        match self.fields.rows.len() {
            1 => Ok(()),
            rows => Err(format!("{} instead of one", counted(rows as u64, "row"))),
        }
    }
}

impl CheckTable {
    fn read(&mut self, path: &Path) -> Result<(), String> {
        let mut seen = BTreeSet::new();
        self.fields = for_each_record(path, |fields| {
            read_sums(fields, &self.sums);
            let (key, wrong) = (fields.text(&self.key), fields.count(&self.wrong));
            if wrong > 0 {
                let wrong = count(wrong);
                fields.note(
                    &self.wrong,
                    &format!("{wrong} instead of 0: the check refutes the proof"),
                );
            }
            if !seen.insert(key.clone()) {
                fields.note(&self.key, &format!("`{key}` has a row already"));
            }
        })?;
        if self.fields.rows.is_empty() {
            return Err("there is no row".to_owned());
        }
        Ok(())
    }
}

impl FieldTable {
    fn sheet(&self, title: &str) -> Sheet {
        let number = |field: &String| field.parse::<u64>().ok();
        let is_number = |column: usize| {
            let mut fields = self.rows.iter().filter_map(|row| row.get(column));
            fields.all(|field| number(field).is_some())
        };
        let names = self.columns.iter().enumerate().map(|(column, name)| {
            let sign = if is_number(column) { "=" } else { "" };
            format!("{sign}{name}")
        });
        let text = |field: &String| number(field).map_or_else(|| field.clone(), count);
        let rows = self.rows.iter().map(|row| row.iter().map(text).collect());
        Sheet::new(title, names, rows.collect())
    }

    /// The fields in a line.
    fn listed(&self) -> String {
        let fields = self.rows.iter().flatten().map(String::as_str);
        fields.collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::to_html;

    const PROOF: &str = r#"
game = "coins"
question = "Who wins?"
statement = "The first player wins, in at most 1,207 moves."
number = "proved"
checked = ["All 300 coins were turned (check.csv).", "Since 1950."]
commands = ["prove it"]

[counts]
file = "layers.csv"
group = "coins"
layer = "height"
rows = 3
sums = ["positions", "won"]
title = "Won positions"
layers = { name = "{coins}-{height}.bits", hash = "hash" }

[value]
file = "value.csv"
holds = { winner = "first" }

[check]
file = "check.csv"
key = "seed"
sums = ["coins"]
wrong = "wrong"
"#;

    const LAYERS: &str =
        "coins,height,positions,won,hash\n1,2,1500,7,a\n1,1,500,500,b\n2,1,7,0,c\n";
    const VALUE: &str = "winner,moves\nfirst,1207\n";
    const CHECK: &str = "seed,coins,wrong\n1,300,0\n";

    /// The folder of a proof with these texts in it, its tables listed.
    fn folder([statement, layers, value, check]: [&str; 4]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let tables = [
            ("layers.csv", layers),
            ("value.csv", value),
            ("check.csv", check),
        ];
        let mut text = format!("{statement}\n[files]\n");
        for (name, table) in tables {
            std::fs::write(folder.path().join(name), table).unwrap();
            let hash = blake3::hash(table.as_bytes()).to_hex();
            text += &format!("\"{name}\" = \"{hash}\"\n");
        }
        std::fs::write(folder.path().join(StatedProof::FILE), text).unwrap();
        folder
    }

    #[test]
    fn a_proof_is_told_with_its_tables() {
        let folder = folder([PROOF, LAYERS, VALUE, CHECK]);
        let proof = StatedProof::read(folder.path()).unwrap();
        let text = proof.to_text(None, false);
        for part in [
            ": Who wins?",
            "1 coins, 2 layers",
            "2,000",
            "2,007",
            "1,207",
            "300",
            "  prove it",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert!(proof.to_text(None, true).contains("1 coins, height 2"));
        let titles: Vec<_> = proof
            .to_page()
            .tables
            .into_iter()
            .map(|sheet| sheet.title)
            .collect();
        assert!(
            titles.contains(&"A second opinion".to_owned()),
            "{titles:?}"
        );
    }

    #[test]
    fn the_page_of_a_proof_has_the_shares_as_bars_and_a_game() {
        let folder = folder([PROOF, LAYERS, VALUE, CHECK]);
        let page = || StatedProof::read(folder.path()).unwrap().to_page();
        let page_of = || to_html(&[page()]).unwrap();
        let shares = page().card.unwrap().svg;
        for told in ["1 coins: 25\u{a0}%", "2 coins: 0"] {
            assert!(shares.contains(told), "{told} in {shares}");
        }
        assert_eq!(shares.matches("class=\"fill\"").count(), 2);
        assert!(page().exhibit.is_none() && page_of().contains(&shares));
        let matches = folder.path().join(MATCHES);
        std::fs::create_dir(&matches).unwrap();
        let game = r#"{"cell": "fox=sly,hens=perfect", "sample": 3, "instance": "c", "length": 1,
            "outcome": "won", "steps": [{"number": 1, "caption": "the coin", "board": "c"}]}"#;
        std::fs::write(matches.join(Exhibit::FILE), game).unwrap();
        let shown = page_of();
        assert!(
            shown.contains("Sample 3, fox sly, hens perfect. Won."),
            "{shown}"
        );
    }

    #[test]
    fn a_proof_is_cited_with_its_origin_and_the_hash_of_its_statement() {
        let folder = folder([PROOF, LAYERS, VALUE, CHECK]);
        let cite = || StatedProof::read(folder.path()).unwrap().to_page().cite;
        let statement = std::fs::read(folder.path().join(StatedProof::FILE)).unwrap();
        let hash = blake3::hash(&statement).to_hex();
        let before = cite();
        assert!(
            before.starts_with("etude, version not recorded, proof "),
            "{before}"
        );
        assert!(
            before.ends_with(&format!("BLAKE3 of proof.toml {hash}")),
            "{before}"
        );
        let origin = r#"{"program": "etude 9.8.7", "revision": "abc", "date": "2026-11-21"}"#;
        let write = |text: &str| std::fs::write(folder.path().join(Origin::FILE), text).unwrap();
        write(origin);
        let told = "etude 9.8.7, revision abc, 2026-11-21, proof ";
        assert!(cite().starts_with(told), "{}", cite());
        let page = to_html(&[StatedProof::read(folder.path()).unwrap().to_page()]).unwrap();
        assert!(page.contains(&cite()), "{page}");
        write("{}");
        let fault = StatedProof::read(folder.path()).unwrap_err().to_string();
        assert!(fault.contains(Origin::FILE), "{fault}");
    }

    #[test]
    fn the_page_of_a_proof_says_whose_words_its_commands_are() {
        let folder = folder([PROOF, LAYERS, VALUE, CHECK]);
        let page = to_html(&[StatedProof::read(folder.path()).unwrap().to_page()]).unwrap();
        let (above, _) = page.split_once(">prove it").unwrap();
        let (_, between) = above.split_once(FOREIGN).unwrap();
        assert!(!between.contains("<h"), "{between}");
    }

    /// Each fact is forged, the hashes are made to agree with it, and the first fault is told.
    #[test]
    fn a_proof_that_contradicts_itself_is_refused() {
        let forged = [
            (
                "500,500,b",
                "500,501,b",
                "layers.csv",
                "line 3, column `won`: 501 is more than all 500",
            ),
            (
                "1,1,500",
                "1,2,500",
                "layers.csv",
                "line 3, column `height`: 1 coins, height 2 has a row already",
            ),
            ("2,1,7,0,c\n", "", "layers.csv", "2 rows instead of 3"),
            (
                "1,1,500",
                "1,4,500",
                "layers.csv",
                "no row of 1 coins, height 3",
            ),
            (
                "7,0,c",
                "7,many,c",
                "layers.csv",
                "line 4, column `won`: `many` is not a count",
            ),
            (
                "first,1207",
                "second,1207",
                "value.csv",
                "line 2, column `winner`: `second` instead of `first`",
            ),
            (
                "first,1207",
                "first,5",
                "proof.toml",
                "speaks of 1,207, which value.csv does not have: first, 5",
            ),
            (
                "at most 1,207",
                "at most 5",
                "proof.toml",
                "speaks of 5, which value.csv does not have",
            ),
            (
                "first,1207\n",
                "first,1207\nfirst,1207\n",
                "value.csv",
                "2 rows instead of one",
            ),
            (
                "1,300,0",
                "1,300,77",
                "check.csv",
                "line 2, column `wrong`: 77 instead of 0",
            ),
            (
                "1,300,0\n",
                "1,300,0\n1,300,0\n",
                "check.csv",
                "line 3, column `seed`: `1` has a row already",
            ),
            ("1,300,0\n", "", "check.csv", "there is no row"),
            (
                "All 300",
                "All 9,000",
                "proof.toml",
                "speaks of 9,000, which check.csv does not have",
            ),
        ];
        for (fact, other, file, told) in forged {
            let texts = [PROOF, LAYERS, VALUE, CHECK];
            assert!(texts.iter().any(|text| text.contains(fact)), "{fact}");
            let texts = texts.map(|text| text.replacen(fact, other, 1));
            let folder = folder(texts.each_ref().map(String::as_str));
            let error = StatedProof::read(folder.path()).unwrap_err().to_string();
            assert!(
                error.contains(file) && error.contains(told),
                "{told}: {error}"
            );
        }
    }

    #[test]
    fn a_table_that_is_not_the_listed_one_is_refused() {
        for (name, table) in [
            ("layers.csv", LAYERS),
            ("value.csv", VALUE),
            ("check.csv", CHECK),
        ] {
            let folder = folder([PROOF, LAYERS, VALUE, CHECK]);
            std::fs::write(folder.path().join(name), format!("{table} ")).unwrap();
            let error = StatedProof::read(folder.path()).unwrap_err().to_string();
            assert!(
                error.contains(name) && error.contains(StatedProof::FILE),
                "{error}"
            );
        }
    }

    #[test]
    fn files_of_layers_are_held_against_their_hashes() {
        let hash = blake3::hash(b"bits").to_hex();
        let layers = LAYERS.replace(",a\n", &format!(",{hash}\n"));
        let folder = folder([PROOF, &layers, VALUE, CHECK]);
        let write = |name: &str| std::fs::write(folder.path().join(name), "bits").unwrap();
        write("1-2.bits");
        let proof = StatedProof::read(folder.path()).unwrap();
        let audit = proof.audit().unwrap();
        assert_eq!((audit.sound, audit.absent, audit.faults.len()), (1, 2, 0));
        write("2-1.bits");
        let faults = proof.audit().unwrap().faults;
        assert_eq!(
            faults,
            ["2-1.bits differs from its hash: layers.csv, line 4, `hash`"]
        );
    }
}
