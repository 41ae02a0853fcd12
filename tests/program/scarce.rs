//! Machines that give little: few threads and processes, small files. Refusals are errors like any
//! other, and what was stored goes on later.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::program::{Bench, Ending, assert_same_results};

const DEALS: &str = "question = \"?\"\ntask = \"klondike/score\"\nseed = 5\n\
    [budget]\nnodes = 2000\n[stop]\nsamples = 300\n";

const RACER: &str = include_str!("../external/racer.py");

/// An experiment, or a race of two, on a program.
fn of_app(runs: &str) -> String {
    format!(
        "question = \"?\"\ntask = \"command\"\nseed = 7\n\
         [command]\nfiles = [\"racer.py\"]\n{runs}\
         [command.metrics]\nvalue = {{ kind = \"integer\", min = 0, max = 9 }}\n\
         [stop]\nsamples = 8\n"
    )
}

const RUN: &str = "run = [\"python3\", \"racer.py\", \"0\"]\n";

/// A user whom nobody else is, so that a limit counts this program's threads alone.
const NOBODY: &str = "64123";

/// A copy of the program and a folder that any user may write.
struct Shared {
    bench: Bench,
    is_root: bool,
}

impl Shared {
    fn new() -> Self {
        let bench = Bench::new();
        bench.place_program("etude");
        let id = Command::new("id").arg("-u").output().unwrap();
        for folder in [&bench.path(""), bench.state()] {
            std::fs::set_permissions(folder, PermissionsExt::from_mode(0o777)).unwrap();
        }
        bench.write("deals.toml", DEALS);
        Self {
            bench,
            is_root: id.stdout == b"0\n",
        }
    }

    /// Runs the program as a user who may have so many threads and processes.
    fn run(&self, most: u32, arguments: &[&str]) -> Ending {
        let limit = format!("--nproc={most}");
        let user = ["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"];
        let mut command = Command::new("setpriv");
        command.args(if self.is_root { &user[..] } else { &[] });
        command
            .args(["prlimit", &limit])
            .arg(self.bench.path("etude"));
        command.args(arguments).current_dir(self.bench.path(""));
        command.env("XDG_STATE_HOME", self.bench.state());
        command.env("RAYON_NUM_THREADS", "3");
        Ending::of(&command.output().unwrap())
    }

    /// Runs a command within every small limit, in a folder of its own each time: where it does not
    /// end well, it says that threads or processes were missing. It ends well without a limit.
    fn refused(&self, arguments: &[&str]) {
        let own = |most: u32| {
            arguments
                .iter()
                .map(move |word| word.replace('#', &most.to_string()))
        };
        let run = |most| {
            let words: Vec<String> = own(most).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            self.run(most, &words)
        };
        run(1).check(1, &[]);
        for most in 1..=8 {
            let ending = run(most);
            if ending.code != Some(0) {
                ending.check(1, &["Resource temporarily unavailable"]);
            }
        }
        run(10_000).check(0, &[]);
    }
}

#[test]
fn a_run_without_threads_says_so_and_goes_on_later() {
    let shared = Shared::new();
    shared.refused(&["run", "deals.toml", "--threads=3", "--out=out#"]);
    let resume = ["run", "deals.toml", "--resume", "--out=out1"];
    shared.run(10_000, &resume).check(0, &[]);
    assert_same_results(&shared.bench.path("out1"), &shared.bench.path("out10000"));
}

#[test]
fn programs_that_cannot_be_started_are_told() {
    let shared = Shared::new();
    shared.bench.write("racer.py", RACER);
    shared.bench.write("alone.toml", &of_app(RUN));
    shared.refused(&["run", "alone.toml", "--threads=2", "--out=alone#"]);
    shared.refused(&["verify", "alone10000"]);
    let race = ["first", "second"].map(|name| format!("[contenders.{name}]\n{RUN}"));
    shared.bench.write("race.toml", &of_app(&race.concat()));
    shared.refused(&["bench", "race.toml", "--threads=2", "--out=race#"]);
}

#[test]
fn exact_work_without_threads_says_so() {
    let shared = Shared::new();
    let census = [
        "solve",
        "riddle",
        "--census",
        "--variant=makruk",
        "--rule=non-attacking",
    ];
    shared.refused(&census);
    let prove = [
        "prove",
        "foxes",
        "--board=strip",
        "--sacrifices=2",
        "--dir=proof#",
    ];
    shared.refused(&prove);
    shared.refused(&["prove", "foxes", "--dir=proof10000", "--check=100"]);
}

/// Without a word of the shell's about the signal, which would end the program silently.
#[test]
fn a_limit_on_files_is_an_error_of_the_write() {
    let bench = Bench::new();
    let script = "ulimit -f 0; exec \"$0\" list params > listed";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_etude")]);
    let ending = Ending::of(&shell.current_dir(bench.path("")).output().unwrap());
    ending.check(1, &["too large"]);
}

/// The most memory that a run of a sweep of ten cubed cells of random matches held, in bytes.
fn peak_of_sweep() -> u64 {
    let bench = Bench::new();
    let list = |first: u32| -> Vec<u32> { (first..first + 10).collect() };
    let sweep = format!(
        "question = \"?\"\ntask = \"foxes/match\"\nseed = 41\n[params]\nfox = \"random\"\n\
         hens = \"random\"\nmissing = 7\n[stop]\nsamples = 32\n[sweep]\nquiet = {:?}\n\
         repetition = {:?}\nopening = {:?}\n",
        list(1),
        list(2),
        list(0)
    );
    bench.write("wide.toml", &sweep);
    let run = ["run", "wide.toml", "--threads=2", "--quiet"];
    let mut running = bench.etude(&run).spawn().unwrap();
    // What `wait4` tells counts this process before it became the program, too.
    let status = format!("/proc/{}/status", running.id());
    let mut peak = 0;
    let ended = loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        peak = peak.max(kilobytes.unwrap_or(0));
        if let Some(ended) = running.try_wait().unwrap() {
            break ended;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    assert!(ended.success());
    1024 * peak
}

#[test]
fn a_thousand_cells_take_little_memory() {
    let most = peak_of_sweep();
    assert!((10_000_000..100_000_000).contains(&most), "{most} bytes");
}
