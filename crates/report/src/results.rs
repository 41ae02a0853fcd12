//! The contents of a run folder, as rows of its tables.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use super::cells::{MOST_CELLS, Sweep};
use super::rows::weight_warning;
use super::verdicts::{claim_figure, with_difference};
use base::{Failure, files, visible, visible_line};
use experiment::ExperimentFile;
use figures::{Figure, column_decimals, level_text};
use lab::run::Ended;
use lab::store::{Exhibit, Manifest, Stored};
use lab::tables::{
    ClaimRow, ConvergenceRow, EloRow, HistogramRow, MetricRow, PairRow, PurseRow, RatingRow,
    RepeatRow, SummaryRow, TruthRow, VarianceRow, WeightRow, each_row, read_summary,
};

/// A run folder's contents.
#[derive(Clone, Debug)]
pub struct Results {
    /// The folder that they were read from.
    pub folder: PathBuf,
    /// The experiment as it was run.
    pub(crate) config: ExperimentFile,
    /// The run's experiment file, `config.toml`.
    pub(crate) source: String,
    /// Provenance.
    pub(crate) manifest: Manifest,
    /// The cells by the values of the swept parameters.
    pub(crate) sweep: Sweep,
    /// `metrics.csv`.
    pub(crate) metrics: Vec<MetricRow>,
    /// `summary.csv`.
    pub(crate) summary: Vec<SummaryRow>,
    /// `claims.csv`.
    pub(crate) claims: Vec<ClaimRow>,
    /// `pairs.csv`.
    pub(crate) pairs: Vec<PairRow>,
    /// `truths.csv`.
    pub(crate) truths: Vec<TruthRow>,
    /// `variance.csv`.
    pub(crate) variance: Vec<VarianceRow>,
    /// `elo.csv`.
    pub(crate) elo: Vec<EloRow>,
    /// `histograms.csv`.
    pub(crate) histograms: Vec<HistogramRow>,
    /// `convergence.csv`.
    pub(crate) convergence: Vec<ConvergenceRow>,
    /// `ratings.csv`.
    pub(crate) ratings: Vec<RatingRow>,
    /// `weights.csv`.
    pub(crate) weights: Vec<WeightRow>,
    /// `repeats.csv`.
    pub(crate) repeats: Vec<RepeatRow>,
    /// `purses.csv`.
    pub(crate) purses: Vec<PurseRow>,
    /// `exhibit.json`.
    pub(crate) exhibit: Option<Exhibit>,
    /// Files of the names above that are left out: the manifest does not list them.
    pub foreign: Vec<String>,
    /// The decimals of the estimates of each metric.
    decimals: HashMap<String, usize>,
}

/// The decimals of the estimates of each metric.
fn decimals(summary: &[SummaryRow]) -> HashMap<String, usize> {
    let mut columns: HashMap<&String, Vec<Figure<'_>>> = HashMap::new();
    for row in summary {
        let column = columns.entry(&row.metric).or_default();
        column.push(Figure::of(&row.estimate, &row.unit));
    }
    let columns = columns.into_iter();
    let decimals = columns.map(|(metric, column)| (metric.clone(), column_decimals(&column)));
    decimals.collect()
}

/// Reads the text of a `config.toml`; texts are made safe to show.
fn config(text: &str, path: &Path) -> Result<ExperimentFile, Failure> {
    let mut file = ExperimentFile::read(text, &path.display().to_string())?;
    file.question = visible_line(&file.question);
    // The answer is made safe to show once its figures are in: an escape has braces of its own.
    file.analysis = file.analysis.as_deref().map(visible);
    Ok(file)
}

/// Refuses a manifest that counts fewer samples than the summary.
fn check_done(stored: &Stored, summary: &[SummaryRow]) -> Result<(), Failure> {
    let done = stored.manifest.samples_done;
    let most = summary.iter().map(|row| row.estimate.n).max();
    // Samples that were under way as the run was stopped are in its tables alone.
    let is_aborted = matches!(stored.manifest.exit_reason, Ended::Aborted(_));
    most.filter(|&most| most > done && !is_aborted)
        .map_or(Ok(()), |most| {
            let fault =
                format!("`samples_done` is {done}, and summary.csv has {most} samples of a cell");
            Err(stored.fault("manifest.json", fault))
        })
}

