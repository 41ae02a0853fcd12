//! Tests of the whole way from text to experiment.

use super::coin::GAMES;
use super::*;
use kit::search::Budget;
use stats::{Extreme, Level, Relation};
use std::borrow::Cow::Borrowed;
use task::{Build, GameSpec, Metric, ParamSpec, Params, TaskSpec};

mod benchmarks;
mod laws;
mod messages;
mod stopping;
mod truths;
mod whole;

/// The smallest experiment.
const MINIMAL: &str = r#"question = "Is the coin fair?"
task = "coin/flip"
seed = 7
[stop]
samples = 1000
"#;

/// An experiment with something of everything.
const FULL: &str = r#"question = "Is the coin fair?"
task = "coin/flip"
seed = 7
level = 0.99

[params]
unresolved = 0

[budget]
nodes = 1_000

[stop]
samples = 1000

[sweep]
p = [0.5, 0.25, 1]
face = ["heads", "tails"]

[output]
samples = true

[[claims]]
source = "folklore"
text = "Heads lasts longer."
holds = "diff(heads, tails).run > 0"
where = "p=0.25"

[[claims]]
source = "folklore"
text = "No coin falls on the same face for ever."
holds = "run.q975 <= 1_9.5"
"#;

fn parse(text: &str) -> Result<Experiment, ConfigError> {
    Experiment::parse(text, "experiments/coin.toml", GAMES, &Overrides::default())
}

