//! The calculator, stop rules and comparisons from the command line.

use crate::program::{Bench, Ending, assert_same_results};

fn stats(arguments: &str) -> Ending {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    Bench::new().run(&[&["stats"][..], &arguments].concat())
}

/// The fields of the only row of a table in CSV.
fn row(ending: &Ending) -> Vec<String> {
    ending.check(0, &[]);
    let line = ending.data.lines().nth(1).unwrap_or_default();
    line.split(',').map(str::to_owned).collect()
}

#[test]
fn the_calculator_repeats_the_golden_match() {
    let elo = row(&stats("elo --pairs 379,10170,21828,10640,343 --format csv"));
    assert!(elo[4].starts_with("1.59456"), "{elo:?}");
}

#[test]
fn a_match_lost_to_nil_has_an_upper_bound_and_no_other_number() {
    let elo = row(&stats("elo --wdl 0,0,200 --format csv"));
    assert_eq!([&elo[4], &elo[5]], ["", ""]);
    assert!(elo[6].parse::<f64>().unwrap() < -500.0, "{elo:?}");
}

/// Seed 5. A match in which draws prevail has the same Elo with the same limits in `ratings.csv` and in the
/// calculator.
#[test]
fn the_same_games_have_the_same_elo_in_a_run_and_in_the_calculator() {
    let bench = Bench::new();
    let text = "question = \"?\"\ntask = \"foxes/round-robin\"\nseed = 5\n[params]\nfox = \"arsac\"\n\
                hens = \"safe\"\n[stop]\nsamples = 200\n";
    bench.write("match.toml", text);
    let run = bench.run(&["run", "match.toml", "--out", "match", "--quiet"]);
    run.check(0, &[]);
    let column = |table: &str, row: &str, names: &[&str]| -> Vec<f64> {
        let text = std::fs::read_to_string(bench.path("match").join(table)).unwrap();
        let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let header = lines.next().unwrap();
        let fields = lines.find(|fields| fields.contains(&row)).unwrap();
        let place = |name: &&str| header.iter().position(|column| column == name).unwrap();
        let fields = names
            .iter()
            .map(|name| fields[place(name)].parse().unwrap());
        fields.collect()
    };
    let games = ["foxes-win", "unfinished", "hens-win"]
        .map(|metric| 200.0 * column("summary.csv", metric, &["mean"])[0]);
    assert!(games[1] > 100.0, "{games:?}");
    let [won, drawn, lost] = games.map(|games| games.round().to_string());
    let elo = row(&stats(&format!(
        "elo --wdl {won},{drawn},{lost} --format csv"
    )));
    let limits = ["difference", "difference_lo", "difference_hi"];
    let (side, sign) = match column("ratings.csv", "hens", &["difference"])[0] {
        0.0 => ("fox", 1.0),
        _ => ("hens", -1.0),
    };
    let rated = column("ratings.csv", side, &limits);
    let mut rated = [rated[0], rated[1], rated[2]].map(|elo| sign * elo);
    rated[1..].sort_by(f64::total_cmp);
    for (rated, calculated) in rated.into_iter().zip(&elo[4..7]) {
        let calculated: f64 = calculated.parse().unwrap();
        assert!((rated - calculated).abs() < 1e-6, "{rated} {elo:?}");
    }
}

#[test]
fn intervals_and_sample_sizes_name_their_method_and_validity() {
    let ci = stats("ci --successes 100 --n 200 --format csv");
    for line in ["clopper-pearson,fixed-n", "beta-binomial,any-time"] {
        assert!(ci.data.contains(line), "{}", ci.data);
    }
    let mean = stats("ci --histogram 0:30,1:10,20:4 --min 0 --max 52 --format csv");
    for line in [
        "student-t-skewed",
        "betting,any-time",
        "empirical-bernstein,any-time",
    ] {
        assert!(mean.data.contains(line), "{}", mean.data);
    }
    // 1.96^2 / (4 * 0.01^2) = 9604, and 1 / 0.01 more for exact tails.
    let fields = row(&stats("samples --half-width 0.01 --p 0.5 --format csv"));
    let samples: u64 = fields[1].parse().unwrap();
    assert!((9_690..=9_710).contains(&samples), "{samples}");
}

