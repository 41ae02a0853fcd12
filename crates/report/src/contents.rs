//! The tables of a run in the order of its report: chosen and built here, drawn elsewhere.

use std::iter;

use super::cautions::cautions;
use super::results::Results;
use super::rows::{
    chance_ahead, coverage, coverage_tally, effective_size, elo_interval, exact_value, median_gain,
    middle_gains, pair_figure, percent, player_label, rating_gap, rating_interval, signed, text,
    truth_figure, unlimited, weight_bound,
};
use crate::sheet::{Sheet, SheetText};
use base::{count, counted};
use figures::level_text;
use lab::tables::{EloRow, PairRow, PurseRow, RatingRow, TruthRow, VarianceRow};
use lab::tables::{SummaryRow, WeightRow};

/// Returns all tables of a run, the estimates first; those with nothing to show are left out.
pub(super) fn all(results: &Results) -> Vec<Sheet> {
    let sheets = [
        estimates(results, &results.metric_names()),
        ratings(results),
        differences(results, &results.metric_names()),
        weights(results),
        purses(results),
        truths(results),
        variance(results),
        elo(results),
    ];
    filled(sheets)
}

/// Returns the tables that answer the question of a run, the estimates first: of the metrics that
/// matter most, and without details.
pub(super) fn leading(results: &Results) -> Vec<Sheet> {
    let metrics = results.leading_metrics();
    let mut figures = match results.cells().as_slice() {
        [_] => estimates(results, &metrics).without(&[METHOD]),
        _ => by_cell(results, &metrics),
    };
    figures.title = leading_title(results, metrics.len());
    let differences = differences(results, &metrics).without(&[METHOD, "samples"]);
    filled([figures, ratings(results), differences])
}

fn filled<const N: usize>(sheets: [Sheet; N]) -> Vec<Sheet> {
    sheets.into_iter().filter(Sheet::is_filled).collect()
}

/// Cautions that stand below the estimates at most.
const MOST_CAUTIONS: usize = 3;

/// Returns the first cautions, a line each, and how many more there are.
fn cautions_in_short(results: &Results, metrics: &[&str]) -> String {
    let mut told = cautions(results, metrics);
    let more = told.len().saturating_sub(MOST_CAUTIONS);
    told.truncate(MOST_CAUTIONS);
    if more > 0 {
        told.push(format!("And {}.", counted(more as u64, "more caution")));
    }
    told.join("\n")
}

/// The column with the level and the method of an interval.
pub(super) const METHOD: &str = "level, method";

/// Returns the estimates of these metrics, a row for each in each cell.
pub(super) fn estimates(results: &Results, metrics: &[&str]) -> Sheet {
    let columns: [SheetText<'_, &SummaryRow>; 6] = [
        ("cell", &|row| results.sweep.label(&row.cell)),
        ("metric", &|row| row.metric.clone()),
        ("=estimate", &|row| results.figure(row).value()),
        ("=interval", &|row| {
            let figure = results.figure(row);
            let interval = figure.interval();
            // Without an interval the reason, if there is one.
            interval.unwrap_or_else(|| figure.reason().to_owned())
        }),
        ("=samples", &|row| results.figure(row).samples()),
        (METHOD, &|row| results.figure(row).method()),
    ];
    let cells = results.cells();
    let of_cell = |cell| {
        metrics
            .iter()
            .filter_map(move |metric| results.row(cell, metric))
    };
    let rows = cells.iter().copied().flat_map(of_cell);
    let sheet = Sheet {
        note: cautions_in_short(results, metrics),
        ..Sheet::of("Estimates", rows, &columns)
    };
    match cells.len() {
        1 => sheet.without(&["cell"]),
        _ => sheet,
    }
}

