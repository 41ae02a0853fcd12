//! The second line of a journal: what its rows hold, by name.
//!
//! The parts of a tally have fixed positions in its row. Everything that decides the meaning of a
//! position is recorded here: the draws, the cells, the metrics, the compared pairs. Checksums
//! cover it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::experiment::Experiment;
use crate::files::{self, LONGEST_LINE, Lines};
use crate::run::{CellPair, CompiledExperiment, PairPlaces};
use crate::task::{Metric, MetricKind};

use super::super::manifest::STREAM_SCHEME;
use super::row::ChecksumKey;

/// Separates these hashes from all others.
const CONTEXT: &str = "etude v2 journal schema";
const BEGIN: &str = "schema,,,,,\"";

/// The schema of a journal's rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalSchema {
    text: String,
    key: ChecksumKey,
    description: Description,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    /// The hash of all that determines the value of a sample.
    experiment: String,
    streams: String,
    cells: Vec<String>,
    metrics: Vec<TalliedMetric>,
    /// The compared cells, as positions among `cells`: first minus second.
    pairs: Vec<(usize, usize)>,
}

/// A metric as far as its tallies depend on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TalliedMetric {
    name: String,
    kind: MetricKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limits: Option<(i64, i64)>,
    per: u64,
}

/// An error: stored rows are sound, but cannot be used for an experiment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Mismatch(String);

impl Mismatch {
    /// The reason, as it follows the name of the file.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl JournalSchema {
    /// The schema of `experiment`'s journals.
    pub fn of(experiment: &Experiment, compiled: &CompiledExperiment) -> Self {
        let cells = experiment.cell_names().map(str::to_owned).collect();
        Self::describe(experiment.fingerprint(), cells, compiled)
    }

    pub(in crate::store) fn describe(
        experiment: String,
        cells: Vec<String>,
        compiled: &CompiledExperiment,
    ) -> Self {
        let pairs = compiled.pairs().iter();
        Self::from(Description {
            experiment,
            streams: STREAM_SCHEME.into(),
            cells,
            metrics: compiled.metrics().iter().map(TalliedMetric::from).collect(),
            pairs: pairs.map(|pair| (pair.first, pair.second)).collect(),
        })
    }

    /// The names of the metrics of the journal at `path`; `None` where it cannot be read.
    pub fn metrics_of(path: &Path) -> Option<Vec<String>> {
        let mut lines = Lines::new(files::open(path).ok()?, 0, LONGEST_LINE);
        lines.advance().ok()?;
        lines.advance().ok()?;
        let metrics = Self::parse(&lines.line)?.description.metrics;
        Some(metrics.into_iter().map(|metric| metric.name).collect())
    }

    /// Bytes that it takes in a journal.
    pub fn size(&self) -> u64 {
        self.to_line().len() as u64
    }

    /// The line, with its line feed.
    pub(in crate::store) fn to_line(&self) -> String {
        let (text, checksum) = (self.text.replace('"', "\"\""), self.checksum());
        format!("{BEGIN}{text}\",{checksum}\n")
    }

    /// The schema in a line; `None` of any other line and of a damaged one.
    pub(in crate::store) fn parse(line: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
        let (text, checksum) = line.strip_prefix(BEGIN)?.rsplit_once("\",")?;
        let schema: Description = serde_json::from_str(&text.replace("\"\"", "\"")).ok()?;
        let schema = Self::from(schema);
        (schema.to_line().strip_suffix('\n') == Some(line) && schema.checksum() == checksum)
            .then_some(schema)
    }

    /// Returns the key that checksums of rows are bound to.
    pub(in crate::store) fn key(&self) -> &ChecksumKey {
        &self.key
    }

    /// Returns the indices of the pairs of `compiled`, whose schema is `self`, in the rows of a
    /// journal with the schema `stored`.
    pub(in crate::store) fn places(
        &self,
        stored: &JournalSchema,
        compiled: &CompiledExperiment,
    ) -> Result<PairPlaces, Mismatch> {
        let (mine, theirs) = (&self.description, &stored.description);
        let draws = |one: &Description| (one.experiment.clone(), one.streams.clone());
        if draws(mine) != draws(theirs) || mine.cells != theirs.cells {
            return Err(Mismatch::new(
                "the journal holds samples of another experiment, or drawn by another version",
            ));
        }
        if mine.metrics != theirs.metrics {
            let (stored, wanted) = (theirs.metric_names(), mine.metric_names());
            return Err(Mismatch::new(format!(
                "the journal holds other metrics: {stored} instead of {wanted}"
            )));
        }
        let pair = |&(first, second): &(usize, usize)| CellPair { first, second };
        let pairs: Vec<CellPair> = theirs.pairs.iter().map(pair).collect();
        PairPlaces::of(compiled, &pairs).map_err(|pair| {
            let [first, second] = [pair.first, pair.second].map(|cell| &mine.cells[cell]);
            Mismatch::new(format!(
                "the journal does not hold the difference of `{first}` and `{second}`"
            ))
        })
    }

    fn checksum(&self) -> String {
        blake3::hash(self.text.as_bytes()).to_hex()[..16].to_owned()
    }
}

impl From<Description> for JournalSchema {
    fn from(description: Description) -> Self {
        // Texts and integers always have a form in JSON.
        let text = serde_json::to_string(&description).unwrap_or_default();
        Self {
            key: blake3::derive_key(CONTEXT, text.as_bytes()),
            text,
            description,
        }
    }
}

impl From<&Metric> for TalliedMetric {
    fn from(metric: &Metric) -> Self {
        let is_bounded = matches!(metric.kind, MetricKind::Integer | MetricKind::Number);
        Self {
            name: metric.name.to_string(),
            kind: metric.kind,
            limits: metric.limits().filter(|_| is_bounded),
            per: metric.denominator,
        }
    }
}

impl Description {
    fn metric_names(&self) -> String {
        let names = self.metrics.iter().map(|metric| metric.name.as_str());
        names.collect::<Vec<_>>().join(", ")
    }
}
