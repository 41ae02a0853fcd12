//! The place of a deal.

use cards::tabletop::deal_stream;
use kit::rng::Stream;

use super::number;

/// The place of a deal among those that experiments draw: a seed and the index of a sample.
#[derive(Clone, Copy)]
pub struct DealPlace {
    pub seed: u64,
    pub sample: u64,
}

impl DealPlace {
    /// Reads `SEED`, which is sample 0, or `SEED.SAMPLE`.
    pub fn read(word: &str) -> Result<DealPlace, String> {
        let (seed, sample) = word.trim().split_once('.').unwrap_or((word, "0"));
        Ok(DealPlace {
            seed: number(seed, "number of the deal")?,
            sample: number(sample, "number of the sample")?,
        })
    }

    /// The draws of its cards.
    pub fn stream(self) -> Stream {
        deal_stream((self.seed, self.sample))
    }
}
