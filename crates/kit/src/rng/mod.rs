//! Random numbers: the tree of streams and the draws made from them.
//!
//! Everything random in a result comes through here, and every function is pinned by golden
//! vectors, because the promise "same config, same seed, same bytes" outlives any dependency.
//! Knows nothing of games, samples' meaning or statistics.

mod draw;
mod stream;

pub use draw::{below, choose, shuffle, unit};
pub use stream::{Stream, StreamKey, Streams, fork, stream_of};
