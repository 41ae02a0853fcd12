//! The casino's game as people meet it, for the players of [`cards::hidden`].

use super::exact::Solver;
use super::heuristic;
use super::quick::Quick;
use super::round::{Play, Round, SeenRound};
use cards::hidden::HiddenGame;
use kit::search::Budget;

/// The rules; those of the stock travel with each table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Casino;

/// The table of positions of a budgeted search, in bytes.
const MEMORY: u64 = 16 << 20;
/// The nodes that a player's search of a world may cost where its name says nothing of them.
pub(crate) const FORESIGHT: Budget = Budget::nodes(600);

/// The exact search in the memory of a budgeted one.
pub struct CappedSolver(pub Solver);

impl Default for CappedSolver {
    fn default() -> Self {
        Self(Solver::with_memory(MEMORY))
    }
}

impl HiddenGame for Casino {
    type Observation = SeenRound;
    type World = Round;
    type Move = Play;
    type Solver = CappedSolver;
    type Guide = ();
    const FORESIGHT: Budget = FORESIGHT;

    fn observe(&self, round: &Round) -> SeenRound {
        round.sight()
    }

    fn canonical(&self, seen: &SeenRound) -> Round {
        seen.canonical()
    }

    fn unseen(&self, seen: &SeenRound) -> usize {
        seen.canonical().unseen().len()
    }

    fn redeal(&self, canonical: &Round, order: &[u8]) -> Round {
        let sorted = canonical.unseen();
        let card = |&place: &u8| sorted.get(usize::from(place)).copied();
        let cards: Vec<_> = order.iter().filter_map(card).collect();
        canonical.redealt(&cards)
    }

    fn moves(&self, round: &Round) -> Vec<Play> {
        heuristic::plays(round)
    }

    fn policy(&self, round: &Round) -> Option<Play> {
        heuristic::first(round)
    }

    fn roll_out(&self, round: Round) -> u32 {
        u32::from(heuristic::play_out(Quick::from(&round)))
    }

    fn play(&self, round: &mut Round, play: Play) {
        round.play(play);
    }

    fn score(&self, round: &Round) -> u32 {
        u32::from(round.score())
    }

    fn solve(&self, solver: &mut CappedSolver, round: &Round, _: &(), budget: Budget) -> u32 {
        // Past the budget the best found counts.
        let solution = solver.0.solve(round.table(), budget);
        u32::from(solution.foundation.lower().max(round.score()))
    }

    fn bound(&self, _: &mut CappedSolver, round: &Round, _: Budget) -> (u32, ()) {
        (u32::from(round.table().cards()), ())
    }
}
