//! Runs whose cells stop each by itself.

use super::*;
use crate::run::{Ended, StopReason};

/// Flips of coins that are drawn until each share of heads is known to 0.05, or another width.
fn text(coins: &str, target: &str, cap: u64, more: &str) -> String {
    format!(
        "question = \"?\"\ntask = \"coin/flip\"\nseed = 8\n[sweep]\np = {coins}\n[stop.half-width]\n\
         metric = \"heads\"\ntarget = {target}\neach-cell = true\nmax-samples = {cap}\n{more}"
    )
}

const THREE: &str = "[0.02, 0.75, 0.2]";
const PAIR: &str =
    "[[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"diff(0.75, 0.2).heads > 0\"\n";
const FILES: [&str; 6] = [
    "blocks.csv",
    "summary.csv",
    "pairs.csv",
    "claims.csv",
    "convergence.csv",
    "samples.csv",
];

fn run_of(coins: &str, cap: u64, more: &str) -> Run {
    Run::of(job_of(&text(coins, "0.05", cap, more)))
}

fn resumed(text: &str) -> Job {
    let mode = ResumeMode::Resume;
    Job {
        mode,
        threads: 3,
        ..job_of(text)
    }
}

#[track_caller]
fn assert_same(run: &Run, fresh: &Run, told: &str) {
    for name in FILES.iter().filter(|name| fresh.file(name).exists()) {
        assert!(run.text(name) == fresh.text(name), "{name}: {told}");
    }
    let [own, theirs] = [run, fresh].map(|run| run.job().manifest.settled);
    assert_eq!(own, theirs, "{told}");
}

/// Each coin has the samples that it has alone, and a pair those of both.
#[test]
fn a_cell_draws_what_it_would_draw_alone_on_any_threads() {
    let more = format!("{KEPT}{PAIR}");
    let run = run_of(THREE, 5_000, &more);
    let manifest = run.job().manifest;
    assert_eq!(manifest.exit_reason, Ended::Complete(StopReason::HalfWidth));
    let mut drawn = manifest.settled.clone();
    drawn.insert("0.75".into(), manifest.samples_done);
    for coin in ["0.02", "0.75", "0.2"] {
        let alone = run_of(&format!("[{coin}]"), 5_000, "").job().manifest;
        assert_eq!(drawn[coin], alone.samples_done, "{coin}");
    }
    assert!(drawn["0.02"] < drawn["0.2"] && drawn["0.2"] < drawn["0.75"]);
    let pairs = run.text("pairs.csv");
    let row = pairs.lines().find(|row| row.contains("0.75,0.2,heads"));
    let row = row.unwrap();
    assert!(row.contains(&format!(",{},", drawn["0.2"])), "{row}");
    assert!(!row.contains("enclosing"), "{row}");
    assert_eq!(run.faults("0"), [""; 0]);
    for threads in [2, 5] {
        let mut job = job_of(&text(THREE, "0.05", 5_000, &more));
        job.threads = threads;
        assert_same(&Run::of(job), &run, &format!("{threads} threads"));
    }
}

/// No block has samples of a cell that had stopped, or lacks those of one that had not: only what is named is drawn.
#[test]
fn a_check_of_a_sound_run_draws_the_blocks_that_are_named() {
    let run = run_of(THREE, 5_000, "");
    let named: BlockNumbers = "3,7".parse().unwrap();
    let chosen = ChosenBlocks::Named(named.clone());
    let verified = run.job().verify(&chosen, &mut Silent).unwrap();
    assert_eq!(verified.faults, [""; 0]);
    assert_eq!(verified.blocks, named);
}

/// Rows of the journal are lost from somewhere on, or one in the middle, before and after the first coin has stopped.
#[test]
fn a_run_that_was_killed_finds_again_where_its_cells_stopped() {
    for (more, lost) in [
        (KEPT, [(20, 1), (90, 999), (usize::MAX, 1)]),
        ("", [(90, 1), (150, 999), (usize::MAX, 1)]),
    ] {
        let whole = text(THREE, "0.05", 5_000, more);
        let run = Run::of(job_of(&whole));
        let rows = run.text("blocks.csv");
        let fresh = Run::of(job_of(&whole));
        let last = rows.lines().count() - 1;
        for (from, lost) in lost {
            let from = from.min(last);
            let lines = rows.split_inclusive('\n').enumerate();
            let is_left = |(at, _): &(usize, &str)| !(from..from + lost).contains(at);
            let left: String = lines.filter(is_left).map(|(_, line)| line).collect();
            run.forge("blocks.csv", left);
            run.forge_manifest(|manifest| manifest.exit_reason = Ended::Running);
            run.go_on(resumed(&whole)).unwrap();
            assert_same(&run, &fresh, &format!("{lost} from row {from}"));
        }
    }
}

