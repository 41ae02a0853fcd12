//! The cost of each move of a game that was played.
//!
//! A move is worth what a search finds behind it, as deep behind each move of a position, and the position is worth the
//! best of them: so no move costs less than nothing. Where the search sees the end of the game, the worth is exact, but
//! for draws by repetition or quiet play that come later than the next move.

use super::alphabeta::{Searcher, WIN};
use super::decided::first_decided;
use super::game::Game;
use super::moves::Move;
use super::position::Side;
use super::record::MatchRecord;
use super::typed::write_move;
use kit::search::Budget;

/// The plies that a review looks beyond each move, where nothing else is asked for.
pub const DEPTH: u32 = 6;

/// Buckets of the search's table, as a power of two.
const LOG2_BUCKETS: u32 = 16;

/// The worth of a move to the side that makes it, in hundredths of a hen; that of a forced win is [`WIN`] less the plies
/// to it, this one among them, and of a forced loss its opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MoveWorth(pub i32);

impl MoveWorth {
    /// Judges a legal move by a search of `depth` plies beyond it.
    pub fn of(game: &Game, play: Move, depth: u32, searcher: &mut Searcher) -> MoveWorth {
        let side = game.position().side;
        let mut after = game.clone();
        after.play(play);
        if let Some(ending) = after.ending() {
            return MoveWorth(match ending.winner() {
                Some(winner) if winner == side => WIN - 1,
                Some(_) => 1 - WIN,
                None => 0,
            });
        }
        let limits = (depth, Budget::UNLIMITED);
        let answer = searcher.search(game.rules(), after.position(), limits, &|next| {
            after.is_drawn_by(next)
        });
        MoveWorth(match answer.plies_to_end() {
            Some(plies) => -answer.value.signum() * (WIN - plies - 1),
            None => -answer.value,
        })
    }

    /// The plies to the end of the game, this move among them, if it is forced.
    pub fn plies_to_end(self) -> Option<i32> {
        (self.0.abs() >= WIN / 2).then(|| WIN - self.0.abs())
    }

    /// Returns the winner, if one is forced, for a move of `side`.
    fn winner(self, side: Side) -> Option<Side> {
        let winner = if self.0 > 0 { side } else { side.other() };
        self.plies_to_end().map(|_| winner)
    }
}

/// A move beside the best one at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReviewedMove {
    /// The side that moved.
    pub side: Side,
    /// The move that was played.
    pub played: Move,
    /// The worth of the move.
    pub worth: MoveWorth,
    /// The best move: the one played, where no other is better.
    pub better: Move,
    /// The worth of the best move.
    pub best: MoveWorth,
}

/// The cost of a move, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MoveCost {
    /// So many hundredths of a hen; none where the same side wins after either.
    Hens(i32),
    /// A win that was forced.
    Win,
    /// A game that was not lost: the other side has a forced win after the move.
    Game,
}

impl MoveCost {
    /// The least cost that a review names: half a hen.
    const NAMED: MoveCost = MoveCost::Hens(50);

    fn words(self) -> String {
        match self {
            MoveCost::Hens(hundredths) => format!("{:.1} hens", f64::from(hundredths) / 100.0),
            MoveCost::Win => "a win that was certain".to_owned(),
            MoveCost::Game => "the game: the other side wins by force after it".to_owned(),
        }
    }
}

impl ReviewedMove {
    fn new(game: &Game, played: Move, depth: u32, searcher: &mut Searcher) -> ReviewedMove {
        let worth = MoveWorth::of(game, played, depth, searcher);
        let (mut better, mut best, mut moves) = (played, worth, Vec::new());
        game.rules().moves(game.position(), &mut moves);
        for play in moves.into_iter().filter(|&play| play != played) {
            let other = MoveWorth::of(game, play, depth, searcher);
            if other > best {
                (better, best) = (play, other);
            }
        }
        ReviewedMove {
            side: game.position().side,
            played,
            worth,
            better,
            best,
        }
    }

