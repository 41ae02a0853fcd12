//! A class whose players are handed in late and corrected. Needs python3.
#![cfg(unix)]

use crate::program::Bench;

/// A player that takes the first or the last move, as its file says.
fn player(place: &str) -> String {
    format!(
        "import sys\n\
         for line in sys.stdin:\n    \
             if line.startswith(\"go\"):\n        \
                 print(\"bestmove\", line.partition(\"searchmoves\")[2].split()[{place}], flush=True)\n    \
             elif line.startswith(\"isready\"):\n        print(\"readyok\", flush=True)\n    \
             elif line.startswith(\"ugi\"):\n        print(\"ugiok\", flush=True)\n    \
             elif line.startswith(\"quit\"):\n        break\n"
    )
}

/// A class of these players, whose files are beside it.
fn class(players: &[&str]) -> String {
    let table = |name: &&str| {
        format!(
            "[players.{name}]\nrun = [\"python3\", \"{name}.py\"]\nfiles = [\"{name}.py\"]\nfaults = \"lose\"\n"
        )
    };
    let tables: String = players.iter().map(table).collect();
    format!(
        "question = \"?\"\ntask = \"foxes/round-robin\"\nseed = 2026\n[stop]\nsamples = 4\n{tables}\
         [sweep]\nfox = {players:?}\nhens = {players:?}\n"
    )
}

/// A folder with the class of ada and ben, played.
fn played() -> Bench {
    let bench = Bench::new();
    bench.write("ada.py", &player("0"));
    bench.write("ben.py", &player("-1"));
    bench.write("class.toml", &class(&["ada", "ben"]));
    bench.run(&RUN).check(0, &[]);
    bench
}

const RUN: [&str; 5] = ["run", "class.toml", "--out", "out", "--quiet"];
const RESUME: [&str; 5] = ["run", "class.toml", "--out", "out", "--resume"];

fn rows(bench: &Bench) -> Vec<String> {
    let rows = std::fs::read_to_string(bench.path("out/samples.csv")).unwrap();
    rows.lines().map(str::to_owned).collect()
}

/// Seed 2026. Nobody is asked, and no match of the others is played again.
#[test]
fn a_late_player_beside_the_experiment_plays_its_own_matches_alone() {
    let bench = played();
    let before = rows(&bench);
    bench.write("mia.py", &player("1 % 2"));
    bench.write("class.toml", &class(&["ada", "ben", "mia"]));
    let late = bench.run(&RESUME);
    late.check(
        0,
        &["5 cells are new", "4 are kept: drawing only what is new"],
    );
    assert!(!late.said.contains("drawn again"), "{}", late.said);
    let after = rows(&bench);
    let wins = |row: &String| {
        row.split(',')
            .take(6)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let kept: Vec<_> = after.iter().map(wins).collect();
    assert!(
        before.iter().all(|row| kept.contains(&wins(row))),
        "{after:?}"
    );
    bench.run(&["verify", "out"]).check(0, &["sound"]);
}

/// A program that is no file of the user's beside the experiment is asked about, by its own name alone.
#[test]
fn a_new_program_from_elsewhere_is_asked_about_and_those_that_are_known_are_not() {
    let bench = played();
    let new = "[players.eve]\nrun = [\"sh\", \"-c\", \"echo ugiok\"]\nversion = \"1\"\n[sweep]";
    let text = class(&["ada", "ben"]).replace("[sweep]", new);
    let text = text.replace("[\"ada\", \"ben\"]", "[\"ada\", \"ben\", \"eve\"]");
    bench.write("class.toml", &text);
    let asked = bench.run(&RESUME);
    asked.check(
        2,
        &[
            "you made this folder without these programs",
            "`sh -c ",
            "--run-programs",
        ],
    );
    assert!(!asked.said.contains("ada.py"), "{}", asked.said);
    // A folder that was made elsewhere is asked about whole.
    std::fs::rename(bench.path("out"), bench.path("theirs")).unwrap();
    bench.write("class.toml", &class(&["ada", "ben"]));
    let moved = [
        "run",
        "class.toml",
        "--out",
        "theirs",
        "--resume",
        "--samples",
        "5",
    ];
    let asked = bench.run(&moved);
    asked.check(2, &["you did not make it here", "ada.py", "ben.py"]);
}

/// The way that the message shows is the way to go on.
#[test]
fn a_corrected_player_is_added_as_its_message_says_and_no_match_is_lost() {
    let bench = played();
    bench.write("ada.py", &player("1 % 2"));
    let refused = bench.run(&RESUME);
    let told = [
        "ada.py has changed",
        "restore ada.py",
        "[players.ada-2]",
        "--resume",
    ];
    refused.check(2, &told);
    std::fs::rename(bench.path("ada.py"), bench.path("ada-2.py")).unwrap();
    bench.write("ada.py", &player("0"));
    bench.write("class.toml", &class(&["ada", "ben", "ada-2"]));
    bench
        .run(&RESUME)
        .check(0, &["4 are kept: drawing only what is new"]);
    assert_eq!(rows(&bench).len(), 1 + 4 * 9);
}

/// The class of the examples, seed 2026, as it stands: its README says what becomes of each.
#[test]
fn a_class_of_twelve_broken_programs_is_played_to_its_standing() {
    let bench = Bench::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/class");
    for file in std::fs::read_dir(folder).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), bench.path(&file.file_name().to_string_lossy())).unwrap();
    }
    bench
        .run(&RUN)
        .check(0, &["kim loses matches by its own faults"]);
    let report = bench.run(&["report", "out"]).data;
    let (standing, _) = report.split_once("Figures").unwrap();
    let fields = |line: &str| {
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let row = |pupil: &str| {
        let mut lines = standing.lines().map(fields);
        lines.find(|line| line.first().is_some_and(|first| first == pupil))
    };
    for pupil in ["cleo", "emil", "finn", "gina"] {
        assert_eq!(row(pupil).unwrap()[1..4], ["is", "out,", "and"], "{report}");
    }
    for (pupil, forfeits) in [
        ("ada", 6),
        ("ben", 6),
        ("dora", 6),
        ("jonas", 6),
        ("ines", 0),
        ("leo", 0),
    ] {
        let row = row(pupil).unwrap();
        assert_eq!(
            row.last().unwrap(),
            &forfeits.to_string(),
            "{pupil}: {report}"
        );
        assert!(forfeits == 0 || row[1] == "0", "{pupil}: {report}");
    }
    let kim: u64 = row("kim").unwrap().last().unwrap().parse().unwrap();
    assert!((1..6).contains(&kim), "{report}");
    let hugo = row("hugo").unwrap();
    assert!(
        hugo[1].parse::<f64>().unwrap() > 6.0,
        "it played both sides: {report}"
    );
}

