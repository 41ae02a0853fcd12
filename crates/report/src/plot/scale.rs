//! Scales: from numbers to places, with round ticks.

use super::drawing::{Anchor, Drawing, Point, WIDTH};
use crate::format::{axis_labels, typeset};
use stats::Span;

/// ScaleRange are kept within this multiple of the plot: far enough for a line that leaves it to keep
/// its slope, near enough for every number to be drawn.
const BEYOND: f64 = 100.0;

/// The largest number that a scale is made for.
const MOST: f64 = 1e300;

/// The numbers that are round at each power of ten.
const ROUND: [f64; 3] = [1.0, 2.0, 5.0];

/// The places of the ends of an axis: of a plot's height the second is the smaller one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ScaleRange {
    pub(crate) start: f64,
    pub(crate) end: f64,
}

impl ScaleRange {
    /// The places from `start` to `end`.
    pub(crate) const fn new(start: f64, end: f64) -> Self {
        Self { start, end }
    }
}

/// A map from numbers to places along one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    domain: Span,
    range: ScaleRange,
    logarithmic: bool,
}

impl Scale {
    /// A linear scale on which all finite `values` have a place in `range`; `None` without any.
    pub(crate) fn linear(values: impl IntoIterator<Item = f64>, range: ScaleRange) -> Option<Self> {
        let usual = |value: &f64| value.is_finite() && value.abs() < MOST;
        let domain = extent(values.into_iter().filter(usual))?;
        Some(Self {
            domain: widened(domain),
            range,
            logarithmic: false,
        })
    }

    /// A linear scale from 0 where no value is negative and their distance is seen beside their size;
    /// as wide as the values elsewhere.
    pub(crate) fn from_zero(values: &[f64], range: ScaleRange) -> Option<Self> {
        let Span { lo, hi } = extent(values.iter().copied().filter(|value| value.is_finite()))?;
        if lo >= 0.0 && hi - lo > 0.2 * hi {
            Some(Self::exactly(Span::new(0.0, 1.04 * hi), range))
        } else {
            Self::linear([lo, hi], range)
        }
    }

    /// A linear scale with round numbers at both ends, one of them 0 where no value is on the other side of it;
    /// without 0 where the values' distance would not be seen beside their size.
    pub(crate) fn with_ends(values: &[f64], range: ScaleRange) -> Option<Self> {
        let usual = |value: &f64| value.is_finite() && value.abs() < MOST;
        let Span { lo, hi } = extent(values.iter().copied().filter(usual))?;
        let (least, most) = (lo.min(0.0), hi.max(0.0));
        let is_seen = hi - lo > 0.2 * (most - least);
        let domain = match (least, most) {
            (0.0, 0.0) => Span::new(0.0, 1.0),
            _ if is_seen || lo == hi => Span::new(least, most),
            _ => widened(Span { lo, hi }),
        };
        Some(Self::exactly(domain, range).to_ticks(lo >= 0.0))
    }

    /// The numbers at both ends of a linear scale, with 0 between them where it is there.
    pub(crate) fn ends(&self) -> Vec<f64> {
        let Span { lo, hi } = self.domain;
        let mut ends = vec![lo, 0.0, hi];
        ends.retain(|&end| end != 0.0 || (lo..=hi).contains(&end));
        ends.dedup();
        ends
    }

    /// A linear scale that ends at these two numbers.
    pub(crate) fn exactly(domain: Span, range: ScaleRange) -> Self {
        Self {
            domain,
            range,
            logarithmic: false,
        }
    }

    /// A logarithmic scale for the positive ones of `values`; `None` without any.
    pub(crate) fn logarithmic(
        values: impl IntoIterator<Item = f64>,
        range: ScaleRange,
    ) -> Option<Self> {
        let positive = |value: &f64| *value >= 1.0 / MOST && *value <= MOST;
        let Span { lo, hi } = extent(values.into_iter().filter(positive))?;
        Some(Self {
            domain: widened(Span { lo, hi }.map(libm::log10)),
            range,
            logarithmic: true,
        })
    }

