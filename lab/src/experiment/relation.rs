//! The grammar of a claim's relation and selector.
//!
//! ```text
//! holds    = subject (("<" | "<=" | ">" | ">=") number ["%"] | "agrees" published)
//! published = number ["%"] [("+-" | "±") number ["%"] ["at" number "%"]]
//! subject  = metric "." stat | "diff(" value "," value ")." metric [".mean"]
//! stat     = "mean" | "rate" | "min" | "max" | "sd" | "median" | "q" digits
//! selector = term {"," term}
//! term     = axis "=" value | value
//! ```
//!
//! Values are those of the sweep and may hold commas and parentheses, so they are recognised, not
//! scanned; in `diff` each may carry its axis: `diff(fox=random, fox=clever).win`. Faults have
//! their place within the string.

use crate::stats::Relation;
use crate::task::{Metric, MetricKind, ParamValue};

use super::agreement::{self, published};
use super::error::Problem;
use super::part::TextPart;
use super::threshold::threshold;
use super::{Axis, Cell, ClaimTest, Selector, Stat, Subject, suggest};

/// A parsed relation.
#[derive(Debug, PartialEq)]
pub(super) struct Holds {
    pub subject: Subject,
    pub test: ClaimTest,
}

/// The metrics and axes that names in a claim may refer to.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub metrics: &'a [Metric],
    pub axes: &'a [Axis],
}

