//! The pictures of a benchmark.

use lab::experiment::Experiment;
use lab::run::RaceCosts;
use lab::tables::swept_series;
use stats::Level;
use stats::speed::{Cost, median_time, typical};

use super::words::SpeedTable;
use crate::plot::{
    Both, Curve, IntervalMark, Plot, Series, SeriesPoint, cumulative, scatter, series,
};

/// Contenders of which pictures are drawn at most.
const MOST_DRAWN: usize = 6;
/// Groups of instances in a picture.
const GROUPS: usize = 12;

/// Times against each other, the share decided by time, the ratio over hardness, the growth, and the
/// drift of the control.
pub fn plots(experiment: &Experiment, costs: &RaceCosts, speed: &SpeedTable) -> Vec<Plot> {
    let names: Vec<&str> = experiment.cell_names().collect();
    let labels: Vec<String> = names.iter().map(|name| speed.sweep.label(name)).collect();
    let pairs = experiment.raced_pairs().into_iter();
    let rivals = pairs.filter_map(|(rival, other)| (other == 0).then_some(rival));
    let rivals: Vec<usize> = rivals.take(MOST_DRAWN).collect();
    let clouds = rivals.iter();
    let clouds = clouds.filter_map(|&rival| cloud(costs, (0, rival), &labels));
    let curve = |(at, label): (usize, &String)| Curve {
        label: label.clone(),
        points: share_by_time(&costs.of_contender(at)),
    };
    let curves: Vec<Curve> = labels.iter().enumerate().map(curve).collect();
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
        points: groups(costs.control().concat(), |(at, _)| at as f64),
    }];
    let hard = "log10 of seconds (geometric mean of both)";
    clouds
        .chain(cumulative("Share decided by time", "seconds", &curves))
        .chain(series("Times as fast over hardness", hard, &hardness, "1"))
        .chain(growth_plots(experiment, costs, speed))
        .chain(series("Drift of the control", "instance", &drift, "1"))
        .collect()
}

/// The times of two contenders against each other.
fn cloud(costs: &RaceCosts, pair: (usize, usize), labels: &[String]) -> Option<Plot> {
    let both = |[first, second]: [Cost; 2]| Both {
        first: first.seconds,
        second: second.seconds,
        solved: !first.censored && !second.censored,
    };
    let instances: Vec<Both> = costs.pairs(pair).concat().into_iter().map(both).collect();
    let caption = "Processor seconds of each instance. Hollow: stopped, and so at least that long.";
    let labels = [&*labels[pair.0], &*labels[pair.1]];
    scatter("Times against each other", caption, labels, &instances)
}

/// Times with the share that is decided within each.
fn share_by_time(costs: &[Cost]) -> Vec<(f64, f64)> {
    let done = costs.iter().filter(|cost| !cost.censored);
    let mut times: Vec<f64> = done.map(|cost| cost.seconds).collect();
    times.sort_by(f64::total_cmp);
    let share = |rank: usize| (rank + 1) as f64 / costs.len() as f64;
    let ranked = times.into_iter().enumerate();
    ranked.map(|(rank, time)| (time, share(rank))).collect()
}

/// The median ratio in groups of instances that are as hard. Hardness is the mean of both, so that an
/// instance that one of them found hard by chance stands at neither end.
fn over_hardness(mut pairs: Vec<[Cost; 2]>) -> Vec<SeriesPoint> {
    let hard = |[first, second]: &[Cost; 2]| {
        let product = first.seconds * second.seconds;
        libm::log10(product.max(1e-18).sqrt())
    };
    pairs.sort_by(|a, b| hard(a).total_cmp(&hard(b)));
    groups(pairs, |(_, group)| hard(&group[group.len() / 2]))
}

/// The median ratio of consecutive groups, at the place that `x` gives each.
fn groups(pairs: Vec<[Cost; 2]>, x: impl Fn((usize, &[[Cost; 2]])) -> f64) -> Vec<SeriesPoint> {
    let size = pairs.len().div_ceil(GROUPS).max(8);
    let median = |(number, group): (usize, &[[Cost; 2]])| {
        let found = typical(group, Level::DEFAULT.into());
        let place = x((number * size, group));
        point(place, found.value, found.lo.zip(found.hi))
    };
    pairs.chunks(size).enumerate().map(median).collect()
}

/// The median time along each swept number.
fn growth_plots(experiment: &Experiment, costs: &RaceCosts, speed: &SpeedTable) -> Vec<Plot> {
    let names: Vec<&str> = experiment.cell_names().collect();
    let axes = experiment.file.sweep.iter();
    let numeric = axes.filter(|(_, values)| values.iter().all(|value| value.number().is_some()));
    let typical = |&(x, at): &(f64, usize)| {
        let log = median_time(costs.of_contender(at).into_iter()).map(libm::log10);
        point(x, log, log.zip(log))
    };
    let plot = numeric.filter_map(|(axis, _)| {
        let along = |(code, members): (String, Vec<(f64, usize)>)| Series {
            label: (members.first())
                .and_then(|&(_, at)| speed.sweep.without(names[at], axis))
                .unwrap_or(code),
            points: members.iter().map(typical).collect(),
        };
        let drawn = swept_series(experiment, axis).into_iter().take(MOST_DRAWN);
        let drawn: Vec<Series> = drawn.map(along).collect();
        let title = "Growth of the median time";
        series(title, speed.sweep.word(axis), &drawn, "log10 of seconds")
    });
    plot.collect()
}

fn point(x: f64, value: Option<f64>, ends: Option<(f64, f64)>) -> SeriesPoint {
    let interval = IntervalMark {
        value,
        ends,
        ..IntervalMark::default()
    };
    SeriesPoint { x, interval }
}
