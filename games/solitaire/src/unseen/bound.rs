//! A lower bound of how often sight of the face-down cards decides a game.
//!
//! The first card to be turned is the same in all worlds that look alike. So of the worlds that
//! perfect sight wins, every player loses at least as many as the best such choice loses, seen
//! perfectly from there on. The choice is made on a sample of worlds, which makes the loss smaller,
//! never larger in the mean. `book/src/soundness.md` has the argument.

use super::super::card::Card;
use super::super::exact::{Solver, lines};
use super::super::round::Round;
use super::game::{Macro, Macros, play_until_turned};
use cards::hidden::{HiddenGame, worlds};
use kit::rng::Stream;
use kit::search::Budget;

/// Counts of the worlds that look like a deal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FirstTurn {
    /// The worlds looked at.
    pub worlds: u64,
    /// The worlds that perfect sight is sure to win.
    pub won: u64,
    /// The worlds that the search left undecided.
    pub undecided: u64,
    /// The rounds of `won` that are lost for sure after one and the same first turn, whichever it is.
    pub lost: u64,
    /// Exact searches.
    pub solves: u64,
}

/// Looks at a round in `limit` worlds, or in all there are, after all that any player may do at
/// once: going through the stock, and safe moves that turn a card.
pub fn first_turn(
    mut round: Round,
    solver: &mut Solver,
    limit: u32,
    budget: Budget,
    stream: &mut Stream,
) -> FirstTurn {
    settle(&mut round);
    let seen = round.sight();
    let all = worlds(
        &Macros::LookingFirst,
        &seen,
        &seen.canonical(),
        limit,
        stream,
    );
    let sight = |world: &Round| solver.decide(world.table(), budget).is_win();
    let verdicts: Vec<Option<bool>> = all.iter().map(sight).collect();
    let count = |verdict| verdicts.iter().filter(|&&one| one == verdict).count() as u64;
    let won = all.iter().zip(&verdicts);
    let won: Vec<&Round> = won
        .filter_map(|(world, verdict)| (*verdict == Some(true)).then_some(world))
        .collect();
    let bases = bases(&round);
    let lost = |&base: &Card| {
        let is_lost = |world: &&&Round| {
            let solved = solver.solve_beginning_under(base, world.table(), budget);
            solved.is_win() == Some(false)
        };
        won.iter().filter(is_lost).count() as u64
    };
    FirstTurn {
        worlds: all.len() as u64,
        won: count(Some(true)),
        undecided: count(None),
        lost: bases.iter().map(lost).min().unwrap_or(0),
        solves: (all.len() + won.len() * bases.len()) as u64,
    }
}

/// Goes through the stock, and makes safe moves as long as they turn cards.
pub(crate) fn settle(round: &mut Round) {
    if !round.is_stock_known() {
        Macros::LookingFirst.play(round, Macro::Look);
    }
    while let [line] = lines(round.table(), true, 0).as_slice() {
        let moves = line.moves(round.table());
        play_until_turned(round, &moves, |_| ());
    }
}

/// The cards that lie on face-down ones.
fn bases(round: &Round) -> Vec<Card> {
    let columns = round.table().columns().iter();
    let covering = columns.filter(|column| column.face_down() > 0);
    covering
        .filter_map(|column| column.run().first().copied())
        .collect()
}
