//! The courses of a sample's matches, step by step, and the player that does not repeat its own.

use super::table::Opponents;
use foxes::position::Side;
use kit::rng::Streams;
use kit::search::Budget;
use std::fmt::{self, Display};
use std::sync::Arc;
use task::outside::{OutsidePlayer, WorkerError};
use task::{Draw, Row, SampleError, Task, Workspace};
/// The last step of a match that a side lost by a fault.
pub(super) const FORFEIT: &str = "a forfeit";

/// A step of a match, which a side answers for.
pub(super) struct MatchStep(pub(super) usize, pub(super) Side, pub(super) String);

impl Display for MatchStep {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MatchStep(number, side, what) = self;
        write!(out, "{number} {} {what}", side.name())
    }
}

/// The first step that is not the same in two courses of a sample.
pub(super) struct Deviation {
    /// The number of the match.
    pub(super) number: usize,
    /// The side that answers for the step.
    pub(super) side: Side,
    courses: [String; 2],
    steps: [String; 2],
}

impl Deviation {
    /// The first step that differs between two rows of a sample.
    pub(super) fn between(rows: [&Row; 2]) -> Option<Self> {
        let [mut first, mut second] = rows.map(|row| row.course.lines());
        let differing = std::iter::repeat_with(|| [first.next(), second.next()]);
        let mut differing = differing.take_while(|steps| *steps != [None; 2]);
        let steps = differing.find(|[first, second]| first != second)?;
        // Where one course has ended, its last step before was the same.
        let there = || steps.into_iter().flatten();
        let broken = there().find(|step| step.ends_with(FORFEIT));
        let (number, rest) = broken.or(there().next())?.split_once(' ')?;
        let (side, _) = rest.split_once(' ')?;
        let step = |step: Option<&str>| {
            step.and_then(|step| step.splitn(3, ' ').nth(2))
                .map(str::to_owned)
        };
        Some(Self {
            number: number.parse().ok()?,
            side: [Side::Foxes, Side::Hens]
                .into_iter()
                .find(|known| known.name() == side)?,
            courses: rows.map(|row| row.course.clone()),
            steps: steps.map(|one| step(one).unwrap_or_default()),
        })
    }

    pub(super) fn fault(&self, player: &OutsidePlayer, index: u64) -> WorkerError {
        let (title, [once, again]) = (player.declaration().program.title(), &self.steps);
        WorkerError::fault(format!(
            "{title} does not repeat its play: {once}, then {again} in sample {index}; a match must \
             follow from its position, its rules and the option Seed alone; usual causes are a seed of \
             its own, the clock, and state kept after uginewgame"
        ))
    }

    pub(super) fn transcript(&self, fault: &WorkerError) -> String {
        let [once, again] = &self.courses;
        format!("{fault}\n\n# played once\n{once}\n# played again\n{again}")
    }
}

/// Samples that are played twice where another program plays.
const REHEARSED: u64 = 2;

/// Plays the first samples of a task with external players twice. A player that is always silent or
/// does not repeat its play is out, or ends the run; what was said in matches that differed is kept as
/// after a fault.
///
/// # Errors
/// If a player fails, or differs.
pub(super) fn check_repeatable(
    task: &dyn Task,
    pairings: &[&Opponents],
    streams: &Streams,
    budget: Budget,
) -> Result<(), SampleError> {
    let players: Vec<_> = pairings
        .iter()
        .flat_map(|pairing| pairing.programs())
        .collect();
    if players.is_empty() || pairings.iter().any(|pairing| pairing.is_unplayed()) {
        return Ok(());
    }
    let rows = play_twice(task, &players, streams, budget);
    let deviation = rows.map(|rows| {
        let mut samples = (0..).zip(&rows);
        samples.find_map(|(index, [first, second])| {
            let timed_out = first.timed_out || second.timed_out;
            let deviation = Deviation::between([first, second]).filter(|_| !timed_out)?;
            Some((index, deviation))
        })
    });
    let differed = matches!(deviation, Ok(Some(_)));
    players.iter().for_each(|player| player.end_check(differed));
    if let Some((index, deviation)) = deviation? {
        let pairing = pairings.get(deviation.number).unwrap_or(&pairings[0]);
        pairing.exclude(&deviation, index)?;
    }
    if !pairings.iter().any(|pairing| pairing.is_unplayed()) {
        pairings.iter().for_each(|pairing| pairing.note_checked());
    }
    Ok(())
}

/// The first samples by two workers, the second in reverse; each starts engines of its own.
fn play_twice(
    task: &dyn Task,
    players: &[&Arc<OutsidePlayer>],
    streams: &Streams,
    budget: Budget,
) -> Result<Vec<[Row; 2]>, SampleError> {
    let mut spaces = [Workspace::new(), Workspace::new()];
    let mut workers = (spaces.each_mut()).map(|space| task.worker(streams, space));
    let mut rows = vec![[Row::new(), Row::new()]; REHEARSED as usize];
    let forwards = (0..REHEARSED).map(|index| (0, index));
    let backwards = (0..REHEARSED).rev().map(|index| (1, index));
    for (time, index) in forwards.chain(backwards) {
        if time == 1 {
            players.iter().for_each(|player| player.exclude_silent());
        }
        for player in players {
            let word = ["first", "second"][time];
            player.keep_matches(format!("sample {index}, played for the {word} time"));
        }
        let row = &mut rows[index as usize][time];
        workers[time].sample(Draw { index, budget }, row)?;
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A course of steps that sides answer for.
    fn course(steps: &[(Side, &str)]) -> Row {
        let mut row = Row::new();
        for &(side, what) in steps {
            row.push_step(MatchStep(0, side, what.to_owned()));
        }
        row
    }

    /// Where one of two courses was broken off, the other goes on with moves and counts of an innocent player.
    #[test]
    fn whoever_breaks_a_match_off_is_the_one_that_differs() {
        let (hens, foxes) = (Side::Hens, Side::Foxes);
        let whole = [(hens, "b2-b3"), (foxes, "d7-d6"), (hens, "b3-b4")];
        let counts = [(hens, "3 nodes"), (foxes, "5 nodes")];
        let all = course(&[&whole[..], &counts].concat());
        for played in 0..=whole.len() {
            let broken = course(&[&whole[..played], &[(foxes, FORFEIT)], &counts].concat());
            for rows in [[&all, &broken], [&broken, &all]] {
                let deviation = Deviation::between(rows).unwrap();
                assert_eq!(deviation.side, foxes, "after {played} moves");
                assert!(deviation.steps.contains(&FORFEIT.to_owned()));
            }
        }
        let other = course(&[(hens, "b2-b3"), (foxes, "d7-c6")]);
        assert_eq!(Deviation::between([&all, &other]).unwrap().side, foxes);
        assert!(Deviation::between([&all, &all]).is_none());
    }
}
