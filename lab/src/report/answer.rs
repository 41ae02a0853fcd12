//! The answer: the experiment's own sentence with its figures filled in.

use super::figures::Figure;
use super::format::{level_text, of_difference};
use super::results::Results;
use crate::stats::Estimate;
use crate::tables::ClaimRow;
use crate::task::visible;

/// A place in an answer that no figure fits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the answer asks for `{place}`, and there is no such figure")]
pub struct AnswerError {
    /// The text between the braces.
    pub place: String,
}

/// Replaces every `{metric}` in `text` by the figure of the first cell with its interval, and
/// every `{cell:metric}` by that of another cell, `{cell - cell:metric}` by the paired difference
/// of two. The first interval names the level of all. The answer is safe to show.
///
/// # Errors
/// Where a place names no figure of the results.
pub fn filled(text: &str, results: &Results) -> Result<String, AnswerError> {
    let mut answer = String::new();
    let mut level = results.level();
    let mut rest = text;
    while let Some((before, place, after)) = next_place(rest) {
        answer.push_str(&visible(before));
        let figure = figure(place, results)?;
        match figure.split_once(" (").zip(level.as_ref()) {
            Some(((value, interval), known)) if is_interval(interval) => {
                answer.push_str(&format!("{value} ({known}: {interval}"));
                level = None;
            }
            _ => answer.push_str(&figure),
        }
        rest = after;
    }
    answer.push_str(&visible(rest));
    Ok(answer)
}

/// Returns whether what stands in the parentheses of a figure is an interval that names no level.
fn is_interval(text: &str) -> bool {
    text.contains(|letter: char| letter.is_ascii_digit()) && !text.contains("%: ")
}

/// The text before the first `{...}`, what is between its braces, and the text after it.
fn next_place(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('{')?;
    let (place, after) = rest.split_once('}')?;
    Some((before, place, after))
}

/// The figure that a place asks for, with its interval.
pub(super) fn figure(place: &str, results: &Results) -> Result<String, AnswerError> {
    let (cell, metric) = match place.rsplit_once(':') {
        Some((cell, metric)) => (Some(cell), metric),
        None => (results.cells().first().copied(), place),
    };
    let row = cell.and_then(|cell| results.row(cell, metric));
    let figure = row.map(|row| results.figure(row).phrase());
    let difference = || difference(cell?, metric, results);
    figure.or_else(difference).ok_or_else(|| AnswerError {
        place: visible(place),
    })
}

/// The difference of a metric in two cells, `first - second`, either way round as `pairs.csv` has it,
/// or as a claim found it.
fn difference(cells: &str, metric: &str, results: &Results) -> Option<String> {
    let pairs = results.pairs.iter().filter(|row| row.metric == metric);
    let mut both = pairs.flat_map(|row| {
        let named = |a: &str, b: &str| format!("{a} - {b}");
        let unit = of_difference(&row.unit);
        [
            (named(&row.first, &row.second), row.estimate, unit),
            (
                named(&row.second, &row.first),
                row.estimate.mirrored(),
                unit,
            ),
        ]
    });
    let phrase =
        |(_, estimate, unit): (String, Estimate, &str)| Figure::of(&estimate, unit).phrase();
    let found = both.find(|(name, ..)| name == cells).map(phrase);
    found.or_else(|| {
        let is_asked = |row: &&ClaimRow| row.cell == cells && row.metric == metric;
        let row = results.claims.iter().find(is_asked)?;
        let phrase = row.figure().phrase();
        Some(match row.found.interval {
            // A claim has a level of its own.
            Some(found) => {
                let level = level_text(found.level.get());
                phrase.replacen(" (", &format!(" ({level}: "), 1)
            }
            None => phrase,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample::results;
    use crate::stats::Interval;
    use crate::tables::PairRow;

    /// A coin with a second and a third cell, whose heads are rarer.
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
        assert_eq!(filled(text, &results).as_deref(), Ok(expected));
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
                interval: results.summary[0].estimate.interval.map(|found| Interval {
                    lo: -0.3,
                    hi: -0.125,
                    ..found
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
        assert_eq!(filled(text, &results).as_deref(), Ok(expected));
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
            assert_eq!(missing.unwrap_err().place, place);
        }
    }
}
