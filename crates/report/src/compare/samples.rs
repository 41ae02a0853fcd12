//! The samples that two runs kept, paired by index.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use lab::Failure;
use lab::files::{self, Records};
use lab::run::{Difference, Tally};
use lab::tables::unguarded;
use lab::task::{Metric, MetricKind, Value};
use stats::{Confidence, Paired};

use super::side::ComparedRun;

/// Values of a metric, least and most, by cell and sample; `None` where it is not defined.
type Values = BTreeMap<(String, u64), Option<(i64, i64)>>;

/// The samples both runs kept, by metric.
pub struct SharedSamples {
    first: BTreeMap<String, Values>,
    second: BTreeMap<String, Values>,
}

/// The reason for which the samples of two runs cannot be paired, if there is one.
pub fn why_unpaired(first: &ComparedRun, second: &ComparedRun) -> Option<String> {
    let (games, both) = ([first.game(), second.game()], [first, second]);
    let [one, other] = both.map(|side| side.job.experiment.file.seed);
    let unkept = |side: &&ComparedRun| !side.job.experiment.file.output.samples;
    let dropped = |side: &&ComparedRun| {
        side.samples_hash().is_none() || !side.job.folder.join("samples.csv").exists()
    };
    if games[0] != games[1] {
        let [one, other] = games;
        Some(format!(
            "the runs are of different games ({one} and {other})"
        ))
    } else if one != other {
        Some(format!("the runs have different seeds ({one} and {other})"))
    } else if let Some(side) = both.into_iter().find(unkept) {
        let name = side.job.folder.display();
        Some(format!(
            "{name} did not keep its samples; run it with `[output] samples = true`"
        ))
    } else {
        let side = both.into_iter().find(dropped)?;
        let name = side.job.folder.display();
        Some(format!(
            "the samples of {name} were dropped when it was archived; make the run again"
        ))
    }
}

impl SharedSamples {
    /// Reads the samples of two runs.
    pub fn read(first: &ComparedRun, second: &ComparedRun) -> Result<Self, Failure> {
        Ok(Self {
            first: read(first)?,
            second: read(second)?,
        })
    }

    /// The difference of a metric in two cells over the samples that both runs have; `None` where
    /// it is not a number.
    pub fn difference(
        &self,
        cells: [&str; 2],
        metric: &Metric,
        confidence: Confidence,
    ) -> Option<Difference> {
        let (a, b) = (
            self.first.get(&*metric.name)?,
            self.second.get(&*metric.name)?,
        );
        let (mut paired, mut tallies) = (Paired::default(), [(); 2].map(|()| Tally::new(metric)));
        let own = a.range((cells[0].to_owned(), 0)..);
        for ((_, sample), &first) in own.take_while(|((cell, _), _)| cell == cells[0]) {
            let Some(&second) = b.get(&(cells[1].to_owned(), *sample)) else {
                continue;
            };
            match first.zip(second) {
                Some((first, second)) => paired.push_bounds(first, second),
                None => paired.push_missing(),
            }
            for (tally, ends) in tallies.iter_mut().zip([first, second]) {
                tally.push(ends.map_or(Value::Missing, |(least, most)| Value::bounds(least, most)));
            }
        }
        let [first, second] = &tallies;
        Some(Difference::of(metric, [first, second], &paired, confidence))
    }
}

/// The samples of a run, by metric.
fn read(side: &ComparedRun) -> Result<BTreeMap<String, Values>, Failure> {
    let path = side.job.folder.join("samples.csv");
    let values = match files::digest(&path) {
        Err(error) => Err(error.into()),
        Ok(digest) if side.samples_hash() != Some(&digest) => {
            Err("its hash is not the one in manifest.json".into())
        }
        Ok(_) => read_values(&path, &side.job.experiment.task.metrics),
    };
    values.map_err(|error| Failure::of_file(&path, error))
}

fn read_values(
    path: &Path,
    metrics: &[Metric],
) -> Result<BTreeMap<String, Values>, Box<dyn Error>> {
    let mut records = Records::open(path)?;
    let header = records.header()?;
    let position = |name: &str| header.iter().position(|column| column == name);
    let column = |metric: &Metric, end: &str| {
        let of_end = position(&format!("{}_{end}", metric.name));
        of_end.or_else(|| position(&metric.name))
    };
    let places: Vec<_> = (metrics.iter())
        .filter_map(|metric| Some((metric, column(metric, "lo")?, column(metric, "hi")?)))
        .collect();
    let mut samples: BTreeMap<String, Values> = BTreeMap::new();
    for (record, line) in records.zip(2..) {
        let record = record?;
        let sample = record.get(0).and_then(|text| text.parse().ok());
        let key = record.get(1).map(unguarded).zip(sample);
        let (cell, sample) =
            key.ok_or_else(|| format!("line {line}: a row without sample or cell"))?;
        for &(metric, lo, hi) in &places {
            let texts = [lo, hi].map(|place| record.get(place).unwrap_or_default());
            let ends = ends(metric, texts)
                .map_err(|error| format!("line {line}, column {}: {error}", metric.name))?;
            let values = samples.entry(metric.name.to_string()).or_default();
            values.insert((cell.to_owned(), sample), ends);
        }
    }
    Ok(samples)
}

/// The least and the most of a value; `None` where it is not defined.
fn ends(metric: &Metric, [lo, hi]: [&str; 2]) -> Result<Option<(i64, i64)>, String> {
    if lo.is_empty() || hi.is_empty() {
        return Ok(None);
    }
    let both = counted(metric, lo).zip(counted(metric, hi));
    both.map(Some)
        .ok_or_else(|| format!("`{lo}` to `{hi}` is not a value"))
}

/// The integer that is tallied, of a value in the metric's unit.
fn counted(metric: &Metric, text: &str) -> Option<i64> {
    if metric.kind == MetricKind::Number || metric.denominator == 1 {
        return Some(metric.read(text).ok()?.ends()?.0);
    }
    let value: f64 = text.parse().ok()?;
    let counted = (value * metric.denominator as f64).round();
    (counted.abs() < 9e15).then_some(counted as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::Level;

    /// Samples 0 to 399 of grades 0 to 9; the second run lacks the low ones, and the first has more.
    #[test]
    fn a_sample_without_a_value_in_one_run_counts_in_the_other() {
        let metric = Metric::integer("grade", "", (0, 9), "");
        let grades = |samples: u64, least: i64| {
            let grade = |sample: u64| Some(sample as i64 % 10).filter(|grade| *grade >= least);
            let rows = (0..samples).map(|sample| {
                let ends = grade(sample).map(|grade| (grade, grade));
                (("all".to_owned(), sample), ends)
            });
            BTreeMap::from([("grade".to_owned(), rows.collect::<Values>())])
        };
        let samples = SharedSamples {
            first: grades(405, 0),
            second: grades(400, 3),
        };
        let confidence = Level::DEFAULT.into();
        let difference = samples.difference(["all"; 2], &metric, confidence);
        let estimate = difference.unwrap().estimate;
        assert_eq!((estimate.value, estimate.n), (Some(-1.5), 280));
        assert!(estimate.interval.unwrap().hi < 0.0);
        let whole = Metric::integer("other", "", (0, 9), "");
        assert!(samples.difference(["all"; 2], &whole, confidence).is_none());
    }
}
