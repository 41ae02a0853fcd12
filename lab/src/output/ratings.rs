//! `ratings.csv`: the ratings of the players of a match experiment, from all its cells.
//!
//! With unresolved games there is no rating, only limits: the lower limits of the first side count
//! these games as lost, the upper ones as won. Each player is also compared with one named player of
//! its field, because a player far from all others leaves the mean of all uncertain.

use crate::config::Experiment;
use crate::harness::{
    BlockTally, Laboratory, Outcome, RatedField, RatedFields, RatedPlayer, Tally,
};
use crate::stats::{Confidence, Looks, Pairing, Products, Proportion, RatedGap, Ratings};

use super::elo::{ELO, ELO_HI, ELO_LO};
use super::fields::{SAMPLE_SIZE, UNRESOLVED};
use super::table::Table;

/// The table; `None` if the experiment's task is no contest.
pub(super) fn ratings_table(
    experiment: &Experiment,
    laboratory: &Laboratory,
    outcome: &Outcome,
    stop_reason: &str,
) -> Option<Table> {
    experiment.task.contest?;
    let rated = laboratory.rated();
    let fields = rated.iter().enumerate();
    let rows = fields.flat_map(|(place, field)| {
        let games = FieldGames::of(rated, field, &outcome.tally, place);
        games.rows(field, outcome.confidence)
    });
    let confidence = outcome.confidence;
    let level = confidence.level.get();
    let validity = match confidence.looks {
        Looks::Once => "fixed-n",
        _ => "any-time",
    };
    let table = Table::of("ratings", &["group", "side", "player"], rows)
        .experiment(experiment)
        .text(
            "group",
            "Swept parameters besides the players; players of one group are comparable.",
            |row| row.group.clone(),
        )
        .text("side", "The side that the player plays.", |row| {
            row.player.side
        })
        .text("player", "The player's name.", |row| {
            row.player.name.clone()
        })
        .integer("n", SAMPLE_SIZE, |row| row.games)
        .integer("n_unresolved", UNRESOLVED, |row| row.unresolved)
        .number("elo", ELO, |row| row.rating.elo)
        .number("se", "Standard error of the rating.", |row| {
            row.rating.standard_error
        })
        .number("elo_lo", ELO_LO, |row| row.rating.lo)
        .number("elo_hi", ELO_HI, |row| row.rating.hi)
        .text(
            "reference",
            "The player of the group, with its side, that the others are compared with.",
            |row| row.reference.clone(),
        )
        .number(
            "difference",
            "The rating above the reference's; empty where undefined.",
            |row| row.difference.elo,
        )
        .number("difference_lo", ELO_LO, |row| row.difference.lo)
        .number("difference_hi", ELO_HI, |row| row.difference.hi)
        .level(move |row| row.has_limits().then_some(level))
        .method(|row| match row.has_limits() {
            true => "davidson-sandwich",
            false if !row.is_counted => UNCOUNTED,
            false => "",
        })
        .valid_under(move |row| if row.has_limits() { validity } else { "" })
        .stop_reason(stop_reason);
    Some(table.build())
}

/// The method of ratings whose games were not counted opening by opening, so that they have no limits.
pub const UNCOUNTED: &str = "openings-uncounted";

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
