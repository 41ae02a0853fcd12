//! Figures as people read them: rounded to their uncertainty, with interval and unit.

use super::rows::Fields;
use crate::output::UNTRUSTED;
use crate::stats::{Estimate, Interval, Level, Method, Validity};

/// An estimate as the tables hold it.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// Samples that count.
    pub n: u64,
    /// Of them unresolved.
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
    /// What it is valid under.
    pub valid_under: String,
}

impl Figure {
    pub(super) fn read(fields: &Fields<'_>) -> Self {
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
        match self.is_exact() {
            true => estimate.exact(),
            false => estimate,
        }
    }

    /// The estimate alone, rounded to its uncertainty: `5.13 cards`, `12.4 %`, `between 3 and 4`.
    pub fn value(&self, unit: &str) -> String {
        let digits = self.digits(unit);
        match (self.mean, self.mean_lo, self.mean_hi) {
            (Some(mean), ..) => quantity(mean, digits, unit),
            (None, Some(lo), Some(hi)) => {
                // As many digits more as it takes to tell the bounds apart.
                let apart = |&digits: &usize| plain(lo, digits, unit) != plain(hi, digits, unit);
                let digits = (digits..=9).find(apart).unwrap_or(digits);
                let (low, high) = (plain(lo, digits, unit), quantity(hi, digits, unit));
                format!("between {low} and {high}")
            }
            _ => "not defined".into(),
        }
    }

    /// Another number in the same unit, with two digits more than the estimate has.
    pub fn beside(&self, value: f64, unit: &str) -> String {
        quantity(value, (self.digits(unit) + 2).min(9), unit)
    }

    /// The interval alone: `5.11 to 5.15`; `None` where there is none, or nothing is estimated.
    pub fn interval(&self, unit: &str) -> Option<String> {
        let digits = self.digits(unit);
        let ends = self.ci_lo.zip(self.ci_hi);
        let (lo, hi) = ends.filter(|_| !self.is_exact())?;
        // A sign before the number belongs to both ends, a unit after it to the last one.
        let low = match unit {
            "$" => quantity(lo, digits, unit),
            _ => plain(lo, digits, unit),
        };
        Some(format!("{low} to {}", quantity(hi, digits, unit)))
    }

    /// Estimate and interval: `5.13 cards (5.11 to 5.15 cards)`.
    pub fn phrase(&self, unit: &str) -> String {
        match self.interval(unit) {
            Some(interval) => format!("{} ({interval})", self.value(unit)),
            None if self.is_untrusted() => format!("{} ({UNTRUSTED})", self.value(unit)),
            None => self.value(unit),
        }
    }

    /// Level and method of the interval: `95 %, wilson`; where there is none, why that is.
    pub fn method(&self) -> String {
        let name = &self.ci_method;
        let level = |level: f64| format!("{} %, {name}", (level * 1e6).round() / 1e4);
        let level = self.ci_level.filter(|_| !self.is_exact()).map(level);
        level.unwrap_or_else(|| self.reason())
    }

    /// Why there is no interval: `exact`, `untrusted`, or nothing.
    pub fn reason(&self) -> String {
        if self.is_exact() || self.is_untrusted() {
            self.ci_method.clone()
        } else {
            String::new()
        }
    }

    /// Whether it is known, within the bounds that a budget leaves, rather than estimated.
    pub fn is_exact(&self) -> bool {
        let exact = [Method::Exact, Method::ExactBounds];
        exact.iter().any(|method| method.name() == self.ci_method)
    }

    /// Whether the weights it is the mean of are too concentrated for an interval.
    fn is_untrusted(&self) -> bool {
        self.ci_method == UNTRUSTED
    }

    /// How many samples count: `400`, `400 (12 unresolved)`.
    pub fn samples(&self) -> String {
        match self.n_unresolved {
            0 => count(self.n),
            unresolved => format!("{} ({} unresolved)", count(self.n), count(unresolved)),
        }
    }

    /// Whether all that is known are whole numbers, such as a least or greatest value.
    fn is_whole(&self) -> bool {
        let ends = [self.mean, self.mean_lo, self.mean_hi];
        ends.into_iter().flatten().all(|end| end.fract() == 0.0)
    }

    /// Decimals that show two digits of the interval's half-width.
    fn digits(&self, unit: &str) -> usize {
        let scale = if unit.is_empty() { 100.0 } else { 1.0 };
        let width = match self.ci_lo.zip(self.ci_hi) {
            Some((lo, hi)) if hi > lo && !self.is_exact() => (hi - lo) / 2.0 * scale,
            _ if self.is_whole() || self.is_untrusted() => return 0,
            _ => return 2,
        };
        // A width a rounding error below a power of ten counts as that power.
        (1.0 - (width * (1.0 + 1e-9)).log10().floor()).clamp(0.0, 9.0) as usize
    }
}

