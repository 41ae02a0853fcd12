//! Figures as people read them: rounded to their uncertainty, with interval and unit.

use super::format::{
    count, level_text, plain, quantity, scale, share_digits, signed, singular, with_unit,
};
use super::rows::RecordFields;
use crate::output::{UNITLESS, UNTRUSTED};
use crate::stats::{Estimate, Interval, Level, Method, Validity};

/// An estimate as the tables hold it.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// Samples that count.
    pub n: u64,
    /// The samples among them that are unresolved.
    pub n_unresolved: u64,
    /// The estimate; none while unresolved samples leave it open.
    pub mean: Option<f64>,
    /// The estimate with unresolved samples at their least.
    pub mean_lo: Option<f64>,
    /// The estimate with unresolved samples at their most.
    pub mean_hi: Option<f64>,
    /// Standard deviation of a sample.
    pub sd: Option<f64>,
    /// Lower end of the interval.
    pub ci_lo: Option<f64>,
    /// Upper end of the interval.
    pub ci_hi: Option<f64>,
    /// Its level.
    pub ci_level: Option<f64>,
    /// Its method.
    pub ci_method: String,
    /// The condition under which it is valid.
    pub valid_under: String,
    /// The decimal logarithm of an estimate that is beyond the numbers of the machine.
    pub log10: Option<f64>,
}

impl Figure {
    /// The figure of an estimate that is not in a table.
    pub fn of(estimate: &Estimate) -> Self {
        let interval = estimate.interval;
        Self {
            n: estimate.n,
            n_unresolved: estimate.unresolved,
            mean: estimate.value,
            mean_lo: estimate.lower,
            mean_hi: estimate.upper,
            sd: estimate.sd,
            ci_lo: interval.map(|interval| interval.lo),
            ci_hi: interval.map(|interval| interval.hi),
            ci_level: interval.map(|interval| interval.level.get()),
            ci_method: interval
                .map_or("", |interval| interval.method.name())
                .into(),
            valid_under: interval
                .map_or("", |interval| interval.validity.name())
                .into(),
            log10: None,
        }
    }

    pub(super) fn read(fields: &RecordFields<'_>) -> Self {
        let ends = fields.number("ci_lo").zip(fields.number("ci_hi"));
        if ends.is_some_and(|(lo, hi)| lo > hi) {
            fields.note("ci_lo", "the lower limit is above the upper one");
        }
        Self {
            n: fields.count("n"),
            n_unresolved: fields.count("n_unresolved"),
            mean: fields.number("mean"),
            mean_lo: fields.number("mean_lo"),
            mean_hi: fields.number("mean_hi"),
            sd: fields.number("sd"),
            ci_lo: fields.number("ci_lo"),
            ci_hi: fields.number("ci_hi"),
            ci_level: fields.number("ci_level"),
            ci_method: fields.text("ci_method"),
            valid_under: fields.text("valid_under"),
            log10: None,
        }
    }

    /// The estimate that was written.
    pub fn estimate(&self) -> Estimate {
        let method = Method::from_name(&self.ci_method);
        let interval = || {
            Interval::new(
                self.ci_lo.zip(self.ci_hi)?,
                Level::new(self.ci_level?)?,
                method?,
                Validity::from_name(&self.valid_under)?,
            )
        };
        let estimate = Estimate {
            value: self.mean,
            sd: self.sd,
            mcse: self.sd.map(|sd| sd / (self.n as f64).sqrt()),
            interval: interval(),
            untrusted: self.is_untrusted(),
            n: self.n,
            unresolved: self.n_unresolved,
            lower: self.mean_lo,
            upper: self.mean_hi,
        };
        if self.is_exact() {
            estimate.exact()
        } else {
            estimate
        }
    }

    /// The estimate alone, rounded to its uncertainty: `5.1 cards`, `12 %`, `between 3 and 4`,
    /// `0 of 400`, `10^412.3 nodes`.
    pub fn value(&self, unit: &str) -> String {
        if let Some(share) = self.whole_share() {
            return share;
        }
        match (self.mean, self.mean_lo, self.mean_hi) {
            (Some(mean), ..) => with_unit(mean, &self.text(mean, unit), unit),
            (None, Some(lo), Some(hi)) => self.between(lo, hi, unit),
            _ => match self.log10 {
                Some(power) => with_unit(f64::INFINITY, &format!("10^{power:.1}"), unit),
                None => "not defined".into(),
            },
        }
    }

