//! Laws of estimates, differences and claims over every kind of metric, in units other than 1, of cells that are
//! nowhere alike.

use std::borrow::Cow;

use experiment::Experiment;
use kit::rng::{Stream, Streams, below};
use kit::search::Weight;
use stats::{ClaimVerdict, Confidence, Estimate, Level, Looks, Method, Validity, Withheld};
use task::{
    Build, Draw, Metric, MetricKind, ParamSpec, Replay, Row, SampleError, Support, Task, TaskSpec,
    Truth, Value, Worker, Workspace, worker_of,
};

use super::evidence::Evidence;
use super::versus::{Measured, difference_of_runs};
use super::{BlockTally, ClaimOutcome, CompiledExperiment, Difference, decide_claims, estimate};

/// Samples of each cell.
const SAMPLES: u64 = 400;
const ONCE: Confidence = Confidence {
    level: Level::DEFAULT,
    looks: Looks::Once,
};
const MANY: Confidence = Confidence {
    looks: Looks::Many { planned: SAMPLES },
    ..ONCE
};
const ALL: Confidence = Confidence {
    looks: Looks::Exhaustive,
    ..ONCE
};

/// A metric of every kind, none but the flag in steps of its unit.
pub(super) fn kinds() -> Vec<Metric> {
    vec![
        Metric::flag("flag", ""),
        Metric::integer("bit", "", (0, 1), "").with_denominator(2),
        Metric::integer("grade", "", (0, 12), "").with_denominator(4),
        Metric::pair("pair", ""),
        Metric::total("total", "", "").with_denominator(2),
        Metric::number("number", "", 3, "").within(-40, 60),
        Metric::number("free", "", 2, ""),
        Metric::rate("rate", "", "").with_denominator(5),
        Metric::share("share", "").with_denominator(8),
        Metric::weight("weight", "", "").with_denominator(3),
    ]
}

/// Kinds whose values have limits that a sequence needs.
const LIMITED: [&str; 5] = ["flag", "bit", "grade", "pair", "number"];

/// A value of each kind in a cell: their means differ, and so do their spreads. Those of cell 3 are always the same.
pub(super) fn row(stream: &mut Stream, cell: i64) -> Row {
    let mut row = Row::new();
    if cell == 3 {
        row.push_step("a");
    }
    let mut upto = |most: u64| match cell {
        3 => 1,
        _ => below(stream, most) as i64,
    };
    row.push(Value::flag(upto(10) < [3, 6, 5, 2][cell as usize]));
    row.push(Value::flag(upto(9) < [2, 5, 7, 2][cell as usize]));
    row.push(Value::Exact(upto(7) + 2 * cell % 5));
    row.push(Value::Exact((upto(4) + cell).min(4)));
    row.push(Value::Exact(upto(50) * (1 + 2 * cell)));
    row.push(Value::Exact(upto(30) - 20 + 15 * cell));
    row.push(Value::Exact(upto(30) * (1 + cell) + 100 * cell));
    row.push(Value::ratio(
        upto(3 + 2 * cell as u64) as u64,
        2 + upto(3) as u64,
    ));
    row.push(Value::ratio((upto(3) + cell).min(5) as u64, 5));
    row.push(Value::Weight(Weight::new(1.0 + (upto(3) + cell) as f64)));
    row
}

/// A task whose parameter is the number of its cell.
struct Kinds(i64);

impl Task for Kinds {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        let key = streams.key("kinds");
        worker_of(move |draw, row| {
            *row = self::row(&mut key.stream(4 * draw.index + self.0 as u64), self.0);
            Ok(())
        })
    }

    fn replay(&self, _: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        Err(SampleError::new(draw.index, "nothing to see"))
    }

    /// Of no mean but that of weights it matters.
    fn mean_untrustworthy(&self, _: &str) -> bool {
        self.0 == 2
    }

    /// Cell 2 lies, the others do not.
    fn truth(&self, metric: &str) -> Option<Truth> {
        let value = [0.3, 0.6, 0.99, 1.0][self.0 as usize];
        (metric == "flag").then(|| Truth {
            value,
            source: format!("cell {}", self.0),
        })
    }

    fn support(&self, metric: &str) -> Option<Support> {
        (metric == "grade").then(|| Support {
            least: 0.25,
            most: 2.75,
            source: "a book".to_owned(),
        })
    }
}

