//! Two runs compared, cell by cell and metric by metric: the second minus the first.
//!
//! If both drew the same instances (one game, one seed) and kept their samples, these are paired by
//! index. Otherwise the estimates are compared, each with its own method. Swapping the folders changes
//! only the signs.

use std::path::Path;

use base::Failure;
use stats::{Confidence, Estimate, Paired};
use task::{Application, Metric, Row, Tally};

use super::Job;
use crate::run::{BlockTally, Difference, Evidence, Measured, Observer, difference_of_runs};
use crate::store::{SampleReader, Stored};
use crate::tables::{SummaryRow, read_summary};

/// The difference of a metric in two cells: the second run minus the first.
pub struct ComparedMetric {
    /// The cell's name in each run.
    pub cells: [String; 2],
    /// The metric, as in the first run.
    pub metric: Metric,
    /// The relation of the samples: `paired`, `unpaired` or `independent`.
    pub pairing: &'static str,
    /// The difference.
    pub difference: Difference,
}

/// Compares the runs in two folders: a row for every metric in every cell of both. Notes why samples are not paired, and
/// how many cells are only in one run.
///
/// # Errors
/// If a folder cannot be read, or the runs have nothing in common.
pub fn compare(
    app: &Application,
    folders: [&Path; 2],
    observer: &mut dyn Observer,
) -> Result<Vec<ComparedMetric>, Failure> {
    let [first, second] = folders.map(|folder| ComparedRun::read(app, folder, observer));
    let runs = [first?, second?];
    let samples = match why_unpaired(&runs) {
        None => Some([runs[0].samples()?, runs[1].samples()?]),
        Some(why) => {
            observer.note(&format!("unpaired: {why}"));
            None
        }
    };
    let cells = matched(&runs);
    let most = runs.iter().map(|run| run.job.experiment.cells.len()).max();
    if let left_out @ 1.. = most.unwrap_or(0) - cells.len() {
        let note = format!("cells without a counterpart of the same name: {left_out}");
        observer.note(&note);
    }
    let rows = cells.into_iter();
    let rows = rows.flat_map(|cells| compared_metrics(&runs, cells, samples.as_ref()));
    let rows: Vec<ComparedMetric> = rows.collect();
    let nothing = Failure::usage("the runs have no metric in a cell in common");
    (!rows.is_empty())
        .then_some(rows)
        .ok_or(nothing.with_help("compare runs of the same task that differ in one value"))
}

/// The cells of both runs by number: those of one name, or the only one of each.
fn matched(runs: &[ComparedRun; 2]) -> Vec<(usize, usize)> {
    let [ours, theirs] = [0, 1].map(|side| &runs[side].job.experiment);
    if ours.cells.len() == 1 && theirs.cells.len() == 1 {
        return vec![(0, 0)];
    }
    let same = |(place, name): (usize, &str)| {
        let other = theirs.cell_names().position(|other| other == name)?;
        Some((place, other))
    };
    ours.cell_names().enumerate().filter_map(same).collect()
}

/// A row for every metric of both runs that has a difference in two cells.
fn compared_metrics(
    runs: &[ComparedRun; 2],
    cells: (usize, usize),
    samples: Option<&[Samples; 2]>,
) -> Vec<ComparedMetric> {
    let [ours, theirs] = [0, 1].map(|side| &runs[side].job.experiment);
    let row = |(place, metric): (usize, &Metric)| {
        let is_same = |other: &Metric| {
            (&other.name, &other.unit, other.kind) == (&metric.name, &metric.unit, metric.kind)
        };
        let other = theirs.task.metrics.iter().position(is_same)?;
        let places = [(cells.0, place), (cells.1, other)];
        let common = common_metric(metric, &theirs.task.metrics[other]);
        let paired = samples.zip(common).map(|(samples, metric)| {
            let pairs = paired(&metric, runs, samples, places);
            ("paired", pairs)
        });
        let counted = paired.filter(|(_, difference)| difference.estimate.n > 0);
        let (pairing, difference) = counted.unwrap_or_else(|| apart(runs, places));
        let estimate = difference.estimate.mirrored();
        estimate.lower.is_some().then(|| ComparedMetric {
            cells: [&ours.cells[cells.0].name, &theirs.cells[cells.1].name].map(String::clone),
            metric: metric.clone(),
            pairing,
            difference: Difference {
                estimate,
                ..difference
            },
        })
    };
    let metrics = ours.task.metrics.iter().enumerate();
    metrics.filter_map(row).collect()
}

/// The metric whose values those of both runs are: between the limits of either. `None` where their values count other
/// steps.
fn common_metric(one: &Metric, other: &Metric) -> Option<Metric> {
    let steps = |metric: &Metric| (metric.decimals, metric.denominator);
    let metric = || Metric {
        min: one.min.zip(other.min).map(|(one, other)| one.min(other)),
        max: one.max.zip(other.max).map(|(one, other)| one.max(other)),
        ..one.clone()
    };
    (steps(one) == steps(other)).then(metric)
}

