//! `foxes/proof`: a match whose moves are judged by a proof's tables: how long the hens stay where
//! they are known to win, and how long the foxes hold out.

use std::borrow::Cow::Borrowed;
use std::path::Path;

use super::super::matches::FinishedMatch;
use super::super::proof::{DEFAULT_FOLDER, ProofTables};
use super::encounter::{Encounter, EncounterTask, Measuring, Sitting};
use super::{
    CAPTURE, EATEN, FOX, HENS, MISSING, MatchSetting, POSITION, QUIET, REPETITION, STUCK, board,
    opening,
};
use foxes::game::Game;
use foxes::moves::Move;
use foxes::position::Side;
use task::{
    Build, Draw, Metric, ParamError, ParamSpec, Params, Row, SampleError, Task, TaskSpec, Value,
};

pub(super) const PROOF: TaskSpec = TaskSpec {
    name: Borrowed("foxes/proof"),
    summary: Borrowed(
        "A match judged by the tables of a proof: how long the hens stay in positions proved won",
    ),
    sample: Borrowed("one match, with every move of the hens judged"),
    noun: Borrowed("match"),
    is_random: true,
    params: Borrowed(&PARAMS),
    metrics: Borrowed(&METRICS),
    contest: None,
    build: Build::By(build),
};

const PARAMS: [ParamSpec; 11] = [
    FOX,
    HENS,
    TABLES,
    board("cross"),
    CAPTURE,
    STUCK,
    QUIET,
    REPETITION,
    POSITION,
    MISSING,
    opening(0),
];

const TABLES: ParamSpec =
    ParamSpec::text("tables", "the folder of the tables that `prove foxes` made")
        .or_text(DEFAULT_FOLDER);

const METRICS: [Metric; 7] = [
    Metric::flag("hens-win", "The hens win."),
    Metric::flag("foxes-win", "The foxes win."),
    Metric::flag("unfinished", "The match is a draw."),
    Metric::share(
        "hens-lost-wins",
        "Share of the hens' moves in positions proved won that lead out of them.",
    ),
    Metric::total(
        "survived",
        "plies",
        "Plies played by both sides after the opening.",
    ),
    EATEN,
    Metric::flag("kept", "The hens never leave the positions proved won."),
];

fn build(params: &Params) -> Result<Box<dyn Task>, ParamError> {
    let encounter = Encounter::read(params)?;
    let folder = params.text("tables")?;
    let tables = ProofTables::open(Path::new(folder))
        .map_err(|error| ParamError::new("tables", error.to_string(), error.help()))?;
    check_rules(&encounter.setting, &tables)?;
    Ok(Box::new(EncounterTask(encounter, tables)))
}

/// The tables must be about the game that is played.
fn check_rules(setting: &MatchSetting, tables: &ProofTables) -> Result<(), ParamError> {
    let fault = |param: &str, known: &str| {
        let message = format!("the tables are for {known}");
        ParamError::new(param, message, "play what was proved, or name other tables")
    };
    let checked = tables.check_rules(&setting.rules);
    checked.map_err(|other| fault(other.name, &other.known))?;
    let proved = tables.terms().board();
    let root = &setting.opening.root;
    if root.hens.count_ones() + root.eaten != proved.flock() {
        return Err(fault("position", "hens that all stood at the start"));
    }
    Ok(())
}

/// Judges the moves of the hens by the tables.
impl Measuring for ProofTables {
    fn sample(
        &self,
        sitting: &mut Sitting<'_>,
        draw: Draw,
        row: &mut Row,
    ) -> Result<FinishedMatch, SampleError> {
        let mut faults = LostWins::default();
        let (_, report) = sitting.play(draw, |game, play| {
            if game.position().side == Side::Hens {
                faults.judge(self, game, play);
            }
        })?;
        let winner = report.ending.winner();
        row.push(Value::flag(winner == Some(Side::Hens)));
        row.push(Value::flag(winner == Some(Side::Foxes)));
        row.push(Value::flag(winner.is_none()));
        row.push(Value::ratio(faults.lost, faults.moves));
        row.push(Value::Exact(report.plies as i64));
        row.push(Value::Exact(i64::from(report.eaten)));
        row.push(Value::flag(faults.lost == 0));
        Ok(report)
    }
}

/// The hens' moves where they were known to win, and those after which they no longer were.
#[derive(Default)]
struct LostWins {
    moves: u64,
    lost: u64,
}

impl LostWins {
    /// Tables that cannot be read know nothing.
    fn judge(&mut self, tables: &ProofTables, game: &Game, play: Move) {
        if tables.is_won(game.position()).unwrap_or(false) {
            let after = game.rules().after(game.position(), play);
            self.moves += 1;
            self.lost += u64::from(!tables.is_held(game.rules(), &after).unwrap_or(false));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::proof::{Proof, Terms};
    use super::*;
    use foxes::board::LOW_CROSS;
    use kit::rng::Streams;
    use kit::search::Budget;
    use task::Workspace;

    fn params(folder: &str, settings: &[(&str, &str)]) -> Params {
        let defaults = Params::defaults(&PARAMS)
            .with_text("tables", folder)
            .with_text("board", "low-cross")
            .with_text("fox", "random")
            .with_text("hens", "random");
        let set = |params: Params, (key, value): &(&str, &str)| params.with_text(key, value);
        settings.iter().fold(defaults, set)
    }

    /// Seed 36: hens that read the tables keep what is won, others do not always.
    #[test]
    fn moves_that_leave_what_is_won_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let mut proof = Proof::open(folder.path(), Terms::new(&LOW_CROSS, 3).unwrap()).unwrap();
        while proof.solve_next().unwrap().is_some() {}
        let path = folder.path().to_str().unwrap();
        let lost = |hens: &str| {
            let task = build(&params(path, &[("hens", hens)])).unwrap();
            let mut workspace = Workspace::new();
            let mut worker = task.worker(&Streams::new(36), &mut workspace);
            let lost = (0..40).map(|index| {
                let mut row = Row::new();
                let budget = Budget::UNLIMITED;
                worker.sample(Draw { index, budget }, &mut row).unwrap();
                match row.values()[3] {
                    Value::Ratio { numerator, .. } => numerator,
                    other => panic!("{other:?}"),
                }
            });
            lost.sum::<i64>()
        };
        let perfect = format!("perfect({path})");
        assert_eq!(lost(&perfect), 0);
        assert!(lost("random") > 0);
        let other = params(path, &[("hens", &perfect), ("capture", "any")]);
        assert_eq!(build(&other).err().unwrap().name, "hens");
    }

    #[test]
    fn tables_of_another_game_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut proof = Proof::open(folder.path(), Terms::new(&LOW_CROSS, 0).unwrap()).unwrap();
        while proof.solve_next().unwrap().is_some() {}
        let path = folder.path().to_str().unwrap();
        for (key, value) in [
            ("tables", "no/such/folder"),
            ("board", "cross"),
            ("capture", "any"),
            ("stuck", "pass"),
            ("quiet", "1"),
        ] {
            let error = build(&params(path, &[(key, value)])).err().unwrap();
            assert_eq!(error.name, key);
            assert!(!error.help.is_empty());
        }
    }
}
