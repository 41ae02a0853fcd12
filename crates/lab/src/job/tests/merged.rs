//! Merges of folders that are not those of one run, or not whole.

use std::path::Path;

use super::*;
use crate::run::{Ended, StopReason};

/// Merges the shards of a run, or what else is to be merged, into the folder `out`; returns what it notes.
fn merge(runs: &[&Run], out: &Path, partial: bool) -> Result<Vec<String>, String> {
    let folders: Vec<PathBuf> = runs.iter().map(|run| run.path()).collect();
    let mut heard = Heard::default();
    let job = MergeJob::open(&PROGRAM, &folders, &mut heard);
    let merged = job.and_then(|job| job.write(out, partial, &mut heard));
    let merged = merged.map_err(|failure| failure.message);
    merged.map(|_| heard.notes)
}

fn shard(seed: u64, index: u64, more: &str) -> Run {
    share(seed, (index, 2), more)
}

fn share(seed: u64, (index, count): (u64, u64), more: &str) -> Run {
    let mut job = flips(seed, more);
    job.plan = job.plan.with_shard(Shard::new(index, count).unwrap());
    Run::of(job)
}

/// Thirds of a run, of which the second or two are missing.
#[test]
fn what_a_merge_lacks_is_told_and_of_whole_shards_nothing() {
    let [first, second, third] = [0, 1, 2].map(|index| share(8, (index, 3), ""));
    let room = tempfile::tempdir().unwrap();
    let out = room.path().join("out");
    let told = merge(&[&first, &third], &out, false).unwrap_err();
    assert!(told.contains("(shards 2/3)"), "{told}");
    let noted = merge(&[&first], &out, true).unwrap().join("\n");
    assert!(noted.contains("(shards 2/3, 3/3)"), "{noted}");
    let noted = merge(&[&first, &second, &third], &out, false).unwrap();
    assert_eq!(noted, [""; 0]);
}

/// The times of a shard are no part of its results: they may be missing, and not be edited.
#[test]
fn times_of_a_shard_may_be_missing_and_not_edited() {
    let [first, second] = [0, 1].map(|index| shard(8, index, ""));
    let room = tempfile::tempdir().unwrap();
    let out = room.path().join("out");
    second.forge("timings.csv", second.text("timings.csv") + "\n");
    let told = merge(&[&first, &second], &out, false).unwrap_err();
    assert!(told.contains("its hash differs"), "{told}");
    std::fs::remove_file(second.file("timings.csv")).unwrap();
    merge(&[&first, &second], &out, false).unwrap();
}

/// Each is refused for one reason alone; the sound ones are merged at the end, in the folder that refused ones have not
/// filled.
#[test]
fn shards_are_merged_if_all_are_of_one_run_and_whole() {
    let [first, second] = [0, 1].map(|index| shard(8, index, KEPT));
    let room = tempfile::tempdir().unwrap();
    let out = room.path().join("out");
    let refused = |other: &Run, told: &str| {
        let found = merge(&[&first, other], &out, false).unwrap_err();
        assert!(found.contains(told), "{told}: {found}");
        assert!(!out.exists(), "{told}");
    };
    refused(&shard(9, 1, KEPT), "different experiment");
    refused(&first, "6 of 12 samples");
    refused(&first, "(shards 2/2)");
    let manifest = second.text("manifest.json");
    let forgeries: [(&str, Forge); 2] = [
        ("a different version", |forged| {
            forged.program = Some("dice 1.0".into());
        }),
        ("a different version", |forged| {
            forged.stream_scheme = "dice".into()
        }),
    ];
    for (told, forge) in forgeries {
        second.forge_manifest(forge);
        refused(&second, told);
        second.forge("manifest.json", &manifest);
    }
    // Two that agree, by a derivation of samples that this program does not have.
    let own = first.text("manifest.json");
    for run in [&first, &second] {
        run.forge_manifest(|forged| forged.stream_scheme = "dice".into());
    }
    refused(&second, "a different version");
    first.forge("manifest.json", own);
    second.forge("manifest.json", &manifest);
    for (name, told) in [
        ("config.toml", "is not the file that was written"),
        ("blocks.csv", "line 9: "),
    ] {
        let sound = second.text(name);
        second.forge(name, format!("{sound}# mine\n"));
        refused(&second, told);
        second.forge(name, sound);
    }
    let samples = second.text("samples.csv");
    second.forge("samples.csv", samples.replacen(",1,", ",0,", 1));
    refused(&second, "are not those stored");
    second.forge("samples.csv", samples);
    let began = [(&first, 70), (&second, 50)];
    for (run, started) in began {
        run.forge_manifest(|manifest| manifest.started_unix = started);
    }
    merge(&[&first, &second], &out, false).unwrap();
    let manifest = Manifest::read(&out.join("manifest.json")).unwrap();
    assert_eq!(manifest.started_unix, 50);
    let whole = Run::finished(8, KEPT);
    for name in ["blocks.csv", "samples.csv", "summary.csv", "exhibit.json"] {
        assert_eq!(
            std::fs::read_to_string(out.join(name)).unwrap(),
            whole.text(name)
        );
    }
}