    /// Logarithmic where all values are positive and span more than two powers of ten.
    pub(crate) fn fitting(values: &[f64], range: ScaleRange) -> Option<Self> {
        Self::within(values, range, 100.0)
    }

    /// A scale for ratios: logarithmic where they span more than a factor of four.
    pub(crate) fn of_ratios(values: &[f64], range: ScaleRange) -> Option<Self> {
        Self::within(values, range, 4.0)
    }

    /// Linear for positive values within a factor, and for others.
    fn within(values: &[f64], range: ScaleRange, factor: f64) -> Option<Self> {
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let Span { lo, hi } = extent(finite())?;
        if lo > 0.0 && hi / lo > factor {
            Self::logarithmic(finite(), range)
        } else {
            Self::linear(finite(), range).map(|scale| scale.to_ticks(lo >= 0.0))
        }
    }

    /// The scale with round numbers at both ends, so that all it shows lies between two of its ticks; from
    /// 0 at least where nothing is negative.
    fn to_ticks(mut self, is_positive: bool) -> Self {
        let mut width = 0.0;
        // A wider domain may have a longer step between its ticks.
        while width < self.domain.width() {
            let Span { lo, hi } = self.domain;
            width = hi - lo;
            let step = round_step(width / 4.0);
            let least = (lo / step + 1e-9).floor() * step;
            let least = if is_positive { least.max(0.0) } else { least };
            self.domain = Span::new(least, (hi / step - 1e-9).ceil() * step);
        }
        self
    }

    /// The scale with its upper end at `end` where it goes beyond, but none of its values does.
    pub(crate) fn up_to(mut self, end: f64, values: &[f64]) -> Self {
        if !self.logarithmic && self.domain.lo < end && values.iter().all(|value| *value <= end) {
            self.domain.hi = self.domain.hi.min(end);
        }
        self
    }

    /// Returns whether equal distances are equal ratios.
    pub(crate) fn is_logarithmic(&self) -> bool {
        self.logarithmic
    }

    /// The place of a number; very far beyond the ends it stays outside of the range.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let value = if self.logarithmic {
            libm::log10(value.max(1e-300))
        } else {
            value
        };
        let Span { lo, hi } = self.domain;
        let share = ((value - lo) / (hi - lo)).clamp(-BEYOND, BEYOND);
        self.range.start + share * (self.range.end - self.range.start)
    }

    /// At most about `count` round numbers inside the domain.
    pub(crate) fn ticks(&self, count: usize) -> Vec<f64> {
        let Span { lo, hi } = self.domain;
        if self.logarithmic && hi - lo < 2.0 {
            let powers = (lo.floor() as i32..=hi.floor() as i32).map(|power| 10_f64.powi(power));
            let round = powers.flat_map(|power| ROUND.map(|factor| factor * power));
            let inside = round.filter(|value| (lo..=hi).contains(&libm::log10(*value)));
            let inside: Vec<f64> = inside.collect();
            if inside.len() > 1 {
                return inside;
            }
            let domain = self.domain.map(|power| libm::pow(10.0, power));
            let linear = Self::exactly(domain, self.range);
            let mut several = (2..=8).map(|count| linear.ticks(count));
            let several = several.find(|ticks| ticks.len() > 1);
            // Numbers so near each other are long.
            let few = |ticks: Vec<f64>| {
                let every = if ticks.len() > 3 { 2 } else { 1 };
                ticks.into_iter().step_by(every).collect()
            };
            return several.map_or(inside, few);
        }
        let step = round_step((hi - lo) / count as f64);
        let step = if self.logarithmic {
            step.max(1.0)
        } else {
            step
        };
        let first = (lo / step).ceil() as i64;
        let last = (hi / step + 1e-9).floor() as i64;
        let ticks = (first..=last).take(4 * count).map(|k| k as f64 * step);
        if self.logarithmic {
            ticks.map(|exponent| libm::pow(10.0, exponent)).collect()
        } else {
            ticks.collect()
        }
    }

    /// Numbers of an axis in this unit.
    pub(crate) fn marks(&self, count: usize, unit: &str) -> Vec<Tick> {
        self.labelled(&self.ticks(count), unit)
    }

    /// These numbers in this unit.
    pub(crate) fn labelled(&self, ticks: &[f64], unit: &str) -> Vec<Tick> {
        let labels = axis_labels(ticks, unit);
        let tick = |(value, label): (&f64, &String)| Tick {
            place: self.at(*value),
            text: typeset(label),
        };
        ticks.iter().zip(&labels).map(tick).collect()
    }
}

