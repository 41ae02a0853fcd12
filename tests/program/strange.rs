//! Folders from strangers: tables of another run are not shown, the programs that they name are not
//! started, and no file in them makes a verb hang or eat memory.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::program::{Bench, Ending, results};
use crate::verify::list_files;
use lab::store::{Manifest, fingerprint_files};
use lab::tables::standard_columns;

const COUNTS: &str = r#"
question = "How many cards?"
task = "klondike/score"
seed = 8
[stop]
samples = 60
"#;

const CLAIM: &str = r#"
[[claims]]
source = "Nature, 2026"
text = "Greed wins."
holds = "score.mean < 52"
"#;

fn finished(more: &str) -> Bench {
    let bench = Bench::new();
    bench.write("counts.toml", &format!("{COUNTS}{more}"));
    run_counts(&bench, "run");
    bench
}

fn run_counts(bench: &Bench, out: &str) {
    bench
        .run(&["run", "counts.toml", "--quiet", "--out", out])
        .check(0, &[]);
}

#[test]
fn tables_of_another_run_are_refused_and_not_shown() {
    let bench = finished("");
    bench.write("claimed.toml", &format!("{COUNTS}{CLAIM}"));
    bench
        .run(&["run", "claimed.toml", "--quiet", "--out", "claimed"])
        .check(0, &[]);
    let claims = std::fs::read(bench.path("claimed/claims.csv")).unwrap();
    let own = std::fs::read(bench.path("run/manifest.json")).unwrap();
    for archived in [false, true] {
        if archived {
            bench.run(&["archive", "run"]).check(0, &["archived"]);
        }
        let own = if archived {
            std::fs::read(bench.path("run/manifest.json")).unwrap()
        } else {
            own.clone()
        };
        for (table, _) in standard_columns() {
            let name = format!("{table}.csv");
            let path = bench.path("run").join(&name);
            // A folder with times is one of a race, and refused as such.
            if path.exists() || table == "clock" {
                continue;
            }
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &claims).unwrap();
            let verify = ["verify", "run", "--samples", "10"];
            bench.run(&verify).check(1, &[&name, "not listed"]);
            let shown = bench.run(&["report", "run"]);
            shown.check(0, &[&name, "left out"]);
            assert!(!shown.data.contains("Nature"), "{}", shown.data);
            list_files(&bench.path("run"));
            bench.run(&verify).check(1, &[&name, "no such table"]);
            std::fs::remove_file(&path).unwrap();
            std::fs::write(bench.path("run/manifest.json"), &own).unwrap();
        }
        bench.run(&["verify", "run"]).check(0, &["sound"]);
    }
}

#[test]
fn a_table_with_a_row_less_or_gone_is_told_by_reports() {
    let bench = finished(CLAIM);
    for name in ["summary.csv", "claims.csv", "histograms.csv", "config.toml"] {
        let path = bench.path("run").join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let rows: Vec<&str> = text.split_inclusive('\n').collect();
        std::fs::write(&path, rows[..rows.len() - 1].concat()).unwrap();
        for verb in [&["report", "run"][..], &["compare", "run", "run"]] {
            bench.run(verb).check(2, &[name]);
        }
        std::fs::remove_file(&path).unwrap();
        bench.run(&["report", "run"]).check(2, &["run"]);
        std::fs::write(&path, &text).unwrap();
        bench.run(&["report", "run"]).check(0, &[]);
    }
}

/// A folder that is not sound keeps its tallies.
#[test]
fn an_archive_is_made_of_a_sound_folder_only() {
    let bench = finished("");
    let path = bench.path("run/summary.csv");
    let sound = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, sound.replace(",60,", ",61,")).unwrap();
    let before = results(&bench.path("run"));
    bench
        .run(&["archive", "run", "--drop-samples"])
        .check(1, &["summary.csv", "nothing was archived"]);
    assert!(results(&bench.path("run")) == before);
    std::fs::write(&path, sound).unwrap();
    bench.run(&["archive", "run"]).check(0, &["archived"]);
}