/// Seed 7. Runs of a flag and of money stop within a tenth of what the calculator says, however far
/// the cap is, and `plan` says that the cap costs nothing.
#[test]
fn a_run_stops_where_the_calculator_says() {
    let bench = Bench::new();
    for (metric, target, column, limits) in [
        ("profit", "0.04", "mean", ""),
        ("score", "0.9", "sd", " --min 0 --max 52"),
    ] {
        let text = format!(
            "question = \"?\"\ntask = \"klondike/score\"\nseed = 7\n[params]\nstrategy = \"greedy\"\n\
             [stop.half-width]\nmetric = \"{metric}\"\ntarget = {target}\nmax-samples = 10000000\n"
        );
        bench.write("narrow.toml", &text);
        let plan = bench.run(&["plan", "narrow.toml"]);
        plan.check(0, &["tuned to the target", "the cap costs nothing"]);
        let run = bench.run(&["run", "narrow.toml", "--out", metric, "--quiet"]);
        run.check(0, &[]);
        let summary = std::fs::read_to_string(bench.path(metric).join("summary.csv")).unwrap();
        let mut lines = summary
            .lines()
            .map(|line| line.split(',').collect::<Vec<_>>());
        let header = lines.next().unwrap();
        let row = lines.find(|row| row.contains(&metric)).unwrap();
        let field = |name: &str| row[header.iter().position(|column| *column == name).unwrap()];
        let option = if column == "mean" { "--p" } else { "--sd" };
        let asked = format!("--half-width {target} {option} {}{limits}", field(column));
        let all = stats(&format!("samples {asked} --format csv"));
        let line = all.data.lines().find(|line| line.ends_with("any-time"));
        let planned: f64 = line.unwrap().split(',').nth(1).unwrap().parse().unwrap();
        let drawn: f64 = field("n").parse().unwrap();
        assert!(
            (drawn / planned - 1.0).abs() < 0.1,
            "{metric}: {drawn} {planned}"
        );
    }
}

/// Seeds 11 and 12. A run of as many samples as the calculator asks for, of a share and of cards whose spread a
/// smaller run has found, shows an interval as narrow as was wished, within the error of that spread.
#[test]
fn a_run_of_the_advised_size_is_as_precise_as_wished() {
    let bench = Bench::new();
    let text = "question = \"?\"\ntask = \"klondike/score\"\nseed = 11\n[params]\nstrategy = \"greedy\"\n\
                [stop]\nsamples = 4000\n";
    bench.write("deals.toml", text);
    let row_of = |out: &str, metric: &str| -> Vec<f64> {
        let summary = std::fs::read_to_string(bench.path(out).join("summary.csv")).unwrap();
        let mut lines = summary
            .lines()
            .map(|line| line.split(',').collect::<Vec<_>>());
        let header = lines.next().unwrap();
        let row = lines.find(|row| row.contains(&metric)).unwrap();
        let place = |name: &str| header.iter().position(|column| *column == name).unwrap();
        let fields = ["mean", "sd", "ci_lo", "ci_hi"].map(|name| row[place(name)]);
        fields.map(|field| field.parse().unwrap_or(0.0)).into()
    };
    let run = |out: &str, more: &[&str]| {
        let run = [&["run", "deals.toml", "--quiet", "--out", out][..], more].concat();
        bench.run(&run).check(0, &[]);
    };
    run("pilot", &[]);
    let histograms = std::fs::read_to_string(bench.path("pilot/histograms.csv")).unwrap();
    let scores = histograms
        .lines()
        .filter_map(|line| line.split_once(",score,"));
    let scores = scores.filter_map(|(_, rest)| rest.split(',').next()?.parse::<f64>().ok());
    let most = scores.fold(0.0, f64::max);
    for (metric, wish) in [("profit", 0.01), ("score", 0.7), ("score", 0.25)] {
        let [mean, sd, ..] = row_of("pilot", metric)[..] else {
            panic!("four numbers");
        };
        let spread = match metric {
            "profit" => format!("--p {mean}"),
            _ => format!(
                "--sd {sd} --mean {mean} --min 0 --max 52 --largest {}",
                most - mean
            ),
        };
        let advice = row(&stats(&format!(
            "samples --half-width {wish} {spread} --format csv"
        )));
        let out = format!("{metric}-{wish}");
        run(&out, &["--seed", "12", "--samples", &advice[1]]);
        let [.., lo, hi] = row_of(&out, metric)[..] else {
            panic!("four numbers");
        };
        let share = (hi - lo) / 2.0 / wish;
        assert!(
            (0.85..1.1).contains(&share),
            "{metric} {wish}: {share}, {advice:?}"
        );
    }
}