/// A number in its unit; without a unit it is a share and shown in per cent.
pub fn quantity(value: f64, digits: usize, unit: &str) -> String {
    match unit {
        "" => format!("{} %", plain(value, digits, unit)),
        "$" => money(value, digits),
        _ => format!("{} {unit}", plain(value, digits, unit)),
    }
}

/// Dollars, the sign first, and cents whole or not at all.
fn money(value: f64, digits: usize) -> String {
    let digits = if digits == 1 { 2 } else { digits };
    let amount = plain(value.abs(), digits, "$");
    let is_zero = amount.bytes().all(|digit| !(b'1'..=b'9').contains(&digit));
    let sign = if value < 0.0 && !is_zero { "-" } else { "" };
    format!("{sign}${amount}")
}

/// A number as axes show it: short, in per cent where there is no unit, dollars marked, other
/// units left to the title.
pub(super) fn tick(value: f64, unit: &str) -> String {
    match unit {
        "" => format!("{} %", compact(value * 100.0)),
        "$" if value < 0.0 => format!("-${}", compact(-value)),
        "$" => format!("${}", compact(value)),
        _ => compact(value),
    }
}

/// About three significant digits: `0.25`, `12`, `34k`, `5.6M`, `1e12`.
fn compact(value: f64) -> String {
    let (scaled, suffix) = match value.abs() {
        0.0 => (0.0, ""),
        size if !(1e-4..1e9).contains(&size) => return format!("{value:.2e}").replace(".00e", "e"),
        size if size >= 1e6 => (value / 1e6, "M"),
        size if size >= 1e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let decimals = (2.0 - scaled.abs().max(1e-4).log10().floor()).clamp(0.0, 6.0) as usize;
    let text = format!("{scaled:.decimals$}");
    let short = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    format!("{short}{suffix}")
}

fn plain(value: f64, digits: usize, unit: &str) -> String {
    let value = if unit.is_empty() {
        value * 100.0
    } else {
        value
    };
    if value.abs() >= 1e15 {
        format!("{value:.3e}")
    } else {
        grouped(&format!("{value:.digits$}"))
    }
}

/// A count as people write it: `5,000,000`.
pub fn count(number: u64) -> String {
    grouped(&number.to_string())
}

/// Digits before the point in groups of three, from five digits on.
fn grouped(text: &str) -> String {
    let (sign, rest) = text
        .strip_prefix('-')
        .map_or(("", text), |rest| ("-", rest));
    let (whole, fraction) = rest.find('.').map_or((rest, ""), |at| rest.split_at(at));
    if whole.len() < 5 {
        return text.to_owned();
    }
    let first = whole.len() % 3;
    let mut groups: Vec<&str> = Vec::new();
    if first > 0 {
        groups.push(&whole[..first]);
    }
    groups.extend((first..whole.len()).step_by(3).map(|at| &whole[at..at + 3]));
    format!("{sign}{}{fraction}", groups.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let money = |value, digits| quantity(value, digits, "$");
        assert_eq!(money(-8.0, 1), "-$8.00");
        assert_eq!(money(22.364, 2), "$22.36");
        assert_eq!(money(-1234567.0, 0), "-$1,234,567");
        assert_eq!(money(-0.001, 2), "$0.00");
    }

    #[test]
    fn figures_are_rounded_to_their_uncertainty() {
        let phrase = figure(5.12345, 0.0213).phrase("cards");
        assert_eq!(phrase, "5.123 cards (5.102 to 5.145 cards)");
        let share = figure(0.12345, 0.0123).phrase("");
        assert_eq!(share, "12.3 % (11.1 to 13.6 %)");
        assert_eq!(figure(1_234_567.0, 100.0).value("nodes"), "1,234,567 nodes");
    }

    #[test]
    fn axes_show_short_numbers() {
        let shown: Vec<String> = [0.0, 0.25, 12.0, 1500.0, 34_000.0, 5.6e6, 1e12, -0.5]
            .map(|value| tick(value, "cards"))
            .into();
        assert_eq!(
            shown,
            ["0", "0.25", "12", "1500", "34k", "5.6M", "1e12", "-0.5"]
        );
        assert_eq!(tick(0.125, ""), "12.5 %");
        assert_eq!(tick(-5.0, "$"), "-$5");
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
