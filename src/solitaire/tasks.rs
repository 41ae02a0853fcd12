//! The random experiment: a shuffled deal, played, and what it is worth at the casino's tariff.
//!
//! A deck costs $52, and every card on the foundations pays $5.

use super::settings;
use crate::cards::strategy::Strategy;
use base::counted;
use cards::advice::CardPlayer;
use kit::rng::{StreamKey, Streams};
use kit::search::Verdict;
use solitaire::deal::Deal;
use solitaire::draw::{self, Sight};
use solitaire::elsewhere;
use solitaire::exact::{Solver, TableSolution};
use solitaire::heuristic;
use solitaire::players::{self, PlayedRound, PlayerMemory};
use solitaire::quick::Quick;
use solitaire::round::Round;
use solitaire::rules::{DeckShape, PRIZE, Rules, STAKE, money, payout};
use solitaire::table::{CardTable, Move};
use std::borrow::Cow::Borrowed;
use task::{
    Build, Control, Draw, Frame, Metric, ParamError, ParamSpec, Params, PlayerSpec, Replay, Row,
    SampleError, Task, TaskSpec, Value, Worker, Workspace,
};

/// The most the casino can lose on a game.
const MOST: i64 = 52 * PRIZE - STAKE;

/// The task `solitaire/score`.
pub const SCORE: TaskSpec = TaskSpec {
    name: Borrowed("solitaire/score"),
    summary: Borrowed(
        "whether a deal is won, how many cards reach the foundations, and what they pay",
    ),
    sample: Borrowed("one shuffled deal, played"),
    noun: Borrowed("deal"),
    is_random: true,
    params: Borrowed(PARAMS),
    metrics: Borrowed(METRICS),
    contest: None,
    build: Build::By(|params| Ok(Box::new(PlayTask::new(params)?))),
};

/// Perfect play that does not count.
const WIN_OR_LOSE: PlayerSpec = PlayerSpec {
    name: "win-or-lose",
    side: "player",
    summary: "perfect play, asked only whether it wins: sooner, but counts of lost deals are bounded",
};

/// The strategies of `solitaire/score` as `list players` shows them.
pub const PLAYERS: &[PlayerSpec] = &{
    const MACROS: PlayerSpec = PlayerSpec {
        name: "macros(PLAYER)",
        side: "player",
        summary: "PLAYER, choosing among whole ways to the next unknown card",
    };
    let by_plays = Strategy::list(
        "safe cards home, then what turns a card, then the waste, then the stock",
        "any of the plays that `greedy` considers, all equally likely",
        "the best mean score over N worlds, each then solved within NODES nodes (default: 600)",
    );
    const TURNS: PlayerSpec = PlayerSpec {
        name: "turns(PLAYER)",
        side: "player",
        summary: "macros(PLAYER) in the order of people: what can be turned, then through the stock",
    };
    let mut all = [MACROS; 12];
    all[10] = TURNS;
    all[11] = WIN_OR_LOSE;
    let (first, _) = all.split_at_mut(by_plays.len());
    first.copy_from_slice(&by_plays);
    all
};

const PARAMS: &[ParamSpec] = &[
    ParamSpec::choice(
        "rules",
        Rules::NAMES,
        "the rules to start from: `draw-3` and `draw-1` without limit of passes, \
         `vegas-3` (three passes), `vegas-1` (one)",
    )
    .or_text("draw-3"),
    ParamSpec::integer(
        "draw",
        (0, 24),
        "cards drawn at once, instead of what `rules` say; 0 follows `rules`",
    )
    .or_integer(0),
    ParamSpec::text(
        "passes",
        "passes through the stock, instead of what `rules` say: a number, `unlimited`, \
         or `as-rules`",
    )
    .or_text(AS_RULES),
    ParamSpec::flag(
        "worrying-back",
        "whether a foundation's top card may be taken back to a column",
    )
    .or_flag(true),
    Strategy::PARAM,
];

