//! The second line of a journal: what its rows hold.
//!
//! The parts of a tally have fixed positions in its row. Everything that decides the meaning of a
//! position is recorded here: the draws, the cells, the metrics, the compared pairs. Checksums
//! cover it. A cell is known by the hash of its parameters and players, so it is found again where
//! a sweep has gained or lost others.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::run::{BlockTally, CompiledExperiment, Places, Plan};
use base::files::LONGEST_LINE;
use experiment::{CellPair, Experiment};
use task::{Metric, MetricKind};

use super::super::manifest::STREAM_SCHEME;
use super::journal_row::ChecksumKey;

/// Separates these hashes from all others.
const CONTEXT: &str = "etude v4 journal schema";
/// The start of every such line.
const BEGIN: &str = "schema,,,,,\"";

/// The schema of a journal's rows, and the experiment that they are read for.
pub(crate) struct JournalSchema {
    /// The tasks of the experiment's cells.
    pub(crate) compiled: Arc<CompiledExperiment>,
    /// The experiment's samples, in blocks.
    pub(crate) plan: Plan,
    description: Description,
    /// The line of just the experiment's cells. A row may have several times the bytes that its tally can
    /// need.
    pub(in crate::store) own: Arc<Head>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    /// The hash of what determines the samples of all cells.
    experiment: String,
    streams: String,
    /// The hash of each cell.
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

impl JournalSchema {
    /// The schema of `experiment`'s journals.
    pub(crate) fn of(
        experiment: &Experiment,
        compiled: &Arc<CompiledExperiment>,
        plan: &Plan,
    ) -> Arc<Self> {
        let (shared, cells) = (experiment.shared_fingerprint(), experiment.cell_hashes());
        Self::describe(shared, cells, compiled, plan)
    }

    /// The schema of cells with these hashes.
    pub(in crate::store) fn describe(
        experiment: String,
        cells: Vec<String>,
        compiled: &Arc<CompiledExperiment>,
        plan: &Plan,
    ) -> Arc<Self> {
        let pairs = compiled.pairs().iter();
        let description = Description {
            experiment,
            streams: STREAM_SCHEME.into(),
            cells,
            metrics: compiled.metrics().iter().map(TalliedMetric::from).collect(),
            pairs: pairs.map(|pair| (pair.first, pair.second)).collect(),
        };
        let places = Places::own(compiled);
        let text = BlockTally::longest_text(compiled, &places, plan.block_size());
        let own = Head {
            line: description.to_line(),
            is_own: true,
            key: description.key(),
            places,
            longest_line: text.saturating_mul(4).max(LONGEST_LINE),
        };
        Arc::new(Self {
            compiled: Arc::clone(compiled),
            plan: *plan,
            description,
            own: Arc::new(own),
        })
    }

    /// Bytes that it takes in a journal.
    pub(crate) fn size(&self) -> u64 {
        self.own.line.len() as u64
    }

    /// Bytes that a row with the sum of all blocks may have.
    pub(in crate::store) fn longest_sum(&self) -> u64 {
        let places = &self.own.places;
        let text = BlockTally::longest_text(&self.compiled, places, self.plan.samples());
        text.saturating_mul(4).max(self.own.longest_line)
    }

    /// The line, with its line feed.
    pub(in crate::store) fn to_line(&self) -> String {
        self.own.line.clone()
    }

    /// Reads the line of a journal; `None` where it is none.
    ///
    /// # Errors
    /// The reason why its rows cannot be used for this experiment.
    pub(super) fn read_as(&self, line: &[u8]) -> Option<Result<Head, String>> {
        let stored = Description::parse(line)?;
        let places = self.description.places(&stored, &self.compiled);
        Some(places.map(|places| Head {
            is_own: stored == self.description,
            key: stored.key(),
            longest_line: self.longest_row(&places),
            places,
            line: stored.to_line(),
        }))
    }

    /// Bytes that a row with other cells may have, which was planned for as many samples or more.
    fn longest_row(&self, places: &Places) -> u64 {
        let samples = self.plan.block_size().saturating_mul(4);
        let text = BlockTally::longest_text(&self.compiled, places, samples);
        text.saturating_mul(4).max(self.own.longest_line)
    }
}

/// The line, as it is read for an experiment.
#[derive(Debug)]
pub(in crate::store) struct Head {
    /// The line.
    pub(crate) line: String,
    /// True if the rows have just the experiment's cells, metrics and pairs.
    pub(crate) is_own: bool,
    /// The key that the checksums of its rows are bound to.
    pub(crate) key: ChecksumKey,
    /// The places of the experiment's cells in its rows.
    pub(crate) places: Places,
    /// Bytes that a row may have.
    pub(crate) longest_line: u64,
}

impl fmt::Debug for JournalSchema {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.description.fmt(out)
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
    fn text(&self) -> String {
        // Texts and integers always have a form in JSON.
        serde_json::to_string(self).unwrap_or_default()
    }

    fn key(&self) -> ChecksumKey {
        blake3::derive_key(CONTEXT, self.text().as_bytes())
    }

    fn to_line(&self) -> String {
        let text = self.text();
        let checksum = blake3::hash(text.as_bytes()).to_hex();
        let quoted = text.replace('"', "\"\"");
        format!("{BEGIN}{quoted}\",{}\n", &checksum[..16])
    }

    /// The description in a line; `None` of any other line and of a damaged one.
    fn parse(line: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(line).ok()?;
        let (text, _) = line.strip_prefix(BEGIN)?.rsplit_once("\",")?;
        let schema: Self = serde_json::from_str(&text.replace("\"\"", "\"")).ok()?;
        (schema.to_line() == line).then_some(schema)
    }

    /// The places of the cells and pairs of `compiled`, which this describes, in rows that `stored`
    /// describes.
    fn places(&self, stored: &Self, compiled: &CompiledExperiment) -> Result<Places, String> {
        let places: HashMap<&String, usize> = stored.cells.iter().zip(0..).collect();
        let place = |cell: &String| places.get(cell).copied();
        let places: Vec<Option<usize>> = self.cells.iter().map(place).collect();
        let is_foreign = !places.is_empty() && places.iter().all(Option::is_none);
        if self.streams != stored.streams {
            let (theirs, own) = (&stored.streams, &self.streams);
            return Err(format!(
                "its samples were drawn from other streams ({theirs} instead of {own}), so they must be drawn again"
            ));
        }
        if self.experiment != stored.experiment || is_foreign {
            return Err(
                "the journal holds samples of another experiment, or drawn by another version"
                    .to_owned(),
            );
        }
        if self.metrics != stored.metrics {
            let (stored, wanted) = (stored.metric_names(), self.metric_names());
            return Err(format!(
                "the journal holds other metrics: {stored} instead of {wanted}"
            ));
        }
        let pair = |&(first, second): &(usize, usize)| CellPair { first, second };
        let pairs: Vec<CellPair> = stored.pairs.iter().map(pair).collect();
        Ok(Places::of(compiled, places, stored.cells.len(), &pairs))
    }

    fn metric_names(&self) -> String {
        let names = self.metrics.iter().map(|metric| metric.name.as_str());
        names.collect::<Vec<_>>().join(", ")
    }
}
