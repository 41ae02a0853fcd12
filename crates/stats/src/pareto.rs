//! The tail of a sample of weights: how fast the large ones grow, and what those that no sample met may add.
//!
//! Above a high threshold nearly every law is close to a generalised Pareto law. Its index tells what a sample of
//! even weights may hide: above 1/2 there is no variance, and above 1 no mean. The index is estimated from groups of
//! weights, each spread over the room between its neighbours, so that weights of a few sizes are no special case.
//! References: Zhang and Stephens 2009, *Technometrics* 51; Vehtari, Simpson, Gelman, Yao and Gabry 2024, "Pareto
//! smoothed importance sampling", *Journal of Machine Learning Research* 25.

/// Parts into which a group is spread.
const PARTS: u32 = 8;
/// A group that most of a tail's weights are in is a plateau where the others are on average so many times as
/// large. It is no part of the tail if the others alone have a larger index.
const FAR: f64 = 2.0;
/// The index towards which an estimate is drawn (Vehtari et al.).
const PRIOR: f64 = 0.5;
/// The number of weights that the prior index counts for.
const PRIOR_COUNT: f64 = 10.0;

/// A generalised Pareto law of the largest of a sample of weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ParetoTail {
    /// The index, often called k; 0 or less where the tail is no longer than an exponential one.
    pub index: f64,
    threshold: f64,
    scale: f64,
    /// The number of weights above the threshold.
    pub(crate) count: f64,
}

/// A part of the weights above the threshold.
struct Part {
    excess: f64,
    count: f64,
}

/// The number of weights, of `n`, that count as the tail.
pub(super) fn tail_size(n: u64) -> f64 {
    let n = n as f64;
    (0.2 * n).min(3.0 * n.sqrt()).ceil()
}

impl ParetoTail {
    /// The tail of `n` weights, of which these groups are above zero: the mean and the count of each, in ascending
    /// order. `None` if there are none.
    pub(crate) fn of(groups: &[(f64, u64)], n: u64) -> Option<Self> {
        let edges = edges_of(groups)?;
        let mut first = groups.len();
        let mut count = 0;
        while first > 0 && (count as f64) < tail_size(n) {
            first -= 1;
            count += groups[first].1;
        }
        let whole = Self::fitted(&groups[first..], &edges[first..], count);
        let behind = behind_plateau(&groups[first..]).and_then(|(rest, count)| {
            let tail = Self::fitted(rest, &edges_of(rest)?, count);
            // Growing powers have a plateau too, and behind it too few weights to tell how they grow.
            (tail.index > whole.index).then_some(tail)
        });
        Some(behind.unwrap_or(whole))
    }

    /// The law of a tail of these groups with their bounds, and so many weights.
    fn fitted(groups: &[(f64, u64)], edges: &[f64], count: u64) -> Self {
        let threshold = edges[0];
        let parts = parts(groups, edges);
        let mean = parts
            .iter()
            .map(|part| part.excess * part.count)
            .sum::<f64>()
            / count as f64;
        // Weights of one group are as good as equal.
        let index = if mean > 0.0 { index(&parts) } else { 0.0 };
        Self {
            index,
            threshold,
            scale: mean * (1.0 - index.clamp(0.0, 0.9)),
            count: count as f64,
        }
    }

    /// The mean of the weights that are larger than any that is likely in such a sample, whose largest is given, if
    /// the index is so large; below 1.
    pub(crate) fn mean_beyond(&self, largest: f64, index: f64) -> f64 {
        let likely = self.threshold + self.scale * (libm::pow(self.count, index) - 1.0) / index;
        let start = largest.max(likely);
        start + (self.scale + index * (start - self.threshold)) / (1.0 - index)
    }
}

/// The groups of a tail, and the number of their weights, behind a first one that holds more weights than they do
/// and is far from them; `None` where there is no such plateau.
fn behind_plateau(groups: &[(f64, u64)]) -> Option<(&[(f64, u64)], u64)> {
    let ((plateau, most), rest) = groups.split_first()?;
    let count: u64 = rest.iter().map(|(_, count)| count).sum();
    let sum: f64 = rest.iter().map(|(mean, count)| mean * *count as f64).sum();
    let is_far = sum >= FAR * plateau * count as f64;
    (count > 0 && *most > count && is_far).then_some((rest, count))
}