/// Cells 0 and 1 as usual, 2 with weights that hide most of their mean, 3 with copies of one sample.
fn experiment(claims: &[&str]) -> Experiment {
    let task = TaskSpec {
        name: Cow::Borrowed("kinds/all"),
        summary: Cow::Borrowed("Every kind of metric"),
        sample: Cow::Borrowed("one draw"),
        noun: Cow::Borrowed("draw"),
        is_random: true,
        params: Cow::Owned(vec![ParamSpec::integer("cell", (0, 3), "The cell.")]),
        metrics: kinds().into(),
        contest: None,
        build: Build::By(|params| Ok(Box::new(Kinds(params.integer("cell")?)))),
    };
    let claim = |text: &&str| {
        let (holds, selector) = text.split_once(" in ").unwrap_or((text, ""));
        let selector = if selector.is_empty() {
            String::new()
        } else {
            format!("where = \"cell={selector}\"\n")
        };
        format!("[[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"{holds}\"\n{selector}")
    };
    let text = format!(
        "question = \"?\"\ntask = \"kinds/all\"\nseed = 65\n[stop]\nsamples = {SAMPLES}\n\
         [sweep]\ncell = [0, 1, 2, 3]\n{}",
        claims.iter().map(claim).collect::<String>()
    );
    Experiment::of_task(task, &text).unwrap_or_else(|error| panic!("{}", error.render(false)))
}

/// The samples of all cells, from seed 65; in every ninth one, if `has_gaps`, the second cell has no value.
fn tally(compiled: &CompiledExperiment, has_gaps: bool) -> BlockTally {
    let rows = (0..compiled.cells()).map(|cell| {
        let mut rows = vec![Row::new(); SAMPLES as usize];
        let mut workspace = Workspace::new();
        compiled
            .source(cell)
            .draw(&mut workspace, 0, &mut rows)
            .unwrap();
        let is_gap = |sample: usize| has_gaps && cell == 1 && sample.is_multiple_of(9);
        for (_, row) in (0..).zip(&mut rows).filter(|(sample, _)| is_gap(*sample)) {
            row.clear();
            (0..compiled.metrics().len()).for_each(|_| row.push(Value::Missing));
        }
        rows
    });
    BlockTally::of(compiled, 0, &rows.collect::<Vec<_>>())
}

struct TwoCells {
    compiled: CompiledExperiment,
    tally: BlockTally,
}

impl TwoCells {
    fn of(claims: &[&str], has_gaps: bool) -> Self {
        let compiled = CompiledExperiment::of_experiment(&experiment(claims)).unwrap();
        let tally = tally(&compiled, has_gaps);
        Self { compiled, tally }
    }

    fn with(&self, confidence: Confidence) -> Evidence<'_> {
        Evidence {
            compiled: &self.compiled,
            tally: &self.tally,
            confidence,
        }
    }

    /// The difference of cells 1 and 0, with every estimate of either at the level of the difference's parts.
    fn difference(&self, metric: &Metric, number: usize, confidence: Confidence) -> Difference {
        let cells = [1, 0].map(|cell| &self.tally.cell(cell)[number]);
        let pairs = self.compiled.pairs().iter();
        let pair = pairs
            .map(|pair| [pair.first, pair.second])
            .position(|pair| pair == [1, 0]);
        Difference::of(
            metric,
            cells,
            &self.tally.pair(pair.unwrap())[number],
            confidence,
        )
    }
}

fn numbers(found: &Estimate) -> [Option<f64>; 8] {
    let rounding = Some(found.rounding);
    let [value, sd, mcse] = [found.value, found.sd, found.mcse];
    [
        value,
        sd,
        mcse,
        found.lower,
        found.upper,
        found.interval.map(|found| found.lo),
        found.interval.map(|found| found.hi),
        rounding,
    ]
}

