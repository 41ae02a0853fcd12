//! Programs written by people who read the protocol alone: unusual but legal styles all work, and
//! what is nearly an answer is told from noise. Needs python3.
#![cfg(unix)]

use crate::program::Bench;

/// A byte order mark, CRLF, blanks, blank lines, keys in another order and beyond the protocol's, numbers as
/// their language writes them, an answer in two writes, a slow end.
const WORKER: &str = r#"
import json, os, sys, time
style = sys.argv[1]
print("*** my simulation, version 2 ***", file=sys.stderr)

def say(text):
    if style == "windows":
        text = text.replace("\n", "\r\n")
    data = text.encode()
    half = len(data) // 2 if style == "split" else 0
    if half:
        os.write(1, data[:half])
        time.sleep(0.002)
    os.write(1, data[half:])

if style == "windows":
    os.write(1, b"\xef\xbb\xbf")
for line in iter(sys.stdin.readline, ""):
    request = json.loads(line)
    if "hello" in request:
        protocol = "1.0" if style == "numbers" else "1"
        say('  { "mood" : [null], "hello" : { "protocol" : %s, "author" : "me" } }  \n' % protocol)
        continue
    hexes = request["draw"]["seeds"]["seed"]
    rows = [[int(seed[:3], 16), seed[0] < "8"] for seed in hexes]
    if style == "rows":
        say(json.dumps({"id": request["id"], "rows": [row[0] for row in rows]}) + "\n")
    elif style == "numbers":
        rows = ", ".join("[%.3e, %.1f]" % (wait, late) for wait, late in rows)
        say('\n\n{"rows":[%s],"took":{"ms":0.5},"id":%d.0}\n' % (rows, request["id"]))
    else:
        say(json.dumps({"took": 1, "rows": rows, "id": request["id"]}, indent=None) + "\n")
time.sleep(0.5)
"#;

fn worker(style: &str) -> Bench {
    let bench = Bench::new();
    bench.write("worker.py", WORKER);
    bench.write(
        "worker.toml",
        &format!(
            "question = \"?\"\ntask = \"command\"\nseed = 9\n[command]\n\
             run = [\"python3\", \"worker.py\", \"{style}\"]\nfiles = [\"worker.py\"]\n\
             [command.metrics]\n\
             wait = {{ kind = \"number\", min = 0, max = 4095, decimals = 2 }}\n\
             late = {{ kind = \"flag\" }}\n[stop]\nsamples = 200\n[output]\nsamples = true\n"
        ),
    );
    bench
}

/// Seed 9: a sample is the beginning of its seed, below 4096, so four digits are exact.
#[test]
fn workers_in_every_legal_style_give_the_same_samples() {
    let samples = |style: &str| {
        let bench = worker(style);
        let run = ["run", "worker.toml", "--out", "out", "--quiet"];
        bench.run(&run).check(0, &[]);
        std::fs::read_to_string(bench.path("out/samples.csv")).unwrap()
    };
    let plain = samples("plain");
    assert_eq!(plain.lines().count(), 201);
    for style in ["windows", "split", "numbers"] {
        assert_eq!(samples(style), plain, "{style}");
    }
}

#[test]
fn rows_that_are_no_lists_are_not_called_noise() {
    let bench = worker("rows");
    bench.run(&["run", "worker.toml", "--quiet"]).check(
        1,
        &[
            "which is JSON and not an answer (invalid type: integer ",
            "with a list of values for each sample",
        ],
    );
}

/// Speaks first, answers what it does not know, needs `uginewgame`, thinks aloud, writes moves in
/// capitals and CRLF, ignores `quit` and ends with its input.
const ENGINE: &str = r#"
import sys, time
print("Stranger 2.0 by me", flush=True)
time.sleep(0.1)
match = None
for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":
        answer = ["id name Stranger", "option name Hash type spin default 16 min 1 max 64",
                  "option name Clear Hash type button", "ugiok"]
    elif words[0] == "uginewgame":
        match, answer = {}, []
    elif words[0] == "isready":
        answer = ["readyok"]
    elif words[0] == "position":
        match["position"], answer = line, []
    elif words[0] == "go":
        legal = words[words.index("searchmoves") + 1:]
        answer = ["info depth 1 score cp 12 nodes 33 pv " + legal[-1], "info string hm",
                  "bestmove  " + legal[-1].upper() + " ponder a1-a2"]
    else:
        answer = ["Unknown command: " + line.strip()]
    sys.stdout.write("".join(text + "\r\n" for text in answer))
    sys.stdout.flush()
"#;

#[test]
fn an_engine_of_other_habits_plays_and_obeys() {
    let bench = Bench::new();
    bench.write("stranger.py", ENGINE);
    bench.write(
        "match.toml",
        "question = \"?\"\ntask = \"foxes/match\"\nseed = 9\n[params]\nfox = \"stranger\"\n\
         hens = \"stranger\"\n[players.stranger]\nrun = [\"python3\", \"stranger.py\"]\n\
         files = [\"stranger.py\"]\n[stop]\nsamples = 5\n",
    );
    let run = ["run", "match.toml", "--out", "out", "--quiet"];
    bench.run(&run).check(0, &[]);
    bench.run(&["verify", "out"]).check(0, &["sound"]);
    let check = bench.run(&["check", "--player", "python3 stranger.py"]);
    check.check(0, &[]);
    assert!(check.data.contains("(Stranger; options Hash, Clear Hash)"));
}

#[test]
fn a_parameter_has_its_own_type_in_the_description_of_the_tables() {
    let bench = worker("plain");
    let text = std::fs::read_to_string(bench.path("worker.toml")).unwrap();
    let params = "[command.params]\nload = { kind = \"number\", default = 0.5 }\n\
                  servers = { kind = \"integer\", default = 2 }\n[command.metrics]";
    bench.write("typed.toml", &text.replace("[command.metrics]", params));
    let run = ["run", "typed.toml", "--out", "typed", "--quiet"];
    bench.run(&run).check(0, &[]);
    let package = std::fs::read_to_string(bench.path("typed/datapackage.json")).unwrap();
    for (name, kind) in [("load", "number"), ("servers", "integer")] {
        let field = format!("{{\"name\":\"{name}\",\"type\":\"{kind}\",");
        assert!(package.contains(&field), "no {field} in {package}");
    }
    // What all runs have is described in the book alone.
    assert!(
        package.contains("\"description\":\"Parameter of the task"),
        "{package}"
    );
    assert!(!package.contains("Monte Carlo standard error"), "{package}");
    // `frictionless validate` refuses this profile unless each table has one of its own.
    assert!(!package.contains("tabular-data-package"), "{package}");
    bench.run(&["verify", "typed"]).check(0, &["sound"]);
}
