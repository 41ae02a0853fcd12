//! The command line: exit codes, what is said to a person, and what is data.

use std::process::Stdio;

use crate::program::{Bench, Ending};

const SOUND: &str = r#"question = "How many cards?"
task = "klondike/score"
seed = 1978
[stop]
samples = 40
"#;

/// A sound experiment file changed in one place, and what must be said of it.
struct Fault {
    replace: &'static str,
    by: &'static str,
    said: &'static [&'static str],
}

const FAULTS: &[Fault] = &[
    Fault {
        replace: "seed = 1978",
        by: "seed = 1978\nsede = 1",
        said: &["unknown key `sede`", "bad.toml:4:1", "did you mean `seed`?"],
    },
    Fault {
        replace: "seed = 1978",
        by: "seed = \"one\"",
        said: &["`seed`", "`one`", "bad.toml:3:8", "expected a whole number"],
    },
    Fault {
        replace: "[stop]",
        by: "[budget]\nnodes = -5\n[stop]",
        said: &["`-5`", "bad.toml:5:9", "expected a whole number above 0"],
    },
    Fault {
        replace: "[stop]",
        by: "[params]\nlayout = \"1:1,1:1\"\n[stop]",
        said: &[
            "4 cards instead of 52",
            "bad.toml:5:10",
            "help: give `yukon`",
        ],
    },
    Fault {
        replace: "klondike/score",
        by: "klondike/scroe",
        said: &["klondike/scroe", "bad.toml:2:8", "klondike/score"],
    },
    Fault {
        replace: "samples = 40",
        by: "samples = 0",
        said: &["`0`", "bad.toml:5:11", "from 1"],
    },
    Fault {
        replace: SOUND,
        by: "",
        said: &["the file is empty", "bad.toml", "task = "],
    },
];

#[test]
fn faults_in_an_experiment_file_are_shown_where_they_stand() {
    for fault in FAULTS {
        assert!(SOUND.contains(fault.replace));
        let bench = Bench::new();
        bench.write("bad.toml", &SOUND.replace(fault.replace, fault.by));
        for verb in ["check", "plan", "run"] {
            bench.run(&[verb, "bad.toml"]).check(2, fault.said);
        }
        assert!(
            !bench.path("results").exists(),
            "a faulty file left a folder"
        );
    }
}

/// Seed 21. What a plan foresees on the disk is within a factor of two of what the run leaves there,
/// whichever file makes most of it.
#[test]
fn a_plan_foresees_what_the_run_leaves_on_the_disk() {
    let wide = (1..=200).map(|n| n.to_string()).collect::<Vec<_>>();
    let wide = format!(
        "[params]\nn = 4\n[sweep]\npopulation = [{}]\n",
        wide.join(", ")
    );
    let players = "[params]\nstrategy = \"greedy\"\n";
    let kinds = [
        ("journal", "klondike/score", 20_000, players.to_owned()),
        (
            "samples",
            "klondike/score",
            4_000,
            format!("{players}[output]\nsamples = true\n"),
        ),
        ("tables", "queens/estimate", 64, wide),
        (
            "histograms",
            "riddle/generate",
            40,
            "[sweep]\nvariant = [\"chess\", \"shogi\"]\n".into(),
        ),
        (
            "adjusted",
            "klondike/score",
            2_000,
            format!("{players}[variance]\ncontrol = \"perfect\"\nmean = 6.53\nerror = 0.006\n"),
        ),
    ];
    let bench = Bench::new();
    for (name, task, samples, rest) in kinds {
        let file = format!("{name}.toml");
        let head = "question = \"?\"\nseed = 21\n";
        bench.write(
            &file,
            &format!("{head}task = \"{task}\"\n{rest}[stop]\nsamples = {samples}\n"),
        );
        let foreseen = bytes(&bench.run(&["plan", &file]).said, " on disk");
        bench
            .run(&["run", &file, "--out", name, "--quiet"])
            .check(0, &[]);
        let files = std::fs::read_dir(bench.path(name)).unwrap();
        let taken = files.map(|file| file.unwrap().metadata().unwrap().len());
        let taken = taken.sum::<u64>() as f64;
        let ratio = foreseen / taken;
        assert!(
            (0.5..=2.0).contains(&ratio),
            "{name}: {foreseen} foreseen, {taken} taken"
        );
    }
}

