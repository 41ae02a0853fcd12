//! The grammar of a claim's relation and selector.
//!
//! ```text
//! holds    = subject (("<" | "<=" | ">" | ">=") number ["%"] | "agrees" published)
//! published = number ["%"] [("+-" | "±") number ["%"] ["at" number "%"]]
//! subject  = metric "." stat | "diff(" value "," value ")." metric [".mean"]
//! stat     = "mean" | "rate" | "min" | "max" | "median" | "q" digits
//! selector = term {"," term}
//! term     = axis "=" value | value
//! ```
//!
//! Values are those of the sweep and may hold commas and parentheses, so they are recognised, not
//! scanned; in `diff` each may carry its axis: `diff(fox=random, fox=clever).win`. Faults have
//! their place within the string.

use strum::IntoEnumIterator;

use base::decimal;
use stats::Relation;
use task::{Metric, MetricKind, ParamValue};

use super::document::KeyPath;
use super::error::{Checked, Problem, position_of};
use super::published::{published, threshold};
use super::text_part::{TextPart, around_word};
use super::{Axes, Cell, ClaimTest, Selector, Stat, Subject, suggest};

/// The metrics, axes and cells that names in a claim may refer to.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(crate) metrics: &'a [Metric],
    pub(crate) axes: &'a Axes,
    pub(crate) cells: &'a [Cell],
}

