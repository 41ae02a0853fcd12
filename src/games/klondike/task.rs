//! The random experiment: a shuffled deal, played, and what the casino makes of it.
//!
//! A deck costs $52 and a game $3; the casino pays $5 for each card on the foundations.

use super::deal::Deal;
use super::draw;
use super::layout::{Layout, LayoutError};
use super::outcome::Outcome;
use super::position::Position;
use super::pruned::Engine;
use super::strategy::{Algorithm, Strategy};
use crate::rng::{StreamKey, Streams};
use crate::search::Verdict;
use crate::task::{
    Draw, Frame, Metric, ParamDefault, ParamError, ParamKind, ParamSpec, Params, Replay, Row, Task,
    TaskSpec, Value, Worker,
};

/// What a game costs, in dollars.
const STAKE: i64 = 55;
/// What a card on the foundations pays, in dollars.
const PRIZE: i64 = 5;
/// The score at which the player breaks even.
const BREAK_EVEN: u8 = (STAKE / PRIZE) as u8;
/// The most moves at once: one onto each of ten columns, and four kings.
const MOST_MOVES: i64 = 14;

/// The task `klondike/score`.
pub const SCORE: TaskSpec = TaskSpec {
    name: "klondike/score",
    summary: "cards on the foundations at the end of a game, and what the casino keeps",
    sample: "one shuffled deal, played to the end",
    params: PARAMS,
    metrics: METRICS,
    contest: None,
    build: |params| Ok(Box::new(ScoreTask::new(params)?)),
};

const PARAMS: &[ParamSpec] = &[
    ParamSpec {
        name: "layout",
        summary: "the columns: `yukon`, `open`, or `down:up,down:up,...` holding 52 cards",
        kind: ParamKind::Text,
        default: ParamDefault::Text("yukon"),
    },
    ParamSpec {
        name: "strategy",
        summary: "how it is played: optimally knowing all cards, greedily, or at random",
        kind: ParamKind::Choice(Strategy::NAMES),
        default: ParamDefault::Text("optimal"),
    },
    ParamSpec {
        name: "algorithm",
        summary: "the exact search behind optimal play",
        kind: ParamKind::Choice(Algorithm::NAMES),
        default: ParamDefault::Text("pruned"),
    },
];

const METRICS: &[Metric] = &[
    Metric::integer(
        "score",
        "cards",
        (0, 52),
        "cards on the foundations at the end",
    ),
    Metric::integer(
        "payout",
        "$",
        (0, 52 * PRIZE),
        "what the casino pays: $5 a card",
    ),
    Metric::integer(
        "house-edge",
        "",
        (STAKE - 52 * PRIZE, STAKE),
        "the share of the stake of $55 that the casino keeps; negative where the player gains",
    )
    .per(STAKE as u32),
    Metric::flag("win", "all 52 cards are founded"),
    Metric::flag(
        "break-even",
        "the player gets the stake back: 11 cards or more",
    ),
    Metric::flag("profit", "the player gains: 12 cards or more"),
    Metric::flag(
        "no-move",
        "after the deal, the foundations built as high as they go, no card can be moved",
    ),
    Metric::integer(
        "first-moves",
        "moves",
        (0, MOST_MOVES),
        "legal moves after the deal, the foundations built as high as they go",
    ),
    Metric::integer(
        "widest-position",
        "moves",
        (0, MOST_MOVES),
        "the most legal moves of any position looked at: with algorithm `etude` of any that can \
         be reached, otherwise of those alone that the search or the player met",
    ),
    Metric::total("positions", "positions", "distinct positions looked at"),
    Metric::total(
        "nodes",
        "nodes",
        "positions looked at, repetitions included",
    ),
];

struct ScoreTask {
    layout: Layout,
    strategy: Strategy,
}

impl ScoreTask {
    fn new(params: &Params) -> Result<ScoreTask, ParamError> {
        let layout = params.text("layout")?.parse();
        let refuse =
            |error: LayoutError| ParamError::new("layout", error.to_string(), LayoutError::HELP);
        Ok(ScoreTask {
            layout: layout.map_err(refuse)?,
            strategy: Strategy::from_params(params)?,
        })
    }

    fn player(&self, streams: &Streams) -> Player<'_> {
        Player {
            strategy: self.strategy,
            layout: &self.layout,
            deals: streams.key("deal"),
            plays: streams.key("play"),
            engine: Engine::new(),
        }
    }
}

impl Task for ScoreTask {
    fn worker<'task>(&'task self, streams: &Streams) -> Box<dyn Worker + 'task> {
        Box::new(self.player(streams))
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Replay {
        let mut player = self.player(streams);
        let deal = player.deal(draw);
        let outcome = player.play(&deal, draw);
        tell(&deal, &outcome)
    }

    fn worker_memory(&self) -> u64 {
        match self.strategy {
            Strategy::Optimal(algorithm) => algorithm.memory_limit(),
            Strategy::Greedy | Strategy::Random => 0,
        }
    }
}

struct Player<'task> {
    strategy: Strategy,
    layout: &'task Layout,
    deals: StreamKey,
    plays: StreamKey,
    engine: Engine,
}

impl Player<'_> {
    fn deal(&self, draw: Draw) -> Deal {
        Deal::draw(self.layout, &mut self.deals.stream(draw.index))
    }

    fn play(&mut self, deal: &Deal, draw: Draw) -> Outcome {
        self.strategy
            .play(&mut self.engine, deal, draw, &self.plays)
    }
}

impl Worker for Player<'_> {
    fn sample(&mut self, draw: Draw, row: &mut Row) {
        let deal = self.deal(draw);
        let outcome = self.play(&deal, draw);
        measure(&outcome, row);
    }
}

/// Pushes the metrics in the order of [`METRICS`].
fn measure(outcome: &Outcome, row: &mut Row) {
    let (lower, upper) = (outcome.score.lower(), outcome.score.upper());
    let (least, most) = (i64::from(lower), i64::from(upper));
    let reaches = |goal: u8| Value::flag_bounds(lower >= goal, upper >= goal);
    row.push(Value::bounds(least, most));
    row.push(Value::bounds(PRIZE * least, PRIZE * most));
    row.push(Value::bounds(STAKE - PRIZE * most, STAKE - PRIZE * least));
    row.push(reaches(52));
    row.push(reaches(BREAK_EVEN));
    row.push(reaches(BREAK_EVEN + 1));
    row.push(Value::flag(outcome.first_moves == 0));
    row.push(Value::Exact(i64::from(outcome.first_moves)));
    row.push(Value::Exact(i64::from(outcome.widest)));
    row.push(Value::Exact(outcome.positions as i64));
    row.push(Value::Exact(outcome.nodes as i64));
}

/// A game move by move.
fn tell(deal: &Deal, outcome: &Outcome) -> Replay {
    let mut position = Position::new(deal);
    let mut frames = vec![Frame::text(
        "the deal, foundations built",
        draw::board(&position),
    )];
    for &card in &outcome.moves {
        position.play(card);
        frames.push(Frame::text(draw::caption(card), draw::board(&position)));
    }
    Replay {
        instance: deal.to_string(),
        frames,
        outcome: conclude(outcome),
    }
}

fn conclude(outcome: &Outcome) -> String {
    match outcome.score {
        Verdict::Proved(score) => format!(
            "{score} cards on the foundations: the casino pays ${} of the ${STAKE} it took",
            PRIZE * i64::from(score)
        ),
        Verdict::Bounds { lower, upper } => {
            format!(
                "{lower} cards on the foundations; with best play at least that and at most {upper}"
            )
        }
    }
}
