//! `ratings.csv`: the ratings of the players of a match experiment, from all its cells.
//!
//! With unresolved games there is no rating, only limits: the lower limits of the first side count
//! these games as lost, the upper ones as won. Each player is also compared with one named player of
//! its field, because a player far from all others leaves the mean of all uncertain. Each interval
//! holds by itself, not jointly with the others.

use super::facts::RunFacts;
use super::number::Exact;
use super::row::table_row;
use super::table::Table;
use crate::run::{BlockTally, RatedField, RatedFields};
use stats::{Confidence, Elo, Looks, Pairing, Products, Proportion, Ratings, Validity, Withheld};
use task::Tally;

table_row! {
    /// A row of `ratings.csv`: a player.
    pub struct RatingRow in "ratings", keys ["group", "side", "player"] {
        /// Name of the experiment.
        experiment: String,
        /// Swept parameters besides the players; players of one group are comparable.
        group: String,
        /// The side that the player plays.
        side: String,
        /// The player's name.
        player: String,
        /// Sample size: samples that count for the estimate.
        n: Option<u64>,
        /// Samples whose value is only bounded, because their budget ran out.
        n_unresolved: Option<u64>,
        /// Elo rating: a gap predicts the share of points, draws half; empty where it is infinite or undefined.
        elo: Option<Exact>,
        /// Standard error of the rating.
        se: Option<f64>,
        /// Lower end of the interval of elo; empty where there is no bound.
        elo_lo: Option<Exact>,
        /// Upper end of the interval of elo; empty where there is no bound.
        elo_hi: Option<Exact>,
        /// The player of the group, with its side, that the others are compared with.
        reference: String,
        /// The rating above the reference's; empty where undefined.
        difference: Option<Exact>,
        /// Lower end of the interval of difference; empty where there is no bound.
        difference_lo: Option<Exact>,
        /// Upper end of the interval of difference; empty where there is no bound.
        difference_hi: Option<Exact>,
        /// Confidence level of the interval.
        ci_level: Option<f64>,
        /// Method of the interval.
        ci_method: String,
        /// Sampling scheme under which the interval has its level.
        valid_under: String,
        /// The reason why sampling stopped.
        stop_reason: String,
    }
}

/// The method of ratings with limits.
const METHOD: &str = "points-sandwich";

/// The method of ratings whose games were not counted opening by opening, so that they have no limits.
pub const UNCOUNTED: &str = "openings-uncounted";

/// The table; `None` if the experiment's task is no contest.
pub(super) fn table<'run>(facts: &'run RunFacts<'_>) -> Option<Table<'run>> {
    facts.experiment.task.contest?;
    let rated = facts.compiled.rated();
    let rows = rated.iter().enumerate().flat_map(|(index, field)| {
        let games = FieldGames::of(rated, field, &facts.outcome.tally, index);
        games.rows(field, facts)
    });
    Some(Table::of(rows))
}

/// A rating or a difference of ratings, as it is written: the number while no unresolved games leave it
/// open, and the outer limits of both ends.
fn joined([low, high]: [Elo; 2], is_resolved: bool) -> Elo {
    let both = |a: Option<f64>, b: Option<f64>, join: fn(f64, f64) -> f64| Some(join(a?, b?));
    let gap = Elo {
        value: low.value.filter(|_| is_resolved),
        standard_error: low.standard_error.filter(|_| is_resolved),
        lo: both(low.lo, high.lo, f64::min),
        hi: both(low.hi, high.hi, f64::max),
    };
    gap.written()
}

/// The games of the players of a field.
struct FieldGames<'run> {
    /// Games of each player, and the unresolved among them.
    played: Vec<(u64, u64)>,
    /// Unresolved games at the least and at the most for the first side.
    pairings: [Vec<Pairing>; 2],
    scores: Option<&'run [Products; 2]>,
    /// True if nothing is drawn at random in the games of some pairing.
    has_one_sample: bool,
}