/// A file's players are tested in one table, each in the file's folder; a plan says the worst case.
#[test]
fn all_players_of_a_file_are_checked_in_one_table() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("in")).unwrap();
    bench.write("in/ada.py", &player("0"));
    bench.write("in/ben.py", &player("7_000"));
    bench.write(
        "in/class.toml",
        &class(&["ada", "ben", "mia"]).replace("\"lose\"", "\"lose\"\npatience = 2"),
    );
    let checked = bench.run(&["check", "--player", "in/class.toml"]);
    checked.check(1, &["2 of 3 players failed"]);
    assert!(
        checked.data.contains("mia          0       1"),
        "{}",
        checked.data
    );
    assert!(
        checked.data.contains("list index out of range"),
        "{}",
        checked.data
    );
    assert!(
        checked.data.contains("ada         14       0"),
        "{}",
        checked.data
    );
    let plan = bench.run(&["plan", "in/class.toml"]);
    plan.check(
        0,
        &[
            "at worst ",
            "in each of 36 matches for its `patience` (2 s)",
        ],
    );
    bench.write("in/none.toml", "task = \"queens/automaton\"\nseed = 1\n");
    bench
        .run(&["check", "--player", "in/none.toml"])
        .check(2, &["names no players", "[players.NAME]"]);
}

/// Seed 2026. Two players that always move alike play the same match each time, so 64 matches are enough.
#[test]
fn a_rule_that_looks_does_not_wait_for_the_cells_of_a_player_that_is_out() {
    let bench = Bench::new();
    bench.write("ada.py", &player("0"));
    bench.write("ben.py", &player("-1"));
    let rule = "[stop.half-width]\nmetric = \"score\"\ntarget = 1.5\nmax-samples = 500";
    let absent = class(&["ada", "ben", "zoe"]).replace("[stop]\nsamples = 4", rule);
    bench.write(
        "class.toml",
        &absent.replace("files = [\"zoe.py\"]", "version = \"1\""),
    );
    bench.run(&RUN).check(
        0,
        &["stopped after 64 samples of each cell: half-width; no cell of zoe, who cannot play, was waited for"],
    );
    let summary = std::fs::read_to_string(bench.path("out/summary.csv")).unwrap();
    assert!(summary.contains(",half-width"), "{summary}");
}
