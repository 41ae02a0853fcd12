//! Claims: the verdict of an interval or a counterexample on a stated relation.
//!
//! A claim is decided only where the whole interval agrees. Samples can refute a bound on a
//! maximum by a counterexample ("never more than seven"), but no number of samples supports it.
//! References: Holm 1979, *Scandinavian Journal of Statistics* 6; Hanley and Lippman-Hand 1983 on
//! the rule of three.

use std::cmp::Ordering;

use super::{
    Accumulator, Bounded, Estimate, Interval, Level, Outward, Span, exceptions_bound, outward,
};

/// An order relation between an estimated quantity and a number, by its sign.
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
    strum::Display,
)]
pub enum Relation {
    /// `<`
    #[strum(serialize = "<")]
    Less,
    /// `<=`
    #[strum(serialize = "<=")]
    AtMost,
    /// `>`
    #[strum(serialize = ">")]
    Greater,
    /// `>=`
    #[strum(serialize = ">=")]
    AtLeast,
}

/// The quantities that compare the times of two contenders.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::EnumString, strum::AsRefStr,
)]
#[strum(serialize_all = "kebab-case")]
pub enum PairStatistic {
    /// The median of paired ratios.
    Median,
    /// The ratio of the times of the whole batch.
    Total,
    /// The share of instances on which the first is faster.
    Faster,
    /// The share of instances that a contender decides within its cap.
    Decided,
    /// None: the time of the contender is subtracted from that of all others.
    Baseline,
}

impl PairStatistic {
    /// Returns whether it is a ratio of the times of two contenders.
    pub fn is_ratio(self) -> bool {
        matches!(self, PairStatistic::Median | PairStatistic::Total)
    }
}

/// The verdict of the samples on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::AsRefStr)]
#[strum(serialize_all = "kebab-case")]
pub enum ClaimVerdict {
    /// The claim holds, at the level of the interval.
    Supported,
    /// The claim does not hold, at the level of the interval or by a counterexample.
    Refuted,
    /// The estimate does not differ from a published value by more than both errors explain.
    Agrees,
    /// The samples do not tell.
    Undecided,
}

/// An end of a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::AsRefStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Extreme {
    /// The smallest value possible.
    Min,
    /// The largest value possible.
    Max,
}

impl Relation {
    /// Returns whether `value` stands in this relation to `bound`.
    pub(crate) fn holds(self, value: f64, bound: f64) -> bool {
        match self {
            Relation::Less => value < bound,
            Relation::AtMost => value <= bound,
            Relation::Greater => value > bound,
            Relation::AtLeast => value >= bound,
        }
    }

    /// Returns whether a quantity covered by `interval`, as it is written, stands in this relation to `bound`.
    pub fn decide(self, interval: Option<Interval>, bound: f64) -> ClaimVerdict {
        interval.map_or(ClaimVerdict::Undecided, |interval| {
            let Interval { lo, hi, .. } = interval.written();
            self.decide_between(lo, hi, bound)
        })
    }

    /// Decides for a quantity in `lo..=hi`, where either end may be infinite.
    pub fn decide_between(self, lo: f64, hi: f64, bound: f64) -> ClaimVerdict {
        match (self.holds(lo, bound), self.holds(hi, bound)) {
            (true, true) => ClaimVerdict::Supported,
            (false, false) => ClaimVerdict::Refuted,
            _ => ClaimVerdict::Undecided,
        }
    }
}

impl Extreme {
    /// Returns the extreme of the samples of a tally in a unit that `denominator` of its steps make, between
    /// those with every unresolved sample at its least and at its most; `None` of an empty one. One that no
    /// number of the machine is lies between two of them.
    pub fn of<A: Accumulator>(self, tally: &Bounded<A>, denominator: u64) -> Option<Estimate> {
        let among = |end: A| {
            let moments = end.moments();
            let extreme = match self {
                Extreme::Min => moments.min(),
                Extreme::Max => moments.max(),
            };
            extreme.map(|value| enclosing(value, denominator))
        };
        let lower = among(tally.low_end())?.lo;
        let upper = among(tally.high_end())?.hi;
        Some(Estimate {
            value: (lower == upper).then_some(lower),
            n: tally.count(),
            unresolved: tally.unresolved(),
            lower: Some(lower),
            upper: Some(upper),
            ..Estimate::default()
        })
    }

    /// The extreme among what is certain: the true one is at least as extreme as this.
    pub fn witnessed(self, observed: &Estimate) -> Option<f64> {
        match self {
            Extreme::Min => observed.upper,
            Extreme::Max => observed.lower,
        }
    }

