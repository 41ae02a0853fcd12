//! The task `klondike/hidden-bound`: one sample a deal.

use super::params::{DECK, LAYOUT, layout};
use super::story;
use base::counted;
use kit::rng::{StreamKey, Streams};
use kit::search::Budget;
use klondike::RULES;
use klondike::card::Card;
use klondike::deal::Deal;
use klondike::hidden_bound::{Least, Pricing, WorldSearch};
use klondike::hidden_bound::{PARTS, orders};
use klondike::layout::Layout;
use klondike::position::Position;
use klondike::pruned::{PrunedEngine, World};
use std::borrow::Cow::Borrowed;
use task::{
    Build, Draw, Frame, Metric, ParamError, ParamSpec, Params, Replay, Row, SampleError, Task,
    TaskSpec, Value, Worker, Workspace,
};

/// The task `klondike/hidden-bound`.
pub const HIDDEN_BOUND: TaskSpec = TaskSpec {
    name: Borrowed("klondike/hidden-bound"),
    summary: Borrowed(
        "an upper bound on the score of any player who cannot see the face-down cards",
    ),
    sample: Borrowed("one shuffled deal, and worlds that look like it"),
    noun: Borrowed("deal"),
    is_random: true,
    params: Borrowed(&[
        LAYOUT,
        DECK,
        ParamSpec::integer(
            "worlds",
            (1, 65_536),
            "Worlds that look like the deal, treated alike until they look different",
        )
        .or_integer(1),
        ParamSpec::integer(
            "penalty",
            (0, 65_536),
            "Worlds drawn at each decision to price its moves; 0 uses the player's own worlds",
        )
        .or_integer(0),
    ]),
    metrics: Borrowed(&[
        Metric::rate(
            "bound",
            "cards",
            "Perfect score minus d, averaged over all worlds; its expectation is an upper bound \
             on what any player without sight scores.",
        ),
        Metric::rate(
            "perfect",
            "cards",
            "Perfect score, averaged over all worlds.",
        ),
        Metric::rate(
            "d",
            "cards",
            "Cards that every player without sight is sure to lose; a search that runs out of \
             budget counts with what it has proved.",
        ),
        Metric::flag("cut", "The search for d ran out of budget."),
        Metric::total(
            "nodes",
            "nodes",
            "Positions, as the player sees them, whose moves were priced.",
        ),
        Metric::total("solves", "searches", "Exact searches with perfect sight."),
    ]),
    contest: None,
    build: Build::By(|params| Ok(Box::new(BoundTask::new(params)?))),
};

struct BoundTask {
    layout: Layout,
    worlds: usize,
    pricing: Pricing,
}

impl BoundTask {
    fn new(params: &Params) -> Result<BoundTask, ParamError> {
        let pricing = match params.integer("penalty")? {
            0 => Pricing::Own,
            count => Pricing::Drawn(count as usize),
        };
        Ok(BoundTask {
            layout: layout(params)?,
            worlds: params.integer("worlds")? as usize,
            pricing,
        })
    }

    fn worker(&self, streams: &Streams) -> BoundWorker<'_> {
        BoundWorker {
            task: self,
            deals: streams.key("deal"),
            worlds: streams.key("worlds"),
            prices: streams.key("prices"),
            engine: PrunedEngine::new(),
        }
    }
}

impl Task for BoundTask {
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
        RULES.to_owned()
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let mut worker = self.worker(streams);
        let deal = worker.deal(draw);
        let bound = worker.bound(&deal, draw);
        let cards = |parts: u64| parts as f64 / PARTS as f64;
        Ok(Replay {
            instance: deal.to_string(),
            frames: vec![Frame {
                caption: "the deal, one of many worlds that look alike".to_owned(),
                ..story::frame(&Position::new(&deal), None)
            }],
            outcome: format!(
                "perfect sight scores {:.3} cards on average over {}; without it, at least {:.3} of \
                 them are lost",
                cards(bound.perfect()),
                counted(bound.worlds, "world"),
                cards(bound.loss())
            ),
        })
    }
}

struct BoundWorker<'task> {
    task: &'task BoundTask,
    deals: StreamKey,
    worlds: StreamKey,
    prices: StreamKey,
    engine: PrunedEngine,
}

/// The bound on the loss of a deal, over all worlds that look like it.
struct DealBound {
    worlds: u64,
    /// The sum of the perfect scores.
    perfect_total: u64,
    least: Least,
}

/// Means over the deal's worlds, in parts of a card. Every deal counts the same, however many
/// worlds it has; rounding never lowers the bound.
impl DealBound {
    fn perfect(&self) -> u64 {
        (self.perfect_total * PARTS).div_ceil(self.worlds)
    }

    fn loss(&self) -> u64 {
        self.least.parts / self.worlds
    }

    fn score(&self) -> u64 {
        let total = self.perfect_total * PARTS;
        total.saturating_sub(self.least.parts).div_ceil(self.worlds)
    }
}

impl BoundWorker<'_> {
    fn deal(&self, draw: Draw) -> Deal {
        Deal::draw(&self.task.layout, &mut self.deals.stream(draw.index))
    }

    fn bound(&mut self, deal: &Deal, draw: Draw) -> DealBound {
        let worlds = self.worlds(deal, draw);
        let perfect = |world: &World| {
            let score = self.engine.value(world, Budget::UNLIMITED);
            u64::from(score.upper())
        };
        let perfect_total = worlds.iter().map(perfect).sum();
        let draws = (&self.prices, draw.index);
        let search = WorldSearch::new(self.task.pricing, &mut self.engine, draws, draw.budget);
        DealBound {
            worlds: worlds.len() as u64,
            perfect_total,
            least: search.least(&worlds),
        }
    }

    /// The worlds that look like a deal: itself alone if one is asked for, else drawn.
    fn worlds(&self, deal: &Deal, draw: Draw) -> Vec<World> {
        let world = World::new(deal);
        if self.task.worlds == 1 {
            return vec![world];
        }
        let mut stream = self.worlds.stream(draw.index);
        let cards: Vec<Card> = world.hidden().collect();
        let redealt = |order: Vec<Card>| {
            let mut other = world.clone();
            other.redeal(&order);
            other
        };
        let orders = orders(cards, self.task.worlds, &mut stream);
        orders.into_iter().map(redealt).collect()
    }
}

impl Worker for BoundWorker<'_> {
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        let deal = self.deal(draw);
        let bound = self.bound(&deal, draw);
        let cards = |parts: u64| Value::ratio(parts, PARTS);
        row.push(cards(bound.score()));
        row.push(cards(bound.perfect()));
        row.push(cards(bound.loss()));
        row.push(Value::flag(!bound.least.is_complete));
        row.push(Value::Exact(bound.least.nodes as i64));
        row.push(Value::Exact(bound.least.solves as i64));
        Ok(())
    }
}
