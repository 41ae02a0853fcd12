//! The pictures of a run on a page, with the metrics first that answer its question.

mod work;

use serde::Serialize;

use super::matrix::{MatrixField, ParamMatrix};
use crate::report::cells::ReportAxis;
use crate::report::figures::Figure;
use crate::report::format::counted;
use crate::report::plot::{
    self, Bin, ConvergencePoint, Distribution, IntervalMark, LaneScale, Plot, Series, SeriesPoint,
    Threshold,
};
use crate::report::results::Results;
use crate::stats::Estimate;
use crate::tables::{HistogramRow, RatingRow, SummaryRow, TruthRow};
use crate::task::UNITLESS;

/// Histograms of one metric at most: one for each of the first cells.
const MOST_HISTOGRAMS: usize = 4;
/// Pictures of one kind at most; the tables have the others.
const MOST_PICTURES: usize = 8;
/// Claimed values that fit into one picture.
const MOST_THRESHOLDS: usize = 2;
/// Cells of a swept number that still are rows; more are a line.
const MOST_DOTS: usize = 14;
/// Compared pairs that fit into one picture.
const MOST_PAIRS: usize = 24;
/// Cells that fit into one picture.
const MOST_ROWS: usize = 40;
/// Characters of a metric's meaning that still is a title.
const LONGEST_TITLE: usize = 72;

/// Pictures of one kind.
#[derive(Debug, Serialize)]
pub(super) struct Gallery {
    /// The title of the pictures.
    pub title: &'static str,
    /// The pictures, those of the metrics that matter to the question first.
    pub pictures: Vec<Picture>,
}

/// A plot, several of which one is shown at a time, or a table where positions say more than marks.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Picture {
    Plot(Plot),
    Tabs { name: String, tabs: Vec<Tab> },
    Matrix(ParamMatrix),
}

/// One plot of several.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Tab {
    /// The words that choose it.
    pub label: String,
    /// The plot.
    pub plot: Plot,
}

impl Picture {
    /// The picture with words for people as its title.
    fn titled(mut self, title: String) -> Self {
        match &mut self {
            Picture::Plot(plot) => plot.title = title,
            Picture::Matrix(matrix) => matrix.title = title,
            Picture::Tabs { .. } => {}
        }
        self
    }
}

/// The pictures of a run that are not `shown` already, those of the metrics that matter to its
/// question first.
pub(super) fn all(album: &Album<'_>, shown: &[String]) -> Vec<Gallery> {
    let galleries = [
        album.gallery("Results by parameter", Album::sweep, (shown, false)),
        album.gallery(
            "Estimates as a ratio to the exact value",
            Album::ratios,
            (&[], false),
        ),
        album.gallery("Distributions", Album::histograms, (&[], true)),
        album.gallery("Work", Album::work, (&[], false)),
        album.gallery("Differences", Album::differences, (&[], false)),
        album.gallery("Convergence", Album::convergence, (&[], false)),
        Gallery {
            title: "Shares and ratings",
            pictures: [album.shares(""), album.ladder()]
                .into_iter()
                .flatten()
                .map(Picture::Plot)
                .collect(),
        },
    ];
    let seen = |gallery: &Gallery| !gallery.pictures.is_empty();
    galleries.into_iter().filter(seen).collect()
}

/// A run whose pictures are taken.
pub(super) struct Album<'run> {
    results: &'run Results,
    cells: Vec<&'run str>,
    /// The metrics, those that matter to the question first.
    metrics: Vec<&'run str>,
}

impl<'run> Album<'run> {
    /// The album of a run.
    pub fn of(results: &'run Results) -> Self {
        let mut metrics = results.metric_names();
        metrics.sort_by_key(|metric| !results.is_featured(metric));
        Self {
            results,
            cells: results.cells(),
            metrics,
        }
    }

    /// The pictures of one kind, of the metrics that matter to the question or of all.
    fn gallery(
        &self,
        title: &'static str,
        pictures: fn(&Self, &str) -> Vec<Picture>,
        (shown, all): (&[String], bool),
    ) -> Gallery {
        let is_asked = |metric: &&&str| all || self.results.is_featured(metric);
        let metrics = self.metrics.iter().filter(is_asked);
        let metrics = metrics.filter(|metric| !shown.iter().any(|one| one == *metric));
        let pictures = metrics.flat_map(|metric| pictures(self, metric));
        Gallery {
            title,
            pictures: pictures.take(MOST_PICTURES).collect(),
        }
    }

