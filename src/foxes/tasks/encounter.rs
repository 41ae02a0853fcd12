//! Two players and a setting, shared by the tasks with one match for each sample.

use super::super::matches::FinishedMatch;
use super::MatchSetting;
use super::repeats::{Deviation, check_repeatable};
use super::table::{
    FORFEITS, MatchTable, Openings, Opponents, Purposes, STRENGTH, forfeits, leave_out,
    may_forfeit, tell_courses,
};
use foxes::game::Game;
use foxes::moves::Move;
use foxes::notation::write_position;
use foxes::position::Position;
use foxes::rules::Ending;
use kit::rng::Streams;
use kit::search::Budget;
use task::{
    Draw, ParamError, Params, Replay, Row, SampleError, Task, Worker, Workspace, worker_of,
};

/// A fox player against a hens' player, with the rules and the opening they play by.
pub(super) struct Encounter {
    pub(super) setting: MatchSetting,
    pairing: Opponents,
    /// True if rows end with the forfeits.
    forfeits: bool,
}

impl Encounter {
    pub(super) fn read(params: &Params) -> Result<Self, ParamError> {
        let setting = MatchSetting::read(params)?;
        let pairing = Opponents::read(params, &setting.rules)?;
        Ok(Self {
            setting,
            pairing,
            forfeits: may_forfeit(params),
        })
    }

    /// A worker's share of the task: the openings, and a table to play at.
    fn sitting(&self, streams: &Streams) -> Sitting<'_> {
        let purposes = Purposes {
            foxes: "fox",
            hens: "hens",
        };
        Sitting {
            openings: Openings::new(&self.setting, streams),
            table: MatchTable::new(&self.setting, &self.pairing, streams, purposes),
        }
    }

    /// The match of sample `draw`, position by position.
    ///
    /// # Errors
    /// If a player fails.
    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let Sitting {
            openings,
            mut table,
        } = self.sitting(streams);
        let start = openings.position(draw.index);
        let (frames, report) = table.story(start, draw, "first position")?;
        Ok(Replay {
            instance: write_position(&start, self.setting.rules.board),
            frames,
            outcome: report.ending.sentence().to_owned(),
        })
    }

    /// Plays sample `draw` and fills its row.
    ///
    /// # Errors
    /// If a player fails.
    fn fill<M: Measuring>(
        &self,
        measuring: &M,
        sitting: &mut Sitting<'_>,
        draw: Draw,
        row: &mut Row,
    ) -> Result<(), SampleError> {
        let report = measuring.sample(sitting, draw, row)?;
        if self.forfeits && M::IS_CONTEST {
            let sides = FORFEITS.map(|of| forfeits(&[&report], &[of]));
            sides.into_iter().for_each(|value| row.push(value));
        } else if self.forfeits {
            row.push(forfeits(&[&report], &FORFEITS));
        }
        if report.ending == Ending::Unplayed {
            leave_out(row);
            return Ok(());
        }
        tell_courses(&[(&sitting.table, &report)], &sitting.openings, row);
        Ok(())
    }

    /// The position that sample `index` begins with, written.
    fn start(&self, streams: &Streams, index: u64) -> String {
        let start = self.sitting(streams).openings.position(index);
        write_position(&start, self.setting.rules.board)
    }
}

/// The measurements that a task takes of each match of an encounter.
pub(super) trait Measuring: Send + Sync {
    /// True if the position that a match begins with is told as the sample's instance.
    const TELLS_START: bool = false;
    /// True if the forfeits of each side are counted by themselves.
    const IS_CONTEST: bool = false;

    /// Plays sample `draw` and pushes its values.
    ///
    /// # Errors
    /// If a player fails.
    fn sample(
        &self,
        sitting: &mut Sitting<'_>,
        draw: Draw,
        row: &mut Row,
    ) -> Result<FinishedMatch, SampleError>;
}

/// The task of an encounter, with what it measures; its rows end with the forfeits where players may
/// forfeit.
pub(super) struct EncounterTask<M>(pub(super) Encounter, pub(super) M);

impl<M: Measuring> Task for EncounterTask<M> {
    /// The position that the match begins with.
    fn instance(&self, streams: &Streams, index: u64, form: Option<&str>) -> Option<String> {
        (M::TELLS_START && form.is_none()).then(|| self.0.start(streams, index))
    }

    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        let EncounterTask(encounter, measuring) = self;
        let mut sitting = encounter.sitting(streams);
        worker_of(move |draw, row| encounter.fill(measuring, &mut sitting, draw, row))
    }

    fn rules(&self) -> String {
        self.0.setting.rules.in_words()
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        self.0.replay(streams, draw)
    }

    fn check_repeatable(&self, streams: &Streams, budget: Budget) -> Result<(), SampleError> {
        check_repeatable(self, &[&self.0.pairing], streams, budget)
    }

    fn has_unchecked(&self) -> bool {
        self.0.pairing.has_unchecked()
    }

    fn judge(
        &self,
        streams: &Streams,
        draw: Draw,
        rows: [&Row; 2],
    ) -> Result<Option<Row>, SampleError> {
        let EncounterTask(encounter, measuring) = self;
        let Some(deviation) = Deviation::between(rows) else {
            return Ok(None);
        };
        let mut sitting = encounter.sitting(streams);
        sitting.table.convict(&deviation, draw.index)?;
        let mut row = Row::new();
        encounter.fill(measuring, &mut sitting, draw, &mut row)?;
        Ok(Some(row))
    }

    fn ignores_budget(&self) -> Option<&'static str> {
        Some(STRENGTH)
    }

    fn is_external(&self) -> bool {
        self.0.pairing.is_external()
    }
}

/// An encounter's two players at their table, ready to play sample after sample.
pub(super) struct Sitting<'task> {
    openings: Openings<'task>,
    table: MatchTable,
}

impl Sitting<'_> {
    /// Plays sample `draw`, telling every move before it is played; returns where the match began
    /// and what became of it.
    ///
    /// # Errors
    /// If a player fails.
    pub(super) fn play(
        &mut self,
        draw: Draw,
        witness: impl FnMut(&Game, Move),
    ) -> Result<(Position, FinishedMatch), SampleError> {
        let start = self.openings.position(draw.index);
        let report = self.table.play(start, draw, witness)?;
        Ok((start, report))
    }
}
