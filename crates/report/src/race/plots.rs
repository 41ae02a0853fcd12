//! The pictures of a benchmark.

use experiment::Experiment;
use lab::run::RaceCosts;
use lab::tables::swept_series;
use stats::speed::{Cost, TimePair, median_time, typical};
use stats::{Level, Span};

use super::overview::groups;
use super::words::SpeedTable;
use crate::plot::{Curve, CurvePoint, IntervalMark, Plot, Series, cumulative, scatter, series};

/// Contenders of which pictures are drawn at most.
const MOST_DRAWN: usize = 6;
/// Groups of instances in a picture.
const GROUPS: usize = 12;

/// Times against each other, the share decided by time, the ratio over hardness, the growth, and the
/// drift of the control.
pub(crate) fn plots(experiment: &Experiment, costs: &RaceCosts, speed: &SpeedTable) -> Vec<Plot> {
    let names: Vec<&str> = experiment.cell_names().collect();
    let labels: Vec<String> = names.iter().map(|name| speed.sweep.label(name)).collect();
    let pairs = experiment.raced_pairs().into_iter();
    let rivals = pairs.filter_map(|(rival, other)| (other == 0).then_some(rival));
    let rivals: Vec<usize> = rivals.collect();
    let (rivals, others) = rivals.split_at(rivals.len().min(MOST_DRAWN));
    let others: Vec<&str> = others.iter().map(|&at| &*labels[at]).collect();
    let clouds = rivals.iter();
    let baseline = speed
        .baseline
        .as_deref()
        .map(|name| speed.sweep.label(name));
    let clouds = clouds.filter_map(|&rival| cloud(costs, (0, rival), &labels, baseline.as_deref()));
    let over_hardness = |&rival: &usize| {
        let (slower, faster) = if speed.is_faster(names[0], names[rival]) {
            (rival, 0)
        } else {
            (0, rival)
        };
        Series {
            label: format!("{} vs {}", labels[faster], labels[slower]),
            points: over_hardness(costs.pairs((slower, faster)).concat()),
        }
    };
    let hardness: Vec<Series> = rivals.iter().map(over_hardness).collect();
    let drift = [Series {
        label: String::new(),
        points: grouped(costs.control().concat(), |(at, _)| at as f64),
    }];
    let hard = "log10 of seconds (geometric mean of both)";
    let hardness = series("Times as fast over hardness", hard, &hardness, "1");
    clouds
        .chain(shares(experiment, costs, speed, &labels))
        .chain(hardness.map(|plot| without(plot, &others)))
        .chain(growth_plots(experiment, costs, speed))
        .chain(series("Drift of the control", "instance", &drift, "1"))
        .collect()
}

/// The picture with a sentence on the contenders that it leaves out, which are in order.
fn without(mut plot: Plot, others: &[&str]) -> Plot {
    plot.caption += &match others {
        [] => String::new(),
        [first, .., last] if others.len() > MOST_DRAWN => {
            let count = others.len();
            format!(" Left out: {count} contenders, from “{first}” to “{last}”.")
        }
        few => format!(" Left out: {}.", few.join("; ")),
    };
    plot
}

/// The share decided by time: of all contenders, or where they are many of those that answer the headline's question.
/// A baseline's time is in it, as in what a contender solved.
fn shares(
    experiment: &Experiment,
    costs: &RaceCosts,
    speed: &SpeedTable,
    labels: &[String],
) -> Option<Plot> {
    let groups = groups(experiment);
    let mut all: Vec<usize> = groups.concat();
    all.sort_unstable();
    let told = speed.chosen().into_iter().next();
    let is_told = |at: &usize| {
        let name = &experiment.cells[*at].name;
        told.is_some_and(|row| [&row.first, &row.second].contains(&name))
    };
    let asked = groups.iter().find(|group| group.iter().any(is_told));
    let mut drawn = match asked {
        Some(group) if all.len() > MOST_DRAWN => group.clone(),
        _ => all.clone(),
    };
    drawn.sort_by_key(|at| !is_told(at));
    drawn.truncate(MOST_DRAWN);
    drawn.sort_unstable();
    let curve = |&at: &usize| Curve {
        label: labels[at].clone(),
        points: share_by_time(&costs.whole(at)),
    };
    let curves: Vec<Curve> = drawn.iter().map(curve).collect();
    let axis = speed.baseline.as_ref().map_or_else(
        || "seconds".to_owned(),
        |name| format!("seconds, with those of {}", speed.sweep.label(name)),
    );
    let others = all.iter().filter(|at| !drawn.contains(at));
    let others: Vec<&str> = others.map(|&at| &*labels[at]).collect();
    let plot = cumulative("Share decided by time", &axis, &curves);
    plot.map(|plot| without(plot, &others))
}

