//! The task `solitaire/unseen-bound`: one sample a deal.

use super::settings;
use kit::rng::{StreamKey, Streams};
use solitaire::deal::Deal;
use solitaire::draw::{self, Sight};
use solitaire::exact::Solver;
use solitaire::round::Round;
use solitaire::rules::{DeckShape, Rules};
use solitaire::table::CardTable;
use solitaire::unseen::bound::{FirstTurn, first_turn};
use std::borrow::Cow::Borrowed;
use task::{
    Build, Draw, Frame, Metric, ParamError, ParamSpec, Params, Replay, Row, SampleError, Task,
    TaskSpec, Value, Worker, Workspace,
};

/// The memory of a thread's search, in bytes.
const MEMORY: u64 = 128 << 20;

/// The task `solitaire/unseen-bound`.
pub const UNSEEN_BOUND: TaskSpec = TaskSpec {
    name: Borrowed("solitaire/unseen-bound"),
    summary: Borrowed(
        "how many games, at least, any player loses for want of sight of the face-down cards",
    ),
    sample: Borrowed("one shuffled deal, and worlds that look like it"),
    noun: Borrowed("deal"),
    is_random: true,
    params: Borrowed(&[
        settings::UNLIMITED,
        ParamSpec::integer(
            "worlds",
            (1, 65_536),
            "worlds that look like the deal; more of them make the bound sharper",
        )
        .or_integer(32),
    ]),
    metrics: Borrowed(&[
        Metric::integer(
            "d",
            "‰",
            (0, 1000),
            "At least so many of the worlds are won with perfect sight, but lost if the same \
             first card is turned in all of them, whichever it is. On average, no player \
             without sight wins more often than perfect sight minus this.",
        ),
        Metric::integer(
            "won",
            "‰",
            (0, 1000),
            "Worlds that perfect sight wins for sure.",
        ),
        Metric::integer(
            "undecided",
            "‰",
            (0, 1000),
            "Worlds for which the search could not tell; they add nothing to `d`.",
        ),
        Metric::total("solves", "searches", "Exact searches with perfect sight."),
    ]),
    contest: None,
    build: Build::By(|params| Ok(Box::new(FirstTurnTask::new(params)?))),
};

struct FirstTurnTask {
    rules: Rules,
    worlds: u32,
}

impl FirstTurnTask {
    fn new(params: &Params) -> Result<FirstTurnTask, ParamError> {
        Ok(FirstTurnTask {
            rules: settings::unlimited(params)?,
            worlds: params.integer("worlds")? as u32,
        })
    }

    fn worker(&self, streams: &Streams) -> FirstTurnWorker<'_> {
        FirstTurnWorker {
            task: self,
            deals: streams.key("deal"),
            worlds: streams.key("worlds"),
            solver: Solver::with_memory(MEMORY),
        }
    }
}

impl Task for FirstTurnTask {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        Box::new(self.worker(streams))
    }

    fn ignores_budget(&self) -> Option<&'static str> {
        None
    }

    fn rules(&self) -> String {
        self.rules.in_words()
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let mut worker = self.worker(streams);
        let deal = worker.deal(draw);
        let bound = worker.first_turn(&deal, draw);
        let table = CardTable::new(&deal, self.rules);
        Ok(Replay {
            instance: deal.to_string(),
            frames: vec![
                Frame::text(
                    "the deal, one of many worlds that look alike",
                    draw::board(&table, Sight::Player),
                )
                .with_svg(draw::svg(&table, None)),
            ],
            outcome: format!(
                "perfect sight wins {} of {} worlds and leaves {} undecided; if the same first card \
                 must be turned in all of them, at least {} of these wins are lost",
                bound.won, bound.worlds, bound.undecided, bound.lost
            ),
        })
    }
}

struct FirstTurnWorker<'task> {
    task: &'task FirstTurnTask,
    deals: StreamKey,
    worlds: StreamKey,
    solver: Solver,
}

impl FirstTurnWorker<'_> {
    fn deal(&self, draw: Draw) -> Deal {
        Deal::draw(DeckShape::FULL, &mut self.deals.stream(draw.index))
    }

    fn first_turn(&mut self, deal: &Deal, draw: Draw) -> FirstTurn {
        let round = Round::new(CardTable::new(deal, self.task.rules));
        let mut stream = self.worlds.stream(draw.index);
        let (worlds, budget) = (self.task.worlds, draw.budget);
        first_turn(round, &mut self.solver, worlds, budget, &mut stream)
    }
}

impl Worker for FirstTurnWorker<'_> {
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        let deal = self.deal(draw);
        let bound = self.first_turn(&deal, draw);
        // Rounded down: the bound holds.
        let share = |count: u64| Value::Exact((1000 * count / bound.worlds) as i64);
        row.push(share(bound.lost));
        row.push(share(bound.won));
        row.push(share(bound.undecided));
        row.push(Value::Exact(bound.solves as i64));
        Ok(())
    }
}
