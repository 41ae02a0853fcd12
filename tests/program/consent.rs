//! Other people's programs start by consent alone: every verb that takes a folder, or a file in one, with every
//! kind of program that a folder can name.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::program::{Bench, Ending};
use lab::store::Manifest;

/// An experiment whose programs write a line wherever they are started.
struct Kind {
    name: &'static str,
    text: String,
    is_race: bool,
}

/// A worker that answers 3 to whatever it is asked.
const WORKER: &str = "import sys
for line in sys.stdin:
    if '\"hello\"' in line:
        print('{\"hello\":{\"protocol\":1}}', flush=True)
    else:
        count = int(line[line.index('\"count\":') + 8:].split(',', 1)[0])
        rows = ','.join(['[3]'] * count)
        print('{\"id\":%s,\"rows\":[%s]}' % (line[6:line.index(',')], rows), flush=True)
";

const TALLIES: &str = "[command.metrics]\ny = { kind = \"integer\", min = 0, max = 9 }\n";

/// Every way in which an experiment names a program; each leaves a trace there.
fn kinds(bench: &Bench) -> Vec<Kind> {
    let left = format!("echo started >> {}", bench.path("trace").display());
    let shell = |then: &str| format!("[\"sh\", \"-c\", {:?}]", format!("{left}; {then}"));
    let etude = env!("CARGO_BIN_EXE_etude");
    let once = shell("echo 3");
    let on_instance = shell("cat {instance} > /dev/null; echo 3");
    let quiet = "[\"sh\", \"-c\", \"cat {instance} > /dev/null; echo 3\"]";
    let generate = shell("echo {seed32}");
    let python = shell(&format!(
        "exec python3 {}",
        bench.path("worker.py").display()
    ));
    let engine = shell(&format!("exec {etude} ugi foxes random"));
    let own = shell(&format!("exec {etude} worker"));
    let command = "task = \"command\"\n[command]\nversion = \"1\"\n";
    let matches = "task = \"foxes/match\"\n[params]\nhens = \"random\"\n";
    let texts = [
        ("once", false, format!("{command}once = {once}\n{TALLIES}")),
        ("run", false, format!("{command}run = {python}\n{TALLIES}")),
        (
            "generator",
            false,
            format!("{command}once = {quiet}\ngenerate = {generate}\n{TALLIES}"),
        ),
        (
            "player",
            false,
            format!("{matches}fox = \"evil\"\n[players.evil]\nversion = \"1\"\nrun = {engine}\n"),
        ),
        (
            "raced-player",
            true,
            format!(
                "{matches}[sweep]\nfox = [\"evil\", \"random\"]\n[bench]\nanswers = []\nrepeats = 1\n\
                 [players.evil]\nversion = \"1\"\nrun = {engine}\n"
            ),
        ),
        (
            "contender",
            true,
            format!(
                "{command}generate = [\"echo\", \"{{seed32}}\"]\n{TALLIES}[bench]\nanswers = [\"y\"]\nrepeats = 1\n\
                 [contenders.a]\nonce = {on_instance}\n[contenders.b]\nonce = {quiet}\n"
            ),
        ),
        (
            "raced-generator",
            true,
            format!(
                "{command}generate = {generate}\n{TALLIES}[bench]\nanswers = [\"y\"]\nrepeats = 1\n\
                 [contenders.a]\nonce = {quiet}\n[contenders.b]\nonce = {quiet}\n"
            ),
        ),
        (
            "raced-worker",
            true,
            format!(
                "task = \"queens/automaton\"\n[params]\nn = 4\n[bench]\nrepeats = 1\n\
                 [contenders.a]\nn = 4\n[contenders.b]\nrun = {own}\n"
            ),
        ),
    ];
    let head = "question = \"?\"\nseed = 1\n";
    let kind = |(name, is_race, text): (&'static str, bool, String)| Kind {
        name,
        text: format!("{head}{text}[stop]\nsamples = 2\n"),
        is_race,
    };
    texts.map(kind).into()
}

/// A folder of the kind that this user made here, and a copy of it, as from elsewhere.
fn copied(bench: &Bench, kind: &Kind) {
    let verb = if kind.is_race { "bench" } else { "run" };
    bench.write("worker.py", WORKER);
    bench.write("mine.toml", &kind.text);
    let made = bench.run(&[verb, "mine.toml", "--quiet", "--out", "mine"]);
    made.check(0, &[]);
    let copy = Command::new("cp")
        .args(["-r", "mine", "theirs"])
        .current_dir(bench.path(""))
        .status();
    assert!(copy.unwrap().success());
    std::fs::copy(
        bench.path("theirs/config.toml"),
        bench.path("theirs/other.toml"),
    )
    .unwrap();
    std::fs::create_dir_all(bench.path("theirs/code/more")).unwrap();
    let config = bench.path("theirs/config.toml");
    std::fs::copy(&config, bench.path("theirs/code/more/deep.toml")).unwrap();
    std::os::unix::fs::symlink(&config, bench.path("link.toml")).unwrap();
    std::fs::remove_file(bench.path("trace")).unwrap();
}

