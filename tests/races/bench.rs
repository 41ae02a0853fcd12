//! Races: what they find, write and refuse. Needs python3.
#![cfg(unix)]

use std::time::{Duration, Instant};

use crate::program::{Bench, Ending, processes};

const RACER: &str = include_str!("../external/racer.py");

/// A race of two ways to answer, `first` and `second`.
fn race(ways: [&str; 2], samples: u64, more: &str) -> Bench {
    let bench = Bench::new();
    bench.write("racer.py", RACER);
    bench.write(
        "race.toml",
        &format!(
            "question = \"Which is faster?\"\ntask = \"command\"\nseed = 7\n\
             [command]\nfiles = [\"racer.py\"]\n\
             metrics = {{ value = {{ kind = \"integer\", min = 0, max = 9 }} }}\n\
             [contenders.first]\nrun = [\"python3\", \"racer.py\", \"{}\"]\n\
             [contenders.second]\nrun = [\"python3\", \"racer.py\", \"{}\"]\n\
             {more}[stop]\nsamples = {samples}\n",
            ways[0], ways[1]
        ),
    );
    bench
}

/// The fields of the first row of a table that begins with these.
fn row(bench: &Bench, file: &str, begins: &[&str]) -> Vec<String> {
    let text = std::fs::read_to_string(bench.path(file)).unwrap();
    let rows = text
        .lines()
        .map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let mut found = rows.filter(|row| row.iter().zip(begins).all(|(field, begin)| field == begin));
    found
        .next()
        .unwrap_or_else(|| panic!("no row {begins:?} in\n{text}"))
}

fn number(row: &[String], column: usize) -> f64 {
    row[column].parse().unwrap()
}

#[test]
fn a_race_finds_the_faster_one_and_keeps_the_clock_apart() {
    let bench = race(["2", "1"], 30, "");
    let ending = bench.run(&["bench", "race.toml", "--out", "out"]);
    assert_eq!(ending.code, Some(0), "{}", ending.said);
    let median = row(
        &bench,
        "out/clock/speed.csv",
        &["first", "second", "median"],
    );
    assert!((1.6..2.4).contains(&number(&median, 3)), "{median:?}");
    assert_eq!(median[11], "different");
    let control = row(&bench, "out/clock/speed.csv", &["first", "first", "median"]);
    // Its interval misses 1 in one run of twenty, as it says, so the median stands for it.
    assert!((0.9..1.1).contains(&number(&control, 3)), "{control:?}");
    let runs = std::fs::read_to_string(bench.path("out/clock.csv")).unwrap();
    let header = "instance,entrant,start,position,state,user,system,wall,peak,step";
    assert_eq!(runs.lines().next(), Some(header));
    let rows: Vec<Vec<&str>> = runs
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect())
        .collect();
    let counted = rows.iter().filter(|row| row[3] != "0");
    assert_eq!(counted.count(), 30 * 6);
    // Every entrant, the control too, is a process of its own, started ten times.
    for entrant in ["first", "second", "control"] {
        let started = rows
            .iter()
            .filter(|row| row[1] == entrant && row[4] == "started");
        assert_eq!(started.count(), 10, "{entrant}");
    }
    let answers = std::fs::read_to_string(bench.path("out/samples.csv")).unwrap();
    assert_eq!(answers.lines().next(), Some("sample,cell,value"));
    assert_eq!(answers.lines().count(), 1 + 30 * 2);
    for name in [
        "out/blocks.csv",
        "out/summary.csv",
        "out/manifest.json",
        "out/config.toml",
        "out/clock/machine.json",
    ] {
        assert!(bench.path(name).is_file(), "{name}");
    }
    let ending = bench.run(&["report", "out"]);
    assert!(
        ending.code == Some(0) && ending.data.contains("as fast as `first`"),
        "{ending:?}"
    );
    let beside = bench.run(&["compare", "out", "out"]).data;
    let rows = ["A: out", "first vs itself", "second vs first"];
    assert!(rows.iter().all(|row| beside.contains(row)), "{beside}");
    assert!(
        !beside.contains("first vs second") && !beside.contains("lie apart"),
        "{beside}"
    );
    let both = bench
        .run(&["compare", "out", "out", "--format", "csv"])
        .data;
    assert!(both.contains("first,second,median,"), "{both}");
    let page = bench.run(&["report", "out", "--html", "page.html"]);
    assert_eq!(page.code, Some(0), "{}", page.said);
    assert!(
        std::fs::read_to_string(bench.path("page.html"))
            .unwrap()
            .contains("<svg")
    );
    assert_eq!(
        bench.run(&["verify", "out", "--run-programs"]).code,
        Some(0)
    );
    let forged = answers.replacen("0,first,", "0,first,1", 1);
    assert_ne!(forged, answers);
    bench.write("out/samples.csv", &forged);
    bench.run(&["verify", "out"]).check(1, &["samples.csv"]);
    bench.write("out/samples.csv", &answers);
    // What does not follow from the times is found, though every hash is that of the file; a negative time, though
    // every ratio were computed of it.
    let remade = "differs from the one that this program makes";
    let sessions = "its sessions do not follow one another";
    for (name, fact, other, fault) in [
        ("clock/speed.csv", ",different\n", ",equal\n", remade),
        ("clock.csv", ",done,0.", ",done,-0.", remade),
        (
            "clock/machine.json",
            "\"first\": 0",
            "\"first\": 7",
            sessions,
        ),
        (
            "clock/machine.json",
            "\"repeats\": ",
            "\"repeats\": -",
            "invalid value",
        ),
        (
            "clock/machine.json",
            "\"grain\": ",
            "\"starts\": 40, \"grain\": ",
            "unknown field `starts`",
        ),
    ] {
        let files = (&*format!("out/{name}"), "out/manifest.json");
        bench.forge(files, (fact, other), || {
            bench.run(&["verify", "out"]).check(1, &[fault])
        });
    }
    let forged = runs.replacen(",done,0.", ",done,9.", 1);
    assert_ne!(forged, runs);
    bench.write("out/clock.csv", &forged);
    bench
        .run(&["verify", "out"])
        .check(1, &["clock.csv: it is not the file"]);
    bench.write("out/clock.csv", &runs);
    // What is complete says so, and changes nothing.
    let again = bench.run(&["bench", "race.toml", "--out", "out"]);
    again.check(0, &["already complete"]);
    // It is a run: its journal can be archived.
    let before = bench.run(&["report", "out"]).data;
    assert!(before.contains("times as fast"), "{before}");
    bench.run(&["archive", "out"]).check(0, &["archived"]);
    assert_eq!(bench.run(&["report", "out"]).data, before);
    assert!(!bench.path("out/exhibit.json").exists());
    let file = std::fs::read_to_string(bench.path("race.toml")).unwrap();
    bench.write(
        "race.toml",
        &file.replacen("question = \"", "question = \"Well: ", 1),
    );
    bench
        .run(&["bench", "race.toml", "--out", "out", "--resume"])
        .check(0, &["no sample was drawn"]);
    let after = bench.run(&["report", "out"]).data;
    assert!(after.contains("Well: "), "{after}");
    assert_eq!(after.replacen("Well: ", "", 1), before);
    bench.run(&["verify", "out"]).check(0, &["sound"]);
}