/// A program that leaves a trace wherever it is started.
const SPY: &str = "#!/bin/sh\ntouch \"$1\"\necho '{\"score\": 1}'\n";

fn with_program() -> Bench {
    let bench = Bench::new();
    bench.write("spy.sh", SPY);
    let trace = bench.path("trace");
    bench.write(
        "spy.toml",
        &format!(
            "question = \"?\"\ntask = \"command\"\nseed = 1\n[command]\n\
             once = [\"sh\", \"spy.sh\", {trace:?}]\nfiles = [\"spy.sh\"]\n\
             [command.metrics]\nscore = {{ kind = \"integer\", min = 0, max = 9 }}\n\
             [stop]\nsamples = 3\n"
        ),
    );
    bench
        .run(&["run", "spy.toml", "--quiet", "--out", "mine"])
        .check(0, &[]);
    std::fs::remove_file(trace).unwrap();
    bench
}

/// Asserts that a command is shown and not started.
#[track_caller]
fn is_asked_first(bench: &Bench, ending: &Ending) {
    ending.check(2, &["`sh spy.sh ", "nothing was started", "--run-programs"]);
    assert!(!bench.path("trace").exists());
}

#[test]
fn programs_of_a_folder_from_elsewhere_are_shown_and_not_started() {
    let bench = with_program();
    let copied = Command::new("cp")
        .args(["-r", "mine", "theirs"])
        .current_dir(bench.path(""))
        .status();
    assert!(copied.unwrap().success());
    let verbs: [&[&str]; 6] = [
        &["verify", "theirs"],
        &["archive", "theirs"],
        &["replay", "theirs", "--sample", "0"],
        &["replay", "theirs/config.toml", "--sample", "0"],
        &[
            "run",
            "spy.toml",
            "--resume",
            "--samples",
            "4",
            "--out",
            "theirs",
        ],
        &["run", "theirs/config.toml", "--out", "new"],
    ];
    for verb in verbs {
        is_asked_first(&bench, &bench.run(verb));
        let mut elsewhere = bench.etude(verb);
        elsewhere.env_remove("XDG_STATE_HOME").env_remove("HOME");
        is_asked_first(&bench, &Ending::of(&elsewhere.output().unwrap()));
    }
    let checked = bench.run(&["check", "theirs/config.toml", "spy.toml"]);
    checked.check(0, &["a run starts `sh spy.sh ", "check does not"]);
    assert!(!bench.path("trace").exists());
    for verb in [verbs[0], verbs[2], verbs[4]] {
        let allowed = bench.run(&[verb, &["--run-programs"]].concat());
        allowed.check(0, &["starting `sh spy.sh "]);
        std::fs::remove_file(bench.path("trace")).unwrap();
    }
}

#[test]
fn a_folder_that_this_user_made_here_is_verified_replayed_and_resumed() {
    let bench = with_program();
    let resume = [
        "run",
        "spy.toml",
        "--resume",
        "--samples",
        "4",
        "--out",
        "mine",
    ];
    for verb in [
        &["verify", "mine"][..],
        &["replay", "mine", "--sample", "0"],
        &resume,
    ] {
        bench.run(verb).check(0, &["starting `sh spy.sh "]);
    }
    std::fs::remove_file(bench.path("trace")).unwrap();
    // The folder is where it was, and names another program.
    let config = std::fs::read_to_string(bench.path("mine/config.toml")).unwrap();
    let other = config.replace("\"spy.sh\", \"", "\"spy.sh\", \"-x\", \"");
    assert_ne!(other, config);
    bench.write("mine/config.toml", &other);
    is_asked_first(&bench, &bench.run(&["verify", "mine"]));
}

