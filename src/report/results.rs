//! The contents of a run folder, as rows of its tables.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use csv::StringRecord;
use serde::Deserialize;

use super::figures::Figure;
use super::plot::Bin;
use crate::output::{Exhibit, Manifest};

/// A run folder's contents.
#[derive(Clone, Debug)]
pub struct Results {
    /// Where they were read.
    pub folder: PathBuf,
    /// The experiment as it was run.
    pub config: Header,
    /// Provenance.
    pub manifest: Manifest,
    /// `summary.csv`.
    pub summary: Vec<SummaryRow>,
    /// `claims.csv`.
    pub claims: Vec<ClaimRow>,
    /// `pairs.csv`.
    pub pairs: Vec<PairRow>,
    /// `histograms.csv`.
    pub histograms: Vec<HistogramRow>,
    /// `convergence.csv`.
    pub convergence: Vec<ConvergenceRow>,
    /// `ratings.csv`.
    pub ratings: Vec<RatingRow>,
    /// `exhibit.json`.
    pub exhibit: Option<Exhibit>,
}

/// What a report quotes of `config.toml`.
#[derive(Clone, Debug, Deserialize)]
pub struct Header {
    /// The question.
    pub question: String,
    /// The task's name.
    pub task: String,
    /// The seed.
    pub seed: u64,
    /// The answer's sentence, with places for figures.
    #[serde(default)]
    pub answer: Option<String>,
    /// Prose that travels with the numbers.
    #[serde(default)]
    pub analysis: Option<String>,
    /// The swept parameters.
    #[serde(default)]
    pub sweep: toml::Table,
}

/// A row of `summary.csv`.
#[derive(Clone, Debug)]
pub struct SummaryRow {
    /// The cell.
    pub cell: String,
    /// Its parameters, by name.
    pub params: BTreeMap<String, String>,
    /// The metric.
    pub metric: String,
    /// Its unit; empty for a share.
    pub unit: String,
    /// Why sampling stopped.
    pub stop_reason: String,
    /// The estimate.
    pub figure: Figure,
}

/// A row of `claims.csv`.
#[derive(Clone, Debug)]
pub struct ClaimRow {
    /// Who claims it.
    pub source: String,
    /// The sentence.
    pub text: String,
    /// The relation that is true where the sentence is.
    pub holds: String,
    /// The cell, or `first - second`.
    pub cell: String,
    /// The unit of the metric it speaks of.
    pub unit: String,
    /// The statistic.
    pub figure: Figure,
    /// `supported`, `refuted` or `undecided`.
    pub verdict: String,
    /// What a reader should know of the verdict.
    pub note: String,
}

/// A row of `pairs.csv`.
#[derive(Clone, Debug)]
pub struct PairRow {
    /// The cell that counts positive.
    pub first: String,
    /// The cell that counts negative.
    pub second: String,
    /// The metric.
    pub metric: String,
    /// Its unit.
    pub unit: String,
    /// The difference.
    pub figure: Figure,
    /// Correlation on the same instances.
    pub correlation: Option<f64>,
    /// How many times more samples separate instances would need.
    pub variance_reduction: Option<f64>,
}

/// A row of `histograms.csv`.
#[derive(Clone, Debug)]
pub struct HistogramRow {
    /// The cell.
    pub cell: String,
    /// The metric.
    pub metric: String,
    /// A value and how often it was seen.
    pub bin: Bin,
}

/// A row of `convergence.csv`.
#[derive(Clone, Debug)]
pub struct ConvergenceRow {
    /// The metric.
    pub metric: String,
    /// Its unit.
    pub unit: String,
    /// Samples so far.
    pub samples: u64,
    /// The estimate from them.
    pub figure: Figure,
}

/// A row of `ratings.csv`.
#[derive(Clone, Debug)]
pub struct RatingRow {
    /// Who is rated, as which side.
    pub player: String,
    /// The rating in Elo.
    pub elo: Option<f64>,
    /// Lower end of its interval.
    pub lo: Option<f64>,
    /// Upper end of its interval.
    pub hi: Option<f64>,
}

/// A run folder that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {message}", path = .path.display())]
pub struct ReadError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub message: String,
}

