//! The digits that a figure shows: as many as its interval supports.

use super::Figure;
use crate::format::{EXPONENT_FROM, MOST_DECIMALS, plain, scale, step};
use stats::{Estimate, Method, Span};

/// The form of a number that is as precise as its interval.
enum Form {
    /// A number of digits after the point.
    Decimals(usize),
    /// A number of digits after the first one, with an exponent.
    Scientific(usize),
    /// The digits down to this power of ten of what is shown, with an exponent.
    Leading(i32),
    /// A whole number, rounded to this power of ten of what is shown.
    Rounded(i32),
}

impl Figure<'_> {
    /// Decimals that show the first digit of the interval's half-width; `None` without an interval.
    pub fn decimals(&self) -> Option<usize> {
        let most = MOST_DECIMALS as i32;
        self.power().map(|power| (-power).clamp(0, most) as usize)
    }

    /// The form in which a number is written.
    fn form(&self, value: f64) -> Form {
        if self.is_shared_by_all(value) {
            return Form::Decimals(0);
        }
        let Some(power) = self.power() else {
            if self.is_untrusted() && value.abs() >= 1e6 {
                return Form::Scientific(1);
            }
            return Form::Decimals(self.digits());
        };
        if self.is_scientific(self.estimate.value.unwrap_or(value)) {
            return Form::Scientific(scientific_digits(value * scale(self.unit), power));
        }
        match self.tiny() {
            Some(power) => Form::Leading(power),
            None if power <= 1 => Form::Decimals(self.digits()),
            // Before the point a second digit of the half-width: rounding must not move the ends.
            None => Form::Rounded(power - 1),
        }
    }

    /// A number as precise as the interval supports, without its unit.
    pub(super) fn text(&self, value: f64) -> String {
        let scale = scale(self.unit);
        match self.form(value) {
            Form::Decimals(digits) => plain(value, digits, self.unit),
            Form::Scientific(digits) => format!("{:.digits$e}", value * scale),
            Form::Leading(power) => leading(value * scale, power),
            Form::Rounded(power) => {
                let step = 10_f64.powi(power);
                plain((value * scale / step).round() * step / scale, 0, self.unit)
            }
        }
    }

    /// The step between the numbers that can be written so.
    pub(super) fn step(&self, value: f64) -> f64 {
        let scale = scale(self.unit);
        match self.form(value) {
            Form::Decimals(digits) => step(digits, self.unit),
            Form::Scientific(digits) => {
                10_f64.powi(power_of(value * scale).saturating_sub(digits as i32)) / scale
            }
            Form::Leading(power) | Form::Rounded(power) => 10_f64.powi(power) / scale,
        }
    }

    /// Returns whether it is a whole number that every sample had.
    fn is_shared_by_all(&self, value: f64) -> bool {
        let scale = scale(self.unit);
        let shared = self.has_method(&[Method::AllEqual]) && self.estimate.value == Some(value);
        shared && (value * scale).fract() == 0.0
    }

    /// Returns whether an estimate is written with an exponent: it is so large that only its leading digits
    /// are worth writing, or larger than other numbers are.
    pub(super) fn is_scientific(&self, mean: f64) -> bool {
        let shown = (mean * scale(self.unit)).abs();
        let is_large = shown >= 1e9 && !self.unit.is_empty();
        let is_short = |power| is_large && power_of(shown) - power <= 6;
        let power = self.power();
        power.is_some_and(|power| is_short(power) || shown >= EXPONENT_FROM)
    }

    /// The power of ten of the interval's half-width, if both ends are so small that only their leading
    /// digits are worth writing.
    pub(super) fn tiny(&self) -> Option<i32> {
        let Span { lo, hi } = self.ends?;
        let is_small = lo.abs().max(hi.abs()) * scale(self.unit) < 1e-6;
        self.power().filter(|power| *power < -8 && is_small)
    }

    /// Returns whether all that is known are whole numbers, such as a least or greatest value.
    fn is_whole(&self) -> bool {
        let Estimate {
            value,
            lower,
            upper,
            ..
        } = self.estimate;
        let ends = [value, lower, upper];
        ends.into_iter().flatten().all(|end| end.fract() == 0.0)
    }

    /// The power of ten of the interval's half-width, in the unit that is shown, or of that of a difference where
    /// it is less; none where there is no interval.
    pub(super) fn power(&self) -> Option<i32> {
        let scale = scale(self.unit);
        let Span { lo, hi } = self.ends?;
        let width = (hi - lo) / 2.0 * scale;
        // A width a rounding error below a power of ten counts as that power.
        let power = libm::log10(width * (1.0 + 1e-9)).floor();
        let own = (width > 0.0 && power.is_finite() && !self.is_exact()).then_some(power as i32)?;
        Some(self.of_difference.map_or(own, |power| own.min(power)))
    }

    pub(super) fn digits(&self) -> usize {
        match self.decimals() {
            Some(own) => self.column.clamp(own, own + 1),
            None if self.is_whole() || self.is_untrusted() => 0,
            // Of a small number as many as show two digits: others beside it may differ in them.
            None => {
                let size = self.estimate.value.unwrap_or(1.0).abs() * scale(self.unit);
                let digits = 1.0 - libm::log10(size.max(1e-15)).floor();
                digits.clamp(2.0, MOST_DECIMALS as f64) as usize
            }
        }
    }
}

/// The digits after the first of a large number whose interval has a half-width of this power of ten.
fn scientific_digits(value: f64, power: i32) -> usize {
    power_of(value)
        .saturating_sub(power)
        .clamp(1, MOST_DECIMALS as i32) as usize
}

/// The power of ten of a number's first digit.
fn power_of(value: f64) -> i32 {
    libm::log10(value.abs()).floor() as i32
}

/// The leading digits of a number down to this power of ten: `4.97e-10`.
pub(super) fn leading(value: f64, power: i32) -> String {
    let digits = power_of(value).saturating_sub(power);
    if digits < 0 {
        return "0".to_owned();
    }
    format!("{value:.*e}", digits.min(16) as usize)
}
