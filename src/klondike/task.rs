//! The random experiment: a shuffled deal, played, and what the casino makes of it.
//!
//! A deck costs $52 and a game $3; the casino pays $5 for each card on the foundations.

use super::card::Card;
use super::deal::Deal;
use super::deck::{Deck, DeckError};
use super::layout::{Layout, LayoutError};
use super::outcome::Outcome;
use super::position::Position;
use super::pruned::Engine;
use super::strategy::{Algorithm, Strategy};
use super::{draw, features};
use lab::rng::{StreamKey, Streams};
use lab::search::Verdict;
use lab::task::{
    Control, Draw, Frame, Metric, ParamDefault, ParamError, ParamKind, ParamSpec, Params, Replay,
    Row, Task, TaskSpec, Value, Worker,
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
    chance: true,
    params: PARAMS,
    metrics: METRICS,
    contest: None,
    build: |params| Ok(Box::new(ScoreTask::new(params)?)),
};

/// How the cards are dealt.
pub const LAYOUT: ParamSpec = ParamSpec {
    name: "layout",
    summary: "the columns: `yukon`, `open`, or `down:up,down:up,...` holding 52 cards",
    kind: ParamKind::Text,
    default: ParamDefault::Text("yukon"),
};

/// How many cards there are.
pub const DECK: ParamSpec = ParamSpec {
    name: "deck",
    summary: "suits x ranks: `4x13`, or a small deck such as `2x5` that the layout then holds",
    kind: ParamKind::Text,
    default: ParamDefault::Text("4x13"),
};

/// The layout of a task's parameters, of a small deck where the task has the parameter `deck`.
pub fn layout(params: &Params) -> Result<Layout, ParamError> {
    let refuse =
        |error: LayoutError| ParamError::new("layout", error.to_string(), LayoutError::HELP);
    Layout::parse(params.text("layout")?, deck(params)?).map_err(refuse)
}

fn deck(params: &Params) -> Result<Deck, ParamError> {
    if params.get("deck").is_none() {
        return Ok(Deck::FULL);
    }
    let refuse = |error: DeckError| ParamError::new("deck", error.to_string(), DeckError::HELP);
    params.text("deck")?.parse().map_err(refuse)
}

const PARAMS: &[ParamSpec] = &[
    LAYOUT,
    DECK,
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
    Metric::flag("win", "all cards of the deck are founded"),
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
        Ok(ScoreTask {
            layout: layout(params)?,
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

    fn controls(&self) -> Vec<Control> {
        features::controls(&self.layout)
    }

    fn measure_controls(&self, streams: &Streams, index: u64, values: &mut Vec<i64>) {
        let deal = Deal::draw(&self.layout, &mut streams.key("deal").stream(index));
        features::measure(&deal, values);
    }

    fn instance_stream(&self) -> Option<&'static str> {
        Some("deal")
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
        measure(&outcome, self.layout.deck().size() as u8, row);
    }
}

/// Pushes the metrics of a game with a deck of `cards`, in the order of [`METRICS`].
fn measure(outcome: &Outcome, cards: u8, row: &mut Row) {
    let (lower, upper) = (outcome.score.lower(), outcome.score.upper());
    let (least, most) = (i64::from(lower), i64::from(upper));
    let reaches = |goal: u8| Value::flag_bounds(lower >= goal, upper >= goal);
    row.push(Value::bounds(least, most));
    row.push(Value::bounds(PRIZE * least, PRIZE * most));
    row.push(Value::bounds(STAKE - PRIZE * most, STAKE - PRIZE * least));
    row.push(reaches(cards));
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
    let frame = |position: &Position, moved: Option<Card>| Frame {
        caption: moved.map_or("the deal, foundations built".to_owned(), draw::caption),
        board: draw::board(position),
        svg: Some(draw::svg(position, moved)),
    };
    let mut frames = vec![frame(&position, None)];
    for &card in &outcome.moves {
        position.play(card);
        frames.push(frame(&position, Some(card)));
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
            "{score} cards on the foundations: the casino pays ${} for a game of ${STAKE}",
            PRIZE * i64::from(score)
        ),
        Verdict::Bounds { lower, upper } => {
            format!(
                "{lower} cards on the foundations; with best play at least that and at most {upper}"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::search::Budget;

    fn row(params: &[(&str, &str)], index: u64, nodes: u64) -> Vec<Value> {
        let set = |set: Params, (name, value): &(&str, &str)| set.with_text(name, value);
        let params = params.iter().fold(Params::defaults(PARAMS), set);
        let task = ScoreTask::new(&params).unwrap();
        let mut row = Row::new();
        let draw = Draw {
            index,
            budget: Budget::nodes(nodes),
        };
        task.worker(&Streams::new(1)).sample(draw, &mut row);
        row.values().to_vec()
    }

    /// Seed 1, samples 0 to 99.
    #[test]
    fn both_algorithms_report_the_same_money_and_every_metric_its_value() {
        for index in 0..100 {
            let pruned = row(&[], index, u64::MAX);
            let etude = row(&[("algorithm", "etude")], index, u64::MAX);
            assert_eq!(pruned.len(), METRICS.len());
            assert_eq!(pruned[..8], etude[..8]);
            let (Value::Exact(score), Value::Exact(edge)) = (pruned[0], pruned[2]) else {
                panic!("unresolved without a budget");
            };
            assert_eq!(pruned[1], Value::Exact(5 * score));
            assert_eq!(edge, 55 - 5 * score);
            assert_eq!(pruned[4], Value::flag(score >= 11));
            assert_eq!(pruned[5], Value::flag(score >= 12));
        }
    }

    /// Seed 1: the first deal that one node does not solve.
    #[test]
    fn an_unresolved_deal_bounds_what_depends_on_its_score() {
        let rows = (0..).map(|index| row(&[], index, 1));
        let unresolved = |row: &Vec<Value>| matches!(row[3], Value::Bounds { .. });
        let row = rows.take(1_000).find(unresolved).unwrap();
        let (Value::Bounds { lower, upper }, edge) = (row[0], row[2]) else {
            panic!("a bounded win needs a bounded score");
        };
        assert_eq!(upper, 52);
        assert_eq!(edge, Value::bounds(55 - 5 * upper, 55 - 5 * lower));
        assert!(matches!(row[6], Value::Exact(_)));
    }

    /// Seed 1, samples 0 to 19: the told game ends with the score that was measured.
    #[test]
    fn a_replay_tells_the_sample() {
        for strategy in Strategy::NAMES {
            let params = Params::defaults(PARAMS).with_text("strategy", strategy);
            let task = ScoreTask::new(&params).unwrap();
            for index in 0..20 {
                let draw = Draw {
                    index,
                    budget: Budget::UNLIMITED,
                };
                let replay = task.replay(&Streams::new(1), draw);
                let Value::Exact(score) = row(&[("strategy", strategy)], index, u64::MAX)[0] else {
                    panic!("unresolved without a budget");
                };
                let last = replay.frames.last().unwrap();
                assert!(
                    last.board.contains(&format!("({score} of 52)")),
                    "{}",
                    last.board
                );
                assert!(replay.outcome.starts_with(&format!("{score} cards")));
            }
        }
    }

    #[test]
    fn an_impossible_layout_is_refused_where_it_stands() {
        let params = Params::defaults(PARAMS).with_text("layout", "0:51");
        let error = ScoreTask::new(&params).err().unwrap();
        assert_eq!(error.name, "layout");
        assert!(error.message.contains("51 cards"));
    }
}
