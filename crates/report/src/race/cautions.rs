//! Reasons to trust the findings of a race less.

use base::{count, counted};
use lab::job::GO_ON;
use lab::run::Ended;
use lab::tables::SpeedRow;
use stats::speed::{Cost, TimePair, median};
use stats::{ClaimVerdict, Level};

use super::RaceResults;
use super::numbers::times_text;

/// The pairs that are told apart by the wall, at most.
const MOST_TOLD: usize = 3;

/// The factor by which the ratio on the wall differs from that of processor times where it is told.
const APART: f64 = 1.25;

impl RaceResults {
    /// Sentences on the pairs whose ratio on the wall is another, beyond what noise explains, the farthest first.
    fn waiting(&self, is_about: impl Fn(&SpeedRow) -> bool) -> Vec<String> {
        let medians = self.speed.medians();
        let level = self.experiment.level.shared_by(medians.len());
        let told = medians.into_iter().filter(|row| is_about(row));
        let told = told.filter_map(|row| self.told_apart(row, level));
        let mut told: Vec<(f64, String)> = told.collect();
        told.sort_by(|one, other| other.0.total_cmp(&one.0));
        let more = told.len().saturating_sub(MOST_TOLD) as u64;
        let told = told.into_iter().take(MOST_TOLD).map(|(_, text)| text);
        let others = (more > 0).then(|| {
            let more = counted(more, "other pair");
            format!("the ratio on the wall is another for {more}, too")
        });
        told.chain(others).collect()
    }

    /// The logarithm of how far the ratio on the wall is from that of a row, and a sentence; `None` where it is near,
    /// or may be at this level.
    fn told_apart(&self, row: &SpeedRow, level: Level) -> Option<(f64, String)> {
        let side = |name: &str| self.experiment.find_contender(name).ok();
        let starts = self.costs.pairs(side(&row.first).zip(side(&row.second))?);
        let ratio = |time: fn(Cost) -> Cost| {
            let of_start =
                |pairs: &Vec<TimePair>| pairs.iter().map(|pair| pair.map(time)).collect();
            median(
                &starts.iter().map(of_start).collect::<Vec<_>>(),
                level.into(),
            )
        };
        let apart = ratio(Cost::wall_share);
        let is_apart = apart.within(APART - 1.0) == ClaimVerdict::Refuted;
        let wall = times_text(&ratio(Cost::on_the_wall));
        let [faster, slower] = [&row.second, &row.first].map(|name| self.speed.name(name));
        let told = format!(
            "by the clock on the wall {faster} is {wall} as fast as {slower}, which its processor time is not: either \
             may wait or use several processors, or other programs on the machine held it up"
        );
        Some((libm::log(apart.value?).abs(), told)).filter(|_| is_apart)
    }

    /// Sentences on the contenders that something happened to, with the number of instances for each.
    fn on_instances(&self, happened: impl Fn(usize) -> usize, what: &str) -> Vec<String> {
        let names = self.experiment.cell_names().enumerate();
        let told = |(at, name)| {
            let some = happened(at);
            (some > 0).then(|| {
                format!(
                    "on {} of {} {} {what}",
                    count(some as u64),
                    counted(self.costs.instances(), "instance"),
                    self.speed.name(name)
                )
            })
        };
        names.filter_map(told).collect()
    }

    /// Sentences on the contenders whose times are known in steps.
    fn in_steps(&self) -> Vec<String> {
        let names = self.experiment.cell_names().enumerate();
        let told = |(at, name)| {
            let name = self.speed.name(name);
            let share = 100.0 * self.costs.off(at)?;
            let share = if share < 100.0 {
                format!("{share:.1} % of a typical time")
            } else {
                "all of a typical time".to_owned()
            };
            Some(format!(
                "the time of the children of {name} is counted in steps of 10 ms, here {share}: intervals \
                 allow for a step either way"
            ))
        };
        names.filter_map(told).collect()
    }

    /// Reasons to trust the sentences less.
    pub(crate) fn cautions(&self) -> Vec<String> {
        self.cautions_on(&|_| true)
    }

    /// Reasons to trust what is told of these rows less.
    pub(super) fn cautions_on(&self, is_about: &dyn Fn(&SpeedRow) -> bool) -> Vec<String> {
        let mut cautions: Vec<String> = self.cut_short.iter().cloned().collect();
        cautions.extend(self.speed.cautions(is_about));
        cautions.extend(self.waiting(is_about));
        cautions.extend(self.on_instances(
            |at| self.costs.below_baseline(at),
            "took no longer than its baseline: what is left counts as unknown there",
        ));
        cautions.extend(self.in_steps());
        cautions.extend(self.on_instances(
            |at| self.costs.failed(at),
            "broke down or gave no answer, which counts as unsolved",
        ));
        cautions.extend(self.on_instances(
            |at| self.costs.out_of_memory(at),
            "ran out of memory, which counts as unsolved",
        ));
        let sessions = self.machine.sessions.iter();
        let threads = sessions.map(|session| session.threads).max().unwrap_or(1);
        if threads > 1 {
            cautions.push(format!(
                "{threads} threads measured side by side, and may have hindered each other"
            ));
        }
        let parts = self.machine.parts(self.costs.instances()).into_iter();
        let parts = parts.filter(|part| !part.is_empty());
        let parts = parts.map(|part| format!("{} to {}", part.start, part.end - 1));
        let parts: Vec<String> = parts.collect();
        if parts.len() > 1 {
            cautions.push(format!(
                "it was interrupted: instances {} were measured apart",
                parts.join(", ")
            ));
        }
        cautions
    }
}

/// A sentence on a race that stopped before its end, and how to go on.
pub(super) fn cut_short(exit: &Ended, done: u64, planned: u64) -> Option<String> {
    let (done, planned) = (count(done), count(planned));
    let so_far = format!("{done} of {planned} instances are measured");
    match exit {
        Ended::Complete(_) => None,
        Ended::Running => Some(format!(
            "it has not ended, or was killed: {so_far}; if it is not running any more, {GO_ON}"
        )),
        Ended::Failed(fault) | Ended::Unstored(fault) => {
            Some(format!("it was stopped, as {fault}"))
        }
        Ended::Fault(fault) => Some(format!("it was stopped, as {fault}")),
        Ended::Interrupted | Ended::Waiting | Ended::Aborted(_) => {
            Some(format!("it was stopped early: {so_far}; {GO_ON}"))
        }
    }
}