fn assert_near(one: Option<f64>, other: Option<f64>, told: &str) {
    let (a, b) = (one.unwrap_or(f64::NAN), other.unwrap_or(f64::NAN));
    let is_near = (a - b).abs() <= 1e-9 * a.abs().max(1.0);
    assert!(
        one.is_some() == other.is_some() && (one.is_none() || is_near),
        "{told}: {one:?} {other:?}"
    );
}

/// Twice the unit makes every number half: of an estimate, and of a difference.
#[test]
fn every_number_of_every_kind_is_in_its_unit() {
    for has_gaps in [false, true] {
        let sampled = TwoCells::of(&[], has_gaps);
        for (number, metric) in kinds().iter().enumerate() {
            let raw = metric.clone().with_denominator(1);
            for confidence in [ONCE, MANY, ALL] {
                let told = format!("{} {confidence:?} {has_gaps}", metric.name);
                let of = |metric: &Metric| {
                    let cell = estimate(metric, &sampled.tally.cell(1)[number], confidence);
                    [
                        cell,
                        sampled.difference(metric, number, confidence).estimate,
                    ]
                };
                for (in_unit, in_steps) in of(metric).iter().zip(of(&raw)) {
                    for (own, steps) in numbers(in_unit).into_iter().zip(numbers(&in_steps)) {
                        let steps = steps.map(|steps| steps / metric.denominator as f64);
                        assert_near(own, steps, &told);
                    }
                    let method = |found: &Estimate| {
                        (found.n, found.interval.map(|interval| interval.method))
                    };
                    assert_eq!(method(in_unit), method(&in_steps));
                }
            }
        }
    }
}

/// A rule that looks takes no interval that holds once, and one look leaves none out.
#[test]
fn every_interval_of_every_kind_is_that_of_the_looks() {
    for has_gaps in [false, true] {
        let sampled = TwoCells::of(&[], has_gaps);
        for (number, metric) in kinds().iter().enumerate() {
            let found = |confidence| {
                let cell = estimate(metric, &sampled.tally.cell(0)[number], confidence);
                let difference = sampled.difference(metric, number, confidence).estimate;
                [cell, difference].map(|estimate| estimate.interval)
            };
            for once in found(ONCE).map(Option::unwrap) {
                let is = (once.validity, once.level);
                assert_eq!(is, (Validity::FixedN, Level::DEFAULT), "{}", metric.name);
            }
            let is_limited = LIMITED.contains(&&*metric.name);
            for many in found(MANY) {
                let is = many.map(|many| (many.validity, many.level));
                let sequence = (Validity::AnyTime, Level::DEFAULT);
                assert_eq!(is, is_limited.then_some(sequence), "{}", metric.name);
            }
            for all in found(ALL).map(Option::unwrap) {
                let method = if metric.rounding() > 0.0 {
                    Method::ExactBounds
                } else {
                    Method::Exact
                };
                assert_eq!(
                    (all.method, all.level.get()),
                    (method, 1.0),
                    "{}",
                    metric.name
                );
            }
        }
    }
}

/// While somebody looks, both means hold at once, each with half of the error, and nothing is known of how they depend on
/// each other; ratios and weights are joined so at one look, too.
#[test]
fn an_unpaired_difference_lies_within_what_both_sides_allow() {
    let sampled = TwoCells::of(&[], true);
    for (number, metric) in kinds().iter().enumerate() {
        let is_quotient = matches!(metric.kind, MetricKind::Ratio | MetricKind::Weight);
        let (confidence, level) = if is_quotient {
            (ONCE, Level::DEFAULT)
        } else {
            (MANY, Level::DEFAULT.shared_by(2))
        };
        let found = sampled.difference(metric, number, confidence).estimate;
        let [x, y] = [1, 0].map(|cell| {
            let tally = &sampled.tally.cell(cell)[number];
            estimate(metric, tally, confidence.at(level)).interval
        });
        let ends = x.zip(y).map(|(x, y)| (x.lo - y.hi, x.hi - y.lo)).unzip();
        assert_near(found.interval.map(|own| own.lo), ends.0, &metric.name);
        assert_near(found.interval.map(|own| own.hi), ends.1, &metric.name);
        assert!(found.n == SAMPLES - SAMPLES.div_ceil(9) && found.value.is_some());
    }
}

