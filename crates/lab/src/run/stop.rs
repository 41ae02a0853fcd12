//! The looks at which a run may stop before its cap: they are at fixed numbers of samples.
//!
//! The looks are the same for any threads, blocks and interruptions. A look sees the tally of a
//! whole prefix, because "whatever has finished" would favour quick samples.

use experiment::{ClaimTarget, Experiment, StopQuestion};
use stats::{ClaimVerdict, Decision};

use super::compiled_experiment::CompiledExperiment;
use super::decide_claims::{ClaimOutcome, decide_claims};
use super::tally::BlockTally;
use task::Tally;

/// The first look, in samples.
const FIRST_LOOK: u64 = 64;

/// The reason for which a run stopped.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    strum::EnumString,
    strum::AsRefStr,
    strum::IntoStaticStr,
    strum::EnumIter,
)]
#[strum(serialize_all = "kebab-case")]
pub enum StopReason {
    /// All samples asked for are there.
    Samples,
    /// The cap was reached before the question was settled.
    MaxSamples,
    /// The interval is narrow enough in every cell.
    HalfWidth,
    /// The sequential test took the lower hypothesis in every cell.
    SprtLower,
    /// The sequential test took the upper hypothesis in every cell.
    SprtUpper,
    /// The sequential test decided in every cell, not everywhere the same.
    SprtMixed,
    /// Every claim is decided.
    Claims,
    /// The interval of the ratio of two contenders is narrow enough.
    Ratio,
}

/// Returns whether a run may look after `samples` of `planned` samples: at the cap, and from 64 on at
/// every number of the form `m 2^k` with `m` in 16..=31, so each look has 3 to 6 % more samples
/// than the last.
pub fn is_look(samples: u64, planned: u64) -> bool {
    samples == planned || next_look(samples) == samples
}

/// The first look after so many samples or more, wherever the cap is.
pub fn next_look(samples: u64) -> u64 {
    let spacing = samples.max(1).ilog2().saturating_sub(4);
    let next = samples.checked_next_multiple_of(1 << spacing);
    next.unwrap_or(samples).max(FIRST_LOOK)
}

/// Returns the reason for which a run of `experiment` may stop with this tally; `None` if it must
/// go on. Cells that draw no more, and those of a player that is out, are not waited for.
pub fn settled(
    experiment: &Experiment,
    compiled: &CompiledExperiment,
    tally: &BlockTally,
) -> Option<StopReason> {
    let confidence = experiment.confidence();
    let is_played = |cell: &usize| tally.is_drawn(*cell);
    if !(0..compiled.cells()).any(|cell| is_played(&cell)) {
        return None;
    }
    let wanted = |cell: &usize| experiment.is_wanted(*cell) && is_played(cell);
    match experiment.stop.question? {
        StopQuestion::HalfWidth { metric, target, .. } => {
            let spec = &compiled.metrics()[metric];
            let narrow =
                |cell| target.is_reached(&tally.estimate(cell, (metric, spec), confidence));
            let all = (0..compiled.cells()).filter(wanted).all(narrow);
            all.then_some(StopReason::HalfWidth)
        }
        StopQuestion::Sprt { metric, test } => {
            let cells = (0..).zip(tally.cells()).filter(|(cell, _)| wanted(cell));
            let decisions = cells.map(|(cell, tallies)| match &tallies[metric] {
                Tally::Counts(counts) if !tally.is_one_sample(cell) => {
                    test.decide(test.ratios(counts))
                }
                _ => Decision::Inconclusive,
            });
            agreement(&decisions.collect::<Vec<_>>())
        }
        StopQuestion::Claims => {
            let claims = decide_claims(experiment, compiled, tally, confidence);
            let open = |claim: &ClaimOutcome| {
                let is_wanted = match claim.target {
                    ClaimTarget::Cell(cell) => wanted(&cell),
                    ClaimTarget::Pair(pair) => wanted(&pair.first) && wanted(&pair.second),
                };
                is_wanted && claim.decision == ClaimVerdict::Undecided
            };
            let decided = !claims.iter().any(open);
            decided.then_some(StopReason::Claims)
        }
    }
}

