//! `convergence.csv`: the estimates of the first cell at growing numbers of samples.

use super::number::Exact;
use super::row::table_row;
use super::table::Table;
use crate::run::{CompiledExperiment, Evidence, Look};
use stats::{Confidence, Estimate, Interval};

table_row! {
    /// A row of `convergence.csv`: the estimate of a metric of the first cell at a look.
    pub struct ConvergenceRow in "convergence", keys ["metric", "samples"]
    refers ["metric"] to "metrics" {
        /// Name of the metric.
        metric: String,
        /// Samples of the cell so far.
        samples: u64,
        /// Sample size: samples that count for the estimate.
        n: u64,
        /// The estimate; empty while unresolved samples leave it open.
        mean: Option<Exact>,
        /// The estimate with every unresolved sample at its least.
        mean_lo: Option<Exact>,
        /// The estimate with every unresolved sample at its greatest.
        mean_hi: Option<Exact>,
        /// Lower end of the confidence interval.
        ci_lo: Option<Exact>,
        /// Upper end of the confidence interval.
        ci_hi: Option<Exact>,
        /// Lower end of the confidence sequence, valid at all rows at once.
        cs_lo: Option<Exact>,
        /// Upper end of the confidence sequence, valid at all rows at once.
        cs_hi: Option<Exact>,
    }
}

/// The table of the first cell's estimates at each look. Each interval is the one for a run that had stopped there,
/// with `confidence`; the sequences are those that someone with the confidence `watched` sees.
pub(crate) fn convergence<'table>(
    compiled: &CompiledExperiment,
    looks: &[Look],
    (confidence, watched): (Confidence, Confidence),
) -> Table<'table> {
    let rows = looks.iter().flat_map(|look| {
        let evidence = Evidence {
            compiled,
            tally: &look.first_cell,
            confidence,
        };
        let seen = evidence.with(watched).estimates(0);
        let estimates = evidence.estimates(0).into_iter().zip(seen);
        let both = compiled.metrics().iter().zip(estimates);
        both.map(|(metric, (estimate, seen))| {
            row(&metric.name, look.samples, &estimate, seen.interval)
        })
        .collect::<Vec<_>>()
    });
    Table::of(rows.collect::<Vec<_>>())
}

/// The row of a metric after so many samples, with the confidence sequence of its estimate: the interval for someone
/// who looks at every checkpoint and before; `None` of quantities without bounds.
fn row(metric: &str, samples: u64, estimate: &Estimate, seen: Option<Interval>) -> ConvergenceRow {
    let estimate = estimate.written();
    let sequence = seen.map(Interval::written);
    let interval = estimate.interval;
    let is_open = estimate.value.is_none();
    ConvergenceRow {
        metric: metric.to_owned(),
        samples,
        n: estimate.n,
        mean: estimate.value.map(Exact),
        mean_lo: estimate.lower.filter(|_| is_open).map(Exact),
        mean_hi: estimate.upper.filter(|_| is_open).map(Exact),
        ci_lo: interval.map(|interval| Exact(interval.lo)),
        ci_hi: interval.map(|interval| Exact(interval.hi)),
        cs_lo: sequence.map(|interval| Exact(interval.lo)),
        cs_hi: sequence.map(|interval| Exact(interval.hi)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::{Level, Method, Span, Validity};

    /// A mean that open samples leave from 2 to 3, between 1 and 4 at one look, and between 0 and 5 at many.
    #[test]
    fn a_row_has_both_ends_of_what_is_open_and_the_interval_of_either_kind() {
        let interval = |lo, hi, validity| {
            let limits = Span::new(lo, hi);
            Interval::new(limits, Level::DEFAULT, Method::StudentT, validity)
        };
        let open = Estimate {
            lower: Some(2.0),
            upper: Some(3.0),
            interval: interval(1.0, 4.0, Validity::FixedN),
            n: 9,
            ..Estimate::default()
        };
        let ends = |row: &ConvergenceRow| {
            let ends = [
                row.mean,
                row.mean_lo,
                row.mean_hi,
                row.ci_lo,
                row.ci_hi,
                row.cs_lo,
                row.cs_hi,
            ];
            ends.map(|end| end.map(f64::from))
        };
        let seen = interval(0.0, 5.0, Validity::AnyTime);
        let expected = [
            None,
            Some(2.0),
            Some(3.0),
            Some(1.0),
            Some(4.0),
            Some(0.0),
            Some(5.0),
        ];
        assert_eq!(ends(&row("score", 8, &open, seen)), expected);
        let value = Some(2.5);
        let resolved = row("score", 8, &Estimate { value, ..open }, None);
        let expected = [value, None, None, Some(1.0), Some(4.0), None, None];
        assert_eq!(ends(&resolved), expected);
        assert_eq!((resolved.samples, resolved.n), (8, 9));
    }
}