/// One coin is known before a cap of 300 flips; the others need more.
#[test]
fn a_cap_that_is_raised_changes_no_cell_that_has_stopped() {
    let run = run_of(THREE, 300, PAIR);
    let job = run.job();
    let capped = Ended::Complete(StopReason::MaxSamples);
    assert_eq!(job.manifest.exit_reason, capped);
    let finished = FinishedRun { job, ended: capped };
    let told = finished.verdict().unwrap_err().to_string();
    assert!(
        told.contains("2 of 3 cells came to the cap of 300"),
        "{told}"
    );
    let summary = run.text("summary.csv");
    let ends = |coin: &str, end: &str| {
        let mut own = summary
            .lines()
            .filter(|row| row.split(',').nth(1) == Some(coin));
        own.all(|row| row.ends_with(end))
    };
    assert!(ends("0.02", "half-width") && ends("0.2", "max-samples"));
    let more = text(THREE, "0.05", 5_000, PAIR);
    run.go_on(resumed(&more)).unwrap();
    assert_same(&run, &Run::of(job_of(&more)), "raised");
}

#[test]
fn a_cell_that_is_added_leaves_those_that_have_stopped() {
    for more in [KEPT, PAIR] {
        let run = run_of("[0.75, 0.2]", 5_000, more);
        let three = text("[0.75, 0.02, 0.2]", "0.05", 5_000, more);
        run.go_on(resumed(&three)).unwrap();
        assert_same(&run, &Run::of(job_of(&three)), more);
    }
}

/// The rows of a run that stops as a whole, and of one whose cells stop earlier, with checksums of this run, and all
/// that follows from them.
#[test]
fn a_cell_stops_where_its_look_says() {
    let later = text(THREE, "0.05", 5_000, "").replace("each-cell = true\n", "");
    let earlier = text(THREE, "0.08", 5_000, "");
    for rows in [later, earlier] {
        let (run, other) = (run_of(THREE, 5_000, ""), Run::of(job_of(&rows)));
        let schema = run.job().schema();
        let (path, union) = (run.file("blocks.csv"), other.union());
        union
            .write_journal(&path, &schema, &Default::default())
            .unwrap();
        run.remake();
        let job = run.job();
        let limits = job.limits(&job.journal_in(&run.path()).unwrap()).unwrap();
        let done = other.job().manifest.samples_done;
        run.forge_manifest(|manifest| {
            manifest.samples_done = done;
            manifest.settled = job.settled(&limits, done);
        });
        run.list();
        let faults = run.faults("0");
        assert!(
            faults
                .iter()
                .any(|fault| fault.contains("different numbers")),
            "{faults:?}"
        );
    }
    let run = run_of(THREE, 5_000, "");
    run.forge_manifest(|manifest| *manifest.settled.get_mut("0.2").unwrap() += 1);
    run.has_fault("0", "manifest.json: `settled`");
}

/// An archive keeps no sums of blocks: its manifest says where cells stopped.
#[test]
fn an_archive_remembers_where_its_cells_stopped() {
    let run = run_of(THREE, 5_000, KEPT).archived();
    let last = run.job().journal_in(&run.path()).unwrap();
    let last = last.hashed_blocks().last().unwrap().index;
    let all = format!("0-{last}");
    assert_eq!(run.faults(&all), [""; 0]);
    run.forge_manifest(|manifest| {
        manifest.settled.remove("0.2");
    });
    let faults = run.faults(&last.to_string());
    assert!(faults[0].contains("different numbers"), "{faults:?}");
}

#[test]
fn what_cannot_stop_cell_by_cell_is_refused() {
    let whole = text(THREE, "0.05", 5_000, "");
    let run = Run::of(job_of(&whole));
    for other in [
        whole.replace("0.05", "0.04"),
        whole.replace("each-cell = true\n", ""),
        whole.replace("seed", "level = 0.9\nseed"),
    ] {
        let told = run.go_on(resumed(&other)).err().unwrap().to_string();
        assert!(told.contains("by another rule than before"), "{told}");
    }
    let mut shard = job_of(&whole);
    shard.plan = shard.plan.with_shard(Shard::new(1, 2).unwrap());
    let told = shard.run(&Interrupt::new(), &mut Silent).err().unwrap();
    assert!(told.to_string().contains("no cell can stop by itself"));
}