/// The bounds between neighbouring groups, halfway in the logarithm, and as far out at either end.
fn edges_of(groups: &[(f64, u64)]) -> Option<Vec<f64>> {
    let ((first, _), (last, _)) = (groups.first()?, groups.last()?);
    let between = groups.windows(2).map(|pair| (pair[0].0 * pair[1].0).sqrt());
    let mut edges: Vec<f64> = between.collect();
    let [below, above] = [edges.first(), edges.last()].map(|edge| edge.copied());
    edges.insert(0, below.map_or(*first, |edge| first * first / edge));
    edges.push(above.map_or(*last, |edge| last * last / edge));
    Some(edges)
}

/// Every group in parts that lie evenly, in the logarithm, between its bounds; by their excess above the first.
fn parts(groups: &[(f64, u64)], edges: &[f64]) -> Vec<Part> {
    let spread = |(&(_, count), bounds): (&(f64, u64), &[f64])| {
        let (low, ratio) = (bounds[0], bounds[1] / bounds[0]);
        (0..PARTS).map(move |part| Part {
            excess: low * libm::pow(ratio, (f64::from(part) + 0.5) / f64::from(PARTS)) - edges[0],
            count: count as f64 / f64::from(PARTS),
        })
    };
    groups
        .iter()
        .zip(edges.windows(2))
        .flat_map(spread)
        .collect()
}

/// A value of minus the index over the scale, and how likely the weights are under it.
struct Candidate {
    rate: f64,
    log_likelihood: f64,
}

/// Zhang and Stephens' estimate of the index, drawn a little to a half.
fn index(parts: &[Part]) -> f64 {
    let count: f64 = parts.iter().map(|part| part.count).sum();
    let index_at = |rate: f64| {
        let logs = parts
            .iter()
            .map(|part| part.count * libm::log1p(-rate * part.excess));
        logs.sum::<f64>() / count
    };
    let log_likelihood = |rate: f64| {
        let index = index_at(rate);
        count * (libm::log(-rate / index) - index - 1.0)
    };
    let candidates: Vec<Candidate> = rates(parts, count)
        .map(|rate| Candidate {
            rate,
            log_likelihood: log_likelihood(rate),
        })
        .filter(|candidate| candidate.log_likelihood.is_finite())
        .collect();
    let logs = candidates.iter().map(|candidate| candidate.log_likelihood);
    let most = logs.fold(f64::MIN, f64::max);
    let (mut sum, mut total) = (0.0, 0.0);
    for candidate in candidates {
        let weight = libm::exp(candidate.log_likelihood - most);
        sum += candidate.rate * weight;
        total += weight;
    }
    (count * index_at(sum / total) + PRIOR_COUNT * PRIOR) / (count + PRIOR_COUNT)
}

