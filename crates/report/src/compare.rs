//! Two runs compared, cell by cell and metric by metric: the second minus the first.
//!
//! If both drew the same instances (one game, one seed) and kept their samples, these are paired by
//! index. Otherwise the estimates are compared, each with its own method. Swapping the folders changes
//! only the signs.

use std::io;
use std::path::Path;
use std::sync::Arc;

use lab::job::Job;
use lab::run::{BlockTally, Difference, Evidence, Measured, Observer, difference_of_runs};
use lab::store::SampleReader;
use lab::tables::SampleTable;
use stats::{Confidence, Estimate, Interval, Level, Looks, Method, Paired, Withheld};
use task::{Application, Failure, Metric, Row, Tally, Value, files};

use crate::Results;
use figures::{Figure, of_difference};

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

/// Compares the runs in two folders: a row for every metric in every cell of both, those first whose
/// values differ. Notes why samples are not paired, and how many cells are only in one run.
///
/// # Errors
/// If a folder cannot be read, or the runs have nothing in common.
pub fn compare(
    app: &Application,
    folders: [&Path; 2],
    observer: &mut dyn Observer,
) -> Result<Vec<ComparedMetric>, Failure> {
    let first = ComparedFolder::read(app, folders[0], observer)?;
    let second = ComparedFolder::read(app, folders[1], observer)?;
    let unpaired = first.why_unpaired(&second);
    unpaired
        .iter()
        .for_each(|why| observer.note(&format!("unpaired: {why}")));
    let samples = match unpaired {
        None => Some([first.samples()?, second.samples()?]),
        Some(_) => None,
    };
    let cells = matched(&first, &second);
    let all = first
        .job
        .experiment
        .cells
        .len()
        .max(second.job.experiment.cells.len());
    if cells.len() < all {
        let left_out = all - cells.len();
        observer.note(&format!(
            "cells without a counterpart of the same name: {left_out}"
        ));
    }
    let rows = cells.into_iter();
    let mut rows: Vec<_> = rows
        .flat_map(|cells| metrics([&first, &second], cells, samples.as_ref()))
        .collect();
    if rows.is_empty() {
        let message = "the runs have no metric in a cell in common";
        return Err(Failure::usage(message)
            .with_help("compare runs of the same task that differ in one value"));
    }
    rows.sort_by_key(|row| !row.differs());
    Ok(rows)
}

impl ComparedMetric {
    /// The difference, its interval and method, rounded to what they tell. A difference of shares is
    /// in percentage points.
    pub fn shown(&self) -> [String; 3] {
        let figure = Figure::of(&self.difference.estimate, of_difference(&self.metric.unit));
        let interval = figure.interval().unwrap_or_default();
        [figure.value(), interval, figure.method()]
    }

    /// The result in a few words, of runs A and B.
    pub fn result(&self) -> &'static str {
        let estimate = &self.difference.estimate;
        match (middle(estimate), estimate.interval) {
            (Some(0.0), Some(interval)) if interval.method == Method::Exact => "equal",
            (Some(_), Some(interval)) if leaves_open(&interval) => "no difference found",
            (Some(middle), Some(_)) if middle < 0.0 => "A is larger",
            (Some(_), Some(_)) => "B is larger",
            _ => match estimate.withheld {
                Some(Withheld::Untrusted) => "no interval: the weights cannot be trusted",
                Some(Withheld::OneSample) => "no interval: the samples are all the same",
                None => "no interval: the samples do not vary, or were looked at without limits",
            },
        }
    }

    fn differs(&self) -> bool {
        self.result().ends_with("is larger")
    }
}

/// Returns whether an estimated interval has zero within it.
fn leaves_open(interval: &Interval) -> bool {
    interval.method != Method::Exact && interval.written().contains(0.0)
}

/// The estimate, or the middle of its bounds.
fn middle(estimate: &Estimate) -> Option<f64> {
    let bounds = || Some((estimate.lower? + estimate.upper?) / 2.0);
    estimate.value.or_else(bounds)
}

/// The cells of both runs by number: those of one name, or the only one of each.
fn matched(first: &ComparedFolder, second: &ComparedFolder) -> Vec<(usize, usize)> {
    let [ours, theirs] = [first, second].map(|side| &side.job.experiment.cells);
    if let ([_], [_]) = (ours.as_slice(), theirs.as_slice()) {
        return vec![(0, 0)];
    }
    let same = |(place, name): (usize, &String)| {
        let other = theirs.iter().position(|cell| cell.name == *name)?;
        Some((place, other))
    };
    let names = ours.iter().map(|cell| &cell.name).enumerate();
    names.filter_map(same).collect()
}

/// The values of one run, by cell and sample.
type Samples = Vec<Vec<Row>>;

