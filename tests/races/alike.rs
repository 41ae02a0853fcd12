//! One program under three names, and programs of known ratios, as real processes: how often a race calls
//! equal ones different.
#![cfg(unix)]

use std::process::{Child, Command};

use crate::program::{Bench, Ending};

/// A way to answer, and the work of an answer.
#[derive(Clone, Copy, Debug)]
struct Way {
    name: &'static str,
    /// The experiment up to its contenders.
    head: &'static str,
    /// The lines of contenders, in order.
    contenders: [&'static str; 3],
}

const INSIDE: [&str; 3] = [""; 3];
const WORKER: [&str; 3] = ["run = [\"ETUDE\", \"worker\"]\n"; 3];
const ONCE: [&str; 3] = ["once = [\"sh\", \"count.sh\", \"200\"]\n"; 3];
const ONCE_LONGER: [&str; 3] = ["once = [\"sh\", \"count.sh\", \"14000\"]\n"; 3];

const MICROSECOND: &str = "task = \"queens/automaton\"\n[params]\nn = 4\nversion = \"bitmask\"\n";
const TEN: &str = "task = \"queens/automaton\"\n[params]\nn = 6\nversion = \"bitmask\"\n";
const HUNDRED: &str = "task = \"queens/automaton\"\n[params]\nn = 8\nversion = \"automaton-4\"\n";
const MILLISECOND: &str =
    "task = \"queens/automaton\"\n[params]\nn = 9\nversion = \"automaton-4\"\n";
const TEN_MILLISECONDS: &str =
    "task = \"queens/automaton\"\n[params]\nn = 13\nversion = \"bitmask\"\n";
const LADDER: [&str; 5] = [MICROSECOND, TEN, HUNDRED, MILLISECOND, TEN_MILLISECONDS];
const COMMAND: &str = "task = \"command\"\n[command]\nversion = \"1\"\n\
                       metrics = { value = { kind = \"integer\", min = 0, max = 9 } }\n";

/// The program that is started for every instance: it counts, and answers.
const COUNT: &str = "i=0\nwhile [ $i -lt $1 ]; do i=$((i+1)); done\necho 5\n";

impl Way {
    const TINY_WORKER: Self = Self::new("worker", TEN, WORKER);

    const fn new(name: &'static str, head: &'static str, contenders: [&'static str; 3]) -> Self {
        Self {
            name,
            head,
            contenders,
        }
    }

    fn write(self, bench: &Bench, instances: u64) {
        let mut text = format!("question = \"Which is faster?\"\nseed = 1\n{}", self.head);
        // Beside a contender called `new` the cell does not race itself.
        for (name, table) in ["new", "same", "twin"].into_iter().zip(self.contenders) {
            let table = table.replace("ETUDE", env!("CARGO_BIN_EXE_etude"));
            text += &format!("[contenders.{name}]\n{table}");
        }
        text += &format!("[bench]\ncap = {{ cpu = 1 }}\n[stop]\nsamples = {instances}\n");
        bench.write("race.toml", &text);
        bench.write("count.sh", COUNT);
    }
}

/// The pairs of races that were judged, and those among them that were called different, or missed the
/// truth.
#[derive(Clone, Copy, Debug, Default)]
struct Judged {
    pairs: u32,
    different: u32,
    missed: u32,
}

impl Judged {
    /// The share called different, and as much as a share of 5 % may be over by chance.
    fn holds(self) -> bool {
        let n = f64::from(self.pairs.max(1));
        f64::from(self.different) <= n * (0.05 + 3.0 * (0.05 * 0.95 / n).sqrt())
    }

