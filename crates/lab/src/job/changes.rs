//! The files of a run folder that this program would write in another way, and what differs in them.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::Job;
use super::final_tables::FinalTables;
use crate::run::RunTallies;
use crate::store::{CLOCK, Exhibit, Journal, holds_race};
use crate::tables::{ColumnNames, SummaryRow, TableRow};
use base::files::{self, Fill};
use base::{Failure, counted};

/// A file that this program would write in another way.
#[derive(Clone, Debug)]
pub(super) struct FileChange {
    /// The name of the file in the folder.
    pub(crate) name: String,
    /// The bytes that this program writes; `None` where it writes no such table.
    pub(crate) made: Option<Vec<u8>>,
    /// The rows of a table that differ.
    rows: Vec<RowChange>,
    /// The number of intervals in the table as this program writes it.
    intervals: usize,
    /// True if the first column that identifies a row has one value in all of these.
    is_one_group: bool,
}

/// A row that differs between the table in the folder and the one that this program makes.
#[derive(Clone, Debug)]
struct RowChange {
    /// The values of the columns that identify it.
    key: Vec<String>,
    /// The fields that are stored; none of a new row.
    stored: Fields,
    /// The fields that are made; none of a row that is gone.
    made: Fields,
}

/// Fields by column.
type Fields = IndexMap<String, String>;

impl FileChange {
    fn of(name: &str, key: ColumnNames, stored: &[u8], made: Vec<u8>) -> Self {
        let (before, mut rows) = (rows_by_key(stored, key), Vec::new());
        let after = rows_by_key(&made, key);
        let none = Fields::new();
        let keys: BTreeSet<&Vec<String>> = before.keys().chain(after.keys()).collect();
        for key in keys {
            let [stored, made] = [&before, &after].map(|rows| rows.get(key).unwrap_or(&none));
            if stored != made {
                rows.push(RowChange {
                    key: key.clone(),
                    stored: stored.clone(),
                    made: made.clone(),
                });
            }
        }
        let groups: BTreeSet<_> = after.keys().map(|key| key.first()).collect();
        Self {
            name: name.to_owned(),
            made: Some(made),
            rows,
            intervals: after.values().filter(|row| has_interval(row)).count(),
            is_one_group: groups.len() == 1,
        }
    }

    /// The values that differ, a text for each.
    pub(crate) fn values(&self) -> impl Iterator<Item = String> + '_ {
        self.rows.iter().flat_map(|row| {
            let columns = row.stored.keys().chain(row.made.keys());
            let columns: BTreeSet<&String> = columns.collect();
            let differing = columns
                .into_iter()
                .filter(|&name| row.stored.get(name) != row.made.get(name));
            differing.map(|name| {
                let [stored, made] = [&row.stored, &row.made].map(|fields| shown(fields.get(name)));
                format!("{}: {name} {stored} -> {made}", self.place(row))
            })
        })
    }

    /// The intervals that differ, where this is the table of estimates: how many of all, and the first.
    fn changed_intervals(&self) -> Option<String> {
        if self.name != format!("{}.csv", SummaryRow::TABLE) {
            return None;
        }
        let ends = |fields: &Fields| ["ci_lo", "ci_hi"].map(|end| rounded(fields.get(end)));
        let exact = |fields: &Fields| ["ci_lo", "ci_hi"].map(|end| fields.get(end).cloned());
        let is_other = |row: &&RowChange| exact(&row.stored) != exact(&row.made);
        let changed: Vec<&RowChange> = self.rows.iter().filter(is_other).collect();
        let first = changed.first()?;
        let [stored, made] = [&first.stored, &first.made].map(|fields| ends(fields).join(" to "));
        let (number, all) = (counted(changed.len() as u64, "interval"), self.intervals);
        let differ = if changed.len() == 1 {
            "differs"
        } else {
            "differ"
        };
        let place = self.place(first);
        Some(format!(
            "{number} of {all} {differ}: {place} {stored} -> {made}"
        ))
    }

    /// The values that identify a row, but for the first where it is that of all rows.
    fn place(&self, row: &RowChange) -> String {
        let known = usize::from(self.is_one_group && row.key.len() > 1);
        row.key[known..].join(":")
    }
}

