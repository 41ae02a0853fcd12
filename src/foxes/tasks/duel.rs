//! `foxes/duel`: two engines play both sides from the same random opening; the pair is the sample.

use super::super::matches::FinishedMatch;
use super::repeats::{Deviation, check_repeatable};
use super::table::{
    FORFEITS, MatchTable, Openings, Opponents, Purposes, STRENGTH, forfeits, half_points,
    leave_out, may_forfeit, player, tell_courses,
};
use super::{CAPTURE, MISSING, MatchSetting, POSITION, QUIET, REPETITION, STUCK, board, opening};
use foxes::notation::write_position;
use foxes::position::Side;
use foxes::rules::{Ending, Rules};
use kit::rng::Streams;
use kit::search::Budget;
use std::borrow::Cow::Borrowed;
use task::{
    Build, Draw, Metric, ParamError, ParamSpec, Params, Replay, Row, SampleError, Task, TaskSpec,
    Value, Worker, Workspace, worker_of,
};

pub(super) const DUEL: TaskSpec = TaskSpec {
    name: Borrowed("foxes/duel"),
    summary: Borrowed("two engines, each plays both sides from the same random opening"),
    sample: Borrowed("a pair of matches"),
    noun: Borrowed("pair"),
    is_random: true,
    params: Borrowed(&PARAMS),
    metrics: Borrowed(&METRICS),
    contest: None,
    build: Build::By(build),
};

const PARAMS: [ParamSpec; 10] = [
    ParamSpec::text(
        "first",
        "the first engine: a player of both sides, or FOX/HENS",
    ),
    ParamSpec::text("second", "the second engine, in the same form"),
    board("cross"),
    CAPTURE,
    STUCK,
    QUIET,
    REPETITION,
    POSITION,
    MISSING,
    opening(8),
];

const METRICS: [Metric; 8] = [
    Metric::pair(
        "pair",
        "The first engine's share of the points in both matches.",
    ),
    Metric::flag(
        "first-wins-as-foxes",
        "The first engine wins with the foxes.",
    ),
    Metric::flag("first-wins-as-hens", "The first engine wins with the hens."),
    Metric::flag(
        "second-wins-as-foxes",
        "The second engine wins with the foxes.",
    ),
    Metric::flag(
        "second-wins-as-hens",
        "The second engine wins with the hens.",
    ),
    Metric::total("plies", "plies", "Plies of both matches."),
    Metric::rate(
        "first-nodes",
        "nodes",
        "Positions that the first engine examined per move.",
    )
    .as_work(),
    Metric::rate(
        "second-nodes",
        "nodes",
        "Positions that the second engine examined per move.",
    )
    .as_work(),
];

struct DuelTask {
    setting: MatchSetting,
    /// The engines by name.
    names: [String; 2],
    /// The first engine has the foxes.
    home: Opponents,
    /// The second engine has the foxes.
    away: Opponents,
    /// True if rows end with the forfeits.
    forfeits: bool,
}

fn build(params: &Params) -> Result<Box<dyn Task>, ParamError> {
    let setting = MatchSetting::read(params)?;
    let forfeits = may_forfeit(params);
    let first = read_engine(params, "first", &setting.rules)?;
    let second = read_engine(params, "second", &setting.rules)?;
    let name = |param| params.text(param).map(str::to_owned);
    Ok(Box::new(DuelTask {
        setting,
        names: [name("first")?, name("second")?],
        home: Opponents {
            foxes: first.foxes.clone(),
            hens: second.hens.clone(),
        },
        away: Opponents {
            foxes: second.foxes,
            hens: first.hens,
        },
        forfeits,
    }))
}

fn read_engine(params: &Params, param: &str, rules: &Rules) -> Result<Opponents, ParamError> {
    let text = params.text(param)?;
    // A path is not two players; whoever reads it as one player says what to write instead.
    let is_path = text.starts_with(['.', '/']);
    let both = text.split_once('/').filter(|_| !is_path);
    let (foxes, hens) = both.unwrap_or((text, text));
    Ok(Opponents {
        foxes: player(params, foxes, (param, Side::Foxes), rules)?,
        hens: player(params, hens, (param, Side::Hens), rules)?,
    })
}

