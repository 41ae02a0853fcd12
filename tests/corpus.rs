//! Every parser on the corpus that fuzzing left, and on each of its files with a byte changed, cut
//! or doubled. `fuzz/run` makes the corpus grow.

#[path = "support/parsers.rs"]
mod parsers;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lab::rng::{Stream, Streams, below};
use parsers::PARSERS;

/// Mutants of each file, drawn with seed 13.
const MUTANTS: u64 = 4;

#[test]
fn no_parser_panics_on_its_corpus_or_near_it() {
    let mut tries: u64 = 0;
    for parser in PARSERS {
        let files = corpus(parser.name);
        assert!(!files.is_empty(), "{} has no corpus", parser.name);
        let mut stream = Streams::new(13).key(parser.name).stream(0);
        for file in files {
            let bytes = std::fs::read(file).unwrap();
            (parser.check)(&bytes);
            for _ in 0..MUTANTS {
                (parser.check)(&mutant(&bytes, &mut stream));
            }
            tries += 1 + MUTANTS;
        }
    }
    assert!(tries >= 1_480, "METHODOLOGY.md tells of more: {tries}");
}

/// The same for as long as `ETUDE_FUZZ_SECONDS` says for each parser, mutants of mutants too: what
/// CI runs on the stable toolchain, where there is no fuzzer. `ETUDE_FUZZ_ONLY=answer,ugi` tries
/// these parsers alone.
#[test]
#[ignore = "as long as ETUDE_FUZZ_SECONDS says for each parser, 60 by default"]
fn no_parser_panics_however_long_one_tries() {
    let seconds = std::env::var("ETUDE_FUZZ_SECONDS").ok();
    let seconds = seconds.map_or(60, |text| text.parse().unwrap());
    let only = std::env::var("ETUDE_FUZZ_ONLY").unwrap_or_default();
    let chosen = |name: &str| only.is_empty() || only.split(',').any(|one| one == name);
    for parser in PARSERS.iter().filter(|parser| chosen(parser.name)) {
        let files: Vec<Vec<u8>> = corpus(parser.name)
            .iter()
            .map(|file| std::fs::read(file).unwrap())
            .collect();
        let mut stream = Streams::new(14).key(parser.name).stream(0);
        let began = Instant::now();
        let mut tries: u64 = 0;
        while began.elapsed() < Duration::from_secs(seconds) {
            let file = below(&mut stream, files.len() as u64) as usize;
            let mut bytes = mutant(&files[file], &mut stream);
            while below(&mut stream, 3) > 0 {
                bytes = mutant(&bytes, &mut stream);
            }
            bytes.truncate(4096);
            (parser.check)(&bytes);
            tries += 1;
        }
        println!("{}: {tries} mutants", parser.name);
    }
}

#[test]
fn every_parser_has_a_fuzz_target() {
    let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/fuzz_targets");
    let mut found: Vec<String> = std::fs::read_dir(targets)
        .unwrap()
        .map(|entry| {
            entry
                .unwrap()
                .path()
                .file_stem()
                .unwrap()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    let mut named: Vec<&str> = PARSERS.iter().map(|parser| parser.name).collect();
    found.sort();
    named.sort_unstable();
    assert_eq!(found, named);
}

fn corpus(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(name);
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn mutant(bytes: &[u8], stream: &mut Stream) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = below(stream, bytes.len() as u64 + 1) as usize;
    match below(stream, 3) {
        0 => bytes.truncate(at),
        1 => bytes.extend_from_within(at..),
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = below(stream, 256) as u8;
            }
        }
    }
    bytes
}
