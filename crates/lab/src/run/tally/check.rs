//! Checks whether a tally that was read is possible for so many samples of the experiment.
//!
//! A checksum proves that a row is as it was written, not that its writer was right.

use crate::run::compiled_experiment::CompiledExperiment;
use stats::{Accumulator, Bounded, Paired, Regression, Storable};
use task::{Metric, Tally};

use super::scores::Games;
use super::{BlockTally, lengths};

impl BlockTally {
    /// Returns whether the tally counts `samples` samples of each cell that is there, with values
    /// within the limits of their metrics; a pair counts fewer once one of its cells draws no more.
    pub(crate) fn is_possible(&self, compiled: &CompiledExperiment, samples: u64) -> bool {
        let mut games = self.games.iter().zip(&self.cells);
        self.counts_all(compiled, samples)
            && games.all(|(games, cell)| cell.is_empty() || games.len() as u64 == samples)
    }

    /// Like [`is_possible`](Self::is_possible), of a sum of blocks with the parts of `whole`, which has the
    /// scores of games instead of the games.
    pub(super) fn is_possible_sum(
        &self,
        compiled: &CompiledExperiment,
        (whole, samples): (&Self, u64),
    ) -> bool {
        let metrics = compiled.metrics().len();
        let mut lengths = (lengths(&self.cells))
            .chain(lengths(&self.pairs))
            .chain(lengths(&self.adjusted));
        let scores = self.scores.iter().flatten();
        let fields = compiled.rated().iter().map(|field| field.players.len());
        let mut both = scores.zip(fields);
        self.counts_all(compiled, samples)
            && lengths.all(|length| length == metrics)
            && self.games.iter().all(|games| games.len() == 0)
            && (self.scores.as_ref().zip(whole.scores.as_ref()))
                .is_none_or(|(own, all)| own.len() == all.len())
            && both.all(|(scores, players)| scores.is_possible(players, samples))
    }

    fn counts_all(&self, compiled: &CompiledExperiment, samples: u64) -> bool {
        let metrics = compiled.metrics();
        let cell = |tallies: &Vec<Tally>| {
            let mut both = tallies.iter().zip(metrics);
            both.all(|(tally, metric)| is_possible(tally, metric, samples))
        };
        let pair = |tallies: &Vec<Paired>| {
            let mut both = tallies.iter().zip(metrics);
            both.all(|(tally, metric)| {
                let (tally, limits) = (tally.differences(), metric.difference_limits());
                let counted = tally.count().saturating_add(tally.missing());
                counted <= samples && bounded_is_possible(tally, limits, counted)
            })
        };
        let mut adjusted = self.adjusted.iter().flatten();
        self.cells.iter().all(cell)
            && self.pairs.iter().all(pair)
            && adjusted.all(|tally| tally.count() == samples)
            && self
                .timeouts
                .iter()
                .all(|(cell, _)| *cell < self.cells.len())
            && self.repeats.is_within(self.cells.len())
    }

    /// Returns whether the samples of `part` can be among those of this sum.
    pub(crate) fn can_hold(&self, part: &Self) -> bool {
        let groups = self.cells.iter().zip(&part.cells);
        let mut cells = groups.flat_map(|(all, part)| all.iter().zip(part));
        let groups = self.pairs.iter().zip(&part.pairs);
        let mut pairs = groups.flat_map(|(all, part)| all.iter().zip(part));
        cells.all(|(all, part)| can_hold(all, part))
            && pairs.all(|(all, part)| bounded_can_hold(all.differences(), part.differences()))
    }

    /// Returns whether the numbers can come from samples.
    pub(super) fn is_consistent(&self) -> bool {
        let mut cells = self.cells.iter().flatten();
        let mut pairs = self.pairs.iter().flatten();
        let mut adjusted = self.adjusted.iter().flatten();
        cells.all(Tally::is_consistent)
            && pairs.all(Paired::is_consistent)
            && adjusted.all(Regression::is_consistent)
            && self.games.iter().all(Games::is_consistent)
    }
}

/// Returns whether the tally counts so many samples, with values within the limits of the metric.
fn is_possible(tally: &Tally, metric: &Metric, samples: u64) -> bool {
    match tally {
        Tally::Counts(counts) => bounded_is_possible(counts, metric.limits(), samples),
        Tally::Sums(sums) => bounded_is_possible(sums, metric.limits(), samples),
        Tally::Ratio(ratio) => ratio.count() <= samples,
        Tally::Weights(weights) => weights.count() <= samples,
    }
}

