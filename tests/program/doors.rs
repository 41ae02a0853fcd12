//! Files that a verb would replace by something else, and names by which it would be asked for too much.

use crate::program::Bench;

const RACE: &str = "question = \"?\"\ntask = \"klondike/score\"\nseed = 1978\n[params]\nlayout = \"yukon\"\n\
                    [budget]\nnodes = 100000\n[stop]\nsamples = 3\n[sweep]\nalgorithm = [\"etude\", \"pruned\"]\n";

const RUN: &str = "question = \"?\"\ntask = \"klondike/score\"\nseed = 1716\n[params]\nlayout = \"yukon\"\n\
                   [budget]\nnodes = 10000\n[stop]\nsamples = 50\n[sweep]\nstrategy = [\"greedy\", \"random\"]\n";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("race.toml", RACE);
    bench.write("run.toml", RUN);
    let race = ["bench", "race.toml", "--out", "race", "--quiet"];
    bench.run(&race).check(0, &[]);
    let run = ["run", "run.toml", "--out", "run", "--quiet"];
    bench.run(&run).check(0, &[]);
    bench
}

/// Times are measured once, and an archive's sums are all that is left of its samples: a journal that is lost, or
/// whose lines end otherwise, does not replace them.
#[test]
fn what_only_drawing_makes_is_not_replaced_where_the_journal_is_lost() {
    let bench = bench();
    bench.run(&["archive", "run"]).check(0, &[]);
    for (verb, file, folder, kept) in [
        ("bench", "race.toml", "race", "clock.csv"),
        ("run", "run.toml", "run", "tallies.csv"),
    ] {
        let journal = bench.path(folder).join("blocks.csv");
        let (kept, sound) = (
            bench.path(folder).join(kept),
            std::fs::read(&journal).unwrap(),
        );
        let before = std::fs::read(&kept).unwrap();
        let windows = String::from_utf8(sound.clone()).unwrap();
        std::fs::write(&journal, windows.replace('\n', "\r\n")).unwrap();
        let again = [verb, file, "--out", folder, "--resume", "--quiet"];
        bench
            .run(&again)
            .check(2, &["blocks.csv", "it has none of the blocks that"]);
        std::fs::remove_file(&journal).unwrap();
        bench
            .run(&again)
            .check(2, &["restore it from a copy", "--force"]);
        assert_eq!(std::fs::read(&kept).unwrap(), before, "{folder}");
        std::fs::write(&journal, sound).unwrap();
        bench.run(&again).check(0, &[]);
        bench.run(&["verify", folder]).check(0, &[]);
    }
}

/// A race that lost a file that no sample brings back is not called complete.
#[test]
fn a_race_is_complete_with_all_its_files_alone() {
    let bench = bench();
    for lost in ["clock/machine.json", "samples.csv", "clock"] {
        let (file, aside) = (bench.path("race").join(lost), bench.path("aside"));
        std::fs::rename(&file, &aside).unwrap();
        let again = bench.run(&["bench", "race.toml", "--out", "race", "--resume", "--quiet"]);
        again.check(2, &[lost, "is missing"]);
        std::fs::rename(&aside, &file).unwrap();
    }
    let again = bench.run(&["bench", "race.toml", "--out", "race", "--resume", "--quiet"]);
    again.check(0, &[]);
}

/// Nobody can say whether the experiment of a run without its manifest is the one that was run.
#[test]
fn a_run_that_lost_its_manifest_is_not_replayed() {
    let bench = bench();
    let manifest = bench.path("run/manifest.json");
    for text in [None, Some("")] {
        std::fs::remove_file(&manifest).unwrap();
        text.map_or(Ok(()), |text| std::fs::write(&manifest, text))
            .unwrap();
        bench.run(&["replay", "run"]).check(1, &["manifest.json"]);
        std::fs::write(&manifest, "").unwrap();
    }
    bench.write(
        "copy/config.toml",
        &std::fs::read_to_string(bench.path("run/config.toml")).unwrap(),
    );
    bench.run(&["replay", "copy"]).check(0, &[]);
}

/// A cell that was seen stays, with a journal or without.
#[test]
fn what_was_seen_is_remembered_where_the_journal_is_lost() {
    let bench = bench();
    bench.write("run.toml", &RUN.replace(", \"random\"", ""));
    let again = ["run", "run.toml", "--out", "run", "--resume", "--quiet"];
    let refused = bench.run(&again);
    refused.check(2, &["random"]);
    std::fs::remove_file(bench.path("run/blocks.csv")).unwrap();
    assert_eq!(bench.run(&again).said, refused.said);
}