impl<'run> FieldGames<'run> {
    fn of(rated: &RatedFields, field: &RatedField, tally: &'run BlockTally, index: usize) -> Self {
        let mut cells = field.pairings.iter().map(|pairing| pairing.cell);
        let has_one_sample = cells.any(|cell| tally.is_one_sample(cell));
        let scores = tally.scores().filter(|_| !has_one_sample);
        let mut games = Self {
            played: vec![(0, 0); field.players.len()],
            pairings: [Vec::new(), Vec::new()],
            scores: scores.map(|fields| fields[index].ends()),
            has_one_sample,
        };
        let (win, draw) = rated.metrics();
        for cell in &field.pairings {
            let tallies = tally.cell(cell.cell);
            let (Tally::Counts(wins), Tally::Counts(draws)) = (&tallies[win], &tallies[draw])
            else {
                continue;
            };
            for player in [cell.first, cell.second] {
                games.played[player].0 += wins.count();
                games.played[player].1 += wins.unresolved();
            }
            let (won, drawn) = (Proportion::of(wins), Proportion::of(draws));
            let ends = games.pairings.iter_mut();
            for (pairings, wins) in ends.zip([won.certain(), won.possible()]) {
                let draws = drawn.certain().min(won.samples() - wins);
                pairings.push(Pairing {
                    first: cell.first,
                    second: cell.second,
                    wins,
                    draws,
                    losses: won.samples() - wins - draws,
                });
            }
        }
        games
    }

    fn rows(self, field: &RatedField, facts: &RunFacts<'_>) -> Vec<RatingRow> {
        let confidence = facts.outcome.confidence;
        let end = |end: usize| {
            let scores = self.scores.map(|ends| &ends[end]);
            Ratings::of(field.players.len(), &self.pairings[end], scores)
        };
        let ends = end(0).zip(end(1));
        let reference = ends.as_ref().map(|(low, _)| low.reference());
        let is_resolved = self.pairings[0] == self.pairings[1];
        let joined = |gap: &dyn Fn(&Ratings) -> Elo| {
            let gaps = ends.as_ref().map(|(low, high)| [gap(low), gap(high)]);
            gaps.map_or_else(Elo::default, |gaps| joined(gaps, is_resolved))
        };
        let row = |number: usize| {
            let other = reference.unwrap_or(number);
            let rating = joined(&|ratings| ratings.rating(number, confidence));
            let difference = joined(&|ratings| ratings.difference(number, other, confidence));
            RatingRow {
                reference: reference.map_or(String::new(), |other| field.players[other].label()),
                ..self.row((field, number), [rating, difference], facts)
            }
        };
        (0..field.players.len()).map(row).collect()
    }

    /// The row of a player of a field, with the rating and the difference from the reference.
    fn row(
        &self,
        (field, number): (&RatedField, usize),
        [rating, difference]: [Elo; 2],
        facts: &RunFacts<'_>,
    ) -> RatingRow {
        let (player, (games, unresolved)) = (&field.players[number], self.played[number]);
        let Confidence { level, looks } = facts.outcome.confidence;
        let limits = [rating.lo, rating.hi, difference.lo, difference.hi];
        let is_limited = limits.iter().any(Option::is_some);
        let (method, validity) = match looks {
            _ if self.has_one_sample => (Withheld::OneSample.into(), ""),
            _ if !is_limited && self.scores.is_none() => (UNCOUNTED, ""),
            _ if !is_limited => ("", ""),
            Looks::Once => (METHOD, Validity::FixedN.as_ref()),
            _ => (METHOD, Validity::AnyTime.as_ref()),
        };
        RatingRow {
            experiment: facts.experiment.name().to_owned(),
            group: field.group.clone(),
            side: player.side.to_owned(),
            player: player.name.clone(),
            n: Some(games),
            n_unresolved: Some(unresolved),
            elo: rating.value.map(Exact),
            se: rating.standard_error,
            elo_lo: rating.lo.map(Exact),
            elo_hi: rating.hi.map(Exact),
            reference: String::new(),
            difference: difference.value.map(Exact),
            difference_lo: difference.lo.map(Exact),
            difference_hi: difference.hi.map(Exact),
            ci_level: is_limited.then_some(level.get()),
            ci_method: method.to_owned(),
            valid_under: validity.to_owned(),
            stop_reason: facts.stop_reason.to_owned(),
        }
    }
}