#[test]
fn the_same_bytes_are_judged_alike_under_any_name() {
    let bench = finished("");
    let unused = "question = \"?\"\nname = \"x\"\ntask = \"queens/automaton\"\nseed = 1\n[budget]\n\
                  nodes = 100\n[params]\nn = 4\n";
    for folder in [".", "run"] {
        let names = ["a.toml", "config.toml", "manifest.toml"];
        let own = std::fs::read(bench.path("run/config.toml")).unwrap();
        let judged = names.map(|name| {
            let path = format!("{folder}/{name}");
            bench.write(&path, unused);
            let checked = bench.run(&["check", &path]);
            (checked.code, checked.said.replace(name, "NAME"))
        });
        std::fs::write(bench.path("run/config.toml"), own).unwrap();
        assert_eq!(judged[0], judged[1], "{folder}");
        assert_eq!(judged[0], judged[2], "{folder}");
        // What a folder holds was run as it is.
        assert_eq!(judged[0].0, Some(if folder == "." { 2 } else { 0 }));
    }
}

const RACE: &str = "question = \"?\"\ntask = \"queens/automaton\"\nseed = 1\n[bench]\nrepeats = 1\n\
                    [contenders.a]\nn = 4\n[contenders.b]\nn = 4\n[stop]\nsamples = 4\n";

fn raced() -> Bench {
    let bench = Bench::new();
    bench.write("race.toml", RACE);
    bench
        .run(&["bench", "race.toml", "--quiet", "--out", "race"])
        .check(0, &[]);
    bench
}

#[test]
fn no_report_believes_a_race_whose_files_were_edited_or_are_missing() {
    let bench = raced();
    let manifest = Manifest::read(&bench.path("race/manifest.json")).unwrap();
    assert!(manifest.files.contains_key("clock.csv"));
    for name in manifest.files.keys() {
        let path = bench.path("race").join(name);
        let own = std::fs::read(&path).unwrap();
        let edited = [&own[..own.len() - 1], b" \n"].concat();
        let verbs: [&[&str]; 4] = [
            &["report", "race"],
            &["report", "race", "--format", "csv"],
            &["report", "race", "--html", "page.html"],
            &["compare", "race", "race"],
        ];
        for state in ["missing", "edited"] {
            match state {
                "missing" => std::fs::remove_file(&path).unwrap(),
                _ => std::fs::write(&path, &edited).unwrap(),
            }
            for verb in verbs {
                let ending = bench.run(verb);
                assert!(ending.code != Some(0), "{name} is {state}: {verb:?}");
                assert!(ending.said.contains(name.as_str()), "{}", ending.said);
            }
        }
        if name == "clock.csv" {
            // Times of somebody else are not gone on with.
            let on = [
                "bench",
                "race.toml",
                "--samples",
                "8",
                "--resume",
                "--out",
                "race",
            ];
            let ending = bench.run(&on);
            assert!(ending.code != Some(0) && ending.said.contains("clock.csv"));
        }
        std::fs::write(&path, own).unwrap();
    }
    bench.run(&["report", "race"]).check(0, &[]);
}

#[test]
fn nobody_replays_or_merges_a_run_whose_experiment_was_edited() {
    let bench = finished("");
    let sound = std::fs::read_to_string(bench.path("run/config.toml")).unwrap();
    let verbs: [&[&str]; 2] = [
        &["replay", "run", "--sample", "3"],
        &["merge", "--out", "whole", "run"],
    ];
    bench.run(verbs[0]).check(0, &[]);
    bench.write("run/config.toml", &sound.replace("seed = 8", "seed = 9"));
    for verb in verbs {
        let told = [
            "run/config.toml",
            "not the file that was written",
            "`etude verify`",
        ];
        bench.run(verb).check(2, &told);
    }
    bench.write("run/config.toml", &sound);
    bench.run(verbs[1]).check(0, &[]);
}

