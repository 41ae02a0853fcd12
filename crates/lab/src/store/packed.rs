//! Bytes as a field of a table or of a JSON object: in Base64, long ones compressed.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// Fields of more bytes than this are compressed.
const LONG: usize = 2048;
/// The beginning of a compressed field.
const COMPRESSED: &str = "deflate:";

/// The compressor's level: faster than the bytes are made.
const LEVEL: u8 = 3;
/// The level at which nothing more is gained.
const BEST: u8 = 10;

/// An upper bound of the ratio of a text's length to that of its compressed form.
const LARGEST_RATIO: usize = 1032;

/// Bytes as a field, compressed (RFC 1951) if they are many, in Base64 without padding.
pub(super) fn field(bytes: &[u8]) -> String {
    match bytes.len() {
        ..=LONG => STANDARD_NO_PAD.encode(bytes),
        _ => format!("{COMPRESSED}{}", pack(bytes, LEVEL)),
    }
}

/// The bytes, at most `largest`, that [`field`] wrote; `None` of anything else.
pub(super) fn of_field(field: &str, largest: u64) -> Option<Vec<u8>> {
    match field.strip_prefix(COMPRESSED) {
        Some(packed) => unpack(packed, largest),
        None => STANDARD_NO_PAD.decode(field).ok(),
    }
}

/// The bytes compressed, slower and smaller: for those that are packed once.
pub(super) fn pack_well(bytes: &[u8]) -> String {
    pack(bytes, BEST)
}

fn pack(bytes: &[u8], level: u8) -> String {
    STANDARD_NO_PAD.encode(compress_to_vec(bytes, level))
}

/// The bytes, at most `largest`, that were packed; `None` of anything else.
pub(super) fn unpack(packed: &str, largest: u64) -> Option<Vec<u8>> {
    let packed = STANDARD_NO_PAD.decode(packed).ok()?;
    let largest = usize::try_from(largest).unwrap_or(usize::MAX);
    let limit = packed.len().saturating_mul(LARGEST_RATIO).min(largest);
    decompress_to_vec_with_limit(&packed, limit).ok()
}
