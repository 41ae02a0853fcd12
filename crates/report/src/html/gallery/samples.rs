//! Pictures of what samples were: distributions, and estimates as the samples came in.

use super::Album;
use crate::plot::{self, Bin, ConvergencePoint, Distribution, IntervalMark, Plot};
use lab::tables::{ConvergenceRow, Exact, HistogramRow, SummaryRow};
use stats::{GainShare, Span};

/// Histograms of one metric at most: one for each of the first cells.
const MOST_HISTOGRAMS: usize = 4;

impl<'run> Album<'run> {
    /// A bar for each outcome of a metric.
    pub(super) fn outcomes(&self, metric: &str, cell: &str, title: &str) -> Option<Plot> {
        let counts = self.results.least_counts(cell, metric);
        let all = counts.iter().map(|(_, count)| count).sum::<u64>().max(1) as f64;
        let share = |&(amount, count): &(f64, u64)| GainShare {
            amount,
            share: count as f64 / all,
        };
        let points: Vec<GainShare> = counts.iter().map(share).collect();
        plot::gains(title, &points, self.unit(metric))
    }

    pub(super) fn histograms(&self, metric: &str) -> Vec<Plot> {
        let rows = self.rows(metric).take(MOST_HISTOGRAMS);
        let distributions: Vec<Distribution> =
            rows.filter_map(|row| self.distribution(row)).collect();
        plot::histograms(&distributions, self.unit(metric))
    }

    fn distribution(&self, row: &SummaryRow) -> Option<Distribution> {
        let bin = |row: &HistogramRow| Bin {
            value: row.value.0,
            count: row.count,
            open: row.unresolved_from,
        };
        let bins = self.results.bins(&row.cell, &row.metric);
        let bins: Vec<Bin> = bins.map(bin).collect();
        let figure = self.results.figure(row);
        // A yes or no has its place among the shares.
        (!self.is_flag(&row.metric) && !figure.is_exact()).then(|| Distribution {
            title: self.title_in(&row.metric, &row.cell),
            bins,
            mean: IntervalMark::of(format!("mean, {}", figure.phrase()), &row.estimate),
        })
    }

    pub(super) fn convergence(&self, metric: &str) -> Option<Plot> {
        let rows = self.results.convergence.iter();
        let both = |lo: Option<Exact>, hi: Option<Exact>| Some(Span::new(lo?.0, hi?.0));
        let point = |row: &ConvergenceRow| ConvergencePoint {
            samples: row.samples as f64,
            interval: IntervalMark::between(
                "",
                row.mean.map(f64::from),
                both(row.mean_lo, row.mean_hi),
                both(row.ci_lo, row.ci_hi),
            ),
            sequence: both(row.cs_lo, row.cs_hi),
        };
        let rows = rows.filter(|row| row.metric == metric);
        let points: Vec<ConvergencePoint> = rows.map(point).collect();
        let title = self.title_in(metric, self.cells.first().copied().unwrap_or_default());
        plot::convergence(&title, &points, self.unit(metric))
    }
}
