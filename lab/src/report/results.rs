//! The contents of a run folder, as rows of its tables.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::cells::{MOST_CELLS, Sweep};
use super::format::level_text;
use super::rows::{
    ClaimRow, ConvergenceRow, CumulativeRow, EloRow, HistogramRow, MetricRow, PairRow, PointRow,
    PurseRow, RatingRow, RatioRow, RecordFields, SummaryRow, TruthRow, VarianceRow, WeightRow,
};
use crate::files::{self, Records};
use crate::output::{Exhibit, Manifest};
use crate::task::{visible, visible_line};

/// A run folder's contents.
#[derive(Clone, Debug)]
pub struct Results {
    /// The folder that they were read from.
    pub folder: PathBuf,
    /// The experiment as it was run.
    pub config: Header,
    /// Provenance.
    pub manifest: Manifest,
    /// The cells by the values of the swept parameters.
    pub sweep: Sweep,
    /// `metrics.csv`.
    pub metrics: Vec<MetricRow>,
    /// `summary.csv`.
    pub summary: Vec<SummaryRow>,
    /// `claims.csv`.
    pub claims: Vec<ClaimRow>,
    /// `pairs.csv`.
    pub pairs: Vec<PairRow>,
    /// `truths.csv`.
    pub truths: Vec<TruthRow>,
    /// `variance.csv`.
    pub variance: Vec<VarianceRow>,
    /// `elo.csv`.
    pub elo: Vec<EloRow>,
    /// `histograms.csv`.
    pub histograms: Vec<HistogramRow>,
    /// `convergence.csv`.
    pub convergence: Vec<ConvergenceRow>,
    /// `ratings.csv`.
    pub ratings: Vec<RatingRow>,
    /// `weights.csv`.
    pub weights: Vec<WeightRow>,
    /// `purses.csv`.
    pub purses: Vec<PurseRow>,
    /// `cumulative.csv`.
    pub cumulative: Vec<CumulativeRow>,
    /// `ratios.csv`.
    pub ratios: Vec<RatioRow>,
    /// `points.csv`.
    pub points: Vec<PointRow>,
    /// `exhibit.json`.
    pub exhibit: Option<Exhibit>,
    /// Files of the names above that are left out: the manifest does not list them.
    pub foreign: Vec<&'static str>,
}

/// The parts of `config.toml` that a report quotes.
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
    /// The stake and the payments, if the game is for money.
    #[serde(default)]
    pub wager: Option<WagerFigures>,
}

/// The stake and the payments of a game for money.
#[derive(Clone, Debug, Deserialize)]
pub struct WagerFigures {
    /// The metric of what a game pays.
    pub metric: String,
    /// The stake of one game, in the metric's unit.
    pub stake: f64,
    /// Games in a row whose total gain is shown.
    pub games: u64,
    /// The cell whose player's gains are shown; the first by default.
    #[serde(default)]
    pub cell: Option<String>,
}

/// A run folder that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {message}", path = .path.display())]
pub struct ReadError {
    /// The file or folder.
    pub path: PathBuf,
    /// The message.
    pub message: String,
}

impl Header {
    /// Reads the text of a `config.toml`; texts are made safe to show.
    fn read(text: &str) -> Result<Self, toml::de::Error> {
        let header: Self = toml::from_str(text)?;
        Ok(Self {
            question: visible_line(&header.question),
            // Made safe to show once its figures are in: an escape has braces of its own.
            answer: header.answer,
            analysis: header.analysis.as_deref().map(visible),
            ..header
        })
    }
}

