//! `ratings.csv`: the ratings of the players of a match experiment, from all its cells.
//!
//! Cells that differ in a parameter other than the two players are rated separately. With
//! unresolved games there is no rating, only limits: the lower limits of the first side count
//! these games as lost, the upper ones as won.

use crate::config::{Cell, Experiment};
use crate::harness::{BlockTally, Tally};
use crate::stats::{Level, Pairing, Proportion, Rating, ratings};
use crate::task::Contest;

use super::number::number;
use super::table::Table;

const COLUMNS: [&str; 14] = [
    "experiment",
    "group",
    "side",
    "player",
    "n:integer",
    "n_unresolved:integer",
    "elo:number",
    "se:number",
    "elo_lo:number",
    "elo_hi:number",
    "ci_level:number",
    "ci_method",
    "valid_under",
    "stop_reason",
];

/// The table; `None` if the experiment's task is no contest.
pub(super) fn ratings_table(
    experiment: &Experiment,
    tally: &BlockTally,
    stop_reason: &str,
) -> Option<Table> {
    let contest = experiment.task.contest?;
    let mut table = Table::new("ratings", COLUMNS);
    for group in groups(experiment, &contest) {
        let field = RatedField::of(experiment, &contest, tally, &group);
        for row in field.rows(experiment, stop_reason) {
            table.push(row);
        }
    }
    Some(table)
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

    fn rows(&self, experiment: &Experiment, stop_reason: &str) -> Vec<Vec<String>> {
        let rate = |pairings: &Vec<Pairing>| ratings(self.players.len(), pairings);
        let ends = self.pairings.each_ref().map(rate);
        let level = experiment.confidence().level;
        let fixed = !experiment.stop.looks();
        let row = |(index, player): (usize, &RatedPlayer)| {
            let of_end = |end: &Option<Vec<Rating>>| end.as_ref().map(|end| end[index]);
            let ends = ends.each_ref().map(of_end);
            let resolved = ends[0].filter(|_| self.pairings[0] == self.pairings[1]);
            let (lo, hi) = limits(ends, level).filter(|_| fixed).unzip();
            vec![
                experiment.name.clone(),
                self.group.clone(),
                player.side.to_owned(),
                player.name.clone(),
                player.games.to_string(),
                player.unresolved.to_string(),
                number(resolved.map(|rating| rating.elo)),
                number(resolved.map(|rating| rating.standard_error)),
                number(lo),
                number(hi),
                number(lo.map(|_| level.get())),
                lo.map_or("", |_| "davidson-sandwich").to_owned(),
                lo.map_or("", |_| "fixed-n").to_owned(),
                stop_reason.to_owned(),
            ]
        };
        self.players.iter().enumerate().map(row).collect()
    }
}

/// The lowest and the highest limit of a rating at both ends.
fn limits(ends: [Option<Rating>; 2], level: Level) -> Option<(f64, f64)> {
    let [a, b] = [ends[0]?.limits(level), ends[1]?.limits(level)];
    Some((a.0.min(b.0), a.1.max(b.1)))
}