    fn share(self) -> String {
        let share = 100.0 * f64::from(self.different) / f64::from(self.pairs.max(1));
        format!("{share:.1} %")
    }
}

/// A race of this seed, with more arguments.
fn run_race(bench: &Bench, seed: u64, more: &[&str]) -> Ending {
    let seed = seed.to_string();
    let line = [
        "bench",
        "race.toml",
        "--out",
        "out",
        "--force",
        "--quiet",
        "--seed",
        &seed,
    ];
    bench.run(&[&line, more].concat())
}

/// The judgements of the race that was run: of its pairs the medians, the shares of faster answers and the totals,
/// and the median with the control.
fn judgements(bench: &Bench, truth: f64) -> [Judged; 4] {
    let text = std::fs::read_to_string(bench.path("out/clock/speed.csv")).unwrap();
    let mut judged = [Judged::default(); 4];
    for row in text
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect::<Vec<_>>())
    {
        let at = ["median", "faster", "total"]
            .iter()
            .position(|name| *name == row[2]);
        let [lo, hi] = [4, 5].map(|column| row[column].parse::<f64>().ok());
        if let (Some(at), Some(lo), Some(hi), true) = (at, lo, hi, row[0] >= row[1]) {
            let even = if row[2] == "faster" { 0.5 } else { 1.0 };
            let is_control = row[0] == row[1];
            let truth = if is_control { 1.0 } else { truth };
            let at = match (is_control, at) {
                (true, 0) => 3,
                (true, _) => continue,
                (false, at) => at,
            };
            judged[at].pairs += 1;
            judged[at].different += u32::from(!(lo..=hi).contains(&even));
            judged[at].missed += u32::from(!(lo..=hi).contains(&truth));
        }
    }
    judged
}

/// The judgements of these races, and the time of an answer in the last.
fn judged(way: Way, (first, races): (u64, u64), instances: u64) -> ([Judged; 4], f64) {
    let bench = Bench::new();
    way.write(&bench, instances);
    let mut sums = [Judged::default(); 4];
    for seed in first..first + races {
        let ending = run_race(&bench, seed, &[]);
        assert_eq!(ending.code, Some(0), "{}", ending.said);
        for (sum, one) in sums.iter_mut().zip(judgements(&bench, 1.0)) {
            sum.pairs += one.pairs;
            sum.different += one.different;
            sum.missed += one.missed;
        }
    }
    (sums, answer_time(&bench))
}

/// Seeds 1 to 8. Twenty of twenty such medians were called different before starts were sampled and the
/// control was an entrant; eight of 32 are allowed here, where one in twenty may be.
#[test]
fn one_program_under_three_names_is_not_called_different() {
    let ([medians, .., controls], _) = judged(Way::TINY_WORKER, (1, 8), 20);
    assert_eq!((medians.pairs, controls.pairs), (24, 8));
    let different = medians.different + controls.different;
    assert!(different <= 8, "{medians:?} {controls:?}");
}

/// A neighbour that takes a processor for itself.
struct Neighbour(Child);

impl Neighbour {
    fn new() -> Self {
        let spin = ["-c", "while :; do :; done"];
        Self(Command::new("sh").args(spin).spawn().unwrap())
    }
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The processor time of an answer in the race that was run, in microseconds: the median over all entrants.
fn answer_time(bench: &Bench) -> f64 {
    let text = std::fs::read_to_string(bench.path("out/clock.csv")).unwrap();
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
    let mut times = rows
        .map(|row: csv::Result<Clocked>| row.unwrap())
        .map(|row| 1e6 * (row.user + row.system))
        .collect::<Vec<_>>();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[derive(serde::Deserialize)]
struct Clocked {
    user: f64,
    system: f64,
}

/// Rows of the table of book/src/appendix/coverage.md, beside no neighbour and a busy one. `ETUDE_RACES` races a row,
/// 200 unless it is set; seeds from 1,000 on.
fn print_rates(ways: &[Way]) {
    let races = races();
    let mut beyond = Vec::new();
    println!(
        "| asked | us an answer | neighbour | races | medians | faster answers | totals | controls | seconds a race |"
    );
    for (way, busy) in ways.iter().flat_map(|way| [(*way, false), (*way, true)]) {
        let neighbour = busy.then(Neighbour::new);
        let begun = std::time::Instant::now();
        let (found, work) = judged(way, (1_000, races), 30);
        let seconds = begun.elapsed().as_secs_f64() / races as f64;
        drop(neighbour);
        let busy = if busy { "busy" } else { "none" };
        let [medians, signs, totals, controls] = found.map(Judged::share);
        let name = way.name;
        println!(
            "| {name} | {work:.0} | {busy} | {races} | {medians} | {signs} | {totals} | {controls} | {seconds:.1} |"
        );
        if !found.into_iter().all(Judged::holds) {
            beyond.push((way, found));
        }
    }
    assert!(beyond.is_empty(), "{beyond:?}");
}

#[test]
#[ignore = "an hour: the measured rates of the appendix"]
fn the_rates_of_real_processes_inside() {
    print_rates(&LADDER.map(|head| Way::new("inside", head, INSIDE)));
}

#[test]
#[ignore = "an hour: the measured rates of the appendix"]
fn the_rates_of_real_processes_as_workers() {
    print_rates(&LADDER.map(|head| Way::new("worker", head, WORKER)));
}

#[test]
#[ignore = "half an hour: the measured rates of the appendix"]
fn the_rates_of_real_processes_started_once() {
    print_rates(&[ONCE, ONCE_LONGER].map(|contenders| Way::new("once", COMMAND, contenders)));
}

/// Races a row: `ETUDE_RACES`, 200 unless it is set.
fn races() -> u64 {
    let races = std::env::var("ETUDE_RACES").ok();
    races.and_then(|text| text.parse().ok()).unwrap_or(200)
}

/// Two workers that spin for times of a known ratio: the second table of the same section. Seeds from 2,000 on. The
/// spinning includes what a worker takes beside it.
#[test]
#[ignore = "half an hour: the measured rates of the appendix"]
fn true_ratios_of_real_processes() {
    println!("| ratio | spread | instances | races | found | missed | fails above it |");
    for (ratio, spread, instances) in [(1.02, 0.0, 300), (1.3, 0.0, 30), (2.0, 0.5, 30)] {
        let bench = Bench::new();
        write_spinners(&bench, ratio, spread, instances);
        let claim = format!("ratio(two, one).median > {ratio}");
        let (mut found, mut failed) = (Judged::default(), 0);
        for seed in 2_000..2_000 + races() {
            let ending = run_race(&bench, seed, &["--fail-if", &claim]);
            assert!(matches!(ending.code, Some(0 | 1)), "{}", ending.said);
            failed += u32::from(ending.code == Some(1));
            let [median, ..] = judgements(&bench, ratio);
            found.pairs += 1;
            found.different += median.different;
            found.missed += median.missed;
        }
        let share = |count: u32| 100.0 * f64::from(count) / f64::from(found.pairs);
        let [different, missed, failed] = [found.different, found.missed, failed].map(share);
        println!(
            "| {ratio} | {spread} | {instances} | {} | {different:.1} % | {missed:.1} % | {failed:.1} % |",
            found.pairs
        );
    }
}

/// About a millisecond an answer of the faster one.
fn write_spinners(bench: &Bench, ratio: f64, spread: f64, instances: u64) {
    let spinner = |name: &str, work: f64, spread: f64| {
        format!(
            "[contenders.{name}]\nrun = [\"python3\", \"racer.py\", \"{work}\", \"{spread}\"]\n"
        )
    };
    let spinners = spinner("one", 0.4, 0.0) + &spinner("two", 0.4 * ratio, spread);
    let metrics = "metrics = { value = { kind = \"integer\", min = 0, max = 9 } }";
    bench.write("racer.py", include_str!("../external/racer.py"));
    bench.write(
        "race.toml",
        &format!(
            "question = \"Which is faster?\"\ntask = \"command\"\nseed = 1\n[command]\nfiles = [\"racer.py\"]\n\
             {metrics}\n{spinners}[bench]\ncap = {{ cpu = 1 }}\n[stop]\nsamples = {instances}\n"
        ),
    );
}
