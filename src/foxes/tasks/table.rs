//! A board with two players, ready to play one sample after another.

use super::super::draw;
use super::super::game::Game;
use super::super::matches::{Broken, FinishedMatch, Seat, play_out};
use super::super::moves::Move;
use super::super::players::{Player, PlayerFault, PlayerName};
use super::super::position::{Position, Side};
use super::super::rules::{Ending, Rules};
use super::super::typed::write_move;
use super::MatchSetting;
use lab::programs::player::{ExternalPlayer, Players};
use lab::rng::{StreamKey, Streams};
use lab::search::Budget;
use lab::task::{
    Draw, Frame, Metric, ParamError, Params, Row, SampleError, Task, Value, Workspace,
};
use std::sync::Arc;

/// Both sides' players, by name.
#[derive(Clone, Debug)]
pub(super) struct Opponents {
    pub(super) foxes: PlayerName,
    pub(super) hens: PlayerName,
}

impl Opponents {
    /// The players that the parameters `fox` and `hens` name.
    pub(super) fn read(params: &Params, rules: &Rules) -> Result<Self, ParamError> {
        Ok(Self {
            foxes: player(params, params.text("fox")?, ("fox", Side::Foxes), rules)?,
            hens: player(params, params.text("hens")?, ("hens", Side::Hens), rules)?,
        })
    }

    pub(super) fn memory(&self) -> u64 {
        self.foxes.build().memory() + self.hens.build().memory()
    }

    /// Returns whether another program plays a side.
    pub(super) fn is_external(&self) -> bool {
        self.programs().next().is_some()
    }

    /// The players in other programs.
    pub(super) fn programs(&self) -> impl Iterator<Item = &Arc<ExternalPlayer>> {
        [&self.foxes, &self.hens]
            .into_iter()
            .filter_map(PlayerName::program)
    }
}

/// Reads the name of a side's player that knows the rules out of a parameter: one of the
/// experiment file's own players, or a built-in one.
pub(super) fn player(
    params: &Params,
    text: &str,
    (param, side): (&str, Side),
    rules: &Rules,
) -> Result<PlayerName, ParamError> {
    let fault = |(message, help): (String, String)| ParamError::new(param, message, help);
    let name = PlayerName::read_with(params.attached(), text, side).map_err(fault)?;
    name.check(rules).map_err(fault)?;
    Ok(name)
}

/// Draws first positions.
pub(super) struct Openings<'task> {
    setting: &'task MatchSetting,
    draws: StreamKey,
}

impl<'task> Openings<'task> {
    pub(super) fn new(setting: &'task MatchSetting, streams: &Streams) -> Self {
        Self {
            setting,
            draws: streams.key("opening"),
        }
    }

    pub(super) fn position(&self, index: u64) -> Position {
        let MatchSetting { rules, opening } = self.setting;
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
pub(super) struct MatchTable {
    game: Game,
    foxes: Box<dyn Player>,
    hens: Box<dyn Player>,
    fox_draws: StreamKey,
    hens_draws: StreamKey,
    pairing: Opponents,
    played: Vec<Move>,
}

impl MatchTable {
    pub(super) fn new(
        setting: &MatchSetting,
        pairing: &Opponents,
        streams: &Streams,
        to: Purposes,
    ) -> MatchTable {
        MatchTable {
            game: Game::from(setting.rules, setting.opening.root),
            foxes: pairing.foxes.build(),
            hens: pairing.hens.build(),
            fox_draws: streams.key(to.foxes),
            hens_draws: streams.key(to.hens),
            pairing: pairing.clone(),
            played: Vec::new(),
        }
    }

    /// Plays sample `draw` from `start`, telling every move before it is played.
    ///
    /// # Errors
    /// If a player in another program fails and is not to lose for it.
    pub(super) fn play(
        &mut self,
        start: Position,
        draw: Draw,
        mut witness: impl FnMut(&Game, Move),
    ) -> Result<FinishedMatch, SampleError> {
        if !self.pairing.is_external() {
            let played = self.attempt(start, draw, witness);
            return played.map_err(|broken| SampleError::new(draw.index, text(*broken.fault)));
        }
        // The match may have to be played again, so its moves are told when it has ended.
        let report = self.referee(start, draw)?;
        self.game.restart(*self.game.rules(), start);
        for &play in &self.played {
            witness(&self.game, play);
            self.game.play(play);
        }
        Ok(report)
    }

    /// Plays with players that may fail: a crash once more from the start, with a new engine.
    fn referee(&mut self, start: Position, draw: Draw) -> Result<FinishedMatch, SampleError> {
        let first = match self.recorded(start, draw) {
            Ok(report) => return Ok(report),
            Err(broken) => broken,
        };
        let PlayerFault::Crash(message) = *first.fault else {
            return self.settle(first, draw);
        };
        match self.recorded(start, draw) {
            Ok(report) => {
                let line = message.lines().next().unwrap_or_default();
                if let Some(player) = self.name(first.side).program() {
                    player
                        .pool
                        .note_crash(format!("sample {}: {line}", draw.index));
                }
                Ok(report)
            }
            Err(second) => self.settle(second, draw),
        }
    }

    fn recorded(&mut self, start: Position, draw: Draw) -> Result<FinishedMatch, Broken> {
        let mut played = std::mem::take(&mut self.played);
        played.clear();
        let report = self.attempt(start, draw, |_, play| played.push(play));
        self.played = played;
        report
    }

    fn attempt(
        &mut self,
        start: Position,
        draw: Draw,
        witness: impl FnMut(&Game, Move),
    ) -> Result<FinishedMatch, Broken> {
        let index = draw.index;
        self.game.restart(*self.game.rules(), start);
        let mut hens = Seat::new(&mut *self.hens, &self.hens_draws, index);
        let mut foxes = Seat::new(&mut *self.foxes, &self.fox_draws, index);
        play_out(&mut self.game, &mut hens, &mut foxes, witness)
    }

    fn name(&self, side: Side) -> &PlayerName {
        match side {
            Side::Foxes => &self.pairing.foxes,
            Side::Hens => &self.pairing.hens,
        }
    }

    /// A fault that stands: the match is lost by it where the experiment says so.
    fn settle(&self, broken: Broken, draw: Draw) -> Result<FinishedMatch, SampleError> {
        let program = self.name(broken.side).program();
        let loser = program.filter(|player| player.declaration().loses);
        if let (Some(loser), PlayerFault::Illegal(message) | PlayerFault::Crash(message)) =
            (loser, &*broken.fault)
        {
            let line = message.lines().next().unwrap_or_default();
            loser.note_forfeit(&format!("sample {}: {line}", draw.index));
            return Ok(FinishedMatch {
                ending: match broken.side {
                    Side::Foxes => Ending::FoxesForfeit,
                    Side::Hens => Ending::HensForfeit,
                },
                ..broken.report
            });
        }
        let message = match *broken.fault {
            PlayerFault::Crash(message) => format!("{message}, twice in this match"),
            other => text(other),
        };
        Err(SampleError::new(draw.index, message))
    }

    /// As [`MatchTable::play`], with a picture of every position; `title` names the first.
    pub(super) fn story(
        &mut self,
        start: Position,
        draw: Draw,
        title: &str,
    ) -> Result<(Vec<Frame>, FinishedMatch), SampleError> {
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
        })?;
        Ok((frames, report))
    }
}

