//! Clock patience with etude's command line: a game from outside, in one file.
//!
//! The top card of the kings' pile is turned; its rank names the next of 13 piles, and so on, until
//! that pile is empty. The game comes out if all 52 cards are turned by then: one deal in 13, for
//! the last card of all must be a king. The parameter `ranks` makes the deck and the clock smaller.

use kit::rng::{StreamKey, Streams, shuffle};
use std::borrow::Cow::Borrowed;
use task::*;

const PROGRAM: Application = Application {
    name: env!("CARGO_PKG_NAME"),
    about: "Clock patience, measured",
    version: env!("CARGO_PKG_VERSION"),
    revision: None,
    games: &[&CLOCK],
    experiments: &[BuiltIn {
        name: "clock",
        file: "clock.toml",
        text: include_str!("../clock.toml"),
        seconds: None,
    }],
    examples: "  clock-patience run clock\n  clock-patience replay clock --sample 7",
};

fn main() -> std::process::ExitCode {
    cli::main(&PROGRAM)
}

/// The game as the laboratory sees it.
pub static CLOCK: GameSpec = GameSpec {
    name: "clock",
    summary: "Clock patience, which leaves the player no choice",
    tasks: &[TaskSpec {
        name: Borrowed("clock/play"),
        summary: Borrowed("How often the game comes out, and how long it lasts"),
        sample: Borrowed("one shuffled deal, played to its end"),
        noun: Borrowed("deal"),
        is_random: true,
        params: Borrowed(&[RANKS]),
        metrics: Borrowed(&[
            Metric::flag("win", "All cards were turned."),
            Metric::integer("turned", "cards", (4, 52), "Cards turned."),
        ]),
        contest: None,
        build: Build::By(|params| {
            let ranks = params.integer("ranks")? as usize;
            Ok(Box::new(Clock { ranks }))
        }),
    }],
    verbs: &[],
    players: &[],
};

const RANKS: ParamSpec = ParamSpec::integer(
    "ranks",
    (2, 13),
    "Ranks of the deck; the highest is the kings'.",
)
.or_integer(13);

struct Clock {
    ranks: usize,
}

impl Clock {
    /// The ranks in the order in which they are turned; the highest is a king.
    fn play(&self, deals: &StreamKey, index: u64) -> Vec<usize> {
        let mut deck: Vec<usize> = (0..4 * self.ranks).map(|card| card % self.ranks).collect();
        shuffle(&mut deals.stream(index), &mut deck);
        let mut piles: Vec<Vec<usize>> = deck.chunks(4).map(<[usize]>::to_vec).collect();
        let turn = |&rank: &usize| piles[rank].pop();
        let kings = self.ranks - 1;
        std::iter::successors(Some(kings), turn).skip(1).collect()
    }
}

impl Task for Clock {
    fn worker<'a>(&'a self, streams: &Streams, _: &'a mut Workspace) -> Box<dyn Worker + 'a> {
        Box::new(Player {
            game: self,
            deals: streams.key("deal"),
        })
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let turned = self.play(&streams.key("deal"), draw.index);
        let cards = turned.iter().map(|&rank| &"A23456789TJQK"[rank..=rank]);
        let cards = cards.collect::<Vec<_>>().join(" ");
        Ok(Replay {
            instance: format!("deal {}", draw.index),
            frames: vec![Frame::text("the cards in the order of turning", cards)],
            outcome: format!("{} cards turned", turned.len()),
        })
    }

    fn truth(&self, metric: &str) -> Option<Truth> {
        let source = format!("the last card is a king in one order of {}", self.ranks);
        let value = 1.0 / self.ranks as f64;
        (metric == "win").then_some(Truth { value, source })
    }
}

struct Player<'a> {
    game: &'a Clock,
    deals: StreamKey,
}

impl Worker for Player<'_> {
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        let turned = self.game.play(&self.deals, draw.index).len();
        row.push(Value::flag(turned == 4 * self.game.ranks));
        row.push(Value::Exact(turned as i64));
        Ok(())
    }
}

#[cfg(test)]
#[test]
fn the_game_keeps_the_laws_of_tasks() {
    assert_eq!(task::laws::check(&CLOCK), Ok(()));
}