impl DuelTask {
    fn tables(&self, streams: &Streams) -> [MatchTable; 2] {
        let home = Purposes {
            foxes: "first as foxes",
            hens: "second as hens",
        };
        let away = Purposes {
            foxes: "second as foxes",
            hens: "first as hens",
        };
        [
            MatchTable::new(&self.setting, &self.home, streams, home),
            MatchTable::new(&self.setting, &self.away, streams, away),
        ]
    }

    /// Plays both matches of sample `draw` and fills its row.
    ///
    /// # Errors
    /// If a player fails.
    fn fill(
        &self,
        [home, away]: [&mut MatchTable; 2],
        openings: &Openings<'_>,
        draw: Draw,
        row: &mut Row,
    ) -> Result<(), SampleError> {
        let start = openings.position(draw.index);
        let first = home.play(start, draw, |_, _| {})?;
        let second = away.play(start, draw, |_, _| {})?;
        push_pair(&first, &second, row);
        if self.forfeits {
            row.push(forfeits(&[&first, &second], &FORFEITS));
        }
        if [first.ending, second.ending].contains(&Ending::Unplayed) {
            leave_out(row);
            return Ok(());
        }
        tell_courses(&[(home, &first), (away, &second)], openings, row);
        Ok(())
    }
}

impl Task for DuelTask {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        let openings = Openings::new(&self.setting, streams);
        let [mut home, mut away] = self.tables(streams);
        worker_of(move |draw, row| self.fill([&mut home, &mut away], &openings, draw, row))
    }

    fn rules(&self) -> String {
        self.setting.rules.in_words()
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let start = Openings::new(&self.setting, streams).position(draw.index);
        let [mut home, mut away] = self.tables(streams);
        let [one, other] = &self.names;
        let title = |name| format!("{name} has the foxes");
        let (mut frames, first) = home.story(start, draw, &title(one))?;
        let (return_match, second) = away.story(start, draw, &title(other))?;
        frames.extend(return_match);
        Ok(Replay {
            instance: write_position(&start, self.setting.rules.board),
            frames,
            outcome: format!(
                "first {}; then {}",
                first.ending.sentence(),
                second.ending.sentence()
            ),
        })
    }

    fn check_repeatable(&self, streams: &Streams, budget: Budget) -> Result<(), SampleError> {
        check_repeatable(self, &[&self.home, &self.away], streams, budget)
    }

    fn has_unchecked(&self) -> bool {
        self.home.has_unchecked() || self.away.has_unchecked()
    }

    fn judge(
        &self,
        streams: &Streams,
        draw: Draw,
        rows: [&Row; 2],
    ) -> Result<Option<Row>, SampleError> {
        let Some(deviation) = Deviation::between(rows) else {
            return Ok(None);
        };
        let openings = Openings::new(&self.setting, streams);
        let [mut home, mut away] = self.tables(streams);
        let lost = match deviation.number {
            0 => &mut home,
            _ => &mut away,
        };
        lost.convict(&deviation, draw.index)?;
        let mut row = Row::new();
        self.fill([&mut home, &mut away], &openings, draw, &mut row)?;
        Ok(Some(row))
    }

    fn ignores_budget(&self) -> Option<&'static str> {
        Some(STRENGTH)
    }

    fn is_external(&self) -> bool {
        self.home.is_external() || self.away.is_external()
    }
}

fn push_pair(home: &FinishedMatch, away: &FinishedMatch, row: &mut Row) {
    let (first, second) = (home.ending.winner(), away.ending.winner());
    let points = half_points(Side::Foxes, first) + half_points(Side::Hens, second);
    row.push(Value::Exact(points));
    row.push(Value::flag(first == Some(Side::Foxes)));
    row.push(Value::flag(second == Some(Side::Hens)));
    row.push(Value::flag(second == Some(Side::Foxes)));
    row.push(Value::flag(first == Some(Side::Hens)));
    row.push(Value::Exact((home.plies + away.plies) as i64));
    for (one, other) in [(&home.foxes, &away.hens), (&away.foxes, &home.hens)] {
        row.push(Value::ratio(
            one.nodes + other.nodes,
            one.moves + other.moves,
        ));
    }
}
