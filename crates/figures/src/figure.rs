//! Figures as people read them: rounded to their uncertainty, with interval and unit.

mod precision;

use std::collections::HashSet;

use super::format::{
    MOST_DECIMALS, level_text, plain, quantity, scale, share_digits, signed, singular, step,
    with_unit,
};
use base::count;
use precision::leading;
use stats::{Estimate, Interval, Method, Outward, Span, Withheld, outward};
use task::UNITLESS;

/// Figures of a column that are looked at to tell them apart.
const MOST_COMPARED: usize = 240;

/// An estimate in a unit, as people read it.
#[derive(Clone, Copy, Debug)]
pub struct Figure<'unit> {
    /// The estimate.
    pub estimate: Estimate,
    /// The ends of its interval.
    ends: Option<Span>,
    /// The decimal logarithm of an estimate that is beyond the numbers of the machine.
    pub log10: Option<f64>,
    unit: &'unit str,
    /// The decimals of its column: it has one decimal more than its own if it has fewer than these.
    pub column: usize,
    /// True if it is the budget at which a search stopped, and not what the search would have taken.
    pub is_cap: bool,
    /// A number that it was compared with: what is shown is on the side of it where the number is.
    threshold: Option<f64>,
    /// The power of ten of the half-width of a difference that it is a side of.
    of_difference: Option<i32>,
}

impl<'unit> Figure<'unit> {
    /// The figure of an estimate in this unit.
    pub fn of(estimate: &Estimate, unit: &'unit str) -> Self {
        Self {
            estimate: *estimate,
            ends: estimate.interval.map(Interval::ends),
            log10: None,
            unit,
            column: 0,
            is_cap: false,
            threshold: None,
            of_difference: None,
        }
    }

    /// The figure of what was compared with a number.
    pub fn against(self, threshold: Option<f64>) -> Self {
        Self { threshold, ..self }
    }

    /// The figure of one side of a difference: as precise as this one, if that is more precise.
    pub fn compared(self, difference: &Figure<'_>) -> Self {
        let powers = [self.of_difference, difference.power()];
        Self {
            of_difference: powers.into_iter().flatten().min(),
            ..self
        }
    }

    /// The figure of a number in this unit, with the ends of an interval that need no method.
    pub fn plain(value: f64, ends: Option<Span>, unit: &'unit str) -> Self {
        let estimate = Estimate {
            value: Some(value),
            ..Estimate::default()
        };
        Self {
            ends,
            ..Self::of(&estimate, unit)
        }
    }

    /// The estimate alone, rounded to its uncertainty: `5.1 cards`, `12 %`, `between 3 and 4`,
    /// `0 of 400`, `10^412.3 nodes`, `more than 1,000 nodes`.
    pub fn value(&self) -> String {
        if self.is_cap {
            let stopped = Self {
                is_cap: false,
                ..*self
            };
            return format!("more than {}", stopped.value());
        }
        if let Some(share) = self.whole_share() {
            return share;
        }
        match (
            self.estimate.value,
            self.estimate.lower,
            self.estimate.upper,
        ) {
            (Some(mean), ..) => {
                let misleads = |text: &str| self.ends.is_none() && self.is_across(text, mean);
                let text = self.told(self.text(mean), misleads, |_| mean);
                with_unit(mean, &text, self.unit)
            }
            (None, Some(lo), Some(hi)) => self.between(lo, hi),
            _ => match self.log10 {
                Some(power) => with_unit(f64::INFINITY, &format!("10^{power:.1}"), self.unit),
                None => "not defined".into(),
            },
        }
    }

    /// The estimate without a unit that is a word: `5.1`, `12 %`, `3 to 4`, `> 1,000`.
    pub fn short(&self) -> String {
        let value = match (self.whole_share(), self.estimate.value) {
            (Some(_), Some(share)) => quantity(share.round(), 0, ""),
            _ => self.value(),
        };
        let bare = match self.unit {
            "" | UNITLESS => &value,
            unit => value
                .trim_end_matches(&format!(" {unit}"))
                .trim_end_matches(&format!(" {}", singular(unit))),
        };
        if let Some(bounds) = bare.strip_prefix("between ") {
            return bounds.replace(" and ", " to ");
        }
        bare.replacen("more than", ">", 1)
    }

