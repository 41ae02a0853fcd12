//! The random experiment: a shuffled deal, played, and its result at the casino.
//!
//! A deck costs $52 and a game $3. The casino pays $5 for each card on the foundations.

use std::sync::OnceLock;
use strum::VariantNames;

use super::hidden_value::total_score;
use super::params::{DECK, LAYOUT, layout};
use super::story;
use crate::cards::strategy::Strategy;
use cards::hidden::{HiddenPlayer, Scratch};
use kit::rng::{StreamKey, Streams};
use kit::search::{Budget, Verdict};
use klondike::casino::{Casino, PRIZE, STAKE};
use klondike::deal::Deal;
use klondike::deck::Deck;
use klondike::engine::ExactEngine;
use klondike::hidden_value::{self, Totals};
use klondike::layout::Layout;
use klondike::outcome::SearchOutcome;
use klondike::position::Position;
use klondike::{RULES, cards, players};
use std::borrow::Cow::Borrowed;
use task::{
    Build, Control, Draw, Metric, ParamError, ParamSpec, Params, PlayerSpec, Replay, Row,
    SampleError, Task, TaskSpec, Truth, Value, Worker, Workspace,
};

/// The score at which the player breaks even.
const BREAK_EVEN: u8 = (STAKE / PRIZE) as u8;
/// The most moves at once: one onto each of ten columns, and four kings.
const MOST_MOVES: i64 = 14;

/// The task `klondike/score`.
pub const SCORE: TaskSpec = TaskSpec {
    name: Borrowed("klondike/score"),
    summary: Borrowed("Cards on the foundations at the end of a game, and the casino's share"),
    sample: Borrowed("one shuffled deal, played to the end"),
    noun: Borrowed("deal"),
    is_random: true,
    params: Borrowed(PARAMS),
    metrics: Borrowed(METRICS),
    contest: None,
    build: Build::By(|params| Ok(Box::new(ScoreTask::new(params)?))),
};

/// The strategies of `klondike/score` as `list players` shows them.
pub const PLAYERS: &[PlayerSpec] = &Strategy::list(
    "puts the most visible cards on the foundations at once; otherwise turns a card",
    "any legal move, all equally likely",
    "the best mean score over N worlds, each then solved within NODES nodes (default: 1000000)",
);

const PARAMS: &[ParamSpec] = &[
    LAYOUT,
    DECK,
    Strategy::PARAM,
    ParamSpec::choice(
        "algorithm",
        ExactEngine::VARIANTS,
        "the exact search behind optimal play",
    )
    .or_text("pruned"),
];

/// The metric of a game's score.
const SCORE_METRIC: Metric = Metric::integer(
    "score",
    "cards",
    (0, 52),
    "Cards on the foundations at the end.",
);

const METRICS: &[Metric] = &[
    SCORE_METRIC,
    Metric::integer(
        "payout",
        "$",
        (0, 52 * PRIZE),
        "What the casino pays: $5 per card.",
    ),
    Metric::integer(
        "house-edge",
        "",
        (STAKE - 52 * PRIZE, STAKE),
        "Share of the $55 stake that the casino keeps; negative where the player gains.",
    )
    .with_denominator(STAKE as u64),
    Metric::flag("win", "All cards of the deck reach the foundations."),
    Metric::flag(
        "break-even",
        "The player gets at least the stake back: 11 cards or more.",
    ),
    Metric::flag("profit", "The player gains money: 12 cards or more."),
    Metric::flag(
        "no-move",
        "No card can be moved after the deal, once every card that fits is on the foundations.",
    ),
    Metric::integer(
        "first-moves",
        "moves",
        (0, MOST_MOVES),
        "Legal moves after the deal, once every card that fits is on the foundations.",
    ),
    Metric::integer(
        "widest-position",
        "moves",
        (0, MOST_MOVES),
        "Most legal moves in any position: with algorithm `etude`, in any that can be reached; \
         otherwise, in those that the search or the player met.",
    )
    .as_work(),
    Metric::total("positions", "positions", "Distinct positions examined."),
    Metric::total(
        "nodes",
        "nodes",
        "Positions that a search examined, including repetitions. For a player, the positions of \
         the game played: its thinking before each move is not counted.",
    ),
    Metric::integer(
        "regret",
        "cards",
        (0, 52),
        "Additional cards that perfect play with every card known scores on the same deal.",
    ),
    Metric::total(
        "decisions",
        "moves",
        "Positions in which the player had two or more legal moves.",
    ),
    Metric::total("solves", "searches", "Exact searches that the player ran."),
];

struct ScoreTask {
    layout: Layout,
    strategy: Strategy,
    /// The engine of the strategy `optimal`.
    algorithm: ExactEngine,
    /// Over all orders of a small deck, once they are asked for.
    totals: OnceLock<Option<Totals>>,
}

