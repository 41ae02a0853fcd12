//! Two benchmarks of the same contenders, pair by pair.

use super::numbers::told;
use super::words;
use super::{RaceResults, TIMES};
use crate::sheet::{Sheet, SheetText};
use lab::tables::SpeedRow;
use stats::PairStatistic;

/// The rows of two benchmarks about the same pairs. Times of different sessions cannot be compared,
/// ratios can: each has both of its contenders in one session.
pub type ComparedSpeeds = [SpeedRow; 2];

/// The conclusion on ratios that differ.
const APART_IN_BOTH: &str = "the intervals lie apart";

/// Returns what is found about the ratios of two benchmarks: whether their intervals lie apart, or the
/// reason why that cannot be said.
pub fn conclusion(rows: &ComparedSpeeds) -> &'static str {
    let [first, second] = rows;
    let below = |a: &SpeedRow, b: &SpeedRow| {
        let both = a.speed.interval.zip(b.speed.interval);
        both.is_some_and(|(a, b)| a.hi < b.lo)
    };
    if below(first, second) || below(second, first) {
        return APART_IN_BOTH;
    }
    let is_open = |row: &&SpeedRow| row.speed.interval.is_none();
    match rows.iter().find(is_open) {
        None => "no difference found",
        Some(row) if row.speed.censored > 0 => "not known: stopped answers leave the ratio open",
        Some(row) if row.statistic == PairStatistic::Total => {
            "not known: a total needs a cap in processor time"
        }
        Some(row) if row.statistic == PairStatistic::Median && words::lacks_starts(&row.speed) => {
            "not known: too few starts for an interval"
        }
        Some(_) => "not known: too few instances or starts for an interval",
    }
}

/// The ratios of two benchmarks side by side, each pair one way round.
pub fn compared_sheet(rows: &[ComparedSpeeds], results: &RaceResults) -> Sheet {
    let sweep = &results.speed.sweep;
    let columns: [SheetText<'_, &ComparedSpeeds>; 5] = [
        ("contenders", &|[row, _]| words::label(row, sweep)),
        ("statistic", &|[row, _]| row.statistic.as_ref().to_owned()),
        ("=A", &|[row, _]| told(&row.speed)),
        ("=B", &|[_, row]| told(&row.speed)),
        ("result", &|rows| conclusion(rows).to_owned()),
    ];
    Sheet::of(TIMES, results.one_way(rows, |[row, _]| row), &columns)
}

/// The rows of two benchmarks that are about the same pairs, those first whose intervals lie apart.
pub fn compared(first: &RaceResults, second: &RaceResults) -> Vec<ComparedSpeeds> {
    let beside = |one: &SpeedRow| {
        let other = (second.speed).find(&one.first, &one.second, one.statistic)?;
        Some([one.clone(), other.clone()])
    };
    let mut rows: Vec<ComparedSpeeds> = first.speed.rows.iter().filter_map(beside).collect();
    rows.sort_by_key(|rows| conclusion(rows) != APART_IN_BOTH);
    rows
}
