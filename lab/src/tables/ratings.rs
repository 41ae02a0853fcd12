//! `ratings.csv`: the ratings of the players of a match experiment, from all its cells.
//!
//! With unresolved games there is no rating, only limits: the lower limits of the first side count
//! these games as lost, the upper ones as won. Each player is also compared with one named player of
//! its field, because a player far from all others leaves the mean of all uncertain.

use super::row::table_row;
use super::table::Table;
use crate::experiment::Experiment;
use crate::run::{
    BlockTally, CompiledExperiment, Outcome, RatedField, RatedFields, RatedPlayer, Tally,
};
use crate::stats::{Confidence, Looks, Pairing, Products, Proportion, RatedGap, Ratings, Validity};

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
        /// Elo rating, or rating difference of the first side; empty where undefined.
        elo: Option<f64>,
        /// Standard error of the rating.
        se: Option<f64>,
        /// Lower end of its interval; empty where there is no bound.
        elo_lo: Option<f64>,
        /// Upper end of its interval; empty where there is no bound.
        elo_hi: Option<f64>,
        /// The player of the group, with its side, that the others are compared with.
        reference: String,
        /// The rating above the reference's; empty where undefined.
        difference: Option<f64>,
        /// Lower end of its interval; empty where there is no bound.
        difference_lo: Option<f64>,
        /// Upper end of its interval; empty where there is no bound.
        difference_hi: Option<f64>,
        /// Confidence level of the interval.
        ci_level: Option<f64>,
        /// Method of the interval.
        ci_method: String,
        /// Sampling scheme under which the interval has its level.
        valid_under: String,
        /// Why sampling stopped.
        stop_reason: String,
    }
}

/// The method of ratings whose games were not counted opening by opening, so that they have no limits.
pub const UNCOUNTED: &str = "openings-uncounted";

/// The table; `None` if the experiment's task is no contest.
pub(super) fn ratings_table(
    experiment: &Experiment,
    compiled: &CompiledExperiment,
    outcome: &Outcome,
    stop_reason: &str,
) -> Option<Table> {
    experiment.task.contest?;
    let rated = compiled.rated();
    let fields = rated.iter().enumerate();
    let rows = fields.flat_map(|(place, field)| {
        let games = FieldGames::of(rated, field, &outcome.tally, place);
        games.rows(field, outcome.confidence)
    });
    let row = |player: PlayerRating| player.into_row(experiment, outcome.confidence, stop_reason);
    Some(Table::of(rows.map(row)))
}

/// A player's rating.
struct PlayerRating {
    group: String,
    player: RatedPlayer,
    games: u64,
    unresolved: u64,
    rating: RatingEnds,
    reference: String,
    difference: RatingEnds,
    /// True if scores were counted sample by sample.
    is_counted: bool,
}

/// A rating or a difference of ratings: the number while no unresolved games leave it open, and the
/// outer limits of both ends.
#[derive(Clone, Copy, Debug, Default)]
struct RatingEnds {
    elo: Option<f64>,
    standard_error: Option<f64>,
    lo: Option<f64>,
    hi: Option<f64>,
}

impl RatingEnds {
    fn of([low, high]: [RatedGap; 2], is_resolved: bool) -> Self {
        let both = |a: Option<f64>, b: Option<f64>, join: fn(f64, f64) -> f64| Some(join(a?, b?));
        Self {
            elo: is_resolved.then_some(low.elo),
            standard_error: low.standard_error.filter(|_| is_resolved),
            lo: both(low.lo, high.lo, f64::min),
            hi: both(low.hi, high.hi, f64::max),
        }
    }
}

impl PlayerRating {
    fn has_limits(&self) -> bool {
        let RatingEnds { lo, hi, .. } = self.rating;
        let limits = [lo, hi, self.difference.lo, self.difference.hi];
        limits.iter().any(Option::is_some)
    }

    /// Returns the method of the limits, or the reason why there are none.
    fn method(&self) -> &'static str {
        match self.has_limits() {
            true => "davidson-sandwich",
            false if !self.is_counted => UNCOUNTED,
            false => "",
        }
    }

    fn into_row(
        self,
        experiment: &Experiment,
        confidence: Confidence,
        stop_reason: &str,
    ) -> RatingRow {
        let validity = match confidence.looks {
            Looks::Once => Validity::FixedN,
            _ => Validity::AnyTime,
        };
        let limited = self.has_limits().then_some((confidence.level, validity));
        RatingRow {
            experiment: experiment.file.name.clone(),
            ci_method: self.method().to_owned(),
            group: self.group,
            side: self.player.side.to_owned(),
            player: self.player.name,
            n: Some(self.games),
            n_unresolved: Some(self.unresolved),
            elo: self.rating.elo,
            se: self.rating.standard_error,
            elo_lo: self.rating.lo,
            elo_hi: self.rating.hi,
            reference: self.reference,
            difference: self.difference.elo,
            difference_lo: self.difference.lo,
            difference_hi: self.difference.hi,
            ci_level: limited.map(|(level, _)| level.get()),
            valid_under: limited
                .map_or("", |(_, validity)| validity.name())
                .to_owned(),
            stop_reason: stop_reason.to_owned(),
        }
    }
}

/// The games of the players of a field.
struct FieldGames<'run> {
    /// Games of each player, and the unresolved among them.
    played: Vec<(u64, u64)>,
    /// Unresolved games at the least and at the most for the first side.
    pairings: [Vec<Pairing>; 2],
    scores: Option<&'run [Products; 2]>,
}

impl<'run> FieldGames<'run> {
    fn of(rated: &RatedFields, field: &RatedField, tally: &'run BlockTally, place: usize) -> Self {
        let mut games = Self {
            played: vec![(0, 0); field.players.len()],
            pairings: [Vec::new(), Vec::new()],
            scores: tally.scores().map(|fields| fields[place].ends()),
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

    fn rows(self, field: &RatedField, confidence: Confidence) -> Vec<PlayerRating> {
        let end = |end: usize| {
            let scores = self.scores.map(|ends| &ends[end]);
            Ratings::of(field.players.len(), &self.pairings[end], scores)
        };
        let ends = end(0).zip(end(1));
        let reference = ends.as_ref().map(|(low, _)| low.reference());
        let is_resolved = self.pairings[0] == self.pairings[1];
        let joined = |gap: &dyn Fn(&Ratings) -> RatedGap| {
            let gaps = ends.as_ref().map(|(low, high)| [gap(low), gap(high)]);
            gaps.map_or_else(RatingEnds::default, |gaps| {
                RatingEnds::of(gaps, is_resolved)
            })
        };
        let row = |(number, player): (usize, &RatedPlayer)| PlayerRating {
            group: field.group.clone(),
            player: player.clone(),
            games: self.played[number].0,
            unresolved: self.played[number].1,
            rating: joined(&|ratings| ratings.rating(number, confidence)),
            reference: reference.map_or(String::new(), |number| field.players[number].label()),
            difference: joined(&|ratings| {
                ratings.difference(number, reference.unwrap_or(number), confidence)
            }),
            is_counted: self.scores.is_some(),
        };
        field.players.iter().enumerate().map(row).collect()
    }
}
