//! The point of a match from which the side that won it is proved to have won, whatever the other did.

use super::alphabeta::{MAX_DEPTH, Searcher};
use super::game::Game;
use super::position::Side;
use kit::search::Budget;

/// Positions that the search for a forced win may examine at each point.
const NODES: Budget = Budget::nodes(100_000);

/// The logarithm to base 2 of the buckets of its table.
const TABLE: u32 = 14;

/// Returns the index of the first of the last positions of a match that are all proved won for its winner, whatever the
/// other side does; `None` where only the end itself is. Earlier ones may be won as well, beyond the reach of the search.
pub fn first_decided(course: &[Game], winner: Side) -> Option<usize> {
    let mut searcher = Searcher::new(TABLE);
    let backwards = course.iter().rev();
    let won = backwards.take_while(|game| is_won(&mut searcher, game, winner));
    let won = won.count();
    (won > 1).then(|| course.len() - won)
}

fn is_won(searcher: &mut Searcher, game: &Game, winner: Side) -> bool {
    if let Some(ending) = game.ending() {
        return ending.winner() == Some(winner);
    }
    let (rules, position) = (game.rules(), game.position());
    let answer = searcher.search(rules, position, (MAX_DEPTH, NODES), &|_| false);
    let leads = (answer.value > 0) == (position.side == winner);
    let plies = answer.plies_to_end().filter(|_| leads);
    plies.is_some_and(|plies| game.has_no_draw_within(plies as usize))
}

#[cfg(test)]
mod tests {
    use super::super::board::STRIP;
    use super::super::rules::Rules;
    use super::super::solved::retrograde::{Tablebase, Worth};
    use super::*;
    use kit::rng::{Streams, choose};

    /// Wins within so many plies are always found on the strip.
    const NEAR: u16 = 16;

    /// Seed 51: 200 games of random moves on the strip, beside its whole solution. No draws, which it does not know.
    #[test]
    fn a_game_is_decided_where_the_solution_says_so() {
        let rules = Rules {
            quiet: 0,
            repetition: 0,
            ..Rules::on(&STRIP)
        };
        let tablebase = Tablebase::solved(rules);
        let mut decided = 0;
        for index in 0..200 {
            let course = random_game(rules, index);
            let winner = course.last().unwrap().ending().unwrap().winner().unwrap();
            let plies_to_win = |game: &Game| match tablebase.worth(game.position()) {
                Worth::Won {
                    winner: side,
                    plies,
                } if side == winner => Some(plies),
                _ => None,
            };
            let last = course.len() - 1;
            assert_eq!(
                first_decided(&course[last..], winner),
                None,
                "its end alone"
            );
            let at = first_decided(&course, winner).unwrap_or(last);
            let is_proved = course[at..last]
                .iter()
                .all(|game| plies_to_win(game).is_some());
            assert!(is_proved, "game {index} from {at} on");
            let before = at.checked_sub(1).and_then(|at| plies_to_win(&course[at]));
            assert!(
                before.is_none_or(|plies| plies > NEAR),
                "game {index} before {at}"
            );
            decided += u32::from((1..last).contains(&at) && before.is_none());
        }
        assert!(decided > 20, "{decided}");
    }

    fn random_game(rules: Rules, index: u64) -> Vec<Game> {
        let mut stream = Streams::new(51).key("moves").stream(index);
        let mut course = vec![Game::from(rules, rules.start())];
        while course.last().unwrap().ending().is_none() {
            let mut game = course.last().unwrap().clone();
            let mut moves = Vec::new();
            rules.moves(game.position(), &mut moves);
            game.play(*choose(&mut stream, &moves).unwrap());
            course.push(game);
        }
        course
    }
}