/// Ratios are rows of a table: what is told of a race is what the table holds.
#[test]
fn a_report_of_a_race_reads_its_tables() {
    let bench = raced();
    let table = bench.path("race/clock/speed.csv");
    let text = std::fs::read_to_string(&table).unwrap();
    let median = text
        .lines()
        .find(|line| line.starts_with("a,b,median,"))
        .unwrap();
    let ratio = median.split(',').nth(3).unwrap();
    std::fs::write(
        &table,
        text.replace(&format!("a,b,median,{ratio},"), "a,b,median,12345.0,"),
    )
    .unwrap();
    bench
        .run(&["report", "race"])
        .check(2, &["clock/speed.csv"]);
    let manifest = bench.path("race/manifest.json");
    let mut written = Manifest::read(&manifest).unwrap();
    written.files = fingerprint_files(&bench.path("race")).unwrap();
    std::fs::write(&manifest, written.to_json()).unwrap();
    let report = bench.run(&["report", "race", "--format", "csv"]);
    assert!(report.data.contains("12345"), "{report:?}");
}

#[test]
fn a_link_in_place_of_a_folder_of_a_race_is_not_followed() {
    let bench = raced();
    std::fs::rename(bench.path("race/clock"), bench.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(bench.path("elsewhere"), bench.path("race/clock")).unwrap();
    let before = std::fs::read(bench.path("elsewhere/machine.json")).unwrap();
    assert_ne!(bench.run(&["report", "race"]).code, Some(0));
    let on = [
        "bench",
        "race.toml",
        "--samples",
        "8",
        "--resume",
        "--out",
        "race",
    ];
    let ending = bench.run(&on);
    assert_ne!(ending.code, Some(0), "{}", ending.said);
    assert!(ending.said.contains("clock"), "{}", ending.said);
    assert!(std::fs::read(bench.path("elsewhere/machine.json")).unwrap() == before);
}

#[test]
fn a_file_too_large_for_a_run_is_refused_by_its_size() {
    let bench = finished(CLAIM);
    let began = Instant::now();
    for name in ["summary.csv", "claims.csv", "timings.csv", "other.bin"] {
        let path = bench.path("run").join(name);
        let own = std::fs::read(&path).ok();
        let sparse = std::fs::File::create(&path).unwrap();
        // Hashed, it would take hours; some file systems hold no more.
        sparse.set_len(8 << 40).unwrap();
        let strange = own.is_none();
        for verb in [
            &["report", "run"][..],
            &["verify", "run"],
            &["compare", "run", "run"],
        ] {
            let ending = bench.run(verb);
            let may_pass = strange || name == "timings.csv";
            assert!(ending.code != Some(0) || may_pass, "{name} {verb:?}");
        }
        match own {
            Some(own) => std::fs::write(&path, own).unwrap(),
            None => std::fs::remove_file(&path).unwrap(),
        }
    }
    assert!(began.elapsed() < Duration::from_secs(60));
}

/// Ways to damage a file of a run: more text, none, another first line, no file.
const DAMAGES: [&str; 4] = [
    "echo = >> \"$1\"",
    ": > \"$1\"",
    "printf 'x%s' \"$(cat \"$1\")\" > \"$1\"",
    "rm \"$1\"",
];

/// A file is damaged while samples are drawn, after those that are drawn twice; each in two ways, and each way on two
/// files.
#[test]
fn a_run_whose_file_is_damaged_while_it_goes_on_names_the_file() {
    let names = ["config.toml", "manifest.json", "blocks.csv", "samples.csv"];
    for (number, name) in (0..2 * names.len()).map(|number| (number, names[number % 4])) {
        let damage = DAMAGES[(number + number / 4) % 4];
        let bench = Bench::new();
        bench.write(
            "draw.sh",
            &format!(
                "echo x >> hits\nif [ $(wc -l < hits) = 40 ]; then set -- run/{name}; cp $1 kept; {damage}; fi\necho 3\n"
            ),
        );
        bench.write(
            "damage.toml",
            "question = \"?\"\ntask = \"command\"\nseed = 1\n[command]\nversion = \"1\"\n\
             once = [\"sh\", \"draw.sh\"]\n[output]\nsamples = true\n\
             [command.metrics]\ny = { kind = \"integer\", min = 0, max = 9 }\n[stop]\nsamples = 40\n",
        );
        std::fs::create_dir(bench.path("run")).unwrap();
        let run = ["run", "damage.toml", "--threads", "1", "--out", "run"];
        let ending = bench.run(&run);
        let told = [name, "changed while the run went on", "--resume"];
        assert_eq!(ending.code, Some(1), "{damage} {name}: {}", ending.said);
        ending.check(1, &told);
        let manifest = std::fs::read_to_string(bench.path("run/manifest.json"));
        assert!(!manifest.is_ok_and(|text| text.contains("\"complete\"")));
        if ["config.toml", "manifest.json"].contains(&name) {
            std::fs::copy(bench.path("kept"), bench.path("run").join(name)).unwrap();
        }
        let again = [&run[..], &["--resume"]].concat();
        bench.run(&again).check(0, &["40 of 40 samples"]);
        bench.run(&["verify", "run"]).check(0, &["sound"]);
    }
}

/// The commands that replace a file of a folder by a trap.
const TRAPS: [&str; 4] = [
    "mkfifo \"$1\"",
    "ln -s /dev/zero \"$1\"",
    "truncate -s 480M \"$1\"",
    "ln -s . \"$1\"",
];

/// Puts a trap in the place of a file.
#[track_caller]
fn lay(trap: &str, path: &Path) {
    let shell = &mut Command::new("sh");
    let made = shell.args(["-c", trap, "sh"]).arg(path).status();
    assert!(made.unwrap().success(), "{trap}");
}

/// A verb under a limit that the sparse file would break; it must not wait either.
#[track_caller]
fn limited(bench: &Bench, arguments: &[&str]) -> Ending {
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 450000; exec timeout 60 \"$0\" \"$@\""]);
    shell.arg(env!("CARGO_BIN_EXE_etude")).args(arguments);
    let began = Instant::now();
    let output = shell.current_dir(bench.path("")).output().unwrap();
    let ending = Ending::of(&output);
    assert!(began.elapsed() < Duration::from_secs(60), "{arguments:?}");
    assert!(
        !ending.said.contains("memory allocation"),
        "{}",
        ending.said
    );
    ending
}