/// A number or words at a place of an axis, as they are set.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(crate) place: f64,
    pub(crate) text: String,
}

/// The scales of a plot, across and upwards, which draw its axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct AxisFrame {
    pub(crate) x: Scale,
    pub(crate) y: Scale,
}

impl AxisFrame {
    /// The place of two numbers.
    pub(crate) fn at(&self, x: f64, y: f64) -> Point {
        Point::new(self.x.at(x), self.y.at(y))
    }

    /// A drawing of both axes with numbers in these units and lines across; `name` stands below.
    pub(crate) fn drawing(&self, (across, upwards): (&str, &str), name: &str) -> Drawing {
        let ScaleRange {
            start: left,
            end: right,
        } = self.x.range;
        let bottom = self.y.range.start;
        let mut drawing = Drawing::new(bottom + if name.is_empty() { 24.0 } else { 40.0 });
        for Tick { place: y, text } in self.y.marks(4, upwards) {
            drawing.line(Point::new(left, y), Point::new(right, y), "grid");
            let at = Point::new(left - 6.0, y + 4.0);
            drawing.text(at, Anchor::End, "tick", &text);
        }
        for Tick { place: x, text } in self.x.marks(5, across) {
            // Letters are about seven units wide; the outermost numbers move in rather than be cut.
            let half = 3.7 * text.chars().count() as f64;
            let at = Point::new(x.clamp(half, WIDTH - half), bottom + 15.0);
            drawing.text(at, Anchor::Middle, "tick", &text);
        }
        let middle = Point::new((left + right) / 2.0, bottom + 33.0);
        if !name.is_empty() {
            drawing.text(middle, Anchor::Middle, "label", name);
        }
        drawing
    }
}

fn extent(values: impl IntoIterator<Item = f64>) -> Option<Span> {
    values.into_iter().fold(None, |extent, value| {
        let Span { lo, hi } = extent.unwrap_or(Span::point(value));
        Some(Span::new(value.min(lo), value.max(hi)))
    })
}

/// The domain with some air at both ends, and never empty.
fn widened(Span { lo, hi }: Span) -> Span {
    let air = match hi - lo {
        0.0 => (lo.abs() * 0.1).max(0.5),
        width => width * 0.04,
    };
    Span::new(lo - air, hi + air)
}

