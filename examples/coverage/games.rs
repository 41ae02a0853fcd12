//! Rows for games: what players have after many of them, ratings, Elo, and runs that stop by
//! looking. Each goes the way of the command, as in `places`.

use std::borrow::Cow::Borrowed;

use experiment::{Experiment, Overrides};
use kit::rng::{StreamKey, Streams, unit};
use lab::run::{StopReason, estimate, is_look};
use stats::{
    Bounded, Elo, Hypotheses, Level, Pairing, PayoffDistribution, Pentanomial, Ratings, Sampling,
    elo_of_score,
};
use task::{
    Build, Contest, Draw, GameSpec, Metric, ParamError, ParamSpec, Params, Replay, Row,
    SampleError, Tally, Task, TaskSpec, Value, Worker, Workspace,
};

use super::places::{Place, Ran, place};

/// Games whose every expectation is known.
static GAME: GameSpec = GameSpec {
    name: "chance",
    summary: "Games of known expectation",
    tasks: &[MONEY, MATCH],
    verbs: &[],
    players: &[],
};

const STAKE: i64 = 6;

const MONEY: TaskSpec = TaskSpec {
    name: Borrowed("chance/money"),
    summary: Borrowed("A game for money"),
    sample: Borrowed("one game"),
    noun: Borrowed("sample"),
    is_random: true,
    params: Borrowed(&[
        ParamSpec::number("p", 0.0..=1.0, "The chance to be paid").or_number(0.5),
        ParamSpec::number("q", 0.0..=1.0, "The chance that it is the large payment").or_number(0.0),
    ]),
    metrics: Borrowed(&[
        Metric::integer("pay", "$", (0, 60), "60, 10 or 0"),
        Metric::integer("net", "$", (-STAKE, 60 - STAKE), "the same less the stake"),
    ]),
    contest: None,
    build: Build::By(|params| {
        Ok(Box::new(Money {
            p: params.number("p")?,
            q: params.number("q")?,
        }))
    }),
};

const MATCH: TaskSpec = TaskSpec {
    name: Borrowed("chance/match"),
    summary: Borrowed("A match of known chances"),
    sample: Borrowed("one opening"),
    noun: Borrowed("sample"),
    is_random: true,
    params: Borrowed(&[
        ParamSpec::choice("white", &["a", "b"], "The first side"),
        ParamSpec::choice("black", &["c", "d"], "The second side"),
        ParamSpec::number("top", 0.0..=1.0, "How often a beats c").or_number(0.5),
        ParamSpec::number("shared", 0.0..=1.0, "How much the opening decides").or_number(0.0),
        ParamSpec::number("drawish", 0.0..=1.0, "The games drawn whoever plays").or_number(0.0),
        ParamSpec::flag("fixed", "Whether nothing is drawn").or_flag(false),
    ]),
    metrics: Borrowed(&[
        Metric::flag("win", "the first side wins"),
        Metric::flag("draw", "nobody wins"),
    ]),
    contest: Some(Contest {
        first: "white",
        second: "black",
        win: "win",
        draw: "draw",
    }),
    build: Build::By(|params| Ok(Box::new(Match::of(params)?))),
};

struct Money {
    p: f64,
    q: f64,
}

struct Match {
    chances: Chances,
    shared: f64,
    own: String,
    fixed: bool,
}

/// The share of games that nobody wins, of those the first side does not win and that are not drawn
/// whoever plays.
const DRAWN: f64 = 0.2;

/// The chances that the first side wins, and that nobody does.
struct Chances {
    win: f64,
    draw: f64,
}

fn chances(white: &str, black: &str, top: f64, drawish: f64) -> Chances {
    let (win, decided) = (wins(white, black, top), 1.0 - drawish);
    Chances {
        win: decided * win,
        draw: drawish + decided * DRAWN * (1.0 - win),
    }
}

impl Match {
    fn of(params: &Params) -> Result<Self, ParamError> {
        let (white, black) = (params.text("white")?, params.text("black")?);
        let (top, drawish) = (params.number("top")?, params.number("drawish")?);
        Ok(Self {
            chances: chances(white, black, top, drawish),
            shared: params.number("shared")?,
            own: format!("{white} {black}"),
            fixed: params.flag("fixed")?,
        })
    }
}

