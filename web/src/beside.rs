//! A person's games beside the player that reviews measure by.

use serde::Serialize;
use stats::{
    Bounded, Confidence, Histogram, Level, Looks, Span, mean, mean_known_after, planned_for,
};

use super::dealt::WHOLE;
use super::{Reply, json, number};

/// The half-width, in games won, at which the interval over games is to be narrowest.
const TEN_POINTS: f64 = 0.1;
/// The standard deviation of the play of a game, rounded up: 0.16 to 0.28 in the result `solitaire-review`.
const SPREAD: f64 = 0.3;

/// A person's games beside the measure.
#[derive(Serialize)]
struct Beside {
    /// The mean play in points, and its interval, outwards to whole points; none without games.
    points: Option<[f64; 3]>,
    /// The games after which the interval is ten points to either side.
    enough: Option<u64>,
}

/// Answers the play of each game in thousandths: their mean, with an interval that holds at every look.
pub fn beside(games: &str) -> Reply {
    let level = Level::DEFAULT;
    let mut tally = Bounded::<Histogram>::default();
    for game in games.split_whitespace() {
        let play: i64 = number(game, "play of a game")?;
        tally.push(play.clamp(-WHOLE, WHOLE));
    }
    let limits = Span::new(-1.0, 1.0);
    let planned = planned_for(TEN_POINTS, limits, level);
    let looks = Looks::Many { planned };
    let estimate = mean(&tally, Confidence { level, looks }, Some((-WHOLE, WHOLE)));
    let points = |value: f64| value / WHOLE as f64 * 100.0;
    let ends = estimate.value.zip(estimate.interval);
    json(&Beside {
        points: ends.map(|(value, interval)| {
            let ends = interval.ends().map(points);
            [points(value), ends.lo.floor(), ends.hi.ceil()]
        }),
        enough: mean_known_after(TEN_POINTS, SPREAD, limits, level),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// The interval over games has the width that `enough` promises, holds whatever a store has, and no game counts
    /// more than a whole one.
    #[test]
    fn games_beside_the_measure_have_an_interval_that_may_be_looked_at_after_each() {
        let beside =
            |games: &str| -> Value { serde_json::from_str(&beside(games).unwrap()).unwrap() };
        assert!(beside("")["points"].is_null());
        let enough = beside("")["enough"].as_u64().unwrap();
        let half = |games: u64| {
            let plays = ["-300", "300"].map(|play| format!("{play} ").repeat(games as usize / 2));
            let reply = beside(&plays.concat());
            (reply["points"][2].as_f64().unwrap() - reply["points"][1].as_f64().unwrap()) / 2.0
        };
        assert!(half(enough / 2) > 10.0 && half(enough + 1) <= 11.0);
        assert_eq!(beside("-99999 -1000")["points"][0], -100.0);
        assert!(super::beside("1e9").is_err());
    }
}
