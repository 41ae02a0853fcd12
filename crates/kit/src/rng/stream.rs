//! The stream tree: one independent generator for every (seed, purpose, sample index).
//!
//! Streams are derived by hashing, never by a generator's own stream parameter or by jumping
//! ahead: both leave measurable correlations between PCG streams (O'Neill 2014 makes no promise
//! for them). A named purpose ("deal", "fox", "hens") has its own key, so one more draw for one
//! purpose never shifts another.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Dxsm;

/// The generator every draw is made from.
pub type Stream = Pcg64Dxsm;

const CONTEXT: &str = "etude v1 sample stream";

/// Rounds of the permutation of short seeds.
const ROUNDS: u8 = 8;

/// The root of the tree: an experiment's seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streams {
    seed: u64,
}

impl Streams {
    /// The tree that grows from `seed`.
    ///
    /// ```
    /// use etude_kit::rng::{Streams, below};
    /// let deals = Streams::new(1978).key("deal");
    /// let mut again = Streams::new(1978).key("deal").stream(7);
    /// assert_eq!(below(&mut deals.stream(7), 52), below(&mut again, 52));
    /// ```
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// The key of one purpose. Hashes once; keep the key and ask it for each sample's stream.
    pub fn key(&self, purpose: &str) -> StreamKey {
        let mut material = self.seed.to_le_bytes().to_vec();
        material.extend_from_slice(purpose.as_bytes());
        StreamKey {
            key: blake3::derive_key(CONTEXT, &material),
        }
    }
}

/// The streams of one purpose, numbered by sample index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamKey {
    key: [u8; 32],
}

impl StreamKey {
    /// The stream of one step of a sample, such as one decision of a game: a pure function of
    /// (seed, purpose, index, step), independent of [`stream`](Self::stream).
    pub fn step(&self, index: u64, step: u64) -> Stream {
        let numbers = [index.to_le_bytes(), step.to_le_bytes()].concat();
        hashed(&self.key, &[&numbers, b"step".as_slice()].concat())
    }

    /// The stream of sample `index`: a pure function of (seed, purpose, index).
    pub fn stream(&self, index: u64) -> Stream {
        hashed(&self.key, &index.to_le_bytes())
    }

    /// The seed of sample `index`: 32 bytes for generators of other programs, a pure function of
    /// (seed, purpose, index).
    pub fn seed(&self, index: u64) -> [u8; 32] {
        *blake3::keyed_hash(&self.key, &index.to_le_bytes()).as_bytes()
    }

    /// A number for sample `index` that no other index below 2^32 has: a keyed permutation of 32
    /// bits, for generators whose seeds are short. A Feistel network of eight rounds (Luby and
    /// Rackoff 1988), each keyed by BLAKE3.
    pub fn seed32(&self, index: u32) -> u32 {
        let halves = ((index >> 16) as u16, index as u16);
        let (left, right) = (0..ROUNDS).fold(halves, |(left, right), round| {
            let bytes = [&b"seed32"[..], &[round], &right.to_le_bytes()].concat();
            let hash = blake3::keyed_hash(&self.key, &bytes);
            let mixed = u16::from_le_bytes([hash.as_bytes()[0], hash.as_bytes()[1]]);
            (right, left ^ mixed)
        });
        u32::from(left) << 16 | u32::from(right)
    }

    /// A number below 2^31 for sample `index`, also below it, that no other sample has, for
    /// generators whose seeds are signed. It follows the permutation of [`StreamKey::seed32`] until
    /// it comes back below 2^31, which is a permutation again.
    pub fn seed31(&self, index: u32) -> u32 {
        let mut seed = self.seed32(index);
        while seed >> 31 == 1 {
            seed = self.seed32(seed);
        }
        seed
    }
}

/// The stream that [`StreamKey::seed`] is the seed of.
pub fn stream_of(seed: [u8; 32]) -> Stream {
    Stream::from_seed(seed)
}

/// A stream of its own that begins where `stream` stands: 32 bytes of it, hashed, are its seed.
pub fn fork(stream: &mut Stream) -> Stream {
    let mut seed = [0; 32];
    stream.fill_bytes(&mut seed);
    Stream::from_seed(*blake3::hash(&seed).as_bytes())
}

fn hashed(key: &[u8; 32], bytes: &[u8]) -> Stream {
    stream_of(*blake3::keyed_hash(key, bytes).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_match_their_golden_vectors() {
        let key = Streams::new(1978).key("deal");
        let first: Vec<u64> = (0..3).map(|i| key.stream(i).next_u64()).collect();
        assert_eq!(first, GOLDEN_FIRST);
        let mut stream = key.stream(u64::MAX);
        assert_eq!([stream.next_u64(), stream.next_u64()], GOLDEN_LAST);
    }

    #[test]
    fn purposes_and_seeds_do_not_share_streams() {
        let draw = |seed, purpose: &str| Streams::new(seed).key(purpose).stream(0).next_u64();
        assert_ne!(draw(1, "deal"), draw(1, "fox"));
        assert_ne!(draw(1, "deal"), draw(2, "deal"));
    }

    /// Seed 5: a permutation of 32 bits has no equal pair among a million of its values, where
    /// drawn numbers would have about 116.
    #[test]
    fn short_seeds_never_collide() {
        let key = Streams::new(5).key("once");
        let signed: std::collections::HashSet<u32> = (0..100_000)
            .chain((1 << 31) - 100_000..1 << 31)
            .map(|index| key.seed31(index))
            .collect();
        assert_eq!(signed.len(), 200_000);
        assert!(signed.iter().all(|seed| seed >> 31 == 0));
        let mut seeds: Vec<u32> = (0..1_000_000).map(|index| key.seed32(index)).collect();
        seeds.sort_unstable();
        assert!(seeds.windows(2).all(|pair| pair[0] != pair[1]));
        let high = seeds.iter().filter(|seed| **seed >= 1 << 31).count();
        assert!((498_000..502_000).contains(&high), "{high}");
    }

    #[test]
    fn seeds_are_those_of_the_streams() {
        let key = Streams::new(1978).key("deal");
        assert_eq!(stream_of(key.seed(3)), key.stream(3));
    }

    /// Seed 5.
    #[test]
    fn steps_and_forks_share_no_draws_with_their_sample() {
        let key = Streams::new(5).key("worlds");
        let mut parent = key.stream(3);
        let mut fork = fork(&mut parent);
        let streams = [
            key.stream(3),
            key.step(3, 0),
            key.step(3, 1),
            key.step(0, 3),
        ];
        let mut first: Vec<u64> = streams.map(|mut stream| stream.next_u64()).to_vec();
        first.extend([parent.next_u64(), fork.next_u64()]);
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), 6);
        assert_eq!(key.step(3, 1), key.step(3, 1));
    }

    // Recomputed from the published definitions of BLAKE3 and PCG DXSM in big-integer arithmetic.
    const GOLDEN_FIRST: [u64; 3] = [
        3276969634400294283,
        12292698756280913887,
        15864802535580008694,
    ];
    const GOLDEN_LAST: [u64; 2] = [5553121530524209565, 8081077047195077574];
}