#[test]
fn no_file_of_a_folder_makes_a_verb_hang_or_eat_memory() {
    let bench = finished(&format!("[output]\nsamples = true\n{CLAIM}"));
    let names = [
        "config.toml",
        "manifest.json",
        "blocks.csv",
        "samples.csv",
        "exhibit.json",
        "summary.csv",
        "datapackage.json",
        "timings.csv",
        ".etude-lock.tmp",
    ];
    for (number, name) in names.into_iter().enumerate() {
        let (path, kept) = (bench.path("run").join(name), bench.path("kept"));
        let is_there = std::fs::rename(&path, &kept).is_ok();
        // Each trap is tried on some of the files.
        let trap = TRAPS[number % 4];
        lay(trap, &path);
        for verb in [
            &["verify", "run"][..],
            &["report", "run"],
            &["compare", "run", "run"],
            &["merge", "merged", "run", "--quiet"],
            &["run", "counts.toml", "--out", "run"],
        ] {
            let ending = limited(&bench, verb);
            let is_read = is_there && verb[0] == "verify";
            assert!(!is_read || ending.code != Some(0), "{trap} {name} {verb:?}");
            let _ = std::fs::remove_dir_all(bench.path("merged"));
        }
        std::fs::remove_file(&path).unwrap();
        if is_there {
            std::fs::rename(&kept, &path).unwrap();
        }
    }
    limited(&bench, &["verify", "run"]).check(0, &["sound"]);
}