    /// Returns whether the extreme stands in `relation` to `bound`: decided by a witness or by the
    /// `limits` of the quantity, never by sampling alone otherwise.
    pub fn decide(
        self,
        relation: Relation,
        bound: f64,
        observed: &Estimate,
        limits: Option<Span>,
    ) -> ClaimVerdict {
        let [least, most] = limits.unwrap_or(Span::OPEN).to_array();
        let witness = self.witnessed(observed);
        let (lo, hi) = match self {
            Extreme::Min => (least, witness.unwrap_or(most)),
            Extreme::Max => (witness.unwrap_or(least), most),
        };
        relation.decide_between(lo, hi, bound)
    }

    /// Returns the caveat of samples that left `relation` to `bound` undecided: how few values can
    /// decide it, at `level`, by the rule of three.
    pub fn caveat(
        self,
        relation: Relation,
        bound: f64,
        observed: &Estimate,
        level: Level,
    ) -> String {
        let rising = matches!(relation, Relation::Greater | Relation::AtLeast);
        // "max <= 7" falls to an exception, "max >= 7" waits for a witness.
        let (verb, kind) = if rising == (self == Extreme::Max) {
            ("witnessed", "witnesses")
        } else {
            ("refuted", "exceptions")
        };
        let n = observed.n;
        let possible = match self {
            Extreme::Min => observed.lower,
            Extreme::Max => observed.upper,
        };
        let holds = possible.is_some_and(|value| relation.holds(value, bound));
        let unanimous = holds == (verb == "refuted");
        match exceptions_bound(n, level).filter(|_| unanimous) {
            Some(share) => {
                let step = 10_f64.powi(libm::log10(share).floor() as i32 - 1);
                let most = outward(share, step, Outward::Above);
                format!("not {verb} in {n} samples; {kind} are at most {most:.1e} of all ({level})")
            }
            None if observed.unresolved == 0 => {
                format!("of the {n} samples, some are beyond 2^53 and may be {kind}")
            }
            None => format!("unresolved samples of the {n} may be {kind}"),
        }
    }
}

/// The numbers between which a quotient lies: the nearest one twice, as long as it tells the quotient from
/// all others.
fn enclosing(numerator: i64, denominator: u64) -> Span {
    let (near, unit) = (numerator as f64, denominator.max(1) as f64);
    let rounded = (near as i128).cmp(&i128::from(numerator));
    match (unit == 1.0, rounded) {
        _ if numerator.unsigned_abs() <= 1 << 53 => Span::point(near / unit),
        (true, Ordering::Equal) => Span::point(near),
        (true, Ordering::Less) => Span::new(near, near.next_up()),
        (true, Ordering::Greater) => Span::new(near.next_down(), near),
        (false, _) => Span::new(near.next_down() / unit, near.next_up() / unit),
    }
}

/// Decides `claims` claims so that all decisions together hold at `level` (Holm's step-down):
/// `decide(claim, level)` decides one alone at a level, by an interval that narrows as the level
/// falls. Each claim decided makes the level for the remaining ones less strict. Beside each
/// decision stands the level it was made at; of an open claim, the last one tried. A claim that
/// agrees with its source stays open, because nothing is rejected: the intervals of open claims hold
/// jointly at their last level (Guilbaud 2008, *Biometrical Journal* 50).
pub fn decide_jointly(
    claims: usize,
    level: Level,
    decide: impl Fn(usize, Level) -> ClaimVerdict,
) -> Vec<(ClaimVerdict, Level)> {
    let mut decisions = vec![(ClaimVerdict::Undecided, level); claims];
    loop {
        let open = undecided(&decisions);
        let each = level.shared_by(open);
        for (claim, decision) in decisions.iter_mut().enumerate() {
            if decision.0.is_open() {
                *decision = (decide(claim, each), each);
            }
        }
        if undecided(&decisions) == open || undecided(&decisions) == 0 {
            return decisions;
        }
    }
}

fn undecided(decisions: &[(ClaimVerdict, Level)]) -> usize {
    let open = decisions.iter().filter(|(outcome, _)| outcome.is_open());
    open.count()
}

impl ClaimVerdict {
    /// Returns whether more samples may still reject something.
    fn is_open(self) -> bool {
        matches!(self, ClaimVerdict::Undecided | ClaimVerdict::Agrees)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Histogram, Method};

    fn decide(relation: Relation, lo: f64, hi: f64, bound: f64) -> ClaimVerdict {
        let interval = Interval::fixed(Span::new(lo, hi), Level::DEFAULT, Method::StudentT);
        relation.decide(interval, bound)
    }

