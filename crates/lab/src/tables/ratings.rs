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
use crate::run::Stopped;
use crate::run::{BlockTally, RatedCell, RatedField, RatedFields};
use stats::{Confidence, Elo, Looks, Pairing, Products, Proportion, Ratings, Validity};
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
        /// The player's name. One that was out from the start, so that nobody played against it, has no row.
        player: String,
        /// Points made: a win is one, a draw half a point; empty with unresolved games.
        points: Option<Exact>,
        /// Games lost by a fault of the player's program; empty where no player may forfeit.
        forfeits: Option<u64>,
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
        ci_method: Option<RatingMethod>,
        /// Sampling scheme under which the interval has its level.
        valid_under: Option<Validity>,
        /// The reason why sampling stopped.
        stop_reason: Option<Stopped>,
    }
}

/// The method of the limits of ratings, or the reason why they have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::AsRefStr)]
#[strum(serialize_all = "kebab-case")]
pub enum RatingMethod {
    /// The sandwich estimate from the points of each opening.
    PointsSandwich,
    /// The games were not counted opening by opening, so there are no limits.
    OpeningsUncounted,
    /// All samples are one, so there are no limits.
    OneSample,
}

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
struct FieldGames {
    /// The players with games: the places in their field. The others are out.
    players: Vec<usize>,
    /// The games of each player of the field.
    played: Vec<GamesPlayed>,
    /// Unresolved games at the least and at the most for the first side.
    pairings: [Vec<Pairing>; 2],
    scores: Option<[Products; 2]>,
    /// True if nothing is drawn at random in the games of some pairing.
    has_one_sample: bool,
}

/// The games of a player.
#[derive(Clone, Copy, Debug, Default)]
struct GamesPlayed {
    all: u64,
    unresolved: u64,
    half_points: u64,
    forfeits: Option<u64>,
}

impl FieldGames {
    fn of(rated: &RatedFields, field: &RatedField, tally: &BlockTally, index: usize) -> Self {
        let mut cells = field.pairings.iter().map(|pairing| pairing.cell);
        let has_one_sample = cells.any(|cell| tally.is_one_sample(cell));
        let scores = tally.scores().filter(|_| !has_one_sample);
        let mut games = Self {
            players: Vec::new(),
            played: vec![GamesPlayed::default(); field.players.len()],
            pairings: [Vec::new(), Vec::new()],
            scores: scores.map(|fields| fields[index].ends().clone()),
            has_one_sample,
        };
        for cell in &field.pairings {
            games.add(rated, cell, tally.cell(cell.cell));
        }
        let players = 0..field.players.len();
        games.players = players.filter(|&one| games.played[one].all > 0).collect();
        games.leave_out_absent();
        games
    }

    /// Adds the games of a cell, if any were played.
    fn add(&mut self, rated: &RatedFields, cell: &RatedCell, tallies: &[Tally]) {
        let (win, draw) = rated.metrics();
        let (Tally::Counts(wins), Tally::Counts(draws)) = (&tallies[win], &tallies[draw]) else {
            return;
        };
        let (won, drawn) = (Proportion::of(wins), Proportion::of(draws));
        if won.samples() == 0 {
            return;
        }
        let ends = [won.certain(), won.possible()];
        for (pairings, wins) in self.pairings.iter_mut().zip(ends) {
            let draws = drawn.certain().min(won.samples() - wins);
            pairings.push(Pairing {
                first: cell.first,
                second: cell.second,
                wins,
                draws,
                losses: won.samples() - wins - draws,
            });
        }
        let first = 2 * won.certain() + drawn.certain().min(won.samples() - won.certain());
        let half_points = [first, 2 * won.samples() - first];
        let forfeits = rated
            .forfeits()
            .map(|places| places.map(|place| &tallies[place]));
        for (side, player) in [cell.first, cell.second].into_iter().enumerate() {
            let played = &mut self.played[player];
            played.all += wins.count();
            played.unresolved += wins.unresolved();
            played.half_points += half_points[side];
            if let Some(Tally::Counts(lost)) = forfeits.map(|sides| sides[side]) {
                let more = Proportion::of(lost).certain();
                played.forfeits = Some(played.forfeits.unwrap_or(0) + more);
            }
        }
    }

