//! The estimates that compare contenders, as rows of tables.

use indexmap::IndexMap;

use stats::speed::{Speed, SpeedVerdict, Starts, decided, faster, median, total};
use stats::{ClaimVerdict, Confidence, Level, PairStatistic, decide_jointly};

use super::growth::growth;
use super::{BenchClaimRow, GrowthRow, SpeedRow};
use crate::run::RaceCosts;
use experiment::{Claim, Experiment, RatioRelation, RatioTest};

/// The estimates that compare contenders.
pub struct Comparison<'a> {
    /// The experiment.
    pub(crate) experiment: &'a Experiment,
    /// The times.
    pub(crate) costs: &'a RaceCosts,
    /// The confidence of the intervals.
    pub(crate) confidence: Confidence,
    /// The clock's grain.
    pub(crate) grain: f64,
}

/// The verdict on a relation, with the level and the ratio that it was found by.
pub(crate) type RatioVerdict = (ClaimVerdict, Level, Speed);

impl Comparison<'_> {
    /// A statistic of two contenders. A ratio is computed with the contender that comes first as its
    /// denominator, and turned for the other direction, so that both say the same.
    fn speed(&self, pair: (usize, usize), statistic: PairStatistic, level: Level) -> Speed {
        let confidence = self.confidence.at(level);
        let cap = self.experiment.answer_cap().cpu;
        let ratio = |of: &dyn Fn(&Starts) -> Speed| match pair {
            (first, second) if first < second => of(&self.costs.pairs((second, first))).turned(),
            pair => of(&self.costs.pairs(pair)),
        };
        match statistic {
            PairStatistic::Median => ratio(&|starts| median(starts, confidence)),
            PairStatistic::Total => ratio(&|starts| total(starts, cap, confidence)),
            PairStatistic::Faster => faster(&self.costs.pairs(pair), self.grain, confidence),
            PairStatistic::Decided => decided(&self.costs.whole(pair.0), confidence),
            PairStatistic::Baseline => {
                let times = self.costs.whole(pair.0);
                let censored = times.iter().filter(|cost| cost.censored).count();
                Speed::none(times.len() as u64, censored as u64)
            }
        }
    }

    /// All rows of `clock/speed.csv`: the control, the pairs, and the share that each decides.
    pub(crate) fn rows(&self) -> Vec<SpeedRow> {
        use PairStatistic::{Decided, Faster, Median, Total};
        let level = self.confidence.level;
        let row = |pair, statistic| self.row(pair, statistic, self.speed(pair, statistic, level));
        let control = median(&self.costs.control(), self.confidence);
        let pairs = self.experiment.raced_pairs().into_iter();
        let of_pairs =
            pairs.flat_map(|pair| [Median, Total, Faster].map(|statistic| row(pair, statistic)));
        let shares = (0..self.experiment.cells.len()).map(|at| row((at, at), Decided));
        let control = [self.row((0, 0), Median, control)].into_iter();
        control.chain(of_pairs).chain(shares).collect()
    }

    /// A row of `clock/speed.csv` for each contender whose time is subtracted, which has no ratio.
    pub(crate) fn baselines(&self) -> Vec<SpeedRow> {
        let all = 0..self.experiment.cells.len();
        let baselines = all.filter(|&at| self.experiment.is_baseline(at));
        let none = |at| self.speed((at, at), PairStatistic::Baseline, self.confidence.level);
        let row = |at| self.row((at, at), PairStatistic::Baseline, none(at));
        baselines.map(row).collect()
    }

    fn row(
        &self,
        (first, second): (usize, usize),
        statistic: PairStatistic,
        speed: Speed,
    ) -> SpeedRow {
        let name = |at: usize| self.experiment.cells[at].name.clone();
        let margin = self.experiment.margin();
        let (second, verdict) = match statistic {
            PairStatistic::Median | PairStatistic::Total => {
                (name(second), speed.verdict(1.0, margin))
            }
            PairStatistic::Faster => (name(second), speed.verdict(0.5, margin)),
            PairStatistic::Decided | PairStatistic::Baseline => {
                (String::new(), SpeedVerdict::Unjudged)
            }
        };
        SpeedRow {
            first: name(first),
            second,
            statistic,
            speed,
            verdict,
        }
    }

    /// The verdicts on relations, all together at the level (Holm).
    pub fn decide(&self, relations: &[&RatioRelation]) -> Vec<RatioVerdict> {
        let ratio = |claim: usize, level: Level| {
            let sides = self.experiment.sides(relations[claim]).unwrap_or_default();
            self.speed(sides, relations[claim].statistic, level)
        };
        let decide = |claim: usize, level: Level| match relations[claim].test {
            RatioTest::Compare(relation, number) => ratio(claim, level).decide(relation, number),
            RatioTest::Within(margin) => ratio(claim, level).within(margin),
        };
        let decided = decide_jointly(relations.len(), self.confidence.level, decide).into_iter();
        let with_ratio = |(claim, (verdict, level))| (verdict, level, ratio(claim, level));
        decided.enumerate().map(with_ratio).collect()
    }

    /// The verdicts on the claims of the file.
    pub(crate) fn claims(&self) -> Vec<BenchClaimRow> {
        let claims = self.experiment.ratio_claims();
        let (claims, relations): (Vec<&Claim>, Vec<&RatioRelation>) = claims.unzip();
        let row =
            |(Claim { written, .. }, (verdict, _, speed)): (&Claim, RatioVerdict)| BenchClaimRow {
                source: written.source.clone(),
                text: written.text.clone(),
                holds: written.holds.clone(),
                speed,
                verdict,
                post_hoc: Some(written.post_hoc),
            };
        let decided = claims.into_iter().zip(self.decide(&relations));
        decided.map(row).collect()
    }

    /// The growth along every swept number of at least three values.
    pub(crate) fn growth(&self) -> Vec<GrowthRow> {
        let file = &self.experiment.file;
        let (sizes, drawn) = (self.costs.sizes(), (self.confidence, file.seed));
        let times = |(x, at): (f64, usize)| (x, self.costs.of_contender(at));
        let mut rows = Vec::new();
        for axis in file.sweep.keys() {
            for (others, members) in swept_series(self.experiment, axis) {
                let points: Vec<_> = members.into_iter().map(times).collect();
                rows.extend(growth([axis, &others], &points, &sizes, drawn));
            }
        }
        rows
    }
}