/// Two runs of which either was watched: both means hold at once, and nothing is known of how they depend on each other.
#[test]
fn runs_of_which_one_was_watched_differ_within_what_both_allow() {
    let sampled = TwoCells::of(&[], false);
    let grade = 2;
    let found = |[first, second]: [Confidence; 2], independent| {
        let run = |confidence, cell| Measured::Counted {
            evidence: sampled.with(confidence),
            place: (cell, grade),
        };
        let difference =
            difference_of_runs(run(first, 1), run(second, 0), independent, Level::DEFAULT);
        difference.interval.unwrap()
    };
    let enclosing = |[first, second]: [Confidence; 2], level| {
        let interval = |confidence: Confidence, cell| {
            let evidence = sampled.with(confidence.at(level));
            evidence.estimate_of((cell, grade)).interval.unwrap()
        };
        let (x, y) = (interval(first, 1), interval(second, 0));
        (x.lo - y.hi, x.hi - y.lo)
    };
    let half = Level::DEFAULT.shared_by(2);
    for looks in [[MANY, MANY], [MANY, ONCE], [ONCE, MANY]] {
        let own = found(looks, true);
        let (lo, hi) = enclosing(looks, half);
        assert_near(Some(own.lo), Some(lo), "low end");
        assert_near(Some(own.hi), Some(hi), "high end");
        assert_eq!(own.method, Method::Enclosing, "{looks:?}");
    }
    let (apart, together) = (found([ONCE; 2], true), found([ONCE; 2], false));
    let (lo, hi) = enclosing([ONCE; 2], Level::DEFAULT);
    assert_near(Some(together.lo), Some(lo), "low end");
    assert_near(Some(together.hi), Some(hi), "high end");
    assert!(lo < apart.lo && apart.hi < hi, "{apart:?} {together:?}");
}

/// The error of two means is that of the textbook, with the correlation by the samples that both have.
#[test]
fn the_error_of_an_unpaired_difference_is_the_textbooks() {
    let sampled = TwoCells::of(&[], true);
    let source = |cell: usize, sample: u64| sampled.compiled.source(cell).sample(sample).unwrap();
    for (number, metric) in kinds().iter().enumerate() {
        let found = sampled.difference(metric, number, ONCE);
        let is_flag = metric.kind == MetricKind::Flag;
        assert!(found.mcnemar.is_none());
        assert_eq!(
            TwoCells::of(&[], false)
                .difference(metric, number, ONCE)
                .mcnemar
                .is_some(),
            is_flag
        );
        if matches!(metric.kind, MetricKind::Ratio | MetricKind::Weight) {
            assert_eq!((found.correlation, found.estimate.mcse), (None, None));
            continue;
        }
        let value = |cell, sample| source(cell, sample).values()[number].ends().unwrap().0 as f64;
        let of = |cell: usize| {
            let has = |sample: &u64| cell != 1 || !sample.is_multiple_of(9);
            let values: Vec<f64> = (0..SAMPLES)
                .filter(has)
                .map(|sample| value(cell, sample))
                .collect();
            let n = values.len() as f64;
            let mean = values.iter().sum::<f64>() / n;
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            (mean, squares, squares / (n - 1.0) / n)
        };
        let ((a, a_squares, a_error), (b, b_squares, b_error)) = (of(1), of(0));
        let shared = (0..SAMPLES).filter(|sample| !sample.is_multiple_of(9));
        let products: f64 = shared
            .map(|sample| (value(1, sample) - a) * (value(0, sample) - b))
            .sum();
        let r = products / (a_squares * b_squares).sqrt();
        let square = a_error + b_error - 2.0 * r * (a_error * b_error).sqrt();
        let unit = metric.denominator as f64;
        assert_near(found.correlation, Some(r), &metric.name);
        assert_near(
            found.estimate.mcse,
            Some(square.sqrt() / unit),
            &metric.name,
        );
        assert_near(
            found.variance_reduction,
            Some((a_error + b_error) / square),
            &metric.name,
        );
    }
}