/// The times of two contenders against each other, without those of a baseline.
fn cloud(
    costs: &RaceCosts,
    pair: (usize, usize),
    labels: &[String],
    baseline: Option<&str>,
) -> Option<Plot> {
    let instances = costs.pairs(pair).concat();
    let caption = baseline.map_or_else(
        || "Processor seconds of each instance. Hollow: stopped, and so at least that long.".to_owned(),
        |name| {
            format!(
                "Processor seconds of each instance without those of {name}. Hollow: one of them was stopped, or \
                 took no longer than {name}, so that what is left is unknown."
            )
        },
    );
    let labels = [&*labels[pair.0], &*labels[pair.1]];
    scatter("Times against each other", &caption, labels, &instances)
}

/// Times with the share that is decided within each.
fn share_by_time(costs: &[Cost]) -> Vec<CurvePoint> {
    let done = costs.iter().filter(|cost| !cost.censored);
    let mut times: Vec<f64> = done.map(|cost| cost.seconds).collect();
    times.sort_by(f64::total_cmp);
    let share = |rank: usize| (rank + 1) as f64 / costs.len() as f64;
    let ranked = times.into_iter().enumerate();
    let point = |(rank, work)| CurvePoint {
        work,
        share: share(rank),
    };
    ranked.map(point).collect()
}

/// The median ratio in groups of instances that are as hard. Hardness is the mean of both, so that an
/// instance that one of them found hard by chance stands at neither end.
fn over_hardness(mut pairs: Vec<TimePair>) -> Vec<(f64, IntervalMark)> {
    let hard = |[first, second]: &TimePair| {
        let product = first.seconds * second.seconds;
        libm::log10(product.max(1e-18).sqrt())
    };
    pairs.sort_by(|a, b| hard(a).total_cmp(&hard(b)));
    grouped(pairs, |(_, group)| hard(&group[group.len() / 2]))
}

/// The median ratio of consecutive groups, at the place that `x` gives each.
fn grouped(
    pairs: Vec<TimePair>,
    x: impl Fn((usize, &[TimePair])) -> f64,
) -> Vec<(f64, IntervalMark)> {
    let size = pairs.len().div_ceil(GROUPS).max(8);
    let median = |(number, group): (usize, &[TimePair])| {
        let found = typical(group, Level::DEFAULT.into());
        let place = x((number * size, group));
        let ends = Span::between(found.lo(), found.hi());
        (place, IntervalMark::between("", found.value, None, ends))
    };
    pairs.chunks(size).enumerate().map(median).collect()
}

/// The median time along each swept number.
fn growth_plots(experiment: &Experiment, costs: &RaceCosts, speed: &SpeedTable) -> Vec<Plot> {
    let names: Vec<&str> = experiment.cell_names().collect();
    let axes = experiment.axes().iter();
    let numeric = axes.filter(|(_, values)| values.iter().all(|value| value.number().is_some()));
    let typical = |&(x, at): &(f64, usize)| {
        let log = median_time(costs.of_contender(at).into_iter()).map(libm::log10);
        (
            x,
            IntervalMark::between("", log, None, log.map(Span::point)),
        )
    };
    let plot = numeric.filter_map(|(axis, _)| {
        let along = |(code, members): (String, Vec<(f64, usize)>)| Series {
            label: (members.first())
                .and_then(|&(_, at)| super::without(experiment, &speed.sweep, (names[at], axis)))
                .unwrap_or(code),
            points: members.iter().map(typical).collect(),
        };
        let mut drawn: Vec<Series> = swept_series(experiment, axis)
            .into_iter()
            .map(along)
            .collect();
        let others = drawn.split_off(drawn.len().min(MOST_DRAWN));
        let others: Vec<&str> = others.iter().map(|series| &*series.label).collect();
        let title = "Growth of the median time (log10 of seconds)";
        let plot = series(title, speed.sweep.word(axis), &drawn, "log10 of seconds");
        plot.map(|plot| without(plot, &others))
    });
    plot.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_names_the_contenders_that_it_leaves_out() {
        let caption = |others: &[&str]| without(Plot::default(), others).caption;
        assert_eq!(caption(&[]), "");
        assert_eq!(caption(&["a", "b"]), " Left out: a; b.");
        let many = ["a", "b", "c", "d", "e", "f", "g"];
        assert_eq!(caption(&many), " Left out: 7 contenders, from “a” to “g”.");
    }
}
