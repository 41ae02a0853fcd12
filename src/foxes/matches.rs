//! Playing a match between two players to its end.
//!
//! Knows players only through their trait, and nothing of where results go.

use super::players::Contestant;
use foxes::game::Game;
use foxes::moves::Move;
use foxes::position::Side;
use foxes::rules::Ending;
use kit::rng::{Stream, StreamKey};
use kit::search::Budget;
use task::outside::{WorkerError, WorkerErrorKind};

/// A player at the board, with its own stream.
pub struct MatchSeat<'a> {
    player: &'a mut dyn Contestant,
    rng: Stream,
    /// The source of `rng`: the key and the sample.
    source: (&'a StreamKey, u64),
}

impl<'a> MatchSeat<'a> {
    /// A player for sample `index`, which draws from `key`'s stream.
    pub fn new(player: &'a mut dyn Contestant, key: &'a StreamKey, index: u64) -> Self {
        Self {
            player,
            rng: key.stream(index),
            source: (key, index),
        }
    }

    /// Returns whether the player drew nothing at random: then it plays every such match alike.
    fn drew_nothing(&self) -> bool {
        let (key, index) = self.source;
        self.rng == key.stream(index) && !self.player.takes_seed()
    }

    fn begin(&mut self, game: &Game) -> Result<(), Box<WorkerError>> {
        let (key, index) = self.source;
        self.player.begin_match(game, &|| key.seed(index))
    }
}

/// The record of one side in a match.
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
pub struct FinishedMatch {
    /// The ending.
    pub ending: Ending,
    /// Plies played.
    pub plies: u64,
    /// Hens eaten, those missing at the start included.
    pub eaten: u32,
    /// Most hens taken in one move.
    pub longest_chain: u32,
    /// True if the hens could not move, at the end or, where they pass, at any time.
    pub stuck: bool,
    /// True if a player lost it by giving no answer in time, which the clock decides.
    pub late: bool,
    /// True if neither player drew anything at random.
    pub without_chance: bool,
    /// The record of the hens.
    pub hens: Conduct,
    /// The record of the foxes.
    pub foxes: Conduct,
}

/// A match that a player's fault broke off.
#[derive(Debug)]
pub struct Broken {
    /// The side at fault.
    pub side: Side,
    /// The fault itself.
    pub fault: Box<WorkerError>,
    /// The match so far.
    pub report: FinishedMatch,
}

impl Broken {
    /// The fault of a match that was played again, where it came again.
    pub fn again(mut self) -> Self {
        if self.may_be_chance() {
            self.fault.add_to_first_line(", twice in this match");
        }
        self
    }

    /// Returns whether the fault may be chance, so that the match is played again.
    pub fn may_be_chance(&self) -> bool {
        matches!(
            self.fault.kind,
            WorkerErrorKind::Crashed | WorkerErrorKind::Killed
        )
    }

    /// The match, lost by whoever broke it off.
    pub fn forfeited(&self) -> FinishedMatch {
        FinishedMatch {
            late: self.fault.kind == WorkerErrorKind::Silent,
            ..self.report.forfeited_by(self.side)
        }
    }
}

