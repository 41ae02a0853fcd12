//! Higher or lower: a game with hidden cards, in one file, with the whole command line.
//!
//! Cards numbered from 1 lie face down in a row, and the first is turned up. The player says whether the next one is
//! higher or lower, and it is turned; a right guess scores a point, a wrong one ends the game.
//!
//!     cargo run -p etude-cli --example higher -- list params higher/play

use cards::hidden::{HiddenGame, HiddenPlayer, PlayedGame, Scratch};
use etude_cli::main as command_line;
use kit::rng::{StreamKey, Streams, shuffle};
use kit::search::Budget;
use std::borrow::Cow::Borrowed;
use task::*;

const PROGRAM: Application = Application {
    name: "higher",
    about: "Higher or lower, measured",
    version: env!("CARGO_PKG_VERSION"),
    // The build script of a crate sets it, for instance to what `git rev-parse HEAD` says: every manifest names it.
    revision: option_env!("HIGHER_REVISION"),
    games: &[&HIGHER],
    ..Application::LIBRARY
};

fn main() -> std::process::ExitCode {
    command_line(&PROGRAM)
}

/// The game as the laboratory sees it.
pub static HIGHER: GameSpec = GameSpec {
    name: "higher",
    summary: "Higher or lower",
    tasks: &[TaskSpec {
        name: Borrowed("higher/play"),
        summary: Borrowed("How many guesses in a row are right"),
        sample: Borrowed("one row of cards"),
        noun: Borrowed("row"),
        is_random: true,
        params: Borrowed(&[CARDS, PLAYER]),
        metrics: Borrowed(&[Metric::integer(
            "score",
            "guesses",
            (0, 51),
            "Right guesses.",
        )]),
        contest: None,
        build: Build::By(|params| Ok(Box::new(Play::of(params)?))),
    }],
    verbs: &[],
    players: &[],
};

const CARDS: ParamSpec = ParamSpec::integer("cards", (2, 52), "Cards in the row.").or_integer(10);
/// A text parameter: its grammar is the task's own.
const PLAYER: ParamSpec = ParamSpec::text(
    "player",
    "`greedy`, `random`, `rollout(N)`, `hindsight(N)`.",
)
.or_text("greedy");

/// The task with its parameters.
struct Play {
    game: Higher,
    player: HiddenPlayer,
}

impl Play {
    /// Refuses a player that the game has not: the message, and the advice, appear at its place in the file.
    fn of(params: &Params) -> Result<Self, ParamError> {
        let advice = "write a player such as `hindsight(20)`";
        let refuse = |message: String| ParamError::new("player", message, advice);
        let player: HiddenPlayer = params
            .text("player")?
            .parse()
            .map_err(|fault| refuse(format!("{fault}")))?;
        let game = Higher {
            cards: params.integer("cards")? as u8,
        };
        Ok(Self { game, player })
    }

    fn play(&self, streams: &(StreamKey, StreamKey), index: u64) -> PlayedGame<Higher> {
        let (deals, choices) = streams;
        let mut order: Vec<u8> = (1..=self.game.cards).collect();
        shuffle(&mut deals.stream(index), &mut order);
        let table = Table {
            order,
            turned: 1,
            is_over: false,
        };
        PlayedGame::play(
            &self.game,
            table,
            &self.player,
            &mut Scratch::default(),
            (choices, index),
        )
    }
}

/// A stream for each purpose: all players get the same deals, however many numbers they draw themselves.
fn streams_of(streams: &Streams) -> (StreamKey, StreamKey) {
    (streams.key("deal"), streams.key("player"))
}

impl Task for Play {
    fn worker<'a>(&'a self, streams: &Streams, _: &'a mut Workspace) -> Box<dyn Worker + 'a> {
        Box::new(Seat {
            task: self,
            streams: streams_of(streams),
        })
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let played = self.play(&streams_of(streams), draw.index);
        Ok(Replay {
            instance: format!("row {}", draw.index),
            frames: vec![Frame::text("the cards", format!("{:?}", played.end.order))],
            outcome: format!("{} right guesses", self.game.score(&played.end)),
        })
    }

    /// Of two cards, the one that is seen tells where the other is. `run` shows this beside the estimate.
    fn truth(&self, metric: &str) -> Option<Truth> {
        let value = if self.player == HiddenPlayer::Random {
            0.5
        } else {
            1.0
        };
        let is_known = metric == "score" && self.game.cards == 2;
        is_known.then(|| Truth {
            value,
            source: "one of two cards is seen".to_owned(),
        })
    }
}

