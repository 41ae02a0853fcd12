//! The answer: the experiment's own sentence with its figures filled in.

use super::results::Results;
use super::verdicts::claim_figure;
use base::{Failure, visible};
use figures::{Figure, level_text, of_difference};
use lab::tables::{ClaimRow, SummaryRow};

impl Results {
    /// The experiment's answer with its figures; a sentence says which is not there.
    pub(super) fn answer(&self) -> String {
        let answer = self.config.answer.as_deref().unwrap_or_default();
        filled(answer, self).unwrap_or_else(|error| error.to_string())
    }
}

/// Replaces every `{metric}` in `text` by the figure of the first cell with its interval, and
/// every `{cell:metric}` by that of another cell, `{cell - cell:metric}` by the paired difference
/// of two. The first interval names the level of all. The answer is safe to show.
///
/// # Errors
/// If a place names no figure of the results.
pub(crate) fn filled(text: &str, results: &Results) -> Result<String, Failure> {
    let mut level = results.level();
    let figure = |place: &str| {
        let figure = figure(place, results)?;
        let interval = figure.split_once(" (").filter(|parts| is_interval(parts.1));
        Some(match interval.zip(level.take_if(|_| interval.is_some())) {
            Some(((value, interval), level)) => format!("{value} ({level}: {interval}"),
            None => figure,
        })
    };
    with_figures(text, figure).map_err(|place| {
        let place = visible(place);
        Failure::usage(format!(
            "the answer asks for `{place}`, and there is no such figure"
        ))
    })
}

/// Replaces every `{place}` in `text` by its figure; the first place that has none is the error.
pub(super) fn with_figures(
    text: &str,
    mut figure: impl FnMut(&str) -> Option<String>,
) -> Result<String, &str> {
    let (mut filled, mut rest) = (String::new(), text);
    while let Some((before, (place, after))) = rest
        .split_once('{')
        .and_then(|(before, braced)| Some((before, braced.split_once('}')?)))
    {
        filled += &visible(before);
        filled += &figure(place).ok_or(place)?;
        rest = after;
    }
    Ok(filled + &visible(rest))
}

/// Returns whether what stands in the parentheses of a figure is an interval that names no level.
fn is_interval(text: &str) -> bool {
    text.contains(|letter: char| letter.is_ascii_digit()) && !text.contains("%: ")
}

/// The figure that a place asks for, with its interval.
pub(super) fn figure(place: &str, results: &Results) -> Option<String> {
    FoundFigure::at(place, results).map(|figure| figure.phrase())
}

/// The figure that a place asks for: an estimate of a cell, or a difference of two.
pub(super) struct FoundFigure<'run> {
    /// The figure.
    pub(crate) figure: Figure<'run>,
    /// The cell, or the two cells of a difference.
    pub(crate) cell: &'run str,
    /// The metric.
    pub(crate) metric: &'run str,
    /// True if two cells are compared.
    pub(crate) is_difference: bool,
    /// The level of its interval, if that is not the level of all others.
    level: Option<f64>,
}

impl<'run> FoundFigure<'run> {
    /// The figure of the first place that the page's headline or the answer names, or the first of
    /// all.
    pub(crate) fn first(results: &'run Results) -> Option<Self> {
        let mut places = results.config.places();
        let named = places.find_map(|place| Self::at(place, results));
        named.or_else(|| Some(Self::of(results.summary.first()?, results)))
    }

    /// Returns whether it stands for a single sample of many that could be drawn.
    pub(crate) fn is_one_sample(&self) -> bool {
        self.figure.estimate.n == 1 && !self.figure.is_exact()
    }

    /// The figure of `metric`, of the first cell; of `cell:metric`; or of `cell - cell:metric`. Of two cells that
    /// the texts name, whoever reads them takes the difference: both have the digits of the measured one.
    pub(crate) fn at(place: &str, results: &'run Results) -> Option<Self> {
        let mut found = Self::alone(place, results)?;
        let others = results.config.told_places();
        for other in others.filter_map(|other| Self::alone(other, results)) {
            if let Some(difference) = found.apart_from(&other, results) {
                found.figure = found.figure.compared(&difference.figure);
            }
        }
        Some(found)
    }

    /// The measured difference of two cells in one metric, whichever is the first.
    fn apart_from(&self, other: &Self, results: &'run Results) -> Option<Self> {
        let metric = self.metric;
        let are_cells = !self.is_difference && !other.is_difference;
        let difference =
            |[one, other]: [&str; 2]| Self::alone(&format!("{one} - {other}:{metric}"), results);
        let mut ways = [[self.cell, other.cell], [other.cell, self.cell]].into_iter();
        (are_cells && metric == other.metric).then(|| ways.find_map(difference))?
    }

    /// The figure that a place asks for, as precise as its own interval.
    fn alone(place: &str, results: &'run Results) -> Option<Self> {
        let (cell, metric) = match place.rsplit_once(':') {
            Some((cell, metric)) => (cell, metric),
            None => (results.summary.first()?.cell.as_str(), place),
        };
        let row = results.row(cell, metric).map(|row| Self::of(row, results));
        row.or_else(|| Self::of_pair(cell, metric, results))
            .or_else(|| Self::of_claim(cell, metric, results))
    }