#[test]
fn a_worker_that_answers_wrongly_once_is_caught_and_named() {
    let bench = race(["0", "liar"], 40, "");
    let ending = bench.run(&["bench", "race.toml", "--out", "out", "--quiet"]);
    assert_eq!(ending.code, Some(1), "{}", ending.said);
    for part in ["instance 17", "`first`", "`second`", "--instance 17"] {
        assert!(ending.said.contains(part), "{part}: {}", ending.said);
    }
    let again = bench.run(&["bench", "race.toml", "--instance", "17"]);
    assert_eq!(again.code, Some(1), "{}", again.said);
    assert!(again.data.contains("first") && again.data.contains("second"));
    assert_eq!(
        bench.run(&["bench", "race.toml", "--instance", "16"]).code,
        Some(0)
    );
    let report = bench.run(&["report", "out"]).data;
    let told = "stopped, as the answers to instance 17 differ";
    assert!(
        report.contains(told) && !report.contains("all answers equal"),
        "{report}"
    );
    // To go on is to answer the instance again, not to pass it over.
    let resumed = ["bench", "race.toml", "--out", "out", "--quiet", "--resume"];
    bench
        .run(&resumed)
        .check(1, &["answers to instance 17 differ"]);
}

#[test]
fn a_worker_that_hangs_is_stopped_at_its_cap_with_all_that_it_started() {
    let bench = race(["0", "hang"], 6, "[bench]\ncap = { wall = 0.5 }\n");
    let begun = Instant::now();
    let ending = bench.run(&["bench", "race.toml", "--out", "out", "--quiet"]);
    assert_eq!(ending.code, Some(0), "{}", ending.said);
    assert!(begun.elapsed() < Duration::from_secs(60));
    let runs = std::fs::read_to_string(bench.path("out/clock.csv")).unwrap();
    let capped: Vec<&str> = runs
        .lines()
        .filter(|line| line.contains(",capped,"))
        .collect();
    assert!(
        !capped.is_empty() && capped.iter().all(|line| line.starts_with("3,second,")),
        "{runs}"
    );
    let child = std::fs::read_to_string(bench.path("child.pid")).unwrap();
    let status = std::fs::read_to_string(format!("/proc/{child}/status")).unwrap_or_default();
    assert!(
        status.is_empty() || status.contains("Z (zombie)"),
        "{status}"
    );
    let decided = row(&bench, "out/clock/speed.csv", &["second", "", "decided"]);
    assert_eq!((decided[9].as_str(), decided[10].as_str()), ("6", "1"));
}

/// Contenders that compute without end; the shell itself only waits.
const BUSY: [&str; 2] = [
    "run = [\"python3\", \"racer.py\", \"100000\"]",
    "once = [\"sh\", \"-c\", \"sh -c 'while :; do :; done'; true\"]",
];

/// The end of a race whose second contender is declared so.
fn race_against(second: &str, samples: u64, more: &str) -> (Bench, Ending) {
    let bench = race(["2", "0"], samples, more);
    let text = std::fs::read_to_string(bench.path("race.toml")).unwrap();
    let own = "run = [\"python3\", \"racer.py\", \"0\"]";
    assert!(text.contains(own));
    bench.write("race.toml", &text.replace(own, second));
    let ending = bench.run(&["bench", "race.toml", "--out", "out"]);
    (bench, ending)
}

/// A race of 8 instances in which the second contender is stopped at a twentieth of a second.
fn race_to_a_cap(second: &str) -> (Bench, Ending) {
    let claim = "[[claims]]\nsource = \"us\"\ntext = \"The second is slower.\"\n\
                 holds = \"ratio(second, first).median > 2\"\n";
    let more = format!("[bench]\nrepeats = 1\ncap = {{ cpu = 0.05, wall = 0.2 }}\n{claim}");
    race_against(second, 8, &more)
}

/// The sleeper would be called slower by its cap, of which it spent nothing.
#[test]
fn a_program_that_sleeps_until_its_cap_has_taken_no_processor_time() {
    let workers = [
        "run = [\"python3\", \"racer.py\", \"sleep\"]",
        "once = [\"sleep\", \"1000\"]",
    ];
    for second in workers {
        let (bench, ending) = race_to_a_cap(second);
        assert_eq!(ending.code, Some(0), "{}", ending.said);
        let runs = std::fs::read_to_string(bench.path("out/clock.csv")).unwrap();
        let capped = runs.lines().filter(|line| line.contains(",capped,"));
        let capped: Vec<Vec<String>> = capped
            .map(|line| line.split(',').map(str::to_owned).collect())
            .collect();
        assert!(capped.len() >= 16, "{runs}");
        for run in capped {
            assert!(number(&run, 5) + number(&run, 6) < 0.03, "{run:?}");
            assert!(number(&run, 7) >= 0.1, "{run:?}");
        }
        for statistic in ["median", "total"] {
            let ratio = row(
                &bench,
                "out/clock/speed.csv",
                &["second", "first", statistic],
            );
            assert_ne!(ratio[11], "different", "{ratio:?}");
        }
        let claims = std::fs::read_to_string(bench.path("out/clock/claims.csv")).unwrap();
        assert!(claims.contains(",undecided,"), "{claims}");
    }
}

#[test]
fn a_program_that_is_busy_until_its_cap_takes_more_than_that() {
    for second in BUSY {
        let (bench, ending) = race_to_a_cap(second);
        assert_eq!(ending.code, Some(0), "{}", ending.said);
        let told = "`first` is more than ";
        assert!(ending.data.contains(told), "{}", ending.data);
        let claims = std::fs::read_to_string(bench.path("out/clock/claims.csv")).unwrap();
        assert!(claims.contains(",supported,"), "{claims}");
    }
}