/// Returns whether the samples of a tally can be among those of another of the same metric.
fn can_hold(all: &Tally, part: &Tally) -> bool {
    match (all, part) {
        (Tally::Counts(all), Tally::Counts(part)) => bounded_can_hold(all, part),
        (Tally::Sums(all), Tally::Sums(part)) => bounded_can_hold(all, part),
        _ => part.count() <= all.count(),
    }
}

/// Returns whether a tally counts every sample once, each within the limits.
fn bounded_is_possible<A: Accumulator>(
    tally: &Bounded<A>,
    limits: Option<(i64, i64)>,
    samples: u64,
) -> bool {
    let counted = tally.count().checked_add(tally.missing());
    let within = |values: &A| {
        let moments = values.moments();
        let ends = moments.min().zip(moments.max()).zip(limits);
        ends.is_none_or(|((min, max), (least, most))| least <= min && max <= most)
    };
    counted == Some(samples)
        && [Some(tally.resolved()), tally.lows(), tally.highs()]
            .into_iter()
            .flatten()
            .all(within)
}

/// Returns whether the samples of a tally of values can be among all those of another.
fn bounded_can_hold<A: Accumulator>(all: &Bounded<A>, part: &Bounded<A>) -> bool {
    let ends = [
        (Some(all.resolved()), Some(part.resolved())),
        (all.lows(), part.lows()),
        (all.highs(), part.highs()),
    ];
    let is_among = |(all, part): (Option<&A>, Option<&A>)| {
        part.is_none_or(|part| all.map_or(part.is_empty(), |all| can_hold_values(all, part)))
    };
    part.missing() <= all.missing() && ends.into_iter().all(is_among)
}

/// Returns whether values can be among others: each as often, within their extremes, and the rest with a sum that
/// so many values between the extremes can have.
fn can_hold_values<A: Accumulator>(all: &A, part: &A) -> bool {
    let counts = all.histogram().zip(part.histogram());
    let has_each = counts.is_none_or(|(all, part)| {
        let mut values = part.iter();
        values.all(|(value, count)| count <= all.count_of(value))
    });
    let (all, part) = (all.moments(), part.moments());
    let (Some((least, most)), Some((min, max))) =
        (all.min().zip(all.max()), part.min().zip(part.max()))
    else {
        return part.min().is_none();
    };
    let rest = i128::from(all.count()) - i128::from(part.count());
    let sum = all.sum() - part.sum();
    let between = |limit: i64| rest * i128::from(limit);
    let is_within = least <= min && max <= most;
    has_each && rest >= 0 && is_within && (between(least)..=between(most)).contains(&sum)
}

#[cfg(test)]
mod tests {
    use super::super::push::push_rows;
    use super::*;
    use crate::run::{Places, every_kind};
    use experiment::{Experiment, Overrides};
    use kit::rng::Streams;
    use task::{Row, Value, coin};

    /// Three flips of each of two coins that are compared, adjusted by a control that is missing.
    fn counted() -> (CompiledExperiment, BlockTally) {
        let text = "question = \"?\"\ntask = \"coin/flip\"\nseed = 1\n[stop]\nsamples = 3\n\
                    [sweep]\np = [0.5, 0.75]\n[variance]\ncontrol = \"low\"\nmean = 0.5\nerror = 0.01\n\
                    [[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"diff(0.75, 0.5).run > 0\"\n";
        let experiment = Experiment::parse(text, "x.toml", coin::GAMES, &Overrides::default());
        let experiment = experiment.unwrap_or_else(|error| panic!("{}", error.render(false)));
        let compiled = CompiledExperiment::of_experiment(&experiment).unwrap();
        let flip = |run: i64| {
            let mut row = Row::new();
            row.push(Value::flag(run > 0));
            row.push(Value::Exact(run));
            row.push(Value::Exact(run + 1));
            row
        };
        let rows = [[0, 3, 20], [1, 0, 7]].map(|runs| runs.map(flip).to_vec());
        let tally = BlockTally::of(&compiled, 0, &rows);
        assert!(!tally.pairs.is_empty() && tally.adjusted.len() == 2);
        (compiled, tally)
    }

