//! The game of macro moves, for the players of [`cards::hidden`].

use super::super::casino::{self, CappedSolver};
use super::super::exact::{KnownLine, TableSolution, first_line, lines};
use super::super::heuristic;
use super::super::quick::Quick;
use super::super::round::{Play, Round, SeenRound};
use super::super::rules::Rules;
use super::super::table::{CardTable, Move};
use cards::hidden::HiddenGame;
use kit::search::Budget;

/// The score of a game won, where passes are not limited and only winning counts.
const WIN: u32 = 100;
/// The score of a world that the exact search leaves undecided after a move, where only winning
/// counts. Only worlds known to be winnable before the move are looked at: most still are.
const UNDECIDED: u32 = 65;

/// The positions that are looked at to find the macro moves of a round.
const WALK: usize = 400;
/// The nodes that the end of a game may cost, where no macro move is left.
const END: Budget = Budget::nodes(200_000);

/// Solitaire by macro moves. Where passes are not limited the score is `WIN` or 0, and otherwise
/// the number of cards on the foundations, which is paid.
#[derive(Clone, Copy, Debug, Default)]
pub enum Macros {
    /// A game begins once through the stock, which costs nothing where passes are not limited.
    #[default]
    LookingFirst,
    /// As people play: once through the stock only when no card can be turned without it.
    TurningFirst,
}

impl Macros {
    /// The macro moves of a round, of the lines that are found. Where nothing was drawn yet, only lines that
    /// turn a card before the stock is touched are wanted, of those that turn first.
    fn choices(
        self,
        round: &Round,
        find: impl Fn(bool, &dyn Fn(&KnownLine) -> bool) -> Vec<KnownLine>,
    ) -> Vec<Macro> {
        let is_known = round.is_stock_known();
        let looks = !is_known && counts_wins(round.table().rules());
        if looks && round.table().waste().is_empty() {
            let turns = match self {
                Macros::LookingFirst => Vec::new(),
                Macros::TurningFirst => find(false, &|line| !line.draws),
            };
            return if turns.is_empty() {
                vec![Macro::Look]
            } else {
                turns.into_iter().map(Macro::Line).collect()
            };
        }
        if round.unseen().is_empty() {
            return Vec::new();
        }
        let look = looks.then_some(Macro::Look).into_iter();
        let ways = find(is_known, &|_| true);
        look.chain(ways.into_iter().map(Macro::Line)).collect()
    }
}

/// A macro move: the moves until the next unknown card is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Macro {
    /// Once through the stock, which is turned over then. It costs nothing where passes are not
    /// limited and nothing was drawn yet; in the middle of a pass it is one choice of several.
    Look,
    /// Moves of known cards; then a card is turned, or the next ones are drawn.
    Line(KnownLine),
}

impl Macro {
    /// The single moves of the choice, up to the one that shows an unknown card.
    pub fn moves(&self, round: &Round) -> Vec<Move> {
        match self {
            Macro::Look => look(round.table()),
            Macro::Line(line) => line.moves(round.table()),
        }
    }
}

/// Draws to the end of the stock, and turns it over.
fn look(table: &CardTable) -> Vec<Move> {
    let packets = table
        .stock()
        .len()
        .div_ceil(usize::from(table.rules().draw));
    let mut moves = vec![Move::Draw; packets];
    moves.push(Move::Recycle);
    moves
}

/// Returns the moves where no macro move is left: those that the known cards allow, or all that
/// turn a card after all.
pub fn last_moves(round: &Round) -> Vec<Move> {
    let round = round.sight().canonical();
    let mut solver = CappedSolver::default().0;
    solver.solve(round.table(), END).line(round.table())
}

/// Makes moves until one turns a card, telling each; whether one did.
pub(crate) fn play_until_turned(
    round: &mut Round,
    moves: &[Move],
    mut tell: impl FnMut(Move),
) -> bool {
    let face_down = round.table().face_down();
    for &single in moves {
        round.play(Play::single(single));
        tell(single);
        if round.table().face_down() < face_down {
            return true;
        }
    }
    false
}

/// Returns whether only winning counts.
fn counts_wins(rules: Rules) -> bool {
    rules.passes.is_none()
}

/// The score of a game that ends with so many cards on the foundations.
fn value(rules: Rules, is_win: bool, cards: u8) -> u32 {
    if counts_wins(rules) {
        WIN * u32::from(is_win)
    } else {
        u32::from(cards)
    }
}

impl HiddenGame for Macros {
    type Observation = SeenRound;
    type World = Round;
    type Move = Macro;
    type Solver = CappedSolver;
    type Guide = Option<TableSolution>;
    const TRIES_DOUBTFUL_FIRST: bool = true;
    const FORESIGHT: Budget = casino::FORESIGHT;

    fn observe(&self, round: &Round) -> SeenRound {
        round.sight()
    }

    fn canonical(&self, seen: &SeenRound) -> Round {
        seen.canonical()
    }

    fn unseen(&self, seen: &SeenRound) -> usize {
        casino::Casino.unseen(seen)
    }

    fn redeal(&self, canonical: &Round, order: &[u8]) -> Round {
        casino::Casino.redeal(canonical, order)
    }

    fn moves(&self, round: &Round) -> Vec<Macro> {
        self.choices(round, |is_known, is_wanted| {
            let mut lines = lines(round.table(), is_known, WALK);
            lines.retain(is_wanted);
            lines
        })
    }

    /// The first of the moves, without the walk to the others.
    fn policy(&self, round: &Round) -> Option<Macro> {
        let choices = self.choices(round, |is_known, is_wanted| {
            let line = first_line(round.table(), is_known, WALK, is_wanted);
            line.into_iter().collect()
        });
        choices.first().copied()
    }

    fn roll_out(&self, round: Round) -> u32 {
        let cards = heuristic::play_out(Quick::from(&round));
        let is_win = cards == round.table().cards();
        value(round.table().rules(), is_win, cards)
    }

    fn play(&self, round: &mut Round, play: Macro) {
        let moves = play.moves(round);
        play_until_turned(round, &moves, |_| ());
    }

    fn score(&self, round: &Round) -> u32 {
        let mut end = *round;
        play_until_turned(&mut end, &last_moves(round), |_| ());
        value(end.table().rules(), end.table().is_won(), end.score())
    }

    fn solve(
        &self,
        solver: &mut CappedSolver,
        round: &Round,
        guide: &Option<TableSolution>,
        budget: Budget,
    ) -> u32 {
        let (solver, table) = (&mut solver.0, round.table());
        let solved = match guide {
            Some(guide) => solver.solve_along(guide, table, budget),
            None => solver.solve(table, budget),
        };
        if counts_wins(round.table().rules()) {
            let is_win = solved.is_win();
            return is_win.map_or(UNDECIDED, |is_win| WIN * u32::from(is_win));
        }
        // Nobody who plays on sees the cards, and nobody plays on as badly as the quick player: the
        // truth lies between what sight finds and what the quick player reaches.
        let reached = u32::from(heuristic::play_out(Quick::from(round)));
        let best = u32::from(solved.foundation.lower().max(round.score()));
        best.max(reached).midpoint(reached)
    }

    /// A world that is not found to be winnable is none to choose by.
    fn bound(
        &self,
        solver: &mut CappedSolver,
        round: &Round,
        budget: Budget,
    ) -> (u32, Option<TableSolution>) {
        if !counts_wins(round.table().rules()) {
            return (u32::from(round.table().cards()), None);
        }
        let solved = solver.0.solve(round.table(), budget);
        (WIN * u32::from(solved.is_win() == Some(true)), Some(solved))
    }
}
