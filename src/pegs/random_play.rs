//! The experiment of random play: how a game ends when every legal jump is equally likely.
//!
//! A game takes about as long as hashing its stream, so 64 games share a stream and are played one
//! after the other. Eight streams are played side by side, ahead of demand. A sample can still be
//! replayed alone, at the price of those before it in its block.

use std::borrow::Cow::Borrowed;
use std::sync::OnceLock;

use super::story;
use super::tasks::{BOARD, END, PROBLEM, START, problem_of};
use base::counted;
use kit::rng::{Stream, StreamKey, Streams};
use kit::search::Budget;
use pegs::board::{PegBoard, Position};
use pegs::law::Law;
use pegs::play::{LANES, PlayoutEnd, Playouts};
use pegs::solve::{ExactAnswer, PegProblem};
use task::{
    Build, Draw, Metric, ParamError, ParamSpec, Replay, Row, SampleError, Task, TaskSpec, Truth,
    Value, Worker, Workspace,
};

/// Games that share a stream.
const BLOCK: u64 = 64;

/// Games that are played ahead together.
const BATCH: u64 = BLOCK * LANES as u64;

/// Classes of positions that the exact law may hold.
const LAW: Budget = Budget::nodes(40_000_000);

/// Pegs at the start from which the exact law may take seconds.
const MANY: u32 = 24;

/// Positions that may be held to find out whether a game can still be solved.
const REST: Budget = Budget::nodes(2_000_000);

/// Random play from a start to the end.
pub const RANDOM_PLAY: TaskSpec = TaskSpec {
    name: Borrowed("pegs/random-play"),
    summary: Borrowed("How random games of peg solitaire end, against the exact law"),
    sample: Borrowed("one game, every legal jump equally likely"),
    noun: Borrowed("game"),
    is_random: true,
    params: Borrowed(&[
        PROBLEM,
        BOARD,
        START,
        END,
        ParamSpec::flag("diagonal", "Whether pegs also jump along diagonals").or_flag(false),
    ]),
    metrics: Borrowed(&[
        Metric::integer(
            "pegs-left",
            "pegs",
            (0, 64),
            "Pegs left when no peg can jump.",
        ),
        Metric::flag("one-peg", "The game ended with a single peg."),
        Metric::flag("solved", "The game ended in the problem's target position."),
        Metric::integer("jumps", "jumps", (0, 64), "Jumps made."),
        Metric::integer(
            "moves",
            "moves",
            (0, 64),
            "Moves made; consecutive jumps of one peg count as one move.",
        ),
    ]),
    contest: None,
    build: Build::By(|params| {
        let problem = problem_of(params, params.flag("diagonal")?)?;
        let no_jumps = || ParamError::new("board", "the board has no jumps", "give another board");
        let player = Playouts::new(&problem.board).ok_or_else(no_jumps)?;
        Ok(Box::new(RandomPlay {
            problem,
            player,
            law: OnceLock::new(),
        }))
    }),
};

struct RandomPlay {
    problem: PegProblem,
    player: Playouts,
    law: OnceLock<Option<Law>>,
}

impl RandomPlay {
    fn law(&self) -> Option<&Law> {
        let PegProblem {
            board, start, end, ..
        } = &self.problem;
        let law = || Law::of(board, *start, *end, LAW);
        self.law.get_or_init(law).as_ref()
    }

    /// The first of the positions of a game from which the problem cannot be solved, where it could from the one
    /// before; `None` too where it takes too long to find out.
    fn first_lost(&self, passed: &[Position], budget: Budget) -> Option<usize> {
        let (mut rest, mut lost) = (self.problem.clone(), None);
        for (at, &pegs) in passed.iter().enumerate().rev() {
            rest.start = pegs;
            match rest.solve(&mut budget.meter()) {
                ExactAnswer::Solved(_) => return lost,
                ExactAnswer::Unreachable(_) => lost = Some(at),
                ExactAnswer::Unresolved => return None,
            }
        }
        None
    }

    /// The stream of a game, those before it in its block being played.
    fn stream(&self, key: &StreamKey, index: u64) -> Stream {
        let mut stream = [key.stream(index / BLOCK)];
        let before = (index % BLOCK) as usize;
        self.player
            .play(self.problem.start, before, &mut stream, &mut |_, _| {});
        let [stream] = stream;
        stream
    }
}

