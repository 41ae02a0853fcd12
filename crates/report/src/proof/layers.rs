//! The counts of a proof: `layers.csv` has a row for each layer, which its first two columns name; of its `positions`,
//! `won` are won.

use std::error::Error;
use std::path::Path;

use indexmap::IndexMap;

use super::{StatedProof, Statement, bad, shown};
use crate::plot::IntervalMark;
use crate::sheet::{Sheet, SheetText};
use base::files::{self, Records};
use base::{Failure, count, counted};
use figures::{quantity, share_digits};
use lab::tables::RecordFields;

/// The table of the layers.
pub(super) const LAYERS: &str = "layers.csv";

/// The rows of the table, and their sums.
#[derive(Clone, Debug, Default)]
pub(super) struct Layers {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    groups: IndexMap<String, GroupCounts>,
}

/// The sums over a group of layers.
#[derive(Clone, Copy, Debug, Default)]
struct GroupCounts {
    layers: u64,
    positions: u64,
    won: u64,
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
    /// Holds the files of the layers that are in the folder against their hashes.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn audit(&self) -> Result<LayerAudit, Failure> {
        let mut audit = LayerAudit::default();
        for (line, row) in (2..).zip(&self.layers.rows) {
            let named = |index: usize| format!("{}-{}", self.layers.columns[index], row[index]);
            let name = format!("{}-{}.pairs", named(0), named(1));
            let path = self
                .folder
                .join(Path::new(&name).file_name().unwrap_or_default());
            if path.symlink_metadata().is_err() {
                audit.absent += 1;
                continue;
            }
            // A position is a bit.
            let digest = files::digest_within(&path, self.layers.positions_of(row));
            let digest = digest.map_err(|error| bad(&path, &error))?;
            if digest.is_some_and(|digest| row.contains(&digest)) {
                audit.sound += 1;
            } else {
                let told = format!("{name} differs from its hash: {LAYERS}, line {line}");
                audit.faults.push(told);
            }
        }
        Ok(audit)
    }
}

impl Layers {
    /// Reads the layers of a statement.
    pub(super) fn read(path: &Path, stated: &Statement) -> Result<Self, Box<dyn Error>> {
        if files::small_digest(path)? != stated.hash {
            return Err(format!("its hash differs from the one in {}", StatedProof::FILE).into());
        }
        let mut records = Records::open(path)?;
        let header = records.header()?;
        let mut read = Self {
            columns: header.iter().map(str::to_owned).collect(),
            ..Self::default()
        };
        for record in records {
            read.push(RecordFields::new(&header, &record?))?;
        }
        let (rows, layers, file) = (read.rows.len(), stated.layers, StatedProof::FILE);
        if rows != layers {
            let rows = counted(rows as u64, "row");
            return Err(format!("{rows} instead of {layers}, the `layers` of {file}").into());
        }
        Ok(read)
    }

    /// Adds a layer, which is next to the one above it in its group.
    fn push(&mut self, fields: RecordFields<'_>) -> Result<(), String> {
        let [group, layer, ..] = &self.columns[..] else {
            return Err("a layer needs two columns for its name".to_owned());
        };
        let [positions, won] = ["positions", "won"].map(|column| fields.count(column));
        if won > positions {
            let fault = format!("{} is more than all {}", count(won), count(positions));
            fields.note("won", &fault);
        }
        let (of, number) = (fields.text(group), fields.count(layer));
        let above = self.rows.last().filter(|row| row[0] == of);
        let above = above.and_then(|row| row[1].parse::<u64>().ok());
        if above.is_some_and(|above| above.abs_diff(number) != 1) {
            let fault = format!("{number} is not next to the layer in the row above");
            fields.note(layer, &fault);
        }
        let sums = self.groups.entry(format!("{of} {group}")).or_default();
        sums.layers += 1;
        sums.positions = sums.positions.saturating_add(positions);
        sums.won = sums.won.saturating_add(won);
        self.rows.push(
            self.columns
                .iter()
                .map(|column| fields.text(column))
                .collect(),
        );
        fields.fault().map_or(Ok(()), Err)
    }

    /// The number of positions of a layer.
    fn positions_of(&self, row: &[String]) -> u64 {
        let column = self.columns.iter().position(|column| column == "positions");
        let positions = column.and_then(|column| row[column].parse().ok());
        positions.unwrap_or_default()
    }

    /// The number of positions.
    pub(super) fn positions(&self) -> u64 {
        self.groups.values().map(|sums| sums.positions).sum()
    }

    /// The share of each group's positions that is won.
    pub(super) fn shares(&self) -> Vec<IntervalMark> {
        let mark = |(label, sums): (&String, &GroupCounts)| {
            let share = sums.won as f64 / sums.positions.max(1) as f64;
            let text = quantity(share, share_digits(share, 2), "");
            let mark = IntervalMark::between(label, Some(share), None, None);
            IntervalMark { text, ..mark }
        };
        self.groups.iter().map(mark).collect()
    }

    /// The sums of each group.
    pub(super) fn groups(&self) -> Sheet {
        let columns: [SheetText<'_, (&String, &GroupCounts)>; 4] = [
            ("group", &|(label, _)| (*label).clone()),
            ("=layers", &|(_, sums)| count(sums.layers)),
            ("=positions", &|(_, sums)| count(sums.positions)),
            ("=won", &|(_, sums)| count(sums.won)),
        ];
        Sheet::of("Counts by group of layers", &self.groups, &columns)
    }

    /// The counts of every layer.
    pub(super) fn every(&self) -> Sheet {
        let (columns, rows) = (self.columns.clone(), self.rows.clone());
        sheet("Counts of every layer", columns, rows).without(&["blake3"])
    }
}

/// A sheet of fields, with numbers set to the right.
pub(super) fn sheet(title: &str, names: Vec<String>, rows: Vec<Vec<String>>) -> Sheet {
    let is_number = |column: usize| rows.iter().all(|row| row[column].parse::<u64>().is_ok());
    let mark = |column| if is_number(column) { "=" } else { "" };
    let names = names
        .iter()
        .enumerate()
        .map(|(column, name)| format!("{}{name}", mark(column)));
    let fields = |row: &Vec<String>| row.iter().map(|field| shown(field)).collect();
    Sheet::new(title, names, rows.iter().map(fields).collect())
}
