//! The contenders as competitions of solvers compare them: what each solved, its penalised time, the best of all on
//! each instance, and every ratio in one matrix.

use std::cmp::Ordering;

use experiment::Experiment;
use lab::run::RaceCosts;
use stats::PairStatistic;
use stats::speed::Cost;

use super::numbers::told;
use super::words::SpeedTable;
use crate::rows::text;
use crate::sheet::{Sheet, SheetText};

/// The multiple of the cap that an instance without an answer counts for (PAR-2).
const PENALTY: f64 = 2.0;

/// The column of the names that claims are written with, where people read others.
const CODE: &str = "name in claims";

/// Contenders of a matrix, at least and at most.
const MATRIX_SIZES: std::ops::RangeInclusive<usize> = 3..=12;

/// The mean of the seconds, each instance without an answer counting for [`PENALTY`] caps; `None` where there are
/// such and the race has no cap in seconds.
fn penalised(times: &[Cost], cap: Option<f64>) -> Option<f64> {
    let score = |cost: &Cost| {
        let penalty = || cap.map(|seconds| PENALTY * seconds);
        (!cost.censored).then_some(cost.seconds).or_else(penalty)
    };
    let sum: Option<f64> = times.iter().map(score).sum();
    Some(sum? / times.len().max(1) as f64)
}

/// The column of the instances at which a contender ran out of memory.
const OUT_OF_MEMORY: &str = "=out of memory";

/// The contenders that answer the same question, question by question.
pub(crate) fn groups(experiment: &Experiment) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for at in (0..experiment.cells.len()).filter(|&at| !experiment.is_baseline(at)) {
        let known = groups
            .iter_mut()
            .find(|group| experiment.is_alike(group[0], at));
        match known {
            Some(group) => group.push(at),
            None => groups.push(vec![at]),
        }
    }
    groups
}

/// The best of some contenders on each instance: the virtual best solver.
fn best(costs: &RaceCosts, group: &[usize]) -> Vec<Cost> {
    let times: Vec<Vec<Cost>> = group.iter().map(|&at| costs.whole(at)).collect();
    let of_instance = |instance: usize| times.iter().map(move |own| own[instance]);
    let all = 0..times.first().map_or(0, Vec::len);
    all.filter_map(|instance| of_instance(instance).min_by(better))
        .collect()
}

/// The order of two times on an instance, the better one first: an answer before none, and then the shorter.
fn better(one: &Cost, other: &Cost) -> Ordering {
    let by_time = || one.seconds.total_cmp(&other.seconds);
    one.censored.cmp(&other.censored).then_with(by_time)
}

/// The solved instances and the penalised time of every contender, and of the virtual best of those that answer
/// the same question.
pub(crate) fn standings(experiment: &Experiment, costs: &RaceCosts, speed: &SpeedTable) -> Sheet {
    let cap = experiment.answer_cap().counted();
    let name = |at: usize| experiment.cells[at].name.as_str();
    let of_group = |group: Vec<usize>| {
        let own = |&at: &usize| (speed.sweep.label(name(at)), name(at), costs.whole(at));
        let mut rows: Vec<(String, &str, Vec<Cost>)> = group.iter().map(own).collect();
        if let [first, second, ..] = *group {
            let [_, _, shared] = speed.sweep.apart(name(first), name(second));
            rows.push((format!("virtual best{shared}"), "", best(costs, &group)));
        }
        rows
    };
    let columns: [SheetText<'_, (String, &str, Vec<Cost>)>; 5] = [
        ("contender", &|(label, ..)| label.clone()),
        (CODE, &|(_, code, _)| (*code).to_owned()),
        ("=solved", &|(.., times)| {
            let solved = times.iter().filter(|cost| !cost.censored).count();
            format!("{solved} of {}", times.len())
        }),
        (OUT_OF_MEMORY, &|(_, code, _)| {
            let own = experiment.cell_names().position(|name| name == *code);
            own.map_or_else(String::new, |at| costs.out_of_memory(at).to_string())
        }),
        ("=PAR-2", &|(.., times)| {
            text(penalised(times, cap), seconds)
        }),
    ];
    let rows = groups(experiment).into_iter().flat_map(of_group);
    let penalty = penalty(experiment, costs, cap);
    let title = "Solved, and seconds on these instances (PAR-2)";
    let mut sheet = Sheet::of(title, rows, &columns);
    if experiment.file.labels.is_empty() {
        sheet = sheet.without(&[CODE]);
    }
    if experiment.answer_cap().memory.is_none() {
        sheet = sheet.without(&[OUT_OF_MEMORY.trim_start_matches('=')]);
    }
    let whole = speed.baseline.as_ref().map_or_else(String::new, |name| {
        format!(" Times here are with those of {}.", speed.sweep.label(name))
    });
    sheet.note = format!(
        "PAR-2 is the mean of the processor times{penalty}. The virtual best takes on each instance the time of \
         whoever was fastest.{whole}"
    );
    sheet
}

