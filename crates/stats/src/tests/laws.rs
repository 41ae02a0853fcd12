//! Laws every tally obeys, checked on generated samples. The generator's seed is fixed.

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, RngSeed};

use crate::{Accumulator, Bounded, Histogram, Moments, Paired, RatioSums, Storable, WeightSums};

fn fixed() -> ProptestConfig {
    ProptestConfig {
        cases: 128,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(1978),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Values near zero, at huge offsets and at both ends of the range.
fn value() -> impl Strategy<Value = i64> {
    prop_oneof![
        4 => -20i64..20,
        2 => -5000i64..5000,
        1 => (1i64 << 60)..(1i64 << 60) + 9,
        1 => any::<i64>(),
        1 => Just(i64::MIN),
        1 => Just(i64::MAX),
    ]
}

/// A sample as raw numbers, whatever the tally makes of them.
type Sample = (i64, i64, u8);

fn samples() -> impl Strategy<Value = Vec<Sample>> {
    prop::collection::vec((value(), value(), any::<u8>()), 0..24)
}

/// A tally under test: how it counts a sample, merges, and is written and read.
trait LawfulTally: Clone + Default + PartialEq + std::fmt::Debug + Storable {
    fn add(&mut self, sample: Sample);
    fn absorb(&mut self, other: &Self);

    fn write(&self) -> Vec<u8> {
        postcard::to_allocvec(self).unwrap()
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let tally: Self = postcard::from_bytes(bytes).ok()?;
        (tally.is_consistent() && tally.write() == bytes).then_some(tally)
    }
}

macro_rules! tally {
    ($kind:ty, $add:expr) => {
        impl LawfulTally for $kind {
            fn add(&mut self, sample: Sample) {
                let add: fn(&mut $kind, Sample) = $add;
                add(self, sample);
            }
            fn absorb(&mut self, other: &Self) {
                self.merge(other);
            }
        }
    };
}

tally!(Histogram, |tally, (a, _, _)| tally.push(a));
tally!(Moments, |tally, (a, _, _)| tally.push(a));
tally!(RatioSums, |tally, (a, b, _)| tally.push(a, b));
tally!(WeightSums, |tally, (a, b, _)| tally
    .push(a.unsigned_abs() >> 23, b >> 50));
tally!(Bounded<Histogram>, add_bounded);
tally!(Bounded<Moments>, add_bounded);
tally!(Paired, |tally, (a, b, kind)| match kind % 4 {
    0 => tally.push_missing(),
    1 => tally.push_bounds((a.min(b), a.max(b)), (b, b)),
    _ => tally.push(a, b),
});

fn add_bounded<A: Accumulator>(tally: &mut Bounded<A>, (a, b, kind): Sample) {
    match kind % 4 {
        0 => tally.push_missing(),
        1 => tally.push_bounds(a, b),
        _ => tally.push(a),
    }
}

fn of<T: LawfulTally>(samples: &[Sample]) -> T {
    let mut tally = T::default();
    samples.iter().for_each(|&sample| tally.add(sample));
    tally
}

fn merges_at_every_split<T: LawfulTally>(samples: &[Sample]) {
    let whole: T = of(samples);
    for split in 0..=samples.len() {
        let (head, tail) = samples.split_at(split);
        let mut forward: T = of(head);
        forward.absorb(&of(tail));
        assert_eq!(forward, whole);
        let mut backward: T = of(tail);
        backward.absorb(&of(head));
        assert_eq!(backward, whole);
    }
}

fn bytes_come_back<T: LawfulTally>(samples: &[Sample]) {
    let tally: T = of(samples);
    assert_eq!(T::read(&tally.write()), Some(tally));
}

/// Bytes close to valid ones: one replaced, one dropped or the end cut off. Whatever can be read merges
/// with itself.
fn survives_damage<T: LawfulTally>(samples: &[Sample], at: usize, byte: u8) {
    let bytes = of::<T>(samples).write();
    let at = at % (bytes.len() + 1);
    let rest = bytes.get(at + 1..).unwrap_or_default();
    let head = &bytes[..at];
    for damaged in [
        [head, &[byte], rest].concat(),
        [head, rest].concat(),
        head.to_vec(),
    ] {
        survives_any::<T>(&damaged);
    }
}

macro_rules! for_every_tally {
    ($law:ident($($argument:expr),*)) => {
        $law::<Histogram>($($argument),*);
        $law::<Moments>($($argument),*);
        $law::<RatioSums>($($argument),*);
        $law::<WeightSums>($($argument),*);
        $law::<Bounded<Histogram>>($($argument),*);
        $law::<Bounded<Moments>>($($argument),*);
        $law::<Paired>($($argument),*);
    };
}

proptest! {
    #![proptest_config(fixed())]

    #[test]
    fn a_merge_at_any_split_in_either_order_is_the_whole(samples in samples()) {
        for_every_tally!(merges_at_every_split(&samples));
    }

    #[test]
    fn stored_tallies_come_back(samples in samples()) {
        for_every_tally!(bytes_come_back(&samples));
    }

    #[test]
    fn damaged_bytes_are_refused_or_merge(
        samples in samples(),
        at in any::<usize>(),
        byte in any::<u8>(),
    ) {
        for_every_tally!(survives_damage(&samples, at, byte));
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        for_every_tally!(survives_any(&bytes));
    }

    #[test]
    fn a_histogram_and_moments_agree(values in prop::collection::vec(value(), 0..40)) {
        let samples: Vec<Sample> = values.iter().map(|&value| (value, 0, 0)).collect();
        let (histogram, moments): (Histogram, Moments) = (of(&samples), of(&samples));
        prop_assert_eq!(histogram.moments(), moments);
    }

    #[test]
    fn variance_does_not_notice_an_offset(
        values in prop::collection::vec(-1000i64..1000, 2..40),
        offset in -(1i64 << 62)..(1i64 << 62),
    ) {
        let shifted: Vec<Sample> = values.iter().map(|&value| (value + offset, 0, 0)).collect();
        let centred: Vec<Sample> = values.iter().map(|&value| (value, 0, 0)).collect();
        prop_assert_eq!(of::<Moments>(&shifted).variance(), of::<Moments>(&centred).variance());
    }
}

fn survives_any<T: LawfulTally>(bytes: &[u8]) {
    if let Some(mut tally) = T::read(bytes) {
        tally.absorb(&tally.clone());
    }
}