impl Task for RandomPlay {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        Box::new(PlayWorker {
            task: self,
            key: streams.key("play"),
            batch: None,
            endings: [[UNPLAYED; BLOCK as usize]; LANES],
        })
    }

    fn rules(&self) -> String {
        self.problem.board.rules()
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let mut stream = self.stream(&streams.key("play"), draw.index);
        let mut pegs = self.problem.start;
        let board = &self.problem.board;
        let mut frames = vec![story::frame(board, pegs, None)];
        let mut passed = vec![pegs];
        while let Some(jump) = self.player.draw(pegs, &mut stream) {
            pegs ^= jump.mask();
            frames.push(story::frame(board, pegs, Some(jump)));
            passed.push(pegs);
        }
        if let Some(at) = self.first_lost(&passed, draw.budget.min(REST)) {
            frames[at].caption += ": from here on it cannot be solved";
        }
        Ok(Replay {
            instance: self.problem.name.clone(),
            outcome: outcome(board, pegs, frames.len() - 1),
            frames,
        })
    }

    fn truth(&self, metric: &str) -> Option<Truth> {
        let start = f64::from(self.problem.start.count_ones());
        let value = match metric {
            "pegs-left" => self.law()?.mean_pegs_left(),
            "jumps" => start - self.law()?.mean_pegs_left(),
            "one-peg" => *self.law()?.pegs_left.get(1)?,
            "solved" => self.law()?.solved,
            _ => return None,
        };
        Some(Truth {
            value,
            source: "the exact law, over all reachable positions".to_owned(),
        })
    }

    fn awaited_truth(&self) -> Option<&'static str> {
        let has_many = self.problem.start.count_ones() >= MANY;
        (has_many && self.law.get().is_none()).then_some("the exact law of random play")
    }
}

fn outcome(board: &PegBoard, pegs: Position, jumps: usize) -> String {
    let dead = if board.is_dead(pegs) {
        "no peg can jump"
    } else {
        "stopped"
    };
    let left = counted(pegs.count_ones().into(), "peg");
    format!("{dead} after {jumps} jumps, with {left} left")
}

struct PlayWorker<'task> {
    task: &'task RandomPlay,
    key: StreamKey,
    /// The batch that was played last, and how its games ended.
    batch: Option<u64>,
    endings: [[PlayoutEnd; BLOCK as usize]; LANES],
}

const UNPLAYED: PlayoutEnd = PlayoutEnd {
    pegs: 0,
    jumps: 0,
    moves: 0,
};

impl PlayWorker<'_> {
    fn ending(&mut self, index: u64) -> PlayoutEnd {
        let batch = index / BATCH;
        if self.batch != Some(batch) {
            self.play(batch);
        }
        let index = (index % BATCH) as usize;
        self.endings.as_flattened()[index]
    }

    /// Plays all games of a batch.
    fn play(&mut self, batch: u64) {
        let stream = |lane| self.key.stream(batch * LANES as u64 + lane as u64);
        let mut streams: [Stream; LANES] = std::array::from_fn(stream);
        let mut endings = self.endings.each_mut().map(|endings| endings.iter_mut());
        let RandomPlay {
            player, problem, ..
        } = self.task;
        player.play(
            problem.start,
            BLOCK as usize,
            &mut streams,
            &mut |lane, ending| {
                if let Some(slot) = endings[lane].next() {
                    *slot = ending;
                }
            },
        );
        self.batch = Some(batch);
    }
}

