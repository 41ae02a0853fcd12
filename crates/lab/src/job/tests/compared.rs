//! Comparisons of two folders.

use super::*;

/// The difference of the mean runs of the first coin.
fn compared(runs: [&Run; 2]) -> ComparedMetric {
    let folders = runs.map(Run::path);
    let [first, second] = folders.each_ref().map(PathBuf::as_path);
    let found = compare(&PROGRAM, [first, second], &mut Silent).unwrap();
    let is_run = |one: &ComparedMetric| one.cells[0] == "0.25" && one.metric.name == "run";
    found.into_iter().find(is_run).unwrap()
}

/// The mean run of a coin in a folder.
fn mean(run: &Run) -> f64 {
    let job = run.job();
    let total = job.journal_in(&run.path()).unwrap().total().unwrap();
    let estimate = total.estimate(0, (1, &job.compiled.metrics()[1]), job.confidence());
    estimate.value.unwrap()
}

/// Samples of one seed are paired where both folders have them; those of two seeds are independent.
#[test]
fn a_difference_is_the_second_run_less_the_first() {
    let face = "[params]\nface = \"tails\"\n";
    let [heads, tails] = ["", face].map(|more| Run::finished(8, &format!("{more}{KEPT}")));
    let plain = Run::finished(8, face);
    let other = Run::finished(9, &format!("{face}{KEPT}"));
    for (runs, pairing) in [
        ([&heads, &tails], "paired"),
        ([&tails, &heads], "paired"),
        ([&heads, &plain], "unpaired"),
        ([&heads, &other], "independent"),
    ] {
        let found = compared(runs);
        assert_eq!(found.pairing, pairing);
        let estimate = found.difference.estimate;
        let expected = mean(runs[1]) - mean(runs[0]);
        assert!((estimate.value.unwrap() - expected).abs() < 1e-12 && expected != 0.0);
        let interval = estimate.interval.unwrap();
        assert!(interval.lo < expected && expected < interval.hi);
        if pairing == "paired" {
            assert_eq!(estimate.n, BLOCKS);
        }
    }
}

#[test]
fn cells_of_one_name_are_compared() {
    let one = |p: &str| Run::of(job_of(&flips_text(8, "").replace("[0.25, 0.75]", p)));
    let (two, high, low) = (Run::finished(8, ""), one("[0.75]"), one("[0.25]"));
    let cells = |runs: [&Run; 2]| {
        let [first, second] = runs.map(Run::path);
        let found = compare(&PROGRAM, [first.as_path(), second.as_path()], &mut Silent).unwrap();
        let mut cells: Vec<_> = found.into_iter().map(|one| one.cells.join(" ")).collect();
        cells.dedup();
        cells
    };
    assert_eq!(cells([&two, &high]), ["0.75 0.75"]);
    assert_eq!(cells([&high, &two]), ["0.75 0.75"]);
    assert_eq!(cells([&two, &two]), ["0.25 0.25", "0.75 0.75"]);
    // The only cells of both.
    assert_eq!(cells([&high, &low]), ["0.75 0.25"]);
}

/// An archive has no tallies of blocks: what its table says is compared.
#[test]
fn an_archived_run_is_compared_by_its_table() {
    let [first, second] = [8, 9].map(|seed| Run::finished(seed, ""));
    let found = |first: &Run| compared([first, &second]).difference.estimate;
    let before = found(&first).interval.unwrap();
    let after = found(&first.archived()).interval.unwrap();
    assert_eq!(after.method, before.method);
    let apart = [after.lo - before.lo, after.hi - before.hi];
    assert!(apart.iter().all(|apart| apart.abs() < 1e-9), "{apart:?}");
}