struct Seat<'a> {
    task: &'a Play,
    streams: (StreamKey, StreamKey),
}

impl Worker for Seat<'_> {
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        let played = self.task.play(&self.streams, draw.index);
        row.push(Value::Exact(self.task.game.score(&played.end).into()));
        Ok(())
    }
}

/// The rules.
struct Higher {
    cards: u8,
}

/// A game in progress with every card in its place.
#[derive(Clone)]
struct Table {
    order: Vec<u8>,
    turned: usize,
    is_over: bool,
}

/// The cards that the player sees. It has no hidden card, so no player can peek.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Seen {
    turned: Vec<u8>,
    is_over: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guess {
    Higher,
    Lower,
}

impl HiddenGame for Higher {
    type Observation = Seen;
    type World = Table;
    type Move = Guess;
    type Solver = ();
    type Guide = ();
    const FORESIGHT: Budget = Budget::UNLIMITED;

    fn observe(&self, table: &Table) -> Seen {
        Seen {
            turned: table.order[..table.turned].to_vec(),
            is_over: table.is_over,
        }
    }

    fn canonical(&self, seen: &Seen) -> Table {
        let hidden = (1..=self.cards).filter(|card| !seen.turned.contains(card));
        let order = seen.turned.iter().copied().chain(hidden).collect();
        Table {
            order,
            turned: seen.turned.len(),
            is_over: seen.is_over,
        }
    }

    fn unseen(&self, seen: &Seen) -> usize {
        usize::from(self.cards) - seen.turned.len()
    }

    fn redeal(&self, canonical: &Table, order: &[u8]) -> Table {
        let mut table = canonical.clone();
        let hidden = &canonical.order[canonical.turned..];
        let places = table.order[canonical.turned..].iter_mut();
        places
            .zip(order)
            .for_each(|(place, &card)| *place = hidden[usize::from(card)]);
        table
    }

    /// The guess that more of the hidden cards make right comes first. Their order is not looked at.
    fn moves(&self, table: &Table) -> Vec<Guess> {
        let hidden = &table.order[table.turned..];
        if table.is_over || hidden.is_empty() {
            return Vec::new();
        }
        let last = table.order[table.turned - 1];
        let higher = hidden.iter().filter(|&&card| card > last).count();
        if 2 * higher >= hidden.len() {
            vec![Guess::Higher, Guess::Lower]
        } else {
            vec![Guess::Lower, Guess::Higher]
        }
    }

    fn play(&self, table: &mut Table, guess: Guess) {
        let is_higher = table.order[table.turned] > table.order[table.turned - 1];
        table.turned += 1;
        table.is_over = is_higher != (guess == Guess::Higher);
    }

    fn score(&self, table: &Table) -> u32 {
        table.turned as u32 - 1 - u32::from(table.is_over)
    }

    /// A player that sees every card guesses right to the end.
    fn solve(&self, (): &mut (), table: &Table, (): &(), _: Budget) -> u32 {
        self.bound(&mut (), table, Budget::UNLIMITED).0
    }

    fn bound(&self, (): &mut (), table: &Table, _: Budget) -> (u32, ()) {
        let best = if table.is_over {
            self.score(table)
        } else {
            u32::from(self.cards) - 1
        };
        (best, ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_keeps_the_laws_of_tasks() {
        assert_eq!(laws::check(&HIGHER), Ok(()));
    }

    /// The hidden cards in another order change what is seen later, but no decision.
    #[test]
    fn no_player_peeks() {
        let game = Higher { cards: 8 };
        let streams = Streams::new(1);
        for player in [
            "greedy",
            "random",
            "rollout(10)",
            "hindsight(10)",
            "ismcts(20, 1)",
        ] {
            let player: HiddenPlayer = player.parse().unwrap();
            for index in 0..50 {
                let mut order: Vec<u8> = (1..=8).collect();
                shuffle(&mut streams.key("deal").stream(index), &mut order);
                let decide = |order: Vec<u8>| {
                    let seen = game.observe(&Table {
                        order,
                        turned: 3,
                        is_over: false,
                    });
                    let mut stream = streams.key("player").stream(index);
                    player.decide(&game, &mut Scratch::default(), &seen, &mut stream)
                };
                let redealt = [
                    &order[..3],
                    &[order[7], order[6], order[5], order[4], order[3]],
                ]
                .concat();
                assert_eq!(decide(order), decide(redealt), "{player} in row {index}");
            }
        }
    }
}