/// The same of a proof, whose layers are files of any size: one of terabytes is not read.
#[test]
fn no_file_of_a_proof_makes_a_verb_hang_or_eat_memory() {
    let bench = Bench::new();
    let prove = [
        "prove",
        "foxes",
        "--board=strip",
        "--sacrifices=2",
        "--dir=proof",
    ];
    bench.run(&prove).check(0, &[]);
    let layers = std::fs::read_to_string(bench.path("proof/layers.csv")).unwrap();
    let first: Vec<&str> = layers.lines().nth(1).unwrap().split(',').collect();
    let layer = format!("hens-{}-height-{}.pairs", first[0], first[1]);
    let traps = TRAPS.into_iter().chain(["truncate -s 1T \"$1\""]);
    let names = ["proof.toml", "proof.csv", "layers.csv", &*layer];
    let kept = bench.path("kept");
    for (trap, name) in traps.flat_map(|trap| names.map(|name| (trap, name))) {
        let path = bench.path("proof").join(name);
        std::fs::rename(&path, &kept).unwrap();
        lay(trap, &path);
        let verified = limited(&bench, &["verify", "proof"]);
        // Terms are read where something is proved or checked.
        let is_read = name != "proof.csv";
        assert!(!is_read || verified.code != Some(0), "{trap} {name}");
        limited(&bench, &["report", "proof"]);
        limited(&bench, &["prove", "foxes", "--dir=proof", "--check=50"]);
        std::fs::remove_file(&path).unwrap();
        std::fs::rename(&kept, &path).unwrap();
    }
    limited(&bench, &["verify", "proof"]).check(0, &["agree with each other"]);
}

/// Forged numbers of samples cost neither time nor memory.
#[test]
fn a_forged_number_of_samples_costs_no_memory() {
    let bench = finished("");
    let forged = |name: &str, from: &str, to: &str| {
        let text = std::fs::read_to_string(bench.path("run").join(name)).unwrap();
        assert!(text.contains(from), "{text}");
        bench.write(&format!("run/{name}"), &text.replace(from, to));
    };
    forged("config.toml", "samples = 60", "samples = 10000000000000");
    forged(
        "manifest.json",
        "\"samples_done\": 60",
        "\"samples_done\": 10000000000000",
    );
    let path = bench.path("run/manifest.json");
    let mut manifest = Manifest::read(&path).unwrap();
    manifest.files = fingerprint_files(&bench.path("run")).unwrap();
    std::fs::write(&path, manifest.to_json()).unwrap();
    for journal in [true, false] {
        if !journal {
            std::fs::remove_file(bench.path("run/blocks.csv")).unwrap();
        }
        let ending = limited(&bench, &["verify", "run", "--samples", "10"]);
        assert_eq!(ending.code, Some(1), "{}", ending.said);
        limited(&bench, &["merge", "merged", "run"]).check(1, &["blocks"]);
    }
}

/// A window's title, a cleared screen by one control character of eight bits, a right-to-left mark.
const ESCAPES: &str = "\u{1b}]0;owned\u{7}\u{9b}2J\u{202e}";

/// The texts of a file with the escapes in one of its strings, a text for each; elements of a list
/// count once.
fn with_escapes(name: &str, text: &str) -> Vec<String> {
    if name.ends_with(".csv") {
        return escaped_rows(text);
    }
    let parsed = match name.strip_suffix(".toml") {
        Some(_) => serde_json::to_value(toml::from_str::<toml::Value>(text).unwrap()).unwrap(),
        None => serde_json::from_str(text).unwrap(),
    };
    let mut places = Vec::new();
    strings(&parsed, String::new(), &mut places);
    let escaped = places.iter().map(|place| {
        let mut value = parsed.clone();
        let string = value.pointer_mut(place).unwrap();
        *string = format!("{}{ESCAPES}", string.as_str().unwrap()).into();
        match name.strip_suffix(".toml") {
            Some(_) => toml::to_string(&value).unwrap(),
            None => value.to_string(),
        }
    });
    escaped.collect()
}

/// The places of the strings in a value.
fn strings(value: &serde_json::Value, place: String, places: &mut Vec<String>) {
    match value {
        serde_json::Value::String(_) => places.push(place),
        serde_json::Value::Array(list) => {
            (list.iter().take(1)).for_each(|value| strings(value, format!("{place}/0"), places));
        }
        serde_json::Value::Object(fields) => fields.iter().for_each(|(key, value)| {
            let key = key.replace('~', "~0").replace('/', "~1");
            strings(value, format!("{place}/{key}"), places);
        }),
        _ => {}
    }
}

