//! A board with two players, ready to play one sample after another.

use super::super::matches::{Broken, FinishedMatch, MatchSeat, play_out};
use super::super::players::{Contestant, PlayerName};
use super::MatchSetting;
use super::repeats::{Deviation, FORFEIT, MatchStep};
use foxes::decided::first_decided;
use foxes::draw;
use foxes::game::Game;
use foxes::moves::Move;
use foxes::notation::write_position;
use foxes::position::{Position, Side};
use foxes::rules::{Ending, Rules};
use foxes::typed::{told, write_move};
use kit::rng::{StreamKey, Streams};
use std::sync::Arc;
use task::outside::{OutsidePlayer, Players, WorkerError};
use task::{Draw, Frame, ParamError, Params, Row, SampleError, Value};

/// The reason for which no budget limits a match.
pub(super) const STRENGTH: &str = "a player's strength is in its own name, as in `search(4)`, or in its \
    `go`, as in `go = \"nodes 500\"`";

/// The players of both sides, by name.
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

    /// The player of a side.
    fn name(&self, side: Side) -> &PlayerName {
        match side {
            Side::Foxes => &self.foxes,
            Side::Hens => &self.hens,
        }
    }

    /// Returns whether a player in another program was never checked on its side.
    pub(super) fn has_unchecked(&self) -> bool {
        self.sides()
            .any(|(side, player)| player.is_unchecked(side.name()))
    }

    /// Returns whether a player is out, so that no match is played.
    pub(super) fn is_unplayed(&self) -> bool {
        self.programs().any(|player| player.out().is_some())
    }

    pub(super) fn note_checked(&self) {
        self.sides()
            .for_each(|(side, player)| player.note_checked(side.name()));
    }

    /// Takes the fault of a side's player, which loses the match where the experiment says so.
    ///
    /// # Errors
    /// If it ends the run.
    fn excuse(&self, side: Side, fault: &WorkerError, index: u64) -> Result<(), SampleError> {
        let Some(player) = self.name(side).program() else {
            return Err(SampleError::new(index, &*fault.message));
        };
        let excused = player.excuse(fault);
        excused.map_err(|fault| SampleError::new(index, fault.message))?;
        player.note_forfeit(&format!("sample {index}"), fault);
        Ok(())
    }

    /// Takes out the player of the side that differs.
    ///
    /// # Errors
    /// If its faults end the run.
    pub(super) fn exclude(&self, deviation: &Deviation, index: u64) -> Result<(), SampleError> {
        let Some(player) = self.name(deviation.side).program() else {
            return Ok(());
        };
        let excluded = player.exclude(deviation.fault(player, index));
        excluded.map_err(|fault| SampleError::new(index, fault.message))
    }

    /// Returns whether another program plays a side.
    pub(super) fn is_external(&self) -> bool {
        self.programs().next().is_some()
    }

    /// The players in other programs.
    pub(super) fn programs(&self) -> impl Iterator<Item = &Arc<OutsidePlayer>> {
        self.sides().map(|(_, player)| player)
    }

    /// The players in other programs, with their sides.
    fn sides(&self) -> impl Iterator<Item = (Side, &Arc<OutsidePlayer>)> {
        let sides = [Side::Foxes, Side::Hens].into_iter();
        sides.filter_map(move |side| Some((side, self.name(side).program()?)))
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
    let name = PlayerName::read_with(params.players(), text, side).map_err(fault)?;
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

    /// Returns whether every match begins with the same position.
    pub(super) fn are_fixed(&self) -> bool {
        !self.setting.opening.is_random()
    }

    pub(super) fn position(&self, index: u64) -> Position {
        let MatchSetting { rules, opening } = self.setting;
        if self.are_fixed() {
            opening.root
        } else {
            opening.draw(rules, &mut self.draws.stream(index))
        }
    }
}

/// The streams that the two sides of a table draw from.
pub(super) struct Purposes {
    pub(super) foxes: &'static str,
    pub(super) hens: &'static str,
}