    /// Each part alone is enough to refuse a tally whose other parts are sound.
    #[test]
    fn a_tally_with_one_part_of_other_samples_is_not_possible() {
        let (compiled, sound) = counted();
        assert!(sound.is_possible(&compiled, 3) && sound.is_consistent());
        assert!(!sound.is_possible(&compiled, 2) && !sound.is_possible(&compiled, 4));
        let forged = |forge: fn(&mut BlockTally)| {
            let mut tally = sound.clone();
            forge(&mut tally);
            tally.is_possible(&compiled, 3)
        };
        assert!(!forged(|tally| tally.cells[1][1].push(Value::Exact(5))));
        assert!(!forged(|tally| tally.adjusted[1][2] = Regression::default()));
        assert!(!forged(|tally| tally.games = vec![Games::default(); 2]));
        assert!(!forged(|tally| tally.timeouts.extend([(2, 0)])));
        assert!(!forged(|tally| {
            let mut row = Row::new();
            row.push_step("of a third cell");
            tally.repeats.push(2, 0, &row);
        }));
        // Four pairs of three samples; two of which one is missing are three.
        assert!(!forged(|tally| tally.pairs[0][0].push(1, 0)));
        assert!(!forged(|tally| tally.pairs[0][0].push_missing()));
        assert!(forged(|tally| {
            tally.pairs[0][0] = Paired::default();
            let pairs = [(1, 0), (1, 1)].into_iter();
            pairs.for_each(|(first, second)| tally.pairs[0][0].push(first, second));
            tally.pairs[0][0].push_missing();
        }));
        // No two runs of up to 20 flips are 25 apart.
        assert!(!forged(|tally| {
            tally.pairs[0][1] = Paired::default();
            [25, 0, 0]
                .iter()
                .for_each(|&run| tally.pairs[0][1].push(run, 0));
        }));
    }

    #[test]
    fn a_pair_that_no_samples_make_is_not_consistent() {
        let (_, mut forged) = counted();
        let mut pair = serde_json::to_value(&forged.pairs[0][0]).unwrap();
        let none = serde_json::to_value(Paired::default()).unwrap();
        pair["first"] = none["first"].clone();
        forged.pairs[0][0] = serde_json::from_value(pair).unwrap();
        assert!(!forged.is_consistent());
    }

    /// A million values of at least 1 with a sum of three of them, and more samples without a control than can be counted.
    #[test]
    fn sums_that_no_samples_make_are_not_consistent() {
        use serde_json::{from_value, json, to_value};
        let (_, sound) = counted();
        let mut forged = sound.clone();
        let mut total = to_value(&forged.cells[1][2]).unwrap();
        total["Sums"]["resolved"][0] = json!(1_000_000);
        forged.cells[1][2] = from_value(total).unwrap();
        assert!(!forged.is_consistent());
        let mut forged = sound;
        let mut adjusted = to_value(&forged.adjusted[0][1]).unwrap();
        adjusted["missing"] = json!(u64::MAX);
        forged.adjusted[0][1] = from_value(adjusted).unwrap();
        assert!(!forged.is_consistent());
    }

    /// A part whose cells are those of the whole, and whose differences are others.
    #[test]
    fn a_part_has_the_differences_of_the_whole() {
        let (_, whole) = counted();
        assert!(whole.can_hold(&whole));
        let mut part = whole.clone();
        part.pairs[0][1].push(20, 0);
        assert!(!whole.can_hold(&part));
        let mut part = whole.clone();
        part.cells[1][1].push(Value::Exact(7));
        assert!(!whole.can_hold(&part));
    }

