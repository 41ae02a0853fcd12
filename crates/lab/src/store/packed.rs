//! Compresses long texts into a field of a table or of a JSON object.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// The compressor's level: about a quarter of a tally's text, faster than the text is made.
const LEVEL: u8 = 3;
/// The level at which nothing more is gained.
const BEST: u8 = 10;

/// An upper bound of the ratio of a text's length to that of its compressed form.
const LARGEST_RATIO: usize = 1032;

/// The text deflated (RFC 1951), in Base64 without padding.
pub(super) fn pack(text: &str) -> String {
    STANDARD_NO_PAD.encode(compress_to_vec(text.as_bytes(), LEVEL))
}

/// Like [`pack`], but slower and smaller: for texts that are packed once.
pub(super) fn pack_well(text: &str) -> String {
    STANDARD_NO_PAD.encode(compress_to_vec(text.as_bytes(), BEST))
}

/// The text of at most `largest` bytes that [`pack`] packed; `None` of anything else.
pub(super) fn unpack(packed: &str, largest: u64) -> Option<String> {
    let packed = STANDARD_NO_PAD.decode(packed).ok()?;
    let largest = usize::try_from(largest).unwrap_or(usize::MAX);
    let limit = packed.len().saturating_mul(LARGEST_RATIO).min(largest);
    let bytes = decompress_to_vec_with_limit(&packed, limit).ok()?;
    String::from_utf8(bytes).ok()
}