impl Scope<'_> {
    /// Parses a relation.
    pub fn holds(self, text: &str) -> Result<Holds, Problem> {
        let whole = TextPart::whole(text);
        if let Some((subject, rest)) = agreement::sides(whole) {
            let read = self.subject(subject)?;
            agreement::check_subject(&read, subject)?;
            return Ok(Holds {
                test: ClaimTest::Agrees(published(&read, self.metrics, rest)?),
                subject: read,
            });
        }
        let sides = whole.text.find(['<', '>']).map(|at| whole.split_at(at));
        let split = sides.and_then(|(subject, rest)| Some((subject, relation(rest)?)));
        let (subject, (relation, rest)) = split.ok_or_else(|| {
            whole
                .fault("a claim needs a relation")
                .expected("expected `<`, `<=`, `>`, `>=` or `agrees`")
                .help("write it like `score.mean < 11`")
        })?;
        let subject = self.subject(subject)?;
        Ok(Holds {
            test: ClaimTest::Compare(relation, threshold(&subject, self.metrics, rest)?),
            subject,
        })
    }

    /// Parses a selector.
    pub fn selector(self, text: &str) -> Result<Selector, Problem> {
        let terms = split_terms(TextPart::whole(text)).into_iter();
        let mut terms = terms
            .map(|term| self.term(term))
            .collect::<Result<Vec<_>, _>>()?;
        terms.sort_unstable();
        if terms.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            let fault = TextPart::whole(text).fault("a cell has one value of each swept parameter");
            return Err(fault.help("name each parameter once"));
        }
        Ok(Selector { terms })
    }

    /// The text of a selector; `None` of one that selects every cell.
    pub fn written(self, selector: &Selector) -> Option<String> {
        let terms = selector.terms.iter().map(|&(axis, value)| {
            let axis = &self.axes[axis];
            format!("{}={}", axis.name, axis.values[value])
        });
        let terms: Vec<String> = terms.collect();
        Some(terms.join(",")).filter(|text| !text.is_empty())
    }

    /// The only cell that a text names: by its name, or by values such as `load=0.5,servers=2`.
    pub fn cell(self, cells: &[Cell], text: &str) -> Option<usize> {
        let by_name = cells.iter().position(|cell| cell.name == text);
        by_name.or_else(|| {
            let selector = self.selector(text).ok()?;
            let mut selected =
                (0..cells.len()).filter(|&cell| self.selects(&selector, &cells[cell]));
            selected.next().filter(|_| selected.next().is_none())
        })
    }

    /// Returns whether the selector speaks of the cell.
    pub fn selects(self, selector: &Selector, cell: &Cell) -> bool {
        let mut terms = selector.terms.iter();
        terms.all(|&(axis, value)| cell.swept[axis].1 == self.axes[axis].values[value])
    }

    /// `PARAMETER=VALUE`, or a value alone that only one parameter has.
    fn term(self, term: TextPart) -> Result<(usize, usize), Problem> {
        let axes = self.axes.iter().enumerate();
        let mut alone = axes.filter_map(|(axis, swept)| Some((axis, find(swept, term.text)?)));
        match (alone.next(), alone.next()) {
            (Some(cell), None) => return Ok(cell),
            (Some((axis, _)), Some(_)) => {
                let name = &self.axes[axis].name;
                return Err(term
                    .fault("more than one swept parameter has this value")
                    .expected("expected PARAMETER=VALUE")
                    .help(format!("write it like `{name}={}`", term.text)));
            }
            (None, _) if self.axes.is_empty() => {
                return Err(term
                    .fault("there is nothing to select: the experiment sweeps no parameter")
                    .help("remove `where`"));
            }
            (None, _) => {}
        }
        let Some(at) = term.text.find('=') else {
            return Err(unknown_value(term, self.axes));
        };
        let (name, value) = term.around(at);
        let position = self.axes.iter().position(|axis| axis.name == name.text);
        let axis = position.ok_or_else(|| {
            let names = self.axes.iter().map(|axis| axis.name.as_str());
            name.fault(format!("`{}` is not swept", name.text))
                .expected("expected a parameter of [sweep]")
                .help(suggest::help(name.text, names))
        })?;
        let index = find(&self.axes[axis], value.text);
        let index = index.ok_or_else(|| unknown_value(value, &self.axes[axis..=axis]))?;
        Ok((axis, index))
    }

    fn subject(self, part: TextPart) -> Result<Subject, Problem> {
        match part
            .strip_prefix("diff")
            .and_then(|rest| rest.strip_prefix("("))
        {
            Some(rest) => self.difference(rest),
            None => self.statistic(part),
        }
    }

    fn statistic(self, part: TextPart) -> Result<Subject, Problem> {
        let Some(dot) = part.text.rfind('.') else {
            self.metric(part)?;
            return Err(part
                .fault("a statistic is missing")
                .expected("expected METRIC.STATISTIC")
                .help(format!("write it like `{}.mean`", part.text)));
        };
        let (name, stat) = part.around(dot);
        let metric = self.metric(name)?;
        Ok(Subject::Metric {
            metric,
            stat: statistic(&self.metrics[metric], stat)?,
        })
    }

    /// Parses the rest of a difference, after `diff(`.
    fn difference(self, part: TextPart) -> Result<Subject, Problem> {
        let close = closing(part.text).ok_or_else(|| {
            part.fault("the parenthesis is not closed")
                .expected("expected `)`")
        })?;
        let (values, path) = part.around(close);
        let path = path.strip_prefix(".").ok_or_else(|| {
            path.fault("a difference needs a metric")
                .expected("expected `.METRIC`")
        })?;
        let (name, stat) = match path.text.find('.') {
            Some(dot) => path.around(dot),
            None => (path, path.after(path.text.len())),
        };
        let metric = self.metric(name)?;
        if !matches!(stat.text, "" | "mean" | "rate") {
            return Err(stat
                .fault("only means can be subtracted")
                .expected("expected `mean` or nothing"));
        }
        let pair = self.pair(values)?;
        Ok(Subject::Difference {
            axis: pair.axis,
            first: pair.first,
            second: pair.second,
            metric,
        })
    }

    /// The metric of that name.
    pub fn metric_named(self, name: &str) -> Result<usize, Problem> {
        self.metric(TextPart::whole(name))
    }

    fn metric(self, name: TextPart) -> Result<usize, Problem> {
        let position = self
            .metrics
            .iter()
            .position(|metric| metric.name == name.text);
        position.ok_or_else(|| {
            let names = self.metrics.iter().map(|metric| &*metric.name);
            name.fault(format!("there is no metric `{}`", name.text))
                .expected("expected a metric of the task")
                .help(suggest::help(name.text, names))
        })
    }

    /// The two values inside `diff( )`, at whichever comma splits them into two of one axis.
    fn pair(self, part: TextPart) -> Result<ComparedPair, Problem> {
        let commas = part.text.match_indices(',').map(|(at, _)| part.around(at));
        let mut pairs: Vec<ComparedPair> = commas
            .flat_map(|(first, second)| self.pairs(first, second))
            .collect();
        match (pairs.pop(), pairs.is_empty()) {
            (None, _) => Err(self.unpaired(part)),
            (Some(_), false) => Err(part
                .fault("these are values of more than one swept parameter")
                .expected("expected `PARAMETER=A, PARAMETER=B`")),
            (Some(pair), true) if pair.first == pair.second => Err(part
                .fault("a difference needs two different values")
                .expected("expected two values")),
            (Some(pair), true) => Ok(pair),
        }
    }

    fn pairs(self, first: TextPart, second: TextPart) -> impl Iterator<Item = ComparedPair> {
        self.axes
            .iter()
            .enumerate()
            .filter_map(move |(index, axis)| {
                Some(ComparedPair {
                    axis: index,
                    first: find(axis, without_axis(axis, first.text))?,
                    second: find(axis, without_axis(axis, second.text))?,
                })
            })
    }

    /// Returns the problem with two values that make no pair.
    fn unpaired(self, part: TextPart) -> Problem {
        if self.axes.is_empty() {
            return part
                .fault("there is nothing to subtract: the experiment sweeps no parameter")
                .help("give the parameter to compare a list of values under [sweep]");
        }
        let Some(comma) = part.text.find(',') else {
            return part
                .fault("a difference needs two values")
                .expected("expected `A, B`");
        };
        let (first, second) = part.around(comma);
        let is_known = |value: &TextPart| {
            let mut axes = self.axes.iter();
            axes.any(|axis| find(axis, without_axis(axis, value.text)).is_some())
        };
        match [first, second].into_iter().find(|value| !is_known(value)) {
            Some(value) => unknown_value(value, self.axes),
            None => part
                .fault("these are values of different parameters")
                .expected("expected two values of one swept parameter"),
        }
    }
}

