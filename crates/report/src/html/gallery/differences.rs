//! Pictures of differences between cells, and of estimates beside exact values.

use super::{Album, titled};
use crate::plot::{self, IntervalMark, LaneScale, Plot, Threshold};
use crate::rows::truth_figure;
use figures::{Figure, of_difference};
use lab::tables::{PairRow, TruthRow};
use stats::{Estimate, Span};

/// Compared pairs that fit into one picture.
const MOST_PAIRS: usize = 24;

impl<'run> Album<'run> {
    /// The differences in a metric, the one in the headline as it stands there.
    pub(super) fn differences(&self, metric: &str) -> Option<Plot> {
        let page = self.results.config.page.as_ref();
        let headline = page
            .and_then(|page| page.headline.as_deref())
            .unwrap_or_default();
        let row = |pair: &PairRow| {
            let (first, second) = (&pair.first, &pair.second);
            if headline.contains(&format!("{{{second} - {first}:")) {
                (
                    self.sweep.difference(second, first),
                    pair.estimate.mirrored(),
                )
            } else {
                (self.sweep.difference(first, second), pair.estimate)
            }
        };
        let pairs = self.results.pairs.iter();
        let pairs = pairs.filter(|pair| pair.metric == metric).take(MOST_PAIRS);
        let rows = pairs.map(row).collect();
        self.beside_zero(&self.title_of_difference(metric), rows, metric)
    }

    /// The difference that each value of a parameter makes that is not the first cell's.
    pub(super) fn effects(&self, metric: &str) -> Option<Plot> {
        let base = *self.cells.first()?;
        let effect = |pair: &PairRow| {
            let (other, estimate) = match (&*pair.first, &*pair.second) {
                (other, second) if second == base => (other, pair.estimate),
                (first, other) if first == base => (other, pair.estimate.mirrored()),
                _ => return None,
            };
            let place = self.cells.iter().position(|cell| *cell == other)?;
            Some((place, (self.sweep.changes(other, base), estimate)))
        };
        let pairs = self.results.pairs.iter();
        let pairs = pairs.filter(|pair| pair.metric == metric);
        let mut rows: Vec<_> = pairs.filter_map(effect).collect();
        rows.sort_by_key(|row| row.0);
        let rows = rows.into_iter().map(|row| row.1).take(MOST_PAIRS).collect();
        let title = format!("{}, one change at a time", self.title_of_difference(metric));
        self.beside_zero(&title, rows, metric)
    }

    fn title_of_difference(&self, metric: &str) -> String {
        titled(&self.heading(metric), of_difference(self.unit(metric)))
    }

    /// Differences in a metric, on a scale with a line at 0.
    fn beside_zero(
        &self,
        title: &str,
        rows: Vec<(String, Estimate)>,
        metric: &str,
    ) -> Option<Plot> {
        let unit = of_difference(self.unit(metric));
        let mark = |(label, estimate): &(String, Estimate)| {
            let figure = Figure::of(estimate, unit);
            let interval = figure.interval();
            let interval = interval.map_or(String::new(), |ends| format!(" ({ends})"));
            IntervalMark {
                text: figure.short() + &interval,
                ..IntervalMark::of(label, estimate)
            }
        };
        let rows: Vec<IntervalMark> = rows.iter().map(mark).collect();
        let zero = [Threshold::line(0.0)];
        plot::intervals(title, &rows, unit, &zero, LaneScale::Fitting)
    }

    /// Draws every estimate divided by its exact value, which is then 1.
    pub(super) fn ratios(&self, metric: &str) -> Option<Plot> {
        let truths = self.results.truths.iter();
        let truths = truths.filter(|row| row.metric == metric && !truth_figure(row).is_exact());
        let ratio = |row: &TruthRow| {
            let truth = row.truth.map(f64::from).filter(|truth| *truth > 0.0)?;
            let scaled = |ends: Span| ends.map(|end| end / truth);
            let mark = IntervalMark::of(self.sweep.label(&row.cell), &row.estimate);
            Some(IntervalMark {
                value: mark.value.map(|value| value / truth),
                bounds: mark.bounds.map(scaled),
                ends: mark.ends.map(scaled),
                ..mark
            })
        };
        let rows: Vec<IntervalMark> = truths.filter_map(ratio).collect();
        let one = [Threshold::line(1.0)];
        let worth = (rows.len() > 1).then_some(());
        let title = format!(
            "{}: the estimate over the exact value",
            self.heading(metric)
        );
        worth.and_then(|()| plot::intervals(&title, &rows, "times", &one, LaneScale::Fitting))
    }
}