/// Returns the estimates of these metrics with their intervals, a row for each cell.
fn by_cell(results: &Results, metrics: &[&str]) -> Sheet {
    let fields = |cell: &str| {
        let phrases = metrics.iter().map(|metric| {
            let row = results.row(cell, metric);
            row.map_or(String::new(), |row| results.figure(row).phrase())
        });
        iter::once(results.sweep.label(cell))
            .chain(phrases)
            .collect()
    };
    let columns = metrics.iter().map(|name| format!("={name}"));
    let names = iter::once("cell".to_owned()).chain(columns);
    // Who is out has no samples: the standing names them.
    let is_sampled = |cell: &&str| {
        let mut rows = metrics
            .iter()
            .filter_map(|metric| results.row(cell, metric));
        rows.any(|row| row.estimate.n > 0) || results.ratings.is_empty()
    };
    let cells = results.cells().into_iter().filter(is_sampled);
    Sheet {
        note: cautions_in_short(results, metrics),
        ..Sheet::new("Estimates", names, cells.map(fields).collect())
    }
}

/// Returns the title of so many leading metrics: the level of the intervals, where all have one, and
/// how many metrics are not shown.
fn leading_title(results: &Results, shown: usize) -> String {
    let estimates = results.summary.iter();
    let intervals = estimates
        .filter(|row| !results.figure(row).is_exact())
        .filter_map(|row| row.estimate.interval);
    let mut levels: Vec<String> = intervals
        .map(|interval| level_text(interval.level.get()))
        .collect();
    levels.dedup();
    let level = match levels.as_slice() {
        [one] => format!(", {one} intervals"),
        _ => String::new(),
    };
    let others = match results.metric_names().len() {
        all if all > shown => {
            let metrics = counted(all as u64, "metric");
            format!(" ({shown} of {metrics}; --all shows all)")
        }
        _ => String::new(),
    };
    format!("Figures{level}{others}")
}

/// Returns the players by strength.
fn ratings(results: &Results) -> Sheet {
    let ladder = results.ladder();
    let reference = results.reference().unwrap_or("the reference");
    let above = format!("=above {reference}");
    let columns: [SheetText<'_, &RatingRow>; 4] = [
        ("player", &|row| player_label(row)),
        ("=Elo", &|row| text(row.elo, |elo| format!("{elo:.0}"))),
        ("=interval", &|row| rating_interval(row)),
        (&above, &|row| rating_gap(row)),
    ];
    let unlimited = ladder.iter().find_map(|row| unlimited(row));
    let without = |reason| format!("No intervals: {reason}.");
    Sheet {
        note: unlimited.map_or_else(|| RATINGS_WITH_LIMITS.to_owned(), without),
        ..Sheet::of("Ratings", ladder, &columns)
    }
}

/// The meaning of ratings and their intervals.
const RATINGS_WITH_LIMITS: &str = "\
A gap predicts the share of points, with a draw as half a point: 400 means 10 of 11. Each interval holds by \
itself, not all of them together; it has one side where a side never made a point.";

/// Returns the differences of these metrics between cells.
fn differences(results: &Results, metrics: &[&str]) -> Sheet {
    let is_shown = |row: &&PairRow| metrics.contains(&row.metric.as_str());
    let columns: [SheetText<'_, &PairRow>; 7] = [
        ("difference", &|row| {
            results.sweep.difference(&row.first, &row.second)
        }),
        ("metric", &|row| row.metric.clone()),
        ("=estimate", &|row| pair_figure(row).value()),
        ("=interval", &|row| {
            pair_figure(row).interval().unwrap_or_default()
        }),
        ("=samples", &|row| pair_figure(row).samples()),
        ("=samples saved", &|row| saved(row.variance_reduction, 1)),
        (METHOD, &|row| pair_figure(row).method()),
    ];
    let rows = results.pairs.iter().filter(is_shown);
    Sheet::of("Differences, paired sample by sample", rows, &columns)
}

/// Returns a factor by which samples are saved, with a number of decimals.
fn saved(factor: Option<f64>, decimals: usize) -> String {
    text(factor, |factor| format!("{factor:.decimals$} x"))
}

