//! An archived run keeps the sums of its blocks: all that it tells is made anew of them, without drawing, and they are
//! refused where they are not those of the seed.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::Path;

use etude::PROGRAM;
use lab::store::Manifest;

use crate::program::{Bench, results};
use crate::verify::{DEALS, list_files};

/// The file of the sums.
const TALLIES: &str = "tallies.csv";

/// The small experiments with ratings, control variates, weights, a rule that looks, pairs with claims.
const SMOKE: [&str; 5] = [
    "foxes-round-robin",
    "reduced-variance",
    "queens-estimators",
    "stop-half-width",
    "klondike-price-of-sight",
];

fn archived() -> Bench {
    let bench = Bench::new();
    bench.write("deals.toml", DEALS);
    bench
        .run(&["run", "deals.toml", "-q", "--out", "run"])
        .check(0, &[]);
    bench.run(&["archive", "run"]).check(0, &["archived"]);
    bench
}

/// The files of a folder that follow from its sums.
fn made(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let sources = ["blocks.csv", TALLIES, "samples.csv"];
    let mut files = results(folder);
    files.retain(|name, _| !sources.contains(&name.as_str()));
    files
}

const AGAIN: [&str; 5] = ["run", "run/config.toml", "--resume", "-q", "--threads=1"];

/// All tables are emptied or removed, with their hashes; nothing is drawn.
#[test]
fn every_table_of_an_archived_run_is_made_anew_of_its_sums() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/smoke");
    for name in SMOKE {
        let bench = Bench::new();
        let file = root.join(format!("{name}-smoke.toml"));
        let file = file.to_str().unwrap();
        bench
            .run(&["run", file, "-q", "--out", "run"])
            .check(0, &[]);
        let before = made(&bench.path("run"));
        bench.run(&["archive", "run"]).check(0, &["archived"]);
        let archived = results(&bench.path("run"));
        for (table, bytes) in before.iter().filter(|(name, _)| name.ends_with(".csv")) {
            assert!(archived[table] == *bytes, "{name}: {table}");
            let header = bytes.iter().position(|&byte| byte == b'\n').unwrap();
            std::fs::write(bench.path("run").join(table), &bytes[..=header]).unwrap();
        }
        std::fs::remove_file(bench.path("run/histograms.csv")).unwrap();
        list_files(&bench.path("run"));
        bench
            .run(&["verify", "run", "--samples", "1"])
            .check(1, &["summary.csv differs", "more values"]);
        bench.run(&AGAIN).check(0, &["no sample was drawn"]);
        assert!(results(&bench.path("run")) == archived, "{name}");
        bench.run(&AGAIN).check(0, &["nothing was changed"]);
        bench
            .run(&["verify", "run", "--samples", "1"])
            .check(0, &["sound"]);
    }
}

/// As if an older version had drawn the samples and written another end of the interval: the table and its hash agree.
#[test]
fn an_interval_by_another_formula_is_named_and_mended() {
    let bench = archived();
    let before = results(&bench.path("run"));
    let path = bench.path("run/summary.csv");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let columns = reader.headers().unwrap().clone();
    let at = columns.iter().position(|name| name == "ci_hi").unwrap();
    let row = reader.records().next().unwrap().unwrap();
    let (metric, sound) = (
        row.get(2).unwrap_or_default().to_owned(),
        row[at].to_owned(),
    );
    std::fs::write(&path, text.replacen(&sound, "44.5", 1)).unwrap();
    list_files(&bench.path("run"));
    let manifest_path = bench.path("run/manifest.json");
    let mut manifest = Manifest::read(&manifest_path).unwrap();
    manifest.git_revision = Some("0123456789ab".to_owned());
    manifest.etude_version = "0.2.9".to_owned();
    std::fs::write(&manifest_path, manifest.to_json()).unwrap();
    let change = format!("ci_hi 44.5 -> {sound}");
    let told = [
        "summary.csv differs",
        &change,
        "revision 0123456789ab",
        "--resume` makes them anew",
    ];
    bench
        .run(&["verify", "run", "--samples", "1"])
        .check(1, &told);
    for verb in [&["report", "run"][..], &["compare", "run", "run"]] {
        bench
            .run(verb)
            .check(2, &["0.2.9", "--resume makes its tables anew"]);
    }
    let rounded: f64 = format!("{:.3e}", sound.parse::<f64>().unwrap())
        .parse()
        .unwrap();
    let told = format!("to {rounded}; changed are summary.csv\n");
    bench
        .run(&AGAIN)
        .check(0, &["1 interval of ", " differs: ", "to 44.5 -> ", &told]);
    assert!(results(&bench.path("run")) == before, "{metric}");
    let mended = Manifest::read(&manifest_path).unwrap();
    assert_eq!(mended.git_revision, manifest.git_revision);
    assert_eq!(mended.finished_unix, manifest.finished_unix);
    assert_eq!(
        mended.tables_by.unwrap().revision.as_deref(),
        PROGRAM.revision
    );
    bench.run(&["verify", "run"]).check(0, &["sound"]);
    let shown = bench.run(&["report", "run"]).data;
    for told in ["0.2.9 (0123456789ab)", "tables by etude"] {
        assert!(shown.contains(told), "{shown}");
    }
}

