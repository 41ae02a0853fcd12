//! The estimates that compare contenders, as rows of tables.

use super::costs::RaceCosts;
use super::growth::{growth, number};
use super::rows::{BenchClaimRow, GrowthRow, SpeedRow};
use super::setting::Setting;
use super::speed::{Speed, SpeedVerdict, Statistic, decided, faster, median, total};
use crate::experiment::{RatioClaim, RatioRelation, RatioTest};
use crate::stats::{ClaimVerdict, Confidence, Level, decide_jointly};

/// The estimates that compare contenders.
pub struct Comparison<'a> {
    /// The setting.
    pub setting: &'a Setting,
    /// The times.
    pub costs: &'a RaceCosts,
    /// The confidence of the intervals.
    pub confidence: Confidence,
    /// The clock's grain.
    pub grain: f64,
}

/// The verdict on a relation, with the level and the ratio that it was found by.
pub type RatioVerdict = (ClaimVerdict, Level, Speed);

/// Contenders along an axis: their other swept values, and each one's value on it.
type AxisSeries = (String, Vec<(f64, usize)>);

impl Comparison<'_> {
    /// A statistic of the ratio of two contenders.
    pub fn speed(&self, pair: (usize, usize), statistic: Statistic, level: Level) -> Speed {
        let confidence = self.confidence.at(level);
        match statistic {
            Statistic::Median => median(&self.costs.pairs(pair), confidence),
            Statistic::Total => total(&self.costs.pairs(pair), confidence),
            Statistic::Faster => faster(&self.costs.pairs(pair), self.grain, confidence),
            Statistic::Decided => decided(&self.costs.of_contender(pair.0), confidence),
        }
    }

    /// The median ratio of two contenders.
    pub fn median(&self, pair: (usize, usize)) -> Speed {
        self.speed(pair, Statistic::Median, self.confidence.level)
    }

    /// All rows of `clock/speed.csv`: the control, the pairs, and the share that each decides.
    pub fn rows(&self) -> Vec<SpeedRow> {
        let control = median(&self.costs.control(), self.confidence);
        let mut rows = vec![self.row((0, 0), Statistic::Median, control)];
        let level = self.confidence.level;
        let row = |pair, statistic| self.row(pair, statistic, self.speed(pair, statistic, level));
        for pair in self.setting.pairs() {
            let statistics = [Statistic::Median, Statistic::Total, Statistic::Faster];
            rows.extend(statistics.map(|statistic| row(pair, statistic)));
        }
        let all = 0..self.setting.contenders.len();
        rows.extend(all.map(|at| row((at, at), Statistic::Decided)));
        rows
    }

    fn row(&self, (first, second): (usize, usize), statistic: Statistic, found: Speed) -> SpeedRow {
        let name = |at: usize| self.setting.contenders[at].name.clone();
        let judged = |even| found.verdict(even, self.setting.margin);
        let verdict = statistic.even().map_or(SpeedVerdict::Unjudged, judged);
        SpeedRow {
            first: name(first),
            second: if statistic == Statistic::Decided {
                String::new()
            } else {
                name(second)
            },
            statistic: statistic.name().to_owned(),
            found,
            verdict: verdict.name().to_owned(),
        }
    }

    /// The verdicts on relations, all together at the level (Holm).
    pub fn decide(&self, relations: &[&RatioRelation]) -> Vec<RatioVerdict> {
        let at = |claim: usize, level: Level| {
            let relation = relations[claim];
            let statistic = Statistic::from_name(&relation.statistic).unwrap_or(Statistic::Median);
            self.speed(
                self.setting.sides(relation).unwrap_or_default(),
                statistic,
                level,
            )
        };
        let decide = |claim: usize, level: Level| match relations[claim].test {
            RatioTest::Compare(relation, number) => at(claim, level).decide(relation, number),
            RatioTest::Within(margin) => at(claim, level).within(margin),
        };
        let decided = decide_jointly(relations.len(), self.confidence.level, decide).into_iter();
        let with_speed = |(claim, (verdict, level))| (verdict, level, at(claim, level));
        decided.enumerate().map(with_speed).collect()
    }

    /// The verdicts on the claims of the file.
    pub fn claims(&self) -> Vec<BenchClaimRow> {
        let claims = &self.setting.experiment.ratio_claims;
        let relations: Vec<&RatioRelation> = claims.iter().map(|claim| &claim.relation).collect();
        let row = |(RatioClaim { table, .. }, (verdict, _, found)): (&RatioClaim, RatioVerdict)| {
            BenchClaimRow {
                source: table.source.clone(),
                text: table.text.clone(),
                holds: table.holds.clone(),
                found,
                verdict: verdict.name().to_owned(),
                post_hoc: Some(table.post_hoc),
            }
        };
        claims
            .iter()
            .zip(self.decide(&relations))
            .map(row)
            .collect()
    }

    /// The growth along every swept number of at least three values.
    pub fn growth(&self) -> Vec<GrowthRow> {
        let axes = self.setting.experiment.axes.iter();
        let all = axes.flat_map(|axis| {
            let series = series(self.setting, &axis.name).into_iter();
            series.flat_map(|one| self.growth_of(&axis.name, one))
        });
        all.collect()
    }

    fn growth_of(&self, axis: &str, (others, members): AxisSeries) -> Vec<GrowthRow> {
        let seconds = |at: usize| {
            self.costs
                .of_contender(at)
                .iter()
                .map(|cost| cost.seconds)
                .collect()
        };
        let points: Vec<(f64, Vec<f64>)> =
            members.iter().map(|&(x, at)| (x, seconds(at))).collect();
        let level = self.confidence.level;
        let found = growth(&points, level, self.setting.experiment.file.seed).into_iter();
        let row = found.map(|growth| GrowthRow {
            parameter: axis.to_owned(),
            contender: others.clone(),
            statistic: growth.statistic.to_owned(),
            estimate: growth.estimate,
            ci_lo: growth.lo,
            ci_hi: growth.hi,
            ci_level: level.get(),
            ci_method: "bootstrap".to_owned(),
            values: points.len() as u64,
            n: self.costs.len() as u64,
            straight: Some(growth.straight),
        });
        row.collect()
    }
}

/// The contenders that differ in one swept number alone, by their other swept values; at least three
/// in each series.
pub fn series(setting: &Setting, axis: &str) -> Vec<AxisSeries> {
    let mut series: Vec<AxisSeries> = Vec::new();
    for (at, contender) in setting.contenders.iter().enumerate() {
        let value = contender.swept.iter().find(|(name, _)| name == axis);
        let Some(x) = value.and_then(|(_, value)| number(value)) else {
            continue;
        };
        let others = contender.swept.iter().filter(|(name, _)| name != axis);
        let others: Vec<String> = others
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let others = others.join(",");
        match series.iter_mut().find(|(known, _)| *known == others) {
            Some((_, members)) => members.push((x, at)),
            None => series.push((others, vec![(x, at)])),
        }
    }
    series.retain(|(_, members)| members.len() >= 3);
    series
}
