//! Pictures of the estimates in all cells: by parameter, as shares and as ratings.

use std::num::NonZeroUsize;

use indexmap::IndexMap;

use super::super::matrix::{MatrixField, ParamMatrix};
use super::{Album, MOST_DOTS, Picture, Tab};
use crate::cells::ReportAxis;
use crate::plot::{self, IntervalMark, LaneScale, Plot, Series, Threshold};
use crate::rows::{player_label, unlimited};
use base::counted;
use lab::tables::{RatingRow, SummaryRow};
use stats::{Estimate, Span};

/// Cells that fit into one picture.
const MOST_ROWS: usize = 40;

impl<'run> Album<'run> {
    /// Lines over many values of a swept number, a table over several parameters, otherwise a row
    /// for each cell.
    pub(super) fn sweep(&self, metric: &str, title: &str) -> Option<Picture> {
        if self.is_single() {
            return None;
        }
        let line = (self.cells.len() > MOST_DOTS).then(|| self.series(metric, title));
        match (line.flatten(), self.sweep.axes.len()) {
            (Some(plot), _) => Some(Picture::Plot(plot)),
            (None, 0 | 1) => self.rows_of(metric, title),
            // Where parameters change together, most of a table would be empty.
            (None, _) if !self.sweep.is_full() => self.rows_of(metric, title),
            (None, _) => Some(Picture::Matrix(self.matrix(metric, title))),
        }
    }

    /// A row for each cell; where the page asks for the first so many, the others are a picture behind it.
    pub(super) fn rows_of(&self, metric: &str, title: &str) -> Option<Picture> {
        let rows: Vec<&SummaryRow> = self.rows(metric).collect();
        let page = self.results.config.page.as_ref();
        let asked = page.and_then(|page| page.rows).map(NonZeroUsize::get);
        let Some(first) = asked.filter(|first| *first < rows.len()) else {
            return self.rows_alone(&rows, metric, title).map(Picture::Plot);
        };
        let (first, others) = rows.split_at(first);
        let tab = |rows: &[&SummaryRow]| {
            let mut ends: Vec<String> = [rows.first()?, rows.last()?]
                .map(|row| self.results.in_words(&row.cell))
                .into();
            ends.dedup();
            Some(Tab {
                label: ends.join(" to "),
                plot: self.rows_alone(rows, metric, title)?,
            })
        };
        Some(Picture::Tabs {
            name: format!("rows-{}-{metric}", self.results.manifest.experiment),
            tabs: [first, others].into_iter().filter_map(tab).collect(),
        })
    }

    /// Rows of a metric as one picture.
    pub(super) fn rows_alone(
        &self,
        rows: &[&SummaryRow],
        metric: &str,
        title: &str,
    ) -> Option<Plot> {
        let marks = rows.iter().take(MOST_ROWS).map(|row| self.cell_mark(row));
        let mut plot = plot::intervals(
            title,
            &marks.collect::<Vec<_>>(),
            self.unit(metric),
            &self.claimed(metric),
            LaneScale::Fitting,
        )?;
        if rows.len() > MOST_ROWS {
            let left = counted((rows.len() - MOST_ROWS) as u64, "cell");
            plot.caption += &format!(" The tables have {left} more.");
        }
        Some(plot)
    }

    /// The estimate of a row with its cell in words, or with its metric where there is one cell.
    pub(super) fn cell_mark(&self, row: &SummaryRow) -> IntervalMark {
        let label = if self.is_single() {
            self.words(&row.metric).unwrap_or(&row.metric).to_owned()
        } else {
            self.results.in_words(&row.cell)
        };
        IntervalMark {
            text: self.results.figure(row).phrase(),
            known: self.results.truth(row),
            ..IntervalMark::of(label, &row.estimate)
        }
    }

    fn matrix(&self, metric: &str, title: &str) -> ParamMatrix {
        let unit = self.unit(metric);
        let axes: Vec<&ReportAxis> = self.sweep.axes.iter().collect();
        let size = |row: &SummaryRow| row.estimate.value.or(row.estimate.lower);
        let sizes: Vec<f64> = self.rows(metric).filter_map(size).collect();
        let least = sizes.iter().copied().fold(f64::INFINITY, f64::min);
        let span = sizes.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
        let largest = sizes.iter().map(|size| size.abs()).fold(1e-9, f64::max);
        let title = match unit {
            "" => &format!("{title} (%)"),
            _ => title,
        };
        let caption = match unit {
            "$" => "Red cells lose money, green ones win it; stronger shading means more.",
            _ => "Stronger shading means a larger value.",
        };
        let field = |values: &[&str]| {
            let cell = |row: &&SummaryRow| self.sweep.values(&row.cell);
            let row = self
                .rows(metric)
                .find(|row| cell(row).is_some_and(|cell| cell == values))?;
            let (class, share) = match size(row) {
                None => ("shaded", 0.0),
                Some(size) if unit == "$" && size < 0.0 => ("shaded lost", -size / largest),
                Some(size) if unit == "$" => ("shaded won", size / largest),
                Some(size) => ("shaded", (size - least) / span.max(f64::MIN_POSITIVE)),
            };
            let figure = self.results.figure(row);
            let label = self.sweep.label(&row.cell);
            Some(MatrixField {
                text: figure.short().trim_end_matches(" %").to_owned(),
                detail: figure.detail(),
                hint: format!("{label}: {}", figure.phrase()),
                class: class.to_owned(),
                shade: (share * 100.0).clamp(0.0, 100.0) as u32,
                mark: IntervalMark::of("", &row.estimate),
            })
        };
        ParamMatrix::of((title, caption), &axes, field).in_words(&self.results.config.labels)
    }