    /// The estimate without a unit that is a word: `5.1`, `12 %`, `3 to 4`.
    pub fn short(&self, unit: &str) -> String {
        let value = match (self.whole_share(), self.mean) {
            (Some(_), Some(share)) => quantity(share.round(), 0, ""),
            _ => self.value(unit),
        };
        let bare = match unit {
            "" | UNITLESS => &value,
            unit => value
                .trim_end_matches(&format!(" {unit}"))
                .trim_end_matches(&format!(" {}", singular(unit))),
        };
        match bare.strip_prefix("between ") {
            Some(bounds) => bounds.replace(" and ", " to "),
            None => bare.to_owned(),
        }
    }

    /// Another number in the same unit, with two digits more than the estimate has.
    pub fn beside(&self, value: f64, unit: &str) -> String {
        quantity(value, (self.digits(unit) + 2).min(9), unit)
    }

    /// The interval alone, without its unit: `5.0 to 5.2`; `None` where there is none, or nothing
    /// is estimated.
    pub fn interval(&self, unit: &str) -> Option<String> {
        let ends = self.ci_lo.zip(self.ci_hi);
        let (lo, hi) = ends.filter(|_| !self.is_exact())?;
        let percent = |share: f64| with_unit(share, &plain(share, share_digits(share, 2), ""), "");
        match (self.whole_share(), self.mean) {
            (Some(_), Some(share)) if share < 0.5 => Some(format!("at most {}", percent(hi))),
            (Some(_), _) => Some(format!("at least {}", percent(lo))),
            (None, _) => Some(format!("{} to {}", self.end(lo, unit), self.end(hi, unit))),
        }
    }

    /// An end of the interval, with as many digits as show that it is not 0, or not 1 where that
    /// means no change or all.
    fn end(&self, value: f64, unit: &str) -> String {
        let marks: &[f64] = match unit {
            "" | UNITLESS | "times" => &[0.0, 1.0],
            _ => &[0.0],
        };
        let is_mark = |text: &str| {
            let shown = text.replace(',', "").parse().ok();
            let mut marks = marks.iter().filter(|mark| **mark != value);
            marks.any(|mark| shown == Some(mark * scale(unit)))
        };
        let text = self.text(value, unit);
        if !is_mark(&text) {
            return text;
        }
        let mut more = (self.digits(unit)..=9).map(|digits| plain(value, digits, unit));
        more.find(|text| !is_mark(text)).unwrap_or(text)
    }

    /// Returns the detail of the short estimate: its interval, with the count if all or none of the
    /// samples have a property: `0 of 600, at most 0.61 %`.
    pub fn detail(&self, unit: &str) -> String {
        let parts = [self.whole_share(), self.interval(unit)];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        parts.join(", ")
    }

    /// Estimate and interval, the unit once: `5.1 cards (5.0 to 5.2)`, `3.90e10 nodes ± 0.7 %`.
    pub fn phrase(&self, unit: &str) -> String {
        match (self.relative(unit), self.interval(unit)) {
            (Some(relative), _) => format!("{} ± {relative}", self.value(unit)),
            (None, Some(interval)) => format!("{} ({interval})", self.value(unit)),
            (None, None) if self.is_untrusted() => {
                format!("{} ({UNTRUSTED})", self.value(unit))
            }
            (None, None) => self.value(unit),
        }
    }

    /// Half the interval's width in per cent of a very large estimate, if the interval is small
    /// and about symmetric.
    fn relative(&self, unit: &str) -> Option<String> {
        let mean = self.mean.filter(|mean| self.is_scientific(*mean, unit))?;
        let (lo, hi) = (mean - self.ci_lo?, self.ci_hi? - mean);
        let share = (lo + hi) / 2.0 / mean.abs();
        let is_even = lo > 0.0 && (0.8..1.25).contains(&(hi / lo));
        (is_even && share < 0.3).then(|| format!("{} %", plain(share, share_digits(share, 1), "")))
    }

