//! The cost of a wide sweep: memory that does not grow with samples or blocks, a small journal, a
//! page that opens. Measured on processes of their own: this program is its own command line, with
//! a coin for its only game. `cargo test -p etude-cli --release --test wide -- --ignored` tries the
//! goal, ten thousand cells of a thousand samples.

use task::coin;

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

const PROGRAM: task::Application = task::Application {
    name: "coin",
    about: "A Monte Carlo laboratory for a coin",
    version: env!("CARGO_PKG_VERSION"),
    revision: None,
    games: coin::GAMES,
    examples: "  coin run flips.toml",
    ..task::Application::LIBRARY
};

/// Set for the processes whose memory is measured.
const CHILD: &str = "ETUDE_WIDE_CHILD";

fn main() -> ExitCode {
    if std::env::var_os(CHILD).is_some() {
        return etude_cli::main(&PROGRAM);
    }
    let goal = std::env::args().any(|argument| argument == "--ignored");
    match (cfg!(target_os = "linux"), goal) {
        (true, true) => {
            memory_grows_with_cells_by_a_few_kilobytes_and_with_samples_not_at_all();
            ten_thousand_cells_of_a_thousand_samples();
        }
        _ => eprintln!("memory is measured on Linux, and on request alone: --ignored"),
    }
    ExitCode::SUCCESS
}

/// Seed 5: a coin bent in many ways.
fn sweep(cells: usize, samples: u64) -> String {
    let values: Vec<String> = (1..=cells)
        .map(|n| format!("{:?}", n as f64 / (cells + 1) as f64))
        .collect();
    format!(
        "question = \"How bent?\"\ntask = \"coin/flip\"\nseed = 5\n[stop]\nsamples = {samples}\n\
         [sweep]\np = [{}]\n",
        values.join(", ")
    )
}

/// Leaves the first half of a file, as a kill might.
fn cut_in_half(path: &Path) {
    let file = std::fs::File::options().write(true).open(path).unwrap();
    let length = file.metadata().unwrap().len();
    file.set_len(length / 2).unwrap();
}

/// Runs a command line and returns the most memory it held, in bytes.
fn peak(folder: &Path, arguments: &[&str]) -> u64 {
    let mut run = Command::new(std::env::current_exe().unwrap())
        .env(CHILD, "1")
        .args(arguments)
        .current_dir(folder)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", run.id());
    let mut most = 0;
    while run.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with("VmHWM:"));
        let held = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
        most = most.max(held.unwrap_or(0) * 1024);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let ended = run.wait().unwrap();
    assert!(ended.success(), "{arguments:?}: {ended}");
    most
}

/// Runs it, goes on from half of its journal, merges two shares of it, reports and verifies it; returns the most
/// memory that any of these held.
fn all_of_it(cells: usize, samples: u64) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("wide.toml"), sweep(cells, samples)).unwrap();
    let run = ["run", "wide.toml", "--quiet", "--threads", "2"];
    let with = |rest: &[&str]| peak(path, &[&run[..], rest].concat());
    let peaks = [
        with(&["--out", "whole"]),
        {
            cut_in_half(&path.join("whole/blocks.csv"));
            with(&["--out", "whole", "--resume"])
        },
        with(&["--out", "1", "--shard", "1/2"]),
        with(&["--out", "2", "--shard", "2/2"]),
        peak(path, &["merge", "merged", "1", "2", "--quiet"]),
        peak(path, &["report", "whole", "--html", "page.html"]),
        peak(path, &["report", "whole"]),
        peak(path, &["verify", "whole", "--samples", "1"]),
    ];
    for name in ["blocks.csv", "summary.csv", "pairs.csv", "histograms.csv"] {
        let read = |run: &str| std::fs::read(path.join(run).join(name)).unwrap();
        assert!(read("merged") == read("whole"), "{name}");
    }
    let page = std::fs::metadata(path.join("page.html")).unwrap().len();
    assert!(page < 5_000_000, "the page has {page} bytes");
    let journal = std::fs::metadata(path.join("whole/blocks.csv"))
        .unwrap()
        .len();
    let foreseen = foreseen(path);
    let disk = size(&path.join("whole"));
    assert!(
        (disk / 2..=2 * disk).contains(&foreseen),
        "{foreseen} foreseen, {disk} bytes"
    );
    let mb = |bytes: u64| bytes / 1_000_000;
    eprintln!(
        "foreseen: {} MB on disk, which takes {} MB",
        mb(foreseen),
        mb(disk)
    );
    eprintln!(
        "{cells} cells, {samples} samples: journal {} MB, page {} KB, peaks {:?} MB",
        mb(journal),
        page / 1000,
        peaks.map(mb)
    );
    peaks.into_iter().max().unwrap_or(0)
}

/// The bytes on disk that `plan` foresees.
fn foreseen(folder: &Path) -> u64 {
    let plan = Command::new(std::env::current_exe().unwrap())
        .env(CHILD, "1")
        .args(["plan", "wide.toml"])
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8(plan.stderr).unwrap();
    let line = said.lines().find(|line| line.contains(" on disk"));
    let mut words = line.unwrap_or_else(|| panic!("{said}")).split_whitespace();
    let [number, unit] = [words.nth(1), words.next()].map(Option::unwrap);
    let scale = match unit {
        "KB" => 1e3,
        "MB" => 1e6,
        unit => panic!("{unit}"),
    };
    (number.parse::<f64>().unwrap() * scale) as u64
}

/// Bytes of the files of a folder.
fn size(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).unwrap();
    files
        .map(|file| file.unwrap().metadata().unwrap().len())
        .sum()
}

fn memory_grows_with_cells_by_a_few_kilobytes_and_with_samples_not_at_all() {
    let narrow = all_of_it(10, 512);
    let wide = all_of_it(1_500, 512);
    let long = all_of_it(1_500, 2_048);
    let a_cell = (wide.saturating_sub(narrow)) / 1_490;
    assert!(a_cell < 64_000, "{a_cell} bytes a cell");
    assert!(long < wide + wide / 2, "{wide} bytes, then {long}");
}

/// The goal: on two cores within 200 MB and ten minutes.
fn ten_thousand_cells_of_a_thousand_samples() {
    let began = Instant::now();
    let most = all_of_it(10_000, 1_000);
    eprintln!("{} s for all of it", began.elapsed().as_secs());
    assert!(most < 200_000_000, "{most} bytes");
}