    /// Another number in the same unit, with two digits more than the estimate has.
    pub fn beside(&self, value: f64) -> String {
        if let Some(power) = self.tiny() {
            return with_unit(
                value,
                &leading(value * scale(self.unit), power - 2),
                self.unit,
            );
        }
        quantity(value, (self.digits() + 2).min(MOST_DECIMALS), self.unit)
    }

    /// The interval alone, without its unit: `5.0 to 5.2`; `None` where there is none, or nothing
    /// is estimated.
    pub fn interval(&self) -> Option<String> {
        let Span { lo, hi } = self.ends.filter(|_| !self.is_exact())?;
        let percent = |share, side| {
            let text = |digits| quantity_to(share, digits, side);
            let least = share_digits(share, 2);
            let mut more = (least..=MOST_DECIMALS).map(text);
            more.find(|text| !self.is_across(text.trim_end_matches(" %"), share))
                .unwrap_or_else(|| text(least))
        };
        let text = match (self.whole_share(), self.estimate.value) {
            (Some(_), Some(share)) if share < 0.5 => {
                format!("at most {}", percent(hi, Outward::Above))
            }
            (Some(_), _) => format!("at least {}", percent(lo, Outward::Below)),
            (None, _) => {
                let [lo, hi] = [self.end(lo, Outward::Below), self.end(hi, Outward::Above)];
                format!("{lo} to {hi}")
            }
        };
        Some(text)
    }

    /// An end of the interval, rounded to this side, with as many digits as show that it is not 0, not 1
    /// where that means no change or all, and on which side of the threshold it is.
    fn end(&self, value: f64, side: Outward) -> String {
        let marks: &[f64] = match self.unit {
            "" | UNITLESS | "times" => &[0.0, 1.0],
            _ => &[0.0],
        };
        let is_mark = |text: &str| {
            let shown = number(text);
            let mut marks = marks.iter().filter(|mark| **mark != value);
            marks.any(|mark| shown == Some(mark * scale(self.unit)))
        };
        let text = self.text(outward(value, self.step(value), side));
        let misleads = |text: &str| is_mark(text) || self.is_across(text, value);
        let rounded = |digits| outward(value, step(digits, self.unit), side);
        self.told(text, misleads, rounded)
    }

    /// Returns a text, or the number with as many digits as it takes not to mislead.
    fn told(
        &self,
        text: String,
        misleads: impl Fn(&str) -> bool,
        rounded: impl Fn(usize) -> f64,
    ) -> String {
        if !misleads(&text) {
            return text;
        }
        let mut more =
            (self.digits()..=MOST_DECIMALS).map(|digits| plain(rounded(digits), digits, self.unit));
        more.find(|text| !misleads(text)).unwrap_or(text)
    }

    /// Returns whether the text of a number is on another side of the threshold than the number itself.
    fn is_across(&self, text: &str, value: f64) -> bool {
        let at = |value: f64| number(&format!("{:.12}", value * scale(self.unit)));
        let threshold = self.threshold.and_then(at);
        let side = |value: Option<f64>| value.partial_cmp(&threshold);
        threshold.is_some() && side(number(text)) != side(at(value))
    }

    /// Returns the detail of the short estimate: its interval, with the count if all or none of the
    /// samples have a property: `0 of 600, at most 0.61 %`.
    pub fn detail(&self) -> String {
        let parts = [self.whole_share(), self.interval()];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        parts.join(", ")
    }

    /// Estimate and interval, the unit once: `5.1 cards (5.0 to 5.2)`, `3.90e10 nodes ± 0.7 %`.
    pub fn phrase(&self) -> String {
        match (self.relative(), self.interval()) {
            (Some(relative), _) => format!("{} ± {relative}", self.value()),
            (None, Some(interval)) => format!("{} ({interval})", self.value()),
            (None, None) => match self.withheld() {
                "" => self.value(),
                reason => format!("{} ({})", self.value(), reason.replace('-', " ")),
            },
        }
    }

