//! Published counts: OEIS A000170 (all solutions, to n = 27) and A002562 (up to symmetry).

/// A000170; n = 27 by Preusser and Engelhardt (2016).
const SOLUTIONS: [u128; 27] = [
    1,
    0,
    0,
    2,
    10,
    4,
    40,
    92,
    352,
    724,
    2_680,
    14_200,
    73_712,
    365_596,
    2_279_184,
    14_772_512,
    95_815_104,
    666_090_624,
    4_968_057_848,
    39_029_188_884,
    314_666_222_712,
    2_691_008_701_644,
    24_233_937_684_440,
    227_514_171_973_736,
    2_207_893_435_808_352,
    22_317_699_616_364_044,
    234_907_967_154_122_528,
];

/// The number of solutions on the `n` by `n` board, where it is known.
pub fn solutions(n: usize) -> Option<u128> {
    SOLUTIONS.get(n.checked_sub(1)?).copied()
}

/// A002562, as far as the tests count.
#[cfg(test)]
pub(crate) fn fundamental(n: usize) -> Option<u64> {
    const FUNDAMENTAL: [u64; 14] = [1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341, 1_787, 9_233, 45_752];
    FUNDAMENTAL.get(n.checked_sub(1)?).copied()
}
