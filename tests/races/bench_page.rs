//! The examples on the book's page of benchmarks: their files are written and their commands run, in an
//! empty folder for each section. Needs python3.
#![cfg(unix)]

use std::fs::Permissions;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

use crate::examples::{blocks, file_name, run};
use crate::program::{Bench, Ending};

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

/// The shell itself takes a hundredth of what its child does.
#[test]
fn a_wrapper() {
    let bench = section("A wrapper");
    let speed =
        std::fs::read_to_string(bench.path("results/wrapped-bench/clock/speed.csv")).unwrap();
    let mut rows = speed
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>());
    let median = rows.find(|row| row.starts_with(&["wrapped", "direct", "median"]));
    let ratio: f64 = median.unwrap()[3].parse().unwrap();
    assert!((0.8..2.5).contains(&ratio), "{speed}");
}

/// The statistics of a race: `ratio(twice, once).median` among them.
fn medians(bench: &Bench, first: &str, second: &str) -> Vec<String> {
    let path = bench.path("results/squares-bench/clock/speed.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let begin = format!("{first},{second},");
    let row = text.lines().find_map(|line| line.strip_prefix(&begin));
    let row = row.unwrap_or_else(|| panic!("no {begin} in\n{text}"));
    row.split(',').map(str::to_owned).collect()
}

#[test]
fn the_time_to_start() {
    let bench = section("The time to start");
    let folder = "results/squares-bench";
    let report = bench.run(&["report", folder]).data;
    for told in [
        "times without those of `nothing`",
        "times without those of nothing",
    ] {
        assert!(report.contains(told), "{report}");
    }
    assert!(!report.contains("nothing vs"), "{report}");
    let speed =
        std::fs::read_to_string(bench.path("results/squares-bench/clock/speed.csv")).unwrap();
    let named = |line: &str| line.starts_with("nothing,,baseline,") && line.ends_with(",10,0,");
    assert!(speed.lines().any(named), "{speed}");
    bench
        .run(&["verify", folder, "--run-programs"])
        .check(0, &[]);
    // One whose work is less than the baseline's is named, and leaves its ratios open.
    let text = std::fs::read_to_string(bench.path("squares.toml")).unwrap();
    let more = "sum(n * n for n in range(3_000_000))";
    bench.write(
        "squares.toml",
        &text.replace("\"pass\"", &format!("\"{more}\"")),
    );
    let line = ["bench", "squares.toml", "--samples", "3", "--force"];
    let ending = bench.run(&line);
    assert_eq!(ending.code, Some(0), "{}", ending.said);
    let told = "on 3 of 3 instances `twice` took no longer than its baseline";
    assert!(ending.data.contains(told), "{}", ending.data);
    let row = medians(&bench, "twice", "once");
    assert_eq!([&row[7], &row[8], &row[9]], ["3", "3", "open"], "{row:?}");
    let decided = medians(&bench, "twice", "");
    assert_eq!(decided[8], "0", "{decided:?}");
}

#[test]
fn a_folder_of_files() {
    let bench = section("A folder of files");
    let out = "results/sat-bench";
    let samples = std::fs::read_to_string(bench.path("results/sat-bench/samples.csv")).unwrap();
    let mut lines: Vec<&str> = samples.lines().collect();
    assert_eq!(lines.remove(0), "sample,instance,cell,satisfiable");
    // The order is that of the seed, and every file is there once.
    let answer = |line: &str| line.split_once(',').unwrap().1.to_owned();
    let mut answers: Vec<String> = lines.iter().map(|line| answer(line)).collect();
    answers.sort_unstable();
    let expected = [
        "cnf/even.cnf,search,1",
        "cnf/even.cnf,table,1",
        "cnf/none.cnf,search,0",
        "cnf/none.cnf,table,0",
    ];
    assert_eq!(answers, expected);
    let line = ["verify", out, "--run-programs"];
    bench.run(&line).check(0, &[]);
    // Every time has the name of its file; under another one it counts for nothing.
    let clock = std::fs::read_to_string(bench.path("results/sat-bench/clock.csv")).unwrap();
    let is_named = |line: &&str| line.ends_with(",cnf/even.cnf") || line.ends_with(",cnf/none.cnf");
    assert!(clock.lines().skip(1).all(|line| is_named(&line)), "{clock}");
    let files = ["clock.csv", "manifest.json"].map(|file| format!("{out}/{file}"));
    bench.forge(
        (&files[0], &files[1]),
        (",cnf/even.cnf", ",cnf/odd.cnf"),
        || {
            bench
                .run(&line)
                .check(1, &["differs from the one that this program makes"]);
        },
    );
    // A file that changed is noticed.
    let even = std::fs::read_to_string(bench.path("cnf/even.cnf")).unwrap();
    bench.write("cnf/even.cnf", &(even + "1 0\n"));
    bench
        .run(&line)
        .check(1, &["cnf/even.cnf has changed: its hash was"]);
    bench
        .run(&["bench", "sat.toml", "--resume"])
        .check(2, &["the folder holds another benchmark", "cnf/even.cnf"]);
    // Fewer are a part of them, and more than there are refused.
    bench
        .run(&["bench", "sat.toml", "--samples", "1", "--out", "one"])
        .check(0, &[]);
    bench
        .run(&["bench", "sat.toml", "--samples", "3", "--out", "three"])
        .check(2, &["3 samples of 2 instances"]);
    let told = "the answers to instance 0 (cnf/";
    let text = std::fs::read_to_string(bench.path("sat.toml")).unwrap();
    bench.write(
        "odd.toml",
        &text.replace(
            "\"sat.py\", \"table\"",
            "\"-c\", \"print(int(len(input()) > 99))\"",
        ),
    );
    bench.write("cnf/none.cnf", "1 0\n");
    bench
        .run(&["bench", "odd.toml", "--instance", "0"])
        .check(1, &[told]);
    for (pattern, told) in [
        ("none/*.cnf", "odd.toml:6:13"),
        ("none/*.cnf", "no file fits `none/*.cnf`"),
        ("cnf/[", "is no pattern"),
    ] {
        bench.write("odd.toml", &text.replace("cnf/*.cnf", pattern));
        bench
            .run(&["check", "odd.toml"])
            .check(2, &[told, "6 | instances = "]);
    }
    // Hidden files are no instances, nor is what the pattern does not fit.
    bench.write("cnf/.hidden.cnf", "");
    let _ = std::fs::write(
        bench
            .path("cnf")
            .join(std::ffi::OsStr::from_bytes(b"\xff.pdf")),
        "",
    );
    bench
        .run(&["bench", "sat.toml", "--samples", "3", "--out", "three"])
        .check(2, &["3 samples of 2 instances"]);
    bench.write("odd.toml", &text.replace("cnf/*.cnf", "cnf/.*.cnf"));
    bench
        .run(&["bench", "odd.toml", "--samples", "3", "--out", "three"])
        .check(2, &["3 samples of 1 instance"]);
    // Names that a table or a pattern cannot hold; the second kind is not allowed on every file system.
    for (name, told) in [
        (&b"two\nlines.cnf"[..], "has a control character"),
        (b"\xff.cnf", "is no text"),
    ] {
        let path = bench.path("cnf").join(std::ffi::OsStr::from_bytes(name));
        if std::fs::write(&path, "").is_ok() {
            bench
                .run(&["check", "sat.toml"])
                .check(2, &["sat.toml:6:13", told]);
            std::fs::remove_file(&path).unwrap();
        }
    }
    std::os::unix::fs::symlink("nowhere", bench.path("cnf/gone.cnf")).unwrap();
    bench
        .run(&["check", "sat.toml"])
        .check(2, &["sat.toml:6:13", "`cnf/gone.cnf` cannot be read"]);
}

#[test]
fn instances_from_a_generator() {
    let bench = section("Instances from a generator");
    let out = "results/median-bench";
    let samples = std::fs::read_to_string(bench.path(&format!("{out}/samples.csv"))).unwrap();
    let lines: Vec<&str> = samples.lines().collect();
    assert_eq!(lines[0], "sample,instance,cell,median");
    let names = lines[1..]
        .iter()
        .map(|line| line.split(',').nth(1).unwrap());
    let names: std::collections::BTreeSet<&str> = names.collect();
    assert_eq!(names.len(), 10, "{samples}");
    assert!(names.iter().all(|name| name.len() == 16), "{samples}");
    let verified = bench.run(&["verify", out, "--run-programs"]);
    verified.check(0, &["`python3 numbers.py {seed32}`"]);
    // Nobody is started to read what was measured.
    let started = bench.path("started");
    let spy = bench.write(
        "bin/python3",
        &format!("#!/bin/sh\n: > '{}'\n", started.display()),
    );
    std::fs::set_permissions(&spy, Permissions::from_mode(0o755)).unwrap();
    let mut report = bench.etude(&["report", out]);
    let report = report.env("PATH", spy.parent().unwrap()).output().unwrap();
    Ending::of(&report).check(0, &[]);
    assert!(!started.exists());
    // A race of fewer samples, or one that a rule may end, has the same instances.
    let text = std::fs::read_to_string(bench.path("median.toml")).unwrap();
    let rule =
        "[stop.ratio]\nfirst = \"sort\"\nsecond = \"heap\"\nwithin = 1.0001\nmax-samples = 3\n";
    let (head, _) = text.split_once("[stop]").unwrap();
    bench.write("rule.toml", &format!("{head}{rule}"));
    bench
        .run(&["bench", "rule.toml", "--out", "rule"])
        .check(3, &[]);
    let fewer = std::fs::read_to_string(bench.path("rule/samples.csv")).unwrap();
    assert!(
        samples.starts_with(&fewer) && fewer.lines().count() == 7,
        "{fewer}"
    );
    for (generator, code, told) in [
        (
            "import os; print(os.getpid())",
            1,
            "made two instances of sample 0",
        ),
        (
            "1 / 0",
            1,
            "the instance of sample 0 was not made: `python3 numbers.py",
        ),
        ("pass", 1, "wrote nothing to standard output"),
        (
            "while True: print('x' * 1_000_000)",
            1,
            "wrote more than 256 MiB to standard output",
        ),
        (
            "import sys; 6 <= int(sys.argv[2]) and exit(7); print(*sys.argv)",
            1,
            "the instance of sample 6 was not made: `python3 numbers.py",
        ),
    ] {
        bench.write("numbers.py", generator);
        bench.write(
            "bad.toml",
            &text.replace("{seed32}\"", "{seed32}\", \"{sample}\""),
        );
        bench
            .run(&["bench", "bad.toml", "--force"])
            .check(code, &[told]);
    }
    for (old, new, told) in [
        (
            "{seed32}",
            "1",
            "it would make the same instance of every sample",
        ),
        ("{seed32}", "{n}", "nothing fills `{n}`"),
        (
            "stdin ",
            "instances = \"*.py\"\nstdin ",
            "`instances` are there too",
        ),
        (
            "python3\", \"numbers",
            "no-such-program\", \"numbers",
            "there is no program",
        ),
    ] {
        bench.write("bad.toml", &text.replace(old, new));
        bench
            .run(&["check", "bad.toml"])
            .check(2, &[told, "bad.toml:6:"]);
    }
}

#[test]
fn a_run_samples_files_too() {
    let bench = Bench::new();
    for (name, text) in [("a b", "17"), ("c", "4")] {
        bench.write(&format!("in/{name}.txt"), text);
    }
    bench.write(
        "sum.toml",
        "question = \"?\"\ntask = \"command\"\nseed = 1\n[command]\nonce = [\"cat\"]\n\
         stdin = \"{instance}\"\ninstances = \"in/*\"\nversion = \"1\"\n\
         metrics = { sum = { kind = \"total\" } }\n[output]\nsamples = true\n",
    );
    bench
        .run(&["run", "sum.toml", "--out", "out"])
        .check(0, &[]);
    let samples = std::fs::read_to_string(bench.path("out/samples.csv")).unwrap();
    for line in [",in/a b.txt,all,17", ",in/c.txt,all,4"] {
        assert!(samples.contains(line), "{samples}");
    }
    bench
        .run(&["verify", "out", "--run-programs"])
        .check(0, &[]);
    bench.write("in/c.txt", "5");
    bench
        .run(&["verify", "out", "--run-programs"])
        .check(1, &["in/c.txt has changed"]);
    let text = std::fs::read_to_string(bench.path("sum.toml")).unwrap();
    bench.write("run.toml", &text.replace("once", "run"));
    bench
        .run(&["check", "run.toml"])
        .check(2, &["run.toml:6:1", "is for programs started by `once`"]);
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

/// Seed 1. A generator makes instances of each swept size, which both contenders of that size read. They print more
/// than the metric that is declared: its value is the first.
#[test]
fn a_generator_makes_instances_of_every_swept_size() {
    let bench = Bench::new();
    let text = "question = \"?\"\ntask = \"command\"\nseed = 1\n[command]\nversion = \"1\"\n\
                generate = [\"sh\", \"-c\", \"echo $0 $1\", \"{n}\", \"{seed32}\"]\nstdin = \"{instance}\"\n\
                metrics = { x = { kind = \"total\" } }\n\
                [command.params]\nn = { kind = \"integer\", min = 1, max = 100, default = 10 }\n\
                [sweep]\nn = [10, 20]\n[contenders.a]\nonce = [\"cat\"]\n[contenders.b]\n\
                once = [\"sh\", \"-c\", \"cat\"]\n[stop]\nsamples = 3\n";
    bench.write("size.toml", text);
    let told =
        "a,n=10: its last line has 2 values where the file declares 1: x is read from the first";
    let race = bench.run(&["bench", "size.toml", "--quiet", "--out", "out"]);
    race.check(0, &[told]);
    assert_eq!(race.said.matches(told).count(), 1, "{}", race.said);
    let rows = std::fs::read_to_string(bench.path("out/samples.csv")).unwrap();
    for n in [10, 20] {
        let of_size =
            |row: &&str| row.contains(&format!(",{n},")) && row.ends_with(&format!(",{n}"));
        assert_eq!(rows.lines().filter(of_size).count(), 6, "{rows}");
    }
    bench.run(&["verify", "out"]).check(0, &["sound"]);
    // A line with fewer values than metrics is no answer.
    bench.write(
        "size.toml",
        &text
            .replace("x = {", "x = { kind = \"total\" }, y = {")
            .replace("echo $0 $1", "echo $0"),
    );
    bench
        .run(&["bench", "size.toml", "--out", "fewer"])
        .check(1, &["answered 1 value where the file declares 2: x, y"]);
}