/// One has another tally of a block, or another hash of its lines.
#[test]
fn a_block_in_two_folders_is_the_same_in_both() {
    let [run, twin, other] = [8, 8, 9].map(|seed| Run::finished(seed, KEPT));
    let room = tempfile::tempdir().unwrap();
    let out = room.path().join("out");
    merge(&[&run, &twin], &out, false).unwrap();
    let table = run.job().sample_table();
    let lines = |run: &Run| {
        run.union()
            .write_samples(&run.file("again.csv"), &table)
            .unwrap()
    };
    let (path, schema) = (twin.file("blocks.csv"), twin.job().schema());
    let forgeries = [(other.union(), lines(&run)), (run.union(), lines(&other))];
    for (rows, digests) in forgeries {
        rows.write_journal(&path, &schema, &digests).unwrap();
        let told = merge(&[&run, &twin], &out, false).unwrap_err();
        assert!(told.contains("and they differ"), "{told}");
    }
}

/// A merge goes on in the folder of fewer samples of the same run.
#[test]
fn a_merge_replaces_what_it_continues_and_nothing_else() {
    let [first, second] = [0, 1].map(|index| shard(8, index, CLAIM));
    let room = tempfile::tempdir().unwrap();
    let [out, other] = ["out", "other"].map(|name| room.path().join(name));
    merge(&[&first], &out, true).unwrap();
    merge(&[&first, &second], &out, false).unwrap();
    let told = merge(&[&first], &out, true).unwrap_err();
    assert!(told.contains("the folder holds more blocks"), "{told}");
    merge(&[&shard(9, 0, CLAIM)], &other, true).unwrap();
    let told = merge(&[&first, &second], &other, false).unwrap_err();
    assert!(told.contains("the folder holds another run"), "{told}");
}

/// The shards of a run that ends at the first look where both intervals are narrow; the row of samples 16 to 31 is
/// missing from one at first.
#[test]
fn a_rule_looks_at_no_sample_behind_a_hole() {
    let rule = "[stop.half-width]\nmetric = \"heads\"\ntarget = 0.14\nmax-samples = 400\n[sweep]";
    let text = flips_text(8, "").replace("[stop]\nsamples = 12\n[sweep]", rule);
    let share = |index| {
        let mut job = job_of(&text);
        job.plan = job.plan.with_shard(Shard::new(index, 2).unwrap());
        Run::of(job)
    };
    let [first, second] = [0, 1].map(share);
    let decided = || {
        let folders = [first.path(), second.path()];
        let job = MergeJob::open(&PROGRAM, &folders, &mut Silent).unwrap();
        job.decide(&mut Silent).unwrap()
    };
    let whole = decided();
    assert_eq!(whole.reason, Some(StopReason::HalfWidth));
    assert!((64..400).contains(&whole.samples), "{whole:?}");
    let alone = Run::of(job_of(&text));
    assert_eq!(alone.job().manifest.samples_done, whole.samples);
    let rows = first.text("blocks.csv");
    let lost = rows.lines().nth(4).unwrap();
    first.forge("blocks.csv", rows.replace(&format!("{lost}\n"), ""));
    let hole = lost.split(',').nth(1).unwrap().parse().unwrap();
    assert!((1..64).contains(&hole), "{lost}");
    let (reason, samples) = (None, hole);
    assert_eq!(decided(), WaveDecision { reason, samples });
    assert!(merge(&[&first, &second], &first.parent.path().join("out"), false).is_err());
}

/// Of an undivided run of 5,000 samples the row before the last is lost. Its blocks are longer than those that shards would
/// have, which none of its rows make up.
#[test]
fn what_is_left_of_an_undivided_run_is_merged_in_its_own_blocks() {
    let text = flips_text(8, "").replace("samples = 12", "samples = 5_000");
    let run = Run::of(job_of(&text));
    let mut rows: Vec<String> = run.text("blocks.csv").lines().map(String::from).collect();
    let lost = rows.remove(rows.len() - 2);
    let lost: u64 = lost.split(',').nth(2).unwrap().parse().unwrap();
    run.forge("blocks.csv", rows.join("\n") + "\n");
    run.list();
    run.forge_manifest(|manifest| manifest.exit_reason = Ended::Interrupted);
    let room = tempfile::tempdir().unwrap();
    let out = room.path().join("out");
    let told = merge(&[&run], &out, false).unwrap_err();
    assert!(
        told.contains("5,000 samples") && !told.contains("shard"),
        "{told}"
    );
    merge(&[&run], &out, true).unwrap();
    let merged = Manifest::read(&out.join("manifest.json")).unwrap();
    assert!(lost > 1);
    assert_eq!(merged.samples_done, 5_000 - lost);
    let kept = std::fs::read_to_string(out.join("blocks.csv")).unwrap();
    assert_eq!(kept.lines().count(), rows.len());
}