/// The smallest of 1, 2, 5 times a power of ten that is no smaller than `step`.
fn round_step(step: f64) -> f64 {
    let power = libm::pow(10.0, libm::log10(step).floor());
    let round = ROUND.map(|factor| factor * power);
    let least = round.into_iter().find(|round| *round >= step * 0.999);
    least.unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LANE: ScaleRange = ScaleRange::new(0.0, 100.0);

    #[test]
    fn ticks_are_round_and_inside() {
        let scale = Scale::linear([0.0, 52.0], LANE).unwrap();
        assert_eq!(scale.ticks(5), [0.0, 20.0, 40.0]);
        let scale = Scale::logarithmic([1.0, 1e6], LANE).unwrap();
        assert_eq!(scale.ticks(5), [1.0, 100.0, 1e4, 1e6]);
        let scale = Scale::of_ratios(&[0.25, 7.9], LANE).unwrap();
        assert_eq!(scale.ticks(4), [0.5, 1.0, 2.0, 5.0]);
        for ends in [[0.0021, 0.0024], [0.000_11, 0.000_19], [0.1, 0.1001]] {
            let ticks = Scale::logarithmic(ends, LANE).unwrap().ticks(5);
            assert!((2..=3).contains(&ticks.len()), "{ticks:?}");
        }
        let scale = Scale::of_ratios(&[1.0, 1.21], LANE).unwrap();
        assert!(!scale.is_logarithmic());
    }

    #[test]
    fn all_that_a_fitting_scale_shows_lies_between_its_ticks() {
        for (values, ends) in [
            ([59.0, 131.0], (0.0, 150.0)),
            ([0.818, 0.903], (0.8, 0.95)),
            ([0.004, 0.161], (0.0, 0.2)),
            ([-3.1, 24.0], (-10.0, 30.0)),
        ] {
            let scale = Scale::fitting(&values, LANE).unwrap();
            let ticks = scale.ticks(4);
            for (tick, end) in [(ticks.first(), ends.0), (ticks.last(), ends.1)] {
                assert!((tick.unwrap() - end).abs() < 1e-9, "{values:?} {ticks:?}");
            }
            assert!((2..=8).contains(&ticks.len()), "{ticks:?}");
        }
    }

    #[test]
    fn a_scale_with_ends_has_its_zero_unless_the_values_are_near_each_other() {
        let ends = |values: &[f64]| Scale::with_ends(values, LANE).unwrap().ends();
        assert_eq!(ends(&[6.53, 11.0]), [0.0, 15.0]);
        assert_eq!(ends(&[0.5, 10.0]), [0.0, 10.0]);
        assert_eq!(ends(&[819.0, 824.0]), [818.0, 826.0]);
        assert_eq!(ends(&[-3.0, 2.0]), [-4.0, 0.0, 2.0]);
        assert_eq!(ends(&[-3.0, -9.0]), [-10.0, 0.0]);
        assert_eq!(ends(&[92.0, 92.0]), [0.0, 100.0]);
        assert_eq!(ends(&[0.0, 0.0]), [0.0, 1.0]);
    }

    #[test]
    fn a_scale_up_to_an_end_does_not_go_beyond_it_unless_its_values_do() {
        let ends = |values: &[f64]| {
            let scale = Scale::fitting(values, LANE).unwrap();
            scale.up_to(1.0, values).at(1.0)
        };
        assert!((ends(&[0.3, 0.997]) - 100.0).abs() < 1e-9);
        assert!(ends(&[0.3, 1.4]) < 100.0);
        assert!(ends(&[0.1, 0.2]) > 100.0);
    }

    #[test]
    fn a_single_value_is_drawn_in_the_middle() {
        let scale = Scale::linear([7.0], LANE).unwrap();
        assert!((scale.at(7.0) - 50.0).abs() < 1e-9);
        assert_eq!(Scale::linear([f64::NAN], LANE), None);
        assert_eq!(Scale::linear([], LANE), None);
    }

    #[test]
    fn the_largest_numbers_have_their_place() {
        let scale = Scale::fitting(&[92.0, 2.4e117], LANE).unwrap();
        assert!((90.0..100.0).contains(&scale.at(2.4e117)));
    }

    #[test]
    fn values_that_span_powers_of_ten_get_a_logarithmic_scale() {
        let scale = Scale::fitting(&[1.0, 1e4], LANE).unwrap();
        assert!((scale.at(100.0) - 50.0).abs() < 1e-9);
        let scale = Scale::fitting(&[0.0, 1e4], LANE).unwrap();
        assert!(scale.at(100.0) < 10.0);
    }
}