/// The bytes that a line which ends so tells of: `about 437 KB on disk`.
fn bytes(said: &str, end: &str) -> f64 {
    let line = said
        .lines()
        .find_map(|line| line.strip_suffix(end))
        .expect(said);
    let words: Vec<&str> = line.split_whitespace().collect();
    let [_, number, unit] = words[..] else {
        panic!("{line}");
    };
    let scale = match unit {
        "KB" => 1e3,
        "MB" => 1e6,
        _ => panic!("{line}"),
    };
    number.parse::<f64>().unwrap() * scale
}

/// Seed 1: a thousand descents by promise that met none of the few which make most of the games, of
/// which there are 304. Their weights look even, and an interval of them would end at 194.
#[test]
fn an_estimator_that_hides_most_of_a_mean_decides_nothing_about_it() {
    let bench = Bench::new();
    bench.write(
        "cross.toml",
        r#"question = "How many games?"
task = "pegs/estimate"
seed = 1
params = { problem = "greek-cross", estimator = "importance" }
stop = { samples = 1000 }
claims = [{ source = "s", text = "t", holds = "games.mean > 300" }]
"#,
    );
    let ran = bench.run(&["run", "cross.toml", "--quiet", "--out", "cross"]);
    ran.check(0, &[]);
    let told = bench.run(&["report", "cross"]);
    told.check(0, &["most of the mean may lie in some that no sample met"]);
    assert!(told.data.contains("undecided"), "{}", told.data);
    let read = |name: &str| std::fs::read_to_string(bench.path(name)).unwrap();
    let summary = read("cross/summary.csv");
    let games = summary
        .lines()
        .find(|line| line.contains(",games,"))
        .unwrap();
    assert!(games.ends_with(",,,,untrusted,,samples"), "{games}");
    assert!(read("cross/weights.csv").contains(",false,"));
    assert!(read("cross/claims.csv").contains("the weights cannot be trusted"));
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("folder")).unwrap();
    std::fs::write(bench.path("binary.toml"), [b'a', 0xff, 0xfe]).unwrap();
    for verb in ["check", "run"] {
        bench
            .run(&[verb, "none.toml"])
            .check(2, &["none.toml", "No such file", "help: "]);
        bench
            .run(&[verb, "folder"])
            .check(2, &["folder", "directory", "help: "]);
        bench
            .run(&[verb, "binary.toml"])
            .check(2, &["byte 1 is not UTF-8", "help: "]);
    }
    for verb in ["verify", "report"] {
        bench
            .run(&[verb, "none"])
            .check(2, &["none", "run folder", "help: "]);
    }
}

/// A check of nothing is none.
#[test]
fn a_check_runs_some_samples_again() {
    let bench = Bench::new();
    for verb in ["verify", "archive"] {
        bench
            .run(&[verb, "out", "--samples", "0"])
            .check(2, &["expected a number of samples from 1"]);
    }
}

#[test]
fn numbers_on_the_command_line_say_what_is_expected() {
    let bench = Bench::new();
    bench.write("sound.toml", SOUND);
    for (option, value, expected) in [
        ("--threads", "0", "1..=1024"),
        ("--threads", "-1", "1..=1024"),
        ("--samples", "0", "from 1"),
        ("--samples", "-1", "expected a non-negative integer"),
        ("--samples", "1e99", "expected a non-negative integer"),
        ("--samples", "1.5", "expected a non-negative integer"),
        ("--seed", "-1", "expected a non-negative integer"),
        ("--seed", "x", "expected a non-negative integer"),
        ("--shard", "3/2", "expected I/K"),
        ("--shard", "0/2", "expected I/K"),
    ] {
        let ending = bench.run(&["run", "sound.toml", option, value]);
        ending.check(2, &[option, expected]);
    }
    assert!(!bench.path("results").exists());
}