/// Two values of one axis, by index.
struct ComparedPair {
    axis: usize,
    first: usize,
    second: usize,
}

/// The relation a part starts with, and the rest.
fn relation(part: TextPart) -> Option<(Relation, TextPart)> {
    let named = (Relation::ALL.into_iter())
        .filter_map(|relation| Some((relation, part.strip_prefix(relation.name())?)));
    // `<` is also the start of `<=`.
    named.max_by_key(|(relation, _)| relation.name().len())
}

fn statistic(metric: &Metric, part: TextPart) -> Result<Stat, Problem> {
    let known = statistics(metric.kind);
    let stat = match part.text {
        "mean" | "rate" => Some(Stat::Mean),
        "min" => Some(Stat::Min),
        "max" => Some(Stat::Max),
        "sd" => Some(Stat::Sd),
        "median" => Some(Stat::Quantile(0.5)),
        text => quantile(text),
    };
    let word = match stat {
        Some(Stat::Quantile(_)) => "median",
        _ => part.text,
    };
    stat.filter(|_| known.contains(&word)).ok_or_else(|| {
        part.fault(format!(
            "`{}` has no statistic `{}`",
            metric.name, part.text
        ))
        .expected("expected a statistic of the metric")
        .help(suggest::help(part.text, known.iter().copied()))
    })
}

/// The statistics of a kind of metric; where there is a median, there are quantiles.
fn statistics(kind: MetricKind) -> &'static [&'static str] {
    match kind {
        MetricKind::Flag | MetricKind::Pair => &["mean", "rate"],
        MetricKind::Integer => &["mean", "min", "max", "sd", "median", "q05", "q95"],
        MetricKind::Total | MetricKind::Number => &["mean", "min", "max", "sd"],
        MetricKind::Ratio | MetricKind::Weight => &["mean"],
    }
}

