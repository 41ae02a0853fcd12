//! The cost of other people's programs: samples a second through the most trivial workers there
//! are, etude's own part of that, and moves a second of a player in Python.
//!
//! Each figure is of one worker on one thread, printed beside its baseline of the same run: a line
//! for every sample, a player asked through bare pipes, the built-in player. Where the system tells processor
//! time (Linux), it is split between etude and the program; it says more than the clock of a busy
//! machine. Needs python3 and cc.

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use kit::rng::Streams;
use kit::search::Budget;
use programs::ProgramSet;
use task::outside::{Consent, Declaration, DeclaredProgram, Go, PlayerDeclaration};
use task::{Draw, Metric, Params, Row, Value, Workspace};

const PYTHON: &str = r#"
import sys
write, flush = sys.stdout.write, sys.stdout.flush
for line in sys.stdin:
    if line.startswith('{"hello"'):
        write('{"hello":{"protocol":1}}\n')
    else:
        count = int(line[line.index('"count":') + 8:].split(",", 1)[0])
        write('{"id":%s,"rows":[%s]}\n' % (line[6:line.index(",")], ",".join(["[1]"] * count)))
    flush()
"#;

const C: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char line[1 << 20];
int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        char *count = strstr(line, "\"count\":");
        if (!count) puts("{\"hello\":{\"protocol\":1}}");
        else {
            long n = atol(count + 8);
            printf("{\"id\":%ld,\"rows\":[[1]", atol(line + 6));
            while (--n > 0) fputs(",[1]", stdout);
            puts("]}");
        }
        fflush(stdout);
    }
}
"#;

const PLAYER: &str = r#"
import sys
write, flush = sys.stdout.write, sys.stdout.flush
for line in sys.stdin:
    if line.startswith("go"):
        write("bestmove " + line[line.index("searchmoves") + 12:].split(" ", 1)[0].strip() + "\n")
    elif line.startswith("ugi\n"):
        write("ugiok\n")
    elif line.startswith("isready"):
        write("readyok\n")
    flush()
"#;

/// The player that `etude init player` writes.
const TEMPLATE: &str = include_str!("../crates/cli/templates/player.py");

/// The time for which each figure is measured.
const SPAN: Duration = Duration::from_secs(2);

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    file("worker.py", PYTHON);
    file("worker.c", C);
    file("player.py", PLAYER);
    file("template.py", TEMPLATE);
    let compiled = Command::new("cc")
        .args(["-O2", "-o", "worker", "worker.c"])
        .current_dir(folder.path())
        .status();
    let python = python();
    workers(&[&python, "worker.py"], folder.path(), "Python worker");
    if compiled.is_ok_and(|status| status.success()) {
        workers(&["./worker"], folder.path(), "C worker");
    }
    moves(&[&python, "player.py"], folder.path());
    matches(&[&python, "template.py"], folder.path());
}

/// Things done in a while, and what they cost.
struct Cost {
    count: u64,
    wall: f64,
    /// Seconds of processor time, etude's and the program's.
    used: Option<[f64; 2]>,
}

impl Cost {
    /// Measures `work`, which starts a program, does as many things as it returns, and ends it.
    fn of(work: impl Fn(Duration) -> (u64, f64)) -> Self {
        let before = processor_time();
        work(Duration::ZERO);
        let started = processor_time();
        let (count, wall) = work(SPAN);
        let ended = processor_time();
        let times = before.zip(started).zip(ended);
        let used = times.map(|((before, started), ended)| {
            // The start and the end of a program cost the same with nothing in between.
            std::array::from_fn(|side| ended[side] - 2.0 * started[side] + before[side])
        });
        Self { count, wall, used }
    }

    /// Seconds for each, by processor time where that is known.
    fn each(&self) -> f64 {
        let total = self.used.map_or(self.wall, |used| used.iter().sum());
        total / self.count as f64
    }

    fn print(&self, title: &str, things: &str) {
        print!("{title}: {:.0} {things}/s", self.count as f64 / self.wall);
        if let Some(used) = self.used {
            let [own, program] = used.map(|seconds| 1e6 * seconds / self.count as f64);
            print!(
                "; processor time for each: etude {own:.2} us, the program {program:.2} us: {:.0}/s on one core",
                1.0 / self.each()
            );
        }
        println!();
    }
}

