//! The pictures of a run on a page, with the metrics first that answer its question.

mod work;

use serde::Serialize;

use super::matrix::{MatrixField, ParamMatrix};
use crate::output::UNITLESS;
use crate::report::cells::ReportAxis;
use crate::report::figures::Figure;
use crate::report::plot::{
    self, Bin, Distribution, IntervalMark, Plot, Series, SeriesPoint, Settling,
};
use crate::report::results::Results;
use crate::report::rows::{RatingRow, SummaryRow, TruthRow};

/// Histograms of one metric at most: one for each of the first cells.
const MOST_HISTOGRAMS: usize = 6;
/// Compared pairs that fit into one picture.
const MOST_PAIRS: usize = 24;
/// Cells that fit into one picture.
const MOST_ROWS: usize = 40;

/// Pictures of one kind.
#[derive(Debug, Serialize)]
pub(super) struct Gallery {
    /// The title of the pictures.
    pub title: &'static str,
    /// The pictures of the metrics that matter to the question.
    pub pictures: Vec<Picture>,
    /// The pictures of all other metrics.
    pub more: Vec<Picture>,
}

impl Gallery {
    fn is_empty(&self) -> bool {
        self.pictures.is_empty() && self.more.is_empty()
    }
}

/// A plot, or a table where positions say more than marks.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Picture {
    Plot(Plot),
    Matrix(ParamMatrix),
}

/// The pictures of a run over its swept parameters.
pub(super) fn sweep(results: &Results) -> Option<Gallery> {
    let gallery = Album::of(results).gallery("Results by parameter", Album::sweep);
    Some(gallery).filter(|gallery| !gallery.is_empty())
}

/// All other pictures of a run.
pub(super) fn all(results: &Results) -> Vec<Gallery> {
    let album = Album::of(results);
    let galleries = [
        album.gallery("Estimates as a ratio to the exact value", Album::ratios),
        album.gallery("Distributions", Album::histograms),
        album.gallery("Work", Album::work),
        album.gallery("Differences", Album::differences),
        album.gallery("Convergence", Album::convergence),
        Gallery {
            title: "Shares and ratings",
            pictures: [album.shares(), album.ladder()]
                .into_iter()
                .flatten()
                .map(Picture::Plot)
                .collect(),
            more: Vec::new(),
        },
    ];
    let seen = |gallery: &Gallery| !gallery.is_empty();
    galleries.into_iter().filter(seen).collect()
}

/// A run whose pictures are taken.
struct Album<'run> {
    results: &'run Results,
    cells: Vec<&'run str>,
    featured: Vec<&'run str>,
    others: Vec<&'run str>,
}

impl<'run> Album<'run> {
    fn of(results: &'run Results) -> Self {
        let metrics = results.metric_names().into_iter();
        let (featured, others) = metrics.partition(|metric| results.is_featured(metric));
        Self {
            results,
            cells: results.cells(),
            featured,
            others,
        }
    }

