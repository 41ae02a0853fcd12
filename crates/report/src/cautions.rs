//! Sentences on estimates that hold, and say less than they seem to.

use super::figures::Figure;
use super::format::count;
use super::results::Results;
use lab::tables::{SummaryRow, exact};
use stats::{FarLimit, rounded};

/// Returns what a reader of the estimates of these metrics should know, a sentence each.
pub(super) fn cautions(results: &Results, metrics: &[&str]) -> Vec<String> {
    let shown = results.summary.iter();
    let shown = shown.filter(|row| metrics.contains(&row.metric.as_str()));
    let limits = shown.filter_map(|row| far_limit(results, row));
    let has_games = !results.ratings.is_empty() || !results.elo.is_empty();
    let cells = results.summary.chunk_by(|one, next| one.cell == next.cell);
    let cells = cells.filter(|_| has_games);
    limits.chain(cells.filter_map(alike)).collect()
}

/// Returns what a reader of the leading estimates should know, a sentence each.
pub fn leading_cautions(results: &Results) -> Vec<String> {
    cautions(results, &results.leading_metrics())
}

/// Returns the caution of an interval whose width comes from a declared limit that no sample came near.
fn far_limit(results: &Results, row: &SummaryRow) -> Option<String> {
    let FarLimit {
        limit,
        is_upper,
        sampled,
    } = row.estimate.far_limit()?;
    let figure = results.figure(row);
    let interval = figure.interval()?;
    let alone = Figure::plain(row.estimate.value?, Some(sampled), &row.unit).interval()?;
    let values = results.bins(&row.cell, &row.metric).map(|bin| bin.value.0);
    let (farthest, end, key) = if is_upper {
        (values.reduce(f64::max), "greatest", "max")
    } else {
        (values.reduce(f64::min), "least", "min")
    };
    let farthest = farthest.map_or(String::new(), |value| {
        format!(" (the {end} is {})", exact(value))
    });
    Some(format!(
        "{}, {}: the interval is {interval} because {key} = {} is declared, which none of {} samples \
         came near{farthest}; the samples alone say {alone}. Declare what a value can really be, or take \
         more samples",
        row.cell,
        row.metric,
        exact(rounded(limit, LIMIT_DIGITS)),
        count(row.estimate.n)
    ))
}

/// The digits of a limit that is known from an interval.
const LIMIT_DIGITS: usize = 6;

/// Returns the caution of a cell, given its rows, all of whose games came out alike.
fn alike(rows: &[SummaryRow]) -> Option<String> {
    let mut known = rows.iter().filter(|row| row.estimate.n > 0).peekable();
    let &first = known.peek()?;
    let (cell, n) = (&first.cell, first.estimate.n);
    let is_alike = |row: &SummaryRow| {
        let is_even = row.estimate.mcse.is_none_or(|error| error == 0.0);
        is_even && row.estimate.unresolved == 0 && !row.estimate.untrusted
    };
    (n > 1 && known.all(is_alike)).then(|| {
        format!(
            "{cell}: all {} samples came out alike in every metric. If nothing in them is random, they \
             count as one sample, and no interval or Elo limit means anything: start from random openings, \
             such as opening = 8, or draw one sample",
            count(n)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::results;

    #[test]
    fn games_that_all_came_out_alike_are_one_sample() {
        let mut results = results();
        assert_eq!(cautions(&results, &["heads"]), Vec::<String>::new());
        results.summary.truncate(1);
        let estimate = &mut results.summary[0].estimate;
        (estimate.value, estimate.mcse) = (Some(1.0), None);
        let told = cautions(&results, &["heads"]);
        assert!(
            told[0].contains("all 100 samples came out alike"),
            "{told:?}"
        );
        results.summary[0].estimate.mcse = Some(0.01);
        assert!(cautions(&results, &["heads"]).is_empty());
        results.summary[0].estimate.mcse = None;
        (results.ratings, results.elo) = (Vec::new(), Vec::new());
        assert!(cautions(&results, &["heads"]).is_empty());
    }
}