/// The number of passes of the preset.
const AS_RULES: &str = "as-rules";

const METRICS: &[Metric] = &[
    Metric::flag("win", "All 52 cards reach the foundations."),
    Metric::integer(
        "foundation",
        "cards",
        (0, 52),
        "Most cards on the foundations at any one time.",
    ),
    Metric::integer(
        "payout",
        "$",
        (0, 52 * PRIZE),
        "What the casino pays: $5 per card on the foundations.",
    ),
    Metric::integer(
        "money",
        "$",
        (-STAKE, MOST),
        "The player's gain: a deck costs $52, and each card on the foundations pays $5.",
    ),
    Metric::flag("profit", "The player makes a profit: 11 cards or more."),
    Metric::total(
        "nodes",
        "nodes",
        "Positions that a search examined, including repetitions. For a player, the positions of \
         the game played: its thinking before each move is not counted.",
    ),
    Metric::total(
        "positions",
        "positions",
        "Distinct positions examined in the last attempt.",
    ),
    Metric::total(
        "decisions",
        "moves",
        "Rounds in which the player had two or more plays.",
    ),
    Metric::total("solves", "searches", "Exact searches that the player ran."),
];

struct PlayTask {
    rules: Rules,
    manner: Manner,
}

/// A way to play.
#[derive(Clone, Debug, PartialEq)]
enum Manner {
    /// The best play there is, knowing all cards.
    Optimal,
    /// Perfect play that is asked only whether it wins.
    WinOrLose,
    /// The way of a player that sees only the face-up cards.
    Player(CardPlayer),
}

impl Manner {
    fn from_params(params: &Params) -> Result<Manner, ParamError> {
        match params.text("strategy")?.trim() {
            "optimal" => Ok(Manner::Optimal),
            name if name == WIN_OR_LOSE.name => Ok(Manner::WinOrLose),
            "macros(optimal)" => Err(ParamError::new(
                "strategy",
                "`optimal` knows all cards and is no player of `macros`".to_owned(),
                "give a player such as `macros(hindsight(100))`".to_owned(),
            )),
            name => name
                .parse()
                .map(Manner::Player)
                .map_err(|error| Strategy::refuse("strategy", &error)),
        }
    }

    /// The purpose of the streams that it draws from.
    fn purpose(&self) -> String {
        match self {
            Manner::Optimal | Manner::WinOrLose => Strategy::Optimal.purpose(),
            Manner::Player(player) => player.purpose(),
        }
    }
}

impl PlayTask {
    fn new(params: &Params) -> Result<PlayTask, ParamError> {
        let draw = u64::try_from(params.integer("draw")?)
            .ok()
            .filter(|&draw| draw > 0);
        let passes = Some(params.text("passes")?).filter(|&passes| passes != AS_RULES);
        let rules = settings::rules(
            params.text("rules")?,
            draw,
            passes,
            params.flag("worrying-back")?,
        )?;
        Ok(PlayTask {
            rules,
            manner: Manner::from_params(params)?,
        })
    }

    fn seat<'task>(
        &'task self,
        streams: &Streams,
        workspace: &'task mut Workspace,
    ) -> StrategyWorker<'task> {
        StrategyWorker {
            task: self,
            deals: streams.key("deal"),
            draws: streams.key(&self.manner.purpose()),
            memory: workspace.borrow(),
        }
    }
}