/// A normal limit for one success of 50 at this level is 130 times the exact one.
#[test]
fn intervals_that_do_not_hold_are_not_shown() {
    let rare = stats("ci --successes 1 --n 50 --level 0.99875 --format csv");
    let fields = row(&rare);
    assert_eq!(fields[6], "clopper-pearson");
    assert!((fields[3].parse::<f64>().unwrap() - 1.25e-5).abs() < 1e-7);
    let few = stats("ci --histogram 0:30,1:10,20:4 --min 0 --max 52 --format csv");
    assert!(!few.data.contains("student-t,"));
    stats("ci --histogram 3:50").check(1, &["all equal"]);
    stats("ci --histogram 3:50 --min 0 --max 9").check(0, &[]);
}

#[test]
fn unresolved_samples_beside_a_histogram_lie_anywhere_between_the_limits() {
    let asked = "ci --histogram 0:30,1:10,20:4 --min 0 --max 52 --format csv";
    let closed = row(&stats(asked));
    let open = stats(&format!("{asked} --unresolved 10"));
    assert_eq!(open.data.lines().count(), 4, "{}", open.data);
    let open = row(&open);
    assert_eq!([&open[0], &open[1], &open[2]], ["54", "10", ""]);
    let end = |fields: &[String], column: usize| fields[column].parse::<f64>().unwrap();
    // Of 54 samples ten may be 52, which alone makes a mean of 9.6.
    assert!(end(&open, 4) > 9.6 && end(&closed, 4) < 9.6, "{open:?}");
    let unknown = stats("ci --histogram 0:30,1:10,20:4 --unresolved 10");
    unknown.check(2, &["nothing is known of such samples", "--min, --max"]);
}

/// As samples are added, the half-width jumps up wherever one more success is expected: some smaller
/// numbers of samples are narrow enough, and some larger ones are not.
#[test]
fn a_planned_number_of_samples_suffices_and_so_does_every_larger_one() {
    for (p, half_width, level, samples) in [
        ("0.01", "0.01", "0.95", "499"),
        ("0.0001", "0.0005", "0.95", "5545"),
    ] {
        let asked = format!("samples --half-width {half_width} --p {p} --level {level}");
        let planned = stats(&format!("{asked} --format csv"));
        let fields = row(&planned);
        assert_eq!((&*fields[1], &*fields[2]), (samples, "clopper-pearson"));
    }
}

#[test]
fn counts_that_make_no_sense_are_refused() {
    for arguments in [
        "ci --successes 5 --n 4",
        "ci --successes 0 --n 0",
        "ci --histogram 3",
        "ci --histogram 9:1 --min 0 --max 5",
        "ci --histogram 0:30,1:10 --min 0",
        "ci --histogram 0:30,1:10 --max 1",
        "ci --successes 3 --n 10 --min 0 --max 1",
        "elo --pairs 1,2,3",
        "elo --wdl 0,0,0",
        "samples --half-width 0 --p 0.5",
        "samples --half-width 0.1",
    ] {
        stats(arguments).check(2, &[]);
    }
}