/// Stopped by the processor time that they used, long before the wall's.
#[test]
fn a_program_is_stopped_by_the_processor_time_that_it_used() {
    for second in BUSY {
        let more = "[bench]\nrepeats = 1\ncap = { cpu = 0.05, wall = 50 }\n";
        let (bench, ending) = race_against(second, 6, more);
        assert_eq!(ending.code, Some(0), "{}", ending.said);
        let runs = std::fs::read_to_string(bench.path("out/clock.csv")).unwrap();
        let of_second = runs.lines().filter(|line| line.contains(",second,"));
        let stopped: Vec<Vec<String>> = of_second
            .map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>())
            .filter(|row| row[4] != "started")
            .collect();
        assert!(stopped.len() >= 12, "{runs}");
        for row in stopped {
            let used = number(&row, 5) + number(&row, 6);
            assert!(
                row[4] == "capped" && used >= 0.05 && number(&row, 7) < 45.0,
                "{row:?}"
            );
        }
        // It answers within the cap, and three in ten times as much is no cap of it.
        let decided = row(&bench, "out/clock/speed.csv", &["first", "", "decided"]);
        assert_eq!(decided[10], "0", "{decided:?}");
        let total = row(&bench, "out/clock/speed.csv", &["second", "first", "total"]);
        assert!(number(&total, 3) > 2.0, "{total:?}");
    }
}

/// A wrapper whose child does the work, and a worker that answers first and works later, take the time
/// that is taken for them. `first` works 0.5 to 2.5 ms, the others 15 to 75 and 10 to 50.
#[test]
fn work_in_a_child_or_after_the_answer_is_no_speed() {
    for (way, least) in [("wrapper", 10.0), ("later", 8.0)] {
        let bench = race(["0.5", way], 12, "[bench]\nrepeats = 1\n");
        let ending = bench.run(&["bench", "race.toml", "--out", "out", "--quiet"]);
        assert_eq!(ending.code, Some(0), "{}", ending.said);
        let median = row(
            &bench,
            "out/clock/speed.csv",
            &["second", "first", "median"],
        );
        assert!(number(&median, 3) > least, "{way}: {median:?}");
        assert_eq!(median[11], "different", "{way}: {median:?}");
    }
}

/// The same 13 ms in the process and in a child that it waits for, which the system counts as 10 or 20.
/// With one answer a timing, the child was called 1.16 times as fast.
#[test]
fn the_same_work_in_a_child_is_not_called_faster() {
    let ways = ["alike-13", "child-13"];
    let pair = ["second", "first", "median"];
    let once = race(ways, 20, "[bench]\nrepeats = 1\n");
    let line = ["bench", "race.toml", "--out", "out", "--quiet"];
    once.run(&line).check(0, &[]);
    let median = row(&once, "out/clock/speed.csv", &pair);
    let excludes = |end: usize, is_beyond: &dyn Fn(f64) -> bool| {
        !median[end].is_empty() && is_beyond(number(&median, end))
    };
    assert_eq!(median[11], "open", "{median:?}");
    assert!(!excludes(4, &|lo| lo > 1.0) && !excludes(5, &|hi| hi < 1.1));
    let told = once.run(&["report", "out"]).data;
    let caution = "the time of the children of `second` is counted in steps of 10 ms";
    assert!(told.contains(caution), "{told}");
    assert!(!told.contains("children of `first`"), "{told}");
    // Left to itself, the race has timings last for thirty steps.
    let many = race(ways, 3, "");
    many.run(&line).check(0, &[]);
    let median = row(&many, "out/clock/speed.csv", &pair);
    assert!(number(&median, 3) >= 0.95, "{median:?}");
    let machine = std::fs::read_to_string(many.path("out/clock/machine.json")).unwrap();
    let told = machine.split_once("\"repeats\": ").unwrap().1;
    let repeats: u32 = told.split(',').next().unwrap().parse().unwrap();
    assert!((14..=30).contains(&repeats), "{repeats}");
    // Nor is its work counted twice: beside a process that makes a child, too, which takes some milliseconds.
    let both = race(["beside-child-13", ways[1]], 3, "");
    both.run(&line).check(0, &[]);
    let median = row(&both, "out/clock/speed.csv", &pair);
    assert!(number(&median, 3) < 1.2, "{median:?}");
}

/// Interrupted, read, and ended at what there was: the intervals are those of somebody who looked.
#[test]
fn a_look_before_an_early_end_stays_a_look() {
    let bench = race(["1", "1"], 400, "[bench]\nrepeats = 1\nstarts = 40\n");
    let line = ["bench", "race.toml", "--out", "out", "--quiet"];
    let mut first = bench.etude(&line).spawn().unwrap();
    let rows = || std::fs::read_to_string(bench.path("out/clock.csv")).unwrap_or_default();
    while rows().lines().count() < 200 && first.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    let fewer = [&line[..], &["--resume", "--samples", "60"]].concat();
    bench.run(&fewer).check(0, &[]);
    let median = row(
        &bench,
        "out/clock/speed.csv",
        &["second", "first", "median"],
    );
    assert_eq!(median[8], "any-time", "{median:?}");
}

#[test]
fn a_worker_that_breaks_down_is_a_row_and_no_end() {
    let bench = race(["0", "crash"], 6, "");
    let ending = bench.run(&["bench", "race.toml", "--out", "out", "--quiet"]);
    assert_eq!(ending.code, Some(0), "{}", ending.said);
    let runs = std::fs::read_to_string(bench.path("out/clock.csv")).unwrap();
    let failed: Vec<&str> = runs
        .lines()
        .filter(|line| line.contains(",failed,"))
        .collect();
    assert!(failed.len() >= 2, "{runs}");
    assert!(
        failed.iter().all(|line| line.starts_with("3,second,")),
        "{failed:?}"
    );
}

/// A race of two programs that are started for each of six instances, the second by a script.
fn race_of_scripts(second: &str) -> Bench {
    let bench = race(["0", "0"], 6, "");
    let text = std::fs::read_to_string(bench.path("race.toml")).unwrap();
    let worker = "run = [\"python3\", \"racer.py\", \"0\"]";
    let script = |script: &str| format!("once = [\"sh\", \"-c\", \"{script}\"]");
    let text = text.replacen(worker, &script("echo 1"), 1);
    bench.write("race.toml", &text.replacen(worker, &script(second), 1));
    bench
}

/// To fail is a result of an instance, the first one like any other; to fail at all is a mistake.
#[test]
fn a_program_that_breaks_down_is_a_row_and_no_end() {
    let line = ["bench", "race.toml", "--out", "out", "--quiet"];
    let faults = ["exit 3", "kill -6 $$", "echo what"];
    for fault in faults {
        let bench = race_of_scripts(&format!("test {{sample}} = 0 && {fault} || echo 1"));
        bench.run(&line).check(0, &["instance 0: second: "]);
        let runs = std::fs::read_to_string(bench.path("out/clock.csv")).unwrap();
        let mut failed = runs.lines().filter(|line| line.contains(",failed,"));
        assert!(failed.all(|line| line.starts_with("0,second,")), "{runs}");
        let report = bench.run(&["report", "out"]).data;
        let told = "on 1 of 6 instances `second` broke down or gave no answer";
        assert!(report.contains(told), "{report}");
    }
    let ending = race_of_scripts("exit 3").run(&line);
    ending.check(1, &["contender `second` does not answer instance 0"]);
    assert!(!ending.said.contains("need not agree"), "{}", ending.said);
}

