//! Players in other programs: the same bytes as the built-in ones, and what happens to those that
//! break the rules. Needs python3.
#![cfg(unix)]

use std::process::Stdio;

use crate::program::{Bench, Ending};

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

/// An engine that cannot play a side says so on a line for people, which whoever waited is told.
#[test]
fn what_an_engine_says_in_place_of_a_move_is_told() {
    let bench = Bench::new();
    let engine = format!("{ETUDE} ugi foxes arsac");
    let words = ["examine", "foxes", "--player", &engine, "--patience", "0.4"];
    let checked = bench.run(&words);
    assert_eq!(checked.code, Some(1), "{}", checked.said);
    let told = checked.data + &checked.said;
    assert!(told.contains("arsac does not play the hens"), "{told}");
}

const CHEAT: &str = r#"
import sys, random, os, time
kind = sys.argv[1]
moves, matches, seed = 0, 0, "0"
if kind == "asleep":
    time.sleep(60)
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["ugi"]:
        seeded = "option name Seed type string default 0\n" if kind != "plain" else ""
        print(f"id name cheat\n{seeded}ugiok", flush=True)
    elif words[:1] == ["setoption"]:
        seed = words[-1]
    elif words[:1] == ["uginewgame"]:
        moves, matches = 0, matches + 1
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
        if kind == "late" and moves > 0:
            print("bestmove a1-a2", flush=True)
    elif words[:1] == ["go"]:
        moves += 1
        legal = words[words.index("searchmoves") + 1:]
        if kind == "illegal" and moves == 3:
            print("bestmove a1-a9", flush=True)
        elif kind == "crash" and moves == 3:
            os._exit(9)
        elif kind == "mute":
            time.sleep(60)
        elif kind == "loop" and moves == 3 and seed[0] in "89":
            while True:
                pass
        elif kind == "chatter" and moves == 3:
            while True:
                print("info string still thinking", flush=True)
                time.sleep(0.1)
        elif kind == "twice":
            print("bestmove " + legal[0] + "\nbestmove " + legal[-1], flush=True)
        elif kind == "counts":
            print("info nodes", 2 ** 64 - 1, "\nbestmove", legal[0], flush=True)
        elif kind == "rebuilt" and moves == 3:
            open("cheat.py", "a").write('# changed\n')
            print("bestmove", legal[0], flush=True)
        elif kind == "chance":
            print("bestmove", random.SystemRandom().choice(legal), flush=True)
        elif kind == "drift" and matches > 8:
            print("bestmove", legal[matches % len(legal)], flush=True)
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

/// A duel of two engines of one kind, from openings of so many plies, with a claim.
fn mirrored(kind: &str, opening: u32) -> String {
    let engine = |name| table(name, &["python3", "cheat.py", kind], "");
    format!(
        "question = \"?\"\ntask = \"foxes/duel\"\nseed = 5\n[params]\nopening = {opening}\n\
         first = \"one\"\nsecond = \"other\"\n{}{}[stop]\nsamples = 80\n\
         [[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"first-wins-as-foxes.mean >= 0.1\"\n\
         [[claims]]\nsource = \"?\"\ntext = \"?\"\nholds = \"second-wins-as-foxes.mean >= 0\"\n",
        engine("one"),
        engine("other"),
    )
}

/// Seed 5. At these ends of a game etude's own players have nothing to draw at random, and the few openings lead
/// to one match or to three; from the start they draw.
#[test]
fn matches_of_own_players_that_repeat_one_another_are_told() {
    let bench = Bench::new();
    let text = |position: &str, opening: u32| {
        format!(
            "task = \"foxes/match\"\nseed = 5\n[params]\nfox = \"search(6)\"\nhens = \"search(6)\"\n\
             board = \"strip\"\nquiet = 6\nposition = \"{position}\"\nopening = {opening}\n\
             [stop]\nsamples = 40\n"
        )
    };
    for (position, opening, told, row) in [
        (
            "1h1/2f/hfh/1h1 f 1",
            2,
            "all: the samples are all the same",
            ",1,true",
        ),
        (
            "hh1/1fh/3/h1f f 1",
            1,
            "all: of the first 40 samples only 3 differ",
            ",3,false",
        ),
        ("start", 3, "", ""),
    ] {
        bench.write("own.toml", &text(position, opening));
        let out = format!("own-{opening}");
        let run = bench.run(&["run", "own.toml", "--quiet", "--out", &out]);
        run.check(0, &[told]);
        let table = |name| std::fs::read_to_string(bench.path(&out).join(name)).unwrap_or_default();
        assert_eq!(table("repeats.csv").contains(",all,40"), !row.is_empty());
        assert!(table("repeats.csv").trim_end().ends_with(row));
        assert_eq!(
            table("summary.csv").contains(",one-sample,"),
            row == ",1,true"
        );
    }
}

