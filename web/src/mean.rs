//! The mean of a number over a person's games, with an interval that holds at every look.

use serde::Serialize;
use stats::{
    Bounded, Confidence, Histogram, Level, Looks, Span, mean, mean_known_after, planned_for,
};

use super::{Reply, json, number};

/// A number that each game has, whose mean over games a page tells.
pub struct MeanOverGames {
    /// The steps of a unit in which games have it.
    pub steps: u32,
    /// The least and the greatest that a game counts, in units: an interval that holds at every look needs limits.
    pub limits: (i64, i64),
    /// The half-width at which the interval is to be narrowest.
    pub apart: f64,
    /// The standard deviation over games, rounded up.
    pub spread: f64,
}

/// The mean of some games, in units.
#[derive(Serialize)]
struct GamesMean {
    /// The mean, and its interval; none without games.
    mean: Option<[f64; 3]>,
    level: f64,
    /// The difference that can be told after so many games.
    apart: f64,
    /// The games after which the interval is that wide to either side.
    enough: Option<u64>,
    /// The most that a game counts.
    most: i64,
}

impl MeanOverGames {
    /// Answers the numbers of some games, in steps.
    pub fn mean(&self, games: &str) -> Reply {
        let (level, steps) = (Level::DEFAULT, f64::from(self.steps));
        let [least, most] = [self.limits.0, self.limits.1].map(|end| end * i64::from(self.steps));
        let mut tally = Bounded::<Histogram>::default();
        for game in games.split_whitespace() {
            let game: i64 = number(game, "number of a game")?;
            tally.push(game.clamp(least, most));
        }
        let limits = Span::new(self.limits.0 as f64, self.limits.1 as f64);
        let planned = planned_for(self.apart, limits, level);
        let looks = Looks::Many { planned };
        let estimate = mean(&tally, Confidence { level, looks }, Some((least, most)));
        let ends = estimate.value.zip(estimate.interval);
        json(&GamesMean {
            mean: ends.map(|(value, ends)| [value, ends.lo, ends.hi].map(|end| end / steps)),
            level: level.get(),
            apart: self.apart,
            enough: mean_known_after(self.apart, self.spread, limits, level),
            most: self.limits.1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    const CARDS: MeanOverGames = MeanOverGames {
        steps: 1,
        limits: (0, 52),
        apart: 4.0,
        spread: 11.0,
    };

    fn told(games: &str) -> Value {
        serde_json::from_str(&CARDS.mean(games).unwrap()).unwrap()
    }

    fn ends(games: &str) -> [f64; 3] {
        serde_json::from_value(told(games)["mean"].clone()).unwrap()
    }

    /// As narrow as the limits allow at first, and then about the mean; no game counts more than the limits.
    #[test]
    fn games_have_a_mean_with_an_interval() {
        assert!(told("")["mean"].is_null());
        let [mean, lo, hi] = ends("4 52");
        assert!(mean == 28.0 && (0.0..4.0).contains(&lo) && hi <= 52.0);
        let [mean, lo, hi] = ends(&" 4 6".repeat(200));
        assert!(mean == 5.0 && lo > 3.0 && hi < 8.0, "{lo} {hi}");
        assert_eq!(ends("99 -7")[0], 26.0);
        for refused in ["x", "1e9"] {
            assert!(CARDS.mean(refused).is_err());
        }
    }

    /// The same in steps.
    #[test]
    fn steps_are_no_part_of_what_is_told() {
        let tenths = MeanOverGames { steps: 10, ..CARDS };
        let told: Value = serde_json::from_str(&tenths.mean("40 520").unwrap()).unwrap();
        assert_eq!(told, self::told("4 52"));
    }

    /// Games that vary as those of a player do: 4 cards in most, all 52 in one of eighteen, about.
    #[test]
    fn the_games_told_are_enough_to_tell_four_cards_apart() {
        let enough = told("")["enough"].as_u64().unwrap();
        let half_width = |games: u64| {
            let all = (0..games).map(|game| if game % 18 == 9 { " 52" } else { " 4" });
            let ends = ends(&all.collect::<String>());
            (ends[2] - ends[1]) / 2.0
        };
        let [early, late] = [enough / 2, enough].map(half_width);
        assert!(early > 4.0 && late < 4.6, "{enough}: {early} {late}");
    }
}