    /// The picture of a name: `ratings`, `differences of METRIC`, or a metric's that suits its
    /// kind and the sweep. Of a metric without a sweep it shows the distribution in `cell`.
    pub fn picture(&self, name: &str, cell: &str) -> Option<Picture> {
        if name == "ratings" {
            return self.ladder().map(Picture::Plot);
        }
        if let Some(metric) = name.strip_prefix("differences of ") {
            return self.differences(metric).into_iter().next();
        }
        let swept = || self.sweep(name).into_iter().next();
        let alone = || match self.unit(name) {
            "" => self.shares(name).map(Picture::Plot),
            _ => self.outcomes(name, cell),
        };
        let picture = if self.is_single() { alone() } else { swept() };
        let picture = picture.or_else(|| self.row_alone(name));
        picture.map(|picture| match self.words(name) {
            Some(words) => picture.titled(titled(&words, self.unit(name))),
            None => picture,
        })
    }

    /// A metric in words for people: its label, or its meaning if that is short.
    fn words(&self, metric: &str) -> Option<String> {
        let label = self.results.config.labels.get(metric).map(String::as_str);
        let meaning = self.results.meaning(metric).trim_end_matches('.');
        let is_short = !meaning.is_empty() && meaning.chars().count() <= LONGEST_TITLE;
        label.or(is_short.then_some(meaning)).map(str::to_owned)
    }

    /// A bar for each outcome of a metric.
    fn outcomes(&self, metric: &str, cell: &str) -> Option<Picture> {
        let bins = self.results.histograms.iter();
        let bins = bins.filter(|bin| bin.cell == cell && bin.metric == metric);
        let counts: Vec<(f64, u64)> = bins
            .map(|bin| (bin.value, bin.count + bin.unresolved_from))
            .collect();
        let all = counts.iter().map(|(_, count)| count).sum::<u64>().max(1) as f64;
        let points: Vec<(f64, f64)> = (counts.iter())
            .map(|(value, count)| (*value, *count as f64 / all))
            .collect();
        let title = titled(metric, self.unit(metric));
        let caption = "One bar for each possible value, as high as its share of the samples.";
        plot::gains(&title, caption, &points, self.unit(metric)).map(Picture::Plot)
    }

    /// The estimate of a metric that is known in one cell alone, or that no other picture suits.
    fn row_alone(&self, metric: &str) -> Option<Picture> {
        self.rows_of(metric, self.unit(metric)).map(Picture::Plot)
    }

    /// The values that sources claim for the mean of a metric.
    fn claimed(&self, metric: &str) -> Vec<Threshold> {
        let about = format!("{metric}.mean ");
        let claims = self.results.claims.iter();
        let claims = claims.filter(|claim| claim.holds.starts_with(&about));
        let mut thresholds: Vec<Threshold> = Vec::new();
        for (value, claim) in claims.filter_map(|claim| Some((claim.threshold?, claim))) {
            if thresholds.iter().all(|known| known.value != value) {
                let number = quantity_beside(value, &claim.unit);
                let label = match claim.threshold_error {
                    Some(_) => format!("published: {number}"),
                    None => format!("claimed: {} {number}", claim.relation),
                };
                let error = claim.threshold_error.unwrap_or(0.0);
                thresholds.push(Threshold {
                    value,
                    error,
                    label,
                });
            }
        }
        thresholds.truncate(MOST_THRESHOLDS);
        thresholds
    }

    fn is_single(&self) -> bool {
        self.cells.len() == 1
    }