fn frame(caption: &str, position: &Position, board: &super::super::board::Board) -> Frame {
    Frame {
        caption: caption.to_owned(),
        board: draw::text(position, board, false),
        svg: Some(draw::svg(position, board)),
    }
}

fn text(fault: PlayerFault) -> String {
    match fault {
        PlayerFault::Illegal(message)
        | PlayerFault::Crash(message)
        | PlayerFault::Failure(message) => message,
    }
}

/// Samples that are played twice where another program plays.
const REHEARSED: u64 = 2;

/// Plays the first samples of a task with external players twice. Where the values differ, what was
/// said in these matches is kept as after a fault.
///
/// # Errors
/// If a player fails, or the values differ.
pub(super) fn check_repeatable<'a>(
    task: &dyn Task,
    players: impl Iterator<Item = &'a Arc<ExternalPlayer>>,
    streams: &Streams,
    metrics: &[Metric],
    budget: Budget,
) -> Result<(), SampleError> {
    let players: Vec<_> = players.collect();
    if players.is_empty() {
        return Ok(());
    }
    let played = play_twice(task, &players, streams, budget);
    let difference = played.map(|rows| difference(metrics, &rows));
    let differed = matches!(difference, Ok(Some(_)));
    for player in players {
        player.end_check(differed);
    }
    difference?.map_or(Ok(()), Err)
}

/// The first samples by two workers, the second in reverse; each starts engines of its own.
fn play_twice(
    task: &dyn Task,
    players: &[&Arc<ExternalPlayer>],
    streams: &Streams,
    budget: Budget,
) -> Result<Vec<[Row; 2]>, SampleError> {
    let mut spaces = [Workspace::new(), Workspace::new()];
    let mut workers = (spaces.each_mut()).map(|space| task.worker(streams, space));
    let mut rows = vec![[Row::new(), Row::new()]; REHEARSED as usize];
    let forwards = (0..REHEARSED).map(|index| (0, index));
    let backwards = (0..REHEARSED).rev().map(|index| (1, index));
    for (time, index) in forwards.chain(backwards) {
        for player in players {
            let word = ["first", "second"][time];
            player.keep_matches(format!("sample {index}, played for the {word} time"));
        }
        let row = &mut rows[index as usize][time];
        workers[time].sample(Draw { index, budget }, row)?;
    }
    Ok(rows)
}

/// The first value that is not the same twice.
fn difference(metrics: &[Metric], rows: &[[Row; 2]]) -> Option<SampleError> {
    (0..).zip(rows).find_map(|(index, [once, again])| {
        let values = once.values().iter().zip(again.values());
        let (metric, (once, again)) = metrics.iter().zip(values).find(|(_, (a, b))| a != b)?;
        let message = format!(
            "`{}` of sample {index} is {}, then {}: a match must follow from its position, its \
             rules and the option Seed alone; usual causes are a seed of its own, the clock, and \
             state kept after uginewgame",
            metric.name,
            shown(once),
            shown(again)
        );
        Some(SampleError::new(index, message))
    })
}

fn shown(value: &Value) -> String {
    match value {
        Value::Exact(value) => value.to_string(),
        Value::Ratio {
            numerator,
            denominator,
        } => format!("{numerator} / {denominator}"),
        other => format!("{other:?}"),
    }
}

/// The matches among these that were forfeited.
pub(super) fn forfeits(reports: &[&FinishedMatch]) -> Value {
    let is_forfeit = |report: &&&FinishedMatch| {
        matches!(report.ending, Ending::FoxesForfeit | Ending::HensForfeit)
    };
    Value::Exact(reports.iter().filter(is_forfeit).count() as i64)
}

/// Returns whether every row ends with the forfeits: the experiment's players may lose by a fault.
pub(super) fn may_forfeit(params: &Params) -> bool {
    params
        .attached::<Players>()
        .is_some_and(Players::may_forfeit)
}

/// A side's half points in a match that `winner` won.
pub(super) fn half_points(side: Side, winner: Option<Side>) -> i64 {
    match winner {
        None => 1,
        Some(winner) => 2 * i64::from(winner == side),
    }
}