/// Seed 7.
const NARROW: &str = r#"question = "How many cards?"
task = "klondike/score"
seed = 7
[stop.half-width]
metric = "score"
target = 6.0
max-samples = 5000
[output]
samples = true
"#;

#[test]
fn a_run_stops_at_its_target_or_ends_inconclusive_at_the_cap() {
    let bench = Bench::new();
    bench.write("narrow.toml", NARROW);
    let found = bench.run(&["run", "narrow.toml", "--out", "one", "--threads", "1"]);
    found.check(0, &["half-width"]);
    bench
        .run(&["run", "narrow.toml", "--out", "two", "--threads", "3"])
        .check(0, &[]);
    assert_same_results(&bench.path("two"), &bench.path("one"));
    bench.run(&["verify", "one"]).check(0, &["sound"]);
    let again = bench.run(&["run", "narrow.toml", "--out", "one", "--resume"]);
    again.check(0, &["half-width"]);
    assert_same_results(&bench.path("two"), &bench.path("one"));
    let capped = bench.run(&["run", "narrow.toml", "--out", "cap", "--samples", "40"]);
    capped.check(3, &["inconclusive", "40 samples"]);
    let summary = std::fs::read_to_string(bench.path("cap/summary.csv")).unwrap();
    assert!(summary.contains("any-time,max-samples"), "{summary}");
    bench.run(&["verify", "cap"]).check(0, &["sound"]);
}

/// Seed 7. A cap reached before the question is settled can be raised: what is there is used, and
/// the folder becomes that of a run which had the larger cap from the start.
#[test]
fn a_run_stopped_at_its_cap_goes_on_under_a_larger_one() {
    let bench = Bench::new();
    let narrow = NARROW.replace("target = 6.0", "target = 2.5");
    bench.write("narrow.toml", &narrow);
    let run = |out: &str, more: &[&str]| {
        let always = ["run", "narrow.toml", "--quiet", "--out", out];
        bench.run(&[&always[..], more].concat())
    };
    run("fresh", &[]).check(0, &[]);
    for cap in ["70", "201"] {
        let out = format!("raised-{cap}");
        run(&out, &["--samples", cap]).check(3, &[]);
        run(&out, &["--resume"]).check(0, &[]);
        assert_same_results(&bench.path(&out), &bench.path("fresh"));
        let timings = std::fs::read_to_string(bench.path(&out).join("timings.csv")).unwrap();
        let drawn: u64 = timings
            .lines()
            .nth(1)
            .unwrap()
            .split(',')
            .nth(1)
            .unwrap()
            .parse()
            .unwrap();
        let summary = std::fs::read_to_string(bench.path("fresh/summary.csv")).unwrap();
        let place = summary.lines().next().unwrap().split(',');
        let place = place.into_iter().position(|column| column == "n");
        let settled = summary
            .lines()
            .nth(1)
            .unwrap()
            .split(',')
            .nth(place.unwrap());
        let settled: u64 = settled.unwrap().parse().unwrap();
        assert!(
            drawn <= settled + 2,
            "{drawn} drawn in all, {settled} needed"
        );
    }
}

