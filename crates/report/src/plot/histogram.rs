//! A histogram with the mean and its interval.

use super::Plot;
use super::drawing::{Drawing, Point, WIDTH};
use super::marks::IntervalMark;
use super::scale::{AxisFrame, Scale, ScaleRange};
use crate::format::tick;
use base::counted;
use stats::Span;

const TOP: f64 = 10.0;
const BOTTOM: f64 = 170.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = WIDTH - 10.0;

/// Bars at most; values closer together share one.
const MOST_BARS: f64 = 52.0;

/// The share of the samples that long tails may be cut by.
const TAIL: f64 = 0.002;

/// A value and how often it was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bin {
    /// The value.
    pub(crate) value: f64,
    /// Samples that have it.
    pub(crate) count: u64,
    /// Unresolved samples that have at least it.
    pub(crate) open: u64,
}

/// A distribution to be drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Distribution {
    /// The name of the cell or player of the distribution.
    pub(crate) title: String,
    /// The values with their counts.
    pub(crate) bins: Vec<Bin>,
    /// The mean of the values.
    pub(crate) mean: IntervalMark,
}

/// The histograms of distributions of one quantity, on the same axes; those with fewer than two
/// values are left out.
pub(crate) fn histograms(distributions: &[Distribution], unit: &str) -> Vec<Plot> {
    let bars: Vec<Bars<'_>> = distributions.iter().filter_map(Bars::of).collect();
    let ends = bars.iter().flat_map(Bars::ends);
    let shares = bars.iter().flat_map(Bars::shares);
    let x = Scale::linear(ends, ScaleRange::new(LEFT, RIGHT));
    let y = Scale::linear(shares.chain([0.0]), ScaleRange::new(BOTTOM, TOP));
    let frame = x.zip(y).map(|(x, y)| AxisFrame { x, y });
    let draw = |frame: AxisFrame| bars.iter().map(move |bars| bars.draw(&frame, unit));
    frame.into_iter().flat_map(draw).collect()
}

/// A distribution cut into bars.
struct Bars<'run> {
    distribution: &'run Distribution,
    bars: Vec<Bin>,
    width: f64,
    all: u64,
    beyond: u64,
    last: f64,
}

impl<'run> Bars<'run> {
    fn of(distribution: &'run Distribution) -> Option<Self> {
        let bins = distribution.bins.iter();
        let mut bins: Vec<Bin> = bins.filter(|bin| bin.value.is_finite()).copied().collect();
        bins.sort_by(|a, b| a.value.total_cmp(&b.value));
        let all = total(&bins);
        let beyond = cut_tail(&mut bins);
        let width = bar_width(bins.iter().map(|bin| bin.value), MOST_BARS)?;
        Some(Self {
            distribution,
            bars: grouped(&bins, width),
            width,
            all,
            beyond,
            last: bins.last()?.value,
        })
    }

    fn ends(&self) -> impl Iterator<Item = f64> {
        let ends = |bar: &Bin| [bar.value, bar.value + self.width];
        self.bars.iter().flat_map(ends)
    }

    /// Returns whether the mean is where the bars are. A cut tail may hold most of it.
    fn has_room_for(&self, mean: &IntervalMark) -> bool {
        let lowest = self.ends().fold(f64::INFINITY, f64::min);
        let highest = self.ends().fold(f64::NEG_INFINITY, f64::max);
        let bounds = mean.bounds.filter(|_| mean.value.is_none());
        let bounds = bounds.into_iter().flat_map(Span::to_array);
        let mut places = bounds.chain(mean.value);
        places.all(|place| (lowest..=highest).contains(&place))
    }

    fn shares(&self) -> impl Iterator<Item = f64> {
        let share = |bar: &Bin| share(bar.count + bar.open, self.all);
        self.bars.iter().map(share)
    }

    fn draw(&self, frame: &AxisFrame, unit: &str) -> Plot {
        let Distribution { title, mean, .. } = self.distribution;
        let mut drawing = frame.drawing((unit, ""), "");
        let has_room = self.has_room_for(mean);
        if has_room {
            draw_band(&mut drawing, &frame.x, mean);
        }
        for bar in &self.bars {
            draw_bar(&mut drawing, frame, (bar, self.width), (self.all, unit));
        }
        let ground = frame.y.at(0.0);
        let ends = (Point::new(LEFT, ground), Point::new(RIGHT, ground));
        drawing.line(ends.0, ends.1, "axis");
        if has_room {
            draw_mean(&mut drawing, &frame.x, mean);
        }
        let caption = self.caption(unit);
        let label = format!("Histogram of {title}. {caption}");
        drawing.into_plot(&label, title, caption)
    }