impl Task for PlayTask {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        workspace: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        Box::new(self.seat(streams, workspace))
    }

    fn ignores_budget(&self) -> Option<&'static str> {
        match self.manner {
            Manner::Optimal | Manner::WinOrLose => None,
            Manner::Player(_) => Some("a player's strength is in its own name"),
        }
    }

    fn rules(&self) -> String {
        self.rules.in_words()
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let mut workspace = Workspace::default();
        let mut seat = self.seat(streams, &mut workspace);
        let deal = seat.deal(draw.index);
        let table = CardTable::new(&deal, self.rules);
        let game = seat.play(&table, draw);
        Ok(tell(&deal, &table, &game))
    }

    /// The deal: in the notation of etude, as the number of its permutation, or as JSON.
    fn instance(&self, streams: &Streams, index: u64, form: Option<&str>) -> Option<String> {
        let deal = Deal::draw(DeckShape::FULL, &mut streams.key("deal").stream(index));
        form.map_or_else(
            || Some(deal.to_string()),
            |form| elsewhere::write(&deal, form),
        )
    }

    /// Returns the control variate: the money of strategy `greedy` on the deal.
    fn control(&self) -> Option<Control> {
        Some(Control {
            name: "greedy",
            over: "the money of strategy `greedy` by the same rules".to_owned(),
            limits: (-STAKE, MOST),
        })
    }
}

/// The memory of a thread's searches.
#[derive(Default)]
struct Memory {
    /// The solver of perfect sight.
    solver: Solver,
    /// The memory of players that do not see all cards.
    player: PlayerMemory,
}

/// A worker: the task and the memory of its search.
struct StrategyWorker<'task> {
    task: &'task PlayTask,
    deals: StreamKey,
    draws: StreamKey,
    memory: &'task mut Memory,
}

/// A game played.
struct PlayedDeal {
    foundation: Verdict<u8>,
    nodes: u64,
    positions: u64,
    line: Vec<Move>,
    /// Rounds with a choice; `None` of perfect sight, which decides once.
    decisions: Option<u64>,
    solves: u64,
}

impl StrategyWorker<'_> {
    fn deal(&self, index: u64) -> Deal {
        Deal::draw(DeckShape::FULL, &mut self.deals.stream(index))
    }

    fn play(&mut self, table: &CardTable, draw: Draw) -> PlayedDeal {
        match &self.task.manner {
            Manner::Optimal => {
                PlayedDeal::solved(table, &self.memory.solver.solve(table, draw.budget))
            }
            Manner::WinOrLose => {
                PlayedDeal::solved(table, &self.memory.solver.decide(table, draw.budget))
            }
            Manner::Player(player) => {
                let (round, memory) = (Round::new(*table), &mut self.memory.player);
                players::play(round, player, memory, (&self.draws, draw.index)).into()
            }
        }
    }
}

impl PlayedDeal {
    fn solved(table: &CardTable, solution: &TableSolution) -> PlayedDeal {
        PlayedDeal {
            foundation: solution.foundation,
            nodes: solution.nodes,
            positions: solution.positions,
            line: solution.line(table),
            decisions: None,
            solves: 1,
        }
    }
}

impl From<PlayedRound> for PlayedDeal {
    fn from(game: PlayedRound) -> Self {
        let positions = game.line.len() as u64 + 1;
        Self {
            foundation: Verdict::Proved(game.score),
            nodes: positions,
            positions,
            line: game.line,
            decisions: Some(game.decisions),
            solves: game.solves,
        }
    }
}

impl Worker for StrategyWorker<'_> {
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        let table = CardTable::new(&self.deal(draw.index), self.task.rules);
        let game = self.play(&table, draw);
        measure(&game, row);
        Ok(())
    }

    fn control(&mut self, index: u64) -> Option<i64> {
        let table = CardTable::new(&self.deal(index), self.task.rules);
        let score = heuristic::play_out(Quick::from(&Round::new(table)));
        Some(money(score))
    }
}

/// Pushes the metrics in the order of [`METRICS`].
fn measure(game: &PlayedDeal, row: &mut Row) {
    let (lower, upper) = (game.foundation.lower(), game.foundation.upper());
    let reaches = |goal: fn(u8) -> bool| Value::flag_bounds(goal(lower), goal(upper));
    row.push(reaches(|count| count == 52));
    row.push(Value::bounds(i64::from(lower), i64::from(upper)));
    row.push(Value::bounds(payout(lower), payout(upper)));
    row.push(Value::bounds(money(lower), money(upper)));
    row.push(reaches(|count| money(count) > 0));
    row.push(Value::Exact(game.nodes as i64));
    row.push(Value::Exact(game.positions as i64));
    row.push(match game.decisions {
        Some(decisions) => Value::Exact(decisions as i64),
        None => Value::Missing,
    });
    row.push(Value::Exact(game.solves as i64));
}