#[test]
fn a_program_that_leaves_a_process_behind_has_answered() {
    let bench = race_of_scripts("echo 1; sleep 1000.75 &");
    let begun = Instant::now();
    let ending = bench.run(&["bench", "race.toml", "--out", "out", "--quiet"]);
    ending.check(0, &["left a process behind"]);
    assert!(begun.elapsed() < Duration::from_secs(20));
    let runs = std::fs::read_to_string(bench.path("out/clock.csv")).unwrap();
    assert!(
        runs.lines().skip(1).all(|line| line.contains(",done,")),
        "{runs}"
    );
    assert!(processes("sleep 1000.75").is_empty());
}

const DEALS: &str = "question = \"How long?\"\ntask = \"klondike/score\"\nseed = 3\n[stop]\nsamples = 8\n\
                      [params]\ndeck = \"2x4\"\nlayout = \"0:1,2:1,3:1\"\n";

#[test]
fn two_builds_race_over_the_protocol_and_a_condition_decides_the_exit_code() {
    let bench = Bench::new();
    bench.write("deals.toml", DEALS);
    let other = env!("CARGO_BIN_EXE_etude");
    let with = |condition: &str, out: &str| {
        let line = [
            "bench",
            "deals.toml",
            "--against",
            other,
            "--out",
            out,
            "--fail-if",
            condition,
        ];
        bench.run(&line)
    };
    let kept = with("ratio(new, before).median > 1000", "out");
    assert_eq!(kept.code, Some(0), "{}", kept.said);
    let broken = with("ratio(new, before).median < 1000", "out");
    assert_eq!(broken.code, Some(1), "{}", broken.said);
    assert!(broken.said.contains("it holds that"));
    // What is shown is about the pair that was asked for, whichever difference is the largest.
    for shown in [&kept.data, &broken.data] {
        let first = shown
            .lines()
            .find(|line| line.contains("On the typical instance"));
        let told = first.unwrap_or_default();
        assert!(
            told.contains("`new`") && told.contains("`before`"),
            "{shown}"
        );
    }
    let wrong = with("ratio(new, older).median < 1000", "other");
    assert_eq!(wrong.code, Some(2), "{}", wrong.said);
    // The same instances: every answer of the worker is that of the task in this process.
    let [before, new] = ["before", "new"].map(|name| row(&bench, "out/samples.csv", &["0", name]));
    assert!(
        before.len() > 3 && before[2..] == new[2..],
        "{before:?} {new:?}"
    );
}

#[test]
fn a_rule_that_is_not_met_ends_at_the_cap() {
    let more =
        "[stop.ratio]\nfirst = \"first\"\nsecond = \"second\"\nwithin = 1.0001\nmax-samples = 12\n";
    let bench = race(["0", "0"], 5, "");
    let text = std::fs::read_to_string(bench.path("race.toml")).unwrap();
    bench.write("race.toml", &text.replace("[stop]\nsamples = 5\n", more));
    let ending = bench.run(&["bench", "race.toml", "--out", "out", "--quiet"]);
    assert_eq!(ending.code, Some(3), "{}", ending.said);
    let median = row(
        &bench,
        "out/clock/speed.csv",
        &["first", "second", "median"],
    );
    assert_eq!(median[8], "any-time");
    let again = bench.run(&["bench", "race.toml", "--out", "out", "--quiet"]);
    again.check(
        3,
        &[
            "wider than [stop.ratio] asks for after all 12 instances",
            "--resume",
        ],
    );
    assert_eq!(
        bench.run(&["run", "race.toml", "--out", "ran"]).code,
        Some(2)
    );
}

#[test]
fn programs_that_know_nothing_of_etude_read_instances_in_their_own_form() {
    let bench = Bench::new();
    bench.write(
        "deals.toml",
        "question = \"?\"\ntask = \"solitaire/score\"\nseed = 5\n[stop]\nsamples = 2\n\
         [params]\nstrategy = \"greedy\"\n[bench]\nanswers = [\"win\"]\n\
         [contenders.greedy]\n\
         [contenders.length]\nonce = [\"sh\", \"-c\", \"printf '%s\\\\n' \\\"$0\\\" >> seen; test -s \\\"$1\\\" && echo Lost\", \
         \"{instance.exact}\", \"{instance.solvitaire.file}\"]\nanswers = { Won = true, Lost = false }\n",
    );
    let ending = bench.run(&["bench", "deals.toml", "--out", "out", "--quiet"]);
    assert_eq!(ending.code, Some(0), "{}", ending.said);
    let seen = std::fs::read_to_string(bench.path("seen")).unwrap();
    assert!(
        seen.lines()
            .all(|line| line.len() > 60 && line.bytes().all(|byte| byte.is_ascii_digit()))
    );
    let columns = row(&bench, "out/samples.csv", &["sample"]);
    let win = columns.iter().position(|column| column == "win").unwrap();
    let answer = row(&bench, "out/samples.csv", &["0", "length"]);
    assert_eq!(answer[win], "0", "{answer:?}");
}

/// A solver as the SAT competitions have it, told by its line, by its words, by its exit status, and one that
/// contradicts itself.
#[test]
fn solvers_run_as_they_are() {
    let bench = Bench::new();
    let contender = |name: &str, script: &str, answers: &str| {
        format!("[contenders.{name}]\nonce = [\"sh\", \"-c\", \"{script}\"]\nanswers = {answers}\n")
    };
    let sat = "echo c hello; echo s SATISFIABLE; echo v 1 0; exit 10";
    let lines = "{ \"s SATISFIABLE\" = true, \"s UNSATISFIABLE\" = false }";
    let statuses = "{ status = { 10 = true, 20 = false } }";
    let contenders = [
        contender("line", sat, lines),
        contender("plain", "echo s SATISFIABLE", lines),
        contender("word", sat, "{ SATISFIABLE = true, UNSATISFIABLE = false }"),
        contender("status", "exit 10", statuses),
        contender("other", "test {sample} = 0 && exit 10; exit 3", statuses),
        contender("told", "exit 3", "{ status = { 3 = true } }"),
    ];
    let file = format!(
        "question = \"?\"\ntask = \"command\"\nseed = 1\n[command]\nversion = \"1\"\n[command.metrics]\n\
         work = {{ kind = \"total\" }}\nsat = {{ kind = \"flag\" }}\n{}[stop]\nsamples = 3\n",
        contenders.concat()
    );
    bench.write("race.toml", &file);
    bench.run(&["check", "race.toml"]).check(0, &[]);
    let ending = bench.run(&["bench", "race.toml", "--out", "out", "--quiet"]);
    assert_eq!(ending.code, Some(0), "{}", ending.said);
    let clock = std::fs::read_to_string(bench.path("out/clock.csv")).unwrap();
    for line in clock.lines().skip(1) {
        let is_good = line.starts_with("0,") || !line.contains(",other,");
        assert_eq!(line.contains(",done,"), is_good, "{line}");
        assert_eq!(line.contains(",failed,"), !is_good, "{line}");
    }
    let columns = row(&bench, "out/samples.csv", &["sample"]);
    let sat = columns
        .iter()
        .position(|column| column == "sat_lo")
        .unwrap();
    for name in ["line", "plain", "word", "status", "told"] {
        let answer = row(&bench, "out/samples.csv", &["2", name]);
        assert_eq!(answer[sat..=sat + 1], ["1", "1"], "{name}");
    }
}

