//! Games of cards by their names: what is dealt, and the moves that were made.

#[cfg(any(feature = "klondike", feature = "review-klondike"))]
pub mod casino;
#[cfg(any(feature = "review-solitaire", feature = "solitaire"))]
pub mod solitaire;

use cards::tabletop::deal_stream;
use kit::rng::Stream;

use super::{first_word, number};

/// The steps of a point or dollar in which the play of a game is kept.
pub const STEPS: u32 = 10;

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

/// A game as a request has it: `RULES PLACE MOVES`.
pub struct GameWords<'a> {
    /// `RULES PLACE`.
    pub deal: &'a str,
    pub moves: &'a str,
}

impl<'a> GameWords<'a> {
    /// Reads the words of a request.
    pub fn read(request: &'a str) -> GameWords<'a> {
        let moves = first_word(first_word(request).1).1;
        let deal = &request[..request.len() - moves.len()];
        GameWords { deal, moves }
    }
}