    /// A byte too many, and lists of other lengths than the experiment's.
    #[test]
    fn bytes_are_those_of_one_tally_of_the_experiment() {
        let (compiled, sound) = counted();
        let decode = |bytes: &[u8]| BlockTally::decode(bytes, &compiled);
        let decode_sum = |bytes: &[u8]| BlockTally::decode_sum(bytes, &compiled, (3, false));
        let (bytes, sum) = (sound.encode(), sound.encode_sum());
        assert_eq!(decode(&bytes).as_ref(), Some(&sound));
        assert_eq!(decode_sum(&sum).as_ref(), Some(&sound));
        assert_eq!(decode(&[&bytes[..], &[0]].concat()), None);
        assert_eq!(decode_sum(&[&sum[..], &[0]].concat()), None);
        let forgeries: [fn(&mut BlockTally); 5] = [
            |tally| tally.games = vec![Games::default(); 2],
            |tally| tally.pairs[0].truncate(2),
            |tally| tally.adjusted[1].truncate(2),
            |tally| tally.cells.truncate(1),
            |tally| tally.cells[1].truncate(2),
        ];
        for forge in forgeries {
            let mut forged = sound.clone();
            forge(&mut forged);
            assert_eq!(decode(&forged.encode()), None);
            assert_eq!(decode_sum(&forged.encode_sum()), None);
        }
    }

    /// A block may lack a cell, and a sum may not.
    #[test]
    fn a_sum_has_all_cells() {
        let (compiled, sound) = counted();
        let mut lacking = sound.clone();
        lacking.cells[1].clear();
        lacking.pairs.iter_mut().for_each(Vec::clear);
        assert!(BlockTally::decode(&lacking.encode(), &compiled).is_some());
        let sum = lacking.encode_sum();
        assert_eq!(BlockTally::decode_sum(&sum, &compiled, (3, false)), None);
    }

    /// Scores of more fields or samples than there are, or the games themselves.
    #[test]
    fn a_sum_of_matches_has_the_scores_of_its_samples_and_no_games() {
        let (compiled, rows) = super::super::tests::matches();
        let block = BlockTally::of(&compiled, 0, &rows);
        let sum = block.clone().into_sum();
        let decode =
            |sum: &BlockTally| BlockTally::decode_sum(&sum.encode_sum(), &compiled, (2, false));
        assert_eq!(decode(&sum).as_ref(), Some(&sum));
        assert_eq!(decode(&block), None);
        let own = sum.scores.clone().unwrap();
        let with = |scores: Vec<_>| BlockTally {
            scores: Some(scores),
            ..sum.clone()
        };
        assert_eq!(decode(&with([&own[..], &own[..]].concat())), None);
        let mut twice = own.clone();
        assert!(twice[0].merge(&own[0]));
        assert_eq!(decode(&with(twice)), None);
        // A game for each sample of a cell, unless the block lacks it.
        assert!(block.is_possible(&compiled, 2));
        let mut lacking = block.clone();
        lacking.games[1].clear();
        assert!(!lacking.is_possible(&compiled, 2));
        lacking.cells[1].clear();
        assert!(lacking.is_possible(&compiled, 2));
        // A game of an unknown kind.
        let mut unknown = block.clone();
        unknown.games[1] = serde_json::from_value(serde_json::json!({ "digits": "07" })).unwrap();
        assert!(BlockTally::decode(&block.encode(), &compiled).is_some());
        assert_eq!(BlockTally::decode(&unknown.encode(), &compiled), None);
    }

    /// A claim may name the two cells the other way round than a stored run did.
    #[test]
    fn a_pair_that_is_stored_the_other_way_round_is_turned() {
        let (compiled, sound) = counted();
        let pairs = [compiled.pairs()[0].mirrored()];
        let places = Places::of(&compiled, vec![Some(0), Some(1)], 2, &pairs);
        let turned = sound.pairs[0].iter().map(|pair| pair.mirrored().unwrap());
        let stored = vec![turned.collect::<Vec<_>>()];
        assert_ne!(stored, sound.pairs);
        assert_eq!(places.pick_pairs(&stored), Some(sound.pairs));
    }

    fn of(metric: &Metric, values: &[Value]) -> Tally {
        let mut tally = Tally::new(metric);
        values.iter().for_each(|&value| tally.push(value));
        tally
    }

    fn tally(metric: &Metric, values: &[i64]) -> Tally {
        let values = values.iter().map(|&value| Value::Exact(value));
        of(metric, &values.collect::<Vec<_>>())
    }