/// More than a pipe holds, to one that reads all of it, one that reads nothing, one that does so until it is
/// stopped, and one that writes as much as it reads.
#[test]
fn programs_are_told_instances_on_standard_input() {
    let bench = Bench::new();
    let long = "x".repeat(300_000);
    let contender = |name: &str, script: &str| {
        format!(
            "[contenders.{name}]\nonce = [\"sh\", \"-c\", \"{script}\"]\nstdin = \"{{instance.exact}} {long}\\n\"\n\
             answers = {{ Won = true, Lost = false }}\n"
        )
    };
    let contenders = [
        (
            "reads",
            "read number rest; test ${#rest} = 300000 && echo $number >> seen && echo Lost",
        ),
        ("deaf", "echo Lost"),
        ("hangs", "exec sleep 1000"),
        ("echoes", "cat; echo Lost"),
    ];
    let contenders = contenders.map(|(name, script)| contender(name, script));
    bench.write(
        "deals.toml",
        &format!(
            "question = \"?\"\ntask = \"solitaire/score\"\nseed = 5\n[stop]\nsamples = 2\n[params]\n\
             strategy = \"greedy\"\n[bench]\nanswers = [\"win\"]\ncap = {{ cpu = 1, wall = 1.5 }}\n{}",
            contenders.concat()
        ),
    );
    let ending = bench.run(&["bench", "deals.toml", "--out", "out", "--quiet"]);
    assert_eq!(ending.code, Some(0), "{}", ending.said);
    // As competitions compare solvers: two caps of a second for each instance without an answer.
    let report = bench.run(&["report", "out"]).data;
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = report.lines().map(words).collect();
    for told in [
        "hangs 0 of 2 2.000 s",
        "virtual best 2 of 2 ",
        "times as fast as all reads deaf hangs echoes",
    ] {
        let is_there = lines.iter().any(|line| line.starts_with(told));
        assert!(is_there, "no {told} in {report}");
    }
    let seen = std::fs::read_to_string(bench.path("seen")).unwrap();
    let is_number = |line: &str| line.len() > 60 && line.bytes().all(|byte| byte.is_ascii_digit());
    assert!(
        seen.lines().count() >= 6 && seen.lines().all(is_number),
        "{seen}"
    );
    let clock = std::fs::read_to_string(bench.path("out/clock.csv")).unwrap();
    for line in clock.lines().skip(1) {
        let state = line.split(',').nth(4).unwrap();
        let expected = if line.contains(",hangs,") {
            "capped"
        } else {
            "done"
        };
        assert_eq!(state, expected, "{line}");
    }
}

/// Starts a session of a race that was interrupted, and kills it as soon as it is noted.
fn kill_a_session_at_its_start(bench: &Bench, line: &[&str]) {
    let mut session = bench.etude(line).arg("--resume").spawn().unwrap();
    let sessions = || {
        let machine = std::fs::read_to_string(bench.path("cut/clock/machine.json"));
        machine.unwrap_or_default().matches("started_unix").count()
    };
    while sessions() < 2 && session.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    session.kill().unwrap();
    session.wait().unwrap();
    assert_eq!(sessions(), 2);
}

/// Killed at once: nothing is told where the first session ended, so the second one finds out.
#[test]
fn a_killed_race_goes_on_to_the_same_answers_and_marks_its_times() {
    let bench = race(["1", "1"], 40, "[bench]\nrepeats = 1\n");
    let whole = bench.run(&["bench", "race.toml", "--out", "whole", "--quiet"]);
    assert_eq!(whole.code, Some(0), "{}", whole.said);
    let line = ["bench", "race.toml", "--out", "cut", "--quiet"];
    let mut first = bench.etude(&line).spawn().unwrap();
    let rows = || std::fs::read_to_string(bench.path("cut/clock.csv")).unwrap_or_default();
    while rows().lines().count() < 20 && first.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    let told = ["another run is using this folder", "--out"];
    for more in ["--resume", "--force"] {
        bench.run(&[&line[..], &[more]].concat()).check(2, &told);
    }
    first.kill().unwrap();
    first.wait().unwrap();
    // Rows that were cut in the middle of a field, which would be numbers of other instances.
    for (table, half) in [
        ("clock.csv", "3,second,1,1,done,0.0"),
        ("samples.csv", "1"),
        ("blocks.csv", "1"),
    ] {
        let path = bench.path(&format!("cut/{table}"));
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text + half).unwrap();
    }
    let report = bench.run(&["report", "cut"]);
    let told = "Caution: it has not ended, or was killed: ";
    let (_, told) = report
        .data
        .split_once(told)
        .unwrap_or_else(|| panic!("{report:?}"));
    let (done, more) = told.split_once(" of 40 instances are measured; ").unwrap();
    assert!((1..40).contains(&done.parse().unwrap()), "{done}");
    let parts = [
        "with the same arguments and --resume goes on",
        "timed twice an instance",
    ];
    assert!(parts.iter().all(|part| more.contains(part)), "{more}");
    assert!(
        report
            .data
            .contains(&format!("; {done} instances, all answers equal")),
        "{report:?}"
    );
    let page = bench.run(&["report", "cut", "--html", "cut.html"]);
    assert_eq!(page.code, Some(0), "{page:?}");
    bench
        .run(&["verify", "cut"])
        .check(2, &["was killed", "etude bench", "--resume"]);
    // The workers take longer to start than it takes to kill the session: it has no instance of its own.
    let slow = bench.write("slow-to-start", "");
    kill_a_session_at_its_start(&bench, &line);
    std::fs::remove_file(slow).unwrap();
    let report = bench.run(&["report", "cut"]).data;
    assert!(
        report.contains(&format!("{done} of 40 instances")),
        "{report}"
    );
    assert!(!report.contains("were measured apart"), "{report}");
    bench.run(&line).check(
        2,
        &["holds a part of this benchmark", "--resume", "--force"],
    );
    let other = [
        "bench",
        "race.toml",
        "--out",
        "cut",
        "--quiet",
        "--resume",
        "--seed",
        "8",
    ];
    let told = [
        "holds another benchmark: `seed = 7` instead of `seed = 8`",
        "--out",
        "--force",
    ];
    bench.run(&other).check(2, &told);
    let resumed = bench.run(&[&line[..], &["--resume"]].concat());
    assert_eq!(resumed.code, Some(0), "{}", resumed.said);
    for name in ["blocks.csv", "samples.csv", "summary.csv", "config.toml"] {
        let [one, two] = ["whole", "cut"].map(|folder| bench.path(&format!("{folder}/{name}")));
        assert_eq!(
            std::fs::read(one).unwrap(),
            std::fs::read(two).unwrap(),
            "{name}"
        );
    }
    let report = bench.run(&["report", "cut"]);
    assert!(
        report
            .data
            .contains("Caution: it was interrupted: instances 0 to"),
        "{report:?}"
    );
    assert!(
        report.data.contains("to 39 were measured apart"),
        "{report:?}"
    );
}