    fn unit(&self, metric: &str) -> &'run str {
        let row = self.results.summary.iter().find(|row| row.metric == metric);
        row.map_or("", |row| &row.unit)
    }

    fn rows(&self, metric: &str) -> impl Iterator<Item = &'run SummaryRow> {
        self.results
            .summary
            .iter()
            .filter(move |row| row.metric == metric)
    }

    fn histograms(&self, metric: &str) -> Vec<Picture> {
        let rows = self.rows(metric).take(MOST_HISTOGRAMS);
        let distributions: Vec<Distribution> =
            rows.filter_map(|row| self.distribution(row)).collect();
        let plots = plot::histograms(&distributions, self.unit(metric));
        plots.into_iter().map(Picture::Plot).collect()
    }

    fn distribution(&self, row: &SummaryRow) -> Option<Distribution> {
        let bins = self.results.histograms.iter();
        let bins: Vec<Bin> = bins
            .filter(|bin| bin.cell == row.cell && bin.metric == row.metric)
            .map(bin)
            .collect();
        // A yes or no has its place among the shares.
        let is_flag = bins.iter().all(|bin| bin.value == 0.0 || bin.value == 1.0);
        let figure = self.results.figure(row);
        if is_flag || figure.is_exact() {
            return None;
        }
        let mean = format!("mean, {}", figure.phrase());
        Some(Distribution {
            title: self.titled(row),
            bins,
            mean: interval(mean, &row.estimate),
        })
    }

    /// The metric and, if there are several, the cell.
    fn titled(&self, row: &SummaryRow) -> String {
        let title = titled(&row.metric, &row.unit);
        if self.is_single() {
            title
        } else {
            format!("{title}: {}", self.results.sweep.label(&row.cell))
        }
    }

    /// Lines over many values of a swept number, a table over several parameters, otherwise a row
    /// for each cell.
    fn sweep(&self, metric: &str) -> Vec<Picture> {
        if self.is_single() {
            return Vec::new();
        }
        let unit = self.unit(metric);
        let line = (self.cells.len() > MOST_DOTS).then(|| self.series(metric, unit));
        let picture = match (line.flatten(), self.results.sweep.axes.len()) {
            (Some(plot), _) => Some(Picture::Plot(plot)),
            (None, 0 | 1) => self.rows_of(metric, unit).map(Picture::Plot),
            (None, _) => Some(Picture::Matrix(self.matrix(metric, unit))),
        };
        picture.into_iter().collect()
    }

    fn rows_of(&self, metric: &str, unit: &str) -> Option<Plot> {
        let rows: Vec<&SummaryRow> = self.rows(metric).collect();
        let marks = rows.iter().take(MOST_ROWS).map(|row| self.cell_mark(row));
        let marks: Vec<IntervalMark> = marks.collect();
        let title = titled(metric, unit);
        let mut plot = plot::intervals(
            &title,
            &marks,
            unit,
            &self.claimed(metric),
            LaneScale::Fitting,
        )?;
        if rows.len() > MOST_ROWS {
            let left = counted((rows.len() - MOST_ROWS) as u64, "cell");
            plot.caption
                .push_str(&format!(" The tables have {left} more."));
        }
        Some(plot)
    }

    /// The estimate of a row with its cell in words.
    fn cell_mark(&self, row: &SummaryRow) -> IntervalMark {
        let (label, code) = self.results.named(&row.cell);
        IntervalMark {
            code,
            text: self.results.figure(row).phrase(),
            ..interval(label, &row.estimate)
        }
    }

    fn matrix(&self, metric: &str, unit: &str) -> ParamMatrix {
        let axes: Vec<&ReportAxis> = self.results.sweep.axes.iter().collect();
        let size = |row: &SummaryRow| row.estimate.value.or(row.estimate.lower);
        let sizes: Vec<f64> = self.rows(metric).filter_map(size).collect();
        let least = sizes.iter().copied().fold(f64::INFINITY, f64::min);
        let span = sizes.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
        let largest = sizes.iter().map(|size| size.abs()).fold(1e-9, f64::max);
        let caption = match unit {
            "$" => "Red cells lose money, green ones win it; stronger shading means more.",
            _ => "Stronger shading means a larger value.",
        };
        let field = |values: &[&str]| {
            let cell = |row: &&SummaryRow| self.results.sweep.values(&row.cell);
            let row = self
                .rows(metric)
                .find(|row| cell(row).is_some_and(|cell| cell == values))?;
            let (class, share) = match size(row) {
                None => ("shaded", 0.0),
                Some(size) if unit == "$" => (side(size), size.abs() / largest),
                Some(size) => ("shaded", (size - least) / span.max(f64::MIN_POSITIVE)),
            };
            let figure = self.results.figure(row);
            let label = self.results.sweep.label(&row.cell);
            Some(MatrixField {
                text: figure.short(),
                detail: figure.detail(),
                hint: format!("{label}: {}", figure.phrase()),
                class: class.to_owned(),
                shade: (share * 100.0).clamp(0.0, 100.0) as u32,
            })
        };
        ParamMatrix::of((&titled(metric, unit), caption), &axes, field)
            .in_words(&self.results.config.labels)
    }

    /// Draws every estimate divided by its exact value, which is then 1.
    fn ratios(&self, metric: &str) -> Vec<Picture> {
        let truths = self
            .results
            .truths
            .iter()
            .filter(|row| row.metric == metric);
        let ratio = |row: &TruthRow| {
            let truth = row.truth.filter(|truth| *truth > 0.0)?;
            let scaled = |(lo, hi): (f64, f64)| (lo / truth, hi / truth);
            let mark = interval(self.results.sweep.label(&row.cell), &row.estimate);
            Some(IntervalMark {
                value: mark.value.map(|value| value / truth),
                bounds: mark.bounds.map(scaled),
                ends: mark.ends.map(scaled),
                ..mark
            })
        };
        let is_estimate = |row: &&TruthRow| !row.figure().is_exact();
        let rows: Vec<IntervalMark> = truths.filter(is_estimate).filter_map(ratio).collect();
        let plot = (rows.len() > 1)
            .then(|| plot::intervals(metric, &rows, "times", &[line_at(1.0)], LaneScale::Fitting));
        plot.flatten().map(Picture::Plot).into_iter().collect()
    }

    fn series(&self, metric: &str, unit: &str) -> Option<Plot> {
        let axis = self.numeric_axis()?.name.as_str();
        let mut all: Vec<Series> = Vec::new();
        for row in self.rows(metric) {
            let label = self.other_values(row, axis);
            let point = SeriesPoint {
                x: row.params.get(axis)?.parse().ok()?,
                interval: interval(self.results.sweep.label(&row.cell), &row.estimate),
            };
            match all.iter_mut().find(|series| series.label == label) {
                Some(series) => series.points.push(point),
                None => all.push(Series {
                    label,
                    points: vec![point],
                }),
            }
        }
        for series in &mut all {
            series.points.sort_by(|a, b| a.x.total_cmp(&b.x));
        }
        plot::series(&titled(metric, unit), axis, &all, unit)
    }

    /// The swept parameter of numbers with the most values.
    fn numeric_axis(&self) -> Option<&'run ReportAxis> {
        let axes = self.results.sweep.axes.iter();
        axes.filter(|axis| axis.is_numeric())
            .max_by_key(|axis| axis.values.len())
    }

    /// The swept parameters of a cell but one: `variant=chess, rule=path`.
    fn other_values(&self, row: &SummaryRow, axis: &str) -> String {
        let names = self.results.sweep.axes.iter().map(|axis| &axis.name);
        let names = names.filter(|name| *name != axis);
        let terms = names.filter_map(|name| Some(format!("{name}={}", row.params.get(name)?)));
        terms.collect::<Vec<_>>().join(", ")
    }

    fn differences(&self, metric: &str) -> Vec<Picture> {
        let pairs = self
            .results
            .pairs
            .iter()
            .filter(|pair| pair.metric == metric);
        let rows: Vec<IntervalMark> = pairs
            .take(MOST_PAIRS)
            .map(|pair| {
                let label = self.results.sweep.difference(&pair.first, &pair.second);
                interval(label, &pair.estimate)
            })
            .collect();
        let unit = self.unit(metric);
        let plot = plot::intervals(
            &titled(metric, unit),
            &rows,
            unit,
            &[line_at(0.0)],
            LaneScale::Fitting,
        );
        plot.map(Picture::Plot).into_iter().collect()
    }

    fn convergence(&self, metric: &str) -> Vec<Picture> {
        let rows = self.results.convergence.iter();
        let points: Vec<ConvergencePoint> = rows
            .filter(|row| row.metric == metric)
            .map(|row| ConvergencePoint {
                samples: row.samples as f64,
                interval: IntervalMark {
                    value: row.mean,
                    bounds: row.mean_lo.zip(row.mean_hi),
                    ends: row.ci_lo.zip(row.ci_hi),
                    ..IntervalMark::default()
                },
                sequence: row.cs_lo.zip(row.cs_hi),
            })
            .collect();
        let unit = self.unit(metric);
        let title = match (self.is_single(), self.cells.first()) {
            (false, Some(cell)) => {
                format!(
                    "{}: {}",
                    titled(metric, unit),
                    self.results.sweep.label(cell)
                )
            }
            _ => titled(metric, unit),
        };
        let plot = plot::convergence(&title, &points, unit);
        plot.map(Picture::Plot).into_iter().collect()
    }

    /// The yes-or-no metrics of the only cell together, this one first; only the featured ones
    /// beside it.
    fn shares(&self, first: &str) -> Option<Plot> {
        let is_share = |row: &&SummaryRow| row.unit.is_empty() && is_within(&row.estimate);
        let is_shown =
            |row: &&SummaryRow| first.is_empty() || self.results.is_featured(&row.metric);
        let mut rows: Vec<&SummaryRow> = (self.results.summary.iter())
            .filter(is_share)
            .filter(|row| row.metric == first || is_shown(row))
            .collect();
        rows.sort_by_key(|row| row.metric != first);
        let mark = |row: &&SummaryRow| {
            let word = self.results.config.labels.get(&row.metric);
            IntervalMark {
                code: word.map_or(String::new(), |_| row.metric.clone()),
                text: self.results.figure(row).phrase(),
                ..interval(word.unwrap_or(&row.metric).clone(), &row.estimate)
            }
        };
        let marks: Vec<IntervalMark> = rows.iter().map(mark).collect();
        let claimed = self.claimed(first);
        let worth = self.is_single() && (marks.len() > 1 || !first.is_empty());
        worth.then(|| {
            plot::intervals(
                "Shares of the samples",
                &marks,
                "",
                &claimed,
                LaneScale::Whole,
            )
        })?
    }

    /// The players by strength, above the reference where there is one for all.
    fn ladder(&self) -> Option<Plot> {
        let ladder = self.results.ladder();
        let mut references: Vec<&str> = ladder.iter().map(|row| row.reference.as_str()).collect();
        references.dedup();
        let shared = references
            .first()
            .filter(|one| references.len() == 1 && !one.is_empty());
        let mark = |row: &&RatingRow| {
            let [value, lo, hi] = match shared {
                Some(_) => [row.difference, row.difference_lo, row.difference_hi],
                None => [row.elo, row.elo_lo, row.elo_hi],
            };
            IntervalMark {
                label: row.label(),
                value,
                ends: lo.zip(hi),
                ..IntervalMark::default()
            }
        };
        let rows: Vec<IntervalMark> = ladder.iter().map(mark).collect();
        let title = match shared {
            _ if ladder.iter().any(|row| row.is_uncounted()) => {
                "Ratings (Elo), no intervals: games of one opening were not counted together".into()
            }
            Some(one) => format!("Ratings above {one} (Elo)"),
            None => "Ratings (Elo)".to_owned(),
        };
        let zero: Vec<Threshold> = shared.map(|_| line_at(0.0)).into_iter().collect();
        plot::intervals(&title, &rows, "Elo", &zero, LaneScale::Fitting)
    }
}