    /// A value too often, one beyond the extremes, too many values, and a rest that so few values cannot sum up to.
    #[test]
    fn a_part_has_no_value_more_often_than_the_whole() {
        let counts = Metric::integer("score", "", (0, 9), "");
        let sums = Metric::total("nodes", "", "");
        let all = [2, 2, 5, 7];
        for metric in [&counts, &sums] {
            let whole = tally(metric, &all);
            for sound in [&[][..], &[2], &[5, 7], &[2, 2, 5, 7]] {
                assert!(can_hold(&whole, &tally(metric, sound)), "{sound:?}");
            }
            for wrong in [&[1][..], &[8], &[7, 7, 7], &[2, 2, 5, 7, 5], &[2, 2, 5, 5]] {
                assert!(!can_hold(&whole, &tally(metric, wrong)), "{wrong:?}");
            }
            assert!(!can_hold(&tally(metric, &[3]), &tally(metric, &[3, 3])));
        }
        let more = [5, 5];
        assert!(!can_hold(&tally(&counts, &all), &tally(&counts, &more)));
        assert!(
            can_hold(&tally(&sums, &all), &tally(&sums, &more)),
            "the sums do not tell"
        );
    }

    #[test]
    fn a_part_has_no_more_unresolved_values_than_the_whole() {
        let metric = Metric::integer("score", "", (0, 9), "");
        let with = |value: Value| {
            let mut tally = tally(&metric, &[2, 7]);
            tally.push(value);
            tally
        };
        let open = with(Value::Bounds { lower: 3, upper: 6 });
        assert!(can_hold(&open, &tally(&metric, &[7])) && can_hold(&open, &open));
        assert!(!can_hold(&tally(&metric, &[2, 7, 3]), &open));
        let wider = with(Value::Bounds { lower: 3, upper: 8 });
        assert!(!can_hold(&open, &wider) && !can_hold(&open, &with(Value::Missing)));
    }

    /// A metric of every kind, with its tally of so many samples.
    fn of_every_kind(samples: u64) -> Vec<(Metric, Tally)> {
        let key = Streams::new(1).key("kinds");
        let rows = (0..samples).map(|sample| every_kind::row(&mut key.stream(sample), 0));
        let metrics = every_kind::kinds();
        let mut tallies: Vec<Tally> = metrics.iter().map(Tally::new).collect();
        push_rows(&mut tallies, &rows.collect::<Vec<_>>());
        metrics.into_iter().zip(tallies).collect()
    }

    /// Of ratios and weights the numbers of samples alone are known.
    #[test]
    fn a_part_of_any_kind_has_no_more_samples_than_the_whole() {
        let whole = of_every_kind(4).into_iter();
        for ((metric, whole), (_, most)) in whole.zip(of_every_kind(3)) {
            assert!(
                can_hold(&whole, &most) && !can_hold(&most, &whole),
                "{}",
                metric.name
            );
        }
        // A value that is known is not among those that are open.
        let metric = Metric::total("total", "", "");
        let open = of(&metric, &[Value::bounds(2, 7)]);
        assert!(can_hold(&open, &open) && !can_hold(&open, &tally(&metric, &[2])));
    }

    /// A stored tally cannot count more samples than there are, nor, of numbers, fewer, nor values beyond the limits:
    /// exact ones, or either end of an unresolved one.
    #[test]
    fn a_tally_of_other_samples_or_beyond_the_limits_is_not_possible() {
        for (metric, tally) in of_every_kind(4) {
            assert!(!is_possible(&tally, &metric, 3), "{}", metric.name);
            let may_lack = matches!(tally, Tally::Ratio(_) | Tally::Weights(_));
            assert_eq!(is_possible(&tally, &metric, 5), may_lack, "{}", metric.name);
        }
        for metric in [
            Metric::integer("grade", "", (-3, 12), ""),
            Metric::number("number", "", 2, "").within(-3, 12),
        ] {
            let bounds = |lower, upper| Value::Bounds { lower, upper };
            for (value, expected) in [
                (Value::Exact(-3), true),
                (Value::Exact(12), true),
                (Value::Exact(-4), false),
                (Value::Exact(13), false),
                (bounds(-3, 12), true),
                (bounds(-4, 12), false),
                (bounds(-3, 13), false),
            ] {
                let tally = of(&metric, &[value]);
                assert_eq!(is_possible(&tally, &metric, 1), expected, "{value:?}");
            }
        }
        let free = Metric::total("total", "", "");
        assert!(is_possible(&of(&free, &[Value::Exact(i64::MIN)]), &free, 1));
    }
}