/// A row for every metric of both runs that has a difference in two cells.
fn metrics(
    [first, second]: [&ComparedFolder; 2],
    cells: (usize, usize),
    samples: Option<&[Samples; 2]>,
) -> Vec<ComparedMetric> {
    let (ours, theirs) = (&first.job.experiment, &second.job.experiment);
    let row = |(place, metric): (usize, &Metric)| {
        let is_same = |other: &Metric| {
            (&other.name, &other.unit, other.kind) == (&metric.name, &metric.unit, metric.kind)
        };
        let other = theirs.task.metrics.iter().position(is_same)?;
        let places = [(cells.0, place), (cells.1, other)];
        let sides = [first, second];
        let paired = samples.map(|samples| paired(sides, samples, places));
        let counted = paired.filter(|difference| difference.estimate.n > 0);
        let (pairing, difference) =
            counted.map_or_else(|| apart(sides, places), |difference| ("paired", difference));
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
    ours.task
        .metrics
        .iter()
        .enumerate()
        .filter_map(row)
        .collect()
}

/// The difference first minus second of the samples that both runs have.
fn paired(
    sides: [&ComparedFolder; 2],
    samples: &[Samples; 2],
    places: [(usize, usize); 2],
) -> Difference {
    let [ours, theirs] = [0, 1].map(|run| {
        let (cell, metric) = places[run];
        samples[run][cell]
            .iter()
            .map(move |row| row.values()[metric])
    });
    let metric = &sides[0].job.experiment.task.metrics[places[0].1];
    let (mut pairs, mut tallies) = (Paired::default(), [(); 2].map(|()| Tally::new(metric)));
    for (one, other) in ours.zip(theirs) {
        match one.ends().zip(other.ends()) {
            Some((one, other)) => pairs.push_bounds(one, other),
            None => pairs.push_missing(),
        }
        tallies[0].push(one);
        tallies[1].push(other);
    }
    let confidence = Confidence {
        level: level(sides),
        looks: looks(sides),
    };
    Difference::of(metric, [&tallies[0], &tallies[1]], &pairs, confidence)
}

/// The difference first minus second of the estimates.
fn apart(sides: [&ComparedFolder; 2], places: [(usize, usize); 2]) -> (&'static str, Difference) {
    let independent = !sides[0].shares_instances(sides[1]);
    let [first, second] = [0, 1].map(|run| sides[run].measured(places[run]));
    let estimate = difference_of_runs(first, second, independent, level(sides));
    let pairing = if independent {
        "independent"
    } else {
        "unpaired"
    };
    (
        pairing,
        Difference {
            estimate,
            ..Difference::default()
        },
    )
}

/// The level of both runs: the lower, if they differ.
fn level(sides: [&ComparedFolder; 2]) -> Level {
    let [one, other] = sides.map(|side| side.job.experiment.level);
    if one < other { one } else { other }
}

/// The looks that pairs allow for: the larger plan of the two runs, because the pairs end with the
/// shorter run.
fn looks(sides: [&ComparedFolder; 2]) -> Looks {
    let planned = sides.map(|side| match side.job.experiment.confidence().looks {
        Looks::Many { planned } => Some(planned),
        _ => None,
    });
    let most = planned[0].max(planned[1]);
    most.map_or(Looks::Once, |planned| Looks::Many { planned })
}

/// A run folder that is compared, with its experiment and its results.
struct ComparedFolder {
    job: Job,
    results: Results,
    /// The tally of a journal that holds all of the run; `None` of an archived one.
    tally: Option<BlockTally>,
}

impl ComparedFolder {
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
        let is_whole = !journal.is_archived() && !journal.indices().is_empty();
        let total = is_whole.then(|| journal.total()).transpose();
        Ok(Self {
            tally: total.map_err(|error| Failure::of_file(&folder.join("blocks.csv"), error))?,
            results: Results::read(folder)?,
            job,
        })
    }

    /// The reason for which the samples of two runs cannot be paired, if there is one.
    fn why_unpaired(&self, other: &Self) -> Option<String> {
        let without = |side: &&Self| !side.job.folder.join("samples.csv").exists();
        if !self.shares_instances(other) {
            return Some("the runs are of different games or seeds".to_owned());
        }
        let side = [self, other].into_iter().find(without)?;
        let folder = side.job.folder.display();
        Some(format!(
            "{folder} has no samples; run it with `[output] samples = true`, and do not archive it"
        ))
    }

    /// Returns whether both drew the same instances: one game, one seed.
    fn shares_instances(&self, other: &Self) -> bool {
        let drawn = |side: &Self| {
            let task = side.job.experiment.task.name.to_string();
            let game = task.split_once('/').map(|(game, _)| game.to_owned());
            (side.job.experiment.seed(), game.unwrap_or(task))
        };
        drawn(self) == drawn(other)
    }

    /// A metric in a cell, by their places.
    fn measured(&self, place: (usize, usize)) -> Measured<'_> {
        let experiment = &self.job.experiment;
        let confidence = experiment.confidence();
        let (cell, metric) = (
            &experiment.cells[place.0],
            &experiment.task.metrics[place.1],
        );
        let row = self.results.row(&cell.name, &metric.name);
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

    /// The samples as the run wrote them.
    fn samples(&self) -> Result<Samples, Failure> {
        let path = self.job.folder.join("samples.csv");
        let hash = self.job.manifest.files.get("samples.csv");
        let is_own = files::digest(&path).map(|digest| hash == Some(&digest));
        let read = is_own.and_then(|is_own| {
            if !is_own {
                return Err(io::Error::other("its hash is not the one in manifest.json"));
            }
            self.values(&path)
        });
        read.map_err(|error| Failure::of_file(&path, error))
    }

    fn values(&self, path: &Path) -> io::Result<Samples> {
        let table = Arc::new(SampleTable::of(&self.job.experiment));
        let mut reader = SampleReader::open(path, &table)?;
        let mut samples = vec![Vec::new(); table.cells()];
        let blocks = self.job.plan.blocks();
        let done = self.job.manifest.samples_done;
        for block in blocks.take_while(|block| block.range().end <= done) {
            let lines = reader.block(&block)?;
            let lines = lines.split_inclusive(|byte| *byte == b'\n');
            for (line, cell) in lines.zip((0..samples.len()).cycle()) {
                let row = table.values(line);
                samples[cell].push(row.unwrap_or_else(|| self.unknown()));
            }
        }
        Ok(samples)
    }

    /// The row of a sample whose values are not written in full, as weights are not.
    fn unknown(&self) -> Row {
        let mut row = Row::new();
        let metrics = self.job.experiment.task.metrics.iter();
        metrics.for_each(|_| row.push(Value::Missing));
        row
    }
}
