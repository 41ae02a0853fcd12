//! `etude verify` finds a single edited digit in any table of a run folder, also where the
//! manifest's hashes were edited along.
#![cfg(unix)]

use std::path::{Path, PathBuf};

use crate::program::{Bench, results};
use kit::rng::{Streams, below};
use lab::store::{Manifest, fingerprint_files};

/// Purses, labels, a claim, samples, several looks of a table.
pub const DEALS: &str = r#"
question = "How many cards?"
task = "klondike/score"
seed = 8
[stop]
samples = 200
[sweep]
strategy = ["greedy", "random"]
[output]
samples = true
[[claims]]
source = "a test"
text = "Greed helps."
holds = "diff(greedy, random).score > 0"
"#;

/// Lists what is in the folder in its manifest, as the run would have done.
pub fn list_files(folder: &Path) {
    let path = folder.join("manifest.json");
    let mut manifest = Manifest::read(&path).unwrap();
    manifest.files = fingerprint_files(folder).unwrap();
    std::fs::write(&path, manifest.to_json()).unwrap();
}

#[test]
fn an_edited_digit_in_any_table_is_found() {
    for share in ["1/1", "2/3"] {
        let bench = finished(share);
        for file in tables(&bench.path("run")) {
            with_an_edit(&file, || {
                let name = file.file_name().unwrap().to_str().unwrap();
                bench.run(&["verify", "run"]).check(1, &[name]);
            });
        }
        bench.run(&["verify", "run"]).check(0, &["sound"]);
    }
}

#[test]
fn without_its_journal_a_run_is_not_verified_and_draws_it_again() {
    let bench = finished("1/1");
    std::fs::remove_file(bench.path("run/blocks.csv")).unwrap();
    let told = ["blocks.csv is missing", "repeat the run"];
    bench.run(&["verify", "run"]).check(1, &told);
    let again = ["run", "run/config.toml", "--out", "run", "--resume", "-q"];
    bench.run(&again).check(0, &[]);
    bench.run(&["verify", "run"]).check(0, &["sound"]);
}

/// The hashes of blocks find what the tallies find, once every block is run again.
#[test]
fn an_archived_run_is_verified_by_its_hashes_and_stays_as_it_is() {
    let bench = finished("1/1");
    let whole = std::fs::metadata(bench.path("run/blocks.csv")).unwrap();
    bench.run(&["archive", "run"]).check(0, &["archived"]);
    let small = std::fs::metadata(bench.path("run/blocks.csv")).unwrap();
    assert!(small.len() < whole.len() / 2, "{small:?} {whole:?}");
    let some = ["verify", "run", "--samples", "50"];
    bench.run(&some).check(0, &["sound", "all tables remade"]);
    let all = ["verify", "run", "--samples", "200"];
    bench.run(&all).check(0, &["sound", "all tables remade"]);
    for file in tables(&bench.path("run")) {
        with_an_edit(&file, || {
            let name = file.file_name().unwrap().to_str().unwrap();
            bench.run(&some).check(1, &[name]);
        });
    }
    let more = ["run", "deals.toml", "--out", "run", "--resume", "--samples"];
    bench
        .run(&[&more[..], &["400"]].concat())
        .check(2, &["archived"]);
    bench.run(&all).check(0, &["sound"]);
}

/// The headline names another cell, so that another sample is shown.
#[test]
fn the_texts_of_an_archived_run_can_be_changed_and_no_number() {
    let bench = finished("1/1");
    bench.run(&["archive", "run"]).check(0, &["archived"]);
    let before = results(&bench.path("run"));
    let texts =
        "[labels]\nscore = \"cards\"\n[page]\nheadline = \"{random:score}\"\nnoun = \"hand\"\n";
    let reworded = DEALS.replace("How many cards?", "How many, by chance?") + texts;
    let again = ["run", "deals.toml", "--out", "run", "--resume"];
    for changed in [
        reworded.replace("seed = 8", "seed = 9"),
        reworded.replace("> 0", "> 1"),
        reworded.replace("Greed helps.", "Greed is good."),
    ] {
        bench.write("deals.toml", &changed);
        bench.run(&again).check(2, &[]);
        assert!(results(&bench.path("run")) == before);
    }
    bench.write("deals.toml", &reworded);
    bench.run(&again).check(0, &["no sample was drawn"]);
    let changed = ["config.toml", "datapackage.json", "exhibit.json"];
    let after = results(&bench.path("run"));
    let differing = before.keys().filter(|&name| before[name] != after[name]);
    assert!(differing.eq(&changed));
    assert!(before.keys().eq(after.keys()));
    let all = ["verify", "run", "--samples", "200"];
    bench.run(&all).check(0, &["sound", "all tables remade"]);
    let report = bench.run(&["report", "run"]);
    for told in ["How many, by chance?", " hands"] {
        assert!(report.data.contains(told), "{}", report.data);
    }
}

