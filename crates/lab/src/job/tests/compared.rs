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
    let [plain, other] = [8, 9].map(|seed| Run::finished(seed, face));
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
