//! `foxes/regret`: a match on a solved board, every move judged by the exact values before and
//! after it.

use std::borrow::Cow::Borrowed;
use std::sync::{Arc, OnceLock};

use super::super::matches::FinishedMatch;
use super::encounter::{Encounter, EncounterTask, Measuring, Sitting};
use super::table::half_points;
use super::{MatchSetting, SCORE, params};
use foxes::board::CROSS;
use foxes::game::Game;
use foxes::moves::Move;
use foxes::position::Side;
use foxes::rules::Rules;
use foxes::solved::retrograde::{Tablebase, shared};
use task::{
    Build, Draw, Metric, ParamError, ParamSpec, Params, Row, SampleError, Task, TaskSpec, Value,
};

pub(super) const REGRET: TaskSpec = TaskSpec {
    name: Borrowed("foxes/regret"),
    summary: Borrowed(
        "A match on a solved board: how often each player gives away a win or a draw",
    ),
    sample: Borrowed("one match, with every move judged exactly"),
    noun: Borrowed("match"),
    is_random: true,
    params: Borrowed(&PARAMS),
    metrics: Borrowed(&METRICS),
    contest: None,
    build: Build::By(build),
};

const PARAMS: [ParamSpec; 10] = params("small-cross", 0);

const METRICS: [Metric; 8] = [
    SCORE,
    Metric::integer(
        "value",
        "",
        (0, 2),
        "The foxes' points under best play from the opening.",
    )
    .with_denominator(2),
    Metric::share(
        "fox-lost-wins",
        "Share of the foxes' moves in won positions that give the win away.",
    ),
    Metric::share(
        "fox-lost-draws",
        "Share of the foxes' moves in drawn positions that lose.",
    ),
    Metric::share(
        "hens-lost-wins",
        "Share of the hens' moves in won positions that give the win away.",
    ),
    Metric::share(
        "hens-lost-draws",
        "Share of the hens' moves in drawn positions that lose.",
    ),
    Metric::flag(
        "fox-faultless",
        "The foxes make no mistake: no move worsens the exact value.",
    ),
    Metric::flag(
        "hens-faultless",
        "The hens make no mistake: no move worsens the exact value.",
    ),
];

fn build(params: &Params) -> Result<Box<dyn Task>, ParamError> {
    let encounter = Encounter::read(params)?;
    check_solved(&encounter.setting)?;
    let regret = Regret {
        rules: encounter.setting.rules,
        truth: OnceLock::new(),
    };
    Ok(Box::new(EncounterTask(encounter, regret)))
}

/// The board and the position must be among those that are solved exactly.
fn check_solved(setting: &MatchSetting) -> Result<(), ParamError> {
    if *setting.rules.board == CROSS {
        let message = "the full board is not solved";
        let help = "choose small-cross, low-cross, strip or small-square";
        return Err(ParamError::new("board", message, help));
    }
    let root = &setting.opening.root;
    if root.hens.count_ones() + root.eaten != setting.rules.board.flock() {
        let message = "hens are missing that were not eaten";
        let help = "on a solved board hens left and eaten are all the hens of the start";
        return Err(ParamError::new("position", message, help));
    }
    Ok(())
}

/// Judges every move by the exact values.
struct Regret {
    rules: Rules,
    /// The solved board, once a match is played on it.
    truth: OnceLock<Arc<Tablebase>>,
}

impl Measuring for Regret {
    fn sample(
        &self,
        sitting: &mut Sitting<'_>,
        draw: Draw,
        row: &mut Row,
    ) -> Result<FinishedMatch, SampleError> {
        let (mut foxes, mut hens) = (MoveFaults::default(), MoveFaults::default());
        let truth = self.truth.get_or_init(|| shared(self.rules));
        let (start, report) = sitting.play(draw, |game, play| {
            match game.position().side {
                Side::Foxes => foxes.judge(truth, game, play),
                Side::Hens => hens.judge(truth, game, play),
            };
        })?;
        let winner = report.ending.winner();
        row.push(Value::Exact(half_points(Side::Foxes, winner)));
        let value = truth.worth(&start).for_side(Side::Foxes);
        row.push(Value::Exact(i64::from(value) + 1));
        for faults in [&foxes, &hens] {
            row.push(faults.in_won.share());
            row.push(faults.in_drawn.share());
        }
        row.push(Value::flag(foxes.are_none()));
        row.push(Value::flag(hens.are_none()));
        Ok(report)
    }
}

/// The number of moves of one side by the exact value before them, and of those that made it worse.
#[derive(Default)]
struct MoveFaults {
    in_won: Count,
    in_drawn: Count,
}

#[derive(Default)]
struct Count {
    moves: u64,
    faults: u64,
}

impl MoveFaults {
    fn judge(&mut self, truth: &Tablebase, game: &Game, play: Move) {
        let side = game.position().side;
        let before = truth.worth(game.position()).for_side(side);
        let after = truth.worth(&game.rules().after(game.position(), play));
        let count = match before {
            1 => &mut self.in_won,
            0 => &mut self.in_drawn,
            _ => return,
        };
        count.moves += 1;
        count.faults += u64::from(after.for_side(side) < before);
    }

    fn are_none(&self) -> bool {
        self.in_won.faults + self.in_drawn.faults == 0
    }
}

impl Count {
    fn share(&self) -> Value {
        Value::ratio(self.faults, self.moves)
    }
}
