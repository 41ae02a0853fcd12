//! A board with two players at it, ready to play sample after sample.

use super::super::draw;
use super::super::game::Game;
use super::super::matches::{Report, Seat, play_out};
use super::super::moves::Move;
use super::super::players::{Player, PlayerName};
use super::super::position::{Position, Side};
use super::super::rules::Rules;
use super::super::typed::write_move;
use super::Setting;
use lab::rng::{StreamKey, Streams};
use lab::task::{Draw, Frame, ParamError, Params};

/// Both sides' players, by name.
#[derive(Clone, Debug)]
pub(super) struct Pairing {
    pub(super) foxes: PlayerName,
    pub(super) hens: PlayerName,
}

impl Pairing {
    /// The players that the parameters `fox` and `hens` name.
    pub(super) fn read(params: &Params, rules: &Rules) -> Result<Self, ParamError> {
        Ok(Self {
            foxes: player(params.text("fox")?, "fox", Side::Foxes, rules)?,
            hens: player(params.text("hens")?, "hens", Side::Hens, rules)?,
        })
    }

    pub(super) fn memory(&self) -> u64 {
        self.foxes.build().memory() + self.hens.build().memory()
    }
}

/// Reads the name of a player that knows the rules out of parameter `param`.
pub(super) fn player(
    text: &str,
    param: &str,
    side: Side,
    rules: &Rules,
) -> Result<PlayerName, ParamError> {
    let fault = |(message, help): (String, String)| ParamError::new(param, message, help);
    let name = PlayerName::read(text, side).map_err(fault)?;
    name.check(rules).map_err(fault)?;
    Ok(name)
}

/// Draws first positions.
pub(super) struct Openings<'task> {
    setting: &'task Setting,
    draws: StreamKey,
}

impl<'task> Openings<'task> {
    pub(super) fn new(setting: &'task Setting, streams: &Streams) -> Self {
        Self {
            setting,
            draws: streams.key("opening"),
        }
    }

    pub(super) fn position(&self, index: u64) -> Position {
        let Setting { rules, opening } = self.setting;
        if opening.is_random() {
            opening.draw(rules, &mut self.draws.stream(index))
        } else {
            opening.root
        }
    }
}

/// Which streams the two sides of a table draw from.
pub(super) struct Purposes {
    pub(super) foxes: &'static str,
    pub(super) hens: &'static str,
}

/// A board with two players at it.
pub(super) struct Table {
    game: Game,
    foxes: Box<dyn Player>,
    hens: Box<dyn Player>,
    fox_draws: StreamKey,
    hens_draws: StreamKey,
}

impl Table {
    pub(super) fn new(
        setting: &Setting,
        pairing: &Pairing,
        streams: &Streams,
        to: Purposes,
    ) -> Table {
        Table {
            game: Game::from(setting.rules, setting.opening.root),
            foxes: pairing.foxes.build(),
            hens: pairing.hens.build(),
            fox_draws: streams.key(to.foxes),
            hens_draws: streams.key(to.hens),
        }
    }

    /// Plays sample `draw` from `start`, telling every move before it is played.
    pub(super) fn play(
        &mut self,
        start: Position,
        draw: Draw,
        witness: impl FnMut(&Game, Move),
    ) -> Report {
        self.game.restart(*self.game.rules(), start);
        let mut hens = Seat {
            player: &mut *self.hens,
            rng: self.hens_draws.stream(draw.index),
            budget: draw.budget,
        };
        let mut foxes = Seat {
            player: &mut *self.foxes,
            rng: self.fox_draws.stream(draw.index),
            budget: draw.budget,
        };
        play_out(&mut self.game, &mut hens, &mut foxes, witness)
    }

    /// As [`Table::play`], with a picture of every position; `title` names the first.
    pub(super) fn story(
        &mut self,
        start: Position,
        draw: Draw,
        title: &str,
    ) -> (Vec<Frame>, Report) {
        let mut frames = vec![frame(title, &start, self.game.rules().board)];
        let report = self.play(start, draw, |game, play| {
            let rules = game.rules();
            let after = rules.after(game.position(), play);
            let side = game.position().side.name();
            frames.push(frame(
                &format!("{side}: {}", write_move(play)),
                &after,
                rules.board,
            ));
        });
        (frames, report)
    }
}

fn frame(caption: &str, position: &Position, board: &super::super::board::Board) -> Frame {
    Frame {
        caption: caption.to_owned(),
        board: draw::text(position, board, false),
        svg: Some(draw::svg(position, board)),
    }
}

/// A side's half points in a match that `winner` won.
pub(super) fn half_points(side: Side, winner: Option<Side>) -> i64 {
    match winner {
        None => 1,
        Some(winner) => 2 * i64::from(winner == side),
    }
}