#[test]
fn deals_that_are_none_are_refused_with_their_place() {
    let bench = Bench::new();
    bench.write("columns.csv", "a,b\n1,2\n");
    bench.write("deals.csv", "deal\nAC AC\n");
    bench.write("empty.csv", "");
    let solve =
        |arguments: &[&str]| -> Ending { bench.run(&[&["solve", "klondike"], arguments].concat()) };
    solve(&["--deal", "AC 2C AC"]).check(2, &["--deal", "card 3", "AC", "second time", "help: "]);
    solve(&["--deal", "AC"]).check(2, &["--deal", "help: write the cards"]);
    solve(&["--deal", ""]).check(2, &["--deal", "help: "]);
    solve(&["--deals", "columns.csv"]).check(2, &["columns.csv:1", "no column `deal`", "help: "]);
    solve(&["--deals", "empty.csv"]).check(2, &["empty.csv:1", "no column `deal`", "help: "]);
    solve(&["--deals", "deals.csv"]).check(2, &["deals.csv:2", "second time", "help: "]);
    solve(&["--deals", "none.csv"]).check(2, &["--deals", "none.csv", "No such file"]);
    solve(&["--deals", "."]).check(2, &["--deals", "directory"]);
    solve(&["--seed", "-1"]).check(2, &["--seed", "expected a non-negative integer"]);
    solve(&["--seed", "1", "--algorithm", "oracle"]).check(2, &["--algorithm", "pruned, etude"]);
    solve(&["--seed", "1", "--layout", "0:9"]).check(2, &["--layout", "52", "help: "]);
    solve(&[]).check(2, &["--deals <FILE>|--deal <DEAL>|--seed <S>", "Usage: "]);
}

#[test]
fn replays_take_any_sample_but_only_cells_there_are() {
    let bench = Bench::new();
    bench.write("sound.toml", SOUND);
    let replay = |cell: &str, sample: &str| {
        bench.run(&["replay", "sound.toml", "--cell", cell, "--sample", sample])
    };
    replay("nope", "0").check(2, &["no cell `nope`", "the cells are", "all"]);
    let page = format!("{SOUND}[output]\nexhibit = 3\n");
    bench.write("page.toml", &page);
    assert!(
        bench
            .run(&["replay", "page.toml"])
            .data
            .contains("cell all, sample 3")
    );
    replay("1", "0").check(2, &["no cell `1`"]);
    let last = replay("all", "18446744073709551615");
    last.check(0, &["is none of the "]);
    assert!(last.data.contains("sample 18446744073709551615"));
    replay("0", "18446744073709551616").check(2, &["--sample", "expected"]);
}

#[test]
fn unknown_commands_and_games_are_usage_errors() {
    let bench = Bench::new();
    bench.run(&[]).check(2, &["Usage"]);
    bench
        .run(&["frobnicate"])
        .check(2, &["frobnicate", "--help"]);
    bench
        .run(&["solve", "chess"])
        .check(2, &["chess", "--help"]);
    bench.run(&["run"]).check(2, &["EXPERIMENT"]);
}

#[test]
fn a_damaged_run_fails_verification() {
    let bench = Bench::new();
    bench.write("sound.toml", SOUND);
    bench
        .run(&["run", "sound.toml", "--out", "out"])
        .check(0, &[]);
    bench.run(&["verify", "out"]).check(0, &["sound"]);
    let path = bench.path("out/summary.csv");
    let summary = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, summary.replacen('1', "2", 1)).unwrap();
    bench
        .run(&["verify", "out"])
        .check(1, &["summary.csv", "help: "]);
}

/// The games whose deals and moves stand in the help.
#[test]
fn a_review_in_the_help_is_of_a_game_that_can_be_played() {
    let bench = Bench::new();
    for game in ["klondike", "solitaire"] {
        let help = bench.run(&["review", game, "--help"]).data;
        let mut lines = help.lines().map(str::trim);
        let line = lines.find(|line| line.starts_with("etude review ") && line.contains("--index"));
        let words = base::words::split(line.unwrap());
        let mut words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        words.extend(["--playouts", "2"]);
        bench.run(&words).check(0, &[]);
    }
}