/// The difference first minus second of the samples that both runs have.
fn paired(
    metric: &Metric,
    runs: &[ComparedRun; 2],
    samples: &[Samples; 2],
    places: [(usize, usize); 2],
) -> Difference {
    let [ours, theirs] = [0, 1].map(|run| {
        let (cell, metric) = places[run];
        let rows = samples[run][cell].iter();
        rows.map(move |row| row.values()[metric])
    });
    let (mut pairs, mut tallies) = (Paired::default(), [(); 2].map(|()| Tally::new(metric)));
    for (one, other) in ours.zip(theirs) {
        match one.ends().zip(other.ends()) {
            Some((one, other)) => pairs.push_bounds(one, other),
            None => pairs.push_missing(),
        }
        tallies[0].push(one);
        tallies[1].push(other);
    }
    Difference::of(metric, [&tallies[0], &tallies[1]], &pairs, joint(runs))
}

/// The confidence of what both runs say together.
fn joint(runs: &[ComparedRun; 2]) -> Confidence {
    let [one, other] = [0, 1].map(|run| runs[run].job.confidence());
    one.joint(other)
}

/// The difference first minus second of the estimates.
fn apart(runs: &[ComparedRun; 2], places: [(usize, usize); 2]) -> (&'static str, Difference) {
    let independent = runs[0].drawn() != runs[1].drawn();
    let [first, second] = [0, 1].map(|run| runs[run].measured(places[run]));
    let difference = Difference {
        estimate: difference_of_runs(first, second, independent, joint(runs).level),
        ..Difference::default()
    };
    let pairing = if independent {
        "independent"
    } else {
        "unpaired"
    };
    (pairing, difference)
}

/// The values of one run, by cell and sample.
type Samples = Vec<Vec<Row>>;

/// A run that is compared.
struct ComparedRun {
    job: Job,
    /// The tally of a journal that holds all of the run; `None` of an archived one.
    tally: Option<BlockTally>,
    /// The estimates as they were written.
    summary: Vec<SummaryRow>,
}

impl ComparedRun {
    fn read(
        app: &Application,
        folder: &Path,
        observer: &mut dyn Observer,
    ) -> Result<Self, Failure> {
        let job = Job::of_folder(app, folder, observer)?;
        let journal = job.journal_in(folder)?;
        if let Some(damage) = journal.damage.told().first() {
            let message = format!("{}: {damage}", folder.display());
            return Err(
                Failure::failed(message).with_help("run its blocks again: etude run ... --resume")
            );
        }
        let stored = Stored::read(folder)?;
        stored.check_whole(&job.experiment.file)?;
        let path = stored.required("summary.csv")?;
        let is_whole = !journal.is_archived() && !journal.indices().is_empty();
        let total = is_whole.then(|| journal.total()).transpose();
        let summary = read_summary(&path).map_err(|error| Failure::of_file(&path, error));
        Ok(Self {
            tally: total.map_err(|error| job.unreadable(&error))?,
            summary: summary?,
            job,
        })
    }

    /// The seed and the game, which decide the instances that it drew.
    fn drawn(&self) -> (u64, &str) {
        let experiment = &self.job.experiment;
        let task = &*experiment.task.name;
        let game = task.split_once('/').map_or(task, |(game, _)| game);
        (experiment.seed(), game)
    }

    /// A metric in a cell, by their places.
    fn measured(&self, place: (usize, usize)) -> Measured<'_> {
        let experiment = &self.job.experiment;
        let confidence = self.job.confidence();
        let cell = &experiment.cells[place.0].name;
        let metric = &*experiment.task.metrics[place.1].name;
        let mut rows = self.summary.iter();
        let row = rows.find(|row| row.cell == *cell && row.metric == metric);
        match &self.tally {
            Some(tally) => Measured::Counted {
                evidence: Evidence {
                    compiled: &self.job.compiled,
                    tally,
                    confidence,
                },
                place,
            },
            None => Measured::Stated {
                estimate: row.map_or_else(Estimate::default, |row| row.estimate),
                looks: confidence.looks,
            },
        }
    }

    /// The samples as the run wrote them, of each cell up to its last.
    fn samples(&self) -> Result<Samples, Failure> {
        let path = self.job.folder.join("samples.csv");
        let done = self.job.manifest.samples_done;
        let blocks = self.job.plan.blocks();
        let stored = blocks.take_while(|block| block.range().end <= done);
        let reader = SampleReader::open(&path, &self.job.sample_table());
        let samples = reader.and_then(|mut reader| reader.rows(stored));
        let mut samples = samples.map_err(|error| Failure::of_file(&path, error))?;
        let experiment = &self.job.experiment;
        for (cell, (rows, name)) in samples.iter_mut().zip(experiment.cell_names()).enumerate() {
            let settled = self.job.manifest.settled.get(name).copied();
            let drawn = settled.or(experiment.drawn_until(cell));
            rows.truncate(drawn.map_or(rows.len(), |drawn| drawn as usize));
        }
        Ok(samples)
    }
}

/// The reason for which the samples of two runs cannot be paired, if there is one.
fn why_unpaired(runs: &[ComparedRun; 2]) -> Option<String> {
    if runs[0].drawn() != runs[1].drawn() {
        return Some("the runs are of different games or seeds".to_owned());
    }
    let is_without = |run: &&ComparedRun| !run.job.manifest.files.contains_key("samples.csv");
    let folder = runs.iter().find(is_without)?.job.folder.display();
    Some(format!(
        "{folder} has no samples; run it with `[output] samples = true`, and do not archive it"
    ))
}
