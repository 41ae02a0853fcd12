//! Which pictures a page shows of a run, the metrics that answer its question first.

use serde::Serialize;

use crate::report::figures::Figure;
use crate::report::plot::{self, Bin, Interval, Plot, Series, SeriesPoint, Settling};
use crate::report::results::Results;
use crate::report::rows::SummaryRow;

/// Histograms of one metric at most: one for each of the first cells.
const MOST_HISTOGRAMS: usize = 6;
/// Compared pairs that fit into one picture.
const MOST_PAIRS: usize = 24;
/// Cells that fit into one picture.
const MOST_ROWS: usize = 40;

/// Pictures of one kind.
#[derive(Debug, Serialize)]
pub(super) struct Gallery {
    /// What they show.
    pub title: &'static str,
    /// Those of the metrics that matter to the question.
    pub plots: Vec<Plot>,
    /// Those of all others.
    pub more: Vec<Plot>,
}

/// All pictures of a run.
pub(super) fn all(results: &Results) -> Vec<Gallery> {
    let album = Album::of(results);
    let galleries = [
        album.gallery("Distributions", Album::histograms),
        album.gallery("Over the sweep", Album::sweep),
        album.gallery("Differences on the same instances", Album::differences),
        album.gallery("Convergence", Album::convergence),
        Gallery {
            title: "Shares and ratings",
            plots: [album.shares(), album.ladder()]
                .into_iter()
                .flatten()
                .collect(),
            more: Vec::new(),
        },
    ];
    let seen = |gallery: &Gallery| !(gallery.plots.is_empty() && gallery.more.is_empty());
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
        let metrics = results.metrics().into_iter();
        let (featured, others) = metrics.partition(|metric| results.is_featured(metric));
        Self {
            results,
            cells: results.cells(),
            featured,
            others,
        }
    }

    fn gallery(&self, title: &'static str, plots: fn(&Self, &str) -> Vec<Plot>) -> Gallery {
        let of = |metrics: &[&str]| {
            metrics
                .iter()
                .flat_map(|metric| plots(self, metric))
                .collect()
        };
        Gallery {
            title,
            plots: of(&self.featured),
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

    fn histograms(&self, metric: &str) -> Vec<Plot> {
        let rows = self.rows(metric).take(MOST_HISTOGRAMS);
        rows.filter_map(|row| self.histogram(row)).collect()
    }

    fn histogram(&self, row: &SummaryRow) -> Option<Plot> {
        if row.figure.is_exact() {
            return None;
        }
        let bins = self.results.histograms.iter();
        let bins: Vec<Bin> = bins
            .filter(|bin| bin.cell == row.cell && bin.metric == row.metric)
            .map(|bin| bin.bin)
            .collect();
        // A yes or no has its place among the shares.
        if bins.iter().all(|bin| bin.value == 0.0 || bin.value == 1.0) {
            return None;
        }
        let mean = interval(
            format!("mean {}", row.figure.phrase(&row.unit)),
            &row.figure,
        );
        let title = titled(&row.metric, &row.unit);
        let title = match self.is_single() {
            true => title,
            false => format!("{title}: {}", row.cell),
        };
        plot::histogram(&title, &bins, &mean, &row.unit)
    }

    /// Lines over a swept number where there is one, otherwise a row for each cell.
    fn sweep(&self, metric: &str) -> Vec<Plot> {
        if self.is_single() {
            return Vec::new();
        }
        let unit = self.unit(metric);
        let plot = self.series(metric, unit).or_else(|| {
            let rows = self.rows(metric).take(MOST_ROWS);
            let rows: Vec<Interval> = rows
                .map(|row| interval(row.cell.clone(), &row.figure))
                .collect();
            plot::intervals(&titled(metric, unit), &rows, unit, None)
        });
        plot.into_iter().collect()
    }

    fn series(&self, metric: &str, unit: &str) -> Option<Plot> {
        let axis = self.numeric_axis()?;
        let mut all: Vec<Series> = Vec::new();
        for row in self.rows(metric) {
            let label = self.other_values(row, axis);
            let point = SeriesPoint {
                x: row.params.get(axis)?.parse().ok()?,
                interval: interval(row.cell.clone(), &row.figure),
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

    /// The swept parameter with the most values, all numbers and at least three.
    fn numeric_axis(&self) -> Option<&'run str> {
        let values = |axis: &toml::Value| axis.as_array().map_or(0, Vec::len);
        let numeric = |axis: &toml::Value| {
            let number = |value: &toml::Value| value.is_integer() || value.is_float();
            values(axis) >= 3 && axis.as_array().is_some_and(|list| list.iter().all(number))
        };
        let axes = self.results.config.sweep.iter();
        let axes = axes.filter(|(_, axis)| numeric(axis));
        let (name, _) = axes.max_by_key(|(_, axis)| values(axis))?;
        Some(name)
    }

    /// The swept parameters of a cell but one: `variant=chess, rule=path`.
    fn other_values(&self, row: &SummaryRow, axis: &str) -> String {
        let names = self
            .results
            .config
            .sweep
            .keys()
            .filter(|name| *name != axis);
        let terms = names.filter_map(|name| Some(format!("{name}={}", row.params.get(name)?)));
        terms.collect::<Vec<_>>().join(", ")
    }

    fn differences(&self, metric: &str) -> Vec<Plot> {
        let pairs = self
            .results
            .pairs
            .iter()
            .filter(|pair| pair.metric == metric);
        let rows: Vec<Interval> = pairs
            .take(MOST_PAIRS)
            .map(|pair| interval(pair.label(), &pair.figure))
            .collect();
        let unit = self.unit(metric);
        let plot = plot::intervals(&titled(metric, unit), &rows, unit, Some(0.0));
        plot.into_iter().collect()
    }

    fn convergence(&self, metric: &str) -> Vec<Plot> {
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
            (false, Some(cell)) => format!("{}: {cell}", titled(metric, unit)),
            _ => titled(metric, unit),
        };
        let plot = plot::convergence(&title, &points, unit);
        plot.into_iter().collect()
    }

    /// The yes-or-no metrics of the only cell, together.
    fn shares(&self) -> Option<Plot> {
        let is_share = |row: &&SummaryRow| row.figure.ci_method == "wilson";
        let rows = self.results.summary.iter().filter(is_share);
        let rows: Vec<Interval> = rows
            .map(|row| interval(row.metric.clone(), &row.figure))
            .collect();
        let worth = self.is_single() && rows.len() > 1;
        worth.then(|| plot::intervals("Shares of the samples", &rows, "", Some(0.0)))?
    }

    /// The players by strength.
    fn ladder(&self) -> Option<Plot> {
        let rows: Vec<Interval> = (self.results.ladder().iter())
            .map(|player| Interval {
                label: player.player.clone(),
                value: player.elo,
                ends: player.lo.zip(player.hi),
            })
            .collect();
        plot::intervals("Ratings (Elo)", &rows, "Elo", None)
    }
}

fn titled(metric: &str, unit: &str) -> String {
    match unit {
        "" => metric.to_owned(),
        unit => format!("{metric} ({unit})"),
    }
}

fn interval(label: String, figure: &Figure) -> Interval {
    Interval {
        label,
        value: figure.mean,
        ends: figure.ci_lo.zip(figure.ci_hi),
    }
}
