//! The gains of players after many games.

use super::RecordFields;
use crate::report::figures::Figure;
use crate::report::format::{count, quantity};

/// A row of `purses.csv`.
#[derive(Clone, Debug)]
pub struct PurseRow {
    /// The cell.
    pub cell: String,
    /// The unit of what a game pays.
    pub unit: String,
    /// The number of games.
    pub games: u64,
    /// The chance to have gained.
    pub ahead: Option<f64>,
    /// Its interval.
    pub ahead_ends: Option<(f64, f64)>,
    /// The gains of 5 %, half and 95 % of the players at most.
    pub quantiles: [Option<f64>; 3],
    /// The interval of the median.
    pub median_ends: Option<(f64, f64)>,
}

impl PurseRow {
    pub(in crate::report) fn read(fields: &RecordFields<'_>) -> Self {
        let ends = |lo: &str, hi: &str| fields.number(lo).zip(fields.number(hi));
        Self {
            cell: fields.text("cell"),
            unit: fields.text("unit"),
            games: fields.count("games"),
            ahead: fields.number("ahead"),
            ahead_ends: ends("ahead_lo", "ahead_hi"),
            quantiles: ["q05", "q50", "q95"].map(|name| fields.number(name)),
            median_ends: ends("q50_lo", "q50_hi"),
        }
    }

    /// The chance to be ahead with its interval: `16.2 % (15.5 to 17.0)`, `1 in 66,000 (40,000 to
    /// 100,000)`.
    pub fn chance(&self) -> String {
        match (self.ahead, self.ahead_ends) {
            (None, _) => String::new(),
            (Some(ahead), Some((_, hi))) if ahead < LEAST && hi >= LEAST => {
                format!("at most 1 in {}", one_in(hi))
            }
            (Some(ahead), _) if ahead < LEAST => "less than 1 in 10¹²".to_owned(),
            (Some(ahead), Some((lo, hi))) if ahead < RARE => {
                format!("1 in {} ({} to {})", one_in(ahead), one_in(hi), one_in(lo))
            }
            (Some(ahead), None) if ahead < RARE => format!("1 in {}", one_in(ahead)),
            (Some(ahead), None) => quantity(ahead, 1, ""),
            (Some(ahead), Some((lo, hi))) => {
                let figure = Figure {
                    mean: Some(ahead),
                    ci_lo: Some(lo),
                    ci_hi: Some(hi),
                    ..Figure::default()
                };
                figure.phrase("")
            }
        }
    }

    /// The median gain with its interval, unless that is the median alone: gains come in steps.
    pub fn median(&self) -> String {
        let wide = self.median_ends.filter(|(lo, hi)| lo < hi);
        let ends = wide.map_or(String::new(), |(lo, hi)| {
            format!(" ({} to {})", self.money(Some(lo)), self.money(Some(hi)))
        });
        self.money(self.quantiles[1]) + &ends
    }

    /// The gains between which the middle 90 % of the players end.
    pub fn middle(&self) -> String {
        let [low, _, high] = self.quantiles.map(|amount| self.money(amount));
        format!("{low} to {high}")
    }

    fn money(&self, amount: Option<f64>) -> String {
        let digits = |amount: f64| if amount.fract() == 0.0 { 0 } else { 2 };
        amount.map_or(String::new(), |amount| {
            quantity(amount, digits(amount), &self.unit)
        })
    }
}

/// Rarer chances are written as one in so many.
const RARE: f64 = 0.005;
/// Rarer ones are not distinguished.
const LEAST: f64 = 1e-12;

/// The number of players of whom one has this chance, to two digits.
fn one_in(chance: f64) -> String {
    let players = chance.max(LEAST).recip();
    let unit = 10_f64.powi(players.log10().floor() as i32 - 1).max(1.0);
    count(((players / unit).round() * unit) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance(ahead: f64, ends: Option<(f64, f64)>) -> String {
        let row = PurseRow {
            cell: "all".into(),
            unit: "$".into(),
            games: 10,
            ahead: Some(ahead),
            ahead_ends: ends,
            quantiles: [Some(-5.0), Some(0.0), Some(7.5)],
            median_ends: Some((-1.0, 1.0)),
        };
        assert_eq!(row.median(), "$0 (-$1 to $1)");
        assert_eq!(row.middle(), "-$5 to $7.50");
        row.chance()
    }

    #[test]
    fn chances_are_told_as_people_tell_them() {
        assert_eq!(chance(0.162, Some((0.155, 0.17))), "16.2 % (15.5 to 17.0)");
        let narrow = chance(0.10662, Some((0.10649, 0.10676)));
        assert_eq!(narrow, "10.66 % (10.65 to 10.68)");
        assert_eq!(
            chance(1.5e-5, Some((1e-5, 2.5e-5))),
            "1 in 67,000 (40,000 to 100,000)"
        );
        assert_eq!(chance(0.0012, None), "1 in 830");
        assert_eq!(chance(1e-15, Some((1e-16, 1e-14))), "less than 1 in 10¹²");
        assert_eq!(chance(0.0, Some((0.0, 0.02))), "at most 1 in 50");
        assert_eq!(chance(0.0, None), "less than 1 in 10¹²");
    }
}