    #[test]
    fn a_relation_is_decided_only_where_the_whole_interval_agrees() {
        use ClaimVerdict::{Refuted, Supported, Undecided};
        assert_eq!(decide(Relation::Less, 1.0, 2.0, 2.0), Undecided);
        assert_eq!(decide(Relation::AtMost, 1.0, 2.0, 2.0), Supported);
        assert_eq!(decide(Relation::Less, 2.0, 3.0, 2.0), Refuted);
        assert_eq!(decide(Relation::AtMost, 2.0, 3.0, 2.0), Undecided);
        assert_eq!(decide(Relation::Greater, 2.0, 3.0, 1.9), Supported);
        assert_eq!(decide(Relation::AtLeast, 2.0, 3.0, 3.1), Refuted);
        assert_eq!(Relation::Less.decide(None, 0.0), Undecided);
    }

    /// An extreme of `n` samples that unresolved ones leave open.
    fn between(lower: f64, upper: f64, n: u64) -> Estimate {
        Estimate {
            lower: Some(lower),
            upper: Some(upper),
            n,
            unresolved: u64::from(lower < upper),
            ..Estimate::default()
        }
    }

    /// The greatest of 3, 7, 5 and something from 6 to 9.
    fn maximum() -> Estimate {
        let mut tally = Bounded::<Histogram>::default();
        [3, 7, 5].into_iter().for_each(|value| tally.push(value));
        tally.push_bounds(6, 9);
        let observed = Extreme::Max.of(&tally, 1).unwrap();
        assert_eq!((observed.lower, observed.upper), (Some(7.0), Some(9.0)));
        assert_eq!(Extreme::Max.witnessed(&observed), Some(7.0));
        observed
    }

    #[test]
    fn sampling_refutes_a_bound_on_the_maximum_but_never_supports_it() {
        let decide = |relation, bound| Extreme::Max.decide(relation, bound, &maximum(), None);
        assert_eq!(decide(Relation::AtMost, 6.0), ClaimVerdict::Refuted);
        assert_eq!(decide(Relation::AtMost, 7.0), ClaimVerdict::Undecided);
        assert_eq!(decide(Relation::AtMost, 1e9), ClaimVerdict::Undecided);
        assert_eq!(decide(Relation::AtLeast, 7.0), ClaimVerdict::Supported);
        assert_eq!(decide(Relation::Greater, 7.0), ClaimVerdict::Undecided);
    }

    #[test]
    fn what_the_limits_of_a_quantity_make_certain_is_decided() {
        let decide = |relation, bound| {
            Extreme::Max.decide(relation, bound, &maximum(), Some(Span::new(0.0, 9.0)))
        };
        assert_eq!(decide(Relation::AtMost, 9.0), ClaimVerdict::Supported);
        assert_eq!(decide(Relation::Greater, 9.0), ClaimVerdict::Refuted);
        assert_eq!(decide(Relation::AtMost, 8.0), ClaimVerdict::Undecided);
        assert_eq!(decide(Relation::Less, 9.0), ClaimVerdict::Undecided);
    }

    #[test]
    fn the_whole_space_decides_what_unresolved_samples_leave_open() {
        let whole = maximum().exact();
        assert_eq!((whole.value, whole.unresolved), (None, 1));
        let decide = |relation: Relation, bound| relation.decide(whole.interval, bound);
        assert_eq!(decide(Relation::AtMost, 9.0), ClaimVerdict::Supported);
        assert_eq!(decide(Relation::AtMost, 8.0), ClaimVerdict::Undecided);
        assert_eq!(decide(Relation::Greater, 9.0), ClaimVerdict::Refuted);
    }

    #[test]
    fn a_minimum_mirrors_a_maximum() {
        let observed = between(2.0, 4.0, 10);
        assert_eq!(Extreme::Min.witnessed(&observed), Some(4.0));
        let decide = |relation| Extreme::Min.decide(relation, 4.0, &observed, None);
        assert_eq!(decide(Relation::AtMost), ClaimVerdict::Supported);
        assert_eq!(decide(Relation::Greater), ClaimVerdict::Refuted);
        assert_eq!(decide(Relation::AtLeast), ClaimVerdict::Undecided);
    }