/// The most cards of a deck that is played in all orders to tell the truth about a player.
const TRUTH_CARDS: usize = 10;

impl ScoreTask {
    fn new(params: &Params) -> Result<ScoreTask, ParamError> {
        let unknown = || ParamError::new("algorithm", "unknown algorithm", "see `list params`");
        let algorithm = params.text("algorithm")?;
        Ok(ScoreTask {
            layout: layout(params)?,
            strategy: Strategy::from_params(params)?,
            algorithm: algorithm.parse().map_err(|_| unknown())?,
            totals: OnceLock::new(),
        })
    }

    /// The totals over all orders of the deck, if it is small.
    fn totals(&self) -> Option<&Totals> {
        let is_small = self.layout.deck().size() <= TRUTH_CARDS;
        let totals = || hidden_value::totals(&self.layout);
        is_small.then(|| self.totals.get_or_init(totals).as_ref())?
    }

    fn seat<'task>(
        &'task self,
        streams: &Streams,
        workspace: &'task mut Workspace,
    ) -> ScoreWorker<'task> {
        ScoreWorker {
            task: self,
            deals: streams.key("deal"),
            draws: streams.key(&self.strategy.purpose()),
            scratch: workspace.borrow(),
        }
    }
}

impl Task for ScoreTask {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        workspace: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        Box::new(self.seat(streams, workspace))
    }

    fn ignores_budget(&self) -> Option<&'static str> {
        None
    }

    fn rules(&self) -> String {
        RULES.to_owned()
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let mut workspace = Workspace::new();
        let mut seat = self.seat(streams, &mut workspace);
        let deal = seat.deal(draw);
        let played = seat.play(&deal, draw);
        Ok(tell(&deal, &played))
    }

    fn truth(&self, metric: &str) -> Option<Truth> {
        if !matches!(metric, "score" | "regret") {
            return None;
        }
        let totals = self.totals()?;
        let score = total_score(totals, &self.layout, &self.strategy)?;
        let total = match metric {
            "score" => score,
            _ => totals.perfect - score,
        };
        Some(Truth {
            value: total as f64 / totals.deals as f64,
            source: "all orders of the deck".to_owned(),
        })
    }

    /// The deal in the notation of etude.
    fn instance(&self, streams: &Streams, index: u64, form: Option<&str>) -> Option<String> {
        let mut stream = streams.key("deal").stream(index);
        form.is_none()
            .then(|| Deal::draw(&self.layout, &mut stream).to_string())
    }

    /// The perfect score; none for small decks.
    fn control(&self) -> Option<Control> {
        (self.layout.deck() == Deck::FULL).then(|| Control {
            name: "perfect",
            over: format!("the score of strategy `optimal` on layout {}", self.layout),
            limits: (0, 52),
        })
    }
}

/// A deal played, beside the best that could be made of it.
struct Played {
    /// The game.
    outcome: SearchOutcome,
    /// The score that perfect sight of all cards reaches.
    optimum: Verdict<u8>,
    /// Positions with two legal moves or more; `None` of perfect sight, which decides once.
    decisions: Option<u64>,
    /// Exact searches asked for.
    solves: u64,
}

struct ScoreWorker<'task> {
    task: &'task ScoreTask,
    deals: StreamKey,
    draws: StreamKey,
    scratch: &'task mut Scratch<Casino>,
}

impl ScoreWorker<'_> {
    fn deal(&self, draw: Draw) -> Deal {
        Deal::draw(&self.task.layout, &mut self.deals.stream(draw.index))
    }

    /// The perfect score, if the engine's table is large enough to find it.
    fn perfect(&mut self, deal: &Deal) -> Option<i64> {
        let engine = &mut self.scratch.solver;
        match engine.solve(deal, Budget::UNLIMITED).score {
            Verdict::Proved(score) => Some(i64::from(score)),
            Verdict::Bounds { .. } => None,
        }
    }

    fn play(&mut self, deal: &Deal, draw: Draw) -> Played {
        match &self.task.strategy {
            Strategy::Optimal => {
                let engine = &mut self.scratch.solver;
                let outcome = self.task.algorithm.solve(engine, deal, draw.budget);
                Played {
                    optimum: outcome.score,
                    outcome,
                    decisions: None,
                    solves: 1,
                }
            }
            Strategy::Player(player) => self.person(player, deal, draw),
        }
    }

    /// A game by a player that sees only the face-up cards.
    fn person(&mut self, player: &HiddenPlayer, deal: &Deal, draw: Draw) -> Played {
        let game = players::play(deal, player, self.scratch, (&self.draws, draw.index));
        Played {
            optimum: self.scratch.solver.solve(deal, draw.budget).score,
            outcome: players::outcome(&game),
            decisions: Some(game.decisions()),
            solves: game.solves,
        }
    }
}

