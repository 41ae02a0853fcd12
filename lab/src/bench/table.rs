//! The tables of a benchmark: one struct writes a row and reads it back.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::growth::{Growth, growth};
use super::race::{RaceCosts, Raced, RunRow, text};
use super::setting::Setting;
use super::speed::{Speed, SpeedVerdict, Statistic, decided, faster, median, total};
use crate::experiment::{RatioRelation, RatioTest};
use crate::stats::{ClaimVerdict, Confidence, Level, decide_jointly};

/// A row of `answers.csv`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct AnswerRow {
    /// The instance, from 0.
    pub instance: u64,
    /// The contender.
    pub contender: String,
    /// The metric on which all must agree.
    pub metric: String,
    /// Its value.
    pub value: String,
}

/// A row of `clock/speed.csv`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct SpeedRow {
    /// The contender whose time is divided.
    pub first: String,
    /// The contender that it is divided by; the same one for the control, none for a share decided.
    pub second: String,
    /// `median`, `total`, `faster` or `decided`.
    pub statistic: String,
    /// The estimate.
    pub estimate: Option<f64>,
    /// The lower end of its interval.
    pub ci_lo: Option<f64>,
    /// The upper end.
    pub ci_hi: Option<f64>,
    /// The level of the interval.
    pub ci_level: Option<f64>,
    /// Its method.
    pub ci_method: String,
    /// The sampling scheme under which the interval has its level.
    pub valid_under: String,
    /// Instances that count.
    pub n: u64,
    /// Those with a time that was cut off.
    pub n_censored: u64,
    /// `different`, `equal`, `undecided` or `dominated`.
    pub verdict: String,
}

/// A row of `clock/growth.csv`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct GrowthRow {
    /// The swept parameter.
    pub parameter: String,
    /// The other swept values.
    pub contender: String,
    /// `factor`, for each step of 1 of the parameter, or `exponent`.
    pub statistic: String,
    /// The estimate.
    pub estimate: f64,
    /// The lower end of its interval.
    pub ci_lo: f64,
    /// The upper end.
    pub ci_hi: f64,
    /// The level of the interval.
    pub ci_level: f64,
    /// Its method.
    pub ci_method: String,
    /// Values of the parameter.
    pub values: u64,
    /// Instances of each.
    pub n: u64,
    /// True if the medians lie on a straight line, as far as they are known.
    pub straight: bool,
}

/// A row of `clock/claims.csv`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct BenchClaimRow {
    /// Who claims it.
    pub source: String,
    /// The sentence.
    pub text: String,
    /// The relation.
    pub holds: String,
    /// `supported`, `refuted` or `undecided`.
    pub verdict: String,
    /// The level of the decision.
    pub ci_level: f64,
    /// The estimate.
    pub estimate: Option<f64>,
    /// The lower end of its interval.
    pub ci_lo: Option<f64>,
    /// The upper end.
    pub ci_hi: Option<f64>,
    /// True if it was written after seeing results.
    pub post_hoc: bool,
}

/// The rows as CSV, with a header if there is any, or if one is asked for.
pub fn to_csv<R: Serialize>(rows: &[R], has_header: bool) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(has_header)
        .from_writer(Vec::new());
    for row in rows {
        // A vector takes every row, and rows of one struct have one width.
        let _ = writer.serialize(row);
    }
    writer.into_inner().unwrap_or_default()
}

/// The rows of a table.
///
/// # Errors
/// The line at fault.
pub fn of_csv<R: DeserializeOwned>(bytes: &[u8]) -> Result<Vec<R>, String> {
    let mut reader = csv::Reader::from_reader(bytes);
    reader
        .deserialize()
        .map(|row| row.map_err(|error| error.to_string()))
        .collect()
}

