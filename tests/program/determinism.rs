//! Determinism: the program writes the same bytes for any number of threads, and for a run that is extended.

use std::path::Path;

use crate::program::{Bench, assert_same_results};

const DEALS: &str = r#"
question = "How do the strategies compare?"
task = "klondike/score"
seed = 41
[stop]
samples = 1_500
[sweep]
strategy = ["optimal", "greedy", "random"]
[output]
samples = true
"#;

#[test]
fn the_program_writes_the_same_bytes_for_any_threads_and_extensions() {
    let bench = Bench::new();
    bench.write("deals.toml", DEALS);
    let expected = bench.path("expected");
    bench
        .run(&["run", "deals.toml", "--out", "expected", "--threads", "1"])
        .check(0, &[]);
    for threads in ["2", "8"] {
        let out = format!("threads-{threads}");
        bench
            .run(&["run", "deals.toml", "--out", &out, "--threads", threads])
            .check(0, &[]);
        assert_same_results(&bench.path(&out), &expected);
    }
    bench
        .run(&["run", "deals.toml", "--out", "grown", "--samples", "300"])
        .check(0, &[]);
    bench
        .run(&["run", "deals.toml", "--out", "grown", "--resume"])
        .check(0, &["extending"]);
    let read = |folder: &Path, name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let grown = bench.path("grown");
    for name in ["blocks.csv", "histograms.csv"] {
        assert!(
            read(&grown, name) == read(&expected, name),
            "{name} differs"
        );
    }
    // The samples are the same, but who has seen 300 of them and asks for more has looked.
    assert!(read(&grown, "config.toml").contains("extended-from = [300]"));
    let summary = read(&grown, "summary.csv");
    assert!(
        summary.contains("extended") && !summary.contains("fixed-n"),
        "{summary}"
    );
    bench.run(&["verify", "grown"]).check(0, &["sound"]);
}