#[test]
fn runs_of_one_seed_are_compared_pair_by_pair() {
    let bench = Bench::new();
    let file = |strategy: &str, seed: u32| {
        format!(
            "question = \"q\"\ntask = \"klondike/score\"\nseed = {seed}\n[params]\nstrategy = \"{strategy}\"\n[stop]\nsamples = 200\n[output]\nsamples = true\n"
        )
    };
    bench.write("best.toml", &file("optimal", 7));
    bench.write("random.toml", &file("random", 7));
    bench.write("other.toml", &file("random", 8));
    for name in ["best", "random", "other"] {
        let path = format!("{name}.toml");
        bench
            .run(&["run", &path, "--out", name, "--quiet"])
            .check(0, &[]);
    }
    let paired = bench.run(&["compare", "best", "random", "--format", "csv"]);
    paired.check(0, &[]);
    let line = paired
        .data
        .lines()
        .find(|line| line.contains(",score,"))
        .unwrap();
    let fields: Vec<&str> = line.split(',').collect();
    assert_eq!((fields[4], fields[5]), ("paired", "200"), "{line}");
    // The second run minus the first: a random player scores less.
    assert!(fields[8].parse::<f64>().unwrap() < 0.0, "{line}");
    assert!(line.ends_with(",A is larger"), "{line}");
    // Differences come first.
    let results = paired
        .data
        .lines()
        .skip(1)
        .map(|line| line.ends_with(" is larger"));
    assert!(
        results.is_sorted_by(|one, next| one >= next),
        "{}",
        paired.data
    );
    // For people, narrow enough for any terminal, and what all rows share once.
    let told = bench.run(&["compare", "best", "random"]).data;
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[3].starts_with("metric ") && lines[3].ends_with(" result"));
    let mut rows = lines[3..].iter().take_while(|line| !line.is_empty());
    assert!(rows.all(|line| line.chars().count() < 60), "{told}");
    let shared =
        "\n\npaired, 200 samples, 95 %\npaired, 200 samples, no interval: the samples do not vary";
    assert!(told.contains(shared), "{told}");
    let reversed = bench.run(&["compare", "random", "best", "--format", "csv"]);
    let line = reversed.data.lines().find(|line| line.contains(",score,"));
    assert!(line.unwrap().ends_with(",B is larger"), "{}", reversed.data);
    let apart = bench.run(&["compare", "best", "other", "--format", "csv"]);
    apart.check(0, &["unpaired"]);
    assert!(apart.data.contains("independent,200"), "{}", apart.data);
    // Whoever cut a run short may have seen its numbers.
    for told in [",any-time,", ",enclosing,"] {
        let both = paired.data.clone() + &apart.data;
        assert!(!both.contains(told), "{both}");
    }
    let path = bench.path("random/manifest.json");
    let manifest = std::fs::read_to_string(&path).unwrap();
    let cut_short = manifest.replace(r#""complete""#, r#""interrupted""#);
    assert_ne!(manifest, cut_short);
    std::fs::write(&path, cut_short).unwrap();
    for (name, told) in [("best", ",any-time,"), ("other", ",enclosing,")] {
        let watched = bench.run(&["compare", name, "random", "--format", "csv"]);
        assert!(watched.data.contains(told), "{}", watched.data);
    }
}

/// A time without an interval is no result, and a cost says what it counts.
#[test]
fn no_cost_is_shown_for_more_than_it_is() {
    let bench = Bench::new();
    let file = "question = \"q\"\ntask = \"klondike/score\"\nseed = 7\n[stop]\nsamples = 60\n";
    bench.write("one.toml", file);
    bench.write("two.toml", &file.replace("= 7", "= 8"));
    for name in ["one", "two"] {
        let path = format!("{name}.toml");
        let made = bench.run(&["run", &path, "--out", name, "--quiet"]);
        made.check(0, &[]);
    }
    let compared = bench.run(&["compare", "one", "two", "--format", "csv"]);
    let header = compared.data.lines().next().unwrap();
    assert!(header.starts_with("first,"), "{header}");
    for word in ["speed", "clock", "time"] {
        assert!(!header.contains(word), "{header}");
    }
    let listed = bench.run(&["list", "experiments"]).data;
    let times: Vec<&str> = listed
        .lines()
        .filter(|line| line.contains("klondike") && !line.contains("-speed"))
        .collect();
    assert!(times.len() > 5, "{listed}");
    assert!(
        times.iter().all(|line| line.contains(" at most ")),
        "{listed}"
    );
    let metrics = bench.run(&["list", "metrics", "klondike/score"]).data;
    let nodes = metrics
        .lines()
        .find(|line| line.contains(" nodes "))
        .unwrap();
    assert!(
        nodes.contains("thinking") && nodes.contains("not counted"),
        "{nodes}"
    );
}