    fn caption(&self, unit: &str) -> String {
        let mean = &self.distribution.mean;
        let label = &mean.label;
        let mut parts = vec!["Share of the samples.".to_owned()];
        parts.push(match (self.has_room_for(mean), mean.value) {
            (false, _) => format!("Outside the picture: the {label}."),
            (true, Some(_)) => format!("The line is the {label}."),
            (true, None) => format!("The lines bound the {label}."),
        });
        if self.bars.iter().any(|bar| bar.open > 0) {
            let placed = "Hollow bars: unresolved samples, placed at their lowest possible value.";
            parts.push(placed.into());
        }
        if self.beyond > 0 {
            let (beyond, last) = (counted(self.beyond, "sample"), tick(self.last, unit));
            parts.push(format!("Not shown: {beyond} beyond {last}."));
        }
        parts.join(" ")
    }
}
/// The interval of the mean, behind the bars.
fn draw_band(drawing: &mut Drawing, x: &Scale, mean: &IntervalMark) {
    if let Some(Span { lo, hi }) = mean.ends {
        let [left, right] = [lo, hi].map(|end| x.at(end).clamp(LEFT, RIGHT));
        let corners = (Point::new(left, TOP), Point::new(right, BOTTOM));
        drawing.bar(corners.0, corners.1, "band", "interval of the mean");
    }
}

/// The mean, or what it is between, before the bars.
fn draw_mean(drawing: &mut Drawing, x: &Scale, mean: &IntervalMark) {
    let bounds = mean.bounds.into_iter().flat_map(Span::to_array);
    let places: Vec<f64> = match mean.value {
        Some(value) => vec![value],
        None => bounds.collect(),
    };
    for x in places.into_iter().map(|place| x.at(place)) {
        drawing.line(Point::new(x, TOP), Point::new(x, BOTTOM), "mean");
    }
}

fn draw_bar(
    drawing: &mut Drawing,
    AxisFrame { x, y }: &AxisFrame,
    (bar, width): (&Bin, f64),
    (all, unit): (u64, &str),
) {
    let (left, right) = (x.at(bar.value), x.at(bar.value + width));
    let gap = if right - left > 4.0 { 0.5 } else { 0.0 };
    let (left, right) = (left + gap, right - gap);
    let solid = y.at(share(bar.count, all));
    let hollow = y.at(share(bar.count + bar.open, all));
    let value = tick(bar.value + width / 2.0, unit);
    let hint = |count| format!("{value}: {}", counted(count, "sample"));
    let base = Point::new(left, y.at(0.0));
    if bar.count > 0 {
        drawing.bar(base, Point::new(right, solid), "bar", &hint(bar.count));
    }
    if bar.open > 0 {
        let corner = Point::new(left, solid);
        drawing.bar(corner, Point::new(right, hollow), "open", &hint(bar.open));
    }
}

fn share(count: u64, all: u64) -> f64 {
    count as f64 / all.max(1) as f64
}

fn total(bins: &[Bin]) -> u64 {
    bins.iter().map(|bin| bin.count + bin.open).sum()
}

/// Drops a long thin tail of great values; returns how many samples went with it.
fn cut_tail(bins: &mut Vec<Bin>) -> u64 {
    let most = (total(bins) as f64 * TAIL) as u64;
    let span = |bins: &[Bin]| match bins {
        [first, .., last] => last.value - first.value,
        _ => 0.0,
    };
    let whole = span(bins);
    let (mut kept, mut beyond) = (bins.len(), 0);
    while kept > 0 && beyond + total(&bins[kept - 1..kept]) <= most {
        beyond += total(&bins[kept - 1..kept]);
        kept -= 1;
    }
    if span(&bins[..kept]) > 0.6 * whole {
        return 0;
    }
    bins.truncate(kept);
    beyond
}

/// The smallest distance of two of these ascending values, or a round multiple of it that leaves
/// at most so many bars.
pub(super) fn bar_width(values: impl Iterator<Item = f64>, most: f64) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    let gaps = values.windows(2).map(|pair| pair[1] - pair[0]);
    let least = gaps.filter(|gap| *gap > 0.0).min_by(f64::total_cmp)?;
    let span = values.last()? - values.first()?;
    let width = least * (span / least / most).ceil().max(1.0);
    (width.is_finite() && span < 1e100).then_some(width)
}

