//! Ratings of those who play matches.

use crate::tables::{EloRow, RatingRow, UNCOUNTED};

impl EloRow {
    /// The difference: `+12.3`; empty where there is none.
    pub fn value(&self) -> String {
        signed(self.elo)
    }

    /// Its interval, one-sided where a bound does not exist: `at most -512.0`.
    pub fn interval(&self) -> String {
        ends((self.elo_lo, self.elo_hi), |elo| format!("{elo:+.1}"))
    }

    /// The difference in normalised Elo; empty where there is none.
    pub fn normalised(&self) -> String {
        signed(self.nelo)
    }
}

/// An interval of which either end may be missing.
fn ends(limits: (Option<f64>, Option<f64>), write: impl Fn(f64) -> String) -> String {
    match limits {
        (Some(lo), Some(hi)) => format!("{} to {}", write(lo), write(hi)),
        (Some(lo), None) => format!("at least {}", write(lo)),
        (None, Some(hi)) => format!("at most {}", write(hi)),
        (None, None) => String::new(),
    }
}

fn signed(elo: Option<f64>) -> String {
    elo.map_or(String::new(), |elo| format!("{elo:+.1}"))
}

impl RatingRow {
    /// The player with the side it plays and what else was swept: `arsac as hens (rule=strict)`.
    pub fn label(&self) -> String {
        let mut player = self.player.clone();
        if !self.side.is_empty() {
            player = format!("{player} as {}", self.side);
        }
        if self.group.is_empty() {
            player
        } else {
            format!("{player} ({})", self.group)
        }
    }

    /// Returns whether it has no limits because games were not counted opening by opening.
    pub fn is_uncounted(&self) -> bool {
        self.ci_method == UNCOUNTED
    }

    /// Its interval, one-sided where too few games set a bound: `at least 120`.
    pub fn interval(&self) -> String {
        ends((self.elo_lo, self.elo_hi), |elo| format!("{elo:.0}"))
    }

    /// The rating above the reference's with its interval: `+120 (+80 to +160)`; empty of the
    /// reference itself.
    pub fn gap(&self) -> String {
        let write = |elo: f64| format!("{elo:+.0}");
        let (lo, hi) = (self.difference_lo, self.difference_hi);
        let Some(elo) = self.difference else {
            return String::new();
        };
        match ends((lo, hi), write) {
            _ if elo == 0.0 && lo == hi => String::new(),
            interval if interval.is_empty() => write(elo),
            interval => format!("{} ({interval})", write(elo)),
        }
    }
}

#[cfg(test)]
mod tests {
    use csv::StringRecord;

    use super::*;
    use crate::tables::{RecordFields, TableRow};

    #[test]
    fn ratings_name_side_and_group_where_there_are_any() {
        let rated = |values: [&str; 3]| {
            let header = StringRecord::from(vec!["player", "side", "group", "elo"]);
            let mut record = StringRecord::from(values.to_vec());
            record.push_field("12.5");
            let fields = RecordFields::new(&header, &record);
            let row = RatingRow::read(&fields);
            assert_eq!((row.elo, row.elo_lo), (Some(12.5), None));
            let half = RatingRow {
                elo_lo: Some(-3.2),
                difference: Some(12.5),
                difference_lo: Some(-3.2),
                difference_hi: Some(28.2),
                ..row.clone()
            };
            assert_eq!(
                (row.gap(), half.gap()),
                ("".into(), "+12 (-3 to +28)".into())
            );
            assert_eq!(
                (row.interval(), half.interval()),
                ("".into(), "at least -3".into())
            );
            row.label()
        };
        assert_eq!(rated(["arsac", "", ""]), "arsac");
        assert_eq!(
            rated(["arsac", "hens", "rule=strict"]),
            "arsac as hens (rule=strict)"
        );
    }
}