/// Seconds of processor time that this process has used, and those that it started and that ended;
/// where there is no /proc, `None`.
fn processor_time() -> Option<[f64; 2]> {
    const TICKS_A_SECOND: f64 = 100.0;
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = text.rsplit_once(')')?;
    let times: Vec<f64> = fields
        .split_whitespace()
        .skip(11)
        .map_while(|field| field.parse().ok())
        .take(4)
        .collect();
    let [user, system, user_below, system_below] = times[..] else {
        return None;
    };
    Some([user + system, user_below + system_below].map(|ticks| ticks / TICKS_A_SECOND))
}

/// The interpreter itself; a shim in front of it would be measured, too.
fn python() -> String {
    let found = Command::new("python3")
        .args(["-c", "import sys; print(sys.executable)"])
        .output();
    let path = found.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    path.ok()
        .filter(|path| !path.is_empty())
        .unwrap_or("python3".to_owned())
}

fn program(argv: &[&str], folder: &Path) -> DeclaredProgram {
    DeclaredProgram {
        argv: argv.iter().map(|&word| word.to_owned()).collect(),
        folders: vec![folder.to_owned()],
        files: Vec::new(),
        version: None,
        patience: Duration::from_secs(60),
    }
}

fn columns() -> Vec<Metric> {
    vec![Metric::total("value", "", "")]
}

fn workers(argv: &[&str], folder: &Path, name: &str) {
    let cost = |count| {
        Cost::of(|span| {
            let streams = Streams::new(1);
            let programs = ProgramSet::new(Some(&declaration(argv, folder)), &[], &streams);
            let consent = Consent::ask([&program(argv, folder)], &[], None, false).unwrap();
            programs.allow(&consent);
            let spec = &etude::foxes::GAME.tasks[0];
            let task = programs.task(spec, &Params::new()).unwrap();
            let mut workspace = Workspace::new();
            let mut worker = task.worker(&streams, &mut workspace);
            let done = drawn(span, count, |index, rows| {
                let budget = Budget::UNLIMITED;
                rows.iter_mut().for_each(Row::clear);
                worker.batch(Draw { index, budget }, rows).unwrap();
            });
            programs.command.unwrap().finish().unwrap();
            done
        })
    };
    let (single, batch) = (cost(1), cost(64));
    single.print(&format!("{name}, one sample a line"), "samples");
    batch.print(&format!("{name}, 64 samples a line"), "samples");
    let times = single.each() / batch.each();
    println!("{name}: a sample costs {times:.1} times as much at one a line as at 64");
}

fn declaration(argv: &[&str], folder: &Path) -> Declaration {
    Declaration {
        program: program(argv, folder),
        once: false,
        stdin: String::new(),
        instances: None,
        streams: vec!["seed".to_owned()],
        batch: 64,
        params: Vec::new(),
        timeout: None,
        columns: columns(),
    }
}

/// Samples drawn in a while, `count` at a time, and the seconds that took.
fn drawn(span: Duration, count: usize, mut draw: impl FnMut(u64, &mut [Row])) -> (u64, f64) {
    let mut rows = vec![Row::new(); count];
    draw(0, &mut rows);
    let (started, mut drawn) = (Instant::now(), 0);
    while started.elapsed() < span {
        draw(drawn, &mut rows);
        drawn += count as u64;
    }
    (drawn, started.elapsed().as_secs_f64())
}

/// The question that a player is asked, as a position, the moves since, and the moves to choose from.
const START: &str = "3/3/2f1f2/hhhhhhh/hhhhhhh/hhh/hhh h 0";
const PLAYED: [&str; 3] = ["d4-d5", "c5-c6", "d5-d6"];
const LEGAL: &str = " d4-d5 e4-e5 a4-a5 b4-b5 c4-c5 f4-f5 g4-g5";