#[test]
fn every_command_shows_examples_in_its_help() {
    let bench = Bench::new();
    let help = bench.run(&["--help"]);
    help.check(0, &[]);
    // What follows the colon is broken where the line ends.
    let about = etude::PROGRAM.about.split(':').next().unwrap();
    assert!(help.data.starts_with(about), "{}", help.data);
    for verb in [
        "list", "check", "plan", "run", "verify", "replay", "report", "schema",
    ] {
        check_help(&bench, &[verb]);
    }
    for game in etude::GAMES {
        for verb in game.verbs {
            check_help(&bench, &[verb.name, game.name]);
        }
    }
}

#[test]
fn tables_are_data_in_every_format() {
    let bench = Bench::new();
    let deal = [
        "solve", "klondike", "--seed", "1978", "--index", "3", "--format",
    ];
    let csv = bench.run(&[&deal[..], &["csv"]].concat());
    csv.check(0, &[]);
    let header = "index,optimal_score,upper_bound,proved,positions,nodes,moves";
    assert_eq!(csv.data.lines().next(), Some(header));
    assert_eq!(csv.data.lines().count(), 2);
    let json = bench.run(&[&deal[..], &["json"]].concat());
    let rows: serde_json::Value = serde_json::from_str(&json.data).unwrap();
    assert_eq!(rows[0]["index"], 3);
    // JSON alone has a place for totals.
    let clues = "chess:.....221/....1.../.210..../..0...../1......./......../......../.3......";
    let riddle = ["solve", "riddle", "--clues", clues, "--format"];
    let csv = bench.run(&[&riddle[..], &["csv"]].concat());
    csv.check(0, &["total: 1 placement fits, 5523 nodes"]);
    assert_eq!(csv.data, "index,placement\n0,a5 f7 e4 a3 b8\n");
    let json = bench.run(&[&riddle[..], &["json"]].concat());
    let answer: serde_json::Value = serde_json::from_str(&json.data).unwrap();
    assert_eq!(
        (&answer["total"], &answer["rows"][0]["index"]),
        (&1.into(), &0.into())
    );
    for what in ["games", "tasks", "players", "metrics"] {
        let list = bench.run(&["list", what, "--format", "json"]);
        let rows: serde_json::Value = serde_json::from_str(&list.data).unwrap();
        assert!(rows.is_array(), "{what}");
    }
    let schema = bench.run(&["schema"]);
    let schema: serde_json::Value = serde_json::from_str(&schema.data).unwrap();
    assert!(schema["properties"]["question"].is_object());
}

#[test]
fn pipes_and_no_color_see_no_colours() {
    let bench = Bench::new();
    bench.write("bad.toml", "seed = 1\n");
    let commands: [&[&str]; 4] = [
        &["list"],
        &["check", "bad.toml"],
        &["solve", "klondike", "--seed", "1"],
        &["run", "none.toml"],
    ];
    for arguments in commands {
        for variable in ["NO_COLOR", "UNRELATED"] {
            let mut command = bench.etude(arguments);
            let ending = Ending::of(&command.env(variable, "1").output().unwrap());
            let escapes = ending.data.contains('\x1b') || ending.said.contains('\x1b');
            assert!(!escapes, "{arguments:?}: {ending:?}");
        }
    }
}

#[test]
fn colours_and_progress_are_as_asked() {
    let bench = Bench::new();
    bench.write("bad.toml", "seed = 1\n");
    bench.write("sound.toml", SOUND);
    let check = ["check", "bad.toml", "--color", "always"];
    let coloured = bench.etude(&check).env("NO_COLOR", "1").output().unwrap();
    assert!(Ending::of(&coloured).said.contains('\x1b'));
    for (form, is_told) in [("bar", true), ("plain", true), ("none", false)] {
        let out = format!("out-{form}");
        let run = ["--progress", form, "run", "sound.toml", "--out", &out];
        let ending = bench.run(&run);
        ending.check(0, &[]);
        assert_eq!(
            ending.said.contains("40 of 40 samples"),
            is_told,
            "{form}: {}",
            ending.said
        );
    }
    bench
        .run(&["list", "--color", "pink"])
        .check(2, &["pink", "always"]);
}

