//! The rows of a run folder's tables, field by field.

use std::collections::BTreeMap;

use csv::StringRecord;

use super::figures::{Figure, quantity};
use super::plot::Bin;
use crate::output::PARAM_PREFIX;

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

/// A row of `truths.csv`.
#[derive(Clone, Debug)]
pub struct TruthRow {
    /// The cell.
    pub cell: String,
    /// The metric.
    pub metric: String,
    /// Its unit.
    pub unit: String,
    /// The estimate.
    pub figure: Figure,
    /// What is known exactly.
    pub truth: Option<f64>,
    /// Whether the interval covers it; none without an interval.
    pub covered: Option<bool>,
    /// Where it is known from.
    pub source: String,
}

/// A row of `variance.csv`.
#[derive(Clone, Debug)]
pub struct VarianceRow {
    /// The cell.
    pub cell: String,
    /// The metric.
    pub metric: String,
    /// Standard error of the plain average.
    pub plain_error: Option<f64>,
    /// Standard error of the estimate that is reported.
    pub error: Option<f64>,
    /// How many times more independent samples the same error would need.
    pub factor: Option<f64>,
    /// The coefficients of the controls, by name.
    pub coefficients: String,
}

/// A row of `elo.csv`.
#[derive(Clone, Debug)]
pub struct EloRow {
    /// The cell.
    pub cell: String,
    /// The metric.
    pub metric: String,
    /// The first side's rating above the second's, in Elo; none at a score of 0 or 1.
    pub elo: Option<f64>,
    /// Lower end of its interval; none where there is no bound.
    pub lo: Option<f64>,
    /// Upper end of its interval; none where there is no bound.
    pub hi: Option<f64>,
    /// The same in normalised Elo.
    pub normalised: Option<f64>,
    /// Pairs of games.
    pub pairs: u64,
    /// The interval's level.
    pub level: Option<f64>,
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

/// A row of `weights.csv`.
#[derive(Clone, Debug)]
pub struct WeightRow {
    /// The cell.
    pub cell: String,
    /// The metric.
    pub metric: String,
    /// Its unit.
    pub unit: String,
    /// Kish's effective sample size.
    pub effective_n: Option<f64>,
    /// The largest weight's share of the sum.
    pub largest_share: Option<f64>,
    /// The largest weight's share of the sum of squared deviations.
    pub spread_share: Option<f64>,
    /// Whether an interval can be believed.
    pub trusted: bool,
    /// What the true value exceeds at [`at_least_level`](Self::at_least_level), however
    /// concentrated the weights.
    pub at_least: Option<f64>,
    /// The probability with which it does.
    pub at_least_level: Option<f64>,
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

impl SummaryRow {
    pub(super) fn read(fields: &Fields<'_>) -> Self {
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
    pub(super) fn read(fields: &Fields<'_>) -> Self {
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
    pub(super) fn read(fields: &Fields<'_>) -> Self {
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

impl TruthRow {
    pub(super) fn read(fields: &Fields<'_>) -> Self {
        Self {
            cell: fields.text("cell"),
            metric: fields.text("metric"),
            unit: fields.text("unit"),
            figure: Figure::read(fields),
            truth: fields.number("truth"),
            covered: fields.text("covered").parse().ok(),
            source: fields.text("source"),
        }
    }

    /// The exact value, as precise as the estimate beside it.
    pub fn exact(&self) -> String {
        let shown = |truth| self.figure.beside(truth, &self.unit);
        self.truth.map_or(String::new(), shown)
    }

    /// Whether the interval covers it, in a word.
    pub fn verdict(&self) -> &'static str {
        match self.covered {
            Some(true) => "covered",
            Some(false) => "missed",
            None => "no interval",
        }
    }

    /// How many of these intervals cover what is known: `19 of 20 intervals cover the exact value`.
    pub fn tally(rows: &[TruthRow]) -> String {
        let decided = rows.iter().filter_map(|row| row.covered);
        let covering = decided.clone().filter(|covered| *covered).count();
        format!(
            "{covering} of {} intervals cover the exact value",
            decided.count()
        )
    }
}

impl VarianceRow {
    pub(super) fn read(fields: &Fields<'_>) -> Self {
        Self {
            cell: fields.text("cell"),
            metric: fields.text("metric"),
            plain_error: fields.number("plain_mcse"),
            error: fields.number("mcse"),
            factor: fields.number("variance_reduction"),
            coefficients: fields.text("coefficients"),
        }
    }
}

impl EloRow {
    pub(super) fn read(fields: &Fields<'_>) -> Self {
        Self {
            cell: fields.text("cell"),
            metric: fields.text("metric"),
            elo: fields.number("elo"),
            lo: fields.number("elo_lo"),
            hi: fields.number("elo_hi"),
            normalised: fields.number("nelo"),
            pairs: fields.count("n"),
            level: fields.number("ci_level"),
        }
    }

    /// The difference: `+12.3`; empty where there is none.
    pub fn value(&self) -> String {
        self.elo.map_or(String::new(), |elo| format!("{elo:+.1}"))
    }

    /// Its interval, one-sided where a bound does not exist: `at most -512.0`.
    pub fn interval(&self) -> String {
        match (self.lo, self.hi) {
            (Some(lo), Some(hi)) => format!("{lo:+.1} to {hi:+.1}"),
            (Some(lo), None) => format!("at least {lo:+.1}"),
            (None, Some(hi)) => format!("at most {hi:+.1}"),
            (None, None) => String::new(),
        }
    }

    /// The difference in normalised Elo; empty where there is none.
    pub fn normalised(&self) -> String {
        let shown = |elo| format!("{elo:+.1}");
        self.normalised.map_or(String::new(), shown)
    }
}

impl HistogramRow {
    pub(super) fn read(fields: &Fields<'_>) -> Self {
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
    pub(super) fn read(fields: &Fields<'_>) -> Self {
        Self {
            metric: fields.text("metric"),
            unit: fields.text("unit"),
            samples: fields.count("samples"),
            figure: Figure::read(fields),
        }
    }
}

impl WeightRow {
    pub(super) fn read(fields: &Fields<'_>) -> Self {
        Self {
            cell: fields.text("cell"),
            metric: fields.text("metric"),
            unit: fields.text("unit"),
            effective_n: fields.number("effective_n"),
            largest_share: fields.number("largest_share"),
            spread_share: fields.number("spread_share"),
            trusted: fields.text("trusted") == "true",
            at_least: fields.number("at_least"),
            at_least_level: fields.number("at_least_level"),
        }
    }

    /// The effective sample size: `12.3`.
    pub fn effective(&self) -> String {
        self.effective_n
            .map_or(String::new(), |size| format!("{size:.1}"))
    }

    /// The largest weight's share of the sum: `41.2 %`.
    pub fn share(&self) -> String {
        percent(self.largest_share)
    }

    /// The largest weight's share of the spread: `87.5 %`.
    pub fn spread(&self) -> String {
        percent(self.spread_share)
    }

    /// What the true value exceeds, and how sure that is: `more than 2.04e15 (95 %)`.
    pub fn bound(&self) -> String {
        let bound = self.at_least.filter(|&bound| bound > 0.0);
        let said = bound.zip(self.at_least_level).map(|(bound, level)| {
            let percent = (level * 1e6).round() / 1e4;
            format!("more than {} ({percent} %)", quantity(bound, 0, &self.unit))
        });
        said.unwrap_or_default()
    }

    /// What to know of an estimate that is not trusted.
    pub fn warning(&self) -> Option<String> {
        let (cell, metric) = (&self.cell, &self.metric);
        let reason = match self.largest_share {
            Some(_) => format!(
                "an effective sample size of {}, and {} of the spread from one of them",
                self.effective(),
                self.spread()
            ),
            None => "no sample has any".to_owned(),
        };
        (!self.trusted).then(|| {
            format!(
                "{cell}, {metric}: the weights are too concentrated for an interval ({reason}); \
                 take more samples or another estimator"
            )
        })
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or(String::new(), |share| format!("{:.1} %", 100.0 * share))
}

impl RatingRow {
    pub(super) fn read(fields: &Fields<'_>) -> Self {
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
    pub header: &'row StringRecord,
    pub record: &'row StringRecord,
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
            .map(|column| {
                let name = column.strip_prefix(PARAM_PREFIX).unwrap_or(column);
                (name.to_owned(), self.text(column))
            })
            .collect()
    }

    fn field(&self, column: &str) -> &str {
        let place = self.header.iter().position(|name| name == column);
        place
            .and_then(|place| self.record.get(place))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(first: &str, second: &str) -> String {
        let header = StringRecord::from(vec!["first", "second"]);
        let record = StringRecord::from(vec![first, second]);
        let fields = Fields {
            header: &header,
            record: &record,
        };
        PairRow::read(&fields).label()
    }

    #[test]
    fn pairs_say_once_what_they_share() {
        assert_eq!(pair("optimal", "greedy"), "optimal − greedy");
        assert_eq!(
            pair(
                "strategy=optimal,layout=open",
                "strategy=greedy,layout=open"
            ),
            "optimal − greedy (layout=open)"
        );
    }

    #[test]
    fn ratings_name_side_and_group_where_there_are_any() {
        let rated = |values: [&str; 3]| {
            let header = StringRecord::from(vec!["player", "side", "group", "elo"]);
            let mut record = StringRecord::from(values.to_vec());
            record.push_field("12.5");
            let fields = Fields {
                header: &header,
                record: &record,
            };
            let row = RatingRow::read(&fields);
            assert_eq!((row.elo, row.lo), (Some(12.5), None));
            row.player
        };
        assert_eq!(rated(["arsac", "", ""]), "arsac");
        assert_eq!(
            rated(["arsac", "hens", "rule=strict"]),
            "arsac as hens (rule=strict)"
        );
    }
}
