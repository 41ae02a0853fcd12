#![doc = include_str!("../README.md")]

mod betting;
mod binomial;
mod bounded;
mod claim;
mod co_moments;
mod concentration;
mod confidence;
mod critical;
mod difference;
mod digits;
mod elo;
mod gains;
mod halving;
mod histogram;
mod interval;
mod mean;
mod moments;
mod paired;
mod pareto;
mod pentanomial;
mod products;
mod proportion;
mod published;
mod quantile;
mod quotients;
mod ratings;
mod ratio;
mod regression;
mod samples_needed;
mod sequence;
mod skew;
mod slices;
mod span;
pub mod speed;
mod sprt;
mod starts;
mod steps;
mod storable;
mod totals;
mod weights;
mod wide;

pub use betting::mean_sequence;
pub(crate) use betting::sequence_half_width;
pub use bounded::Bounded;
pub use claim::{ClaimVerdict, Extreme, PairStatistic, Relation, decide_jointly};
pub use concentration::Concentration;
pub use confidence::{Confidence, Looks};
pub use difference::{Dependence, Limited, difference_interval, subtracted};
pub use digits::{
    Outward, USUAL_DIGITS, declared, outward, outward_ends, outwards, rounded, to_width,
};
pub(crate) use elo::score_of_elo;
pub use elo::{Elo, elo_of_score};
pub use gains::{GainShare, PayoffDistribution, Sampling, TotalGain};
pub use histogram::Histogram;
pub use interval::{Estimate, Interval, Level, Method, Validity, Withheld};
pub use mean::{FarLimit, SampledMean, mean, mean_estimate, welch_interval};
pub use moments::{Accumulator, Moments};
pub use paired::{Paired, mcnemar_exact};
pub use pentanomial::Pentanomial;
pub use products::Products;
pub(crate) use proportion::exceptions_bound;
pub use proportion::{Proportion, share_estimate};
pub use published::Published;
pub use quantile::quantile_estimate;
pub use ratings::{Pairing, Ratings};
pub use ratio::RatioSums;
pub use regression::{Adjusted, Known, Regression};
pub use samples_needed::{
    Expected, mean_known_after, samples_for_mean, samples_for_share, share_known_after,
};
pub use sequence::{cost_of_cap, planned_for};
pub use slices::{difference_of, mean_of, mean_within, paired_difference_of, quantile_of};
pub use span::{Margins, Span};
pub use sprt::{Decision, Hypotheses, Sprt};
pub use starts::mean_of_starts;
pub(crate) use starts::median_of_starts;
pub use storable::Storable;
pub use totals::ratio_of_totals;
pub use weights::WeightSums;

#[cfg(test)]
mod tests {
    mod laws;
}