/// A game move by move.
fn tell(deal: &Deal, start: &CardTable, game: &PlayedDeal) -> Replay {
    let mut table = *start;
    let mut frames = vec![frame("the deal".to_owned(), &table, None)];
    for &play in &game.line {
        let caption = draw::told(&table, play);
        let moved = table.moved_card(play);
        table.play(play);
        frames.push(frame(caption, &table, moved));
    }
    Replay {
        instance: deal.to_string(),
        frames,
        outcome: conclude(game.foundation, start.rules()),
    }
}

fn frame(caption: String, table: &CardTable, moved: Option<solitaire::card::Card>) -> Frame {
    Frame::text(caption, draw::board(table, Sight::All)).with_svg(draw::svg(table, moved))
}

/// The end of a game: what it pays where passes are limited, as in a casino; otherwise whether it is
/// won.
fn conclude(foundation: Verdict<u8>, rules: Rules) -> String {
    let cards = |count: u8| counted(count.into(), "card") + " on the foundations";
    let count = match foundation {
        Verdict::Proved(count) => count,
        Verdict::Bounds { lower, upper } => {
            let cards = cards(lower);
            return format!("{cards}; with best play at least that and at most {upper}");
        }
    };
    let end = match (rules.passes, money(count)) {
        (None, _) if count == 52 => "the game is won".to_owned(),
        (None, _) => "the game is lost".to_owned(),
        (Some(_), gain @ 0..) => format!("the player gains ${gain}"),
        (Some(_), loss) => format!("the player loses ${}", -loss),
    };
    format!("{}: {end}", cards(count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::search::Budget;

    fn task(params: &[(&str, &str)]) -> PlayTask {
        let set = |set: Params, (name, value): &(&str, &str)| set.with_text(name, value);
        PlayTask::new(&params.iter().fold(Params::defaults(PARAMS), set)).unwrap()
    }

    fn row(task: &PlayTask, index: u64, nodes: u64) -> Vec<Value> {
        let mut row = Row::new();
        let budget = Budget::nodes(nodes);
        let mut workspace = Workspace::default();
        let mut worker = task.worker(&Streams::new(1), &mut workspace);
        worker.sample(Draw { index, budget }, &mut row).unwrap();
        row.values().to_vec()
    }

    /// Seed 1, samples 0 to 19.
    #[test]
    fn what_is_won_is_told_sooner_where_nothing_is_counted() {
        let optimal = task(&[("rules", "draw-3")]);
        let decided = task(&[("rules", "draw-3"), ("strategy", "win-or-lose")]);
        let mut lost = 0;
        for index in 0..20 {
            let (counted, told) = (row(&optimal, index, 1 << 20), row(&decided, index, 1 << 20));
            let is_win = counted[0];
            assert!(told[0] == is_win || counted[0] == Value::flag_bounds(false, true));
            lost += u32::from(is_win == Value::flag_bounds(false, false));
        }
        assert!(lost > 0);
    }

    #[test]
    fn the_end_of_a_game_tells_money_where_passes_are_limited() {
        let ends = [
            (52, Rules::VEGAS_3),
            (1, Rules::VEGAS_3),
            (52, Rules::DRAW_3),
            (8, Rules::DRAW_3),
        ];
        let told = ends.map(|(count, rules)| conclude(Verdict::Proved(count), rules));
        let expected = [
            "52 cards on the foundations: the player gains $208",
            "1 card on the foundations: the player loses $47",
            "52 cards on the foundations: the game is won",
            "8 cards on the foundations: the game is lost",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn money_profit_and_win_follow_from_the_cards() {
        let task = task(&[("rules", "vegas-3")]);
        let mut proved = 0;
        for index in 0..20 {
            let row = row(&task, index, 100_000);
            assert_eq!(row.len(), METRICS.len());
            let Value::Exact(count) = row[1] else {
                continue;
            };
            assert_eq!(row[0], Value::flag(count == 52));
            assert_eq!(row[2], Value::Exact(5 * count));
            assert_eq!(row[3], Value::Exact(5 * count - 52));
            assert_eq!(row[4], Value::flag(count >= 11));
            proved += 1;
        }
        assert!(proved >= 15, "{proved}");
    }

    /// Seed 1, samples 0 to 49.
    #[test]
    fn the_control_is_the_money_of_greedy() {
        for rules in ["vegas-1", "vegas-3"] {
            let greedy = task(&[("rules", rules), ("strategy", "greedy")]);
            let mut workspace = Workspace::default();
            let mut worker = greedy.worker(&Streams::new(1), &mut workspace);
            for index in 0..50 {
                let control = worker.control(index).map(Value::Exact);
                assert_eq!(control, Some(row(&greedy, index, 1)[3]));
            }
        }
    }

    /// Seed 1, samples 0 to 3: a budget of one node, and the default foresight by its number, leave a
    /// player's game as it is; less foresight does not.
    #[test]
    fn a_players_foresight_is_in_its_name_alone() {
        for player in [
            "macros(hindsight(3{}))",
            "hindsight(2{})",
            "nested(2, hindsight(2{}))",
        ] {
            let named = |nodes: &str| {
                let name = player.replace("{}", nodes);
                task(&[("rules", "vegas-3"), ("strategy", &name)])
            };
            let rows = |nodes: &str, budget: u64| -> Vec<Vec<Value>> {
                (0..2)
                    .map(|index| row(&named(nodes), index, budget))
                    .collect()
            };
            let usual = rows("", 50_000_000);
            assert_eq!(rows("", 1), usual, "{player}");
            assert_eq!(rows(", 600", 1), usual, "{player}");
            assert_ne!(rows(", 1", 50_000_000), usual, "{player}");
        }
    }

    /// Seed 1, sample 0.
    #[test]
    fn an_unresolved_deal_is_bounded() {
        let task = task(&[("rules", "vegas-1")]);
        let row = row(&task, 0, 1);
        assert_eq!(row[0], Value::Bounds { lower: 0, upper: 1 });
        assert!(matches!(row[1], Value::Bounds { upper: 52, .. }));
    }

    /// Seed 1, samples 0 to 9: the replayed game reaches what was measured.
    #[test]
    fn a_replay_tells_the_sample() {
        for strategy in ["optimal", "greedy", "race(8, rollout(4))"] {
            let task = task(&[("rules", "vegas-1"), ("strategy", strategy)]);
            for index in 0..10 {
                let budget = Budget::nodes(20_000);
                let replay = task
                    .replay(&Streams::new(1), Draw { index, budget })
                    .unwrap();
                let count = match row(&task, index, 20_000)[1] {
                    Value::Exact(count) => count,
                    Value::Bounds { lower, .. } => lower,
                    other => panic!("{other:?}"),
                };
                assert!(replay.outcome.starts_with(&format!("{count} card")));
                let reached = format!("({count} of 52)");
                assert!(
                    replay
                        .frames
                        .iter()
                        .any(|frame| frame.board.contains(&reached))
                );
            }
        }
    }

    #[test]
    fn parts_of_the_rules_may_be_given_and_are_checked() {
        let mut params = Params::defaults(PARAMS)
            .with_integer("draw", 1)
            .with_text("passes", "1");
        assert_eq!(PlayTask::new(&params).unwrap().rules, Rules::VEGAS_1);
        params = params.with_text("passes", "none");
        assert_eq!(PlayTask::new(&params).err().unwrap().name, "passes");
    }
}
