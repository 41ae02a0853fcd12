//! Players in other programs: the same bytes as the built-in ones, and what happens to those that
//! break the rules. Needs python3.
#![cfg(unix)]

use crate::program::Bench;

const ETUDE: &str = env!("CARGO_BIN_EXE_etude");

/// A match of foxes between these players, with tables for them.
fn experiment(fox: &str, hens: &str, players: &str) -> String {
    format!(
        "question = \"?\"\ntask = \"foxes/match\"\nseed = 5\n[params]\nopening = 4\n\
         fox = \"{fox}\"\nhens = \"{hens}\"\n{players}\n\
         [stop]\nsamples = 12\n[output]\nsamples = true\n"
    )
}

fn table(name: &str, argv: &[&str], more: &str) -> String {
    format!("[players.{name}]\nrun = {argv:?}\nversion = \"1\"\n{more}\n")
}

fn samples(bench: &Bench, text: &str, out: &str) -> String {
    bench.write(&format!("{out}.toml"), text);
    let file = format!("{out}.toml");
    bench
        .run(&["run", &file, "--out", out, "--quiet"])
        .check(0, &[]);
    std::fs::read_to_string(bench.path(out).join("samples.csv")).unwrap()
}

#[test]
fn etude_as_an_engine_plays_as_etude() {
    let bench = Bench::new();
    for (fox, hens) in [
        ("search(2)", "safe"),
        ("mcts(20)", "random"),
        ("arsac", "search(3)"),
    ] {
        let inside = samples(&bench, &experiment(fox, hens, ""), "inside");
        let players = table("reynard", &[ETUDE, "ugi", "foxes", fox], "")
            + &table("coop", &[ETUDE, "ugi", "foxes", hens], "");
        let outside = samples(&bench, &experiment("reynard", "coop", &players), "outside");
        assert_eq!(outside, inside, "{fox} against {hens}");
        bench.run(&["verify", "outside"]).check(0, &["sound"]);
        for out in ["inside", "outside"] {
            std::fs::remove_dir_all(bench.path(out)).unwrap();
        }
    }
}

const CHEAT: &str = r#"
import sys, random, os
kind = sys.argv[1]
moves = 0
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["ugi"]:
        print("id name cheat\nugiok", flush=True)
    elif words[:1] == ["uginewgame"]:
        moves = 0
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["go"]:
        moves += 1
        legal = words[words.index("searchmoves") + 1:]
        if kind == "illegal" and moves == 3:
            print("bestmove a1-a9", flush=True)
        elif kind == "crash" and moves == 3:
            os._exit(9)
        elif kind == "mute":
            pass
        elif kind == "chance":
            print("bestmove", random.SystemRandom().choice(legal), flush=True)
        else:
            print("bestmove", legal[0], "ponder", legal[-1], flush=True)
    elif words[:1] == ["quit"]:
        break
"#;

fn cheat(kind: &str, more: &str) -> (Bench, String) {
    let bench = Bench::new();
    bench.write("cheat.py", CHEAT);
    let players = format!(
        "[players.cheat]\nrun = [\"python3\", \"cheat.py\", \"{kind}\"]\nfiles = [\"cheat.py\"]\n{more}\n"
    );
    let text = experiment("cheat", "random", &players);
    (bench, text)
}

