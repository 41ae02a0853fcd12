//! `ratings.csv`: the ratings of the players of a match experiment, from all its cells.
//!
//! Cells that differ in a parameter other than the two players are rated separately. With
//! unresolved games there is no rating, only limits: the lower limits of the first side count
//! these games as lost, the upper ones as won.

use crate::config::{Cell, Experiment};
use crate::harness::{BlockTally, Tally};
use crate::stats::{Level, Pairing, Proportion, Rating, ratings};
use crate::task::Contest;

use super::elo::{ELO, ELO_HI, ELO_LO};
use super::fields::{SAMPLE_SIZE, UNRESOLVED};
use super::table::Table;

/// The table; `None` if the experiment's task is no contest.
pub(super) fn ratings_table(
    experiment: &Experiment,
    tally: &BlockTally,
    stop_reason: &str,
) -> Option<Table> {
    let contest = experiment.task.contest?;
    let rows = groups(experiment, &contest).into_iter().flat_map(|group| {
        let field = RatedField::of(experiment, &contest, tally, &group);
        field.rows(experiment)
    });
    let level = experiment.confidence().level.get();
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
        .integer("n", SAMPLE_SIZE, |row| row.player.games)
        .integer("n_unresolved", UNRESOLVED, |row| row.player.unresolved)
        .number("elo", ELO, |row| row.rating.map(|rating| rating.elo))
        .number("se", "Standard error of the rating.", |row| {
            row.rating.map(|rating| rating.standard_error)
        })
        .number("elo_lo", ELO_LO, |row| row.limits.0)
        .number("elo_hi", ELO_HI, |row| row.limits.1)
        .level(move |row| row.has_limits().then_some(level))
        .method(|row| row.if_limited("davidson-sandwich"))
        .valid_under(|row| row.if_limited("fixed-n"))
        .stop_reason(stop_reason);
    Some(table.build())
}

/// A player's rating.
struct PlayerRating {
    group: String,
    player: RatedPlayer,
    /// `None` while unresolved games leave it open.
    rating: Option<Rating>,
    limits: RatingLimits,
}

/// The lower and the upper limit of a rating; `None` where the games set none.
type RatingLimits = (Option<f64>, Option<f64>);

impl PlayerRating {
    fn has_limits(&self) -> bool {
        self.limits != (None, None)
    }

    /// `name` where there is a limit to name the method of.
    fn if_limited(&self, name: &'static str) -> &'static str {
        if self.has_limits() { name } else { "" }
    }
}

/// Cells whose players are rated together.
struct RatingGroup {
    name: String,
    cells: Vec<usize>,
}

fn groups(experiment: &Experiment, contest: &Contest) -> Vec<RatingGroup> {
    let mut groups: Vec<RatingGroup> = Vec::new();
    for (index, cell) in experiment.cells.iter().enumerate() {
        let name = rest(cell, contest);
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.cells.push(index),
            None => groups.push(RatingGroup {
                name,
                cells: vec![index],
            }),
        }
    }
    groups
}

/// What is swept besides the players.
fn rest(cell: &Cell, contest: &Contest) -> String {
    let others = (cell.swept.iter())
        .filter(|(name, _)| name != contest.first && name != contest.second)
        .map(|(name, value)| format!("{name}={value}"));
    others.collect::<Vec<_>>().join(",")
}

/// The players of a group and their games.
struct RatedField {
    group: String,
    players: Vec<RatedPlayer>,
    /// Unresolved games at the least and at the most for the first side.
    pairings: [Vec<Pairing>; 2],
}

struct RatedPlayer {
    side: &'static str,
    name: String,
    games: u64,
    unresolved: u64,
}

impl RatedField {
    fn of(
        experiment: &Experiment,
        contest: &Contest,
        tally: &BlockTally,
        group: &RatingGroup,
    ) -> Self {
        let mut field = Self {
            group: group.name.clone(),
            players: Vec::new(),
            pairings: [Vec::new(), Vec::new()],
        };
        for &cell in &group.cells {
            field.add(experiment, contest, tally, cell);
        }
        field
    }

    /// Adds the games of a cell.
    fn add(&mut self, experiment: &Experiment, contest: &Contest, tally: &BlockTally, cell: usize) {
        let counts = |name: &str| {
            let mut metrics = experiment.task.metrics.iter();
            let place = metrics.position(|metric| metric.name == name)?;
            match &tally.cell(cell)[place] {
                Tally::Counts(counts) => Some(counts),
                _ => None,
            }
        };
        let (Some(wins), Some(draws)) = (counts(contest.win), counts(contest.draw)) else {
            return;
        };
        let [first, second] = [contest.first, contest.second].map(|side| {
            let name = experiment.cells[cell].params.get(side);
            let name = name.map_or(String::new(), ToString::to_string);
            self.player(side, name, wins.count(), wins.unresolved())
        });
        let (won, drawn) = (Proportion::of(wins), Proportion::of(draws));
        for (pairings, wins) in (self.pairings.iter_mut()).zip([won.certain(), won.possible()]) {
            let draws = drawn.certain().min(won.samples() - wins);
            pairings.push(Pairing {
                first,
                second,
                wins,
                draws,
                losses: won.samples() - wins - draws,
            });
        }
    }

    /// The number of a player, who has played these further games.
    fn player(&mut self, side: &'static str, name: String, games: u64, unresolved: u64) -> usize {
        let known = |player: &RatedPlayer| player.side == side && player.name == name;
        let number = self.players.iter().position(known).unwrap_or_else(|| {
            self.players.push(RatedPlayer {
                side,
                name,
                games: 0,
                unresolved: 0,
            });
            self.players.len() - 1
        });
        self.players[number].games += games;
        self.players[number].unresolved += unresolved;
        number
    }

    fn rows(self, experiment: &Experiment) -> Vec<PlayerRating> {
        let rate = |pairings: &Vec<Pairing>| ratings(self.players.len(), pairings);
        let ends = self.pairings.each_ref().map(rate);
        let is_resolved = self.pairings[0] == self.pairings[1];
        let level = experiment.confidence().level;
        let fixed = !experiment.stop.looks();
        let row = |(index, player)| {
            let of_end = |end: &Option<Vec<Rating>>| end.as_ref().map(|end| end[index]);
            let ends = ends.each_ref().map(of_end);
            PlayerRating {
                group: self.group.clone(),
                player,
                rating: ends[0].filter(|_| is_resolved),
                limits: limits(ends, level).filter(|_| fixed).unwrap_or_default(),
            }
        };
        self.players.into_iter().enumerate().map(row).collect()
    }
}

/// The lowest and the highest limit of a rating at both ends.
fn limits(ends: [Option<Rating>; 2], level: Level) -> Option<RatingLimits> {
    let [a, b] = [ends[0]?.limits(level), ends[1]?.limits(level)];
    let both = |a: Option<f64>, b: Option<f64>, join: fn(f64, f64) -> f64| Some(join(a?, b?));
    Some((both(a.0, b.0, f64::min), both(a.1, b.1, f64::max)))
}
