//! The task `klondike/hidden-value`, the option `--hidden` of `solve`, and what both say of the
//! players of `klondike/score`.

use super::params::layout;
use crate::cards::strategy::Strategy;
use base::{Failure, count};
use cards::hidden::HiddenPlayer;
use kit::rng::Streams;
use klondike::RULES;
use klondike::hidden_value::{MOST_CARDS, Totals, totals};
use klondike::layout::Layout;
use std::borrow::Cow::Borrowed;
use task::{
    Build, Console, Draw, Frame, Metric, ParamError, ParamSpec, Params, Replay, SampleError, Task,
    TaskSpec, Value, Worker, Workspace, worker_of,
};

/// The task `klondike/hidden-value`.
pub const HIDDEN_VALUE: TaskSpec = TaskSpec {
    name: Borrowed("klondike/hidden-value"),
    summary: Borrowed(
        "the exact value of a small deck to the best player who cannot see the face-down cards, beside perfect sight and two players",
    ),
    sample: Borrowed("all orders of the deck at once"),
    noun: Borrowed("deck"),
    is_random: false,
    params: Borrowed(&[
        ParamSpec::text(
            "deck",
            "suits x ranks, at most 11 cards, such as `2x5`; 11 may take minutes, 10 take seconds",
        )
        .or_text("2x4"),
        ParamSpec::text(
            "layout",
            "the columns: `down:up,down:up,...` holding the deck",
        )
        .or_text("0:1,2:1,3:1"),
    ]),
    metrics: Borrowed(&[
        Metric::total("deals", "deals", "Orders of the deck."),
        Metric::rate(
            "perfect",
            "cards",
            "Cards on the foundations under the best play with every card known.",
        ),
        Metric::rate(
            "hidden",
            "cards",
            "Cards on the foundations under the best play that knows only the face-up cards.",
        ),
        Metric::rate(
            "hindsight",
            "cards",
            "Cards on the foundations for the player whose moves have the best mean perfect score \
             over all orders of the unseen cards.",
        ),
        Metric::rate(
            "greedy",
            "cards",
            "Cards on the foundations for the player that takes the move that puts the most visible \
             cards there.",
        ),
    ]),
    contest: None,
    build: Build::By(|params| Ok(Box::new(ValueTask::new(params)?))),
};

struct ValueTask {
    layout: Layout,
}

impl ValueTask {
    fn new(params: &Params) -> Result<ValueTask, ParamError> {
        let layout = layout(params)?;
        match layout.deck().size() {
            0..=MOST_CARDS => Ok(ValueTask { layout }),
            cards => Err(ParamError::new("deck", too_large(cards), SMALLER)),
        }
    }

    fn totals(&self) -> Totals {
        totals(&self.layout).unwrap_or_default()
    }
}

fn too_large(cards: usize) -> String {
    format!("a deck of {cards} cards has too many orders to play them all")
}

const SMALLER: &str = "take a deck of at most 11 cards";

impl Task for ValueTask {
    fn worker<'task>(&'task self, _: &Streams, _: &'task mut Workspace) -> Box<dyn Worker + 'task> {
        worker_of(|_, row| {
            let totals = self.totals();
            row.push(Value::Exact(totals.deals as i64));
            for sum in [
                totals.perfect,
                totals.hidden,
                totals.hindsight,
                totals.greedy,
            ] {
                row.push(Value::ratio(sum, totals.deals));
            }
            Ok(())
        })
    }

    fn rules(&self) -> String {
        RULES.to_owned()
    }

    fn replay(&self, _: &Streams, _: Draw) -> Result<Replay, SampleError> {
        let totals = self.totals();
        let (deck, layout) = (self.layout.deck(), &self.layout);
        Ok(Replay {
            instance: format!("all orders of a deck of {deck} in {layout}"),
            frames: vec![Frame::text("cards on the foundations", means(&totals))],
            outcome: format!(
                "over all {} deals, the best play without sight puts {} cards on the foundations, \
                 and perfect sight {}",
                count(totals.deals),
                count(totals.hidden),
                count(totals.perfect)
            ),
        })
    }
}

/// Describes the mean of each player's cards on the foundations, over all orders.
fn means(totals: &Totals) -> String {
    let line = |(player, sum): (&str, u64)| {
        let mean = sum as f64 / totals.deals as f64;
        format!("{player:<18} {mean:.6} a deal")
    };
    let players = [
        ("perfect sight", totals.perfect),
        ("best without sight", totals.hidden),
        ("hindsight", totals.hindsight),
        ("greedy", totals.greedy),
    ];
    players.map(line).join("\n")
}