/// An illegal move ends a match and not the engine.
#[test]
fn a_player_is_not_started_again_after_each_illegal_move() {
    let (bench, text) = cheat("illegal", "faults = \"lose\"");
    bench.write("m.toml", &text);
    let run = ["run", "m.toml", "--out", "out", "--quiet", "--threads", "1"];
    bench.run(&run).check(0, &[]);
    let manifest = std::fs::read(bench.path("out/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    let started = manifest["programs"][0]["started"].as_u64().unwrap();
    assert!(started <= 4, "{started} processes for 12 samples");
}

#[test]
fn players_that_break_the_rules_stop_the_run_or_lose() {
    for (kind, message) in [
        (
            "illegal",
            "`python3 cheat.py illegal` played `a1-a9`, which is not legal in `",
        ),
        (
            "crash",
            "ended before it could choose a move (exit status 9), twice in this match",
        ),
    ] {
        let (bench, text) = cheat(kind, "");
        bench.write("m.toml", &text);
        let run = bench.run(&["run", "m.toml", "--out", "out", "--quiet", "--log", "log"]);
        run.check(1, &["cell all, sample 0", message]);
        let log = std::fs::read_to_string(bench.path("log/cheat-001.txt")).unwrap();
        assert!(
            log.contains("> go searchmoves") && log.contains("< bestmove"),
            "{log}"
        );
        let (bench, text) = cheat(kind, "faults = \"lose\"");
        let rows = samples(&bench, &text, "out");
        let (head, body) = rows.split_once('\n').unwrap();
        assert!(head.ends_with(",forfeits"), "{head}");
        assert_eq!(
            body.lines().filter(|row| row.ends_with(",1")).count(),
            12,
            "{body}"
        );
    }
}

#[test]
fn silence_and_unseeded_chance_are_faults_whatever_the_file_says() {
    let (bench, text) = cheat("mute", "faults = \"lose\"\npatience = 0.5");
    bench.write("m.toml", &text);
    let run = ["run", "m.toml", "--out", "out", "--quiet"];
    bench
        .run(&run)
        .check(1, &["`python3 cheat.py mute` said nothing in 0.5 s"]);
    let (bench, text) = cheat("chance", "");
    bench.write("m.toml", &text);
    let logged = [&run[..], &["--log", "log"]].concat();
    bench
        .run(&logged)
        .check(1, &[" of sample ", "the option Seed alone"]);
    for number in 1..=4 {
        let path = bench.path(&format!("log/cheat-{number:03}.txt"));
        let log = std::fs::read_to_string(path).unwrap();
        let (sample, time) = ((number - 1) / 2, ["second", "first"][number % 2]);
        let heading = format!("# sample {sample}, played for the {time} time, as the foxes\n");
        assert!(log.starts_with(&heading), "{log}");
        assert!(log.contains("\n< bestmove "), "{log}");
    }
}

#[test]
fn rules_that_an_engine_does_not_declare_are_refused() {
    let (bench, text) = cheat("sound", "");
    bench.write(
        "m.toml",
        &text.replace("opening = 4", "opening = 4\nboard = \"low-cross\""),
    );
    bench.run(&["run", "m.toml", "--out", "out", "--quiet"]).check(
        1,
        &["does not declare the option `Board`, and this experiment needs it to be `low-cross`"],
    );
    let taken = text
        .replace("players.cheat", "players.random")
        .replace("\"cheat\"", "\"random\"");
    bench.write("m.toml", &taken);
    bench
        .run(&["check", "m.toml"])
        .check(2, &["`random` is a player of etude"]);
}

#[test]
fn the_compliance_run_tells_what_fails() {
    let bench = Bench::new();
    bench.write("cheat.py", CHEAT);
    let sound = bench.run(&[
        "check",
        "--player",
        &format!("'{ETUDE}' ugi foxes 'search(2)'"),
    ]);
    sound.check(0, &[]);
    assert!(
        sound.data.contains("1. ok: it answers `ugi`"),
        "{}",
        sound.data
    );
    assert!(!sound.data.contains("failed"), "{}", sound.data);
    let chance = bench.run(&["check", "--player", "python3 cheat.py chance"]);
    chance.check(1, &["steps failed"]);
    assert!(
        chance
            .data
            .contains("failed: the same seed gives the same match"),
        "{}",
        chance.data
    );
    let log = [
        "check",
        "--player",
        "python3 cheat.py chance",
        "--log",
        "log",
    ];
    bench.run(&log).check(1, &["steps failed"]);
    let logs = std::fs::read_dir(bench.path("log")).unwrap();
    let logs = logs.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    let heading = "# a match played for the first time, as the foxes\n";
    let first = logs.filter(|log| log.starts_with(heading));
    assert_eq!(first.count(), 1);
    let missing = bench.run(&["check", "--player", "./nowhere"]);
    missing.check(1, &["steps failed"]);
    assert!(
        missing.data.contains("there is no program `./nowhere`"),
        "{}",
        missing.data
    );
}

/// A player added to a tournament of seed 2026, taken out of it, and one that plays otherwise.
#[test]
fn a_folder_of_other_players_names_them() {
    let bench = Bench::new();
    let player = |name: &str, plays: &str| table(name, &[ETUDE, "ugi", "foxes", plays], "");
    let hares = player("anna", "random") + &player("zoe", "arsac");
    let tournament = |fox: &str, players: &str| {
        format!(
            "question = \"?\"\ntask = \"foxes/match\"\nseed = 2026\n[budget]\nnodes = 2000\n\
             {players}\n[params]\nhens = \"random\"\n[stop]\nsamples = 2\n[sweep]\nfox = {fox}\n"
        )
    };
    let run = |fox: &str, players: &str| {
        bench.write("cup.toml", &tournament(fox, players));
        bench.run(&["run", "cup.toml", "--out", "cup", "--quiet"])
    };
    run("[\"anna\", \"random\"]", &player("anna", "random")).check(0, &[]);
    let added = run("[\"anna\", \"random\", \"zoe\"]", &hares);
    added.check(2, &["player zoe is added; `fox = zoe` is added"]);
    let changed = run("[\"anna\", \"random\"]", &player("anna", "arsac"));
    changed.check(2, &["player anna has `argv = ", "instead of"]);
    let gone = run("[\"random\"]", "");
    gone.check(2, &["player anna is taken out; `fox = anna` is taken out"]);
}