    fn gallery(&self, title: &'static str, pictures: fn(&Self, &str) -> Vec<Picture>) -> Gallery {
        let of = |metrics: &[&str]| {
            metrics
                .iter()
                .flat_map(|metric| pictures(self, metric))
                .collect()
        };
        Gallery {
            title,
            pictures: of(&self.featured),
            more: of(&self.others),
        }
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
            .map(|bin| bin.bin)
            .collect();
        // A yes or no has its place among the shares.
        let is_flag = bins.iter().all(|bin| bin.value == 0.0 || bin.value == 1.0);
        if is_flag || row.figure.is_exact() {
            return None;
        }
        let mean = format!("mean, {}", row.figure.phrase(&row.unit));
        Some(Distribution {
            title: self.titled(row),
            bins,
            mean: interval(mean, &row.figure),
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

    /// Lines over a swept number where they fit, a table over several parameters, otherwise a row
    /// for each cell.
    fn sweep(&self, metric: &str) -> Vec<Picture> {
        if self.is_single() {
            return Vec::new();
        }
        let unit = self.unit(metric);
        let picture = match (self.series(metric, unit), self.results.sweep.axes.len()) {
            (Some(plot), _) => Some(Picture::Plot(plot)),
            (None, 0 | 1) => self.rows_of(metric, unit).map(Picture::Plot),
            (None, _) => Some(Picture::Matrix(self.matrix(metric, unit))),
        };
        picture.into_iter().collect()
    }

    fn rows_of(&self, metric: &str, unit: &str) -> Option<Plot> {
        let rows = self.rows(metric).take(MOST_ROWS);
        let rows: Vec<IntervalMark> = rows
            .map(|row| interval(self.results.sweep.label(&row.cell), &row.figure))
            .collect();
        plot::intervals(&titled(metric, unit), &rows, unit, None)
    }

    fn matrix(&self, metric: &str, unit: &str) -> ParamMatrix {
        let axes: Vec<&ReportAxis> = self.results.sweep.axes.iter().collect();
        let size = |row: &SummaryRow| row.figure.mean.or(row.figure.mean_lo);
        let sizes: Vec<f64> = self.rows(metric).filter_map(size).collect();
        let least = sizes.iter().copied().fold(f64::INFINITY, f64::min);
        let span = sizes.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
        let field = |values: &[&str]| {
            let cell = |row: &&SummaryRow| self.results.sweep.values(&row.cell);
            let row = self
                .rows(metric)
                .find(|row| cell(row).is_some_and(|cell| cell == values))?;
            let shade = size(row).map_or(0.0, |size| (size - least) / span.max(f64::MIN_POSITIVE));
            Some(MatrixField {
                text: row.figure.short(unit),
                detail: row.figure.detail(unit),
                hint: format!(
                    "{}: {}",
                    self.results.sweep.label(&row.cell),
                    row.figure.phrase(unit)
                ),
                class: String::from("shaded"),
                shade: (shade * 100.0).clamp(0.0, 100.0) as u32,
            })
        };
        ParamMatrix::of(
            (
                &titled(metric, unit),
                "Stronger shading means a larger value.",
            ),
            &axes,
            field,
        )
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
            let figure = &row.figure;
            let scaled = |(lo, hi): (f64, f64)| (lo / truth, hi / truth);
            Some(IntervalMark {
                label: self.results.sweep.label(&row.cell),
                value: figure.mean.map(|mean| mean / truth),
                bounds: bounds(figure).map(scaled),
                ends: figure.ci_lo.zip(figure.ci_hi).map(scaled),
            })
        };
        let is_estimate = |row: &&TruthRow| !row.figure.is_exact();
        let rows: Vec<IntervalMark> = truths.filter(is_estimate).filter_map(ratio).collect();
        let plot = (rows.len() > 1).then(|| plot::intervals(metric, &rows, "times", Some(1.0)));
        plot.flatten().map(Picture::Plot).into_iter().collect()
    }

    fn series(&self, metric: &str, unit: &str) -> Option<Plot> {
        let axis = self.numeric_axis()?.name.as_str();
        let mut all: Vec<Series> = Vec::new();
        for row in self.rows(metric) {
            let label = self.other_values(row, axis);
            let point = SeriesPoint {
                x: row.params.get(axis)?.parse().ok()?,
                interval: interval(self.results.sweep.label(&row.cell), &row.figure),
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
            .map(|pair| interval(pair.label.clone(), &pair.figure))
            .collect();
        let unit = self.unit(metric);
        let plot = plot::intervals(&titled(metric, unit), &rows, unit, Some(0.0));
        plot.map(Picture::Plot).into_iter().collect()
    }

    fn convergence(&self, metric: &str) -> Vec<Picture> {
        let rows = self.results.convergence.iter();
        let points: Vec<Settling> = rows
            .filter(|row| row.metric == metric)
            .map(|row| Settling {
                samples: row.samples as f64,
                interval: interval(String::new(), &row.figure),
                sequence: row.sequence,
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

    /// The yes-or-no metrics of the only cell, together.
    fn shares(&self) -> Option<Plot> {
        let is_share = |row: &&SummaryRow| row.figure.ci_method == "wilson";
        let rows = self.results.summary.iter().filter(is_share);
        let rows: Vec<IntervalMark> = rows
            .map(|row| interval(row.metric.clone(), &row.figure))
            .collect();
        let worth = self.is_single() && rows.len() > 1;
        worth.then(|| plot::intervals("Shares of the samples", &rows, "", Some(0.0)))?
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
                Some(_) => row.difference,
                None => [row.elo, row.lo, row.hi],
            };
            IntervalMark {
                label: row.player.clone(),
                value,
                bounds: None,
                ends: lo.zip(hi),
            }
        };
        let rows: Vec<IntervalMark> = ladder.iter().map(mark).collect();
        let title = match shared {
            _ if ladder.iter().any(|row| row.is_uncounted) => {
                "Ratings (Elo), no intervals: games of one opening were not counted together".into()
            }
            Some(one) => format!("Ratings above {one} (Elo)"),
            None => "Ratings (Elo)".to_owned(),
        };
        plot::intervals(&title, &rows, "Elo", shared.map(|_| 0.0))
    }
}

fn titled(metric: &str, unit: &str) -> String {
    match unit {
        "" | UNITLESS => metric.to_owned(),
        unit if unit == metric => metric.to_owned(),
        unit => format!("{metric} ({unit})"),
    }
}

fn interval(label: String, figure: &Figure) -> IntervalMark {
    IntervalMark {
        label,
        value: figure.mean,
        bounds: bounds(figure),
        ends: figure.ci_lo.zip(figure.ci_hi),
    }
}

/// Returns the bounds of an open estimate.
fn bounds(figure: &Figure) -> Option<(f64, f64)> {
    figure
        .mean_lo
        .zip(figure.mean_hi)
        .filter(|_| figure.mean.is_none())
}