/// Plays from the game's position to its end, telling `witness` every move before it is played.
///
/// # Errors
/// If a player fails; built-in ones do not.
pub fn play_out<'a>(
    game: &mut Game,
    hens: &mut MatchSeat<'a>,
    foxes: &mut MatchSeat<'a>,
    mut witness: impl FnMut(&Game, Move),
) -> Result<FinishedMatch, Broken> {
    let mut report = FinishedMatch::default();
    for (side, seat) in [(Side::Hens, &mut *hens), (Side::Foxes, &mut *foxes)] {
        seat.begin(game).map_err(|fault| Broken {
            side,
            fault,
            report,
        })?;
    }
    loop {
        if let Some(ending) = game.ending() {
            let mut report = report.closed(ending, game);
            report.without_chance = hens.drew_nothing() && foxes.drew_nothing();
            for (side, seat) in [(Side::Hens, hens), (Side::Foxes, foxes)] {
                seat.player.end_match().map_err(|fault| Broken {
                    side,
                    fault,
                    report,
                })?;
            }
            return Ok(report);
        }
        let (seat, conduct) = match game.position().side {
            Side::Hens => (&mut *hens, &mut report.hens),
            Side::Foxes => (&mut *foxes, &mut report.foxes),
        };
        let play = match conduct.choose(game, seat) {
            Ok(play) => play,
            Err(fault) => {
                let side = game.position().side;
                report.eaten = game.position().eaten;
                return Err(Broken {
                    side,
                    fault,
                    report,
                });
            }
        };
        witness(game, play);
        report.plies += 1;
        report.longest_chain = report.longest_chain.max(play.length());
        report.stuck |= play.is_pass();
        game.play(play);
    }
}

impl Conduct {
    #[inline]
    fn choose(&mut self, game: &Game, seat: &mut MatchSeat<'_>) -> Result<Move, Box<WorkerError>> {
        // A player's strength is in its name alone.
        let choice = seat.player.choose(game, &mut seat.rng, Budget::UNLIMITED)?;
        self.moves += 1;
        self.ties += u64::from(choice.candidates > 1);
        self.nodes += choice.nodes;
        Ok(choice.play)
    }
}

impl Default for FinishedMatch {
    /// A match before its first move.
    fn default() -> Self {
        Self {
            ending: Ending::Quiet,
            plies: 0,
            eaten: 0,
            longest_chain: 0,
            stuck: false,
            late: false,
            without_chance: false,
            hens: Conduct::default(),
            foxes: Conduct::default(),
        }
    }
}

impl FinishedMatch {
    /// The match, lost by a side's fault.
    pub fn forfeited_by(self, side: Side) -> FinishedMatch {
        FinishedMatch {
            ending: match side {
                Side::Foxes => Ending::FoxesForfeit,
                Side::Hens => Ending::HensForfeit,
            },
            ..self
        }
    }

    /// The match that nobody plays, because a player is out.
    pub fn unplayed() -> FinishedMatch {
        FinishedMatch {
            ending: Ending::Unplayed,
            ..FinishedMatch::default()
        }
    }

    fn closed(mut self, ending: Ending, game: &Game) -> FinishedMatch {
        self.ending = ending;
        self.eaten = game.position().eaten;
        self.stuck |= ending == Ending::Stuck;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::foxes::players::{Chosen, PlayerName};
    use foxes::notation::read_position;
    use foxes::players::Choice;
    use foxes::rules::Rules;
    use kit::rng::Streams;

    /// Plays the first legal move.
    struct First;

    impl Contestant for First {
        fn choose(&mut self, game: &Game, _: &mut Stream, _: Budget) -> Chosen {
            let mut legal = Vec::new();
            game.rules().moves(game.position(), &mut legal);
            Ok(Choice {
                play: legal[0],
                candidates: 1,
                nodes: 0,
            })
        }
    }

    /// Seed 3.
    #[test]
    fn a_match_is_without_chance_if_neither_player_draws() {
        let rules = Rules::ARSAC;
        let start = read_position("start", rules.board).unwrap();
        let key = Streams::new(3).key("any");
        let is_without_chance = |foxes: &mut dyn Contestant| {
            let mut hens = First;
            let seats = [&mut hens as &mut dyn Contestant, foxes];
            let [mut hens, mut foxes] = seats.map(|player| MatchSeat::new(player, &key, 0));
            let played = play_out(
                &mut Game::from(rules, start),
                &mut hens,
                &mut foxes,
                |_, _| {},
            );
            played.unwrap().without_chance
        };
        assert!(is_without_chance(&mut First));
        let mut random = PlayerName::read("random", Side::Foxes).unwrap().build();
        assert!(!is_without_chance(&mut *random));
    }
}