#[test]
fn a_worker_that_answers_wrongly_once_in_five_hundred_is_caught_and_named() {
    let bench = race(["0", "rare-liar"], 500, "[bench]\nrepeats = 1\n");
    let ending = bench.run(&["bench", "race.toml", "--out", "out", "--quiet"]);
    let told = [
        "the answers to instance 450 differ",
        "`first`",
        "`second`",
        "--instance 450",
    ];
    ending.check(1, &told);
}

#[test]
fn a_race_that_was_killed_before_its_first_instance_tells_so() {
    let bench = race(["sleep", "0"], 5, "");
    let mut first = bench
        .etude(&["bench", "race.toml", "--out", "out"])
        .spawn()
        .unwrap();
    while !bench.path("out/clock/machine.json").exists() && first.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    let report = bench.run(&["report", "out"]);
    assert_eq!(report.code, Some(0), "{report:?}");
    for part in [
        "0 of 5 instances are measured",
        "--resume",
        "no instance has been answered by all",
    ] {
        assert!(report.data.contains(part), "{part}: {report:?}");
    }
}

#[test]
fn benchmarks_without_intervals_are_not_called_equal() {
    let bench = race(["0", "1"], 2, "[bench]\nrepeats = 1\n");
    let ending = bench.run(&["bench", "race.toml", "--out", "out", "--quiet"]);
    assert_eq!(ending.code, Some(0), "{}", ending.said);
    let beside = bench
        .run(&["compare", "out", "out", "--format", "csv"])
        .data;
    let medians = beside.lines().filter(|line| line.contains(",median,"));
    let told = "not known: too few instances or starts for an interval";
    assert!(
        medians.clone().count() == 3 && medians.clone().all(|line| line.contains(told)),
        "{beside}"
    );
}

#[test]
fn a_folder_of_something_else_and_a_file_without_contenders_are_refused() {
    let bench = Bench::new();
    bench.write("deals.toml", DEALS);
    bench
        .run(&["bench", "deals.toml"])
        .check(2, &["deals.toml", "two contenders", "help: add a [sweep]"]);
    // Nothing could be raced but against another build, and the settings say that something is.
    bench.write("alone.toml", &format!("{DEALS}[bench]\nstarts = 3\n"));
    for verb in ["check", "run"] {
        let told = [
            "[bench] has nothing to race",
            "alone.toml:9:",
            "help: add a [sweep]",
        ];
        bench.run(&[verb, "alone.toml"]).check(2, &told);
    }
    let against = [
        "bench",
        "alone.toml",
        "--against",
        env!("CARGO_BIN_EXE_etude"),
    ];
    bench
        .run(&[&against[..], &["--instance", "0"]].concat())
        .check(0, &[]);
    let bench = race(["0", "0"], 5, "");
    std::fs::create_dir(bench.path("thesis")).unwrap();
    bench.write("thesis/chapter.tex", "Introduction");
    let line = ["bench", "race.toml", "--out", "thesis", "--force"];
    bench
        .run(&line)
        .check(2, &["is not empty and is not a run folder", "--out"]);
}

/// A run draws the only sample of such a task once; its time has to be taken more often.
#[test]
fn a_task_without_chance_is_raced_as_often_as_the_file_says() {
    let bench = Bench::new();
    let file = "question = \"Which?\"\ntask = \"queens/automaton\"\nseed = 3\n[params]\nn = 5\n\
                [sweep]\nversion = [\"automaton-1\", \"bitmask\"]\n[stop]\nsamples = 12\n";
    bench.write("queens.toml", file);
    bench
        .run(&["bench", "queens.toml", "--out", "own"])
        .check(0, &["own: 12 instances"]);
    bench.write("alone.toml", &file.replace("[\"automaton-1\", ", "["));
    let line = [
        "bench",
        "alone.toml",
        "--out",
        "old",
        "--against",
        env!("CARGO_BIN_EXE_etude"),
    ];
    bench.run(&line).check(0, &["old: 12 instances"]);
    bench
        .run(&["run", "queens.toml", "--out", "run"])
        .check(0, &[]);
    for folder in ["own", "old", "run"] {
        bench.run(&["verify", folder]).check(0, &[]);
    }
}

#[test]
fn a_race_is_planned_and_its_contenders_are_replayed() {
    let bench = Bench::new();
    let text = "question = \"?\"\ntask = \"klondike/score\"\nseed = 3\n[stop]\nsamples = 8\n\
                [bench]\ncap = { cpu = 2 }\n[contenders.pruned]\nalgorithm = \"pruned\"\n\
                [contenders.book]\nalgorithm = \"etude\"\n[contenders.other]\nrun = [\"cat\"]\n";
    bench.write("race.toml", text);
    let plan = bench.run(&["plan", "race.toml"]);
    let told = "64 timings of 4 entrants, the control included, two an instance each";
    plan.check(
        0,
        &["ends after 8 instances", told, "all must agree on score"],
    );
    let replay = |cell: &str| bench.run(&["replay", "race.toml", "--cell", cell, "--sample", "5"]);
    let [book, pruned] = ["book", "pruned"].map(|cell| replay(cell).data);
    let story = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    assert!(book.starts_with("race, cell book, sample 5"), "{book}");
    assert!(story(&book).starts_with(story(&pruned).lines().next().unwrap()));
    replay("other").check(2, &["`other` is another program"]);
    let rule =
        "[stop.ratio]\nfirst = \"book\"\nsecond = \"pruned\"\nwithin = 1.05\nmax-samples = 9\n";
    bench.write("rule.toml", &text.replace("[stop]\nsamples = 8\n", rule));
    let told = "ends when the interval of ratio(book, pruned).median is within a factor of 1.05, or after 9 instances";
    bench.run(&["plan", "rule.toml"]).check(0, &[told]);
}

