//! The contenders as competitions of solvers compare them: what each solved, its penalised time, the best of all on
//! each instance, and every ratio in one matrix.

use std::cmp::Ordering;

use lab::experiment::Experiment;
use lab::run::RaceCosts;
use stats::speed::Cost;

use super::words::{SpeedTable, told};
use crate::sheet::{Sheet, SheetText};

/// The multiple of the cap that an instance without an answer counts for (PAR-2).
const PENALTY: f64 = 2.0;

/// Contenders of a matrix, at least and at most.
const MATRIX_SIZES: std::ops::RangeInclusive<usize> = 3..=12;

/// The record of a contender, or of the best of several on each instance.
struct Standing {
    name: String,
    solved: usize,
    instances: usize,
    /// The mean of the seconds, each instance without an answer counting for [`PENALTY`] caps; `None` where there are
    /// such and the race has no cap in seconds.
    penalised: Option<f64>,
}

impl Standing {
    fn of(name: String, times: &[Cost], cap: Option<f64>) -> Self {
        let score = |cost: &Cost| {
            let penalty = || cap.map(|seconds| PENALTY * seconds);
            (!cost.censored).then_some(cost.seconds).or_else(penalty)
        };
        let scores: Option<Vec<f64>> = times.iter().map(score).collect();
        Self {
            name,
            solved: times.iter().filter(|cost| !cost.censored).count(),
            instances: times.len(),
            penalised: scores.map(|scores| scores.iter().sum::<f64>() / times.len().max(1) as f64),
        }
    }
}

/// The contenders that answer the same question, question by question.
pub fn groups(experiment: &Experiment) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for at in (0..experiment.contenders.len()).filter(|&at| !experiment.is_baseline(at)) {
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
pub fn standings(experiment: &Experiment, costs: &RaceCosts, speed: &SpeedTable) -> Sheet {
    let cap = experiment.answer_cap().counted();
    let label = |at: usize| speed.sweep.label(&experiment.cells[at].name);
    let of_group = |group: Vec<usize>| {
        let own = group
            .iter()
            .map(|&at| Standing::of(label(at), &costs.whole(at), cap));
        let virtual_best = (group.len() > 1).then(|| {
            let names = [group[0], group[1]].map(|at| &*experiment.cells[at].name);
            let [_, _, shared] = speed.sweep.apart(names[0], names[1]);
            let name = format!("virtual best{shared}");
            Standing::of(name, &best(costs, &group), cap)
        });
        own.chain(virtual_best).collect::<Vec<_>>()
    };
    let columns: [SheetText<'_, Standing>; 3] = [
        ("contender", &|one| one.name.clone()),
        ("=solved", &|one| {
            format!("{} of {}", one.solved, one.instances)
        }),
        ("=PAR-2", &|one| {
            one.penalised.map_or_else(String::new, seconds)
        }),
    ];
    let rows = groups(experiment).into_iter().flat_map(of_group);
    let mut sheet = Sheet::of(
        "Solved, and seconds on these instances (PAR-2)",
        rows,
        &columns,
    );
    let whole = speed.baseline.as_ref().map_or_else(String::new, |name| {
        format!(" Times here are with those of {name}.")
    });
    sheet.note = format!(
        "PAR-2 is the mean of the processor times, where an instance without an answer counts for twice the cap; \
         where the race has no cap in seconds, there is none. The virtual best takes on each instance the time of \
         whoever was fastest.{whole}"
    );
    sheet
}

fn seconds(value: f64) -> String {
    let digits = 3 - libm::log10(value.max(1e-9)).floor() as i32;
    format!("{value:.*} s", digits.clamp(0, 9) as usize)
}

/// The medians of all pairs of the contenders that answer the same question, where all were compared: how many times
/// as fast the row's is as the column's.
pub fn matrices(experiment: &Experiment, speed: &SpeedTable) -> Vec<Sheet> {
    let name = |at: usize| experiment.cells[at].name.as_str();
    let ratio = |own: usize, other: usize| {
        let is_it = |row: &&lab::tables::SpeedRow| {
            row.statistic == "median" && row.first == name(other) && row.second == name(own)
        };
        let found = speed.rows.iter().find(is_it).filter(|_| own != other);
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
        }
    }

    #[test]
    fn an_instance_without_an_answer_counts_for_two_caps() {
        let times = [cost(1.0, false), cost(9.0, true)];
        let standing = Standing::of("a".to_owned(), &times, Some(10.0));
        assert_eq!((standing.solved, standing.instances), (1, 2));
        assert_eq!(standing.penalised, Some(10.5));
        let without = Standing::of("a".to_owned(), &times, None);
        assert_eq!(without.penalised, None);
        let solved = Standing::of("a".to_owned(), &times[..1], None);
        assert_eq!(solved.penalised, Some(1.0));
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
