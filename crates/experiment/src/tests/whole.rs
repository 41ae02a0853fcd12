//! Messages about a file as a whole, or about several of its parts at once.

use super::*;

#[test]
fn an_empty_file_is_answered_with_the_smallest_one() {
    insta::assert_snapshot!(message(" \r\n"), @r#"
    error: the file is empty
    --> experiments/coin.toml
     = help: an experiment needs at least
                 task = "game/task"
                 seed = 1
                 [stop]
                 samples = 1000
    "#);
}

#[test]
fn a_byte_order_mark_and_carriage_returns_do_not_shift_the_caret() {
    let text = format!("\u{feff}{}", FULL.replace('\n', "\r\n"));
    assert!(parse(&text).is_ok());
    insta::assert_snapshot!(message(&text.replace("seed = 7", "sede = 7")), @r#"
    error: unknown key `sede`
     --> experiments/coin.toml:3:1
      |
    3 | sede = 7
      | ^^^^
      |
      = help: did you mean `seed`?
    "#);
}

#[test]
fn a_missing_key_is_reported_before_all_else() {
    insta::assert_snapshot!(message("level = 0.5"), @r#"
    error: the key `task` is missing
    --> experiments/coin.toml
     = help: add `task = ...` above the first [table]
    "#);
}

#[test]
fn a_required_parameter_is_asked_for_at_the_task() {
    let text = MINIMAL.replace("coin/flip", "coin/spin");
    insta::assert_snapshot!(message(&text), @r#"
    error: `coin/spin` needs the parameter `turns`
     --> experiments/coin.toml:2:8
      |
    2 | task = "coin/spin"
      |        ^^^^^^^^^^^
      |
      = help: add to [params]: `turns = ...`, an integer from 1 to 100
    "#);
}

#[test]
fn a_second_analysis_is_refused_below_the_last_claim() {
    let text = format!("analysis = 'Fair.'\n{FULL}analysis = 'Not fair.'\n");
    insta::assert_snapshot!(message(&text), @r#"
    error: a second analysis
      --> experiments/coin.toml:33:12
       |
    33 | analysis = 'Not fair.'
       |            ^^^^^^^^^^^ expected one analysis; there is one above already
    "#);
}

#[test]
fn a_sweep_beyond_the_cap_says_how_large_it_is() {
    let list: Vec<String> = (0..101).map(|p| format!("0.{p:03}")).collect();
    let list = list.join(", ");
    let text = format!("{MINIMAL}[sweep]\np = [{list}]\nunresolved = [{list}]\n");
    insta::assert_snapshot!(message(&text).lines().next().unwrap(), @"error: the sweep has 10,201 cells, more than 10,000");
}

#[test]
fn cells_that_would_share_a_name_are_refused() {
    let sweep = "[sweep]\nfirst = ['x', 'x,second=y']\nsecond = ['y,second=z', 'z']\n";
    let text = MINIMAL.replace("coin/flip", "two/texts");
    let games: &[_] = &[&TWO_TEXTS];
    let error = Experiment::parse(
        &format!("{text}{sweep}"),
        "x.toml",
        games,
        &Overrides::default(),
    );
    insta::assert_snapshot!(error.unwrap_err().to_string(), @r#"
    error: two cells would have the name `first=x,second=y,second=z`
     --> x.toml:7:1
      |
    7 | first = ['x', 'x,second=y']
      | ^^^^^
      |
      = help: change a value that contains `,` or `=`
    "#);
}

#[test]
fn values_of_two_parameters_make_no_difference() {
    let text = FULL.replace("diff(heads, tails).run", "diff(heads, 0.5).run");
    insta::assert_snapshot!(message(&text), @r#"
    error: these are values of different parameters
      --> experiments/coin.toml:25:15
       |
    25 | holds = "diff(heads, 0.5).run > 0"
       |               ^^^^^^^^^^ expected two values of one swept parameter
    "#);
}

#[test]
fn values_of_more_than_one_parameter_need_its_name() {
    let sweep = "[sweep]\np = [0.5, 0.25]\nunresolved = [0.5, 0.25]\n";
    let claim = "[[claims]]\nsource = 's'\ntext = 't'\nholds = 'diff(0.5, 0.25).run > 0'\n";
    let text = format!("{MINIMAL}{sweep}{claim}");
    insta::assert_snapshot!(message(&text), @r#"
    error: these are values of more than one swept parameter
      --> experiments/coin.toml:12:15
       |
    12 | holds = 'diff(0.5, 0.25).run > 0'
       |               ^^^^^^^^^ expected `PARAMETER=A, PARAMETER=B`
    "#);
    assert!(parse(&text.replace("(0.5, 0.25)", "(p=0.5, p=0.25)")).is_ok());
}

#[test]
fn a_difference_without_a_sweep_has_nothing_to_subtract() {
    let claim = "[[claims]]\nsource = 's'\ntext = 't'\nholds = 'diff(a, b).run > 0'\n";
    insta::assert_snapshot!(message(&format!("{MINIMAL}{claim}")), @r#"
    error: there is nothing to subtract: the experiment sweeps no parameter
     --> experiments/coin.toml:9:15
      |
    9 | holds = 'diff(a, b).run > 0'
      |               ^^^^
      |
      = help: give the parameter to compare a list of values under [sweep]
    "#);
}

#[test]
fn a_wrong_override_is_named_as_on_the_command_line() {
    let overrides = Overrides {
        samples: Some(0),
        ..Overrides::default()
    };
    let error = Experiment::parse(MINIMAL, "coin.toml", GAMES, &overrides).unwrap_err();
    insta::assert_snapshot!(error.to_string(), @r#"
    error: `--samples` cannot be 0
    --> coin.toml
     = help: give a whole number from 1 to 10_000_000_000_000
    "#);
}

#[test]
fn a_file_name_that_is_no_name_is_reported_without_a_place() {
    let error = Experiment::parse(MINIMAL, "My Coin.toml", GAMES, &Overrides::default());
    insta::assert_snapshot!(error.unwrap_err().to_string(), @r#"
    error: `My Coin` cannot be the name of an experiment
    --> My Coin.toml
     = help: name the file with small letters, digits and hyphens, or add `name = "..."`
    "#);
}

#[test]
fn colour_codes_come_on_request_only() {
    let error = parse("seed = -1").unwrap_err();
    assert!(error.render(true).contains("\u{1b}["));
    assert!(!error.render(false).contains('\u{1b}'));
}

#[test]
fn a_wager_is_read_and_written_with_its_default() {
    let text = format!("{MINIMAL}[wager]\nmetric = 'run'\nstake = 0.5\n");
    let experiment = parsed(&text);
    let wager = experiment.wager.unwrap();
    assert_eq!((wager.stake, wager.games), (0.5, 100));
    assert_eq!(experiment.task.metrics[wager.metric].name, "run");
    let again = parsed(&experiment.resolved_toml());
    assert_eq!(again.wager, experiment.wager);
}

#[test]
fn a_wager_names_the_cell_of_the_player_it_is_about() {
    let text = format!(
        "{MINIMAL}[sweep]\np = [0.5, 0.25]\n[wager]\nmetric = 'run'\nstake = 0.5\ncell = '0.25'\n"
    );
    let experiment = parsed(&text);
    assert_eq!(experiment.wager.unwrap().cell, Some(1));
    assert_eq!(parsed(&experiment.resolved_toml()).wager, experiment.wager);
}

#[test]
fn the_mean_of_a_control_is_read_written_and_part_of_the_fingerprint() {
    let known = |mean: &str| {
        let table = format!("[variance]\ncontrol = 'low'\nmean = {mean}\nerror = 0.001\n[stop]");
        parsed(&MINIMAL.replace("[stop]", &table))
    };
    let experiment = known("0.5");
    let found = experiment.file.variance.as_ref().unwrap();
    assert_eq!(
        (found.control.as_str(), found.mean, found.error),
        ("low", 0.5, 0.001)
    );
    let again = parsed(&experiment.resolved_toml());
    assert_eq!(again.file.variance, experiment.file.variance);
    assert_eq!(again.fingerprint(), experiment.fingerprint());
    assert_ne!(known("0.25").fingerprint(), experiment.fingerprint());
}

/// Of six cells: by the headline, or the answer, or else the first.
#[test]
fn the_cell_that_is_shown_is_that_of_the_first_figure_which_has_one() {
    let shown = |answer: &str, headline: &str| {
        let page = match headline {
            "" => String::new(),
            headline => format!("[page]\nheadline = \"{headline}\"\n"),
        };
        let text = format!("answer = \"{answer}\"\n{FULL}\n{page}");
        let experiment = parse(&text).unwrap();
        experiment.cells[experiment.exhibited_cell()].name.clone()
    };
    let both = "{p=0.25,face=tails - p=0.25,face=heads:run}";
    assert_eq!(shown("none", ""), "p=0.5,face=heads");
    assert_eq!(shown("{p=1,face=tails:run}", "{run}"), "p=0.5,face=heads");
    assert_eq!(shown("{run}", "{p=1,face=tails:run}"), "p=1,face=tails");
    assert_eq!(shown("{p=0.25,face=tails:run}", both), "p=0.25,face=tails");
}

/// The file with every whole number written as one, and with a point or an exponent.
#[test]
fn whole_numbers_may_have_a_point_or_an_exponent() {
    let plain = r#"
task = "command"
seed = 7000
extended-from = [100, 2000]
[command]
run = ["whoami"]
version = "1"
batch = 20
[command.params]
size = { kind = "integer", min = 0, max = 500 }
[command.metrics]
wait = { kind = "number", min = 0, max = 600, decimals = 2 }
pay = { kind = "integer", min = 0, max = 9 }
[params]
size = 30
[budget]
nodes = [1000, 20000]
[stop]
half-width = { metric = "wait", target = 0.5, max-samples = 1000000 }
[bench]
repeats = 3
cap = { nodes = 4000 }
[contenders.first]
[contenders.second]
size = 50
[output]
exhibit = 10
[wager]
metric = "pay"
stake = 5
games = 200
"#;
    let written = |text: &str| {
        let parsed = Experiment::parse(text, "x.toml", GAMES, &Overrides::default());
        parsed
            .unwrap_or_else(|error| panic!("{}", error.render(false)))
            .resolved_toml()
    };
    let keys = [
        ("= 7000", "= 7e3"),
        ("[100, 2000]", "[1e2, 2_000.0]"),
        ("= 20\n", "= 2e1\n"),
        ("max = 500", "max = 5e2"),
        ("= 2 }", "= 2.0 }"),
        ("= 30\n", "= 30.0\n"),
        ("[1000, 20000]", "[1e3, 2e4]"),
        ("= 1000000 }", "= 1e6 }"),
        ("= 3\n", "= 3.0\n"),
        ("= 4000 }", "= 4e3 }"),
        ("= 10\n", "= 1e1\n"),
        ("= 200\n", "= 2E2\n"),
    ];
    for (whole, other) in keys {
        assert_eq!(plain.matches(whole).count(), 1, "{whole}");
        assert_eq!(
            written(&plain.replace(whole, other)),
            written(plain),
            "{other}"
        );
    }
    let one = plain.replace("[1000, 20000]", "1000");
    assert_eq!(
        written(&one.replace("nodes = 1000", "nodes = 1e3")),
        written(&one)
    );
}

#[test]
fn the_name_of_the_file_stands_for_a_question() {
    let text = MINIMAL.replace("question = \"Is the coin fair?\"\n", "");
    let experiment = parse(&text).unwrap();
    assert_eq!(experiment.file.question, "coin");
    let again = Experiment::parse(
        &experiment.resolved_toml(),
        "config.toml",
        GAMES,
        &Overrides::default(),
    );
    assert_eq!(again.unwrap().file.question, "coin");
}
