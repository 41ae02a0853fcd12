//! Two players and a setting, shared by the tasks with one match for each sample.

use super::super::game::Game;
use super::super::matches::FinishedMatch;
use super::super::moves::Move;
use super::super::notation::write_position;
use super::super::position::Position;
use super::MatchSetting;
use super::table::{MatchTable, Openings, Opponents, Purposes, may_forfeit};
use lab::programs::player::ExternalPlayer;
use lab::rng::Streams;
use lab::task::{Draw, ParamError, Params, Replay, SampleError};
use std::sync::Arc;

/// A fox player against a hens' player, with the rules and the opening they play by.
pub(super) struct Encounter {
    pub(super) setting: MatchSetting,
    pairing: Opponents,
    /// True if rows end with the forfeits.
    pub(super) forfeits: bool,
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
    pub(super) fn sitting(&self, streams: &Streams) -> Sitting<'_> {
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
    /// Where a player fails.
    pub(super) fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
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

    /// The position that sample `index` begins with, written.
    pub(super) fn start(&self, streams: &Streams, index: u64) -> String {
        let start = self.sitting(streams).openings.position(index);
        write_position(&start, self.setting.rules.board)
    }

    /// Returns whether another program plays.
    pub(super) fn is_external(&self) -> bool {
        self.pairing.is_external()
    }

    /// The players in other programs.
    pub(super) fn programs(&self) -> impl Iterator<Item = &Arc<ExternalPlayer>> {
        self.pairing.programs()
    }

    /// Upper bound of one sitting's tables, in bytes.
    pub(super) fn memory(&self) -> u64 {
        self.pairing.memory()
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
    /// Where a player fails.
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
