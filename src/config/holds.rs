//! The grammar of a claim's relation and selector.
//!
//! ```text
//! holds    = subject ("<" | "<=" | ">" | ">=") number
//! subject  = metric "." stat | "diff(" value "," value ")." metric [".mean"]
//! stat     = "mean" | "rate" | "min" | "max" | "sd" | "median" | "q" digits
//! selector = axis "=" value {"," axis "=" value}
//! ```
//!
//! Values are those of the sweep and may hold commas and parentheses, so they are recognised, not
//! scanned; in `diff` each may carry its axis: `diff(fox=random, fox=clever).win`. Faults have
//! their place within the string.

use std::ops::Range;

use crate::task::{Metric, MetricKind, ParamValue};

use super::error::Problem;
use super::{Axis, Selector, Stat, Subject, suggest};
use crate::stats::Relation;

/// A parsed relation.
#[derive(Debug, PartialEq)]
pub(super) struct Holds {
    pub subject: Subject,
    pub relation: Relation,
    pub number: f64,
}

/// What names in a claim may refer to.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub metrics: &'a [Metric],
    pub axes: &'a [Axis],
}

/// A part of a string that knows where it stands.
#[derive(Clone, Copy)]
struct Part<'a> {
    text: &'a str,
    start: usize,
}

impl<'a> Part<'a> {
    fn whole(text: &'a str) -> Self {
        Self { text, start: 0 }.trim()
    }

    fn span(self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    fn split_at(self, at: usize) -> (Self, Self) {
        let (text, rest) = self.text.split_at(at);
        let start = self.start + at;
        (Self { text, ..self }.trim(), Self { text: rest, start })
    }

    /// The trimmed parts before and after the one-byte character at `at`.
    fn around(self, at: usize) -> (Self, Self) {
        let (before, after) = self.split_at(at);
        (before, after.after(1))
    }

    /// The trimmed rest after the first `bytes`.
    fn after(self, bytes: usize) -> Self {
        let text = self.text.get(bytes..).unwrap_or_default();
        let start = self.start + bytes.min(self.text.len());
        Self { text, start }.trim()
    }

    fn strip_prefix(self, prefix: &str) -> Option<Self> {
        self.text
            .starts_with(prefix)
            .then(|| self.after(prefix.len()))
    }

    fn trim(self) -> Self {
        let text = self.text.trim_start();
        let start = self.start + self.text.len() - text.len();
        let text = text.trim_end();
        Self { text, start }
    }

    fn fault(self, message: impl Into<String>) -> Problem {
        Problem::at(self.span(), message)
    }
}

impl Scope<'_> {
    /// Parses a relation.
    pub fn holds(self, text: &str) -> Result<Holds, Problem> {
        let whole = Part::whole(text);
        let Some(at) = whole.text.find(['<', '>']) else {
            return Err(whole
                .fault("a claim needs a relation")
                .expected("expected `<`, `<=`, `>` or `>=`")
                .help("write it like `score.mean < 11`"));
        };
        let (subject, rest) = whole.split_at(at);
        let (relation, rest) = relation(rest);
        Ok(Holds {
            subject: self.subject(subject)?,
            relation,
            number: number(rest)?,
        })
    }