/// A board with two players at it.
pub(super) struct MatchTable {
    game: Game,
    foxes: Box<dyn Contestant>,
    hens: Box<dyn Contestant>,
    fox_draws: StreamKey,
    hens_draws: StreamKey,
    pairing: Opponents,
    /// The moves of the match played last, with the sides that made them.
    played: Vec<(Side, Move)>,
    /// The side that has lost before the first move.
    barred: Option<Side>,
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
            barred: None,
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
        let barred = self
            .barred
            .map(|side| FinishedMatch::default().forfeited_by(side));
        let unplayed = (self.pairing.is_unplayed()).then(FinishedMatch::unplayed);
        if let Some(report) = unplayed.or(barred) {
            self.game.restart(*self.game.rules(), start);
            self.played.clear();
            return Ok(report);
        }
        if !self.pairing.is_external() {
            let played = self.attempt(start, draw, witness);
            return played.map_err(|broken| SampleError::new(draw.index, broken.fault.message));
        }
        // The match may have to be played again, so its moves are told when it has ended.
        let report = self.referee(start, draw)?;
        self.game.restart(*self.game.rules(), start);
        for &(_, play) in &self.played {
            witness(&self.game, play);
            self.game.play(play);
        }
        Ok(report)
    }

    /// Plays with players that may fail; a fault that stands loses the match or ends the run.
    fn referee(&mut self, start: Position, draw: Draw) -> Result<FinishedMatch, SampleError> {
        self.tried(start, draw).or_else(|broken| {
            (self.pairing).excuse(broken.side, &broken.fault, draw.index)?;
            Ok(broken.forfeited())
        })
    }

    /// Plays with players that may fail: after a crash once more from the start, with a new engine.
    fn tried(&mut self, start: Position, draw: Draw) -> Result<FinishedMatch, Broken> {
        let first = match self.attempt(start, draw, |_, _| {}) {
            Err(broken) if broken.may_be_chance() => broken,
            result => return result,
        };
        let report = self
            .attempt(start, draw, |_, _| {})
            .map_err(Broken::again)?;
        if let Some(player) = self.pairing.name(first.side).program() {
            let (index, line) = (draw.index, first.fault.first_line());
            player.log().note_crash(format!("sample {index}: {line}"));
        }
        Ok(report)
    }

    fn attempt(
        &mut self,
        start: Position,
        draw: Draw,
        mut witness: impl FnMut(&Game, Move),
    ) -> Result<FinishedMatch, Broken> {
        let index = draw.index;
        self.game.restart(*self.game.rules(), start);
        self.played.clear();
        let mut hens = MatchSeat::new(&mut *self.hens, &self.hens_draws, index);
        let mut foxes = MatchSeat::new(&mut *self.foxes, &self.fox_draws, index);
        let (game, played) = (&mut self.game, &mut self.played);
        play_out(game, &mut hens, &mut foxes, |game, play| {
            played.push((game.position().side, play));
            witness(game, play);
        })
    }

    /// Tells a row the course of the match played last, the `number`th of its sample.
    fn tell_course(&self, number: usize, report: &FinishedMatch, row: &mut Row) {
        for &(side, play) in &self.played {
            row.push_step(MatchStep(number, side, write_move(play)));
        }
        // Whoever breaks a match off answers for all that would have followed.
        if FORFEITS.contains(&report.ending)
            && let Some(winner) = report.ending.winner()
        {
            row.push_step(MatchStep(number, winner.other(), FORFEIT.to_owned()));
        }
        if report.late {
            row.timed_out = true;
        }
        for (side, conduct) in [(Side::Hens, report.hens), (Side::Foxes, report.foxes)] {
            row.push_step(MatchStep(number, side, format!("{} nodes", conduct.nodes)));
        }
        if self.played.is_empty() {
            // Matches lost before their first move differ in their openings.
            let (position, board) = (self.game.position(), self.game.rules().board);
            row.push_step(MatchStep(
                number,
                position.side,
                write_position(position, board),
            ));
        }
    }

    /// Has the side that differs lose the match before its first move.
    ///
    /// # Errors
    /// If its player's faults end the run.
    pub(super) fn convict(&mut self, deviation: &Deviation, index: u64) -> Result<(), SampleError> {
        let side = deviation.side;
        if let Some(player) = self.pairing.name(side).program() {
            let mut fault = deviation.fault(player, index);
            player.log().keep_transcript(deviation.transcript(&fault));
            fault.add_to_first_line("; its other matches count, so another run may differ");
            self.pairing.excuse(side, &fault, index)?;
            player.log().note_varied(&format!("sample {index}"));
        }
        self.barred = Some(side);
        Ok(())
    }

    /// Plays like [`MatchTable::play`], with a picture of every position; `title` names the first. The first from
    /// which on the winner is proved to win says so.
    pub(super) fn story(
        &mut self,
        start: Position,
        draw: Draw,
        title: &str,
    ) -> Result<(Vec<Frame>, FinishedMatch), SampleError> {
        let rules = *self.game.rules();
        let mut frames = vec![frame(title, &start, rules.board)];
        let mut course = vec![Game::from(rules, start)];
        let report = self.play(start, draw, |game, play| {
            let mut after = game.clone();
            after.play(play);
            let caption = told(play, game.position().side);
            frames.push(frame(&caption, after.position(), rules.board));
            course.push(after);
        })?;
        if let Some(winner) = report.ending.winner()
            && let Some(at) = first_decided(&course, winner)
        {
            let (side, other) = (winner.name(), winner.other().name());
            frames[at].caption +=
                &format!(": from here on the {side} win, whatever the {other} do");
        }
        Ok((frames, report))
    }
}