impl Scope<'_> {
    /// Parses a relation.
    pub(crate) fn holds(self, text: &str) -> Checked<(Subject, ClaimTest)> {
        let whole = TextPart::whole(text);
        if let Some((left, right)) = around_word(whole, ClaimTest::AGREES) {
            let subject = self.subject(left)?;
            check_interval(&subject, left)?;
            let published = published(&subject, self.metric_of(&subject), right)?;
            return Ok((subject, ClaimTest::Agrees(published)));
        }
        let sides = whole.text.find(['<', '>']).map(|at| whole.split_at(at));
        let split = sides.and_then(|(left, rest)| {
            let (relation, number) = relation(rest.text)?;
            Some((left, relation, rest.after(rest.text.len() - number.len())))
        });
        let (left, relation, right) = split.ok_or_else(|| {
            (whole.fault("a claim needs a relation"))
                .expected("expected `<`, `<=`, `>`, `>=` or `agrees`")
                .help("write it like `score.mean < 11`")
        })?;
        let subject = self.subject(left)?;
        let threshold = threshold(&subject, self.metric_of(&subject), right)?;
        Ok((subject, ClaimTest::Compare(relation, threshold)))
    }

    fn metric_of(&self, subject: &Subject) -> &Metric {
        let (Subject::Metric { metric, .. } | Subject::Difference { metric, .. }) = *subject;
        &self.metrics[metric]
    }

    /// Parses a selector.
    pub(crate) fn selector(self, text: &str) -> Checked<Selector> {
        let whole = TextPart::whole(text);
        let terms = split_terms(whole).into_iter();
        let terms = terms.map(|term| self.term(term));
        let mut terms = terms.collect::<Checked<Vec<_>>>()?;
        terms.sort_unstable();
        if terms.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            let fault = whole.fault("a cell has one value of each swept parameter");
            return Err(fault.help("name each parameter once"));
        }
        Ok(Selector { terms })
    }

    /// Compiles the key `where` at a place, and writes it as every selector is written. Without it,
    /// all cells are meant.
    pub(crate) fn selector_at(
        self,
        text: &mut Option<String>,
        place: &KeyPath,
    ) -> Checked<Selector> {
        let Some(written) = text else {
            return Ok(Selector::default());
        };
        let selector = self.selector(written);
        let selector = selector.map_err(|problem| place.within(written, problem))?;
        let terms = selector.terms.iter().filter_map(|&(axis, value)| {
            let (name, values) = self.axes.get_index(axis)?;
            Some(format!("{name}={}", values[value]))
        });
        *written = terms.collect::<Vec<_>>().join(",");
        Ok(selector)
    }

    /// The only cell that a text names: by its name, or by values such as `load=0.5,servers=2`.
    pub(crate) fn cell(self, text: &str) -> Option<usize> {
        let by_name = self.cells.iter().position(|cell| cell.name == text);
        by_name.or_else(|| {
            let selector = self.selector(text).ok()?;
            let mut selected =
                (0..self.cells.len()).filter(|&cell| self.selects(&selector, &self.cells[cell]));
            selected.next().filter(|_| selected.next().is_none())
        })
    }

    /// Returns whether the selector speaks of the cell.
    pub(crate) fn selects(self, selector: &Selector, cell: &Cell) -> bool {
        let mut terms = selector.terms.iter();
        terms.all(|&(axis, value)| cell.swept[axis].1 == self.axes[axis][value])
    }

    /// `PARAMETER=VALUE`, or a value alone that only one parameter has.
    fn term(self, term: TextPart) -> Checked<(usize, usize)> {
        let axes = self.axes.iter().enumerate();
        let mut alone =
            axes.filter_map(|(axis, (name, values))| Some((axis, name, find(values, term.text)?)));
        match (alone.next(), alone.next()) {
            (Some((axis, _, value)), None) => return Ok((axis, value)),
            (Some((_, name, _)), Some(_)) => {
                return Err((term.fault("more than one swept parameter has this value"))
                    .expected("expected PARAMETER=VALUE")
                    .help(format!("write it like `{name}={}`", term.text)));
            }
            (None, _) if self.axes.is_empty() => {
                let message = "there is nothing to select: the experiment sweeps no parameter";
                return Err(term.fault(message).help("remove `where`"));
            }
            (None, _) => {}
        }
        let Some(at) = term.text.find('=') else {
            return Err(unknown_value(term, self.axes.values()));
        };
        let (name, value) = term.around(at);
        let unswept = || {
            let fault = name.fault(format!("`{}` is not swept", name.text));
            fault.expected("expected a parameter of [sweep]")
        };
        let axis = position_of(name.text, self.axes.keys().map(String::as_str), unswept)?;
        let values = &self.axes[axis];
        let index = find(values, value.text).ok_or_else(|| unknown_value(value, [values]))?;
        Ok((axis, index))
    }

    fn subject(self, part: TextPart) -> Checked<Subject> {
        let difference = part.strip_prefix("diff");
        match difference.and_then(|rest| rest.strip_prefix("(")) {
            Some(rest) => self.difference(rest),
            None => self.statistic(part),
        }
    }

    fn statistic(self, part: TextPart) -> Checked<Subject> {
        let Some(dot) = part.text.rfind('.') else {
            self.metric(part)?;
            return Err((part.fault("a statistic is missing"))
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
    fn difference(self, part: TextPart) -> Checked<Subject> {
        let close = closing(part.text).ok_or_else(|| {
            let problem = part.fault("the parenthesis is not closed");
            problem.expected("expected `)`")
        })?;
        let (values, path) = part.around(close);
        let path = path.strip_prefix(".").ok_or_else(|| {
            let problem = path.fault("a difference needs a metric");
            problem.expected("expected `.METRIC`")
        })?;
        let (name, stat) = match path.text.find('.') {
            Some(dot) => path.around(dot),
            None => (path, path.after(path.text.len())),
        };
        let metric = self.metric(name)?;
        if !matches!(stat.text, "" | "mean" | "rate") {
            let problem = stat.fault("only means can be subtracted");
            return Err(problem.expected("expected `mean` or nothing"));
        }
        let (axis, [first, second]) = self.pair(values)?;
        Ok(Subject::Difference {
            axis,
            first,
            second,
            metric,
        })
    }

    fn metric(self, name: TextPart) -> Checked<usize> {
        metric(self.metrics, name.text, |message| name.fault(message))
    }

    /// The axis of the two values inside `diff( )`, and their indices on it: at whichever comma
    /// splits the text into two values of one axis.
    fn pair(self, part: TextPart) -> Checked<(usize, [usize; 2])> {
        let commas = part.text.match_indices(',').map(|(at, _)| part.around(at));
        let mut pairs: Vec<_> = commas
            .flat_map(|(first, second)| self.pairs([first, second]))
            .collect();
        match (pairs.pop(), pairs.is_empty()) {
            (None, _) => Err(self.unpaired(part)),
            (Some(_), false) => Err((part
                .fault("these are values of more than one swept parameter"))
            .expected("expected `PARAMETER=A, PARAMETER=B`")),
            (Some((_, [first, second])), true) if first == second => Err((part
                .fault("a difference needs two different values"))
            .expected("expected two values")),
            (Some(pair), true) => Ok(pair),
        }
    }

    fn pairs(self, sides: [TextPart; 2]) -> impl Iterator<Item = (usize, [usize; 2])> {
        let axes = self.axes.iter().enumerate();
        axes.filter_map(move |(axis, (name, values))| {
            let [first, second] = sides.map(|side| find(values, without_name(name, side.text)));
            Some((axis, [first?, second?]))
        })
    }

    /// Returns the problem with two values that make no pair.
    fn unpaired(self, part: TextPart) -> Problem {
        if self.axes.is_empty() {
            return (part
                .fault("there is nothing to subtract: the experiment sweeps no parameter"))
            .help("give the parameter to compare a list of values under [sweep]");
        }
        let Some(comma) = part.text.find(',') else {
            let problem = part.fault("a difference needs two values");
            return problem.expected("expected `A, B`");
        };
        let (first, second) = part.around(comma);
        match [first, second]
            .into_iter()
            .find(|&value| self.pairs([value; 2]).next().is_none())
        {
            Some(value) => unknown_value(value, self.axes.values()),
            None => (part.fault("these are values of different parameters"))
                .expected("expected two values of one swept parameter"),
        }
    }
}

/// The index of the metric that the text at a place names.
pub(super) fn metric_at(metrics: &[Metric], name: &str, place: &KeyPath) -> Checked<usize> {
    metric(metrics, name, |message| place.fault(message))
}

fn metric(metrics: &[Metric], name: &str, fault: impl FnOnce(String) -> Problem) -> Checked<usize> {
    let names = metrics.iter().map(|metric| &*metric.name);
    let unknown = || fault(format!("there is no metric `{name}`"));
    position_of(name, names, || {
        unknown().expected("expected a metric of the task")
    })
}

/// The relation that a text starts with, and the rest.
pub(super) fn relation(text: &str) -> Option<(Relation, &str)> {
    let named = (Relation::iter())
        .filter_map(|relation| Some((relation, text.strip_prefix(relation.as_ref())?)));
    // `<` is also the start of `<=`.
    named.min_by_key(|(_, rest)| rest.len())
}

fn statistic(metric: &Metric, part: TextPart) -> Checked<Stat> {
    let known = statistics(metric.kind);
    let stat = match part.text {
        "mean" | "rate" => Some(Stat::Mean),
        "median" => Some(Stat::Quantile(0.5)),
        text => text
            .parse()
            .map_or_else(|_| quantile(text), |extreme| Some(Stat::Extreme(extreme))),
    };
    let word = match stat {
        Some(Stat::Quantile(_)) => "median",
        _ => part.text,
    };
    stat.filter(|_| known.contains(&word)).ok_or_else(|| {
        (part.fault(format!(
            "`{}` has no statistic `{}`",
            metric.name, part.text
        )))
        .expected("expected a statistic of the metric")
        .help(suggest::help(part.text, known.iter().copied()))
    })
}

/// The statistics of a kind of metric; where there is a median, there are quantiles.
fn statistics(kind: MetricKind) -> &'static [&'static str] {
    match kind {
        MetricKind::Flag | MetricKind::Pair => &["mean", "rate"],
        MetricKind::Integer => &["mean", "min", "max", "median", "q05", "q95"],
        MetricKind::Total | MetricKind::Number => &["mean", "min", "max"],
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
    text.find(|letter| {
        depth += match letter {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0
    })
}

/// Splits at commas that a name and `=` follow; other commas belong to values.
fn split_terms(part: TextPart) -> Vec<TextPart> {
    let is_name = |name: &str| {
        let mut letters = name.chars();
        letters.all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
    };
    let starts_a_term = |&(at, _): &(usize, &str)| {
        let next = part.text[at + 1..].split_once('=');
        next.is_some_and(|(name, _)| is_name(name.trim()))
    };
    let commas = part.text.match_indices(',').filter(starts_a_term);
    let (mut terms, mut rest) = (Vec::new(), part);
    for (at, _) in commas.rev() {
        let (before, term) = rest.around(at);
        terms.push(term);
        rest = before;
    }
    terms.push(rest);
    terms.reverse();
    terms
}

/// The index of the value of an axis that a text stands for.
fn find(values: &[ParamValue], text: &str) -> Option<usize> {
    let number = decimal::real(&text.replace('_', ""));
    values.iter().position(|value| match *value {
        ParamValue::Number(value) => number == Some(value),
        _ => value.to_string() == text,
    })
}

/// A value that may carry the name of its axis, without it.
fn without_name<'a>(name: &str, text: &'a str) -> &'a str {
    let rest = text.strip_prefix(name);
    let value = rest.and_then(|rest| rest.trim_start().strip_prefix('='));
    value.map_or(text, str::trim_start)
}

fn unknown_value<'a>(
    part: TextPart,
    axes: impl IntoIterator<Item = &'a Vec<ParamValue>>,
) -> Problem {
    let values = axes.into_iter().flatten();
    let names: Vec<String> = values.map(ParamValue::to_string).collect();
    (part.fault(format!("`{}` is not a swept value", part.text)))
        .expected("expected a value of [sweep]")
        .help(suggest::help(part.text, names.iter().map(String::as_str)))
}

