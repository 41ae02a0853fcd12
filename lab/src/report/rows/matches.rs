//! Ratings of those who play matches.

use super::RecordFields;
use crate::output::UNCOUNTED;

/// A row of `elo.csv`.
#[derive(Clone, Debug)]
pub struct EloRow {
    /// The cell.
    pub cell: String,
    /// The metric.
    pub metric: String,
    /// The first side's rating above the second's, in Elo; none at a score of 0 or 1.
    pub elo: Option<f64>,
    /// Lower end of its interval; none where there is no bound.
    pub lo: Option<f64>,
    /// Upper end of its interval; none where there is no bound.
    pub hi: Option<f64>,
    /// The rating in normalised Elo.
    pub normalised: Option<f64>,
    /// Pairs of games.
    pub pairs: u64,
    /// The interval's level.
    pub level: Option<f64>,
}

impl EloRow {
    pub(in crate::report) fn read(fields: &RecordFields<'_>) -> Self {
        Self {
            cell: fields.text("cell"),
            metric: fields.text("metric"),
            elo: fields.number("elo"),
            lo: fields.number("elo_lo"),
            hi: fields.number("elo_hi"),
            normalised: fields.number("nelo"),
            pairs: fields.count("n"),
            level: fields.number("ci_level"),
        }
    }

    /// The difference: `+12.3`; empty where there is none.
    pub fn value(&self) -> String {
        signed(self.elo)
    }

    /// Its interval, one-sided where a bound does not exist: `at most -512.0`.
    pub fn interval(&self) -> String {
        ends((self.lo, self.hi), |elo| format!("{elo:+.1}"))
    }

    /// The difference in normalised Elo; empty where there is none.
    pub fn normalised(&self) -> String {
        signed(self.normalised)
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

/// A row of `ratings.csv`.
#[derive(Clone, Debug)]
pub struct RatingRow {
    /// The rated player, and its side.
    pub player: String,
    /// The rating in Elo.
    pub elo: Option<f64>,
    /// Lower end of its interval.
    pub lo: Option<f64>,
    /// Upper end of its interval.
    pub hi: Option<f64>,
    /// The player that all are compared with; empty in tables of earlier versions.
    pub reference: String,
    /// The rating above that player's, and the ends of its interval.
    pub difference: [Option<f64>; 3],
    /// True if there are no limits because games were not counted opening by opening.
    pub is_uncounted: bool,
}

impl RatingRow {
    pub(in crate::report) fn read(fields: &RecordFields<'_>) -> Self {
        let difference = ["difference", "difference_lo", "difference_hi"];
        let is_compared = fields.has("reference");
        Self {
            player: rated(fields),
            elo: fields.number("elo"),
            lo: fields.number("elo_lo"),
            hi: fields.number("elo_hi"),
            reference: if is_compared {
                fields.text("reference")
            } else {
                String::new()
            },
            difference: difference
                .map(|column| is_compared.then(|| fields.number(column)).flatten()),
            is_uncounted: is_compared && fields.text("ci_method") == UNCOUNTED,
        }
    }

    /// Its interval, one-sided where too few games set a bound: `at least 120`.
    pub fn interval(&self) -> String {
        ends((self.lo, self.hi), |elo| format!("{elo:.0}"))
    }

    /// The rating above the reference's with its interval: `+120 (+80 to +160)`; empty of the
    /// reference itself.
    pub fn gap(&self) -> String {
        let write = |elo: f64| format!("{elo:+.0}");
        let [Some(elo), lo, hi] = self.difference else {
            return String::new();
        };
        match ends((lo, hi), write) {
            _ if elo == 0.0 && lo == hi => String::new(),
            interval if interval.is_empty() => write(elo),
            interval => format!("{} ({interval})", write(elo)),
        }
    }
}

/// A player with the side it plays and what else was swept: `arsac as hens (rule=strict)`.
fn rated(fields: &RecordFields<'_>) -> String {
    let (side, group) = (fields.text("side"), fields.text("group"));
    let mut player = fields.text("player");
    if !side.is_empty() {
        player = format!("{player} as {side}");
    }
    if group.is_empty() {
        player
    } else {
        format!("{player} ({group})")
    }
}

#[cfg(test)]
mod tests {
    use csv::StringRecord;

    use super::*;

    #[test]
    fn ratings_name_side_and_group_where_there_are_any() {
        let rated = |values: [&str; 3]| {
            let header = StringRecord::from(vec!["player", "side", "group", "elo"]);
            let mut record = StringRecord::from(values.to_vec());
            record.push_field("12.5");
            let fields = RecordFields::new(&header, &record);
            let row = RatingRow::read(&fields);
            assert_eq!((row.elo, row.lo), (Some(12.5), None));
            let half = RatingRow {
                lo: Some(-3.2),
                difference: [Some(12.5), Some(-3.2), Some(28.2)],
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
            row.player
        };
        assert_eq!(rated(["arsac", "", ""]), "arsac");
        assert_eq!(
            rated(["arsac", "hens", "rule=strict"]),
            "arsac as hens (rule=strict)"
        );
    }
}