    /// The estimate of a row.
    fn of(row: &'run SummaryRow, results: &'run Results) -> Self {
        Self {
            figure: results.figure(row),
            cell: &row.cell,
            metric: &row.metric,
            is_difference: false,
            level: None,
        }
    }

    /// The difference `first - second`, either way round as `pairs.csv` has it.
    fn of_pair(cells: &str, metric: &str, results: &'run Results) -> Option<Self> {
        let (first, second) = cells.split_once(" - ")?;
        let mut rows = results.pairs.iter().filter(|row| row.metric == metric);
        let (row, estimate) = rows.find_map(|row| match (&*row.first, &*row.second) {
            pair if pair == (first, second) => Some((row, row.estimate)),
            pair if pair == (second, first) => Some((row, row.estimate.mirrored())),
            _ => None,
        })?;
        Some(Self {
            figure: Figure::of(&estimate, of_difference(&row.unit)),
            cell: &row.first,
            metric: &row.metric,
            is_difference: true,
            level: None,
        })
    }

    /// The difference that a claim found, at a level of its own.
    fn of_claim(cells: &str, metric: &str, results: &'run Results) -> Option<Self> {
        let is_asked = |row: &&ClaimRow| row.cell == cells && row.metric == metric;
        let row = results.claims.iter().find(is_asked)?;
        Some(Self {
            figure: claim_figure(row),
            cell: &row.cell,
            metric: &row.metric,
            is_difference: true,
            level: row.measured.interval.map(|interval| interval.level.get()),
        })
    }

    /// The figure with its interval, which names its level if that is its own.
    pub(crate) fn phrase(&self) -> String {
        let phrase = self.figure.phrase();
        match self.level {
            Some(level) => phrase.replacen(" (", &format!(" ({}: ", level_text(level)), 1),
            None => phrase,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::results;
    use lab::tables::PairRow;
    use stats::Estimate;
    use stats::Interval;

    /// Makes a coin with a second and a third cell, in which heads are rarer.
    fn swept() -> Results {
        let mut results = results();
        for (cell, mean) in [("bent", 0.25), ("worn", 0.125)] {
            let mut row = results.summary[0].clone();
            row.cell = cell.into();
            row.estimate.value = Some(mean);
            results.summary.push(row);
        }
        results
    }

    #[test]
    fn a_metric_alone_is_the_first_cells_and_one_after_a_cell_is_that_cells() {
        let results = swept();
        assert_eq!(results.cells(), ["all", "bent", "worn"]);
        let text = "{heads}, then {bent:heads} and {worn:heads}; again {all:heads}";
        let expected = "50 % (95 %: 40 to 60), then 25 % (40 to 60) and 12 % (40 to 60); \
                        again 50 % (40 to 60)";
        assert_eq!(filled(text, &results).unwrap(), expected);
    }

    #[test]
    fn a_difference_may_be_asked_for_either_way_round() {
        let mut results = swept();
        let row = |first: &str, second: &str| PairRow {
            experiment: String::new(),
            first: first.into(),
            second: second.into(),
            metric: "heads".into(),
            unit: String::new(),
            estimate: Estimate {
                value: Some(-0.25),
                interval: results.summary[0]
                    .estimate
                    .interval
                    .map(|interval| Interval {
                        lo: -0.3,
                        hi: -0.125,
                        ..interval
                    }),
                ..Estimate::default()
            },
            correlation: None,
            variance_reduction: None,
            mcnemar_p: None,
        };
        results.pairs = vec![row("bent", "all")];
        let text = "{all - bent:heads}, so {bent - all:heads}";
        let expected = "25 percentage points (95 %: 12 to 30), \
                        so -25 percentage points (-30 to -12)";
        assert_eq!(filled(text, &results).unwrap(), expected);
        // A text that names both cells has them as precise as their difference.
        results.config.answer =
            Some("{all:heads} instead of {bent:heads}, not {worn:heads}".into());
        results.pairs[0].estimate.interval =
            results.pairs[0].estimate.interval.map(|interval| Interval {
                lo: -0.251,
                hi: -0.249,
                ..interval
            });
        let compared =
            "50.0 % (95 %: 40.0 to 60.0) instead of 25.0 % (40.0 to 60.0), not 12 % (40 to 60)";
        assert_eq!(results.answer(), compared);
        let mut claim = results.claims[0].clone();
        (claim.cell, claim.metric) = ("worn - all".into(), "heads".into());
        results.claims.push(claim);
        let claimed = filled("{worn - all:heads}", &results).unwrap();
        assert_eq!(claimed, "50 % (95 %: 40 to 60)");
    }

    #[test]
    fn a_place_without_a_figure_is_named() {
        for place in ["tails", "tossed:heads", "bent:run"] {
            let missing = filled(&format!("{{heads}} {{{place}}}"), &swept());
            let message = missing.unwrap_err().message;
            assert!(message.contains(&format!("`{place}`")), "{message}");
        }
    }
}