    /// The cost of the move.
    pub fn cost(&self) -> MoveCost {
        let winner = |worth: MoveWorth| worth.winner(self.side);
        match (winner(self.best), winner(self.worth)) {
            (best, now) if best == now && now.is_some() => MoveCost::Hens(0),
            (_, Some(_)) => MoveCost::Game,
            (Some(_), None) => MoveCost::Win,
            (None, None) => MoveCost::Hens(self.best.0 - self.worth.0),
        }
    }

    fn line(&self, ply: usize) -> String {
        format!(
            "move {ply}, the {}: {}; better: {}; cost: {}",
            self.side.name(),
            write_move(self.played),
            write_move(self.better),
            self.cost().words()
        )
    }
}

/// A game with the cost of each of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchReview {
    /// The moves, in order.
    pub moves: Vec<ReviewedMove>,
    /// The winner, and the first move, counted from 1, before which its win was proved.
    decided: Option<(Side, usize)>,
}

impl MatchReview {
    /// Reviews a game, looking `depth` plies beyond each move.
    pub fn of(record: &MatchRecord, depth: u32) -> MatchReview {
        let mut game = Game::from(record.rules, record.start);
        let (mut course, mut moves) = (vec![game.clone()], Vec::new());
        let mut searcher = Searcher::new(LOG2_BUCKETS);
        for &play in &record.moves {
            moves.push(ReviewedMove::new(&game, play, depth, &mut searcher));
            game.play(play);
            course.push(game.clone());
        }
        let winner = game.ending().and_then(|ending| ending.winner());
        let decided = winner.and_then(|side| Some((side, first_decided(&course, side)? + 1)));
        MatchReview { moves, decided }
    }