fn titled(metric: &str, unit: &str) -> String {
    match unit {
        "" | UNITLESS => metric.to_owned(),
        unit if unit == metric => metric.to_owned(),
        unit => format!("{metric} ({unit})"),
    }
}

fn interval(label: String, estimate: &Estimate) -> IntervalMark {
    let bounds = estimate.lower.zip(estimate.upper);
    IntervalMark {
        label,
        value: estimate.value,
        bounds: bounds.filter(|_| estimate.value.is_none()),
        ends: estimate.interval.map(|interval| (interval.lo, interval.hi)),
        ..IntervalMark::default()
    }
}

/// The class of an amount of money.
fn side(amount: f64) -> &'static str {
    if amount < 0.0 {
        "shaded lost"
    } else {
        "shaded won"
    }
}

/// A line without words.
fn line_at(value: f64) -> Threshold {
    Threshold {
        value,
        error: 0.0,
        label: String::new(),
    }
}

/// Returns whether an estimate, with all that it may be, is a share.
fn is_within(estimate: &Estimate) -> bool {
    let ends = [estimate.value, estimate.lower, estimate.upper];
    let mut ends = ends.into_iter().flatten();
    ends.all(|end| (0.0..=1.0).contains(&end))
}

/// A claimed number in its unit.
fn quantity_beside(value: f64, unit: &str) -> String {
    Figure::plain(value, None, unit).short()
}

fn bin(row: &HistogramRow) -> Bin {
    Bin {
        value: row.value,
        count: row.count,
        open: row.unresolved_from,
    }
}