/// Whichever side it is that gives no interval, the difference has none; what is all there is has one always.
#[test]
fn a_side_without_interval_leaves_a_difference_none() {
    let sampled = TwoCells::of(
        &[
            "diff(1, 2).flag > -1",
            "diff(1, 3).flag > -1",
            "diff(0, 1).flag > -1",
        ],
        false,
    );
    let weight = kinds().len() - 1;
    let pairs = sampled.compiled.pairs();
    for sides in [[0, 1], [1, 2], [2, 0], [1, 3], [3, 0]] {
        let mut at = pairs.iter().map(|pair| [pair.first, pair.second]);
        let at = at.position(|pair| pair == sides).unwrap();
        for metric in 0..=weight {
            let expected = match sides {
                _ if sides.contains(&3) => Some(Withheld::OneSample),
                _ if sides.contains(&2) && metric == weight => Some(Withheld::Untrusted),
                _ => None,
            };
            let found = sampled.with(ONCE).difference((at, metric));
            assert_eq!(found.estimate.withheld, expected, "{sides:?} {metric}");
            assert_eq!(found.estimate.interval.is_none(), expected.is_some());
            assert_eq!(found.mcnemar.is_some(), metric == 0 && expected.is_none());
            let all = sampled.with(ALL).difference((at, metric)).estimate;
            assert!(all.interval.is_some() && all.withheld.is_none());
        }
    }
    for cell in 0..4 {
        let estimates = sampled.with(ONCE).estimates(cell);
        for (metric, found) in estimates.iter().enumerate() {
            let expected = match cell {
                3 => Some(Withheld::OneSample),
                2 if metric == weight => Some(Withheld::Untrusted),
                _ => None,
            };
            assert_eq!(found.withheld, expected, "{cell} {metric}");
            assert_eq!(sampled.with(ALL).estimate_of((cell, metric)).withheld, None);
        }
    }
}

fn decided(claims: &[&str]) -> Vec<ClaimOutcome> {
    let experiment = experiment(claims);
    let TwoCells { compiled, tally } = TwoCells::of(claims, false);
    decide_claims(&experiment, &compiled, &tally, experiment.confidence())
}

/// Every claim would hold of the copies, were they many samples; on an extreme one sample is a witness.
#[test]
fn copies_of_one_sample_decide_nothing_but_extremes() {
    let claims = [
        "flag.mean > 0.01 in 3",
        "grade.mean < 2.9 in 3",
        "grade.median < 2.9 in 3",
        "grade.mean agrees 1.2 +- 0.3 in 3",
        "diff(3, 0).free > 1",
        "diff(0, 3).free < -1",
        "weight.mean > 0.01 in 2",
        "diff(0, 2).weight < 20",
        "diff(2, 1).weight > -20",
    ];
    for outcome in decided(&claims) {
        let told = claims[outcome.claim];
        assert_eq!(outcome.decision, ClaimVerdict::Undecided, "{told}");
        assert!(
            outcome.note.contains("decide nothing") || outcome.note.contains("decides nothing"),
            "{told}: {}",
            outcome.note
        );
    }
    let [extreme] = &decided(&["grade.max <= 0.1 in 3"])[..] else {
        panic!()
    };
    assert_eq!(extreme.decision, ClaimVerdict::Refuted);
}