fn message(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

fn parsed(text: &str) -> Experiment {
    parse(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_smallest_file_gets_every_default() {
    let experiment = parsed(MINIMAL);
    assert_eq!(experiment.file.name, "coin");
    assert_eq!(
        (experiment.file.seed, experiment.level),
        (7, Level::DEFAULT)
    );
    assert_eq!(experiment.file.budgets(), [Budget::UNLIMITED]);
    assert_eq!(experiment.stop, StopRule::after(1000));
    assert_eq!(
        (experiment.file.analysis, experiment.file.output.samples),
        (None, false)
    );
    let [cell] = experiment.cells.as_slice() else {
        panic!("one cell");
    };
    assert_eq!((cell.name.as_str(), cell.swept.len()), ("all", 0));
    let defaults = Params::defaults(&experiment.task.params);
    assert_eq!(cell.params.to_json(), defaults.to_json());
}

#[test]
fn a_sweep_has_every_combination_with_the_first_axis_slowest() {
    let experiment = parsed(FULL);
    let names: Vec<&str> = experiment.cell_names().collect();
    let expected = [
        "p=0.5,face=heads",
        "p=0.5,face=tails",
        "p=0.25,face=heads",
        "p=0.25,face=tails",
        "p=1,face=heads",
        "p=1,face=tails",
    ];
    assert_eq!(names, expected);
    let axes: Vec<&String> = experiment.file.sweep.keys().collect();
    assert_eq!(axes, ["p", "face"]);
    let last = experiment.cells.last().unwrap();
    assert_eq!(last.params.number("p"), Ok(1.0));
    assert_eq!(last.params.text("face"), Ok("tails"));
    assert_eq!(last.params.text("engraving"), Ok(""));
    assert!(experiment.task.build(&last.params).is_ok());
}

#[test]
fn the_cells_of_one_axis_are_named_by_their_value() {
    let experiment = parsed(&format!(
        "{MINIMAL}[sweep]\nengraving = ['a, b', '', 'c']\n"
    ));
    let names: Vec<&str> = experiment.cell_names().collect();
    assert_eq!(names, ["a, b", "engraving=", "c"]);
}

#[test]
fn a_claim_is_tested_on_the_cells_it_selects() {
    let experiment = parsed(FULL);
    let [pairs, quantile] = [0, 1].map(|index| experiment.claims[index].spec().unwrap());
    let pair = ClaimTarget::Pair(CellPair {
        first: 2,
        second: 3,
    });
    assert_eq!(experiment.targets(pairs), [pair]);
    assert_eq!(experiment.targets(quantile).len(), 6);
    assert_eq!(quantile.test.number(), 19.5);
}

#[test]
fn a_difference_pairs_cells_that_agree_on_every_other_axis() {
    let text = FULL.replace("diff(heads, tails)", "diff(1, 0.5)");
    let experiment = parsed(&text.replace("where = \"p=0.25\"\n", ""));
    let pairs = experiment.targets(experiment.claims[0].spec().unwrap());
    let expected = [(4, 0), (5, 1)].map(|(first, second)| CellPair { first, second });
    assert_eq!(pairs, expected.map(ClaimTarget::Pair));
}

#[test]
fn the_command_line_overrides_the_file() {
    let overrides = Overrides {
        samples: Some(5),
        seed: Some(u64::MAX),
        ..Overrides::default()
    };
    let bare = "question = 'q'\ntask = 'coin/flip'\n";
    for text in [MINIMAL, bare] {
        let experiment = Experiment::parse(text, "coin.toml", GAMES, &overrides).unwrap();
        assert_eq!(experiment.stop, StopRule::after(5));
        assert_eq!(experiment.file.seed, u64::MAX);
        assert_eq!(parsed(&experiment.resolved_toml()).file.seed, u64::MAX);
    }
}

#[test]
fn a_key_outranks_the_name_of_the_file() {
    let text = format!("name = 'flips-2'\n{MINIMAL}");
    assert_eq!(parsed(&text).file.name, "flips-2");
}

#[test]
fn a_name_that_windows_keeps_for_a_device_is_refused_everywhere() {
    for name in ["con", "nul", "aux", "prn", "com1", "lpt9"] {
        let refused = message(&format!("name = '{name}'\n{MINIMAL}"));
        assert!(refused.contains(name), "{refused}");
    }
    for name in ["con-1", "com0", "com10", "lpt", "nullity"] {
        assert!(parse(&format!("name = '{name}'\n{MINIMAL}")).is_ok());
    }
}

#[test]
fn lines_that_end_as_on_windows_make_the_same_experiment() {
    let text = format!("analysis = '''One line,\nand another.'''\n{FULL}");
    let [one, other] = [&text, &text.replace('\n', "\r\n")].map(|text| parsed(text));
    assert_eq!(one.resolved_toml(), other.resolved_toml());
    let analysis = other.file.analysis.as_deref();
    assert_eq!(analysis, Some("One line,\nand another."));
}

#[test]
fn the_example_of_the_manual_is_an_experiment() {
    let experiment = Experiment::parse(
        MANUAL,
        "experiments/klondike-casino.toml",
        &[&KLONDIKE],
        &Overrides::default(),
    );
    let experiment = experiment.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        experiment.file.analysis.as_deref(),
        Some("What surprised us.")
    );
    assert_eq!(experiment.file.name, "klondike-casino");
    assert_eq!(experiment.file.budgets(), [Budget::nodes(10_000_000)]);
    let subject = Subject::Metric {
        metric: 0,
        stat: Stat::Extreme(Extreme::Max),
    };
    let claim = experiment.claims[0].spec().unwrap();
    assert_eq!(claim.subject, subject);
    assert_eq!(claim.test.symbol(), Relation::AtMost.as_ref());
}

const MANUAL: &str = r#"#:schema ../schema.json
question = "How many cards does perfect play score, and what does the casino keep of each $55?"
task     = "klondike/score"        # game/task, from `etude list tasks`
seed     = 1978                    # required
level    = 0.95

[params]                           # the task's own, checked by the task
layout   = "yukon"
strategy = "optimal"

[budget]
nodes = 10_000_000                 # per sample; past it the sample is bounded, never dropped

[stop]
samples = 1_000_000

[sweep]                            # one cell for every combination, in file order
# strategy = ["optimal", "greedy", "random"]

[[claims]]
source = "Wetherell, ch. 19"
text   = "There are never more than seven possible moves."
holds  = "widest-position.max <= 7"

analysis = '''What surprised us.'''   # prose that travels with the numbers
"#;

/// The keys of the manual's example, over the coin.
static KLONDIKE: GameSpec = GameSpec {
    name: "klondike",
    summary: "",
    tasks: &[TaskSpec {
        name: Borrowed("klondike/score"),
        summary: Borrowed(""),
        sample: Borrowed(""),
        noun: Borrowed("sample"),
        is_random: true,
        params: Borrowed(&[text_param("layout"), text_param("strategy")]),
        metrics: Borrowed(&[Metric::integer("widest-position", "moves", (0, 99), "")]),
        contest: None,
        build: Build::By(|_| coin::GAME.tasks[0].build(&Params::new())),
    }],
    verbs: &[],
    players: &[],
};

/// A task of two texts, whose values can be mistaken for names.
static TWO_TEXTS: GameSpec = GameSpec {
    name: "two",
    summary: "",
    tasks: &[TaskSpec {
        name: Borrowed("two/texts"),
        summary: Borrowed(""),
        sample: Borrowed(""),
        noun: Borrowed("sample"),
        is_random: true,
        params: Borrowed(&[text_param("first"), text_param("second")]),
        metrics: Borrowed(&[]),
        contest: None,
        build: Build::By(|_| coin::GAME.tasks[0].build(&Params::new())),
    }],
    verbs: &[],
    players: &[],
};

const fn text_param(name: &'static str) -> ParamSpec {
    ParamSpec::text(name, "")
}

#[test]
fn a_cell_is_named_by_its_value_with_or_without_the_parameter() {
    for named in ["0.25", "p=0.25", "p = 0.250"] {
        let experiment = parsed(&format!(
            "answer = \"It lasts {{{named}:run}} flips.\"\n{MINIMAL}[sweep]\np = [0.5, 0.25]\n\
             [wager]\nmetric = \"run\"\nstake = 1\ncell = \"{named}\"\n[[claims]]\n\
             source = \"a\"\ntext = \"b\"\nholds = \"run.mean < 2\"\nwhere = \"{named}\"\n"
        ));
        let answer = experiment.file.answer.as_deref();
        assert_eq!(answer, Some("It lasts {0.25:run} flips."), "{named}");
        let claim = experiment.claims[0].spec().unwrap();
        assert_eq!(claim.selector.terms, [(0, 1)], "{named}");
        assert_eq!(experiment.wager.unwrap().cell, Some(1), "{named}");
        assert_eq!(experiment.cell_of(named), Some(1), "{named}");
    }
}

#[test]
fn parameters_that_change_together_are_one_axis_of_the_grid() {
    let experiment = parsed(&format!(
        "{MINIMAL}[sweep]\nzip = ['p', 'engraving']\np = {{ from = 0.25, to = 0.75, step = 0.25 }}\n\
         face = ['heads', 'tails']\nengraving = ['a', 'b', 'c']\n\
         [[claims]]\nsource = ''\ntext = 'more'\nholds = 'diff(p=0.5, p=0.25).heads > 0'\n"
    ));
    let names: Vec<&str> = experiment.cell_names().collect();
    assert_eq!(names.len(), 6);
    assert_eq!(names[3], "p=0.5,face=tails,engraving=b");
    let claim = experiment.claims[0].spec().unwrap();
    let pair = |first, second| ClaimTarget::Pair(CellPair { first, second });
    assert_eq!(experiment.targets(claim), [pair(2, 0), pair(3, 1)]);
    let again = parsed(&experiment.resolved_toml());
    assert_eq!(again.resolved_toml(), experiment.resolved_toml());
    assert_eq!(again.cell_hashes(), experiment.cell_hashes());
}