/// The way in which instances without an answer count, where there are any.
fn penalty(experiment: &Experiment, costs: &RaceCosts, cap: Option<f64>) -> &'static str {
    let all = (0..experiment.cells.len()).filter(|&at| !experiment.is_baseline(at));
    let is_cut = |at: usize| costs.whole(at).iter().any(|cost| cost.censored);
    match (all.into_iter().any(is_cut), cap) {
        (false, _) => "",
        (true, Some(_)) => ", where an instance without an answer counts for twice the cap",
        (true, None) => {
            "; with an instance without an answer there is none, as the race has no cap in seconds"
        }
    }
}

fn seconds(value: f64) -> String {
    let digits = 3 - libm::log10(value.max(1e-9)).floor() as i32;
    format!("{value:.*} s", digits.clamp(0, 9) as usize)
}

/// The medians of all pairs of the contenders that answer the same question, where all were compared: how many times
/// as fast the row's is as the column's.
pub(crate) fn matrices(experiment: &Experiment, speed: &SpeedTable) -> Vec<Sheet> {
    let name = |at: usize| experiment.cells[at].name.as_str();
    let ratio = |own: usize, other: usize| {
        let found = speed.find(name(other), name(own), PairStatistic::Median);
        let found = found.filter(|_| own != other);
        found.map_or_else(String::new, |row| told(&row.speed))
    };
    let matrix = |group: Vec<usize>| {
        let label = |at: &usize| speed.sweep.label(name(*at));
        let heads = group.iter().map(|at| format!("={}", label(at)));
        let row = |own: &usize| {
            let ratios = group.iter().map(|&other| ratio(*own, other));
            std::iter::once(label(own)).chain(ratios).collect()
        };
        let rows = group.iter().map(row).collect();
        let names = std::iter::once("times as fast as".to_owned()).chain(heads);
        Sheet::new("Times as fast on the typical instance", names, rows)
    };
    let shown = groups(experiment).into_iter();
    let shown = shown.filter(|group| MATRIX_SIZES.contains(&group.len()));
    // Of many contenders each is compared with the first alone.
    let is_whole = |sheet: &Sheet| {
        let gaps = sheet.rows.iter().flatten().filter(|text| text.is_empty());
        gaps.count() == sheet.rows.len()
    };
    shown.map(matrix).filter(is_whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(seconds: f64, censored: bool) -> Cost {
        Cost {
            seconds,
            most: seconds,
            wall: seconds,
            censored,
            off: 0.0,
        }
    }

    #[test]
    fn an_instance_without_an_answer_counts_for_two_caps() {
        let times = [cost(1.0, false), cost(9.0, true)];
        assert_eq!(penalised(&times, Some(10.0)), Some(10.5));
        assert_eq!(penalised(&times, None), None);
        assert_eq!(penalised(&times[..1], None), Some(1.0));
    }

    #[test]
    fn an_answer_is_better_than_none_however_late() {
        let (late, none) = (cost(9.0, false), cost(1.0, true));
        assert_eq!(better(&late, &none), Ordering::Less);
        assert_eq!(better(&cost(1.0, false), &late), Ordering::Less);
    }

    #[test]
    fn seconds_have_four_digits() {
        assert_eq!(seconds(0.000_126_5), "0.0001265 s");
        assert_eq!(seconds(1.5764), "1.576 s");
        assert_eq!(seconds(1_234.0), "1234 s");
    }
}