    fn series(&self, metric: &str, title: &str) -> Option<Plot> {
        let sweep = &self.sweep;
        let axes = 0..sweep.axes.len();
        // The swept parameter of numbers with the most values.
        let numeric = axes.clone().filter(|&axis| sweep.axes[axis].is_numeric());
        let axis = numeric.max_by_key(|&axis| sweep.axes[axis].values.len())?;
        let others: Vec<usize> = axes.filter(|other| *other != axis).collect();
        let mut series: IndexMap<String, Vec<(f64, IntervalMark)>> = IndexMap::new();
        for row in self.rows(metric) {
            let values = sweep.values(&row.cell)?;
            let points = series.entry(sweep.terms(values, &others)).or_default();
            let mark = IntervalMark::of(sweep.label(&row.cell), &row.estimate);
            points.push((values[axis].parse().ok()?, mark));
        }
        let sorted = |(label, mut points): (String, Vec<(f64, IntervalMark)>)| {
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            Series { label, points }
        };
        let series: Vec<Series> = series.into_iter().map(sorted).collect();
        plot::series(
            title,
            sweep.word(&sweep.axes[axis].name),
            &series,
            self.unit(metric),
        )
    }

    /// The yes-or-no metrics of the only cell together, this one first; only the featured ones
    /// beside it. A share of something else, such as of a stake, stands alone.
    pub(super) fn shares(&self, first: &str) -> Option<Plot> {
        let is_shown = |row: &&SummaryRow| {
            let is_share = row.unit.is_empty() && is_within(&row.estimate);
            let fits = || self.is_flag(&row.metric) && (first.is_empty() || self.is_flag(first));
            let is_asked = || first.is_empty() || self.results.is_featured(&row.metric);
            is_share && (row.metric == first || fits() && is_asked())
        };
        let mut rows: Vec<&SummaryRow> = self.results.summary.iter().filter(is_shown).collect();
        rows.sort_by_key(|row| row.metric != first);
        let marks: Vec<IntervalMark> = rows.iter().map(|row| self.cell_mark(row)).collect();
        if !self.is_single() || (marks.len() < 2 && first.is_empty()) {
            return None;
        }
        let title = match marks.as_slice() {
            [_] => self.title(first),
            _ => "Shares of the samples".to_owned(),
        };
        plot::intervals(&title, &marks, "", &self.claimed(first), LaneScale::Whole)
    }

    /// The players by strength, above the reference where there is one for all.
    pub(super) fn ladder(&self) -> Option<Plot> {
        let ladder = self.results.ladder();
        let shared = self.results.reference();
        let mark = |row: &&RatingRow| {
            let [value, lo, hi] = match shared {
                Some(_) => [row.difference, row.difference_lo, row.difference_hi],
                None => [row.elo, row.elo_lo, row.elo_hi],
            };
            let [value, lo, hi] = [value, lo, hi].map(|number| number.map(f64::from));
            IntervalMark::between(self.rated(row), value, None, Span::between(lo, hi))
        };
        let rows: Vec<IntervalMark> = ladder.iter().map(mark).collect();
        let unlimited = ladder.iter().find_map(|row| unlimited(row));
        let named = shared.map(|one| {
            let row = ladder.iter().find(|row| player_label(row) == one);
            row.map_or(one.to_owned(), |row| self.rated(row))
        });
        let title = match (unlimited, named) {
            (Some(reason), _) => format!("Ratings (Elo), no intervals: {reason}"),
            (None, Some(one)) => format!("Ratings above “{one}” (Elo)"),
            (None, None) => "Ratings (Elo)".to_owned(),
        };
        let zero: Vec<Threshold> = shared.map(|_| Threshold::line(0.0)).into_iter().collect();
        plot::intervals(&title, &rows, "Elo", &zero, LaneScale::Fitting)
    }

    /// A rated player in words for people, with its side and group, where there are words for it: `moves
    /// safely (hens)`; otherwise as tables have it.
    fn rated(&self, row: &RatingRow) -> String {
        match self.sweep.word(&row.player) {
            word if word == row.player => player_label(row),
            word => {
                let whose = [&*row.side, &*row.group].map(str::to_owned);
                let whose: Vec<String> = whose.into_iter().filter(|one| !one.is_empty()).collect();
                if whose.is_empty() {
                    word.to_owned()
                } else {
                    format!("{word} ({})", whose.join(", "))
                }
            }
        }
    }
}

/// Returns whether an estimate, with all that it may be, is a share.
fn is_within(estimate: &Estimate) -> bool {
    let ends = [estimate.value, estimate.lower, estimate.upper];
    let mut ends = ends.into_iter().flatten();
    ends.all(|end| (0.0..=1.0).contains(&end))
}