    /// The double beside 2^53 + 1 is 2^53: a claim that tells them apart is not decided by it.
    #[test]
    fn an_extreme_that_no_number_is_decides_nothing_beside_it() {
        const MOST: i64 = 1 << 53;
        let of = |value: i64, denominator| {
            let mut tally = Bounded::<Histogram>::default();
            tally.push(value);
            Extreme::Max.of(&tally, denominator).unwrap()
        };
        let decide = |observed: Estimate, relation: Relation, bound| {
            Extreme::Max.decide(relation, bound, &observed, None)
        };
        let odd = of(MOST + 3, 1);
        assert_eq!((odd.value, odd.lower), (None, Some((MOST + 2) as f64)));
        let near = (MOST + 4) as f64;
        assert_eq!(
            decide(odd, Relation::AtLeast, near),
            ClaimVerdict::Undecided
        );
        let below = near - 2.0;
        assert_eq!(
            decide(odd, Relation::AtLeast, below),
            ClaimVerdict::Supported
        );
        let caveat = Extreme::Max.caveat(Relation::AtMost, below, &odd, Level::DEFAULT);
        assert_eq!(
            caveat,
            "of the 1 samples, some are beyond 2^53 and may be exceptions"
        );
        let even = of(MOST + 4, 1);
        assert_eq!(even.value, Some(near));
        assert_eq!(
            decide(even, Relation::AtLeast, near),
            ClaimVerdict::Supported
        );
        assert_eq!(of(7, 2).value, Some(3.5));
        assert_eq!(of(MOST + 4, 1000).value, None);
    }

    #[test]
    fn an_undecided_extreme_says_how_rare_exceptions_are() {
        let observed = between(7.0, 9.0, 1000);
        let caveat =
            |relation, bound| Extreme::Max.caveat(relation, bound, &observed, Level::DEFAULT);
        let expected = "not refuted in 1000 samples; exceptions are at most 3.0e-3 of all (0.95)";
        assert_eq!(caveat(Relation::AtMost, 9.0), expected);
        assert!(caveat(Relation::Greater, 9.0).starts_with("not witnessed in 1000 samples"));
        let open = "unresolved samples of the 1000 may be exceptions";
        assert_eq!(caveat(Relation::AtMost, 8.0), open);
    }

    /// Of claims with these p-values, which are decided at 5 %, and by how many the level was shared.
    fn decided(p_values: &[f64]) -> Vec<(bool, f64)> {
        let decide = |claim: usize, level: Level| {
            if p_values[claim] <= level.alpha() {
                ClaimVerdict::Refuted
            } else {
                ClaimVerdict::Undecided
            }
        };
        let outcomes = decide_jointly(p_values.len(), Level::DEFAULT, decide);
        let told = |(outcome, level): &(ClaimVerdict, Level)| {
            let shared = (0.05 / level.alpha()).round();
            (*outcome == ClaimVerdict::Refuted, shared)
        };
        outcomes.iter().map(told).collect()
    }

    #[test]
    fn every_claim_that_is_decided_makes_the_level_of_the_rest_less_strict() {
        // 0.01 and 0.0124 <= 0.05/4, then 0.024 <= 0.05/2, but 0.06 > 0.05.
        let found = decided(&[0.06, 0.01, 0.024, 0.0124]);
        let expected = [(false, 1.0), (true, 4.0), (true, 2.0), (true, 4.0)];
        assert_eq!(found, expected);
        assert_eq!(decided(&[]), []);
        assert_eq!(decided(&[0.04]), [(true, 1.0)]);
    }

    #[test]
    fn a_claim_that_agrees_stays_open_for_the_level() {
        // Of three, one is refuted at 5 %/3; the two others are tried again at 5 %/2.
        let decide = |claim: usize, level: Level| match claim {
            0 if level.alpha() > 0.05 / 3.5 => ClaimVerdict::Refuted,
            1 => ClaimVerdict::Agrees,
            _ => ClaimVerdict::Undecided,
        };
        let found = decide_jointly(3, Level::DEFAULT, decide);
        let told =
            |(verdict, level): &(ClaimVerdict, Level)| (*verdict, (0.05 / level.alpha()).round());
        let expected = [
            (ClaimVerdict::Refuted, 3.0),
            (ClaimVerdict::Agrees, 2.0),
            (ClaimVerdict::Undecided, 2.0),
        ];
        assert_eq!(found.iter().map(told).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_round_without_a_decision_is_the_last_one() {
        // 0.04 > 0.05/2: that it is below 0.05 does not count while the other is open.
        assert_eq!(decided(&[0.04, 0.06]), [(false, 2.0), (false, 2.0)]);
        let found = decided(&[0.03, 0.01, 0.04]);
        assert_eq!(found, [(false, 2.0), (true, 3.0), (false, 2.0)]);
    }
}