impl Results {
    /// Reads the folder of a run.
    pub fn read(folder: &Path) -> Result<Self, ReadError> {
        let file = |name: &str| folder.join(name);
        let config = file("config.toml");
        let text = std::fs::read_to_string(&config).map_err(|error| bad(&config, &error))?;
        let manifest = file("manifest.json");
        let exhibit = file(Exhibit::FILE);
        Ok(Self {
            folder: folder.to_owned(),
            config: toml::from_str(&text).map_err(|error| bad(&config, error.message()))?,
            manifest: Manifest::read(&manifest).map_err(|error| bad(&manifest, &error))?,
            summary: rows(&file("summary.csv"), SummaryRow::read)?,
            claims: optional_rows(&file("claims.csv"), ClaimRow::read)?,
            pairs: optional_rows(&file("pairs.csv"), PairRow::read)?,
            histograms: optional_rows(&file("histograms.csv"), HistogramRow::read)?,
            convergence: optional_rows(&file("convergence.csv"), ConvergenceRow::read)?,
            ratings: optional_rows(&file("ratings.csv"), RatingRow::read)?,
            exhibit: Exhibit::read(&exhibit).map_err(|error| bad(&exhibit, &error))?,
        })
    }

    /// The names of the cells, in order.
    pub fn cells(&self) -> Vec<&str> {
        let mut cells: Vec<&str> = Vec::new();
        for row in &self.summary {
            if cells.last() != Some(&row.cell.as_str()) {
                cells.push(&row.cell);
            }
        }
        cells
    }

    /// The names of the metrics, in order.
    pub fn metrics(&self) -> Vec<&str> {
        let first = self.summary.first().map(|row| &row.cell);
        let rows = self.summary.iter();
        rows.take_while(|row| Some(&row.cell) == first)
            .map(|row| row.metric.as_str())
            .collect()
    }

    /// Whether the answer or a claim speaks of a metric.
    pub fn mentions(&self, metric: &str) -> bool {
        let answer = self.config.answer.as_deref().unwrap_or_default();
        let in_answer =
            answer.contains(&format!("{{{metric}}}")) || answer.contains(&format!(":{metric}}}"));
        let claimed = |claim: &ClaimRow| {
            let words = claim
                .holds
                .split(|c: char| !(c.is_alphanumeric() || c == '-'));
            words.into_iter().any(|word| word == metric)
        };
        in_answer || self.claims.iter().any(claimed)
    }

    /// The figure of a metric in a cell.
    pub fn row(&self, cell: &str, metric: &str) -> Option<&SummaryRow> {
        self.summary
            .iter()
            .find(|row| row.cell == cell && row.metric == metric)
    }
}

impl SummaryRow {
    fn read(fields: &Fields<'_>) -> Self {
        Self {
            cell: fields.text("cell"),
            params: fields.between("cell", "metric"),
            metric: fields.text("metric"),
            unit: fields.text("unit"),
            stop_reason: fields.text("stop_reason"),
            figure: Figure::read(fields),
        }
    }
}

impl ClaimRow {
    fn read(fields: &Fields<'_>) -> Self {
        Self {
            source: fields.text("source"),
            text: fields.text("text"),
            holds: fields.text("holds"),
            cell: fields.text("cell"),
            unit: fields.text("unit"),
            verdict: fields.text("verdict"),
            note: fields.text("note"),
            figure: Figure::read(fields),
        }
    }
}

impl PairRow {
    fn read(fields: &Fields<'_>) -> Self {
        Self {
            first: fields.text("first"),
            second: fields.text("second"),
            metric: fields.text("metric"),
            unit: fields.text("unit"),
            correlation: fields.number("correlation"),
            variance_reduction: fields.number("variance_reduction"),
            figure: Figure::read(fields),
        }
    }
}