/// `q05` is 0.05, `q975` is 0.975: two to six digits after the point.
fn quantile(text: &str) -> Option<Stat> {
    let digits = text.strip_prefix('q')?;
    let fits = (2..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let probability: f64 = format!("0.{digits}").parse().ok()?;
    (fits && probability > 0.0).then_some(Stat::Quantile(probability))
}

/// The position of the parenthesis that closes one opened before the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Splits at commas that a name and `=` follow; other commas belong to values.
fn split_terms(part: TextPart) -> Vec<TextPart> {
    let mut terms = Vec::new();
    let mut rest = part;
    let mut from = 0;
    while let Some(comma) = rest.text.get(from..).and_then(|text| text.find(',')) {
        let at = from + comma;
        let (term, next) = rest.around(at);
        if starts_a_term(next.text) {
            terms.push(term);
            rest = next;
            from = 0;
        } else {
            from = at + 1;
        }
    }
    terms.push(rest);
    terms
}

fn starts_a_term(text: &str) -> bool {
    let is_name = |name: &str| {
        name.chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
    };
    text.split_once('=')
        .is_some_and(|(name, _)| is_name(name.trim()))
}

fn find(axis: &Axis, text: &str) -> Option<usize> {
    let number: Option<f64> = text.replace('_', "").parse().ok();
    axis.values.iter().position(|value| match *value {
        ParamValue::Number(value) => number == Some(value),
        _ => value.to_string() == text,
    })
}

fn without_axis<'a>(axis: &Axis, text: &'a str) -> &'a str {
    let value = text
        .strip_prefix(axis.name.as_str())
        .and_then(|rest| rest.trim_start().strip_prefix('='));
    value.map_or(text, str::trim_start)
}

fn unknown_value(part: TextPart, axes: &[Axis]) -> Problem {
    let values = axes.iter().flat_map(|axis| &axis.values);
    let names: Vec<String> = values.map(ParamValue::to_string).collect();
    part.fault(format!("`{}` is not a swept value", part.text))
        .expected("expected a value of [sweep]")
        .help(suggest::help(part.text, names.iter().map(String::as_str)))
}

#[cfg(test)]
mod tests {
    use super::super::threshold;
    use super::*;

    const METRICS: [Metric; 4] = [
        Metric::flag("win-rate", ""),
        Metric::integer("score", "cards", (0, 52), ""),
        Metric::total("nodes", "nodes", ""),
        Metric::pair("half-points", ""),
    ];

    fn axis(name: &'static str, values: &[&str]) -> Axis {
        let values = values
            .iter()
            .map(|&value| ParamValue::Text(value.to_owned().into()));
        Axis {
            name: name.to_owned(),
            values: values.collect(),
        }
    }

    fn axes() -> [Axis; 2] {
        [
            axis("fox", &["random", "search(2, 3)", "last"]),
            axis("layout", &["0:8,1:7", "5:1", "last"]),
        ]
    }

    fn holds(text: &str) -> Holds {
        let axes = axes();
        let scope = Scope {
            metrics: &METRICS,
            axes: &axes,
        };
        scope
            .holds(text)
            .unwrap_or_else(|problem| panic!("{problem:?}"))
    }

    #[test]
    fn every_statistic_and_relation_is_understood() {
        let cases = [
            ("score.mean < 11", 1, Stat::Mean, Relation::Less),
            ("score.min<=11", 1, Stat::Min, Relation::AtMost),
            (" score.max > 11 ", 1, Stat::Max, Relation::Greater),
            ("nodes.sd>=11", 2, Stat::Sd, Relation::AtLeast),
            (
                "score.median > 1_1.0",
                1,
                Stat::Quantile(0.5),
                Relation::Greater,
            ),
            (
                "score.q05 > 1.1e1",
                1,
                Stat::Quantile(0.05),
                Relation::Greater,
            ),
            (
                "score.q975 > 11",
                1,
                Stat::Quantile(0.975),
                Relation::Greater,
            ),
            ("nodes . mean > +11", 2, Stat::Mean, Relation::Greater),
        ];
        for (text, metric, stat, relation) in cases {
            let expected = Holds {
                subject: Subject::Metric { metric, stat },
                test: ClaimTest::Compare(relation, 11.0),
            };
            assert_eq!(holds(text), expected, "{text}");
        }
    }

