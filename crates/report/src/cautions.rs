//! Sentences on estimates that hold, and say less than they seem to.

use super::results::Results;
use base::count;
use figures::{Figure, scale};
use lab::tables::{RepeatRow, SummaryRow, exact};
use stats::{FarLimit, rounded};

/// Returns what a reader of the estimates of these metrics should know, a sentence each.
pub(super) fn cautions(results: &Results, metrics: &[&str]) -> Vec<String> {
    let shown = results.summary.iter();
    let shown = shown.filter(|row| metrics.contains(&row.metric.as_str()));
    let limits = shown.filter_map(|row| far_limit(results, row));
    let unwanted = results.config.unwanted.iter().map(unwanted);
    (limits.chain(results.repeats.iter().map(repeated)))
        .chain(unwanted)
        .collect()
}

/// Returns the remark on a cell that draws no more.
fn unwanted((cell, samples): (&String, &u64)) -> String {
    format!(
        "{cell} is no longer wanted and drew no more than {} samples; what was seen of it counts in all that is said \
         of the cells together",
        count(*samples)
    )
}

/// Returns what a reader of the leading estimates should know, a sentence each.
pub fn leading_cautions(results: &Results) -> Vec<String> {
    let contradictions = results.contradictions();
    contradictions
        .chain(cautions(results, &results.leading_metrics()))
        .collect()
}

/// Returns the caution of an interval whose width comes from a declared limit that no sample came near.
fn far_limit(results: &Results, row: &SummaryRow) -> Option<String> {
    let FarLimit {
        limit,
        is_upper,
        sampled,
    } = row.estimate.far_limit()?;
    let (mean, figure) = (row.estimate.value?, results.figure(row));
    let interval = figure.interval()?;
    let alone = Figure::plain(mean, Some(sampled), &row.unit).interval()?;
    let values = results.bins(&row.cell, &row.metric).map(|bin| bin.value.0);
    let (farthest, end, key) = if is_upper {
        (values.reduce(f64::max), "greatest", "max")
    } else {
        (values.reduce(f64::min), "least", "min")
    };
    let percent = if row.unit.is_empty() { " %" } else { "" };
    let in_unit = |value: f64| format!("{}{percent}", exact(value * scale(&row.unit)));
    let farthest = farthest.map_or(String::new(), |value| {
        format!(" (the {end} is {})", in_unit(value))
    });
    Some(format!(
        "{}, {}: the interval is {interval}{percent} because {key} = {} is declared, which none of {} samples \
         came near{farthest}; the samples alone say {alone}{percent}. Declare what a value can really be, or take \
         more samples",
        row.cell,
        row.metric,
        declared(results, row, is_upper).unwrap_or_else(|| in_unit(known_to(limit, limit - mean))),
        count(row.estimate.n)
    ))
}

/// The limit as the experiment declares it, where it does: a game's own is known from the interval alone.
fn declared(results: &Results, row: &SummaryRow, is_upper: bool) -> Option<String> {
    let metric = results.config.command.as_ref()?.metrics.get(&row.metric)?;
    let limit = if is_upper { &metric.max } else { &metric.min };
    Some(exact(limit.as_ref()?.as_f64()?))
}

/// A limit that lies so far from the mean, by which it is known to six digits of that.
fn known_to(limit: f64, distance: f64) -> f64 {
    let power = |number: f64| libm::log10(number.abs()).floor();
    let digits = 6.0 + power(limit) - power(distance);
    if digits < 1.0 {
        return 0.0;
    }
    rounded(limit, digits as usize)
}

/// Returns the caution about a cell whose samples are copies of one another.
fn repeated(row: &RepeatRow) -> String {
    let (cell, compared) = (&row.cell, count(row.compared));
    if row.one_sample {
        return format!(
            "{cell}: the samples are all the same, so they count as one: there is no interval and no Elo \
             limit, and they decide no claim. Start from random openings, such as opening = 4, or draw one \
             sample"
        );
    }
    format!(
        "{cell}: of the first {compared} samples only {} differ, the others repeat them: the estimates \
         speak of these few. Start from random openings, such as opening = 4, or from longer ones",
        count(row.different)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::results;

    /// Zero is known as the mean less its distance, which leaves a rest.
    #[test]
    fn a_limit_is_told_as_it_is_declared() {
        assert_eq!(known_to(-2.0256e-9, -12.1), 0.0);
        assert_eq!(known_to(19.999_999_7, 17.2), 20.0);
        assert_eq!(known_to(-999.999_999, -1_003.5), -1_000.0);
        assert_eq!(known_to(0.300_000_01, 0.2), 0.3);
    }

    #[test]
    fn samples_that_repeat_one_another_are_told_of() {
        let mut results = results();
        assert_eq!(cautions(&results, &["heads"]), Vec::<String>::new());
        let row = |cell: &str, different, one_sample| RepeatRow {
            experiment: "coin".to_owned(),
            cell: cell.to_owned(),
            compared: 64,
            different,
            one_sample,
        };
        results.repeats = vec![row("a", 1, true), row("b", 3, false)];
        let told = cautions(&results, &["heads"]);
        assert!(
            told[0].starts_with("a: the samples are all the same"),
            "{told:?}"
        );
        assert!(
            told[1].starts_with("b: of the first 64 samples only 3 differ"),
            "{told:?}"
        );
    }
}