/// Seed 5. Two players play the same two matches again and again from the start, and not from random
/// openings: without the option Seed, and with a seed that they do not use.
#[test]
fn matches_that_are_all_the_same_are_one_sample_without_an_interval() {
    let bench = Bench::new();
    bench.write("cheat.py", CHEAT);
    for (kind, opening, is_one) in [("plain", 0, true), ("honest", 0, true), ("plain", 6, false)] {
        bench.write("duel.toml", &mirrored(kind, opening));
        let out = format!("{kind}-{opening}");
        let run = bench.run(&["run", "duel.toml", "--quiet", "--out", &out]);
        run.check(0, &[]);
        let report = bench.run(&["report", &out]).data;
        for said in [run.said, report] {
            let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
            let is_told = said.contains("all: the samples are all the same, so they count as one");
            assert_eq!(is_told, is_one, "{said}");
        }
        let table = |name| std::fs::read_to_string(bench.path(&out).join(name)).unwrap_or_default();
        let has = |name, text: &str| table(name).contains(text);
        assert_eq!(has("repeats.csv", "all,64,1,true"), is_one);
        assert_eq!(has("summary.csv", "clopper-pearson"), !is_one);
        assert_eq!(has("summary.csv", ",one-sample,"), is_one);
        let claims = table("claims.csv");
        assert_eq!(
            claims.matches("supported").count(),
            if is_one { 0 } else { 2 },
            "{claims}"
        );
        assert_eq!(
            claims
                .matches("samples are all the same, so they decide nothing")
                .count(),
            if is_one { 2 } else { 0 },
            "{claims}"
        );
        bench.run(&["verify", &out]).check(0, &["sound"]);
    }
}

/// Seed 5. A tournament in which two players play the same match again and again has ratings without limits.
#[test]
fn ratings_of_matches_that_are_all_the_same_have_no_limits() {
    let bench = Bench::new();
    bench.write("cheat.py", CHEAT);
    for (opening, is_limited) in [(0, false), (6, true)] {
        let plain = table("plain", &["python3", "cheat.py", "plain"], "");
        let text = format!(
            "question = \"?\"\ntask = \"foxes/round-robin\"\nseed = 5\n[params]\nopening = {opening}\n\
             {plain}[sweep]\nfox = [\"plain\", \"random\"]\nhens = [\"plain\", \"random\"]\n\
             [stop]\nsamples = 70\n[[claims]]\nsource = \"?\"\ntext = \"?\"\n\
             holds = \"score.q50 >= 0\"\n"
        );
        bench.write("all.toml", &text);
        let out = format!("all-{opening}");
        bench
            .run(&["run", "all.toml", "--quiet", "--out", &out])
            .check(0, &[]);
        let ratings = std::fs::read_to_string(bench.path(&out).join("ratings.csv")).unwrap();
        assert_eq!(ratings.contains("points-sandwich"), is_limited, "{ratings}");
        assert_eq!(ratings.contains("one-sample"), !is_limited, "{ratings}");
        let claims = std::fs::read_to_string(bench.path(&out).join("claims.csv")).unwrap();
        let alone = usize::from(!is_limited);
        assert_eq!(
            claims.matches("the same, so they decide nothing").count(),
            alone,
            "{claims}"
        );
        let report = bench.run(&["report", &out]).data;
        let told = report.contains("some players play the same game again and again");
        assert_eq!(told, !is_limited, "{report}");
    }
}