fn wins(white: &str, black: &str, top: f64) -> f64 {
    match (white, black) {
        ("a", "c") => top,
        ("a", _) => 0.55,
        (_, "c") => 0.35,
        _ => 0.45,
    }
}

enum Drawing<'task> {
    Money(&'task Money, StreamKey),
    Match(&'task Match, [StreamKey; 2]),
}

fn no_replay() -> Result<Replay, SampleError> {
    Ok(Replay {
        instance: String::new(),
        frames: Vec::new(),
        outcome: String::new(),
    })
}

impl Task for Money {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        Box::new(Drawing::Money(self, streams.key("money")))
    }

    fn replay(&self, _: &Streams, _: Draw) -> Result<Replay, SampleError> {
        no_replay()
    }
}

impl Task for Match {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        let keys = ["opening", &self.own].map(|purpose| streams.key(purpose));
        Box::new(Drawing::Match(self, keys))
    }

    fn replay(&self, _: &Streams, _: Draw) -> Result<Replay, SampleError> {
        no_replay()
    }
}

impl Worker for Drawing<'_> {
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        match self {
            Drawing::Money(game, key) => {
                let mut stream = key.stream(draw.index);
                let (paid, large) = (unit(&mut stream) < game.p, unit(&mut stream) < game.q);
                let payment = i64::from(paid) * if large { 60 } else { 10 };
                row.push(Value::Exact(payment));
                row.push(Value::Exact(payment - STAKE));
            }
            Drawing::Match(game, _) if game.fixed => {
                row.without_chance = true;
                row.push(Value::flag(game.chances.win > 0.5));
                row.push(Value::flag(game.chances.win == 0.5));
            }
            Drawing::Match(game, [opening, own]) => {
                let (mut opening, mut own) = (opening.stream(draw.index), own.stream(draw.index));
                let is_shared = unit(&mut own) < game.shared;
                let luck = unit(if is_shared { &mut opening } else { &mut own });
                let Chances { win, draw } = game.chances;
                row.push(Value::flag(luck < win));
                row.push(Value::flag((win..win + draw).contains(&luck)));
            }
        }
        Ok(())
    }
}