#[cfg(unix)]
#[test]
fn deals_may_come_through_a_pipe() {
    let bench = Bench::new();
    let deals = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/games/klondike/tests/data/deals.csv"
    );
    let text = std::fs::read_to_string(deals).unwrap();
    let text: String = text.split_inclusive('\n').take(3).collect();
    bench.write("deals.csv", &text);
    let solve = |path: &str| {
        let solve = ["solve", "klondike", "--format", "csv", "--deals", path];
        let mut command = bench.etude(&solve);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        // Who reads a file ends without the input.
        let _ = std::io::Write::write_all(&mut input, text.as_bytes());
        drop(input);
        let ending = Ending::of(&child.wait_with_output().unwrap());
        ending.check(0, &[]);
        ending.data
    };
    let expected = solve("deals.csv");
    assert_eq!(expected.lines().count(), 3);
    assert_eq!(solve("-"), expected);
    assert_eq!(solve("/dev/stdin"), expected);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let bench = Bench::new();
    let deals = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/games/klondike/tests/data/deals.csv"
    );
    let endless = [
        "make",
        "solitaire",
        "--rules=vegas-1",
        "--count=18446744073709551615",
        "--format=csv",
    ];
    let commands: [&[&str]; 4] = [
        &endless,
        &["solve", "klondike", "--format", "csv", "--deals", deals],
        &["list", "metrics"],
        &["schema"],
    ];
    for arguments in commands {
        let mut command = bench.etude(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        Ending::of(&child.wait_with_output().unwrap()).check(0, &[]);
    }
}

/// Seed 1. Progress is for a person who watches.
#[test]
fn making_deals_says_nothing_in_a_pipe_but_how_many_were_tried() {
    let bench = Bench::new();
    let make = [
        "make",
        "solitaire",
        "--rules=vegas-1",
        "--lost",
        "--count=2",
    ];
    let ending = bench.run(&make);
    ending.check(0, &["2 deals made of "]);
    assert_eq!(ending.said.lines().count(), 1, "{}", ending.said);
    assert_eq!(ending.data.lines().count(), 3, "{}", ending.data);
}

fn check_help(bench: &Bench, command: &[&str]) {
    let help = bench.run(&[command, &["--help"]].concat());
    help.check(0, &[]);
    let example = format!("etude {}", command.join(" "));
    let after = help.data.split_once("Example");
    let (_, examples) = after.unwrap_or_else(|| panic!("{command:?}: {}", help.data));
    assert!(examples.contains(&example), "{command:?}: {examples}");
}

/// Seed 1997. The census knows the expectations of what is sampled.
#[test]
fn exact_values_are_shown_beside_the_estimates() {
    let bench = Bench::new();
    bench.write(
        "riddles.toml",
        "question = \"q\"\ntask = \"riddle/generate\"\nseed = 1997\n[params]\nvariant = \"makruk\"\n\
         [stop]\nsamples = 300\n",
    );
    let run = bench.run(&["run", "riddles.toml", "--out", "run", "--all"]);
    run.check(0, &[]);
    assert!(run.data.contains("Exact values: 5 of 5"), "{}", run.data);
    let table = std::fs::read_to_string(bench.path("run/truths.csv")).unwrap();
    let max_threat = table.lines().find(|line| line.contains(",max-threat,"));
    assert!(max_threat.unwrap().contains(",true,\"an exact census of"));
    bench.run(&["verify", "run"]).check(0, &["sound"]);
    bench.write("run/truths.csv", &table.replace(",true,", ",false,"));
    bench
        .run(&["verify", "run"])
        .check(1, &["truths.csv differs"]);
}

