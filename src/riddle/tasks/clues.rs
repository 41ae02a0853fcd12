//! `riddle/clues`: makes riddles in which every clue is needed and measures them.

use super::{MARKED, PLACEMENT, RULE, VARIANT, frames};
use base::counted;
use kit::rng::{StreamKey, Streams};
use kit::search::Budget;
use riddle::maker::{Grade, Maker, Riddle};
use riddle::sampler::Generator;
use std::borrow::Cow::Borrowed;
use task::{
    Build, Draw, Metric, ParamError, ParamSpec, Params, Replay, Row, SampleError, Task, TaskSpec,
    Value, Worker, Workspace, worker_of,
};

const CHECK_NODES: ParamSpec = ParamSpec::integer(
    "check-nodes",
    (1, 1_000_000_000),
    "Nodes spent on each check whether a clue is needed; undecided clues stay.",
)
.or_integer(20_000);

/// Placements tried before a sample is given up as having no riddle.
const MOST_PLACEMENTS: u64 = 1_000;

/// The task's specification.
pub const CLUES: TaskSpec = TaskSpec {
    name: Borrowed("riddle/clues"),
    summary: Borrowed(
        "Removes clues while the answer stays provably unique, and counts those left.",
    ),
    sample: Borrowed("one made riddle"),
    noun: Borrowed("riddle"),
    is_random: true,
    params: Borrowed(&[VARIANT, RULE, MARKED, CHECK_NODES]),
    metrics: Borrowed(&[
        Metric::integer(
            "clues",
            "cells",
            (0, 121),
            "Cells shown, including those marked as occupied.",
        ),
        Metric::integer(
            "digits",
            "cells",
            (0, 121),
            "Cells shown with their number of attackers.",
        ),
        Metric::total(
            "nodes",
            "nodes",
            "Nodes that the solver needs to prove the answer unique.",
        ),
        Metric::flag("easy", "The solver needs at most 100 nodes."),
        Metric::total(
            "undecided",
            "clues",
            "Clues kept because the solver ran out of budget.",
        ),
        Metric::total(
            "rejected",
            "placements",
            "Placements rejected because even the whole map has several answers.",
        ),
    ]),
    contest: None,
    build: Build::By(build),
};

fn build(params: &Params) -> Result<Box<dyn Task>, ParamError> {
    Ok(Box::new(ClueReduction {
        generator: super::uniform(params)?.0,
        starred: params.flag(&MARKED.name)?,
        check: params.integer(&CHECK_NODES.name)?.max(1) as u64,
    }))
}

struct ClueReduction {
    generator: Generator,
    starred: bool,
    check: u64,
}

impl ClueReduction {
    fn make(&self, key: &StreamKey, draw: Draw) -> Option<Riddle> {
        let check = Budget::nodes(self.check.min(draw.budget.limit()));
        let maker = Maker::new(&self.generator, self.starred, check);
        maker.make(&mut key.stream(draw.index), MOST_PLACEMENTS)
    }
}

impl Task for ClueReduction {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        let key = streams.key(PLACEMENT);
        worker_of(move |draw, row| {
            measure(self.make(&key, draw).as_ref(), row);
            Ok(())
        })
    }

    fn ignores_budget(&self) -> Option<&'static str> {
        None
    }

    fn rules(&self) -> String {
        self.generator.referee().rules()
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let Some(riddle) = self.make(&streams.key(PLACEMENT), draw) else {
            return Ok(Replay {
                instance: "no riddle".into(),
                outcome: "no placement's whole map was proved to have one answer".into(),
                ..Replay::default()
            });
        };
        let army = self.generator.referee().army();
        Ok(Replay {
            instance: riddle.id(&self.generator),
            frames: frames(
                army,
                &riddle.clues,
                &riddle.answer,
                ["the riddle", "the answer"],
            ),
            outcome: format!(
                "{}, {}, {}",
                counted(riddle.clues.len() as u64, "clue"),
                counted(riddle.nodes, "node"),
                Grade::of(riddle.nodes).as_ref()
            ),
        })
    }
}

/// Pushes the metrics of a riddle, if one was made.
fn measure(riddle: Option<&Riddle>, row: &mut Row) {
    let Some(riddle) = riddle else {
        CLUES.metrics.iter().for_each(|_| row.push(Value::Missing));
        return;
    };
    row.push(Value::Exact(riddle.clues.len() as i64));
    row.push(Value::Exact(i64::from(riddle.clues.digits().count_ones())));
    row.push(Value::Exact(riddle.nodes as i64));
    row.push(Value::flag(Grade::of(riddle.nodes) == Grade::Easy));
    row.push(Value::Exact(riddle.undecided as i64));
    row.push(Value::Exact(riddle.rejected as i64));
}