/// A table with the escapes in a field of its header, and of its first row, one after the other.
fn escaped_rows(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut texts = Vec::new();
    for row in 0..lines.len().min(2) {
        let fields: Vec<&str> = lines[row].split(',').collect();
        for field in 0..fields.len() {
            let (mut fields, mut lines) = (fields.clone(), lines.clone());
            let escaped = format!("{}{ESCAPES}", fields[field]);
            fields[field] = &escaped;
            let row_text = fields.join(",");
            lines[row] = &row_text;
            texts.push(lines.join("\n") + "\n");
        }
    }
    texts
}

/// Asserts that the output of a verb has nothing that a terminal would obey.
#[track_caller]
fn obeys_nothing(bench: &Bench, verb: &[&str], what: &str) {
    let ending = bench.run(verb);
    for text in [&ending.data, &ending.said] {
        let hidden = |c: char| (c.is_control() && !matches!(c, '\n' | '\t')) || c == '\u{202e}';
        let hidden = text.lines().find(|line| line.contains(hidden));
        assert!(hidden.is_none(), "{verb:?}, {what}: {hidden:?}");
    }
    assert!(!ending.said.contains("panicked"), "{what}: {}", ending.said);
}

#[test]
fn no_string_of_a_folder_reaches_the_terminal_as_an_escape() {
    strings_of_a_folder_are_shown_as_text(false);
}

#[test]
#[ignore = "long; the short form runs always"]
fn no_string_of_a_folder_reaches_the_terminal_as_an_escape_by_any_verb() {
    strings_of_a_folder_are_shown_as_text(true);
}

/// Every string of every file of a folder, one at a time; the manifest lists what is there. Every text is read by the first
/// verb and by one of each of the other lists in turn, or by all of the last one.
fn strings_of_a_folder_are_shown_as_text(by_all: bool) {
    const FIRST: &[&str] = &["report", "run", "--all"];
    const OTHERS: [&[&str]; 2] = [
        &["compare", "run", "twin", "--format", "json"],
        &["verify", "run", "--samples", "1"],
    ];
    const MORE: [&[&str]; 8] = [
        &["report", "run", "--html", "-"],
        &["compare", "twin", "run"],
        &["merge", "merged", "run", "--quiet"],
        &["replay", "run", "--sample", "0"],
        &["check", "run/config.toml"],
        &["plan", "run/config.toml"],
        &["run", "run/config.toml", "--out", "run"],
        &["run", "run/config.toml", "--out", "run", "--resume"],
    ];
    let bench = finished(CLAIM);
    run_counts(&bench, "twin");
    let files: Vec<_> = std::fs::read_dir(bench.path("run")).unwrap().collect();
    let names = files
        .into_iter()
        .map(|file| file.unwrap().file_name().into_string().unwrap());
    let names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    let read = |name: &String| std::fs::read_to_string(bench.path("run").join(name)).unwrap();
    let sound: Vec<(&String, String)> = names.iter().map(|name| (name, read(name))).collect();
    for (name, text) in &sound {
        let is_told = ["config.toml", "manifest.json"].contains(&name.as_str());
        for (index, escaped) in with_escapes(name, text).into_iter().enumerate() {
            let verbs = [FIRST, OTHERS[index % OTHERS.len()]];
            let is_next = |verb: usize| by_all || verb == index % MORE.len();
            let more = (0..MORE.len()).filter(|&verb| is_told && is_next(verb));
            for verb in verbs.iter().chain(more.map(|verb| &MORE[verb])) {
                bench.write(&format!("run/{name}"), &escaped);
                if *name != "manifest.json" {
                    list_files(&bench.path("run"));
                }
                obeys_nothing(&bench, verb, &escaped);
                sound
                    .iter()
                    .for_each(|(name, text)| drop(bench.write(&format!("run/{name}"), text)));
                let _ = std::fs::remove_dir_all(bench.path("merged"));
            }
        }
    }
}