/// Describes in a sentence what differs in some files.
pub(super) fn told(changes: &[FileChange]) -> String {
    let intervals = changes.iter().find_map(FileChange::changed_intervals);
    let first = || changes.iter().find_map(|change| change.values().next());
    let names: Vec<&str> = changes.iter().map(|change| &*change.name).collect();
    let names = names.join(", ");
    match intervals.or_else(first) {
        Some(figures) => format!("{figures}; changed are {names}"),
        None => format!("changed are {names}"),
    }
}

/// The rows of a table by the values of the columns that identify one; none of another file.
fn rows_by_key(bytes: &[u8], key: ColumnNames) -> IndexMap<Vec<String>, Fields> {
    if key.is_empty() {
        return IndexMap::new();
    }
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
    let columns = reader.headers().cloned().unwrap_or_default();
    let records = reader.records().map_while(Result::ok);
    let row = |record: csv::StringRecord| {
        let both = columns.iter().zip(&record);
        let fields: Fields = both
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .collect();
        let of_key = |name: &&str| fields.get(*name).cloned().unwrap_or_default();
        (key.iter().map(of_key).collect(), fields)
    };
    records.map(row).collect()
}

fn has_interval(row: &Fields) -> bool {
    row.get("ci_lo").is_some_and(|end| !end.is_empty())
}

fn shown(field: Option<&String>) -> &str {
    field.map_or(
        "(none)",
        |text| if text.is_empty() { "(empty)" } else { text },
    )
}

/// The number in a field with the digits that people compare.
fn rounded(field: Option<&String>) -> String {
    let number = field.and_then(|text| text.parse::<f64>().ok());
    number.map_or_else(
        || shown(field).to_owned(),
        |number| {
            let rounded: f64 = format!("{number:.3e}").parse().unwrap_or(number);
            rounded.to_string()
        },
    )
}

impl Job {
    /// Returns whether a table is drawn, and not made of what was drawn.
    fn draws(&self, table: &str) -> bool {
        match table {
            "timings.csv" => true,
            "samples.csv" => self.experiment.keeps_samples(),
            CLOCK => holds_race(&self.folder),
            _ => false,
        }
    }

    /// The files of the folder that differ from those made of `tallies`, and the tables that the experiment does not
    /// give. Only these are held in memory.
    ///
    /// # Errors
    /// If the samples or the times in the folder cannot be read.
    pub(super) fn changes(
        &self,
        tables: &FinalTables<'_>,
        journal: &Journal,
        tallies: &RunTallies,
    ) -> Result<Vec<FileChange>, Failure> {
        let (mut given, mut differing) = (BTreeSet::new(), BTreeSet::new());
        tables.files(journal, tallies.clone(), |name, _, fill| {
            if !self.holds(name, fill) {
                differing.insert(name.to_owned());
            }
            given.insert(name.to_owned());
            Ok(())
        })?;
        let mut changes = Vec::new();
        let mut add = |name: &str, key: ColumnNames, fill: &mut Fill<'_>| {
            let mut made = Vec::new();
            fill(&mut made).map_err(Failure::failed)?;
            if let (Exhibit::FILE, Ok(exhibit)) = (name, Exhibit::parse(&made)) {
                made = exhibit.into_packed().to_json();
            }
            let stored = files::read(&self.folder.join(name)).unwrap_or_default();
            changes.push(FileChange::of(name, key, &stored, made));
            Ok(())
        };
        if !differing.is_empty() {
            tables.files(journal, tallies.clone(), |name, key, fill| {
                if differing.contains(name) {
                    add(name, key, fill)
                } else {
                    Ok(())
                }
            })?;
        }
        let config = self.experiment.resolved_toml();
        let mut config = |file: &mut dyn std::io::Write| file.write_all(config.as_bytes());
        if !self.holds("config.toml", &mut config) {
            add("config.toml", &[], &mut config)?;
        }
        let stored = self.stored();
        let is_given = |name: &String| given.contains(name) || self.draws(name);
        let foreign = stored.present_tables().filter(|name| !is_given(name));
        changes.extend(foreign.map(|name| FileChange {
            name,
            made: None,
            rows: Vec::new(),
            intervals: 0,
            is_one_group: false,
        }));
        Ok(changes)
    }
}
