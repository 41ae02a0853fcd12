//! The players of a match experiment, and which cells are their games.
//!
//! Cells that differ in a parameter other than the two players are rated separately. All cells draw
//! the same openings, so the games of one sample belong together.

use indexmap::{IndexMap, IndexSet};

use experiment::{Cell, Experiment};
use task::{Contest, Row};

/// The fields of players that a match experiment rates.
#[derive(Clone, Debug, Default)]
pub(crate) struct RatedFields {
    fields: Vec<RatedField>,
    /// The places of the metrics of a win and of a draw.
    win: usize,
    draw: usize,
    /// The places of the metrics of both sides' forfeits, where players may forfeit.
    forfeits: Option<[usize; 2]>,
}

/// Players that are rated together, and their games.
#[derive(Clone, Debug, Default)]
pub(crate) struct RatedField {
    /// The swept parameters besides the players, with their values.
    pub(crate) group: String,
    /// The players, in the order of the cells.
    pub(crate) players: IndexSet<RatedPlayer>,
    /// The cells of their games.
    pub(crate) pairings: Vec<RatedCell>,
}

/// A player on one side.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RatedPlayer {
    /// The parameter that names it.
    pub(crate) side: &'static str,
    /// The player's name.
    pub(crate) name: String,
}

impl RatedPlayer {
    /// `arsac as hens`.
    pub(crate) fn label(&self) -> String {
        format!("{} as {}", self.name, self.side)
    }
}

/// The cell in which two players of a field meet, by their numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RatedCell {
    /// The cell.
    pub(crate) cell: usize,
    /// The first side's player.
    pub(crate) first: usize,
    /// The second side's player.
    pub(crate) second: usize,
}

impl RatedFields {
    /// Returns the rated fields of an experiment; none if its task is no contest.
    pub(crate) fn of(experiment: &Experiment) -> Self {
        let metrics = &experiment.task.metrics;
        let position = |name: &str| metrics.iter().position(|metric| metric.name == name);
        let Some(contest) = experiment.task.contest else {
            return Self::default();
        };
        let (Some(win), Some(draw)) = (position(contest.win), position(contest.draw)) else {
            return Self::default();
        };
        let mut fields: IndexMap<String, RatedField> = IndexMap::new();
        for (index, cell) in experiment.cells.iter().enumerate() {
            let group = rest(cell, &contest);
            let field = fields.entry(group.clone()).or_default();
            field.group = group;
            field.add(index, cell, &contest);
        }
        let fields = fields.into_values().collect();
        let [first, second] = contest.forfeits().map(|name| position(&name));
        Self {
            fields,
            win,
            draw,
            forfeits: first.zip(second).map(<[usize; 2]>::from),
        }
    }

    /// The places of the metrics of a win and of a draw.
    pub(crate) fn metrics(&self) -> (usize, usize) {
        (self.win, self.draw)
    }

    /// The places of the metrics of both sides' forfeits, where players may forfeit.
    pub(crate) fn forfeits(&self) -> Option<[usize; 2]> {
        self.forfeits
    }

    /// Returns whether no players are rated.
    pub(crate) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Each field.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &RatedField> {
        self.fields.iter()
    }

    /// The half points of the first side in the game of a row, at the least and at the most where it is
    /// unresolved; `None` where it has no outcome.
    pub(super) fn half_points(&self, row: &Row) -> Option<(i64, i64)> {
        let values = row.values();
        let (won, drawn) = (
            values.get(self.win)?.ends()?,
            values.get(self.draw)?.ends()?,
        );
        let points = |won: i64| 2 * won + drawn.0 * (1 - won);
        Some((points(won.0), points(won.1)))
    }
}