    /// The reach of the interval in per cent of a very large estimate, if the interval is small and about symmetric.
    fn relative(&self) -> Option<String> {
        let mean = self
            .estimate
            .value
            .filter(|mean| self.is_scientific(*mean))?;
        let ends = self.ends?;
        let (lo, hi) = (mean - ends.lo, ends.hi - mean);
        let is_even = lo > 0.0 && (0.8..1.25).contains(&(hi / lo));
        // What is shown holds the interval: about the estimate as it is written.
        let shown = number(&self.text(mean)).map_or(mean, |shown| shown / scale(self.unit));
        let share = (shown - ends.lo).max(ends.hi - shown) / shown.abs();
        (is_even && (1e-7..0.3).contains(&share))
            .then(|| quantity_to(share, share_digits(share, 1), Outward::Above))
    }

    /// The number of samples that have a property, where the share of them is rounded to none or
    /// all.
    fn whole_share(&self) -> Option<String> {
        let counted = self.has_method(&[Method::ClopperPearson]);
        let share = self.estimate.value.filter(|_| counted)?;
        let rounded: f64 = Self { unit: "", ..*self }.text(share).parse().ok()?;
        let having = (share * self.estimate.n as f64).round() as u64;
        (rounded == 0.0 || rounded == 100.0)
            .then(|| format!("{} of {}", count(having), count(self.estimate.n)))
    }

    /// Returns the bounds of an open estimate: one number if the interval, which holds both bounds,
    /// is too wide to tell them apart.
    fn between(&self, lo: f64, hi: f64) -> String {
        let [low, high] = match self.power() {
            Some(_) => [lo, hi].map(|end| self.text(end)),
            None => self.told_apart([lo, hi]),
        };
        if low == high {
            return with_unit(lo, &low, self.unit);
        }
        let low = signed(lo, &low, self.unit);
        format!("between {low} and {}", with_unit(hi, &high, self.unit))
    }

    /// Returns two numbers with as many digits as it takes to tell them apart.
    fn told_apart(&self, ends: [f64; 2]) -> [String; 2] {
        let texts = |digits: usize| ends.map(|end| plain(end, digits, self.unit));
        let digits = self.digits();
        let mut more = (digits..=MOST_DECIMALS).map(texts);
        more.find(|[low, high]| low != high)
            .unwrap_or_else(|| texts(digits))
    }

    /// Level and method of the interval: `95 %, clopper-pearson`; where there is none, why that is.
    pub fn method(&self) -> String {
        let interval = self.estimate.interval.filter(|_| !self.is_exact());
        let named = |interval: Interval| {
            let level = level_text(interval.level.get());
            format!("{level}, {}", interval.method.as_ref())
        };
        interval.map_or_else(|| self.reason().to_owned(), named)
    }

    /// Returns the reason for a missing interval: `exact`, `untrusted`, `one-sample`, or nothing.
    pub fn reason(&self) -> &'static str {
        match self.estimate.interval {
            Some(interval) if self.is_exact() => interval.method.into(),
            Some(_) => "",
            None => self.withheld(),
        }
    }

    /// Returns the reason for which an interval is withheld, or nothing.
    fn withheld(&self) -> &'static str {
        self.estimate.withheld.map_or("", Into::into)
    }

    fn is_untrusted(&self) -> bool {
        self.estimate.withheld == Some(Withheld::Untrusted)
    }

    /// Returns whether it is known, within the bounds that a budget leaves, rather than estimated.
    pub fn is_exact(&self) -> bool {
        self.has_method(&[Method::Exact, Method::ExactBounds])
    }

    fn has_method(&self, methods: &[Method]) -> bool {
        let interval = self.estimate.interval;
        interval.is_some_and(|interval| methods.contains(&interval.method))
    }

    /// Returns the number of samples that count: `400`, `400 (12 unresolved)`.
    pub fn samples(&self) -> String {
        match self.estimate.unresolved {
            0 => count(self.estimate.n),
            unresolved => format!(
                "{} ({} unresolved)",
                count(self.estimate.n),
                count(unresolved)
            ),
        }
    }
}