impl Results {
    /// Reads the folder of a run.
    ///
    /// ```no_run
    /// let results = lab::report::Results::read("results/coins".as_ref())?;
    /// print!("{}", lab::report::to_text(&results, false, None));
    /// # Ok::<(), lab::report::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// The first file that cannot be read or understood, and why.
    pub fn read(folder: &Path) -> Result<Self, ReadError> {
        let mut folder = WitnessedFolder::open(folder)?;
        let config = folder.required("config.toml")?;
        let text = files::read_text(&config).map_err(|error| bad(&config, &error))?;
        let header: Header = Header::read(&text).map_err(|error| bad(&config, error.message()))?;
        let summary = rows(&folder.required("summary.csv")?, SummaryRow::read)?;
        let results = Self {
            sweep: Sweep::of(header.sweep.keys(), &summary),
            config: header,
            metrics: folder.rows("metrics.csv", MetricRow::read)?,
            summary,
            claims: folder.rows("claims.csv", ClaimRow::read)?,
            pairs: folder.rows("pairs.csv", PairRow::read)?,
            truths: folder.rows("truths.csv", TruthRow::read)?,
            variance: folder.rows("variance.csv", VarianceRow::read)?,
            elo: folder.rows("elo.csv", EloRow::read)?,
            histograms: folder
                .file("histograms.csv")?
                .map_or(Ok(Vec::new()), |path| first_histograms(&path))?,
            convergence: folder.rows("convergence.csv", ConvergenceRow::read)?,
            ratings: folder.rows("ratings.csv", RatingRow::read)?,
            weights: counted_weights(folder.rows("weights.csv", WeightRow::read)?),
            purses: folder.rows("purses.csv", PurseRow::read)?,
            cumulative: folder.rows("cumulative.csv", CumulativeRow::read)?,
            ratios: folder.rows("ratios.csv", RatioRow::read)?,
            points: folder.rows("points.csv", PointRow::read)?,
            exhibit: folder.exhibit()?,
            folder: folder.path,
            manifest: folder.manifest,
            foreign: folder.foreign,
        };
        Ok(results.with_logarithms().without_equal_work().labelled())
    }

    /// Adds the logarithms of means that are beyond the numbers of the machine.
    fn with_logarithms(mut self) -> Self {
        let weights = self.weights.iter();
        let logarithms: HashMap<_, _> = weights
            .map(|row| ((&row.cell, &row.metric), row.log10_mean))
            .collect();
        for row in &mut self.summary {
            if row.figure.mean.is_none() {
                let found = logarithms.get(&(&row.cell, &row.metric));
                row.figure.log10 = found.copied().flatten();
            }
        }
        self
    }

    /// Removes the work that was equal for every instance in every cell, of which there is nothing
    /// to compare.
    fn without_equal_work(mut self) -> Self {
        let mut ends: HashMap<String, (f64, f64)> = HashMap::new();
        for row in &self.cumulative {
            let (least, most) = ends
                .entry(row.metric.clone())
                .or_insert((row.value, row.value));
            *least = least.min(row.value);
            *most = most.max(row.value);
        }
        let differs = |metric: &str| ends.get(metric).is_none_or(|(least, most)| least < most);
        self.cumulative.retain(|row| differs(&row.metric));
        self.ratios.retain(|row| differs(&row.metric));
        self.points.retain(|row| differs(&row.metric));
        self
    }

    /// Adds labels that people read to pairs, ratios and claims.
    fn labelled(mut self) -> Self {
        for row in &mut self.pairs {
            row.label = self.sweep.difference(&row.first, &row.second);
        }
        for row in &mut self.ratios {
            row.label = self.sweep.ratio(&row.first, &row.second);
        }
        for row in &mut self.claims {
            row.place = self.sweep.place(&row.cell);
        }
        self
    }

    /// Returns the summary of a metric; empty if the folder has none.
    pub fn meaning(&self, metric: &str) -> &str {
        let row = self.metrics.iter().find(|row| row.metric == metric);
        row.map_or("", |row| &row.summary)
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
    pub fn metric_names(&self) -> Vec<&str> {
        let first = self.summary.first().map(|row| &row.cell);
        let rows = self.summary.iter();
        rows.take_while(|row| Some(&row.cell) == first)
            .map(|row| row.metric.as_str())
            .collect()
    }

    /// Returns whether a metric is the first, or one that the answer or a claim speaks of.
    pub fn is_featured(&self, metric: &str) -> bool {
        self.metric_names().first() == Some(&metric) || self.mentions(metric)
    }

    fn mentions(&self, metric: &str) -> bool {
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

    /// Returns the estimate of a claim as text; its interval names its level if that is not the
    /// estimates'.
    pub fn found(&self, claim: &ClaimRow) -> String {
        let found = claim.figure.phrase(claim.shown_unit());
        let usual = self.summary.iter().find_map(|row| row.figure.ci_level);
        let level = claim.figure.ci_level.filter(|level| Some(*level) != usual);
        match (level, found.strip_suffix(')')) {
            (Some(level), Some(open)) if claim.figure.ci_lo.is_some() => {
                format!("{open}; {})", level_text(level))
            }
            _ => found,
        }
    }

    /// The players, the strongest first.
    pub fn ladder(&self) -> Vec<&RatingRow> {
        let mut players: Vec<_> = self.ratings.iter().collect();
        let rating = |row: &RatingRow| row.elo.unwrap_or(f64::NEG_INFINITY);
        players.sort_by(|a, b| rating(b).total_cmp(&rating(a)));
        players
    }

    /// Returns a warning for each estimate that cannot be trusted, a sentence each.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        self.weights.iter().filter_map(WeightRow::warning)
    }

    /// The figure of a metric in a cell.
    pub fn row(&self, cell: &str, metric: &str) -> Option<&SummaryRow> {
        self.summary
            .iter()
            .find(|row| row.cell == cell && row.metric == metric)
    }
}

/// A run folder whose files are held against the hashes in its manifest: a file of another run is
/// left out, a changed one refused.
struct WitnessedFolder {
    path: PathBuf,
    manifest: Manifest,
    foreign: Vec<&'static str>,
}

impl WitnessedFolder {
    fn open(folder: &Path) -> Result<Self, ReadError> {
        let manifest = folder.join("manifest.json");
        Ok(Self {
            manifest: Manifest::read(&manifest).map_err(|error| bad(&manifest, &error))?,
            path: folder.to_owned(),
            foreign: Vec::new(),
        })
    }