#[test]
fn dropped_samples_leave_tables_that_can_be_verified() {
    let bench = finished("1/1");
    bench
        .run(&["archive", "run", "--drop-samples"])
        .check(0, &["archived"]);
    assert!(!bench.path("run/samples.csv").exists());
    let package = std::fs::read_to_string(bench.path("run/datapackage.json")).unwrap();
    assert!(package.contains("pairs.csv") && !package.contains("samples.csv"));
    let all = ["verify", "run", "--samples", "200"];
    bench.run(&all).check(0, &["sound", "all tables remade"]);
    with_an_edit(&bench.path("run/pairs.csv"), || {
        bench.run(&all).check(1, &["pairs.csv"]);
    });
}

#[test]
fn a_finished_run_is_not_drawn_again_unasked() {
    let bench = finished("1/1");
    let before = results(&bench.path("run"));
    let manifest = std::fs::read(bench.path("run/manifest.json")).unwrap();
    let again = ["run", "deals.toml", "--out", "run"];
    bench
        .run(&again)
        .check(0, &["already complete", "--resume --samples N", "--force"]);
    assert_eq!(results(&bench.path("run")), before);
    let after = std::fs::read(bench.path("run/manifest.json")).unwrap();
    assert_eq!(after, manifest);
    let more = ["--samples", "400"];
    bench
        .run(&[&again[..], &more].concat())
        .check(2, &["complete run of 200", "--resume"]);
    bench
        .run(&[&again[..], &["-q", "--force"]].concat())
        .check(0, &[]);
    assert!(results(&bench.path("run")) == before);
    bench
        .run(&[&again[..], &more, &["--resume", "-q"]].concat())
        .check(0, &[]);
}

/// Times of a race lie in the folder of a run, before it is extended and after.
#[test]
fn times_from_elsewhere_make_no_race_of_a_run() {
    let bench = finished("1/1");
    let times = std::fs::read("results/pegs-speed-bench/clock.csv").unwrap();
    std::fs::write(bench.path("run/clock.csv"), times).unwrap();
    for samples in ["200", "400"] {
        let more = ["--samples", samples, "--resume", "-q"];
        bench
            .run(&[&["run", "deals.toml", "--out", "run"], &more[..]].concat())
            .check(0, &[]);
        bench
            .run(&["verify", "run"])
            .check(1, &["clock.csv is not listed", "gives no such table"]);
        bench
            .run(&["report", "run"])
            .check(0, &["clock.csv is left out"]);
    }
    std::fs::remove_file(bench.path("run/clock.csv")).unwrap();
    bench.run(&["verify", "run"]).check(0, &["sound"]);
}

/// Whoever goes on with a run whose experiment is damaged is told what is wrong with it, and where.
#[test]
fn a_damaged_experiment_of_a_folder_is_told_whole() {
    let bench = finished("1/1");
    let config = bench.path("run/config.toml");
    let own = std::fs::read(&config).unwrap();
    let help = "config.toml, or choose another folder";
    for (damage, code, told) in [
        (&b"bogus = 1\n"[..], 2, ["run/config.toml:26", help]),
        (
            b"\xff",
            1,
            ["invalid utf-8", "restore the file from a copy"],
        ),
    ] {
        std::fs::write(&config, [&own[..], damage].concat()).unwrap();
        for wish in ["--quiet", "--resume", "--force"] {
            let again = ["run", "deals.toml", "--out", "run", wish];
            bench.run(&again).check(code, &told);
        }
    }
}

/// Nothing recounts the timings: clocks have no second witness.
#[test]
fn an_edited_digit_is_found_even_where_the_manifest_agrees_with_it() {
    let bench = finished("1/1");
    let run = bench.path("run");
    let manifest_file = run.join("manifest.json");
    let honest = std::fs::read(&manifest_file).unwrap();
    for file in tables(&run) {
        if file.ends_with("timings.csv") {
            continue;
        }
        with_an_edit(&file, || {
            list_files(&run);
            bench.run(&["verify", "run"]).check(1, &["fault"]);
            std::fs::write(&manifest_file, &honest).unwrap();
        });
    }
}

