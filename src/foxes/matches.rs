//! Playing a match between two players to its end.
//!
//! Knows players only through their trait, and nothing of where results go.

use super::game::Game;
use super::moves::Move;
use super::players::Player;
use super::position::Side;
use super::rules::Ending;
use lab::rng::Stream;
use lab::search::Budget;

/// A player at the board, with its own stream and node budget.
pub struct Seat<'a> {
    /// Who chooses.
    pub player: &'a mut dyn Player,
    /// What it draws from.
    pub rng: Stream,
    /// What all its moves in a match may cost together.
    pub budget: Budget,
}

/// What one side did in a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conduct {
    /// Moves chosen.
    pub moves: u64,
    /// Moves drawn among several equally good ones.
    pub ties: u64,
    /// Positions examined.
    pub nodes: u64,
}

/// A match, finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// How it ended.
    pub ending: Ending,
    /// Plies played.
    pub plies: u64,
    /// Hens eaten, those missing at the start included.
    pub eaten: u32,
    /// Most hens taken in one move.
    pub longest_chain: u32,
    /// Whether the hens could not move, at the end or, where they pass, at any time.
    pub stuck: bool,
    /// What the hens did.
    pub hens: Conduct,
    /// What the foxes did.
    pub foxes: Conduct,
}

/// Plays from the game's position to its end, telling `witness` every move before it is played.
pub fn play_out<'a>(
    game: &mut Game,
    hens: &mut Seat<'a>,
    foxes: &mut Seat<'a>,
    mut witness: impl FnMut(&Game, Move),
) -> Report {
    hens.player.begin();
    foxes.player.begin();
    let mut report = Report::new();
    loop {
        if let Some(ending) = game.ending() {
            return report.closed(ending, game);
        }
        let (seat, conduct) = match game.position().side {
            Side::Hens => (&mut *hens, &mut report.hens),
            Side::Foxes => (&mut *foxes, &mut report.foxes),
        };
        let play = conduct.choose(game, seat);
        witness(game, play);
        report.plies += 1;
        report.longest_chain = report.longest_chain.max(play.length());
        report.stuck |= play.is_pass();
        game.play(play);
    }
}

impl Conduct {
    #[inline]
    fn choose(&mut self, game: &Game, seat: &mut Seat<'_>) -> Move {
        let left = Budget::nodes(seat.budget.limit().saturating_sub(self.nodes));
        let choice = seat.player.choose(game, &mut seat.rng, left);
        self.moves += 1;
        self.ties += u64::from(choice.candidates > 1);
        self.nodes += choice.nodes;
        choice.play
    }
}

impl Report {
    fn new() -> Report {
        Report {
            ending: Ending::Quiet,
            plies: 0,
            eaten: 0,
            longest_chain: 0,
            stuck: false,
            hens: Conduct::default(),
            foxes: Conduct::default(),
        }
    }

    fn closed(mut self, ending: Ending, game: &Game) -> Report {
        self.ending = ending;
        self.eaten = game.position().eaten;
        self.stuck |= ending == Ending::Stuck;
        self
    }
}
