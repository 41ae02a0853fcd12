//! `foxes/match`: a fox against hens. `foxes/round-robin`: the same, meant for sweeping both.

use super::super::matches::FinishedMatch;
use super::encounter::{Encounter, EncounterTask, Measuring, Sitting};
use super::table::half_points;
use super::{EATEN, SCORE, params};
use foxes::position::Side;
use foxes::rules::Ending;
use std::borrow::Cow::Borrowed;
use task::{
    Build, Contest, Draw, Metric, ParamError, ParamSpec, Params, Row, SampleError, Task, TaskSpec,
    Value,
};

pub(super) const MATCH: TaskSpec = TaskSpec {
    name: Borrowed("foxes/match"),
    summary: Borrowed("a fox player against a hens' player, from the start or a random opening"),
    sample: Borrowed("one match"),
    noun: Borrowed("match"),
    is_random: true,
    params: Borrowed(&MATCH_PARAMS),
    metrics: Borrowed(&METRICS),
    contest: Some(CONTEST),
    build: Build::By(build),
};

pub(super) const ROUND_ROBIN: TaskSpec = TaskSpec {
    name: Borrowed("foxes/round-robin"),
    summary: Borrowed("every fox player against every hens' player: sweep `fox` and `hens`"),
    sample: Borrowed("one match from a random opening"),
    noun: Borrowed("match"),
    is_random: true,
    params: Borrowed(&ROUND_ROBIN_PARAMS),
    metrics: Borrowed(&METRICS),
    contest: Some(CONTEST),
    build: Build::By(build),
};

const CONTEST: Contest = Contest {
    first: "fox",
    second: "hens",
    win: "foxes-win",
    draw: "unfinished",
};

const MATCH_PARAMS: [ParamSpec; 10] = params("cross", 0);

/// The parameters of a match, with eight plies of random play before it by default.
const ROUND_ROBIN_PARAMS: [ParamSpec; 10] = params("cross", 8);

const METRICS: [Metric; 17] = [
    Metric::flag("foxes-win", "The foxes win."),
    Metric::flag("hens-win", "The hens win."),
    Metric::flag("unfinished", "The match is a draw."),
    Metric::flag("square", "The hens win by filling the square."),
    Metric::flag("block", "The hens win because the foxes cannot move."),
    Metric::flag("eaten-enough", "The foxes win by eating hens."),
    Metric::flag(
        "stuck",
        "The hens run out of moves, whichever side the rules give the match to.",
    ),
    Metric::flag("repeated", "Draw by repetition."),
    Metric::flag("quiet-draw", "Draw by the limit on quiet play."),
    SCORE,
    Metric::total(
        "plies",
        "plies",
        "Plies played by both sides after the opening.",
    ),
    EATEN,
    Metric::integer(
        "longest-chain",
        "hens",
        (0, 20),
        "Most hens eaten in one move.",
    ),
    Metric::share(
        "fox-ties",
        "Share of the foxes' moves chosen at random among equally good ones.",
    ),
    Metric::share(
        "hens-ties",
        "Share of the hens' moves chosen at random among equally good ones.",
    ),
    Metric::rate(
        "fox-nodes",
        "nodes",
        "Positions that the foxes examined per move.",
    )
    .as_work(),
    Metric::rate(
        "hens-nodes",
        "nodes",
        "Positions that the hens examined per move.",
    )
    .as_work(),
];

fn build(params: &Params) -> Result<Box<dyn Task>, ParamError> {
    Ok(Box::new(EncounterTask(Encounter::read(params)?, Matches)))
}

/// Measures how a match ended, and how it was played.
struct Matches;

impl Measuring for Matches {
    const TELLS_START: bool = true;
    const IS_CONTEST: bool = true;

    fn sample(
        &self,
        sitting: &mut Sitting<'_>,
        draw: Draw,
        row: &mut Row,
    ) -> Result<FinishedMatch, SampleError> {
        let (_, report) = sitting.play(draw, |_, _| {})?;
        push_report(&report, row);
        Ok(report)
    }
}

fn push_report(report: &FinishedMatch, row: &mut Row) {
    let winner = report.ending.winner();
    row.push(Value::flag(winner == Some(Side::Foxes)));
    row.push(Value::flag(winner == Some(Side::Hens)));
    row.push(Value::flag(winner.is_none()));
    for ending in [Ending::Square, Ending::Block, Ending::Eaten] {
        row.push(Value::flag(report.ending == ending));
    }
    row.push(Value::flag(report.stuck));
    for ending in [Ending::Repetition, Ending::Quiet] {
        row.push(Value::flag(report.ending == ending));
    }
    row.push(Value::Exact(half_points(Side::Foxes, winner)));
    row.push(Value::Exact(report.plies as i64));
    row.push(Value::Exact(i64::from(report.eaten)));
    row.push(Value::Exact(i64::from(report.longest_chain)));
    let (foxes, hens) = (&report.foxes, &report.hens);
    for (side, amount) in [
        (foxes, foxes.ties),
        (hens, hens.ties),
        (foxes, foxes.nodes),
        (hens, hens.nodes),
    ] {
        row.push(Value::ratio(amount, side.moves));
    }
}
