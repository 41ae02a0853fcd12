#![no_main]

#[path = "../../tests/support/parsers.rs"]
mod parsers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    parsers::deal(bytes);
});