/// A quantile of steps of a quarter is in quarters, as a mean is; so are extremes, whose ends a book knows.
#[test]
fn claims_are_in_the_units_of_their_metrics() {
    let claims = [
        "grade.median < 1.1 in 0",
        "grade.median > 0.4 in 0",
        "grade.max < 1.5 in 0",
        "grade.max <= 1.5 in 0",
        "grade.min > 0 in 0",
        "diff(1, 0).grade > 0.3",
        "diff(0, 1).grade < -0.3",
        "total.max > 20 in 0",
        "total.max > 25 in 0",
    ];
    let found = decided(&claims);
    let verdicts: Vec<_> = found.iter().map(|outcome| outcome.decision).collect();
    let (yes, no, open) = (
        ClaimVerdict::Supported,
        ClaimVerdict::Refuted,
        ClaimVerdict::Undecided,
    );
    assert_eq!(verdicts, [yes, yes, no, open, no, yes, yes, yes, open]);
    assert_eq!(found[0].estimate.value, Some(0.75));
    assert!(
        found[2].note.ends_with("2.75 (a book)"),
        "{}",
        found[2].note
    );
    assert!(
        found[4].note.contains("contradict the exact value 0.25"),
        "{}",
        found[4].note
    );
}

/// Where the samples are all there is, an extreme is what they say, and a mean of rounded numbers is open within their
/// rounding, which no budget helps.
#[test]
fn all_samples_decide_extremes_and_leave_rounded_means_open() {
    let number = 5;
    let mean = TwoCells::of(&[], false).with(ALL).estimate_of((0, number));
    let near = format!("number.mean > {} in 0", mean.value.unwrap());
    let claims = ["grade.max <= 1.5 in 0", "grade.max < 1.5 in 0", &near];
    let TwoCells { compiled, tally } = TwoCells::of(&claims, false);
    let found = decide_claims(&experiment(&claims), &compiled, &tally, ALL);
    let told: Vec<_> = found
        .iter()
        .map(|claim| {
            (
                claim.decision,
                claim.estimate.interval.map(|found| found.hi),
            )
        })
        .collect();
    assert_eq!(told[0], (ClaimVerdict::Supported, Some(1.5)));
    assert_eq!(told[1], (ClaimVerdict::Refuted, Some(1.5)));
    assert_eq!((told[2].0, &*found[2].note), (ClaimVerdict::Undecided, ""));
}

/// The first side's known value less the second's, contradicted where either is.
#[test]
fn a_known_difference_is_the_first_side_less_the_second() {
    let found = decided(&[
        "diff(1, 0).flag > 0",
        "diff(0, 1).flag < 0",
        "diff(0, 2).flag < 0",
        "diff(2, 0).flag > 0",
    ]);
    let notes: Vec<&str> = found.iter().map(|outcome| &*outcome.note).collect();
    assert!(
        notes[0].starts_with("the exact value is known: 0.3"),
        "{notes:?}"
    );
    assert!(
        notes[1].starts_with("the exact value is known: -0.3"),
        "{notes:?}"
    );
    assert!(
        notes[2].starts_with("the samples contradict the exact value -0.69"),
        "{notes:?}"
    );
    assert!(
        notes[3].starts_with("the samples contradict the exact value 0.69"),
        "{notes:?}"
    );
}

/// Two claims on means share the level, and one on an extreme takes none of it.
#[test]
fn only_estimated_claims_share_the_level() {
    let levels = |claims: &[&str]| -> Vec<Option<f64>> {
        let outcomes = decided(claims).into_iter();
        outcomes
            .map(|found| Some(found.estimate.interval?.level.get()))
            .collect()
    };
    let open = "flag.mean > 0.3 in 0";
    assert_eq!(levels(&[open]), [Some(0.95)]);
    assert_eq!(levels(&[open, "grade.max > 2 in 0"]), [Some(0.95), None]);
    let shared = Some(Level::DEFAULT.shared_by(2).get());
    assert_eq!(
        levels(&[open, "grade.max > 2 in 0", "bit.mean > 0.1 in 1"])[0],
        Some(0.95)
    );
    assert_eq!(levels(&[open, "flag.mean > 0.6 in 1"]), [shared, shared]);
}