    /// Leaves those who are out out of pairings and scores.
    fn leave_out_absent(&mut self) {
        let place = |player: usize| self.players.iter().position(|&one| one == player);
        for pairing in self.pairings.iter_mut().flatten() {
            pairing.first = place(pairing.first).unwrap_or_default();
            pairing.second = place(pairing.second).unwrap_or_default();
        }
        let scores = self.scores.as_ref();
        self.scores = scores.map(|ends| ends.each_ref().map(|end| end.of(&self.players)));
    }

    fn rows(self, field: &RatedField, facts: &RunFacts<'_>) -> Vec<RatingRow> {
        let confidence = facts.outcome.confidence;
        let end = |end: usize| {
            let scores = self.scores.as_ref().map(|ends| &ends[end]);
            Ratings::of(self.players.len(), &self.pairings[end], scores)
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
                reference: reference.map_or(String::new(), |other| {
                    field.players[self.players[other]].label()
                }),
                ..self.row((field, self.players[number]), [rating, difference], facts)
            }
        };
        (0..self.players.len()).map(row).collect()
    }

    /// The row of a player of a field, with the rating and the difference from the reference.
    fn row(
        &self,
        (field, number): (&RatedField, usize),
        [rating, difference]: [Elo; 2],
        facts: &RunFacts<'_>,
    ) -> RatingRow {
        let (player, games) = (&field.players[number], self.played[number]);
        let points = (games.unresolved == 0).then_some(games.half_points as f64 / 2.0);
        let Confidence { level, looks } = facts.outcome.confidence;
        let limits = [rating.lo, rating.hi, difference.lo, difference.hi];
        let is_limited = limits.iter().any(Option::is_some);
        let (method, validity) = match looks {
            _ if self.has_one_sample => (Some(RatingMethod::OneSample), None),
            _ if !is_limited && self.scores.is_none() => {
                (Some(RatingMethod::OpeningsUncounted), None)
            }
            _ if !is_limited => (None, None),
            Looks::Once => (Some(RatingMethod::PointsSandwich), Some(Validity::FixedN)),
            _ => (Some(RatingMethod::PointsSandwich), Some(Validity::AnyTime)),
        };
        RatingRow {
            experiment: facts.experiment.name().to_owned(),
            group: field.group.clone(),
            side: player.side.to_owned(),
            player: player.name.clone(),
            points: points.map(Exact),
            forfeits: games.forfeits,
            n: Some(games.all),
            n_unresolved: Some(games.unresolved),
            elo: rating.value.map(Exact),
            se: rating.standard_error,
            elo_lo: rating.lo.map(Exact),
            elo_hi: rating.hi.map(Exact),
            reference: String::new(),
            difference: difference.value.map(Exact),
            difference_lo: difference.lo.map(Exact),
            difference_hi: difference.hi.map(Exact),
            ci_level: is_limited.then_some(level.get()),
            ci_method: method,
            valid_under: validity,
            stop_reason: Some(facts.stopped),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{CompiledExperiment, Outcome, StopReason, matches};
    use experiment::Experiment;
    use task::{Row, Value};

    /// The table of matches of 40 games each, of which so many are won, drawn and open; the others are lost. Black
    /// forfeits as many as are drawn, and white a tenth of those won, unless it wins all. A match without any is not played.
    fn rated(cells: [[usize; 3]; 4]) -> (Vec<RatingRow>, [Vec<Pairing>; 2], [Ratings; 2]) {
        rated_on([cells], 0)
    }

    /// The same of matches on several boards, for one of these.
    fn rated_on<const N: usize>(
        boards: [[[usize; 3]; 4]; N],
        board: usize,
    ) -> (Vec<RatingRow>, [Vec<Pairing>; 2], [Ratings; 2]) {
        let numbers = (0..N).collect::<Vec<_>>();
        let text = format!(
            "question = \"?\"\ntask = \"game/match\"\nseed = 1\n[stop]\nsamples = 40\n[sweep]\n\
             board = {numbers:?}\nwhite = [\"a\", \"b\"]\nblack = [\"c\", \"d\"]\n"
        );
        let experiment = Experiment::of_task(matches(), &text);
        let experiment = experiment.unwrap_or_else(|error| panic!("{}", error.render(false)));
        let compiled = CompiledExperiment::of_experiment(&experiment).unwrap();
        let game = |[won, drawn, open]: [usize; 3], at: usize| {
            let mut row = Row::new();
            if won + drawn + open == 0 {
                (0..4).for_each(|_| row.push(Value::Missing));
                return row;
            }
            // The games of each cell in an order of its own.
            let at = (at * 7 + won) % 40;
            row.push(match at {
                _ if at < won => Value::flag(true),
                _ if at < won + open => Value::flag_bounds(false, true),
                _ => Value::flag(false),
            });
            row.push(Value::flag((won + open..won + open + drawn).contains(&at)));
            row.push(Value::flag(at < drawn));
            row.push(Value::flag(won < 40 && at + won / 10 >= 40));
            if won == 40 {
                row.push_step("always the same");
            }
            row
        };
        let cells = boards.into_iter().flatten();
        let rows = cells.map(|cell| (0..40).map(|at| game(cell, at)).collect::<Vec<_>>());
        let rows = rows.collect::<Vec<_>>();
        let tally = BlockTally::of(&compiled, 0, &rows);
        let outcome = Outcome::of(&compiled, tally, experiment.confidence());
        let facts = RunFacts::of(
            &experiment,
            &compiled,
            &outcome,
            (&[], Stopped::Complete(StopReason::Samples)),
        );
        let fields = compiled.rated();
        let field = fields.iter().nth(board).unwrap();
        let games = FieldGames::of(fields, field, &outcome.tally, board);
        let pairings = games.pairings.clone();
        let ends = [0, 1].map(|end| {
            let scores = games.scores.as_ref().map(|ends| &ends[end]);
            Ratings::of(games.players.len(), &pairings[end], scores).unwrap()
        });
        (games.rows(field, &facts), pairings, ends)
    }

    const CELLS: [[usize; 3]; 4] = [[20, 5, 3], [12, 6, 0], [9, 4, 2], [16, 8, 1]];

    /// Open games are lost for the first side at the one end and won at the other, and limits hold both.
    #[test]
    fn open_games_leave_ratings_limits_and_no_value() {
        let (rows, pairings, ends) = rated(CELLS);
        assert!(rows.iter().all(|row| row.points.is_none()));
        let games = |first, second, wins, draws| Pairing {
            first,
            second,
            wins,
            draws,
            losses: 40 - wins - draws,
        };
        assert_eq!(
            pairings[0],
            [
                games(0, 1, 20, 5),
                games(0, 2, 12, 6),
                games(3, 1, 9, 4),
                games(3, 2, 16, 8)
            ]
        );
        assert_eq!(
            pairings[1],
            [
                games(0, 1, 23, 5),
                games(0, 2, 12, 6),
                games(3, 1, 11, 4),
                games(3, 2, 17, 8)
            ]
        );
        let names: Vec<_> = rows.iter().map(|row| (&*row.player, &*row.side)).collect();
        assert_eq!(
            names,
            [
                ("a", "white"),
                ("c", "black"),
                ("d", "black"),
                ("b", "white")
            ]
        );
        let counts: Vec<_> = rows.iter().map(|row| (row.n, row.n_unresolved)).collect();
        let of = |open| (Some(80), Some(open));
        assert_eq!(counts, [of(3), of(5), of(1), of(3)]);
        // White's `a` two and one, `b` none and one; black's `c` five and four, `d` six and eight.
        let forfeits = rows.iter().map(|row| row.forfeits.unwrap());
        assert_eq!(forfeits.collect::<Vec<_>>(), [3, 9, 14, 1]);
        let confidence = stats::Level::DEFAULT.into();
        for (number, row) in rows.iter().enumerate() {
            let [low, high] = ends.each_ref().map(|end| end.rating(number, confidence));
            let near = |found: Option<Exact>, expected: f64| {
                let found = found.unwrap().0;
                assert!(
                    (found - expected).abs() < 0.1,
                    "{number}: {found} {expected}"
                );
            };
            near(row.elo_lo, low.lo.unwrap().min(high.lo.unwrap()));
            near(row.elo_hi, low.hi.unwrap().max(high.hi.unwrap()));
            assert!(row.elo.is_none() && row.se.is_none() && row.difference.is_none());
            assert_eq!(
                (row.ci_method, row.ci_level),
                (Some(RatingMethod::PointsSandwich), Some(0.95))
            );
            assert_eq!(row.valid_under, Some(Validity::FixedN));
        }
    }

    /// The same games without open ones.
    #[test]
    fn resolved_games_have_ratings_within_their_limits() {
        let (rows, pairings, _) = rated(CELLS.map(|[won, drawn, _]| [won, drawn, 0]));
        assert_eq!(pairings[0], pairings[1]);
        let values = rows.iter().map(|row| row.elo.unwrap().0);
        assert!(values.clone().sum::<f64>().abs() < 1.0);
        for row in &rows {
            let (lo, hi) = (row.elo_lo.unwrap().0, row.elo_hi.unwrap().0);
            assert!(
                (lo..=hi).contains(&row.elo.unwrap().0) && row.se.unwrap() > 10.0,
                "{row:?}"
            );
            assert_eq!(row.n_unresolved, Some(0));
        }
        let points = [0, 1].map(|row: usize| rows[row].points.unwrap().0);
        assert_eq!(points, [32.0 + 5.5, 15.0 + 2.5 + 27.0 + 2.0]);
        // White's `a` won 32 of 80, `b` 25, with eleven and twelve draws.
        assert!(rows[0].elo.unwrap().0 > rows[3].elo.unwrap().0);
    }

    /// White's `a` wins three games and draws eight against `c`, and wins twelve and draws six against `d`.
    #[test]
    fn a_draw_is_half_a_point_also_of_one_who_wins_little() {
        let rows = rated([[3, 8, 0], [12, 6, 0], [9, 4, 0], [16, 8, 0]]).0;
        let points = rows.iter().map(|row| row.points.unwrap().0);
        let black = [80.0 - 7.0 - 11.0, 80.0 - 15.0 - 20.0];
        assert!(points.eq([22.0, black[0], black[1], 31.0]));
    }

    /// Nobody played against `a`, which has no row; the others are rated by the two matches that there are.
    #[test]
    fn a_player_that_is_out_is_left_out_of_the_ratings_of_all_others() {
        let (rows, pairings, ends) = rated([[0; 3], [0; 3], [9, 4, 2], [16, 8, 1]]);
        let told = |row: &RatingRow| (row.player.clone(), row.n);
        let names = rows.iter().map(told).collect::<Vec<_>>();
        let of = |name: &str, games| (name.to_owned(), Some(games));
        assert_eq!(names, [of("c", 40), of("d", 40), of("b", 80)]);
        let sides = pairings[0]
            .iter()
            .map(|pairing| [pairing.first, pairing.second]);
        assert!(sides.eq([[2, 0], [2, 1]]));
        let reference = ends[0].reference();
        let label = format!("{} as {}", rows[reference].player, rows[reference].side);
        for (number, row) in rows.iter().enumerate() {
            assert_eq!(row.reference, label);
            let rating = ends[0].rating(number, stats::Level::DEFAULT.into());
            assert!(row.elo_lo.unwrap().0 < rating.value.unwrap());
        }
    }

    /// Ratings of a board rest on the games there alone.
    #[test]
    fn fields_are_rated_apart() {
        let other = [[3, 8, 0], [30, 6, 1], [9, 14, 0], [26, 8, 2]];
        for (board, cells) in [CELLS, other].into_iter().enumerate() {
            let row = |row: RatingRow| RatingRow {
                group: format!("board={board}"),
                ..row
            };
            let alone = rated(cells).0.into_iter().map(row).collect::<Vec<_>>();
            let found = rated_on([CELLS, other], board).0;
            assert_eq!(format!("{found:?}"), format!("{alone:?}"));
        }
    }

    /// One of four pairings is the same game again and again, and the ratings of all rest on it.
    #[test]
    fn a_pairing_that_is_one_game_leaves_no_limits() {
        let mut cells = CELLS;
        cells[1] = [40, 0, 0];
        for row in rated(cells).0 {
            assert_eq!(
                (row.ci_method, row.ci_level),
                (Some(RatingMethod::OneSample), None)
            );
            assert!(row.elo_lo.is_none() && row.difference_hi.is_none());
        }
    }

    #[test]
    fn limits_of_both_ends_are_joined_outward() {
        let elo = |value, lo, hi| Elo {
            value: Some(value),
            standard_error: Some(7.0),
            lo,
            hi,
        };
        let low = elo(10.0, Some(-50.0), Some(90.0));
        let high = elo(30.0, Some(-20.0), Some(70.0));
        for ends in [[low, high], [high, low]] {
            let found = joined(ends, false);
            assert_eq!((found.lo, found.hi), (Some(-50.0), Some(90.0)));
            assert_eq!((found.value, found.standard_error), (None, None));
        }
        let open = joined([low, elo(30.0, Some(-20.0), None)], false);
        assert_eq!((open.lo, open.hi), (Some(-50.0), None));
        let known = joined([low, low], true);
        assert_eq!((known.value, known.standard_error), (Some(10.0), Some(7.0)));
    }
}