impl Worker for PlayWorker<'_> {
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        let ending = self.ending(draw.index);
        let left = ending.pegs.count_ones();
        row.extend(&[
            Value::Exact(i64::from(left)),
            Value::flag(left == 1),
            Value::flag(ending.pegs == self.task.problem.end),
            Value::Exact(i64::from(ending.jumps)),
            Value::Exact(i64::from(ending.moves)),
        ]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use task::{Frame, Params};

    fn build(problem: &str) -> Box<dyn Task> {
        let params = Params::defaults(&RANDOM_PLAY.params).with_text("problem", problem);
        RANDOM_PLAY.build(&params).unwrap()
    }

    fn sample(worker: &mut dyn Worker, index: u64) -> Row {
        let mut row = Row::new();
        let budget = Budget::UNLIMITED;
        worker.sample(Draw { index, budget }, &mut row).unwrap();
        row
    }

    /// Seed 3: samples in any order, each drawn by a fresh worker too.
    #[test]
    fn a_game_does_not_depend_on_the_games_before_it() {
        let task = build("pyramid");
        let streams = Streams::new(3);
        let mut workspace = Workspace::new();
        let mut ordered = task.worker(&streams, &mut workspace);
        let rows: Vec<Row> = (0..1_200)
            .map(|index| sample(&mut *ordered, index))
            .collect();
        let mut workspace = Workspace::new();
        let mut scattered = task.worker(&streams, &mut workspace);
        for index in (0..1_200).rev().step_by(97).chain([63, 64, 511, 512, 0]) {
            let row = sample(&mut *scattered, index);
            assert_eq!(row, rows[index as usize], "{index}");
            assert_eq!(
                sample(&mut *task.worker(&streams, &mut Workspace::new()), index),
                row
            );
            let replay = task.replay(
                &streams,
                Draw {
                    index,
                    budget: Budget::UNLIMITED,
                },
            );
            assert_eq!(
                Value::Exact(replay.unwrap().frames.len() as i64 - 1),
                row.values()[3]
            );
        }
    }

    /// Tries every jump; `dead` are positions of no use.
    fn can_be_solved(problem: &PegProblem, pegs: Position, dead: &mut HashSet<Position>) -> bool {
        if pegs == problem.end || dead.contains(&pegs) {
            return pegs == problem.end;
        }
        let mut jumps = problem.board.jumps(pegs);
        let is_solved = jumps.any(|jump| can_be_solved(problem, pegs ^ jump.mask(), dead));
        if !is_solved {
            dead.insert(pegs);
        }
        is_solved
    }

    /// Seed 5: the pyramid, whose games are searched jump by jump from every position.
    #[test]
    fn a_replay_says_from_where_on_the_problem_cannot_be_solved() {
        let params = Params::defaults(&RANDOM_PLAY.params).with_text("problem", "pyramid");
        let problem = problem_of(&params, false).unwrap();
        let task = RandomPlay {
            player: Playouts::new(&problem.board).unwrap(),
            problem: problem.clone(),
            law: OnceLock::new(),
        };
        let (streams, budget) = (Streams::new(5), Budget::UNLIMITED);
        let mut dead = HashSet::new();
        let mut marked = 0;
        for index in 0..30 {
            let replay = task.replay(&streams, Draw { index, budget }).unwrap();
            let told = |frame: &Frame| frame.caption.ends_with("it cannot be solved");
            let found = replay.frames.iter().position(told);
            let mut stream = task.stream(&streams.key("play"), index);
            let next = |&pegs: &Position| {
                let jump = task.player.draw(pegs, &mut stream)?;
                Some(pegs ^ jump.mask())
            };
            let mut passed = std::iter::successors(Some(problem.start), next);
            let lost = passed.position(|pegs| !can_be_solved(&problem, pegs, &mut dead));
            assert_eq!(found, lost, "{index}");
            marked += usize::from(found.is_some());
        }
        assert!(marked > 20, "{marked}");
    }

    #[test]
    fn the_law_of_a_large_problem_is_awaited_until_it_is_known() {
        assert_eq!(build("pyramid").awaited_truth(), None);
        let params = Params::defaults(&RANDOM_PLAY.params);
        let problem = problem_of(&params, false).unwrap();
        let task = RandomPlay {
            player: Playouts::new(&problem.board).unwrap(),
            problem,
            law: OnceLock::new(),
        };
        assert_eq!(task.awaited_truth(), Some("the exact law of random play"));
        task.law.get_or_init(|| None);
        assert_eq!(task.awaited_truth(), None);
    }

    /// Seed 4: 200,000 games of the pyramid; means and solved share within 5 standard errors.
    #[test]
    fn random_games_follow_the_exact_law() {
        let task = build("pyramid");
        let mut workspace = Workspace::new();
        let mut worker = task.worker(&Streams::new(4), &mut workspace);
        let games = 200_000;
        let mut sums = [0.0; 4];
        let mut squares = [0.0; 4];
        for index in 0..games {
            let row = sample(&mut *worker, index);
            for (metric, value) in row.values().iter().take(4).enumerate() {
                let Value::Exact(value) = *value else {
                    panic!("games are exact")
                };
                sums[metric] += value as f64;
                squares[metric] += (value * value) as f64;
            }
        }
        for (metric, spec) in RANDOM_PLAY.metrics.iter().enumerate().take(4) {
            let mean = sums[metric] / games as f64;
            let variance = squares[metric] / games as f64 - mean * mean;
            let truth = task.truth(&spec.name).unwrap().value;
            let error = (mean - truth).abs() / (variance / games as f64).sqrt();
            assert!(error < 5.0, "{}: {mean} for {truth}", spec.name);
        }
    }
}