/// The sums of another seed, and what is left of the right ones: first beside the old hash in the manifest, then beside
/// their own. Sums that have sound checksums are tried in `lab`.
#[test]
fn sums_that_the_blocks_do_not_have_are_refused() {
    let bench = archived();
    bench.write("nine.toml", &DEALS.replace("seed = 8", "seed = 9"));
    bench
        .run(&["run", "nine.toml", "-q", "--out", "nine"])
        .check(0, &[]);
    bench.run(&["archive", "nine"]).check(0, &["archived"]);
    let path = bench.path("run").join(TALLIES);
    let sound = std::fs::read_to_string(&path).unwrap();
    let other = std::fs::read_to_string(bench.path("nine").join(TALLIES)).unwrap();
    let mut damaged = sound.clone().into_bytes();
    let last = damaged.len() - 30;
    damaged[last] ^= 1;
    let damaged = String::from_utf8(damaged).unwrap();
    let all = ["verify", "run", "--blocks", "0-199"];
    for (forged, told) in [
        (damaged, "checksum"),
        (other, "line 2"),
        (String::new(), "line 1"),
    ] {
        std::fs::write(&path, forged).unwrap();
        bench.run(&AGAIN).check(2, &[TALLIES, "is not the file"]);
        list_files(&bench.path("run"));
        bench.run(&AGAIN).check(2, &[TALLIES, told]);
        bench.run(&all).check(1, &[TALLIES, told]);
    }
    std::fs::remove_file(&path).unwrap();
    list_files(&bench.path("run"));
    bench.run(&AGAIN).check(1, &[TALLIES, "--force"]);
    bench.run(&all).check(1, &[TALLIES]);
}

/// The sample that pages show is kept, as no program is started to draw it.
#[test]
fn a_run_by_another_program_is_made_anew_without_starting_it() {
    let bench = Bench::new();
    let trace = bench.path("trace");
    bench.write("spy.sh", "touch \"$1\"\necho '{\"score\": 1}'\n");
    let file = format!(
        "question = \"?\"\ntask = \"command\"\nseed = 1\n[command]\n\
         once = [\"sh\", \"spy.sh\", {trace:?}]\nfiles = [\"spy.sh\"]\n\
         [command.metrics]\nscore = {{ kind = \"integer\", min = 0, max = 9 }}\n[stop]\nsamples = 3\n"
    );
    bench.write("spy.toml", &file);
    bench
        .run(&["run", "spy.toml", "-q", "--out", "run"])
        .check(0, &[]);
    bench.run(&["archive", "run"]).check(0, &["archived"]);
    let before = results(&bench.path("run"));
    std::fs::remove_file(&trace).unwrap();
    std::fs::write(bench.path("run/summary.csv"), "").unwrap();
    bench.run(&AGAIN).check(0, &["changed are summary.csv"]);
    assert!(results(&bench.path("run")) == before && !trace.exists());
    bench.write("spy.toml", &file.replace('?', "Why?"));
    let reworded = ["run", "spy.toml", "-q", "--out", "run", "--resume"];
    bench.run(&reworded).check(
        0,
        &["no sample was drawn: changed are datapackage.json, config.toml"],
    );
    assert!(!trace.exists());
    bench.run(&["verify", "run"]).check(0, &["sound"]);
}