/// Seed 5. Who takes no part is in no rating, interval or comparison: those of the others are the ones without it.
#[test]
fn a_player_that_takes_no_part_leaves_the_ratings_of_the_others_as_they_are() {
    let bench = Bench::new();
    let gone = table("gone", &["./nowhere"], "faults = \"lose\"");
    let tournament = |players: &str, more: &str| {
        format!(
            "task = \"foxes/round-robin\"\nseed = 5\n[params]\nopening = 6\n{players}[sweep]\n\
             fox = [\"random\", \"arsac\"{more}]\nhens = [\"random\", \"safe\"{more}]\n[stop]\nsamples = 70\n"
        )
    };
    bench.write("without.toml", &tournament("", ""));
    let without = ["run", "without.toml", "--quiet", "--out", "without"];
    bench.run(&without).check(0, &[]);
    let text = tournament(&gone, ", \"gone\"");
    bench.write("all.toml", &text);
    bench
        .run(&["run", "all.toml", "--quiet", "--out", "all"])
        .check(0, &[]);
    assert!(!bench.path("all/repeats.csv").exists());
    let ratings = std::fs::read_to_string(bench.path("all/ratings.csv")).unwrap();
    assert!(ratings.contains("points-sandwich"), "{ratings}");
    let alone = std::fs::read_to_string(bench.path("without/ratings.csv")).unwrap();
    // Only those who may forfeit have none.
    let of = |text: &str| {
        text.replace("without,", "all,")
            .replace(",0,140,", ",,140,")
    };
    assert_eq!(of(&ratings), of(&alone));
    let summary = std::fs::read_to_string(bench.path("all/summary.csv")).unwrap();
    let mut absent = summary.lines().filter(|row| row.contains("=gone"));
    assert!(absent.all(|row| !row.contains("clopper")), "{summary}");
    let report = bench.run(&["report", "all"]).data;
    let (standing, figures) = report.split_once("Figures").unwrap();
    assert!(
        standing.contains("gone is out, and none of its matches was played: "),
        "{report}"
    );
    assert!(!figures.contains("at most 5 %"), "{report}");
    bench.run(&["verify", "all"]).check(0, &["sound"]);
}