fn experiment(task: &str, tables: &str) -> Experiment {
    let text = format!("question = \"?\"\ntask = \"chance/{task}\"\nseed = 0\n{tables}");
    let parsed = Experiment::parse(&text, "x.toml", &[&GAME], &Overrides::default());
    parsed.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Every place.
pub fn places() -> Vec<Place> {
    let mut places = Vec::new();
    purses(&mut places);
    ratings(&mut places);
    extended(&mut places);
    calculator(&mut places);
    sequential(&mut places);
    narrowed(&mut places);
    without_chance(&mut places);
    places
}

/// A run of 300 games that is looked at, and one of which 40 have no limit of the chance after 1,000:
/// what has no interval in `purses.csv` has no number.
#[test]
fn purses_without_an_interval_have_no_number() {
    let wager = "[wager]\nmetric = \"pay\"\nstake = 6\ngames = 1000\n";
    let once = format!("[stop]\nsamples = 40\n{wager}");
    let watched =
        format!("[stop.half-width]\nmetric = \"pay\"\ntarget = 1.0\nmax-samples = 300\n{wager}");
    let mut shown = [0, 0];
    for tables in [once, watched] {
        let (header, rows) = records(&Ran::of(&experiment("money", &tables), 41).table("purses"));
        let at = |column: &str| header.iter().position(|name| name == column).unwrap();
        for row in rows {
            let filled = |column: &str| !row[at(column)].is_empty();
            assert_eq!(filled("ahead"), filled("ahead_lo"), "{row:?}");
            assert_eq!(filled("even"), filled("ahead_hi"), "{row:?}");
            for quantile in ["q05", "q25", "q50", "q75", "q95"] {
                assert_eq!(filled(quantile), filled("q50_lo"), "{row:?}");
            }
            shown[usize::from(filled("ahead"))] += 1;
        }
    }
    assert!(shown[0] >= 5 && shown[1] >= 2, "{shown:?}");
}

/// Returns whether the interval in two columns of a table's row misses; `None` if it is not shown.
fn misses(row: &[String], header: &[String], columns: [&str; 2], truth: f64) -> Option<bool> {
    let number = |column: &str| {
        let place = header.iter().position(|name| name == column).unwrap();
        row[place].parse::<f64>().ok()
    };
    let [lo, hi] = columns.map(number);
    let slack = 1e-6;
    let below = lo.is_some_and(|lo| lo > truth + slack);
    let above = hi.is_some_and(|hi| hi < truth - slack);
    (lo.is_some() || hi.is_some()).then_some(below || above)
}

/// The header and the rows of a table.
pub fn records(table: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut rows = table
        .lines()
        .map(|line| line.split(',').map(str::to_owned).collect());
    (rows.next().unwrap(), rows.collect())
}

fn purses(places: &mut Vec<Place>) {
    for (p, q, n) in [
        (0.5_f64, 0.0_f64, 30),
        (0.48, 0.0, 200),
        (0.7, 0.6, 100),
        (0.51, 0.02, 400),
    ] {
        for (metric, stake) in [("pay", STAKE), ("net", 0)] {
            let tables = format!(
                "[params]\np = {p}\nq = {q}\n[stop]\nsamples = {n}\n[wager]\n\
                 metric = \"{metric}\"\nstake = {stake}\ngames = 2\n"
            );
            let once = experiment("money", &tables);
            let counts = [1.0 - p, p * (1.0 - q), p * q].map(|share| (share * 1e9).round() as u64);
            let game =
                PayoffDistribution::of([0.0, 10.0, 60.0].into_iter().zip(counts), STAKE as f64)
                    .unwrap();
            let sampling = Sampling {
                samples: 1_000_000_000,
                level: Level::DEFAULT,
                limits: None,
            };
            for (place_of, games) in [1, 2, 10].into_iter().enumerate() {
                let truth = game.total_gain(games, &sampling).unwrap();
                for (what, columns, truth) in [
                    ("ahead", ["ahead_lo", "ahead_hi"], truth.ahead),
                    ("median", ["q50_lo", "q50_hi"], truth.quantiles[2]),
                ] {
                    // Gains are the same by either metric: one row of each is enough.
                    if (metric == "net") != (what == "ahead" && games == 2) {
                        continue;
                    }
                    let once = once.clone();
                    let name =
                        format!("purses, {what} of {games}, {metric}, p = {p}, q = {q}, n = {n}");
                    places.push(place(name, 2, move |seed| {
                        let (header, rows) = records(&Ran::of(&once, seed).table("purses"));
                        misses(&rows[place_of], &header, columns, truth)
                    }));
                }
            }
        }
    }
}

const PLAYERS: [(usize, &str); 4] = [(0, "a"), (1, "b"), (2, "c"), (3, "d")];

fn field(samples: u64, top: f64, shared: f64, drawish: f64) -> Experiment {
    let tables = format!(
        "[params]\ntop = {top}\nshared = {shared}\ndrawish = {drawish}\n[stop]\nsamples = {samples}\n[sweep]\n\
         white = [\"a\", \"b\"]\nblack = [\"c\", \"d\"]\n"
    );
    experiment("match", &tables)
}

/// The ratings that as good as infinitely many games give.
fn true_ratings(top: f64, drawish: f64) -> Ratings {
    let pairing = |first: usize, second: usize| {
        let Chances { win, draw } = chances(PLAYERS[first].1, PLAYERS[second].1, top, drawish);
        let count = |share: f64| (share * 1e12).round() as u64;
        Pairing {
            first,
            second,
            wins: count(win),
            draws: count(draw),
            losses: count(1.0 - win - draw),
        }
    };
    let games = [pairing(0, 2), pairing(0, 3), pairing(1, 2), pairing(1, 3)];
    Ratings::of(4, &games, None).unwrap()
}

/// Returns whether the rating of a player, or its difference to the reference, misses.
fn rating_misses(ran: &Ran, truth: &Ratings, seed: u64, difference: bool) -> Option<bool> {
    let (header, rows) = records(&ran.table("ratings"));
    let at = |column: &str| header.iter().position(|name| name == column).unwrap();
    let number = |name: &str| {
        PLAYERS
            .into_iter()
            .find(|player| player.1 == name)
            .unwrap()
            .0
    };
    let others = rows
        .iter()
        .filter(|row| !difference || !row[at("reference")].starts_with(&row[at("player")]));
    let others: Vec<_> = others.collect();
    let row = others[seed as usize % others.len()];
    let player = number(&row[at("player")]);
    let once = Level::DEFAULT.into();
    let elo = |gap: Elo| gap.value.unwrap();
    if !difference {
        return misses(
            row,
            &header,
            ["elo_lo", "elo_hi"],
            elo(truth.rating(player, once)),
        );
    }
    let reference = number(&row[at("reference")][..1]);
    let gap = elo(truth.difference(player, reference, once));
    misses(row, &header, ["difference_lo", "difference_hi"], gap)
}

fn ratings(places: &mut Vec<Place>) {
    for (samples, top, shared, drawish) in [
        (60, 0.5, 0.0, 0.0),
        (60, 0.5, 0.9, 0.0),
        (400, 0.8, 0.9, 0.0),
        (400, 0.999, 0.5, 0.0),
        (100, 0.97, 1.0, 0.0),
        (60, 0.9, 0.0, 0.5),
        (60, 0.3, 0.5, 0.9),
        (200, 1.0, 0.0, 0.95),
        (500, 0.8, 1.0, 0.8),
        (2_000, 0.99, 0.5, 0.95),
    ] {
        for (difference, what) in [(false, "ratings"), (true, "differences of ratings")] {
            let field = field(samples, top, shared, drawish);
            let truth = true_ratings(top, drawish);
            let drawn = match drawish {
                0.0 => String::new(),
                _ => format!("{} % drawn, ", 100.0 * drawish),
            };
            let name = format!("{what}, {drawn}a beats c in {top}, {shared} shared, n = {samples}");
            places.push(place(name, 4 + samples / 200, move |seed| {
                rating_misses(&Ran::of(&field, seed), &truth, seed, difference)
            }));
        }
    }
}

/// Ratings of a run that is extended until its limits miss.
fn extended(places: &mut Vec<Place>) {
    for top in [0.5, 0.97] {
        let stages: Vec<Experiment> = (0..5)
            .map(|stage| field(50 << stage, top, 0.5, 0.0))
            .collect();
        let truth = true_ratings(top, 0.0);
        let name = format!("ratings of a run extended to 100, 200, 400, 800, a beats c in {top}");
        places.push(place(name, 16, move |seed| {
            let mut ran = Ran::of(&stages[0], seed);
            let mut shown = None;
            for stage in &stages[1..] {
                ran.go_on(stage);
                shown = rating_misses(&ran, &truth, seed, true).or(shown);
                if shown == Some(true) {
                    break;
                }
            }
            shown
        }));
    }
}

/// `stats elo`: pairs or single games that end with each number of half points by these chances.
fn calculator(places: &mut Vec<Place>) {
    for (name, n, chances) in [
        (
            "10 games, no draws, score 0.5",
            10,
            [0.5, 0.0, 0.0, 0.0, 0.5],
        ),
        (
            "100 games, no draws, score 0.95",
            100,
            [0.05, 0.0, 0.0, 0.0, 0.95],
        ),
        (
            "400 games, no draws, score 0.98",
            400,
            [0.02, 0.0, 0.0, 0.0, 0.98],
        ),
        (
            "40 pairs of 3 or 4 half points",
            40,
            [0.0, 0.0, 0.0, 0.1, 0.9],
        ),
        (
            "200 pairs, nearly all drawn",
            200,
            [0.0, 0.005, 0.985, 0.01, 0.0],
        ),
    ] {
        let score: f64 = (0..5).map(|half| half as f64 / 4.0 * chances[half]).sum();
        let truth = elo_of_score(score).unwrap();
        places.push(place(format!("stats elo, {name}"), 1, move |seed| {
            let mut stream = Streams::new(seed).key("pairs").stream(0);
            let mut counts = [0; 5];
            for _ in 0..n {
                let mut luck = unit(&mut stream);
                let outcome = chances.iter().position(|chance| {
                    luck -= chance;
                    luck < 0.0
                });
                counts[outcome.unwrap_or(4)] += 1;
            }
            let pairs = Tally::Counts(Pentanomial::new(counts).half_points());
            let points = Metric::pair("points", "");
            let elo = Elo::of_score(&estimate(&points, &pairs, Level::DEFAULT.into()));
            let shown = elo.lo.is_some() || elo.hi.is_some();
            let missed = elo.lo.is_some_and(|lo| lo > truth) || elo.hi.is_some_and(|hi| hi < truth);
            shown.then_some(missed)
        }));
    }
}

/// Sequential tests at the hypothesis that they must not leave.
fn sequential(places: &mut Vec<Place>) {
    for (alpha, beta, p, rates, wrong) in [
        (0.05, 0.5, 0.3, "[0.3, 0.4]", StopReason::SprtUpper),
        (0.05, 0.05, 0.02, "[0.02, 0.04]", StopReason::SprtUpper),
        (0.5, 0.05, 0.4, "[0.3, 0.4]", StopReason::SprtLower),
    ] {
        let tables = format!(
            "[params]\ntop = {p}\nwhite = \"a\"\nblack = \"c\"\n[stop.sprt]\nmetric = \"win\"\n\
             rate = {rates}\nalpha = {alpha}\nbeta = {beta}\nmax-samples = 5000\n"
        );
        let test = experiment("match", &tables);
        let name = format!("sprt, alpha {alpha}, beta {beta}, {rates} at {p}");
        places.push(place(name, 8, move |seed| {
            let mut ran = Ran::before(&test, seed);
            let looks = (1..=5_000).filter(|&look| is_look(look, 5_000));
            looks
                .map(|look| ran.settled_at(look))
                .find(Option::is_some)
                .flatten()
                .map(|found| found == wrong)
        }));
    }
    let hypotheses = Hypotheses::Elo([0.0, 60.0]);
    let test = stats::Sprt {
        hypotheses,
        alpha: 0.05,
        beta: 0.5,
    };
    places.push(place(
        "sprt, alpha 0.05, beta 0.5, Elo 0 and 60 at 0",
        8,
        move |seed| {
            let mut stream = Streams::new(seed).key("pairs").stream(0);
            let mut pairs = Bounded::default();
            let decisions = (1..=2_000u64).map(|n| {
                pairs.push((unit(&mut stream) * 5.0) as i64);
                is_look(n, 2_000).then(|| test.decide(test.ratios(&pairs)))
            });
            use stats::Decision::{Inconclusive, Upper};
            let mut decided = decisions.flatten().filter(|found| *found != Inconclusive);
            decided.next().map(|found| found == Upper)
        },
    ));
}

/// Matches in which nothing is drawn: any interval or limit that is shown claims more than one match says.
fn without_chance(places: &mut Vec<Place>) {
    for samples in [2, 70, 400] {
        let text = format!(
            "[params]\nfixed = true\n[stop]\nsamples = {samples}\n[sweep]\nwhite = [\"a\", \"b\"]\n\
             black = [\"c\", \"d\"]\n"
        );
        let field = experiment("match", &text);
        let name = format!("summary and ratings, matches without chance, n = {samples}");
        places.push(place(name, 2, move |seed| {
            let ran = Ran::of(&field, seed);
            let summary = ran.outcome().cells;
            let (header, rows) = records(&ran.table("ratings"));
            let limits = ["elo_lo", "elo_hi", "difference_lo", "difference_hi"];
            let places = limits.map(|limit| header.iter().position(|name| name == limit));
            let has_limit =
                |row: &Vec<String>| places.iter().flatten().any(|&at| !row[at].is_empty());
            let is_shown = summary
                .iter()
                .flatten()
                .any(|found| found.interval.is_some());
            (is_shown || rows.iter().any(has_limit)).then_some(true)
        }));
    }
}

/// Runs that stop as soon as an interval is narrow enough, with a cap far beyond.
fn narrowed(places: &mut Vec<Place>) {
    for (p, target) in [(0.5, 0.05), (0.1, 0.04), (0.02, 0.03)] {
        let tables = format!(
            "[params]\ntop = {p}\nwhite = \"a\"\nblack = \"c\"\n[stop.half-width]\n\
             metric = \"win\"\ntarget = {target}\nmax-samples = 10000000\n"
        );
        let narrow = experiment("match", &tables);
        let name = format!("summary, stopped at a half-width of {target}, p = {p}");
        places.push(place(name, 8, move |seed| {
            let mut ran = Ran::before(&narrow, seed);
            let mut looks = (1..).filter(|&look| is_look(look, 10_000_000));
            looks.find(|&look| ran.settled_at(look).is_some())?;
            let found = ran.outcome().cells[0][0].interval?;
            Some(!found.contains(p))
        }));
    }
}
