//! The task `solitaire/close-choices`: one sample a deal.

use super::settings;
use base::counted;
use cards::advice::CardPlayer;
use cards::hidden::{HiddenPlayer, Shortlist};
use kit::rng::{StreamKey, Streams};
use solitaire::deal::Deal;
use solitaire::draw::{self, Sight};
use solitaire::players::PlayerMemory;
use solitaire::round::Round;
use solitaire::rules::{DeckShape, Rules};
use solitaire::table::CardTable;
use solitaire::unseen::close_choices::{CloseChoices, CloseComparison, GameDraws};
use std::borrow::Cow::Borrowed;
use task::{
    Build, Draw, Frame, Metric, ParamError, ParamSpec, Params, Replay, Row, SampleError, Task,
    TaskSpec, Value, Worker, Workspace,
};

/// The task `solitaire/close-choices`.
pub const CLOSE_CHOICES: TaskSpec = TaskSpec {
    name: Borrowed("solitaire/close-choices"),
    summary: Borrowed(
        "how many more games a player would win that always took the best of the choices that it can hardly \
         tell apart",
    ),
    sample: Borrowed("one shuffled deal, and one decision of the game that the player plays"),
    noun: Borrowed("deal"),
    is_random: true,
    params: Borrowed(&[
        settings::UNLIMITED,
        ParamSpec::text("player", "the player whose decisions are looked at, by macro moves")
            .or_text("macros(hindsight(100))"),
        ParamSpec::text("finisher", "the player that plays each choice to its end")
            .or_text("macros(hindsight(8))"),
        ParamSpec::integer(
            "margin",
            (0, 100),
            "the percentage points by which a close choice may win fewer of the player's worlds than the best",
        )
        .or_integer(2),
        ParamSpec::integer(
            "choices",
            (2, 64),
            "close choices that are compared, at most, the best by the player's own worlds",
        )
        .or_integer(6),
        ParamSpec::integer(
            "playouts",
            (2, 100_000),
            "worlds in which each of them is played to its end",
        )
        .or_integer(1_000),
    ]),
    metrics: Borrowed(&[
        Metric::integer(
            "least-gain",
            "‰",
            (-1000, 1000),
            "Games that the best close choice of the decision wins more than the player's own, the best being \
             chosen in one half of the worlds and measured in the other: no more than the truth on average.",
        ),
        Metric::integer(
            "most-gain",
            "‰",
            (0, 1000),
            "Games that the close choice that won most wins more than the player's own, in the same worlds: no \
             less than the truth on average.",
        ),
        Metric::total(
            "least-game-gain",
            "‰",
            "The decisions of the game times `least-gain`. On average, to first order, the wins a game that the \
             best close choices add, and no more.",
        )
        .signed(),
        Metric::total(
            "most-game-gain",
            "‰",
            "The decisions of the game times `most-gain`. On average, to first order, no close choices add more \
             wins a game.",
        ),
        Metric::total(
            "decisions",
            "moves",
            "Rounds in which the player had two or more choices.",
        ),
        Metric::total("close", "choices", "Choices compared; 1 where nothing is close to the player's own."),
    ]),
    contest: None,
    build: Build::By(|params| Ok(Box::new(CloseChoicesTask::new(params)?))),
};

struct CloseChoicesTask {
    rules: Rules,
    player: HiddenPlayer,
    finisher: CardPlayer,
    shortlist: Shortlist,
    playouts: u32,
}

impl CloseChoicesTask {
    fn new(params: &Params) -> Result<CloseChoicesTask, ParamError> {
        let number = |name| params.integer(name).map(|number| number as u32);
        Ok(CloseChoicesTask {
            rules: settings::unlimited(params)?,
            player: judge(params)?,
            finisher: settings::player(params, "finisher")?,
            shortlist: Shortlist {
                margin: number("margin")?,
                most: number("choices")? as usize,
            },
            playouts: number("playouts")?,
        })
    }

    fn worker(&self, streams: &Streams) -> CloseChoicesWorker<'_> {
        CloseChoicesWorker {
            task: self,
            deals: streams.key("deal"),
            game: streams.key(&CardPlayer::ByMacros(self.player.clone()).purpose()),
            choice: streams.key("choice"),
            finish: streams.key("finish"),
            memory: PlayerMemory::default(),
        }
    }
}

/// A player by macro moves that judges all of its choices on the same worlds.
fn judge(params: &Params) -> Result<HiddenPlayer, ParamError> {
    let name = params.text("player")?;
    match settings::player(params, "player")? {
        CardPlayer::ByMacros(player) if player.worlds().is_some() => Ok(player),
        _ => Err(ParamError::new(
            "player",
            format!("`{name}` does not judge macro moves on worlds of its own"),
            "give a player such as `macros(hindsight(100))`".to_owned(),
        )),
    }
}

impl Task for CloseChoicesTask {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        Box::new(self.worker(streams))
    }

    fn rules(&self) -> String {
        self.rules.in_words()
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let mut worker = self.worker(streams);
        let table = worker.table(draw);
        let close = worker.hold(draw);
        let board = Frame::text("the deal", draw::board(&table, Sight::Player))
            .with_svg(draw::svg(&table, None));
        Ok(Replay {
            instance: worker.deal(draw).to_string(),
            frames: vec![board],
            outcome: format!(
                "at one of {} the player hardly tells {} apart; the best of them wins {} to {} ‰ more of {} than \
                 its own",
                counted(close.decisions, "decision"),
                counted(close.wins.len() as u64, "choice"),
                close.least_gain(),
                close.most_gain(),
                counted(close.games.iter().sum(), "game"),
            ),
        })
    }
}

struct CloseChoicesWorker<'task> {
    task: &'task CloseChoicesTask,
    deals: StreamKey,
    game: StreamKey,
    choice: StreamKey,
    finish: StreamKey,
    memory: PlayerMemory,
}

impl CloseChoicesWorker<'_> {
    fn deal(&self, draw: Draw) -> Deal {
        Deal::draw(DeckShape::FULL, &mut self.deals.stream(draw.index))
    }

    fn table(&self, draw: Draw) -> CardTable {
        CardTable::new(&self.deal(draw), self.task.rules)
    }

    fn hold(&mut self, draw: Draw) -> CloseChoices {
        let round = Round::new(self.table(draw));
        let contest = CloseComparison {
            player: &self.task.player,
            shortlist: self.task.shortlist,
            playouts: self.task.playouts,
            finisher: &self.task.finisher,
        };
        let draws = GameDraws {
            game: (&self.game, draw.index),
            finish: &self.finish,
        };
        let mut stream = self.choice.stream(draw.index);
        contest.hold(round, &mut self.memory, draws, &mut stream)
    }
}

impl Worker for CloseChoicesWorker<'_> {
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        let close = self.hold(draw);
        let decisions = close.decisions as i64;
        let (least, most) = (close.least_gain(), close.most_gain());
        row.push(Value::Exact(least));
        row.push(Value::Exact(most));
        row.push(Value::Exact(decisions * least));
        row.push(Value::Exact(decisions * most));
        row.push(Value::Exact(decisions));
        row.push(Value::Exact(close.wins.len() as i64));
        Ok(())
    }
}