/// Two contenders of seed 1: one that holds 2 MB, and one that holds 60 MB more. What etude holds is no figure of either.
#[cfg(target_os = "linux")]
#[test]
fn a_small_program_has_no_peak_of_etude() {
    let bench = Bench::new();
    bench.write(
        "peak.toml",
        "question = \"?\"\ntask = \"command\"\nseed = 1\n[command]\nversion = \"1\"\n\
         metrics = { kib = { kind = \"total\" } }\n[bench]\nanswers = []\n\
         [contenders.small]\nonce = [\"sh\", \"-c\", \"echo 2200\"]\n\
         [contenders.large]\nonce = [\"python3\", \"-c\", \"print(len(b'x' * 60_000_000) // 1024)\"]\n\
         [stop]\nsamples = 3\n",
    );
    let ending = bench.run(&["bench", "peak.toml", "--out", "peak", "--quiet"]);
    assert_eq!(ending.code, Some(0), "{}", ending.said);
    let mut clock = csv::Reader::from_path(bench.path("peak/clock.csv")).unwrap();
    let rows: Vec<csv::StringRecord> = clock.records().map(Result::unwrap).collect();
    for row in rows.iter().filter(|row| &row[4] == "done") {
        let peak = row[8].parse::<u64>().ok();
        match &row[1] {
            "large" => assert!(peak > Some(60_000_000), "{row:?}"),
            _ => assert_eq!(peak, None, "{row:?}"),
        }
    }
    assert!(rows.iter().any(|row| &row[1] == "small"));
}

#[test]
fn programs_race_without_a_file_and_the_file_that_says_the_same_can_be_had() {
    let bench = Bench::new();
    bench.write("a.sh", "echo $(($1 * $1))\n");
    bench.write("b.sh", "echo $(($1 * $1)).0000001\n");
    let typed = [
        "bench",
        "sh a.sh {n}",
        "sh b.sh {n}",
        "--sweep",
        "n=2,3,5",
        "--samples",
        "4",
    ];
    bench.run(&typed).check(0, &["results/a-vs-b-bench"]);
    let answer = row(
        &bench,
        "results/a-vs-b-bench/samples.csv",
        &["3", "\"b", "n=5\""],
    );
    assert!(
        answer.iter().any(|field| field == "25.000000"),
        "{answer:?}"
    );
    bench
        .run(&[&typed[..5], &["--init", "a.toml"]].concat())
        .check(0, &["next: etude bench a.toml"]);
    bench
        .run(&["bench", "a.toml", "--samples", "4", "--out", "out"])
        .check(0, &[]);
    let row = |folder: &str| {
        row(
            &bench,
            &format!("{folder}/samples.csv"),
            &["3", "\"b", "n=5\""],
        )
    };
    assert_eq!(row("out"), row("results/a-vs-b-bench"));
    bench.write("b.sh", "echo $(($1 * $1 + $1 / 5))\n");
    let differ = bench.run(&[&typed[..], &["--force"]].concat());
    differ.check(
        1,
        &[
            "n=5",
            "25.000000",
            "26.000000",
            "--sweep 'n=2,3,5' --instance",
        ],
    );
    bench.write("b.sh", "echo no number\n");
    bench
        .run(&[&typed[..], &["--force"]].concat())
        .check(1, &["--answer status"]);
    bench
        .run(&[&typed[..], &["--force", "--answer", "status"]].concat())
        .check(0, &[]);
    bench
        .run(&["bench", "sh a.sh {m}", "sh b.sh {n}"])
        .check(2, &["nothing fills `{m}`", "--sweep m="]);
    bench
        .run(&["bench", "sh a.sh {n}"])
        .check(2, &["a single program has nothing to race"]);
    bench
        .run(&["bench", "nosuch", "sh a.sh"])
        .check(2, &["there is no program `nosuch`"]);
    let told = "too few contenders are left to race: there is no program `nosuch`";
    bench
        .run(&["bench", "sh a.sh {n}", "nosuch {n}", "--sweep", "n=1,2"])
        .check(2, &[told]);
}

/// Instances of two numbers that change together, made by a program and read from standard input.
#[test]
fn generated_instances_of_several_sizes_are_told_on_standard_input() {
    let bench = Bench::new();
    let text = "question = \"?\"\ntask = \"command\"\nseed = 1\n[command]\nversion = \"1\"\n\
         generate = [\"sh\", \"-c\", \"echo $0 $1 $2\", \"{n}\", \"{m}\", \"{seed32}\"]\nstdin = \"{instance}\"\n\
         metrics = { sum = { kind = \"total\" } }\n\
         [command.params]\nn = { kind = \"integer\", min = 1, max = 99 }\nm = { kind = \"integer\", min = 1, max = 99 }\n\
         [sweep]\nzip = [\"n\", \"m\"]\nn = { from = 10, to = 30, step = 10 }\nm = [3, 5, 9]\n\
         [contenders.a]\nonce = [\"sh\", \"-c\", \"read n m s; echo $((n + m))\"]\n\
         [contenders.b]\nonce = [\"sh\", \"-c\", \"read n m s; echo $((m + n))\"]\n[stop]\nsamples = 6\n";
    bench.write("size.toml", text);
    bench
        .run(&["bench", "size.toml", "--out", "out"])
        .check(0, &[]);
    let samples = std::fs::read_to_string(bench.path("out/samples.csv")).unwrap();
    for (cell, sum) in [
        ("a,n=10,m=3", "13"),
        ("b,n=20,m=5", "25"),
        ("b,n=30,m=9", "39"),
    ] {
        let cell = format!("\"{cell}\"");
        let mut rows = samples.lines().filter(|line| line.contains(&cell));
        assert!(
            rows.all(|line| line.contains(&format!(",{sum}"))),
            "{samples}"
        );
    }
    for axis in ["n", "m"] {
        let growth = row(&bench, "out/clock/growth.csv", &[axis, "b", "factor"]);
        assert_eq!(growth[9], "3", "{growth:?}");
    }
    // Metrics that all count as work are compared, where nothing else is.
    bench.write("size.toml", &text.replace("$((m + n))", "$((m + n + 1))"));
    bench
        .run(&["bench", "size.toml", "--out", "other"])
        .check(1, &["`sum` is"]);
}