impl Worker for ScoreWorker<'_> {
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        let deal = self.deal(draw);
        let played = self.play(&deal, draw);
        measure(&played, self.task.layout.deck().size() as u8, row);
        Ok(())
    }

    fn control(&mut self, index: u64) -> Option<i64> {
        let deal = Deal::draw(&self.task.layout, &mut self.deals.stream(index));
        self.perfect(&deal)
    }
}

/// Pushes the metrics of a game with a deck of `cards`, in the order of [`METRICS`].
fn measure(played: &Played, cards: u8, row: &mut Row) {
    let outcome = &played.outcome;
    let (lower, upper) = (outcome.score.lower(), outcome.score.upper());
    let (least, most) = (i64::from(lower), i64::from(upper));
    let reaches = |goal: u8| Value::flag_bounds(lower >= goal, upper >= goal);
    row.extend(&[
        Value::bounds(least, most),
        Value::bounds(PRIZE * least, PRIZE * most),
        Value::bounds(STAKE - PRIZE * most, STAKE - PRIZE * least),
        reaches(cards),
        reaches(BREAK_EVEN),
        reaches(BREAK_EVEN + 1),
        Value::flag(outcome.first_moves == 0),
        Value::Exact(i64::from(outcome.first_moves)),
        Value::Exact(i64::from(outcome.widest)),
        Value::Exact(outcome.positions as i64),
        Value::Exact(outcome.nodes as i64),
        regret(played),
        (played.decisions).map_or(Value::Missing, |decisions| Value::Exact(decisions as i64)),
        Value::Exact(played.solves as i64),
    ]);
}

/// Returns the score that perfect sight gains on the deal: 0 if perfect sight played, resolved or
/// not.
fn regret(played: &Played) -> Value {
    match (played.outcome.score, played.optimum) {
        (Verdict::Proved(score), best) => {
            let more = |bound: u8| i64::from(bound.saturating_sub(score));
            Value::bounds(more(best.lower()), more(best.upper()))
        }
        _ => Value::Exact(0),
    }
}

/// A game move by move.
fn tell(deal: &Deal, played: &Played) -> Replay {
    let outcome = &played.outcome;
    let mut position = Position::new(deal);
    let mut frames = vec![story::frame(&position, None)];
    for &card in &outcome.moves {
        position.play(card);
        frames.push(story::frame(&position, Some(card)));
    }
    Replay {
        instance: deal.to_string(),
        frames,
        outcome: conclude(played),
    }
}

fn conclude(played: &Played) -> String {
    let score = match played.outcome.score {
        Verdict::Proved(score) => score,
        Verdict::Bounds { lower, upper } => {
            return format!(
                "{} on the foundations; with best play at least that and at most {upper}",
                cards(lower)
            );
        }
    };
    let paid = PRIZE * i64::from(score);
    let cards = cards(score);
    let told = format!("{cards} on the foundations: the casino pays ${paid} on a ${STAKE} game");
    match played.decisions {
        Some(_) => format!("{told}; perfect sight scores {}", sight(played.optimum)),
        None => told,
    }
}

fn sight(optimum: Verdict<u8>) -> String {
    match optimum {
        Verdict::Proved(score) => score.to_string(),
        Verdict::Bounds { lower, upper } => format!("{lower} to {upper}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(params: &[(&str, &str)], index: u64, nodes: u64) -> Vec<Value> {
        let set = |set: Params, (name, value): &(&str, &str)| set.with_text(name, value);
        let params = params.iter().fold(Params::defaults(PARAMS), set);
        let task = ScoreTask::new(&params).unwrap();
        let mut row = Row::new();
        let draw = Draw {
            index,
            budget: Budget::nodes(nodes),
        };
        task.worker(&Streams::new(1), &mut Workspace::new())
            .sample(draw, &mut row)
            .unwrap();
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

    /// Seed 1, samples 0 to 19: the replayed game ends with the score that was measured.
    #[test]
    fn a_replay_tells_the_sample() {
        for strategy in [
            "optimal",
            "greedy",
            "random",
            "hindsight(4)",
            "nested(2, greedy)",
        ] {
            let params = Params::defaults(PARAMS).with_text("strategy", strategy);
            let task = ScoreTask::new(&params).unwrap();
            for index in 0..20 {
                let draw = Draw {
                    index,
                    budget: Budget::UNLIMITED,
                };
                let replay = task.replay(&Streams::new(1), draw).unwrap();
                let Value::Exact(score) = row(&[("strategy", strategy)], index, u64::MAX)[0] else {
                    panic!("unresolved without a budget");
                };
                let last = replay.frames.last().unwrap();
                assert!(
                    last.board.contains(&format!("({score} of 52)")),
                    "{}",
                    last.board
                );
                assert!(replay.outcome.starts_with(&format!("{score} card")));
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