fn frame(caption: &str, position: &Position, board: &foxes::board::Board) -> Frame {
    Frame {
        caption: caption.to_owned(),
        board: draw::text(position, board, false),
        svg: Some(draw::svg(position, board)),
    }
}

/// Tells a row the courses of its sample's matches, each with its table, where they may repeat those of
/// another sample: other programs took part, or no player drew anything at random. Where the opening is
/// not drawn either, every sample is this one.
pub(super) fn tell_courses(
    matches: &[(&MatchTable, &FinishedMatch)],
    openings: &Openings<'_>,
    row: &mut Row,
) {
    let drew_nothing = matches.iter().all(|(_, report)| report.without_chance);
    let is_external = matches.iter().any(|(table, _)| table.pairing.is_external());
    if drew_nothing && openings.are_fixed() {
        row.without_chance = true;
    }
    if is_external || drew_nothing && !openings.are_fixed() {
        for (number, (table, report)) in matches.iter().enumerate() {
            table.tell_course(number, report, row);
        }
    }
}

/// The number of matches among these that ended by one of these forfeits.
pub(super) fn forfeits(reports: &[&FinishedMatch], forfeits: &[Ending]) -> Value {
    let is_forfeit = |report: &&&FinishedMatch| forfeits.contains(&report.ending);
    Value::Exact(reports.iter().filter(is_forfeit).count() as i64)
}

/// The forfeits of either side.
pub(super) const FORFEITS: [Ending; 2] = [Ending::FoxesForfeit, Ending::HensForfeit];

/// Replaces a row by one that counts nowhere: of its matches one was not played.
pub(super) fn leave_out(row: &mut Row) {
    let values = row.values().len();
    row.clear();
    (0..values).for_each(|_| row.push(Value::Missing));
}

/// Returns whether every row ends with the forfeits: the experiment's players may lose by a fault.
pub(super) fn may_forfeit(params: &Params) -> bool {
    params.players().is_some_and(Players::may_forfeit)
}

/// A side's half points in a match that `winner` won.
pub(super) fn half_points(side: Side, winner: Option<Side>) -> i64 {
    match winner {
        None => 1,
        Some(winner) => 2 * i64::from(winner == side),
    }
}