impl Results {
    /// Reads the folder of a run.
    ///
    /// ```no_run
    /// let results = etude_report::Results::read("results/coins".as_ref())?;
    /// print!("{}", etude_report::to_text(&results, etude_report::TextStyle::default()));
    /// # Ok::<(), base::Failure>(())
    /// ```
    ///
    /// # Errors
    /// The first file that cannot be read or understood, and why.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let stored = Stored::read(folder)?;
        let source = files::read_text(&stored.required("config.toml")?);
        let source = source.map_err(|error| stored.fault("config.toml", error))?;
        let config = config(&source, &folder.join("config.toml"))?;
        stored.check_manifest(&config)?;
        stored.required("summary.csv")?;
        let summary = stored.rows_by(read_summary)?;
        check_done(&stored, &summary)?;
        Ok(Self {
            decimals: decimals(&summary),
            sweep: Sweep::of(config.sweep.keys(), &summary),
            config,
            source,
            metrics: stored.rows()?,
            summary,
            claims: stored.rows()?,
            pairs: stored.rows()?,
            truths: stored.rows()?,
            variance: stored.rows()?,
            elo: stored.rows()?,
            histograms: stored.rows_by(first_histograms)?,
            convergence: stored.rows()?,
            ratings: stored.rows()?,
            weights: counted_weights(stored.rows()?),
            repeats: stored.rows()?,
            purses: stored.rows()?,
            exhibit: stored.exhibit()?,
            foreign: stored.foreign(),
            folder: stored.folder,
            manifest: stored.manifest,
        })
    }

    /// The game that its task is about.
    pub(super) fn game(&self) -> &str {
        let page = self.config.page.as_ref();
        let told = page.and_then(|page| page.game.as_deref());
        told.unwrap_or_else(|| self.config.task.split('/').next().unwrap_or_default())
    }

    /// Returns the summary of a metric; empty if the folder has none.
    pub(crate) fn meaning(&self, metric: &str) -> &str {
        let row = self.metrics.iter().find(|row| row.metric == metric);
        row.map_or("", |row| &row.summary)
    }

    /// A cell in words for people; a swept number without words beside the name of its parameter.
    pub(crate) fn in_words(&self, cell: &str) -> String {
        let words = self.sweep.in_words(&self.config.labels);
        let label = words.label(cell);
        match self.sweep.axes.as_slice() {
            [axis] if label == self.sweep.label(cell) && cell.parse::<f64>().is_ok() => {
                format!("{} = {cell}", words.word(&axis.name))
            }
            _ => label,
        }
    }

    /// The contradictions between samples and what is declared as exact, a sentence each without its final stop.
    pub(crate) fn contradictions(&self) -> impl Iterator<Item = String> {
        self.truths.iter().filter_map(TruthRow::contradiction)
    }

    /// The value that a row estimates, where that is known otherwise.
    pub(crate) fn truth(&self, row: &SummaryRow) -> Option<f64> {
        let mut truths = self.truths.iter();
        let known = truths.find(|one| one.cell == row.cell && one.metric == row.metric)?;
        known.truth.map(f64::from)
    }

    /// The names of the cells, in order.
    pub(crate) fn cells(&self) -> Vec<&str> {
        let mut cells: Vec<&str> = Vec::new();
        for row in &self.summary {
            if cells.last() != Some(&row.cell.as_str()) {
                cells.push(&row.cell);
            }
        }
        cells
    }

    /// The names of the metrics, in order.
    pub(crate) fn metric_names(&self) -> Vec<&str> {
        let first = self.summary.first().map(|row| &row.cell);
        let rows = self.summary.iter();
        rows.take_while(|row| Some(&row.cell) == first)
            .map(|row| row.metric.as_str())
            .collect()
    }

    /// The metrics that matter most to the question, four at most: first those of the answer, then
    /// those of the claims, then the first of the task.
    pub(crate) fn leading_metrics(&self) -> Vec<&str> {
        let mut names = self.metric_names();
        // Stable: metrics of one rank keep the task's order.
        names.sort_by_key(|metric| self.rank(metric));
        names.truncate(LEADING);
        names
    }

    /// The place of a metric in the answer, or after all of these in the claims, or last.
    fn rank(&self, metric: &str) -> (usize, usize) {
        if let Some(rank) = self.place_in_answer(metric) {
            return (0, rank);
        }
        let claimed = self.claims.iter().position(|claim| claims(claim, metric));
        claimed.map_or((2, 0), |rank| (1, rank))
    }

    /// Returns whether a metric is the first, or one that the answer or a claim speaks of.
    pub(crate) fn is_featured(&self, metric: &str) -> bool {
        self.metric_names().first() == Some(&metric) || self.rank(metric) < (2, 0)
    }

    /// The byte of the answer at which the first figure of a metric stands.
    fn place_in_answer(&self, metric: &str) -> Option<usize> {
        let answer = self.config.answer.as_deref().unwrap_or_default();
        let alone = answer.find(&format!("{{{metric}}}"));
        let of_cell = answer.find(&format!(":{metric}}}"));
        [alone, of_cell].into_iter().flatten().min()
    }

    /// The level of the intervals of the summary, as text; `None` where nothing is estimated.
    pub(crate) fn level(&self) -> Option<String> {
        let estimated = |row: &&SummaryRow| !self.figure(row).is_exact();
        let mut rows = self.summary.iter().filter(estimated);
        let interval = rows.find_map(|row| row.estimate.interval)?;
        Some(level_text(interval.level.get()))
    }

    /// Returns the estimate of a claim as text; its interval names its level if that is not the
    /// estimates'. Of a published value, what is known of the difference follows.
    pub(crate) fn found(&self, claim: &ClaimRow) -> String {
        let phrase = claim_figure(claim).phrase();
        let level = claim.measured.interval.map(|interval| interval.level.get());
        let own = level
            .map(level_text)
            .filter(|own| Some(own) != self.level().as_ref());
        let phrase = match (own, phrase.strip_suffix(')')) {
            (Some(own), Some(open)) => format!("{open}; {own})"),
            _ => phrase,
        };
        with_difference(claim, phrase)
    }

    /// The players, the strongest first.
    pub(crate) fn ladder(&self) -> Vec<&RatingRow> {
        let mut players: Vec<_> = self.ratings.iter().collect();
        let rating = |row: &RatingRow| {
            let known = row.elo.or(row.elo_lo).or(row.elo_hi);
            known.map_or(f64::NEG_INFINITY, f64::from)
        };
        players.sort_by(|a, b| rating(b).total_cmp(&rating(a)));
        players
    }

    /// The player that all others are compared with, if it is one for all.
    pub(crate) fn reference(&self) -> Option<&str> {
        let mut references = self.ratings.iter().map(|row| row.reference.as_str());
        let first = references.next().filter(|first| !first.is_empty())?;
        references.all(|other| other == first).then_some(first)
    }

    /// The values of a metric in a cell with how often they were seen.
    pub(super) fn bins(&self, cell: &str, metric: &str) -> impl Iterator<Item = &HistogramRow> {
        let bins = self.histograms.iter();
        bins.filter(move |bin| bin.cell == cell && bin.metric == metric)
    }

    /// The values of a metric in a cell with how many samples have them; an unresolved one has its
    /// least.
    pub(super) fn least_counts(&self, cell: &str, metric: &str) -> Vec<(f64, u64)> {
        let bins = self.bins(cell, metric);
        bins.map(|bin| (bin.value.0, bin.count + bin.unresolved_from))
            .collect()
    }

    /// Returns a warning for each estimate that cannot be trusted, a sentence each.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        self.weights.iter().filter_map(weight_warning)
    }

    /// The estimate of a metric in a cell as people read it, with the decimals of its column, and by
    /// its logarithm if it is beyond the numbers of the machine.
    pub(crate) fn figure<'row>(&self, row: &'row SummaryRow) -> Figure<'row> {
        let is_same =
            |weight: &&WeightRow| (&weight.cell, &weight.metric) == (&row.cell, &row.metric);
        let is_missing = row.estimate.value.is_none();
        let weight = is_missing.then(|| self.weights.iter().find(is_same));
        let log10 = weight.flatten().and_then(|weight| weight.log10_mean);
        let mut figure = Figure::of(&row.estimate, &row.unit);
        figure.log10 = log10;
        figure.is_cap = self.is_cap(row);
        figure.column = self.decimals.get(&row.metric).copied().unwrap_or(0);
        figure
    }

    /// Returns whether every sample of a cell used up all nodes that it may, so that more was to be done.
    fn is_cap(&self, row: &SummaryRow) -> bool {
        let budgets = self.config.budgets();
        let most = budgets.last().map(|budget| budget.limit() as f64);
        let is_spent = row.unit == "nodes" && most.is_some() && row.estimate.value == most;
        let mut cell = self.summary.iter().filter(|one| one.cell == row.cell);
        is_spent && cell.any(|one| one.estimate.unresolved > 0)
    }

    /// The row of a metric in a cell.
    pub(crate) fn row(&self, cell: &str, metric: &str) -> Option<&SummaryRow> {
        self.summary
            .iter()
            .find(|row| row.cell == cell && row.metric == metric)
    }
}

/// The number of metrics that a summary shows.
const LEADING: usize = 4;

/// Returns whether a claim speaks of a metric.
fn claims(claim: &ClaimRow, metric: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '-';
    claim
        .holds
        .split(|c: char| !is_part(c))
        .any(|word| word == metric)
}

/// Reads the histograms of the first cells alone: those of a wide sweep are millions.
fn first_histograms(path: &Path) -> io::Result<Vec<HistogramRow>> {
    let (mut cells, mut rows) = (0, Vec::<HistogramRow>::new());
    for row in each_row(path)? {
        let row: HistogramRow = row?;
        cells += usize::from(rows.last().is_none_or(|last| last.cell != row.cell));
        if cells > MOST_CELLS {
            break;
        }
        rows.push(row);
    }
    Ok(rows)
}

/// A metric that no sample has, because the algorithm never computes it, has no weights to trust.
fn counted_weights(rows: Vec<WeightRow>) -> Vec<WeightRow> {
    rows.into_iter().filter(|row| row.n > 0).collect()
}
