//! The examples on the book's page of benchmarks: their files are written and their commands run, in an
//! empty folder for each section. Needs python3.
#![cfg(unix)]

use crate::newcomer::{blocks, file_name, run};
use crate::program::Bench;

/// Runs the examples of a section, and returns its folder.
fn section(heading: &str) -> Bench {
    let page = include_str!("../../book/src/benchmarks.md");
    let (_, rest) = page.split_once(&format!("\n## {heading}\n")).unwrap();
    let bench = Bench::new();
    let mut commands = 0;
    for block in blocks(rest.split("\n## ").next().unwrap()) {
        if block.language != "sh" {
            bench.write(file_name(&block), block.body);
            continue;
        }
        for line in block.body.lines() {
            let ending = run(&bench, line);
            assert_eq!(ending.code, Some(0), "{line}\n{}", ending.said);
            commands += 1;
        }
    }
    assert!(commands > 0, "{heading}");
    bench
}

#[test]
fn a_solver_that_reads_standard_input() {
    let bench = section("A solver that reads standard input");
    let report = bench.run(&["report", "results/queens-bench"]).data;
    assert!(report.contains("all answers equal"), "{report}");
    // It did read the side of the board: on another one it counts others.
    let text = std::fs::read_to_string(bench.path("queens.toml")).unwrap();
    bench.write("other.toml", &text.replace("{instance}", "5"));
    let told = ["`solutions` is 4 by `all` and 10 by `python`"];
    let ending = bench.run(&["bench", "other.toml", "--instance", "0"]);
    ending.check(1, &told);
}

#[test]
fn two_programs_of_your_own() {
    let bench = section("Two programs of your own");
    let out = "results/add-bench";
    let report = bench.run(&["report", out]);
    report.check(0, &[]);
    let told = "all answers equal within the tolerance";
    assert!(report.data.contains(told), "{}", report.data);
    bench.run(&["verify", out, "--run-programs"]).check(0, &[]);
    // Their answers do differ, by more than a smaller tolerance allows.
    let text = std::fs::read_to_string(bench.path("add.toml")).unwrap();
    bench.write(
        "same.toml",
        &text.replace("{ total = 1e-9 }", "{ total = 0 }"),
    );
    let told = ["the answers to instance 0 differ: `total` is"];
    bench
        .run(&["bench", "same.toml", "--instance", "0"])
        .check(1, &told);
}
