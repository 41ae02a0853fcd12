//! The samples that two runs kept, paired by index.

use std::collections::BTreeMap;

use crate::cli::failure::Failure;
use crate::files::{self, Records};
use crate::output::unguarded;
use crate::stats::Paired;
use crate::task::{Metric, MetricKind};

use super::side::ComparedRun;

/// Values of a metric, least and most, by cell and sample.
type Values = BTreeMap<(String, u64), (i64, i64)>;

/// The samples both runs kept, by metric.
pub struct SharedSamples {
    first: BTreeMap<String, Values>,
    second: BTreeMap<String, Values>,
}

/// The samples, if both runs drew the same instances and kept them; the one reason if not.
pub fn pairing(
    first: &ComparedRun,
    second: &ComparedRun,
) -> Result<Result<SharedSamples, String>, Failure> {
    let (a, b) = (&first.experiment, &second.experiment);
    let unkept = [first, second]
        .into_iter()
        .find(|side| !side.experiment.keep_samples);
    let reason = if first.game() != second.game() {
        let games = (first.game(), second.game());
        format!(
            "the runs are of different games ({} and {})",
            games.0, games.1
        )
    } else if a.seed != b.seed {
        format!("the runs have different seeds ({} and {})", a.seed, b.seed)
    } else if let Some(side) = unkept {
        let name = side.name();
        format!("{name} did not keep its samples; run it with `[output] samples = true`")
    } else if let Some(side) = [first, second].into_iter().find(|side| !side.has_samples()) {
        let name = side.name();
        format!("the samples of {name} were dropped when it was archived; make the run again")
    } else {
        return Ok(Ok(SharedSamples {
            first: read(first)?,
            second: read(second)?,
        }));
    };
    Ok(Err(reason))
}

impl SharedSamples {
    /// The pairs of a metric in two cells; none where it is not a number.
    pub fn paired(&self, first: &str, second: &str, metric: &str) -> Paired {
        let mut paired = Paired::default();
        let (Some(a), Some(b)) = (self.first.get(metric), self.second.get(metric)) else {
            return paired;
        };
        for ((cell, sample), &values) in a.range((first.to_owned(), 0)..) {
            if cell != first {
                break;
            }
            if let Some(&others) = b.get(&(second.to_owned(), *sample)) {
                paired.push_bounds(values, others);
            }
        }
        paired
    }
}

/// The samples of a run, by metric.
fn read(side: &ComparedRun) -> Result<BTreeMap<String, Values>, Failure> {
    let path = side.folder.join("samples.csv");
    let refuse =
        |error: &dyn std::fmt::Display| Failure::failed(format!("{}: {error}", path.display()));
    if side.samples_hash() != Some(&files::digest(&path).map_err(|error| refuse(&error))?) {
        return Err(refuse(&"its hash is not the one in manifest.json"));
    }
    let mut records = Records::open(&path).map_err(|error| refuse(&error))?;
    let header = records.header().map_err(|error| refuse(&error))?;
    let column = |name: &str| header.iter().position(|column| column == name);
    let places: Vec<_> = (side.experiment.task.metrics.iter())
        .filter_map(|metric| {
            let lo = column(&format!("{}_lo", metric.name))?;
            Some((metric, lo, column(&format!("{}_hi", metric.name))?))
        })
        .collect();
    let mut samples: BTreeMap<String, Values> = BTreeMap::new();
    for (record, line) in records.zip(2..) {
        let record = record.map_err(|error| refuse(&error))?;
        let sample = record.get(0).and_then(|text| text.parse().ok());
        let (Some(sample), Some(cell)) = (sample, record.get(1).map(unguarded)) else {
            return Err(refuse(&format!(
                "line {line}: a row without sample or cell"
            )));
        };
        for &(metric, lo, hi) in &places {
            let value = |place: usize| record.get(place).filter(|text| !text.is_empty());
            let (Some(lo), Some(hi)) = (value(lo), value(hi)) else {
                continue;
            };
            let (Some(lo), Some(hi)) = (counted(metric, lo), counted(metric, hi)) else {
                let name = &metric.name;
                let message =
                    format!("line {line}, column {name}: `{lo}` to `{hi}` is not a value");
                return Err(refuse(&message));
            };
            let values = samples.entry(metric.name.to_string()).or_default();
            values.insert((cell.to_owned(), sample), (lo, hi));
        }
    }
    Ok(samples)
}

/// The integer that is tallied, of a value in the metric's unit.
fn counted(metric: &Metric, text: &str) -> Option<i64> {
    if let MetricKind::Number { .. } = metric.kind {
        let (value, _) = metric.read(text).ok()?.ends()?;
        return Some(value);
    }
    if metric.per == 1 {
        return text.parse().ok();
    }
    let value: f64 = text.parse().ok()?;
    let counted = (value * metric.per as f64).round();
    (counted.abs() < 9e15).then_some(counted as i64)
}