#[test]
fn no_verb_writes_into_a_folder_of_another_kind() {
    let bench = bench();
    for mode in ["--force", "--resume"] {
        let run = bench.run(&["run", "race.toml", "--out", "race", mode, "--quiet"]);
        run.check(2, &["the folder holds a benchmark", "--out"]);
    }
    bench.run(&["verify", "race"]).check(0, &[]);
    let prove = ["prove", "foxes", "--board", "strip", "--dir", "run"];
    bench.run(&prove).check(2, &["run holds a run, not"]);
    for file in ["run/blocks.csv", "run.toml"] {
        let before = std::fs::read(bench.path(file)).unwrap();
        let report = bench.run(&["report", "run", "--html", file]);
        report.check(2, &["the file is no page"]);
        assert_eq!(std::fs::read(bench.path(file)).unwrap(), before);
    }
    for _ in 0..2 {
        let report = bench.run(&["report", "run", "--html", "page.html"]);
        report.check(0, &["page.html"]);
    }
}

/// Files that cannot be read are no reason to list none, and those behind links are listed as they are.
#[cfg(unix)]
#[test]
fn a_manifest_lists_all_that_is_there() {
    let bench = bench();
    let summary = bench.path("run/summary.csv");
    std::fs::rename(&summary, bench.path("elsewhere.csv")).unwrap();
    std::os::unix::fs::symlink("../elsewhere.csv", &summary).unwrap();
    bench.run(&["archive", "run"]).check(0, &[]);
    let manifest = std::fs::read_to_string(bench.path("run/manifest.json")).unwrap();
    assert!(manifest.contains("\"summary.csv\""), "{manifest}");
    bench.run(&["report", "run"]).check(0, &[]);
    bench.run(&["verify", "run"]).check(0, &[]);
}

/// A run that was killed has no tables yet, and nothing of it is to be restored.
#[test]
fn who_reports_a_run_that_was_killed_is_told_to_go_on() {
    let bench = bench();
    let manifest = std::fs::read_to_string(bench.path("run/manifest.json")).unwrap();
    let killed = manifest.replace("\"complete\"", "\"running\"");
    let (files, rest) = killed.split_once("\"summary.csv\"").unwrap();
    let rest = rest.split_once('\n').unwrap().1;
    bench.write(
        "run/manifest.json",
        &format!("{}\n{rest}", files.trim_end()),
    );
    std::fs::remove_file(bench.path("run/summary.csv")).unwrap();
    bench
        .run(&["report", "run"])
        .check(2, &["if it was killed, repeat its command with --resume"]);
}

/// A run that is refused before it begins leaves nothing behind, and takes nothing that was there.
#[test]
fn a_refused_run_leaves_no_folder() {
    let bench = Bench::new();
    let text = "question = \"?\"\ntask = \"command\"\nseed = 1\n[command]\nversion = \"1\"\nonce = [\"sh\", \"-c\", \"exit 1\"]\n\
                metrics = { y = { kind = \"flag\" } }\n[stop]\nsamples = 9\n";
    bench.write("fails.toml", text);
    std::fs::create_dir(bench.path("there")).unwrap();
    for (folder, stays) in [("new", false), ("there", true)] {
        let run = ["run", "fails.toml", "--out", folder, "--quiet"];
        assert_ne!(bench.run(&run).code, Some(0));
        assert_eq!(bench.path(folder).exists(), stays, "{folder}");
    }
}

#[test]
fn players_within_players_have_an_end() {
    let bench = Bench::new();
    for (depth, code) in [(3, 0), (16, 0), (17, 2), (50_000, 2)] {
        let name = "nested(1, ".repeat(depth) + "greedy" + &")".repeat(depth);
        let text = RUN.replace("[sweep]\nstrategy = [\"greedy\", \"random\"]\n", "");
        let text = text.replace("layout", &format!("strategy = \"{name}\"\nlayout"));
        bench.write("deep.toml", &text);
        let told: &[&str] = match code {
            0 => &["valid"],
            _ => &["more than 16 parentheses within each other"],
        };
        bench.run(&["check", "deep.toml"]).check(code, told);
    }
}

/// Editors of Windows begin a file with a byte order mark.
#[test]
fn a_byte_order_mark_is_no_part_of_a_deal_a_record_or_a_clue() {
    let bench = Bench::new();
    let made = bench.run(&[
        "make",
        "solitaire",
        "--winnable",
        "--count",
        "1",
        "--format",
        "json",
    ]);
    let made: serde_json::Value = serde_json::from_str(&made.data).unwrap();
    let deal = made.pointer("/0/deal").or(made.pointer("/deal"));
    let deal = deal.unwrap_or_else(|| panic!("{made}")).as_str().unwrap();
    bench.write("deal.txt", &format!("\u{feff}{deal}\n"));
    let solved = bench.run(&["solve", "solitaire", "--deals", "deal.txt"]);
    solved.check(0, &[]);
    assert!(solved.data.contains("win"), "{}", solved.data);
}

/// A record has its own board, position and rules.
#[test]
fn a_record_is_judged_by_its_own_rules_alone() {
    let bench = Bench::new();
    bench.write("match.txt", "no record\n");
    for verb in ["review", "play"] {
        for option in [
            ["--board", "strip"],
            ["--capture", "any"],
            ["--stuck", "pass"],
        ] {
            let words = [verb, "foxes", "--load", "match.txt", option[0], option[1]];
            bench
                .run(&words)
                .check(2, &[option[0], "cannot be used with"]);
        }
    }
}