#[test]
fn a_program_that_needs_more_memory_than_its_cap_is_out_of_memory() {
    let bench = Bench::new();
    let contender = |name: &str, size: &str| {
        format!(
            "[contenders.{name}]\nonce = [\"python3\", \"-c\", \"x = b'x' * ({size} << 20); print(1)\"]\n"
        )
    };
    let text = format!(
        "question = \"?\"\ntask = \"command\"\nseed = 1\n[command]\nversion = \"1\"\n\
         metrics = {{ one = {{ kind = \"flag\" }} }}\n[bench]\ncap = {{ cpu = 20, memory = \"200 MiB\" }}\n{}{}\
         [stop]\nsamples = 3\n",
        contender("small", "1"),
        contender("large", "(1 + 400 * ({sample} > 0))")
    );
    bench.write("race.toml", &text);
    let ending = bench.run(&["bench", "race.toml", "--out", "out"]);
    assert_eq!(ending.code, Some(0), "{}", ending.said);
    let clock = std::fs::read_to_string(bench.path("out/clock.csv")).unwrap();
    for line in clock.lines().skip(1) {
        let is_out = line.contains(",large,") && !line.starts_with("0,");
        assert_eq!(line.contains(",out-of-memory,"), is_out, "{line}");
    }
    for told in ["out of memory", "Programs may have 200 MiB of memory, by "] {
        assert!(ending.data.contains(told), "no {told} in {}", ending.data);
    }
    bench.run(&["verify", "out"]).check(0, &[]);
    bench.write("race.toml", &text.replace("200 MiB", "200 pounds"));
    let refused = bench.run(&["check", "race.toml"]);
    refused.check(2, &["such as \"2 GiB\"", "race.toml:8"]);
}

#[test]
fn what_is_done_before_answers_is_in_nobodys_time() {
    let bench = Bench::new();
    let slow = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo x >> ";
    let text = format!(
        "question = \"?\"\ntask = \"command\"\nseed = 1\n[command]\nversion = \"1\"\n\
         metrics = {{ one = {{ kind = \"flag\" }} }}\n\
         [contenders.plain]\nonce = [\"sh\", \"-c\", \"echo 1\"]\n\
         [contenders.served]\nsetup = [\"sh\", \"-c\", \"echo x >> setups\"]\n\
         prepare = [\"sh\", \"-c\", \"{slow}prepared\"]\nonce = [\"sh\", \"-c\", \"test -s prepared && echo 1\"]\n\
         [bench]\nrepeats = 1\nstarts = 3\n[stop]\nsamples = 3\n"
    );
    bench.write("race.toml", &text);
    bench
        .run(&["bench", "race.toml", "--out", "out"])
        .check(0, &[]);
    let lines = |file: &str| {
        std::fs::read_to_string(bench.path(file))
            .unwrap()
            .lines()
            .count()
    };
    assert_eq!(lines("setups"), 1);
    // Two timings of each of three instances, and a first answer after each of three starts.
    assert_eq!(lines("prepared"), 9);
    let clock = std::fs::read_to_string(bench.path("out/clock.csv")).unwrap();
    let served = clock.lines().filter(|line| line.contains(",served,"));
    for line in served {
        let row: Vec<String> = line.split(',').map(str::to_owned).collect();
        assert!(number(&row, 5) + number(&row, 6) < 0.05, "{line}");
    }
    let run = |from: &str, to: &str| {
        bench.write("race.toml", &text.replace(from, to));
        bench.run(&["bench", "race.toml", "--out", "other", "--force"])
    };
    run("echo x >> setups", "exit 3").check(1, &["served", "`setup` failed", "exit status 3"]);
    run("echo x >> setups", "echo {m}").check(2, &["nothing fills `{m}`", "race.toml:10"]);
    run(&format!("{slow}prepared"), "exit 4").check(1, &["served", "`prepare` failed"]);
}

/// A contender's files tell it from another program, between two sessions and in one.
#[test]
fn a_contender_whose_files_change_is_another_program() {
    let bench = Bench::new();
    let race = |samples: &str, more: &[&str]| {
        let line = [
            "bench",
            "sh one.sh 5",
            "sh two.sh 5",
            "--out",
            "race",
            "--quiet",
            "--samples",
        ];
        bench.run(&[&line[..], &[samples], more].concat())
    };
    bench.write("one.sh", "echo $1\n");
    bench.write("two.sh", "echo $1\n");
    race("2", &[]).check(0, &[]);
    bench.write("two.sh", "sleep 0; echo $1\n");
    race("4", &["--resume"]).check(2, &["`sh two.sh 5`, has changed since the race began"]);
    bench.write("two.sh", "echo $1\n");
    race("4", &["--resume"]).check(0, &[]);
    // The program that changes itself ends the race.
    bench.write("two.sh", "echo '# more' >> two.sh; echo $1\n");
    race("4", &["--force"]).check(1, &["two.sh has changed: its hash was "]);
}

/// What would compare nothing is refused: a contender with itself, a cap that nobody is told, a build that is not
/// there.
#[test]
fn a_race_that_compares_nothing_is_refused() {
    let bench = Bench::new();
    let file = |more: &str, samples: &str| {
        let text = format!(
            "question = \"?\"\ntask = \"command\"\nseed = 1\n[command]\nversion = \"1\"\n\
             metrics = {{ a = {{ kind = \"integer\", min = 0, max = 10 }} }}\n{more}\n[contenders.x]\n\
             once = [\"sh\", \"-c\", \"echo 3\"]\n[contenders.y]\n\
             once = [\"sh\", \"-c\", \"echo 3\"]\n[stop]\n{samples}\n"
        );
        bench.write("race.toml", &text);
        bench.run(&["bench", "race.toml", "--out", "race", "--quiet"])
    };
    let capped = file("[bench]\ncap = { nodes = 5 }", "samples = 2");
    capped.check(2, &["the cap in nodes would change nothing", "`{nodes}`"]);
    let rule = "ratio = { first = \"x\", second = \"x\", within = 1.05, max-samples = 5 }";
    file("", rule).check(2, &["`x` and `x` are one contender"]);
    let swept = "question = \"?\"\ntask = \"queens/automaton\"\nseed = 1\n[params]\nn = 5\n[sweep]\n\
                 version = [\"bitmask\", \"automaton-4\"]\n[stop]\nsamples = 2\n";
    bench.write("swept.toml", swept);
    let gone = bench.run(&["bench", "swept.toml", "--against", "./gone", "--quiet"]);
    gone.check(2, &["there is no program", "two builds are to be compared"]);
    let build = env!("CARGO_BIN_EXE_etude");
    let against = bench.run(&["bench", "swept.toml", "--against", build, "--out", "builds"]);
    let first = against
        .data
        .lines()
        .find(|line| line.starts_with("On the typical"))
        .unwrap();
    assert!(
        first.contains("`new`") && first.contains("(version=bitmask)"),
        "{first}"
    );
}