/// Bars of one width; `value` is a bar's left end.
fn grouped(bins: &[Bin], width: f64) -> Vec<Bin> {
    let mut bars: Vec<Bin> = Vec::new();
    let first = bins.first().map_or(0.0, |bin| bin.value) - width / 2.0;
    for bin in bins {
        let left = first + ((bin.value - first) / width).floor() * width;
        match bars.last_mut() {
            Some(bar) if left - bar.value < width / 2.0 => {
                bar.count += bin.count;
                bar.open += bin.open;
            }
            _ => bars.push(Bin {
                value: left,
                ..*bin
            }),
        }
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bins(counts: &[(f64, u64)]) -> Vec<Bin> {
        let bin = |&(value, count)| Bin {
            value,
            count,
            open: 0,
        };
        counts.iter().map(bin).collect()
    }

    fn distribution(counts: &[(f64, u64)], mean: f64) -> Distribution {
        Distribution {
            title: "score".into(),
            bins: bins(counts),
            mean: IntervalMark {
                label: "mean".into(),
                value: Some(mean),
                ends: Some(Span::new(mean - 0.1, mean + 0.1)),
                ..IntervalMark::default()
            },
        }
    }

    #[test]
    fn every_value_has_a_bar_and_the_mean_a_line_with_its_interval() {
        let plots = histograms(
            &[distribution(&[(1.0, 10), (2.0, 20), (3.0, 1)], 1.9)],
            "cards",
        );
        let plot = &plots[0];
        assert!(plot.svg.contains("3: 1 sample<"), "{}", plot.svg);
        assert_eq!(plot.svg.matches("class=\"bar\"").count(), 3);
        assert_eq!(plot.svg.matches("class=\"mean\"").count(), 1);
        assert_eq!(plot.svg.matches("class=\"band\"").count(), 1);
        assert!(plot.svg.contains("2: 20 samples"), "{}", plot.svg);
    }

    #[test]
    fn an_open_mean_has_its_bounds_and_a_mean_beyond_the_bars_is_told() {
        let mut open = distribution(&[(1.0, 10), (2.0, 20), (3.0, 1)], 1.9);
        (open.mean.value, open.mean.bounds) = (None, Some(Span::new(1.5, 2.0)));
        let plot = &histograms(std::slice::from_ref(&open), "cards")[0];
        assert_eq!(plot.svg.matches("class=\"mean\"").count(), 2);
        assert!(plot.caption.contains("The lines bound the mean"));
        open.mean.bounds = Some(Span::new(1.5, 99.0));
        let plot = &histograms(&[open], "cards")[0];
        assert_eq!(plot.svg.matches("class=\"mean\"").count(), 0);
        assert!(plot.caption.contains("Outside the picture: the mean"));
    }

    #[test]
    fn nothing_is_drawn_of_one_value_or_none() {
        let none = [distribution(&[], 0.0), distribution(&[(1.0, 9)], 1.0)];
        assert_eq!(histograms(&none, ""), []);
    }

    #[test]
    fn histograms_of_one_metric_share_their_axes() {
        let near = distribution(&[(1.0, 10), (2.0, 20)], 1.5);
        let far = distribution(&[(1.0, 1), (90.0, 1), (100.0, 8)], 90.0);
        let ticks = |plot: &Plot| -> Vec<String> {
            let lines = plot.svg.lines().filter(|line| line.contains("\"tick\""));
            lines.map(str::to_owned).collect()
        };
        let both = histograms(&[near.clone(), far], "cards");
        assert_eq!(ticks(&both[0]), ticks(&both[1]));
        assert_ne!(ticks(&histograms(&[near], "cards")[0]), ticks(&both[0]));
    }

    #[test]
    fn wide_ranges_share_bars_and_no_sample_is_lost() {
        let wide: Vec<(f64, u64)> = (0..1000).map(|value| (f64::from(value), 1)).collect();
        let wide = bins(&wide);
        let width = bar_width(wide.iter().map(|bin| bin.value), MOST_BARS).unwrap();
        let bars = grouped(&wide, width);
        assert!(bars.len() <= MOST_BARS as usize + 1);
        assert_eq!(total(&bars), 1000);
    }

    #[test]
    fn only_long_thin_tails_are_cut() {
        let mut tailed = bins(&[(1.0, 5000), (2.0, 5000), (3.0, 100), (900.0, 1)]);
        assert_eq!(cut_tail(&mut tailed), 1);
        let mut short = bins(&[(1.0, 5000), (2.0, 5000), (3.0, 1)]);
        assert_eq!(cut_tail(&mut short), 1);
        let mut even = bins(&[(1.0, 10), (2.0, 10)]);
        assert_eq!(cut_tail(&mut even), 0);
    }
}