    #[test]
    fn differences_recognise_values_with_commas_and_parentheses() {
        let cases = [
            ("diff(random, search(2, 3)).win-rate > -0.05", 0, 0, 1),
            ("diff(search(2, 3),last).score.mean > -0.05", 0, 1, 2),
            ("diff (5:1, 0:8,1:7).score > -5e-2", 1, 1, 0),
            ("diff(layout=last, layout = 0:8,1:7).score > -0.05", 1, 2, 0),
        ];
        for (text, axis, first, second) in cases {
            let holds = holds(text);
            assert_eq!(holds.test.number(), -0.05);
            let Subject::Difference {
                axis: a,
                first: f,
                second: s,
                ..
            } = holds.subject
            else {
                panic!("{text} is a difference");
            };
            assert_eq!([a, f, s], [axis, first, second], "{text}");
        }
    }

    #[test]
    fn selectors_keep_the_commas_of_values() {
        let axes = axes();
        let scope = Scope {
            metrics: &METRICS,
            axes: &axes,
        };
        let terms = |text| scope.selector(text).map(|selector| selector.terms);
        assert_eq!(terms("layout=0:8,1:7"), Ok(vec![(1, 0)]));
        assert_eq!(
            terms("layout = 0:8,1:7, fox=search(2, 3)"),
            Ok(vec![(0, 1), (1, 0)])
        );
        assert_eq!(terms("5:1,fox=last"), Ok(vec![(0, 2), (1, 1)]));
        let both = terms("last").unwrap_err();
        assert_eq!(both.message, "more than one swept parameter has this value");
        let twice = terms("fox=random,fox=last").unwrap_err();
        assert_eq!(
            twice.message,
            "a cell has one value of each swept parameter"
        );
    }

    #[test]
    fn numbers_that_are_not_finite_are_none() {
        for text in ["nan", "inf", "-infinity", "1e999", "0x10", "%", "1 2", ""] {
            assert!(
                threshold::number(TextPart::whole(text), &METRICS[0]).is_err(),
                "{text}"
            );
        }
        assert!(threshold::number(TextPart::whole("5 %"), &METRICS[1]).is_err());
    }

    #[test]
    fn shares_may_be_given_in_per_cent() {
        for text in [
            "win-rate.rate > 40 %",
            "win-rate.mean > 40%",
            "half-points.mean > 0.4",
        ] {
            assert_eq!(holds(text).test.number(), 0.4, "{text}");
        }
        let difference = holds("diff(random, last).win-rate > -5 %");
        assert_eq!(difference.test.number(), -0.05);
    }

    #[test]
    fn a_threshold_that_is_never_reached_is_refused_with_the_likely_meaning() {
        let axes = axes();
        let scope = Scope {
            metrics: &METRICS,
            axes: &axes,
        };
        let fault = |text| scope.holds(text).unwrap_err();
        let share = fault("win-rate.mean > 40");
        assert_eq!(
            share.message,
            "`win-rate` lies between 0 % and 100 %, so it never reaches 4000 %"
        );
        assert_eq!(
            share.help.as_deref(),
            Some("for 40 per cent, write `40 %` or `0.4`")
        );
        for text in [
            "score.max <= 53",
            "score.mean < -1",
            "diff(random, last).score > 53",
            "half-points.mean > 2",
        ] {
            assert!(fault(text).message.contains("never reaches"), "{text}");
        }
        for text in [
            "score.max <= 52",
            "diff(random, last).score > -52",
            "nodes.mean > 1e12",
        ] {
            holds(text);
        }
    }

    #[test]
    fn quantiles_lie_inside_zero_and_one() {
        for text in ["q", "q5", "q00", "q000000", "q1234567", "q-5", "q+5", "q٣٤"] {
            assert_eq!(quantile(text), None, "{text}");
        }
    }
}