/// The values of minus the index over the scale between which the estimate is a mean.
fn rates(parts: &[Part], count: f64) -> impl Iterator<Item = f64> {
    let most = parts.last().map_or(1.0, |part| part.excess);
    let mut below = 0.0;
    let quarter = parts.iter().find(|part| {
        below += part.count;
        below >= (count / 4.0 + 0.5).floor()
    });
    let quarter = quarter.map_or(most, |part| part.excess);
    let points = 30.0 + count.sqrt().floor();
    (1..=points as u32).map(move |point| {
        let step = 1.0 - (points / (f64::from(point) - 0.5)).sqrt();
        1.0 / most + step / (3.0 * quarter)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quantiles of Pareto's law of this index, as groups of one.
    fn pareto(index: f64, n: u64) -> Vec<(f64, u64)> {
        let quantile = |rank: u64| libm::pow((rank as f64 + 0.5) / n as f64, -index);
        (0..n).rev().map(|rank| (quantile(rank), 1)).collect()
    }

    #[test]
    fn the_index_of_a_pareto_law_is_found() {
        for expected in [0.2, 0.5, 0.8] {
            let tail = ParetoTail::of(&pareto(expected, 10_000), 10_000).unwrap();
            let found = tail.index;
            assert!((found - expected).abs() < 0.06, "{expected}: {found}");
            // Above a threshold, the scale of the law is the threshold times the index; a sample ends too early.
            let scale = tail.scale / (tail.threshold * expected);
            assert!((scale - 1.0).abs() < 0.25, "{expected}: {scale}");
            assert_eq!(tail.count, 300.0);
        }
    }

    #[test]
    fn weights_of_a_few_sizes_have_the_index_of_their_growth() {
        // Twice as large with a probability of 0.4: index ln 2 / ln 2.5 = 0.756.
        let groups: Vec<(f64, u64)> = (0..12)
            .map(|power| (2f64.powi(power), (3e4 * 0.4f64.powi(power)) as u64))
            .filter(|(_, count)| *count > 0)
            .collect();
        let n = groups.iter().map(|(_, count)| count).sum();
        let found = ParetoTail::of(&groups, n).unwrap().index;
        assert!((0.55..0.9).contains(&found), "{found}");
    }

    #[test]
    fn a_tail_behind_a_plateau_is_told_from_it() {
        // 2,000 weights of 3, and 90 behind them whose index is 0.7, or which are all 60.
        let behind = |heavy: Vec<(f64, u64)>| {
            let groups = [vec![(3.0, 2_000)], heavy].concat();
            ParetoTail::of(&groups, 2_090).unwrap()
        };
        let scaled = pareto(0.7, 90)
            .into_iter()
            .map(|(weight, count)| (40.0 * weight, count));
        let tail = behind(scaled.collect());
        assert!(
            (tail.index - 0.7).abs() < 0.12 && tail.count == 90.0,
            "{tail:?}"
        );
        // Two sizes may be the first of growing ones: the larger ones alone would seem to end.
        let tail = behind(vec![(60.0, 90)]);
        assert!(tail.index > 0.5 && tail.count > 2_000.0, "{tail:?}");
        // Next to the plateau is no tail of its own.
        assert!(behind(vec![(3.5, 60), (4.0, 30)]).count > 2_000.0);
    }

    #[test]
    fn even_weights_have_a_short_tail() {
        let even: Vec<(f64, u64)> = (0..40)
            .map(|step| (1.0 + f64::from(step) / 40.0, 10))
            .collect();
        assert!(ParetoTail::of(&even, 400).unwrap().index < 0.0);
        let equal = ParetoTail::of(&[(3.0, 50)], 50).unwrap();
        assert_eq!((equal.index, equal.mean_beyond(3.0, 0.2)), (0.0, 3.0));
        assert_eq!(ParetoTail::of(&[], 9), None);
    }

    /// The largest excess of 1 to 16 is 16, their quartile 4, and 30 + 4 rates are tried: `1 / 16 + (1 - sqrt(34 / (j -
    /// 1/2))) / (3 * 4)` for j from 1 on (Zhang and Stephens 2009).
    #[test]
    fn the_rates_tried_are_those_of_the_source() {
        let parts: Vec<Part> = (1..=16)
            .map(|excess| Part {
                excess: f64::from(excess),
                count: 1.0,
            })
            .collect();
        let found: Vec<f64> = rates(&parts, 16.0).collect();
        assert_eq!(found.len(), 34);
        for (at, rate) in [
            (0, -0.541_350_938),
            (16, 0.026_209_906),
            (33, 0.061_880_413),
        ] {
            assert!((found[at] - rate).abs() < 1e-9, "{at}: {}", found[at]);
        }
    }

    #[test]
    fn the_mean_beyond_the_largest_is_that_of_the_law() {
        // Above a threshold of 2, of scale 1 and index 1/2: 100 weights reach 2 + 2 (10 - 1) = 20, and the mean
        // above it is 20 + (1 + 9) / (1 - 1/2).
        let tail = ParetoTail {
            index: 0.3,
            threshold: 2.0,
            scale: 1.0,
            count: 100.0,
        };
        assert!((tail.mean_beyond(15.0, 0.5) - 40.0).abs() < 1e-12);
        assert!((tail.mean_beyond(22.0, 0.5) - (22.0 + 22.0)).abs() < 1e-12);
    }
}