/// An illegal move ends a match and not the engine. Two checks during the run have each an engine of their own.
#[test]
fn a_player_is_not_started_again_after_each_illegal_move() {
    let (bench, text) = cheat("illegal", "faults = \"lose\"");
    bench.write("m.toml", &text);
    let run = ["run", "m.toml", "--out", "out", "--quiet", "--threads", "1"];
    bench.run(&run).check(0, &[]);
    let manifest = std::fs::read(bench.path("out/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    let started = manifest["programs"][0]["started"].as_u64().unwrap();
    assert!(started <= 4 + 2, "{started} processes for 12 samples");
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
        assert!(head.ends_with(",fox-forfeits,hens-forfeits"), "{head}");
        assert_eq!(forfeited(body), 12, "{body}");
    }
}

/// Where faults stop the run, the error names the player, the sample, and the other way.
#[test]
fn faults_that_stop_the_run_say_what_to_write() {
    let run = ["run", "m.toml", "--out", "out", "--quiet", "--log", "log"];
    for (kind, told) in [
        ("mute", "`python3 cheat.py mute` said nothing in 0.5 s"),
        ("chatter", "wrote no bestmove in 0.5 s, and "),
        ("twice", "answered more than once to a `go` of this match"),
        ("chance", "does not repeat its play: "),
        ("illegal", "which is not legal"),
        ("crash", "twice in this match"),
        (
            "counts",
            "said that a move cost 18,446,744,073,709,551,615 nodes",
        ),
    ] {
        let (bench, text) = cheat(kind, "patience = 0.5");
        bench.write("m.toml", &text);
        let write = "with `faults = \"lose\"` in [players.cheat] it would lose the match";
        let place = "cell all, sample 0: player cheat: `python3 cheat.py";
        bench.run(&run).check(1, &[place, told, write]);
        assert!(bench.path("log/cheat-001.txt").exists(), "{kind}");
    }
    let (bench, text) = cheat("chance", "");
    bench.write("m.toml", &text);
    bench
        .run(&run)
        .check(1, &[" in sample ", "the option Seed alone"]);
    for number in 1..=4 {
        let path = bench.path(&format!("log/cheat-{number:03}.txt"));
        let log = std::fs::read_to_string(path).unwrap();
        let (sample, time) = ((number - 1) / 2, ["second", "first"][number % 2]);
        let heading = format!("# sample {sample}, played for the {time} time, as the foxes\n");
        assert!(log.starts_with(&heading), "{log}");
        assert!(log.contains("\n< bestmove "), "{log}");
    }
}

/// A tournament of a sound player and one that is not; returns what the run said, and its rows.
fn class(kind: &str, threads: &str) -> (Bench, Ending, String) {
    let (bench, text) = cheat(kind, "faults = \"lose\"\npatience = 0.5");
    let sound = "[players.sound]\nrun = [\"python3\", \"cheat.py\", \"sound\"]\n\
                 files = [\"cheat.py\"]\nfaults = \"lose\"\n\
                 [sweep]\nfox = [\"cheat\", \"sound\", \"arsac\"]\nhens = [\"random\", \"sound\"]\n";
    let text = text
        .replace("fox = \"cheat\"\nhens = \"random\"\n", "")
        .replace(
            "[stop]\nsamples = 12",
            &format!("{sound}[stop]\nsamples = 6"),
        );
    bench.write("class.toml", &text);
    let logged = [
        "run",
        "class.toml",
        "--out",
        "out",
        "--log",
        "log",
        "--threads",
        threads,
    ];
    let ending = bench.run(&logged);
    let rows = std::fs::read_to_string(bench.path("out/samples.csv")).unwrap_or_default();
    (bench, ending, rows)
}

/// The rows of a fox.
fn rows_of<'a>(rows: &'a str, fox: &str) -> Vec<&'a str> {
    let has = |row: &&str| row.split(',').nth(1).is_some_and(|cell| cell.contains(fox));
    rows.lines().filter(has).collect()
}

/// Rows of which the last columns count a forfeit: of the foxes in a match, of either in a duel.
fn forfeited(rows: &str) -> usize {
    let is_forfeit = |row: &&str| row.ends_with(",1,0") || row.ends_with(",1");
    rows.lines().filter(is_forfeit).count()
}

/// Rows of matches that nobody played: no metric has a value.
fn unplayed(rows: &str) -> usize {
    let is_unplayed = |row: &&str| row.ends_with(",,,");
    rows.lines().filter(is_unplayed).count()
}

/// Whatever one player of a class does, the others play their matches as without it.
#[test]
fn a_player_that_goes_wrong_loses_its_matches_and_the_night_goes_on() {
    let (_, ending, sound) = class("sound", "1");
    ending.check(0, &[]);
    for (kind, told) in [
        (
            "mute",
            "cheat is out, and none of its matches is played: `python3 cheat.py mute` gave no answer in 0.5 s",
        ),
        (
            "chatter",
            "cheat is out, and none of its matches is played: `python3 cheat.py chatter` gave no answer",
        ),
        (
            "chance",
            "cheat is out, and none of its matches is played: `python3 cheat.py chance` does not repeat its play",
        ),
        ("twice", "answered more than once to a `go` of this match"),
        ("crash", "twice in this match"),
        ("illegal", "which is not legal"),
        ("counts", "said that a move cost "),
    ] {
        let (bench, ending, rows) = class(kind, "1");
        ending.check(0, &["cheat", told]);
        assert_eq!(
            ending.said.contains("answered more than once"),
            kind == "twice"
        );
        let lost = rows_of(&rows, "cheat").join("\n");
        let is_out = told.contains(" is out, ");
        let (all, forfeits) = (lost.lines().count(), forfeited(&lost));
        let expected = if is_out { (12, 0, 12) } else { (12, 12, 0) };
        assert_eq!((all, forfeits, unplayed(&lost)), expected, "{kind}: {lost}");
        for fox in ["arsac", "sound"] {
            assert_eq!(rows_of(&rows, fox), rows_of(&sound, fox), "{kind}");
        }
        assert!(bench.path("log/cheat-001.txt").exists(), "{kind}");
        // Who never plays, and who plays on: what follows is the same code for the other kinds.
        if !["mute", "crash"].contains(&kind) {
            continue;
        }
        let (_, _, threads) = class(kind, "3");
        assert_eq!(threads, rows, "{kind}");
        bench.run(&["verify", "out"]).check(0, &["sound"]);
        bench
            .run(&[
                "run",
                "class.toml",
                "--out",
                "out",
                "--resume",
                "--samples",
                "10",
            ])
            .check(0, &["cheat"]);
    }
}