    /// The path of a file as the run wrote it; `None` if the run wrote none of this name.
    fn file(&mut self, name: &'static str) -> Result<Option<PathBuf>, ReadError> {
        let path = self.path.join(name);
        let Some(hash) = self.manifest.files.get(name) else {
            if path.symlink_metadata().is_ok() {
                self.foreign.push(name);
            }
            return Ok(None);
        };
        match files::digest(&path) {
            Ok(found) if found == *hash => Ok(Some(path)),
            Ok(_) => Err(bad(&path, CHANGED)),
            Err(error) => Err(bad(&path, &error)),
        }
    }

    /// The path of a file that every run writes.
    fn required(&mut self, name: &'static str) -> Result<PathBuf, ReadError> {
        let path = self.path.join(name);
        self.file(name)?.ok_or_else(|| bad(&path, UNLISTED))
    }

    fn rows<T>(
        &mut self,
        name: &'static str,
        read: impl Fn(&RecordFields<'_>) -> T,
    ) -> Result<Vec<T>, ReadError> {
        match self.file(name)? {
            Some(path) => rows(&path, read),
            None => Ok(Vec::new()),
        }
    }

    fn exhibit(&mut self) -> Result<Option<Exhibit>, ReadError> {
        match self.file(Exhibit::FILE)? {
            Some(path) => Exhibit::read(&path).map_err(|error| bad(&path, &error)),
            None => Ok(None),
        }
    }
}

const CHANGED: &str = "it is not the file that the run wrote: its hash differs from the one in \
                       manifest.json";
const UNLISTED: &str = "manifest.json does not list it: the run has not ended, or did not write it";

/// The histograms of as many cells as are ever shown; those of a wide sweep are millions of rows.
fn first_histograms(path: &Path) -> Result<Vec<HistogramRow>, ReadError> {
    let mut cells: Vec<String> = Vec::new();
    let mut is_shown = |row: &HistogramRow| {
        if cells.last() != Some(&row.cell) {
            cells.push(row.cell.clone());
        }
        cells.len() <= MOST_CELLS
    };
    let mut shown = Vec::new();
    for_each_row(path, |fields| {
        let row = HistogramRow::read(fields);
        let goes_on = is_shown(&row);
        if goes_on {
            shown.push(row);
        }
        goes_on
    })?;
    Ok(shown)
}

/// A metric that no sample has, because the algorithm never computes it, has no weights to trust.
fn counted_weights(rows: Vec<WeightRow>) -> Vec<WeightRow> {
    rows.into_iter().filter(|row| row.n > 0).collect()
}

fn rows<T>(path: &Path, read: impl Fn(&RecordFields<'_>) -> T) -> Result<Vec<T>, ReadError> {
    let mut rows = Vec::new();
    for_each_row(path, |fields| {
        rows.push(read(fields));
        true
    })?;
    Ok(rows)
}

/// Reads row by row until `take` wants no more.
fn for_each_row(
    path: &Path,
    mut take: impl FnMut(&RecordFields<'_>) -> bool,
) -> Result<(), ReadError> {
    let mut records = Records::open(path).map_err(|error| bad(path, &error))?;
    let header = records.header().map_err(|error| bad(path, &error))?;
    for record in records {
        let record = record.map_err(|error| bad(path, &error))?;
        let fields = RecordFields::new(&header, &record);
        let goes_on = take(&fields);
        if let Some(fault) = fields.fault() {
            return Err(bad(path, fault));
        }
        if !goes_on {
            break;
        }
    }
    Ok(())
}

fn bad(path: &Path, message: impl std::fmt::Display) -> ReadError {
    ReadError {
        path: path.to_owned(),
        message: message.to_string(),
    }
}