impl RatedField {
    /// The half points of every player in one sample, given those of the first side in the game of each
    /// cell: unresolved games at the least and at the most for the first side. A game without outcome gives
    /// none.
    pub(super) fn scores(
        &self,
        half_points: impl Fn(usize) -> Option<(i64, i64)>,
    ) -> [Vec<i64>; 2] {
        let mut ends = [(); 2].map(|()| vec![0; self.players.len()]);
        for pairing in &self.pairings {
            let Some((least, most)) = half_points(pairing.cell) else {
                continue;
            };
            for (scores, half_points) in ends.iter_mut().zip([least, most]) {
                scores[pairing.first] += half_points;
                scores[pairing.second] += 2 - half_points;
            }
        }
        ends
    }

    fn add(&mut self, index: usize, cell: &Cell, contest: &Contest) {
        let [first, second] = [contest.first, contest.second].map(|side| {
            let name = cell.params.get(side);
            let name = name.map_or(String::new(), ToString::to_string);
            self.players.insert_full(RatedPlayer { side, name }).0
        });
        self.pairings.push(RatedCell {
            cell: index,
            first,
            second,
        });
    }
}

/// Returns the swept parameters besides the players, with their values.
fn rest(cell: &Cell, contest: &Contest) -> String {
    let others = (cell.swept.iter())
        .filter(|(name, _)| name != contest.first && name != contest.second)
        .map(|(name, value)| format!("{name}={value}"));
    others.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::borrow::Cow::{Borrowed, Owned};
    use task::{Build, Metric, ParamSpec, TaskSpec, Value};

    /// Matches of two players of white with two of black, which nobody plays.
    pub(crate) fn matches() -> TaskSpec {
        let metrics = ["win", "draw", "black-forfeits", "white-forfeits"];
        let metrics = metrics.map(|name| Metric::flag(name, "")).into();
        let nobody = TaskSpec::simple("game/match", "A match", metrics, |_, _| {});
        let Build::With(build) = nobody.build.clone() else {
            panic!("a function builds it")
        };
        TaskSpec {
            params: Owned(vec![
                ParamSpec::text("white", "White."),
                ParamSpec::text("black", "Black."),
                ParamSpec::integer("board", (0, 9), "The board.").or_integer(0),
            ]),
            name: Borrowed("game/match"),
            contest: Some(Contest {
                first: "white",
                second: "black",
                win: "win",
                draw: "draw",
            }),
            build: Build::With(build),
            ..nobody
        }
    }

    /// The first side has two half points of a win, one of a draw; open ends leave what both can be.
    #[test]
    fn half_points_are_those_of_the_first_side() {
        let fields = RatedFields {
            win: 1,
            draw: 0,
            ..RatedFields::default()
        };
        let half_points = |drawn: Value, won: Value| {
            let mut row = Row::new();
            [drawn, won].into_iter().for_each(|value| row.push(value));
            fields.half_points(&row)
        };
        let [no, yes] = [false, true].map(Value::flag);
        let open = Value::flag_bounds(false, true);
        assert_eq!(half_points(no, no), Some((0, 0)));
        assert_eq!(half_points(yes, no), Some((1, 1)));
        assert_eq!(half_points(no, yes), Some((2, 2)));
        assert_eq!(half_points(no, open), Some((0, 2)));
        assert_eq!(half_points(open, open), Some((0, 2)));
        assert_eq!(half_points(Value::Missing, yes), None);
    }

    /// The first player meets the third and wins, the second loses or draws against it, and one pairing is not played.
    #[test]
    fn each_side_of_a_pairing_makes_what_the_other_leaves() {
        let player = |name: &str| RatedPlayer {
            side: "white",
            name: name.to_owned(),
        };
        let pairing = |cell, [first, second]: [usize; 2]| RatedCell {
            cell,
            first,
            second,
        };
        let field = RatedField {
            group: String::new(),
            players: ["a", "b", "c"].map(player).into_iter().collect(),
            pairings: vec![pairing(5, [0, 2]), pairing(3, [1, 2]), pairing(9, [1, 0])],
        };
        let games = |cell: usize| match cell {
            5 => Some((2, 2)),
            3 => Some((0, 1)),
            _ => None,
        };
        assert_eq!(field.scores(games), [vec![2, 0, 2], vec![2, 1, 1]]);
    }
}