    /// The lines for a person: the three costliest moves of each side, in their order, and the move from which on the game
    /// was decided.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for side in [Side::Foxes, Side::Hens] {
            let named = self.costliest(side);
            if named.is_empty() {
                lines.push(format!("no move of the {} cost half a hen", side.name()));
            }
            lines.extend(named.into_iter().map(|(ply, one)| one.line(ply)));
        }
        lines.extend(self.decided.map(|(side, ply)| {
            format!(
                "from move {ply} on the {} were certain to win, whatever the {} did",
                side.name(),
                side.other().name()
            )
        }));
        lines
    }

    fn costliest(&self, side: Side) -> Vec<(usize, &ReviewedMove)> {
        let own = (1..).zip(&self.moves).filter(|(_, one)| one.side == side);
        let mut named: Vec<_> = own
            .filter(|(_, one)| one.cost() >= MoveCost::NAMED)
            .collect();
        named.sort_by_key(|(_, one)| std::cmp::Reverse(one.cost()));
        named.truncate(3);
        named.sort_by_key(|&(ply, _)| ply);
        named
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::Rules;
    use super::super::typed::read_move;
    use super::*;
    use kit::rng::{Streams, choose};

    /// A game of random moves, seed 69.
    fn random_record(rules: Rules, index: u64) -> MatchRecord {
        let mut stream = Streams::new(69).key("moves").stream(index);
        let mut game = Game::from(rules, rules.start());
        let mut played = Vec::new();
        while game.ending().is_none() {
            let mut moves = Vec::new();
            rules.moves(game.position(), &mut moves);
            let play = *choose(&mut stream, &moves).unwrap();
            game.play(play);
            played.push(play);
        }
        record(rules, played)
    }

    fn record(rules: Rules, moves: Vec<Move>) -> MatchRecord {
        MatchRecord {
            rules,
            fox: "person".to_owned(),
            hens: "random".to_owned(),
            start: rules.start(),
            moves,
        }
    }

    /// Minimax without a memory, a bound or an order of moves, for the side to move; `left` plies, then as the engine.
    fn plain(game: &Game, left: u32) -> i32 {
        let side = game.position().side;
        if let Some(ending) = game.ending() {
            return match ending.winner() {
                Some(winner) if winner == side => WIN,
                Some(_) => -WIN,
                None => 0,
            };
        }
        let mut moves = Vec::new();
        game.rules().moves(game.position(), &mut moves);
        let values = moves.into_iter().map(|play| match left {
            1 => MoveWorth::of(game, play, 1, &mut Searcher::new(10)).0,
            _ => {
                let mut after = game.clone();
                after.play(play);
                -plain(&after, left - 1)
            }
        });
        values.max().unwrap()
    }

    /// 12 games: no move is better than the best, no best is better than what plain minimax finds as deep.
    #[test]
    fn a_position_is_worth_the_best_of_its_moves() {
        let rules = Rules {
            quiet: 0,
            repetition: 0,
            ..Rules::ARSAC
        };
        let mut costs = [0; 3];
        for index in 0..12 {
            let record = random_record(rules, index);
            let review = MatchReview::of(&record, 2);
            assert_eq!(review.moves.len(), record.moves.len());
            let mut game = Game::from(rules, record.start);
            for (ply, one) in review.moves.iter().enumerate() {
                assert!(
                    one.worth <= one.best && one.cost() >= MoveCost::Hens(0),
                    "{one:?}"
                );
                assert_eq!(one.worth == one.best, one.better == one.played);
                if ply % 7 == index as usize % 7 {
                    let found = plain(&game, 2);
                    let is_end = |value: i32| value.abs() >= WIN / 2;
                    assert_eq!(is_end(found), is_end(one.best.0), "game {index} ply {ply}");
                    assert!(
                        is_end(found) || found == one.best.0,
                        "game {index} ply {ply}"
                    );
                }
                costs[match one.cost() {
                    MoveCost::Hens(_) => 0,
                    MoveCost::Win => 1,
                    MoveCost::Game => 2,
                }] += 1;
                game.play(one.played);
            }
        }
        assert!(costs.iter().all(|&count| count > 0), "{costs:?}");
    }

    #[test]
    fn a_cost_is_that_of_the_side_that_moved() {
        let rules = Rules::ARSAC;
        let play = read_move("a4-a5", &rules, &rules.start()).unwrap();
        let moved = |side, worth, best| ReviewedMove {
            side,
            played: play,
            worth: MoveWorth(worth),
            better: play,
            best: MoveWorth(best),
        };
        for side in [Side::Foxes, Side::Hens] {
            let cost = |worth, best| moved(side, worth, best).cost();
            assert_eq!(cost(-20, 130), MoveCost::Hens(150));
            assert_eq!(
                cost(WIN - 9, WIN - 3),
                MoveCost::Hens(0),
                "a longer way to the same win"
            );
            assert_eq!(cost(5 - WIN, 9 - WIN), MoveCost::Hens(0), "lost before");
            assert_eq!(cost(40, WIN - 3), MoveCost::Win);
            assert_eq!(cost(5 - WIN, 40), MoveCost::Game);
            assert_eq!(cost(5 - WIN, WIN - 5), MoveCost::Game);
        }
        assert!(MoveCost::Hens(2_000) < MoveCost::Win && MoveCost::Win < MoveCost::Game);
        assert_eq!(MoveWorth(3 - WIN).plies_to_end(), Some(3));
        assert_eq!(MoveWorth(-350).plies_to_end(), None);
    }

    #[test]
    fn the_costliest_moves_of_each_side_are_named_in_order() {
        let mut review = MatchReview::of(&random_record(Rules::ARSAC, 3), 2);
        let calm = ReviewedMove {
            worth: review.moves[0].best,
            ..review.moves[0]
        };
        for (index, one) in review.moves.iter_mut().enumerate() {
            let side = one.side;
            *one = ReviewedMove { side, ..calm };
            let lost = [(1, 60), (3, 49), (5, 90), (7, 300), (9, 80)];
            let lost = lost.iter().find(|(ply, _)| *ply == index);
            one.worth.0 -= lost.map_or(0, |(_, hundredths)| *hundredths);
        }
        review.decided = Some((Side::Hens, 12));
        let foxes = review.costliest(Side::Foxes);
        let plies: Vec<usize> = foxes.iter().map(|(ply, _)| *ply).collect();
        assert_eq!(
            plies,
            [6, 8, 10],
            "move 2 cost less, and move 4 less than half a hen"
        );
        let lines = review.lines();
        assert!(
            lines[1].starts_with("move 8, the foxes: ") && lines[1].ends_with("cost: 3.0 hens")
        );
        assert_eq!(lines[3], "no move of the hens cost half a hen");
        let decided = "from move 12 on the hens were certain to win, whatever the foxes did";
        assert_eq!(lines[4], decided);
    }
}