/// Asks the most trivial player one question again and again: through bare pipes, and by etude.
fn moves(argv: &[&str], folder: &Path) {
    let bare = Cost::of(|span| asked_bare(span, argv, folder));
    let asked = Cost::of(|span| {
        let programs = player(argv, folder);
        let mut seat = programs.players()[0].seat("hens").unwrap();
        seat.begin(START, &[], &[0; 32]).unwrap();
        PLAYED.iter().for_each(|play| seat.note(play));
        let (started, mut count) = (Instant::now(), 0);
        while started.elapsed() < span {
            black_box(seat.choose(LEGAL, Budget::nodes(1_000)).unwrap());
            count += 1;
        }
        let seconds = started.elapsed().as_secs_f64();
        drop(seat);
        close(&programs);
        (count, seconds)
    });
    bare.print("trivial Python player, through bare pipes", "moves");
    asked.print("trivial Python player", "moves");
    let times = asked.each() / bare.each();
    println!("a move by etude costs {times:.1} times as much as its lines through bare pipes");
}

/// A player named `python`, which may be started.
fn player(argv: &[&str], folder: &Path) -> ProgramSet {
    let declared = PlayerDeclaration {
        name: "python".to_owned(),
        program: program(argv, folder),
        go: Go::Nodes,
        loses: false,
    };
    let consent = Consent::ask([&declared.program], &[], None, false).unwrap();
    let programs = ProgramSet::new(None, &[declared], &Streams::new(1));
    programs.allow(&consent);
    programs
}

/// Ends the processes of the players.
fn close(programs: &ProgramSet) {
    let players = programs.players().iter();
    let engines = players.filter_map(|player| player.engines());
    engines.for_each(|engines| engines.close());
}

/// Questions written to a player and answers read, without patience, transcript or checks.
fn asked_bare(span: Duration, argv: &[&str], folder: &Path) -> (u64, f64) {
    let mut child = Command::new(argv[0])
        .args(&argv[1..])
        .current_dir(folder)
        .env("PYTHONUNBUFFERED", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let played = PLAYED.join(" ");
    let question =
        format!("position fen {START} moves {played}\ngo nodes 1000 searchmoves{LEGAL}\n");
    let (mut answer, started, mut count) = (String::new(), Instant::now(), 0);
    while started.elapsed() < span {
        answer.clear();
        input.write_all(question.as_bytes()).unwrap();
        output.read_line(&mut answer).unwrap();
        count += 1;
    }
    let seconds = started.elapsed().as_secs_f64();
    drop(input);
    child.wait().unwrap();
    (count, seconds)
}

/// Whole matches of the template as the foxes against random hens, and of random foxes.
fn matches(argv: &[&str], folder: &Path) {
    let python = Cost::of(|span| {
        let programs = player(argv, folder);
        let done = played(span, "python", &programs);
        close(&programs);
        done
    });
    let built_in = Cost::of(|span| played(span, "random", &ProgramSet::default()));
    python.print("Python player from `etude init`, in matches", "moves");
    built_in.print("built-in random player, in matches", "moves");
    println!(
        "a move in Python costs {:.0} times a built-in random one, both with a reply of the hens",
        python.each() / built_in.each()
    );
}

/// Moves of the foxes in matches of a while, and the seconds they took.
fn played(span: Duration, fox: &str, programs: &ProgramSet) -> (u64, f64) {
    let spec = etude::foxes::GAME.tasks.iter();
    let spec = spec.clone().find(|spec| spec.name == "foxes/match");
    let spec = spec.unwrap();
    let plies = spec
        .metrics
        .iter()
        .position(|metric| metric.name == "plies");
    let params = Params::defaults(&spec.params).with_text("fox", fox);
    let params = params.with_text("hens", "random");
    let task = programs.task(spec, &params).unwrap();
    let (mut workspace, mut row) = (Workspace::new(), Row::new());
    let mut worker = task.worker(&Streams::new(1), &mut workspace);
    let (started, mut moves) = (Instant::now(), 0);
    for index in 0.. {
        row.clear();
        let draw = Draw {
            index,
            budget: Budget::UNLIMITED,
        };
        worker.sample(draw, &mut row).unwrap();
        if let Value::Exact(plies) = row.values()[plies.unwrap()] {
            moves += plies as u64 / 2;
        }
        if started.elapsed() >= span {
            break;
        }
    }
    (moves, started.elapsed().as_secs_f64())
}
