//! Every parser on the corpus that fuzzing left, and on each of its files with a byte changed, cut
//! or doubled. `fuzz/run` makes the corpus grow.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::parsers::{PARSERS, Parser};
use kit::rng::{Stream, Streams, below};
use rayon::prelude::*;

/// Mutants of each file, drawn with seed 13.
const MUTANTS: u64 = 4;

/// Files of the corpus that are of a run of today, or saved by `play`.
const SOUND: [&str; 10] = [
    "journal/archived",
    "journal/torn",
    "journal/whole",
    "record/hints",
    "samples/whole",
    "tables/claims",
    "tables/pairs",
    "tables/summary",
    "tally/block",
    "tally/sum",
];

/// Of every corpus something is accepted, and of some all that is sound.
#[test]
fn no_parser_panics_on_its_corpus_or_near_it() {
    let (mut tries, mut sound) = (0_u64, 0);
    for parser in PARSERS {
        let files = corpus(parser.name);
        assert!(!files.is_empty(), "{} has no corpus", parser.name);
        let mut stream = Streams::new(13).key(parser.name).stream(0);
        let mut accepted = 0;
        for file in files {
            let bytes = std::fs::read(&file).unwrap();
            let is_accepted = (parser.check)(&bytes);
            accepted += u64::from(is_accepted);
            let is_sound = SOUND.iter().any(|sound| file.ends_with(sound));
            assert!(is_accepted || !is_sound, "{} is refused", file.display());
            sound += u64::from(is_sound);
            for _ in 0..MUTANTS {
                (parser.check)(&mutant(&bytes, &mut stream));
            }
            tries += 1 + MUTANTS;
        }
        // A form that changed leaves a corpus of which nothing is read any more.
        let name = parser.name;
        assert!(accepted > 0, "nothing of the corpus of {name} is accepted");
    }
    assert_eq!(sound, SOUND.len() as u64, "a sound file is gone");
    assert!(
        tries >= 1_740,
        "book/src/appendix/faults.md tells of more: {tries}"
    );
}

/// Like the test above, for `ETUDE_FUZZ_SECONDS` for each parser, mutants of mutants too, on all
/// cores: CI runs it on the stable toolchain, where there is no fuzzer. `ETUDE_FUZZ_SEED` draws
/// others, `ETUDE_FUZZ_ONLY=answer,ugi` tries these parsers alone.
#[test]
#[ignore = "as long as ETUDE_FUZZ_SECONDS says for each parser, 60 by default"]
fn no_parser_panics_however_long_one_tries() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().unwrap())
    };
    let seconds = Duration::from_secs(number("ETUDE_FUZZ_SECONDS", 60));
    let seed = number("ETUDE_FUZZ_SEED", 14);
    let only = std::env::var("ETUDE_FUZZ_ONLY").unwrap_or_default();
    let chosen = |name: &str| only.is_empty() || only.split(',').any(|one| one == name);
    let parsers: Vec<&Parser> = PARSERS.iter().filter(|one| chosen(one.name)).collect();
    assert!(
        !parsers.is_empty(),
        "ETUDE_FUZZ_ONLY={only} names no parser"
    );
    parsers.par_iter().with_max_len(1).for_each(|parser| {
        let tries = try_for(parser, seconds, seed);
        println!("{}: {tries} mutants with seed {seed}", parser.name);
    });
}

/// Tries a parser for so long; returns how many mutants it was given.
fn try_for(parser: &Parser, seconds: Duration, seed: u64) -> u64 {
    let files = corpus(parser.name);
    let files: Vec<Vec<u8>> = files
        .iter()
        .map(|file| std::fs::read(file).unwrap())
        .collect();
    let mut stream = Streams::new(seed).key(parser.name).stream(0);
    let began = Instant::now();
    let mut tries = 0;
    while began.elapsed() < seconds {
        let file = below(&mut stream, files.len() as u64) as usize;
        let mut bytes = mutant(&files[file], &mut stream);
        while below(&mut stream, 3) > 0 {
            bytes = mutant(&bytes, &mut stream);
        }
        bytes.truncate(4096);
        let held = catch_unwind(|| (parser.check)(&bytes));
        let text = bytes.escape_ascii();
        assert!(held.is_ok(), "{}, mutant {tries}: {text}", parser.name);
        tries += 1;
    }
    tries
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