impl PairRow {
    /// What is subtracted from what: `optimal − greedy (layout=open)` where the cells' names share
    /// terms, both names otherwise.
    pub fn label(&self) -> String {
        let terms = |cell: &str| cell.split(',').map(str::to_owned).collect::<Vec<_>>();
        let (first, second) = (terms(&self.first), terms(&self.second));
        let shared = first.iter().filter(|term| second.contains(term));
        let shared = shared.map(String::as_str).collect::<Vec<_>>().join(",");
        let difference = format!(
            "{} − {}",
            own_values(&first, &second),
            own_values(&second, &first)
        );
        match shared.is_empty() {
            true => difference,
            false => format!("{difference} ({shared})"),
        }
    }
}

/// The values of the terms that are not among `theirs`.
fn own_values(mine: &[String], theirs: &[String]) -> String {
    let own = mine.iter().filter(|term| !theirs.contains(term));
    let value = |term: &String| match term.split_once('=') {
        Some((_, value)) => value.to_owned(),
        None => term.clone(),
    };
    own.map(value).collect::<Vec<_>>().join(",")
}

impl HistogramRow {
    fn read(fields: &Fields<'_>) -> Self {
        Self {
            cell: fields.text("cell"),
            metric: fields.text("metric"),
            bin: Bin {
                value: fields.number("value").unwrap_or(f64::NAN),
                count: fields.count("count"),
                open: fields.count("unresolved_from"),
            },
        }
    }
}

impl ConvergenceRow {
    fn read(fields: &Fields<'_>) -> Self {
        Self {
            metric: fields.text("metric"),
            unit: fields.text("unit"),
            samples: fields.count("samples"),
            figure: Figure::read(fields),
        }
    }
}

impl RatingRow {
    fn read(fields: &Fields<'_>) -> Self {
        Self {
            player: rated(fields),
            elo: fields.number("elo"),
            lo: fields.number("elo_lo"),
            hi: fields.number("elo_hi"),
        }
    }
}

/// A player with the side it plays and what else was swept: `arsac as hens (rule=strict)`.
fn rated(fields: &Fields<'_>) -> String {
    let (side, group) = (fields.text("side"), fields.text("group"));
    let mut player = fields.text("player");
    if !side.is_empty() {
        player = format!("{player} as {side}");
    }
    match group.is_empty() {
        true => player,
        false => format!("{player} ({group})"),
    }
}

/// A record of a CSV file, by the names of its columns. A column that is not there is empty.
pub(super) struct Fields<'row> {
    header: &'row StringRecord,
    record: &'row StringRecord,
}

impl Fields<'_> {
    pub fn text(&self, column: &str) -> String {
        self.field(column).to_owned()
    }

    pub fn number(&self, column: &str) -> Option<f64> {
        self.field(column).parse().ok()
    }

    pub fn count(&self, column: &str) -> u64 {
        self.field(column).parse().unwrap_or_default()
    }

    /// The fields of the columns between two others, by name.
    fn between(&self, after: &str, before: &str) -> BTreeMap<String, String> {
        let names = self.header.iter().skip_while(|name| *name != after).skip(1);
        let names = names.take_while(|name| *name != before);
        names
            .map(|name| (name.to_owned(), self.text(name)))
            .collect()
    }

    fn field(&self, column: &str) -> &str {
        let place = self.header.iter().position(|name| name == column);
        place
            .and_then(|place| self.record.get(place))
            .unwrap_or_default()
    }
}

fn optional_rows<T>(path: &Path, read: impl Fn(&Fields<'_>) -> T) -> Result<Vec<T>, ReadError> {
    if path.exists() {
        rows(path, read)
    } else {
        Ok(Vec::new())
    }
}

fn rows<T>(path: &Path, read: impl Fn(&Fields<'_>) -> T) -> Result<Vec<T>, ReadError> {
    let mut reader = csv::Reader::from_path(path).map_err(|error| bad(path, &error))?;
    let header = reader.headers().map_err(|error| bad(path, &error))?.clone();
    let row = |record: csv::Result<StringRecord>| {
        let record = record.map_err(|error| bad(path, &error))?;
        Ok(read(&Fields {
            header: &header,
            record: &record,
        }))
    };
    reader.records().map(row).collect()
}

fn bad(path: &Path, message: impl std::fmt::Display) -> ReadError {
    ReadError {
        path: path.to_owned(),
        message: message.to_string(),
    }
}