/// The sum of scores of a strategy over all orders of a layout's deck, and their number, where it
/// is one of those that [`Totals`] knows.
pub fn total_score(totals: &Totals, layout: &Layout, strategy: &Strategy) -> Option<u64> {
    let hidden = layout.columns().iter().map(|shape| u64::from(shape.down));
    let orders: u64 = (1..=hidden.sum()).product();
    match strategy {
        Strategy::Optimal => Some(totals.perfect),
        Strategy::Player(HiddenPlayer::Greedy) => Some(totals.greedy),
        Strategy::Player(HiddenPlayer::Hindsight {
            worlds,
            nodes: None,
        }) if u64::from(*worlds) >= orders => Some(totals.hindsight),
        Strategy::Player(_) => None,
    }
}

/// `etude solve klondike --hidden --deck SxR --layout L`: the totals over all orders of the deck.
///
/// # Errors
/// If the deck is too large.
pub fn solve(layout: &Layout, console: &mut dyn Console) -> Result<(), Failure> {
    let cards = layout.deck().size();
    if cards == MOST_CARDS {
        console.note("All orders of 11 cards: this may take some minutes.");
    }
    let totals =
        totals(layout).ok_or_else(|| Failure::input("--deck", too_large(cards), SMALLER))?;
    report(layout, &totals, console);
    Ok(())
}

fn report(layout: &Layout, totals: &Totals, console: &mut dyn Console) {
    console.columns(&[
        "suits",
        "ranks",
        "layout",
        "deals",
        "total_perfect",
        "total_hidden",
        "total_hindsight",
        "total_greedy",
    ]);
    console.row(&[
        layout.deck().suits().into(),
        layout.deck().ranks().into(),
        layout.to_string().into(),
        totals.deals.into(),
        totals.perfect.into(),
        totals.hidden.into(),
        totals.hindsight.into(),
        totals.greedy.into(),
    ]);
}

#[cfg(test)]
mod tests {
    use super::super::solve::SolveKlondike;
    use super::*;
    use task::{Row, Script, TableCell, Verb};

    fn run(deck: &str, layout: &str) -> Result<Script, Failure> {
        let verb = Verb::new::<SolveKlondike>("solve");
        Script::default().run(&verb, &["--hidden", "--deck", deck, "--layout", layout])
    }

    #[test]
    fn a_row_of_totals_comes_from_deck_and_layout() {
        let console = run("2x4", "0:1,2:1,3:1").unwrap();
        let number = TableCell::Integer;
        let row = [
            number(2),
            number(4),
            TableCell::Text("0:1,2:1,3:1".to_owned()),
            number(40_320),
            number(226_496),
            number(223_016),
            number(223_016),
            number(222_872),
        ];
        assert_eq!(console.rows, [row]);
    }

    /// Less foresight than a name gives by itself is another player.
    #[test]
    fn totals_are_the_truth_of_hindsight_that_solves_its_worlds() {
        let layout = Layout::parse("0:1,2:1,3:1", "2x4".parse().unwrap()).unwrap();
        let totals = totals(&layout).unwrap();
        let total = |name: &str| {
            let strategy = Strategy::Player(name.parse().unwrap());
            total_score(&totals, &layout, &strategy)
        };
        assert_eq!(total("hindsight(120)"), Some(totals.hindsight));
        assert_eq!(total("hindsight(119)"), None);
        assert_eq!(total("hindsight(120, 1)"), None);
    }

    #[test]
    fn a_replay_tells_the_means_in_words() {
        let params = Params::defaults(&HIDDEN_VALUE.params);
        let task = ValueTask::new(&params).unwrap();
        let draw = Draw {
            index: 0,
            budget: kit::search::Budget::UNLIMITED,
        };
        let replay = task.replay(&Streams::new(1), draw).unwrap();
        let lines: Vec<&str> = replay.frames[0].board.lines().collect();
        assert_eq!(lines[0], "perfect sight      5.617460 a deal");
        assert_eq!(lines[1], "best without sight 5.531151 a deal");
        assert!(replay.outcome.contains("puts 223,016 cards"));
    }

    #[test]
    fn faults_are_shown_at_their_place() {
        let place = |deck: &str, layout: &str| run(deck, layout).err().unwrap().place;
        assert_eq!(place("2x", "0:1"), "--deck");
        assert_eq!(place("2x4", "0:1"), "--layout");
        assert_eq!(place("4x3", "0:6,0:6"), "--deck");
    }

    #[test]
    fn the_task_gives_means_over_all_orders() {
        let params = Params::defaults(&HIDDEN_VALUE.params)
            .with_text("deck", "2x4")
            .with_text("layout", "1:1,2:1,2:1");
        let task = ValueTask::new(&params).unwrap();
        let mut row = Row::new();
        let draw = Draw {
            index: 0,
            budget: kit::search::Budget::UNLIMITED,
        };
        task.worker(&Streams::new(1), &mut Workspace::new())
            .sample(draw, &mut row)
            .unwrap();
        assert_eq!(row.values().len(), HIDDEN_VALUE.metrics.len());
        let ratio = Value::Ratio {
            numerator: 246_512,
            denominator: 40_320,
        };
        assert_eq!(row.values()[2], ratio);
    }
}
