//! The gains of players after many games.

use crate::report::figures::Figure;
use crate::report::format::{count, quantity};
use crate::tables::PurseRow;

impl PurseRow {
    /// The chance to be ahead with its interval: `16.2 % (15.5 to 17.0)`, `1 in 66,000 (40,000 to
    /// 100,000)`.
    pub fn chance(&self) -> String {
        match (self.ahead, self.ahead_lo.zip(self.ahead_hi)) {
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
            (Some(ahead), ends) => Figure::plain(ahead, ends, "").phrase(),
        }
    }

    /// The median gain with its interval, unless that is the median alone: gains come in steps.
    pub fn median(&self) -> String {
        let ends = self.q50_lo.zip(self.q50_hi);
        let wide = ends.filter(|(lo, hi)| lo < hi);
        let ends = wide.map_or(String::new(), |(lo, hi)| {
            format!(" ({} to {})", self.money(Some(lo)), self.money(Some(hi)))
        });
        self.money(self.q50) + &ends
    }

    /// The gains between which the middle 90 % of the players end.
    pub fn middle(&self) -> String {
        let [low, high] = [self.q05, self.q95].map(|amount| self.money(amount));
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
    use csv::StringRecord;

    use super::*;
    use crate::tables::{RecordFields, TableRow};

    fn chance(ahead: f64, ends: Option<(f64, f64)>) -> String {
        let header = StringRecord::from(vec![
            "unit", "games", "q05", "q50", "q95", "q50_lo", "q50_hi",
        ]);
        let record = StringRecord::from(vec!["$", "10", "-5", "0", "7.5", "-1", "1"]);
        let row = PurseRow {
            ahead: Some(ahead),
            ahead_lo: ends.map(|ends| ends.0),
            ahead_hi: ends.map(|ends| ends.1),
            ..PurseRow::read(&RecordFields::new(&header, &record))
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
