//! A person's share of games won, with the interval that the laboratory gives a share that is looked at
//! after every game.

use serde::Serialize;
use stats::{Level, Proportion, Span, planned_for, share_known_after};

use super::{Reply, first_word, json, number};

/// The half-width that tells a difference of ten points.
const TEN_POINTS: f64 = 0.1;

#[derive(Serialize)]
struct Record {
    /// The share won, and its interval, outwards to whole per cent; none without games.
    share: Option<[f64; 3]>,
    /// The level of the interval.
    level: f64,
    /// The games after which the interval reaches ten points to either side.
    enough: Option<u64>,
}

/// Answers `WON GAMES`.
pub fn answer(request: &str) -> Reply {
    let (won, games) = first_word(request);
    let (won, games): (u64, u64) = (
        number(won, "number won")?,
        number(games, "number of games")?,
    );
    let level = Level::DEFAULT;
    // Whoever plays looks after each game and stops at will: the interval holds at every look.
    let planned = planned_for(TEN_POINTS, Span::new(0.0, 1.0), level);
    let interval = Proportion::new(won, 0, games).and_then(|all| all.sequence(level, planned));
    json(&Record {
        share: interval.map(|found| {
            let outwards = [(100.0 * found.lo).floor(), (100.0 * found.hi).ceil()];
            [
                won as f64 / games as f64,
                outwards[0] / 100.0,
                outwards[1] / 100.0,
            ]
        }),
        level: level.get(),
        enough: share_known_after(TEN_POINTS, 0.5, level),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of `Proportion::sequence`, which `stats` tests, rounded away from the share.
    #[test]
    fn a_record_has_an_interval_that_may_be_looked_at_after_every_game() {
        let reply: serde_json::Value = serde_json::from_str(&answer("4 11").unwrap()).unwrap();
        let share: Vec<f64> = serde_json::from_value(reply["share"].clone()).unwrap();
        let once = Proportion::new(4, 0, 11)
            .unwrap()
            .clopper_pearson(Level::DEFAULT)
            .unwrap();
        assert!((share[0] - 4.0 / 11.0).abs() < 1e-9);
        assert!(share[1] < once.lo && share[2] > once.hi, "{share:?}");
        let enough = reply["enough"].as_u64().unwrap();
        let width = |games: u64| {
            let reply = answer(&format!("{} {games}", games / 2)).unwrap();
            let reply: serde_json::Value = serde_json::from_str(&reply).unwrap();
            reply["share"][2].as_f64().unwrap() - reply["share"][1].as_f64().unwrap()
        };
        assert!(width(enough / 2) > 0.2 && width(enough) <= 0.22);
    }

    #[test]
    fn no_games_have_no_share() {
        assert!(answer("0 0").unwrap().starts_with("{\"share\":null,"));
        assert!(answer("3 2").unwrap().starts_with("{\"share\":null,"));
        assert!(answer("x 2").is_err());
    }
}