fn agreement(decisions: &[Decision]) -> Option<StopReason> {
    let all = |decision| decisions.iter().all(|one| *one == decision);
    if decisions.contains(&Decision::Inconclusive) {
        None
    } else if all(Decision::Upper) {
        Some(StopReason::SprtUpper)
    } else if all(Decision::Lower) {
        Some(StopReason::SprtLower)
    } else {
        Some(StopReason::SprtMixed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coin;
    use crate::run::Plan;
    use experiment::Overrides;
    use task::{Row, Value};

    /// The heads of a coin that nobody flips.
    const OUT: u64 = u64::MAX;

    /// Two coins with a rule, and flips of which so many of the 400 of each are heads. The last cell's samples are
    /// `is_one`: copies of one.
    fn settled_by(rule: &str, heads: [u64; 2], is_one: bool) -> Option<StopReason> {
        let text = format!(
            "question = \"?\"\ntask = \"coin/flip\"\nseed = 1\n[sweep]\np = [0.5, 0.75]\n{rule}\n"
        );
        let experiment = Experiment::parse(&text, "x.toml", coin::GAMES, &Overrides::default());
        let experiment = experiment.unwrap_or_else(|error| panic!("{}", error.render(false)));
        let compiled = CompiledExperiment::of_experiment(&experiment).unwrap();
        let flips = |cell: usize| {
            let flip = |sample: u64| {
                let mut row = Row::new();
                if heads[cell] == OUT {
                    (0..3).for_each(|_| row.push(Value::Missing));
                    return row;
                }
                let is_heads = sample < heads[cell];
                row.push(Value::flag(is_heads));
                row.push(Value::Exact(i64::from(is_heads)));
                row.push(Value::Exact(1 + i64::from(is_heads)));
                if is_one && cell == 1 {
                    row.push_step("heads");
                }
                row
            };
            (0..400).map(flip).collect::<Vec<_>>()
        };
        let rows = [0, 1].map(flips);
        settled(&experiment, &compiled, &BlockTally::of(&compiled, 0, &rows))
    }

    /// 4 or 396 of 400 heads are known to 0.02, and 200 to 0.06.
    #[test]
    fn an_interval_is_to_be_narrow_in_every_wanted_cell() {
        let rule = "[stop.half-width]\nmetric = \"heads\"\ntarget = 0.03\nmax-samples = 400";
        let narrow = Some(StopReason::HalfWidth);
        assert_eq!(settled_by(rule, [4, 396], false), narrow);
        for wide in [[4, 200], [200, 4], [200, 200]] {
            assert_eq!(settled_by(rule, wide, false), None, "{wide:?}");
        }
        assert_eq!(settled_by(rule, [4, 400], true), None);
        let unwanted = format!("{rule}\n[unwanted]\n\"0.75\" = 64");
        assert_eq!(settled_by(&unwanted, [4, 200], false), narrow);
        assert_eq!(settled_by(&unwanted, [200, 4], false), None);
        // 396 heads of 400 are known to a fiftieth of their share, and 4 are not.
        let relative = rule.replace("target = 0.03", "relative = 0.03");
        assert_eq!(settled_by(&relative, [396, 396], false), narrow);
        assert_eq!(settled_by(&relative, [4, 396], false), None);
        assert_eq!(settled_by(&relative, [0, 396], false), None);
        // A cell whose player is out has no interval, and never will.
        assert_eq!(settled_by(rule, [4, OUT], false), narrow);
        assert_eq!(settled_by(rule, [OUT, 200], false), None);
        assert_eq!(settled_by(rule, [OUT, OUT], false), None);
    }

    #[test]
    fn a_sequential_test_is_to_decide_in_every_wanted_cell() {
        let rule = "[stop.sprt]\nmetric = \"heads\"\nrate = [0.4, 0.6]\nmax-samples = 400";
        for (heads, is_one, reason) in [
            ([160, 170], false, Some(StopReason::SprtLower)),
            ([240, 400], false, Some(StopReason::SprtUpper)),
            ([160, 240], false, Some(StopReason::SprtMixed)),
            ([160, 200], false, None),
            ([200, 240], false, None),
            ([240, 400], true, None),
            ([240, OUT], false, Some(StopReason::SprtUpper)),
        ] {
            assert_eq!(settled_by(rule, heads, is_one), reason, "{heads:?}");
        }
        let unwanted = format!("{rule}\n[unwanted]\n\"0.75\" = 64");
        assert_eq!(
            settled_by(&unwanted, [240, 200], false),
            Some(StopReason::SprtUpper)
        );
    }

    /// One claim on both cells and one on their difference: 200 heads are about a half, 300 more, 100 less.
    #[test]
    fn every_claim_on_wanted_cells_is_to_be_decided() {
        let claim = |holds: &str| {
            format!("[[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"{holds}\"\n")
        };
        let rule = "[stop.claims]\nmax-samples = 400\n";
        let cells = format!("{rule}{}", claim("heads.mean > 0.5"));
        let decided = Some(StopReason::Claims);
        assert_eq!(settled_by(&cells, [300, 100], false), decided);
        assert_eq!(settled_by(&cells, [300, 200], false), None);
        assert_eq!(settled_by(&cells, [200, 300], false), None);
        assert_eq!(settled_by(&cells, [300, 400], true), None);
        assert_eq!(settled_by(&cells, [300, OUT], false), decided);
        let unwanted = "[unwanted]\n\"0.75\" = 64\n";
        let only = format!("{rule}{unwanted}{}", claim("heads.mean > 0.5"));
        assert_eq!(settled_by(&only, [300, 200], false), decided);
        assert_eq!(settled_by(&only, [200, 300], false), None);
        let both = claim("diff(0.75, 0.5).heads > 0");
        let pair = format!("{rule}{both}");
        assert_eq!(settled_by(&pair, [200, 300], false), decided);
        assert_eq!(settled_by(&pair, [200, 200], false), None);
        // A pair of which one cell draws no more is decided no more.
        assert_eq!(
            settled_by(&format!("{rule}{unwanted}{both}"), [200, 200], false),
            decided
        );
        let two = format!("{pair}{}", claim("heads.mean > 0.5"));
        assert_eq!(settled_by(&two, [200, 300], false), None);
        assert_eq!(settled_by(&two, [100, 300], false), decided);
    }

    #[test]
    fn looks_are_a_twentieth_apart_and_end_with_the_cap() {
        let looks: Vec<u64> = (1..=100_001).filter(|&n| is_look(n, 100_001)).collect();
        assert_eq!(looks[..4], [64, 68, 72, 76]);
        for samples in 1..=2_000 {
            let next = looks.iter().find(|&&look| look >= samples);
            assert_eq!(Some(&next_look(samples)), next);
        }
        assert_eq!(looks.last(), Some(&100_001));
        let growth = looks.windows(2).map(|pair| pair[1] as f64 / pair[0] as f64);
        assert!(growth.clone().all(|ratio| ratio <= 1.0626));
    }

    #[test]
    fn blocks_of_a_run_that_looks_end_at_every_look() {
        let caps = [50, 64, 1_000, 99_999, 20_000_000];
        for (cap, cells) in caps.iter().flat_map(|&cap| [(cap, 1), (cap, 10_000)]) {
            let plan = Plan::with_looks(cap).with_cells(cells);
            let ends: Vec<u64> = plan.blocks().map(|block| block.range().end).collect();
            let looks = (1..=cap.min(300_000)).chain((1 << 22..=cap).step_by(1 << 16));
            for look in looks.filter(|&n| is_look(n, cap)) {
                assert!(ends.binary_search(&look).is_ok(), "{look} of {cap}");
            }
            assert_eq!(ends.last(), Some(&cap));
        }
    }

    #[test]
    fn a_test_that_decides_differently_in_two_cells_is_mixed() {
        use Decision::{Inconclusive, Lower, Upper};
        assert_eq!(agreement(&[Upper, Upper]), Some(StopReason::SprtUpper));
        assert_eq!(agreement(&[Upper, Lower]), Some(StopReason::SprtMixed));
        assert_eq!(agreement(&[Upper, Inconclusive]), None);
    }
}