    /// Parses a selector.
    pub fn selector(self, text: &str) -> Result<Selector, Problem> {
        let terms = split_terms(Part::whole(text)).into_iter();
        let mut terms = terms
            .map(|term| self.term(term))
            .collect::<Result<Vec<_>, _>>()?;
        terms.sort_unstable();
        if terms.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            let fault = Part::whole(text).fault("a cell has one value of each swept parameter");
            return Err(fault.help("name each parameter once"));
        }
        Ok(Selector { terms })
    }

    fn term(self, term: Part) -> Result<(usize, usize), Problem> {
        let Some(at) = term.text.find('=') else {
            return Err(term
                .fault("this selects no cells")
                .expected("expected PARAMETER=VALUE")
                .help("write it like `strategy=greedy`"));
        };
        let (name, value) = term.around(at);
        let position = self.axes.iter().position(|axis| axis.name == name.text);
        let axis = position.ok_or_else(|| {
            let names = self.axes.iter().map(|axis| axis.name);
            name.fault(format!("`{}` is not swept", name.text))
                .expected("expected a parameter of [sweep]")
                .help(suggest::help(name.text, names))
        })?;
        let index = find(&self.axes[axis], value.text);
        let index = index.ok_or_else(|| unknown_value(value, &self.axes[axis..=axis]))?;
        Ok((axis, index))
    }

    fn subject(self, part: Part) -> Result<Subject, Problem> {
        match part
            .strip_prefix("diff")
            .and_then(|rest| rest.strip_prefix("("))
        {
            Some(rest) => self.difference(rest),
            None => self.statistic(part),
        }
    }

    fn statistic(self, part: Part) -> Result<Subject, Problem> {
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

    /// What follows `diff(`.
    fn difference(self, part: Part) -> Result<Subject, Problem> {
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

    fn metric(self, name: Part) -> Result<usize, Problem> {
        let position = self
            .metrics
            .iter()
            .position(|metric| metric.name == name.text);
        position.ok_or_else(|| {
            let names = self.metrics.iter().map(|metric| metric.name);
            name.fault(format!("there is no metric `{}`", name.text))
                .expected("expected a metric of the task")
                .help(suggest::help(name.text, names))
        })
    }

    /// The two values inside `diff( )`, at whichever comma splits them into two of one axis.
    fn pair(self, part: Part) -> Result<Pair, Problem> {
        let commas = part.text.match_indices(',').map(|(at, _)| part.around(at));
        let mut pairs: Vec<Pair> = commas
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

    fn pairs(self, first: Part, second: Part) -> impl Iterator<Item = Pair> {
        self.axes
            .iter()
            .enumerate()
            .filter_map(move |(index, axis)| {
                Some(Pair {
                    axis: index,
                    first: find(axis, without_axis(axis, first.text))?,
                    second: find(axis, without_axis(axis, second.text))?,
                })
            })
    }

    /// Why two values make no pair.
    fn unpaired(self, part: Part) -> Problem {
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
        let is_known = |value: &Part| {
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
struct Pair {
    axis: usize,
    first: usize,
    second: usize,
}

fn relation(part: Part) -> (Relation, Part) {
    let signs = [
        ("<=", Relation::AtMost),
        (">=", Relation::AtLeast),
        ("<", Relation::Less),
    ];
    let found =
        (signs.into_iter()).find_map(|(sign, relation)| Some((relation, part.strip_prefix(sign)?)));
    found.unwrap_or((Relation::Greater, part.after(1)))
}

fn number(part: Part) -> Result<f64, Problem> {
    let digits = part.text.replace('_', "");
    let number = digits
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| {
        let message = match part.text {
            "" => "the number is missing".to_owned(),
            text => format!("`{text}` is not a number"),
        };
        part.fault(message).expected("expected a number")
    })
}

fn statistic(metric: &Metric, part: Part) -> Result<Stat, Problem> {
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
        MetricKind::Integer { .. } => &["mean", "min", "max", "sd", "median", "q05", "q95"],
        MetricKind::Total => &["mean", "min", "max", "sd"],
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
fn split_terms(part: Part) -> Vec<Part> {
    let mut terms = Vec::new();
    let mut rest = part;
    let mut from = 0;
    while let Some(found) = rest.text.get(from..).and_then(|text| text.find(',')) {
        let at = from + found;
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
    axis.values
        .iter()
        .position(|value| value.to_string() == text)
}

fn without_axis<'a>(axis: &Axis, text: &'a str) -> &'a str {
    let value = text
        .strip_prefix(axis.name)
        .and_then(|rest| rest.trim_start().strip_prefix('='));
    value.map_or(text, str::trim_start)
}

fn unknown_value(part: Part, axes: &[Axis]) -> Problem {
    let values = axes.iter().flat_map(|axis| &axis.values);
    let names: Vec<String> = values.map(ParamValue::to_string).collect();
    part.fault(format!("`{}` is not a swept value", part.text))
        .expected("expected a value of [sweep]")
        .help(suggest::help(part.text, names.iter().map(String::as_str)))
}