    /// The number of samples that have a property, where the share of them is rounded to none or
    /// all.
    fn whole_share(&self) -> Option<String> {
        let counted = ["wilson", "clopper-pearson"].contains(&self.ci_method.as_str());
        let share = self.mean.filter(|_| counted)?;
        let rounded: f64 = self.text(share, "").parse().ok()?;
        let having = (share * self.n as f64).round() as u64;
        (rounded == 0.0 || rounded == 100.0)
            .then(|| format!("{} of {}", count(having), count(self.n)))
    }

    /// Returns the bounds of an open estimate: one number if the interval, which holds both bounds,
    /// is too wide to tell them apart.
    fn between(&self, lo: f64, hi: f64, unit: &str) -> String {
        let [low, high] = match self.power(unit) {
            Some(_) => [lo, hi].map(|end| self.text(end, unit)),
            None => self.told_apart([lo, hi], unit),
        };
        if low == high {
            return with_unit(lo, &low, unit);
        }
        let low = signed(lo, &low, unit);
        format!("between {low} and {}", with_unit(hi, &high, unit))
    }

    /// Two numbers with as many digits as it takes to tell them apart.
    fn told_apart(&self, ends: [f64; 2], unit: &str) -> [String; 2] {
        let texts = |digits: usize| ends.map(|end| plain(end, digits, unit));
        let digits = self.digits(unit);
        let mut more = (digits..=9).map(texts);
        more.find(|[low, high]| low != high)
            .unwrap_or_else(|| texts(digits))
    }

    /// A number as precise as the interval supports, without its unit.
    fn text(&self, value: f64, unit: &str) -> String {
        if self.is_shared_by_all(value, unit) {
            return plain(value, 0, unit);
        }
        let Some(power) = self.power(unit) else {
            if self.is_untrusted() && value.abs() >= 1e6 {
                return format!("{value:.1e}");
            }
            return plain(value, self.digits(unit), unit);
        };
        if self.is_scientific(self.mean.unwrap_or(value), unit) {
            let digits = (value.abs().log10().floor() as i32 - power).clamp(1, 6) as usize;
            return format!("{value:.digits$e}");
        }
        if power <= 1 {
            return plain(value, self.digits(unit), unit);
        }
        let scale = scale(unit);
        // Before the point a second digit of the half-width: rounding must not move the ends.
        let step = 10_f64.powi(power - 1);
        plain((value * scale / step).round() * step / scale, 0, unit)
    }

    /// Returns whether it is a whole number that every sample had.
    fn is_shared_by_all(&self, value: f64, unit: &str) -> bool {
        let scale = scale(unit);
        let shared = self.ci_method == Method::AllEqual.name() && self.mean == Some(value);
        shared && (value * scale).fract() == 0.0
    }

    /// Returns whether an estimate is so large that only its leading digits are worth writing.
    fn is_scientific(&self, mean: f64, unit: &str) -> bool {
        mean.abs() >= 1e9 && !unit.is_empty() && self.power(unit).is_some()
    }

    /// Level and method of the interval: `95 %, wilson`; where there is none, why that is.
    pub fn method(&self) -> String {
        let name = &self.ci_method;
        let level = |level: f64| format!("{}, {name}", level_text(level));
        let level = self.ci_level.filter(|_| !self.is_exact()).map(level);
        level.unwrap_or_else(|| self.reason())
    }

    /// Returns the reason for a missing interval: `exact`, `untrusted`, or nothing.
    pub fn reason(&self) -> String {
        if self.is_exact() || self.is_untrusted() {
            self.ci_method.clone()
        } else {
            String::new()
        }
    }

    /// Returns whether it is known, within the bounds that a budget leaves, rather than estimated.
    pub fn is_exact(&self) -> bool {
        let exact = [Method::Exact, Method::ExactBounds];
        exact.iter().any(|method| method.name() == self.ci_method)
    }

    /// Returns whether it is the mean of weights that cannot be trusted.
    fn is_untrusted(&self) -> bool {
        self.ci_method == UNTRUSTED
    }

    /// Returns the number of samples that count: `400`, `400 (12 unresolved)`.
    pub fn samples(&self) -> String {
        match self.n_unresolved {
            0 => count(self.n),
            unresolved => format!("{} ({} unresolved)", count(self.n), count(unresolved)),
        }
    }

