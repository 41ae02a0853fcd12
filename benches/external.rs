//! What other people's programs cost: samples a second through the most trivial workers there are,
//! what of that is etude's own, and moves a second of a player in Python.
//!
//! Each figure is of one worker on one thread, printed beside its baseline of the same run: a line
//! for every sample. Needs python3 and cc.

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lab::external::command::{Asker, ProgramPool};
use lab::external::declaration::{Declaration, DeclaredMetric, DeclaredProgram};
use lab::external::ugi::UgiEngine;
use lab::external::wire::{self, Request};
use lab::rng::Streams;
use lab::search::Budget;
use lab::task::{Metric, Params, Row};

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

/// How long each figure is taken.
const SPAN: Duration = Duration::from_secs(2);

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    file("worker.py", PYTHON);
    file("worker.c", C);
    file("player.py", PLAYER);
    let compiled = std::process::Command::new("cc")
        .args(["-O2", "-o", "worker", "worker.c"])
        .current_dir(folder.path())
        .status();
    let python = python();
    workers(&[&python, "worker.py"], folder.path(), "Python worker");
    if compiled.is_ok_and(|status| status.success()) {
        workers(&["./worker"], folder.path(), "C worker");
    }
    own_cost();
    moves(&[&python, "player.py"], folder.path());
}

/// The interpreter itself; a shim in front of it would be measured, too.
fn python() -> String {
    let found = std::process::Command::new("python3")
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

fn columns() -> Vec<DeclaredMetric> {
    vec![DeclaredMetric {
        metric: Metric::total("value", "", ""),
        kind: "total",
        decimals: 0,
        min: None,
        max: None,
        truth: None,
    }]
}

fn workers(argv: &[&str], folder: &Path, name: &str) {
    let command = Arc::new(ProgramPool::new(Declaration {
        program: program(argv, folder),
        once: false,
        streams: vec!["seed".to_owned()],
        batch: 64,
        params: Vec::new(),
        columns: columns(),
    }));
    let asker = Asker::new(&command, &Params::new(), &Streams::new(1));
    let single = rate(1, |first, rows| {
        asker.draw(first, Budget::UNLIMITED, rows).unwrap()
    });
    let batch = rate(64, |first, rows| {
        asker.draw(first, Budget::UNLIMITED, rows).unwrap()
    });
    println!(
        "{name}: {batch:.0} samples/s at 64 a line, {single:.0} at one a line ({:.1} times)",
        batch / single
    );
}

/// Samples a second.
fn rate(count: usize, mut draw: impl FnMut(u64, &mut [Row])) -> f64 {
    let mut rows = vec![Row::new(); count];
    draw(0, &mut rows);
    let (started, mut drawn) = (Instant::now(), 0);
    while started.elapsed() < SPAN {
        draw(drawn, &mut rows);
        drawn += count as u64;
    }
    drawn as f64 / started.elapsed().as_secs_f64()
}

/// A request written and its answer read, without any process.
fn own_cost() {
    let streams = [("seed".to_owned(), Streams::new(1).key("seed"))];
    let columns = columns();
    let values = vec!["[12345]"; 64].join(",");
    let answer = format!("{{\"id\":17,\"rows\":[{values}]}}");
    let mut line = Vec::new();
    let samples = rate(64, |first, rows| {
        line.clear();
        let request = Request {
            id: 17,
            verb: "draw",
            first,
            count: 64,
            params: "{\"load\":0.8}",
            streams: &streams,
            nodes: None,
        };
        request.write(&mut line);
        wire::read(answer.as_bytes(), &columns, rows).unwrap();
        black_box(&line);
    });
    println!(
        "etude's own cost at 64 a line: {:.0} ns a sample",
        1e9 / samples
    );
}

fn moves(argv: &[&str], folder: &Path) {
    let executable = program(argv, folder).locate().unwrap();
    let mut engine = UgiEngine::open(&executable, "player", Duration::from_secs(60)).unwrap();
    engine.begin().unwrap();
    let request = "position fen 3/3/2f1f2/hhhhhhh/hhhhhhh/hhh/hhh h 0 moves d4-d5 c5-c6 d5-d6\n\
                   go nodes 1000 searchmoves d4-d5 e4-e5 a4-a5 b4-b5 c4-c5 f4-f5 g4-g5\n";
    let (started, mut count) = (Instant::now(), 0);
    while started.elapsed() < SPAN {
        black_box(engine.choose(request).unwrap());
        count += 1;
    }
    let seconds = started.elapsed().as_secs_f64();
    println!("Python player: {:.0} moves/s", f64::from(count) / seconds);
}