/// Returns the concentration of the weights behind the estimates, and the bound that holds if it is
/// too high.
fn weights(results: &Results) -> Sheet {
    let columns: [SheetText<'_, &WeightRow>; 8] = [
        ("cell", &|row| results.sweep.label(&row.cell)),
        ("metric", &|row| row.metric.clone()),
        ("=effective sample size", &|row| effective_size(row)),
        ("=largest weight: share of sum", &|row| {
            text(row.largest_share, percent)
        }),
        ("=share of variance", &|row| text(row.spread_share, percent)),
        ("=tail index", &|row| {
            text(row.tail_index, |index| format!("{index:.2}"))
        }),
        ("interval", &|row| {
            let trust = if row.trusted { "trusted" } else { "untrusted" };
            trust.to_owned()
        }),
        ("=lower bound", &|row| weight_bound(row)),
    ];
    Sheet {
        note:
            "An estimate that rests on a few large weights, or whose largest weights grow so fast \
               that it may rest on some that no sample met (tail index), has no trusted interval; \
               the lower bound holds in any case."
                .to_owned(),
        ..Sheet::of("Concentration of the weights", &results.weights, &columns)
    }
}

/// Returns the gains of players after many games.
fn purses(results: &Results) -> Sheet {
    let title = "After many games: the chance to be ahead, the median gain and the middle 90 %";
    let columns: [SheetText<'_, &PurseRow>; 5] = [
        ("cell", &|row| results.sweep.label(&row.cell)),
        ("=games", &|row| count(row.games)),
        ("=ahead", &|row| chance_ahead(row)),
        ("=median gain", &|row| median_gain(row)),
        ("=middle 90 %", &|row| middle_gains(row)),
    ];
    // Where no interval holds, as after a look at the samples, all are empty.
    let is_known = |row: &&PurseRow| row.ahead.is_some() || row.q50.is_some();
    Sheet::of(title, results.purses.iter().filter(is_known), &columns)
}

/// Returns exact values beside their estimates.
fn truths(results: &Results) -> Sheet {
    let title = format!("Exact values: {}", coverage_tally(&results.truths));
    let columns: [SheetText<'_, &TruthRow>; 6] = [
        ("cell", &|row| results.sweep.label(&row.cell)),
        ("metric", &|row| row.metric.clone()),
        ("=estimate", &|row| truth_figure(row).value()),
        ("=interval", &|row| {
            truth_figure(row).interval().unwrap_or_default()
        }),
        ("=exact", &|row| exact_value(row)),
        ("", &|row| coverage(row).to_owned()),
    ];
    Sheet::of(title, &results.truths, &columns)
}

/// Returns standard errors with and without variance reduction.
fn variance(results: &Results) -> Sheet {
    let error = |error: Option<f64>| text(error, |error| format!("{error:.3e}"));
    let columns: [SheetText<'_, &VarianceRow>; 5] = [
        ("cell", &|row| results.sweep.label(&row.cell)),
        ("metric", &|row| row.metric.clone()),
        ("=plain", &|row| error(row.plain_mcse)),
        ("=reduced", &|row| error(row.mcse)),
        ("=samples saved", &|row| saved(row.variance_reduction, 2)),
    ];
    let title = "Standard errors with and without variance reduction";
    Sheet::of(title, &results.variance, &columns)
}

/// Returns the rating differences of pairs of games.
fn elo(results: &Results) -> Sheet {
    let columns: [SheetText<'_, &EloRow>; 6] = [
        ("cell", &|row| results.sweep.label(&row.cell)),
        ("metric", &|row| row.metric.clone()),
        ("=Elo", &|row| text(row.elo, signed)),
        ("=interval", &|row| elo_interval(row)),
        ("=normalised", &|row| text(row.nelo, signed)),
        ("=pairs", &|row| row.n.to_string()),
    ];
    let title = "Elo difference: first side minus second";
    Sheet::of(title, &results.elo, &columns)
}