    /// Returns whether all that is known are whole numbers, such as a least or greatest value.
    fn is_whole(&self) -> bool {
        let ends = [self.mean, self.mean_lo, self.mean_hi];
        ends.into_iter().flatten().all(|end| end.fract() == 0.0)
    }

    /// The power of ten of the interval's half-width, in the unit that is shown; none where there
    /// is no interval.
    fn power(&self, unit: &str) -> Option<i32> {
        let scale = scale(unit);
        let (lo, hi) = self.ci_lo.zip(self.ci_hi)?;
        let width = (hi - lo) / 2.0 * scale;
        // A width a rounding error below a power of ten counts as that power.
        let power = (width * (1.0 + 1e-9)).log10().floor();
        (width > 0.0 && power.is_finite() && !self.is_exact()).then_some(power as i32)
    }

    /// Decimals that show the first digit of the interval's half-width.
    fn digits(&self, unit: &str) -> usize {
        match self.power(unit) {
            Some(power) => (-power).clamp(0, 9) as usize,
            None if self.is_whole() || self.is_untrusted() => 0,
            None => 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::format::of_difference;

    fn figure(mean: f64, half_width: f64) -> Figure {
        Figure {
            mean: Some(mean),
            ci_lo: Some(mean - half_width),
            ci_hi: Some(mean + half_width),
            ..Figure::default()
        }
    }

    #[test]
    fn money_has_its_sign_in_front_and_no_half_cents() {
        assert_eq!(figure(32.652, 0.057).phrase("$"), "$32.65 (32.59 to 32.71)");
        assert_eq!(figure(-3.2, 0.05).phrase("$"), "-$3.20 (-3.25 to -3.15)");
    }

    #[test]
    fn figures_are_rounded_to_their_uncertainty() {
        let phrase = figure(6.530, 0.0115).phrase("cards");
        assert_eq!(phrase, "6.53 cards (6.52 to 6.54)");
        let share = figure(0.12345, 0.0123).phrase("");
        assert_eq!(share, "12 % (11 to 14)");
        let nodes = |mean, half_width| figure(mean, half_width).phrase("nodes");
        assert_eq!(nodes(869.0, 48.0), "869 nodes (821 to 917)");
        assert_eq!(
            nodes(1_234_567.0, 0.0),
            "1,234,567 nodes (1,234,567 to 1,234,567)"
        );
        assert_eq!(
            nodes(1_234_567.0, 1800.0),
            "1,234,600 nodes (1,232,800 to 1,236,400)"
        );
        assert_eq!(figure(1.0, 0.9).value("cards"), "1.0 cards");
        assert_eq!(figure(1.0, 2.0).value("cards"), "1 card");
    }

    /// An end that would round to 0, or to no change or all, shows on which side of it it lies.
    #[test]
    fn the_digits_show_on_which_side_an_interval_ends() {
        let figure = |mean, lo, hi| Figure {
            ci_lo: Some(lo),
            ci_hi: Some(hi),
            ..figure(mean, 0.0)
        };
        let ratio = figure(0.9, 0.73, 1.02).phrase(UNITLESS);
        assert_eq!(ratio, "0.9 (0.7 to 1.02)");
        assert_eq!(
            figure(0.9, 0.73, 0.97).phrase("times"),
            "0.9 times (0.7 to 0.97)"
        );
        assert_eq!(figure(0.9, 0.73, 1.0).phrase(UNITLESS), "0.9 (0.7 to 1.0)");
        assert_eq!(
            figure(5.0, 0.02, 9.0).phrase("cards"),
            "5 cards (0.02 to 9)"
        );
        assert_eq!(
            figure(5.0, -0.02, 9.0).phrase("cards"),
            "5 cards (-0.02 to 9)"
        );
        assert_eq!(figure(0.9, 0.8, 0.9996).phrase(""), "90 % (80 to 99.96)");
        assert_eq!(figure(3.0, 0.97, 5.0).phrase("cards"), "3 cards (1 to 5)");
        assert_eq!(figure(1.0, 0.2, 1.8).value("plies"), "1.0 plies");
        assert_eq!(figure(1.0, -2.0, 4.0).value("plies"), "1 ply");
    }

    #[test]
    fn a_difference_of_shares_is_in_percentage_points() {
        let difference = figure(-0.0312, 0.004);
        assert_eq!(
            difference.phrase(of_difference("")),
            "-3.1 percentage points (-3.5 to -2.7)"
        );
        assert_eq!(of_difference("cards"), "cards");
    }

    #[test]
    fn a_whole_number_that_every_sample_had_has_no_decimals() {
        let regret = Figure {
            ci_lo: Some(0.0),
            ci_hi: Some(4e-5),
            ci_method: "all-equal".into(),
            ..figure(0.0, 0.0)
        };
        assert_eq!(regret.phrase("cards"), "0 cards (0 to 0.00004)");
        assert_eq!(regret.phrase("$"), "$0 (0 to 0.00004)");
    }

    #[test]
    fn a_plain_number_is_no_share() {
        assert_eq!(figure(3.47, 0.02).phrase(UNITLESS), "3.47 (3.45 to 3.49)");
        assert_eq!(figure(3.47, 0.02).short(UNITLESS), "3.47");
        let open = Figure {
            mean_lo: Some(0.0),
            mean_hi: Some(1.0),
            ..Figure::default()
        };
        assert_eq!(open.short(UNITLESS), "0 to 1");
    }

    #[test]
    fn very_large_estimates_have_a_relative_interval() {
        let nodes = |mean, half_width| figure(mean, half_width).phrase("nodes");
        assert_eq!(nodes(3.9e10, 2.7e8), "3.90e10 nodes ± 0.7 %");
        assert_eq!(nodes(3.9e10, 2.7e10), "3.9e10 nodes (1.2e10 to 6.6e10)");
    }

    #[test]
    fn none_or_all_of_the_samples_are_counted_and_bounded() {
        let share = |mean, (lo, hi)| Figure {
            n: 20_000,
            mean: Some(mean),
            ci_lo: Some(lo),
            ci_hi: Some(hi),
            ci_method: "wilson".into(),
            ..Figure::default()
        };
        assert_eq!(
            share(0.0, (0.0, 0.000192)).phrase(""),
            "0 of 20,000 (at most 0.019 %)"
        );
        assert_eq!(
            share(0.0, (0.0, 0.000192)).detail(""),
            "0 of 20,000, at most 0.019 %"
        );
        let all = share(1.0, (0.999808, 1.0)).phrase("");
        assert_eq!(all, "20,000 of 20,000 (at least 99.981 %)");
        let rare = Figure {
            n: 20_000_000,
            ..share(5e-8, (1e-9, 3e-7))
        };
        assert_eq!(rare.phrase(""), "1 of 20,000,000 (at most 0.000030 %)");
        assert_eq!(rare.short(""), "0 %");
    }

    #[test]
    fn bounds_closer_than_the_interval_tells_are_one_number() {
        let open = |lo, hi, half_width| Figure {
            mean: None,
            mean_lo: Some(lo),
            mean_hi: Some(hi),
            ..figure((lo + hi) / 2.0, half_width)
        };
        let edge = open(-3.44888, -3.44887, 0.0065).phrase("");
        assert_eq!(edge, "-344.9 % (-345.5 to -344.2)");
        assert_eq!(open(131.66, 131.68, 1.5).phrase("$"), "$132 (130 to 133)");
        let wide = open(0.30, 0.35, 0.04).phrase("");
        assert_eq!(wide, "between 30 and 35 % (28 to 36)");
    }

    #[test]
    fn open_and_missing_figures_say_so() {
        let open = Figure {
            mean_lo: Some(3.0),
            mean_hi: Some(4.0),
            ..Figure::default()
        };
        assert_eq!(open.phrase("cards"), "between 3 and 4 cards");
        let narrow = Figure {
            mean_lo: Some(3.041),
            mean_hi: Some(3.044),
            sd: Some(100.0),
            ..Figure::default()
        };
        assert_eq!(narrow.value("cards"), "between 3.041 and 3.044 cards");
        assert_eq!(Figure::default().phrase("cards"), "not defined");
        let untrusted = Figure {
            mean: Some(4_321.6),
            ci_method: UNTRUSTED.into(),
            ..Figure::default()
        };
        assert_eq!(untrusted.phrase("nodes"), "4322 nodes (untrusted)");
        assert_eq!(untrusted.method(), "untrusted");
    }
}