/// The decimals of a column of figures in one unit: the most that any of them has, and one more where that tells
/// two apart that would print equal.
pub fn column_decimals(figures: &[Figure<'_>]) -> usize {
    let most = figures.iter().filter_map(Figure::decimals).max();
    let most = most.unwrap_or(0);
    let is_money = figures.first().is_some_and(|figure| figure.unit == "$");
    // Dollars have cents or none, each as its interval supports.
    let usual = if is_money { 0 } else { most };
    let told_apart = |column| {
        let texts = figures
            .iter()
            .map(|&figure| Figure { column, ..figure }.value());
        texts.collect::<HashSet<String>>().len()
    };
    let is_told = figures.len() <= MOST_COMPARED && told_apart(most + 1) > told_apart(usual);
    if is_told { most + 1 } else { usual }
}

/// The number that a text shows.
fn number(text: &str) -> Option<f64> {
    text.replace(',', "").parse().ok()
}

/// Returns a share in per cent with a number of digits, rounded to this side.
fn quantity_to(share: f64, digits: usize, side: Outward) -> String {
    quantity(outward(share, step(digits, ""), side), digits, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::of_difference;
    use stats::{Level, Validity};

    fn between(ends: Span, method: Method) -> Option<Interval> {
        Interval::new(ends, Level::DEFAULT, method, Validity::FixedN)
    }

    fn estimate(mean: f64, half_width: f64) -> Estimate {
        let ends = Span::about(mean, half_width);
        Estimate {
            value: Some(mean),
            interval: between(ends, Method::StudentT),
            ..Estimate::default()
        }
    }

    fn phrase(estimate: Estimate, unit: &str) -> String {
        Figure::of(&estimate, unit).phrase()
    }

    fn value(estimate: Estimate, unit: &str) -> String {
        Figure::of(&estimate, unit).value()
    }

    #[test]
    fn two_small_numbers_without_intervals_that_differ_do_not_print_equal() {
        let told = |share| Figure::plain(share, None, "").value();
        assert_eq!(
            [1.755e-4, 1.561e-4, 0.5, 0.0].map(told),
            ["0.018 %", "0.016 %", "50.00 %", "0 %"]
        );
        assert_eq!(Figure::plain(5.583, None, "cards").value(), "5.58 cards");
    }

    #[test]
    fn money_has_its_sign_in_front_and_no_half_cents() {
        assert_eq!(
            phrase(estimate(32.652, 0.057), "$"),
            "$32.65 (32.59 to 32.71)"
        );
        assert_eq!(phrase(estimate(-3.2, 0.05), "$"), "-$3.20 (-3.25 to -3.15)");
    }

    #[test]
    fn figures_are_rounded_to_their_uncertainty() {
        let cards = phrase(estimate(6.530, 0.0115), "cards");
        assert_eq!(cards, "6.53 cards (6.51 to 6.55)");
        let share = phrase(estimate(0.12345, 0.0123), "");
        assert_eq!(share, "12 % (11 to 14)");
        let nodes = |mean, half_width| phrase(estimate(mean, half_width), "nodes");
        assert_eq!(nodes(869.0, 48.0), "869 nodes (821 to 917)");
        assert_eq!(
            nodes(1_234_567.0, 0.0),
            "1,234,567 nodes (1,234,567 to 1,234,567)"
        );
        assert_eq!(
            nodes(1_234_567.0, 1800.0),
            "1,234,600 nodes (1,232,700 to 1,236,400)"
        );
        assert_eq!(value(estimate(1.0, 0.9), "cards"), "1.0 cards");
        assert_eq!(value(estimate(1.0, 2.0), "cards"), "1 card");
    }

    #[test]
    fn ends_beyond_10_to_the_16_have_the_digits_of_their_width() {
        for (mean, half) in [
            (1_152_921_504_606_846_976.0, 2_048.0),
            (-34_028_236_692_093_846.0, 52.0),
            (7.7e19, 3.1e6),
            (5.5e21, 1.25e18),
            (9.9e302, 4e289),
        ] {
            let told = Figure::of(&estimate(mean, half), "steps")
                .interval()
                .unwrap();
            let (lo, hi) = told.split_once(" to ").unwrap();
            let [lo, hi] = [lo, hi].map(|end| end.replace(',', "").parse::<f64>().unwrap());
            // The unit of the half-width's first digit is a half of it at most, but for rounding.
            assert!((mean - 2.0 * half..=mean - half).contains(&lo), "{told}");
            assert!((mean + half..=mean + 2.0 * half).contains(&hi), "{told}");
        }
    }

    #[test]
    fn both_sides_of_a_difference_have_its_digits() {
        let told = |sides: [Estimate; 2], difference, unit: &str| {
            let difference = Figure::of(&difference, of_difference(unit));
            sides.map(|side| Figure::of(&side, unit).compared(&difference).phrase())
        };
        let shares = [0.81771, 0.81352].map(|share| estimate(share, 0.0151));
        let phrases = told(shares, estimate(0.00419, 0.0024), "");
        assert_eq!(phrases, ["81.8 % (80.2 to 83.3)", "81.4 % (79.8 to 82.9)"]);
        let wide = told(shares, estimate(0.0, 0.2), "");
        assert_eq!(wide, ["82 % (80 to 84)", "81 % (79 to 83)"]);
        let nodes = [1_234_567.0, 1_234_321.0].map(|mean| estimate(mean, 1_800.0));
        let phrases = told(nodes, estimate(246.0, 3.0), "nodes");
        assert!(phrases[0].starts_with("1,234,567 nodes ("), "{phrases:?}");
    }

    /// An end that would round to 0, or to no change or all, shows on which side of it it lies.
    #[test]
    fn the_digits_show_on_which_side_an_interval_ends() {
        let estimate = |mean, lo, hi| Estimate {
            interval: between(Span { lo, hi }, Method::StudentT),
            ..estimate(mean, 0.0)
        };
        let ratio = phrase(estimate(0.9, 0.73, 1.02), UNITLESS);
        assert_eq!(ratio, "0.9 (0.7 to 1.1)");
        assert_eq!(
            phrase(estimate(0.9, 0.73, 0.97), "times"),
            "0.9 times (0.7 to 0.97)"
        );
        assert_eq!(
            phrase(estimate(0.9, 0.73, 1.0), UNITLESS),
            "0.9 (0.7 to 1.0)"
        );
        assert_eq!(
            phrase(estimate(5.0, 0.02, 9.0), "cards"),
            "5 cards (0.02 to 9)"
        );
        assert_eq!(
            phrase(estimate(5.0, -0.02, 9.0), "cards"),
            "5 cards (-1 to 9)"
        );
        assert_eq!(phrase(estimate(0.9, 0.8, 0.9996), ""), "90 % (80 to 99.96)");
        assert_eq!(
            phrase(estimate(3.0, 0.97, 5.0), "cards"),
            "3 cards (0.9 to 5)"
        );
        assert_eq!(value(estimate(1.0, 0.2, 1.8), "plies"), "1.0 plies");
        assert_eq!(value(estimate(1.0, -2.0, 4.0), "plies"), "1 ply");
    }

    #[test]
    fn figures_of_a_column_have_one_decimal_more_than_their_own_at_most() {
        let figure = |half_width| Figure::of(&estimate(0.543, half_width), "").decimals();
        assert_eq!(
            [0.013, 0.0095, 0.0009].map(figure),
            [Some(0), Some(1), Some(2)]
        );
        let within = |column| {
            let figure = Figure::of(&estimate(0.543, 0.013), "");
            Figure { column, ..figure }.phrase()
        };
        assert_eq!(within(0), "54 % (53 to 56)");
        assert_eq!(within(1), "54.3 % (53.0 to 55.6)");
        assert_eq!(within(2), within(1));
    }

    #[test]
    fn figures_of_a_column_that_differ_do_not_print_equal() {
        let told = |means: &[f64], half_width: f64, unit| {
            let figures = means.iter().map(|&mean| estimate(mean, half_width));
            let figures: Vec<Figure<'_>> = figures.map(|one| Figure::of(&one, unit)).collect();
            let column = column_decimals(&figures);
            let values = figures.iter().map(|&figure| Figure { column, ..figure });
            values.map(|figure| figure.value()).collect::<Vec<_>>()
        };
        assert_eq!(
            told(&[0.5443, 0.5353, 0.31], 0.018, ""),
            ["54.4 %", "53.5 %", "31.0 %"]
        );
        assert_eq!(told(&[0.5443, 0.31], 0.018, ""), ["54 %", "31 %"]);
        assert_eq!(told(&[0.5443, 0.5443], 0.018, ""), ["54 %", "54 %"]);
        // A second digit of the uncertainty is the last that means anything.
        assert_eq!(told(&[0.5443, 0.5442], 0.018, ""), ["54 %", "54 %"]);
        assert_eq!(told(&[27.26, 26.80], 1.2, "$"), ["$27.26", "$26.80"]);
        assert_eq!(told(&[27.26, 31.0], 1.2, "$"), ["$27", "$31"]);
    }

    #[test]
    fn a_difference_of_shares_is_in_percentage_points() {
        assert_eq!(
            phrase(estimate(-0.0312, 0.004), of_difference("")),
            "-3.1 percentage points (-3.6 to -2.7)"
        );
        assert_eq!(of_difference("cards"), "cards");
    }

    #[test]
    fn a_whole_number_that_every_sample_had_has_no_decimals() {
        let regret = Estimate {
            interval: between(Span::new(0.0, 4e-5), Method::AllEqual),
            ..estimate(0.0, 0.0)
        };
        assert_eq!(phrase(regret, "cards"), "0 cards (0 to 0.00004)");
        assert_eq!(phrase(regret, "$"), "$0 (0 to 0.00004)");
    }

    #[test]
    fn small_and_sharp_figures_keep_their_digits() {
        let tiny = phrase(estimate(4.97e-10, 2.1e-12), "s");
        assert_eq!(tiny, "4.97e-10 s (4.94e-10 to 5.00e-10)");
        let from_zero = Figure::plain(1e-10, Some(Span::new(0.0, 3e-10)), "s").phrase();
        assert_eq!(from_zero, "1e-10 s (0 to 3e-10)");
        let sharp = phrase(estimate(0.5, 2e-12), "s");
        assert_eq!(sharp, "0.500000000000 s (0.499999999998 to 0.500000000002)");
        let clock = phrase(estimate(1_700_000_000.250_3, 0.000_02), "s");
        let ends = "1,700,000,000.25028 to 1,700,000,000.25032";
        assert_eq!(clock, format!("1,700,000,000.25030 s ({ends})"));
        let beside = Figure::of(&estimate(4.97e-10, 2.1e-12), "s").beside(4.9612e-10);
        assert_eq!(beside, "4.9612e-10 s");
    }

    #[test]
    fn what_is_shown_is_on_the_side_of_the_threshold_that_was_decided() {
        let against = |estimate: Estimate, unit, threshold| {
            let figure = Figure::of(&estimate, unit);
            figure.against(Some(threshold)).phrase()
        };
        let share = |threshold| against(estimate(0.468, 0.0316), "", threshold);
        assert_eq!(share(0.4), "47 % (43 to 50)");
        assert_eq!(share(0.5), "47 % (43 to 49.96)");
        assert_eq!(share(0.499), "47 % (43 to 50)");
        assert_eq!(share(0.4998), "47 % (43 to 49.96)");
        let greatest = Estimate {
            value: Some(1_700_000_000.252_096),
            ..Estimate::default()
        };
        let clock = |threshold| against(greatest, "s", threshold);
        assert_eq!(clock(1_700_000_000.2), "1,700,000,000.25 s");
        assert_eq!(clock(1_700_000_000.250_3), "1,700,000,000.252 s");
        let none = Estimate {
            n: 100,
            value: Some(0.0),
            interval: between(Span::new(0.0, 0.036_217), Method::ClopperPearson),
            ..Estimate::default()
        };
        assert_eq!(against(none, "", 0.037), "0 of 100 (at most 3.63 %)");
        assert_eq!(against(none, "", 0.05), "0 of 100 (at most 3.7 %)");
    }

    #[test]
    fn a_budget_that_a_search_used_up_is_no_measurement() {
        let nodes = Figure::plain(5e7, None, "nodes");
        let stopped = Figure {
            is_cap: true,
            ..nodes
        };
        assert_eq!(stopped.phrase(), "more than 50,000,000 nodes");
        assert_eq!(stopped.short(), "> 50,000,000");
        assert_eq!(nodes.phrase(), "50,000,000 nodes");
    }

    #[test]
    fn a_plain_number_is_no_share() {
        assert_eq!(
            phrase(estimate(3.47, 0.02), UNITLESS),
            "3.47 (3.45 to 3.49)"
        );
        assert_eq!(Figure::of(&estimate(3.47, 0.02), UNITLESS).short(), "3.47");
        let open = Estimate {
            lower: Some(0.0),
            upper: Some(1.0),
            ..Estimate::default()
        };
        assert_eq!(Figure::of(&open, UNITLESS).short(), "0 to 1");
    }

    #[test]
    fn very_large_estimates_have_a_relative_interval() {
        let nodes = |mean, half_width| phrase(estimate(mean, half_width), "nodes");
        assert_eq!(nodes(3.9e10, 2.7e8), "3.90e10 nodes ± 0.7 %");
        assert_eq!(nodes(3.9e10, 2.7e10), "3.9e10 nodes (1.2e10 to 6.6e10)");
    }

    #[test]
    fn relative_intervals_hold_about_the_number_as_it_is_written() {
        let mut told = 0;
        for mean in (1..200).map(|step| 1e9 * (1.0 + f64::from(step) / 37.0)) {
            for half_width in [0.003, 0.02, 0.11, 0.29].map(|share| share * mean) {
                let text = phrase(estimate(mean, half_width), "nodes");
                let Some((shown, reach)) = text.split_once(" nodes ± ") else {
                    continue;
                };
                let shown: f64 = shown.parse().unwrap();
                let reach: f64 = reach.trim_end_matches(" %").parse().unwrap();
                let reach = shown * (reach / 100.0 + 1e-9);
                assert!(shown - reach <= mean - half_width, "{mean}: {text}");
                assert!(mean + half_width <= shown + reach, "{mean}: {text}");
                told += 1;
            }
        }
        assert!(told > 300, "{told}");
    }

    #[test]
    fn none_or_all_of_the_samples_are_counted_and_bounded() {
        let share = |mean, ends| Estimate {
            n: 20_000,
            value: Some(mean),
            interval: between(ends, Method::ClopperPearson),
            ..Estimate::default()
        };
        assert_eq!(
            phrase(share(0.0, Span::new(0.0, 0.000192)), ""),
            "0 of 20,000 (at most 0.020 %)"
        );
        assert_eq!(
            Figure::of(&share(0.0, Span::new(0.0, 0.000192)), "").detail(),
            "0 of 20,000, at most 0.020 %"
        );
        let all = phrase(share(1.0, Span::new(0.999808, 1.0)), "");
        assert_eq!(all, "20,000 of 20,000 (at least 99.980 %)");
        let rare = Estimate {
            n: 20_000_000,
            ..share(5e-8, Span::new(1e-9, 3e-7))
        };
        assert_eq!(phrase(rare, ""), "1 of 20,000,000 (at most 0.000030 %)");
        assert_eq!(Figure::of(&rare, "").short(), "0 %");
    }

    #[test]
    fn bounds_closer_than_the_interval_tells_are_one_number() {
        let open = |lo, hi, half_width| Estimate {
            value: None,
            lower: Some(lo),
            upper: Some(hi),
            ..estimate((lo + hi) / 2.0, half_width)
        };
        let edge = phrase(open(-3.44888, -3.44887, 0.0065), "");
        assert_eq!(edge, "-344.9 % (-345.6 to -344.2)");
        assert_eq!(phrase(open(131.66, 131.68, 1.5), "$"), "$132 (130 to 134)");
        let wide = phrase(open(0.30, 0.35, 0.04), "");
        assert_eq!(wide, "between 30 and 35 % (28 to 37)");
    }

    #[test]
    fn open_and_missing_figures_say_so() {
        let open = Estimate {
            lower: Some(3.0),
            upper: Some(4.0),
            ..Estimate::default()
        };
        assert_eq!(phrase(open, "cards"), "between 3 and 4 cards");
        let narrow = Estimate {
            lower: Some(3.041),
            upper: Some(3.044),
            sd: Some(100.0),
            ..Estimate::default()
        };
        assert_eq!(value(narrow, "cards"), "between 3.041 and 3.044 cards");
        assert_eq!(phrase(Estimate::default(), "cards"), "not defined");
        let known = Estimate {
            value: Some(5.0),
            lower: Some(5.0),
            upper: Some(5.0),
            ..Estimate::default()
        };
        let known = known.exact();
        assert_eq!(phrase(known, "moves"), "5 moves");
        let untrusted = Estimate {
            value: Some(4_321.6),
            withheld: Some(Withheld::Untrusted),
            ..Estimate::default()
        };
        assert_eq!(phrase(untrusted, "nodes"), "4,322 nodes (untrusted)");
        assert_eq!(Figure::of(&untrusted, "nodes").method(), "untrusted");
        let alone = Estimate {
            value: Some(0.5),
            ..Estimate::default().without_interval(Withheld::OneSample)
        };
        assert_eq!(phrase(alone, ""), "50.00 % (one sample)");
    }
}