/// The verbs that would start programs, on a folder from elsewhere.
const STARTING: [&[&str]; 15] = [
    &["run", "theirs/code/more/deep.toml", "--out", "new"],
    &["replay", "theirs/code/more/deep.toml", "--sample", "0"],
    &["run", "link.toml", "--out", "new"],
    &["verify", "theirs"],
    &["archive", "theirs"],
    &["replay", "theirs", "--sample", "0"],
    &["replay", "theirs/config.toml", "--sample", "0"],
    &[
        "replay",
        "theirs/other.toml",
        "--cell",
        "1",
        "--sample",
        "0",
    ],
    &["run", "theirs/config.toml", "--out", "new"],
    &[
        "run",
        "mine.toml",
        "--resume",
        "--samples",
        "3",
        "--out",
        "theirs",
    ],
    &["bench", "theirs/config.toml", "--out", "new"],
    &["bench", "theirs/other.toml", "--out", "new"],
    &["bench", "theirs/config.toml", "--instance", "0"],
    &["bench", "theirs/other.toml", "--instance", "1"],
    &[
        "bench",
        "mine.toml",
        "--resume",
        "--samples",
        "3",
        "--out",
        "theirs",
    ],
];

/// The verbs that start none.
const READING: [&[&str]; 8] = [
    &["report", "theirs"],
    &["compare", "theirs", "theirs"],
    &[
        "check",
        "theirs/config.toml",
        "theirs/other.toml",
        "mine.toml",
    ],
    &["plan", "theirs/config.toml"],
    &["merge", "merged", "theirs"],
    &["solve", "foxes", "theirs"],
    &["worker", "theirs"],
    &["list", "experiments"],
];

#[test]
fn no_verb_starts_any_kind_of_program_of_a_folder_from_elsewhere_without_leave() {
    let count = kinds(&Bench::new()).len();
    for at in 0..count {
        let bench = Bench::new();
        let (kind, trace) = (&kinds(&bench)[at], bench.path("trace"));
        copied(&bench, kind);
        for without in ["", "manifest.json", "blocks.csv"] {
            if !without.is_empty() {
                std::fs::rename(bench.path("theirs").join(without), bench.path("kept")).unwrap();
            }
            for verb in STARTING {
                let ending = bench.run(verb);
                assert!(!trace.exists(), "{}, no {without}: {verb:?}", kind.name);
                assert_ne!(ending.code, Some(0), "{}: {verb:?}", kind.name);
            }
            for verb in READING {
                bench.run(verb);
                assert!(!trace.exists(), "{}, no {without}: {verb:?}", kind.name);
            }
            if !without.is_empty() {
                std::fs::rename(bench.path("kept"), bench.path("theirs").join(without)).unwrap();
            }
        }
        is_asked(&bench.run(&["verify", "theirs"]));
        let allowed = bench.run(&["verify", "theirs", "--run-programs"]);
        allowed.check(0, &["theirs: starting `sh -c ", "sound"]);
        assert!(trace.exists(), "{}", kind.name);
        bench
            .run(&["verify", "mine"])
            .check(0, &["mine: starting `sh -c ", "sound"]);
    }
}

/// A race of two programs, the first of which makes another of `replaced` when it is asked for the tenth time, as
/// a build does: by a rename.
fn race_with_change(replaced: &str) -> (Bench, String) {
    let bench = Bench::new();
    bench.write("lib.txt", "3\n");
    let program = format!(
        "#!/bin/sh\necho x >> {calls}\n\
         if [ $(wc -l < {calls}) -eq 10 ]; then (cat {replaced}; echo) > new; chmod +x new; mv new {replaced}; fi\n\
         echo 3\n",
        calls = bench.path("calls").display()
    );
    bench.write("answer.sh", &program);
    std::fs::set_permissions(bench.path("answer.sh"), Permissions::from_mode(0o755)).unwrap();
    bench.write(
        "race.toml",
        &format!(
            "question = \"?\"\ntask = \"command\"\nseed = 1\n[command]\nfiles = [\"lib.txt\"]\n\
             generate = [\"echo\", \"{{seed32}}\"]\n{TALLIES}[bench]\nanswers = [\"y\"]\nrepeats = 1\n\
             [contenders.a]\nonce = [\"./answer.sh\", \"{{instance}}\"]\n\
             [contenders.b]\nonce = [\"sh\", \"-c\", \"cat {{instance}} > /dev/null; echo 3\"]\n\
             [stop]\nsamples = 20\n"
        ),
    );
    let hash = blake3::hash(program.as_bytes()).to_string();
    (bench, hash)
}

#[test]
fn a_program_that_changes_in_mid_race_stops_it_and_the_manifest_has_the_one_at_the_start() {
    for replaced in ["answer.sh", "lib.txt"] {
        let (bench, hash) = race_with_change(replaced);
        let raced = bench.run(&["bench", "race.toml", "--quiet", "--out", "out"]);
        raced.check(1, &[replaced, "has changed: its hash was", "are stored"]);
        let manifest = Manifest::read(&bench.path("out/manifest.json")).unwrap();
        assert!(manifest.samples_done < 20, "{replaced}");
        let record = manifest.programs.iter().find(|record| record.name == "a");
        assert_eq!(record.unwrap().executable, hash, "{replaced}");
        let on = bench.run(&["bench", "race.toml", "--quiet", "--out", "out", "--resume"]);
        let told = match replaced {
            "answer.sh" => "has changed since the race began",
            _ => "the folder holds another benchmark: `[command] hashes",
        };
        assert!(on.code == Some(2) && on.said.contains(told), "{}", on.said);
    }
}

/// Asserts that the command was shown, and that nothing was started.
#[track_caller]
fn is_asked(ending: &Ending) {
    ending.check(2, &["`sh -c ", "nothing was started", "--run-programs"]);
}