/// An answer after `readyok` is of no match: the next one is played by another process.
#[test]
fn a_late_answer_never_reaches_the_next_match() {
    let (_, _, sound) = class("sound", "1");
    let (_, ending, rows) = class("late", "1");
    ending.check(
        0,
        &["wrote a late `bestmove a1-a2`: before `go`, no move is asked for"],
    );
    assert_eq!((rows, ending.said.contains("not legal")), (sound, false));
}

/// An engine that is silent before it says `ugiok`, a program that is not there, and one whose file is
/// not: out from the start, for good.
#[test]
fn a_missing_player_is_out_from_the_start() {
    let (bench, text) = cheat("sound", "faults = \"lose\"");
    for (number, (argv, file, why, code)) in [
        ("\"./nowhere\"", "gone.py", "gone.py", 2),
        (
            "\"./nowhere\"",
            "cheat.py",
            "there is no program `./nowhere`",
            2,
        ),
        ("\"python3\", \"gone.py\"", "gone.py", "gone.py", 2),
        (
            "\"python3\", \"cheat.py\", \"asleep\"",
            "cheat.py",
            "said nothing in 10 s",
            1,
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let missing = text
            .replace("\"python3\", \"cheat.py\", \"sound\"", argv)
            .replace("files = [\"cheat.py\"]", &format!("files = [{file:?}]"));
        bench.write("m.toml", &missing);
        if code == 2 {
            let told = "cheat would be out, and none of its matches played: ";
            bench.run(&["check", "m.toml"]).check(0, &[told, why]);
        }
        bench.write("s.toml", &missing.replace("faults = \"lose\"", ""));
        let stopped = ["run", "s.toml", "--out", "stopped", "--quiet"];
        let mut stopped = bench.etude(&stopped);
        stopped.stdout(Stdio::piped()).stderr(Stdio::piped());
        // Both wait for a player that is silent.
        let stopped = stopped.spawn().unwrap();
        let told = "cheat is out, and none of its matches is played: ";
        let out = format!("out{number}");
        let run = ["run", "m.toml", "--out", &out, "--quiet"];
        bench.run(&run).check(0, &[told, why]);
        Ending::of(&stopped.wait_with_output().unwrap()).check(code, &[why]);
        let rows = std::fs::read_to_string(bench.path(&out).join("samples.csv")).unwrap();
        assert_eq!((forfeited(&rows), unplayed(&rows)), (0, 12));
        bench.run(&["verify", &out]).check(0, &["sound", told]);
        let report = bench.run(&["report", &out]).data;
        assert!(
            report.contains("cheat is out, and none of its matches was played: "),
            "{report}"
        );
    }
}

/// Seed 2026. A player that was out stands elsewhere in the file later: the one in its place is not held to be out. The
/// programs were agreed to when the run began.
#[test]
fn a_player_that_was_out_leaves_no_other_out_in_its_place() {
    let bench = Bench::new();
    let gone = table("gone", &["./nowhere"], "faults = \"lose\"");
    let anna = table(
        "anna",
        &[ETUDE, "ugi", "foxes", "random"],
        "faults = \"lose\"",
    );
    let run = |players: [&str; 2], samples: u32| {
        let players = players.concat();
        let text = format!(
            "question = \"?\"\ntask = \"foxes/match\"\nseed = 2026\n{players}\n[params]\n\
             hens = \"random\"\n[stop]\nsamples = {samples}\n[output]\nsamples = true\n\
             [sweep]\nfox = [\"gone\", \"anna\"]\n"
        );
        bench.write("m.toml", &text);
        bench.run(&["run", "m.toml", "--out", "out", "--resume", "--quiet"])
    };
    run([&gone, &anna], 2).check(0, &["gone is out"]);
    let ending = run([&anna, &gone], 4);
    ending.check(0, &["gone is out"]);
    assert!(!ending.said.contains("anna is out"), "{}", ending.said);
    let rows = std::fs::read_to_string(bench.path("out/samples.csv")).unwrap();
    assert_eq!(unplayed(&rows), 4, "{rows}");
}

/// A file that is handed in after the run, and one that was broken and is corrected: their matches are played, those of
/// the others are kept, and the tables are those of a class in which all were in time.
#[test]
fn a_player_that_was_out_joins_once_its_program_is_another() {
    let bench = Bench::new();
    let player = |name: &str| {
        format!(
            "[players.{name}]\nrun = [\"python3\", \"{name}.py\", \"sound\"]\nfiles = [\"{name}.py\"]\nfaults = \"lose\"\n"
        )
    };
    let players = ["anna", "late", "wrong"].map(player).concat();
    let text = format!(
        "question = \"?\"\ntask = \"foxes/round-robin\"\nseed = 5\n[params]\nopening = 4\n{players}[stop]\n\
         samples = 3\n[sweep]\nfox = [\"anna\", \"late\", \"wrong\"]\nhens = [\"anna\", \"random\"]\n"
    );
    bench.write("class.toml", &text);
    bench.write("anna.py", CHEAT);
    bench.write("wrong.py", "import sys\nraise ValueError('no luck')\n");
    bench
        .run(&["run", "class.toml", "--out", "out"])
        .check(0, &["late is out", "ValueError: no luck"]);
    bench.write("late.py", CHEAT);
    bench.write("wrong.py", CHEAT);
    bench
        .run(&["run", "class.toml", "--out", "out"])
        .check(2, &["--resume keeps its samples"]);
    let joined = bench.run(&["run", "class.toml", "--out", "out", "--resume"]);
    joined.check(
        0,
        &[
            "late was out, and is another program now",
            "4 cells are new",
            "2 are kept",
        ],
    );
    assert!(!joined.said.contains("is out"), "{}", joined.said);
    bench
        .run(&["run", "class.toml", "--out", "all", "--quiet"])
        .check(0, &[]);
    for file in [
        "config.toml",
        "summary.csv",
        "samples.csv",
        "ratings.csv",
        "pairs.csv",
    ] {
        let [one, other] = ["out", "all"]
            .map(|folder| std::fs::read_to_string(bench.path(folder).join(file)).unwrap());
        assert_eq!(one, other, "{file}");
    }
    bench.run(&["verify", "out"]).check(0, &["sound"]);
    // Nobody misses the matches of a player that was out and is taken out of the file.
    std::fs::remove_file(bench.path("late.py")).unwrap();
    let line = ["run", "class.toml", "--out", "fewer", "--quiet"];
    bench.run(&line).check(0, &["late is out"]);
    let fewer = text.replace(&player("late"), "").replace("\"late\", ", "");
    bench.write("class.toml", &fewer);
    let resumed = bench.run(&[&line[..], &["--resume"]].concat());
    resumed.check(0, &[]);
    assert!(!resumed.said.contains("late"), "{}", resumed.said);
    bench.run(&["verify", "fewer"]).check(0, &["sound"]);
}

/// A player that is there for one shard and missing for another.
#[test]
fn shards_that_a_player_took_part_in_and_others_are_not_merged() {
    let (bench, text) = cheat("sound", "faults = \"lose\"");
    bench.write(
        "m.toml",
        &text.replace("files = [\"cheat.py\"]", "version = \"1\""),
    );
    let shard = |share: &str, out: &str| {
        let run = ["run", "m.toml", "--shard", share, "--out", out, "--quiet"];
        bench.run(&run).check(0, &[]);
    };
    shard("1/2", "one");
    std::fs::rename(bench.path("cheat.py"), bench.path("away.py")).unwrap();
    shard("2/2", "two");
    shard("1/2", "other");
    let told = ["a player took part in this shard, and not in one"];
    bench
        .run(&["merge", "one", "two", "--out", "all"])
        .check(2, &told);
    bench
        .run(&["merge", "other", "two", "--out", "all"])
        .check(0, &[]);
    bench
        .run(&["verify", "all"])
        .check(0, &["cheat is out", "sound"]);
}

/// A player that took part in a run is missed when the run goes on.
#[test]
fn a_player_that_took_part_must_be_there_when_the_run_goes_on() {
    let (bench, text) = cheat("sound", "faults = \"lose\"");
    bench.write(
        "m.toml",
        &text.replace("files = [\"cheat.py\"]", "version = \"1\""),
    );
    let run = ["run", "m.toml", "--out", "out", "--quiet"];
    bench.run(&run).check(0, &[]);
    std::fs::remove_file(bench.path("cheat.py")).unwrap();
    let told = [
        "player cheat took part in this run before",
        "could say ugiok",
    ];
    let more = [&run[..], &["--resume", "--samples", "20"]].concat();
    bench.run(&more).check(1, &told);
    bench.run(&["verify", "out"]).check(1, &told);
}

/// A loop on seeds that begin with 8 or 9, none of the first two samples with `seed = 5`: only these
/// matches are lost, and the clock's verdict is named.
#[test]
fn a_loop_in_the_midst_of_a_run_loses_only_its_match() {
    let (bench, text) = cheat("loop", "faults = \"lose\"\npatience = 0.5");
    bench.write(
        "m.toml",
        &text.replace("files = [\"cheat.py\"]", "version = \"1\""),
    );
    let run = |out: &str, threads: &str| {
        let run = [
            "run",
            "m.toml",
            "--out",
            out,
            "--quiet",
            "--threads",
            threads,
        ];
        let ending = bench.run(&run);
        ending.check(
            0,
            &[
                "cheat, sample ",
                "forfeited; the clock decides which samples are",
            ],
        );
        std::fs::read_to_string(bench.path(out).join("samples.csv")).unwrap()
    };
    let rows = run("one", "1");
    assert!((1..6).contains(&forfeited(&rows)), "{rows}");
    assert_eq!(run("two", "2"), rows);
    let report = bench.run(&["report", "one"]).data;
    assert!(report.contains("was too late in "), "{report}");
    bench
        .run(&["verify", "one"])
        .check(0, &["sound; 12 samples"]);
    // Another time the player is quick enough.
    bench.write("cheat.py", &CHEAT.replace("seed[0] in \"89\"", "False"));
    let late = bench.run(&["verify", "one"]);
    late.check(
        0,
        &["not compared: other samples than before took too long"],
    );
}

/// A player that plays otherwise from its ninth match on: where the run draws a match twice, it is lost.
#[test]
fn a_player_that_differs_in_the_midst_of_a_run_loses_the_match() {
    let differing = |task: &str, more: &str| {
        let (bench, text) = cheat("drift", more);
        let duel = text
            .replace("foxes/match", "foxes/duel")
            .replace("fox = ", "first = ")
            .replace("hens = ", "second = ");
        let text = if task == "duel" { duel } else { text };
        bench.write("m.toml", &text.replace("samples = 12", "samples = 300"));
        let run = [
            "run",
            "m.toml",
            "--out",
            "out",
            "--quiet",
            "--log",
            "log",
            "--threads",
            "1",
        ];
        let ending = bench.run(&run);
        (bench, ending)
    };
    for task in ["match", "duel"] {
        let (_, ending) = differing(task, "");
        ending.check(
            1,
            &[
                "player cheat: ",
                "does not repeat its play",
                "faults = \"lose\"",
            ],
        );
        let (bench, ending) = differing(task, "faults = \"lose\"");
        ending.check(
            0,
            &[
                "cheat loses matches by its own faults",
                "does not repeat its play",
                "its other matches count, so another run may differ",
            ],
        );
        let note = "`python3 cheat.py drift` does not repeat its play, as sample ";
        let report = bench.run(&["report", "out"]).data;
        assert!(report.contains(note), "{report}");
        let rows = std::fs::read_to_string(bench.path("out/samples.csv")).unwrap();
        assert!((1..300).contains(&forfeited(&rows)), "{}", forfeited(&rows));
        let log = std::fs::read_to_string(bench.path("log/cheat-001.txt")).unwrap();
        assert!(
            log.contains("# played once\n") && log.contains("# played again\n"),
            "{log}"
        );
    }
}

/// A program that changes ends the run, whether faults lose or not.
#[test]
fn a_player_that_is_rebuilt_during_a_run_stops_it() {
    for more in ["", "faults = \"lose\""] {
        let (bench, text) = cheat("rebuilt", more);
        bench.write("m.toml", &text);
        let run = ["run", "m.toml", "--out", "out", "--quiet"];
        let ending = bench.run(&run);
        ending.check(1, &["cheat.py has changed: its hash was"]);
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

/// Budgets where nothing is searched exactly; one that the optimal play of another cell heeds is kept.
#[test]
fn a_budget_that_would_change_no_sample_is_refused() {
    let bench = Bench::new();
    let own = "a player's strength is in its own name";
    let none = "a budget limits an exact search";
    let cards = "[sweep]\nstrategy = ";
    let refused = [
        (
            "foxes/match",
            "[params]\nfox = \"random\"\nhens = \"random\"\n",
            own,
        ),
        (
            "foxes/duel",
            "[params]\nfirst = \"random\"\nsecond = \"random\"\n",
            own,
        ),
        (
            "solitaire/score",
            &format!("{cards}[\"greedy\", \"random\"]\n"),
            own,
        ),
        ("pegs/random-play", "", none),
        ("queens/estimate", "", none),
        ("riddle/bias", "", none),
    ];
    let check = |task: &str, more: &str| {
        let text = format!(
            "question = \"?\"\ntask = \"{task}\"\nseed = 5\n[budget]\nnodes = 500\n{more}\
             [stop]\nsamples = 12\n"
        );
        bench.write("m.toml", &text);
        bench.run(&["check", "m.toml"])
    };
    for (task, more, reason) in refused {
        let told = ["the budget would change nothing", "m.toml:4", reason];
        check(task, more).check(2, &told);
    }
    let mixed = format!("{cards}[\"greedy\", \"optimal\"]\n");
    check("solitaire/score", &mixed).check(0, &[]);
    check("riddle/unique", "").check(0, &[]);
}

/// A player added to a tournament of seed 2026, taken out of it, and one that plays otherwise.
#[test]
fn a_folder_of_other_players_names_them() {
    let bench = Bench::new();
    let player = |name: &str, plays: &str| table(name, &[ETUDE, "ugi", "foxes", plays], "");
    let hares = player("anna", "random") + &player("zoe", "arsac");
    let tournament = |fox: &str, players: &str| {
        format!(
            "question = \"?\"\ntask = \"foxes/match\"\nseed = 2026\n\
             {players}\n[params]\nhens = \"random\"\n[stop]\nsamples = 2\n[sweep]\nfox = {fox}\n"
        )
    };
    let run = |fox: &str, players: &str| {
        bench.write("cup.toml", &tournament(fox, players));
        bench.run(&["run", "cup.toml", "--out", "cup", "--quiet"])
    };
    run("[\"anna\", \"random\"]", &player("anna", "random")).check(0, &[]);
    let added = run("[\"anna\", \"random\", \"zoe\"]", &hares);
    added.check(2, &["`[players.zoe]` is new; `fox = zoe` is added"]);
    let changed = run("[\"anna\", \"random\"]", &player("anna", "arsac"));
    changed.check(2, &["`[players.anna] run = ", "instead of"]);
    let gone = run("[\"random\"]", "");
    gone.check(2, &["1 cell more than the file names (anna)"]);
}
