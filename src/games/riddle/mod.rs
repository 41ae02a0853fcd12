//! Riddle chess, the "Divine generator": hidden colourless pieces, and on each cell the number of
//! pieces attacking it.
//!
//! ```text
//! board -> army -> rules -> walk -> census, maps      (exact counts)
//!                        -> sampler                   (random placements)
//!                        -> clues -> solver -> maker  (riddles)
//! ```
//!
//! Published by its author at <https://sourceforge.net/projects/divgen/>, after "Guess-Chess" of
//! A. V. Catapang Jr. (1997).

pub mod army;
pub mod board;
pub mod census;
pub mod rules;
pub mod sampler;
pub mod threats;
pub mod variants;
pub mod walk;