/// Refuses a statistic that has no interval, so that no difference from it could be one of chance.
fn check_interval(subject: &Subject, part: TextPart) -> Checked {
    match subject {
        Subject::Metric {
            stat: Stat::Extreme(_),
            ..
        } => {
            let problem = part.fault("`agrees` compares intervals, and this statistic has none");
            Err(problem.expected("expected a mean, a rate, a quantile or a difference"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::number;
    use stats::{Extreme, Published};
    use task::UNITLESS;

    static METRICS: [Metric; 5] = [
        Metric::flag("win-rate", ""),
        Metric::integer("score", "cards", (0, 52), ""),
        Metric::total("nodes", "nodes", ""),
        Metric::pair("half-points", ""),
        Metric::integer("lines", UNITLESS, (0, 10), ""),
    ];

    fn axes() -> Axes {
        let axis = |(name, values): (&str, [&str; 3])| {
            let values = values.map(|value| ParamValue::Text(value.to_owned().into()));
            (name.to_owned(), values.to_vec())
        };
        let axes = [
            ("fox", ["random", "search(2, 3)", "last"]),
            ("layout", ["0:8,1:7", "5:1", "last"]),
        ];
        axes.map(axis).into_iter().collect()
    }

    fn scope(axes: &Axes) -> Scope<'_> {
        Scope {
            metrics: &METRICS,
            axes,
            cells: &[],
        }
    }

    fn holds(text: &str) -> (Subject, ClaimTest) {
        let holds = scope(&axes()).holds(text);
        holds.unwrap_or_else(|problem| panic!("{problem:?}"))
    }

    #[test]
    fn every_statistic_and_relation_is_understood() {
        let cases = [
            ("score.mean < 11", 1, Stat::Mean, Relation::Less),
            (
                "score.min<=11",
                1,
                Stat::Extreme(Extreme::Min),
                Relation::AtMost,
            ),
            (
                " score.max > 11 ",
                1,
                Stat::Extreme(Extreme::Max),
                Relation::Greater,
            ),
            (
                "nodes.max>=11",
                2,
                Stat::Extreme(Extreme::Max),
                Relation::AtLeast,
            ),
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
            let subject = Subject::Metric { metric, stat };
            let expected = (subject, ClaimTest::Compare(relation, 11.0));
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
            assert_eq!(holds.1.number(), -0.05);
            let Subject::Difference {
                axis: a,
                first: f,
                second: s,
                ..
            } = holds.0
            else {
                panic!("{text} is a difference");
            };
            assert_eq!([a, f, s], [axis, first, second], "{text}");
        }
    }

    #[test]
    fn selectors_keep_the_commas_of_values() {
        let axes = axes();
        let scope = scope(&axes);
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
                number(TextPart::whole(text), &METRICS[0]).is_err(),
                "{text}"
            );
        }
        assert!(number(TextPart::whole("5 %"), &METRICS[1]).is_err());
    }

    #[test]
    fn shares_may_be_given_in_per_cent() {
        for text in [
            "win-rate.rate > 40 %",
            "win-rate.mean > 40%",
            "half-points.mean > 0.4",
        ] {
            assert_eq!(holds(text).1.number(), 0.4, "{text}");
        }
        let difference = holds("diff(random, last).win-rate > -5 %");
        assert_eq!(difference.1.number(), -0.05);
    }

    #[test]
    fn a_threshold_that_is_never_reached_is_refused_with_the_likely_meaning() {
        let axes = axes();
        let scope = scope(&axes);
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
        assert_eq!(
            fault("lines.max <= 11").message,
            "`lines` lies between 0 and 10, so it never reaches 11"
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

    static SCORES: [Metric; 2] = [
        Metric::flag("win", ""),
        Metric::integer("score", "cards", (0, 52), ""),
    ];

    fn read(metric: usize, text: &str) -> Result<Published, Problem> {
        let stat = Stat::Mean;
        let subject = Subject::Metric { metric, stat };
        published(&subject, &SCORES[metric], TextPart::whole(text))
    }

    #[test]
    fn values_have_an_error_and_a_level() {
        let cases = [
            (0, "0.81945 +- 0.00084", (0.81945, 0.00084, 0.95)),
            (0, "0.5±0.25", (0.5, 0.25, 0.95)),
            (0, "50 % ± 25 % at 68.27 %", (0.5, 0.25, 0.6827)),
            (1, "11 +- 1e-1 at 99%", (11.0, 0.1, 0.99)),
            (1, "11", (11.0, 0.0, 0.95)),
            (1, "11 +- 0", (11.0, 0.0, 0.95)),
        ];
        for (metric, text, (value, error, level)) in cases {
            let published = read(metric, text).unwrap();
            assert_eq!((published.value, published.error), (value, error), "{text}");
            assert!((published.level.get() - level).abs() < 1e-12, "{text}");
        }
    }

    #[test]
    fn faults_say_what_was_expected() {
        let cases = [
            (
                0,
                "0.8 +- 1 %",
                "one of these numbers is in per cent and the other is not",
            ),
            (0, "80 +- 1", "never reaches 8000 %"),
            (0, "0.8 +- -0.1", "an error is not negative"),
            (0, "0.8 +-", "the number is missing"),
            (0, "", "the number is missing"),
            (0, "0.8 +- 0.1 at 95", "`95` is not the level of an error"),
            (
                0,
                "0.8 +- 0.1 at 30 %",
                "`30 %` is not the level of an error",
            ),
            (
                0,
                "0.8 +- 0.1 at 100 %",
                "`100 %` is not the level of an error",
            ),
            (0, "0.8 at 95 %", "`0.8 at 95 %` is not a number"),
            (1, "11 % ± 1 %", "`score` is in cards, not a share"),
        ];
        for (metric, text, expected) in cases {
            let message = read(metric, text).unwrap_err().message;
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn the_word_stands_alone() {
        let told = |text| {
            let both = around_word(TextPart::whole(text), ClaimTest::AGREES);
            both.map(|(subject, rest)| (subject.text, rest.text))
        };
        assert_eq!(told("win.mean agrees 0.5"), Some(("win.mean", "0.5")));
        assert_eq!(told("win.mean agrees"), Some(("win.mean", "")));
        for text in [
            "agrees.mean > 1",
            "agrees 5",
            "disagrees.mean < 1",
            "win.meanagrees 1",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
    }
}