fn finished(share: &str) -> Bench {
    let bench = Bench::new();
    bench.write("deals.toml", DEALS);
    let arguments = ["run", "deals.toml", "--quiet", "--out", "run", "--shard"];
    bench
        .run(&[&arguments[..], &[share]].concat())
        .check(0, &[]);
    bench
}

fn tables(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut tables: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    tables.retain(|path| path.extension().is_some_and(|extension| extension == "csv"));
    assert!(tables.len() >= 6, "{tables:?}");
    tables.sort();
    tables
}

/// Edits a digit of the file, which seed 5 chooses, and restores it.
fn with_an_edit(file: &Path, check: impl FnOnce()) {
    let sound = std::fs::read(file).unwrap();
    let digits: Vec<usize> = (0..sound.len())
        .filter(|&at| sound[at].is_ascii_digit())
        .collect();
    let mut stream = Streams::new(5).key("edit").stream(sound.len() as u64);
    let at = digits[below(&mut stream, digits.len() as u64) as usize];
    let mut edited = sound.clone();
    edited[at] = b'0' + (edited[at] - b'0' + 1 + below(&mut stream, 9) as u8) % 10;
    std::fs::write(file, edited).unwrap();
    check();
    std::fs::write(file, sound).unwrap();
}

/// Numbers and names of the manifest are forged one by one; what follows from the experiment and the
/// tables reports see too.
#[test]
fn a_forged_manifest_is_refused() {
    let bench = finished("1/1");
    let path = bench.path("run/manifest.json");
    let sound = Manifest::read(&path).unwrap();
    type Forge = fn(&mut Manifest);
    let forged: [(&str, bool, Forge); 8] = [
        ("samples_done", true, |forged| forged.samples_done = 150),
        ("samples_done", true, |forged| forged.samples_done = 999),
        ("samples_planned", true, |forged| {
            (forged.samples_done, forged.samples_planned) = (400, 400);
        }),
        ("samples_done", true, |forged| {
            (forged.samples_done, forged.exit_reason) = (150, "interrupted".parse().unwrap());
        }),
        ("experiment", true, |forged| {
            forged.experiment = "other".into()
        }),
        ("config_hash", true, |forged| {
            forged.config_hash = "00".into()
        }),
        ("fingerprint", false, |forged| {
            forged.fingerprint = "00".into()
        }),
        ("stream_scheme", false, |forged| {
            forged.stream_scheme = "dice".into()
        }),
    ];
    for (key, is_seen, forge) in forged {
        let mut manifest = sound.clone();
        forge(&mut manifest);
        std::fs::write(&path, manifest.to_json()).unwrap();
        let told = ["manifest.json", key];
        bench.run(&["verify", "run"]).check(1, &told);
        if is_seen {
            bench.run(&["report", "run"]).check(2, &told);
        }
    }
    std::fs::write(&path, sound.to_json()).unwrap();
    bench.run(&["verify", "run"]).check(0, &["sound"]);
}

/// The blocks that a check says it drew.
fn drawn(ending: &crate::program::Ending) -> String {
    let (_, rest) = ending.said.split_once("--blocks ").unwrap();
    rest.split_whitespace().next().unwrap().to_owned()
}

#[test]
fn the_blocks_of_a_check_are_drawn_anew_each_time_and_can_be_repeated() {
    let bench = Bench::new();
    bench.write(
        "many.toml",
        "question = \"?\"\ntask = \"klondike/score\"\nseed = 8\n[params]\nstrategy = \"random\"\n\
         [stop]\nsamples = 30000\n",
    );
    bench
        .run(&["run", "many.toml", "--quiet", "--out", "run"])
        .check(0, &[]);
    let check = ["verify", "run", "--samples", "1"];
    let choices: Vec<String> = (0..5).map(|_| drawn(&bench.run(&check))).collect();
    assert!(
        choices.iter().any(|choice| *choice != choices[0]),
        "{choices:?}"
    );
    let told = bench.run(&check);
    told.check(
        0,
        &[
            "sound",
            "system's randomness: 1 of ",
            "forged blocks are all missed: 1: ",
        ],
    );
    let repeated = ["verify", "run", "--blocks", &drawn(&told)];
    let again = bench.run(&repeated);
    again.check(0, &["sound"]);
    assert!(!again.said.contains("--blocks"), "{}", again.said);
    bench
        .run(&["verify", "run", "--blocks", "999999"])
        .check(2, &["no block 999999"]);
    bench
        .run(&["verify", "run", "--blocks", "7-3"])
        .check(2, &["names no blocks"]);
}