#[test]
fn the_total_of_a_riddles_placements_is_in_json_and_on_standard_error() {
    let clues = "*......./......../......../......../......../......../..*.*.../.....*..";
    let solve = [
        "solve",
        "riddle",
        "--variant",
        "makruk",
        "--rule",
        "any",
        "--clues",
        clues,
    ];
    let all = Bench::new().run(&[&solve[..], &["--format", "json"]].concat());
    all.check(0, &["total: 24 placements fit"]);
    let found: serde_json::Value = serde_json::from_str(&all.data).unwrap();
    assert_eq!(
        (&found["total"], &found["complete"]),
        (&24.into(), &true.into())
    );
    assert_eq!(found["rows"].as_array().unwrap().len(), 24);
    let two = Bench::new().run(&[&solve[..], &["--limit", "2", "--format", "json"]].concat());
    let found: serde_json::Value = serde_json::from_str(&two.data).unwrap();
    assert_eq!(
        (&found["total"], &found["complete"]),
        (&2.into(), &false.into())
    );
}

/// The experiment named `piped`, from standard input and from a file: the same bytes, also when the run
/// goes on.
#[test]
fn an_experiment_may_come_through_a_pipe() {
    use std::io::Write;
    let bench = Bench::new();
    let text = "name = \"piped\"\ntask = \"klondike/score\"\nseed = 5\n[stop]\nsamples = 40\n\
                [params]\nstrategy = \"greedy\"\n";
    let piped = |more: &[&str]| {
        let mut etude = bench.etude(&[&["run", "-", "--out", "piped", "--quiet"], more].concat());
        let mut child = (etude.stdin(std::process::Stdio::piped()).spawn()).unwrap();
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(text.as_bytes()).unwrap();
        drop(pipe);
        assert!(child.wait().unwrap().success(), "{more:?}");
    };
    piped(&[]);
    piped(&["--resume", "--samples", "60"]);
    bench.write("file.toml", text);
    for more in [&[][..], &["--resume", "--samples", "60"]] {
        let run = [&["run", "file.toml", "--out", "file", "--quiet"][..], more].concat();
        bench.run(&run).check(0, &[]);
    }
    for table in ["summary.csv", "config.toml"] {
        let read = |folder: &str| std::fs::read(bench.path(folder).join(table)).unwrap();
        assert_eq!(read("piped"), read("file"), "{table}");
    }
}

/// A released program lies in no clone: the manifest has its version.
#[test]
fn a_new_crate_without_a_clone_depends_on_the_published_version() {
    let bench = Bench::new();
    let program = bench.place_program("etude");
    let mut init = std::process::Command::new(&program);
    init.args(["init", "crate", "mine"])
        .current_dir(bench.path(""));
    let made = init.output().unwrap();
    assert!(made.status.success(), "{made:?}");
    let manifest = std::fs::read_to_string(bench.path("mine/Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    for (crate_name, dependency) in manifest["dependencies"].as_table().unwrap() {
        let version = dependency.get("version").and_then(toml::Value::as_str);
        assert_eq!(version, Some(env!("CARGO_PKG_VERSION")), "{crate_name}");
        assert!(dependency.get("path").is_none(), "{crate_name}");
    }
}

/// A program in a clone that was moved since it was built, and a clone that is named: the manifest has
/// the way from the new crate, and nothing of the machine that built the program.
#[cfg(unix)]
#[test]
fn a_new_crate_finds_the_library_of_the_clone_around_the_program() {
    let bench = Bench::new();
    for folder in ["moved/crates/task", "moved/target", "work"] {
        std::fs::create_dir_all(bench.path(folder)).unwrap();
    }
    bench.write(
        "moved/crates/task/Cargo.toml",
        "[package]\nname = \"etude-task\"\n",
    );
    let program = bench.place_program("moved/target/etude");
    for (name, more) in [("around", &[][..]), ("named", &["--lab", "../moved"])] {
        let mut init = std::process::Command::new(&program);
        init.args(["init", "crate", name]).args(more);
        let made = init.current_dir(bench.path("work")).output().unwrap();
        assert!(made.status.success(), "{made:?}");
        let manifest = bench.path("work").join(name).join("Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).unwrap();
        assert!(
            manifest.contains("path = \"../../moved/crates/task\""),
            "{manifest}"
        );
    }
}