/// The contenders that differ in one swept number alone, and in what changes together with it, with their values of it, by their other
/// swept values; at least three in each series.
pub fn swept_series(experiment: &Experiment, axis: &str) -> IndexMap<String, Vec<(f64, usize)>> {
    let mut series = IndexMap::<String, Vec<(f64, usize)>>::new();
    let cells = experiment.cells.iter().enumerate();
    for (at, cell) in cells.filter(|&(at, _)| !experiment.is_baseline(at)) {
        let value = cell.swept.iter().find(|(name, _)| name == axis);
        if let Some(x) = value.and_then(|(_, value)| value.number()) {
            let sweep = &experiment.file.sweep;
            let others = cell.swept.iter();
            let others = others.filter(|(name, _)| !sweep.is_together(name, axis));
            let others = others.map(|(name, value)| format!("{name}={value}"));
            let own = cell.table().into_iter().cloned();
            let others = own.chain(others).collect::<Vec<_>>().join(",");
            series.entry(others).or_default().push((x, at));
        }
    }
    series.retain(|_, members| members.len() >= 3);
    series
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Timing;
    use experiment::Overrides;
    use task::{Spent, TimingState, coin};

    /// The rows of a race over 200 instances, twenty for each start, in which `a` and `b` take so many seconds.
    fn rows(seconds: fn(u64) -> [f64; 2]) -> Vec<SpeedRow> {
        let text = "question = \"?\"\ntask = \"coin/flip\"\nseed = 5\n[contenders.a]\np = 0.5\n\
                    [contenders.b]\np = 0.5\nengraving = \"b\"\n[bench]\nanswers = [\"heads\"]\n\
                    repeats = 1\n[stop]\nsamples = 200\n";
        let experiment = Experiment::parse(text, "race.toml", coin::GAMES, &Overrides::default());
        let experiment = experiment.unwrap_or_else(|error| panic!("{}", error.render(false)));
        let experiment = experiment.into_race().unwrap();
        let mut costs = RaceCosts::default();
        for instance in 0..200 {
            let [a, b] = seconds(instance);
            let timing = |(entrant, user)| Timing {
                instance,
                entrant,
                start: 1 + instance / 20,
                position: 1,
                state: TimingState::Done,
                spent: Spent {
                    user,
                    wall: user,
                    ..Spent::default()
                },
            };
            let timings: Vec<Timing> = (0..).zip([a, b, a]).map(timing).collect();
            costs.push(&experiment, &timings);
        }
        let comparison = Comparison {
            experiment: &experiment,
            costs: &costs,
            confidence: Level::DEFAULT.into(),
            grain: 1e-6,
        };
        comparison.rows()
    }

    fn found<'a>(
        rows: &'a [SpeedRow],
        [first, second]: [&str; 2],
        statistic: PairStatistic,
    ) -> &'a SpeedRow {
        let mut rows = rows.iter();
        let row = rows
            .find(|row| (&*row.first, &*row.second, row.statistic) == (first, second, statistic));
        row.unwrap()
    }

    /// One that is faster on every other instance is as good as the other: its share is a half, not one.
    #[test]
    fn a_share_is_judged_against_a_half() {
        let turns = |instance| [[1.0, 2.0], [2.0, 1.0]][(instance % 2) as usize];
        let rows = rows(turns);
        let row = found(&rows, ["b", "a"], PairStatistic::Faster);
        assert_eq!(
            (row.speed.value, row.verdict),
            (Some(0.5), SpeedVerdict::Open)
        );
    }

    /// `a` takes from 2.0 to 2.2 times as long as `b`, and is never the faster one.
    #[test]
    fn ratios_are_those_of_the_first_to_the_second() {
        let rows = rows(|instance| [2.0 + (instance % 5) as f64 / 20.0, 1.0]);
        let value = |pair, statistic| found(&rows, pair, statistic).speed.value.unwrap();
        assert!((value(["a", "b"], PairStatistic::Median) - 2.1).abs() < 1e-6);
        assert!((value(["b", "a"], PairStatistic::Median) - 1.0 / 2.1).abs() < 1e-6);
        assert_eq!(value(["b", "a"], PairStatistic::Faster), 1.0);
        assert_eq!(value(["a", "b"], PairStatistic::Faster), 0.0);
        assert_eq!(
            found(&rows, ["b", "a"], PairStatistic::Faster).verdict,
            SpeedVerdict::Different
        );
        assert_eq!(value(["a", ""], PairStatistic::Decided), 1.0);
    }
}