/// The answers of an instance, in the order of contenders and metrics. What was not answered has no
/// row.
pub fn answer_rows(setting: &Setting, instance: u64, measured: &Raced) -> Vec<AnswerRow> {
    let metrics = setting.metrics();
    let rows = setting
        .names()
        .zip(&measured.values)
        .flat_map(|(name, values)| {
            let row = move |&metric: &usize| {
                Some(AnswerRow {
                    instance,
                    contender: name.to_owned(),
                    metric: metrics[metric].name.to_string(),
                    value: text(&metrics[metric], values[metric]?),
                })
            };
            setting.answers.iter().filter_map(row)
        });
    rows.collect()
}

/// The line of the columns of `work.csv`.
pub fn work_header(setting: &Setting) -> String {
    let names = setting
        .work
        .iter()
        .map(|&metric| &*setting.metrics()[metric].name);
    let columns: Vec<&str> = ["instance", "contender"].into_iter().chain(names).collect();
    columns.join(",") + "\n"
}

/// The lines of an instance in `work.csv`.
pub fn work_lines(setting: &Setting, instance: u64, measured: &Raced) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for (name, values) in setting.names().zip(&measured.values) {
        let work = setting.work.iter().map(|&metric| {
            let value = values[metric];
            value.map_or_else(String::new, |value| text(&setting.metrics()[metric], value))
        });
        let _ = writer.write_record(
            [instance.to_string(), name.to_owned()]
                .into_iter()
                .chain(work),
        );
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// The estimates that compare contenders.
pub struct Comparison<'a> {
    /// The setting.
    pub setting: &'a Setting<'a>,
    /// The times.
    pub costs: &'a RaceCosts,
    /// The confidence of the intervals.
    pub confidence: Confidence,
    /// The clock's grain.
    pub grain: f64,
}

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

    /// The ratio of the first contender to its control.
    pub fn control(&self) -> Speed {
        median(&self.costs.control(), self.confidence)
    }

    /// All rows of `clock/speed.csv`: the control, the pairs, and the share that each decides.
    pub fn rows(&self, relations: &[RatioRelation]) -> Vec<SpeedRow> {
        let names: Vec<&str> = self.setting.names().collect();
        let margin = self.setting.margin;
        let row = |first: &str,
                   second: &str,
                   statistic: Statistic,
                   speed: Speed,
                   verdict: SpeedVerdict| {
            SpeedRow {
                first: first.to_owned(),
                second: second.to_owned(),
                statistic: statistic.name().to_owned(),
                estimate: speed.value,
                ci_lo: speed.lo,
                ci_hi: speed.hi,
                ci_level: speed.interval.map(|(level, _, _)| level.get()),
                ci_method: speed
                    .interval
                    .map_or("", |(_, method, _)| method.name())
                    .to_owned(),
                valid_under: speed
                    .interval
                    .map_or("", |(_, _, validity)| validity.name())
                    .to_owned(),
                n: speed.n,
                n_censored: speed.censored,
                verdict: verdict.name().to_owned(),
            }
        };
        let control = self.control();
        let mut rows = vec![row(
            names[0],
            names[0],
            Statistic::Median,
            control,
            control.verdict(1.0, margin),
        )];
        for (first, second) in self.setting.pairs(relations) {
            for (statistic, even) in [
                (Statistic::Median, 1.0),
                (Statistic::Total, 1.0),
                (Statistic::Faster, 0.5),
            ] {
                let speed = self.speed((first, second), statistic, self.confidence.level);
                rows.push(row(
                    names[first],
                    names[second],
                    statistic,
                    speed,
                    speed.verdict(even, margin),
                ));
            }
        }
        for (at, name) in names.iter().enumerate() {
            let speed = self.speed((at, at), Statistic::Decided, self.confidence.level);
            rows.push(row(
                name,
                "",
                Statistic::Decided,
                speed,
                SpeedVerdict::Unjudged,
            ));
        }
        rows
    }

    /// The verdicts on relations, all together at the level (Holm).
    pub fn decide(&self, relations: &[RatioRelation]) -> Vec<(ClaimVerdict, Level, Speed)> {
        let at = |claim: usize, level: Level| {
            let relation = &relations[claim];
            let statistic = Statistic::from_name(&relation.statistic).unwrap_or(Statistic::Median);
            let sides = self.setting.sides(relation).unwrap_or_default();
            self.speed(sides, statistic, level)
        };
        let decide = |claim: usize, level: Level| match relations[claim].test {
            RatioTest::Compare(relation, number) => at(claim, level).decide(relation, number),
            RatioTest::Within(margin) => at(claim, level).within(margin),
        };
        let decided = decide_jointly(relations.len(), self.confidence.level, decide);
        let with = |(claim, (verdict, level)): (usize, (ClaimVerdict, Level))| {
            (verdict, level, at(claim, level))
        };
        decided.into_iter().enumerate().map(with).collect()
    }

    /// The verdicts on the claims of the file.
    pub fn claims(&self) -> Vec<BenchClaimRow> {
        let claims = &self.setting.experiment.benchmark.claims;
        let relations: Vec<RatioRelation> =
            claims.iter().map(|claim| claim.relation.clone()).collect();
        let row = |(claim, (verdict, level, speed)): (
            &crate::experiment::RatioClaim,
            (ClaimVerdict, Level, Speed),
        )| {
            BenchClaimRow {
                source: claim.source.clone(),
                text: claim.text.clone(),
                holds: claim.holds.clone(),
                verdict: verdict.name().to_owned(),
                ci_level: level.get(),
                estimate: speed.value,
                ci_lo: speed.lo,
                ci_hi: speed.hi,
                post_hoc: claim.post_hoc,
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
        let seed = self.setting.experiment.file.seed;
        let mut rows = Vec::new();
        for axis in &self.setting.experiment.axes {
            for (others, members) in self.series(&axis.name) {
                let points: Vec<(f64, Vec<f64>)> = members
                    .iter()
                    .map(|&(x, at)| {
                        (
                            x,
                            self.costs
                                .of_contender(at)
                                .iter()
                                .map(|cost| cost.seconds)
                                .collect(),
                        )
                    })
                    .collect();
                for Growth {
                    statistic,
                    estimate,
                    lo,
                    hi,
                    straight,
                } in growth(&points, self.confidence.level, seed)
                {
                    rows.push(GrowthRow {
                        parameter: axis.name.clone(),
                        contender: others.clone(),
                        statistic: statistic.to_owned(),
                        estimate,
                        ci_lo: lo,
                        ci_hi: hi,
                        ci_level: self.confidence.level.get(),
                        ci_method: "bootstrap".to_owned(),
                        values: points.len() as u64,
                        n: self.costs.len() as u64,
                        straight,
                    });
                }
            }
        }
        rows
    }

    /// The contenders that differ in one swept number alone, by their other swept values.
    fn series(&self, axis: &str) -> Vec<(String, Vec<(f64, usize)>)> {
        let mut series: Vec<(String, Vec<(f64, usize)>)> = Vec::new();
        for (at, contender) in self.setting.contenders.iter().enumerate() {
            let found = contender.swept.iter().find(|(name, _)| name == axis);
            let Some(x) = found.and_then(|(_, value)| super::growth::number(value)) else {
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
}

/// The runs up to the last instance that is whole: of all entrants and rounds.
pub fn whole(runs: &[RunRow], entrants: usize) -> (u64, Vec<RunRow>) {
    let rounds = runs.iter().map(|run| run.round).max().unwrap_or(0) as usize;
    let mut next = 0;
    let full = |next: u64| {
        let of_instance = runs
            .iter()
            .filter(|run| run.instance == next && run.round > 0);
        rounds > 0 && of_instance.count() == 2 * rounds * entrants
    };
    // Runs stand in the order of instances, so the last ones alone can be cut short.
    let last = runs.iter().map(|run| run.instance).max().unwrap_or(0);
    if runs.iter().any(|run| run.round > 0) {
        next = if full(last) { last + 1 } else { last };
    }
    let kept = runs
        .iter()
        .filter(|run| run.instance < next || run.round == 0 && run.instance == 0);
    (next, kept.cloned().collect())
}
